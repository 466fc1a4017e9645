//! Tuning the parameters of solvers: `unriddle tune`.
//!
//! A recipe names the puzzle, a generator of boards, a solver with `{placeholders}` for its
//! parameters, their bounds, and the settings of the Cross-Entropy Method or of an evolution
//! strategy (sep-CMA-ES), which suits dozens of weights. In each iteration all samples of the
//! parameters play the same new boards with the same seeds, so that only the parameters differ.
//! The fitness of a sample is its mean score, or, for assignments and for
//! puzzles with a goal, its mean cost (smaller is better). For puzzles with a goal it may also be
//! the mean number of generated states before the goal. At the end the centre of the distribution
//! is the answer, because the best single sample is also the luckiest. Random guessing has no
//! useful distribution: its answer is the best sample, and all of its iterations play the same
//! boards, so that their samples can be compared.
//!
//! A run has a folder with a checkpoint of every iteration, a journal of its games, a log, all
//! samples, a plot and the solver. A run that was killed continues from its last game. It writes
//! the same bytes as an uninterrupted run, for any number of threads, unless a time limit ends a
//! game.
//!
//! Reference: M. P. D. Schadd, M. H. M. Winands, M. J. W. Tak, J. W. H. M. Uiterwijk,
//! "Single-player Monte-Carlo tree search for SameGame", Knowledge-Based Systems 34 (2012),
//! sections 5 and 6.6. The paper does not define the seeds of games, the bounds, or the end of the
//! run; the recipe defines them.

mod files;
mod optimiser;
mod parameter;
mod read;
mod recipe;
mod run;
mod settings;

pub use parameter::Parameter;
pub use recipe::{GameLimits, Measure, Method, Recipe};
pub use run::tune;
pub use settings::Settings;
