//! Conversion of sums to bytes and back, in single operations of single precision, so that all
//! levels and CPUs give the same bytes.

#[cfg(target_arch = "x86_64")]
use super::fused::rectified;
use super::scale::{Affine, SHIFT};
use crate::activation::{elu, leaky, relu};
use crate::architecture::Activation;
use crate::first::{First, Number, SHORT, Strip, Strips, SumSink, updated};
#[cfg(target_arch = "x86_64")]
use crate::simd::Kind;
use crate::simd::{Level, versions};
use crate::updates::Plan;
use std::ops::Range;

/// Added to a number below 2²³, this leaves the nearest whole number in the low bits (the even one
/// of two).
const ROUND: f32 = 8_388_608.0;

/// The nearest byte.
#[inline(always)]
fn byte(x: f32, to: Affine) -> u8 {
    let steps = (x - to.offset) * to.inverse;
    let steps = if steps > 0.0 { steps } else { 0.0 };
    let steps = if steps < 255.0 { steps } else { 255.0 };
    (steps + ROUND).to_bits() as u8
}

/// Number that a byte of a residual represents.
#[inline(always)]
fn value(byte: u8, from: Affine) -> f32 {
    f32::from(byte) * from.scale + from.offset
}

/// Conversion of a layer's sums to the bytes of its activations.
pub(crate) struct Conversion {
    /// Scale of each unit's sums.
    pub(crate) scale: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    pub(crate) activation: Activation,
    pub(crate) affine: Affine,
}

#[inline(always)]
fn each<T: Number>(
    sums: &[T],
    by: &Conversion,
    add: Option<(&[u8], Affine)>,
    to: &mut [u8],
    activation: impl Fn(f32) -> f32,
) {
    let (n, affine) = (to.len(), by.affine);
    let (sums, scale, bias) = (&sums[..n], &by.scale[..n], &by.bias[..n]);
    match add {
        None => {
            for i in 0..n {
                to[i] = byte(activation(sums[i].single() * scale[i] + bias[i]), affine);
            }
        }
        Some((add, from)) => {
            let add = &add[..n];
            for i in 0..n {
                let sum = (sums[i].single() * scale[i] + bias[i]) + value(add[i], from);
                to[i] = byte(activation(sum), affine);
            }
        }
    }
}

versions! {
    /// Converts the sums of one row to bytes: scaled, biased, a residual added, activated, rounded
    /// to the nearest byte.
    pub(crate) fn requantise[T: Number](
        sums: &[T],
        by: &Conversion,
        add: Option<(&[u8], Affine)>,
        to: &mut [u8],
    ) {
        match by.activation {
            Activation::Relu => each(sums, by, add, to, relu),
            Activation::Elu => each(sums, by, add, to, elu),
            Activation::Leaky => each(sums, by, add, to, leaky),
        }
    }
}

/// The byte of a short sum of a rectified unit.
#[inline(always)]
fn shifted(sum: i16) -> u8 {
    (sum >> SHIFT).clamp(0, 255) as u8
}

versions! {
    /// Short sums of one row to bytes.
    pub(crate) fn shift_first(sums: &[i16], to: &mut [u8]) {
        for (to, &sum) in to.iter_mut().zip(sums) {
            *to = shifted(sum);
        }
    }
}

/// Converter of short sums to bytes. The rows of `to` begin at distances of `stride`.
struct Shifted<'a> {
    to: &'a mut [u8],
    stride: usize,
}

impl SumSink<i16, SHORT> for Shifted<'_> {
    #[inline(always)]
    fn take(&mut self, strip: usize, rows: Range<usize>, sums: &[Strip<i16, SHORT>]) {
        let to = self.to[rows.start * self.stride..].chunks_mut(self.stride);
        for (Strip(sums), to) in sums.iter().zip(to) {
            let to = &mut to[strip * SHORT..][..SHORT];
            for i in 0..SHORT {
                to[i] = shifted(sums[i]);
            }
        }
    }
}

versions! {
    /// [`shift_updated`] without explicit vectors.
    fn plain_shift_updated(
        first: &First<i16, SHORT>,
        active: &[u32],
        plan: &Plan,
        strips: &mut Strips<i16, SHORT>,
        to: &mut [u8],
        stride: usize,
    ) {
        updated(first, active, plan, strips, &mut Shifted { to, stride });
    }
}

/// First layer of updated rows, whose parents have the indices `active`, as bytes of short sums.
pub(crate) fn shift_updated(
    level: Level,
    first: &First<i16, SHORT>,
    active: &[u32],
    plan: &Plan,
    strips: &mut Strips<i16, SHORT>,
    to: &mut [u8],
    stride: usize,
) {
    match level.kind() {
        // SAFETY: a level proves that the CPU has its instructions.
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 => unsafe { rectified(first, active, plan, strips, to, stride) },
        _ => plain_shift_updated(level, first, active, plan, strips, to, stride),
    }
}

versions! {
    /// Bytes as words of two 16-bit numbers.
    pub(crate) fn words_of_two(from: &[u8], to: &mut [u32]) {
        for (to, &[a, b]) in to.iter_mut().zip(from.as_chunks::<2>().0) {
            *to = u32::from(a) | u32::from(b) << 16;
        }
    }
}

versions! {
    /// Bytes as words of four.
    pub(crate) fn words_of_four(from: &[u8], to: &mut [u32]) {
        for (to, &bytes) in to.iter_mut().zip(from.as_chunks::<4>().0) {
            *to = u32::from_le_bytes(bytes);
        }
    }
}

/// Converter of sums to bytes. The rows of `to` begin at distances of `stride`.
struct Bytes<'a, F> {
    by: &'a Conversion,
    /// The activation.
    then: F,
    to: &'a mut [u8],
    stride: usize,
}

impl<F: Fn(f32) -> f32> SumSink<i16, SHORT> for Bytes<'_, F> {
    #[inline(always)]
    fn take(&mut self, strip: usize, rows: Range<usize>, sums: &[Strip<i16, SHORT>]) {
        let (begin, affine) = (strip * SHORT, self.by.affine);
        let (scale, bias) = (&self.by.scale[begin..], &self.by.bias[begin..]);
        let to = self.to[rows.start * self.stride..].chunks_mut(self.stride);
        let byte = |sum: i16, scale, bias| byte((self.then)(sum.single() * scale + bias), affine);
        match (scale.first_chunk::<SHORT>(), bias.first_chunk::<SHORT>()) {
            (Some(scale), Some(bias)) => {
                for (Strip(sums), to) in sums.iter().zip(to) {
                    let to = &mut to[begin..][..SHORT];
                    for i in 0..SHORT {
                        to[i] = byte(sums[i], scale[i], bias[i]);
                    }
                }
            }
            _ => {
                for (Strip(sums), to) in sums.iter().zip(to) {
                    for (i, (&scale, &bias)) in scale.iter().zip(bias).enumerate() {
                        to[begin + i] = byte(sums[i], scale, bias);
                    }
                }
            }
        }
    }
}

versions! {
    /// First layer of updated rows, whose parents have the indices `active`, as bytes.
    pub(crate) fn requantise_updated(
        first: &First<i16, SHORT>,
        active: &[u32],
        plan: &Plan,
        strips: &mut Strips<i16, SHORT>,
        by: &Conversion,
        to: &mut [u8],
        stride: usize,
    ) {
        match by.activation {
            Activation::Relu => {
                updated(first, active, plan, strips, &mut Bytes { by, then: relu, to, stride });
            }
            Activation::Elu => {
                updated(first, active, plan, strips, &mut Bytes { by, then: elu, to, stride });
            }
            Activation::Leaky => {
                updated(first, active, plan, strips, &mut Bytes { by, then: leaky, to, stride });
            }
        }
    }
}

versions! {
    /// The exact product of bytes and 16-bit weights, small enough not to overflow.
    pub(crate) fn dot(x: &[u8], weights: &[i16]) -> i32 {
        let products = x.iter().zip(weights).map(|(&x, &w)| i32::from(x) * i32::from(w));
        products.fold(0, i32::wrapping_add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_nearest_and_the_same_at_all_levels() {
        let sums: Vec<i32> = (0..5001).map(|i| i * 7919 % 100_003 - 50_000).collect();
        let add: Vec<u8> = (0..5001).map(|i| (i * 31 % 256) as u8).collect();
        for activation in [Activation::Relu, Activation::Elu, Activation::Leaky] {
            let affine = Affine::new(activation, -0.04, 3.0);
            let by = Conversion {
                scale: (0..5001).map(|i| 1e-5 * (1 + i % 17) as f32).collect(),
                bias: (0..5001).map(|i| (i % 13) as f32 * 0.1 - 0.5).collect(),
                activation,
                affine,
            };
            for add in [None, Some((&add[..], Affine::new(activation, -0.5, 2.0)))] {
                let results: Vec<Vec<u8>> = Level::all()
                    .into_iter()
                    .map(|level| {
                        let mut to = vec![0; 5001];
                        requantise(level, &sums, &by, add, &mut to);
                        to
                    })
                    .collect();
                assert!(results.iter().all(|r| *r == results[0]));
                for (i, &found) in results[0].iter().enumerate() {
                    let x = f64::from(sums[i]) * f64::from(by.scale[i]);
                    let x = x + f64::from(by.bias[i]);
                    let x = x + add.map_or(0.0, |(add, from)| f64::from(value(add[i], from)));
                    let y = match activation {
                        Activation::Relu => x.max(0.0),
                        _ if x > 0.0 => x,
                        Activation::Elu => x.exp_m1(),
                        Activation::Leaky => 0.1 * x,
                    };
                    let exact = (y - f64::from(affine.offset)) / f64::from(affine.scale);
                    let error = f64::from(found) - exact.clamp(0.0, 255.0);
                    assert!(error.abs() < 0.501, "{found} {exact}");
                }
            }
        }
    }

    #[test]
    fn bytes_of_no_numbers_are_bytes() {
        // A step of exactly 1.
        let affine = Affine::new(Activation::Relu, 0.0, 255.0);
        for (x, found) in [
            (f32::NAN, 0),
            (f32::INFINITY, 255),
            (f32::NEG_INFINITY, 0),
            (0.5, 0),
            (1.5, 2),
            (254.6, 255),
        ] {
            assert_eq!(byte(x, affine), found, "{x}");
        }
    }
}
