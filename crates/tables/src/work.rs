//! Environment of a build: threads, reports of progress, and a saved state from which a later build
//! resumes.

use crate::file::open_regular;
use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use unriddle_core::clock::Instant;
use xxhash_rust::xxh3::Xxh3;

/// Progress of a build, in the builder's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildProgress {
    /// Work done.
    pub done: u64,
    /// All work.
    pub total: u64,
}

/// Extension of files with the state of an unfinished build.
pub(crate) const UNFINISHED: &str = "unfinished";

/// The first bytes of these files.
const MAGIC: &[u8; 8] = b"unrdbld1";

/// Time between two saved states of a build: the most that a kill loses.
pub(crate) const EVERY: Duration = Duration::from_secs(100);

/// File and time of the saved state.
pub(crate) struct Keeper {
    path: PathBuf,
    key: String,
    every: Duration,
    last: Mutex<Instant>,
}

/// Environment of a build.
///
/// ```
/// use unriddle_tables::Work;
///
/// let work = Work::new(2, &|progress| progress.done < 10);
/// assert_eq!(work.threads, 2);
/// assert!(work.goes_on(1, 100) && !work.goes_on(10, 100));
/// // No state is saved here.
/// assert!(work.resume(&mut |_| Ok(())).is_none());
/// work.keep(&mut |to| to.write_all(b"so far"));
/// ```
pub struct Work<'a> {
    /// Threads of the builder.
    pub threads: usize,
    progress: &'a (dyn Fn(BuildProgress) -> bool + Sync),
    keeper: Option<Keeper>,
    /// Whether the build resumed from a saved state.
    resumed: AtomicBool,
}

impl<'a> Work<'a> {
    /// Creates an environment without saved states. The builder calls `progress` now and then, from
    /// any thread; `false` cancels the build.
    pub fn new(threads: usize, progress: &'a (dyn Fn(BuildProgress) -> bool + Sync)) -> Self {
        Self { threads, progress, keeper: None, resumed: AtomicBool::new(false) }
    }

    /// The same environment with the state saved beside a table's file.
    pub(crate) fn kept(self, table: &Path, key: &str, every: Duration) -> Self {
        let keeper = Keeper {
            path: table.with_extension(UNFINISHED),
            key: key.to_owned(),
            every,
            last: Mutex::new(Instant::now()),
        };
        Self { keeper: Some(keeper), ..self }
    }

    /// Reports the progress. Returns `false` if the build is cancelled.
    pub fn goes_on(&self, done: u64, total: u64) -> bool {
        (self.progress)(BuildProgress { done, total })
    }

    /// The state that an earlier build [saved](Self::keep), read in the order of writing. `None` if
    /// no complete state exists, so that the build starts from scratch.
    pub fn resume<T>(&self, read: &mut dyn FnMut(&mut dyn Read) -> io::Result<T>) -> Option<T> {
        let keeper = self.keeper.as_ref()?;
        let mut reader = Hashed {
            inner: BufReader::with_capacity(1 << 20, open_regular(&keeper.path).ok()?),
            hash: Xxh3::new(),
        };
        let mut begin = vec![0; MAGIC.len() + 8 + keeper.key.len()];
        reader.read_exact(&mut begin).ok()?;
        if begin != keeper.begin() {
            return None;
        }
        let state = read(&mut reader).ok()?;
        let found = reader.hash.digest();
        let mut sum = [0; 8];
        reader.inner.read_exact(&mut sum).ok()?;
        let is_whole = u64::from_le_bytes(sum) == found;
        self.resumed.store(is_whole, Ordering::Relaxed);
        is_whole.then_some(state)
    }

    /// Whether the build resumed from a saved state.
    pub(crate) fn has_resumed(&self) -> bool {
        self.resumed.load(Ordering::Relaxed)
    }

    /// Saves the state by `write`, if a hundred seconds have passed since the build began or its
    /// state was saved. A build whose state cannot be saved continues without.
    pub fn keep(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let Some(keeper) = &self.keeper else { return };
        let mut last = keeper.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if last.elapsed() < keeper.every {
            return;
        }
        let partial = keeper.path.with_extension(crate::file::PARTIAL);
        let mut store = || {
            let mut writer = Hashed {
                inner: BufWriter::with_capacity(1 << 20, File::create(&partial)?),
                hash: Xxh3::new(),
            };
            writer.write_all(&keeper.begin())?;
            write(&mut writer)?;
            let sum = writer.hash.digest().to_le_bytes();
            writer.inner.write_all(&sum)?;
            writer.inner.into_inner()?.sync_all()?;
            std::fs::rename(&partial, &keeper.path)
        };
        if store().is_err() {
            let _ = std::fs::remove_file(&partial);
        }
        *last = Instant::now();
    }
}

impl Keeper {
    /// The beginning of the file: its format and the table's key.
    fn begin(&self) -> Vec<u8> {
        let length = (self.key.len() as u64).to_le_bytes();
        [MAGIC, &length[..], self.key.as_bytes()].concat()
    }
}

/// File with a checksum of its bytes.
struct Hashed<F> {
    inner: F,
    hash: Xxh3,
}

impl<F: Read> Read for Hashed<F> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(to)?;
        self.hash.update(&to[..count]);
        Ok(count)
    }
}

impl<F: Write> Write for Hashed<F> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(from)?;
        self.hash.update(&from[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
