//! Sokoban: words over the floor cells only, chosen once by the loader; walls belong to the
//! instance; one batch holds rows of several instances.

use super::*;
use unriddle_core::{BatchHeuristic, Guarantee, Row};

/// The player is somewhere in a region; the first cell of the region represents all of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State<const W: usize> {
    boxes: [u64; W],
    player: u16,
}

struct Sokoban<const W: usize> {
    /// Neighbours of a floor cell: up, down, left, right.
    beside: Vec<[Option<u16>; 4]>,
    goals: Bits<W>,
    start: State<W>,
}

/// A push: the box's cell and the direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Push {
    cell: u16,
    direction: u8,
}

#[derive(Clone, Copy)]
struct Pushes<const W: usize>([Bits<W>; 4]);
impl<const W: usize> Iterator for Pushes<W> {
    type Item = Push;
    fn next(&mut self) -> Option<Push> {
        let next = |(direction, set): (usize, &mut Bits<W>)| {
            set.next().map(|cell| Push { cell: cell as u16, direction: direction as u8 })
        };
        self.0.iter_mut().enumerate().find_map(next)
    }
}

impl<const W: usize> Sokoban<W> {
    /// Reads a level of `#`, space, `$`, `.`, `*`, `@`, `+`; `None` where W words are too few.
    fn load(level: &[&str]) -> Option<Self> {
        let at = |row: usize, column: usize| {
            level.get(row)?.as_bytes().get(column).filter(|&&c| c != b'#')
        };
        let places: Vec<(usize, usize)> = (0..level.len())
            .flat_map(|row| (0..level[row].len()).map(move |column| (row, column)))
            .filter(|&(row, column)| at(row, column).is_some())
            .collect();
        if places.len() > 64 * W {
            return None;
        }
        let number = |row: usize, column: usize| {
            places.iter().position(|&place| place == (row, column)).map(|i| i as u16)
        };
        let around = |&(r, c): &(usize, usize)| {
            [
                number(r.wrapping_sub(1), c),
                number(r + 1, c),
                number(r, c.wrapping_sub(1)),
                number(r, c + 1),
            ]
        };
        let (mut goals, mut boxes, mut player) = (Bits::EMPTY, Bits::EMPTY, 0);
        for (i, &(row, column)) in places.iter().enumerate() {
            let c = at(row, column).copied().unwrap_or(b' ');
            if b".*+".contains(&c) {
                goals.insert(i);
            }
            if b"$*".contains(&c) {
                boxes.insert(i);
            }
            if b"@+".contains(&c) {
                player = i as u16;
            }
        }
        let beside = places.iter().map(around).collect();
        let mut level = Self { beside, goals, start: State { boxes: boxes.0, player } };
        level.start.player = level.region(&level.start).next()? as u16;
        Some(level)
    }

    /// Cells that the player can reach.
    fn region(&self, state: &State<W>) -> Bits<W> {
        let (mut region, boxes) = (Bits::EMPTY, Bits(state.boxes));
        let mut stack = vec![state.player];
        while let Some(cell) = stack.pop() {
            if !region.has(cell.into()) && !boxes.has(cell.into()) {
                region.insert(cell.into());
                stack.extend(self.beside[usize::from(cell)].iter().flatten());
            }
        }
        region
    }

    fn next_to(&self, cell: u16, direction: u8) -> Option<u16> {
        self.beside[usize::from(cell)][usize::from(direction)]
    }
}

impl<const W: usize> Puzzle for Sokoban<W> {
    type State = State<W>;
    type Action = Push;
    type Actions = Pushes<W>;

    fn initial_state(&self) -> State<W> {
        self.start
    }
    fn actions(&self, state: &State<W>) -> Pushes<W> {
        let (region, boxes) = (self.region(state), Bits(state.boxes));
        let mut pushes = Pushes([Bits::EMPTY; 4]);
        for cell in boxes {
            for direction in 0..4u8 {
                let free = self.next_to(cell as u16, direction).filter(|&to| !boxes.has(to.into()));
                let stand = self.next_to(cell as u16, direction ^ 1);
                if free.is_some() && stand.is_some_and(|from| region.has(from.into())) {
                    pushes.0[usize::from(direction)].insert(cell);
                }
            }
        }
        pushes
    }
    fn apply(&self, state: &State<W>, Push { cell, direction }: Push) -> State<W> {
        let mut boxes = Bits(state.boxes);
        boxes.0[usize::from(cell) / 64] ^= 1 << (cell % 64);
        if let Some(to) = self.next_to(cell, direction) {
            boxes.insert(to.into());
        }
        let after = State { boxes: boxes.0, player: cell };
        let player = self.region(&after).next().map_or(cell, |first| first as u16);
        State { player, ..after }
    }
}

impl<const W: usize> GoalPuzzle for Sokoban<W> {
    fn is_goal(&self, state: &State<W>) -> bool {
        Bits(state.boxes).all(|cell| self.goals.has(cell))
    }
}

/// Number of boxes that are on no goal of their own instance; a box in a corner without a goal is a
/// dead end.
struct OffGoal;
impl<const W: usize> BatchHeuristic<Sokoban<W>> for OffGoal {
    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
    fn evaluate(&self, rows: &[Row<'_, Sokoban<W>>], out: &mut [f32]) {
        for (row, out) in rows.iter().zip(out) {
            let off = Bits(row.state.boxes).filter(|&cell| !row.puzzle.goals.has(cell));
            let dead = |cell: usize| {
                let [up, down, left, right] = row.puzzle.beside[cell];
                (up.is_none() || down.is_none()) && (left.is_none() || right.is_none())
            };
            *out = off.fold(0.0, |sum, cell| if dead(cell) { f32::INFINITY } else { sum + 1.0 });
        }
    }
    fn preferred_batch(&self) -> usize {
        64
    }
}

#[test]
fn the_shape_fits() {
    let small = ["#######", "#@ $ .#", "#  $ .#", "#     #", "#######"];
    let level: Sokoban<1> = Sokoban::load(&small).expect("15 floor cells");
    let states = walk(&level, 200);
    assert_eq!(distance(&level, 10), Some(4));
    assert!(states.iter().all(|state| Bits(state.boxes).count() == 2));
    assert_eq!((size_of::<State<1>>(), size_of::<State<4>>()), (16, 40));

    let row = format!("#{}#", " ".repeat(68));
    let wide = ["#".repeat(70), format!("#@$.{}#", " ".repeat(65)), row, "#".repeat(70)];
    let wide: Vec<&str> = wide.iter().map(String::as_str).collect();
    assert!(Sokoban::<1>::load(&wide).is_none());
    let wide: Sokoban<3> = Sokoban::load(&wide).expect("136 floor cells");
    assert_eq!(distance(&wide, 1), Some(1));
    walk(&wide, 100);
}

#[test]
fn one_batch_holds_rows_of_several_instances() {
    let levels: Vec<Sokoban<1>> = [
        ["######", "#@$ .#", "######"],
        ["######", "#@*  #", "######"],
        ["######", "#.@ $#", "######"],
    ]
    .iter()
    .map(|level| Sokoban::load(level).expect("small"))
    .collect();
    let rows: Vec<Row<'_, Sokoban<1>>> =
        levels.iter().map(|puzzle| Row { puzzle, state: &puzzle.start }).collect();
    let mut out = [0.0; 3];
    // As a trait object, the way a search holds it.
    let heuristic: &dyn BatchHeuristic<Sokoban<1>> = &OffGoal;
    heuristic.evaluate(&rows, &mut out);
    assert_eq!(out, [1.0, 0.0, f32::INFINITY]);
    assert!(heuristic.guarantee().is_admissible() && heuristic.preferred_batch() > 1);
}
