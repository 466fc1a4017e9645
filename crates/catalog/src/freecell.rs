//! FreeCell in the catalogue.

use crate::{
    bind::{Bound, bind},
    input,
    instance::{
        Aim, Events, Family, Frame, Instance, Measures, Preset, Puzzle, Report, Request, Rng, Size,
        SolveError, Style,
    },
    solver::{Listed, Runner, Visitor, WithHeuristics, not_wired, solve_goal},
    spec::{Spec, SpecError},
};
use unriddle_core::{
    Cost, Domain, Guarantee, Heuristic, Info, Notation, Parameter, ParseError, Role, Solution,
};
use unriddle_puzzles::freecell::{
    self, Autoplay, FreeCell, Layout, Move, Moves, Rules, Table,
    cycles::{self, Cycles},
    deal, draw, generate,
    heuristics::{
        Combine, Feature, Hsdh, Mixture, Orientation, Scaled, Single, hsdh, mixture, weights,
    },
    measures::{Lengths, lengths},
    parse,
};
use unriddle_specialists::freecell::{exhaust, fast, optimal, short};
use unriddle_tables::{Cache, cache::Build};

/// FreeCell.
pub const FAMILY: Family = Family {
    info: &freecell::INFO,
    aim: Aim::Cost,
    playouts: &[],
    searches: &[],
    specialists: SPECIALISTS,
    heuristics: HEURISTICS,
    generators: &[&UNIFORM, &MICROSOFT],
    presets: &[
        Preset {
            name: "default",
            summary: "any solution, at once; a proof where there is none",
        },
        Preset {
            name: "fast",
            summary: "any solution, at once; a proof where there is none",
        },
        Preset {
            name: "short",
            summary: "a short solution (M0), soon",
        },
        Preset {
            name: "optimal",
            summary: "the fewest single-card moves (M1), proved; seconds to hours, and gigabytes",
        },
        Preset {
            name: "shortest",
            summary: "the fewest moves, a sequence as one (M0), proved; seconds to hours, and gigabytes",
        },
        Preset {
            name: "best",
            summary: "a beam of half a million positions (M0), sometimes with a proof",
        },
        Preset {
            name: "hsd",
            summary: "Heineman's staged deepening with his own heuristic, as a baseline",
        },
    ],
    sizes: &[Size {
        name: "full deck",
        generator: "uniform",
    }],
    configure: |bound| {
        Box::new(FreeCellPuzzle {
            rules: rules(bound),
        })
    },
    inline: true,
    split: input::boards,
};

/// The rules of a spec.
#[must_use]
pub fn rules(spec: &Bound<'_>) -> Rules {
    let is = |parameter: &str, word: &str| spec.choice(parameter) == word;
    Rules {
        cells: spec.integer("cells") as u8,
        columns: spec.integer("columns") as u8,
        ranks: spec.integer("ranks") as u8,
        moves: match is("moves", Moves::NAMES[1]) {
            true => Moves::Single,
            false => Moves::Sequence,
        },
        autoplay: match is("autoplay", Autoplay::NAMES[1]) {
            true => Autoplay::Safe,
            false => Autoplay::Written,
        },
    }
}

const SPECIALISTS: &[&Info] = &[&fast::INFO, &short::INFO, &optimal::INFO, &exhaust::INFO];

const FEATURES: &[Info; 9] = &[
    Feature::ALL[0].info(),
    Feature::ALL[1].info(),
    Feature::ALL[2].info(),
    Feature::ALL[3].info(),
    Feature::ALL[4].info(),
    Feature::ALL[5].info(),
    Feature::ALL[6].info(),
    Feature::ALL[7].info(),
    Feature::ALL[8].info(),
];
const HEURISTICS: &[&Info] = &[
    &hsdh::INFO,
    &FEATURES[0],
    &FEATURES[1],
    &FEATURES[2],
    &FEATURES[3],
    &FEATURES[4],
    &FEATURES[5],
    &FEATURES[6],
    &FEATURES[7],
    &FEATURES[8],
    &mixture::INFO,
    &mixture::WEIGHTS_INFO,
    &cycles::INFO,
];

/// Weights that need no file, by name.
const BUILT_IN: &[(&str, &str)] = &[
    (
        "evolved",
        include_str!("../../../data/freecell/evolved.toml"),
    ),
    (
        "printed",
        include_str!("../../../data/freecell/ga-freecell-printed.toml"),
    ),
    (
        "printed-as-distances",
        include_str!("../../../data/freecell/ga-freecell-distances.toml"),
    ),
];

/// What a preset stands for.
const PRESETS: &[(&str, &str)] = &[
    ("default", "fc-fast"),
    ("fast", "fc-fast"),
    ("short", "fc-short"),
    ("optimal", "fc-optimal"),
    ("shortest", "fc-optimal(measure=m0)"),
    ("best", "fc-short(last=500k)"),
    ("hsd", "staged(hsdh)"),
];

const UNIFORM: Info = Info {
    name: "uniform",
    role: Role::Generator,
    version: 1,
    summary: "every order of the deck with the same probability",
    guarantee: "hardly ever unsolvable (one in about 80,000 with a full deck and the usual rules)",
    requires: "freecell",
    reference: "",
    parameters: &[],
};

const NUMBER: Domain = Domain::Integer {
    min: deal::FIRST,
    max: deal::LAST,
};
const MICROSOFT: Info = Info {
    name: "microsoft",
    role: Role::Generator,
    version: 1,
    summary: "a Microsoft deal, its number uniform between two bounds",
    guarantee: "hardly ever unsolvable (eight of the first million)",
    requires: "freecell with 13 ranks",
    reference: "",
    parameters: &[
        Parameter::named("min", NUMBER, "1", "smallest number"),
        Parameter::named("max", NUMBER, "1000000", "largest number"),
    ],
};

struct FreeCellPuzzle {
    rules: Rules,
}

impl FreeCellPuzzle {
    fn instance(&self, layout: Layout, number: Option<u64>) -> Box<dyn Instance> {
        Box::new(FreeCellInstance {
            puzzle: FreeCell::new(self.rules, layout),
            number,
        })
    }
}

impl Puzzle for FreeCellPuzzle {
    fn spec(&self) -> String {
        self.rules.spec()
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let layout = parse::parse(text, &self.rules)?;
        Ok(self.instance(layout, parse::number(text)))
    }

    fn deal(&self, number: u64) -> Option<Result<Box<dyn Instance>, String>> {
        let layout = parse::numbered(number, &self.rules);
        Some(layout.map(|layout| self.instance(layout, Some(number))))
    }

    fn generate(&self, generator: &Bound<'_>, rng: &mut Rng) -> Result<String, SpecError> {
        if generator.info().name != MICROSOFT.name {
            return Ok(generate::uniform(&self.rules, rng).text());
        }
        let (min, max) = (generator.integer("min"), generator.integer("max"));
        if min > max {
            let message = format!("`min` is {min}, which is more than `max`, {max}");
            return Err(generator.error("min", message));
        }
        generate::microsoft(&self.rules, min, max, rng)
            .map(|(number, _)| number.to_string())
            .map_err(|why| generator.error("min", why))
    }

    fn tables(&self, _: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        Ok(Vec::new())
    }
}

struct FreeCellInstance {
    puzzle: FreeCell,
    /// The number of the deal, if it was given by its number.
    number: Option<u64>,
}

/// Any of the puzzle's heuristics: one type, because each type is compiled into every depth-first search
/// anew, and telling four cases apart costs nothing beside computing one of them.
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

impl Listed for FreeCell {
    fn family() -> &'static Family {
        &FAMILY
    }

    fn value_of(&self, actions: Vec<Move>) -> Solution<Move> {
        Solution::played(self, actions)
    }

    fn specialist(
        &self,
        solver: &Bound<'_>,
        run: Runner<'_, '_, Self>,
    ) -> Result<Report, SolveError> {
        match solver.info().name {
            "fc-fast" => {
                let slices = solver.integer("slices") as usize;
                run.plain(fast::Fast::new(self, fast::FastConfig { slices }))
            }
            "fc-short" => {
                let config = short::ShortConfig {
                    first: solver.integer("first") as usize,
                    last: solver.integer("last") as usize,
                    growth: solver.integer("growth") as usize,
                    max_depth: solver.integer("max_depth") as u32,
                    ..short::ShortConfig::default()
                };
                run.plain(short::Short::new(self, config))
            }
            "fc-exhaust" => run.plain(Ok(exhaust::Exhaust::new(self))),
            "fc-optimal" => {
                let measure = optimal::Measure::of(solver.choice("measure")).unwrap_or_default();
                run.plain(optimal::Optimal::new(
                    self,
                    optimal::OptimalConfig { measure },
                ))
            }
            other => Err(not_wired("solver", other)),
        }
    }

    fn measures(&self, solver: &Spec, actions: &[Move]) -> Measures {
        let Lengths { m0, m1, m2, m3 } = lengths(self, actions);
        // Every solution counts its own actions; one of them plays single cards.
        let single = solver.name() == optimal::INFO.name
            && bind(&optimal::INFO, solver)
                .is_ok_and(|bound| bound.choice("measure") == optimal::Measure::NAMES[0]);
        Measures {
            of_value: Some(if single { "m1" } else { "m0" }),
            all: vec![("m0", m0), ("m1", m1), ("m2", m2), ("m3", m3)],
        }
    }
}

impl WithHeuristics for FreeCell {
    fn visit<V: Visitor<Self>>(
        &self,
        heuristic: &Bound<'_>,
        _: &Cache,
        visitor: V,
    ) -> Result<V::Output, SolveError> {
        let name = heuristic.info().name;
        let feature = Feature::ALL.into_iter().find(|f| f.name() == name);
        let any = match (name, feature) {
            (_, Some(feature)) => Any::Single(Single(feature)),
            ("hsdh", _) => Any::Hsdh(Hsdh),
            ("cycles", _) => Any::Cycles(Cycles::new(self.rules())),
            ("mixture", _) => Any::Mixture(
                Mixture {
                    weights: Feature::ALL.map(|feature| heuristic.real(feature.name())),
                    combine: Combine::of(heuristic.choice("combine")).unwrap_or_default(),
                    orientation: Orientation::of(heuristic.choice("orientation"))
                        .unwrap_or_default(),
                }
                .scaled(self),
            ),
            ("weights", _) => {
                let file = heuristic.text("file");
                let text = match BUILT_IN.iter().find(|(name, _)| *name == file) {
                    Some((_, text)) => (*text).to_owned(),
                    None => std::fs::read_to_string(file).map_err(|error| {
                        let known: Vec<_> = BUILT_IN.iter().map(|(name, _)| *name).collect();
                        let known = known.join(", ");
                        let message = format!("{file}: {error} (without a file: {known})");
                        heuristic.error("file", message)
                    })?,
                };
                let read = weights::read(&text)
                    .map_err(|error| heuristic.error("file", format!("{file}, {error}")))?;
                Any::Mixture(read.mixture.scaled(self))
            }
            (other, _) => return Err(not_wired("heuristic", other)),
        };
        Ok(visitor.visit(any))
    }
}

impl Instance for FreeCellInstance {
    fn text(&self) -> String {
        self.puzzle.layout().text()
    }

    fn name(&self) -> Option<String> {
        self.number.map(|number| number.to_string())
    }

    fn preset(&self, name: &str) -> Option<Spec> {
        let (_, spec) = PRESETS.iter().find(|(known, _)| *known == name)?;
        Spec::parse(spec).ok()
    }

    fn solve(&self, request: &Request<'_>, events: &mut dyn Events) -> Result<Report, SolveError> {
        solve_goal(&self.puzzle, request, events)
    }

    fn frames(&self, solution: &str, style: Style) -> Result<Vec<Frame>, ParseError> {
        let draw = |layout: &Layout| match style {
            Style::Plain => draw::text(layout, false),
            Style::Colour => draw::text(layout, true),
            Style::Svg => draw::svg(layout),
        };
        let mut layout = self.puzzle.layout().clone();
        let mut frames = vec![Frame {
            drawing: draw(&layout),
            action: None,
        }];
        for action in self.puzzle.parse_solution(solution)? {
            let mut text = String::new();
            // A solution that was read is legal.
            layout.play(action, &mut text);
            frames.push(Frame {
                drawing: draw(&layout),
                action: Some(text),
            });
        }
        Ok(frames)
    }
}
