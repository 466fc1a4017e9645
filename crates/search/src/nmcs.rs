//! Nested Monte-Carlo search: each action of a game is chosen by games of the level below.
//!
//! A game of level 0 is a play-out. A game of level n plays from its state to the end. At every
//! state it has each successor played by a game of level n − 1, and then plays the next action of
//! the best line so far, whether it found that line at this state or earlier (the *memorised* best
//! sequence: without it the search would forget good luck). Among equal lines the first is kept.
//! When a game of the highest level has ended, another begins with further random numbers, until
//! `games` are played or a limit ends the run; the best line of all is the answer.
//!
//! A line is a whole game from the start, so that every play-out, at whatever depth it began, may
//! be the best solution, and is reported at once.
//!
//! The nesting is a stack of `level` frames, each a state with the cursor of its actions. The
//! search can be suspended after every play-out.
//!
//! Counters: a play-out is *expanded* and *evaluated*; a terminal state at the start of a game of
//! level 1 or more counts as a play-out without actions. *Generated* are the states of the
//! play-outs and of the tried and played actions.
//!
//! Time: a game of level n from a state with b actions and t actions to go takes about (b·t)ⁿ/n!
//! play-outs. Memory: `level` + 3 lines. A play-out is not interrupted, so that a line longer than
//! all before is accounted when it has ended; a line that does not fit into the quota is undone.
//!
//! A start without actions ends the search at once, with a proof. Otherwise the optimum is found
//! with probability 1 in the end if play-outs choose every action with positive probability, but
//! never proved.
//!
//! Reference: T. Cazenave, "Nested Monte-Carlo Search", IJCAI 2009.

use crate::{
    lines::{Sampler, Samples, fit},
    memory::{Accounted, Full, bytes, reserve, vec_bytes},
    report::{Halt, ObserverOf, ceiling, score_search},
};
use std::mem::swap;
use unriddle_core::{
    Info, Options, Outcome, Playout, Quota, Role, Score, ScorePuzzle, SearchError, Stats, options,
    search::check_state_size,
};

/// Highest level.
pub const MAX_LEVEL: u32 = 16;

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "none; the best line of all play-outs",
    requires: "a score puzzle, and a way to play it out",
    reference: "Cazenave 2009 (IJCAI)",
    parameters: NmcsConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "nmcs",
        "nested Monte-Carlo search: each action is chosen by games of the level below",
    )
};

options! {
    /// Options of [`Nmcs`].
    #[derive(Copy, Eq)]
    pub struct NmcsConfig of INFO (playout: Playout = "random", "play-out to the end of a game") {
        level: u32 = "3" in 0..=MAX_LEVEL,
            "number of levels above the play-outs (0 = play-outs only)";
        games: u64 = "0", "games of the highest level (0 = until a limit)";
    }
    also {
        /// Seed of the play-outs.
        seed: u64 = 0;
    }
}

/// A game of level 1 or more.
struct Frame<P: ScorePuzzle> {
    /// Current state of the game.
    state: P::State,
    actions: P::Actions,
    /// Reward from the start.
    score: Score,
    /// Actions from the start.
    depth: usize,
    /// Best line of the game so far, from the start.
    line: Vec<P::Action>,
    value: Option<Score>,
}

/// Nested Monte-Carlo search.
pub struct Nmcs<'a, P: ScorePuzzle> {
    puzzle: &'a P,
    config: NmcsConfig,
    begun: bool,
    /// Games of level 1 to `level`.
    frames: Vec<Frame<P>>,
    at: usize,
    sampler: Sampler<'a, P>,
    games: u64,
    /// Upper bound of the score.
    ceiling: Option<Score>,
    stats: Stats,
    outcome: Option<Outcome<P::Action>>,
}

impl<'a, P: ScorePuzzle> Nmcs<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(
        puzzle: &'a P,
        playout: &'a dyn Playout<P>,
        config: NmcsConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            config,
            begun: false,
            frames: Vec::new(),
            at: 0,
            sampler: Sampler::new(puzzle, playout, config.seed),
            games: 0,
            ceiling: None,
            stats: Stats::default(),
            outcome: None,
        })
    }

    fn start(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        let state = self.puzzle.initial_state();
        self.outcome =
            self.sampler.champion.terminal_start(self.puzzle, &state, &self.stats, observer);
        if self.outcome.is_some() {
            return Ok(());
        }
        let levels = self.config.level as usize;
        self.grow(quota.bytes, |s, room| reserve(&mut s.frames, levels, room))?;
        while self.frames.len() < levels {
            self.frames.push(Frame {
                state,
                actions: self.puzzle.actions(&state),
                score: 0,
                depth: 0,
                line: Vec::new(),
                value: None,
            });
        }
        self.at = levels.saturating_sub(1);
        self.begun = true;
        Ok(())
    }

    /// Begins a game of level `at + 1`.
    fn enter(&mut self, at: usize, state: P::State, score: Score, depth: usize) {
        self.at = at;
        let frame = &mut self.frames[at];
        frame.actions = self.puzzle.actions(&state);
        frame.state = state;
        frame.score = score;
        frame.depth = depth;
        frame.line.clear();
        frame.value = None;
    }

    /// A game of the highest level has ended.
    fn game_over(&mut self) {
        self.games += 1;
        if self.games == self.config.games {
            self.outcome = Some(self.sampler.champion.exhausted());
        } else if let Some(top) = self.frames.len().checked_sub(1) {
            self.enter(top, self.puzzle.initial_state(), 0, 0);
        }
    }

    /// Plays out once, or takes a step between two play-outs.
    fn play(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        let puzzle = self.puzzle;
        let at = self.at;
        let Some(frame) = self.frames.get_mut(at) else {
            if quota.is_used_up(&self.stats) {
                return Err(Halt::Quota);
            }
            self.play_out(&puzzle.initial_state(), 0, quota, observer)?;
            self.game_over();
            return Ok(());
        };
        let depth = frame.depth;
        let mut actions = frame.actions;
        if let Some(action) = actions.next() {
            if at == 0 && quota.is_used_up(&self.stats) {
                return Err(Halt::Quota);
            }
            let state = puzzle.apply(&frame.state, action);
            let score = frame.score.saturating_add(puzzle.reward(&frame.state, action));
            self.sampler.path.truncate(depth);
            self.fit_lines(quota, depth + 1)?;
            self.sampler.path.push(action);
            if at == 0 {
                let value = self.play_out(&state, score, quota, observer)?;
                let frame = &mut self.frames[at];
                if frame.value.is_none_or(|best| value > best) {
                    frame.value = Some(value);
                    swap(&mut frame.line, &mut self.sampler.sample);
                }
            } else {
                self.enter(at - 1, state, score, depth + 1);
            }
            self.frames[at].actions = actions;
            self.stats.generated += 1;
        } else if frame.value.is_none() {
            // No action: the game begins at a terminal state.
            if quota.is_used_up(&self.stats) {
                return Err(Halt::Quota);
            }
            let value = frame.score.saturating_add(puzzle.terminal_bonus(&frame.state));
            frame.value = Some(value);
            frame.line.extend_from_slice(&self.sampler.path);
            self.stats.expanded += 1;
            self.stats.evaluated += 1;
            let Sampler { champion, path, .. } = &mut self.sampler;
            champion.offer(path, value, &self.stats, observer);
        } else if let Some(&action) = frame.line.get(depth) {
            frame.score = frame.score.saturating_add(puzzle.reward(&frame.state, action));
            frame.state = puzzle.apply(&frame.state, action);
            frame.actions = puzzle.actions(&frame.state);
            frame.depth += 1;
            self.sampler.path.truncate(depth);
            self.sampler.path.push(action);
            self.stats.generated += 1;
        } else if at + 1 == self.frames.len() {
            self.game_over();
        } else {
            let (lower, upper) = self.frames.split_at_mut(at + 1);
            let (frame, above) = (&mut lower[at], &mut upper[0]);
            if frame.value > above.value {
                above.value = frame.value;
                swap(&mut above.line, &mut frame.line);
            }
            self.at = at + 1;
        }
        Ok(())
    }

    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        if self.begun { self.play(quota, observer) } else { Ok(self.start(quota, observer)?) }
    }
}

impl<'a, P: ScorePuzzle> Samples<'a, P> for Nmcs<'a, P> {
    fn sampler(&mut self) -> &mut Sampler<'a, P> {
        &mut self.sampler
    }

    fn fit_others(&mut self, quota: &Quota, len: usize) -> Result<(), Full> {
        for i in 0..self.frames.len() {
            self.grow(quota.bytes, |s, room| fit(&mut s.frames[i].line, len, room))?;
        }
        Ok(())
    }
}

impl<P: ScorePuzzle> Accounted for Nmcs<'_, P> {
    fn bytes(&self) -> u64 {
        let lines = self.frames.iter().map(|frame| vec_bytes(&frame.line));
        lines.sum::<u64>() + bytes!(self.frames, self.sampler)
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

ceiling!(Nmcs<P: ScorePuzzle>);
score_search!(Nmcs<P: ScorePuzzle>, |search| search.sampler.champion.get());
