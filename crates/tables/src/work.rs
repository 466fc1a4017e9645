//! What a builder of a table is given: threads, somebody to tell how far it is, and a place for what it would go on from.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
    sync::Mutex,
    time::{Duration, Instant},
};
use xxhash_rust::xxh3::Xxh3;

/// How far a builder is, in its own unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildProgress {
    /// Work done.
    pub done: u64,
    /// All work.
    pub total: u64,
}

/// Extension of files from which a build goes on.
pub(crate) const UNFINISHED: &str = "unfinished";

/// The first bytes of these files.
const MAGIC: &[u8; 8] = b"unrdbld1";

/// Time from the beginning of a build, or from the last time, until its state is kept: what is lost at the most.
pub(crate) const EVERY: Duration = Duration::from_secs(100);

/// Where the state of a build is kept.
pub(crate) struct Keeper {
    path: PathBuf,
    key: String,
    every: Duration,
    last: Mutex<Instant>,
}

/// A builder's surroundings.
///
/// ```
/// use unriddle_tables::Work;
///
/// let work = Work::new(2, &|progress| progress.done < 10);
/// assert_eq!(work.threads, 2);
/// assert!(work.goes_on(1, 100) && !work.goes_on(10, 100));
/// // Nobody keeps anything here.
/// assert!(work.resume(&mut |_| Ok(())).is_none());
/// work.keep(&mut |to| to.write_all(b"so far"));
/// ```
pub struct Work<'a> {
    /// Threads that the builder may use.
    pub threads: usize,
    progress: &'a (dyn Fn(BuildProgress) -> bool + Sync),
    keeper: Option<Keeper>,
}

impl<'a> Work<'a> {
    /// Surroundings in which no state is kept. `progress` is called now and then, from any thread; `false` from it cancels.
    pub fn new(threads: usize, progress: &'a (dyn Fn(BuildProgress) -> bool + Sync)) -> Self {
        Self { threads, progress, keeper: None }
    }

    /// The same, with the state kept beside a table's file.
    pub(crate) fn kept(self, table: &Path, key: &str, every: Duration) -> Self {
        let keeper = Keeper {
            path: table.with_extension(UNFINISHED),
            key: key.to_owned(),
            every,
            last: Mutex::new(Instant::now()),
        };
        Self { keeper: Some(keeper), ..self }
    }

    /// Tells how far the work is; `false` if it is to be given up.
    pub fn goes_on(&self, done: u64, total: u64) -> bool {
        (self.progress)(BuildProgress { done, total })
    }

    /// What an earlier build [kept](Self::keep), read in the order in which it was written; `None` if there is nothing, or nothing
    /// whole, so that the build begins anew.
    pub fn resume<T>(&self, read: &mut dyn FnMut(&mut dyn Read) -> io::Result<T>) -> Option<T> {
        let keeper = self.keeper.as_ref()?;
        let mut reader = Hashed {
            inner: BufReader::with_capacity(1 << 20, File::open(&keeper.path).ok()?),
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
        (u64::from_le_bytes(sum) == found).then_some(state)
    }

    /// Keeps the state, which `write` writes, if a hundred seconds have passed since the build began or its state was kept. A build
    /// whose state cannot be kept goes on without.
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
    /// The beginning of the file: what it is, and of which table.
    fn begin(&self) -> Vec<u8> {
        let length = (self.key.len() as u64).to_le_bytes();
        [MAGIC, &length[..], self.key.as_bytes()].concat()
    }
}

/// A file whose bytes are summed up.
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
