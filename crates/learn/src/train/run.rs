//! A run of training: rounds of batches, made beside the updates; checkpoints, the log, the model.

use super::{
    checkpoint::{self, Found, State},
    failure::failed,
    log::{Line, plots, table},
    prepare::{begin_with, parts, rows, training_data, views, written},
    recipe::{Recipe, Renewal, Stage, Window},
    source::{Batch, SourceContext, Sources},
    target::Target,
    teacher::Teachers,
    worker::{Pending, Worker},
};
use crate::{
    folder::Folder,
    journal::Kept,
    run::{self, Done, Event, Finished, Run},
};
use std::{
    path::Path,
    sync::{Arc, Once},
    time::Instant,
};
use unriddle_catalog::{
    Cancel,
    parallel::in_order,
    ranks::{Message, broadcast},
    tables::Cache,
    training_data::TrainingData,
    work::WorkError,
};
use unriddle_core::{Purpose, Rng, Steps};
use unriddle_neural::{
    Activity, Device, Engine as _, Head, Header, Model, Net, Network, Precision,
    Training as Trained,
    train::{Learner, Loss, Options, Shape, Views},
};

/// Batches that are made at a time.
const ROUND: u64 = 16;

/// Rows on which the error is measured.
const MEASURED: usize = 10_000;

/// Share of the old weights in their running average, which is the model.
const AVERAGE: f32 = 0.999;

/// Walks of each length that a greedy search is tried on, and how many states it may expand for
/// one.
const TRIED: u64 = 20;
const EXPANSIONS: u64 = 1000;

/// The environment of a training run. Results do not depend on it, except that a GPU rounds
/// differently.
#[derive(Clone, Copy)]
pub struct TrainContext<'a> {
    /// The environment of every run.
    pub run: &'a run::RunContext<'a>,
    /// The machine in words, for the model's header.
    pub machine: &'a str,
    /// Cache of solvers' tables.
    pub cache: &'a Arc<Cache>,
    /// Device that trains the network.
    pub device: Device,
    /// Device that evaluates the target network, for targets and for the searches of sources.
    pub solve_device: Device,
}

/// The network that a stage ended with, in full precision.
const END: &str = "end.safetensors";

/// Trains a network to the end of its recipe, or on from where an earlier run of it was ended.
/// `None` if it was cancelled.
///
/// # Errors
/// The folder, examples that cannot be made, a recipe that does not fit, a device that is not there
/// or fails.
pub fn train(
    recipe: &Recipe,
    folder: &Path,
    context: TrainContext<'_>,
) -> Result<Option<Finished>, WorkError> {
    let whole = Folder::open(folder, &recipe.text, context.run.ranks)?;
    let Some(training_data) = training_data(recipe, context.run, context.cache)? else {
        return Ok(None);
    };
    let start = recipe.start.as_ref().map(|path| begin_with(path, recipe, &*training_data));
    let mut start = start.transpose()?;
    let mut finished = None;
    for (number, stage) in recipe.stages.iter().enumerate() {
        let part = match recipe.stages.len() {
            1 => None,
            _ => Some(Folder::open(
                &whole.path(&format!("stage-{}", number + 1)),
                &recipe.text,
                context.run.ranks,
            )?),
        };
        let folder = part.as_ref().unwrap_or(&whole);
        let is_last = number + 1 == recipe.stages.len();
        // The next stage needs only the network with which this stage ended.
        if !is_last && let Some(bytes) = folder.read_bytes(END)? {
            start = Some(Model::parse(&bytes).map_err(|why| folder.failed(END, &why))?);
            continue;
        }
        let before = recipe.stages[..number].iter().map(|stage| stage.schedule.examples).sum();
        let begin = Begin { training_data: &*training_data, model: start.as_ref(), before };
        let Some((model, summary)) = one_stage(recipe, stage, begin, folder, context)? else {
            return Ok(None);
        };
        if !is_last {
            folder.write_bytes(END, &model.write(Precision::F32).map_err(failed)?)?;
        }
        let bytes = written(&model, views(recipe, &*training_data).as_ref(), recipe.precision)?;
        whole.write_bytes("model.safetensors", &bytes)?;
        finished = Some(Finished { file: whole.path("model.safetensors"), summary });
        start = Some(model);
    }
    Ok(finished)
}

/// The state with which a stage begins.
#[derive(Clone, Copy)]
struct Begin<'a> {
    training_data: &'a dyn TrainingData,
    /// The network of the stage before, or the model that the recipe names.
    model: Option<&'a Model>,
    /// Examples of the stages before.
    before: u64,
}

/// Runs a stage. Returns its model and a summary; `None` after a cancellation.
fn one_stage(
    recipe: &Recipe,
    stage: &Stage,
    begin: Begin<'_>,
    folder: &Folder<'_>,
    context: TrainContext<'_>,
) -> Result<Option<(Model, String)>, WorkError> {
    let Begin { training_data, model: start, .. } = begin;
    let TrainContext { run, device, .. } = context;
    let teachers = Teachers::new(recipe, context.cache, run.cancel)?;
    let begun = Once::new();
    let tell = |done: u64, all: u64| {
        let (name, pieces) = ("examples solved", all as usize);
        begun.call_once(|| (run.tell)(Event::Stage { name, pieces, done: done as usize }));
        (run.tell)(Event::At { done, what: name });
    };
    let ground = SourceContext {
        training_data,
        teachers: &teachers,
        folder,
        head: recipe.architecture.head(),
        ranks: run.ranks,
        jobs: run.jobs,
        cancel: run.cancel,
        tell: &tell,
    };
    let Some(sources) = Sources::new(stage, &ground)? else {
        return Ok(None);
    };
    let options = Options {
        loss: match stage.schedule.over {
            1.0 => Loss::Squared,
            over => Loss::Lopsided(over as f32),
        },
        average: Some(AVERAGE),
        seed: stage.seed,
        products: stage.schedule.products,
        ..Options::default()
    };
    let Purpose { puzzle, size, goal } = training_data.purpose();
    let begun = start.map(|model| &model.header.training);
    let header = Header {
        puzzle,
        size,
        goal,
        input: match training_data.input() {
            0 => String::new(),
            input => training_data.input_names()[input].to_owned(),
        },
        sharing: None,
        architecture: recipe.architecture.clone(),
        training: Trained {
            recipe: recipe.text.clone(),
            seed: stage.seed,
            revision: run.revision.to_owned(),
            examples: begun.map_or(0, |training| training.examples),
            hardware: format!(
                "{}, {} threads{}",
                context.machine,
                run.jobs,
                if device == Device::Cuda { ", CUDA" } else { "" }
            ),
            seconds: begun.map_or(0, |training| training.seconds),
        },
    };
    let Found { state, learner, target, name } = checkpoint::read(folder)?;
    let checkpoint = name.clone();
    let parts = parts(training_data, &recipe.architecture);
    let views = views(recipe, training_data);
    let shape =
        Shape { architecture: &recipe.architecture, parts: parts.as_ref(), views: views.as_ref() };
    std::thread::scope(|scope| {
        let learn = move || match (learner, start) {
            (Some(bytes), _) => Learner::load(device, shape, &bytes, options)
                .map_err(|why| format!("{name}.trainer: {why}")),
            (None, Some(model)) => Learner::of_model(device, shape, model, options),
            (None, None) => {
                Learner::new(device, shape, recipe.linear.as_deref(), stage.seed, options)
            }
        };
        // Rank 0 updates the network; the others make examples.
        let worker = match run.ranks.rank() {
            0 => Some(Worker::new(scope, run.jobs, learn)?),
            _ => None,
        };
        let head = recipe.architecture.head();
        let measured = training_data.depths().iter().max().copied().unwrap_or_default();
        let all = recipe.stages.iter().flat_map(|stage| &stage.sources);
        let longest = all.filter_map(|entry| entry.source.walks()).map(|walks| walks.steps).max();
        let mut training = Training {
            recipe,
            stage,
            begin,
            context,
            folder,
            views: views.as_ref(),
            sources,
            worker,
            header,
            rows: Arc::new(rows(training_data, head, measured.max(longest.unwrap_or(0)))),
            handed: state.updates,
            asked: 0,
            state,
            target: None,
            is_renewed: false,
            pending: None,
            begun: Instant::now(),
            written: Instant::now(),
            last: None,
        };
        if let Some(renewal) = &stage.target {
            let model = match target {
                Some(bytes) => Model::parse(&bytes).map_err(failed)?,
                None => {
                    let model = training.is_first().then(|| training.model(false));
                    training.told(model.transpose()?)?
                }
            };
            let has_learned = training.state.renewals > 0 || start.is_some();
            training.target = Some(training.new_target(model, has_learned, renewal)?);
        }
        training.sources.begin(training.state.updates.div_ceil(ROUND), &checkpoint)?;
        let driven = run::drive(&mut training, folder, run)?;
        if !training.is_first() {
            // A cancelled run has no model on any rank.
            let is_done = driven.is_some() && training.handed >= stage.schedule.updates();
            return match is_done {
                true => Ok(Some((training.told(None)?, String::new()))),
                false => Ok(None),
            };
        }
        // The last checkpoint is written after a cancellation as well.
        if training.pending.is_some() {
            training.settle()?;
            (run.tell)(Event::Note(&training.checkpoint(true)?));
        }
        let is_done = driven.is_some() && training.is_done();
        let (model, summary) = match (is_done, training.last.take()) {
            (true, Some(last)) => last,
            (true, None) => {
                let line = training.state.lines.last();
                let summary =
                    line.map_or(String::new(), |line| line.summary(training_data.depths()));
                (training.model(true)?, summary)
            }
            (false, _) => return Ok(None),
        };
        Ok(Some((training.told(Some(model))?, summary)))
    })
}

/// Batches are not kept: they are made anew. Only rank 0 learns from them.
impl Kept for Batch {
    const IS_SHARED: bool = false;

    fn send(&self, bytes: &mut Vec<u8>) {
        self.write(bytes);
    }

    fn receive(bytes: &[u8]) -> Option<Self> {
        <Self as Message>::read(bytes)
    }
}

/// A running stage.
///
/// While the worker trains on the batches of a round, other threads make the batches of the next
/// round with the target network from before the present round. A renewal therefore takes effect in
/// the round after the next.
struct Training<'a, 's> {
    recipe: &'a Recipe,
    stage: &'a Stage,
    begin: Begin<'a>,
    context: TrainContext<'a>,
    folder: &'a Folder<'a>,
    views: Option<&'a Views>,
    sources: Sources<'a>,
    /// `None` on a rank that only makes examples.
    worker: Option<Worker<'s>>,
    header: Header,
    /// States on which the ranges of activations are measured. They include the longest walks of
    /// all stages, because random instances are as far from the goal. Activations outside their
    /// range would be clipped where the network is computed in 8 bits: far states would seem nearer
    /// to the goal than they are.
    rows: Arc<Vec<u32>>,
    state: State,
    target: Option<Target>,
    /// Whether the other ranks do not have the target network yet.
    is_renewed: bool,
    /// Updates that the worker was given so far.
    handed: u64,
    /// Batches of the stage under way.
    asked: u64,
    /// The losses of updates that the worker has not finished.
    pending: Option<Pending<Result<Vec<f32>, String>>>,
    begun: Instant,
    written: Instant,
    /// The final model and its summary.
    last: Option<(Model, String)>,
}

impl Run for Training<'_, '_> {
    type Result = Batch;

    fn stage(&mut self) -> Result<Option<run::Stage>, WorkError> {
        let all = self.stage.schedule.updates();
        if self.handed >= all {
            return Ok(None);
        }
        let round = self.handed / ROUND;
        if self.sources.advance(round, self.target.as_ref())?.is_none() {
            // Cancelled: the loop ends where it asks for the batches.
            return Ok(None);
        }
        self.asked = ROUND.min(all - self.handed);
        let batch = self.stage.schedule.batch as u64;
        let examples = self.recipe.stages.iter().map(|stage| stage.schedule.examples);
        Ok(Some(run::Stage {
            number: round,
            name: "examples learned".to_owned(),
            pieces: self.asked as usize,
            of: Some((self.begin.before + self.state.updates * batch, examples.sum())),
        }))
    }

    fn piece(&self, number: usize, _: &Cancel) -> Result<Option<Batch>, WorkError> {
        let (number, rows) = (self.handed + number as u64, self.stage.schedule.batch);
        let batch = self.sources.batch(number, rows, self.target.as_ref());
        if batch.active.is_empty() {
            let why = "no source has any examples: nothing was solved, or no walk leads anywhere";
            let levels = self.begin.training_data;
            let (count, of) = (levels.without_goals(), levels.len());
            let levels = match count {
                0 => String::new(),
                _ => format!(" ({count} of {of} levels have no goal state to walk back from)"),
            };
            return Err(WorkError::Unsolved(format!("{why}{levels}")));
        }
        Ok(Some(batch))
    }

    fn tell(&mut self, results: Vec<Done<Batch>>) -> Result<Option<String>, WorkError> {
        if !self.is_first() {
            self.handed += self.asked;
            self.follow()?;
            return Ok(None);
        }
        self.settle()?;
        let mut note = None;
        if self.state.updates > 0 {
            if self.written.elapsed() >= self.stage.schedule.checkpoint {
                note = Some(self.checkpoint(false)?);
            }
            // The checkpoint precedes the renewal, so that a resumed run draws the same random
            // numbers.
            self.renew()?;
        }
        self.lead()?;
        let batches: Vec<Batch> = results.into_iter().map(|done| done.result).collect();
        let rates: Vec<f32> =
            (self.handed..).take(batches.len()).map(|update| self.rate(update) as f32).collect();
        self.handed += batches.len() as u64;
        let head = self.recipe.architecture.head();
        let weight = self.stage.schedule.action_weight as f32;
        let Some(worker) = &self.worker else { return Ok(note) };
        self.pending = Some(worker.ask(move |learner| {
            let steps = batches.iter().zip(rates).map(|(batch, rate)| {
                let labels = batch.labels(head, weight);
                (&batch.active[..], labels, rate)
            });
            learner.steps(steps).map_err(|why| why.to_string())
        }));
        Ok(note)
    }
}

impl<'s> Training<'_, 's> {
    /// Whether this rank updates the network.
    fn is_first(&self) -> bool {
        self.context.run.ranks.rank() == 0
    }

    fn worker(&self) -> Result<&Worker<'s>, WorkError> {
        let absent = || WorkError::Internal("this rank has no network in training".to_owned());
        self.worker.as_ref().ok_or_else(absent)
    }

    /// A model of rank 0, on all ranks.
    fn told(&self, model: Option<Model>) -> Result<Model, WorkError> {
        let ranks = self.context.run.ranks;
        if ranks.size() == 1
            && let Some(model) = model
        {
            return Ok(model);
        }
        let bytes = model.map(|model| model.write(Precision::F32)).transpose().map_err(failed)?;
        Model::parse(&broadcast(ranks, bytes.unwrap_or_default())).map_err(failed)
    }

    /// Gives the target network to the other ranks, if it was renewed.
    fn lead(&mut self) -> Result<(), WorkError> {
        let ranks = self.context.run.ranks;
        if ranks.size() == 1 {
            return Ok(());
        }
        let model = self.target.as_ref().filter(|_| self.is_renewed).map(|target| &target.model);
        let bytes = model.map(|model| model.write(Precision::F32)).transpose().map_err(failed)?;
        self.is_renewed = false;
        broadcast(ranks, bytes.unwrap_or_default());
        Ok(())
    }

    /// Takes the target network that rank 0 renewed, if it did.
    fn follow(&mut self) -> Result<(), WorkError> {
        let bytes = broadcast(self.context.run.ranks, Vec::new());
        if let Some(renewal) = self.stage.target.as_ref().filter(|_| !bytes.is_empty()) {
            let model = Model::parse(&bytes).map_err(failed)?;
            self.target = Some(self.new_target(model, true, renewal)?);
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.state.updates >= self.stage.schedule.updates()
    }

    /// Waits for the updates that are under way.
    fn settle(&mut self) -> Result<(), WorkError> {
        let Some(pending) = self.pending.take() else {
            return Ok(());
        };
        let losses = pending.wait()?.map_err(|why| {
            WorkError::Device(format!("{why}; the same command resumes from the last checkpoint"))
        })?;
        for loss in losses.into_iter().map(f64::from) {
            for (sum, count) in [&mut self.state.window, &mut self.state.losses] {
                *sum += loss;
                *count += 1;
            }
            self.state.last = loss;
            self.state.updates += 1;
            self.state.since_renewal += 1;
        }
        self.state.seconds += self.begun.elapsed().as_secs_f64();
        self.begun = Instant::now();
        Ok(())
    }

    /// The learning rate of an update: after the warm-up half a cosine from the first to the last.
    fn rate(&self, update: u64) -> f64 {
        let schedule = &self.stage.schedule;
        let (first, last) = (schedule.rate, schedule.last_rate);
        let part = update as f64 / schedule.updates().max(1) as f64;
        let rate = last + (first - last) * 0.5 * (1.0 + (std::f64::consts::PI * part).cos());
        match update < schedule.warm_up {
            true => rate * (update + 1) as f64 / schedule.warm_up as f64,
            false => rate,
        }
    }

    fn new_target(
        &self,
        model: Model,
        has_learned: bool,
        renewal: &Renewal,
    ) -> Result<Target, WorkError> {
        let images = self.begin.training_data.images();
        Target::new(model, has_learned, renewal, images, self.context.solve_device)
    }

    /// Renews the target network if it is time to.
    fn renew(&mut self) -> Result<(), WorkError> {
        let Some(renewal) = &self.stage.target else {
            return Ok(());
        };
        let (sum, count) = self.state.window;
        if count < renewal.every {
            return Ok(());
        }
        self.state.window = (0.0, 0);
        let loss = match renewal.loss {
            Window::Mean => sum / count as f64,
            Window::Last => self.state.last,
        };
        // No renewal while a source has the whole batch.
        let alone = self.stage.sources.iter().map(|entry| entry.alone).max();
        let may = self.state.updates >= alone.unwrap_or_default();
        if may && (loss < renewal.below || self.state.since_renewal >= renewal.at_most) {
            self.state.renewals += 1;
            self.state.since_renewal = 0;
            let model = self.model(renewal.averaged)?;
            self.target = Some(self.new_target(model, true, renewal)?);
            self.is_renewed = true;
        }
        Ok(())
    }

    /// The network as it is, or the average of its weights, with how far training has come, and the
    /// ranges of its activations.
    fn model(&self, averaged: bool) -> Result<Model, WorkError> {
        let mut header = self.header.clone();
        header.training = Trained {
            // Examples of the network with which this training began count as well.
            examples: header.training.examples
                + self.state.updates * self.stage.schedule.batch as u64,
            seconds: header.training.seconds + self.state.seconds as u64,
            ..header.training
        };
        let rows = Arc::clone(&self.rows);
        let model = self.worker()?.ask(move |learner| learner.model(header, averaged, &rows));
        let mut model = model.wait()?;
        if self.stage.sources.iter().any(|entry| entry.source.is_choice()) {
            self.begin_at_goal(&mut model);
        }
        Ok(model)
    }

    /// Shifts the network's outputs so that the goal has the output 0. Choices train only
    /// differences of outputs.
    fn begin_at_goal(&self, model: &mut Model) {
        let Ok(network) = Network::new(model) else {
            return;
        };
        let (mut goal, mut active) = (self.begin.training_data.list(), Vec::new());
        self.begin.training_data.goal(&mut Rng::new(0), &mut *goal);
        if goal.is_empty() {
            return;
        }
        goal.active(0, &mut active);
        let mut at_goal = [0.0];
        let is_of_goal = network.evaluate(&active, &mut at_goal, 1).is_ok();
        if let Some(bias) = model.tensors.get_mut("out.bias").filter(|_| is_of_goal) {
            bias.data[0] -= at_goal[0];
        }
    }

    /// Measures the network; writes a checkpoint, the model and the log; returns a line about them.
    /// A failed write is an error only at the end: before, the last checkpoint is still good, and
    /// training continues.
    fn checkpoint(&mut self, is_last: bool) -> Result<String, WorkError> {
        let model = self.model(true)?;
        let line = self.measure(&model)?;
        let depths = self.begin.training_data.depths();
        let mut note = line.note(depths) + &self.dead_layers(&model);
        self.state.losses = (0.0, 0);
        let summary = line.summary(depths);
        self.state.lines.push(line);
        match self.keep(&model) {
            Ok(()) => self.state.slot ^= 1,
            Err(error) if is_last => return Err(error),
            Err(error) => note += &format!("; no checkpoint: {error}; the one before is kept"),
        }
        if is_last && self.is_done() {
            self.last = Some((model, summary));
        }
        (self.written, self.begun) = (Instant::now(), Instant::now());
        Ok(note)
    }

    /// A warning of layers of which more than half of the units are active for no state: a training
    /// that goes badly is often one whose narrow layers are dead.
    fn dead_layers(&self, model: &Model) -> String {
        let layers = model.activity(&self.rows).unwrap_or_default();
        let dead = layers.iter().filter(|layer| 2 * layer.dead > layer.units);
        let warning = |layer: &Activity| {
            let Activity { layer, units, dead, .. } = layer;
            format!("; warning: {dead} of the {units} units of layer {layer} are never active")
        };
        dead.map(warning).collect()
    }

    fn measure(&self, model: &Model) -> Result<Line, WorkError> {
        let network = Network::new(model).map_err(failed)?;
        let head = self.recipe.architecture.head();
        let error = self.sources.held_out(MEASURED).and_then(|batch| {
            // Rows of the puzzle that the network was made for always fit.
            let mut outputs = vec![0.0; batch.rows() * head.outputs()];
            match head {
                Head::Pair => {
                    let _ =
                        network.evaluate_all(&batch.active, &mut outputs, self.context.run.jobs);
                    Some(batch.wrong(&outputs))
                }
                head if head.has_value() => {
                    outputs.truncate(batch.rows());
                    let _ = network.evaluate(&batch.active, &mut outputs, self.context.run.jobs);
                    Some(batch.error(&outputs))
                }
                _ => None,
            }
        });
        let net = Net::new(network);
        let margin = match &self.recipe.margin {
            Some(margin) => {
                let data = self.begin.training_data;
                margin.measure(data, &net, self.context.run.jobs, self.folder)?
            }
            None => None,
        };
        let depths = self.begin.training_data.depths();
        // A cancelled run measures as well: the measurement is short, and its line is part of the
        // log.
        let never = Cancel::default();
        let tried = in_order(depths.len() * TRIED as usize, self.context.run.jobs, &never, &|i| {
            let (depth, number) = (depths[i / TRIED as usize], i as u64 % TRIED);
            let mut rng = Rng::stream(self.stage.seed ^ depth, u64::MAX - number);
            let mut start = self.begin.training_data.list();
            self.begin.training_data.walk(&[depth], Steps::NoReturn, &mut rng, &mut *start);
            Ok(Some(!start.is_empty() && start.is_solved(0, &net, EXPANSIONS)))
        })?;
        let share =
            |solved: &[bool]| solved.iter().filter(|&&is| is).count() as f64 / solved.len() as f64;
        Ok(Line {
            updates: self.state.updates,
            examples: self.state.updates * self.stage.schedule.batch as u64,
            seconds: self.state.seconds,
            rate: self.rate(self.state.updates),
            loss: self.state.losses.0 / (self.state.losses.1 as f64).max(1.0),
            error,
            margin,
            renewals: self.state.renewals,
            steps: self.sources.steps(),
            solved: (tried.unwrap_or_default().chunks(TRIED as usize)).map(share).collect(),
        })
    }

    /// Writes a checkpoint, then the model and the log.
    fn keep(&self, model: &Model) -> Result<(), WorkError> {
        let learner = self.worker()?.ask(|learner| learner.save()).wait()?;
        let learner = learner.map_err(WorkError::Internal)?;
        let target = self.target.as_ref().map(|target| target.model.write(Precision::F32));
        let target = target.transpose().map_err(failed)?;
        let save = |name: &str| self.sources.save(name);
        checkpoint::write(self.folder, &self.state, &learner, target.as_deref(), save)?;
        let bytes = written(model, self.views, self.recipe.precision)?;
        self.folder.write_bytes("model.safetensors", &bytes)?;
        let depths = self.begin.training_data.depths();
        for (name, plot) in plots(&self.state.lines, depths)? {
            self.folder.write(name, &plot)?;
        }
        self.folder.write("log.csv", &table(&self.state.lines, depths))
    }
}
