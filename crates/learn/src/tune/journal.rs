//! The journal of the games of the current iteration: one line for each game, written as soon as it
//! ends. An iteration takes hours, and a kill loses only the games that are under way.

use super::games::Game;
use crate::folder::Folder;
use std::{
    collections::HashMap,
    fs::File,
    io::Write as _,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use unriddle_catalog::work::WorkError;

const NAME: &str = "games.csv";

/// The journal of an iteration.
pub(super) struct Journal {
    /// Games that ended before this process began, by their number.
    known: HashMap<usize, Game>,
    file: Mutex<File>,
}

impl Journal {
    /// The journal of the iteration `iteration`, which has `count` games.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub(super) fn open(folder: &Folder, iteration: u64, count: usize) -> Result<Self, WorkError> {
        let old = folder.read(NAME)?.unwrap_or_default();
        let mut known = HashMap::new();
        let mut kept = String::new();
        // A line without an end was cut by a kill, and its figures may be cut, too.
        for line in old
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'))
        {
            if let Some((number, game)) = game(line.trim_end(), iteration)
                && number < count
            {
                known.insert(number, game);
                kept += line;
            }
        }
        folder.write(NAME, &kept)?;
        let path = folder.path(NAME);
        let file = File::options().append(true).open(&path);
        Ok(Self {
            known,
            file: Mutex::new(file.map_err(|e| WorkError::file(&path, &e))?),
        })
    }

    /// Removes the journal of a run that is done.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub(super) fn close(folder: &Folder) -> Result<(), WorkError> {
        folder.remove(NAME)
    }

    /// The result of a game, if it has been played.
    pub(super) fn get(&self, number: usize) -> Option<Game> {
        self.known.get(&number).copied()
    }

    /// Records the result of a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(
        &self,
        folder: &Folder,
        iteration: u64,
        number: usize,
        game: &Game,
    ) -> Result<(), WorkError> {
        let value = game.value.map_or(String::new(), |value| value.to_string());
        let line = format!("{iteration},{number},{value},{}\n", game.nodes);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes())
            .map_err(|e| WorkError::file(&folder.path(NAME), &e))
    }
}

/// Parses a line: the number of a game and its result. `None` if the line is malformed or of
/// another iteration.
fn game(line: &str, iteration: u64) -> Option<(usize, Game)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [of, number, value, nodes] = fields[..] else {
        return None;
    };
    (of.parse() == Ok(iteration)).then_some(())?;
    let value = match value {
        "" => None,
        value => Some(value.parse().ok()?),
    };
    let game = Game {
        value,
        nodes: nodes.parse().ok()?,
        cpu: Duration::ZERO,
    };
    Some((number.parse().ok()?, game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_of_the_iteration_are_kept() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path(), "").unwrap();
        let text = "1,0,7,9\n2,0,-5,9\n2,1,,3\nx\n2,9,1,1\n2,2,5";
        folder.write(NAME, text).unwrap();
        let journal = Journal::open(&folder, 2, 4).unwrap();
        let known = |journal: &Journal, i| journal.get(i).map(|game| (game.value, game.nodes));
        assert_eq!(known(&journal, 0), Some((Some(-5), 9)));
        assert_eq!(known(&journal, 1), Some((None, 3)));
        assert_eq!(known(&journal, 2), None);
        let game = Game {
            value: Some(4),
            nodes: 8,
            cpu: Duration::ZERO,
        };
        journal.add(&folder, 2, 2, &game).unwrap();
        let kept = folder.read(NAME).unwrap().unwrap();
        assert_eq!(kept, "2,0,-5,9\n2,1,,3\n2,2,4,8\n");
        assert_eq!(
            known(&Journal::open(&folder, 2, 4).unwrap(), 2),
            Some((Some(4), 8))
        );
    }
}
