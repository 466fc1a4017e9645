//! The columns of a position as vectors of eight lanes.
//!
//! Everything here is arithmetic of whole vectors, in a function of its own, so that each operation
//! is compiled to one instruction for all columns.

use super::{
    frame::{COLUMNS, DEPTHS, Values},
    node::Node,
};

type Lanes = [i16; COLUMNS];

/// Values of the columns, and their cards above lower ones: as they are, without the last card, and
/// with one card more. A card that is added can only be of the next lower rank.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solvers) struct Columns {
    /// Number of cards.
    pub(in crate::solvers) height: Lanes,
    pub(in crate::solvers) now: Lanes,
    pub(in crate::solvers) less: Lanes,
    pub(in crate::solvers) more: Lanes,
    pub(in crate::solvers) blockers: Lanes,
    pub(in crate::solvers) blockers_less: Lanes,
    pub(in crate::solvers) blockers_more: Lanes,
    /// Sum of `now`.
    pub(in crate::solvers) total: i32,
    /// Sum of `blockers`.
    pub(in crate::solvers) all_blockers: i32,
}

#[inline(always)]
fn each(lane: impl Fn(usize) -> i16) -> Lanes {
    let mut lanes = [0; COLUMNS];
    for (i, value) in lanes.iter_mut().enumerate() {
        *value = lane(i);
    }
    lanes
}

#[inline(always)]
fn sum(lanes: &Lanes) -> i32 {
    lanes.iter().map(|&value| i32::from(value)).sum()
}

impl Columns {
    #[inline(never)]
    pub(in crate::solvers) fn set(&mut self, node: &Node, values: &Values) {
        let weight = values.blocker;
        let built = each(|i| i16::from(node.built[i]));
        let height = each(|i| built[i] + i16::from(node.kept[i]));
        // The number of ranks from the lowest one of the prefix to the highest built card: built
        // cards above it are above a lower card.
        let most =
            each(|i| (i16::from(node.last[i] >> 2) + built[i] - 1 - i16::from(node.low[i])).max(0));
        let now = each(|i| built[i].min(most[i]));
        let less = each(|i| (built[i] - 1).min(most[i]));
        let more = each(|i| (built[i] + 1).min(most[i]));
        // Masks: whether there are built cards, and at least two cards.
        let has_built = each(|i| -i16::from(built[i] > 0));
        let has_two = each(|i| -i16::from(height[i] > 1));
        let value = each(|i| node.value[i].wrapping_add(node.growth[i].wrapping_mul(built[i])));
        self.height = height;
        self.now = each(|i| value[i].wrapping_add(weight.wrapping_mul(now[i])));
        self.more = each(|i| {
            let value = value[i].wrapping_add(node.growth[i]);
            value.wrapping_add(weight.wrapping_mul(more[i]))
        });
        let fewer_built = each(|i| {
            let value = value[i].wrapping_sub(node.growth[i]);
            value.wrapping_add(weight.wrapping_mul(less[i]))
        });
        self.less = each(|i| {
            (fewer_built[i] & has_built[i] | node.shorter[i] & !has_built[i]) & has_two[i]
        });
        let fixed = each(|i| i16::from(node.blockers[i]));
        self.blockers = each(|i| fixed[i] + now[i]);
        self.blockers_more = each(|i| fixed[i] + more[i]);
        self.blockers_less = each(|i| {
            (fixed[i] + less[i]) & has_built[i] | i16::from(node.fewer[i]) & !has_built[i]
        });
        self.total = sum(&self.now);
        self.all_blockers = sum(&self.blockers);
        let mut next = node.next;
        while next != 0 {
            let (column, height) = node.place(next.trailing_zeros() as usize);
            next &= next - 1;
            let depth = self.height[column & 7] - 1 - i16::from(height) + DEPTHS;
            let near = &values.near[depth as usize & 63];
            self.less[column & 7] = self.less[column & 7].wrapping_add(near[0]);
            self.now[column & 7] = self.now[column & 7].wrapping_add(near[1]);
            self.more[column & 7] = self.more[column & 7].wrapping_add(near[2]);
            self.total += i32::from(near[1]);
        }
    }
}
