//! Automata of sliding tiles, pancakes and TopSpin: sizes, and all distances with them.

use std::collections::HashMap;
use unriddle_core::Cost;
use unriddle_search::automaton::{Automaton, Effects};

const LIMIT: usize = 4_000_000;

/// Sliding tiles on a square; actions move the blank left, right, up, down.
struct Tiles(usize);

impl Effects for Tiles {
    fn places(&self) -> usize {
        self.0 * self.0
    }
    fn actions(&self) -> usize {
        4
    }
    fn classes(&self) -> usize {
        self.places()
    }
    fn apply(&self, blank: usize, action: usize, pieces: &mut [u16]) -> Option<(usize, Cost)> {
        let (row, column) = (blank / self.0, blank % self.0);
        let to = match action {
            0 if column > 0 => blank - 1,
            1 if column + 1 < self.0 => blank + 1,
            2 if row > 0 => blank - self.0,
            3 if row + 1 < self.0 => blank + self.0,
            _ => return None,
        };
        pieces.swap(blank, to);
        Some((to, 1))
    }
}

/// Pancakes: action `a` turns the upper `a + 2`, at a cost of its own.
struct Pancakes(usize, fn(usize) -> Cost);

impl Effects for Pancakes {
    fn places(&self) -> usize {
        self.0
    }
    fn actions(&self) -> usize {
        self.0 - 1
    }
    fn apply(&self, _: usize, action: usize, pieces: &mut [u16]) -> Option<(usize, Cost)> {
        pieces[..action + 2].reverse();
        Some((0, (self.1)(action)))
    }
}

/// TopSpin: the ring turns by one place either way, or the turnstile of `1` places reverses.
struct TopSpin(usize, usize);

impl Effects for TopSpin {
    fn places(&self) -> usize {
        self.0
    }
    fn actions(&self) -> usize {
        3
    }
    fn apply(&self, _: usize, action: usize, pieces: &mut [u16]) -> Option<(usize, Cost)> {
        match action {
            0 => pieces.rotate_left(1),
            1 => pieces.rotate_right(1),
            _ => pieces[..self.1].reverse(),
        }
        Some((0, 1))
    }
}

/// Number of states at each distance from a start, along paths that the automaton allows.
fn layers(effects: &dyn Effects, class: usize, automaton: Option<&Automaton>) -> Vec<usize> {
    let start: Vec<u16> = (0..effects.places() as u16).collect();
    let mut distance = HashMap::from([(start.clone(), 0_u64)]);
    // States with the class and the automaton's state, by distance.
    let mut open =
        std::collections::BTreeMap::from([(0_u64, vec![(start, class, Automaton::START)])]);
    let mut seen = std::collections::HashSet::new();
    while let Some((far, nodes)) = open.pop_first() {
        for (pieces, class, state) in nodes {
            if distance[&pieces] < far || !seen.insert((pieces.clone(), state)) {
                continue;
            }
            for action in 0..effects.actions() {
                let state = match automaton {
                    None => Automaton::START,
                    Some(automaton) => match automaton.next(state, action) {
                        Some(next) => next,
                        None => continue,
                    },
                };
                let mut child = pieces.clone();
                let Some((class, cost)) = effects.apply(class, action, &mut child) else {
                    continue;
                };
                let further = far + u64::from(cost);
                let known = distance.entry(child.clone()).or_insert(further);
                if further <= *known {
                    *known = further;
                    open.entry(further).or_default().push((child, class, state));
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
        let automaton = Automaton::new(&Tiles(5), depth, LIMIT).unwrap();
        assert_eq!(automaton.states(), states, "{depth}");
    }
}

#[test]
fn a_shortest_path_to_every_state_is_kept() {
    for (blank, depth) in [(8, 6), (8, 12), (4, 14)] {
        let automaton = Automaton::new(&Tiles(3), depth, LIMIT).unwrap();
        let plain = layers(&Tiles(3), blank, None);
        assert_eq!(plain.iter().sum::<usize>(), 181_440);
        assert_eq!(layers(&Tiles(3), blank, Some(&automaton)), plain, "{depth}");
    }
    for cost in [|_| 1, |action| action as Cost % 3, |action| action as Cost + 2] {
        let puzzle = Pancakes(7, cost);
        for depth in [2, 4, 6] {
            let automaton = Automaton::new(&puzzle, depth, LIMIT).unwrap();
            assert_eq!(layers(&puzzle, 0, Some(&automaton)), layers(&puzzle, 0, None), "{depth}");
        }
    }
    let automaton = Automaton::new(&TopSpin(8, 4), 10, LIMIT).unwrap();
    assert_eq!(layers(&TopSpin(8, 4), 0, Some(&automaton)), layers(&TopSpin(8, 4), 0, None));
}
