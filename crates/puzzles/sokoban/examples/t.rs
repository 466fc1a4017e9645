use std::sync::Arc;
use unriddle_core::{Notation, Progress, Quota, Search};
use unriddle_sokoban::{Level, Measure, Move, Sokoban, board::Board, exact::*};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let moves = a.get(2).is_some_and(|m| m == "m");
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let mut levels: Vec<String> = vec![];
    let mut cur = String::new();
    for l in text.lines().chain([""]) {
        if l.starts_with(';') || l.trim().is_empty() {
            if !cur.is_empty() {
                levels.push(std::mem::take(&mut cur));
            }
        } else {
            cur.push_str(l);
            cur.push('\n');
        }
    }
    let t0 = std::time::Instant::now();
    let (mut sum, mut exp, mut n) = (0, 0, 0);
    let mut sols = vec![];
    for t in &levels {
        let level = Arc::new(Level::parse(t).unwrap());
        let b = Arc::new(Board::<1>::new(level).unwrap());
        let start = (b.boxes, b.player());
        let mut s: Box<dyn Search<Action = Move>> = if moves {
            Box::new(MoveOptimal::new(b.clone(), start).unwrap())
        } else {
            Box::new(PushOptimal::new(b.clone(), start, PushConfig::default()).unwrap())
        };
        let p = s.advance(&Quota::UNLIMITED, &mut ());
        if let Progress::Finished(o) = p {
            sum += o.best().map_or(0, |b| b.value);
            n += 1;
            sols.push(o.best().cloned());
        }
        exp += s.stats().expanded;
    }
    println!(
        "{n} levels, sum {sum}, {exp} expanded, {:.4} ms each",
        t0.elapsed().as_secs_f64() * 1000.0 / n as f64
    );
    let mut good = 0;
    for (t, s) in levels.iter().zip(sols) {
        let Some(s) = s else { continue };
        let level = Arc::new(Level::parse(t).unwrap());
        let m = if moves {
            Measure::Moves
        } else {
            Measure::Pushes
        };
        let p = Sokoban::<1>::new(level, m).unwrap();
        let text = p.solution_text(&s.actions);
        match p.parse_solution(&text) {
            Ok(x) if x == s.actions => good += 1,
            e => println!("{text} {:?} {e:?}", s.actions),
        }
    }
    println!("{good} replay");
}
