//! Process of an external program: starts it, feeds it, watches it, measures it and kills it with
//! all its children.

use crate::{experiment::Limits, row::Row};
use std::{
    io::{Read, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};
use wait4::{ResUse, Wait4 as _};

/// Greatest number of bytes of output that are kept.
const OUTPUT: usize = 16 << 20;
/// Interval between two checks of the process.
const TICK: Duration = Duration::from_millis(200);

/// Running process group, and the file that it reads.
static RUNNING: Mutex<Option<(rustix::process::Pid, Option<PathBuf>)>> = Mutex::new(None);

/// Kills the running process group and removes its file; to be called before this process ends.
pub fn abandon() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((group, file)) = running {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        if let Some(file) = file {
            let _ = std::fs::remove_file(file);
        }
    }
}

/// Outcome of a process.
pub(super) struct Outcome {
    pub(super) output: String,
    pub(super) success: bool,
    /// Exit status in words, with the last lines of standard error.
    pub(super) end: String,
    /// Limit that ended it.
    pub(super) limit: Option<&'static str>,
    pub(super) cpu: Duration,
    pub(super) wall: Duration,
    pub(super) peak_resident: Option<u64>,
}

/// Runs a command and returns its first line of output.
pub(super) fn first_line(
    words: &[String],
    folder: &Path,
    time: Duration,
) -> Result<String, String> {
    let limits = Limits { time: Some(time), ..Limits::default() };
    let ran = spawn(words, folder, Input { text: None, file: None }, &limits, &mut || {})?;
    let line = ran.output.lines().map(str::trim).find(|line| !line.is_empty());
    match line {
        Some(line) => Ok(line.chars().take(200).collect()),
        None => Err(format!("`{}` prints no version ({})", words.join(" "), ran.end)),
    }
}

/// Runs a command on the instance of a row. `folder` is its working directory, `scratch` the folder
/// for the instance's file.
pub(super) fn run(
    words: &[String],
    folder: &Path,
    scratch: &Path,
    row: &Row,
    limits: &Limits,
    alive: &mut dyn FnMut(),
) -> Result<Outcome, String> {
    let wants = |mark: &str| words.iter().any(|word| word.contains(mark));
    let mut file = None;
    if wants("{file}") {
        let failed = |error: std::io::Error| format!("no file for the instance: {error}");
        let path = scratch.join(format!("unriddle-{}-{}.txt", std::process::id(), row.key));
        std::fs::write(&path, format!("{}\n", row.instance)).map_err(failed)?;
        file = Some(Scratch(path));
    }
    let given = wants("{file}") || wants("{instance}");
    let input = Input {
        text: (!given).then(|| format!("{}\n", row.instance)),
        file: file.as_ref().map(|f| f.0.clone()),
    };
    let path = file.as_ref().map(|f| f.0.display().to_string()).unwrap_or_default();
    let fill = |word: &String| {
        word.replace("{file}", &path)
            .replace("{instance}", &row.instance)
            .replace("{id}", &row.id)
            .replace("{seed}", &row.seed.to_string())
    };
    let filled: Vec<String> =
        [words[0].clone()].into_iter().chain(words[1..].iter().map(fill)).collect();
    spawn(&filled, folder, input, limits, alive)
}

/// File that is removed when the value is dropped.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Input of the program with the instance.
struct Input {
    /// Text for standard input.
    text: Option<String>,
    /// File.
    file: Option<PathBuf>,
}

/// Runs a command in a folder, if the folder exists.
fn spawn(
    words: &[String],
    folder: &Path,
    input: Input,
    limits: &Limits,
    alive: &mut dyn FnMut(),
) -> Result<Outcome, String> {
    use std::os::unix::process::CommandExt as _;
    let begun = Instant::now();
    let mut command = Command::new(&words[0]);
    if folder.is_dir() {
        command.current_dir(folder);
    }
    let mut child = command
        .args(&words[1..])
        .stdin(if input.text.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Its own group is killed with all children and does not receive the terminal's Ctrl-C.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("`{}` cannot be started: {error}", words[0]))?;
    let pid = rustix::process::Pid::from_child(&child);
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = Some((pid, input.file));
    guard(pid, limits);
    let stdin = child.stdin.take();
    let writer = thread::spawn(move || {
        if let (Some(mut stdin), Some(text)) = (stdin, input.text) {
            // A program need not read its input to the end.
            let _ = stdin.write_all(text.as_bytes());
        }
    });
    let output = keep(child.stdout.take());
    let errors = keep(child.stderr.take());
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        // The receiver may have gone.
        let _ = sender.send(child.wait4());
    });
    let mut limit = None;
    let end = || {
        // It may have ended meanwhile.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    };
    let waited = loop {
        let left = limits.time.map(|time| time.saturating_sub(begun.elapsed()));
        match ended.recv_timeout(left.unwrap_or(TICK).min(TICK)) {
            Ok(waited) => break waited,
            Err(mpsc::RecvTimeoutError::Disconnected) => return Err("it was lost".to_owned()),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                alive();
                if limit.is_none() && limits.time.is_some_and(|time| begun.elapsed() >= time) {
                    limit = Some("time");
                    end();
                }
            }
        }
    };
    // Children that it left behind would hold the pipes open.
    end();
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).take();
    let ResUse { status, rusage } = waited.map_err(|error| error.to_string())?;
    let _ = writer.join();
    let output = output.join().unwrap_or_default();
    let errors = errors.join().unwrap_or_default();
    let cpu = rusage.utime + rusage.stime;
    if limit.is_none() && limits.cpu.is_some_and(|most| cpu >= most) {
        limit = Some("cpu");
    }
    // A program may react in any way to a failed allocation.
    let near = |most: u64| !status.success() && rusage.maxrss >= most / 2;
    if limit.is_none() && limits.memory.is_some_and(near) {
        limit = Some("memory");
    }
    let mut tail: Vec<&str> = errors.lines().rev().take(3).collect();
    tail.reverse();
    Ok(Outcome {
        output,
        success: status.success(),
        end: format!("{status}{}{}", if tail.is_empty() { "" } else { ": " }, tail.join(" / ")),
        limit,
        cpu,
        wall: begun.elapsed(),
        peak_resident: Some(rusage.maxrss),
    })
}

/// Sets the limits that the operating system enforces. On systems other than Linux only the time is
/// limited.
fn guard(pid: rustix::process::Pid, limits: &Limits) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, prlimit};
        let to = |n: u64| Rlimit { current: Some(n), maximum: Some(n) };
        // Errors are ignored: the process may have ended already.
        if let Some(cpu) = limits.cpu {
            let _ = prlimit(Some(pid), Resource::Cpu, to(cpu.as_secs_f64().ceil() as u64));
        }
        if let Some(memory) = limits.memory {
            let _ = prlimit(Some(pid), Resource::As, to(memory));
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (pid, limits);
}

/// Reads a stream to its end and keeps its last [`OUTPUT`] bytes.
fn keep(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(n @ 1..) = stream.read(&mut buffer) {
                bytes.extend_from_slice(&buffer[..n]);
                if bytes.len() > 2 * OUTPUT {
                    bytes.drain(..bytes.len() - OUTPUT);
                }
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
