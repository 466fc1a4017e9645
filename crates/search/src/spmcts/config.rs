//! Options and declaration of single-player Monte-Carlo tree search.

use unriddle_core::{Info, Options, Role, SearchError, options, words};

/// Largest number of parallel roots.
pub const MAX_ROOTS: usize = 1024;
/// Largest number of play-outs.
pub const MAX_NODES: u64 = 1 << 53;
/// Largest C, D, W, scale and RAVE parameter.
const MAX_REAL: f64 = 1e12;

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "incomplete; a tree that was explored to its end proves its best score optimal",
    requires: "a score puzzle and a play-out; codes of actions for rave; memory for the tree",
    reference: "Schadd, Winands, Tak and Uiterwijk 2012, sections 4 and 6; Coulom 2007 (expansion); Gelly \
                and Silver 2007 (rave); Coulom 2007 and Chaslot et al. 2008 (widening)",
    parameters: SpmctsConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "spmcts",
        "single-player Monte-Carlo tree search: a tree grown by play-outs towards good scores",
    )
};

words! {
    /// Scores in the formula.
    pub enum Values {
        /// Scores as they are: C and D must fit the interval of the scores.
        Raw = "raw",
        /// Scores divided by `scale`: within [−1, 1] for scores up to it.
        Scaled = "scaled",
    }
}

words! {
    /// Choice of the move that is played.
    pub enum Final {
        /// The move of the best play-out so far.
        Top = "top",
        /// The child with the most visits.
        Visits = "visits",
        /// The child with the highest average.
        Average = "average",
    }
}

words! {
    /// Purpose of a search.
    pub enum Per {
        /// Search of the whole game from the start.
        Game = "game",
        /// Search of one move, after which the next search begins.
        Move = "move",
    }
}

words! {
    /// Tree of a search after a move.
    pub enum Subtree {
        /// The part below the move is kept.
        Keep = "keep",
        /// The next search begins with an empty tree.
        Drop = "drop",
    }
}

words! {
    /// Unit of the size of a search.
    pub enum Count {
        /// Play-outs.
        Playouts = "playouts",
        /// Nodes that play-outs add to the tree: a play-out whose positions are all in the tree
        /// adds none.
        Nodes = "nodes",
    }
}

options! {
    /// Options of [`Spmcts`](super::Spmcts) and [`Roots`](super::Roots).
    #[derive(Copy)]
    pub struct SpmctsConfig of INFO (playout: Playout = "random", "play-out to the end of a game") {
        c: f64 = "0.1" in 0.0..=MAX_REAL, "weight of the confidence term C·√(ln n / nᵢ)";
        d: f64 = "32" in 0.0..=MAX_REAL,
            "constant D of the deviation term √((Σr² − nᵢvᵢ² + D) / nᵢ)";
        t: u64 = "10" in 0..=MAX_NODES,
            "visits from which a node's moves are chosen by the formula",
            "With fewer visits the play-out chooses.";
        w: f64 = "0.02" in 0.0..=MAX_REAL, "weight of the top score beside the average";
        values: Values = "raw", "scores as they are, or divided by scale";
        scale: f64 = "6000" in 1e-9..=MAX_REAL, "maximum score, the divisor of values=scaled";
        final_move("final"): Final = "top", "choice of the move that is played";
        per: Per = "game", "purpose of a search: the whole game, or one move";
        moves: u64 = "64" in 1..=MAX_NODES,
            "moves of a usual game, to divide the play-outs of per=move",
            "With `per=move` a game of more than `moves` moves makes more play-outs, a shorter one fewer.";
        subtree: Subtree = "keep", "whether per=move keeps the tree below the move played";
        nodes: u64 = "100k" in 0..=MAX_NODES,
            "number of play-outs in all (0 = until a limit)";
        restarts: u64 = "1" in 0..=MAX_NODES,
            "searches that share the play-outs (0 = by restart_nodes)";
        restart_nodes: u64 = "0" in 0..=MAX_NODES,
            "play-outs of each search (0 = by restarts)";
        count: Count = "playouts", "unit of the sizes: play-outs, or nodes of the tree",
            "With `nodes`, as in the paper, a play-out counts only if it adds a node to the tree. A search (with \
             `per=move`, of one move) also ends when its last play-outs, as many as it may add nodes, have added none.";
        solve: bool = "on" of ["off", "on"],
            "whether positions that are played out are left out",
            "A position is played out when its game is over, or all positions after it are played out. With \
             `on` no play-out enters one again, and a start that is played out is proved optimal; with `off`, \
             as in the paper, play-outs go where the formula leads.";
        rave: f64 = "0" in 0.0..=MAX_REAL,
            "visits at which RAVE equals the average (0 = no RAVE)",
            "RAVE (all moves as first) has the weight √(k / (3n + k)) after n visits.";
        widen_c: f64 = "0" in 0.0..=MAX_REAL,
            "progressive widening: coefficient (0 = off)",
            "A node with n visits has at most ⌈widen_c·n^widen_a⌉ children.";
        widen_a: f64 = "0.5" in 0.0..=1.0, "progressive widening: exponent";
        share: bool = "off" of ["off", "on"],
            "whether equal states share statistics",
            "States share statistics across paths and across searches.";
        roots: usize = "1" in 1..=MAX_ROOTS,
            "number of parallel searches that share the play-outs";
    }
    also {
        /// Seed of the random streams, one for each play-out.
        seed: u64 = 0;
    }
}

impl SpmctsConfig {
    /// Checks the bounds and the combination of the options.
    ///
    /// # Errors
    /// [`SearchError::BadOption`].
    pub fn validate(&self) -> Result<(), SearchError> {
        self.check()?;
        let refused = |what: String| Err(SearchError::BadOption(format!("spmcts: {what}")));
        let endless = self.nodes == 0;
        let by_count = self.restart_nodes == 0;
        if !by_count && self.restarts > 1 {
            return refused("restarts and restart_nodes exclude each other".into());
        }
        if by_count && self.restarts == 0 {
            return refused("restarts=0 needs restart_nodes".into());
        }
        if by_count && self.restarts > 1 && endless {
            return refused("restarts needs nodes, which are divided; or use restart_nodes".into());
        }
        if by_count && endless && (self.per == Per::Move || self.final_move != Final::Top) {
            let what = "per=move and final other than top need nodes or restart_nodes: without an end no \
                        move is ever played";
            return refused(what.into());
        }
        let restarts = if by_count { self.restarts } else { 1 };
        let (nodes, parts) = (self.nodes, restarts.saturating_mul(self.roots as u64));
        if !endless && parts > nodes {
            return refused(format!("{nodes} play-outs cannot be divided among {parts} searches"));
        }
        Ok(())
    }

    /// Number of searches; `None` without an end.
    pub(super) fn searches(&self) -> Option<u64> {
        match (self.restart_nodes, self.nodes) {
            (0, 0) => Some(1),
            (0, _) => Some(self.restarts),
            (_, 0) => None,
            (each, nodes) => Some(nodes.div_ceil(each)),
        }
    }

    /// Size of a search in the unit `count`, or with [`Per::Move`] of each of its moves; `None`
    /// without an end.
    pub(super) fn allowance(&self, search: u64) -> Option<u64> {
        let all = match (self.restart_nodes, self.nodes) {
            (0, 0) => return None,
            (0, nodes) => {
                let parts = self.restarts;
                nodes / parts + u64::from(search < nodes % parts)
            }
            (each, 0) => each,
            (each, nodes) => each.min(nodes.saturating_sub(search.saturating_mul(each))),
        };
        Some(
            match self.per {
                Per::Game => all,
                Per::Move => all / self.moves,
            }
            .max(1),
        )
    }
}
