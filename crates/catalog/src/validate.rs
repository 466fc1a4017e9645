//! What a designer is told of an instance: whether it can be solved and why not, the best value with what is proved of it, the
//! effort of a reference solver, branching, dead ends, the number of optimal solutions, and which instances of a batch are the same.
//!
//! Every puzzle has that part from what it declares. A puzzle may add [sections](Section) of its own, and answer in place of the
//! reference solver, by its [`Validates`](crate::instance::Validates). [`text`] and [`html()`] write a [`Validation`] for people;
//! its fields are those of the JSON form.
//!
//! ```no_run
//! use unriddle_catalog::validate::{Batch, Keys, text, validate};
//! # fn example(registry: &unriddle_catalog::Registry, request: &unriddle_catalog::Request<'_>)
//! # -> Result<(), Box<dyn std::error::Error>> {
//! let (family, puzzle) = registry.puzzle("tiles")?;
//! let keys = Keys::read(family, &[("states".to_owned(), "50k".to_owned())])?;
//! let named = unriddle_catalog::input::load(family, &*puzzle, "easy: 1 0 2 3\n")?;
//! let batch = Batch::new(&*puzzle, &keys, &named);
//! for index in 0..named.len() {
//!     print!("{}", text(&validate(registry, &batch, index, request, &mut |_| {})?));
//! }
//! # Ok(())
//! # }
//! ```

mod answer;
mod graph;
mod html;
mod keys;
mod run;
mod section;
mod structure;
mod text;

pub use answer::{Answer, Duplicate, Effort, Findings, Like, SCHEMA, Validation, Verdict};
pub(crate) use html::plain;
pub use html::{Drawer, html};
pub use keys::{Keys, VALIDATE, ValidateConfig};
pub use run::{Batch, validate};
pub use section::{Attachment, Bar, Block, Column, Points, Section};
pub use structure::{Beside, Branching, Inquiry, RandomPlay, Space, Structure};
pub(crate) use structure::{of_goal, of_score};
pub use text::text;
