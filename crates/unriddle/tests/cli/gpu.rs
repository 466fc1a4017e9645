//! The script that trains on a GPU, dry: on the CPU.

use crate::place::Place;
use std::process::Command;

fn gpu(place: &Place, calls: &str) -> (Option<i32>, String) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let ran = Command::new("sh")
        .arg(format!("{root}/scripts/gpu.sh"))
        .arg(env!("CARGO_BIN_EXE_unriddle"))
        .arg("tiles")
        .arg(format!("{root}/recipes/cpu/tiles8.toml"))
        .arg(place.path("run"))
        .arg(calls)
        .envs([("DEVICE", "cpu"), ("CALL", "2s"), ("CUT", "20K")])
        .env("EXPORT", place.path("home"))
        .output()
        .expect("there is a shell");
    let text = [ran.stdout, ran.stderr].concat();
    (ran.status.code(), String::from_utf8(text).unwrap())
}

/// Each call ends after its time, and the next call resumes.
#[test]
fn script_for_gpus_trains_in_calls() {
    let place = Place::new();
    let (code, told) = gpu(&place, "2");
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(told.matches("cpu: 31 moves").count(), 2, "{told}");
    assert_eq!(told.matches("its time is up").count(), 2, "{told}");
    assert!(place.path("run/model.safetensors").exists());
    let model = std::fs::read(place.path("run/model.safetensors")).unwrap();
    // The copied network is in parts, which suffice to resume.
    let part = |number| std::fs::read(place.path(&format!("home/model.safetensors.0{number}")));
    let parts: Vec<u8> = (0..2).flat_map(|number| part(number).unwrap()).collect();
    assert_eq!((part(0).unwrap().len(), &parts), (20 * 1024, &model));
    std::fs::remove_dir_all(place.path("run")).unwrap();
    let (code, more) = gpu(&place, "1");
    assert_eq!(code, Some(0), "{more}");
    assert!(more.contains("restored the run"), "{more}");
    let number = |text: &str| {
        let mut lines = text.lines().filter(|line| line.contains("examples: loss"));
        let number = lines.next_back().and_then(|line| line.split(' ').next());
        number.map(|number| number.replace(',', "").parse::<u64>().unwrap())
    };
    assert!(number(&more) > number(&told), "{told}\n{more}");
    assert_ne!(std::fs::read(place.path("run/model.safetensors")).unwrap(), model);
}
