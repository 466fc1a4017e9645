use crate::{
    definition::{Definition, product},
    read::{read, samples},
};

/// The first example of the module's text.
const RING: &str = r#"
name = "Ring of six"
solved = "AABBCC"
inverses = true
powers = false
wildcards = 0
net = """
0 1 2
5 4 3
"""
illegal = [{ position = 3, labels = ["A"] }]

[moves]
R = [1, 2, 3, 4, 5, 0]
S = "(0 1)"
T = { sequence = "R2 S R2'" }

[[instances]]
id = "1"
start = "BAABCC"

[[instances]]
id = "2"
scramble = "R S R'"
"#;

fn of(text: &str) -> Result<Definition, String> {
    let read = read("a.toml", text);
    read.map(|mut all| all.remove(0)).map_err(|error| error.to_string())
}

fn changed(from: &str, to: &str) -> Result<Definition, String> {
    assert!(RING.contains(from), "{from}");
    of(&RING.replacen(from, to, 1))
}

fn names(definition: &Definition) -> Vec<&str> {
    definition.moves.iter().map(|step| &*step.name).collect()
}

/// The examples of the module's text, without the marks of comments.
fn documented() -> Vec<String> {
    let lines = include_str!("../own.rs").lines().map_while(|line| line.strip_prefix("//!"));
    let plain: Vec<_> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let examples = plain.join("\n");
    examples
        .split("```toml")
        .skip(1)
        .map(|part| part.split("```").next().unwrap().to_owned())
        .collect()
}

#[test]
fn documented_examples_are_read() {
    let examples = documented();
    assert_eq!(examples.len(), 2);
    assert_eq!(of(&examples[0]), of(RING));
    let pieces = of(&examples[1]).unwrap();
    assert_eq!(pieces.moves[0].array, samples::R[..12]);
    assert_eq!(
        pieces.labels[..4],
        ["C0a", "C0b", "C0c", "C2a"].map(|label| label.replace('2', "1"))
    );
    assert_eq!(pieces.goal[..6], [0, 1, 2, 0, 1, 2]);
}

#[test]
fn all_keys_have_an_effect() {
    let ring = of(RING).unwrap();
    assert_eq!((&*ring.name, &ring.goal[..]), ("Ring of six", &[0, 0, 1, 1, 2, 2][..]));
    assert_eq!(names(&ring), ["R", "R'", "S", "T"]);
    let array = |name: &str| &ring.moves.iter().find(|step| step.name == name).unwrap().array[..];
    assert_eq!(array("S"), [1, 0, 2, 3, 4, 5]);
    assert_eq!(array("T"), [0, 1, 3, 2, 4, 5]);
    assert_eq!(ring.illegal, [(3, 0)]);
    let net = [[0, 1, 2], [5, 4, 3]].map(|row| row.map(Some).to_vec());
    assert_eq!(ring.net, Some(net.to_vec()));
    assert_eq!(ring.starts[0].state, [1, 0, 0, 1, 2, 2]);
    let played = product(&product(array("R"), array("S")), array("R'"));
    let start: Vec<u8> = played.iter().map(|&from| ring.goal[usize::from(from)]).collect();
    assert_eq!((&*ring.starts[1].id, &ring.starts[1].state), ("2", &start));

    let powers = changed("powers = false", "powers = true").unwrap();
    assert_eq!(names(&powers), ["R", "R'", "R2", "R2'", "R3", "S", "T"]);
    let one_way = changed("inverses = true", "inverses = false").unwrap();
    assert_eq!(names(&one_way), ["R", "S", "T"]);
    assert_eq!(changed("wildcards = 0", "wildcards = 2").unwrap().wildcards, 2);
    let words = changed("\"AABBCC\"", "\"A A B B C C\"").unwrap();
    assert_eq!(words, ring);
    let numbered = of("positions = 3\n[moves]\n\"a b\" = [1, 0, 2]");
    assert!(numbered.unwrap_err().starts_with("line 3, column 1: expected a name of a move"));
    assert_eq!(of("positions = 3\n[moves]\na = [1, 0, 2]").unwrap().labels, ["0", "1", "2"]);
}

#[test]
fn moves_have_the_order_of_the_file() {
    let text = "positions = 3\nmoves = { b = '(0 1)', c = { sequence = 'a b' }, a = '(1 2)' }";
    assert_eq!(names(&of(text).unwrap()), ["b", "a", "c", "c'"]);
}

#[test]
fn pieces_may_have_other_labels() {
    let text = samples::OWN.replacen(
        "name = \"Toy\"",
        "solved = \"AAABBBCCCDDDEEFFGGHH\"\nillegal = [{ position = 0, labels = [\"B\", \"C\"] }]",
        1,
    );
    let definition = of(&text).unwrap();
    assert_eq!((definition.labels.len(), definition.illegal.len()), (8, 2));
    let error = of(&text.replace("GHH", "GH")).unwrap_err();
    assert_eq!(error, "line 1, column 10: expected 20 labels as positions of pieces, found 19");
}

#[test]
fn malformed_files_are_rejected_with_their_positions() {
    for (from, to, expected) in [
        (
            "wild",
            "mild",
            "line 6, column 1: expected one of the keys `name`, `solved`, `positions`, `inverses`, `powers`, `wildcards`, `net`, `illegal`, `moves`, `pieces`, `instances`, found `mildcards`",
        ),
        (
            "[1, 2, 3, 4, 5, 0]",
            "[1, 2, 3, 4, 5, 1]",
            "line 14, column 5: no permutation: position 1 occurs twice",
        ),
        (
            "[1, 2, 3, 4, 5, 0]",
            "[1, 2, 3, 4, 5, 6]",
            "line 14, column 21: expected a position from 0 to 5, found 6",
        ),
        (
            "[1, 2, 3, 4, 5, 0]",
            "[1, 2, 0]",
            "line 14, column 5: expected a list of 6 numbers, found 3",
        ),
        (
            "[1, 2, 3, 4, 5, 0]",
            "7",
            "line 14, column 5: expected a list of positions, cycles or a sequence, found 7",
        ),
        (
            "\"(0 1)\"",
            "\"(0 1\"",
            "line 15, column 6: expected cycles such as (1,2,3), found `(0 1`",
        ),
        ("\"(0 1)\"", "\"(0 6)\"", "line 15, column 5: expected positions from 0 to 5, found 6"),
        ("R2 S R2'", "R2 X R2'", "line 16, column 22: expected a move of the puzzle, found `X`"),
        ("R2 S R2'", "T", "line 16, column 19: expected a move of the puzzle, found `T`"),
        ("\"BAABCC\"", "\"BAABC\"", "line 20, column 9: expected 6 labels, found 5"),
        ("\"BAABCC\"", "\"BAABCX\"", "line 20, column 15: expected a label of the goal, found `X`"),
        (
            "\"BAABCC\"",
            "\"BAABBC\"",
            "line 20, column 9: expected the label `C` 2 times as in the goal, found it 1 times",
        ),
        ("id = \"2\"", "id = \"1\"", "line 23, column 6: two instances are called `1`"),
        (
            "scramble =",
            "start = 'AABBCC'\nscramble =",
            "line 22, column 1: expected either `start` or `scramble`",
        ),
        ("5 4 3", "5 4 x", "line 9, column 5: expected a dot or a position from 0 to 5, found `x`"),
        ("5 4 3", "5 4 0", "line 9, column 5: position 0 occurs twice in the net"),
        (
            "[\"A\"]",
            "[\"A\", \"D\"]",
            "line 11, column 43: expected a label of the solved state, found the text `D`",
        ),
        (
            "[\"A\"]",
            "[\"B\"]",
            "line 11, column 38: expected a label that the solved state has elsewhere, found the text `B`",
        ),
        (
            "position = 3",
            "position = -1",
            "line 11, column 25: expected a position from 0 to 5, found -1",
        ),
        (
            "wildcards = 0",
            "wildcards = 7",
            "line 6, column 13: expected a number of positions from 0 to 6, found 7",
        ),
        (
            "wildcards = 0",
            "positions = 7",
            "line 6, column 13: expected 6 positions as elsewhere in the file, found 7",
        ),
        ("\"AABBCC\"", "[1]", "line 3, column 10: expected a text of labels, found a list"),
        ("\"AABBCC\"", "\"\"", "line 3, column 10: expected 1 to 512 positions, found 0"),
    ] {
        assert_eq!(changed(from, to).map(|_| ()), Err(expected.to_owned()), "{to}");
    }
    let error = of("name = \"x\"\nname = \"y\"").unwrap_err();
    assert!(error.starts_with("line 2, column 1: duplicate key"), "{error}");
    let error = of("positions = 3").unwrap_err();
    assert_eq!(error, "line 1, column 1: expected the key `moves`, found none");
    assert!(of("").unwrap_err().contains("expected the key `solved`, `positions` or `pieces`"));
    for (from, to, expected) in [
        (
            "name = \"EDGES\"",
            "name = \"CORNERS\"",
            "line 7, column 8: two sets of pieces are called `CORNERS`",
        ),
        ("count = 4", "count = 0", "line 4, column 9: expected a number from 1 to 512, found 0"),
        (
            "\nCORNERS =",
            "\nCORNER =",
            "line 12, column 1: expected one of the keys `CORNERS`, `EDGES`, found `CORNER`",
        ),
        (
            "[1, 0, 2, 0]",
            "[1, 0, 2, 3]",
            "line 12, column 65: expected an orientation from 0 to 2, found 3",
        ),
    ] {
        assert!(samples::OWN.contains(from), "{from}");
        let found = of(&samples::OWN.replacen(from, to, 1)).map(|_| ());
        assert_eq!(found, Err(expected.to_owned()), "{to}");
    }
}
