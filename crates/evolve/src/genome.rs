//! Genomes as vectors: reals in a box, and indices below n. Their variation is in
//! [`variation`](crate::variation).
//!
//! Genes never move to another index, so each gene may have bounds of its own. Every operator takes
//! time linear in the number of genes.
//!
//! Reference: A. Elyasaf, A. Hauptman, M. Sipper, "GA-FreeCell" (GECCO 2011), 3.3.1 and 3.3.5.

use crate::variation::Variation;
use serde::{Deserialize, Serialize};
use unriddle_core::{Rng, Space, SpaceError};

/// Most genes of a genome.
pub const MAX_GENES: usize = 1 << 20;

/// Vectors of reals, each within bounds of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reals {
    /// For each gene, the least value and the exclusive upper bound.
    pub bounds: Vec<(f64, f64)>,
    /// Variation of genomes.
    pub variation: Variation,
}

impl Reals {
    /// Vectors of `genes` reals in `[0, 1)`.
    #[must_use]
    pub fn unit(genes: usize) -> Self {
        Self { bounds: vec![(0.0, 1.0); genes], variation: Variation::default() }
    }

    fn fresh(&self, gene: usize, rng: &mut Rng) -> f64 {
        let (low, high) = self.bounds[gene];
        let x = low + (high - low) * rng.unit();
        // Rounding may reach the upper bound.
        if x < high { x } else { high.next_down() }
    }
}

impl Space for Reals {
    type Genome = Vec<f64>;

    fn validate(&self) -> Result<(), SpaceError> {
        self.variation.validate()?;
        check_length(self.bounds.len())?;
        for (gene, &(low, high)) in self.bounds.iter().enumerate() {
            if !(low < high && (high - low).is_finite()) {
                return Err(SpaceError(format!(
                    "gene {gene} is bounded by {low} and {high}, but its bounds must be finite and rise"
                )));
            }
        }
        Ok(())
    }

    fn check(&self, genome: &Vec<f64>) -> Result<(), SpaceError> {
        check_genes(genome.len(), self.bounds.len())?;
        for (gene, (&x, &(low, high))) in genome.iter().zip(&self.bounds).enumerate() {
            if !(low..high).contains(&x) {
                return Err(SpaceError(format!(
                    "gene {gene} is {x}, but must be at least {low} and less than {high}"
                )));
            }
        }
        Ok(())
    }

    fn random(&self, rng: &mut Rng) -> Vec<f64> {
        (0..self.bounds.len()).map(|gene| self.fresh(gene, rng)).collect()
    }

    fn mutate(&self, genome: &mut Vec<f64>, rng: &mut Rng) {
        let genes = genome.len().min(self.bounds.len());
        self.variation.mutate(&mut genome[..genes], rng, |gene, rng| self.fresh(gene, rng));
    }

    fn cross(&self, a: &mut Vec<f64>, b: &mut Vec<f64>, rng: &mut Rng) {
        self.variation.cross(a, b, rng);
    }

    /// The standard deviation of a gene over the genomes, averaged over the genes.
    fn diversity(&self, genomes: &[Vec<f64>]) -> f64 {
        spread(self.bounds.len(), genomes)
    }
}

/// The standard deviation of a gene over the vectors, averaged over the `genes` genes.
pub(crate) fn spread(genes: usize, genomes: &[Vec<f64>]) -> f64 {
    mean_over(genes, |gene| {
        let n = genomes.len().max(1) as f64;
        let genes = || genomes.iter().filter_map(|genome| genome.get(gene));
        let mean = genes().map(|x| x / n).sum::<f64>();
        genes().map(|x| (x - mean) * (x - mean) / n).sum::<f64>().sqrt()
    })
}

/// Vectors of indices below `count`: the instances of a training set. An index may occur many
/// times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Indices {
    /// Number of genes.
    pub genes: usize,
    /// Exclusive upper bound of every gene.
    pub count: u32,
    /// Variation of genomes.
    pub variation: Variation,
}

impl Space for Indices {
    type Genome = Vec<u32>;

    fn validate(&self) -> Result<(), SpaceError> {
        self.variation.validate()?;
        check_length(self.genes)?;
        if self.count == 0 {
            return Err(SpaceError("there are no indices below 0 to choose from".into()));
        }
        Ok(())
    }

    fn check(&self, genome: &Vec<u32>) -> Result<(), SpaceError> {
        check_genes(genome.len(), self.genes)?;
        match genome.iter().position(|&x| x >= self.count) {
            None => Ok(()),
            Some(gene) => Err(SpaceError(format!(
                "gene {gene} is {}, but must be less than {}",
                genome[gene], self.count
            ))),
        }
    }

    fn random(&self, rng: &mut Rng) -> Vec<u32> {
        (0..self.genes).map(|_| rng.below(u64::from(self.count)) as u32).collect()
    }

    fn mutate(&self, genome: &mut Vec<u32>, rng: &mut Rng) {
        self.variation.mutate(genome, rng, |_, rng| rng.below(u64::from(self.count)) as u32);
    }

    fn cross(&self, a: &mut Vec<u32>, b: &mut Vec<u32>, rng: &mut Rng) {
        self.variation.cross(a, b, rng);
    }

    /// The probability that two genomes, drawn independently, differ at a gene, averaged over the
    /// genes: the distance between two indices means nothing.
    fn diversity(&self, genomes: &[Vec<u32>]) -> f64 {
        let mut column: Vec<u32> = Vec::with_capacity(genomes.len());
        mean_over(self.genes, |gene| {
            column.clear();
            column.extend(genomes.iter().filter_map(|genome| genome.get(gene)));
            column.sort_unstable();
            let n = column.len().max(1) as f64;
            let same = column.chunk_by(|a, b| a == b);
            1.0 - same.map(|run| (run.len() as f64 / n).powi(2)).sum::<f64>()
        })
    }
}

fn mean_over(genes: usize, mut of: impl FnMut(usize) -> f64) -> f64 {
    (0..genes).map(|gene| of(gene) / genes as f64).sum()
}

fn check_length(genes: usize) -> Result<(), SpaceError> {
    if (1..=MAX_GENES).contains(&genes) {
        return Ok(());
    }
    Err(SpaceError(format!("a genome of {genes} genes; it must have between 1 and {MAX_GENES}")))
}

fn check_genes(found: usize, expected: usize) -> Result<(), SpaceError> {
    if found == expected {
        return Ok(());
    }
    Err(SpaceError(format!("the genome has {found} genes, but must have {expected}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variation::Crossover;

    #[test]
    fn mutation_replaces_a_tenth_of_the_genes() {
        let space = Reals::unit(9);
        let mut rng = Rng::new(1);
        let mut changed = 0;
        for _ in 0..10_000 {
            let before = space.random(&mut rng);
            let mut after = before.clone();
            space.mutate(&mut after, &mut rng);
            space.check(&after).unwrap();
            changed += before.iter().zip(&after).filter(|(a, b)| a != b).count();
        }
        assert!((8_500..9_500).contains(&changed), "{changed} of 90000");
    }

    #[test]
    fn a_single_cut_is_anywhere_between_two_genes() {
        let space = Indices { genes: 6, count: 2, variation: Variation::default() };
        let mut rng = Rng::new(2);
        let mut cuts = [0u32; 7];
        for _ in 0..5_000 {
            let (mut a, mut b) = (vec![0; 6], vec![1; 6]);
            space.cross(&mut a, &mut b, &mut rng);
            let cut = a.iter().take_while(|&&x| x == 1).count();
            assert!(a[cut..].iter().all(|&x| x == 0));
            assert!(a.iter().zip(&b).all(|(x, y)| x + y == 1));
            cuts[cut] += 1;
        }
        assert_eq!((cuts[0], cuts[6]), (0, 0));
        assert!(cuts[1..6].iter().all(|c| (850..1150).contains(c)), "{cuts:?}");
    }

    #[test]
    fn uniform_crossover_exchanges_half_of_the_genes() {
        let mut space = Reals::unit(10);
        space.variation.crossover = Crossover::Uniform;
        let mut rng = Rng::new(3);
        let mut moved = [0u32; 10];
        for _ in 0..2_000 {
            let (mut a, mut b) = (vec![0.0; 10], vec![0.5; 10]);
            space.cross(&mut a, &mut b, &mut rng);
            for (count, (x, y)) in moved.iter_mut().zip(a.iter().zip(&b)) {
                assert_eq!(x + y, 0.5);
                *count += u32::from(*x == 0.5);
            }
        }
        assert!(moved.iter().all(|c| (880..1120).contains(c)), "{moved:?}");
    }

    #[test]
    fn one_gene_has_no_cut() {
        let space = Reals::unit(1);
        let (mut a, mut b) = (vec![0.1], vec![0.2]);
        space.cross(&mut a, &mut b, &mut Rng::new(1));
        assert_eq!((a, b), (vec![0.1], vec![0.2]));
    }

    #[test]
    fn genes_stay_within_their_own_bounds() {
        let space = Reals {
            bounds: vec![(-1.0, 1.0), (5.0, 5.0f64.next_up()), (0.0, 1e300)],
            variation: Variation { gene_rate: 1.0, ..Variation::default() },
        };
        space.validate().unwrap();
        let mut rng = Rng::new(4);
        let mut genome = space.random(&mut rng);
        for _ in 0..1_000 {
            space.check(&genome).unwrap();
            space.mutate(&mut genome, &mut rng);
        }
        assert_eq!(genome[1], 5.0);
    }

    #[test]
    fn diversity_is_zero_only_among_equals() {
        let space = Reals::unit(2);
        assert_eq!(space.diversity(&[]), 0.0);
        assert_eq!(space.diversity(&[vec![0.25, 0.5], vec![0.25, 0.5]]), 0.0);
        assert_eq!(space.diversity(&[vec![0.0, 0.5], vec![0.5, 0.5]]), 0.125);
        let space = Indices { genes: 2, count: 9, variation: Variation::default() };
        assert_eq!(space.diversity(&[vec![1, 2], vec![1, 2]]), 0.0);
        assert_eq!(space.diversity(&[vec![1, 2], vec![8, 2]]), 0.25);
    }

    #[test]
    fn unsound_spaces_and_genomes_are_refused() {
        for bounds in [
            vec![],
            vec![(1.0, 1.0)],
            vec![(0.0, f64::NAN)],
            vec![(0.0, f64::INFINITY)],
            vec![(-1e308, 1e308)],
        ] {
            let variation = Variation::default();
            assert!(Reals { bounds, variation }.validate().is_err());
        }
        let mut space = Reals::unit(2);
        assert!(space.check(&vec![0.5]).is_err());
        assert!(space.check(&vec![0.5, 1.0]).is_err());
        assert!(space.check(&vec![0.5, f64::NAN]).is_err());
        space.variation.gene_rate = 1.5;
        assert_eq!(
            space.validate().unwrap_err().to_string(),
            "gene_rate is 1.5, but must be between 0 and 1"
        );
        let mut space = Indices { genes: 1, count: 0, variation: Variation::default() };
        assert!(space.validate().is_err());
        space.count = 3;
        assert!(space.check(&vec![3]).is_err());
        space.genes = 0;
        assert!(space.validate().is_err());
    }
}
