//! Beams whose estimates are backed up through all layers.

use crate::interface::instance::training_data::{Layers, Narrow};
use rustc_hash::FxHashMap;
use unriddle_core::{BatchHeuristic, GoalPuzzle, Rng, Row};

/// States that are estimated at a time.
const BATCH: usize = 4096;

/// All states that a beam keeps, layer by layer.
struct Kept<S> {
    states: Vec<S>,
    known: FxHashMap<S, u32>,
    /// First state of each layer.
    layers: Vec<usize>,
    /// First link of each state.
    first_links: Vec<usize>,
    /// Kept successors, each with the cost of the action.
    links: Vec<(u32, f32)>,
    /// For each state, an upper bound of its value: 0 of a goal, or the least cost plus estimate of
    /// a successor that the beam does not keep.
    values: Vec<f32>,
    /// For each layer behind the first, the greatest estimate that the beam keeps, or infinity if
    /// it keeps all states.
    cuts: Vec<f32>,
}

/// A successor of a state of the last layer.
struct Child<S> {
    parent: usize,
    state: S,
    cost: f32,
}

impl<S: Copy + Eq + std::hash::Hash> Kept<S> {
    fn add(&mut self, state: S, value: f32) -> u32 {
        let number = self.states.len() as u32;
        self.known.insert(state, number);
        self.states.push(state);
        self.values.push(value);
        number
    }

    /// Lowers all values until each is at most the cost of an action plus the value of the state
    /// behind it. Values of later layers are found first, so that two passes are most often enough:
    /// the second one finds paths back to earlier layers.
    fn back_up(&mut self) {
        let mut changed = true;
        while changed {
            changed = self.pass((0..self.first_links.len()).rev());
            changed |= self.pass(0..self.first_links.len());
        }
    }

    fn pass(&mut self, order: impl Iterator<Item = usize>) -> bool {
        let mut changed = false;
        for state in order {
            let end = self.first_links.get(state + 1).copied().unwrap_or(self.links.len());
            let links = self.links[self.first_links[state]..end].iter();
            let through = links.map(|&(child, cost)| cost + self.values[child as usize]);
            let least = through.fold(f32::INFINITY, f32::min);
            if least < self.values[state] {
                self.values[state] = least;
                changed = true;
            }
        }
        changed
    }

    /// The states of the best path from the first state through kept states.
    fn path(&self) -> Vec<usize> {
        let mut path = vec![0];
        while let Some(&first) = self.first_links.get(path[path.len() - 1]) {
            let at = path[path.len() - 1];
            let end = self.first_links.get(at + 1).copied().unwrap_or(self.links.len());
            let mut links = self.links[first..end].iter();
            let next = links.find(|&&(child, cost)| {
                cost > 0.0 && cost + self.values[child as usize] <= self.values[at]
            });
            match next {
                Some(&(child, _)) => path.push(child as usize),
                None => break,
            }
        }
        path
    }
}

/// Some of the states that a beam from `start` keeps, and their values. A value is the minimum,
/// over all paths through kept states, of the path's cost plus the estimate of the first state that
/// is not kept, or 0 at a goal. The states are the best path, and `layers.samples` states of random
/// layers.
pub(super) fn backed_up_layers<P: GoalPuzzle>(
    puzzle: &P,
    start: P::State,
    net: &dyn BatchHeuristic<P>,
    layers: Layers,
    rng: &mut Rng,
) -> (Vec<P::State>, Vec<f32>) {
    let mut kept = searched(puzzle, start, net, layers);
    kept.back_up();
    let mut chosen = kept.path();
    for _ in 0..layers.samples {
        let layer = rng.below(kept.layers.len() as u64) as usize;
        let first = kept.layers[layer];
        let end = kept.layers.get(layer + 1).copied().unwrap_or(kept.states.len());
        chosen.push(first + rng.below((end - first) as u64) as usize);
    }
    // Dead ends have no finite value.
    chosen.retain(|&state| kept.values[state].is_finite());
    chosen.iter().map(|&state| (kept.states[state], kept.values[state])).unzip()
}

/// For each layer of a beam behind the first, the greatest estimate that the beam keeps, or
/// infinity if it keeps all states.
pub(super) fn cuts<P: GoalPuzzle>(
    puzzle: &P,
    start: P::State,
    net: &dyn BatchHeuristic<P>,
    Narrow { width, depth }: Narrow,
) -> Vec<f32> {
    searched(puzzle, start, net, Layers { width, depth, samples: 0 }).cuts
}

/// The beam.
fn searched<P: GoalPuzzle>(
    puzzle: &P,
    start: P::State,
    net: &dyn BatchHeuristic<P>,
    Layers { width, depth, .. }: Layers,
) -> Kept<P::State> {
    let mut kept = Kept {
        states: Vec::new(),
        known: FxHashMap::default(),
        layers: vec![0],
        first_links: Vec::new(),
        links: Vec::new(),
        values: Vec::new(),
        cuts: Vec::new(),
    };
    if puzzle.is_goal(&start) {
        kept.add(start, 0.0);
        return kept;
    }
    kept.add(start, f32::INFINITY);
    let mut children: Vec<Child<P::State>> = Vec::new();
    // Successors that are not known, by their numbers in `fresh`.
    let mut numbers: FxHashMap<P::State, u32> = FxHashMap::default();
    let (mut fresh, mut estimates) = (Vec::new(), Vec::new());
    let mut goal = None;
    for _ in 0..depth {
        let begin = kept.layers[kept.layers.len() - 1];
        let end = kept.states.len();
        children.clear();
        numbers.clear();
        fresh.clear();
        for parent in begin..end {
            let state = kept.states[parent];
            for action in puzzle.actions(&state) {
                let child = puzzle.apply(&state, action);
                let cost = puzzle.action_cost(&state, action) as f32;
                children.push(Child { parent, state: child, cost });
                if !kept.known.contains_key(&child) {
                    numbers.entry(child).or_insert_with(|| {
                        fresh.push(child);
                        fresh.len() as u32 - 1
                    });
                }
            }
        }
        estimates.clear();
        estimates.resize(fresh.len(), 0.0);
        for (states, estimates) in fresh.chunks(BATCH).zip(estimates.chunks_mut(BATCH)) {
            let rows: Vec<_> = states.iter().map(|state| Row { puzzle, state }).collect();
            net.evaluate(&rows, estimates);
        }
        let found = fresh.iter().position(|state| puzzle.is_goal(state));
        let mut cut = f32::INFINITY;
        let mut order: Vec<u32> = (0..fresh.len() as u32).collect();
        if order.len() > width {
            let key = |&number: &u32| (estimates[number as usize].to_bits(), number);
            order.select_nth_unstable_by_key(width, key);
            order.truncate(width);
            order.sort_unstable();
            let kept_estimates = order.iter().map(|&number| estimates[number as usize]);
            cut = kept_estimates.fold(0.0, f32::max);
        }
        kept.cuts.push(cut);
        kept.layers.push(end);
        for number in order {
            kept.add(fresh[number as usize], f32::INFINITY);
        }
        goal = found.map(|found| {
            let state = fresh[found];
            let number = kept.known.get(&state).copied();
            number.unwrap_or_else(|| kept.add(state, 0.0)) as usize
        });
        let mut links = children.iter().peekable();
        for parent in begin..end {
            kept.first_links.push(kept.links.len());
            while let Some(child) = links.next_if(|child| child.parent == parent) {
                match kept.known.get(&child.state) {
                    Some(&number) => kept.links.push((number, child.cost)),
                    None => {
                        let left = estimates[numbers[&child.state] as usize];
                        kept.values[parent] = kept.values[parent].min(child.cost + left);
                    }
                }
            }
        }
        if goal.is_some() || kept.states.len() == end {
            break;
        }
    }
    // States of the last layer were not expanded: their own estimates are their values.
    let begin = kept.layers[kept.layers.len() - 1];
    for state in begin..kept.states.len() {
        if kept.values[state].is_infinite() {
            let number = numbers.get(&kept.states[state]);
            kept.values[state] = match number {
                Some(&number) => estimates[number as usize],
                None => f32::INFINITY,
            };
        }
    }
    if let Some(goal) = goal {
        kept.values[goal] = 0.0;
    }
    if begin == kept.states.len() {
        kept.layers.pop();
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{
        super::corridor::{Corridor, PIT},
        *,
    };
    use unriddle_core::{Estimate, Feature, Guarantee, Scalar};

    /// The values of all sampled states of a beam from `start` by an estimate.
    fn values(start: u8, layers: Layers, estimate: Feature<Corridor>) -> Vec<(u8, f32)> {
        let net = Scalar(Estimate::new(Guarantee::None, estimate));
        let (states, values) = backed_up_layers(&Corridor, start, &net, layers, &mut Rng::new(1));
        let mut found: Vec<_> = states.into_iter().zip(values).collect();
        found.sort_by_key(|&(cell, _)| cell);
        found.dedup();
        found
    }

    /// The estimates of states within the beam do not matter.
    #[test]
    fn a_wide_beam_finds_distances() {
        let layers = Layers { width: 100, depth: 100, samples: 300 };
        let found = values(3, layers, |_, &cell| {
            Some(match cell {
                0..=5 => 9,
                PIT.. => 50,
                _ => cell.into(),
            })
        });
        // The beam ends at the goal, three layers from the start. Cell 6 and the third cell of the
        // pit are in the last layer, and have their estimates.
        let cells = (0..=6).map(|cell| (cell, f32::from(cell)));
        let pit = [(PIT, 52.0), (PIT + 1, 51.0), (PIT + 2, 50.0)];
        assert_eq!(found, cells.chain(pit).collect::<Vec<_>>());
    }

    #[test]
    fn values_are_backed_up_from_states_that_are_not_kept() {
        // A beam of one state goes to cell 5, since its estimates fall in the wrong direction. Each
        // value is then the least of the estimate beside the path.
        let layers = Layers { width: 1, depth: 2, samples: 50 };
        let found =
            values(3, layers, |_, &cell| Some(if cell >= PIT { 90 } else { 10 - u32::from(cell) }));
        // Cell 5: 10 − 5. Cell 4 is one action from 5. Cell 3 is one action from 4, or from 2,
        // whose estimate is 8.
        assert_eq!(found, [(3, 7.0), (4, 6.0), (5, 5.0)]);
    }

    #[test]
    fn a_goal_as_start_is_one_example() {
        let layers = Layers { width: 1, depth: 2, samples: 1 };
        assert_eq!(values(0, layers, |_, _| Some(5)), [(0, 0.0)]);
    }
}
