//! `poolwright explain`: the page of a code, from the program itself.

use poolwright_diagnostics::{Diagnostic, did_you_mean};
use poolwright_report::Page;

use crate::args::Global;
use crate::exit::Exit;
use crate::session::refuse;
use crate::{codes, output};

/// Every code and the text of its page, by code; `build.rs` makes it of docs/codes.
const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

pub(crate) fn run(global: &Global, code: Option<&str>, json: bool) -> Exit {
    let Some(asked) = code else {
        // A test reads all pages: none is missing here.
        let pages: Vec<Page> = PAGES.iter().filter_map(|(_, text)| Page::parse(text).ok()).collect();
        if json {
            let value = poolwright_report::explain_json(&pages.iter().collect::<Vec<_>>(), false);
            output::print(&format!("{value:#}\n"));
        } else {
            output::print(&poolwright_report::list_codes(&pages));
        }
        return Exit::Done;
    };
    let name = name(asked);
    match page(&name) {
        Some(page) if json => {
            output::print(&format!("{:#}\n", poolwright_report::explain_json(&[&page], true)));
            Exit::Done
        }
        Some(page) => {
            output::print(&poolwright_report::explain(&page));
            Exit::Done
        }
        None => {
            let diagnostic = Diagnostic::error(codes::NO_SUCH_CODE, format!("there is no code `{asked}`"));
            let close = did_you_mean(&name, PAGES.iter().map(|(code, _)| *code));
            let close: Vec<String> = close.into_iter().map(|code| format!("`{code}`")).collect();
            let diagnostic = match close.as_slice() {
                [] => diagnostic,
                close => diagnostic.with_help(format!("codes that are spelt alike: {}", close.join(", "))),
            };
            refuse(global, diagnostic.with_help("all codes: poolwright explain"), Exit::Invalid)
        }
    }
}

/// `pw4120` and `4120` mean `PW4120`.
fn name(asked: &str) -> String {
    let upper = asked.trim().to_uppercase();
    if upper.starts_with(|c: char| c.is_ascii_digit()) { format!("PW{upper}") } else { upper }
}

fn page(code: &str) -> Option<Page> {
    let (_, text) = PAGES.iter().find(|(known, _)| *known == code)?;
    Page::parse(text).ok()
}

/// What other forms show of a code.
pub(crate) fn headline_and_meaning(code: &str) -> Option<(String, String)> {
    page(code).map(|page| (page.headline, page.meaning.replace('\n', " ")))
}
