//! FreeCell in the catalogue.

use crate::{
    self as freecell, FreeCell, Layout, Move, Moves, Rules, Table,
    card::{Card, SUITS},
    cycles::{self, Cycles},
    deal, draw,
    forms::FORMS,
    generate,
    heuristics::{Feature, Hsdh, Mixture, Scaled, Single, hsdh, mixture, weights},
    measures::{Lengths, lengths},
    parse,
    solvers::{
        exhaust,
        fast::{self, Fast, FastConfig},
        optimal::{self, Measure, Optimal, OptimalConfig},
        short::{self, Short, ShortConfig},
    },
    touch,
};
use unriddle_catalog::{
    bind::Bound,
    board::{Cells, Sketch, Spot, Touch},
    family::{Form, Generator, Size, Variant},
    goal::Goal,
    heuristic::{ErasedHeuristic, HeuristicOf, Setup},
    input::Piece,
    instance::{Frame, Instance, Measures, SolveError, Style, Visit},
    listed::{Costs, ErasedInstance, Presentation, Preset, Solver},
};
use unriddle_core::{Cost, Guarantee, Heuristic, Info, Options, ParseError, Role, options};

/// FreeCell.
// Every build compiles a static with all searches that it refers to. Unit tests do without: it
// would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<Rules>();

impl Rules {
    fn instance(&self, layout: Layout, number: Option<u64>) -> Box<dyn Instance> {
        let puzzle = FreeCell::new(*self, layout);
        let name = number.map(|number| number.to_string());
        ErasedInstance::<_, Costs>::new(puzzle).named(name).boxed()
    }
}

impl Variant for Rules {
    type Aim = Costs;
    type Instance = FreeCell;

    const INFO: &'static Info = &freecell::INFO;
    const TITLE: &'static str = "FreeCell";
    const HAS_INDEPENDENT_RULES: bool = true;
    const EXTENSIONS: &'static [&'static str] = &["txt", "board"];
    const SIZES: &'static [Size] = &[Size { name: "full deck", generator: "uniform" }];
    const GENERATORS: &'static [Generator<Self>] = &[
        Generator::new(&UNIFORM, |rules, _, rng| Ok(generate::uniform(rules, rng).text())),
        Generator::new(&MICROSOFT, |rules, given, rng| {
            let MicrosoftConfig { min, max } = MicrosoftConfig::read(given);
            if min > max {
                let message = format!("`min` is {min}, which is more than `max`, {max}");
                return Err(given.error("min", message));
            }
            generate::microsoft(rules, min, max, rng)
                .map(|(number, _)| number.to_string())
                .map_err(|why| given.error("min", why))
        }),
    ];

    const FORMS: &'static [Form] = FORMS;

    fn configure(given: &Bound<'_>) -> Self {
        Self::read(given)
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let layout = parse::parse(text, self)?;
        Ok(self.instance(layout, parse::number(text)))
    }

    fn deal(&self, number: u64) -> Option<Result<Box<dyn Instance>, String>> {
        let layout = parse::numbered(number, self);
        Some(layout.map(|layout| self.instance(layout, Some(number))))
    }

    fn sketch(&self, instance: Option<&str>) -> Option<Sketch> {
        let layout = match instance {
            Some(text) => parse::parse(text, self).ok()?,
            None => parse::numbered(deal::FIRST, self).unwrap_or_else(|_| {
                let deck: Vec<Card> = (0..self.deck()).map(Card::from_index).collect();
                parse::dealt(&deck, self)
            }),
        };
        Some(touch::sketch(&layout, self))
    }

    fn sketched(&self, cells: &Cells) -> String {
        touch::sketched(cells, self)
    }

    fn split(&self, file: &str) -> Vec<Piece> {
        parse::split(file)
    }
}

/// Weights that need no file, by name.
const BUILT_IN: &[(&str, &str)] = &[
    ("evolved", include_str!("../weights/evolved.toml")),
    ("printed", include_str!("../weights/ga-freecell-printed.toml")),
    ("printed-as-distances", include_str!("../weights/ga-freecell-distances.toml")),
];

const UNIFORM: Info = Info {
    guarantee: "hardly ever unsolvable (one in about 80,000 with a full deck and the usual rules)",
    requires: "freecell",
    ..Info::new(Role::Generator, "uniform", "every order of the deck with the same probability")
};

const MICROSOFT: Info = Info {
    guarantee: "hardly ever unsolvable (eight of the first million)",
    requires: "freecell with 13 ranks",
    parameters: MicrosoftConfig::PARAMETERS,
    ..Info::new(
        Role::Generator,
        "microsoft",
        "a Microsoft deal, its number uniform between two bounds",
    )
};

options! {
    struct MicrosoftConfig of MICROSOFT {
        min: u64 = "1" in deal::FIRST..=deal::LAST, "smallest number";
        max: u64 = "1000000" in deal::FIRST..=deal::LAST, "largest number";
    }
}

/// Any of the puzzle's heuristics: one type, because each type is compiled into every depth-first
/// search anew, and a branch over four cases costs nothing beside the computation of a case.
enum Any {
    Single(Single),
    Hsdh(Hsdh),
    Mixture(Scaled),
    Cycles(Cycles),
}

impl Heuristic<FreeCell> for Any {
    type Memo = u32;

    fn guarantee(&self) -> Guarantee {
        match self {
            Self::Single(h) => h.guarantee(),
            Self::Hsdh(h) => h.guarantee(),
            Self::Mixture(h) => h.guarantee(),
            Self::Cycles(h) => h.guarantee(),
        }
    }

    #[inline]
    fn root(&self, puzzle: &FreeCell, table: &Table) -> Option<(Cost, u32)> {
        match self {
            Self::Single(h) => h.root(puzzle, table).map(|(h, ())| (h, 0)),
            Self::Hsdh(h) => h.root(puzzle, table).map(|(h, ())| (h, 0)),
            Self::Mixture(h) => h.root(puzzle, table).map(|(h, ())| (h, 0)),
            Self::Cycles(h) => h.root(puzzle, table),
        }
    }

    #[inline]
    fn child(
        &self,
        puzzle: &FreeCell,
        parent: &Table,
        memo: &u32,
        action: Move,
        child: &Table,
    ) -> Option<(Cost, u32)> {
        match self {
            Self::Cycles(h) => h.child(puzzle, parent, memo, action, child),
            _ => self.root(puzzle, child),
        }
    }
}

impl Presentation for FreeCell {
    /// The least of the eight texts that are left when suits are renamed so that cards of one
    /// colour keep one colour; the order of columns and cells does not count.
    fn canonical(&self) -> String {
        let renamed = |flips: u8| {
            // Suits of one colour are two apart, colours one.
            let suit = |suit: u8| {
                let suit = if flips & 1 != 0 && suit.is_multiple_of(2) { suit ^ 2 } else { suit };
                let suit = if flips & 2 != 0 && !suit.is_multiple_of(2) { suit ^ 2 } else { suit };
                if flips & 4 != 0 { suit ^ 1 } else { suit }
            };
            let card = |card: &Card| Card::new(card.rank(), suit(card.suit())).index();
            let column = |cards: &Vec<Card>| cards.iter().map(card).collect::<Vec<_>>();
            let mut columns: Vec<_> = self.layout.columns.iter().map(column).collect();
            let mut cells: Vec<_> =
                self.layout.cells.iter().map(|cell| cell.as_ref().map(card)).collect();
            let mut home = [0; SUITS];
            for (old, &height) in (0..).zip(&self.layout.foundations) {
                home[usize::from(suit(old))] = height;
            }
            columns.sort_unstable();
            cells.sort_unstable();
            (columns, cells, home)
        };
        format!("{:?}", (0..8).map(renamed).min())
    }

    /// Columns are in the order of the input.
    fn text(&self) -> String {
        self.layout.text()
    }

    fn draw(&self, table: &Table, style: Style) -> String {
        drawing(&self.layout_of(table), None, style)
    }

    fn draw_after(&self, played: &[Move], _: &Table, style: Style) -> String {
        drawing(&self.layout_after(played), played.last(), style)
    }

    fn spots(&self, played: &[Move], _: &Table) -> Vec<Spot> {
        touch::spots(&self.layout_after(played))
    }

    fn touch(&self, played: &[Move], _: &Table, action: Move) -> Touch {
        touch::touch(&self.layout_after(played), action)
    }

    /// States have no order of columns and cells, so the layout is played along.
    fn along(&self, actions: &[Move], visit: Visit<'_>) {
        let mut layout = self.layout.clone();
        visit(&|style| Frame { drawing: drawing(&layout, None, style), action: None });
        for &action in actions {
            let mut text = String::new();
            layout.play(action, &mut text);
            visit(&|style| Frame {
                drawing: drawing(&layout, Some(&action), style),
                action: Some(text.clone()),
            });
        }
    }

    fn action_text(&self, played: &[Move], action: Move) -> String {
        let mut text = String::new();
        self.layout_after(played).play(action, &mut text);
        text
    }
}

/// The drawing of a layout after a last action, if any.
fn drawing(layout: &Layout, last: Option<&Move>, style: Style) -> String {
    match style {
        Style::Plain => draw::text(layout, false),
        Style::Colour => draw::text(layout, true),
        Style::Svg => draw::svg(layout, last.map(|action| action.card)),
    }
}

impl Goal for FreeCell {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[
        HeuristicOf::new(&hsdh::INFO, |_, _| Ok(ErasedHeuristic::each(Any::Hsdh(Hsdh)))),
        single::<0>(),
        single::<1>(),
        single::<2>(),
        single::<3>(),
        single::<4>(),
        single::<5>(),
        single::<6>(),
        single::<7>(),
        single::<8>(),
        HeuristicOf::new(&mixture::INFO, |puzzle, setup| {
            let mixture = Mixture::read(setup.given);
            Ok(ErasedHeuristic::each(Any::Mixture(mixture.scaled(puzzle))))
        }),
        HeuristicOf::new(&mixture::WEIGHTS_INFO, read_weights),
        HeuristicOf::new(&cycles::INFO, |puzzle, _| {
            Ok(ErasedHeuristic::each(Any::Cycles(Cycles::new(puzzle.rules()))))
        }),
    ];

    const SOLVERS: &'static [Solver<Self, Costs>] = &[
        Solver {
            info: &fast::INFO,
            run: |puzzle, given, run| {
                Box::pin(run.plain(Fast::new(puzzle, FastConfig::read(given))))
            },
        },
        Solver {
            info: &short::INFO,
            run: |puzzle, given, run| {
                Box::pin(run.plain(Short::new(puzzle, ShortConfig::read(given))))
            },
        },
        Solver {
            info: &optimal::INFO,
            run: |puzzle, given, run| {
                Box::pin(run.plain(Optimal::new(puzzle, OptimalConfig::read(given))))
            },
        },
        Solver {
            info: &exhaust::INFO,
            run: |puzzle, _, run| Box::pin(run.plain(Ok(exhaust::search(puzzle)))),
        },
    ];

    const PRESETS: &'static [Preset<Self>] = &[
        Preset::new("default", "any solution, at once; a proof of unsolvability", |_| {
            Some("fc-fast")
        }),
        Preset::new("fast", "any solution, at once; a proof of unsolvability", |_| Some("fc-fast")),
        Preset::new("short", "a short solution (M0), soon", |_| Some("fc-short")),
        Preset::new(
            "optimal",
            "the fewest single-card moves (M1), proved; seconds to hours, and gigabytes",
            |_| Some("fc-optimal"),
        ),
        Preset::new(
            "shortest",
            "the fewest moves, a sequence as one (M0), proved; seconds to hours, and gigabytes",
            |_| Some("fc-optimal(measure=m0)"),
        ),
        Preset::new(
            "best",
            "a beam of half a million positions (M0), sometimes with a proof",
            |_| Some("fc-short(last=500k)"),
        ),
        Preset::new(
            "hsd",
            "Heineman's staged deepening with his own heuristic, as a baseline",
            |_| Some("staged(hsdh)"),
        ),
    ];

    fn measures(&self, solver: &Bound<'_>, actions: &[Move]) -> Measures {
        let Lengths { m0, m1, m2, m3 } = lengths(self, actions);
        // Every solution counts its own actions: single cards by the rules or by the solver.
        let single = self.rules().moves == Moves::Single
            || solver.info().name == optimal::INFO.name
                && OptimalConfig::read(solver).measure == Measure::M1;
        Measures {
            of_value: Some(if single { "m1" } else { "m0" }),
            all: vec![("m0", m0), ("m1", m1), ("m2", m2), ("m3", m3)],
        }
    }
}

/// The entry of a single feature.
const fn single<const FEATURE: usize>() -> HeuristicOf<FreeCell> {
    HeuristicOf::new(const { &Feature::ALL[FEATURE].info() }, |_, _| {
        Ok(ErasedHeuristic::each(Any::Single(Single(Feature::ALL[FEATURE]))))
    })
}

/// A mixture whose weights come with the puzzle or from a file.
fn read_weights(
    puzzle: &FreeCell,
    setup: &Setup<'_>,
) -> Result<ErasedHeuristic<FreeCell>, SolveError> {
    let given = setup.given;
    let file = &*mixture::WeightsConfig::read(given).file;
    let text = match BUILT_IN.iter().find(|(name, _)| *name == file) {
        Some((_, text)) => (*text).to_owned(),
        None => std::fs::read_to_string(file).map_err(|error| {
            let known = BUILT_IN.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            given.error("file", format!("{file}: {error} (without a file: {known})"))
        })?,
    };
    let read = weights::read(&text)
        .map_err(|error| given.error("file", format!("{file}, {error}")).of_file())?;
    Ok(ErasedHeuristic::each(Any::Mixture(read.mixture.scaled(puzzle))))
}
