//! Transition tables in the memory layout of the GPU program.

use crate::{network::GpuNetwork, transition_tables::TransitionTables};
use unriddle_core::Rng;

/// Zobrist keys: random numbers for the values of all cells, and the keys of the corresponding
/// values of the inverse.
pub(crate) fn hash_keys(tables: &TransitionTables) -> [Vec<u64>; 2] {
    let mut rng = Rng::new(0x6861_7368);
    let own: Vec<u64> = (0..tables.inverse.len()).map(|_| rng.next_u64()).collect();
    let key =
        |&(cell, value): &(u8, u8)| own[usize::from(cell) * tables.values + usize::from(value)];
    let other = tables.inverse.iter().map(key).collect();
    [own, other]
}

/// Words of the struct `Tables` of the GPU program.
pub(crate) fn packed_tables(
    tables: &TransitionTables,
    network: &GpuNetwork,
    keys: &[Vec<u64>; 2],
) -> Vec<u64> {
    let mut bytes: Vec<u8> = Vec::new();
    for key in keys.iter().flatten() {
        bytes.extend(key.to_le_bytes());
    }
    for (source, &begin) in tables.sources.iter().zip(&network.begins) {
        let cell = |i: usize| source.cells.get(i).map_or(-1, |&cell| cell as i32);
        for number in [cell(0), cell(1), begin as i32, 0] {
            bytes.extend(number.to_le_bytes());
        }
    }
    for &(cell, value) in &tables.inverse {
        bytes.extend((u16::from(cell) << 8 | u16::from(value)).to_le_bytes());
    }
    bytes.extend(&tables.successors);
    bytes.extend(&tables.undoing);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let word = |part: &[u8]| part.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    bytes.chunks(8).map(word).collect()
}
