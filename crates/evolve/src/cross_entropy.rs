//! The Cross-Entropy Method for vectors of reals and whole numbers.
//!
//! The method keeps a normal distribution for each dimension, all independent.
//! [`CrossEntropy::ask`] returns samples of the distributions, and [`CrossEntropy::tell`] accepts
//! their fitness. The best few samples (the *elite*) give a new mean and a new deviation. The
//! distribution moves towards these by a share (the *smoothing*), and the next samples are drawn.
//! At the start the mean is the middle between the bounds and the deviation half their distance.
//!
//! - A sample outside the bounds is drawn again, not moved to the bound. Moving would affect a
//!   third of the first samples: one in six would be *on* each bound of each dimension. Bounds are
//!   often special values (an exploration of zero), and the elite would follow them. The mean never
//!   leaves the bounds and the deviation never exceeds half their distance, so almost half of the
//!   draws are accepted for any distribution. The price is that the samples vary less than the
//!   distribution, by 46 % at the start, so that the deviation shrinks even under a meaningless
//!   fitness; [`CrossEntropyConfig::least_deviation`] stops that.
//! - Whole numbers are samples rounded to the nearest whole number. The elite consists of the
//!   rounded numbers. Each number between the bounds, both included, has the unit interval around
//!   it. If the whole elite agrees, the deviation of the dimension is 0 and stays 0, except for the
//!   limit.
//! - The fitness may be noisy: every sample is evaluated once, and the distribution averages.
//!   [`CrossEntropy::best`] is then also the luckiest sample, and [`CrossEntropy::centre`] the
//!   better answer.
//! - With a smoothing of 0 the distribution never changes: random guessing (which Rubinstein
//!   contrasts with the method), whose answer is the best sample. An elite of all samples is not
//!   the same: it narrows the distribution.
//!
//! An iteration of n samples costs O(n log n + n · dimensions).
//!
//! References: R. Y. Rubinstein, "The Cross-Entropy Method for Combinatorial and Continuous
//! Optimization", Methodology and Computing in Applied Probability 1 (2003); G. M. J.-B. Chaslot,
//! M. H. M. Winands, I. Szita, H. J. van den Herik, "Cross-Entropy for Monte-Carlo Tree Search",
//! ICGA Journal 31 (2008), for the start; M. P. D. Schadd and others, "Single-player Monte-Carlo
//! tree search for SameGame", Knowledge-Based Systems 34 (2012), sections 5 and 6.6, whose numbers
//! are the defaults.

use crate::{
    checkpoint::{self, DirectionText, rng_text},
    config::MAX_POPULATION,
    error::{EvolveError, check_fitness, is_fitness, within},
    ga::Best,
    genome::{MAX_GENES, spread},
    select::best_first,
    stats::Generation,
};
use serde::{Deserialize, Serialize};
use unriddle_core::{Direction, Rng};

mod dimension;

pub use dimension::Dimension;

const KIND: &str = "cross-entropy";

/// Options of [`CrossEntropy`]; the defaults are from Schadd and others (6.6).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossEntropyConfig {
    /// Samples of an iteration, 1 to [`MAX_POPULATION`].
    pub samples: usize,
    /// Best samples that give the new distribution, 1 to the number of samples.
    pub elite: usize,
    /// Share of the new mean and deviation in the next distribution, 0 to 1: 1 replaces the old
    /// values, 0 never changes them (random guessing).
    pub smoothing: f64,
    /// Lower limit of a dimension's deviation, as a share of its deviation at the start, 0 (no
    /// limit) to 1.
    pub least_deviation: f64,
    /// Whether smaller or larger fitness is better.
    #[serde(with = "DirectionText")]
    pub direction: Direction,
}

impl Default for CrossEntropyConfig {
    fn default() -> Self {
        Self {
            samples: 100,
            elite: 10,
            smoothing: 1.0,
            least_deviation: 0.0,
            direction: Direction::Maximise,
        }
    }
}

impl CrossEntropyConfig {
    /// Checks the bounds.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`].
    pub fn validate(&self) -> Result<(), EvolveError> {
        let bounded = |name, value: &f64| within("cross-entropy", name, value, &0.0, &1.0);
        let counted = |name, value: &usize, most| within("cross-entropy", name, value, &1, most);
        counted("samples", &self.samples, &MAX_POPULATION)?;
        counted("elite", &self.elite, &self.samples)?;
        bounded("smoothing", &self.smoothing)?;
        bounded("least_deviation", &self.least_deviation)
    }
}

/// An iteration in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Iteration {
    /// The fitness of its samples, and how different they were.
    pub fitness: Generation,
    /// The fitness of the worst of the elite.
    pub threshold: f64,
    /// The mean of each dimension that the samples were drawn with.
    pub mean: Vec<f64>,
    /// The deviation of each dimension that the samples were drawn with.
    pub deviation: Vec<f64>,
}

/// The state of a run, as a checkpoint holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    dimensions: Vec<Dimension>,
    config: CrossEntropyConfig,
    #[serde(with = "rng_text")]
    rng: Rng,
    mean: Vec<f64>,
    deviation: Vec<f64>,
    /// To be evaluated.
    samples: Vec<Vec<f64>>,
    best: Option<Best<Vec<f64>>>,
    /// The finished iterations.
    history: Vec<Iteration>,
}

/// The Cross-Entropy Method.
///
/// ```
/// use unriddle_evolve::{CrossEntropy, CrossEntropyConfig, Dimension};
///
/// let dimensions = vec![Dimension::real(0.0, 10.0), Dimension::integer(1, 20)];
/// let mut run = CrossEntropy::new(dimensions, CrossEntropyConfig::default(), 1)?;
/// for _ in 0..20 {
///     let fitness = |x: &Vec<f64>| -(x[0] - 2.5).powi(2) - (x[1] - 7.0).powi(2);
///     let fitness: Vec<f64> = run.ask().iter().map(fitness).collect();
///     run.tell(&fitness)?;
/// }
/// assert!((run.mean()[0] - 2.5).abs() < 0.01);
/// assert_eq!(run.centre()[1], 7.0);
/// # Ok::<(), unriddle_evolve::EvolveError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "State")]
pub struct CrossEntropy(State);

impl CrossEntropy {
    /// Starts a run in the middle of the bounds.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`], or [`EvolveError::Space`] without dimensions or with invalid
    /// ones.
    pub fn new(
        dimensions: Vec<Dimension>,
        config: CrossEntropyConfig,
        seed: u64,
    ) -> Result<Self, EvolveError> {
        validate(&dimensions, &config)?;
        let mut state = State {
            mean: dimensions.iter().map(Dimension::middle).collect(),
            deviation: dimensions.iter().map(Dimension::half).collect(),
            dimensions,
            config,
            rng: Rng::new(seed),
            samples: Vec::new(),
            best: None,
            history: Vec::new(),
        };
        state.draw();
        Ok(Self(state))
    }

    /// The samples of this iteration. They stay the same until [`tell`](Self::tell) receives their
    /// fitness.
    #[must_use]
    pub fn ask(&self) -> Vec<Vec<f64>> {
        self.0.samples.clone()
    }

    /// Accepts the fitness of the samples, in their order, and draws the next samples.
    ///
    /// A sample without a value must be given the worst possible value.
    ///
    /// # Errors
    /// [`EvolveError::WrongCount`] or [`EvolveError::BadFitness`]; the samples still wait for their
    /// fitness.
    pub fn tell(&mut self, fitness: &[f64]) -> Result<(), EvolveError> {
        let state = &mut self.0;
        check_fitness(fitness, state.samples.len())?;
        let direction = state.config.direction;
        let number = state.history.len() as u64;
        let elite = &best_first(fitness, direction)[..state.config.elite];
        let (first, last) = (elite[0], elite[elite.len() - 1]);
        state.history.push(Iteration {
            fitness: Generation::of(
                number,
                fitness,
                direction,
                spread(state.dimensions.len(), &state.samples),
                (number + 1) * fitness.len() as u64,
            ),
            threshold: fitness[last],
            mean: state.mean.clone(),
            deviation: state.deviation.clone(),
        });
        Best::improve(&mut state.best, direction, &state.samples[first], fitness[first], number);
        state.update(elite);
        state.draw();
        Ok(())
    }

    /// The mean of each dimension, from which the next samples are drawn.
    #[must_use]
    pub fn mean(&self) -> &[f64] {
        &self.0.mean
    }

    /// The deviation of each dimension. The deviation of the samples is smaller near a bound and at
    /// the start.
    #[must_use]
    pub fn deviation(&self) -> &[f64] {
        &self.0.deviation
    }

    /// The mean as a sample: whole numbers where a dimension has them.
    #[must_use]
    pub fn centre(&self) -> Vec<f64> {
        let pairs = self.0.dimensions.iter().zip(&self.0.mean);
        pairs.map(|(dimension, &x)| dimension.rounded(x)).collect()
    }

    /// The best sample of all iterations; the first of equal samples. `None` before the first
    /// iteration is finished.
    #[must_use]
    pub fn best(&self) -> Option<&Best<Vec<f64>>> {
        self.0.best.as_ref()
    }

    /// The number of the iteration that is to be evaluated, from 0.
    #[must_use]
    pub fn iteration(&self) -> u64 {
        self.0.history.len() as u64
    }

    /// The finished iterations.
    #[must_use]
    pub fn history(&self) -> &[Iteration] {
        &self.0.history
    }

    /// The options.
    #[must_use]
    pub fn config(&self) -> &CrossEntropyConfig {
        &self.0.config
    }

    /// The parameters.
    #[must_use]
    pub fn dimensions(&self) -> &[Dimension] {
        &self.0.dimensions
    }

    /// The whole run as a text, which [`load`](Self::load) reads.
    ///
    /// # Errors
    /// None that is known: all that a run holds has a text.
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

impl TryFrom<State> for CrossEntropy {
    type Error = EvolveError;

    fn try_from(state: State) -> Result<Self, EvolveError> {
        state.check()?;
        Ok(Self(state))
    }
}

fn validate(dimensions: &[Dimension], config: &CrossEntropyConfig) -> Result<(), EvolveError> {
    config.validate()?;
    within("cross-entropy", "dimensions", &dimensions.len(), &1, &MAX_GENES)?;
    let mut numbered = dimensions.iter().enumerate();
    numbered.try_for_each(|(number, dimension)| dimension.validate(number))
}

impl State {
    /// Draws the samples of the next iteration.
    fn draw(&mut self) {
        let rng = &mut self.rng;
        let distribution = || self.mean.iter().zip(&self.deviation);
        self.samples = (0..self.config.samples)
            .map(|_| {
                let dimensions = self.dimensions.iter().zip(distribution());
                dimensions
                    .map(|(dimension, (&mean, &deviation))| dimension.draw(mean, deviation, rng))
                    .collect()
            })
            .collect();
    }

    /// Moves the distribution towards these samples.
    fn update(&mut self, elite: &[usize]) {
        let (n, share) = (elite.len() as f64, self.config.smoothing);
        for (i, dimension) in self.dimensions.iter().enumerate() {
            let values = || elite.iter().map(|&sample| self.samples[sample][i]);
            // Rounding may lead outside.
            let mean = (values().sum::<f64>() / n).clamp(dimension.low, dimension.high);
            let squares: f64 = values().map(|x| (x - mean) * (x - mean)).sum();
            let deviation = (squares / n).sqrt();
            let mix = |old: f64, new: f64| share * new + (1.0 - share) * old;
            let (least, most) = self.limits(dimension);
            self.mean[i] = mix(self.mean[i], mean).clamp(dimension.low, dimension.high);
            self.deviation[i] = mix(self.deviation[i], deviation).clamp(least, most);
        }
    }

    /// The smallest and the largest deviation.
    fn limits(&self, dimension: &Dimension) -> (f64, f64) {
        let most = dimension.half();
        (most * self.config.least_deviation, most)
    }

    /// Whether a state that was read makes sense.
    fn check(&self) -> Result<(), EvolveError> {
        validate(&self.dimensions, &self.config)?;
        let count = self.dimensions.len();
        let is_mean = |mean: &[f64]| {
            let mut pairs = self.dimensions.iter().zip(mean);
            mean.len() == count && pairs.all(|(dimension, &x)| dimension.holds(x))
        };
        let is_deviation = |deviation: &[f64]| {
            let mut pairs = self.dimensions.iter().zip(deviation);
            deviation.len() == count
                && pairs.all(|(dimension, x)| {
                    let (least, most) = self.limits(dimension);
                    (least..=most).contains(x)
                })
        };
        let is_sample = |sample: &Vec<f64>| {
            let mut pairs = self.dimensions.iter().zip(sample);
            is_mean(sample) && pairs.all(|(dimension, &x)| dimension.rounded(x) == x)
        };
        let is_best = |best: &Best<Vec<f64>>| is_sample(&best.genome) && is_fitness(best.fitness);
        let iterations = self.history.iter().map(|iteration| &iteration.fitness);
        let sound = is_mean(&self.mean)
            && is_deviation(&self.deviation)
            && self.samples.len() == self.config.samples
            && self.samples.iter().all(is_sample)
            && self.best.is_some() != self.history.is_empty()
            && self.best.iter().all(is_best)
            && self
                .history
                .iter()
                .all(|entry| is_mean(&entry.mean) && is_deviation(&entry.deviation))
            && Generation::in_order(iterations, self.config.samples);
        checkpoint::sound(sound, "its samples, distribution and dimensions do not fit each other")
    }
}
