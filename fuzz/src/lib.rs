//! What the fuzz targets share: the declarations that specs are bound to, and what holds of party building.

pub mod party;

use std::sync::LazyLock;
use unriddle_catalog::registry::{PUZZLES, expressions};
use unriddle_core::{Domain, Info, Parameter, Role};

/// No search of the registry takes a search, which a spec may hold as well as a heuristic.
const RESTART: Info = Info {
    name: "restart",
    role: Role::Search,
    summary: "",
    guarantee: "",
    requires: "",
    reference: "",
    parameters: &[Parameter::named("inner", Domain::Search, "bfs", "")],
};

/// All searches and heuristics of the registry, and [`RESTART`].
pub static INFOS: LazyLock<Vec<&'static Info>> = LazyLock::new(|| {
    let mut infos = expressions(&[]);
    infos.extend(PUZZLES.iter().flat_map(|family| family.heuristics));
    infos.push(&RESTART);
    infos
});
