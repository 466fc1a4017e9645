//! The words of a puzzle, by enumeration of sequences in their order.

use super::{
    Effects,
    table::{FORBIDDEN, Roots, table},
};
use rustc_hash::FxHashSet;
use std::{
    collections::BTreeMap,
    mem::{replace, take},
};

/// A sequence of actions.
type Word = Box<[u8]>;

/// Words with the class that they begin in, shorter ones first.
type Words = Vec<(usize, Word)>;

/// Words up to this length are found without an automaton of shorter ones.
const SHORT: usize = 6;

/// Difference of lengths between words and the shorter words that help to find them.
const STEP: usize = 4;

/// A sequence without a word; its begin is another one.
struct Kept {
    state: u32,
    /// Number of the sequence without the last action.
    begin: u32,
    last: u8,
    /// State of the automaton of shorter words.
    at: u32,
}

/// Sequences of the same cost and length, in their order or in parts that are.
#[derive(Default)]
struct Layer {
    /// Number of the sequence without its last action, the last action, and the state of the
    /// automaton of shorter words after it.
    sequences: Vec<(u32, u8, u32)>,
    /// Costs of the sequences without their last actions: where there is one, the layer is ordered.
    costs: Vec<u64>,
}

/// Enumeration of the sequences from one class.
struct Enumeration<'a> {
    effects: &'a mut dyn Effects,
    roots: &'a Roots,
    /// The automaton of shorter words of all classes.
    shorter: &'a [u32],
    kept: Vec<Kept>,
    /// Whether a state is known, by number.
    known: Vec<bool>,
}

impl Enumeration<'_> {
    /// The actions of a sequence that continues another one by `last`.
    fn actions(&self, mut number: u32, last: u8) -> Word {
        let mut actions = vec![last];
        while number > 0 {
            let kept = &self.kept[number as usize];
            actions.push(kept.last);
            number = kept.begin;
        }
        actions.reverse();
        actions.into()
    }

    /// Whether the state is new.
    fn meets(&mut self, state: u32) -> bool {
        let state = state as usize;
        if state >= self.known.len() {
            self.known.resize(state + 1, false);
        }
        !replace(&mut self.known[state], true)
    }

    /// Sequences of at most `depth` actions that lead to a known state, and whether all of them
    /// were found before `limit` sequences were kept.
    fn run(mut self, class: usize, depth: usize, limit: usize) -> (Vec<Word>, bool) {
        let state = self.effects.generic(class);
        self.meets(state);
        self.kept.push(Kept { state, begin: 0, last: 0, at: class as u32 });
        let mut open: BTreeMap<(u64, usize), Layer> = BTreeMap::new();
        if depth > 0 {
            self.extend(0, (0, 0), &mut open);
        }
        let mut found = Vec::new();
        while let Some(((cost, length), mut layer)) = open.pop_first() {
            if layer.costs.len() > 1 {
                // Costs that differ make layers of several parts.
                let all = &mut layer.sequences;
                all.sort_by_cached_key(|&(begin, last, _)| self.actions(begin, last));
            }
            for (begin, last, at) in take(&mut layer.sequences) {
                let parent = self.kept[begin as usize].state;
                let (state, _) = self.effects.apply(parent, last.into()).expect("a legal action");
                if !self.meets(state) {
                    found.push(self.actions(begin, last));
                    continue;
                }
                if self.kept.len() >= limit {
                    return (found, false);
                }
                let number = self.kept.len() as u32;
                self.kept.push(Kept { state, begin, last, at });
                if length < depth {
                    self.extend(number, (cost, length), &mut open);
                }
            }
        }
        (found, true)
    }

    /// Opens the sequences of one more action that have no shorter word.
    fn extend(
        &mut self,
        number: u32,
        (cost, length): (u64, usize),
        open: &mut BTreeMap<(u64, usize), Layer>,
    ) {
        let actions = self.effects.actions();
        let kept = &self.kept[number as usize];
        let class = self.effects.class(kept.state);
        for action in 0..actions as u8 {
            let next = self.shorter[kept.at as usize * actions + usize::from(action)];
            let Some((_, more)) = self.roots.after(class, action) else { continue };
            if next == FORBIDDEN {
                continue;
            }
            let layer = open.entry((cost + u64::from(more), length + 1)).or_default();
            layer.sequences.push((number, action, next));
            if layer.costs.last() != Some(&cost) {
                layer.costs.push(cost);
            }
        }
    }
}

/// The words of at most `depth` actions, and whether none is missing for want of `limit`.
fn words(effects: &mut dyn Effects, roots: &Roots, depth: usize, limit: usize) -> (Words, bool) {
    let (mut all, mut is_whole) = (Words::new(), true);
    if depth > SHORT {
        (all, is_whole) = words(effects, roots, (depth - STEP).max(SHORT), limit);
    }
    if !is_whole {
        return (all, false);
    }
    let shorter = table(roots, all.iter().map(|(class, word)| (*class, &**word)));
    for class in 0..roots.len() {
        let (kept, known) = (Vec::new(), Vec::new());
        let effects = &mut *effects;
        let enumeration = Enumeration { effects, roots, shorter: &shorter, kept, known };
        let (found, is_end) = enumeration.run(class, depth, limit);
        is_whole &= is_end;
        all.extend(found.into_iter().map(|word| (class, word)));
    }
    all.sort_by(|a, b| (a.1.len(), &a.1, a.0).cmp(&(b.1.len(), &b.1, b.0)));
    (smallest(roots, all), is_whole)
}

/// The sequences of a list that contain no other one of it. No sequence begins with another one.
fn smallest(roots: &Roots, all: Words) -> Words {
    let known: FxHashSet<(usize, &[u8])> =
        all.iter().map(|(class, word)| (*class, &**word)).collect();
    let has_part = |(class, word): &(usize, Word)| {
        let mut class = *class;
        (1..word.len()).any(|from| {
            class = roots.after(class, word[from - 1]).expect("a legal action").0;
            known.contains(&(class, &word[from..]))
        })
    };
    let keeps: Vec<bool> = all.iter().map(|word| !has_part(word)).collect();
    all.into_iter().zip(keeps).filter_map(|(word, keeps)| keeps.then_some(word)).collect()
}

/// The words that are refused from every class where they are legal, without their class.
pub(super) fn relative(effects: &mut dyn Effects, depth: usize, limit: usize) -> Vec<Word> {
    let (roots, actions) = (Roots::of(effects), effects.actions());
    let (all, _) = words(effects, &roots, depth, limit);
    let refusing = table(&roots, all.iter().map(|(class, word)| (*class, &**word)));
    let is_refused = |class: usize, word: &[u8]| {
        let mut at = class;
        word.iter().any(|&action| {
            let next = refusing[at * actions + usize::from(action)];
            at = next as usize;
            next == FORBIDDEN
        })
    };
    let mut distinct: Vec<Word> = all.into_iter().map(|(_, word)| word).collect();
    distinct.dedup();
    distinct.retain(|word| (0..roots.len()).all(|class| is_refused(class, word)));
    distinct
}
