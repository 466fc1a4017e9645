//! Towers of Hanoi in the catalogue.

use crate::{Hanoi, MOST, PEGS, State, misplaced};
use unriddle_catalog::{
    bind::Bound,
    family::{Generator, Size, Variant},
    goal::Goal,
    heuristic::{ErasedHeuristic, HeuristicOf},
    instance::{Instance, Style},
    listed::{Costs, ErasedInstance, Presentation, Preset, plain_drawing},
};
use unriddle_core::{
    Estimate, Guarantee, Info, Notation as _, Options as _, ParseError, Puzzle as _, Rng, Role,
    options,
};

/// Towers of Hanoi.
// Every build compiles a static with all searches that it refers to. Unit tests do without: it
// would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<Variety>();

options! {
    /// Towers of Hanoi with a number of pegs.
    pub struct Variety of INFO {
        pegs: u8 = "3" in 3..=PEGS as u8, "pegs";
    }
}

/// Towers of Hanoi.
pub const INFO: Info = Info {
    parameters: Variety::PARAMETERS,
    ..Info::new(Role::Puzzle, "hanoi", "bring all disks to the last peg")
};

const TOWER: Info = Info {
    parameters: Tower::PARAMETERS,
    ..Info::new(Role::Generator, "tower", "all disks on the first peg")
};
options! { struct Tower of TOWER { disks: u8 = "4" in 1..=MOST as u8, positional, "disks"; } }

const RANDOM: Info = Info {
    parameters: Random::PARAMETERS,
    ..Info::new(Role::Generator, "random", "each disk on a random peg")
};
options! { struct Random of RANDOM { disks: u8 = "4" in 1..=MOST as u8, positional, "disks"; } }

/// Text of an instance: `peg` is called for each of the `disks` smallest disks.
fn text(variety: &Variety, disks: u8, mut peg: impl FnMut() -> u8) -> String {
    let mut start: State = [variety.pegs - 1; MOST];
    let disks = usize::from(disks);
    start[..disks].fill_with(&mut peg);
    let puzzle = Hanoi { disks, pegs: variety.pegs, start };
    puzzle.state_text(&start)
}

impl Variant for Variety {
    type Aim = Costs;
    type Instance = Hanoi;

    const INFO: &'static Info = &INFO;
    const SIZES: &'static [Size] = &[Size { name: "8 disks", generator: "random(8)" }];
    const GENERATORS: &'static [Generator<Self>] = &[
        Generator::new(&RANDOM, |variety, given, rng: &mut Rng| {
            let peg = || rng.below(variety.pegs.into()) as u8;
            Ok(text(variety, Random::read(given).disks, peg))
        }),
        Generator::new(&TOWER, |variety, given, _| {
            Ok(text(variety, Tower::read(given).disks, || 0))
        }),
    ];

    fn configure(given: &Bound<'_>) -> Self {
        Self::read(given)
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        Ok(ErasedInstance::<_, Costs>::new(Hanoi::parse(text, self.pegs)?).boxed())
    }
}

const MISPLACED: Info = Info {
    guarantee: "consistent",
    requires: "towers of Hanoi",
    ..Info::new(Role::Heuristic, "misplaced", "disks that are not on the last peg")
};

impl Goal for Hanoi {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[HeuristicOf::new(&MISPLACED, |_, _| {
        Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, misplaced)))
    })];
    const PRESETS: &'static [Preset<Self>] =
        &[Preset::new("default", "the fewest moves", |_| Some("astar(misplaced)"))];
}

impl Presentation for Hanoi {
    /// All pegs but the last are alike.
    fn canonical(&self) -> String {
        let mut known = vec![self.pegs - 1];
        let start = self.initial_state();
        let disks = self.disks(&start).iter().map(|&peg| {
            let at = known.iter().position(|&other| other == peg);
            at.unwrap_or_else(|| {
                known.push(peg);
                known.len() - 1
            })
        });
        format!("{} pegs: {:?}", self.pegs, disks.collect::<Vec<_>>())
    }

    fn draw(&self, state: &State, style: Style) -> String {
        let peg = |peg: u8| {
            let disks = self.disks(state).iter().enumerate().rev();
            let disks = disks.filter(|&(_, &at)| at == peg);
            let disks: String = disks.map(|(disk, _)| format!(" {}", disk + 1)).collect();
            format!("{} |{disks}\n", peg + 1)
        };
        let pegs: String = (0..self.pegs).map(peg).collect();
        plain_drawing(&pegs, style)
    }
}
