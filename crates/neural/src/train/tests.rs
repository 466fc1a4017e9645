use super::any_trainer::AnyTrainer as _;
use super::*;
use crate::architecture::{Activation, Architecture, Block, Grid};
use crate::engine::Engine as _;
use crate::framework::kernels::Kernels;
use crate::framework::layers::LayerOps;
use crate::framework::operands::{AdamStep, Conv};
use crate::framework::parameters::initial;
use crate::framework::tensors::{floats, one_hot};
use crate::head::Head;
use crate::tensor::Tensors;
use burn::backend::autodiff::checkpoint::strategy::BalancedCheckpointing;
use burn::backend::{Autodiff, Flex};
use burn::tensor::backend::Backend;
use burn::tensor::module::conv2d;
use burn::tensor::ops::ConvOptions;
use burn::tensor::{Int, Tensor, TensorData, activation};

type B = Autodiff<Flex>;

struct Draws(u64);
impl Draws {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn floats(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| (self.next() % 20_001) as f32 * 2e-4 - 2.0).collect()
    }
    fn active(&mut self, rows: usize, groups: usize, each: usize) -> Vec<u32> {
        (0..rows * groups)
            .map(|i| ((i % groups) * each + self.next() as usize % each) as u32)
            .collect()
    }
}

fn tensor<K: Backend>(draws: &mut Draws, shape: [usize; 2]) -> Tensor<K, 2> {
    let data = TensorData::new(draws.floats(shape[0] * shape[1]), shape);
    Tensor::from_data(data, &Default::default())
}

fn close(a: &[f32], b: &[f32], bound: f32) {
    assert_eq!(a.len(), b.len());
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() <= bound * (1.0 + a.abs()), "{i}: {a} {b}");
    }
}

#[test]
fn layers_and_their_gradients_match_the_framework() {
    let mut d = Draws(7);
    for units in [64, 192, 33, 1] {
        let (rows, groups, each) = (37, 5, 7);
        let ids: Vec<i32> = d.active(rows, groups, each).into_iter().map(|i| i as i32).collect();
        let ids = Tensor::<B, 2, Int>::from_data(
            TensorData::new(ids, [rows, groups]),
            &Default::default(),
        );
        let weight: Tensor<B, 2> = tensor(&mut d, [groups * each, units]);
        let gamma: Tensor<B, 2> = tensor(&mut d, [1, units]);
        let beta: Tensor<B, 2> = tensor(&mut d, [1, units]);
        let factor: Tensor<B, 2> = tensor(&mut d, [rows, units]);
        let run = |own: bool| {
            let weight = weight.clone().require_grad();
            let gamma: Tensor<B, 1> = gamma.clone().reshape([units]).require_grad();
            let beta: Tensor<B, 1> = beta.clone().reshape([units]).require_grad();
            let y = if own {
                let x = B::train_sums(weight.clone(), ids.clone());
                let (x, _) = B::train_norm(x, gamma.clone(), beta.clone(), 1e-5);
                B::train_elu(x)
            } else {
                let hot = one_hot(ids.clone(), groups * each);
                let x = hot.matmul(weight.clone());
                let x = x.clone() - x.mean_dim(0);
                let x = x.clone() / (x.square().mean_dim(0) + 1e-5).sqrt();
                let x = x * gamma.clone().unsqueeze::<2>() + beta.clone().unsqueeze::<2>();
                activation::elu(x, 1.0)
            };
            let grads = (y.clone() * factor.clone()).sum().backward();
            let mut all = floats(y);
            all.extend(floats(weight.grad(&grads).unwrap()));
            all.extend(floats(gamma.grad(&grads).unwrap()));
            all.extend(floats(beta.grad(&grads).unwrap()));
            all
        };
        close(&run(true), &run(false), 3e-5);
    }
}

/// Backend with the default kernels: only [`Autodiff`] without checkpoints has layers of its own.
type Plain = Autodiff<Flex, BalancedCheckpointing>;

impl Kernels for Plain {}

fn up<const D: usize>(x: &Tensor<Flex, D>) -> Tensor<Plain, D> {
    Tensor::from_inner(x.clone())
}

fn down<const D: usize>(x: Tensor<Plain, D>) -> Tensor<Flex, D> {
    x.inner()
}

#[test]
fn kernels_are_the_plain_ones() {
    fn same<const D: usize>(x: Tensor<Flex, D>, y: Tensor<Plain, D>) {
        close(&floats(x), &floats(down(y)), 1e-5);
    }
    let mut d = Draws(9);
    let shape = [70, 192];
    let mut t = || tensor::<Flex>(&mut d, shape);
    let (a, b, c) = (t(), t(), t());
    let positive = t().abs();
    same(Flex::elu(a.clone()), Plain::elu(up(&a)));
    let out = Flex::elu(a.clone());
    same(Flex::elu_backward(out.clone(), b.clone()), Plain::elu_backward(up(&out), up(&b)));
    same(Flex::blend(a.clone(), b.clone(), 0.3), Plain::blend(up(&a), up(&b), 0.3));
    let step = AdamStep {
        rate: 0.1,
        beta_1: 0.9,
        beta_2: 0.99,
        epsilon: 1e-3,
        decay: 0.2,
        scale: 0.7,
        correction_1: 0.3,
        correction_2: 0.2,
    };
    let slow = Plain::adam(up(&a), up(&b), [up(&c), up(&positive)], &step);
    let fast = Flex::adam(a.clone(), b.clone(), [c.clone(), positive], &step);
    for (x, y) in fast.into_iter().zip(slow) {
        same(x, y);
    }
    let vector =
        |t: &Tensor<Flex, 2>| -> Tensor<Flex, 1> { t.clone().narrow(0, 3, 1).reshape([shape[1]]) };
    let x = Flex::norm(a.clone(), vector(&b), vector(&c), 1e-5);
    let y = Plain::norm(up(&a), up(&vector(&b)), up(&vector(&c)), 1e-5);
    let (by_x, others) =
        Flex::norm_backward(b.clone(), x.normed.clone(), x.inverse.clone(), vector(&c));
    let (known_by_x, known) =
        Plain::norm_backward(up(&b), y.normed.clone(), y.inverse.clone(), up(&vector(&c)));
    same(by_x, known_by_x);
    for (x, y) in others.into_iter().zip(known) {
        same(x, y);
    }
    same(x.output, y.output);
    for (x, y) in [(x.mean, y.mean), (x.variance, y.variance)] {
        same(x, y);
    }
    // 67 is a prime above the lines of a stage.
    for lines in [1, 64, 67, 134, 3 * 4096] {
        let x = tensor::<Flex>(&mut d, [lines, 5]);
        same(Flex::column_sums(x.clone()), Plain::column_sums(up(&x)));
    }
    let (rows, groups, each) = (37, 5, 14);
    let ids: Vec<i32> = (d.active(rows, groups, each).into_iter()).map(|i| i as i32).collect();
    fn active<K: Backend>(ids: &[i32], shape: [usize; 2]) -> Tensor<K, 2, Int> {
        Tensor::from_data(TensorData::new(ids.to_vec(), shape), &Default::default())
    }
    let of = [rows, groups];
    same(Flex::sums(a.clone(), active(&ids, of)), Plain::sums(up(&a), active(&ids, of)));
    let grad = tensor::<Flex>(&mut d, [rows, shape[1]]);
    same(
        Flex::sums_backward(grad.clone(), active(&ids, of), shape[0]),
        Plain::sums_backward(up(&grad), active(&ids, of), shape[0]),
    );
    let (size, keep, device) = ([300, 400], 0.9, Default::default());
    for mask in [Flex::mask(size, keep, 5, &device), down(Plain::mask(size, keep, 5, &device))] {
        let mask = floats(mask);
        let kept = mask.iter().filter(|&&m| m > 0.0).count() as f64 / 120_000.0;
        assert!((kept - 0.9).abs() < 0.005, "{kept}");
        assert!(mask.iter().all(|&m| m == 0.0 || m == 1.0 / 0.9));
    }
}

fn everything() -> Architecture {
    let dense = |units, activation, norm, dropout| Block {
        norm,
        dropout,
        ..Block::dense(units, activation)
    };
    Architecture {
        inputs: 35,
        groups: 5,
        grid: None,
        skip: true,
        blocks: vec![
            dense(64, Activation::Elu, true, 0.1),
            dense(40, Activation::Relu, false, 0.0),
            Block::residual(&[24, 40], Activation::Relu).with_norm(),
            Block::residual(&[24, 16, 40], Activation::Elu),
        ],
    }
}

/// Convolutions with all their parts.
fn on_a_grid() -> Architecture {
    Architecture {
        inputs: 5 * 7,
        groups: 5,
        grid: Some([1, 5].into()),
        skip: true,
        blocks: vec![
            Block::conv(12, Activation::Leaky).with_norm(),
            Block::residual_conv(&[7, 12], Activation::Relu),
            Block::conv(5, Activation::Elu),
            Block::dense(9, Activation::Relu),
            Block::residual(&[4, 9], Activation::Leaky),
        ],
    }
}

/// The framework's convolution of rows of cells.
fn frameworks_conv(x: Tensor<B, 2>, weight: Tensor<B, 2>, grid: Grid) -> Tensor<B, 2> {
    let ([lines, inputs], [_, channels]) = (x.dims(), weight.dims());
    let Grid { rows, columns } = grid;
    let x = x.reshape([lines / grid.cells(), rows, columns, inputs]);
    let weight = weight.reshape([3, 3, inputs, channels]);
    let options = ConvOptions::new([1, 1], [1, 1], [1, 1], 1);
    let y = conv2d(x.permute([0, 3, 1, 2]), weight.permute([3, 2, 0, 1]), None, options);
    y.permute([0, 2, 3, 1]).reshape([lines, channels])
}

/// Three convolutions and their gradients agree: by loops, by products of the framework, and the
/// framework's own.
#[test]
fn convolutions_and_their_gradients_match_the_framework() {
    let mut d = Draws(5);
    for (states, [rows, columns], inputs, channels) in
        [(7, [3, 4], 5, 6), (1, [1, 2], 1, 1), (40, [8, 8], 32, 32)]
    {
        let grid = [rows, columns].into();
        let lines = states * rows * columns;
        let x: Tensor<B, 2> = tensor(&mut d, [lines, inputs]);
        let weight: Tensor<B, 2> = tensor(&mut d, [9 * inputs, channels]);
        let factor: Tensor<B, 2> = tensor(&mut d, [lines, channels]);
        let (x, weight) = (x.require_grad(), weight.require_grad());
        let conv = Conv { grid, products: Products::Single };
        let of_framework = frameworks_conv(x.clone(), weight.clone(), grid);
        let by_loops = B::train_conv(x.clone(), weight.clone(), conv);
        let gradients = |y: &Tensor<B, 2>| {
            let grads = (y.clone() * factor.clone()).sum().backward();
            [x.grad(&grads).unwrap(), weight.grad(&grads).unwrap()].map(floats)
        };
        let of = |t: &Tensor<B, 2>| up(&t.clone().inner());
        let by_products = Plain::conv(of(&x), of(&weight), conv);
        let (by_x, by_weight) = Plain::conv_backward(of(&factor), of(&x), of(&weight), conv, true);
        let found = [by_x.unwrap(), by_weight].map(|of| floats(down(of)));
        let expected = gradients(&of_framework);
        let outputs = floats(of_framework);
        close(&floats(by_loops.clone()), &outputs, 1e-4);
        close(&floats(down(by_products)), &outputs, 1e-4);
        for found in [gradients(&by_loops), found] {
            for (found, expected) in found.iter().zip(&expected) {
                close(found, expected, 2e-3);
            }
        }
    }
}

const ALL: Options = Options {
    loss: Loss::Huber(1.0),
    beta_1: 0.9,
    beta_2: 0.999,
    epsilon: 1e-8,
    decay: 0.01,
    clip: Some(1.0),
    momentum: 0.1,
    average: Some(0.99),
    seed: 3,
    products: Products::Single,
};

fn batches(n: usize) -> Vec<(Vec<u32>, Vec<f32>)> {
    let mut d = Draws(21);
    (0..n)
        .map(|_| {
            let active = d.active(50, 5, 7);
            let targets =
                active.chunks(5).map(|a| a.iter().map(|&i| (i % 7) as f32).sum()).collect();
            (active, targets)
        })
        .collect()
}

/// Network with random weights.
fn random(architecture: &Architecture, skip: Option<&[f32]>, options: Options) -> Trainer<B> {
    let tensors = initial(architecture, skip, 1);
    Trainer::resume(architecture, 0, &tensors, options, &Default::default()).unwrap()
}

fn train(trainer: &mut Trainer<B>, batches: &[(Vec<u32>, Vec<f32>)]) -> Vec<f32> {
    batches.iter().map(|(a, t)| trainer.step(a, Targets::Values(t), 3e-3)).collect()
}

#[test]
fn training_resumes_with_the_same_bits() {
    resumes_with_the_same_bits(&everything());
    resumes_with_the_same_bits(&on_a_grid());
}

fn resumes_with_the_same_bits(architecture: &Architecture) {
    let device = Default::default();
    let skip = vec![0.5; 35];
    let batches = batches(40);
    let mut whole = random(architecture, Some(&skip), ALL);
    let losses = train(&mut whole, &batches);
    let mut half = random(architecture, Some(&skip), ALL);
    let mut again = train(&mut half, &batches[..17]);
    let state = half.state();
    let mut rest = Trainer::<B>::resume(architecture, half.steps(), &state, ALL, &device).unwrap();
    assert_eq!(rest.state(), state);
    again.extend(train(&mut rest, &batches[17..]));
    assert_eq!(losses, again);
    assert_eq!(whole.state(), rest.state());
    assert!(losses[39] < 0.5 * losses[0], "{losses:?}");
    // Whatever the number of threads.
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut t = random(architecture, Some(&skip), ALL);
            assert_eq!(train(&mut t, &batches), losses);
            assert_eq!(t.state(), whole.state());
        });
    }
}

/// Written without the framework.
fn reference(architecture: &Architecture, tensors: &Tensors, row: &[u32]) -> f32 {
    let mut outputs: Vec<Vec<f32>> = Vec::new();
    for layer in architecture.layers() {
        let get = |part: &str| &tensors[&format!("{}.{part}", layer.name)].data;
        let one_hot = || {
            let mut x = vec![0.0; architecture.inputs];
            row.iter().for_each(|&i| x[i as usize] = 1.0);
            x
        };
        let mut y: Vec<f32> = (0..layer.cells * layer.units)
            .map(|number| {
                let (place, u) = (number / layer.units, number % layer.units);
                let w = &get("weight")[u * layer.inputs..(u + 1) * layer.inputs];
                let sum: f32 = match outputs.last() {
                    x if layer.cells > 1 => {
                        let x = x.cloned().unwrap_or_else(one_hot);
                        let each = layer.inputs / 9;
                        let around = architecture.grid.unwrap().around()[place];
                        let seen = around.iter().zip(w.chunks(each)).filter_map(|(at, w)| {
                            let x = &x[(*at)? * each..][..each];
                            Some(x.iter().zip(w).map(|(x, w)| x * w).sum::<f32>())
                        });
                        seen.sum()
                    }
                    None => row.iter().map(|&i| w[i as usize]).sum(),
                    Some(x) => x.iter().zip(w).map(|(x, w)| x * w).sum(),
                };
                let mut y = sum + get("bias")[u];
                if layer.norm {
                    y = (y - get("mean")[u]) / (get("variance")[u] + 1e-5).sqrt() * get("gamma")[u]
                        + get("beta")[u];
                }
                y
            })
            .collect();
        if let Some(back) = layer.adds {
            let x = &outputs[outputs.len() - back];
            y.iter_mut().zip(x).for_each(|(y, x)| *y += x);
        }
        y.iter_mut().for_each(|y| {
            *y = match layer.activation {
                Activation::Relu => y.max(0.0),
                Activation::Leaky => y.max(0.1 * *y),
                Activation::Elu => {
                    if *y > 0.0 {
                        *y
                    } else {
                        y.exp_m1()
                    }
                }
            };
        });
        outputs.push(y);
    }
    let last = outputs.last().unwrap();
    let mut y = tensors["out.bias"].data[0];
    y += last.iter().zip(&tensors["out.weight"].data).map(|(x, w)| x * w).sum::<f32>();
    y + row.iter().map(|&i| tensors["skip.weight"].data[i as usize]).sum::<f32>()
}

#[test]
fn exported_tensors_give_the_estimates() {
    exported(&everything());
    exported(&on_a_grid());
}

fn exported(architecture: &Architecture) {
    let device = Default::default();
    let mut trainer = random(architecture, None, ALL);
    let batches = batches(10);
    train(&mut trainer, &batches);
    for averaged in [false, true] {
        let tensors = trainer.export(averaged);
        let shapes: Vec<_> = architecture.tensors();
        assert_eq!(tensors.len(), shapes.len());
        assert!(shapes.iter().all(|(name, shape)| tensors[name].shape == *shape));
        let found = trainer.evaluate(&batches[0].0, averaged);
        let expected: Vec<f32> =
            batches[0].0.chunks(5).map(|row| reference(architecture, &tensors, row)).collect();
        close(&found, &expected, 1e-4);
        let ranges = trainer.ranges(&batches[0].0, averaged);
        assert_eq!(ranges.len(), architecture.layers().len());
        // A file with a bias before a norm is also read.
        let mut other = tensors.clone();
        let shift = Draws(5).floats(other["0.bias"].data.len());
        other.get_mut("0.bias").unwrap().data.copy_from_slice(&shift);
        let mean = &mut other.get_mut("0.mean").unwrap().data;
        mean.iter_mut().zip(&shift).for_each(|(m, s)| *m += s);
        let read = Trainer::<B>::resume(architecture, 0, &other, ALL, &device).unwrap();
        close(&read.evaluate(&batches[0].0, false), &found, 1e-4);
    }
    let mut tensors = initial(architecture, None, 1);
    tensors.remove("1.1.bias").or_else(|| tensors.remove("3.1.bias"));
    assert!(Trainer::<B>::resume(architecture, 0, &tensors, ALL, &device).is_err());
}

/// Labels of every head for rows of five groups of seven, from a function of the row. Some costs
/// are unknown.
struct RandomLabels {
    known: Vec<f32>,
    values: Vec<f32>,
    actions: Vec<f32>,
    right: Vec<u32>,
    shares: Vec<f32>,
}

const ACTIONS: usize = 3;

fn taught(active: &[u32]) -> RandomLabels {
    let mut all = RandomLabels {
        known: Vec::new(),
        values: Vec::new(),
        actions: Vec::new(),
        right: Vec::new(),
        shares: Vec::new(),
    };
    for (i, row) in active.chunks(5).enumerate() {
        let digits: Vec<u32> = row.iter().map(|i| i % 7).collect();
        let costs = [0, 1, 2].map(|a| (digits[a] + digits[4]) as f32);
        let least = costs.iter().copied().fold(f32::MAX, f32::min);
        all.known.push(least);
        all.values.push(if i % 5 == 4 { f32::NAN } else { least });
        let known = costs.iter().enumerate();
        (all.actions).extend(known.map(|(a, &c)| if (i + a) % 4 == 3 { f32::NAN } else { c }));
        let right = costs.iter().position(|&c| c == least).unwrap();
        all.right.push(right as u32);
        let best = costs.iter().filter(|&&c| c == least).count() as f32;
        let shares = costs.map(|c| if c == least { 1.0 / best } else { 0.0 });
        let none = |a: usize| a != right && (i + a).is_multiple_of(6);
        (all.shares).extend((0..3).map(|a| if none(a) { f32::NAN } else { shares[a] }));
    }
    all
}

impl RandomLabels {
    fn labels(&self) -> [(Head, Labels<'_>); 5] {
        let both =
            Labels::ValueAndActions { values: &self.values, actions: &self.actions, weight: 0.5 };
        [
            (Head::Actions(ACTIONS), Labels::Actions(&self.actions)),
            (Head::Policy(ACTIONS), Labels::Policy(&self.right)),
            (Head::Policy(ACTIONS), Labels::Distribution(&self.shares)),
            (Head::ValueAndActions(ACTIONS), both),
            (Head::Value, Targets::Values(&self.known).into()),
        ]
    }
}

fn with_head(mut architecture: Architecture, head: Head) -> Architecture {
    architecture.skip &= head.is_cost();
    architecture.with_head(head)
}

/// Networks that use all gradients: with norms, dropout and residuals, and narrow ones.
fn kinds() -> [Architecture; 3] {
    let lean = |skip, blocks: &[(usize, Activation)]| Architecture {
        inputs: 35,
        groups: 5,
        grid: None,
        skip,
        blocks: blocks.iter().map(|&(n, a)| Block::dense(n, a)).collect(),
    };
    let leaky = [(48, Activation::Relu), (8, Activation::Leaky), (17, Activation::Leaky)];
    let elu = [(20, Activation::Elu), (33, Activation::Relu)];
    let mut all = everything();
    all.blocks.push(Block::dense(9, Activation::Leaky).with_norm());
    [all, lean(true, &leaky), lean(false, &elu)]
}

/// With every head a training resumes from its state with the same bits, for any number of threads,
/// and learns.
#[test]
fn every_head_learns_and_resumes_with_the_same_bits() {
    let device = Default::default();
    let active: Vec<Vec<u32>> = batches(60).into_iter().map(|(active, _)| active).collect();
    let taught: Vec<RandomLabels> = active.iter().map(|active| taught(active)).collect();
    for architecture in kinds() {
        for kind in 0..5 {
            let head = taught[0].labels()[kind].0;
            let architecture = with_head(architecture.clone(), head);
            let new = || random(&architecture, None, ALL);
            let train = |trainer: &mut Trainer<B>, from: usize, to: usize| -> Vec<f32> {
                (from..to)
                    .map(|i| trainer.step(&active[i], taught[i].labels()[kind].1, 5e-3))
                    .collect()
            };
            let mut whole = new();
            let losses = train(&mut whole, 0, 60);
            let mean = |losses: &[f32]| losses.iter().sum::<f32>() / losses.len() as f32;
            let (first, last) = (mean(&losses[..5]), mean(&losses[55..]));
            assert!(last < 0.75 * first, "{head:?} {first} {last}");
            let mut half = new();
            let mut again = train(&mut half, 0, 23);
            let (steps, state) = (half.steps(), half.state());
            let mut rest =
                Trainer::<B>::resume(&architecture, steps, &state, ALL, &device).unwrap();
            again.extend(train(&mut rest, 23, 60));
            assert_eq!(losses, again);
            assert_eq!(whole.state(), rest.state());
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
            pool.unwrap().install(|| {
                let mut other = new();
                assert_eq!(train(&mut other, 0, 60), losses);
                assert_eq!(other.state(), whole.state());
            });
            // The outputs of the framework equal the outputs of inference.
            let header = crate::Header {
                puzzle: "test".into(),
                size: "1".into(),
                goal: "goal".into(),
                input: String::new(),
                sharing: None,
                architecture: architecture.clone(),
                training: crate::Training::default(),
            };
            let tensors = whole.export(true);
            let model = crate::Model { header, tensors };
            let mut out = vec![0.0; 50 * head.outputs()];
            let network = crate::Network::new(&model).unwrap();
            network.evaluate_all(&active[0], &mut out, 1).unwrap();
            close(&whole.evaluate(&active[0], true), &out, 1e-4);
        }
    }
}

/// Products in 16 bits lead to nearly the same weights, and leave these in single precision.
#[test]
fn products_may_be_of_sixteen_bits() {
    let batches = batches(200);
    let [(single, of_single), (short, of_short)] =
        [Products::Single, Products::Bf16].map(|products| {
            let options = Options { products, ..ALL };
            let mut trainer = random(&everything(), Some(&[0.5; 35]), options);
            let losses = train(&mut trainer, &batches);
            (losses, trainer.export(false))
        });
    assert_ne!(single, short);
    let late = |losses: &[f32]| losses[150..].iter().sum::<f32>() / 50.0;
    let (single, short) = (late(&single), late(&short));
    assert!((single - short).abs() < 0.1 * single, "{single} {short}");
    let weights = |tensors: &Tensors| tensors["0.weight"].data.clone();
    let is_short = |x: &f32| x.to_bits().trailing_zeros() >= 16;
    assert!(!weights(&of_short).iter().all(is_short));
    assert_ne!(weights(&of_single), weights(&of_short));
}

/// Derivatives of the loss by the weights are limits of differences, for every head, loss and
/// activation. The first moment after one step shows the derivatives.
#[test]
fn derivatives_by_the_weights_are_limits_of_differences() {
    let device = Default::default();
    let (active, _) = batches(1).remove(0);
    let taught = taught(&active);
    let options = Options { clip: None, decay: 0.0, beta_1: 0.5, average: None, ..ALL };
    for activation in [Activation::Relu, Activation::Elu, Activation::Leaky] {
        for (kind, loss) in [Loss::Squared, Loss::Huber(1.0), Loss::Lopsided(2.0)]
            .into_iter()
            .cycle()
            .take(5)
            .enumerate()
        {
            let (head, labels) = taught.labels()[kind];
            let options = Options { loss, ..options };
            let architecture = Architecture {
                inputs: 35,
                groups: 5,
                grid: None,
                skip: head.is_cost(),
                blocks: [24, 10].map(|n| Block::dense(n, activation)).into(),
            };
            let architecture = architecture.with_head(head);
            let tensors = initial(&architecture, None, 4);
            let mut trainer =
                Trainer::<B>::resume(&architecture, 0, &tensors, options, &device).unwrap();
            trainer.step(&active, labels, 1e-3);
            let state = trainer.state();
            let at = |tensors: &Tensors| {
                let trainer =
                    Trainer::<B>::resume(&architecture, 0, tensors, options, &device).unwrap();
                let outputs = trainer.evaluate(&active, false);
                f64::from(loss.of_labels(&outputs, head, labels).0)
            };
            let (mut apart, mut size) = (0.0, 0.0);
            for (name, tensor) in &tensors {
                let moment = &state[&format!("first.{name}")];
                for place in (0..tensor.data.len()).step_by(1 + tensor.data.len() / 7) {
                    // Moments of matrices are transposed.
                    let turned = match tensor.shape[..] {
                        [rows, columns] => place % columns * rows + place / columns,
                        _ => place,
                    };
                    let slope = f64::from(moment.data[turned]) / 0.5;
                    let moved = |by: f32| {
                        let mut tensors = tensors.clone();
                        tensors.get_mut(name).unwrap().data[place] += by;
                        at(&tensors)
                    };
                    let difference = (moved(4e-3) - moved(-4e-3)) / 8e-3;
                    apart += (difference - slope).powi(2);
                    size += slope.powi(2);
                }
            }
            // Kinks and single precision: a few parts in a hundred of all slopes together.
            let share = (apart / size).sqrt();
            assert!(size > 0.0 && share < 0.03, "{activation:?} {head:?} {loss:?}: {share}");
        }
    }
}

/// Labels of another head, or of other rows, are refused before anything is changed.
#[test]
fn labels_of_another_head_are_rejected() {
    use crate::{Device, train::Learner};
    let architecture = with_head(everything(), Head::Actions(ACTIONS));
    let (active, values) = batches(1).remove(0);
    let mut learner = Learner::new(Device::Cpu, &architecture, None, 1, ALL).unwrap();
    for labels in
        [Labels::from(Targets::Values(&values)), Labels::Actions(&values), Labels::Policy(&[0; 50])]
    {
        assert!(learner.step(&active, labels, 1e-3).is_err());
    }
    let architecture = with_head(everything(), Head::Policy(ACTIONS));
    let mut learner = Learner::new(Device::Cpu, &architecture, None, 1, ALL).unwrap();
    let outside = learner.step(&active, Labels::Policy(&[3; 50]), 1e-3);
    assert!(outside.unwrap_err().to_string().contains("action Some(3)"));
}
