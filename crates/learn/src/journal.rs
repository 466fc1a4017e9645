//! The journal of the stage under way: one line for each piece of work, written as soon as it is
//! done. A stage may take hours, and a kill loses only the pieces that are under way.

use crate::folder::Folder;
use std::{
    collections::HashMap,
    fs::File,
    io::Write as _,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};
use unriddle_catalog::work::WorkError;

const NAME: &str = "journal.csv";

/// A result that is kept as a line of text.
pub(crate) trait Kept: Clone + Send + Sync {
    /// Whether results are kept. Results that are faster to compute than to write are not.
    const IS_KEPT: bool = false;

    /// Whether all ranks need the results, or only rank 0.
    const IS_SHARED: bool = true;

    /// Its fields, separated by commas.
    fn text(&self) -> String {
        String::new()
    }

    /// Parses a text of [`text`](Self::text); `None` if it is damaged.
    fn read(_text: &str) -> Option<Self> {
        None
    }

    /// Appends the bytes that another rank receives.
    fn send(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.text().as_bytes());
    }

    /// Reads bytes of [`send`](Self::send).
    fn receive(bytes: &[u8]) -> Option<Self> {
        Self::read(std::str::from_utf8(bytes).ok()?)
    }
}

/// The journal of a stage.
pub(crate) struct Journal<T> {
    stage: u64,
    /// Results of earlier processes, by the number of the piece.
    known: HashMap<usize, T>,
    path: PathBuf,
    /// `None` on a rank that does not touch the folder.
    file: Mutex<Option<File>>,
}

impl<T: Kept> Journal<T> {
    /// The journal of the stage `stage`, which has `count` pieces. Lines of other stages are
    /// removed.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub(crate) fn open(folder: &Folder<'_>, stage: u64, count: usize) -> Result<Self, WorkError> {
        let old = folder.read(NAME)?.unwrap_or_default();
        let mut known = HashMap::new();
        let mut kept = String::new();
        // A kill cuts a line before its end, possibly within its figures.
        for line in old.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            if let Some((number, result)) = entry(line.trim_end(), stage)
                && number < count
            {
                known.insert(number, result);
                kept += line;
            }
        }
        folder.write(NAME, &kept)?;
        let path = folder.path(NAME);
        let open = || File::options().append(true).open(&path);
        let file = folder.is_mine().then(open).transpose();
        Ok(Self {
            stage,
            known,
            file: Mutex::new(file.map_err(|e| WorkError::file(&path, &e))?),
            path,
        })
    }

    /// The result of a piece, if it was done before.
    pub(crate) fn get(&self, number: usize) -> Option<T> {
        self.known.get(&number).cloned()
    }

    /// Number of pieces that earlier processes finished.
    pub(crate) fn known(&self) -> usize {
        self.known.len()
    }

    /// Records the result of a piece.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn add(&self, number: usize, result: &T) -> Result<(), WorkError> {
        let line = format!("{},{number},{}\n", self.stage, result.text());
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = &mut *file else { return Ok(()) };
        file.write_all(line.as_bytes()).map_err(|e| WorkError::file(&self.path, &e))
    }
}

/// Parses a line: the number of a piece and its result. `None` if the line is damaged or of another
/// stage.
fn entry<T: Kept>(line: &str, stage: u64) -> Option<(usize, T)> {
    let mut fields = line.splitn(3, ',');
    (fields.next()?.parse() == Ok(stage)).then_some(())?;
    Some((fields.next()?.parse().ok()?, T::read(fields.next()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Play;
    use unriddle_catalog::ranks::Alone;

    #[test]
    fn whole_lines_of_the_stage_are_kept() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path(), "", &Alone).unwrap();
        let text = "1,0,1,7,9,9\n2,0,1,-5,9,4\n2,1,0,,3,1\nx\n2,9,1,1,1,1\n2,3,2,1,1,1\n2,2,1,5";
        folder.write(NAME, text).unwrap();
        let journal = Journal::<Play>::open(&folder, 2, 4).unwrap();
        let known = |journal: &Journal<Play>, i| {
            let play = journal.get(i)?;
            Some((play.solved, play.value, play.generated, play.expanded))
        };
        assert_eq!(journal.known(), 2);
        assert_eq!(known(&journal, 0), Some((true, Some(-5), 9, 4)));
        assert_eq!(known(&journal, 1), Some((false, None, 3, 1)));
        assert_eq!(known(&journal, 2), None);
        let play = Play { solved: true, value: Some(4), generated: 8, ..Play::default() };
        journal.add(2, &play).unwrap();
        let kept = folder.read(NAME).unwrap().unwrap();
        assert_eq!(kept, "2,0,1,-5,9,4\n2,1,0,,3,1\n2,2,1,4,8,0\n");
        let again = Journal::<Play>::open(&folder, 2, 4).unwrap();
        assert_eq!(again.get(2), Some(play));
    }
}
