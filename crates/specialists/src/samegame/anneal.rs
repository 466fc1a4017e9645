//! Simulated annealing of a line of SameGame, as a plan that names cells by where they began.
//!
//! A plan is a list of cells of the first board. Playing it takes out the group that each of them lies in by then,
//! and passes over those that are gone or alone; what is left of the other colours is then taken out at
//! random. Since a cell keeps its name however it falls, a plan means nearly the same after a change
//! somewhere in it: other orders of groups that do not touch give the same groups.
//!
//! One colour is the *tabu*: its groups are played only where the plan says so. A line ends when no group of
//! another colour is left, and is worth what it has earned, what the cells of the tabu would earn as one
//! group, the bonus of a cleared board, less a fixed cost for every other cell that is left. For a cleared
//! board that is exact, since the tabu's cells then are one group; for others it makes a slope out of the step
//! that the bonus is. Lines that are not cleared are played to their end where they would be the best.
//!
//! A change of the line in hand, from a random cut on: any group is played first; the next one is played
//! later; or two neighbouring runs of the rest change places. A worse line is accepted with probability
//! e^(−loss / T); T falls geometrically. Every run begins with a random line; each third takes the next most
//! frequent colour as tabu instead of the most frequent one.
//!
//! Counters: a line is *expanded* and *evaluated*, its moves after the cut are *generated*. Memory: two lines
//! of at most half as many positions as the board has cells.
//!
//! References: S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated annealing",
//! Science 220 (1983); the tabu colour: Cazenave 2016.

use unriddle_core::{
    Observer, Outcome, Progress, Puzzle, Quota, Rng, Score, ScorePuzzle, Search, SearchError,
    Solution, Stats,
};
use unriddle_puzzles::samegame::{
    Group, SameGame,
    board::{Board, Cells, Links, count, is_empty, nth},
    tabu::by_frequency,
};

/// Share of changes that play any group first, and of those that exchange two runs; the rest play the next
/// group later.
const FIRST: f64 = 0.4;
const EXCHANGE: f64 = 0.2;
/// Share of the first ones that may be of the tabu.
const OF_TABU: f64 = 0.05;
/// One in so many cuts may be at the very end.
const AT_END: u64 = 8;

/// Options of [`Anneal`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnnealConfig {
    /// Lines of a run, at least 1.
    pub evaluations: u64,
    /// Runs; 0 for no end.
    pub runs: u64,
    /// Number of the first run, which tells its tabu.
    pub first: u64,
    /// Temperature at the start of a run, in points, above 0.
    pub hot: f64,
    /// Temperature at its end, in points, above 0.
    pub cold: f64,
    /// Cost of a cell that is left, in points.
    pub left: f64,
    /// Seed.
    pub seed: u64,
}

impl Default for AnnealConfig {
    fn default() -> Self {
        Self {
            evaluations: 1_000_000,
            runs: 0,
            first: 0,
            hot: 100.0,
            cold: 20.0,
            left: 60.0,
            seed: 0,
        }
    }
}

/// A position whose cells keep the names that they had in the first one.
#[derive(Clone, Copy)]
struct Named<const N: usize, const L: u32> {
    board: Board<N, L>,
    links: Links<N, L>,
    /// Where each cell has come to; [`GONE`] for none.
    places: [[u16; 64]; N],
    /// The name of the cell at a place; of no meaning where there is none.
    names: [[u16; 64]; N],
    /// What was earned on the way.
    score: Score,
    /// The name that the plan plays next.
    next: u16,
}

const GONE: u16 = u16::MAX;

impl<const N: usize, const L: u32> Named<N, L> {
    fn new(board: Board<N, L>) -> Self {
        let all = std::array::from_fn(|i| std::array::from_fn(|j| (i * 64 + j) as u16));
        Self {
            board,
            links: board.links(),
            places: all,
            names: all,
            score: 0,
            next: GONE,
        }
    }

    #[inline(always)]
    fn place(&self, name: u16) -> u16 {
        self.places[usize::from(name / 64) % N][usize::from(name % 64)]
    }

    #[inline(always)]
    fn name(&self, place: u16) -> u16 {
        self.names[usize::from(place / 64) % N][usize::from(place % 64)]
    }

    #[inline(always)]
    fn put(&mut self, name: u16, place: u16) {
        self.places[usize::from(name / 64) % N][usize::from(name % 64)] = place;
    }

    /// Corners of the groups of other colours than one.
    #[inline(always)]
    fn others(&self, tabu: u8) -> Cells<N> {
        let (corners, kept) = (self.links.corners(), self.board.of_colour(tabu));
        std::array::from_fn(|i| corners[i] & !kept[i])
    }

    /// Takes a group out.
    #[inline(always)]
    fn play(&mut self, puzzle: &SameGame<N, L>, group: &Cells<N>) {
        self.score += puzzle.points(count(group));
        let lane = u64::MAX >> (64 - L);
        let cells = *self.board.cells();
        for i in 0..N {
            let mut rest = group[i];
            while rest != 0 {
                let low = rest.trailing_zeros();
                let shift = low / L * L;
                rest &= !(lane << shift);
                let mut taken = group[i] & lane << shift;
                let mut fall = cells[i] & lane << shift & !taken & u64::MAX << low;
                while taken != 0 {
                    self.put(self.names[i][taken.trailing_zeros() as usize], GONE);
                    taken &= taken - 1;
                }
                let mut to = low as usize;
                while fall != 0 {
                    let name = self.names[i][fall.trailing_zeros() as usize];
                    self.names[i][to % 64] = name;
                    self.put(name, (i * 64 + to) as u16);
                    to += 1;
                    fall &= fall - 1;
                }
            }
        }
        let closed_up = self.board.take_out(group);
        self.board.relink(&mut self.links, group, closed_up);
        if closed_up {
            self.close_up(&cells, group);
        }
    }

    /// Moves the names over columns that have become empty.
    #[cold]
    fn close_up(&mut self, before: &Cells<N>, group: &Cells<N>) {
        let lane = u64::MAX >> (64 - L);
        let lanes = 64 / L as usize;
        let column =
            |set: &Cells<N>, at: usize| set[at / lanes] >> (at % lanes * L as usize) & lane;
        let mut to = 0;
        for from in 0..N * lanes {
            let held = column(before, from);
            if held != 0 && held == column(group, from) {
                continue;
            }
            if to < from {
                for row in 0..L as usize {
                    let place = from * L as usize + row;
                    let name = self.names[place / 64][place % 64];
                    let place = to * L as usize + row;
                    self.names[place / 64][place % 64] = name;
                    if column(self.board.cells(), to) >> row & 1 != 0 {
                        self.put(name, place as u16);
                    }
                }
            }
            to += 1;
        }
    }
}

/// Simulated annealing.
pub struct Anneal<'a, const N: usize, const L: u32> {
    puzzle: &'a SameGame<N, L>,
    config: AnnealConfig,
    rng: Rng,
    tabu: u8,
    /// Colours by frequency.
    colours: Vec<u8>,
    /// The positions of the line in hand, with its plan; empty before the first.
    line: Vec<Named<N, L>>,
    value: f64,
    /// The line that is tried, from the cut on.
    trial: Vec<Named<N, L>>,
    plan: Vec<u16>,
    /// Lines of the run so far; runs so far.
    evaluations: u64,
    runs: u64,
    stats: Stats,
    best: Option<Solution<Group>>,
    outcome: Option<Outcome<Group>>,
}

impl<'a, const N: usize, const L: u32> Anneal<'a, N, L> {
    /// A search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds.
    pub fn new(puzzle: &'a SameGame<N, L>, config: AnnealConfig) -> Result<Self, SearchError> {
        let positive = [config.hot, config.cold]
            .iter()
            .all(|t| t.is_finite() && *t > 0.0);
        if !positive || !config.left.is_finite() || config.evaluations == 0 {
            return Err(SearchError::BadOption(
                "annealing: temperatures must be above 0, a run must have lines".into(),
            ));
        }
        let board = puzzle.initial_state();
        let mut search = Self {
            puzzle,
            config,
            rng: Rng::new(config.seed),
            tabu: 0,
            colours: by_frequency(&board),
            line: Vec::new(),
            value: f64::MIN,
            trial: Vec::new(),
            plan: Vec::new(),
            evaluations: 0,
            runs: 0,
            stats: Stats::default(),
            best: None,
            outcome: None,
        };
        search.tabu = search.tabu_of(config.first);
        Ok(search)
    }

    /// The tabu of a run: two of three times the most frequent colour, else each of the others in turn.
    fn tabu_of(&self, run: u64) -> u8 {
        let others = self.colours.len().saturating_sub(1).max(1) as u64;
        let place = match run % 3 {
            2 => 1 + run / 3 % others,
            _ => 0,
        };
        let colour = self.colours.get(place as usize).or(self.colours.first());
        colour.copied().unwrap_or(0)
    }

    /// Positions of a line, and of a trial.
    fn most(&self) -> usize {
        count(self.puzzle.initial_state().cells()) as usize / 2 + 1
    }

    fn bytes(&self) -> u64 {
        let lines = (self.line.capacity() + self.trial.capacity()) * size_of::<Named<N, L>>();
        let plan = self.plan.capacity() * size_of::<u16>();
        let best = self.best.as_ref().map_or(0, |best| best.actions.capacity());
        (lines + plan + best * size_of::<Group>() + self.colours.capacity()) as u64
    }

    /// Makes place for all that will ever be needed; whether it fits.
    fn make_place(&mut self, quota: &Quota) -> bool {
        let most = self.most();
        if self.line.capacity() >= most {
            return true;
        }
        let each = 2 * size_of::<Named<N, L>>() + size_of::<u16>() + 2 * size_of::<Group>();
        let more = (most * each + size_of::<u16>()) as u64;
        if self.bytes().saturating_add(more) > quota.bytes {
            return false;
        }
        self.line.reserve_exact(most);
        self.trial.reserve_exact(most);
        self.plan.reserve_exact(most + 1);
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes() + more);
        true
    }

    /// Draws a cut and changes the plan from there on.
    fn change(&mut self) -> usize {
        self.plan.clear();
        let Some(len) = self.line.len().checked_sub(1) else {
            return 0;
        };
        let end = u64::from(self.rng.below(AT_END) == 0);
        let cut = match len as u64 + end {
            0 => 0,
            cuts => self.rng.below(cuts) as usize,
        };
        self.plan.extend(self.line[cut..len].iter().map(|s| s.next));
        let (kind, rest) = (self.rng.unit(), len - cut);
        if kind < FIRST || rest == 0 {
            let here = &self.line[cut];
            let mut from = here.links.corners();
            if self.rng.unit() >= OF_TABU {
                let others = here.others(self.tabu);
                if !is_empty(&others) {
                    from = others;
                }
            }
            if !is_empty(&from) {
                let drawn = nth(&from, self.rng.below(u64::from(count(&from))) as u32);
                self.plan.insert(0, here.name(drawn));
            }
        } else if kind < FIRST + EXCHANGE && rest > 2 {
            let first = 1 + self.rng.below(rest as u64 - 1) as usize;
            let both = first + self.rng.below((rest - first) as u64 + 1) as usize;
            self.plan[..both].rotate_left(first);
        } else {
            let later = 1 + self.rng.below(rest as u64) as usize;
            self.plan[..later.min(rest)].rotate_left(1);
        }
        cut
    }

    /// Plays the plan from the cut on; the value of the line.
    fn try_plan(&mut self, cut: usize) -> f64 {
        let start = || Named::new(self.puzzle.initial_state());
        let mut here = self.line.get(cut).copied().unwrap_or_else(start);
        self.trial.clear();
        for &name in &self.plan {
            let place = here.place(name);
            if place == GONE {
                continue;
            }
            let group = here.links.group(place);
            if count(&group) < 2 {
                continue;
            }
            here.next = name;
            self.trial.push(here);
            here.play(self.puzzle, &group);
        }
        loop {
            let others = here.others(self.tabu);
            if is_empty(&others) {
                break;
            }
            let drawn = nth(&others, self.rng.below(u64::from(count(&others))) as u32);
            here.next = here.name(drawn);
            self.trial.push(here);
            here.play(self.puzzle, &here.links.group(drawn));
        }
        self.trial.push(here);
        let kept = count(&here.board.of_colour(self.tabu));
        let left = count(here.board.cells()) - kept + u32::from(kept == 1);
        let united = if kept > 1 {
            self.puzzle.points(kept)
        } else {
            0
        };
        let cleared = self.puzzle.terminal_bonus(&Board::new(&[]));
        (here.score + united + cleared) as f64 - self.config.left * f64::from(left)
    }

    /// Plays the trial to its end and keeps it if it is the best.
    fn offer(&mut self, cut: usize, observer: &mut dyn Observer<Group>) {
        let Some(&end) = self.trial.last() else {
            return;
        };
        let mut last = end;
        let mut tail = Vec::new();
        loop {
            let others = last.others(self.tabu);
            let from = match is_empty(&others) {
                true => last.links.corners(),
                false => others,
            };
            if is_empty(&from) {
                break;
            }
            let group = last.links.group(nth(&from, 0));
            tail.push(action(&last.board, &group));
            last.play(self.puzzle, &group);
        }
        let value = last.score + self.puzzle.terminal_bonus(&last.board);
        if self.best.as_ref().is_some_and(|best| value <= best.value) {
            return;
        }
        let moves = self.trial.len() - 1;
        let played = self.line[..cut].iter().chain(&self.trial[..moves]);
        let mut actions: Vec<Group> = played
            .map(|s| action(&s.board, &s.links.group(s.place(s.next))))
            .collect();
        actions.extend(tail);
        let best = self.best.insert(Solution { actions, value });
        observer.improved(best, &self.stats);
    }

    /// Tries a line.
    fn evaluate(&mut self, observer: &mut dyn Observer<Group>) {
        let cut = self.change();
        let value = self.try_plan(cut);
        self.stats.expanded += 1;
        self.stats.evaluated += 1;
        self.stats.generated += self.trial.len() as u64 - 1;
        let record = self.best.as_ref().map_or(f64::MIN, |b| b.value as f64);
        if value > record {
            self.offer(cut, observer);
        }
        let done = self.evaluations as f64 / self.config.evaluations as f64;
        let heat = self.config.hot * (self.config.cold / self.config.hot).powf(done);
        let gain = value - self.value;
        if self.line.is_empty() || gain >= 0.0 || self.rng.unit() < (gain / heat).exp() {
            self.line.truncate(cut);
            self.line.extend_from_slice(&self.trial);
            self.value = value;
        }
        self.evaluations += 1;
        if self.evaluations == self.config.evaluations {
            self.runs += 1;
            self.evaluations = 0;
            self.line.clear();
            self.tabu = self.tabu_of(self.config.first + self.runs);
            if self.runs == self.config.runs {
                self.outcome = Some(Outcome::Exhausted {
                    best: self.best.clone(),
                });
            }
        }
    }
}

/// The action that takes out a group.
fn action<const N: usize, const L: u32>(board: &Board<N, L>, group: &Cells<N>) -> Group {
    let cell = nth(group, 0);
    Group {
        cell,
        size: count(group) as u16,
        colour: board.colour(cell).unwrap_or(0),
    }
}

impl<const N: usize, const L: u32> Search for Anneal<'_, N, L> {
    type Action = Group;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Group>) -> Progress<Group> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            if !self.make_place(quota) {
                return Progress::OutOfMemory;
            }
            self.evaluate(observer);
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Group>> {
        self.best.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_puzzles::samegame::{Scoring, Small, generate::uniform};

    /// Names stay with their cells whatever is taken out, columns that close up among them.
    #[test]
    fn names_stay_with_their_cells() {
        for seed in 0..50 {
            let mut rng = Rng::stream(11, seed);
            let layout = uniform(2 + seed as usize % 14, 1 + seed as usize % 15, 3, &mut rng);
            let puzzle = Small::new(&layout, Scoring::Paper).unwrap();
            let start = puzzle.initial_state();
            let mut here = Named::new(start);
            loop {
                let mut seen = 0;
                for name in 0..256 {
                    if start.colour(name).is_some() && here.place(name) != GONE {
                        let place = here.place(name);
                        assert_eq!(here.board.colour(place), start.colour(name));
                        assert_eq!(here.name(place), name);
                        seen += 1;
                    }
                }
                assert_eq!(seen, count(here.board.cells()));
                assert_eq!(here.links, here.board.links());
                let corners = here.links.corners();
                if is_empty(&corners) {
                    break;
                }
                let drawn = nth(&corners, rng.below(u64::from(count(&corners))) as u32);
                here.play(&puzzle, &here.links.group(drawn));
            }
        }
    }

    /// Lines play to their values under every scoring, and are the same however the work is cut.
    #[test]
    fn lines_play_to_their_values() {
        for (seed, scoring) in Scoring::ALL.into_iter().enumerate() {
            let layout = uniform(9, 8, 4, &mut Rng::stream(12, seed as u64));
            let puzzle = Small::new(&layout, scoring).unwrap();
            let config = AnnealConfig {
                evaluations: 900,
                runs: 4,
                seed: seed as u64,
                ..AnnealConfig::default()
            };
            let mut whole = Anneal::new(&puzzle, config).unwrap();
            while whole.step(10_000, &mut ()) == Progress::Running {}
            let mut cut = Anneal::new(&puzzle, config).unwrap();
            while cut.step(1, &mut ()) == Progress::Running {}
            assert_eq!((whole.best(), whole.stats()), (cut.best(), cut.stats()));
            assert_eq!(whole.stats().expanded, 3600);
            let best = whole.best().unwrap();
            assert_eq!(Solution::scored(&puzzle, best.actions.clone()), *best);
            let end = best
                .actions
                .iter()
                .fold(puzzle.initial_state(), |board, &a| {
                    assert!(puzzle.actions(&board).any(|legal| legal == a));
                    puzzle.apply(&board, a)
                });
            assert!(puzzle.is_terminal(&end));
        }
    }

    /// Annealing finds the best line of small boards, as an exhaustive search does.
    #[test]
    fn small_boards_are_played_best() {
        fn optimum(puzzle: &Small, board: &<Small as Puzzle>::State) -> Score {
            let after = |a| puzzle.reward(board, a) + optimum(puzzle, &puzzle.apply(board, a));
            let best = puzzle.actions(board).map(after).max();
            best.unwrap_or_else(|| puzzle.terminal_bonus(board))
        }
        for seed in 0..6 {
            let layout = uniform(4, 4, 3, &mut Rng::stream(13, seed));
            let puzzle = Small::new(&layout, Scoring::Paper).unwrap();
            let config = AnnealConfig {
                evaluations: 2000,
                runs: 9,
                ..AnnealConfig::default()
            };
            let mut search = Anneal::new(&puzzle, config).unwrap();
            while search.step(10_000, &mut ()) == Progress::Running {}
            let value = search.best().unwrap().value;
            assert_eq!(value, optimum(&puzzle, &puzzle.initial_state()), "{seed}");
        }
    }

    #[test]
    fn bad_options_and_little_memory_are_told() {
        let layout = uniform(5, 5, 3, &mut Rng::stream(14, 0));
        let puzzle = Small::new(&layout, Scoring::Paper).unwrap();
        let config = AnnealConfig {
            cold: 0.0,
            ..AnnealConfig::default()
        };
        assert!(Anneal::new(&puzzle, config).is_err());
        let mut search = Anneal::new(&puzzle, AnnealConfig::default()).unwrap();
        let quota = Quota {
            bytes: 1000,
            ..Quota::UNLIMITED
        };
        assert_eq!(search.advance(&quota, &mut ()), Progress::OutOfMemory);
        assert!(search.best().is_none());
    }
}
