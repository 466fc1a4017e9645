//! `lab compare`: two solvers, two files and two revisions of results, run by run.

use crate::place::Place;

const CLAIM: &str = "[[claim]]\ntext = \"C.\"\nmissing = \"nothing\"\n";

/// Runs of two solvers on eight boards, with a limit that some runs reach.
fn recorded() -> Place {
    let place = Place::new();
    place.write(
        "e.toml",
        format!(
            "title = \"T\"\nseeds = [0]\n[limits]\nexpansions = 2000\n{CLAIM}[[suite]]\n\
             name = \"s\"\npuzzle = \"tiles\"\ngenerator = \"uniform(3)\"\ncount = 8\n\
             [[solver]]\nname = \"far\"\nspec = \"astar(manhattan)\"\n\
             [[solver]]\nname = \"near\"\nspec = \"astar(linear-conflict)\"\n"
        ),
    );
    place.run(&["lab", "run", "e.toml", "--database", "d.sqlite"]).good();
    place
}

#[test]
fn two_solvers_are_paired_by_instance() {
    let place = recorded();
    let compare = ["lab", "compare", "d.sqlite", "--solver", "astar(manhattan)"];
    let both = [&compare[..], &["--solver", "astar(linear-conflict)"]].concat();
    let out = place.run(&both).good();
    assert!(out.contains("8 pairs of runs"), "{out}");
    assert!(out.contains("0 runs of A and 0 runs of B have no partner"), "{out}");
    // Linear conflicts never expand more states of these boards.
    let line = out.lines().find(|line| line.contains("expanded states")).expect("the figure");
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    assert_eq!(cells[3], "0", "{line}");
    assert!(cells[8].parse::<f64>().expect("a ratio") < 1.0, "{line}");
    let csv = place.run(&[&both[..], &["--format", "csv"]].concat()).good();
    assert_eq!(csv.lines().count(), 9);
    assert!(csv.starts_with("suite,id,puzzle,seed,solver_a,status_a,value_a"), "{csv}");
    let page = [&both[..], &["--format", "html", "--output", "c.html"]].concat();
    place.run(&page).good();
    assert!(place.read("c.html").starts_with("<!DOCTYPE html>"));
}

#[test]
fn a_file_is_equal_to_itself_and_changes_are_listed() {
    let place = recorded();
    place.run(&["lab", "export", "e", "--output", ".", "--database", "d.sqlite"]).good();
    let out = place.run(&["lab", "compare", "e.csv", "d.sqlite"]).good();
    assert!(out.contains("16 pairs of runs") && out.contains("Changed outcomes\n\nNone."), "{out}");
    // Other results have one board less.
    let csv = place.read("e.csv");
    place.write("other.csv", csv.replacen(",optimal,", ",stopped,", 1));
    let out = place.run(&["lab", "compare", "e.csv", "other.csv"]).good();
    let changed = out.split("## Changed outcomes").nth(1).expect("the section");
    assert!(changed.contains("optimal, ") && changed.contains("stopped, "), "{changed}");
    assert_eq!(changed.lines().filter(|line| line.starts_with("| s  ")).count(), 1, "{changed}");
}

#[test]
fn sides_that_do_not_fit_are_refused() {
    let place = recorded();
    let (usage, input) = (2, 31);
    for (more, code, message) in [
        (&[][..], usage, "one file has one side"),
        (&["--solver", "x", "--solver", "y"], usage, "no run is by `x`"),
        (&["--solver", "astar", "--solver", "astar"], usage, "2 solvers are called `astar`"),
        (&["--revision", "f00", "--revision", "f01"], input, "there are no such runs"),
        (&["missing.csv"], input, "missing.csv"),
        (&["--experiment", "nothing", "d.sqlite"], input, "there are no such runs"),
    ] {
        let ran = place.run(&[&["lab", "compare", "d.sqlite"], more].concat());
        let text = ran.bad(code);
        assert!(text.contains(message), "{more:?}: {text}");
    }
}
