//! Traps of user-defined puzzles: heuristics and bounds with false claims, games without an end,
//! scores beyond 64 bits. Each ends with an error or at a limit, and never with a false proof.

use std::time::Duration;
use unriddle_catalog::{
    Bare, Budget, Cancel, Costs, ErasedHeuristic, Family, Generator, Goal, HeuristicOf, Info,
    Plain, Presentation, Preset, Record, Registry, Request, Role, Scored, Scores, SolveError,
    Solver, Spec, Status,
    score::BoundOf,
    solve,
    tables::{Cache, Policy},
};
use unriddle_core::{
    Cost, Estimate, Guarantee, Mobility, Notation, ParseError, Score, Unfiltered, UpperBound, text,
};
use unriddle_search::bfs::{Bfs, BfsConfig};

unriddle_core::toy!(Line: GoalPuzzle);
unriddle_core::toy!(Points: ScorePuzzle, Coded, Layered);

const WORDS: [&str; 3] = ["-1", "+1", "x2"];

/// Actions in words.
fn words(actions: &[u8]) -> String {
    actions.iter().map(|&action| WORDS[usize::from(action)]).collect::<Vec<_>>().join(" ")
}

/// Actions of words.
fn actions(text: &str) -> Result<Vec<u8>, ParseError> {
    text::read(text, |word| {
        let at = WORDS.iter().position(|known| *known == word);
        at.map(|at| at as u8).ok_or_else(|| "expected -1, +1 or x2".to_owned())
    })
}

/// The two numbers of an instance.
fn numbers(text: &str) -> Result<[u64; 2], ParseError> {
    let numbers: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().map_err(|_| ParseError::at(1, 1, "expected two numbers"))
}

impl Notation for Line {
    fn state_text(&self, number: &u64) -> String {
        format!("{number} {}", self.goal)
    }
    fn solution_text(&self, actions: &[u8]) -> String {
        words(actions)
    }
    fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
        actions(text)
    }
}

impl Presentation for Line {}

const LIE: Info = Info::new(Role::Heuristic, "lie", "the difference, said to be consistent");
const HALF_LIE: Info = Info::new(Role::Heuristic, "half", "the difference, said to be admissible");
const UNSURE: Info = Info::new(Role::Heuristic, "unsure", "the difference, without a claim");

impl Goal for Line {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[
        HeuristicOf::new(&LIE, |_, _| {
            Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, Line::difference)))
        }),
        HeuristicOf::new(&HALF_LIE, |_, _| {
            Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Admissible, Line::difference)))
        }),
        HeuristicOf::new(&UNSURE, |line, _| {
            // A closure with data of its own.
            let goal = line.goal;
            let guess = move |_: &Line, number: &u64| Some(number.abs_diff(goal) as Cost);
            Ok(ErasedHeuristic::each(Estimate::of(Guarantee::None, guess)))
        }),
    ];
    const PRESETS: &'static [Preset<Self>] =
        &[Preset::new("default", "the fewest actions", |_| Some("bfs"))];
}

impl Plain for Line {
    const INFO: &'static Info = &Info::new(Role::Puzzle, "line", "numbers in a line");
    const GENERATORS: &'static [Generator<Bare<Self>>] = &[];
    fn parse(text: &str) -> Result<Self, ParseError> {
        let [from, goal] = numbers(text)?;
        Ok(Self { from, goal })
    }
}

/// Kind of a game whose bound is too small.
const UNDERRATED: u64 = 4;

impl Notation for Points {
    fn state_text(&self, left: &u64) -> String {
        format!("{left} {}", self.kind)
    }
    fn solution_text(&self, actions: &[u8]) -> String {
        words(actions)
    }
    fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
        actions(text)
    }
}

impl Presentation for Points {}

/// A point for each action that is left.
struct Each;

impl UpperBound<Points> for Each {
    fn upper(&self, points: &Points, left: &u64) -> Score {
        match points.kind {
            UNDERRATED => 0,
            Points::ENDS => *left as Score,
            _ => Score::MAX,
        }
    }
}

const EACH: Info = Info::new(Role::Heuristic, "each", "a point for each action");

impl Scored for Points {
    const BOUNDS: &'static [BoundOf<Self>] = &[BoundOf::new(&EACH, |_| Box::new(Each))];
    const PRESETS: &'static [Preset<Self>] =
        &[Preset::new("default", "a beam", |_| Some("layers"))];
    type Filter = Unfiltered;
    type Value = Mobility;
}

impl Plain<Scores> for Points {
    const INFO: &'static Info = &Info::new(Role::Puzzle, "gain", "points");
    const GENERATORS: &'static [Generator<Bare<Self, Scores>>] = &[];
    fn parse(text: &str) -> Result<Self, ParseError> {
        let [left, kind] = numbers(text)?;
        Ok(Self { left, kind })
    }
}

static LINE: Family = Family::plain::<Line>();
static POINTS: Family = Family::plain_scores::<Points>();

/// Solves an instance within a budget.
fn solved(
    puzzle: &str,
    instance: &str,
    solver: &str,
    budget: Budget,
) -> Result<Record, SolveError> {
    let registry = Registry::new([&LINE, &POINTS]).unwrap();
    let (_, found) = registry.puzzle(puzzle).unwrap();
    let instance = found.load(instance).unwrap();
    let cache = Cache::new(None, 1, Policy::default());
    let (threads, solver) = match solver.strip_prefix("threads:") {
        Some(solver) => (2, solver),
        None => (1, solver),
    };
    let spec = Spec::parse(solver).unwrap();
    let request = Request { budget, seed: 1, threads, ..Request::new(&spec, &cache) };
    solve(&registry, "1", puzzle, &*instance, &request, &mut ())
}

/// The error of a solve, as text.
fn error(puzzle: &str, instance: &str, solver: &str) -> String {
    let budget = Budget { expansions: Some(100_000), ..Budget::default() };
    match solved(puzzle, instance, solver, budget) {
        Err(error) => error.to_string(),
        Ok(record) => panic!("{solver}: {record:?}"),
    }
}

const SEARCHES: [&str; 10] = [
    "astar(H)",
    "astar(H, w=2)",
    "greedy(H)",
    "bwas(H, batch=10)",
    "beam(H, width=1000)",
    "windows(greedy(H))",
    "astar(max(H, blind))",
    "idtt(H)",
    "deepening(H)",
    "idastar(H)",
];

#[test]
fn a_false_claim_of_consistency_is_an_error_that_names_the_edge() {
    let threads = ["threads:idastar(H)"];
    for search in SEARCHES.iter().chain(&threads) {
        let message = error("line", "3 40", &search.replace('H', "lie"));
        let claim = "the heuristic is not consistent, as it claims to be: it estimates 37 before";
        assert!(message.starts_with(claim), "{search}: {message}");
        let edge = "(action 1 of a path, `x2`, from `3 40` to `6 40`)";
        assert!(message.contains(edge), "{search}: {message}");
    }
}

#[test]
fn a_value_below_an_admissible_estimate_of_the_start_is_an_error() {
    for search in SEARCHES {
        let message = error("line", "3 40", &search.replace('H', "half"));
        assert!(message.starts_with("the heuristic is not admissible"), "{search}: {message}");
        assert!(message.contains("less than 37"), "{search}: {message}");
    }
}

#[test]
fn an_estimate_without_a_claim_proves_nothing() {
    for search in SEARCHES {
        let budget = Budget { expansions: Some(100_000), ..Budget::default() };
        let record = solved("line", "3 40", &search.replace('H', "unsure"), budget).unwrap();
        assert_eq!(record.checked, Some(true), "{search}: {record:?}");
        let is_five = record.value == Some(5);
        assert!(record.status != Status::Optimal || is_five, "{search}: {record:?}");
    }
}

#[test]
fn a_beam_names_the_depth_that_ended_it() {
    let record = solved("line", "3 40", "beam(unsure, width=1, max_depth=2)", Budget::default());
    let record = record.unwrap();
    assert_eq!(record.status, Status::Exhausted);
    assert_eq!(
        record.reason.as_deref(),
        Some("the beam ended after 2 actions, the limit `max_depth`")
    );
}

const PLAYED: [&str; 6] = [
    "spmcts(nodes=1000)",
    "spmcts(nodes=1000, roots=2)",
    "nmcs(level=2)",
    "dbs",
    "nrpa(level=2)",
    "lns(nrpa)",
];

#[test]
fn endless_games_stop_at_the_limit_of_memory() {
    for search in PLAYED {
        let memory = 16 << 20;
        let budget = Budget { memory: Some(memory), ..Budget::default() };
        let record = solved("gain", "20 1", search, budget).unwrap();
        assert_eq!(record.stopped_by.as_deref(), Some("memory"), "{search}: {record:?}");
        assert!(record.peak_bytes <= memory, "{search}: {record:?}");
    }
}

#[test]
fn endless_games_stop_at_the_limit_of_time() {
    for search in PLAYED {
        let time = Some(Duration::from_millis(30));
        let record = solved("gain", "20 1", search, Budget { time, ..Budget::default() }).unwrap();
        assert_eq!(record.stopped_by.as_deref(), Some("time"), "{search}: {record:?}");
    }
}

#[test]
fn endless_games_stop_when_the_user_cancels() {
    for search in PLAYED {
        let cancel = Cancel::default();
        let budget = Budget { cancel: cancel.clone(), ..Budget::default() };
        let record = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                cancel.cancel();
            });
            solved("gain", "20 1", search, budget).unwrap()
        });
        assert_eq!(record.stopped_by.as_deref(), Some("cancelled"), "{search}: {record:?}");
    }
}

#[test]
fn layers_that_rise_are_named() {
    let message = error("gain", "20 2", "layers");
    assert!(message.starts_with("an action leads from layer 20 to layer 21"), "{message}");
    let message = error("gain", "1 1", "layers");
    assert!(message.starts_with("an action leads from layer 0 to layer 0"), "{message}");
}

#[test]
fn searches_of_points_stop_at_the_upper_bound_and_records_have_it() {
    for search in PLAYED.iter().chain(&["layers", "astar(each)", "idastar(each)"]) {
        let record = solved("gain", "12 0", search, Budget::default()).unwrap();
        assert_eq!(record.status, Status::Optimal, "{search}: {record:?}");
        assert_eq!((record.value, record.upper_bound), (Some(12), Some(12)), "{search}");
    }
    let budget = Budget { expansions: Some(1), ..Budget::default() };
    let record = solved("gain", "40 0", "spmcts", budget).unwrap();
    assert_eq!((record.status, record.upper_bound), (Status::Stopped, Some(40)));
    // The most promising state is played to the end.
    let budget = Budget { expansions: Some(3), ..Budget::default() };
    let record = solved("gain", "40 0", "layers", budget).unwrap();
    assert_eq!((record.value, record.upper_bound), (Some(40), Some(40)));
}

#[test]
fn a_bound_that_is_too_small_is_an_error() {
    for search in PLAYED.iter().chain(&["layers"]) {
        let message = error("gain", "12 4", search);
        assert!(message.starts_with("the upper bound is wrong"), "{search}: {message}");
        assert!(message.contains("more than 0 by it"), "{search}: {message}");
    }
    let message = error("gain", "12 4", "astar(each)");
    assert!(message.starts_with("the upper bound is not consistent"), "{message}");
}

#[test]
fn scores_that_cannot_be_counted_are_errors() {
    for search in PLAYED.iter().chain(&["layers"]) {
        let message = error("gain", "12 3", search);
        assert!(message.starts_with("a line scores 2^63 or more"), "{search}: {message}");
    }
}

#[test]
fn a_search_of_ones_own_is_added_to_a_puzzle() {
    const OWN: Info = Info::new(Role::Search, "own-breadth", "breadth-first search");
    static SOLVER: Solver<Line, Costs> = Solver {
        info: &OWN,
        run: |line, _, run| Box::pin(run.plain(Bfs::new(line, BfsConfig::default()))),
    };
    let unknown = error("line", "3 40", "own-breadth");
    assert!(unknown.contains("own-breadth"), "{unknown}");
    SOLVER.add().unwrap();
    let record = solved("line", "3 40", "own-breadth", Budget::default()).unwrap();
    assert_eq!((record.status, record.value), (Status::Optimal, Some(5)));
    // It goes into other searches, and its name is not given twice.
    let record = solved("line", "3 40", "windows(own-breadth)", Budget::default()).unwrap();
    assert_eq!(record.value, Some(5));
    assert!(SOLVER.add().unwrap_err().to_string().contains("has a search `own-breadth`"));
    assert!(LINE.own().iter().any(|info| info.name == "own-breadth"));
}
