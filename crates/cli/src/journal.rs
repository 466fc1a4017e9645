//! The journal of a solve (`--journal`, `--shard`).

use crate::{
    args,
    exit::{Failure, USAGE, note},
    text::count,
};
use std::sync::atomic::{AtomicBool, Ordering};
use unriddle_catalog::{
    Request,
    journal::{Journal, Piece},
    units::show_count,
    work::{FileJournal, Shard},
};

/// Journal in files that announces a wait.
pub(crate) struct Told {
    journal: FileJournal,
    has_told: AtomicBool,
}

impl Told {
    /// The journal that the options name, for an instance of a puzzle.
    ///
    /// # Errors
    /// Files that cannot be read or written, or are of another search.
    pub(crate) fn open(
        options: &args::Batch,
        (puzzle, instance): (&str, &str),
        request: &Request<'_>,
    ) -> Result<Option<Self>, Failure> {
        let Some(folder) = &options.journal else { return Ok(None) };
        let (solver, seed) = (request.solver.to_string(), request.seed.to_string());
        let revision = crate::identity().revision();
        let search = [
            ("puzzle", puzzle),
            ("instance", instance),
            ("solver", &solver),
            ("seed", &seed),
            ("revision", &revision),
        ];
        let shard = options.shard.unwrap_or(Shard::WHOLE);
        let journal = FileJournal::open(folder, &search, shard)?;
        if journal.pieces() > 0 {
            let pieces = count(journal.pieces() as i64, "pieces");
            note(&format!("{}: {pieces} known", folder.display()));
        }
        Ok(Some(Self { journal, has_told: AtomicBool::new(false) }))
    }

    /// Checks that a journal is asked for where it can be kept.
    ///
    /// # Errors
    /// Several instances.
    pub(crate) fn check(options: &args::Batch, instances: usize) -> Result<(), Failure> {
        if options.journal.is_some() && instances != 1 {
            let instances = show_count(instances as u64);
            let message = format!("--journal is for one instance, and these are {instances}");
            return Err(Failure::new(USAGE, message));
        }
        Ok(())
    }
}

impl Journal for Told {
    fn known(&self, bound: u64) -> Result<Vec<Piece>, String> {
        self.journal.known(bound)
    }

    fn add(&self, piece: &Piece) -> Result<(), String> {
        self.journal.add(piece)
    }

    fn is_mine(&self, number: u64) -> bool {
        self.journal.is_mine(number)
    }

    fn wait(&self, open: usize) {
        if !self.has_told.swap(true, Ordering::Relaxed) {
            let pieces = count(open as i64, "pieces");
            note(&format!(
                "own pieces are explored; waiting for {pieces} of other shards (Ctrl-C ends it, and the journal stays)"
            ));
        }
        self.journal.wait(open);
    }
}
