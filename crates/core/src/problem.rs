//! Optimisation problems that are not state spaces: teams, weights, parameters.

/// Whether smaller or larger objectives are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Smaller is better.
    Minimise,
    /// Larger is better.
    Maximise,
}

impl Direction {
    /// Whether `a` is strictly better than `b`.
    #[must_use]
    pub fn is_better(self, a: f64, b: f64) -> bool {
        match self {
            Self::Minimise => a < b,
            Self::Maximise => a > b,
        }
    }
}

/// The value of one genome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// The objective, in the problem's unit.
    pub objective: f64,
    /// How far the genome is from feasible; 0 exactly if it is feasible.
    pub violation: f64,
}

/// An optimisation problem over genomes, evaluated in batches.
pub trait Problem: Send + Sync + 'static {
    /// A candidate: a vector of reals, of indices, a team.
    type Genome: Clone + Send + Sync;

    /// Whether smaller or larger objectives are better.
    fn direction(&self) -> Direction;

    /// Writes the value of every genome to `out` (of the same length).
    fn evaluate(&self, genomes: &[Self::Genome], out: &mut [Evaluation]);
}

/// A genome can be mended.
pub trait Repair: Problem {
    /// Changes the genome towards feasibility; whether it is feasible now.
    fn repair(&self, genome: &mut Self::Genome, rng: &mut crate::Rng) -> bool;
}

/// A genome has behaviour features: the axes of an archive of diverse solutions.
pub trait Behaviour: Problem {
    /// Number of axes.
    fn axes(&self) -> usize;
    /// Writes the genome's place on every axis, each in 0..=1.
    fn behaviour(&self, genome: &Self::Genome, out: &mut [f64]);
}
