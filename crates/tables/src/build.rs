//! The trait of builders of tables.

use crate::{
    error::TableError,
    file::Header,
    table::{Table, Width},
    work::Work,
};

/// Builder of a table.
///
/// ```
/// use unriddle_tables::{Build, TableError, Work};
///
/// /// Number of ones of each number below 16.
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
///         // A byte contains two entries, the first in its low half.
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
    /// Key: a description of the table, which is written into the file and compared when the file
    /// is opened.
    fn key(&self) -> String;
    /// Name of the file, without extension: letters, digits, `-`, `_`.
    fn file_stem(&self) -> String;
    /// Version of the rules that the entries follow. A stored table of another version is built
    /// again.
    fn version(&self) -> u32 {
        0
    }
    /// Number of entries.
    fn entries(&self) -> u64;
    /// Width of the entries.
    fn width(&self) -> Width {
        Width::Nibble
    }
    /// Size of all entries in bytes.
    fn bytes(&self) -> u64 {
        self.width().bytes(self.entries())
    }
    /// Peak memory of the build in bytes.
    fn peak(&self) -> u64 {
        self.bytes()
    }
    /// Builds the packed entries. A builder reports its progress, and may save a state from which a
    /// later build resumes.
    ///
    /// # Errors
    /// The build was cancelled, or the table cannot be built.
    fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError>;
    /// Compares some entries of a stored table with the present rules, in microseconds. A table
    /// that differs is built again. The entries are drawn anew each time.
    ///
    /// # Errors
    /// The first difference, as a clause.
    fn check(&self, table: &Table) -> Result<(), String> {
        let _ = table;
        Ok(())
    }
}

/// Compares a stored table with the present rules.
///
/// # Errors
/// The first difference, as a clause.
pub(crate) fn follows(what: &dyn Build, table: &Table, header: &Header) -> Result<(), String> {
    let (found, wanted) = (header.version, what.version());
    if found != wanted {
        return Err(format!("its rules have version {found}, and the program's version {wanted}"));
    }
    let (found, wanted) = (table.entries(), what.entries());
    if found != wanted {
        return Err(format!("it has {found} entries instead of {wanted}"));
    }
    what.check(table)
}
