//! `list`, `describe`, `completions`, `generate`, `show`, help.

use crate::place::{EASY, HARDEST, Place};

#[test]
fn lists_and_descriptions_name_everything() {
    let place = Place::new();
    let list = place.run(&["list"]).good();
    for name in ["tiles", "optimal", "idastar", "bwas", "manhattan", "pdb", "uniform"] {
        let line =
            |line: &str| line.starts_with("  ") && line.split_whitespace().next() == Some(name);
        assert!(list.lines().any(line), "{name}");
        if !["optimal"].contains(&name) {
            let text = place.run(&["describe", name]).good();
            assert!(text.starts_with(&format!("{name} (")), "{text}");
        }
    }
    let some = place.run(&["list", "searches"]).good();
    assert!(some.starts_with("SEARCHES\n  idastar ") && !some.contains("PUZZLES"), "{some}");
    assert!(list.contains(&some), "{list}");
    // Every heading has entries.
    let lines: Vec<&str> = list.lines().filter(|line| !line.is_empty()).collect();
    for pair in lines.windows(2) {
        let both = pair.iter().all(|line| !line.starts_with(' '));
        assert!(!both, "nothing under {}", pair[0]);
    }
}

#[test]
fn completions_of_every_shell_know_the_verbs() {
    let place = Place::new();
    for (shell, mark) in
        [("bash", "complete -F"), ("zsh", "#compdef unriddle"), ("fish", "complete -c unriddle")]
    {
        let script = place.run(&["completions", shell]).good();
        assert!(script.contains(mark), "{shell}");
        for word in ["solve", "generate", "batch-time", "jsonl"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn help_and_version_are_data() {
    let place = Place::new();
    let ran = place.run(&["--version"]);
    assert_eq!(ran.err, "");
    let version = ran.good();
    let start = format!("unriddle {} (revision ", env!("CARGO_PKG_VERSION"));
    assert!(version.starts_with(&start) && version.contains("with studio"), "{version}");
    assert_eq!(place.run(&["version"]).good(), version);
    let short = place.run(&["-V"]).good();
    assert_eq!(short, format!("unriddle {}\n", env!("CARGO_PKG_VERSION")));
    assert!(place.run(&["help"]).good().contains("Usage: unriddle <COMMAND>"));
    assert!(place.run(&["solve", "--help"]).good().contains("--batch-time <TIME>"));
    // Without a command the help goes where messages go.
    let ran = place.run::<&str>(&[]);
    assert!(ran.err.contains("Usage: unriddle <COMMAND>") && ran.out.is_empty());
}

#[test]
fn generated_boards_are_the_same_for_a_seed_and_solvable() {
    let place = Place::new();
    let make = |count: &str, seed: &str| {
        place.run(&["generate", "tiles", "uniform(3)", "-n", count, "--seed", seed]).good()
    };
    let ten = make("10", "5");
    assert_eq!(ten.lines().count(), 10);
    assert!(ten.starts_with(&make("3", "5")), "the first ones do not depend on how many there are");
    assert_ne!(ten, make("10", "6"));
    let solved = place.feed(&["solve", "tiles", "--format", "jsonl"], &ten);
    assert_eq!(solved.out.lines().filter(|line| line.contains("\"optimal\"")).count(), 10);
    solved.good();
}

#[test]
fn boards_are_drawn() {
    let place = Place::new();
    let show =
        |arguments: &[&str]| place.run(&[&["show", "tiles", HARDEST], arguments].concat()).good();
    assert_eq!(show(&[]), "┌───────┐\n│ 8 6 7 │\n│ 2 5 4 │\n│ 3   1 │\n└───────┘\n");
    assert_eq!(
        show(&["--solution", "RD"]),
        "┌───────┐\n│ 8 6 7 │\n│   5 4 │\n│ 2 3 1 │\n└───────┘\n"
    );
    assert_eq!(show(&["--solution", "RD", "--at", "0"]), show(&[]));
    let svg = show(&["--format", "svg"]);
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    // A name before the board is left out; a board may come from standard input.
    assert_eq!(place.run(&["show", "tiles", &format!("a: {HARDEST}")]).good(), show(&[]));
    assert_eq!(place.feed(&["show", "tiles", "-"], &format!("{HARDEST}\n")).good(), show(&[]));
    // Several, each under its name.
    let boards = format!("easy: {EASY}\nhard: {HARDEST}\n");
    let both = place.feed(&["show", "tiles"], &boards).good();
    let drawn = show(&[]);
    assert!(both.starts_with("easy:\n┌") && both.ends_with(&format!("\n\nhard:\n{drawn}")));
    for (arguments, said) in [
        (["--solution", "RD"], "--solution is a solution of one instance, not of 2"),
        (["--format", "svg"], "--format svg draws one instance, not 2"),
    ] {
        let arguments = [&["show", "tiles"][..], &arguments].concat();
        assert_eq!(place.feed(&arguments, &boards).bad(2), said);
    }
}
