//! Networks as heuristics: `net(FILE)`.

use crate::{
    bind::Bound,
    instance::{Networks, Request, SolveError},
    spec::{Arg, Spec, Value},
};
use std::{
    borrow::Cow,
    sync::{Arc, Mutex, PoisonError},
};
use unriddle_core::{BatchHeuristic, Domain, Features, GoalPuzzle, Info, Parameter, Role};
use unriddle_neural::{
    Device, Engine, Int8, Lockstep, Model, ModelError, Net, Ranges, Rounded, content_hash,
};

/// What `describe net` shows.
pub(crate) const INFO: Info = Info {
    name: "net",
    role: Role::Heuristic,
    version: 1,
    summary: "a cost-to-go network that was trained for the puzzle and its size",
    guarantee: "none: it may overestimate",
    requires: "a search that estimates many states at a time: astar, greedy, bwas, beam; blank last",
    reference: "Cahlík and Surynek 2019, On the Design of a Heuristic based on Artificial Neural Networks for the Near Optimal \
                Solving of the (N²–1)-puzzle; Agostinelli et al. 2019",
    parameters: &[
        Parameter::positional(
            "file",
            Domain::Text,
            "model.safetensors",
            "the network's file, or one that comes with the program: tiles8, tiles15, tiles15-narrow, tiles24, tiles35, tiles48",
        ),
        Parameter::named(
            "numbers",
            Domain::Choice(&["single", "bytes"]),
            "single",
            "what it is computed in: single precision, or bytes with the same estimates on every machine",
        ),
        Parameter::named(
            "parity",
            Domain::Choice(&["off", "on"]),
            "off",
            "whether estimates are rounded to what the distance can be: even or odd, as the Manhattan distance is",
        ),
        Parameter::named(
            "mirror",
            Domain::Choice(&["off", "on"]),
            "off",
            "whether the mirror image is estimated, too, and the mean is taken: errors get smaller, and it takes twice as long",
        ),
        Parameter::named(
            "less",
            Domain::Real {
                min: 0.0,
                max: 100.0,
            },
            "0",
            "subtracted from every estimate, before it is rounded: solutions of best-first searches are optimal more often, and take longer",
        ),
    ],
};

/// Networks that come with the program, by name.
const MODELS: [(&str, &[u8]); 6] = [
    (
        "tiles8",
        include_bytes!("../../../models/tiles8.safetensors"),
    ),
    (
        "tiles15",
        include_bytes!("../../../models/tiles15.safetensors"),
    ),
    (
        "tiles15-narrow",
        include_bytes!("../../../models/tiles15-narrow.safetensors"),
    ),
    (
        "tiles24",
        include_bytes!("../../../models/tiles24.safetensors"),
    ),
    (
        "tiles35",
        include_bytes!("../../../models/tiles35.safetensors"),
    ),
    (
        "tiles48",
        include_bytes!("../../../models/tiles48.safetensors"),
    ),
];

/// The bytes of a network that comes with the program, or of a file.
fn bytes_of(file: &str) -> std::io::Result<Cow<'static, [u8]>> {
    match MODELS.iter().find(|(name, _)| *name == file) {
        Some((_, bytes)) => Ok(Cow::Borrowed(*bytes)),
        None => std::fs::read(file).map(Cow::Owned),
    }
}

/// The networks of a solver, each as its file and the hash of the file's bytes, such as `tiles15 0a1b…`; `None` without any.
/// What can no longer be read is called `unreadable`. A name may stand for another network tomorrow: what was computed is known
/// by the hash.
#[must_use]
pub fn networks_of(solver: &str) -> Option<String> {
    let mut found = Vec::new();
    collect(&Spec::parse(solver).ok()?, &mut found);
    (!found.is_empty()).then(|| found.join(", "))
}

fn collect(spec: &Spec, found: &mut Vec<String>) {
    let given = |arg: &Arg| arg.name.as_deref().is_none_or(|name| name == "file");
    if let (true, Some(arg)) = (
        spec.name() == INFO.name,
        spec.args().iter().find(|arg| given(arg)),
    ) {
        let file = match &arg.value {
            Value::Expr(word) => word.name(),
            Value::Text(text) => text,
            _ => return,
        };
        let hash = bytes_of(file).map_or("unreadable".to_owned(), |bytes| content_hash(&bytes));
        found.push(format!("{file} {hash}"));
    }
    for arg in spec.args() {
        if let Value::Expr(part) = &arg.value {
            collect(part, found);
        }
    }
}

/// The states that show which activations there are, where the file of a network in bytes does not say.
const SAMPLES: usize = 256;

/// What a puzzle says of its states to a network.
pub(crate) struct Inputs<S, F> {
    /// The puzzle, its size and goal.
    pub of: (&'static str, String, &'static str),
    /// Whether the distance of a state is odd.
    pub is_odd: fn(&S) -> bool,
    /// Active indices of so many states.
    pub samples: F,
    /// For each index of the input which one stands for the same in the mirror image.
    pub mirror: fn() -> Vec<u32>,
}

/// Reads the network of an expression.
///
/// # Errors
/// The file, or a network of another puzzle, size or goal.
pub(crate) fn load<P: GoalPuzzle + Features>(
    bound: &Bound<'_>,
    request: &Request<'_>,
    inputs: &Inputs<P::State, impl Fn(usize) -> Vec<u32>>,
) -> Result<Box<dyn BatchHeuristic<P>>, SolveError> {
    let file = bound.text("file");
    let refused = |why: &dyn std::fmt::Display| bound.error("file", format!("{file}: {why}"));
    let bytes = bytes_of(file).map_err(|why| refused(&why))?;
    let in_bytes = bound.choice("numbers") == "bytes";
    let Networks { device, lockstep } = request.networks;
    if in_bytes && device != Device::Cpu {
        let message =
            "bytes are computed on the processor alone: `--device` takes single precision";
        return Err(bound.error("numbers", message.to_owned()).into());
    }
    let table = engine(&bytes, (in_bytes, device), inputs).map_err(|why| refused(&why))?;
    let net = match lockstep {
        true => Net::in_lockstep(&table),
        false => Net::new(Arc::clone(table.engine())),
    };
    let net = net
        .with_threads(request.threads)
        .with_less(bound.real("less") as f32);
    let net = match bound.choice("mirror") {
        "on" => net.with_mirror((inputs.mirror)()),
        _ => net,
    };
    Ok(match bound.choice("parity") {
        "on" => Box::new(Rounded::new(net, inputs.is_odd)),
        _ => Box::new(net),
    })
}

/// Networks that were used last, ready to compute: many instances are solved with one.
static READY: Mutex<Vec<(Ready, Arc<Lockstep>)>> = Mutex::new(Vec::new());

/// So many of them are kept.
const KEPT: usize = 4;

/// What a network that is ready is known by: the file's hash, whether it computes in bytes and where, and what it was asked for.
type Ready = (String, (bool, Device), (&'static str, String, &'static str));

/// The engine of a file, which several searches may share.
fn engine<S>(
    bytes: &[u8],
    (in_bytes, device): (bool, Device),
    inputs: &Inputs<S, impl Fn(usize) -> Vec<u32>>,
) -> Result<Arc<Lockstep>, ModelError> {
    let key: Ready = (content_hash(bytes), (in_bytes, device), inputs.of.clone());
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
