//! Automata of sliding tiles, pancakes and TopSpin: sizes, and all distances with them.

use crate::common::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use unriddle_core::{Budget, Cost, Rng, Search, run};
use unriddle_search::{
    automaton::{Automaton, Effects},
    idastar::{IdaStar, IdaStarConfig, Prune, parallel::ParallelIdaStar},
};

const LIMIT: usize = 4_000_000;

/// The rules of a puzzle of pieces: the class and the cost after an action, `None` where the action
/// is illegal.
type Rules = Box<dyn Fn(usize, usize, &mut [u8]) -> Option<(usize, Cost)>>;

/// States with their class, by number.
struct Pieces {
    actions: usize,
    classes: usize,
    places: u8,
    rules: Rules,
    numbers: HashMap<(usize, Vec<u8>), u32>,
    states: Vec<(usize, Vec<u8>)>,
}

impl Pieces {
    fn new(
        [actions, classes, places]: [usize; 3],
        rules: impl Fn(usize, usize, &mut [u8]) -> Option<(usize, Cost)> + 'static,
    ) -> Self {
        let (numbers, states) = (HashMap::new(), Vec::new());
        let (places, rules) = (places as u8, Box::new(rules));
        Self { actions, classes, places, rules, numbers, states }
    }

    fn number(&mut self, state: (usize, Vec<u8>)) -> u32 {
        let states = &mut self.states;
        *self.numbers.entry(state).or_insert_with_key(|state| {
            states.push(state.clone());
            states.len() as u32 - 1
        })
    }
}

impl Effects for Pieces {
    fn actions(&self) -> usize {
        self.actions
    }
    fn classes(&self) -> usize {
        self.classes
    }
    fn generic(&mut self, class: usize) -> u32 {
        self.states.clear();
        self.numbers.clear();
        self.number((class, (0..self.places).collect()))
    }
    fn class(&self, state: u32) -> usize {
        self.states[state as usize].0
    }
    fn apply(&mut self, state: u32, action: usize) -> Option<(u32, Cost)> {
        let (class, mut pieces) = self.states[state as usize].clone();
        let (class, cost) = (self.rules)(class, action, &mut pieces)?;
        Some((self.number((class, pieces)), cost))
    }
}

/// Sliding tiles on a square; actions move the blank left, right, up, down.
fn tiles(side: usize) -> Pieces {
    Pieces::new([4, side * side, side * side], move |blank, action, pieces| {
        let (row, column) = (blank / side, blank % side);
        let to = match action {
            0 if column > 0 => blank - 1,
            1 if column + 1 < side => blank + 1,
            2 if row > 0 => blank - side,
            3 if row + 1 < side => blank + side,
            _ => return None,
        };
        pieces.swap(blank, to);
        Some((to, 1))
    })
}

/// Pancakes: action `a` turns the upper `a + 2`, at a cost of its own.
fn pancakes(count: usize, cost: fn(usize) -> Cost) -> Pieces {
    Pieces::new([count - 1, 1, count], move |_, action, pieces| {
        pieces[..action + 2].reverse();
        Some((0, cost(action)))
    })
}

/// TopSpin: the ring turns by one position either way, or the pieces at its begin reverse.
fn top_spin(ring: usize, turnstile: usize) -> Pieces {
    Pieces::new([3, 1, ring], move |_, action, pieces| {
        match action {
            0 => pieces.rotate_left(1),
            1 => pieces.rotate_right(1),
            _ => pieces[..turnstile].reverse(),
        }
        Some((0, 1))
    })
}

/// Number of states at each distance from the generic state of a class, along paths that the
/// automaton allows.
fn layers(effects: &mut Pieces, class: usize, automaton: Option<&Automaton>) -> Vec<usize> {
    let start = effects.generic(class);
    let mut distance = HashMap::from([(start, 0_u64)]);
    // States with the automaton's state, by distance.
    let mut open = BTreeMap::from([(0_u64, vec![(start, Automaton::START)])]);
    let mut seen = HashSet::new();
    while let Some((far, nodes)) = open.pop_first() {
        for (number, state) in nodes {
            if distance[&number] < far || !seen.insert((number, state)) {
                continue;
            }
            for action in 0..effects.actions() {
                let next = automaton.map(|automaton| automaton.next(state, action));
                let Some(state) = next.unwrap_or(Some(Automaton::START)) else { continue };
                let Some((child, cost)) = effects.apply(number, action) else { continue };
                let further = far + u64::from(cost);
                let known = distance.entry(child).or_insert(further);
                if further <= *known {
                    *known = further;
                    open.entry(further).or_default().push((child, state));
                }
            }
        }
    }
    let mut layers = vec![0; 1 + *distance.values().max().expect("the start") as usize];
    for far in distance.into_values() {
        layers[far as usize] += 1;
    }
    layers
}

/// Sizes that were measured by an independent program.
#[test]
fn automata_of_the_24_puzzle_have_their_sizes() {
    for (depth, states) in [(10, 1_127), (12, 7_794)] {
        let automaton = Automaton::new(&mut tiles(5), depth, LIMIT).unwrap();
        assert_eq!(automaton.states(), states, "{depth}");
    }
}

#[test]
fn a_cheapest_path_to_every_state_is_kept() {
    let check = |mut puzzle: Pieces, class: usize, depth: usize| {
        let automaton = Automaton::new(&mut puzzle, depth, LIMIT).unwrap();
        let plain = layers(&mut puzzle, class, None);
        assert_eq!(layers(&mut puzzle, class, Some(&automaton)), plain, "{depth}");
        plain.iter().sum::<usize>()
    };
    for (blank, depth) in [(8, 6), (8, 12), (4, 14)] {
        assert_eq!(check(tiles(3), blank, depth), 181_440);
    }
    for cost in [|_| 1, |action| action as Cost % 3, |action| action as Cost + 2] {
        for depth in [2, 4, 6] {
            assert_eq!(check(pancakes(7, cost), 0, depth), 5_040);
        }
    }
    assert_eq!(check(top_spin(8, 4), 0, 10), 40_320);
    assert_eq!(check(pancakes(8, |_| 1), 0, 4), 40_320);
}

#[test]
fn a_limit_of_sequences_lowers_the_depth() {
    let whole = Automaton::new(&mut tiles(3), 8, LIMIT).unwrap();
    let part = Automaton::new(&mut tiles(3), 8, 40).unwrap();
    assert!(0 < part.words() && part.words() < whole.words(), "{} {}", part.words(), whole.words());
}

#[test]
fn iterative_deepening_with_an_automaton_finds_the_same_lengths_with_less_work() {
    let mut rng = Rng::new(23);
    let (mut pairs, mut automaton) = (0, 0);
    for _ in 0..30 {
        let puzzle = Sliding::scrambled(3, 3, 60, &mut rng);
        let solve = |search: &mut dyn Search<Action = u8>| {
            let outcome = run(search, &Budget::default(), &mut ()).expect("no limit");
            let best = outcome.best().expect("a solution");
            (check(&puzzle, best), best.actions.clone(), search.stats())
        };
        let start = || IdaStar::new(&puzzle, &Manhattan).expect("a small state");
        let with = |config| solve(&mut start().with(config).expect("within bounds"));
        let alone = with(IdaStarConfig::default());
        for depth in [2, 7, 16] {
            let config = IdaStarConfig { prune: Prune::Automaton, depth };
            let pruned = with(config);
            assert_eq!(pruned.0, alone.0);
            assert!(pruned.2.generated <= alone.2.generated);
            let parallel = ParallelIdaStar::new(&puzzle, &Manhattan, 3).expect("a small state");
            let (cost, actions, stats) = solve(&mut parallel.with(config).expect("within bounds"));
            assert_eq!((cost, &actions), (pruned.0, &pruned.1));
            let counters = |stats: &unriddle_core::Stats| (stats.expanded, stats.generated);
            assert_eq!(counters(&stats), counters(&pruned.2));
            if depth == 16 {
                pairs += alone.2.generated;
                automaton += pruned.2.generated;
            }
        }
    }
    // All states of the 8-puzzle: a factor of 1.42 at depth 14.
    assert!(4 * pairs > 5 * automaton, "{automaton} of {pairs}");
}

#[test]
fn the_automaton_counts_as_memory() {
    let puzzle = Sliding::scrambled(3, 3, 60, &mut Rng::new(24));
    let peak = |depth, prune| {
        let search = IdaStar::new(&puzzle, &Manhattan).expect("a small state");
        let mut search = search.with(IdaStarConfig { prune, depth }).expect("within bounds");
        run(&mut search, &Budget::default(), &mut ()).expect("no limit");
        search.stats().peak_bytes
    };
    let [without, with] = [Prune::Pairs, Prune::Automaton].map(|prune| peak(16, prune));
    assert!(with > without + 1_000, "{with}, {without} without it");
}
