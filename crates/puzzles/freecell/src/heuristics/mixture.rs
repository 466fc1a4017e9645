//! Weighted sums and maxima of the nine features, each brought to 0..1.
//!
//! The paper's score is the sum of w·x over the features as they are, though some grow and others
//! shrink towards the goal (`printed`); evolution may choose weights accordingly. With `distance`
//! each is turned so that smaller is nearer to the goal: 1 − x where larger is better.
//!
//! A feature without weight is not computed. The score is real; as a [`Heuristic`] of one instance
//! ([`Scaled`]) it is in millionths. It ranks positions and is not a cost.
//!
//! Reference: Elyasaf, Hauptman and Sipper 2011, section 3.3.1.

use super::{
    features::{FEATURES, Feature},
    hsdh::{RANKING, info},
};
use crate::{FreeCell, Table};
use unriddle_core::{
    BatchHeuristic, Cost, Domain, Guarantee, Heuristic, Info, Options, Parameter, Row, SearchError,
    options, options::Given, words,
};

const REFERENCE: &str = "Elyasaf, Hauptman and Sipper 2011, section 3.3.1";

/// Declaration for the catalogue.
pub(crate) const WEIGHTS_INFO: Info = Info {
    reference: REFERENCE,
    parameters: WeightsConfig::PARAMETERS,
    ..info("weights", "Mixture of the nine features with the weights of a file", RANKING)
};

options! {
    /// Source of the weights.
    #[derive(Eq)]
    pub(crate) struct WeightsConfig of WEIGHTS_INFO {
        file: String, positional, "weights file (TOML)";
    }
}

const fn weight(name: &'static str) -> Parameter {
    Parameter::named(
        name,
        Domain::Real { min: 0.0, max: MAX_WEIGHT },
        "0",
        "weight of this feature, of values from 0 to 1",
    )
}

/// Largest weight.
pub(crate) const MAX_WEIGHT: f64 = 100.0;

/// Declaration for the catalogue. Its first parameters are the weights, in the order of
/// [`Feature::ALL`].
pub(crate) const INFO: Info = Info {
    reference: REFERENCE,
    parameters: Mixture::PARAMETERS,
    ..info("mixture", "Weighted sum or maximum of the nine features", RANKING)
};

words! {
    /// Combination of the weighted features into a score.
    pub enum Combine {
        /// Their sum.
        Sum = "sum",
        /// The largest.
        Max = "max",
    }
}

words! {
    /// Orientation of the features.
    pub enum Orientation {
        /// As the paper defines them.
        Printed = "printed",
        /// Smaller is nearer to the goal.
        Distance = "distance",
    }
}

/// A weighted sum, or maximum, of features.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mixture {
    /// The weights, in the order of [`Feature::ALL`]; at least 0 (others count as 0).
    pub weights: [f64; FEATURES],
    /// Sum or maximum.
    pub combine: Combine,
    /// Orientation of the features.
    pub orientation: Orientation,
}

/// By hand, because the features have their names elsewhere.
impl Options for Mixture {
    const PARAMETERS: &'static [Parameter] = &[
        weight(Feature::ALL[0].name()),
        weight(Feature::ALL[1].name()),
        weight(Feature::ALL[2].name()),
        weight(Feature::ALL[3].name()),
        weight(Feature::ALL[4].name()),
        weight(Feature::ALL[5].name()),
        weight(Feature::ALL[6].name()),
        weight(Feature::ALL[7].name()),
        weight(Feature::ALL[8].name()),
        Parameter::named(
            "combine",
            Domain::Choice(&Combine::NAMES),
            Combine::NAMES[0],
            "how the weighted features become one score",
        ),
        Parameter::named(
            "orientation",
            Domain::Choice(&Orientation::NAMES),
            Orientation::NAMES[0],
            "features as the paper defines them, or all so that smaller is nearer to the goal",
        ),
    ];

    fn read(given: &dyn Given) -> Self {
        Self {
            weights: Feature::ALL.map(|feature| given.real(feature.name())),
            combine: options::Field::read(given, "combine"),
            orientation: options::Field::read(given, "orientation"),
        }
    }

    fn check(&self) -> Result<(), SearchError> {
        let mut weights = Feature::ALL.iter().zip(&self.weights).zip(Self::PARAMETERS);
        weights.try_for_each(|((feature, weight), parameter)| {
            options::check(INFO.name, feature.name(), weight, &parameter.domain)
        })
    }
}

impl Mixture {
    /// The mixture for one instance, with everything precomputed that all of its positions share.
    pub(crate) fn scaled(&self, puzzle: &FreeCell) -> Scaled {
        let mut scaled =
            Scaled { parts: [(Feature::Hsdh, 0.0, 0.0); FEATURES], len: 0, combine: self.combine };
        // Neither negative weights nor `NaN`.
        let weights =
            Feature::ALL.into_iter().zip(self.weights).filter(|&(_, weight)| weight > 0.0);
        for (feature, weight) in weights {
            let (least, greatest) = (feature.least(puzzle), feature.greatest(puzzle));
            let range = f64::from((greatest - least).max(1.0));
            let turned = self.orientation == Orientation::Distance && feature.larger_is_better();
            let (factor, zero) = match turned {
                true => (-weight / range, greatest),
                false => (weight / range, least),
            };
            scaled.parts[scaled.len] = (feature, factor as f32, zero);
            scaled.len += 1;
        }
        scaled
    }
}

/// A mixture for the positions of one instance: the features' ranges are that instance's.
#[derive(Clone, Copy, Debug)]
pub struct Scaled {
    /// Feature, factor, and the value that scores 0.
    parts: [(Feature, f32, f32); FEATURES],
    len: usize,
    combine: Combine,
}

impl Scaled {
    /// The score of a position: smaller is better.
    #[inline]
    pub(super) fn score(&self, puzzle: &FreeCell, table: &Table) -> f32 {
        let mut score = 0.0f32;
        for &(feature, factor, zero) in self.parts.iter().take(self.len) {
            let part = factor * (feature.value(puzzle, table) - zero);
            score = match self.combine {
                Combine::Sum => score + part,
                Combine::Max => score.max(part),
            };
        }
        score
    }
}

/// The score in millionths.
impl Heuristic<FreeCell> for Scaled {
    type Memo = ();
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn root(&self, puzzle: &FreeCell, table: &Table) -> Option<(Cost, ())> {
        Some(((f64::from(self.score(puzzle, table)) * 1e6) as Cost, ()))
    }
}

/// The score itself.
impl BatchHeuristic<FreeCell> for Mixture {
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn evaluate(&self, rows: &[Row<'_, FreeCell>], out: &mut [f32]) {
        // Rows of an instance follow each other.
        let same = |a: &Row<'_, FreeCell>, b: &Row<'_, FreeCell>| std::ptr::eq(a.puzzle, b.puzzle);
        let mut out = out.iter_mut();
        for rows in rows.chunk_by(same) {
            let scaled = self.scaled(rows[0].puzzle);
            for (row, out) in rows.iter().zip(&mut out) {
                *out = scaled.score(row.puzzle, row.state);
            }
        }
    }
}
