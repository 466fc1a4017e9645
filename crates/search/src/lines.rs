//! Lines of play of the Monte-Carlo searches: the best one found, and play-outs that can be undone.

use crate::{
    memory::{Accounted, Full, bytes, reserve, vec_bytes},
    report::{Halt, ObserverOf, gives_up},
};
use unriddle_core::{Observer, Outcome, Playout, Quota, Rng, Score, ScorePuzzle, Solution, Stats};

/// Reserves memory for `len` items in all, whatever the current length of the line.
#[inline]
pub(crate) fn fit<T>(line: &mut Vec<T>, len: usize, room: u64) -> Result<(), Full> {
    reserve(line, len.saturating_sub(line.len()), room)
}

/// Best line of a run. Its buffer is reused, so that a better line needs no allocation.
#[derive(Debug)]
pub(crate) struct Champion<A> {
    solution: Solution<A>,
    found: bool,
}

impl<A: Copy> Champion<A> {
    pub(crate) fn new() -> Self {
        Self { solution: Solution { actions: Vec::new(), value: Score::MIN }, found: false }
    }

    pub(crate) fn get(&self) -> Option<&Solution<A>> {
        self.found.then_some(&self.solution)
    }

    pub(crate) fn bytes(&self) -> u64 {
        vec_bytes(&self.solution.actions)
    }

    /// Outcome of a search whose best line is proved optimal.
    pub(crate) fn proved(&self) -> Option<Outcome<A>> {
        self.get().cloned().map(Outcome::proved)
    }

    /// Outcome of a search that ends without a proof.
    pub(crate) fn exhausted(&self) -> Outcome<A> {
        Outcome::Exhausted { best: self.get().cloned() }
    }

    /// Outcome of a search whose start is terminal; its line without actions is the best.
    pub(crate) fn terminal_start<P: ScorePuzzle<Action = A>>(
        &mut self,
        puzzle: &P,
        state: &P::State,
        stats: &Stats,
        observer: &mut dyn Observer<A>,
    ) -> Option<Outcome<A>> {
        if !puzzle.is_terminal(state) {
            return None;
        }
        self.offer(&[], puzzle.terminal_bonus(state), stats, observer);
        self.proved()
    }

    /// Reserves memory for a line of `len` actions.
    pub(crate) fn fit(&mut self, len: usize, room: u64) -> Result<(), Full> {
        fit(&mut self.solution.actions, len, room)
    }

    /// Whether a line of this value would be the best.
    #[inline]
    pub(crate) fn yields_to(&self, value: Score) -> bool {
        !self.found || value > self.solution.value
    }

    /// Keeps a line if it is the best, and notifies the observer. Memory for the line is reserved.
    #[inline]
    pub(crate) fn offer(
        &mut self,
        line: &[A],
        value: Score,
        stats: &Stats,
        observer: &mut dyn Observer<A>,
    ) {
        if self.yields_to(value) {
            self.solution.actions.clear();
            self.solution.actions.extend_from_slice(line);
            self.solution.value = value;
            self.found = true;
            observer.improved(&self.solution, stats);
        }
    }
}

/// Lines of a search that plays out from states along a path.
pub(crate) struct Sampler<'a, P: ScorePuzzle> {
    puzzle: &'a P,
    playout: &'a dyn Playout<P>,
    rng: Rng,
    /// Actions from the start to the current state.
    pub(crate) path: Vec<P::Action>,
    /// Line of the last play-out.
    pub(crate) sample: Vec<P::Action>,
    /// Number of actions for which all lines have memory.
    capacity: usize,
    pub(crate) champion: Champion<P::Action>,
}

impl<'a, P: ScorePuzzle> Sampler<'a, P> {
    pub(crate) fn new(puzzle: &'a P, playout: &'a dyn Playout<P>, seed: u64) -> Self {
        Self {
            puzzle,
            playout,
            rng: Rng::new(seed),
            path: Vec::new(),
            sample: Vec::new(),
            capacity: 0,
            champion: Champion::new(),
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        bytes!(self.path, self.sample, self.champion)
    }
}

/// Search with a [`Sampler`].
pub(crate) trait Samples<'a, P: ScorePuzzle>: Accounted {
    fn sampler(&mut self) -> &mut Sampler<'a, P>;

    /// Reserves memory for `len` actions in the lines that are not the sampler's.
    fn fit_others(&mut self, quota: &Quota, len: usize) -> Result<(), Full>;

    /// Reserves memory for `len` actions in all lines.
    fn fit_lines(&mut self, quota: &Quota, len: usize) -> Result<(), Full> {
        if len <= self.sampler().capacity {
            return Ok(());
        }
        self.grow(quota.bytes, |s, room| s.sampler().champion.fit(len, room))?;
        self.grow(quota.bytes, |s, room| fit(&mut s.sampler().path, len, room))?;
        self.grow(quota.bytes, |s, room| fit(&mut s.sampler().sample, len, room))?;
        self.fit_others(quota, len)?;
        self.sampler().capacity = len;
        Ok(())
    }

    /// Plays out from `state`, at the end of the path, with `score` so far. Returns the score of
    /// the whole line, which is the sample. A play-out that does not fit, or is not over when the
    /// time is, is undone.
    fn play_out(
        &mut self,
        state: &P::State,
        score: Score,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<Score, Halt> {
        let others = self.bytes();
        let sampler = self.sampler();
        let others = others - vec_bytes(&sampler.sample);
        let before = sampler.rng.clone();
        sampler.sample.clear();
        sampler.sample.extend_from_slice(&sampler.path);
        let (puzzle, playout) = (sampler.puzzle, sampler.playout);
        let mut why = Halt::Full;
        let mut continues = |bytes: u64| match gives_up(quota, others.saturating_add(bytes)) {
            None => true,
            Some(halt) => {
                why = halt;
                false
            }
        };
        let Sampler { rng, sample, .. } = sampler;
        let rest = playout.play_while(puzzle, state, rng, sample, &mut continues);
        let (len, depth) = (sampler.sample.len(), sampler.path.len());
        let fits = rest.is_some() && self.bytes() <= quota.bytes;
        let Some(rest) = rest.filter(|_| fits && self.fit_lines(quota, len).is_ok()) else {
            let sampler = self.sampler();
            sampler.rng = before;
            sampler.sample = Vec::with_capacity(sampler.capacity);
            return Err(why);
        };
        let stats = self.counters();
        stats.expanded += 1;
        stats.evaluated += 1;
        stats.generated += (len - depth) as u64;
        let (value, stats) = (score.saturating_add(rest), *stats);
        let sampler = self.sampler();
        sampler.champion.offer(&sampler.sample, value, &stats, observer);
        Ok(value)
    }
}
