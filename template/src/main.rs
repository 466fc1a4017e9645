//! A user-defined puzzle: pancake sorting, with the whole command line.
//!
//! A stack of pancakes of different sizes is to be brought into order by flips, each of which turns
//! the topmost pancakes over. Run it with `cargo run --release --example own_puzzle -- solve
//! pancakes "3 1 4 2"`; `describe pancakes`, `generate pancakes`, `lab run FILE` and all other
//! verbs work as well. No independent checker knows the puzzle, so records contain `checked_by: own
//! rules`.

use std::{ops::RangeInclusive, process::ExitCode};
use unriddle::prelude::*;

/// Most pancakes of a stack.
const MOST: usize = 16;

/// Sizes from top to bottom, padded with the sizes that would follow in order: the plate counts as
/// the largest pancake.
type Stack = [u8; MOST + 1];

/// The sizes at the start.
#[derive(Clone)]
struct Pancakes(Vec<u8>);

impl Puzzle for Pancakes {
    type State = Stack;
    type Action = u8;
    type Actions = Numbers;
    fn initial_state(&self) -> Stack {
        std::array::from_fn(|place| self.0.get(place).copied().unwrap_or(place as u8 + 1))
    }
    fn actions(&self, _: &Stack) -> Numbers {
        Numbers::new(2, self.0.len() as u8)
    }
    fn apply(&self, stack: &Stack, flip: u8) -> Stack {
        let mut after = *stack;
        after[..usize::from(flip)].reverse();
        after
    }
    fn is_inverse(&self, last: u8, next: u8) -> bool {
        last == next
    }
}

impl GoalPuzzle for Pancakes {
    fn is_goal(&self, stack: &Stack) -> bool {
        stack.is_sorted()
    }
}

/// The word as a number, if it is within the range.
fn within(word: &str, range: RangeInclusive<u8>) -> Option<u8> {
    word.parse().ok().filter(|n| range.contains(n))
}

impl Notation for Pancakes {
    fn state_text(&self, stack: &Stack) -> String {
        self.solution_text(&stack[..self.0.len()])
    }
    fn solution_text(&self, numbers: &[u8]) -> String {
        let words: Vec<String> = numbers.iter().map(u8::to_string).collect();
        words.join(" ")
    }
    fn parse_solution(&self, text: &str) -> Result<Vec<u8>, ParseError> {
        let most = self.0.len() as u8;
        text::read(text, |word| {
            within(word, 2..=most).ok_or_else(|| format!("expected a flip of 2 to {most} pancakes"))
        })
    }
}

impl Presentation for Pancakes {
    fn draw(&self, stack: &Stack, style: Style) -> String {
        let bar = |&size: &u8| format!("{:^33}\n", "=".repeat(2 * usize::from(size) - 1));
        let bars: String = stack[..self.0.len()].iter().map(bar).collect();
        plain_drawing(&bars, style)
    }
}

const GAP: Info = Info::new(Role::Heuristic, "gap", "neighbours far apart in size");

/// A flip parts or joins one pair of neighbours only (Helmert 2010, Landmark heuristics for the
/// pancake problem).
fn gap(_: &Pancakes, stack: &Stack) -> Option<Cost> {
    let is_gap = |pair: &&[u8]| pair[0].abs_diff(pair[1]) > 1;
    Some(stack.windows(2).filter(is_gap).count() as Cost)
}

const LARGE: Info = Info::new(Role::Heuristic, "large", "flips that the largest ones need");

const MIXED: Info = Info {
    parameters: Mixed::PARAMETERS,
    ..Info::new(
        Role::Heuristic,
        "mixed",
        "gaps and displacements, weighted: to be evolved or tuned",
    )
};
options! {
    struct Mixed of MIXED {
        gaps: f64 = "1" in 0.0..=1.0, "weight of the gaps";
        shifts: f64 = "0" in 0.0..=1.0, "weight of how far each pancake is from its place";
    }
}

fn shifts(_: &Pancakes, stack: &Stack) -> Option<Cost> {
    Some((1..).zip(stack).map(|(place, &size)| Cost::from(size.abs_diff(place))).sum())
}

impl Goal for Pancakes {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[
        HeuristicOf::new(&GAP, |_, _| {
            Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, gap)))
        }),
        HeuristicOf::new(&LARGE, |puzzle, setup| {
            let most = puzzle.0.len() as u8;
            let six = Places::<Self> {
                name: format!("pancakes-{most}"),
                pieces: (1..=most).collect(),
                kept: (most.saturating_sub(5).max(1)..=most).collect(),
                piece: |stack, place| stack[place],
                state: |sizes| Self(sizes.to_vec()).initial_state(),
            };
            let database = Database::new(puzzle, [six], setup.cache())?;
            Ok(ErasedHeuristic::each(database))
        }),
        HeuristicOf::new(&MIXED, |_, setup| {
            let weights = Mixed::read(setup.given);
            let weights = [weights.gaps, weights.shifts];
            Ok(ErasedHeuristic::each(Weighted::new([gap, shifts], weights, 1000.0)))
        }),
    ];
    const PRESETS: &'static [Preset<Self>] =
        &[Preset::new("default", "the fewest flips", |_| Some("idastar(gap)"))];
    const LEARNING: Option<Learning<Self>> = Some(Learning::new(&[]));
    const ENDS: Option<BothEnds<Self>> = Some(BothEnds::new());
}

const RANDOM: Info = Info {
    parameters: Random::PARAMETERS,
    ..Info::new(Role::Generator, "random", "all orders equally probable")
};
options! { struct Random of RANDOM { count: u8 = "8" in 1..=MOST as u8, positional, "pancakes"; } }

impl Plain for Pancakes {
    const INFO: &'static Info = &Info::new(Role::Puzzle, "pancakes", "flip pancakes into order");
    const UNIT: &'static str = "flips";
    const GENERATORS: &'static [Generator<Bare<Self>>] =
        &[Generator::new(&RANDOM, |_, given, rng| {
            let mut sizes: Vec<u8> = (1..=Random::read(given).count).collect();
            rng.shuffle(&mut sizes);
            Ok(Self(Vec::new()).solution_text(&sizes))
        })];
    fn parse(text: &str) -> Result<Self, ParseError> {
        let most = text.split_whitespace().count().min(MOST) as u8;
        let mut seen = Vec::new();
        let sizes = text::read(text, |word| {
            let size = within(word, 1..=most).filter(|n| !seen.contains(n));
            seen.extend(size);
            size.ok_or_else(|| format!("expected sizes of 1 to {most}, each once"))
        });
        sizes.map(Self)
    }
}

static FAMILY: Family = Family::plain::<Pancakes>();

fn main() -> ExitCode {
    let registry = Registry::new([&FAMILY]).expect("one puzzle has one name");
    unriddle::cli::Program::new("own_puzzle", env!("CARGO_PKG_VERSION"), registry).main()
}

mod learning;
#[cfg(test)]
mod tests;
