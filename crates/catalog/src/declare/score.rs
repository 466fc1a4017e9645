//! Declaration of a score puzzle: most points of a path.

use super::{
    listed::{Presentation, Preset, Scores},
    solver::Solver,
};
use crate::bind::Bound;
use unriddle_core::{
    Coded, Info, Layered, Playout, Selective, StateValue, UpperBound, playout::UniformByMenu,
};

/// A play-out of a puzzle: its declaration and its constructor.
pub struct PlayoutOf<P: 'static> {
    /// Its declaration.
    pub info: &'static Info,
    /// Makes it for an instance.
    pub make: fn(&P, &Bound<'_>) -> Box<dyn Playout<P>>,
}

/// An upper bound of the score-to-go: its declaration (as a heuristic) and its constructor.
pub struct BoundOf<P: 'static> {
    /// Its declaration.
    pub info: &'static Info,
    /// Makes it.
    pub make: fn(&Bound<'_>) -> Box<dyn UpperBound<P>>,
}

impl<P> BoundOf<P> {
    /// An entry.
    pub const fn new(info: &'static Info, make: fn(&Bound<'_>) -> Box<dyn UpperBound<P>>) -> Self {
        Self { info, make }
    }
}

/// Score puzzle of the catalogue: its play-outs, upper bounds, solvers and presets.
///
/// ```
/// # use unriddle_catalog::Presentation;
/// # use unriddle_core::{
/// #     Coded, Layered, Notation, Numbers, ParseError, Puzzle, Score, ScorePuzzle, text,
/// # };
/// # #[derive(Clone)]
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # impl ScorePuzzle for Stairs {
/// #     fn reward(&self, stair: &u8, _: u8) -> Score { Score::from(stair % 3) }
/// # }
/// # impl Layered for Stairs {
/// #     fn layer(&self, stair: &u8) -> usize { usize::from(*stair) }
/// # }
/// # impl Coded for Stairs {
/// #     type Shape = ();
/// #     fn code(&self, stair: &u8, steps: u8) -> u64 { u64::from(*stair) << 8 | u64::from(steps) }
/// # }
/// # impl Notation for Stairs {
/// #     fn state_text(&self, stair: &u8) -> String { stair.to_string() }
/// #     fn solution_text(&self, steps: &[u8]) -> String {
/// #         steps.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
/// #     }
/// #     fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
/// #         text::read(text, |word| word.parse().map_err(|_| "expected a number".to_owned()))
/// #     }
/// # }
/// # impl Presentation for Stairs {}
/// use unriddle_catalog::{Preset, Scored};
/// use unriddle_core::{StateValue, Unfiltered};
///
/// /// Values a state by the number of stairs below it.
/// #[derive(Default)]
/// struct Left;
///
/// impl StateValue<Stairs> for Left {
///     fn value(&self, _: &Stairs, stair: &u8) -> f32 {
///         f32::from(*stair)
///     }
/// }
///
/// impl Scored for Stairs {
///     const PRESETS: &'static [Preset<Self>] =
///         &[Preset::new("default", "a beam", |_| Some("layers(width=10)"))];
///
///     type Filter = Unfiltered;
///     type Value = Left;
/// }
///
/// assert_eq!(Left.value(&Stairs(9), &4), 4.0);
/// ```
pub trait Scored: Layered + Coded + Presentation + Clone + Sized {
    /// Its play-outs.
    const PLAYOUTS: &'static [PlayoutOf<Self>] = &[];

    /// Its upper bounds.
    const BOUNDS: &'static [BoundOf<Self>] = &[];

    /// Solvers made for this puzzle only.
    const SOLVERS: &'static [Solver<Self, Scores>] = &[];

    /// Its presets; the first is the default.
    const PRESETS: &'static [Preset<Self>];

    /// Filter of the actions of learning play-outs; [`Unfiltered`](unriddle_core::Unfiltered)
    /// allows all.
    type Filter: Selective<Self> + Default;

    /// Value by which layered beams rank states; [`Mobility`](unriddle_core::Mobility), if nothing
    /// better is known.
    type Value: StateValue<Self> + Default;

    /// Plays every legal action with the same probability.
    fn random(&self) -> Box<dyn Playout<Self>> {
        Box::new(UniformByMenu)
    }
}
