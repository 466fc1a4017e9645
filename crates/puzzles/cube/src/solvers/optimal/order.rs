//! Rules for successive turns, by which only one of several equivalent sequences is searched.
//!
//! Opposite faces turn in a single order. In half turns, no face turns twice in a row. In quarter
//! turns, a face may turn twice clockwise, which is a half turn. Sequences that are built from the
//! last turn backwards have the reversed rules.

use crate::{Cube, Metric, Turn, pieces::SOLVED};

/// State of the rules: 0 before the first turn, otherwise 1 + 3 · face + kind of the last turn (0
/// clockwise, 1 twice clockwise, 2 otherwise).
pub(crate) type State = u8;

/// Number of states.
const STATES: usize = 19;

/// A turn that may follow, and the state after it.
pub(crate) type Next = (u8, State);

/// Turns that may follow, by state and by axis.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    next: [[Vec<Next>; 3]; STATES],
}

impl Order {
    /// The order of a metric's turns, from the first turn on or from the last one on.
    pub(crate) fn new(metric: Metric, is_from_last: bool) -> Self {
        let turns: Vec<Turn> = Cube::<3>::new(SOLVED, metric).turns().collect();
        let next = |state: usize, axis: u8| {
            let turns = turns.iter().filter(|turn| turn.face() % 3 == axis);
            let next =
                turns.filter_map(|&turn| Some((turn.0, after(metric, is_from_last, state, turn)?)));
            next.collect()
        };
        Self {
            next: std::array::from_fn(|state| std::array::from_fn(|axis| next(state, axis as u8))),
        }
    }

    /// Restricts the very first turn to the turns for which `is_kept` holds.
    pub(crate) fn restrict(&mut self, is_kept: impl Fn(u8) -> bool) {
        for next in &mut self.next[0] {
            next.retain(|&(turn, _)| is_kept(turn));
        }
    }

    /// Turns of an axis that may follow.
    #[inline(always)]
    pub(crate) fn of(&self, state: State, axis: usize) -> &[Next] {
        &self.next[usize::from(state)][axis]
    }

    /// All turns that may follow.
    pub(crate) fn all(&self, state: State) -> impl Iterator<Item = Next> + '_ {
        self.next[usize::from(state)].iter().flatten().copied()
    }
}

fn after(metric: Metric, is_from_last: bool, state: usize, turn: Turn) -> Option<State> {
    let single = match (metric, turn.quarters()) {
        (Metric::Quarter, 1) => 0,
        _ => 2,
    };
    let begun = |kind: u8| 1 + 3 * turn.face() + kind;
    let Some(last) = state.checked_sub(1) else {
        return Some(begun(single));
    };
    let (face, kind) = (last as u8 / 3, last % 3);
    if face == turn.face() {
        return (kind == 0 && single == 0).then(|| begun(1));
    }
    let is_ordered = face % 3 != turn.face() % 3 || (face < turn.face()) != is_from_last;
    is_ordered.then(|| begun(single))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pieces;
    use std::collections::HashSet;

    /// Compares the numbers of positions at each distance with OEIS A080602 and A080601, and checks
    /// that no superfluous sequences are counted.
    #[test]
    fn every_position_is_reached() {
        for (metric, counts) in [
            (Metric::Quarter, &[1, 12, 114, 1_068, 10_011][..]),
            (Metric::Half, &[1, 18, 243, 3_240][..]),
        ] {
            for is_from_last in [false, true] {
                let order = Order::new(metric, is_from_last);
                let mut seen: HashSet<Pieces> = HashSet::from([SOLVED]);
                let mut level = vec![(SOLVED, 0)];
                for &count in &counts[1..] {
                    let mut next = Vec::new();
                    let mut new = 0;
                    for (pieces, state) in level {
                        for (turn, state) in order.all(state) {
                            // For sequences that are built from the last turn, the inverses.
                            let after = if is_from_last {
                                pieces.inverse().turned(turn).inverse()
                            } else {
                                pieces.turned(turn)
                            };
                            new += usize::from(seen.insert(after));
                            next.push((after, state));
                        }
                    }
                    assert_eq!(new, count);
                    level = next;
                }
            }
        }
    }
}
