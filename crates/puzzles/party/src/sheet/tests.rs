use super::*;
use crate::{
    document::written,
    generate::{Kind, World, world},
};
use unriddle_catalog::sheet::{Change, Place};
use unriddle_core::Rng;

const SMALL: &str = r#"{"nodes": ["front", "back"], "edges": [[0, 1]], "items": [
    {"name": "Aria", "race": "elf", "level": 84.5, "price": 12},
    {"name": "Borin", "race": "dwarf", "level": 60, "price": 10},
    {"name": "Borin", "race": "orc", "level": 7.25, "price": 3}],
    "puzzle": {"owned": [1], "excluded": [2], "fixed": [{"item": "Aria", "node": 1}],
    "requirements": [{"average": "level", "at_least": 51}, {"sum": "price", "at_most": 40},
    {"count": {"race": ["elf", "orc"]}, "exactly": 1}]}}"#;

fn small() -> String {
    document(SMALL, None).unwrap().text
}

fn change(section: usize, row: usize, column: usize, text: &str) -> Change {
    Change { place: Place { section, row, column }, text: text.to_owned() }
}

fn row(text: &str, section: usize, row: usize) -> Vec<String> {
    sheet(text).unwrap().sections[section].rows[row].clone()
}

#[test]
fn documents_are_shown_as_tables() {
    let text = small();
    let sheet = sheet(&text).unwrap();
    let titles: Vec<&str> = sheet.sections.iter().map(|section| section.title.as_str()).collect();
    assert_eq!(titles, ["Requirements", "Budget", "Objective: the least of the sum", "Items"]);
    assert_eq!(row(&text, 0, 0), ["synergy of the team", "", "", "", "off"]);
    assert_eq!(row(&text, 0, 1), ["average of level", "51", "", "", "on"]);
    assert_eq!(row(&text, 0, 2), ["count of race: elf, orc", "", "", "1", "on"]);
    assert_eq!(row(&text, 1, 0), ["price of the team", "", "40", "", "on"]);
    assert_eq!(sheet.sections[2].rows, [["price", "1"], ["level", ""]]);
    assert_eq!(row(&text, 3, 0), ["#0", "Aria", "elf", "84.5", "12", "on back", "off"]);
    assert_eq!(row(&text, 3, 1), ["#1", "Borin", "dwarf", "60", "10", "free", "on"]);
    assert_eq!(row(&text, 3, 2)[5], "excluded");
}

#[test]
fn a_change_is_the_only_change() {
    let text = small();
    let changed = |section, row, column, with: &str| {
        rewritten(&text, &[change(section, row, column, with)]).unwrap()
    };
    let parts = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        document(&text.replace(from, to), None).unwrap().text
    };
    assert_eq!(changed(0, 1, 1, "52.5"), parts("\"at_least\":51", "\"at_least\":52.5"));
    assert_eq!(changed(1, 0, 2, "39"), parts("\"at_most\":40", "\"at_most\":39"));
    assert_eq!(changed(1, 0, 4, "off"), parts(",{\"at_most\":40,\"sum\":\"price\"}", ""));
    assert_eq!(changed(0, 1, 4, "off"), parts("{\"at_least\":51,\"average\":\"level\"},", ""));
    assert_eq!(changed(3, 2, 4, "4"), parts("\"price\":3", "\"price\":4"));
    assert_eq!(changed(3, 2, 5, "free"), parts("\"excluded\":[2],", ""));
    assert_eq!(
        changed(3, 0, 5, "in the team"),
        parts("{\"item\":\"Aria\",\"node\":1}", "\"Aria\"")
    );
    assert_eq!(changed(3, 2, 5, "on front").matches("\"item\":2,\"node\":\"front\"").count(), 1);
    assert_eq!(changed(3, 1, 6, "off"), parts("\"owned\":[1],", ""));
    let synergy = changed(0, 0, 1, "0.02");
    assert!(synergy.contains("\"synergy\":{\"at_least\":0.02}"), "{synergy}");
    let weighed = changed(2, 1, 1, "-4");
    assert!(weighed.contains("\"objective\":{\"level\":-4,\"price\":1}"), "{weighed}");
}

#[test]
fn errors_are_at_their_cells() {
    let text = small();
    let refused = |changes: &[Change]| {
        let misfit = rewritten(&text, changes).unwrap_err();
        let Place { section, row, column } = misfit.place.unwrap();
        (misfit.message, section, row, column)
    };
    let (why, section, row, column) = refused(&[change(0, 2, 2, "0")]);
    assert_eq!((why.as_str(), section, row, column), ("no amount is within these bounds", 0, 2, 2));
    let (why, section, row, column) = refused(&[change(0, 2, 3, ""), change(3, 0, 3, "9")]);
    assert!(why.starts_with("no bound"), "{why}");
    assert_eq!((section, row, column), (0, 2, 3));
    let (why, section, row, _) = refused(&[change(3, 1, 5, "on back")]);
    assert_eq!((why.as_str(), section, row), ("two items are fixed on this node", 3, 1));
    assert_eq!(refused(&[change(0, 0, 4, "on")]).1, 0);
    assert_eq!(refused(&[change(3, 1, 3, "5.")]).3, 3);
}

#[test]
fn every_item_gets_every_use_and_back() {
    let pool = world(&World { heroes: 30, ..World::default() }, &mut Rng::new(1));
    for kind in ["type1", "type2", "type3"] {
        let puzzle = Kind::of(kind).unwrap().text(&pool.items).unwrap();
        let text = document(&written(&pool, &puzzle), None).unwrap().text;
        let before = sheet(&text).unwrap();
        let items = before.sections.len() - 1;
        let columns = &before.sections[items].columns;
        let column = columns.iter().position(|column| column.name == "use").unwrap();
        let Values::Choice(words) = &columns[column].values else { panic!("no choice") };
        for (item, word) in words.iter().enumerate() {
            let there = rewritten(&text, &[change(items, item, column, word)]).unwrap();
            assert_eq!(row(&there, items, item)[column], *word);
            let back = rewritten(&there, &[change(items, item, column, FREE)]).unwrap();
            assert_eq!(back, text);
        }
    }
}
