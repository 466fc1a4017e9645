//! Network as a module of the framework.

use super::layers::LayerOps;
use super::operands::{Conv, Products};
use super::parameters::{Draws, Role, slots, transposed};
use super::tensors::{floats, one_hot, unwrap, wrap};
use crate::architecture::{Activation, Architecture, Grid, LEAK, Layers};
use crate::tensor::{Tensor as Numbers, Tensors};
use burn::module::{Module, ModuleVisitor, Param, ParamId};
use burn::tensor::backend::Backend;
use burn::tensor::ops::FloatTensor;
use burn::tensor::{Int, Tensor, TensorData, activation};
use std::collections::BTreeMap;

/// Added to a variance before the square root.
pub const NORM_EPSILON: f32 = 1e-5;

/// Batch normalisation of a layer.
#[derive(Module, Debug)]
pub struct Norm<B: Backend> {
    gamma: Param<Tensor<B, 1>>,
    beta: Param<Tensor<B, 1>>,
    mean: Param<Tensor<B, 1>>,
    variance: Param<Tensor<B, 1>>,
}

/// Layer: a weight `[in, out]` with a bias or a norm.
#[derive(Module, Debug)]
pub struct Layer<B: Backend> {
    weight: Param<Tensor<B, 2>>,
    bias: Option<Param<Tensor<B, 1>>>,
    norm: Option<Norm<B>>,
}

/// Block of one layer, or residual block of several.
#[derive(Module, Debug)]
pub struct Block<B: Backend> {
    layers: Vec<Layer<B>>,
    elu: bool,
    leaky: bool,
    residual: bool,
    conv: bool,
    dropout: f32,
}

/// Network whose outputs are costs, or the logits of a policy.
#[derive(Module, Debug)]
pub struct CostToGo<B: Backend> {
    blocks: Vec<Block<B>>,
    /// Length of the one-hot input.
    inputs: usize,
    /// Rows and columns of the grid of convolutions; zeros without convolutions.
    rows: usize,
    columns: usize,
    out_weight: Param<Tensor<B, 2>>,
    out_bias: Param<Tensor<B, 1>>,
    skip: Option<Param<Tensor<B, 2>>>,
}

/// Settings of a forward pass, and the statistics that it collects.
#[derive(Debug)]
pub struct Pass<B: Backend> {
    /// Seed of the dropout.
    pub seed: u64,
    /// Precision of the products.
    pub products: Products,
    /// Whether norms use the mean and variance of the batch, and units are dropped.
    pub training: bool,
    /// Mean and variance of each norm, with the ids of the parameters that hold the running ones.
    pub batch: Vec<(u64, Tensor<B, 1>)>,
    /// Greatest and least activation of each layer; `None` does not collect them.
    pub ranges: Option<Vec<[Tensor<B, 1>; 2]>>,
}

impl<B: Backend> Pass<B> {
    /// Settings of an evaluation.
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

impl<B: Backend> CostToGo<B> {
    /// Network with the given `tensors`; further tensors are ignored.
    ///
    /// A bias before a norm is subtracted from the running mean of the norm.
    ///
    /// # Errors
    /// A tensor is missing or has another shape.
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
                    TensorData::new(transposed(data, out, inputs), [inputs, out])
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
                // The output layer follows all blocks.
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

    /// All tensors in the form of the file.
    pub fn export(&self, architecture: &Architecture) -> Tensors {
        let mut all = Collect::<B>(BTreeMap::new());
        self.visit(&mut all);
        let tensors = slots(architecture).into_iter().enumerate().map(|(k, slot)| {
            let data = match all.0.remove(&(k as u64 + 1)) {
                None => vec![0.0; slot.shape.iter().product()],
                Some(tensor) => {
                    let data = floats(wrap::<B, 1>(tensor));
                    if slot.role == Role::Weight {
                        transposed(&data, slot.shape[1], slot.shape[0])
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
    /// Outputs `[rows, outputs]` for rows of active indices `[rows, groups]`.
    pub fn forward(&self, active: Tensor<B, 2, Int>, pass: &mut Pass<B>) -> Tensor<B, 2> {
        let grid = Grid::from([self.rows, self.columns]);
        let [states, _] = active.dims();
        // Convolutions have a row for each cell of each state.
        let mut x: Option<Tensor<B, 2>> = None;
        if self.blocks.iter().any(|block| block.conv) {
            let input = one_hot(active.clone(), self.inputs);
            let cells = grid.cells();
            x = Some(input.reshape([states * cells, self.inputs / cells]));
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

/// Matrix product, converted back to f32.
fn product<B: Backend>(x: Tensor<B, 2>, weight: Tensor<B, 2>, products: Products) -> Tensor<B, 2> {
    products.raise(products.lower(x).matmul(products.lower(weight)))
}

/// Visitor that collects the parameters by their ids.
pub(crate) struct Collect<B: Backend>(pub BTreeMap<u64, FloatTensor<B>>);

impl<B: Backend> ModuleVisitor<B> for Collect<B> {
    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<B, D>>) {
        self.0.insert(param.id.val(), unwrap(param.val()));
    }
}
