//! The margin of good paths: how far a network overrates states that lead to short solutions.
//!
//! A beam keeps the states of a layer with the least estimates. A path is dropped in a layer where
//! its state has an estimate above the greatest estimate that the beam keeps. The margin of a path
//! is the greatest such excess over all layers: the smaller it is, the narrower is the beam that
//! finds the path.

use super::recipe::Margin;
use crate::folder::Folder;
use unriddle_catalog::{
    Cancel,
    parallel::in_order,
    training_data::{Narrow, States, TrainingData},
    work::WorkError,
};
use unriddle_core::Rng;
use unriddle_neural::Net;

/// Name of the file of the paths.
const FILE: &str = "margin.json";

/// Most layers of a beam.
const DEPTH: u32 = 10_000;

/// A path, as the numbers of its actions; `None` if the beam found none.
type Path = Option<Vec<u16>>;

impl Margin {
    /// The end of a walk.
    fn start(&self, training_data: &dyn TrainingData, number: usize) -> Box<dyn States> {
        let mut rng = Rng::stream(u64::MAX, number as u64);
        self.walks.end(training_data, &mut rng)
    }

    /// The paths of an earlier checkpoint, or the paths that wide beams of the network find.
    fn paths(
        &self,
        training_data: &dyn TrainingData,
        net: &Net,
        jobs: usize,
        folder: &Folder<'_>,
    ) -> Result<Vec<Path>, WorkError> {
        if let Some(text) = folder.read(FILE)? {
            return serde_json::from_str(&text).map_err(|why| folder.failed(FILE, &why));
        }
        let wide = Narrow { width: self.wide, depth: DEPTH };
        let found = in_order(self.boards as usize, jobs, &Cancel::default(), &|number| {
            let start = self.start(training_data, number);
            let path = if start.is_empty() { None } else { start.beam(0, net, wide) };
            Ok::<_, WorkError>(Some(path))
        })?;
        let paths = found.unwrap_or_default();
        folder.write(FILE, &serde_json::to_string(&paths).unwrap_or_default())?;
        Ok(paths)
    }

    /// The mean margin of all paths; `None` without paths.
    ///
    /// # Errors
    /// The file of the paths cannot be read or written.
    pub(super) fn measure(
        &self,
        training_data: &dyn TrainingData,
        net: &Net,
        jobs: usize,
        folder: &Folder<'_>,
    ) -> Result<Option<f64>, WorkError> {
        let paths = self.paths(training_data, net, jobs, folder)?;
        let narrow = Narrow { width: self.narrow, depth: DEPTH };
        let margins = in_order(paths.len(), jobs, &Cancel::default(), &|number| {
            let Some(actions) = &paths[number] else { return Ok(Some(None)) };
            let start = self.start(training_data, number);
            let (mut states, mut left) = (start.fresh(), Vec::new());
            if !start.along(0, actions, &mut *states, &mut left) {
                return Err(folder.failed(FILE, &"contains an illegal action"));
            }
            let (mut active, mut estimates) = (Vec::new(), vec![0.0; states.len()]);
            (0..states.len()).for_each(|row| states.active(row, &mut active));
            // Rows of the puzzle that the network was made for always fit.
            let _ = net.engine().evaluate(&active, &mut estimates, 1);
            let layers = estimates.iter().skip(1).zip(start.cuts(0, net, narrow));
            let excesses = layers.map(|(estimate, cut)| f64::from(estimate - cut));
            Ok(Some(excesses.reduce(f64::max).filter(|margin| margin.is_finite())))
        })?;
        let margins: Vec<f64> = margins.unwrap_or_default().into_iter().flatten().collect();
        let count = margins.len() as f64;
        Ok((count > 0.0).then(|| margins.iter().sum::<f64>() / count))
    }
}
