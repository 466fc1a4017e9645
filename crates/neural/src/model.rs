//! The file of a network: a safetensors container with a header of texts, and its tensors.
//!
//! `safetensors` reads the container and checks every length and offset of hostile bytes. This
//! module checks texts, names, shapes and numbers. It also writes the container: the library keeps
//! the texts in a hash map and would write them in another order each time, but the same model must
//! give the same bytes, since files are named by their hash.

use crate::architecture::{Activation, Architecture};
use crate::error::ModelError;
use crate::format::{FORMAT, FORMAT_2, FORMAT_3, FORMAT_4, FORMAT_5, FORMATS};
use crate::precision::{Precision, Stored, read, store, take_steps};
use crate::tensor::{Tensor, Tensors};
use safetensors::tensor::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Greatest number of views that share weights.
const VIEWS: usize = 1 << 10;

/// Record of the training of a network.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    /// Recipe: its text, or a name.
    pub recipe: String,
    /// Seed of the recipe.
    pub seed: u64,
    /// Revision of the program.
    pub revision: String,
    /// Number of training examples, including the examples of the network that training began with.
    pub examples: u64,
    /// Description of the machine.
    pub hardware: String,
    /// Wall time in seconds, including the time of the network that training began with.
    pub seconds: u64,
}

/// Purpose, layers and origin of a network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// The puzzle's name.
    pub puzzle: String,
    /// Size, as the puzzle writes it.
    pub size: String,
    /// Name of the goal to which costs are estimated.
    pub goal: String,
    /// Name of the input of the network; empty for the puzzle's usual one.
    pub input: String,
    /// Sharing of weights among units of the first layer; `None` if each unit has weights of its
    /// own.
    pub sharing: Option<Sharing>,
    /// The layers.
    pub architecture: Architecture,
    /// Record of the training.
    pub training: Training,
}

impl Header {
    /// Position of the network's input among `names`, the puzzle's inputs, of which the first is
    /// the usual one.
    ///
    /// # Errors
    /// The puzzle has no such input.
    pub fn input_among(&self, names: &[&str]) -> Result<usize, ModelError> {
        let place = names.iter().position(|name| *name == self.input);
        let usual = self.input.is_empty().then_some(0);
        usual.or(place).ok_or_else(|| ModelError::Input { found: self.input.clone() })
    }
}

/// Symmetries under which units of the first layer share weights: of `views` consecutive units,
/// each sees another symmetric state and all have the same row of weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sharing {
    /// Number of symmetric states, including the state itself.
    pub views: usize,
    /// Hash of the index permutations of the symmetries. The weights are only valid with the same
    /// permutations in the same order.
    pub images: String,
}

/// Network in the form of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Purpose, layers and origin.
    pub header: Header,
    /// Tensors by name: those listed by [`Architecture::tensors`], and optionally a range of
    /// activations `{layer}.range` for every layer. A range holds the greatest activation and, for
    /// leaky layers, also the least one.
    pub tensors: Tensors,
}

/// The hash that names a file: XXH3 (64 bits) of its bytes as 16 hexadecimal digits.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

/// Name of the text with the checksum.
const CHECKSUM: &str = "checksum";
/// Digits that replace the checksum while it is computed.
const NO_SUM: &str = "0000000000000000";

/// Index of the digits of the checksum in a file.
fn checksum_at(bytes: &[u8]) -> Option<usize> {
    let before = b"\"checksum\":\"";
    let found = bytes.windows(before.len()).position(|window| window == before)?;
    Some(found + before.len())
}

/// The checksum of a file with a header of `head` bytes: XXH3 of its bytes with zeros for the
/// checksum's digits. `None` if the header has no such digits.
fn checksum(bytes: &[u8], head: usize) -> Option<String> {
    let at = checksum_at(bytes.get(..head.saturating_add(8).min(bytes.len()))?)?;
    let mut hash = Xxh3::new();
    hash.update(&bytes[..at]);
    hash.update(NO_SUM.as_bytes());
    hash.update(bytes.get(at + NO_SUM.len()..)?);
    Some(format!("{:016x}", hash.digest()))
}

impl Model {
    /// Reads a file. Hostile bytes are refused; memory stays within a few times the file's length.
    ///
    /// # Errors
    /// Bytes that are not a container, another format, unreadable texts, impossible layers, and
    /// tensors that are missing, superfluous, of wrong shape or type, or with numbers that are NaN
    /// or infinite; a wrong checksum, if the file has one.
    pub fn parse(bytes: &[u8]) -> Result<Self, ModelError> {
        let container = |e: safetensors::SafeTensorError| ModelError::Container(e.to_string());
        let (head, metadata) = SafeTensors::read_metadata(bytes).map_err(container)?;
        let text = |key: &'static str| {
            let texts = metadata.metadata().as_ref();
            let found = texts.and_then(|texts| texts.get(key));
            found.map(String::as_str).ok_or(ModelError::Metadata(key))
        };
        let format = text("format")?;
        let Some(version) = FORMATS.iter().position(|known| *known == format) else {
            return Err(ModelError::Format(format.chars().take(100).collect()));
        };
        let version = version + 1;
        if let Ok(wanted) = text(CHECKSUM)
            && checksum(bytes, head).as_deref() != Some(wanted)
        {
            return Err(ModelError::Checksum);
        }
        let header = Header {
            puzzle: text("puzzle")?.into(),
            size: text("size")?.into(),
            goal: text("goal")?.into(),
            input: match version {
                3.. => text("input")?.into(),
                _ => String::new(),
            },
            sharing: match version {
                5.. => Some(json("sharing", text("sharing")?)?),
                _ => None,
            },
            architecture: json("architecture", text("architecture")?)?,
            training: json("training", text("training")?)?,
        };
        header.architecture.check()?;
        if version == 1 && !header.architecture.is_of_first_version() {
            return Err(ModelError::Older);
        }
        let (mut tensors, mut whole) = (BTreeMap::new(), Vec::new());
        let bytes = bytes.get(8 + head..).unwrap_or_default();
        for (name, info) in metadata.tensors() {
            let (start, end) = info.data_offsets;
            let bytes = bytes.get(start..end).unwrap_or_default();
            let is_whole = info.dtype == Dtype::I8;
            let data = read(info.dtype, bytes).filter(|_| !is_whole || version >= 4);
            let Some(data) = data else {
                let found = info.dtype.to_string();
                return Err(ModelError::Type { name, found });
            };
            if is_whole {
                whole.push(name.clone());
            }
            let shape = info.shape.clone();
            tensors.insert(name, Tensor { shape, data });
        }
        take_steps(&mut tensors, &whole)?;
        let model = Self { header, tensors };
        model.check()?;
        Ok(model)
    }

    /// Writes a file: the same bytes for the same model.
    ///
    /// # Errors
    /// A model that [`check`](Self::check) refuses, or a number too large for half precision.
    pub fn write(&self, precision: Precision) -> Result<Vec<u8>, ModelError> {
        self.written(precision, false)
    }

    /// Writes a file with a checksum of all its bytes in the text `checksum` of its metadata.
    /// Programs that do not know the text read the file as well.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_with_checksum(&self, precision: Precision) -> Result<Vec<u8>, ModelError> {
        let mut bytes = self.written(precision, true)?;
        if let Some(sum) = checksum(&bytes, bytes.len())
            && let Some(at) = checksum_at(&bytes)
        {
            bytes[at..at + sum.len()].copy_from_slice(sum.as_bytes());
        }
        Ok(bytes)
    }

    fn written(&self, precision: Precision, has_checksum: bool) -> Result<Vec<u8>, ModelError> {
        self.check()?;
        let h = &self.header;
        let format = match (&*h.input, h.architecture.is_of_first_version()) {
            _ if h.sharing.is_some() => FORMAT_5,
            _ if precision == Precision::Bytes => FORMAT_4,
            ("", true) => FORMAT,
            ("", false) => FORMAT_2,
            _ => FORMAT_3,
        };
        let mut texts = serde_json::json!({
            "format": format,
            "puzzle": h.puzzle,
            "size": h.size,
            "goal": h.goal,
            "architecture": to_json("architecture", &h.architecture)?,
            "training": to_json("training", &h.training)?,
        });
        if [FORMAT_3, FORMAT_4, FORMAT_5].contains(&format) {
            texts["input"] = h.input.clone().into();
        }
        if has_checksum {
            texts[CHECKSUM] = NO_SUM.into();
        }
        if let Some(sharing) = &h.sharing {
            texts["sharing"] = to_json("sharing", sharing)?.into();
        }
        let mut entries = serde_json::Map::new();
        entries.insert("__metadata__".into(), texts);
        let mut numbers = Vec::new();
        for (name, tensor) in &self.tensors {
            for Stored { name, dtype, shape, bytes } in store(name, tensor, precision)? {
                let begin = numbers.len();
                numbers.extend(bytes);
                let offsets = [begin, numbers.len()];
                let entry = serde_json::json!({
                    "dtype": dtype, "shape": shape, "data_offsets": offsets
                });
                entries.insert(name, entry);
            }
        }
        let mut head = to_json("header", &entries)?.into_bytes();
        // Programs that map the file into memory need aligned numbers.
        head.resize(head.len().next_multiple_of(8), b' ');
        Ok([&(head.len() as u64).to_le_bytes()[..], &head, &numbers].concat())
    }

    /// Checks that architecture and tensors belong together and that all numbers are finite.
    ///
    /// # Errors
    /// The first difference between the tensors and the architecture, or the first invalid number.
    pub fn check(&self) -> Result<(), ModelError> {
        let architecture = &self.header.architecture;
        architecture.check()?;
        let mut expected: BTreeMap<String, Vec<usize>> =
            architecture.tensors().into_iter().collect();
        let layers = architecture.layers();
        if let (Some(first), Some(Sharing { views, .. })) = (layers.first(), &self.header.sharing) {
            if !(2..=VIEWS).contains(views) || first.norm || first.cells > 1 {
                return Err(ModelError::Sharing(*views));
            }
            let sets = first.units.div_ceil(*views);
            expected.insert(first.weight(), vec![sets, first.inputs]);
            expected.insert(first.bias(), vec![sets]);
        }
        let ranges = layers.into_iter().map(|layer| {
            let numbers = 1 + usize::from(layer.activation == Activation::Leaky);
            (format!("{}.range", layer.name), vec![numbers])
        });
        let ranges: Vec<(String, Vec<usize>)> = ranges.collect();
        // If any layer has a range, all layers must have one.
        if (ranges.iter()).any(|(name, _)| self.tensors.contains_key(name)) {
            expected.extend(ranges);
        }
        if let Some(name) = expected.keys().find(|n| !self.tensors.contains_key(*n)) {
            return Err(ModelError::Missing(name.clone()));
        }
        for (name, tensor) in &self.tensors {
            let expected = expected
                .remove(name)
                .ok_or_else(|| ModelError::Extra(name.chars().take(100).collect()))?;
            tensor.check(name, &expected)?;
        }
        Ok(())
    }

    /// Checks that the network is made for this puzzle, size and goal.
    ///
    /// # Errors
    /// The puzzle, size or goal of the network, if it is another one.
    pub fn expect(&self, puzzle: &str, size: &str, goal: &str) -> Result<(), ModelError> {
        let h = &self.header;
        for (what, found, expected) in [
            ("the puzzle", &h.puzzle, puzzle),
            ("the size", &h.size, size),
            ("the goal", &h.goal, goal),
        ] {
            if found != expected {
                let (found, expected) = (found.clone(), expected.into());
                return Err(ModelError::Purpose { what, found, expected });
            }
        }
        Ok(())
    }

    /// Numbers of a tensor; empty for a missing tensor. After [`check`](Self::check) no tensor of
    /// the architecture is missing.
    pub(crate) fn data(&self, name: &str) -> &[f32] {
        self.tensors.get(name).map_or(&[], |t| &t.data)
    }
}

fn json<T: for<'a> Deserialize<'a>>(key: &'static str, text: &str) -> Result<T, ModelError> {
    serde_json::from_str(text).map_err(|e| ModelError::Json { key, message: e.to_string() })
}

fn to_json(key: &'static str, value: &impl Serialize) -> Result<String, ModelError> {
    serde_json::to_string(value).map_err(|e| ModelError::Json { key, message: e.to_string() })
}
