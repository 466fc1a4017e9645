//! Conformance of the families.

use unriddle_conformance::{Violation, family};

#[test]
fn the_families_conform() -> Result<(), Violation> {
    family(&unriddle_party::FAMILY)?;
    family(&unriddle_party::qap::FAMILY)
}
