//! Sokoban in the catalogue.

use crate::{
    board::{Each, WIDE, area},
    draw,
    exact::{MOVES, MoveConfig, MoveOptimal, PUSHES, PushConfig, PushOptimal},
    features::{FEATURES, Features, FeaturesConfig},
    fess::{FESS, Fess, FessConfig},
    files::{self, slc},
    generate::{RoomSize, room},
    heuristics::{Sum, ToGoals, misplaced},
    level::{End, Id, Level, Move},
    measured::Measured,
    picture::Picture,
    rules::{Measure, Sokoban, State},
    signs::Signs,
    then::{MakeSearch, Then},
    touch,
    vicinity::Near,
};
pub use crate::{
    extra::Extra,
    variety::{INFO, Variety},
};
use std::sync::Arc;
use unriddle_catalog::{
    Costs, ErasedHeuristic, ErasedInstance, Extensions, Form, Generator, Goal, HeuristicOf,
    Instance, Learning, Measures, PendingSolve, Presentation, Preset, Size, Solver, SpecError,
    Style, Variant,
    bind::Bound,
    board::{Cells, Sketch, Spot, Touch},
    embedded,
    input::Piece,
    instance::Likeness,
    solver::Runner,
};
use unriddle_core::{
    Estimate, Guarantee, Info, Learnable as _, Options as _, ParseError, Puzzle as _, Rng, Role,
    Search, SearchError, Vicinity, options,
};

/// The family of Sokoban puzzles.
// Every build compiles a static with all searches that it refers to. Unit tests do without: it
// would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<Variety>();

/// Built-in networks by name. A static keeps a single copy of the bytes.
static NETWORKS: [(&str, &[u8]); 1] = [("sokoban", embedded!("../models/sokoban.safetensors.gz"))];

/// The size of the levels for which the network is trained, as [`Purpose`](unriddle_core::Purpose)
/// writes it.
const ROOMS: &str = "10x10, 4 boxes";

const ROOM: Info = Info {
    guarantee: "solvable",
    parameters: Room::PARAMETERS,
    reference: "in the manner of Racanière et al. 2017, Imagination-augmented agents for deep reinforcement learning",
    ..Info::new(
        Role::Generator,
        "room",
        "a random room by reverse play: the visited position with the largest product of pulls and changes of the pulled box",
    )
};
options! {
    struct Room of ROOM {
        boxes: usize = "4" in 1..=30, positional, "number of boxes";
        rows: usize = "10" in 5..=18, "number of rows, walls included";
        columns: usize = "10" in 5..=18, "number of columns, walls included";
        positions: usize = "2000" in 10..=1_000_000, "positions visited by the reverse search";
    }
}

const HARD: Info = Info {
    guarantee: "solvable; no position of the room with these goals is farther from its end, if `positions` is not reached",
    parameters: Hard::PARAMETERS,
    ..Info::new(
        Role::Generator,
        "hard",
        "the position of a random room that needs the most pushes, found by a reverse search from the goals layer by layer; the hardest of several rooms",
    )
};
options! {
    struct Hard of HARD {
        boxes: usize = "2" in 1..=30, positional, "number of boxes";
        rows: usize = "7" in 5..=18, "number of rows, walls included";
        columns: usize = "7" in 5..=18, "number of columns, walls included";
        rooms: usize = "20" in 1..=10_000, "number of rooms, the hardest of which is returned";
        positions: usize = "200000" in 10..=10_000_000, "maximum number of positions of a room";
    }
}

/// Maximum number of rooms that a generator tries.
const TRIES: usize = 10_000;

/// The first random room that fits. `is_hard` selects the position that is farthest from its end.
fn made(
    given: &Bound<'_>,
    wanted: &RoomSize,
    rng: &mut Rng,
    is_hard: bool,
) -> Result<Picture, SpecError> {
    (0..TRIES).find_map(|_| room(wanted, rng, is_hard)).ok_or_else(|| {
        let boxes = wanted.boxes;
        let why = format!(
            "no room of this size was found for {boxes} boxes; use fewer boxes or a larger room"
        );
        given.error("boxes", why)
    })
}

/// The fewest pushes that solve a level.
fn pushes(picture: &Picture) -> i64 {
    fn needed<const W: usize>(level: Arc<Level>) -> Option<i64> {
        let board = Arc::new(crate::board::Board::<W>::new(level)?);
        let start = (board.boxes, board.player());
        let mut search = PushOptimal::new(board, start, PushConfig::default()).ok()?;
        let outcome = unriddle_core::run(&mut search, &unriddle_core::Budget::default(), &mut ());
        outcome.ok()?.best().map(|best| best.value)
    }
    let level = Level::new(picture.clone()).ok().map(Arc::new);
    let needed = level.and_then(|level| match area(&level) {
        0..=64 => needed::<1>(level),
        _ => needed::<4>(level),
    });
    needed.unwrap_or(0)
}

impl Variety {
    fn loaded<const W: usize>(&self, level: Arc<Level>) -> Result<Box<dyn Instance>, ParseError>
    where
        Sokoban<W>: Goal,
    {
        let cells = level.cells();
        let puzzle = Sokoban::<W>::new(level, self.measure);
        let puzzle = puzzle.ok_or_else(|| {
            let most = 64 * WIDE;
            let message = format!(
                "the player can go to {cells} cells, expected at most {most}: a larger level does not fit into a state"
            );
            ParseError::at(1, 1, message)
        })?;
        let why = puzzle.unsolvable();
        Ok(ErasedInstance::<_, Costs>::new(puzzle).unsolvable(why).boxed())
    }
}

impl Variant for Variety {
    type Aim = Costs;
    type Instance = Sokoban<1>;

    const INFO: &'static Info = &INFO;
    const HAS_INDEPENDENT_RULES: bool = true;
    const EXTENSIONS: &'static [&'static str] = &["xsb", "sok", "slc", "txt"];
    const UNIT: &'static str = Measure::Pushes.name();
    const GENERATORS: &'static [Generator<Self>] = &[
        Generator::new(&ROOM, |_, given, rng| {
            let Room { boxes, rows, columns, positions } = Room::read(given);
            let wanted = RoomSize { size: (rows, columns), boxes, positions };
            Ok(made(given, &wanted, rng, false)?.text())
        }),
        Generator::new(&HARD, |_, given, rng| {
            let Hard { boxes, rows, columns, rooms, positions } = Hard::read(given);
            let wanted = RoomSize { size: (rows, columns), boxes, positions };
            let mut best = made(given, &wanted, rng, true)?;
            let mut most = pushes(&best);
            for _ in 1..rooms {
                let other = made(given, &wanted, rng, true)?;
                let needs = pushes(&other);
                if needs > most {
                    (best, most) = (other, needs);
                }
            }
            Ok(best.text())
        }),
    ];
    const SIZES: &'static [Size] = &[
        Size { name: "at most 64 cells and six boxes", generator: "room" },
        Size { name: "larger", generator: "room(7, rows=12, columns=12)" },
    ];
    const FORMS: &'static [Form] = &[
        Form::new(
            "xsb",
            "A line for each row: `#` wall, `$` box, `.` goal, `*` box on a goal, `@` player, `+` player on a goal. Floor is a blank, `-` or `_`. \
             A row of only floor inside a level has at least one `-` or `_`. There are at most 255 rows and columns, and at most 4096 cells to which the player can go.",
            "#####\n#@$.#\n#####\n",
        ),
        Form::new(
            "counted",
            "In one line, rows apart by `|`. A number is a count of the sign behind it. A line of a file is one level, and may begin with `id:`.",
            "5#|#@$.#|5#",
        ),
        Form::new(
            "letters",
            "The letters `b B p P` mean `$ * @ +`, or `$ $ @ @`; `&` and `m` a player, `X` a box on a goal or a wall, `o` a box or a goal, `g` and `t` a goal, `w` a wall. \
             They are read if only one reading has one player and as many boxes as goals; otherwise a message names the readings, and `signs` decides.",
            "######\n#&B .#\n# X  #\n######\n",
        ),
        Form::new(
            "signs",
            "With the parameter `signs`, any signs with these meanings.",
            "#####\n#S:!#\n#####\n",
        )
        .of("sokoban(signs=\"S=@ :=$ !=.\")"),
        Form::new(
            "sok",
            "Levels as rows of `xsb` with other lines between them: titles, fields such as `Author: …`, comments. Lines of rows without player, box and goal \
             are decoration. A line `Solution` or `Solution: …` and the letters behind it are a solution of the level above. Levels are known by their number in the file.",
            "First\n\n#####\n#@$.#\n#####\nAuthor: A. N.\nSolution\nR\n",
        ),
        Form::new(
            "slc",
            "XML: each `<Level>` is a level, known by its `Id`, and each `<L>` in it is a row of `xsb`.",
            "<SokobanLevels>\n  <LevelCollection>\n    <Level Id=\"First\">\n      <L>#####</L>\n      <L>#@$.#</L>\n      <L>#####</L>\n    </Level>\n  </LevelCollection>\n</SokobanLevels>\n",
        ),
        Form::new(
            "more boxes than goals",
            "With `extra=boxes` or `any`, a level may have more boxes than goals; the end covers every goal.",
            "######\n#@$$.#\n#    #\n######\n",
        )
        .of("sokoban(extra=boxes)"),
        Form::new(
            "more goals than boxes",
            "With `extra=goals` or `any`, a level may have more goals than boxes; at the end every box is on a goal.",
            "#####\n#@$.#\n#  .#\n#####\n",
        )
        .of("sokoban(extra=goals)"),
    ];

    fn configure(given: &Bound<'_>) -> Self {
        Self::read(given)
    }

    /// Texts of instances have the usual signs.
    fn spec(given: &Bound<'_>) -> String {
        let Self { measure, extra, .. } = Self::read(given);
        let mut parameters = Vec::new();
        if measure != Measure::default() {
            parameters.push(format!("measure={}", measure.name()));
        }
        if extra != Extra::default() {
            parameters.push(format!("extra={}", extra.name()));
        }
        match &parameters[..] {
            [] => INFO.name.to_owned(),
            _ => format!("{}({})", INFO.name, parameters.join(", ")),
        }
    }

    fn unit(&self) -> &'static str {
        self.measure.name()
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        let signs = Signs::parse(&self.signs)?;
        let unwrapped = files::unwrapped(text)?;
        let text = unwrapped.as_deref().unwrap_or(text);
        let level = Arc::new(Level::read(text, self.extra, &signs)?);
        match area(&level) {
            0..=64 => self.loaded::<1>(level),
            65..=256 => self.loaded::<4>(level),
            257..=512 => self.loaded::<8>(level),
            _ => self.loaded::<WIDE>(level),
        }
    }

    fn sketch(&self, instance: Option<&str>) -> Option<Sketch> {
        let signs = Signs::parse(&self.signs).ok()?;
        let picture = Picture::read(instance.unwrap_or(touch::EMPTY), self.extra, &signs).ok()?;
        Some(touch::sketch(&picture))
    }

    fn sketched(&self, cells: &Cells) -> String {
        touch::sketched(cells)
    }

    fn split(&self, file: &str) -> Vec<Piece> {
        // `load` reports wrong meanings of signs.
        files::levels(file, &Signs::parse(&self.signs).unwrap_or_default())
    }
}

const MISPLACED: Info = Info {
    guarantee: "consistent",
    requires: "sokoban",
    ..Info::new(Role::Heuristic, "misplaced", "boxes that are not on goals")
};

const ASSIGNMENT: Info = Info {
    guarantee: "consistent",
    requires: "sokoban",
    reference: "Junghanns and Schaeffer 2001 (minimum matching)",
    ..Info::new(
        Role::Heuristic,
        "assignment",
        "the least sum of pushes that brings every box to a different goal, each as if it were the only box",
    )
};

const NEAREST: Info = Info {
    guarantee: "consistent",
    requires: "sokoban",
    ..Info::new(
        Role::Heuristic,
        "nearest",
        "the sum of the pushes that bring each box to its nearest goal, as if it were the only box",
    )
};

/// Runs a search whose solutions are counted by the measure `by`.
fn run<'a, S: Search<Action = Move> + 'a, const W: usize>(
    puzzle: &'a Sokoban<W>,
    by: Measure,
    search: Result<S, SearchError>,
    run: Runner<'a, Sokoban<W>, Costs>,
) -> PendingSolve<'a> {
    if puzzle.measure == by {
        Box::pin(run.plain(search))
    } else {
        Box::pin(run.plain(search.map(|search| Measured::new(search, puzzle))))
    }
}

impl<const W: usize> Goal for Sokoban<W> {
    const HEURISTICS: &'static [HeuristicOf<Self>] = &[
        HeuristicOf::new(&ASSIGNMENT, |puzzle, _| {
            Ok(ErasedHeuristic::each(ToGoals::new(puzzle, Sum::Assignment)))
        }),
        HeuristicOf::new(&NEAREST, |puzzle, _| {
            Ok(ErasedHeuristic::each(ToGoals::new(puzzle, Sum::Nearest)))
        }),
        HeuristicOf::new(&FEATURES, |puzzle, setup| {
            let to_goals = ToGoals::new(puzzle, Sum::Assignment);
            let config = FeaturesConfig::read(setup.given);
            Ok(ErasedHeuristic::each(Features { to_goals, config }))
        }),
        HeuristicOf::new(&MISPLACED, |_, _| {
            Ok(ErasedHeuristic::each(Estimate::new(Guarantee::Consistent, misplaced)))
        }),
    ];
    const SOLVERS: &'static [Solver<Self, Costs>] = &[
        Solver {
            info: &PUSHES,
            run: |puzzle, given, runner| {
                let State { boxes, player } = puzzle.initial_state();
                let config = PushConfig::read(given);
                let search = PushOptimal::new(puzzle.board().clone(), (boxes, player), config);
                run(puzzle, Measure::Pushes, search, runner)
            },
        },
        Solver {
            info: &MOVES,
            run: |puzzle, given, runner| {
                let start = (puzzle.initial_state().boxes, puzzle.board().bit(puzzle.begin()));
                let config = MoveConfig::read(given);
                let search = MoveOptimal::new(puzzle.board().clone(), start, config);
                run(puzzle, Measure::Moves, search, runner)
            },
        },
        Solver {
            info: &FESS,
            run: |puzzle, given, runner| {
                let config = FessConfig::read(given);
                let search = Fess::new(puzzle.level_from_here(), config);
                let search =
                    search.map(|fess| Then::new(Box::new(fess), exact_after(puzzle, config)));
                run(puzzle, Measure::Pushes, search, runner)
            },
        },
    ];
    const PRESETS: &'static [Preset<Self>] = &[
        Preset::new(
            "default",
            "levels of at most 64 cells and six boxes: the fewest pushes or moves, proved; larger levels: a solution, or a proof of unsolvability",
            |puzzle| exact_if_small(puzzle).or(Some(decided(puzzle))),
        ),
        Preset::new("fast", "a solution, also of large levels", |puzzle| Some(fast(puzzle))),
        Preset::new(
            "short",
            "a solution, shortened until no position near it leads to a shorter one; more time gives shorter solutions",
            |puzzle| Some(short(puzzle)),
        ),
        Preset::new(
            "best",
            "levels of at most 64 cells and six boxes: the fewest pushes or moves, proved in less time than a network needs; larger levels: `short`",
            |puzzle| exact_if_small(puzzle).or(Some(short(puzzle))),
        ),
        Preset::new("optimal", "the fewest pushes or moves, proved", exact),
        Preset::new(
            "learned",
            "few moves by a network that learned exact distances in generated rooms; for levels of 10×10 cells with four boxes",
            |puzzle| {
                let is_known = puzzle.purpose().size == ROOMS && puzzle.measure == Measure::Moves;
                (is_known && is_even(puzzle))
                    .then_some("bwas(net(sokoban, mirror=on, less=2), lambda=1, batch=1)")
            },
        ),
    ];
    const LEARNING: Option<Learning<Self>> = Some(Learning::new(&NETWORKS).with_rows());

    fn vicinity(&self) -> Option<Box<dyn Vicinity<Self> + '_>> {
        Some(Box::new(Near::new(self)))
    }

    fn measures(&self, _: &Bound<'_>, actions: &[Move]) -> Measures {
        let letters = self.letters(actions);
        let pushes = letters.bytes().filter(u8::is_ascii_uppercase).count() as u64;
        Measures {
            of_value: Some(self.measure.name()),
            all: vec![
                (Measure::Pushes.name(), pushes),
                (Measure::Moves.name(), letters.len() as u64),
            ],
        }
    }
}

/// The solver that proves the measure of a level, if the level is small enough to be proved at
/// once.
fn exact_if_small<const W: usize>(puzzle: &Sokoban<W>) -> Option<&'static str> {
    let level = &puzzle.board().level;
    let is_small = area(level) <= 64 && level.boxes().len() <= 6;
    is_small.then(|| exact(puzzle)).flatten()
}

/// Whether a level has as many boxes as goals.
fn is_even<const W: usize>(puzzle: &Sokoban<W>) -> bool {
    puzzle.board().level.end == End::Even
}

/// The solver that finds a solution, or proves unsolvability.
fn decided<const W: usize>(puzzle: &Sokoban<W>) -> &'static str {
    if is_even(puzzle) { "fess(exact=on)" } else { "greedy(assignment)" }
}

/// The solver that finds a solution.
fn fast<const W: usize>(puzzle: &Sokoban<W>) -> &'static str {
    if is_even(puzzle) { "fess" } else { "greedy(assignment)" }
}

/// The solver that finds and shortens a solution.
fn short<const W: usize>(puzzle: &Sokoban<W>) -> &'static str {
    if is_even(puzzle) { "windows(fess(exact=on))" } else { "windows(greedy(assignment))" }
}

/// The exact search after a feature-space search that has nothing left to try.
fn exact_after<const W: usize>(
    puzzle: &Sokoban<W>,
    config: FessConfig,
) -> Option<MakeSearch<'_, Move>> {
    let State { boxes, player } = puzzle.initial_state();
    let make = move || {
        let board = puzzle.board().clone();
        let search = PushOptimal::new(board, (boxes, player), PushConfig::default()).ok()?;
        Some(Box::new(search) as Box<dyn Search<Action = Move>>)
    };
    config.exact.then(|| Box::new(make) as MakeSearch<'_, Move>)
}

/// The solver that proves the measure of a level.
fn exact<const W: usize>(puzzle: &Sokoban<W>) -> Option<&'static str> {
    Some(match puzzle.measure {
        Measure::Pushes => "push-optimal",
        Measure::Moves => "move-optimal",
    })
}

impl<const W: usize> Presentation for Sokoban<W> {
    fn text(&self) -> String {
        self.written().text()
    }

    /// With the objective of pushes, levels are equal if the player can walk from one start to the
    /// other.
    fn canonical(&self) -> String {
        let board = self.board();
        let player = Each(self.player(&self.initial_state())).map(|bit| board.id(bit));
        let player: Vec<Id> = player.collect();
        board.level.least_image(&self.has_box(), &player)
    }

    fn likenesses(&self) -> Vec<Likeness> {
        self.board().level.likenesses(&self.has_box())
    }

    fn extensions(&self) -> Extensions<'_> {
        Extensions { validates: Some(self), ..Extensions::default() }
    }

    fn forms(&self) -> Vec<(&'static str, String)> {
        let picture = self.written();
        let mut forms = vec![("counted", picture.counted()), ("slc", slc::written(&picture))];
        // Rows of signs beyond the walls are no lines of a level.
        if let Some(xsb) = picture.xsb() {
            forms.insert(0, ("sok", format!("{xsb}\n")));
            forms.insert(0, ("xsb", xsb));
        }
        forms
    }

    fn solution_forms(&self, actions: &[Move]) -> Vec<(&'static str, String)> {
        let written = |xsb| format!("{xsb}\nSolution\n{}\n", self.letters(actions));
        self.written().xsb().map(|xsb| ("sok", written(xsb))).into_iter().collect()
    }

    fn draw(&self, state: &State<W>, style: Style) -> String {
        draw::drawn(&self.scene(&[], state), style)
    }

    fn draw_after(&self, played: &[Move], state: &State<W>, style: Style) -> String {
        draw::drawn(&self.scene(played, state), style)
    }

    fn spots(&self, played: &[Move], state: &State<W>) -> Vec<Spot> {
        touch::spots(&self.board().level, &self.scene(played, state))
    }

    fn touch(&self, _: &[Move], state: &State<W>, action: Move) -> Touch {
        self.touched(state, action)
    }

    fn action_text(&self, played: &[Move], action: Move) -> String {
        let before = self.letters(played).len();
        let all = self.letters(&[played, &[action]].concat());
        all[before..].to_owned()
    }
}
