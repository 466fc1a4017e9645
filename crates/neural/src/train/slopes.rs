//! Losses and their derivatives on the device of the network, so that a step reads nothing back.

use burn::tensor::{Tensor, TensorData, activation, backend::Backend};

use super::loss::{Labels, Loss, Targets, certain};
use crate::framework::tensors::floats;
use crate::head::Head;

/// Loss of a step.
#[derive(Debug)]
pub(super) enum StepLoss<B: Backend> {
    /// Loss on the device.
    Device(Tensor<B, 1>),
    /// Loss computed on the CPU.
    Cpu(f32),
}

impl<B: Backend> StepLoss<B> {
    /// Losses as numbers. All losses on the device are read in one transfer.
    pub(super) fn read(all: Vec<Self>) -> Vec<f32> {
        let on_device = all.iter().filter_map(|loss| match loss {
            Self::Device(loss) => Some(loss.clone()),
            Self::Cpu(_) => None,
        });
        let on_device: Vec<_> = on_device.collect();
        let read =
            if on_device.is_empty() { Vec::new() } else { floats(Tensor::cat(on_device, 0)) };
        let mut read = read.into_iter();
        let number = |loss| match loss {
            Self::Cpu(loss) => loss,
            Self::Device(_) => read.next().expect("a number for each loss"),
        };
        all.into_iter().map(number).collect()
    }
}

/// Mean loss of all outputs of rows, and its derivative by each of them: the same as
/// [`Loss::of_labels`], but with sums in another order.
///
/// Choices among groups of several sizes are computed on the CPU.
pub(super) fn of_labels<B: Backend>(
    loss: Loss,
    outputs: Tensor<B, 2>,
    head: Head,
    labels: Labels<'_>,
) -> (StepLoss<B>, Tensor<B, 2>) {
    let [rows, width] = outputs.dims();
    let device = outputs.device();
    let tensor = |numbers: Vec<f32>| {
        Tensor::<B, 2>::from_data(TensorData::new(numbers, [rows, width]), &device)
    };
    match labels {
        Labels::Value(Targets::Values(values)) => {
            let weights = vec![1.0 / rows.max(1) as f32; rows];
            of_errors(loss, outputs, tensor(values.to_vec()), tensor(weights))
        }
        Labels::Value(Targets::Choices(_)) => {
            let (loss, slopes) = loss.of_labels(&floats(outputs), head, labels);
            (StepLoss::Cpu(loss), tensor(slopes))
        }
        Labels::Actions(costs) => {
            let share = share_of_known(costs);
            let weights = costs.iter().map(|cost| known(*cost) * share).collect();
            of_errors(loss, outputs, tensor(filled(costs)), tensor(weights))
        }
        Labels::ValueAndActions { values, actions, weight } => {
            let (value, action) = (share_of_known(values), weight * share_of_known(actions));
            let (mut targets, mut weights) = (Vec::new(), Vec::new());
            for (of_value, of_actions) in values.iter().zip(actions.chunks_exact(width - 1)) {
                for (target, share) in std::iter::once((of_value, value))
                    .chain(of_actions.iter().map(|cost| (cost, action)))
                {
                    targets.push(if target.is_nan() { 0.0 } else { *target });
                    weights.push(known(*target) * share);
                }
            }
            of_errors(loss, outputs, tensor(targets), tensor(weights))
        }
        Labels::Policy(right) => cross_entropy(outputs, tensor(certain(right, width)), None),
        Labels::Distribution(shares) => {
            let legal = shares.iter().map(|share| known(*share)).collect();
            cross_entropy(outputs, tensor(filled(shares)), Some(tensor(legal)))
        }
    }
}

/// 1 for a number, 0 for NaN.
fn known(number: f32) -> f32 {
    f32::from(u8::from(!number.is_nan()))
}

/// Reciprocal of the count of known numbers.
fn share_of_known(numbers: &[f32]) -> f32 {
    let count = numbers.iter().filter(|number| !number.is_nan()).count();
    1.0 / count.max(1) as f32
}

/// The numbers with 0 for unknown ones.
fn filled(numbers: &[f32]) -> Vec<f32> {
    let number = |number: &f32| if number.is_nan() { 0.0 } else { *number };
    numbers.iter().map(number).collect()
}

/// The weighted sum of the losses of errors.
fn of_errors<B: Backend>(
    loss: Loss,
    outputs: Tensor<B, 2>,
    targets: Tensor<B, 2>,
    weights: Tensor<B, 2>,
) -> (StepLoss<B>, Tensor<B, 2>) {
    let errors = outputs - targets;
    let (losses, slopes) = match loss {
        Loss::Squared => (errors.clone().square(), errors.mul_scalar(2.0)),
        Loss::Lopsided(over) => {
            let factor = errors.clone().greater_elem(0.0).float();
            let factor = factor.mul_scalar(over - 1.0).add_scalar(1.0);
            let slopes = errors.clone() * factor.clone();
            (errors.square() * factor, slopes.mul_scalar(2.0))
        }
        Loss::Huber(bound) => {
            let near = errors.clone().clamp(-bound, bound);
            let beyond = (errors - near.clone()).abs().mul_scalar(bound);
            (near.clone().square().mul_scalar(0.5) + beyond, near)
        }
    };
    let sum = (losses * weights.clone()).sum();
    (StepLoss::Device(sum), slopes * weights)
}

/// Mean cross-entropy of rows of probabilities and the softmax of logits, among legal actions.
fn cross_entropy<B: Backend>(
    outputs: Tensor<B, 2>,
    shares: Tensor<B, 2>,
    legal: Option<Tensor<B, 2>>,
) -> (StepLoss<B>, Tensor<B, 2>) {
    let [rows, _] = outputs.dims();
    let rows = rows.max(1) as f32;
    let logits = match &legal {
        None => outputs,
        // Far below all logits, but finite: zero times infinity would be NaN.
        Some(legal) => {
            let barred = legal.clone().equal_elem(0.0);
            outputs.mask_fill(barred, -1e30)
        }
    };
    let logarithms = activation::log_softmax(logits, 1);
    let sum = (shares.clone() * logarithms.clone()).sum();
    let totals = shares.clone().sum_dim(1);
    let mut slopes = logarithms.exp() * totals - shares;
    if let Some(legal) = legal {
        slopes = slopes * legal;
    }
    (StepLoss::Device(sum.mul_scalar(-1.0 / rows)), slopes.mul_scalar(1.0 / rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn_flex::Flex;

    /// Losses and slopes on the device agree with plain loops, for each kind of labels and each
    /// loss.
    #[test]
    fn losses_match_plain_loops() {
        let outputs = [3.0, -1.5, 0.25, 7.0, 2.0, 2.5, -4.0, 1.0];
        let nan = f32::NAN;
        let costs = [2.5, nan, 4.0, 2.0, 2.25, nan, -9.0, nan];
        let shares = [0.2, 0.5, nan, 0.3, 0.0, 1.0, 0.0, 0.0];
        let both = Labels::ValueAndActions {
            values: &[1.0, nan],
            actions: &[0.5, nan, 9.0, 1.0, 2.0, nan],
            weight: 0.7,
        };
        let (values, sizes) = ([2.5, -1.0, 4.0, 2.0, 2.25, 0.0, -9.0, 1.0], [3, 1, 4]);
        let kinds = [
            (Head::Value, Labels::Value(Targets::Values(&values))),
            (Head::Value, Labels::Value(Targets::Choices(&sizes))),
            (Head::Actions(4), Labels::Actions(&costs)),
            (Head::Actions(4), Labels::Actions(&[nan; 8])),
            (Head::Policy(4), Labels::Policy(&[2, 0])),
            (Head::Policy(4), Labels::Distribution(&shares)),
            (Head::Policy(4), Labels::Distribution(&[nan; 8])),
            (Head::ValueAndActions(3), both),
        ];
        for (head, labels) in kinds {
            for loss in [Loss::Squared, Loss::Huber(1.0), Loss::Lopsided(3.0)] {
                let width = head.outputs();
                let data = TensorData::new(outputs.to_vec(), [8 / width, width]);
                let outputs_here = Tensor::<Flex, 2>::from_data(data, &Default::default());
                let (found, slopes) = of_labels(loss, outputs_here, head, labels);
                let found = StepLoss::read(vec![found, StepLoss::Cpu(7.0)]);
                let (number, expected) = loss.of_labels(&outputs, head, labels);
                let close = |a: f32, b: f32| (a - b).abs() <= 1e-5 * (1.0 + b.abs());
                assert!(close(found[0], number), "{labels:?} {loss:?}: {found:?} {number}");
                assert_eq!(found[1], 7.0);
                let slopes = floats(slopes);
                let mut pairs = slopes.iter().zip(&expected);
                assert!(
                    slopes.len() == 8 && pairs.all(|(&a, &b)| close(a, b)),
                    "{labels:?} {loss:?}: {slopes:?} {expected:?}"
                );
            }
        }
    }
}
