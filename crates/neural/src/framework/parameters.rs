//! Tensors of a file as the parameters of a network in training, and their initial values.

use crate::architecture::{Architecture, TAPS};
use crate::tensor::{Tensor, Tensors};

/// Role of a parameter in training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Weight matrix, stored as `[in, out]`. Only weight matrices decay.
    Weight,
    /// Gamma or beta of a norm, or the bias of a layer without a norm.
    Vector,
    /// Weights of the linear skip, stored as `[inputs, 1]`.
    Skip,
    /// Running mean or variance of a norm; it has no gradient.
    Running,
    /// Zeros in the file and no parameter in the module: a bias before a norm, which has no effect.
    Absent,
}

/// Tensor of the file. Its 1-based position in [`slots`] is the id of its parameter in the module.
#[derive(Debug, Clone)]
pub struct Slot {
    /// Name in the file.
    pub name: String,
    /// Shape in the file: `[out, in]` or `[out]`.
    pub shape: Vec<usize>,
    /// Role in training.
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

/// Random numbers from a seed (splitmix64), the same on every machine.
pub(super) struct Draws(pub(super) u64);

impl Draws {
    pub(super) fn next(&mut self) -> u64 {
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

/// Initial values: normally distributed weights with deviation √(2 / fan-in) (He et al. 2015). The
/// fan-in of a unit of the first layer is the number of groups that it sees. With a linear skip the
/// output's weights are a tenth of that, so that the network begins close to the linear part.
pub fn initial(architecture: &Architecture, skip: Option<&[f32]>, seed: u64) -> Tensors {
    let mut draws = Draws(seed);
    let mut tensors = Tensors::new();
    for (k, slot) in slots(architecture).into_iter().enumerate() {
        let n = slot.shape.iter().product();
        let data = match slot.role {
            Role::Weight => {
                let fan_in = match (k, architecture.grid) {
                    (0, None) => architecture.groups,
                    // One active index for each cell of the neighbourhood.
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
        tensors.insert(slot.name, Tensor { shape: slot.shape, data });
    }
    tensors
}

/// Transposed matrix of `rows` × `columns` numbers.
pub(crate) fn transposed(values: &[f32], rows: usize, columns: usize) -> Vec<f32> {
    let mut turned = Vec::with_capacity(values.len());
    for j in 0..columns {
        turned.extend((0..rows).map(|i| values[i * columns + j]));
    }
    turned
}
