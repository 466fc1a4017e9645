//! Nested roll-out policy adaptation: play-outs by a policy that learns from the best line so far.
//!
//! A policy has a logit w(m) for each code m of an action. A play-out (level 0) chooses among the
//! legal actions with probabilities proportional to e^(w(m)/τ + β(m)), where β is the puzzle's own
//! bias. A run of level n begins with the policy of the level above. It repeats N times: it takes
//! the line of a run of level n − 1, keeps it if it is not worse than its best line, and adapts its
//! policy to its best line. For each state of that line the logit of the played action rises by α,
//! and the logits of all legal actions fall by α times their probability under the policy before.
//! At its end the run passes its best line up, and its policy is forgotten. Runs of the highest
//! level begin with an empty policy until `runs` are made or a limit ends the search.
//!
//! Variants, all off by default: *stabilised*, the best of P play-outs between two adaptations at
//! level 1; *limited repetitions*, a level ends when its best line was repeated `repeat` times,
//! because then the policy is almost deterministic; *selective*, actions of a higher
//! [`tier`](Selective::tier) are neither played nor learned while one of a lower tier is legal.
//! With τ other than 1 the step stays α (the gradient's would be α/τ).
//!
//! Reasons for its speed: the legal actions are in a [`Menu`], which keeps actions that stay legal,
//! so that an action is looked up once as long as it does. A play-out notes all of them, so that an
//! adaptation makes no states again. The policies of all levels share one table (module `policy`).
//! Choosing takes no exponential unless the action has a bias. The adaptation after a run's last
//! iteration, whose result is not used, is left out.
//!
//! Counters: a play-out is *expanded* and *evaluated*, its states are *generated*. A play-out that
//! does not fit into the quota's bytes is undone.
//!
//! Time: Nⁿ·P play-outs for a run of level n. Memory: the policy, at most 56 bytes for each code of
//! the best lines of a run, and 8 more for each level above the first; for each level a line with
//! 20 bytes for each legal action on it.
//!
//! References: C. D. Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI
//! 2011; T. Cazenave, "Generalized Nested Rollout Policy Adaptation", Monte Carlo Search workshop
//! 2020 (bias, temperature); T. Cazenave, J.-B. Sevestre and M. Toulemont, "Stabilized Nested
//! Rollout Policy Adaptation", the same; T. Cazenave, "Nested Rollout Policy Adaptation with
//! Selective Policies", Computer Games Workshop 2016; T. Cazenave, "Generalized Nested Rollout
//! Policy Adaptation with Limited Repetitions", 2024.

mod config;
mod level;
mod policy;

pub use config::{INFO, MAX_ITERATIONS, MAX_LEVEL, NrpaConfig};

use crate::{
    lines::{Champion, fit},
    memory::{Accounted, Full, bytes, reserve},
    report::{Halt, ObserverOf, ceiling, score_search},
};
use level::{Level, Line};
use policy::{Entry, Policy, Step, exp};
use unriddle_core::{
    Options as _, Outcome, Quota, Rng, Score, SearchError, Selective, Stats, Unfiltered,
    playout::{CHECKED, Coded, Menu, MenuOf},
    search::check_state_size,
};

/// Next work. Levels are counted from 0 here.
#[derive(Clone, Copy, Debug)]
enum Phase {
    Start,
    /// Begin a run of the level, with the policy as it is.
    Begin(usize),
    Play,
    /// Adapt the policy, which belongs to the level, to the level's best line.
    Adapt(usize),
    /// End a run of the level.
    End(usize),
}

/// Nested roll-out policy adaptation.
pub struct Nrpa<'a, P: Coded, S: Selective<P> = Unfiltered> {
    puzzle: &'a P,
    selective: &'a S,
    config: NrpaConfig,
    rng: Rng,
    phase: Phase,
    start: P::State,
    memo: Option<S::Memo>,
    policy: Policy,
    levels: Vec<Level<P::Action>>,
    runs: u64,
    /// Number of play-outs since the last adaptation at level 1.
    playouts: u32,
    /// The last play-out.
    line: Line<P::Action>,
    /// Scratch of a play-out: the legal actions; the summand of each entry; the legal actions of
    /// the lowest tier, as indices into the menu, with sums of probabilities.
    menu: MenuOf<P>,
    /// The menu of the start, with which every play-out begins.
    first: MenuOf<P>,
    exps: Vec<f32>,
    kept: Vec<(f32, u32)>,
    stats: Stats,
    champion: Champion<P::Action>,
    /// Upper bound of the score.
    ceiling: Option<Score>,
    outcome: Option<Outcome<P::Action>>,
}

impl<'a, P: Coded> Nrpa<'a, P> {
    /// Creates a search of all legal actions that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn new(puzzle: &'a P, config: NrpaConfig) -> Result<Self, SearchError> {
        Self::selective(puzzle, &Unfiltered, config)
    }
}

impl<'a, P: Coded, S: Selective<P>> Nrpa<'a, P, S> {
    /// Creates a search that has not begun, whose play-outs choose actions of the lowest tier.
    ///
    /// # Errors
    /// An option out of bounds, or states that are too large.
    pub fn selective(
        puzzle: &'a P,
        selective: &'a S,
        config: NrpaConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<P>()?;
        Ok(Self {
            puzzle,
            selective,
            config,
            rng: Rng::new(config.seed),
            phase: Phase::Start,
            start: puzzle.initial_state(),
            memo: None,
            policy: Policy::new(config.tau),
            levels: Vec::new(),
            runs: 0,
            playouts: 0,
            line: Line::new(),
            menu: Menu::new(puzzle.initial_state()),
            first: Menu::new(puzzle.initial_state()),
            exps: Vec::new(),
            kept: Vec::new(),
            stats: Stats::default(),
            champion: Champion::new(),
            ceiling: None,
            outcome: None,
        })
    }

    fn start(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Full> {
        self.outcome =
            self.champion.terminal_start(self.puzzle, &self.start, &self.stats, observer);
        if self.outcome.is_some() {
            return Ok(());
        }
        self.puzzle.list(&mut self.first);
        if self.bytes() > quota.bytes {
            self.first = Menu::new(self.start);
            return Err(Full);
        }
        let levels = self.config.level as usize;
        self.grow(quota.bytes, |s, room| reserve(&mut s.levels, levels, room))?;
        self.grow(quota.bytes, |s, room| s.policy.make_place(room))?;
        while self.levels.len() < levels {
            self.levels.push(Level::new());
        }
        self.memo = Some(self.selective.begin(self.puzzle, &self.start, 0));
        self.phase = Phase::Begin(levels - 1);
        Ok(())
    }

    /// Keeps the policy for the runs of the level below, and begins one.
    fn descend(&mut self, quota: &Quota, level: usize) -> Result<(), Full> {
        let len = self.policy.len();
        self.grow(quota.bytes, |s, room| fit(&mut s.levels[level].saved, len, room))?;
        self.policy.save(&mut self.levels[level].saved);
        self.phase = Phase::Begin(level - 1);
        Ok(())
    }

    fn begin(&mut self, quota: &Quota, level: usize) -> Result<(), Full> {
        self.levels[level].begin();
        self.playouts = 0;
        self.phase = Phase::Play;
        match level {
            0 => Ok(()),
            _ => self.descend(quota, level).inspect_err(|_| {
                self.phase = Phase::Begin(level);
            }),
        }
    }

    /// Reserves memory for the notes of a play-out on a state.
    #[inline(always)]
    fn make_place(&mut self, quota: &Quota) -> Result<(), Full> {
        let count = self.menu.live.len();
        let new = self.menu.entries.len() - self.exps.len();
        let line = &self.line;
        if line.actions.len() < line.actions.capacity()
            && line.steps.len() < line.steps.capacity()
            && line.choices.len() + count <= line.choices.capacity()
            && line.entries.len() + new <= line.entries.capacity()
            && self.exps.len() + new <= self.exps.capacity()
            && count <= self.kept.capacity()
        {
            return Ok(());
        }
        self.grow(quota.bytes, |s, room| reserve(&mut s.line.actions, 1, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.line.steps, 1, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.line.choices, count, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.line.entries, new, room))?;
        self.grow(quota.bytes, |s, room| reserve(&mut s.exps, new, room))?;
        self.grow(quota.bytes, |s, room| fit(&mut s.kept, count, room))
    }

    /// Plays out by the policy into `line`.
    fn play_out(&mut self, quota: &Quota) -> Result<(), Halt> {
        let puzzle = self.puzzle;
        let bias_weight = self.config.bias as f32;
        let Some(mut memo) = self.memo.clone() else { return Ok(()) };
        let mut score: Score = 0;
        self.line.clear();
        self.exps.clear();
        let held = self.menu.bytes();
        self.menu.clone_from(&self.first);
        for depth in 0_usize.. {
            if depth > 0 && depth.is_multiple_of(CHECKED) && quota.is_over() {
                return Err(Halt::Quota);
            }
            if self.menu.bytes() != held {
                let bytes = self.bytes();
                if bytes > quota.bytes {
                    self.menu = Menu::new(self.start);
                    return Err(Halt::Full);
                }
                self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
            }
            let count = self.menu.live.len();
            if count == 0 {
                break;
            }
            self.make_place(quota)?;
            for entry in &self.menu.entries[self.exps.len()..] {
                let (code, bias) = (entry.code, entry.bias * bias_weight);
                let factor = if bias == 0.0 { 1.0 } else { exp(bias) };
                self.line.entries.push(Entry { code, factor });
                self.exps.push(self.policy.exp(code) * factor);
            }
            // Actions of the lowest tier are moved to the front.
            let begin = self.line.choices.len();
            self.line.choices.extend_from_slice(&self.menu.live);
            let choices = &mut self.line.choices[begin..];
            self.kept.resize(count.max(self.kept.len()), (0.0, 0));
            let kept = &mut self.kept[..count];
            let (state, entries, exps) = (&self.menu.state, &self.menu.entries, &self.exps);
            let (mut lowest, mut total, mut len) = (u8::MAX, 0.0, 0);
            for i in 0..count {
                let id = choices[i];
                let action = entries[id as usize].action;
                let tier = self.selective.tier(puzzle, state, action, depth, &mut memo);
                if tier > lowest {
                    continue;
                }
                if tier < lowest {
                    (lowest, total, len) = (tier, 0.0, 0);
                }
                total += exps[id as usize];
                choices[len] = id;
                kept[len] = (total, i as u32);
                len += 1;
            }
            self.line.choices.truncate(begin + len);
            let mark = self.rng.unit() as f32 * total;
            // Rounding may make the mark equal to the sum.
            let chosen = kept[..len].iter().find(|k| mark < k.0);
            let choice = chosen.map_or(kept[len - 1].1, |k| k.1) as usize;
            let id = self.menu.live[choice];
            let action = entries[id as usize].action;
            self.line.actions.push(action);
            self.line.steps.push(Step { end: (begin + len) as u32, chosen: id });
            score = score.saturating_add(puzzle.reward(state, action));
            puzzle.follow(&mut self.menu, choice);
        }
        self.line.value = score.saturating_add(puzzle.terminal_bonus(&self.menu.state));
        let len = self.line.actions.len();
        Ok(self.grow(quota.bytes, |s, room| s.champion.fit(len, room))?)
    }

    /// A play-out of level 1.
    fn play(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        let before = self.rng.clone();
        if let Err(halt) = self.play_out(quota) {
            self.rng = before;
            return Err(halt);
        }
        self.stats.expanded += 1;
        self.stats.evaluated += 1;
        self.stats.generated += self.line.actions.len() as u64;
        let (line, stats) = (&self.line, &self.stats);
        self.champion.offer(&line.actions, line.value, stats, observer);
        self.levels[0].take(&mut self.line);
        self.playouts += 1;
        if self.playouts == self.config.playouts || self.is_settled(0) {
            self.playouts = 0;
            self.levels[0].iterations += 1;
            self.phase = self.after_iteration(0);
        }
        Ok(())
    }

    /// Whether the best line was repeated as often as allowed.
    fn is_settled(&self, level: usize) -> bool {
        self.config.repeat > 0 && self.levels[level].repeats >= self.config.repeat
    }

    fn after_iteration(&self, level: usize) -> Phase {
        if self.levels[level].iterations >= self.config.iterations || self.is_settled(level) {
            Phase::End(level)
        } else {
            Phase::Adapt(level)
        }
    }

    fn adapt(&mut self, quota: &Quota, level: usize) -> Result<(), Full> {
        if !self.levels[level].admitted {
            let others = self.bytes() - self.policy.bytes();
            let limit = quota.bytes.saturating_sub(others);
            let best = &self.levels[level].best;
            let admitted = self.policy.admit(&best.entries, limit);
            self.stats.peak_bytes = self.stats.peak_bytes.max(others + self.policy.bytes());
            admitted?;
        }
        if level > 0 {
            // All growth precedes the adaptation, which must not be made twice.
            let len = self.policy.len();
            self.grow(quota.bytes, |s, room| fit(&mut s.levels[level].saved, len, room))?;
        } else {
            // The policy is adapted to this line again and again, until another line is the best.
            self.levels[level].admitted = true;
        }
        let best = &self.levels[level].best;
        let alpha = self.config.alpha as f32;
        self.policy.adapt(&best.steps, &best.choices, &best.entries, alpha);
        match level {
            0 => self.phase = Phase::Play,
            _ => self.descend(quota, level)?,
        }
        Ok(())
    }

    fn end(&mut self, level: usize) {
        if level + 1 < self.levels.len() {
            let (lower, upper) = self.levels.split_at_mut(level + 1);
            upper[0].take(&mut lower[level].best);
            upper[0].iterations += 1;
            self.policy.restore(&upper[0].saved);
            self.phase = self.after_iteration(level + 1);
            return;
        }
        self.runs += 1;
        if self.runs == self.config.runs {
            self.outcome = Some(self.champion.exhausted());
        } else {
            self.policy.restore(&[]);
            self.memo = Some(self.selective.begin(self.puzzle, &self.start, self.runs));
            self.phase = Phase::Begin(level);
        }
    }

    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        match self.phase {
            Phase::Start => self.start(quota, observer)?,
            Phase::Begin(level) => self.begin(quota, level)?,
            Phase::Play if quota.is_used_up(&self.stats) => return Err(Halt::Quota),
            Phase::Play => self.play(quota, observer)?,
            Phase::Adapt(level) => self.adapt(quota, level)?,
            Phase::End(level) => self.end(level),
        }
        Ok(())
    }
}

impl<P: Coded, S: Selective<P>> Accounted for Nrpa<'_, P, S> {
    fn bytes(&self) -> u64 {
        let levels = self.levels.iter().map(Level::bytes);
        levels.sum::<u64>()
            + bytes!(self.levels, self.policy, self.line, self.menu, self.first)
            + bytes!(self.exps, self.kept, self.champion)
    }

    fn counters(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

ceiling!(Nrpa<P: Coded, S: Selective<P>>);
score_search!(Nrpa<P: Coded, S: Selective<P>>, |search| search.champion.get());
