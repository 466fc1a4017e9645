//! Figures as SVG, of numbers alone: reports, runs and validation hand over what they have to show.
//!
//! | module | what it holds |
//! |---|---|
//! | [`axis`] | [`Axis`]: linear, logarithmic or of names, with ticks at round numbers |
//! | [`scene`] | [`Scene`]: what a figure consists of, and its drawing |
//! | [`kinds`] | whole figures: [`curves`], a [`front`] |
//!
//! How numbers are written is the caller's: a [`Format`] has the unit that suits a value and the text of
//! a number. Nothing depends on the clock or on fonts: the same numbers give the same bytes.
//!
//! ```
//! use unriddle_plot::{Curve, curves};
//!
//! let points = vec![(1.0, 3.0), (2.0, 5.0)];
//! let curve = Curve { name: "best".to_owned(), points };
//! let svg = curves("Learning", "generation", "fitness", vec![curve], |x| format!("{x}"))?;
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), unriddle_plot::PlotError>(())
//! ```

pub mod axis;
pub mod kinds;
pub mod scene;

pub use axis::{Axis, Format};
pub use kinds::{Curve, FrontPoint, curves, front};
pub use scene::{Mark, Scene, Shape};

/// A figure cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a figure cannot be drawn: {0}")]
pub struct PlotError(String);
