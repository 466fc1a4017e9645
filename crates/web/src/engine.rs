//! Requests and answers of the engine, without anything of WebAssembly.
//!
//! A request has its name in the field `verb`. Four requests are about jobs: `begin`, `step`,
//! `cancel` and `close`. Two requests are about tables that the host keeps: `wanted` and `tables`.
//! [`Api`] answers all others.

use crate::kept::{Kept, Wanted};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};
use unriddle::catalog::{
    Registry,
    tables::{
        Cache,
        cache::{Event, Policy},
    },
};
use unriddle_studio::api::{Api, JobRun, Most, Prepared, Refusal};

/// A request about jobs or tables.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "verb", rename_all = "lowercase", deny_unknown_fields)]
enum Verb {
    /// Begins a job; nothing is searched before the first step.
    Begin {
        /// The job.
        job: Value,
    },
    /// Lets a job expand at most `expansions` more states, for about five milliseconds.
    Step {
        /// Name of the job.
        job: String,
        /// Most states to expand.
        expansions: u64,
    },
    /// Ends a job at its next step; its end has the best solution so far.
    Cancel {
        /// Name of the job.
        job: String,
    },
    /// Forgets a job.
    Close {
        /// Name of the job.
        job: String,
    },
    /// Lists keys of tables that a job would read and that the engine does not have. A table that
    /// is not known before another one is built is not listed.
    Wanted {
        /// The job.
        job: Value,
    },
    /// Lists the tables that were built since the last such request, for the host to keep.
    Tables {},
}

/// Memory of a job: a module has four gigabytes at most, of which a browser may give fewer.
const MEMORY: u64 = 3 << 29;

/// The engine: puzzles, running jobs, and the tables that they have built.
pub struct Engine {
    api: Api,
    cache: Cache,
    kept: Arc<Kept>,
    jobs: HashMap<String, JobRun>,
    last: u32,
}

impl Engine {
    /// An engine with the puzzles of a registry.
    #[must_use]
    pub fn new(registry: Registry) -> Self {
        let kept = Arc::<Kept>::default();
        let cache = Cache::new(None, 1, Policy::Reuse).with_store(Arc::<Kept>::clone(&kept));
        Self { api: Api::new(registry), cache, kept, jobs: HashMap::new(), last: 0 }
    }

    /// Answers a request in JSON by JSON. A refusal is an object with the only field `error`.
    pub fn call(&mut self, request: &str) -> String {
        let answer = self.answer(request);
        let answer = answer.unwrap_or_else(|refusal| json!({ "error": refusal }));
        answer.to_string()
    }

    /// Provides the bytes of a table that an earlier engine has built.
    pub fn keep(&self, key: &str, bytes: Vec<u8>) {
        self.kept.give(key, bytes);
    }

    /// Tables that the host keeps.
    #[must_use]
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    fn answer(&mut self, request: &str) -> Result<Value, Refusal> {
        let refused = |error: serde_json::Error| Refusal::new(format!("request: {error}"));
        let request: Value = serde_json::from_str(request).map_err(refused)?;
        let verb = request["verb"].as_str().unwrap_or_default();
        if !["begin", "step", "cancel", "close", "wanted", "tables"].contains(&verb) {
            let verb = verb.to_owned();
            return self.api.answer(&verb, request);
        }
        Ok(match serde_json::from_value(request).map_err(refused)? {
            Verb::Begin { job } => {
                let prepared = self.prepare(job)?;
                self.last += 1;
                let name = self.last.to_string();
                self.jobs.insert(name.clone(), prepared.begin(self.cache.within(Some(MEMORY))));
                json!({ "job": name })
            }
            Verb::Step { job, expansions } => {
                let run = self.job(&job)?;
                let events = run.step(expansions);
                json!({ "events": events, "ended": run.has_ended(), "expanded": run.stats().expanded })
            }
            Verb::Cancel { job } => {
                self.job(&job)?.cancel();
                json!({})
            }
            Verb::Close { job } => {
                self.job(&job)?;
                self.jobs.remove(&job);
                json!({})
            }
            Verb::Wanted { job } => json!({ "tables": self.wanted(job)? }),
            Verb::Tables {} => json!({ "tables": self.kept.built() }),
        })
    }

    fn prepare(&self, job: Value) -> Result<Prepared, Refusal> {
        self.api.prepare(job, &Most { memory: Some(MEMORY), ..Most::default() })
    }

    /// Keys of tables that a job would read: the job is begun with a cache that builds none.
    fn wanted(&self, job: Value) -> Result<Vec<String>, Refusal> {
        let wanted = Wanted { kept: Arc::clone(&self.kept), keys: Mutex::default() };
        let wanted = Arc::new(wanted);
        let cache = self.cache.within(Some(MEMORY)).with_store(Arc::<Wanted>::clone(&wanted));
        let cache =
            cache.with_observer(Box::new(|_, event| !matches!(event, Event::Building { .. })));
        // One step: a job whose tables are there is begun for nothing.
        self.prepare(job)?.begin(cache).step(1);
        Ok(wanted.keys())
    }

    fn job(&mut self, name: &str) -> Result<&mut JobRun, Refusal> {
        let none = || Refusal::new(format!("there is no job {name}"));
        self.jobs.get_mut(name).ok_or_else(none)
    }
}
