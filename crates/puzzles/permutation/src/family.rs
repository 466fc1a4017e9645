//! Permutation puzzles in the catalogue.

use crate::{
    adjacent::{by_neighbours, by_positions},
    builtin::{KINDS, builtin},
    definition::Definition,
    document, draw,
    puzzle::{Labels, NAME, Permutation},
    reach::unreachable,
    read::{self, santa, start::start},
    rules::Rules,
    tables::{self, PdbConfig, Tables},
};
use std::sync::{Arc, Mutex, PoisonError};
use unriddle_catalog::{
    Costs, ErasedHeuristic, ErasedInstance, Files, Form, Generator, Goal, HeuristicOf, Instance,
    Learning, Presentation, Preset, Size, SolveError, SpecError, Style, Variant,
    bind::Bound,
    ends::BothEnds,
    input::{self, Piece},
    listed::DeclaredPuzzle,
    spec::Spec,
};
use unriddle_core::{Info, Options as _, ParseError, Puzzle as _, Rng, Role, Steps, Walk, options};
use unriddle_tables::cache::Build;

/// Permutation puzzles.
// Every build compiles a static with all searches that it refers to. Unit tests do without: it
// would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<Variety>();

options! {
    /// Puzzle of a file, or a built-in puzzle.
    pub struct Variety of INFO {
        file: String = "cube-2", positional, "file of the puzzle, or name of a built-in one", "Built-in puzzles are cubes (`cube-2` to `cube-7`, also `cube-3-quarter` and `cube-3-slices`), `pyraminx`, `skewb`, `megaminx`, `square-1`, `wreath-6-6`, `globe-3-4`, `pancake-10`, `burnt-pancake-10`, `top-spin-20-4`, `symmetric-10`, `transpositions-10` and `all-transpositions-10`, with other numbers as well. Files have the forms of `docs/permutation.md`.";
        kind: String = "any", "puzzle of a file that contains several";
    }
    also {
        /// The puzzles of the file.
        puzzles: Vec<Arc<Rules>> = Vec::new();
        /// The rules of the instance that was read last.
        recent: Recent = Recent::default();
    }
}

/// Value of `kind` for a file with one puzzle.
const ANY: &str = "any";

/// Rules of the instance that was read last: instances of a batch mostly have the same.
#[derive(Clone, Debug, Default)]
pub struct Recent(Arc<Mutex<Option<Arc<Rules>>>>);

/// Puzzles that differ only in this are equal.
impl PartialEq for Recent {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Recent {
    /// The rules of a definition.
    fn rules(&self, definition: Definition) -> Arc<Rules> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some(rules) if rules.definition == definition => Arc::clone(rules),
            _ => Arc::clone(last.insert(Arc::new(Rules::new(definition)))),
        }
    }
}

/// Permutation puzzles.
pub(crate) const INFO: Info = Info {
    parameters: Variety::PARAMETERS,
    reference: "Rokicki 2023, twsearch; Holbrook et al. 2023, Santa 2023 (Kaggle)",
    ..Info::new(Role::Puzzle, NAME, "any puzzle of moves that permute pieces, from a file")
};

const RANDOM: Info = Info {
    guarantee: "solvable",
    ..Info::new(Role::Generator, "random", "every reachable state with the same probability")
};

const WALK: Info = Info {
    guarantee: "solvable by `moves` moves, perhaps by fewer",
    parameters: Walked::PARAMETERS,
    ..Info::new(Role::Generator, "walk", "random moves back from the goal")
};
options! {
    struct Walked of WALK { moves: u64 = "20" in 0..=1_000_000_000, positional, "moves"; }
}

const FORMS: &[Form] = &[
    Form::new(
        "state",
        "The label of each position of the puzzle that the parameter `file` names, separated by blanks, or without blanks if each \
         label has one character. A name before a colon is the instance's id.",
        "a: UUUURRRRFFFFDDDDLLLLBBBB",
    ),
    Form::new(
        "moves",
        "Moves of the puzzle from its goal, separated by blanks or dots: names, `U2` and `U'` for repeated and inverse moves, `-f0`, \
         repetitions `(R U)3`, conjugates `[A: B]` and commutators `[A, B]`.",
        "R U2 [R, F']",
    ),
    Form::new(
        "document",
        "The whole puzzle with its start in one line, as records contain it: sections that end with `;`, each a keyword and words. \
         `positions`, `moves` in cycles, `goal` and `start` are needed, `name`, `wildcards`, `illegal` and `net` are optional.",
        "positions 4; name toy; moves l=(0,1,2) l'=~l s=(2,3); goal A A B B; start A B A B",
    ),
    Form::new(
        "file",
        "In a file of instances, a line of one of these forms. A file of a puzzle that contains instances, and Santa 2023's \
         `puzzles.csv`, are files of instances as well.",
        "first: R U2 F'\n",
    ),
];

/// Number of positions for which a state is compiled.
macro_rules! of_size {
    ($rules:expr, $state:expr, $then:expr) => {
        match $rules.positions() {
            0..=64 => $then(Permutation::<64>::new($rules, $state)),
            65..=192 => $then(Permutation::<192>::new($rules, $state)),
            _ => $then(Permutation::<512>::new($rules, $state)),
        }
    };
}

fn loaded<const N: usize>(puzzle: Permutation<N>) -> Box<dyn Instance> {
    let why = unreachable(&puzzle.rules, puzzle.labels(&puzzle.initial_state()));
    ErasedInstance::<_, Costs>::new(puzzle).unsolvable(why).boxed()
}

impl Variety {
    /// The puzzle of the file, if it contains one, or the chosen one.
    fn rules(&self) -> Result<&Arc<Rules>, String> {
        let name = |rules: &Arc<Rules>| rules.definition.name.clone();
        if self.kind == ANY {
            return match &self.puzzles[..] {
                [rules] => Ok(rules),
                all => Err(format!(
                    "`{}` contains {} puzzles: choose one by `kind`, such as kind={}",
                    self.file,
                    all.len(),
                    all.first().map(name).unwrap_or_default()
                )),
            };
        }
        let found = self.puzzles.iter().find(|rules| rules.definition.name == self.kind);
        found.ok_or_else(|| {
            let names: Vec<String> = self.puzzles.iter().map(name).take(20).collect();
            format!(
                "no puzzle of `{}` is called `{}` (there are {})",
                self.file,
                self.kind,
                names.join(", ")
            )
        })
    }

    /// The instance of a definition with a start.
    fn of(&self, mut definition: Definition) -> Result<Box<dyn Instance>, ParseError> {
        let Some(start) = std::mem::take(&mut definition.starts).into_iter().next() else {
            let why = "the file contains no instance: name it by the parameter `file`, and write a \
                       state or moves";
            return Err(ParseError::at(1, 1, why));
        };
        let rules = self.recent.rules(definition);
        Ok(of_size!(rules, &start.state, loaded))
    }
}

/// The definitions of a file or a built-in puzzle.
fn definitions(name: &str, files: Files) -> Result<Vec<Definition>, String> {
    if let Some(found) = builtin(name) {
        return found.map(|definition| vec![definition]).map_err(|why| why.to_string());
    }
    let unknown = |why: String| {
        let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        match name.contains(['.', '/', '\\']) {
            true => why,
            false => format!("{why}; built-in puzzles are {}", kinds.join(", ")),
        }
    };
    let text = files.read(name).map_err(unknown)?;
    read::read(name, &text).map_err(|error| format!("{name}, {error}"))
}

impl Variant for Variety {
    type Aim = Costs;
    type Instance = Permutation<64>;

    const INFO: &'static Info = &INFO;
    const TITLE: &'static str = "Permutation puzzle";
    const HAS_INDEPENDENT_RULES: bool = true;
    const GENERATORS: &'static [Generator<Self>] = &[
        Generator::new(&RANDOM, |variety, given, rng: &mut Rng| {
            let rules = variety.rules().map_err(|why| given.refused(why))?;
            if !rules.definition.illegal.is_empty() {
                return Err(given.refused(
                    "moves that can be illegal form no group, so that reachable states are not known: \
                     use `walk`",
                ));
            }
            let element = rules.chain().random(rng).array();
            let state: Vec<u8> =
                element.iter().map(|&from| rules.definition.goal[usize::from(from)]).collect();
            Ok(document::text(&rules.definition, &state))
        }),
        Generator::new(&WALK, |variety, given, rng| {
            let Walked { moves } = Walked::read(given);
            let rules = variety.rules().map_err(|why| given.refused(why))?;
            let goal = rules.definition.goal.clone();
            Ok(of_size!(Arc::clone(rules), &goal, |puzzle| walked(&puzzle, moves, rng)))
        }),
    ];
    const SIZES: &'static [Size] = &[Size { name: "2×2×2", generator: "random" }];
    const FORMS: &'static [Form] = FORMS;
    const EXTENSIONS: &'static [&'static str] =
        &["txt", "csv", "toml", "json", "tws", "ksolve", "gap"];

    fn configure(given: &Bound<'_>) -> Self {
        Self::read(given)
    }

    fn opened(mut self, given: &Bound<'_>, files: Files) -> Result<Self, SpecError> {
        let all = definitions(&self.file, files).map_err(|why| given.error("file", why))?;
        self.puzzles = all.into_iter().map(|definition| Arc::new(Rules::new(definition))).collect();
        if self.kind != ANY {
            self.rules().map_err(|why| given.error("kind", why))?;
        }
        Ok(self)
    }

    /// The text of every instance contains the puzzle.
    fn spec(_: &Bound<'_>) -> String {
        INFO.name.to_owned()
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        if document::is_document(text) {
            return self.of(document::parse(text)?);
        }
        if santa::is_row(text) {
            let known: Vec<&Definition> =
                self.puzzles.iter().map(|rules| &rules.definition).collect();
            if let Some(row) = santa::row(&known, text) {
                return self.of(row?);
            }
        }
        let rules = self.rules().map_err(|why| ParseError::at(1, 1, why))?;
        let start = start(&rules.definition, text)?;
        Ok(of_size!(Arc::clone(rules), &start, loaded))
    }

    fn tables(&self, heuristic: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        let rules = self.rules().map_err(SolveError::Unsupported)?;
        let goal = rules.definition.goal.clone();
        of_size!(Arc::clone(rules), &goal, |puzzle| built(&puzzle, heuristic))
    }

    fn split(&self, file: &str) -> Vec<Piece> {
        pieces(file)
    }
}

fn built<const N: usize>(
    puzzle: &Permutation<N>,
    heuristic: &Spec,
) -> Result<Vec<Box<dyn Build>>, SolveError> {
    <Permutation<N> as DeclaredPuzzle<Costs>>::tables(Some(puzzle), heuristic)
}

/// The text of a state that random moves back from the goal lead to.
fn walked<const N: usize>(puzzle: &Permutation<N>, moves: u64, rng: &mut Rng) -> String {
    let mut walk = Walk::new(puzzle, *puzzle.goal(), Steps::NoReturn);
    walk.go(puzzle, moves, rng);
    document::text(puzzle.definition(), puzzle.labels(&walk.state))
}

/// The instances of a file: of a puzzle's file that contains instances, or one for each line.
fn pieces(file: &str) -> Vec<Piece> {
    let is_line = |line: &str| document::is_document(line) || line.split(';').count() > 2;
    if !file.lines().any(is_line)
        && let Ok(definitions) = read::read("", file)
    {
        let of = |definition: Definition| {
            let piece = |start: &crate::definition::Start| Piece {
                id: start.id.clone(),
                text: document::text(&definition, &start.state),
                line: 1,
                ..Piece::default()
            };
            definition.starts.iter().map(piece).collect::<Vec<_>>()
        };
        let mut pieces: Vec<Piece> = definitions.into_iter().flat_map(of).collect();
        if !pieces.is_empty() {
            for (piece, number) in pieces.iter_mut().zip(1..) {
                if piece.id.is_empty() {
                    piece.id = format!("{number}");
                }
            }
            return pieces;
        }
    }
    let mut pieces = input::lines(file);
    // The header of Santa 2023's file, and its ids.
    if pieces.first().is_some_and(|first| first.text.trim_start().starts_with("id,puzzle_type")) {
        pieces.remove(0);
        for piece in &mut pieces {
            piece.id = piece.text.split(',').next().unwrap_or_default().trim().to_owned();
        }
    }
    pieces
}

const MISPLACED: Info = Info {
    guarantee: "consistent",
    requires: "permutation puzzles",
    ..Info::new(
        Role::Heuristic,
        "misplaced",
        "wrong labels, divided by the most that a move changes",
    )
};

const ADJACENT: Info = Info {
    guarantee: "consistent",
    requires: "permutation puzzles; without wildcards, or it is 0",
    reference: "Helmert 2010 (the gap heuristic of pancakes)",
    ..Info::new(Role::Heuristic, "adjacent", "broken pairs of neighbours that a move can join")
};

impl<const N: usize> Goal for Permutation<N> {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[
        HeuristicOf {
            info: &tables::INFO,
            make: |puzzle, setup| {
                let config = PdbConfig::read(setup.given);
                Ok(ErasedHeuristic::each(Tables::new(puzzle, config, setup.cache())?))
            },
            tables: |puzzle, given| tables::erased(puzzle, PdbConfig::read(given)),
        },
        HeuristicOf::new(&ADJACENT, |_, _| Ok(ErasedHeuristic::each(by_neighbours()))),
        HeuristicOf::new(&MISPLACED, |_, _| Ok(ErasedHeuristic::each(by_positions()))),
    ];
    const PRESETS: &'static [Preset<Self>] = &[
        Preset::new("default", "the fewest moves", |puzzle| Some(optimal(puzzle))),
        Preset::new("fast", "a solution by a beam", |puzzle| {
            Some(match puzzle.definition().wildcards {
                0 => "beam(pdb, width=10000)",
                _ => "beam(misplaced, width=10000)",
            })
        }),
    ];
    const LEARNING: Option<Learning<Self>> = Some(Learning::new(&[]).with_rows());
    const ENDS: Option<BothEnds<Self>> = Some(BothEnds::new());

    fn has_inverses(&self) -> bool {
        self.rules.has_inverses()
    }
}

/// The solver of fewest moves: by pairs of neighbours where a move separates one pair, as in a
/// stack of pancakes, otherwise by tables.
fn optimal<const N: usize>(puzzle: &Permutation<N>) -> &'static str {
    if puzzle.definition().wildcards > 0 {
        return "astar(misplaced)";
    }
    match puzzle.rules.adjacency().most {
        1 => "idastar(adjacent, prune=automaton)",
        _ => "idastar(pdb, prune=automaton)",
    }
}

impl<const N: usize> Presentation for Permutation<N> {
    /// The text with the least of the symmetric states as its start.
    fn canonical(&self) -> String {
        let start = self.initial_state();
        let start = self.labels(&start);
        let images = self.rules.symmetries().iter().map(|symmetry| symmetry.image(start));
        let least = images.chain([start.to_vec()]).min().unwrap_or_default();
        document::text(self.definition(), &least)
    }

    fn draw(&self, state: &Labels<N>, style: Style) -> String {
        draw::drawn(self.definition(), self.labels(state), None, style)
    }

    fn draw_after(&self, played: &[u8], state: &Labels<N>, style: Style) -> String {
        let last = played.last().map(|&step| &self.definition().moves[usize::from(step)].array[..]);
        draw::drawn(self.definition(), self.labels(state), last, style)
    }

    fn forms(&self) -> Vec<(&'static str, String)> {
        let start = self.initial_state();
        vec![
            ("document", document::text(self.definition(), self.labels(&start))),
            ("state", document::state_text(self.definition(), self.labels(&start))),
        ]
    }
}
