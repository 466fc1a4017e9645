//! Tasks of long iterations as pieces of a journal.
//!
//! The division of an iteration into tasks depends only on the start and the bound, not on threads
//! or limits, so that a later run and other processes have the same tasks. An iteration is kept if
//! the iteration before it was not short; all processes explore the short ones by themselves. A
//! process that has explored its own pieces waits for the other processes.

use super::{ParallelIdaStar, State, Task};
use std::sync::PoisonError;
use unriddle_core::{
    SearchError,
    journal::{Journal, Piece},
};

/// Pieces of an iteration at least, if the tree has that many subtrees.
pub(super) const PIECES: usize = 1 << 12;

/// Least expansions of an iteration whose successor is kept: a second or so.
const LONG: u64 = 1 << 20;

impl<A> Task<'_, A> {
    /// The piece of an explored task.
    pub(super) fn piece(&self, bound: u64, pieces: usize, number: usize) -> Option<Piece> {
        let goal = match self.state {
            State::Done => None,
            State::Goal(cost) => Some(cost),
            State::Open | State::Inconsistent => return None,
        };
        let (expanded, generated) = (self.own.expanded, self.own.generated);
        let (pieces, number) = (pieces as u64, number as u64);
        let (next, cpu) = (self.next, self.cpu);
        Some(Piece { bound, pieces, number, expanded, generated, next, goal, cpu })
    }
}

impl<'a, A: Copy + Send + Sync> ParallelIdaStar<'a, A> {
    /// The journal, if it keeps this iteration.
    pub(super) fn kept(&self) -> Option<&'a dyn Journal> {
        self.journal.filter(|_| self.last >= LONG)
    }

    /// Takes over the pieces that the journal knows.
    ///
    /// # Errors
    /// A journal that cannot be read, or that is of another search.
    pub(super) fn take_known(&mut self) -> Result<(), SearchError> {
        let (Some(journal), bound) = (self.kept(), self.deepening.bound) else { return Ok(()) };
        let pieces = self.tasks.len() as u64;
        for piece in journal.known(bound).map_err(SearchError::Journal)? {
            let task = usize::try_from(piece.number).ok().and_then(|at| self.tasks.get_mut(at));
            let Some(task) = task.filter(|_| piece.pieces == pieces) else {
                let message = format!(
                    "the journal has piece {} of {} at the bound {bound}, and this search divides that bound into {pieces} pieces: the journal is of another search",
                    piece.number + 1,
                    piece.pieces
                );
                return Err(SearchError::Journal(message));
            };
            let task = task.get_mut().unwrap_or_else(PoisonError::into_inner);
            // This process ends a piece that it has begun.
            if task.state != State::Open || task.own.expanded > 0 {
                continue;
            }
            task.own.expanded = piece.expanded;
            task.own.generated = piece.generated;
            (task.next, task.cpu, task.is_known) = (piece.next, piece.cpu, true);
            self.deepening.stats.helper_cpu += piece.cpu;
            task.state = piece.goal.map_or(State::Done, State::Goal);
            if piece.goal.is_some() {
                self.winner = self.winner.min(piece.number as usize);
            }
        }
        self.sum();
        self.count(self.work);
        Ok(())
    }

    /// Waits for other processes, and takes over their pieces, if all own pieces are explored.
    /// Returns whether they are.
    ///
    /// # Errors
    /// Errors of [`take_known`](Self::take_known).
    pub(super) fn wait(&mut self) -> Result<bool, SearchError> {
        let Some(journal) = self.kept() else { return Ok(false) };
        let until = self.winner.saturating_add(1);
        let (mut mine, mut others) = (0, 0);
        for (number, task) in (0..).zip(self.tasks.iter_mut().take(until)) {
            let task = task.get_mut().unwrap_or_else(PoisonError::into_inner);
            if task.state == State::Open {
                *(if journal.is_mine(number) { &mut mine } else { &mut others }) += 1;
            }
        }
        if mine > 0 {
            return Ok(false);
        }
        journal.wait(others);
        self.take_known()?;
        Ok(true)
    }
}
