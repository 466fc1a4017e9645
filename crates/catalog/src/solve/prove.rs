//! Declaration of the search `prove`.

use unriddle_core::{Domain, Info, Parameter, Role};

/// Declaration of the search that proves another solver's solution.
pub(crate) const INFO: Info = Info {
    known: true,
    journal: true,
    guarantee: "as the second search; no longer than the first search's solution",
    requires: "a goal puzzle, and a search that begins with a known solution",
    reference: "Korf and Felner 2002 (the last iteration is left out where the length is known)",
    parameters: &[
        Parameter::required(
            "first",
            Domain::Search,
            "solver of the first solution, if none is known",
        ),
        Parameter::required(
            "search",
            Domain::Search,
            "search that proves it optimal, or finds a better one",
        ),
    ],
    ..Info::new(
        Role::Search,
        "prove",
        "proves that the first solver's solution is optimal, or finds a better one",
    )
};
