//! Where genomes prove themselves: one search on one instance under a node budget.

use super::recipe::{Engine, Recipe};
use crate::error::LabError;
use unriddle_core::{Budget, Cancel, Limit, Options as _, Outcome, Scalar, Search, run};
use unriddle_evolve::Trial;
use unriddle_freecell::{
    FreeCell, Rules,
    heuristics::{Combine, FEATURES, Hsdh, Mixture, Orientation, Provenance, Weights, weights},
    parse,
};
use unriddle_search::staged::{Keep, Staged, StagedConfig};

/// A puzzle that weights are evolved for.
pub trait Arena: Sync {
    /// How many genes a solver has.
    fn genes(&self) -> usize;

    /// How many training instances there are.
    fn instances(&self) -> usize;

    /// Runs the solver of a genome, or the baseline's, on an instance; `None` if it was cancelled.
    ///
    /// # Errors
    /// The search refused.
    fn run(
        &self,
        genome: Option<&[f64]>,
        instance: usize,
        cancel: &Cancel,
    ) -> Result<Option<Trial>, LabError>;

    /// The text of a file that holds a genome, with where it comes from.
    fn weights(&self, genome: &[f64], origin: Provenance) -> String;
}

/// Staged deepening on FreeCell: the genes are the weights of the nine heuristics, the baseline is
/// Heineman's.
pub struct FreeCellArena {
    deals: Vec<FreeCell>,
    config: StagedConfig,
    orientation: Orientation,
    combine: Combine,
    nodes: u64,
}

impl FreeCellArena {
    /// The arena of a recipe.
    ///
    /// # Errors
    /// A puzzle, an option or a deal that does not exist.
    pub fn new(recipe: &Recipe) -> Result<Self, LabError> {
        let usage = |message: String| LabError::Usage(message);
        let Engine {
            depth,
            table,
            open,
            quantum,
            orientation,
            combine,
            ..
        } = &recipe.engine;
        let config = StagedConfig {
            depth: *depth,
            table: *table as usize,
            open: Keep::of(open).ok_or_else(|| {
                usage(format!(
                    "no open list `{open}` ({})",
                    Keep::NAMES.join(", ")
                ))
            })?,
            quantum: *quantum,
        };
        config.check().map_err(|why| usage(why.to_string()))?;
        let rules = Rules::default();
        let deal = |&number: &u64| {
            let layout = parse::numbered(number, &rules).map_err(usage)?;
            Ok(FreeCell::new(rules, layout))
        };
        Ok(Self {
            deals: recipe
                .training
                .iter()
                .map(deal)
                .collect::<Result<_, LabError>>()?,
            config,
            orientation: Orientation::of(orientation).ok_or_else(|| {
                usage(format!(
                    "no orientation `{orientation}` (printed, distance)"
                ))
            })?,
            combine: Combine::of(combine)
                .ok_or_else(|| usage(format!("no way to combine `{combine}` (sum, max)")))?,
            nodes: recipe.nodes,
        })
    }

    fn mixture(&self, genome: &[f64]) -> Mixture {
        Mixture {
            weights: std::array::from_fn(|i| genome.get(i).copied().unwrap_or(0.0)),
            combine: self.combine,
            orientation: self.orientation,
        }
    }
}

impl Arena for FreeCellArena {
    fn genes(&self) -> usize {
        FEATURES
    }

    fn instances(&self) -> usize {
        self.deals.len()
    }

    fn run(
        &self,
        genome: Option<&[f64]>,
        instance: usize,
        cancel: &Cancel,
    ) -> Result<Option<Trial>, LabError> {
        let puzzle = &self.deals[instance];
        let budget = Budget {
            generated: Some(self.nodes),
            cancel: cancel.clone(),
            ..Budget::default()
        };
        let failed = |error: unriddle_core::SearchError| LabError::Unsupported(error.to_string());
        let (outcome, stats) = match genome {
            None => {
                // Its scores are small integers, which many positions share as they are.
                let config = StagedConfig {
                    quantum: 0.0,
                    ..self.config
                };
                let h = Scalar(Hsdh);
                let mut search = Staged::new(puzzle, &h, config).map_err(failed)?;
                (run(&mut search, &budget, &mut ()), search.stats())
            }
            Some(genome) => {
                let h = Scalar(self.mixture(genome).scaled(puzzle));
                let mut search = Staged::new(puzzle, &h, self.config).map_err(failed)?;
                (run(&mut search, &budget, &mut ()), search.stats())
            }
        };
        Ok(match outcome.map_err(failed)? {
            Outcome::Stopped {
                why: Limit::Cancelled,
                ..
            } => None,
            Outcome::Solved { .. } => Some(Trial::solved(stats.generated.max(1) as f64)),
            _ => Some(Trial::unsolved()),
        })
    }

    fn weights(&self, genome: &[f64], provenance: Provenance) -> String {
        weights::write(&Weights {
            mixture: self.mixture(genome),
            provenance,
        })
    }
}
