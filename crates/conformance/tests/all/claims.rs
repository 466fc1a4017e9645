//! A whole puzzle whose heuristics or upper bounds do not keep their claims is refused.
#![cfg(feature = "catalog")]

use unriddle_catalog::{
    Costs, ErasedHeuristic, ErasedInstance, Family, Generator, Goal, HeuristicOf, Info, Instance,
    Presentation, Preset, Role, Scored, Scores, Variant, bind::Bound, score::BoundOf,
};
use unriddle_conformance::{Violation, family};
use unriddle_core::{
    BatchHeuristic, Blind, Coded, Cost, Estimate, GoalPuzzle, Guarantee, Heuristic, Layered,
    Mobility, Notation, Numbers, ParseError, Puzzle, Row, Score, ScorePuzzle, Unfiltered,
    UpperBound, text,
};

/// Down the stairs to 0, by one or two at a time. One type for all faults: each type of puzzle
/// compiles all searches.
#[derive(Clone)]
struct Stairs {
    height: u8,
    /// Fault of the declarations.
    fault: u8,
}

impl Puzzle for Stairs {
    type State = u8;
    type Action = u8;
    type Actions = Numbers;

    fn initial_state(&self) -> u8 {
        self.height
    }
    fn actions(&self, stair: &u8) -> Numbers {
        Numbers::new(1, (*stair).min(2))
    }
    fn apply(&self, stair: &u8, steps: u8) -> u8 {
        stair - steps
    }
}

impl Notation for Stairs {
    fn state_text(&self, stair: &u8) -> String {
        stair.to_string()
    }
    fn solution_text(&self, steps: &[u8]) -> String {
        steps.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
    }
    fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
        text::read(text, |word| match word {
            "1" => Ok(1),
            "2" => Ok(2),
            _ => Err("expected 1 or 2".to_owned()),
        })
    }
}

impl Presentation for Stairs {}

const GUESS: Info = Info::new(Role::Heuristic, "guess", "an estimate");
const RANDOM: Info = Info::new(Role::Generator, "random", "some stairs");

fn parsed(text: &str, fault: u8) -> Result<Stairs, ParseError> {
    let height = text.trim().parse().ok().filter(|height| *height < 60);
    let height = height.ok_or_else(|| ParseError::at(1, 1, "expected a number of stairs"))?;
    Ok(Stairs { height, fault })
}

impl GoalPuzzle for Stairs {
    fn is_goal(&self, stair: &u8) -> bool {
        *stair == 0
    }
}

/// Not a number at the fifth stair.
struct Unknown;

impl BatchHeuristic<Stairs> for Unknown {
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn evaluate(&self, rows: &[Row<'_, Stairs>], out: &mut [f32]) {
        for (row, out) in rows.iter().zip(out) {
            *out = if *row.state == 5 { f32::NAN } else { 1.0 };
        }
    }
}

fn guess(stairs: &Stairs, stair: &u8) -> Option<Cost> {
    let half = Cost::from(stair.div_ceil(2));
    match stairs.fault {
        // Too much.
        1 => Some(half + Cost::from(*stair > 4)),
        // The largest number.
        2 => Some(if *stair == 0 { 0 } else { Cost::MAX }),
        // A false dead end.
        3 => Some(half).filter(|_| *stair != 7),
        4 => Some(if *stair == 6 { panic!("a broken estimate") } else { half }),
        // Admissible, and not consistent.
        6 => Some(if (*stair).is_multiple_of(3) { half } else { 0 }),
        _ => Some(half),
    }
}

impl Goal for Stairs {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[HeuristicOf::new(&GUESS, |stairs, _| {
        if stairs.fault == 5 {
            return Ok(ErasedHeuristic::Batch(Box::new(Unknown)));
        }
        Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, guess)))
    })];
    const PRESETS: &'static [Preset<Self>] =
        &[Preset::new("default", "the fewest steps", |_| Some("bfs"))];
}

/// The puzzle with a fault.
struct Faulty<const FAULT: u8>;

impl<const F: u8> Variant for Faulty<F> {
    type Aim = Costs;
    type Instance = Stairs;

    const INFO: &'static Info = &Info::new(Role::Puzzle, "stairs", "go down to 0");
    const GENERATORS: &'static [Generator<Self>] =
        &[Generator::new(&RANDOM, |_, _, rng| Ok((10 + rng.below(20)).to_string()))];

    fn configure(_: &Bound<'_>) -> Self {
        Self
    }
    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        Ok(ErasedInstance::<_, Costs>::new(parsed(text, F)?).boxed())
    }
}

/// The violation of a family.
fn found<const F: u8>() -> Result<(), Violation> {
    struct Of<const F: u8>;
    impl<const F: u8> Of<F> {
        const FAMILY: &'static Family = &Family::of::<Faulty<F>>();
    }
    family(Of::<F>::FAMILY)
}

/// Check of a family.
type Found = fn() -> Result<(), Violation>;

#[test]
fn families_whose_heuristics_break_their_claims_are_refused() {
    found::<0>().unwrap();
    let cases: [(Found, &str); 6] = [
        (found::<1>, "the estimate is not admissible"),
        (found::<2>, "the estimate is not admissible"),
        (found::<3>, "a goal can be reached from a dead end"),
        (found::<4>, "an estimate panics"),
        (found::<5>, "an estimate is `NaN`"),
        (found::<6>, "the estimate is not consistent on an edge"),
    ];
    for (found, what) in cases {
        let violation = found().unwrap_err();
        assert_eq!(violation.what(), what, "{violation}");
        assert_eq!(violation.fact("heuristic"), Some("guess"));
        assert!(violation.fact("state").is_some() && violation.fact("instance").is_some());
    }
    // An admissible claim is another one.
    let weaker = Estimate::<Stairs>::new(Guarantee::Admissible, guess);
    assert_eq!(weaker.root(&Stairs { height: 9, fault: 6 }, &9), Some((5, ())));
    assert_eq!(Heuristic::<Stairs>::guarantee(&Blind), Guarantee::Consistent);
}

/// Stairs with a reward for each step.
#[derive(Clone)]
struct Rewards {
    stairs: Stairs,
    /// Upper bound of the points of a high stair.
    bound: i64,
}

impl Puzzle for Rewards {
    type State = u8;
    type Action = u8;
    type Actions = Numbers;
    fn initial_state(&self) -> u8 {
        self.stairs.initial_state()
    }
    fn actions(&self, stair: &u8) -> Numbers {
        self.stairs.actions(stair)
    }
    fn apply(&self, stair: &u8, steps: u8) -> u8 {
        self.stairs.apply(stair, steps)
    }
}

impl ScorePuzzle for Rewards {
    fn reward(&self, _: &u8, steps: u8) -> Score {
        Score::from(steps) * 2
    }
}

impl Coded for Rewards {
    type Shape = ();
    fn code(&self, stair: &u8, steps: u8) -> u64 {
        u64::from(*stair) << 8 | u64::from(steps)
    }
}

impl Layered for Rewards {
    fn layer(&self, stair: &u8) -> usize {
        usize::from(*stair)
    }
}

impl Notation for Rewards {
    fn state_text(&self, stair: &u8) -> String {
        self.stairs.state_text(stair)
    }
    fn solution_text(&self, steps: &[u8]) -> String {
        self.stairs.solution_text(steps)
    }
    fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
        self.stairs.parse_solution(text)
    }
}

impl Presentation for Rewards {}

/// The bound of each stair.
struct Each;

impl UpperBound<Rewards> for Each {
    fn upper(&self, rewards: &Rewards, stair: &u8) -> Score {
        // A wrong bound gives too little for high stairs only.
        let each = if *stair > 5 { rewards.bound } else { 2 };
        each * Score::from(*stair)
    }
}

impl Scored for Rewards {
    const BOUNDS: &'static [BoundOf<Self>] = &[BoundOf::new(&GUESS, |_| Box::new(Each))];
    const PRESETS: &'static [Preset<Self>] = &[Preset::new("default", "a few play-outs", |_| {
        Some("nrpa(level=1, iterations=1, runs=1)")
    })];
    type Filter = Unfiltered;
    type Value = Mobility;
}

/// The score puzzle with an upper bound.
struct Bounded<const BOUND: i64>;

impl<const B: i64> Variant for Bounded<B> {
    type Aim = Scores;
    type Instance = Rewards;

    const INFO: &'static Info = &Info::new(Role::Puzzle, "rewards", "points for steps");
    const GENERATORS: &'static [Generator<Self>] =
        &[Generator::new(&RANDOM, |_, _, rng| Ok((10 + rng.below(20)).to_string()))];

    fn configure(_: &Bound<'_>) -> Self {
        Self
    }
    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let rewards = Rewards { stairs: parsed(text, 0)?, bound: B };
        Ok(ErasedInstance::<_, Scores>::new(rewards).boxed())
    }
}

#[test]
fn families_with_wrong_bounds_are_refused() {
    static RIGHT: Family = Family::of::<Bounded<2>>();
    static LOOSE: Family = Family::of::<Bounded<3>>();
    static WRONG: Family = Family::of::<Bounded<1>>();
    family(&RIGHT).unwrap();
    family(&LOOSE).unwrap();
    let violation = family(&WRONG).unwrap_err();
    assert!(violation.to_string().contains("upper bound"), "{violation}");
}
