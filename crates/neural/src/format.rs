//! Versions of the file format.

/// The format of networks with one output, the cost-to-go.
pub const FORMAT: &str = "unriddle-network 1";

/// The format of networks with a [`Head`](crate::Head) or with leaky rectifiers. Programs that know
/// only the first version refuse it. All other files keep the first version.
pub const FORMAT_2: &str = "unriddle-network 2";

/// The format of networks that use another [input](crate::Header::input) than the puzzle's usual
/// one.
pub const FORMAT_3: &str = "unriddle-network 3";

/// The format of files with weights in [bytes](crate::precision::Precision::Bytes), whatever else
/// they have.
pub const FORMAT_4: &str = "unriddle-network 4";

/// The format of files whose first layer stores weights of [sets](crate::views) of units, in any
/// precision.
pub const FORMAT_5: &str = "unriddle-network 5";

/// The formats, oldest first.
pub(crate) const FORMATS: [&str; 5] = [FORMAT, FORMAT_2, FORMAT_3, FORMAT_4, FORMAT_5];
