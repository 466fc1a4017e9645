//! Losses, and their derivatives by the outputs of a batch.
//!
//! These are plain loops over the outputs. The trainers compute the gradients of the weights from
//! the derivatives.

use crate::head::Head;

/// Loss of rows with one target each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Loss {
    /// Mean of the squared errors.
    Squared,
    /// Half the squared error up to this error, and linear beyond it (Huber).
    Huber(f32),
    /// Mean of the squared errors, with the squares of overestimates multiplied by this factor.
    Lopsided(f32),
}

/// Targets of a batch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Targets<'a> {
    /// Target of each row.
    Values(&'a [f32]),
    /// Number of rows of each group, one group after the other. The first row of a group should
    /// have the least output of its group.
    ///
    /// The loss is the cross-entropy of the groups' softmax over negated outputs. For groups of two
    /// rows it is the loss of RankNet (C. Burges et al., "Learning to rank using gradient descent",
    /// ICML 2005, equation 3).
    Choices(&'a [u32]),
}

impl Targets<'_> {
    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Choices(sizes) => sizes.iter().map(|&size| size as usize).sum(),
        }
    }
}

/// Targets of the outputs of a batch, of the kind that fits the network's [`Head`].
///
/// Costs that are [NaN](f32::NAN) are unknown and have no loss.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Labels<'a> {
    /// Values of states, or choices between states, for [`Head::Value`].
    Value(Targets<'a>),
    /// Cost of every action of every row, row after row, for [`Head::Actions`]. The loss is the
    /// mean over all known costs.
    Actions(&'a [f32]),
    /// Number of the right action of each row, or of the nearer state, for [`Head::Policy`] and
    /// [`Head::Pair`]. The loss is the cross-entropy.
    Policy(&'a [u32]),
    /// Probability of every action of every row, row after row, for [`Head::Policy`]. The loss is
    /// the cross-entropy. Actions with NaN are illegal, and excluded from the softmax.
    Distribution(&'a [f32]),
    /// Values and costs of actions, for [`Head::ValueAndActions`]. The loss is the mean loss of the
    /// values plus `weight` times the mean loss of the actions.
    ValueAndActions {
        /// The value of each row.
        values: &'a [f32],
        /// The cost of every action of every row, row after row.
        actions: &'a [f32],
        /// Weight of the mean loss of the actions.
        weight: f32,
    },
}

impl<'a> From<Targets<'a>> for Labels<'a> {
    fn from(targets: Targets<'a>) -> Self {
        Self::Value(targets)
    }
}

impl Labels<'_> {
    /// Panics if the labels do not fit the head and the number of rows.
    pub(super) fn assert_fit(&self, head: Head, rows: usize) {
        let lengths: &[(usize, usize)] = match (*self, head) {
            (Self::Value(targets), Head::Value) => &[(targets.rows(), 1)],
            (Self::Actions(actions), Head::Actions(k)) => &[(actions.len(), k)],
            (Self::Policy(right), Head::Policy(_) | Head::Pair) => {
                let k = head.outputs();
                let action = right.iter().find(|&&action| action as usize >= k);
                assert!(action.is_none(), "action {action:?} of a policy of {k}");
                &[(right.len(), 1)]
            }
            (Self::Distribution(shares), Head::Policy(k)) => &[(shares.len(), k)],
            (Self::ValueAndActions { values, actions, .. }, Head::ValueAndActions(k)) => {
                &[(values.len(), 1), (actions.len(), k)]
            }
            _ => panic!("labels of another head than the network's {head:?}"),
        };
        for (length, each) in lengths {
            assert_eq!(*length, rows * each, "a label for each output of {rows} rows");
        }
    }
}

/// Sum of losses and their number.
#[derive(Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, (loss, slope): (f32, f32)) -> f32 {
        self.sum += f64::from(loss);
        self.count += 1;
        slope
    }
    fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
    fn share(&self) -> f32 {
        1.0 / self.count.max(1) as f32
    }
}

impl Loss {
    /// The mean loss of all outputs of the rows, and its derivative by each of them.
    pub(super) fn of_labels(
        self,
        outputs: &[f32],
        head: Head,
        labels: Labels<'_>,
    ) -> (f32, Vec<f32>) {
        let width = head.outputs();
        match labels {
            Labels::Value(targets) => self.of(outputs, targets),
            Labels::Actions(actions) => {
                let mut mean = Mean::default();
                let slopes = outputs.iter().zip(actions);
                let slopes = slopes.map(|(output, cost)| self.of_known(*output, *cost, &mut mean));
                let mut slopes: Vec<f32> = slopes.collect();
                slopes.iter_mut().for_each(|slope| *slope *= mean.share());
                (mean.mean() as f32, slopes)
            }
            Labels::ValueAndActions { values, actions, weight } => {
                let (mut of_values, mut of_actions) = (Mean::default(), Mean::default());
                let mut slopes = Vec::with_capacity(outputs.len());
                let rows = outputs.chunks_exact(width).zip(values);
                for ((outputs, value), costs) in rows.zip(actions.chunks_exact(width - 1)) {
                    slopes.push(self.of_known(outputs[0], *value, &mut of_values));
                    for (output, cost) in outputs[1..].iter().zip(costs) {
                        slopes.push(self.of_known(*output, *cost, &mut of_actions));
                    }
                }
                let (value, action) = (of_values.share(), weight * of_actions.share());
                for slopes in slopes.chunks_exact_mut(width) {
                    slopes[0] *= value;
                    slopes[1..].iter_mut().for_each(|slope| *slope *= action);
                }
                let loss = of_values.mean() + f64::from(weight) * of_actions.mean();
                (loss as f32, slopes)
            }
            Labels::Policy(right) => cross_entropy(outputs, &certain(right, width), width),
            Labels::Distribution(shares) => cross_entropy(outputs, shares, width),
        }
    }

    /// The loss of an output whose target may be NaN, and its derivative.
    fn of_known(self, output: f32, target: f32, mean: &mut Mean) -> f32 {
        if target.is_nan() { 0.0 } else { mean.add(self.of_error(output - target)) }
    }

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

/// Rows of `width` probabilities: 1 for the right action, 0 for the others.
pub(super) fn certain(right: &[u32], width: usize) -> Vec<f32> {
    let mut shares = vec![0.0; right.len() * width];
    for (row, &action) in right.iter().enumerate() {
        shares[row * width + action as usize] = 1.0;
    }
    shares
}

/// Mean cross-entropy of rows of `width` probabilities and the softmax of logits, and its
/// derivatives. Probabilities that are NaN are excluded.
fn cross_entropy(outputs: &[f32], shares: &[f32], width: usize) -> (f32, Vec<f32>) {
    let rows = (outputs.len() / width).max(1) as f32;
    let (mut sum, mut slopes) = (0.0, Vec::with_capacity(outputs.len()));
    for (logits, shares) in outputs.chunks_exact(width).zip(shares.chunks_exact(width)) {
        let known = || logits.iter().zip(shares).filter(|(_, share)| !share.is_nan());
        let greatest = known().fold(f32::NEG_INFINITY, |most, (logit, _)| most.max(*logit));
        let all: f32 = known().map(|(logit, _)| (logit - greatest).exp()).sum();
        let logarithm = greatest + all.ln();
        let total: f32 = known().map(|(_, share)| share).sum();
        sum += known().map(|(logit, share)| f64::from(share * (logarithm - logit))).sum::<f64>();
        slopes.extend(logits.iter().zip(shares).map(|(logit, share)| {
            if share.is_nan() {
                0.0
            } else {
                (total * (logit - greatest).exp() / all - share) / rows
            }
        }));
    }
    ((sum / f64::from(rows)) as f32, slopes)
}

/// Adds minus the logarithm of the first output's share in the softmax of the negated outputs, and
/// its derivatives times `weight`.
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
    fn slopes_match_the_loss() {
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
            // The same targets as labels have the same derivatives.
            let same = loss.of_labels(&outputs, Head::Value, targets.into());
            assert_eq!(same.1, slopes);
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

    /// The same for the labels of each head, with unknown costs.
    #[test]
    fn slopes_match_the_loss_for_each_head() {
        let outputs = [3.0, -1.5, 0.25, 7.0, 2.0, 2.5, -4.0, 1.0];
        let costs = [2.5, f32::NAN, 4.0, 2.0, 2.25, f32::NAN, -9.0, f32::NAN];
        let shares = [0.2, 0.5, f32::NAN, 0.3, 0.0, 1.0, 0.0, 0.0];
        let both = Labels::ValueAndActions {
            values: &[1.0, f32::NAN],
            actions: &[0.5, f32::NAN, 9.0, 1.0, 2.0, f32::NAN],
            weight: 0.7,
        };
        let kinds = [
            (Head::Actions(4), Labels::Actions(&costs), 3),
            (Head::Policy(4), Labels::Policy(&[2, 0]), 0),
            (Head::Policy(4), Labels::Distribution(&shares), 1),
            (Head::ValueAndActions(3), both, 3),
        ];
        for (head, labels, unknown) in kinds {
            labels.assert_fit(head, 2);
            for loss in [Loss::Squared, Loss::Huber(1.0), Loss::Lopsided(3.0)] {
                let (_, slopes) = loss.of_labels(&outputs, head, labels);
                let none = slopes.iter().filter(|&&slope| slope == 0.0).count();
                assert!(none >= unknown && none < 5, "{labels:?}: {slopes:?}");
                for (i, slope) in slopes.iter().enumerate() {
                    let at = |by: f32| {
                        let mut moved = outputs;
                        moved[i] += by;
                        f64::from(loss.of_labels(&moved, head, labels).0)
                    };
                    let difference = (at(0.01) - at(-0.01)) / 0.02;
                    assert!(
                        (difference - f64::from(*slope)).abs() < 3e-3,
                        "{loss:?} {labels:?} {i}: {difference} {slope}"
                    );
                }
            }
        }
        // Without known costs there is no loss.
        let nothing = [f32::NAN; 8];
        let (loss, slopes) =
            Loss::Squared.of_labels(&outputs, Head::Actions(4), Labels::Actions(&nothing));
        assert_eq!((loss, slopes), (0.0, vec![0.0; 8]));
    }

    /// Two equal logits have probability one half each; a certain right action has no loss.
    #[test]
    fn policies_are_cross_entropies() {
        let of =
            |outputs: &[f32], labels| Loss::Squared.of_labels(outputs, Head::Policy(2), labels);
        let (loss, slopes) = of(&[1.0, 1.0], Labels::Policy(&[1]));
        assert!((loss - 2f32.ln()).abs() < 1e-6);
        assert_eq!(slopes, [0.5, -0.5]);
        let (loss, _) = of(&[1000.0, 0.0], Labels::Policy(&[0]));
        assert_eq!(loss, 0.0);
        // Only one action is legal.
        let (loss, slopes) = of(&[1.0, 7.0], Labels::Distribution(&[1.0, f32::NAN]));
        assert_eq!((loss, slopes), (0.0, vec![0.0, 0.0]));
    }

    /// The loss of a pair is ln(1 + exp(first - second)), however large the outputs are; a group of
    /// one row has no loss.
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
