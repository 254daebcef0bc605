//! A line of source as it can be shown: tabs are spaces, nothing invisible, and no longer than there is room for.

/// How many columns a tab takes: enough to see it, the same everywhere, so that columns stay comparable.
const TAB: usize = 4;

/// The character, or a stand-in when showing it would hide something or move the cursor.
pub(crate) fn visible(c: char) -> char {
    let hides = matches!(c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    if c.is_control() || hides { '\u{fffd}' } else { c }
}

/// A shown line, and where the bytes of its source went.
pub(crate) struct Line {
    /// What is shown.
    pub(crate) text: String,
    /// For each character of the source: its byte there, and its byte in `text`. Ends with both ends.
    map: Vec<(usize, usize)>,
}

impl Line {
    /// Shows `source`; when it is longer than `room` characters, the part around the byte `focus`.
    pub(crate) fn new(source: &str, focus: usize, room: usize, ellipsis: &str) -> Self {
        let room = room.max(20);
        let length = source.chars().count();
        let (mut first, mut last) = (0, length);
        if length > room {
            let at = source.char_indices().take_while(|(byte, _)| *byte < focus).count();
            first = at.saturating_sub(room / 3).min(length - room);
            last = first + room;
        }
        let mut text = String::with_capacity(source.len() + 8);
        let mut map = Vec::with_capacity(length + 1);
        if first > 0 {
            text.push_str(ellipsis);
        }
        for (index, (byte, c)) in source.char_indices().enumerate() {
            map.push((byte, text.len()));
            if index < first || index >= last {
                continue;
            }
            match c {
                '\t' => text.extend(std::iter::repeat_n(' ', TAB)),
                c => text.push(visible(c)),
            }
        }
        map.push((source.len(), text.len()));
        if last < length {
            text.push_str(ellipsis);
        }
        Self { text, map }
    }

    /// Where a range of source bytes went; at least one character wide.
    pub(crate) fn range(&self, start: usize, end: usize) -> (usize, usize) {
        let to = |byte: usize| {
            let index = self.map.partition_point(|(source, _)| *source < byte).min(self.map.len() - 1);
            self.map.get(index).map_or(0, |(_, shown)| *shown)
        };
        let start = to(start);
        // Past the end, the space that is added behind every line.
        let least = self.text.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        (start, to(end).max(start + least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_and_invisible_characters_are_replaced() {
        let line = Line::new("\ta\u{1b}[31m = é", 1, 80, "…");
        assert_eq!(line.text, "    a\u{fffd}[31m = é");
        assert_eq!(line.range(1, 2), (4, 5));
        assert_eq!(line.range(0, 1), (0, 4));
        assert_eq!(line.range(99, 99), (line.text.len(), line.text.len() + 1));
    }

    #[test]
    fn long_lines_are_cut_around_the_focus() {
        let source = "x".repeat(500);
        let line = Line::new(&source, 300, 30, "…");
        assert_eq!(line.text.chars().count(), 32);
        let (start, end) = line.range(300, 301);
        assert_eq!(line.text.get(start..end).unwrap(), "x");
        let (start, end) = line.range(0, 3);
        assert_eq!(line.text.get(start..end).unwrap(), "x");
    }
}
