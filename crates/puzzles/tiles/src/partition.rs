//! Partitions of the tiles into patterns, named or spelled out.

use super::shape::MAX_SIDE;
use crate::sliding::Pattern;
use unriddle_tables::TableError;

/// Disjoint patterns that together hold all tiles, as goal cells of the canonical orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Side of the board.
    pub(crate) side: usize,
    pub(crate) name: String,
    /// Goal cells of every pattern's tiles, ascending.
    pub(crate) patterns: Vec<Vec<usize>>,
}

/// A named partition: the side, and for each cell in reading order the letter of the pattern (`.`
/// for the blank).
struct Named {
    side: usize,
    name: &'static str,
    map: &'static str,
}

/// The named partitions.
///
/// 7-8 and 6-6-6-6 are the partitions of Korf and Felner 2002, rotated by 180° because theirs have
/// the blank first. The others were selected among the tilings of the board by connected (from side
/// 5 on: compact) shapes that differ from their mirror image, so that the mirrored look-up improves
/// the estimate. Results on uniform boards:
///
/// - 7-8: of seven tilings, the tiling by rows generates the fewest nodes with IDA*. The second
///   needs 1.4 times as many nodes.
/// - 4-4, 6-6-3 and 5-5-5 are the best of all connected tilings. The latter two need 0.85 and 0.75
///   times the nodes of the tilings in common use (`abbb aacc aacc acc.` and `aaaa bbac bbcc
///   bcc.`).
/// - 5-5-5-5-4: the fewest nodes on random walks of ten tilings. 7x5, 12x4 and 9x5+3: the largest
///   mean value of two to seven tilings, whose tiles interact most.
const NAMED: &[Named] = &[
    Named { side: 3, name: "4-4", map: "aaa abb bb." },
    Named { side: 4, name: "7-8", map: "bbbb bbbb aaaa aaa." },
    Named { side: 4, name: "6-6-3", map: "aaac bbcc bbcc bbc." },
    Named { side: 4, name: "5-5-5", map: "aaac baac bbcc bbc." },
    Named { side: 5, name: "6-6-6-6", map: "dddcc dddcc bbacc bbaaa bbaa." },
    Named { side: 5, name: "5-5-5-5-4", map: "bbaaa bbcaa bdcce ddcee ddee." },
    Named { side: 6, name: "7x5", map: "aabbcc aabbcc afbddc effddg eefdgg eefgg." },
    Named {
        side: 7,
        name: "9x5+3",
        map: "ccdabbb ccdaabb cddggff eedigff eeeigfj hhiigjj hhhijj.",
    },
    Named { side: 7, name: "12x4", map: "aadbbcc aadbbcc gddeeff ggheeff ghhiiil jjhikll jjkkkl." },
];

/// The reason for refusing a partition.
pub(crate) fn bad(message: String) -> TableError {
    TableError::BadPattern(message)
}

impl Partition {
    /// The named partitions of boards of a side.
    pub(crate) fn names(side: usize) -> impl Iterator<Item = &'static str> {
        NAMED.iter().filter(move |n| n.side == side).map(|n| n.name)
    }

    /// Reads a name, or tile numbers (of the goal with the blank last) separated by `.` in patterns
    /// separated by `/`: `1.2.3.4/5.6.7.8`.
    ///
    /// # Errors
    /// An unknown name, or tiles missing, twice or unreadable.
    pub fn parse(side: usize, text: &str) -> Result<Self, TableError> {
        if !(2..=MAX_SIDE).contains(&side) {
            return Err(bad(format!("boards have a side of 2 to {MAX_SIDE}, not {side}")));
        }
        let patterns = match NAMED.iter().find(|n| n.side == side && n.name == text) {
            Some(named) => patterns_of_map(named.map),
            None if text.contains(['/', '.']) => patterns_of_lists(side, text)?,
            None => {
                let names: Vec<_> = Self::names(side).collect();
                return Err(bad(format!(
                    "no partition \"{text}\" for boards of side {side}; known: {}; or tiles such as 1.2.3/4.5.6",
                    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
                )));
            }
        };
        Ok(Self { side, name: text.to_owned(), patterns })
    }

    /// The tables of the patterns.
    ///
    /// # Errors
    /// A pattern for which no table can be built.
    pub(crate) fn tables(&self) -> Result<Vec<Pattern>, TableError> {
        let blank = self.side * self.side - 1;
        self.patterns.iter().map(|goals| Pattern::new(self.side, goals, blank)).collect()
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
                return Err(bad(format!("tile {tile} occurs twice in the partition")));
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every named partition has the side and sizes of its name and covers every tile once.
    #[test]
    fn named_partitions_cover_every_tile_once() {
        for named in NAMED {
            let partition = Partition::parse(named.side, named.name).unwrap();
            let mut cells = partition.patterns.concat();
            cells.sort_unstable();
            let all: Vec<usize> = (0..named.side * named.side - 1).collect();
            assert_eq!(cells, all, "{}", named.name);
            let mut sizes: Vec<usize> = partition.patterns.iter().map(Vec::len).collect();
            sizes.sort_unstable();
            let mut stated: Vec<usize> = named
                .name
                .split(['-', '+'])
                .flat_map(|part| match part.split_once('x') {
                    Some((times, size)) => vec![size; times.parse().unwrap()],
                    None => vec![part],
                })
                .map(|size| size.parse().unwrap())
                .collect();
            stated.sort_unstable();
            assert_eq!(sizes, stated, "{}", named.name);
            assert_eq!(partition.tables().unwrap().len(), sizes.len());
            assert_eq!(partition.name, named.name);
        }
    }

    /// No tile is isolated, and not every pattern is the mirror image of a pattern.
    #[test]
    fn named_partitions_are_connected_and_differ_from_their_mirror_image() {
        for named in NAMED {
            let n = named.side;
            let partition = Partition::parse(n, named.name).unwrap();
            let mirrored = |goals: &Vec<usize>| {
                let mut goals: Vec<usize> = goals.iter().map(|c| c % n * n + c / n).collect();
                goals.sort_unstable();
                partition.patterns.contains(&goals)
            };
            assert!(!partition.patterns.iter().all(mirrored), "{}", named.name);
            for goals in &partition.patterns {
                let mut reached = vec![goals[0]];
                let mut next = 0;
                while next < reached.len() {
                    let (y, x) = (reached[next] / n, reached[next] % n);
                    next += 1;
                    for &c in goals {
                        if (c / n).abs_diff(y) + (c % n).abs_diff(x) == 1 && !reached.contains(&c) {
                            reached.push(c);
                        }
                    }
                }
                assert_eq!(reached.len(), goals.len(), "{}: {goals:?}", named.name);
            }
        }
    }

    #[test]
    fn lists_are_read() {
        let partition = Partition::parse(3, "8.1.2/3.4 . 5/6/7").unwrap();
        assert_eq!(partition.patterns, [vec![0, 1, 7], vec![2, 3, 4], vec![5], vec![6]]);
        assert_eq!(partition.side, 3);
    }

    #[test]
    fn errors_name_the_fault() {
        for (side, text, why) in [
            (4, "7-9", "known: 7-8, 6-6-3, 5-5-5"),
            (8, "7-8", "known: none"),
            (3, "1.2.3/4.5.6.7", "tile 8 is missing"),
            (3, "1.2.3/4.5.6.7.8.3", "tile 3 occurs twice"),
            (3, "1.2.9/4.5.6.7.8", "\"9\" is not a tile of 1 to 8"),
            (3, "0.1.2.3.4.5.6.7.8", "\"0\" is not a tile"),
            (3, "1.2//3.4.5.6.7.8", "\"\" is not a tile"),
        ] {
            let error = Partition::parse(side, text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        let large = Partition::parse(4, "1.2.3.4.5.6.7.8.9/10.11.12.13.14.15").unwrap();
        assert!(large.tables().is_err());
    }

    proptest! {
        #[test]
        fn arbitrary_text_is_no_panic(side in 0usize..12, text in "\\PC*") {
            let _ = Partition::parse(side, &text);
        }

        #[test]
        fn arbitrary_lists_are_no_panic(side in 2usize..9, text in "([0-9]{0,2}[./]){0,70}") {
            if let Ok(partition) = Partition::parse(side, &text) {
                let _ = partition.tables();
            }
        }
    }

    /// The declaration of the heuristic lists every name.
    #[test]
    fn the_declaration_names_all() {
        let details = super::super::pdb::INFO.parameters[0].details;
        for named in NAMED {
            assert!(details.contains(named.name), "{}", named.name);
        }
    }
}
