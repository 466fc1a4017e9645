//! States as rows of bytes, the form in which arrays hold them.

use crate::learnable::Learnable;

/// Puzzle whose states are rows of bytes of equal length.
///
/// A row has one byte for each [group](Learnable::groups) of the puzzle's usual input: the number
/// of the active index within its group. A one-hot vector of the row is the input of a network.
/// Rows are read back, so that programs in other languages can keep states, compare them and make
/// them.
pub trait Rows: Learnable {
    /// The state of a row, for which [`write_row`](Self::write_row) writes the same row. The goal
    /// may be unreachable from it.
    ///
    /// # Errors
    /// Why no state has the row, with the index of the byte where there is one.
    fn state_of_row(&self, row: &[u8]) -> Result<Self::State, String>;

    /// Number of values of a byte.
    fn row_values(&self) -> usize {
        self.feature_len().checked_div(self.groups()).unwrap_or_default()
    }

    /// Writes a state to a row of [`groups`](Learnable::groups) bytes.
    #[inline]
    fn write_row(&self, state: &Self::State, row: &mut [u8]) {
        let values = self.row_values() as u32;
        let mut bytes = row.iter_mut();
        let mut first = 0;
        self.active(state, &mut |index| {
            if let Some(byte) = bytes.next() {
                *byte = (index - first) as u8;
            }
            first += values;
        });
    }
}

/// The first byte of a row that is not below `values`, as an error.
///
/// ```
/// use unriddle_core::rows::in_range;
///
/// assert_eq!(in_range(&[0, 3, 1], 4), Ok(()));
/// assert_eq!(in_range(&[0, 4, 1], 4).unwrap_err(), "byte 1 is 4: expected 0 to 3");
/// ```
///
/// # Errors
/// The index of the byte, the byte and the values that are expected.
pub fn in_range(row: &[u8], values: usize) -> Result<(), String> {
    match row.iter().position(|&byte| usize::from(byte) >= values) {
        None => Ok(()),
        Some(at) => {
            Err(format!("byte {at} is {}: expected 0 to {}", row[at], values.saturating_sub(1)))
        }
    }
}

/// The first two bytes of a row that are equal where all must differ, as an error.
///
/// ```
/// use unriddle_core::rows::all_differ;
///
/// assert_eq!(all_differ(&[2, 0, 1]), Ok(()));
/// assert_eq!(all_differ(&[2, 0, 2]).unwrap_err(), "bytes 0 and 2 are both 2");
/// ```
///
/// # Errors
/// The indices of the two bytes, and their value.
pub fn all_differ(row: &[u8]) -> Result<(), String> {
    let mut seen = [0u64; 4];
    for (at, &byte) in row.iter().enumerate() {
        let (word, bit) = (usize::from(byte >> 6), 1 << (byte & 63));
        if seen[word] & bit != 0 {
            let first = row.iter().position(|&other| other == byte).unwrap_or_default();
            return Err(format!("bytes {first} and {at} are both {byte}"));
        }
        seen[word] |= bit;
    }
    Ok(())
}
