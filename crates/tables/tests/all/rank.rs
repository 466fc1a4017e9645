//! Properties of the numberings.

use proptest::prelude::*;
use unriddle_tables::rank::{MAX_CELLS, MAX_PIECES, Orders, Placements, Subsets, binomial};

/// Numbers of cells and pieces, and the pieces' distinct cells.
fn places() -> impl Strategy<Value = (usize, Vec<usize>)> {
    (1..=MAX_CELLS).prop_flat_map(|cells| {
        let all: Vec<usize> = (0..cells).collect();
        // Eight of 64 cells are more subsets than a rank of 32 bits has.
        let pieces = 1..=cells.min(MAX_PIECES - usize::from(cells == MAX_CELLS));
        (Just(cells), proptest::sample::subsequence(all, pieces).prop_shuffle())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn placements_round_trip((cells, places) in places()) {
        let placements = Placements::new(cells, places.len());
        let rank = placements.rank(&places);
        prop_assert!(rank < placements.count());
        prop_assert_eq!(placements.unrank(rank), places);
    }

    /// Lexicographic: the larger rank is the larger list of cells.
    #[test]
    fn placements_are_in_order((cells, places) in places(), seed: u64) {
        let placements = Placements::new(cells, places.len());
        let other = placements.unrank(seed % placements.count());
        prop_assert_eq!(placements.rank(&other), seed % placements.count());
        prop_assert_eq!(
            placements.rank(&places).cmp(&placements.rank(&other)),
            places.cmp(&other)
        );
    }

    #[test]
    fn orders_round_trip(order in (1..=MAX_PIECES).prop_flat_map(|k| {
        Just((0..k).collect::<Vec<usize>>()).prop_shuffle()
    })) {
        let orders = Orders::new(order.len());
        let rank = orders.rank(&order);
        prop_assert!(rank < orders.count());
        prop_assert_eq!(orders.unrank(rank), order);
    }
}

proptest! {
    // Preparing the tables of a numbering takes milliseconds.
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Colexicographic: as many masks rank below as there are smaller masks of the same size.
    #[test]
    fn subsets_are_ranked_like_numbers((cells, places) in places()) {
        let subsets = Subsets::new(cells, places.len());
        let mask = places.iter().fold(0u64, |mask, &c| mask | 1 << c);
        let mut sorted = places.clone();
        sorted.sort_unstable();
        let below: u64 = sorted.iter().enumerate().map(|(i, &c)| binomial(c, i + 1)).sum();
        prop_assert_eq!(subsets.rank(mask) as u64, below);
        prop_assert_eq!(subsets.count() as u64, binomial(cells, places.len()));
    }
}

#[test]
fn binomials() {
    assert_eq!((binomial(0, 0), binomial(5, 6), binomial(16, 8)), (1, 0, 12_870));
    for n in 1..=64 {
        for k in 1..=n.min(8) {
            assert_eq!(binomial(n, k), binomial(n - 1, k - 1) + binomial(n - 1, k));
        }
    }
}
