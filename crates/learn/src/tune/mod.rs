//! Tuning the parameters of solvers: `unriddle tune`.
//!
//! A recipe names the puzzle, a generator of boards, a solver with `{placeholders}` for its
//! parameters, their bounds, and the settings of the Cross-Entropy Method. In each iteration all
//! samples of the parameters play the same new boards with the same seeds, so that they differ by
//! nothing but the parameters. The fitness of a sample is its mean score, or, for assignments and for puzzles
//! with a goal, its mean cost, of which less is better; for puzzles with a goal it may also be the mean number of
//! states that are generated until it is reached. At the end the centre of the distribution is the answer,
//! because the best single sample is also the luckiest. Random guessing has no useful distribution:
//! its answer is the best sample, and all of its iterations play the same boards, so that their
//! samples can be compared.
//!
//! A run lives in a folder: a checkpoint of every iteration, a journal of its games, a log, all
//! samples, a plot and the solver. A run that is killed at any moment continues from its last game.
//! It writes the same bytes as an uninterrupted run, for any number of threads, unless a time limit
//! ends a game.
//!
//! Reference: M. P. D. Schadd, M. H. M. Winands, M. J. W. Tak, J. W. H. M. Uiterwijk, "Single-player
//! Monte-Carlo tree search for SameGame", Knowledge-Based Systems 34 (2012), sections 5 and 6.6. There nothing
//! is said of the seeds of games, of the bounds, or of the end of the run: those are the recipe's.

mod files;
mod parameter;
mod read;
mod recipe;
mod run;

pub use parameter::Parameter;
pub use recipe::{GameLimits, Measure, Method, Recipe};
pub use run::tune;
