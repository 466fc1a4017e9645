//! FreeCell of several sizes.

use crate::{Sample, conformance};
use unriddle_catalog::{Spec, bind::bind};
use unriddle_core::Rng;
use unriddle_freecell::{
    FreeCell, INFO, Rules, family::rules as rules_of, generate::uniform, parse::parse,
};

/// The rules of a spec.
fn rules(spec: &str) -> Rules {
    let (family, _) = unriddle::registry().puzzle(spec).unwrap();
    assert_eq!(family.info.name, INFO.name);
    let spec = Spec::parse(spec).unwrap();
    rules_of(&bind(&INFO, &spec).unwrap())
}

fn sample(specs: &'static [&'static str]) -> Sample<FreeCell> {
    let rng = &mut Rng::new(7);
    Sample {
        instances: specs
            .iter()
            .map(|&spec| (spec, uniform(&rules(spec), rng).text()))
            .collect(),
        read: |spec, text| {
            let rules = rules(spec);
            FreeCell::new(rules, parse(text, &rules).unwrap())
        },
    }
}

conformance!(table: sample(&[
    "freecell",
    "freecell(cells=8, columns=10)",
    "freecell(moves=single)",
    "freecell(cells=2, columns=5, ranks=5)",
    "freecell(cells=0, columns=9, ranks=6)",
    "freecell(cells=1, columns=4, ranks=3)",
    "freecell(cells=1, columns=4, ranks=3, moves=single)",
]), [], {});
