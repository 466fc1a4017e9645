//! Bootstrapping: the network solves boards, learns what is left on the way of its own solutions, and solves better ones.
//!
//! Beside every round of updates a few boards are solved by a beam of the network as it was at the last renewal. All states on the
//! way are examples, until newer ones take their place. Boards begin as short walks from the goal that a teacher solves by as few
//! moves as can be, and get harder: while a network is only asked for little more than it knows, its solutions are nearly optimal.
//! They say at most too much, so that a loss that fears overestimates more leans to the shorter ones.
//!
//! Reference: S. Jabbari Arfaee, S. Zilles and R. C. Holte, "Learning heuristic functions for large state spaces", Artificial
//! Intelligence 175 (2011), where IDA* solves what it can within a limit of time.

use super::{
    recipe::{Bootstrap, Recipe, Walks},
    run::ROUND,
    solved::{Drawn, Examples, played},
    source::{Batch, Course, Source},
    tiles::reflected,
};
use crate::{error::LabError, folder::Folder, parallel::in_order};
use std::sync::{PoisonError, RwLock};
use unriddle_catalog::Cancel;
use unriddle_core::{Budget, Rng, run};
use unriddle_neural::Net;
use unriddle_puzzles::tiles::{Board, Goal, Slide, Tiles, generate};
use unriddle_search::beam::{Beam, BeamConfig};

/// The first boards are so many times as many as those of a round.
const FIRST: u64 = 50;

/// Boards that the network solves.
pub(super) struct Bootstrapped<'a, B> {
    pub recipe: &'a Recipe,
    pub bootstrap: &'a Bootstrap,
    pub reflection: &'a [u32],
    pub puzzle: &'a Tiles<B>,
    pub folder: &'a Folder,
    pub teacher: Box<Solve<'a, B>>,
    pub examples: RwLock<Examples<B>>,
}

impl<B: Board> Bootstrapped<'_, B> {
    /// Solves the boards of a wave, the first of which is larger. `None` if it was cancelled.
    fn wave(
        &self,
        number: u64,
        net: Option<&Net>,
        jobs: usize,
        cancel: &Cancel,
    ) -> Result<Option<()>, LabError> {
        let boards = match net {
            Some(_) => self.bootstrap.boards,
            None => self.bootstrap.teacher.boards,
        };
        let count = if number == 0 { FIRST * boards } else { boards };
        let solved = in_order(count as usize, jobs, cancel, &|i| {
            // No wave has more.
            let puzzle = self.start(number, (number << 32) + i as u64);
            let slides = match net {
                Some(net) => self.solve(&puzzle, net)?,
                None => (self.teacher)(&puzzle)?,
            };
            Ok(Some(slides.map(|slides| played(&puzzle, &slides))))
        })?;
        let Some(solved) = solved else {
            return Ok(None);
        };
        let solved: Vec<Vec<B>> = solved.into_iter().flatten().collect();
        let mut examples = self
            .examples
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        examples.add(&self.folder.path("examples.bin"), &solved)?;
        Ok(Some(()))
    }

    /// A beam's solution; `None` if it lost all of them.
    fn solve(&self, puzzle: &Tiles<B>, net: &Net) -> Result<Option<Vec<Slide>>, LabError> {
        let failed = |why: &dyn std::fmt::Display| LabError::Usage(why.to_string());
        let config = BeamConfig {
            width: self.bootstrap.width,
            max_depth: self.bootstrap.depth,
            ..BeamConfig::default()
        };
        let mut beam = Beam::new(puzzle, net, config).map_err(|why| failed(&why))?;
        let outcome = run(&mut beam, &Budget::default(), &mut ()).map_err(|why| failed(&why))?;
        Ok(outcome.best().map(|best| best.actions.clone()))
    }

    /// A board of a wave.
    fn start(&self, wave: u64, number: u64) -> Tiles<B> {
        let bootstrap = self.bootstrap;
        let mut rng = Rng::stream(self.recipe.seed, number);
        let (taught, all) = (bootstrap.teacher.updates, self.recipe.schedule.updates());
        let since = (wave * ROUND).saturating_sub(taught) as f64;
        let grown = (all as f64 * bootstrap.grown - taught as f64).max(1.0);
        let part = (since / grown).min(1.0);
        let cells = match part >= 1.0 && rng.unit() < bootstrap.uniform {
            true => generate::uniform(B::N, Goal::BlankLast, &mut rng),
            false => {
                let (least, most) = (bootstrap.teacher.steps as f64, bootstrap.steps as f64);
                let walks = Walks {
                    steps: (least * (most / least).powf(part)) as u64,
                    power: 2.0,
                };
                let steps = walks.draw(&mut rng);
                generate::walk(B::N, steps, steps, Goal::BlankLast, &mut rng)
            }
        };
        Tiles::new(&cells, Goal::BlankLast)
    }
}

impl<B: Board> Course for Bootstrapped<'_, B> {
    fn source<'t>(&'t self, _: Option<&'t Net>) -> Box<dyn Source + 't> {
        reflected(self.recipe, self.reflection, Pool(self))
    }

    fn begin(
        &self,
        rounds: u64,
        target: Option<&Net>,
        jobs: usize,
        cancel: &Cancel,
    ) -> Result<Option<()>, LabError> {
        let path = self.folder.path("examples.bin");
        let known = self
            .examples
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .read(&path, rounds + 1)?;
        match rounds + 1 - known {
            0 => Ok(Some(())),
            // There is none yet, or the last one was not finished when the run was cancelled.
            1 => self.wave(rounds, target, jobs, cancel),
            _ => Err(LabError::Usage(format!(
                "{} holds {known} waves of examples, of {} that the checkpoint was made with",
                path.display(),
                rounds + 1
            ))),
        }
    }

    fn advance(
        &self,
        round: u64,
        target: Option<&Net>,
        jobs: usize,
        cancel: &Cancel,
    ) -> Result<Option<()>, LabError> {
        self.wave(round + 1, target, jobs, cancel)
    }
}

/// What solves boards, or gives up.
pub(super) type Solve<'a, B> =
    dyn Fn(&Tiles<B>) -> Result<Option<Vec<Slide>>, LabError> + Send + Sync + 'a;

/// Draws from the examples that there are now.
struct Pool<'a, B>(&'a Bootstrapped<'a, B>);

impl<B: Board> Source for Pool<'_, B> {
    fn batch(&self, number: u64, rows: usize) -> Batch {
        let course = self.0;
        let examples = course
            .examples
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        Drawn {
            from: 0..examples.len(),
            examples: &examples,
            puzzle: course.puzzle,
            seed: course.recipe.seed,
        }
        .batch(number, rows)
    }
}
