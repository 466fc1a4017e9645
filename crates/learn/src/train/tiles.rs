//! Training for sliding tiles.

use super::{
    bootstrap::{Bootstrapped, Pools, Solve},
    choices::{Chosen, Ordered},
    recipe::{Beams, Learn, Method, Recipe, Schedule, Solved, Walks},
    run::{Event, Finished, Means, Run},
    solved::{Drawn, Examples},
    source::{Batch, Course, Look, Source, Walked},
};
use crate::folder::Folder;
use std::{ops::Range, path::Path, sync::RwLock};
use unriddle_catalog::tables::Cache;
use unriddle_catalog::work::WorkError;
use unriddle_core::{Backward as _, Budget, Features as _, Heuristic, Puzzle as _, Rng, run};
use unriddle_neural::{Device, Header, Net, Training};
use unriddle_search::idastar::IdaStar;
use unriddle_tiles::{
    Board, Goal, INFO, Manhattan, Partition, Pdb, Tiles, generate, goal_cells, mirrored_features,
    with_board,
};

/// Random boards on which the range of activations is measured.
const SHOWN: usize = 4096;

/// One of `HELD_OUT` examples is not trained on: the error is measured on those.
const HELD_OUT: usize = 100;

/// Trains a network to the end of its recipe, or on from where an earlier run of it was ended. `None` if it was
/// cancelled.
///
/// # Errors
/// The folder, examples that cannot be made, a recipe that does not fit, a device that is not there or fails.
pub fn train(
    recipe: &Recipe,
    folder: &Path,
    means: Means<'_>,
    tell: &dyn Fn(Event<'_>),
) -> Result<Option<Finished>, WorkError> {
    let folder = Folder::open(folder, &recipe.text)?;
    with_board!(recipe.side, B => of_board::<B>(recipe, &folder, means, tell))
}

/// Distances of tiles from home, by the indices of the network's inputs.
fn manhattan(side: usize) -> Vec<f32> {
    let cells = side * side;
    let distance = |index: usize| {
        let (cell, tile) = (index / cells, index % cells);
        match tile.checked_sub(1) {
            None => 0,
            Some(home) => (cell / side).abs_diff(home / side) + (cell % side).abs_diff(home % side),
        }
    };
    (0..cells * cells)
        .map(|index| distance(index) as f32)
        .collect()
}

/// Every other row reflected.
struct Reflected<'a> {
    of: Box<dyn Source + 'a>,
    reflection: &'a [u32],
    groups: usize,
}

impl Source for Reflected<'_> {
    fn batch(&self, number: u64, rows: usize) -> Batch {
        let mut batch = self.of.batch(number, rows);
        for row in batch.active.chunks_exact_mut(self.groups).step_by(2) {
            for index in row {
                *index = self.reflection[*index as usize];
            }
        }
        batch
    }
}

/// The source that a recipe asks for.
pub(super) fn reflected<'a>(
    recipe: &Recipe,
    reflection: &'a [u32],
    source: Box<dyn Source + 'a>,
) -> Box<dyn Source + 'a> {
    match recipe.schedule.reflect {
        false => source,
        true => Box::new(Reflected {
            of: source,
            reflection,
            groups: recipe.architecture.groups,
        }),
    }
}

fn of_board<B: Board>(
    recipe: &Recipe,
    folder: &Folder,
    means: Means<'_>,
    tell: &dyn Fn(Event<'_>),
) -> Result<Option<Finished>, WorkError> {
    let Means {
        revision,
        machine,
        cache,
        jobs,
        device,
        cancel,
    } = means;
    let puzzle = Tiles::<B>::new(&goal_cells(B::N), Goal::BlankLast);
    let goal = puzzle.goal_states()[0];
    let reflection = mirrored_features(B::N);
    let run = Run {
        recipe,
        folder,
        header: Header {
            puzzle: INFO.name.to_owned(),
            size: B::N.to_string(),
            goal: Goal::NAMES[0].to_owned(),
            architecture: recipe.architecture.clone(),
            training: Training {
                recipe: recipe.text.clone(),
                seed: recipe.seed,
                revision: revision.to_owned(),
                examples: 0,
                hardware: hardware(machine, jobs, device),
                seconds: 0,
            },
        },
        puzzle: &puzzle,
        goal,
        means,
        tell,
        linear: recipe.from_manhattan.then(|| manhattan(B::N)),
        rows: rows::<B>(),
        reflection: match recipe.method {
            Method::Bootstrap { .. } if recipe.schedule.reflect => Some(&reflection),
            _ => None,
        },
    };
    let walking = |walks, beams, look_ahead| Walking {
        recipe,
        reflection: &reflection,
        puzzle: &puzzle,
        goal,
        walks,
        beams,
        look_ahead,
    };
    match &recipe.method {
        Method::Solved(solved) => {
            let told = |have| tell(Event::Examples(have, solved.states));
            let path = folder.path("examples.bin");
            let starts = |number| start::<B>(recipe.seed, solved, number);
            let solver = optimal::<B>(solved.tables.as_deref(), None, cache)?;
            let waves = (jobs, cancel);
            let made = Examples::make(&path, solved.states, (&starts, &solver), waves, &told)?;
            let Some(examples) = made else {
                return Ok(None);
            };
            let held_out = (examples.len() / HELD_OUT).max(1);
            let parts = [held_out..examples.len(), 0..held_out];
            let ordered = (parts.clone())
                .map(|part| (solved.learn == Learn::Order).then(|| Ordered::new(&examples, part)));
            let learned = Learned {
                recipe,
                reflection: &reflection,
                examples: &examples,
                parts,
                ordered,
                learn: solved.learn,
                puzzle: &puzzle,
            };
            if !learned.is_any() {
                let message = "all examples are as far from the goal: there is nothing to choose";
                return Err(WorkError::Usage(message.to_owned()));
            }
            run.train(&learned, Some(&*learned.held_out()))
        }
        Method::Bootstrap { bootstrap, .. } => {
            let teacher = &bootstrap.teacher;
            let course = Bootstrapped {
                recipe,
                bootstrap,
                reflection: &reflection,
                puzzle: &puzzle,
                folder,
                teacher: optimal::<B>(teacher.tables.as_deref(), Some(teacher.nodes), cache)?,
                pools: RwLock::new(Pools::new(bootstrap)),
            };
            run.train(&course, None)
        }
        Method::Walks(walks) => run.train(&walking(walks, None, 1), None),
        Method::Iteration {
            walks,
            beams,
            look_ahead,
            ..
        } => run.train(&walking(walks, beams.as_ref(), *look_ahead), None),
    }
}

/// What a run is computed on.
fn hardware(machine: &str, jobs: usize, device: Device) -> String {
    let card = match device {
        Device::Cpu => "",
        Device::Cuda => ", CUDA",
    };
    format!("{machine}, {jobs} threads{card}")
}

/// Examples that were solved.
struct Learned<'a, B> {
    recipe: &'a Recipe,
    reflection: &'a [u32],
    examples: &'a Examples<B>,
    /// Those that are trained on, and the others, on which the error is measured.
    parts: [Range<usize>; 2],
    /// The same by their distances, where they are put in order.
    ordered: [Option<Ordered>; 2],
    learn: Learn,
    puzzle: &'a Tiles<B>,
}

impl<B: Board> Learned<'_, B> {
    fn drawn(&self, part: usize, aside: f64, seed: u64) -> Box<dyn Source + '_> {
        let from = self.parts[part].clone();
        match self.learn {
            Learn::Distances => Box::new(Drawn {
                examples: self.examples,
                ahead: None,
                from,
                aside,
                puzzle: self.puzzle,
                seed,
            }),
            Learn::Moves | Learn::Order => Box::new(self.chosen(part, seed)),
        }
    }

    fn chosen(&self, part: usize, seed: u64) -> Chosen<'_, B> {
        Chosen {
            examples: self.examples,
            from: self.parts[part].clone(),
            ordered: self.ordered[part].as_ref(),
            puzzle: self.puzzle,
            seed,
        }
    }

    /// Whether there is anything to learn.
    fn is_any(&self) -> bool {
        self.learn == Learn::Distances || (0..2).all(|part| self.chosen(part, 0).is_any())
    }

    /// Those that are not trained on.
    fn held_out(&self) -> Box<dyn Source + '_> {
        self.drawn(1, 0.0, self.recipe.seed ^ 1)
    }
}

impl<B: Board> Course for Learned<'_, B> {
    fn source<'t>(&'t self, _: Option<&'t Net>) -> Box<dyn Source + 't> {
        let Schedule { aside, .. } = self.recipe.schedule;
        let source = self.drawn(0, aside, self.recipe.seed);
        reflected(self.recipe, self.reflection, source)
    }
}

/// Walks from the goal.
struct Walking<'a, B> {
    recipe: &'a Recipe,
    reflection: &'a [u32],
    puzzle: &'a Tiles<B>,
    goal: B,
    walks: &'a Walks,
    beams: Option<&'a Beams>,
    look_ahead: u32,
}

impl<B: Board> Course for Walking<'_, B> {
    fn source<'t>(&'t self, target: Option<&'t Net>) -> Box<dyn Source + 't> {
        let source = Walked {
            puzzle: self.puzzle,
            goal: self.goal,
            seed: self.recipe.seed,
            walks: self.walks,
            beams: self.beams,
            target: target.map(|net| Look {
                net,
                actions: self.look_ahead,
            }),
        };
        reflected(self.recipe, self.reflection, Box::new(source))
    }
}

/// Inputs of random boards.
fn rows<B: Board>() -> Vec<u32> {
    let mut rng = Rng::new(0);
    let mut rows = Vec::new();
    for _ in 0..SHOWN {
        let cells = generate::uniform(B::N, Goal::BlankLast, &mut rng);
        let puzzle = Tiles::<B>::new(&cells, Goal::BlankLast);
        puzzle.active(&puzzle.initial_state(), &mut |index| rows.push(index));
    }
    rows
}

/// The board whose solution gives the n-th path of examples.
fn start<B: Board>(seed: u64, solved: &Solved, number: u64) -> Tiles<B> {
    let mut rng = Rng::stream(seed, number);
    let cells = match rng.unit() < solved.uniform {
        true => generate::uniform(B::N, Goal::BlankLast, &mut rng),
        false => generate::walk(B::N, 0, solved.steps, Goal::BlankLast, &mut rng),
    };
    Tiles::new(&cells, Goal::BlankLast)
}

/// A solver by IDA*, with additive tables of the partition `tables`, or with Manhattan distances. It
/// gives up after `nodes` generated states.
///
/// # Errors
/// No such partition, or tables that cannot be made.
fn optimal<B: Board>(
    tables: Option<&str>,
    nodes: Option<u64>,
    cache: &Cache,
) -> Result<Box<Solve<'static, B>>, WorkError> {
    let budget = Budget {
        generated: nodes,
        ..Budget::default()
    };
    let Some(name) = tables else {
        return Ok(solver(Manhattan::<B>::new(), budget));
    };
    let partition = Partition::parse(B::N, name).map_err(|why| failed(&why))?;
    Ok(match partition.patterns().len() {
        ..=4 => solver(of_tables::<B, 4>(&partition, cache)?, budget),
        5..=7 => solver(of_tables::<B, 7>(&partition, cache)?, budget),
        _ => solver(of_tables::<B, 16>(&partition, cache)?, budget),
    })
}

fn of_tables<B: Board, const K: usize>(
    partition: &Partition,
    cache: &Cache,
) -> Result<Pdb<B, K>, WorkError> {
    Pdb::new(partition, true, cache).map_err(|why| failed(&why))
}

fn solver<B: Board, H>(heuristic: H, budget: Budget) -> Box<Solve<'static, B>>
where
    H: Heuristic<Tiles<B>> + Send + Sync + 'static,
{
    Box::new(move |puzzle| {
        let mut search = IdaStar::new(puzzle, &heuristic).map_err(|why| failed(&why))?;
        let outcome = run(&mut search, &budget, &mut ()).map_err(|why| failed(&why))?;
        Ok(outcome.best().map(|best| best.actions.clone()))
    })
}

fn failed(why: &dyn std::fmt::Display) -> WorkError {
    WorkError::Unsupported(why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The linear part that a network begins with is the Manhattan distance, and reflected boards
    /// are as far from the goal.
    #[test]
    fn inputs_are_those_of_the_puzzle() {
        let side = 4;
        let (weights, reflection) = (manhattan(side), mirrored_features(side));
        let heuristic = Manhattan::<unriddle_tiles::Board4>::new();
        let solve = solver(heuristic.clone(), Budget::default());
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let cells = generate::walk(side, 0, 30, Goal::BlankLast, &mut rng);
            let puzzle = Tiles::<unriddle_tiles::Board4>::new(&cells, Goal::BlankLast);
            let state = puzzle.initial_state();
            let (expected, _) = heuristic.root(&puzzle, &state).unwrap();
            let (mut sum, mut other) = (0.0, vec![0u8; 16]);
            puzzle.active(&state, &mut |index| {
                sum += weights[index as usize];
                let index = reflection[index as usize] as usize;
                other[index / 16] = (index % 16) as u8;
            });
            assert_eq!(sum as u32, expected);
            let other = Tiles::new(&other, Goal::BlankLast);
            let [one, two] = [&puzzle, &other].map(|puzzle| solve(puzzle).unwrap().unwrap().len());
            assert_eq!(one, two);
        }
    }
}
