//! The groups along a line of play, for policies that learn about groups.
//!
//! A group is identified by its contents: its code is a hash of its colour and of the positions of
//! its cells. The removal of a group moves the cells above it (and all columns to the right if one
//! closes up). Groups without cells in or beside that area stay the same: three quarters of all
//! groups. Only the others are searched again.

use super::{
    Group, SameGame,
    board::{Board, Cells, Links, disturbed},
};
use unriddle_core::playout::{Coded, Entry, MenuOf};

/// The cells of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape<const N: usize>(pub(super) Cells<N>);

impl<const N: usize> Default for Shape<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize, const L: u32> Coded for SameGame<N, L> {
    type Shape = Shape<N>;

    #[inline]
    fn code(&self, board: &Board<N, L>, action: Group) -> u64 {
        code(&board.links().group(action.cell), action.colour)
    }

    #[inline]
    fn bias(&self, _: &Board<N, L>, action: Group) -> f32 {
        bias(u32::from(action.size))
    }

    fn list(&self, menu: &mut MenuOf<Self>) {
        menu.live.clear();
        find(menu, &[u64::MAX; N]);
    }

    fn follow(&self, menu: &mut MenuOf<Self>, choice: usize) {
        let taken = menu.entries[menu.live[choice] as usize].shape.0;
        let mut changed = disturbed::<N, L>(&taken);
        if menu.state.take_out(&taken) {
            let first = changed.iter().position(|&word| word != 0).unwrap_or(0);
            // From the bottom of the first column.
            let lane = changed[first].trailing_zeros() / L * L;
            changed[first] = u64::MAX << lane;
            changed[first + 1..].fill(u64::MAX);
        }
        let entries = &menu.entries;
        menu.live.retain(|&id| {
            let cells = &entries[id as usize].shape.0;
            (0..N).fold(0, |any, i| any | cells[i] & changed[i]) == 0
        });
        find(menu, &changed);
    }
}

/// Adds the groups with cells at the given positions.
#[inline(always)]
fn find<const N: usize, const L: u32>(menu: &mut MenuOf<SameGame<N, L>>, places: &Cells<N>) {
    let links: Links<N, L> = menu.state.links();
    let linked = links.linked();
    // The corners of a group may be elsewhere: any linked cell at these positions may be its first
    // one.
    let mut open: Cells<N> = std::array::from_fn(|i| linked[i] & places[i]);
    for i in 0..N {
        while open[i] != 0 {
            let cell = (i as u32 * 64 + open[i].trailing_zeros()) as u16;
            let cells = links.group(cell);
            for (open, cells) in open.iter_mut().zip(&cells) {
                *open &= !cells;
            }
            let action = Group::of(&menu.state, &cells);
            let (code, bias) = (code(&cells, action.colour), bias(u32::from(action.size)));
            menu.push(Entry { action, code, bias, shape: Shape(cells) });
        }
    }
}

/// Prior bias of a group: its cells beyond two, at most eight.
#[inline(always)]
fn bias(size: u32) -> f32 {
    size.saturating_sub(2).min(8) as f32
}

/// The code of a group.
#[inline(always)]
fn code<const N: usize>(group: &Cells<N>, colour: u8) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = u64::from(colour) + 1;
    for &word in group {
        hash = (hash.rotate_left(23) ^ word).wrapping_mul(K);
    }
    hash ^ hash >> 29
}
