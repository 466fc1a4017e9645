//! What the tests of tables and of the GPU share.

use unriddle_cube::{Cube, Metric};
use unriddle_gpu::{
    Places, Small,
    small::{BEGIN, MIDDLE, SCALE, exchanged},
};

pub(crate) fn solved<const N: usize>(metric: Metric) -> Cube<N> {
    Cube::parse("", metric).unwrap()
}

/// What the GPU computes, computed here in the same precision but for the order of sums.
pub(crate) fn estimate(small: &Small, places: &Places, cells: &[u8]) -> f32 {
    let both = [cells, &places.inverted(cells)].concat();
    let [units, second, third] = small.units;
    let mut sums: Vec<i32> = small.bias.iter().map(|&x| i32::from(x) - i32::from(BEGIN)).collect();
    for (source, begin) in places.sources.iter().zip(&small.begins) {
        let place = |place, &cell: &usize| place * places.values + usize::from(both[cell]);
        let row = begin + source.cells.iter().fold(0, place);
        let row = &small.first[row * units..(row + 1) * units];
        for (unit, sum) in sums.iter_mut().enumerate() {
            *sum += i32::from(row[exchanged(unit)]) - i32::from(MIDDLE);
        }
    }
    let leaky = |x: f32, layer: usize| x.max(x * small.slopes[layer]);
    let sums: Vec<f32> = sums.into_iter().map(|x| leaky(x as f32, 0)).collect();
    let product =
        |row: &[half::f16]| row.iter().zip(&sums).map(|(w, x)| w.to_f32() * x).sum::<f32>();
    let rows = small.second.chunks_exact(units).zip(&small.tail);
    let sums: Vec<f32> = rows.map(|(row, bias)| leaky(product(row) / SCALE + bias, 1)).collect();
    let rest = &small.tail[second..];
    let (weights, rest) = rest.split_at(third * (second + 1));
    let product = |row: &[f32]| row.iter().zip(&sums).map(|(w, x)| w * x).sum::<f32>();
    let rows = weights.chunks_exact(second + 1).zip(rest);
    let inner = rows.map(|(row, bias)| leaky(product(row) + bias, 2));
    inner.zip(&rest[third..]).map(|(x, w)| x * w).sum::<f32>() + rest[2 * third]
}
