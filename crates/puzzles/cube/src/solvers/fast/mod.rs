//! Short solutions of the 3×3×3 in milliseconds, in two phases (Kociemba 1992, Close to God's
//! algorithm, Cubism for Fun 28).
//!
//! The search enumerates first phases of growing length. The shortest second phase that makes the
//! whole solution shorter than the best so far completes each of them. The search covers each of
//! the three axes, for the state and for its inverse.

mod coordinates;

use crate::{
    Cube, Metric, Pieces, Turn,
    geometry::SYMMETRY,
    pieces::{SOLVED, turn_image},
};
use coordinates::{
    Bounds, FLIPS, MOVES, Moves, Part, SLICE_ORDERS, SLICES, TURNS, bounds, builders, is_second,
};
use unriddle_core::{
    Info, Observer, Options, Outcome, Progress, Quota, Role, Search, Solution, Stats, options,
};
use unriddle_tables::{Build, Cache, Table, TableError};

/// Declaration that `describe cube-fast` shows.
pub const INFO: Info = Info {
    guarantee: "none; a solution of any cube that can be solved",
    requires: "cube",
    reference: "Kociemba 1992, Close to God's algorithm, Cubism for Fun 28",
    parameters: FastConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "cube-fast",
        "a short solution of the 3×3×3 in milliseconds, in two phases; with a time limit it searches for shorter ones until the time ends",
    )
};

options! {
    /// Parameters of the two-phase search.
    #[derive(Copy)]
    pub struct FastConfig of INFO {
        tries: u64 = "10" in 1..=1 << 40, "first phases to complete (unlimited with a time limit)";
    }
}

/// Most moves of a second phase: longer ones take longer to find than other first phases do.
const SECOND: usize = 11;

/// Most moves of a first phase.
const MOST: usize = 20;

/// A state on the way of a first phase.
#[derive(Clone, Copy, Default)]
struct Frame {
    twist: u16,
    flip: u16,
    slice: u16,
    /// The turn that led here.
    turn: u8,
    /// The next turn to be tried.
    next: u8,
}

/// The state, or its inverse, seen along one of the axes.
struct View {
    start: Pieces,
    is_inverse: bool,
    /// The symmetry that it was turned by, by number.
    symmetry: usize,
}

/// The search.
pub struct Fast {
    bounds: Bounds,
    moves: &'static Moves,
    metric: Metric,
    views: Vec<View>,
    /// The view that is searched, and the length of its first phases.
    view: usize,
    length: usize,
    stack: Vec<Frame>,
    /// Twist, flip and slice where a first phase ends.
    goal: (u16, u16, u16),
    tries: u64,
    best: Option<Solution<Turn>>,
    /// Turns of any angle of the best solution.
    best_length: usize,
    /// Turns of the second phase so far.
    second: Vec<u8>,
    stats: Stats,
    is_done: bool,
}

/// Whether a turn may follow another one: not the same face, and opposite faces in a single order.
/// `NONE` = no turn.
const fn may_follow(last: u8, turn: u8) -> bool {
    let (a, b) = (last / 3, turn / 3);
    last == NONE || (a != b && (a % 3 != b % 3 || a < b))
}

/// No turn.
const NONE: u8 = TURNS as u8;

/// Sets of turns as bits: the turns that may follow each turn, all of them and only the turns of
/// the second phase.
const FOLLOWING: [[u32; 2]; TURNS + 1] = {
    let mut following = [[0; 2]; TURNS + 1];
    let mut last = 0;
    while last <= TURNS {
        let mut turn = 0;
        while turn < TURNS {
            if may_follow(last as u8, turn as u8) {
                following[last][0] |= 1 << turn;
                if is_second(turn) {
                    following[last][1] |= 1 << turn;
                }
            }
            turn += 1;
        }
        last += 1;
    }
    following
};

/// The turns of a set, in order.
fn turns(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let turn = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(turn)
    })
}

/// Twist, flip and slice of a state.
fn first_parts(state: &Pieces) -> (u16, u16, u16) {
    let [twist, flip, slice] = [Part::Twist, Part::Flip, Part::Slice].map(|part| part.of(state));
    (twist as u16, flip as u16, slice as u16)
}

/// The tables that a search needs.
#[must_use]
pub fn tables() -> Vec<Box<dyn Build>> {
    let tables = builders().into_iter();
    tables.map(|table| Box::new(table) as Box<dyn Build>).collect()
}

impl Fast {
    /// A search for short solutions of a cube that can be solved, with tables from the cache.
    ///
    /// # Errors
    /// The tables cannot be had.
    pub fn new(cube: &Cube<3>, config: FastConfig, cache: &Cache) -> Result<Self, TableError> {
        // Rotations of the whole cube that bring another axis to the axis of U and D.
        let axis = |axis: usize| {
            let mut all = SYMMETRY.iter();
            all.position(|one| !one.mirrors && one.faces[axis] == 0).unwrap_or(0)
        };
        let views = (0..6).map(|i| {
            let symmetry = axis(i % 3);
            let state = if i < 3 { *cube.start() } else { cube.start().inverse() };
            View { start: state.image(&SYMMETRY[symmetry]), is_inverse: i >= 3, symmetry }
        });
        let mut search = Self {
            bounds: bounds(cache)?,
            moves: &MOVES,
            metric: cube.metric(),
            views: views.collect(),
            view: 0,
            length: 0,
            stack: Vec::with_capacity(MOST + 1),
            goal: first_parts(&SOLVED),
            tries: config.tries,
            best: None,
            best_length: usize::MAX,
            second: Vec::with_capacity(SECOND),
            stats: Stats::default(),
            is_done: false,
        };
        search.begin();
        Ok(search)
    }

    /// Bytes of the tables.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bounds.iter().map(|table| table.bytes()).sum()
    }

    /// Whether a first phase of fewer than `left` moves may exist. Looks up tables until one
    /// excludes it.
    #[inline(always)]
    fn is_within(&self, frame: &Frame, left: usize) -> bool {
        let (twist, flip, slice) =
            (u32::from(frame.twist), u32::from(frame.flip), u32::from(frame.slice));
        let [twist_slice, flip_slice, twist_flip, ..] = &self.bounds;
        let slices = SLICES as u32;
        let is_near = |table: &Table, index| usize::from(table.get(index)) < left;
        is_near(flip_slice, flip * slices + slice)
            && is_near(twist_slice, twist * slices + slice)
            && is_near(twist_flip, twist * FLIPS as u32 + flip)
    }

    /// Begins with the first phases of the present view and length.
    fn begin(&mut self) {
        let (twist, flip, slice) = first_parts(&self.views[self.view].start);
        let root = Frame { twist, flip, slice, turn: NONE, next: 0 };
        self.stack.clear();
        if self.is_within(&root, self.length + 1) {
            self.stack.push(root);
        }
    }

    /// Advances to the next view, or to longer first phases.
    fn go_on(&mut self) {
        self.view += 1;
        if self.view == self.views.len() {
            self.view = 0;
            self.length += 1;
        }
        // A first phase as long as the best solution makes nothing shorter.
        if self.length >= self.best_length.min(MOST) {
            self.is_done = true;
            return;
        }
        self.begin();
    }

    /// Expands the last state of the first phase, which is a goal of it if no move is left.
    fn expand(&mut self, observer: &mut dyn Observer<Turn>) {
        let left = self.length + 1 - self.stack.len();
        if left == 0 {
            self.stats.evaluated += 1;
            self.second_phase(observer);
            self.stack.pop();
            return;
        }
        let Some(&frame) = self.stack.last() else {
            return;
        };
        let following = FOLLOWING[usize::from(frame.turn)][0];
        for turn in turns(following >> frame.next << frame.next) {
            let at = |number: u16| usize::from(number) * TURNS + usize::from(turn);
            let after = Frame {
                twist: self.moves[Part::Twist as usize][at(frame.twist)],
                flip: self.moves[Part::Flip as usize][at(frame.flip)],
                slice: self.moves[Part::Slice as usize][at(frame.slice)],
                turn,
                next: 0,
            };
            self.stats.generated += 1;
            // A first phase that ends before its last move is one of a shorter length.
            let is_end = (after.twist, after.flip, after.slice) == self.goal;
            if self.is_within(&after, left) && (left == 1 || !is_end) {
                if let Some(frame) = self.stack.last_mut() {
                    frame.next = turn + 1;
                }
                self.stack.push(after);
                return;
            }
        }
        self.stack.pop();
    }

    /// Looks for a second phase that makes the solution shorter than the best one.
    fn second_phase(&mut self, observer: &mut dyn Observer<Turn>) {
        let view = &self.views[self.view];
        let turns = self.stack[1..].iter().map(|frame| frame.turn);
        let state = turns.fold(view.start, |state, turn| state.turned(turn));
        let last = self.stack[self.stack.len() - 1].turn;
        let corners = Part::Corners.of(&state);
        let slice = Part::SliceEdges.of(&state);
        // Before anything is shorter than the best solution, as short as can be found soon.
        let most = SECOND.min(self.best_length.saturating_sub(1 + self.length));
        if self.corners_bound(corners, slice) > most {
            return;
        }
        let edges = Part::Edges.of(&state);
        let least = self.second_bound(corners, edges, slice);
        for left in least..=most {
            self.second.clear();
            if self.second_search(corners, edges, slice, left, last) {
                self.improve(observer);
                return;
            }
        }
    }

    fn corners_bound(&self, corners: usize, slice: usize) -> usize {
        let [.., corners_slice, _] = &self.bounds;
        corners_slice.get((corners * SLICE_ORDERS + slice) as u32).into()
    }

    fn edges_bound(&self, edges: usize, slice: usize) -> usize {
        let [.., edges_slice] = &self.bounds;
        edges_slice.get((edges * SLICE_ORDERS + slice) as u32).into()
    }

    fn second_bound(&self, corners: usize, edges: usize, slice: usize) -> usize {
        self.corners_bound(corners, slice).max(self.edges_bound(edges, slice))
    }

    /// Whether `left` turns of the second phase solve the cube. Stores the turns in `second`.
    fn second_search(
        &mut self,
        corners: usize,
        edges: usize,
        slice: usize,
        left: usize,
        last: u8,
    ) -> bool {
        if left == 0 {
            return self.second_bound(corners, edges, slice) == 0;
        }
        for turn in turns(FOLLOWING[usize::from(last)][1]) {
            let at = |number: usize| number * TURNS + usize::from(turn);
            let corners = usize::from(self.moves[Part::Corners as usize][at(corners)]);
            let edges = usize::from(self.moves[Part::Edges as usize][at(edges)]);
            let slice = usize::from(self.moves[Part::SliceEdges as usize][at(slice)]);
            self.stats.generated += 1;
            if self.corners_bound(corners, slice) < left && self.edges_bound(edges, slice) < left {
                self.second.push(turn);
                if self.second_search(corners, edges, slice, left - 1, turn) {
                    return true;
                }
                self.second.pop();
            }
        }
        false
    }

    /// Takes the solution of both phases.
    fn improve(&mut self, observer: &mut dyn Observer<Turn>) {
        let view = &self.views[self.view];
        let first = self.stack[1..].iter().map(|frame| frame.turn);
        let turns: Vec<u8> = first.chain(self.second.iter().copied()).collect();
        self.best_length = turns.len();
        // Back to how the cube is held.
        let symmetry = &SYMMETRY[view.symmetry];
        let held = |turn: &u8| {
            (0..TURNS as u8).find(|&other| turn_image(other, symmetry) == *turn).unwrap_or(*turn)
        };
        let mut turns: Vec<Turn> = turns.iter().map(held).map(Turn).collect();
        if view.is_inverse {
            turns.reverse();
            turns.iter_mut().for_each(|turn| *turn = turn.inverse());
        }
        let actions: Vec<Turn> = match self.metric {
            Metric::Half => turns,
            Metric::Quarter => turns.into_iter().flat_map(Turn::in_quarters).collect(),
        };
        let value = actions.len() as i64;
        if self.best.as_ref().is_some_and(|best| best.value <= value) {
            return;
        }
        let best = Solution { actions, value };
        observer.improved(&best, &self.stats);
        self.best = Some(best);
    }
}

impl Search for Fast {
    type Action = Turn;

    /// An expansion is an expansion of a first phase, including its second phases.
    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Turn>) -> Progress<Turn> {
        loop {
            let has_tried = self.stats.evaluated >= self.tries && self.best.is_some();
            if self.is_done || has_tried {
                return Progress::Finished(match self.best.clone() {
                    Some(best) => Outcome::Solved { proof: false, bound: None, best },
                    None => Outcome::Exhausted { best: None },
                });
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            if self.stack.is_empty() {
                self.go_on();
            } else {
                self.stats.expanded += 1;
                self.expand(observer);
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Turn>> {
        self.best.as_ref()
    }
}
