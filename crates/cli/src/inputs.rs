//! Where instances come from: arguments, files, standard input; all are read before any search.

use crate::{
    args::{CacheOptions, Instances, Solver},
    exit::{Failure, INPUT, UNSUPPORTED, USAGE, refused},
};
use etcetera::BaseStrategy as _;
use std::{
    io::{IsTerminal as _, Read as _},
    path::{Path, PathBuf},
};
use unriddle_catalog::{
    Instance, ParseError, Puzzle, Spec, instance::Family, registry, tables::Policy,
};

/// An instance with its name.
pub(crate) struct Named {
    pub(crate) id: String,
    pub(crate) instance: Box<dyn Instance>,
}

/// A file's text; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let (name, result) = if path == Path::new("-") {
        ("standard input".to_owned(), std::io::stdin().lock().read_to_end(&mut bytes).map(drop))
    } else {
        let result = std::fs::read(path).map(|content| bytes = content);
        (path.display().to_string(), result)
    };
    result.map_err(|error| Failure::new(INPUT, format!("{name}: cannot be read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
        Failure::new(INPUT, format!("{name}, line {line}: the text is not UTF-8"))
    })
}

/// Reads one instance given as an argument (`-` is standard input).
pub(crate) fn one(puzzle: &dyn Puzzle, text: &str) -> Result<Box<dyn Instance>, Failure> {
    if text == "-" {
        let text = read(Path::new("-"))?;
        return puzzle.load(&text).map_err(|error| refused("standard input", &error));
    }
    puzzle.load(text).map_err(|error| refused("instance", &error))
}

/// Reads all instances.
pub(crate) fn all(
    family: &Family,
    puzzle: &dyn Puzzle,
    options: &Instances,
) -> Result<Vec<Named>, Failure> {
    if options.deals.is_some() {
        let message = format!("{} has no numbered deals", family.info.name);
        return Err(Failure::new(UNSUPPORTED, message));
    }
    let mut named = Vec::new();
    let mut files = options.file.clone();
    for (i, text) in options.instances.iter().enumerate() {
        if text == "-" {
            files.push(PathBuf::from("-"));
            continue;
        }
        // `id: instance`, as in a file, or just the instance.
        let (id, instance) = match text.split_once(':') {
            Some((id, rest)) => (id.trim().to_owned(), rest),
            None => ((i + 1).to_string(), text.as_str()),
        };
        let source = format!("instance {}", i + 1);
        let instance = puzzle.load(instance).map_err(|error| refused(&source, &error))?;
        named.push(Named { id, instance });
    }
    if options.instances.is_empty() && files.is_empty() {
        if std::io::stdin().is_terminal() {
            let message = "no instance given: as an argument, with --file, or on standard input";
            return Err(Failure::new(USAGE, message));
        }
        files.push(PathBuf::from("-"));
    }
    for file in &files {
        let name = if file == Path::new("-") {
            "standard input".to_owned()
        } else {
            file.display().to_string()
        };
        let pieces = (family.split)(&read(file)?);
        if pieces.is_empty() {
            return Err(Failure::new(INPUT, format!("{name}: there is no instance in it")));
        }
        for piece in pieces {
            let instance = puzzle.load(&piece.text).map_err(|error| {
                let column = error.column + if error.line == 1 { piece.column } else { 0 };
                let line = piece.line + error.line - 1;
                refused(&name, &ParseError::at(line, column, error.message))
            })?;
            named.push(Named { id: piece.id, instance });
        }
    }
    Ok(named)
}

/// The solver that was asked for: a spec for all instances, or a preset that each instance expands.
pub(crate) enum Choice {
    Spec(Spec),
    Preset(String),
}

impl Choice {
    pub(crate) fn new(options: &Solver, family: &Family) -> Result<Self, Failure> {
        if let Some(text) = &options.solver {
            let spec = if Path::new(text).extension().is_some_and(|e| e == "toml") {
                Spec::from_toml(&read(Path::new(text))?)?
            } else {
                Spec::parse(text)?
            };
            // Everything that can be wrong with it is found before any search.
            let infos = registry::expressions(family.heuristics);
            return Ok(Self::Spec(unriddle_catalog::bind::expand(
                &infos,
                unriddle_catalog::Role::Search,
                &spec,
            )?));
        }
        let name = options.preset.as_deref().unwrap_or(family.presets[0].name);
        if family.presets.iter().all(|preset| preset.name != name) {
            let known: Vec<_> = family.presets.iter().map(|preset| preset.name).collect();
            let nearest = unriddle_catalog::bind::nearest(name, &known)
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            let message = format!(
                "`{}` has no preset `{name}`{nearest} (known: {})",
                family.info.name,
                known.join(", ")
            );
            return Err(Failure::new(USAGE, message));
        }
        Ok(Self::Preset(name.to_owned()))
    }

    /// The spec for an instance.
    pub(crate) fn spec(&self, instance: &dyn Instance) -> Result<Spec, Failure> {
        match self {
            Self::Spec(spec) => Ok(spec.clone()),
            Self::Preset(name) => instance.preset(name).ok_or_else(|| {
                let message = format!("the preset `{name}` has no solver for this instance");
                Failure::new(UNSUPPORTED, message)
            }),
        }
    }
}

/// The folder of the tables: as asked for, or the platform's.
pub(crate) fn cache_folder(options: &CacheOptions) -> Option<PathBuf> {
    options.cache.clone().or_else(|| {
        let base = etcetera::choose_base_strategy().ok()?;
        Some(base.cache_dir().join("unriddle"))
    })
}

/// What to do about existing tables.
pub(crate) fn policy(options: &CacheOptions) -> Policy {
    if options.rebuild { Policy::Rebuild } else { Policy::Reuse }
}

/// Number of cores.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
