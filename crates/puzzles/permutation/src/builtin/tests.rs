//! Definitions of all sizes are valid, and small puzzles have the known numbers of states.

use super::{KINDS, Kind, builtin};
use crate::definition::{Array, Definition, Invalid, identity, order, product};
use std::collections::{HashMap, HashSet};

fn puzzle(name: &str) -> Definition {
    match builtin(name) {
        Some(Ok(definition)) => definition,
        Some(Err(Invalid(why))) => panic!("{why}"),
        None => panic!("`{name}` is unknown"),
    }
}

fn refused(name: &str) -> String {
    match builtin(name) {
        Some(Err(Invalid(why))) => why,
        other => panic!("`{name}` is {other:?}"),
    }
}

fn array(definition: &Definition, name: &str) -> Array {
    let step = definition.moves.iter().find(|step| step.name == name);
    step.unwrap_or_else(|| panic!("no move `{name}`")).array.clone()
}

/// The permutation of a sequence of moves.
fn sequence(definition: &Definition, moves: &str) -> Array {
    let start = identity(definition.goal.len());
    moves.split(' ').fold(start, |before, name| product(&before, &array(definition, name)))
}

/// The goal after a sequence of moves, as labels.
fn after(definition: &Definition, moves: &str) -> Vec<String> {
    let sequence = sequence(definition, moves);
    let label = |&from: &u16| definition.goal[usize::from(from)];
    sequence.iter().map(|from| definition.labels[usize::from(label(from))].clone()).collect()
}

fn order_of(definition: &Definition, moves: &str) -> u64 {
    order(&sequence(definition, moves))
}

fn is_legal(definition: &Definition, state: &[u8]) -> bool {
    !definition.illegal.iter().any(|&(at, label)| state[usize::from(at)] == label)
}

/// Numbers of states at each distance from the goal, until `most`.
fn growth(definition: &Definition, most: usize) -> Vec<usize> {
    let mut seen = HashSet::from([definition.goal.clone()]);
    let mut layer = vec![definition.goal.clone()];
    let mut counts = Vec::new();
    while !layer.is_empty() {
        counts.push(layer.len());
        if counts.len() > most {
            break;
        }
        let mut next = Vec::new();
        for state in &layer {
            for step in &definition.moves {
                let after: Vec<u8> =
                    step.array.iter().map(|&from| state[usize::from(from)]).collect();
                if is_legal(definition, &after) && seen.insert(after.clone()) {
                    next.push(after);
                }
            }
        }
        layer = next;
    }
    counts
}

fn growth_of(name: &str, most: usize) -> Vec<usize> {
    growth(&puzzle(name), most)
}

fn factorial(count: usize) -> usize {
    (1..=count).product()
}

/// Names with sizes at the ends and within the ranges of a kind.
fn names(kind: &Kind) -> Vec<String> {
    let mut names = vec![kind.name.to_owned()];
    for (letters, limits) in [["N", "A"], ["K", "B"]].iter().zip(kind.limits) {
        let (least, most) = (*limits.start(), *limits.end());
        let sizes: Vec<usize> = (least..=most).filter(|n| n - least < 8 || *n == most).collect();
        let replaced = |name: &String, size: usize| {
            let word = |word: &str| match letters.contains(&word) {
                true => size.to_string(),
                false => word.to_owned(),
            };
            name.split('-').map(word).collect::<Vec<_>>().join("-")
        };
        let all = names.iter().flat_map(|name| sizes.iter().map(|&size| replaced(name, size)));
        names = all.collect();
    }
    names
}

#[test]
fn definitions_of_all_sizes_are_valid() {
    for kind in KINDS {
        let example = puzzle(kind.example);
        assert!(!example.name.is_empty() && example.name.is_ascii());
        let mut valid = 0;
        for name in names(kind) {
            let definition = match builtin(&name) {
                Some(Ok(definition)) => definition,
                Some(Err(Invalid(why))) => {
                    assert!(why.starts_with(&format!("`{name}`: expected ")), "{why}");
                    continue;
                }
                None => panic!("`{name}` is unknown"),
            };
            valid += 1;
            definition.check().unwrap();
            assert!(is_legal(&definition, &definition.goal));
            let none = identity(definition.goal.len());
            assert!(definition.moves.iter().all(|step| step.array != none), "{name}");
            if let Some(net) = &definition.net {
                let mut cells: Vec<u16> = net.iter().flatten().copied().flatten().collect();
                cells.sort_unstable();
                assert_eq!(cells, none, "{name}");
            }
        }
        assert!(valid >= if kind.limits.is_empty() { 1 } else { 6 }, "{}", kind.name);
    }
}

#[test]
fn every_move_has_an_inverse() {
    for kind in KINDS {
        let definition = puzzle(kind.example);
        let arrays: HashSet<&Array> = definition.moves.iter().map(|step| &step.array).collect();
        for step in &definition.moves {
            let inverse = crate::definition::inverse(&step.array);
            assert!(arrays.contains(&inverse), "{} {}", kind.name, step.name);
        }
    }
}

#[test]
fn texts_of_kinds_state_their_limits() {
    for Kind { name, sizes, text, limits, .. } in KINDS {
        assert!(text.len() <= 60 && !text.contains(';'), "{name}");
        assert_eq!(sizes.is_empty(), limits.is_empty(), "{name}");
        assert!(limits.iter().all(|limits| sizes.contains(&limits.start().to_string())), "{name}");
    }
}

#[test]
fn unknown_names_are_no_puzzles() {
    for name in ["", "-", "cube-", "cube-x", "cube-3.txt", "cube-3-half", "Cube-3", "square-2", "é"]
    {
        assert!(builtin(name).is_none(), "{name}");
    }
}

#[test]
fn missing_sizes_are_refused() {
    let form = "`cube`: expected the form cube-N, such as cube-3";
    assert_eq!(refused("cube"), form);
    assert_eq!(refused("pyraminx-3"), "`pyraminx-3`: expected the form pyraminx");
    let size = "`cube-8`: expected a size of 2 to 7, such as cube-3, found 8";
    assert_eq!(refused("cube-8"), size);
    for name in ["cube-3-3", "cube-1", "cube-99999999999999999999999", "wreath-6", "wreath-2-9"] {
        refused(name);
    }
    assert!(refused("top-spin-4-5").contains("turntable of 2 to 4"));
    assert!(refused("wreath-200-200-distinct").contains("256 different labels"));
    assert!(refused("globe-63-64").contains("512 positions"));
}

#[test]
fn moves_of_cubes_have_known_orders() {
    let cube = puzzle("cube-3");
    let orders = [("U", 4), ("U2", 2), ("R U", 105), ("R U R' U'", 6), ("R2 U2", 6), ("R U'", 63)];
    for (moves, order) in orders {
        assert_eq!(order_of(&cube, moves), order, "{moves}");
    }
    assert_eq!(order_of(&puzzle("cube-3-slices"), "M E M' E'"), 3);
    assert_eq!(order_of(&puzzle("cube-2"), "R U"), 15);
}

#[test]
fn numbers_of_moves_of_cubes_follow_from_layers() {
    let count = |name: &str| puzzle(name).moves.len();
    assert_eq!([2, 3, 4, 5, 6, 7].map(|n| count(&format!("cube-{n}"))), [9, 18, 36, 36, 54, 54]);
    assert_eq!([2, 3, 4].map(|n| count(&format!("cube-{n}-quarter"))), [6, 12, 24]);
    assert_eq!([2, 3, 4, 5].map(|n| count(&format!("cube-{n}-slices"))), [12, 18, 24, 30]);
}

#[test]
fn faces_turn_clockwise() {
    let cube = puzzle("cube-3");
    let (up, right, front) = (0, 9, 18);
    assert_eq!(after(&cube, "U")[front], "R");
    assert_eq!(after(&cube, "R")[up + 2], "F");
    assert_eq!(after(&cube, "F")[right], "U");
    let slices = puzzle("cube-3-slices");
    assert_eq!(after(&slices, "M")[front + 4], "U");
    assert_eq!(after(&slices, "E")[front + 4], "L");
    assert_eq!(after(&slices, "S")[right + 4], "U");
    // Triangles from their top or, inverted, from their long row: 9 stickers each.
    let pyraminx = puzzle("pyraminx");
    assert_eq!(after(&pyraminx, "U")[..4], ["R", "R", "R", "R"]);
    assert_eq!(after(&pyraminx, "u")[..2], ["R", "F"]);
    // The centres are the third of 5 stickers of each face.
    let skewb = after(&puzzle("skewb"), "R");
    assert_eq!([&skewb[5 + 2], &skewb[25 + 2], &skewb[15 + 2]], ["D", "R", "B"]);
    // F is the second face, and the edge below U is its first sticker after the centre.
    let megaminx = puzzle("megaminx");
    let label_of_right = &megaminx.labels[5];
    assert_eq!(&after(&megaminx, "U")[12], label_of_right);
}

#[test]
fn moves_of_solids_have_known_orders() {
    let pyraminx = puzzle("pyraminx");
    assert_eq!((pyraminx.goal.len(), pyraminx.moves.len()), (36, 16));
    assert_eq!(order_of(&pyraminx, "U"), 3);
    assert_eq!(order_of(&pyraminx, "u"), 3);
    assert_eq!(order_of(&pyraminx, "U u'"), 3);
    let skewb = puzzle("skewb");
    assert_eq!((skewb.goal.len(), skewb.moves.len()), (30, 8));
    assert_eq!(order_of(&skewb, "R"), 3);
    let megaminx = puzzle("megaminx");
    assert_eq!((megaminx.goal.len(), megaminx.moves.len()), (132, 48));
    assert_eq!(order_of(&megaminx, "R"), 5);
    assert_eq!(order_of(&megaminx, "U D U' D'"), 1);
    assert_eq!(order_of(&megaminx, "R U R' U'"), 6);
}

#[test]
fn cubes_of_side_2_grow_as_known() {
    let half = [1, 9, 54, 321, 1847, 9992, 50136];
    assert_eq!(growth_of("cube-2", 6), half);
    let quarter = [1, 6, 27, 120, 534, 2256, 8969, 33058];
    assert_eq!(growth_of("cube-2-quarter", 7), quarter);
}

#[test]
fn cubes_of_side_3_grow_as_known() {
    assert_eq!(growth_of("cube-3", 4), [1, 18, 243, 3240, 43239]);
    assert_eq!(growth_of("cube-3-quarter", 4), [1, 12, 114, 1068, 10011]);
}

/// The Pyraminx without its tips.
fn without_tips() -> Definition {
    let mut pyraminx = puzzle("pyraminx");
    let tips: Vec<Array> = ["u", "l", "r", "b"].map(|tip| array(&pyraminx, tip)).to_vec();
    let is_moved = |at: usize| tips.iter().any(|tip| usize::from(tip[at]) != at);
    for at in 0..pyraminx.goal.len() {
        if is_moved(at) {
            pyraminx.goal[at] = 0;
        }
    }
    pyraminx.moves.retain(|step| step.name.starts_with(char::is_uppercase));
    pyraminx
}

#[test]
fn solids_grow_as_known() {
    assert_eq!(growth(&without_tips(), 5), [1, 8, 48, 288, 1728, 9896]);
    assert_eq!(growth_of("skewb", 5), [1, 8, 48, 288, 1728, 10248]);
}

#[test]
fn pancakes_grow_as_known() {
    assert_eq!(growth_of("pancake-4", 9), [1, 3, 6, 11, 3]);
    assert_eq!(growth_of("pancake-5", 9), [1, 4, 12, 35, 48, 20]);
    assert_eq!(growth_of("pancake-6", 9), [1, 5, 20, 79, 199, 281, 133, 2]);
    assert_eq!(growth_of("burnt-pancake-3", 9), [1, 3, 6, 12, 18, 6, 2]);
    assert_eq!(growth_of("burnt-pancake-4", 20), [1, 4, 12, 36, 90, 124, 96, 18, 3]);
    assert_eq!(growth_of("burnt-pancake-5", 20).iter().sum::<usize>(), 32 * factorial(5));
}

#[test]
fn generators_of_the_symmetric_group_reach_all_permutations() {
    assert_eq!(growth_of("transpositions-4", 9), [1, 3, 5, 6, 5, 3, 1]);
    // Permutations of 5 with 5, 4, 3, 2 and 1 cycles.
    assert_eq!(growth_of("all-transpositions-5", 9), [1, 10, 35, 50, 24]);
    for name in ["symmetric-7", "transpositions-7", "all-transpositions-7", "pancake-7"] {
        assert_eq!(growth_of(name, 99).iter().sum::<usize>(), factorial(7), "{name}");
    }
    // The distance of the reversed row is the number of pairs.
    assert_eq!(growth_of("transpositions-7", 99).len() - 1, 21);
    // A rotation of an even ring is odd.
    assert_eq!(growth_of("top-spin-8-4", 99).iter().sum::<usize>(), factorial(8));
}

#[test]
fn rings_of_a_wreath_share_two_positions() {
    for name in ["wreath-3-3", "wreath-6-6", "wreath-7-12", "wreath-100-20"] {
        let wreath = puzzle(name);
        let (left, right) = (array(&wreath, "l"), array(&wreath, "r"));
        let moved = |array: &Array, at: usize| usize::from(array[at]) != at;
        let shared = (0..left.len()).filter(|&at| moved(&left, at) && moved(&right, at));
        let shared: Vec<usize> = shared.collect();
        assert_eq!(shared.len(), 2, "{name}");
        assert!(shared.iter().all(|&at| wreath.labels[usize::from(wreath.goal[at])] == "C"));
        assert_eq!(wreath.goal.iter().filter(|&&label| label == 2).count(), 2);
    }
    // Rings of equal size cross in the same way: the inner parts have one bead each.
    let wreath = puzzle("wreath-6-6");
    assert_eq!(array(&wreath, "l"), [5, 0, 1, 2, 3, 4, 6, 7, 8, 9]);
    assert_eq!(array(&wreath, "r"), [9, 1, 8, 3, 4, 5, 0, 6, 7, 2]);
    // Two cycles of 4 labels generate a group of 120 permutations of 6 labels, PGL(2, 5).
    assert_eq!(growth_of("wreath-4-4-distinct", 99).iter().sum::<usize>(), 120);
    // A cycle of even length is odd: all permutations of the 8 beads, or all arrangements of the
    // kinds.
    assert_eq!(growth_of("wreath-4-6-distinct", 99).iter().sum::<usize>(), factorial(8));
    let arrangements = factorial(8) / (factorial(2) * factorial(4) * factorial(2));
    assert_eq!(growth_of("wreath-4-6", 99).iter().sum::<usize>(), arrangements);
}

#[test]
fn flips_of_a_globe_reverse_rows_and_columns() {
    let globe = puzzle("globe-1-2");
    assert_eq!(array(&globe, "r0"), [3, 0, 1, 2, 4, 5, 6, 7]);
    assert_eq!(array(&globe, "f1"), [0, 6, 5, 3, 4, 2, 1, 7]);
    assert!((0..4).all(|first| order_of(&globe, &format!("f{first}")) == 2));
    assert_eq!(puzzle("globe-3-4").moves.len(), 4 * 2 + 8);
    assert_eq!(puzzle("globe-3-33").labels.len(), 132);
}

/// A puzzle with equal labels where `class` gives the same text.
fn coarse(mut definition: Definition, class: impl Fn(&str) -> &'static str) -> Definition {
    let mut indices = HashMap::new();
    let classes: Vec<u8> = definition
        .labels
        .iter()
        .map(|label| {
            let next = indices.len() as u8;
            *indices.entry(class(label)).or_insert(next)
        })
        .collect();
    let merged = |label: &mut u8| *label = classes[usize::from(*label)];
    definition.goal.iter_mut().for_each(merged);
    definition.illegal.iter_mut().for_each(|(_, label)| merged(label));
    definition
}

fn shape(label: &str) -> &'static str {
    match label.as_bytes() {
        b"M" | b"m" => "middle",
        [b'0'..=b'9'] => "edge",
        [b'A'..=b'Z'] => "first",
        _ => "second",
    }
}

#[test]
fn square1_has_all_shapes() {
    let square1 = puzzle("square-1");
    assert_eq!((square1.goal.len(), square1.moves.len()), (26, 23));
    assert_eq!(square1.illegal.len(), 8 * 4);
    assert_eq!((order_of(&square1, "U"), order_of(&square1, "/")), (12, 2));
    // Halves of the layers have 1, 5, 6 and 1 forms with 0 to 3 corners. The coefficient of x^8 of
    // (1 + 5x + 6x² + x³)⁴ is the number of shapes with 8 corners and no corner across the cut.
    let shapes = coarse(square1, shape);
    assert_eq!(growth(&shapes, 99).iter().sum::<usize>(), 3678);
}

#[test]
fn illegal_turns_of_square1_split_corners() {
    let square1 = puzzle("square-1");
    let is_legal_after = |name: &str| {
        let array = array(&square1, name);
        let state: Vec<u8> = array.iter().map(|&at| square1.goal[usize::from(at)]).collect();
        is_legal(&square1, &state)
    };
    // The top has corners at slots 0 and 1, 3 and 4, and so on, the bottom a slot later.
    let legal: Vec<&str> = square1.moves.iter().map(|step| &*step.name).collect();
    let legal: Vec<&str> = legal.into_iter().filter(|name| is_legal_after(name)).collect();
    let expected = "U U2' U3 U3' U4 U5' U6 D' D2 D3 D3' D4' D5 D6 /";
    assert_eq!(legal, expected.split(' ').collect::<Vec<_>>());
}

#[test]
fn known_sequence_of_square1_swaps_edges() {
    // (1, 0) / (-1, -1) / (0, 1) in the notation of competitions.
    let square1 = puzzle("square-1");
    let array = sequence(&square1, "U / U' D' / D");
    let moved: Vec<usize> = (0..26).filter(|&at| usize::from(array[at]) != at).collect();
    assert_eq!((moved.len(), order(&array)), (4, 2));
    assert!(moved.iter().all(|&at| shape(&square1.labels[at]) == "edge"));
}
