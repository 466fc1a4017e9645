//! Specs as TOML: no document panics, and what is read prints as an expression that reads back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_catalog::{
    bind::expand,
    spec::{MAX_BYTES, Spec},
};
use unriddle_core::Role;
use unriddle_fuzz::INFOS;

fuzz_target!(|text: &str| {
    match Spec::from_toml(text) {
        Ok(spec) => {
            let canonical = spec.to_string();
            if canonical.len() <= MAX_BYTES {
                assert_eq!(Spec::parse(&canonical).as_ref(), Ok(&spec));
            }
            if let Ok(full) = expand(&INFOS, Role::Search, &spec) {
                assert_eq!(expand(&INFOS, Role::Search, &full), Ok(full));
            }
        }
        Err(error) => assert!(error.line() >= 1 && error.caret().ends_with('^')),
    }
});
