use super::*;

fn cut(file: &str) -> Vec<Piece> {
    levels(file, &Signs::default())
}

/// Ids, lines and rows, with `|` between.
fn rows(file: &str) -> Vec<(String, usize, String)> {
    cut(file)
        .into_iter()
        .map(|piece| (piece.id, piece.line, piece.text.replace('\n', "|")))
        .collect()
}

#[test]
fn levels_have_their_positions_and_solutions() {
    let first = "; first\n\n#####\n#@$.#\n#####\nAuthor: A. N.\nSolution\nR\n";
    let file = format!("{first}\nsecond\n#####\n#.$@#\n#####\nComment:\nllll\n");
    let levels = cut(&file);
    assert_eq!(levels.len(), 2);
    assert_eq!((&*levels[0].id, levels[0].line), ("1", 3));
    assert_eq!(levels[0].solution.as_deref(), Some("R"));
    assert_eq!((&*levels[1].id, levels[1].line), ("2", 11));
    assert_eq!(levels[1].text, "#####\n#.$@#\n#####");
    assert_eq!(levels[1].solution, None);
}

#[test]
fn solutions_may_be_on_the_line_of_their_title() {
    for (text, expected) in [
        ("Solution: rrRL", Some("rrRL")),
        ("solution : R", Some("R")),
        ("Solution 1 (by B. C.): uR", Some("uR")),
        ("Solution R", Some("R")),
        ("Title: Hall; Solution: uuR", Some("uuR")),
        ("Solution: rr\nRL", Some("rrRL")),
        ("Solution\nSolver: none\nrrRL", Some("rrRL")),
        ("Solution: rrrrr\n\nSolution: R", Some("R")),
        ("Solution time: 3", None),
        ("Title: no solution", None),
        ("Author: Ulrl", None),
    ] {
        let levels = cut(&format!("#####\n#@$.#\n#####\n{text}\n"));
        assert_eq!(levels[0].solution.as_deref(), expected, "{text}");
    }
}

#[test]
fn floor_inside_a_level_belongs_to_it() {
    let file = "Hut\n\n   #\n   #\n - \n  ###\n #####\n #@$.#\n #####\nTitle: Hut\n";
    assert_eq!(rows(file), [("1".into(), 3, "   #|   #| - |  ###| #####| #@$.#| #####".into())]);
    // Between two players it separates two levels.
    let level = "#####\n#@$.#\n#####";
    let two = rows(&format!("-----\n{level}\n-----\n{level}\n-----\n"));
    assert_eq!(two.iter().map(|(_, line, _)| *line).collect::<Vec<_>>(), [2, 6]);
    // Blanks alone end a level.
    assert_eq!(cut(&format!("{level}\n   \n{level}")).len(), 2);
}

#[test]
fn decoration_is_no_level() {
    let level = "#####\n#@$.#\n#####\n";
    for (above, line) in [
        ("#\n# my levels\n#\n\n# 1\n", 6),
        ("####\n####\n\n# 1\n", 5),
        ("#######\n# one #\n#######\n\n", 5),
        ("# 1.\n#1\n# box\n", 4),
        ("<b>\n", 2),
        ("Level #3: ####\n", 2),
    ] {
        let found = rows(&format!("{above}{level}"));
        assert_eq!(found, [("1".into(), line, "#####|#@$.#|#####".into())], "{above}");
    }
}

/// A level with a sign that is unknown, or without a player, is a piece of its own.
#[test]
fn broken_levels_are_apart_from_others() {
    let level = "#####\n#@$.#\n#####\n";
    for broken in [
        "#####\n#@$ #\n#####\n",
        "#####\n#@?.#\n#####\n",
        "#####\n# $.#\n#####\n",
        "#####\n#?!:#\n#####\n",
        "5#|#@?.#|5#\n",
        "x: 5#|#@?.#|5#\n",
        "5#|#  .#|5#\n",
    ] {
        let file = format!("{level}\n{broken}\n{level}");
        let pieces = cut(&file);
        assert_eq!(pieces.len(), 3, "{broken}");
        assert_eq!(pieces[2].text, level.trim_end());
        assert!(broken.contains(&pieces[1].text.replace("x: ", "")), "{broken}");
    }
}

#[test]
fn levels_in_one_line_have_ids() {
    let file = "a: 5#|#@$.#|5#\n#####|#@$.#|#####\nnote: #|#\nR: x|y\na: #####|#@$.#|#####\n";
    let ids: Vec<_> =
        cut(file).into_iter().map(|piece| (piece.id, piece.line, piece.column)).collect();
    assert_eq!(ids, [("a".into(), 1, 2), ("2".into(), 2, 0), ("a-2".into(), 5, 2)]);
}

#[test]
fn given_signs_make_rows() {
    let file = "HHHHH\nHSo H\nH  tH\nHHHHH\n\nHHHHH\nHSotH\nHHHHH\n";
    let signs = Signs::parse("H=# S=@").unwrap();
    assert_eq!(levels(file, &signs).len(), 2);
}

#[test]
fn xml_levels_are_read() {
    let file = "<?xml version=\"1.0\"?>\n<!DOCTYPE x>\n<!-- <Level> -->\n<SokobanLevels>\n<Title>a &lt; b</Title>\n\
        <Level Id=\"A &amp; B\" Width='5'>\n  <L>#####</L>\n  <L>#@$.#</L>\n  <L><![CDATA[#####]]></L>\n\
        <Solution>R</Solution></Level>\n\
        <level>\n<l>####&#35;</l><l>#&#x40;$.#</l>\n<l>#####</l>\n\
        <Level Id=\"A &amp; B\"><L> ###</L><L/><L>&unknown;</L></Level>\n<Level></Level></SokobanLevels>";
    let found = cut(file);
    let read: Vec<_> = found
        .iter()
        .map(|piece| {
            (&*piece.id, &*piece.text, piece.line, piece.column, piece.solution.as_deref())
        })
        .collect();
    assert_eq!(
        read,
        [
            ("A & B", "#####\n#@$.#\n#####", 7, 5, Some("R")),
            ("2", "#####\n#@$.#\n#####", 12, 3, None),
            ("A & B-2", " ###\n\n&unknown;", 14, 25, None),
        ]
    );
    let one = "<Level><L>#####</L><L>#@$.#</L><L>#####</L></Level>";
    assert_eq!(unwrapped(one), Ok(Some("#####\n#@$.#\n#####".to_owned())));
    assert_eq!(unwrapped("#"), Ok(None));
    let refused = |text: &str| unwrapped(text).unwrap_err().message;
    assert!(refused("<a>").starts_with("found XML without a level"));
    assert!(refused(&format!("{one}{one}")).starts_with("found 2 levels"));
}

#[test]
fn texts_that_are_no_xml_are_cut() {
    for text in [
        "<",
        "<Level",
        "<Level Id=",
        "<Level Id=\"",
        "<Level><L>",
        "<!--",
        "<![CDATA[",
        "</",
        "<Level><L>&#x;&#99999999;",
    ] {
        let pieces = cut(text);
        assert!(pieces.len() <= 1, "{text}");
    }
}
