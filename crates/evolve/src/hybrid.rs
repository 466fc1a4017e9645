//! A hybrid genetic algorithm. All candidates are feasible: they are bred and repaired by
//! [`Breed`]. The best of parents and offspring survive.
//!
//! In each generation parents are drawn by rank (D. M. Tate and A. E. Smith 1995, "A genetic
//! approach to the quadratic assignment problem", Computers & Operations Research 22: the square of
//! a uniform number up to the root of the population). Their children are repaired, or replaced by
//! a new candidate if they cannot be. The best of parents and children, without duplicates, are the
//! next generation. Diversity is the coefficient of variation of the costs, divided by the root of
//! their number less one; it is at most 1. If it falls below a threshold, new candidates are added
//! ([`Refresh`]), and with `adaptive` the mutation rate rises until diversity is back above the
//! threshold.
//!
//! Reference: "Automated graph genetic algorithm based puzzle validation for faster game design"
//! (2022), V-A and V-B. The paper describes both variants of the refreshment.

use crate::error::{EvolveError, within};
use unriddle_core::{
    Breed, Rng,
    ranks::{Message, join, parts},
};

/// Action when diversity is below the threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// A random third of the population is replaced by new candidates (V-B).
    Third,
    /// This number of new candidates is added to the next offspring (V-A4).
    Offspring(usize),
}

/// Options of a [`Population`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HybridConfig {
    /// Candidates that live on, at least 2.
    pub population: usize,
    /// Children of a generation, at least 1.
    pub offspring: usize,
    /// Probability that a gene is taken out of a child, 0 to 1.
    pub mutation: f64,
    /// Diversity below which new candidates are added, 0 to 1.
    pub threshold: f64,
    /// Method of adding candidates.
    pub refresh: Refresh,
    /// Whether the mutation rate rises by half in every generation whose diversity is below the
    /// threshold, up to three quarters.
    pub adaptive: bool,
}

impl Default for HybridConfig {
    /// The paper's (table I), which contains no threshold. The diversity of populations that still
    /// improve is above 0.005, and falls below it when their costs become alike.
    fn default() -> Self {
        Self {
            population: 50,
            offspring: 100,
            mutation: 0.2,
            threshold: 0.005,
            refresh: Refresh::Third,
            adaptive: false,
        }
    }
}

/// Upper limit of the adaptive mutation rate.
const MOST_MUTATION: f64 = 0.75;

impl HybridConfig {
    /// Checks the bounds.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`].
    pub fn validate(&self) -> Result<(), EvolveError> {
        const MOST: usize = 1 << 20;
        within("hybrid", "population", &self.population, &2, &MOST)?;
        within("hybrid", "offspring", &self.offspring, &1, &MOST)?;
        within("hybrid", "mutation", &self.mutation, &0.0, &1.0)?;
        within("hybrid", "threshold", &self.threshold, &0.0, &1.0)?;
        match self.refresh {
            Refresh::Offspring(fresh) => within("hybrid", "fresh", &fresh, &1, &MOST),
            Refresh::Third => Ok(()),
        }
    }
}

/// Candidates that breed, cheapest first.
#[derive(Clone, Debug)]
pub struct Population<G> {
    config: HybridConfig,
    rng: Rng,
    /// Candidates with their costs.
    pub(crate) members: Vec<(i64, G)>,
    /// The current mutation rate.
    mutation: f64,
    evaluations: u64,
}

impl<G: Clone + PartialEq> Population<G> {
    /// A population without candidates.
    pub(crate) fn empty(config: HybridConfig, rng: Rng) -> Self {
        Self { config, rng, members: Vec::new(), mutation: config.mutation, evaluations: 0 }
    }

    /// Fills the population with new candidates. It stays smaller than `population` if a candidate
    /// cannot be built.
    pub(crate) fn fill<B: Breed<Genome = G>>(&mut self, breed: &B) {
        // If one candidate cannot be built, another attempt will hardly succeed.
        while self.members.len() < self.config.population && self.add_fresh(breed) {}
        self.select();
    }

    /// The evaluations and the candidates of the population, for other ranks.
    pub(crate) fn written(&self) -> Vec<u8>
    where
        G: Message,
    {
        let members = self.members.iter().map(|(cost, genome)| {
            let mut bytes = cost.to_le_bytes().to_vec();
            genome.write(&mut bytes);
            bytes
        });
        let members: Vec<Vec<u8>> = members.collect();
        let mut bytes = self.evaluations.to_le_bytes().to_vec();
        join(members.iter().map(Vec::as_slice), &mut bytes);
        bytes
    }

    /// Takes the evaluations and candidates of bytes that the same program has
    /// [written](Self::written).
    pub(crate) fn replace(&mut self, bytes: &[u8])
    where
        G: Message,
    {
        let Some((evaluations, members)) = bytes.split_first_chunk::<8>() else { return };
        self.evaluations = u64::from_le_bytes(*evaluations);
        let member = |bytes: &[u8]| {
            let (cost, genome) = bytes.split_first_chunk::<8>()?;
            Some((i64::from_le_bytes(*cost), G::read(genome)?))
        };
        self.members = parts(members).filter_map(member).collect();
    }

    /// Candidates with their costs, cheapest first.
    #[must_use]
    pub fn members(&self) -> &[(i64, G)] {
        &self.members
    }

    /// Evaluations so far.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// The coefficient of variation of the costs, divided by the root of their number less one.
    #[must_use]
    pub fn diversity(&self) -> f64 {
        diversity(self.members.iter().map(|(cost, _)| *cost))
    }

    /// Breeds the next generation.
    pub fn generation<B: Breed<Genome = G>>(&mut self, breed: &B) {
        if self.members.is_empty() {
            self.add_fresh(breed);
            return;
        }
        let low = self.diversity() < self.config.threshold;
        let mut fresh = 0;
        match (low, self.config.refresh) {
            (true, Refresh::Third) => {
                // The best candidate stays.
                for _ in 0..self.members.len() / 3 {
                    let worst = self.members.len() as u64 - 1;
                    let out = 1 + self.rng.below(worst.max(1)) as usize;
                    if out < self.members.len() {
                        self.members.remove(out);
                    }
                }
                while self.members.len() < self.config.population && self.add_fresh(breed) {}
                self.members.sort_by_key(|(cost, _)| *cost);
            }
            (true, Refresh::Offspring(many)) => fresh = many,
            (false, _) => {}
        }
        self.mutation = match (self.config.adaptive, low) {
            (true, true) => (self.mutation * 1.5).min(MOST_MUTATION),
            _ => self.config.mutation,
        };
        let parents = self.members.clone();
        for _ in 0..self.config.offspring {
            let pair = [self.rank(parents.len()), self.rank(parents.len())];
            let pair = pair.map(|rank| &parents[rank].1);
            let child = breed.child(pair, self.mutation, &mut self.rng, &mut self.evaluations);
            match child {
                Some(child) => self.members.push((breed.cost(&child), child)),
                None => {
                    self.add_fresh(breed);
                }
            }
        }
        for _ in 0..fresh {
            self.add_fresh(breed);
        }
        self.select();
    }

    /// A random rank; better ranks are more likely.
    fn rank(&mut self, population: usize) -> usize {
        let root = (population as f64).sqrt();
        let draw = 1.0 + self.rng.unit() * (root - 1.0);
        (draw * draw) as usize - 1
    }

    fn add_fresh<B: Breed<Genome = G>>(&mut self, breed: &B) -> bool {
        let genome = breed.fresh(&mut self.rng, &mut self.evaluations);
        let found = genome.is_some();
        self.members.extend(genome.map(|genome| (breed.cost(&genome), genome)));
        found
    }

    /// Keeps the best, each candidate once.
    fn select(&mut self) {
        self.members.sort_by_key(|(cost, _)| *cost);
        let mut kept: Vec<(i64, G)> = Vec::with_capacity(self.config.population);
        for (cost, genome) in std::mem::take(&mut self.members) {
            let equal = kept.iter().rev().take_while(|(other, _)| *other == cost);
            if kept.len() < self.config.population && !equal.clone().any(|(_, g)| *g == genome) {
                kept.push((cost, genome));
            }
        }
        self.members = kept;
    }
}

/// The normalised coefficient of variation of costs.
pub(crate) fn diversity(costs: impl Iterator<Item = i64> + Clone) -> f64 {
    let n = costs.clone().count() as f64;
    let mean = costs.clone().sum::<i64>() as f64 / n;
    if n < 2.0 || mean == 0.0 {
        return 0.0;
    }
    let squares: f64 = costs.map(|cost| (cost as f64 - mean).powi(2)).sum();
    (squares / n).sqrt() / mean.abs() / (n - 1.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::islands::tests::Ones;

    fn full(config: HybridConfig, seed: u64) -> Population<u16> {
        let mut population = Population::empty(config, Rng::new(seed));
        population.fill(&Ones);
        population
    }

    #[test]
    fn the_best_lives_on_and_candidates_are_there_once() {
        let mut population = full(HybridConfig::default(), 1);
        let mut best = population.members()[0].0;
        for _ in 0..30 {
            population.generation(&Ones);
            let members = population.members();
            assert_eq!(members.len(), 50);
            assert!(members.is_sorted_by_key(|(cost, _)| *cost));
            assert!(members[0].0 <= best);
            best = members[0].0;
            assert!((1..members.len()).all(|i| !members[..i].contains(&members[i])));
        }
        assert_eq!(best, 1);
    }

    #[test]
    fn diversity_follows_the_textbook_and_low_diversity_adds_candidates() {
        assert_eq!(diversity([3, 3, 3].into_iter()), 0.0);
        assert!((diversity([0, 10].into_iter()) - 1.0).abs() < 1e-12);
        for refresh in [Refresh::Third, Refresh::Offspring(20)] {
            let config = HybridConfig {
                mutation: 0.0,
                threshold: 1.0,
                offspring: 1,
                refresh,
                ..HybridConfig::default()
            };
            let mut population = full(config, 2);
            let before = population.evaluations();
            population.generation(&Ones);
            let made = population.evaluations() - before;
            let expected = if refresh == Refresh::Third { 16 + 1 } else { 20 + 1 };
            assert_eq!(made, expected);
        }
    }

    #[test]
    fn mutation_rises_while_diversity_is_low() {
        let config = HybridConfig { threshold: 1.0, adaptive: true, ..HybridConfig::default() };
        let mut population = full(config, 3);
        for _ in 0..5 {
            population.generation(&Ones);
        }
        assert_eq!(population.mutation, MOST_MUTATION);
        population.config.threshold = 0.0;
        population.generation(&Ones);
        assert_eq!(population.mutation, 0.2);
    }

    #[test]
    fn options_are_within_bounds() {
        let bad = HybridConfig { mutation: 1.5, ..HybridConfig::default() };
        assert_eq!(
            bad.validate().unwrap_err().to_string(),
            "hybrid: mutation is 1.5, but must be between 0 and 1"
        );
    }
}
