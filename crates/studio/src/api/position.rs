//! A position of a line of play, with all that a page shows of it.

use super::refusal::{Field, Refusal};
use serde::Serialize;
use unriddle_catalog::{
    AnyPuzzle, Game, Instance, ParseError, Style,
    board::{Spot as Touchable, Touch},
};

/// A position of an instance.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Position {
    /// The position as an instance of its own.
    pub instance: String,
    /// Drawing.
    pub svg: String,
    /// The board in characters, for people who do not see the drawing.
    pub label: String,
    /// All actions of the line, as people write them.
    pub played: Vec<String>,
    /// Number of the actions that are played.
    pub at: usize,
    /// The line to this position, in the notation of solutions.
    pub line: String,
    /// The whole line.
    pub whole: String,
    /// Legal actions, also of a solved position.
    pub actions: Vec<Action>,
    /// Cost or score of the actions so far.
    pub value: i64,
    /// Cost or score of the whole line.
    pub total: i64,
    /// Whether the instance is solved, or the game is over.
    pub over: bool,
    /// Unit of the values.
    pub unit: String,
    /// Touchable areas of the drawing.
    pub spots: Vec<Spot>,
}

/// A legal action.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Action {
    /// The action as people write it.
    pub text: String,
    /// The action in words.
    pub name: String,
    /// The line to this position with this action added.
    pub line: String,
    /// Inputs that choose it.
    #[serde(flatten)]
    pub inputs: Inputs,
}

/// Inputs that choose an action.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Inputs {
    /// Spot that is pressed, or pressed first.
    pub from: Option<usize>,
    /// Further spots that choose it like `from`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<usize>,
    /// Spot that is pressed afterwards.
    pub to: Option<usize>,
    /// Key.
    pub key: Option<&'static str>,
}

/// Touchable area of the drawing, in the units of its `viewBox`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Spot {
    /// Row, counted from 0.
    pub row: usize,
    /// Column, counted from 0.
    pub column: usize,
    /// Left edge.
    pub x: f32,
    /// Upper edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
    /// Name with the content.
    pub name: String,
}

/// The position of an instance after the first `at` actions of a line.
pub(super) fn position(
    puzzle: &dyn AnyPuzzle,
    instance: &dyn Instance,
    line: &str,
    at: Option<usize>,
) -> Result<Position, Refusal> {
    let unit = puzzle.unit().to_owned();
    let Some(mut game) = instance.game() else {
        return assignment(instance, line, unit);
    };
    game.replay(line).map_err(Refusal::of(Field::Line))?;
    let (played, whole, total) = (game.played().to_vec(), game.solution(), game.value());
    let at = at.map_or(played.len(), |at| at.min(played.len()));
    for _ in at..played.len() {
        game.undo();
    }
    let over = game.is_over();
    Ok(Position {
        instance: game.text(),
        svg: game.frame(Style::Svg).drawing,
        label: game.frame(Style::Plain).drawing,
        at,
        line: game.solution(),
        actions: actions(&mut *game),
        value: game.value(),
        spots: game.spots().into_iter().map(spot).collect(),
        played,
        whole,
        total,
        over,
        unit,
    })
}

/// The solution of a puzzle without paths, or its instance.
fn assignment(instance: &dyn Instance, line: &str, unit: String) -> Result<Position, Refusal> {
    let (svg, label) = match last(instance, line) {
        Err(error) if !line.is_empty() => return Err(Refusal::of(Field::Line)(error)),
        drawn => drawn.unwrap_or_default(),
    };
    let replayed = if line.is_empty() { None } else { instance.replay(line).ok() };
    let value = replayed.map_or(0, |(value, _)| value);
    Ok(Position {
        instance: instance.text(),
        svg,
        label,
        played: Vec::new(),
        at: 0,
        line: line.to_owned(),
        whole: line.to_owned(),
        actions: Vec::new(),
        value,
        total: value,
        over: !line.is_empty(),
        unit,
        spots: Vec::new(),
    })
}

/// The last drawing of a line, and the same in characters. No other one is drawn.
fn last(instance: &dyn Instance, line: &str) -> Result<(String, String), ParseError> {
    let mut count = 0usize;
    instance.along(line, &mut |_| count += 1)?;
    let mut drawn = (String::new(), String::new());
    instance.along(line, &mut |scene| {
        count -= 1;
        if count == 0 {
            drawn = (scene(Style::Svg).drawing, scene(Style::Plain).drawing);
        }
    })?;
    Ok(drawn)
}

fn actions(game: &mut dyn Game) -> Vec<Action> {
    let mut actions = Vec::new();
    for (index, (text, touch)) in game.actions().into_iter().zip(game.touches()).enumerate() {
        let Touch { from, to, key, name, also } = touch;
        game.apply(index);
        let line = game.solution();
        game.undo();
        let name = name.unwrap_or_else(|| text.clone());
        actions.push(Action { text, name, line, inputs: Inputs { from, also, to, key } });
    }
    actions
}

fn spot(spot: Touchable) -> Spot {
    let Touchable { row, column, area, name } = spot;
    Spot { row, column, x: area.x, y: area.y, width: area.width, height: area.height, name }
}
