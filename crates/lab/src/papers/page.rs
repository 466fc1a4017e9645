//! Page of a paper in Markdown: its head, and every table and figure with ours beside it.

use super::{
    Exhibit, Maker, Paper, Reading,
    beside::{Figures, WITHOUT, beside, heading, is_figure, published},
    claims,
    ours::{Ours, Place, Sources},
    overview, provenance,
    tally::{Runs, Tally, is_part, report_link},
};
use crate::{
    error::LabError,
    reader::Name,
    references::{cells::Published, paper::Missing},
    report::{
        Report, html,
        markdown::{Table, code, escape, in_cell},
        numbers::{count_of, plain},
    },
};
use toml::Spanned;

/// Makes the page.
pub(super) fn make(paper: &Paper, sources: &Sources<'_>) -> Result<Report, LabError> {
    let runs = sources.recorded();
    let mut tally = Tally::default();
    let shown = paper.exhibits.iter().map(|exhibit| figures(paper, sources, &runs, exhibit));
    let shown: Vec<Figures> = shown.collect::<Result<_, _>>()?;
    let mut body = String::new();
    let measured = paper.exhibits.iter().zip(&shown);
    for (exhibit, figures) in measured.filter(|(exhibit, _)| !exhibit.is_illustration()) {
        body += &section(paper, sources, &runs, exhibit, figures, &mut tally);
    }
    let claims = claims::section(paper, sources, &runs, &mut tally);
    let title = format!("{}: {}", paper.source.citation(), paper.source.title);
    let mut text = format!("# {}\n\n{}.\n\n", escape(&title), escape(&paper.source.place));
    for paragraph in paper.about.split("\n\n") {
        text += &format!("{}\n\n", paragraph.replace('\n', " "));
    }
    text += &tally.show();
    text += &format!(
        "- Made by {} of recorded runs and committed files; no figure of ours is typed in.\n\n",
        code(&sources.command(&format!("lab paper {} --output docs/papers", paper.key)))
    );
    text += &overview::table(paper, &shown);
    text += WORDS;
    for definition in &paper.definitions {
        text += &format!("- *{}*: {}\n", escape(&definition.term), definition.text.trim());
    }
    text += if paper.definitions.is_empty() { "" } else { "\n" };
    text += &(claims + &body);
    text += &illustrations(paper);
    text += &provenance::section(paper, sources, &runs)?;
    let text = text.trim_end().to_owned() + "\n";
    Ok(Report {
        name: paper.key.clone(),
        html: html::page(&title, &text, "..", &[]),
        markdown: text,
        figures: Vec::new(),
    })
}

const WORDS: &str = "The table has one figure of each exhibit. Its verdicts are on all figures of the paper's own \
size, and on figures of another size only where an exhibit has no other figure. *Same*: the published figure is inside the 95 % interval of \
ours; *better*, *worse* and *differs* by how much of the published figure, or by points of a share, with the interval \
of ours; *no interval*: ours is one number and no mean; *open*: ours is a bound that does not decide; *not \
comparable*: both are shown and not compared; *lost in the text*: the available text of the paper has no such cell; \
*not run*: nothing of ours is recorded, for the reason of that number below the table; ≥: a lower bound, because \
limits ended runs; n: instances, or restarts on a single one. Figures in brackets are 95 % intervals over these: there \
is one training or evolution behind a figure unless its deviation names more.\n\n";

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

fn figures(
    paper: &Paper,
    sources: &Sources<'_>,
    runs: &Runs<'_>,
    exhibit: &Exhibit,
) -> Result<Figures, LabError> {
    let Exhibit { grid, readings, .. } = exhibit;
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
    Ok(ours)
}

fn section(
    paper: &Paper,
    sources: &Sources<'_>,
    runs: &Runs<'_>,
    exhibit: &Exhibit,
    ours: &Figures,
    tally: &mut Tally,
) -> String {
    let Exhibit { declared, readings, .. } = exhibit;
    let mut text = format!("## {}: {}\n\n", escape(&heading(exhibit)), escape(&declared.title));
    if let Some(shows) = &declared.shows {
        text += &format!("{}\n\n", shows.trim());
    }
    let table = if exhibit.is_matrix() { matrix } else { cells };
    text += &table(exhibit, ours, tally);
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
    let reason = |(index, missing): (usize, &Spanned<Missing>)| {
        let missing = missing.get_ref();
        let command = missing.command.as_ref();
        let command =
            command.map_or_else(String::new, |c| format!(" It would be run by {}.", code(c)));
        let because = missing.because.trim_end_matches('.');
        let number = if exhibit.is_matrix() { String::new() } else { format!(" ({})", index + 1) };
        format!("Not run{number}: {because}.{command}")
    };
    let reasons: Vec<String> = declared.missing.iter().enumerate().map(reason).collect();
    if !reasons.is_empty() {
        text += &format!("- {}\n", reasons.join(" "));
    }
    if !declared.ours.is_empty() || !declared.missing.is_empty() {
        text += "\n";
    }
    if let Some(remark) = &declared.remark {
        text += &format!("{}\n\n", remark.trim());
    }
    let plot = |plot: &Name| {
        let path = plot.get_ref().strip_prefix("docs/").unwrap_or(plot.get_ref());
        format!("![Ours: {}](<../{path}>)", escape(&declared.title))
    };
    let plots: Vec<String> = declared.plots.iter().map(plot).collect();
    if !plots.is_empty() {
        text += &format!("{}\n\n", plots.join(" "));
    }
    text
}

/// Exhibits that hold no measurement, a line for each.
fn illustrations(paper: &Paper) -> String {
    let all = paper.exhibits.iter().filter(|exhibit| exhibit.is_illustration());
    let lines = all.map(|exhibit| {
        let Exhibit { declared, .. } = exhibit;
        let texts = [&declared.shows, &declared.remark];
        let texts: Vec<String> =
            texts.into_iter().flatten().map(|text| text.trim().replace('\n', " ")).collect();
        let (place, title) = (escape(&heading(exhibit)), escape(&declared.title));
        format!("- {place}, {title}: {}\n", texts.join(" "))
    });
    match lines.collect::<String>() {
        lines if lines.is_empty() => lines,
        lines => format!("## {WITHOUT}\n\n{lines}\n"),
    }
}

/// `not run (1)`, with the number of the reason below the table.
fn not_run(exhibit: &Exhibit, row: usize, column: usize) -> String {
    match exhibit.why_not(row, column) {
        Some(index) => format!("not run ({})", index + 1),
        None => "—".to_owned(),
    }
}

/// Tables with a line for each cell: one table for all rows beside which the same columns of ours
/// have figures, so that few cells are empty. A lost cell without a figure of ours has no line.
fn cells(exhibit: &Exhibit, ours: &Figures, tally: &mut Tally) -> String {
    let grid = &exhibit.grid;
    let (mut groups, mut lost) = (Vec::<(Vec<usize>, Vec<usize>)>::new(), 0);
    for (r, cells) in grid.cells.iter().enumerate() {
        let has_figure = |&reading: &usize| ours[reading][r].iter().any(Option::is_some);
        let readings: Vec<usize> = (0..ours.len()).filter(has_figure).collect();
        for (c, cell) in cells.iter().enumerate() {
            tally.cell(cell, readings.iter().any(|&reading| is_figure(&ours[reading][r][c])));
        }
        match groups.iter_mut().find(|(of_group, _)| *of_group == readings) {
            Some((_, rows)) => rows.push(r),
            None => groups.push((readings, vec![r])),
        }
    }
    // Groups that follow one another share a table that is still narrow.
    let mut tables: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for (readings, rows) in groups {
        match tables.last_mut() {
            Some((of_table, before)) if union(of_table, &readings).len() <= NARROW => {
                *of_table = union(of_table, &readings);
                before.extend(rows);
            }
            _ => tables.push((readings, rows)),
        }
    }
    let mut text = String::new();
    for (readings, rows) in &tables {
        let (table, without) = table(exhibit, ours, readings, rows, tally);
        text += &table.map_or_else(String::new, |table| table.show());
        lost += without;
    }
    if lost > 0 {
        let cells = count_of(lost, "cells");
        text += &format!("- Without a figure of ours: {cells} lost in the text.\n");
    }
    text
}

/// Most columns of ours in a table that groups of rows share.
const NARROW: usize = 3;

/// The numbers of two ascending lists, each once.
fn union(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}

/// The table of some rows with some readings, if it has a line, and the number of cells without
/// one.
fn table(
    exhibit: &Exhibit,
    ours: &Figures,
    readings: &[usize],
    rows: &[usize],
    tally: &mut Tally,
) -> (Option<Table>, usize) {
    let grid = &exhibit.grid;
    let has_columns = grid.columns.iter().any(|column| !column.id.is_empty());
    let mut head = vec!["row".to_owned()];
    head.extend(has_columns.then(|| "column".to_owned()));
    head.push("published".to_owned());
    for &reading in readings {
        head.push(format!("ours: {}", in_cell(&exhibit.declared.ours[reading].get_ref().name)));
        head.push("verdict".to_owned());
    }
    head.extend(readings.is_empty().then(|| "ours".to_owned()));
    let texts: Vec<usize> = (0..head.len()).collect();
    let (mut table, mut lines, mut lost) = (Table::new(head, &texts), 0, 0);
    for &r in rows {
        // Cells that the text has lost, with figures of ours: column and figures by reading.
        let mut unpublished: Vec<(&str, Vec<String>)> = Vec::new();
        let name = escape(&grid.rows[r].name);
        for (c, column) in grid.columns.iter().enumerate() {
            let cell = &grid.cells[r][c];
            let of_cell = || readings.iter().map(|&reading| &ours[reading][r][c]);
            let has_any = of_cell().any(Option::is_some);
            match cell.published {
                Published::None if !has_any => continue,
                Published::Lost if !has_any => {
                    lost += 1;
                    continue;
                }
                Published::Lost => {
                    let shown = of_cell().map(|ours| match ours {
                        Some(ours @ (Ours::Number(..) | Ours::Words(_))) => beside(cell, ours).0,
                        _ => "—".to_owned(),
                    });
                    unpublished.push((&column.name, shown.collect()));
                    continue;
                }
                _ => {}
            }
            let mut line = vec![name.clone()];
            line.extend(has_columns.then(|| escape(&column.name)));
            line.push(published(exhibit, cell));
            for (index, (ours, &reading)) in of_cell().zip(readings).enumerate() {
                let (shown, verdict, word) = match ours {
                    Some(ours) => beside(cell, ours),
                    None if !has_any && index == 0 => {
                        (not_run(exhibit, r, c), "—".to_owned(), None)
                    }
                    None => ("—".to_owned(), "—".to_owned(), None),
                };
                tally.word(word, exhibit.is_whole(reading));
                line.extend([shown, verdict]);
            }
            line.extend(readings.is_empty().then(|| not_run(exhibit, r, c)));
            table.push(line);
            lines += 1;
        }
        if !unpublished.is_empty() {
            let mut line = vec![name];
            let columns: Vec<String> = unpublished.iter().map(|(name, _)| escape(name)).collect();
            line.extend(has_columns.then(|| columns.join("; ")));
            line.push("*lost in the text*".to_owned());
            for reading in 0..readings.len() {
                let shown: Vec<&str> =
                    unpublished.iter().map(|(_, shown)| shown[reading].as_str()).collect();
                let is_empty = shown.iter().all(|shown| *shown == "—");
                line.extend([
                    if is_empty { "—".to_owned() } else { shown.join("; ") },
                    "—".to_owned(),
                ]);
            }
            table.push(line);
            lines += 1;
        }
    }
    ((lines > 0).then_some(table), lost)
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
            let has_ours = ours.iter().any(|rows| is_figure(&rows[r][c]));
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
            tally.word(word, exhibit.is_whole(reading));
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
