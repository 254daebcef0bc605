//! How long parsing takes. Not a part of the quick suite: `cargo test --release -p poolwright-syntax --test syntax --
//! --ignored --nocapture speed`.

use std::fmt::Write as _;
use std::time::Instant;

use poolwright_diagnostics::FileId;

fn pools(count: usize) -> String {
    let mut text = String::new();
    for n in 0..count {
        write!(
            text,
            "pool \"gpu-{n}\" {{\n  # bought in batch {n}\n  tier        = tier.spot\n  accelerator = accelerator.a100\n  \
             max_nodes   = {n}\n  price       = \"$2.80/gpu/h\"\n  labels      = {{ for k, v in var.labels : k => \
             \"${{v}}-{n}\" if v != null }}\n\n  lot \"main\" {{\n    nodes = [for i in range({n}) : i * 2]\n    zone  = \
             \"eu-${{var.zone}}\"\n  }}\n}}\n\n"
        )
        .unwrap();
    }
    text
}

#[test]
#[ignore = "a measurement"]
fn blocks_parse_in_linear_time() {
    for count in [1_000, 10_000, 100_000] {
        let text = pools(count);
        let start = Instant::now();
        let (file, found) = poolwright_syntax::parse(FileId(0), &text);
        let parsed = start.elapsed();
        assert!(found.is_empty(), "{:?}", found.first());
        assert_eq!(file.body.items.len(), count);
        println!("{count} blocks, {:.1} MB: {:.3} s", text.len() as f64 / 1e6, parsed.as_secs_f64());
    }
}

/// Texts that make every search run to the end must not take quadratic time.
#[test]
#[ignore = "a measurement"]
fn hostile_texts_parse_in_linear_time() {
    let n = 100_000;
    let texts = [
        ("open comments", "/*\n".repeat(n)),
        ("open strings", "x = \"a\n".repeat(n)),
        ("open heredocs", "x = <<A\n".repeat(n)),
        ("open blocks", "a {\n".repeat(n)),
        ("open lists", "[".repeat(n)),
        ("closers", "}".repeat(n)),
        ("mixed", "[)".repeat(n)),
        ("templates", "x = \"${".repeat(n)),
        ("template lines", format!("x = {}{}", "\"${".repeat(n), "\n a".repeat(n))),
        ("one line", format!("x = [{}]", "{ a = 1 }, ".repeat(n))),
        (
            "one object",
            format!(
                "x = {{{}}}",
                (0..n / 10).fold(String::new(), |mut s, i| {
                    write!(s, "k{i} = 1, ").unwrap();
                    s
                })
            ),
        ),
        ("unclosed blocks", "pool \"a\" {\n  x = 1\n".repeat(n)),
        ("unclosed lists", "pool \"a\" {\n  x = [\n y = 1\n}\n".repeat(n / 10)),
        ("minus", format!("x = {}1", "-".repeat(n))),
        ("quotes", "\"".repeat(n)),
        ("bare", "${".repeat(n)),
        ("labels", format!("a {}", "b ".repeat(n))),
        ("same keys", format!("x = {{{}}}", "a = 1, ".repeat(n / 100))),
        ("same attributes", "x = 1\n".repeat(n)),
        ("commas", "x = 1,".repeat(n)),
        ("on one line", "x = 1 ".repeat(n)),
        ("blocks on one line", "a {} ".repeat(n)),
    ];
    for (name, text) in &texts {
        let start = Instant::now();
        let (_, found) = poolwright_syntax::parse(FileId(0), text);
        let taken = start.elapsed().as_secs_f64();
        println!("{name}: {} kB, {} diagnostics, {taken:.3} s", text.len() / 1000, found.len());
        assert!(taken < 5.0, "{name} took {taken} s");
    }
}
