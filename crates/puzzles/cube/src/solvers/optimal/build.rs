//! Builds the table of cosets, which marks every coset that is at most `depth` moves from the coset
//! of the solved cube.
//!
//! The search is breadth-first, a row at a time. The distance of a coset is one more than the least
//! distance of the cosets that a turn before all others leads to, which are all in a few rows. Each
//! thread owns the rows that it writes, and reads the table of the previous level.

mod check;

use super::{
    block::{self, Exchange, WORDS},
    coset::{Cosets, edge_image, flipped},
    node::{Map, back},
    size::Size,
};
use crate::{
    Cube, Metric,
    geometry::{EDGE_CODES, FACE_TURNS, SYMMETRY},
    pieces::{CORNER_COUNT, EDGE_COUNT, SOLVED},
};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use unriddle_core::parallel::try_map;
use unriddle_tables::{Build, Table, TableError, Width, Work};

/// The table of a metric.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) metric: Metric,
    pub(crate) size: Size,
}

impl Near {
    /// The moves within which a coset is marked.
    pub(crate) fn depth(self) -> u8 {
        self.size.depth(self.metric)
    }

    /// Words of bits. As many nibbles follow them.
    pub(super) fn words(self) -> u64 {
        let cosets = Cosets::of(self.size);
        (cosets.row_count() * cosets.blocks() * WORDS) as u64
    }

    /// Bytes of all bits.
    pub(crate) fn bits(self) -> usize {
        8 * self.words() as usize
    }
}

/// Distance of unreached cosets.
const UNSEEN: u8 = u8::MAX;

/// A turn before all others, as it is seen from a row.
struct Step {
    /// The row of the preceding coset.
    row: usize,
    exchange: Exchange,
    /// By slice and order: the block of the row there, and the flips that change.
    blocks: Vec<(u32, u16)>,
}

/// Effect of a turn on homes: for each piece, the piece that it becomes, and its turn.
struct Homes {
    corners: [(usize, u8); CORNER_COUNT],
    edges: [(usize, usize); EDGE_COUNT],
}

impl Homes {
    fn new(turn: usize) -> Self {
        let code = |home: usize| {
            (0..=turn % 3).fold(home, |code, _| usize::from(FACE_TURNS[turn / 3][code]))
        };
        Self {
            corners: std::array::from_fn(|piece| {
                let code = code(3 * piece);
                (code / 3, (code % 3) as u8)
            }),
            edges: std::array::from_fn(|piece| {
                let code = code(EDGE_CODES + 2 * piece) - EDGE_CODES;
                (code / 2, code % 2)
            }),
        }
    }
}

impl Step {
    fn new(cosets: &Cosets, row: usize, homes: &Homes) -> Self {
        let (layer, twists) = cosets.corner_bits(cosets.rows[row] as usize);
        let (mut new_layer, mut new_twists) = (0, [0; CORNER_COUNT]);
        for (piece, &(from, twist)) in homes.corners.iter().enumerate() {
            new_layer |= (layer >> from & 1) << piece;
            new_twists[piece] = (twists[from] + twist) % 3;
        }
        let found = cosets.corners[cosets.corner_part(new_layer, &new_twists)];
        let symmetry = &SYMMETRY[(found >> 16) as usize];
        let (mut from, mut changed) = ([0; EDGE_COUNT], 0);
        for (piece, &(edge, flip)) in homes.edges.iter().enumerate() {
            let image = edge_image(symmetry, piece);
            from[image] = edge;
            changed |= flip << image;
        }
        let mut blocks = Vec::with_capacity(cosets.blocks());
        for &bits in &cosets.slice_bits {
            let image = (0..EDGE_COUNT).map(|bit| (usize::from(bits) >> from[bit] & 1) << bit);
            let image = image.sum();
            let changed = changed ^ flipped(symmetry, image);
            let slice = u32::from(cosets.slices[image]);
            for order in 0..cosets.orders {
                let order = cosets.order_after(symmetry, order, bits, image, &from);
                let block = slice * cosets.orders as u32 + order as u32;
                blocks.push((block, changed as u16));
            }
        }
        Self { row: (found & 0xffff) as usize, exchange: Exchange::new(from), blocks }
    }
}

/// The part of a row that a thread writes.
struct Written<'a> {
    row: usize,
    bits: &'a mut [u64],
    /// The level at which each word became more than nothing, in nibbles.
    first: &'a mut [u8],
}

impl Build for Near {
    fn key(&self) -> String {
        format!(
            "cosets of two faces of the cube, {}, within {} moves ({}), and the least distances of 64 flips",
            self.size.name(),
            self.depth(),
            self.metric.name()
        )
    }

    fn file_stem(&self) -> String {
        let size = self.size.name().replace('.', "-");
        format!("cube3-{}-cosets-{size}-within-{}", self.metric.name(), self.depth())
    }

    fn width(&self) -> Width {
        Width::Byte
    }

    /// Bytes: a bit for each coset, then a nibble for each of their words.
    fn entries(&self) -> u64 {
        self.words() * 8 + self.words() / 2
    }

    /// Bits twice, for two levels, and the nibbles. At the end bits, nibbles and all bytes
    /// together.
    fn peak(&self) -> u64 {
        2 * self.bytes()
    }

    fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
        let cosets = &*Cosets::of(self.size);
        let (rows, row) = (cosets.row_count(), cosets.blocks() * WORDS);
        let turns = Cube::<3>::new(SOLVED, self.metric).turns();
        let homes: Vec<Homes> = turns.map(|turn| Homes::new(back(turn.0.into()))).collect();
        let add = block::best();
        let solved = cosets.index(0, &Map::of(&SOLVED)) as usize;
        let mut old = vec![0_u64; rows * row];
        let mut new = vec![0_u64; rows * row];
        let mut first = vec![0xff_u8; rows * row / 2];
        let mut seen: Vec<AtomicU8> =
            (0..rows * cosets.blocks()).map(|_| AtomicU8::new(UNSEEN)).collect();
        let kept = work.resume(&mut |from| read(from, &mut new, &mut first, &mut seen));
        if kept.is_none() {
            // Something may have been read that is not whole.
            new.fill(0);
            first.fill(0xff);
            seen.fill_with(|| AtomicU8::new(UNSEEN));
            new[solved / 64] |= 1 << (solved % 64);
            first[solved / 64 / 2] &= if (solved / 64).is_multiple_of(2) { 0xf0 } else { 0x0f };
            *seen[solved / 64 / WORDS].get_mut() = 0;
        }
        let total = rows as u64 * u64::from(self.depth());
        let begun = kept.unwrap_or(0);
        let done = AtomicU64::new(rows as u64 * u64::from(begun));
        for level in begun + 1..=self.depth() {
            if level > begun + 1 {
                work.keep(&mut |to| write(to, level - 1, &new, &first, &seen));
            }
            std::mem::swap(&mut old, &mut new);
            let rows = new.chunks_exact_mut(row).zip(first.chunks_exact_mut(row / 2));
            let rows = rows.enumerate().map(|(row, (bits, first))| Written { row, bits, first });
            try_map(rows, work.threads, |written| {
                fill(written, level, (cosets, &homes), &old, &seen, add);
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                match !done.is_multiple_of(64) || work.goes_on(done, total) {
                    true => Ok(()),
                    false => Err(TableError::Cancelled),
                }
            })?;
        }
        drop(old);
        let mut bytes = Vec::with_capacity(8 * new.len() + first.len());
        bytes.extend(new.iter().flat_map(|word| word.to_le_bytes()));
        drop(new);
        // Unreached cosets are further away than the depth.
        for pair in &mut first {
            let nibble = |nibble: u8| {
                if nibble == 15 { self.depth() + 1 } else { nibble }
            };
            *pair = nibble(*pair & 15) | nibble(*pair >> 4) << 4;
        }
        bytes.extend(first);
        Ok(bytes)
    }

    fn check(&self, table: &Table) -> Result<(), String> {
        check::check(*self, table.packed())
    }
}

/// Writes the state of a build after a level.
fn write(
    to: &mut dyn Write,
    level: u8,
    bits: &[u64],
    first: &[u8],
    seen: &[AtomicU8],
) -> io::Result<()> {
    to.write_all(&[level])?;
    let mut buffer = Vec::new();
    for words in bits.chunks(1 << 13) {
        buffer.clear();
        buffer.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        to.write_all(&buffer)?;
    }
    to.write_all(first)?;
    let seen: Vec<u8> = seen.iter().map(|level| level.load(Ordering::Relaxed)).collect();
    to.write_all(&seen)
}

/// Reads it: the level.
fn read(
    from: &mut dyn Read,
    bits: &mut [u64],
    first: &mut [u8],
    seen: &mut [AtomicU8],
) -> io::Result<u8> {
    let mut level = [0];
    from.read_exact(&mut level)?;
    let mut buffer = vec![0; 8 << 13];
    for words in bits.chunks_mut(1 << 13) {
        let buffer = &mut buffer[..8 * words.len()];
        from.read_exact(buffer)?;
        for (word, bytes) in words.iter_mut().zip(buffer.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
    }
    from.read_exact(first)?;
    let mut levels = vec![0; seen.len()];
    from.read_exact(&mut levels)?;
    for (seen, level) in seen.iter_mut().zip(levels) {
        *seen.get_mut() = level;
    }
    Ok(level[0])
}

/// Writes a row of a level.
fn fill(
    written: Written<'_>,
    level: u8,
    (cosets, homes): (&Cosets, &[Homes]),
    old: &[u64],
    seen: &[AtomicU8],
    add: block::Add,
) {
    let Written { row, bits, first } = written;
    let (words, blocks) = (bits.len(), cosets.blocks());
    let before = &old[row * words..][..words];
    bits.copy_from_slice(before);
    for homes in homes {
        let step = Step::new(cosets, row, homes);
        let written = bits.as_chunks_mut::<WORDS>().0;
        for (block, &(source, changed)) in written.iter_mut().zip(&step.blocks) {
            let source = step.row * blocks + source as usize;
            let is_full = || block.iter().fold(u64::MAX, |all, word| all & word) == u64::MAX;
            if seen[source].load(Ordering::Relaxed) >= level || is_full() {
                continue;
            }
            let Some(source) = old[source * WORDS..].first_chunk::<WORDS>() else {
                continue;
            };
            add(&step.exchange, source, changed.into(), block);
        }
    }
    for (i, (&after, &before)) in bits.iter().zip(before).enumerate() {
        if before == 0 && after != 0 {
            let nibble = &mut first[i / 2];
            *nibble = match i % 2 {
                0 => *nibble & 0xf0 | level,
                _ => *nibble & 0x0f | level << 4,
            };
            seen[row * blocks + i / WORDS].fetch_min(level, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use unriddle_tables::{Cache, Policy, cache::Event};

    /// A build that is interrupted at some level and resumed results in the same table.
    #[test]
    fn interrupted_builds_resume() {
        let near = Near { metric: Metric::Half, size: Size::Small };
        let folder = tempfile::tempdir().unwrap();
        let until = |last: u64| {
            let least = AtomicU64::new(u64::MAX);
            let cache = Cache::new(Some(folder.path().into()), 2, Policy::Reuse)
                .keeping(Duration::ZERO)
                .with_observer(Box::new(move |_, event| match event {
                    Event::Progress(p) => {
                        // The first report is the progress at which the build resumed.
                        least.fetch_min(p.done * 100 / p.total, Ordering::Relaxed);
                        assert!(last < 100 || least.load(Ordering::Relaxed) >= 50);
                        p.done * 100 < last * p.total
                    }
                    _ => true,
                }));
            cache.get(&near).map(|table| table.packed().to_vec())
        };
        assert!(matches!(until(70), Err(TableError::Cancelled)));
        let whole = near.build(&Work::new(2, &|_| true)).unwrap();
        assert_eq!(until(101).unwrap(), whole);
    }
}
