//! Instances from arguments, files and standard input. All are read before any search.

use crate::{
    args::shared::{CacheFolder, CacheOptions, Instances, Solver},
    exit::{Failure, INPUT, UNSUPPORTED, USAGE, refused},
};
use etcetera::BaseStrategy as _;
use serde::de::DeserializeOwned;
use std::{
    cell::RefCell,
    io::{IsTerminal as _, Read as _},
    path::{Path, PathBuf},
};
use unriddle_catalog::{
    Aim, AnyPuzzle, Family, Info, Instance, ParseError, Role, Spec,
    analysis::Solved,
    bind,
    input::{self, Named},
    registry::{self, Registry},
    tables::Policy,
};
use unriddle_lab::{Row, store::exchange};

/// Name of a file in messages. `-` is standard input.
pub(crate) fn name_of(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    path.display().to_string()
}

/// A file's text; `-` is standard input. A compact file of results is read as the CSV of its runs.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    if path.extension().is_some_and(|e| e == "zst") {
        let runs: Vec<Row> = exchange::read(path)?.collect::<Result<_, _>>()?;
        let mut text = Vec::new();
        exchange::write_csv(runs.iter(), &mut text)?;
        return Ok(String::from_utf8_lossy(&text).into_owned());
    }
    let mut bytes = Vec::new();
    let name = name_of(path);
    let result = if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        std::fs::read(path).map(|content| bytes = content)
    };
    result.map_err(|error| Failure::new(INPUT, format!("{name}: cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let start = valid.iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
        let line = valid.iter().filter(|&&b| b == b'\n').count() + 1;
        let column = String::from_utf8_lossy(&valid[start..]).chars().count() + 1;
        let byte = error.as_bytes()[valid.len()];
        let message = format!("expected UTF-8 text, found the byte 0x{byte:02x}");
        refused(&name, &ParseError::at(line, column, message))
    })
}

/// Parses the records of a file: a JSON array, or one JSON object per line.
///
/// # Errors
/// The first invalid record, or a file without records.
pub(crate) fn records<T: DeserializeOwned>(name: &str, content: &str) -> Result<Vec<T>, Failure> {
    let not_a_record = |error: &serde_json::Error, line: usize| {
        // The parser's message ends with a line and column of its own.
        let message = error.to_string();
        let why = message.split(" at line ").next().unwrap_or_default();
        refused(name, &ParseError::at(line, error.column().max(1), format!("not a record: {why}")))
    };
    let rows: Vec<T> = if content.trim_start().starts_with('[') {
        serde_json::from_str(content).map_err(|error| not_a_record(&error, error.line()))?
    } else {
        let lines = content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(i, line)| {
                serde_json::from_str(line).map_err(|error| not_a_record(&error, i + 1))
            })
            .collect::<Result<Vec<T>, Failure>>()?
    };
    if rows.is_empty() {
        return Err(Failure::new(INPUT, format!("{name}: the file contains no record")));
    }
    Ok(rows)
}

/// Whether a file contains records: JSON, or comma-separated values with a column `solution`.
pub(crate) fn is_of_records(content: &str) -> bool {
    let mut lines = content.lines().filter(|line| !line.starts_with('#'));
    let first = lines.next().unwrap_or("").trim_start();
    first.starts_with(['[', '{']) || first.split(',').any(|column| column == "solution")
}

/// Parses the solutions of a file of records, which is a JSON array, one JSON object per line, or a
/// table of comma-separated values.
///
/// # Errors
/// The first invalid record, or a file without records.
pub(crate) fn solved(name: &str, content: &str) -> Result<Vec<Solved>, Failure> {
    if content.trim_start().starts_with(['[', '{']) {
        return records(name, content);
    }
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(content.as_bytes());
    let not_a_record = |line: usize, why: &dyn std::fmt::Display| {
        refused(name, &ParseError::at(line, 1, format!("not a record: {why}")))
    };
    let rows: Result<Vec<Solved>, csv::Error> = reader.deserialize().collect();
    let rows = rows.map_err(|error| {
        not_a_record(error.position().map_or(1, |position| position.line() as usize), &error)
    })?;
    if rows.is_empty() {
        return Err(not_a_record(1, &"there is no line of values"));
    }
    Ok(rows)
}

/// The puzzle of a spec.
pub(crate) fn puzzle(
    registry: &Registry,
    spec: &str,
) -> Result<(&'static Family, Box<dyn AnyPuzzle>), Failure> {
    registry.puzzle(spec).map_err(|error| Failure::spec("puzzle", &error))
}

/// Splits the argument of an instance into its name, if it has one, and the instance. A text of
/// several lines is one instance without a name.
fn argument(text: &str) -> (Option<&str>, &str) {
    match text.split_once(':') {
        Some((id, rest)) if !text.contains(['\n', '{']) => {
            (Some(id.trim()).filter(|id| !id.is_empty()), rest)
        }
        _ => (None, text),
    }
}

/// Loads the instance of an argument. Returns its name, if it has one, and the instance.
fn load<'t>(
    puzzle: &dyn AnyPuzzle,
    source: &str,
    text: &'t str,
) -> Result<(Option<&'t str>, Box<dyn Instance>), Failure> {
    let (id, rest) = argument(text);
    let before = text.chars().count() - rest.chars().count();
    let instance =
        puzzle.load(rest).map_err(|error| refused(source, &input::moved(error, 1, before)))?;
    Ok((id, instance))
}

/// Whether an argument names a file. This is so for families whose instances are too large for a
/// command line, unless it is `-` (standard input) or is itself the text of an instance.
fn is_file(family: &Family, text: &str) -> bool {
    !family.inline && text != "-" && !text.contains(['\n', '{'])
}

/// Reads one instance given as an argument (`-` is standard input).
pub(crate) fn one(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    text: &str,
) -> Result<Box<dyn Instance>, Failure> {
    if is_file(family, text) {
        let mut named = file(puzzle, Path::new(text))?;
        return match named.len() {
            1 => Ok(named.swap_remove(0).instance),
            n => Err(Failure::new(INPUT, format!("{text}: {n} instances, expected one"))),
        };
    }
    if text == "-" {
        return Ok(load(puzzle, "standard input", read(Path::new("-"))?.trim_end())?.1);
    }
    Ok(load(puzzle, "instance", text)?.1)
}

/// Reads all instances.
pub(crate) fn all(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    options: &Instances,
) -> Result<Vec<Named>, Failure> {
    let mut named = Vec::new();
    if let Some((first, last)) = options.deals {
        for number in first..=last {
            let Some(instance) = puzzle.deal(number) else {
                let message = format!("{} has no numbered deals", family.info.name);
                return Err(Failure::new(UNSUPPORTED, message));
            };
            let instance =
                instance.map_err(|why| Failure::new(INPUT, format!("--deals: {why}")))?;
            named.push(Named::new(number.to_string(), instance));
        }
    }
    let mut files = options.file.clone();
    for (i, text) in options.instances.iter().enumerate() {
        if text == "-" || is_file(family, text) {
            files.push(PathBuf::from(text));
            continue;
        }
        let (id, instance) = load(puzzle, &format!("instance {}", i + 1), text)?;
        let id = id
            .map(str::to_owned)
            .or_else(|| instance.name())
            .unwrap_or_else(|| (i + 1).to_string());
        named.push(Named::new(id, instance));
    }
    if options.instances.is_empty() && files.is_empty() && options.deals.is_none() {
        if std::io::stdin().is_terminal() {
            let message = "no instance given: as an argument, with --file, or on standard input";
            return Err(Failure::new(USAGE, message));
        }
        files.push(PathBuf::from("-"));
    }
    for path in &files {
        named.extend(file(puzzle, path)?);
    }
    // Several files may use the same names.
    input::distinct(named.iter_mut().map(|named| &mut named.id));
    Ok(named)
}

/// The instance of a name, or the only one.
pub(crate) fn pick(mut named: Vec<Named>, id: Option<&str>) -> Result<Box<dyn Instance>, Failure> {
    let ids: Vec<&str> = named.iter().map(|named| &*named.id).collect();
    let at = match id {
        Some(id) => ids.iter().position(|known| *known == id),
        None => Some(0).filter(|_| ids.len() == 1),
    };
    let Some(at) = at else {
        const SHOWN: usize = 10;
        let more = if ids.len() > SHOWN { ", …" } else { "" };
        let known = ids[..ids.len().min(SHOWN)].join(", ");
        let message = match id {
            Some(id) => format!("--id {id}: no instance has this name (known: {known}{more})"),
            None => format!("{} instances: choose one with --id ({known}{more})", ids.len()),
        };
        return Err(Failure::new(USAGE, message));
    };
    Ok(named.swap_remove(at).instance)
}

/// Reads all instances of a file.
fn file(puzzle: &dyn AnyPuzzle, path: &Path) -> Result<Vec<Named>, Failure> {
    input::load(puzzle, &read(path)?).map_err(|error| refused(&name_of(path), &error))
}

/// The requested solver: a spec for all instances, or a preset that each instance expands.
pub(crate) struct Choice {
    wanted: Wanted,
    /// Declarations of everything that a spec may name, for filling in defaults.
    infos: Vec<&'static Info>,
    /// The last spec of a preset with its expansion. The next instance mostly has the same spec.
    last: RefCell<Option<(Spec, Spec)>>,
}

enum Wanted {
    Spec(Spec),
    Preset(String),
    /// A search that improves solutions, built around the solver of the named preset.
    Improving(Aim, &'static str),
}

/// Search that improves solutions of an aim by means of `solver`, if there is such a search.
fn improving(aim: Aim, solver: &Spec) -> Option<Spec> {
    let spec = match aim {
        Aim::Cost => format!("windows({solver})"),
        Aim::Score => "lns(nrpa)".to_owned(),
        Aim::Assignment => return None,
    };
    Spec::parse(&spec).ok()
}

impl Choice {
    pub(crate) fn new(options: &Solver, family: &Family) -> Result<Self, Failure> {
        let infos = registry::expressions(family);
        if let Some(text) = &options.solver {
            let path = Path::new(text);
            let (what, spec) = if path.extension().is_some_and(|e| e == "toml") {
                (text.as_str(), Spec::from_toml(&read(path)?))
            } else {
                ("solver", Spec::parse(text))
            };
            // All errors in the spec are found before any search.
            let spec = spec.and_then(|spec| bind::expand(&infos, Role::Search, &spec));
            let spec = spec.map_err(|error| Failure::spec(what, &error))?;
            return Ok(Self { wanted: Wanted::Spec(spec), infos, last: RefCell::default() });
        }
        let presets = family.declared().presets;
        let known: Vec<&'static str> = presets.iter().map(|preset| preset.name).collect();
        let name = options.preset.as_deref().or(known.first().copied()).unwrap_or("default");
        if !known.contains(&name) {
            let nearest = bind::nearest(name, &known);
            let nearest = nearest.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            let message = format!(
                "`{}` has no preset `{name}`{nearest} (known: {})",
                family.info.name,
                known.join(", ")
            );
            return Err(Failure::new(USAGE, message));
        }
        Ok(Self { wanted: Wanted::Preset(name.to_owned()), infos, last: RefCell::default() })
    }

    /// The solver that improves solutions: the requested one, or a search around the puzzle's
    /// default solver.
    ///
    /// # Errors
    /// The requested solver or preset is invalid.
    pub(crate) fn improving(options: &Solver, family: &Family) -> Result<Self, Failure> {
        let mut choice = Self::new(options, family)?;
        if options.solver.is_some() || options.preset.is_some() {
            return Ok(choice);
        }
        let presets = family.declared().presets;
        let first = presets.first().map_or("default", |preset| preset.name);
        choice.wanted = Wanted::Improving(family.aim, first);
        Ok(choice)
    }

    /// The spec for an instance, with all defaults filled in.
    pub(crate) fn spec(&self, instance: &dyn Instance) -> Result<Spec, Failure> {
        match &self.wanted {
            Wanted::Spec(spec) => Ok(spec.clone()),
            Wanted::Preset(name) => self.of_preset(name, instance, Some),
            Wanted::Improving(aim, name) => {
                self.of_preset(name, instance, |spec| improving(*aim, &spec))
            }
        }
    }

    /// Applies `made` to the spec of a preset, and fills in all defaults.
    fn of_preset(
        &self,
        name: &str,
        instance: &dyn Instance,
        made: impl Fn(Spec) -> Option<Spec>,
    ) -> Result<Spec, Failure> {
        let spec = instance.preset(name).and_then(made).ok_or_else(|| {
            let message = format!("the preset `{name}` has no solver for this instance");
            Failure::new(UNSUPPORTED, message)
        })?;
        let mut last = self.last.borrow_mut();
        if let Some((_, expansion)) = last.as_ref().filter(|(known, _)| *known == spec) {
            return Ok(expansion.clone());
        }
        let expansion = bind::expand(&self.infos, Role::Search, &spec)
            .map_err(|error| Failure::spec(&format!("preset {name}"), &error))?;
        *last = Some((spec, expansion.clone()));
        Ok(expansion)
    }
}

/// The folder of tables: the requested one, or the platform's cache folder.
pub(crate) fn cache_folder(options: &CacheFolder) -> Option<PathBuf> {
    options.cache.clone().or_else(|| {
        let base = etcetera::choose_base_strategy().ok()?;
        Some(base.cache_dir().join("unriddle"))
    })
}

/// Policy for stored tables.
pub(crate) fn policy(options: &CacheOptions) -> Policy {
    if options.rebuild { Policy::Rebuild } else { Policy::Reuse }
}

/// Number of cores.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::argument;

    #[test]
    fn arguments_may_have_a_name() {
        assert_eq!(argument("a1 : 1 2 3 0"), (Some("a1"), " 1 2 3 0"));
        assert_eq!(argument(" : 1 2 3 0"), (None, " 1 2 3 0"));
        assert_eq!(argument("1 2 3 0"), (None, "1 2 3 0"));
        assert_eq!(argument("1: 2\n3 0"), (None, "1: 2\n3 0"));
    }
}
