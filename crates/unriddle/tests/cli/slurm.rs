//! Arrays of Slurm. A stand-in for `sbatch` reads the same script and runs its jobs one after
//! another, as a cluster with one node does.

use crate::place::{Place, Ran};
use std::os::unix::fs::PermissionsExt as _;

const EXPERIMENT: &str = "title = \"T\"\nseeds = [0, 1]\n[[claim]]\ntext = \"C.\"\n\
    missing = \"nothing\"\n[[suite]]\nname = \"s\"\npuzzle = \"tiles\"\n\
    generator = \"uniform(3)\"\ncount = 9\n[[solver]]\nname = \"x\"\nspec = \"idastar(manhattan)\"\n";

/// Reads the directives of the script and runs the jobs of its array, except the jobs of `SKIP`.
const SBATCH: &str = r#"#!/bin/sh
set -eu
script=$2
[ "$1" = --parsable ]
last=$(sed -n 's/^#SBATCH --array=1-//p' "$script")
log=$(sed -n 's/^#SBATCH --output=//p' "$script")
for task in $(seq "$last"); do
    case " ${SKIP:-} " in *" $task "*) continue ;; esac
    SLURM_ARRAY_TASK_ID=$task sh "$script" >"$(echo "$log" | sed "s/%a/$task/")" 2>&1
done
echo '77;cluster'
"#;

/// A folder with an experiment, and with an `sbatch` in its folder `bin`.
fn place() -> Place {
    let place = Place::new();
    place.write("e.toml", EXPERIMENT);
    std::fs::create_dir(place.path("bin")).expect("a folder");
    place.write("bin/sbatch", SBATCH);
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(place.path("bin/sbatch"), mode).expect("an executable file");
    place
}

fn run(place: &Place, arguments: &[&str], skip: &str) -> Ran {
    let path = format!("{}:{}", place.path("bin").display(), std::env::var("PATH").expect("PATH"));
    let mut command = place.command(arguments);
    command.env("PATH", path).env("SKIP", skip).output().expect("the program runs").into()
}

const SUBMIT: &[&str] =
    &["lab", "run", "e.toml", "--slurm=--time=10 --mem=1G", "--parts", "4", "--jobs", "1"];

#[test]
fn an_array_has_the_runs_of_one_process() {
    let place = place();
    let out = run(&place, SUBMIT, "3").good();
    assert!(out.starts_with("e: job 77 with 4 parts"), "{out}");
    let script = place.read("results/slurm-e/array.sh");
    assert!(script.contains("#SBATCH --array=1-4\n") && script.contains("--time=10 --mem=1G\n"));
    let out = run(&place, &["lab", "status", "e.toml"], "").good();
    assert!(out.starts_with("e, job 77: 14 of 18 runs recorded"), "{out}");
    assert!(out.contains("part 3: 0 of 4 runs, not begun"), "{out}");
    assert!(out.contains("part 1: 6 of 6 runs, done"), "{out}");
    // The same command runs only the part that is missing.
    run(&place, SUBMIT, "").good();
    let out = run(&place, &["lab", "status", "e.toml"], "").good();
    assert!(out.starts_with("e, job 77: 18 of 18 runs recorded"), "{out}");
    assert!(out.contains("unriddle lab merge results/slurm-e/part-*.sqlite"), "{out}");
    let parts: Vec<String> = (1..=4).map(|k| format!("results/slurm-e/part-{k}.sqlite")).collect();
    let mut merge = vec!["lab", "merge", "--database", "array.sqlite"];
    merge.extend(parts.iter().map(String::as_str));
    place.run(&merge).good();
    // One process has the same runs.
    place.run(&["lab", "run", "e.toml", "--database", "one.sqlite"]).good();
    let out = place.run(&["lab", "compare", "array.sqlite", "one.sqlite"]).good();
    assert!(out.contains("18 pairs of runs"), "{out}");
    assert!(out.contains("0 runs of A and 0 runs of B have no partner"), "{out}");
    assert!(out.contains("Changed outcomes\n\nNone."), "{out}");
}

#[test]
fn a_machine_without_slurm_keeps_the_script() {
    let place = place();
    let mut command = place.command(&["lab", "run", "e.toml", "--slurm"]);
    let ran: Ran = command.env("PATH", "").output().expect("the program runs").into();
    let message = ran.bad(32);
    assert!(
        message.contains("sbatch") && message.contains("results/slurm-e/array.sh"),
        "{message}"
    );
    assert!(place.read("results/slurm-e/array.sh").starts_with("#!/bin/sh\n#SBATCH"));
    let message = place.run(&["lab", "status", "e.toml"]).bad(31);
    assert!(message.contains("unriddle lab run --slurm"), "{message}");
    place.run(&["lab", "run", "e.toml", "--parts", "3"]).bad(2);
}
