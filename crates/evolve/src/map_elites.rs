//! MAP-Elites: an archive of the cheapest candidate of every kind.
//!
//! The features of a candidate are numbers. The axis of each feature is cut into bins, and a
//! candidate belongs to the cell given by its bins. A step makes a candidate, either a new one or
//! the child of two random ones of the archive. The candidate enters its cell if the cell is empty
//! or holds a costlier candidate. So the archive shows which kinds exist and the least cost found
//! for each. All candidates are feasible ([`Breed`]).
//!
//! Reference: J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping elites" (arXiv
//! 1504.04909, 2015).

use crate::error::{EvolveError, within};
use std::collections::BTreeMap;
use unriddle_core::{Breed, Rng};

/// A feature's range, cut into bins of equal width. Values beyond an end belong to the bin at that
/// end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Lower end of the first bin.
    pub least: f64,
    /// Upper end of the last bin.
    pub most: f64,
    /// Number of bins, 1 to 65,535.
    pub bins: u16,
}

impl Axis {
    /// The bin of a feature's value. NaN belongs to the first bin.
    #[must_use]
    pub fn bin(&self, value: f64) -> u16 {
        let along = (value - self.least) / (self.most - self.least);
        // Casts saturate, and turn NaN into 0.
        ((along * f64::from(self.bins)) as u16).min(self.bins - 1)
    }
}

/// Options of [`MapElites`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapElitesConfig {
    /// Candidates built from nothing before children are made, at least 1.
    pub first: u64,
    /// Probability that a later candidate is built from nothing, 0 to 1.
    pub fresh: f64,
    /// Probability that a gene is taken out of a child, 0 to 1.
    pub mutation: f64,
}

impl Default for MapElitesConfig {
    fn default() -> Self {
        Self { first: 100, fresh: 0.1, mutation: 0.3 }
    }
}

/// A candidate of the archive.
#[derive(Clone, Debug, PartialEq)]
pub struct Elite<G> {
    /// The candidate.
    pub genome: G,
    /// Its cost.
    pub cost: i64,
    /// Its features.
    pub features: Vec<f64>,
}

/// The archive and its search.
#[derive(Clone, Debug)]
pub struct MapElites<G> {
    axes: Vec<Axis>,
    config: MapElitesConfig,
    rng: Rng,
    /// The number of the elite of each cell that is taken.
    cells: BTreeMap<Vec<u16>, usize>,
    elites: Vec<Elite<G>>,
    steps: u64,
    evaluations: u64,
}

impl<G: Clone> MapElites<G> {
    /// An empty archive.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`].
    pub fn new(axes: Vec<Axis>, config: MapElitesConfig, seed: u64) -> Result<Self, EvolveError> {
        within("map-elites", "first", &config.first, &1, &u64::MAX)?;
        within("map-elites", "fresh", &config.fresh, &0.0, &1.0)?;
        within("map-elites", "mutation", &config.mutation, &0.0, &1.0)?;
        within("map-elites", "axes", &axes.len(), &1, &16)?;
        for axis in &axes {
            within("map-elites", "bins", &axis.bins, &1, &u16::MAX)?;
            let width = axis.most - axis.least;
            if !(width > 0.0 && width.is_finite()) {
                return Err(EvolveError::BadOption(format!(
                    "map-elites: an axis from {} to {} has no width",
                    axis.least, axis.most
                )));
            }
        }
        Ok(Self {
            axes,
            config,
            rng: Rng::new(seed),
            cells: BTreeMap::new(),
            elites: Vec::new(),
            steps: 0,
            evaluations: 0,
        })
    }

    /// Makes a candidate and puts it into its cell if the cell is empty or holds a costlier
    /// candidate. `features` writes the features of a candidate, one for every axis. Returns
    /// whether the archive has changed.
    pub fn step<B: Breed<Genome = G>>(
        &mut self,
        breed: &B,
        mut features: impl FnMut(&G, &mut Vec<f64>),
    ) -> bool {
        let young = self.steps < self.config.first || self.elites.is_empty();
        self.steps += 1;
        let made = if young || self.rng.unit() < self.config.fresh {
            breed.fresh(&mut self.rng, &mut self.evaluations)
        } else {
            let mut any = || self.rng.below(self.elites.len() as u64) as usize;
            let parents = [any(), any()].map(|i| &self.elites[i].genome);
            let (mutation, rng) = (self.config.mutation, &mut self.rng);
            breed.child(parents, mutation, rng, &mut self.evaluations)
        };
        let Some(genome) = made else {
            return false;
        };
        let mut found = Vec::with_capacity(self.axes.len());
        features(&genome, &mut found);
        let bins = self.axes.iter().zip(&found).map(|(axis, &x)| axis.bin(x));
        let cost = breed.cost(&genome);
        let elite = Elite { genome, cost, features: found.clone() };
        let next = self.elites.len();
        let at = *self.cells.entry(bins.collect()).or_insert(next);
        if at == next {
            self.elites.push(elite);
        } else if cost < self.elites[at].cost {
            self.elites[at] = elite;
        } else {
            return false;
        }
        true
    }

    /// The taken cells, in the order of their bins, with their elites.
    pub fn cells(&self) -> impl Iterator<Item = (&[u16], &Elite<G>)> {
        self.cells.iter().map(|(bins, &at)| (bins.as_slice(), &self.elites[at]))
    }

    /// Number of occupied cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.elites.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elites.is_empty()
    }

    /// Number of cells.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.axes.iter().map(|axis| u64::from(axis.bins)).fold(1, u64::saturating_mul)
    }

    /// Evaluations so far.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::islands::tests::Ones;

    const AXIS: Axis = Axis { least: 0.0, most: 16.0, bins: 16 };

    fn features(word: &u16, out: &mut Vec<f64>) {
        out.push(f64::from(word.trailing_zeros()));
        out.push(15.0 - f64::from(word.leading_zeros()));
    }

    /// Every cell of lowest and highest bits is found, with its cheapest word; the same seed gives
    /// the same archive.
    #[test]
    fn every_kind_is_found_at_its_cheapest() {
        let run = |seed| {
            let config = MapElitesConfig::default();
            let mut archive = MapElites::new(vec![AXIS, AXIS], config, seed).unwrap();
            for _ in 0..60_000 {
                archive.step(&Ones, features);
            }
            archive
        };
        let archive = run(1);
        assert_eq!((archive.len(), archive.capacity()), (16 * 17 / 2, 256));
        for (bins, elite) in archive.cells() {
            assert_eq!(elite.cost, if bins[0] == bins[1] { 1 } else { 2 });
            assert_eq!(elite.features, [f64::from(bins[0]), f64::from(bins[1])]);
        }
        assert!(archive.cells().eq(run(1).cells()));
    }

    #[test]
    fn values_belong_to_bins() {
        let axis = Axis { least: -1.0, most: 1.0, bins: 4 };
        let bins = [-7.0, -1.0, -0.51, 0.0, 0.99, 1.0, 9.0, f64::NAN].map(|x| axis.bin(x));
        assert_eq!(bins, [0, 0, 0, 2, 3, 3, 3, 0]);
        let flat = Axis { most: -1.0, ..axis };
        let refused = MapElites::<u16>::new(vec![flat], MapElitesConfig::default(), 0);
        assert_eq!(
            refused.unwrap_err().to_string(),
            "map-elites: an axis from -1 to -1 has no width"
        );
    }
}
