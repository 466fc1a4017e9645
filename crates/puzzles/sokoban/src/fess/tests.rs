//! Tests of the parts: against floods and enumerations that share nothing with them.

use super::{
    bits,
    blocks::Blocks,
    corral::{Corrals, Parts, pi_corral},
    dead::{Board, freezes, settle},
    macros::{Kind, Sweep},
    map::{BOX, FREE, Map},
    rooms::Rooms,
};
use crate::level::{Id, Level};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    io::Write as _,
};

fn map(text: &str) -> Map {
    Map::new(&Level::parse(text).expect("a level"))
}

fn cells(map: &Map, places: &[(usize, usize)]) -> Vec<Id> {
    let find = |place| map.places.iter().position(|known| known == place);
    let ids = places.iter().map(|place| find(place).expect("a cell") as Id);
    ids.collect()
}

fn occupied(map: &Map, boxes: &[Id]) -> Vec<u8> {
    let mut occupied = map.walls();
    boxes.iter().for_each(|&c| occupied[usize::from(c)] = BOX);
    occupied
}

/// The cells that the player reaches.
fn reach(map: &Map, occupied: &[u8], from: Id) -> BTreeSet<Id> {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for &next in &map.near[usize::from(at)] {
            if occupied[usize::from(next)] == FREE && seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
}

/// Boxes in order, and the least cell that the player reaches.
type Position = (Vec<Id>, Id);

/// The positions after one push, or one pull, each with the moved box.
fn successors(map: &Map, (boxes, player): &Position, kind: Kind) -> Vec<(Id, Position)> {
    let board = occupied(map, boxes);
    let region = reach(map, &board, *player);
    let mut all = Vec::new();
    for &cell in boxes {
        for way in 0..4 {
            let side = map.beside(cell, 3 - way);
            let (to, stands) = match kind {
                Kind::Push => (map.beside(cell, way), cell),
                Kind::Pull => (side, map.beside(side, 3 - way)),
            };
            let is_free = |c: Id| c == cell || board[usize::from(c)] == FREE;
            if !region.contains(&side) || !is_free(to) || !is_free(stands) || to == cell {
                continue;
            }
            let moved = boxes.iter().map(|&b| if b == cell { to } else { b });
            let mut moved: Vec<Id> = moved.collect();
            moved.sort_unstable();
            let region = reach(map, &occupied(map, &moved), stands);
            let least = *region.first().expect("the player's own cell");
            all.push((cell, (moved, least)));
        }
    }
    all
}

/// All positions with as many boxes as goals.
fn positions(map: &Map) -> Vec<Position> {
    let mut sets: Vec<Vec<Id>> = vec![Vec::new()];
    for _ in &map.goals {
        let longer = |set: &Vec<Id>| -> Vec<Vec<Id>> {
            let first = set.last().map_or(0, |&c| c + 1);
            let with = |c| set.iter().copied().chain([c]).collect();
            (first..map.n as Id).map(with).collect()
        };
        sets = sets.iter().flat_map(longer).collect();
    }
    let mut all = Vec::new();
    for boxes in sets {
        let board = occupied(map, &boxes);
        let mut rest: BTreeSet<Id> =
            (0..map.n as Id).filter(|&c| board[usize::from(c)] == FREE).collect();
        while let Some(&least) = rest.first() {
            for cell in reach(map, &board, least) {
                rest.remove(&cell);
            }
            all.push((boxes.clone(), least));
        }
    }
    all
}

/// The positions from which moves of one kind bring boxes to all of these cells.
fn solvable(map: &Map, all: &[Position], kind: Kind, to: &[Id]) -> BTreeSet<Position> {
    let mut before: BTreeMap<Position, Vec<&Position>> = BTreeMap::new();
    for position in all {
        for (_, next) in successors(map, position, kind) {
            before.entry(next).or_default().push(position);
        }
    }
    let mut found: BTreeSet<Position> =
        all.iter().filter(|(boxes, _)| boxes == to).cloned().collect();
    let mut open: VecDeque<Position> = found.iter().cloned().collect();
    while let Some(position) = open.pop_front() {
        for &earlier in before.get(&position).into_iter().flatten() {
            if found.insert(earlier.clone()) {
                open.push_back(earlier.clone());
            }
        }
    }
    found
}

/// Small levels from a fixed seed.
fn levels(count: usize) -> Vec<Map> {
    let mut seed = 7_u64;
    let mut draw = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    let mut levels = Vec::new();
    while levels.len() < count {
        let (rows, columns) = (3 + draw(2) as usize, 4 + draw(2) as usize);
        let mut signs = vec![vec!['#'; columns + 2]; rows + 2];
        let mut floor = Vec::new();
        for (r, row) in signs.iter_mut().enumerate().skip(1).take(rows) {
            for (c, sign) in row.iter_mut().enumerate().skip(1).take(columns) {
                if draw(4) > 0 {
                    *sign = ' ';
                    floor.push((r, c));
                }
            }
        }
        let boxes = 2 + draw(2) as usize;
        if floor.len() > 12 || floor.len() < 2 * boxes + 2 {
            continue;
        }
        for i in 0..=2 * boxes {
            let at = i + draw((floor.len() - i) as u64) as usize;
            floor.swap(i, at);
            let (r, c) = floor[i];
            signs[r][c] = match i {
                0 => '@',
                i if i % 2 == 0 => '$',
                _ => '.',
            };
        }
        let rows: Vec<String> = signs.iter().map(|row| row.iter().collect()).collect();
        let level = Level::parse(&rows.join("\n")).expect("a level");
        let map = Map::new(&level);
        if !map.is_hopeless && map.goals.len() > 1 && map.goals.len() == map.starts.len() {
            levels.push(map);
        }
    }
    levels
}

/// A position that a rule reports has no solution. Prints the number of reports of each rule.
#[test]
fn rules_are_sound_on_all_positions_of_small_levels() {
    let names = [
        "dead cell",
        "freeze",
        "settle",
        "assign",
        "retrograde",
        "corral",
        "pi-corral",
        "backwards",
    ];
    let mut seen = [0_usize; 8];
    let (mut dead_positions, mut pruned, mut stuck) = (0, 0, 0);
    for map in levels(250) {
        let all = positions(&map);
        let alive = solvable(&map, &all, Kind::Push, &map.goals);
        let mut board = Board::default();
        let mut corrals = Corrals::default();
        let (mut held, mut rest, mut parts) = (Vec::new(), Vec::new(), Parts::default());
        for position in &all {
            let (boxes, player) = position;
            let is_alive = alive.contains(position);
            dead_positions += usize::from(!is_alive);
            let mut walls = occupied(&map, boxes);
            let mut free = walls.clone();
            let is_dead_cell = boxes.iter().any(|&c| map.is_dead[usize::from(c)]);
            let freezes_one = boxes.iter().any(|&c| freezes(&map, &mut free, &mut held, c));
            let fires = [
                is_dead_cell,
                freezes_one,
                !settle(&map, &mut walls, boxes, &mut rest),
                board.is_unassignable(&map, &walls, boxes),
                board.is_packed_too_early(&map, &walls),
                {
                    parts.build(&map, &walls, *player);
                    corrals.is_dead(&map, &walls, boxes, &parts, (*player, 50))
                },
            ];
            for (i, &fires) in fires.iter().enumerate() {
                assert!(
                    !(fires && is_alive),
                    "{} reports {boxes:?}, {player} of {:?}",
                    names[i],
                    map.places
                );
                seen[i] += usize::from(fires);
            }
            parts.build(&map, &walls, *player);
            if fires.contains(&true) || *boxes == map.goals {
                continue;
            }
            if let Some(list) = pi_corral(&map, &walls, boxes, &parts) {
                pruned += 1;
                if list.is_empty() {
                    seen[6] += 1;
                }
                let next = successors(&map, position, Kind::Push);
                let mut kept = next.iter().filter(|(cell, _)| list.contains(cell));
                assert!(
                    !is_alive || kept.any(|(_, next)| alive.contains(next)),
                    "only {list:?} of {boxes:?}, {player} of {:?}",
                    map.places
                );
            }
        }
        let home = solvable(&map, &all, Kind::Pull, &map.starts);
        for position in &all {
            let (boxes, player) = position;
            if board.is_stuck_backwards(&map, &occupied(&map, boxes), *player) {
                stuck += 1;
                assert!(!home.contains(position), "backwards: {boxes:?}, {player}");
            }
        }
    }
    seen[7] = stuck;
    for (name, seen) in names.iter().zip(seen) {
        // Written to stderr directly, because the test harness would capture a macro's output.
        let _ = writeln!(std::io::stderr(), "{name}: {seen} of {dead_positions} dead positions");
    }
    let _ = writeln!(std::io::stderr(), "PI-corrals in {pruned} positions");
    assert!(seen.iter().enumerate().all(|(i, &seen)| i == 6 || seen > 0));
}

/// Parts of the board and macro moves agree with flood fills and with single pushes.
#[test]
fn macro_moves_are_all_that_one_box_can_do() {
    for map in levels(60) {
        let (mut blocks, mut sweep) = (Blocks::default(), Sweep::default());
        for position in positions(&map).iter().step_by(3) {
            let (boxes, player) = position;
            for kind in [Kind::Push, Kind::Pull] {
                for &cell in boxes {
                    let others: Vec<Id> = boxes.iter().copied().filter(|&b| b != cell).collect();
                    let lifted = occupied(&map, &others);
                    blocks.build(&map, &lifted);
                    sweep.run(&map, &lifted, &blocks, kind, cell, Some(*player), |_| true);
                    let mut found = BTreeSet::new();
                    for entry in &sweep.found[sweep.first..] {
                        found.insert((entry.to, entry.player));
                        let mut board = lifted.clone();
                        board[usize::from(entry.to)] = BOX;
                        let mut parts = Parts::default();
                        parts.build(&map, &board, entry.player);
                        assert_eq!(parts.count, usize::from(entry.parts));
                    }
                    let mut expected = BTreeSet::new();
                    let mut open = vec![(cell, *player)];
                    while let Some((at, player)) = open.pop() {
                        let mut boxes = others.clone();
                        boxes.push(at);
                        boxes.sort_unstable();
                        for (moved, (next, player)) in successors(&map, &(boxes, player), kind) {
                            if moved != at {
                                continue;
                            }
                            let to = next.iter().find(|c| !others.contains(c));
                            let to = *to.expect("the box that was moved");
                            if expected.insert((to, player)) {
                                open.push((to, player));
                            }
                        }
                    }
                    expected.remove(&(cell, *player));
                    assert_eq!(found, expected);
                }
            }
        }
    }
}

/// Three rooms of nine cells with doors between them; boxes in both doors separate them.
#[test]
fn rooms_and_parts_of_a_level_with_doors() {
    let level = map("#############|#--.#---#---#|#-@-$---$---#|#--.#---#---#|#############");
    assert_eq!(Rooms::new(&level).count, 3);
    let mut blocks = Blocks::default();
    blocks.build(&level, &occupied(&level, &level.starts));
    assert_eq!(blocks.parts, 3);
    blocks.build(&level, &occupied(&level, &level.starts[..1]));
    assert_eq!(blocks.parts, 2);
}

#[test]
fn two_boxes_side_by_side_at_a_wall_freeze() {
    let map = map("#######\n#  .. #\n# $$  #\n#   @ #\n#######");
    let pair = cells(&map, &[(1, 2), (1, 3)]);
    let mut held = Vec::new();
    assert!(freezes(&map, &mut occupied(&map, &pair), &mut held, pair[0]));
    let goals = map.goals.clone();
    assert!(!freezes(&map, &mut occupied(&map, &goals), &mut held, goals[0]));
    let apart = cells(&map, &[(2, 2), (2, 4)]);
    assert!(!freezes(&map, &mut occupied(&map, &apart), &mut held, apart[0]));
}

#[test]
fn a_goal_behind_a_filled_one_is_packed_too_early() {
    // The last goal of a blind alley has to be filled first.
    let map = map("########\n#@ $ ..#\n# $ ####\n#   #\n#####");
    let boxes = cells(&map, &[(1, 5), (2, 2)]);
    let board = occupied(&map, &boxes);
    assert!(!Board::default().is_packed_too_early(&map, &board));
    let mut walls = board.clone();
    let mut rest = Vec::new();
    assert!(settle(&map, &mut walls, &cells(&map, &[(1, 6), (2, 2)]), &mut rest));
}

#[test]
fn bits_come_back_in_order() {
    let mut set = vec![0; 3];
    for cell in [0, 63, 64, 130] {
        bits::set(&mut set, cell);
    }
    bits::clear(&mut set, 63);
    assert_eq!(bits::cells(&set).collect::<Vec<_>>(), [0, 64, 130]);
    assert!(bits::has(&set, 130) && !bits::has(&set, 63));
}
