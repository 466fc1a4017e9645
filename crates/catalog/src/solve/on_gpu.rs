//! Bidirectional beams that run entirely on the GPU (feature `cuda`).

use super::{
    inputs::seen_by,
    net::{NetConfig, Precision, broken, named, opened, refused},
};
use crate::{
    declare::{ends::MakeBeam, goal::Goal, heuristic::Setup},
    interface::values::SolveError,
};
use std::sync::{Arc, Mutex, PoisonError};
use unriddle_core::{Inverses, Learnable, Options, Purpose};
use unriddle_gpu::{Gpu, GpuBeam, GpuConfig, GpuNetwork, TransitionTables};
use unriddle_neural::Model;

/// The network and the puzzle that are loaded on the GPU.
struct LoadedGpu {
    /// The hash of the network's bytes.
    hash: String,
    purpose: Purpose,
    /// Size of the goal table in bytes.
    goal_table: u64,
    gpu: Arc<Gpu>,
}

static LOADED: Mutex<Option<LoadedGpu>> = Mutex::new(None);

/// Loads the network of a spec and its puzzle on the GPU, with a goal table of `goal_table` bytes.
/// `None` where the GPU only estimates: with options that change estimates, with a network that is
/// not small, and for a puzzle that is not described by pieces at positions.
///
/// # Errors
/// A network that is missing or for another puzzle, and a GPU that fails.
pub(crate) fn load<'p, P: Goal + Learnable>(
    puzzle: &'p P,
    ends: Inverses<P>,
    goal_table: u64,
    setup: &Setup<'_>,
) -> Result<Option<MakeBeam<'p, P>>, SolveError> {
    let config = NetConfig::read(setup.given);
    let is_plain = config.precision == Precision::Single && config.less == 0.0;
    if !is_plain || config.parity || config.mirror || setup.request.networks.lockstep {
        return Ok(None);
    }
    let (bytes, hash) = opened::<P>(setup, &config.file)?;
    let purpose = puzzle.purpose();
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = (loaded.as_ref())
        .filter(|l| (&l.hash, &l.purpose, l.goal_table) == (&hash, &purpose, goal_table))
        .map(|loaded| Arc::clone(&loaded.gpu));
    let gpu = match known {
        Some(gpu) => gpu,
        None => {
            // The memory of another network is released first.
            *loaded = None;
            let model = Model::parse(&bytes).map_err(|why| broken(setup, &why))?;
            let Some(gpu) = upload(puzzle, &ends, goal_table, model, setup)? else {
                return Ok(None);
            };
            let gpu = Arc::new(gpu);
            let (hash, gpu_used) = (hash.clone(), Arc::clone(&gpu));
            *loaded = Some(LoadedGpu { hash, purpose, goal_table, gpu: gpu_used });
            gpu
        }
    };
    setup.networks.borrow_mut().push(named(&config.file, &hash));
    Ok(Some(Box::new(move |config, below| {
        let config =
            GpuConfig { width: config.width, rerank: config.rerank, max_depth: config.max_depth };
        let search = GpuBeam::new(puzzle, ends, Arc::clone(&gpu), config);
        Ok(Box::new(search.below(below)))
    })))
}

/// Uploads a puzzle and a network to the GPU.
fn upload<P: Goal + Learnable>(
    puzzle: &P,
    ends: &Inverses<P>,
    goal_table: u64,
    model: Model,
    setup: &Setup<'_>,
) -> Result<Option<Gpu>, SolveError> {
    let refused = |why: &dyn std::fmt::Display| refused(setup, why);
    let Purpose { puzzle: name, size, goal } = puzzle.purpose();
    model.expect(&name, &size, &goal).map_err(|why| refused(&why))?;
    let input = model.header.input_among(P::INPUTS);
    let seen = seen_by(puzzle, input.map_err(|why| refused(&why))?, setup.cache())?;
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
    Gpu::new(places, &small, &goal, goal_table).map(Some).map_err(|why| refused(&why))
}
