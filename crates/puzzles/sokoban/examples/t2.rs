use std::sync::Arc;
use unriddle_core::*;
use unriddle_sokoban::{Level, board::*, exact::*};
fn go<const W: usize>(
    level: Arc<Level>,
    b: &Budget,
    corral: bool,
    freeze: bool,
) -> (Option<i64>, u64, Option<i64>) {
    let b_ = Arc::new(Board::<W>::new(level).unwrap());
    let mut s = PushOptimal::new(
        b_.clone(),
        (b_.boxes, b_.player()),
        PushConfig {
            corral,
            freeze,
            ..PushConfig::default()
        },
    )
    .unwrap();
    let o = run(&mut s, b, &mut ()).unwrap();
    (
        if o.is_optimal() {
            o.best().map(|b| b.value)
        } else {
            None
        },
        s.stats().expanded,
        o.bound(),
    )
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let secs: f64 = a[2].parse().unwrap();
    let on = &a[3] == "on";
    let only: Vec<usize> = a[4..].iter().map(|x| x.parse().unwrap()).collect();
    let budget = Budget {
        time: Some(std::time::Duration::from_secs_f64(secs)),
        memory: Some(7 << 30),
        ..Budget::default()
    };
    let (mut n, mut sum, mut exp) = (0, 0, 0);
    let t00 = std::time::Instant::now();
    for (i, e) in unriddle_sokoban::files::entries(&text)
        .into_iter()
        .enumerate()
    {
        if !only.is_empty() && !only.contains(&(i + 1)) {
            continue;
        }
        let level = Arc::new(Level::parse(&e.text).unwrap());
        let t0 = std::time::Instant::now();
        let (v, x, b) = match area(&level) {
            0..=64 => go::<1>(level, &budget, on, true),
            65..=256 => go::<4>(level, &budget, on, true),
            257..=512 => go::<8>(level, &budget, on, true),
            _ => go::<64>(level, &budget, on, true),
        };
        let t = t0.elapsed().as_secs_f64();
        exp += x;
        if let Some(v) = v {
            n += 1;
            sum += v;
        }
        if t > 0.5 || v.is_none() {
            println!("{}: {v:?} {x} {t:.2} s bound {b:?}", i + 1);
        }
    }
    println!(
        "{n} proved, sum {sum}, {exp} expanded, {:.2} s",
        t00.elapsed().as_secs_f64()
    );
}
