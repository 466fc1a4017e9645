//! Jobs in a thread of their own: solves, reviews and validations.

use super::{api, evaluator::Callable, refused, wrong};
use pyo3::prelude::*;
use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};
use unriddle::catalog::{
    Cancel,
    arrays::Evaluator,
    tables::{Cache, cache::Policy},
};
use unriddle_studio::api::Most;

/// States that a job may expand before it looks for events; steps end after milliseconds anyway.
const STEP: u64 = u64::MAX;

/// Interval at which a waiting call looks for Ctrl-C.
const INTERVAL: Duration = Duration::from_millis(50);

/// The tables of the process, in a folder or in memory only, for a job with a limit of memory.
pub(crate) fn cache(folder: Option<PathBuf>, memory: Option<u64>) -> Cache {
    static CACHES: Mutex<BTreeMap<Option<PathBuf>, Cache>> = Mutex::new(BTreeMap::new());
    let mut caches = CACHES.lock().unwrap_or_else(PoisonError::into_inner);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let policy = if folder.is_some() { Policy::default() } else { Policy::Reuse };
    let cache = caches
        .entry(folder)
        .or_insert_with_key(|folder| Cache::new(folder.clone(), threads, policy));
    cache.within(memory)
}

/// A job that runs in a thread of its own. It is cancelled when nobody refers to it any more.
#[pyclass(frozen, module = "unriddle._native")]
pub(crate) struct Job {
    events: Mutex<Receiver<String>>,
    cancel: Cancel,
    callable: Option<Arc<Callable>>,
}

#[pymethods]
impl Job {
    /// Begins a job, which is an object in JSON.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "keywords of a function of Python's")]
    #[pyo3(signature = (job, *, threads=1, memory=None, cache=None, heuristic=None, policy=None, actions=0))]
    fn new(
        py: Python<'_>,
        job: &str,
        threads: usize,
        memory: Option<u64>,
        cache: Option<PathBuf>,
        heuristic: Option<Py<PyAny>>,
        policy: Option<Py<PyAny>>,
        actions: usize,
    ) -> PyResult<Self> {
        let job = serde_json::from_str(job).map_err(wrong)?;
        let most = Most { threads: threads.max(1), memory, ..Most::default() };
        let prepared = py.detach(|| api().prepare(job, &most));
        let mut prepared = prepared.map_err(|refusal| refused(py, &refusal))?;
        let cancel = prepared.cancel();
        let function = match (heuristic, policy) {
            (Some(_), Some(_)) => return Err(wrong("give `heuristic` or `policy`, not both")),
            (Some(function), None) => Some((function, 1)),
            (None, Some(function)) => Some((function, actions)),
            (None, None) => None,
        };
        let callable = function.map(|(function, outputs)| {
            let cancel = cancel.clone();
            Arc::new(Callable { function, outputs, cancel, raised: Mutex::default() })
        });
        if let Some(callable) = &callable {
            let evaluator: Arc<dyn Evaluator> = Arc::<Callable>::clone(callable);
            prepared = prepared.with_evaluator(evaluator);
        }
        let (sender, events) = channel();
        let tables = self::cache(cache, memory);
        thread::spawn(move || {
            let mut run = prepared.begin(tables);
            while !run.has_ended() {
                for event in run.step(STEP) {
                    let text = serde_json::to_string(&event).unwrap_or_default();
                    if sender.send(text).is_err() {
                        // Nobody listens.
                        run.cancel();
                    }
                }
            }
        });
        Ok(Self { events: Mutex::new(events), cancel, callable })
    }

    /// The next event in JSON; `None` after the last one. Raises the exception of the function that
    /// estimates states when all events have been read.
    fn next(&self, py: Python<'_>) -> PyResult<Option<String>> {
        loop {
            let received = py.detach(|| {
                let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
                events.recv_timeout(INTERVAL)
            });
            match received {
                Ok(event) => return Ok(Some(event)),
                Err(RecvTimeoutError::Timeout) => {
                    py.check_signals().inspect_err(|_| self.cancel.cancel())?;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match self.callable.as_ref().and_then(|callable| callable.take_raised()) {
            Some(raised) => Err(raised),
            None => Ok(None),
        }
    }

    /// Ends the job soon; its last event has the best solution so far.
    fn cancel(&self) {
        self.cancel.cancel();
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
