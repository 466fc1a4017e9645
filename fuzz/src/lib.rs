//! What the fuzz targets share: the declarations that specs are bound to, and what holds of party
//! building.

pub mod party;

use std::sync::LazyLock;
use unriddle::FAMILIES;
use unriddle_catalog::registry::expressions;
use unriddle_core::{Domain, Info, Parameter, Role};

/// No search of the registry takes a search, which a spec may hold as well as a heuristic.
const RESTART: Info = Info {
    name: "restart",
    role: Role::Search,
    version: 1,
    summary: "",
    guarantee: "",
    requires: "",
    reference: "",
    parameters: &[Parameter::named("inner", Domain::Search, "bfs", "")],
};

/// All that solver specs of the registry's puzzles may name, each name once, and [`RESTART`].
pub static INFOS: LazyLock<Vec<&'static Info>> = LazyLock::new(|| {
    let mut infos: Vec<&'static Info> = vec![&RESTART];
    for info in FAMILIES.iter().flat_map(|family| expressions(family)) {
        if infos.iter().all(|known| known.name != info.name) {
            infos.push(info);
        }
    }
    infos
});
