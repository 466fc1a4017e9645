//! Depth-budgeted search: a full-width search as deep as a budget of play-outs reaches, then greedy
//! games.
//!
//! D. Billings' SameGame program (2007) is known only by one sentence: "when the search reaches a
//! depth where its budget has been spent, a greedy simulation is performed" (Schadd et al. 2012,
//! section 2.3). This search is an interpretation of it.
//!
//! A search from a state has a budget of play-outs. A state with n actions and a budget of at least
//! n is expanded depth-first: each successor in turn receives an equal share of the remaining
//! budget, and returns the part that it does not use to the successors after it. A state whose
//! budget is smaller than n is played out once, greedily. A terminal state costs 1 as well. So the
//! depth adapts to the branching: forced actions are free, and near the end of a game everything is
//! searched.
//!
//! A game is played by such a search at every state; it continues with the next action of the best
//! line of the game so far. After a game the budget is multiplied by `growth` and another game
//! begins, until `games` are played or a limit ends the run. The first state of a game is always
//! expanded.
//!
//! A search that reached only terminal states was exhaustive: at the start this proves the optimum,
//! later it ends the game, whose line cannot be improved any more. With `growth` of 2 or more a
//! small puzzle is therefore solved in the end, whatever the play-outs do.
//!
//! Counters: a play-out (or a terminal state) is *expanded* and *evaluated*; *generated* are the
//! states of the search, of the play-outs and of the game.
//!
//! Memory: a frame for each action of the deepest search, and four lines. A play-out is not
//! interrupted, so that a line longer than all before is accounted when it has ended; a line that
//! does not fit into the quota is undone.
//!
//! Reference: M. P. D. Schadd, M. H. M. Winands, M. J. W. Tak and J. W. H. M. Uiterwijk,
//! "Single-player Monte-Carlo tree search for SameGame", Knowledge-Based Systems 34 (2012), on
//! Billings' program.

use crate::{
    lines::{Sampler, Samples, fit},
    memory::{Accounted, Full, accounted, reserve},
    report::{Halt, ObserverOf, ceiling, score_search},
};
use unriddle_core::{
    Info, Options, Outcome, Playout, Quota, Role, Score, ScorePuzzle, SearchError, Stats, options,
    playout::CHECKED, search::check_state_size,
};

/// Largest budget of a state's search.
pub const MAX_BUDGET: u64 = 1 << 48;
/// Largest growth of the budget from game to game.
pub const MAX_GROWTH: u64 = 1000;

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "none, but an optimum is proved where the budget covers the whole tree",
    requires: "a score puzzle, and a greedy way to play it out",
    reference: "Billings 2007, as mentioned by Schadd et al. 2012, section 2.3",
    parameters: DbsConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "dbs",
        "depth-budgeted search: full-width as deep as a budget reaches, then greedy games",
    )
};

options! {
    /// Options of [`Dbs`].
    #[derive(Copy, Eq)]
    pub struct DbsConfig of INFO (playout: Playout = "greedy", "play-out to the end of a game") {
        budget: u64 = "1000" in 1..=MAX_BUDGET,
            "play-outs of the search at each state of the first game";
        growth: u64 = "2" in 1..=MAX_GROWTH, "factor of the budget after each game";
        games: u64 = "0", "number of games (0 = until a limit or a proof ends the run)";
    }
    also {
        /// Seed of the play-outs.
        seed: u64 = 0;
    }
}

/// State that is expanded.
struct Frame<P: ScorePuzzle> {
    state: P::State,
    /// Successors that are not tried yet.
    actions: P::Actions,
    left: u64,
    /// Reward from the start.
    score: Score,
    /// Number of play-outs left for those successors; not smaller than their number.
    budget: u64,
}

/// Depth-budgeted search.
pub struct Dbs<'a, P: ScorePuzzle> {
    puzzle: &'a P,
    config: DbsConfig,
    begun: bool,
    /// Budget of this game.
    budget: u64,
    games: u64,
    /// State of the game.
    state: P::State,
    score: Score,
    depth: usize,
    /// The best line of this game, from the start.
    line: Vec<P::Action>,
    value: Option<Score>,
    /// The search from the game's state.
    frames: Vec<Frame<P>>,
    /// Whether the search made a play-out of a state that is not terminal.
    cut: bool,
    sampler: Sampler<'a, P>,
    /// Upper bound of the score.
    ceiling: Option<Score>,
    stats: Stats,
    outcome: Option<Outcome<P::Action>>,
}

impl<'a, P: ScorePuzzle> Dbs<'a, P> {
    /// Creates a search that has not begun.
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
            config,
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
            sampler: Sampler::new(puzzle, playout, config.seed),
            ceiling: None,
            stats: Stats::default(),
            outcome: None,
        })
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

    fn start(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        self.outcome =
            self.sampler.champion.terminal_start(self.puzzle, &self.state, &self.stats, observer);
        if self.outcome.is_some() {
            return Ok(());
        }
        self.root(quota)?;
        self.begun = true;
        Ok(())
    }

    /// The search from the game's state is over: plays its action, or begins the next game.
    fn play(&mut self, quota: &Quota) -> Result<(), Full> {
        self.grow(quota.bytes, |s, room| reserve(&mut s.frames, 1, room))?;
        if !self.cut && self.depth == 0 {
            self.outcome = self.sampler.champion.proved();
            return Ok(());
        }
        let next = self.line.get(self.depth).filter(|_| self.cut);
        if let Some(&action) = next {
            self.score = self.score.saturating_add(self.puzzle.reward(&self.state, action));
            self.state = self.puzzle.apply(&self.state, action);
            self.sampler.path.truncate(self.depth);
            self.sampler.path.push(action);
            self.depth += 1;
            self.stats.generated += 1;
            if !self.puzzle.is_terminal(&self.state) {
                return self.root(quota);
            }
        }
        self.games += 1;
        if self.games == self.config.games {
            self.outcome = Some(self.sampler.champion.exhausted());
            return Ok(());
        }
        self.budget = (self.budget * self.config.growth).min(MAX_BUDGET);
        self.state = self.puzzle.initial_state();
        self.score = 0;
        self.depth = 0;
        self.value = None;
        self.root(quota)
    }

    /// Tries an action of the search, or leaves its last state.
    fn try_action(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        let puzzle = self.puzzle;
        self.grow(quota.bytes, |s, room| reserve(&mut s.frames, 1, room))?;
        let depth = self.depth + self.frames.len() - 1;
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let mut actions = frame.actions;
        let Some(action) = actions.next() else {
            let unused = frame.budget;
            self.frames.pop();
            if let Some(parent) = self.frames.last_mut() {
                parent.budget += unused;
            }
            return Ok(());
        };
        // Forced actions are no play-outs: an endless line of them is one expansion.
        let is_late = depth > 0 && depth.is_multiple_of(CHECKED) && quota.is_over();
        if is_late || quota.is_used_up(&self.stats) {
            return Err(Halt::Quota);
        }
        let state = puzzle.apply(&frame.state, action);
        let score = frame.score.saturating_add(puzzle.reward(&frame.state, action));
        let successors = puzzle.actions(&state);
        let left = successors.count() as u64;
        let mut share = frame.budget / frame.left;
        self.sampler.path.truncate(depth);
        self.fit_lines(quota, depth + 1)?;
        self.sampler.path.push(action);
        let deeper = (1..=share).contains(&left);
        if !deeper {
            share = 1;
            let value = self.play_out(&state, score, quota, observer)?;
            if self.value.is_none_or(|best| value > best) {
                self.value = Some(value);
                std::mem::swap(&mut self.line, &mut self.sampler.sample);
            }
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
        Ok(())
    }

    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        if !self.begun {
            Ok(self.start(quota, observer)?)
        } else if self.frames.is_empty() {
            Ok(self.play(quota)?)
        } else {
            self.try_action(quota, observer)
        }
    }
}

impl<'a, P: ScorePuzzle> Samples<'a, P> for Dbs<'a, P> {
    fn sampler(&mut self) -> &mut Sampler<'a, P> {
        &mut self.sampler
    }

    fn fit_others(&mut self, quota: &Quota, len: usize) -> Result<(), Full> {
        self.grow(quota.bytes, |s, room| fit(&mut s.line, len, room))
    }
}

accounted!(Dbs<P: ScorePuzzle>: frames, line, sampler);
ceiling!(Dbs<P: ScorePuzzle>);
score_search!(Dbs<P: ScorePuzzle>, |search| search.sampler.champion.get());
