//! Tables of items: whatever a table of items contains, its puzzle is the same when it is read from
//! the document that records name, and the checker, which reads only the document, agrees with it.

use proptest::prelude::*;
use unriddle_check::{CheckError, verify};
use unriddle_party::{
    Team,
    document::{PuzzleSource, document},
};

/// The cells of a random pool, column by column.
#[derive(Clone, Debug)]
struct Table {
    separator: char,
    /// Whether every cell is in quotes.
    quoted: bool,
    names: Option<Vec<String>>,
    races: Vec<String>,
    guilds: Vec<u32>,
    levels: Vec<i64>,
    /// Decimal places of the levels.
    level_places: u32,
    prices: Vec<i64>,
    /// Decimal places of the prices.
    price_places: u32,
}

/// The text of a decimal number.
fn decimal(parts: i64, places: u32) -> String {
    let unit = 10i64.pow(places);
    match places {
        0 => parts.to_string(),
        _ => format!("{}.{:0width$}", parts / unit, parts % unit, width = places as usize),
    }
}

impl Table {
    fn text(&self) -> String {
        let mut rows = vec![vec!["Race".to_owned(), "guild:trait".to_owned()]];
        rows[0].extend(["level", "PRICE"].map(str::to_owned));
        for item in 0..self.prices.len() {
            rows.push(vec![
                self.races[item].clone(),
                self.guilds[item].to_string(),
                decimal(self.levels[item], self.level_places),
                decimal(self.prices[item], self.price_places),
            ]);
        }
        if let Some(names) = &self.names {
            let names = std::iter::once("name".to_owned()).chain(names.iter().cloned());
            rows.iter_mut().zip(names).for_each(|(row, name)| row.insert(0, name));
        }
        let is_plain = |cell: &str| !cell.contains([self.separator, '"', '\n']);
        let cell = |cell: &String| match self.quoted || !is_plain(cell) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        let line = |row: &Vec<String>| {
            let cells: Vec<String> = row.iter().map(cell).collect();
            cells.join(&self.separator.to_string()) + "\n"
        };
        rows.iter().map(line).collect()
    }
}

fn tables() -> impl Strategy<Value = Table> {
    let columns = (3usize..12).prop_flat_map(|items| {
        let names = prop::option::of(prop::collection::hash_set("[a-z] [,;\"]?[A-Z]", items));
        (
            names,
            prop::collection::vec("(elf|orc|half,elf|\"troll\"; é)", items),
            prop::collection::vec(0u32..4, items),
            prop::collection::vec(0i64..100_000, items),
            prop::collection::vec(0i64..1_000_000, items),
        )
    });
    let layout = (prop::sample::select(vec![',', ';', '\t']), any::<bool>(), 0u32..=3, 0u32..=3);
    (columns, layout).prop_map(|((names, races, guilds, levels, prices), layout)| {
        let (separator, quoted, level_places, price_places) = layout;
        let names = names.map(|names| names.into_iter().collect());
        Table {
            separator,
            quoted,
            names,
            races,
            guilds,
            levels,
            level_places,
            prices,
            price_places,
        }
    })
}

const PUZZLE: &str = r#"{"nodes": ["a", "b", "c"], "edges": [[0, 1], [1, 2]],
    "synergy": {"at_least": 0.2}, "requirements": [
        {"average": "LEVEL", "at_least": 20}, {"distinct": "race", "at_least": 2}, {"same": "guild", "at_most": 2}],
    "owned": [0]}"#;

proptest! {
    #[test]
    fn tables_and_their_documents_are_the_same_puzzle(table in tables(), seed in any::<u64>()) {
        let wanted = PuzzleSource::Text { file: "puzzle.json".to_owned(), text: PUZZLE.to_owned() };
        let read = document(&table.text(), Some(&wanted)).unwrap();
        let items = &read.party.items;
        // The cells, as they were before they were written.
        let count = table.prices.len();
        prop_assert_eq!(items.len(), count);
        prop_assert_eq!(&items.names, &table.names.clone().unwrap_or_default());
        let values = |name: &str| {
            let found = &items.traits[items.find_trait(name).unwrap()];
            found.codes.iter().map(|&code| found.values[usize::from(code)].clone()).collect::<Vec<_>>()
        };
        prop_assert_eq!(values("Race"), table.races.clone());
        let guilds: Vec<String> = table.guilds.iter().map(u32::to_string).collect();
        prop_assert_eq!(values("guild"), guilds);
        let levels = &items.numbers[items.find_number("level").unwrap()];
        let same = |of: i64, places: u32, parts: i64, own: u32| {
            i128::from(of) * 10i128.pow(own) == i128::from(parts) * 10i128.pow(places)
        };
        for item in 0..count {
            let level = table.levels[item];
            prop_assert!(same(levels.values[item], levels.places, level, table.level_places));
            let price = table.prices[item];
            prop_assert!(same(items.prices[item], items.price_places, price, table.price_places));
        }
        // The document is the same puzzle, and it is written only in one way.
        let again = document(&read.text, None).unwrap();
        prop_assert_eq!(&again, &read);
        // The checker judges teams as the puzzle does.
        let mut rng = unriddle_core::Rng::new(seed);
        for _ in 0..10 {
            let mut team: Vec<u32> = (0..count as u32).collect();
            rng.shuffle(&mut team);
            team.truncate(3);
            let words: Vec<String> = team.iter().map(u32::to_string).collect();
            let verdict = verify("party", &read.text, &words.join(" "));
            let judged = Team::new(&read.party, &team);
            match verdict {
                Ok(verdict) => {
                    prop_assert!(judged.is_feasible());
                    prop_assert_eq!(verdict.value, judged.cost());
                }
                Err(CheckError::NotGoal { .. }) => prop_assert!(!judged.is_feasible()),
                Err(other) => prop_assert!(false, "{}", other),
            }
        }
    }
}
