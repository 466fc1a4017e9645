//! Heuristics of sliding tiles against one another and against true distances.

use std::collections::HashMap;
use unriddle_core::{Cost, Guarantee, Heuristic, Puzzle, Rng};
use unriddle_tables::{Cache, Policy, TableError};
use unriddle_tiles::{
    AnyBoard, Board, Board3, Board4, Board5, Board6, Goal, LinearConflict, Manhattan, Partition,
    Pdb, Shape, Slide, Tiles, WalkingDistance, generate,
};

fn memory() -> Cache {
    Cache::new(None, 2, Policy::Reuse)
}

/// The goal as an instance.
fn solved<B: Board>(side: usize) -> Tiles<B> {
    let cells: Vec<u8> = (1..(side * side) as u8).chain([0]).collect();
    Tiles::new(&cells, Goal::BlankLast)
}

fn estimate<B: Board, H: Heuristic<Tiles<B>>>(h: &H, board: &B) -> Cost {
    h.root(&solved(board.columns()), board).expect("no dead ends").0
}

/// The board mirrored at the main diagonal: cells and tiles.
fn mirrored<B: Board>(board: &B) -> B {
    let n = board.columns();
    let mirror = |cell: usize| cell % n * n + cell / n;
    let tile = |cell: usize| match board.tile(mirror(cell)) {
        0 => 0,
        tile => mirror(tile - 1) as u8 + 1,
    };
    B::pack(&(0..n * n).map(tile).collect::<Vec<u8>>(), n)
}

/// Along random walks from the goal and from uniform boards: `child` equals `root`, the estimate
/// has the right parity, is at least the Manhattan distance and, if it is `symmetric`, is the same
/// for the mirror image.
fn wander<B: Board, H: Heuristic<Tiles<B>>>(
    side: usize,
    heuristic: &H,
    steps: usize,
    symmetric: bool,
) {
    let puzzle = solved::<B>(side);
    let distance = Manhattan::new(&puzzle);
    assert_eq!(estimate(heuristic, &puzzle.initial_state()), 0);
    let mut rng = Rng::new(side as u64);
    let goal = puzzle.initial_state();
    let start = B::pack(&generate::uniform(side, Goal::BlankLast, &mut rng), side);
    for mut state in [goal, start] {
        let (mut h, mut memo) = heuristic.root(&puzzle, &state).expect("no dead ends");
        for _ in 0..steps {
            let slides: Vec<Slide> = puzzle.actions(&state).collect();
            for &slide in &slides {
                let child = puzzle.apply(&state, slide);
                heuristic.prefetch(&puzzle, &state, &memo, slide);
                let next = heuristic.child(&puzzle, &state, &memo, slide, &child);
                let next = next.expect("no dead ends").0;
                assert_eq!(next, estimate(heuristic, &child));
                if symmetric {
                    assert_eq!(next, estimate(heuristic, &mirrored(&child)));
                }
                assert!(next >= estimate(&distance, &child));
                assert_eq!(next % 2, estimate(&distance, &child) % 2);
                if heuristic.guarantee() == Guarantee::Consistent {
                    assert_eq!(next.abs_diff(h), 1);
                }
            }
            let slide = slides[rng.below(slides.len() as u64) as usize];
            let child = puzzle.apply(&state, slide);
            (h, memo) =
                heuristic.child(&puzzle, &state, &memo, slide, &child).expect("no dead ends");
            state = child;
        }
    }
}

/// Walks with the tables of a partition and its mirror image.
fn walk<B: Board, const K: usize>(side: usize, name: &str, steps: usize) {
    wander(side, &named::<B, K>(side, name), steps, true);
}

fn named<B: Board, const K: usize>(side: usize, name: &str) -> Pdb<B, K> {
    views(side, name, true)
}

/// The sum of the board without its mirror image.
fn alone<B: Board, const K: usize>(side: usize, name: &str) -> Pdb<B, K> {
    views(side, name, false)
}

fn views<B: Board, const K: usize>(side: usize, name: &str, mirror: bool) -> Pdb<B, K> {
    let partition = Partition::parse(side, name).expect("a partition");
    Pdb::new(&solved(side), &partition, mirror, &memory()).expect("tables")
}

#[test]
fn pattern_databases_are_incremental() {
    walk::<AnyBoard, 2>(2, "1.2/3", 200);
    walk::<AnyBoard, 1>(2, "1.2.3", 200);
    walk::<AnyBoard, 2>(3, "4-4", 500);
    walk::<Board3, 2>(3, "4-4", 2000);
    walk::<Board3, 1>(3, "1.2.3.4.5.6.7.8", 2000);
    walk::<Board3, 4>(3, "1.5.8/2.3/7/4.6", 2000);
    walk::<Board4, 3>(4, "5-5-5", 2000);
    // Fewer patterns than `K`.
    walk::<Board4, 7>(4, "5-5-5", 500);
}

#[test]
fn pattern_databases_of_six_tiles_are_incremental() {
    walk::<Board4, 4>(4, "6-6-3", 1000);
}

#[test]
fn pattern_databases_of_side_5_are_incremental() {
    walk::<Board5, 5>(5, "5-5-5-5-4", 1000);
}

/// Small patterns, so that every mechanism also runs on the large boards.
#[test]
fn pattern_databases_of_large_boards_are_incremental() {
    fn pairs<B: Board, const K: usize>(side: usize) {
        let tiles: Vec<String> = (1..side * side).map(|t| t.to_string()).collect();
        let pairs: Vec<String> = tiles.chunks(2).map(|pair| pair.join(".")).collect();
        walk::<B, K>(side, &pairs.join("/"), 300);
    }
    pairs::<Board6, 18>(6);
    pairs::<AnyBoard, 24>(7);
    pairs::<AnyBoard, 32>(8);
}

/// Without the mirror image, the estimate is the sum of the board itself. It is incremental, and
/// never above the larger sum, which is the sum of the board or of its mirror image.
#[test]
fn the_mirror_image_can_be_left_out() {
    fn compare<B: Board, const K: usize>(side: usize, name: &str, steps: usize) {
        let (both, one) = (named::<B, K>(side, name), alone::<B, K>(side, name));
        wander(side, &one, steps, false);
        let mut lower = 0;
        for index in 0..200 {
            let cells = generate::uniform(side, Goal::BlankLast, &mut Rng::stream(3, index));
            let board = B::pack(&cells, side);
            let (h, image) = (estimate(&one, &board), estimate(&one, &mirrored(&board)));
            assert_eq!(h.max(image), estimate(&both, &board));
            lower += u32::from(h < image);
        }
        assert!(lower > 0, "{name} makes no difference on any board");
        assert_eq!(both.bytes(), one.bytes());
    }
    compare::<Board3, 2>(3, "4-4", 1000);
    compare::<Board3, 4>(3, "1.5.8/2.3/7/4.6", 1000);
    compare::<Board4, 4>(4, "5-5-5", 1000);
    let pairs: Vec<String> = (1..25).map(|tile| tile.to_string()).collect();
    let pairs: Vec<String> = pairs.chunks(2).map(|pair| pair.join(".")).collect();
    compare::<Board5, 16>(5, &pairs.join("/"), 300);
}

#[test]
fn partitions_that_do_not_fit_are_refused() {
    let partition = Partition::parse(4, "5-5-5").expect("a partition");
    let rectangle = Tiles::<AnyBoard>::of(
        Shape { rows: 2, columns: 8 },
        &generate::uniform(Shape { rows: 2, columns: 8 }, Goal::BlankLast, &mut Rng::new(1)),
        Goal::BlankLast,
    );
    for error in [
        Pdb::<Board4, 2>::new(&solved(4), &partition, true, &memory()).map(|_| ()),
        Pdb::<Board5, 3>::new(&solved(5), &partition, true, &memory()).map(|_| ()),
        Pdb::<AnyBoard, 3>::new(&rectangle, &partition, true, &memory()).map(|_| ()),
    ] {
        assert!(matches!(error, Err(TableError::BadPattern(_))));
    }
}

/// Distances of all 181,440 boards of the 8-puzzle by breadth-first search.
fn distances() -> HashMap<Board3, Cost> {
    let puzzle = solved::<Board3>(3);
    let goal = puzzle.initial_state();
    let mut distance = HashMap::from([(goal, 0)]);
    let mut layer = vec![goal];
    let mut depth = 0;
    while !layer.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for state in layer {
            for slide in puzzle.actions(&state) {
                let child = puzzle.apply(&state, slide);
                distance.entry(child).or_insert_with(|| {
                    next.push(child);
                    depth
                });
            }
        }
        layer = next;
    }
    distance
}

/// Checks an estimate on all boards: never above the distance, and 0 only at the goal. Returns its
/// mean in thousandths.
fn mean<H: Heuristic<Tiles<Board3>>>(heuristic: &H, distances: &HashMap<Board3, Cost>) -> u64 {
    assert!(heuristic.guarantee().is_admissible());
    let mut sum = 0;
    for (board, &distance) in distances {
        let h = estimate(heuristic, board);
        assert!(h <= distance, "{h} where {distance} moves suffice");
        assert_eq!(h == 0, distance == 0);
        sum += u64::from(h);
    }
    1000 * sum / distances.len() as u64
}

#[test]
fn all_estimates_of_the_8_puzzle_are_lower_bounds() {
    let distances = distances();
    assert_eq!(distances.len(), 181_440);
    assert_eq!(distances.values().max(), Some(&31));
    let truth = 1000 * distances.values().map(|&d| u64::from(d)).sum::<u64>() / 181_440;
    let walking = WalkingDistance::<Board3>::new(&solved(3), &memory()).expect("a small table");
    let means = [
        mean(&Manhattan::new(&solved(3)), &distances),
        mean(&LinearConflict::new(&solved(3)), &distances),
        mean(&walking, &distances),
        mean(&alone::<Board3, 2>(3, "4-4"), &distances),
        mean(&named::<Board3, 2>(3, "4-4"), &distances),
        mean(&named::<Board3, 1>(3, "1.2.3.4.5.6.7.8"), &distances),
    ];
    assert_eq!(means, MEANS);
    // One pattern of all tiles knows everything.
    assert_eq!((truth, means[5]), (21_972, 21_972));
}
const MEANS: [u64; 6] = [14_000, 15_119, 15_683, 18_507, 19_181, 21_972];

/// A sum over a finer partition is never larger.
#[test]
fn merging_patterns_helps() {
    let fine = named::<Board3, 4>(3, "1.2/3.6/4.7/5.8");
    let coarse = named::<Board3, 4>(3, "1.2.3.6/4.7.5.8");
    for index in 0..500 {
        let cells = generate::uniform(3, Goal::BlankLast, &mut Rng::stream(8, index));
        let board = Board3::pack(&cells, 3);
        assert!(estimate(&fine, &board) <= estimate(&coarse, &board));
    }
}
