//! Solids: states that are drawn in space.

/// Point in space: to the right, up, and towards the viewer. The origin is the middle of the solid.
pub type Point = [f32; 3];

/// State of a puzzle as a solid that a page draws from all sides.
///
/// A page draws each facet in the colour of the body, and on it the same polygon in the facet's own
/// colour, reduced towards its middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// The facets. Together they cover the surface.
    pub facets: Vec<Facet>,
    /// Length of a coloured polygon divided by the length of its facet, at most 1.
    pub inset: f32,
}

/// Flat polygon of the surface of a [`Solid`].
#[derive(Clone, Debug, PartialEq)]
pub struct Facet {
    /// Corners, counter-clockwise as seen from outside.
    pub corners: Vec<Point>,
    /// Colour in HTML: `#c8372d`.
    pub colour: &'static str,
    /// Class, as of the elements of drawings. `last` marks the part that the last action moved.
    pub class: &'static str,
    /// Text in the middle; empty for none.
    pub text: String,
    /// Index of the [spot](super::board::Spot) that is pressed by pressing the facet.
    pub spot: Option<usize>,
}

/// Motion of an action: a part of a [`Solid`] turns about an axis through the origin.
///
/// After the motion the facets have the positions and the colours of the next state's solid, in any
/// order.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Direction of the axis.
    pub axis: Point,
    /// Angle in degrees, counter-clockwise as seen from the end of the axis.
    pub degrees: f32,
    /// Indices of the facets that turn.
    pub facets: Vec<usize>,
    /// Polygons at which the turning part touches the rest. They are seen during the motion only.
    pub cuts: Vec<Vec<Point>>,
}
