//! The Cross-Entropy Method: convergence, bounds, the update by hand, determinism, resumption,
//! refusals.

use serde_json::{Value, json};
use unriddle_core::Rng;
use unriddle_evolve::{
    CrossEntropy, CrossEntropyConfig, Dimension, Direction, EvolveError, Ga, Reals,
};
use xxhash_rust::xxh3::xxh3_64;

const DEFAULT: CrossEntropyConfig = CrossEntropyConfig {
    samples: 100,
    elite: 10,
    smoothing: 1.0,
    least_deviation: 0.0,
    direction: Direction::Maximise,
};

fn dimensions() -> Vec<Dimension> {
    vec![Dimension::real(-5.0, 5.0), Dimension::real(0.0, 1000.0), Dimension::integer(-3, 40)]
}

fn new(config: CrossEntropyConfig, seed: u64) -> CrossEntropy {
    CrossEntropy::new(dimensions(), config, seed).unwrap()
}

/// The distance to a point near which nothing starts, every dimension in units of its range;
/// smaller is better.
fn distance(x: &[f64]) -> f64 {
    ((x[0] - 3.0) / 10.0).powi(2)
        + ((x[1] - 120.0) / 1000.0).powi(2)
        + ((x[2] - 31.0) / 43.0).powi(2)
}

fn run(optimiser: &mut CrossEntropy, iterations: usize, mut fitness: impl FnMut(&[f64]) -> f64) {
    for _ in 0..iterations {
        let told: Vec<f64> = optimiser.ask().iter().map(|x| fitness(x)).collect();
        optimiser.tell(&told).unwrap();
    }
}

#[test]
fn a_quadratic_is_found_from_either_side() {
    for direction in [Direction::Maximise, Direction::Minimise] {
        for smoothing in [0.7, 1.0] {
            let config = CrossEntropyConfig { smoothing, direction, ..DEFAULT };
            let mut optimiser = new(config, 1);
            let sign = match direction {
                Direction::Maximise => -1.0,
                Direction::Minimise => 1.0,
            };
            run(&mut optimiser, 40, |x| sign * distance(x));
            let centre = optimiser.centre();
            let case = format!("{direction:?}, {smoothing}: {centre:?}");
            assert!((centre[0] - 3.0).abs() < 1e-3, "{case}");
            assert!((centre[1] - 120.0).abs() < 0.1, "{case}");
            assert_eq!(centre[2], 31.0, "{case}");
            assert!(optimiser.deviation().iter().all(|&x| x < 0.01), "{case}");
            let history = optimiser.history();
            assert!(history[39].fitness.best * sign < history[0].fitness.best * sign);
            assert_eq!(
                optimiser.best().unwrap().fitness * sign,
                distance(&optimiser.best().unwrap().genome)
            );
        }
    }
}

#[test]
fn noise_does_not_keep_it_from_the_middle() {
    // The noise is as large as the difference between the start and the optimum.
    let start = distance(new(DEFAULT, 1).mean());
    let mut worst = 0.0f64;
    for seed in 0..10 {
        let config = CrossEntropyConfig {
            samples: 200,
            elite: 40,
            smoothing: 0.5,
            direction: Direction::Minimise,
            ..DEFAULT
        };
        let mut optimiser = new(config, seed);
        let mut noise = Rng::stream(99, seed);
        run(&mut optimiser, 40, |x| distance(x) + start * (noise.unit() - 0.5));
        worst = worst.max(distance(&optimiser.centre()));
    }
    assert!(worst < start / 20.0, "{worst} of {start}");
}

#[test]
fn it_starts_in_the_middle_with_half_of_the_range() {
    let optimiser = new(DEFAULT, 1);
    assert_eq!(optimiser.mean(), [0.0, 500.0, 18.5]);
    assert_eq!(optimiser.deviation(), [5.0, 500.0, 21.5]);
    assert_eq!(optimiser.centre(), [0.0, 500.0, 19.0]);
    assert!(optimiser.best().is_none() && optimiser.history().is_empty());
    assert_eq!(optimiser.ask().len(), 100);
    assert_eq!(optimiser.ask(), optimiser.ask());
    assert_eq!(optimiser.dimensions(), dimensions());
    assert_eq!(*optimiser.config(), CrossEntropyConfig::default());
}

#[test]
fn the_update_is_the_elites_mean_and_deviation() {
    for (smoothing, keep) in [(1.0, 0.0), (0.25, 0.75)] {
        let config = CrossEntropyConfig { samples: 6, elite: 2, smoothing, ..DEFAULT };
        let mut optimiser = new(config, 2);
        let asked = optimiser.ask();
        let (mean, deviation) = (optimiser.mean().to_vec(), optimiser.deviation().to_vec());
        // The third is the best; of the three that are equal the first one belongs to the elite.
        optimiser.tell(&[0.0, 1.0, 9.0, 1.0, 1.0, -4.0]).unwrap();
        for i in 0..3 {
            let (a, b) = (asked[2][i], asked[1][i]);
            let middle = f64::midpoint(a, b);
            let expected = [
                keep * mean[i] + smoothing * middle,
                keep * deviation[i] + smoothing * (a - middle).abs(),
            ];
            for (found, expected) in
                [optimiser.mean()[i], optimiser.deviation()[i]].iter().zip(expected)
            {
                assert!((found - expected).abs() < 1e-9, "{i}: {found}, {expected}");
            }
        }
        let entry = &optimiser.history()[0];
        assert_eq!((&entry.mean, &entry.deviation), (&mean, &deviation));
        assert_eq!((entry.threshold, entry.fitness.best), (1.0, 9.0));
        assert_eq!((entry.fitness.number, entry.fitness.evaluations), (0, 6));
        let best = optimiser.best().unwrap();
        assert_eq!((&best.genome, best.fitness, best.generation), (&asked[2], 9.0, 0));
        assert_eq!(optimiser.iteration(), 1);
    }
}

#[test]
fn the_best_of_the_run_stays_the_best() {
    let mut optimiser = new(DEFAULT, 3);
    let first = optimiser.ask()[41].clone();
    let mut fitness = vec![0.0; 100];
    fitness[41] = 5.0;
    optimiser.tell(&fitness).unwrap();
    optimiser.tell(&[5.0; 100]).unwrap();
    optimiser.tell(&[-5.0; 100]).unwrap();
    let best = optimiser.best().unwrap();
    assert_eq!((&best.genome, best.fitness, best.generation), (&first, 5.0, 0));
}

#[test]
fn samples_and_means_stay_within_the_bounds() {
    // The optimum is beyond a corner, so that the distribution moves to the bounds.
    for least_deviation in [0.0, 0.3, 1.0] {
        let config = CrossEntropyConfig { least_deviation, ..DEFAULT };
        let mut optimiser = new(config, 4);
        for _ in 0..30 {
            for sample in optimiser.ask().iter().chain([&optimiser.mean().to_vec()]) {
                for (x, dimension) in sample.iter().zip(optimiser.dimensions()) {
                    assert!((dimension.low..=dimension.high).contains(x), "{x}");
                }
            }
            assert!(optimiser.ask().iter().all(|x| x[2].fract() == 0.0));
            for (x, start) in optimiser.deviation().iter().zip([5.0, 500.0, 21.5]) {
                assert!((start * least_deviation..=start).contains(x), "{x}");
            }
            run(&mut optimiser, 1, |x| x[0] - x[1] + x[2]);
        }
        if least_deviation == 0.0 {
            let centre = optimiser.centre();
            assert!(centre[0] > 4.9 && centre[1] < 1.0 && centre[2] == 40.0, "{centre:?}");
        }
    }
}

#[test]
fn without_an_update_it_is_random_guessing() {
    let config = CrossEntropyConfig { smoothing: 0.0, ..DEFAULT };
    let mut optimiser = new(config, 5);
    let start = optimiser.clone();
    let mut best = f64::NEG_INFINITY;
    for _ in 0..5 {
        let asked = optimiser.ask();
        run(&mut optimiser, 1, |x| {
            best = best.max(-distance(x));
            -distance(x)
        });
        assert_ne!(optimiser.ask(), asked);
        assert_eq!(optimiser.mean(), start.mean());
        assert_eq!(optimiser.deviation(), start.deviation());
    }
    assert_eq!(optimiser.best().unwrap().fitness, best);
}

#[test]
fn one_sample_and_an_elite_of_all_are_allowed() {
    let config = CrossEntropyConfig { samples: 1, elite: 1, ..DEFAULT };
    let mut optimiser = new(config, 6);
    let only = optimiser.ask();
    optimiser.tell(&[0.0]).unwrap();
    assert_eq!((optimiser.mean(), optimiser.deviation()), (&only[0][..], &[0.0; 3][..]));
    assert_eq!(optimiser.ask(), only);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run_of = |seed| {
        let mut optimiser = new(DEFAULT, seed);
        run(&mut optimiser, 5, distance);
        optimiser.save().unwrap()
    };
    assert_eq!(run_of(8), run_of(8));
    assert_ne!(run_of(8), run_of(9));
}

fn small() -> CrossEntropy {
    let config = CrossEntropyConfig {
        samples: 5,
        elite: 2,
        smoothing: 0.75,
        least_deviation: 0.01,
        ..DEFAULT
    };
    new(config, 10)
}

#[test]
fn a_run_resumed_at_any_iteration_is_the_uninterrupted_one() {
    let mut whole = small();
    run(&mut whole, 12, distance);
    let whole = whole.save().unwrap();
    let mut cut = small();
    for iteration in 0..=12 {
        let text = cut.save().unwrap();
        let mut resumed = CrossEntropy::load(&text).unwrap();
        assert_eq!(resumed.save().unwrap(), text);
        run(&mut resumed, 12 - iteration, distance);
        assert_eq!(resumed.save().unwrap(), whole, "resumed at {iteration}");
        run(&mut cut, 1, distance);
    }
}

#[test]
fn yesterdays_checkpoint_is_read_and_written_as_it_was() {
    let text = include_str!("../golden/cross-entropy-v1.json").trim_end();
    let read = CrossEntropy::load(text).unwrap();
    assert_eq!(read.save().unwrap(), text);
    let mut again = small();
    again.tell(&[0.1, 1.0 / 3.0, -0.0, 2.0, -7.5]).unwrap();
    assert_eq!(again.save().unwrap(), text);
}

/// The run's text with another state and the checksum that fits it.
fn forge(text: &str, change: impl Fn(&mut Value)) -> String {
    let mut all: Value = serde_json::from_str(text).unwrap();
    change(&mut all["state"]);
    let state = all["state"].to_string();
    let sum = xxh3_64(state.as_bytes());
    format!(
        r#"{{"format":"unriddle-evolve","version":1,"kind":"cross-entropy","checksum":"{sum:016x}","state":{state}}}"#
    )
}

#[test]
fn a_state_that_makes_no_sense_is_refused_even_with_its_checksum() {
    let mut optimiser = small();
    run(&mut optimiser, 2, distance);
    let text = optimiser.save().unwrap();
    CrossEntropy::load(&forge(&text, |_| {})).unwrap();
    let changes: [fn(&mut Value); 20] = [
        |s| s["dimensions"] = json!([]),
        |s| s["dimensions"][0]["high"] = json!(-6.0),
        |s| s["dimensions"][0]["integer"] = json!(true),
        |s| s["dimensions"][2]["low"] = json!(-2.5),
        |s| s["config"]["elite"] = json!(6),
        |s| s["config"]["samples"] = json!(4),
        |s| s["rng"] = json!("00".repeat(32)),
        |s| s["mean"] = json!([0.0, 500.0]),
        |s| s["mean"][0] = json!(5.5),
        |s| s["deviation"] = json!([]),
        |s| s["deviation"][0] = json!(5.5),
        |s| s["deviation"][0] = json!(0.049),
        |s| s["samples"] = json!([]),
        |s| s["samples"][1] = json!([0.0, 0.0]),
        |s| s["samples"][1][2] = json!(0.5),
        |s| s["samples"][1][1] = json!(-0.1),
        |s| s["best"] = Value::Null,
        |s| s["best"]["fitness"] = json!(1e200),
        |s| s["history"] = json!([]),
        |s| s["history"][1]["mean"] = json!([0.0]),
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let refused = CrossEntropy::load(&forge(&text, change)).unwrap_err().to_string();
        assert!(refused.starts_with("the checkpoint is damaged: "), "{i}: {refused}");
    }
    let kind = Ga::<Reals>::load(&text).unwrap_err().to_string();
    assert_eq!(kind, "the checkpoint is of `cross-entropy`, but `ga` was expected");
}

#[test]
fn invalid_results_are_refused_and_change_nothing() {
    let mut optimiser = new(DEFAULT, 1);
    let before = optimiser.save().unwrap();
    assert_eq!(
        optimiser.tell(&[1.0]).unwrap_err().to_string(),
        "found 1 individuals, but expected 100"
    );
    for value in [f64::NAN, f64::INFINITY, -1e151] {
        let mut fitness = vec![0.0; 100];
        fitness[4] = value;
        let refused = optimiser.tell(&fitness).unwrap_err();
        assert!(matches!(refused, EvolveError::BadFitness { index: 4, .. }));
    }
    assert_eq!(optimiser.save().unwrap(), before);
    optimiser.tell(&[-1e150; 100]).unwrap();
    optimiser.tell(&[1e150; 100]).unwrap();
    CrossEntropy::load(&optimiser.save().unwrap()).unwrap();
}

#[test]
fn bad_options_are_refused() {
    DEFAULT.validate().unwrap();
    let with = |change: fn(&mut CrossEntropyConfig)| {
        let mut config = DEFAULT;
        change(&mut config);
        CrossEntropy::new(dimensions(), config, 1).unwrap_err().to_string()
    };
    for (found, expected) in [
        (with(|c| c.samples = 0), "samples is 0, but must be between 1 and 1048576"),
        (with(|c| c.elite = 0), "elite is 0, but must be between 1 and 100"),
        (with(|c| c.elite = 101), "elite is 101, but must be between 1 and 100"),
        (with(|c| c.smoothing = -0.1), "smoothing is -0.1, but must be between 0 and 1"),
        (with(|c| c.smoothing = f64::NAN), "smoothing is NaN, but must be between 0 and 1"),
        (with(|c| c.least_deviation = 1.5), "least_deviation is 1.5, but must be between 0 and 1"),
    ] {
        assert_eq!(found, format!("cross-entropy: {expected}"));
    }
    let none = CrossEntropy::new(Vec::new(), DEFAULT, 1).unwrap_err().to_string();
    assert_eq!(none, "cross-entropy: dimensions is 0, but must be between 1 and 1048576");
}

#[test]
fn bad_bounds_are_refused() {
    let whole = |low, high| Dimension { integer: true, ..Dimension::real(low, high) };
    for (bad, expected) in [
        (Dimension::real(1.0, 1.0), "rise"),
        (Dimension::real(2.0, 1.0), "rise"),
        (Dimension::integer(3, 3), "rise"),
        (Dimension::real(0.0, f64::from_bits(1)), "rise"),
        (Dimension::real(f64::NAN, 1.0), "be within ±1e150"),
        (Dimension::real(0.0, f64::INFINITY), "be within ±1e150"),
        (Dimension::real(-1e151, 0.0), "be within ±1e150"),
        (whole(0.0, 1e16), "be within ±9.007199254740992e15"),
        (whole(0.5, 3.0), "be whole numbers"),
        (whole(0.0, 3.5), "be whole numbers"),
    ] {
        let two = vec![Dimension::real(0.0, 1.0), bad];
        let refused = CrossEntropy::new(two, DEFAULT, 1).unwrap_err();
        assert!(matches!(refused, EvolveError::Space(_)), "{refused:?}");
        let (low, high) = (bad.low, bad.high);
        assert_eq!(
            refused.to_string(),
            format!("dimension 1 is bounded by {low} and {high}, but its bounds must {expected}")
        );
    }
    for good in [
        Dimension::real(1.0, 1.0f64.next_up()),
        Dimension::real(-1e150, 1e150),
        whole(-9_007_199_254_740_992.0, 9_007_199_254_740_992.0),
    ] {
        let mut optimiser = CrossEntropy::new(vec![good], DEFAULT, 1).unwrap();
        run(&mut optimiser, 20, |x| x[0]);
        CrossEntropy::load(&optimiser.save().unwrap()).unwrap();
    }
}
