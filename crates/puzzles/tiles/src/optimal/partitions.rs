//! Partitions of the tiles of the 24-puzzle.

/// Side of the board.
pub(crate) const SIDE: usize = 5;
/// Number of cells.
pub(super) const CELLS: usize = SIDE * SIDE;
/// The blank's goal cell.
pub(super) const BLANK: usize = CELLS - 1;

/// Partitions into four patterns of six tiles, by goal cells, row by row from the blank's goal. The
/// first ones are the most useful.
const ROWS: [[&str; SIDE]; 7] = [
    [".ABBB", "AABBB", "AAACC", "DDDCC", "DDDCC"],
    [".AABB", "AABBB", "AABCC", "DDDCC", "DDDCC"],
    [".ABBB", "AABBB", "AAACC", "CCCCD", "DDDDD"],
    [".AABB", "AABBB", "AABCC", "CCCCD", "DDDDD"],
    [".ABBB", "AABBB", "ACCDD", "ACCDD", "ACCDD"],
    [".AABB", "AACCB", "AACCB", "DDDCB", "DDDCB"],
    [".ABBB", "AABBB", "ACCCD", "ACCCD", "ADDDD"],
];

/// Number of partitions.
pub(super) const COUNT: usize = ROWS.len();

/// The patterns of a partition, as sets of goal cells of a board whose blank's goal is last.
pub(super) fn patterns(partition: usize) -> [u32; 4] {
    let mut patterns = [0; 4];
    for (cell, letter) in ROWS[partition].iter().flat_map(|row| row.bytes()).enumerate() {
        if letter != b'.' {
            // The board is turned by half a turn.
            patterns[usize::from(letter - b'A')] |= 1 << (CELLS - 1 - cell);
        }
    }
    patterns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_partition_has_every_tile_in_one_pattern_of_six() {
        for partition in 0..COUNT {
            let patterns = patterns(partition);
            assert!(patterns.iter().all(|pattern| pattern.count_ones() == 6));
            let all = patterns.iter().fold(0, |all, pattern| all | pattern);
            assert_eq!(all, (1 << CELLS) - 1 - (1 << BLANK));
        }
    }
}
