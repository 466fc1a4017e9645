//! Coevolution of solvers and sets of instances (Hillis), and its plain relative: random instances.
//!
//! Solvers are the individuals of one [`Ga`]. In every generation each solver is run on instances
//! of a training set. Its fitness is its average [score](crate::score) against a baseline. There
//! are two ways of choosing the instances:
//! - [`Opponents::Evolving`]: a second [`Ga`] has sets of instances as individuals. Every solver
//!   is run on a few of the sets, drawn anew for each solver and generation. The fitness of a set
//!   is the effort that it costs its solvers. Sets are bred every few generations of the solvers.
//!   As solvers master some instances, sets of other instances replace them. With one instance per
//!   set this is Hillis's host and parasite in its simplest form.
//! - [`Opponents::Random`]: all solvers are run on the same random instances, drawn anew for each
//!   generation or once for all.
//!
//! The caller runs the [jobs](Plan::jobs) of [`Coevolution::ask`], in any order and on any number
//! of threads, and returns the results in the order of the jobs. All draws come from streams of the
//! seed (one for the solvers, one for the sets, one for the pairs of both). No draw depends on
//! time.
//!
//! The fitness of a set is the average effort of its instances, over the solvers that were run on
//! it since the sets were last bred, divided by the baseline's average effort over the same
//! instances. An unsolved instance counts as the penalty effort, on either side. (The paper's text
//! can also be read as charging the penalty only if *no* solver solves an instance, which leaves
//! open the effort of a solver that fails while another succeeds.) A set without solvers gets the
//! mean fitness of the other sets: chance neither favours nor removes it.
//!
//! References: W. D. Hillis, "Co-evolving parasites improve simulated evolution as an optimization
//! procedure", Physica D 42 (1990); A. Elyasaf, A. Hauptman, M. Sipper, "GA-FreeCell" (GECCO 2011),
//! 3.3.4 and 3.3.5, whose numbers are the defaults.

use crate::{
    checkpoint,
    config::GaConfig,
    error::{EvolveError, MIN_BASELINE, within},
    ga::Ga,
    genome::Indices,
    plan::{Plan, Schedule},
    score::{Scoring, Trial},
    variation::Variation,
};
use serde::{Deserialize, Serialize, Serializer, de::DeserializeOwned};
use unriddle_core::{Direction, Rng, Space};

mod state;

use state::{Meetings, State};

/// Largest population of solvers and of sets.
pub const MAX_SIDE: usize = 10_000;
/// Most instances of a solver in a generation.
pub const MAX_TRIALS: usize = 1 << 20;

const KIND: &str = "coevolution";

/// Options of the sets of instances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetConfig {
    /// Genetic algorithm of the sets, with a population of 2 to [`MAX_SIDE`]; the direction is to
    /// maximise.
    pub ga: GaConfig,
    /// Variation of a set.
    pub variation: Variation,
    /// Instances of a set, at least 1. An instance that a set has twice counts twice.
    pub instances: usize,
    /// Sets per solver and generation, 1 to the population of sets.
    pub met: usize,
    /// Generations of the solvers for one of the sets, at least 1.
    pub every: u64,
}

impl Default for SetConfig {
    fn default() -> Self {
        Self {
            ga: GaConfig::default(),
            variation: Variation::default(),
            instances: 6,
            met: 2,
            every: 5,
        }
    }
}

/// The instances on which solvers are run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opponents {
    /// Sets that evolve.
    Evolving(SetConfig),
    /// The same random instances for all solvers, all different.
    Random {
        /// Number of instances, 1 to the size of the training set.
        instances: usize,
        /// Whether they are drawn anew for each generation.
        redraw: bool,
    },
}

impl Default for Opponents {
    fn default() -> Self {
        Self::Evolving(SetConfig::default())
    }
}

/// Options of [`Coevolution`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoevolutionConfig {
    /// Genetic algorithm of the solvers, with a population of 2 to [`MAX_SIDE`]; the direction is
    /// to maximise.
    pub solvers: GaConfig,
    /// The instances on which solvers are run.
    pub opponents: Opponents,
    /// Scoring of the trials.
    pub scoring: Scoring,
}

impl CoevolutionConfig {
    /// Checks the bounds, for a training set of this size.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`] or [`EvolveError::Space`].
    pub fn validate(&self, training: usize) -> Result<(), EvolveError> {
        within("coevolution", "training set", &training, &1, &(1 << 31))?;
        check_side("coevolution: solvers", &self.solvers)?;
        self.scoring.validate()?;
        match self.opponents {
            Opponents::Evolving(sets) => {
                check_side("coevolution: sets", &sets.ga)?;
                sets.variation.validate()?;
                within("coevolution", "instances", &sets.instances, &1, &MAX_TRIALS)?;
                within("coevolution", "met", &sets.met, &1, &sets.ga.population)?;
                let dealt = sets.met.saturating_mul(sets.instances);
                within("coevolution", "instances met", &dealt, &1, &MAX_TRIALS)?;
                within("coevolution", "every", &sets.every, &1, &u64::MAX)
            }
            Opponents::Random { instances, .. } => {
                within("coevolution", "instances", &instances, &1, &training)?;
                within("coevolution", "instances", &instances, &1, &MAX_TRIALS)
            }
        }
    }
}

fn check_side(name: &str, ga: &GaConfig) -> Result<(), EvolveError> {
    ga.validate()?;
    within(name, "population", &ga.population, &2, &MAX_SIDE)?;
    if ga.direction == Direction::Maximise {
        return Ok(());
    }
    Err(EvolveError::BadOption(format!("{name}: the direction must be to maximise")))
}

/// The sums over the trials of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Trials that were dealt: instances of all solvers, shared ones counted for each who shares
    /// them.
    pub trials: u64,
    /// Number of solved trials.
    pub solved: u64,
    /// Jobs that were run for them.
    pub jobs: u64,
}

/// Solvers against instances.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    try_from = "State<S>",
    bound(deserialize = "S: Deserialize<'de>, S::Genome: Deserialize<'de>")
)]
pub struct Coevolution<S: Space> {
    state: State<S>,
    /// Follows from the state.
    schedule: Schedule,
}

impl<S: Space> Coevolution<S> {
    /// Starts a run from random solvers. `baseline` contains the trial of the baseline on each
    /// instance of the training set; jobs refer to instances by their index in it.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`], [`EvolveError::Space`] or, for the baseline,
    /// [`EvolveError::BadEffort`].
    pub fn new(
        space: S,
        config: CoevolutionConfig,
        baseline: &[Trial],
        seed: u64,
    ) -> Result<Self, EvolveError> {
        config.validate(baseline.len())?;
        for (index, trial) in baseline.iter().enumerate() {
            trial.check("baseline instance", index, MIN_BASELINE)?;
        }
        let solvers = Ga::with_genomes(space, config.solvers, Rng::stream(seed, 0), Vec::new())?;
        let mut rng = Rng::stream(seed, 2);
        let meetings = Meetings::new(&config, baseline.len(), Rng::stream(seed, 1), &mut rng)?;
        let state = State {
            config,
            baseline: baseline.iter().map(|&t| config.scoring.effort(t)).collect(),
            rng,
            solvers,
            meetings,
            rounds: Vec::new(),
        };
        Ok(Self { schedule: state.schedule(), state })
    }

    /// The jobs of this generation. They stay the same until [`tell`](Self::tell) receives their
    /// results.
    #[must_use]
    pub fn ask(&self) -> Plan<'_, S::Genome> {
        Plan { solvers: self.state.solvers.ask(), jobs: &self.schedule.jobs }
    }

    /// Accepts the results of the jobs, in their order. Breeds the next generation of solvers and,
    /// if it is their turn, of sets.
    ///
    /// # Errors
    /// [`EvolveError::WrongCount`] or [`EvolveError::BadEffort`]; the generation still waits for
    /// its results.
    pub fn tell(&mut self, trials: &[Trial]) -> Result<(), EvolveError> {
        if trials.len() != self.schedule.jobs.len() {
            return Err(EvolveError::WrongCount {
                what: "jobs",
                expected: self.schedule.jobs.len(),
                found: trials.len(),
            });
        }
        for (index, trial) in trials.iter().enumerate() {
            trial.check("job", index, 0.0)?;
        }
        self.state.tell(&self.schedule, trials)?;
        self.schedule = self.state.schedule();
        Ok(())
    }

    /// The solvers with their best individual and their history. Results belong to this run, not to
    /// the returned optimiser.
    #[must_use]
    pub fn solvers(&self) -> &Ga<S> {
        &self.state.solvers
    }

    /// The sets of instances, if they evolve.
    #[must_use]
    pub fn sets(&self) -> Option<&Ga<Indices>> {
        match &self.state.meetings {
            Meetings::Evolving { sets, .. } => Some(sets),
            Meetings::Random(_) => None,
        }
    }

    /// The sums over the trials of each finished generation.
    #[must_use]
    pub fn rounds(&self) -> &[Round] {
        &self.state.rounds
    }

    /// The effort of the baseline on each instance, the penalty where it did not solve.
    #[must_use]
    pub fn baseline(&self) -> &[f64] {
        &self.state.baseline
    }

    /// The options.
    #[must_use]
    pub fn config(&self) -> &CoevolutionConfig {
        &self.state.config
    }
}

impl<S> Coevolution<S>
where
    S: Space + Serialize + DeserializeOwned,
    S::Genome: Serialize + DeserializeOwned,
{
    /// The whole run as a text, which [`load`](Self::load) reads. Which instances the training set
    /// holds is not in it.
    ///
    /// # Errors
    /// [`CheckpointError::Unwritable`](crate::CheckpointError::Unwritable), for a space or genome
    /// that has no text.
    pub fn save(&self) -> Result<String, EvolveError> {
        Ok(checkpoint::save(KIND, self)?)
    }

    /// Restores a run that continues exactly like the saved run.
    ///
    /// # Errors
    /// [`EvolveError::Checkpoint`]: another kind, newer, or damaged.
    pub fn load(text: &str) -> Result<Self, EvolveError> {
        Ok(checkpoint::load(KIND, text)?)
    }
}

impl<S> Serialize for Coevolution<S>
where
    S: Space + Serialize,
    S::Genome: Serialize,
{
    fn serialize<T: Serializer>(&self, to: T) -> Result<T::Ok, T::Error> {
        self.state.serialize(to)
    }
}

impl<S: Space> TryFrom<State<S>> for Coevolution<S> {
    type Error = EvolveError;

    fn try_from(state: State<S>) -> Result<Self, EvolveError> {
        state.check()?;
        Ok(Self { schedule: state.schedule(), state })
    }
}
