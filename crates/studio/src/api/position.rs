//! A position of a line of play, with all that a page shows of it.

use super::refusal::{Field, Refusal};
use serde::Serialize;
use unriddle_catalog::{
    AnyPuzzle, Game, Instance, ParseError, Style,
    board::{self, Spot as Touchable, Touch},
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
    /// The position in space; `None` if the drawing is all.
    pub solid: Option<Solid>,
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
    /// Motion of the solid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
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

/// Point in space, to four decimals: to the right, up, and towards the viewer.
type Point = [f64; 3];

/// A position in space.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Solid {
    /// The polygons of its surface.
    pub facets: Vec<Facet>,
    /// Length of a coloured polygon divided by the length of its facet.
    pub inset: f64,
}

/// Flat polygon of a solid's surface.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Facet {
    /// Corners, counter-clockwise as seen from outside.
    pub corners: Vec<Point>,
    /// Colour.
    pub colour: &'static str,
    /// Class, as of the elements of drawings.
    pub class: &'static str,
    /// Text in the middle.
    pub text: String,
    /// Spot that is pressed by pressing the facet.
    pub spot: Option<usize>,
}

/// Motion of a part of a solid about an axis through the origin.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Turn {
    /// Direction of the axis.
    pub axis: Point,
    /// Angle in degrees, counter-clockwise as seen from the end of the axis.
    pub degrees: f64,
    /// Indices of the facets that turn.
    pub facets: Vec<usize>,
    /// Polygons at which the turning part touches the rest.
    pub cuts: Vec<Vec<Point>>,
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
        solid: game.solid().map(solid),
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
        solid: None,
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
    let inputs = game.touches().into_iter().zip(game.turns());
    for (index, (text, (touch, turn))) in game.actions().into_iter().zip(inputs).enumerate() {
        let Touch { from, to, key, name, also } = touch;
        game.apply(index);
        let line = game.solution();
        game.undo();
        let name = name.unwrap_or_else(|| text.clone());
        let (inputs, turn) = (Inputs { from, also, to, key }, turn.map(self::turn));
        actions.push(Action { text, name, line, inputs, turn });
    }
    actions
}

fn spot(spot: Touchable) -> Spot {
    let Touchable { row, column, area, name } = spot;
    Spot { row, column, x: area.x, y: area.y, width: area.width, height: area.height, name }
}

fn solid(solid: board::Solid) -> Solid {
    let facet = |facet: board::Facet| {
        let board::Facet { corners, colour, class, text, spot } = facet;
        Facet { corners: points(corners), colour, class, text, spot }
    };
    Solid { facets: solid.facets.into_iter().map(facet).collect(), inset: decimals(solid.inset) }
}

fn turn(turn: board::Turn) -> Turn {
    let board::Turn { axis, degrees, facets, cuts } = turn;
    let cuts = cuts.into_iter().map(points).collect();
    Turn { axis: axis.map(decimals), degrees: decimals(degrees), facets, cuts }
}

fn points(points: Vec<board::Point>) -> Vec<Point> {
    points.into_iter().map(|point| point.map(decimals)).collect()
}

/// Four decimals, which a drawing does not exceed, keep an answer short.
fn decimals(number: f32) -> f64 {
    (f64::from(number) * 1e4).round() / 1e4
}
