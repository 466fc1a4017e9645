//! Boards for pages: the cells that the player can reach, the inputs of steps and pushes, and the
//! sketch of an editor.

use crate::{
    board::{Bits, Board, Each, and, has, or, without},
    draw::{STEP, Scene},
    level::{End, Id, Level, Move, NONE, Way},
    picture::{Picture, Place, named},
    rules::{Measure, Sokoban, State},
};
use unriddle_catalog::board::{Area, Cells, Gesture, Layout, Sketch, Spot, Swatch, Touch};

/// The level of a sketch without an instance.
pub(crate) const EMPTY: &str = "########|#------#|#-@$-.-#|#------#|#------#|########";

/// Signs with their names. New cells have the first sign.
const SIGNS: [(char, &str); 7] = [
    ('-', "floor"),
    ('#', "wall"),
    ('$', "box"),
    ('.', "goal"),
    ('*', "box on a goal"),
    ('@', "player"),
    ('+', "player on a goal"),
];

impl Way {
    /// The direction in words, and the key of its arrow.
    fn words(self) -> (&'static str, &'static str) {
        [("down", "ArrowDown"), ("left", "ArrowLeft"), ("right", "ArrowRight"), ("up", "ArrowUp")]
            [self.index()]
    }
}

/// The cells from which no push sequence brings a box to a goal, even if the player could walk
/// through walls. The set is empty if boxes may be left over.
fn dead<const W: usize>(board: &Board<W>) -> Bits<W> {
    if board.level.end == End::Covered {
        return [0; W];
    }
    let mut live = board.goals;
    loop {
        let mut next = live;
        for way in Way::ALL {
            // The box is pushed onto a live cell, and the player is behind it.
            let behind = board.step(&board.floor, way);
            next = or(&next, &and(&and(&board.step(&live, way.back()), &behind), &board.floor));
        }
        if next == live {
            return without(&board.floor, &live);
        }
        live = next;
    }
}

impl<const W: usize> Sokoban<W> {
    /// The content of a drawing after the actions `played`.
    pub(crate) fn scene(&self, played: &[Move], state: &State<W>) -> Scene {
        let board = &**self.board();
        let level = &board.level;
        // The exact cell of the player, instead of the first reachable one.
        let player = match (played.last(), self.initial_state_is(state)) {
            (Some(last), _) => last.onto,
            (None, true) => self.begin(),
            (None, false) => board.id(state.player),
        };
        let last = played.last().and_then(|&Move { onto, way }| {
            let (from, to) = match self.measure {
                Measure::Pushes => (onto, level.beside(onto, way)),
                Measure::Moves => (level.beside(onto, way.back()), onto),
            };
            (from != NONE && to != NONE).then(|| [level.place(from), level.place(to)])
        });
        let (rows, columns) = level.picture().size();
        let row = |row| (0..columns).map(|column| level.id((row, column)) != NONE).collect();
        Scene {
            picture: self.pictured(&state.boxes, player),
            floor: (0..rows).map(row).collect(),
            dead: Each(dead(board)).map(|bit| level.place(board.id(bit))).collect(),
            last,
        }
    }

    /// Whether a state is the start.
    fn initial_state_is(&self, state: &State<W>) -> bool {
        unriddle_core::Puzzle::initial_state(self) == *state
    }

    /// The inputs of an action. A push is chosen by the cell of its box and the cell to which the
    /// box is pushed; where steps are counted, by the neighbour of the player or by an arrow.
    pub(crate) fn touched(&self, state: &State<W>, Move { onto, way }: Move) -> Touch {
        let board = &**self.board();
        let ((direction, key), place) = (way.words(), named(board.level.place(onto)));
        let from = Some(usize::from(onto));
        let pushes = has(&state.boxes, board.bit(onto));
        let name = match pushes {
            true => format!("push the box in {place} {direction}"),
            false => format!("step {direction}"),
        };
        let (to, key) = match self.measure {
            Measure::Pushes => (Some(usize::from(board.level.beside(onto, way))), None),
            Measure::Moves => (None, Some(key)),
        };
        Touch { from, to, key, name: Some(name), ..Touch::default() }
    }
}

/// The cells that the player can reach, by their numbers.
pub(crate) fn spots(level: &Level, scene: &Scene) -> Vec<Spot> {
    let spot = |id: usize| {
        let place @ (row, column) = level.place(id as Id);
        let content = match scene.picture.sign(place) {
            ' ' if scene.is_dead(place) => "floor, dead for boxes",
            ' ' => "floor",
            sign => {
                SIGNS.iter().find(|(known, _)| *known == sign).map_or("wall", |&(_, name)| name)
            }
        };
        let [x, y] = [column, row].map(|index| (index * STEP) as f32);
        let area = Area { x, y, width: STEP as f32, height: STEP as f32 };
        Spot { row, column, area, name: format!("{}: {content}", named(place)) }
    };
    (0..level.cells()).map(spot).collect()
}

/// The sketch of a level.
pub(crate) fn sketch(picture: &Picture) -> Sketch {
    let (rows, columns) = picture.size();
    let cell = |place: Place| match picture.sign(place) {
        ' ' => Some("-".to_owned()),
        sign => Some(sign.to_string()),
    };
    let swatch = |(sign, name): (char, &str)| {
        let swatch = Swatch::new(sign, name);
        match sign {
            '-' => swatch.shown(""),
            '#' => swatch.coloured("#8d8a82").shown(""),
            '$' | '*' => swatch.coloured("#b8863b"),
            _ => swatch,
        }
    };
    Sketch {
        layout: Layout::Grid,
        gesture: Gesture::Paint,
        heads: Vec::new(),
        cells: (0..rows)
            .map(|row| (0..columns).map(|column| cell((row, column))).collect())
            .collect(),
        palette: SIGNS.map(swatch).into(),
        is_resizable: true,
    }
}

/// The text of a sketch. Missing cells are floor.
pub(crate) fn sketched(cells: &Cells) -> String {
    let line = |row: &Vec<Option<String>>| {
        row.iter().map(|cell| cell.as_deref().unwrap_or("-")).collect::<String>()
    };
    cells.iter().map(line).collect::<Vec<_>>().join("\n")
}
