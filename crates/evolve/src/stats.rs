//! Statistics of each generation.

use serde::{Deserialize, Serialize};
use unriddle_core::Direction;

/// A generation in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Its number, from 0.
    pub number: u64,
    /// The best fitness.
    pub best: f64,
    /// The mean fitness.
    pub mean: f64,
    /// The median fitness: of an even number the mean of the middle two.
    pub median: f64,
    /// The worst fitness.
    pub worst: f64,
    /// The standard deviation of the fitness (of the population, not of a sample).
    pub deviation: f64,
    /// Diversity of the genomes. For vectors of reals it is the standard deviation of a gene,
    /// averaged over the genes; for other spaces see their
    /// [`diversity`](unriddle_core::Space::diversity).
    pub diversity: f64,
    /// Fitness values so far, this generation's included.
    pub evaluations: u64,
}

impl Generation {
    /// The numbers of a generation of at least one individual whose fitness values are finite.
    pub(crate) fn of(
        number: u64,
        fitness: &[f64],
        direction: Direction,
        diversity: f64,
        evaluations: u64,
    ) -> Self {
        let mut sorted = fitness.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len();
        let (least, most) = (sorted[0], sorted[n - 1]);
        let mean = (sorted.iter().sum::<f64>() / n as f64).clamp(least, most);
        let squares: f64 = sorted.iter().map(|x| (x - mean) * (x - mean)).sum();
        let (best, worst) =
            if direction == Direction::Maximise { (most, least) } else { (least, most) };
        Self {
            number,
            best,
            mean,
            median: f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]),
            worst,
            deviation: (squares / n as f64).sqrt(),
            diversity,
            evaluations,
        }
    }

    /// Whether these can be the first generations of a run with `size` individuals each.
    pub(crate) fn in_order<'a>(mut history: impl Iterator<Item = &'a Self>, size: usize) -> bool {
        let mut count = 0;
        history.all(|entry| {
            count += 1;
            entry.number == count - 1 && entry.evaluations == count * size as u64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_textbooks() {
        let fitness = [4.0, 2.0, 8.0, 2.0];
        let of = |direction| Generation::of(7, &fitness, direction, 0.5, 32);
        let most = of(Direction::Maximise);
        assert_eq!((most.best, most.worst), (8.0, 2.0));
        assert_eq!((most.mean, most.median), (4.0, 3.0));
        assert_eq!(most.deviation, 6.0f64.sqrt());
        assert_eq!((most.number, most.evaluations, most.diversity), (7, 32, 0.5));
        let least = of(Direction::Minimise);
        assert_eq!((least.best, least.worst), (2.0, 8.0));
        let huge = Generation::of(0, &[1e150, -1e150], Direction::Maximise, 0.0, 2);
        assert_eq!((huge.mean, huge.deviation), (0.0, 1e150));
    }
}
