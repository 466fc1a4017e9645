//! Shortest solutions of the 3×3×3, proved.
//!
//! Iterative deepening from the start and the end of a solution. A table has a bit for each coset
//! of two opposite faces, which is set if the coset is at most eleven quarter turns (or ten turns
//! of any angle) from the solved cube's coset. The search looks at the state and at its inverse
//! along each of the three axes. If a coset's distance exceeds `remaining − 1`, no turn about its
//! axis can be next (for the inverse: last). The default table has 1.3 GB. It is built once and
//! stored in the cache.
//!
//! The bits extend Rokicki's `nxopt` (cosets by the corners' layers): one bit instead of distances,
//! states looked up many at a time (`pipeline`), and turns made at both ends.

mod block;
mod build;
mod bytes;
mod coset;
mod node;
mod order;
mod pipeline;
mod size;

use crate::{
    Cube, Metric, Turn,
    geometry::{SYMMETRY, Symmetry},
    measures::{canonical, length},
    pieces::turn_image,
};
use build::Near;
use node::Node;
use order::{Order, State};
use pipeline::{Path, Pipeline, Step};
pub use size::{Size, Wanted};
use std::{
    collections::{BTreeMap, HashSet},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};
use unriddle_core::clock::ThreadTime;
use unriddle_core::{
    Info, Observer, Options, Outcome, Progress, Quota, Role, Search, Solution, Stats, options,
    parallel::map, words,
};
use unriddle_tables::{Cache, Table, TableError, cache::Build};

/// Declaration that `describe cube-optimal` shows.
pub const INFO: Info = Info {
    guarantee: "optimal",
    requires: "cube",
    reference: "Rokicki 2010, Twenty-two moves suffice for Rubik's cube; Korf 1997, Finding optimal solutions to Rubik's cube using pattern databases",
    parameters: OptimalConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "cube-optimal",
        "the fewest moves of the 3×3×3 by a table of 1.3 GB, which is built once in about half a minute",
    )
};

words! {
    /// Storage of the table in memory.
    pub enum Pages {
        /// In the system's memory of files.
        Shared = "shared",
        /// In memory of the process.
        Huge = "huge",
    }
}

words! {
    /// Preference among the shortest solutions.
    pub enum Ties {
        /// The solutions that are found first.
        First = "first",
        /// The solutions that are shortest in the other metric.
        Metric = "metric",
    }
}

options! {
    /// Parameters of the optimal search.
    #[derive(Copy)]
    pub struct OptimalConfig of INFO {
        table: Wanted = "1.3G", "size of the table, or fit (largest within the memory limit)", "Larger tables are faster. `fit` selects the largest table that fits the memory limit (without a limit: 1.3G) and exists or could be built.";
        pages: Pages = "shared", "memory of the table: shared (file) or huge (copy)", "`shared` maps the table's file, which several processes share. `huge` copies the table into huge pages. The copy uses the table's full size in memory (8 GB for `table=8G`) and takes seconds, but makes the search faster, most of all with large tables.";
        all: usize = "1" in 1..=1_000_000, "number of shortest solutions", "Solutions that differ only in the order of turns of opposite faces count once.";
        ties: Ties = "first", "preference among the shortest solutions: first or metric", "`first` prefers the solutions that are found first. `metric` prefers the solutions that are shortest in the other metric: the fewest quarter turns among the shortest ones in half turns. For this, the search enumerates all shortest solutions.";
    }
    also {
        /// Threads that share the search.
        threads: usize = 1;
        /// Bytes that the table may take.
        memory: Option<u64> = None;
    }
}

/// Moves between the first states that are looked up and the root of a subtree. A subtree takes
/// some milliseconds.
const SUBTREE: usize = 4;

/// A part of the search: all paths that begin with some turns.
struct Task {
    number: u64,
    node: Node,
    front: State,
    turns: Vec<u8>,
    left: usize,
}

/// All sequences of `length` turns, one after the other.
struct Prefixes {
    order: Arc<Order>,
    /// The beginnings of the sequences that are left, in reverse order.
    open: Vec<Task>,
    length: usize,
    number: u64,
}

impl Prefixes {
    /// The beginnings of paths of `bound` moves. The rest of a path is as long as a subtree and the
    /// states that are looked up.
    fn new(order: &Arc<Order>, start: Node, near: Near, bound: usize) -> Self {
        // Longer sequences would be too many to keep none of them.
        let length = bound.saturating_sub(usize::from(near.depth()) + 2 + SUBTREE);
        let left = bound - length;
        let task = Task { number: 0, node: start, front: 0, turns: Vec::new(), left };
        Self { order: Arc::clone(order), open: vec![task], length, number: 0 }
    }

    /// The task of the next sequence; `None` after the last one.
    fn next(&mut self) -> Option<Task> {
        loop {
            let task = self.open.pop()?;
            if task.turns.len() == self.length {
                self.number += 1;
                return Some(Task { number: self.number - 1, ..task });
            }
            let begun = self.open.len();
            self.open.extend(self.order.all(task.front).map(|(turn, front)| Task {
                node: task.node.turned(&node::TURNS, turn.into()),
                front,
                turns: [&task.turns[..], &[turn]].concat(),
                ..task
            }));
            self.open[begun..].reverse();
        }
    }
}

/// The shortest solutions that are kept.
#[derive(Default)]
struct Kept {
    /// Solutions by preference, then by the time when they were found.
    best: BTreeMap<(u64, usize), Vec<Turn>>,
    /// All that were found.
    seen: HashSet<Vec<Turn>>,
}

impl Kept {
    /// The solutions, the best first.
    fn solutions(&self) -> impl Iterator<Item = Solution<Turn>> + '_ {
        let solution =
            |turns: &Vec<Turn>| Solution { actions: turns.clone(), value: turns.len() as i64 };
        self.best.values().map(solution)
    }
}

/// The search.
pub struct Optimal {
    table: Arc<Table>,
    near: Near,
    threads: usize,
    start: Node,
    front: Arc<Order>,
    /// The symmetries that keep the start.
    same: Vec<&'static Symmetry>,
    /// Number of wanted solutions.
    all: usize,
    ties: Ties,
    kept: Kept,
    pipelines: Vec<Pipeline<()>>,
    /// The same that knows the turns that led to a state.
    recorder: Pipeline<Path>,
    /// Moves of the solutions that are looked for.
    bound: usize,
    prefixes: Prefixes,
    best: Option<Solution<Turn>>,
    outcome: Option<Outcome<Turn>>,
    stats: Stats,
}

/// Builder of the table of a configuration. `fit` without a cache, which would know the existing
/// tables, selects the default size.
#[must_use]
pub fn table(metric: Metric, config: OptimalConfig) -> Box<dyn Build> {
    let size = config.table.0.unwrap_or_default();
    Box::new(Near { metric, size })
}

/// The table that a configuration wants.
fn chosen(metric: Metric, config: OptimalConfig, cache: &Cache) -> Near {
    let near = |size| Near { metric, size };
    let fits = |near: &Near| {
        config.memory.is_none_or(|memory| near.bytes() < memory) && cache.has_room(near).is_ok()
    };
    let most = match config.memory {
        Some(_) => Size::Twelvefold,
        None => Size::Standard,
    };
    let fit = || {
        let sizes = Size::ALL.into_iter().rev().skip_while(|size| *size != most);
        let found = sizes.map(near).find(fits);
        // If no table fits, the error names the smallest one.
        found.unwrap_or(near(Size::Small))
    };
    config.table.0.map_or_else(fit, near)
}

/// Adds the sizes that fit the memory limit to an error of a table that exceeds it.
fn with_hint(error: TableError, metric: Metric, cache: &Cache) -> TableError {
    let TableError::NoRoom { key, place, needed, free, .. } = error else {
        return error;
    };
    let fits = |size: &Size| cache.has_room(&Near { metric, size: *size }).is_ok();
    let fitting: Vec<_> = Size::ALL.into_iter().filter(fits).map(Size::name).collect();
    let hint = match fitting.is_empty() {
        true => String::new(),
        false => format!("; these sizes of `table` fit: {}", fitting.join(", ")),
    };
    TableError::NoRoom { key, place, needed, free, hint }
}

impl Optimal {
    /// A search for the fewest moves of a cube that can be solved, with the table from the cache.
    ///
    /// # Errors
    /// The table cannot be had.
    pub fn new(cube: &Cube<3>, config: OptimalConfig, cache: &Cache) -> Result<Self, TableError> {
        let (start, metric) = (*cube.start(), cube.metric());
        let near = chosen(metric, config, cache);
        let table = match config.pages {
            Pages::Shared => cache.get(&near),
            Pages::Huge => cache.get_resident(&near),
        };
        let table = table.map_err(|error| with_hint(error, metric, cache))?;
        let mut front = Order::new(metric, false);
        // Symmetries of the start map some first turns to each other, of which one suffices.
        let same: Vec<_> = SYMMETRY.iter().filter(|one| start.image(one) == start).collect();
        front.restrict(|turn| same.iter().map(|one| turn_image(turn, one)).min() == Some(turn));
        let (front, back) = (Arc::new(front), Arc::new(Order::new(metric, true)));
        let threads = config.threads.max(1);
        let pipelines: Vec<Pipeline<()>> =
            (0..threads).map(|_| Pipeline::new(&table, near, &front, &back)).collect();
        let mut recorder = Pipeline::new(&table, near, &front, &back);
        let is_one = config.all == 1 && config.ties == Ties::First;
        recorder.wanted = if is_one { 1 } else { usize::MAX };
        let node = Node::new(&start);
        let mut bound = usize::from(pipelines[0].bound(&node));
        // Each quarter turn changes the parity of the corners.
        if metric == Metric::Quarter {
            bound += usize::from((bound % 2 == 1) != start.has_odd_corners());
        }
        Ok(Self {
            prefixes: Prefixes::new(&front, node, near, bound),
            table,
            near,
            threads,
            start: node,
            front,
            same,
            all: config.all,
            ties: config.ties,
            kept: Kept::default(),
            pipelines,
            recorder,
            bound,
            best: None,
            outcome: None,
            stats: Stats::default(),
        })
    }

    /// Bytes of the table.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Whether the first solution ends the search.
    fn is_one(&self) -> bool {
        self.recorder.wanted == 1
    }

    /// The turns of a path that a task found.
    fn turns(task: &Task, steps: &[Step]) -> Vec<Turn> {
        let end = steps.iter().rev().filter(|(_, is_end)| *is_end);
        let begin = steps.iter().filter(|(_, is_end)| !is_end);
        let found = begin.chain(end).map(|&(turn, _)| turn);
        task.turns.iter().copied().chain(found).map(Turn).collect()
    }

    /// Works on at most `count` tasks; whether the search is over.
    fn work(&mut self, count: u64) -> (u64, bool) {
        let is_one = self.is_one();
        let prefixes = Mutex::new((&mut self.prefixes, 0_u64));
        let has_found = AtomicBool::new(false);
        let take = || {
            let (prefixes, taken) = &mut *prefixes.lock().unwrap_or_else(PoisonError::into_inner);
            if *taken >= count || is_one && has_found.load(Ordering::SeqCst) {
                return None;
            }
            let task = prefixes.next()?;
            *taken += 1;
            Some(task)
        };
        let caller = thread::current().id();
        // By task: number of states looked up, and whether it found something. The CPU time of a
        // helper thread.
        let work = |pipeline: &mut Pipeline<()>| {
            let (clock, mut done) = (ThreadTime::now(), Vec::new());
            while let Some(task) = take() {
                let before = pipeline.generated;
                pipeline.found.clear();
                pipeline.run(task.node, task.front, task.left);
                let found = !pipeline.found.is_empty();
                has_found.fetch_or(found, Ordering::SeqCst);
                done.push((task, pipeline.generated - before, found));
            }
            let is_helper = thread::current().id() != caller;
            (done, if is_helper { clock.elapsed() } else { Duration::ZERO })
        };
        let mut done = Vec::new();
        for (tasks, helper_cpu) in map(self.pipelines.iter_mut(), self.threads, work) {
            done.extend(tasks);
            self.stats.helper_cpu += helper_cpu;
        }
        // Tasks are taken in order, so that all tasks before the first success are finished.
        done.sort_unstable_by_key(|(task, ..)| task.number);
        for (tasks, (task, generated, found)) in (1..).zip(&done) {
            self.stats.generated += generated;
            if *found {
                self.record(task);
                if self.ties == Ties::First && self.kept.best.len() >= self.all {
                    return (tasks, true);
                }
            }
        }
        (done.len() as u64, false)
    }

    /// Stores the solutions of a task, which is searched once more with the turns.
    fn record(&mut self, task: &Task) {
        self.recorder.found.clear();
        self.recorder.run(task.node, task.front, task.left);
        let found = std::mem::take(&mut self.recorder.found);
        let metric = self.near.metric;
        for turns in found.iter().map(|steps| Self::turns(task, steps)) {
            if self.is_one() {
                self.kept.best.insert((0, 0), turns);
                continue;
            }
            // First turns that symmetries of the start turn into others were left out.
            for symmetry in &self.same {
                let image = |turn: &Turn| Turn(turn_image(turn.0, symmetry));
                let image: Vec<Turn> = turns.iter().map(image).collect();
                let image = canonical(&image, metric);
                if !self.kept.seen.insert(image.clone()) {
                    continue;
                }
                let second = match self.ties {
                    Ties::First => 0,
                    Ties::Metric => length(&image, metric.other()),
                };
                self.kept.best.insert((second, self.kept.seen.len()), image);
                if self.kept.best.len() > self.all {
                    self.kept.best.pop_last();
                }
            }
        }
    }
}

impl Search for Optimal {
    type Action = Turn;

    /// An expansion is a subtree of some milliseconds. Generated states are the states that were
    /// looked up.
    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Turn>) -> Progress<Turn> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            let mut count = quota.expanded - self.stats.expanded;
            if quota.generated != u64::MAX {
                // Counted after each subtree.
                count = count.min(self.threads as u64);
            }
            let was_none = self.best.is_none();
            let (tasks, is_over) = self.work(count);
            self.stats.expanded += tasks;
            let best = self.kept.solutions().next();
            self.best.clone_from(&best);
            if let (Some(best), true) = (&best, was_none) {
                observer.improved(best, &self.stats);
            }
            let is_through = is_over || tasks < count;
            if let (Some(best), true) = (best, is_through) {
                self.outcome = Some(Outcome::Solved { proof: true, bound: Some(best.value), best });
            } else if is_through {
                self.bound += if self.near.metric == Metric::Quarter { 2 } else { 1 };
                self.prefixes = Prefixes::new(&self.front, self.start, self.near, self.bound);
                observer.bound(self.bound as i64, &self.stats);
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Turn>> {
        self.best.as_ref()
    }

    fn others(&self) -> Vec<Solution<Turn>> {
        self.kept.solutions().skip(1).collect()
    }

    fn bound(&self) -> Option<i64> {
        Some(self.bound as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pieces, pieces::SOLVED};
    use std::collections::HashMap;
    use unriddle_core::{Budget, Puzzle as _, Rng, run};
    use unriddle_tables::Policy;

    /// Distances up to `depth`, by breadth-first search.
    fn ball(cube: &Cube<3>, from: Pieces, depth: u32) -> HashMap<Pieces, u32> {
        let mut seen = HashMap::from([(from, 0)]);
        let mut level = vec![from];
        for distance in 1..=depth {
            let mut next = Vec::new();
            for state in &level {
                for turn in cube.turns() {
                    let after = cube.apply(state, turn);
                    seen.entry(after).or_insert_with(|| {
                        next.push(after);
                        distance
                    });
                }
            }
            level = next;
        }
        seen
    }

    /// Compares lengths of random walks with a bidirectional breadth-first search of `depth` moves
    /// on each side.
    fn assert_meeting(metric: Metric, depth: u32, lengths: impl Iterator<Item = u32>) {
        let cache = Cache::new(None, 2, Policy::Reuse);
        let rng = &mut Rng::new(8);
        let solved = Cube::<3>::new(SOLVED, metric);
        let turns: Vec<Turn> = solved.turns().collect();
        let near = ball(&solved, SOLVED, depth);
        for length in lengths {
            let random =
                |state, _| solved.apply(&state, turns[rng.below(turns.len() as u64) as usize]);
            let start = (0..length).fold(SOLVED, random);
            let around = ball(&solved, start, depth);
            let meet = around.iter().filter_map(|(state, far)| Some(near.get(state)? + far));
            let least = meet.min().map(i64::from);
            let cube = Cube::<3>::new(start, metric);
            for threads in [1, 2] {
                let config = OptimalConfig {
                    table: Wanted(Some(Size::Small)),
                    threads,
                    ..OptimalConfig::default()
                };
                let mut search = Optimal::new(&cube, config, &cache).unwrap();
                let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
                assert!(outcome.is_optimal());
                let best = outcome.best().unwrap();
                assert_eq!(Some(best.value), least, "{metric:?}, {length}");
                let end = best.actions.iter().fold(start, |state, &turn| cube.apply(&state, turn));
                assert_eq!(end, SOLVED);
            }
        }
    }

    /// The small table, random walks, and bidirectional breadth-first search.
    #[test]
    fn fewest_moves_equal_bidirectional_search() {
        for (metric, depth) in [(Metric::Quarter, 5), (Metric::Half, 4)] {
            assert_meeting(metric, depth, (0..=2 * depth).chain([2 * depth; 4]));
        }
    }

    /// Lengths up to 14 quarter turns and 12 turns of any angle, with eight million states around
    /// the goal and as many around each start: `cargo test --release -p unriddle-cube --lib --
    /// --ignored`.
    #[test]
    #[ignore = "takes minutes and two gigabytes"]
    fn longer_solutions_equal_bidirectional_search() {
        for (metric, depth) in [(Metric::Quarter, 7), (Metric::Half, 6)] {
            assert_meeting(metric, depth, 2 * depth - 3..=2 * depth);
        }
    }

    /// All sequences of `left` turns that solve a state, each as it is kept.
    fn every(
        cube: &Cube<3>,
        (near, reach): (&HashMap<Pieces, u32>, u32),
        (state, path): (Pieces, &mut Vec<Turn>),
        left: u32,
        all: &mut HashSet<Vec<Turn>>,
    ) {
        if left == 0 {
            all.insert(canonical(path, cube.metric()));
            return;
        }
        for turn in cube.turns() {
            let after = cube.apply(&state, turn);
            let is_far = match near.get(&after) {
                Some(&distance) => distance > left - 1,
                None => left - 1 <= reach,
            };
            if !is_far {
                path.push(turn);
                every(cube, (near, reach), (after, path), left - 1, all);
                path.pop();
            }
        }
    }

    /// Compares all solutions of starts with and without symmetries with a search without any
    /// rules.
    #[test]
    fn all_shortest_solutions_are_found_once() {
        let cache = Cache::new(None, 2, Policy::Reuse);
        for (metric, starts) in [
            (Metric::Quarter, ["U2 D2 R", "R L' U D' R L'", "R U F'", ""]),
            (Metric::Half, ["R2 L2 U2 D2 F2 B2", "U2 R2 L2 U2", "R U2 L", "R L"]),
        ] {
            let reach = 4;
            let near = ball(&Cube::<3>::new(SOLVED, metric), SOLVED, reach);
            for text in starts {
                let cube = Cube::<3>::parse(text, metric).unwrap();
                let run_with = |all, ties, threads| {
                    let config = OptimalConfig {
                        table: Wanted(Some(Size::Small)),
                        all,
                        ties,
                        threads,
                        ..OptimalConfig::default()
                    };
                    let mut search = Optimal::new(&cube, config, &cache).unwrap();
                    let outcome = run(&mut search, &Budget::default(), &mut ()).unwrap();
                    let mut found = vec![outcome.best().unwrap().actions.clone()];
                    found.extend(search.others().into_iter().map(|other| other.actions));
                    found
                };
                let found = run_with(1_000, Ties::First, 1);
                let mut all = HashSet::new();
                let left = found[0].len() as u32;
                every(&cube, (&near, reach), (*cube.start(), &mut Vec::new()), left, &mut all);
                assert_eq!(found.len(), all.len(), "{text}");
                assert_eq!(found.iter().cloned().collect::<HashSet<_>>(), all, "{text}");
                assert_eq!(found, run_with(1_000, Ties::First, 2), "{text}");
                let second = |turns: &Vec<Turn>| length(turns, metric.other());
                let by_metric = run_with(2, Ties::Metric, 2);
                assert_eq!(
                    by_metric.iter().map(second).min(),
                    all.iter().map(second).min(),
                    "{text}"
                );
                assert!(by_metric.is_sorted_by_key(second), "{text}");
                assert_eq!(by_metric.len(), all.len().min(2), "{text}");
            }
        }
    }

    /// Distances of 64 flips and marks agree, and both are lower bounds of states near the solved
    /// cube.
    #[test]
    fn bounds_are_bounds() {
        let cache = Cache::new(None, 2, Policy::Reuse);
        let solved = Cube::<3>::new(SOLVED, Metric::Half);
        let config = OptimalConfig { table: Wanted(Some(Size::Small)), ..OptimalConfig::default() };
        let search = Optimal::new(&solved, config, &cache).unwrap();
        let mut is_sharp = false;
        for (state, distance) in ball(&solved, SOLVED, 4) {
            let bound = search.pipelines[0].bound(&Node::new(&state));
            assert!(u32::from(bound) <= distance);
            is_sharp |= bound == 4;
        }
        assert!(is_sharp);
    }
}
