//! Batches in blocks of rows, distributed to threads, with buffers that are kept from call to call.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Rows of a block. Large blocks read each weight from memory seldom; small ones keep their
/// activations in the second- and third-level cache. A multiple of the rows of every tile.
const BLOCK: usize = 192;
/// Smaller blocks are multiples of the largest tile.
const TILE: usize = 12;
/// Smallest number of rows that is worth a thread: on a loaded machine the wait for a thread takes
/// longer than fewer rows. A multiple of [`TILE`].
const PART: usize = 96;

/// Pool of buffers. A thread borrows one during a call, and the next call reuses it.
#[derive(Default)]
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panicked left no buffer half-changed in the pool.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Default> Pool<T> {
    /// Calls `f` with a buffer of the pool.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        let mut buffer = lock(&self.0).pop().unwrap_or_default();
        let result = f(&mut buffer);
        lock(&self.0).push(buffer);
        result
    }
}

/// Calls `f` with blocks of rows and their part of `out`, on up to `threads` threads. Each row has
/// `per_row` indices of the input and `width` numbers of `out`.
pub(crate) fn in_blocks<T: Default + Send>(
    input: &[u32],
    per_row: usize,
    out: &mut [f32],
    width: usize,
    threads: usize,
    pool: &Pool<T>,
    f: impl Fn(&[u32], &mut [f32], &mut T) + Sync,
) {
    if per_row == 0 || width == 0 || out.is_empty() {
        return;
    }
    let all = out.len() / width;
    let threads = threads.clamp(1, (all / PART).max(1));
    let rows = all.div_ceil(threads).next_multiple_of(TILE).min(BLOCK);
    let blocks = input.chunks(rows * per_row).zip(out.chunks_mut(rows * width));
    spread(blocks, threads, pool, |(input, out), buffer| {
        f(input, out, buffer);
    });
}

/// Calls `f` once for each block, on up to `threads` threads.
pub(crate) fn spread<T: Default + Send, B: Send>(
    blocks: impl Iterator<Item = B> + Send,
    threads: usize,
    pool: &Pool<T>,
    f: impl Fn(B, &mut T) + Sync,
) {
    if threads <= 1 {
        return pool.with(|buffer| blocks.for_each(|block| f(block, buffer)));
    }
    let blocks = Mutex::new(blocks);
    let work = || {
        pool.with(|buffer| {
            loop {
                let next = lock(&blocks).next();
                let Some(block) = next else { break };
                f(block, buffer);
            }
        });
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Where the system refuses further threads, the running ones do the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}
