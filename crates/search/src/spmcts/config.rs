//! Options and declaration of single-player Monte-Carlo tree search.

use unriddle_core::{Domain, Info, Parameter, Role, SearchError};

/// Most parallel roots.
pub const MAX_ROOTS: usize = 1024;
/// Largest number of play-outs that can be asked for.
pub const MAX_NODES: u64 = 1 << 53;
/// Largest C, D, W, scale and RAVE parameter.
const MAX_REAL: f64 = 1e12;

/// What `describe spmcts` shows.
pub const INFO: Info = Info {
    name: "spmcts",
    role: Role::Search,
    version: 1,
    summary: "single-player Monte-Carlo tree search: a tree grown by play-outs towards good scores",
    guarantee: "incomplete; a tree that was explored to its end proves its best score optimal",
    requires: "a score puzzle and a play-out; codes of actions for rave; memory for the tree",
    reference: "Schadd, Winands, Tak and Uiterwijk 2012, sections 4 and 6; Coulom 2007 (expansion); Gelly \
                and Silver 2007 (rave); Coulom 2007 and Chaslot et al. 2008 (widening)",
    parameters: &[
        Parameter::positional(
            "playout",
            Domain::Playout,
            "random",
            "how a game is played to its end",
        ),
        real("c", "0.1", "weight of the confidence term C·√(ln n / nᵢ)"),
        real(
            "d",
            "32",
            "constant D of the deviation term √((Σr² − nᵢvᵢ² + D) / nᵢ)",
        ),
        integer(
            "t",
            0,
            "10",
            "visits from which a node's moves are chosen by the formula",
        ),
        real("w", "0.02", "weight of the top score beside the average"),
        choice(
            "values",
            &Values::NAMES,
            "scores as they are, or divided by scale",
        ),
        Parameter::named(
            "scale",
            Domain::Real {
                min: 1e-9,
                max: MAX_REAL,
            },
            "6000",
            "a maximum score; values=scaled divides by it",
        ),
        choice(
            "final",
            &Final::NAMES,
            "what a move is chosen by when it is played",
        ),
        choice(
            "per",
            &Per::NAMES,
            "one search for the whole game, or one for each move",
        ),
        integer(
            "moves",
            1,
            "64",
            "moves of a usual game, among which per=move divides the play-outs",
        ),
        choice(
            "subtree",
            &Subtree::NAMES,
            "whether per=move keeps the tree below the move played",
        ),
        integer(
            "nodes",
            0,
            "100k",
            "play-outs in all; 0: until a limit stops the search",
        ),
        integer(
            "restarts",
            0,
            "1",
            "searches among which the play-outs are divided; 0: by restart_nodes",
        ),
        integer(
            "restart_nodes",
            0,
            "0",
            "play-outs of each of many searches; 0: by restarts",
        ),
        real(
            "rave",
            "0",
            "visits at which all-moves-as-first counts as much as the average; 0: never",
        ),
        real(
            "widen_c",
            "0",
            "widening: a node of n visits has at most ⌈widen_c·n^widen_a⌉ children; 0: all",
        ),
        Parameter::named(
            "widen_a",
            Domain::Real { min: 0.0, max: 1.0 },
            "0.5",
            "exponent of the widening",
        ),
        choice(
            "share",
            &["off", "on"],
            "whether equal states, also of other searches, share statistics",
        ),
        Parameter::named(
            "roots",
            Domain::Integer {
                min: 1,
                max: MAX_ROOTS as u64,
            },
            "1",
            "searches side by side, on threads, among which the play-outs are divided",
        ),
    ],
};

const fn real(name: &'static str, default: &'static str, summary: &'static str) -> Parameter {
    let domain = Domain::Real {
        min: 0.0,
        max: MAX_REAL,
    };
    Parameter::named(name, domain, default, summary)
}

const fn integer(
    name: &'static str,
    min: u64,
    default: &'static str,
    summary: &'static str,
) -> Parameter {
    let max = MAX_NODES;
    Parameter::named(name, Domain::Integer { min, max }, default, summary)
}

const fn choice(
    name: &'static str,
    words: &'static [&'static str],
    summary: &'static str,
) -> Parameter {
    Parameter::named(name, Domain::Choice(words), words[0], summary)
}

/// What the formula makes of scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Values {
    /// They are taken as they are: C and D are set for the interval of the scores.
    #[default]
    Raw,
    /// They are divided by `scale`, into [−1, 1] for scores up to it.
    Scaled,
}

impl Values {
    /// The words of the parameter `values`.
    pub const NAMES: [&'static str; 2] = ["raw", "scaled"];
}

/// What a move is chosen by when it is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Final {
    /// The best play-out so far is followed.
    #[default]
    Top,
    /// The child with most visits.
    Visits,
    /// The child with the highest average.
    Average,
}

impl Final {
    /// The words of the parameter `final`.
    pub const NAMES: [&'static str; 3] = ["top", "visits", "average"];
}

/// What a search is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Per {
    /// The whole game, from the start.
    #[default]
    Game,
    /// One move, after which the next search begins.
    Move,
}

impl Per {
    /// The words of the parameter `per`.
    pub const NAMES: [&'static str; 2] = ["game", "move"];
}

/// What becomes of the tree when a move is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Subtree {
    /// The part below the move is kept.
    #[default]
    Keep,
    /// The next search begins with nothing.
    Drop,
}

impl Subtree {
    /// The words of the parameter `subtree`.
    pub const NAMES: [&'static str; 2] = ["keep", "drop"];
}

/// Options of [`Spmcts`](super::Spmcts) and [`Roots`](super::Roots).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpmctsConfig {
    /// Weight C of the confidence term.
    pub c: f64,
    /// Constant D of the deviation term.
    pub d: f64,
    /// Visits T from which the formula chooses; below, the play-out does.
    pub t: u64,
    /// Weight W of the top score beside the average.
    pub w: f64,
    /// What the formula makes of scores.
    pub values: Values,
    /// A maximum score, for [`Values::Scaled`]; above 0.
    pub scale: f64,
    /// What a move is chosen by when it is played.
    pub final_move: Final,
    /// What a search is for.
    pub per: Per,
    /// Moves of a usual game, at least 1, for [`Per::Move`].
    pub moves: u64,
    /// What becomes of the tree when a move is played.
    pub subtree: Subtree,
    /// Play-outs in all, up to [`MAX_NODES`]; 0: until a limit stops the search. With [`Per::Move`]
    /// a game of more than `moves` moves takes more, a shorter one less.
    pub nodes: u64,
    /// Searches among which the play-outs are divided; 0: as many as `restart_nodes` gives.
    pub restarts: u64,
    /// Play-outs of each search, however many searches that gives; 0: by `restarts`.
    pub restart_nodes: u64,
    /// Equivalence parameter of RAVE: all-moves-as-first weighs √(k / (3n + k)) after n visits; 0: off.
    pub rave: f64,
    /// Factor of progressive widening; 0: off.
    pub widen_c: f64,
    /// Exponent of progressive widening, 0 to 1.
    pub widen_a: f64,
    /// Whether equal states share statistics, also those of earlier searches.
    pub share: bool,
    /// Searches side by side, 1 to [`MAX_ROOTS`]; more than one only for [`Roots`](super::Roots).
    pub roots: usize,
    /// Seed of the random streams, one for each play-out.
    pub seed: u64,
}

impl Default for SpmctsConfig {
    fn default() -> Self {
        Self {
            c: 0.1,
            d: 32.0,
            t: 10,
            w: 0.02,
            values: Values::Raw,
            scale: 6000.0,
            final_move: Final::Top,
            per: Per::Game,
            moves: 64,
            subtree: Subtree::Keep,
            nodes: 100_000,
            restarts: 1,
            restart_nodes: 0,
            rave: 0.0,
            widen_c: 0.0,
            widen_a: 0.5,
            share: false,
            roots: 1,
            seed: 0,
        }
    }
}

impl SpmctsConfig {
    /// Checks the bounds, and that the options go together.
    ///
    /// # Errors
    /// [`SearchError::BadOption`].
    pub fn validate(&self) -> Result<(), SearchError> {
        let refused = |what: String| Err(SearchError::BadOption(format!("spmcts: {what}")));
        let reals = [
            ("c", self.c, 0.0, MAX_REAL),
            ("d", self.d, 0.0, MAX_REAL),
            ("w", self.w, 0.0, MAX_REAL),
            ("scale", self.scale, 1e-9, MAX_REAL),
            ("rave", self.rave, 0.0, MAX_REAL),
            ("widen_c", self.widen_c, 0.0, MAX_REAL),
            ("widen_a", self.widen_a, 0.0, 1.0),
        ];
        for (name, value, min, max) in reals {
            if !(min..=max).contains(&value) {
                return refused(format!(
                    "{name} is {value}, but must be between {min} and {max}"
                ));
            }
        }
        let integers = [
            ("t", self.t, 0, MAX_NODES),
            ("moves", self.moves, 1, MAX_NODES),
            ("nodes", self.nodes, 0, MAX_NODES),
            ("restarts", self.restarts, 0, MAX_NODES),
            ("restart_nodes", self.restart_nodes, 0, MAX_NODES),
            ("roots", self.roots as u64, 1, MAX_ROOTS as u64),
        ];
        for (name, value, min, max) in integers {
            if !(min..=max).contains(&value) {
                return refused(format!(
                    "{name} is {value}, but must be between {min} and {max}"
                ));
            }
        }
        let endless = self.nodes == 0;
        if self.restart_nodes > 0 && self.restarts > 1 {
            return refused("restarts and restart_nodes exclude each other".into());
        }
        if self.restart_nodes == 0 {
            if self.restarts == 0 {
                return refused("restarts=0 needs restart_nodes".into());
            }
            if self.restarts > 1 && endless {
                return refused(
                    "restarts needs nodes, which are divided; or use restart_nodes".into(),
                );
            }
            if endless && (self.per == Per::Move || self.final_move != Final::Top) {
                return refused(
                    "per=move and final other than top need nodes or restart_nodes: without an end no \
                     move is ever played"
                        .into(),
                );
            }
            let parts = self.restarts.saturating_mul(self.roots as u64);
            if !endless && parts > self.nodes {
                return refused(format!(
                    "{} play-outs cannot be divided among {parts} searches",
                    self.nodes
                ));
            }
        } else if !endless && self.roots as u64 > self.nodes {
            return refused(format!(
                "{} play-outs cannot be divided among {} searches",
                self.nodes, self.roots
            ));
        }
        Ok(())
    }

    /// Searches in all; `None`: without end.
    pub(super) fn searches(&self) -> Option<u64> {
        match (self.restart_nodes, self.nodes) {
            (0, 0) => Some(1),
            (0, _) => Some(self.restarts),
            (_, 0) => None,
            (each, nodes) => Some(nodes.div_ceil(each)),
        }
    }

    /// Play-outs of the search of a number, or with [`Per::Move`] of each of its moves; `None`: without
    /// end.
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
