//! Turns of solids in space.
//!
//! A point represents each sticker. A turn rotates the points above a plane, and a rotated point
//! is at the point of the position that its sticker reaches.

use crate::definition::{Array, Invalid, identity};
use std::f64::consts::PI;

/// Point or direction in space.
pub(super) type Point = [f64; 3];

/// Greatest difference of the coordinates of equal points.
const TOLERANCE: f64 = 1e-6;

/// Turn of a layer, clockwise for a viewer at whom the axis points.
pub(super) struct Turn {
    pub(super) axis: Point,
    /// Number of turns that are a full rotation.
    pub(super) parts: u32,
    /// The layer: heights along the axis above which and below which points turn.
    pub(super) above: f64,
    pub(super) below: f64,
}

impl Turn {
    /// The permutation of the stickers at `points`.
    ///
    /// # Errors
    /// A sticker that reaches no point.
    pub(super) fn array(&self, points: &[Point]) -> Result<Array, Invalid> {
        let axis = unit(self.axis);
        let is_turned = |&point: &Point| (self.above..self.below).contains(&dot(axis, point));
        let mut array = identity(points.len());
        for (from, &point) in points.iter().enumerate().filter(|(_, point)| is_turned(point)) {
            let reached = rotated(point, axis, self.parts);
            let is_reached = |&point: &Point| {
                point.iter().zip(reached).all(|(a, b): (&f64, f64)| (a - b).abs() < TOLERANCE)
            };
            let to = points.iter().position(is_reached).ok_or_else(|| {
                Invalid(format!("a turn brings the sticker at position {from} to no position"))
            })?;
            array[to] = from as u16;
        }
        Ok(array)
    }
}

pub(super) fn dot(a: Point, b: Point) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The direction of a point as a vector of length 1.
pub(super) fn unit(point: Point) -> Point {
    let length = dot(point, point).sqrt();
    point.map(|coordinate| coordinate / length)
}

/// The sum of points, each times its weight.
pub(super) fn sum(weighted: &[(f64, Point)]) -> Point {
    std::array::from_fn(|i| weighted.iter().map(|(weight, point)| weight * point[i]).sum())
}

/// A point after a turn by a part of a full rotation (formula of Rodrigues). The axis has length 1.
pub(super) fn rotated(point: Point, axis: Point, parts: u32) -> Point {
    // A positive angle turns counterclockwise.
    let (sine, cosine) = (-2.0 * PI / f64::from(parts)).sin_cos();
    let ([a, b, c], [x, y, z]) = (axis, point);
    let across = [b * z - c * y, c * x - a * z, a * y - b * x];
    sum(&[(cosine, point), (sine, across), ((1.0 - cosine) * dot(axis, point), axis)])
}
