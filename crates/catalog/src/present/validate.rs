//! Report on an instance for designers: whether it is solvable and why not, the best value and its
//! proved bound, the effort of a reference solver, branching, dead ends, the number of optimal
//! solutions, and duplicates in a batch.
//!
//! This part follows from the declarations of every puzzle. A puzzle may add [sections](Section) of
//! its own, and answer instead of the reference solver, by its
//! [`Validates`](crate::instance::Validates). [`text`] and [`html()`] write a [`Validation`] for
//! people; its fields are the fields of the JSON form.
//!
//! ```no_run
//! use unriddle_catalog::validate::{Batch, Keys, text, validate};
//! # fn example(registry: &unriddle_catalog::Registry, request: &unriddle_catalog::Request<'_>)
//! # -> Result<(), Box<dyn std::error::Error>> {
//! let (family, puzzle) = registry.puzzle("tiles")?;
//! let keys = Keys::read(family, &[("states".to_owned(), "50k".to_owned())])?;
//! let named = unriddle_catalog::input::load(&*puzzle, "easy: 1 0 2 3\n")?;
//! let batch = Batch::new(&*puzzle, &keys, &named);
//! for index in 0..named.len() {
//!     print!("{}", text(&validate(registry, &batch, index, request, &mut |_| {})?));
//! }
//! # Ok(())
//! # }
//! ```

mod answer;
mod html;
mod keys;
mod run;
mod text;

pub use crate::interface::{
    findings::{Answer, Findings, VALIDATE, ValidateConfig, Verdict},
    instance::batch::{Batch, Duplicate, Keys, Like},
    section::{Attachment, Bar, Block, Column, Points, Section},
    structure::{Beside, Branching, Inquiry, RandomPlay, Space, Structure},
};
pub use answer::{Effort, SCHEMA, Validation};
pub use html::{Drawer, html};
pub use run::validate;
pub use text::text;
