//! Checkpoints: two that are written in turn, so that one is always whole.

use super::log::Line;
use crate::folder::Folder;
use serde::{Deserialize, Serialize};
use unriddle_catalog::work::WorkError;

/// The state of a training without its learner.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    pub updates: u64,
    pub renewals: u64,
    pub seconds: f64,
    /// Sum of losses since the last check of the target, and since the last line.
    pub window: (f64, u64),
    pub losses: (f64, u64),
    /// The loss of the last batch.
    pub last: f64,
    pub since_renewal: u64,
    pub lines: Vec<Line>,
    /// The checkpoint (0 or 1) that is written next; the other one is the last good checkpoint.
    #[serde(skip)]
    pub slot: usize,
}

/// A checkpoint that was read; its files are missing before the first one.
#[derive(Default)]
pub(super) struct Found {
    pub state: State,
    pub learner: Option<Vec<u8>>,
    pub target: Option<Vec<u8>>,
    /// The checkpoint's files begin with this.
    pub name: String,
}

/// Beginning of the names of a checkpoint's files.
fn begin_of(slot: usize) -> String {
    format!("checkpoint-{slot}")
}

fn name(slot: usize, what: &str) -> String {
    format!("{}.{what}", begin_of(slot))
}

/// Replaces the older of two checkpoints. `save_sources` writes the files of sources, whose names
/// begin with its argument.
///
/// # Errors
/// A file cannot be written; the other checkpoint is intact.
pub(super) fn write(
    folder: &Folder<'_>,
    state: &State,
    learner: &[u8],
    target: Option<&[u8]>,
    save_sources: impl FnOnce(&str) -> Result<(), WorkError>,
) -> Result<(), WorkError> {
    let of = |what: &str| name(state.slot, what);
    // The state is removed first: a checkpoint without a state is ignored.
    folder.remove(&of("json"))?;
    folder.write_bytes(&of("trainer"), learner)?;
    if let Some(target) = target {
        folder.write_bytes(&of("target"), target)?;
    }
    save_sources(&begin_of(state.slot))?;
    folder.write(&of("json"), &serde_json::to_string(state).unwrap_or_default())
}

/// The later of the checkpoints that are there.
///
/// # Errors
/// A file cannot be read.
pub(super) fn read(folder: &Folder<'_>) -> Result<Found, WorkError> {
    let mut found: Option<(State, usize)> = None;
    for slot in 0..2 {
        let text = folder.read(&name(slot, "json"))?.unwrap_or_default();
        if let Ok(state) = serde_json::from_str::<State>(&text)
            && found.as_ref().is_none_or(|(known, _)| known.updates < state.updates)
        {
            found = Some((state, slot));
        }
    }
    let Some((mut state, slot)) = found else {
        return Ok(Found::default());
    };
    state.slot = 1 - slot;
    let Some(learner) = folder.read_bytes(&name(slot, "trainer"))? else {
        return Ok(Found::default());
    };
    Ok(Found {
        state,
        learner: Some(learner),
        target: folder.read_bytes(&name(slot, "target"))?,
        name: begin_of(slot),
    })
}
