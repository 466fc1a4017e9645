//! The separable CMA-ES: convergence, noise, mirrored pairs, invariance, the update by hand,
//! resumption, refusals.

use serde_json::{Value, json};
use unriddle_core::Rng;
use unriddle_evolve::{CmaEs, CmaEsConfig, Direction, EvolveError, Ga, Reals, Recombination};
use xxhash_rust::xxh3::xxh3_64;

const N: usize = 10;

const CONFIG: CmaEsConfig = CmaEsConfig {
    candidates: 10,
    parents: 5,
    weights: Recombination::Log,
    mirrored: false,
    average: 0.4,
    direction: Direction::Minimise,
};

fn new(config: CmaEsConfig, seed: u64) -> CmaEs {
    CmaEs::new(vec![1.0; N], vec![1.0; N], config, seed).unwrap()
}

fn run(optimiser: &mut CmaEs, generations: usize, mut fitness: impl FnMut(&[f64]) -> f64) {
    for _ in 0..generations {
        let told: Vec<f64> = optimiser.ask().iter().map(|x| fitness(x)).collect();
        optimiser.tell(&told).unwrap();
    }
}

fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

/// An ellipsoid whose longest axis is 1000 times the shortest.
fn ellipsoid(x: &[f64]) -> f64 {
    let axis = |i: usize| 1e3f64.powf(i as f64 / (x.len() - 1) as f64);
    x.iter().enumerate().map(|(i, x)| (axis(i) * x).powi(2)).sum()
}

/// A normal number, approximately: the sum of twelve uniform ones.
fn noise(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

/// The fitness values of a generation.
fn values(optimiser: &CmaEs, fitness: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    optimiser.ask().iter().map(|x| fitness(x)).collect()
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() <= tolerance * y.abs().max(1.0), "{found:?}, {expected:?}");
    }
}

#[test]
fn an_ill_scaled_ellipsoid_is_found_in_6000_evaluations() {
    // The medians of the four cases are 2720 to 3420 evaluations.
    for mirrored in [false, true] {
        for weights in [Recombination::Log, Recombination::Equal] {
            for seed in 0..10 {
                let mut optimiser = new(CmaEsConfig { mirrored, weights, ..CONFIG }, seed);
                run(&mut optimiser, 600, ellipsoid);
                let (found, best) = (optimiser.mean(), optimiser.best().unwrap());
                let case = format!("{mirrored}, {weights:?}, {seed}: {best:?}");
                assert!(ellipsoid(found) < 1e-10 && best.fitness < 1e-10, "{case}");
                assert_eq!(ellipsoid(&best.genome), best.fitness, "{case}");
                let deviation = optimiser.deviation();
                let ratio = deviation[0] / deviation[N - 1];
                assert!((100.0..10_000.0).contains(&ratio), "{case}: {ratio}");
            }
        }
    }
}

#[test]
fn large_populations_and_few_candidates_converge() {
    for mirrored in [false, true] {
        for weights in [Recombination::Log, Recombination::Equal] {
            for (candidates, generations) in [(2, 4_000), (4, 2_500), (200, 300)] {
                let parents = candidates / 2;
                let config = CmaEsConfig { candidates, parents, mirrored, weights, ..CONFIG };
                let mut optimiser = new(config, 1);
                run(&mut optimiser, generations, ellipsoid);
                let found = ellipsoid(optimiser.mean());
                assert!(found < 1e-6, "{mirrored}, {weights:?}, {candidates}: {found}");
            }
        }
    }
}

#[test]
fn the_centre_is_better_than_the_luckiest_candidate_under_noise() {
    // 4000 evaluations. The deviation of the noise is 3, and the fitness of the start 10.
    let (mut centre, mut mean, mut best, mut worst) = (0.0, 0.0, 0.0, 0.0f64);
    for seed in 0..10 {
        let config = CmaEsConfig {
            candidates: 50,
            parents: 25,
            weights: Recombination::Equal,
            mirrored: true,
            ..CONFIG
        };
        let mut optimiser = new(config, seed);
        let mut rng = Rng::stream(99, seed);
        run(&mut optimiser, 80, |x| sphere(x) + 3.0 * noise(&mut rng));
        centre += sphere(&optimiser.centre());
        mean += sphere(optimiser.mean());
        best += sphere(&optimiser.best().unwrap().genome);
        worst = worst.max(sphere(&optimiser.centre()));
    }
    assert!(centre < 0.6 * best, "{centre}, {best}");
    assert!(centre < mean, "{centre}, {mean}");
    assert!(worst < 0.5, "{worst}");
}

#[test]
fn a_meaningless_fitness_neither_shrinks_nor_grows_the_step() {
    for mirrored in [false, true] {
        for weights in [Recombination::Log, Recombination::Equal] {
            let mut sum = 0.0;
            for seed in 0..40 {
                let config =
                    CmaEsConfig { mirrored, weights, candidates: 20, parents: 10, ..CONFIG };
                let mut optimiser = new(config, seed);
                let mut rng = Rng::stream(7, seed);
                run(&mut optimiser, 100, |_| rng.unit());
                sum += optimiser.step().ln() / 40.0;
            }
            assert!(sum.abs() < 0.6, "{mirrored}, {weights:?}: {sum}");
        }
    }
}

#[test]
fn mirrored_pairs_are_on_opposite_sides_of_the_mean() {
    let config = CmaEsConfig { mirrored: true, ..CONFIG };
    let mut optimiser = new(config, 3);
    for _ in 0..5 {
        let (asked, mean) = (optimiser.ask(), optimiser.mean().to_vec());
        assert_eq!(asked.len(), 10);
        for pair in asked.chunks(2) {
            let middle: Vec<f64> =
                pair[0].iter().zip(&pair[1]).map(|(x, y)| f64::midpoint(*x, *y)).collect();
            assert_close(&middle, &mean, 1e-14);
            assert_ne!(pair[0], pair[1]);
        }
        assert_ne!(asked[0], asked[2]);
        run(&mut optimiser, 1, ellipsoid);
    }
}

#[test]
fn it_starts_at_the_mean_with_the_deviations() {
    let config = CmaEsConfig { candidates: 20_000, parents: 1, ..CONFIG };
    let optimiser = CmaEs::new(vec![-3.0, 700.0], vec![0.5, 20.0], config, 1).unwrap();
    assert_eq!(
        (optimiser.mean(), &optimiser.centre()[..]),
        (&[-3.0, 700.0][..], &[-3.0, 700.0][..])
    );
    assert_eq!((optimiser.deviation(), optimiser.step()), (vec![0.5, 20.0], 1.0));
    assert!(optimiser.best().is_none() && optimiser.history().is_empty());
    assert_eq!((optimiser.generation(), optimiser.config()), (0, &config));
    let asked = optimiser.ask();
    assert_eq!(asked, optimiser.ask());
    for (i, (mean, deviation)) in [(-3.0, 0.5), (700.0, 20.0)].into_iter().enumerate() {
        let scaled = || asked.iter().map(move |x| (x[i] - mean) / deviation);
        let n = asked.len() as f64;
        assert!((scaled().sum::<f64>() / n).abs() < 0.03);
        assert!((scaled().map(|x| x * x).sum::<f64>() / n - 1.0).abs() < 0.04);
    }
}

#[test]
fn defaults_equal_the_defaults_of_the_paper() {
    for (n, candidates) in [(0, 4), (1, 4), (2, 6), (10, 10), (100, 17)] {
        let config = CmaEsConfig::for_dimensions(n);
        assert_eq!((config.candidates, config.parents), (candidates, candidates / 2));
        config.validate().unwrap();
    }
    let direction = Direction::Minimise;
    assert_eq!(CmaEsConfig { direction, ..CmaEsConfig::for_dimensions(N) }, CONFIG);
}

/// A distribution in the units of the dimensions, as the paper writes it.
struct Naive {
    m: Vec<f64>,
    sigma: f64,
    c: Vec<f64>,
    p_sigma: Vec<f64>,
    p_c: Vec<f64>,
}

impl Naive {
    /// A generation of the paper's algorithm; `best` are the parents.
    fn update(&mut self, best: &[&Vec<f64>], g: i32) {
        let (n, mu) = (self.m.len() as f64, best.len() as f64);
        let raw: Vec<f64> = (1..=best.len()).map(|i| (mu + 1.0).ln() - (i as f64).ln()).collect();
        let w: Vec<f64> = raw.iter().map(|x| x / raw.iter().sum::<f64>()).collect();
        let mu_w = 1.0 / w.iter().map(|x| x.powi(2)).sum::<f64>();
        let c_sigma = (mu_w + 2.0) / (n + mu_w + 3.0);
        let d_sigma = 1.0 + 2.0 * (((mu_w - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
        let c_c = 4.0 / (n + 4.0);
        let full = 2.0 / (mu_w * (n + 2f64.sqrt()).powi(2))
            + (1.0 - 1.0 / mu_w) * 1f64.min((2.0 * mu_w - 1.0) / ((n + 2.0).powi(2) + mu_w));
        let c_cov = full * (n + 2.0) / 3.0;
        assert!(c_cov < 0.5);
        let chi = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n.powi(2)));
        let old = self.m.clone();
        for i in 0..old.len() {
            self.m[i] = best.iter().zip(&w).map(|(x, w)| w * x[i]).sum();
            let y = (self.m[i] - old[i]) / self.sigma;
            self.p_sigma[i] = (1.0 - c_sigma) * self.p_sigma[i]
                + (c_sigma * (2.0 - c_sigma) * mu_w).sqrt() * y / self.c[i].sqrt();
        }
        let norm = self.p_sigma.iter().map(|x| x.powi(2)).sum::<f64>().sqrt();
        let limit = (1.4 + 2.0 / (n + 1.0)) * chi;
        let h = norm / (1.0 - (1.0 - c_sigma).powi(2 * (g + 1))).sqrt() < limit;
        for i in 0..old.len() {
            let y = (self.m[i] - old[i]) / self.sigma;
            let gain = if h { (c_c * (2.0 - c_c) * mu_w).sqrt() } else { 0.0 };
            self.p_c[i] = (1.0 - c_c) * self.p_c[i] + gain * y;
            let squares =
                best.iter().zip(&w).map(|(x, w)| w * ((x[i] - old[i]) / self.sigma).powi(2));
            self.c[i] = (1.0 - c_cov) * self.c[i]
                + c_cov / mu_w * self.p_c[i].powi(2)
                + c_cov * (1.0 - 1.0 / mu_w) * squares.sum::<f64>();
        }
        self.sigma *= (c_sigma / d_sigma * (norm / chi - 1.0)).exp();
    }
}

#[test]
fn the_update_is_the_papers() {
    let (mean, deviation) = (vec![1.0, -2.0, 30.0], vec![1.0, 0.1, 8.0]);
    let config = CmaEsConfig { candidates: 7, parents: 3, ..CONFIG };
    for seed in 0..50 {
        let mut optimiser = CmaEs::new(mean.clone(), deviation.clone(), config, seed).unwrap();
        let mut naive = Naive {
            m: mean.clone(),
            sigma: 1.0,
            c: deviation.iter().map(|x| x * x).collect(),
            p_sigma: vec![0.0; 3],
            p_c: vec![0.0; 3],
        };
        // The optimum is far away at first, so that the path of the shape pauses.
        for g in 0..20 {
            let asked = optimiser.ask();
            let told = values(&optimiser, |x| sphere(x) + (x[0] - 90.0).powi(2));
            let mut order: Vec<usize> = (0..7).collect();
            order.sort_by(|&a, &b| told[a].total_cmp(&told[b]));
            let best: Vec<_> = order[..3].iter().map(|&i| &asked[i]).collect();
            naive.update(&best, g);
            optimiser.tell(&told).unwrap();
            let deviation: Vec<f64> = naive.c.iter().map(|c| naive.sigma * c.sqrt()).collect();
            assert_close(optimiser.mean(), &naive.m, 1e-9);
            assert_close(&optimiser.deviation(), &deviation, 1e-9);
            assert_close(&[optimiser.step()], &[naive.sigma], 1e-9);
        }
    }
}

#[test]
fn a_monotone_transformation_of_the_fitness_changes_nothing() {
    let trace = |fitness: fn(f64) -> f64, direction| {
        let mut optimiser = new(CmaEsConfig { direction, ..CONFIG }, 4);
        run(&mut optimiser, 60, |x| fitness(sphere(x)));
        (optimiser.ask(), optimiser.centre(), optimiser.deviation())
    };
    let plain = trace(|y| y, Direction::Minimise);
    assert_eq!(trace(|y| y.powi(3) * 7.0 - 100.0, Direction::Minimise), plain);
    assert_eq!(trace(f64::ln, Direction::Minimise), plain);
    assert_eq!(trace(|y| -y, Direction::Maximise), plain);
    assert_ne!(trace(|y| y, Direction::Maximise), plain);
}

#[test]
fn a_translation_moves_the_run() {
    let start = |shift: f64| CmaEs::new(vec![1.0 + shift; N], vec![1.0; N], CONFIG, 5).unwrap();
    let (mut here, mut there) = (start(0.0), start(64.0));
    for _ in 0..40 {
        run(&mut here, 1, sphere);
        run(&mut there, 1, |x| x.iter().map(|x| (x - 64.0).powi(2)).sum());
        let back: Vec<f64> = there.mean().iter().map(|x| x - 64.0).collect();
        assert_close(&back, here.mean(), 1e-9);
        assert_close(&there.deviation(), &here.deviation(), 1e-9);
    }
}

#[test]
fn the_units_of_a_dimension_change_nothing() {
    // The units are powers of two: products with them are exact, and roundings stay the same.
    let units: Vec<f64> = (0..N as i32).map(|i| 2f64.powi(5 * i - 20)).collect();
    let mut plain = new(CONFIG, 6);
    let mut scaled = CmaEs::new(units.clone(), units.clone(), CONFIG, 6).unwrap();
    for _ in 0..40 {
        run(&mut plain, 1, sphere);
        run(&mut scaled, 1, |x| x.iter().zip(&units).map(|(x, unit)| (x / unit).powi(2)).sum());
        let back: Vec<f64> = scaled.mean().iter().zip(&units).map(|(x, unit)| x / unit).collect();
        assert_eq!((&back[..], scaled.step()), (plain.mean(), plain.step()));
    }
}

#[test]
fn the_centre_averages_the_last_share_of_the_means() {
    for (average, counts) in [(0.0, [1, 1, 1]), (0.4, [1, 2, 4]), (1.0, [1, 5, 10])] {
        let mut optimiser = new(CmaEsConfig { average, ..CONFIG }, 7);
        let mut means: Vec<Vec<f64>> = Vec::new();
        for generation in 1..=10 {
            run(&mut optimiser, 1, sphere);
            means.push(optimiser.mean().to_vec());
            let Some(case) = [1, 5, 10].iter().position(|&g| g == generation) else { continue };
            let last = &means[generation - counts[case]..];
            let average = |i: usize| last.iter().map(|x| x[i]).sum::<f64>() / last.len() as f64;
            let expected: Vec<f64> = (0..N).map(average).collect();
            assert_close(&optimiser.centre(), &expected, 1e-14);
        }
    }
}

#[test]
fn history_and_best_describe_the_generations() {
    let mut optimiser = new(CONFIG, 8);
    let (asked, mean, deviation) =
        (optimiser.ask(), optimiser.mean().to_vec(), optimiser.deviation());
    let mut fitness = [4.0; 10];
    (fitness[2], fitness[7], fitness[8]) = (1.0, 1.0, 9.0);
    optimiser.tell(&fitness).unwrap();
    optimiser.tell(&[1.0; 10]).unwrap();
    let best = optimiser.best().unwrap();
    assert_eq!((&best.genome, best.fitness, best.generation), (&asked[2], 1.0, 0));
    let entry = &optimiser.history()[0];
    assert_eq!((&entry.mean, &entry.deviation, entry.step), (&mean, &deviation, 1.0));
    assert_eq!((entry.fitness.best, entry.fitness.worst), (1.0, 9.0));
    let evaluations = optimiser.history().iter().map(|entry| entry.fitness.evaluations);
    assert_eq!(evaluations.collect::<Vec<_>>(), [10, 20]);
    assert_eq!(optimiser.generation(), 2);
}

#[test]
fn values_stay_finite_without_an_optimum() {
    for start in [1e-100, 1.0, 1e100] {
        for signs in [[1.0, 1.0], [1.0, -1.0], [0.0, 0.0]] {
            let config = CmaEsConfig::for_dimensions(2);
            let mut optimiser = CmaEs::new(vec![-start, start], vec![start; 2], config, 9).unwrap();
            for _ in 0..1_000 {
                let side = |x: &[f64]| signs[0] * (x[0] / 1e100) + signs[1] * (x[1] / 1e100);
                run(&mut optimiser, 1, side);
                assert!(optimiser.ask().iter().flatten().all(|x| x.is_finite()));
                assert!(optimiser.centre().iter().all(|x| x.abs() <= 1e100));
                assert!(optimiser.deviation().iter().all(|&x| x > 0.0 && x.is_finite()));
            }
            CmaEs::load(&optimiser.save().unwrap()).unwrap();
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let run_of = |seed| {
        let mut optimiser = new(CONFIG, seed);
        run(&mut optimiser, 5, sphere);
        optimiser.save().unwrap()
    };
    assert_eq!(run_of(8), run_of(8));
    assert_ne!(run_of(8), run_of(9));
}

fn small() -> CmaEs {
    let config = CmaEsConfig { candidates: 4, parents: 2, mirrored: true, ..CONFIG };
    CmaEs::new(vec![0.5, -100.0], vec![1.0, 50.0], config, 10).unwrap()
}

#[test]
fn a_run_resumed_at_any_generation_is_the_uninterrupted_one() {
    let mut whole = small();
    run(&mut whole, 12, sphere);
    let whole = whole.save().unwrap();
    let mut cut = small();
    for generation in 0..=12 {
        let text = cut.save().unwrap();
        let mut resumed = CmaEs::load(&text).unwrap();
        assert_eq!(resumed.save().unwrap(), text);
        run(&mut resumed, 12 - generation, sphere);
        assert_eq!(resumed.save().unwrap(), whole, "resumed at {generation}");
        run(&mut cut, 1, sphere);
    }
}

#[test]
fn yesterdays_checkpoint_is_read_and_written_as_it_was() {
    let text = include_str!("../golden/cma-es-v1.json").trim_end();
    let read = CmaEs::load(text).unwrap();
    assert_eq!(read.save().unwrap(), text);
    let mut again = small();
    again.tell(&[0.1, 1.0 / 3.0, -0.0, 2.0]).unwrap();
    assert_eq!(again.save().unwrap(), text);
}

type Change = fn(&mut Value);

/// The run's text with another state and the checksum that fits it.
fn forge(text: &str, change: impl Fn(&mut Value)) -> String {
    let mut all: Value = serde_json::from_str(text).unwrap();
    change(&mut all["state"]);
    let state = all["state"].to_string();
    let sum = xxh3_64(state.as_bytes());
    format!(
        r#"{{"format":"unriddle-evolve","version":1,"kind":"cma-es","checksum":"{sum:016x}","state":{state}}}"#
    )
}

#[test]
fn a_state_that_makes_no_sense_is_refused_even_with_its_checksum() {
    let mut optimiser = small();
    run(&mut optimiser, 2, sphere);
    let text = optimiser.save().unwrap();
    CmaEs::load(&forge(&text, |_| {})).unwrap();
    let parts = "its draws, distribution and dimensions do not fit each other";
    let deviation = "the deviation 0 is 0.0, but must be between 1e-100 and 1e100";
    let parents = "cma-es: parents is 3, but must be between 1 and 2";
    let changes: [(Change, &str); 24] = [
        (|s| s["config"]["parents"] = json!(3), parents),
        (|s| s["config"]["candidates"] = json!(6), parts),
        (|s| s["config"]["mirrored"] = json!(false), parts),
        (|s| s["rng"] = json!("00".repeat(32)), "the state of the generator is not one"),
        (|s| s["scale"] = json!([1.0]), "found 1 deviations, but expected 2"),
        (|s| s["scale"][0] = json!(0.0), deviation),
        (|s| s["mean"] = json!([]), "cma-es: dimensions is 0, but must be between 1 and 1048576"),
        (|s| s["mean"][1] = json!(1e101), "the mean 1 is 1e101, but must be within ±1e100"),
        (|s| s["step"] = json!(0.0), parts),
        (|s| s["step"] = json!(1e31), parts),
        (|s| s["variance"] = json!([1.0]), parts),
        (|s| s["variance"][1] = json!(-1.0), parts),
        (|s| s["step_path"][0] = json!(1e31), parts),
        (|s| s["shape_path"] = json!([0.0]), parts),
        (|s| s["draws"] = json!([]), parts),
        (|s| s["draws"][0] = json!([0.0]), parts),
        (|s| s["draws"][0][1] = json!(13.0), parts),
        (|s| s["best"] = Value::Null, parts),
        (|s| s["best"]["fitness"] = json!(1e200), parts),
        (|s| s["best"]["genome"] = json!([1.0]), parts),
        (|s| s["history"] = json!([]), parts),
        (|s| s["history"][1]["mean"] = json!([0.0]), parts),
        (|s| s["history"][1]["deviation"][0] = json!(0.0), parts),
        (|s| s["history"][1]["fitness"]["evaluations"] = json!(9), parts),
    ];
    for (i, (change, reason)) in changes.into_iter().enumerate() {
        let refused = CmaEs::load(&forge(&text, change)).unwrap_err().to_string();
        assert!(
            refused.starts_with("the checkpoint is damaged: ") && refused.contains(reason),
            "{i}: {refused}"
        );
    }
    let kind = Ga::<Reals>::load(&text).unwrap_err().to_string();
    assert_eq!(kind, "the checkpoint is of `cma-es`, but `ga` was expected");
}

#[test]
fn extreme_states_that_are_read_stay_finite() {
    let mut optimiser = small();
    run(&mut optimiser, 2, sphere);
    let text = optimiser.save().unwrap();
    for factor in [1e-30, 1e30] {
        let forged = forge(&text, |s| {
            (s["scale"], s["mean"]) = (json!([1e100, 1e-100]), json!([1e100, -1e100]));
            (s["step"], s["variance"]) = (json!(factor), json!([factor, factor]));
            (s["step_path"], s["shape_path"]) = (json!([1e30, -1e30]), json!([-1e30, 1e30]));
            s["draws"] = json!([[12.2, -12.2], [-12.2, 12.2]]);
        });
        let mut read = CmaEs::load(&forged).unwrap();
        for _ in 0..50 {
            read.tell(&[1.0, 2.0, 3.0, 4.0]).unwrap();
            read = CmaEs::load(&read.save().unwrap()).unwrap();
        }
    }
}

#[test]
fn invalid_results_are_refused_and_change_nothing() {
    let mut optimiser = new(CONFIG, 1);
    let before = optimiser.save().unwrap();
    assert_eq!(
        optimiser.tell(&[1.0]).unwrap_err().to_string(),
        "found 1 individuals, but expected 10"
    );
    for value in [f64::NAN, f64::INFINITY, -1e151] {
        let mut fitness = [0.0; 10];
        fitness[4] = value;
        let refused = optimiser.tell(&fitness).unwrap_err();
        assert!(matches!(refused, EvolveError::BadFitness { index: 4, .. }));
    }
    assert_eq!(optimiser.save().unwrap(), before);
    optimiser.tell(&[-1e150; 10]).unwrap();
    optimiser.tell(&[1e150; 10]).unwrap();
    CmaEs::load(&optimiser.save().unwrap()).unwrap();
}

#[test]
fn bad_options_are_refused() {
    let with = |change: fn(&mut CmaEsConfig)| {
        let mut config = CONFIG;
        change(&mut config);
        CmaEs::new(vec![0.0], vec![1.0], config, 1).unwrap_err().to_string()
    };
    for (found, expected) in [
        (with(|c| c.candidates = 1), "candidates is 1, but must be between 2 and 1048576"),
        (
            with(|c| (c.mirrored, c.candidates) = (true, 11)),
            "candidates is 11, but must be even with mirrored pairs",
        ),
        (with(|c| c.parents = 0), "parents is 0, but must be between 1 and 5"),
        (with(|c| c.parents = 6), "parents is 6, but must be between 1 and 5"),
        (with(|c| c.average = -0.1), "average is -0.1, but must be between 0 and 1"),
        (with(|c| c.average = f64::NAN), "average is NaN, but must be between 0 and 1"),
    ] {
        assert_eq!(found, format!("cma-es: {expected}"));
    }
}

#[test]
fn bad_starts_are_refused() {
    let with = |mean: &[f64], deviation: &[f64]| {
        let refused = CmaEs::new(mean.to_vec(), deviation.to_vec(), CONFIG, 1).unwrap_err();
        refused.to_string()
    };
    let none = "cma-es: dimensions is 0, but must be between 1 and 1048576";
    assert_eq!(with(&[], &[]), none);
    assert_eq!(with(&[0.0], &[1.0, 1.0]), "found 2 deviations, but expected 1");
    for (bad, text) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (-1e101, "-1e101")] {
        let expected = format!("the mean 1 is {text}, but must be within ±1e100");
        assert_eq!(with(&[0.0, bad], &[1.0, 1.0]), expected);
    }
    for (bad, text) in [(f64::NAN, "NaN"), (0.0, "0.0"), (-1.0, "-1.0"), (f64::INFINITY, "inf")] {
        let expected = format!("the deviation 1 is {text}, but must be between 1e-100 and 1e100");
        assert_eq!(with(&[0.0, 0.0], &[1.0, bad]), expected);
    }
}

/// Only the ratio of the weights matters, so that without bounds their scale would drift. The mean
/// stays within the bounds, and the ratio is found.
#[test]
fn bounds_hold_the_scale_of_weights() {
    let config = CmaEsConfig {
        candidates: 20,
        parents: 10,
        direction: Direction::Minimise,
        ..CmaEsConfig::for_dimensions(3)
    };
    let bounds = vec![(0.0, 1.0); 3];
    let start = CmaEs::new(vec![0.5; 3], vec![0.2; 3], config, 3).unwrap();
    let mut run = start.with_bounds(bounds).unwrap();
    for _ in 0..150 {
        let asked = run.ask();
        assert!(asked.iter().flatten().all(|x| (0.0..=1.0).contains(x)));
        let ratio = |x: &Vec<f64>| {
            let [a, b, c] = x[..] else { panic!("{x:?}") };
            let size = (a * a + b * b + c * c).sqrt().max(1e-9);
            (a / size - 0.8).powi(2) + (b / size - 0.6).powi(2) + (c / size).powi(2)
        };
        run.tell(&asked.iter().map(ratio).collect::<Vec<_>>()).unwrap();
        assert!(run.mean().iter().all(|x| (0.0..=1.0).contains(x)));
    }
    let [a, b, c] = run.centre()[..] else { panic!("three weights") };
    assert!((b / a - 0.75).abs() < 0.01 && c / a < 0.01, "{a} {b} {c}");
    let resumed = CmaEs::load(&run.save().unwrap()).unwrap();
    assert_eq!(resumed.ask(), run.ask());
}

#[test]
fn bounds_must_hold_the_means() {
    let new = || CmaEs::new(vec![0.5; 2], vec![0.2; 2], CmaEsConfig::for_dimensions(2), 1).unwrap();
    for (bounds, expected) in [
        (vec![(0.0, 1.0)], "found 1 pairs of bounds, but expected 2"),
        (vec![(0.0, 1.0), (0.6, 1.0)], "the mean 1 is 0.5, but its bounds are 0.6 and 1.0"),
        (vec![(f64::NAN, 1.0), (0.0, 1.0)], "the mean 0 is 0.5, but its bounds are NaN and 1.0"),
    ] {
        let refused = new().with_bounds(bounds).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }
}
