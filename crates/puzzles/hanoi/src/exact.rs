//! The fewest moves from any position, by bidirectional breadth-first search among
//! [classes](crate::classes) of positions.
//!
//! 1. Frame and Stewart's [method](crate::stewart) and a beam by the [estimate](crate::towers) find
//!    a solution; its length is the upper bound.
//! 2. Layers of classes grow from the start and from the goal, always on the side whose last layer
//!    is smaller. From the start, a class is expanded only if its depth and its estimate together
//!    are below the upper bound. The estimate is consistent, so every shorter solution stays.
//! 3. The first class that both last layers have in common is on a shortest solution. If the depths
//!    add up to one less than the upper bound without such a class, the known solution is optimal.
//!
//! A class is left out if one of the last two layers of its side contains it: all moves can be
//! undone, so no other layer can (Korf and Zhang 2005, Frontier search, Journal of the ACM 52).
//! Earlier layers are packed into one or two bytes a class and serve only for the solution.

use crate::{
    Hanoi, MOST, State, Step,
    classes::Classes,
    layers::{Layers, common},
    stewart,
    towers::{Towers, TowersConfig},
};
use unriddle_core::{
    Info, Observer, Options, Outcome, Progress, Puzzle as _, Quota, Role, Search, SearchError,
    Solution, Stats, options,
};

/// Declaration of `hanoi-exact`.
pub const INFO: Info = Info {
    guarantee: "optimal",
    requires: "towers of Hanoi",
    reference: "Korf and Felner 2007, Recent progress in heuristic search: a case study of the four-peg Towers of Hanoi problem, IJCAI",
    parameters: ExactConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "hanoi-exact",
        "the fewest moves: a bidirectional search, pruned by sums of small towers",
    )
};

options! {
    /// Options of [`Exact`].
    #[derive(Copy)]
    pub struct ExactConfig of INFO {
        disks: u8 = "0" in 0..=14,
            "disks of the table (0 = as 4 million entries allow)",
            "As of the heuristic `towers`: larger tables prune more.";
        width: usize = "1000" in 1..=1 << 20,
            "width of the beam that finds the first solution",
            "A beam by the estimate precedes the search. A shorter first solution lets the search \
             leave out more positions.";
    }
}

impl ExactConfig {
    /// The configuration of the estimate.
    pub(crate) fn towers(self) -> TowersConfig {
        TowersConfig { disks: self.disks }
    }
}

enum Stage {
    Begin,
    /// The beam's layers.
    Beam(Layers),
    /// Layers from the start and from the goal.
    Sides(Box<[Layers; 2]>),
    Done(Outcome<Step>),
}

/// The search. Every expanded class counts as a state.
pub struct Exact<'a> {
    puzzle: &'a Hanoi,
    towers: Towers,
    classes: Classes,
    width: usize,
    stage: Stage,
    best: Option<Solution<Step>>,
    bound: i64,
    stats: Stats,
}

impl<'a> Exact<'a> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds.
    pub fn new(
        puzzle: &'a Hanoi,
        towers: Towers,
        config: ExactConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        Ok(Self {
            classes: Classes::new(puzzle.pegs, puzzle.disks),
            bound: towers.estimate(&puzzle.start).into(),
            puzzle,
            towers,
            width: config.width,
            stage: Stage::Begin,
            best: None,
            stats: Stats::default(),
        })
    }

    /// The value of the best solution.
    fn value(&self) -> i64 {
        self.best.as_ref().map_or(i64::MAX, |best| best.value)
    }

    fn improve(&mut self, actions: Vec<Step>, observer: &mut dyn Observer<Step>) {
        let best = Solution { value: actions.len() as i64, actions };
        if best.value < self.value() {
            observer.improved(&best, &self.stats);
            self.best = Some(best);
        }
    }

    fn prove(&mut self, bound: i64, observer: &mut dyn Observer<Step>) {
        if bound > self.bound {
            self.bound = bound;
            observer.bound(bound, &self.stats);
        }
    }

    /// The moves along a path of classes, from the start on.
    fn moves(&self, path: &[u64]) -> Vec<Step> {
        let mut state: State = self.puzzle.start;
        let mut moves = Vec::new();
        for &next in &path[1..] {
            let found = self.puzzle.actions(&state).find_map(|step| {
                let after = self.puzzle.apply(&state, step);
                (self.classes.rank(&after[..self.puzzle.disks]) == next).then_some((step, after))
            });
            // Positions of a class have neighbours of the same classes.
            let Some((step, after)) = found else { break };
            moves.push(step);
            state = after;
        }
        moves
    }

    /// Ends with the best solution, which is optimal.
    fn end(&mut self, observer: &mut dyn Observer<Step>) -> Stage {
        let value = self.value();
        self.prove(value, observer);
        match self.best.clone() {
            Some(best) => Stage::Done(Outcome::proved(best)),
            None => Stage::Done(Outcome::Unsolvable),
        }
    }

    fn begin(&mut self, observer: &mut dyn Observer<Step>) -> Stage {
        let bound = self.bound;
        self.improve(stewart::solution(self.puzzle), observer);
        observer.bound(bound, &self.stats);
        if self.value() == bound {
            return self.end(observer);
        }
        let start = self.classes.rank(&self.puzzle.start[..self.puzzle.disks]);
        Stage::Beam(Layers::new(start))
    }

    /// Expands the next class of a side.
    fn expand(&mut self, side: &mut Layers, prunes: bool) {
        let rank = side.last[side.next];
        side.next += 1;
        let mut at = [0; MOST];
        self.classes.unrank(rank, &mut at);
        if prunes {
            self.stats.evaluated += 1;
            let estimate = self.towers.estimate(&at[..self.puzzle.disks]);
            if i64::from(side.depth() + estimate) >= self.value() {
                return;
            }
        }
        self.stats.expanded += 1;
        self.classes.neighbours(&mut at, |next| {
            side.push(next);
            self.stats.generated += 1;
        });
        side.tidy();
    }

    /// Completes a layer of the beam; `None` if the beam has ended.
    fn narrow(&mut self, beam: &mut Layers, observer: &mut dyn Observer<Step>) -> Option<()> {
        let mut layer = beam.new_classes();
        if layer.first() == Some(&0) {
            beam.add(layer);
            let mut path = beam.back(&self.classes, 0);
            path.reverse();
            self.improve(self.moves(&path), observer);
            return None;
        }
        if layer.len() > self.width {
            let mut at = [0; MOST];
            let mut rated: Vec<(u32, u64)> = Vec::new();
            for &rank in &layer {
                self.classes.unrank(rank, &mut at);
                rated.push((self.towers.estimate(&at[..self.puzzle.disks]), rank));
            }
            self.stats.evaluated += rated.len() as u64;
            rated.select_nth_unstable(self.width - 1);
            layer = rated[..self.width].iter().map(|&(_, rank)| rank).collect();
            layer.sort_unstable();
        }
        if layer.is_empty() {
            return None;
        }
        beam.add(layer);
        Some(())
    }

    /// Completes a layer of one side; the stage that ends the search if it ends.
    fn meet(
        &mut self,
        sides: &mut [Layers; 2],
        side: usize,
        observer: &mut dyn Observer<Step>,
    ) -> Option<Stage> {
        let layer = sides[side].new_classes();
        if layer.is_empty() {
            // Nothing shorter is left.
            return Some(self.end(observer));
        }
        sides[side].add(layer);
        let depth = sides[0].depth() + sides[1].depth();
        if let Some(rank) = common(&sides[0].last, &sides[1].last) {
            let mut path = sides[0].back(&self.classes, rank);
            path.reverse();
            path.extend(&sides[1].back(&self.classes, rank)[1..]);
            self.improve(self.moves(&path), observer);
            return Some(self.end(observer));
        }
        self.prove(i64::from(depth) + 1, observer);
        (self.bound >= self.value()).then(|| self.end(observer))
    }

    /// The next expansion, or the end of a layer; `None` if it needs more bytes than allowed.
    fn work(&mut self, bytes: u64, observer: &mut dyn Observer<Step>) -> Option<Stage> {
        let stage = std::mem::replace(&mut self.stage, Stage::Begin);
        match stage {
            Stage::Begin => {
                self.stats.expanded += 1;
                Some(self.begin(observer))
            }
            Stage::Beam(mut beam) => {
                if !beam.fits(0, bytes) {
                    self.stage = Stage::Beam(beam);
                    return None;
                }
                let goes_on = if beam.next < beam.last.len() {
                    self.expand(&mut beam, true);
                    Some(())
                } else {
                    self.narrow(&mut beam, observer)
                };
                self.stats.peak_bytes = self.stats.peak_bytes.max(beam.bytes());
                if goes_on.is_some() {
                    return Some(Stage::Beam(beam));
                }
                if self.value() == self.bound {
                    return Some(self.end(observer));
                }
                let start = self.classes.rank(&self.puzzle.start[..self.puzzle.disks]);
                Some(Stage::Sides(Box::new([Layers::new(start), Layers::new(0)])))
            }
            Stage::Sides(mut sides) => {
                // A side that is begun is completed first; otherwise the smaller one is next.
                let [start, goal] = &*sides;
                let side = match (start.next, goal.next) {
                    (0, 0) => usize::from(goal.last.len() < start.last.len()),
                    (begun, _) => usize::from(begun == 0),
                };
                let others = sides[1 - side].bytes();
                if !sides[side].fits(others, bytes) {
                    self.stage = Stage::Sides(sides);
                    return None;
                }
                let ended = if sides[side].next < sides[side].last.len() {
                    self.expand(&mut sides[side], side == 0);
                    None
                } else {
                    self.meet(&mut sides, side, observer)
                };
                let all = sides[0].bytes() + sides[1].bytes();
                self.stats.peak_bytes = self.stats.peak_bytes.max(all);
                Some(ended.unwrap_or(Stage::Sides(sides)))
            }
            done @ Stage::Done(_) => Some(done),
        }
    }
}

impl Search for Exact<'_> {
    type Action = Step;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Step>) -> Progress<Step> {
        loop {
            if let Stage::Done(outcome) = &self.stage {
                return Progress::Finished(outcome.clone());
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            match self.work(quota.bytes, observer) {
                Some(stage) => self.stage = stage,
                None => return Progress::OutOfMemory,
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Step>> {
        self.best.as_ref()
    }

    fn bound(&self) -> Option<i64> {
        Some(self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use unriddle_core::{Budget, Limit, Rng, run};
    use unriddle_tables::{Cache, Policy};

    fn cache() -> Cache {
        Cache::new(None, 1, Policy::Reuse)
    }

    fn solved(puzzle: &Hanoi, config: ExactConfig) -> (i64, Stats) {
        let towers = Towers::new(puzzle, config.towers(), &cache()).unwrap();
        let mut search = Exact::new(puzzle, towers, config).unwrap();
        let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
        let Outcome::Solved { best, proof: true, bound } = outcome else { panic!("{outcome:?}") };
        assert_eq!(bound, Some(best.value));
        let mut state = puzzle.start;
        for &step in &best.actions {
            assert!(puzzle.actions(&state).any(|legal| legal == step));
            state = puzzle.apply(&state, step);
        }
        assert!(state[..puzzle.disks].iter().all(|&peg| peg == puzzle.pegs - 1));
        assert_eq!(best.actions.len() as i64, best.value);
        (best.value, search.stats())
    }

    fn puzzle(at: &[u8], pegs: u8) -> Hanoi {
        let text: Vec<String> = at.iter().map(|peg| (peg + 1).to_string()).collect();
        Hanoi::parse(&text.join(" "), pegs).unwrap()
    }

    /// All positions of small towers, by a naive breadth-first search, with tables that are far
    /// too small and beams that find no good solution.
    #[test]
    fn all_positions_of_small_towers_agree_with_a_naive_search() {
        for (pegs, disks) in [(3, 4), (4, 5), (5, 4), (6, 3)] {
            let goal = vec![pegs - 1; disks];
            let mut distances = HashMap::from([(goal.clone(), 0)]);
            let mut queue = std::collections::VecDeque::from([goal]);
            while let Some(at) = queue.pop_front() {
                for disk in 0..disks {
                    for peg in 0..pegs {
                        let covered =
                            at[..disk].iter().any(|&other| other == at[disk] || other == peg);
                        if covered || peg == at[disk] {
                            continue;
                        }
                        let mut next = at.clone();
                        next[disk] = peg;
                        let distance = distances[&at] + 1;
                        distances.entry(next.clone()).or_insert_with(|| {
                            queue.push_back(next);
                            distance
                        });
                    }
                }
            }
            assert_eq!(distances.len(), usize::from(pegs).pow(disks as u32));
            for (at, distance) in distances {
                let puzzle = puzzle(&at, pegs);
                for (disks, width) in [(0, 1000), (1, 1), (2, 3)] {
                    let (moves, _) = solved(&puzzle, ExactConfig { disks, width });
                    assert_eq!(moves, distance, "{at:?}");
                }
            }
        }
    }

    /// Random positions of ten disks, by the distances of a table of ten disks.
    #[test]
    fn random_positions_agree_with_a_complete_table() {
        let whole = puzzle(&[0; 10], 4);
        let all = Towers::new(&whole, TowersConfig { disks: 10 }, &cache()).unwrap();
        let mut rng = Rng::new(1);
        for width in [1, 30].into_iter().cycle().take(20) {
            let at: Vec<u8> = (0..10).map(|_| rng.below(4) as u8).collect();
            let (moves, _) = solved(&puzzle(&at, 4), ExactConfig { disks: 4, width });
            assert_eq!(moves, i64::from(all.estimate(&at)), "{at:?}");
        }
    }

    /// The whole tower of fifteen disks on four pegs.
    #[test]
    fn fifteen_disks_take_129_moves() {
        let (moves, stats) = solved(&puzzle(&[0; 15], 4), ExactConfig::default());
        assert_eq!(moves, 129);
        assert!(stats.expanded < 10_000_000, "{stats:?}");
    }

    /// A search in steps of one expansion ends as one run, and limits end it.
    #[test]
    fn searches_are_resumed_and_limited() {
        let puzzle = puzzle(&[0; 9], 4);
        let config = ExactConfig { disks: 3, width: 2 };
        let towers = || Towers::new(&puzzle, config.towers(), &cache()).unwrap();
        let (value, stats) = solved(&puzzle, config);
        let mut search = Exact::new(&puzzle, towers(), config).unwrap();
        let outcome = loop {
            match search.step(1, &mut ()) {
                Progress::Running => {}
                Progress::Finished(outcome) => break outcome,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(outcome.best().map(|best| best.value), Some(value));
        assert_eq!(search.stats(), stats);
        for (memory, expansions) in [(Some(20_000), None), (None, Some(100))] {
            let budget = Budget { memory, expansions, ..Budget::default() };
            let mut search = Exact::new(&puzzle, towers(), config).unwrap();
            let outcome = run(&mut search, &budget, &mut ()).unwrap();
            let Outcome::Stopped { why, best, bound } = outcome else { panic!("{outcome:?}") };
            assert_eq!(why == Limit::Memory, memory.is_some());
            assert!(best.is_some() && bound.is_some_and(|bound| bound <= value));
            assert!(memory.is_none_or(|memory| search.stats().peak_bytes <= memory));
        }
    }
}
