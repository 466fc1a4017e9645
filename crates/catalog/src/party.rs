//! Party building in the catalogue.

mod archive;
mod building;
mod front;
pub mod solvers;
mod validate;

use crate::{
    bind::Bound,
    input,
    instance::{
        Aim, Events, Family, Frame, Instance, NoCertificate, Preset, Puzzle, Report, Request, Rng,
        Size, SolveError, Style,
    },
    solver::{Text, Written},
    spec::{Spec, SpecError},
    validate::{Archive, ArchiveRequest, Validation},
};
pub use solvers::{ANNEAL, BREED, CONSTRUCT, EXACT};
use unriddle_core::{Domain, Info, Parameter, ParseError, Role, Solution};
use unriddle_puzzles::party::{
    self, Party,
    document::{Wanted, document, written},
    draw,
    generate::{Kind, World, world},
    notation, puzzles,
    read::{Place, ReadError},
};
use unriddle_specialists::party::certify::{CertifyError, certify};
use unriddle_tables::cache::Build;

/// Party building.
pub const FAMILY: Family = Family {
    info: &party::INFO,
    aim: Aim::Assignment,
    searches: building::SEARCHES,
    specialists: &[&EXACT, &CONSTRUCT, &ANNEAL, &BREED],
    heuristics: &[],
    playouts: &[],
    generators: &[&WORLD],
    presets: &[
        Preset {
            name: "default",
            summary: "the cheapest team, proved: seconds for most puzzles, and as long as it takes for the others",
        },
        Preset {
            name: "fast",
            summary: "the first team that construction finds: milliseconds",
        },
        Preset {
            name: "anneal",
            summary: "ten annealings among the items that bounds leave: a second, without a proof",
        },
        Preset {
            name: "beam",
            summary: "a beam of teams that are built node by node: a tenth of a second, without a proof",
        },
        Preset {
            name: "nrpa",
            summary: "policies that learn to build teams, without end: give it a limit",
        },
        Preset {
            name: "islands",
            summary: "the paper's genetic algorithm on five islands, without end: give it a limit",
        },
        Preset {
            name: "vanilla",
            summary: "the paper's genetic algorithm with one population, without end: give it a limit",
        },
    ],
    sizes: &[Size {
        name: "any",
        generator: "world",
    }],
    configure: |bound| Box::new(PartyPuzzle::new(bound.text("puzzle"))),
    inline: false,
    split: input::documents,
};

/// What a preset stands for.
const PRESETS: &[(&str, &str)] = &[
    ("default", "team-exact"),
    ("fast", "team-construct"),
    ("anneal", "team-anneal(runs=10)"),
    ("beam", "layers(width=200)"),
    ("nrpa", "nrpa(bias=2)"),
    ("islands", "team-breed"),
    (
        "vanilla",
        "team-breed(islands=1, population=50, offspring=100)",
    ),
];

const fn size(
    name: &'static str,
    min: u64,
    max: u64,
    default: &'static str,
    summary: &'static str,
) -> Parameter {
    Parameter::named(name, Domain::Integer { min, max }, default, summary)
}

/// Kinds of generated puzzles.
const KINDS: [&str; 6] = ["type1", "type2", "type3", "varied", "matched", "impossible"];

const WORLD: Info = Info {
    name: "world",
    role: Role::Generator,
    version: 1,
    summary: "a fantasy world of heroes, and a puzzle for eleven of them",
    guarantee: "",
    requires: "",
    reference: "Automated graph genetic algorithm based puzzle validation for faster game design, 2022, section V-C",
    parameters: &[
        Parameter::positional(
            "puzzle",
            Domain::Choice(&KINDS),
            KINDS[0],
            "one of the paper's types, varied requirements, synergy by matrices, or requirements that contradict each other",
        ),
        size("heroes", 11, 1_000_000, "10000", "heroes"),
        size("races", 4, 12, "12", "races"),
        size("religions", 1, 1000, "40", "religions"),
        size("nations", 1, 1000, "60", "nations"),
    ],
};

struct PartyPuzzle {
    /// The puzzle that takes the place of the documents' own, or why it cannot be read.
    wanted: Result<Option<Wanted>, String>,
}

impl PartyPuzzle {
    fn new(puzzle: &str) -> Self {
        let wanted = match (puzzle, Kind::of(puzzle)) {
            ("own", _) => Ok(None),
            (_, Some(kind)) => Ok(Some(Wanted::Kind(kind))),
            (file, None) => std::fs::read_to_string(file)
                .map(|text| {
                    let file = file.to_owned();
                    Some(Wanted::Text { file, text })
                })
                .map_err(|error| {
                    format!("{file}: {error} (without a file: type1, type2, type3(elf=CODE))")
                }),
        };
        Self { wanted }
    }
}

/// Everything that is wrong with a document, as one error at the place of the first mistake; at the beginning of the document if
/// that place is a path. Each other mistake is told with its own place.
fn refused(errors: &[ReadError]) -> ParseError {
    let mut told: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let (mut line, mut column) = (1, 1);
    if let Some(ReadError {
        place: Place::Text(at_line, at_column),
        reason,
    }) = errors.first()
    {
        (line, column) = (*at_line, *at_column);
        told[0].clone_from(reason);
    }
    ParseError::at(line, column, told.join("; "))
}

impl Puzzle for PartyPuzzle {
    /// Without the puzzle that is wanted: every instance that was read has it in its own text.
    fn spec(&self) -> String {
        party::INFO.name.to_owned()
    }

    fn unit(&self) -> &'static str {
        "coins"
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let wanted = self.wanted.as_ref();
        let wanted = wanted.map_err(|why| ParseError::at(1, 1, format!("puzzle {why}")))?;
        let read = document(text, wanted.as_ref()).map_err(|errors| refused(&errors))?;
        Ok(Box::new(PartyInstance {
            party: read.party,
            text: read.text,
        }))
    }

    fn generate(&self, generator: &Bound<'_>, rng: &mut Rng) -> Result<String, SpecError> {
        let size = |name| generator.integer(name) as usize;
        let sizes = World {
            heroes: size("heroes"),
            races: size("races"),
            religions: size("religions"),
            nations: size("nations"),
        };
        let pool = world(&sizes, rng);
        let nodes = pool.formation.as_ref().map_or(0, party::Formation::nodes);
        let name = generator.choice("puzzle");
        let puzzle = match name {
            "varied" => puzzles::varied(&pool.items, rng),
            "matched" => puzzles::matched(&pool, rng),
            "impossible" => puzzles::impossible(&pool.items, nodes, rng),
            _ => Kind::of(name).and_then(|kind| kind.text(&pool.items)),
        };
        // Every world has the traits that they need.
        Ok(written(&pool, &puzzle.unwrap_or_default()))
    }

    fn tables(&self, _: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        Ok(Vec::new())
    }
}

/// A puzzle for a pool, and the document that it was read from.
struct PartyInstance {
    party: Party,
    text: String,
}

impl Written for Party {
    type Action = u32;

    fn written(&self, _: &Spec, best: &Solution<u32>) -> Text {
        Text::plain(notation::text(&best.actions), best.actions.len())
    }
}

impl Instance for PartyInstance {
    fn text(&self) -> String {
        self.text.clone()
    }

    fn preset(&self, name: &str) -> Option<Spec> {
        let (_, spec) = PRESETS.iter().find(|(known, _)| *known == name)?;
        Spec::parse(spec).ok()
    }

    fn solve(&self, request: &Request<'_>, events: &mut dyn Events) -> Result<Report, SolveError> {
        solvers::solve(&self.party, request, events)
    }

    fn validate(
        &self,
        id: &str,
        request: &crate::validate::Request,
        tell: &mut dyn FnMut(&str),
    ) -> Option<Result<Validation, SolveError>> {
        Some(validate::validate(self, id, request, tell))
    }

    fn archive(
        &self,
        request: &ArchiveRequest,
        tell: &mut dyn FnMut(&str),
    ) -> Option<Result<Archive, SolveError>> {
        Some(archive::archive(self, request, tell))
    }

    fn certificate(
        &self,
        least: Option<i64>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<String, NoCertificate> {
        certify(&self.party, least, go_on).map_err(|error| match error {
            CertifyError::Stopped => NoCertificate::Stopped,
            CertifyError::Cheaper(items) => NoCertificate::False(notation::text(&items)),
        })
    }

    fn frames(&self, solution: &str, style: Style) -> Result<Vec<Frame>, ParseError> {
        let items = notation::parse(&self.party, solution)?;
        let draw = |items: &[u32]| match style {
            Style::Plain => draw::text(&self.party, items, false),
            Style::Colour => draw::text(&self.party, items, true),
            Style::Svg => draw::svg(&self.party, items),
        };
        let frame = |count: usize| Frame {
            drawing: draw(&items[..count]),
            action: items[..count].last().map(|item| {
                let node = &self.party.formation.names()[count - 1];
                let cost = self.party.costs[*item as usize];
                format!("{node}: item {item} for {cost}")
            }),
        };
        Ok((0..=items.len()).map(frame).collect())
    }
}
