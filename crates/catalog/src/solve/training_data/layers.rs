//! Beams whose estimates are backed up through all layers.

use crate::interface::instance::training_data::{Layers, Narrow};
use rustc_hash::FxHashMap;
use std::ops::Range;
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

/// The number of a successor of the last layer.
#[derive(Clone, Copy)]
enum Place {
    /// The beam keeps the state under this number.
    Kept(u32),
    /// The state is new in this layer, with this number.
    New(u32),
}

/// A successor of a state of the last layer.
struct Child {
    parent: usize,
    place: Place,
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

    /// The best path and `samples` states of random layers, with their values.
    fn examples(mut self, samples: usize, rng: &mut Rng) -> (Vec<S>, Vec<f32>) {
        self.back_up();
        let mut chosen = self.path();
        for _ in 0..samples {
            let layer = rng.below(self.layers.len() as u64) as usize;
            let first = self.layers[layer];
            let end = self.layers.get(layer + 1).copied().unwrap_or(self.states.len());
            chosen.push(first + rng.below((end - first) as u64) as usize);
        }
        // Dead ends have no finite value.
        chosen.retain(|&state| self.values[state].is_finite());
        chosen.iter().map(|&state| (self.states[state], self.values[state])).unzip()
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

/// Some of the states that beams keep, and their values. A value is the minimum, over all paths
/// through kept states of the same beam, of the path's cost plus the estimate of the first state
/// that is not kept, or 0 at a goal.
///
/// The first beam begins at `start`, and `layers.strays` further ones at random states that it has
/// not kept. The states are the best path of each, and `layers.samples` states of random layers.
pub(super) fn backed_up_layers<P: GoalPuzzle>(
    puzzle: &P,
    start: P::State,
    net: &dyn BatchHeuristic<P>,
    layers: Layers,
    rng: &mut Rng,
) -> (Vec<P::State>, Vec<f32>) {
    let Layers { beam, samples, strays } = layers;
    let choice = (strays > 0).then(|| Rng::new(rng.next_u64()));
    let mut first = LayerSearch::new(puzzle, net, beam, choice);
    first.run(start);
    let LayerSearch { kept, discarded, .. } = first;
    let strays = if discarded.is_empty() { 0 } else { strays };
    let beams = strays as usize + 1;
    let (mut states, mut values) = (Vec::new(), Vec::new());
    let mut add = |kept: Kept<P::State>, number: usize, rng: &mut Rng| {
        let samples = samples * (number + 1) / beams - samples * number / beams;
        let (more, left) = kept.examples(samples, rng);
        states.extend(more);
        values.extend(left);
    };
    add(kept, 0, rng);
    for number in 1..beams {
        let mut stray = LayerSearch::new(puzzle, net, beam, None);
        stray.run(discarded[rng.below(discarded.len() as u64) as usize]);
        add(stray.kept, number, rng);
    }
    (states, values)
}

/// For each layer of a beam behind the first, the greatest estimate that the beam keeps, or
/// infinity if it keeps all states.
pub(super) fn cuts<P: GoalPuzzle>(
    puzzle: &P,
    start: P::State,
    net: &dyn BatchHeuristic<P>,
    beam: Narrow,
) -> Vec<f32> {
    let mut search = LayerSearch::new(puzzle, net, beam, None);
    search.run(start);
    search.kept.cuts
}

/// A beam that stores all that it keeps.
struct LayerSearch<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    net: &'a dyn BatchHeuristic<P>,
    beam: Narrow,
    kept: Kept<P::State>,
    /// Random numbers of the choice of states that are not kept; without them none is stored.
    rng: Option<Rng>,
    /// States that the beam does not keep, one of each layer.
    discarded: Vec<P::State>,
    /// Successors of the last layer, by parents.
    children: Vec<Child>,
    /// New states of the next layer, and their numbers.
    new: Vec<P::State>,
    numbers: FxHashMap<P::State, u32>,
    /// Estimates of the new states.
    estimates: Vec<f32>,
}

impl<'a, P: GoalPuzzle> LayerSearch<'a, P> {
    fn new(puzzle: &'a P, net: &'a dyn BatchHeuristic<P>, beam: Narrow, rng: Option<Rng>) -> Self {
        Self {
            puzzle,
            net,
            beam,
            kept: Kept {
                states: Vec::new(),
                known: FxHashMap::default(),
                layers: vec![0],
                first_links: Vec::new(),
                links: Vec::new(),
                values: Vec::new(),
                cuts: Vec::new(),
            },
            rng,
            discarded: Vec::new(),
            children: Vec::new(),
            new: Vec::new(),
            numbers: FxHashMap::default(),
            estimates: Vec::new(),
        }
    }

    /// Searches until a layer contains a goal or nothing new, or until the greatest depth.
    fn run(&mut self, start: P::State) {
        if self.puzzle.is_goal(&start) {
            self.kept.add(start, 0.0);
            return;
        }
        self.kept.add(start, f32::INFINITY);
        for _ in 0..self.beam.depth {
            let begin = self.kept.layers[self.kept.layers.len() - 1];
            let end = self.kept.states.len();
            self.expand(begin..end);
            self.estimate();
            let goal = self.new.iter().position(|state| self.puzzle.is_goal(state));
            let mut places = self.cut();
            if let Some(goal) = goal {
                let place = &mut places[goal];
                let number = place.unwrap_or_else(|| self.kept.add(self.new[goal], 0.0));
                self.kept.values[number as usize] = 0.0;
                *place = Some(number);
            }
            self.link(begin..end, &places);
            if goal.is_some() || self.kept.states.len() == end {
                break;
            }
        }
        self.close();
    }

    /// Makes the successors of a layer.
    fn expand(&mut self, layer: Range<usize>) {
        self.children.clear();
        self.numbers.clear();
        self.new.clear();
        for parent in layer {
            let state = self.kept.states[parent];
            for action in self.puzzle.actions(&state) {
                let child = self.puzzle.apply(&state, action);
                let cost = self.puzzle.action_cost(&state, action) as f32;
                let place = match self.kept.known.get(&child) {
                    Some(&number) => Place::Kept(number),
                    None => Place::New(*self.numbers.entry(child).or_insert_with(|| {
                        self.new.push(child);
                        self.new.len() as u32 - 1
                    })),
                };
                self.children.push(Child { parent, place, cost });
            }
        }
    }

    /// Estimates the new states.
    fn estimate(&mut self) {
        self.estimates.clear();
        self.estimates.resize(self.new.len(), 0.0);
        for (states, estimates) in self.new.chunks(BATCH).zip(self.estimates.chunks_mut(BATCH)) {
            let rows: Vec<_> =
                states.iter().map(|state| Row { puzzle: self.puzzle, state }).collect();
            self.net.evaluate(&rows, estimates);
        }
    }

    /// Keeps the new states with the least estimates as the next layer. Returns the number of each
    /// new state that is kept.
    fn cut(&mut self) -> Vec<Option<u32>> {
        let (width, estimates) = (self.beam.width, &self.estimates);
        let mut cut = f32::INFINITY;
        let mut order: Vec<u32> = (0..self.new.len() as u32).collect();
        if order.len() > width {
            let key = |&number: &u32| (estimates[number as usize].to_bits(), number);
            order.select_nth_unstable_by_key(width, key);
            if let Some(rng) = &mut self.rng {
                let beyond = &order[width..];
                let one = beyond[rng.below(beyond.len() as u64) as usize];
                self.discarded.push(self.new[one as usize]);
            }
            order.truncate(width);
            order.sort_unstable();
            let kept = order.iter().map(|&number| estimates[number as usize]);
            cut = kept.fold(0.0, f32::max);
        }
        self.kept.cuts.push(cut);
        self.kept.layers.push(self.kept.states.len());
        let mut places = vec![None; self.new.len()];
        for number in order {
            let place = &mut places[number as usize];
            *place = Some(self.kept.add(self.new[number as usize], f32::INFINITY));
        }
        places
    }

    /// Stores the links of a layer to kept states, and the least cost plus estimate of a successor
    /// that is not kept.
    fn link(&mut self, layer: Range<usize>, places: &[Option<u32>]) {
        let mut children = self.children.iter().peekable();
        for parent in layer {
            self.kept.first_links.push(self.kept.links.len());
            while let Some(child) = children.next_if(|child| child.parent == parent) {
                let Child { place, cost, .. } = *child;
                let number = match place {
                    Place::Kept(number) => number,
                    Place::New(new) => match places[new as usize] {
                        Some(number) => number,
                        None => {
                            let left = cost + self.estimates[new as usize];
                            let value = &mut self.kept.values[parent];
                            *value = value.min(left);
                            continue;
                        }
                    },
                };
                self.kept.links.push((number, cost));
            }
        }
    }

    /// Gives the states of the last layer, which are not expanded, their own estimates.
    fn close(&mut self) {
        let begin = self.kept.layers[self.kept.layers.len() - 1];
        for state in begin..self.kept.states.len() {
            if self.kept.values[state].is_infinite() {
                let number = self.numbers.get(&self.kept.states[state]);
                let estimate = number.map(|&number| self.estimates[number as usize]);
                self.kept.values[state] = estimate.unwrap_or(f32::INFINITY);
            }
        }
        if begin == self.kept.states.len() {
            self.kept.layers.pop();
        }
    }
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
        let layers = Layers { beam: Narrow { width: 100, depth: 100 }, samples: 300, strays: 0 };
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
        let layers = Layers { beam: Narrow { width: 1, depth: 2 }, samples: 50, strays: 0 };
        let found =
            values(3, layers, |_, &cell| Some(if cell >= PIT { 90 } else { 10 - u32::from(cell) }));
        // Cell 5: 10 − 5. Cell 4 is one action from 5. Cell 3 is one action from 4, or from 2,
        // whose estimate is 8.
        assert_eq!(found, [(3, 7.0), (4, 6.0), (5, 5.0)]);
    }

    /// A beam of one state leaves the corridor's way to the goal; a beam from a state that it does
    /// not keep finds it.
    #[test]
    fn strays_begin_at_states_that_are_not_kept() {
        let layers = Layers { beam: Narrow { width: 1, depth: 2 }, samples: 60, strays: 3 };
        let found =
            values(3, layers, |_, &cell| Some(if cell >= PIT { 90 } else { 10 - u32::from(cell) }));
        // Cell 2 and the pit are not kept. A beam from cell 2 keeps cells 3 and 4, and sees 10 − 5.
        let cells: Vec<u8> = found.iter().map(|&(cell, _)| cell).collect();
        assert!(cells.contains(&2) || cells.contains(&PIT), "{found:?}");
        assert!(found.contains(&(3, 7.0)), "{found:?}");
    }

    #[test]
    fn a_goal_as_start_is_one_example() {
        let layers = Layers { beam: Narrow { width: 1, depth: 2 }, samples: 1, strays: 0 };
        assert_eq!(values(0, layers, |_, _| Some(5)), [(0, 0.0)]);
    }
}
