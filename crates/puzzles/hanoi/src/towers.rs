//! Distances of small towers, which add up to an estimate for large ones.
//!
//! A table contains the distance of each [class](crate::classes) of positions of a few disks. A
//! move moves a single disk, so that the distances of disjoint groups of disks add up to a lower
//! bound (Felner, Korf and Hanan 2004, Additive pattern database heuristics, Journal of Artificial
//! Intelligence Research 22). Any group of disks moves as any other group of the same size, and
//! disks on the goal's peg need not move for smaller ones. So one table serves for all groups.
//!
//! The estimate is the larger sum of two partitions: groups from the largest disk on, and groups
//! from the smallest disk on. On three pegs the distance follows from a formula, without a table.

use crate::{Hanoi, MOST, State, classes::Classes};
use std::sync::Arc;
use unriddle_core::{
    Backward, Cost, Guarantee, Heuristic, Info, Options, Puzzle as _, Role, options,
};
use unriddle_tables::{Build, Cache, Distances, Pattern, Table, TableError, Width, Work};

/// Declaration of `towers`.
pub const INFO: Info = Info {
    guarantee: "consistent",
    requires: "towers of Hanoi",
    reference: "Felner, Korf and Hanan 2004, Additive pattern database heuristics, JAIR 22",
    parameters: TowersConfig::PARAMETERS,
    ..Info::new(Role::Heuristic, "towers", "sum of the distances of groups of disks")
};

/// Most disks of a table.
const MOST_TABLE: u8 = 14;

options! {
    /// Options of [`Towers`].
    #[derive(Copy)]
    pub struct TowersConfig of INFO {
        disks: u8 = "0" in 0..=MOST_TABLE, positional,
            "disks of the table (0 = as 4 million entries allow)",
            "Four pegs: 12 disks take 3 MB, 13 take 11 MB and 14 take 45 MB. Three pegs need no \
             table.";
    }
}

/// Most entries of a table of the default size.
const ENTRIES: u64 = 1 << 22;

/// Most entries of a table that is made in milliseconds.
const FEW: u64 = 1 << 16;

/// Pattern of some disks, larger ones on the goal's peg.
#[derive(Clone)]
pub struct Small {
    pegs: u8,
    classes: Arc<Classes>,
}

impl Pattern<Hanoi> for Small {
    fn name(&self) -> String {
        format!("hanoi-{}-pegs-{}-disks", self.pegs, self.classes.disks())
    }

    fn ranks(&self) -> u64 {
        self.classes.count()
    }

    fn rank(&self, state: &State) -> u64 {
        self.classes.rank(&state[..self.classes.disks()])
    }

    fn unrank(&self, rank: u64) -> State {
        let mut state = [self.pegs - 1; MOST];
        self.classes.unrank(rank, &mut state);
        state
    }

    fn before(&self, _: &Hanoi, rank: u64, visit: &mut impl FnMut(u64)) {
        // Every move can be undone.
        self.classes.neighbours(&mut self.unrank(rank), visit);
    }

    /// On four pegs, 14 disks need at most 114 moves; three pegs have no table.
    fn width(&self) -> Width {
        Width::Byte
    }
}

impl Backward for Hanoi {
    fn predecessors(&self, state: &State, visit: &mut dyn FnMut(State, crate::Step)) {
        for step in self.actions(state) {
            let back = crate::Step { from: step.to, to: step.from };
            visit(self.apply(state, step), back);
        }
    }

    fn goal_states(&self) -> Vec<State> {
        vec![[self.pegs - 1; MOST]]
    }
}

/// The additive estimate.
pub struct Towers {
    disks: usize,
    classes: Arc<Classes>,
    /// Distances of the classes; `None` on three pegs.
    table: Option<Arc<Table>>,
}

/// The classes of the largest table of at most `entries` entries for `disks` disks.
fn sized(pegs: u8, disks: usize, entries: u64) -> Classes {
    let most = usize::from(MOST_TABLE).min(disks);
    let fit = (1..=most).rev().map(|disks| Classes::new(pegs, disks));
    let mut fit = fit.filter(|classes| classes.count() <= entries);
    fit.next().unwrap_or_else(|| Classes::new(pegs, 1))
}

/// The pattern of a configuration: of a puzzle or, without one, of any number of disks.
fn pattern(pegs: u8, disks: usize, config: TowersConfig) -> Small {
    let classes = match config.disks {
        0 => sized(pegs, disks, ENTRIES),
        given => Classes::new(pegs, usize::from(given).min(disks)),
    };
    Small { pegs, classes: Arc::new(classes) }
}

/// Builder of the table of a puzzle.
fn builder(puzzle: &Hanoi, config: TowersConfig) -> Distances<Hanoi, Small> {
    let pattern = pattern(puzzle.pegs, puzzle.disks, config);
    Distances { puzzle: puzzle.clone(), pattern }
}

/// The tables of an estimate, for building in advance.
#[must_use]
pub fn tables(puzzle: &Hanoi, config: TowersConfig) -> Vec<Box<dyn Build>> {
    match puzzle.pegs {
        3 => Vec::new(),
        _ => vec![Box::new(builder(puzzle, config))],
    }
}

impl Towers {
    /// The estimate for a puzzle; its table is opened or built.
    ///
    /// # Errors
    /// The table cannot be opened or built.
    pub fn new(puzzle: &Hanoi, config: TowersConfig, cache: &Cache) -> Result<Self, TableError> {
        let builder = builder(puzzle, config);
        let table = if puzzle.pegs == 3 { None } else { Some(cache.get(&builder)?) };
        Ok(Self { disks: puzzle.disks, classes: builder.pattern.classes, table })
    }

    /// The estimate with a small table, which is made at once and not stored.
    ///
    /// # Errors
    /// No memory.
    pub fn small(puzzle: &Hanoi) -> Result<Self, TableError> {
        let (pegs, disks) = (puzzle.pegs, puzzle.disks);
        let classes = Arc::new(sized(pegs, disks, FEW));
        let pattern = Small { pegs, classes: classes.clone() };
        let table = if pegs == 3 {
            None
        } else {
            let builder = Distances { puzzle: puzzle.clone(), pattern };
            let bytes = builder.build(&Work::new(1, &|_| true))?;
            let table = Table::from_packed(&bytes, builder.entries(), Width::Byte)?;
            Some(Arc::new(table))
        };
        Ok(Self { disks, classes, table })
    }

    /// A lower bound of the distance of a position: the peg of each disk from the smallest one.
    #[must_use]
    pub fn estimate(&self, at: &[u8]) -> Cost {
        let at = &at[..self.disks];
        let Some(table) = &self.table else {
            return three(at);
        };
        let group = |group: &[u8]| Cost::from(table.packed()[self.classes.rank(group) as usize]);
        let most = self.classes.disks().max(1);
        let from_small: Cost = at.chunks(most).map(group).sum();
        if at.len() <= most {
            return from_small;
        }
        let from_large: Cost = at.rchunks(most).map(group).sum();
        from_small.max(from_large)
    }

    /// Size of the table in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.bytes())
    }
}

/// The distance on three pegs. The largest disk off its peg moves once, from a position where all
/// smaller ones are on the third peg; then these make a whole tower's moves.
fn three(at: &[u8]) -> Cost {
    let (mut peg, mut moves) = (2, 0);
    for (disk, &from) in at.iter().enumerate().rev() {
        if from != peg {
            moves += 1 << disk;
            peg = 3 - from - peg;
        }
    }
    moves
}

impl Heuristic<Hanoi> for Towers {
    type Memo = ();

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn root(&self, _: &Hanoi, state: &State) -> Option<(Cost, ())> {
        Some((self.estimate(state), ()))
    }

    fn bytes(&self) -> u64 {
        self.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frame–Stewart numbers of whole towers on four pegs, which are optimal, and a formula on
    /// three.
    #[test]
    fn towers_have_known_distances() {
        let four = [1, 3, 5, 9, 13, 17, 25, 33, 41];
        for (n, moves) in (1..).zip(four) {
            let puzzle = Hanoi::parse(&"1 ".repeat(n), 4).unwrap();
            assert_eq!(Towers::small(&puzzle).unwrap().estimate(&puzzle.start), moves, "{n}");
        }
        let puzzle = Hanoi::parse(&"1 ".repeat(20), 3).unwrap();
        assert_eq!(Towers::small(&puzzle).unwrap().estimate(&puzzle.start), (1 << 20) - 1);
    }

    /// Tables of the default size have the documented numbers of disks.
    #[test]
    fn tables_have_at_most_four_million_entries() {
        let disks = |pegs| pattern(pegs, MOST, TowersConfig::default()).classes.disks();
        assert_eq!([4, 5, 6, 9].map(disks), [12, 11, 11, 10]);
        let bytes = |disks| Classes::new(4, disks).count() / 1_000_000;
        assert_eq!([12, 13, 14].map(bytes), [2, 11, 44]);
        assert!(tables(&Hanoi::parse("1", 3).unwrap(), TowersConfig::default()).is_empty());
    }
}
