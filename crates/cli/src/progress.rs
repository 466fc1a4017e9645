//! Progress on standard error: bars on a terminal, one line per long step elsewhere.

use crate::units::{show_bytes, show_count};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::IsTerminal as _,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use unriddle_catalog::{
    Cancel, Events, Stats,
    tables::{Cache, Policy, cache::Event},
};

/// Bars of one run.
#[derive(Clone)]
pub(crate) struct Display {
    bars: MultiProgress,
    terminal: bool,
}

impl Display {
    pub(crate) fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target =
            if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self { bars: MultiProgress::with_draw_target(target), terminal }
    }

    /// Writes a line above the bars.
    pub(crate) fn note(&self, line: &str) {
        if self.terminal {
            let _ = self.bars.println(line);
        } else {
            eprintln!("{line}");
        }
    }

    fn bar(&self, length: u64, template: &str) -> ProgressBar {
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("━╸─");
        self.bars.add(ProgressBar::new(length)).with_style(style)
    }

    /// The bar of a batch.
    pub(crate) fn batch(&self, instances: usize) -> ProgressBar {
        let bar = self.bar(
            instances as u64,
            "{bar:24} {pos}/{len} instances, {elapsed} gone, about {eta} left {wide_msg}",
        );
        bar.enable_steady_tick(Duration::from_millis(250));
        bar
    }

    /// The line of one search.
    pub(crate) fn search(&self) -> Line {
        let bar = self.bar(0, "{spinner} {wide_msg}");
        Line { bar, last: Instant::now(), bound: None, best: None }
    }

    pub(crate) fn clear(&self) {
        let _ = self.bars.clear();
    }
}

/// The line of one search that goes on.
pub(crate) struct Line {
    bar: ProgressBar,
    last: Instant,
    bound: Option<i64>,
    best: Option<i64>,
}

impl Line {
    pub(crate) fn finish(&self) {
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
        if let Some(bound) = self.bound {
            message += &format!(", at least {bound}");
        }
        if let Some(best) = self.best {
            message += &format!(", found {best}");
        }
        self.bar.set_message(message);
        self.bar.tick();
    }
    fn improved(&mut self, value: i64, _: usize, _: &Stats) {
        self.best = Some(value);
    }
    fn bound(&mut self, bound: i64, _: &Stats) {
        self.bound = Some(bound);
    }
}

/// A cache that shows what it builds, and stops building when cancelled.
pub(crate) fn cache(
    folder: Option<PathBuf>,
    threads: usize,
    policy: Policy,
    display: &Display,
    cancel: &Cancel,
) -> Cache {
    let (display, cancel) = (display.clone(), cancel.clone());
    let place = match &folder {
        Some(folder) => format!("kept in {}", folder.display()),
        None => "kept in memory only".to_owned(),
    };
    let bar: Arc<Mutex<Option<(ProgressBar, Instant)>>> = Arc::default();
    Cache::new(folder, threads, policy).with_observer(Box::new(move |key, event| {
        let mut current = bar.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Waiting => display.note(&format!("waiting for another process that builds {key}")),
            Event::Building { entries } => {
                let what = format!(
                    "building a pattern database of {} entries ({key}); done once, {place}",
                    show_count(*entries)
                );
                // Small ones take no time worth a line.
                if *entries > 1_000_000 {
                    display.note(&what);
                }
                let bar = display.bar(1, "{bar:24} {percent}% of the table, {elapsed} gone, about {eta} left");
                *current = Some((bar, Instant::now()));
            }
            Event::Progress(progress) => {
                if let Some((bar, _)) = &*current {
                    bar.set_length(progress.total);
                    bar.set_position(progress.done);
                }
            }
            Event::Built { stored } => {
                if let Some((bar, _)) = current.take() {
                    bar.finish_and_clear();
                }
                if let Err(error) = stored {
                    display.note(&format!(
                        "unriddle: the table cannot be kept for the next time, but is used now: {error}"
                    ));
                }
            }
            Event::Opened => {}
        }
        !cancel.is_cancelled()
    }))
}
