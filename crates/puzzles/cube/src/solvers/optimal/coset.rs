//! Cosets: the part of a state that turns of two opposite faces keep, as an index of a table.
//!
//! Along the axis of U and D, a coset contains the layer and the twist of each corner, and for each
//! edge whether it is in the slice between U and D and whether it is flipped. Turns of U and D
//! change none of these. The code rotates the whole cube to look along the two other axes.
//!
//! Corners have 70 · 3⁷ parts. The 16 symmetries that keep the axis reduce them to 9,930 rows of a
//! table. After the symmetry that brings the corners to a row's corners, the edges have 495 · 2¹¹
//! values: the set of edges in the slice, and the set of flipped edges. Larger tables also
//! distinguish the order of the edges in the slice ([`Size`]). The smallest table does not
//! distinguish layers.

use super::{
    bytes::{Bytes, all},
    node::{Map, rows},
    size::Size,
};
use crate::{
    geometry::{EDGE_CODES, SYMMETRY, Symmetry},
    pieces::{CORNER_COUNT, EDGE_COUNT},
};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of sets of four edges that may be in the slice.
pub(crate) const SLICES: usize = 495;
/// Number of flips of the first eleven edges. The flip of the last edge follows.
pub(crate) const FLIPS: usize = 2_048;
/// Symmetries that keep the axis of U and D.
pub(crate) const KEEPING: usize = 16;

/// Layers times twists of the first seven corners.
const LAYERS: usize = 70;
const TWISTS: usize = 2_187;

/// No number.
const NONE: u16 = u16::MAX;

/// First position of the slice between U and D. All later edges belong to the slice.
const SLICE: usize = 8;

/// Rotation of the whole cube that brings an axis to the axis of U and D.
struct View {
    edges: Side,
    corners: Side,
}

/// Effect of a rotation on the pieces of a kind.
struct Side {
    /// By piece, which one it was before.
    pieces: Bytes,
    /// By position: the highest bit is set in the slice (for corners: in the lower layer). The bits
    /// from the fifth contain the turn that is added.
    places: Bytes,
    /// By piece, the turn that is added.
    turns: Bytes,
}

impl View {
    fn new(rotation: &Symmetry) -> Self {
        // Where each piece was, and how it was turned.
        let mut before = [0; 48];
        for (code, &to) in rotation.codes.iter().enumerate() {
            before[usize::from(to)] = code as u8;
        }
        let (edges, corners) = rows(|code| before[code]);
        let places = rows(|code| rotation.codes[code]);
        Self {
            edges: Side::new(edges, &places.0[..EDGE_COUNT], SLICE),
            corners: Side::new(corners, &places.1[..CORNER_COUNT], CORNER_COUNT / 2),
        }
    }
}

impl Side {
    /// `marked` is the first position in the slice, or in the lower layer.
    fn new(before: [u8; 16], places: &[u8], marked: usize) -> Self {
        // The lowest bits are the position within the slice.
        let place = |byte: &u8| byte & 0x33 | u8::from(usize::from(byte & 15) >= marked) << 7;
        Self {
            pieces: Bytes::new(before.map(|byte| byte & 15)),
            places: Bytes::new(std::array::from_fn(|i| places.get(i).map_or(0, place))),
            turns: Bytes::new(before.map(|byte| byte & 0x30)),
        }
    }
}

/// A coset without its symmetry: bits by pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Raw {
    /// The corners' part, below 70 · 3⁷.
    pub(crate) corners: usize,
    /// Number of the set of edges in the slice.
    pub(crate) slice: usize,
    /// Set of flipped edges.
    pub(crate) flips: usize,
    /// The order of the edges in the slice, 0 where it does not count.
    pub(crate) order: usize,
}

/// First bits of the parts of a coset's word. The corners' part comes first.
const SLICE_BIT: usize = 20;
const FLIPS_BIT: usize = SLICE_BIT + EDGE_COUNT;
const ORDER_BIT: usize = FLIPS_BIT + EDGE_COUNT;

/// Tables for computing the index of a coset.
pub(crate) struct Cosets {
    /// Number of distinguished orders of the edges in the slice.
    pub(crate) orders: usize,
    /// An order of each class: the position of each of the four edges, by edge.
    samples: Vec<[u8; 4]>,
    /// The order by the positions of the four edges, of two bits each. The highest bits belong to
    /// the first edge.
    order_of: Box<[u8; 256]>,
    /// By number of a slice: its edges, to begin with.
    gathers: Vec<Bytes>,
    /// By symmetry, slice and order: the order in the symmetric coset.
    order_images: Vec<u8>,
    /// View of the axis of the face with the same number.
    views: [View; 3],
    /// By bits of the corners in the lower layer: the part's number times 2,187.
    layers: [u32; 256],
    /// By bits of the first seven corners: the sum of powers of 3.
    powers: [u16; 128],
    /// By corners' part: the row, and from bit 16 on the symmetry that leads to it.
    pub(crate) corners: Vec<u32>,
    /// The corners' part of each row.
    pub(crate) rows: Vec<u32>,
    /// By bits of the edges in the slice: their number.
    pub(crate) slices: Box<[u16; 4096]>,
    /// By number of a slice: its bits.
    pub(crate) slice_bits: Vec<u16>,
    /// By symmetry and slice: the symmetric slice, and from bit 16 on the flips that change.
    images: Vec<u32>,
    /// By symmetry and flips of the first eleven edges: the symmetric flips.
    flips: Vec<u16>,
}

/// Permutes the bits of `mask` by a map.
fn moved(mask: usize, to: impl Fn(usize) -> usize) -> usize {
    let bits = (0..EDGE_COUNT).filter(|bit| mask >> bit & 1 == 1);
    bits.fold(0, |moved, bit| moved | 1 << to(bit))
}

/// Completes the flips of the first eleven edges by the flip of the last edge.
pub(crate) fn completed(flips: usize) -> usize {
    flips | (flips.count_ones() as usize & 1) << 11
}

/// The edge that an edge becomes by a symmetry.
pub(crate) fn edge_image(symmetry: &Symmetry, edge: usize) -> usize {
    (usize::from(symmetry.codes[EDGE_CODES + 2 * edge]) - EDGE_CODES) / 2
}

/// The flips that change by a symmetry that keeps the axis. If the symmetry
/// moves F to R or L, these are the flips of the edges that either belong to the slice or are in
/// it, but not both.
pub(crate) fn flipped(symmetry: &Symmetry, slice_image: usize) -> usize {
    let home = 0b1111 << SLICE;
    match symmetry.faces[2] % 3 {
        2 => 0,
        _ => home ^ slice_image,
    }
}

/// Packs four positions of two bits each. The highest bits belong to the first position.
fn packed(places: [u8; 4]) -> usize {
    places.iter().fold(0, |packed, &place| packed << 2 | usize::from(place))
}

/// All permutations of four.
fn permutations() -> impl Iterator<Item = [u8; 4]> {
    let all = (0..256_usize).map(|bits| [6, 4, 2, 0].map(|shift| (bits >> shift & 3) as u8));
    all.filter(|order| (0..4).all(|place| order.contains(&place)))
}

impl Cosets {
    /// The tables of a size, which are built on first use.
    pub(crate) fn of(size: Size) -> Arc<Self> {
        static ALL: Mutex<Vec<(Size, Arc<Cosets>)>> = Mutex::new(Vec::new());
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, cosets)) = all.iter().find(|(other, _)| *other == size) {
            return Arc::clone(cosets);
        }
        let cosets = Arc::new(Self::new(size));
        all.push((size, Arc::clone(&cosets)));
        cosets
    }

    /// Rows of a table: corners up to symmetry.
    pub(crate) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Blocks of a row: slices with orders of their edges.
    pub(crate) fn blocks(&self) -> usize {
        SLICES * self.orders
    }

    fn new(size: Size) -> Self {
        let rotation = |axis: usize| {
            let mut all = SYMMETRY.iter().filter(|one| !one.mirrors);
            let found = all.find(|one| match axis {
                0 => one.faces[0] == 0 && one.faces[1] == 1,
                _ => one.faces[axis] == 0,
            });
            found.unwrap_or(&SYMMETRY[0])
        };
        let mut layers = [0; 256];
        let mut slices = Box::new([NONE; 4096]);
        let mut slice_bits = Vec::new();
        let fours = (0..256_usize).filter(|bits| bits.count_ones() == 4);
        for (number, bits) in fours.enumerate().filter(|_| size.has_layers()) {
            layers[bits] = (number * TWISTS) as u32;
        }
        for bits in (0..4096_usize).filter(|bits| bits.count_ones() == 4) {
            slices[bits] = slice_bits.len() as u16;
            slice_bits.push(bits as u16);
        }
        let mut powers = [0; 128];
        for (bits, power) in powers.iter_mut().enumerate() {
            let set = (0..7).filter(|bit| bits >> bit & 1 == 1);
            *power = set.map(|bit| 3_u16.pow(bit)).sum();
        }
        let mut images = vec![0; KEEPING * SLICES];
        let mut flips = vec![0; KEEPING * FLIPS];
        for (i, symmetry) in SYMMETRY[..KEEPING].iter().enumerate() {
            let to = |edge| edge_image(symmetry, edge);
            for (number, &bits) in slice_bits.iter().enumerate() {
                let image = moved(bits.into(), to);
                let changed = flipped(symmetry, image) % FLIPS;
                images[i * SLICES + number] = u32::from(slices[image]) | (changed as u32) << 16;
            }
            for bits in 0..FLIPS {
                flips[i * FLIPS + bits] = (moved(completed(bits), to) % FLIPS) as u16;
            }
        }
        // Two orders are equal if they differ by a permutation of positions that the size does not
        // distinguish.
        let mut samples: Vec<[u8; 4]> = Vec::new();
        let mut order_of = Box::new([0; 256]);
        for order in permutations() {
            let by = |sample: &[u8; 4]| {
                let mut by = [0; 4];
                for (&from, &to) in sample.iter().zip(&order) {
                    by[usize::from(from)] = to;
                }
                by
            };
            let known = samples.iter().position(|sample| size.is_same(by(sample)));
            order_of[packed(order)] = known.unwrap_or(samples.len()) as u8;
            if known.is_none() {
                samples.push(order);
            }
        }
        let gather = |&bits: &u16| {
            let mut edges = [0; 16];
            let there = (0..EDGE_COUNT as u8).filter(|edge| bits >> edge & 1 == 1);
            edges.iter_mut().zip(there).for_each(|(to, edge)| *to = edge);
            Bytes::new(edges)
        };
        let mut cosets = Self {
            orders: samples.len(),
            samples,
            order_of,
            gathers: slice_bits.iter().map(gather).collect(),
            order_images: Vec::new(),
            views: std::array::from_fn(|axis| View::new(rotation(axis))),
            layers,
            powers,
            corners: vec![u32::MAX; if size.has_layers() { LAYERS * TWISTS } else { TWISTS }],
            rows: Vec::new(),
            slices,
            slice_bits,
            images,
            flips,
        };
        for symmetry in &SYMMETRY[..KEEPING] {
            for &bits in &cosets.slice_bits {
                let image = moved(bits.into(), |edge| edge_image(symmetry, edge));
                let mut from = [0; EDGE_COUNT];
                for edge in 0..EDGE_COUNT {
                    from[edge_image(symmetry, edge)] = edge;
                }
                for order in 0..cosets.orders {
                    let order = cosets.order_after(symmetry, order, bits, image, &from);
                    cosets.order_images.push(order as u8);
                }
            }
        }
        // The inverse of each symmetry.
        let inverse = |symmetry: &Symmetry| {
            let takes_back = |other: &Symmetry| {
                let mut codes = symmetry.codes.iter().enumerate();
                codes.all(|(code, &to)| usize::from(other.codes[usize::from(to)]) == code)
            };
            SYMMETRY[..KEEPING].iter().position(takes_back).unwrap_or(0)
        };
        let inverses: Vec<usize> = SYMMETRY[..KEEPING].iter().map(inverse).collect();
        for part in 0..cosets.corners.len() {
            if cosets.corners[part] != u32::MAX {
                continue;
            }
            let row = cosets.rows.len() as u32;
            let (layer, twists) = cosets.corner_bits(part);
            for (symmetry, &inverse) in SYMMETRY.iter().zip(&inverses) {
                // The cosets that this symmetry brings to the row are the results of the inverse
                // symmetry on the row.
                let image = cosets.corner_image(symmetry, layer, &twists);
                if cosets.corners[image] == u32::MAX {
                    cosets.corners[image] = row | (inverse as u32) << 16;
                }
            }
            cosets.rows.push(part as u32);
        }
        cosets
    }

    /// The order of the edges in the slice `image`, each of whose edges was another edge in the
    /// slice `bits` before. `order` is the order in `bits`, and a symmetry has permuted the
    /// positions.
    pub(crate) fn order_after(
        &self,
        symmetry: &Symmetry,
        order: usize,
        bits: u16,
        image: usize,
        from: &[usize; EDGE_COUNT],
    ) -> usize {
        let sample = self.samples[order];
        let mut places = [0; 4];
        let edges = (0..EDGE_COUNT).filter(|edge| image >> edge & 1 == 1);
        for (to, edge) in places.iter_mut().zip(edges) {
            let below = bits & ((1 << from[edge]) - 1);
            let place = sample[below.count_ones() as usize];
            *to = (edge_image(symmetry, SLICE + usize::from(place)) - SLICE) as u8;
        }
        self.order_of[packed(places)].into()
    }

    /// The corners in the lower layer, and the twist of each corner.
    pub(crate) fn corner_bits(&self, part: usize) -> (usize, [u8; CORNER_COUNT]) {
        // If layers are not distinguished, any layers.
        let layer = (0..256_usize).find(|&bits| {
            bits.count_ones() == 4 && self.layers[bits] as usize == part / TWISTS * TWISTS
        });
        let mut twists = [0; CORNER_COUNT];
        let (mut rest, mut sum) = (part % TWISTS, 0);
        for twist in &mut twists[..CORNER_COUNT - 1] {
            *twist = (rest % 3) as u8;
            sum += *twist;
            rest /= 3;
        }
        twists[CORNER_COUNT - 1] = (3 - sum % 3) % 3;
        (layer.unwrap_or(0), twists)
    }

    /// The number of a corners' part.
    pub(crate) fn corner_part(&self, layer: usize, twists: &[u8; CORNER_COUNT]) -> usize {
        let bits =
            |twist: u8| (0..7).fold(0, |bits, i| bits | usize::from(twists[i] == twist) << i);
        let twist = self.powers[bits(1)] + 2 * self.powers[bits(2)];
        self.layers[layer] as usize + usize::from(twist)
    }

    /// The corners after a symmetry that keeps the axis.
    fn corner_image(
        &self,
        symmetry: &Symmetry,
        layer: usize,
        twists: &[u8; CORNER_COUNT],
    ) -> usize {
        // Layers are exchanged if U becomes D.
        let swaps = symmetry.faces[0] != 0;
        let (mut new_layer, mut new_twists) = (0, [0; CORNER_COUNT]);
        for (corner, &twist) in twists.iter().enumerate() {
            // Stickers of U and D stay such: a corner's first sticker becomes a first sticker.
            let image = usize::from(symmetry.codes[3 * corner]) / 3;
            new_layer |= usize::from((layer >> corner & 1 == 1) != swaps) << image;
            new_twists[image] = if symmetry.mirrors { (3 - twist) % 3 } else { twist };
        }
        self.corner_part(new_layer, &new_twists)
    }

    /// A coset without its symmetry, seen along an axis.
    #[inline(always)]
    pub(crate) fn raw(&self, axis: usize, map: &Map) -> Raw {
        let view = &self.views[axis];
        let seen = |pieces: Bytes, side: &Side| {
            let pieces = pieces.at(side.pieces);
            let places = side.places.at(pieces);
            let turned = pieces.and(all(0x30)).plus(places.and(all(0x30)));
            (places, turned.plus(side.turns))
        };
        // The lowest bit of a sum of flips.
        let (places, turns) = seen(map.edges, &view.edges);
        let slice = places.mask::<0>() as usize & 0xfff;
        let order = match self.orders {
            1 => 0,
            _ => {
                let gather = self.gathers[usize::from(self.slices[slice])];
                let four = places.at(gather).first() & 0x0303_0303;
                // Collects the lowest bits of four bytes in the highest byte. The highest bit
                // belongs to the first byte.
                let packed = four.wrapping_mul(0x4010_0401) >> 24;
                usize::from(self.order_of[packed as usize & 0xff])
            }
        };
        let flips = turns.mask::<3>() as usize & 0xfff;
        // At most six thirds of a turn.
        let (places, turns) = seen(map.corners, &view.corners);
        let turns = turns.reduced(all(0x30)).reduced(all(0x30));
        let layer = places.mask::<0>() as usize & 0xff;
        let (once, twice) = (turns.mask::<3>() as usize, turns.mask::<2>() as usize);
        let twist = self.powers[once & 127] + 2 * self.powers[twice & 127];
        Raw { corners: self.layers[layer] as usize + usize::from(twist), slice, flips, order }
    }

    /// A coset in one word, from which [`place`](Self::place) is found.
    #[inline(always)]
    pub(crate) fn word(&self, axis: usize, map: &Map) -> u64 {
        let raw = self.raw(axis, map);
        let (slice, flips) = (raw.slice as u64, (raw.flips % FLIPS) as u64);
        raw.corners as u64
            | slice << SLICE_BIT
            | flips << FLIPS_BIT
            | (raw.order as u64) << ORDER_BIT
    }

    /// The index of a coset in a table: ((row · 495 + slice) · orders + order) · 2,048 + flips.
    #[inline(always)]
    pub(crate) fn place(&self, word: u64) -> u64 {
        // A word has more than 32 bits.
        let from = |bit: usize| (word >> bit) as usize;
        let corners = self.corners[from(0) % (1 << SLICE_BIT)];
        let (row, symmetry) = ((corners & 0xffff) as usize, (corners >> 16) as usize);
        let seen = symmetry * SLICES + usize::from(self.slices[from(SLICE_BIT) & 0xfff]);
        let image = self.images[seen];
        let flips = self.flips[symmetry * FLIPS + from(FLIPS_BIT) % FLIPS];
        let (slice, changed) = ((image & 0xffff) as usize, image >> 16);
        let block = match self.orders {
            1 => row * SLICES + slice,
            orders => {
                let order = self.order_images[seen * orders + from(ORDER_BIT)];
                (row * SLICES + slice) * orders + usize::from(order)
            }
        };
        block as u64 * FLIPS as u64 + u64::from(u32::from(flips) ^ changed)
    }

    /// The index of a state's coset.
    #[inline(always)]
    pub(crate) fn index(&self, axis: usize, map: &Map) -> u64 {
        self.place(self.word(axis, map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate::uniform, pieces::SOLVED};
    use unriddle_core::Rng;

    #[test]
    fn tables_have_rows_and_orders() {
        for (size, rows, orders) in [
            (Size::Small, 168, 1),
            (Size::Standard, 9_930, 1),
            (Size::Double, 9_930, 2),
            (Size::Triple, 9_930, 3),
            (Size::Sixfold, 9_930, 6),
            (Size::Twelvefold, 9_930, 12),
        ] {
            let cosets = Cosets::of(size);
            assert_eq!((cosets.row_count(), cosets.orders), (rows, orders));
            assert_eq!(cosets.slice_bits.len(), SLICES);
            for axis in 0..3 {
                let solved = cosets.raw(axis, &Map::of(&SOLVED));
                assert_eq!(solved, cosets.raw(0, &Map::of(&SOLVED)));
                assert_eq!((solved.slice, solved.flips), (0xf00, 0));
            }
        }
    }

    /// The two faces of an axis change nothing, and neither do the symmetries that keep it.
    #[test]
    fn turns_of_an_axis_keep_its_cosets() {
        let rng = &mut Rng::new(6);
        for i in 0..300 {
            let cosets = Cosets::of(Size::ALL[i % Size::ALL.len()]);
            let state = uniform::<3>(rng);
            for axis in 0..3 {
                let index = cosets.index(axis, &Map::of(&state));
                let part = cosets.raw(axis, &Map::of(&state)).corners;
                let (layer, twists) = cosets.corner_bits(part);
                let kept = SYMMETRY[1..KEEPING].iter();
                let mut kept = kept.map(|one| cosets.corner_image(one, layer, &twists));
                // Corners that a symmetry keeps have several indices for the same edges.
                if kept.any(|image| image == part) {
                    continue;
                }
                for face in 0..6 {
                    let after = state.turned(3 * face);
                    let same =
                        cosets.raw(axis, &Map::of(&after)) == cosets.raw(axis, &Map::of(&state));
                    assert_eq!(same, usize::from(face) % 3 == axis, "face {face}, axis {axis}");
                }
                let keeping =
                    SYMMETRY.iter().filter(|one| usize::from(one.faces[axis]) % 3 == axis);
                for symmetry in keeping {
                    assert_eq!(cosets.index(axis, &Map::of(&state.image(symmetry))), index);
                }
                // An axis seen along another one.
                let to = |one: &&Symmetry| one.faces[axis] == 0 && !one.mirrors;
                let turned = state.image(SYMMETRY.iter().find(to).unwrap());
                assert_eq!(cosets.index(0, &Map::of(&turned)), index);
            }
        }
    }
}
