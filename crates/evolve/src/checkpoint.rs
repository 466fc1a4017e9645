//! The text of a saved optimiser.
//!
//! A checkpoint is one line of JSON: the format, its version, the kind of optimiser, a checksum
//! (XXH3 of the bytes of `state`), and the state. Floats are written so that every bit is restored.
//! The caller writes files, in a way that a kill leaves the old file intact.
//!
//! A state is accepted only if the checksum fits *and* the state is consistent (numbers of
//! individuals, genomes within their space, options within their bounds). No text, forged or
//! damaged, makes an optimiser panic. A version newer than this program's is refused; older
//! versions are read.
//!
//! An optimiser is written as its state, and read through `TryFrom` of the state, which checks it.
//! An optimiser within the state of another one is therefore checked as well.

use crate::error::{CHECKPOINT_VERSION as VERSION, CheckpointError, EvolveError};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_64;

const FORMAT: &str = "unriddle-evolve";

/// Fields at the beginning of every version.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
    kind: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    format: &'a str,
    version: u32,
    kind: &'a str,
    checksum: &'a str,
    #[serde(borrow)]
    state: &'a RawValue,
}

fn checksum(state: &RawValue) -> String {
    format!("{:016x}", xxh3_64(state.get().as_bytes()))
}

/// The text of a state.
pub(crate) fn save<T: Serialize>(kind: &str, state: &T) -> Result<String, CheckpointError> {
    let unwritable = |error: serde_json::Error| CheckpointError::Unwritable(error.to_string());
    let state = serde_json::value::to_raw_value(state).map_err(unwritable)?;
    serde_json::to_string(&Envelope {
        format: FORMAT,
        version: VERSION,
        kind,
        checksum: &checksum(&state),
        state: &state,
    })
    .map_err(unwritable)
}

/// The state of a text.
pub(crate) fn load<T: DeserializeOwned>(kind: &str, text: &str) -> Result<T, CheckpointError> {
    let damaged = |error: serde_json::Error| CheckpointError::Damaged(error.to_string());
    // The header first: a newer version may look different in all else.
    let header: Header = serde_json::from_str(text).map_err(damaged)?;
    if header.format != FORMAT {
        return Err(CheckpointError::Damaged(format!(
            "its format is `{}`, not `{FORMAT}`",
            header.format
        )));
    }
    if header.version > VERSION {
        return Err(CheckpointError::Newer { found: header.version });
    }
    if header.version == 0 {
        return Err(CheckpointError::Damaged("there is no version 0".into()));
    }
    if header.kind != kind {
        return Err(CheckpointError::Kind { expected: kind.into(), found: header.kind });
    }
    let envelope: Envelope<'_> = serde_json::from_str(text).map_err(damaged)?;
    if checksum(envelope.state) != envelope.checksum {
        return Err(CheckpointError::Damaged("its checksum does not fit its state".into()));
    }
    serde_json::from_str(envelope.state.get()).map_err(damaged)
}

/// Refuses a state that was read and whose parts do not fit each other.
pub(crate) fn sound(fits: bool, what: &str) -> Result<(), EvolveError> {
    if fits {
        return Ok(());
    }
    Err(CheckpointError::Damaged(what.into()).into())
}

/// Generators as hexadecimal texts.
pub(crate) mod rng_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
    use std::fmt::Write as _;
    use unriddle_core::Rng;

    pub(crate) fn serialize<S: Serializer>(rng: &Rng, to: S) -> Result<S::Ok, S::Error> {
        let text = rng.state().iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        });
        to.serialize_str(&text)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Rng, D::Error> {
        let text = String::deserialize(from)?;
        parse(&text).ok_or_else(|| D::Error::custom("the state of the generator is not one"))
    }

    fn parse(text: &str) -> Option<Rng> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let mut state = [0; 32];
        (pairs.len() == state.len() && rest.is_empty()).then_some(())?;
        for (byte, pair) in state.iter_mut().zip(pairs) {
            let digit = |c: u8| char::from(c).to_digit(16);
            *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
        }
        Rng::from_state(state)
    }
}

/// Directions as words.
#[derive(Serialize, Deserialize)]
#[serde(remote = "unriddle_core::Direction", rename_all = "snake_case")]
pub(crate) enum DirectionText {
    Minimise,
    Maximise,
}
