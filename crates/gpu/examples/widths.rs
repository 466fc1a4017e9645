//! Solves cubes on a GPU at several widths: `widths MODEL GOAL_TABLE RERANK WIDTH[,WIDTH…] <
//! STATES`.
//!
//! `GOAL_TABLE` is the size of the goal table in bytes. Standard input has one state per line. For
//! each width the program prints the number of turns of each solution, then the number of solved
//! cubes, the mean number of turns, the mean time, and the rate of estimates.

use std::{io::BufRead as _, sync::Arc, time::Instant};
use unriddle_core::{Backward as _, Budget, Inverses, Learnable, Search as _, run};
use unriddle_cube::{Cube, Metric};
use unriddle_gpu::{Gpu, GpuBeam, GpuConfig, GpuNetwork, TransitionTables};
use unriddle_neural::Model;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, goal_table, rerank, widths] = &words[..] else {
        return Err("usage: widths MODEL GOAL_TABLE RERANK WIDTH[,WIDTH…] < STATES".into());
    };
    let cube = Cube::<3>::parse("", Metric::Quarter)?;
    let model = Model::parse(&std::fs::read(file)?)?;
    let seen = cube.seen_by(model.header.input_among(Cube::<3>::INPUTS)?);
    let model = model.with_units(|| Learnable::images(&seen))?;
    let tables = TransitionTables::learn(&seen, &Inverses::new())?;
    let network = GpuNetwork::new(&model, &tables)?;
    let goal = tables.read(&cube, &cube.goal_states()[0])?;
    let began = Instant::now();
    let gpu = Arc::new(Gpu::new(tables, &network, &goal, goal_table.parse()?)?);
    println!(
        "goal table to depth {}, {:.2} s",
        gpu.goal_table_depth(),
        began.elapsed().as_secs_f64()
    );
    let lines: Vec<String> = std::io::stdin().lock().lines().collect::<Result<_, _>>()?;
    for width in widths.split(',') {
        let config = GpuConfig { width: width.parse()?, rerank: rerank.parse()?, max_depth: 40 };
        let (mut turns, mut evaluated, began) = (Vec::new(), 0, Instant::now());
        for line in &lines {
            let text = line.split_once(": ").map_or(&**line, |(_, text)| text);
            let cube = Cube::<3>::parse(text, Metric::Quarter)?;
            let mut beam = GpuBeam::new(&cube, Inverses::new(), Arc::clone(&gpu), config);
            let outcome = run(&mut beam, &Budget::default(), &mut ())?;
            turns.push(outcome.best().map(|best| best.actions.len()));
            evaluated += beam.stats().evaluated;
        }
        let seconds = began.elapsed().as_secs_f64();
        let solved: Vec<usize> = turns.iter().flatten().copied().collect();
        println!(
            "{}",
            turns
                .iter()
                .map(|t| t.map_or("-".into(), |t| t.to_string()))
                .collect::<Vec<_>>()
                .join(" ")
        );
        println!(
            "width {width}: {} of {} solved, {:.3} turns, {:.3} s each, {:.0} million estimates a second",
            solved.len(),
            turns.len(),
            solved.iter().sum::<usize>() as f64 / solved.len().max(1) as f64,
            seconds / turns.len().max(1) as f64,
            evaluated as f64 / seconds / 1e6
        );
    }
    Ok(())
}
