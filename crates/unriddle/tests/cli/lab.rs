//! The lab: runs that survive kills, crashes and company; results that travel; bad input.

use crate::place::{EASY, ENDLESS, Place, Ran};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    process::Child,
    thread::sleep,
    time::{Duration, Instant},
};

/// The claims of these experiments are irrelevant here.
const CLAIM: &str = "[[claim]]\ntext = \"C.\"\nmissing = \"nothing\"\n";

/// An experiment on random 8-puzzles.
fn experiment(count: usize, seeds: &str, solver: &str) -> String {
    format!(
        "title = \"T\"\nseeds = {seeds}\n{CLAIM}[[suite]]\nname = \"s\"\n\
         puzzle = \"tiles\"\ngenerator = \"uniform(3)\"\ncount = {count}\n\
         [[solver]]\nname = \"x\"\nspec = \"{solver}\"\n"
    )
}

/// An experiment on boards of a file beside it.
fn boards(place: &Place, boards: &[&str], more: &str) -> String {
    place.write("boards.txt", boards.join("\n"));
    format!(
        "title = \"T\"\n{more}\n{CLAIM}[[suite]]\nname = \"s\"\n\
         puzzle = \"tiles\"\nfile = \"./boards.txt\"\n"
    )
}

const RUN: [&str; 5] = ["lab", "run", "e.toml", "--database", "d.sqlite"];

fn run(place: &Place, more: &[&str]) -> Ran {
    place.run(&[&RUN[..], more].concat())
}

/// The recorded runs.
fn rows(place: &Place, database: &str) -> Vec<Value> {
    let ran = place.run(&["lab", "show", "e", "--format", "jsonl", "--database", database]);
    let out = ran.good();
    out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

fn text<'v>(row: &'v Value, field: &str) -> &'v str {
    row[field].as_str().unwrap_or_default()
}

/// Number of records of each instance and seed.
fn times(rows: &[Value]) -> BTreeMap<(String, u64), usize> {
    let mut times = BTreeMap::new();
    for row in rows {
        let key = (text(row, "id").to_owned(), row["seed"].as_u64().unwrap_or(u64::MAX));
        *times.entry(key).or_default() += 1;
    }
    times
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("the signal is sent");
}

#[test]
fn a_batch_killed_twenty_times_has_every_run_once() {
    let place = Place::new();
    let (instances, seeds) = (3000, 4);
    place.write("e.toml", experiment(instances, "[0, 1, 2, 3]", "idastar(linear-conflict)"));
    let mut random: u64 = 12345;
    let (mut kills, mut last) = (0u64, 0);
    // On a busy machine the first kills come before the first run has ended: then they come later.
    while kills < 20 || (last == 0 && kills < 100) {
        let mut child = place.start(&RUN);
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        sleep(Duration::from_millis(20 + (random >> 33) % (200 * (1 + kills / 20))));
        let ended = child.try_wait().expect("its state");
        assert!(ended.is_none(), "it ended after {kills} kills: give it more to do");
        child.kill().expect("the signal is sent");
        child.wait().expect("it ends");
        kills += 1;
        // Nothing that was finished is lost.
        if kills % 5 == 0 {
            let ran =
                place.run(&["lab", "show", "e", "--format", "jsonl", "--database", "d.sqlite"]);
            let now = ran.out.lines().count();
            assert!(now >= last, "{now} after {last}");
            last = now;
        }
    }
    assert!(last > 0 && last < instances * seeds, "{last}");
    run(&place, &[]).good();
    let times = times(&rows(&place, "d.sqlite"));
    assert_eq!(times.len(), instances * seeds);
    assert!(times.values().all(|&n| n == 1));
    // Another call has nothing to do.
    let err = run(&place, &[]).err;
    assert!(err.contains("e: 0 runs done"), "{err}");
}

/// On a busy machine one lab may be done before the other one has begun; then they try again.
#[test]
fn two_labs_on_one_database_share_the_work() {
    let shared = (0..5).any(|_| {
        let place = Place::new();
        place.write("e.toml", experiment(1500, "[0, 1]", "idastar(manhattan)"));
        let first = place.start(&RUN);
        let second = place.start(&RUN);
        let ran: Vec<Ran> = [first, second]
            .map(|child| Ran::from(child.wait_with_output().expect("it ends")))
            .into();
        let did: Vec<usize> = ran
            .iter()
            .map(|ran| {
                assert_eq!(ran.code, Some(0), "{}", ran.err);
                let note =
                    ran.err.lines().find_map(|line| line.strip_prefix("e: ")).expect("a note");
                note.split(' ').next().and_then(|n| n.parse().ok()).expect("a number")
            })
            .collect();
        assert_eq!(did[0] + did[1], 3000, "{did:?}");
        let times = times(&rows(&place, "d.sqlite"));
        assert_eq!(times.len(), 3000);
        assert!(times.values().all(|&n| n == 1));
        did.iter().all(|&n| n > 0)
    });
    assert!(shared, "one lab did all the work, five times");
}

#[test]
fn the_number_of_workers_changes_nothing_but_times() {
    let place = Place::new();
    let solver = "bwas(manhattan, lambda=0.8, batch=10)";
    place.write("e.toml", experiment(60, "[3, 5]", solver));
    let of = |jobs: &str| {
        let database = format!("{jobs}.sqlite");
        place.run(&["lab", "run", "e.toml", "--jobs", jobs, "--database", &database]).good();
        let mut rows = rows(&place, &database);
        for row in &mut rows {
            let row = row.as_object_mut().expect("an object");
            row.retain(|field, _| !field.ends_with("_s") && !field.contains("peak_resident"));
            row.remove("started_ms");
            for incumbent in row["incumbents"].as_array_mut().expect("an array") {
                incumbent.as_object_mut().map(|i| i.remove("cpu_s"));
            }
        }
        rows
    };
    let one = of("1");
    assert_eq!(one.len(), 120);
    assert!(
        one.iter()
            .all(|row| row["checked"] == true && !row["incumbents"].as_array().unwrap().is_empty())
    );
    assert_eq!(one, of("3"));
}

/// The worker processes of a lab, once there are any.
#[cfg(target_os = "linux")]
fn workers(child: &Child) -> Vec<i32> {
    let path = format!("/proc/{0}/task/{0}/children", child.id());
    let begun = Instant::now();
    loop {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let pids: Vec<i32> = text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect();
        if !pids.is_empty() || begun.elapsed() > Duration::from_secs(20) {
            return pids;
        }
        sleep(Duration::from_millis(5));
    }
}

/// Disturbs the worker of an endless run. Returns the row of this run, after checking that the
/// other runs are complete.
#[cfg(target_os = "linux")]
fn disturbed(with: Signal, limits: &str) -> Value {
    let place = Place::new();
    let text =
        boards(&place, &[EASY, ENDLESS, "1 2 3 4 5 6 0 7 8"], &format!("[limits]\n{limits}"));
    place.write("e.toml", text + "[[solver]]\nname = \"x\"\nspec = \"idastar(manhattan)\"\n");
    let child = place.start(&[&RUN[..], &["--jobs", "1"]].concat());
    let workers = workers(&child);
    assert_eq!(workers.len(), 1);
    // By then it has begun with the endless one.
    sleep(Duration::from_millis(700));
    kill_process(Pid::from_raw(workers[0]).expect("a pid"), with).expect("the signal is sent");
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    // The program reports a run that fails without a limit.
    assert_eq!(ran.code, Some(30), "{}", ran.err);
    assert!(ran.out.contains("## Unexplained"), "{}", ran.out);
    let rows = rows(&place, "d.sqlite");
    assert_eq!(rows.len(), 3);
    for other in [&rows[0], &rows[2]] {
        assert_eq!(text_of(other), "optimal");
    }
    rows[1].clone()
}

#[cfg(target_os = "linux")]
fn text_of(row: &Value) -> &str {
    text(row, "status")
}

#[test]
#[cfg(target_os = "linux")]
fn a_crashed_worker_costs_its_run_and_nothing_else() {
    let row = disturbed(Signal::KILL, "hang = \"60s\"");
    assert_eq!((text(&row, "status"), text(&row, "failure")), ("failed", "crashed"));
    assert!(text(&row, "reason").contains("signal: 9"), "{row}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_worker_that_hangs_is_ended() {
    let row = disturbed(Signal::STOP, "hang = \"2s\"");
    assert_eq!((text(&row, "status"), text(&row, "failure")), ("failed", "hung"));
}

#[test]
fn limits_end_runs_and_are_recorded_as_such() {
    let place = Place::new();
    let text = boards(&place, &[ENDLESS], "");
    let solver = |name: &str, spec: &str, limits: &str| {
        format!("[[solver]]\nname = \"{name}\"\nspec = \"{spec}\"\nlimits = {{ {limits} }}\n")
    };
    let text = text
        + &solver("cpu", "idastar(manhattan)", "cpu = \"0.3s\"")
        + &solver("time", "idastar(manhattan)", "time = \"0.3s\"")
        + &solver("count", "idastar(manhattan)", "expansions = \"10k\"")
        + &solver("memory", "astar(manhattan)", "memory = \"20M\"")
        + &solver("resident", "astar(linear-conflict)", "resident = \"120M\"");
    place.write("e.toml", text);
    // Limits explain all of it: the exit code is 0.
    let out = run(&place, &[]).good();
    assert!(out.contains('≥'), "{out}");
    let rows = rows(&place, "d.sqlite");
    let mut ends: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {}{}", row["status"], row["stopped_by"], row["failure"]))
        .collect();
    ends.sort();
    let expected = [
        "\"failed\" null\"memory\"",
        "\"stopped\" \"cpu\"null",
        "\"stopped\" \"expansions\"null",
        "\"stopped\" \"memory\"null",
        "\"stopped\" \"time\"null",
    ];
    assert_eq!(ends, expected);
}

#[test]
fn ctrl_c_keeps_finished_runs_and_the_same_command_resumes() {
    let place = Place::new();
    place.write("e.toml", experiment(20_000, "[0]", "idastar(manhattan)"));
    let child = place.start(&RUN);
    sleep(Duration::from_millis(1500));
    signal(&child, Signal::INT);
    let begun = Instant::now();
    let message = Ran::from(child.wait_with_output().expect("it ends")).bad(23);
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert!(message.contains("the same command resumes"), "{message}");
    let kept = rows(&place, "d.sqlite").len();
    assert!(kept > 0 && kept < 20_000, "{kept}");
    let err = run(&place, &["--shard", "1/4"]).err;
    assert!(err.contains("5000 recorded, 0 left"), "{err}");
}

#[test]
fn results_travel_and_an_edited_experiment_keeps_its_old_runs_apart() {
    let place = Place::new();
    place.write("e.toml", experiment(12, "[0]", "idastar(manhattan)"));
    for shard in ["1/2", "2/2"] {
        let database = format!("{}.sqlite", &shard[..1]);
        let run = ["lab", "run", "e.toml", "--shard", shard, "--database", &database];
        let out = place.run(&run).good();
        assert!(out.contains("6 of 12 instances so far") || out.contains("6 of 12"), "{out}");
        let suffix = format!("{}of2", &shard[..1]);
        place
            .run(&[
                "lab",
                "export",
                "e",
                "--suffix",
                &suffix,
                "--output",
                ".",
                "--database",
                &database,
            ])
            .good();
    }
    let merge = ["lab", "merge", "e-1of2.csv", "2.sqlite", "e-2of2.csv", "--database", "d.sqlite"];
    let out = place.run(&merge).good();
    assert!(out.contains("e-1of2.csv: 6 new runs, 0 known"), "{out}");
    assert!(out.contains("e-2of2.csv: 0 new runs, 6 known"), "{out}");
    // Everything is there: nothing is left to do, and the report is the same from both.
    let err = run(&place, &[]).err;
    assert!(err.contains("e: 0 runs done") && err.contains("12 recorded"), "{err}");
    let report = |folder: &str| {
        let args = ["lab", "report", "e.toml", "--output", folder, "--database", "d.sqlite"];
        place.run(&args).good();
        (place.read(&format!("{folder}/e.md")), place.read(&format!("{folder}/e.html")))
    };
    let (markdown, html) = report("r1");
    assert!(markdown.contains("all 12 instances"), "{markdown}");
    assert!(html.starts_with("<!DOCTYPE html>"), "{html}");
    assert_eq!(report("r2"), (markdown, html));

    place.write("e.toml", experiment(12, "[1]", "idastar(manhattan)"));
    let out = run(&place, &[]).good();
    assert!(out.contains("12 runs of other instances, solvers or limits kept apart"), "{out}");
    let list = place.run(&["lab", "list", "--database", "d.sqlite"]).good();
    assert!(list.starts_with("e: 24 runs"), "{list}");
}

#[test]
fn external_programs_run_on_the_same_instances() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    // Knows one board, claims a wrong solution of another, gives up, crashes, and takes for ever.
    place.write(
        "standin.sh",
        "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'stand-in 1.2'; exit; }\nread -r board\n\
         case \"$board\" in\n'1 2 3 4 5 6 7 0 8') echo 'expanded 7'; echo 'answer: L';;\n\
         '1 2 3 4 5 6 0 7 8') echo 'answer: R';;\n'1 2 3 4 0 6 7 5 8') echo 'no way';;\n\
         '1 2 3 4 5 0 7 8 6') echo 'lost' >&2; exit 3;;\n*) sleep 100 & wait;;\nesac\n",
    );
    let script = place.path("standin.sh");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    place.write(
        "peer.toml",
        "name = \"stand-in\"\nversion = [\"./standin.sh\", \"--version\"]\n\
         command = [\"./standin.sh\"]\n[output]\nsolution = \"^answer: (.*)$\"\n\
         expanded = \"^expanded (\\\\d+)\"\nunsolvable = \"^no way\"\n",
    );
    let list =
        [EASY, "1 2 3 4 5 6 0 7 8", "1 2 3 4 0 6 7 5 8", "1 2 3 4 5 0 7 8 6", "1 2 3 0 5 6 4 7 8"];
    let text = boards(&place, &list, "[limits]\ntime = \"1s\"");
    place.write(
        "e.toml",
        text + "[[solver]]\nname = \"they\"\npeer = \"peer.toml\"\n\
                [[solver]]\nname = \"we\"\nspec = \"idastar(manhattan)\"\n",
    );
    let ran = run(&place, &[]);
    assert_eq!(ran.code, Some(30), "{}", ran.err);
    let rows = rows(&place, "d.sqlite");
    let theirs: Vec<&Value> = rows.iter().filter(|row| text_starts(row, "peer stand-in")).collect();
    assert_eq!(theirs.len(), 5);
    assert!(theirs.iter().all(|row| row["peer_version"] == "stand-in 1.2"));
    let ends: Vec<String> = theirs
        .iter()
        .map(|row| {
            format!("{} {} {} {}", row["status"], row["value"], row["checked"], row["failure"])
        })
        .collect();
    assert_eq!(
        ends,
        [
            "\"solved\" 1 true null",
            "\"solved\" null false null",
            "\"exhausted\" null null null",
            "\"failed\" null null \"crashed\"",
            "\"stopped\" null null null",
        ]
    );
    assert_eq!(theirs[0]["expanded"], 7);
    assert!(theirs[3]["reason"].as_str().unwrap_or_default().contains("lost"), "{}", theirs[3]);
    assert_eq!(theirs[4]["stopped_by"], "time");

    // A program that is not there is named.
    place.write("peer.toml", place.read("peer.toml").replace("./standin.sh", "no-such-program"));
    let message = run(&place, &[]).bad(31);
    assert!(message.contains("no-such-program"), "{message}");
}

fn text_starts(row: &Value, with: &str) -> bool {
    text(row, "solver").starts_with(with)
}

#[test]
fn bad_input_is_refused_before_anything_runs() {
    let place = Place::new();
    let message = run(&place, &[]).bad(31);
    assert!(message.starts_with("e.toml: "), "{message}");
    place.write("e.toml", "title = \"T\"\nmeasure = \n");
    let message = run(&place, &[]).bad(31);
    assert!(message.starts_with("e.toml, line 2, column 11: "), "{message}");
    place.write("e.toml", experiment(3, "[0]", "idastar(manhatan)"));
    let message = run(&place, &[]).bad(31);
    assert!(message.starts_with("e.toml, line 13, column 17: "), "{message}");
    assert!(message.contains("manhattan"), "{message}");
    assert!(!place.path("d.sqlite").exists());

    place.write("e.toml", experiment(3, "[0]", "idastar(manhattan)"));
    let message = place.run(&["lab", "report", "e.toml", "--database", "none.sqlite"]).bad(31);
    assert!(message.contains("none.sqlite"), "{message}");
    place.write("d.sqlite", "this is no database, and never was one: it is a text of some length");
    let message = run(&place, &[]).bad(31);
    assert!(message.contains("d.sqlite"), "{message}");
    run(&place, &["--shard", "3/2"]).bad(2);
    place.write("x.csv", "# unriddle results, format 99\n");
    let message = place.run(&["lab", "merge", "x.csv", "--database", "m.sqlite"]).bad(31);
    assert!(message.contains("newer"), "{message}");
    place.run(&RUN).bad(31);
    std::fs::remove_file(place.path("d.sqlite")).expect("it is removed");
    run(&place, &[]).good();
    let message = place.run(&["lab", "show", "f", "--database", "d.sqlite"]).bad(2);
    assert!(message.contains("known: e"), "{message}");
}
