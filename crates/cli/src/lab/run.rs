//! `unriddle lab run`.

use super::{args::Run, plans, recorded};
use crate::{
    exit::{CANCELLED, Failure, INTERNAL, note},
    inputs,
    output::print,
    progress::Display,
    signal,
};
use indicatif::ProgressBar;
use std::time::Instant;
use unriddle_catalog::{Registry, units::show_seconds};
use unriddle_lab::{
    Plan, Row, Store,
    runner::{self, Done, Launch, Options, Program, Watcher},
};

fn launch(options: &Run) -> Result<Launch, Failure> {
    let program = std::env::current_exe().map_err(|error| {
        Failure::new(INTERNAL, format!("cannot find the executable of this program: {error}"))
    })?;
    let mut arguments = vec!["lab".into(), "worker".into()];
    if let Some(folder) = inputs::cache_folder(&options.cache) {
        arguments.extend(["--cache".into(), folder.into_os_string()]);
    }
    Ok(Launch { program, arguments })
}

/// Shows progress: a bar on a terminal, notes elsewhere.
struct Progress<'a> {
    display: &'a Display,
    bar: Option<ProgressBar>,
    unexplained: usize,
}

impl Watcher for Progress<'_> {
    fn begin(&mut self, asked: usize, finished: usize) {
        self.bar = Some(self.display.batch("runs", asked, finished));
    }
    fn ended(&mut self, row: &Row) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
        if row.is_unexplained() {
            self.unexplained += 1;
            // The report contains all of them.
            if self.unexplained <= 10 {
                let what = row.failure.map_or("refused by the checker", |f| f.name());
                self.display.note(&format!(
                    "{}, {}, {}, seed {}: {what}: {}",
                    row.suite,
                    row.id,
                    row.solver,
                    row.seed,
                    row.reason.as_deref().unwrap_or_default()
                ));
            }
        }
    }
    fn elsewhere(&mut self, runs: usize) {
        if let Some(bar) = &self.bar {
            bar.inc(runs as u64);
        }
    }
    fn note(&mut self, text: &str) {
        self.display.note(text);
    }
}

pub(crate) fn run(registry: &Registry, options: &Run) -> Result<(), Failure> {
    let plans = plans(registry, &options.what, Plan::load)?;
    let path = &options.what.database.database;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::new(crate::exit::INPUT, format!("{}: {error}", folder.display()))
        })?;
    }
    let mut store = Store::open(path)?;
    let cancel = signal::cancel();
    let display = Display::new();
    let mut unexplained = 0;
    for plan in &plans {
        let done = experiment(plan, options, &mut store, &cancel, &display)?;
        unexplained += done.unexplained;
        let (rows, apart) = recorded(plan, &store)?;
        if done.cancelled {
            let text = format!(
                "{}: stopped; {} of {} runs are recorded, and the same command resumes with the others",
                plan.experiment.name,
                done.finished,
                done.finished + done.left
            );
            return Err(Failure::new(CANCELLED, text));
        }
        print(&unriddle_lab::report::tables(plan, &rows, apart))?;
    }
    match unexplained {
        0 => Ok(()),
        n => {
            let text = format!("{n} runs failed and no limit explains it: see the report");
            Err(Failure::new(INTERNAL, text))
        }
    }
}

fn experiment(
    plan: &Plan,
    options: &Run,
    store: &mut Store,
    cancel: &unriddle_catalog::Cancel,
    display: &Display,
) -> Result<Done, Failure> {
    let begun = Instant::now();
    let name = &plan.experiment.name;
    let identity = crate::identity();
    let program = Program {
        version: identity.version.to_owned(),
        revision: identity
            .revision
            .or(plan.experiment.registry.build())
            .unwrap_or("unknown")
            .to_owned(),
        dirty: identity.is_modified,
    };
    let threads = plan.experiment.threads as usize;
    let jobs = options.jobs.map_or(inputs::cores() / threads, usize::from).max(1);
    let tasks = plan.part(options.shard, options.subset);
    if options.again {
        let keys: Vec<_> = tasks.iter().map(|task| task.key).collect();
        let count = store.supersede(name, &program.revision, &keys)?;
        note(&format!("{name}: {count} runs are done again"));
    }
    let settings = Options { jobs, launch: launch(options)?, program };
    let mut progress = Progress { display, bar: None, unexplained: 0 };
    let done = runner::run(plan, &tasks, store, &settings, cancel, &mut progress);
    display.clear();
    let done = done?;
    note(&format!(
        "{name}: {} runs done in {} by {jobs} workers, {} recorded, {} left",
        done.ran,
        show_seconds(begun.elapsed().as_secs_f64()),
        done.finished,
        done.left
    ));
    Ok(done)
}
