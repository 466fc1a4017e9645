//! Layers of a network, read from and written to JSON, and checked against limits.
//!
//! ```json
//! {"inputs":256,"groups":16,"skip":false,"blocks":[
//!   {"dense":5000,"activation":"relu","norm":true},
//!   {"residual":[1000,1000],"activation":"relu","norm":true}]}
//! ```
//!
//! A dense block is y = act(norm(W x + b)). A residual block is two or more such layers, with the
//! block's input added before the last activation (Agostinelli et al. 2019).
//!
//! If the groups of the input are the cells of a grid, the first blocks may be `conv` and
//! `residual_conv`. Their layers compute a number of channels at each cell from the 3 × 3 cells
//! around it, with the same weights at every cell (LeCun et al. 1989).
//!
//! One linear unit per output follows the blocks. `skip` adds one weight per active index. The sum
//! of these weights is the same for every output, because the costs of all actions of a state
//! differ little.
//!
//! The last block may declare the outputs ([`Head`]), such as `{"head":{"actions":12}}`. Without it
//! the network has one output, the cost-to-go. A head is one of the blocks because the outputs are
//! computed last, so that every reader of a list of blocks also reads heads.

use crate::error::ArchitectureError;
use crate::head::Head;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap as _};

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
/// Greatest number of channels of a convolution.
pub const MAX_CHANNELS: usize = 512;
/// Cells that a convolution reads for one cell: a square of 3 × 3.
pub(crate) const TAPS: usize = 9;
/// Slope of the leaky rectifier below 0.
pub const LEAK: f32 = 0.1;

/// Activation function of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// max(0, x).
    Relu,
    /// x where it is positive, eˣ − 1 below (Clevert, Unterthiner and Hochreiter 2016, alpha 1).
    Elu,
    /// x where it is positive, 0.1 x below (Maas, Hannun and Ng 2013). Units that are never
    /// positive still learn, which matters in layers of few units.
    Leaky,
}

/// The layers of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Layers {
    /// A single layer with this number of units.
    Dense(usize),
    /// Layers with these numbers of units. The last has as many units as the block has inputs.
    Residual(Vec<usize>),
    /// A convolution with this number of channels.
    Conv(usize),
    /// Convolutions with these numbers of channels. The last has as many as the block before.
    ResidualConv(Vec<usize>),
    /// Meaning of the outputs; a block without layers.
    Head(Head),
}

impl Layers {
    /// Units of each layer, and whether the last layer adds the block's input.
    fn units(&self) -> (&[usize], bool) {
        match self {
            Self::Dense(units) | Self::Conv(units) => (std::slice::from_ref(units), false),
            Self::Residual(units) | Self::ResidualConv(units) => (units, true),
            Self::Head(_) => (&[], false),
        }
    }

    /// Whether the layers are convolutions.
    #[must_use]
    pub fn is_conv(&self) -> bool {
        matches!(self, Self::Conv(_) | Self::ResidualConv(_))
    }
}

/// Rows and columns of the grid of a convolution. Cells are numbered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "[usize; 2]", into = "[usize; 2]")]
pub struct Grid {
    /// Number of rows.
    pub rows: usize,
    /// Cells of a row.
    pub columns: usize,
}

impl From<[usize; 2]> for Grid {
    fn from([rows, columns]: [usize; 2]) -> Self {
        Self { rows, columns }
    }
}

impl From<Grid> for [usize; 2] {
    fn from(grid: Grid) -> Self {
        [grid.rows, grid.columns]
    }
}

impl Grid {
    /// Number of cells.
    #[must_use]
    pub fn cells(self) -> usize {
        self.rows.saturating_mul(self.columns)
    }

    /// The 3 × 3 cells around each cell, including itself, row by row; `None` outside of the grid.
    pub(crate) fn around(self) -> Vec<[Option<usize>; TAPS]> {
        let around = |place: usize| {
            let (row, column) = (place / self.columns, place % self.columns);
            std::array::from_fn(|tap| {
                let row = (row + tap / 3).checked_sub(1).filter(|&row| row < self.rows)?;
                let column = (column + tap % 3).checked_sub(1);
                let column = column.filter(|&column| column < self.columns)?;
                Some(row * self.columns + column)
            })
        };
        (0..self.cells()).map(around).collect()
    }
}

/// Block of a network.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "BlockText")]
pub struct Block {
    /// Layers of the block.
    pub layers: Layers,
    /// Activation of the layers.
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
        Self { layers: Layers::Dense(units), activation, norm: false, dropout: 0.0 }
    }

    /// A residual block without normalisation.
    #[must_use]
    pub fn residual(units: &[usize], activation: Activation) -> Self {
        Self { layers: Layers::Residual(units.to_vec()), ..Self::dense(0, activation) }
    }

    /// A convolution without normalisation.
    #[must_use]
    pub fn conv(channels: usize, activation: Activation) -> Self {
        Self { layers: Layers::Conv(channels), ..Self::dense(0, activation) }
    }

    /// A residual block of convolutions without normalisation.
    #[must_use]
    pub fn residual_conv(channels: &[usize], activation: Activation) -> Self {
        Self { layers: Layers::ResidualConv(channels.to_vec()), ..Self::dense(0, activation) }
    }

    /// Block that declares the meaning of the outputs. It must be the last one.
    #[must_use]
    pub fn head(head: Head) -> Self {
        Self { layers: Layers::Head(head), ..Self::dense(0, NO_ACTIVATION) }
    }

    /// The same block with batch normalisation.
    #[must_use]
    pub fn with_norm(mut self) -> Self {
        self.norm = true;
        self
    }
}

/// Value of the field `activation` in a head, whose outputs are linear.
const NO_ACTIVATION: Activation = Activation::Relu;

/// JSON form of a block.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockText {
    dense: Option<usize>,
    residual: Option<Vec<usize>>,
    conv: Option<usize>,
    residual_conv: Option<Vec<usize>>,
    head: Option<Head>,
    activation: Option<Activation>,
    norm: Option<bool>,
    dropout: Option<f32>,
}

impl TryFrom<BlockText> for Block {
    type Error = &'static str;

    fn try_from(text: BlockText) -> Result<Self, Self::Error> {
        let kinds = [
            text.dense.map(Layers::Dense),
            text.residual.map(Layers::Residual),
            text.conv.map(Layers::Conv),
            text.residual_conv.map(Layers::ResidualConv),
            text.head.map(Layers::Head),
        ];
        let mut kinds = kinds.into_iter().flatten();
        let (Some(layers), None) = (kinds.next(), kinds.next()) else {
            return Err(
                "a block must have exactly one of `dense`, `residual`, `conv`, `residual_conv` and `head`",
            );
        };
        if let Layers::Head(head) = layers {
            if text.activation.is_some() || text.norm.is_some() || text.dropout.is_some() {
                return Err("a head has no `activation`, `norm` or `dropout`");
            }
            return Ok(Self::head(head));
        }
        Ok(Self {
            layers,
            activation: text.activation.ok_or("a block must have an `activation`")?,
            norm: text.norm.unwrap_or_default(),
            dropout: text.dropout.unwrap_or_default(),
        })
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = serializer.serialize_map(None)?;
        match &self.layers {
            Layers::Dense(units) => text.serialize_entry("dense", units)?,
            Layers::Residual(units) => text.serialize_entry("residual", units)?,
            Layers::Conv(channels) => text.serialize_entry("conv", channels)?,
            Layers::ResidualConv(channels) => text.serialize_entry("residual_conv", channels)?,
            Layers::Head(head) => {
                text.serialize_entry("head", head)?;
                return text.end();
            }
        }
        text.serialize_entry("activation", &self.activation)?;
        text.serialize_entry("norm", &self.norm)?;
        text.serialize_entry("dropout", &self.dropout)?;
        text.end()
    }
}

/// The layers of a network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Architecture {
    /// Length of the one-hot input.
    pub inputs: usize,
    /// Number of active indices of each row.
    pub groups: usize,
    /// Grid whose cells are the groups of the input; needed for convolutions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<Grid>,
    /// Whether one weight per active index is added to every output.
    #[serde(default)]
    pub skip: bool,
    /// The blocks, from the input to the output.
    pub blocks: Vec<Block>,
}

/// Layer, in the order of computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Prefix of the names of its tensors: "3" in a dense block, "3.1" in a residual block.
    pub name: String,
    /// Number of inputs of a unit. In the first layer these are the indices of the one-hot input;
    /// in a convolution the channels of nine cells, cell after cell.
    pub inputs: usize,
    /// Number of outputs; in a convolution the number of channels of one cell.
    pub units: usize,
    /// Number of cells at which the layer is computed; 1 except in convolutions.
    pub cells: usize,
    /// Function applied to the sums.
    pub activation: Activation,
    /// Whether batch normalisation follows the weights.
    pub norm: bool,
    /// Distance to the earlier layer whose output is added before the activation: 2 in a residual
    /// block of two layers.
    pub adds: Option<usize>,
}

impl Layer {
    /// The name of the tensor of its weights.
    #[must_use]
    pub fn weight(&self) -> String {
        format!("{}.weight", self.name)
    }

    /// The name of the tensor of its biases.
    #[must_use]
    pub fn bias(&self) -> String {
        format!("{}.bias", self.name)
    }
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
    Err(ArchitectureError::Limit { what: what.into(), found, least, most })
}

impl Architecture {
    /// Checks that the architecture describes a network within the limits.
    ///
    /// # Errors
    /// The block or number that is wrong.
    pub fn check(&self) -> Result<(), ArchitectureError> {
        limit("the number of inputs", self.inputs, 1, MAX_INPUTS)?;
        limit("the number of groups", self.groups, 1, self.inputs)?;
        limit("the number of blocks", self.blocks.len(), 1, MAX_BLOCKS)?;
        let mut width = None;
        self.check_grid()?;
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
            let most = if b.layers.is_conv() { MAX_CHANNELS } else { MAX_UNITS };
            let (units, is_residual) = b.layers.units();
            if is_residual {
                let expected = width.ok_or(ArchitectureError::FirstResidual)?;
                let what = format!("the number of layers of residual block {block}");
                limit(what, units.len(), 2, MAX_RESIDUAL)?;
                let found = units[units.len() - 1];
                if found != expected {
                    return Err(ArchitectureError::Residual { block, found, expected });
                }
            }
            for &units in units {
                let what = format!("the number of units of block {block}");
                limit(what, units, 1, most)?;
                width = Some(units);
            }
        }
        Ok(())
    }

    /// Checks that convolutions precede all other blocks, that the cells of the grid are the
    /// groups, and that all groups have the same number of inputs.
    fn check_grid(&self) -> Result<(), ArchitectureError> {
        let convs = self.blocks.iter().take_while(|b| b.layers.is_conv()).count();
        if let Some(late) = self.blocks[convs..].iter().position(|b| b.layers.is_conv()) {
            let block = convs + late;
            return Err(ArchitectureError::LateConv { block });
        }
        let after = self.blocks.get(convs).map(|block| &block.layers);
        match (self.grid, convs) {
            (None, 0) => Ok(()),
            (Some(_), 0) => Err(ArchitectureError::IdleGrid),
            (None, _) => Err(ArchitectureError::NoGrid),
            (Some(grid), _) => {
                let (groups, inputs) = (self.groups, self.inputs);
                if grid.cells() < 2 || grid.cells() != groups || !inputs.is_multiple_of(groups) {
                    return Err(ArchitectureError::Grid { grid: grid.into(), groups, inputs });
                }
                // The outputs need the units of a dense layer.
                match after {
                    Some(Layers::Dense(_)) => Ok(()),
                    _ => Err(ArchitectureError::OpenConv),
                }
            }
        }
    }

    /// Meaning of the outputs.
    #[must_use]
    pub fn head(&self) -> Head {
        match self.blocks.last().map(|block| &block.layers) {
            Some(Layers::Head(head)) => *head,
            _ => Head::Value,
        }
    }

    /// Number of outputs.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.head().outputs()
    }

    /// Whether the first version of the file format can represent the architecture: no head, and no
    /// activation of a later version.
    #[must_use]
    pub(crate) fn is_of_first_version(&self) -> bool {
        self.blocks.iter().all(|block| {
            matches!(block.layers, Layers::Dense(_) | Layers::Residual(_))
                && block.activation != Activation::Leaky
        })
    }

    /// The same architecture with this head. [`Head::Value`] is the default and not written to
    /// files.
    #[must_use]
    pub fn with_head(mut self, head: Head) -> Self {
        self.blocks.retain(|block| !matches!(block.layers, Layers::Head(_)));
        if head != Head::Value {
            self.blocks.push(Block::head(head));
        }
        self
    }

    /// All layers in the order of computation, without the output layer.
    #[must_use]
    pub fn layers(&self) -> Vec<Layer> {
        let mut layers: Vec<Layer> = Vec::new();
        let of_grid = self.grid.map_or(1, Grid::cells);
        for (i, block) in self.blocks.iter().enumerate() {
            let (units, residual) = block.layers.units();
            let is_conv = block.layers.is_conv();
            for (j, &n) in units.iter().enumerate() {
                let inputs = match (layers.last(), is_conv) {
                    (None, false) => self.inputs,
                    (None, true) => TAPS * (self.inputs / self.groups.max(1)),
                    (Some(before), false) => before.cells * before.units,
                    (Some(before), true) => TAPS * before.units,
                };
                let last = residual && j + 1 == units.len();
                layers.push(Layer {
                    name: if residual { format!("{i}.{j}") } else { i.to_string() },
                    inputs,
                    units: n,
                    cells: if is_conv { of_grid } else { 1 },
                    activation: block.activation,
                    norm: block.norm,
                    adds: last.then_some(units.len()),
                });
            }
        }
        layers
    }

    /// Names and shapes of all tensors that a model of this architecture must have, in the order of
    /// the layers. The optional tensors `{layer}.range` are not listed.
    #[must_use]
    pub fn tensors(&self) -> Vec<(String, Vec<usize>)> {
        let mut tensors = Vec::new();
        let layers = self.layers();
        for layer in &layers {
            let name = &layer.name;
            tensors.push((layer.weight(), vec![layer.units, layer.inputs]));
            tensors.push((layer.bias(), vec![layer.units]));
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

    /// Convolutions are read and written, and their tensors have the shapes of one cell.
    #[test]
    fn convolutions_have_the_weights_of_one_cell() {
        let text = r#"{"inputs":60,"groups":12,"grid":[3,4],"skip":false,"blocks":[{"conv":8,"activation":"relu","norm":false,"dropout":0.0},{"residual_conv":[6,8],"activation":"leaky","norm":true,"dropout":0.0},{"dense":7,"activation":"relu","norm":false,"dropout":0.0}]}"#;
        let architecture: Architecture = serde_json::from_str(text).unwrap();
        architecture.check().unwrap();
        assert_eq!(serde_json::to_string(&architecture).unwrap(), text);
        let layers = architecture.layers();
        let shapes: Vec<_> = layers.iter().map(|l| [l.inputs, l.units, l.cells]).collect();
        assert_eq!(shapes, [[45, 8, 12], [72, 6, 12], [54, 8, 12], [96, 7, 1]]);
        assert!(!architecture.is_of_first_version());
        let wrong = |change: &dyn Fn(&mut Architecture)| {
            let mut other = architecture.clone();
            change(&mut other);
            other.check().unwrap_err().to_string()
        };
        assert!(wrong(&|a| a.grid = Some([3, 5].into())).contains("3 rows and 5 columns"));
        assert!(wrong(&|a| a.inputs = 61).contains("61"));
        assert!(wrong(&|a| a.blocks.truncate(2)).contains("dense"));
        assert!(wrong(&|a| a.blocks.drain(..2).for_each(drop)).contains("grid"));
        let grid = Grid::from([3, 4]);
        let corner = [None, None, None, None, Some(0), Some(1), None, Some(4), Some(5)];
        assert_eq!(grid.around()[0], corner);
        assert_eq!(grid.around()[6], [1, 2, 3, 5, 6, 7, 9, 10, 11].map(Some));
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        let relu = Activation::Relu;
        let of = |inputs, groups, blocks: Vec<Block>| {
            let skip = false;
            let architecture = Architecture { inputs, groups, grid: None, skip, blocks };
            architecture.check().unwrap_err().to_string()
        };
        let dense = |units| Block::dense(units, relu);
        let conv = Block::conv(8, relu);
        let cases = [
            (of(4, 2, vec![conv.clone(), dense(3)]), "grid"),
            (of(4, 2, vec![dense(3), conv]), "block 1"),
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
            (of(4, 2, vec![Block { dropout: f32::NAN, ..dense(1) }]), "dropout"),
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
