//! Similarity of candidates: the order in which islands share them among themselves.

use crate::error::{EvolveError, within};
use unriddle_core::{Breed, words};

words! {
    /// Measure of similarity between candidates.
    pub enum Similarity {
        /// Their costs, as in the paper.
        Cost = "cost",
        /// Their distance ([`Breed::distance`]): a walk from the cheapest candidate to the nearest
        /// remaining one.
        Distance = "distance",
        /// Their entropy ([`Breed::entropy`]): uniform candidates together, mixed ones together.
        Entropy = "entropy",
        /// Their number in the second eigenvector of the graph of all distances.
        Spectral = "spectral",
    }
}

/// Largest number of candidates that the graph of all distances is made of.
const MOST: usize = 1 << 12;
/// Largest number of multiplications of a vector by the graph's matrix.
const ROUNDS: usize = 300;

impl Similarity {
    /// Checks the number of candidates that are compared.
    ///
    /// # Errors
    /// [`EvolveError::BadOption`].
    pub(crate) fn validate(self, candidates: usize) -> Result<(), EvolveError> {
        match self {
            Self::Spectral => {
                within("islands", "candidates of similarity=spectral", &candidates, &1, &MOST)
            }
            _ => Ok(()),
        }
    }

    /// Orders candidates, given with their costs, so that similar ones are neighbours.
    pub(crate) fn order<B: Breed>(self, breed: &B, all: &mut [(i64, B::Genome)]) {
        all.sort_by_key(|(cost, _)| *cost);
        match self {
            Self::Cost => {}
            Self::Distance => {
                for i in 1..all.len() {
                    let distance = |j: &usize| breed.distance(&all[i - 1].1, &all[*j].1);
                    let nearest = (i..all.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
                    if let Some(nearest) = nearest {
                        // The others stay in the order of their costs.
                        all[i..=nearest].rotate_right(1);
                    }
                }
            }
            Self::Entropy => {
                let entropies: Vec<f64> =
                    all.iter().map(|(_, genome)| breed.entropy(genome)).collect();
                sort_by(all, &entropies);
            }
            Self::Spectral => {
                let places = second_eigenvector(all.len(), |i, j| {
                    (1.0 - breed.distance(&all[i].1, &all[j].1)).max(0.0)
                });
                sort_by(all, &places);
            }
        }
    }
}

/// Sorts candidates by keys, equal ones as they were.
fn sort_by<G>(all: &mut [(i64, G)], keys: &[f64]) {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
    // The new index of each candidate; candidates are swapped along the cycles of the order.
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(to, &from)| place[from] = to);
    for i in 0..place.len() {
        while place[i] != i {
            let to = place[i];
            all.swap(i, to);
            place.swap(i, to);
        }
    }
}

/// The second eigenvector of the normalised Laplacian of a graph, divided by the roots of the
/// degrees: closely connected nodes have similar numbers (J. Shi and J. Malik 2000, on normalised
/// cuts). The weights `weight(i, j)` of edges are 0 or more. The number of the first node is not
/// positive.
///
/// The function finds the second largest eigenvector of `D^{-1/2} W D^{-1/2}` by power iteration
/// without the largest one, which is known: `D^{1/2} 1`.
fn second_eigenvector(n: usize, weight: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    let mut matrix = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..i {
            let w = weight(i, j);
            (matrix[i * n + j], matrix[j * n + i]) = (w, w);
        }
    }
    let roots: Vec<f64> =
        (0..n).map(|i| matrix[i * n..][..n].iter().sum::<f64>().max(1e-12).sqrt()).collect();
    for (i, row) in matrix.chunks_mut(n.max(1)).enumerate() {
        row.iter_mut().zip(&roots).for_each(|(w, root)| *w /= root * roots[i]);
    }
    let total: f64 = roots.iter().map(|root| root * root).sum();
    let mut vector: Vec<f64> = (0..n).map(|i| i as f64 + 1.0 / (i + 1) as f64).collect();
    for _ in 0..ROUNDS {
        let along: f64 = vector.iter().zip(&roots).map(|(v, root)| v * root).sum::<f64>() / total;
        vector.iter_mut().zip(&roots).for_each(|(v, root)| *v -= along * root);
        let length = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
        if length < 1e-12 {
            // All nodes are connected alike: every order is as good.
            return vec![0.0; n];
        }
        vector.iter_mut().for_each(|v| *v /= length);
        // Half of the identity is added, so that no eigenvalue is negative.
        let next = matrix
            .chunks(n)
            .zip(&vector)
            .map(|(row, v)| 0.5 * (v + row.iter().zip(&vector).map(|(w, v)| w * v).sum::<f64>()));
        vector = next.collect();
    }
    let sign = if vector.first().is_some_and(|&v| v > 0.0) { -1.0 } else { 1.0 };
    vector.iter().zip(&roots).map(|(v, root)| sign * v / root).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::islands::tests::Ones;

    fn ordered(similarity: Similarity, words: &[u16]) -> Vec<u16> {
        let mut all: Vec<(i64, u16)> = words.iter().map(|&w| (Ones.cost(&w), w)).collect();
        similarity.order(&Ones, &mut all);
        assert!(all.iter().all(|(cost, word)| *cost == Ones.cost(word)));
        all.into_iter().map(|(_, word)| word).collect()
    }

    #[test]
    fn distances_separate_the_candidates_of_two_groups() {
        // Two groups whose costs overlap: bits of the lower byte and bits of the upper one.
        let words = [0x0007, 0x0700, 0x000f, 0x0f00, 0x001f, 0x1f00, 0x000b, 0x0b00];
        for similarity in [Similarity::Distance, Similarity::Spectral] {
            let order = ordered(similarity, &words);
            let (first, second) = order.split_at(4);
            let low = |word: &&u16| **word < 0x100;
            let lows = [first.iter().filter(low).count(), second.iter().filter(low).count()];
            assert!(lows == [4, 0] || lows == [0, 4], "{similarity:?}: {order:x?}");
        }
        let costs: Vec<u32> =
            ordered(Similarity::Cost, &words).iter().map(|word| word.count_ones()).collect();
        assert!(costs.is_sorted());
    }

    #[test]
    fn uniform_candidates_come_before_mixed_ones() {
        assert_eq!(ordered(Similarity::Entropy, &[0x00ff, 0xffff, 0x0001, 0x7fff])[3], 0x00ff);
        assert_eq!(ordered(Similarity::Entropy, &[0x00ff, 0xffff, 0x0001, 0x7fff])[0], 0xffff);
    }

    #[test]
    fn a_path_is_ordered_along_its_second_eigenvector() {
        // Nodes of a path in a mixed order: node i is number (5·i) mod 8 of the path.
        let place = |i: usize| 5 * i % 8;
        let numbers =
            second_eigenvector(8, |i, j| f64::from(u8::from(place(i).abs_diff(place(j)) == 1)));
        let mut nodes: Vec<usize> = (0..8).collect();
        nodes.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
        let places: Vec<usize> = nodes.into_iter().map(place).collect();
        assert_eq!(places, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(second_eigenvector(3, |_, _| 1.0).len(), 3);
        assert!(second_eigenvector(0, |_, _| 1.0).is_empty());
    }

    #[test]
    fn too_many_candidates_have_no_graph() {
        assert!(Similarity::Cost.validate(1 << 20).is_ok());
        assert_eq!(
            Similarity::Spectral.validate(5000).unwrap_err().to_string(),
            "islands: candidates of similarity=spectral is 5000, but must be between 1 and 4096"
        );
    }
}
