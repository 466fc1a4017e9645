//! A run of training: batches made beside the updates, checkpoints, the log, the model.

use super::{
    log::{DEPTHS, Line, plots, table},
    recipe::{Method, Recipe},
    source::{Batch, Course, Source, walk},
};
use crate::{folder::Folder, parallel::in_order};
use serde::{Deserialize, Serialize};
use std::{path::Path, time::Instant};
use unriddle_catalog::work::WorkError;
use unriddle_catalog::{Cancel, tables::Cache};
use unriddle_core::{Backward, Budget, Features, Rng, run};
use unriddle_neural::{
    Device, Engine, Header, Int8, Model, ModelError, Net, Network, Precision, Ranges, Training,
    train::{Learner, Loss, Options},
};
use unriddle_search::greedy::{Greedy, GreedyConfig};

/// Batches that are made at a time.
pub(super) const ROUND: u64 = 16;

/// Rows on which the error and the range of activations are measured.
const MEASURED: usize = 10_000;

/// Share of the old weights in their running average, which is the model.
const AVERAGE: f32 = 0.999;

/// Walks of each length that a greedy search is tried on, and how many states it may expand for one.
const TRIED: u64 = 20;
const EXPANSIONS: u64 = 1000;

/// What a run tells.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// Examples made so far, and all that will be made.
    Examples(u64, u64),
    /// Examples trained on so far, all of them, and examples per second.
    Progress(u64, u64, f64),
    /// A line of the log.
    Line(&'a Line),
    /// A checkpoint could not be written, and why. The one before is still there.
    Unwritten(String),
}

/// A run that came to its end.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Where the model is.
    pub model: std::path::PathBuf,
    /// The last line of the log.
    pub last: Option<Line>,
}

/// What a checkpoint says beside the trainer's own state.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    updates: u64,
    renewals: u64,
    seconds: f64,
    /// Sum of losses since the last look at the target, and since the last line.
    window: (f64, u64),
    losses: (f64, u64),
    since_renewal: u64,
    lines: Vec<Line>,
    /// Which of the two checkpoints is written next: never the last good one.
    #[serde(skip)]
    slot: usize,
}

/// Everything that a run needs.
pub(super) struct Run<'a, P: Backward> {
    pub recipe: &'a Recipe,
    pub folder: &'a Folder,
    pub header: Header,
    pub puzzle: &'a P,
    pub goal: P::State,
    pub means: Means<'a>,
    pub tell: &'a dyn Fn(Event<'_>),
    /// Where the linear part begins.
    pub linear: Option<Vec<f32>>,
    /// Rows that show the range of activations.
    pub rows: Vec<u32>,
    /// For each input the index of its mirror image, if the mirror image is evaluated, too.
    pub reflection: Option<&'a [u32]>,
}

/// The means of a run. Its results do not depend on them, except that a graphics card rounds
/// differently.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// The program's revision, for the model's header.
    pub revision: &'a str,
    /// The machine in words, for the model's header.
    pub machine: &'a str,
    /// Where tables come from.
    pub cache: &'a Cache,
    /// Threads that make examples.
    pub jobs: usize,
    /// What computes networks.
    pub device: Device,
    /// Ends the run; it goes on from its last checkpoint.
    pub cancel: &'a Cancel,
}

/// The network that examples are made with.
struct Target {
    model: Model,
    net: Net,
}

impl Target {
    /// Computed in bytes if that is asked for, the model has ranges and no graphics card is used;
    /// otherwise in single precision. With `reflection` the mirror image is evaluated, too.
    fn new(
        model: Model,
        in_bytes: bool,
        reflection: Option<&[u32]>,
        device: Device,
    ) -> Result<Self, WorkError> {
        let engine = match Ranges::of(&model) {
            Some(ranges) if in_bytes && device == Device::Cpu => {
                Int8::new(&model, &ranges).map(Engine::Int8)
            }
            _ => device.engine(&model),
        };
        let net = Net::new(engine.map_err(failed)?);
        let net = match reflection {
            Some(reflection) => net.with_mirror(reflection.to_vec()),
            None => net,
        };
        Ok(Self { model, net })
    }
}

/// Makes the batches of examples.
#[derive(Clone, Copy)]
struct Maker<'a> {
    rows: usize,
    /// How many batches there are in all.
    all: u64,
    jobs: usize,
    cancel: &'a Cancel,
}

impl Maker<'_> {
    /// The batches from a number on; none after the last one. `None` if it was cancelled.
    fn round(&self, source: &dyn Source, from: u64) -> Result<Option<Vec<Batch>>, WorkError> {
        let count = ROUND.min(self.all.saturating_sub(from)) as usize;
        in_order(count, self.jobs, self.cancel, &|i| {
            Ok(Some(source.batch(from + i as u64, self.rows)))
        })
    }
}

// By value, as `map_err` gives it.
#[allow(clippy::needless_pass_by_value)]
fn failed(why: ModelError) -> WorkError {
    match why {
        ModelError::Device(why) => WorkError::Device(why.to_string()),
        why => WorkError::Internal(why.to_string()),
    }
}

impl<P: Backward + Features + Clone> Run<'_, P> {
    /// Trains to the end of the recipe; `source` gives the examples with a target network where
    /// there is one. `None` if it was cancelled.
    pub(super) fn train(
        &self,
        course: &dyn Course,
        held_out: Option<&dyn Source>,
    ) -> Result<Option<Finished>, WorkError> {
        let schedule = &self.recipe.schedule;
        let architecture = &self.recipe.architecture;
        let options = Options {
            loss: match schedule.over {
                1.0 => Loss::Squared,
                over => Loss::Lopsided(over as f32),
            },
            average: Some(AVERAGE),
            seed: self.recipe.seed,
            ..Options::default()
        };
        let linear = self.linear.as_deref();
        let Means {
            jobs,
            device,
            cancel,
            ..
        } = self.means;
        let mut trainer = match &self.recipe.start {
            None => Learner::new(device, architecture, linear, self.recipe.seed, options),
            Some(path) => Learner::of_model(device, &self.start(path)?, options),
        }
        .map_err(WorkError::Device)?;
        let mut state = State::default();
        let mut target = None;
        let renewal = self.recipe.method.renewal();
        let in_bytes = renewal.is_some_and(|renewal| renewal.in_bytes);
        if let Some((known, trained, of_target)) = self.resume()? {
            state = known;
            // The other slot is the next one to be written.
            let slot = 1 - state.slot;
            let path = |what: &str| self.folder.path(&format!("checkpoint-{slot}.{what}"));
            trainer = Learner::load(device, architecture, &trained, options)
                .map_err(|why| WorkError::file(&path("trainer"), &why))?;
            if let Some(bytes) = of_target {
                let model =
                    Model::parse(&bytes).map_err(|why| WorkError::file(&path("target"), &why))?;
                target = Some(self.target(model, in_bytes)?);
            }
        }
        let all = schedule.updates();
        if target.is_none() && matches!(self.recipe.method, Method::Iteration { .. }) {
            let model = self.model(&trainer, &state, false);
            target = Some(self.target(model, in_bytes)?);
        }
        let mut begun = Instant::now();
        let mut written = Instant::now();
        let maker = Maker {
            rows: schedule.batch,
            all,
            jobs,
            cancel,
        };
        let rounds = state.updates.div_ceil(ROUND);
        let net = target.as_ref().map(|target| &target.net);
        if (course.begin(rounds, net, jobs, cancel)?).is_none() {
            return Ok(None);
        }
        let mut round = maker.round(&*course.source(net), state.updates)?;
        // Checkpoints are made before this is asked, so that what goes on draws what would have been drawn.
        if state.updates > 0 {
            self.renew(&trainer, &mut state, &mut target)?;
        }
        while let Some(batches) = round.take() {
            if batches.is_empty() {
                round = Some(batches);
                break;
            }
            let next = state.updates + batches.len() as u64;
            // The next batches are made with the target as it is now, while these are trained on.
            let (trained, made) = std::thread::scope(|scope| {
                let target = target.as_ref().map(|target| &target.net);
                let made = scope.spawn(move || {
                    let round = next.div_ceil(ROUND) - 1;
                    match course.advance(round, target, maker.jobs, maker.cancel)? {
                        Some(()) => maker.round(&*course.source(target), next),
                        None => Ok(None),
                    }
                });
                let trained = self.update(&mut trainer, std::mem::take(&mut state), &batches);
                (trained, made.join())
            });
            state = trained?;
            round =
                made.map_err(|_| WorkError::Internal("making examples failed".to_owned()))??;
            state.seconds += begun.elapsed().as_secs_f64();
            let pace = (batches.len() * schedule.batch) as f64 / begun.elapsed().as_secs_f64();
            begun = Instant::now();
            let examples = state.updates * schedule.batch as u64;
            (self.tell)(Event::Progress(examples, schedule.examples, pace));
            let ended = state.updates >= all || round.is_none();
            if ended || written.elapsed() >= schedule.checkpoint {
                let model = self.model(&trainer, &state, true);
                let mut line = self.measure(&model, &state, held_out)?;
                line.steps = course.steps();
                (self.tell)(Event::Line(&line));
                state.losses = (0.0, 0);
                state.lines.push(line);
                let kept = self.keep(&trainer, &state, &model, target.as_ref().map(|t| &t.model));
                match kept {
                    Ok(()) => state.slot ^= 1,
                    Err(error) if ended => return Err(error),
                    // What was written before is still good: training goes on.
                    Err(error) => (self.tell)(Event::Unwritten(error.to_string())),
                }
                written = Instant::now();
                begun = Instant::now();
            }
            self.renew(&trainer, &mut state, &mut target)?;
        }
        Ok((round.is_some()).then(|| Finished {
            model: self.folder.path("model.safetensors"),
            last: state.lines.last().cloned(),
        }))
    }

    /// The model that training begins with.
    fn start(&self, path: &Path) -> Result<Model, WorkError> {
        let refused = |why: &dyn std::fmt::Display| WorkError::file(path, why);
        let bytes = std::fs::read(path).map_err(|error| WorkError::file(path, &error))?;
        let model = Model::parse(&bytes).map_err(|why| refused(&why))?;
        let Header {
            puzzle, size, goal, ..
        } = &self.header;
        (model.expect(puzzle, size, goal)).map_err(|why| refused(&why))?;
        if model.header.architecture != self.recipe.architecture {
            return Err(refused(&"a network of another architecture"));
        }
        Ok(model)
    }

    fn target(&self, model: Model, in_bytes: bool) -> Result<Target, WorkError> {
        Target::new(model, in_bytes, self.reflection, self.means.device)
    }

    fn update(
        &self,
        trainer: &mut Learner,
        mut state: State,
        batches: &[Batch],
    ) -> Result<State, WorkError> {
        for batch in batches {
            let rate = self.rate(state.updates);
            let loss = trainer.step(&batch.active, batch.targets(), rate as f32);
            let loss = loss.map(f64::from).map_err(|why| {
                WorkError::Device(format!(
                    "{why}; the same command goes on from the last checkpoint"
                ))
            })?;
            for (sum, count) in [&mut state.window, &mut state.losses] {
                *sum += loss;
                *count += 1;
            }
            state.updates += 1;
            state.since_renewal += 1;
        }
        Ok(state)
    }

    /// The learning rate of an update: half a cosine from the first to the last.
    fn rate(&self, update: u64) -> f64 {
        let schedule = &self.recipe.schedule;
        let (first, last) = schedule.rate;
        let all = schedule.updates().max(1);
        let part = update as f64 / all as f64;
        last + (first - last) * 0.5 * (1.0 + (std::f64::consts::PI * part).cos())
    }

    /// Renews the target if it is time to. Targets of value iteration are the trained network
    /// itself; boards are solved by the model.
    fn renew(
        &self,
        trainer: &Learner,
        state: &mut State,
        target: &mut Option<Target>,
    ) -> Result<(), WorkError> {
        let Some(renewal) = self.recipe.method.renewal() else {
            return Ok(());
        };
        let solves = matches!(self.recipe.method, Method::Bootstrap { .. });
        let (sum, count) = state.window;
        if count < renewal.every {
            return Ok(());
        }
        state.window = (0.0, 0);
        let is_small = sum / (count as f64) < renewal.below;
        if state.updates >= renewal.after && (is_small || state.since_renewal >= renewal.at_most) {
            state.renewals += 1;
            state.since_renewal = 0;
            let model = self.model(trainer, state, solves);
            *target = Some(self.target(model, renewal.in_bytes)?);
        }
        Ok(())
    }

    /// The network as it is, or the average of its weights, with how far training has come.
    fn model(&self, trainer: &Learner, state: &State, averaged: bool) -> Model {
        let mut header = self.header.clone();
        header.training = Training {
            examples: state.updates * self.recipe.schedule.batch as u64,
            seconds: state.seconds as u64,
            ..header.training
        };
        let mut model = trainer.model(header, averaged, &self.rows);
        if self.recipe.method.learns_choices() {
            self.begin_at_goal(&mut model);
        }
        model
    }

    /// Makes 0 of what the network says of the goal: choices tell it nothing but differences.
    fn begin_at_goal(&self, model: &mut Model) {
        let Ok(network) = Network::new(model) else {
            return;
        };
        let (mut active, mut at_goal) = (Vec::new(), [0.0]);
        let sink = &mut |index| active.push(index);
        self.puzzle.active(&self.goal, sink);
        let is_of_goal = network.evaluate(&active, &mut at_goal, 1).is_ok();
        if let Some(bias) = model.tensors.get_mut("out.bias").filter(|_| is_of_goal) {
            bias.data[0] -= at_goal[0];
        }
    }

    fn measure(
        &self,
        model: &Model,
        state: &State,
        held_out: Option<&dyn Source>,
    ) -> Result<Line, WorkError> {
        let network = Network::new(model).map_err(failed)?;
        let error = held_out.map(|source| {
            let batch = source.batch(0, MEASURED);
            let mut estimates = vec![0.0; batch.rows()];
            // Rows of the puzzle that the network was made for always fit.
            let _ = network.evaluate(&batch.active, &mut estimates, self.means.jobs);
            batch.error(&estimates)
        });
        let net = Net::new(Engine::F32(network));
        let solved = DEPTHS.map(|depth| {
            let home = (0..TRIED).filter(|&i| self.is_brought_home(&net, depth, i));
            home.count() as f64 / TRIED as f64
        });
        Ok(Line {
            updates: state.updates,
            examples: state.updates * self.recipe.schedule.batch as u64,
            seconds: state.seconds,
            rate: self.rate(state.updates),
            loss: state.losses.0 / (state.losses.1 as f64).max(1.0),
            error,
            renewals: state.renewals,
            steps: None,
            solved: solved.to_vec(),
        })
    }

    /// Whether a greedy search solves a walk, turned around: from the goal to where it began.
    fn is_brought_home(&self, net: &Net, depth: u64, number: u64) -> bool {
        let mut rng = Rng::stream(self.recipe.seed ^ depth, u64::MAX - number);
        let mut start = self.goal;
        walk(self.puzzle, (&mut start, &mut None), depth, &mut rng);
        let puzzle = super::source::From {
            puzzle: self.puzzle.clone(),
            start,
        };
        let budget = Budget {
            expansions: Some(EXPANSIONS),
            ..Budget::default()
        };
        let search = Greedy::new(&puzzle, net, GreedyConfig {});
        search.is_ok_and(|mut search| {
            run(&mut search, &budget, &mut ()).is_ok_and(|outcome| outcome.best().is_some())
        })
    }

    /// Writes a checkpoint in the place of the older of two, then the model and the log.
    fn keep(
        &self,
        trainer: &Learner,
        state: &State,
        model: &Model,
        target: Option<&Model>,
    ) -> Result<(), WorkError> {
        let which = state.slot;
        let name = |what: &str| format!("checkpoint-{which}.{what}");
        // Gone first: without its state a checkpoint is none.
        self.folder.remove(&name("json"))?;
        let trained = trainer.save().map_err(WorkError::Internal)?;
        self.folder.write_bytes(&name("trainer"), &trained)?;
        if let Some(target) = target {
            let bytes = target.write(Precision::F32).map_err(failed)?;
            self.folder.write_bytes(&name("target"), &bytes)?;
        }
        let text = serde_json::to_string(state).unwrap_or_default();
        self.folder.write(&name("json"), &text)?;
        let bytes = model.write(Precision::F16).map_err(failed)?;
        self.folder.write_bytes("model.safetensors", &bytes)?;
        for (name, plot) in plots(&state.lines)? {
            self.folder.write(name, &plot)?;
        }
        self.folder.write("log.csv", &table(&state.lines))
    }

    /// The later of the checkpoints that are there.
    #[allow(clippy::type_complexity)]
    fn resume(&self) -> Result<Option<(State, Vec<u8>, Option<Vec<u8>>)>, WorkError> {
        let mut found: Option<(State, usize)> = None;
        for which in 0..2 {
            let Some(text) = self.folder.read(&format!("checkpoint-{which}.json"))? else {
                continue;
            };
            let Ok(state) = serde_json::from_str::<State>(&text) else {
                continue;
            };
            if found
                .as_ref()
                .is_none_or(|(known, _)| known.updates < state.updates)
            {
                found = Some((state, which));
            }
        }
        let Some((mut state, which)) = found else {
            return Ok(None);
        };
        state.slot = 1 - which;
        let bytes = |what: &str| {
            self.folder
                .read_bytes(&format!("checkpoint-{which}.{what}"))
        };
        let trained = bytes("trainer")?;
        let with_target = |trained| Ok((state, trained, bytes("target")?));
        trained.map(with_target).transpose()
    }
}
