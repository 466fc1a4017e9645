//! Positions from which no solution is left, as far as it is seen at a glance.

use crate::{
    board::{
        Bit, Bits, Board, Each, and, first, has, is_empty, meet, one, or, set_of, size, without,
    },
    bound::{Distances, Matching},
    level::{End, Way},
    picture::named,
    rules::{Sokoban, State},
};
use unriddle_core::Puzzle as _;

/// Boxes that hold each other, so that some of them, not all on goals, can never be pushed again.
/// The set is empty if the box on `cell` is not held. The rule is sound: a reported position has no
/// solution. Boxes that may be left over are never reported.
///
/// A box can be pushed along an axis only if both neighbouring cells on the axis are free, and
/// usefully only if one of them is [live](crate::bound::Distances::live). Boxes that can be pushed
/// so are removed, wherever the player is, until no such box remains.
#[inline]
pub(crate) fn frozen<const W: usize>(
    board: &Board<W>,
    live: &Bits<W>,
    boxes: &Bits<W>,
    cell: &Bits<W>,
) -> bool {
    let mut left = *boxes;
    loop {
        let free = without(&board.floor, &left);
        let open = and(&free, live);
        let axis = |there: Way| {
            let back = there.back();
            let both = and(&board.step(&free, there), &board.step(&free, back));
            and(&both, &or(&board.step(&open, there), &board.step(&open, back)))
        };
        let movable = and(&left, &or(&axis(Way(0)), &axis(Way(1))));
        if is_empty(&movable) {
            break;
        }
        left = without(&left, &movable);
        if !meet(&left, cell) {
            return false;
        }
    }
    !board.covers() && !is_empty(&without(&left, &board.goals))
}

/// The boxes to which pushes can be confined (*PI-corral pruning*, as in YASS and JSoko). These
/// boxes surround a part of the board that the player cannot reach. The player can push them only
/// into the part, and can make every push into it that is possible without moving other boxes
/// first. `None` if there is no such part. Among several parts, the part with the fewest boxes to
/// push is chosen. On a level with other numbers of boxes and goals there is no such part.
///
/// Every solution pushes one of these boxes into the part before any other push of them. That push
/// can be made at once and the earlier pushes after it, so that the least number of pushes stays
/// the same.
pub(crate) fn corral<const W: usize>(
    board: &Board<W>,
    live: &Bits<W>,
    boxes: &Bits<W>,
    player: &Bits<W>,
) -> Option<Bits<W>> {
    if board.level.end != End::Even {
        return None;
    }
    let free = without(&board.floor, boxes);
    let hidden = without(&free, player);
    let mut left = hidden;
    let mut best: Option<(u32, Bits<W>)> = None;
    while !is_empty(&left) {
        let mut part = board.reach(&one(first(&left)), &hidden);
        left = without(&left, &part);
        if let Some(pushed) = confined(board, live, boxes, player, &hidden, &mut part) {
            let count = size(&pushed);
            if best.as_ref().is_none_or(|(least, _)| count < *least) {
                best = Some((count, pushed));
            }
        }
        // A part of a union that was examined before leads to the same answer.
        left = without(&left, &part);
    }
    best.map(|(_, pushed)| pushed)
}

/// The boxes around a part, if pushes can be confined to them. The part is extended by other parts
/// from which, or into which, they could be pushed.
fn confined<const W: usize>(
    board: &Board<W>,
    live: &Bits<W>,
    boxes: &Bits<W>,
    player: &Bits<W>,
    hidden: &Bits<W>,
    part: &mut Bits<W>,
) -> Option<Bits<W>> {
    'grown: loop {
        let fence = and(&board.around(part), boxes);
        // The board with only these boxes.
        let free = without(&board.floor, &fence);
        let outside = without(&free, part);
        let mut pushed = [0; W];
        for way in Way::ALL {
            let back = way.back();
            let can =
                and(&and(&fence, &board.step(&outside, way)), &board.step(&and(&free, live), back));
            let inward = and(&can, &board.step(part, back));
            let outward = without(&can, &inward);
            let from = board.step(&inward, back);
            let to = board.step(&outward, way);
            let others = and(&or(&from, &to), hidden);
            if !is_empty(&others) {
                *part = or(part, &board.reach(&others, hidden));
                continue 'grown;
            }
            if !is_empty(&outward) || !is_empty(&without(&from, player)) {
                return None;
            }
            pushed = or(&pushed, &inward);
        }
        let is_done = is_empty(&without(&fence, &board.goals)) && !meet(part, &board.goals);
        return (!is_done).then_some(pushed);
    }
}

/// The boxes that hold each other in a position that [`frozen`] reports for any of them; empty if
/// there are no such boxes.
pub(crate) fn holding<const W: usize>(
    board: &Board<W>,
    live: &Bits<W>,
    boxes: &Bits<W>,
) -> Bits<W> {
    let is_held = |&bit: &Bit| !has(live, bit) || frozen(board, live, boxes, &one(bit));
    set_of(Each(*boxes).filter(is_held))
}

impl<const W: usize> Sokoban<W> {
    /// Reason why the level is recognised at once as unsolvable.
    pub(crate) fn unsolvable(&self) -> Option<String> {
        let board = &**self.board();
        let level = &board.level;
        if level.unsolvable.is_some() {
            return level.unsolvable.clone();
        }
        let State { boxes, player } = self.initial_state();
        let distances = Distances::new(board);
        let held = holding(board, &distances.live, &boxes);
        let names: Vec<String> = Each(held).map(|bit| named(level.place(board.id(bit)))).collect();
        match &names[..] {
            [] => {
                let pushes = Matching::default().pushes(board, &distances, &boxes, player);
                let why = match level.end {
                    End::Covered => {
                        "not all goals can get a box, even if each box were the only one on the board"
                    }
                    End::Even | End::Placed => {
                        "boxes cannot all reach different goals, even if each were the only box on the board"
                    }
                };
                pushes.is_none().then(|| why.to_owned())
            }
            [name] => Some(format!("the box in {name} can never be brought to a goal")),
            _ => {
                let names = names.join("; ");
                Some(format!("boxes hold each other, or can never be brought to goals, in {names}"))
            }
        }
    }
}
