//! Errors in a description of layers, in a model file, on a device, and in rows of input.

use crate::format::{FORMAT, FORMAT_2, FORMAT_3, FORMAT_4, FORMAT_5};
use crate::head::Head;
use thiserror::Error;

/// Error in a description of layers.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ArchitectureError {
    /// A number outside its limits.
    #[error("{what} is {found}, but must be between {least} and {most}")]
    Limit {
        /// Description of the number.
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
    /// A convolution follows another kind of block.
    #[error("block {block} is a convolution, but the block before it is not")]
    LateConv {
        /// 0-based block.
        block: usize,
    },
    /// A convolution without a grid.
    #[error("convolutions need a `grid` whose cells are the groups of the input")]
    NoGrid,
    /// A grid without a convolution.
    #[error("the network has a `grid`, but no convolution; remove the grid")]
    IdleGrid,
    /// A grid that does not fit the input.
    #[error(
        "a grid of {rows} rows and {columns} columns does not fit {inputs} inputs in {groups} groups: each cell must be a group, and all groups must have the same number of inputs",
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
    /// The convolutions are not followed by a layer that connects the cells.
    #[error("a `dense` block must follow the convolutions")]
    OpenConv,
    /// A head is not the last block, or is the only one.
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

/// Error in a file or a model.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ModelError {
    /// The bytes are not a safetensors file.
    #[error("not a network file: {0}")]
    Container(String),
    /// The metadata lacks a required text.
    #[error("not a network file: its metadata has no `{0}`")]
    Metadata(&'static str),
    /// The format or its version is unknown.
    #[error(
        "unknown format `{0}`; this program reads `{first}`, `{second}`, `{third}`, `{fourth}` and `{fifth}`",
        first = FORMAT, second = FORMAT_2, third = FORMAT_3,
        fourth = FORMAT_4, fifth = FORMAT_5
    )]
    Format(String),
    /// The checksum in the metadata is not the checksum of the bytes.
    #[error("the file is corrupted: its checksum is wrong; copy or train it again")]
    Checksum,
    /// A file of the first version uses features of the second one.
    #[error("heads and leaky activations belong to the format `{second}`", second = FORMAT_2)]
    Older,
    /// A text of the metadata is not the expected JSON.
    #[error("`{key}` in the metadata: {message}")]
    Json {
        /// Key of the text.
        key: &'static str,
        /// Message of the JSON parser.
        message: String,
    },
    /// The layers are not a valid network.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// A tensor of the architecture is missing.
    #[error("tensor `{0}` is missing")]
    Missing(String),
    /// A tensor does not belong to the architecture.
    #[error("tensor `{0}` does not belong to the architecture")]
    Extra(String),
    /// A tensor has another shape than the architecture requires.
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
        /// Count of numbers.
        found: usize,
        /// Product of the shape.
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
        /// 0-based index in row-major order.
        index: usize,
        /// The number.
        value: f32,
    },
    /// A number too large for half precision.
    #[error("tensor `{name}` holds {value} at {index}, which exceeds the range of half precision")]
    Half {
        /// The tensor.
        name: String,
        /// 0-based index in row-major order.
        index: usize,
        /// The number.
        value: f32,
    },
    /// A convolution in 8-bit inference.
    #[error("layer `{0}` is a convolution: its numbers must be of single precision")]
    Convolution(String),
    /// Numbers overflow when normalisation is folded into weights, or when they are quantised.
    #[error("layer `{0}` has weights too large to compute with")]
    Overflow(String),
    /// The first layer cannot be computed in short sums.
    #[error(
        "layer `{0}` cannot be computed in short sums: it is not rectified, or its weights are too large for 16 bits"
    )]
    Short(String),
    /// The model has too many groups for 8-bit inference.
    #[error("{found} groups are too many for 8-bit inference, at most {most}")]
    Groups {
        /// Groups of the model.
        found: usize,
        /// Greatest number allowed.
        most: usize,
    },
    /// The number of ranges differs from the number of layers.
    #[error("{found} ranges of activations were given for {expected} layers")]
    Ranges {
        /// Number of given ranges.
        found: usize,
        /// Number of layers.
        expected: usize,
    },
    /// The model is made for another puzzle, size or goal.
    #[error("the network is for {what} `{found}`, not `{expected}`")]
    Purpose {
        /// Puzzle, size or goal.
        what: &'static str,
        /// Value in the file.
        found: String,
        /// Requested value.
        expected: String,
    },
    /// The puzzle has no input of the name in the file.
    #[error("the network uses the input `{found}`, which the puzzle does not have")]
    Input {
        /// The network's input.
        found: String,
    },
    /// Units that share their weights by the header have different weights.
    #[error("units of layer `{0}` do not share their weights under the symmetries of the puzzle")]
    Unlike(String),
    /// A network with weights of sets of units, without the symmetries that expand them to units.
    #[error(
        "units of the first layer share their weights; expand them by the symmetries of the puzzle first"
    )]
    Sets,
    /// The first layer has shared weights, but its kind does not allow that.
    #[error(
        "the first layer cannot share weights among {0} views: it must be dense, and without normalisation"
    )]
    Sharing(usize),
    /// The puzzle's symmetries differ from the symmetries of the model.
    #[error(
        "units of the first layer share their weights under {expected} symmetries, which are not the {found} of the puzzle for the network's input"
    )]
    Images {
        /// Symmetric states of the puzzle, including the state itself.
        found: usize,
        /// Symmetric states that the units see.
        expected: usize,
    },
    /// The device is missing or failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Rows for calibration that do not fit the model.
    #[error(transparent)]
    Rows(#[from] RowError),
}

/// Error in rows of input.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowError {
    /// Not `groups` indices for each row.
    #[error("{found} active indices were given, {expected} expected")]
    Length {
        /// Number of given indices.
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
    /// Updated rows whose parents are out of range or not in ascending order, or that do not have
    /// `groups` active indices.
    #[error("the updated rows do not fit their parent rows")]
    Changes,
    /// The output buffer is not a multiple of `outputs` numbers.
    #[error(
        "the buffer holds {found} numbers, which is not a multiple of the {outputs} outputs of a row"
    )]
    Outputs {
        /// Length of the buffer.
        found: usize,
        /// Outputs of a row.
        outputs: usize,
    },
    /// A network without a value output was evaluated as a heuristic of states.
    #[error("the network estimates actions ({0:?}), not the cost-to-go of a state")]
    NoValue(Head),
    /// A network without action outputs was asked for values of actions.
    #[error(
        "the network has no outputs of actions (its head is {0:?}); train one with `outputs` in the recipe"
    )]
    NoActions(Head),
    /// A legal action without an output.
    #[error("action {action} has no output, the network has {actions}")]
    Action {
        /// The action's number.
        action: u32,
        /// Actions that have an output.
        actions: usize,
    },
}

/// Why nothing can be computed on a device.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceError {
    /// The program knows nothing of CUDA.
    #[error(
        "this program was built without CUDA; build it with `cargo build --release --features cuda`"
    )]
    NotBuilt,
    /// A library that is opened at run time.
    #[error("there is no {0}: is it installed, and in the library path?")]
    Library(&'static str),
    /// The driver has none.
    #[error("there is no NVIDIA GPU: {0}")]
    NoGpu(String),
    /// It was there, and failed.
    #[error("the device failed: {0}")]
    Failed(String),
}
