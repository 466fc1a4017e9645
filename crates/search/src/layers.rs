//! Beam search of score puzzles over layers of states.
//!
//! Every action leads to a state of a lower layer ([`Layered`]; in SameGame, to fewer cells). The
//! search expands the layers from the highest down. It expands the W most promising states of each
//! layer: the states with the largest sum of the score so far and an estimate of the reward that
//! can still be earned. So a state competes with states that have as much before them, and not with
//! states after as many moves. Ties are broken by the order of generation.
//!
//! A state is kept once, with the best score that leads to it. If no state was ever cut off or
//! excluded by a tabu, the best line is proved optimal: the search was dynamic programming over all
//! states. With an upper bound ([`Layers::bounded`]) the search drops states that cannot beat the
//! best line, which loses no proof and makes it a solver of endgames.
//!
//! After a run with width W follows a run with `growth`·W, until `runs` are made.
//!
//! Counters: an expanded state is *expanded*, its successors are *generated*, and new successors
//! are *evaluated*. Memory: states of all lower layers, at most 4·W of each, and 12 bytes for each
//! expanded state.
//!
//! References: R. Bisiani, "Beam Search", in Encyclopedia of Artificial Intelligence (1987). Layers
//! of states instead of numbers of moves: R. Zhou and E. A. Hansen, "Sweep A*: space-efficient
//! heuristic search in partially ordered graphs" (ICTAI 2003).

use crate::{
    chunked::Chunked,
    lines::{Champion, fit},
    memory::{Accounted, Full, bytes, reserve},
    nodes::{NONE, Nodes},
    report::{Halt, ObserverOf, ceiling, score_search},
};
use unriddle_core::{
    Info, Layered, Options, Outcome, Puzzle, Quota, Role, Score, SearchError, Selective,
    StateValue, Stats, Unfiltered, UpperBound, options, search::check_state_size,
};

/// Largest width.
pub const MAX_WIDTH: usize = 1 << 28;

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "incomplete; proves its best line if no state was ever cut off",
    requires: "a score puzzle with layers and an evaluation; memory for the beam",
    reference: "Bisiani 1987; Zhou and Hansen 2003 (layers)",
    parameters: LayersConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "layers",
        "beam search over layers of states: keeps the most promising states of each layer",
    )
};

options! {
    /// Options of [`Layers`].
    #[derive(Copy, Eq)]
    pub struct LayersConfig of INFO {
        width: usize = "1000" in 1..=MAX_WIDTH, "states expanded of each layer in the first run";
        growth: usize = "2" in 1..=16, "factor of the width from run to run";
        runs: u64 = "1", "number of runs (0 = until a limit ends the search)";
        /// The caller chooses [`selective`](Layers::selective) or [`new`](Layers::new) by it.
        tabu: bool = "off" of ["on", "off"], "whether the puzzle's tabu excludes actions";
    }
}

/// Candidate of a layer.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// Number of its parent in the trace.
    parent: u32,
    /// Number of actions from the start.
    depth: u16,
    score: Score,
    /// Sum of score and estimate.
    promise: f32,
}

type Layer<P> = Nodes<<P as Puzzle>::State, <P as Puzzle>::Action, Record>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Start,
    /// Choose the states of the next layer that are expanded.
    Cut,
    Expand,
}

/// Beam search over layers of states.
pub struct Layers<'a, P: Layered, S: Selective<P> = Unfiltered> {
    puzzle: &'a P,
    selective: &'a S,
    value: &'a dyn StateValue<P>,
    upper: Option<&'a dyn UpperBound<P>>,
    config: LayersConfig,
    /// Reward of a line that is known elsewhere: only better lines are sought.
    floor: Score,
    width: usize,
    runs: u64,
    phase: Phase,
    memo: Option<S::Memo>,
    layers: Vec<Layer<P>>,
    /// The layer that is expanded.
    layer: usize,
    order: Vec<u32>,
    next: usize,
    /// Whether a state was cut off or excluded in this run.
    lossy: bool,
    /// Parent and action of every expanded state.
    trace: Chunked<(u32, P::Action)>,
    successors: Vec<(P::Action, P::State)>,
    /// Scratch of a cut.
    promises: Vec<f32>,
    stats: Stats,
    champion: Champion<P::Action>,
    /// Upper bound of the score from the start.
    ceiling: Option<Score>,
    outcome: Option<Outcome<P::Action>>,
}

impl<'a, P: Layered> Layers<'a, P> {
    /// Creates a search of all actions that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        value: &'a dyn StateValue<P>,
        config: LayersConfig,
    ) -> Result<Self, SearchError> {
        Self::selective(puzzle, &Unfiltered, value, config)
    }
}

impl<'a, P: Layered, S: Selective<P>> Layers<'a, P, S> {
    /// Creates a search of the actions of the lowest tier that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn selective(
        puzzle: &'a P,
        selective: &'a S,
        value: &'a dyn StateValue<P>,
        config: LayersConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            selective,
            value,
            upper: None,
            config,
            floor: Score::MIN,
            width: config.width,
            runs: 0,
            phase: Phase::Start,
            memo: None,
            layers: Vec::new(),
            layer: 0,
            order: Vec::new(),
            next: 0,
            lossy: false,
            trace: Chunked::default(),
            successors: Vec::new(),
            promises: Vec::new(),
            stats: Stats::default(),
            champion: Champion::new(),
            ceiling: None,
            outcome: None,
        })
    }

    /// Drops states from which, by an upper bound, no line beats both `floor` and the best line. If
    /// no line beats `floor`, the search ends without a line.
    #[must_use]
    pub fn bounded(mut self, upper: &'a dyn UpperBound<P>, floor: Score) -> Self {
        self.upper = Some(upper);
        self.floor = floor;
        self
    }

    /// Number of candidates at which a layer is cut to the width before it is complete.
    fn most(&self) -> usize {
        self.width.saturating_mul(4).saturating_add(64)
    }

    fn start(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        let state = self.puzzle.initial_state();
        self.outcome = self.champion.terminal_start(self.puzzle, &state, &self.stats, observer);
        if self.outcome.is_some() {
            return Ok(());
        }
        let layer = self.puzzle.layer(&state);
        let more = layer.saturating_add(1).saturating_sub(self.layers.len());
        // Empty layers need memory as well.
        let bytes = (more as u64).saturating_mul(Layer::<P>::default().bytes());
        let room = quota.bytes.saturating_sub(self.bytes());
        reserve(&mut self.layers, more, room.saturating_sub(bytes))?;
        if bytes > quota.bytes.saturating_sub(self.bytes()) {
            return Err(Full);
        }
        self.layers.resize_with(layer + 1, Nodes::default);
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes());
        let hash = crate::index::hash(&state);
        self.grow(quota.bytes, |s, room| s.layers[layer].reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.layers[layer].reserve_index(hash, 1, room))?;
        let record = Record { parent: NONE, depth: 0, score: 0, promise: 0.0 };
        self.layers[layer].push(hash, state, None, record);
        self.memo = Some(self.selective.begin(self.puzzle, &state, self.runs));
        self.trace.truncate(0);
        self.order.clear();
        self.next = 0;
        self.lossy = false;
        self.layer = layer;
        self.phase = Phase::Cut;
        Ok(())
    }

    /// Chooses the states of the current layer that are expanded, or continues with the next layer.
    fn cut(&mut self, quota: &Quota) -> Result<(), Full> {
        let layer = self.layer;
        let len = self.layers[layer].len();
        if len == 0 {
            self.layers.truncate(layer);
            match layer {
                0 => self.over(),
                _ => self.layer -= 1,
            }
            return Ok(());
        }
        self.grow(quota.bytes, |s, room| {
            s.order.clear();
            reserve(&mut s.order, len, room)
        })?;
        self.order.extend(0..len as u32);
        let nodes = &self.layers[layer];
        let by_promise = |&a: &u32, &b: &u32| {
            let (pa, pb) = (nodes.record(a).promise, nodes.record(b).promise);
            pb.total_cmp(&pa).then(a.cmp(&b))
        };
        if len > self.width {
            self.order.select_nth_unstable_by(self.width, by_promise);
            self.order.truncate(self.width);
            self.lossy = true;
        }
        self.next = 0;
        self.phase = Phase::Expand;
        Ok(())
    }

    /// All layers are done.
    fn over(&mut self) {
        self.runs += 1;
        if !self.lossy || self.runs == self.config.runs {
            // Where no state was cut off, the best line is optimal, or no line beats the floor.
            let proved = self.champion.proved().filter(|_| !self.lossy);
            self.outcome = proved.or_else(|| Some(self.champion.exhausted()));
        } else {
            self.width = self.width.saturating_mul(self.config.growth).min(MAX_WIDTH);
            self.phase = Phase::Start;
        }
    }

    /// Expands the next state of the layer, completely or (for lack of memory) not at all.
    fn expand(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        let puzzle = self.puzzle;
        let id = self.order[self.next];
        let nodes = &self.layers[self.layer];
        let state = *nodes.state(id);
        let record = *nodes.record(id);
        let last = nodes.action(id);
        let held = self.successors.capacity();
        self.successors.clear();
        puzzle.successors(&state, &mut self.successors);
        let all = self.successors.len();
        if self.successors.capacity() != held {
            let bytes = self.bytes();
            if bytes > quota.bytes {
                self.successors = Vec::new();
                return Err(Halt::Full);
            }
            self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
        }
        let Some(memo) = &mut self.memo else { return Ok(()) };
        let depth = usize::from(record.depth);
        let selective = self.selective;
        let tier = |memo: &mut S::Memo, action| selective.tier(puzzle, &state, action, depth, memo);
        let lowest = (self.successors.iter()).map(|&(action, _)| tier(memo, action)).min();
        self.successors.retain(|&(action, _)| Some(tier(memo, action)) == lowest);
        let count = self.successors.len();
        self.grow(quota.bytes, |s, room| s.trace.reserve(1, room))?;
        self.grow(quota.bytes, |s, room| s.champion.fit(depth + 1, room))?;
        for i in 0..self.successors.len() {
            let (_, child) = &self.successors[i];
            let (layer, hash) = (puzzle.layer(child), crate::index::hash(child));
            if layer >= self.layer {
                let fault = SearchError::RisingLayer { from: self.layer, to: layer };
                return Err(Halt::Fault(fault));
            }
            self.grow(quota.bytes, |s, room| s.layers[layer].reserve(count, room))?;
            self.grow(quota.bytes, |s, room| s.layers[layer].reserve_index(hash, count, room))?;
            let len = self.layers[layer].len() + count;
            if len >= self.most() {
                self.grow(quota.bytes, |s, room| fit(&mut s.promises, len, room))?;
            }
        }
        // Nothing grows below this line.
        self.stats.expanded += 1;
        self.stats.generated += self.successors.len() as u64;
        self.lossy |= self.successors.len() < all;
        self.next += 1;
        let mut parent = NONE;
        if let Some(last) = last {
            parent = self.trace.len() as u32;
            self.trace.push((record.parent, last));
        }
        if all == 0 {
            let value = record.score.saturating_add(puzzle.terminal_bonus(&state));
            if self.champion.yields_to(value) && value > self.floor {
                let line = self.line(parent);
                self.champion.offer(&line, value, &self.stats, observer);
            }
        }
        for i in 0..self.successors.len() {
            let (action, child) = self.successors[i];
            let score = record.score.saturating_add(puzzle.reward(&state, action));
            self.add(parent, record.depth, score, action, &child);
        }
        if self.next == self.order.len() {
            self.layers[self.layer].clear();
            self.phase = Phase::Cut;
        }
        Ok(())
    }

    /// Adds a candidate, or a better path to one.
    #[inline]
    fn add(&mut self, parent: u32, depth: u16, score: Score, action: P::Action, child: &P::State) {
        if let Some(upper) = self.upper {
            let best = self.champion.get().map_or(self.floor, |best| best.value);
            let most = score.saturating_add(upper.upper(self.puzzle, child));
            if most <= best.max(self.floor) {
                return;
            }
        }
        let hash = crate::index::hash(child);
        let layer = self.puzzle.layer(child);
        let nodes = &mut self.layers[layer];
        let depth = depth.saturating_add(1);
        if let Some(id) = nodes.find(hash, child) {
            let record = nodes.record_mut(id);
            if score > record.score {
                record.promise += score.saturating_sub(record.score) as f32;
                record.score = score;
                record.parent = parent;
                record.depth = depth;
                nodes.set_action(id, action);
            }
            return;
        }
        let promise = score as f32 + self.value.value(self.puzzle, child);
        self.stats.evaluated += 1;
        let record = Record { parent, depth, score, promise };
        nodes.push(hash, *child, Some(action), record);
        let len = nodes.len();
        if len >= self.most() {
            self.lossy = true;
            let nodes = &mut self.layers[layer];
            let promises = &mut self.promises;
            promises.clear();
            promises.extend((0..len as u32).map(|id| nodes.record(id).promise));
            let limit = *promises.select_nth_unstable_by(self.width - 1, |a, b| b.total_cmp(a)).1;
            let above = promises.iter().filter(|&&promise| promise > limit);
            let mut ties = self.width - above.count();
            nodes.retain(|_, record| {
                let tied = record.promise == limit && ties > 0;
                ties -= usize::from(tied);
                record.promise > limit || tied
            });
        }
    }

    /// The actions from the start to an expanded state.
    fn line(&self, mut place: u32) -> Vec<P::Action> {
        let mut actions = Vec::new();
        while place != NONE {
            let &(parent, action) = self.trace.get(place as usize);
            actions.push(action);
            place = parent;
        }
        actions.reverse();
        actions
    }

    /// The state of the highest promise in the highest layer with open states: the end of a path
    /// with its score.
    fn most_promising(&self) -> Option<(P::State, Vec<P::Action>, Score)> {
        let open = |layer: usize| -> Vec<u32> {
            match (self.phase, layer == self.layer) {
                (Phase::Expand, true) => self.order[self.next..].to_vec(),
                _ => (0..self.layers[layer].len() as u32).collect(),
            }
        };
        let top = self.layer.min(self.layers.len().checked_sub(1)?);
        (0..=top).rev().find_map(|layer| {
            let nodes = &self.layers[layer];
            let promise = |&id: &u32| nodes.record(id).promise;
            let best = |a: &u32, b: &u32| promise(a).total_cmp(&promise(b)).then(b.cmp(a));
            let id = open(layer).into_iter().max_by(best)?;
            let record = nodes.record(id);
            let mut actions = self.line(record.parent);
            actions.extend(nodes.action(id));
            Some((*nodes.state(id), actions, record.score))
        })
    }

    /// Plays from the most promising open state to the end, always by the most promising action.
    fn play_on(&mut self, observer: &mut ObserverOf<'_, P>) {
        let Some((mut state, mut actions, mut score)) = self.most_promising() else { return };
        let puzzle = self.puzzle;
        let mut successors = Vec::new();
        loop {
            successors.clear();
            puzzle.successors(&state, &mut successors);
            let worth = |action, child: &P::State| {
                let score = score.saturating_add(puzzle.reward(&state, action));
                (score, score as f32 + self.value.value(puzzle, child))
            };
            let all =
                successors.iter().map(|(action, child)| (*action, *child, worth(*action, child)));
            // The first among equals.
            let better = |best: (_, _, (Score, f32)), next: (_, _, (Score, f32))| {
                if next.2.1 > best.2.1 { next } else { best }
            };
            let Some((action, child, (sum, _))) = all.reduce(better) else { break };
            if puzzle.layer(&child) >= puzzle.layer(&state) {
                return;
            }
            actions.push(action);
            (state, score) = (child, sum);
        }
        let value = score.saturating_add(puzzle.terminal_bonus(&state));
        if value > self.floor {
            self.champion.offer(&actions, value, &self.stats, observer);
        }
    }

    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        match self.phase {
            Phase::Start => self.start(quota, observer)?,
            Phase::Cut => self.cut(quota)?,
            Phase::Expand if quota.is_used_up(&self.stats) => return Err(Halt::Quota),
            Phase::Expand => self.expand(quota, observer)?,
        }
        Ok(())
    }
}

impl<P: Layered, S: Selective<P>> Accounted for Layers<'_, P, S> {
    fn bytes(&self) -> u64 {
        let layers = self.layers.iter().map(Layer::<P>::bytes);
        layers.sum::<u64>()
            + bytes!(self.layers, self.order, self.trace, self.successors, self.promises)
            + self.champion.bytes()
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

ceiling!(Layers<P: Layered, S: Selective<P>>);
score_search!(Layers<P: Layered, S: Selective<P>>, |search| search.champion.get(), wind_up: play_on);
