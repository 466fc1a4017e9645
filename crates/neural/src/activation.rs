//! Activations, written so that the compiler vectorises them and every instruction set gives the
//! same bits.

use crate::architecture::{Activation, LEAK};
use crate::simd::versions;

const LOG2_E: f32 = std::f32::consts::LOG2_E;
/// ln 2 as a sum of two parts. The first has few bits, so that its multiples are exact.
const LN2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
/// Adding 1.5 · 2²³ leaves the nearest whole number in the low bits.
const ROUND: f32 = 12_582_912.0;

/// eˣ − 1 for x ≤ 0, with a relative error below 3·10⁻⁷. The result is 0 for x above 0 and for NaN.
///
/// x = n ln 2 + r. The polynomial of eʳ is taken from Cephes (Moshier 1992). The 1 is subtracted
/// last, where this costs no precision: 2ⁿ(eʳ − 1) + (2ⁿ − 1).
#[inline(always)]
pub(crate) fn exp_m1(x: f32) -> f32 {
    // e⁻⁸⁷ is the smallest power that is a normal number. NaN fails the first comparison.
    let x = if x < 0.0 { x } else { 0.0 };
    let x = if x > -87.0 { x } else { -87.0 };
    let shifted = x * LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * LN2[0] - n * LN2[1];
    let p = 1.987_569_1e-4;
    let p = p * r + 1.398_2e-3;
    let p = p * r + 8.333_452e-3;
    let p = p * r + 4.166_579_6e-2;
    let p = p * r + 1.666_666_5e-1;
    let p = p * r + 0.5;
    let p = p * (r * r) + r;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0f32.to_bits()));
    power * p + (power - 1.0)
}

/// max(0, x); 0 for NaN.
#[inline(always)]
pub(crate) fn relu(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

/// x above 0, eˣ − 1 below; 0 for NaN.
#[inline(always)]
pub(crate) fn elu(x: f32) -> f32 {
    let below = exp_m1(x);
    if x > 0.0 { x } else { below }
}

/// x above 0, 0.1 x below; 0 for NaN.
#[inline(always)]
pub(crate) fn leaky(x: f32) -> f32 {
    let below = if x < 0.0 { LEAK * x } else { 0.0 };
    if x > 0.0 { x } else { below }
}

versions! {
    /// Applies an activation to a row in place. `add` is added to the row first; it may be empty.
    pub(crate) fn activate(row: &mut [f32], add: &[f32], activation: Activation) {
        for (x, &a) in row.iter_mut().zip(add) {
            *x += a;
        }
        match activation {
            Activation::Relu => row.iter_mut().for_each(|x| *x = relu(*x)),
            Activation::Elu => row.iter_mut().for_each(|x| *x = elu(*x)),
            Activation::Leaky => row.iter_mut().for_each(|x| *x = leaky(*x)),
        }
    }
}

versions! {
    /// Dot product of two vectors, summed in 16 lanes and then from the first lane to the last.
    pub(crate) fn dot(x: &[f32], y: &[f32]) -> f32 {
        let mut lanes = [0.0f32; 16];
        let (xs, x_rest) = x.as_chunks::<16>();
        let (ys, y_rest) = y.as_chunks::<16>();
        for (x, y) in xs.iter().zip(ys) {
            for i in 0..16 {
                lanes[i] += x[i] * y[i];
            }
        }
        for (lane, (x, y)) in lanes.iter_mut().zip(x_rest.iter().zip(y_rest)) {
            *lane += x * y;
        }
        lanes.into_iter().fold(0.0, |sum, lane| sum + lane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Level;

    #[test]
    fn the_exponential_is_accurate() {
        let mut worst = 0.0f64;
        for i in 0..2_000_000 {
            let x = -(i as f32) * 5e-6;
            let (found, exact) = (f64::from(exp_m1(x)), f64::from(x).exp_m1());
            if exact != 0.0 {
                worst = worst.max(((found - exact) / exact).abs());
            }
            let exp = f64::from(x).exp();
            assert!((found + 1.0 - exp).abs() <= 1e-7, "{x}");
        }
        assert!(worst < 3e-7, "{worst}");
        for (x, y) in [
            (0.0, 0.0),
            (-0.0, 0.0),
            (-1e30, -1.0),
            (f32::NEG_INFINITY, -1.0),
            (f32::NAN, 0.0),
            (5.0, 0.0),
        ] {
            assert_eq!(exp_m1(x), y, "{x}");
        }
        assert_eq!((elu(3.5), relu(3.5), relu(f32::NAN)), (3.5, 3.5, 0.0));
        assert_eq!([3.5, -2.0, 0.0, f32::NAN].map(leaky), [3.5, -0.2, 0.0, 0.0]);
    }

    #[test]
    fn all_levels_give_the_same_bits() {
        let input: Vec<f32> = (0..1003).map(|i| (i as f32 * 0.77).sin() * 9.0).collect();
        let add: Vec<f32> = input.iter().rev().copied().collect();
        for activation in [Activation::Relu, Activation::Elu, Activation::Leaky] {
            let results = Level::all().into_iter().map(|level| {
                let mut row = input.clone();
                activate(level, &mut row, &add, activation);
                let sum = dot(level, &row, &input);
                row.push(sum);
                row.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            });
            let results: Vec<_> = results.collect();
            assert!(results.iter().all(|r| *r == results[0]));
        }
    }
}
