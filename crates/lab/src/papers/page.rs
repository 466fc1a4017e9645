//! The page of a paper in Markdown: its head, and every table and figure with ours beside it.

use super::{
    Cell, Exhibit, Kind, Maker, Paper, Published, Reading, claims,
    ours::{Ours, Sources},
    verdict::{self, Word},
};
use crate::{
    error::LabError,
    reader::Reader,
    report::{
        Recorded, Report, html,
        markdown::{Table, code, escape},
        numbers::{count, count_of, plain},
    },
};
use std::collections::BTreeMap;

/// Recorded runs by experiment.
pub(super) type Runs<'a> = BTreeMap<&'a str, Recorded<'a>>;

/// The page.
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
    text += &format!("{}\n\n", paper.about.replace('\n', " "));
    text += &tally.show();
    text += &format!(
        "Made by `unriddle lab paper {} --output docs/papers` of recorded runs and committed files; no figure of \
         ours is typed in.\n\n",
        paper.key
    );
    text += WORDS;
    text += &claims;
    text += &body;
    let text = text.trim_end().to_owned() + "\n";
    plots_exist(paper)?;
    Ok(Report {
        name: paper.key.clone(),
        html: html::page(&title, &text, "..", &[]),
        markdown: text,
        figures: Vec::new(),
    })
}

const WORDS: &str = "Words of the tables: *same*: the published figure lies in the 95 % interval of ours; *better*, \
*worse* and *differs* by how much of the published figure, or by points of a share, with the interval of ours; *no \
interval*: ours is one number and no mean; *open*: ours is a bound that does not decide; *not comparable*: both are \
shown and not held against each other; *lost in the text*: the text of the paper at hand has no such cell; *not \
run*: nothing of ours is recorded, for the reason of that number below the table; ≥: a lower bound, because limits \
ended runs; n: instances. Figures in brackets are 95 % intervals.\n\n";

/// Counts of the words of a page.
#[derive(Default)]
pub(super) struct Tally {
    figures: usize,
    lost: usize,
    /// Published figures that have none of ours beside them.
    bare: usize,
    words: BTreeMap<Word, usize>,
    /// By word: confirmed, refuted, undecided, not tested.
    pub(super) claims: BTreeMap<&'static str, usize>,
}

impl Tally {
    fn show(&self) -> String {
        let words = self.words.iter().map(|(word, n)| format!("{} {}", count(*n), word.name()));
        let words: Vec<String> = words.collect();
        let claims = self.claims.iter().map(|(word, n)| format!("{} {word}", count(*n)));
        let claims: Vec<String> = claims.collect();
        format!(
            "- Published figures: {}, and {} lost in the text; {} not run\n- Ours beside published figures: {}\n- \
             Verdicts on claims: {}\n\n",
            count(self.figures),
            count_of(self.lost, "cells"),
            count(self.bare),
            if words.is_empty() { "none".to_owned() } else { words.join(", ") },
            if claims.is_empty() { "none".to_owned() } else { claims.join(", ") },
        )
    }
}

/// The files of plots that pages show, by their paths below `docs`.
fn plots_exist(paper: &Paper) -> Result<(), LabError> {
    for plot in paper.exhibits.iter().flat_map(|e| &e.plots) {
        let path = paper.root.join(plot);
        std::fs::metadata(&path).map_err(|e| LabError::file(&path, &e))?;
    }
    Ok(())
}

fn below_docs(path: &str) -> &str {
    path.strip_prefix("docs/").unwrap_or(path)
}

/// A Markdown text of the paper's file in a cell of a table.
pub(super) fn in_cell(text: &str) -> String {
    text.replace(['\n', '\r'], " ").replace('|', "\\|")
}

/// What makes ours: the experiment with its report, or a command.
fn made_by(paper: &Paper, sources: &Sources<'_>, runs: &Runs<'_>, reading: &Reading) -> String {
    match &reading.maker {
        Maker::Experiment(name) => {
            let name = name.get_ref();
            let is_part = sources.experiments().find(|e| e.name == *name).is_some_and(|e| {
                let recorded = runs.get(name.as_str());
                recorded.is_some_and(|r| (0..e.suites.len()).any(|suite| !r.is_full(suite)))
            });
            let command = run(name, is_part || !runs.contains_key(name.as_str()));
            let report = format!("docs/results/{name}.md");
            let link = match paper.root.join(&report).is_file() {
                true => format!("[{name}](../{})", below_docs(&report)),
                false => format!("{} (no report yet)", code(name)),
            };
            format!("{link}, {}", code(&command))
        }
        Maker::File(file) => {
            let command = reading.command.as_deref().unwrap_or_default();
            format!("[{0}](../../{0}), {1}", file.get_ref(), code(command))
        }
        Maker::Program(puzzle) => {
            let command = format!("unriddle describe {}", puzzle.get_ref());
            format!("declarations of the program, {}", code(&command))
        }
    }
}

/// The command that does an experiment's runs.
pub(super) fn run(experiment: &str, subset: bool) -> String {
    let subset = if subset { " --subset" } else { "" };
    format!("unriddle lab run experiments/{experiment}.toml{subset}")
}

fn published(exhibit: &Exhibit, cell: &Cell) -> String {
    let unit = match cell.unit.as_str() {
        "" => String::new(),
        unit => format!(" {}", escape(unit)),
    };
    let place = match cell.place == exhibit.place {
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

/// Ours beside a cell and the verdict.
fn beside(cell: &Cell, ours: &Ours) -> (String, String, Option<Word>) {
    match (ours, &cell.published) {
        (Ours::NotRun(why), _) => (format!("not run: {}", in_cell(why)), "—".to_owned(), None),
        (Ours::Words(words), Published::Words(theirs)) if words == theirs => {
            (escape(words), Word::Same.name().to_owned(), Some(Word::Same))
        }
        (Ours::Words(words), _) => (in_cell(words), "—".to_owned(), None),
        (Ours::Number(side, factor), Published::Value(value)) => {
            let verdict = verdict::of(value * factor, side);
            (escape(&side.text), escape(&verdict.text), Some(verdict.word))
        }
        (Ours::Number(side, _), _) => (escape(&side.text), "—".to_owned(), None),
    }
}

fn section(
    paper: &Paper,
    sources: &Sources<'_>,
    runs: &Runs<'_>,
    exhibit: &Exhibit,
    tally: &mut Tally,
) -> Result<String, LabError> {
    let place = heading(exhibit);
    let mut text = format!("## {}: {}\n\n", escape(&place), escape(&exhibit.title));
    if let Some(shows) = &exhibit.shows {
        text += &format!("{}\n\n", shows.trim());
    }
    // Ours by reading, row and column.
    let mut ours: Vec<Vec<Vec<Option<Ours>>>> = Vec::new();
    for reading in &exhibit.ours {
        let mut rows = Vec::new();
        for (r, row) in exhibit.rows.iter().enumerate() {
            let cells = reading.cells[r].iter().zip(&exhibit.cells[r]);
            let cells = cells.map(|(measure, cell)| {
                let measure = measure.as_ref().map(|measure| (reading, measure));
                measure.map(|m| sources.take(paper, runs, m, cell, row)).transpose()
            });
            rows.push(cells.collect::<Result<Vec<_>, _>>()?);
        }
        ours.push(rows);
    }
    text += &match exhibit.is_matrix {
        true => matrix(exhibit, &ours, tally),
        false => cells(exhibit, &ours, tally),
    };
    for reading in &exhibit.ours {
        text += &format!(
            "- Ours, {}: {}. Scale: {}. Deviation: {}.\n",
            in_cell(&reading.name),
            made_by(paper, sources, runs, reading),
            reading.scale.trim_end_matches('.'),
            reading.deviation.trim_end_matches('.')
        );
    }
    for (index, missing) in exhibit.missing.iter().enumerate() {
        let command = missing.command.as_ref();
        let command =
            command.map_or_else(String::new, |c| format!(" It would be run by {}.", code(c)));
        let because = missing.because.trim_end_matches('.');
        let number = match exhibit.is_matrix {
            true => String::new(),
            false => format!(" ({})", index + 1),
        };
        text += &format!("- Not run{number}: {because}.{command}\n");
    }
    if !exhibit.ours.is_empty() || !exhibit.missing.is_empty() {
        text += "\n";
    }
    if let Some(remark) = &exhibit.remark {
        text += &format!("{}\n\n", remark.trim());
    }
    for plot in &exhibit.plots {
        text += &format!("![Ours: {}](<../{}>)\n\n", escape(&exhibit.title), below_docs(plot));
    }
    Ok(text)
}

/// Where the exhibit stands in the paper: `Table 1`, `Text, section 4`.
fn heading(exhibit: &Exhibit) -> String {
    let mut letters = exhibit.place.chars();
    let Some(first) = letters.next() else {
        return String::new();
    };
    let (first, rest): (String, &str) = (first.into(), letters.as_str());
    match exhibit.kind {
        Kind::Text if !exhibit.place.to_lowercase().starts_with("text") => {
            format!("Text, {}{rest}", first.to_lowercase())
        }
        _ => format!("{}{rest}", first.to_uppercase()),
    }
}

/// `not run (1)`, the number that of the reason below the table.
fn not_run(exhibit: &Exhibit, row: usize, column: usize) -> String {
    match exhibit.why_not(row, column) {
        Some(index) => format!("not run ({})", index + 1),
        None => "—".to_owned(),
    }
}

fn is_number(ours: Option<&Option<Ours>>) -> bool {
    matches!(ours, Some(Some(Ours::Number(..) | Ours::Words(_))))
}

/// Counts a published cell.
fn tell(tally: &mut Tally, cell: &Cell, has_ours: bool) {
    match cell.published {
        Published::Value(_) if !has_ours => {
            tally.figures += 1;
            tally.bare += 1;
        }
        Published::Value(_) => tally.figures += 1,
        Published::Lost => tally.lost += 1,
        _ => {}
    }
}

/// A line for each cell.
fn cells(exhibit: &Exhibit, ours: &[Vec<Vec<Option<Ours>>>], tally: &mut Tally) -> String {
    let has_columns = exhibit.columns.iter().any(|column| !column.id.is_empty());
    let mut head = vec!["row".to_owned()];
    head.extend(has_columns.then(|| "column".to_owned()));
    head.push("published".to_owned());
    for reading in &exhibit.ours {
        head.push(format!("ours: {}", in_cell(&reading.name)));
        head.push("verdict".to_owned());
    }
    if ours.is_empty() {
        head.push("ours".to_owned());
    }
    let texts: Vec<usize> = (0..head.len()).collect();
    let mut table = Table::new(head, &texts);
    for (r, row) in exhibit.rows.iter().enumerate() {
        for (c, column) in exhibit.columns.iter().enumerate() {
            let cell = &exhibit.cells[r][c];
            let of_cell = || ours.iter().map(|rows| &rows[r][c]);
            let has_any = of_cell().any(Option::is_some);
            if cell.published == Published::None && !has_any {
                continue;
            }
            let has_ours = of_cell().any(|o| is_number(Some(o)));
            tell(tally, cell, has_ours);
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
                if let Some(word) = word {
                    *tally.words.entry(word).or_default() += 1;
                }
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

/// A line for each row, as the paper has it, and ours behind its columns.
fn matrix(exhibit: &Exhibit, ours: &[Vec<Vec<Option<Ours>>>], tally: &mut Tally) -> String {
    let mut head = vec![String::new()];
    head.extend(exhibit.columns.iter().map(|column| escape(&column.name)));
    let mut behind = Vec::new();
    for (index, reading) in exhibit.ours.iter().enumerate() {
        for (c, column) in exhibit.columns.iter().enumerate() {
            if reading.cells.iter().any(|row| row[c].is_some()) {
                head.push(format!(
                    "ours: {}, beside {}",
                    in_cell(&reading.name),
                    escape(&column.name)
                ));
                behind.push((index, c));
            }
        }
    }
    let mut table = Table::new(head, &[]);
    for (r, row) in exhibit.rows.iter().enumerate() {
        let mut line = vec![escape(&row.name)];
        for (c, cell) in exhibit.cells[r].iter().enumerate() {
            let has_ours = ours.iter().any(|rows| is_number(Some(&rows[r][c])));
            tell(tally, cell, has_ours);
            line.push(match &cell.published {
                Published::Value(value) => plain(*value),
                _ => published(exhibit, cell),
            });
        }
        for &(reading, c) in &behind {
            line.push(match &ours[reading][r][c] {
                None => "—".to_owned(),
                Some(Ours::NotRun(_)) => "not run".to_owned(),
                Some(ours) => {
                    let (_, _, word) = beside(&exhibit.cells[r][c], ours);
                    if let Some(word) = word {
                        *tally.words.entry(word).or_default() += 1;
                    }
                    let word = word.map_or_else(String::new, |w| format!(" ({})", w.name()));
                    match ours {
                        Ours::Number(side, _) => format!("{}{word}", plain(side.value)),
                        Ours::Words(words) => in_cell(words),
                        Ours::NotRun(_) => String::new(),
                    }
                }
            });
        }
        table.push(line);
    }
    table.show()
}

impl Paper {
    /// For errors with a place in the file.
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { path: &self.path, text: &self.text }
    }
}
