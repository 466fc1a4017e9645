//! Inference in bytes against the documented arithmetic, written out plainly: the same bits for
//! every head, for leaky rectifiers, and for more groups than 16-bit sums can hold.

use crate::common::{header, rows};
use unriddle_core::Rng;
use unriddle_neural::{
    Activation, Architecture, Block, Engine as _, Head, Int8, Model, Network, Ranges,
};

/// Whole steps of weights, and the step: the greatest weight is `levels` of them.
fn steps(weights: &[f32], levels: f64) -> (f64, Vec<i64>) {
    let greatest = weights.iter().fold(0.0f32, |g, w| g.max(w.abs()));
    let step = match f64::from(greatest) / levels {
        0.0 => 1.0,
        step => step,
    };
    let whole = weights.iter().map(|&w| (f64::from(w) / step).round() as i64);
    (step, whole.collect())
}

/// Steps of the greatest weight of a unit of the first layer.
fn levels(weights: &[f32], groups: usize, room: f64) -> f64 {
    let mut sorted: Vec<f64> = weights.iter().map(|&w| f64::from(w)).collect();
    sorted.sort_by(f64::total_cmp);
    let least: f64 = sorted.iter().take(groups).filter(|&&w| w < 0.0).sum();
    let rest = sorted.iter().rev().take(groups);
    let most: f64 = rest.filter(|&&w| w > 0.0).sum();
    let greatest = sorted.iter().fold(0.0, |g: f64, w| g.max(w.abs()));
    greatest / most.max(-least) * (room - groups.div_ceil(2) as f64)
}

/// Whether the first layer's sums take 32 bits, and the steps of each unit's greatest weight.
fn first_levels(weights: &[f32], inputs: usize, groups: usize) -> (bool, Vec<f64>) {
    let of = |room: f64| {
        let rows = weights.chunks(inputs);
        rows.map(move |row| levels(row, groups, room)).collect()
    };
    if groups <= 256 {
        let same = f64::from(32_767 / groups as u32);
        return (false, vec![same; weights.len() / inputs]);
    }
    let narrow: Vec<f64> = of(32_767.0);
    if narrow.iter().all(|&levels| levels >= 127.0) {
        (false, narrow)
    } else {
        (true, of(16_777_216.0))
    }
}

/// All outputs of a network of dense layers without normalisation.
fn plain(model: &Model, ranges: &Ranges, row: &[u32]) -> Vec<f32> {
    let architecture = &model.header.architecture;
    let tensor = |name: String| &model.tensors[&name].data[..];
    let mut bytes: Vec<i64> = Vec::new();
    // Scale and offset of the numbers that bytes represent.
    let (mut scale, mut offset) = (0.0f32, 0.0f32);
    for (l, layer) in architecture.layers().iter().enumerate() {
        let (weight, bias) =
            (tensor(format!("{}.weight", layer.name)), tensor(format!("{}.bias", layer.name)));
        let (_, first) = first_levels(weight, layer.inputs, architecture.groups);
        let sums = weight.chunks(layer.inputs).zip(bias).enumerate();
        let sums = sums.map(|(unit, (weight, &bias))| {
            if l == 0 {
                let (step, whole) = steps(weight, first[unit]);
                let sum: i64 = row.iter().map(|&i| whole[i as usize]).sum();
                return sum as f32 * step as f32 + bias;
            }
            let (step, whole) = steps(weight, 127.0);
            let sum: i64 = whole.iter().zip(&bytes).map(|(w, x)| w * x).sum();
            let all: i64 = whole.iter().sum();
            let bias = f64::from(bias) + f64::from(offset) * step * all as f64;
            sum as f32 * (step * f64::from(scale)) as f32 + bias as f32
        });
        let active = sums.map(|x| match layer.activation {
            Activation::Leaky if x < 0.0 => 0.1 * x,
            _ => x.max(0.0),
        });
        let active: Vec<f32> = active.collect();
        offset = match layer.activation {
            Activation::Leaky => ranges.least[l],
            _ => 0.0,
        };
        scale = (ranges.greatest[l] - offset) / 255.0;
        let byte = |x: &f32| {
            let steps = ((x - offset) * (1.0 / scale)).clamp(0.0, 255.0);
            steps.round_ties_even() as i64
        };
        bytes = active.iter().map(byte).collect();
    }
    let linear = if architecture.skip {
        let most = f64::from(1 << 30) / architecture.groups as f64;
        let (step, whole) = steps(tensor("skip.weight".into()), most);
        let sum: i64 = row.iter().map(|&i| whole[i as usize]).sum();
        sum as f32 * step as f32
    } else {
        0.0
    };
    let weights = tensor("out.weight".into()).chunks(bytes.len());
    let outputs = weights.zip(tensor("out.bias".into())).map(|(weight, bias)| {
        let total: f64 = weight.iter().map(|w| f64::from(w.abs())).sum();
        let greatest = weight.iter().fold(0.0f32, |g, w| g.max(w.abs()));
        let room = f64::from(i32::MAX) / 255.0 - weight.len() as f64;
        let most = (f64::from(greatest) * room / total).clamp(1.0, 32_767.0);
        let (step, whole) = steps(weight, most);
        let sum: i64 = whole.iter().zip(&bytes).map(|(w, x)| w * x).sum();
        let all: i64 = whole.iter().sum();
        let bias = f64::from(*bias) + f64::from(offset) * step * all as f64;
        sum as f32 * (step * f64::from(scale)) as f32 + bias as f32 + linear
    });
    outputs.collect()
}

fn model(groups: usize, values: usize, head: Head, activation: Activation, seed: u64) -> Model {
    let blocks = vec![
        Block::dense(70, Activation::Relu),
        Block::dense(33, activation),
        Block::dense(16, activation),
    ];
    let architecture =
        Architecture { inputs: groups * values, groups, grid: None, skip: head.is_cost(), blocks };
    Model::random(header(architecture.with_head(head)), seed).unwrap()
}

#[test]
fn bytes_match_the_documented_arithmetic() {
    let heads = [Head::Value, Head::Actions(12), Head::Policy(3), Head::ValueAndActions(40)];
    let mut seed = 0;
    for (groups, values) in [(9, 9), (100, 7), (256, 2), (257, 2), (400, 7), (700, 3)] {
        for head in heads {
            for activation in [Activation::Relu, Activation::Leaky] {
                seed += 1;
                let model = model(groups, values, head, activation, seed);
                let active = rows(&model.header.architecture, 8, &mut Rng::new(seed));
                let ranges = Int8::calibrate(&model, &active[..4 * groups]).unwrap();
                let network = Int8::new(&model, &ranges).unwrap();
                let mut out = vec![0.0; 8 * head.outputs()];
                network.evaluate_all(&active, &mut out, 1).unwrap();
                for (row, found) in active.chunks(groups).zip(out.chunks(head.outputs())) {
                    let expected = plain(&model, &ranges, row);
                    let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(found), bits(&expected), "{:?}", model.header.architecture);
                }
                // Not by chance: other weights give other numbers.
                let mut other = model.clone();
                let weights = &mut other.tensors.get_mut("1.weight").unwrap().data;
                Rng::new(seed).shuffle(weights);
                assert_ne!(plain(&other, &ranges, &active[..groups]), out[..head.outputs()]);
            }
        }
    }
}

/// Sums of many groups stay close to single precision, in 16 bits and where they are widened.
#[test]
fn many_groups_lose_nothing() {
    let mut widths = [0, 0];
    for (groups, values, equal) in
        [(256, 2, false), (400, 7, false), (400, 7, true), (3000, 2, false)]
    {
        let mut model = model(groups, values, Head::Value, Activation::Leaky, 7);
        if equal {
            // The worst case of sums: weights of one size.
            let weights = &mut model.tensors.get_mut("0.weight").unwrap().data;
            weights.iter_mut().for_each(|w| *w = 0.05f32.copysign(*w));
        }
        let inputs = groups * values;
        let (is_wide, _) = first_levels(&model.tensors["0.weight"].data, inputs, groups);
        widths[usize::from(is_wide)] += 1;
        let active = rows(&model.header.architecture, 500, &mut Rng::new(1));
        let ranges = Int8::calibrate(&model, &active).unwrap();
        let (mut x, mut y) = (vec![0.0; 500], vec![0.0; 500]);
        let network = Network::new(&model).unwrap();
        network.evaluate(&active, &mut x, 1).unwrap();
        let bytes = Int8::new(&model, &ranges).unwrap();
        bytes.evaluate(&active, &mut y, 1).unwrap();
        let mean = x.iter().sum::<f32>() / 500.0;
        let spread = x.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / 500.0;
        let error = x.iter().zip(&y).map(|(x, y)| (x - y).powi(2)).sum::<f32>() / 500.0;
        let share = (error / spread).sqrt();
        assert!(share < 0.03, "{groups} groups: {share}");
        assert!(bytes.bytes() > inputs * 70 * 2 * (1 + usize::from(is_wide)));
    }
    assert!(widths[0] >= 2 && widths[1] >= 1, "{widths:?}");
}
