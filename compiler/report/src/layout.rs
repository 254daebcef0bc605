//! Columns.

/// The width of everything that is written, when the terminal does not say more.
pub(crate) const WIDTH: usize = 100;

/// `left`, and `right` at the end of the line where there is room, else after two blanks.
pub(crate) fn ends(left: &str, right: &str) -> String {
    if right.is_empty() {
        return left.trim_end().to_owned();
    }
    let used = left.chars().count() + right.chars().count();
    let gap = WIDTH.saturating_sub(used).max(2);
    format!("{left}{:gap$}{right}", "")
}

/// Rows with their columns aligned: the columns in `right` to the right.
pub(crate) fn table(rows: &[Vec<String>], right: &[usize]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            if column > 0 {
                line.push_str("  ");
            }
            let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
            if right.contains(&column) {
                line.push_str(&pad);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.push_str(&pad);
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// `1 object`, `2 objects`.
pub(crate) fn count(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_part_stands_at_the_end() {
        assert_eq!(ends("a", "b").chars().count(), WIDTH);
        assert_eq!(ends(&"x".repeat(120), "b").chars().count(), 123);
    }

    #[test]
    fn columns_align() {
        let rows = vec![vec!["a".into(), "10".into()], vec!["bcd".into(), "5".into()]];
        assert_eq!(table(&rows, &[1]), "a    10\nbcd   5\n");
    }
}
