//! Ranks: several processes, on one machine or many, that run the same program on the same input
//! and share its work. The name and the model come from MPI.
//!
//! A transport provides [`Ranks`]: messages between two ranks, and exchanges of all ranks. The
//! functions of this module are built on it. All ranks call an exchange at the same point of the
//! program, in the same order. [`hand_out`](hand_out::hand_out) lets rank 0 hand
//! out pieces of work. [`threads`] runs ranks as threads of one process, for tests.
//!
//! No result depends on the number of ranks.

pub mod hand_out;

use std::{
    collections::VecDeque,
    fmt,
    sync::{Barrier, Mutex, MutexGuard, PoisonError},
    thread,
};

/// A rank of a run, which reaches the other ranks.
///
/// Only the thread that began the run of a rank calls these methods.
pub trait Ranks: Sync {
    /// Number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Number of ranks.
    fn size(&self) -> usize;

    /// Sends a message to a rank, without waiting until it is received.
    fn send(&self, to: usize, message: Vec<u8>);

    /// The next message that has arrived, and the rank that sent it. Messages of one rank arrive in
    /// the order in which they were sent.
    fn receive(&self) -> Option<(usize, Vec<u8>)>;

    /// Gives part `r` to rank `r`; returns the parts for this rank. All ranks call it
    /// together.
    fn exchange(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// Replaces each number by its sum over all ranks. All ranks call it together, with as many
    /// numbers.
    fn sum(&self, numbers: &mut [u64]);
}

impl fmt::Debug for dyn Ranks + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank(), self.size())
    }
}

/// The only rank of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Ranks for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn send(&self, _: usize, _: Vec<u8>) {}

    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        None
    }

    fn exchange(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        parts
    }

    fn sum(&self, _: &mut [u64]) {}
}

/// A value that ranks send to each other.
pub trait Message: Sized {
    /// Appends its bytes.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads bytes of [`write`](Self::write); `None` if they are damaged.
    fn read(bytes: &[u8]) -> Option<Self>;
}

impl Message for String {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.as_bytes());
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        Self::from_utf8(bytes.to_vec()).ok()
    }
}

/// Implements [`Message`] for integers and vectors of them, by their bytes in little-endian order.
macro_rules! messages {
    ($($number:ty),*) => {$(
        impl Message for $number {
            fn write(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Option<Self> {
                bytes.try_into().ok().map(Self::from_le_bytes)
            }
        }

        impl Message for Vec<$number> {
            fn write(&self, bytes: &mut Vec<u8>) {
                self.iter().for_each(|number| number.write(bytes));
            }

            fn read(bytes: &[u8]) -> Option<Self> {
                let numbers = bytes.chunks(size_of::<$number>());
                numbers.map(<$number as Message>::read).collect()
            }
        }
    )*};
}

messages!(u16, u32, u64, i64);

impl<T: Message> Message for Option<T> {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self.is_some()));
        if let Some(value) = self {
            value.write(bytes);
        }
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (0, _) => Some(None),
            (_, value) => Some(Some(T::read(value)?)),
        }
    }
}

/// The values of all ranks, in the order of the ranks. All ranks call it together.
///
/// ```
/// use unriddle_core::ranks::{gather, threads};
///
/// let all = threads(3, |ranks| gather(ranks, &[ranks.rank() as u8]));
/// assert_eq!(all, vec![vec![vec![0], vec![1], vec![2]]; 3]);
/// ```
pub fn gather(ranks: &dyn Ranks, value: &[u8]) -> Vec<Vec<u8>> {
    ranks.exchange(vec![value.to_vec(); ranks.size()])
}

/// The value of rank 0; values of other ranks are ignored. All ranks call it together.
pub fn broadcast(ranks: &dyn Ranks, value: Vec<u8>) -> Vec<u8> {
    let parts = match ranks.rank() {
        0 => vec![value; ranks.size()],
        _ => vec![Vec::new(); ranks.size()],
    };
    ranks.exchange(parts).swap_remove(0)
}

/// Whether it is true on any rank. All ranks call it together.
pub fn any(ranks: &dyn Ranks, is: bool) -> bool {
    let mut count = [u64::from(is)];
    ranks.sum(&mut count);
    count[0] > 0
}

/// The lowest rank whose value differs from the value of rank 0, on every rank; `None` if all are
/// equal.
/// All ranks call it together.
pub fn differing(ranks: &dyn Ranks, value: &[u8]) -> Option<usize> {
    let all = gather(ranks, value);
    all.iter().position(|other| *other != all[0])
}

/// Appends a list of byte strings, which [`parts`] reads.
pub fn join<'b>(list: impl IntoIterator<Item = &'b [u8]>, bytes: &mut Vec<u8>) {
    for part in list {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    }
}

/// The byte strings of [`join`]; ends before a damaged one.
pub fn parts(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let (part, rest) =
            rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        bytes = rest;
        Some(part)
    })
}

/// Runs `work` as each of `size` ranks, on threads of this process. Returns the results in the
/// order of the ranks.
///
/// # Panics
/// If `work` panics.
pub fn threads<R: Send>(size: usize, work: impl Fn(&dyn Ranks) -> R + Sync) -> Vec<R> {
    let room = Room {
        size,
        mail: (0..size).map(|_| Mutex::default()).collect(),
        given: Mutex::new(vec![Vec::new(); size]),
        sums: Mutex::default(),
        barrier: Barrier::new(size),
    };
    thread::scope(|scope| {
        let (room, work) = (&room, &work);
        let begin = |rank| scope.spawn(move || work(&Thread { rank, room }));
        let begun: Vec<_> = (0..size).map(begin).collect();
        let end = |rank: thread::ScopedJoinHandle<'_, R>| {
            rank.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        begun.into_iter().map(end).collect()
    })
}

/// Messages to a rank, each with the rank that sent it.
type Mail = VecDeque<(usize, Vec<u8>)>;

/// Data that the ranks of one process share.
struct Room {
    size: usize,
    /// Messages to each rank.
    mail: Vec<Mutex<Mail>>,
    /// The parts that each rank gives.
    given: Mutex<Vec<Vec<Vec<u8>>>>,
    sums: Mutex<Vec<u64>>,
    barrier: Barrier,
}

/// A rank that is a thread.
struct Thread<'r> {
    rank: usize,
    room: &'r Room,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ranks for Thread<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.room.size
    }

    fn send(&self, to: usize, message: Vec<u8>) {
        lock(&self.room.mail[to]).push_back((self.rank, message));
    }

    fn receive(&self) -> Option<(usize, Vec<u8>)> {
        lock(&self.room.mail[self.rank]).pop_front()
    }

    fn exchange(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        lock(&self.room.given)[self.rank] = parts;
        self.room.barrier.wait();
        let mine = |parts: &mut Vec<Vec<u8>>| std::mem::take(&mut parts[self.rank]);
        let received = lock(&self.room.given).iter_mut().map(mine).collect();
        self.room.barrier.wait();
        received
    }

    fn sum(&self, numbers: &mut [u64]) {
        {
            let mut sums = lock(&self.room.sums);
            sums.resize(numbers.len(), 0);
            sums.iter_mut().zip(&*numbers).for_each(|(sum, number)| *sum += number);
        }
        self.room.barrier.wait();
        numbers.copy_from_slice(&lock(&self.room.sums));
        if self.room.barrier.wait().is_leader() {
            lock(&self.room.sums).clear();
        }
        self.room.barrier.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_exchange_parts_and_add_numbers() {
        for size in [1, 2, 5] {
            let all = threads(size, |ranks| {
                let rank = ranks.rank();
                let to = |other| vec![rank as u8, other as u8];
                let received = ranks.exchange((0..size).map(to).collect());
                let mut numbers = [1, rank as u64];
                ranks.sum(&mut numbers);
                let first = broadcast(ranks, vec![7 + rank as u8]);
                let odd = differing(ranks, &[u8::from(rank == 1)]);
                (received, numbers, first, any(ranks, rank == 2), odd)
            });
            let sum = (0..size as u64).sum();
            for (rank, (received, numbers, first, any, odd)) in all.into_iter().enumerate() {
                let expected: Vec<_> = (0..size).map(|from| vec![from as u8, rank as u8]).collect();
                assert_eq!(received, expected);
                assert_eq!(numbers, [size as u64, sum]);
                assert_eq!((first, any, odd), (vec![7], size > 2, (size > 1).then_some(1)));
            }
        }
    }

    #[test]
    fn joined_parts_come_back() {
        let mut bytes = Vec::new();
        join([&b"a"[..], b"", b"bcd"], &mut bytes);
        let back: Vec<_> = parts(&bytes).collect();
        assert_eq!(back, [&b"a"[..], b"", b"bcd"]);
        assert_eq!(parts(&bytes[..bytes.len() - 1]).count(), 2);
    }
}
