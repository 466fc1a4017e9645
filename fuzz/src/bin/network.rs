//! Networks: no bytes panic, and a network that is read is written and read again as the same network.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_neural::{Model, Precision};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(model) = Model::parse(bytes) {
        let write = |model: &Model| model.write(Precision::F32).expect("a network is written");
        let written = write(&model);
        let again = Model::parse(&written).expect("a network that was written is read");
        assert_eq!(write(&again), written);
    }
});
