//! Checkpoints: yesterday's are read, newer, damaged and forged ones are refused.

use serde_json::{Value, json};
use unriddle_evolve::{
    CHECKPOINT_VERSION as VERSION, CheckpointError, Coevolution, CoevolutionConfig, EvolveError,
    Ga, GaConfig, Reals, SetConfig, Trial,
};
use xxhash_rust::xxh3::xxh3_64;

fn ga() -> Ga<Reals> {
    let config = GaConfig { population: 3, ..GaConfig::default() };
    let mut ga = Ga::new(Reals::unit(2), config, 1).unwrap();
    ga.tell(&[0.1, 1.0 / 3.0, -0.0]).unwrap();
    ga
}

fn coevolution() -> Coevolution<Reals> {
    let mut config = CoevolutionConfig::default();
    config.solvers.population = 3;
    config.opponents = unriddle_evolve::Opponents::Evolving(SetConfig {
        ga: config.solvers,
        ..SetConfig::default()
    });
    Coevolution::new(Reals::unit(2), config, &[Trial::solved(10.0); 8], 1).unwrap()
}

fn damage(text: &str) -> EvolveError {
    Ga::<Reals>::load(text).unwrap_err()
}

/// A checkpoint with another state and the checksum that fits it.
fn forge(text: &str, change: impl Fn(&mut Value)) -> String {
    let mut all: Value = serde_json::from_str(text).unwrap();
    change(&mut all["state"]);
    let state = all["state"].to_string();
    let sum = xxh3_64(state.as_bytes());
    let (version, kind) = (&all["version"], &all["kind"]);
    format!(
        r#"{{"format":"unriddle-evolve","version":{version},"kind":{kind},"checksum":"{sum:016x}","state":{state}}}"#
    )
}

#[test]
fn yesterdays_checkpoint_is_read_and_written_as_it_was() {
    let text = include_str!("../golden/ga-v1.json").trim_end();
    let read = Ga::<Reals>::load(text).unwrap();
    assert_eq!(read.save().unwrap(), text);
    assert_eq!(read.save().unwrap(), ga().save().unwrap());
}

#[test]
fn newer_versions_are_refused_whatever_their_content() {
    let text = r#"{"format":"unriddle-evolve","version":2,"kind":"ga","state":"packed","new":1}"#;
    let refused = EvolveError::Checkpoint(CheckpointError::Newer { found: 2 });
    assert_eq!(damage(text), refused);
    assert_eq!(
        refused.to_string(),
        format!("the checkpoint has version 2; this program reads versions up to {VERSION}")
    );
}

#[test]
fn another_kind_is_refused() {
    let refused = damage(&coevolution().save().unwrap()).to_string();
    assert_eq!(refused, "the checkpoint is of `coevolution`, but `ga` was expected");
}

#[test]
fn every_cut_and_every_changed_byte_is_noticed() {
    let text = ga().save().unwrap();
    for cut in 0..text.len() {
        assert!(Ga::<Reals>::load(&text[..cut]).is_err(), "cut at {cut}");
    }
    for place in 0..text.len() {
        for replacement in ["7", "x", " ", "\""] {
            let mut changed = text.clone();
            changed.replace_range(place..=place, replacement);
            // White space between tokens may change outside the state, but the text contains no
            // white space.
            if changed != text {
                assert!(Ga::<Reals>::load(&changed).is_err(), "{place}: {changed}");
            }
        }
    }
    for text in ["", "null", "[]", "{}", "weights", r#"{"format":"x","version":1,"kind":"ga"}"#] {
        let refused = damage(text).to_string();
        assert!(refused.starts_with("the checkpoint is damaged: "), "{refused}");
    }
}

#[test]
fn a_state_that_makes_no_sense_is_refused_even_with_its_checksum() {
    let text = ga().save().unwrap();
    // Values keep every digit, so that an unchanged state is read.
    Ga::<Reals>::load(&forge(&text, |_| {})).unwrap();
    let changes: [fn(&mut Value); 10] = [
        |s| s["population"] = json!([]),
        |s| s["population"][0] = json!([0.5]),
        |s| s["population"][0][1] = json!(1.5),
        |s| s["told"] = json!([]),
        |s| s["told"][0]["fitness"] = json!(1e200),
        |s| s["best"] = Value::Null,
        |s| s["history"] = json!([]),
        |s| s["config"]["elite"] = json!(3),
        |s| s["rng"] = json!("00".repeat(32)),
        |s| s["space"]["bounds"] = json!([]),
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let refused = damage(&forge(&text, change)).to_string();
        assert!(refused.starts_with("the checkpoint is damaged: "), "{i}: {refused}");
    }
    let text = coevolution().save().unwrap();
    let load = |text: &str| Coevolution::<Reals>::load(text);
    load(&forge(&text, |_| {})).unwrap();
    let changes: [fn(&mut Value); 8] = [
        |s| s["baseline"] = json!([]),
        |s| s["baseline"][0] = json!(0.0),
        |s| s["rounds"] = json!([{"trials": 1, "solved": 1, "jobs": 1}]),
        |s| s["meetings"] = json!({"random": [1]}),
        |s| s["meetings"]["evolving"]["met"][0] = json!([0, 3]),
        |s| s["meetings"]["evolving"]["met"][0] = json!([1, 1]),
        |s| s["meetings"]["evolving"]["effort"] = json!([]),
        |s| s["meetings"]["evolving"]["sets"]["population"][0][0] = json!(8),
    ];
    for (i, change) in changes.into_iter().enumerate() {
        assert!(load(&forge(&text, change)).is_err(), "{i}");
    }
}
