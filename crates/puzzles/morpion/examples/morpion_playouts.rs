//! Measures play-outs of Morpion Solitaire from the cross by both rules: uniformly random
//! play-outs, and play-outs of policy adaptation.
//!
//! ```text
//! cargo run --release -p unriddle-morpion --example morpion_playouts -- 100000
//! ```

use unriddle_core::clock::ThreadTime;
use unriddle_core::{
    Budget, Playout as _, Puzzle as _, Rng, Search as _, playout::UniformByMenu, run,
};
use unriddle_morpion::{Morpion, Rule, family::GREEK_CROSS};
use unriddle_search::nrpa::{Nrpa, NrpaConfig};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: u32 = std::env::args().nth(1).map_or(Ok(100_000), |word| word.parse())?;
    let said = |rule: Rule, what: &str, seconds: f64, moves: u64, best: i64| {
        println!(
            "{} {what:<7} {:>7.0} play-outs/s, {:>4.0} ns per move, {:.1} moves, best {best}",
            rule.name(),
            f64::from(count) / seconds,
            seconds * 1e9 / moves as f64,
            moves as f64 / f64::from(count),
        );
    };
    for rule in [Rule::Disjoint, Rule::Touching] {
        let puzzle = Morpion::parse(GREEK_CROSS, rule)?;
        let (start, mut rng) = (puzzle.initial_state(), Rng::new(1));
        let (mut actions, mut moves, mut best) = (Vec::new(), 0, 0);
        let begun = ThreadTime::now();
        for _ in 0..count {
            actions.clear();
            best = best.max(UniformByMenu.play(&puzzle, &start, &mut rng, &mut actions));
            moves += actions.len() as u64;
        }
        said(rule, "random", begun.elapsed().as_secs_f64(), moves, best);

        let begun = ThreadTime::now();
        let mut search = Nrpa::new(&puzzle, NrpaConfig::default())?;
        let budget = Budget { expansions: Some(count.into()), ..Budget::default() };
        let outcome = run(&mut search, &budget, &mut ())?;
        let best = outcome.best().map_or(0, |best| best.value);
        let generated = search.stats().generated;
        said(rule, "nrpa", begun.elapsed().as_secs_f64(), generated, best);
    }
    Ok(())
}
