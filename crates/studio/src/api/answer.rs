//! The answers to requests.

use super::{position::Position, sketch::Sketch};
use serde::Serialize;
use unriddle_catalog::{Aim, AnyPuzzle, Family, Info, Registry, input::Named};
use unriddle_core::{Domain, Parameter as Declared};

/// An answer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Answer {
    /// The puzzles of the program.
    Puzzles {
        /// Name of the program.
        program: String,
        /// Its version.
        version: &'static str,
        /// In the order of the program.
        puzzles: Vec<Puzzle>,
    },
    /// Searches and heuristics.
    Expressions {
        /// The declarations.
        expressions: Vec<Described>,
    },
    /// Instances.
    Instances {
        /// Spec of their puzzle, in normal form.
        puzzle: String,
        /// In the order of the text.
        instances: Vec<Loaded>,
    },
    /// A position.
    Position(Box<Position>),
    /// Drawings of a line.
    Frames {
        /// The start, and the position after each action.
        frames: Vec<Frame>,
    },
    /// An animated drawing.
    Film {
        /// SVG.
        svg: String,
    },
    /// Notations.
    Forms {
        /// The instance in other notations.
        instance: Vec<Text>,
        /// The line in other notations.
        solution: Vec<Text>,
    },
    /// A solver's spec.
    Spec {
        /// Its normal form.
        solver: String,
    },
    /// Networks.
    Networks {
        /// Their names or files.
        networks: Vec<String>,
    },
    /// Content of the editor.
    Sketch {
        /// `None` if instances are edited as text.
        sketch: Option<Sketch>,
    },
}

/// A puzzle.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Puzzle {
    /// Its name in specs.
    pub name: String,
    /// Its name in titles.
    pub title: String,
    /// Its purpose.
    pub summary: String,
    /// Unit of its values.
    pub unit: String,
    /// `cost`, `score` or `assignment`.
    pub aim: &'static str,
    /// Parameters of its spec.
    pub parameters: Vec<Parameter>,
    /// Its presets; the first is the default.
    pub presets: Vec<Preset>,
    /// Sizes with generators of them.
    pub sizes: Vec<Size>,
    /// Its generators; the first is the default.
    pub generators: Vec<Described>,
    /// Notations that it reads.
    pub forms: Vec<Form>,
    /// Whether an instance fits on a line; otherwise it is a document.
    pub inline: bool,
    /// Whether instances have numbers.
    pub deals: bool,
}

/// A declaration.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Described {
    /// Its name.
    pub name: String,
    /// Kind of the declared thing.
    pub role: &'static str,
    /// Its purpose.
    pub summary: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a declaration.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub summary: String,
    /// Its default; `None` if it must be given.
    pub default: Option<String>,
    /// Whether it may be given without its name.
    pub positional: bool,
    /// Kind of its values.
    pub domain: &'static str,
    /// The words of a choice.
    pub words: Vec<String>,
    /// Smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Greatest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// A preset.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Preset {
    /// Its name.
    pub name: String,
    /// Its purpose.
    pub summary: String,
    /// Its solver for an instance; `None` without an instance or a fitting solver.
    pub solver: Option<String>,
}

/// A size of a puzzle.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Size {
    /// Its name.
    pub name: String,
    /// Expression of a generator.
    pub generator: String,
}

/// A notation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Form {
    /// Its name.
    pub name: String,
    /// Its rule.
    pub rule: String,
    /// An example.
    pub example: String,
    /// Spec of the example's puzzle; empty for the puzzle's own name.
    pub puzzle: String,
}

/// An instance.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Loaded {
    /// Its name.
    pub id: String,
    /// Its standard text.
    pub instance: String,
    /// A solution that the text contains.
    pub solution: Option<String>,
    /// Reason for which it is known to be unsolvable.
    pub unsolvable: Option<String>,
    /// The puzzle's presets with their solvers for this instance.
    pub presets: Vec<Preset>,
}

/// A drawing of a line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Frame {
    /// SVG.
    pub svg: String,
    /// The action that led here; `None` at the start.
    pub action: Option<String>,
}

/// A text with the name of its notation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Text {
    /// Name of the notation.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Answer {
    /// The puzzles of a registry.
    pub(super) fn puzzles(registry: &Registry) -> Self {
        let puzzles = registry.families().iter().map(|family| puzzle(family));
        let (program, version) = (registry.program().to_owned(), env!("CARGO_PKG_VERSION"));
        Self::Puzzles { program, version, puzzles: puzzles.collect() }
    }

    /// Instances of a puzzle.
    pub(super) fn instances(
        puzzle: &dyn AnyPuzzle,
        instances: impl IntoIterator<Item = Loaded>,
    ) -> Self {
        Self::Instances { puzzle: puzzle.spec(), instances: instances.into_iter().collect() }
    }

    /// Texts in several notations.
    pub(super) fn forms(
        instance: Vec<(&'static str, String)>,
        solution: Vec<(&'static str, String)>,
    ) -> Self {
        let texts = |forms: Vec<(&'static str, String)>| {
            let text = |(name, text): (&str, String)| Text { name: name.to_owned(), text };
            forms.into_iter().map(text).collect()
        };
        Self::Forms { instance: texts(instance), solution: texts(solution) }
    }
}

fn puzzle(family: &Family) -> Puzzle {
    let Info { name, summary, .. } = family.info;
    let default = family.default_puzzle();
    let forms = family.forms.iter().map(|form| Form {
        name: form.name.to_owned(),
        rule: form.rule.to_owned(),
        example: form.example.to_owned(),
        puzzle: form.puzzle.to_owned(),
    });
    let sizes = family
        .sizes()
        .into_iter()
        .map(|size| Size { name: size.name.to_owned(), generator: size.generator.to_owned() });
    Puzzle {
        name: (*name).to_owned(),
        title: family.title(),
        summary: (*summary).to_owned(),
        unit: default.as_ref().map_or("moves", |puzzle| puzzle.unit()).to_owned(),
        aim: match family.aim {
            Aim::Cost => "cost",
            Aim::Score => "score",
            Aim::Assignment => "assignment",
        },
        parameters: family.info.parameters.iter().map(parameter).collect(),
        presets: presets(family, |_| None),
        sizes: sizes.collect(),
        generators: family.generators().into_iter().map(described).collect(),
        forms: forms.collect(),
        inline: family.inline,
        deals: default.is_some_and(|puzzle| puzzle.deal(1).is_some()),
    }
}

fn presets(family: &Family, solver: impl Fn(&str) -> Option<String>) -> Vec<Preset> {
    let preset = |preset: &unriddle_catalog::listed::PresetInfo| Preset {
        name: preset.name.to_owned(),
        summary: preset.summary.to_owned(),
        solver: solver(preset.name),
    };
    family.declared().presets.iter().map(preset).collect()
}

/// A declaration for pages.
pub(super) fn described(info: &'static Info) -> Described {
    Described {
        name: info.name.to_owned(),
        role: info.role.name(),
        summary: info.summary.to_owned(),
        parameters: info.parameters.iter().map(parameter).collect(),
    }
}

fn parameter(parameter: &Declared) -> Parameter {
    let (domain, words, bounds): (_, &[&str], _) = match parameter.domain {
        Domain::Integer { min, max } => ("integer", &[], Some((min as f64, max as f64))),
        Domain::Real { min, max } => ("real", &[], Some((min, max))),
        Domain::Choice(words) => ("choice", words, None),
        Domain::Text => ("text", &[], None),
        Domain::Heuristic => ("heuristic", &[], None),
        Domain::Search => ("search", &[], None),
        Domain::Playout => ("play-out", &[], None),
    };
    Parameter {
        name: parameter.name.to_owned(),
        summary: parameter.summary.to_owned(),
        default: parameter.default.map(str::to_owned),
        positional: parameter.positional,
        domain,
        words: words.iter().map(|&word| word.to_owned()).collect(),
        min: bounds.map(|(min, _)| min),
        max: bounds.map(|(_, max)| max),
    }
}

/// An instance for pages.
pub(super) fn loaded(family: &Family, named: &Named) -> Loaded {
    let instance = &named.instance;
    Loaded {
        id: named.id.clone(),
        instance: instance.text(),
        solution: named.solution.clone(),
        unsolvable: instance.unsolvable().map(str::to_owned),
        presets: presets(family, |name| Some(instance.preset(name)?.to_string())),
    }
}
