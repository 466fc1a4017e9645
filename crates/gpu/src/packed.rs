//! A puzzle's tables as the program of the GPU has them.

use crate::{places::Places, small::Small};
use unriddle_core::Rng;

/// Hashes of the values of all cells, and of what these values are in the inverse.
pub(crate) fn hashes(places: &Places) -> [Vec<u64>; 2] {
    let mut rng = Rng::new(0x6861_7368);
    let own: Vec<u64> = (0..places.inverse.len()).map(|_| rng.next_u64()).collect();
    let other = (places.inverse.iter())
        .map(|&(cell, value)| own[usize::from(cell) * places.values + usize::from(value)]);
    let other = other.collect();
    [own, other]
}

/// The tables as the program's struct of that name has them.
pub(crate) fn packed(places: &Places, network: &Small, hashes: &[Vec<u64>; 2]) -> Vec<u64> {
    let mut bytes: Vec<u8> = Vec::new();
    for hash in hashes.iter().flatten() {
        bytes.extend(hash.to_le_bytes());
    }
    for (source, &begin) in places.sources.iter().zip(&network.begins) {
        let cell = |i: usize| source.cells.get(i).map_or(-1, |&cell| cell as i32);
        for number in [cell(0), cell(1), begin as i32, 0] {
            bytes.extend(number.to_le_bytes());
        }
    }
    for &(cell, value) in &places.inverse {
        bytes.extend((u16::from(cell) << 8 | u16::from(value)).to_le_bytes());
    }
    bytes.extend(&places.moved);
    bytes.extend(&places.undo);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let word = |part: &[u8]| part.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    bytes.chunks(8).map(word).collect()
}
