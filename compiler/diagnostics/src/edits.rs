//! Edits made to a text.

use crate::Edit;

/// The text after all edits, which may come in any order. None when two of them overlap, when two insert at one
/// place, or when one is not of this text: then nothing is sure.
#[must_use]
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let inserted: usize = sorted.iter().map(|edit| edit.text.len()).sum();
    let mut changed = String::with_capacity(text.len() + inserted);
    let mut at = 0;
    let mut inserted_at = None;
    for edit in sorted {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        if start == end && inserted_at.replace(start) == Some(start) {
            return None;
        }
        changed.push_str(text.get(at..start)?);
        text.get(start..end)?;
        changed.push_str(&edit.text);
        at = end;
    }
    changed.push_str(text.get(at..)?);
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileId, Span};

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit { span: Span::new(FileId(0), start, end), text: text.to_owned() }
    }

    #[test]
    fn edits_are_made_in_the_order_of_the_text() {
        let edits = [edit(3, 4, "!"), edit(0, 1, ""), edit(2, 2, "é"), edit(1, 2, "B")];
        assert_eq!(apply("abcd", &edits).unwrap(), "Béc!");
        assert_eq!(apply("", &[]).unwrap(), "");
    }

    #[test]
    fn what_is_not_sure_is_not_done() {
        assert_eq!(apply("abcd", &[edit(0, 2, ""), edit(1, 3, "")]), None);
        assert_eq!(apply("abcd", &[edit(1, 1, "x"), edit(1, 1, "y")]), None);
        assert_eq!(apply("abcd", &[edit(3, 5, "")]), None);
        assert_eq!(apply("é", &[edit(1, 1, "x")]), None);
    }
}
