//! Weights files: mixtures as TOML, with their provenance.
//!
//! ```toml
//! format = 1
//! orientation = "printed"   # or "distance"
//! combine = "sum"           # or "max"
//!
//! [weights]                 # one line for each feature; one that is left out weighs 0
//! hsdh-paper = 0.01
//!
//! [provenance]              # may be left out, as may each of its lines
//! source = "where the weights were taken from"
//! seed = 7
//! revision = "1f2e3d4"
//! generation = 120
//! fitness = 0.71
//! node-budget = 2000000
//! ```
//!
//! Later formats will be read beside this one. A file of an unknown format, an unknown name and a
//! value out of range are errors with line and column. `unriddle evolve` writes such files; they
//! are read back as the same mixture, bit by bit.

use super::{
    features::Feature,
    mixture::{Combine, MAX_WEIGHT, Mixture, Orientation},
};
use serde::Deserialize;
use std::{collections::BTreeMap, ops::Range};
use toml::Spanned;
use unriddle_core::ParseError;

/// The only format so far.
pub const FORMAT: u32 = 1;

/// Provenance of weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// A publication or a run, in words.
    pub source: Option<String>,
    /// Seed of the evolution.
    pub seed: Option<u64>,
    /// Revision of the program.
    pub revision: Option<String>,
    /// Generation in which they arose.
    pub generation: Option<u64>,
    /// Fitness that was measured.
    pub fitness: Option<f64>,
    /// Generated states that a deal was allowed.
    pub node_budget: Option<u64>,
}

/// A mixture and where it comes from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// The mixture.
    pub mixture: Mixture,
    /// Provenance of the weights.
    pub provenance: Provenance,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: Spanned<u32>,
    orientation: Option<Spanned<String>>,
    combine: Option<Spanned<String>>,
    weights: BTreeMap<Spanned<String>, Spanned<f64>>,
    provenance: Option<Origin>,
}

/// Integers of TOML are signed: larger ones are quoted.
#[derive(Deserialize)]
#[serde(untagged)]
enum Count {
    Number(u64),
    Text(String),
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Origin {
    source: Option<String>,
    seed: Option<Spanned<Count>>,
    revision: Option<String>,
    generation: Option<Spanned<Count>>,
    fitness: Option<f64>,
    node_budget: Option<Spanned<Count>>,
}

/// An error at a position of a text.
fn at(text: &str, place: &Range<usize>, message: impl Into<String>) -> ParseError {
    let before = text.get(..place.start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    ParseError::at(line, column, message)
}

/// The option that a word names; the default without a word.
fn word<T: Default>(
    text: &str,
    given: Option<&Spanned<String>>,
    of: fn(&str) -> Option<T>,
    names: [&str; 2],
) -> Result<T, ParseError> {
    let Some(given) = given else {
        return Ok(T::default());
    };
    of(given.get_ref()).ok_or_else(|| {
        let found = given.get_ref();
        let message = format!("expected \"{}\" or \"{}\", found {found:?}", names[0], names[1]);
        at(text, &given.span(), message)
    })
}

fn count(text: &str, given: Option<&Spanned<Count>>) -> Result<Option<u64>, ParseError> {
    let Some(given) = given else { return Ok(None) };
    match given.get_ref() {
        Count::Number(number) => Ok(Some(*number)),
        Count::Text(digits) => digits.parse().map(Some).map_err(|_| {
            let message = format!("expected a whole number, found {digits:?}");
            at(text, &given.span(), message)
        }),
    }
}

/// Reads a weights file.
///
/// # Errors
/// [`ParseError`] with the position: invalid TOML, an unknown format, name or word, a weight
/// outside 0 to 100.
pub fn read(text: &str) -> Result<Weights, ParseError> {
    let file: File = toml::from_str(text)
        .map_err(|error| at(text, &error.span().unwrap_or(0..0), error.message()))?;
    if *file.format.get_ref() != FORMAT {
        let message = format!(
            "format {} is unknown; this program reads format {FORMAT}",
            file.format.get_ref()
        );
        return Err(at(text, &file.format.span(), message));
    }
    let mut mixture = Mixture {
        orientation: word(text, file.orientation.as_ref(), Orientation::of, Orientation::NAMES)?,
        combine: word(text, file.combine.as_ref(), Combine::of, Combine::NAMES)?,
        ..Mixture::default()
    };
    for (name, weight) in &file.weights {
        let feature = Feature::ALL.iter().position(|f| f.name() == name.get_ref());
        let Some(feature) = feature else {
            let known = Feature::ALL.map(Feature::name).join(", ");
            let message = format!("no feature {:?}; there are {known}", name.get_ref());
            return Err(at(text, &name.span(), message));
        };
        if !(0.0..=MAX_WEIGHT).contains(weight.get_ref()) {
            let message =
                format!("a weight of {}; weights go from 0 to {MAX_WEIGHT}", weight.get_ref());
            return Err(at(text, &weight.span(), message));
        }
        mixture.weights[feature] = *weight.get_ref();
    }
    let origin = file.provenance.unwrap_or_default();
    let provenance = Provenance {
        seed: count(text, origin.seed.as_ref())?,
        generation: count(text, origin.generation.as_ref())?,
        node_budget: count(text, origin.node_budget.as_ref())?,
        source: origin.source,
        revision: origin.revision,
        fitness: origin.fitness,
    };
    Ok(Weights { mixture, provenance })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PRINTED: &str = include_str!("../../weights/ga-freecell-printed.toml");

    /// The paper's weights, in the order of its text, under its names.
    #[test]
    fn the_printed_weights_agree_with_the_paper() {
        let weights = read(PRINTED).unwrap().mixture;
        assert_eq!(weights.weights, [0.01, 0.01, 0.09, 0.0, 0.77, 0.01, 0.08, 0.01, 0.02]);
        assert_eq!(weights.orientation, Orientation::Printed);
        assert_eq!(weights.combine, Combine::Sum);
        let sum: f64 = weights.weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }

    /// A file as the first version wrote it stays readable.
    #[test]
    fn files_of_format_1_are_read() {
        let text = "format = 1\norientation = \"distance\"\ncombine = \"max\"\n\n[weights]\n\
            hsdh-paper = 0.5\nnumber-well-placed = 0.25\ncards-not-home = 1.0\nfree-cells = 0.0\n\
            difference-from-top = 0.1\nlowest-home-card = 0.2\nhighest-home-card = 0.3\n\
            difference-home = 0.4\nbottom-cards-sum = 0.6\n\n[provenance]\nsource = \"a run\"\n\
            seed = \"18446744073709551615\"\nrevision = \"abc\"\ngeneration = 3\nfitness = 0.5\n\
            node-budget = 2000000\n";
        let weights = read(text).unwrap();
        assert_eq!(weights.mixture.weights, [0.5, 0.25, 1.0, 0.0, 0.1, 0.2, 0.3, 0.4, 0.6]);
        assert_eq!(weights.mixture.combine, Combine::Max);
        assert_eq!(weights.mixture.orientation, Orientation::Distance);
        assert_eq!(weights.provenance.seed, Some(u64::MAX));
        assert_eq!(weights.provenance.node_budget, Some(2_000_000));
        // Omitted fields have their defaults.
        let short = read("format = 1\n[weights]\nfree-cells = 2").unwrap();
        assert_eq!(short.mixture.weights[3], 2.0);
        assert_eq!(short.provenance, Provenance::default());
    }

    #[test]
    fn errors_have_a_position() {
        let tell = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            tell("format = 2\n[weights]"),
            "line 1, column 10: format 2 is unknown; this program reads format 1"
        );
        assert!(
            tell("format = 1\n[weights]\nhsdh = 1")
                .starts_with("line 3, column 1: no feature \"hsdh\"; there are hsdh-paper, ")
        );
        assert_eq!(
            tell("format = 1\n[weights]\nfree-cells = -1.5"),
            "line 3, column 14: a weight of -1.5; weights go from 0 to 100"
        );
        assert!(tell("format = 1\n[weights]\nfree-cells = nan").starts_with("line 3, column 14"));
        assert_eq!(
            tell("format = 1\norientation = \"both\"\n[weights]"),
            "line 2, column 15: expected \"printed\" or \"distance\", found \"both\""
        );
        assert!(tell("format = 1\nshape = 2\n[weights]").starts_with("line 2, column 1"));
        assert!(tell("format = 1\n[weights\n").starts_with("line 2, column"));
        assert!(tell("format = 1").contains("weights"));
        let seed = "format = 1\n[weights]\n[provenance]\nseed = \"x\"";
        assert_eq!(tell(seed), "line 4, column 8: expected a whole number, found \"x\"");
    }

    proptest! {
        #[test]
        fn arbitrary_files_are_no_panic(text in "(\\PC|\n){0,120}") {
            let _ = read(&text);
            let _ = read(&format!("format = 1\n[weights]\n{text}"));
        }
    }
}
