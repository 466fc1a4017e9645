//! Solvers of party puzzles: their declarations and how they are run.

use super::{PartyInstance, building};
use crate::Party;
use crate::solvers::{
    construct::{Guidance, Sums},
    exact::{Exact, ExactConfig},
    rounds::{AnnealingConfig, ConstructConfig, PAPER, Round, Rounds, annealing, construct},
    teams::Teams,
};
pub use crate::solvers::{
    exact::INFO as EXACT,
    rounds::{ANNEAL, CONSTRUCT},
};
use unriddle_catalog::listed::{Placings, Solver};
use unriddle_core::{Info, Options, Role, SearchError, options, ranks::Alone};
use unriddle_evolve::{
    hybrid::{HybridConfig, Refresh},
    islands::{Islands, IslandsConfig, Workers},
    similarity::Similarity,
};
use unriddle_search::{layers, nrpa};

/// The hybrid genetic algorithm.
pub const BREED: Info = Info {
    guarantee: "incomplete",
    requires: "party",
    reference: PAPER,
    // 2: islands begin with similar teams, and the default of `threshold` is 0.005.
    version: 2,
    ranks: true,
    parameters: BreedConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "team-breed",
        "hybrid genetic algorithm of constructed and healed teams, on islands; a round is an epoch",
    )
};

/// Largest value of options that count candidates, teams or generations.
const MOST: usize = 1 << 20;

options! {
    /// Options of breeding.
    #[derive(Copy)]
    pub struct BreedConfig of BREED {
        islands: usize = "5" in 1..=MOST, "number of islands (1 = the paper's vanilla algorithm)";
        population: usize = "10" in 2..=MOST, "teams of an island that survive a generation";
        offspring: usize = "20" in 1..=MOST, "children of an island's generation";
        epoch: u64 = "10" in 1..=MOST as u64, "generations between migrations";
        epochs: u64 = "0" in 0..=1 << 40, "number of epochs (0 = unlimited)";
        mutation: f64 = "0.2" in 0.0..=1.0, "probability that an item is taken out of a child";
        threshold: f64 = "0.005" in 0.0..=1.0,
            "diversity below which new teams are added",
            "The diversity of a population is the standard deviation of its prices by their mean, divided by the \
             root of the number of teams less one. Populations whose prices still fall are above 0.005.";
        fresh: usize = "0" in 0..=MOST,
            "new teams added at low diversity (0 = see details)",
            "When the diversity falls below `threshold`, this number of new teams joins the \
             offspring; 0 replaces a third of the population instead.";
        adaptive: bool = "no" of ["no", "yes"], "whether mutation rises while diversity is low";
        similarity: Similarity = "cost",
            "similarity by which teams are assigned to islands",
            "`cost` compares the prices of teams, `distance` and `spectral` the traits of their items. `distance` \
             goes from each team to the nearest one, `spectral` by the second eigenvector of the graph of all \
             distances, of at most 4,096 teams. `entropy` puts teams of one nation together, and mixed ones.";
        guided: bool = "yes" of ["yes", "no"],
            "prefer items that share traits with their neighbours";
        sums: Sums = "steady",
            "pruning by a required sum",
            "`steady` keeps items at or above the mean that is still needed. `possible` keeps \
             every item whose shortfall the best remaining items could cover.";
    }
    also {
        /// Seed.
        seed: u64 = 0;
    }
}

impl BreedConfig {
    /// The configuration of the islands.
    fn islands(&self) -> IslandsConfig {
        IslandsConfig {
            islands: self.islands,
            epoch: self.epoch,
            similarity: self.similarity,
            hybrid: HybridConfig {
                population: self.population,
                offspring: self.offspring,
                mutation: self.mutation,
                threshold: self.threshold,
                refresh: match self.fresh {
                    0 => Refresh::Third,
                    fresh => Refresh::Offspring(fresh),
                },
                adaptive: self.adaptive,
            },
        }
    }
}

/// The solvers of party puzzles; two searches of score puzzles build teams node by node.
pub(super) const SOLVERS: &[Solver<PartyInstance, Placings>] = &[
    Solver {
        info: &EXACT,
        run: |instance, given, run| {
            let config = ExactConfig { seed: run.request.seed, ..ExactConfig::read(given) };
            let built = config.engine.check();
            Box::pin(run.plain(built.map(|()| Exact::new(&instance.party, None, config))))
        },
    },
    Solver {
        info: &CONSTRUCT,
        run: |instance, given, run| {
            let config = ConstructConfig { seed: run.request.seed, ..ConstructConfig::read(given) };
            Box::pin(run.plain(Ok(construct(&instance.party, config))))
        },
    },
    Solver {
        info: &ANNEAL,
        run: |instance, given, run| {
            let config = AnnealingConfig { seed: run.request.seed, ..AnnealingConfig::read(given) };
            Box::pin(run.plain(Ok(annealing(&instance.party, config))))
        },
    },
    Solver {
        info: &BREED,
        run: |instance, given, run| {
            let config = BreedConfig { seed: run.request.seed, ..BreedConfig::read(given) };
            let request = run.request;
            let workers =
                Workers { threads: request.threads, ranks: request.ranks.unwrap_or(&Alone) };
            Box::pin(run.plain(breed(&instance.party, config, workers)))
        },
    },
    Solver { info: &nrpa::INFO, run: building::solve },
    Solver { info: &layers::INFO, run: building::solve },
];

/// Breeding as a search: the first round makes the islands, every further one is an epoch.
fn breed<'a>(
    party: &'a Party,
    config: BreedConfig,
    workers: Workers<'a>,
) -> Result<Rounds<'a>, SearchError> {
    let BreedConfig { epochs, guided, sums, seed, .. } = config;
    let teams = Teams::new(party, Guidance { guided, sums });
    let config = config.islands();
    let refused = |error: unriddle_evolve::EvolveError| SearchError::BadOption(error.to_string());
    config.validate().map_err(refused)?;
    let mut islands: Option<Islands<Vec<u32>>> = None;
    let (mut done, mut effort) = (0, 0);
    let rounds = Rounds::new(move || {
        match &mut islands {
            Some(_) if epochs > 0 && done == epochs => return None,
            Some(islands) => {
                islands.epoch(&teams, workers);
                done += 1;
            }
            // The options were checked above.
            None => islands = Islands::new(&teams, config, seed, workers).ok(),
        }
        let islands = islands.as_ref()?;
        let before = std::mem::replace(&mut effort, islands.evaluations());
        let team = islands.best().map(|(cost, items)| (cost, items.clone()));
        let diversity = islands.history().last().map(|epoch| epoch.diversity);
        Some(Round { team, effort: effort - before, diversity })
    });
    Ok(match workers.ranks.size() {
        1 => rounds,
        _ => rounds.singly(),
    })
}
