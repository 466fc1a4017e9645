//! Golden transcripts: of every puzzle a few solves from the generator to the sealed record, as
//! text.
//!
//! The files are `tests/golden/PUZZLE.txt`; they show the effect of a change on drawings, notations
//! and records. Times and peak memory are left out.

use crate::common::{
    cache, golden, known, record,
    samples::{Sample, samples},
    timeless,
};
use std::fmt::Write as _;
use unriddle_catalog::{Style, tables::Cache};

/// A solve as text.
fn transcript(variant: &'static str, generator: &str, solver: &str, cache: &Cache) -> String {
    let known = known(variant);
    let text = known.generate(generator, 0);
    let instance = known.load(&text);
    let found = record(variant, &*instance, solver, cache).unwrap();
    let solution = found.solution.clone().unwrap_or_default();
    let frames = instance.frames(&solution, Style::Plain).unwrap();
    let mut out = format!("== {variant}, {generator}, {solver}\n\ninstance  {text}\n");
    // Writing to a string cannot fail.
    let _ = writeln!(out, "solution  {solution}\n\n{}", frames[0].drawing);
    for frame in &frames[1..] {
        let action = frame.action.as_deref().unwrap_or_default();
        // Only the last position of a long solution is drawn.
        if frames.len() <= 12 || std::ptr::eq(frame, &frames[frames.len() - 1]) {
            let _ = writeln!(out, "after {action}\n{}", frame.drawing);
        }
    }
    let fields: Vec<String> = serde_json::from_str::<serde_json::Map<_, _>>(&timeless(&found))
        .unwrap()
        .into_iter()
        .filter(|(field, _)| !field.ends_with("_s") && field != "peak_bytes")
        .map(|(field, value)| format!("{field:<12} {value}\n"))
        .collect();
    let _ = writeln!(out, "{}", fields.concat());
    out
}

#[test]
fn transcripts_are_those_committed() {
    let cache = cache();
    let with_transcripts = |sample: &&Sample| !sample.golden.is_empty();
    for sample in samples().iter().filter(with_transcripts) {
        let mut text = String::new();
        for variant in sample.variants {
            for (generator, solver) in sample.golden {
                text += &transcript(variant, generator, solver, &cache);
            }
        }
        golden(&format!("crates/unriddle/tests/golden/{}.txt", sample.name), &text);
    }
}
