//! Conformance of SameGame in both shapes, its play-outs and bounds.

use unriddle_catalog::{Info, Registry, Scored, Spec, bind::bind, input};
use unriddle_conformance::{
    self as conformance, Subject, Violation, forms,
    second::{Both, Checker, Rules as _},
};
use unriddle_core::{Notation as _, Puzzle as _, Rng, Uniform};
use unriddle_samegame::{FAMILY, Layout, SameGame, Scoring, generate::uniform};

/// The declared defaults.
fn spec(info: &Info) -> Spec {
    Spec::parse(info.name).unwrap()
}

fn boards<const N: usize, const L: u32>(
    sizes: &[(usize, usize, u8)],
    scorings: &[Scoring],
) -> Result<(), Violation>
where
    SameGame<N, L>: Scored,
{
    let rng = &mut Rng::new(9);
    for &(width, height, colours) in sizes {
        for &scoring in scorings {
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
    boards::<4, 16>(&[(15, 15, 5), (4, 3, 2), (16, 16, 8), (1, 5, 2), (7, 2, 3)], &Scoring::ALL)
}

#[test]
fn large_boards() -> Result<(), Violation> {
    boards::<16, 32>(&[(20, 18, 5), (3, 31, 2)], &Scoring::ALL)
}

/// A test of its own, so that it runs at the same time as the others. All scorings are tested on
/// smaller boards.
#[test]
fn the_largest_board() -> Result<(), Violation> {
    boards::<16, 32>(&[(32, 32, 8)], &[Scoring::Paper])
}

#[test]
fn the_forms_are_one_instance_each() -> Result<(), Violation> {
    forms::examples(&FAMILY)
}

/// Boards of many shapes, also narrow and full of holes.
#[test]
fn texts_are_read_back_in_all_forms() -> Result<(), Violation> {
    let registry = Registry::new([&FAMILY]).unwrap();
    let generators = [
        "uniform",
        "uniform(width=1, height=5, colours=8)",
        "uniform(width=5, height=1, colours=8)",
        "uniform(width=1, height=1)",
        "uniform(width=20, height=17, colours=8)",
    ];
    for (spec, generator) in
        [("samegame", generators[0]), ("samegame(score=square-1)", generators[1])]
            .into_iter()
            .chain(generators.map(|generator| ("samegame(score=clicks)", generator)))
    {
        let (family, puzzle) = registry.puzzle(spec).unwrap();
        forms::read_back(family, &*puzzle, generator, 150)?;
    }
    Ok(())
}

/// Positions in play have empty cells.
#[test]
fn positions_are_read_back_as_game_ids() {
    let (_, puzzle) = Registry::new([&FAMILY]).unwrap().puzzle("samegame").unwrap();
    let rng = &mut Rng::new(6);
    for _ in 0..200 {
        let layout = uniform(6, 7, 3, rng);
        let game = SameGame::<4, 16>::new(&layout, Scoring::Paper).unwrap();
        let mut board = game.initial_state();
        while let Some(group) = game.actions(&board).next() {
            let instance = puzzle.load(&game.state_text(&board)).unwrap();
            for (form, text) in instance.forms() {
                let read = input::load(&*puzzle, &text).unwrap();
                assert_eq!(read.len(), 1, "{form}");
                assert_eq!(read[0].instance.text(), instance.text(), "{form}: {text}");
            }
            board = game.apply(&board, group);
        }
    }
}

/// Random texts of few signs: a text that both readers read is the same instance, and the checker
/// reads no text that the puzzle refuses.
#[test]
fn no_text_is_read_in_two_ways() {
    let checker = Checker("samegame");
    let rng = &mut Rng::new(12);
    let (mut read, mut both) = (0, 0);
    for _ in 0..60_000 {
        let signs: &[&str] = match rng.below(3) {
            0 => &["0", "1", "2", "\n", " ", ".", "-", "-1", "\n\n"],
            1 => &["0", "1", "\n", "a", "b", "#", ",", ":", "0 1\n", "1 1\n"],
            _ => &["0", "1", "2x1:", "1x2s2:", ",", "c3", "\n", "#", "2,1", "1,1"],
        };
        let text: String =
            (0..1 + rng.below(9)).map(|_| signs[rng.below(signs.len() as u64) as usize]).collect();
        let theirs = checker.actions(&text);
        match Layout::read(&text, Scoring::Paper) {
            Ok(layout) => {
                read += 1;
                let own = checker.actions(&layout.text());
                assert!(own.is_ok(), "{text:?}: {own:?}");
                both += usize::from(theirs.is_ok());
                assert!(theirs.is_err() || theirs == own, "{text:?}: {theirs:?}, {own:?}");
            }
            Err(error) => assert!(theirs.is_err(), "{text:?}: {error}"),
        }
    }
    assert!(both > 1_000 && read > both, "{read} {both}");
}

#[test]
fn the_family_conforms() -> Result<(), Violation> {
    conformance::family(&FAMILY)
}

/// Boards of both shapes can be touched and edited.
#[test]
fn boards_are_interactive() -> Result<(), Violation> {
    let registry = Registry::new([&FAMILY]).unwrap();
    for spec in ["samegame", "samegame(score=clicks)"] {
        let (family, puzzle) = registry.puzzle(spec).unwrap();
        for generator in
            ["uniform(width=6, height=5, colours=3)", "uniform(colours=8)", "uniform(width=1)"]
        {
            conformance::boards::generated(family, &*puzzle, generator, 10)?;
        }
        conformance::boards::generated(family, &*puzzle, "uniform(width=20, height=18)", 2)?;
    }
    Ok(())
}
