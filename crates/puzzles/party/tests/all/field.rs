//! Tables, documents and QAP files as people have them, with the right answers.

use proptest::prelude::*;
use unriddle_catalog::{
    AnyPuzzle, Budget, Registry, Request, Spec, Status,
    record::{Record, solve},
};
use unriddle_check::{verify, verify_certificate};
use unriddle_conformance::{Violation, forms};
use unriddle_core::Rng;
use unriddle_party::{
    FAMILY, Unpriced,
    document::{PuzzleSource, decimal, document, document_priced},
    qap::{self, Qap},
    read::ReadError,
    solvers::certify::certify,
};
use unriddle_tables::{Cache, Policy};

fn registry() -> Registry {
    Registry::new([&FAMILY, &qap::FAMILY]).unwrap()
}

fn solved(spec: &str, text: &str) -> Record {
    let (registry, cache) = (registry(), Cache::new(None, 1, Policy::Reuse));
    let (_, puzzle) = registry.puzzle(spec).unwrap();
    let instance = puzzle.load(text).unwrap();
    let solver = instance.preset("default").unwrap_or_else(|| Spec::parse("team-exact").unwrap());
    let budget = Budget { expansions: Some(100_000), ..Budget::default() };
    let request = Request { budget, ..Request::new(&solver, &cache) };
    solve(&registry, "1", &puzzle.spec(), &*instance, &request, &mut ()).unwrap()
}

fn puzzle(text: &str) -> PuzzleSource {
    PuzzleSource::Text { file: "puzzle.json".to_owned(), text: text.to_owned() }
}

fn told(errors: &[ReadError]) -> String {
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The value and the items in order of a table's best team.
fn best(table: &str, of: &str, column: &str) -> Result<(i64, String), String> {
    let read = document_priced(table, Some(&puzzle(of)), Unpriced::Refuse, column);
    let read = read.map_err(|errors| told(&errors))?;
    let record = solved("party", &read.text);
    assert_eq!((record.status, record.checked), (Status::Optimal, Some(true)));
    let mut team: Vec<String> =
        record.solution.unwrap().split_whitespace().map(str::to_owned).collect();
    team.sort();
    Ok((record.value.unwrap(), team.join(" ")))
}

const PAIR: &str =
    r#"{"nodes":["x","y"],"edges":[["x","y"]],"requirements":[{"average":"level","at_least":70}]}"#;

#[test]
fn names_may_repeat() {
    let table = "name,race,level,price\nLopez,elf,80,500\nLopez,orc,64,400\nMira,elf,70,100\n";
    assert_eq!(best(table, PAIR, "price"), Ok((600, "0 2".to_owned())));
    let with = |part: &str| best(table, &PAIR.replacen('{', &format!("{{{part},"), 1), "price");
    assert_eq!(with(r#""fixed":["Mira",0]"#), Ok((600, "0 2".to_owned())));
    for part in [r#""fixed":["Lopez"]"#, r#""excluded":["Lopez"]"#, r#""owned":["Lopez"]"#] {
        let why = with(part).unwrap_err();
        assert!(
            why.contains("[0]: \"Lopez\" is the name of the items 0, 1: write the number"),
            "{why}"
        );
    }
}

#[test]
fn another_column_may_be_the_price() {
    let table = "name;race;level;Salary\nAlma;elf;80;500\nMira;elf;70;100\nOtto;orc;72;90\n";
    assert_eq!(best(table, PAIR, "salary"), Ok((190, "1 2".to_owned())));
    let own = PAIR.replacen('{', "{\"price_column\":\"Salary\",", 1);
    assert_eq!(best(table, &own, "price"), Ok((190, "1 2".to_owned())));
    let why = best(table, PAIR, "price").unwrap_err();
    assert!(
        why.contains(
            "no column `price`; columns of numbers: `level`, `Salary`; `party(price_column="
        ),
        "{why}"
    );
    let why = best(table, PAIR, "cost").unwrap_err();
    assert!(why.contains("no column `cost`; columns of numbers: `level`, `Salary`"), "{why}");
    let both = table.replace("race", "price");
    let why = best(&both, PAIR, "Salary").unwrap_err();
    assert!(why.contains("line 1, column 6: the table has `Salary` and `price`"), "{why}");
    // Items of JSON.
    let items = r#"{"items": [{"level": 80, "fee": 500}, {"level": 70, "fee": 100}, {"level": 72, "fee": 90}]}"#;
    assert_eq!(best(items, PAIR, "fee"), Ok((190, "1 2".to_owned())));
    let why = best(items, PAIR, "price").unwrap_err();
    assert!(why.contains("no item has a `price`; columns of numbers: `fee`, `level`"), "{why}");
    let why = best(items, PAIR, "cost").unwrap_err();
    assert!(why.contains("no item has `cost`; columns of numbers: `fee`, `level`"), "{why}");
    let own = items.replacen('{', r#"{"nodes": ["x"], "puzzle": {"price_column": "fee"}, "#, 1);
    let read = document(&own, None).unwrap();
    assert_eq!(read.party.costs, [500, 100, 90]);
    assert_eq!(document(&read.text, None), Ok(read));
}

#[test]
fn a_team_has_the_most_points_for_a_budget() {
    let table = "name,race,level,price\nAlma,elf,80,500\nMira,elf,70,100\nOtto,orc,72,90\n";
    for objective in [r#"{"level":-1}"#, r#"{"most":"level"}"#, r#"{"most":{"Level":1}}"#] {
        let of = format!(
            r#"{{"nodes":["x","y"],"objective":{objective},"requirements":[{{"sum":"price","at_most":600}}]}}"#
        );
        assert_eq!(best(table, &of, "price"), Ok((-152, "0 2".to_owned())));
        let less = of.replace("600", "589.99");
        assert_eq!(best(table, &less, "price"), Ok((-142, "1 2".to_owned())));
    }
    let of = r#"{"nodes":["x","y"],"requirements":[{"average":"Price","at_least":295},{"sum":"price","at_most":595}]}"#;
    assert_eq!(best(table, of, "price"), Ok((590, "0 2".to_owned())));
    // Owned items are not bought.
    let owned = of.replacen('{', r#"{"owned":["Otto"],"#, 1).replace("295", "250");
    assert_eq!(best(table, &owned, "price"), Ok((500, "0 2".to_owned())));
    let dear = table.replace("500", "4294967296");
    let why = best(&dear, of, "price").unwrap_err();
    assert!(why.contains("requirements[0]: the price of item 0 (Alma) is too large"), "{why}");
}

#[test]
fn prices_may_be_missing() {
    for missing in ["", "n/a", "N/A", "-", "–", "null"] {
        let table = format!("name,level,price\nAlma,80,{missing}\nMira,70,100\nOtto,72,90\n");
        let why = best(&table, PAIR, "price").unwrap_err();
        assert!(why.contains("line 2, column 9: there is no price"), "{missing}: {why}");
        let read =
            document_priced(&table, Some(&puzzle(PAIR)), Unpriced::Exclude, "price").unwrap();
        assert_eq!(read.party.allowed, [false, true, true]);
        assert_eq!(solved("party", &read.text).value, Some(190));
        let items = format!(
            r#"{{"nodes": ["x"], "items": [{{"price": "{missing}"}}, {{"price": 7}}], "puzzle": {{}}}}"#
        );
        let read = document_priced(&items, None, Unpriced::Zero, "price").unwrap();
        assert_eq!(read.party.costs, [0, 7]);
        assert_eq!(document(&read.text, None), Ok(read));
    }
}

#[test]
fn repeated_keys_are_refused() {
    let text = r#"{"nodes": ["x"], "items": [{"price": 1}, {"price": 2}], "puzzle": {}, "puzzle": {"excluded": [0]}}"#;
    let why = told(&document(text, None).unwrap_err());
    assert!(why.contains("the key `puzzle` occurs twice"), "{why}");
    assert!(verify("party", text, "0").is_err());
}

/// Random pools with bounds on prices and various objectives: the solver finds the values of an
/// enumeration by the checker, certificates prove these values, and certificates with changed
/// numbers prove nothing false.
#[test]
fn budgets_agree_with_an_enumeration() {
    let mut feasible = 0;
    for seed in 0..120 {
        let mut rng = Rng::new(seed);
        let places = rng.below(3) as u32;
        let shown = |parts: u64| decimal(parts as i64, places);
        let items = (0..7).map(|i| {
            format!(
                r#"{{"name": "{}", "race": "{}", "level": {}, "price": {}}}"#,
                ["a", "b"][i % 2],
                ["elf", "orc", "man"][rng.below(3) as usize],
                rng.below(50),
                shown(rng.below(400))
            )
        });
        let items = items.collect::<Vec<_>>().join(", ");
        let objective = [
            "",
            r#""objective": {"most": "level"}, "#,
            r#""objective": {"most": {"level": 3, "price": -1}}, "#,
            r#""objective": {"least": "level"}, "#,
        ][rng.below(4) as usize];
        let (most, least) = (rng.below(900), rng.below(300));
        let bound = match rng.below(3) {
            0 => format!(r#"{{"sum": "price", "at_most": {}}}"#, shown(most)),
            1 => format!(
                r#"{{"sum": "price", "at_least": {}, "at_most": {}}}"#,
                shown(least),
                shown(least + most)
            ),
            _ => format!(r#"{{"average": "price", "at_most": {}}}"#, shown(rng.below(250))),
        };
        let owned = ["", r#""owned": [2], "#][rng.below(2) as usize];
        let text = format!(
            r#"{{"nodes": ["x", "y", "z"], "edges": [[0, 1]], "items": [{items}], "puzzle": {{{objective}{owned}
            "synergy": {{"at_least": {}}}, "requirements": [{bound}, {{"distinct": "race", "at_least": 2}}]}}}}"#,
            [0.0, 0.1, 0.12][rng.below(3) as usize]
        );
        let read =
            document(&text, None).unwrap_or_else(|errors| panic!("{}: {text}", told(&errors)));
        let mut cheapest: Option<i64> = None;
        for team in 0..7 * 7 * 7 {
            let team =
                [team / 49, team / 7 % 7, team % 7].map(|item: i32| item.to_string()).join(" ");
            if let Ok(verdict) = verify("party", &read.text, &team) {
                cheapest = Some(cheapest.map_or(verdict.value, |value| value.min(verdict.value)));
            }
        }
        let record = solved("party", &read.text);
        assert_eq!(record.value, cheapest, "{seed}: {text}");
        let expected = if cheapest.is_some() { Status::Optimal } else { Status::Unsolvable };
        assert_eq!(record.status, expected, "{seed}: {text}");
        feasible += u32::from(cheapest.is_some());
        let certificate = certify(&read.party, cheapest, &mut |_| true).unwrap();
        assert_eq!(verify_certificate("party", &read.text, &certificate), Ok(cheapest), "{text}");
        // Whatever a changed certificate proves is true.
        for _ in 0..60 {
            let mut bytes = certificate.clone().into_bytes();
            for _ in 0..=rng.below(3) {
                let at = rng.below(bytes.len() as u64) as usize;
                match rng.below(3) {
                    0 if bytes[at].is_ascii_digit() => bytes[at] = b'0' + rng.below(10) as u8,
                    1 if bytes[at].is_ascii_digit() => bytes.insert(at, b'1' + rng.below(9) as u8),
                    2 if bytes[at] == b'-' || bytes[at] == b',' => {
                        bytes.remove(at);
                    }
                    _ => {}
                }
            }
            let changed = String::from_utf8(bytes).unwrap();
            let proved = verify_certificate("party", &read.text, &changed);
            let is_true = match (proved, cheapest) {
                (Err(_), _) | (Ok(_), None) => true,
                (Ok(None), Some(_)) => false,
                (Ok(Some(least)), Some(value)) => least <= value,
            };
            assert!(is_true, "{seed}: {changed}");
        }
    }
    assert!((20..110).contains(&feasible), "{feasible}");
}

const ROWS: &str = "0 1 2\n1 0 3\n2 3 0\n\n0 2 1\n2 0 3\n1 3 0\n";

#[test]
fn known_values_of_qap_files_are_left_out() {
    for head in ["3", "3 20", "3   20  20", "# size and best\n3 20 % known"] {
        let record = solved("qap", &format!("{head}\n{ROWS}"));
        assert_eq!((record.value, record.checked), (Some(20), Some(true)), "{head}");
    }
    assert_eq!(solved("qap", &format!("3\n{ROWS}20\n")).value, Some(20));
    let text = Qap::parse(&format!("3 20\n{ROWS}")).unwrap().text();
    for file in ["3 20\n2 3 1\n", "3 20\n3 1 2\n", "2 3 1"] {
        assert_eq!(verify("qap", &text, file).map(|verdict| verdict.value), Ok(20), "{file}");
        let at = Qap::parse(&text).unwrap().parse_solution(file).unwrap();
        assert_eq!(at, [1, 2, 0], "{file}");
    }
}

/// A million numbers are cut into instances at once.
#[test]
fn qap_files_are_cut_in_linear_time() {
    let (_, puzzle) = registry().puzzle("qap").unwrap();
    let pieces = puzzle.split(&"1 ".repeat(999_999));
    assert_eq!(pieces.len(), 333_333);
    assert_eq!((pieces[7].text.as_str(), pieces[7].id.as_str()), ("1 1 1 ", "8"));
    assert_eq!((pieces[7].line, pieces[7].column), (1, 42));
}

#[test]
fn forms_are_read_back() -> Result<(), Violation> {
    let of = |name: &str| -> Box<dyn AnyPuzzle> { registry().puzzle(name).unwrap().1 };
    forms::examples(&FAMILY)?;
    forms::examples(&qap::FAMILY)?;
    forms::read_back(&FAMILY, &*of("party"), "world(heroes=40)", 1_000)?;
    forms::read_back(&qap::FAMILY, &*of("qap"), "uniform(7)", 1_000)
}

/// QAP files of random sizes in every layout are the same instances.
#[test]
fn qap_layouts_are_read_as_the_same_instances() {
    let (_, puzzle) = registry().puzzle("qap").unwrap();
    for seed in 0..1_000 {
        let mut rng = Rng::new(seed);
        let count = 1 + rng.below(3);
        let layout = rng.below(6);
        let mut value = || rng.below(1000).to_string();
        let (beside, behind) = match layout {
            0 => (String::new(), String::new()),
            1 => (format!(" {}", value()), String::new()),
            2 => (format!(" {} {}", value(), value()), String::new()),
            3 => (String::new(), format!("{}\n", value())),
            4 => (String::new(), format!("{} {}\n", value(), value())),
            _ => (format!(" {}", value()), format!("{}\n", value())),
        };
        let instances: Vec<Qap> =
            (0..count).map(|_| Qap::uniform(2 + rng.below(5) as usize, &mut rng)).collect();
        let file: String = instances
            .iter()
            .map(|qap| {
                let text = qap.text();
                let (size, rows) = text.split_once('\n').unwrap();
                format!("{size}{beside}\n{rows}{behind}\n")
            })
            .collect();
        let pieces = puzzle.split(&file);
        assert_eq!(pieces.len() as u64, count, "{file}");
        for (piece, qap) in pieces.iter().zip(&instances) {
            let read = Qap::parse(&piece.text).unwrap_or_else(|error| panic!("{error}: {file}"));
            assert_eq!(read, *qap, "{file}");
        }
    }
}

proptest! {
    #[test]
    fn readers_never_panic(text in "[{}\\[\\]\":,a-c0-9 \\n.%#/-]{0,60}") {
        let _ = document(&text, None);
        if let Ok(qap) = Qap::parse(&text) {
            prop_assert_eq!(Qap::parse(&qap.text()), Ok(qap));
        }
        let (_, puzzle) = registry().puzzle("qap").unwrap();
        for piece in puzzle.split(&text) {
            let _ = puzzle.load(&piece.text);
        }
    }

    #[test]
    fn qap_solutions_never_panic(text in "[1-4, \\n-]{0,20}") {
        let qap = Qap::parse("3\n0 1 2\n1 0 3\n2 3 0\n0 2 1\n2 0 3\n1 3 0").unwrap();
        let verdict = verify("qap", &qap.text(), &text);
        match qap.parse_solution(&text) {
            Ok(at) => prop_assert_eq!(verdict.map(|verdict| verdict.value), Ok(qap.cost(&at))),
            Err(_) => prop_assert!(verdict.is_err()),
        }
    }
}
