//! Networks: no bytes panic, and a network that is read says what it is.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_neural::Model;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(model) = Model::parse(bytes) {
        // The same bytes are the same network.
        assert!(Model::parse(bytes).is_ok_and(|again| again.purpose() == model.purpose()));
    }
});
