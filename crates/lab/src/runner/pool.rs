//! Worker processes as the lab sees them.

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

/// Bytes of a worker's standard error that are kept for the reason of a crash.
const TAIL: usize = 2048;

/// A worker ends at once when its input does, unless it hangs.
const GRACE: Duration = Duration::from_millis(200);

/// What was heard of a worker.
pub(super) struct Heard {
    /// Number of the worker process; every process has its own.
    pub(super) worker: u64,
    /// What it said; `None` when it has ended.
    pub(super) message: Option<Message>,
}

/// One worker process.
pub(super) struct Worker {
    pub(super) number: u64,
    child: Child,
    input: Option<ChildStdin>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    drained: Option<thread::JoinHandle<()>>,
    /// Whether it has said that it is ready.
    pub(super) ready: bool,
    /// The runs that it was given and has not answered, by their index in the plan; it does the first.
    pub(super) given: VecDeque<usize>,
    /// When the first of them began.
    pub(super) begun: Instant,
    /// When the first began, in milliseconds since 1970.
    pub(super) begun_ms: i64,
    /// When it was last heard of; `None` while it waits for another process.
    pub(super) heard: Option<Instant>,
    /// CPU time of the process when its search began.
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
            // Ctrl-C in the terminal is for the lab, which ends its workers in order.
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
                let say = |message| to.send(Heard { worker: number, message });
                for line in BufReader::new(stream).lines() {
                    let message = line.ok().and_then(|line| serde_json::from_str(&line).ok());
                    let Some(message) = message else {
                        break;
                    };
                    if say(Some(message)).is_err() {
                        return;
                    }
                }
                // The lab may have ended.
                let _ = say(None);
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

    /// Gives it a run. A worker that has just died takes nothing; that shows when it is heard to have
    /// ended.
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

    /// The first run that it was given begins.
    pub(super) fn begin(&mut self) {
        self.begun = Instant::now();
        self.begun_ms = super::now_ms();
        self.heard = Some(self.begun);
        self.searching = None;
    }

    pub(super) fn pid(&self) -> Pid {
        Pid::from_u32(self.child.id())
    }

    /// Ends it. A moment is left to a worker that can still end what it has started itself.
    pub(super) fn kill(&mut self) {
        self.input = None;
        let begun = Instant::now();
        while begun.elapsed() < GRACE && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(2));
        }
        // It may have ended already.
        let _ = self.child.kill();
    }

    /// How it ended, in words.
    pub(super) fn end(&mut self) -> String {
        self.kill();
        let status = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        if let Some(drained) = self.drained.take() {
            let _ = drained.join();
        }
        let kept = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let mut last: Vec<&str> =
            text.lines().rev().filter(|l| !l.trim().is_empty()).take(3).collect();
        last.reverse();
        match last.is_empty() {
            true => status,
            false => format!("{status}: {}", last.join(" / ")),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

/// Resident memory and CPU time of processes; of none where the system does not tell.
pub(super) struct Meter(Option<System>);

impl Meter {
    pub(super) fn new() -> Self {
        Self(System::new().ok())
    }

    /// Resident bytes and CPU time of each process that still is.
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

/// The machine in words: CPU, cores, memory, system.
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
