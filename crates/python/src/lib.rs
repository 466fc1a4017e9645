//! The compiled module of the Python package: `unriddle._native`.
//!
//! Requests and jobs have the form of the page's interface ([`unriddle_studio::api`]): JSON in,
//! JSON out. States are arrays of numpy (`space`). The modules in `python/unriddle` make typed
//! classes of both.

mod evaluator;
mod job;
mod space;

use pyo3::{create_exception, exceptions::PyValueError, prelude::*};
use std::sync::OnceLock;
use unriddle::catalog::{Files, Objection, Registry, Request, Spec, validate::Inquiry};
use unriddle_studio::api::{Api, Refusal};

create_exception!(
    _native,
    Refused,
    PyValueError,
    "A text, a name or an array that does not fit. Attributes: field, line, column."
);

/// The requests about all puzzles.
fn api() -> &'static Api {
    static API: OnceLock<Api> = OnceLock::new();
    API.get_or_init(|| Api::new(unriddle::registry().with_files(Files::DISK)))
}

fn registry() -> &'static Registry {
    api().registry()
}

/// The exception of a refusal. Its attributes are the fields of the refusal, such as `line` and
/// `column`.
fn refused(py: Python<'_>, refusal: &Refusal) -> PyErr {
    let fields = serde_json::to_value(refusal).unwrap_or_default();
    let message = fields["message"].as_str().unwrap_or_default().to_owned();
    let error = Refused::new_err(message);
    for name in ["field", "line", "column"] {
        let value = match &fields[name] {
            serde_json::Value::String(text) => text.into_pyobject(py).map(Bound::into_any).ok(),
            serde_json::Value::Number(number) => number
                .as_u64()
                .and_then(|number| number.into_pyobject(py).map(Bound::into_any).ok()),
            _ => None,
        };
        // An exception without an attribute is still the right exception.
        let _ = error.value(py).setattr(name, value);
    }
    error
}

/// An exception without a line and a column.
fn wrong(message: impl std::fmt::Display) -> PyErr {
    Refused::new_err(message.to_string())
}

/// Answers a request, whose fields are an object in JSON, by JSON.
#[pyfunction]
fn ask(py: Python<'_>, verb: &str, fields: &str) -> PyResult<String> {
    let fields = serde_json::from_str(fields).map_err(wrong)?;
    let answer = py.detach(|| api().answer(verb, fields));
    answer.map(|answer| answer.to_string()).map_err(|refusal| refused(py, &refusal))
}

/// Replays a solution by the independent checker: its value and the number of its actions.
#[pyfunction]
fn check(py: Python<'_>, puzzle: &str, instance: &str, solution: &str) -> PyResult<(i64, u64)> {
    py.detach(|| registry().verify(puzzle, instance, solution))
        .map_err(|objection: Objection| wrong(objection))
}

/// Figures of the states around a solution, in JSON: branching, dead ends, optimal solutions. Each
/// figure enumerates `states` states at most.
#[pyfunction]
#[pyo3(signature = (puzzle, instance, solver, solution, *, optimum=None, states=10_000))]
fn structure(
    py: Python<'_>,
    puzzle: &str,
    instance: &str,
    solver: &str,
    solution: &str,
    optimum: Option<i64>,
    states: u64,
) -> PyResult<String> {
    let (_, puzzle) = registry().puzzle(puzzle).map_err(wrong)?;
    let instance = puzzle.load(instance).map_err(wrong)?;
    instance.along(solution, &mut |_| ()).map_err(wrong)?;
    let solver = match instance.preset(solver) {
        Some(solver) => solver,
        None => Spec::parse(solver).map_err(wrong)?,
    };
    let cache = job::cache(None, None);
    let request = Request::new(&solver, &cache);
    let inquiry =
        Inquiry { request: &request, solution: Some(solution), optimum, states, plays: 100 };
    let found = py.detach(|| instance.structure(&inquiry));
    let found = found.ok_or_else(|| wrong("a puzzle without states has no such figures"))?;
    serde_json::to_string(&found).map_err(wrong)
}

/// The version of the package.
#[pyfunction]
const fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The compiled part of the package `unriddle`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("Refused", module.py().get_type::<Refused>())?;
    module.add_class::<job::Job>()?;
    module.add_class::<space::Space>()?;
    module.add_function(wrap_pyfunction!(ask, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(structure, module)?)?;
    module.add_function(wrap_pyfunction!(version, module)?)
}
