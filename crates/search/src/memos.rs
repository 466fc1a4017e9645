//! Type-erased heuristics for searches that follow paths.
//!
//! A [`Heuristic`] returns a memo with each estimate, whose type differs from heuristic to
//! heuristic. A search that stores memos is therefore compiled once for each heuristic. A
//! [`PathHeuristic`] is a trait object that stores the memos itself, under indices that the search
//! chooses: the search is compiled once per puzzle, for the price of an indirect call per estimate.

use crate::memory::{Full, reserve, vec_bytes};
use unriddle_core::{Cost, Guarantee, Heuristic, Puzzle};

/// Type-erased heuristic for searches that follow paths. Every [`Heuristic`] implements it.
///
/// ```
/// use unriddle_core::{Blind, Numbers, Puzzle};
/// use unriddle_search::memos::PathHeuristic;
///
/// /// Whether two heuristics have the same guarantee.
/// fn alike<P: Puzzle>(one: &dyn PathHeuristic<P>, other: &dyn PathHeuristic<P>) -> bool {
///     one.memos().guarantee() == other.memos().guarantee()
/// }
/// # struct Coin;
/// # impl Puzzle for Coin {
/// #     type State = bool;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> bool { false }
/// #     fn actions(&self, state: &bool) -> Numbers { Numbers::new(1, u8::from(!state)) }
/// #     fn apply(&self, _: &bool, _: u8) -> bool { true }
/// # }
/// assert!(alike::<Coin>(&Blind, &Blind));
/// ```
pub trait PathHeuristic<P: Puzzle>: Send + Sync {
    /// The heuristic with an empty store of memos.
    fn memos(&self) -> Box<dyn PathMemos<P> + '_>;
}

impl<P: Puzzle, H: Heuristic<P>> PathHeuristic<P> for H {
    fn memos(&self) -> Box<dyn PathMemos<P> + '_> {
        Box::new(Memos { heuristic: self, places: Vec::<H::Memo>::new() })
    }
}

/// Type-erased heuristic that stores the memos of states under indices.
///
/// Indices are filled in order: an estimate may overwrite any filled index, or use the first
/// unfilled one, for which [`reserve`](Self::reserve) has reserved memory. Estimates of proved dead
/// ends fill no index.
///
/// ```
/// use unriddle_core::{Cost, Guarantee, Heuristic, Numbers, Puzzle};
/// use unriddle_search::memos::PathHeuristic;
///
/// /// Counts down from 3.
/// struct Count;
/// impl Puzzle for Count {
///     type State = u8;
///     type Action = u8;
///     type Actions = Numbers;
///     fn initial_state(&self) -> u8 { 3 }
///     fn actions(&self, _: &u8) -> Numbers { Numbers::new(1, 1) }
///     fn apply(&self, state: &u8, by: u8) -> u8 { state - by }
/// }
///
/// /// The count that is left; the memo is a copy of it.
/// struct Left;
/// impl Heuristic<Count> for Left {
///     type Memo = Cost;
///     fn guarantee(&self) -> Guarantee { Guarantee::Consistent }
///     fn root(&self, _: &Count, state: &u8) -> Option<(Cost, Cost)> {
///         Some((Cost::from(*state), Cost::from(*state)))
///     }
///     fn child(&self, _: &Count, _: &u8, memo: &Cost, _: u8, _: &u8) -> Option<(Cost, Cost)> {
///         Some((memo - 1, memo - 1))
///     }
/// }
///
/// let mut memos = PathHeuristic::memos(&Left);
/// memos.reserve(2, 1_000).unwrap();
/// assert_eq!(memos.root(&Count, &3, 0), Some(3));
/// // The child of the state with memo 0 gets memo 1.
/// assert_eq!(memos.child(&Count, &3, 1, &2, 0, 1), Some(2));
/// assert!(memos.bytes() >= 8);
/// ```
pub trait PathMemos<P: Puzzle>: Send {
    /// Guarantee of the estimates.
    fn guarantee(&self) -> Guarantee;

    /// Bytes of the memos, without the heuristic.
    fn bytes(&self) -> u64;

    /// Reserves memory for `count` memos in all.
    ///
    /// # Errors
    /// [`Full`] if the growth does not fit into `room` bytes.
    fn reserve(&mut self, count: usize, room: u64) -> Result<(), Full>;

    /// Estimates a state from scratch and stores its memo at index `to`; `None` for a proved dead
    /// end.
    fn root(&mut self, puzzle: &P, state: &P::State, to: usize) -> Option<Cost>;

    /// Estimates `child = apply(parent, action)` with the parent's memo at index `from`, and stores
    /// the child's memo at index `to`; `None` for a proved dead end.
    fn child(
        &mut self,
        puzzle: &P,
        parent: &P::State,
        action: P::Action,
        child: &P::State,
        from: usize,
        to: usize,
    ) -> Option<Cost>;
}

/// Memos of one heuristic.
struct Memos<'h, H, M> {
    heuristic: &'h H,
    places: Vec<M>,
}

impl<H, M> Memos<'_, H, M> {
    #[inline(always)]
    fn put(&mut self, to: usize, memo: M) {
        match self.places.get_mut(to) {
            Some(place) => *place = memo,
            None => {
                debug_assert_eq!(to, self.places.len(), "memos are filled in order");
                self.places.push(memo);
            }
        }
    }
}

impl<P: Puzzle, H: Heuristic<P>> PathMemos<P> for Memos<'_, H, H::Memo> {
    fn guarantee(&self) -> Guarantee {
        self.heuristic.guarantee()
    }

    fn bytes(&self) -> u64 {
        vec_bytes(&self.places)
    }

    fn reserve(&mut self, count: usize, room: u64) -> Result<(), Full> {
        let extra = count.saturating_sub(self.places.len());
        reserve(&mut self.places, extra, room)
    }

    fn root(&mut self, puzzle: &P, state: &P::State, to: usize) -> Option<Cost> {
        let (h, memo) = self.heuristic.root(puzzle, state)?;
        self.put(to, memo);
        Some(h)
    }

    fn child(
        &mut self,
        puzzle: &P,
        parent: &P::State,
        action: P::Action,
        child: &P::State,
        from: usize,
        to: usize,
    ) -> Option<Cost> {
        let memo = &self.places[from];
        let (h, memo) = self.heuristic.child(puzzle, parent, memo, action, child)?;
        self.put(to, memo);
        Some(h)
    }
}
