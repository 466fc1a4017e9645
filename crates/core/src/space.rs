//! Spaces of genomes (teams, weights, parameters) that an evolutionary optimiser varies.

/// Direction of an objective: whether smaller or larger values are better.
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

/// Error of an invalid space of genomes, or of a genome outside its space.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpaceError(pub String);

/// Space of genomes: creates and varies them for an evolutionary optimiser.
///
/// A space does not evaluate: an optimiser proposes genomes and receives their fitness. The
/// parameters of the operators (the rate of mutation, the kind of crossover) belong to the space,
/// so that any genome fits any optimiser.
///
/// All randomness comes from the given generator. Genomes made here belong to the space, and
/// operators keep them in it.
///
/// ```
/// use unriddle_core::{Rng, Space, SpaceError};
///
/// /// Numbers from 0 to a maximum.
/// struct UpTo(u64);
///
/// impl Space for UpTo {
///     type Genome = u64;
///
///     fn validate(&self) -> Result<(), SpaceError> {
///         Ok(())
///     }
///     fn check(&self, number: &u64) -> Result<(), SpaceError> {
///         if *number <= self.0 {
///             return Ok(());
///         }
///         Err(SpaceError(format!("{number} is more than {}", self.0)))
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

    /// Checks the space itself: bounds in order, rates within 0..=1.
    ///
    /// # Errors
    /// [`SpaceError`] with the reason.
    fn validate(&self) -> Result<(), SpaceError>;

    /// Checks whether a genome belongs to the space.
    ///
    /// # Errors
    /// [`SpaceError`] with the reason.
    fn check(&self, genome: &Self::Genome) -> Result<(), SpaceError>;

    /// A random genome.
    fn random(&self, rng: &mut crate::Rng) -> Self::Genome;

    /// Changes the genome at random; the result may equal the original.
    fn mutate(&self, genome: &mut Self::Genome, rng: &mut crate::Rng);

    /// Replaces two parents by their two children.
    fn cross(&self, a: &mut Self::Genome, b: &mut Self::Genome, rng: &mut crate::Rng);

    /// Diversity of the genomes: 0 if all are equal.
    fn diversity(&self, genomes: &[Self::Genome]) -> f64;
}

/// Candidates that are constructed and repaired, so that all of them are feasible, for hybrid
/// genetic algorithms.
///
/// All randomness comes from the given generator. A failed attempt counts as an evaluation as well,
/// so that optimisers can be compared by evaluations.
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
///     fn child(
///         &self,
///         [a, b]: [&u64; 2],
///         _: f64,
///         _: &mut Rng,
///         evaluations: &mut u64,
///     ) -> Option<u64> {
///         *evaluations += 1;
///         // The mean is repaired where it is odd.
///         Some((a + b) / 2 & !1)
///     }
///     fn cost(&self, number: &u64) -> i64 {
///         *number as i64
///     }
///     fn distance(&self, a: &u64, b: &u64) -> f64 {
///         a.abs_diff(*b) as f64 / 100.0
///     }
///     fn entropy(&self, _: &u64) -> f64 {
///         0.0
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

    /// Constructs a feasible genome; `None` if the attempt was given up.
    fn fresh(&self, rng: &mut crate::Rng, evaluations: &mut u64) -> Option<Self::Genome>;

    /// Makes a feasible genome of two parents: crosses them, removes each gene with probability
    /// `mutation`, and repairs the result. `None` if it cannot be repaired.
    fn child(
        &self,
        parents: [&Self::Genome; 2],
        mutation: f64,
        rng: &mut crate::Rng,
        evaluations: &mut u64,
    ) -> Option<Self::Genome>;

    /// Cost of a genome; less is better.
    fn cost(&self, genome: &Self::Genome) -> i64;

    /// Distance of two genomes, from 0 to 1.
    fn distance(&self, a: &Self::Genome, b: &Self::Genome) -> f64;

    /// [Entropy](entropy) of the parts of a genome, in bits: 0 where all parts are alike.
    fn entropy(&self, genome: &Self::Genome) -> f64;
}

/// Shannon entropy of a distribution that is given by the counts of its values, in bits.
///
/// ```
/// use unriddle_core::space::entropy;
///
/// assert_eq!(entropy([4]), 0.0);
/// assert_eq!(entropy([1, 1, 0, 2]), 1.5);
/// ```
#[must_use]
pub fn entropy(counts: impl IntoIterator<Item = u32, IntoIter: Clone>) -> f64 {
    let counts = counts.into_iter().filter(|&count| count > 0).map(f64::from);
    let total: f64 = counts.clone().sum();
    counts.map(|count| count / total * (total / count).log2()).sum()
}
