//! The genetic algorithm: rates, progress, elitism, determinism, resumption, refusals.

use unriddle_core::Rng;
use unriddle_evolve::{
    Crossover, Direction, EvolveError, Ga, GaConfig, Indices, Reals, Selection, Space, SpaceError,
    Variation,
};

fn sphere(genome: &[f64]) -> f64 {
    genome.iter().map(|x| (x - 0.3) * (x - 0.3)).sum()
}

fn run<S: Space>(ga: &mut Ga<S>, generations: usize, fitness: impl Fn(&S::Genome) -> f64) {
    for _ in 0..generations {
        let told: Vec<f64> = ga.ask().iter().map(&fitness).collect();
        ga.tell(&told).unwrap();
    }
}

/// Genomes that contain the operator that made them.
#[derive(Debug)]
struct Marks;

const FRESH: u8 = 0;
const MUTATED: u8 = 1;
const CROSSED: u8 = 2;

impl Space for Marks {
    type Genome = u8;
    fn validate(&self) -> Result<(), SpaceError> {
        Ok(())
    }
    fn check(&self, _: &u8) -> Result<(), SpaceError> {
        Ok(())
    }
    fn random(&self, _: &mut Rng) -> u8 {
        FRESH
    }
    fn mutate(&self, genome: &mut u8, _: &mut Rng) {
        *genome = MUTATED;
    }
    fn cross(&self, a: &mut u8, b: &mut u8, _: &mut Rng) {
        (*a, *b) = (CROSSED, CROSSED);
    }
    fn diversity(&self, _: &[u8]) -> f64 {
        0.0
    }
}

#[test]
fn operators_are_drawn_at_their_rates() {
    let config = GaConfig { population: 17_000, ..GaConfig::default() };
    let mut ga = Ga::new(Marks, config, 1).unwrap();
    run(&mut ga, 1, |_| 1.0);
    let count = |mark| ga.ask().iter().filter(|&&x| x == mark).count();
    // 10,000 draws, 1.7 children each.
    let found = [count(FRESH), count(CROSSED), count(MUTATED)];
    for (found, expected) in found.into_iter().zip([2_000, 14_000, 1_000usize]) {
        assert!(found.abs_diff(expected) < 200, "{found} of {expected}");
    }
}

#[test]
fn a_rate_of_zero_never_comes_up() {
    let config = GaConfig {
        population: 999,
        reproduction: 0.3,
        crossover: 0.7,
        mutation: 0.0,
        elite: 0,
        ..GaConfig::default()
    };
    let mut ga = Ga::new(Marks, config, 1).unwrap();
    run(&mut ga, 1, |_| 0.0);
    assert_eq!(ga.ask().len(), 999);
    assert!(!ga.ask().contains(&MUTATED));
}

#[test]
fn every_selection_and_crossover_comes_close_to_the_middle_of_a_sphere() {
    for selection in [Selection::Proportionate, Selection::Rank, Selection::Tournament(3)] {
        for crossover in [Crossover::SinglePoint, Crossover::Uniform] {
            let mut space = Reals::unit(9);
            space.variation.crossover = crossover;
            let config =
                GaConfig { selection, direction: Direction::Minimise, ..GaConfig::default() };
            let mut ga = Ga::new(space, config, 4).unwrap();
            run(&mut ga, 200, |genome| sphere(genome));
            let history = ga.history();
            let (first, last) = (&history[0], &history[199]);
            let case = format!("{selection:?}, {crossover:?}: {first:?} to {last:?}");
            assert!(last.best < first.best / 5.0, "{case}");
            assert!(last.mean < first.mean && last.diversity < first.diversity, "{case}");
            assert_eq!(last.evaluations, 10_000);
        }
    }
}

#[test]
fn ones_gather() {
    let space = Indices { genes: 30, count: 2, variation: Variation::default() };
    let config = GaConfig { selection: Selection::Rank, ..GaConfig::default() };
    let mut ga = Ga::new(space, config, 5).unwrap();
    run(&mut ga, 100, |genome| f64::from(genome.iter().sum::<u32>()));
    assert!(ga.best().unwrap().fitness >= 28.0, "{:?}", ga.best());
}

#[test]
fn the_elite_keeps_the_best() {
    for direction in [Direction::Maximise, Direction::Minimise] {
        for elite in [1, 3] {
            let config = GaConfig { elite, direction, ..GaConfig::default() };
            let mut ga = Ga::new(Reals::unit(5), config, 6).unwrap();
            let mut best: Option<f64> = None;
            for _ in 0..50 {
                run(&mut ga, 1, |genome| sphere(genome));
                let leader = ga.leader().unwrap();
                assert!(best.is_none_or(|best| !direction.is_better(best, leader.fitness)));
                assert_eq!(ga.history().last().unwrap().best, leader.fitness);
                assert_eq!(ga.best().unwrap().fitness, leader.fitness);
                assert_eq!(ga.ask()[0], leader.genome);
                best = Some(leader.fitness);
            }
        }
    }
}

#[test]
fn under_noise_the_best_of_the_run_and_the_leader_are_both_kept() {
    let mut ga = Ga::new(Reals::unit(2), GaConfig::default(), 7).unwrap();
    assert!(ga.best().is_none() && ga.leader().is_none() && ga.told().is_empty());
    let first = ga.ask()[3].clone();
    let mut fitness = vec![1.0; 50];
    fitness[3] = 9.0;
    ga.tell(&fitness).unwrap();
    let second = ga.ask()[7].clone();
    fitness = vec![1.0; 50];
    fitness[7] = 2.0;
    ga.tell(&fitness).unwrap();
    let (best, leader) = (ga.best().unwrap(), ga.leader().unwrap());
    assert_eq!((&best.genome, best.fitness, best.generation), (&first, 9.0, 0));
    assert_eq!((&leader.genome, leader.fitness), (&second, 2.0));
    assert_eq!((ga.generation(), ga.told().len()), (2, 50));
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run_of = |seed| {
        let mut ga = Ga::new(Reals::unit(4), GaConfig::default(), seed).unwrap();
        run(&mut ga, 20, |genome| sphere(genome));
        ga.save().unwrap()
    };
    assert_eq!(run_of(8), run_of(8));
    assert_ne!(run_of(8), run_of(9));
}

#[test]
fn a_run_resumed_at_any_generation_is_the_uninterrupted_one() {
    let new = || {
        let config = GaConfig { population: 11, ..GaConfig::default() };
        Ga::new(Reals::unit(3), config, 10).unwrap()
    };
    let mut whole = new();
    run(&mut whole, 12, |genome| sphere(genome));
    let whole = whole.save().unwrap();
    let mut cut: Ga<Reals> = new();
    for generation in 0..=12 {
        let text = cut.save().unwrap();
        let mut resumed: Ga<Reals> = Ga::load(&text).unwrap();
        assert_eq!(resumed.save().unwrap(), text);
        run(&mut resumed, 12 - generation, |genome| sphere(genome));
        assert_eq!(resumed.save().unwrap(), whole, "resumed at {generation}");
        run(&mut cut, 1, |genome| sphere(genome));
    }
}

#[test]
fn given_genomes_come_first() {
    let config = GaConfig::default();
    let given = vec![vec![0.25, 0.5], vec![0.0, 0.125]];
    let ga = Ga::from_genomes(Reals::unit(2), config, 1, given.clone()).unwrap();
    assert_eq!(ga.ask()[..2], given);
    assert_eq!(ga.ask().len(), 50);
    let refused = |genomes| Ga::from_genomes(Reals::unit(2), config, 1, genomes).unwrap_err();
    assert!(matches!(refused(vec![vec![0.5, 1.0]]), EvolveError::Space(_)));
    let many = refused(vec![vec![0.0, 0.0]; 51]).to_string();
    assert_eq!(many, "ga: genomes is 51, but must be between 0 and 50");
}

#[test]
fn invalid_results_are_refused_and_change_nothing() {
    let mut ga = Ga::new(Reals::unit(2), GaConfig::default(), 1).unwrap();
    let before = ga.save().unwrap();
    assert_eq!(ga.tell(&[1.0]).unwrap_err().to_string(), "found 1 individuals, but expected 50");
    for value in [f64::NAN, f64::INFINITY, -1e151] {
        let mut fitness = vec![0.0; 50];
        fitness[4] = value;
        let refused = ga.tell(&fitness).unwrap_err();
        assert!(matches!(refused, EvolveError::BadFitness { index: 4, .. }));
    }
    assert_eq!(ga.save().unwrap(), before);
    ga.tell(&[-1e150; 50]).unwrap();
    ga.tell(&[1e150; 50]).unwrap();
    Ga::<Reals>::load(&ga.save().unwrap()).unwrap();
}

#[test]
fn bad_options_are_refused() {
    let good = GaConfig::default();
    good.validate().unwrap();
    let cases = [
        (
            GaConfig { population: 1, ..good },
            "ga: population is 1, but must be between 2 and 1048576",
        ),
        (GaConfig { elite: 50, ..good }, "ga: elite is 50, but must be between 0 and 49"),
        (GaConfig { mutation: -0.1, ..good }, "ga: mutation is -0.1, but must be between 0 and 1"),
        (
            GaConfig { crossover: f64::NAN, ..good },
            "ga: crossover is NaN, but must be between 0 and 1",
        ),
        (
            GaConfig { crossover: 0.5, reproduction: 0.0, mutation: 0.25, ..good },
            "ga: reproduction, crossover and mutation add up to 0.75, but must add up to 1",
        ),
        (
            GaConfig { selection: Selection::Tournament(0), ..good },
            "selection: tournament is 0, but must be between 1 and 1048576",
        ),
    ];
    for (config, message) in cases {
        let refused = Ga::new(Reals::unit(2), config, 1).unwrap_err();
        assert_eq!(refused.to_string(), message);
    }
    assert!(matches!(Ga::new(Reals::unit(0), good, 1), Err(EvolveError::Space(_))));
}
