//! Large-neighbourhood search of lines: keeps the beginning of the best line and searches the rest
//! again.
//!
//! A round cuts the line after some of its actions and gives an inner search `plays` play-outs from
//! the state there. A result that is not worse than the rest of the line replaces it; equal lines
//! replace it as well, so that the search wanders over plateaus. The first round, without a line,
//! is the inner search from the start. Cuts are random, or systematic: from the end of the line
//! towards its beginning in steps of `stride` actions, and from the end again.
//!
//! A closure creates the inner search of each round from a seed and a [`Suffix`], the puzzle that
//! begins at the cut. Searches borrow their puzzle, so that one suffix serves all rounds. Its start
//! moves from round to round, always after the end of the last round's inner search.
//!
//! An inner search that proves its optimum from the start ends the whole search with that proof. An
//! inner search that ends without a single play-out ends it as well, since another would do the
//! same.
//!
//! Counters are sums over the inner searches. Memory: one inner search, and three lines.
//!
//! Reference: P. Shaw, "Using constraint programming and local search methods to solve vehicle
//! routing problems", CP 1998, for the principle.

use crate::{
    lines::{Champion, fit},
    memory::{Full, bytes},
    report::{Halt, ObserverOf, Report, judge},
    turns::{Inner, Turns},
};
use std::{
    mem::swap,
    sync::{Arc, PoisonError, RwLock},
};
use unriddle_core::{
    Info, Layered, Options, Outcome, Playout, Progress, Puzzle, Quota, Rng, Role, Score,
    ScorePuzzle, Search, SearchError, Selective, Solution, StateValue, Stats, UpperBound, options,
    playout::{Coded, Continues, MenuOf},
    words,
};

/// Declaration of the search.
pub const INFO: Info = Info {
    known: true,
    guarantee: "none, but a proof of the inner search from the start is passed on",
    requires: "a score puzzle, and a search of it",
    reference: "Shaw 1998 (large-neighbourhood search)",
    parameters: LnsConfig::PARAMETERS,
    ..Info::new(Role::Search, "lns", "searches the rest of the best line anew from cut after cut")
};

words! {
    /// Position of the cut.
    pub enum Cut {
        /// Anywhere, with the same probability.
        Random = "random",
        /// From the end towards the beginning, and from the end again.
        Systematic = "systematic",
    }
}

options! {
    /// Options of [`Lns`].
    #[derive(Copy, Eq)]
    pub struct LnsConfig of INFO (search: Search, "the inner search") {
        plays: u64 = "10000" in 1..=u64::MAX, "play-outs of a round";
        cut: Cut = "random",
            "position of the cut: random or systematic",
            "`random` cuts anywhere; `systematic` cuts ever earlier, and from the end again.";
        stride: u32 = "1" in 1..=u32::MAX, "actions between two systematic cuts";
        rounds: u64 = "0", "number of rounds (0 = until a limit ends the run)";
    }
    also {
        /// Seed of the cuts and of the inner searches' seeds.
        seed: u64 = 0;
    }
}

/// Score puzzle with another start.
///
/// Only [`Lns`] moves the start, and only between two inner searches, so that each of them sees an
/// immutable puzzle.
#[derive(Debug)]
pub struct Suffix<P: ScorePuzzle> {
    puzzle: Arc<P>,
    start: RwLock<P::State>,
}

impl<P: ScorePuzzle> Suffix<P> {
    /// The puzzle from its own start.
    #[must_use]
    pub fn new(puzzle: Arc<P>) -> Self {
        let start = RwLock::new(puzzle.initial_state());
        Self { puzzle, start }
    }

    /// The puzzle.
    #[must_use]
    pub fn inner(&self) -> &P {
        &self.puzzle
    }

    fn begin_at(&self, state: P::State) {
        *self.start.write().unwrap_or_else(PoisonError::into_inner) = state;
    }
}

impl<P: ScorePuzzle> Puzzle for Suffix<P> {
    type State = P::State;
    type Action = P::Action;
    type Actions = P::Actions;

    fn initial_state(&self) -> P::State {
        *self.start.read().unwrap_or_else(PoisonError::into_inner)
    }
    fn actions(&self, state: &P::State) -> P::Actions {
        self.puzzle.actions(state)
    }
    fn actions_after(&self, state: &P::State, last: P::Action) -> P::Actions {
        self.puzzle.actions_after(state, last)
    }
    fn apply(&self, state: &P::State, action: P::Action) -> P::State {
        self.puzzle.apply(state, action)
    }
    fn is_inverse(&self, last: P::Action, next: P::Action) -> bool {
        self.puzzle.is_inverse(last, next)
    }
    fn commutes_after(&self, last: P::Action, next: P::Action) -> bool {
        self.puzzle.commutes_after(last, next)
    }
}

impl<P: ScorePuzzle> ScorePuzzle for Suffix<P> {
    fn reward(&self, state: &P::State, action: P::Action) -> Score {
        self.puzzle.reward(state, action)
    }
    fn terminal_bonus(&self, state: &P::State) -> Score {
        self.puzzle.terminal_bonus(state)
    }
    fn is_terminal(&self, state: &P::State) -> bool {
        self.puzzle.is_terminal(state)
    }
}

impl<P: Coded> Coded for Suffix<P> {
    type Shape = P::Shape;

    fn code(&self, state: &P::State, action: P::Action) -> u64 {
        self.puzzle.code(state, action)
    }
    fn bias(&self, state: &P::State, action: P::Action) -> f32 {
        self.puzzle.bias(state, action)
    }
    fn list(&self, menu: &mut MenuOf<Self>) {
        self.puzzle.list(menu);
    }
    fn follow(&self, menu: &mut MenuOf<Self>, choice: usize) {
        self.puzzle.follow(menu, choice);
    }
}

impl<P: Layered> Layered for Suffix<P> {
    fn layer(&self, state: &P::State) -> usize {
        self.puzzle.layer(state)
    }
    fn successors(&self, state: &P::State, out: &mut Vec<(P::Action, P::State)>) {
        self.puzzle.successors(state, out);
    }
}

/// Adapts a play-out, a filter, an estimate or a bound of a puzzle to its suffixes. The first state
/// and the depths that a filter receives are counted from the cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lifted<T>(pub T);

impl<P: ScorePuzzle, T: Playout<P>> Playout<Suffix<P>> for Lifted<T> {
    fn play(
        &self,
        puzzle: &Suffix<P>,
        state: &P::State,
        rng: &mut Rng,
        actions: &mut Vec<P::Action>,
    ) -> Score {
        self.0.play(&puzzle.puzzle, state, rng, actions)
    }
    fn play_while(
        &self,
        puzzle: &Suffix<P>,
        state: &P::State,
        rng: &mut Rng,
        actions: &mut Vec<P::Action>,
        continues: Continues<'_>,
    ) -> Option<Score> {
        self.0.play_while(&puzzle.puzzle, state, rng, actions, continues)
    }
}

impl<P: ScorePuzzle, S: Selective<P>> Selective<Suffix<P>> for Lifted<S> {
    type Memo = S::Memo;

    fn begin(&self, puzzle: &Suffix<P>, state: &P::State, run: u64) -> S::Memo {
        self.0.begin(&puzzle.puzzle, state, run)
    }
    fn tier(
        &self,
        puzzle: &Suffix<P>,
        state: &P::State,
        action: P::Action,
        depth: usize,
        memo: &mut S::Memo,
    ) -> u8 {
        self.0.tier(&puzzle.puzzle, state, action, depth, memo)
    }
}

impl<P: ScorePuzzle, V: StateValue<P>> StateValue<Suffix<P>> for Lifted<V> {
    fn value(&self, puzzle: &Suffix<P>, state: &P::State) -> f32 {
        self.0.value(&puzzle.puzzle, state)
    }
}

impl<P: ScorePuzzle, U: UpperBound<P>> UpperBound<Suffix<P>> for Lifted<U> {
    fn upper(&self, puzzle: &Suffix<P>, state: &P::State) -> Score {
        self.0.upper(&puzzle.puzzle, state)
    }
}

/// Large-neighbourhood search of lines; `F` creates the inner search of a suffix and a seed.
pub struct Lns<'a, P: ScorePuzzle, F> {
    suffix: &'a Suffix<P>,
    make: F,
    config: LnsConfig,
    rng: Rng,
    turns: Turns<'a, P::Action>,
    rounds: u64,
    /// Current line.
    line: Vec<P::Action>,
    value: Option<Score>,
    /// Number of actions before the cut.
    cut: usize,
    score: Score,
    /// Best line of this round.
    sample: Vec<P::Action>,
    found: Option<Score>,
    champion: Champion<P::Action>,
    /// Upper bound of the score.
    ceiling: Option<Score>,
    report: Report<P::Action>,
}

impl<'a, P, F> Lns<'a, P, F>
where
    P: ScorePuzzle,
    F: FnMut(&'a Suffix<P>, u64) -> Result<Inner<'a, P::Action>, SearchError>,
{
    /// A search that has not begun. No other search may use the suffix.
    ///
    /// # Errors
    /// An option out of bounds.
    pub fn new(suffix: &'a Suffix<P>, make: F, config: LnsConfig) -> Result<Self, SearchError> {
        config.check()?;
        Ok(Self {
            suffix,
            make,
            config,
            rng: Rng::new(config.seed),
            turns: Turns::new(),
            rounds: 0,
            line: Vec::new(),
            value: None,
            cut: 0,
            score: 0,
            sample: Vec::new(),
            found: None,
            champion: Champion::new(),
            ceiling: None,
            report: Report::new(),
        })
    }

    /// Sets an upper bound of the score from the start, if one is known. The search ends with a
    /// line of this score, which is then proved optimal.
    #[must_use]
    pub fn with_ceiling(mut self, ceiling: Option<Score>) -> Self {
        self.ceiling = ceiling;
        self
    }

    /// Begins with a line of legal actions from the puzzle's start to a terminal state. The
    /// observer is notified only of better lines.
    #[must_use]
    pub fn with_line(mut self, actions: Vec<P::Action>) -> Self {
        self.line = actions;
        let (state, score) = self.after(self.line.len());
        let value = score.saturating_add(self.suffix.inner().terminal_bonus(&state));
        self.value = Some(value);
        let stats = self.turns.stats();
        self.champion.offer(&self.line, value, &stats, &mut ());
        self
    }

    /// The state after the first `cut` actions of the line, and the reward until then.
    fn after(&self, cut: usize) -> (P::State, Score) {
        let puzzle = self.suffix.inner();
        let mut state = puzzle.initial_state();
        let mut score: Score = 0;
        for &action in &self.line[..cut] {
            score = score.saturating_add(puzzle.reward(&state, action));
            state = puzzle.apply(&state, action);
        }
        (state, score)
    }

    fn begin(&mut self) -> Result<(), SearchError> {
        let len = self.line.len();
        let seed = self.rng.next_u64();
        self.cut = match self.config.cut {
            _ if len == 0 => 0,
            Cut::Random => self.rng.below(len as u64) as usize,
            Cut::Systematic => {
                let stride = self.config.stride as usize;
                match self.cut.checked_sub(stride) {
                    Some(cut) if cut < len => cut,
                    _ => len.saturating_sub(stride),
                }
            }
        };
        let (state, score) = self.after(self.cut);
        self.score = score;
        self.suffix.begin_at(state);
        self.turns.begin((self.make)(self.suffix, seed)?);
        Ok(())
    }

    /// Ends the round.
    fn end(&mut self, outcome: Option<&Outcome<P::Action>>) {
        let expanded = self.turns.end();
        if self.found.is_some() && self.found >= self.value {
            swap(&mut self.line, &mut self.sample);
            self.value = self.found;
        }
        self.found = None;
        self.rounds += 1;
        if self.cut == 0 && outcome.is_some_and(Outcome::is_optimal) {
            self.report.outcome = self.champion.proved();
        }
        let is_over = self.rounds == self.config.rounds || expanded == 0 || self.line.is_empty();
        if is_over && self.report.outcome.is_none() {
            self.report.outcome = Some(self.champion.exhausted());
        }
    }

    fn take_steps(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        while self.report.outcome.is_none() {
            self.harvest(quota, observer)?;
            self.report.outcome = judge(self.champion.get(), self.ceiling)?;
            if self.report.outcome.is_some() {
                break;
            }
            let used_up = quota.is_used_up(&self.turns.stats());
            let expanded = self.turns.get().map(|inner| inner.stats().expanded);
            if expanded.is_some_and(|expanded| expanded >= self.config.plays) {
                self.end(None);
            } else if used_up {
                return Err(Halt::Quota);
            } else if expanded.is_none() {
                self.begin()?;
            } else {
                // The inner search takes single play-outs, so that no better one is missed, however
                // the work is divided.
                let outcome = self.turns.advance(quota, 1, self.own_bytes(), &mut ())?;
                if outcome.is_some() {
                    self.harvest(quota, observer)?;
                    self.end(outcome.as_ref());
                }
            }
        }
        Ok(())
    }
}

impl<P: ScorePuzzle, F> Lns<'_, P, F> {
    /// Bytes except for the inner search.
    fn own_bytes(&self) -> u64 {
        bytes!(self.line, self.sample, self.champion)
    }

    /// Takes over a better solution of the inner search.
    fn harvest(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        let stats = self.turns.stats();
        let Some((inner, best)) = self.turns.get().and_then(|inner| Some((inner, inner.best()?)))
        else {
            return Ok(());
        };
        let value = self.score.saturating_add(best.value);
        if self.found.is_some_and(|found| value <= found) {
            return Ok(());
        }
        let len = self.cut + best.actions.len();
        // The peak of the inner search is no less than its present size.
        let limit = quota.bytes.saturating_sub(inner.stats().peak_bytes);
        let own = self.own_bytes();
        self.champion.fit(len, limit.saturating_sub(own))?;
        let own = self.own_bytes();
        fit(&mut self.sample, len, limit.saturating_sub(own))?;
        self.sample.clear();
        self.sample.extend_from_slice(&self.line[..self.cut]);
        self.sample.extend_from_slice(&best.actions);
        self.found = Some(value);
        self.champion.offer(&self.sample, value, &stats, observer);
        Ok(())
    }
}

impl<'a, P, F> Search for Lns<'a, P, F>
where
    P: ScorePuzzle,
    F: FnMut(&'a Suffix<P>, u64) -> Result<Inner<'a, P::Action>, SearchError>,
{
    type Action = P::Action;

    fn advance(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Progress<P::Action> {
        let steps = self.take_steps(quota, observer);
        self.report.progress(steps, None)
    }

    fn stats(&self) -> Stats {
        self.turns.stats()
    }

    fn best(&self) -> Option<&Solution<P::Action>> {
        self.champion.get()
    }

    fn bound(&self) -> Option<i64> {
        self.report.outcome.as_ref().and_then(Outcome::bound)
    }
}
