//! Requests and answers of the engine, without anything of WebAssembly.
//!
//! A request has its name in the field `verb`. Four requests are about jobs: `begin`, `step`,
//! `cancel` and `close`; [`Api`] answers all others.

use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use unriddle::catalog::{
    Registry,
    tables::{Cache, cache::Policy},
};
use unriddle_studio::api::{Api, JobRun, Most, Refusal};

/// A request about a job.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "verb", rename_all = "lowercase", deny_unknown_fields)]
enum JobVerb {
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
}

/// Memory of a job: a module has four gigabytes at most, of which a browser may give fewer.
const MEMORY: u64 = 3 << 29;

/// The engine: puzzles, running jobs, and the tables that they have built.
pub struct Engine {
    api: Api,
    cache: Cache,
    jobs: HashMap<String, JobRun>,
    last: u32,
}

impl Engine {
    /// An engine with the puzzles of a registry.
    #[must_use]
    pub fn new(registry: Registry) -> Self {
        let cache = Cache::new(None, 1, Policy::Reuse);
        Self { api: Api::new(registry), cache, jobs: HashMap::new(), last: 0 }
    }

    /// Answers a request in JSON by JSON. A refusal is an object with the only field `error`.
    pub fn call(&mut self, request: &str) -> String {
        let answer = self.answer(request);
        let answer = answer.unwrap_or_else(|refusal| json!({ "error": refusal }));
        answer.to_string()
    }

    fn answer(&mut self, request: &str) -> Result<Value, Refusal> {
        let refused = |error: serde_json::Error| Refusal::new(format!("request: {error}"));
        let request: Value = serde_json::from_str(request).map_err(refused)?;
        let verb = request["verb"].as_str().unwrap_or_default();
        if !["begin", "step", "cancel", "close"].contains(&verb) {
            let verb = verb.to_owned();
            return self.api.answer(&verb, request);
        }
        Ok(match serde_json::from_value(request).map_err(refused)? {
            JobVerb::Begin { job } => {
                let prepared =
                    self.api.prepare(job, &Most { memory: Some(MEMORY), ..Most::default() })?;
                self.last += 1;
                let name = self.last.to_string();
                self.jobs.insert(name.clone(), prepared.begin(self.cache.within(Some(MEMORY))));
                json!({ "job": name })
            }
            JobVerb::Step { job, expansions } => {
                let run = self.job(&job)?;
                let events = run.step(expansions);
                json!({ "events": events, "ended": run.has_ended(), "expanded": run.stats().expanded })
            }
            JobVerb::Cancel { job } => {
                self.job(&job)?.cancel();
                json!({})
            }
            JobVerb::Close { job } => {
                self.job(&job)?;
                self.jobs.remove(&job);
                json!({})
            }
        })
    }

    fn job(&mut self, name: &str) -> Result<&mut JobRun, Refusal> {
        let none = || Refusal::new(format!("there is no job {name}"));
        self.jobs.get_mut(name).ok_or_else(none)
    }
}
