//! Beams from both ends that lie on a GPU as a whole (feature `cuda`).

use crate::{
    Goal,
    family::Models,
    heuristic::Setup,
    instance::SolveError,
    listed::{Costs, DeclaredPuzzle},
    net::{NetConfig, Precision, bytes_of, missing, named, refused},
};
use std::sync::{Arc, Mutex, PoisonError};
use unriddle_core::{Cost, Ends, Learnable, Options, Purpose, Search, SearchError};
use unriddle_gpu::{Gpu, GpuBeam, GpuConfig, GpuNetwork, TransitionTables};
use unriddle_neural::{Model, content_hash};
use unriddle_search::beam::BeamConfig;

/// A beam of a width, which seeks what costs less than a bound.
pub(crate) type OnGpu<'p, A> =
    Box<dyn Fn(BeamConfig, Option<Cost>) -> Result<Beam<'p, A>, SearchError> + 'p>;

type Beam<'p, A> = Box<dyn Search<Action = A> + 'p>;

/// The GPU as it was used last.
struct Used {
    /// The hash of the network.
    hash: String,
    purpose: Purpose,
    /// Bytes of distances near the goal.
    near: u64,
    gpu: Arc<Gpu>,
}

static USED: Mutex<Option<Used>> = Mutex::new(None);

/// The network of an expression and its puzzle on a GPU, with exact distances near the goal in `goal_table` bytes; `None` where the GPU only
/// estimates: with options that change estimates, other networks than small ones, and puzzles that are no pieces at places.
///
/// # Errors
/// A network that is not there or is of another puzzle, and a GPU that fails.
pub(crate) fn load<'p, P: Goal + Learnable>(
    puzzle: &'p P,
    (ends, near): (Ends<P>, u64),
    setup: &Setup<'_>,
) -> Result<Option<OnGpu<'p, P::Action>>, SolveError> {
    let config = NetConfig::read(setup.given);
    let is_plain = config.precision == Precision::Single && config.less == 0.0;
    if !is_plain || config.parity || config.mirror || setup.request.networks.lockstep {
        return Ok(None);
    }
    let models: Models = <P as DeclaredPuzzle<Costs>>::models();
    let file = &*config.file;
    let bytes = bytes_of(models, file).map_err(|why| missing(file, models, &why));
    let bytes = bytes.map_err(|why| setup.given.error("file", why))?;
    let (hash, purpose) = (content_hash(&bytes), puzzle.purpose());
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = (used.as_ref())
        .filter(|used| (&used.hash, &used.purpose, used.near) == (&hash, &purpose, near))
        .map(|used| Arc::clone(&used.gpu));
    let gpu = match known {
        Some(gpu) => gpu,
        None => {
            // What another network has there is given back first.
            *used = None;
            let Some(gpu) = take(puzzle, &ends, near, (&bytes, &purpose), setup)? else {
                return Ok(None);
            };
            let gpu = Arc::new(gpu);
            *used = Some(Used { hash: hash.clone(), purpose, near, gpu: Arc::clone(&gpu) });
            gpu
        }
    };
    setup.networks.borrow_mut().push(named(file, &hash));
    Ok(Some(Box::new(move |config, below| {
        let config =
            GpuConfig { width: config.width, rerank: config.rerank, max_depth: config.max_depth };
        let search = GpuBeam::new(puzzle, ends, Arc::clone(&gpu), config);
        Ok(Box::new(search.below(below)))
    })))
}

/// Takes a puzzle and a network to the GPU.
fn take<P: Goal + Learnable>(
    puzzle: &P,
    ends: &Ends<P>,
    near: u64,
    (bytes, of): (&[u8], &Purpose),
    setup: &Setup<'_>,
) -> Result<Option<Gpu>, SolveError> {
    let refused = |why: &dyn std::fmt::Display| refused(setup, why);
    let model = Model::parse(bytes).map_err(|why| refused(&why))?;
    let fits = model.expect(&of.puzzle, &of.size, &of.goal);
    fits.map_err(|why| refused(&why))?;
    let input = model.header.input_among(P::INPUTS);
    let seen = puzzle.seen_by(input.map_err(|why| refused(&why))?);
    let model = model.with_units(|| seen.images());
    let model = model.map_err(|why| refused(&why))?;
    let Ok(places) = TransitionTables::learn(&seen, ends) else {
        return Ok(None);
    };
    let Ok(small) = GpuNetwork::new(&model, &places) else {
        return Ok(None);
    };
    let plain = puzzle.seen_by(0);
    let goal = plain.goal_states().first().copied();
    let Some(Ok(goal)) = goal.map(|goal| places.read(&plain, &goal)) else {
        return Ok(None);
    };
    let gpu = Gpu::new(places, &small, &goal, near);
    gpu.map(Some).map_err(|why| refused(&why))
}
