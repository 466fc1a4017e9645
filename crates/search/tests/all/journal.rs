//! Iterative-deepening A* with a journal: kills, and processes that share a search.

use crate::common::*;
use std::{
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};
use unriddle_core::{
    Progress, Quota, Rng, Search, SearchError, Solution,
    journal::{Journal, Piece},
};
use unriddle_search::idastar::{IdaStar, parallel::ParallelIdaStar};

/// The pieces of all processes.
#[derive(Default)]
struct Pieces(Mutex<Vec<Piece>>);

impl Pieces {
    fn all(&self) -> Vec<Piece> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The journal of process `k` of `n`.
struct Part<'a> {
    pieces: &'a Pieces,
    k: u64,
    n: u64,
}

impl Journal for Part<'_> {
    fn known(&self, bound: u64) -> Result<Vec<Piece>, String> {
        Ok(self.pieces.all().into_iter().filter(|piece| piece.bound == bound).collect())
    }

    fn add(&self, piece: &Piece) -> Result<(), String> {
        self.pieces.0.lock().unwrap_or_else(PoisonError::into_inner).push(*piece);
        Ok(())
    }

    fn is_mine(&self, number: u64) -> bool {
        number % self.n == self.k
    }

    fn wait(&self, open: usize) {
        assert!(open > 0);
        thread::sleep(Duration::from_millis(1));
    }
}

/// A 15-puzzle of some million expansions.
fn board() -> Sliding {
    Sliding::scrambled(4, 4, 400, &mut Rng::new(3))
}

type End = (Solution<u8>, u64, u64);

/// Advances a search to its end, or until more than `most` states are expanded.
fn advance(search: &mut dyn Search<Action = u8>, most: u64) -> Option<End> {
    loop {
        let done = search.stats().expanded;
        if done > most {
            return None;
        }
        let quota = Quota { expanded: done + 100_000, ..Quota::UNLIMITED };
        match search.advance(&quota, &mut ()) {
            Progress::Running => {}
            Progress::Finished(outcome) => {
                let stats = search.stats();
                let best = outcome.best().expect("a solution").clone();
                return Some((best, stats.expanded, stats.generated));
            }
            other => panic!("{other:?}"),
        }
    }
}

fn search<'a>(puzzle: &'a Sliding, part: &'a Part<'_>, threads: usize) -> ParallelIdaStar<'a, u8> {
    let search = ParallelIdaStar::new(puzzle, &Manhattan, threads).expect("small states");
    search.with_journal(Some(part))
}

#[test]
fn a_search_resumes_after_a_kill_and_is_shared() {
    let puzzle = board();
    let mut alone = IdaStar::new(&puzzle, &Manhattan).expect("small states");
    let end = advance(&mut alone, u64::MAX).expect("no limit");
    assert!(end.1 > 4_000_000, "{} expansions have no long iterations", end.1);
    let pieces = Pieces::default();
    let whole = Part { pieces: &pieces, k: 0, n: 1 };
    // Killed twice, with another number of threads each time.
    for (most, threads) in [(end.1 / 3, 1), (end.1 / 3 * 2, 2)] {
        let killed = advance(&mut search(&puzzle, &whole, threads), most);
        assert!(killed.is_none() && !pieces.all().is_empty());
    }
    let known = pieces.all().len();
    assert_eq!(advance(&mut search(&puzzle, &whole, 1), u64::MAX).as_ref(), Some(&end));
    assert!(pieces.all().len() > known);
    // With everything known little is left, and the counts are the same.
    let all = pieces.all().len();
    assert_eq!(advance(&mut search(&puzzle, &whole, 1), u64::MAX).as_ref(), Some(&end));
    assert_eq!(pieces.all().len(), all);
    // Two processes side by side.
    let pieces = Pieces::default();
    let process =
        |k| advance(&mut search(&puzzle, &Part { pieces: &pieces, k, n: 2 }, 1), u64::MAX);
    let ends =
        thread::scope(|scope| [0, 1].map(|k| scope.spawn(move || process(k))).map(|h| h.join()));
    for other in ends {
        assert_eq!(other.expect("no panic").as_ref(), Some(&end));
    }
}

#[test]
fn a_journal_of_another_search_is_refused() {
    let puzzle = board();
    let pieces = Pieces::default();
    let whole = Part { pieces: &pieces, k: 0, n: 1 };
    let mut first = search(&puzzle, &whole, 1);
    let end = advance(&mut first, u64::MAX).expect("no limit");
    let mut wrong = pieces.all()[0];
    wrong.pieces += 1;
    let pieces = Pieces(Mutex::new(vec![wrong]));
    let whole = Part { pieces: &pieces, k: 0, n: 1 };
    let mut second = search(&puzzle, &whole, 1);
    let quota = Quota { expanded: end.1, ..Quota::UNLIMITED };
    let failed = loop {
        match second.advance(&quota, &mut ()) {
            Progress::Running => {}
            Progress::Failed(error) => break error,
            other => panic!("{other:?}"),
        }
    };
    let SearchError::Journal(message) = failed else { panic!("{failed}") };
    assert!(message.contains("the journal is of another search"), "{message}");
}
