//! The tree of the search, for iterative deepening.

use super::{
    OptimalConfig,
    engine::{self, Engine, slide},
    node::Node,
    partitions,
    setup::{self, Setup},
};
use crate::{Board, Slide, Tiles};
use std::sync::Arc;
use unriddle_core::{Puzzle, Quota, Stats};
use unriddle_search::idastar::tree::{Count, Part, Slice, Start, Subtree, Top, Tree};
use unriddle_tables::{Cache, TableError};

/// Expansions of a part of an iteration, on average, and most parts.
const PART: (u64, u64) = (1 << 14, 1 << 12);

/// Tree of the paths from a start, under the estimates of all views.
pub struct OptimalTree {
    setup: Arc<Setup>,
    start: Node,
    /// By view, half the difference of the start's estimate and its Manhattan distance.
    excesses: Vec<u32>,
}

impl OptimalTree {
    /// The tree of a start, with tables from the cache.
    ///
    /// # Errors
    /// The tables cannot be had.
    pub fn new<B: Board>(
        puzzle: &Tiles<B>,
        config: OptimalConfig,
        cache: &Cache,
    ) -> Result<Self, TableError> {
        let setup = setup::shared(config.partitions, config.depth, cache)?;
        let cells = std::array::from_fn(|cell| {
            // The blank's goal is the last cell.
            let tile = puzzle.initial_state().tile(cell);
            if tile == 0 { partitions::BLANK as u8 } else { tile as u8 - 1 }
        });
        let (start, excesses) = setup.start(&cells)?;
        Ok(Self { setup, start, excesses })
    }

    /// Bytes of the tables and of the automaton.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        self.setup.bytes()
    }

    /// The start with the gaps of a bound.
    fn root(&self, bound: u64) -> Node {
        let mut root = self.start;
        let rises = (bound.saturating_sub(root.distance.into()) / 2) as u32;
        for (gap, excess) in root.gaps.iter_mut().zip(&self.excesses) {
            // No search comes to gaps beyond this.
            *gap = rises.saturating_sub(*excess).min(i8::MAX as u32) as i8;
        }
        root
    }

    fn below(&self, root: Node) -> Box<Below> {
        let (setup, from) = (Arc::clone(&self.setup), root.moves.into());
        Box::new(Below {
            setup,
            root: Some(root),
            from,
            engine: Engine::default(),
            end: Vec::new(),
        })
    }
}

impl<'a> Tree<'a, Slide> for OptimalTree {
    fn start(&self) -> Start {
        if self.start.distance == 0 {
            return Start::Goal;
        }
        let most = self.excesses.iter().max().copied().unwrap_or_default();
        Start::Open(u32::from(self.start.distance) + 2 * most)
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn whole(&self, bound: u64) -> Box<dyn Subtree<Slide> + 'a> {
        self.below(self.root(bound))
    }

    fn split(&self, bound: u64, depth: u32) -> Top<'a, Slide> {
        let (mut engine, mut stats) = (Engine::default(), Stats::default());
        engine.begin(self.root(bound));
        let goal = (0..depth).find_map(|_| engine.layer(&self.setup, &mut stats));
        let mut count = Count { expanded: stats.expanded, generated: stats.generated };
        let mut part = |path, root: &Node, goal| {
            // The whole top comes before the first part.
            let (before, subtree) = (std::mem::take(&mut count), self.below(*root));
            Part { path, before, subtree, goal }
        };
        let path = |node: &Node| node.numbers().map(slide).collect();
        let parts: Vec<_> = match goal {
            Some(moves) => {
                let cost = moves.len() as u32;
                vec![part(moves, &self.start, Some(cost))]
            }
            // As a depth-first search takes them from its stack.
            None => engine.open().rev().map(|node| part(path(node), node, None)).collect(),
        };
        Top { parts, tail: count, next: bound + 2, inconsistent: None }
    }

    fn parts(&self, expansions: u64) -> Option<usize> {
        let (each, most) = PART;
        Some((expansions / each).clamp(1, most) as usize)
    }

    fn record_bytes(&self) -> usize {
        size_of::<Below>()
    }
}

/// The tree below a position.
struct Below {
    setup: Arc<Setup>,
    /// The position, before the search.
    root: Option<Node>,
    /// Number of moves to it.
    from: usize,
    engine: Engine,
    /// The moves from the start to a goal.
    end: Vec<Slide>,
}

impl Subtree<Slide> for Below {
    fn run(&mut self, bound: u64, next: &mut u64, stats: &mut Stats, quota: &Quota) -> Slice {
        // Every estimate rises by 2 or not at all, and some path is always longer.
        *next = (*next).min(bound + 2);
        if let Some(root) = self.root.take() {
            self.engine.begin(root);
        }
        match self.engine.run(&self.setup, quota, stats) {
            engine::Slice::Paused if self.engine.bytes() > quota.bytes => Slice::OutOfMemory,
            engine::Slice::Paused => Slice::Paused,
            engine::Slice::Done => {
                self.engine = Engine::default();
                Slice::Done
            }
            engine::Slice::Goal(moves) => {
                self.end = moves;
                Slice::Goal(self.end.len() as u32)
            }
        }
    }

    fn path(&self) -> Vec<Slide> {
        self.end.get(self.from..).unwrap_or_default().to_vec()
    }

    fn bytes(&self) -> u64 {
        self.engine.bytes()
    }
}
