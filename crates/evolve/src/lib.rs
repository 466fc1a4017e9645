//! Evolutionary optimisers of `unriddle`, as ask/tell: the optimiser is *asked* for genomes, the caller
//! evaluates them in whatever way and on however many threads it likes, and *tells* the results.
//!
//! Nothing here depends on the order or the time in which evaluations finish, so the same seed and the
//! same results give the same run, byte for byte, for any number of threads. An optimiser can be saved
//! between any two generations and goes on from its checkpoint as if it had never stopped.
//!
//! | module | what it holds |
//! |---|---|
//! | [`genome`] | spaces of genomes: [`Reals`] in a box, [`Indices`] below n |
//! | [`variation`] | [`Variation`]: mutation and crossover of vectors |
//! | [`select`] | [`Selection`]: fitness-proportionate, by rank, by tournament |
//! | [`config`] | [`GaConfig`] |
//! | [`ga`] | [`Ga`]: the generational genetic algorithm |
//! | [`hybrid`], [`islands`] | [`Population`] of feasible candidates, bred and mended, and [`Islands`] of them |
//! | [`map_elites`] | [`MapElites`]: an archive of the cheapest candidate of every kind |
//! | [`cross_entropy`] | [`CrossEntropy`]: the Cross-Entropy Method for reals and whole numbers |
//! | [`score`] | [`Scoring`]: fitness of a solver from its effort against a baseline's |
//! | [`coevolution`] | [`Coevolution`]: solvers against sets of instances (Hillis), or against random ones |
//! | [`stats`] | [`Generation`]: what is remembered of each generation |
//! | [`checkpoint`] | the text of a saved optimiser |
//! | [`error`] | [`EvolveError`] |
//!
//! ```
//! use unriddle_evolve::{Ga, GaConfig, Reals};
//!
//! let mut ga = Ga::new(Reals::unit(3), GaConfig::default(), 1)?;
//! for _ in 0..20 {
//!     let fitness: Vec<f64> = ga.ask().iter().map(|genome| genome.iter().sum()).collect();
//!     ga.tell(&fitness)?;
//! }
//! assert!(ga.best().is_some_and(|best| best.fitness > 2.0));
//! # Ok::<(), unriddle_evolve::EvolveError>(())
//! ```

pub mod checkpoint;
pub mod coevolution;
pub mod config;
pub mod cross_entropy;
pub mod error;
pub mod ga;
pub mod genome;
pub mod hybrid;
pub mod islands;
pub mod map_elites;
mod plan;
pub mod score;
pub mod select;
pub mod stats;
pub mod variation;

pub use checkpoint::CheckpointError;
pub use coevolution::{Coevolution, CoevolutionConfig, Opponents, Round, SetConfig};
pub use config::GaConfig;
pub use cross_entropy::{CrossEntropy, CrossEntropyConfig, Dimension, Iteration};
pub use error::EvolveError;
pub use ga::{Best, Ga, Individual};
pub use genome::{Indices, Reals};
pub use hybrid::{HybridConfig, Population, Refresh};
pub use islands::{Islands, IslandsConfig, Similarity};
pub use map_elites::{MapElites, MapElitesConfig};
pub use plan::{Job, Plan};
pub use score::{Scoring, Trial};
pub use select::Selection;
pub use stats::Generation;
pub use unriddle_core::{Direction, Space, SpaceError};
pub use variation::{Crossover, Variation};
