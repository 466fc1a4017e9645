//! Declaration and options of the beam searches.

use unriddle_core::{Info, Options, Role, options, words};

/// Largest width.
pub const MAX_WIDTH: usize = 1 << 28;

/// Largest number of views.
pub const MAX_VIEWS: usize = 4;

/// Declaration of the search.
pub const INFO: Info = Info {
    guarantee: "incomplete; unsolvable is reported only if no state was ever cut off",
    requires: "a goal puzzle; memory for the beam",
    reference: "Bisiani 1987; Zhou and Hansen 2006 (duplicates)",
    ranks: true,
    parameters: BeamConfig::PARAMETERS,
    ..Info::new(Role::Search, "beam", "beam search: keeps the most promising states of each layer")
};

words! {
    /// Order of the states of a layer.
    pub enum Order {
        /// By the estimate.
        H = "h",
        /// By the sum of the cost so far and the estimate.
        F = "f",
    }
}

words! {
    /// Whether wider beams follow a narrow one.
    pub enum Widen {
        /// A beam of the configured width.
        No = "no",
        /// Beams of growing widths under a time limit, and one beam without.
        Timed = "timed",
    }
}

words! {
    /// Direction of the search.
    pub enum Direction {
        /// From the start to the goal.
        Forward = "forward" was "start",
        /// From the start and the goal, alternating by the estimates.
        Bidirectional = "bidirectional" was "both",
    }
}

words! {
    /// Estimated things.
    pub enum Choose {
        /// States, after they are generated.
        States = "states",
        /// Actions, before their states are generated.
        Actions = "actions",
    }
}

words! {
    /// Order of states of equal estimates.
    pub enum Ties {
        /// By the order of generation.
        Generation = "generation",
        /// By the states, on one process or on several.
        State = "state",
    }
}

options! {
    /// Options of [`Beam`](super::Beam) and the other beam searches.
    #[derive(Copy, Eq)]
    pub struct BeamConfig of INFO (h: Heuristic, "estimate of the cost that is left") {
        width: usize = "10000" in 1..=MAX_WIDTH, "states kept of each layer";
        max_depth: u32 = "10000" in 1..=u32::MAX, "maximum number of actions of a path";
        max_cost: u32 = "0" in 0..=u32::MAX, "maximum path cost (0 = unlimited)";
        order: Order = "h", "order of a layer: h, or f = g + h for unequal costs";
        choose: Choose = "states", "estimated things: generated states, or actions before",
            "`states` estimates generated states; `actions` estimates actions before their states are generated, by a network with outputs of actions.";
        direction was "ends": Direction = "forward",
            "direction of the search: forward or bidirectional",
            "`bidirectional` expands from the start and from the goal. The states of the puzzle need inverses at the same distance from the goal (`Invertible`).";
        goal_table was "near": u64 = "0" in 0..=1 << 36,
            "bytes of the goal table (0 = none)",
            "The goal table holds the exact distances of states near the goal. It is built once, kept in the cache, and ends the search early. At least 64,000 bytes are used; the puzzle must be `Invertible`.";
        rerank was "recheck": usize = "1" in 1..=64,
            "candidates reranked per state of the width (1 = off)",
            "`rerank` × `width` candidates are estimated again by h(s) + h(s⁻¹), and the `width` smallest sums are kept; the puzzle must be `Invertible`.";
        views: usize = "1" in 1..=MAX_VIEWS,
            "equivalent problems searched side by side",
            "`2` also searches the inverse problem, which leads from the goal back to the position; `4` also the mirror images of both. Each has a beam of `width` states, `--threads` runs them at the same time, and the shortest solution counts. The puzzle must declare its views.";
        ties: Ties = "generation", "order of equal estimates: generation, or state (for ranks)",
            "`state` orders states of equal estimates by a hash. The layers may then be spread over the processes of an MPI run, with the same result for any number of them. It needs a program that is built with `--features mpi`.";
        widen: Widen = "no", "iterative widening under a time limit: no or timed",
            "With `timed` and a time limit a narrow beam answers within a tenth of the time, and wider beams follow, two or four times as wide each, until the time is used up; the best solution is kept. Without a time limit, and with `no`, there is one beam.";
    }
}

impl BeamConfig {
    /// Whether the options need a puzzle whose states have inverses (see
    /// [`BidirectionalBeam`](crate::bidirectional::BidirectionalBeam)).
    #[must_use]
    pub fn needs_inverses(&self) -> bool {
        self.direction == Direction::Bidirectional || self.goal_table > 0 || self.rerank > 1
    }
}
