//! Files, spans in them, and the way from a byte offset to a line and a column.

use std::sync::{Arc, OnceLock};

/// A file in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// A range of bytes `start..end` in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte, counted from 0.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span of `file` over the bytes `start..end`.
    #[must_use]
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end: end.max(start) }
    }

    /// The smallest span that holds both; `other` of another file is ignored.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.file != other.file {
            return self;
        }
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span at the start of this one.
    #[must_use]
    pub fn at_start(self) -> Self {
        Self { end: self.start, ..self }
    }

    /// The empty span at the end of this one.
    #[must_use]
    pub fn at_end(self) -> Self {
        Self { start: self.end, ..self }
    }
}

/// A place as people count it: both from 1, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// One file: its name as shown to people (relative, `/` between parts) and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    line_starts: Vec<u32>,
    /// For each line so many characters stand before it; counted when somebody asks.
    line_chars: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// The name as shown.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Line and column of a byte offset; an offset past the end is the end.
    #[must_use]
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start as usize..(offset as usize).min(self.text.len())).unwrap_or("");
        LineColumn { line: line as u32, column: before.chars().count() as u32 + 1 }
    }

    /// So many characters stand before a byte offset; of one past the end, all.
    #[must_use]
    pub fn char_offset(&self, offset: u32) -> u32 {
        let before = self.line_chars.get_or_init(|| {
            let ends = self.line_starts.iter().skip(1).map(|end| *end as usize);
            let mut lines = Vec::with_capacity(self.line_starts.len());
            let (mut start, mut count) = (0, 0);
            lines.push(0);
            for end in ends {
                count += self.text.get(start..end).map_or(0, |line| line.chars().count() as u32);
                start = end;
                lines.push(count);
            }
            lines
        });
        let at = self.line_column(offset);
        let line = at.line.saturating_sub(1) as usize;
        before.get(line).copied().unwrap_or(0) + at.column - 1
    }

    /// The byte at which a line (from 1) begins; of a line past the end, the end.
    #[must_use]
    pub fn line_start(&self, line: u32) -> u32 {
        let index = line.saturating_sub(1) as usize;
        self.line_starts.get(index).copied().unwrap_or(self.text.len() as u32)
    }

    /// The text of a line (from 1), without its end-of-line.
    #[must_use]
    pub fn line(&self, line: u32) -> &str {
        let index = line.saturating_sub(1) as usize;
        let Some(start) = self.line_starts.get(index) else { return "" };
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |next| *next as usize);
        self.text.get(*start as usize..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }
}

/// All files of a run. Ids are handed out in the order of [`SourceMap::add`].
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a file and returns its id.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> FileId {
        let text: Arc<str> = text.into();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1));
        let line_starts = starts.collect();
        self.files.push(SourceFile { name: name.into(), text, line_starts, line_chars: OnceLock::new() });
        FileId(self.files.len() as u32 - 1)
    }

    /// The file of an id, if it is of this map.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files with their ids, in order.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }

    /// The text under a span; empty when the span is of no file here.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file)
            .and_then(|file| file.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }

    /// `name:line:column` of a span's start; empty when the span is of no file here.
    #[must_use]
    pub fn place(&self, span: Span) -> String {
        self.get(span.file).map_or_else(String::new, |file| {
            let at = file.line_column(span.start);
            format!("{}:{}:{}", file.name, at.line, at.column)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let mut map = SourceMap::default();
        let id = map.add("a.pool.hcl", "é = 1\nb = 2\n");
        let file = map.get(id).unwrap();
        assert_eq!(file.line_column(0), LineColumn { line: 1, column: 1 });
        assert_eq!(file.line_column(3), LineColumn { line: 1, column: 3 });
        assert_eq!(file.line_column(7), LineColumn { line: 2, column: 1 });
        assert_eq!(file.line_column(99), LineColumn { line: 3, column: 1 });
        assert_eq!(file.line(2), "b = 2");
        assert_eq!([0, 2, 6, 7, 12, 99].map(|byte| file.char_offset(byte)), [0, 1, 5, 6, 11, 12]);
        assert_eq!(map.place(Span::new(id, 7, 8)), "a.pool.hcl:2:1");
    }
}
