//! Window re-optimisation: solves parts of a path (windows) again among the states near it, until
//! no part gets shorter.
//!
//! The search gathers the states of a window and the states near them. Then it finds among them, by
//! breadth-first search, the cheapest path from the window's first state to its last (to any goal,
//! if the window is the end of the path).
//!
//! A puzzle may define which states are near (its [`Vicinity`]), for several sizes. A window then
//! reaches as far as a quarter of `states` states allow, and the next one begins in its middle.
//! Once no size shortens the path, all sizes are tried again with `states` states.
//!
//! For other puzzles, the states reached in the fewest steps from any state of the window are near.
//! First the window is the whole path with few states, then with four times as many, up to
//! `states`, and then windows get shorter by halves, so that each is searched farther around. Each
//! size is tried again for as long as it shortens the path.
//!
//! The path never gets longer, and is always legal. Memory: `states` keys of 8 bytes, `states`
//! states for puzzles without a vicinity, and the nodes of at most 4 · `states` expansions among
//! them (a key may belong to several states).
//!
//! References: H. Nakhost and M. Müller, "Action elimination and plan neighborhood graph search",
//! ICAPS 2010, section 4, for searches around a whole path; D. Ratner and I. Pohl, "Joint and
//! LPA\*: combination of approximation and search", AAAI 1986, for windows.

mod among;

use crate::{
    index,
    memory::{Accounted, Full, bytes, reserve},
    report::ObserverOf,
    turns::Inner,
};
use among::{Among, Keys};
use std::sync::Arc;
use unriddle_core::{
    GoalPuzzle, Info, Options, Outcome, Progress, Quota, Role, Search, SearchError, Solution,
    Stats, Vicinity, Window, options, search::check_state_size,
};

/// Declaration of the search.
pub const INFO: Info = Info {
    known: true,
    version: 2,
    guarantee: "no longer than the inner search's solution",
    requires: "a goal puzzle, and a solver of it",
    reference: "Nakhost and Müller 2010 (plan neighborhood graph search); Ratner and Pohl 1986 (windows)",
    parameters: WindowsConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "windows",
        "shortens the inner search's solution: parts of it are solved again among the states near it",
    )
};

options! {
    /// Options of [`Windows`].
    #[derive(Copy, Eq)]
    pub struct WindowsConfig of INFO (search: Search, "solver of the first solution, if none is known") {
        states: usize = "4000000" in 16..=100_000_000, "maximum number of states near a window";
    }
}

/// Initial number of states near a path, for puzzles without a vicinity.
const FIRST: usize = 1 << 12;
/// Length of the shortest windows in actions.
const SHORTEST: usize = 8;
/// The search of a window ends once it has expanded more than `EXPANDED` · `states` states.
const EXPANDED: usize = 4;
/// Number of rounds over the sizes of a vicinity, each with four times as many states as the
/// previous one, the last with all.
const ROUNDS: u32 = 2;

/// Next work.
enum Phase<'a, A> {
    /// Gathers states.
    Gather,
    /// Seeks a path among them.
    Search(Inner<'a, A>, Arc<Keys>),
}

/// Search that shortens a path.
pub struct Windows<'a, P: GoalPuzzle> {
    puzzle: &'a P,
    vicinity: Option<Arc<dyn Vicinity<P> + 'a>>,
    config: WindowsConfig,
    best: Solution<P::Action>,
    /// States of the path, including its start and its end.
    states: Vec<P::State>,
    costs: Vec<u32>,
    /// Size that is tried.
    size: u32,
    /// Number of completed rounds over the sizes of a vicinity.
    round: u32,
    gained: bool,
    /// Windows of a vicinity have at most `states` / 2^`fewer` states. The number grows by one
    /// after each search that expanded more than [`EXPANDED`] · `states` states.
    fewer: u32,
    /// Number of the window's first state.
    from: usize,
    until: usize,
    phase: Phase<'a, P::Action>,
    keys: Keys,
    /// States near the window that are known as states.
    near: Vec<P::State>,
    next: usize,
    scratch: Vec<u64>,
    children: Vec<P::State>,
    stats: Stats,
    /// Whether the observer was notified of the path.
    is_told: bool,
    is_over: bool,
}

impl<'a, P: GoalPuzzle> Windows<'a, P> {
    /// Creates a search that begins with a path of legal actions from the puzzle's start to a goal.
    ///
    /// # Errors
    /// States that are too large, `states` outside its range, a path that does not end at a goal or
    /// costs 2³¹ or more.
    pub fn new(
        puzzle: &'a P,
        vicinity: Option<Box<dyn Vicinity<P> + 'a>>,
        path: Vec<P::Action>,
        config: WindowsConfig,
    ) -> Result<Self, SearchError> {
        check_state_size::<P>()?;
        config.check()?;
        let mut search = Self {
            puzzle,
            vicinity: vicinity.map(Arc::from),
            config,
            best: Solution::played(puzzle, path),
            states: Vec::new(),
            costs: Vec::new(),
            size: 0,
            round: 0,
            gained: false,
            fewer: 0,
            from: 0,
            until: 0,
            phase: Phase::Gather,
            keys: Keys::default(),
            near: Vec::new(),
            next: 0,
            scratch: Vec::new(),
            children: Vec::new(),
            stats: Stats::default(),
            is_told: false,
            is_over: false,
        };
        if search.best.value >= 1 << 31 {
            let message = format!("a path of cost {} is too costly", search.best.value);
            return Err(SearchError::TooLarge(message));
        }
        search.walk();
        if !search.states.last().is_some_and(|last| puzzle.is_goal(last)) {
            let message = "the known path does not end at a goal".to_owned();
            return Err(SearchError::BadOption(message));
        }
        search.begin(0);
        search.note_peak();
        Ok(search)
    }

    /// Notes the states along the path.
    fn walk(&mut self) {
        let (mut state, mut cost) = (self.puzzle.initial_state(), 0);
        self.states.clear();
        self.costs.clear();
        self.states.push(state);
        self.costs.push(cost);
        for &action in &self.best.actions {
            cost += self.puzzle.action_cost(&state, action);
            state = self.puzzle.apply(&state, action);
            self.states.push(state);
            self.costs.push(cost);
        }
    }

    /// Number of actions of the path.
    fn len(&self) -> usize {
        self.best.actions.len()
    }

    /// Maximum number of states near a window in this round.
    fn most(&self) -> usize {
        match &self.vicinity {
            Some(_) => self.config.states >> (2 * (ROUNDS - 1 - self.round)),
            None => self.config.states,
        }
    }

    /// Maximum number of states near a window of this size.
    fn limit(&self) -> usize {
        match &self.vicinity {
            Some(_) => self.most() >> self.fewer,
            None => self.most().min(FIRST << (2 * self.size).min(32)),
        }
    }

    /// Maximum number of actions of a window.
    fn longest(&self) -> usize {
        if self.vicinity.is_some() {
            return self.len();
        }
        // The first size with all states is the last one with whole windows.
        let whole = self.config.states.div_ceil(FIRST).ilog2().div_ceil(2);
        self.len() >> self.size.saturating_sub(whole).min(31)
    }

    /// Whether the size does not exist.
    fn is_beyond(&self) -> bool {
        match &self.vicinity {
            Some(vicinity) => self.size >= vicinity.sizes(),
            None => self.size > 0 && self.longest() < SHORTEST.min(self.len()),
        }
    }

    /// Begins the window at a state of the path.
    fn begin(&mut self, from: usize) {
        self.from = from;
        self.until = match &self.vicinity {
            Some(_) => from,
            None => (from + self.longest()).min(self.len()),
        };
        self.next = from;
        self.keys.clear();
        self.near.clear();
        self.phase = Phase::Gather;
    }

    /// Gathers the next states near the window. Returns whether they are the last.
    fn gather(&mut self, limit: u64) -> Result<bool, Full> {
        match self.vicinity.clone() {
            Some(vicinity) => self.gather_by(&*vicinity, limit),
            None => self.gather_by_steps(limit),
        }
    }

    /// Gathers the states near the next state of the path.
    fn gather_by(&mut self, vicinity: &dyn Vicinity<P>, limit: u64) -> Result<bool, Full> {
        let state = self.states[self.next];
        self.scratch.clear();
        let is_same = self.next > self.from
            && vicinity.key(&self.states[self.next - 1]) == vicinity.key(&state);
        if !is_same {
            vicinity.near(&state, self.size, &mut self.scratch);
        }
        let count = self.scratch.len();
        self.grow(limit, |s, room| s.keys.reserve(count, room))?;
        for &key in &self.scratch {
            self.keys.insert(key);
        }
        self.stats.expanded += 1;
        self.stats.generated += count as u64;
        self.until = self.next;
        self.next += 1;
        let is_full = self.keys.len() >= self.limit() && self.until > self.from;
        Ok(is_full || self.until == self.len())
    }

    /// Gathers the successors of the next state; for a new window first its own states.
    fn gather_by_steps(&mut self, limit: u64) -> Result<bool, Full> {
        self.children.clear();
        if self.near.is_empty() {
            let count = self.until + 1 - self.from;
            self.grow(limit, |s, room| reserve(&mut s.children, count, room))?;
            self.children.extend_from_slice(&self.states[self.from..=self.until]);
            self.next = 0;
        } else {
            let Some(&state) = self.near.get(self.next) else { return Ok(true) };
            for action in self.puzzle.actions(&state) {
                self.grow(limit, |s, room| reserve(&mut s.children, 1, room))?;
                self.children.push(self.puzzle.apply(&state, action));
            }
            self.stats.generated += self.children.len() as u64;
        }
        let count = self.children.len();
        self.grow(limit, |s, room| s.keys.reserve(count, room))?;
        self.grow(limit, |s, room| reserve(&mut s.near, count, room))?;
        let is_new_window = self.near.is_empty();
        for child in &self.children {
            if self.keys.insert(index::hash(child)) {
                self.near.push(*child);
            }
        }
        if !is_new_window {
            self.next += 1;
        }
        self.stats.expanded += 1;
        Ok(self.near.len() >= self.limit())
    }

    /// Replaces the window by a cheaper path.
    fn take(&mut self, actions: Vec<P::Action>, observer: &mut ObserverOf<'_, P>) {
        let old = self.until;
        self.until = self.from + actions.len();
        let mut all = std::mem::take(&mut self.best.actions);
        all.splice(self.from..old, actions);
        self.best = Solution::played(self.puzzle, all);
        self.walk();
        self.gained = true;
        observer.improved(&self.best, &self.stats());
    }

    /// Continues with the next window, or the next size.
    fn go_on(&mut self) {
        if let Phase::Search(search, near) = std::mem::replace(&mut self.phase, Phase::Gather) {
            let stats = search.stats();
            self.stats.expanded += stats.expanded;
            self.stats.generated += stats.generated;
            drop(search);
            // Its memory is used again.
            self.keys = Arc::into_inner(near).unwrap_or_default();
        }
        if self.until < self.len() {
            self.begin(self.from + ((self.until - self.from) / 2).max(1));
            return;
        }
        if !std::mem::take(&mut self.gained) {
            self.size += 1;
            self.fewer = 0;
        }
        if self.vicinity.is_some() && self.is_beyond() && self.round + 1 < ROUNDS {
            self.round += 1;
            self.size = 0;
        }
        self.is_over = self.is_beyond();
        self.begin(0);
    }
}

impl<P: GoalPuzzle> Accounted for Windows<'_, P> {
    fn bytes(&self) -> u64 {
        let keys = match &self.phase {
            Phase::Gather => self.keys.bytes(),
            Phase::Search(_, near) => near.bytes(),
        };
        keys + bytes!(self.best, self.states, self.costs, self.near, self.scratch, self.children)
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

impl<'a, P: GoalPuzzle> Windows<'a, P> {
    /// Begins to seek a path through the window.
    fn search(&mut self) {
        let near = Arc::new(std::mem::take(&mut self.keys));
        let window = Window {
            from: self.states[self.from],
            end: (self.until < self.len()).then(|| self.states[self.until]),
            below: self.costs[self.until] - self.costs[self.from],
        };
        let own = self.vicinity.as_ref();
        let own = own.and_then(|own| own.search(self.puzzle, &window, near.clone()));
        let search = own.unwrap_or_else(|| {
            let vicinity = self.vicinity.clone();
            Box::new(Among::new(self.puzzle, vicinity, window, near.clone()))
        });
        self.phase = Phase::Search(search, near);
    }

    /// Seeks a path through the window, as far as the quota allows. Returns `Running` if the work
    /// continues.
    fn look(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Progress<P::Action> {
        let own = self.bytes();
        let Phase::Search(search, _) = &mut self.phase else { return Progress::Running };
        // Number of expansions between two checks whether there are too many.
        const SLICE: u64 = 1 << 12;
        let share = Quota {
            expanded: (quota.expanded.saturating_sub(self.stats.expanded))
                .min(search.stats().expanded + SLICE),
            generated: quota.generated.saturating_sub(self.stats.generated),
            bytes: quota.bytes.saturating_sub(own),
            ..quota.clone()
        };
        let progress = search.advance(&share, &mut ());
        let stats = search.stats();
        self.stats.peak_bytes = self.stats.peak_bytes.max(own + stats.peak_bytes);
        match progress {
            Progress::Finished(Outcome::Solved { best, .. }) => {
                self.take(best.actions, observer);
                self.go_on();
            }
            Progress::Finished(_) => self.go_on(),
            Progress::Running if stats.expanded > (EXPANDED * self.most()) as u64 => {
                // The next windows get fewer states.
                self.fewer = (self.fewer + 1).min(16);
                self.go_on();
            }
            progress => return progress,
        }
        Progress::Running
    }
}

impl<P: GoalPuzzle> Search for Windows<'_, P> {
    type Action = P::Action;

    fn advance(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Progress<P::Action> {
        loop {
            if let Some(fault) = self.puzzle.fault() {
                return Progress::Failed(fault);
            }
            if !std::mem::replace(&mut self.is_told, true) {
                observer.improved(&self.best, &self.stats());
            }
            if self.is_over || self.len() == 0 {
                return Progress::Finished(Outcome::Exhausted { best: Some(self.best.clone()) });
            }
            if quota.is_used_up(&self.stats()) {
                return Progress::Running;
            }
            match self.phase {
                Phase::Gather => match self.gather(quota.bytes) {
                    Ok(false) => {}
                    Ok(true) => self.search(),
                    Err(Full) => return Progress::OutOfMemory,
                },
                Phase::Search(..) => match self.look(quota, observer) {
                    Progress::Running => {}
                    progress => return progress,
                },
            }
        }
    }

    fn stats(&self) -> Stats {
        let mut stats = self.stats;
        if let Phase::Search(search, _) = &self.phase {
            let inner = search.stats();
            stats.expanded += inner.expanded;
            stats.generated += inner.generated;
        }
        stats
    }

    fn best(&self) -> Option<&Solution<P::Action>> {
        Some(&self.best)
    }
}
