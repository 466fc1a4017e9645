//! Ranks of MPI, the message passing interface of clusters.

use crate::exit::Failure;
use mpi::{
    Threading,
    collective::SystemOperation,
    datatype::{Partition, PartitionMut},
    environment::Universe,
    point_to_point::{Destination as _, MatchedReceiveVec as _, Source as _},
    topology::SimpleCommunicator,
    traits::{Communicator as _, CommunicatorCollectives as _},
};
use std::{
    cell::RefCell,
    collections::BTreeSet,
    thread::sleep,
    time::{Duration, Instant},
};
use unriddle_catalog::ranks::Ranks;

/// Most bytes that a rank sends in one exchange: MPI counts them with 31 bits.
const MOST: u64 = 1 << 30;

/// Time after which a rank that ended with a failure ends the others.
const PATIENCE: Duration = Duration::from_secs(3);

/// Time after which a rank that has ended sends its message again. Rank 0 may have received the
/// first one while it handed out work.
const AGAIN: Duration = Duration::from_millis(50);

/// Message of a rank that has ended, and the answer of rank 0 when all have.
const ENDED: &[u8] = b"ended";

thread_local! {
    /// Ends MPI when it is dropped.
    static UNIVERSE: RefCell<Option<Universe>> = const { RefCell::new(None) };
}

/// The world of all ranks.
pub(super) struct Mpi {
    rank: usize,
    size: usize,
}

impl Mpi {
    /// Joins the ranks that the launcher started.
    ///
    /// # Errors
    /// MPI cannot be begun, or does not allow threads.
    pub(super) fn begin() -> Result<Self, String> {
        let begun = mpi::initialize_with_threading(Threading::Funneled);
        let (universe, threading) = begun.ok_or("MPI cannot be begun a second time")?;
        if threading < Threading::Funneled {
            return Err("this MPI allows no threads (MPI_THREAD_FUNNELED)".to_owned());
        }
        UNIVERSE.with(|kept| *kept.borrow_mut() = Some(universe));
        let count = |number| usize::try_from(number).unwrap_or_default();
        Ok(Self { rank: count(world().rank()), size: count(world().size()) })
    }
}

fn world() -> SimpleCommunicator {
    SimpleCommunicator::world()
}

/// The number of a rank in MPI.
fn number(rank: usize) -> i32 {
    i32::try_from(rank).unwrap_or(i32::MAX)
}

impl Ranks for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&self, to: usize, message: Vec<u8>) {
        world().process_at_rank(number(to)).send(&message[..]);
    }

    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        let (bytes, status) =
            world().any_process().immediate_matched_probe()?.matched_receive_vec();
        Some((usize::try_from(status.source_rank()).unwrap_or_default(), bytes))
    }

    fn exchange(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let lengths: Vec<u64> = parts.iter().map(|part| part.len() as u64).collect();
        let mut coming = vec![0_u64; self.size];
        world().all_to_all_into(&lengths[..], &mut coming[..]);
        // A round takes at most `most` bytes from each rank to each other.
        let most = (MOST / self.size as u64).max(1);
        let longest = lengths.iter().chain(&coming).copied().max().unwrap_or_default();
        let mut rounds = 0;
        world().all_reduce_into(&longest.div_ceil(most), &mut rounds, SystemOperation::max());
        let mut received: Vec<Vec<u8>> =
            coming.iter().map(|&length| Vec::with_capacity(length as usize)).collect();
        for round in 0..rounds {
            let piece = |length: u64| {
                let begin = (round * most).min(length);
                begin as usize..(begin + most).min(length) as usize
            };
            let pieces = parts.iter().map(|part| &part[piece(part.len() as u64)]);
            let mut sent = pieces.collect::<Vec<_>>().concat();
            // A byte more: Open MPI takes the address of an empty vector for MPI_IN_PLACE.
            sent.push(0);
            let counts = |lengths: &[u64]| -> Vec<i32> {
                lengths.iter().map(|&length| piece(length).len() as i32).collect()
            };
            let starts = |counts: &[i32]| -> Vec<i32> {
                let sums = counts.iter().scan(0, |sum, count| {
                    *sum += count;
                    Some(*sum - count)
                });
                sums.collect()
            };
            let (out_counts, in_counts) = (counts(&lengths), counts(&coming));
            let (out_starts, in_starts) = (starts(&out_counts), starts(&in_counts));
            let all: usize = in_counts.iter().map(|&count| count as usize).sum();
            let mut buffer = vec![0_u8; all + 1];
            let from = Partition::new(&sent[..], &out_counts[..], &out_starts[..]);
            let mut into = PartitionMut::new(&mut buffer[..], &in_counts[..], &in_starts[..]);
            world().all_to_all_varcount_into(&from, &mut into);
            for (rank, all) in received.iter_mut().enumerate() {
                let start = in_starts[rank] as usize;
                all.extend_from_slice(&buffer[start..start + in_counts[rank] as usize]);
            }
        }
        received
    }

    fn sum(&self, numbers: &mut [u64]) {
        let mine = numbers.to_vec();
        world().all_reduce_into(&mine[..], numbers, SystemOperation::sum());
    }
}

/// Ends this rank together with the others; see [`super::end`].
pub(super) fn end(ranks: &dyn Ranks, failure: Option<&Failure>) {
    let begun = Instant::now();
    let is_over = || failure.is_some() && begun.elapsed() > PATIENCE;
    if ranks.rank() == 0 {
        if let Some(failure) = failure {
            failure.report();
        }
        let mut running: BTreeSet<usize> = (1..ranks.size()).collect();
        while !running.is_empty() {
            match ranks.receive() {
                Some((rank, message)) if message == ENDED => _ = running.remove(&rank),
                // A message of work that was ended.
                Some(_) => {}
                None if is_over() => abort(failure),
                None => sleep(Duration::from_millis(1)),
            }
        }
        (1..ranks.size()).for_each(|rank| ranks.send(rank, ENDED.to_vec()));
    } else {
        let mut sent: Option<Instant> = None;
        while ranks.receive().is_none_or(|(_, message)| message != ENDED) {
            if sent.is_none_or(|sent| sent.elapsed() > AGAIN) {
                ranks.send(0, ENDED.to_vec());
                sent = Some(Instant::now());
            }
            if is_over() {
                if let Some(failure) = failure {
                    failure.of_rank(ranks.rank()).report();
                }
                abort(failure);
            }
            sleep(Duration::from_millis(1));
        }
    }
    UNIVERSE.with(|universe| universe.borrow_mut().take());
}

/// Ends all ranks at once.
fn abort(failure: Option<&Failure>) -> ! {
    world().abort(failure.map_or(1, |failure| failure.code.into()))
}
