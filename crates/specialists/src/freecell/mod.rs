//! Solvers of FreeCell.
