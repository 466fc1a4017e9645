//! Runs of robust tabu search: `qap FILE SECONDS SEEDS [KNOWN]`. Shows the best cost of every seed
//! and when it was found. With a known cost, a run ends as soon as it reaches it.

use unriddle_core::Search as _;
use unriddle_core::clock::ThreadTime;
use unriddle_party::qap::Qap;
use unriddle_party::qap::solver::{Tabu, TabuConfig};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, file, seconds, seeds, known @ ..] = args.as_slice() else {
        eprintln!("usage: qap FILE SECONDS SEEDS [KNOWN]");
        std::process::exit(2);
    };
    let text = std::fs::read_to_string(file).expect("a readable file");
    let qap = Qap::parse(&text).expect("an instance of QAPLIB");
    let seconds: f64 = seconds.parse().expect("a number of seconds");
    let known: i64 = known.first().map_or(i64::MIN, |k| k.parse().expect("a cost"));
    for seed in 0..seeds.parse().expect("a number") {
        let config = TabuConfig { seed, ..TabuConfig::default() };
        let mut search = Tabu::new(&qap, config).expect("sound options");
        let begun = ThreadTime::now();
        let (mut best, mut when) = (i64::MAX, 0.0);
        while begun.elapsed().as_secs_f64() < seconds && best > known {
            let _ = search.step(200, &mut ());
            let now = search.best().map_or(i64::MAX, |best| best.value);
            if now < best {
                (best, when) = (now, begun.elapsed().as_secs_f64());
            }
        }
        println!("{file} seed {seed}: {best} after {when:.2} s");
    }
}
