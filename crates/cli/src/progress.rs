//! Progress on standard error: bars on a terminal, one line per long step elsewhere.

use crate::{args::shared::CacheOptions, exit::note, inputs, ranks, text};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::{
    borrow::Cow,
    fmt::Write,
    io::IsTerminal as _,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use unriddle_catalog::{
    Cancel, Events, Incumbent, Stats,
    record::Unit,
    tables::{Cache, cache::Event},
    units::{show_bytes, show_count},
};

/// Bars of one run.
#[derive(Clone)]
pub(crate) struct Display {
    bars: MultiProgress,
    terminal: bool,
}

impl Display {
    pub(crate) fn new() -> Self {
        let terminal = ranks::is_first() && std::io::stderr().is_terminal();
        let target =
            if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self { bars: MultiProgress::with_draw_target(target), terminal }
    }

    /// Writes a line above the bars.
    pub(crate) fn note(&self, line: &str) {
        if self.terminal {
            let _ = self.bars.println(line);
        } else {
            note(line);
        }
    }

    /// Hides the bars during work that writes to the terminal.
    pub(crate) fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bars.suspend(work)
    }

    /// A bar that begins at `start`. The work before `start` does not count for the pace.
    fn bar(&self, start: u64, length: u64, template: &str) -> ProgressBar {
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .with_key("left", move |state: &ProgressState, out: &mut dyn Write| {
                left(start, state, out);
            })
            .progress_chars("━╸─");
        let bar = self.bars.add(ProgressBar::new(length)).with_style(style);
        bar.set_position(start);
        bar
    }

    /// The bar of a batch of `all` instances or runs, of which `done` are finished already.
    pub(crate) fn batch(&self, what: &'static str, all: usize, done: usize) -> ProgressBar {
        let bar = self.counted(what.into(), all, done);
        bar.enable_steady_tick(Duration::from_millis(250));
        bar
    }

    fn counted(&self, what: Cow<'static, str>, all: usize, done: usize) -> ProgressBar {
        let template = "{bar:24} {pos}/{len} {msg}, {elapsed} gone{left}";
        self.bar(done as u64, all as u64, template).with_message(what)
    }

    /// The line of a search whose values count `part`.
    pub(crate) fn search(&self, part: Option<Unit>) -> Line {
        let bar = self.bar(0, 0, "{spinner} {msg}");
        Line { bar, last: Instant::now(), part, bound: None, best: None }
    }

    pub(crate) fn clear(&self) {
        let _ = self.bars.clear();
    }
}

/// The stages of a long run, one after the other: a bar for each on a terminal.
pub(crate) struct Stages<'a> {
    display: &'a Display,
    bar: Mutex<Option<ProgressBar>>,
}

impl<'a> Stages<'a> {
    pub(crate) fn new(display: &'a Display) -> Self {
        Self { display, bar: Mutex::new(None) }
    }

    fn bar(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Continues a stage of `trials` trials, of which an earlier run did `done`.
    pub(crate) fn resume(&self, name: &str, trials: usize, done: usize) {
        let mut bar = self.bar();
        clear(&mut bar);
        *bar = Some(self.display.counted(name.to_owned().into(), trials, done));
    }

    /// Marks one more trial of the stage as done.
    pub(crate) fn step(&self) {
        if let Some(bar) = &*self.bar() {
            bar.inc(1);
        }
    }

    /// Sets how much of the stage is done.
    pub(crate) fn at(&self, done: u64) {
        if let Some(bar) = &*self.bar() {
            bar.set_position(done);
        }
    }
}

/// Removes a bar, if there is one.
fn clear(bar: &mut Option<ProgressBar>) {
    if let Some(bar) = bar.take() {
        bar.finish_and_clear();
    }
}

/// The time left at the mean pace so far, once some work is done.
fn left(start: u64, state: &ProgressState, out: &mut dyn Write) {
    let elapsed = state.elapsed().as_secs_f64();
    let all = state.len().unwrap_or(0).saturating_sub(start) as f64;
    let done = state.pos().saturating_sub(start) as f64;
    if elapsed < 1.0 || done == 0.0 || done < all / 1000.0 {
        return;
    }
    let left = elapsed * (all - done) / done;
    // Writing to the bar's buffer does not fail.
    let _ = match left {
        s if s < 100.0 => write!(out, ", about {s:.0} s left"),
        s if s < 6000.0 => write!(out, ", about {:.0} min left", s / 60.0),
        s => write!(out, ", about {:.0} h left", s / 3600.0),
    };
}

/// Progress line of a running search.
pub(crate) struct Line {
    bar: ProgressBar,
    last: Instant,
    part: Option<Unit>,
    /// Proved bound of the optimum, in words.
    bound: Option<String>,
    best: Option<i64>,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Events for Line {
    fn progress(&mut self, stats: &Stats) {
        if self.last.elapsed() < Duration::from_millis(100) {
            return;
        }
        self.last = Instant::now();
        let mut message = format!("searching: {} states expanded", show_count(stats.expanded));
        if stats.peak_bytes > 1 << 20 {
            message += &format!(", {}", show_bytes(stats.peak_bytes));
        }
        if let Some(bound) = &self.bound {
            message += &format!(", {bound}");
        }
        if let Some(best) = self.best {
            message += &format!(", found {}", text::bare(best, self.part.as_ref()));
        }
        self.bar.set_message(message);
        self.bar.tick();
    }
    fn improved(&mut self, best: &Incumbent<'_>, _: &Stats) {
        self.best = Some(best.value);
    }
    fn bound(&mut self, bound: i64, _: &Stats) {
        self.bound = Some(format!("at least {}", text::bare(bound, self.part.as_ref())));
    }
    fn upper_bound(&mut self, bound: i64, _: &Stats) {
        self.bound = Some(format!("at most {}", text::bare(bound, self.part.as_ref())));
    }
}

/// State of the observer of a cache.
#[derive(Default)]
struct Building {
    bar: Option<ProgressBar>,
    /// Whether the warning that tables cannot be stored was shown.
    warned: bool,
}

/// Cache of tables that shows its progress. Building ends when `cancel` is raised or at `deadline`.
pub(crate) fn cache(
    options: &CacheOptions,
    threads: usize,
    display: &Display,
    cancel: &Cancel,
    deadline: Option<Instant>,
) -> Cache {
    let (display, cancel) = (display.clone(), cancel.clone());
    let folder = inputs::cache_folder(&options.folder);
    let policy = inputs::policy(options);
    let location = match &folder {
        Some(folder) => format!("kept in {}", folder.display()),
        None => "kept in memory only".to_owned(),
    };
    let state: Mutex<Building> = Mutex::default();
    Cache::new(folder, threads, policy).with_observer(Box::new(move |key, event| {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = cancel.is_cancelled() || deadline.is_some_and(|end| Instant::now() >= end);
        match event {
            _ if ended => clear(&mut state.bar),
            Event::Waiting => {
                display.note(&format!("waiting for another process that builds {key}"));
            }
            Event::Building { entries } => {
                // Small tables are built in an instant.
                if *entries > 1_000_000 {
                    display.note(&format!(
                        "building {key} ({} entries, once; {location})",
                        show_count(*entries)
                    ));
                }
                state.bar = Some(display.bar(0, 1, "{bar:24} {percent}% of the table, {elapsed} gone{left}"));
            }
            Event::Progress(progress) => {
                if let Some(bar) = &state.bar {
                    bar.set_length(progress.total);
                    bar.set_position(progress.done);
                }
            }
            Event::Built { stored } => {
                clear(&mut state.bar);
                if let Err(error) = stored
                    && !std::mem::replace(&mut state.warned, true)
                {
                    display.note(&format!(
                        "warning: tables are used now, but cannot be kept for the next time: {error}"
                    ));
                }
            }
            Event::Opened => {}
            Event::Stale { path, why } => {
                display.note(&format!("{} is stale, and is built again: {why}", path.display()));
            }
            Event::TooSlow => {
                clear(&mut state.bar);
                display.note(&format!(
                    "{key}: not built, because it would take longer than the time limit; \
                     `unriddle tables build` builds it"
                ));
            }
        }
        !ended
    }))
}
