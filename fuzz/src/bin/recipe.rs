//! Recipes and experiments: a TOML text is refused with a position, or read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use unriddle_lab::Experiment;
use unriddle_learn::tune;

fuzz_target!(|text: &str| {
    let (registry, path) = (unriddle::registry(), Path::new("fuzz.toml"));
    let _ = tune::Recipe::parse(path, text, None, &registry).map_err(|error| error.to_string());
    let _ = Experiment::parse(path, text, &registry).map_err(|error| error.to_string());
});
