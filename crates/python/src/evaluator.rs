//! A Python function that estimates states for a search.

use numpy::{PyArray1, PyArrayMethods as _, PyReadonlyArrayDyn, PyUntypedArrayMethods as _};
use pyo3::{prelude::*, types::IntoPyDict as _};
use std::sync::{Mutex, PoisonError};
use unriddle::catalog::{Cancel, arrays::Evaluator};

/// A Python function from an array of states to an array of estimates.
pub(crate) struct Callable {
    pub(crate) function: Py<PyAny>,
    pub(crate) outputs: usize,
    /// Ends the search after an exception.
    pub(crate) cancel: Cancel,
    /// The first exception of the function.
    pub(crate) raised: Mutex<Option<PyErr>>,
}

impl Callable {
    /// The first exception of the function, once.
    pub(crate) fn take_raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Calls the function with an array of shape `[n, width]`, which takes over the rows.
    fn call(&self, py: Python<'_>, rows: Vec<u8>, width: usize, out: &mut [f32]) -> PyResult<()> {
        let states = rows.len().checked_div(width).unwrap_or_default();
        let array = PyArray1::from_vec(py, rows).reshape([states, width])?;
        let result = self.function.bind(py).call1((array,))?;
        let estimates = match result.extract::<PyReadonlyArrayDyn<'_, f32>>() {
            Ok(estimates) => estimates,
            // Other numbers, lists and tensors, which numpy reads.
            Err(_) => {
                let numpy = py.import("numpy")?;
                let kind = [("dtype", "float32")].into_py_dict(py)?;
                numpy.call_method("asarray", (result,), Some(&kind))?.extract()?
            }
        };
        let expected = states * self.outputs;
        let of_actions = self.outputs > 1;
        let fits = match *estimates.shape() {
            [n] => !of_actions && n == states,
            [n, each] => n == states && each == self.outputs,
            _ => false,
        };
        if !fits {
            let shape = match of_actions {
                true => format!("({states}, {})", self.outputs),
                false => format!("({states},)"),
            };
            return Err(super::wrong(format!(
                "the function returned an array of shape {:?}: expected {shape}",
                estimates.shape()
            )));
        }
        let array = estimates.as_array();
        out.iter_mut().zip(array.iter()).take(expected).for_each(|(out, &h)| *out = h);
        match out.iter().position(|h| h.is_nan()) {
            None => Ok(()),
            Some(at) => {
                Err(super::wrong(format!("the estimate of state {} is NaN", at / self.outputs)))
            }
        }
    }
}

impl Evaluator for Callable {
    fn outputs(&self) -> usize {
        self.outputs
    }

    fn evaluate(&self, rows: Vec<u8>, width: usize, out: &mut [f32]) {
        // The search reads numbers until it sees that it is cancelled.
        out.fill(0.0);
        if self.cancel.is_cancelled() {
            return;
        }
        // Nothing is called any more while the interpreter ends.
        let called = Python::try_attach(|py| self.call(py, rows, width, out));
        if !matches!(called, Some(Ok(()))) {
            out.fill(0.0);
            self.cancel.cancel();
        }
        if let Some(Err(error)) = called {
            let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
            raised.get_or_insert(error);
        }
    }
}
