//! What can be wrong with a description of a network, with its file, or with the rows given to it.

use crate::device::DeviceError;
use thiserror::Error;

/// Why a description of layers is refused.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ArchitectureError {
    /// A number outside its limits.
    #[error("{what} is {found}, but must be between {least} and {most}")]
    Limit {
        /// What the number counts.
        what: String,
        /// The number.
        found: usize,
        /// Smallest number allowed.
        least: usize,
        /// Greatest number allowed.
        most: usize,
    },
    /// The first block adds its input to its output, but its input is not a vector of numbers.
    #[error("the first block must be `dense` or `conv`")]
    FirstResidual,
    /// The block's output cannot be added to its input.
    #[error(
        "residual block {block} ends with {found} units, but {expected} come in: they are added"
    )]
    Residual {
        /// 0-based block.
        block: usize,
        /// Units of its last layer.
        found: usize,
        /// Units of the block before.
        expected: usize,
    },
    /// A convolution behind a block that is none.
    #[error("block {block} is a convolution, but stands behind a block that is none")]
    LateConv {
        /// 0-based block.
        block: usize,
    },
    /// A convolution without a grid.
    #[error("convolutions need a grid: the input's groups must be the places of one")]
    NoGrid,
    /// A grid without a convolution.
    #[error("a grid is of use to convolutions alone, of which there is none")]
    IdleGrid,
    /// A grid that does not fit the input.
    #[error(
        "a grid of {rows} rows of {columns} places does not fit {inputs} inputs in {groups} groups: each place must be a group, all of as many inputs",
        rows = grid[0], columns = grid[1]
    )]
    Grid {
        /// Rows and columns.
        grid: [usize; 2],
        /// Groups of the input.
        groups: usize,
        /// Length of the input.
        inputs: usize,
    },
    /// Nothing that brings places together.
    #[error("a `dense` block must stand behind the convolutions")]
    OpenConv,
    /// A head that is not the last block, or that stands alone.
    #[error("block {block} is a head, which must be the last block, behind at least one other")]
    Head {
        /// 0-based block.
        block: usize,
    },
    /// The same number added to all logits of a policy does nothing.
    #[error("a policy has no linear part: it would add the same number to all logits")]
    LinearPolicy,
    /// A share of dropped units outside [0, 1).
    #[error("dropout of block {block} is {found}, but must be at least 0 and below 1")]
    Dropout {
        /// 0-based block.
        block: usize,
        /// The number.
        found: f32,
    },
}

/// Why a file or a model is refused.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// The bytes are no safetensors file.
    #[error("not a network file: {0}")]
    Container(String),
    /// The metadata lacks a text.
    #[error("not a network file: its metadata has no `{0}`")]
    Metadata(&'static str),
    /// Another format or version.
    #[error(
        "unknown format `{0}`; this program reads `{first}`, `{second}`, `{third}`, `{fourth}` and `{fifth}`",
        first = crate::model::FORMAT, second = crate::model::FORMAT_2, third = crate::model::FORMAT_3,
        fourth = crate::model::FORMAT_4, fifth = crate::model::FORMAT_5
    )]
    Format(String),
    /// A file of the first version with what only the second one has.
    #[error("heads and leaky activations belong to the format `{second}`", second = crate::model::FORMAT_2)]
    Older,
    /// A text of the metadata is not the JSON that it should be.
    #[error("`{key}` in the metadata: {message}")]
    Json {
        /// The text's name.
        key: &'static str,
        /// What is wrong with it.
        message: String,
    },
    /// The layers make no network.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// A tensor that the architecture asks for is not there.
    #[error("tensor `{0}` is missing")]
    Missing(String),
    /// A tensor that the architecture does not ask for.
    #[error("tensor `{0}` does not belong to the architecture")]
    Extra(String),
    /// A tensor of another shape than the architecture asks for.
    #[error("tensor `{name}` has shape {found:?}, expected {expected:?}")]
    Shape {
        /// The tensor.
        name: String,
        /// Its shape.
        found: Vec<usize>,
        /// The shape that the architecture asks for.
        expected: Vec<usize>,
    },
    /// The tensor's shape and its count of numbers disagree.
    #[error("tensor `{name}` holds {found} numbers, its shape asks for {expected}")]
    Count {
        /// The tensor.
        name: String,
        /// How many numbers it holds.
        found: usize,
        /// How many its shape asks for.
        expected: usize,
    },
    /// Numbers of another type than F32 or F16.
    #[error("tensor `{name}` is of type {found}, expected F32 or F16")]
    Type {
        /// The tensor.
        name: String,
        /// Its type.
        found: String,
    },
    /// A number that is NaN or infinite, or a variance below 0.
    #[error("tensor `{name}` holds {value} at {index}")]
    Number {
        /// The tensor.
        name: String,
        /// 0-based place in row-major order.
        index: usize,
        /// The number.
        value: f32,
    },
    /// A number too large for half precision.
    #[error("tensor `{name}` holds {value} at {index}, too large for half precision")]
    Half {
        /// The tensor.
        name: String,
        /// 0-based place in row-major order.
        index: usize,
        /// The number.
        value: f32,
    },
    /// A convolution, which is computed in single precision alone.
    #[error("layer `{0}` is a convolution: its numbers must be of single precision")]
    Convolution(String),
    /// Numbers overflow when normalisation is folded into weights or when they are quantised.
    #[error("layer `{0}` has weights too large to compute with")]
    Overflow(String),
    /// A first layer that has no short sums.
    #[error(
        "layer `{0}` cannot be computed in short sums: it is not rectified, or its weights are too large for 16 bits"
    )]
    Short(String),
    /// Too many groups for 16-bit sums of the first layer.
    #[error("{found} groups are too many for 8-bit inference, at most {most}")]
    Groups {
        /// Groups of the model.
        found: usize,
        /// Greatest number allowed.
        most: usize,
    },
    /// As many ranges as layers are needed.
    #[error("{found} ranges of activations were given for {expected} layers")]
    Ranges {
        /// How many were given.
        found: usize,
        /// How many layers there are.
        expected: usize,
    },
    /// The model is for something else than what was asked for.
    #[error("the network is for {what} `{found}`, not `{expected}`")]
    Purpose {
        /// Puzzle, size or goal.
        what: &'static str,
        /// What it is for.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// The puzzle has no input of the name by which the network sees states.
    #[error("the network sees states by the input `{found}`, which the puzzle does not have")]
    Input {
        /// The network's input.
        found: String,
    },
    /// Units that were said to share their weights, and do not.
    #[error("units of layer `{0}` do not share their weights as the symmetries of the puzzle say")]
    Unlike(String),
    /// A network that is to be computed, but holds weights of sets of units alone.
    #[error(
        "units of the first layer share their weights: the images of a state that they see must be given by the puzzle"
    )]
    Sets,
    /// Shared weights of a layer that can have none.
    #[error(
        "the first layer cannot share weights among {0} views: it must be dense, and without normalisation"
    )]
    Sharing(usize),
    /// Other images than those that units see.
    #[error(
        "units of the first layer share their weights by {expected} images of a state, which are not the {found} that the puzzle has for the network's input"
    )]
    Images {
        /// Images that the puzzle has, the state itself among them.
        found: usize,
        /// Images that the units see.
        expected: usize,
    },
    /// The device that it is to be computed on.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Rows for calibration that do not fit the model.
    #[error(transparent)]
    Rows(#[from] RowError),
}

/// Why rows of input are refused.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowError {
    /// Not `groups` indices for each row.
    #[error("{found} active indices were given, {expected} expected")]
    Length {
        /// How many were given.
        found: usize,
        /// Rows × groups.
        expected: usize,
    },
    /// An index outside the one-hot vector.
    #[error("active index {index} of row {row} is out of range, the input has {inputs}")]
    Index {
        /// 0-based row.
        row: usize,
        /// The index.
        index: u32,
        /// Length of the one-hot vector.
        inputs: usize,
    },
    /// Rows that come of others: their parents are out of range or not in ascending order, or they do not have as many active
    /// indices as these.
    #[error("rows that come of others do not fit these")]
    Changes,
    /// Not `outputs` numbers of room for each row.
    #[error("there is room for {found} outputs, but rows of {outputs} outputs are written")]
    Outputs {
        /// Room for how many numbers there is.
        found: usize,
        /// Outputs of a row.
        outputs: usize,
    },
    /// The value of a state was asked of a network that says something of actions only.
    #[error("the network's outputs are of actions ({0:?}), not the cost-to-go of the state")]
    NoValue(crate::head::Head),
    /// Something of actions was asked of a network that says nothing of them.
    #[error(
        "the network says nothing of actions (its head is {0:?}); `outputs` in a recipe makes one that does"
    )]
    NoActions(crate::head::Head),
    /// A legal action without an output.
    #[error("action {action} has no output, the network has {actions}")]
    Action {
        /// The action's number.
        action: u32,
        /// Actions that have an output.
        actions: usize,
    },
}
