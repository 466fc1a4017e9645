//! A run of stages in a folder: the loop that evolution, tuning and training share.
//!
//! A run returns a stage of independent pieces of work. Several threads do the pieces, and the run
//! receives all results in the order of the pieces. It then writes its files, the checkpoint last.
//! A run that was killed continues from the last finished piece, and the results are the same bytes
//! for any number of threads.

use crate::{
    folder::Folder,
    journal::{Journal, Kept},
};
use std::path::PathBuf;
use unriddle_catalog::{
    Cancel,
    parallel::{Share, in_order_on},
    ranks::{Message, Ranks},
    work::WorkError,
};
use unriddle_evolve::EvolveError;

/// An event during a run, for a progress bar.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A stage begins.
    Stage {
        /// Its name for people.
        name: &'a str,
        /// Number of its pieces of work.
        pieces: usize,
        /// Number of the pieces that an earlier process finished.
        done: usize,
    },
    /// A piece of the stage is done.
    Piece,
    /// Progress of a stage that is not counted in pieces.
    At {
        /// Finished part.
        done: u64,
        /// Name of the finished things, for people.
        what: &'a str,
    },
    /// A line about a stage that is done and saved.
    Note(&'a str),
}

/// The environment of a run. Results do not depend on it.
#[derive(Clone, Copy)]
pub struct RunContext<'a> {
    /// The program's revision, for the files that the run writes.
    pub revision: &'a str,
    /// The processes that share the work. All of them run the same recipe.
    pub ranks: &'a dyn Ranks,
    /// Threads of each rank at most.
    pub jobs: usize,
    /// Ends the run. The same run resumes after the last finished piece of work.
    pub cancel: &'a Cancel,
    /// Callback for events.
    pub tell: &'a (dyn Fn(Event<'_>) + Sync),
}

/// A run that came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// The file that it was made for.
    pub file: PathBuf,
    /// The result for people.
    pub summary: String,
}

/// A stage of a run: pieces of work that do not depend on each other.
pub(crate) struct Stage {
    /// Its number in the run.
    pub(crate) number: u64,
    /// Its name for people.
    pub(crate) name: String,
    /// Number of its pieces of work.
    pub(crate) pieces: usize,
    /// Finished part and total, if people see this stage as part of a longer one.
    pub(crate) of: Option<(u64, u64)>,
}

/// The result of a piece of work. Ranks send it to each other as a result that is not fresh.
#[derive(Clone, Debug)]
pub(crate) struct Done<T> {
    pub(crate) result: T,
    /// Whether it is of this process, and not from the journal.
    pub(crate) is_fresh: bool,
}

impl<T: Kept> Message for Done<T> {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self.is_fresh));
        self.result.send(bytes);
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (&is_fresh, result) = bytes.split_first()?;
        Some(Self { result: T::receive(result)?, is_fresh: is_fresh == 1 })
    }
}

/// A run of stages.
pub(crate) trait Run: Sync {
    /// The result of a piece of work.
    type Result: Kept;

    /// The next stage. It stays the same until [`tell`](Self::tell) receives its results. `None` at
    /// the end.
    fn stage(&mut self) -> Result<Option<Stage>, WorkError>;

    /// Does a piece of the stage; `None` if it was cancelled.
    fn piece(&self, number: usize, cancel: &Cancel) -> Result<Option<Self::Result>, WorkError>;

    /// Takes the results of the stage in the order of its pieces, and writes the files that follow,
    /// the checkpoint last. Returns a line about them. All ranks call it; results that are not
    /// [shared](Kept::IS_SHARED) are on rank 0.
    fn tell(&mut self, results: Vec<Done<Self::Result>>) -> Result<Option<String>, WorkError>;
}

/// The file of the optimiser of a run.
pub(crate) const CHECKPOINT: &str = "checkpoint.json";

/// The optimiser of a run that was begun; `None` if the folder has no checkpoint.
///
/// # Errors
/// The checkpoint cannot be read, or does not fit the recipe.
pub(crate) fn restored<O>(
    folder: &Folder<'_>,
    load: impl Fn(&str) -> Result<O, EvolveError>,
    fits: impl Fn(&O) -> bool,
) -> Result<Option<O>, WorkError> {
    let Some(text) = folder.read(CHECKPOINT)? else {
        return Ok(None);
    };
    let run = load(&text).map_err(|e| folder.failed(CHECKPOINT, &e))?;
    if !fits(&run) {
        return Err(folder.failed(CHECKPOINT, &"it is not of the recipe beside it"));
    }
    Ok(Some(run))
}

/// Runs all stages; `None` if it was cancelled.
///
/// # Errors
/// The first error of the run, or of a file in its folder.
pub(crate) fn drive<R: Run>(
    run: &mut R,
    folder: &Folder<'_>,
    context: &RunContext<'_>,
) -> Result<Option<()>, WorkError> {
    let mut shown = None;
    while let Some(stage) = run.stage()? {
        let open = || Journal::open(folder, stage.number, stage.pieces);
        let journal = R::Result::IS_KEPT.then(open).transpose()?;
        let known = |number| journal.as_ref().and_then(|journal| journal.get(number));
        let (pieces, done) = match (stage.of, &journal) {
            (Some((done, all)), _) => (all as usize, done as usize),
            (None, Some(journal)) => (stage.pieces, journal.known()),
            (None, None) => (stage.pieces, 0),
        };
        let name = &stage.name;
        let is_shown = stage.of.is_some() && shown.as_ref() == Some(name);
        (context.tell)(if is_shown {
            Event::At { done: done as u64, what: name }
        } else {
            Event::Stage { name, pieces, done }
        });
        shown = Some(stage.name.clone());
        let piece = |number: usize| {
            if let Some(result) = known(number) {
                return Ok(Some(Done { result, is_fresh: false }));
            }
            let Some(result) = run.piece(number, context.cancel)? else {
                return Ok(None);
            };
            // The journal is written at once; results of other ranks come later.
            if let Some(journal) = journal.as_ref().filter(|_| context.ranks.size() == 1) {
                journal.add(number, &result)?;
            }
            if stage.of.is_none() {
                (context.tell)(Event::Piece);
            }
            Ok(Some(Done { result, is_fresh: true }))
        };
        let mut arrived = |number: usize, done: &Done<R::Result>| {
            if let Some(journal) =
                journal.as_ref().filter(|_| context.ranks.size() > 1 && done.is_fresh)
            {
                journal.add(number, &done.result)?;
            }
            Ok(())
        };
        let share =
            Share { count: stage.pieces, jobs: context.jobs, is_shared: R::Result::IS_SHARED };
        let results = in_order_on(
            context.ranks,
            share,
            context.cancel,
            &piece,
            &mut arrived,
            &WorkError::Worker,
        );
        let Some(results) = results? else {
            return Ok(None);
        };
        if let Some(note) = run.tell(results)? {
            (context.tell)(Event::Note(&note));
        }
    }
    Ok(Some(()))
}
