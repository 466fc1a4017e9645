//! The fewest pushes: A\* over sets of boxes and the part of the board that the player can reach.
//!
//! Positions are looked up by their boxes, and each stores the cells that the player reaches.
//! Whether a push leads to a known position follows from the player's cell after the push, without
//! computing the reachable cells. The bound is the least assignment of boxes to goals (the module
//! `bound`). All solutions of a level have the same parity, so that the open list has one bucket
//! for every second length.

use super::{symmetries::Symmetries, table::Table, ties::Ties};
use crate::{
    board::{Bit, Bits, Board, Each, and, first, has, moved, one, without},
    bound::{Distances, Matching},
    dead::{corral, frozen},
    level::{End, Move, Way},
    memory::grown_bytes,
};
use std::{mem::size_of, sync::Arc};
use unriddle_core::{
    Info, Observer, Options as _, Outcome, Progress, Quota, Role, Search, SearchError, Solution,
    Stats, options, search::check_state_size, words,
};

/// Declaration of `push-optimal`.
pub const PUSHES: Info = Info {
    guarantee: "optimal in pushes",
    requires: "sokoban(measure=pushes)",
    reference: "Junghanns and Schaeffer 2001, Sokoban: enhancing general single-agent search methods using domain knowledge",
    parameters: PushConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "push-optimal",
        "the fewest pushes by A* on boards of bits, with the least assignment of boxes to goals as its bound",
    )
};

words! {
    /// Choice among the shortest solutions.
    pub enum Prefer {
        /// The first solution found.
        First = "first",
        /// A solution with the fewest moves.
        Moves = "moves",
    }
}

options! {
    /// Options of `push-optimal`: pruning rules and the choice among solutions.
    #[derive(Copy)]
    pub struct PushConfig of PUSHES {
        ties: Prefer = "first", "choice among the shortest solutions",
            "`first` returns the first shortest solution that the search finds; `moves` returns \
             one with the fewest moves, which takes longer.";
        freeze: bool = "on" of ["off", "on"], "prune positions whose boxes hold each other";
        corral: bool = "on" of ["off", "on"], "PI-corral pruning",
            "Where the player cannot reach a part of the board, and no shortest solution is lost, \
             only pushes of the boxes around that part are tried.";
        symmetry: bool = "on" of ["off", "on"], "expand one of several symmetric positions",
            "On a level with symmetries, positions that are mapped to each other are expanded \
             once.";
    }
}

/// A reached position.
#[derive(Clone, Copy, Debug)]
struct Node<const W: usize> {
    boxes: Bits<W>,
    /// The cells that the player reaches.
    player: Bits<W>,
    /// The next position with the same boxes.
    next: u32,
    /// The previous position, and the push from it.
    parent: u32,
    onto: Bit,
    pushes: u16,
    way: Way,
    /// The symmetry that was applied to the position after the push.
    image: u8,
    is_closed: bool,
}

/// The index of no position.
const NO_NODE: u32 = u32::MAX;

/// The search.
pub struct PushOptimal<const W: usize> {
    board: Arc<Board<W>>,
    config: PushConfig,
    /// The initial position: boxes and the player's bit.
    start: (Bits<W>, Bit),
    distances: Option<Distances<W>>,
    images: Symmetries,
    matching: Matching,
    nodes: Vec<Node<W>>,
    table: Table,
    /// Open positions with the number of pushes to them. The bucket is the difference between the
    /// least length through the position and the least length from the start, shifted by `parity`.
    open: Vec<Vec<(u32, u16)>>,
    /// 1 if all solutions have an even number of pushes, or all an odd one, and otherwise 0. Each
    /// push changes the colour of a box's cell on a chessboard, and as many boxes as goals fix the
    /// colours at the end.
    parity: u32,
    /// The least bucket that may contain an open position.
    bucket: usize,
    /// The bound of the start.
    least: u32,
    entries: u64,
    stats: Stats,
    /// The first solution, while the search for fewer moves continues.
    first: Option<Solution<Move>>,
    ties: Option<Ties<W>>,
    outcome: Option<Outcome<Move>>,
}

impl<const W: usize> PushOptimal<W> {
    /// A search for the fewest pushes from a position.
    ///
    /// # Errors
    /// An option that is out of its bounds; a board whose positions are too large.
    pub fn new(
        board: Arc<Board<W>>,
        (boxes, player): (Bits<W>, Bit),
        config: PushConfig,
    ) -> Result<Self, SearchError> {
        config.check()?;
        check_state_size::<crate::Sokoban<W>>()?;
        let parity = u32::from(board.level.end == End::Even);
        Ok(Self {
            board,
            config,
            start: (boxes, player),
            distances: None,
            images: Symmetries::default(),
            matching: Matching::default(),
            nodes: Vec::new(),
            table: Table::default(),
            open: Vec::new(),
            parity,
            bucket: 0,
            least: 0,
            entries: 0,
            stats: Stats::default(),
            first: None,
            ties: None,
            outcome: None,
        })
    }

    /// Builds the tables of the level, and opens the start.
    fn begin(&mut self, observer: &mut dyn Observer<Move>) {
        let (boxes, player) = self.start;
        let distances = Distances::new(&self.board);
        if self.config.symmetry {
            self.images = Symmetries::new(&self.board);
        }
        let least = self.matching.pushes(&self.board, &distances, &boxes, player);
        self.distances = Some(distances);
        let (Some(least), None) = (least, &self.board.level.unsolvable) else {
            self.outcome = Some(Outcome::Unsolvable);
            return;
        };
        self.least = least;
        observer.bound(least.into(), &self.stats);
        self.table.find(&boxes, 0, |_| &boxes);
        let free = without(&self.board.floor, &boxes);
        self.nodes.push(Node {
            boxes,
            player: self.board.reach(&one(player), &free),
            next: NO_NODE,
            parent: NO_NODE,
            onto: player,
            pushes: 0,
            way: Way(0),
            image: 0,
            is_closed: false,
        });
        self.enter(0, 0, least);
        if self.board.is_end(&boxes) {
            self.finish(0, observer);
        }
    }

    /// Opens a position whose solutions have at least `pushes + least` pushes.
    fn enter(&mut self, node: u32, pushes: u16, least: u32) {
        let bucket = ((u32::from(pushes) + least - self.least) >> self.parity) as usize;
        if bucket >= self.open.len() {
            self.open.resize(bucket + 1, Vec::new());
        }
        self.open[bucket].push((node, pushes));
        self.entries += 1;
    }

    /// Ends with the solution that a position completes.
    fn finish(&mut self, node: u32, observer: &mut dyn Observer<Move>) {
        let mut actions = Vec::new();
        let mut at = &self.nodes[node as usize];
        while at.parent != NO_NODE {
            actions.push((at.onto, at.way, at.image));
            at = &self.nodes[at.parent as usize];
        }
        actions.reverse();
        let actions = self.images.undone(&self.board, &actions);
        let value = actions.len() as i64;
        let best = Solution { actions, value };
        observer.improved(&best, &self.stats);
        observer.bound(value, &self.stats);
        match self.config.ties {
            Prefer::First => self.end(best),
            Prefer::Moves => {
                let (boxes, player) = self.start;
                self.ties = Some(Ties::new(boxes, player, value as u32));
                self.first = Some(best);
                // The remaining steps need only the level's tables.
                (self.nodes, self.open) = (Vec::new(), Vec::new());
                (self.table, self.entries) = (Table::default(), 0);
            }
        }
    }

    /// Ends with a solution.
    fn end(&mut self, best: Solution<Move>) {
        let bound = Some(best.value);
        self.outcome = Some(Outcome::Solved { best, proof: true, bound });
    }

    /// Performs an expansion of the search for fewer moves.
    fn untie(&mut self) {
        let (Some(ties), Some(distances)) = (&mut self.ties, &self.distances) else {
            return;
        };
        match ties.expand(&self.board, distances, &mut self.matching) {
            Ok(generated) => {
                self.stats.expanded += 1;
                self.stats.generated += generated;
            }
            Err(actions) => {
                let value = actions.len() as i64;
                self.end(Solution { actions, value });
            }
        }
    }

    /// The proved lower bound of the solution's length.
    fn proved(&self) -> i64 {
        i64::from(self.least) + ((self.bucket as i64) << self.parity)
    }

    /// The bytes that an expansion may need.
    fn next_bytes(&self) -> u64 {
        // A position has at most four pushes of each box.
        let more = 4 * self.board.level.boxes().len() as u64;
        let open = 2 * (self.entries + more) * size_of::<(u32, u16)>() as u64;
        let distances = self.distances.as_ref().map_or(0, Distances::bytes);
        let ties = self.ties.as_ref().map_or(0, |ties| ties.next_bytes(more));
        grown_bytes(&self.nodes, more) + open + distances + self.table.next_bytes() + ties
    }

    /// Removes the next position to expand from the open list; `None` if the list is empty.
    fn next(&mut self, observer: &mut dyn Observer<Move>) -> Option<u32> {
        loop {
            let bucket = self.open.get_mut(self.bucket)?;
            let Some((node, pushes)) = bucket.pop() else {
                self.bucket += 1;
                if self.bucket < self.open.len() {
                    observer.bound(self.proved(), &self.stats);
                }
                continue;
            };
            self.entries -= 1;
            let at = &mut self.nodes[node as usize];
            if !at.is_closed && at.pushes == pushes {
                at.is_closed = true;
                return Some(node);
            }
        }
    }

    fn expand(&mut self, node: u32, observer: &mut dyn Observer<Move>) {
        self.stats.expanded += 1;
        let board = self.board.clone();
        let Some(distances) = self.distances.take() else {
            return;
        };
        let Node { boxes, player, pushes, .. } = self.nodes[node as usize];
        let free = without(&board.floor, &boxes);
        let open = and(&free, &distances.live);
        let pushes = pushes + 1;
        let confined = self.config.corral.then(|| corral(&board, &distances.live, &boxes, &player));
        let chosen = confined.flatten().unwrap_or(boxes);
        let at = first(&player);
        self.matching.keep(&board, &distances, &boxes, at);
        for way in Way::ALL {
            for onto in Each(and(&board.pushable(&player, &boxes, &open, way), &chosen)) {
                self.stats.generated += 1;
                let to = board.beside(onto, way);
                let after = moved(&boxes, onto, to);
                let (known_as, stands, image) = self.images.least(after, onto);
                let new = self.nodes.len() as u32;
                let nodes = &self.nodes;
                let known = (self.table).find(&known_as, new, |at| &nodes[at as usize].boxes);
                // The position with the same boxes in which the player reaches the player's cell
                // after the push.
                let mut at = known.unwrap_or(NO_NODE);
                let mut last = NO_NODE;
                while at != NO_NODE && !has(&self.nodes[at as usize].player, stands) {
                    last = at;
                    at = self.nodes[at as usize].next;
                }
                if at != NO_NODE {
                    let other = &mut self.nodes[at as usize];
                    // The bound is consistent: closed positions are not reached again by fewer
                    // pushes.
                    if !other.is_closed && pushes < other.pushes {
                        (other.parent, other.onto, other.way) = (node, onto, way);
                        other.image = image;
                        other.pushes = pushes;
                        if let Some(left) =
                            (self.matching).pushed(&board, &distances, &after, (onto, to), onto)
                        {
                            self.enter(at, pushes, left);
                        }
                    }
                    continue;
                }
                let is_dead = self.config.freeze
                    && known.is_none()
                    && frozen(&board, &distances.live, &after, &one(to));
                self.stats.evaluated += 1;
                let left = if is_dead {
                    None
                } else {
                    (self.matching).pushed(&board, &distances, &after, (onto, to), onto)
                };
                let free = without(&board.floor, &known_as);
                // Whether boxes hold each other does not depend on the player. A dead position is
                // never opened.
                let player = if is_dead { board.floor } else { board.reach(&one(stands), &free) };
                let is_closed = left.is_none();
                self.nodes.push(Node {
                    boxes: known_as,
                    player,
                    next: NO_NODE,
                    parent: node,
                    onto,
                    pushes,
                    way,
                    image,
                    is_closed,
                });
                if last != NO_NODE {
                    self.nodes[last as usize].next = new;
                }
                if let Some(left) = left {
                    if board.is_end(&after) && i64::from(pushes) == self.proved() {
                        self.finish(new, observer);
                        self.distances = Some(distances);
                        return;
                    }
                    self.enter(new, pushes, left);
                }
            }
        }
        self.distances = Some(distances);
    }
}

impl<const W: usize> Search for PushOptimal<W> {
    type Action = Move;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Progress<Move> {
        if self.distances.is_none() && self.outcome.is_none() {
            self.begin(observer);
        }
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            let bytes = self.next_bytes();
            if bytes > quota.bytes {
                return Progress::OutOfMemory;
            }
            if self.nodes.len() > NO_NODE as usize - 4 * self.board.level.boxes().len() {
                return Progress::OutOfMemory;
            }
            self.stats.peak_bytes = self.stats.peak_bytes.max(bytes);
            if self.ties.is_some() {
                self.untie();
                continue;
            }
            match self.next(observer) {
                None => self.outcome = Some(Outcome::Unsolvable),
                Some(node) if self.board.is_end(&self.nodes[node as usize].boxes) => {
                    self.finish(node, observer);
                }
                Some(node) => self.expand(node, observer),
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Move>> {
        match &self.outcome {
            Some(outcome) => outcome.best(),
            None => self.first.as_ref(),
        }
    }

    fn bound(&self) -> Option<i64> {
        let open = || self.distances.as_ref().map(|_| self.proved());
        let unfinished = || self.first.as_ref().map(|first| first.value).or_else(open);
        self.outcome.as_ref().map_or_else(unfinished, Outcome::bound)
    }
}
