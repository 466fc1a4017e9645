//! Tables of automata that find words (A. V. Aho and M. J. Corasick, 1975), and their smallest form
//! (E. F. Moore, 1956).

use super::Effects;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use unriddle_core::Cost;

/// Entry of the table for an action that completes a word, or is illegal.
pub(super) const FORBIDDEN: u32 = u32::MAX;

/// The classes that words begin in. Each has a state of the automaton, its root.
pub(super) struct Roots {
    actions: usize,
    /// The class after each class and action, and the action's cost; `None` where it is illegal.
    next: Vec<Option<(usize, Cost)>>,
}

impl Roots {
    /// The roots of a puzzle's classes.
    pub(super) fn of(effects: &mut dyn Effects) -> Self {
        let (actions, mut next) = (effects.actions(), Vec::new());
        for class in 0..effects.classes() {
            let state = effects.generic(class);
            for action in 0..actions {
                let after = effects.apply(state, action);
                next.push(after.map(|(state, cost)| (effects.class(state), cost)));
            }
        }
        Self { actions, next }
    }

    /// The root of a single class, where everything is legal.
    pub(super) fn one(actions: usize) -> Self {
        Self { actions, next: vec![Some((0, 1)); actions] }
    }

    /// Number of classes.
    pub(super) fn len(&self) -> usize {
        self.next.len() / self.actions.max(1)
    }

    /// The class after an action and the action's cost, or `None` where the action is illegal.
    pub(super) fn after(&self, class: usize, action: u8) -> Option<(usize, Cost)> {
        self.next[class * self.actions + usize::from(action)]
    }
}

/// The next state of each state and action of the automaton that finds words, each with its class.
/// The roots come first.
pub(super) fn table<'a>(roots: &Roots, words: impl Iterator<Item = (usize, &'a [u8])>) -> Vec<u32> {
    const NONE: u32 = u32::MAX - 1;
    let actions = roots.actions;
    let mut next: Vec<u32> = vec![NONE; actions * roots.len()];
    let mut ends = vec![false; roots.len()];
    for (class, word) in words {
        let mut at = class;
        for &action in word {
            let entry = at * actions + usize::from(action);
            if next[entry] == NONE {
                next[entry] = ends.len() as u32;
                ends.push(false);
                next.resize(next.len() + actions, NONE);
            }
            at = next[entry] as usize;
        }
        ends[at] = true;
    }
    // Breadth first, so that the longest proper suffix of a state is complete before it.
    let mut suffix = vec![0_u32; ends.len()];
    let mut open: VecDeque<usize> = (0..roots.len()).collect();
    while let Some(at) = open.pop_front() {
        let from = suffix[at] as usize * actions;
        for action in 0..actions {
            let entry = at * actions + action;
            let by_suffix = match at < roots.len() {
                true => roots.next[entry].map_or(FORBIDDEN, |(class, _)| class as u32),
                false => next[from + action],
            };
            if next[entry] == NONE {
                next[entry] = by_suffix;
            } else {
                let child = next[entry] as usize;
                suffix[child] = by_suffix;
                // A suffix is legal where the whole is.
                ends[child] |= ends[by_suffix as usize];
                open.push_back(child);
            }
        }
    }
    let live: Vec<usize> = (0..ends.len()).filter(|&state| !ends[state]).collect();
    let mut number = vec![FORBIDDEN; ends.len()];
    for (new, &old) in live.iter().enumerate() {
        number[old] = new as u32;
    }
    let rows = live.iter().map(|&state| &next[state * actions..(state + 1) * actions]);
    rows.flatten().map(|&to| if to == FORBIDDEN { to } else { number[to as usize] }).collect()
}

/// Joins states from which the same sequences are refused. The start keeps number 0.
pub(super) fn minimal(actions: usize, next: &[u32]) -> Vec<u32> {
    let states = next.len() / actions.max(1);
    let mut class = vec![0_u32; states];
    let mut count = 1;
    loop {
        // A state's class and those after each action.
        let of = |to: &u32| if *to == FORBIDDEN { FORBIDDEN } else { class[*to as usize] };
        let mut rows = Vec::with_capacity(states * (actions + 1));
        for state in 0..states {
            rows.push(class[state]);
            rows.extend(next[state * actions..(state + 1) * actions].iter().map(of));
        }
        let mut distinct: FxHashMap<&[u32], u32> = FxHashMap::default();
        let refined = rows.chunks_exact(actions + 1).map(|row| {
            let fresh = distinct.len() as u32;
            *distinct.entry(row).or_insert(fresh)
        });
        class = refined.collect();
        if distinct.len() == count {
            break;
        }
        count = distinct.len();
    }
    let mut table = vec![FORBIDDEN; count * actions];
    for state in 0..states {
        for action in 0..actions {
            let to = next[state * actions + action];
            if to != FORBIDDEN {
                table[class[state] as usize * actions + action] = class[to as usize];
            }
        }
    }
    table
}
