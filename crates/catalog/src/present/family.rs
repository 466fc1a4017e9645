//! Entrance of a puzzle into the catalogue: its crate implements [`Variant`] once; a [`Family`] is
//! that implementation as a value for a [`Registry`](crate::registry::Registry).
//!
//! ```ignore
//! pub static FAMILY: Family = Family::of::<TilesVariant>();
//! ```
//!
//! A family is a `static`, because all searches of a puzzle are compiled where its value is made,
//! and the value of a constant is made in every crate that names it.

use super::input::{
    self,
    pieces::{self, Piece},
};
use crate::{
    bind::{Bound, bind, find},
    declare::{
        goal::Goal,
        listed::{Costs, Declared, DeclaredPuzzle, Kind, Scores},
        score::Scored,
    },
    interface::{
        board::{self, Cells, Sketch},
        files::{Configure, Files},
        instance::{AnyPuzzle, Instance},
        sheet::{Change, Misfit, Sheet},
        values::{Aim, Models, Rng, SolveError, model_names},
    },
    solve::erased::ErasedInstance,
    spec::{Spec, SpecError},
};
use std::{borrow::Cow, marker::PhantomData};
use unriddle_core::{Info, ParseError, Role};
use unriddle_tables::cache::Build;

/// A puzzle with its parameters, such as `tiles(goal=blank-first)`, and all that belongs to the
/// puzzle whatever the instance.
///
/// ```
/// use unriddle_catalog::{Family, Variant};
/// // The towers of Hanoi have a parameter: the number of pegs.
/// use unriddle_hanoi::family::Variety;
///
/// static FAMILY: Family = Family::of::<Variety>();
/// let spec = unriddle_catalog::Spec::parse("hanoi(pegs=4)")?;
/// let given = unriddle_catalog::bind::bind(Variety::INFO, &spec)?;
/// let four = (FAMILY.configure)(&given, unriddle_catalog::Files::NONE)?;
/// assert_eq!(four.spec(), "hanoi(pegs=4)");
/// # Ok::<(), unriddle_catalog::SpecError>(())
/// ```
pub trait Variant: Send + Sync + Sized + 'static {
    /// Kind of its values: [`Costs`], [`Scores`](crate::listed::Scores) or
    /// [`Placings`](crate::listed::Placings).
    type Aim: Kind;

    /// Type of its instances. Where each size is a type, it is one of these types; all of them must
    /// declare the same solvers, heuristics and presets.
    type Instance: DeclaredPuzzle<Self::Aim>;

    /// Declaration and parameters.
    const INFO: &'static Info;

    /// Whether the crate `unriddle-check` has rules for this puzzle. A puzzle of another author may
    /// have the name of one of those, and other rules.
    const HAS_INDEPENDENT_RULES: bool = false;

    /// Its generators; the first is the default. Empty for a puzzle whose instances are made by
    /// people.
    const GENERATORS: &'static [Generator<Self>];

    /// Its sizes, or whatever else its presets depend on; empty where the presets are the same for
    /// all instances.
    const SIZES: &'static [Size] = &[];

    /// Additional keys of its reports for designers.
    const VALIDATION: Option<&'static Info> = None;

    /// Title for pages, such as `Tower of Hanoi`; empty for its name.
    const TITLE: &'static str = "";

    /// Unit of its values for people: a plural such as `moves`, `pushes` or `points`.
    const UNIT: &'static str = Self::Aim::UNIT;

    /// Whether an argument of a command line is the text of an instance; otherwise it is the name
    /// of a file. The text of an inline instance has at most
    /// [`MOST_INLINE`](input::MOST_INLINE) bytes, and of another one
    /// [`MOST_DOCUMENT`](input::MOST_DOCUMENT).
    const INLINE: bool = true;

    /// Extensions of files of instances, the usual one first. An argument that is no instance is
    /// read as a file if it exists and has one of these extensions.
    const EXTENSIONS: &'static [&'static str] = &["txt"];

    /// The forms in which people may write an instance. `describe` and the documents show them.
    const FORMS: &'static [Form] = &[];

    /// The variant with the given parameters.
    fn configure(given: &Bound<'_>) -> Self;

    /// The variant after it has read the files that its parameters name. By default parameters name
    /// no files.
    ///
    /// # Errors
    /// A file that cannot be read, or whose content is wrong: where and why.
    fn opened(self, given: &Bound<'_>, files: Files) -> Result<Self, SpecError> {
        let _ = (given, files);
        Ok(self)
    }

    /// Unit of values with these parameters.
    fn unit(&self) -> &'static str {
        Self::UNIT
    }

    /// Its spec: the parameters that are not at their defaults. A parameter that the text of every
    /// instance contains is left out as well.
    fn spec(given: &Bound<'_>) -> String {
        given.shortened().to_string()
    }

    /// Reads one instance. A well-formed instance that is proved unsolvable is read as well.
    ///
    /// # Errors
    /// The position at which the text is wrong and the expected text; lines and columns count from
    /// the text's start.
    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError>;

    /// The instance of a number, for puzzles with numbered deals; otherwise `None`.
    ///
    /// # Errors
    /// Why there is no such deal.
    fn deal(&self, number: u64) -> Option<Result<Box<dyn Instance>, String>> {
        let _ = number;
        None
    }

    /// The content of the editor for an instance in standard form; without an instance, of an empty
    /// board. `None` if instances are edited as text.
    fn sketch(&self, instance: Option<&str>) -> Option<Sketch> {
        let _ = instance;
        None
    }

    /// The text of an edited sketch, which [`load`](Self::load) may refuse.
    fn sketched(&self, cells: &Cells) -> String {
        board::lines(cells)
    }

    /// The values of an instance in standard form as tables, for puzzles without a
    /// [sketch](Self::sketch). `None` if instances are edited as text.
    fn sheet(&self, instance: &str) -> Option<Sheet> {
        let _ = instance;
        None
    }

    /// The text of an instance in standard form with changed cells of its sheet. All changes suit
    /// their columns and change a text.
    ///
    /// # Errors
    /// The cell that is at fault, and why.
    fn rewritten(&self, instance: &str, changes: &[Change]) -> Result<String, Misfit> {
        let _ = (instance, changes);
        Err(Misfit::new("instances of this puzzle are edited as text"))
    }

    /// The tables of a heuristic, for building in advance. Where tables depend on the puzzle's
    /// parameters, they are made for an instance with these parameters.
    ///
    /// # Errors
    /// The heuristic's parameters do not fit this puzzle.
    fn tables(&self, heuristic: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        Self::Instance::tables(None, heuristic)
    }

    /// Cuts a file into instances; one per line by default.
    fn split(&self, file: &str) -> Vec<Piece> {
        pieces::lines(file)
    }
}

/// A form in which people write an instance.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// Name of the form. Where the program writes the form as well, `convert --to NAME` does.
    pub name: &'static str,
    /// Rule of the form, in a sentence or more: which text is taken as one instance.
    pub rule: &'static str,
    /// Text of a file that contains one instance in this form; empty where an instance needs
    /// another file.
    pub example: &'static str,
    /// Spec of the puzzle that reads the example; empty for the default parameters.
    pub puzzle: &'static str,
}

impl Form {
    /// A form that the puzzle reads with its default parameters.
    #[must_use]
    pub const fn new(name: &'static str, rule: &'static str, example: &'static str) -> Self {
        Self { name, rule, example, puzzle: "" }
    }

    /// The form, whose example is read with the parameters of a puzzle's spec.
    #[must_use]
    pub const fn of(self, puzzle: &'static str) -> Self {
        Self { puzzle, ..self }
    }
}

/// A generator of instances: its declaration and its code.
pub struct Generator<V: 'static> {
    /// Its declaration.
    pub info: &'static Info,
    /// Makes the text of an instance.
    pub make: fn(&V, &Bound<'_>, &mut Rng) -> Result<String, SpecError>,
}

impl<V> Generator<V> {
    /// An entry.
    pub const fn new(
        info: &'static Info,
        make: fn(&V, &Bound<'_>, &mut Rng) -> Result<String, SpecError>,
    ) -> Self {
        Self { info, make }
    }
}

/// A puzzle without parameters: a goal puzzle, if no other aim is named. This trait is the part of
/// a [`Family`] that its instances do not declare.
///
/// ```
/// # use unriddle_catalog::Presentation;
/// # use unriddle_core::{GoalPuzzle, Notation, Numbers, ParseError, Puzzle, text};
/// # struct Stairs(u8);
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { self.0 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # impl GoalPuzzle for Stairs {
/// #     fn is_goal(&self, stair: &u8) -> bool { *stair == 0 }
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
/// # use unriddle_catalog::{ErasedHeuristic, Goal, HeuristicOf, Info, Preset, Role};
/// # use unriddle_core::{Cost, Estimate, Guarantee};
/// #
/// # const HALF: Info = Info::new(Role::Heuristic, "half", "half the number of stairs");
/// #
/// # fn half(_: &Stairs, stair: &u8) -> Option<Cost> {
/// #     Some(Cost::from(stair.div_ceil(2)))
/// # }
/// #
/// # impl Goal for Stairs {
/// #     const HEURISTICS: &'static [HeuristicOf<Self>] = &[HeuristicOf::new(&HALF, |_, _| {
/// #         Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, half)))
/// #     })];
/// #     const PRESETS: &'static [Preset<Self>] =
/// #         &[Preset::new("default", "the fewest steps", |_| Some("astar(half)"))];
/// # }
/// use unriddle_catalog::{Family, Plain};
///
/// impl Plain for Stairs {
///     const INFO: &'static Info = &Info::new(Role::Puzzle, "stairs", "go down to 0");
///     const UNIT: &'static str = "steps";
///
///     fn parse(text: &str) -> Result<Self, ParseError> {
///         let number = text.trim().parse();
///         number.map(Self).map_err(|_| ParseError::at(1, 1, "expected a number of stairs"))
///     }
/// }
///
/// static FAMILY: Family = Family::plain::<Stairs>();
/// let puzzle = FAMILY.default_puzzle().expect("it has no parameters");
/// assert_eq!(puzzle.load("9")?.text(), "9");
/// # Ok::<(), ParseError>(())
/// ```
///
/// A score puzzle names its aim:
///
/// ```
/// # use unriddle_catalog::{Preset, Presentation, Scored};
/// # use unriddle_core::{
/// #     Coded, Layered, Mobility, Notation, Numbers, ParseError, Puzzle, Score, ScorePuzzle,
/// #     Unfiltered, text,
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
/// # impl Scored for Stairs {
/// #     const PRESETS: &'static [Preset<Self>] =
/// #         &[Preset::new("default", "a beam", |_| Some("layers(width=10)"))];
/// #     type Filter = Unfiltered;
/// #     type Value = Mobility;
/// # }
/// use unriddle_catalog::{Family, Info, Plain, Role, Scores};
///
/// impl Plain<Scores> for Stairs {
///     const INFO: &'static Info = &Info::new(Role::Puzzle, "stairs", "go down to 0");
///
///     fn parse(text: &str) -> Result<Self, ParseError> {
///         let number = text.trim().parse();
///         number.map(Self).map_err(|_| ParseError::at(1, 1, "expected a number of stairs"))
///     }
/// }
///
/// static FAMILY: Family = Family::plain_scores::<Stairs>();
/// let puzzle = FAMILY.default_puzzle().expect("it has no parameters");
/// assert_eq!((puzzle.load("9")?.text(), puzzle.unit()), ("9".to_owned(), "points"));
/// # Ok::<(), ParseError>(())
/// ```
pub trait Plain<A: Kind = Costs>: DeclaredPuzzle<A> {
    /// Declaration.
    const INFO: &'static Info;

    /// Its generators; the first is the default. Empty for a puzzle whose instances are made by
    /// people.
    const GENERATORS: &'static [Generator<Bare<Self, A>>] = &[];

    /// Unit of its values for people: a plural such as `moves` or `points`.
    const UNIT: &'static str = A::UNIT;

    /// Reads one instance.
    ///
    /// # Errors
    /// The position at which the text is wrong and the expected text; lines and columns count from
    /// the text's start.
    fn parse(text: &str) -> Result<Self, ParseError>;
}

/// The variant of a puzzle without parameters.
pub struct Bare<P, A = Costs>(PhantomData<fn() -> (P, A)>);

impl<P: Plain<A>, A: Kind> Variant for Bare<P, A>
where
    ErasedInstance<P, A>: Instance,
{
    type Aim = A;
    type Instance = P;

    const INFO: &'static Info = P::INFO;
    const GENERATORS: &'static [Generator<Self>] = P::GENERATORS;
    const UNIT: &'static str = P::UNIT;

    fn configure(_: &Bound<'_>) -> Self {
        Self(PhantomData)
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        Ok(ErasedInstance::<P, A>::new(P::parse(text)?).boxed())
    }
}

/// A size of a puzzle; the solver of a preset may depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its name for people.
    pub name: &'static str,
    /// The spec of a generator of instances of this size.
    pub generator: &'static str,
}

/// A puzzle as a value: its declarations and constructors.
pub struct Family {
    /// Declaration and parameters.
    pub info: &'static Info,
    /// Kind of its values.
    pub aim: Aim,
    /// Whether the crate `unriddle-check` has rules for it.
    pub has_independent_rules: bool,
    /// Additional keys of its reports for designers.
    pub validation: Option<&'static Info>,
    /// Makes the puzzle of bound parameters, and reads the files that they name.
    pub configure: Configure,
    /// Whether an argument of a command line is the text of an instance; otherwise it is the name
    /// of a file.
    pub inline: bool,
    /// Extensions of files of instances.
    pub extensions: &'static [&'static str],
    /// The forms in which people may write an instance.
    pub forms: &'static [Form],
    title: &'static str,
    sizes: &'static [Size],
    declared: fn() -> Declared,
    models: fn() -> Models,
    generators: fn() -> Vec<&'static Info>,
}

impl Family {
    /// The family of a variant.
    #[must_use]
    pub const fn of<V: Variant>() -> Self {
        Self {
            info: V::INFO,
            title: V::TITLE,
            aim: V::Aim::AIM,
            has_independent_rules: V::HAS_INDEPENDENT_RULES,
            sizes: V::SIZES,
            models: V::Instance::models,
            validation: V::VALIDATION,
            configure: |given, files| {
                let variant = V::configure(given).opened(given, files)?;
                Ok(Box::new(Configured { spec: V::spec(given), variant }))
            },
            inline: V::INLINE,
            extensions: V::EXTENSIONS,
            forms: V::FORMS,
            declared: V::Instance::declared,
            generators: || V::GENERATORS.iter().map(|entry| entry.info).collect(),
        }
    }

    /// Its title for pages; by default its name with a capital letter.
    #[must_use]
    pub fn title(&self) -> String {
        let mut letters = self.info.name.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        match self.title {
            "" => first.chain(letters).collect(),
            title => title.to_owned(),
        }
    }

    /// The family of a goal puzzle without parameters.
    #[must_use]
    pub const fn plain<P: Goal + Plain>() -> Self {
        Self::of::<Bare<P>>()
    }

    /// The family of a score puzzle without parameters.
    #[must_use]
    pub const fn plain_scores<P: Scored + Plain<Scores>>() -> Self {
        Self::of::<Bare<P, Scores>>()
    }

    /// Names that its specs may contain, and its presets.
    #[must_use]
    pub fn declared(&self) -> Declared {
        (self.declared)()
    }

    /// Its generators; the first is the default.
    #[must_use]
    pub fn generators(&self) -> Vec<&'static Info> {
        (self.generators)()
    }

    /// Its sizes. A puzzle without declared sizes has one size: the instances of its default
    /// generator.
    #[must_use]
    pub fn sizes(&self) -> Vec<Size> {
        let any = |info: &&'static Info| Size { name: "any", generator: info.name };
        match self.sizes {
            [] => self.generators().first().map(any).into_iter().collect(),
            sizes => sizes.to_vec(),
        }
    }

    /// Declarations that are its own: solvers, heuristics, play-outs, generators.
    #[must_use]
    pub fn own(&self) -> Vec<&'static Info> {
        let declared = self.declared();
        let lists = [declared.solvers, declared.heuristics, declared.playouts, self.generators()];
        lists.concat()
    }

    /// Searches, heuristics and play-outs that a solver spec of the puzzle may name.
    #[must_use]
    pub fn expressions(&self) -> Vec<&'static Info> {
        self.declared().expressions()
    }

    /// Networks that are part of the program.
    #[must_use]
    pub fn models(&self) -> Models {
        (self.models)()
    }

    /// The names of these networks.
    #[must_use]
    pub fn networks(&self) -> String {
        model_names(self.models())
    }

    /// The puzzle with all its parameters at their defaults; `None` if one has no default.
    #[must_use]
    pub fn default_puzzle(&self) -> Option<Box<dyn AnyPuzzle>> {
        let spec = Spec::parse(self.info.name).ok()?;
        (self.configure)(&bind(self.info, &spec).ok()?, Files::NONE).ok()
    }

    /// Binds the spec of a generator, or without one the default generator.
    ///
    /// # Errors
    /// An unknown generator, a parameter that does not fit, a puzzle without generators.
    pub fn generator(&self, text: Option<&str>) -> Result<Bound<'static>, SpecError> {
        let infos = self.generators();
        let Some(first) = infos.first() else {
            let name = self.info.name;
            let spec = Spec::parse(name)?;
            return Err(spec.error(spec.name_span(), format!("{name} has no generator")));
        };
        let spec = Spec::parse(text.unwrap_or(first.name))?;
        bind(find(&infos, Role::Generator, &spec)?, &spec)
    }
}

/// A text with plain blanks for non-breaking ones, which web pages and word-processing programs
/// insert, and without a byte order mark at its beginning. People do not count the mark as a
/// column.
fn plain_blanks(text: &str) -> Cow<'_, str> {
    const BLANKS: [char; 4] = ['\u{a0}', '\u{2007}', '\u{202f}', '\u{feff}'];
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.is_ascii() || !text.contains(BLANKS) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(BLANKS, " "))
}

/// Wraps a variant as `dyn AnyPuzzle`.
struct Configured<V> {
    variant: V,
    spec: String,
}

impl<V: Variant> AnyPuzzle for Configured<V> {
    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn unit(&self) -> &'static str {
        self.variant.unit()
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let most = if V::INLINE { input::MOST_INLINE } else { input::MOST_DOCUMENT };
        input::check_size(text, most)?;
        self.variant.load(&plain_blanks(text))
    }

    fn split(&self, file: &str) -> Vec<Piece> {
        self.variant.split(&plain_blanks(file))
    }

    fn deal(&self, number: u64) -> Option<Result<Box<dyn Instance>, String>> {
        self.variant.deal(number)
    }

    fn sketch(&self, instance: Option<&str>) -> Option<Sketch> {
        self.variant.sketch(instance)
    }

    fn sketched(&self, cells: &Cells) -> String {
        self.variant.sketched(cells)
    }

    fn sheet(&self, instance: &str) -> Option<Sheet> {
        self.variant.sheet(instance)
    }

    fn rewritten(&self, instance: &str, changes: &[Change]) -> Result<String, Misfit> {
        let none = || Misfit::new("this instance is edited as text");
        let sheet = self.variant.sheet(instance).ok_or_else(none)?;
        sheet.check(changes)?;
        match sheet.news(changes) {
            news if news.is_empty() => Ok(instance.to_owned()),
            news => self.variant.rewritten(instance, &news),
        }
    }

    fn generate(&self, generator: &Bound<'_>, rng: &mut Rng) -> Result<String, SpecError> {
        let name = generator.info().name;
        let entry = V::GENERATORS.iter().find(|entry| entry.info.name == name);
        let Some(entry) = entry else {
            let message = format!("{} has no generator `{name}`", V::INFO.name);
            return Err(generator.refused(message));
        };
        (entry.make)(&self.variant, generator, rng)
    }

    fn tables(&self, heuristic: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        self.variant.tables(heuristic)
    }
}
