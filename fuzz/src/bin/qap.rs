//! Quadratic assignment: `instance;solution`. No text panics. What is read is written as a text
//! that reads back. The two readers of instances and of solutions agree, and so do their costs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_check as check;
use unriddle_party::qap::Qap;

fuzz_target!(|text: &str| {
    let (instance, solution) = text.split_once(';').unwrap_or((text, ""));
    let qap = match Qap::parse(instance) {
        Ok(qap) => qap,
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1);
            // Numbers of a matrix up to 2^24 are read by the verifier alone: it adds costs up in
            // more bits.
            let is_large = |word: &str| word.parse::<i64>().is_ok_and(|n| n.abs() > 1 << 23);
            if !instance.split_whitespace().any(is_large) {
                assert!(check::is_goal("qap", instance).is_err(), "{error}");
            }
            return;
        }
    };
    assert_eq!(Qap::parse(&qap.text()).as_ref(), Ok(&qap));
    assert_eq!(check::is_goal("qap", instance), Ok(false));
    let verdict = check::verify("qap", instance, solution);
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
