//! Single-player Monte-Carlo tree search: a tree of positions grown by play-outs.
//!
//! **Idea.** Every play-out descends the tree from the root to a position that is not in it, and
//! plays on to the end of the game by a [`Playout`]. It adds the first position outside the tree
//! (one node per play-out), and notes the reward of the game in all nodes of its path. The descent
//! takes the child with the highest
//!
//! > vᵢ + W·topᵢ + C·√(ln n / nᵢ) + √((Σr² − nᵢvᵢ² + D) / nᵢ)
//!
//! where v is the average and top the best result. There is no opponent whose answers are
//! uncertain, so that a reward can be earned again. Below T visits of a node the play-out chooses;
//! from T visits on its actions without a child are tried first, in random order.
//!
//! **Control.** `per=game` grows one tree; `per=move` divides the play-outs among the moves of a
//! usual game, plays a move after each share, and continues from there, with or without the
//! subtree. With `final=top` the move belongs to the best play-out of the game, which is the
//! solution. With `visits` or `average` the solution is the line of these moves (a line that leaves
//! the tree is completed by one more play-out), so that no solution is known before a game has been
//! played. Restarts search again from the start with other random numbers; the best of all searches
//! counts.
//!
//! **Beyond the paper's algorithm**, from its list of future work, each off by default: RAVE (all
//! moves as first, by the codes of a [`Coded`] puzzle), progressive widening, and statistics that
//! equal states share across paths and restarts. [`Roots`] runs several searches side by side.
//!
//! **Proof.** With `solve=on` a terminal position is solved, and so is a node whose actions all
//! have solved children; a solved node is not selected any more. When the start is solved, every
//! line was played or leads through solved nodes, and the best score is optimal. Solved nodes keep
//! their share in the averages above them. The paper's algorithm does not know solved nodes:
//! `solve=off` visits played-out positions again, and proves nothing.
//!
//! **Invariants.** Play-out number i takes its random numbers from stream i of the seed, and
//! changes nothing before its memory is reserved: the search is the same however its work is
//! divided, also after it ran out of memory. `top` of a node is reached by a line below it.
//!
//! **Counters.** *Expanded* and *evaluated* are play-outs; *generated* are their states, in the
//! tree and below.
//!
//! **Complexity.** A play-out takes time for its own length and for the children of the nodes on
//! its path; with RAVE also for a lookup per child. Memory: 48 bytes per play-out with actions of
//! two bytes, 72 with RAVE, and with `share` a state and about 40 bytes for each distinct state.
//!
//! References: M. P. D. Schadd, M. H. M. Winands, M. J. W. Tak and J. W. H. M. Uiterwijk,
//! "Single-player Monte-Carlo tree search for SameGame", Knowledge-Based Systems 34 (2012),
//! sections 4 and 6; R. Coulom, "Efficient selectivity and backup operators in Monte-Carlo tree
//! search" (2007), on expansion; S. Gelly and D. Silver, "Combining online and offline knowledge in
//! UCT" (2007), on RAVE; G. Chaslot et al., "Progressive strategies for Monte-Carlo tree search"
//! (2008), on widening; M. H. M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo tree search
//! solver" (2008), on solved nodes.

mod config;
mod control;
mod formula;
mod playout;
mod roots;
mod shared;
mod tree;

pub use config::{Count, Final, INFO, MAX_NODES, MAX_ROOTS, Per, SpmctsConfig, Subtree, Values};
pub use roots::Roots;

use crate::{
    memory::{Accounted, Full, accounted},
    report::{Halt, ObserverOf, ceiling, score_search},
};
use formula::Formula;
use shared::Shared;
use tree::{Tally, Tree};
use unriddle_core::{
    Coded, Outcome, Playout, Puzzle, Quota, Score, ScorePuzzle, SearchError, Solution, Stats,
    TreeShape, search::check_state_size,
};

/// Code of an action, for RAVE.
type Code<P> = fn(&P, &<P as Puzzle>::State, <P as Puzzle>::Action) -> u64;

/// State, with the reward on the way to it.
#[derive(Clone, Copy, Debug)]
struct Position<S> {
    state: S,
    score: Score,
}

/// Node on the path of a play-out.
#[derive(Clone, Copy, Debug)]
struct Step<S> {
    node: u32,
    at: Position<S>,
}

/// Single-player Monte-Carlo tree search.
pub struct Spmcts<'a, P: ScorePuzzle> {
    puzzle: &'a P,
    playout: &'a dyn Playout<P>,
    /// Codes of actions, for RAVE.
    code: Option<Code<P>>,
    config: SpmctsConfig,
    formula: Formula,
    tree: Tree<P::Action>,
    shared: Option<Shared<P::State>>,
    /// The position of the tree's root, and the moves played to it.
    root: Position<P::State>,
    played: Vec<P::Action>,
    /// The best play-out of this game, if its moves are followed.
    game: Option<Solution<P::Action>>,
    /// Size of this share so far, in the unit `count`.
    done: u64,
    /// Number of play-outs in a row that do not count.
    idle: u64,
    /// Number of searches that have ended.
    searches: u64,
    /// The play-out's path through the tree.
    path: Vec<Step<P::State>>,
    line: Vec<P::Action>,
    codes: Vec<(u64, u32)>,
    /// Number of actions of the longest line so far.
    longest: usize,
    /// The nodes of all trees of this search.
    shape: TreeShape,
    stats: Stats,
    best: Option<Solution<P::Action>>,
    /// Upper bound of the score.
    ceiling: Option<Score>,
    outcome: Option<Outcome<P::Action>>,
}

impl<'a, P: ScorePuzzle> Spmcts<'a, P> {
    /// Creates a search that has not begun.
    ///
    /// # Errors
    /// An option out of bounds, `rave` (see [`coded`](Self::coded)) or several roots (see
    /// [`Roots`]), or states that are too large.
    pub fn new(
        puzzle: &'a P,
        playout: &'a dyn Playout<P>,
        config: SpmctsConfig,
    ) -> Result<Self, SearchError> {
        Self::with_code(puzzle, playout, config, None)
    }

    /// Creates a search that has not begun, of a puzzle whose actions have codes: all options.
    ///
    /// # Errors
    /// An option out of bounds, several roots (see [`Roots`]), or states that are too large.
    pub fn coded(
        puzzle: &'a P,
        playout: &'a dyn Playout<P>,
        config: SpmctsConfig,
    ) -> Result<Self, SearchError>
    where
        P: Coded,
    {
        Self::with_code(puzzle, playout, config, Some(P::code))
    }

    fn with_code(
        puzzle: &'a P,
        playout: &'a dyn Playout<P>,
        config: SpmctsConfig,
        code: Option<Code<P>>,
    ) -> Result<Self, SearchError> {
        config.validate()?;
        check_state_size::<P>()?;
        let refused = |what: &str| Err(SearchError::BadOption(format!("spmcts: {what}")));
        if config.roots > 1 {
            return refused("one search has one root; several are a search of their own");
        }
        let rave = config.rave > 0.0;
        if rave && code.is_none() {
            return refused("rave needs a puzzle whose actions have codes");
        }
        Ok(Self {
            puzzle,
            playout,
            code: code.filter(|_| rave),
            config,
            formula: Formula::new(config),
            tree: Tree::new(rave),
            shared: config.share.then(Shared::new),
            root: Position { state: puzzle.initial_state(), score: 0 },
            played: Vec::new(),
            game: None,
            done: 0,
            idle: 0,
            searches: 0,
            path: Vec::new(),
            line: Vec::new(),
            codes: Vec::new(),
            longest: 0,
            shape: TreeShape::default(),
            stats: Stats::default(),
            best: None,
            ceiling: None,
            outcome: None,
        })
    }

    /// Checks that a solution of `len` actions with this value fits into the memory, if it is to be
    /// kept.
    fn room_for(&self, limit: u64, len: usize, value: Score) -> Result<(), Full> {
        let better = |old: &Option<Solution<P::Action>>| {
            u64::from(old.as_ref().is_none_or(|s| value > s.value))
        };
        let copies = better(&self.best) + better(&self.game) * u64::from(self.follows());
        let bytes = copies * (len * size_of::<P::Action>()) as u64;
        let fits = copies == 0 || self.bytes().saturating_add(bytes) <= limit;
        fits.then_some(()).ok_or(Full)
    }

    /// Whether the played moves follow the best play-out.
    fn follows(&self) -> bool {
        self.config.per == Per::Move && self.config.final_move == Final::Top
    }

    /// The moves played and the line, with their value.
    fn solution(&self, value: Score) -> Solution<P::Action> {
        Solution { actions: [&self.played[..], &self.line[..]].concat(), value }
    }

    /// Knowledge of other searches, and of other paths, about a position: the totals of its node.
    fn inherit(&mut self, at: &Position<P::State>) -> Tally {
        match &mut self.shared {
            Some(shared) => shared.enter(&at.state).shifted(at.score),
            None => Tally::EMPTY,
        }
    }
}

impl<P: ScorePuzzle> Spmcts<'_, P> {
    fn step(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<(), Halt> {
        if !self.tree.is_planted() {
            Ok(self.plant(quota.bytes, self.root)?)
        } else if self.share_is_over() {
            self.turn(quota, observer)
        } else if quota.is_used_up(&self.stats) {
            Err(Halt::Quota)
        } else {
            self.playout(quota, observer)
        }
    }
}

accounted! {
    Spmcts<P: ScorePuzzle>: tree, shared, played, game, best, path, line, codes
}
ceiling!(Spmcts<P: ScorePuzzle>);
score_search!(Spmcts<P: ScorePuzzle>, |search| search.best.as_ref(), tree: search.shape);
