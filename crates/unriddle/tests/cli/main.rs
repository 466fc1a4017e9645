//! The program from the user's view: arguments, files and signals in; text, records and exit codes
//! out.

mod analyse;
mod cache;
mod check;
mod compare;
mod estimate;
#[cfg(unix)]
mod examples;
mod explain;
mod field;
mod freecell;
#[cfg(all(unix, feature = "train"))]
mod gpu;
mod improve;
#[cfg(unix)]
mod journal;
mod lab;
mod morpion;
mod outputs;
#[cfg(unix)]
mod own_puzzle;
mod papers;
mod party;
mod place;
#[cfg(all(unix, feature = "mpi"))]
mod ranks;
mod refusals;
mod results;
mod samegame;
#[cfg(all(unix, feature = "studio"))]
mod serve;
#[cfg(unix)]
mod signals;
mod slurm;
mod solve;
mod strangers;
#[cfg(unix)]
mod terminal;
mod tune;
mod validate;
