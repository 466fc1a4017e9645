//! A generational genetic algorithm.
//!
//! [`Ga::ask`] returns the generation to evaluate. [`Ga::tell`] accepts its fitness and breeds the
//! next generation, in the manner of genetic programming. The best few individuals are carried over
//! unchanged (elitism). Then, until the generation is full, an operator is drawn, and one or two
//! parents for it. Reproduction copies a parent, mutation copies and changes one, crossover makes
//! two children of two parents (the second child is dropped if the generation is full). Rates are
//! the rates of the *draws*: with the default rates, of 1.7 children per draw, 82 % of the children
//! are from crossover.
//!
//! The fitness may be noisy, as in coevolution, where a genome has another fitness in every
//! generation. Every individual is evaluated anew in each generation, elite and copies included;
//! breeding uses only the last generation's fitness. Beside the best fitness of the run
//! ([`Ga::best`], which under noise is also the luckiest) the best of the last generation is kept
//! ([`Ga::leader`]). Under a fitness that depends only on the genome, elitism of at least 1 never
//! loses the best, and a caller may cache values by genome.
//!
//! A generation of n individuals costs O(n log n), and the space's operators.
//!
//! References: J. H. Holland, "Adaptation in Natural and Artificial Systems" (1975); J. R. Koza,
//! "Genetic Programming" (1992), on the choice of operators; A. Elyasaf, A. Hauptman, M. Sipper,
//! "GA-FreeCell" (GECCO 2011), 3.3.2, whose rates are the defaults.

use crate::{
    checkpoint::{self, rng_text},
    config::GaConfig,
    error::{EvolveError, check_fitness, is_fitness, within},
    select::{Wheel, best_first},
    stats::Generation,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use unriddle_core::{Direction, Rng, Space};

const KIND: &str = "ga";

/// A genome and its fitness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Individual<G> {
    /// The genome.
    pub genome: G,
    /// Its reported fitness.
    pub fitness: f64,
}

/// The best individual of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Best<G> {
    /// The genome.
    pub genome: G,
    /// Its reported fitness.
    pub fitness: f64,
    /// The first generation with this fitness.
    pub generation: u64,
}

impl<G: Clone> Best<G> {
    /// Replaces the best individual so far if `self` is worse.
    pub(crate) fn improve(
        best: &mut Option<Self>,
        direction: Direction,
        genome: &G,
        fitness: f64,
        generation: u64,
    ) {
        if best.as_ref().is_none_or(|best| direction.is_better(fitness, best.fitness)) {
            *best = Some(Self { genome: genome.clone(), fitness, generation });
        }
    }
}

/// The state of a run, which a checkpoint contains.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(
        serialize = "S: Serialize, S::Genome: Serialize",
        deserialize = "S: Deserialize<'de>, S::Genome: Deserialize<'de>"
    )
)]
struct State<S: Space> {
    space: S,
    config: GaConfig,
    #[serde(with = "rng_text")]
    rng: Rng,
    /// To be evaluated.
    population: Vec<S::Genome>,
    /// The last finished generation; empty before the first.
    told: Vec<Individual<S::Genome>>,
    best: Option<Best<S::Genome>>,
    /// The finished generations.
    history: Vec<Generation>,
}

/// A genetic algorithm.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    try_from = "State<S>",
    bound(
        serialize = "S: Serialize, S::Genome: Serialize",
        deserialize = "S: Deserialize<'de>, S::Genome: Deserialize<'de>"
    )
)]
pub struct Ga<S: Space>(State<S>);

impl<S: Space> Ga<S> {
    /// A run that starts from random genomes.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`] or [`EvolveError::Space`].
    pub fn new(space: S, config: GaConfig, seed: u64) -> Result<Self, EvolveError> {
        Self::with_genomes(space, config, Rng::new(seed), Vec::new())
    }

    /// Starts a run whose first generation consists of the given genomes, followed by random ones.
    ///
    /// # Errors
    /// As [`new`](Self::new), and if a genome is outside the space or the population is too small
    /// for the genomes.
    pub fn from_genomes(
        space: S,
        config: GaConfig,
        seed: u64,
        genomes: Vec<S::Genome>,
    ) -> Result<Self, EvolveError> {
        Self::with_genomes(space, config, Rng::new(seed), genomes)
    }

    pub(crate) fn with_genomes(
        space: S,
        config: GaConfig,
        mut rng: Rng,
        mut population: Vec<S::Genome>,
    ) -> Result<Self, EvolveError> {
        config.validate()?;
        space.validate()?;
        within("ga", "genomes", &population.len(), &0, &config.population)?;
        population.iter().try_for_each(|genome| space.check(genome))?;
        while population.len() < config.population {
            population.push(space.random(&mut rng));
        }
        Ok(Self(State {
            space,
            config,
            rng,
            population,
            told: Vec::new(),
            best: None,
            history: Vec::new(),
        }))
    }

    /// The generation to evaluate. It stays the same until [`tell`](Self::tell) receives its
    /// fitness.
    #[must_use]
    pub fn ask(&self) -> &[S::Genome] {
        &self.0.population
    }

    /// Accepts the fitness of the generation, in its order, and breeds the next generation.
    ///
    /// Give a candidate without a value (an infeasible one, for example) the worst possible value.
    ///
    /// # Errors
    /// [`EvolveError::WrongCount`] or [`EvolveError::BadFitness`]; the generation still waits for
    /// its fitness.
    pub fn tell(&mut self, fitness: &[f64]) -> Result<(), EvolveError> {
        let state = &mut self.0;
        check_fitness(fitness, state.population.len())?;
        let number = state.history.len() as u64;
        state.history.push(Generation::of(
            number,
            fitness,
            state.config.direction,
            state.space.diversity(&state.population),
            state.history.last().map_or(0, |last| last.evaluations) + fitness.len() as u64,
        ));
        let order = best_first(fitness, state.config.direction);
        let next = state.breed(fitness, &order[..state.config.elite]);
        state.told = std::mem::replace(&mut state.population, next)
            .into_iter()
            .zip(fitness)
            .map(|(genome, &fitness)| Individual { genome, fitness })
            .collect();
        let leader = &state.told[order[0]];
        Best::improve(
            &mut state.best,
            state.config.direction,
            &leader.genome,
            leader.fitness,
            number,
        );
        Ok(())
    }

    /// The best individual of all generations; the first of equal individuals. `None` before the
    /// first generation is finished.
    #[must_use]
    pub fn best(&self) -> Option<&Best<S::Genome>> {
        self.0.best.as_ref()
    }

    /// The best of the last finished generation; the first of equal individuals.
    #[must_use]
    pub fn leader(&self) -> Option<&Individual<S::Genome>> {
        let direction = self.0.config.direction;
        self.0.told.iter().reduce(|best, other| {
            if direction.is_better(other.fitness, best.fitness) { other } else { best }
        })
    }

    /// The last finished generation; empty before the first.
    #[must_use]
    pub fn told(&self) -> &[Individual<S::Genome>] {
        &self.0.told
    }

    /// The number of the generation that is to be evaluated, from 0.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.0.history.len() as u64
    }

    /// The finished generations.
    #[must_use]
    pub fn history(&self) -> &[Generation] {
        &self.0.history
    }

    /// The options.
    #[must_use]
    pub fn config(&self) -> &GaConfig {
        &self.0.config
    }

    /// The space.
    #[must_use]
    pub fn space(&self) -> &S {
        &self.0.space
    }

    /// Whether a state that was read makes sense.
    fn check(&self) -> Result<(), EvolveError> {
        let state = &self.0;
        state.config.validate()?;
        state.space.validate()?;
        let size = state.config.population;
        let fitness = state.told.iter().map(|individual| individual.fitness);
        let told = state.told.iter().map(|individual| &individual.genome);
        let best = state.best.iter();
        let genomes = state.population.iter().chain(told);
        for genome in genomes.chain(best.clone().map(|best| &best.genome)) {
            state.space.check(genome)?;
        }
        let begun = !state.history.is_empty();
        let sound = state.population.len() == size
            && state.told.len() == if begun { size } else { 0 }
            && state.best.is_some() == begun
            && fitness.chain(best.map(|best| best.fitness)).all(is_fitness)
            && Generation::in_order(state.history.iter(), size);
        checkpoint::sound(sound, "its numbers of individuals or generations do not fit each other")
    }
}

impl<S> Ga<S>
where
    S: Space + Serialize + DeserializeOwned,
    S::Genome: Serialize + DeserializeOwned,
{
    /// The whole run as a text, which [`load`](Self::load) reads.
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

impl<S: Space> TryFrom<State<S>> for Ga<S> {
    type Error = EvolveError;

    fn try_from(state: State<S>) -> Result<Self, EvolveError> {
        let ga = Self(state);
        ga.check()?;
        Ok(ga)
    }
}

impl<S: Space> State<S> {
    /// The next generation: the elite, then children.
    fn breed(&mut self, fitness: &[f64], elite: &[usize]) -> Vec<S::Genome> {
        let Self { space, config, rng, population, .. } = self;
        let wheel = Wheel::new(config.selection, config.direction, fitness);
        let parent = |rng: &mut Rng| population[wheel.draw(rng)].clone();
        let mut next: Vec<S::Genome> = elite.iter().map(|&i| population[i].clone()).collect();
        while next.len() < config.population {
            // The upper limit is the sum of the rates, so that rounding gives no chance to a rate
            // of 0.
            let place = rng.unit() * config.rates();
            if place < config.reproduction {
                next.push(parent(rng));
            } else if place < config.reproduction + config.crossover {
                let (mut a, mut b) = (parent(rng), parent(rng));
                space.cross(&mut a, &mut b, rng);
                next.push(a);
                if next.len() < config.population {
                    next.push(b);
                }
            } else {
                let mut child = parent(rng);
                space.mutate(&mut child, rng);
                next.push(child);
            }
        }
        next
    }
}
