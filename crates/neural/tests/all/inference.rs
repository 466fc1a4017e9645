//! Inference against a naive one in double precision with dense inputs, and against itself: with
//! other threads, other batches, and other ways to compute the first layer.

use crate::common::{architecture, convolutions, header, rows, small};
use unriddle_core::Rng;
use unriddle_neural::architecture::Layers;
use unriddle_neural::{
    Activation, Engine, Head, Int8, Model, ModelError, Network, Precision, Ranges, RowError,
};

/// y = act(norm(W x + b) + add), as the format describes it.
fn layer(
    model: &Model,
    name: &str,
    x: &[f64],
    add: Option<&[f64]>,
    activation: Activation,
) -> Vec<f64> {
    let tensor = |part: &str| model.tensors.get(&format!("{name}.{part}"));
    let weight = tensor("weight").unwrap();
    let bias = tensor("bias").unwrap();
    (0..bias.data.len())
        .map(|unit| {
            let row = weight.data[unit * x.len()..][..x.len()].iter();
            let sum: f64 = row.zip(x).map(|(&w, x)| f64::from(w) * x).sum();
            let mut y = sum + f64::from(bias.data[unit]);
            if let Some(gamma) = tensor("gamma") {
                let of = |part: &str| f64::from(tensor(part).unwrap().data[unit]);
                let normal = (y - of("mean")) / (of("variance") + 1e-5).sqrt();
                y = normal * f64::from(gamma.data[unit]) + of("beta");
            }
            y += add.map_or(0.0, |add| add[unit]);
            match activation {
                Activation::Relu => y.max(0.0),
                Activation::Elu if y < 0.0 => y.exp() - 1.0,
                Activation::Leaky if y < 0.0 => 0.1 * y,
                _ => y,
            }
        })
        .collect()
}

/// Layer at every cell of a grid, from the cells around it, which are zeros outside of the grid.
fn on_grid(
    model: &Model,
    name: &str,
    x: &[f64],
    add: Option<&[f64]>,
    activation: Activation,
) -> Vec<f64> {
    let [rows, columns]: [usize; 2] = model.header.architecture.grid.unwrap().into();
    let each = x.len() / (rows * columns);
    let mut all = Vec::new();
    for place in 0..rows * columns {
        let mut seen = Vec::new();
        for (down, right) in (0..9).map(|tap| (tap / 3, tap % 3)) {
            // One more than the row and the column that are seen.
            let (row, column) = (place / columns + down, place % columns + right);
            let is_there = (1..=rows).contains(&row) && (1..=columns).contains(&column);
            if is_there {
                seen.extend(&x[((row - 1) * columns + column - 1) * each..][..each]);
            } else {
                seen.extend(vec![0.0; each]);
            }
        }
        let add = add.map(|add| {
            let units = add.len() / (rows * columns);
            &add[place * units..][..units]
        });
        all.extend(layer(model, name, &seen, add, activation));
    }
    all
}

fn naive(model: &Model, active: &[u32]) -> Vec<f64> {
    let architecture = &model.header.architecture;
    let mut x = vec![0.0; architecture.inputs];
    active.iter().for_each(|&i| x[i as usize] += 1.0);
    let input = x.clone();
    for (i, block) in architecture.blocks.iter().enumerate() {
        match &block.layers {
            Layers::Dense(_) => x = layer(model, &i.to_string(), &x, None, block.activation),
            Layers::Conv(_) => x = on_grid(model, &i.to_string(), &x, None, block.activation),
            Layers::Residual(units) | Layers::ResidualConv(units) => {
                let compute = if block.layers.is_conv() { on_grid } else { layer };
                let start = x.clone();
                for j in 0..units.len() {
                    let add = (j + 1 == units.len()).then_some(&start[..]);
                    x = compute(model, &format!("{i}.{j}"), &x, add, block.activation);
                }
            }
            Layers::Head(_) => {}
        }
    }
    let dot =
        |w: &[f32], x: &[f64]| -> f64 { w.iter().zip(x).map(|(&w, x)| f64::from(w) * x).sum() };
    let of = |name: &str| &model.tensors[name].data[..];
    let linear = if architecture.skip { dot(of("skip.weight"), &input) } else { 0.0 };
    let outputs = of("out.weight").chunks_exact(x.len()).zip(of("out.bias"));
    let outputs = outputs.map(|(w, &bias)| dot(w, &x) + f64::from(bias) + linear);
    outputs.collect()
}

#[test]
fn estimates_match_the_naive_network() {
    let mut rng = Rng::new(1);
    for seed in 0..90 {
        let architecture = architecture(&mut rng);
        let count = 1 + rng.below(40) as usize;
        let active = rows(&architecture, count, &mut rng);
        let model = Model::random(header(architecture), seed).unwrap();
        let network = Network::new(&model).unwrap();
        let outputs = network.head().outputs();
        let mut out = vec![0.0; count * outputs];
        network.evaluate_all(&active, &mut out, 1).unwrap();
        for (active, found) in active.chunks(network.groups()).zip(out.chunks(outputs)) {
            let exact = naive(&model, active);
            assert_eq!(exact.len(), outputs);
            for (&found, exact) in found.iter().zip(&exact) {
                let error = (f64::from(found) - exact).abs();
                let limit = 3e-5 * (1.0 + exact.abs());
                assert!(error < limit, "{found} {exact} {:?}", model.header);
            }
        }
        // The test detects exchanged outputs.
        if outputs > 1 {
            let mut model = model;
            let weights = &mut model.tensors.get_mut("out.weight").unwrap().data;
            let units = weights.len() / outputs;
            weights.rotate_left(units);
            let wrong = naive(&model, &active[..network.groups()]);
            let apart = wrong.iter().zip(&out).map(|(a, b)| (a - f64::from(*b)).abs());
            assert!(apart.fold(0.0, f64::max) > 1e-3);
        }
    }
}

/// Convolutions agree with the format's description, whatever the other rows and the number of
/// threads; 8-bit inference refuses them.
#[test]
fn convolutions_match_the_naive_network() {
    let mut rng = Rng::new(29);
    for seed in 0..20 {
        let model = Model::random(header(convolutions(&mut rng)), seed).unwrap();
        let model = Model::parse(&model.write(Precision::F32).unwrap()).unwrap();
        let network = Network::new(&model).unwrap();
        let active = rows(&model.header.architecture, 50, &mut rng);
        let mut all = vec![0.0; 50];
        network.evaluate(&active, &mut all, 1).unwrap();
        let groups = network.groups();
        for (row, &found) in active.chunks(groups).zip(&all) {
            let exact = naive(&model, row)[0];
            let error = (f64::from(found) - exact).abs();
            assert!(error < 3e-5 * (1.0 + exact.abs()), "{found} {exact}");
            let mut alone = [0.0];
            network.evaluate(row, &mut alone, 1).unwrap();
            assert_eq!(bits(&alone), bits(&[found]));
        }
        let mut threads = vec![0.0; 50];
        network.evaluate(&active, &mut threads, 3).unwrap();
        assert_eq!(bits(&threads), bits(&all));
        let ranges = Int8::calibrate(&model, &active).unwrap();
        let refused = Int8::new(&model, &ranges).unwrap_err();
        assert_eq!(refused, ModelError::Convolution("0".to_owned()));
        // Each unit is counted at each cell.
        let activity = model.activity(&active).unwrap();
        assert!(activity.iter().all(|layer| layer.share <= 1.0));
        assert!(activity[0].share > 0.0);
    }
}

/// The value of `evaluate` has the same bits as the value among all outputs, and no other output
/// counts as a value.
#[test]
fn values_are_the_same_with_and_without_actions() {
    for head in
        [Head::Value, Head::ValueAndActions(5), Head::Actions(5), Head::Policy(70), Head::Pair]
    {
        let mut model = small(Activation::Leaky).header;
        model.architecture.skip = false;
        model.architecture = model.architecture.with_head(head);
        let model = Model::random(model, 3).unwrap();
        let active = rows(&model.header.architecture, 333, &mut Rng::new(1));
        let ranges = Int8::calibrate(&model, &active).unwrap();
        let exact = Network::new(&model).unwrap();
        let bytes = Int8::new(&model, &ranges).unwrap();
        assert!(exact.head() == head && bytes.head() == head);
        for engine in [&exact as &dyn Engine, &bytes] {
            let outputs = engine.head().outputs();
            let mut all = vec![0.0; 333 * outputs];
            engine.evaluate_all(&active, &mut all, 1).unwrap();
            let mut values = vec![9.0; 333];
            let evaluated = engine.evaluate(&active, &mut values, 1);
            if head.has_value() {
                assert_eq!(evaluated, Ok(()));
                let first: Vec<f32> = all.chunks(outputs).map(|row| row[0]).collect();
                assert_eq!(bits(&values), bits(&first));
            } else {
                assert_eq!(evaluated, Err(RowError::NoValue(head)));
                assert_eq!(values, [9.0; 333]);
            }
            // Neither threads nor batches change a bit.
            for (threads, batch) in [(2, 333), (3, 100), (1, 1), (2, 193)] {
                let mut again = vec![0.0; 333 * outputs];
                let parts = active.chunks(9 * batch).zip(again.chunks_mut(batch * outputs));
                for (active, out) in parts {
                    engine.evaluate_all(active, out, threads).unwrap();
                }
                assert_eq!(bits(&again), bits(&all), "{head:?} {threads} {batch}");
            }
            if outputs > 1 {
                let error = engine.evaluate_all(&active, &mut all[1..], 1);
                let found = 333 * outputs - 1;
                assert_eq!(error, Err(RowError::Outputs { found, outputs }));
            }
            let error = engine.evaluate_all(&active, &mut all[outputs..], 1);
            assert!(matches!(error, Err(RowError::Length { .. })));
        }
    }
}

/// Units that are never active are counted.
#[test]
fn dead_units_are_counted() {
    let mut model = small(Activation::Relu);
    let active = rows(&model.header.architecture, 200, &mut Rng::new(1));
    let before = model.activity(&active).unwrap();
    assert_eq!(before[1].layer, "1");
    assert!(before.iter().all(|layer| layer.share > 0.1 && layer.share < 0.9));
    for (part, value) in [("1.gamma", 0.0), ("1.beta", -1.0)] {
        model.tensors.get_mut(part).unwrap().data[..50].fill(value);
    }
    let after = model.activity(&active).unwrap();
    assert_eq!((after[1].units, after[1].dead), (96, before[1].dead + 50));
    assert!(after[1].share < before[1].share);
    assert_eq!(after[0], before[0]);
    assert!(model.activity(&active[1..]).is_err());
}

#[test]
fn bytes_come_close_to_single_precision() {
    for activation in [Activation::Relu, Activation::Elu, Activation::Leaky] {
        let model = small(activation);
        let mut rng = Rng::new(2);
        let active = rows(&model.header.architecture, 4000, &mut rng);
        // Calibration uses other rows than the comparison.
        let (known, active) = active.split_at(2000 * 9);
        let ranges = Int8::calibrate(&model, known).unwrap();
        let (exact, bytes) = (Network::new(&model).unwrap(), Int8::new(&model, &ranges).unwrap());
        let (mut x, mut y) = (vec![0.0; 2000], vec![0.0; 2000]);
        exact.evaluate(active, &mut x, 1).unwrap();
        bytes.evaluate(active, &mut y, 1).unwrap();
        let mean = x.iter().sum::<f32>() / 2000.0;
        let spread = x.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / 2000.0;
        let error = x.iter().zip(&y).map(|(x, y)| (x - y).abs()).sum::<f32>() / 2000.0;
        // The estimates themselves differ by a few units.
        assert!(spread.sqrt() > 1.0, "{activation:?} {spread}");
        assert!(error < 0.02 * spread.sqrt(), "{activation:?} {error} {spread}");
    }
}

/// Short sums are little less exact than bytes. They are refused if a layer is not rectified, or if
/// the greatest sums of its weights, which far exceed the calibrated rows, do not fit in 16 bits.
#[test]
fn short_sums_come_close_to_single_precision() {
    let model = small(Activation::Relu);
    let active = rows(&model.header.architecture, 4000, &mut Rng::new(2));
    let (known, active) = active.split_at(2000 * 9);
    let ranges = Int8::calibrate(&model, known).unwrap();
    let exact = Network::new(&model).unwrap();
    let mut x = vec![0.0; 2000];
    exact.evaluate(active, &mut x, 1).unwrap();
    let error_of = |engine: &Int8| {
        let mut y = vec![0.0; 2000];
        engine.evaluate(active, &mut y, 1).unwrap();
        let errors = x.iter().zip(&y).map(|(x, y)| f64::from(x - y).powi(2));
        (errors.sum::<f64>() / 2000.0).sqrt()
    };
    let bytes = error_of(&Int8::new(&model, &ranges).unwrap());
    let short = error_of(&Int8::short(&model, &ranges).unwrap());
    assert!(short < 1.5 * bytes, "{short} {bytes}");

    let leaky = small(Activation::Leaky);
    let of_leaky = Int8::calibrate(&leaky, known).unwrap();
    assert!(matches!(Int8::short(&leaky, &of_leaky), Err(ModelError::Short(_))));
    // In one row almost no unit is active, so that the step of a byte is tiny.
    let narrow = Int8::calibrate(&model, &known[..9]).unwrap();
    let mut large = model.clone();
    for weight in &mut large.tensors.get_mut("0.weight").unwrap().data {
        *weight *= 1e4;
    }
    assert!(matches!(Int8::short(&large, &narrow), Err(ModelError::Short(_))));
}

#[test]
fn bytes_of_deep_residual_networks_follow_the_network() {
    let mut rng = Rng::new(9);
    for seed in 0..30 {
        let architecture = architecture(&mut rng);
        let active = rows(&architecture, 400, &mut rng);
        let model = Model::random(header(architecture), seed).unwrap();
        let ranges = Int8::calibrate(&model, &active).unwrap();
        let exact = Network::new(&model).unwrap();
        let numbers = 400 * exact.head().outputs();
        let (mut x, mut y) = (vec![0.0; numbers], vec![0.0; numbers]);
        exact.evaluate_all(&active, &mut x, 1).unwrap();
        let bytes = Int8::new(&model, &ranges).unwrap();
        bytes.evaluate_all(&active, &mut y, 1).unwrap();
        let size = x.iter().fold(0.1f32, |m, x| m.max(x.abs()));
        let error = x.iter().zip(&y).map(|(x, y)| (x - y).abs()).sum::<f32>() / numbers as f32;
        assert!(error < 0.03 * size, "{error} {size} {:?}", model.header);
    }
}

fn bits(out: &[f32]) -> Vec<u32> {
    out.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn the_bits_do_not_depend_on_threads_nor_on_batches() {
    const ROWS: usize = 1003;
    for activation in [Activation::Relu, Activation::Elu, Activation::Leaky] {
        let model = small(activation);
        let active = rows(&model.header.architecture, ROWS, &mut Rng::new(3));
        let ranges = Int8::calibrate(&model, &active).unwrap();
        let exact = Network::new(&model).unwrap();
        let bytes = Int8::new(&model, &ranges).unwrap();
        for engine in [&exact as &dyn Engine, &bytes] {
            let evaluate = |active: &[u32], out: &mut [f32], threads: usize| {
                engine.evaluate(active, out, threads).unwrap();
            };
            let mut out = vec![0.0; ROWS];
            evaluate(&active, &mut out, 1);
            let expected = bits(&out);
            for threads in [0, 2, 3, 8, 1000] {
                out.fill(0.0);
                evaluate(&active, &mut out, threads);
                assert_eq!(bits(&out), expected, "{threads} threads");
            }
            for batch in [1, 2, 5, 7, 12, 100, 191, 193] {
                out.fill(0.0);
                for (a, out) in active.chunks(9 * batch).zip(out.chunks_mut(batch)) {
                    evaluate(a, out, 2);
                }
                assert_eq!(bits(&out), expected, "batches of {batch}");
            }
        }
    }
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let model = small(Activation::Relu);
    let exact = Network::new(&model).unwrap();
    let known = rows(&model.header.architecture, 50, &mut Rng::new(5));
    let ranges = Int8::calibrate(&model, &known).unwrap();
    let bytes = Int8::new(&model, &ranges).unwrap();
    let good = &known[..18];
    let mut bad = good.to_vec();
    bad[10] = 81;
    let index = RowError::Index { row: 1, index: 81, inputs: 81 };
    let length = RowError::Length { found: 18, expected: 27 };
    let mut out = [0.0; 3];
    assert_eq!(exact.evaluate(good, &mut out, 1), Err(length));
    assert_eq!(bytes.evaluate(good, &mut out, 1), Err(length));
    assert_eq!(exact.evaluate(&bad, &mut out[..2], 1), Err(index));
    assert_eq!(bytes.evaluate(&bad, &mut out[..2], 1), Err(index));
    assert_eq!(exact.evaluate(&[], &mut [], 1), Ok(()));
    assert_eq!(bytes.evaluate(&[], &mut [], 4), Ok(()));
    assert!(Int8::calibrate(&model, &bad).is_err());
    // The same index in every group overflows nothing that panics.
    bytes.evaluate(&[7; 9], &mut out[..1], 1).unwrap();
}

/// The same range of three layers.
fn of(greatest: f32, least: f32) -> Ranges {
    Ranges { greatest: vec![greatest; 3], least: vec![least; 3] }
}

#[test]
fn ranges_are_kept_in_the_file() {
    let mut model = small(Activation::Elu);
    assert_eq!(Ranges::of(&model), None);
    let active = rows(&model.header.architecture, 300, &mut Rng::new(6));
    let ranges = Int8::calibrate(&model, &active).unwrap();
    assert!(ranges.greatest.iter().all(|&r| r > 0.0));
    assert_eq!(ranges.least, [-1.0; 3]);
    ranges.store(&mut model);
    let again = Model::parse(&model.write(Precision::F32).unwrap()).unwrap();
    assert_eq!(Ranges::of(&again), Some(ranges.clone()));
    let mut short = ranges.clone();
    short.least.pop();
    assert!(Int8::new(&model, &short).is_err());
    let wild = of(f32::NAN, 0.0);
    assert!(Int8::new(&model, &wild).is_err());
    // Leaky rectifiers also have a least activation.
    let mut leaky = small(Activation::Leaky);
    let ranges = Int8::calibrate(&leaky, &active).unwrap();
    assert!(ranges.least.iter().all(|&r| r < 0.0));
    ranges.store(&mut leaky);
    assert_eq!(leaky.tensors["1.range"].shape, [2]);
    let again = Model::parse(&leaky.write(Precision::F32).unwrap()).unwrap();
    assert_eq!(Ranges::of(&again), Some(ranges));
    // Nothing to calibrate with.
    let none = Int8::calibrate(&model, &[]).unwrap();
    assert!(Int8::new(&model, &none).is_err());
}

#[test]
fn wild_weights_are_refused_or_computed_with_but_never_panic() {
    for (part, value) in [
        ("0.weight", 3e38),
        ("1.weight", -3e38),
        ("2.weight", 1e-45),
        ("0.gamma", 3e38),
        ("1.variance", 0.0),
        ("out.weight", 3e38),
        ("out.weight", 0.0),
        ("skip.weight", 3e38),
        ("skip.weight", 0.0),
        ("0.weight", 0.0),
    ] {
        for activation in [Activation::Elu, Activation::Leaky] {
            let mut model = small(activation);
            model.tensors.get_mut(part).unwrap().data.fill(value);
            let active = rows(&model.header.architecture, 20, &mut Rng::new(7));
            let mut out = [0.0; 20];
            if let Ok(network) = Network::new(&model) {
                network.evaluate(&active, &mut out, 1).unwrap();
            }
            for ranges in [
                Int8::calibrate(&model, &active).ok(),
                Some(of(0.0, 0.0)),
                Some(of(f32::MAX, f32::MIN)),
                Some(of(f32::MIN, f32::MAX)),
            ] {
                if let Some(Ok(network)) = ranges.map(|ranges| Int8::new(&model, &ranges)) {
                    network.evaluate(&active, &mut out, 1).unwrap();
                }
            }
        }
    }
}
