//! Records: a JSON text is refused, or is a record that is read back as itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_catalog::Record;

fuzz_target!(|text: &str| {
    let Ok(record) = serde_json::from_str::<Record>(text) else {
        return;
    };
    let written = record.json().expect("a record is JSON");
    let again: Record = serde_json::from_str(&written).expect("its own text is a record");
    // `NaN` does not occur in JSON, so that records compare.
    assert_eq!(record, again);
    let _ = (record.is_answered(), record.claim());
});
