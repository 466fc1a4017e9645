//! Choice of patterns under a limit of bytes.
//!
//! A larger table estimates better than two of half its size, but pieces without a table are not
//! seen at all. So all pieces of a class are divided into groups of at most `most` ranks, and
//! `most` is the largest number with which all groups fit. Groups of different classes are then
//! united where their product still fits, and groups take further pieces of their class.

use super::{
    MOST_TRACKED,
    pattern::{MOST_COORDINATES, MOST_PIECES, MOST_PLACES, Part, part_pieces, part_ranks},
};
use crate::rules::Rules;
use unriddle_tables::Width;

/// Kinds of different classes in one table.
type Group = Vec<Part>;

/// Largest distance that four bits store.
const NIBBLE: u32 = 14;

/// The patterns of tables with at most `bytes` bytes, each with the width of its entries.
pub(crate) fn chosen(rules: &Rules, bytes: u64) -> Vec<(Group, Width)> {
    let width = |group: &Group| width(rules, ranks(rules, group));
    let size = |group: &Group| width(group).bytes(ranks(rules, group));
    let total = |groups: &[Group]| groups.iter().map(size).fold(0, u64::saturating_add);
    let mut most = bytes.saturating_mul(2);
    let mut groups = divided(rules, most);
    while total(&groups) > bytes {
        most -= (most / 16).max(1);
        let smaller = divided(rules, most);
        if smaller.is_empty() {
            // Not all pieces have a table.
            let mut left = bytes;
            groups.retain(|group| left.checked_sub(size(group)).map(|rest| left = rest).is_some());
        } else {
            groups = smaller;
        }
    }
    unite(rules, &mut groups, &|groups| total(groups) <= bytes);
    extend(rules, &mut groups, &|groups| total(groups) <= bytes);
    keep_tracked(rules, &mut groups);
    groups.into_iter().map(|group| (group.clone(), width(&group))).collect()
}

/// Number of ranks of a group; saturated.
fn ranks(rules: &Rules, group: &Group) -> u64 {
    group.iter().map(|part| part_ranks(rules, part)).fold(1, u64::saturating_mul)
}

fn pieces(rules: &Rules, group: &Group) -> usize {
    group.iter().map(|part| part_pieces(rules, part)).sum()
}

/// Width of entries for the distances of a number of ranks. Distances are seldom more than 1.7
/// times the depth at which a tree with the puzzle's branching has as many leaves.
fn width(rules: &Rules, ranks: u64) -> Width {
    let branching = (rules.definition.moves.len() as f64 * 0.7).max(1.5);
    let depth = (ranks as f64).ln() / branching.ln();
    match 1.7 * depth > f64::from(NIBBLE) {
        true => Width::Byte,
        false => Width::Nibble,
    }
}

/// The kinds of each class in groups of at most `most` ranks. A kind with more ranks is left out.
fn divided(rules: &Rules, most: u64) -> Vec<Group> {
    let pieces_of = rules.pieces();
    let mut groups = Vec::new();
    for (number, class) in pieces_of.classes.iter().enumerate() {
        if class.slots() > MOST_PLACES || class.positions.len() > MOST_COORDINATES {
            continue;
        }
        let kinds =
            (0..pieces_of.kinds.len()).filter(|&kind| pieces_of.kinds[kind].class == number);
        let mut part = Part { class: number, kinds: Vec::new() };
        for kind in kinds {
            let alone = Part { class: number, kinds: vec![kind] };
            if !fits(rules, &vec![alone.clone()], most) {
                continue;
            }
            let mut longer = part.clone();
            longer.kinds.push(kind);
            if fits(rules, &vec![longer.clone()], most) {
                part = longer;
            } else {
                groups.push(vec![std::mem::replace(&mut part, alone)]);
            }
        }
        if !part.kinds.is_empty() {
            groups.push(vec![part]);
        }
    }
    groups
}

fn fits(rules: &Rules, group: &Group, most: u64) -> bool {
    ranks(rules, group) <= most && pieces(rules, group) <= MOST_PIECES
}

/// Unites the two smallest groups of different classes while all still fit.
fn unite(rules: &Rules, groups: &mut Vec<Group>, fit: &dyn Fn(&[Group]) -> bool) {
    loop {
        groups.sort_by_key(|group| ranks(rules, group));
        let mut pairs = (0..groups.len())
            .flat_map(|one| (one + 1..groups.len()).map(move |other| (one, other)));
        let united = pairs.find_map(|(one, other)| {
            let mut united = groups.clone();
            let larger = united.remove(other);
            let is_other = |part: &Part| larger.iter().all(|known| known.class != part.class);
            if !united[one].iter().all(is_other) {
                return None;
            }
            united[one].extend(larger);
            (pieces(rules, &united[one]) <= MOST_PIECES && fit(&united)).then_some(united)
        });
        match united {
            Some(united) => *groups = united,
            None => break,
        }
    }
}

/// Adds further kinds of their class to the groups, as long as all fit.
fn extend(rules: &Rules, groups: &mut Vec<Group>, fit: &dyn Fn(&[Group]) -> bool) {
    for at in 0..groups.len() {
        for part in 0..groups[at].len() {
            for kind in 0..rules.pieces().kinds.len() {
                let known = &groups[at][part];
                if rules.pieces().kinds[kind].class != known.class || known.kinds.contains(&kind) {
                    continue;
                }
                let mut longer = groups.clone();
                longer[at][part].kinds.push(kind);
                longer[at][part].kinds.sort_unstable();
                if pieces(rules, &longer[at]) <= MOST_PIECES && fit(&longer) {
                    *groups = longer;
                }
            }
        }
    }
}

/// Drops the smallest groups whose pieces are too many to be tracked, and groups within others.
fn keep_tracked(rules: &Rules, groups: &mut Vec<Group>) {
    groups.sort_by_key(|group| std::cmp::Reverse(ranks(rules, group)));
    let mut kept: Vec<Group> = Vec::new();
    for group in groups.drain(..) {
        let tracked: usize = kept.iter().map(|group| pieces(rules, group)).sum();
        let is_within = |other: &Group| {
            group.iter().all(|part| {
                let holds = |known: &Part| {
                    known.class == part.class
                        && part.kinds.iter().all(|kind| known.kinds.contains(kind))
                };
                other.iter().any(holds)
            })
        };
        if tracked + pieces(rules, &group) <= MOST_TRACKED && !kept.iter().any(is_within) {
            kept.push(group);
        }
    }
    *groups = kept;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{builtin::builtin, definition::Definition};

    fn rules(name: &str) -> Rules {
        Rules::new(builtin(name).unwrap().unwrap())
    }

    #[test]
    fn tables_fit_the_limit() {
        for name in ["cube-2", "cube-4", "megaminx", "square-1", "wreath-12-12", "globe-3-4"] {
            let rules = rules(name);
            for bytes in [10, 1_000, 100_000, 8_000_000] {
                let chosen = chosen(&rules, bytes);
                let size = |(group, width): &(Group, Width)| width.bytes(ranks(&rules, group));
                assert!(chosen.iter().map(size).sum::<u64>() <= bytes, "{name} {bytes}");
                let tracked: usize = chosen.iter().map(|(group, _)| pieces(&rules, group)).sum();
                assert!(tracked <= MOST_TRACKED, "{name} {bytes}");
                assert!(!chosen.is_empty() || bytes < 1_000, "{name} {bytes}");
            }
        }
    }

    /// With the bytes of Korf's tables the choice is Korf's: all corners, and edges by sixes.
    #[test]
    fn tables_of_the_cube_are_korfs() {
        let rules = rules("cube-3");
        let chosen = chosen(&rules, 87_000_000);
        let ranks: Vec<u64> = chosen.iter().map(|(group, _)| ranks(&rules, group)).collect();
        assert_eq!(ranks, [88_179_840, 42_577_920, 42_577_920]);
        assert!(chosen.iter().all(|(_, width)| *width == Width::Nibble));
    }

    #[test]
    fn a_small_puzzle_has_one_exact_table() {
        let rules = rules("cube-2");
        let chosen = chosen(&rules, 4_000_000);
        assert_eq!(chosen.iter().map(|(group, _)| ranks(&rules, group)).sum::<u64>(), 3_674_160);
        // Moves that change nothing leave no pieces.
        let still = Definition { moves: Vec::new(), ..rules.definition.clone() };
        assert!(super::chosen(&Rules::new(still), 1_000).is_empty());
    }
}
