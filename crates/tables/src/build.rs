//! The trait of things that a table can be built of.

use crate::{error::TableError, table::Width, work::Work};

/// Something that a table can be built of.
///
/// ```
/// use unriddle_tables::{Build, TableError, Work};
///
/// /// How many ones a number below 16 has.
/// struct Ones;
///
/// impl Build for Ones {
///     fn key(&self) -> String {
///         "ones of the numbers below 16".to_owned()
///     }
///     fn file_stem(&self) -> String {
///         "ones".to_owned()
///     }
///     fn entries(&self) -> u64 {
///         16
///     }
///     fn build(&self, _: &Work<'_>) -> Result<Vec<u8>, TableError> {
///         // Two entries a byte, the first in its low half.
///         let ones = |n: u8| n.count_ones() as u8;
///         Ok((0..8).map(|i| ones(2 * i) | ones(2 * i + 1) << 4).collect())
///     }
/// }
///
/// let packed = Ones.build(&Work::new(1, &|_| true))?;
/// assert_eq!(packed[7], 3 | 4 << 4);
/// # Ok::<(), TableError>(())
/// ```
pub trait Build {
    /// What the table is, in words: written into the file and compared when it is opened.
    fn key(&self) -> String;
    /// Name of its file, without extension: letters, digits, `-`, `_`.
    fn file_stem(&self) -> String;
    /// Number of entries.
    fn entries(&self) -> u64;
    /// How wide they are.
    fn width(&self) -> Width {
        Width::Nibble
    }
    /// Size of all entries in bytes.
    fn bytes(&self) -> u64 {
        self.width().bytes(self.entries())
    }
    /// Bytes of memory that building takes at its peak.
    fn peak(&self) -> u64 {
        self.bytes()
    }
    /// The packed entries. A builder tells how far it is, and may keep what it would go on from.
    ///
    /// # Errors
    /// Cancelled, or a table that cannot be built.
    fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError>;
}
