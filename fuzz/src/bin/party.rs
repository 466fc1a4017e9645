//! Party building: `document;team`. No text panics; a document that is read stands in one that
//! reads back; the two readers of documents and of teams agree, and so do prices and requirements.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_check as check;
use unriddle_fuzz::party::{hold, sound};
use unriddle_party::document::document;

fuzz_target!(|text: &str| {
    // The last semicolon: names may have others.
    let (text, team) = text.rsplit_once(';').unwrap_or((text, ""));
    match document(text, None) {
        Ok(read) => hold(&read, team),
        Err(errors) => {
            sound(&errors);
            // The reader refuses what no double can hold; the verifier does so only where it is
            // asked for. A few texts among numbers, and another name of the price, are nothing to
            // the verifier.
            let is_own = |reason: &str| {
                reason == "number out of range" || reason.contains("list it in `traits`")
            };
            let is_renamed = text.contains("price_column");
            if !is_renamed && !errors.iter().any(|error| is_own(&error.reason)) {
                assert!(check::is_goal("party", text).is_err(), "{errors:?}");
            }
        }
    }
});
