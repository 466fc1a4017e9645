//! The separable Covariance Matrix Adaptation Evolution Strategy (sep-CMA-ES) for vectors of reals:
//! weights of heuristics of any scale, with a noisy fitness.
//!
//! The method keeps a normal distribution with an independent variance for each dimension and a
//! global step. [`CmaEs::ask`] returns candidates of the distribution, and [`CmaEs::tell`] accepts
//! their fitness. Only the order of the candidates matters, not the values. A generation has these
//! steps (`d_i` is the deviation of dimension `i` at the start):
//!
//! 1. The candidates are `x_i = m_i + σ d_i √c_i z_i`, with `z_i` from the standard normal
//!    distribution.
//! 2. The mean `m` becomes the weighted mean of the best candidates (the *parents*).
//! 3. The path of the step accumulates the moves of the mean in units of the distribution. The step
//!    `σ` grows if the path is longer than a path of random moves, and shrinks if it is shorter
//!    (cumulative step-size adaptation).
//! 4. The variances `c` move towards the square of a path of the moves (rank one) and towards the
//!    weighted squares of the parents' deviations (rank μ). A diagonal has fewer parameters than a
//!    whole matrix, so the learning rate is greater by the factor `(n + 2)/3`.
//!
//! The mean and the deviations at the start are the caller's guess; the step is 1 at the start.
//!
//! - *Noise.* The fitness may be noisy, but the noise must be new in each generation. The caller
//!   evaluates all candidates of a generation on the same instances, and each generation on fresh
//!   instances. Common instances make the differences between candidates less noisy. Fresh
//!   instances prevent that the run fits its weights to a small set. Pure noise shrinks the
//!   variances slowly, so a long run without progress narrows its distribution.
//! - *Answer.* [`CmaEs::centre`] is the average of the last means. It is the answer under noise,
//!   because the mean itself fluctuates around the optimum. [`CmaEs::best`] is then also the
//!   luckiest candidate.
//! - *Mirrored pairs.* With [`CmaEsConfig::mirrored`] each draw `z` gives the two candidates of `z`
//!   and `-z`. They are equally far from the mean, so the difference of their fitness shows a
//!   direction. If both are parents, their moves cancel. The paths are scaled for that, so that a
//!   meaningless fitness neither shrinks nor widens the step. Selecting at most one candidate of a
//!   pair also avoids the bias. The lengths of the draws then hardly affect the selection, and with
//!   many parents in few dimensions the step grows at the optimum.
//! - *Bounds.* Weights are unbounded, unless [`CmaEs::with_bounds`] gives them bounds: a value
//!   outside is then moved to the bound, and the distribution adapts to the moved values, so that
//!   its mean stays within the bounds. Without bounds the mean stays within ±[`MAX_MEAN`], and the
//!   step and the variances stay within their limits, so that all values are finite. A fitness that
//!   only depends on the ratios of the weights needs bounds, or their scale drifts.
//!
//! A generation of λ candidates costs O(λ log λ + λ · dimensions). A run keeps the mean of every
//! generation.
//!
//! References: R. Ros, N. Hansen, "A Simple Modification in CMA-ES Achieving Linear Time and Space
//! Complexity", Parallel Problem Solving from Nature X (2008), for the algorithm and its constants;
//! A. Auger, D. Brockhoff, N. Hansen, "Mirrored Sampling in Evolution Strategies with Weighted
//! Recombination", GECCO 2011, for mirrored pairs and the bias of their cancelling moves.

use crate::{
    checkpoint::{self, rng_text},
    error::{EvolveError, check_fitness, is_fitness, within},
    ga::Best,
    genome::{MAX_GENES, spread},
    normal::{LARGEST, normal},
    select::best_first,
    stats::Generation,
};
use rates::Rates;
use serde::{Deserialize, Serialize};
use unriddle_core::{Rng, SpaceError};

mod config;
mod rates;

pub use config::{CmaEsConfig, Recombination};

const KIND: &str = "cma-es";

/// Largest absolute value of a mean.
pub const MAX_MEAN: f64 = 1e100;
/// Smallest deviation of a dimension at the start; the largest one is [`MAX_MEAN`].
pub const MIN_DEVIATION: f64 = 1e-100;
/// Upper limit of the step and of a variance, both relative to the start. The inverse is the lower
/// limit.
const MAX_FACTOR: f64 = 1e30;
/// Upper limit of a path's absolute value in a checkpoint. No run reaches it.
const MAX_PATH: f64 = 1e30;
/// The path of the shape pauses while the path of the step exceeds `(1.4 + 2/(n + 1)) χ_n`: the
/// step is then too small, and the variances would grow instead.
const PAUSE: f64 = 1.4;

/// A generation in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CmaEsGeneration {
    /// The fitness of its candidates, and how different they were.
    pub fitness: Generation,
    /// The mean of each dimension that the candidates were drawn with.
    pub mean: Vec<f64>,
    /// The deviation of each dimension that the candidates were drawn with, the step included.
    pub deviation: Vec<f64>,
    /// The global step that the candidates were drawn with.
    pub step: f64,
}

/// The state of a run, as a checkpoint holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    config: CmaEsConfig,
    /// The deviation of each dimension at the start: the unit of its variance.
    scale: Vec<f64>,
    #[serde(with = "rng_text")]
    rng: Rng,
    mean: Vec<f64>,
    step: f64,
    /// The variance of each dimension in units of the squared scale.
    variance: Vec<f64>,
    /// `p_σ`.
    step_path: Vec<f64>,
    /// `p_c` in units of the scale.
    shape_path: Vec<f64>,
    /// The standard normal vectors of the candidates to be evaluated; one for each mirrored pair.
    draws: Vec<Vec<f64>>,
    best: Option<Best<Vec<f64>>>,
    /// The finished generations.
    history: Vec<CmaEsGeneration>,
    /// The least and the largest value of each dimension, if they have bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bounds: Option<Vec<(f64, f64)>>,
}

/// The separable CMA-ES.
///
/// ```
/// use unriddle_evolve::{CmaEs, CmaEsConfig};
///
/// // Two weights of different scale: guesses, and deviations of the guesses.
/// let config = CmaEsConfig::for_dimensions(2);
/// let mut run = CmaEs::new(vec![0.0, 500.0], vec![1.0, 100.0], config, 1)?;
/// for _ in 0..100 {
///     let fitness = |x: &Vec<f64>| -(x[0] - 2.5).powi(2) - ((x[1] - 720.0) / 100.0).powi(2);
///     let fitness: Vec<f64> = run.ask().iter().map(fitness).collect();
///     run.tell(&fitness)?;
/// }
/// assert!((run.centre()[0] - 2.5).abs() < 0.01);
/// assert!((run.centre()[1] - 720.0).abs() < 1.0);
/// # Ok::<(), unriddle_evolve::EvolveError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "State")]
pub struct CmaEs(State);

impl CmaEs {
    /// Starts a run at a mean, with a deviation for each dimension in the units of the dimension. A
    /// good deviation is a third of the range in which the optimum is expected.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`], or [`EvolveError::Space`] if the lengths differ, a mean is not
    /// within ±[`MAX_MEAN`], or a deviation not between [`MIN_DEVIATION`] and [`MAX_MEAN`].
    pub fn new(
        mean: Vec<f64>,
        deviation: Vec<f64>,
        config: CmaEsConfig,
        seed: u64,
    ) -> Result<Self, EvolveError> {
        validate(&mean, &deviation, &config)?;
        let n = mean.len();
        let mut state = State {
            config,
            scale: deviation,
            rng: Rng::new(seed),
            mean,
            step: 1.0,
            variance: vec![1.0; n],
            step_path: vec![0.0; n],
            shape_path: vec![0.0; n],
            draws: Vec::new(),
            best: None,
            history: Vec::new(),
            bounds: None,
        };
        state.draw();
        Ok(Self(state))
    }

    /// The same run with a least and a largest value for each dimension. Call it before the first
    /// generation.
    ///
    /// # Errors
    /// [`EvolveError::Space`] if there is not a pair of bounds for each dimension, or a mean is not
    /// within its bounds.
    pub fn with_bounds(mut self, bounds: Vec<(f64, f64)>) -> Result<Self, EvolveError> {
        let (found, expected) = (bounds.len(), self.0.mean.len());
        if found != expected {
            let what = format!("found {found} pairs of bounds, but expected {expected}");
            return Err(SpaceError(what).into());
        }
        let mut pairs = self.0.mean.iter().zip(&bounds).enumerate();
        if let Some((i, (x, (low, high)))) = pairs.find(|(_, (x, pair))| !is_within(**x, **pair)) {
            let what = format!("the mean {i} is {x:?}, but its bounds are {low:?} and {high:?}");
            return Err(SpaceError(what).into());
        }
        self.0.bounds = Some(bounds);
        Ok(self)
    }

    /// The candidates of this generation. They stay the same until [`tell`](Self::tell) receives
    /// their fitness. A mirrored pair has neighbouring indices, `2k` and `2k + 1`.
    #[must_use]
    pub fn ask(&self) -> Vec<Vec<f64>> {
        self.0.candidates()
    }

    /// Accepts the fitness of the candidates, in their order, and draws the next candidates.
    ///
    /// A candidate without a value must be given the worst possible value.
    ///
    /// # Errors
    /// [`EvolveError::WrongCount`] or [`EvolveError::BadFitness`]; the candidates still wait for
    /// their fitness.
    pub fn tell(&mut self, fitness: &[f64]) -> Result<(), EvolveError> {
        let state = &mut self.0;
        check_fitness(fitness, state.config.candidates)?;
        let direction = state.config.direction;
        let number = state.history.len() as u64;
        let candidates = state.candidates();
        let order = best_first(fitness, direction);
        let first = order[0];
        state.history.push(CmaEsGeneration {
            fitness: Generation::of(
                number,
                fitness,
                direction,
                spread(state.mean.len(), &candidates),
                (number + 1) * fitness.len() as u64,
            ),
            mean: state.mean.clone(),
            deviation: state.deviation(),
            step: state.step,
        });
        Best::improve(&mut state.best, direction, &candidates[first], fitness[first], number);
        let parents = state.config.parents;
        state.update(&order[..parents]);
        state.draw();
        Ok(())
    }

    /// The mean of each dimension, from which the next candidates are drawn.
    #[must_use]
    pub fn mean(&self) -> &[f64] {
        &self.0.mean
    }

    /// The deviation of each dimension, the step included.
    #[must_use]
    pub fn deviation(&self) -> Vec<f64> {
        self.0.deviation()
    }

    /// The global step, 1 at the start.
    #[must_use]
    pub fn step(&self) -> f64 {
        self.0.step
    }

    /// The average of the last means, the answer of the run: the means of the share
    /// [`CmaEsConfig::average`] of the finished generations, rounded up, and at least the current
    /// mean. The mean at the start is part of it only before the first generation is finished.
    #[must_use]
    pub fn centre(&self) -> Vec<f64> {
        let Self(State { config, mean, history, .. }) = self;
        let count = ((config.average * history.len() as f64).ceil() as usize).max(1);
        // The mean after a generation is the mean before the next one.
        let earlier = &history[history.len().saturating_sub(count - 1)..];
        let average = |(i, &last): (usize, &f64)| {
            let sum = earlier.iter().map(|entry| entry.mean[i]).sum::<f64>() + last;
            // Rounding may lead outside.
            (sum / count as f64).clamp(-MAX_MEAN, MAX_MEAN)
        };
        mean.iter().enumerate().map(average).collect()
    }

    /// The best candidate of all generations; the first of equal candidates. `None` before the
    /// first generation is finished.
    #[must_use]
    pub fn best(&self) -> Option<&Best<Vec<f64>>> {
        self.0.best.as_ref()
    }

    /// The number of the generation that is to be evaluated, from 0.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.0.history.len() as u64
    }

    /// The finished generations.
    #[must_use]
    pub fn history(&self) -> &[CmaEsGeneration] {
        &self.0.history
    }

    /// The options.
    #[must_use]
    pub fn config(&self) -> &CmaEsConfig {
        &self.0.config
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

impl TryFrom<State> for CmaEs {
    type Error = EvolveError;

    fn try_from(state: State) -> Result<Self, EvolveError> {
        state.check()?;
        Ok(Self(state))
    }
}

fn validate(mean: &[f64], deviation: &[f64], config: &CmaEsConfig) -> Result<(), EvolveError> {
    config.validate()?;
    within(KIND, "dimensions", &mean.len(), &1, &MAX_GENES)?;
    let refuse = |what: String| Err(SpaceError(what).into());
    let (means, deviations) = (mean.len(), deviation.len());
    if means != deviations {
        return refuse(format!("found {deviations} deviations, but expected {means}"));
    }
    if let Some(i) = mean.iter().position(|x| !is_mean(x)) {
        let x = mean[i];
        return refuse(format!("the mean {i} is {x:?}, but must be within ±{MAX_MEAN:e}"));
    }
    let is_scale = |x: &f64| (MIN_DEVIATION..=MAX_MEAN).contains(x);
    if let Some(i) = deviation.iter().position(|x| !is_scale(x)) {
        return refuse(format!(
            "the deviation {i} is {:?}, but must be between {MIN_DEVIATION:e} and {MAX_MEAN:e}",
            deviation[i]
        ));
    }
    Ok(())
}

fn is_within(x: f64, (low, high): (f64, f64)) -> bool {
    (low..=high).contains(&x)
}

fn is_mean(x: &f64) -> bool {
    x.abs() <= MAX_MEAN
}

/// Moves a step or a variance within its limits.
fn limited(x: f64) -> f64 {
    x.clamp(1.0 / MAX_FACTOR, MAX_FACTOR)
}

impl State {
    /// Draws the candidates of the next generation.
    fn draw(&mut self) {
        let (n, rng) = (self.mean.len(), &mut self.rng);
        let vector = |_| (0..n).map(|_| normal(rng)).collect();
        self.draws = (0..self.config.draws()).map(vector).collect();
    }

    /// The standard normal vector of a candidate, and its sign.
    fn drawn(&self, candidate: usize) -> (&[f64], f64) {
        if !self.config.mirrored {
            return (&self.draws[candidate], 1.0);
        }
        (&self.draws[candidate / 2], if candidate.is_multiple_of(2) { 1.0 } else { -1.0 })
    }

    /// The standard normal vector of a candidate, as its values within the bounds show it.
    fn moved(&self, candidate: usize) -> Vec<f64> {
        let (draw, sign) = self.drawn(candidate);
        let draw = draw.iter().map(|z| sign * z);
        let Some(bounds) = &self.bounds else {
            return draw.collect();
        };
        let distribution = self.mean.iter().zip(self.deviation()).zip(bounds);
        let moved = draw.zip(distribution).map(|(z, ((mean, unit), &(low, high)))| {
            // A value within the bounds keeps its exact draw.
            if is_within(mean + unit * z, (low, high)) {
                z
            } else {
                ((mean + unit * z).clamp(low, high) - mean) / unit
            }
        });
        moved.collect()
    }

    /// `x_i = m_i + σ d_i √c_i z_i`.
    fn candidates(&self) -> Vec<Vec<f64>> {
        let deviation = self.deviation();
        let candidate = |number| {
            let (draw, sign) = self.drawn(number);
            let distribution = self.mean.iter().zip(&deviation);
            let values = distribution.zip(draw).map(|((mean, unit), z)| mean + unit * (sign * z));
            let mut values: Vec<f64> = values.collect();
            for (value, &(low, high)) in values.iter_mut().zip(self.bounds.iter().flatten()) {
                *value = value.clamp(low, high);
            }
            values
        };
        (0..self.config.candidates).map(candidate).collect()
    }

    fn deviation(&self) -> Vec<f64> {
        let pairs = self.scale.iter().zip(&self.variance);
        pairs.map(|(scale, variance)| scale * self.step * variance.sqrt()).collect()
    }

    /// Adapts the distribution to the parents. The generation is in the history already.
    fn update(&mut self, parents: &[usize]) {
        let rates = Rates::new(self.mean.len(), &self.config);
        let n = self.mean.len() as f64;
        // ⟨z⟩ = Σ w_k z_k and ⟨z²⟩ = Σ w_k z_k².
        let mut moves = vec![0.0; self.mean.len()];
        let mut squares = vec![0.0; self.mean.len()];
        for (&parent, weight) in parents.iter().zip(&rates.weights) {
            for (i, z) in self.moved(parent).into_iter().enumerate() {
                moves[i] += weight * z;
                squares[i] += weight * (z * z);
            }
        }

        // p_σ ← (1 − c_σ) p_σ + √(c_σ (2 − c_σ) μ_m) ⟨z⟩, with μ_m = μ_w without pairs.
        let keep = 1.0 - rates.step_path;
        let gain = (rates.step_path * (2.0 - rates.step_path) * rates.moves).sqrt();
        for (path, z) in self.step_path.iter_mut().zip(&moves) {
            *path = keep * *path + gain * z;
        }
        let length = self.step_path.iter().map(|x| x * x).sum::<f64>().sqrt();
        // H_σ = 1 if ‖p_σ‖ < (1.4 + 2/(n + 1)) χ_n √(1 − (1 − c_σ)^(2(g + 1))), otherwise 0. The
        // last bit of the power is not the same on all machines, but only decides.
        let age = i32::try_from(2 * self.history.len()).unwrap_or(i32::MAX);
        let expected = rates.length * (1.0 - keep.powi(age)).sqrt();
        let steady = length < (PAUSE + 2.0 / (n + 1.0)) * expected;

        let keep_path = 1.0 - rates.shape_path;
        let gain = (rates.shape_path * (2.0 - rates.shape_path) * rates.moves).sqrt();
        let gain = if steady { gain } else { 0.0 };
        let rank_one = rates.shape / rates.parents;
        let rank_mu = rates.shape * (1.0 - 1.0 / rates.parents);
        let deviation = self.deviation();
        for i in 0..moves.len() {
            // m ← Σ w_k x_k.
            let (low, high) = match &self.bounds {
                Some(bounds) => bounds[i],
                None => (-MAX_MEAN, MAX_MEAN),
            };
            self.mean[i] = (self.mean[i] + deviation[i] * moves[i]).clamp(low, high);
            // p_c ← (1 − c_c) p_c + H_σ √(c_c (2 − c_c) μ_m) √c ⟨z⟩.
            let variance = self.variance[i];
            let path = keep_path * self.shape_path[i] + gain * variance.sqrt() * moves[i];
            self.shape_path[i] = path;
            // c ← (1 − c_cov) c + c_cov/μ_cov p_c² + c_cov (1 − 1/μ_cov) c ⟨z²⟩.
            let kept = (1.0 - rates.shape) * variance;
            self.variance[i] =
                limited(kept + rank_one * path * path + rank_mu * variance * squares[i]);
        }
        // σ ← σ exp(c_σ/d_σ (‖p_σ‖/χ_n − 1)).
        let growth = rates.step_path / rates.damping * (length / rates.length - 1.0);
        self.step = limited(self.step * rates::exp(growth));
    }

    /// Whether a state that was read makes sense.
    fn check(&self) -> Result<(), EvolveError> {
        validate(&self.mean, &self.scale, &self.config)?;
        let n = self.mean.len();
        let all =
            |values: &[f64], holds: fn(&f64) -> bool| values.len() == n && values.iter().all(holds);
        let is_factor: fn(&f64) -> bool = |x| (1.0 / MAX_FACTOR..=MAX_FACTOR).contains(x);
        let is_path: fn(&f64) -> bool = |x| x.abs() <= MAX_PATH;
        let is_entry = |entry: &CmaEsGeneration| {
            all(&entry.mean, is_mean)
                && all(&entry.deviation, |x| *x > 0.0 && x.is_finite())
                && is_factor(&entry.step)
        };
        let is_best = |best: &Best<Vec<f64>>| {
            all(&best.genome, |x| x.is_finite()) && is_fitness(best.fitness)
        };
        let generations = self.history.iter().map(|entry| &entry.fitness);
        let are_bounds = |bounds: &Vec<(f64, f64)>| {
            let mut pairs = self.mean.iter().zip(bounds);
            bounds.len() == n && pairs.all(|(&x, &pair)| is_within(x, pair))
        };
        let sound = is_factor(&self.step)
            && self.bounds.iter().all(are_bounds)
            && all(&self.variance, is_factor)
            && all(&self.step_path, is_path)
            && all(&self.shape_path, is_path)
            && self.draws.len() == self.config.draws()
            && self.draws.iter().all(|draw| all(draw, |z| z.abs() <= LARGEST))
            && self.best.is_some() != self.history.is_empty()
            && self.best.iter().all(is_best)
            && self.history.iter().all(is_entry)
            && Generation::in_order(generations, self.config.candidates);
        checkpoint::sound(sound, "its draws, distribution and dimensions do not fit each other")
    }
}
