use super::{
    read,
    samples::{self, ALL},
};
use crate::definition::{Definition, inverse};
use std::collections::BTreeSet;

fn toy(file_name: &str, text: &str) -> Definition {
    let all = read(file_name, text).unwrap_or_else(|error| panic!("{file_name}: {error}"));
    all.into_iter().rfind(|definition| definition.name == "Toy").expect("a puzzle")
}

#[test]
fn all_forms_describe_the_same_puzzle() {
    let (r, s) = (samples::R.to_vec(), samples::S.to_vec());
    let expected = BTreeSet::from([inverse(&r), inverse(&s), r.clone(), s.clone()]);
    for (file_name, text) in ALL {
        let definition = toy(file_name, text);
        let array = |name: &str| {
            definition.moves.iter().find(|step| step.name == name).map(|step| &step.array)
        };
        assert_eq!((array("R"), array("S")), (Some(&r), Some(&s)), "{file_name}");
        let arrays = definition.moves.iter().map(|step| step.array.clone());
        assert_eq!(arrays.collect::<BTreeSet<_>>(), expected, "{file_name}");
        assert_eq!(definition.moves.len(), 4, "{file_name}");
        let is_inverse = |name| array(name) == Some(&inverse(&r));
        assert!(is_inverse("R'") || is_inverse("-R"), "{file_name}");
        assert_eq!(definition.goal, (0..20).collect::<Vec<u8>>(), "{file_name}");
    }
}

#[test]
fn content_determines_the_form_of_other_extensions() {
    for (file_name, text) in ALL {
        let (stem, _) = file_name.split_once('.').unwrap();
        assert_eq!(read(stem, text), read(file_name, text));
        assert_eq!(read(&format!("a/{stem}.txt"), text), read(file_name, text));
        assert_eq!(read(file_name, &format!("\u{feff}{text}")), read(file_name, text));
    }
}

#[test]
fn files_of_other_kinds_are_rejected() {
    let error = |name: &str, text: &str| read(name, text).unwrap_err().to_string();
    let json = "line 1, column 1: expected `orbits`, `defaultPattern` and `moves` of a KPuzzle, \
                `actions` and `names`, or `proof` of a result of CayleyPy, found";
    assert_eq!(error("a.json", "{}"), format!("{json} no key"));
    assert_eq!(error("a.json", r#"{"board": 1}"#), format!("{json} `board`"));
    assert_eq!(
        error("a.json", "[]"),
        "line 1, column 1: expected a table with `orbits`, or with `actions` and `names`, found a list"
    );
    assert_eq!(
        error("a.tws", samples::OWN),
        "line 1, column 1: expected Name, Set, Solved or StartState, found `name`"
    );
    assert_eq!(
        error("a.gap", samples::TWS),
        "line 2, column 1: expected a statement that ends with `;`, found `Name Toy\\nSet CORNERS 4 3…`"
    );
    assert_eq!(
        error("a.csv", "id,puzzle_type,solution_state,initial_state,num_wildcards\n"),
        "line 1, column 1: expected the line `puzzle_type,allowed_moves`, found instances: \
         name the file `puzzle_info.csv`"
    );
    assert_eq!(
        error("a.toml", "rows = 3\nmoves = {}"),
        "line 1, column 1: expected one of the keys `name`, `solved`, `positions`, `inverses`, \
         `powers`, `wildcards`, `net`, `illegal`, `moves`, `pieces`, `instances`, found `rows`"
    );
}

#[test]
fn readers_never_panic() {
    let extensions = ["toml", "json", "tws", "gap", "csv", ""];
    let mut seed = 1_u32;
    let mut random = |end: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % end.max(1)
    };
    let parts = [
        "0",
        "9",
        "-1",
        "4000000000",
        "99999999999999999999",
        "\"",
        "'",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        ",",
        ":",
        ";",
        "\n",
        " ",
        "?",
        "#",
        "é",
        "𝄞",
        "",
        ":=",
        "End",
        "1.5",
        "null",
        "\\",
    ];
    for (file_name, text) in ALL {
        let extension = file_name.rsplit('.').next().unwrap();
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            let _ = read(file_name, &text[..end]);
            let _ = read(file_name, &text[end..]);
        }
        for _ in 0..1500 {
            let mut text = text.to_owned();
            for _ in 0..=random(3) {
                let at = random(text.len());
                let end = (at + random(4)).min(text.len());
                if text.is_char_boundary(at) && text.is_char_boundary(end) {
                    text.replace_range(at..end, parts[random(parts.len())]);
                }
            }
            let _ = read(&format!("a.{extension}"), &text);
            let _ = read(&format!("a.{}", extensions[random(extensions.len())]), &text);
        }
    }
}

#[test]
fn large_numbers_are_rejected_before_they_are_used() {
    let refused = [
        ("a.toml", "positions = 4000000000\n[moves]\na = \"(0 1)\""),
        ("a.toml", "[[pieces]]\nname = \"A\"\ncount = 400000000\n[moves]"),
        ("a.tws", "Set A 400000000 3\n"),
        ("a.tws", "Set A 100 400000000\n"),
        ("a.tws", "Set A 400 1\nSet B 400 1\n"),
        ("a.gap", "a:=(1,4000000000);"),
    ];
    for (file_name, text) in refused {
        let error = read(file_name, text).unwrap_err();
        assert!(error.message.contains("512"), "{error}");
    }
}

#[test]
fn limits_are_reported() {
    let moved = |positions: usize| {
        let array: Vec<_> = (0..positions).map(|at| ((at + 1) % positions).to_string()).collect();
        format!("{{\"names\": [\"a\"], \"actions\": [[{}]]}}", array.join(","))
    };
    assert!(read("a.json", &moved(256)).is_ok());
    let error = read("a.json", &moved(257)).unwrap_err();
    assert_eq!(
        error.message,
        "expected at most 256 different labels, found 257 positions that are all different"
    );
    let error = read("a.json", &moved(513)).unwrap_err();
    assert_eq!(error.message, "expected 1 to 512 positions, found 513");
    let error = read("a.tws", "Set A 100 6\nSolved\nEnd\n").unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 1: expected 1 to 512 positions, found 600");
    let error = read("a.tws", "Set A 100 3\nSolved\nEnd\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column 1: expected at most 256 different labels of pieces and orientations"
    );
}

#[test]
fn json_is_read_strictly() {
    let of = |text: &str| super::tree::json(text).map_err(|fault| (fault.at, fault.why));
    let texts = of(r#"["a\u00e9\n\"", -1, 2e3, true, null, {}, []]"#).unwrap();
    let list = texts.list("").unwrap();
    assert_eq!((list.len(), list[0].text("")), (7, Ok("a\u{e9}\n\"")));
    assert_eq!((list[1].at, list[0].content()), (16, 2));
    for (text, at, why) in [
        ("[1, 2,]", 6, "expected a value, found `]`"),
        ("[1 2]", 3, "expected `,` or `]`, found `2`"),
        ("[1, 02]", 4, "expected a value, found `02`"),
        ("['a']", 1, "expected a value, found `'`"),
        ("{\"a\" 1}", 5, "expected `:`, found `1`"),
        ("{\"a\": 1, \"a\": 2}", 9, "the key `a` occurs twice"),
        ("[\"a", 1, "expected a second `\"`, found the end of the text"),
        ("[\"\\x\"]", 3, "invalid text in quotes"),
        ("[1] x", 4, "expected the end of the file, found `x`"),
        ("[1", 2, "expected `,` or `]`, found the end of the text"),
    ] {
        assert_eq!(of(text), Err((at, why.to_owned())), "{text}");
    }
    let deep = of(&"[".repeat(100_000)).unwrap_err();
    assert_eq!(deep, (33, "expected at most 32 lists within each other".to_owned()));
    assert!(super::tree::python("{'a': [1, 2,],}").is_ok());
}
