//! Forms in which people write cubes: the cases of the field, texts of random cubes in every form,
//! and the front reader beside the independent checker.

use proptest::prelude::*;
use unriddle_catalog::{AnyPuzzle, Registry, Rng, input};
use unriddle_conformance::{Violation, forms};
use unriddle_core::{GoalPuzzle as _, Notation as _, Puzzle as _};
use unriddle_cube::{Cube, FAMILY, Metric};

fn puzzle(spec: &str) -> Box<dyn AnyPuzzle> {
    let registry = Registry::new([&FAMILY]).unwrap();
    registry.puzzle(spec).unwrap().1
}

/// Ids and texts of the cubes of a file.
fn texts(spec: &str, file: &str) -> Result<Vec<(String, String)>, String> {
    let named = input::load(&*puzzle(spec), file).map_err(|error| error.to_string())?;
    Ok(named.into_iter().map(|named| (named.id, named.instance.text())).collect())
}

fn text(spec: &str, cube: &str) -> String {
    puzzle(spec).load(cube).unwrap().text()
}

/// The cube of `L' B2 U R D'`, `F2 R' B L2 U'`, `D F B2 R U2`, seen in all ways.
const MOVES: &str = "L' B2 U R D' F2 R' B L2 U' D F B2 R U2";

/// The stickers of this cube.
fn letters() -> String {
    text("cube", MOVES)
}

/// Replaces letters of faces by other signs.
fn painted(letters: &str, signs: [&str; 6]) -> String {
    letters.chars().map(|letter| signs["URFDLB".find(letter).unwrap()]).collect()
}

/// Text in rows.
fn rows(letters: &str, length: usize) -> Vec<String> {
    let signs: Vec<char> = letters.chars().collect();
    signs.chunks(length).map(String::from_iter).collect()
}

/// The drawing of a net.
fn net(letters: &str) -> String {
    let row = |face: usize, row: usize| letters[9 * face + 3 * row..][..3].to_owned();
    let middle = |at| [4, 2, 1, 5].map(|face| row(face, at)).join(" ");
    let all = [
        [0, 1, 2].map(|at| format!("    {}", row(0, at))),
        [0, 1, 2].map(middle),
        [0, 1, 2].map(|at| format!("    {}", row(3, at))),
    ];
    all.concat().join("\n")
}

/// Part A of the field's cases: a text with as many letters as the cube has stickers is stickers,
/// and a commutator is no sequence.
#[test]
fn nothing_is_read_as_something_else() {
    let one = |file: &str| assert_eq!(texts("cube", file), Ok(vec![("1".into(), letters())]));
    one(&rows(&letters(), 9).join("\n"));
    one(&rows(&letters(), 3).join("\n"));
    one(&net(&letters()));
    one(&letters().to_lowercase());
    for commutator in ["[R, U]", "R U R' U'", "[R U R', U]", "R [U: R']"] {
        let commuted = commutator.starts_with("[R U R'");
        let expected = if commuted { "R U R' U R U' R' U'" } else { "R U R' U'" };
        assert_eq!(text("cube", commutator), text("cube", expected), "{commutator}");
    }
    let file = "a: [R, U]\nb: R U R' U'\n";
    let found = texts("cube", file).unwrap();
    assert_eq!((&*found[0].0, &*found[1].0), ("a", "b"));
    assert_eq!(found[0].1, found[1].1);
}

/// Part B: the solution is of the cube as it is held, in the text and by the independent checker.
#[test]
fn cubes_are_solved_as_they_are_held() {
    let held = "UURUURUURBBBBBBBBBRRDRRDRRDDDLDDLDDLFFFFFFFFFULLULLULL";
    for (spec, cube, right, wrong) in [
        ("cube", "y R", "R'", "B'"),
        ("cube", "D L2 F' Rw", "L' U L L F'", "L' F L L D'"),
        ("cube", "F2 M U", "U' R' L D D", "B' R' L F F"),
        ("cube", held, "R'", "B'"),
        ("cube", "R", "y' B'  y", "y B' y'"),
        ("cube(size=2)", "x R U", "U' R'", "R' U'"),
        ("cube(size=2)", "D B", "B' D'", "D' B'"),
        ("cube(metric=htm)", "x2 M2 (R U2)2", "(R U2)2' M2", "(R U2)2 M2"),
    ] {
        let instance = puzzle(spec).load(cube).unwrap();
        let written = instance.text();
        let verified = unriddle_check::verify(spec, &written, right).unwrap();
        let replayed = instance.replay(right).unwrap();
        assert_eq!((verified.value, verified.length), replayed, "{cube}");
        assert!(instance.replay(wrong).is_err(), "{cube}");
        assert!(unriddle_check::verify(spec, &written, wrong).is_err(), "{cube}");
        let goal = unriddle_check::goal(spec, &written).unwrap().unwrap();
        assert_eq!(unriddle_check::is_goal(spec, &goal), Ok(true));
        assert_eq!(text(spec, &written), written);
        // Mirror images are of the cube as it is held.
        let image = instance.mirrored().unwrap();
        let mirrored = instance.mirrored_solution(right).unwrap().unwrap();
        assert_eq!(image.replay(&mirrored).unwrap().0, replayed.0, "{cube}");
        assert!(unriddle_check::verify(spec, &image.text(), &mirrored).is_ok(), "{cube}");
        assert_eq!(image.mirrored().unwrap().text(), written);
        // A game is played on the cube as it is held.
        let mut game = instance.game().unwrap();
        game.replay(right).unwrap();
        assert!(game.is_over() && game.text() == goal, "{cube}");
        let usual = puzzle(spec).load(&instance.canonical()).unwrap();
        assert_eq!(usual.canonical(), instance.canonical());
    }
    let usual = puzzle("cube").load("R").unwrap();
    assert_eq!(puzzle("cube").load("y R").unwrap().canonical(), usual.canonical());
}

/// Part E: forms that programs of the field write.
#[test]
fn forms_of_the_field_are_read() {
    assert_eq!(text("cube", "U1 R3 F2 D1"), text("cube", "U R' F2 D"));
    for signs in [["W", "R", "G", "Y", "O", "B"], ["y", "r", "b", "w", "o", "g"]] {
        assert_eq!(text("cube", &painted(&letters(), signs)), letters());
        assert_eq!(text("cube", &net(&painted(&letters(), signs))), letters());
    }
    // Yellow up, red in front, in the order of the net's faces.
    let colours = painted(&letters(), ["y", "g", "r", "w", "b", "o"]);
    let faces = rows(&colours, 9);
    let in_order = |order: [usize; 6]| order.map(|face| faces[face].clone()).concat();
    for (order, name) in [([0, 4, 2, 1, 5, 3], "ULFRBD"), ([0, 3, 4, 1, 5, 2], "UDLRBF")] {
        let file = in_order(order);
        let error = texts("cube", &file).unwrap_err();
        assert!(error.contains(&format!("order={name}")), "{error}");
        let spec = format!("cube(order={name})");
        assert_eq!(texts(&spec, &file), Ok(vec![("1".into(), letters())]));
        assert_eq!(puzzle(&spec).spec(), "cube");
        let solved = texts(&spec, &colours).unwrap_err();
        assert!(solved.contains("order=URFDLB"), "{solved}");
        // A net shows its order itself.
        assert_eq!(texts(&spec, &net(&colours)), Ok(vec![("1".into(), letters())]));
    }
    let pocket = puzzle("cube(size=2)").load("R U' F2").unwrap();
    assert_eq!(pocket.preset("fast"), pocket.preset("default"));
    assert!(pocket.preset("fast").is_some());
}

#[test]
fn texts_of_random_cubes_are_read_back() -> Result<(), Violation> {
    forms::examples(&FAMILY)?;
    for spec in ["cube", "cube(size=2)"] {
        forms::read_back(&FAMILY, &*puzzle(spec), "random", 1_000)?;
    }
    // Texts of records are read whatever the order of other texts is.
    for spec in ["cube(order=ULFRBD)", "cube(order=UDLRBF)", "cube(size=2, order=ULFRBD)"] {
        forms::read_back(&FAMILY, &*puzzle(spec), "random", 200)?;
    }
    Ok(())
}

/// Every form of a random cube, held in a random way, is the same cube.
#[test]
fn every_form_of_a_random_cube_is_the_same_cube() {
    let rng = &mut Rng::new(54);
    let puzzle = puzzle("cube");
    let names = ["top", "R", "front", "D", "Left face", "back"];
    for _ in 0..1_000 {
        let mut moves: Vec<&str> = Vec::new();
        for _ in 0..25 {
            let all =
                ["U", "R'", "F2", "D", "L", "B'", "Rw", "u2", "M'", "E", "S2", "x", "y'", "z2"];
            moves.push(all[rng.below(all.len() as u64) as usize]);
        }
        let scramble = moves.join(" ");
        let instance = puzzle.load(&scramble).unwrap();
        let letters = instance.text();
        let length = 1 + rng.below(54) as usize;
        let mut order = [0, 1, 2, 3, 4, 5];
        rng.shuffle(&mut order);
        let faces = rows(&letters, 9);
        let named = order.map(|face| format!("{}: {}", names[face], faces[face]));
        let mut texts = vec![
            rows(&letters, 9).join("\n"),
            rows(&letters, 3).join("\n\n"),
            net(&letters),
            net(&letters).to_lowercase(),
            named.join("\n"),
            format!("[{scramble}: x x']").replace("[", "(").replace(": x x']", ")"),
            format!("[{}, U] [U, {}] {scramble}", moves[0], moves[0]),
        ];
        // Three lines of eighteen letters are refused where they might be rows across all faces.
        if length != 18 {
            texts.push(rows(&letters, length).join("\n"));
        }
        texts.extend(instance.forms().into_iter().map(|(_, text)| text));
        for text in texts {
            let found = input::load(&*puzzle, &text).unwrap_or_else(|e| panic!("{e}: {text}"));
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].instance.text(), letters, "{text}");
        }
    }
}

#[test]
fn half_turns_are_written_on_demand() {
    let instance = puzzle("cube(half_turns=halves)").load("U2 R' R' F").unwrap();
    assert_eq!(puzzle("cube(half_turns=halves)").spec(), "cube");
    let mut game = instance.game().unwrap();
    game.replay("F' R' R' U U").unwrap();
    assert!(game.is_over());
    assert_eq!((game.solution().as_str(), game.value()), ("F' R2 U2", 5));
    assert_eq!(instance.replay("F' R2 U2"), Ok((5, 5)));
    let verdict = unriddle_check::verify("cube", &instance.text(), "F' R2 U2").unwrap();
    assert_eq!((verdict.value, verdict.length), (5, 5));
    let cube = Cube::<3>::parse("R", Metric::Quarter).unwrap();
    let cube = cube.writing(unriddle_cube::HalfTurns::Halves);
    let subject = unriddle_conformance::Subject::written(&cube).named("cube with half turns");
    unriddle_conformance::notation(&subject.steps(30).walks(20)).unwrap();
}

/// The front reader and the independent checker read the same solutions.
fn agree<const N: usize>(spec: &str, metric: Metric, solution: &str) {
    let cube = Cube::<N>::parse("R U F", metric).unwrap();
    let start = cube.initial_state();
    let written = cube.state_text(&start);
    let verdict = unriddle_check::verify(spec, &written, solution);
    match cube.parse_solution(solution) {
        Err(_) => {
            assert!(matches!(verdict, Err(unriddle_check::CheckError::Solution(_))), "{solution}");
        }
        Ok(turns) => {
            let last = turns.iter().fold(start, |state, &turn| cube.apply(&state, turn));
            assert_eq!(verdict.is_ok(), cube.is_goal(&last), "{solution}: {verdict:?}");
            let unreadable = matches!(verdict, Err(unriddle_check::CheckError::Solution(_)));
            assert!(!unreadable, "{solution}: {verdict:?}");
            if let Ok(verdict) = verdict {
                assert_eq!(verdict.length, turns.len() as u64, "{solution}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parser_never_panics(text in r#"([URFDLBurfdlbMESxyzWGOY0-9'() \[\],:+/|#^*\n-]|.){0,80}"#) {
        for spec in ["cube", "cube(size=2)"] {
            let puzzle = puzzle(spec);
            for piece in puzzle.split(&text) {
                match puzzle.load(&piece.text) {
                    Ok(instance) => {
                        let written = instance.text();
                        prop_assert_eq!(&puzzle.load(&written).unwrap().text(), &written);
                        prop_assert!(unriddle_check::is_goal(spec, &written).is_ok());
                    }
                    Err(error) => prop_assert!(error.line > 0 && error.column > 0),
                }
            }
        }
    }

    #[test]
    fn readers_of_solutions_agree(
        text in r"(([URFDLB]w?|[urfdlbMESxyz]|[(\[\]),:+])[123'’]{0,2} ?){0,14}",
        inner in r"([URFDLBxyz][2']? ){1,5}",
    ) {
        for solution in [
            text.clone(),
            format!("[{inner}, {text}]"),
            format!("({text})3"),
            format!("({text})'"),
            format!("F' U' R' ({inner}) ({inner})'"),
        ] {
            agree::<3>("cube", Metric::Quarter, &solution);
            agree::<3>("cube(metric=htm)", Metric::Half, &solution);
            agree::<2>("cube(size=2)", Metric::Quarter, &solution);
        }
    }
}
