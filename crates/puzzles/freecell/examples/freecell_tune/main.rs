//! Evolution of the slices of `fc-fast`, the choice of a portfolio, and evolution of the order of
//! layers of `fc-short`.
//!
//! `cargo run --release -p unriddle-freecell --example freecell_tune -- COMMAND NAME=VALUE...`
//!
//! - `evolve` evolves the weights of one slice by the separable CMA-ES, on fresh deals in each
//!   generation. Deals that the first `hard` slices solve are left out. Prints a slice.
//! - `pick` chooses slices among candidates, and their expansions, on half of the deals. Prints the
//!   slices, after the first `hard` ones, and the means of both halves.
//! - `order` evolves `weights/short.txt` by the lengths of solutions of beams of `width` positions,
//!   like `evolve`, from the weights of a slice and the weight `forced` of a forced run. Prints a
//!   line of that file.
//! - `judge` prints the expansions and solved deals of each slice.
//!
//! The built-in slices were made in these steps, each from the results of the earlier ones:
//! - `evolve` for the first slice, 112 and 70 generations, from the weights of version 1;
//! - `evolve hard=1 cap=200 unsolved=520 deals=400` for the second, `hard=2 cap=500 unsolved=1300
//!   deals=200` for the third, `hard=3 cap=2500 unsolved=6000 deals=60` for the tail;
//! - `pick hard=3 noise=2 count=10 cap=5000 unsolved=50000 deals=2400` among all evolved slices;
//! - the tail's weights with 30,000 and 20,000 expansions, for deals that all others leave.
//!
//! The order of layers was made by `order deals=80 first=600001 generations=72 step=0.15`, with a
//! beam that looked up candidates in all earlier layers. The command now makes another line, whose
//! solutions are as long (mean M3 of deals 700001 to 700150 at a width of 1024: 26.22, not 26.19).
//!
//! Slices are lines of `weights/fast.txt`. Options of all commands: `slices=FILE` (the built-in
//! slices), `first=DEAL`, `deals=COUNT`, `hard=COUNT`, `cap=EXPANSIONS`, `unsolved=EXPANSIONS` (the
//! cost of a deal that is not solved), `seed=N`. Options of `evolve`: `from=SLICE`,
//! `generations=N`, `step=SHARE`. Options of `order`: these, `width=N`, `forced=WEIGHT`. Options of
//! `pick`: `candidates=FILE`, `noise=COPIES`, `count=SLICES`.

mod evolve;
mod pick;

use std::{collections::HashMap, error::Error, fs, str::FromStr};
use unriddle_core::{Progress, Quota, Search};
use unriddle_freecell::solvers::fast::{Fast, portfolio::PORTFOLIO, weights::Slice};
use unriddle_freecell::{FreeCell, Rules, parse};

/// Result of a command.
type Done<T = ()> = Result<T, Box<dyn Error>>;

/// Options of a command, by name.
struct Options(HashMap<String, String>);

impl Options {
    fn get<T: FromStr<Err: Error + 'static>>(&self, name: &str, default: T) -> Done<T> {
        self.0.get(name).map_or(Ok(default), |text| Ok(text.parse()?))
    }

    /// Slices of a file, by the option's name; the built-in slices without the option.
    fn slices(&self, name: &str) -> Done<Vec<Slice>> {
        match self.0.get(name) {
            Some(file) => Ok(fs::read_to_string(file)?
                .lines()
                .map(Slice::from_str)
                .collect::<Result<_, _>>()?),
            None => Ok(PORTFOLIO.to_vec()),
        }
    }
}

/// Expansions until a slice solves a deal; `None` if it does not within its expansions.
fn expansions(puzzle: &FreeCell, slice: Slice) -> Option<u64> {
    let mut search = Fast::with_slices(puzzle, vec![slice]);
    let quota = Quota { expanded: slice.expansions, ..Quota::UNLIMITED };
    match search.advance(&quota, &mut ()) {
        Progress::Finished(_) if search.slice() == 0 => Some(search.stats().expanded),
        _ => None,
    }
}

/// Deals that some slices leave, from a number upwards.
struct Deals {
    next: u64,
    easy: Vec<Slice>,
}

impl Deals {
    fn new(options: &Options) -> Done<Self> {
        let hard = options.get("hard", 0)?;
        let easy = options.slices("slices")?.into_iter().take(hard).collect();
        Ok(Self { next: options.get("first", 100_001)?, easy })
    }
}

impl Iterator for Deals {
    type Item = FreeCell;

    fn next(&mut self) -> Option<FreeCell> {
        let rules = Rules::default();
        loop {
            let puzzle = FreeCell::new(rules, parse::numbered(self.next, &rules).ok()?);
            self.next += 1;
            if !self.easy.iter().any(|&slice| expansions(&puzzle, slice).is_some()) {
                return Some(puzzle);
            }
        }
    }
}

/// Prints the expansions and the solved deals of each slice.
fn judge(options: &Options) -> Done {
    let slices = options.slices("slices")?;
    let count: usize = options.get("deals", 16_000)?;
    let mut spent = vec![0; slices.len()];
    let mut solved = vec![0; slices.len()];
    for puzzle in Deals::new(options)?.take(count) {
        for (i, &slice) in slices.iter().enumerate() {
            let found = expansions(&puzzle, slice);
            spent[i] += found.unwrap_or(slice.expansions);
            if found.is_some() {
                solved[i] += 1;
                break;
            }
        }
    }
    let mut left = count;
    for (i, slice) in slices.iter().enumerate() {
        println!(
            "{i:2}: {:5} expansions, {left:6} deals, {:6} solved, {:7.2} expansions a deal",
            slice.expansions,
            solved[i],
            spent[i] as f64 / count as f64
        );
        left -= solved[i];
    }
    println!(
        "{:.2} expansions a deal; {left} left",
        spent.iter().sum::<u64>() as f64 / count as f64
    );
    Ok(())
}

fn main() -> Done {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = words.split_first().ok_or("a command: evolve, order, pick or judge")?;
    let option = |word: &String| {
        let (name, value) = word.split_once('=').ok_or(format!("expected NAME=VALUE: {word}"))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    let options = Options(rest.iter().map(option).collect::<Result<_, String>>()?);
    match &**command {
        "evolve" => evolve::slice(&options),
        "order" => evolve::order(&options),
        "pick" => pick::pick(&options),
        "judge" => judge(&options),
        other => Err(format!("evolve, order, pick or judge, not `{other}`").into()),
    }
}
