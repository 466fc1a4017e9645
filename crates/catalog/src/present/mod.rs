//! Fourth floor: puzzles by name, and everything that presents them: records, reports for
//! designers, analyses, documents, files of instances, solves in steps.

pub mod analysis;
pub(crate) mod describe;
pub mod documents;
pub mod family;
pub mod input;
pub mod record;
pub(crate) mod registry;
pub mod review;
pub mod solving;
pub mod validate;
