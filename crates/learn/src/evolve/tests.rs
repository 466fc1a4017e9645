//! What is kept of a run that is cancelled, and what a run that solves nothing says.

use super::{Arena, Event, Recipe, evolve, files::Lines};
use std::{
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};
use unriddle_catalog::Cancel;
use unriddle_catalog::work::WorkError;
use unriddle_evolve::Trial;

/// Instances of which some are solved by all, after any search at all; the baseline is cancelled at one of them.
struct Stub<'a> {
    solves: bool,
    /// The instance at which the baseline is cancelled.
    cancels_at: Option<usize>,
    cancel: &'a Cancel,
    /// How many trials of the baseline were run.
    baseline: AtomicUsize,
}

impl Arena for Stub<'_> {
    fn bounds(&self) -> Vec<(f64, f64)> {
        vec![(0.0, 1.0); 2]
    }

    fn instances(&self) -> usize {
        6
    }

    fn run(
        &self,
        genome: Option<&[f64]>,
        instance: usize,
        cancel: &Cancel,
    ) -> Result<Option<Trial>, WorkError> {
        if genome.is_none() {
            if self.cancels_at == Some(instance) {
                self.cancel.cancel();
            }
            self.baseline.fetch_add(1, Ordering::Relaxed);
        }
        Ok(
            (!cancel.is_cancelled()).then(|| match self.solves || genome.is_none() {
                true => Trial::solved(10.0 + instance as f64),
                false => Trial::unsolved(),
            }),
        )
    }

    fn solver(&self, genome: &[f64]) -> Result<String, WorkError> {
        Ok(format!("{genome:?}"))
    }

    fn weights(&self, genome: &[f64], _: &Lines<'_>) -> Result<String, WorkError> {
        self.solver(genome)
    }
}

/// A run of the stub: its end, how many trials of the baseline it ran, and how many it announced.
fn run(
    folder: &Path,
    solves: bool,
    cancels_at: Option<usize>,
) -> (Result<bool, WorkError>, usize, usize) {
    let (recipe, training) = (folder.join("recipe.toml"), folder.join("numbers.txt"));
    std::fs::write(training, "1\n2\n3\n4\n5\n6\n").unwrap();
    let text = "version = 3\ntitle = \"t\"\npuzzle = \"toy\"\nsolver = \"search({heuristic})\"\nheuristic = \"sum\"\n\
                method = \"random\"\nseed = 1\ngenerations = 1\npopulation = 4\ntraining = \"numbers.txt\"\nfinalists = 2\n\
                nodes = \"3k\"\nbaseline = { solver = \"plain\", nodes = \"5k\" }\n\
                [sets]\npopulation = 3\ninstances = 2\nmet = 1\nevery = 2\n";
    std::fs::write(&recipe, text).unwrap();
    let recipe = Recipe::load(&recipe).unwrap();
    let cancel = Cancel::default();
    let arena = Stub {
        solves,
        cancels_at,
        cancel: &cancel,
        baseline: AtomicUsize::new(0),
    };
    let announced = AtomicUsize::new(0);
    let tell = |event: Event<'_>| {
        if let Event::Stage("baseline", trials) = event {
            announced.store(trials, Ordering::Relaxed);
        }
    };
    let done = evolve(
        &recipe,
        &arena,
        &folder.join("run"),
        "none",
        1,
        &cancel,
        &tell,
    );
    (
        done.map(|finished| finished.is_some()),
        arena.baseline.into_inner(),
        announced.into_inner(),
    )
}

#[test]
fn a_baseline_that_is_cancelled_goes_on() {
    let (stopped, whole) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (done, trials, announced) = run(stopped.path(), true, Some(4));
    assert!(matches!(done, Ok(false)));
    assert_eq!((trials, announced), (5, 6));
    let kept = std::fs::read_to_string(stopped.path().join("run/baseline.csv")).unwrap();
    assert_eq!(
        kept,
        "# plain, at most 5000 generated states\ninstance,generated,solved\n1,10,1\n2,11,1\n3,12,1\n4,13,1\n"
    );
    let (done, trials, announced) = run(stopped.path(), true, None);
    assert!(matches!(done, Ok(true)));
    assert_eq!((trials, announced), (2, 2));
    let (_, trials, _) = run(whole.path(), true, None);
    assert_eq!(trials, 6);
    for name in [
        "baseline.csv",
        "checkpoint.json",
        "finalists.csv",
        "weights.toml",
    ] {
        let read = |place: &tempfile::TempDir| {
            std::fs::read_to_string(place.path().join("run").join(name)).unwrap()
        };
        assert_eq!(read(&stopped), read(&whole), "{name}");
    }
}

#[test]
fn a_run_that_solves_nothing_writes_no_weights() {
    let place = tempfile::tempdir().unwrap();
    let (done, ..) = run(place.path(), false, None);
    let Err(WorkError::Unsolved(why)) = done else {
        panic!("{done:?}");
    };
    assert!(why.contains("any of the 6"), "{why}");
    assert!(!place.path().join("run/weights.toml").exists());
    assert!(place.path().join("run/finalists.csv").exists());
}
