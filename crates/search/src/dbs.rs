//! Depth-budgeted search: a full-width search as deep as a budget of play-outs reaches, then greedy games.
//!
//! D. Billings' SameGame program (2007) is known only by one sentence: "when the search reaches a depth
//! where its budget has been spent, a greedy simulation is performed" (Schadd et al. 2012, section 2.3).
//! This is our reading of it.
//!
//! A search from a state has a budget of play-outs. A state with n actions and a budget of at least n is
//! expanded depth-first: each successor in turn is given an equal share of what is left for it and those
//! after it, and what it does not use goes to them. A state whose budget is smaller than n has spent it: it is
//! played out once, greedily. A terminal state costs 1 as well. So the depth adapts to the branching: forced
//! actions are free, and near the end of a game everything is searched.
//!
//! A game is played by such a search at every state, always going on with the next action of the best
//! line that the game has met. After a game the budget is multiplied by `growth` and another game begins,
//! until `games` are played or the run is ended from outside. The first state of a game is always expanded.
//!
//! A search that met only terminal states has seen everything: at the start this proves the optimum, later
//! it ends the game, whose line cannot be improved any more. With `growth` of 2 or more a small puzzle is
//! therefore solved in the end, whatever the play-outs do.
//!
//! Counters: a play-out (or a terminal state) is *expanded* and *evaluated*; *generated* are the states of
//! the search, of the play-outs and of the game.
//!
//! Memory: a frame for each action of the deepest search, and four lines. A play-out may not be
//! interrupted, so that one longer than all before is accounted when it has ended; if the quota has no
//! room for it, it is undone.
//!
//! Reference: M. P. D. Schadd, M. H. M. Winands, M. J. W. Tak and J. W. H. M. Uiterwijk, "Single-player
//! Monte-Carlo tree search for SameGame", Knowledge-Based Systems 34 (2012), on Billings' program.

use crate::{
    lines::{Champion, fit},
    memory::{Accounted, Full, reserve, vec_bytes},
};
use unriddle_core::{
    Info, Observer, Options, Outcome, Playout, Progress, Quota, Rng, Role, Score, ScorePuzzle,
    Search, SearchError, Solution, Stats, options, search::check_state_size,
};

/// Largest budget of a state's search.
pub const MAX_BUDGET: u64 = 1 << 48;
/// Largest growth of the budget from game to game.
pub const MAX_GROWTH: u64 = 1000;

/// What `describe dbs` shows.
pub const INFO: Info = Info {
    name: "dbs",
    role: Role::Search,
    version: 1,
    summary: "depth-budgeted search: full-width as deep as a budget reaches, then greedy games",
    guarantee: "none, but an optimum is proved where the budget covers the whole tree",
    requires: "a score puzzle, and a greedy way to play it out",
    reference: "Billings 2007, as mentioned by Schadd et al. 2012, section 2.3",
    parameters: DbsConfig::PARAMETERS,
};

options! {
    /// Options of [`Dbs`].
    #[derive(Copy, Eq)]
    pub struct DbsConfig of INFO (playout: Playout = "greedy", "how a game is played to its end") {
        budget: u64 = "1000" in 1..=MAX_BUDGET,
            "play-outs of the search at each state of the first game";
        growth: u64 = "2" in 1..=MAX_GROWTH, "what the budget is multiplied by after each game";
        games: u64 = "0", "games; 0: until a limit ends the run or the optimum is proved";
    }
    also {
        /// Seed of the play-outs.
        seed: u64 = 0;
    }
}

/// A state that is expanded.
struct Frame<P: ScorePuzzle> {
    state: P::State,
    /// Successors that are not tried yet, and how many.
    actions: P::Actions,
    left: u64,
    /// Reward from the start.
    score: Score,
    /// Play-outs that are left for those successors, at least as many.
    budget: u64,
}

/// Depth-budgeted search.
pub struct Dbs<'a, P: ScorePuzzle> {
    puzzle: &'a P,
    playout: &'a dyn Playout<P>,
    config: DbsConfig,
    rng: Rng,
    begun: bool,
    /// Budget of this game.
    budget: u64,
    games: u64,
    /// Where the game stands: its state, reward from the start and actions from there.
    state: P::State,
    score: Score,
    depth: usize,
    /// The best line of this game, from the start.
    line: Vec<P::Action>,
    value: Option<Score>,
    /// The search from the game's state.
    frames: Vec<Frame<P>>,
    /// Whether it met a play-out that was more than a terminal state.
    cut: bool,
    /// The actions from the start to the state that is looked at.
    path: Vec<P::Action>,
    /// The line of the last play-out.
    sample: Vec<P::Action>,
    /// All lines have place for this many actions.
    capacity: usize,
    stats: Stats,
    champion: Champion<P::Action>,
    outcome: Option<Outcome<P::Action>>,
}

impl<'a, P: ScorePuzzle> Dbs<'a, P> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        playout: &'a dyn Playout<P>,
        config: DbsConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            playout,
            config,
            rng: Rng::new(config.seed),
            begun: false,
            budget: config.budget,
            games: 0,
            state: puzzle.initial_state(),
            score: 0,
            depth: 0,
            line: Vec::new(),
            value: None,
            frames: Vec::new(),
            cut: false,
            path: Vec::new(),
            sample: Vec::new(),
            capacity: 0,
            stats: Stats::default(),
            champion: Champion::new(),
            outcome: None,
        })
    }

    /// Makes place for `len` actions in all lines.
    fn fit(&mut self, quota: &Quota, len: usize) -> Result<(), Full> {
        if len <= self.capacity {
            return Ok(());
        }
        self.grow(quota.bytes, |s, room| s.champion.fit(len, room))?;
        self.grow(quota.bytes, |s, room| fit(&mut s.path, len, room))?;
        self.grow(quota.bytes, |s, room| fit(&mut s.sample, len, room))?;
        self.grow(quota.bytes, |s, room| fit(&mut s.line, len, room))?;
        self.capacity = len;
        Ok(())
    }

    fn proved(&mut self) {
        self.outcome = self.champion.get().map(|best| Outcome::Solved {
            best: best.clone(),
            proof: true,
            bound: Some(best.value),
        });
    }

    /// Begins the search from the game's state, which has an action.
    fn root(&mut self, quota: &Quota) -> Result<(), Full> {
        self.grow(quota.bytes, |s, room| reserve(&mut s.frames, 1, room))?;
        let actions = self.puzzle.actions(&self.state);
        let left = actions.count() as u64;
        self.cut = false;
        self.frames.push(Frame {
            state: self.state,
            actions,
            left,
            score: self.score,
            budget: self.budget.max(left),
        });
        Ok(())
    }

    fn start(&mut self, quota: &Quota, observer: &mut dyn Observer<P::Action>) -> Result<(), Full> {
        if self.puzzle.is_terminal(&self.state) {
            let value = self.puzzle.terminal_bonus(&self.state);
            self.champion.offer(&[], value, &self.stats, observer);
            self.proved();
            return Ok(());
        }
        self.root(quota)?;
        self.begun = true;
        Ok(())
    }

    /// Plays out from the state at the end of the path. Nothing has happened if it does not fit.
    fn play_out(
        &mut self,
        state: &P::State,
        score: Score,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<(), Full> {
        let before = self.rng.clone();
        self.sample.clear();
        self.sample.extend_from_slice(&self.path);
        let rest = self.playout.play(self.puzzle, state, &mut self.rng, &mut self.sample);
        let len = self.sample.len();
        let fits = match self.bytes() > quota.bytes {
            true => Err(Full),
            false => self.fit(quota, len),
        };
        if fits.is_err() {
            self.rng = before;
            self.sample = Vec::with_capacity(self.capacity);
            return Err(Full);
        }
        self.stats.expanded += 1;
        self.stats.evaluated += 1;
        self.stats.generated += (len - self.path.len()) as u64;
        let value = score + rest;
        self.champion.offer(&self.sample, value, &self.stats, observer);
        if self.value.is_none_or(|best| value > best) {
            self.value = Some(value);
            std::mem::swap(&mut self.line, &mut self.sample);
        }
        Ok(())
    }

    /// The search from the game's state is over: the game goes on, or the next one begins.
    fn play(&mut self, quota: &Quota) -> Result<(), Full> {
        self.grow(quota.bytes, |s, room| reserve(&mut s.frames, 1, room))?;
        if !self.cut && self.depth == 0 {
            self.proved();
            return Ok(());
        }
        let next = self.line.get(self.depth).filter(|_| self.cut);
        if let Some(&action) = next {
            self.score += self.puzzle.reward(&self.state, action);
            self.state = self.puzzle.apply(&self.state, action);
            self.path.truncate(self.depth);
            self.path.push(action);
            self.depth += 1;
            self.stats.generated += 1;
            if !self.puzzle.is_terminal(&self.state) {
                return self.root(quota);
            }
        }
        self.games += 1;
        if self.games == self.config.games {
            self.outcome = Some(Outcome::Exhausted { best: self.champion.get().cloned() });
            return Ok(());
        }
        self.budget = (self.budget * self.config.growth).min(MAX_BUDGET);
        self.state = self.puzzle.initial_state();
        self.score = 0;
        self.depth = 0;
        self.value = None;
        self.root(quota)
    }

    /// Tries an action of the search, or leaves its last state. Whether the quota allowed it.
    fn go_on(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Result<bool, Full> {
        let puzzle = self.puzzle;
        self.grow(quota.bytes, |s, room| reserve(&mut s.frames, 1, room))?;
        let depth = self.depth + self.frames.len() - 1;
        let Some(frame) = self.frames.last_mut() else {
            return Ok(true);
        };
        let mut actions = frame.actions;
        let Some(action) = actions.next() else {
            let unused = frame.budget;
            self.frames.pop();
            if let Some(parent) = self.frames.last_mut() {
                parent.budget += unused;
            }
            return Ok(true);
        };
        if quota.is_used_up(&self.stats) {
            return Ok(false);
        }
        let state = puzzle.apply(&frame.state, action);
        let score = frame.score + puzzle.reward(&frame.state, action);
        let successors = puzzle.actions(&state);
        let left = successors.count() as u64;
        let mut share = frame.budget / frame.left;
        self.path.truncate(depth);
        self.fit(quota, depth + 1)?;
        self.path.push(action);
        let deeper = (1..=share).contains(&left);
        if !deeper {
            share = 1;
            self.play_out(&state, score, quota, observer)?;
            self.cut |= left > 0;
        }
        self.stats.generated += 1;
        if let Some(frame) = self.frames.last_mut() {
            frame.actions = actions;
            frame.left -= 1;
            frame.budget -= share;
        }
        if deeper {
            self.frames.push(Frame { state, actions: successors, left, score, budget: share });
        }
        Ok(true)
    }
}

impl<P: ScorePuzzle> Accounted for Dbs<'_, P> {
    fn bytes(&self) -> u64 {
        vec_bytes(&self.frames)
            + vec_bytes(&self.line)
            + vec_bytes(&self.path)
            + vec_bytes(&self.sample)
            + self.champion.bytes()
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

impl<P: ScorePuzzle> Search for Dbs<'_, P> {
    type Action = P::Action;

    fn advance(
        &mut self,
        quota: &Quota,
        observer: &mut dyn Observer<P::Action>,
    ) -> Progress<P::Action> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            let result = if !self.begun {
                self.start(quota, observer).map(|()| true)
            } else if self.frames.is_empty() {
                self.play(quota).map(|()| true)
            } else {
                self.go_on(quota, observer)
            };
            match result {
                Ok(true) => {}
                Ok(false) => return Progress::Running,
                Err(Full) => return Progress::OutOfMemory,
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<P::Action>> {
        self.champion.get()
    }

    fn bound(&self) -> Option<i64> {
        self.outcome.as_ref().and_then(Outcome::bound)
    }
}
