//! Work that rank 0 hands out.
//!
//! Every rank does pieces on threads of its own, rank 0 as well. A thread that is free asks for the
//! next piece, so that a slow rank does less. Rank 0 receives all results and hands them on in the
//! order of the pieces.

use super::{Message, Ranks};
use crate::parallel::try_for_each_in_order;
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, Scope},
    time::{Duration, Instant},
};

/// Results that may wait for an earlier one, for each thread of each rank.
const WAITING: usize = 64;

/// Time that rank 0 waits for the others after a failure. A rank that was lost never answers.
const GRACE: Duration = Duration::from_millis(500);

/// Time between two looks for messages while nothing happens.
const PAUSE: Duration = Duration::from_micros(200);

/// Messages between rank 0 and the others; the first byte of each.
mod kind {
    /// To rank 0: a thread is free.
    pub(super) const FREE: u8 = 0;
    /// To rank 0: the number of a piece and its result.
    pub(super) const RESULT: u8 = 1;
    /// To rank 0: the number of a piece and why it failed.
    pub(super) const FAILED: u8 = 2;
    /// To rank 0: this rank has ended.
    pub(super) const ENDED: u8 = 3;
    /// To another rank: the number of a piece to do.
    pub(super) const PIECE: u8 = 4;
    /// To another rank: all is done, or is not to be done.
    pub(super) const END: u8 = 5;
}

/// Work in pieces that do not depend on each other.
pub struct Pieces<'w, T, E> {
    /// Number of pieces.
    pub count: usize,
    /// Threads of each rank.
    pub threads: usize,
    /// Does a piece.
    pub work: &'w (dyn Fn(usize) -> Result<T, E> + Sync),
    /// Called on a rank that has to end while it works, to cancel its work.
    pub end: &'w dyn Fn(),
    /// The error of a rank and its message, as an error of this rank.
    pub failed: &'w dyn Fn(usize, String) -> E,
}

/// Hands out pieces of work to the threads of all ranks. On rank 0 `take` receives the results in
/// the order of the pieces, each as soon as all earlier ones exist. All ranks call it together.
///
/// ```
/// use unriddle_core::ranks::{hand_out::{Pieces, hand_out}, threads};
///
/// let all = threads(3, |ranks| {
///     let mut taken = Vec::new();
///     let pieces = Pieces {
///         count: 4,
///         threads: 1,
///         work: &|number| Ok(number.to_string()),
///         end: &|| {},
///         failed: &|_, why| why,
///     };
///     hand_out(ranks, &pieces, &mut |text| Ok(taken.push(text)))?;
///     Ok::<_, String>(taken)
/// });
/// assert_eq!(all[0].as_deref(), Ok(&["0", "1", "2", "3"].map(String::from)[..]));
/// assert_eq!(all[1].as_deref(), Ok(&[][..]));
/// ```
///
/// # Errors
/// On rank 0 the first error of `work` on any rank, else the first error of `take`. Nothing further
/// is begun after an error. Other ranks return their own first error, which rank 0 returns as well.
///
/// # Panics
/// If a call of `work` or of `take` panics.
pub fn hand_out<T: Message + Send, E: ToString + Send>(
    ranks: &dyn Ranks,
    pieces: &Pieces<'_, T, E>,
    take: &mut dyn FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    match (ranks.size(), ranks.rank()) {
        (1, _) => try_for_each_in_order(pieces.count, pieces.threads, pieces.work, take),
        (_, 0) => lead(ranks, pieces, take),
        _ => follow(ranks, pieces),
    }
}

/// Threads of a rank, which take numbers of pieces and send results. They end when `numbers` is
/// dropped.
struct Crew<T, E> {
    numbers: Sender<usize>,
    finished: Receiver<(usize, Result<T, E>)>,
}

impl<T: Send, E: Send> Crew<T, E> {
    fn new<'s>(
        scope: &'s Scope<'s, '_>,
        threads: usize,
        work: &'s (dyn Fn(usize) -> Result<T, E> + Sync),
    ) -> Self
    where
        T: 's,
        E: 's,
    {
        let (numbers, given) = mpsc::channel();
        let (results, finished) = mpsc::channel();
        let given = Arc::new(Mutex::new(given));
        for _ in 0..threads {
            let (given, results) = (Arc::clone(&given), results.clone());
            let next = move || given.lock().unwrap_or_else(PoisonError::into_inner).recv();
            scope.spawn(move || {
                while let Ok(number) = next() {
                    if results.send((number, work(number))).is_err() {
                        return;
                    }
                }
            });
        }
        Self { numbers, finished }
    }

    fn give(&self, number: usize) {
        // Threads that have ended are noticed where their results are awaited.
        let _ = self.numbers.send(number);
    }
}

fn message(kind: u8, number: usize) -> Vec<u8> {
    let mut bytes = vec![kind];
    bytes.extend_from_slice(&(number as u64).to_le_bytes());
    bytes
}

/// The number of a piece in a message, and the bytes behind it.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    Some((usize::try_from(u64::from_le_bytes(*number)).ok()?, rest))
}

/// Rank 0.
fn lead<T: Message + Send, E: ToString + Send>(
    ranks: &dyn Ranks,
    pieces: &Pieces<'_, T, E>,
    take: &mut dyn FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let (threads, work) = (pieces.threads.max(1), pieces.work);
    thread::scope(|scope| {
        let crew = Crew::new(scope, threads, work);
        let mut lead = Lead {
            ranks,
            pieces,
            begun: 0,
            taken: 0,
            most: WAITING * threads * ranks.size(),
            waiting: BTreeMap::new(),
            failed: None,
            // Rank 0 comes first: its threads are free from the beginning.
            free: std::iter::repeat_n(0, threads).collect(),
        };
        while !lead.is_over() {
            lead.give(&mut |number| crew.give(number));
            let mut is_idle = true;
            while let Some((from, bytes)) = ranks.receive() {
                is_idle = false;
                lead.hear(from, &bytes);
            }
            let pause = if is_idle { PAUSE } else { Duration::ZERO };
            match crew.finished.recv_timeout(pause) {
                Ok((number, result)) => {
                    lead.free.push(0);
                    lead.finish(number, result);
                    while let Ok((number, result)) = crew.finished.try_recv() {
                        lead.free.push(0);
                        lead.finish(number, result);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                // A thread panicked; the scope passes it on.
                Err(RecvTimeoutError::Disconnected) => break,
            }
            lead.pass_on(take);
        }
        drop(crew.numbers);
        let mut left = ranks.size() - 1;
        (1..ranks.size()).for_each(|rank| ranks.send(rank, vec![kind::END]));
        let ended = Instant::now();
        while left > 0 && (lead.failed.is_none() || ended.elapsed() < GRACE) {
            match ranks.receive() {
                Some((_, bytes)) if bytes.first() == Some(&kind::ENDED) => left -= 1,
                // Results of pieces that were under way when the work was ended.
                Some((from, bytes)) => lead.hear(from, &bytes),
                None => thread::sleep(PAUSE),
            }
        }
        while let Ok((number, result)) = crew.finished.recv() {
            lead.finish(number, result);
        }
        lead.pass_on(take);
        let Some((_, error)) = lead.failed else { return Ok(()) };
        // Nothing that was done is lost, also behind a piece that failed.
        let _ = lead.waiting.into_values().try_for_each(take);
        Err(error)
    })
}

/// State of rank 0.
struct Lead<'w, T, E> {
    ranks: &'w dyn Ranks,
    pieces: &'w Pieces<'w, T, E>,
    /// Number of pieces that were handed out, which are the first ones.
    begun: usize,
    /// Number of results that were passed on.
    taken: usize,
    /// Largest number of results that wait for an earlier one.
    most: usize,
    waiting: BTreeMap<usize, T>,
    /// The error of the lowest number.
    failed: Option<(usize, E)>,
    /// Ranks with a free thread, once for each.
    free: Vec<usize>,
}

impl<T: Message, E> Lead<'_, T, E> {
    fn is_over(&self) -> bool {
        self.failed.is_some() || self.taken == self.pieces.count
    }

    /// Hands out pieces to free threads; `own` receives the pieces of rank 0.
    fn give(&mut self, own: &mut dyn FnMut(usize)) {
        while self.begun < self.pieces.count
            && self.begun < self.taken + self.most
            && self.failed.is_none()
            && !self.free.is_empty()
        {
            match self.free.remove(0) {
                0 => own(self.begun),
                rank => self.ranks.send(rank, message(kind::PIECE, self.begun)),
            }
            self.begun += 1;
        }
    }

    /// Takes a message of another rank.
    fn hear(&mut self, from: usize, bytes: &[u8]) {
        let Some((&kind, rest)) = bytes.split_first() else { return };
        if kind == kind::FREE {
            self.free.push(from);
        } else if let Some((number, rest)) = number(rest) {
            let result = match kind {
                kind::RESULT => T::read(rest).ok_or_else(|| "a damaged message".to_owned()),
                _ => Err(String::from_utf8_lossy(rest).into_owned()),
            };
            self.finish(number, result.map_err(|why| (self.pieces.failed)(from, why)));
        }
    }

    fn finish(&mut self, number: usize, result: Result<T, E>) {
        match result {
            Ok(result) => drop(self.waiting.insert(number, result)),
            Err(error) => {
                if self.failed.as_ref().is_none_or(|&(first, _)| number < first) {
                    self.failed = Some((number, error));
                }
            }
        }
    }

    /// Passes on the results that follow the last result.
    fn pass_on(&mut self, take: &mut dyn FnMut(T) -> Result<(), E>) {
        while let Some(result) = self.waiting.remove(&self.taken) {
            if let Err(error) = take(result) {
                self.failed.get_or_insert((self.taken, error));
                self.waiting.clear();
                return;
            }
            self.taken += 1;
        }
    }
}

/// A rank other than 0.
fn follow<T: Message + Send, E: ToString + Send>(
    ranks: &dyn Ranks,
    pieces: &Pieces<'_, T, E>,
) -> Result<(), E> {
    let (threads, work) = (pieces.threads.max(1), pieces.work);
    thread::scope(|scope| {
        let crew = Crew::new(scope, threads, work);
        (0..threads).for_each(|_| ranks.send(0, vec![kind::FREE]));
        let (mut running, mut is_over, mut failed) = (0, false, None);
        let mut send = |(number, result): (usize, Result<T, E>)| {
            let mut bytes = message(kind::RESULT, number);
            match result {
                Ok(result) => result.write(&mut bytes),
                Err(error) => {
                    bytes[0] = kind::FAILED;
                    bytes.extend_from_slice(error.to_string().as_bytes());
                    failed.get_or_insert(error);
                }
            }
            ranks.send(0, bytes);
            ranks.send(0, vec![kind::FREE]);
        };
        while !is_over || running > 0 {
            let mut is_idle = true;
            while let Some((_, bytes)) = ranks.receive() {
                is_idle = false;
                match bytes.split_first() {
                    Some((&kind::PIECE, rest)) => {
                        if let Some((number, _)) = number(rest) {
                            running += 1;
                            crew.give(number);
                        }
                    }
                    _ => {
                        is_over = true;
                        if running > 0 {
                            (pieces.end)();
                        }
                    }
                }
            }
            match crew.finished.recv_timeout(if is_idle { PAUSE } else { Duration::ZERO }) {
                Ok(result) => {
                    running -= 1;
                    send(result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        drop(crew.numbers);
        ranks.send(0, vec![kind::ENDED]);
        failed.map_or(Ok(()), Err)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::threads;

    /// Runs pieces that are the texts of their numbers; the piece `bad` fails.
    fn run(size: usize, count: usize, bad: usize) -> Vec<(Vec<String>, Result<(), String>)> {
        threads(size, |ranks| {
            let mut taken = Vec::new();
            let work = |number: usize| {
                thread::sleep(Duration::from_micros(number as u64 % 7 * 50));
                if number == bad { Err(format!("no {number}")) } else { Ok(number.to_string()) }
            };
            let pieces =
                Pieces { count, threads: 2, work: &work, end: &|| {}, failed: &|_, why| why };
            let done = hand_out(ranks, &pieces, &mut |text| {
                taken.push(text);
                Ok(())
            });
            (taken, done)
        })
    }

    #[test]
    fn results_are_in_order_on_any_number_of_ranks() {
        let expected: Vec<String> = (0..500).map(|number: usize| number.to_string()).collect();
        for size in [1, 2, 4] {
            let all = run(size, 500, usize::MAX);
            assert_eq!(all[0], (expected.clone(), Ok(())));
            assert!(all[1..].iter().all(|rank| *rank == (Vec::new(), Ok(()))));
        }
        assert_eq!(run(3, 0, 0)[0], (Vec::new(), Ok(())));
    }

    #[test]
    fn an_error_ends_all_ranks() {
        for size in [1, 2, 4] {
            let all = run(size, 5000, 20);
            let (taken, done) = &all[0];
            assert_eq!(*done, Err("no 20".to_owned()));
            let first: Vec<String> = (0..10).map(|number: usize| number.to_string()).collect();
            assert_eq!(taken[..10], first);
            assert!(taken.len() < 100);
        }
    }

    #[test]
    fn an_error_of_the_receiver_ends_all_ranks() {
        let all = threads(3, |ranks| {
            let mut left = 10;
            let work = |number: usize| Ok(number.to_string());
            let (end, failed) = (|| {}, |_, why| why);
            let pieces =
                Pieces { count: 10_000, threads: 1, work: &work, end: &end, failed: &failed };
            hand_out(ranks, &pieces, &mut |_| {
                left -= 1;
                if left == 0 { Err("the disk is full".to_owned()) } else { Ok(()) }
            })
        });
        assert_eq!(all, [Err("the disk is full".to_owned()), Ok(()), Ok(())]);
    }
}
