//! Morpion Solitaire at the command line: from the generator to the checked game and its drawings.

use crate::place::{Place, field};

#[test]
fn games_are_found_checked_and_drawn() {
    let place = Place::new();
    let cross = place.run(&["generate", "morpion"]).good();
    // A comment is the name of the instance below it; blank lines part instances.
    let cross = cross.trim_start_matches("# 1\n");
    place.write("boards", format!("# cross\n{cross}\n# row\noooo\n"));
    let solver = "nrpa(level=1, iterations=30, runs=1)";
    for puzzle in ["morpion", "morpion(rule=5t)"] {
        let lines = place
            .run(&["solve", puzzle, "--file", "boards", "--solver", solver, "--format", "jsonl"])
            .good();
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines.len(), 2);
        for (line, id) in lines.iter().zip(["\"cross\"", "\"row\""]) {
            assert_eq!(field(line, "id"), id);
            assert_eq!(field(line, "checked"), "true");
            assert_eq!(field(line, "checked_by"), "\"check\"");
        }
        assert_eq!(field(lines[1], "value"), "1");
        let moves: usize = field(lines[0], "value").parse().unwrap();
        assert!(moves > 20, "{moves}");
        let solution = field(lines[0], "solution").replace("\\\\", "\\");
        let solution = solution.trim_matches('"');
        let checked = place.run(&["check", puzzle, cross.trim_end(), solution]).good();
        assert!(checked.contains(&moves.to_string()), "{checked}");
        let arguments = ["show", puzzle, cross.trim_end(), "--solution", solution];
        let svg = place.run(&[&arguments[..], &["--format", "svg"]].concat()).good();
        assert!(svg.contains(&format!(">{moves}</text>")), "{svg}");
    }
}

#[test]
fn invalid_positions_and_games_are_rejected_with_line_and_column() {
    let place = Place::new();
    let refused = place.feed(&["solve", "morpion", "-"], "oo\no?\n").bad(31);
    assert!(refused.contains("line 2, column 2"), "{refused}");
    let wrong = place.run(&["check", "morpion", "oooo", "19,15--2"]);
    assert!(wrong.out.contains("no point at 18,15"), "{}", wrong.out);
    wrong.bad(30);
    let rule = place.run(&["solve", "morpion(rule=5x)", "oooo"]).bad(2);
    assert!(rule.contains("5d") && rule.contains("5t"), "{rule}");
}
