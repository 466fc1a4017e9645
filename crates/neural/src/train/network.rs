//! A cost-to-go network as a module of the framework.

use std::collections::BTreeMap;

use burn::module::{Module, ModuleMapper, ModuleVisitor, Param, ParamId};
use burn::tensor::backend::Backend;
use burn::tensor::ops::FloatTensor;
use burn::tensor::{FloatDType, Int, Tensor, TensorData, activation};

use super::conv::Conv;
use super::kernels::{LayerOps, one_hot, unwrap, wrap};
use crate::architecture::{Activation, Architecture, Grid, LEAK, Layers, TAPS};
use crate::model::Tensor as Numbers;

/// Added to a variance before its root is taken.
pub const NORM_EPSILON: f32 = 1e-5;

/// Tensors of the file format by name: row-major, weights `[out, in]`.
pub type Tensors = BTreeMap<String, Numbers>;

/// What a parameter is to the training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A weight matrix, held as `[in, out]`; weight decay applies to these alone.
    Weight,
    /// Gamma, beta, the output's bias, or a bias without a norm.
    Vector,
    /// The skip weights, held as `[inputs, 1]`.
    Skip,
    /// Running mean or variance of a norm, which no gradient changes.
    Running,
    /// The file has it, the module does not: a bias before a norm, which would do nothing. Zeros.
    Absent,
}

/// A tensor of the file: its place in the list, plus 1, is the id of its parameter in the module.
#[derive(Debug, Clone)]
pub struct Slot {
    /// Its name in the file.
    pub name: String,
    /// `[out, in]` or `[out]`, as in the file.
    pub shape: Vec<usize>,
    /// What it is to the training.
    pub role: Role,
}

/// All tensors of a network, in the order of the file.
pub fn slots(architecture: &Architecture) -> Vec<Slot> {
    let layers = architecture.layers();
    architecture
        .tensors()
        .into_iter()
        .map(|(name, shape)| {
            let (prefix, part) = name.rsplit_once('.').expect("names have a dot");
            let role = match part {
                "weight" if prefix == "skip" => Role::Skip,
                "weight" => Role::Weight,
                "mean" | "variance" => Role::Running,
                "bias" if layers.iter().any(|l| l.norm && l.name == prefix) => Role::Absent,
                _ => Role::Vector,
            };
            Slot { name, shape, role }
        })
        .collect()
}

/// Norm of a layer.
#[derive(Module, Debug)]
pub struct Norm<B: Backend> {
    gamma: Param<Tensor<B, 1>>,
    beta: Param<Tensor<B, 1>>,
    mean: Param<Tensor<B, 1>>,
    variance: Param<Tensor<B, 1>>,
}

/// A layer: weight `[in, out]`, with a bias or a norm.
#[derive(Module, Debug)]
pub struct Layer<B: Backend> {
    weight: Param<Tensor<B, 2>>,
    bias: Option<Param<Tensor<B, 1>>>,
    norm: Option<Norm<B>>,
}

/// A dense block (one layer) or a residual block (several).
#[derive(Module, Debug)]
pub struct Block<B: Backend> {
    layers: Vec<Layer<B>>,
    elu: bool,
    leaky: bool,
    residual: bool,
    conv: bool,
    dropout: f32,
}

/// A cost-to-go network.
#[derive(Module, Debug)]
pub struct CostToGo<B: Backend> {
    blocks: Vec<Block<B>>,
    /// The length of the one-hot input.
    inputs: usize,
    /// Rows and columns of the grid of convolutions; zeros where there are none.
    rows: usize,
    columns: usize,
    out_weight: Param<Tensor<B, 2>>,
    out_bias: Param<Tensor<B, 1>>,
    skip: Option<Param<Tensor<B, 2>>>,
}

/// In which numbers products of convolutions, and of dense layers behind the first, are computed in training. Weights and what else is kept are in
/// single precision in either case, and sums of products are, too, where the device has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Products {
    /// Single precision.
    #[default]
    Single,
    /// Numbers of 16 bits with the exponents of single precision: what GPUs are fastest with.
    Bf16,
}

impl Products {
    /// A factor in these numbers.
    pub(super) fn take<B: Backend, const D: usize>(self, factor: Tensor<B, D>) -> Tensor<B, D> {
        match self {
            Self::Single => factor,
            Self::Bf16 => factor.cast(FloatDType::BF16),
        }
    }

    /// A product in single precision.
    pub(super) fn give<B: Backend, const D: usize>(self, product: Tensor<B, D>) -> Tensor<B, D> {
        match self {
            Self::Single => product,
            Self::Bf16 => product.cast(FloatDType::F32),
        }
    }
}

/// What a forward pass in training needs besides the batch, and what it tells.
#[derive(Debug)]
pub struct Pass<B: Backend> {
    /// Draws of the dropout.
    pub seed: u64,
    /// In which numbers products are computed.
    pub products: Products,
    /// Norms take the batch's mean and variance, units are dropped.
    pub training: bool,
    /// Mean and variance of each norm by the id of the parameter that runs after it.
    pub batch: Vec<(u64, Tensor<B, 1>)>,
    /// Greatest and least activation of each layer, gathered if there is a list.
    pub ranges: Option<Vec<[Tensor<B, 1>; 2]>>,
}

impl<B: Backend> Pass<B> {
    /// A pass that evaluates.
    pub fn evaluation() -> Self {
        Self {
            seed: 0,
            products: Products::Single,
            training: false,
            batch: Vec::new(),
            ranges: None,
        }
    }
}

/// Draws from a seed (splitmix64), the same on every machine.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn unit(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }
    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// Initial values: He (normal, deviation root of 2 / fan-in, where a first layer's fan-in is the number of the
/// groups that a unit sees); the output's weights are a tenth of that if there is a skip, so that the network begins
/// close to it.
pub fn initial(architecture: &Architecture, skip: Option<&[f32]>, seed: u64) -> Tensors {
    let mut draws = Draws(seed);
    let mut tensors = Tensors::new();
    for (k, slot) in slots(architecture).into_iter().enumerate() {
        let n = slot.shape.iter().product();
        let data = match slot.role {
            Role::Weight => {
                let fan_in = match (k, architecture.grid) {
                    (0, None) => architecture.groups,
                    // A one for each place that is seen.
                    (0, Some(_)) => TAPS,
                    _ => slot.shape[1],
                };
                let mut deviation = (2.0 / fan_in as f64).sqrt();
                if slot.name == "out.weight" && skip.is_some() {
                    deviation *= 0.1;
                }
                (0..n).map(|_| (draws.normal() * deviation) as f32).collect()
            }
            Role::Skip => skip.map_or_else(|| vec![0.0; n], <[f32]>::to_vec),
            _ if slot.name.ends_with(".gamma") || slot.name.ends_with(".variance") => vec![1.0; n],
            _ => vec![0.0; n],
        };
        tensors.insert(slot.name, Numbers { shape: slot.shape, data });
    }
    tensors
}

fn turn(values: &[f32], rows: usize, columns: usize) -> Vec<f32> {
    let mut turned = Vec::with_capacity(values.len());
    for j in 0..columns {
        turned.extend((0..rows).map(|i| values[i * columns + j]));
    }
    turned
}

impl<B: Backend> CostToGo<B> {
    /// The network with these tensors: those of the file, of which others are not looked at.
    ///
    /// A bias before a norm is taken into the norm's running mean.
    ///
    /// # Errors
    /// A tensor that is not there or has another shape.
    pub fn import(
        architecture: &Architecture,
        tensors: &Tensors,
        device: &B::Device,
    ) -> Result<Self, String> {
        let slots = slots(architecture);
        let mut ids = BTreeMap::new();
        for (k, slot) in slots.iter().enumerate() {
            let t = tensors.get(&slot.name).ok_or_else(|| format!("no {}", slot.name))?;
            if t.shape != slot.shape || t.data.len() != slot.shape.iter().product::<usize>() {
                return Err(format!("{}: shape {:?}, not {:?}", slot.name, t.shape, slot.shape));
            }
            ids.insert(&*slot.name, (k as u64 + 1, slot.role));
        }
        let vector = |name: String| -> Param<Tensor<B, 1>> {
            let (id, role) = ids[&*name];
            let mut data = tensors[&name].data.clone();
            if let Some(prefix) = name.strip_suffix(".mean") {
                let bias = &tensors[&format!("{prefix}.bias")].data;
                data.iter_mut().zip(bias).for_each(|(m, b)| *m -= b);
            }
            let n = data.len();
            let tensor = Tensor::from_data(TensorData::new(data, [n]), device);
            Param::initialized(ParamId::from(id), tensor.set_require_grad(role != Role::Running))
        };
        let matrix = |name: String| -> Param<Tensor<B, 2>> {
            let (id, role) = ids[&*name];
            let Numbers { shape, data } = &tensors[&name];
            let data = match shape[..] {
                [out, inputs] if role == Role::Weight => {
                    TensorData::new(turn(data, out, inputs), [inputs, out])
                }
                _ => TensorData::new(data.clone(), [data.len(), 1]),
            };
            Param::initialized(ParamId::from(id), Tensor::from_data(data, device).require_grad())
        };
        let layer = |name: &str, norm: bool| Layer {
            weight: matrix(format!("{name}.weight")),
            bias: (!norm).then(|| vector(format!("{name}.bias"))),
            norm: norm.then(|| Norm {
                gamma: vector(format!("{name}.gamma")),
                beta: vector(format!("{name}.beta")),
                mean: vector(format!("{name}.mean")),
                variance: vector(format!("{name}.variance")),
            }),
        };
        let mut layers = architecture.layers().into_iter();
        let blocks = architecture.blocks.iter().filter_map(|block| {
            let (count, residual) = match &block.layers {
                Layers::Dense(_) | Layers::Conv(_) => (1, false),
                Layers::Residual(units) | Layers::ResidualConv(units) => (units.len(), true),
                // Its tensors are those of the output.
                Layers::Head(_) => return None,
            };
            Some(Block {
                layers: layers.by_ref().take(count).map(|l| layer(&l.name, l.norm)).collect(),
                elu: block.activation == Activation::Elu,
                leaky: block.activation == Activation::Leaky,
                residual,
                conv: block.layers.is_conv(),
                dropout: block.dropout,
            })
        });
        let [rows, columns] = architecture.grid.map_or([0, 0], Into::into);
        Ok(Self {
            blocks: blocks.collect(),
            inputs: architecture.inputs,
            rows,
            columns,
            out_weight: matrix("out.weight".to_owned()),
            out_bias: vector("out.bias".to_owned()),
            skip: architecture.skip.then(|| matrix("skip.weight".to_owned())),
        })
    }

    /// All tensors, as in the file.
    pub fn export(&self, architecture: &Architecture) -> Tensors {
        let mut all = Collect::<B>(BTreeMap::new());
        self.visit(&mut all);
        let tensors = slots(architecture).into_iter().enumerate().map(|(k, slot)| {
            let data = match all.0.remove(&(k as u64 + 1)) {
                None => vec![0.0; slot.shape.iter().product()],
                Some(tensor) => {
                    let data = floats(wrap::<B, 1>(tensor));
                    if slot.role == Role::Weight {
                        turn(&data, slot.shape[1], slot.shape[0])
                    } else {
                        data
                    }
                }
            };
            (slot.name, Numbers { shape: slot.shape, data })
        });
        tensors.collect()
    }
}

impl<B: LayerOps> CostToGo<B> {
    /// Outputs `[rows, outputs]` of rows of active indices `[rows, groups]`.
    pub fn forward(&self, active: Tensor<B, 2, Int>, pass: &mut Pass<B>) -> Tensor<B, 2> {
        let grid = Grid::from([self.rows, self.columns]);
        let [states, _] = active.dims();
        // Of convolutions it has a row for each place.
        let mut x: Option<Tensor<B, 2>> = None;
        if self.blocks.iter().any(|block| block.conv) {
            let input = one_hot::<B>(active.clone().into_primitive(), self.inputs);
            let places = grid.places();
            x = Some(input.reshape([states * places, self.inputs / places]));
        }
        for (i, block) in self.blocks.iter().enumerate() {
            let around = x.clone();
            for (j, layer) in block.layers.iter().enumerate() {
                let mut y = match x.take() {
                    None => B::train_sums(layer.weight.val(), active.clone()),
                    Some(x) if block.conv => {
                        let products = pass.products;
                        B::train_conv(x, layer.weight.val(), Conv { grid, products })
                    }
                    Some(x) => {
                        let [lines, units] = x.dims();
                        let x = x.reshape([states, lines / states.max(1) * units]);
                        product(x, layer.weight.val(), pass.products)
                    }
                };
                if let Some(bias) = &layer.bias {
                    y = B::train_bias(y, bias.val());
                }
                if let Some(norm) = &layer.norm {
                    y = norm.forward(y, pass);
                }
                if block.residual && j + 1 == block.layers.len() {
                    y = y + around.clone().expect("a residual block is not the first");
                }
                y = if block.elu {
                    B::train_elu(y)
                } else if block.leaky {
                    activation::leaky_relu(y, f64::from(LEAK))
                } else {
                    activation::relu(y)
                };
                if let Some(ranges) = &mut pass.ranges {
                    ranges.push([y.clone().max(), y.clone().min()]);
                }
                x = Some(y);
            }
            if pass.training && block.dropout > 0.0 {
                let y = x.take().expect("a block gives something");
                let keep = 1.0 - block.dropout;
                let seed = Draws(pass.seed ^ ((i as u64 + 1) << 48)).next();
                let mask = B::train_mask(y.dims(), keep, seed, &y.device());
                x = Some(y * mask);
            }
        }
        let x = x.expect("a network has blocks");
        let mut y =
            B::train_bias(product(x, self.out_weight.val(), pass.products), self.out_bias.val());
        if let Some(skip) = &self.skip {
            y = y + B::train_sums(skip.val(), active);
        }
        y
    }
}

impl<B: LayerOps> Norm<B> {
    fn forward(&self, x: Tensor<B, 2>, pass: &mut Pass<B>) -> Tensor<B, 2> {
        if pass.training {
            let (y, [mean, variance]) =
                B::train_norm(x, self.gamma.val(), self.beta.val(), NORM_EPSILON);
            pass.batch.push((self.mean.id.val(), mean));
            pass.batch.push((self.variance.id.val(), variance));
            return y;
        }
        let factor = self.gamma.val() / self.variance.val().add_scalar(NORM_EPSILON).sqrt();
        let shift = self.beta.val() - self.mean.val() * factor.clone();
        x * factor.unsqueeze::<2>() + shift.unsqueeze::<2>()
    }
}

/// A product of matrices, in single precision again.
fn product<B: Backend>(x: Tensor<B, 2>, weight: Tensor<B, 2>, products: Products) -> Tensor<B, 2> {
    products.give(products.take(x).matmul(products.take(weight)))
}

/// Rows of active indices on a device, `[rows, groups]`.
pub(crate) fn rows<B: Backend>(
    active: &[u32],
    groups: usize,
    device: &B::Device,
) -> Tensor<B, 2, Int> {
    let data: Vec<i32> = active.iter().map(|&index| index as i32).collect();
    Tensor::from_data(TensorData::new(data, [active.len() / groups, groups]), device)
}

/// The numbers of a tensor, in row-major order.
pub(crate) fn floats<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().into_vec().expect("they are f32")
}

/// Parameters of any rank by their ids.
pub(super) struct Collect<B: Backend>(pub BTreeMap<u64, FloatTensor<B>>);

impl<B: Backend> ModuleVisitor<B> for Collect<B> {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<B, D>>) {
        self.0.insert(param.id.val(), unwrap(param.val()));
    }
}

/// Puts parameters of any rank through one function.
pub(super) struct MapAll<F>(pub F);

impl<B: Backend, F> ModuleMapper<B> for MapAll<F>
where
    F: FnMut(u64, FloatTensor<B>) -> FloatTensor<B>,
{
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<B, D>>) -> Param<Tensor<B, D>> {
        let (id, tensor, mapper) = param.consume();
        Param::from_mapped_value(id, wrap((self.0)(id.val(), unwrap(tensor))), mapper)
    }
}
