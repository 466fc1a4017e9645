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

/// What the options belong to; a puzzle declares the heuristic with what its networks require.
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
            "what it is computed in: single precision, or bytes with the same estimates on every machine";
        parity: bool = "off",
            "whether estimates are rounded to what the distance can be: even or odd, as the state's parity says";
        mirror: bool = "off",
            "whether the mirror image is estimated, too, and the mean is taken: errors get smaller, and it takes twice as long";
        less: f64 = "0" in 0.0..=100.0,
            "subtracted from every estimate, before it is rounded: solutions of best-first searches are optimal more often, and take longer";
    }
}

words! {
    /// What a network is computed in.
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

/// A network as records name it.
fn named(file: &str, hash: &str) -> String {
    format!("{file} {hash}")
}

/// The networks of a solver of a puzzle with these models, each as its file and the hash of the file's bytes as they are now, such as
/// `tiles15 0a1b…`; `None` without any. What cannot be read is called `unreadable`. A name may stand for another network tomorrow:
/// what is computed is known by the hash.
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

/// The states that show which activations there are, where the file of a network in bytes does not say.
const SAMPLES: usize = 256;

/// What a puzzle says of its states to a network.
pub struct Inputs<S, F> {
    /// Networks that come with the puzzle.
    pub models: Models,
    /// The puzzle, its size and goal.
    pub of: (&'static str, String, &'static str),
    /// Whether the distance of a state is odd.
    pub is_odd: fn(&S) -> bool,
    /// Active indices of the given number of states.
    pub samples: F,
    /// For each index of the input which one stands for the same in the mirror image.
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
    // Of the bytes that are about to play, whatever the file holds later.
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

/// What is said of a file that cannot be read.
fn missing(file: &str, models: Models, why: &std::io::Error) -> String {
    match &*networks(models) {
        "" => format!("{file}: {why}"),
        names => format!("{file}: {why}; networks that come with the program: {names}"),
    }
}

/// Networks that were used last, ready to compute: many instances are solved with one.
static READY: Mutex<Vec<(Ready, Arc<Lockstep>)>> = Mutex::new(Vec::new());

/// How many of them are kept.
const KEPT: usize = 4;

/// What a network that is ready is known by: the file's hash, whether it computes in bytes and where, and what it was asked for.
type Ready = (String, (bool, Device), (&'static str, String, &'static str));

/// The engine of a file, which several searches may share.
fn engine<S>(
    (bytes, hash): (&[u8], String),
    (in_bytes, device): (bool, Device),
    inputs: &Inputs<S, impl Fn(usize) -> Vec<u32>>,
) -> Result<Arc<Lockstep>, ModelError> {
    let key: Ready = (hash, (in_bytes, device), inputs.of.clone());
    // Held until the network is there: whoever needs it at the same time is to find this one.
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
