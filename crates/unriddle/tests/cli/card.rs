//! The script that trains on a card, dry: on the processor.

use crate::place::Place;
use std::process::Command;

fn card(place: &Place, calls: &str) -> (Option<i32>, String) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let ran = Command::new("sh")
        .arg(format!("{root}/scripts/card.sh"))
        .arg(env!("CARGO_BIN_EXE_unriddle"))
        .arg("tiles")
        .arg(format!("{root}/recipes/cpu/tiles8.toml"))
        .arg(place.path("run"))
        .arg(calls)
        .envs([("DEVICE", "cpu"), ("CALL", "2s")])
        .output()
        .expect("there is a shell");
    let text = [ran.stdout, ran.stderr].concat();
    (ran.status.code(), String::from_utf8(text).unwrap())
}

/// Each call ends with its time, and the next goes on.
#[test]
fn the_script_for_cards_trains_in_calls() {
    let place = Place::new();
    let (code, told) = card(&place, "2");
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(told.matches("cpu: 31 moves").count(), 2, "{told}");
    assert_eq!(told.matches("its time is up").count(), 2, "{told}");
    assert!(place.path("run/model.safetensors").exists());
    let model = std::fs::read(place.path("run/model.safetensors")).unwrap();
    let (code, told) = card(&place, "1");
    assert_eq!(code, Some(0), "{told}");
    assert_ne!(
        std::fs::read(place.path("run/model.safetensors")).unwrap(),
        model
    );
}
