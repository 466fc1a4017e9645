//! Every kernel against plain loops, and against emulations of the kernels that cannot run here.

use super::*;
use std::io::Write as _;
use unriddle_core::Rng;

/// Rows, words and units around all borders of tiles, panels and slices.
const SHAPES: [[usize; 3]; 8] = [
    [1, 1, 1],
    [2, 3, 7],
    [3, 256, 16],
    [5, 257, 17],
    [6, 513, 33],
    [11, 40, 64],
    [13, 255, 100],
    [31, 300, 65],
];

fn product<K: Kernel>(
    shape: [usize; 3],
    input: &[K::Word],
    weight: impl Fn(usize, usize) -> K::Word,
    start: K::Sum,
    kernel: impl Fn(&Packed<K::Word>, &mut Rows<'_, K::Word, K::Sum>),
) -> Vec<K::Sum> {
    let [rows, words, units] = shape;
    let packed = Packed::new(words, units, 2 * K::LANES, weight);
    let sums_stride = stride(units);
    let mut sums = Aligned::zeros(rows * sums_stride);
    sums.fill(start);
    kernel(&packed, &mut Rows { rows, input, input_stride: words, sums: &mut sums, sums_stride });
    let rows = sums.chunks_exact(sums_stride);
    rows.flat_map(|row| row[..units].to_vec()).collect()
}

/// Runs a kernel whatever the level: only for kernels without instructions of their own.
fn emulate<K: Kernel>(weights: &Packed<K::Word>, rows: &mut Rows<'_, K::Word, K::Sum>) {
    // SAFETY: it is only called with kernels without instructions of their own.
    unsafe { run::<K, false>(weights, rows, multiply::<K, false>) }
}

#[test]
fn sums_of_floats_are_fused_step_by_step() {
    let mut rng = Rng::new(1);
    for [rows, words, units] in SHAPES {
        let mut number = || (2.0 * rng.unit() - 1.0) as f32;
        let input: Vec<f32> = (0..rows * words).map(|_| number()).collect();
        let weights: Vec<f32> = (0..units * words).map(|_| number()).collect();
        let weight = |unit: usize, k: usize| weights[unit * words + k];
        let naive = |fused: bool| {
            let sum = |i: usize| {
                (0..words).fold(0.5f32, |sum, k| {
                    let (x, w) = (input[i / units * words + k], weight(i % units, k));
                    if fused { x.mul_add(w, sum) } else { x * w + sum }
                })
            };
            (0..rows * units).map(sum).collect::<Vec<_>>()
        };
        let shape = [rows, words, units];
        type Emulated = PlainF32<16, 12, true>;
        let found = product::<Emulated>(shape, &input, weight, 0.5, emulate::<Emulated>);
        assert_eq!(found, naive(true), "{shape:?}, AVX-512 emulated");
        for level in Level::all() {
            let kernel = |w: &Packed<f32>, r: &mut Rows<'_, f32, f32>| multiply_f32(level, w, r);
            let (found, fused) = match level.kind() {
                Kind::Portable => {
                    (product::<PlainF32<4, 6, FUSED>>(shape, &input, weight, 0.5, kernel), FUSED)
                }
                #[cfg(target_arch = "x86_64")]
                Kind::Avx2 => (product::<Fma256>(shape, &input, weight, 0.5, kernel), true),
                #[cfg(target_arch = "x86_64")]
                Kind::Avx512 => (product::<Fma512>(shape, &input, weight, 0.5, kernel), true),
            };
            assert_eq!(found, naive(fused), "{shape:?}, {level:?}");
        }
    }
}

#[test]
fn sums_of_bytes_are_exact_up_to_the_greatest() {
    let mut rng = Rng::new(2);
    for [rows, words, units] in SHAPES {
        // Among random bytes the greatest ones, where an instruction that saturates would differ.
        let extreme = rng.below(2) == 0;
        let inputs: Vec<u8> = (0..rows * words * 4)
            .map(|_| if extreme { 255 } else { rng.below(256) as u8 })
            .collect();
        let weights: Vec<i8> = (0..units * words * 4)
            .map(|_| match extreme {
                true if rng.below(8) == 0 => 127,
                true => -127,
                false => (rng.below(255) as i32 - 127) as i8,
            })
            .collect();
        let naive: Vec<i32> = (0..rows * units)
            .map(|i| {
                let x = inputs[i / units * words * 4..].iter();
                let w = &weights[i % units * words * 4..][..words * 4];
                7 + w.iter().zip(x).map(|(&w, &x)| i32::from(w) * i32::from(x)).sum::<i32>()
            })
            .collect();
        let four: Vec<u32> =
            inputs.as_chunks::<4>().0.iter().map(|&b| u32::from_le_bytes(b)).collect();
        let weight = |unit: usize, k: usize| {
            let at = (unit * words + k) * 4;
            u32::from_le_bytes([0, 1, 2, 3].map(|j| weights[at + j] as u8))
        };
        let shape = [rows, words, units];
        type Emulated = PlainBytes<16, 12>;
        let found = product::<Emulated>(shape, &four, weight, 7, emulate::<Emulated>);
        assert_eq!(found, naive, "{shape:?}, VNNI emulated");
        for level in Level::all() {
            let kernel = |w: &Packed<u32>, r: &mut Rows<'_, u32, i32>| multiply_bytes(level, w, r);
            let found = match level.kind() {
                Kind::Portable => product::<PlainBytes<4, 4>>(shape, &four, weight, 7, kernel),
                #[cfg(target_arch = "x86_64")]
                Kind::Avx2 => {
                    let two = |low: u16, high: u16| u32::from(low) | u32::from(high) << 16;
                    let input: Vec<u32> = inputs
                        .as_chunks::<2>()
                        .0
                        .iter()
                        .map(|&[a, b]| two(a.into(), b.into()))
                        .collect();
                    let weight = |unit: usize, k: usize| {
                        let at = unit * words * 4 + k * 2;
                        let [a, b] = [0, 1].map(|j| i16::from(weights[at + j]) as u16);
                        two(a, b)
                    };
                    product::<Madd256>([rows, words * 2, units], &input, weight, 7, kernel)
                }
                #[cfg(target_arch = "x86_64")]
                Kind::Avx512 => product::<Vnni512>(shape, &four, weight, 7, kernel),
            };
            assert_eq!(found, naive, "{shape:?}, {level:?}");
        }
    }
    if Level::all().len() < 3 {
        // Past the capture of the test runner, so that it is seen.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: the kernel of AVX-512 VNNI itself, which this CPU cannot run"
        );
    }
}
