//! Conversions between slices, tensors of the framework and the primitives of its backends.

use burn::tensor::backend::Backend;
use burn::tensor::ops::FloatTensor;
use burn::tensor::{IndexingUpdateOp, Int, Tensor, TensorData, TensorPrimitive};

/// Tensor of the framework around a backend's primitive.
pub fn wrap<B: Backend, const D: usize>(inner: FloatTensor<B>) -> Tensor<B, D> {
    Tensor::from_primitive(TensorPrimitive::Float(inner))
}

/// Primitive of the backend inside a tensor.
pub fn unwrap<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> FloatTensor<B> {
    tensor.into_primitive().tensor()
}

/// Rows of zeros with ones at the active indices, made on the device.
pub fn one_hot<B: Backend>(active: Tensor<B, 2, Int>, inputs: usize) -> Tensor<B, 2> {
    let [rows, groups] = active.dims();
    let device = active.device();
    Tensor::zeros([rows, inputs], &device).scatter(
        1,
        active,
        Tensor::ones([rows, groups], &device),
        IndexingUpdateOp::Add,
    )
}

/// Rows of active indices on a device, `[rows, groups]`.
pub fn active_rows<B: Backend>(
    active: &[u32],
    groups: usize,
    device: &B::Device,
) -> Tensor<B, 2, Int> {
    let data: Vec<i32> = active.iter().map(|&index| index as i32).collect();
    Tensor::from_data(TensorData::new(data, [active.len() / groups, groups]), device)
}

/// Numbers of a tensor in row-major order, copied from the device.
pub fn floats<B: Backend, const D: usize>(tensor: Tensor<B, D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().into_vec().expect("they are f32")
}
