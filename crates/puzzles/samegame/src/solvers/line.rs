//! A line of SameGame as a plan that names cells, and its changes.
//!
//! A plan is a list of cells of the first board. Playing it removes the group that contains each of
//! them at that time, and skips removed and single cells. The remaining groups of the other colours
//! are then removed at random. Since a cell keeps its name however it falls, a plan means nearly
//! the same after a change somewhere in it: other orders of groups that do not touch give the same
//! groups.
//!
//! One colour is the *tabu*: its groups are played only where the plan names them. A line ends when
//! no group of another colour is left, and its value is the sum of its points, the points of all
//! cells of the tabu as one group, and the bonus of a cleared board, less a fixed cost for every
//! other remaining cell. For a cleared board that is exact, since the tabu's cells then are one
//! group; for others it replaces the step of the bonus by a slope.
//!
//! A change, from a random cut on: any group is played first; the next one is played later; or two
//! neighbouring runs of the rest are exchanged.

use super::named::Named;
use crate::{
    Group, SameGame,
    board::{Board, Cells, count, is_empty, nth},
};
use unriddle_core::{Puzzle, Rng, Score, ScorePuzzle, Solution};

/// Share of changes that play any group first, and share of changes that exchange two runs; the
/// rest play the next group later.
const FIRST: f64 = 0.4;
const EXCHANGE: f64 = 0.2;
/// Share of the changes of the first kind that may play a group of the tabu.
const OF_TABU: f64 = 0.05;
/// A cut may be at the very end once in `AT_END` cuts.
const AT_END: u64 = 8;

/// The goal that a line is played for.
pub(super) struct Aim<'a, const N: usize, const L: u32> {
    puzzle: &'a SameGame<N, L>,
    /// The colour that is kept for the end.
    pub(super) tabu: u8,
    /// Cost of every other cell that is left, in points.
    left: f64,
    /// The points for a cleared board.
    bonus: Score,
}

impl<'a, const N: usize, const L: u32> Aim<'a, N, L> {
    pub(super) fn new(puzzle: &'a SameGame<N, L>, tabu: u8, left: f64) -> Self {
        Self { puzzle, tabu, left, bonus: puzzle.terminal_bonus(&Board::new(&[])) }
    }

    /// The most positions of a line.
    pub(super) fn most(&self) -> usize {
        count(self.puzzle.initial_state().cells()) as usize / 2 + 1
    }

    /// Corners of the groups of other colours than the tabu.
    #[inline(always)]
    fn others(&self, here: &Named<N, L>) -> Cells<N> {
        let (corners, kept) = (here.links.corners(), here.board.of_colour(self.tabu));
        std::array::from_fn(|i| corners[i] & !kept[i])
    }

    /// The value of a line that ends here.
    fn value(&self, score: Score, board: &Board<N, L>) -> f64 {
        let kept = count(&board.of_colour(self.tabu));
        let left = count(board.cells()) - kept + u32::from(kept == 1);
        let united = if kept > 1 { self.puzzle.points(kept) } else { 0 };
        (score + united + self.bonus) as f64 - self.left * f64::from(left)
    }
}

/// A line that is tried, from its cut on.
pub(super) struct Trial<const N: usize, const L: u32> {
    cut: usize,
    /// The names to play, and the names that were played.
    plan: Vec<u16>,
    names: Vec<u16>,
    /// The positions before each of these names, by their indices in the line's store, and the
    /// score there.
    positions: Vec<u16>,
    earned: Vec<Score>,
    /// The end.
    end: Named<N, L>,
    /// Points of the line.
    pub(super) score: Score,
    /// Value of the line.
    pub(super) value: f64,
}

impl<const N: usize, const L: u32> Trial<N, L> {
    pub(super) fn new(board: Board<N, L>) -> Self {
        Self {
            cut: 0,
            plan: Vec::new(),
            names: Vec::new(),
            positions: Vec::new(),
            earned: Vec::new(),
            end: Named::new(board),
            score: 0,
            value: f64::MIN,
        }
    }

    /// Reserves the memory for lines of at most `most` positions.
    pub(super) fn reserve(&mut self, most: usize) {
        // A change may insert one group.
        self.plan.reserve_exact(most + 1);
        self.names.reserve_exact(most);
        self.positions.reserve_exact(most);
        self.earned.reserve_exact(most);
    }

    /// Bytes that [`reserve`](Self::reserve) takes.
    pub(super) const fn bytes(most: usize) -> u64 {
        ((most + 1) * (3 * size_of::<u16>() + size_of::<Score>())) as u64
    }

    /// Groups that were played after the cut.
    pub(super) fn moves(&self) -> u64 {
        self.names.len() as u64
    }
}

/// A line with its positions.
pub(super) struct Line<const N: usize, const L: u32> {
    /// The names that it plays, one for each position but the last.
    plan: Vec<u16>,
    /// The positions, by their indices in the store, and the points of each; empty before the first
    /// line.
    positions: Vec<u16>,
    earned: Vec<Score>,
    /// Value of the line.
    pub(super) value: f64,
    /// Positions of the line and of the candidate, and the free slots among them.
    store: Vec<Named<N, L>>,
    free: Vec<u16>,
}

impl<const N: usize, const L: u32> Line<N, L> {
    /// An empty line with memory for at most `most` positions.
    pub(super) fn new(board: Board<N, L>, most: usize) -> Self {
        Self {
            plan: Vec::with_capacity(most),
            positions: Vec::with_capacity(most),
            earned: Vec::with_capacity(most),
            value: f64::MIN,
            store: vec![Named::new(board); 2 * most],
            free: (0..2 * most as u16).collect(),
        }
    }

    /// Bytes that it takes.
    pub(super) const fn bytes(most: usize) -> u64 {
        let each = 2 * size_of::<Named<N, L>>() + 4 * size_of::<u16>() + size_of::<Score>();
        (most * each) as u64
    }

    /// Forgets the line.
    pub(super) fn clear(&mut self) {
        self.cut_off(0);
        self.value = f64::MIN;
    }

    fn cut_off(&mut self, cut: usize) {
        self.free.extend(self.positions.drain(cut..));
        self.plan.truncate(cut);
        self.earned.truncate(cut);
    }

    fn position(&self, at: usize) -> Option<&Named<N, L>> {
        self.store.get(usize::from(*self.positions.get(at)?))
    }

    /// Tries the line with a random change.
    pub(super) fn try_change(
        &mut self,
        aim: &Aim<'_, N, L>,
        rng: &mut Rng,
        trial: &mut Trial<N, L>,
    ) {
        trial.cut = self.change(aim, rng, &mut trial.plan);
        let first = || Named::new(aim.puzzle.initial_state());
        trial.end = self.position(trial.cut).copied().unwrap_or_else(first);
        trial.score = self.earned.get(trial.cut).copied().unwrap_or(0);
        trial.names.clear();
        trial.positions.clear();
        trial.earned.clear();
        for at in 0..trial.plan.len() {
            let name = trial.plan[at];
            let Some(place) = trial.end.place(name) else {
                continue;
            };
            let group = trial.end.links.group(place);
            if count(&group) >= 2 {
                self.play(aim, trial, name, &group);
            }
        }
        loop {
            let others = aim.others(&trial.end);
            if is_empty(&others) {
                break;
            }
            let drawn = draw(&others, rng);
            let name = trial.end.name(drawn);
            self.play(aim, trial, name, &trial.end.links.group(drawn));
        }
        trial.value = aim.value(trial.score, &trial.end.board);
    }

    #[inline(always)]
    fn play(&mut self, aim: &Aim<'_, N, L>, trial: &mut Trial<N, L>, name: u16, group: &Cells<N>) {
        // The store holds two lines.
        let Some(slot) = self.free.pop() else { return };
        self.store[usize::from(slot)] = trial.end;
        trial.names.push(name);
        trial.positions.push(slot);
        trial.earned.push(trial.score);
        trial.score += aim.puzzle.points(count(group));
        trial.end.play(group);
    }

    /// Draws a cut and a change of the plan from there on. Returns the cut.
    fn change(&self, aim: &Aim<'_, N, L>, rng: &mut Rng, plan: &mut Vec<u16>) -> usize {
        plan.clear();
        let end = u64::from(rng.below(AT_END) == 0);
        let cut = match self.plan.len() as u64 + end {
            0 => 0,
            cuts => rng.below(cuts) as usize,
        };
        let cut = cut.min(self.plan.len());
        plan.extend_from_slice(&self.plan[cut..]);
        let Some(here) = self.position(cut) else {
            return cut;
        };
        let (kind, rest) = (rng.unit(), plan.len());
        if kind < FIRST || rest == 0 {
            let mut from = here.links.corners();
            if rng.unit() >= OF_TABU {
                let others = aim.others(here);
                if !is_empty(&others) {
                    from = others;
                }
            }
            if !is_empty(&from) {
                plan.insert(0, here.name(draw(&from, rng)));
            }
        } else if kind < FIRST + EXCHANGE && rest > 2 {
            let first = 1 + rng.below(rest as u64 - 1) as usize;
            let both = first + rng.below((rest - first) as u64 + 1) as usize;
            plan[..both].rotate_left(first);
        } else {
            let later = 1 + rng.below(rest as u64) as usize;
            plan[..later.min(rest)].rotate_left(1);
        }
        cut
    }

    /// Makes the tried line the line.
    pub(super) fn accept(&mut self, trial: &Trial<N, L>) {
        self.cut_off(trial.cut);
        if let Some(slot) = self.free.pop() {
            self.store[usize::from(slot)] = trial.end;
            self.plan.extend_from_slice(&trial.names);
            self.positions.extend_from_slice(&trial.positions);
            self.positions.push(slot);
            self.earned.extend_from_slice(&trial.earned);
            self.earned.push(trial.score);
            self.value = trial.value;
        }
    }

    /// Keeps the line as it is.
    pub(super) fn reject(&mut self, trial: &Trial<N, L>) {
        self.free.extend_from_slice(&trial.positions);
    }

    /// The tried line, played to its end.
    pub(super) fn solution(&self, aim: &Aim<'_, N, L>, trial: &Trial<N, L>) -> Solution<Group> {
        let before = self.positions[..trial.cut].iter().zip(&self.plan);
        let after = trial.positions.iter().zip(&trial.names);
        let action = |(&slot, &name): (&u16, &u16)| {
            let here = &self.store[usize::from(slot)];
            let group = here.links.group(here.place(name)?);
            Some(Group::of(&here.board, &group))
        };
        let mut actions: Vec<Group> = before.chain(after).filter_map(action).collect();
        let (mut last, mut value) = (trial.end, trial.score);
        loop {
            let others = aim.others(&last);
            let from = if is_empty(&others) { last.links.corners() } else { others };
            if is_empty(&from) {
                break;
            }
            let group = last.links.group(nth(&from, 0));
            actions.push(Group::of(&last.board, &group));
            value += aim.puzzle.points(count(&group));
            last.play(&group);
        }
        value += aim.puzzle.terminal_bonus(&last.board);
        Solution { actions, value }
    }
}

/// A random cell of a set.
#[inline(always)]
fn draw<const N: usize>(from: &Cells<N>, rng: &mut Rng) -> u16 {
    nth(from, rng.below(u64::from(count(from))) as u32)
}
