//! Solvers of party puzzles: their declarations, and what is behind them.

use super::{PartyInstance, building};
use crate::{
    lp::Engine,
    solvers::{
        anneal::AnnealConfig,
        construct::{Guidance, Sums},
        exact::{Exact, ExactConfig},
        rounds::{AnnealingConfig, Round, Rounds, annealing, construct},
        teams::Teams,
    },
};
use unriddle_catalog::{
    bind::Bound,
    listed::{Placings, Solver},
};
use unriddle_core::{Domain, Info, Parameter, Role, Search, SearchError};
use unriddle_evolve::{
    hybrid::{HybridConfig, Refresh},
    islands::{Islands, IslandsConfig, Similarity},
};
use unriddle_search::{layers, nrpa};

const PAPER: &str =
    "Automated graph genetic algorithm based puzzle validation for faster game design, 2022";

const fn solver(
    name: &'static str,
    summary: &'static str,
    guarantee: &'static str,
    reference: &'static str,
    parameters: &'static [Parameter],
) -> Info {
    Info {
        name,
        role: Role::Search,
        version: 1,
        summary,
        guarantee,
        requires: "party",
        reference,
        parameters,
    }
}

const fn integer(name: &'static str, default: &'static str, summary: &'static str) -> Parameter {
    const ANY: Domain = Domain::Integer {
        min: 0,
        max: 1 << 40,
    };
    Parameter::named(name, ANY, default, summary)
}

const fn count(
    name: &'static str,
    min: u64,
    default: &'static str,
    summary: &'static str,
) -> Parameter {
    Parameter::named(
        name,
        Domain::Integer { min, max: 1 << 20 },
        default,
        summary,
    )
}

const fn share(name: &'static str, default: &'static str, summary: &'static str) -> Parameter {
    Parameter::named(name, Domain::Real { min: 0.0, max: 1.0 }, default, summary)
}

const fn temperature(
    name: &'static str,
    default: &'static str,
    summary: &'static str,
) -> Parameter {
    const ANY: Domain = Domain::Real {
        min: 0.0001,
        max: 1000.0,
    };
    Parameter::named(name, ANY, default, summary)
}

const fn choice(
    name: &'static str,
    words: &'static [&'static str],
    summary: &'static str,
) -> Parameter {
    Parameter::named(name, Domain::Choice(words), words[0], summary)
}

const YES: &[&str] = &["yes", "no"];
const NO: &[&str] = &["no", "yes"];

const GUIDED: Parameter = choice(
    "guided",
    YES,
    "whether items are chosen for what they share with their neighbours",
);
const SUMS: Parameter = choice(
    "sums",
    &["steady", "possible"],
    "which items a sum leaves: those with the mean that is missing, or all that the best could make up for",
);

/// Branch and bound.
pub const EXACT: Info = solver(
    "team-exact",
    "branch and bound over counts of trait values, with annealing among what the bounds leave",
    "optimal, or a proof that there is no team",
    "",
    &[
        integer("attempts", "100", "attempts at constructing a first team"),
        integer("moves", "500000", "moves of an annealing; 0: no annealing"),
        integer("anneals", "2", "annealings at the start"),
        integer(
            "every",
            "16",
            "regions before the next annealing; a quarter more for each one after",
        ),
        choice(
            "lp",
            &["own", "highs"],
            "what solves the linear programs; HiGHS only if the feature `highs` is built in",
        ),
    ],
);

/// Algorithm 1.
pub const CONSTRUCT: Info = solver(
    "team-construct",
    "constructive randomised search with filtering and forward checking; a round is an attempt",
    "incomplete",
    PAPER,
    &[
        GUIDED,
        SUMS,
        integer("teams", "1", "teams to find; 0: without end"),
        integer("attempts", "0", "attempts; 0: without end"),
    ],
);

/// Annealing.
pub const ANNEAL: Info = solver(
    "team-anneal",
    "simulated annealing with penalties that find their own scale; a round is an annealing",
    "incomplete",
    "Glover 1989, Tabu search part I, ORSA Journal on Computing 1 (strategic oscillation)",
    &[
        choice(
            "bounds",
            YES,
            "whether items that cost too much by the bound of the whole puzzle are left out",
        ),
        integer("moves", "500000", "moves of an annealing"),
        integer("runs", "0", "annealings; 0: without end"),
        integer("attempts", "200", "attempts at constructing a start"),
        temperature("hot", "0.5", "first temperature, in spreads of the price"),
        temperature("cold", "0.02", "last temperature"),
    ],
);

/// The hybrid genetic algorithm.
pub const BREED: Info = solver(
    "team-breed",
    "hybrid genetic algorithm of constructed and healed teams, on islands; a round is an epoch",
    "incomplete",
    PAPER,
    &[
        count(
            "islands",
            1,
            "5",
            "islands; 1: the paper's vanilla algorithm",
        ),
        count("population", 2, "10", "teams of an island that live on"),
        count("offspring", 1, "20", "children of an island's generation"),
        count("epoch", 1, "10", "generations between migrations"),
        integer("epochs", "0", "epochs; 0: without end"),
        share(
            "mutation",
            "0.2",
            "probability that an item is taken out of a child",
        ),
        share(
            "threshold",
            "0.02",
            "diversity below which new teams come in",
        ),
        count(
            "fresh",
            0,
            "0",
            "how many then come in with the offspring; 0: a third of the population is replaced",
        ),
        choice(
            "adaptive",
            NO,
            "whether mutation rises while diversity is low",
        ),
        choice(
            "similarity",
            &["cost", "distance"],
            "by what teams are sorted onto islands: their prices, or the traits of their items",
        ),
        GUIDED,
        SUMS,
    ],
);

/// The options of [`EXACT`].
///
/// # Errors
///
/// If the solver of linear programs is not built in.
pub fn exact_config(bound: &Bound<'_>, seed: u64) -> Result<ExactConfig, SearchError> {
    let lp = bound.choice("lp");
    let missing = || {
        SearchError::BadOption(format!(
            "lp={lp} is not built in: build with the feature `{lp}` (cargo build --release --features {lp})"
        ))
    };
    Ok(ExactConfig {
        engine: Engine::named(lp).ok_or_else(missing)?,
        attempts: bound.integer("attempts"),
        moves: bound.integer("moves"),
        anneals: bound.integer("anneals").min(u64::from(u32::MAX)) as u32,
        every: bound.integer("every"),
        seed,
    })
}

/// How teams are constructed.
#[must_use]
pub fn guidance(bound: &Bound<'_>) -> Guidance {
    Guidance {
        guided: bound.choice("guided") == "yes",
        sums: match bound.choice("sums") {
            "possible" => Sums::Possible,
            _ => Sums::Steady,
        },
    }
}

/// The options of [`ANNEAL`].
#[must_use]
pub fn annealing_config(bound: &Bound<'_>, seed: u64) -> AnnealingConfig {
    AnnealingConfig {
        anneal: AnnealConfig {
            moves: bound.integer("moves"),
            hot: bound.real("hot"),
            cold: bound.real("cold"),
            seed,
        },
        runs: bound.integer("runs"),
        attempts: bound.integer("attempts"),
        bounds: bound.choice("bounds") == "yes",
    }
}

/// The options of [`BREED`].
#[must_use]
pub fn islands_config(bound: &Bound<'_>) -> IslandsConfig {
    let size = |name| bound.integer(name) as usize;
    IslandsConfig {
        islands: size("islands"),
        epoch: bound.integer("epoch"),
        similarity: match bound.choice("similarity") {
            "distance" => Similarity::Distance,
            _ => Similarity::Cost,
        },
        hybrid: HybridConfig {
            population: size("population"),
            offspring: size("offspring"),
            mutation: bound.real("mutation"),
            threshold: bound.real("threshold"),
            refresh: match size("fresh") {
                0 => Refresh::Third,
                fresh => Refresh::Offspring(fresh),
            },
            adaptive: bound.choice("adaptive") == "yes",
        },
    }
}

/// What a party puzzle is solved by; two searches of score puzzles build teams node by node.
pub(super) const SOLVERS: &[Solver<PartyInstance, Placings>] = &[
    Solver {
        info: &EXACT,
        run: |instance, given, run| {
            let config = exact_config(given, run.request.seed);
            run.plain(config.map(|config| Exact::new(&instance.party, None, config)))
        },
    },
    Solver {
        info: &CONSTRUCT,
        run: |instance, given, run| {
            let (teams, attempts) = (given.integer("teams"), given.integer("attempts"));
            let (guidance, seed) = (guidance(given), run.request.seed);
            run.plain(Ok(construct(
                &instance.party,
                guidance,
                teams,
                attempts,
                seed,
            )))
        },
    },
    Solver {
        info: &ANNEAL,
        run: |instance, given, run| {
            let config = annealing_config(given, run.request.seed);
            run.plain(Ok(annealing(&instance.party, config)))
        },
    },
    Solver {
        info: &BREED,
        run: |instance, given, run| {
            let teams = Teams::new(&instance.party, guidance(given));
            let epochs = given.integer("epochs");
            let (seed, threads) = (run.request.seed, run.request.threads);
            run.plain(breed(teams, islands_config(given), epochs, seed, threads))
        },
    },
    Solver {
        info: &nrpa::INFO,
        run: building::solve,
    },
    Solver {
        info: &layers::INFO,
        run: building::solve,
    },
];

/// Breeding as a search: the first round makes the islands, every further one is an epoch.
fn breed(
    teams: Teams<'_>,
    config: IslandsConfig,
    epochs: u64,
    seed: u64,
    threads: usize,
) -> Result<impl Search<Action = u32>, SearchError> {
    let refused = |error: unriddle_evolve::EvolveError| SearchError::BadOption(error.to_string());
    config.validate().map_err(refused)?;
    let mut islands: Option<Islands<Vec<u32>>> = None;
    let (mut done, mut effort) = (0, 0);
    Ok(Rounds::new(move || {
        match &mut islands {
            Some(_) if epochs > 0 && done == epochs => return None,
            Some(islands) => {
                islands.epoch(&teams, threads);
                done += 1;
            }
            // The options were looked at above.
            None => islands = Islands::new(&teams, config, seed, threads).ok(),
        }
        let islands = islands.as_ref()?;
        let before = std::mem::replace(&mut effort, islands.evaluations());
        let best = islands.best();
        Some(Round {
            team: best.map(|(cost, items)| (cost, items.clone())),
            effort: effort - before,
        })
    }))
}
