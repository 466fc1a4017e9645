//! Preparations of a training run: instances, the first model, symmetries, rows for measurements.

use super::{failure::failed, instances::instance, recipe::Recipe, source::both};
use crate::run::{Event, RunContext};
use std::path::Path;
use unriddle_catalog::{
    parallel::in_order, tables::Cache, training_data::TrainingData, work::WorkError,
};
use unriddle_core::{Rng, Steps};
use unriddle_neural::{
    Architecture, Head, Model, Precision, packed,
    train::{Parts, Views},
};

/// Instances that are made between two reports.
const WAVE: u64 = 1000;

/// Random states on which the ranges of activations are measured.
const SHOWN: u64 = 4096;

/// The instances that walks begin in; `None` if it was cancelled.
pub(super) fn training_data(
    recipe: &Recipe,
    run: &RunContext<'_>,
    cache: &Cache,
) -> Result<Option<Box<dyn TrainingData>>, WorkError> {
    let found = recipe.registry.puzzle(&recipe.puzzle);
    let (family, puzzle) = found.map_err(|error| WorkError::Usage(error.to_string()))?;
    let seed = recipe.stages.first().map_or(0, |stage| stage.seed);
    let make = |number| {
        let made = instance(family, &*puzzle, &recipe.instances, &mut Rng::stream(seed, number));
        let made = made.map_err(|why| WorkError::Usage(format!("{}: {why}", recipe.instances)))?;
        made.ok_or_else(|| WorkError::Internal("an instance without inputs".to_owned()))
    };
    let mut all = make(0)?;
    let (levels, what) = (recipe.levels, "instances made");
    if levels > WAVE {
        let (name, pieces) = (what, levels as usize);
        (run.tell)(Event::Stage { name, pieces, done: 0 });
    }
    for first in (1..levels).step_by(WAVE as usize) {
        let count = WAVE.min(levels - first) as usize;
        let made = in_order(count, run.jobs, run.cancel, &|i| make(first + i as u64).map(Some))?;
        let Some(made) = made else {
            return Ok(None);
        };
        for one in made {
            all.add(&*one).map_err(WorkError::Usage)?;
        }
        if levels > WAVE {
            let done = first + count as u64;
            (run.tell)(Event::At { done, what });
        }
    }
    let all = match recipe.training_data.input() {
        0 => all,
        input => all.seen_by(input, cache).map_err(|why| WorkError::Usage(why.to_string()))?,
    };
    let (ours, theirs) = (all.purpose(), recipe.training_data.purpose());
    if ours != theirs {
        return Err(WorkError::Usage(format!("found {theirs}, beside {ours}")));
    }
    if let Some(note) = without_goals(&*all) {
        (run.tell)(Event::Note(&note));
    }
    Ok(Some(all))
}

/// Note about levels that no walk can begin in, if there are any.
fn without_goals(all: &dyn TrainingData) -> Option<String> {
    let (count, of) = (all.without_goals(), all.len());
    (count > 0).then(|| {
        format!("{count} of {of} levels have no goal state: walks begin in the other levels")
    })
}

/// The model that training begins with.
pub(super) fn begin_with(
    path: &Path,
    recipe: &Recipe,
    training_data: &dyn TrainingData,
) -> Result<Model, WorkError> {
    let of = training_data.purpose();
    let refused = |why: &dyn std::fmt::Display| WorkError::file(path, why);
    let bytes = packed::read(path).map_err(|error| WorkError::file(path, &error))?;
    let model = Model::parse(&bytes).map_err(|why| refused(&why))?;
    (model.expect(&of.puzzle, &of.size, &of.goal)).map_err(|why| refused(&why))?;
    let input = model.header.input_among(training_data.input_names());
    let input = input.map_err(|why| refused(&why))?;
    let model = if input == training_data.input() {
        model
    } else if training_data.begins_with() == Some(input) {
        let Architecture { inputs, groups, .. } = recipe.architecture;
        model.with_longer_input(inputs, groups).map_err(|why| refused(&why))?
    } else {
        return Err(refused(&"a network that sees states by another input"));
    };
    if model.header.architecture != recipe.architecture {
        return Err(refused(&"a network of another architecture"));
    }
    (model.with_units(|| training_data.images())).map_err(|why| refused(&why))
}

/// The symmetries by which units share their weights.
pub(super) fn views(recipe: &Recipe, training_data: &dyn TrainingData) -> Option<Views> {
    if recipe.shared { Views::new(training_data.images(), training_data.inputs()) } else { None }
}

/// The file of a model, which holds shared weights once.
pub(super) fn written(
    model: &Model,
    views: Option<&Views>,
    precision: Precision,
) -> Result<Vec<u8>, WorkError> {
    let bytes = match views {
        Some(views) => {
            (model.with_sets(views)).and_then(|model| model.write_with_checksum(precision))
        }
        None => model.write_with_checksum(precision),
    };
    bytes.map_err(failed)
}

/// Active indices of the ends of random walks of at most `longest` steps, two beside each other for
/// a network that compares them.
pub(super) fn rows(training_data: &dyn TrainingData, head: Head, longest: u64) -> Vec<u32> {
    let mut active = Vec::new();
    for number in 0..SHOWN {
        let mut rng = Rng::stream(0, number);
        let mut state = training_data.list();
        let steps = [rng.below(longest + 1)];
        for _ in 0..1 + u8::from(head == Head::Pair) {
            training_data.walk(&steps, Steps::NoReturn, &mut rng, &mut *state);
        }
        match (head, state.len()) {
            (Head::Pair, 2..) => both(&*state, [0, 1], training_data.inputs(), &mut active),
            (Head::Pair, _) | (_, 0) => {}
            _ => state.active(0, &mut active),
        }
    }
    active
}

/// The parts of the input that a network learns with: of networks that see one state, and not as a
/// picture.
pub(super) fn parts(
    training_data: &dyn TrainingData,
    architecture: &Architecture,
) -> Option<Parts> {
    let starts = training_data.starts();
    if architecture.head() == Head::Pair || architecture.grid.is_some() || starts.is_empty() {
        return None;
    }
    let mut row = Vec::new();
    starts.active(0, &mut row);
    Parts::new(&training_data.parts(), &row)
}
