//! Coevolution: plans, efforts of trials, harder sets and better solvers, resumption, refusals.
//!
//! The toy puzzle: an instance is a difficulty d in 0..1, a solver's skill the mean of its genes; a
//! trial takes 100 + 1000·d·(1 − skill) nodes and is solved below 800. The baseline takes 600 for
//! every instance.

use std::collections::HashSet;
use unriddle_evolve::{
    Coevolution, CoevolutionConfig, Direction, EvolveError, GaConfig, Job, Opponents, Reals,
    Scoring, SetConfig, Trial,
};

const TRAINING: usize = 1_000;
const BASELINE: [Trial; TRAINING] = [Trial::solved(600.0); TRAINING];

fn skill(genome: &[f64]) -> f64 {
    genome.iter().sum::<f64>() / genome.len() as f64
}

fn trial(genome: &[f64], instance: u32) -> Trial {
    let difficulty = f64::from(instance) / TRAINING as f64;
    let effort = 100.0 + 1000.0 * difficulty * (1.0 - skill(genome));
    Trial { effort, solved: effort < 800.0 }
}

fn run(toy: &mut Coevolution<Reals>, generations: usize) {
    for _ in 0..generations {
        let plan = toy.ask();
        let of = |job: &Job| trial(&plan.solvers[job.solver], job.instance);
        let trials: Vec<Trial> = plan.jobs.iter().map(of).collect();
        toy.tell(&trials).unwrap();
    }
}

fn new(opponents: Opponents, seed: u64) -> Coevolution<Reals> {
    let config = CoevolutionConfig { opponents, ..CoevolutionConfig::default() };
    Coevolution::new(Reals::unit(4), config, &BASELINE, seed).unwrap()
}

fn mean_difficulty(toy: &Coevolution<Reals>) -> f64 {
    let sets = toy.sets().unwrap().ask();
    let sum: u32 = sets.iter().flatten().sum();
    f64::from(sum) / sets.iter().flatten().count() as f64 / TRAINING as f64
}

fn mean_skill(toy: &Coevolution<Reals>) -> f64 {
    let solvers = toy.ask().solvers;
    solvers.iter().map(|genome| skill(genome)).sum::<f64>() / solvers.len() as f64
}

#[test]
fn sets_become_harder_and_solvers_follow() {
    for (instances, seed) in [(6, 1), (6, 2), (1, 3)] {
        let mut toy =
            new(Opponents::Evolving(SetConfig { instances, ..SetConfig::default() }), seed);
        let (difficulty, skill) = (mean_difficulty(&toy), mean_skill(&toy));
        let beginners = toy.ask().solvers.to_vec();
        run(&mut toy, 150);
        let (harder, better) = (mean_difficulty(&toy), mean_skill(&toy));
        assert!(harder > difficulty + 0.07, "{instances}: {difficulty} to {harder}");
        assert!(better > skill + 0.3, "{instances}: {skill} to {better}");
        // On the final sets, the first solvers are worse than the final solvers.
        let instances = || toy.sets().unwrap().ask().iter().flatten();
        let solved = |solvers: &[Vec<f64>]| -> usize {
            let by = |solver: &Vec<f64>| instances().filter(|&&i| trial(solver, i).solved).count();
            solvers.iter().map(by).sum()
        };
        let (before, after) = (solved(&beginners), solved(toy.ask().solvers));
        assert!(after > before, "{before} to {after}");
        let (rounds, history) = (toy.rounds(), toy.solvers().history());
        assert!(history[149].mean > history[0].mean);
        assert_eq!(toy.sets().unwrap().generation(), 30);
        assert_eq!((toy.solvers().generation(), rounds.len()), (150, 150));
    }
}

#[test]
fn random_instances_improve_solvers() {
    for redraw in [true, false] {
        let opponents = Opponents::Random { instances: 10, redraw };
        let mut toy = new(opponents, 4);
        assert!(toy.sets().is_none());
        let instances = |toy: &Coevolution<Reals>| -> Vec<u32> {
            let jobs = toy.ask().jobs.iter();
            jobs.filter(|job| job.solver == 0).map(|job| job.instance).collect()
        };
        let (first, skill) = (instances(&toy), mean_skill(&toy));
        assert_eq!(first.iter().collect::<HashSet<_>>().len(), 10);
        run(&mut toy, 60);
        assert_eq!(instances(&toy) != first, redraw);
        assert!(mean_skill(&toy) > skill + 0.1);
        assert_eq!(toy.rounds()[59].trials, 500);
    }
}

#[test]
fn a_plan_contains_each_pair_once_and_two_sets_per_solver() {
    let mut toy = new(Opponents::default(), 5);
    for _ in 0..12 {
        let plan = toy.ask();
        let pairs: HashSet<&Job> = plan.jobs.iter().collect();
        assert_eq!(pairs.len(), plan.jobs.len());
        let sets = toy.sets().unwrap().ask();
        for (i, solver) in plan.solvers.iter().enumerate() {
            let first = plan.solvers.iter().position(|x| x == solver).unwrap();
            let met: HashSet<u32> =
                plan.jobs.iter().filter(|job| job.solver == i).map(|job| job.instance).collect();
            // A copy of another solver has no jobs of its own.
            assert_eq!(met.is_empty(), first != i);
            let inside = |set: &&Vec<u32>| set.iter().all(|x| met.contains(x));
            assert!(first != i || sets.iter().filter(inside).count() >= 2);
        }
        run(&mut toy, 1);
        let round = toy.rounds().last().unwrap();
        assert_eq!(round.trials, 600);
        assert!(round.jobs <= 600);
    }
}

#[test]
fn a_solver_is_as_fit_as_its_average_score() {
    // Two instances: the baseline solved the first with 1000 nodes, and did not solve the second.
    let baseline = [Trial::solved(1000.0), Trial::unsolved()];
    let config = CoevolutionConfig {
        opponents: Opponents::Random { instances: 2, redraw: true },
        ..CoevolutionConfig::default()
    };
    let mut toy = Coevolution::new(Reals::unit(2), config, &baseline, 6).unwrap();
    assert_eq!(toy.baseline(), [1000.0, 1e9]);
    let results = |job: &Job| match (job.solver, job.instance) {
        (0, 0) => Trial::solved(300.0),
        (0, _) => Trial::solved(500e6),
        (1, 0) => Trial::solved(1300.0),
        _ => Trial::unsolved(),
    };
    let trials: Vec<Trial> = toy.ask().jobs.iter().map(results).collect();
    toy.tell(&trials).unwrap();
    let told = toy.solvers().told();
    assert!((told[0].fitness - (0.7 + 0.5) / 2.0).abs() < 1e-12);
    assert!((told[1].fitness - 0.0007 / 2.0).abs() < 1e-12);
    assert_eq!(told[2].fitness, 0.0);
    assert_eq!((toy.rounds()[0].solved, toy.rounds()[0].jobs), (3, 100));
}

#[test]
fn a_set_is_as_fit_as_its_effort_over_the_baselines() {
    // A third of the instances is not solved by anybody, another by nobody but the baseline.
    let of = |i: usize| match i % 3 {
        0 => Trial::unsolved(),
        1 => Trial::solved(2e8),
        _ => Trial::solved(100.0),
    };
    let baseline: Vec<Trial> = (0..30).map(of).collect();
    let ga = GaConfig { population: 4, ..GaConfig::default() };
    let config = CoevolutionConfig {
        opponents: Opponents::Evolving(SetConfig { ga, ..SetConfig::default() }),
        ..CoevolutionConfig::default()
    };
    let mut toy = Coevolution::new(Reals::unit(2), config, &baseline, 7).unwrap();
    for generation in 1..=5 {
        assert!(toy.sets().unwrap().told().is_empty());
        let result = |job: &Job| match job.instance % 3 {
            2 => Trial::solved(50.0 * f64::from(generation)),
            _ => Trial::unsolved(),
        };
        let trials: Vec<Trial> = toy.ask().jobs.iter().map(result).collect();
        toy.tell(&trials).unwrap();
    }
    for set in toy.sets().unwrap().told() {
        let sum = |f: &dyn Fn(usize) -> f64| -> f64 {
            set.genome.iter().map(|&i| f(i as usize % 3)).sum()
        };
        // The number of solvers per generation is random: bounds for 50 to 250 nodes.
        let base = sum(&|kind| [1e9, 2e8, 100.0][kind]);
        let least = sum(&|kind| [1e9, 1e9, 50.0][kind]) / base;
        let most = sum(&|kind| [1e9, 1e9, 250.0][kind]) / base;
        assert!((least..=most).contains(&set.fitness), "{set:?}: {least} to {most}");
    }
}

#[test]
fn a_run_resumed_at_any_generation_is_the_uninterrupted_one() {
    let small = GaConfig { population: 9, ..GaConfig::default() };
    let evolving = Opponents::Evolving(SetConfig { ga: small, ..SetConfig::default() });
    let random = Opponents::Random { instances: 5, redraw: true };
    for opponents in [evolving, random] {
        let new = || {
            let config =
                CoevolutionConfig { solvers: small, opponents, scoring: Scoring::default() };
            Coevolution::new(Reals::unit(3), config, &BASELINE[..50], 8).unwrap()
        };
        let mut whole = new();
        run(&mut whole, 12);
        let whole = whole.save().unwrap();
        let mut cut = new();
        for generation in 0..=12 {
            let text = cut.save().unwrap();
            let mut resumed: Coevolution<Reals> = Coevolution::load(&text).unwrap();
            assert_eq!(resumed.save().unwrap(), text);
            assert_eq!(resumed.ask(), cut.ask());
            run(&mut resumed, 12 - generation);
            assert_eq!(resumed.save().unwrap(), whole, "resumed at {generation}");
            run(&mut cut, 1);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run_of = |seed| {
        let mut toy = new(Opponents::default(), seed);
        run(&mut toy, 11);
        toy.save().unwrap()
    };
    assert_eq!(run_of(9), run_of(9));
    assert_ne!(run_of(9), run_of(10));
}

#[test]
fn invalid_results_are_refused_and_change_nothing() {
    let mut toy = new(Opponents::default(), 11);
    let before = toy.save().unwrap();
    assert!(matches!(toy.tell(&[]), Err(EvolveError::WrongCount { what: "jobs", .. })));
    for effort in [f64::NAN, -1.0, f64::INFINITY] {
        let mut trials = vec![Trial::unsolved(); toy.ask().jobs.len()];
        trials[2] = Trial::solved(effort);
        let refused = toy.tell(&trials).unwrap_err();
        assert!(matches!(refused, EvolveError::BadEffort { index: 2, .. }));
    }
    assert_eq!(toy.save().unwrap(), before);
    // The largest allowed results give numbers that can be saved.
    for _ in 0..6 {
        let trials = vec![Trial::solved(1e100); toy.ask().jobs.len()];
        toy.tell(&trials).unwrap();
        Coevolution::<Reals>::load(&toy.save().unwrap()).unwrap();
    }
}

#[test]
fn bad_options_are_refused() {
    let refused = |config: CoevolutionConfig, baseline: &[Trial]| {
        Coevolution::new(Reals::unit(2), config, baseline, 1).unwrap_err().to_string()
    };
    let good = CoevolutionConfig::default();
    let sets = SetConfig::default();
    let evolving = |sets| CoevolutionConfig { opponents: Opponents::Evolving(sets), ..good };
    let random = |instances| CoevolutionConfig {
        opponents: Opponents::Random { instances, redraw: false },
        ..good
    };
    let minimise = GaConfig { direction: Direction::Minimise, ..GaConfig::default() };
    let cases = [
        (evolving(SetConfig { met: 51, ..sets }), "met is 51, but must be between 1 and 50"),
        (evolving(SetConfig { instances: 0, ..sets }), "instances is 0"),
        (evolving(SetConfig { instances: usize::MAX, ..sets }), "instances is 1844"),
        (evolving(SetConfig { every: 0, ..sets }), "every is 0"),
        (evolving(SetConfig { ga: minimise, ..sets }), "sets: the direction must be to maximise"),
        (CoevolutionConfig { solvers: minimise, ..good }, "solvers: the direction must be"),
        (random(0), "instances is 0, but must be between 1 and 1000"),
        (random(1001), "instances is 1001, but must be between 1 and 1000"),
        (
            CoevolutionConfig { scoring: Scoring { divisor: 0.0, ..Scoring::default() }, ..good },
            "scoring: divisor is 0",
        ),
    ];
    for (config, message) in cases {
        let found = refused(config, &BASELINE);
        assert!(found.contains(message), "{found}: {message}");
    }
    assert!(refused(good, &[]).contains("training set is 0"));
    let free = [Trial::solved(5.0), Trial::solved(0.0)];
    assert_eq!(
        refused(good, &free),
        "the effort of baseline instance 1 is 0, but must be between 1e-9 and 1e100"
    );
}
