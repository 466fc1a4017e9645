//! What the fuzz targets share: declarations with every kind of parameter, for specs to be bound to.

use unriddle_core::{Domain, Info, Parameter, Role};

const fn info(name: &'static str, role: Role, parameters: &'static [Parameter]) -> Info {
    Info {
        name,
        role,
        summary: "",
        guarantee: "",
        requires: "",
        reference: "",
        parameters,
    }
}

const MANHATTAN: Info = info("manhattan", Role::Heuristic, &[]);
const PDB: Info = info(
    "pdb",
    Role::Heuristic,
    &[Parameter::positional("partition", Domain::Text, "7-8", "")],
);
const MAX: Info = info(
    "max",
    Role::Heuristic,
    &[Parameter::variadic("h", Domain::Heuristic, "")],
);
const ASTAR: Info = info(
    "astar",
    Role::Search,
    &[Parameter::positional(
        "h",
        Domain::Heuristic,
        "manhattan",
        "",
    )],
);
const BWAS: Info = info(
    "bwas",
    Role::Search,
    &[
        Parameter::required("h", Domain::Heuristic, ""),
        Parameter::named("lambda", Domain::Real { min: 0.0, max: 1.0 }, "0.6", ""),
        Parameter::named(
            "batch",
            Domain::Integer {
                min: 1,
                max: u64::MAX,
            },
            "10k",
            "",
        ),
        Parameter::named(
            "stop",
            Domain::Choice(&["selected", "generated"]),
            "selected",
            "",
        ),
    ],
);
const RESTART: Info = info(
    "restart",
    Role::Search,
    &[Parameter::named("inner", Domain::Search, "astar", "")],
);

/// The declarations.
pub const INFOS: &[&Info] = &[&MANHATTAN, &PDB, &MAX, &ASTAR, &BWAS, &RESTART];
