//! Instances as their puzzles declare them, and [`ErasedInstance`], which puts any of them behind the object-safe face.
//!
//! There are three aims, each with a trait that a puzzle implements: [`Goal`](crate::goal::Goal)
//! (least cost of a path), [`Scored`](crate::score::Scored) (most points of a path) and
//! [`Assignment`](crate::assignment::Assignment) (least cost of putting things in places, without a
//! path). Each makes its puzzles [`DeclaredPuzzle`] under its own mark,
//! [`Costs`], [`Scores`] or [`Placings`].

use crate::{
    analysis::Pattern,
    bind::{Bound, bind, find},
    family::Models,
    game::Game,
    instance::{
        Aim, Events, Extensions, Frame, Instance, Likeness, Measures, Report, Request, SolveError,
        Style, Visit,
    },
    record::Unit,
    spec::Spec,
    validate::{Inquiry, Structure},
};
use std::{fmt::Write as _, marker::PhantomData};
use unriddle_core::{Info, Notation, ParseError, Puzzle, Role, Solution};
use unriddle_tables::cache::Build;

use crate::solver::Runner;

/// A mark of what a puzzle's values are.
///
/// ```
/// use unriddle_catalog::{Aim, Costs, Scores, listed::Kind};
///
/// assert_eq!((Costs::AIM, Scores::AIM), (Aim::Cost, Aim::Score));
/// ```
pub trait Kind: Send + Sync + 'static {
    /// The aim that it marks.
    const AIM: Aim;
}

/// Costs of paths: less is better.
pub struct Costs;
/// Scores of paths: more is better.
pub struct Scores;
/// Costs of putting things in places: less is better.
pub struct Placings;

impl Kind for Costs {
    const AIM: Aim = Aim::Cost;
}
impl Kind for Scores {
    const AIM: Aim = Aim::Score;
}
impl Kind for Placings {
    const AIM: Aim = Aim::Assignment;
}

/// Runs a solver on an instance.
pub type RunOf<P, A> =
    for<'a> fn(&'a P, &Bound<'_>, Runner<'a, '_, P, A>) -> Result<Report, SolveError>;

/// A solver made for one puzzle: its declaration, and what runs it.
pub struct Solver<P: DeclaredPuzzle<A> + 'static, A: 'static> {
    /// Its declaration.
    pub info: &'static Info,
    /// Runs it on an instance.
    pub run: RunOf<P, A>,
}

/// A named solver spec of a puzzle.
pub struct Preset<P: 'static> {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub summary: &'static str,
    /// The spec that it stands for on an instance; `None` where it has none.
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
}

/// A preset as people see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresetInfo {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub summary: &'static str,
}

/// What specs of a puzzle may name, and its presets.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Searches, heuristics and play-outs of every puzzle of its aim.
    pub general: Vec<&'static Info>,
    /// Searches of puzzles of other aims that run on it, too.
    pub searches: Vec<&'static Info>,
    /// Solvers made for it alone.
    pub solvers: Vec<&'static Info>,
    /// Its heuristics; of a score puzzle, its upper bounds.
    pub heuristics: Vec<&'static Info>,
    /// Its ways to play out.
    pub playouts: Vec<&'static Info>,
    /// Its presets; the first is the default.
    pub presets: Vec<PresetInfo>,
}

impl Declared {
    /// All that a solver spec may name.
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

/// The presets of a puzzle as people see them.
pub(crate) fn infos<P>(presets: &[Preset<P>]) -> Vec<PresetInfo> {
    let info = |preset: &Preset<P>| PresetInfo { name: preset.name, summary: preset.summary };
    presets.iter().map(info).collect()
}

/// The spec that a preset stands for on an instance.
pub(crate) fn preset<P>(presets: &[Preset<P>], puzzle: &P, name: &str) -> Option<Spec> {
    let preset = presets.iter().find(|preset| preset.name == name)?;
    Spec::parse((preset.solver)(puzzle)?).ok()
}

/// All that the catalogue asks of an instance, whatever its aim. Implemented for every puzzle of an
/// aim by that aim's module.
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

    /// What its specs may name, and its presets.
    fn declared() -> Declared;

    /// The tables of a heuristic, for building ahead: those of an instance, or without one those of the puzzle as it is by
    /// default. A heuristic without tables has none.
    ///
    /// # Errors
    /// The heuristic's parameters do not fit this puzzle.
    fn tables(puzzle: Option<&Self>, heuristic: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        let _ = puzzle;
        Self::declared().bind(Role::Heuristic, heuristic)?;
        Ok(Vec::new())
    }

    /// Its text in the puzzle's standard form.
    fn text(&self) -> String;

    /// The spec that a preset stands for; `None` for an unknown preset.
    fn preset(&self, name: &str) -> Option<Spec>;

    /// Solves it.
    ///
    /// # Errors
    /// A spec that does not fit, a table that cannot be had, a broken heuristic.
    fn solve(&self, request: &Request<'_>, events: &mut dyn Events) -> Result<Report, SolveError>;

    /// A solution of a solver as it goes into a report.
    fn written(&self, solver: &Bound<'_>, best: &Solution<Self::Action>) -> Written;

    /// Visits the states along a solution, the start included.
    ///
    /// # Errors
    /// The solution cannot be read or is illegal: where, and why.
    fn along(&self, solution: &str, visit: Visit<'_>) -> Result<(), ParseError>;

    /// What its values count, where that is a part of the puzzle's unit.
    fn unit(&self) -> Option<Unit> {
        None
    }

    /// The instance, to be played from its start; `None` where no path leads to a solution.
    fn game(&self) -> Option<Box<dyn Game + '_>> {
        None
    }

    /// Replays a solution by the puzzle's own rules: its value and the number of its actions.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    fn replay(&self, solution: &str) -> Result<(i64, u64), String>;

    /// What else it offers.
    fn extensions(&self) -> Extensions<'_>;

    /// A text that is equal for two instances if they are symmetric to each other.
    fn canonical(&self) -> String {
        self.text()
    }

    /// What it has in common with instances that are nearly the same; nothing unless the puzzle says otherwise.
    fn likenesses(&self) -> Vec<Likeness> {
        Vec::new()
    }

    /// The instance in other notations that the puzzle reads, each with its name.
    fn forms(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Its mirror image; `None` of a puzzle whose rules know none.
    fn mirrored(&self) -> Option<Self> {
        None
    }

    /// The mirror image of a solution, which is one of the [mirror image](Self::mirrored).
    ///
    /// # Errors
    /// The solution cannot be read.
    fn mirrored_solution(&self, solution: &str) -> Result<Option<String>, ParseError> {
        let _ = solution;
        Ok(None)
    }

    /// What each three actions in a row of a solution are; nothing of a puzzle without a path.
    ///
    /// # Errors
    /// The solution cannot be read.
    fn patterns(&self, solution: &str) -> Result<Vec<Pattern>, ParseError> {
        let _ = solution;
        Ok(Vec::new())
    }

    /// What the states around it and a solution are like; `None` of a puzzle without states.
    fn structure(&self, inquiry: &Inquiry<'_>) -> Option<Structure> {
        let _ = inquiry;
        None
    }

    /// Networks that come with the puzzle.
    fn models() -> Models {
        &[]
    }

    /// The instance as something to train networks on.
    #[cfg(feature = "training-data")]
    fn training_data(&self) -> Option<Box<dyn crate::training_data::TrainingData>> {
        None
    }
}

/// A solution in the puzzle's notation.
pub struct Written {
    /// The notation.
    pub solution: String,
    /// The solution for people, where the notation has only numbers of things that have names.
    pub named: Option<String>,
    /// Number of its actions.
    pub length: usize,
    /// What it is worth if the notation stands for other actions than the search's; `None` for what the search
    /// says.
    pub value: Option<i64>,
    /// Its lengths.
    pub measures: Measures,
}

impl Written {
    /// A path in its puzzle's notation. `value_of` says what actions are worth, for notations that leave some out.
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
    /// The image.
    pub image: P,
    /// What an action becomes in it.
    pub action: fn(P::Action) -> P::Action,
}

/// How a path puzzle is shown.
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
    /// The instance in the puzzle's standard form. Unless said otherwise it is the text of its start.
    fn text(&self) -> String {
        self.state_text(&self.initial_state())
    }

    /// A text that is equal for two instances if they are symmetric to each other, so that a solution of one is a solution of the
    /// other when the symmetry is applied to it. Unless said otherwise an instance is symmetric to itself alone.
    fn canonical(&self) -> String {
        Presentation::text(self)
    }

    /// What it has in common with instances that are nearly the same; nothing unless the puzzle says otherwise.
    fn likenesses(&self) -> Vec<Likeness> {
        Vec::new()
    }

    /// The instance in other notations that the puzzle reads, each with its name.
    fn forms(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Its mirror image, and what an action becomes in it; `None` of a puzzle whose rules know none. A sequence of actions is a
    /// solution if and only if its image is one of the mirror image.
    fn mirror(&self) -> Option<Mirror<Self>>
    where
        Self: Sized,
    {
        None
    }

    /// What else it offers.
    fn extensions(&self) -> Extensions<'_> {
        Extensions::default()
    }

    /// A drawing of a state. Unless said otherwise it is the state's text.
    fn draw(&self, state: &Self::State, style: Style) -> String {
        plain_drawing(&self.state_text(state), style)
    }

    /// A drawing of the state that some actions from the start led to. Unless said otherwise it does not show them.
    fn draw_after(&self, played: &[Self::Action], state: &Self::State, style: Style) -> String {
        let _ = played;
        self.draw(state, style)
    }

    /// An action after those that were `played`, as people write it.
    fn action_text(&self, played: &[Self::Action], action: Self::Action) -> String {
        let _ = played;
        self.solution_text(&[action])
    }

    /// Visits the states along legal actions, the start included. What is said of an action beside
    /// the state that it led to is its [text](Self::action_text), unless said otherwise.
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

/// The mirror image of a solution, in the notation of the instance's mirror image.
///
/// # Errors
/// The solution cannot be read.
pub(crate) fn mirrored_solution<P: Presentation>(
    puzzle: &P,
    solution: &str,
) -> Result<Option<String>, ParseError> {
    let Some(Mirror { image, action }) = puzzle.mirror() else {
        return Ok(None);
    };
    let actions = puzzle.parse_solution(solution)?;
    let actions: Vec<_> = actions.into_iter().map(action).collect();
    Ok(Some(image.solution_text(&actions)))
}

/// The actions of a solution, played one by one; each must be legal and the last state an end.
///
/// # Errors
/// Where the text is wrong, the first illegal action, or what is `missing` from the last state.
pub(crate) fn replayed<P: Puzzle + Notation>(
    puzzle: &P,
    solution: &str,
    is_end: impl FnOnce(&P::State) -> bool,
    missing: &str,
) -> Result<Vec<P::Action>, String> {
    let actions = puzzle.parse_solution(solution);
    let actions = actions.map_err(|error| error.to_string())?;
    let mut state = puzzle.initial_state();
    for (i, &action) in actions.iter().enumerate() {
        if !puzzle.actions(&state).any(|legal| legal == action) {
            return Err(format!(
                "action {} of {}, `{}`, is illegal",
                i + 1,
                actions.len(),
                puzzle.solution_text(&[action])
            ));
        }
        state = puzzle.apply(&state, action);
    }
    match is_end(&state) {
        true => Ok(actions),
        false => Err(format!("after {} actions {missing}", actions.len())),
    }
}

/// Lines of text as a drawing: as they are, or as graphics with a line of text each.
#[must_use]
pub fn plain_drawing(text: &str, style: Style) -> String {
    let text = text.trim_end();
    if style != Style::Svg {
        return format!("{text}\n");
    }
    let height = 20 * text.lines().count() + 10;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"320\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"14\">\n"
    );
    for (i, line) in text.lines().enumerate() {
        let line = crate::validate::plain(line);
        // Writing to a string does not fail.
        let _ = writeln!(svg, "<text x=\"10\" y=\"{}\">{line}</text>", 20 * (i + 1));
    }
    svg + "</svg>\n"
}

/// An instance behind the object-safe face.
pub struct ErasedInstance<P, A> {
    puzzle: P,
    name: Option<String>,
    unsolvable: Option<String>,
    aim: PhantomData<A>,
}

impl<P: DeclaredPuzzle<A>, A: Kind> ErasedInstance<P, A> {
    /// An instance without a name of its own.
    pub fn new(puzzle: P) -> Self {
        Self { puzzle, name: None, unsolvable: None, aim: PhantomData }
    }

    /// What it is called wherever nobody gives it another name.
    #[must_use]
    pub fn named(self, name: Option<String>) -> Self {
        Self { name, ..self }
    }

    /// Why it is proved unsolvable, where that is known without a search.
    #[must_use]
    pub fn unsolvable(self, unsolvable: Option<String>) -> Self {
        Self { unsolvable, ..self }
    }

    /// Behind the face.
    #[must_use]
    pub fn boxed(self) -> Box<dyn Instance> {
        Box::new(self)
    }
}

impl<P: DeclaredPuzzle<A>, A: Kind> Instance for ErasedInstance<P, A> {
    fn text(&self) -> String {
        self.puzzle.text()
    }

    fn name(&self) -> Option<String> {
        self.name.clone()
    }

    fn unit(&self) -> Option<Unit> {
        self.puzzle.unit()
    }

    fn unsolvable(&self) -> Option<&str> {
        self.unsolvable.as_deref()
    }

    fn preset(&self, name: &str) -> Option<Spec> {
        self.puzzle.preset(name)
    }

    fn solve(&self, request: &Request<'_>, events: &mut dyn Events) -> Result<Report, SolveError> {
        let mut report = self.puzzle.solve(request, events)?;
        report.unit = self.puzzle.unit();
        Ok(report)
    }

    fn extensions(&self) -> Extensions<'_> {
        self.puzzle.extensions()
    }

    fn replay(&self, solution: &str) -> Result<(i64, u64), String> {
        self.puzzle.replay(solution)
    }

    fn along(&self, solution: &str, visit: Visit<'_>) -> Result<(), ParseError> {
        self.puzzle.along(solution, visit)
    }

    fn game(&self) -> Option<Box<dyn Game + '_>> {
        self.puzzle.game()
    }

    fn canonical(&self) -> String {
        self.puzzle.canonical()
    }

    fn likenesses(&self) -> Vec<Likeness> {
        self.puzzle.likenesses()
    }

    fn forms(&self) -> Vec<(&'static str, String)> {
        self.puzzle.forms()
    }

    fn mirrored(&self) -> Option<Box<dyn Instance>> {
        let image = self.puzzle.mirrored()?;
        Some(Self::new(image).unsolvable(self.unsolvable.clone()).boxed())
    }

    fn mirrored_solution(&self, solution: &str) -> Result<Option<String>, ParseError> {
        self.puzzle.mirrored_solution(solution)
    }

    fn patterns(&self, solution: &str) -> Result<Vec<Pattern>, ParseError> {
        self.puzzle.patterns(solution)
    }

    fn structure(&self, inquiry: &Inquiry<'_>) -> Option<Structure> {
        self.puzzle.structure(inquiry)
    }

    #[cfg(feature = "training-data")]
    fn training_data(&self) -> Option<Box<dyn crate::training_data::TrainingData>> {
        self.puzzle.training_data()
    }
}
