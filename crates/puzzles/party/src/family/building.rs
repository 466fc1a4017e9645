//! Searches of score puzzles on the construction of teams.

use super::PartyInstance;
use crate::solvers::building::{Building, Outlook, Priced};
use crate::{Party, formation::MOST};
use unriddle_catalog::{
    bind::Bound,
    instance::{PendingSolve, Report, SolveError},
    listed::Placings,
    solver::{Runner, not_wired},
};
use unriddle_core::{Options, Search};
use unriddle_search::{
    Inner,
    layers::{Layers, LayersConfig},
    nrpa::{Nrpa, NrpaConfig},
};

/// Nodes of the formations that most puzzles have.
const SMALL: usize = 16;

/// Runs such a search. Its errors are options out of bounds.
pub(super) fn solve<'a>(
    instance: &'a PartyInstance,
    search: &'a Bound<'a>,
    run: Runner<'a, PartyInstance, Placings>,
) -> PendingSolve<'a> {
    let party = &instance.party;
    // Two sizes, because each is compiled into every search.
    if party.formation.nodes() <= SMALL {
        Box::pin(solve_of::<SMALL>(party, search, run))
    } else {
        Box::pin(solve_of::<MOST>(party, search, run))
    }
}

async fn solve_of<const N: usize>(
    party: &Party,
    search: &Bound<'_>,
    run: Runner<'_, PartyInstance, Placings>,
) -> Result<Report, SolveError> {
    let seed = run.request.seed;
    let building = &Building::<N>::new(party, seed)?;
    let outlook = &Outlook::new(party);
    let search = match search.info().name {
        "nrpa" => {
            let config = NrpaConfig { seed, ..NrpaConfig::read(search) };
            if config.tabu {
                Nrpa::selective(building, outlook, config).map(boxed)
            } else {
                Nrpa::new(building, config).map(boxed)
            }
        }
        "layers" => {
            let config = LayersConfig::read(search);
            if config.tabu {
                Layers::selective(building, outlook, outlook, config).map(boxed)
            } else {
                Layers::new(building, outlook, config).map(boxed)
            }
        }
        other => return Err(not_wired("search", other)),
    };
    run.plain(search.map(|search| Priced::new(building, search))).await
}

fn boxed<'a>(search: impl Search<Action = u16> + 'a) -> Inner<'a, u16> {
    Box::new(search)
}
