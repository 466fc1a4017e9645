//! The states of an instance as arrays of numpy.

use super::{registry, wrong};
use numpy::{
    PyArray, PyArrayDyn, PyArrayMethods as _, PyReadonlyArrayDyn, PyUntypedArrayMethods as _,
};
use pyo3::prelude::*;
use unriddle::catalog::{
    AnyPuzzle,
    arrays::{ArrayError, Arrays, Children},
};

/// The states of an instance. A state is a row of `width` bytes: the last axis of every array of
/// states.
#[pyclass(frozen, module = "unriddle._native")]
pub(crate) struct Space {
    puzzle: Box<dyn AnyPuzzle>,
    arrays: Box<dyn Arrays>,
}

/// An array of states as a slice, and the axes before the last one.
struct States<'a> {
    rows: &'a [u8],
    axes: Vec<usize>,
}

impl Space {
    /// The arrays of an instance.
    fn of(puzzle: &dyn AnyPuzzle, instance: &str) -> PyResult<Box<dyn Arrays>> {
        let instance = puzzle.load(instance).map_err(wrong)?;
        instance.arrays().ok_or_else(|| {
            wrong(format!("`{}` declares no rows: its states are no arrays", puzzle.spec()))
        })
    }

    /// Checks the shape of an array of states.
    fn states<'a>(&self, states: &'a PyReadonlyArrayDyn<'_, u8>) -> PyResult<States<'a>> {
        let width = self.arrays.width();
        let shape = states.shape();
        match shape.split_last() {
            Some((&last, axes)) if last == width => {
                let rows = states.as_slice().map_err(|_| {
                    wrong(
                        "the array of states is not contiguous: numpy.ascontiguousarray copies it",
                    )
                })?;
                Ok(States { rows, axes: axes.to_vec() })
            }
            _ => Err(wrong(format!(
                "the array of states has shape {shape:?}: expected {width} bytes on the last axis"
            ))),
        }
    }
}

/// A new array of zeros with further axes.
fn zeros<'py, T: numpy::Element>(
    py: Python<'py>,
    axes: &[usize],
    more: &[usize],
) -> Bound<'py, PyArrayDyn<T>> {
    PyArray::zeros(py, [axes, more].concat(), false)
}

/// Children of states: their rows, whether each action is legal, and the costs of actions.
type Expanded<'py> =
    (Bound<'py, PyArrayDyn<u8>>, Bound<'py, PyArrayDyn<bool>>, Bound<'py, PyArrayDyn<u32>>);

/// The elements of a new array, which nothing else refers to.
fn elements<'a, T: numpy::Element>(
    array: &'a mut Bound<'_, PyArrayDyn<T>>,
) -> PyResult<&'a mut [T]> {
    // SAFETY: callers pass arrays that they have just made: no other reference to the elements
    // exists.
    unsafe { array.as_slice_mut() }.map_err(wrong)
}

fn of_array(error: ArrayError) -> PyErr {
    wrong(error)
}

#[pymethods]
impl Space {
    #[new]
    fn new(puzzle: &str, instance: &str) -> PyResult<Self> {
        let (_, puzzle) = registry().puzzle(puzzle).map_err(wrong)?;
        let arrays = Self::of(&*puzzle, instance)?;
        Ok(Self { puzzle, arrays })
    }

    /// Spec of the puzzle.
    #[getter]
    fn puzzle(&self) -> String {
        self.puzzle.spec()
    }

    /// Length of a row, in bytes.
    #[getter]
    fn width(&self) -> usize {
        self.arrays.width()
    }

    /// Number of values of a byte.
    #[getter]
    fn values(&self) -> usize {
        self.arrays.values()
    }

    /// Rows and columns of the board whose cells the bytes are; `None` if they form no board.
    #[getter]
    fn board(&self) -> Option<(usize, usize)> {
        self.arrays.board().map(|[rows, columns]| (rows, columns))
    }

    /// Number of different actions of all states together.
    #[getter]
    fn actions(&self) -> usize {
        self.arrays.actions()
    }

    /// The initial state: uint8 `[width]`.
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let mut row = zeros(py, &[], &[self.arrays.width()]);
        self.arrays.start(elements(&mut row)?);
        Ok(row)
    }

    /// The initial states of instances: uint8 `[n, width]`.
    #[expect(clippy::needless_pass_by_value, reason = "an argument from Python")]
    fn parse<'py>(
        &self,
        py: Python<'py>,
        instances: Vec<String>,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let width = self.arrays.width();
        let mut rows = zeros(py, &[instances.len()], &[width]);
        let into = elements(&mut rows)?.chunks_exact_mut(width.max(1));
        for (index, (text, row)) in instances.iter().zip(into).enumerate() {
            let of_this = |why: &dyn std::fmt::Display| wrong(format!("instance {index}: {why}"));
            let arrays = Self::of(&*self.puzzle, text).map_err(|why| of_this(&why))?;
            if arrays.width() != width {
                let found = arrays.width();
                return Err(of_this(&format!("its rows have {found} bytes: expected {width}")));
            }
            arrays.start(row);
            self.arrays.goals(row, &mut [false]).map_err(|why| of_this(&why))?;
        }
        Ok(rows)
    }

    /// The states as texts, each an instance that begins there.
    #[expect(clippy::needless_pass_by_value, reason = "an argument from Python")]
    fn text(&self, states: PyReadonlyArrayDyn<'_, u8>) -> PyResult<Vec<String>> {
        let rows = self.states(&states)?.rows.chunks_exact(self.arrays.width().max(1));
        rows.map(|row| self.arrays.text(row)).collect::<Result<_, _>>().map_err(of_array)
    }

    /// The solution text of actions from a state.
    #[expect(clippy::needless_pass_by_value, reason = "an argument from Python")]
    fn line(&self, state: PyReadonlyArrayDyn<'_, u8>, actions: Vec<u16>) -> PyResult<String> {
        let States { rows, axes } = self.states(&state)?;
        if axes.iter().product::<usize>() != 1 {
            return Err(wrong("expected one state"));
        }
        self.arrays.line(rows, &actions).map_err(of_array)
    }

    /// Expands states of shape `[…, width]`: children uint8 `[…, actions, width]`, legal bool
    /// `[…, actions]` and costs uint32 `[…, actions]`. Entries of illegal actions are 0.
    #[expect(clippy::needless_pass_by_value, reason = "an argument from Python")]
    fn expand<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArrayDyn<'py, u8>,
    ) -> PyResult<Expanded<'py>> {
        let States { rows, axes } = self.states(&states)?;
        let (actions, width) = (self.arrays.actions(), self.arrays.width());
        let mut children = zeros(py, &axes, &[actions, width]);
        let mut legal = zeros(py, &axes, &[actions]);
        let mut costs = zeros(py, &axes, &[actions]);
        let into = Children {
            rows: elements(&mut children)?,
            legal: elements(&mut legal)?,
            costs: elements(&mut costs)?,
        };
        py.detach(|| self.arrays.expand(rows, into)).map_err(of_array)?;
        Ok((children, legal, costs))
    }

    /// Whether each action is legal: bool `[…, actions]`.
    #[expect(clippy::needless_pass_by_value, reason = "an argument from Python")]
    fn legal<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArrayDyn<'py, u8>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let States { rows, axes } = self.states(&states)?;
        let mut legal = zeros(py, &axes, &[self.arrays.actions()]);
        let into = elements(&mut legal)?;
        py.detach(|| self.arrays.legal(rows, into)).map_err(of_array)?;
        Ok(legal)
    }

    /// The states after one action each: uint8 `[…, width]`.
    #[expect(clippy::needless_pass_by_value, reason = "arguments from Python")]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArrayDyn<'py, u8>,
        actions: PyReadonlyArrayDyn<'py, u16>,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let States { rows, axes } = self.states(&states)?;
        if actions.shape() != axes {
            let found = actions.shape();
            return Err(wrong(format!("actions have shape {found:?}: expected {axes:?}")));
        }
        let actions = actions.as_slice().map_err(wrong)?;
        let mut after = zeros(py, &axes, &[self.arrays.width()]);
        let into = elements(&mut after)?;
        into.copy_from_slice(rows);
        py.detach(|| self.arrays.apply(into, actions)).map_err(of_array)?;
        Ok(after)
    }

    /// Whether each state is a goal: bool `[…]`.
    #[expect(clippy::needless_pass_by_value, reason = "an argument from Python")]
    fn is_goal<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArrayDyn<'py, u8>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        let States { rows, axes } = self.states(&states)?;
        let mut goals = zeros(py, &axes, &[]);
        let into = elements(&mut goals)?;
        py.detach(|| self.arrays.goals(rows, into)).map_err(of_array)?;
        Ok(goals)
    }

    /// The active index of each byte's one-hot group: int32 `[…, width]`, below `width * values`.
    #[expect(clippy::needless_pass_by_value, reason = "an argument from Python")]
    fn features<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArrayDyn<'py, u8>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i32>>> {
        let States { rows, axes } = self.states(&states)?;
        let (width, values) = (self.arrays.width().max(1), self.arrays.values());
        let mut indices = zeros::<i32>(py, &axes, &[width]);
        let into = elements(&mut indices)?;
        py.detach(|| {
            for (row, into) in rows.chunks_exact(width).zip(into.chunks_exact_mut(width)) {
                for (at, (&byte, into)) in row.iter().zip(into).enumerate() {
                    *into = (at * values) as i32 + i32::from(byte);
                }
            }
        });
        Ok(indices)
    }

    /// The states after random walks back from a goal, a walk for each number of steps: uint8
    /// `[n, width]`.
    #[expect(clippy::needless_pass_by_value, reason = "an argument from Python")]
    fn random_walk<'py>(
        &self,
        py: Python<'py>,
        steps: PyReadonlyArrayDyn<'py, u64>,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let mut ends = zeros(py, steps.shape(), &[self.arrays.width()]);
        let (steps, into) = (steps.as_slice().map_err(wrong)?, elements(&mut ends)?);
        py.detach(|| self.arrays.walks(steps, seed, into));
        Ok(ends)
    }
}
