//! Group of a puzzle: its order, its members, and the pieces that its moves keep together.

pub mod chain;
pub mod pieces;
pub mod symmetries;

/// Permutation as a mapping of points: the piece at position `p` goes to position `of(p)`. It is
/// the inverse of the [array form](crate::definition::Array).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image(Vec<u16>);

impl Image {
    /// The identity.
    #[must_use]
    pub fn identity(points: usize) -> Self {
        Self((0..points as u16).collect())
    }

    /// The permutation of an array form.
    #[must_use]
    pub fn of_array(array: &[u16]) -> Self {
        Self(crate::definition::inverse(array))
    }

    /// The array form.
    #[must_use]
    pub fn array(&self) -> Vec<u16> {
        crate::definition::inverse(&self.0)
    }

    /// The point to which a point is mapped.
    #[inline]
    #[must_use]
    pub fn of(&self, point: u16) -> u16 {
        self.0[usize::from(point)]
    }

    /// This permutation, followed by `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Self(self.0.iter().map(|&point| next.of(point)).collect())
    }

    /// The inverse.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self(crate::definition::inverse(&self.0))
    }

    /// The first point that is not fixed.
    #[must_use]
    pub fn first_moved(&self) -> Option<u16> {
        let mut points = self.0.iter().zip(0..);
        points.find(|&(&image, point)| image != point).map(|(_, point)| point)
    }
}
