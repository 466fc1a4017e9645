//! Quadratic assignment: `instance;solution`. No text panics. What is read is written as a text
//! that reads back, and is one piece of its file. The two readers of plain instances and of solutions
//! agree, and so do their costs; a file of two instances is cut between them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_catalog::family::Variant as _;
use unriddle_check as check;
use unriddle_party::qap::{Qap, family::QapVariant};

fuzz_target!(|text: &str| {
    let (instance, solution) = text.split_once(';').unwrap_or((text, ""));
    let qap = match Qap::parse(instance) {
        Ok(qap) => qap,
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1);
            // Numbers of a matrix up to 2^24 are read by the verifier alone: it adds costs up in
            // more bits.
            let is_large = |word: &str| word.parse::<i64>().is_ok_and(|n| n.abs() > 1 << 23);
            // A part of a row beside the size may be a known value.
            let is_odd = error.to_string().contains("more on its line");
            if !is_odd && !instance.split_whitespace().any(is_large) {
                assert!(check::is_goal("qap", instance).is_err(), "{error}");
            }
            return;
        }
    };
    let plain = qap.text();
    assert_eq!(Qap::parse(&plain).as_ref(), Ok(&qap));
    let pieces = QapVariant.split(instance);
    assert_eq!(pieces.len(), 1);
    assert_eq!(Qap::parse(&pieces[0].text).as_ref(), Ok(&qap));
    let pieces = QapVariant.split(&format!("{plain}{plain}"));
    assert_eq!(pieces.len(), 2);
    assert_eq!(Qap::parse(&pieces[1].text).as_ref(), Ok(&qap));
    assert_eq!(check::is_goal("qap", &plain), Ok(false));
    let verdict = check::verify("qap", &plain, solution);
    match qap.parse_solution(solution) {
        Ok(at) => {
            assert_eq!(qap.parse_solution(&qap.solution_text(&at)).as_ref(), Ok(&at));
            let verdict = verdict.expect("the verifier reads it, too");
            assert_eq!((verdict.value, verdict.length), (qap.cost(&at), at.len() as u64));
        }
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1);
            assert!(verdict.is_err(), "{error}");
        }
    }
});
