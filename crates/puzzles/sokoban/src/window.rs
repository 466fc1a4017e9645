//! The fewest pushes between two positions, among positions whose boxes are near.
//!
//! As in [`crate::exact`], positions with the same boxes are stored together with the cells that
//! the player reaches in one of them. Whether a push leads to a new position follows from the
//! player's cell after the push. The reachable cells are therefore computed once for each expanded
//! position, not for each push.

use crate::{
    board::{Bit, Bits, Board, Each, has, moved, one, or, without},
    level::{Move, Way},
    memory::grown_bytes,
    rules::State,
};
use std::{mem::size_of, sync::Arc};
use unriddle_core::{
    NearKeys, Observer, Outcome, Progress, Quota, Search, Solution, Stats, Window,
};

/// Boxes, and all cells that the player has reached with the boxes there.
#[derive(Clone, Copy)]
struct Boxes<const W: usize> {
    boxes: Bits<W>,
    seen: Bits<W>,
    key: u64,
}

/// A position that was reached by a push. Among equal positions, the first one is expanded.
#[derive(Clone, Copy)]
struct Node {
    /// Index of its boxes.
    boxes: u32,
    parent: u32,
    /// The cell onto which the player stepped.
    onto: Bit,
    way: Way,
}

/// The index of no boxes.
const NONE: u32 = u32::MAX;

/// Breadth-first search.
pub(crate) struct Between<const W: usize> {
    board: Arc<Board<W>>,
    /// For each bit, the contribution of a box there to a key.
    keys: Arc<[u64]>,
    near: Arc<dyn NearKeys>,
    window: Window<State<W>>,
    /// For each number of a near key, the index of its boxes if they have been reached.
    numbers: Vec<u32>,
    boxes: Vec<Boxes<W>>,
    /// Positions in the order in which they are expanded.
    nodes: Vec<Node>,
    next: usize,
    /// The first position of the next layer, and the number of pushes of the current one.
    layer: usize,
    pushes: u32,
    stats: Stats,
    outcome: Option<Outcome<Move>>,
}

impl<const W: usize> Between<W> {
    /// A search that has not begun; `key` is the key of the first position.
    pub(crate) fn new(
        board: Arc<Board<W>>,
        keys: Arc<[u64]>,
        near: Arc<dyn NearKeys>,
        window: Window<State<W>>,
        key: u64,
    ) -> Self {
        let mut search = Self {
            board,
            keys,
            near,
            window,
            numbers: Vec::new(),
            boxes: Vec::new(),
            nodes: Vec::new(),
            next: 0,
            layer: 1,
            pushes: 0,
            stats: Stats::default(),
            outcome: None,
        };
        search.boxes.push(Boxes { boxes: window.from.boxes, seen: [0; W], key });
        search.nodes.push(Node { boxes: 0, parent: NONE, onto: window.from.player, way: Way(0) });
        search
    }

    /// Whether the path may end in a position, given the cells that the player reaches.
    fn is_end(&self, boxes: &Bits<W>, player: &Bits<W>) -> bool {
        match &self.window.end {
            Some(end) => *boxes == end.boxes && has(player, end.player),
            None => self.board.is_end(boxes),
        }
    }

    /// The pushes to a position.
    fn path(&self, node: usize) -> Solution<Move> {
        let mut actions = Vec::new();
        let mut at = &self.nodes[node];
        while at.parent != NONE {
            actions.push(Move { onto: self.board.id(at.onto), way: at.way });
            at = &self.nodes[at.parent as usize];
        }
        actions.reverse();
        let value = actions.len() as i64;
        Solution { actions, value }
    }

    /// Expands the next position, if it is new.
    fn expand(&mut self) {
        if self.numbers.is_empty() {
            self.numbers.resize(self.near.numbers(), NONE);
            if let Some(number) = self.near.number(self.boxes[0].key) {
                self.numbers[number] = 0;
            }
        }
        if self.next == self.layer {
            self.layer = self.nodes.len();
            self.pushes += 1;
        }
        let (node, pushes) = (self.next, self.pushes + 1);
        let Some(&Node { boxes: number, onto, .. }) = self.nodes.get(node) else {
            self.outcome = Some(Outcome::Exhausted { best: None });
            return;
        };
        self.next += 1;
        let Boxes { boxes, seen, key } = self.boxes[number as usize];
        if has(&seen, onto) {
            return;
        }
        self.stats.expanded += 1;
        let board = &self.board;
        let free = without(&board.floor, &boxes);
        let player = board.reach(&one(onto), &free);
        self.boxes[number as usize].seen = or(&seen, &player);
        if self.is_end(&boxes, &player) {
            let best = self.path(node);
            self.outcome = Some(Outcome::Solved { best, proof: false, bound: None });
            return;
        }
        if pushes >= self.window.below {
            return;
        }
        for way in Way::ALL {
            for onto in Each(board.pushable(&player, &boxes, &free, way)) {
                let to = board.beside(onto, way);
                let after = key ^ self.keys[usize::from(onto)] ^ self.keys[usize::from(to)];
                let Some(near) = self.near.number(after) else {
                    continue;
                };
                self.stats.generated += 1;
                let known = &mut self.numbers[near];
                if *known == NONE {
                    *known = self.boxes.len() as u32;
                    let boxes = moved(&boxes, onto, to);
                    self.boxes.push(Boxes { boxes, seen: [0; W], key: after });
                } else if has(&self.boxes[*known as usize].seen, onto) {
                    continue;
                }
                self.nodes.push(Node { boxes: *known, parent: node as u32, onto, way });
            }
        }
    }

    /// The bytes that an expansion may need.
    fn next_bytes(&self) -> u64 {
        // A position has at most four pushes of each box.
        let more = 4 * self.board.level.boxes().len() as u64;
        let numbers = (self.near.numbers() * size_of::<u32>()) as u64;
        grown_bytes(&self.boxes, more) + grown_bytes(&self.nodes, more) + numbers
    }
}

impl<const W: usize> Search for Between<W> {
    type Action = Move;

    fn advance(&mut self, quota: &Quota, _: &mut dyn Observer<Move>) -> Progress<Move> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            let bytes = self.next_bytes();
            let is_full = self.nodes.len() > NONE as usize - 4 * self.board.level.boxes().len();
            if bytes > quota.bytes || is_full {
                return Progress::OutOfMemory;
            }
            self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
            self.expand();
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Move>> {
        self.outcome.as_ref().and_then(Outcome::best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Level, Measure, Sokoban, vicinity::Near};
    use std::collections::{HashMap, HashSet};
    use unriddle_core::{Budget, GoalPuzzle as _, Puzzle as _, Rng, Vicinity as _, run};

    /// Keys with numbers that are not dense.
    struct Numbered(HashMap<u64, usize>);

    impl NearKeys for Numbered {
        fn number(&self, key: u64) -> Option<usize> {
            self.0.get(&key).copied()
        }

        fn numbers(&self) -> usize {
            3 * self.0.len()
        }
    }

    /// The fewest pushes by a search in layers of states, and all reached states.
    fn naive(
        puzzle: &Sokoban<1>,
        window: &Window<State<1>>,
        is_near: &dyn Fn(&State<1>) -> bool,
    ) -> (Option<u32>, Vec<State<1>>) {
        let (mut layer, mut seen) = (vec![window.from], HashSet::from([window.from]));
        let mut all = layer.clone();
        for pushes in 0..window.below {
            let is_end = |state: &State<1>| match &window.end {
                Some(end) => state == end,
                None => puzzle.is_goal(state),
            };
            if layer.iter().any(is_end) {
                return (Some(pushes), all);
            }
            let mut next = Vec::new();
            for state in &layer {
                for action in puzzle.actions(state) {
                    let child = puzzle.apply(state, action);
                    if is_near(&child) && seen.insert(child) {
                        next.push(child);
                    }
                }
            }
            all.extend(&next);
            layer = next;
        }
        (None, all)
    }

    fn puzzle() -> (Sokoban<1>, State<1>) {
        let level = "########|#------#|#-$$---#|#--#-.-#|#-$-#.-#|#@---.-#|########";
        let level = Arc::new(Level::parse(level).unwrap());
        let puzzle = Sokoban::new(level, Measure::Pushes).unwrap();
        let from = puzzle.initial_state();
        (puzzle, from)
    }

    #[test]
    fn as_few_pushes_as_by_layers_of_states() {
        let (puzzle, from) = puzzle();
        let vicinity = Near::new(&puzzle);
        let mut rng = Rng::new(5);
        let first = Window { from, end: None, below: 9 };
        let (_, all) = naive(&puzzle, &first, &|_| true);
        let (mut found, mut not_found) = (0, 0);
        for _ in 0..200 {
            // Some keys are left out, but not the keys of the first and last position.
            let end = all[rng.below(all.len() as u64) as usize];
            let mut keys = HashMap::new();
            for state in all.iter().chain([&from]) {
                let number = 3 * keys.len() + 1;
                if rng.below(10) < 7 || state.boxes == end.boxes || state.boxes == from.boxes {
                    keys.entry(vicinity.key(state)).or_insert(number);
                }
            }
            let near = Arc::new(Numbered(keys));
            let window = Window { from, end: Some(end), below: 1 + rng.below(12) as u32 };
            let is_near = |state: &State<1>| near.number(vicinity.key(state)).is_some();
            let (expected, _) = naive(&puzzle, &window, &is_near);
            let mut search = vicinity.search(&puzzle, &window, near.clone()).unwrap();
            let outcome = run(&mut *search, &Budget::default(), &mut ()).unwrap();
            let best = outcome.best().map(|best| {
                let end = best.actions.iter().fold(from, |at, &push| {
                    assert!(puzzle.actions(&at).any(|legal| legal == push));
                    puzzle.apply(&at, push)
                });
                assert_eq!(Some(end), window.end);
                assert_eq!(best.value, best.actions.len() as i64);
                best.value as u32
            });
            assert_eq!(best, expected, "{window:?}");
            match best {
                Some(_) => found += 1,
                None => not_found += 1,
            }
        }
        assert!(found > 50 && not_found > 10, "{found}, {not_found}");
    }

    #[test]
    fn any_goal_ends_the_last_window() {
        let (puzzle, from) = puzzle();
        let vicinity = Near::new(&puzzle);
        let everywhere = Window { from, end: None, below: 1_000 };
        let (shortest, reached) = naive(&puzzle, &everywhere, &|_| true);
        let keys = reached.iter().map(|state| vicinity.key(state));
        let near = Numbered(keys.zip(0..).collect());
        let search = vicinity.search(&puzzle, &everywhere, Arc::new(near));
        let outcome = run(&mut *search.unwrap(), &Budget::default(), &mut ()).unwrap();
        let value = outcome.best().map(|best| best.value as u32);
        assert_eq!(value, shortest);
        assert!(value.is_some());
    }
}
