//! The GPU: its program, its memory, and calls of the program.

use crate::{
    network::{BEGIN, GpuNetwork, MIDDLE},
    packing::{hash_keys, packed_tables},
    transition_tables::TransitionTables,
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

/// Source of the GPU program.
const SOURCE: &str = include_str!("beam.cu");

/// Children that are estimated in one call.
const CHUNK: usize = 1 << 21;

/// Rows of a tile; the GPU program defines the same number.
const TILE: usize = 32;

/// Codes of a block in selections; the GPU program defines the same number.
const BLOCK: usize = 4096;

/// Code of nodes that are left out.
const DEAD: u32 = 65_535;

/// Failure of a search on a GPU.
#[derive(Clone, Debug, Error)]
pub enum GpuError {
    /// A call of the driver failed.
    #[error("a call of the GPU's driver failed: {0}")]
    Driver(String),
    /// The run-time compiler failed.
    #[error("the GPU program does not compile: {0}")]
    Compiler(String),
    /// The GPU has too little memory.
    #[error(
        "a beam of {width} states needs {needed} bytes of the GPU's memory, of which {free} are free; use a smaller `width`"
    )]
    Memory {
        /// Width of the beam.
        width: usize,
        /// Required bytes.
        needed: u64,
        /// Free bytes.
        free: u64,
    },
    /// Numbers of a layer's children exceed 32 bits.
    #[error("a beam of {width} states is too wide for a GPU; use a `width` of at most {most}")]
    Width {
        /// Width of the beam.
        width: usize,
        /// Greatest width for the puzzle.
        most: usize,
    },
    /// There is no usable GPU.
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

/// Launches a function of the GPU program.
macro_rules! call {
    ($gpu:expr, $function:ident, $config:expr, $($arg:expr),+ $(,)?) => {{
        let mut launch = $gpu.stream.launch_builder(&$gpu.functions.$function);
        $(launch.arg($arg);)+
        // SAFETY: the program's function of that name has these arguments, and no buffer is shorter
        // than its count.
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

/// Launch of blocks of threads without dynamic shared memory.
fn launch(blocks: u32, threads: u32) -> LaunchConfig {
    LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes: 0 }
}

/// Launch with one thread for each item.
fn each(count: usize) -> LaunchConfig {
    launch((count as u32).div_ceil(256).max(1), 256)
}

/// Hash set in the GPU's memory: open addressing in a power of two of slots.
pub(crate) struct DeviceHashSet {
    slots: CudaSlice<u64>,
}

impl DeviceHashSet {
    /// Bit mask of slot numbers.
    fn mask(&self) -> u64 {
        self.slots.len() as u64 - 1
    }
}

/// Nodes of a layer: their cells and the last actions of the state and of its inverse.
struct Nodes {
    cells: CudaSlice<u32>,
    lasts: CudaSlice<u16>,
}

/// Sizes of a beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BeamShape {
    /// States kept of each layer.
    pub(crate) width: usize,
    /// Candidates for each state of the width.
    pub(crate) rerank: usize,
    /// Greatest number of layers.
    pub(crate) layers: usize,
}

impl BeamShape {
    /// Candidates before duplicates are removed.
    fn candidates(self) -> usize {
        2 * self.rerank * self.width
    }

    /// Slots of the hash table of candidates.
    fn candidate_slots(self) -> usize {
        (2 * self.candidates()).next_power_of_two()
    }

    /// Slots of the set of all kept states.
    fn seen_slots(self) -> usize {
        (self.width * self.layers * 3 / 2).next_power_of_two()
    }
}

/// Buffers of a beam.
pub(crate) struct BeamBuffers {
    shape: BeamShape,
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
    seen: DeviceHashSet,
    /// For each layer, the numbers that its nodes had as children of the layer before.
    trace: Vec<CudaSlice<u32>>,
}

/// Result of expanding one layer.
pub(crate) struct LayerResult {
    /// Number of nodes of the next layer.
    pub(crate) kept: usize,
    /// Number of estimates.
    pub(crate) evaluated: u64,
    /// Least distance to the goal of a node in the goal table, and the number of that node.
    pub(crate) near_goal: Option<(u32, u32)>,
}

/// Step to a child of a node.
pub(crate) struct NodeStep {
    /// Whether the action is applied to the inverse of the node's state.
    pub(crate) of_inverse: bool,
    /// Number of the action.
    pub(crate) action: usize,
}

/// Puzzle and network in the memory of a GPU.
pub struct Gpu {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    functions: Functions,
    tables: TransitionTables,
    /// Hash keys of the values of cells, and of the corresponding values of the inverse.
    keys: [Vec<u64>; 2],
    groups: usize,
    device_tables: CudaSlice<u64>,
    first: CudaSlice<u8>,
    bias: CudaSlice<u16>,
    second: CudaSlice<u16>,
    tail: CudaSlice<f32>,
    shared_bytes: u32,
    blocks: u32,
    goal_table: DeviceHashSet,
    goal_table_depth: u32,
    /// Buffers that no beam uses now.
    free: Mutex<Option<BeamBuffers>>,
    /// Device buffers for one queried state and its distance.
    query: Mutex<[CudaSlice<u64>; 2]>,
}

/// Words of four cells that a state needs.
fn words(tables: &TransitionTables) -> usize {
    tables.cells.div_ceil(4)
}

impl Gpu {
    /// Copies a puzzle's tables and a network to the first GPU, and builds the goal table: the
    /// exact distances of states near the state with the cells `goal`, in `goal_table` bytes,
    /// rounded down to a power of two.
    ///
    /// # Errors
    /// A missing GPU, a program that does not compile, or too little memory.
    pub fn new(
        tables: TransitionTables,
        network: &GpuNetwork,
        goal: &[u8],
        goal_table: u64,
    ) -> Result<Self, GpuError> {
        Device::Cuda.check()?;
        let context = CudaContext::new(0)?;
        let stream = context.default_stream();
        let (major, minor) = context.compute_capability()?;
        let groups = tables.sources.len();
        let [units, second, third] = network.units;
        let [slope_1, slope_2, slope_3] = network.slopes;
        let define = |(name, value): (&str, usize)| format!("#define {name} {value}\n");
        let mut source: String = [
            ("CELLS", tables.cells),
            ("WORDS", words(&tables)),
            ("VALUES", tables.values),
            ("ACTIONS", tables.actions),
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
        let keys = hash_keys(&tables);
        let device_tables = stream.clone_htod(&packed_tables(&tables, network, &keys))?;
        let second_weights: Vec<u16> = network.second.iter().map(|w| w.to_bits()).collect();
        let mut gpu = Self {
            first: stream.clone_htod(&network.first)?,
            bias: stream.clone_htod(&network.bias)?,
            second: stream.clone_htod(&second_weights)?,
            tail: stream.clone_htod(&network.tail)?,
            goal_table: DeviceHashSet {
                slots: stream.alloc_zeros(1 << (goal_table / 8).max(1024).ilog2())?,
            },
            query: Mutex::new([
                stream.alloc_zeros(tables.cells.div_ceil(8))?,
                stream.alloc_zeros(1)?,
            ]),
            context,
            stream,
            functions,
            keys,
            groups,
            device_tables,
            shared_bytes: shared,
            blocks,
            goal_table_depth: 0,
            free: Mutex::new(None),
            tables,
        };
        gpu.build_goal_table(goal)?;
        Ok(gpu)
    }

    /// Transition tables of the puzzle.
    pub fn tables(&self) -> &TransitionTables {
        &self.tables
    }

    /// Number of actions up to which the goal table holds all states.
    pub fn goal_table_depth(&self) -> u32 {
        self.goal_table_depth
    }

    /// Hash of a state or, with `of_inverse`, of its inverse, as in the GPU program.
    fn hash(&self, cells: &[u8], of_inverse: bool) -> u64 {
        let keys = &self.keys[usize::from(of_inverse)];
        let of =
            |(cell, &value): (usize, &u8)| keys[cell * self.tables.values + usize::from(value)];
        let all = cells.iter().enumerate().map(of);
        all.fold(0, u64::wrapping_add).max(1)
    }

    /// Whether the inverse has the smaller hash, so that it represents both states.
    pub(crate) fn is_inverted(&self, cells: &[u8]) -> bool {
        self.hash(cells, true) < self.hash(cells, false)
    }

    /// Cells as words of four bytes.
    fn words_of(&self, cells: &[u8]) -> Vec<u32> {
        let word = |part: &[u8]| {
            let byte = |word, (i, &byte): (usize, &u8)| word | u32::from(byte) << (8 * i);
            part.iter().enumerate().fold(0, byte)
        };
        cells.chunks(4).map(word).collect()
    }

    /// Bytes of the GPU's memory that a beam needs.
    fn needed(&self, shape: BeamShape) -> u64 {
        let BeamShape { width, rerank, layers } = shape;
        let (cells, sides) = (4 * words(&self.tables), 2 * self.tables.actions);
        let candidates = shape.candidates();
        let (slots, seen) = (shape.candidate_slots(), shape.seen_slots());
        let nodes = (2 * width + candidates) * (cells + 2);
        let others = candidates * (4 + 8 + 1 + 2 + 4) + rerank * width * (4 + 2) + width * 4;
        let trace = width * layers * 4;
        let chunk = CHUNK.min(width * sides) * (2 * self.groups + 2);
        (width * sides * 2 + nodes + others + trace + chunk + 16 * slots + 8 * seen) as u64
    }

    /// Buffers for a beam of a shape, without known states.
    pub(crate) fn buffers(&self, shape: BeamShape) -> Result<BeamBuffers, GpuError> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut buffers) = free.take().filter(|buffers| buffers.shape == shape) {
            self.stream.memset_zeros(&mut buffers.seen.slots)?;
            return Ok(buffers);
        }
        drop(free);
        let BeamShape { width, rerank, .. } = shape;
        let most = u32::MAX as usize / (2 * self.tables.actions).max(2 * rerank);
        if width > most {
            return Err(GpuError::Width { width, most });
        }
        self.stream.synchronize()?;
        let needed = self.needed(shape);
        let (free, _) = self.context.mem_get_info()?;
        if needed > free as u64 {
            return Err(GpuError::Memory { width, needed, free: free as u64 });
        }
        let (sides, stream) = (2 * self.tables.actions, &self.stream);
        let (candidates, slots) = (shape.candidates(), shape.candidate_slots());
        let nodes = |count: usize| {
            let cells = stream.alloc_zeros(count * words(&self.tables))?;
            let lasts = stream.alloc_zeros(count)?;
            Ok::<_, DriverError>(Nodes { cells, lasts })
        };
        let chunk = CHUNK.min(width * sides);
        Ok(BeamBuffers {
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
            seen: DeviceHashSet { slots: stream.alloc_zeros(shape.seen_slots())? },
            trace: Vec::new(),
        })
    }

    /// Keeps buffers for the next beam.
    pub(crate) fn recycle(&self, mut buffers: BeamBuffers) {
        buffers.trace.clear();
        *self.free.lock().unwrap_or_else(PoisonError::into_inner) = Some(buffers);
    }

    /// Begins a beam with a state. Returns its distance if it is in the goal table.
    pub(crate) fn begin(
        &self,
        buffers: &mut BeamBuffers,
        cells: &[u8],
    ) -> Result<Option<u32>, GpuError> {
        let words = self.words_of(cells);
        let mut to = buffers.now.cells.slice_mut(0..words.len());
        self.stream.memcpy_htod(&words, &mut to)?;
        // Neither the state nor its inverse has a last action.
        let mut last = buffers.now.lasts.slice_mut(0..1);
        self.stream.memcpy_htod(&[0xffff_u16], &mut last)?;
        buffers.trace.clear();
        self.probe(cells, Some(&buffers.seen))
    }

    /// Writes the estimates of `count` rows as codes; with `add`, codes of the sums with these
    /// estimates.
    fn estimate(
        &self,
        rows: &CudaView<'_, u16>,
        count: usize,
        add: Option<&CudaSlice<u16>>,
        codes: &mut CudaViewMut<'_, u16>,
    ) -> Result<(), GpuError> {
        let blocks = self.blocks.min(count.div_ceil(TILE) as u32).max(1);
        let config = LaunchConfig { shared_mem_bytes: self.shared_bytes, ..launch(blocks, 256) };
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

    /// Writes the estimates of `count` children of the layer's nodes, from the child `from` on, as
    /// codes.
    fn estimate_children(
        &self,
        l: &mut BeamBuffers,
        from: usize,
        count: usize,
    ) -> Result<(), GpuError> {
        let (tables, first, n) = (&self.device_tables, from as u32, count as u32);
        let Nodes { cells, lasts } = &l.now;
        call!(self, children, each(count), tables, cells, lasts, &first, &n, &l.rows)?;
        let mut codes = l.codes.slice_mut(from..from + count);
        self.estimate(&l.rows.as_view(), count, None, &mut codes)
    }

    /// Writes the indices of the least codes in ascending order, about `target` of them and no
    /// more. Returns their number.
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
        let wide = launch((count as u32).div_ceil(8192).clamp(1, 1056), 1024);
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
        // Largest accepted code. Ties at the limit are dropped together; if nothing smaller was
        // accepted, the first of them are kept.
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
        let config = launch(blocks.max(1) as u32, 256);
        call!(self, tally, config, codes, &n, &limit, &*counts)?;
        let parts = blocks as u32;
        call!(self, scan, launch(1, 1024), &*counts, &parts)?;
        let most = target as u32;
        call!(self, gather, config, codes, &n, &limit, &*counts, &most, &*out)?;
        let all = self.stream.clone_dtoh(&counts.slice(blocks..=blocks))?[0];
        Ok((all as usize).min(target))
    }

    /// Expands a layer of `count` nodes.
    pub(crate) fn expand(
        &self,
        buffers: &mut BeamBuffers,
        count: usize,
    ) -> Result<LayerResult, GpuError> {
        let (BeamShape { width, rerank, .. }, stream) = (buffers.shape, &self.stream);
        let sides = 2 * self.tables.actions;
        let children = count * sides;
        let chunk = buffers.add.len();
        let l = buffers;
        for from in (0..children).step_by(chunk) {
            self.estimate_children(l, from, chunk.min(children - from))?;
        }
        let most = rerank * width;
        let made = self.select(&l.codes, children, 2 * most, &mut l.counts, &mut l.ids)?;
        let n = made as u32;
        stream.memset_zeros(&mut l.slots)?;
        stream.memset_zeros(&mut l.firsts)?;
        let (mask, seen_mask, goal_table_mask) =
            (l.slots.len() as u64 - 1, l.seen.mask(), self.goal_table.mask());
        call!(
            self,
            make,
            each(made),
            &self.device_tables,
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
                    &self.device_tables,
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
                self.estimate(&l.rows.as_view(), items, Some(&l.add), &mut codes)?;
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
            &self.goal_table.slots,
            &goal_table_mask,
            &l.found
        )?;
        l.trace.push(ids);
        std::mem::swap(&mut l.now, &mut l.next);
        let found = stream.clone_dtoh(&l.found)?[0];
        Ok(LayerResult {
            kept,
            evaluated,
            near_goal: (found != u64::MAX).then_some(((found >> 32) as u32, found as u32)),
        })
    }

    /// Estimates of the children of a state in the order of the actions, followed by the estimates
    /// of the children of its inverse.
    ///
    /// # Errors
    /// A failure of the GPU.
    pub fn children(&self, cells: &[u8]) -> Result<Vec<f32>, GpuError> {
        let mut l = self.buffers(BeamShape { width: 1, rerank: 1, layers: 1 })?;
        self.begin(&mut l, cells)?;
        self.estimate_children(&mut l, 0, 2 * self.tables.actions)?;
        let codes = self.stream.clone_dtoh(&l.codes)?;
        self.recycle(l);
        // As `decoded` in the GPU program.
        let decoded = |&code: &u16| f32::from_bits(0x3d80_0000 + (u32::from(code) << 11));
        Ok(codes.iter().map(decoded).collect())
    }

    /// Steps from the start to a node of the last layer.
    pub(crate) fn steps(
        &self,
        buffers: &BeamBuffers,
        node: u32,
    ) -> Result<Vec<NodeStep>, GpuError> {
        let (actions, mut at) = (self.tables.actions as u32, node as usize);
        let mut steps = Vec::new();
        for ids in buffers.trace.iter().rev() {
            let id = self.stream.clone_dtoh(&ids.slice(at..=at))?[0];
            let rest = id % (2 * actions);
            steps.push(NodeStep { of_inverse: rest >= actions, action: (rest % actions) as usize });
            at = (id / (2 * actions)) as usize;
        }
        steps.reverse();
        Ok(steps)
    }
}
