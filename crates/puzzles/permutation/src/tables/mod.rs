//! Automatic pattern databases: the pieces of a puzzle are found from its moves, and patterns of
//! them are chosen under a limit of bytes.
//!
//! Source of pattern databases: R. E. Korf 1997, Finding optimal solutions to Rubik's cube using
//! pattern databases.

mod choose;
mod pattern;

use crate::{
    puzzle::{Labels, Permutation},
    rules::Rules,
};
pub(crate) use choose::chosen;
use pattern::Pieced;
use std::sync::Arc;
use unriddle_catalog::SolveError;
use unriddle_core::{Cost, Guarantee, Heuristic, Info, Options as _, Role, options};
use unriddle_tables::{Cache, Distances, Table, TableError, Width, cache::Build};

/// Declaration of the automatic tables.
pub const INFO: Info = Info {
    guarantee: "consistent",
    requires: "permutation puzzles without wildcards",
    parameters: PdbConfig::PARAMETERS,
    reference: "Korf 1997",
    ..Info::new(Role::Heuristic, "pdb", "tables of pieces, chosen for the puzzle")
};

options! {
    /// Size of automatic tables.
    #[derive(Copy)]
    pub struct PdbConfig of INFO {
        bytes: u64 = "8M" in 1..=1 << 36, "bytes of all tables together";
    }
}

/// Most pieces of all patterns of an estimate.
pub(crate) const MOST_TRACKED: usize = 48;

/// Largest entry of a table with four bits, which means that no path leads to the goal.
const NIBBLE_UNSEEN: u8 = 15;

/// The tables of an instance, to be built or opened.
///
/// # Errors
/// A puzzle whose goal has wildcards.
pub(crate) fn builders<const N: usize>(
    puzzle: &Permutation<N>,
    config: PdbConfig,
) -> Result<Vec<Distances<Permutation<N>, Pieced>>, SolveError> {
    let rules = &puzzle.rules;
    if rules.definition.wildcards > 0 {
        return Err(SolveError::Unsupported(
            "`pdb` needs a goal without wildcards: distances to one goal are no bounds where others \
             are nearer. `misplaced` counts wildcards"
                .to_owned(),
        ));
    }
    let builder = |(parts, width): (Vec<_>, _)| Distances {
        puzzle: puzzle.clone(),
        pattern: Pieced::new(rules, &parts, width),
    };
    Ok(chosen(rules, config.bytes).into_iter().map(builder).collect())
}

/// The same, type-erased.
pub(crate) fn erased<const N: usize>(
    puzzle: Option<&Permutation<N>>,
    config: PdbConfig,
) -> Result<Vec<Box<dyn Build>>, SolveError> {
    let Some(puzzle) = puzzle else { return Ok(Vec::new()) };
    let erase = |builder| Box::new(builder) as Box<dyn Build>;
    Ok(builders(puzzle, config)?.into_iter().map(erase).collect())
}

/// Estimate by the largest entry of several tables.
pub struct Tables {
    tables: Vec<Lookup>,
    /// For each tracked piece, the number of its class.
    classes: Vec<u8>,
    /// For each class and move, the coordinate to which each coordinate is mapped.
    moved: Vec<Vec<Mapping>>,
}

/// For each coordinate of a class, the coordinate to which a move maps it.
type Mapping = [u8; pattern::MOST_COORDINATES];

/// A table with the pieces of its pattern.
struct Lookup {
    pattern: Pieced,
    table: Arc<Table>,
    /// Number of the pattern's first tracked piece.
    first: usize,
    pieces: usize,
}

/// Coordinates of all tracked pieces.
pub type Tracked = [u8; MOST_TRACKED];

impl Tables {
    /// Opens or builds the tables of a puzzle.
    ///
    /// # Errors
    /// The puzzle has no tables, or they cannot be built.
    pub fn new<const N: usize>(
        puzzle: &Permutation<N>,
        config: PdbConfig,
        cache: &Cache,
    ) -> Result<Self, SolveError> {
        let builders = builders(puzzle, config)?;
        cache.admit(builders.iter().map(|builder| builder as &dyn Build))?;
        let (mut tables, mut classes) = (Vec::new(), Vec::new());
        for builder in builders {
            let (pattern, table) = opened(builder, cache)?;
            let first = classes.len();
            classes.extend(pattern.classes().map(|class| class as u8));
            tables.push(Lookup { pieces: pattern.pieces(), pattern, table, first });
        }
        Ok(Self { tables, classes, moved: moved(&puzzle.rules) })
    }

    /// The estimate of coordinates; `None` for a dead end.
    #[inline]
    fn estimate(&self, tracked: &Tracked) -> Option<Cost> {
        let mut largest = 0;
        for Lookup { pattern, table, first, pieces } in &self.tables {
            let rank = pattern.rank_of(&tracked[*first..first + pieces]);
            let (entry, unseen) = match table.width() {
                Width::Nibble => (table.nibble(rank), NIBBLE_UNSEEN),
                Width::Byte => (table.packed()[rank as usize], u8::MAX),
            };
            if entry == unseen {
                return None;
            }
            largest = largest.max(entry);
        }
        Some(largest.into())
    }
}

/// A pattern and its table; with wider entries if the distances do not fit.
fn opened<const N: usize>(
    builder: Distances<Permutation<N>, Pieced>,
    cache: &Cache,
) -> Result<(Pieced, Arc<Table>), TableError> {
    let wider = |pattern: Pieced| Distances {
        puzzle: builder.puzzle.clone(),
        pattern: pattern.with_width(Width::Byte),
    };
    match cache.get(&builder) {
        Err(TableError::BadPattern(_)) => {
            let wide = wider(builder.pattern);
            let table = cache.get(&wide)?;
            Ok((wide.pattern, table))
        }
        table => Ok((builder.pattern, table?)),
    }
}

/// The mapping of coordinates by the moves, as bytes: empty for classes that no pattern contains.
fn moved(rules: &Rules) -> Vec<Vec<Mapping>> {
    let bytes = |moved: &Vec<u16>| {
        let mut bytes = [0; pattern::MOST_COORDINATES];
        bytes.iter_mut().zip(moved).for_each(|(byte, &to)| *byte = to as u8);
        bytes
    };
    let class = |class: &crate::group::pieces::Class| match class.positions.len() {
        0..=pattern::MOST_COORDINATES => class.moved.iter().map(bytes).collect(),
        _ => Vec::new(),
    };
    rules.pieces().classes.iter().map(class).collect()
}

impl<const N: usize> Heuristic<Permutation<N>> for Tables {
    type Memo = Tracked;

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }

    fn root(&self, _: &Permutation<N>, state: &Labels<N>) -> Option<(Cost, Tracked)> {
        let mut tracked = [0; MOST_TRACKED];
        for Lookup { pattern, first, pieces, .. } in &self.tables {
            pattern.located(state, &mut tracked[*first..first + pieces]);
        }
        Some((self.estimate(&tracked)?, tracked))
    }

    #[inline]
    fn child(
        &self,
        _: &Permutation<N>,
        _: &Labels<N>,
        memo: &Tracked,
        step: u8,
        _: &Labels<N>,
    ) -> Option<(Cost, Tracked)> {
        let mut tracked = *memo;
        for (coordinate, &class) in tracked.iter_mut().zip(&self.classes) {
            let moved = &self.moved[usize::from(class)][usize::from(step)];
            *coordinate = moved[usize::from(*coordinate)];
        }
        Some((self.estimate(&tracked)?, tracked))
    }

    fn bytes(&self) -> u64 {
        self.tables.iter().map(|lookup| lookup.table.bytes()).sum()
    }
}
