//! Selection of parents.
//!
//! The chances are computed once per generation from the fitness. A draw takes O(log n), by a
//! binary search on cumulative weights, or O(size) for a tournament. Draws are independent, so an
//! individual can be both parents of a pair.
//!
//! Fitness-proportionate weights need care, because a fitness may be negative or to be minimised.
//! With g the fitness (its negative if smaller is better), the weights are
//! - g itself if no g is negative: the textbook's rule, and the paper's;
//! - otherwise g less the smallest g of the generation: the worst has no children, and the
//!   others' chances are proportionate to their lead over it;
//! - all the same if that leaves only zeros (all individuals are equally fit).
//!
//! References: J. H. Holland, "Adaptation in Natural and Artificial Systems" (1975), proportionate
//! selection; J. E. Baker, "Adaptive selection methods for genetic algorithms" (ICGA 1985),
//! ranking.

use crate::error::{EvolveError, within};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use unriddle_core::{Direction, Rng};

/// Selection of parents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// In proportion to the fitness (see the [module](self) for negative and all-zero ones).
    #[default]
    Proportionate,
    /// In proportion to the rank: 1 for the worst, n for the best, the mean rank among equals.
    Rank,
    /// The best of this number of individuals, drawn with replacement; among equals the one drawn
    /// first.
    Tournament(usize),
}

impl Selection {
    /// Checks the bounds.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`].
    pub fn validate(&self) -> Result<(), EvolveError> {
        match *self {
            Self::Tournament(size) => within("selection", "tournament", &size, &1, &(1 << 20)),
            Self::Proportionate | Self::Rank => Ok(()),
        }
    }
}

/// The chances of one generation.
#[derive(Debug)]
pub(crate) enum Wheel<'a> {
    /// Cumulative weights, the last one positive.
    Weights(Vec<f64>),
    /// Equal chances for this number of individuals.
    Equal(usize),
    Tournament(usize, Direction, &'a [f64]),
}

impl<'a> Wheel<'a> {
    /// The chances under a fitness that is finite for everyone; not for an empty generation.
    pub(crate) fn new(selection: Selection, direction: Direction, fitness: &'a [f64]) -> Self {
        let good = |x: f64| if direction == Direction::Maximise { x } else { -x };
        match selection {
            Selection::Tournament(size) => Self::Tournament(size, direction, fitness),
            Selection::Proportionate => {
                let least = fitness.iter().map(|&x| good(x)).fold(0.0, f64::min);
                Self::cumulative(fitness.iter().map(|&x| good(x) - least))
            }
            Selection::Rank => Self::cumulative(ranks(fitness, direction).into_iter()),
        }
    }

    fn cumulative(weights: impl ExactSizeIterator<Item = f64>) -> Self {
        let n = weights.len();
        let mut sum = 0.0;
        let sums: Vec<f64> = weights
            .map(|weight| {
                sum += weight;
                sum
            })
            .collect();
        if sum > 0.0 { Self::Weights(sums) } else { Self::Equal(n) }
    }

    /// Draws a parent.
    pub(crate) fn draw(&self, rng: &mut Rng) -> usize {
        match self {
            Self::Weights(sums) => {
                let total = sums.last().copied().unwrap_or(0.0);
                let place = rng.unit() * total;
                // Below the total, so that somebody with a positive weight is found.
                sums.partition_point(|&sum| sum <= place).min(sums.len() - 1)
            }
            Self::Equal(n) => rng.below(*n as u64) as usize,
            Self::Tournament(size, direction, fitness) => {
                let n = fitness.len() as u64;
                let mut winner = rng.below(n) as usize;
                for _ in 1..*size {
                    let rival = rng.below(n) as usize;
                    if direction.is_better(fitness[rival], fitness[winner]) {
                        winner = rival;
                    }
                }
                winner
            }
        }
    }
}

/// The individuals from best to worst; equal individuals stay in their order.
pub(crate) fn best_first(fitness: &[f64], direction: Direction) -> Vec<usize> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    order.sort_by(|&a, &b| {
        // Fitness is never NaN; a total order would distinguish 0 from -0.
        let rising = fitness[a].partial_cmp(&fitness[b]).unwrap_or(Ordering::Equal);
        if direction == Direction::Maximise { rising.reverse() } else { rising }
    });
    order
}

/// Ranks from 1 for the worst; equals share the mean of theirs.
fn ranks(fitness: &[f64], direction: Direction) -> Vec<f64> {
    let order = best_first(fitness, direction);
    let mut ranks = vec![0.0; fitness.len()];
    let mut above = 0;
    for equals in order.chunk_by(|&a, &b| fitness[a] == fitness[b]) {
        let best = (fitness.len() - above) as f64;
        let mean = best - (equals.len() - 1) as f64 / 2.0;
        for &i in equals {
            ranks[i] = mean;
        }
        above += equals.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Maximise, Minimise};

    fn shares(selection: Selection, direction: Direction, fitness: &[f64]) -> Vec<f64> {
        let wheel = Wheel::new(selection, direction, fitness);
        let mut rng = Rng::new(5);
        let mut shares = vec![0.0; fitness.len()];
        for _ in 0..20_000 {
            shares[wheel.draw(&mut rng)] += 1.0 / 20_000.0;
        }
        shares
    }

    fn assert_close(found: &[f64], expected: &[f64]) {
        for (x, y) in found.iter().zip(expected) {
            assert!((x - y).abs() < 0.015, "{found:?}, expected {expected:?}");
            assert!(*y > 0.0 || *x == 0.0, "{found:?}, expected {expected:?}");
        }
    }

    #[test]
    fn chances_are_proportionate_to_fitness() {
        let of = |direction, fitness: &[f64]| shares(Selection::Proportionate, direction, fitness);
        assert_close(&of(Maximise, &[1.0, 0.0, 3.0, 0.0]), &[0.25, 0.0, 0.75, 0.0]);
        // The last one has no weight: never drawn, even with the largest random number.
        assert_close(&of(Maximise, &[0.0, 2.0, 0.0]), &[0.0, 1.0, 0.0]);
        assert_close(&of(Maximise, &[0.0; 4]), &[0.25; 4]);
        assert_close(&of(Maximise, &[-2.0; 4]), &[0.25; 4]);
        assert_close(&of(Maximise, &[-2.0, -1.0, 1.0]), &[0.0, 0.25, 0.75]);
        assert_close(&of(Minimise, &[2.0, 1.0, -1.0]), &[0.0, 0.25, 0.75]);
        assert_close(&of(Minimise, &[-1.0, -3.0]), &[0.25, 0.75]);
        assert_close(&of(Maximise, &[1e150, 3e150]), &[0.25, 0.75]);
    }

    #[test]
    fn ranks_and_tournaments_ignore_the_scale() {
        let sixth = 1.0 / 6.0;
        for scale in [1.0, 1e9] {
            let fitness = [3.0 * scale, -scale, 7.0 * scale];
            let found = shares(Selection::Rank, Maximise, &fitness);
            assert_close(&found, &[2.0 * sixth, sixth, 3.0 * sixth]);
            let found = shares(Selection::Rank, Minimise, &fitness);
            assert_close(&found, &[2.0 * sixth, 3.0 * sixth, sixth]);
            let found = shares(Selection::Tournament(2), Maximise, &fitness);
            assert_close(&found, &[3.0 / 9.0, 1.0 / 9.0, 5.0 / 9.0]);
        }
        assert_close(&shares(Selection::Rank, Maximise, &[4.0, 4.0]), &[0.5, 0.5]);
        assert_close(&shares(Selection::Tournament(3), Minimise, &[4.0, 4.0]), &[0.5, 0.5]);
        assert_eq!(best_first(&[-0.0, 0.0, 1.0], Maximise), [2, 0, 1]);
        assert_eq!(ranks(&[1.0, 2.0, 1.0, 5.0], Maximise), [1.5, 3.0, 1.5, 4.0]);
    }

    #[test]
    fn an_empty_tournament_is_refused() {
        assert!(Selection::Tournament(0).validate().is_err());
        assert!(Selection::Tournament(2).validate().is_ok());
    }
}
