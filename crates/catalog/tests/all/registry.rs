//! A registry: its puzzles by name, and who replays their solutions.

use unriddle_catalog::{
    Assignment, ErasedInstance, Family, Generator, Info, Instance, ParseError, Placings, Preset,
    Registry, Request, Role, Size, Solver, Spec, Status, Variant, Visit,
    bind::Bound,
    registry::{Checker, RegistryError},
    solve,
    tables::{Cache, Policy},
};
use unriddle_core::{Observer, Outcome, Progress, Quota, Search, Solution, Stats};

/// A toy: an instance is a number, its solution that many strokes. `NAMESAKE` has the name of a
/// puzzle that the independent checker knows.
struct Strokes<const NAMESAKE: bool>;

struct Number(usize);

impl<const NAMESAKE: bool> Variant for Strokes<NAMESAKE> {
    type Aim = Placings;
    type Instance = Number;

    const INFO: &'static Info = if NAMESAKE { &TILES } else { &STROKES_INFO };
    const SIZES: &'static [Size] = &[Size { name: "three", generator: "three" }];
    const GENERATORS: &'static [Generator<Self>] =
        &[Generator { info: &THREE, make: |_, _, _| Ok("3".to_owned()) }];

    fn configure(_: &Bound<'_>) -> Self {
        Self
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let number = text.trim().parse();
        let number = number.map_err(|_| ParseError::at(1, 1, "expected a number"))?;
        Ok(ErasedInstance::<_, Placings>::new(Number(number)).boxed())
    }
}

/// Draws strokes at once.
struct Drawn(usize);

impl Search for Drawn {
    type Action = char;

    fn advance(&mut self, _: &Quota, _: &mut dyn Observer<char>) -> Progress<char> {
        let best = Solution { actions: vec!['|'; self.0], value: 3 };
        Progress::Finished(Outcome::Solved { best, proof: true, bound: Some(3) })
    }

    fn stats(&self) -> Stats {
        Stats::default()
    }
}

impl Assignment for Number {
    type Action = char;

    /// The solver `hasty` forgets a stroke.
    const SOLVERS: &'static [Solver<Self, Placings>] = &[
        Solver { info: &CAREFUL, run: |number, _, run| Box::pin(run.plain(Ok(Drawn(number.0)))) },
        Solver { info: &HASTY, run: |number, _, run| Box::pin(run.plain(Ok(Drawn(number.0 - 1)))) },
    ];

    const PRESETS: &'static [Preset<Self>] =
        &[Preset { name: "best", summary: "", solver: |_| Some("careful") }];

    fn text(&self) -> String {
        self.0.to_string()
    }

    fn solution_text(&self, actions: &[char]) -> String {
        actions.iter().collect()
    }

    fn along(&self, _: &str, _: Visit<'_>) -> Result<(), ParseError> {
        Ok(())
    }

    fn replay(&self, solution: &str) -> Result<(i64, u64), String> {
        let strokes = solution.len();
        match strokes == self.0 && solution.chars().all(|c| c == '|') {
            true => Ok((strokes as i64, strokes as u64)),
            false => Err(format!("{strokes} strokes are not {}", self.0)),
        }
    }
}

const fn info(name: &'static str, role: Role) -> Info {
    Info::new(role, name, "a toy")
}

const STROKES_INFO: Info = info("strokes", Role::Puzzle);
const TILES: Info = info("tiles", Role::Puzzle);
const THREE: Info = info("three", Role::Generator);
const CAREFUL: Info = info("careful", Role::Search);
const HASTY: Info = info("hasty", Role::Search);

static STROKES: Family = Family::of::<Strokes<false>>();
/// A puzzle whose name the independent checker knows.
static NAMESAKE: Family = Family::of::<Strokes<true>>();

fn registry() -> Registry {
    Registry::new([&STROKES]).unwrap()
}

#[test]
fn names_are_unique_and_found() {
    let registry = registry();
    assert_eq!(format!("{registry:?}"), r#"["strokes"]"#);
    assert!(registry.family("strokes").is_some() && registry.family("tiles").is_none());
    assert_eq!(registry.puzzle("strokes").unwrap().1.spec(), "strokes");
    let unknown = registry.puzzle("stroke").err().unwrap().to_string();
    assert!(unknown.contains("did you mean `strokes`?"), "{unknown}");
    assert_eq!(registry.named("three").len(), 1);
    let names = registry.names();
    assert!(names.contains(&"strokes") && names.contains(&"astar") && !names.contains(&"tiles"));
    let twice = Registry::new([&STROKES, &NAMESAKE, &STROKES]).unwrap_err();
    assert_eq!(twice, RegistryError::Twice("strokes"));
}

#[test]
fn without_a_checker_a_puzzle_replays_its_own_solutions() {
    let registry = registry();
    assert_eq!(registry.checker("strokes"), Ok(Checker::Own));
    assert_eq!(registry.verify("strokes", "3", "|||"), Ok((3, 3)));
    for (puzzle, instance, solution, why) in [
        ("strokes", "3", "||", "2 strokes are not 3"),
        ("strokes", "x", "||", "expected a number"),
        ("strokes(", "3", "|||", "column"),
        ("cubes", "3", "|||", "does not know (known: strokes)"),
        ("", "3", "|||", "does not know (known: strokes)"),
    ] {
        let error = registry.verify(puzzle, instance, solution).unwrap_err().to_string();
        assert!(error.contains(why), "{puzzle}: {error}");
    }
    // Where the independent checker has rules, they count.
    assert_eq!(registry.checker("tiles"), Ok(Checker::Independent));
}

#[test]
fn records_name_their_checker() {
    let cache = Cache::new(None, 1, Policy::Reuse);
    let record = |registry: &Registry, solver: &str| {
        let solver = Spec::parse(solver).unwrap();
        let request = Request { seed: 1, ..Request::new(&solver, &cache) };
        let instance = ErasedInstance::<_, Placings>::new(Number(3));
        solve(registry, "1", "strokes", &instance, &request, &mut ()).unwrap()
    };
    let good = record(&registry(), "careful");
    assert_eq!(good.checked_by.as_deref(), Some("own rules"));
    assert_eq!((good.checked, good.status), (Some(true), Status::Optimal));
    let wrong = record(&registry(), "hasty");
    assert_eq!((wrong.checked, wrong.status), (Some(false), Status::Solved));
    assert_eq!(wrong.reason.as_deref(), Some("2 strokes are not 3"));
    let strict = registry().with_rules("strokes", |puzzle, instance, _| {
        Err(format!("no {puzzle} of {instance} is good enough"))
    });
    let refused = record(&strict.unwrap(), "careful");
    assert_eq!(refused.checked_by.as_deref(), Some("rules of strokes"));
    assert_eq!(refused.reason.as_deref(), Some("no strokes of 3 is good enough"));
}

#[test]
fn rules_are_given_once_and_for_a_puzzle_that_needs_them() {
    let rules = |_: &str, _: &str, _: &str| Ok((0, 0));
    let none = registry().with_rules("cubes", rules).unwrap_err();
    assert_eq!(none, RegistryError::NoPuzzle("cubes".to_owned()));
    let one = registry().with_rules("strokes", rules).unwrap();
    assert_eq!(one.checker("strokes"), Ok(Checker::Given("strokes")));
    let twice = one.with_rules("strokes", rules).unwrap_err();
    assert_eq!(twice, RegistryError::Checked("strokes"));
    // A puzzle of another author may have a name that the independent checker knows.
    let namesake = Registry::new([&NAMESAKE]).unwrap();
    assert_eq!(namesake.checker("tiles"), Ok(Checker::Own));
    let given = namesake.with_rules("tiles", rules).unwrap();
    assert_eq!(given.checker("tiles"), Ok(Checker::Given("tiles")));
}
