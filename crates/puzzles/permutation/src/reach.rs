//! Proof that no moves lead from a start to the goal.
//!
//! The group of the moves is known by its stabiliser chain. The start is reachable if an element
//! moves the labels of the goal to the labels of the start. With different labels there is one
//! candidate, whose membership is tested. Equal labels leave choices, which are tried level by
//! level; after too many tries nothing is claimed.

use crate::{
    document,
    group::{Image, chain::Chain, pieces::Class},
    rules::Rules,
};

/// Most elements of the chain that are tried.
const TRIES: usize = 100_000;

/// The reason why the goal cannot be reached from a start; `None` if it can, if that is unknown, or
/// if the goal has wildcards.
pub(crate) fn unreachable(rules: &Rules, start: &[u8]) -> Option<String> {
    let definition = &rules.definition;
    if definition.wildcards > 0 {
        return None;
    }
    fixed(rules, start).or_else(|| foreign(rules, start)).or_else(|| {
        let is_found = |chain: &Chain| member(rules, chain, start);
        // A chain that may lack elements proves nothing.
        if is_found(rules.chain()) != Some(false) {
            return None;
        }
        let mut complete = rules.chain().clone();
        complete.complete();
        (is_found(&complete) == Some(false)).then(|| {
            format!(
                "no sequence of moves leads from this state to the goal: it is not among the \
                 states that the group of the moves, of order {}, makes of the goal",
                complete.order()
            )
        })
    })
}

/// A position that no move changes and that has another label than in the goal.
fn fixed(rules: &Rules, start: &[u8]) -> Option<String> {
    let definition = &rules.definition;
    let is_fixed =
        |at: usize| definition.moves.iter().all(|step| usize::from(step.array[at]) == at);
    let mut wrong = (0..start.len()).filter(|&at| start[at] != definition.goal[at]);
    let at = wrong.find(|&at| is_fixed(at))?;
    let label = |state: &[u8]| &definition.labels[usize::from(state[at])];
    Some(format!(
        "no move changes position {at}, which has the label {} and needs {}",
        label(start),
        label(&definition.goal)
    ))
}

/// A piece that the goal does not have, or not as often.
fn foreign(rules: &Rules, start: &[u8]) -> Option<String> {
    let pieces = rules.pieces();
    let mut left: Vec<usize> = pieces.kinds.iter().map(|kind| kind.count).collect();
    for (number, class) in pieces.classes.iter().enumerate() {
        for place in 0..class.slots() {
            let mut kinds = pieces.kinds.iter().enumerate();
            let kind = kinds.find(|(_, kind)| {
                kind.class == number && kind.coordinate(class, start, place).is_some()
            });
            let positions = &class.positions[place * class.turns];
            let piece = || {
                let labels: Vec<u8> = positions.iter().map(|&p| start[usize::from(p)]).collect();
                let positions: Vec<String> = positions.iter().map(u16::to_string).collect();
                let labels = document::state_text(&rules.definition, &labels);
                format!("the piece {labels} at the positions {}", positions.join(", "))
            };
            match kind {
                None => return Some(format!("{} does not occur in the goal", piece())),
                Some((kind, _)) if left[kind] == 0 => {
                    return Some(format!("{} occurs more often than in the goal", piece()));
                }
                Some((kind, _)) => left[kind] -= 1,
            }
        }
    }
    None
}

/// Whether an element of a chain moves the labels of the goal to the labels of a start; `None` if
/// that remained open.
fn member(rules: &Rules, chain: &Chain, start: &[u8]) -> Option<bool> {
    let goal = &rules.definition.goal;
    let places = Places::new(&rules.pieces().classes, goal.len());
    let is_possible = |from: u16, to: u16| places.are_alike(goal, from, start, to);
    let mut allows = |image: &Image| {
        goal.iter().zip(0..).all(|(&label, at)| start[usize::from(image.of(at))] == label)
    };
    let found = chain.find(&mut allows, &is_possible, TRIES);
    found.ok().map(|element| element.is_some())
}

/// For each position, the pieces with which it is.
struct Places<'a> {
    classes: &'a [Class],
    of: Vec<Option<Part>>,
}

/// Part of a piece.
#[derive(Clone, Copy, PartialEq)]
struct Part {
    class: usize,
    /// Number of the part among the positions of a coordinate.
    slot: usize,
    coordinate: usize,
}

impl<'a> Places<'a> {
    fn new(classes: &'a [Class], positions: usize) -> Self {
        let mut of = vec![None; positions];
        for (class, places) in classes.iter().enumerate() {
            for (coordinate, piece) in places.positions.iter().enumerate() {
                for (slot, &position) in piece.iter().enumerate() {
                    let part = Part { class, slot, coordinate };
                    let known: &mut Option<Part> = &mut of[usize::from(position)];
                    if known.is_none_or(|known| slot < known.slot) {
                        *known = Some(part);
                    }
                }
            }
        }
        Self { classes, of }
    }

    /// Whether the piece of one state at a position could be the piece of another state at another
    /// position.
    fn are_alike(&self, one: &[u8], from: u16, other: &[u8], to: u16) -> bool {
        let (Some(from), Some(to)) = (self.of[usize::from(from)], self.of[usize::from(to)]) else {
            return from == to;
        };
        if (from.class, from.slot) != (to.class, to.slot) {
            return false;
        }
        let class = &self.classes[from.class];
        class.labels(one, from.coordinate).eq(class.labels(other, to.coordinate))
    }
}
