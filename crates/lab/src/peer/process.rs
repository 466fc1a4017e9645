//! One process of an external program: started, fed, watched, ended with all its children, measured.

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

/// Most bytes of output that are kept.
const OUTPUT: usize = 16 << 20;
/// How often the process is looked at.
const TICK: Duration = Duration::from_millis(200);

/// The process group that is at work, and the file that it reads.
static AT_WORK: Mutex<Option<(rustix::process::Pid, Option<PathBuf>)>> = Mutex::new(None);

/// Ends what is at work and removes its file: this process is about to end.
pub(super) fn abandon() {
    let at_work = AT_WORK.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((group, file)) = at_work {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        if let Some(file) = file {
            let _ = std::fs::remove_file(file);
        }
    }
}

/// What became of a process.
pub(super) struct Ran {
    pub(super) output: String,
    pub(super) success: bool,
    /// How it ended, in words, with the end of what it wrote to standard error.
    pub(super) end: String,
    /// The limit that ended it.
    pub(super) limit: Option<&'static str>,
    pub(super) cpu: Duration,
    pub(super) wall: Duration,
    pub(super) peak_resident: Option<u64>,
}

/// The first line that a command prints.
pub(super) fn first_line(
    words: &[String],
    folder: &Path,
    time: Duration,
) -> Result<String, String> {
    let limits = Limits { time: Some(time), ..Limits::default() };
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    if folder.is_dir() {
        command.current_dir(folder);
    }
    let input = Input { text: None, file: None };
    let ran = spawn(command, &words[0], input, &limits, &mut || {})?;
    let line = ran.output.lines().map(str::trim).find(|line| !line.is_empty());
    match line {
        Some(line) => Ok(line.chars().take(200).collect()),
        None => Err(format!("`{}` tells no version ({})", words.join(" "), ran.end)),
    }
}

/// Runs a command on the instance of a row.
pub(super) fn run(
    words: &[String],
    folder: &Path,
    row: &Row,
    limits: &Limits,
    alive: &mut dyn FnMut(),
) -> Result<Ran, String> {
    let wants = |mark: &str| words.iter().any(|word| word.contains(mark));
    let mut file = None;
    if wants("{file}") {
        let failed = |error: std::io::Error| format!("no file for the instance: {error}");
        let path = scratch(row);
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
    let mut command = Command::new(&words[0]);
    command.args(words[1..].iter().map(fill));
    if folder.is_dir() {
        command.current_dir(folder);
    }
    spawn(command, &words[0], input, limits, alive)
}

/// A file that is removed when it is no longer needed.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn scratch(row: &Row) -> PathBuf {
    std::env::temp_dir().join(format!("unriddle-{}-{}.txt", std::process::id(), row.key))
}

/// How a program gets the instance.
struct Input {
    /// On standard input.
    text: Option<String>,
    /// In a file.
    file: Option<PathBuf>,
}

fn spawn(
    mut command: Command,
    program: &str,
    input: Input,
    limits: &Limits,
    alive: &mut dyn FnMut(),
) -> Result<Ran, String> {
    use std::os::unix::process::CommandExt as _;
    let begun = Instant::now();
    let mut child = command
        .stdin(if input.text.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own: it ends with all its children, and not by the terminal's Ctrl-C.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("`{program}` cannot be started: {error}"))?;
    let pid = rustix::process::Pid::from_child(&child);
    *AT_WORK.lock().unwrap_or_else(PoisonError::into_inner) = Some((pid, input.file));
    guard(pid, limits);
    let stdin = child.stdin.take();
    let writer = thread::spawn(move || {
        if let (Some(mut stdin), Some(text)) = (stdin, input.text) {
            // A program that does not read to the end may have its reasons.
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
    // What it has started and left behind would hold the pipes open.
    end();
    AT_WORK.lock().unwrap_or_else(PoisonError::into_inner).take();
    let ResUse { status, rusage } = waited.map_err(|error| error.to_string())?;
    let _ = writer.join();
    let output = output.join().unwrap_or_default();
    let errors = errors.join().unwrap_or_default();
    let cpu = rusage.utime + rusage.stime;
    if limit.is_none() && limits.cpu.is_some_and(|most| cpu >= most) {
        limit = Some("cpu");
    }
    // A program that cannot get its memory gives up in its own way.
    let near = |most: u64| !status.success() && rusage.maxrss >= most / 2;
    if limit.is_none() && limits.memory.is_some_and(near) {
        limit = Some("memory");
    }
    let tail: Vec<&str> = errors.lines().rev().take(3).collect();
    let tail: Vec<&str> = tail.into_iter().rev().collect();
    Ok(Ran {
        output,
        success: status.success(),
        end: format!("{status}{}{}", if tail.is_empty() { "" } else { ": " }, tail.join(" / ")),
        limit,
        cpu,
        wall: begun.elapsed(),
        peak_resident: Some(rusage.maxrss),
    })
}

/// Limits that the system watches. Elsewhere than on Linux only the time is limited.
fn guard(pid: rustix::process::Pid, limits: &Limits) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, prlimit};
        let to = |n: u64| Rlimit { current: Some(n), maximum: Some(n) };
        // A process that has ended already needs none.
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

/// Reads a stream to its end and keeps the end of what it said.
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
