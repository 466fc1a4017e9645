//! Puzzles and estimates for the tests of tables and of the GPU.

use unriddle_cube::{Cube, Metric};
use unriddle_gpu::{
    GpuNetwork, TransitionTables,
    network::{BEGIN, MIDDLE, SCALE, exchanged},
};

pub(crate) fn solved<const N: usize>(metric: Metric) -> Cube<N> {
    Cube::parse("", metric).unwrap()
}

/// Estimate by the GPU program's arithmetic, in the same precision except for the order of sums.
pub(crate) fn estimate(network: &GpuNetwork, tables: &TransitionTables, cells: &[u8]) -> f32 {
    let both = [cells, &tables.inverted(cells)].concat();
    let [units, second, third] = network.units;
    let mut sums: Vec<i32> =
        network.bias.iter().map(|&x| i32::from(x) - i32::from(BEGIN)).collect();
    for (source, begin) in tables.sources.iter().zip(&network.begins) {
        let index = |index, &cell: &usize| index * tables.values + usize::from(both[cell]);
        let row = begin + source.cells.iter().fold(0, index);
        let row = &network.first[row * units..(row + 1) * units];
        for (unit, sum) in sums.iter_mut().enumerate() {
            *sum += i32::from(row[exchanged(unit)]) - i32::from(MIDDLE);
        }
    }
    let leaky = |x: f32, layer: usize| x.max(x * network.slopes[layer]);
    let sums: Vec<f32> = sums.into_iter().map(|x| leaky(x as f32, 0)).collect();
    let product =
        |row: &[half::f16]| row.iter().zip(&sums).map(|(w, x)| w.to_f32() * x).sum::<f32>();
    let rows = network.second.chunks_exact(units).zip(&network.tail);
    let sums: Vec<f32> = rows.map(|(row, bias)| leaky(product(row) / SCALE + bias, 1)).collect();
    let rest = &network.tail[second..];
    let (weights, rest) = rest.split_at(third * (second + 1));
    let product = |row: &[f32]| row.iter().zip(&sums).map(|(w, x)| w * x).sum::<f32>();
    let rows = weights.chunks_exact(second + 1).zip(rest);
    let inner = rows.map(|(row, bias)| leaky(product(row) + bias, 2));
    inner.zip(&rest[third..]).map(|(x, w)| x * w).sum::<f32>() + rest[2 * third]
}
