//! Conformance of SameGame in both shapes, its play-outs and bounds.

use unriddle_catalog::{Info, Scored, Spec, bind::bind};
use unriddle_conformance::{
    self as conformance, Subject, Violation,
    second::{Both, Checker},
};
use unriddle_core::{Rng, Uniform};
use unriddle_samegame::{FAMILY, Layout, SameGame, Scoring, generate::uniform};

/// The declared defaults.
fn spec(info: &Info) -> Spec {
    Spec::parse(info.name).unwrap()
}

fn boards<const N: usize, const L: u32>(sizes: &[(usize, usize, u8)]) -> Result<(), Violation>
where
    SameGame<N, L>: Scored,
{
    let rng = &mut Rng::new(9);
    for &(width, height, colours) in sizes {
        for scoring in Scoring::ALL {
            let variant = format!("samegame(score={})", scoring.name());
            let text = uniform(width, height, colours, rng).text();
            let read = |text: &str| {
                let layout = Layout::parse(text).map_err(|error| error.to_string())?;
                SameGame::<N, L>::new(&layout, scoring).ok_or_else(|| "too large".to_owned())
            };
            let puzzle = read(&text).unwrap();
            let subject = Subject::written(&puzzle).named(format!("{variant}: {text}"));
            conformance::score(&subject)?;
            conformance::notation(&subject)?;
            conformance::layered(&subject)?;
            conformance::coded(&subject)?;
            conformance::reading(&text, read)?;
            let both = Both { read, rules: &Checker(&variant) };
            both.agree_on_ends(&text)?;
            both.agree_on_scores(&text)?;
            conformance::selective(&subject, &<SameGame<N, L> as Scored>::Filter::default())?;
            conformance::playout(&subject, &Uniform)?;
            for entry in <SameGame<N, L> as Scored>::PLAYOUTS {
                let spec = spec(entry.info);
                let playout = (entry.make)(&puzzle, &bind(entry.info, &spec).unwrap());
                conformance::playout(&subject, &*playout)
                    .map_err(|found| found.with("play-out", entry.info.name))?;
            }
            for entry in <SameGame<N, L> as Scored>::BOUNDS {
                let spec = spec(entry.info);
                let bound = (entry.make)(&bind(entry.info, &spec).unwrap());
                conformance::upper_bound(&subject, &*bound)
                    .map_err(|found| found.with("bound", entry.info.name))?;
            }
        }
    }
    Ok(())
}

#[test]
fn small_boards() -> Result<(), Violation> {
    boards::<4, 16>(&[(15, 15, 5), (4, 3, 2), (16, 16, 8), (1, 5, 2), (7, 2, 3)])
}

#[test]
fn large_boards() -> Result<(), Violation> {
    boards::<16, 32>(&[(20, 18, 5), (3, 31, 2)])
}

/// A test of its own, so that it runs at the same time as the others: it takes as long as they do
/// together.
#[test]
fn the_largest_board() -> Result<(), Violation> {
    boards::<16, 32>(&[(32, 32, 8)])
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    conformance::family(&FAMILY)
}
