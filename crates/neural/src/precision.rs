//! Precision of the numbers of a file: single, half, or bytes.

use crate::{
    error::ModelError,
    half::{from_half, to_half},
    tensor::{Tensor, Tensors},
};
use safetensors::tensor::Dtype;

/// Precision of the numbers of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Single precision, without loss.
    F32,
    /// Half precision, rounded to nearest: half the bytes.
    F16,
    /// Weights of layers as whole steps from −127 to 127, with one step size for each unit, rounded
    /// to nearest; all other numbers in half precision: a quarter of the bytes.
    Bytes,
}

/// Suffix of the names of the tensors of steps.
const STEP: &str = ".step";

/// Tensor in the form of a file.
pub(crate) struct Stored {
    pub(crate) name: String,
    pub(crate) dtype: &'static str,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: Vec<u8>,
}

/// Converts a tensor to the form of a file: one tensor, or two with steps.
///
/// # Errors
/// A number too large for half precision.
pub(crate) fn store(
    name: &str,
    tensor: &Tensor,
    precision: Precision,
) -> Result<Vec<Stored>, ModelError> {
    let stored = |name: &str, dtype, shape: &[usize], bytes| Stored {
        name: name.to_owned(),
        dtype,
        shape: shape.to_vec(),
        bytes,
    };
    let single = |data: &[f32]| data.iter().flat_map(|x| x.to_le_bytes()).collect();
    let Tensor { shape, data } = tensor;
    match (precision, &shape[..]) {
        (Precision::F32, _) => Ok(vec![stored(name, "F32", shape, single(data))]),
        (Precision::Bytes, &[units, inputs]) => {
            let rows = data.chunks_exact(inputs.max(1));
            let steps: Vec<f32> = rows.clone().map(step).collect();
            let whole = rows.zip(&steps).flat_map(|(row, &step)| {
                let whole = move |x: &f32| if step > 0.0 { (x / step).round() } else { 0.0 };
                row.iter().map(move |x| (whole(x) as i8).to_le_bytes()[0])
            });
            Ok(vec![
                stored(name, "I8", shape, whole.collect()),
                stored(&format!("{name}{STEP}"), "F32", &[units], single(&steps)),
            ])
        }
        _ => {
            let mut bytes = Vec::with_capacity(2 * data.len());
            for (index, &value) in data.iter().enumerate() {
                let half = to_half(value);
                if half & 0x7fff == 0x7c00 {
                    let name = name.to_owned();
                    return Err(ModelError::Half { name, index, value });
                }
                bytes.extend(half.to_le_bytes());
            }
            Ok(vec![stored(name, "F16", shape, bytes)])
        }
    }
}

/// Step of a unit's weights. Its low bits are zero, so that products with whole numbers are exact,
/// and a file that was read is written with the same bytes.
fn step(row: &[f32]) -> f32 {
    let greatest = row.iter().fold(0.0f32, |most, x| most.max(x.abs()));
    let step = greatest / f32::from(i8::MAX);
    f32::from_bits((step.to_bits() + 0xff) & !0xff)
}

/// Numbers of a stored tensor; `None` for types that files do not use.
pub(crate) fn read(dtype: Dtype, bytes: &[u8]) -> Option<Vec<f32>> {
    match dtype {
        Dtype::F32 => Some(numbers(bytes, f32::from_le_bytes)),
        Dtype::F16 => Some(numbers(bytes, |b| from_half(u16::from_le_bytes(b)))),
        Dtype::I8 => Some(numbers(bytes, |b| f32::from(i8::from_le_bytes(b)))),
        _ => None,
    }
}

fn numbers<const N: usize>(bytes: &[u8], read: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    let (chunks, _) = bytes.as_chunks::<N>();
    chunks.iter().map(|&chunk| read(chunk)).collect()
}

/// Multiplies the whole numbers of the tensors `whole` by their steps, and removes the tensors of
/// steps.
///
/// # Errors
/// A tensor of steps that is missing or has the wrong length.
pub(crate) fn take_steps(tensors: &mut Tensors, whole: &[String]) -> Result<(), ModelError> {
    for name in whole {
        let of = format!("{name}{STEP}");
        let steps = tensors.remove(&of).ok_or(ModelError::Missing(of.clone()))?;
        let Some(Tensor { shape, data }) = tensors.get_mut(name) else {
            continue;
        };
        let units = shape.first().copied().unwrap_or_default();
        steps.check(&of, &[units])?;
        let inputs = data.len().checked_div(units).unwrap_or_default().max(1);
        for (row, step) in data.chunks_mut(inputs).zip(&steps.data) {
            row.iter_mut().for_each(|x| *x *= step);
        }
    }
    Ok(())
}
