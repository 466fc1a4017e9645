//! The linear assignment problem: every row gets a column of its own, so that the sum is greatest.
//!
//! Shortest augmenting paths with potentials, *O*(n³) (H. W. Kuhn 1955, "The Hungarian method for
//! the assignment problem", Naval Research Logistics Quarterly 2; R. Jonker and A. Volgenant 1987,
//! Computing 38).

/// An assignment of columns to rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    /// The sum of the worth of all pairs.
    pub sum: i64,
    /// The dual price of each row, which proves that no assignment is worth more: `sum` is the sum
    /// of the prices and of the most that each column is worth beyond the price of a row.
    pub prices: Vec<i64>,
}

/// The assignment of one of `rows` columns to each of `rows` rows with the greatest sum of
/// `worth(row, column)`.
#[must_use]
pub(super) fn greatest(rows: usize, worth: impl Fn(usize, usize) -> i64) -> Assignment {
    const FAR: i64 = i64::MAX / 4;
    // Rows and columns are counted from 1; 0 is the start of a path.
    let (mut of_row, mut of_column) = (vec![0; rows + 1], vec![0; rows + 1]);
    let mut row_of = vec![0; rows + 1];
    for row in 1..=rows {
        row_of[0] = row;
        let mut column = 0;
        let (mut least, mut done) = (vec![FAR; rows + 1], vec![false; rows + 1]);
        let mut from = vec![0; rows + 1];
        while row_of[column] != 0 {
            done[column] = true;
            let here = row_of[column];
            let (mut step, mut next) = (FAR, 0);
            for other in 1..=rows {
                if done[other] {
                    continue;
                }
                let reduced = -worth(here - 1, other - 1) - of_row[here] - of_column[other];
                if reduced < least[other] {
                    (least[other], from[other]) = (reduced, column);
                }
                if least[other] < step {
                    (step, next) = (least[other], other);
                }
            }
            for other in 0..=rows {
                if done[other] {
                    of_row[row_of[other]] += step;
                    of_column[other] -= step;
                } else {
                    least[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            row_of[column] = row_of[from[column]];
            column = from[column];
        }
    }
    let columns = 1..=rows;
    Assignment {
        sum: columns.map(|column| worth(row_of[column] - 1, column - 1)).sum(),
        prices: of_row[1..].iter().map(|price| -price).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Rng;

    #[test]
    fn the_greatest_sum_is_found() {
        fn naive(worth: &[Vec<i64>], free: &mut Vec<usize>, row: usize) -> i64 {
            if row == worth.len() {
                return 0;
            }
            let mut best = i64::MIN;
            for i in 0..free.len() {
                let column = free.remove(i);
                best = best.max(worth[row][column] + naive(worth, free, row + 1));
                free.insert(i, column);
            }
            best
        }
        let mut rng = Rng::new(1);
        for n in [0, 1, 2, 3, 5, 6] {
            for _ in 0..30 {
                let mut row = || (0..n).map(|_| rng.below(41) as i64 - 20).collect();
                let worth: Vec<Vec<i64>> = (0..n).map(|_| row()).collect();
                let found = greatest(n, |row, column| worth[row][column]);
                assert_eq!(found.sum, naive(&worth, &mut (0..n).collect(), 0));
                let beyond = |column: usize| {
                    let rows = (0..n).map(|row| worth[row][column] - found.prices[row]);
                    rows.max().unwrap_or(0)
                };
                let bound = found.prices.iter().sum::<i64>() + (0..n).map(beyond).sum::<i64>();
                assert_eq!(found.sum, bound);
            }
        }
    }
}
