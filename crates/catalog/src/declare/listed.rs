//! Declarations that puzzles of all three aims have in common.
//!
//! Each aim has a trait that a puzzle implements: [`Goal`](crate::Goal) (least cost of a path),
//! [`Scored`](crate::Scored) (most points of a path) and [`Assignment`](crate::Assignment) (least
//! cost of an assignment, without a path). Each trait makes its puzzles [`DeclaredPuzzle`]s of its
//! marker type: [`Costs`], [`Scores`] or [`Placings`].

use crate::{
    bind::{Bound, bind, find},
    interface::{
        board::{Solid, Spot, Touch, Turn},
        diagram::plain_drawing,
        instance::Extensions,
        values::{Aim, Frame, Likeness, Measures, Models, SolveError, Style, Visit},
    },
    spec::Spec,
};
use unriddle_core::{Info, Notation, Puzzle, Role, Solution};
use unriddle_tables::cache::Build;

/// Marker type for a puzzle's objective: cost, score or assignment.
///
/// ```
/// use unriddle_catalog::{Aim, Costs, Scores, listed::Kind};
///
/// assert_eq!((Costs::AIM, Scores::AIM), (Aim::Cost, Aim::Score));
/// ```
pub trait Kind: Send + Sync + 'static {
    /// The aim that it marks.
    const AIM: Aim;

    /// Usual unit of its values for people.
    const UNIT: &'static str;
}

/// Costs of paths: less is better.
pub struct Costs;
/// Scores of paths: more is better.
pub struct Scores;
/// Costs of assignments: less is better.
pub struct Placings;

impl Kind for Costs {
    const AIM: Aim = Aim::Cost;
    const UNIT: &'static str = "moves";
}
impl Kind for Scores {
    const AIM: Aim = Aim::Score;
    const UNIT: &'static str = "points";
}
impl Kind for Placings {
    const AIM: Aim = Aim::Assignment;
    const UNIT: &'static str = "units of cost";
}

/// A named solver spec of a puzzle.
pub struct Preset<P: 'static> {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub summary: &'static str,
    /// Solver spec for an instance; `None` for an instance without such a solver.
    pub solver: fn(&P) -> Option<&'static str>,
}

impl<P> Preset<P> {
    /// A preset.
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        solver: fn(&P) -> Option<&'static str>,
    ) -> Self {
        Self { name, summary, solver }
    }

    /// The spec of the preset of a name, if the puzzle has such a preset.
    pub(crate) fn spec(presets: &[Self], puzzle: &P, name: &str) -> Option<Spec> {
        let preset = presets.iter().find(|preset| preset.name == name)?;
        Spec::parse((preset.solver)(puzzle)?).ok()
    }

    /// The presets without their solvers.
    pub(crate) fn infos(presets: &[Self]) -> Vec<PresetInfo> {
        let info = |preset: &Self| PresetInfo { name: preset.name, summary: preset.summary };
        presets.iter().map(info).collect()
    }
}

/// Name and purpose of a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresetInfo {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub summary: &'static str,
}

/// Names that specs of a puzzle may contain, and its presets.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Searches, heuristics and play-outs of every puzzle of its aim.
    pub general: Vec<&'static Info>,
    /// Searches of other aims that also run on the puzzle.
    pub searches: Vec<&'static Info>,
    /// Solvers made for this puzzle only.
    pub solvers: Vec<&'static Info>,
    /// Its heuristics; upper bounds if it is a score puzzle.
    pub heuristics: Vec<&'static Info>,
    /// Its play-outs.
    pub playouts: Vec<&'static Info>,
    /// Its presets; the first is the default.
    pub presets: Vec<PresetInfo>,
}

impl Declared {
    /// All searches, heuristics and play-outs that a solver spec may name.
    #[must_use]
    pub fn expressions(&self) -> Vec<&'static Info> {
        let lists =
            [&self.general, &self.searches, &self.solvers, &self.heuristics, &self.playouts];
        lists.into_iter().flatten().copied().collect()
    }

    /// Binds a spec of a role.
    ///
    /// # Errors
    /// An unknown name, or parameters that do not fit.
    pub fn bind(&self, role: Role, spec: &Spec) -> Result<Bound<'static>, SolveError> {
        Ok(bind(find(&self.expressions(), role, spec)?, spec)?)
    }
}

/// The declarations of a puzzle, whatever its aim. Implemented for every puzzle of an aim, by the
/// aim's module.
///
/// ```
/// use unriddle_catalog::{Costs, listed::DeclaredPuzzle};
/// use unriddle_hanoi::Hanoi;
///
/// let declared = <Hanoi as DeclaredPuzzle<Costs>>::declared();
/// assert_eq!(declared.heuristics[0].name, "misplaced");
/// assert!(declared.presets.iter().any(|preset| preset.name == "default"));
/// ```
pub trait DeclaredPuzzle<A>: Send + Sync + Sized + 'static {
    /// A part of a solution.
    type Action: Clone;

    /// Names that its specs may contain, and its presets.
    fn declared() -> Declared;

    /// Its presets; the first is the default.
    fn presets() -> &'static [Preset<Self>];

    /// The tables of a heuristic, for building in advance: for an instance, or, if `puzzle` is
    /// `None`, for the puzzle with default parameters. A heuristic without tables has an empty
    /// list.
    ///
    /// # Errors
    /// The heuristic's parameters do not fit this puzzle.
    fn tables(puzzle: Option<&Self>, heuristic: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        let _ = puzzle;
        Self::declared().bind(Role::Heuristic, heuristic)?;
        Ok(Vec::new())
    }

    /// Writes the solution of a solver for a report.
    fn reported(&self, solver: &Bound<'_>, best: &Solution<Self::Action>) -> ReportedSolution;

    /// The last action of a path and the states before and after it, in the puzzle's notation. Each
    /// action is given by its index among the legal actions of its state; `None` for an empty path,
    /// or a puzzle without paths.
    fn edge_text(&self, path: &[u32]) -> Option<String> {
        let _ = path;
        None
    }

    /// Networks that are part of the program.
    fn models() -> Models {
        &[]
    }
}

/// A solution as a report contains it.
pub struct ReportedSolution {
    /// The solution in the puzzle's notation.
    pub solution: String,
    /// The solution for people, with names instead of numbers; `None` where the notation is
    /// readable itself.
    pub named: Option<String>,
    /// Number of its actions.
    pub length: usize,
    /// Its value, if the notation has other actions than the search; `None` for the search's value.
    pub value: Option<i64>,
    /// Its lengths.
    pub measures: Measures,
}

impl ReportedSolution {
    /// A path in its puzzle's notation. `value_of` computes the value of actions, for notations
    /// that leave some out.
    pub(crate) fn path<P: Notation>(
        puzzle: &P,
        best: &Solution<P::Action>,
        value_of: impl Fn(Vec<P::Action>) -> Solution<P::Action>,
        measures: impl Fn(&[P::Action]) -> Measures,
    ) -> Self {
        let written = puzzle.as_written(&best.actions).map(value_of);
        let actions = &written.as_ref().unwrap_or(best).actions;
        Self {
            solution: puzzle.solution_text(actions),
            named: None,
            length: actions.len(),
            value: written.as_ref().map(|written| written.value),
            measures: measures(actions),
        }
    }
}

/// The mirror image of an instance.
pub struct Mirror<P: Puzzle> {
    /// The mirrored instance.
    pub image: P,
    /// Maps an action to the action of the mirrored instance.
    pub action: fn(P::Action) -> P::Action,
}

/// Texts and drawings of a path puzzle.
///
/// ```
/// use unriddle_catalog::{Presentation, Style};
/// use unriddle_core::Puzzle;
/// use unriddle_hanoi::Hanoi;
///
/// let puzzle = Hanoi::parse("1 1", 3)?;
/// let drawing = puzzle.draw(&puzzle.initial_state(), Style::Plain);
/// assert!(drawing.starts_with("1 | 2 1"));
/// # Ok::<(), unriddle_core::ParseError>(())
/// ```
pub trait Presentation: Puzzle + Notation {
    /// The instance in the puzzle's standard form. By default it is the text of the initial state.
    fn text(&self) -> String {
        self.state_text(&self.initial_state())
    }

    /// A text that is equal for two instances if they are symmetric to each other, so that the
    /// symmetry maps solutions of one to solutions of the other. By default an instance is
    /// symmetric only to itself.
    fn canonical(&self) -> String {
        Presentation::text(self)
    }

    /// Keys for near-duplicate detection; empty by default.
    fn likenesses(&self) -> Vec<Likeness> {
        Vec::new()
    }

    /// The instance in other notations that the puzzle reads, each with its name.
    fn forms(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// A solution in the notations in which other programs keep solutions, each with its name.
    /// Some contain the instance as well, and are then a text of the instance's
    /// [form](crate::family::Form) of the same name.
    fn solution_forms(&self, actions: &[Self::Action]) -> Vec<(&'static str, String)> {
        let _ = actions;
        Vec::new()
    }

    /// The mirror image of the instance and of its actions; `None` if the puzzle's rules have no
    /// mirror symmetry. A sequence of actions is a solution if and only if its mirror image is a
    /// solution of the mirrored instance.
    fn mirror(&self) -> Option<Mirror<Self>>
    where
        Self: Sized,
    {
        None
    }

    /// Optional abilities.
    fn extensions(&self) -> Extensions<'_> {
        Extensions::default()
    }

    /// A drawing of a state. By default it is the state's text.
    fn draw(&self, state: &Self::State, style: Style) -> String {
        plain_drawing(&self.state_text(state), style)
    }

    /// A drawing of the state that the actions `played` from the initial state led to. By default
    /// it does not show these actions.
    fn draw_after(&self, played: &[Self::Action], state: &Self::State, style: Style) -> String {
        let _ = played;
        self.draw(state, style)
    }

    /// Touchable areas of the SVG drawing of the state after the actions `played`, for pages. By
    /// default the list is empty, and actions are chosen from a list of their texts.
    fn spots(&self, played: &[Self::Action], state: &Self::State) -> Vec<Spot> {
        let _ = (played, state);
        Vec::new()
    }

    /// Inputs that choose a legal action of the state after the actions `played`. Indices refer to
    /// the [spots](Self::spots) of this state.
    fn touch(&self, played: &[Self::Action], state: &Self::State, action: Self::Action) -> Touch {
        let _ = (played, state, action);
        Touch::default()
    }

    /// The state after the actions `played` as a solid, which a page draws in space beside the
    /// drawing. Its facets refer to the [spots](Self::spots) of this state. By default a
    /// state has no solid.
    fn solid(&self, played: &[Self::Action], state: &Self::State) -> Option<Solid> {
        let _ = (played, state);
        None
    }

    /// The motion by which a legal action changes the [solid](Self::solid) of a state. By default
    /// the next solid appears at once.
    fn turn(&self, state: &Self::State, action: Self::Action) -> Option<Turn> {
        let _ = (state, action);
        None
    }

    /// The text of an action after the actions `played`.
    fn action_text(&self, played: &[Self::Action], action: Self::Action) -> String {
        let _ = played;
        self.solution_text(&[action])
    }

    /// Calls `visit` for each state along legal `actions`, starting with the initial one. The
    /// caption is the action's [text](Self::action_text) by default.
    fn along(&self, actions: &[Self::Action], visit: Visit<'_>) {
        let mut state = self.initial_state();
        visit(&|style| Frame { drawing: self.draw_after(&[], &state, style), action: None });
        for (i, &action) in actions.iter().enumerate() {
            state = self.apply(&state, action);
            visit(&|style| Frame {
                drawing: self.draw_after(&actions[..=i], &state, style),
                action: Some(self.action_text(&actions[..i], action)),
            });
        }
    }
}
