//! A whole puzzle whose heuristics or upper bounds do not keep their claims is refused.
#![cfg(feature = "catalog")]

use unriddle_catalog::{
    Bare, ErasedHeuristic, Family, Generator, Goal, HeuristicOf, Info, Plain, Presentation, Preset,
    Role, Scored, Scores, score::BoundOf,
};
use unriddle_conformance::{Violation, family};
use unriddle_core::{
    BatchHeuristic, Blind, Coded, Cost, Estimate, GoalPuzzle, Guarantee, Heuristic, Layered,
    Mobility, Notation, Numbers, ParseError, Puzzle, Row, Score, ScorePuzzle, Unfiltered,
    UpperBound, text,
};

/// Down the stairs to 0, by one or two at a time; the number chooses the fault of the declarations.
#[derive(Clone)]
struct Stairs<const FAULT: u8>(u8);

impl<const F: u8> Puzzle for Stairs<F> {
    type State = u8;
    type Action = u8;
    type Actions = Numbers;

    fn initial_state(&self) -> u8 {
        self.0
    }
    fn actions(&self, stair: &u8) -> Numbers {
        Numbers::new(1, (*stair).min(2))
    }
    fn apply(&self, stair: &u8, steps: u8) -> u8 {
        stair - steps
    }
}

impl<const F: u8> Notation for Stairs<F> {
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

impl<const F: u8> Presentation for Stairs<F> {}

const GUESS: Info = Info::new(Role::Heuristic, "guess", "an estimate");
const RANDOM: Info = Info::new(Role::Generator, "random", "some stairs");

fn parsed<const F: u8>(text: &str) -> Result<Stairs<F>, ParseError> {
    let number = text.trim().parse().ok().filter(|number| *number < 60);
    number.map(Stairs).ok_or_else(|| ParseError::at(1, 1, "expected a number of stairs"))
}

impl<const F: u8> GoalPuzzle for Stairs<F> {
    fn is_goal(&self, stair: &u8) -> bool {
        *stair == 0
    }
}

/// Not a number at the fifth stair.
struct Unknown;

impl<const F: u8> BatchHeuristic<Stairs<F>> for Unknown {
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }
    fn evaluate(&self, rows: &[Row<'_, Stairs<F>>], out: &mut [f32]) {
        for (row, out) in rows.iter().zip(out) {
            *out = if *row.state == 5 { f32::NAN } else { 1.0 };
        }
    }
}

fn guess<const F: u8>(_: &Stairs<F>, stair: &u8) -> Option<Cost> {
    let half = Cost::from(stair.div_ceil(2));
    match F {
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

impl<const F: u8> Goal for Stairs<F> {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[HeuristicOf::new(&GUESS, |_, _| {
        if F == 5 {
            return Ok(ErasedHeuristic::Batch(Box::new(Unknown)));
        }
        Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, guess::<F>)))
    })];
    const PRESETS: &'static [Preset<Self>] =
        &[Preset::new("default", "the fewest steps", |_| Some("bfs"))];
}

impl<const F: u8> Plain for Stairs<F> {
    const INFO: &'static Info = &Info::new(Role::Puzzle, "stairs", "go down to 0");
    const GENERATORS: &'static [Generator<Bare<Self>>] =
        &[Generator::new(&RANDOM, |_, _, rng| Ok((10 + rng.below(20)).to_string()))];
    fn parse(text: &str) -> Result<Self, ParseError> {
        parsed(text)
    }
}

/// The violation of a family.
fn found<const F: u8>() -> Result<(), Violation> {
    struct Of<const F: u8>;
    impl<const F: u8> Of<F> {
        const FAMILY: &'static Family = &Family::plain::<Stairs<F>>();
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
    let weaker = Estimate::<Stairs<6>>::new(Guarantee::Admissible, guess);
    assert_eq!(weaker.root(&Stairs(9), &9), Some((5, ())));
    assert_eq!(Heuristic::<Stairs<6>>::guarantee(&Blind), Guarantee::Consistent);
}

/// Stairs with a reward for each step; the number chooses the upper bound.
#[derive(Clone)]
struct Rewards<const BOUND: i64>(Stairs<0>);

impl<const B: i64> Puzzle for Rewards<B> {
    type State = u8;
    type Action = u8;
    type Actions = Numbers;
    fn initial_state(&self) -> u8 {
        self.0.initial_state()
    }
    fn actions(&self, stair: &u8) -> Numbers {
        self.0.actions(stair)
    }
    fn apply(&self, stair: &u8, steps: u8) -> u8 {
        self.0.apply(stair, steps)
    }
}

impl<const B: i64> ScorePuzzle for Rewards<B> {
    fn reward(&self, _: &u8, steps: u8) -> Score {
        Score::from(steps) * 2
    }
}

impl<const B: i64> Coded for Rewards<B> {
    type Shape = ();
    fn code(&self, stair: &u8, steps: u8) -> u64 {
        u64::from(*stair) << 8 | u64::from(steps)
    }
}

impl<const B: i64> Layered for Rewards<B> {
    fn layer(&self, stair: &u8) -> usize {
        usize::from(*stair)
    }
}

impl<const B: i64> Notation for Rewards<B> {
    fn state_text(&self, stair: &u8) -> String {
        self.0.state_text(stair)
    }
    fn solution_text(&self, steps: &[u8]) -> String {
        self.0.solution_text(steps)
    }
    fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
        self.0.parse_solution(text)
    }
}

impl<const B: i64> Presentation for Rewards<B> {}

/// The bound of each stair.
struct Each<const BOUND: i64>;

impl<const B: i64> UpperBound<Rewards<B>> for Each<B> {
    fn upper(&self, _: &Rewards<B>, stair: &u8) -> Score {
        // A wrong bound gives too little for high stairs only.
        if *stair > 5 { B * Score::from(*stair) } else { 2 * Score::from(*stair) }
    }
}

impl<const B: i64> Scored for Rewards<B> {
    const BOUNDS: &'static [BoundOf<Self>] = &[BoundOf::new(&GUESS, |_| Box::new(Each))];
    const PRESETS: &'static [Preset<Self>] = &[Preset::new("default", "a few play-outs", |_| {
        Some("nrpa(level=1, iterations=1, runs=1)")
    })];
    type Filter = Unfiltered;
    type Value = Mobility;
}

impl<const B: i64> Plain<Scores> for Rewards<B> {
    const INFO: &'static Info = &Info::new(Role::Puzzle, "rewards", "points for steps");
    const GENERATORS: &'static [Generator<Bare<Self, Scores>>] =
        &[Generator::new(&RANDOM, |_, _, rng| Ok((10 + rng.below(20)).to_string()))];
    fn parse(text: &str) -> Result<Self, ParseError> {
        parsed(text).map(Self)
    }
}

#[test]
fn families_with_wrong_bounds_are_refused() {
    static RIGHT: Family = Family::plain_scores::<Rewards<2>>();
    static LOOSE: Family = Family::plain_scores::<Rewards<3>>();
    static WRONG: Family = Family::plain_scores::<Rewards<1>>();
    family(&RIGHT).unwrap();
    family(&LOOSE).unwrap();
    let violation = family(&WRONG).unwrap_err();
    assert!(violation.to_string().contains("upper bound"), "{violation}");
}
