//! The GPU: its program, what lies in its memory, and calls of the program.

use crate::{
    packed::{hashes, packed},
    places::Places,
    small::{BEGIN, MIDDLE, Small},
};
use cudarc::{
    driver::{
        CudaContext, CudaFunction, CudaSlice, CudaStream, CudaView, CudaViewMut, DriverError,
        LaunchConfig, PushKernelArg, sys::CUfunction_attribute,
    },
    nvrtc::{CompileOptions, compile_ptx_with_opts},
};
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;
use unriddle_core::SearchError;
use unriddle_neural::Device;

/// The program, in the language of the GPU.
const SOURCE: &str = include_str!("beam.cu");

/// Children that are estimated at a time.
const CHUNK: usize = 1 << 21;

/// Rows of a tile, as in the program.
const TILE: usize = 32;

/// Codes of a block in selections, as in the program.
const BLOCK: usize = 4096;

/// The code of what is left out.
const DEAD: u32 = 65_535;

/// Why a GPU does not search.
#[derive(Clone, Debug, Error)]
pub enum GpuError {
    /// A call of the driver.
    #[error("the GPU failed: {0}")]
    Driver(String),
    /// The run-time compiler.
    #[error("the program of the GPU was not compiled: {0}")]
    Compiler(String),
    /// No memory.
    #[error(
        "a beam of {width} states takes {needed} bytes of the GPU's memory, of which {free} are free"
    )]
    Memory {
        /// States of the width.
        width: usize,
        /// Bytes that it takes.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// Children of a layer are numbered in 32 bits.
    #[error("a beam of {width} states is too wide for a GPU: {most} at most")]
    Width {
        /// States of the width.
        width: usize,
        /// The most for the puzzle.
        most: usize,
    },
    /// No GPU.
    #[error(transparent)]
    Device(#[from] unriddle_neural::DeviceError),
}

impl From<DriverError> for GpuError {
    fn from(why: DriverError) -> Self {
        Self::Driver(format!("{why:?}"))
    }
}

impl From<GpuError> for SearchError {
    fn from(why: GpuError) -> Self {
        Self::TooLarge(why.to_string())
    }
}

/// Calls a function of the program with a thread for each of `count` items.
macro_rules! call {
    ($gpu:expr, $function:ident, $config:expr, $($arg:expr),+ $(,)?) => {{
        let mut launch = $gpu.stream.launch_builder(&$gpu.functions.$function);
        $(launch.arg($arg);)+
        // SAFETY: the arguments are those of the program's function of that name, and no buffer is shorter than the counts say.
        unsafe { launch.launch($config) }.map(drop)
    }};
}

macro_rules! functions {
    ($($name:ident),+) => {
        struct Functions { $($name: CudaFunction),+ }
        impl Functions {
            fn load(module: &Arc<cudarc::driver::CudaModule>) -> Result<Self, DriverError> {
                Ok(Self { $($name: module.load_function(stringify!($name))?),+ })
            }
        }
    };
}

functions!(
    children, estimate, coarse, fine, tally, scan, gather, make, judge, others, pick, keep, probe,
    spread
);

mod goal_table;

/// A thread for each item.
fn each(count: usize) -> LaunchConfig {
    LaunchConfig {
        grid_dim: ((count as u32).div_ceil(256).max(1), 1, 1),
        block_dim: (256, 1, 1),
        shared_mem_bytes: 0,
    }
}

/// A set of hashes: slots that are a power of two.
pub(crate) struct Set {
    slots: CudaSlice<u64>,
}

impl Set {
    fn mask(&self) -> u64 {
        self.slots.len() as u64 - 1
    }
}

/// Nodes of a layer.
struct Nodes {
    cells: CudaSlice<u32>,
    lasts: CudaSlice<u16>,
}

/// Buffers of a beam.
pub(crate) struct Layers {
    /// Its width, candidates for each state of it, and layers.
    shape: [usize; 3],
    now: Nodes,
    next: Nodes,
    codes: CudaSlice<u16>,
    rows: CudaSlice<u16>,
    add: CudaSlice<u16>,
    counts: CudaSlice<u32>,
    ids: CudaSlice<u32>,
    candidates: Nodes,
    hashes: CudaSlice<u64>,
    flags: CudaSlice<u8>,
    candidate_codes: CudaSlice<u16>,
    slot_of: CudaSlice<u32>,
    slots: CudaSlice<u64>,
    firsts: CudaSlice<u64>,
    alive: CudaSlice<u32>,
    sums: CudaSlice<u16>,
    chosen: CudaSlice<u32>,
    found: CudaSlice<u64>,
    seen: Set,
    /// Of the nodes of each layer, the numbers under which they were children.
    trace: Vec<CudaSlice<u32>>,
}

/// What a layer came to.
pub(crate) struct Expanded {
    /// Nodes of the next one.
    pub(crate) kept: usize,
    /// Estimates that were made.
    pub(crate) evaluated: u64,
    /// The least distance of one that is near the goal, and its place.
    pub(crate) near: Option<(u32, u32)>,
}

/// A puzzle and a network on the GPU.
pub struct Gpu {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    functions: Functions,
    places: Places,
    /// Hashes of the values of cells, and of what they are in the inverse.
    hashes: [Vec<u64>; 2],
    groups: usize,
    tables: CudaSlice<u64>,
    first: CudaSlice<u8>,
    bias: CudaSlice<u16>,
    second: CudaSlice<u16>,
    tail: CudaSlice<f32>,
    shared_bytes: u32,
    blocks: u32,
    near: Set,
    goal_table_depth: u32,
    /// Buffers that no beam uses.
    free: Mutex<Option<Layers>>,
    /// A state to be asked for.
    asked: Mutex<[CudaSlice<u64>; 2]>,
}

/// Words of a state.
fn words(places: &Places) -> usize {
    places.cells.div_ceil(4)
}

impl Gpu {
    /// Takes a puzzle's tables and a network to the first GPU, and builds the set of exact distances near the goal in `goal_table` bytes, a power
    /// of two at most.
    ///
    /// # Errors
    /// No GPU, a program that is not compiled, or no memory.
    pub fn new(places: Places, network: &Small, goal: &[u8], near: u64) -> Result<Self, GpuError> {
        Device::Cuda.check()?;
        let context = CudaContext::new(0)?;
        let stream = context.default_stream();
        let (major, minor) = context.compute_capability()?;
        let groups = places.sources.len();
        let [units, second, third] = network.units;
        let [slope_1, slope_2, slope_3] = network.slopes;
        let define = |(name, value): (&str, usize)| format!("#define {name} {value}\n");
        let mut source: String = [
            ("CELLS", places.cells),
            ("WORDS", words(&places)),
            ("VALUES", places.values),
            ("ACTIONS", places.actions),
            ("GROUPS", groups),
            ("UNITS", units),
            ("ZERO", usize::from(BEGIN) + usize::from(MIDDLE) * groups),
            ("SECOND", second),
            ("THIRD", third),
        ]
        .map(define)
        .concat();
        for (name, slope) in [("SLOPE_1", slope_1), ("SLOPE_2", slope_2), ("SLOPE_3", slope_3)] {
            source.push_str(&format!("#define {name} {slope:?}f\n"));
        }
        source.push_str(SOURCE);
        let options = CompileOptions {
            options: vec![format!("--gpu-architecture=compute_{major}{minor}")],
            ..CompileOptions::default()
        };
        let program = compile_ptx_with_opts(source, options);
        let program = program.map_err(|why| GpuError::Compiler(why.to_string()))?;
        let module = context.load_module(program)?;
        let functions = Functions::load(&module)?;
        let pitch = units / 2 + 4;
        let shared = 4 * ((TILE + second) * pitch + TILE * (second + 1) + network.tail.len())
            + 2 * TILE * groups;
        let shared = shared.next_multiple_of(16) as u32;
        let most = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        functions.estimate.set_attribute(most, shared as i32)?;
        let estimate = &functions.estimate;
        let resident =
            estimate.occupancy_max_active_blocks_per_multiprocessor(256, shared as usize, None)?;
        let count =
            cudarc::driver::sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        let blocks = resident.max(1) * context.attribute(count)? as u32;
        let hashes = hashes(&places);
        let tables = stream.clone_htod(&packed(&places, network, &hashes))?;
        let second_weights: Vec<u16> = network.second.iter().map(|w| w.to_bits()).collect();
        let mut gpu = Self {
            first: stream.clone_htod(&network.first)?,
            bias: stream.clone_htod(&network.bias)?,
            second: stream.clone_htod(&second_weights)?,
            tail: stream.clone_htod(&network.tail)?,
            near: Set { slots: stream.alloc_zeros(1 << (near / 8).max(1024).ilog2())? },
            asked: Mutex::new([
                stream.alloc_zeros(places.cells.div_ceil(8))?,
                stream.alloc_zeros(1)?,
            ]),
            context,
            stream,
            functions,
            hashes,
            groups,
            tables,
            shared_bytes: shared,
            blocks,
            goal_table_depth: 0,
            free: Mutex::new(None),
            places,
        };
        gpu.build_goal_table(goal)?;
        Ok(gpu)
    }

    /// The puzzle's tables.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// To how many actions from the goal distances are known.
    pub fn goal_table_depth(&self) -> u32 {
        self.goal_table_depth
    }

    /// The hash of a state, or of its inverse, as in the program.
    fn hash(&self, cells: &[u8], of_inverse: bool) -> u64 {
        let hashes = &self.hashes[usize::from(of_inverse)];
        let of =
            |(cell, &value): (usize, &u8)| hashes[cell * self.places.values + usize::from(value)];
        let all = cells.iter().enumerate().map(of);
        all.fold(0, u64::wrapping_add).max(1)
    }

    /// Whether the hash of the inverse is the smaller one, so that it stands for both.
    pub(crate) fn is_inverted(&self, cells: &[u8]) -> bool {
        self.hash(cells, true) < self.hash(cells, false)
    }

    fn words_of(&self, cells: &[u8]) -> Vec<u32> {
        let word = |part: &[u8]| {
            let byte = |word, (i, &byte): (usize, &u8)| word | u32::from(byte) << (8 * i);
            part.iter().enumerate().fold(0, byte)
        };
        cells.chunks(4).map(word).collect()
    }

    /// Bytes of the GPU's memory that a beam takes.
    pub(crate) fn needed(&self, [width, rerank, layers]: [usize; 3]) -> u64 {
        let (cells, sides) = (4 * words(&self.places), 2 * self.places.actions);
        let candidates = 2 * rerank * width;
        let slots = (2 * candidates).next_power_of_two();
        let seen = (width * layers * 3 / 2).next_power_of_two();
        let nodes = (2 * width + candidates) * (cells + 2);
        let others = candidates * (4 + 8 + 1 + 2 + 4) + rerank * width * (4 + 2) + width * 4;
        let trace = width * layers * 4;
        let chunk = CHUNK.min(width * sides) * (2 * self.groups + 2);
        (width * sides * 2 + nodes + others + trace + chunk + 16 * slots + 8 * seen) as u64
    }

    /// Buffers for beams of a shape, with nothing seen yet.
    pub(crate) fn layers(&self, shape: [usize; 3]) -> Result<Layers, GpuError> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut layers) = free.take().filter(|layers| layers.shape == shape) {
            self.stream.memset_zeros(&mut layers.seen.slots)?;
            return Ok(layers);
        }
        drop(free);
        let most = u32::MAX as usize / (2 * self.places.actions).max(2 * shape[1]);
        if shape[0] > most {
            let width = shape[0];
            return Err(GpuError::Width { width, most });
        }
        self.stream.synchronize()?;
        let needed = self.needed(shape);
        let (room, _) = self.context.mem_get_info()?;
        if needed > room as u64 {
            return Err(GpuError::Memory { width: shape[0], needed, free: room as u64 });
        }
        let [width, rerank, depth] = shape;
        let (sides, stream) = (2 * self.places.actions, &self.stream);
        let candidates = 2 * rerank * width;
        let slots = (2 * candidates).next_power_of_two();
        let nodes = |count: usize| {
            let cells = stream.alloc_zeros(count * words(&self.places))?;
            let lasts = stream.alloc_zeros(count)?;
            Ok::<_, DriverError>(Nodes { cells, lasts })
        };
        let chunk = CHUNK.min(width * sides);
        Ok(Layers {
            shape,
            now: nodes(width)?,
            next: nodes(width)?,
            codes: stream.alloc_zeros(width * sides)?,
            rows: stream.alloc_zeros(chunk * self.groups)?,
            add: stream.alloc_zeros(chunk)?,
            counts: stream
                .alloc_zeros(4096 + (width * sides).max(candidates).div_ceil(BLOCK) + 1)?,
            ids: stream.alloc_zeros(candidates)?,
            candidates: nodes(candidates)?,
            hashes: stream.alloc_zeros(candidates)?,
            flags: stream.alloc_zeros(candidates)?,
            candidate_codes: stream.alloc_zeros(candidates)?,
            slot_of: stream.alloc_zeros(candidates)?,
            slots: stream.alloc_zeros(slots)?,
            firsts: stream.alloc_zeros(slots)?,
            alive: stream.alloc_zeros(rerank * width)?,
            sums: stream.alloc_zeros(rerank * width)?,
            chosen: stream.alloc_zeros(width)?,
            found: stream.alloc_zeros(1)?,
            seen: Set { slots: stream.alloc_zeros((width * depth * 3 / 2).next_power_of_two())? },
            trace: Vec::new(),
        })
    }

    /// Takes buffers back.
    pub(crate) fn give_back(&self, mut layers: Layers) {
        layers.trace.clear();
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) = Some(layers);
    }

    /// Begins a beam with a state; gives its distance if it is near the goal.
    pub(crate) fn begin(&self, layers: &mut Layers, cells: &[u8]) -> Result<Option<u32>, GpuError> {
        let words = self.words_of(cells);
        let mut to = layers.now.cells.slice_mut(0..words.len());
        self.stream.memcpy_htod(&words, &mut to)?;
        // No action of either side.
        let mut last = layers.now.lasts.slice_mut(0..1);
        self.stream.memcpy_htod(&[0xffff_u16], &mut last)?;
        layers.trace.clear();
        self.probe(cells, Some(&layers.seen))
    }

    fn estimate(
        &self,
        (rows, count): (&CudaView<'_, u16>, usize),
        add: Option<&CudaSlice<u16>>,
        codes: &mut CudaViewMut<'_, u16>,
    ) -> Result<(), GpuError> {
        let config = LaunchConfig {
            grid_dim: (self.blocks.min(count.div_ceil(TILE) as u32).max(1), 1, 1),
            block_dim: (256, 1, 1),
            shared_mem_bytes: self.shared_bytes,
        };
        let (n, adds) = (count as u32, u32::from(add.is_some()));
        call!(
            self,
            estimate,
            config,
            rows,
            &n,
            &self.first,
            &self.bias,
            &self.second,
            &self.tail,
            add.unwrap_or(&self.bias),
            &adds,
            codes
        )?;
        Ok(())
    }

    /// Writes the places of the least codes, about `target` of them and no more, in their order; gives how many there are.
    fn select(
        &self,
        codes: &CudaSlice<u16>,
        count: usize,
        target: usize,
        counts: &mut CudaSlice<u32>,
        out: &mut CudaSlice<u32>,
    ) -> Result<usize, GpuError> {
        if count == 0 {
            return Ok(0);
        }
        let n = count as u32;
        let wide = LaunchConfig {
            grid_dim: ((count as u32).div_ceil(8192).clamp(1, 1056), 1, 1),
            block_dim: (1024, 1, 1),
            shared_mem_bytes: 0,
        };
        let histogram =
            |size: usize, counts: &CudaSlice<u32>| self.stream.clone_dtoh(&counts.slice(0..size));
        self.stream.memset_zeros(&mut counts.slice_mut(0..4096))?;
        call!(self, coarse, wide, codes, &n, &*counts)?;
        let upper = histogram(4096, counts)?;
        let mut left = target as u64;
        let mut at = 0;
        while at < 4095 && u64::from(upper[at]) <= left {
            left -= u64::from(upper[at]);
            at += 1;
        }
        self.stream.memset_zeros(&mut counts.slice_mut(0..16))?;
        let bin = at as u32;
        call!(self, fine, wide, codes, &n, &bin, &*counts)?;
        // The last code that is taken. Equal ones that are too many all together: the first of them.
        let mut limit = (16 * at).checked_sub(1);
        let mut is_any = left < target as u64;
        for (code, &within) in (16 * at..).zip(&histogram(16, counts)?) {
            let within = u64::from(within);
            if within > left && is_any {
                break;
            }
            limit = Some(code);
            if within > left {
                break;
            }
            left -= within;
            is_any |= within > 0;
        }
        let limit = limit.unwrap_or_default().min(DEAD as usize - 1) as u32;
        let blocks = count.div_ceil(BLOCK);
        let config = LaunchConfig {
            grid_dim: (blocks.max(1) as u32, 1, 1),
            block_dim: (256, 1, 1),
            shared_mem_bytes: 0,
        };
        let one =
            LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1024, 1, 1), shared_mem_bytes: 0 };
        call!(self, tally, config, codes, &n, &limit, &*counts)?;
        let parts = blocks as u32;
        call!(self, scan, one, &*counts, &parts)?;
        let most = target as u32;
        call!(self, gather, config, codes, &n, &limit, &*counts, &most, &*out)?;
        let all = self.stream.clone_dtoh(&counts.slice(blocks..=blocks))?[0];
        Ok((all as usize).min(target))
    }

    /// Makes the next layer of `count` nodes.
    pub(crate) fn expand(&self, layers: &mut Layers, count: usize) -> Result<Expanded, GpuError> {
        let ([width, rerank, _], stream) = (layers.shape, &self.stream);
        let sides = 2 * self.places.actions;
        let children = count * sides;
        let chunk = layers.add.len();
        let l = layers;
        for from in (0..children).step_by(chunk) {
            let items = chunk.min(children - from);
            let (first, n) = (from as u32, items as u32);
            call!(
                self,
                children,
                each(items),
                &self.tables,
                &l.now.cells,
                &l.now.lasts,
                &first,
                &n,
                &l.rows
            )?;
            let mut codes = l.codes.slice_mut(from..from + items);
            self.estimate((&l.rows.as_view(), items), None, &mut codes)?;
        }
        let most = rerank * width;
        let made = self.select(&l.codes, children, 2 * most, &mut l.counts, &mut l.ids)?;
        let n = made as u32;
        stream.memset_zeros(&mut l.slots)?;
        stream.memset_zeros(&mut l.firsts)?;
        let (mask, seen_mask, goal_table_mask) =
            (l.slots.len() as u64 - 1, l.seen.mask(), self.near.mask());
        call!(
            self,
            make,
            each(made),
            &self.tables,
            &l.now.cells,
            &l.now.lasts,
            &l.ids,
            &n,
            &l.codes,
            &l.candidates.cells,
            &l.candidates.lasts,
            &l.hashes,
            &l.flags,
            &l.candidate_codes,
            &l.slots,
            &l.firsts,
            &mask,
            &l.slot_of
        )?;
        call!(
            self,
            judge,
            each(made),
            &n,
            &l.hashes,
            &l.firsts,
            &l.slot_of,
            &l.seen.slots,
            &seen_mask,
            &l.candidate_codes
        )?;
        let alive = self.select(&l.candidate_codes, made, most, &mut l.counts, &mut l.alive)?;
        let n = alive as u32;
        let mut evaluated = children as u64;
        if rerank > 1 && alive > width {
            evaluated += alive as u64;
            for from in (0..alive).step_by(chunk) {
                let items = chunk.min(alive - from);
                let (first, n) = (from as u32, items as u32);
                call!(
                    self,
                    others,
                    each(items),
                    &self.tables,
                    &l.alive,
                    &first,
                    &n,
                    &l.candidates.cells,
                    &l.flags,
                    &l.candidate_codes,
                    &l.rows,
                    &l.add
                )?;
                let mut codes = l.sums.slice_mut(from..from + items);
                self.estimate((&l.rows.as_view(), items), Some(&l.add), &mut codes)?;
            }
        } else {
            call!(self, pick, each(alive), &l.alive, &n, &l.candidate_codes, &l.sums)?;
        }
        let kept = self.select(&l.sums, alive, width, &mut l.counts, &mut l.chosen)?;
        let mut ids = stream.alloc_zeros::<u32>(kept.max(1))?;
        stream.memcpy_htod(&[u64::MAX], &mut l.found)?;
        let n = kept as u32;
        call!(
            self,
            keep,
            each(kept),
            &l.alive,
            &l.chosen,
            &n,
            &l.candidates.cells,
            &l.candidates.lasts,
            &l.hashes,
            &l.ids,
            &l.next.cells,
            &l.next.lasts,
            &mut ids,
            &l.seen.slots,
            &seen_mask,
            &self.near.slots,
            &goal_table_mask,
            &l.found
        )?;
        l.trace.push(ids);
        std::mem::swap(&mut l.now, &mut l.next);
        let found = stream.clone_dtoh(&l.found)?[0];
        Ok(Expanded {
            kept,
            evaluated,
            near: (found != u64::MAX).then_some(((found >> 32) as u32, found as u32)),
        })
    }

    /// Estimates of the children of a state, by the numbers of the actions, and behind them of those of its inverse.
    ///
    /// # Errors
    /// The GPU's.
    pub fn children(&self, cells: &[u8]) -> Result<Vec<f32>, GpuError> {
        let mut l = self.layers([1, 1, 1])?;
        self.begin(&mut l, cells)?;
        let (count, from) = (2 * self.places.actions, 0_u32);
        let n = count as u32;
        call!(
            self,
            children,
            each(count),
            &self.tables,
            &l.now.cells,
            &l.now.lasts,
            &from,
            &n,
            &l.rows
        )?;
        let mut codes = l.codes.slice_mut(0..count);
        self.estimate((&l.rows.as_view(), count), None, &mut codes)?;
        let codes = self.stream.clone_dtoh(&l.codes)?;
        self.give_back(l);
        // As `decoded` of the program.
        let decoded = |&code: &u16| f32::from_bits(0x3d80_0000 + (u32::from(code) << 11));
        Ok(codes.iter().map(decoded).collect())
    }

    /// The steps to a node of the last layer, the first one first: whether each is of the inverse, and the number of its action.
    pub(crate) fn steps(&self, layers: &Layers, node: u32) -> Result<Vec<(bool, usize)>, GpuError> {
        let (actions, mut at) = (self.places.actions as u32, node as usize);
        let mut steps = Vec::new();
        for ids in layers.trace.iter().rev() {
            let id = self.stream.clone_dtoh(&ids.slice(at..=at))?[0];
            let rest = id % (2 * actions);
            steps.push((rest >= actions, (rest % actions) as usize));
            at = (id / (2 * actions)) as usize;
        }
        steps.reverse();
        Ok(steps)
    }
}
