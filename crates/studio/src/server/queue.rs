//! The queue of jobs: a bounded number runs, a bounded number waits, ended ones are kept a while.

use super::{
    Limits,
    failure::Failure,
    job::{Job, lock},
    results::Results,
    secret,
    work::Work,
};
use axum::http::StatusCode;
use std::{
    collections::{HashMap, VecDeque},
    mem::take,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
    thread,
    time::Instant,
};
use unriddle_catalog::{tables::Cache, units::printable};

/// Stack of a thread that solves.
pub(super) const STACK: usize = 8 << 20;

/// Bytes of the requests of all waiting jobs.
const BYTES: usize = 128 << 20;

/// Jobs of a server.
pub(super) struct Queue {
    limits: Limits,
    cache: Cache,
    results: Arc<Results>,
    board: Mutex<Board>,
}

/// State of all jobs.
#[derive(Default)]
struct Board {
    jobs: HashMap<String, Arc<Job>>,
    waiting: VecDeque<(Arc<Job>, Work)>,
    /// Number of jobs that run.
    running: usize,
    /// Ended jobs, in the order of their ends.
    ended: VecDeque<(Instant, String)>,
    /// Whether the server stops: no job begins any more.
    is_closed: bool,
}

impl Queue {
    /// Queue without jobs.
    pub(super) fn new(limits: Limits, cache: Cache, results: Arc<Results>) -> Self {
        Self { limits, cache, results, board: Mutex::default() }
    }

    /// Begins a job, or lets it wait for others. Returns its name.
    ///
    /// # Errors
    /// The queue is full, or the server stops.
    pub(super) fn add(self: &Arc<Self>, work: Work) -> Result<String, Failure> {
        let id = secret::name();
        let id = id.map_err(|error| Failure::internal(format!("no random name: {error}")))?;
        let job = Arc::new(Job::new(id.clone(), work.cancel(), self.limits.events));
        let mut board = lock(&self.board);
        if board.is_closed {
            let message = "the server is stopping; start it again to solve";
            return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        let bytes: usize = board.waiting.iter().map(|(_, work)| work.bytes()).sum();
        let is_full = board.waiting.len() >= self.limits.waiting || bytes + work.bytes() > BYTES;
        if board.running >= self.limits.jobs && is_full {
            let message = format!(
                "{} jobs run and {} wait, which is the limit of this server; try again later",
                board.running,
                board.waiting.len()
            );
            return Err(Failure::new(StatusCode::TOO_MANY_REQUESTS, message));
        }
        board.jobs.insert(id.clone(), Arc::clone(&job));
        if board.running < self.limits.jobs {
            board.running += 1;
            self.start(&mut board, job, work);
        } else {
            let before = board.running + board.waiting.len();
            job.note(&waiting(before));
            board.waiting.push_back((job, work));
        }
        Ok(id)
    }

    /// The job with a name.
    pub(super) fn get(&self, id: &str) -> Option<Arc<Job>> {
        lock(&self.board).jobs.get(id).cloned()
    }

    /// Cancels a job. A waiting job ends at once; a running one ends after its next step.
    pub(super) fn cancel(&self, job: &Job) {
        job.cancel();
        let mut board = lock(&self.board);
        if let Some(place) = board.waiting.iter().position(|(other, _)| other.id == job.id) {
            board.waiting.remove(place);
            job.end(None);
            board.ended.push_back((Instant::now(), job.id.clone()));
            board.notify_waiting();
        }
    }

    /// Cancels the jobs that nobody listens to, and forgets ended ones.
    pub(super) fn sweep(&self) {
        let unheard: Vec<Arc<Job>> = {
            let board = lock(&self.board);
            let is_unheard = |job: &&Arc<Job>| {
                !job.has_ended() && !job.is_cancelled() && job.is_unheard(self.limits.unheard)
            };
            board.jobs.values().filter(is_unheard).cloned().collect()
        };
        unheard.iter().for_each(|job| self.cancel(job));
        let mut board = lock(&self.board);
        while let Some((when, _)) = board.ended.front()
            && (board.ended.len() > self.limits.ended || when.elapsed() > self.limits.kept)
        {
            if let Some((_, id)) = board.ended.pop_front() {
                board.jobs.remove(&id);
            }
        }
    }

    /// Cancels all jobs and accepts no more.
    pub(super) fn close(&self) {
        let mut board = lock(&self.board);
        board.is_closed = true;
        for (job, _) in take(&mut board.waiting) {
            job.cancel();
            job.end(None);
        }
        board.jobs.values().for_each(|job| job.cancel());
    }

    /// Whether every job has its end event.
    pub(super) fn has_ended(&self) -> bool {
        lock(&self.board).jobs.values().all(|job| job.has_ended())
    }

    /// Sends the end events of jobs that did not stop in time. Their threads end with the process.
    pub(super) fn abandon(&self) {
        lock(&self.board).jobs.values().for_each(|job| job.end(None));
    }

    /// Starts a job that `running` counts already.
    fn start(self: &Arc<Self>, board: &mut Board, job: Arc<Job>, work: Work) {
        let (queue, this) = (Arc::clone(self), Arc::clone(&job));
        let thread = thread::Builder::new().name("job".to_owned()).stack_size(STACK);
        let started = thread.spawn(move || queue.run(&job, work));
        if let Err(error) = started {
            let failure = Failure::internal(format!("no thread for this job: {error}"));
            this.end(Some(failure.into_error()));
            board.ended.push_back((Instant::now(), this.id.clone()));
            board.running -= 1;
        }
    }

    /// Does the work of a job, then starts the next one.
    fn run(self: &Arc<Self>, job: &Arc<Job>, work: Work) {
        let done = catch_unwind(AssertUnwindSafe(|| {
            work.run(job, &self.cache, &self.results);
        }));
        if let Err(panic) = done {
            job.end(Some(panicked(&*panic).into_error()));
        } else if !job.has_ended() {
            job.end(None);
        }
        let mut board = lock(&self.board);
        board.ended.push_back((Instant::now(), job.id.clone()));
        board.running -= 1;
        if let Some((job, work)) = board.waiting.pop_front() {
            board.running += 1;
            board.notify_waiting();
            self.start(&mut board, job, work);
        }
    }
}

impl Board {
    /// Notifies the waiting jobs of the number of jobs before them.
    fn notify_waiting(&self) {
        for (place, (job, _)) in self.waiting.iter().enumerate() {
            job.note(&waiting(self.running + place));
        }
    }
}

fn waiting(jobs: usize) -> String {
    let noun = if jobs == 1 { "job" } else { "jobs" };
    format!("waiting for {jobs} other {noun}")
}

/// Failure of code that panicked: rules of a puzzle, most probably.
pub(super) fn panicked(panic: &(dyn std::any::Any + Send)) -> Failure {
    let why = panic.downcast_ref::<&str>().copied();
    let why = why.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let why = printable(why.unwrap_or("without a message"));
    Failure::internal(format!(
        "the rules or a solver of this puzzle crashed ({why}); this is an error of the program, \
         which continues"
    ))
}
