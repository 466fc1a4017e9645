//! Certificates of party building: `number;certificate` with one of a few tiny pools. No text panics,
//! and whatever a certificate proves is true: no team is cheaper than the proved price, by an
//! enumeration of all teams.
//!
//! The certificate may be changed by edits, `position:character`, behind the number: `0,12:7,13:5`.
//! Then it is the pool's own certificate with these characters.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use unriddle_check::{verify, verify_certificate};
use unriddle_party::{document::document, solvers::certify::certify};

/// A pool with the value of its best team and its own certificate.
struct Pool {
    text: String,
    cheapest: Option<i64>,
    certificate: String,
}

const ITEMS: &str = r#"{"nodes": ["x", "y", "z"], "edges": [[0, 1], [1, 2]], "items": [
    {"race": "elf", "guild": "sun", "level": 40, "price": 12.5}, {"race": "orc", "guild": "moon", "level": 31, "price": 8},
    {"race": "man", "guild": "sun", "level": 22, "price": 3}, {"race": "elf", "guild": "moon", "level": 47, "price": 30},
    {"race": "orc", "guild": "sun", "level": 9, "price": 1}, {"race": "man", "guild": "moon", "level": 35, "price": 17}],"#;

const PUZZLES: [&str; 6] = [
    r#"{"requirements": [{"average": "level", "at_least": 30}, {"distinct": "race", "at_least": 2}]}"#,
    r#"{"objective": {"level": -1}, "requirements": [{"sum": "price", "at_most": 30}]}"#,
    r#"{"synergy": {"at_least": 0.15}, "requirements": [{"same": "race", "at_most": 2}], "owned": [3]}"#,
    r#"{"requirements": [{"rating": "level", "at_least": 38}, {"count": {"race": "orc"}, "exactly": 1}]}"#,
    r#"{"requirements": [{"sum": "level", "at_least": 200}]}"#,
    r#"{"synergy": {"at_least": 2, "affinity": {"race": {"elf": {"orc": 1}, "man": {"man": -1}}}}, "fixed": [1]}"#,
];

static POOLS: LazyLock<Vec<Pool>> = LazyLock::new(|| {
    let pool = |puzzle: &&str| {
        let read = document(&format!("{ITEMS} \"puzzle\": {puzzle}}}"), None).expect("a document");
        let teams = (0..216).map(|team| format!("{} {} {}", team / 36, team / 6 % 6, team % 6));
        let values = teams.filter_map(|team| verify("party", &read.text, &team).ok());
        let cheapest = values.map(|verdict| verdict.value).min();
        let certificate = certify(&read.party, cheapest, &mut |_| true).expect("a small proof");
        Pool { text: read.text, cheapest, certificate }
    };
    PUZZLES.iter().map(pool).collect()
});

fuzz_target!(|text: &str| {
    let (head, certificate) = text.split_once(';').unwrap_or((text, ""));
    let mut parts = head.split(',');
    let number: usize = parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    let pool = &POOLS[number % POOLS.len()];
    let mut changed: Vec<char> = match certificate {
        "" => pool.certificate.chars().collect(),
        given => given.chars().collect(),
    };
    for edit in parts {
        let Some((at, new)) = edit.split_once(':') else { continue };
        let (Ok(at), Some(new)) = (at.parse::<usize>(), new.chars().next()) else { continue };
        if let Some(old) = changed.get_mut(at) {
            *old = new;
        }
    }
    let changed: String = changed.into_iter().collect();
    match (verify_certificate("party", &pool.text, &changed), pool.cheapest) {
        (Err(_), _) | (Ok(_), None) => {}
        (Ok(None), Some(value)) => panic!("a team costs {value}: {changed}"),
        (Ok(Some(least)), Some(value)) => assert!(least <= value, "{changed}"),
    }
});
