//! Requests and answers of the engine, without anything of WebAssembly.

use serde::{Deserialize, Serialize};
use std::{collections::HashMap, sync::Arc, time::Duration};
use unriddle::catalog::{
    Budget, Cancel, Family, Instance, Record, Registry, Spec, Style, input,
    solving::{Event, Job, Solving, State},
};

/// A request. In JSON, `verb` is the name of the variant in lower case.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "verb", rename_all = "lowercase", deny_unknown_fields)]
pub enum Request {
    /// The puzzles with their presets.
    Puzzles {},
    /// The instances of a text, in any form that the puzzle reads.
    Load {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of a file.
        text: String,
    },
    /// The position after a line of play.
    Position {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of the instance.
        instance: String,
        /// Actions in the notation of solutions.
        #[serde(default)]
        line: String,
    },
    /// Begins a solve; nothing is searched before the first step.
    Solve {
        /// Spec of the puzzle.
        puzzle: String,
        /// Text of the instance.
        instance: String,
        /// Search expression; without it, the preset.
        solver: Option<String>,
        /// Name of a preset; without it, the first one.
        preset: Option<String>,
        /// Limit of the time of searching, in seconds.
        seconds: Option<f64>,
        /// Limit of expanded states.
        expansions: Option<u64>,
        /// Limit of memory in bytes.
        memory: Option<u64>,
        /// Seed of everything random.
        #[serde(default)]
        seed: u64,
    },
    /// Lets a solve expand at most `expansions` more states, for about five milliseconds.
    Step {
        /// Number of the job.
        job: u32,
        /// Most states to expand.
        expansions: u64,
    },
    /// Stops a solve at its next step; its record has the best solution so far.
    Cancel {
        /// Number of the job.
        job: u32,
    },
    /// Forgets a job.
    Close {
        /// Number of the job.
        job: u32,
    },
}

/// An answer. In JSON, an error has the only field `error`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// The puzzles.
    Puzzles {
        /// In the order of the program.
        puzzles: Vec<Puzzle>,
    },
    /// The instances of a text.
    Instances {
        /// In the order of the text.
        instances: Vec<Loaded>,
    },
    /// A position.
    Position(Position),
    /// A job was begun.
    Begun {
        /// Number of the job.
        job: u32,
    },
    /// A step of a job.
    Step(Box<Step>),
    /// The request has no other answer.
    Done {},
    /// The request was refused.
    Error {
        /// The reason, with the position in the text.
        error: String,
    },
}

/// A puzzle.
#[derive(Clone, Debug, Serialize)]
pub struct Puzzle {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub summary: &'static str,
    /// Unit of its values.
    pub unit: &'static str,
    /// Names and purposes of its presets; the first is the default.
    pub presets: Vec<(&'static str, &'static str)>,
}

/// An instance of a text.
#[derive(Clone, Debug, Serialize)]
pub struct Loaded {
    /// Its name.
    pub id: String,
    /// Its standard text.
    pub instance: String,
    /// A solution that the text contains.
    pub solution: Option<String>,
}

/// A position of an instance.
#[derive(Clone, Debug, Serialize)]
pub struct Position {
    /// The position as an instance of its own.
    pub instance: String,
    /// Drawing in SVG.
    pub drawing: String,
    /// The actions so far, as people write them.
    pub played: Vec<String>,
    /// The line in the notation of records.
    pub line: String,
    /// Legal actions.
    pub actions: Vec<String>,
    /// Cost or score of the actions so far.
    pub value: i64,
    /// Whether the instance is solved, or the game is over.
    pub over: bool,
}

/// Something that happened during a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Happened {
    /// A better solution was found.
    Improved {
        /// Its value.
        value: i64,
        /// Number of its actions.
        length: usize,
        /// The solution.
        solution: String,
        /// Expanded states at that time.
        expanded: u64,
    },
    /// A better bound was proved.
    Bound {
        /// Lower bound of a cost, or upper bound of a score.
        bound: i64,
        /// Expanded states at that time.
        expanded: u64,
    },
}

/// State of a job after a step.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Whether the solve has ended.
    pub ended: bool,
    /// Expanded states so far.
    pub expanded: u64,
    /// Generated states so far.
    pub generated: u64,
    /// Events since the last step.
    pub events: Vec<Happened>,
    /// The checked record of a solve that has ended.
    pub record: Option<Record>,
}

/// A solve that is under way.
struct Running {
    solving: Option<Solving>,
    cancel: Cancel,
    puzzle: String,
    instance: String,
    solver: String,
    seed: u64,
}

/// The engine: puzzles and running jobs.
pub struct Engine {
    registry: Registry,
    jobs: HashMap<u32, Running>,
    last: u32,
}

/// Refused request.
type Refused = String;

impl Engine {
    /// An engine with the puzzles of a registry.
    #[must_use]
    pub fn new(registry: Registry) -> Self {
        Self { registry, jobs: HashMap::new(), last: 0 }
    }

    /// Answers a request in JSON by JSON.
    pub fn call(&mut self, request: &str) -> String {
        let request = serde_json::from_str(request).map_err(|error| format!("request: {error}"));
        let answer = request.and_then(|request| self.answer(request));
        let answer = answer.unwrap_or_else(|error| Answer::Error { error });
        serde_json::to_string(&answer).unwrap_or_else(|error| format!(r#"{{"error":"{error}"}}"#))
    }

    /// Answers a request.
    ///
    /// # Errors
    /// A text that the puzzle refuses, an unknown name, a job that does not exist.
    pub fn answer(&mut self, request: Request) -> Result<Answer, Refused> {
        Ok(match request {
            Request::Puzzles {} => {
                let puzzles = self.registry.families().iter().map(|family| puzzle(family));
                Answer::Puzzles { puzzles: puzzles.collect() }
            }
            Request::Load { puzzle, text } => {
                let (_, puzzle) = self.registry.puzzle(&puzzle).map_err(shown)?;
                let named = input::load(&*puzzle, &text).map_err(shown)?;
                let loaded = named.into_iter().map(|named| Loaded {
                    id: named.id,
                    instance: named.instance.text(),
                    solution: named.solution,
                });
                Answer::Instances { instances: loaded.collect() }
            }
            Request::Position { puzzle, instance, line } => {
                let (_, puzzle) = self.registry.puzzle(&puzzle).map_err(shown)?;
                let instance = puzzle.load(&instance).map_err(shown)?;
                let no_path = || "solutions of this puzzle are not played step by step".to_owned();
                let mut game = instance.game().ok_or_else(no_path)?;
                game.replay(&line).map_err(shown)?;
                Answer::Position(Position {
                    instance: game.text(),
                    drawing: game.frame(Style::Svg).drawing,
                    played: game.played().to_vec(),
                    line: game.solution(),
                    actions: if game.is_over() { Vec::new() } else { game.actions() },
                    value: game.value(),
                    over: game.is_over(),
                })
            }
            Request::Solve {
                puzzle,
                instance,
                solver,
                preset,
                seconds,
                expansions,
                memory,
                seed,
            } => {
                let (family, puzzle) = self.registry.puzzle(&puzzle).map_err(shown)?;
                let instance: Arc<dyn Instance> = puzzle.load(&instance).map_err(shown)?.into();
                let solver = spec(family, &*instance, solver.as_deref(), preset.as_deref())?;
                let time = seconds.map(Duration::try_from_secs_f64).transpose();
                let time = time.map_err(|error| format!("seconds: {error}"))?;
                let budget = Budget { time, expansions, memory, ..Budget::default() };
                let cancel = budget.cancel.clone();
                let running = Running {
                    puzzle: puzzle.spec(),
                    instance: instance.text(),
                    solver: solver.to_string(),
                    solving: Some(Solving::begin(
                        instance,
                        Job { budget, seed, ..Job::new(solver) },
                    )),
                    cancel,
                    seed,
                };
                self.last += 1;
                self.jobs.insert(self.last, running);
                Answer::Begun { job: self.last }
            }
            Request::Step { job, expansions } => self.step(job, expansions)?,
            Request::Cancel { job } => {
                self.job(job)?.cancel.cancel();
                Answer::Done {}
            }
            Request::Close { job } => {
                self.job(job)?;
                self.jobs.remove(&job);
                Answer::Done {}
            }
        })
    }

    fn job(&mut self, job: u32) -> Result<&mut Running, Refused> {
        self.jobs.get_mut(&job).ok_or_else(|| format!("there is no job {job}"))
    }

    fn step(&mut self, job: u32, expansions: u64) -> Result<Answer, Refused> {
        let running = self.job(job)?;
        let Some(solving) = &mut running.solving else {
            return Err(format!("job {job} has ended"));
        };
        let ended = solving.step(expansions) == State::Ended;
        let (stats, events) = (solving.stats(), solving.events());
        let mut step = Step {
            ended,
            expanded: stats.expanded,
            generated: stats.generated,
            events: events.into_iter().map(happened).collect(),
            record: None,
        };
        if let Some(solving) = running.solving.take_if(|_| ended) {
            let report = solving.finish().map_err(shown)?;
            let Running { puzzle, instance, solver, seed, .. } = &self.jobs[&job];
            let record =
                Record::seal(&self.registry, "1", puzzle, instance, solver, *seed, &report);
            let count = |of: Option<u64>, known: u64| of.unwrap_or(known);
            step.expanded = count(record.expanded, step.expanded);
            step.generated = count(record.generated, step.generated);
            step.record = Some(record);
        }
        Ok(Answer::Step(Box::new(step)))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "an argument of `map_err`")]
fn shown(error: impl ToString) -> Refused {
    error.to_string()
}

fn puzzle(family: &Family) -> Puzzle {
    let unit = family.default_puzzle().map_or("moves", |puzzle| puzzle.unit());
    let presets = family.declared().presets;
    Puzzle {
        name: family.info.name,
        summary: family.info.summary,
        unit,
        presets: presets.iter().map(|preset| (preset.name, preset.summary)).collect(),
    }
}

/// The search expression of a request.
fn spec(
    family: &Family,
    instance: &dyn Instance,
    solver: Option<&str>,
    preset: Option<&str>,
) -> Result<Spec, Refused> {
    if let Some(solver) = solver {
        return Spec::parse(solver).map_err(shown);
    }
    let presets = family.declared().presets;
    let first = presets.first().map_or("default", |preset| preset.name);
    let name = preset.unwrap_or(first);
    instance
        .preset(name)
        .ok_or_else(|| format!("the preset `{name}` has no solver for this instance"))
}

fn happened(event: Event) -> Happened {
    match event {
        Event::Improved { value, length, solution, stats } => {
            Happened::Improved { value, length, solution, expanded: stats.expanded }
        }
        Event::Bound { bound, stats, .. } => Happened::Bound { bound, expanded: stats.expanded },
    }
}
