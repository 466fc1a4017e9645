//! Comparison of the builder of additive pattern databases with a search that follows the
//! definition directly.

use std::collections::{HashMap, VecDeque};
use unriddle_tables::{Build, Work};
use unriddle_tiles::sliding::Pattern;

/// The cells next to a cell.
fn neighbours(side: usize, cell: usize) -> Vec<usize> {
    let (row, column) = (cell / side, cell % side);
    let mut cells = Vec::new();
    if row > 0 {
        cells.push(cell - side);
    }
    if row + 1 < side {
        cells.push(cell + side);
    }
    if column > 0 {
        cells.push(cell - 1);
    }
    if column + 1 < side {
        cells.push(cell + 1);
    }
    cells
}

/// All ways to put `k` tiles on different cells, in lexicographic order.
fn placements(cells: usize, k: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..k {
        all = all
            .iter()
            .flat_map(|begun| {
                let free = (0..cells).filter(|c| !begun.contains(c));
                free.map(|c| begun.iter().copied().chain([c]).collect()).collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

/// Least number of moves of the pattern's tiles, over all cells of the blank, by placement: a
/// breadth-first search over (placement, blank) in which moves of other tiles are free.
fn costs(side: usize, goals: &[usize], blank: usize) -> HashMap<Vec<usize>, u32> {
    let start = (goals.to_vec(), blank);
    let mut distance = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        let cost = distance[&state];
        let (tiles, blank) = &state;
        for cell in neighbours(side, *blank) {
            let mut moved = tiles.clone();
            let tile = tiles.iter().position(|&t| t == cell);
            if let Some(tile) = tile {
                moved[tile] = *blank;
            }
            let next = (moved, cell);
            let new = cost + u32::from(tile.is_some());
            if distance.get(&next).is_none_or(|&old| new < old) {
                distance.insert(next.clone(), new);
                match tile {
                    Some(_) => queue.push_back(next),
                    None => queue.push_front(next),
                }
            }
        }
    }
    let mut best: HashMap<Vec<usize>, u32> = HashMap::new();
    for ((tiles, _), cost) in distance {
        let entry = best.entry(tiles).or_insert(cost);
        *entry = cost.min(*entry);
    }
    best
}

/// Builds a table on some threads.
fn build(pattern: &Pattern, threads: usize) -> Vec<u8> {
    pattern.build(&Work::new(threads, &|_| true)).expect("a small table")
}

/// Compares a table with the definition: (cost − Manhattan distance) / 2, at most 15.
fn compare(side: usize, goals: &[usize], blank: usize) {
    let pattern = Pattern::new(side, goals, blank).expect("a pattern");
    let mut goals = goals.to_vec();
    goals.sort_unstable();
    let table = build(&pattern, 2);
    let costs = costs(side, &goals, blank);
    let all = placements(side * side, goals.len());
    assert_eq!(pattern.entries(), all.len() as u64);
    assert_eq!(table.len(), all.len().div_ceil(2));
    for (rank, tiles) in all.iter().enumerate() {
        let entry = u32::from(table[rank / 2] >> (rank % 2 * 4) & 15);
        let away = |(&tile, &goal): (&usize, &usize)| {
            (tile / side).abs_diff(goal / side) + (tile % side).abs_diff(goal % side)
        };
        let manhattan = tiles.iter().zip(&goals).map(away).sum::<usize>() as u32;
        let expected = match costs.get(tiles) {
            Some(cost) => {
                assert_eq!((cost - manhattan) % 2, 0);
                ((cost - manhattan) / 2).min(15)
            }
            // Nothing reaches it: no board has this placement.
            None => 15,
        };
        assert_eq!(entry, expected, "side {side}, goals {goals:?}, blank {blank}, at {tiles:?}");
    }
}

#[test]
fn side_2() {
    for blank in 0..4 {
        let tiles: Vec<usize> = (0..4).filter(|&c| c != blank).collect();
        for k in 1..=3 {
            compare(2, &tiles[..k], blank);
            compare(2, &tiles[3 - k..], blank);
        }
    }
}

#[test]
fn side_3_with_up_to_six_tiles() {
    for (goals, blank) in [
        (&[0][..], 8),
        (&[4], 8),
        (&[7], 8),
        (&[0, 1], 8),
        (&[2, 6], 4),
        (&[5, 7], 8),
        (&[0, 1, 2], 8),
        (&[8, 1, 4], 0),
        (&[0, 4, 8], 3),
        (&[0, 1, 2, 4], 8),
        (&[3, 5, 6, 7], 8),
        (&[1, 3, 5, 7], 4),
        (&[0, 1, 2, 3, 6], 8),
        (&[1, 2, 4, 7, 8], 5),
        (&[0, 1, 2, 3, 4, 5], 8),
        (&[0, 2, 3, 5, 6, 8], 4),
    ] {
        compare(3, goals, blank);
    }
}

#[test]
fn side_3_with_seven_tiles() {
    compare(3, &[0, 1, 2, 3, 4, 5, 6], 8);
    compare(3, &[0, 2, 3, 4, 6, 7, 8], 1);
}

/// All tiles: half of the placements belong to no board that can be reached.
#[test]
fn side_3_with_eight_tiles() {
    compare(3, &[0, 1, 2, 3, 4, 5, 6, 7], 8);
    compare(3, &[0, 1, 2, 3, 5, 6, 7, 8], 4);
}

#[test]
fn side_4() {
    for (goals, blank) in [
        (&[0][..], 15),
        (&[14], 15),
        (&[0, 1], 15),
        (&[10, 11], 15),
        (&[3, 12], 0),
        (&[0, 1, 2], 15),
        (&[11, 13, 14], 15),
        (&[1, 4, 6], 5),
        (&[15, 0, 10], 9),
    ] {
        compare(4, goals, blank);
    }
}

/// The number of threads cuts the work differently, at all sizes.
#[test]
fn threads_do_not_change_the_result() {
    for (side, goals, blank) in [
        (2, &[0, 1, 2][..], 3),
        (3, &[0, 1, 2, 3], 8),
        (3, &[1, 2, 3, 4, 5, 6], 0),
        (4, &[0, 1, 4, 5], 15),
        (4, &[0, 1, 2, 4, 5], 15),
        (5, &[12, 13, 18], 24),
        (6, &[0, 35, 7], 34),
    ] {
        let pattern = Pattern::new(side, goals, blank).expect("a pattern");
        let one = build(&pattern, 1);
        for threads in [0, 2, 3, 7, 64] {
            assert!(build(&pattern, threads) == one, "{pattern:?} on {threads} threads");
        }
    }
}

/// A progress report of `false` ends the building, whenever it comes; reports do not fall.
#[test]
fn building_can_be_cancelled_at_every_report() {
    use std::sync::Mutex;
    let pattern = Pattern::new(4, &[0, 1, 2, 3, 4], 15).expect("a pattern");
    let reports = Mutex::new(Vec::new());
    let all = pattern.build(&Work::new(1, &|p| {
        assert!(p.done <= p.total);
        reports.lock().expect("one thread").push(p.done);
        true
    }));
    assert!(all.is_ok());
    let reports = reports.into_inner().expect("one thread");
    assert!(reports.is_sorted() && reports.len() > 10);
    for stop in [0, 1, reports.len() / 2, reports.len() - 1] {
        let left = Mutex::new(stop);
        let result = pattern.build(&Work::new(1, &|_| {
            let mut left = left.lock().expect("one thread");
            *left = left.wrapping_sub(1);
            *left != usize::MAX
        }));
        assert!(matches!(result, Err(unriddle_tables::TableError::Cancelled)));
    }
}

#[test]
fn bad_patterns_are_refused() {
    for (side, goals, blank, why) in [
        (3, &[][..], 8, "0 tiles"),
        (3, &[0, 1, 2, 3, 4, 5, 6, 7, 8], 9, "not distinct cells"),
        (4, &[0, 1, 2, 3, 4, 5, 6, 7, 8], 15, "9 tiles"),
        (3, &[8], 8, "not distinct cells"),
        (3, &[1, 1], 8, "not distinct cells"),
        (3, &[9], 8, "not distinct cells"),
        (9, &[0], 80, "not distinct cells"),
        (0, &[0], 0, "not distinct cells"),
        (usize::MAX, &[0], 0, "not distinct cells"),
        (5, &[0, 1, 2, 3, 4, 5, 6, 7], 24, "2^32"),
    ] {
        let error = Pattern::new(side, goals, blank).expect_err("a bad pattern").to_string();
        assert!(error.contains(why), "{error}");
    }
}
