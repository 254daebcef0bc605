#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout)]
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut map = poolwright_diagnostics::SourceMap::default();
        let id = map.add(path.as_str(), text.as_str());
        let (file, found) = poolwright_syntax::parse(id, &text);
        if std::env::var("TREE").is_ok() {
            println!("{:#?}", file.body);
        }
        println!("{path}: {} items, {} diagnostics", file.body.items.len(), found.len());
        if std::env::var("HUMAN").is_ok() {
            println!(
                "{}",
                poolwright_diagnostics::render::human(
                    &found,
                    &map,
                    &poolwright_diagnostics::render::Options {
                        color: std::env::var("COLOR").is_ok(),
                        unicode: std::env::var("ASCII").is_err(),
                        width: 100
                    }
                )
            );
            continue;
        }
        for d in &found {
            let place = d.primary().map(|l| map.place(l.span)).unwrap_or_default();
            println!(
                "  {place}: {}: {} [{}]",
                d.code,
                d.message,
                d.labels
                    .iter()
                    .map(|l| format!("{}:{:?}:{}", map.place(l.span), map.text(l.span), l.text))
                    .collect::<Vec<_>>()
                    .join(" | ")
            );
            for h in &d.helps {
                println!("      help {h}");
            }
            for f in &d.fixes {
                println!(
                    "      fix {:?} {} {:?}",
                    f.applicability,
                    f.title,
                    f.edits
                        .iter()
                        .map(|e| (map.place(e.span), map.text(e.span), &e.text))
                        .collect::<Vec<_>>()
                );
            }
        }
    }
}
