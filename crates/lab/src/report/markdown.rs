//! Markdown: text that means nothing but itself, and tables that can be read without rendering.

/// A text in which nothing is Markdown or HTML, on one line.
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
            // Inside of a word it is but a letter.
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

/// A text as code, on one line.
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

/// Characters of a row up to which columns are aligned.
const WIDEST: usize = 960;

/// Characters of the narrowest column, for its rule.
const NARROWEST: usize = 3;

/// A table whose first columns are text and the others numbers.
pub(crate) struct Table {
    head: Vec<String>,
    texts: Vec<usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table of these headings; the columns of these indices are text, all others numbers. Headings
    /// and cells are Markdown.
    pub(crate) fn new(head: Vec<String>, texts: &[usize]) -> Self {
        Self { head, texts: texts.to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The table with an empty line behind it; nothing without rows.
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
        // Nobody reads such a row without rendering, and spaces would make it no better.
        if widths.iter().map(|width| width + 3).sum::<usize>() > WIDEST {
            widths.fill(NARROWEST);
        }
        let line = |row: &[String]| {
            let mut text = String::from("|");
            for (column, &width) in widths.iter().enumerate() {
                let cell = row.get(column).map_or("", String::as_str);
                let space = " ".repeat(width.saturating_sub(length(cell)));
                match self.texts.contains(&column) {
                    true => text += &format!(" {cell}{space} |"),
                    false => text += &format!(" {space}{cell} |"),
                }
            }
            text + "\n"
        };
        let rule = |(column, &width): (usize, &usize)| match self.texts.contains(&column) {
            true => "-".repeat(width),
            false => "-".repeat(width - 1) + ":",
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
    fn nothing_of_a_text_is_markup() {
        assert_eq!(escape("a|b <i> A* &"), "a\\|b \\<i\\> A\\* &amp;");
        assert_eq!(escape("peak_resident _x_\n"), "peak_resident \\_x\\_ ");
        assert_eq!((&*code("a"), &*code("a`b")), ("`a`", "`` a`b ``"));
    }

    #[test]
    fn tables_are_aligned() {
        let mut table = Table::new(vec!["solver".into(), "n".into()], &[0]);
        assert_eq!(table.show(), "");
        table.push(vec!["IDA\\*".into(), "12".into()]);
        let text = "| solver |   n |\n| ------ | --: |\n| IDA\\*  |  12 |\n\n";
        assert_eq!(table.show(), text);
        // Not those of very long rows.
        let long = "x".repeat(WIDEST);
        table.push(vec![long.clone(), "3".into()]);
        let rows =
            format!("| solver |   n |\n| --- | --: |\n| IDA\\* |  12 |\n| {long} |   3 |\n\n");
        assert_eq!(table.show(), rows);
    }
}
