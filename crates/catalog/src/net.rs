//! Networks as heuristics: `net(FILE)`.

use crate::{
    family::{Models, networks},
    heuristic::{Estimator, Setup},
    instance::{Networks, SolveError},
    spec::{Arg, Spec, Value},
};
use std::{
    borrow::Cow,
    sync::{Arc, Mutex, PoisonError},
};
use unriddle_core::{Features, GoalPuzzle, Info, Options, Role, options, words};
use unriddle_neural::{
    Device, Engine, Int8, Lockstep, Model, ModelError, Net, Ranges, Rounded, content_hash,
};

/// Name of the heuristic.
pub const NAME: &str = "net";

/// Owner of the options. A puzzle declares the heuristic under the same name, with what its networks
/// require.
const OF: Info = Info {
    name: NAME,
    role: Role::Heuristic,
    version: 1,
    summary: "",
    guarantee: "",
    requires: "",
    reference: "",
    parameters: NetConfig::PARAMETERS,
};

options! {
    /// How a network estimates.
    pub struct NetConfig of OF {
        file: String = "model.safetensors", positional,
            "the network's file, or the name of one that comes with the program";
        numbers: Numbers = "single",
            "number format of the computation: single precision, or bytes with the same estimates on every machine";
        parity: bool = "off",
            "whether estimates are rounded to what the distance can be: even or odd, as the state's parity says";
        mirror: bool = "off",
            "whether the mirror image is estimated, too, and the mean is taken: errors get smaller, and it takes twice as long";
        less: f64 = "0" in 0.0..=100.0,
            "subtracted from every estimate, before it is rounded: solutions of best-first searches are optimal more often, and take longer";
    }
}

words! {
    /// The number format in which a network is computed.
    pub enum Numbers {
        /// Single precision.
        Single = "single",
        /// Bytes, with the same estimates on every machine.
        Bytes = "bytes",
    }
}

/// The bytes of a network that comes with the puzzle, or of a file.
fn bytes_of(models: Models, file: &str) -> std::io::Result<Cow<'static, [u8]>> {
    match models.iter().find(|(name, _)| *name == file) {
        Some((_, bytes)) => Ok(Cow::Borrowed(*bytes)),
        None => std::fs::read(file).map(Cow::Owned),
    }
}

/// The text by which records name a network.
fn named(file: &str, hash: &str) -> String {
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
    if let (true, Some(arg)) = (
        spec.name() == NAME,
        spec.args().iter().find(|arg| given(arg)),
    ) {
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

/// What a network needs to know of a puzzle.
pub struct Inputs<S, F> {
    /// Networks that come with the puzzle.
    pub models: Models,
    /// The puzzle, its size and goal.
    pub of: (&'static str, String, &'static str),
    /// Whether the distance of a state is odd.
    pub is_odd: fn(&S) -> bool,
    /// Active indices of the given number of states.
    pub samples: F,
    /// For each index of the input the index that replaces it in the mirror image.
    pub mirror: fn() -> Vec<u32>,
}

/// Reads the network of an expression.
///
/// # Errors
/// The file, or a network of another puzzle, size or goal.
pub fn load<P: GoalPuzzle + Features>(
    setup: &Setup<'_>,
    inputs: &Inputs<P::State, impl Fn(usize) -> Vec<u32>>,
) -> Result<Estimator<P>, SolveError> {
    let (bound, request) = (setup.given, setup.request);
    let config = NetConfig::read(bound);
    let file = &*config.file;
    let refused = |why: &dyn std::fmt::Display| bound.error("file", format!("{file}: {why}"));
    let bytes = bytes_of(inputs.models, file).map_err(|why| missing(file, inputs.models, &why));
    let bytes = bytes.map_err(|why| bound.error("file", why))?;
    // The hash is that of the bytes that are used, even if the file changes later.
    let hash = content_hash(&bytes);
    setup.networks.borrow_mut().push(named(file, &hash));
    let in_bytes = config.numbers == Numbers::Bytes;
    let Networks { device, lockstep } = request.networks;
    if in_bytes && device != Device::Cpu {
        let message =
            "bytes are computed on the processor alone: `--device` takes single precision";
        return Err(bound.error("numbers", message.to_owned()).into());
    }
    let table = engine((&bytes, hash), (in_bytes, device), inputs).map_err(|why| refused(&why))?;
    let net = match lockstep {
        true => Net::in_lockstep(&table),
        false => Net::new(Arc::clone(table.engine())),
    };
    let net = net
        .with_threads(request.threads)
        .with_less(config.less as f32);
    let net = match config.mirror {
        true => net.with_mirror((inputs.mirror)()),
        false => net,
    };
    Ok(Estimator::Batch(match config.parity {
        true => Box::new(Rounded::new(net, inputs.is_odd)),
        false => Box::new(net),
    }))
}

/// The error about a file that cannot be read.
fn missing(file: &str, models: Models, why: &std::io::Error) -> String {
    match &*networks(models) {
        "" => format!("{file}: {why}"),
        names => format!("{file}: {why}; networks that come with the program: {names}"),
    }
}

/// The networks that were used last, ready to compute, as many instances are solved with the same one.
static READY: Mutex<Vec<(Ready, Arc<Lockstep>)>> = Mutex::new(Vec::new());

/// Most networks that are kept ready.
const KEPT: usize = 4;

/// The key of a network that is ready: the file's hash, the number format, the device, and the options.
type Ready = (String, (bool, Device), (&'static str, String, &'static str));

/// The engine of a file, which several searches may share.
fn engine<S>(
    (bytes, hash): (&[u8], String),
    (in_bytes, device): (bool, Device),
    inputs: &Inputs<S, impl Fn(usize) -> Vec<u32>>,
) -> Result<Arc<Lockstep>, ModelError> {
    let key: Ready = (hash, (in_bytes, device), inputs.of.clone());
    // The lock is held until the network is made, so that other threads wait for it and share it.
    let mut ready = READY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(place) = ready.iter().position(|(known, _)| *known == key) {
        // The one used last comes first.
        ready[..=place].rotate_right(1);
        return Ok(Arc::clone(&ready[0].1));
    }
    let (puzzle, size, goal) = &inputs.of;
    let model = Model::parse(bytes)?;
    model.expect(puzzle, size, goal)?;
    let engine = match in_bytes {
        false => device.engine(&model)?,
        true => {
            let ranges = match Ranges::of(&model) {
                Some(ranges) => ranges,
                None => Int8::calibrate(&model, &(inputs.samples)(SAMPLES))?,
            };
            Engine::Int8(Int8::new(&model, &ranges)?)
        }
    };
    let table = Lockstep::new(Arc::new(engine));
    ready.truncate(KEPT - 1);
    ready.insert(0, (key, Arc::clone(&table)));
    Ok(table)
}
