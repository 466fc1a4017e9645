//! Journals of searches in files.
//!
//! A journal is a folder with a CSV file of each process that takes part, `1-of-1.csv` for a single
//! one. A file begins with the search: lines such as `# puzzle: tiles`. Its columns are the
//! fields of [`Piece`]. A line is written as soon as its piece is explored, so that a kill loses
//! only the pieces under way.

use super::{Shard, WorkError, lock};
use std::{
    collections::HashMap,
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use unriddle_core::journal::{Journal, Piece};

/// First line of a file.
const FORM: &str = "# unriddle journal 1";

/// Time between two looks at the files of other processes.
const WAIT: Duration = Duration::from_millis(100);

/// Bytes and lines of a file that are read.
#[derive(Clone, Copy, Default)]
struct Read {
    bytes: u64,
    lines: usize,
}

/// Contents of all files, as far as they are read.
#[derive(Default)]
struct Known {
    /// Pieces by bound and number.
    pieces: HashMap<u64, HashMap<u64, Piece>>,
    read: HashMap<PathBuf, Read>,
}

/// Journal of a search in a folder.
pub struct FileJournal {
    folder: PathBuf,
    shard: Shard,
    /// The lines before the pieces.
    head: String,
    path: PathBuf,
    file: Mutex<File>,
    /// Whether the own file has no pieces.
    is_empty: AtomicBool,
    known: Mutex<Known>,
}

impl FileJournal {
    /// The journal of a search in a folder, which is created if it does not exist. `search` has the
    /// names and values that decide the search. This process explores a part of the pieces.
    ///
    /// # Errors
    /// A file cannot be read or written, is of another search or damaged, or another process writes
    /// the same part.
    pub fn open(folder: &Path, search: &[(&str, &str)], shard: Shard) -> Result<Self, WorkError> {
        fs::create_dir_all(folder).map_err(|error| WorkError::file(folder, &error))?;
        let path = folder.join(format!("{}-of-{}.csv", shard.k, shard.n));
        let mut head = format!("{FORM}\n");
        for (name, value) in search {
            // A text of several lines is one line here.
            head += &format!("# {name}: {}\n", value.replace('\n', "\\n"));
        }
        head += &format!("{}\n", Piece::FIELDS);
        let error = |error: io::Error| WorkError::file(&path, &error);
        let open = || File::options().read(true).append(true).create(true).open(&path);
        let mut file = open().map_err(error)?;
        lock(&file, &path, "--shard, or another folder")?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(error)?;
        // A kill cuts a line before its end.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        file.set_len(whole as u64).map_err(error)?;
        if whole == 0 {
            file.write_all(head.as_bytes()).map_err(error)?;
        }
        let is_empty = AtomicBool::new(whole == 0);
        let (folder, file) = (folder.to_owned(), Mutex::new(file));
        let known = Mutex::default();
        let journal = Self { folder, shard, head, path, file, is_empty, known };
        journal.look()?;
        Ok(journal)
    }

    /// Number of pieces that are known.
    #[must_use]
    pub fn pieces(&self) -> usize {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.pieces.values().map(HashMap::len).sum()
    }

    /// Reads the new lines of all files.
    fn look(&self) -> Result<(), WorkError> {
        let error = |error: io::Error| WorkError::file(&self.folder, &error);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for entry in fs::read_dir(&self.folder).map_err(error)? {
            let path = entry.map_err(error)?.path();
            if path.extension() == Some(OsStr::new("csv")) {
                self.look_at(&path, &mut known)?;
            }
        }
        Ok(())
    }

    /// Reads the new lines of a file.
    fn look_at(&self, path: &Path, known: &mut Known) -> Result<(), WorkError> {
        let error = |error: io::Error| WorkError::file(path, &error);
        let wrong = |line: usize, message: String| {
            Err(WorkError::Text { path: path.to_owned(), line: line + 1, column: 1, message })
        };
        let Read { bytes, lines } = known.read.get(path).copied().unwrap_or_default();
        let mut file = File::open(path).map_err(error)?;
        file.seek(SeekFrom::Start(bytes)).map_err(error)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(error)?;
        // The end of the last line may be to come.
        text.truncate(text.rfind('\n').map_or(0, |at| at + 1));
        let head = self.head.lines().count();
        if lines == 0 && text.lines().count() < head {
            return Ok(());
        }
        for (number, line) in (lines..).zip(text.lines()) {
            if let Some(expected) = self.head.lines().nth(number) {
                if line != expected {
                    let message = format!(
                        "`{line}` is of another search: this one has `{expected}`; give another folder"
                    );
                    return wrong(number, message);
                }
                continue;
            }
            let Some(piece) = Piece::read(line).filter(|piece| piece.number < piece.pieces) else {
                let fields = Piece::FIELDS;
                return wrong(number, format!("expected the numbers {fields}, found `{line}`"));
            };
            let pieces = known.pieces.entry(piece.bound).or_default();
            let other = *pieces.entry(piece.number).or_insert(piece);
            if (Piece { cpu: piece.cpu, ..other }) != piece {
                let (first, second) = (other.text(), piece.text());
                let message = format!("a piece has two results, `{first}` and `{second}`");
                return wrong(number, message);
            }
        }
        let lines = lines + text.lines().count();
        let bytes = bytes + text.len() as u64;
        known.read.insert(path.to_owned(), Read { bytes, lines });
        Ok(())
    }
}

/// A search that keeps nothing leaves no file.
impl Drop for FileJournal {
    fn drop(&mut self) {
        if self.is_empty.load(Ordering::Relaxed) {
            // A file that stays does no harm.
            let _ = fs::remove_file(&self.path);
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

impl Journal for FileJournal {
    fn known(&self, bound: u64) -> Result<Vec<Piece>, String> {
        self.look().map_err(|error| error.to_string())?;
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(known.pieces.get(&bound).into_iter().flat_map(HashMap::values).copied().collect())
    }

    fn add(&self, piece: &Piece) -> Result<(), String> {
        let line = piece.text() + "\n";
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_empty.store(false, Ordering::Relaxed);
        let written = file.write_all(line.as_bytes());
        written.map_err(|error| WorkError::file(&self.path, &error).to_string())
    }

    fn is_mine(&self, number: u64) -> bool {
        self.shard.has(number as usize)
    }

    fn wait(&self, _: usize) {
        thread::sleep(WAIT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEARCH: &[(&str, &str)] = &[("puzzle", "toy"), ("instance", "1 2\n3 4")];

    fn piece(number: u64) -> Piece {
        let (expanded, generated, next) = (10 + number, 25, 9);
        let cpu = Duration::from_micros(3);
        Piece { bound: 7, pieces: 5, number, expanded, generated, next, goal: None, cpu }
    }

    fn numbers(journal: &FileJournal) -> Vec<u64> {
        let mut pieces = journal.known(7).expect("a journal of this search");
        pieces.sort_by_key(|piece| piece.number);
        assert!(pieces.iter().all(|one| *one == piece(one.number)));
        pieces.iter().map(|piece| piece.number).collect()
    }

    #[test]
    fn pieces_outlive_a_kill_and_reach_other_processes() {
        let place = tempfile::tempdir().unwrap();
        let open = |k| FileJournal::open(place.path(), SEARCH, Shard { k, n: 2 });
        let (first, second) = (open(1).unwrap(), open(2).unwrap());
        assert!(open(1).is_err_and(|error| error.to_string().contains("another process")));
        first.add(&piece(0)).unwrap();
        second.add(&piece(3)).unwrap();
        assert_eq!((numbers(&first), numbers(&second)), (vec![0, 3], vec![0, 3]));
        assert_eq!(first.known(8), Ok(Vec::new()));
        drop(first);
        // A kill within a line.
        let path = place.path().join("1-of-2.csv");
        let text = fs::read_to_string(&path).unwrap() + "7,5,2,12";
        fs::write(&path, &text).unwrap();
        let first = open(1).unwrap();
        first.add(&piece(2)).unwrap();
        assert_eq!((numbers(&first), first.pieces()), (vec![0, 2, 3], 3));
    }

    #[test]
    fn journals_of_other_searches_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let journal = FileJournal::open(place.path(), SEARCH, Shard::WHOLE).unwrap();
        journal.add(&piece(1)).unwrap();
        drop(journal);
        let open = |search: &[_]| {
            let journal = FileJournal::open(place.path(), search, Shard::WHOLE);
            journal.err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert!(open(SEARCH).is_empty());
        let unused = place.path().join("unused");
        drop(FileJournal::open(&unused, SEARCH, Shard::WHOLE).unwrap());
        assert!(!unused.exists());
        let other = open(&[("puzzle", "toy"), ("instance", "2 1")]);
        assert!(other.contains("1-of-1.csv, line 3, column 1"), "{other}");
        let path = place.path().join("1-of-1.csv");
        let text = fs::read_to_string(&path).unwrap();
        for (line, what) in
            [("7,5,1,99,25,9,,0\n", "two results"), ("7,x\n", "expected the numbers")]
        {
            fs::write(&path, text.clone() + line).unwrap();
            let error = open(SEARCH);
            assert!(error.contains(what) && error.contains("line 6"), "{error}");
        }
    }
}
