//! Figures as SVG. The caller passes only numbers and texts, so that reports, runs and validation
//! share the drawing.
//!
//! | module | content |
//! |---|---|
//! | [`axis`] | [`Axis`]: linear, logarithmic or of names, with ticks at round numbers |
//! | [`scene`] | [`Scene`]: the parts of a figure, and its drawing |
//! | [`kinds`] | whole figures: [`curves`], a [`front`] |
//!
//! The caller formats numbers: a [`Format`] has the unit that suits a value and the text of a
//! number. Figures depend neither on the clock nor on fonts: equal numbers result in equal bytes.
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

#![forbid(unsafe_code)]

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
