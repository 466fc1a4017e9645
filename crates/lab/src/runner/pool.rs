//! Worker processes from the side of the lab.

use super::{
    Launch,
    protocol::{Job, Message},
};
use crate::error::LabError;
use std::{
    collections::VecDeque,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc::Sender},
    thread,
    time::{Duration, Instant},
};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// Number of bytes of a worker's standard error that are kept to explain a crash.
const TAIL: usize = 2048;

/// Time for a worker to end after its input has ended; a worker that needs longer hangs.
const GRACE: Duration = Duration::from_millis(200);

/// Message of a worker with the worker's number.
pub(super) struct Heard {
    /// Number of the worker process, unique within the lab.
    pub(super) worker: u64,
    /// Message; `None` when the worker has ended.
    pub(super) message: Option<Message>,
}

/// Worker process.
pub(super) struct Worker {
    pub(super) number: u64,
    child: Child,
    input: Option<ChildStdin>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    drained: Option<thread::JoinHandle<()>>,
    /// Whether the worker has reported that it is ready.
    pub(super) ready: bool,
    /// Runs given to the worker and not answered, by their index in the plan; the first is running.
    pub(super) given: VecDeque<usize>,
    /// Start of the first of them.
    pub(super) begun: Instant,
    /// Start of the first of them in milliseconds since 1970.
    pub(super) begun_ms: i64,
    /// Time of the last message; `None` while the worker waits for another process.
    pub(super) heard: Option<Instant>,
    /// CPU time of the process at the begin of its search.
    pub(super) searching: Option<Duration>,
}

impl Worker {
    pub(super) fn start(
        number: u64,
        launch: &Launch,
        to: &Sender<Heard>,
    ) -> Result<Self, LabError> {
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            // Only the lab receives Ctrl-C from the terminal; it ends its workers in order.
            command.process_group(0);
        }
        let mut child = command
            .spawn()
            .map_err(|error| LabError::Worker(format!("{}: {error}", launch.program.display())))?;
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let drained = child.stderr.take().map(|mut stream| {
            let errors = Arc::clone(&errors);
            thread::spawn(move || {
                let mut buffer = [0; 1024];
                while let Ok(n @ 1..) = stream.read(&mut buffer) {
                    let mut kept = errors.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.extend(&buffer[..n]);
                    let over = kept.len().saturating_sub(TAIL);
                    kept.drain(..over);
                }
            })
        });
        if let Some(stream) = child.stdout.take() {
            let to = to.clone();
            thread::spawn(move || {
                let send = |message| to.send(Heard { worker: number, message });
                for line in BufReader::new(stream).lines() {
                    let message = line.ok().and_then(|line| serde_json::from_str(&line).ok());
                    let Some(message) = message else {
                        break;
                    };
                    if send(Some(message)).is_err() {
                        return;
                    }
                }
                // The lab may have ended.
                let _ = send(None);
            });
        }
        Ok(Self {
            number,
            input: child.stdin.take(),
            child,
            errors,
            drained,
            ready: false,
            given: VecDeque::new(),
            begun: Instant::now(),
            begun_ms: 0,
            heard: Some(Instant::now()),
            searching: None,
        })
    }

    /// Gives the worker a run. Errors are ignored: the end of a dead worker is reported separately.
    pub(super) fn give(&mut self, index: usize, job: &Job) {
        if self.given.is_empty() {
            self.begin();
        }
        self.given.push_back(index);
        if let (Some(input), Ok(mut text)) = (&mut self.input, serde_json::to_vec(job)) {
            text.push(b'\n');
            let _ = input.write_all(&text).and_then(|()| input.flush());
        }
    }

    /// Records the start of the first given run.
    pub(super) fn begin(&mut self) {
        self.begun = Instant::now();
        self.begun_ms = super::now_ms();
        self.heard = Some(self.begun);
        self.searching = None;
    }

    pub(super) fn pid(&self) -> Pid {
        Pid::from_u32(self.child.id())
    }

    /// Ends the worker. A worker that responds gets a moment to end its own child processes.
    pub(super) fn kill(&mut self) {
        self.input = None;
        let begun = Instant::now();
        while begun.elapsed() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(2));
        }
        // The worker may have ended already.
        let _ = self.child.kill();
    }

    /// Ends the worker and returns its exit status in words.
    pub(super) fn end(&mut self) -> String {
        self.kill();
        let status = self.child.wait().map_or_else(|e| e.to_string(), |s| s.to_string());
        if let Some(drained) = self.drained.take() {
            let _ = drained.join();
        }
        let mut kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(kept.make_contiguous());
        let lines = text.lines().rev().filter(|line| !line.trim().is_empty());
        let mut last: Vec<&str> = lines.take(3).collect();
        last.reverse();
        if last.is_empty() { status } else { format!("{status}: {}", last.join(" / ")) }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

/// Meter of the resident memory and CPU time of processes; empty if the system has no such data.
pub(super) struct Meter(Option<System>);

impl Meter {
    pub(super) fn new() -> Self {
        Self(System::new().ok())
    }

    /// Returns resident bytes and CPU time of each process that is still running.
    pub(super) fn read(&mut self, pids: &[Pid]) -> Vec<Option<(u64, Duration)>> {
        let what = ProcessRefreshKind::nothing().with_memory().with_cpu();
        let Some(system) = &mut self.0 else {
            return vec![None; pids.len()];
        };
        system.refresh_processes_specifics(ProcessesToUpdate::Some(pids), true, what);
        let of = |pid: &Pid| {
            let process = system.process(*pid)?;
            let cpu = Duration::from_millis(process.accumulated_cpu_time());
            Some((process.memory(), cpu))
        };
        pids.iter().map(of).collect()
    }
}

/// Describes the machine: CPU, cores, memory, system.
#[must_use]
pub fn machine() -> String {
    let Ok(mut system) = System::new() else {
        return "unknown".to_owned();
    };
    system.refresh_cpu_list(sysinfo::CpuRefreshKind::nothing());
    system.refresh_memory();
    let brand = system.cpus().first().map_or("", |cpu| cpu.brand()).trim().to_owned();
    let cores = system.cpus().len();
    let gib = system.total_memory() as f64 / f64::from(1 << 30);
    let name = System::long_os_version().unwrap_or_default();
    format!("{brand}, {cores} cores, {gib:.0} GiB, {name}")
}
