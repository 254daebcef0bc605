//! Pages of diagnostic codes: `docs/codes/PW1234.md`, one a code, as `poolwright explain` shows them.
//!
//! A page has one form, so that a program can read it and tests can compile its examples:
//!
//! ```text
//! # PW1234: headline, which is the code's summary
//!
//! What it means.
//!
//! ## Example
//! a fence `hcl fail` (`hcl fail alone`: a fleet by itself), or `console` where no file is the cause
//!
//! ## Why
//! Why it is refused.
//!
//! ## Fixed
//! a fence `hcl ok`, or `console`
//!
//! See also: [PW1235](PW1235.md)
//! ```

use std::fmt::Write;

/// Columns that text is broken at.
const WIDTH: usize = 100;
/// How far code is set in.
const INDENT: usize = 4;

/// What the ranges of codes are about, by what their codes begin with.
pub const RANGES: [(&str, &str); 10] = [
    ("PW0", "reading files, syntax"),
    ("PW1", "names, blocks, attributes"),
    ("PW2", "types and units"),
    ("PW3", "evaluation"),
    ("PW4", "rules between blocks"),
    ("PW5", "what a target cannot express"),
    ("PW6", "plan and state"),
    ("PW7", "apply"),
    ("PW8", "policies and tests"),
    ("PW9", "not built yet, the command line, faults of Poolwright itself"),
];

/// An example of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The words behind the fence: `hcl fail`, `hcl fail alone`, `hcl ok`, `hcl ok alone`, `console`, `json`.
    pub kind: String,
    /// The lines, with a newline at their end.
    pub text: String,
}

/// What is known of one code.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Page {
    /// The code.
    pub code: String,
    /// What it means in one line.
    pub headline: String,
    /// What it means, in one to three sentences.
    pub meaning: String,
    /// What has it.
    pub examples: Vec<Example>,
    /// Why it is refused.
    pub why: String,
    /// What has it no more.
    pub fixed: Vec<Example>,
    /// Codes that are near.
    pub see_also: Vec<String>,
}

impl Page {
    /// Reads a page.
    ///
    /// # Errors
    /// What of the form it does not keep.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut page = Self::default();
        let mut section = "";
        let mut lines = text.lines();
        let head = lines.next().and_then(|line| line.strip_prefix("# "));
        let Some((code, headline)) = head.and_then(|head| head.split_once(": ")) else {
            return Err("the first line is not `# CODE: headline`".to_owned());
        };
        (page.code, page.headline) = (code.to_owned(), headline.to_owned());
        while let Some(line) = lines.next() {
            if let Some(title) = line.strip_prefix("## ") {
                section = match title {
                    "Example" | "Why" | "Fixed" => title,
                    _ => return Err(format!("there is no section `{title}`")),
                };
            } else if let Some(kind) = line.strip_prefix("```") {
                let mut example = Example { kind: kind.to_owned(), text: String::new() };
                loop {
                    match lines.next() {
                        Some("```") => break,
                        Some(line) => {
                            let _ = writeln!(example.text, "{line}");
                        }
                        None => return Err("a fence is not closed".to_owned()),
                    }
                }
                match section {
                    "Example" => page.examples.push(example),
                    "Fixed" => page.fixed.push(example),
                    _ => return Err("an example stands outside of `## Example` and `## Fixed`".to_owned()),
                }
            } else if let Some(links) = line.strip_prefix("See also: ") {
                for link in links.split(", ") {
                    let name = link.strip_prefix('[').and_then(|link| link.split_once("](")).map(|it| it.0);
                    page.see_also.push(name.ok_or_else(|| format!("`{link}` is no link"))?.to_owned());
                }
            } else if !line.is_empty() {
                let text = match section {
                    "" => &mut page.meaning,
                    "Why" => &mut page.why,
                    _ => return Err(format!("a sentence stands in `## {section}`: {line}")),
                };
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(line);
            }
        }
        Ok(page)
    }

    /// Whether the program gives this code no more.
    #[must_use]
    pub fn retired(&self) -> bool {
        self.meaning.contains("No longer emitted.")
    }

    /// What the code's range is about.
    #[must_use]
    pub fn about(&self) -> &'static str {
        RANGES.iter().find(|(begin, _)| self.code.starts_with(begin)).map_or("", |(_, about)| about)
    }
}

/// A page as text for a terminal.
#[must_use]
pub fn explain(page: &Page) -> String {
    let mut out = format!("{}: {}\n\n", page.code, page.headline);
    paragraphs(&mut out, &page.meaning);
    for (title, examples) in [("Example", &page.examples), ("Fixed", &page.fixed)] {
        if title == "Fixed" && !page.why.is_empty() {
            out.push_str("\nWhy\n\n");
            paragraphs(&mut out, &page.why);
        }
        for example in examples {
            let _ = write!(out, "\n{title}\n\n");
            for line in example.text.lines() {
                let line = format!("{:INDENT$}{line}", "");
                let _ = writeln!(out, "{}", line.trim_end());
            }
        }
    }
    if !page.see_also.is_empty() {
        let _ = write!(out, "\nSee also: {}\n", page.see_also.join(", "));
    }
    out
}

fn paragraphs(out: &mut String, text: &str) {
    for (index, paragraph) in text.lines().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let mut length = 0;
        for word in paragraph.split(' ') {
            let word_length = word.chars().count();
            if length > 0 && length + 1 + word_length > WIDTH {
                out.push('\n');
                length = 0;
            }
            if length > 0 {
                out.push(' ');
                length += 1;
            }
            out.push_str(word);
            length += word_length;
        }
        out.push('\n');
    }
}

/// All codes with their headlines, by range.
#[must_use]
pub fn list_codes(pages: &[Page]) -> String {
    let mut out = String::new();
    for (begin, about) in RANGES {
        let _ = write!(out, "{}{begin}xxx  {about}\n\n", if out.is_empty() { "" } else { "\n" });
        for page in pages.iter().filter(|page| page.code.starts_with(begin)) {
            let retired = if page.retired() { " (no longer emitted)" } else { "" };
            let _ = writeln!(out, "  {}  {}{retired}", page.code, page.headline);
        }
    }
    out.push_str("\na page: poolwright explain CODE\n");
    out
}

/// Pages as JSON: of a list only what it shows.
#[must_use]
pub fn explain_json(pages: &[&Page], whole: bool) -> serde_json::Value {
    let examples = |examples: &[Example]| -> Vec<serde_json::Value> {
        let one = |example: &Example| serde_json::json!({ "kind": example.kind, "text": example.text });
        examples.iter().map(one).collect()
    };
    let code = |page: &&Page| {
        let mut value = serde_json::json!({
            "code": page.code,
            "about": page.about(),
            "headline": page.headline,
            "retired": page.retired(),
        });
        if let Some(value) = value.as_object_mut().filter(|_| whole) {
            value.insert("meaning".to_owned(), page.meaning.clone().into());
            value.insert("examples".to_owned(), examples(&page.examples).into());
            value.insert("why".to_owned(), page.why.clone().into());
            value.insert("fixed".to_owned(), examples(&page.fixed).into());
            value.insert("see_also".to_owned(), page.see_also.clone().into());
        }
        value
    };
    let codes: Vec<serde_json::Value> = pages.iter().map(code).collect();
    serde_json::json!({ "schema": "poolwright/explain/v1", "codes": codes })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# PW1234: a thing is wrong\n\nIt is wrong. It is `wrong`.\n\n## Example\n\n```hcl fail\na {\n\n  b = 1\n}\n```\n\n\
                        ## Why\n\nKueue says so.\n\n## Fixed\n\n```hcl ok\na {}\n```\n\nSee also: [PW1235](PW1235.md), [PW1236](PW1236.md)\n";

    #[test]
    fn a_page_is_read_and_shown() {
        let page = Page::parse(PAGE).unwrap();
        assert_eq!(page.see_also, ["PW1235", "PW1236"]);
        assert_eq!(
            explain(&page),
            "PW1234: a thing is wrong\n\nIt is wrong. It is `wrong`.\n\nExample\n\n    a {\n\n      b = 1\n    }\n\n\
             Why\n\nKueue says so.\n\nFixed\n\n    a {}\n\nSee also: PW1235, PW1236\n"
        );
        assert!(!page.retired());
        assert_eq!(page.about(), "names, blocks, attributes");
    }

    #[test]
    fn what_is_not_of_the_form_is_said() {
        for (from, to, fault) in [
            ("# PW1234: a", "PW1234 a", "the first line is not `# CODE: headline`"),
            ("## Why", "## Reason", "there is no section `Reason`"),
            ("}\n```\n\n## Why", "}\n\n## Why", "a sentence stands"),
            ("[PW1235]", "PW1235", "is no link"),
            ("a {}\n```", "a {}", "a fence is not closed"),
        ] {
            let broken = PAGE.replace(from, to);
            assert_ne!(broken, PAGE);
            let found = Page::parse(&broken);
            assert!(found.is_err() || fault == "a sentence stands", "{fault}: {found:?}");
            if let Err(found) = found {
                assert!(found.contains(fault) || fault == "a sentence stands", "{found}");
            }
        }
    }
}
