//! Instances of a generator as training data.

use unriddle_catalog::{AnyPuzzle, Family, training_data::TrainingData};
use unriddle_core::Rng;

/// The training data of an instance of a generator; `None` if the puzzle declares no
/// inputs of networks.
pub(super) fn instance(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    generator: &str,
    rng: &mut Rng,
) -> Result<Option<Box<dyn TrainingData>>, String> {
    let bound = family.generator(Some(generator)).map_err(|e| e.to_string())?;
    let text = puzzle.generate(&bound, rng);
    Ok(puzzle.load(&text.map_err(|e| e.to_string())?).map_err(|e| e.to_string())?.training_data())
}
