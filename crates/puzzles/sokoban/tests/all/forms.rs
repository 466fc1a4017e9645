//! Files and texts of levels as people have them.

use proptest::prelude::*;
use unriddle_catalog::{AnyPuzzle, Registry, input};
use unriddle_check as check;
use unriddle_conformance::{Violation, forms};
use unriddle_sokoban::FAMILY;

fn puzzle(spec: &str) -> Box<dyn AnyPuzzle> {
    Registry::new([&FAMILY]).unwrap().puzzle(spec).unwrap().1
}

/// Each piece of a file as the standard text of its level, or the reason why it is refused.
fn read(spec: &str, file: &str) -> Vec<Result<String, String>> {
    let puzzle = puzzle(spec);
    let load = |piece: input::Piece| {
        let loaded = puzzle.load(&piece.text);
        let loaded = loaded.map_err(|error| input::moved(error, piece.line, piece.column));
        loaded.map(|level| level.text()).map_err(|error| error.to_string())
    };
    puzzle.split(file).into_iter().map(load).collect()
}

const CORRIDOR: &str = "#####|#@$.#|#####";

#[test]
fn the_examples_of_forms_are_read() -> Result<(), Violation> {
    forms::examples(&FAMILY)
}

#[test]
fn written_levels_are_read_back() -> Result<(), Violation> {
    forms::read_back(&FAMILY, &*puzzle("sokoban"), "room(3, rows=7, columns=9)", 800)?;
    forms::read_back(&FAMILY, &*puzzle("sokoban"), "room(6, rows=14, columns=17)", 200)?;
    // A level with a row of only floor, with floor at the beginnings of rows, and with signs beyond
    // the walls.
    for text in ["#####||#####|#@$.#|#####", "--####-#*#|###--####|#@-$-.-#|#--$-.-#|########"] {
        let level = puzzle("sokoban").load(text).unwrap();
        for (form, written) in level.forms() {
            assert_eq!(read("sokoban", &written), [Ok(level.text())], "{form}");
        }
    }
    let beyond = puzzle("sokoban").load("#####|#@$.#|#####|*").unwrap();
    let names: Vec<_> = beyond.forms().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["counted", "slc"]);
    Ok(())
}

#[test]
fn levels_of_archives_are_read() {
    let rows = "#####\n#@$.#\n#####\n";
    for file in [
        // Floor inside a level, and a chimney.
        format!("Hut\n\n    #\n    #\n  - \n   ###\n  {}Title: Hut\n", rows.replace('\n', "\n  ")),
        // Headers of `#`.
        format!("#\n# some levels\n#\n\n# 7\n{rows}"),
        format!("\u{feff}; \u{201c}one\u{201d}\r\n{}", rows.replace('\n', "\r\n")),
        format!("Stra\u{df}e\n\n{rows}\nAuthor: J\u{fc}rg\n"),
        rows.replace(' ', "\u{a0}"),
        "<SokobanLevels>\n<LevelCollection>\n<Level Id=\"1\">\n<L>#####</L>\n<L>#@$.#</L>\n<L>#####</L>\n</Level>\n</LevelCollection>\n</SokobanLevels>\n"
            .to_owned(),
        "#####\n#&B.#\n#####\n".to_owned(),
        "#####\n#Pb.#\n#####\n".to_owned(),
        "XXXXX\nX@$.X\nXXXXX\n".to_owned(),
    ] {
        let found = read("sokoban", &file);
        assert_eq!(found.len(), 1, "{file}: {found:?}");
        let text = found[0].clone().unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(text.replace("--", "").ends_with(CORRIDOR), "{file}: {text}");
    }
    // The letters of several levels have their own meanings.
    let found =
        read("sokoban", "########\n#& B . #\n#  X   #\n########\n\n#######\n#P B .#\n#######\n");
    let expected = ["########|#@-$-.-#|#--*---#|########", "#######|#@-$-.#|#######"];
    assert_eq!(found, expected.map(|text| Ok(text.to_owned())));
}

/// A broken level does not affect the levels around it, whatever is wrong with it.
#[test]
fn broken_levels_do_not_affect_others() {
    let good = "#####\n#@$.#\n#####\n";
    for (broken, why) in [
        (
            "#####\n#@$ #\n#####\n",
            "line 6, column 1: there are 1 box and 0 goals, expected as many",
        ),
        ("#####\n#@?.#\n#####\n", "line 7, column 3: expected a sign of a level, found `?`"),
        ("#####\n# $.#\n#####\n", "line 6, column 1: there is no player"),
        ("#####\n#@$.\n#####\n", "line 6, column 1: the player can leave the board"),
        (
            "#######\n# P B #\n#######\n",
            "line 6, column 1: the signs can be read as `P=+ B=$` or as `P=@ B=*`; sokoban(signs=\"P=+ B=$\") decides",
        ),
        (
            "#######\n#@$$. #\n#######\n",
            "line 6, column 1: there are 2 boxes and 1 goal, expected as many; sokoban(extra=boxes)",
        ),
    ] {
        let found = read("sokoban", &format!("; 1\n{good}\n{broken}\n; 3\n{good}"));
        assert_eq!(found.len(), 3, "{broken}: {found:?}");
        assert_eq!(
            (&found[0], &found[2]),
            (&Ok(CORRIDOR.into()), &Ok(CORRIDOR.into())),
            "{broken}"
        );
        let error = found[1].clone().unwrap_err();
        assert!(error.starts_with(why), "{broken}: {error}");
    }
    let xml = "<Level Id='a'><L>#####</L><L>#@$?#</L><L>#####</L><Level Id='b'><L>#####</L><L>#@$.#</L><L>#####</L></Level>";
    let found = read("sokoban", xml);
    assert!(found[0].is_err() && found[1] == Ok(CORRIDOR.into()), "{found:?}");
}

#[test]
fn wide_and_high_levels_are_read() {
    let wide = format!("{}|#@$.{}#|{}", "#".repeat(255), "-".repeat(250), "#".repeat(255));
    let high = format!("#####|{}#@$.#|#####", "#---#|".repeat(252));
    let one = puzzle("sokoban");
    for level in [&wide, &high] {
        let loaded = one.load(level).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((loaded.text(), loaded.replay("R")), (level.clone(), Ok((1, 1))));
        // Moves through the whole level and back.
        assert!(loaded.unsolvable().is_none());
    }
    // A ring around a block of 100 × 100 cells has few cells in a large rectangle.
    let side = format!("#-{}-#|", "#".repeat(100));
    let edge = "#".repeat(104);
    let ring =
        format!("{edge}|#@$.{}#|{}#{}#|{edge}", "-".repeat(99), side.repeat(100), "-".repeat(102));
    let loaded = one.load(&ring).unwrap();
    assert_eq!(loaded.replay("R"), Ok((1, 1)));
    for (level, why) in [
        ("256#|#@$.#|5#".to_owned(), "line 1, column 4: expected at most 255 rows and columns"),
        ("5#|".repeat(256) + "#@$.#", "line 1, column 767: expected at most 255 rows and columns"),
        (
            format!(
                "{0}|#@$.{1}#|{2}{0}",
                "#".repeat(100),
                "-".repeat(95),
                format!("#{}#|", "-".repeat(98)).repeat(97)
            ),
            "line 1, column 1: the player can go to 9604 cells, expected at most 4096: a larger level does not fit into a state",
        ),
    ] {
        assert_eq!(one.load(&level).err().map(|error| error.to_string()).as_deref(), Some(why));
    }
}

#[test]
fn wrong_parameters_are_refused() {
    let load = |spec: &str| puzzle(spec).load("#####|#@$.#|#####").err().map(|error| error.message);
    assert_eq!(load("sokoban(signs=\"X=* B=$\")"), None);
    let why = load("sokoban(signs=\"X=**\")").unwrap();
    assert!(why.starts_with("the parameter `signs` contains `X=**`"), "{why}");
    // Records do not need the parameter: texts have the usual signs.
    assert_eq!(
        puzzle("sokoban(extra=any, measure=moves, signs=\"B=$\")").spec(),
        "sokoban(measure=moves, extra=any)"
    );
    let read = read("sokoban(signs=\"B=$ S=@ t=.\")", "#####\n#SBt#\n#####\n");
    assert_eq!(read, [Ok(CORRIDOR.to_owned())]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// A text of the signs of all forms is read or refused with a position. A level that is read is
    /// read back from every form.
    #[test]
    fn parser_never_panics(text in r"[#$.*@+ \-_|bBpPxX&oO0-9\n<>/LlevI=';a?]{0,60}") {
        for spec in ["sokoban", "sokoban(extra=any)", "sokoban(signs=\"a=$ ?=#\")"] {
            let one = puzzle(spec);
            for piece in one.split(&text) {
                match one.load(&piece.text) {
                    Ok(level) => for (form, written) in level.forms() {
                        let again = read(spec, &written);
                        prop_assert_eq!(again, [Ok(level.text())], "{}", form);
                    },
                    Err(error) => prop_assert!(error.line >= 1 && error.column >= 1),
                }
            }
            let _ = one.load(&text);
        }
    }

    /// A text that the independent reader accepts as well is the same level to it.
    #[test]
    fn both_readers_agree(inside in r"[#$.*@+\-_| bBpP2-4]{4,24}", extra in 0_usize..2) {
        let text = format!("#######|#{inside}#|#######");
        let spec = ["sokoban(measure=moves)", "sokoban(measure=moves, extra=any)"][extra];
        let own = puzzle(spec).load(&text).map(|level| level.text());
        if let (Ok(own), Ok(actions)) = (own, check::legal_actions(spec, &text)) {
            prop_assert_eq!(Ok(actions), check::legal_actions(spec, &own), "{}", text);
        }
    }

    /// As before, with texts that are nearly levels.
    #[test]
    fn nearly_levels_are_read_or_refused(
        inside in r"[#$.*@+\- bBpPX&o]{6,20}", columns in 2_usize..6, form in 0_usize..3
    ) {
        let signs: Vec<char> = inside.chars().collect();
        let edge = "#".repeat(columns + 2);
        let rows: Vec<String> =
            signs.chunks_exact(columns).map(|row| format!("#{}#", String::from_iter(row))).collect();
        let all = std::iter::once(edge.clone()).chain(rows).chain([edge]).collect::<Vec<_>>();
        let text = match form {
            0 => all.join("\n"),
            1 => all.join("|"),
            _ => format!("<Level><L>{}</L></Level>", all.join("</L>\n<L>").replace('&', "&amp;")),
        };
        let one = puzzle("sokoban");
        let pieces = one.split(&text);
        // A level with content is never lost.
        prop_assert_eq!(pieces.len(), 1);
        let split = one.load(&pieces[0].text).map(|level| level.text());
        let whole = one.load(&all.join("\n")).map(|level| level.text());
        prop_assert_eq!(split.map_err(|error| error.message), whole.map_err(|error| error.message));
    }
}
