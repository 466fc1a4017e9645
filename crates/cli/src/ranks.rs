//! Ranks of the run: one, unless `mpirun` started the program as several processes.
//!
//! Rank 0 writes results, files and messages. The other ranks run the same command and write only
//! errors of their own.

use crate::exit::{Failure, INPUT, USAGE};
use std::sync::OnceLock;
use unriddle_catalog::ranks::{Alone, Ranks, differing};

#[cfg(feature = "mpi")]
mod mpi;

/// Ranks of any transport.
type AnyRanks = dyn Ranks + Send + Sync;

static RANKS: OnceLock<Box<AnyRanks>> = OnceLock::new();

/// The ranks of the run.
pub(crate) fn ranks() -> &'static dyn Ranks {
    RANKS.get().map_or(&Alone, |ranks| &**ranks)
}

/// Whether this process writes results and messages.
pub(crate) fn is_first() -> bool {
    ranks().rank() == 0
}

/// Whether there are several ranks.
pub(crate) fn are_several() -> bool {
    ranks().size() > 1
}

/// Variables of the environment in which common implementations of MPI give the number of
/// processes.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"];

/// The same for the rank of this process.
const RANK_NUMBERS: [&str; 2] = ["OMPI_COMM_WORLD_RANK", "PMI_RANK"];

/// The largest number that one of some variables has.
fn largest(variables: &[&str]) -> Option<usize> {
    variables.iter().filter_map(|name| std::env::var(name).ok()?.parse().ok()).max()
}

/// A failure before the ranks know of each other, which only the first rank reports.
fn refused(code: u8, message: String) -> Failure {
    let is_first = largest(&RANK_NUMBERS).is_none_or(|rank| rank == 0);
    Failure::new(code, if is_first { message } else { String::new() })
}

/// Begins a command on the ranks that a launcher started, if there are several. `goes` is whether
/// the command runs on several ranks.
///
/// # Errors
/// The command or the program does not run on several ranks, or the programs of two ranks differ.
pub(crate) fn begin(goes: bool) -> Result<(), Failure> {
    // Number of processes that an MPI launcher started.
    let count = largest(&SIZES).unwrap_or(1);
    if count < 2 {
        return Ok(());
    }
    let name = crate::identity().name;
    if !goes {
        let message = format!(
            "this command runs as one process, and {count} were started; \
             solve, validate, evolve, tune and train run on several ranks"
        );
        return Err(refused(USAGE, message));
    }
    begin_all(count, name)
}

#[cfg(not(feature = "mpi"))]
fn begin_all(count: usize, name: &str) -> Result<(), Failure> {
    let message = format!(
        "{count} processes were started, but {name} was built without MPI; \
         build it with `cargo build --release --features mpi`"
    );
    Err(refused(crate::exit::UNSUPPORTED, message))
}

#[cfg(feature = "mpi")]
fn begin_all(_: usize, _: &str) -> Result<(), Failure> {
    let begun = mpi::Mpi::begin().map_err(|why| Failure::new(crate::exit::UNSUPPORTED, why))?;
    if begun.rank() > 0 {
        crate::exit::silence();
    }
    let _ = RANKS.set(Box::new(begun));
    let identity = crate::identity();
    let build = match std::env::current_exe().map(|path| unriddle_lab::build_of(&path)) {
        Ok(Ok(build)) => build,
        _ => String::new(),
    };
    same("the program", format!("{} {build}", identity.description()).as_bytes())
}

/// Checks that something is the same on all ranks, which call this together.
///
/// # Errors
/// The lowest rank on which it differs from rank 0.
pub(crate) fn same(what: &str, bytes: &[u8]) -> Result<(), Failure> {
    match differing(ranks(), bytes) {
        None => Ok(()),
        Some(rank) => {
            let message = format!("rank {rank} and rank 0 differ in {what}");
            Err(Failure::new(INPUT, message))
        }
    }
}

/// Checks that the texts of instances are the same on all ranks, which call this together.
///
/// # Errors
/// The lowest rank with other instances than rank 0.
pub(crate) fn same_instances(texts: &[String]) -> Result<(), Failure> {
    let what = "the instances (only rank 0 reads standard input: give a file)";
    same(what, texts.join("\n").as_bytes())
}

/// Ends the run of this rank. Returns only where all ranks have ended.
///
/// A rank that failed waits for rank 0, which mostly reports the same; otherwise it reports its own
/// failure and ends all ranks.
pub(crate) fn end(failure: Option<&Failure>) {
    #[cfg(feature = "mpi")]
    if are_several() {
        return mpi::end(ranks(), failure);
    }
    if let Some(failure) = failure {
        failure.report();
    }
}
