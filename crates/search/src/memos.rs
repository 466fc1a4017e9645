//! Heuristics whose type a search does not know.
//!
//! A [`Heuristic`] gives a memo with each estimate, of a type that differs from heuristic to
//! heuristic. A search that holds memos is therefore compiled once for each heuristic. A
//! [`PathHeuristic`] is behind a pointer and holds the memos itself, in numbered places that the
//! search chooses: the search is compiled once per puzzle, for the price of an indirect call per
//! estimate.

use crate::memory::{Full, reserve, vec_bytes};
use unriddle_core::{Cost, Guarantee, Heuristic, Puzzle};

/// A heuristic behind a pointer, for searches that follow paths. Implemented for every
/// [`Heuristic`].
///
/// ```
/// use unriddle_core::{Blind, Numbers, Puzzle};
/// use unriddle_search::memos::PathHeuristic;
///
/// /// Whether two heuristics promise the same.
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

/// A heuristic that holds the memos of states in numbered places.
///
/// Places are filled in order: an estimate may go to any place that was filled before, or to the
/// first that was not, for which [`reserve`](Self::reserve) has made room. Estimates that are
/// proved dead ends fill no place.
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
/// /// What is left, of which the memo is a copy.
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
/// // The child of the state at place 0 goes to place 1.
/// assert_eq!(memos.child(&Count, &3, 1, &2, 0, 1), Some(2));
/// assert!(memos.bytes() >= 8);
/// ```
pub trait PathMemos<P: Puzzle>: Send {
    /// What the estimates promise.
    fn guarantee(&self) -> Guarantee;

    /// Bytes that the places take; those of the heuristic are not among them.
    fn bytes(&self) -> u64;

    /// Makes room for `count` places in all.
    ///
    /// # Errors
    /// [`Full`] if the growth does not fit into `room` bytes.
    fn reserve(&mut self, count: usize, room: u64) -> Result<(), Full>;

    /// The estimate of a state from scratch, its memo at place `to`; `None` for a proved dead end.
    fn root(&mut self, puzzle: &P, state: &P::State, to: usize) -> Option<Cost>;

    /// The estimate of `child = apply(parent, action)` with the parent's memo at place `from`, its
    /// own at place `to`; `None` for a proved dead end.
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

/// The places of one heuristic.
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
                debug_assert_eq!(to, self.places.len(), "places are filled in order");
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
