//! Step sizes of the weights of the first layer.
//!
//! A sum adds one weight per group, all of different inputs. It is therefore at most the sum of the
//! `groups` greatest weights, and at least the sum of the `groups` least ones. The step of a unit
//! is chosen so that both fit.
//!
//! Up to [`SURE`] groups the step follows from the greatest weight only, as if every group had a
//! weight of that size; estimates of committed networks depend on this rule. With more groups the
//! weights themselves decide. 16 bits are used if they leave the greatest weight of every unit
//! [`ENOUGH`] steps. Otherwise sums have 32 bits, which take twice the memory and time. They stay
//! within 24 bits, so that their conversion to single precision is exact, and leave any weight more
//! steps than that.

use super::direct::{Columns, MANY};
use super::scale::{Affine, SHIFT, steps};
use crate::first::{First, SHORT, Shape};

/// Groups up to which even equal weights leave 7 bits and a sign.
const SURE: usize = 256;

/// Steps that suffice for the greatest weight of a unit: 7 bits, as in the other layers.
const ENOUGH: f64 = 127.0;

/// Greatest sums: of 16 bits, and of the whole numbers that single precision represents.
const NARROW: f64 = i16::MAX as f64;
const WIDE: f64 = (1 << f32::MANTISSA_DIGITS) as f64;

/// Columns of the first layer, by the width of their sums.
pub(super) enum FirstSums {
    /// Sums of 16 bits.
    Narrow(First<i16, SHORT>),
    /// Short sums of 16 bits, of columns of bytes.
    Direct(Columns),
    /// Sums of 32 bits.
    Wide(First<i32>),
}

/// Greatest absolute sum of `groups` weights of different inputs.
fn greatest_sum(weights: &[f32], groups: usize) -> f64 {
    let mut sorted = weights.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let sum = |part: &mut dyn Iterator<Item = &f32>| {
        let weights = part.take(groups).map(|&w| f64::from(w));
        weights.sum::<f64>().abs()
    };
    let least = sum(&mut sorted.iter().take_while(|&&w| w < 0.0));
    least.max(sum(&mut sorted.iter().rev().take_while(|&&w| w > 0.0)))
}

/// Steps of the greatest weight, such that sums stay within `limit`: each weight may be rounded up
/// by half a step.
fn levels(weights: &[f32], groups: usize, limit: f64) -> f64 {
    let greatest = weights.iter().fold(0.0f32, |g, w| g.max(w.abs()));
    let sum = greatest_sum(weights, groups);
    let levels = f64::from(greatest) / sum * (limit - (groups as f64 / 2.0).ceil());
    // Zeros fit any number of steps.
    let levels = if levels.is_nan() { 1.0 } else { levels };
    levels.min(limit)
}

impl FirstSums {
    /// Columns of weights in row-major order, [units, inputs], and the step of each unit.
    pub(super) fn new(shape: Shape, weight: &[f32]) -> (Self, Vec<f32>) {
        let Shape { inputs, groups, units } = shape;
        let rows = || weight.chunks_exact(inputs);
        let zero = |row: &[f32]| row.iter().all(|&w| w == 0.0);
        let narrow: Vec<f64> = if groups <= SURE {
            vec![(i16::MAX as usize / groups) as f64; units]
        } else {
            rows().map(|row| levels(row, groups, NARROW)).collect()
        };
        let enough = |(row, &levels): (&[f32], &f64)| levels >= ENOUGH || zero(row);
        let is_narrow = groups <= SURE || rows().zip(&narrow).all(enough);
        let levels =
            if is_narrow { narrow } else { rows().map(|row| levels(row, groups, WIDE)).collect() };
        let mut scales = Vec::with_capacity(units);
        let mut columns: Vec<i32> = Vec::with_capacity(weight.len());
        for (row, levels) in rows().zip(levels) {
            let (step, quantise) = steps(row, levels);
            scales.push(step as f32);
            columns.extend(row.iter().map(|&w| quantise(w) as i32));
        }
        let column = |unit: usize, i: usize| columns[unit * inputs + i];
        let first = if is_narrow {
            Self::Narrow(First::new(shape, |u, i| column(u, i) as i16, |_| 0))
        } else {
            Self::Wide(First::new(shape, column, |_| 0))
        };
        (first, scales)
    }

    /// Columns of weights in a fraction of the step of the layer's bytes, the same for all units.
    /// Sums begin with the bias and half a step more, so that a shift rounds them to bytes. `None`
    /// if a sum may exceed 16 bits.
    pub(super) fn short(shape: Shape, weight: &[f32], bias: &[f32], to: Affine) -> Option<Self> {
        let Shape { inputs, groups, .. } = shape;
        let bytes = f64::from(to.inverse);
        let is_direct = MANY.contains(&inputs);
        let shift = if is_direct {
            Columns::shift(weight.iter().map(|&w| f64::from(w) * bytes))
        } else {
            SHIFT
        };
        let parts = bytes * f64::from(1_u32 << shift);
        let half = f64::from((1_u32 << shift) / 2);
        let of = |x: f32| f64::from(x) * parts;
        let fits = weight.chunks_exact(inputs).zip(bias).all(|(row, &bias)| {
            let sum = greatest_sum(row, groups) * parts + groups as f64 / 2.0;
            sum + of(bias).round().abs() + half <= NARROW
        });
        let column = |unit: usize, i: usize| of(weight[unit * inputs + i]);
        let start = |unit: usize| (of(bias[unit]).round() + half) as i16;
        fits.then(|| {
            if is_direct {
                Self::Direct(Columns::new(shape, column, start, shift))
            } else {
                let column = |unit: usize, i: usize| column(unit, i).round() as i16;
                Self::Narrow(First::new(shape, column, start))
            }
        })
    }

    /// Memory held, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Narrow(first) => first.bytes(),
            Self::Direct(columns) => columns.bytes(),
            Self::Wide(first) => first.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Rng;

    /// No sum of different inputs exceeds the limit, the greatest one nearly reaches it, and a
    /// weight loses at most half a step.
    #[test]
    fn steps_are_as_fine_as_sums_allow() {
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let groups = 257 + rng.below(800) as usize;
            let inputs = groups * (2 + rng.below(3) as usize);
            let weights: Vec<f32> =
                (0..inputs).map(|_| (2.0 * rng.unit() - 1.2).powi(3) as f32).collect();
            for limit in [NARROW, WIDE] {
                let (step, quantise) = steps(&weights, levels(&weights, groups, limit));
                let mut whole: Vec<i64> = weights.iter().map(|&w| quantise(w) as i64).collect();
                for (&w, &steps) in weights.iter().zip(&whole) {
                    assert!((f64::from(w) - step * steps as f64).abs() <= step * 0.5001);
                }
                whole.sort_unstable();
                let least: i64 = whole[..groups].iter().filter(|&&w| w < 0).sum();
                let most: i64 = whole.iter().rev().take(groups).filter(|&&w| w > 0).sum();
                let greatest = most.max(-least) as f64;
                assert!(greatest <= limit, "{greatest}");
                assert!(greatest >= limit - 2.0 * groups as f64, "{greatest}");
            }
        }
        assert_eq!(levels(&[0.0; 600], 300, NARROW), 1.0);
        assert_eq!(greatest_sum(&[3.0, -1.0, 2.0, -5.0, 1.0], 2), 6.0);
    }

    /// Few large weights leave 16 bits enough; equal ones of many groups do not.
    #[test]
    fn sums_are_widened_where_sixteen_bits_are_too_coarse() {
        let is_narrow = |groups: usize, weight: &dyn Fn(usize) -> f32| {
            let weights: Vec<f32> = (0..2 * groups).map(weight).collect();
            let (first, _) =
                FirstSums::new(Shape { inputs: 2 * groups, groups, units: 1 }, &weights);
            matches!(first, FirstSums::Narrow(_))
        };
        assert!(is_narrow(256, &|_| 1.0));
        assert!(!is_narrow(400, &|_| 1.0));
        assert!(is_narrow(400, &|i| f32::from(u8::from(i % 4 == 0))));
        assert!(is_narrow(5000, &|_| 0.0));
    }
}
