//! Bootstrapping: the network solves boards, learns the distances along its own solution paths, and
//! then solves harder boards.
//!
//! There are two pools of examples, and a batch is drawn from both. A teacher solves short walks from
//! the goal optimally, from the first round to the last. Once the first target network is there, it
//! solves longer walks by a beam beside every round of updates. Its solutions may be far from
//! optimal, and the network would learn their errors. Therefore a solution is only kept if it is
//! little longer than the network's own estimate, and walks become longer only while most boards of a
//! round are solved within that limit.
//!
//! Reference: S. Jabbari Arfaee, S. Zilles and R. C. Holte, "Learning heuristic functions for large
//! state spaces", Artificial Intelligence 175 (2011). There IDA* solves what it can within a time
//! limit, and the limit grows when too few instances are solved.

use super::{
    recipe::{Bootstrap, Recipe, Walks},
    solved::{Drawn, Examples, played},
    source::{Batch, Course, Look, Source},
    tiles::reflected,
};
use crate::{folder::Folder, parallel::in_order};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use unriddle_catalog::Cancel;
use unriddle_catalog::work::WorkError;
use unriddle_core::{BatchHeuristic as _, Budget, Puzzle as _, Rng, Row, run};
use unriddle_neural::Net;
use unriddle_search::beam::{Beam, BeamConfig};
use unriddle_tiles::{Board, Goal, Slide, Tiles, generate};

/// Number of boards in the teacher's first round, in multiples of a later round.
const FIRST: u64 = 50;

/// Share of a wave's boards that must be solved for longer walks in the next wave.
const SOLVED: f64 = 0.5;

/// Factor by which walks become longer.
const GROWTH: f64 = 1.01;

/// Moves that a solution may have beyond the estimate and its tolerance, which is small for short
/// solutions.
const SPARE: f64 = 4.0;

/// Share of a batch that comes from the network's own solutions.
const OWN: f64 = 0.5;

/// Number of own examples from which on that share is [`OWN`]. With fewer examples the share is
/// smaller in proportion, so that the network does not memorise its first solutions.
const SETTLED: f64 = 50_000.0;

/// The power by which lengths of the teacher's walks are distributed ([`Walks::power`]).
const POWER: f64 = 2.0;

/// Boards that the teacher and the network solve.
pub(super) struct Bootstrapped<'a, B> {
    pub recipe: &'a Recipe,
    pub bootstrap: &'a Bootstrap,
    pub reflection: &'a [u32],
    pub puzzle: &'a Tiles<B>,
    pub folder: &'a Folder,
    pub teacher: Box<Solve<'a, B>>,
    pub pools: RwLock<Pools<B>>,
}

/// The examples of both pools.
pub(super) struct Pools<B> {
    taught: Examples<B>,
    own: Examples<B>,
}

impl<B: Board> Pools<B> {
    pub(super) fn new(bootstrap: &Bootstrap) -> Self {
        Self {
            taught: Examples::new(bootstrap.teacher.kept),
            own: Examples::new(bootstrap.kept),
        }
    }
}

/// Who solves a wave of boards.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Teacher,
    Network,
}

impl Who {
    const BOTH: [Self; 2] = [Self::Teacher, Self::Network];

    fn file(self) -> &'static str {
        match self {
            Self::Teacher => "taught.bin",
            Self::Network => "examples.bin",
        }
    }

    fn of<B>(self, pools: &mut Pools<B>) -> &mut Examples<B> {
        match self {
            Self::Teacher => &mut pools.taught,
            Self::Network => &mut pools.own,
        }
    }
}

impl<B: Board> Bootstrapped<'_, B> {
    fn pools(&self) -> RwLockReadGuard<'_, Pools<B>> {
        self.pools.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Solves a wave of boards. The teacher's first wave is larger. The network's waves are empty until
    /// there is a target network. `None` if it was cancelled.
    fn wave(
        &self,
        who: Who,
        number: u64,
        net: Option<&Net>,
        jobs: usize,
        cancel: &Cancel,
    ) -> Result<Option<()>, WorkError> {
        let count = match (who, net) {
            (Who::Teacher, _) if number == 0 => FIRST * self.bootstrap.teacher.boards,
            (Who::Teacher, _) => self.bootstrap.teacher.boards,
            (Who::Network, Some(_)) => self.bootstrap.boards,
            (Who::Network, None) => 0,
        };
        let steps = self.walks();
        let solved = in_order(count as usize, jobs, cancel, &|i| {
            // No wave has 2^31 boards, so that streams do not overlap.
            let stream = (number << 32) + i as u64;
            let (puzzle, slides) = match net.filter(|_| who == Who::Network) {
                Some(net) => {
                    let walks = Walks { steps, power: 1.0 };
                    let puzzle = self.start(&walks, stream + (1 << 31));
                    let slides = self.solve(&puzzle, net)?;
                    (puzzle, slides)
                }
                None => {
                    let walks = Walks {
                        steps: self.bootstrap.teacher.steps,
                        power: POWER,
                    };
                    let puzzle = self.start(&walks, stream);
                    let slides = (self.teacher)(&puzzle)?;
                    (puzzle, slides)
                }
            };
            Ok(Some(slides.map(|slides| played(&puzzle, &slides))))
        })?;
        let Some(solved) = solved else {
            return Ok(None);
        };
        let solved: Vec<Vec<B>> = solved.into_iter().flatten().collect();
        let mut pools = self.pools.write().unwrap_or_else(PoisonError::into_inner);
        who.of(&mut pools)
            .add(&self.folder.path(who.file()), &solved)?;
        Ok(Some(()))
    }

    /// Most steps of the network's walks, which grow with every wave that is solved well enough.
    fn walks(&self) -> u64 {
        let bootstrap = self.bootstrap;
        let enough = (SOLVED * bootstrap.boards as f64).ceil() as usize;
        let pools = self.pools();
        let waves = pools.own.waves().iter();
        let grown = waves.filter(|&&solved| solved >= enough).count();
        let steps = bootstrap.first as f64 * GROWTH.powi(grown as i32);
        (steps as u64).min(bootstrap.steps)
    }

    /// A beam's solution that is not longer than the estimate allows; `None` if it finds none.
    fn solve(&self, puzzle: &Tiles<B>, net: &Net) -> Result<Option<Vec<Slide>>, WorkError> {
        let failed = |why: &dyn std::fmt::Display| WorkError::Unsupported(why.to_string());
        let state = puzzle.initial_state();
        let mut estimate = [0.0];
        let rows = [Row {
            puzzle,
            state: &state,
        }];
        net.evaluate(&rows, &mut estimate);
        let most = f64::from(estimate[0]) * (1.0 + self.bootstrap.tolerance) + SPARE;
        // Lengths are stored in 16 bits, and an estimate may be any number.
        let most = most.min(f64::from(u16::MAX));
        let config = BeamConfig {
            width: self.bootstrap.width,
            max_depth: most as u32,
            ..BeamConfig::default()
        };
        let mut beam = Beam::new(puzzle, net, config).map_err(|why| failed(&why))?;
        let outcome = run(&mut beam, &Budget::default(), &mut ()).map_err(|why| failed(&why))?;
        Ok(outcome.best().map(|best| best.actions.clone()))
    }

    fn start(&self, walks: &Walks, stream: u64) -> Tiles<B> {
        let mut rng = Rng::stream(self.recipe.seed, stream);
        let steps = walks.draw(&mut rng);
        let cells = generate::walk(B::N, steps, steps, Goal::BlankLast, &mut rng);
        Tiles::new(&cells, Goal::BlankLast)
    }
}

impl<B: Board> Course for Bootstrapped<'_, B> {
    fn source<'t>(&'t self, target: Option<&'t Net>) -> Box<dyn Source + 't> {
        let ahead = target.zip(self.bootstrap.ahead);
        let ahead = ahead.map(|(net, actions)| Look { net, actions });
        let pool = Pool {
            course: self,
            ahead,
        };
        reflected(self.recipe, self.reflection, Box::new(pool))
    }

    fn begin(
        &self,
        rounds: u64,
        target: Option<&Net>,
        jobs: usize,
        cancel: &Cancel,
    ) -> Result<Option<()>, WorkError> {
        for who in Who::BOTH {
            let path = self.folder.path(who.file());
            let known = {
                let mut pools = self.pools.write().unwrap_or_else(PoisonError::into_inner);
                who.of(&mut pools).read(&path, rounds + 1)?
            };
            match rounds + 1 - known {
                0 => {}
                // The run begins, or the last wave was not finished when it was cancelled.
                1 => {
                    if self.wave(who, rounds, target, jobs, cancel)?.is_none() {
                        return Ok(None);
                    }
                }
                _ => {
                    let what = format!(
                        "holds {known} waves of examples, of {} that the checkpoint was made with",
                        rounds + 1
                    );
                    return Err(WorkError::file(&path, &what));
                }
            }
        }
        Ok(Some(()))
    }

    fn advance(
        &self,
        round: u64,
        target: Option<&Net>,
        jobs: usize,
        cancel: &Cancel,
    ) -> Result<Option<()>, WorkError> {
        for who in Who::BOTH {
            if self.wave(who, round + 1, target, jobs, cancel)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    fn steps(&self) -> Option<u64> {
        Some(self.walks())
    }
}

/// A solver of boards; `None` if it gives up.
pub(super) type Solve<'a, B> =
    dyn Fn(&Tiles<B>) -> Result<Option<Vec<Slide>>, WorkError> + Send + Sync + 'a;

/// Draws batches from the examples of both pools.
struct Pool<'a, B> {
    course: &'a Bootstrapped<'a, B>,
    /// The estimate that ends the network's own distances, if they are not counted to the goal.
    ahead: Option<Look<'a>>,
}

impl<B: Board> Source for Pool<'_, B> {
    fn batch(&self, number: u64, rows: usize) -> Batch {
        let course = self.course;
        let pools = course.pools();
        let settled = (pools.own.len() as f64 / SETTLED.min(pools.own.most() as f64)).min(1.0);
        let own = (OWN * settled * rows as f64) as usize;
        let mut batch = Batch::default();
        for (examples, rows, ahead, seed) in [
            (&pools.own, own, self.ahead, course.recipe.seed),
            (&pools.taught, rows - own, None, !course.recipe.seed),
        ] {
            let drawn = Drawn {
                from: 0..examples.len(),
                examples,
                ahead,
                aside: course.recipe.schedule.aside,
                puzzle: course.puzzle,
                seed,
            };
            drawn.add(number, rows, &mut batch);
        }
        batch
    }
}
