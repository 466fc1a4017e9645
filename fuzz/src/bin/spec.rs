//! Specs as expressions: no text panics, what is read prints as text and as TOML that read back,
//! and an expansion expands to itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_catalog::{bind::expand, spec::Spec};
use unriddle_core::Role;
use unriddle_fuzz::INFOS;

fuzz_target!(|text: &str| {
    let spec = match Spec::parse(text) {
        Ok(spec) => spec,
        Err(error) => {
            assert!(error.column() >= 1 && error.caret().ends_with('^'));
            return;
        }
    };
    let canonical = spec.to_string();
    assert_eq!(Spec::parse(&canonical).as_ref(), Ok(&spec));
    let toml = spec.to_toml();
    let read = Spec::from_toml(&toml).unwrap_or_else(|error| panic!("{error}\n{toml}"));
    assert_eq!((read.name(), read.args().len()), (spec.name(), spec.args().len()));
    for role in [Role::Search, Role::Heuristic] {
        match expand(&INFOS, role, &spec) {
            Ok(full) => assert_eq!(expand(&INFOS, role, &full), Ok(full)),
            Err(error) => assert!(error.caret().ends_with('^')),
        }
    }
});
