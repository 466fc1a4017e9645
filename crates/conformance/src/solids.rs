//! Solids: states in space, and the motions of actions.

use crate::{Violation, subject::hold};
use unriddle_catalog::{
    Game,
    board::{Facet, Point, Solid, Turn},
};

/// Rounding errors of points.
const SLACK: f32 = 1e-3;

/// Checks the solid of a position and the motions of its actions.
pub(crate) fn position(game: &mut dyn Game) -> Result<(), Violation> {
    let (actions, turns) = (game.actions(), game.turns());
    hold(actions.len() == turns.len(), || {
        let found = Violation::new("there are not as many turns as actions");
        found.with("actions", actions.len()).with("turns", turns.len())
    })?;
    let Some(solid) = game.solid() else {
        return hold(turns.iter().all(Option::is_none), || {
            Violation::new("an action has a turn, but the position has no solid")
        });
    };
    is_well_formed(&solid, game.spots().len())?;
    for (index, turn) in turns.iter().enumerate() {
        let Some(turn) = turn else { continue };
        let found = |found: Violation| found.with("action", &actions[index]);
        game.apply(index);
        let next = game.solid();
        game.undo();
        let next =
            next.ok_or_else(|| found(Violation::new("a turn leads to a position without solid")))?;
        leads_to(&solid, turn, &next).map_err(found)?;
    }
    Ok(())
}

fn is_well_formed(solid: &Solid, spots: usize) -> Result<(), Violation> {
    hold(solid.inset > 0.0 && solid.inset <= 1.0, || {
        Violation::new("the inset of a solid is not a fraction").with("inset", solid.inset)
    })?;
    for facet in &solid.facets {
        let found = |what: &str| Violation::new(what).with_debug("facet", facet);
        hold(facet.spot.is_none_or(|spot| spot < spots), || found("a facet names no spot"))?;
        let [a, b, c, ..] = facet.corners[..] else {
            return Err(found("a facet has fewer than three corners"));
        };
        let normal = cross(minus(b, a), minus(c, b));
        let is_flat =
            facet.corners.iter().all(|&corner| dot(normal, minus(corner, a)).abs() < SLACK);
        hold(is_flat, || found("a facet is not flat"))?;
        hold(dot(normal, middle(facet)) > 0.0, || {
            found("the corners of a facet are not counter-clockwise as seen from outside")
        })?;
    }
    Ok(())
}

/// Checks that the facets after a motion are the facets of the next solid.
fn leads_to(solid: &Solid, turn: &Turn, next: &Solid) -> Result<(), Violation> {
    let found = |what: &str| Violation::new(what).with_debug("turn", turn);
    let is_known = turn.facets.iter().all(|&facet| facet < solid.facets.len());
    hold(is_known, || found("a turn names no facet"))?;
    hold(dot(turn.axis, turn.axis) > 0.0, || found("the axis of a turn has no direction"))?;
    hold(solid.facets.len() == next.facets.len(), || found("a turn changes the number of facets"))?;
    for (index, facet) in solid.facets.iter().enumerate() {
        let at = middle(facet);
        let at = if turn.facets.contains(&index) { rotated(at, turn) } else { at };
        let is_there = next.facets.iter().any(|other| {
            let away = minus(middle(other), at);
            dot(away, away) < SLACK && other.colour == facet.colour && other.text == facet.text
        });
        hold(is_there, || {
            let found = found("the next solid lacks a facet at the end of its motion");
            found.with_debug("facet", facet)
        })?;
    }
    Ok(())
}

fn middle(facet: &Facet) -> Point {
    let count = facet.corners.len() as f32;
    std::array::from_fn(|i| facet.corners.iter().map(|corner| corner[i]).sum::<f32>() / count)
}

fn rotated(point: Point, turn: &Turn) -> Point {
    let (sin, cos) = turn.degrees.to_radians().sin_cos();
    let length = dot(turn.axis, turn.axis).sqrt();
    let axis = turn.axis.map(|part| part / length);
    let (aside, along) = (cross(axis, point), dot(axis, point) * (1.0 - cos));
    std::array::from_fn(|i| point[i] * cos + aside[i] * sin + axis[i] * along)
}

fn minus(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[i] - b[i])
}

fn dot(a: Point, b: Point) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn cross(a: Point, b: Point) -> Point {
    std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}
