//! Searches of score puzzles on the construction of teams.

use super::PartyInstance;
use crate::solvers::building::{Building, Outlook, Priced};
use crate::{Party, formation::MOST};
use unriddle_catalog::{
    bind::Bound,
    instance::{Report, SolveError},
    listed::Placings,
    solver::{Runner, not_wired},
};
use unriddle_core::Options;
use unriddle_search::{layers, nrpa};

/// Nodes of the formations that most puzzles have.
const SMALL: usize = 16;

/// Runs such a search.
///
/// # Errors
/// An option out of bounds.
pub(super) fn solve<'a>(
    instance: &'a PartyInstance,
    search: &Bound<'_>,
    run: Runner<'a, '_, PartyInstance, Placings>,
) -> Result<Report, SolveError> {
    let party = &instance.party;
    // Two sizes, because each is compiled into every search.
    if party.formation.nodes() <= SMALL {
        solve_of::<SMALL>(party, search, run)
    } else {
        solve_of::<MOST>(party, search, run)
    }
}

fn solve_of<const N: usize>(
    party: &Party,
    search: &Bound<'_>,
    run: Runner<'_, '_, PartyInstance, Placings>,
) -> Result<Report, SolveError> {
    let seed = run.request.seed;
    let building = Building::<N>::new(party, seed)?;
    let outlook = Outlook::new(party);
    let building = &building;
    match search.info().name {
        "nrpa" => {
            let config = nrpa::NrpaConfig { seed, ..nrpa::NrpaConfig::read(search) };
            if !config.tabu {
                let search = nrpa::Nrpa::new(building, config);
                return run.plain(search.map(|search| Priced::new(building, search)));
            }
            let search = nrpa::Nrpa::selective(building, &outlook, config);
            run.plain(search.map(|search| Priced::new(building, search)))
        }
        "layers" => {
            let config = layers::LayersConfig::read(search);
            if !config.tabu {
                let search = layers::Layers::new(building, &outlook, config);
                return run.plain(search.map(|search| Priced::new(building, search)));
            }
            let search = layers::Layers::selective(building, &outlook, &outlook, config);
            run.plain(search.map(|search| Priced::new(building, search)))
        }
        other => Err(not_wired("search", other)),
    }
}
