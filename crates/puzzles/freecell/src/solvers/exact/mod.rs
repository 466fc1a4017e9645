//! Best-first search over exact positions: the exhaustive search, and the slices of rules that the
//! fast engine does not have.
//!
//! Positions are distinguished by their exact keys, so an open list that becomes empty is a proof.
//! Its speed has four reasons:
//! - cards that are safe at home go there at once, so that only real decisions are nodes
//!   (`position`);
//! - a position in which no card is above a lower one is won: only moves home are left;
//! - the estimate of a move follows from sets of cards without playing it (`scan`);
//! - the open list holds moves, not positions, in stacks by estimate (`open`), and a position is
//!   made and looked up by its exact key only when its move is taken (`engine`).
//!
//! The estimate is a weighted sum: cards not home, cards on a card that they do not fit on, cards
//! above lower ones, cards above the next cards of the foundations, deepest cards that are not
//! kings, the value of free cells and empty columns, columns by the number of their cards that
//! never moved, and the moves made.
//!
//! References: A. Elyasaf, A. Hauptman and M. Sipper, "GA-FreeCell: Evolving Solvers for the Game
//! of FreeCell", GECCO 2011 (features, tuned weights); G. Heineman 2009 (depth of the next cards).

pub(super) mod engine;
pub(super) mod position;
mod scan;
pub(super) mod weights;
