//! Arrays of Slurm: `lab run --slurm` submits the runs of an experiment in parts, and `lab status`
//! counts the finished runs of each part.

use super::{
    args::{Run, Status},
    plans,
};
use crate::{
    exit::{Failure, INPUT, UNSUPPORTED},
    output::print,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use unriddle_catalog::{Registry, units::count_of, work::Shard};
use unriddle_lab::{Plan, Store};

/// A submitted array.
#[derive(Debug, Deserialize, Serialize)]
struct Array {
    /// Number of its parts.
    parts: usize,
    /// Whether it runs only the subsets.
    subset: bool,
    /// Number that Slurm gave to it.
    job: String,
}

/// Folder of an experiment's array: beside the results database.
fn folder(database: &Path, plan: &Plan) -> PathBuf {
    let quick = if plan.experiment.is_quick { "-quick" } else { "" };
    let beside = database.parent().unwrap_or(Path::new(""));
    beside.join(format!("slurm-{}{quick}", plan.experiment.name))
}

/// Database of a part.
fn part(folder: &Path, k: usize) -> PathBuf {
    folder.join(format!("part-{k}.sqlite"))
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::new(INPUT, format!("{}: {error}", path.display()))
}

/// A word of a shell command.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The batch script of an array: each of its jobs runs one part with a database of its own, since
/// locks of one file do not hold between machines everywhere.
fn script(plan: &Plan, options: &Run, folder: &Path, slurm: &str) -> Result<String, Failure> {
    let program = std::env::current_exe().map_err(|error| failed(folder, &error))?;
    let mut command = vec![program.display().to_string(), "lab".into(), "run".into()];
    command.push(plan.experiment.path.display().to_string());
    let flags =
        [(options.what.quick, "--quick"), (options.subset, "--subset"), (options.again, "--again")];
    command.extend(flags.iter().filter(|(is_on, _)| *is_on).map(|(_, flag)| (*flag).to_owned()));
    if let Some(jobs) = options.jobs {
        command.extend(["--jobs".to_owned(), jobs.to_string()]);
    }
    if let Some(cache) = &options.cache.cache {
        command.extend(["--cache".to_owned(), cache.display().to_string()]);
    }
    let command: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    let (name, parts) = (&plan.experiment.name, options.parts);
    let log = quoted(&folder.join("part-%a.log").display().to_string());
    let mut text = format!(
        "#!/bin/sh\n#SBATCH --job-name=unriddle-{name}\n#SBATCH --array=1-{parts}\n#SBATCH --output={log}\n"
    );
    if !slurm.trim().is_empty() {
        let _ = writeln!(text, "#SBATCH {}", slurm.trim());
    }
    let database = quoted(&folder.join("part-").display().to_string());
    let _ = write!(
        text,
        "set -eu\nexec {} --shard \"$SLURM_ARRAY_TASK_ID/{parts}\" \\\n    --database {database}\"$SLURM_ARRAY_TASK_ID\".sqlite\n",
        command.join(" ")
    );
    Ok(text)
}

/// Writes the script of each experiment and submits it.
pub(super) fn submit(registry: &Registry, options: &Run, slurm: &str) -> Result<(), Failure> {
    for plan in &plans(registry, &options.what, Plan::load)? {
        let folder = folder(&options.what.database.database, plan);
        fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        let path = folder.join("array.sh");
        let text = script(plan, options, &folder, slurm)?;
        fs::write(&path, text).map_err(|error| failed(&path, &error))?;
        let sent = Command::new("sbatch").arg("--parsable").arg(&path).output();
        let sent = sent.map_err(|error| {
            let place = path.display();
            let message = format!("sbatch: {error}; the script is {place}");
            Failure::new(UNSUPPORTED, message)
        })?;
        if !sent.status.success() {
            let why = String::from_utf8_lossy(&sent.stderr).trim().to_owned();
            return Err(Failure::new(UNSUPPORTED, format!("sbatch: {why}")));
        }
        // The number of the job, and perhaps the name of the cluster.
        let answer = String::from_utf8_lossy(&sent.stdout);
        let job = answer.trim().split(';').next().unwrap_or_default().to_owned();
        let array = Array { parts: options.parts, subset: options.subset, job };
        let known = folder.join("array.json");
        let json = serde_json::to_string(&array).map_err(|error| failed(&known, &error))?;
        fs::write(&known, json).map_err(|error| failed(&known, &error))?;
        print(&format!(
            "{}: job {} with {}; `unriddle lab status {}` counts finished runs\n",
            plan.experiment.name,
            array.job,
            count_of(array.parts as u64, "parts"),
            quoted(&plan.experiment.path.display().to_string())
        ))?;
    }
    Ok(())
}

/// The states of an array's jobs that Slurm still knows, by the number of the part.
fn states(job: &str) -> HashMap<usize, String> {
    let asked = Command::new("squeue").args(["-h", "-r", "-j", job, "-o", "%K %T"]).output();
    let answer = asked.map(|done| String::from_utf8_lossy(&done.stdout).into_owned());
    let answer = answer.unwrap_or_default();
    let lines = answer.lines().filter_map(|line| line.trim().split_once(' '));
    lines.filter_map(|(k, state)| Some((k.parse().ok()?, state.to_lowercase()))).collect()
}

/// Prints for each part of an array how many of its runs are recorded.
pub(super) fn status(registry: &Registry, options: &Status) -> Result<(), Failure> {
    for plan in &plans(registry, &options.what, Plan::load)? {
        let folder = folder(&options.what.database.database, plan);
        let known = folder.join("array.json");
        let text = fs::read_to_string(&known).map_err(|error| {
            let hint = "`unriddle lab run --slurm` submits an array";
            failed(&known, &format!("{error}; {hint}"))
        })?;
        let array: Array = serde_json::from_str(&text).map_err(|error| failed(&known, &error))?;
        let states = states(&array.job);
        let (mut all, mut recorded) = (0, 0);
        let mut text = String::new();
        for k in 1..=array.parts {
            let tasks = plan.part(Shard { k, n: array.parts }, array.subset);
            let path = part(&folder, k);
            let finished = match path.exists() {
                true => Store::open_existing(&path)?.finished(&plan.experiment.name)?,
                false => Default::default(),
            };
            let done = tasks.iter().filter(|task| finished.contains(&task.key)).count();
            all += tasks.len();
            recorded += done;
            let state = match states.get(&k) {
                Some(state) => state.as_str(),
                None if done == tasks.len() => "done",
                None if path.exists() => "ended; the same `lab run` resumes it",
                None => "not begun",
            };
            let _ = writeln!(text, "  part {k}: {done} of {} runs, {state}", tasks.len());
        }
        let name = &plan.experiment.name;
        print(&format!("{name}, job {}: {recorded} of {all} runs recorded\n{text}", array.job))?;
        if recorded == all {
            let parts = part(&folder, 0).display().to_string().replace("part-0", "part-*");
            print(&format!("  `unriddle lab merge {parts}` joins them\n"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("results/a-1.sqlite"), "results/a-1.sqlite");
        assert_eq!(quoted("my runs"), "'my runs'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
