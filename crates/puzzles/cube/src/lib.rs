//! Rubik's cube: the player turns faces of a 3×3×3 or of a 2×2×2 until each face has a single
//! colour.
//!
//! A state contains the piece at each position and its orientation, in two words ([`pieces`]). The
//! effect of a turn on pieces follows from the geometry of stickers (module `geometry`). The
//! centres of the 3×3×3 are fixed. The corner of the 2×2×2 at D, B and L is fixed, so that only the
//! faces U, R and F turn.
//!
//! A cube is solved as it is held: faces are named by their positions, and pieces by the faces. A
//! colour scheme (module `scheme`) has the colours of a cube that is seen from another side. The
//! centres show the scheme; on the 2×2×2, which has none, the corner at D, B and L as it is held.
//!
//! In quarter turns (`qtm`) an action is a quarter turn. In half turns (`htm`) a half turn is a
//! single action as well.
//!
//! ```
//! use unriddle_core::{GoalPuzzle, Notation, Puzzle};
//! use unriddle_cube::{Cube, Metric};
//!
//! let cube = Cube::<3>::parse("R U R' U'", Metric::Quarter)?;
//! let turns = cube.parse_solution("U R U' R'")?;
//! let last = turns.iter().fold(cube.initial_state(), |state, &turn| cube.apply(&state, turn));
//! assert!(cube.is_goal(&last));
//! # Ok::<(), unriddle_core::ParseError>(())
//! ```
//!
//! # Speed
//!
//! - Everything about pieces follows at compile time from the positions of stickers in space
//!   (module `geometry`). A state has the piece and the twist of each position in two words.
//! - `cube-optimal` (ADR 30) is bidirectional iterative deepening. One bit for each
//!   coset of two opposite faces records whether the coset is within a number of moves.
//!   States wait in one list for each number of remaining moves, and the states of a list are
//!   looked up together: the index of each state's next coset is computed and its cache line is
//!   prefetched, then all bits are read without branches.
//! - The table of cosets is built a row of corners at a time, 64 bits together, as exchanges of
//!   index bits.
//! - `cube-fast` is Kociemba's two phases along three axes, for the state and its inverse.

mod draw;
mod facelets;
mod family;
mod fold;
mod generate;
mod geometry;
pub mod korf;
mod learn;
mod lines;
mod measures;
mod named;
mod notation;
mod pairs;
mod parse;
pub mod pieces;
mod scheme;
mod sequence;
mod solid;
pub mod solvers;
mod split;
mod stickers;
mod touch;

#[cfg(not(test))]
pub use family::FAMILY;
pub use notation::HalfTurns;
pub use pieces::Pieces;
pub use stickers::Order;

use pieces::SOLVED;
use scheme::Scheme;
use unriddle_core::{Backward, GoalPuzzle, Puzzle, Reversible, Rng, Symmetric, words};

words! {
    /// Definition of an action.
    pub enum Metric {
        /// A quarter turn.
        Quarter = "qtm",
        /// A turn of a face by any angle.
        Half = "htm",
    }
}

impl Metric {
    /// The other one.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Quarter => Self::Half,
            Self::Half => Self::Quarter,
        }
    }
}

/// A turn of a face. Its number is three times the face (U, R, F, D, L, B), plus 0 for a clockwise
/// quarter turn, 1 for a half turn and 2 for a counter-clockwise quarter turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(pub u8);

impl Turn {
    /// The face that turns.
    pub(crate) fn face(self) -> u8 {
        self.0 / 3
    }

    /// Clockwise quarter turns, 1 to 3.
    pub(crate) fn quarters(self) -> u8 {
        self.0 % 3 + 1
    }

    /// The quarter turns of which a half turn consists; another turn itself.
    pub(crate) fn in_quarters(self) -> Vec<Self> {
        match self.quarters() {
            2 => vec![Self(3 * self.face()); 2],
            _ => vec![self],
        }
    }

    /// The turn that takes it back.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self(3 * self.face() + 2 - self.0 % 3)
    }
}

/// All turns of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    next: u8,
    /// End of the range of turns (exclusive).
    end: u8,
    /// 2 where half turns are left out.
    step: u8,
}

impl Iterator for Turns {
    type Item = Turn;

    #[inline]
    fn next(&mut self) -> Option<Turn> {
        let turn = (self.next < self.end).then_some(Turn(self.next))?;
        // With a step of 2: from a face's second quarter turn to the next face's first.
        self.next += if self.next % 3 == 2 { 1 } else { self.step };
        Some(turn)
    }
}

/// An instance of side `N`, 3 or 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cube<const N: usize> {
    metric: Metric,
    /// The pieces, by the faces as the cube is held.
    start: Pieces,
    /// Colours of the faces as it is held.
    scheme: Scheme,
    /// Notation of half turns in solutions in quarter turns.
    half_turns: HalfTurns,
    /// Input of networks.
    input: learn::Input,
}

impl<const N: usize> Cube<N> {
    /// Faces that turn.
    pub(crate) const FACES: u8 = if N == 3 { 6 } else { 3 };

    /// A cube that begins in a state.
    #[must_use]
    pub fn new(start: Pieces, metric: Metric) -> Self {
        const { assert!(N == 2 || N == 3, "there are cubes of side 2 and 3") };
        Self {
            metric,
            start,
            scheme: Scheme::default(),
            half_turns: HalfTurns::default(),
            input: learn::Input::default(),
        }
    }

    /// The cube with another way to write half turns in solutions in quarter turns.
    #[must_use]
    pub fn writing(self, half_turns: HalfTurns) -> Self {
        Self { half_turns, ..self }
    }

    /// The metric, which defines an action.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The pieces at its start.
    #[must_use]
    pub fn start(&self) -> &Pieces {
        &self.start
    }

    /// Why no turns lead from its start to the solved cube; `None` if some do.
    #[must_use]
    pub fn defect(&self) -> Option<String> {
        self.start.defect(N == 3)
    }

    /// All turns.
    #[must_use]
    pub fn turns(&self) -> Turns {
        Turns {
            next: 0,
            end: 3 * Self::FACES,
            step: match self.metric {
                Metric::Quarter => 2,
                Metric::Half => 1,
            },
        }
    }
}

impl<const N: usize> Puzzle for Cube<N> {
    type State = Pieces;
    type Action = Turn;
    type Actions = Turns;

    fn initial_state(&self) -> Pieces {
        self.start
    }

    fn actions(&self, _: &Pieces) -> Turns {
        self.turns()
    }

    #[inline]
    fn apply(&self, state: &Pieces, turn: Turn) -> Pieces {
        let after = state.turned(turn.0);
        match N {
            // The 2×2×2 has no edges.
            2 => Pieces { edges: state.edges, ..after },
            _ => after,
        }
    }

    fn is_inverse(&self, last: Turn, next: Turn) -> bool {
        last.inverse() == next
    }

    /// Opposite faces turn in a single order. In half turns, two turns of a face are one turn. In
    /// quarter turns, a half turn is made clockwise.
    fn commutes_after(&self, last: Turn, next: Turn) -> bool {
        let (a, b) = (last.face(), next.face());
        if a == b {
            return match self.metric {
                Metric::Half => true,
                Metric::Quarter => last == next && last.quarters() == 3,
            };
        }
        a % 3 == b % 3 && b < a
    }

    fn generic_states(&self) -> Vec<Pieces> {
        vec![SOLVED]
    }

    #[inline]
    fn action_code(&self, turn: Turn) -> u8 {
        turn.0
    }
}

impl<const N: usize> GoalPuzzle for Cube<N> {
    #[inline]
    fn is_goal(&self, state: &Pieces) -> bool {
        *state == SOLVED
    }
}

impl<const N: usize> Reversible for Cube<N> {
    fn inverse(&self, turn: Turn) -> Turn {
        turn.inverse()
    }
}

impl<const N: usize> Backward for Cube<N> {
    fn predecessors(&self, state: &Pieces, visit: &mut dyn FnMut(Pieces, Turn)) {
        for turn in self.turns() {
            visit(self.apply(state, turn.inverse()), turn);
        }
    }

    fn step_back(
        &self,
        state: &Pieces,
        last: Option<Turn>,
        rng: &mut Rng,
    ) -> Option<(Pieces, Turn)> {
        let turns = self.turns().filter(|&turn| last.is_none_or(|last| turn.inverse() != last));
        let count = turns.clone().count() as u64;
        let turn = turns.clone().nth(rng.below(count) as usize)?;
        Some((self.apply(state, turn.inverse()), turn))
    }

    fn goal_states(&self) -> Vec<Pieces> {
        vec![SOLVED]
    }
}

/// The 48 symmetries of the 3×3×3; of the 2×2×2 the six that keep the corner that stays.
impl<const N: usize> Symmetric for Cube<N> {
    fn canonical(&self, state: &Pieces) -> Pieces {
        self.symmetries().map(|one| state.image(one)).min().unwrap_or(*state)
    }
}

impl<const N: usize> Cube<N> {
    /// All states that symmetries make of a state, itself among them, in order.
    #[must_use]
    pub fn images(&self, state: &Pieces) -> Vec<Pieces> {
        let mut images: Vec<Pieces> = self.symmetries().map(|one| state.image(one)).collect();
        images.sort_unstable();
        images.dedup();
        images
    }

    /// Symmetries that keep the faces that turn, the identity among them.
    pub(crate) fn symmetries(&self) -> impl Iterator<Item = &'static geometry::Symmetry> {
        let all = geometry::SYMMETRY.iter();
        all.filter(|one| (0..Self::FACES).all(|face| one.faces[usize::from(face)] < Self::FACES))
    }
}
