//! Frame and Stewart's method from any position: a solution at once, without a search.
//!
//! A tower goes to a peg in three steps: its smaller disks to another peg, its larger disks to the
//! peg with one peg less, and its smaller disks onto them (Frame and Stewart 1941, Advanced problem
//! 3918, American Mathematical Monthly 48). The same steps gather disks that are spread over the
//! pegs. The sizes of both parts and the other peg are chosen for the fewest moves. On three pegs
//! the solution is optimal, and on four pegs it is for whole towers.

use crate::{Hanoi, MOST, PEGS, Step, towers::Towers};
use unriddle_core::{
    Info, Observer, Outcome, Progress, Quota, Role, Search, SearchError, Solution, Stats,
};

/// Declaration of `frame-stewart`.
pub const INFO: Info = Info {
    guarantee: "optimal on three pegs; otherwise as its bound states",
    requires: "towers of Hanoi",
    reference: "Frame and Stewart 1941, Advanced problem 3918, American Mathematical Monthly 48",
    ..Info::new(Role::Search, "frame-stewart", "towers by parts, from any position, at once")
};

/// Moves of a task that is impossible.
const NEVER: u32 = u32::MAX;

/// Fewest moves of whole towers by the method, and the sizes of their smaller parts.
struct Wholes {
    /// By pegs and disks.
    moves: [[u32; MOST + 1]; PEGS + 1],
    smaller: [[u8; MOST + 1]; PEGS + 1],
}

impl Wholes {
    fn new() -> Self {
        let mut wholes =
            Self { moves: [[NEVER; MOST + 1]; PEGS + 1], smaller: [[0; MOST + 1]; PEGS + 1] };
        for pegs in 2..=PEGS {
            wholes.moves[pegs][0] = 0;
            wholes.moves[pegs][1] = 1;
            for disks in 2..=MOST {
                let of = |part: usize| {
                    let (twice, once) =
                        (wholes.moves[pegs][part], wholes.moves[pegs - 1][disks - part]);
                    twice.saturating_mul(2).saturating_add(once)
                };
                let best = (1..disks).map(|part| (of(part), part)).min();
                if let Some((moves, part)) = best.filter(|_| pegs > 2) {
                    wholes.moves[pegs][disks] = moves;
                    wholes.smaller[pegs][disks] = part as u8;
                }
            }
        }
        wholes
    }
}

/// A task: the disks from `low` to below `high` go to a peg, with the pegs of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Task {
    low: u8,
    high: u8,
    to: u8,
    /// A bit for each peg.
    pegs: u16,
}

/// Fewest moves of a task by the method, and its first step: the number of the least disk of the
/// larger part, and the peg of the smaller part.
type Choice = (u32, u8, u8);

struct Planner<'a> {
    /// The peg of each disk at the start.
    at: &'a [u8],
    wholes: Wholes,
    known: std::collections::HashMap<Task, Choice>,
}

fn bits(set: u16) -> impl Iterator<Item = u8> {
    (0..PEGS as u8).filter(move |peg| set >> peg & 1 == 1)
}

impl Planner<'_> {
    /// The task without its largest disks that are on their peg.
    fn trimmed(&self, mut task: Task) -> Task {
        while task.high > task.low && self.at[usize::from(task.high) - 1] == task.to {
            task.high -= 1;
        }
        task
    }

    /// The fewest moves of a task.
    fn moves(&mut self, task: Task) -> u32 {
        let task = self.trimmed(task);
        match task.high - task.low {
            0 => 0,
            1 => 1,
            _ => self.choice(task).0,
        }
    }

    /// The best first step of a trimmed task of several disks.
    fn choice(&mut self, task: Task) -> Choice {
        if let Some(&known) = self.known.get(&task) {
            return known;
        }
        let Task { low, high, to, pegs } = task;
        let count = pegs.count_ones() as usize;
        let mut best = (NEVER, high, to);
        // From the larger part of one disk on, as long as a peg without its disks is left.
        let mut free = pegs & !(1 << to);
        for least in (low + 1..high).rev() {
            free &= !(1 << self.at[usize::from(least)]);
            if count == 2 || free == 0 || (count == 3 && least + 1 < high) {
                break;
            }
            let spread = self.at[usize::from(low)..usize::from(least)].iter();
            let used = spread.fold(0u16, |used, peg| used | 1 << peg);
            // Pegs without any disk of the task are alike.
            let empty = bits(free & !used).next();
            for other in bits(free).filter(|&peg| used >> peg & 1 == 1 || Some(peg) == empty) {
                let whole = self.wholes.moves[count][usize::from(least - low)];
                let small = self.moves(Task { low, high: least, to: other, pegs });
                let large = self.moves(Task { low: least, high, to, pegs: pegs & !(1 << other) });
                let all = small.saturating_add(large).saturating_add(whole);
                best = best.min((all, least, other));
            }
        }
        self.known.insert(task, best);
        best
    }

    /// Writes the moves of a task.
    fn write(&mut self, task: Task, out: &mut Vec<Step>) {
        let task = self.trimmed(task);
        let Task { low, high, to, pegs } = task;
        match high - low {
            0 => {}
            1 => out.push(Step { from: self.at[usize::from(low)], to }),
            _ => {
                let (_, least, other) = self.choice(task);
                self.write(Task { low, high: least, to: other, pegs }, out);
                self.write(Task { low: least, high, to, pegs: pegs & !(1 << other) }, out);
                self.whole(usize::from(least - low), other, to, pegs, out);
            }
        }
    }

    /// Writes the moves of a whole tower.
    fn whole(&self, disks: usize, from: u8, to: u8, pegs: u16, out: &mut Vec<Step>) {
        if disks == 0 {
            return;
        }
        let part = usize::from(self.wholes.smaller[pegs.count_ones() as usize][disks]);
        let other = bits(pegs & !(1 << from) & !(1 << to)).next();
        match other.filter(|_| part > 0) {
            None => out.push(Step { from, to }),
            Some(other) => {
                self.whole(part, from, other, pegs, out);
                self.whole(disks - part, from, to, pegs & !(1 << other), out);
                self.whole(part, other, to, pegs, out);
            }
        }
    }
}

/// The moves from the initial position to the goal.
#[must_use]
pub fn solution(puzzle: &Hanoi) -> Vec<Step> {
    let at = &puzzle.start[..puzzle.disks];
    let mut planner = Planner { at, wholes: Wholes::new(), known: Default::default() };
    let all = Task {
        low: 0,
        high: puzzle.disks as u8,
        to: puzzle.pegs - 1,
        pegs: (1 << puzzle.pegs) - 1,
    };
    let mut out = Vec::new();
    planner.write(all, &mut out);
    out
}

/// The method as a search of one expansion, with a lower bound by small towers.
pub struct FrameStewart<'a> {
    puzzle: &'a Hanoi,
    done: Option<Outcome<Step>>,
    stats: Stats,
}

impl<'a> FrameStewart<'a> {
    /// A search that has not begun.
    #[must_use]
    pub fn new(puzzle: &'a Hanoi) -> Self {
        Self { puzzle, done: None, stats: Stats::default() }
    }

    fn solve(&mut self, observer: &mut dyn Observer<Step>) -> Result<Outcome<Step>, SearchError> {
        let towers = Towers::small(self.puzzle)
            .map_err(|error| SearchError::BadOption(error.to_string()))?;
        let bound = i64::from(towers.estimate(&self.puzzle.start));
        let actions = solution(self.puzzle);
        self.stats.expanded += 1;
        self.stats.generated += actions.len() as u64;
        self.stats.peak_bytes = towers.bytes();
        let best = Solution { value: actions.len() as i64, actions };
        observer.improved(&best, &self.stats);
        observer.bound(bound, &self.stats);
        Ok(Outcome::Solved { proof: bound == best.value, bound: Some(bound), best })
    }
}

impl Search for FrameStewart<'_> {
    type Action = Step;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Step>) -> Progress<Step> {
        if let Some(done) = &self.done {
            return Progress::Finished(done.clone());
        }
        if quota.is_used_up(&self.stats) {
            return Progress::Running;
        }
        match self.solve(observer) {
            Err(error) => Progress::Failed(error),
            Ok(outcome) => {
                self.done = Some(outcome.clone());
                Progress::Finished(outcome)
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Step>> {
        self.done.as_ref().and_then(Outcome::best)
    }

    fn bound(&self) -> Option<i64> {
        match self.done {
            Some(Outcome::Solved { bound, .. }) => bound,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::{GoalPuzzle as _, Puzzle as _, Rng};

    /// The number of moves of a solution whose every move is legal and that ends at the goal.
    fn played(puzzle: &Hanoi) -> usize {
        let moves = solution(puzzle);
        let mut state = puzzle.initial_state();
        for &step in &moves {
            assert!(puzzle.actions(&state).any(|legal| legal == step), "{step:?}");
            state = puzzle.apply(&state, step);
        }
        assert!(puzzle.is_goal(&state));
        moves.len()
    }

    #[test]
    fn towers_take_the_known_moves() {
        for (pegs, disks, moves) in [
            (3, 10, 1023),
            (3, 20, 1_048_575),
            (4, 8, 33),
            (4, 15, 129),
            (4, 20, 289),
            (5, 20, 111),
            (9, 20, 63),
        ] {
            let puzzle = Hanoi::parse(&"1 ".repeat(disks), pegs).unwrap();
            assert_eq!(played(&puzzle), moves, "{pegs} pegs, {disks} disks");
        }
    }

    #[test]
    fn every_position_is_solved() {
        let mut rng = Rng::new(1);
        for i in 0..300 {
            let pegs = 3 + rng.below(7);
            let disks = 1 + rng.below(if pegs == 3 { 12 } else { 20 });
            let at = (0..disks).map(|_| (rng.below(pegs) + 1).to_string());
            let text = at.collect::<Vec<_>>().join(" ");
            let puzzle = Hanoi::parse(&text, pegs as u8).unwrap();
            let moves = played(&puzzle);
            let bound = Towers::small(&puzzle).unwrap().estimate(&puzzle.start) as usize;
            assert!(bound <= moves, "{i}: {text}");
            assert!(pegs > 3 || bound == moves, "{i}: {text}");
        }
    }
}
