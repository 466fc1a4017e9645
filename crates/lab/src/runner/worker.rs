//! Worker process: does one run after the other until its input ends.
//!
//! A run that panics is recorded as crashed, and the worker continues. If a run ends the whole
//! process, the lab records it and starts another worker. If the input ends during a run, the lab
//! has ended, and the worker ends at once, because no process would receive the result.

use super::{
    memory,
    protocol::{Job, Message, PROTOCOL},
};
use crate::{
    experiment::Limits,
    peer::Peer,
    row::{Failure, Incumbent, Row},
};
use std::{
    collections::HashMap,
    io::{BufRead, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};
use unriddle_catalog::{
    AnyPuzzle, Budget, Cancel, Device, Events, Networks, Registry, Request, Spec, Stats, solve,
    tables::{Cache, Policy, cache::Event},
    units::show_count,
};
use unriddle_core::clock::ProcessTime;

/// Interval between signs of life.
const SIGN: Duration = Duration::from_secs(1);
/// Number of entries from which the building of a table is reported.
const WORTH_A_NOTE: u64 = 1_000_000;

/// Output of a worker.
struct Line<W> {
    out: W,
    last_sign: Instant,
}

impl<W: Write> Line<W> {
    /// Writes a message. Errors are ignored: if the lab has ended, the input ends as well.
    fn send(&mut self, message: &Message) {
        if let Ok(mut text) = serde_json::to_vec(message) {
            text.push(b'\n');
            let _ = self.out.write_all(&text).and_then(|()| self.out.flush());
        }
        self.last_sign = Instant::now();
    }

    fn sign(&mut self) {
        if self.last_sign.elapsed() >= SIGN {
            self.send(&Message::Alive);
        }
    }
}

type Shared<W> = Arc<Mutex<Line<W>>>;

fn with<W: Write, T>(line: &Shared<W>, work: impl FnOnce(&mut Line<W>) -> T) -> T {
    work(&mut line.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Settings of a worker.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Folder of the tables; without one, tables are only kept in memory.
    pub tables: Option<PathBuf>,
    /// Threads that build a table.
    pub threads: usize,
    /// Folder for temporary files.
    pub scratch: PathBuf,
}

/// Does runs on puzzles of a registry. `orphaned` is called to end the process when the lab has
/// ended.
pub fn serve(
    registry: Registry,
    settings: Settings,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    orphaned: impl Fn() + Send + 'static,
) {
    let line = Arc::new(Mutex::new(Line { out: output, last_sign: Instant::now() }));
    with(&line, |l| l.send(&Message::Ready(PROTOCOL)));
    let (sender, jobs) = mpsc::channel::<Job>();
    let open = Arc::new(AtomicUsize::new(0));
    let reading = Arc::clone(&open);
    thread::spawn(move || {
        for text in input.lines() {
            let job = text.ok().and_then(|text| serde_json::from_str(&text).ok());
            let Some(job) = job else {
                break;
            };
            reading.fetch_add(1, Ordering::SeqCst);
            if sender.send(job).is_err() {
                return;
            }
        }
        if reading.load(Ordering::SeqCst) > 0 {
            crate::peer::abandon();
            orphaned();
        }
    });
    let mut worker = Worker {
        registry,
        cache: cache(settings.tables, settings.threads, &line),
        scratch: settings.scratch,
        line,
        puzzle: None,
        specs: HashMap::new(),
        peers: HashMap::new(),
    };
    for job in jobs {
        let row = worker.run(job);
        with(&worker.line, |l| l.send(&Message::Done(Box::new(row))));
        open.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Makes a cache that sends signs of life and reports which tables it builds.
fn cache<W: Write + Send + 'static>(
    folder: Option<PathBuf>,
    threads: usize,
    line: &Shared<W>,
) -> Cache {
    let line = Arc::clone(line);
    Cache::new(folder, threads, Policy::Reuse).with_observer(Box::new(move |key, event| {
        with(&line, |l| match event {
            Event::Waiting => l.send(&Message::Waiting),
            Event::Building { entries } if *entries >= WORTH_A_NOTE => {
                let text = format!("building {key} ({} entries, once)", show_count(*entries));
                l.send(&Message::Note(text));
            }
            Event::Built { stored: Err(error) } => {
                let text = format!("tables cannot be kept for the next time: {error}");
                l.send(&Message::Note(text));
            }
            Event::Stale { path, why } => {
                let text = format!("{} is stale, and is built again: {why}", path.display());
                l.send(&Message::Note(text));
            }
            // The search that waited for the table resumes.
            Event::Building { .. } | Event::Opened => l.send(&Message::Alive),
            _ => l.sign(),
        });
        true
    }))
}

struct Worker<W> {
    registry: Registry,
    line: Shared<W>,
    cache: Cache,
    scratch: PathBuf,
    /// Puzzle of the last run.
    puzzle: Option<(String, Box<dyn AnyPuzzle>)>,
    /// Solvers by text.
    specs: HashMap<String, Spec>,
    peers: HashMap<PathBuf, Peer>,
}

impl<W: Write> Worker<W> {
    fn run(&mut self, job: Job) -> Row {
        let Job { mut row, limits, is_on_gpu, peer } = job;
        let run = AssertUnwindSafe(|| match peer {
            Some(path) => self.peer(&path, &mut row, &limits),
            None => self.solve(&mut row, &limits, is_on_gpu),
        });
        let (failure, why) = match catch_unwind(run) {
            Ok(Ok(())) => return row,
            Ok(Err(why)) => (Failure::Refused, why),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                (Failure::Crashed, format!("panicked: {}", text.unwrap_or_default()))
            }
        };
        (row.failure, row.reason) = (Some(failure), Some(why));
        row
    }

    fn peer(&mut self, path: &Path, row: &mut Row, limits: &Limits) -> Result<(), String> {
        if !self.peers.contains_key(path) {
            let peer = Peer::read(path).map_err(|error| error.to_string())?;
            self.peers.insert(path.to_owned(), peer);
        }
        let line = Arc::clone(&self.line);
        if let Some(peer) = self.peers.get(path) {
            let mut alive = || with(&line, Line::sign);
            peer.run(&self.registry, row, limits, &self.scratch, &mut alive);
        }
        Ok(())
    }

    fn solve(&mut self, row: &mut Row, limits: &Limits, is_on_gpu: bool) -> Result<(), String> {
        if self.puzzle.as_ref().is_none_or(|(spec, _)| *spec != row.puzzle) {
            let (_, puzzle) =
                self.registry.puzzle(&row.puzzle).map_err(|error| error.to_string())?;
            self.puzzle = Some((row.puzzle.clone(), puzzle));
        }
        let Some((_, puzzle)) = &self.puzzle else {
            return Err("there is no puzzle".to_owned());
        };
        if !self.specs.contains_key(&row.solver) {
            let spec = Spec::parse(&row.solver).map_err(|error| error.to_string())?;
            self.specs.insert(row.solver.clone(), spec);
        }
        let instance = puzzle.load(&row.instance).map_err(|error| error.to_string())?;
        let cancel = Cancel::default();
        let request = Request {
            budget: Budget {
                time: limits.time,
                expansions: limits.expansions,
                generated: limits.generated,
                memory: limits.memory,
                cancel: cancel.clone(),
            },
            seed: row.seed,
            threads: row.threads as usize,
            networks: Networks {
                device: if is_on_gpu { Device::Cuda } else { Device::Cpu },
                ..self.registry.networks()
            },
            ..Request::new(&self.specs[&row.solver], &self.cache)
        };
        memory::reset();
        let mut watch = Watch {
            line: &self.line,
            begun: ProcessTime::now(),
            searching: None,
            cpu: limits.cpu,
            cancel,
            incumbents: Vec::new(),
        };
        let record = solve(&self.registry, &row.id, &row.puzzle, &*instance, &request, &mut watch);
        let record = record.map_err(|error| error.to_string())?;
        // The run's key names the networks as they were when the runs were planned.
        if record.networks != row.networks {
            let named = |networks: &Option<String>| networks.clone().unwrap_or_default();
            return Err(format!(
                "planned with the networks {}, but found {}: a file was replaced, run the experiment again",
                named(&row.networks),
                named(&record.networks)
            ));
        }
        let out_of_cpu = watch.is_over();
        row.incumbents = watch.incumbents;
        row.peak_resident_bytes = memory::peak();
        row.take(record);
        // The time of preparations does not count as time of the search.
        let setup = row.setup_cpu_s.unwrap_or(0.0);
        for incumbent in &mut row.incumbents {
            incumbent.cpu_s = (incumbent.cpu_s - setup).max(0.0);
        }
        if let (true, Some(value)) = (row.incumbents.is_empty(), row.value) {
            row.incumbents.push(Incumbent {
                cpu_s: row.cpu_s.unwrap_or(0.0),
                expanded: row.expanded.unwrap_or(0),
                value,
            });
        }
        if out_of_cpu && row.stopped_by.as_deref() == Some("cancelled") {
            row.stopped_by = Some("cpu".to_owned());
        }
        Ok(())
    }
}

/// Follows a run: signs of life, the CPU limit, incumbents.
struct Watch<'a, W> {
    line: &'a Shared<W>,
    begun: ProcessTime,
    /// CPU time of the process at the first report of the search.
    searching: Option<ProcessTime>,
    cpu: Option<Duration>,
    cancel: Cancel,
    incumbents: Vec<Incumbent>,
}

impl<W: Write> Watch<'_, W> {
    fn is_over(&self) -> bool {
        let searched = self.searching.map(|since| since.elapsed());
        self.cpu.is_some_and(|most| searched.is_some_and(|s| s >= most))
    }
}

impl<W: Write> Events for Watch<'_, W> {
    fn progress(&mut self, _: &Stats) {
        match self.searching {
            Some(_) => with(self.line, Line::sign),
            None => {
                self.searching = Some(ProcessTime::now());
                // The lab needs this only to watch a limit of CPU time.
                if self.cpu.is_some() {
                    with(self.line, |l| l.send(&Message::Searching));
                }
            }
        }
        if self.is_over() {
            self.cancel.cancel();
        }
    }

    fn improved(&mut self, best: &unriddle_catalog::Incumbent<'_>, stats: &Stats) {
        self.incumbents.push(Incumbent {
            cpu_s: self.begun.elapsed().as_secs_f64(),
            expanded: stats.expanded,
            value: best.value,
        });
    }
}
