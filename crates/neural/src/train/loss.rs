//! Losses, and their derivatives by the outputs of a batch.
//!
//! Plain loops over a number for each row: the framework takes the gradient from there to the weights.

/// The loss of rows that have a target each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Loss {
    /// Mean of the squared errors.
    Squared,
    /// Half the squared error up to this error, and linear beyond it.
    Huber(f32),
    /// Mean of the squared errors, with the squares of overestimates multiplied by this factor.
    Lopsided(f32),
}

/// The targets of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Targets<'a> {
    /// A number for each row.
    Values(&'a [f32]),
    /// The number of rows of each group, one group after the other. The first row of a group is to have
    /// its least output.
    ///
    /// The loss is the cross-entropy of the groups' softmax over negated outputs; of two rows it is
    /// RankNet's (C. Burges et al., "Learning to rank using gradient descent", ICML 2005, equation
    /// 3).
    Choices(&'a [u32]),
}

impl Targets<'_> {
    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Choices(sizes) => sizes.iter().map(|&size| size as usize).sum(),
        }
    }
}

impl Loss {
    /// The mean loss of these outputs, and its derivative by each of them.
    pub(super) fn of(self, outputs: &[f32], targets: Targets<'_>) -> (f32, Vec<f32>) {
        match targets {
            Targets::Values(values) => {
                let rows = values.len().max(1) as f32;
                let mut sum = 0.0;
                let pairs = outputs.iter().zip(values);
                let slopes = pairs.map(|(output, value)| {
                    let (loss, slope) = self.of_error(output - value);
                    sum += f64::from(loss);
                    slope / rows
                });
                let slopes = slopes.collect();
                ((sum / f64::from(rows)) as f32, slopes)
            }
            Targets::Choices(sizes) => {
                let groups = sizes.len().max(1) as f32;
                let (mut sum, mut slopes) = (0.0, Vec::with_capacity(outputs.len()));
                let mut rest = outputs;
                for &size in sizes {
                    let (group, others) = rest.split_at(size as usize);
                    rest = others;
                    sum += choice(group, 1.0 / groups, &mut slopes);
                }
                ((sum / f64::from(groups)) as f32, slopes)
            }
        }
    }

    /// The loss of an error, and its derivative.
    fn of_error(self, error: f32) -> (f32, f32) {
        match self {
            Self::Squared => (error * error, 2.0 * error),
            Self::Huber(bound) => {
                let near = error.clamp(-bound, bound);
                let beyond = (error - near).abs();
                (0.5 * near * near + bound * beyond, near)
            }
            Self::Lopsided(over) => {
                let weight = if error > 0.0 { over } else { 1.0 };
                (weight * error * error, 2.0 * weight * error)
            }
        }
    }
}

/// Minus the logarithm of the first one's share in the softmax of the negated outputs; adds its
/// derivatives, times a weight.
fn choice(group: &[f32], weight: f32, slopes: &mut Vec<f32>) -> f64 {
    let least = group.iter().copied().fold(f32::INFINITY, f32::min);
    let shares = group.iter().map(|output| (least - output).exp());
    let all: f32 = shares.clone().sum();
    slopes.extend(
        (shares.enumerate()).map(|(i, share)| weight * (f32::from(u8::from(i == 0)) - share / all)),
    );
    let first = group.first().map_or(0.0, |first| first - least);
    f64::from(first + all.ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Derivatives are the limits of differences, for each loss.
    #[test]
    fn slopes_are_those_of_the_loss() {
        let outputs = [3.0, -1.5, 0.25, 7.0, 2.0, 2.5, -4.0];
        let values = [2.5, -1.0, 4.0, 2.0, 2.25, 0.0, -9.0];
        let kinds = [
            (Loss::Squared, Targets::Values(&values)),
            (Loss::Huber(1.0), Targets::Values(&values)),
            (Loss::Lopsided(3.0), Targets::Values(&values)),
            (Loss::Squared, Targets::Choices(&[2, 4, 1])),
        ];
        for (loss, targets) in kinds {
            assert_eq!(targets.rows(), outputs.len());
            let (_, slopes) = loss.of(&outputs, targets);
            for (i, slope) in slopes.iter().enumerate() {
                let at = |by: f32| {
                    let mut moved = outputs;
                    moved[i] += by;
                    f64::from(loss.of(&moved, targets).0)
                };
                let difference = (at(0.01) - at(-0.01)) / 0.02;
                assert!(
                    (difference - f64::from(*slope)).abs() < 2e-3,
                    "{loss:?} {targets:?} {i}: {difference} {slope}"
                );
            }
        }
    }

    /// The loss of a pair is ln(1 + exp(first - second)), however large they are; of one row alone it is nothing.
    #[test]
    fn pairs_are_ranked() {
        let (loss, slopes) = Loss::Squared.of(&[1.0, 3.0], Targets::Choices(&[2]));
        assert!((loss - (-2.0f32).exp().ln_1p()).abs() < 1e-6);
        assert!(slopes[0] > 0.0 && (slopes[0] + slopes[1]).abs() < 1e-7);
        let (loss, slopes) = Loss::Squared.of(&[2000.0, 0.0], Targets::Choices(&[2]));
        assert_eq!((loss, slopes), (2000.0, vec![1.0, -1.0]));
        let (loss, slopes) = Loss::Squared.of(&[5.0], Targets::Choices(&[1]));
        assert_eq!((loss, slopes), (0.0, vec![0.0]));
    }
}
