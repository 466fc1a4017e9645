//! Variation of vectors, as the textbook varies bit strings.
//!
//! Mutation replaces each gene, independently, with a fresh random one. Crossover exchanges genes
//! of the two parents at the same indices, either all before a uniformly drawn cut or each with
//! probability one half. With one gene there is no cut, and single-point crossover copies the
//! parents.
//!
//! Reference: A. Elyasaf, A. Hauptman, M. Sipper, "GA-FreeCell" (GECCO 2011), 3.3.2.

use serde::{Deserialize, Serialize};
use unriddle_core::{Rng, SpaceError};

/// Genes that two parents exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Crossover {
    /// All before a cut, which is drawn uniformly between two genes.
    #[default]
    SinglePoint,
    /// Each with probability one half.
    Uniform,
}

/// Variation of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variation {
    /// Probability, 0 to 1, that a mutation replaces a gene; each gene is drawn for independently,
    /// so that a mutated genome may come out as it was.
    pub gene_rate: f64,
    /// Genes that two parents exchange.
    pub crossover: Crossover,
}

impl Default for Variation {
    fn default() -> Self {
        Self { gene_rate: 0.1, crossover: Crossover::SinglePoint }
    }
}

impl Variation {
    /// Checks the bounds.
    ///
    /// # Errors
    /// The option outside its bounds.
    pub fn validate(&self) -> Result<(), SpaceError> {
        if (0.0..=1.0).contains(&self.gene_rate) {
            return Ok(());
        }
        Err(SpaceError(format!("gene_rate is {}, but must be between 0 and 1", self.gene_rate)))
    }

    pub(crate) fn mutate<T>(
        self,
        genes: &mut [T],
        rng: &mut Rng,
        mut fresh: impl FnMut(usize, &mut Rng) -> T,
    ) {
        for (i, gene) in genes.iter_mut().enumerate() {
            if rng.unit() < self.gene_rate {
                *gene = fresh(i, rng);
            }
        }
    }

    pub(crate) fn cross<T>(self, a: &mut [T], b: &mut [T], rng: &mut Rng) {
        let genes = a.len().min(b.len());
        match self.crossover {
            Crossover::SinglePoint if genes < 2 => {}
            Crossover::SinglePoint => {
                let cut = 1 + rng.below(genes as u64 - 1) as usize;
                a[..cut].swap_with_slice(&mut b[..cut]);
            }
            Crossover::Uniform => {
                for (x, y) in a.iter_mut().zip(b) {
                    if rng.below(2) == 0 {
                        std::mem::swap(x, y);
                    }
                }
            }
        }
    }
}
