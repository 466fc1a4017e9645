//! Tests of the crate, in one program: each program compiles the code that it uses anew.

mod freecell;
mod lightsout;
mod morpion;
mod party;
mod party_matrices;
mod permutation;
mod qap;
mod samegame;
mod sokoban;
mod tiles;
