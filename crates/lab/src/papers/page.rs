//! Page of a paper in Markdown: its head, and every table and figure with ours beside it.

use super::{
    Exhibit, Maker, Paper, Reading, claims,
    ours::{Ours, Place, Sources},
    tally::{Runs, Tally, is_part, report_link},
    verdict::{self, Word},
};
use crate::{
    error::LabError,
    references::{
        cells::{Cell, Published},
        paper::Kind,
    },
    report::{
        Report, html,
        markdown::{Table, anchor, code, escape, in_cell},
        numbers::plain,
    },
};

/// Makes the page.
pub(super) fn make(paper: &Paper, sources: &Sources<'_>) -> Result<Report, LabError> {
    let runs = sources.recorded();
    let mut tally = Tally::default();
    let mut body = String::new();
    for exhibit in &paper.exhibits {
        body += &section(paper, sources, &runs, exhibit, &mut tally)?;
    }
    let claims = claims::section(paper, sources, &runs, &mut tally);
    let title = format!("{}: {}", paper.source.citation(), paper.source.title);
    let mut text = format!("# {}\n\n{}.\n\n", escape(&title), escape(&paper.source.place));
    for paragraph in paper.about.split("\n\n") {
        text += &format!("{}\n\n", paragraph.replace('\n', " "));
    }
    text += &tally.show();
    text += &format!(
        "Made by {} of recorded runs and committed files; no figure of ours is typed in.\n\n",
        code(&sources.command(&format!("lab paper {} --output docs/papers", paper.key)))
    );
    text += WORDS;
    let sections = claims + &body;
    text += &contents(&sections);
    text += &sections;
    let text = text.trim_end().to_owned() + "\n";
    Ok(Report {
        name: paper.key.clone(),
        html: html::page(&title, &text, "..", &[]),
        markdown: text,
        figures: Vec::new(),
    })
}

const WORDS: &str = "Words of the tables: *same*: the published figure is inside the 95 % interval of ours; *better*, \
*worse* and *differs* by how much of the published figure, or by points of a share, with the interval of ours; *no \
interval*: ours is one number and no mean; *open*: ours is a bound that does not decide; *not comparable*: both are \
shown and not compared; *lost in the text*: the available text of the paper has no such cell; *not \
run*: nothing of ours is recorded, for the reason of that number below the table; ≥: a lower bound, because limits \
ended runs; n: instances. Figures in brackets are 95 % intervals, \
over instances: there is one training or evolution behind a figure unless its deviation names more.\n\n";

/// Most sections of a page without a list of contents.
const WITHOUT_CONTENTS: usize = 6;

/// The list of a page's sections, with a link to each; empty if there are few.
fn contents(sections: &str) -> String {
    let titles: Vec<&str> = sections.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    if titles.len() <= WITHOUT_CONTENTS {
        return String::new();
    }
    let entry = |title: &&str| format!("- [{title}](#{})\n", anchor(title));
    format!("Contents:\n\n{}\n", titles.iter().map(entry).collect::<String>())
}

/// Origin of our figures: the experiment with its report, or a command.
fn made_by(
    paper: &Paper,
    sources: &Sources<'_>,
    runs: &Runs<'_>,
    reading: &Reading,
    command: Option<&str>,
) -> String {
    match &reading.maker {
        Maker::Experiment(name) => {
            let name = name.get_ref();
            let link = report_link(paper, name);
            let link = link.unwrap_or_else(|| format!("{} (no report yet)", code(name)));
            format!("{link}, {}", code(&sources.run(name, is_part(runs, name))))
        }
        Maker::File(file) => {
            format!("[{0}](../../{0}), {1}", file.get_ref(), code(command.unwrap_or_default()))
        }
        Maker::Program(puzzle) => {
            let command = sources.command(&format!("describe {}", puzzle.get_ref()));
            format!("declarations of the program, {}", code(&command))
        }
    }
}

fn published(exhibit: &Exhibit, cell: &Cell) -> String {
    let unit = match cell.unit.as_str() {
        "" => String::new(),
        unit => format!(" {}", escape(unit)),
    };
    let place = match cell.place == exhibit.declared.place {
        true => String::new(),
        false => format!(" ({})", escape(&cell.place)),
    };
    match &cell.published {
        Published::Value(value) => format!("{}{unit}{place}", plain(*value)),
        Published::Words(words) => format!("{}{place}", escape(words)),
        Published::Lost => "*lost in the text*".to_owned(),
        _ => "—".to_owned(),
    }
}

/// Returns our figure beside a cell as text, and the verdict as text and word.
fn beside(cell: &Cell, ours: &Ours) -> (String, String, Option<Word>) {
    match (ours, &cell.published) {
        (Ours::NotRun(why), _) => (format!("not run: {}", in_cell(why)), "—".to_owned(), None),
        (Ours::Words(words), Published::Words(theirs)) if words == theirs => {
            (escape(words), Word::Same.name().to_owned(), Some(Word::Same))
        }
        (Ours::Words(words), _) => (in_cell(words), "—".to_owned(), None),
        (Ours::Number(side, factor), Published::Value(value)) => {
            let verdict = verdict::of(value * factor, side);
            (escape(&side.found.text), escape(&verdict.text), Some(verdict.word))
        }
        (Ours::Number(side, _), _) => (escape(&side.found.text), "—".to_owned(), None),
    }
}

/// Our figures by reading, row and column.
type Figures = Vec<Vec<Vec<Option<Ours>>>>;

fn section(
    paper: &Paper,
    sources: &Sources<'_>,
    runs: &Runs<'_>,
    exhibit: &Exhibit,
    tally: &mut Tally,
) -> Result<String, LabError> {
    let Exhibit { declared, grid, readings, .. } = exhibit;
    let mut text = format!("## {}: {}\n\n", escape(&heading(exhibit)), escape(&declared.title));
    if let Some(shows) = &declared.shows {
        text += &format!("{}\n\n", shows.trim());
    }
    let mut ours = Figures::new();
    for reading in readings {
        let mut rows = Vec::new();
        for ((row, cells), measures) in grid.rows.iter().zip(&grid.cells).zip(&reading.cells) {
            let figures = measures.iter().zip(cells).map(|(measure, cell)| {
                let (reader, root) = (paper.reader(), &*paper.root);
                let place = |measure| Place { reader, root, reading, measure, cell, row };
                measure.as_ref().map(|m| sources.take(&place(m), runs)).transpose()
            });
            rows.push(figures.collect::<Result<_, _>>()?);
        }
        ours.push(rows);
    }
    let table = if exhibit.is_matrix() { matrix } else { cells };
    text += &table(exhibit, &ours, tally);
    for (reading, written) in readings.iter().zip(&declared.ours) {
        let written = written.get_ref();
        text += &format!(
            "- Ours, {}: {}. Scale: {}. Deviation: {}.\n",
            in_cell(&written.name),
            made_by(paper, sources, runs, reading, written.command.as_deref()),
            written.scale.trim_end_matches('.'),
            written.deviation.trim_end_matches('.')
        );
    }
    for (index, missing) in declared.missing.iter().enumerate() {
        let missing = missing.get_ref();
        let command = missing.command.as_ref();
        let command =
            command.map_or_else(String::new, |c| format!(" It would be run by {}.", code(c)));
        let because = missing.because.trim_end_matches('.');
        let number = if exhibit.is_matrix() { String::new() } else { format!(" ({})", index + 1) };
        text += &format!("- Not run{number}: {because}.{command}\n");
    }
    if !declared.ours.is_empty() || !declared.missing.is_empty() {
        text += "\n";
    }
    if let Some(remark) = &declared.remark {
        text += &format!("{}\n\n", remark.trim());
    }
    for plot in &declared.plots {
        let path = plot.get_ref();
        let path = path.strip_prefix("docs/").unwrap_or(path);
        text += &format!("![Ours: {}](<../{path}>)\n\n", escape(&declared.title));
    }
    Ok(text)
}

/// Position of the exhibit in the paper: `Table 1`, `Text, section 4`.
fn heading(exhibit: &Exhibit) -> String {
    let declared = &exhibit.declared;
    let mut letters = declared.place.chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    let (first, rest): (String, &str) = (first.into(), letters.as_str());
    match declared.kind {
        Kind::Text if !declared.place.to_lowercase().starts_with("text") => {
            format!("Text, {}{rest}", first.to_lowercase())
        }
        _ => format!("{}{rest}", first.to_uppercase()),
    }
}

/// `not run (1)`, with the number of the reason below the table.
fn not_run(exhibit: &Exhibit, row: usize, column: usize) -> String {
    match exhibit.why_not(row, column) {
        Some(index) => format!("not run ({})", index + 1),
        None => "—".to_owned(),
    }
}

fn is_number(ours: &Option<Ours>) -> bool {
    matches!(ours, Some(Ours::Number(..) | Ours::Words(_)))
}

/// Table with a line for each cell.
fn cells(exhibit: &Exhibit, ours: &Figures, tally: &mut Tally) -> String {
    let grid = &exhibit.grid;
    let has_columns = grid.columns.iter().any(|column| !column.id.is_empty());
    let mut head = vec!["row".to_owned()];
    head.extend(has_columns.then(|| "column".to_owned()));
    head.push("published".to_owned());
    for reading in &exhibit.declared.ours {
        head.push(format!("ours: {}", in_cell(&reading.get_ref().name)));
        head.push("verdict".to_owned());
    }
    if ours.is_empty() {
        head.push("ours".to_owned());
    }
    let texts: Vec<usize> = (0..head.len()).collect();
    let mut table = Table::new(head, &texts);
    for (r, row) in grid.rows.iter().enumerate() {
        for (c, column) in grid.columns.iter().enumerate() {
            let cell = &grid.cells[r][c];
            let of_cell = || ours.iter().map(|rows| &rows[r][c]);
            let has_any = of_cell().any(Option::is_some);
            if cell.published == Published::None && !has_any {
                continue;
            }
            let has_ours = of_cell().any(is_number);
            tally.cell(cell, has_ours);
            let mut line = vec![escape(&row.name)];
            line.extend(has_columns.then(|| escape(&column.name)));
            line.push(published(exhibit, cell));
            for (index, ours) in of_cell().enumerate() {
                let (shown, verdict, word) = match ours {
                    Some(ours) => beside(cell, ours),
                    None if !has_any && index == 0 => {
                        (not_run(exhibit, r, c), "—".to_owned(), None)
                    }
                    None => ("—".to_owned(), "—".to_owned(), None),
                };
                tally.word(word);
                line.extend([shown, verdict]);
            }
            if ours.is_empty() {
                line.push(not_run(exhibit, r, c));
            }
            table.push(line);
        }
    }
    table.show()
}

/// Table with a line for each row as in the paper, and our figures after its columns.
fn matrix(exhibit: &Exhibit, ours: &Figures, tally: &mut Tally) -> String {
    let grid = &exhibit.grid;
    let mut head = vec![String::new()];
    head.extend(grid.columns.iter().map(|column| escape(&column.name)));
    let mut behind = Vec::new();
    for (index, reading) in exhibit.readings.iter().enumerate() {
        let name = in_cell(&exhibit.declared.ours[index].get_ref().name);
        for (c, column) in grid.columns.iter().enumerate() {
            if reading.cells.iter().any(|row| row[c].is_some()) {
                head.push(format!("ours: {name}, beside {}", escape(&column.name)));
                behind.push((index, c));
            }
        }
    }
    let mut table = Table::new(head, &[]);
    for (r, row) in grid.rows.iter().enumerate() {
        let mut line = vec![escape(&row.name)];
        for (c, cell) in grid.cells[r].iter().enumerate() {
            let has_ours = ours.iter().any(|rows| is_number(&rows[r][c]));
            tally.cell(cell, has_ours);
            line.push(match &cell.published {
                Published::Value(value) => plain(*value),
                _ => published(exhibit, cell),
            });
        }
        for &(reading, c) in &behind {
            let (_, _, word) = match &ours[reading][r][c] {
                Some(ours) => beside(&grid.cells[r][c], ours),
                None => Default::default(),
            };
            tally.word(word);
            line.push(match &ours[reading][r][c] {
                None => "—".to_owned(),
                Some(Ours::NotRun(_)) => "not run".to_owned(),
                Some(Ours::Words(words)) => in_cell(words),
                Some(Ours::Number(side, _)) => {
                    let word = word.map_or_else(String::new, |w| format!(" ({})", w.name()));
                    format!("{}{word}", plain(side.found.value))
                }
            });
        }
        table.push(line);
    }
    table.show()
}
