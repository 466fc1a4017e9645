//! States as rows of bytes, the form in which arrays hold them.

use crate::learnable::Learnable;

/// Puzzle whose states are rows of bytes of equal length.
///
/// Byte `g` of a row is the offset of the active index in [group](Learnable::groups) `g` of the
/// puzzle's usual input. A one-hot vector of the row is the input of a network.
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

    /// Expands the state of a row. A puzzle overrides this where children are made faster from the
    /// row itself.
    ///
    /// # Errors
    /// Errors of [`state_of_row`](Self::state_of_row).
    #[inline]
    fn expand_row(&self, row: &[u8], mut children: Children<'_>) -> Result<(), String> {
        let state = self.state_of_row(row)?;
        for action in self.actions(&state) {
            let cost = self.action_cost(&state, action);
            let into = children.add(self.action_number(action), cost);
            self.write_row(&self.apply(&state, action), into);
        }
        Ok(())
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

/// Children of a state, each in the slot of its action's number.
#[derive(Debug)]
pub struct Children<'a> {
    /// The row of each child; unchanged where the action is not legal.
    pub rows: &'a mut [u8],
    /// Whether each action is legal; `false` at first.
    pub legal: &'a mut [bool],
    /// The cost of each action; unchanged where it is not legal.
    pub costs: &'a mut [u32],
}

impl Children<'_> {
    /// Notes an action and its cost; returns the row of its child.
    #[inline]
    pub fn add(&mut self, action: usize, cost: u32) -> &mut [u8] {
        self.legal[action] = true;
        self.costs[action] = cost;
        let width = self.rows.len() / self.legal.len();
        &mut self.rows[action * width..(action + 1) * width]
    }
}

/// Checks that a row has each number below its length once.
///
/// ```
/// use unriddle_core::rows::each_once;
///
/// assert_eq!(each_once(&[2, 0, 1]), Ok(()));
/// assert_eq!(each_once(&[2, 0, 2]).unwrap_err(), "bytes 0 and 2 are both 2");
/// assert_eq!(each_once(&[2, 3, 1]).unwrap_err(), "byte 1 is 3: expected 0 to 2");
/// ```
///
/// # Errors
/// Errors of [`in_range`] and [`all_differ`].
#[inline]
pub fn each_once(row: &[u8]) -> Result<(), String> {
    // A row of up to 64 bytes sets as many bits as it has bytes exactly if they differ.
    let bits = row.iter().fold(0u64, |bits, &byte| bits | 1u64.wrapping_shl(byte.into()));
    let highest = row.iter().fold(0, |highest, &byte| byte.max(highest));
    let is_short = row.len() <= 64 && usize::from(highest) < row.len();
    if is_short && bits.count_ones() as usize == row.len() {
        return Ok(());
    }
    in_range(row, row.len())?;
    all_differ(row)
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
