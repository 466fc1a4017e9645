//! Networks as heuristics: `net(FILE)`.

use crate::{
    Goal,
    family::{Models, networks},
    heuristic::{ErasedHeuristic, Setup},
    instance::{Networks, SolveError},
    listed::{Costs, DeclaredPuzzle},
    spec::{Arg, Spec, Value},
};
use std::{
    borrow::Cow,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};
use unriddle_core::{
    BatchHeuristic, Guarantee, Info, Learnable, Options, Purpose, Puzzle, Rng, Role, Row, Steps,
    Successor, Walk, options, words,
};
use unriddle_neural::{
    Acting, Device, Engine, Head, Int8, Lockstep, Model, ModelError, Net, Ranges, Rounded,
    content_hash,
};
use unriddle_search::{pairwise::Comparison, qbeam::ActionValues};

/// Name of the heuristic.
pub const NAME: &str = "net";

/// What `describe net` shows.
pub const INFO: Info = Info {
    name: NAME,
    role: Role::Heuristic,
    version: 1,
    summary: "a cost-to-go network that was trained for the puzzle and its size",
    guarantee: "none: it may overestimate",
    requires: "a search that estimates many states at a time: astar, greedy, bwas, beam, staged; a puzzle with inputs of networks",
    reference: "Cahlík and Surynek 2019, On the Design of a Heuristic based on Artificial Neural Networks for the Near Optimal \
                Solving of the (N²–1)-puzzle; Agostinelli et al. 2019",
    parameters: NetConfig::PARAMETERS,
};

options! {
    /// How a network estimates.
    pub struct NetConfig of INFO {
        file: String = "model.safetensors", positional,
            "the network's file, or the name of one that comes with the program or lies as NAME.safetensors in the folder `models` beside it";
        precision was "numbers": Precision = "single",
            "precision of the computation: single, bytes or short",
            "`single` computes in f32, `bytes` in 8 bits with the same result on every machine, `short` in 8 bits with 16-bit integer sums in the first layer (fastest for incremental evaluation)";
        parity: bool = "off",
            "whether estimates are rounded to what the distance can be: even or odd, as the state's parity says";
        mirror: bool = "off",
            "whether the images of a state under the puzzle's symmetries are estimated, too, and the mean is taken: errors get smaller, and it takes as many times as long";
        less: f64 = "0" in 0.0..=100.0,
            "subtracted from every estimate, before it is rounded: solutions of best-first searches are optimal more often, and take longer";
    }
}

words! {
    /// Precision in which a network is computed.
    pub enum Precision {
        /// Single precision.
        Single = "single",
        /// Bytes, with the same estimates on every machine.
        Bytes = "bytes",
        /// Bytes after a first layer in whole eighths of their steps.
        Short = "short",
    }
}

/// The bytes of a network that is in the program, of the one of that name beside it, or of a file.
pub(crate) fn bytes_of(models: Models, file: &str) -> std::io::Result<Cow<'static, [u8]>> {
    if let Some((_, bytes)) = models.iter().find(|(name, _)| *name == file) {
        return Ok(Cow::Borrowed(*bytes));
    }
    let read = std::fs::read(file);
    match (&read, beside(file)) {
        (Err(_), Some(path)) => std::fs::read(path).or(read),
        _ => read,
    }
    .map(Cow::Owned)
}

/// The file of a name in the folder `models` beside the program.
fn beside(name: &str) -> Option<PathBuf> {
    let is_name = !name.contains(['/', '\\', '.']);
    let program = std::env::current_exe().ok().filter(|_| is_name)?;
    Some(program.parent()?.join(format!("models/{name}.safetensors")))
}

/// The text by which records name a network.
pub(crate) fn named(file: &str, hash: &str) -> String {
    format!("{file} {hash}")
}

/// The networks of a solver, each as its file and the present hash of the file's bytes, such as
/// `tiles15 0a1b…`; `None` without any. `models` are those that come with the puzzle. A file that
/// cannot be read has `unreadable` for its hash. The hash is there because the same name may stand for
/// another network later.
#[must_use]
pub fn networks_of(models: Models, solver: &str) -> Option<String> {
    let mut found = Vec::new();
    collect(models, &Spec::parse(solver).ok()?, &mut found);
    (!found.is_empty()).then(|| found.join(", "))
}

fn collect(models: Models, spec: &Spec, found: &mut Vec<String>) {
    let given = |arg: &Arg| arg.name.as_deref().is_none_or(|name| name == "file");
    if let (true, Some(arg)) = (spec.name() == NAME, spec.args().iter().find(|arg| given(arg))) {
        let file = match &arg.value {
            Value::Expr(word) => word.name(),
            Value::Text(text) => text,
            _ => return,
        };
        let bytes = bytes_of(models, file);
        let hash = bytes.map_or("unreadable".to_owned(), |bytes| content_hash(&bytes));
        found.push(named(file, &hash));
    }
    for arg in spec.args() {
        if let Value::Expr(part) = &arg.value {
            collect(models, part, found);
        }
    }
}

/// Number of states on which the ranges of activations are measured, if the file does not have them.
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

/// A network of an expression.
struct Opened<P: Puzzle> {
    net: Net,
    /// The parity to which its estimates are rounded.
    parity: Option<fn(&P::State) -> bool>,
    /// The instance as the network sees it.
    seen: P,
}

/// Reads the network of an expression.
///
/// # Errors
/// The file, or a network of another puzzle, size or goal, or an option that the puzzle has nothing for.
fn open<P: Goal + Learnable>(puzzle: &P, setup: &Setup<'_>) -> Result<Opened<P>, SolveError> {
    let (bound, request) = (setup.given, setup.request);
    let models = <P as DeclaredPuzzle<Costs>>::models();
    let config = NetConfig::read(bound);
    let file = &*config.file;
    let bytes = bytes_of(models, file).map_err(|why| missing(file, models, &why));
    let bytes = bytes.map_err(|why| bound.error("file", why))?;
    // The hash is that of the bytes that are used, even if the file changes later.
    let hash = content_hash(&bytes);
    setup.networks.borrow_mut().push(named(file, &hash));
    let precision = config.precision;
    let Networks { device, lockstep } = request.networks;
    if precision != Precision::Single && device != Device::Cpu {
        let message = "bytes are computed on the CPU alone: `--device` takes single precision";
        return Err(bound.error("precision", message.to_owned()).into());
    }
    let parity = match (config.parity, puzzle.parity()) {
        (false, _) => None,
        (true, Some(is_odd)) => Some(is_odd),
        (true, None) => {
            let message =
                "paths of this puzzle may be both even and odd: there is no parity to round to";
            return Err(bound.error("parity", message.to_owned()).into());
        }
    };
    let of = puzzle.purpose();
    let ready = engine(
        (&bytes, hash),
        (precision, device),
        (of, P::INPUTS),
        |input| samples(&puzzle.seen_by(input), SAMPLES),
        |input| puzzle.seen_by(input).images(),
    );
    let (table, input) = ready.map_err(|why| refused(setup, &why))?;
    let seen = puzzle.seen_by(input);
    let images = match config.mirror {
        true => seen.images(),
        false => Vec::new(),
    };
    if config.mirror && images.is_empty() {
        let message = "this puzzle declares no symmetries";
        return Err(bound.error("mirror", message.to_owned()).into());
    }
    let net = match lockstep {
        true => Net::in_lockstep(&table),
        false => Net::new(Arc::clone(table.engine())),
    };
    let net = net.with_threads(request.threads).with_less(config.less as f32).with_images(images);
    if !net.engine().head().has_value() && config.mirror {
        let message = "the network has no value of states, and images of actions are not known";
        return Err(bound.error("mirror", message.to_owned()).into());
    }
    Ok(Opened { net, parity, seen })
}

/// Why a network that sees two states is no use to a search that shows it one.
const PAIRS: &str =
    "the network compares states: `greedy(net(FILE), compare=pairs)` searches with it";

/// The network of an expression as estimates of states.
///
/// # Errors
/// As [`open`], and a network that has no costs.
pub(crate) fn load<P: Goal + Learnable>(
    puzzle: &P,
    setup: &Setup<'_>,
) -> Result<ErasedHeuristic<P>, SolveError> {
    let refused = |why: &dyn std::fmt::Display| refused(setup, why);
    let Opened { net, parity, seen } = open(puzzle, setup)?;
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

/// The network of an expression as estimates of actions.
///
/// # Errors
/// As [`open`], and a network that says nothing of actions.
pub(crate) fn load_actions<P: Goal + Learnable>(
    puzzle: &P,
    setup: &Setup<'_>,
) -> Result<Box<dyn ActionValues<P>>, SolveError> {
    let Opened { net, seen, .. } = open(puzzle, setup)?;
    if net.engine().head() == Head::Pair {
        return Err(refused(setup, &PAIRS));
    }
    let net = acting::<P>(net);
    net.fits(&seen).map_err(|why| refused(setup, &why))?;
    Ok(match seen.input() {
        0 => Box::new(OfActions(net)),
        _ => Box::new(Seen { seen, net: OfActions(net) }),
    })
}

/// The network of an expression as comparisons of states.
///
/// # Errors
/// As [`open`], and a network that compares no states.
pub(crate) fn load_pairs<P: Goal + Learnable>(
    puzzle: &P,
    setup: &Setup<'_>,
) -> Result<Box<dyn Comparison<P>>, SolveError> {
    let Opened { net, seen, .. } = open(puzzle, setup)?;
    if net.engine().head() != Head::Pair {
        return Err(refused(
            setup,
            &"the network compares no states: a recipe with `outputs = \"pair\"` makes one that does",
        ));
    }
    let pairs = OfPairs::new(net, seen);
    let both = pairs.both(&puzzle.initial_state(), &puzzle.initial_state());
    (pairs.net.engine().check(&both, 1)).map_err(|why| refused(setup, &why))?;
    Ok(Box::new(pairs))
}

/// An error of the network's file.
pub(crate) fn refused(setup: &Setup<'_>, why: &dyn std::fmt::Display) -> SolveError {
    let file = NetConfig::read(setup.given).file;
    (setup.given.error("file", format!("{file}: {why}"))).into()
}

/// A network of actions with the numbers of the puzzle's legal actions.
pub(crate) fn acting<P: Learnable>(net: Net) -> Acting<Legal<P>> {
    Acting::new(net, |puzzle, state, sink| {
        for action in puzzle.actions(state) {
            sink(puzzle.action_number(action) as u32);
        }
    })
}

/// Calls a sink with the numbers of the legal actions of a state.
pub(crate) type Legal<P> = fn(&P, &<P as Puzzle>::State, &mut dyn FnMut(u32));

/// A network of actions, for searches that choose among them.
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
        // Rows of a puzzle that the network fits always do.
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

/// A network that sees two states.
pub(crate) struct OfPairs<P> {
    net: Net,
    /// The instance, as the network sees it.
    seen: P,
}

impl<P: Learnable> OfPairs<P> {
    pub(crate) fn new(net: Net, seen: P) -> Self {
        Self { net, seen }
    }

    /// The active indices of two states beside each other.
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
        // States of a puzzle that the network fits always do.
        let _ = (self.net.engine()).evaluate_all(&active, &mut logits, 1);
        logits[0] > logits[1]
    }

    fn bytes(&self) -> u64 {
        self.net.engine().bytes() as u64
    }
}

/// Makes −ln p of the logits of a policy: the softmax is over the legal actions of the state.
fn unlikeliness<P: Learnable>(row: &Row<'_, P>, out: &mut [f32]) {
    let legal = (row.puzzle.actions(row.state)).map(|action| row.puzzle.action_number(action));
    let legal: Vec<f32> = legal.filter_map(|number| out.get(number).copied()).collect();
    let most = legal.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = legal.iter().map(|logit| (logit - most).exp()).sum();
    // Rounding may leave a certain action a little below 0.
    out.iter_mut().for_each(|out| *out = (most + sum.ln() - *out).max(0.0));
}

/// Estimates of states as an instance that is seen by its own input shows them, rounded to a parity if there is one.
fn rounded<P: Goal + Learnable>(
    net: impl BatchHeuristic<P> + 'static,
    parity: Option<fn(&P::State) -> bool>,
    seen: P,
) -> Box<dyn BatchHeuristic<P>> {
    match (seen.input(), parity) {
        (0, None) => Box::new(net),
        (0, Some(is_odd)) => Box::new(Rounded::new(net, is_odd)),
        (_, None) => Box::new(Seen { seen, net }),
        (_, Some(is_odd)) => {
            let net = Rounded::new(net, is_odd);
            Box::new(Seen { seen, net })
        }
    }
}

/// A network that sees states by another input than the one by which the search's instance is seen.
struct Seen<P, N> {
    /// The search's instance, seen as the network sees it.
    seen: P,
    net: N,
}

impl<P: Puzzle, N> Seen<P, N> {
    fn rows<'a>(&'a self, rows: &[Row<'a, P>]) -> Vec<Row<'a, P>> {
        let puzzle = &self.seen;
        rows.iter().map(|&Row { state, .. }| Row { puzzle, state }).collect()
    }
}

impl<P: Puzzle + Send + Sync, N: BatchHeuristic<P>> BatchHeuristic<P> for Seen<P, N> {
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

impl<P: Puzzle + Send + Sync, N: ActionValues<P>> ActionValues<P> for Seen<P, N> {
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

/// The error about a file that cannot be read.
pub(crate) fn missing(file: &str, models: Models, why: &std::io::Error) -> String {
    match &*networks(models) {
        "" => format!("{file}: {why}"),
        names => format!("{file}: {why}; networks that come with the program: {names}"),
    }
}

/// The networks that were used last, ready to compute, as many instances are solved with the same one.
static READY: Mutex<Vec<(Ready, Found)>> = Mutex::new(Vec::new());

/// Most networks that are kept ready.
const KEPT: usize = 4;

/// The key of a network that is ready: the file's hash, the number format, the device, and the options.
type Ready = (String, (Precision, Device), Purpose);

/// An engine, and the number of the input by which it sees states.
type Found = (Arc<Lockstep>, usize);

/// The engine of a file, which several searches may share. `inputs` are the names of the puzzle's, by whose number it is asked for samples of
/// states and for their images.
fn engine(
    (bytes, hash): (&[u8], String),
    (precision, device): (Precision, Device),
    (of, inputs): (Purpose, &[&str]),
    samples: impl Fn(usize) -> Vec<u32>,
    images: impl Fn(usize) -> Vec<Vec<u32>>,
) -> Result<Found, ModelError> {
    let key: Ready = (hash, (precision, device), of);
    // The lock is held until the network is made, so that other threads wait for it and share it.
    let mut ready = READY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(place) = ready.iter().position(|(known, _)| *known == key) {
        // The one used last comes first.
        ready[..=place].rotate_right(1);
        return Ok(ready[0].1.clone());
    }
    let model = Model::parse(bytes)?;
    let (_, _, Purpose { puzzle, size, goal }) = &key;
    model.expect(puzzle, size, goal)?;
    let input = model.header.input_among(inputs)?;
    let model = model.with_units(|| images(input))?;
    let ranges = || match Ranges::of(&model) {
        Some(ranges) => Ok(ranges),
        None => Int8::calibrate(&model, &samples(input)),
    };
    let engine = match precision {
        Precision::Single => device.engine(&model)?,
        Precision::Bytes => Engine::Int8(Int8::new(&model, &ranges()?)?),
        Precision::Short => Engine::Int8(Int8::short(&model, &ranges()?)?),
    };
    let found = (Lockstep::new(Arc::new(engine)), input);
    ready.truncate(KEPT - 1);
    ready.insert(0, (key, found.clone()));
    Ok(found)
}
