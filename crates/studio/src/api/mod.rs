//! Requests of a page and their answers.
//!
//! ```
//! use serde_json::json;
//! use unriddle_catalog::Registry;
//! use unriddle_studio::api::Api;
//!
//! let api = Api::new(Registry::new([&unriddle_hanoi::FAMILY])?);
//! let loaded = api.answer("load", json!({"puzzle": "hanoi", "text": "1 1 1"}))?;
//! assert_eq!(loaded["instances"][0]["instance"], "1 1 1");
//! let refusal = api.answer("load", json!({"puzzle": "hanoi", "text": "1 9"})).unwrap_err();
//! assert_eq!((refusal.line, refusal.column), (Some(1), Some(3)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod event;
mod film;
mod job;
mod position;
mod refusal;
mod request;
mod sketch;

pub use answer::Answer;
pub use event::Event;
pub use job::{JobRun, Most, Prepared};
pub use refusal::{Field, Refusal};
pub use request::{JobRequest, Request};

use answer::{described, loaded};
use job::Choice;
use serde_json::{Value, json};
use sketch::Sketch;
use unriddle_catalog::{
    AnyPuzzle, Family, Instance, Registry, Rng, Role, Spec, Style,
    bind::{expand, shorten},
    input::{self, Named},
    network_names,
    sheet::{Change, Place},
};

/// Most frames of an answer.
const MOST_FRAMES: usize = 2_000;

/// Answers requests about the puzzles of a registry.
pub struct Api {
    registry: Registry,
}

impl Api {
    /// The requests by name.
    pub const VERBS: &[&str] = &[
        "puzzles",
        "expressions",
        "load",
        "generate",
        "deal",
        "position",
        "frames",
        "film",
        "forms",
        "spec",
        "networks",
        "sketch",
        "edit",
    ];

    /// Answers about the puzzles of a registry.
    #[must_use]
    pub fn new(registry: Registry) -> Self {
        Self { registry }
    }

    /// The registry.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Answers the request `verb` with its fields.
    ///
    /// # Errors
    /// An unknown verb or field, a text that the puzzle refuses, an unknown name.
    pub fn answer(&self, verb: &str, fields: Value) -> Result<Value, Refusal> {
        let Value::Object(mut fields) = fields else {
            return Err(Refusal::new("expected an object with the fields of the request"));
        };
        fields.insert("verb".to_owned(), json!(verb));
        let request: Request = serde_json::from_value(Value::Object(fields)).map_err(of_json)?;
        let answer = self.answer_to(request)?;
        serde_json::to_value(answer).map_err(of_json)
    }

    /// Reads a job and its limits; nothing is searched before it [begins](Prepared::begin).
    ///
    /// # Errors
    /// An unknown kind or field, a text that the puzzle refuses, an unknown name.
    pub fn prepare(&self, job: Value, most: &Most) -> Result<Prepared, Refusal> {
        let request: JobRequest = serde_json::from_value(job).map_err(of_json)?;
        Prepared::new(&self.registry, request, most)
    }

    /// Answers a request.
    ///
    /// # Errors
    /// A text that the puzzle refuses, an unknown name.
    pub fn answer_to(&self, request: Request) -> Result<Answer, Refusal> {
        Ok(match request {
            Request::Puzzles {} => Answer::puzzles(&self.registry),
            Request::Expressions { puzzle } => {
                let (family, _) = self.puzzle(&puzzle)?;
                let expressions = family.expressions();
                Answer::Expressions {
                    expressions: expressions.into_iter().map(described).collect(),
                }
            }
            Request::Load { puzzle, text } => {
                let (family, puzzle) = self.puzzle(&puzzle)?;
                let named = input::load(&*puzzle, &text).map_err(Refusal::of(Field::Text))?;
                Answer::instances(&*puzzle, named.iter().map(|named| loaded(family, named)))
            }
            Request::Generate { puzzle, generator, seed } => {
                let (family, puzzle) = self.puzzle(&puzzle)?;
                let refused = Refusal::of_spec(Field::Generator);
                let bound = family.generator(generator.as_deref()).map_err(&refused)?;
                let text = puzzle.generate(&bound, &mut Rng::stream(seed, 0)).map_err(&refused)?;
                let instance = puzzle.load(&text).map_err(Refusal::of(Field::Text))?;
                let named = Named::new(format!("seed {seed}"), instance);
                Answer::instances(&*puzzle, [loaded(family, &named)])
            }
            Request::Deal { puzzle, number } => {
                let (family, puzzle) = self.puzzle(&puzzle)?;
                let unnumbered = || {
                    Refusal::new("this puzzle has no numbered instances; use `generate` or `load`")
                };
                let dealt = puzzle.deal(number).ok_or_else(unnumbered)?;
                let instance = dealt.map_err(|why| Refusal::new(why).in_field(Field::Number))?;
                let named = Named::new(format!("deal {number}"), instance);
                Answer::instances(&*puzzle, [loaded(family, &named)])
            }
            Request::Position { puzzle, instance, line, at } => {
                let (_, puzzle) = self.puzzle(&puzzle)?;
                let instance = load(&*puzzle, &instance)?;
                Answer::Position(Box::new(position::position(&*puzzle, &*instance, &line, at)?))
            }
            Request::Frames { puzzle, instance, line } => {
                let (_, puzzle) = self.puzzle(&puzzle)?;
                let instance = load(&*puzzle, &instance)?;
                Answer::Frames { frames: frames(&*instance, &line)? }
            }
            Request::Film { puzzle, instance, line, seconds } => {
                let (_, puzzle) = self.puzzle(&puzzle)?;
                let instance = load(&*puzzle, &instance)?;
                let frames = frames(&*instance, &line)?;
                let seconds = seconds.unwrap_or(0.5).clamp(0.05, 10.0);
                Answer::Film { svg: film::film(&frames, seconds) }
            }
            Request::Forms { puzzle, instance, line } => {
                let (_, puzzle) = self.puzzle(&puzzle)?;
                let instance = load(&*puzzle, &instance)?;
                let solution = match line.as_str() {
                    "" => Vec::new(),
                    line => instance.solution_forms(line).map_err(Refusal::of(Field::Line))?,
                };
                Answer::forms(instance.forms(), solution)
            }
            Request::Spec { puzzle, instance, solver } => {
                let (family, puzzle) = self.puzzle(&puzzle)?;
                instance.map(|text| load(&*puzzle, &text)).transpose()?;
                Answer::Spec { solver: normal(family, &solver)?.to_string() }
            }
            Request::Networks { puzzle, instance, solver, preset } => {
                let (family, puzzle) = self.puzzle(&puzzle)?;
                let instance = load(&*puzzle, &instance)?;
                let solver = Choice::new(family, solver.as_deref(), preset)?.of(&*instance)?;
                Answer::Networks { networks: network_names(&solver) }
            }
            Request::Sketch { puzzle, instance } => {
                let (_, puzzle) = self.puzzle(&puzzle)?;
                let text = match instance.as_deref() {
                    None | Some("") => None,
                    Some(text) => Some(load(&*puzzle, text)?.text()),
                };
                let sketch = puzzle.sketch(text.as_deref()).map(Sketch::of_cells);
                let sheet = || Some(Sketch::of_sheet(puzzle.sheet(&text?)?));
                Answer::Sketch { sketch: sketch.or_else(sheet) }
            }
            Request::Edit { puzzle, rows, instance, changes } => {
                let (family, puzzle) = self.puzzle(&puzzle)?;
                let text = match instance {
                    None => puzzle.sketched(&rows),
                    Some(instance) => {
                        let instance = load(&*puzzle, &instance)?.text();
                        let changes: Vec<_> = changes.into_iter().map(change).collect();
                        puzzle.rewritten(&instance, &changes).map_err(Refusal::of_cell)?
                    }
                };
                let instance = puzzle.load(&text).map_err(Refusal::of(Field::Text))?;
                let named = Named::new("edited".to_owned(), instance);
                Answer::instances(&*puzzle, [loaded(family, &named)])
            }
        })
    }

    fn puzzle(&self, spec: &str) -> Result<(&'static Family, Box<dyn AnyPuzzle>), Refusal> {
        puzzle(&self.registry, spec)
    }
}

/// The puzzle of a spec.
fn puzzle(
    registry: &Registry,
    spec: &str,
) -> Result<(&'static Family, Box<dyn AnyPuzzle>), Refusal> {
    registry.puzzle(spec).map_err(Refusal::of_spec(Field::Puzzle))
}

/// The instance of a text.
fn load(puzzle: &dyn AnyPuzzle, text: &str) -> Result<Box<dyn Instance>, Refusal> {
    puzzle.load(text).map_err(Refusal::of(Field::Instance))
}

/// A change of a table.
fn change(change: request::Change) -> Change {
    let request::Change { section, row, column, text } = change;
    Change { place: Place { section, row, column }, text }
}

/// The normal form of a solver's spec.
fn normal(family: &Family, solver: &str) -> Result<Spec, Refusal> {
    let refused = Refusal::of_spec(Field::Solver);
    let spec = Spec::parse(solver).map_err(&refused)?;
    let infos = family.expressions();
    expand(&infos, Role::Search, &spec).map_err(&refused)?;
    Ok(shorten(&infos, Role::Search, &spec).map_err(&refused)?.spec)
}

/// The drawings of all positions of a line.
fn frames(instance: &dyn Instance, line: &str) -> Result<Vec<answer::Frame>, Refusal> {
    let mut frames = Vec::new();
    let visited = instance.along(line, &mut |scene| {
        if frames.len() < MOST_FRAMES {
            let frame = scene(Style::Svg);
            frames.push(answer::Frame { svg: frame.drawing, action: frame.action });
        }
    });
    visited.map_err(Refusal::of(Field::Line))?;
    Ok(frames)
}

#[expect(clippy::needless_pass_by_value, reason = "an argument of `map_err`")]
fn of_json(error: serde_json::Error) -> Refusal {
    Refusal::new(format!("request: {error}"))
}
