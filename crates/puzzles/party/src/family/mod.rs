//! Party building in the catalogue.

mod archive;
mod building;
mod front;
mod pieces;
mod report;
pub mod solvers;
mod validate;

use crate::solvers::certify::certify;
use crate::{
    self as party, Party, PartyConfig, Team, Unpriced,
    document::{Document, PuzzleSource, document_priced, written},
    draw,
    errors::{Location, ReadError},
    generate::{Kind, WORLD, World, WorldPuzzle, world},
    notation, puzzles, sheet,
};
pub use report::{REPORT, ReportConfig};
pub use solvers::{ANNEAL, BREED, CONSTRUCT, EXACT};
use unriddle_catalog::{
    assignment::Assignment,
    bind::Bound,
    family::{Form, Generator, Variant},
    input::Piece,
    instance::{Certifies, Extensions, Frame, Instance, NoCertificate, Rng, Style, Visit},
    listed::{ErasedInstance, Placings, Preset, Solver},
    record::Unit,
    sheet::{Change, Misfit, Sheet},
};
use unriddle_core::{Info, Options, ParseError};

/// Party building.
// Every build compiles a static with all searches that it refers to. Unit tests do without: it
// would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<PartyVariant>();

/// Party building with the puzzle that is asked for.
pub struct PartyVariant {
    /// The puzzle that replaces the documents' own, or why it cannot be read.
    wanted: Result<Option<PuzzleSource>, String>,
    unpriced: Unpriced,
    price_column: String,
}

/// All mistakes of a document as one error, at the position of the first mistake, or at the
/// beginning of the document if that position is a path. The text gives every other mistake with
/// its own position.
fn refused(errors: &[ReadError]) -> ParseError {
    let mut told: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let (mut line, mut column) = (1, 1);
    if let Some(ReadError { place: Location::Text(at_line, at_column), reason }) = errors.first() {
        (line, column) = (*at_line, *at_column);
        told[0].clone_from(reason);
    }
    ParseError::at(line, column, told.join("; "))
}

impl Variant for PartyVariant {
    type Aim = Placings;
    type Instance = PartyInstance;

    const INFO: &'static Info = &party::INFO;
    const TITLE: &'static str = "Party building";
    const HAS_INDEPENDENT_RULES: bool = true;
    const UNIT: &'static str = party::COINS;
    const VALIDATION: Option<&'static Info> = Some(&REPORT);
    const INLINE: bool = false;
    const FORMS: &'static [Form] = &[
        Form::new(
            "document",
            "A JSON document of items, a formation and the puzzle: docs/party.schema.json has all keys. Names of traits and numbers \
             may be written in upper or lower case. Requirements may bound the sum of `price`, and `\"objective\": {\"most\": \
             \"level\"}` asks for the most of a number, whose value is then negative. No key may occur twice. A file may \
             contain several documents, one after the other.",
            "{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1]],\n \"items\": [{\"price\": 1, \"level\": 80}, {\"price\": 2, \"level\": 84}, {\"price\": 3, \"level\": 90}],\n \"puzzle\": {\"requirements\": [{\"sum\": \"level\", \"at_least\": 170}]}}\n",
        ),
        Form::new(
            "table",
            "A table of items, separated by commas, tabs or semicolons, with quotes as in CSV; the puzzle comes with \
             `party(puzzle=FILE)`. The header names the columns, in upper or lower case: `price`, `name` (optional), \
             and any others. A column of numbers is a number, any other is a trait, and so is `NAME:trait`. \
             Prices may have up to three decimals (`12.50`), and commas between thousands where no other reading is \
             possible (`1,234.50`). Values in records are whole: they count units of the last decimal, and `unit` \
             gives it (`0.01 coins`). \
             An item without a price (an empty cell, `n/a`, `-`, `null`) is refused, unless the option `unpriced` has another \
             value. `price_column` is the name of the prices' column if it is not `price`. Names may repeat. \
             The entire file is one instance.",
            "",
        ),
    ];
    const GENERATORS: &'static [Generator<Self>] =
        &[Generator { info: &WORLD, make: |_, given, rng| Ok(generate(&World::read(given), rng)) }];

    fn configure(given: &Bound<'_>) -> Self {
        let PartyConfig { puzzle, unpriced, price_column } = PartyConfig::read(given);
        let wanted = match (puzzle.as_str(), Kind::of(&puzzle)) {
            ("own", _) => Ok(None),
            (_, Some(kind)) => Ok(Some(PuzzleSource::Kind(kind))),
            (file, None) => match std::fs::read_to_string(file) {
                Ok(text) => Ok(Some(PuzzleSource::Text { file: puzzle, text })),
                Err(error) => {
                    Err(format!("{file}: {error} (without a file: type1, type2, type3(elf=CODE))"))
                }
            },
        };
        Self { wanted, unpriced, price_column }
    }

    /// Without any parameter: every instance that was read has its puzzle in its own text, and a
    /// price for every item.
    fn spec(_: &Bound<'_>) -> String {
        party::INFO.name.to_owned()
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let wanted = self.wanted.as_ref();
        let wanted = wanted.map_err(|why| ParseError::at(1, 1, format!("puzzle {why}")))?;
        let read = document_priced(text, wanted.as_ref(), self.unpriced, &self.price_column);
        let Document { party, text, .. } = read.map_err(|errors| refused(&errors))?;
        Ok(ErasedInstance::<_, Placings>::new(PartyInstance { party, text }).boxed())
    }

    fn split(&self, file: &str) -> Vec<Piece> {
        pieces::pieces(file)
    }

    fn sheet(&self, instance: &str) -> Option<Sheet> {
        sheet::sheet(instance)
    }

    fn rewritten(&self, instance: &str, changes: &[Change]) -> Result<String, Misfit> {
        sheet::rewritten(instance, changes)
    }
}

/// A world and a puzzle for it.
fn generate(size: &World, rng: &mut Rng) -> String {
    let pool = world(size, rng);
    let nodes = pool.formation.as_ref().map_or(0, party::Formation::nodes);
    let puzzle = match size.puzzle {
        WorldPuzzle::Varied => puzzles::varied(&pool.items, rng),
        WorldPuzzle::Matched => puzzles::matched(&pool, rng),
        WorldPuzzle::Impossible => puzzles::impossible(&pool.items, nodes, rng),
        WorldPuzzle::Type1 | WorldPuzzle::Type2 | WorldPuzzle::Type3 => {
            Kind::of(size.puzzle.name()).and_then(|kind| kind.text(&pool.items))
        }
    };
    // Every world has the traits that the puzzles need.
    written(&pool, &puzzle.unwrap_or_default())
}

/// A puzzle for a pool, and the document that it was read from.
pub struct PartyInstance {
    party: Party,
    text: String,
}

impl Assignment for PartyInstance {
    type Action = u32;

    const SOLVERS: &'static [Solver<Self, Placings>] = solvers::SOLVERS;

    const PRESETS: &'static [Preset<Self>] = &[
        Preset {
            name: "default",
            summary: "the cheapest team, proved: seconds for most puzzles, and as long as it takes for the others",
            solver: |_| Some("team-exact"),
        },
        Preset {
            name: "fast",
            summary: "the first team that construction finds: milliseconds",
            solver: |_| Some("team-construct"),
        },
        Preset {
            name: "anneal",
            summary: "ten annealings among the items that bounds leave: a second, without a proof",
            solver: |_| Some("team-anneal(runs=10)"),
        },
        Preset {
            name: "beam",
            summary: "a beam of teams that are built node by node: a tenth of a second, without a proof",
            solver: |_| Some("layers(width=200)"),
        },
        Preset {
            name: "nrpa",
            summary: "policies that learn to build teams, without end: give it a limit",
            solver: |_| Some("nrpa(bias=2)"),
        },
        Preset {
            name: "islands",
            summary: "the paper's genetic algorithm on five islands, without end: give it a limit",
            solver: |_| Some("team-breed"),
        },
        Preset {
            name: "vanilla",
            summary: "the paper's genetic algorithm with one population, without end: give it a limit",
            solver: |_| Some("team-breed(islands=1, population=50, offspring=100)"),
        },
    ];

    fn text(&self) -> String {
        self.text.clone()
    }

    fn solution_text(&self, items: &[u32]) -> String {
        notation::text(items)
    }

    fn named(&self, items: &[u32]) -> Option<String> {
        notation::named(&self.party, items)
    }

    fn unit(&self) -> Option<Unit> {
        let (places, unit) = (self.party.items.price_places, self.party.unit);
        if unit == PartyVariant::UNIT {
            Unit::parts(places, unit)
        } else {
            Unit::other(places, unit)
        }
    }

    fn along(&self, solution: &str, visit: Visit<'_>) -> Result<(), ParseError> {
        let items = notation::parse(&self.party, solution)?;
        let draw = |items: &[u32], style| match style {
            Style::Plain => draw::text(&self.party, items, false),
            Style::Colour => draw::text(&self.party, items, true),
            Style::Svg => draw::svg(&self.party, items),
        };
        let frame = |count: usize, style| Frame {
            drawing: draw(&items[..count], style),
            action: items[..count].last().map(|item| {
                let node = &self.party.formation.names()[count - 1];
                let cost = self.party.price_text(self.party.costs[*item as usize]);
                format!("{node}: item {} for {cost}", self.party.items.label(*item))
            }),
        };
        for count in 0..=items.len() {
            visit(&|style| frame(count, style));
        }
        Ok(())
    }

    fn replay(&self, solution: &str) -> Result<(i64, u64), String> {
        let items = notation::parse(&self.party, solution).map_err(|error| error.to_string())?;
        let (found, nodes) = (items.len(), self.party.formation.nodes());
        if found < nodes {
            return Err(format!("the team has {found} items, and the puzzle has {nodes} nodes"));
        }
        let team = Team::new(&self.party, &items);
        let found = team.is_feasible().then(|| (team.cost(), items.len() as u64));
        found.ok_or_else(|| "the team does not satisfy every requirement".to_owned())
    }

    fn extensions(&self) -> Extensions<'_> {
        Extensions { validates: Some(self), certifies: Some(self) }
    }
}

impl Certifies for PartyInstance {
    fn certificate(
        &self,
        least: Option<i64>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<String, NoCertificate> {
        certify(&self.party, least, go_on)
    }
}
