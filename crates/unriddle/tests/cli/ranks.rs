//! Processes that `mpirun` starts: any number of them has the results of one process.
//!
//! Without an installed `mpirun` these tests report that they are skipped.

use crate::{
    freecell::{DEALS, EVOLVED, recipe},
    place::{EASY, EASY_15, HARDEST, ODD, Place, Ran, field},
    tune,
};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

/// Whether processes can be started.
fn can_start() -> bool {
    let version = Command::new("mpirun").arg("--version").stdout(Stdio::null()).status();
    let can = version.is_ok_and(|status| status.success());
    if !can {
        eprintln!("skipped: mpirun is not installed");
    }
    can
}

/// The program as several processes.
fn started(place: &Place, ranks: usize, arguments: &[&str]) -> Command {
    set_up(place.launched(&["mpirun", "-n", &ranks.to_string()], arguments))
}

/// Lets Open MPI start more processes than there are cores, and as the superuser of a container.
fn set_up(mut command: Command) -> Command {
    command
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    command
}

fn run(place: &Place, ranks: usize, arguments: &[&str]) -> Ran {
    started(place, ranks, arguments).output().expect("mpirun starts").into()
}

/// Facts of records that do not depend on time.
fn facts(lines: &str) -> Vec<Vec<String>> {
    let names = ["id", "status", "value", "solution", "expanded", "generated", "checked"];
    lines.lines().map(|line| names.map(|name| field(line, name)).to_vec()).collect()
}

/// Checks that files of two runs are the same.
fn assert_same(place: &Place, [one, other]: [&str; 2], files: &[&str]) {
    for file in files {
        let read = |run: &str| std::fs::read(place.path(&format!("{run}/{file}"))).expect("a file");
        assert!(read(one) == read(other), "{file} of {one} and {other} differ");
    }
}

#[test]
fn ranks_search_an_instance_together() {
    if !can_start() {
        return;
    }
    let place = Place::new();
    let world = place.run(&["generate", "party", "world(varied, heroes=40)", "--seed", "1"]).good();
    place.write("world.json", world);
    let beam = |direction: &str| {
        format!("beam(net(cube-half), width=200, direction={direction}, ties=state)")
    };
    let scramble = "R U2 F' L D B2 R' U F2 D'";
    for (puzzle, instance, solver) in [
        ("cube(metric=htm)", scramble, beam("forward")),
        ("cube(metric=htm)", scramble, beam("bidirectional")),
        ("tiles", "5 1 2 4 9 6 3 8 0 13 11 12 10 14 7 15", "idastar(manhattan)".to_owned()),
        ("party", "world.json", "team-breed(epochs=3, epoch=2)".to_owned()),
    ] {
        let format = ["--format", "jsonl", "--jobs", "1", "--seed", "4"];
        let arguments = ["solve", puzzle, instance, "--together", "--solver", &solver];
        let arguments = [&arguments[..], &format].concat();
        let [one, two, four] = [1, 2, 4].map(|ranks| facts(&run(&place, ranks, &arguments).good()));
        assert_eq!(one.len(), 1, "{solver}");
        assert_eq!([&two, &four], [&one, &one], "{solver}");
    }
    let message =
        run(&place, 2, &["solve", "tiles", EASY, "--together", "--solver", "bfs"]).bad(32);
    let others = "these can: idastar, beam, team-breed";
    let expected = format!("several ranks cannot search together by bfs; {others}\n");
    assert!(message.starts_with(&expected), "{message}");
}

#[test]
fn ranks_share_a_batch() {
    if !can_start() {
        return;
    }
    let place = Place::new();
    let boards = [HARDEST, EASY, EASY_15, ODD, "2 1 3 4 5 6 7 8 0", "1 2 3 4 5 6 7 8 0"];
    place.write("boards.txt", boards.join("\n"));
    let arguments =
        ["solve", "tiles", "--file", "boards.txt", "--solver", "idastar(manhattan)", "--jobs", "1"];
    let arguments = [&arguments[..], &["--format", "jsonl"]].concat();
    let alone = facts(&place.run(&arguments).good());
    assert_eq!(alone.len(), 6);
    for ranks in [2, 4] {
        assert_eq!(facts(&run(&place, ranks, &arguments).good()), alone);
    }
}

#[test]
fn ranks_share_evolution_and_tuning() {
    if !can_start() {
        return;
    }
    let place = Place::new();
    place.write("deals.txt", DEALS);
    place.write("recipe.toml", recipe(2));
    place.write("tune.toml", tune::RECIPE);
    for (command, puzzle, recipe, files) in [
        ("evolve", "freecell", "recipe.toml", &EVOLVED[..]),
        ("tune", "samegame", "tune.toml", &tune::FILES[..]),
    ] {
        for ranks in [1, 2, 4] {
            let folder = format!("{command}-{ranks}");
            let arguments = [command, puzzle, "--recipe", recipe, "--run", &folder, "--jobs", "1"];
            run(&place, ranks, &arguments).good();
            assert_same(&place, [&format!("{command}-1"), &folder], files);
        }
    }
}

/// The process of a rank that works in a folder, if it exists.
fn process_of(rank: usize, folder: &Path) -> Option<Pid> {
    let variable = format!("OMPI_COMM_WORLD_RANK={rank}");
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    processes.map(|entry| entry.path()).find_map(|process| {
        let environment = std::fs::read(process.join("environ")).ok()?;
        let is_rank =
            environment.split(|byte| *byte == 0).any(|entry| entry == variable.as_bytes());
        let is_here = std::fs::read_link(process.join("cwd")).is_ok_and(|path| path == folder);
        let number = process.file_name()?.to_str()?.parse().ok()?;
        (is_rank && is_here).then(|| Pid::from_raw(number))?
    })
}

/// Waits until a process ends; ends it after a minute.
fn awaited(child: &mut Child) -> bool {
    let begun = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if begun.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it is ended");
            return false;
        }
        sleep(Duration::from_millis(10));
    }
    true
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_that_lost_a_rank_ends_and_resumes() {
    if !can_start() {
        return;
    }
    let place = Place::new();
    place.write("deals.txt", DEALS);
    place.write("recipe.toml", recipe(3));
    let evolve = ["evolve", "freecell", "--recipe", "recipe.toml", "--jobs", "1", "--run"];
    place.run(&[&evolve[..], &["whole"]].concat()).good();

    let arguments = [&evolve[..], &["other"]].concat();
    let mut child = started(&place, 2, &arguments).spawn().expect("mpirun starts");
    while !place.path("other/checkpoint.json").exists() && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    let folder = place.path("").canonicalize().expect("a folder");
    let rank = process_of(1, &folder).expect("the rank runs");
    kill_process(rank, Signal::KILL).expect("the signal is sent");
    assert!(awaited(&mut child), "the other rank did not end");
    let ended = child.wait_with_output().expect("its output");
    assert!(!ended.status.success());
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(said.contains("rank 1"), "{said}");

    run(&place, 2, &arguments).good();
    assert_same(&place, ["whole", "other"], &EVOLVED);
}

#[test]
fn ranks_with_other_files_and_other_commands_are_refused() {
    if !can_start() {
        return;
    }
    let place = Place::new();
    place.write("a.txt", EASY);
    place.write("b.txt", HARDEST);
    let solve = ["solve", "tiles", "--file", "a.txt"];
    let program = place.command(&["solve", "tiles", "--file", "b.txt"]);
    let mut command = started(&place, 1, &solve);
    command.args([":", "-n", "1"]).arg(program.get_program()).args(program.get_args());
    let message = Ran::from(command.output().expect("mpirun starts")).bad(31);
    assert!(message.starts_with("rank 1 and rank 0 differ in the instances"), "{message}");
    let message = run(&place, 2, &["list"]).bad(2);
    assert!(
        message.starts_with("this command runs as one process, and 2 were started"),
        "{message}"
    );
}

#[test]
#[cfg(feature = "train")]
fn ranks_share_training() {
    if !can_start() {
        return;
    }
    let place = Place::new();
    place.write(
        "recipe.toml",
        r#"version = 2
title = "t"
puzzle = "tiles"
instances = "uniform(3)"
seed = 1
[network]
linear = "manhattan"
blocks = [{ dense = 16, activation = "relu" }]
[[source]]
from = "walks"
steps = 30
per_walk = 8
target = "bellman"
[target]
every = 10
below = 0.3
at_most = 50
[training]
batch = 100
examples = "4k"
rate = 0.002
last_rate = 5e-05
checkpoint = "30s"
"#,
    );
    for ranks in [1, 2, 4] {
        let folder = format!("run-{ranks}");
        let arguments = ["train", "tiles", "--recipe", "recipe.toml", "--run", &folder];
        run(&place, ranks, &[&arguments[..], &["--jobs", "1"]].concat()).good();
        assert_same(&place, ["run-1", &folder], &["model.safetensors"]);
    }
}
