//! Colour scheme of a cube as it is held: which colour each face has when the cube is solved.
//!
//! A cube that is seen from another side has the same pieces under other colours. The pieces of a
//! [`Cube`](crate::Cube) are named by the faces as it is held, so that searches and solutions need
//! no scheme. Only texts of states and drawings have the colours of the scheme.

use crate::geometry::SYMMETRY;

/// A colour scheme: one of the 24 rotations of the whole cube, by its index among the symmetries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scheme(u8);

impl Scheme {
    /// The scheme whose colours by face have a property.
    pub(crate) fn find(fits: impl Fn(&[u8; 6]) -> bool) -> Option<Self> {
        let mut all = SYMMETRY.iter().enumerate().filter(|(_, one)| !one.mirrors);
        all.find(|(_, one)| fits(&one.faces)).map(|(index, _)| Self(index as u8))
    }

    /// The colour of each face, as the face of that colour on a cube that is held in the usual way.
    pub(crate) fn colours(self) -> [u8; 6] {
        SYMMETRY[usize::from(self.0)].faces
    }

    /// The face of each colour.
    pub(crate) fn faces(self) -> [u8; 6] {
        let mut faces = [0; 6];
        for (face, colour) in (0..).zip(self.colours()) {
            faces[usize::from(colour)] = face;
        }
        faces
    }

    /// The number of the sticker that a cube has in the position of a sticker of the solved cube.
    pub(crate) fn sticker(self, sticker: usize) -> usize {
        SYMMETRY[usize::from(self.0)].stickers[sticker].into()
    }

    /// Whether the cube is held in the usual way.
    pub(crate) fn is_usual(self) -> bool {
        self == Self::default()
    }

    /// The scheme of the mirror image, for a permutation of faces by a reflection.
    pub(crate) fn mirrored(self, mirror: &[u8; 6]) -> Self {
        let image = |face: u8| mirror[usize::from(face)];
        let colours = self.colours();
        let is_image = |other: &[u8; 6]| {
            (0..6).all(|face| other[usize::from(image(face))] == image(colours[usize::from(face)]))
        };
        Self::find(is_image).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_the_rotations() {
        let all: Vec<Scheme> =
            (0..48).filter(|&i: &u8| !SYMMETRY[usize::from(i)].mirrors).map(Scheme).collect();
        assert_eq!(all.len(), 24);
        assert!(Scheme::default().is_usual());
        for scheme in all {
            let (colours, faces) = (scheme.colours(), scheme.faces());
            assert!((0..6).all(|face| usize::from(faces[usize::from(colours[face])]) == face));
            let left_right = [0, 4, 2, 3, 1, 5];
            assert_eq!(scheme.mirrored(&left_right).mirrored(&left_right), scheme);
        }
    }
}
