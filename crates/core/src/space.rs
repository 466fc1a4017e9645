//! Spaces of genomes: teams, weights, parameters, which an evolutionary optimiser varies.

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

/// A space of genomes, or a genome, is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpaceError(pub String);

/// A space of genomes: how an evolutionary optimiser makes and varies them.
///
/// It does not evaluate: an optimiser is asked for genomes and told their fitness. The parameters of the operators
/// (the rate of mutation, the kind of crossover) are the space's own, so that any genome fits any optimiser.
///
/// Everything random comes from the given generator; genomes made here lie in the space, and operators
/// keep them there.
///
/// ```
/// use unriddle_core::{Rng, Space, SpaceError};
///
/// /// Numbers from 0 to a largest one.
/// struct UpTo(u64);
///
/// impl Space for UpTo {
///     type Genome = u64;
///
///     fn validate(&self) -> Result<(), SpaceError> {
///         Ok(())
///     }
///     fn check(&self, number: &u64) -> Result<(), SpaceError> {
///         match *number <= self.0 {
///             true => Ok(()),
///             false => Err(SpaceError(format!("{number} is more than {}", self.0))),
///         }
///     }
///     fn random(&self, rng: &mut Rng) -> u64 {
///         rng.below(self.0 + 1)
///     }
///     fn mutate(&self, number: &mut u64, rng: &mut Rng) {
///         *number = (*number ^ 1 << rng.below(3)).min(self.0);
///     }
///     fn cross(&self, a: &mut u64, b: &mut u64, _: &mut Rng) {
///         std::mem::swap(a, b);
///     }
///     fn diversity(&self, numbers: &[u64]) -> f64 {
///         let equal = numbers.windows(2).all(|pair| pair[0] == pair[1]);
///         f64::from(!equal)
///     }
/// }
///
/// let (space, rng) = (UpTo(9), &mut Rng::new(1));
/// let mut number = space.random(rng);
/// space.mutate(&mut number, rng);
/// assert_eq!(space.check(&number), Ok(()));
/// ```
pub trait Space: Send + Sync {
    /// A candidate.
    type Genome: Clone + PartialEq + std::fmt::Debug + Send + Sync;

    /// Whether the space itself is sound: bounds in order, rates within 0..=1.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn validate(&self) -> Result<(), SpaceError>;

    /// Whether a genome lies in the space.
    ///
    /// # Errors
    /// Why it does not, in words.
    fn check(&self, genome: &Self::Genome) -> Result<(), SpaceError>;

    /// A random genome.
    fn random(&self, rng: &mut crate::Rng) -> Self::Genome;

    /// Changes the genome at random; it may come out as it was.
    fn mutate(&self, genome: &mut Self::Genome, rng: &mut crate::Rng);

    /// Makes two parents into their two children.
    fn cross(&self, a: &mut Self::Genome, b: &mut Self::Genome, rng: &mut crate::Rng);

    /// How different the genomes are from each other: 0 where all are equal.
    fn diversity(&self, genomes: &[Self::Genome]) -> f64;
}

/// Candidates that are built and mended rather than drawn, so that all of them are feasible: what a hybrid genetic
/// algorithm breeds.
///
/// Everything random comes from the given generator. An attempt that fails costs what it costs: each counts as an
/// evaluation, so that optimisers can be compared by them.
///
/// ```
/// use unriddle_core::{Breed, Rng};
///
/// /// Even numbers below 100; the smallest is best.
/// struct Even;
///
/// impl Breed for Even {
///     type Genome = u64;
///
///     fn fresh(&self, rng: &mut Rng, evaluations: &mut u64) -> Option<u64> {
///         *evaluations += 1;
///         Some(2 * rng.below(50))
///     }
///     fn child(&self, [a, b]: [&u64; 2], _: f64, _: &mut Rng, evaluations: &mut u64) -> Option<u64> {
///         *evaluations += 1;
///         // The mean is mended where it is odd.
///         Some((a + b) / 2 & !1)
///     }
///     fn cost(&self, number: &u64) -> i64 {
///         *number as i64
///     }
///     fn distance(&self, a: &u64, b: &u64) -> f64 {
///         a.abs_diff(*b) as f64 / 100.0
///     }
/// }
///
/// let (rng, mut evaluations) = (&mut Rng::new(1), 0);
/// let child = Even.child([&2, &8], 0.0, rng, &mut evaluations);
/// assert_eq!((child, evaluations), (Some(4), 1));
/// ```
pub trait Breed: Send + Sync {
    /// A candidate.
    type Genome: Clone + PartialEq + std::fmt::Debug + Send + Sync;

    /// Builds a feasible genome from nothing; `None` if that was given up.
    fn fresh(&self, rng: &mut crate::Rng, evaluations: &mut u64) -> Option<Self::Genome>;

    /// Makes a feasible genome of two parents: crosses them, takes each gene out with probability `mutation`, and mends
    /// what is left. `None` if it cannot be mended.
    fn child(
        &self,
        parents: [&Self::Genome; 2],
        mutation: f64,
        rng: &mut crate::Rng,
        evaluations: &mut u64,
    ) -> Option<Self::Genome>;

    /// What a genome costs; less is better.
    fn cost(&self, genome: &Self::Genome) -> i64;

    /// How far two genomes are from each other, 0 to 1.
    fn distance(&self, a: &Self::Genome, b: &Self::Genome) -> f64;
}
