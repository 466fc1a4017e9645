//! The loop that has worker processes do the runs of a plan, and records their results.
//!
//! - A run is *finished* when it is committed, at most a second after its end. After a kill at any
//!   moment, the lab continues with the other runs when it is started again.
//! - Runs are *claimed* in the database before they are given to a worker, so that several labs
//!   share one plan. The claims of a lab that has gone are free.
//! - A worker does its runs in the order in which it got them. If its process ends, the first
//!   unanswered run is to blame, and the others are given out again.
//! - Runs are given to a worker one at a time, or, where they take less than milliseconds, several
//!   at a time, so that no worker waits for its next one.

mod memory;
pub(crate) mod pool;
pub use pool::machine;
mod protocol;
pub mod worker;

use crate::{
    error::LabError,
    experiment::{Engine, Limits},
    plan::{Plan, Task},
    row::{Failure, Key, Row, Status},
    store::{Owner, Store},
};
use pool::{Heard, Meter, Worker};
use protocol::{Job, Message, PROTOCOL};
use std::{
    collections::{HashMap, VecDeque},
    ffi::OsString,
    path::PathBuf,
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use unriddle_catalog::{Cancel, Device};

/// A finished run waits at most this long for its commit.
const COMMIT: Duration = Duration::from_millis(800);
/// Number of finished runs that are committed at once.
const COMMIT_ROWS: usize = 2000;
/// Interval between two checks of the workers.
const WATCH: Duration = Duration::from_millis(100);
/// Time between two checks whether the runs of other labs are done.
const OTHERS: Duration = Duration::from_millis(500);
/// Amount of work that a worker should have in stock, to hide the latency of giving it more.
const STOCK: Duration = Duration::from_millis(4);
/// Time without a sign of life after which a worker counts as hanging, unless the experiment sets
/// another.
const HANG: Duration = Duration::from_secs(300);
/// Number of workers that end before they are ready after which the program itself counts as
/// broken.
const FALSE_STARTS: u32 = 3;

/// Command that starts a worker process.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// The program that records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// Git revision that it was built from, or `unknown`.
    pub revision: String,
    /// Whether it was built from files that differ from that revision.
    pub dirty: bool,
}

/// Settings of the lab.
pub struct Options {
    /// Number of concurrent workers.
    pub jobs: usize,
    /// Command that starts a worker.
    pub launch: Launch,
    /// The program that records.
    pub program: Program,
}

/// Receives the events of a call of [`run`].
pub trait Watcher {
    /// `asked` runs are asked for, of which `finished` are finished already.
    fn begin(&mut self, asked: usize, finished: usize);
    /// A run has ended (and will be committed soon).
    fn ended(&mut self, row: &Row);
    /// Runs were found to be finished by another lab.
    fn elsewhere(&mut self, runs: usize);
    /// A message that is worth a line of output.
    fn note(&mut self, text: &str);
}

/// The result of a call of [`run`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Runs that are finished now, of those asked for.
    pub finished: usize,
    /// Runs that are not finished.
    pub left: usize,
    /// Runs done by this call.
    pub ran: usize,
    /// Runs of this call that failed for a reason other than a limit, or that the checker refused.
    pub unexplained: usize,
    /// Whether the call was cancelled.
    pub cancelled: bool,
}

/// Milliseconds since 1970.
fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |d| d.as_millis() as i64)
}

/// Does all runs of `tasks` that are not finished.
///
/// # Errors
/// The database cannot be written (committed runs are safe), or workers cannot be started.
pub fn run(
    plan: &Plan,
    tasks: &[Task],
    store: &mut Store,
    options: &Options,
    cancel: &Cancel,
    watcher: &mut dyn Watcher,
) -> Result<Done, LabError> {
    let mut settled = store.finished(&plan.experiment.name)?;
    // Two solvers may be the same on some instance (presets may be): that is one run.
    let pending: VecDeque<usize> =
        (0..tasks.len()).filter(|&i| settled.insert(tasks[i].key)).collect();
    watcher.begin(tasks.len(), tasks.len() - pending.len());
    let mut done =
        Done { finished: tasks.len() - pending.len(), left: pending.len(), ..Done::default() };
    if pending.is_empty() {
        return Ok(done);
    }
    let owner = store.owner()?;
    let (to, from) = mpsc::channel();
    let mut lab = Lab {
        plan,
        tasks,
        index: tasks.iter().enumerate().map(|(i, task)| (task.key, i)).collect(),
        options,
        machine: pool::machine(),
        watcher,
        owner,
        pending,
        stock: VecDeque::new(),
        workers: Vec::new(),
        started: 0,
        false_starts: 0,
        ended: Vec::new(),
        oldest: Instant::now(),
        mean: None,
        meter: Meter::new(),
        to,
        done: &mut done,
    };
    let result = lab.all(store, &from, cancel);
    lab.workers.clear();
    // Even after an error, runs that have ended are kept if possible.
    let kept = lab.commit(store);
    let released = store.release(&lab.owner);
    result.and(kept).and(released)?;
    Ok(done)
}

struct Lab<'a> {
    plan: &'a Plan,
    tasks: &'a [Task],
    index: HashMap<Key, usize>,
    options: &'a Options,
    machine: String,
    watcher: &'a mut dyn Watcher,
    owner: Owner,
    /// Runs that are neither claimed by us nor known to be finished.
    pending: VecDeque<usize>,
    /// Runs claimed by us and not given to a worker yet.
    stock: VecDeque<usize>,
    workers: Vec<Worker>,
    started: u64,
    false_starts: u32,
    /// Runs that have ended and are not committed.
    ended: Vec<Row>,
    /// When the oldest of them ended.
    oldest: Instant,
    /// Mean wall time of recent runs.
    mean: Option<Duration>,
    meter: Meter,
    to: Sender<Heard>,
    done: &'a mut Done,
}

impl Lab<'_> {
    fn all(
        &mut self,
        store: &mut Store,
        from: &Receiver<Heard>,
        cancel: &Cancel,
    ) -> Result<(), LabError> {
        let mut watched = Instant::now();
        let mut asked = Instant::now() - OTHERS;
        let mut noted = false;
        loop {
            if cancel.is_cancelled() {
                self.done.cancelled = true;
                return Ok(());
            }
            let busy = self.workers.iter().any(|w| !w.given.is_empty());
            if self.stock.len() < self.ahead() && !self.pending.is_empty() {
                // Without runs to give out, the lab waits for the runs of other labs.
                if !busy || asked.elapsed() >= OTHERS || self.stock.is_empty() {
                    let took = self.claim(store)?;
                    if took == 0 && !busy && !self.pending.is_empty() {
                        if !std::mem::replace(&mut noted, true) {
                            let text = format!(
                                "another process is doing the last {} runs; waiting for it",
                                self.pending.len()
                            );
                            self.watcher.note(&text);
                        }
                        std::thread::sleep(OTHERS);
                    }
                    asked = Instant::now();
                }
            }
            self.give()?;
            let busy = self.workers.iter().any(|w| !w.given.is_empty());
            if !busy && self.stock.is_empty() && self.pending.is_empty() {
                return Ok(());
            }
            if !busy && self.stock.is_empty() {
                // Other labs are doing the remaining runs.
                continue;
            }
            match from.recv_timeout(WATCH.saturating_sub(watched.elapsed())) {
                Ok(heard) => {
                    self.hear(heard)?;
                    while let Ok(heard) = from.try_recv() {
                        self.hear(heard)?;
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            if watched.elapsed() >= WATCH {
                self.watch();
                watched = Instant::now();
            }
            let due = !self.ended.is_empty() && self.oldest.elapsed() >= COMMIT;
            if due || self.ended.len() >= COMMIT_ROWS {
                self.commit(store)?;
            }
        }
    }

    /// The number of runs that a worker should have been given.
    fn depth(&self) -> usize {
        let mean = self.mean.map_or(STOCK, |mean| mean.max(Duration::from_micros(50)));
        (STOCK.as_nanos() / mean.as_nanos()).clamp(1, 32) as usize
    }

    /// The number of claimed runs that should be in stock.
    fn ahead(&self) -> usize {
        self.options.jobs * self.depth()
    }

    /// Claims runs, about as many as half a second takes, and commits the ended ones at the same
    /// time.
    fn claim(&mut self, store: &mut Store) -> Result<usize, LabError> {
        let pace = self.mean.map_or(0, |mean| {
            let each = mean.max(Duration::from_micros(20)).as_secs_f64();
            (0.5 / each) as usize * self.options.jobs
        });
        let most = pace.clamp(self.ahead(), 20_000);
        let looked: Vec<Key> =
            self.pending.iter().take(most * 2 + 1000).map(|&i| self.tasks[i].key).collect();
        let name = &self.plan.experiment.name;
        let claims = store.claim(&self.owner, name, &looked, most, &self.ended)?;
        self.ended.clear();
        // The checked runs are at the front; runs that other labs do move to the back.
        let checked = claims.taken.len() + claims.recorded.len() + claims.busy.len();
        self.pending.drain(..checked);
        self.stock.extend(claims.taken.iter().map(|key| self.index[key]));
        self.pending.extend(claims.busy.iter().map(|key| self.index[key]));
        self.done.finished += claims.recorded.len();
        self.done.left -= claims.recorded.len();
        self.watcher.elsewhere(claims.recorded.len());
        Ok(claims.taken.len())
    }

    fn commit(&mut self, store: &mut Store) -> Result<(), LabError> {
        if !self.ended.is_empty() {
            store.record(Some(&self.owner), &self.ended)?;
            self.ended.clear();
        }
        Ok(())
    }

    /// Gives out runs in stock; starts workers as they are needed.
    fn give(&mut self) -> Result<(), LabError> {
        let busy = self.workers.iter().filter(|w| !w.given.is_empty()).count();
        let wanted = self.options.jobs.min(busy + self.stock.len());
        while self.workers.len() < wanted {
            self.started += 1;
            let worker = Worker::start(self.started, &self.options.launch, &self.to)?;
            self.workers.push(worker);
        }
        let depth = self.depth();
        // One by one in turn, so that a short stock is shared evenly.
        for level in 0..depth {
            for worker in &mut self.workers {
                if worker.given.len() > level || !worker.ready {
                    continue;
                }
                let Some(index) = self.stock.pop_front() else {
                    return Ok(());
                };
                let task = &self.tasks[index];
                let solver = &self.plan.experiment.solvers[task.solver];
                let job = Job {
                    row: self.plan.row(task),
                    limits: solver.limits.clone(),
                    is_on_gpu: self.plan.experiment.device == Device::Cuda,
                    peer: match &solver.engine {
                        Engine::Peer(path) => Some(path.clone()),
                        _ => None,
                    },
                };
                worker.give(index, &job);
            }
        }
        Ok(())
    }

    fn hear(&mut self, heard: Heard) -> Result<(), LabError> {
        let Some(place) = self.workers.iter().position(|w| w.number == heard.worker) else {
            // A last message of a worker that was ended.
            return Ok(());
        };
        let worker = &mut self.workers[place];
        worker.heard = Some(Instant::now());
        match heard.message {
            Some(Message::Ready(PROTOCOL)) => {
                worker.ready = true;
                self.false_starts = 0;
            }
            Some(Message::Ready(_)) => {
                return Err(LabError::Worker("it is of another version".to_owned()));
            }
            Some(Message::Alive) => {}
            Some(Message::Waiting) => worker.heard = None,
            Some(Message::Searching) => {
                let pid = worker.pid();
                worker.searching = self.meter.read(&[pid])[0].map(|(_, cpu)| cpu);
            }
            Some(Message::Note(text)) => self.watcher.note(&text),
            Some(Message::Done(row)) => {
                let (took, begun_ms) = (worker.begun.elapsed(), worker.begun_ms);
                let given = worker.given.pop_front();
                if given.is_none_or(|index| self.tasks[index].key != row.key) {
                    let message = "it answers a run that it was not given";
                    return Err(LabError::Worker(message.to_owned()));
                }
                worker.begin();
                // A running mean that adapts within some dozen runs.
                self.mean = Some(self.mean.map_or(took, |mean| (mean * 15 + took) / 16));
                self.finish(*row, begun_ms);
            }
            None => {
                let mut worker = self.workers.remove(place);
                let ready = worker.ready;
                let end = worker.end();
                if !ready {
                    self.false_starts += 1;
                    if self.false_starts >= FALSE_STARTS {
                        return Err(LabError::Worker(format!("it does not start: {end}")));
                    }
                }
                self.fail(worker, Failure::Crashed, &end);
            }
        }
        Ok(())
    }

    /// The worker's first run has failed; the others that it was given go back into stock.
    fn fail(&mut self, mut worker: Worker, failure: Failure, why: &str) {
        let first = worker.given.pop_front();
        for &index in worker.given.iter().rev() {
            self.stock.push_front(index);
        }
        if let Some(index) = first {
            let mut row = self.plan.row(&self.tasks[index]);
            row.status = Status::Failed;
            row.failure = Some(failure);
            row.reason = Some(why.to_owned());
            row.wall_s = Some(worker.begun.elapsed().as_secs_f64());
            self.finish(row, worker.begun_ms);
        }
    }

    fn finish(&mut self, mut row: Row, begun_ms: i64) {
        let program = &self.options.program;
        row.revision.clone_from(&program.revision);
        row.dirty = program.dirty;
        row.version.clone_from(&program.version);
        row.machine.clone_from(&self.machine);
        row.started_ms = begun_ms;
        self.done.finished += 1;
        self.done.left -= 1;
        self.done.ran += 1;
        self.done.unexplained += usize::from(row.is_unexplained());
        self.watcher.ended(&row);
        if self.ended.is_empty() {
            self.oldest = Instant::now();
        }
        self.ended.push(row);
    }

    /// Ends the workers whose run is beyond its limits.
    fn watch(&mut self) {
        let pids: Vec<_> = self.workers.iter().map(Worker::pid).collect();
        let read = self.meter.read(&pids);
        let verdict = |(worker, read): (&Worker, &Option<(u64, Duration)>)| {
            let task = &self.tasks[*worker.given.front()?];
            let limits = &self.plan.experiment.solvers[task.solver].limits;
            over(worker, limits, *read).map(|(failure, why)| (worker.number, failure, why))
        };
        let over: Vec<_> = self.workers.iter().zip(&read).filter_map(verdict).collect();
        for (number, failure, why) in over {
            if let Some(place) = self.workers.iter().position(|w| w.number == number) {
                let mut worker = self.workers.remove(place);
                worker.end();
                self.fail(worker, failure, &why);
            }
        }
    }
}

/// The limit that a worker's run is beyond, if any.
fn over(
    worker: &Worker,
    limits: &Limits,
    read: Option<(u64, Duration)>,
) -> Option<(Failure, String)> {
    let hang = limits.hang.unwrap_or(HANG);
    if worker.heard.is_some_and(|heard| heard.elapsed() > hang) {
        return Some((Failure::Hung, format!("no sign of life for {} s", hang.as_secs_f64())));
    }
    let (resident, cpu) = read?;
    // A search that accounts for its memory may need some more for the program itself.
    let most = limits.resident.or(limits.memory.map(|m| m + m / 4 + (512 << 20)));
    if let Some(most) = most.filter(|&most| resident > most) {
        let text = format!("{resident} bytes resident, where {most} are allowed");
        return Some((Failure::Memory, text));
    }
    // The search ends of itself at its limit, unless it never looks.
    let spent = cpu.saturating_sub(worker.searching?);
    let most = limits.cpu? * 2 + Duration::from_secs(10);
    (spent > most).then(|| (Failure::Cpu, format!("{} s of CPU time", spent.as_secs())))
}
