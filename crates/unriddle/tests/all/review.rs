//! Reviews of random lines against exact distances, and reviews of lost lines.

use crate::common::{Known, cache, known, record, record_of};
use std::collections::HashMap;
use unriddle_catalog::{
    Budget, Instance, Record, Request, Status,
    review::{Line, Review, Verdict, html, text},
    tables::Cache,
};
use unriddle_core::{GoalPuzzle, Notation, Rng};

/// The record of an instance within a number of expanded states.
fn limited(
    known: &Known,
    instance: &dyn Instance,
    solver: &str,
    expansions: u64,
    cache: &Cache,
) -> Record {
    let budget = Budget { expansions: Some(expansions), ..Budget::default() };
    record_of(known.spec, instance, solver, cache, |request| Request { budget, ..request }).unwrap()
}

/// The review of a line by a solver with a limit of expanded states.
fn reviewed(known: &Known, start: &str, line: &str, solver: &str, cache: &Cache) -> Review {
    let instance = known.load(start);
    let line = Line::read(known.family, &*known.puzzle, &*instance, line)
        .unwrap_or_else(|error| panic!("{start} {line}: {error}"));
    let record = |at: usize| -> Option<Record> {
        let position = line.instance(at)?;
        let preset = position.preset(solver).map_or_else(|| solver.to_owned(), |s| s.to_string());
        Some(limited(known, position, &preset, 200_000, cache))
    };
    let records: Vec<_> = (0..line.len()).map(record).collect();
    Review::new("line", &line, &records).drawn(&line)
}

/// Distances of all states from the goal, of a puzzle whose actions can be undone at the same cost.
fn distances<P: GoalPuzzle>(solved: &P) -> HashMap<P::State, i64> {
    let start = solved.initial_state();
    let (mut all, mut layer) = (HashMap::from([(start, 0)]), vec![start]);
    for depth in 1.. {
        let mut next = Vec::new();
        for state in &layer {
            for action in solved.actions(state) {
                let after = solved.apply(state, action);
                all.entry(after).or_insert_with(|| {
                    next.push(after);
                    depth
                });
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    all
}

/// Compares the reviews of random lines with exact distances.
fn agrees_with_distances<P: GoalPuzzle + Notation>(
    spec: &'static str,
    solved: &P,
    lines: usize,
    length: usize,
) {
    let (known, cache, distances) = (known(spec), cache(), distances(solved));
    let rng = &mut Rng::new(55);
    let walk = |rng: &mut Rng, state: &mut P::State| {
        let actions: Vec<_> = solved.actions(state).collect();
        let action = actions[rng.below(actions.len() as u64) as usize];
        *state = solved.apply(state, action);
        action
    };
    for _ in 0..lines {
        let mut state = solved.initial_state();
        for _ in 0..60 {
            walk(rng, &mut state);
        }
        let start = solved.state_text(&state);
        let mut exact = vec![distances[&state]];
        let mut actions = Vec::new();
        while actions.len() < length && !solved.is_goal(&state) {
            actions.push(walk(rng, &mut state));
            exact.push(distances[&state]);
        }
        let line = solved.solution_text(&actions);
        let review = reviewed(&known, &start, &line, "default", &cache);
        assert_eq!(review.positions.len(), exact.len());
        assert_eq!((review.losing, review.count(Verdict::Solvable)), (None, exact.len()));
        for (at, position) in review.positions.iter().enumerate() {
            let context = format!("{spec}: {start}: {line}, position {at}: {position:?}");
            assert_eq!(position.value, at as i64, "{context}");
            assert_eq!(position.best, Some(exact[at] + at as i64), "{context}");
            assert!(position.is_exact(), "{context}");
            let Some(before) = at.checked_sub(1) else { continue };
            let loss = Some(exact[at] + 1 - exact[before]);
            assert_eq!((position.loss, position.most_loss), (loss, loss), "{context}");
            assert_eq!(position.better.is_some(), loss > Some(0), "{context}");
        }
        assert_eq!(review.solved, solved.is_goal(&state));
    }
}

#[test]
fn sliding_tiles_agree_with_exact_distances() {
    use unriddle_tiles::{Board3, Goal, Tiles};
    let solved = Tiles::<Board3>::new(&[1, 2, 3, 4, 5, 6, 7, 8, 0], Goal::BlankLast);
    agrees_with_distances("tiles", &solved, 200, 20);
}

#[test]
fn the_small_cube_agrees_with_exact_distances() {
    use unriddle_cube::{Cube, Metric, Pieces};
    let solved = Cube::<2>::new(Pieces::default(), Metric::Quarter);
    agrees_with_distances("cube(size=2)", &solved, 200, 6);
}

#[test]
fn lights_out_agrees_with_exact_distances() {
    use unriddle_lightsout::{Lights, Shape};
    let shape = Shape::new(4, 4, false).unwrap();
    let solved = Lights::<1>::new(shape, |_| false).unwrap();
    agrees_with_distances("lightsout", &solved, 200, 10);
}

/// A random line of a puzzle, as text.
fn random_line(known: &Known, start: &str, length: usize, rng: &mut Rng) -> String {
    let instance = known.load(start);
    let mut game = instance.game().unwrap();
    for _ in 0..length {
        let actions = game.actions().len();
        if actions == 0 || game.is_over() {
            break;
        }
        assert!(game.apply(rng.below(actions as u64) as usize));
    }
    game.solution()
}

#[test]
fn lost_rooms_are_found() {
    let (known, cache) = (known("sokoban"), cache());
    let rng = &mut Rng::new(7);
    let (mut lost, mut losing) = (0, 0);
    for index in 0..50 {
        let start = known.generate("room(2, rows=6, columns=7)", index);
        let line = random_line(&known, &start, 8, rng);
        let review = reviewed(&known, &start, &line, "default", &cache);
        for position in &review.positions {
            // Breadth-first search knows no deadlocks and no bounds.
            let instance = known.load(&position.instance);
            let exact = record(known.spec, &*instance, "bfs", &cache).unwrap();
            let context = format!("{line}: {position:?}");
            match exact.status {
                Status::Unsolvable => assert_eq!(position.verdict, Verdict::Lost, "{context}"),
                _ => {
                    assert_eq!(position.verdict, Verdict::Solvable, "{context}");
                    let best = exact.value.unwrap() + position.value;
                    assert_eq!(
                        (position.best, position.bound),
                        (Some(best), Some(best)),
                        "{context}"
                    );
                }
            }
        }
        lost += review.count(Verdict::Lost);
        losing += usize::from(review.losing.is_some());
        if let Some(at) = review.losing {
            let [before, after] = [at - 1, at].map(|at| review.positions[at].verdict);
            assert_eq!((before, after), (Verdict::Solvable, Verdict::Lost));
            assert!(review.positions[at].better.is_some() && review.headline().contains("lost"));
        }
    }
    assert!(lost > 20 && losing > 5, "{lost} {losing}");
}

#[test]
fn verdicts_of_freecell_games_agree_with_exhaustion() {
    let (known, cache) = (known("freecell"), cache());
    let rng = &mut Rng::new(11);
    let (mut decided, mut lost) = (0, 0);
    for deal in 1..=50 {
        let start = known.puzzle.deal(deal).unwrap().unwrap().text();
        let line = random_line(&known, &start, 30, rng);
        let review = reviewed(&known, &start, &line, "default", &cache);
        lost += usize::from(review.losing.is_some());
        // The last positions of a line may be lost.
        for position in review.positions.iter().rev().take(3) {
            let instance = known.load(&position.instance);
            let exact = limited(&known, &*instance, "fc-exhaust", 20_000, &cache);
            let found = match exact.status {
                Status::Unsolvable => Verdict::Lost,
                Status::Optimal | Status::Solved => Verdict::Solvable,
                _ => continue,
            };
            decided += 1;
            assert!([found, Verdict::Unknown].contains(&position.verdict), "{position:?}");
        }
    }
    println!("{decided} positions decided by exhaustion, {lost} games with a losing action");
    assert!(decided > 0);
}

#[test]
fn reviews_are_written_for_people() {
    let (known, cache) = (known("sokoban"), cache());
    let start = "#######|#--.--#|#-$@--#|#-----#|#######";
    // Into the corner.
    let review = reviewed(&known, start, "dllurrruL", "default", &cache);
    let written = text(&review);
    assert!(written.starts_with("line: "), "{written}");
    let page = html(&[review]);
    assert!(page.contains("<svg") && page.contains("</html>"), "{page}");
    let tiles = crate::common::known("tiles");
    let review = reviewed(&tiles, "1 2 3 4 0 5 7 8 6", "RLLU", "default", &cache);
    let expected = "\
line: solved, 4 moves; the best possible is 2
     action  position  left  
  0  start   solvable     2
  1  R       solvable     3  2 worse; better: L
  2  L       solvable     2  best
  3  L       solvable     1  best
  4  U       solvable     0  best
";
    assert_eq!(
        text(&review).lines().map(str::trim_end).collect::<Vec<_>>(),
        expected.lines().map(str::trim_end).collect::<Vec<_>>()
    );
}
