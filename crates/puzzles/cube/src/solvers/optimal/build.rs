//! Building the table of cosets: which ones are at most `depth` moves away from that of the solved cube.
//!
//! Breadth-first, a row at a time: a coset is as near as one more than the nearest of those that a turn before all others leads to,
//! all of which lie in a few rows. Threads own the rows that they write, and read the table of the level before.

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
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering},
};
use unriddle_tables::{
    TableError, Width,
    cache::{Build, BuildProgress},
};

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
    fn words(self) -> u64 {
        let cosets = Cosets::of(self.size);
        (cosets.row_count() * cosets.blocks() * WORDS) as u64
    }

    /// Bytes of all bits.
    pub(crate) fn bits(self) -> usize {
        8 * self.words() as usize
    }
}

/// Not yet seen.
const UNSEEN: u8 = u8::MAX;

/// A turn before all others, as it is seen from a row.
struct Step {
    /// The row where the coset before it lies.
    row: usize,
    exchange: Exchange,
    /// By slice and order: the block of the row there, and the flips that change.
    blocks: Vec<(u32, u16)>,
}

/// What a turn does to homes: of each piece, the piece that it becomes, and its turn.
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
        Self {
            row: (found & 0xffff) as usize,
            exchange: Exchange::new(from),
            blocks,
        }
    }
}

/// What a thread writes of a row.
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
        format!(
            "cube3-{}-cosets-{size}-within-{}",
            self.metric.name(),
            self.depth()
        )
    }

    fn width(&self) -> Width {
        Width::Byte
    }

    /// Bytes: a bit for each coset, then a nibble for each of their words.
    fn entries(&self) -> u64 {
        self.words() * 8 + self.words() / 2
    }

    fn build(
        &self,
        threads: usize,
        progress: &(dyn Fn(BuildProgress) -> bool + Sync),
    ) -> Result<Vec<u8>, TableError> {
        let cosets = &*Cosets::of(self.size);
        let (rows, row) = (cosets.row_count(), cosets.blocks() * WORDS);
        let turns = Cube::<3>::new(SOLVED, self.metric).turns();
        let homes: Vec<Homes> = turns.map(|turn| Homes::new(back(turn.0.into()))).collect();
        let add = block::best();
        let solved = cosets.index(0, &Map::of(&SOLVED)) as usize;
        let mut old = vec![0_u64; rows * row];
        let mut new = vec![0_u64; rows * row];
        let mut first = vec![0xff_u8; rows * row / 2];
        let seen: Vec<AtomicU8> = (0..rows * cosets.blocks())
            .map(|_| AtomicU8::new(UNSEEN))
            .collect();
        new[solved / 64] |= 1 << (solved % 64);
        first[solved / 64 / 2] &= if (solved / 64).is_multiple_of(2) {
            0xf0
        } else {
            0x0f
        };
        seen[solved / 64 / WORDS].store(0, Ordering::Relaxed);
        let total = rows as u64 * u64::from(self.depth());
        let (done, goes_on) = (AtomicU64::new(0), AtomicBool::new(true));
        for level in 1..=self.depth() {
            std::mem::swap(&mut old, &mut new);
            let rows = new
                .chunks_exact_mut(row)
                .zip(first.chunks_exact_mut(row / 2));
            let rows = rows
                .enumerate()
                .map(|(row, (bits, first))| Written { row, bits, first });
            let rows = Mutex::new(rows);
            let (old, seen) = (&old, &seen);
            let work = || {
                while goes_on.load(Ordering::Relaxed) {
                    let next = rows.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(written) = next else { break };
                    fill(written, level, (cosets, &homes), old, seen, add);
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if done % 64 == 0 && !progress(BuildProgress { done, total }) {
                        goes_on.store(false, Ordering::Relaxed);
                    }
                }
            };
            std::thread::scope(|scope| {
                for _ in 1..threads {
                    scope.spawn(work);
                }
                work();
            });
            if !goes_on.load(Ordering::Relaxed) {
                return Err(TableError::Cancelled);
            }
        }
        drop(old);
        let mut bytes = Vec::with_capacity(8 * new.len() + first.len());
        for words in new.chunks(row) {
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        drop(new);
        // What is unseen is further away than the depth.
        for pair in &mut first {
            let nibble = |nibble: u8| {
                if nibble == 15 {
                    self.depth() + 1
                } else {
                    nibble
                }
            };
            *pair = nibble(*pair & 15) | nibble(*pair >> 4) << 4;
        }
        bytes.extend(first);
        Ok(bytes)
    }
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
            if seen[source].load(Ordering::Relaxed) >= level {
                continue;
            }
            if block.iter().fold(u64::MAX, |all, word| all & word) == u64::MAX {
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
            let block = &seen[row * blocks + i / WORDS];
            block.fetch_min(level, Ordering::Relaxed);
        }
    }
}
