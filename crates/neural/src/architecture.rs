//! Which layers a network has: read from and written to JSON, checked against limits.
//!
//! ```json
//! {"inputs":256,"groups":16,"skip":false,"blocks":[
//!   {"dense":5000,"activation":"relu","norm":true},
//!   {"residual":[1000,1000],"activation":"relu","norm":true}]}
//! ```
//!
//! A dense block is y = act(norm(W x + b)). A residual block is two or more such layers, with the block's
//! input added before the last activation (Agostinelli et al. 2019). Behind the blocks stands one linear
//! unit, to which `skip` adds one weight per active index.

use crate::error::ArchitectureError;
use serde::{Deserialize, Serialize};

/// Greatest length of the one-hot input.
pub const MAX_INPUTS: usize = 65_536;
/// Greatest number of units of a layer.
pub const MAX_UNITS: usize = 16_384;
/// Greatest number of blocks.
pub const MAX_BLOCKS: usize = 64;
/// Greatest number of layers of a residual block.
pub const MAX_RESIDUAL: usize = 8;

/// What a layer does with its sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// max(0, x).
    Relu,
    /// x where it is positive, eˣ − 1 below (Clevert, Unterthiner and Hochreiter 2016, alpha 1).
    Elu,
}

/// The layers of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Layers {
    /// One layer with this number of units.
    Dense(usize),
    /// Layers with these numbers of units. The last has as many units as the block has inputs.
    Residual(Vec<usize>),
}

/// One block of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "BlockText", into = "BlockText")]
pub struct Block {
    /// Its layers.
    pub layers: Layers,
    /// Their activation.
    pub activation: Activation,
    /// Whether batch normalisation follows each weight.
    pub norm: bool,
    /// Share of units dropped in training; inference does not look at it.
    pub dropout: f32,
}

impl Block {
    /// A dense block without normalisation.
    #[must_use]
    pub fn dense(units: usize, activation: Activation) -> Self {
        Self {
            layers: Layers::Dense(units),
            activation,
            norm: false,
            dropout: 0.0,
        }
    }

    /// A residual block without normalisation.
    #[must_use]
    pub fn residual(units: &[usize], activation: Activation) -> Self {
        Self {
            layers: Layers::Residual(units.to_vec()),
            ..Self::dense(0, activation)
        }
    }

    /// The same block with batch normalisation.
    #[must_use]
    pub fn with_norm(mut self) -> Self {
        self.norm = true;
        self
    }
}

/// The block as it stands in the file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockText {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dense: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    residual: Option<Vec<usize>>,
    activation: Activation,
    #[serde(default)]
    norm: bool,
    #[serde(default)]
    dropout: f32,
}

impl TryFrom<BlockText> for Block {
    type Error = &'static str;

    fn try_from(text: BlockText) -> Result<Self, Self::Error> {
        let layers = match (text.dense, text.residual) {
            (Some(units), None) => Layers::Dense(units),
            (None, Some(units)) => Layers::Residual(units),
            _ => return Err("a block must have exactly one of `dense` and `residual`"),
        };
        Ok(Self {
            layers,
            activation: text.activation,
            norm: text.norm,
            dropout: text.dropout,
        })
    }
}

impl From<Block> for BlockText {
    fn from(block: Block) -> Self {
        let (dense, residual) = match block.layers {
            Layers::Dense(units) => (Some(units), None),
            Layers::Residual(units) => (None, Some(units)),
        };
        Self {
            dense,
            residual,
            activation: block.activation,
            norm: block.norm,
            dropout: block.dropout,
        }
    }
}

/// The layers of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// Length of the one-hot input.
    pub inputs: usize,
    /// Active indices of each row.
    pub groups: usize,
    /// Whether a linear unit over the input is added to the output.
    #[serde(default)]
    pub skip: bool,
    /// The blocks, from the input to the output.
    pub blocks: Vec<Block>,
}

/// One layer, in the order in which layers are computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// How its tensors are called: "3" of a dense block, "3.1" of a residual one.
    pub name: String,
    /// Numbers that come in: indices of the one-hot input for the first layer.
    pub inputs: usize,
    /// Numbers that go out.
    pub units: usize,
    /// What is done with the sums.
    pub activation: Activation,
    /// Whether batch normalisation follows the weights.
    pub norm: bool,
    /// Layers back to the one whose output is added before the activation: 2 in a residual block of two
    /// layers.
    pub adds: Option<usize>,
}

fn limit(
    what: impl Into<String>,
    found: usize,
    least: usize,
    most: usize,
) -> Result<(), ArchitectureError> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    Err(ArchitectureError::Limit {
        what: what.into(),
        found,
        least,
        most,
    })
}

impl Architecture {
    /// Checks that the architecture describes a network within the limits.
    ///
    /// |# Errors
    /// Names the block or number that is wrong.
    pub fn check(&self) -> Result<(), ArchitectureError> {
        limit("the number of inputs", self.inputs, 1, MAX_INPUTS)?;
        limit("the number of groups", self.groups, 1, self.inputs)?;
        limit("the number of blocks", self.blocks.len(), 1, MAX_BLOCKS)?;
        let mut width = None;
        for (block, b) in self.blocks.iter().enumerate() {
            if !(0.0..1.0).contains(&b.dropout) {
                let found = b.dropout;
                return Err(ArchitectureError::Dropout { block, found });
            }
            let units = match &b.layers {
                Layers::Dense(units) => std::slice::from_ref(units),
                Layers::Residual(units) => {
                    let expected = width.ok_or(ArchitectureError::FirstResidual)?;
                    let what = format!("the number of layers of residual block {block}");
                    limit(what, units.len(), 2, MAX_RESIDUAL)?;
                    let found = units[units.len() - 1];
                    if found != expected {
                        return Err(ArchitectureError::Residual {
                            block,
                            found,
                            expected,
                        });
                    }
                    units
                }
            };
            for &units in units {
                let what = format!("the number of units of block {block}");
                limit(what, units, 1, MAX_UNITS)?;
                width = Some(units);
            }
        }
        Ok(())
    }

    /// All layers in the order in which they are computed, without the output.
    #[must_use]
    pub fn layers(&self) -> Vec<Layer> {
        let mut layers: Vec<Layer> = Vec::new();
        for (i, block) in self.blocks.iter().enumerate() {
            let (units, residual) = match &block.layers {
                Layers::Dense(units) => (std::slice::from_ref(units), false),
                Layers::Residual(units) => (&units[..], true),
            };
            for (j, &n) in units.iter().enumerate() {
                let last = residual && j + 1 == units.len();
                layers.push(Layer {
                    name: if residual {
                        format!("{i}.{j}")
                    } else {
                        i.to_string()
                    },
                    inputs: layers.last().map_or(self.inputs, |l| l.units),
                    units: n,
                    activation: block.activation,
                    norm: block.norm,
                    adds: last.then_some(units.len()),
                });
            }
        }
        layers
    }

    /// Names and shapes of all tensors that a model of this architecture must have, in the order of the
    /// layers; `{layer}.range` may come with them.
    #[must_use]
    pub fn tensors(&self) -> Vec<(String, Vec<usize>)> {
        let mut tensors = Vec::new();
        let layers = self.layers();
        for layer in &layers {
            let name = &layer.name;
            tensors.push((format!("{name}.weight"), vec![layer.units, layer.inputs]));
            tensors.push((format!("{name}.bias"), vec![layer.units]));
            if layer.norm {
                for part in ["gamma", "beta", "mean", "variance"] {
                    tensors.push((format!("{name}.{part}"), vec![layer.units]));
                }
            }
        }
        let last = layers.last().map_or(0, |l| l.units);
        tensors.push(("out.weight".into(), vec![1, last]));
        tensors.push(("out.bias".into(), vec![1]));
        if self.skip {
            tensors.push(("skip.weight".into(), vec![self.inputs]));
        }
        tensors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"inputs":256,"groups":16,"skip":true,"blocks":[{"dense":1024,"activation":"elu","norm":true,"dropout":0.1},{"residual":[1000,1024],"activation":"relu","norm":true,"dropout":0.0}]}"#;

    #[test]
    fn the_json_of_the_format_is_read_and_written() {
        let architecture: Architecture = serde_json::from_str(TEXT).unwrap();
        architecture.check().unwrap();
        assert_eq!(serde_json::to_string(&architecture).unwrap(), TEXT);
        let names: Vec<_> = architecture.layers().into_iter().map(|l| l.name).collect();
        assert_eq!(names, ["0", "1.0", "1.1"]);
        assert_eq!(architecture.layers()[2].adds, Some(2));
        let short = r#"{"inputs":4,"groups":2,"blocks":[{"dense":3,"activation":"relu"}]}"#;
        let short: Architecture = serde_json::from_str(short).unwrap();
        let block = Block::dense(3, Activation::Relu);
        assert_eq!((short.skip, &short.blocks[..]), (false, &[block][..]));
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        let relu = Activation::Relu;
        let of = |inputs, groups, blocks: Vec<Block>| {
            let skip = false;
            let architecture = Architecture {
                inputs,
                groups,
                skip,
                blocks,
            };
            architecture.check().unwrap_err().to_string()
        };
        let dense = |units| Block::dense(units, relu);
        let cases = [
            (of(0, 0, vec![dense(1)]), "inputs is 0"),
            (of(65_537, 1, vec![dense(1)]), "inputs is 65537"),
            (of(4, 5, vec![dense(1)]), "groups is 5"),
            (of(4, 2, vec![]), "blocks is 0"),
            (of(4, 2, vec![dense(1); 65]), "blocks is 65"),
            (of(4, 2, vec![dense(0)]), "units of block 0 is 0"),
            (of(4, 2, vec![dense(16_385)]), "16385"),
            (of(4, 2, vec![Block::residual(&[4, 4], relu)]), "dense"),
            (
                of(4, 2, vec![dense(3), Block::residual(&[4], relu)]),
                "layers of residual block 1 is 1",
            ),
            (
                of(4, 2, vec![dense(3), Block::residual(&[4, 4], relu)]),
                "ends with 4 units, but 3 come in",
            ),
            (
                of(
                    4,
                    2,
                    vec![Block {
                        dropout: f32::NAN,
                        ..dense(1)
                    }],
                ),
                "dropout",
            ),
        ];
        for (message, part) in cases {
            assert!(message.contains(part), "{message}");
        }
        for text in [
            r#"{"activation":"relu"}"#,
            r#"{"dense":1,"residual":[1,1],"activation":"relu"}"#,
            r#"{"dense":-1,"activation":"relu"}"#,
            r#"{"dense":1,"activation":"tanh"}"#,
            r#"{"dense":1,"activation":"relu","colour":"red"}"#,
        ] {
            assert!(serde_json::from_str::<Block>(text).is_err(), "{text}");
        }
    }
}
