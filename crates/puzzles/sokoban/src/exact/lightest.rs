//! A path with the fewest pushes through given layers of positions, in which each layer is one step
//! from the layer before.

use crate::{
    board::{Bit, Bits, Board, Each, and, first, has, is_empty, moved, one, without},
    level::{Move, Way},
};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Cells of a layer: the number of a record, and the player cells.
pub(super) type Part<const W: usize> = (u32, Bits<W>);

/// A position of a layer.
#[derive(Clone, Copy)]
struct Entry {
    record: u32,
    player: Bit,
    pushes: u32,
    /// The entry of the layer before, and the step from it.
    parent: u32,
    way: Way,
}

/// The steps of a path with the fewest pushes from a position of the first layer to a position of
/// the last layer. `boxes` returns the boxes of a record, and `record` returns the record of a set
/// of boxes.
pub(super) fn lightest<const W: usize>(
    board: &Board<W>,
    layers: &[Vec<Part<W>>],
    boxes: impl Fn(u32) -> Bits<W>,
    record: impl Fn(&Bits<W>) -> Option<u32>,
) -> Vec<Move> {
    let mut all: Vec<Vec<Entry>> = Vec::with_capacity(layers.len());
    for (depth, layer) in layers.iter().enumerate() {
        let Some(before) = depth.checked_sub(1).map(|before| &all[before]) else {
            let start = Entry { record: 0, player: 0, pushes: 0, parent: u32::MAX, way: Way(0) };
            let starts = layer.iter().flat_map(|&(record, cells)| {
                Each(cells).map(move |player| Entry { record, player, ..start })
            });
            all.push(starts.collect());
            continue;
        };
        let allowed: HashMap<u32, Bits<W>, FxBuildHasher> = layer.iter().copied().collect();
        let mut known: HashMap<(u32, Bit), u32, FxBuildHasher> = HashMap::default();
        let mut entries: Vec<Entry> = Vec::new();
        for (parent, entry) in (0..).zip(before) {
            let here = boxes(entry.record);
            let free = without(&board.floor, &here);
            for way in Way::ALL {
                let onto = and(&board.step(&one(entry.player), way), &board.floor);
                if is_empty(&onto) {
                    continue;
                }
                let player = first(&onto);
                let (next, pushes) = if has(&here, player) {
                    let to = and(&board.step(&onto, way), &free);
                    if is_empty(&to) {
                        continue;
                    }
                    (record(&moved(&here, player, first(&to))), 1)
                } else {
                    (Some(entry.record), 0)
                };
                let Some(next) = next else {
                    continue;
                };
                if !allowed.get(&next).is_some_and(|cells| has(cells, player)) {
                    continue;
                }
                let pushes = entry.pushes + pushes;
                let new = Entry { record: next, player, pushes, parent, way };
                let at = *known.entry((next, player)).or_insert_with(|| {
                    entries.push(new);
                    entries.len() as u32 - 1
                });
                if new.pushes < entries[at as usize].pushes {
                    entries[at as usize] = new;
                }
            }
        }
        all.push(entries);
    }
    let last = all.last().and_then(|layer| layer.iter().min_by_key(|entry| entry.pushes));
    let (mut at, mut steps) = (last.copied(), Vec::new());
    for depth in (1..all.len()).rev() {
        let Some(entry) = at else {
            break;
        };
        let onto = board.id(entry.player);
        steps.push(Move { onto, way: entry.way });
        at = all[depth - 1].get(entry.parent as usize).copied();
    }
    steps.reverse();
    steps
}
