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
//! unit per output, and `skip` adds one weight per active index: the same sum to every output, because costs
//! of all actions of a state differ by little.
//!
//! The last block may say what the outputs are ([`Head`]), such as `{"head":{"actions":12}}`. Without it
//! there is one, the cost-to-go. A head stands among the blocks because it is the last of what is computed,
//! so that whatever reads a list of blocks reads heads, too.

use crate::error::ArchitectureError;
use crate::head::Head;
use serde::{Deserialize, Serialize};

/// Greatest length of the one-hot input.
pub const MAX_INPUTS: usize = 65_536;
/// Greatest number of units of a layer.
pub const MAX_UNITS: usize = 16_384;
/// Greatest number of blocks.
pub const MAX_BLOCKS: usize = 64;
/// Greatest number of layers of a residual block.
pub const MAX_RESIDUAL: usize = 8;
/// Greatest number of actions of a head.
pub const MAX_ACTIONS: usize = 4096;
/// Slope of the leaky rectifier below 0.
pub const LEAK: f32 = 0.1;

/// What a layer does with its sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// max(0, x).
    Relu,
    /// x where it is positive, eˣ − 1 below (Clevert, Unterthiner and Hochreiter 2016, alpha 1).
    Elu,
    /// x where it is positive, 0.1 x below (Maas, Hannun and Ng 2013): units that are never positive still
    /// learn, which matters in layers of few units.
    Leaky,
}

/// The layers of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Layers {
    /// One layer with this number of units.
    Dense(usize),
    /// Layers with these numbers of units. The last has as many units as the block has inputs.
    Residual(Vec<usize>),
    /// No layer of its own: what the outputs behind the last layer mean.
    Head(Head),
}

impl Layers {
    /// Units of each layer, and whether the last of them adds the block's input.
    fn units(&self) -> (&[usize], bool) {
        match self {
            Self::Dense(units) => (std::slice::from_ref(units), false),
            Self::Residual(units) => (units, true),
            Self::Head(_) => (&[], false),
        }
    }
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

    /// The block that says what the outputs mean: the last one.
    #[must_use]
    pub fn head(head: Head) -> Self {
        Self {
            layers: Layers::Head(head),
            ..Self::dense(0, NO_ACTIVATION)
        }
    }

    /// The same block with batch normalisation.
    #[must_use]
    pub fn with_norm(mut self) -> Self {
        self.norm = true;
        self
    }
}

/// What stands in a block that has no activation: its outputs are linear.
const NO_ACTIVATION: Activation = Activation::Relu;

/// The block as it stands in the file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockText {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dense: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    residual: Option<Vec<usize>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    head: Option<Head>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    activation: Option<Activation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    norm: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dropout: Option<f32>,
}

impl TryFrom<BlockText> for Block {
    type Error = &'static str;

    fn try_from(text: BlockText) -> Result<Self, Self::Error> {
        let layers = match (text.dense, text.residual, text.head) {
            (Some(units), None, None) => Layers::Dense(units),
            (None, Some(units), None) => Layers::Residual(units),
            (None, None, Some(head)) => {
                if text.activation.is_some() || text.norm.is_some() || text.dropout.is_some() {
                    return Err("a head has no `activation`, `norm` or `dropout`");
                }
                return Ok(Self::head(head));
            }
            _ => return Err("a block must have exactly one of `dense`, `residual` and `head`"),
        };
        Ok(Self {
            layers,
            activation: text.activation.ok_or("a block must have an `activation`")?,
            norm: text.norm.unwrap_or_default(),
            dropout: text.dropout.unwrap_or_default(),
        })
    }
}

impl From<Block> for BlockText {
    fn from(block: Block) -> Self {
        let (dense, residual, head) = match block.layers {
            Layers::Dense(units) => (Some(units), None, None),
            Layers::Residual(units) => (None, Some(units), None),
            Layers::Head(head) => (None, None, Some(head)),
        };
        let has_layers = head.is_none();
        Self {
            dense,
            residual,
            head,
            activation: has_layers.then_some(block.activation),
            norm: has_layers.then_some(block.norm),
            dropout: has_layers.then_some(block.dropout),
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
    /// Whether a linear unit over the input is added to every output.
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
            if let Layers::Head(head) = b.layers {
                if block == 0 || block + 1 < self.blocks.len() {
                    return Err(ArchitectureError::Head { block });
                }
                if !matches!(head, Head::Value | Head::Pair) {
                    let what = "the number of actions of the head";
                    limit(what, head.actions(), 1, MAX_ACTIONS)?;
                }
                if self.skip && !head.is_cost() {
                    return Err(ArchitectureError::LinearPolicy);
                }
            }
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
                Layers::Head(_) => &[],
            };
            for &units in units {
                let what = format!("the number of units of block {block}");
                limit(what, units, 1, MAX_UNITS)?;
                width = Some(units);
            }
        }
        Ok(())
    }

    /// What the outputs mean.
    #[must_use]
    pub fn head(&self) -> Head {
        match self.blocks.last().map(|block| &block.layers) {
            Some(Layers::Head(head)) => *head,
            _ => Head::Value,
        }
    }

    /// How many outputs there are.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.head().outputs()
    }

    /// Whether files of the first version can say it: no head, and no activation that came later.
    #[must_use]
    pub(crate) fn is_of_first_version(&self) -> bool {
        self.blocks.iter().all(|block| {
            !matches!(block.layers, Layers::Head(_)) && block.activation != Activation::Leaky
        })
    }

    /// The same with this head; a value's is not written.
    #[must_use]
    pub fn with_head(mut self, head: Head) -> Self {
        self.blocks
            .retain(|block| !matches!(block.layers, Layers::Head(_)));
        if head != Head::Value {
            self.blocks.push(Block::head(head));
        }
        self
    }

    /// All layers in the order in which they are computed, without the output.
    #[must_use]
    pub fn layers(&self) -> Vec<Layer> {
        let mut layers: Vec<Layer> = Vec::new();
        for (i, block) in self.blocks.iter().enumerate() {
            let (units, residual) = block.layers.units();
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
        let outputs = self.outputs();
        tensors.push(("out.weight".into(), vec![outputs, last]));
        tensors.push(("out.bias".into(), vec![outputs]));
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
