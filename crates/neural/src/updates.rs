//! Rows that differ from parent rows by a few indices, as the successors of states do. The sums of
//! the first layer are the sums of the parent, plus a difference of two columns for each changed
//! index.
//!
//! Rows with the same number (of an action) often change in the same ways: in a permutation puzzle
//! an action moves the piece at a cell always to the same other cell. Rows are therefore processed
//! by number, and the differences of a number's changes are computed once for all of its rows. A
//! strip of the differences fits into the first-level cache.

use crate::error::RowError;

/// Rows as changes of parent rows.
#[derive(Default)]
pub struct Updates {
    rows: Vec<Update>,
    /// Indices that cease to be active, row after row. `come` holds the index that replaces each of
    /// them.
    gone: Vec<u32>,
    come: Vec<u32>,
    is_uneven: bool,
}

#[derive(Clone, Copy)]
struct Update {
    parent: u32,
    number: u32,
    /// End of its changes in `gone` and `come`.
    end: u32,
}

impl Updates {
    /// Removes all rows.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.gone.clear();
        self.come.clear();
        self.is_uneven = false;
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row that differs from the row `parent`. Parents must be in ascending order. `changes`
    /// calls its argument with every index that becomes active (`true`) or ceases to be active
    /// (`false`).
    pub fn add(
        &mut self,
        parent: u32,
        number: u32,
        changes: impl FnOnce(&mut dyn FnMut(u32, bool)),
    ) {
        let Self { gone, come, .. } = self;
        changes(&mut |index, on| if on { come.push(index) } else { gone.push(index) });
        self.is_uneven |= self.come.len() != self.gone.len();
        self.rows.push(Update { parent, number, end: self.come.len() as u32 });
    }

    /// Range of the changes of a row.
    fn changes(&self, row: usize) -> std::ops::Range<usize> {
        let from = row.checked_sub(1).map_or(0, |row| self.rows[row].end);
        from as usize..self.rows[row].end as usize
    }

    /// Parent of a row, the indices that cease to be active, and the indices that become active.
    pub(crate) fn row(&self, row: usize) -> (u32, &[u32], &[u32]) {
        let changes = self.changes(row);
        let (gone, come) = (&self.gone[changes.clone()], &self.come[changes]);
        (self.rows[row].parent, gone, come)
    }

    /// Checks that all rows have parents in ascending order, that all rows have `groups` active
    /// indices, and that all indices are within the input.
    pub(crate) fn check(&self, parents: usize, rows: usize, inputs: usize) -> Result<(), RowError> {
        let (found, expected) = (self.len(), rows);
        if found != expected {
            return Err(RowError::Length { found, expected });
        }
        let ascending = self.rows.is_sorted_by_key(|row| row.parent);
        let last = self.rows.last().map_or(0, |row| row.parent as usize + 1);
        if self.is_uneven || !ascending || last > parents {
            return Err(RowError::Changes);
        }
        let greatest = |indices: &[u32]| indices.iter().copied().fold(0, u32::max);
        let is_within = greatest(&self.gone).max(greatest(&self.come)) < inputs as u32;
        for row in 0..if is_within { 0 } else { rows } {
            let changes = self.changes(row);
            let mut all = self.gone[changes.clone()].iter().chain(&self.come[changes]);
            if let Some(&index) = all.find(|&&index| index as usize >= inputs) {
                return Err(RowError::Index { row, index, inputs });
            }
        }
        Ok(())
    }

    /// Appends the active indices of all rows, `groups` for each. `active` are the indices of the
    /// parents.
    pub(crate) fn expand(&self, active: &[u32], groups: usize, to: &mut Vec<u32>) {
        for (row, update) in self.rows.iter().enumerate() {
            let own = to.len();
            to.extend_from_slice(&active[update.parent as usize * groups..][..groups]);
            for change in self.changes(row) {
                // If a removed index was not active, nothing replaces it.
                if let Some(index) = to[own..].iter_mut().find(|i| **i == self.gone[change]) {
                    *index = self.come[change];
                }
            }
        }
    }

    /// Cuts the rows into blocks of at most `most` rows, at changes of the parent. A parent with
    /// more rows gets a block of its own. Each block is a pair of ranges: its parents and its rows.
    pub(crate) fn blocks(&self, most: usize) -> Vec<[std::ops::Range<usize>; 2]> {
        let mut blocks: Vec<[std::ops::Range<usize>; 2]> = Vec::new();
        let mut row = 0;
        while row < self.len() {
            let parent = self.rows[row].parent as usize;
            let own = self.rows[row..].iter().take_while(|update| update.parent as usize == parent);
            let end = row + own.count();
            match blocks.last_mut() {
                Some([parents, rows]) if end - rows.start <= most => {
                    parents.end = parent + 1;
                    rows.end = end;
                }
                _ => blocks.push([parent..parent + 1, row..end]),
            }
            row = end;
        }
        blocks
    }
}

/// Rows of a block in the order of their action numbers, and their differences of columns.
#[derive(Default)]
pub(crate) struct Plan {
    /// Rows of the block, counted from 0, in the order of their action numbers.
    pub(crate) order: Vec<u32>,
    /// For each row in this order, its parent in the block and its number of changes.
    pub(crate) rows: Vec<(u32, u32)>,
    /// For each row in this order, the differences of its action number that it adds.
    pub(crate) adds: Vec<u32>,
    /// Differences of all numbers: the subtracted column and the added column.
    pub(crate) differences: Vec<(u32, u32)>,
    /// Number of rows and number of differences of each action number.
    pub(crate) runs: Vec<(usize, usize)>,
    /// For each action number, the end of its rows in `order`.
    ends: Vec<u32>,
    /// For each subtracted column, the index of its difference.
    positions: Vec<u32>,
}

/// Mark of columns without a difference.
const NONE: u32 = u32::MAX;

impl Plan {
    /// Plan of a block of checked rows.
    pub(crate) fn make(
        &mut self,
        updates: &Updates,
        [parents, block]: &[std::ops::Range<usize>; 2],
        inputs: usize,
    ) {
        let rows = &updates.rows[block.clone()];
        self.sort(rows);
        self.rows.clear();
        self.adds.clear();
        self.differences.clear();
        self.runs.clear();
        self.positions.resize(inputs, NONE);
        let mut from = 0;
        for &end in &self.ends {
            let begin = self.differences.len();
            let own = &self.order[from..end as usize];
            for &row in own {
                let changes = updates.changes(block.start + row as usize);
                let parent = rows[row as usize].parent - parents.start as u32;
                self.rows.push((parent, changes.len() as u32));
                for change in changes {
                    let (gone, come) = (updates.gone[change], updates.come[change]);
                    let position = &mut self.positions[gone as usize];
                    let is_known = *position != NONE
                        && self.differences[begin + *position as usize] == (gone, come);
                    if !is_known {
                        *position = (self.differences.len() - begin) as u32;
                        self.differences.push((gone, come));
                    }
                    self.adds.push(*position);
                }
            }
            if !own.is_empty() {
                self.runs.push((own.len(), self.differences.len() - begin));
            }
            for &(gone, _) in &self.differences[begin..] {
                self.positions[gone as usize] = NONE;
            }
            from = end as usize;
        }
    }

    /// Orders rows by their numbers.
    fn sort(&mut self, rows: &[Update]) {
        let numbers = rows.iter().map(|row| row.number as usize + 1).max();
        self.ends.clear();
        self.ends.resize(numbers.unwrap_or(0), 0);
        for row in rows {
            self.ends[row.number as usize] += 1;
        }
        let mut begin = 0;
        for end in &mut self.ends {
            (*end, begin) = (begin, begin + *end);
        }
        self.order.clear();
        self.order.resize(rows.len(), 0);
        for (place, row) in (0..).zip(rows) {
            let end = &mut self.ends[row.number as usize];
            self.order[*end as usize] = place;
            *end += 1;
        }
    }
}
