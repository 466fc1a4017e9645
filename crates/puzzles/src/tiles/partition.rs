//! Partitions of the tiles into patterns, named or spelled out.

use std::fmt;
use unriddle_tables::{TableError, sliding::Pattern};

/// Disjoint patterns that together hold all tiles, as goal cells of the canonical orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    side: usize,
    name: String,
    patterns: Vec<Vec<usize>>,
}

/// A named partition: the side, and by cell in reading order the pattern's letter (`.` for the blank).
struct Named {
    side: usize,
    name: &'static str,
    map: &'static str,
}

/// The names and what they stand for. 7-8, 5-5-5, 6-6-3 and 6-6-6-6 are those of Korf and Felner 2002
/// (and Felner, Korf and Hanan 2004), turned by 180° because theirs have the blank first.
const NAMED: &[Named] = &[
    Named {
        side: 3,
        name: "4-4",
        map: "aaab abbb .",
    },
    Named {
        side: 4,
        name: "7-8",
        map: "bbbb bbbb aaaa aaa.",
    },
    Named {
        side: 4,
        name: "5-5-5",
        map: "aaab aabb ccbb ccc.",
    },
    Named {
        side: 4,
        name: "6-6-3",
        map: "aabb aabb aabb ccc.",
    },
    Named {
        side: 5,
        name: "6-6-6-6",
        map: "dddcc dddcc bbacc bbaaa bbaa.",
    },
];

/// The reason for refusing a partition.
fn bad(message: String) -> TableError {
    TableError::BadPattern(message)
}

impl Partition {
    /// The named partitions of boards of a side.
    pub fn names(side: usize) -> impl Iterator<Item = &'static str> {
        NAMED.iter().filter(move |n| n.side == side).map(|n| n.name)
    }

    /// Reads a name, or tile numbers (of the goal with the blank last) separated by `.` in patterns
    /// separated by `/`: `1.2.3.4/5.6.7.8`.
    ///
    /// # Errors
    /// An unknown name, or tiles missing, twice or unreadable.
    pub fn parse(side: usize, text: &str) -> Result<Self, TableError> {
        let patterns = match NAMED.iter().find(|n| n.side == side && n.name == text) {
            Some(named) => patterns_of_map(named.map),
            None if text.contains(['/', '.']) => patterns_of_lists(side, text)?,
            None => {
                let names: Vec<_> = Self::names(side).collect();
                return Err(bad(format!(
                    "no partition \"{text}\" for boards of side {side}; known: {}; or tiles such as 1.2.3/4.5.6",
                    if names.is_empty() {
                        "none".to_owned()
                    } else {
                        names.join(", ")
                    }
                )));
            }
        };
        Ok(Self {
            side,
            name: text.to_owned(),
            patterns,
        })
    }

    /// Side of the board.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side
    }

    /// Goal cells of every pattern's tiles, ascending.
    #[must_use]
    pub fn patterns(&self) -> &[Vec<usize>] {
        &self.patterns
    }

    /// The tables of the patterns.
    ///
    /// # Errors
    /// A pattern for which no table can be built.
    pub fn tables(&self) -> Result<Vec<Pattern>, TableError> {
        let blank = self.side * self.side - 1;
        self.patterns
            .iter()
            .map(|goals| Pattern::new(self.side, goals, blank))
            .collect()
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

fn patterns_of_map(map: &str) -> Vec<Vec<usize>> {
    let cells: Vec<char> = map.chars().filter(|c| !c.is_whitespace()).collect();
    let mut letters: Vec<char> = cells.iter().copied().filter(|&c| c != '.').collect();
    letters.sort_unstable();
    letters.dedup();
    letters
        .iter()
        .map(|letter| (0..cells.len()).filter(|&c| cells[c] == *letter).collect())
        .collect()
}

fn patterns_of_lists(side: usize, text: &str) -> Result<Vec<Vec<usize>>, TableError> {
    let tiles = side * side - 1;
    let mut seen = vec![false; tiles + 1];
    let mut patterns = Vec::new();
    for list in text.split('/') {
        let mut goals = Vec::new();
        for word in list.split('.') {
            let tile: usize = word
                .trim()
                .parse()
                .ok()
                .filter(|t| (1..=tiles).contains(t))
                .ok_or_else(|| bad(format!("\"{word}\" is not a tile of 1 to {tiles}")))?;
            if std::mem::replace(&mut seen[tile], true) {
                return Err(bad(format!("tile {tile} stands twice in the partition")));
            }
            goals.push(tile - 1);
        }
        goals.sort_unstable();
        patterns.push(goals);
    }
    match (1..=tiles).find(|&t| !seen[t]) {
        Some(tile) => Err(bad(format!("tile {tile} is missing from the partition"))),
        None => Ok(patterns),
    }
}
