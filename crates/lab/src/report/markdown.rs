//! Markdown: escaped text, and tables that are readable without rendering.

/// Escapes a text so that no part of it is Markdown or HTML, and puts it on one line.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' | '|' | '<' | '>' | '*' | '`' | '[' | ']' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '&' => out.push_str("&amp;"),
            // Inside a word an underscore has no meaning.
            '_' if before.is_alphanumeric() && rest.peek().is_some_and(|c| c.is_alphanumeric()) => {
                out.push(c);
            }
            '_' => out.push_str("\\_"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// Makes Markdown fit for a cell of a table.
pub(crate) fn in_cell(text: &str) -> String {
    text.replace(['\n', '\r'], " ").replace('|', "\\|")
}

/// Formats a text as code on one line.
pub(crate) fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    match longest {
        0 => format!("`{text}`"),
        n => {
            let fence = "`".repeat(n + 1);
            format!("{fence} {text} {fence}")
        }
    }
}

/// Anchor of a heading, as GitHub derives it: lower case, hyphens for blanks, without other signs.
pub(crate) fn anchor(heading: &str) -> String {
    let text = heading.replace("&amp;", "").to_lowercase().replace(' ', "-");
    text.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
}

/// Greatest width in characters of a row with aligned columns.
const WIDEST: usize = 960;

/// Least width in characters of a column, for its rule.
const NARROWEST: usize = 3;

/// Table with columns of text and of numbers.
pub(crate) struct Table {
    head: Vec<String>,
    texts: Vec<usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Makes a table with these headings. The columns with the indices `texts` are aligned as text,
    /// the others as numbers. Headings and cells are Markdown.
    pub(crate) fn new(head: Vec<String>, texts: &[usize]) -> Self {
        Self { head, texts: texts.to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Returns the table followed by an empty line; empty without rows.
    pub(crate) fn show(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let width = |column: usize| {
            let cells = self.rows.iter().chain([&self.head]);
            let longest = cells.filter_map(|row| row.get(column)).map(|c| length(c));
            longest.max().unwrap_or(0).max(NARROWEST)
        };
        let mut widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        // Spaces would not make such a long row readable without rendering.
        if widths.iter().map(|width| width + 3).sum::<usize>() > WIDEST {
            widths.fill(NARROWEST);
        }
        let line = |row: &[String]| {
            let mut text = String::from("|");
            for (column, &width) in widths.iter().enumerate() {
                let cell = row.get(column).map_or("", String::as_str);
                let space = " ".repeat(width.saturating_sub(length(cell)));
                text += &if self.texts.contains(&column) {
                    format!(" {cell}{space} |")
                } else {
                    format!(" {space}{cell} |")
                };
            }
            text + "\n"
        };
        let rule = |(column, &width): (usize, &usize)| {
            if self.texts.contains(&column) {
                "-".repeat(width)
            } else {
                "-".repeat(width - 1) + ":"
            }
        };
        let rules: Vec<String> = widths.iter().enumerate().map(rule).collect();
        let mut text = line(&self.head) + &line(&rules);
        for row in &self.rows {
            text += &line(row);
        }
        text + "\n"
    }
}

fn length(cell: &str) -> usize {
    cell.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_text_contains_no_markup() {
        assert_eq!(escape("a|b <i> A* &"), "a\\|b \\<i\\> A\\* &amp;");
        assert_eq!(escape("peak_resident _x_\n"), "peak_resident \\_x\\_ ");
        assert_eq!((&*code("a"), &*code("a`b")), ("`a`", "`` a`b ``"));
    }

    #[test]
    fn anchors_contain_only_words_and_hyphens() {
        assert_eq!(anchor("Figure 5: A\\* &amp; the N²–1 puzzle"), "figure-5-a--the-n²1-puzzle");
        assert_eq!(anchor("Text, table 1: λ and N_1"), "text-table-1-λ-and-n_1");
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(vec!["solver".into(), "n".into()], &[0]);
        assert_eq!(table.show(), "");
        table.push(vec!["IDA\\*".into(), "12".into()]);
        let text = "| solver |   n |\n| ------ | --: |\n| IDA\\*  |  12 |\n\n";
        assert_eq!(table.show(), text);
        // Columns of very long rows are not.
        let long = "x".repeat(WIDEST);
        table.push(vec![long.clone(), "3".into()]);
        let rows =
            format!("| solver |   n |\n| --- | --: |\n| IDA\\* |  12 |\n| {long} |   3 |\n\n");
        assert_eq!(table.show(), rows);
    }
}
