//! The state of a coevolution between two generations, which its checkpoint contains.

use super::{CoevolutionConfig, Opponents, Round};
use crate::{
    checkpoint::{self, rng_text},
    error::{EvolveError, MAX_EFFORT, MIN_BASELINE},
    ga::Ga,
    genome::Indices,
    plan::Schedule,
    score::Trial,
};
use serde::{Deserialize, Serialize};
use unriddle_core::{Rng, Space};

/// Pairs of solvers and sets of the next generation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Meetings {
    Evolving {
        sets: Box<Ga<Indices>>,
        /// For each solver, the sets that it is run on, all different.
        met: Vec<Vec<u32>>,
        /// For each set, the mean effort per instance, summed over the solvers that were run on the
        /// set since the sets were last bred.
        effort: Vec<f64>,
        /// For each set, the number of these solvers.
        solvers: Vec<u64>,
    },
    /// The instances for all.
    Random(Vec<u32>),
}

impl Meetings {
    pub(super) fn new(
        config: &CoevolutionConfig,
        training: usize,
        set_rng: Rng,
        rng: &mut Rng,
    ) -> Result<Self, EvolveError> {
        match config.opponents {
            Opponents::Evolving(options) => {
                let space = Indices {
                    genes: options.instances,
                    count: training as u32,
                    variation: options.variation,
                };
                let sets = Ga::with_genomes(space, options.ga, set_rng, Vec::new())?;
                Ok(Self::Evolving {
                    met: draw_met(config, rng),
                    effort: vec![0.0; options.ga.population],
                    solvers: vec![0; options.ga.population],
                    sets: Box::new(sets),
                })
            }
            Opponents::Random { instances, .. } => {
                Ok(Self::Random(sample(training, instances, rng)))
            }
        }
    }
}

/// The sets of each solver.
fn draw_met(config: &CoevolutionConfig, rng: &mut Rng) -> Vec<Vec<u32>> {
    match config.opponents {
        Opponents::Evolving(options) => (0..config.solvers.population)
            .map(|_| sample(options.ga.population, options.met, rng))
            .collect(),
        Opponents::Random { .. } => Vec::new(),
    }
}

/// `k` ≤ `n` different numbers below `n`, in random order (Floyd's algorithm, then a shuffle).
fn sample(n: usize, k: usize, rng: &mut Rng) -> Vec<u32> {
    let mut seen = std::collections::HashSet::with_capacity(k);
    let mut drawn = Vec::with_capacity(k);
    for last in n - k..n {
        let x = rng.below(last as u64 + 1) as u32;
        let x = if seen.insert(x) { x } else { last as u32 };
        seen.insert(x);
        drawn.push(x);
    }
    rng.shuffle(&mut drawn);
    drawn
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    bound(
        serialize = "S: Serialize, S::Genome: Serialize",
        deserialize = "S: Deserialize<'de>, S::Genome: Deserialize<'de>"
    )
)]
pub(super) struct State<S: Space> {
    pub(super) config: CoevolutionConfig,
    pub(super) baseline: Vec<f64>,
    /// Draws the pairs of solvers and sets.
    #[serde(with = "rng_text")]
    pub(super) rng: Rng,
    pub(super) solvers: Ga<S>,
    pub(super) meetings: Meetings,
    pub(super) rounds: Vec<Round>,
}

impl<S: Space> State<S> {
    /// The schedule of the next generation.
    pub(super) fn schedule(&self) -> Schedule {
        let solvers = self.solvers.ask();
        match &self.meetings {
            Meetings::Evolving { sets, met, .. } => Schedule::new(solvers, |solver| {
                met[solver].iter().flat_map(|&set| &sets.ask()[set as usize]).copied()
            }),
            Meetings::Random(instances) => Schedule::new(solvers, |_| instances.iter().copied()),
        }
    }

    /// Takes as many trials as there are jobs, whose efforts are numbers.
    pub(super) fn tell(
        &mut self,
        schedule: &Schedule,
        trials: &[Trial],
    ) -> Result<(), EvolveError> {
        let scoring = self.config.scoring;
        let mut round =
            Round { trials: schedule.trials() as u64, solved: 0, jobs: trials.len() as u64 };
        let mut fitness = Vec::with_capacity(self.config.solvers.population);
        for solver in 0..self.config.solvers.population {
            let dealt = schedule.of(solver);
            let mut sum = 0.0;
            for &job in dealt {
                let baseline = self.baseline[schedule.jobs[job].instance as usize];
                sum += scoring.score(trials[job], baseline);
                round.solved += u64::from(trials[job].solved);
            }
            fitness.push(sum / dealt.len() as f64);
            if let Meetings::Evolving { sets, met, effort, solvers } = &mut self.meetings {
                let instances = sets.space().genes;
                for (&set, dealt) in met[solver].iter().zip(dealt.chunks(instances)) {
                    let sum: f64 = dealt.iter().map(|&job| scoring.effort(trials[job])).sum();
                    effort[set as usize] += sum / instances as f64;
                    solvers[set as usize] += 1;
                }
            }
        }
        self.solvers.tell(&fitness)?;
        self.rounds.push(round);
        self.next_meetings()
    }

    /// Breeds the sets if it is their turn, and draws the next pairs of solvers and sets.
    fn next_meetings(&mut self) -> Result<(), EvolveError> {
        let told = self.solvers.generation();
        match (&mut self.meetings, self.config.opponents) {
            (Meetings::Evolving { sets, met, effort, solvers }, Opponents::Evolving(options)) => {
                if told.is_multiple_of(options.every) {
                    sets.tell(&hardness(sets.ask(), &self.baseline, effort, solvers))?;
                    effort.fill(0.0);
                    solvers.fill(0);
                }
                *met = draw_met(&self.config, &mut self.rng);
            }
            (Meetings::Random(drawn), Opponents::Random { instances, redraw }) => {
                if redraw {
                    *drawn = sample(self.baseline.len(), instances, &mut self.rng);
                }
            }
            // `new` and `check` see to it that both are of one kind.
            (Meetings::Evolving { .. }, _) | (Meetings::Random(_), _) => {}
        }
        Ok(())
    }

    /// Whether a state that was read makes sense. (The optimisers in it have checked themselves.)
    pub(super) fn check(&self) -> Result<(), EvolveError> {
        let training = self.baseline.len();
        self.config.validate(training)?;
        let meetings = match (&self.meetings, self.config.opponents) {
            (Meetings::Evolving { sets, met, effort, solvers }, Opponents::Evolving(options)) => {
                let population = options.ga.population;
                let space = sets.space();
                *sets.config() == options.ga
                    && (space.genes, space.count) == (options.instances, training as u32)
                    && space.variation == options.variation
                    && sets.generation() == self.solvers.generation() / options.every
                    && met.len() == self.config.solvers.population
                    && met
                        .iter()
                        .all(|met| met.len() == options.met && all_different(met, population))
                    && (effort.len(), solvers.len()) == (population, population)
                    // An upper limit of the sums of all generations since the sets were bred.
                    && effort.iter().all(|x| (0.0..=1e120).contains(x))
                    && solvers.iter().all(|&x| x < 1 << 60)
            }
            (Meetings::Random(drawn), Opponents::Random { instances, .. }) => {
                drawn.len() == instances && all_different(drawn, training)
            }
            (Meetings::Evolving { .. }, _) | (Meetings::Random(_), _) => false,
        };
        let sound = meetings
            && *self.solvers.config() == self.config.solvers
            && self.rounds.len() as u64 == self.solvers.generation()
            && self.baseline.iter().all(|x| (MIN_BASELINE..=MAX_EFFORT).contains(x));
        checkpoint::sound(sound, "its solvers, instances and options do not fit each other")
    }
}

/// Whether the numbers are below `n` and all different.
fn all_different(numbers: &[u32], n: usize) -> bool {
    let mut seen = std::collections::HashSet::with_capacity(numbers.len());
    numbers.iter().all(|&x| (x as usize) < n && seen.insert(x))
}

/// The fitness of the sets: their mean effort divided by the baseline's mean effort.
fn hardness(sets: &[Vec<u32>], baseline: &[f64], effort: &[f64], solvers: &[u64]) -> Vec<f64> {
    let known: Vec<Option<f64>> = sets
        .iter()
        .zip(effort.iter().zip(solvers))
        .map(|(set, (&effort, &solvers))| {
            let sum: f64 = set.iter().map(|&i| baseline[i as usize]).sum();
            (solvers > 0).then(|| effort / solvers as f64 / (sum / set.len() as f64))
        })
        .collect();
    let met = known.iter().flatten().count().max(1) as f64;
    let mean = known.iter().flatten().sum::<f64>() / met;
    known.into_iter().map(|x| x.unwrap_or(mean)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_different_and_uniform() {
        let mut rng = Rng::new(6);
        let mut first = [0u32; 5];
        let mut held = [0u32; 5];
        for _ in 0..10_000 {
            let drawn = sample(5, 2, &mut rng);
            assert!(all_different(&drawn, 5) && drawn.len() == 2);
            first[drawn[0] as usize] += 1;
            drawn.iter().for_each(|&x| held[x as usize] += 1);
        }
        assert!(first.iter().all(|c| (1_850..2_150).contains(c)), "{first:?}");
        assert!(held.iter().all(|c| (3_800..4_200).contains(c)), "{held:?}");
        let mut all = sample(4, 4, &mut rng);
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3]);
    }

    #[test]
    fn a_set_is_as_hard_as_its_average_effort_against_the_baselines() {
        let sets = [vec![0, 1], vec![1, 1], vec![0, 0]];
        // Two solvers were run on the first set, with 30 and 50 per instance; no solver on the
        // second; one solver on the third.
        let found = hardness(&sets, &[10.0, 30.0], &[80.0, 0.0, 10.0], &[2, 0, 1]);
        assert_eq!(found, [2.0, 1.5, 1.0]);
    }
}
