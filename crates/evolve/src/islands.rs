//! Islands: populations that evolve separately and exchange candidates at intervals.
//!
//! At the start, and after every epoch of `epoch` generations, the candidates of all islands are
//! sorted so that similar candidates are neighbours, and are distributed again, so that each island
//! gets similar candidates (fully connected migration by [`Similarity`]).
//!
//! Islands evolve on the threads of one process or of all ranks of a run. Each has its own random
//! number generator, so that the same seed gives the same run for any number of threads and ranks.
//! Before a migration every rank sends the candidates of its islands to all other ranks. An epoch
//! is one step; a run can be stopped between two epochs.
//!
//! Reference: "Automated graph genetic algorithm based puzzle validation for faster game design"
//! (2022), V-B, table I.

use crate::{
    error::{EvolveError, within},
    hybrid::{HybridConfig, Population, diversity},
    similarity::Similarity,
};
use unriddle_core::{
    Breed, Rng,
    parallel::map,
    ranks::{Alone, Message, Ranks, gather, join, parts},
};

/// Options of [`Islands`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IslandsConfig {
    /// Number of islands, at least 1; one island is a plain hybrid genetic algorithm.
    pub islands: usize,
    /// Generations between migrations, at least 1.
    pub epoch: u64,
    /// Measure of similarity by which candidates migrate together.
    pub similarity: Similarity,
    /// Each island's population.
    pub hybrid: HybridConfig,
}

impl Default for IslandsConfig {
    /// The paper's (table I): five islands of 10 candidates and 20 children.
    fn default() -> Self {
        Self {
            islands: 5,
            epoch: 10,
            similarity: Similarity::Cost,
            hybrid: HybridConfig { population: 10, offspring: 20, ..HybridConfig::default() },
        }
    }
}

impl IslandsConfig {
    /// The paper's vanilla algorithm: one population of 50 candidates and 100 children.
    #[must_use]
    pub fn vanilla() -> Self {
        Self { islands: 1, hybrid: HybridConfig::default(), ..Self::default() }
    }

    /// Checks the bounds.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`].
    pub fn validate(&self) -> Result<(), EvolveError> {
        within("islands", "islands", &self.islands, &1, &1024)?;
        within("islands", "epoch", &self.epoch, &1, &1_000_000)?;
        self.similarity.validate(self.islands.saturating_mul(self.hybrid.population))?;
        self.hybrid.validate()
    }
}

/// Threads and processes on which islands evolve.
#[derive(Clone, Copy, Debug)]
pub struct Workers<'r> {
    /// Threads of each rank at most.
    pub threads: usize,
    /// The ranks, each of which evolves its share of the islands. All make the same calls.
    pub ranks: &'r dyn Ranks,
}

impl Workers<'_> {
    /// Threads of one process.
    #[must_use]
    pub fn threads(threads: usize) -> Self {
        Self { threads, ranks: &Alone }
    }

    /// Whether this rank evolves an island.
    fn own(&self, island: usize) -> bool {
        island % self.ranks.size() == self.ranks.rank()
    }
}

/// All islands after an epoch, in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// The lowest cost.
    pub best: i64,
    /// The mean cost.
    pub mean: f64,
    /// The normalised coefficient of variation of all costs.
    pub diversity: f64,
    /// Evaluations so far.
    pub evaluations: u64,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Islands<G> {
    config: IslandsConfig,
    islands: Vec<Population<G>>,
    best: Option<(i64, G)>,
    history: Vec<Epoch>,
}

impl<G: Clone + PartialEq + Message + Send + Sync> Islands<G> {
    /// A run with new candidates, built by `workers`.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`].
    pub fn new<B: Breed<Genome = G>>(
        breed: &B,
        config: IslandsConfig,
        seed: u64,
        workers: Workers<'_>,
    ) -> Result<Self, EvolveError> {
        config.validate()?;
        let islands = (0..config.islands as u64)
            .map(|island| Population::empty(config.hybrid, Rng::stream(seed, island)));
        let islands = islands.collect();
        let mut run = Self { config, islands, best: None, history: Vec::new() };
        run.each(workers, |island| island.fill(breed));
        run.remember();
        run.migrate(breed);
        Ok(run)
    }

    /// Lets every island evolve for one epoch, by `workers`, and then lets candidates migrate.
    pub fn epoch<B: Breed<Genome = G>>(&mut self, breed: &B, workers: Workers<'_>) {
        let epoch = self.config.epoch;
        self.each(workers, |island| {
            for _ in 0..epoch {
                island.generation(breed);
            }
        });
        self.remember();
        self.migrate(breed);
    }

    /// Changes every island on the rank that evolves it, and gives all ranks the candidates.
    fn each(&mut self, workers: Workers<'_>, change: impl Fn(&mut Population<G>) + Sync) {
        let islands = std::mem::take(&mut self.islands).into_iter().enumerate();
        self.islands = map(islands, workers.threads, |(number, mut island)| {
            if workers.own(number) {
                change(&mut island);
            }
            island
        });
        let size = workers.ranks.size();
        if size == 1 {
            return;
        }
        let own = self.islands.iter().enumerate().filter(|(number, _)| workers.own(*number));
        let own: Vec<Vec<u8>> = own.map(|(_, island)| island.written()).collect();
        let mut sent = Vec::new();
        join(own.iter().map(Vec::as_slice), &mut sent);
        for (rank, received) in gather(workers.ranks, &sent).iter().enumerate() {
            if rank != workers.ranks.rank() {
                let islands = self.islands.iter_mut().skip(rank).step_by(size);
                islands.zip(parts(received)).for_each(|(island, bytes)| island.replace(bytes));
            }
        }
    }

    /// The cheapest candidate of the run, with its cost. `None` until a candidate could be built.
    #[must_use]
    pub fn best(&self) -> Option<(i64, &G)> {
        self.best.as_ref().map(|(cost, genome)| (*cost, genome))
    }

    /// The islands.
    #[must_use]
    pub fn islands(&self) -> &[Population<G>] {
        &self.islands
    }

    /// Evaluations so far.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.islands.iter().map(Population::evaluations).sum()
    }

    /// Statistics of the start and of every epoch that has a candidate.
    #[must_use]
    pub fn history(&self) -> &[Epoch] {
        &self.history
    }

    /// Updates the best candidate and the statistics.
    fn remember(&mut self) {
        let all = self.islands.iter().flat_map(Population::members);
        let costs = all.clone().map(|(cost, _)| *cost);
        let Some((cost, genome)) = all.clone().min_by_key(|(cost, _)| *cost) else {
            return;
        };
        if self.best.as_ref().is_none_or(|(best, _)| cost < best) {
            self.best = Some((*cost, genome.clone()));
        }
        let count = costs.clone().count() as f64;
        self.history.push(Epoch {
            best: *cost,
            mean: costs.clone().sum::<i64>() as f64 / count,
            diversity: diversity(costs.clone()),
            evaluations: self.evaluations(),
        });
    }

    /// Deals all candidates out again, similar ones together.
    fn migrate<B: Breed<Genome = G>>(&mut self, breed: &B) {
        if self.islands.len() == 1 {
            return;
        }
        let mut all: Vec<(i64, G)> = Vec::new();
        for island in &mut self.islands {
            all.append(&mut island.members);
        }
        self.config.similarity.order(breed, &mut all);
        let (count, total) = (self.islands.len(), all.len());
        let mut rest = all.into_iter();
        for (i, island) in self.islands.iter_mut().enumerate() {
            // Shares differ by at most one.
            let share = total * (i + 1) / count - total * i / count;
            island.members = rest.by_ref().take(share).collect();
            island.members.sort_by_key(|(cost, _)| *cost);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use unriddle_core::{ranks, space::entropy};

    /// Words of 16 bits of which one at least must be set; each costs 1, and a bit far up costs
    /// nothing more.
    #[derive(Debug)]
    pub(crate) struct Ones;

    impl Breed for Ones {
        type Genome = u16;

        fn fresh(&self, rng: &mut Rng, evaluations: &mut u64) -> Option<u16> {
            *evaluations += 1;
            Some((rng.below(1 << 16) as u16).max(1))
        }

        fn child(
            &self,
            [a, b]: [&u16; 2],
            mutation: f64,
            rng: &mut Rng,
            evaluations: &mut u64,
        ) -> Option<u16> {
            *evaluations += 1;
            let mask = rng.below(1 << 16) as u16;
            let mut child = (a & mask) | (b & !mask);
            for bit in 0..16 {
                if rng.unit() < mutation {
                    child ^= 1 << bit;
                }
            }
            (child != 0).then_some(child)
        }

        fn cost(&self, genome: &u16) -> i64 {
            i64::from(genome.count_ones())
        }

        fn distance(&self, a: &u16, b: &u16) -> f64 {
            f64::from((a ^ b).count_ones()) / 16.0
        }

        fn entropy(&self, genome: &u16) -> f64 {
            entropy([genome.count_ones(), genome.count_zeros()])
        }
    }

    fn run(config: IslandsConfig, workers: Workers<'_>) -> Islands<u16> {
        let mut islands = Islands::new(&Ones, config, 7, workers).unwrap();
        for _ in 0..3 {
            islands.epoch(&Ones, workers);
        }
        islands
    }

    #[test]
    fn any_number_of_threads_and_ranks_gives_the_same_run() {
        for similarity in Similarity::NAMES.map(|name| Similarity::of(name).unwrap()) {
            let config = IslandsConfig { similarity, ..IslandsConfig::default() };
            let one = run(config, Workers::threads(1));
            assert_eq!(one.best().unwrap().0, 1);
            let many = [2, 3, 9].map(|count| run(config, Workers::threads(count)));
            let on_ranks = [2, 3, 9].map(|size| {
                ranks::threads(size, |ranks| run(config, Workers { threads: 1, ranks }))
            });
            for other in many.iter().chain(on_ranks.iter().flatten()) {
                assert_eq!(other.history(), one.history());
                for (a, b) in other.islands().iter().zip(one.islands()) {
                    assert_eq!(a.members(), b.members());
                }
            }
        }
    }

    #[test]
    fn islands_begin_with_similar_ones_and_migration_loses_nobody() {
        let config = IslandsConfig::default();
        let mut islands = Islands::new(&Ones, config, 3, Workers::threads(1)).unwrap();
        let gather = |islands: &Islands<u16>| {
            let all = islands.islands().iter().flat_map(Population::members);
            let mut all: Vec<(i64, u16)> = all.copied().collect();
            all.sort_unstable();
            all
        };
        let before = gather(&islands);
        assert_eq!(before.len(), 50);
        let ends = islands.islands().iter().map(|island| {
            let members = island.members();
            assert_eq!(members.len(), 10);
            (members[0].0, members[9].0)
        });
        let ends: Vec<(i64, i64)> = ends.collect();
        assert!(ends.windows(2).all(|pair| pair[0].1 <= pair[1].0));
        for similarity in Similarity::NAMES.map(|name| Similarity::of(name).unwrap()) {
            islands.config.similarity = similarity;
            islands.migrate(&Ones);
            assert_eq!(gather(&islands), before);
        }
    }

    #[test]
    fn one_island_is_a_plain_population() {
        let run = run(IslandsConfig::vanilla(), Workers::threads(1));
        assert_eq!(run.islands().len(), 1);
        // 50 at the start, 100 in each of 30 generations, and some for infeasible children.
        assert!(run.evaluations() >= 3050);
        assert_eq!(run.history().len(), 4);
        assert_eq!(run.history()[3].evaluations, run.evaluations());
    }
}
