//! Iterative-deepening A*.
