//! Evolutionary optimisers of `unriddle` with an interface of requests and results: [`Ga::ask`]
//! returns genomes, the caller evaluates them in any way and on any number of threads, and
//! [`Ga::tell`] accepts the results.
//!
//! No result depends on the order or the time in which evaluations finish, so the same seed and the
//! same results give the same run, byte for byte, for any number of threads. An optimiser can be
//! saved between any two generations and continues from its checkpoint without a difference.
//!
//! | module | contents |
//! |---|---|
//! | [`genome`] | spaces of genomes: [`Reals`] in a box, [`Indices`] below n |
//! | [`variation`] | [`Variation`]: mutation and crossover of vectors |
//! | [`select`] | [`Selection`]: fitness-proportionate, by rank, by tournament |
//! | [`config`] | [`GaConfig`] |
//! | [`ga`] | [`Ga`]: the generational genetic algorithm |
//! | [`hybrid`], [`islands`] | [`Population`] of feasible candidates, bred and repaired, and [`Islands`] of populations |
//! | [`map_elites`] | [`MapElites`]: an archive of the cheapest candidate of every kind |
//! | [`cross_entropy`] | [`CrossEntropy`]: the Cross-Entropy Method for reals and whole numbers |
//! | [`cma_es`] | [`CmaEs`]: the separable CMA-ES for reals of any scale and noisy fitness |
//! | [`score`] | [`Scoring`]: fitness of a solver from its effort against a baseline's |
//! | [`coevolution`] | [`Coevolution`]: solvers against sets of instances (Hillis), or against random ones |
//! | [`stats`] | [`Generation`]: statistics of each generation |
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

#![forbid(unsafe_code)]

pub mod checkpoint;
pub mod cma_es;
pub mod coevolution;
pub mod config;
pub mod cross_entropy;
pub mod error;
pub mod ga;
pub mod genome;
pub mod hybrid;
pub mod islands;
pub mod map_elites;
mod normal;
mod plan;
pub mod score;
pub mod select;
pub mod similarity;
pub mod stats;
pub mod variation;

pub use cma_es::{CmaEs, CmaEsConfig, CmaEsGeneration, Recombination};
pub use coevolution::{Coevolution, CoevolutionConfig, Opponents, Round, SetConfig};
pub use config::GaConfig;
pub use cross_entropy::{CrossEntropy, CrossEntropyConfig, Dimension, Iteration};
pub use error::{CHECKPOINT_VERSION, CheckpointError, EvolveError};
pub use ga::{Best, Ga, Individual};
pub use genome::{Indices, Reals};
pub use hybrid::{HybridConfig, Population, Refresh};
pub use islands::{Islands, IslandsConfig};
pub use map_elites::{MapElites, MapElitesConfig};
pub use plan::{Job, Plan};
pub use score::{Scoring, Trial};
pub use select::Selection;
pub use similarity::Similarity;
pub use stats::Generation;
pub use unriddle_core::{Direction, Space, SpaceError};
pub use variation::{Crossover, Variation};
