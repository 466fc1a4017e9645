//! Policy adaptation of Morpion Solitaire from the cross for some seconds of CPU time: every better
//! game, replayed by the independent checker, with the play-outs and the time that it took.
//!
//! ```text
//! cargo run --release -p unriddle-morpion --example morpion_games -- 5d 1 4 3600
//! ```
//!
//! Arguments are the rule, the seed, the level and the seconds.

use unriddle_core::clock::ThreadTime;
use unriddle_core::{Notation as _, Observer, Quota, Search as _, Solution, Stats};
use unriddle_morpion::{Line, Morpion, Rule, family::GREEK_CROSS};
use unriddle_search::nrpa::{Nrpa, NrpaConfig};

/// Writes every better game.
struct Games<'a> {
    puzzle: &'a Morpion,
    spec: String,
    begun: ThreadTime,
}

impl Observer<Line> for Games<'_> {
    fn improved(&mut self, best: &Solution<Line>, stats: &Stats) {
        let game = self.puzzle.solution_text(&best.actions);
        let verdict = match unriddle_check::verify(&self.spec, GREEK_CROSS, &game) {
            Ok(verdict) if verdict.value == best.value => "checked".to_owned(),
            other => format!("{other:?}"),
        };
        let seconds = self.begun.elapsed().as_secs_f64();
        println!(
            "{} moves, {verdict}, {} play-outs, {seconds:.1} s: {game}",
            best.value, stats.expanded
        );
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rule, seed, level, seconds] = &arguments[..] else {
        return Err("expected rule, seed, level and seconds, such as 5d 1 4 3600".into());
    };
    let puzzle = Morpion::parse(GREEK_CROSS, Rule::of(rule).ok_or("the rule is 5d or 5t")?)?;
    let config = NrpaConfig { level: level.parse()?, seed: seed.parse()?, ..NrpaConfig::default() };
    let seconds: f64 = seconds.parse()?;
    let mut search = Nrpa::new(&puzzle, config)?;
    let mut games =
        Games { puzzle: &puzzle, spec: format!("morpion(rule={rule})"), begun: ThreadTime::now() };
    while games.begun.elapsed().as_secs_f64() < seconds {
        let quota = Quota { expanded: search.stats().expanded + 1000, ..Quota::UNLIMITED };
        search.advance(&quota, &mut games);
    }
    println!("{} play-outs", search.stats().expanded);
    Ok(())
}
