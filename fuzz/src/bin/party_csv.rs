//! Party building: tables of items, `table;;team`. No text panics; a table that is read is a pool,
//! and a document that the verifier reads, too.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_fuzz::party::{hold, sound};
use unriddle_party::{
    Unpriced,
    csv::items,
    document::{PuzzleSource, document},
    read::pool,
};

/// The puzzles that tables are tried with: one that any items suit, and one that names columns.
const PUZZLES: [&str; 2] = [
    r#"{"nodes": ["a"], "edges": []}"#,
    r#"{"nodes": ["a", "b"], "edges": [[0, 1]], "synergy": {"at_least": 0.1},
        "requirements": [{"average": "level", "at_least": 70.5}, {"distinct": "race", "exactly": 2}]}"#,
];

fuzz_target!(|text: &str| {
    let (table, team) = text.rsplit_once(";;").unwrap_or((text, ""));
    match items(table, Unpriced::Refuse) {
        Ok(file) => {
            let text = serde_json::Value::Object(file).to_string();
            let pool = pool(&text).expect("a table that is read is a pool");
            assert!(pool.items.problems().is_empty());
        }
        Err(errors) => sound(&errors),
    }
    for puzzle in PUZZLES {
        match document(
            table,
            Some(&PuzzleSource::Text { file: String::new(), text: puzzle.to_owned() }),
        ) {
            Ok(read) => hold(&read, team),
            Err(errors) => sound(&errors),
        }
    }
});
