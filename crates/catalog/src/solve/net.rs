//! Networks as heuristics: `net(FILE)`.

use crate::{
    declare::{
        goal::Goal,
        heuristic::{ErasedHeuristic, Setup},
        listed::{Costs, DeclaredPuzzle},
    },
    interface::values::{Models, Networks, SolveError, model_names},
    solve::inputs::seen_by,
    spec::{Arg, Spec, SpecError, Value},
};
use std::{
    borrow::Cow,
    io::ErrorKind,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};
use unriddle_core::{
    BatchHeuristic, Guarantee, Info, Learnable, Options, Purpose, Puzzle, Rng, Role, Row, Steps,
    Successor, Walk, options, words,
};
use unriddle_neural::{
    Acting, Device, Head, Int8, Lockstep, Model, ModelError, Net, Ranges, Rounded, content_hash,
    packed,
};
use unriddle_search::{pairwise::Comparison, qbeam::ActionValues};
use unriddle_tables::TableError;

/// Name of the heuristic.
pub const NAME: &str = "net";

/// Declaration of the heuristic.
pub const INFO: Info = Info {
    guarantee: "none: it may overestimate",
    requires: "a search that estimates many states at a time: astar, greedy, bwas, beam, staged; a puzzle with inputs of networks",
    reference: "Cahlík and Surynek 2019, On the Design of a Heuristic based on Artificial Neural Networks for the Near Optimal \
                Solving of the (N²–1)-puzzle; Agostinelli et al. 2019",
    parameters: NetConfig::PARAMETERS,
    ..Info::new(
        Role::Heuristic,
        NAME,
        "a cost-to-go network that was trained for the puzzle and its size",
    )
};

options! {
    /// Options of a network's estimates.
    pub struct NetConfig of INFO {
        file: String = "model.safetensors", positional, "file or name of the network",
            "A name denotes a network that is part of the program, or else the file `NAME.safetensors` in the folder `models` beside the program or in the working folder.";
        precision was "numbers": Precision = "single",
            "precision of the computation: single, bytes or short",
            "`single` computes in f32, `bytes` in 8 bits with the same result on every machine, `short` in 8 bits with 16-bit integer sums in the first layer (fastest for incremental evaluation).";
        parity: bool = "off",
            "round estimates to the parity of the state's distance",
            "The parity of a state determines whether its distance is even or odd.";
        mirror: bool = "off",
            "average the estimates of all symmetric states",
            "The mean has a smaller error. The time is multiplied by the number of the puzzle's symmetries.";
        less: f64 = "0" in 0.0..=100.0,
            "number subtracted from every estimate before rounding",
            "With a greater number, best-first searches find optimal solutions more often and take longer.";
    }
}

words! {
    /// Precision in which a network is computed.
    pub enum Precision {
        /// Single precision.
        Single = "single",
        /// Bytes, with the same estimates on every machine.
        Bytes = "bytes",
        /// Bytes after a first layer with 16-bit integer sums, in eighths of a step.
        Short = "short",
    }
}

/// The bytes of a network: of `models`, of the file at the path `file`, or of the file of that name
/// in `folder`.
pub(crate) fn bytes_of(
    models: Models,
    folder: Option<&Path>,
    file: &str,
) -> std::io::Result<Cow<'static, [u8]>> {
    if let Some((_, bytes)) = models.iter().find(|(name, _)| *name == file) {
        if bytes.is_empty() {
            return packed::provided(file).map(Cow::Borrowed);
        }
        return Ok(Cow::Borrowed(packed::built_in(bytes)));
    }
    let read = packed::read(Path::new(file));
    let is_name = !file.contains(['/', '\\', '.']);
    match (&read, folder.filter(|_| is_name)) {
        (Err(_), Some(folder)) => {
            packed::read(&folder.join(format!("{file}.safetensors"))).or(read)
        }
        _ => read,
    }
    .map(Cow::Owned)
}

/// The bytes of the network of a spec, and the hash of the bytes. The hash belongs to the bytes
/// that are used, even if the file changes later.
pub(super) fn opened<P: Goal>(
    setup: &Setup<'_>,
    file: &str,
) -> Result<(Cow<'static, [u8]>, String), SolveError> {
    let models = <P as DeclaredPuzzle<Costs>>::models();
    let bytes = bytes_of(models, setup.request.networks.folder, file);
    let bytes = bytes.map_err(|why| {
        let error = setup.given.error("file", missing(file, models, &why));
        // A name without a file is mostly a misspelt name.
        if why.kind() == ErrorKind::NotFound { error } else { error.of_file() }
    })?;
    let hash = content_hash(&bytes);
    Ok((bytes, hash))
}

/// The text by which records name a network.
pub(crate) fn named(file: &str, hash: &str) -> String {
    format!("{file} {hash}")
}

/// The networks of a solver, each as its file and the present hash of the file's bytes, such as
/// `tiles15 0a1b…`; `None` without any. `models` are the networks of the puzzle, and `folder` is
/// the folder of further ones. The hash of an unreadable file is `unreadable`. The hash is there
/// because the same name may denote another network later.
#[must_use]
pub fn networks_of(models: Models, folder: Option<&Path>, solver: &str) -> Option<String> {
    let hashed = |file: String| {
        let bytes = bytes_of(models, folder, &file);
        named(&file, &bytes.map_or("unreadable".to_owned(), |bytes| content_hash(&bytes)))
    };
    let found: Vec<_> = network_names(&Spec::parse(solver).ok()?).into_iter().map(hashed).collect();
    (!found.is_empty()).then(|| found.join(", "))
}

/// The names or files of the networks of a solver.
#[must_use]
pub fn network_names(solver: &Spec) -> Vec<String> {
    let mut found = Vec::new();
    names(solver, &mut found);
    found
}

fn names(spec: &Spec, found: &mut Vec<String>) {
    let given = |arg: &&Arg| arg.name.as_deref().is_none_or(|name| name == "file");
    let file = (spec.name() == NAME).then(|| spec.args().iter().find(given)).flatten();
    match file.map(|arg| &arg.value) {
        Some(Value::Expr(word)) => found.push(word.name().to_owned()),
        Some(Value::Text(text)) => found.push(text.clone()),
        _ => {}
    }
    for arg in spec.args() {
        if let Value::Expr(part) = &arg.value {
            names(part, found);
        }
    }
}

/// Number of states on which the ranges of activations are measured, if the file does not have
/// them.
const SAMPLES: usize = 256;

/// Active indices of the ends of random walks.
fn samples<P: Learnable>(puzzle: &P, count: usize) -> Vec<u32> {
    let (goals, longest) = (puzzle.goal_states(), puzzle.depths().iter().max());
    let mut active = Vec::new();
    for number in 0..count as u64 {
        let mut rng = Rng::stream(0, number);
        let goal = rng.below(goals.len() as u64) as usize;
        let Some(&goal) = goals.get(goal) else {
            break;
        };
        let steps = rng.below(longest.copied().unwrap_or_default() + 1);
        let mut walk = Walk::new(puzzle, goal, Steps::NoReturn);
        walk.go(puzzle, steps, &mut rng);
        puzzle.active(&walk.state, &mut |index| active.push(index));
    }
    active
}

/// The network of a spec, ready to estimate.
struct OpenedNetwork<P: Puzzle> {
    net: Net,
    /// The parity to which its estimates are rounded.
    parity: Option<fn(&P::State) -> bool>,
    /// The instance as the network sees it.
    seen: P,
}

/// Reads the network of a spec.
///
/// # Errors
/// An unreadable file, a network for another puzzle, size or goal, or an option that the puzzle
/// does not support.
fn open<P: Goal + Learnable>(
    puzzle: &P,
    setup: &Setup<'_>,
) -> Result<OpenedNetwork<P>, SolveError> {
    let (bound, request) = (setup.given, setup.request);
    let config = NetConfig::read(bound);
    let (bytes, hash) = opened::<P>(setup, &config.file)?;
    setup.networks.borrow_mut().push(named(&config.file, &hash));
    let Networks { device, lockstep, .. } = request.networks;
    if config.precision != Precision::Single && device != Device::Cpu {
        let message = "bytes are computed only on the CPU: `--device` needs single precision";
        return Err(bound.error("precision", message).into());
    }
    let parity = if config.parity { puzzle.parity() } else { None };
    if config.parity && parity.is_none() {
        let message =
            "paths of this puzzle may be both even and odd: there is no parity to round to";
        return Err(bound.error("parity", message).into());
    }
    let key = EngineKey { hash, precision: config.precision, device, purpose: puzzle.purpose() };
    let of_puzzle = OfPuzzle {
        inputs: P::INPUTS,
        open_tables: &|input| seen_by(puzzle, input, setup.cache()).map(drop),
        images: &|input| puzzle.seen_by(input).images(),
        samples: &|input| samples(&puzzle.seen_by(input), SAMPLES),
    };
    let cached = engine(setup, key, &bytes, &of_puzzle)?;
    let seen = puzzle.seen_by(cached.input);
    let images = if config.mirror { seen.images() } else { Vec::new() };
    if config.mirror && images.is_empty() {
        return Err(bound.error("mirror", "this puzzle declares no symmetries").into());
    }
    let net = if lockstep {
        Net::in_lockstep(&cached.table)
    } else {
        Net::new(Arc::clone(cached.table.engine()))
    };
    let net = net.with_threads(request.threads).with_less(config.less as f32).with_images(images);
    if !net.engine().head().has_value() && config.mirror {
        let message = "the network has no value of states, and symmetric actions are not known";
        return Err(bound.error("mirror", message).into());
    }
    Ok(OpenedNetwork { net, parity, seen })
}

/// Error of a network with two states as input in a search that evaluates single states.
const PAIRS: &str =
    "the network compares states: `greedy(net(FILE), compare=pairs)` searches with it";

/// The network of a spec as estimates of states.
///
/// # Errors
/// Errors of [`open`], and a network that has no costs.
pub(crate) fn load<P: Goal + Learnable>(
    puzzle: &P,
    setup: &Setup<'_>,
) -> Result<ErasedHeuristic<P>, SolveError> {
    let refused = |why: &dyn std::fmt::Display| refused(setup, why);
    let OpenedNetwork { net, parity, seen } = open(puzzle, setup)?;
    let head = net.engine().head();
    if head == Head::Pair {
        return Err(refused(&PAIRS));
    }
    if !head.is_cost() {
        return Err(refused(
            &"a policy estimates no costs: `beam(net(FILE), choose=actions)` searches with it",
        ));
    }
    if head.has_value() {
        net.fits(&seen).map_err(|why| refused(&why))?;
        return Ok(ErasedHeuristic::Batch(rounded(net, parity, seen)));
    }
    let net = acting::<P>(net);
    net.fits(&seen).map_err(|why| refused(&why))?;
    Ok(ErasedHeuristic::Batch(rounded(net, parity, seen)))
}

/// The network of a spec as estimates of actions.
///
/// # Errors
/// Errors of [`open`], and a network without outputs of actions.
pub(crate) fn load_actions<P: Goal + Learnable>(
    puzzle: &P,
    setup: &Setup<'_>,
) -> Result<Box<dyn ActionValues<P>>, SolveError> {
    let OpenedNetwork { net, seen, .. } = open(puzzle, setup)?;
    if net.engine().head() == Head::Pair {
        return Err(refused(setup, &PAIRS));
    }
    let net = acting::<P>(net);
    net.fits(&seen).map_err(|why| refused(setup, &why))?;
    if const { P::INPUTS.len() > 1 } && seen.input() != 0 {
        return Ok(Box::new(SeenByInput { seen, net: OfActions(net) }));
    }
    Ok(Box::new(OfActions(net)))
}

/// The network of a spec as comparisons of states.
///
/// # Errors
/// Errors of [`open`], and a network that compares no states.
pub(crate) fn load_pairs<P: Goal + Learnable>(
    puzzle: &P,
    setup: &Setup<'_>,
) -> Result<Box<dyn Comparison<P>>, SolveError> {
    let OpenedNetwork { net, seen, .. } = open(puzzle, setup)?;
    if net.engine().head() != Head::Pair {
        return Err(refused(
            setup,
            &"the network compares no states: train one by a recipe with `outputs = \"pair\"`",
        ));
    }
    let pairs = OfPairs::new(net, seen);
    let both = pairs.both(&puzzle.initial_state(), &puzzle.initial_state());
    (pairs.net.engine().check(&both, 1)).map_err(|why| refused(setup, &why))?;
    Ok(Box::new(pairs))
}

/// An error of a network that does not fit the search or the puzzle.
pub(crate) fn refused(setup: &Setup<'_>, why: &dyn std::fmt::Display) -> SolveError {
    error_at_file(setup, why).into()
}

/// An error of a file that contains no valid network.
pub(crate) fn broken(setup: &Setup<'_>, why: &dyn std::fmt::Display) -> SolveError {
    error_at_file(setup, why).of_file().into()
}

fn error_at_file(setup: &Setup<'_>, why: &dyn std::fmt::Display) -> SpecError {
    let file = NetConfig::read(setup.given).file;
    setup.given.error("file", format!("{file}: {why}"))
}

/// A network with outputs of actions, with the numbers of the puzzle's legal actions.
pub(crate) fn acting<P: Learnable>(net: Net) -> Acting<Legal<P>> {
    Acting::new(net, |puzzle, state, sink| {
        for action in puzzle.actions(state) {
            sink(puzzle.action_number(action) as u32);
        }
    })
}

/// Calls a sink with the numbers of the legal actions of a state.
pub(crate) type Legal<P> = fn(&P, &<P as Puzzle>::State, &mut dyn FnMut(u32));

/// A network with outputs of actions, for searches that choose actions.
pub(crate) struct OfActions<P: Learnable>(pub(crate) Acting<Legal<P>>);

impl<P: Learnable> ActionValues<P> for OfActions<P> {
    fn actions(&self) -> usize {
        self.0.actions()
    }

    fn number(&self, puzzle: &P, _: &P::State, action: P::Action) -> usize {
        puzzle.action_number(action)
    }

    fn is_policy(&self) -> bool {
        !self.0.net().engine().head().is_cost()
    }

    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        // The network fits the puzzle, and so its rows: this branch is never taken.
        if self.0.action_values(rows, out).is_err() {
            out.fill(0.0);
        }
        if self.is_policy() {
            for (row, out) in rows.iter().zip(out.chunks_exact_mut(self.0.actions())) {
                unlikeliness(row, out);
            }
        }
    }

    fn preferred_batch(&self) -> usize {
        BatchHeuristic::<P>::preferred_batch(&self.0)
    }

    fn bytes(&self) -> u64 {
        BatchHeuristic::<P>::bytes(&self.0)
    }
}

/// A network that compares two states.
pub(crate) struct OfPairs<P> {
    net: Net,
    /// The instance, as the network sees it.
    seen: P,
}

impl<P: Learnable> OfPairs<P> {
    pub(crate) fn new(net: Net, seen: P) -> Self {
        Self { net, seen }
    }

    /// The active indices of two states, the second state behind the first.
    fn both(&self, state: &P::State, other: &P::State) -> Vec<u32> {
        let mut active = Vec::with_capacity(2 * self.seen.groups());
        self.seen.active(state, &mut |index| active.push(index));
        let inputs = self.seen.feature_len() as u32;
        self.seen.active(other, &mut |index| active.push(inputs + index));
        active
    }
}

impl<P: Learnable + Send + Sync> Comparison<P> for OfPairs<P> {
    fn is_nearer(&self, _: &P, state: &P::State, other: &P::State) -> bool {
        let (active, mut logits) = (self.both(state, other), [0.0; 2]);
        // The network fits the puzzle, and so its states: there is no error.
        let _ = (self.net.engine()).evaluate_all(&active, &mut logits, 1);
        logits[0] > logits[1]
    }

    fn bytes(&self) -> u64 {
        self.net.engine().bytes() as u64
    }
}

/// Converts the logits of a policy to −ln p: the softmax is over the legal actions of the state.
pub(super) fn unlikeliness<P: Learnable>(row: &Row<'_, P>, out: &mut [f32]) {
    let legal = (row.puzzle.actions(row.state)).map(|action| row.puzzle.action_number(action));
    let legal: Vec<f32> = legal.filter_map(|number| out.get(number).copied()).collect();
    let most = legal.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = legal.iter().map(|logit| (logit - most).exp()).sum();
    // Rounding may leave a certain action slightly below 0.
    out.iter_mut().for_each(|out| *out = (most + sum.ln() - *out).max(0.0));
}

/// Estimates of states by the network's input, rounded to a parity if there is one.
fn rounded<P: Goal + Learnable>(
    net: impl BatchHeuristic<P> + 'static,
    parity: Option<fn(&P::State) -> bool>,
    seen: P,
) -> Box<dyn BatchHeuristic<P>> {
    // Nothing is compiled for other inputs where there is only one.
    if const { P::INPUTS.len() > 1 } && seen.input() != 0 {
        return match parity {
            None => Box::new(SeenByInput { seen, net }),
            Some(is_odd) => Box::new(SeenByInput { seen, net: Rounded::new(net, is_odd) }),
        };
    }
    match parity {
        None => Box::new(net),
        Some(is_odd) => Box::new(Rounded::new(net, is_odd)),
    }
}

/// A network whose input differs from the input of the search's instance.
struct SeenByInput<P, N> {
    /// The search's instance with the network's input.
    seen: P,
    net: N,
}

impl<P: Puzzle, N> SeenByInput<P, N> {
    fn rows<'a>(&'a self, rows: &[Row<'a, P>]) -> Vec<Row<'a, P>> {
        let puzzle = &self.seen;
        rows.iter().map(|&Row { state, .. }| Row { puzzle, state }).collect()
    }
}

impl<P: Puzzle + Send + Sync, N: BatchHeuristic<P>> BatchHeuristic<P> for SeenByInput<P, N> {
    fn guarantee(&self) -> Guarantee {
        self.net.guarantee()
    }

    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        self.net.evaluate(&self.rows(rows), out);
    }

    fn evaluate_successors(
        &self,
        parents: &[Row<'_, P>],
        successors: &[Successor<P::Action>],
        out: &mut [f32],
    ) {
        let parents = self.rows(parents);
        self.net.evaluate_successors(&parents, successors, out);
    }

    fn preferred_batch(&self) -> usize {
        self.net.preferred_batch()
    }

    fn bytes(&self) -> u64 {
        self.net.bytes()
    }
}

impl<P: Puzzle + Send + Sync, N: ActionValues<P>> ActionValues<P> for SeenByInput<P, N> {
    fn actions(&self) -> usize {
        self.net.actions()
    }

    fn number(&self, puzzle: &P, state: &P::State, action: P::Action) -> usize {
        self.net.number(puzzle, state, action)
    }

    fn is_policy(&self) -> bool {
        self.net.is_policy()
    }

    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        self.net.evaluate(&self.rows(rows), out);
    }

    fn preferred_batch(&self) -> usize {
        self.net.preferred_batch()
    }

    fn bytes(&self) -> u64 {
        self.net.bytes()
    }
}

/// The error of an unreadable file.
pub(crate) fn missing(file: &str, models: Models, why: &std::io::Error) -> String {
    match &*model_names(models) {
        "" => format!("{file}: {why}"),
        names => format!("{file}: {why}; networks that are part of the program: {names}"),
    }
}

/// Engines of the networks that were used last, because many instances are solved with the same
/// one.
static ENGINES: Mutex<Vec<(EngineKey, CachedEngine)>> = Mutex::new(Vec::new());

/// Maximum number of cached engines.
const CACHED_ENGINES: usize = 4;

/// Cache key of a loaded engine.
#[derive(PartialEq)]
struct EngineKey {
    /// Hash of the file's bytes.
    hash: String,
    precision: Precision,
    device: Device,
    purpose: Purpose,
}

/// A loaded engine.
#[derive(Clone)]
struct CachedEngine {
    table: Arc<Lockstep>,
    /// Index of the input by which the network sees states.
    input: usize,
}

/// Facts of a puzzle that its engines need. Functions are given the index of an input.
struct OfPuzzle<'a> {
    /// Names of the inputs by which networks see states.
    inputs: &'a [&'a str],
    /// Opens the tables that an input reads.
    open_tables: &'a dyn Fn(usize) -> Result<(), TableError>,
    /// Symmetries.
    images: &'a dyn Fn(usize) -> Vec<Vec<u32>>,
    /// Sample states, on which the ranges of activations are measured.
    samples: &'a dyn Fn(usize) -> Vec<u32>,
}

/// The engine of a network, which several searches may share.
///
/// # Errors
/// A file that contains no valid network, or a network that does not fit the puzzle.
fn engine(
    setup: &Setup<'_>,
    key: EngineKey,
    bytes: &[u8],
    puzzle: &OfPuzzle<'_>,
) -> Result<CachedEngine, SolveError> {
    // The lock is held until the engine is made, so that other threads wait for it and share it.
    let mut engines = ENGINES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(index) = engines.iter().position(|(known, _)| *known == key) {
        // The engine used last comes first.
        engines[..=index].rotate_right(1);
        let cached = engines[0].1.clone();
        (puzzle.open_tables)(cached.input)?;
        return Ok(cached);
    }
    let model = Model::parse(bytes).map_err(|why| broken(setup, &why))?;
    let input = input_of(&model, &key, puzzle).map_err(|why| refused(setup, &why))?;
    (puzzle.open_tables)(input)?;
    let cached = prepared(model, input, &key, puzzle).map_err(|why| refused(setup, &why))?;
    engines.truncate(CACHED_ENGINES - 1);
    engines.insert(0, (key, cached.clone()));
    Ok(cached)
}

/// Index of the input of a network, which must have the purpose of the key.
fn input_of(model: &Model, key: &EngineKey, puzzle: &OfPuzzle<'_>) -> Result<usize, ModelError> {
    let Purpose { puzzle: name, size, goal } = &key.purpose;
    model.expect(name, size, goal)?;
    model.header.input_among(puzzle.inputs)
}

/// A new engine of a network that sees states by an input.
fn prepared(
    model: Model,
    input: usize,
    key: &EngineKey,
    puzzle: &OfPuzzle<'_>,
) -> Result<CachedEngine, ModelError> {
    let model = model.with_units(|| (puzzle.images)(input))?;
    let ranges = || match Ranges::of(&model) {
        Some(ranges) => Ok(ranges),
        None => Int8::calibrate(&model, &(puzzle.samples)(input)),
    };
    let engine = match key.precision {
        Precision::Single => key.device.engine(&model)?,
        Precision::Bytes => Int8::new(&model, &ranges()?)?.into(),
        Precision::Short => Int8::short(&model, &ranges()?)?.into(),
    };
    Ok(CachedEngine { table: Lockstep::new(engine), input })
}
