//! What a beam from both ends of the path takes of a puzzle.

use unriddle_core::{Backward, Ends, Invertible, NearGoal, Puzzle};
use unriddle_tables::{Build, Cache, Distance, Near, TableError};

/// Fewest bytes of a table: it holds all states one action from the goal, as searches with it expect.
const LEAST: u64 = 64_000;

/// The inverses of a puzzle's states, and exact distances near its goal.
///
/// ```
/// # use unriddle_core::{Backward, GoalPuzzle, Invertible, Reversible};
/// use unriddle_catalog::ends::BothEnds;
///
/// fn both_ends<P: Invertible + Backward + Clone>() -> Option<BothEnds<P>> {
///     Some(BothEnds::new())
/// }
/// ```
pub struct BothEnds<P: Puzzle> {
    /// The inverses.
    pub(crate) ends: Ends<P>,
    near: fn(&P, u64) -> Box<dyn Build>,
}

impl<P: Puzzle> Clone for BothEnds<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Puzzle> Copy for BothEnds<P> {}

impl<P: Invertible + Backward + Clone> BothEnds<P> {
    /// Those of a puzzle whose states have inverses.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            ends: Ends::new(),
            near: |puzzle, bytes| Box::new(Near::new(puzzle, Ends::new(), bytes)),
        }
    }
}

impl<P: Invertible + Backward + Clone> Default for BothEnds<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Puzzle> BothEnds<P> {
    /// The table of exact distances near the goal in a number of bytes, or in [`LEAST`], to be built; none in 0 bytes.
    pub(crate) fn table(&self, puzzle: &P, bytes: u64) -> Option<Box<dyn Build>> {
        (bytes > 0).then(|| (self.near)(puzzle, bytes.max(LEAST)))
    }

    /// The distances, from the cache or built now.
    pub(crate) fn near(
        &self,
        puzzle: &P,
        bytes: u64,
        cache: &Cache,
    ) -> Result<Option<impl NearGoal<P> + use<P>>, TableError> {
        let table = self.table(puzzle, bytes);
        let table = table.map(|table| cache.get(&*table)).transpose()?;
        Ok(table.map(|table| Distance::new(self.ends, table)))
    }
}
