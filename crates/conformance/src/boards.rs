//! Interactive boards: touchable areas of drawings, inputs of actions, and sketches of editors.

use crate::{Violation, sheets, solids, subject::hold};
use std::collections::{HashMap, HashSet};
use unriddle_catalog::{
    AnyPuzzle, Family, Game, Rng, Style,
    board::{Area, Cells, Sketch, Spot, Touch},
};

/// Random games of each instance.
const GAMES: u64 = 2;
/// Actions of a random game.
const ACTIONS: usize = 50;
/// Rounding errors of areas.
const SLACK: f32 = 0.01;

/// Checks the board of generated instances.
///
/// - Spots are within the `viewBox` of the SVG drawing and do not overlap. Each has a name and its
///   own row and column.
/// - Each action of a puzzle with spots is reachable: it has a spot or a key, no other action has
///   the same key, and actions with the same spots have different names.
/// - The facets of a solid are flat, name existing spots, and are counter-clockwise as seen from
///   outside. A turn of an action leads to the solid of the next position.
/// - A sketch has only symbols of its palette, and is read back as the same instance.
/// - A sheet has only values of its columns. A changed cell of an accepted instance has its new
///   text, and the old text gives the old sheet back.
///
/// # Errors
/// The first broken promise, with the instance.
pub fn generated(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    generator: &str,
    count: u64,
) -> Result<(), Violation> {
    let told = |found: Violation| found.with("puzzle", puzzle.spec()).with("generator", generator);
    let refused = |error: &dyn std::fmt::Display| {
        told(Violation::new("a generator makes nothing").with("error", error))
    };
    let bound = family.generator(Some(generator)).map_err(|error| refused(&error))?;
    for index in 0..count {
        let text = puzzle
            .generate(&bound, &mut Rng::stream(55, index))
            .map_err(|error| refused(&error))?;
        instance(puzzle, &text).map_err(|found| told(found).with("instance", &text))?;
    }
    Ok(())
}

/// Checks the board of an instance, as [`generated`] does.
///
/// # Errors
/// The first broken promise.
pub fn instance(puzzle: &dyn AnyPuzzle, text: &str) -> Result<(), Violation> {
    sketches_are_read_back(puzzle, text)?;
    let loaded = puzzle.load(text).map_err(|error| {
        Violation::new("a text that was written is refused").with("error", error)
    })?;
    for seed in 0..GAMES {
        let Some(mut game) = loaded.game() else { return Ok(()) };
        let mut rng = Rng::stream(56, seed);
        for _ in 0..ACTIONS {
            let found = |found: Violation| found.with("played", game.solution());
            spots_lie_within_the_drawing(&*game).map_err(found)?;
            actions_are_reachable(&*game).map_err(found)?;
            solids::position(&mut *game).map_err(|wrong| wrong.with("played", game.solution()))?;
            let count = game.actions().len() as u64;
            if game.is_over() || count == 0 || !game.apply(rng.below(count) as usize) {
                break;
            }
        }
        sketches_are_read_back(puzzle, &game.text())?;
    }
    Ok(())
}

/// The area of a drawing's `viewBox`.
fn view_box(svg: &str) -> Option<Area> {
    let (_, rest) = svg.split_once("viewBox=\"")?;
    let numbers: Vec<f32> =
        rest.split_once('"')?.0.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [x, y, width, height] = numbers[..] else { return None };
    Some(Area { x, y, width, height })
}

/// Checks the touchable areas of a position.
pub(crate) fn spots_lie_within_the_drawing(game: &dyn Game) -> Result<(), Violation> {
    let spots = game.spots();
    if spots.is_empty() {
        return Ok(());
    }
    let svg = game.frame(Style::Svg).drawing;
    let whole =
        view_box(&svg).ok_or_else(|| Violation::new("a drawing with spots has no viewBox"))?;
    let mut places = HashSet::new();
    for (index, spot) in spots.iter().enumerate() {
        let found = |what: &str| Violation::new(what).with_debug("spot", spot);
        let Spot { row, column, area, name } = spot;
        let is_inside = area.x >= whole.x - SLACK
            && area.y >= whole.y - SLACK
            && area.x + area.width <= whole.x + whole.width + SLACK
            && area.y + area.height <= whole.y + whole.height + SLACK;
        hold(is_inside, || found("a spot is outside of the drawing").with_debug("viewBox", whole))?;
        hold(area.width > 0.0 && area.height > 0.0, || found("a spot has no area"))?;
        hold(!name.trim().is_empty(), || found("a spot has no name"))?;
        hold(places.insert((row, column)), || found("two spots have the same row and column"))?;
        // Long boards are grids, whose cells do not overlap.
        let others = if spots.len() > 200 { &[] } else { &spots[..index] };
        let other = others.iter().find(|other| overlap(area, &other.area));
        hold(other.is_none(), || found("two spots overlap").with_debug("other", other))?;
    }
    Ok(())
}

fn overlap(a: &Area, b: &Area) -> bool {
    let common =
        |a: f32, width: f32, b: f32, other: f32| (a + width).min(b + other) - a.max(b) > SLACK;
    common(a.x, a.width, b.x, b.width) && common(a.y, a.height, b.y, b.height)
}

/// Checks that each action of a position can be chosen by its inputs.
pub(crate) fn actions_are_reachable(game: &dyn Game) -> Result<(), Violation> {
    let (spots, actions, touches) = (game.spots().len(), game.actions(), game.touches());
    hold(actions.len() == touches.len(), || {
        let found = Violation::new("there are not as many inputs as actions");
        found.with("actions", actions.len()).with("inputs", touches.len())
    })?;
    if spots == 0 && touches.iter().all(|touch| *touch == Touch::default()) {
        return Ok(());
    }
    let name = |index: usize| touches[index].name.as_ref().unwrap_or(&actions[index]);
    let found = |what: &str, index: usize| {
        let found = Violation::new(what).with("action", &actions[index]);
        found.with_debug("input", &touches[index])
    };
    let mut keys = HashSet::new();
    // The actions that each spot begins; `None` of actions that begin with their target.
    let mut begun: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    for (index, touch) in touches.iter().enumerate() {
        let starts = || touch.from.iter().chain(&touch.also);
        let is_known = starts().chain(&touch.to).all(|&spot| spot < spots);
        hold(is_known, || found("an input is not a spot", index))?;
        hold(!name(index).trim().is_empty(), || found("an action has an empty name", index))?;
        if let Some(key) = touch.key {
            hold(keys.insert(key), || found("two actions have the same key", index))?;
        }
        let has_input = starts().next().is_some() || touch.to.is_some() || touch.key.is_some();
        hold(has_input, || found("an action has no input", index))?;
        for &start in starts() {
            begun.entry(Some(start)).or_default().push(index);
        }
        if starts().next().is_none() && touch.to.is_some() {
            begun.entry(None).or_default().push(index);
        }
    }
    for begun in begun.values() {
        for (at, &index) in begun.iter().enumerate() {
            // A key chooses the action in any case.
            if touches[index].key.is_some() {
                continue;
            }
            for &other in begun[..at].iter().chain(&begun[at + 1..]) {
                let (own, others) = (&touches[index].to, &touches[other].to);
                hold(own != others || name(index) != name(other), || {
                    let found = found("two actions have the same spots and the same name", index);
                    found.with("other", &actions[other])
                })?;
                hold(own.is_none() || others.is_some(), || {
                    let found = found("an action with one spot hides an action with two", index);
                    found.with("other", &actions[other])
                })?;
            }
        }
    }
    Ok(())
}

/// Checks that the sketch of an instance is read back as the same instance, and that a sketch
/// without an instance has only symbols of its palette.
pub(crate) fn sketches_are_read_back(puzzle: &dyn AnyPuzzle, text: &str) -> Result<(), Violation> {
    if let Some(empty) = puzzle.sketch(None) {
        has_its_symbols(&empty)?;
    }
    let found = |what: &str| Violation::new(what);
    let loaded = puzzle
        .load(text)
        .map_err(|error| found("a text that was written is refused").with("error", error))?;
    let Some(sketch) = puzzle.sketch(Some(&loaded.text())) else {
        return sheets::sheets_are_read_back(puzzle, &loaded.text());
    };
    has_its_symbols(&sketch)?;
    let written = puzzle.sketched(&sketch.cells);
    let again = puzzle.load(&written).map_err(|error| {
        found("the text of a sketch is refused").with("written", &written).with("error", error)
    })?;
    hold(again.text() == loaded.text(), || {
        let found = found("a sketch is read back as another instance");
        found.with("written", &written).with("read", again.text()).with("meant", loaded.text())
    })
}

fn has_its_symbols(sketch: &Sketch) -> Result<(), Violation> {
    let Sketch { palette, cells, .. } = sketch;
    let symbols: HashSet<&str> = palette.iter().map(|swatch| &*swatch.symbol).collect();
    hold(symbols.len() == palette.len(), || Violation::new("a palette has a symbol twice"))?;
    let is_named = palette.iter().all(|swatch| !swatch.name.trim().is_empty());
    hold(is_named, || Violation::new("a symbol of a palette has no name"))?;
    let unknown = |cells: &Cells| {
        cells.iter().flatten().flatten().find(|symbol| !symbols.contains(&***symbol)).cloned()
    };
    let unknown = unknown(cells);
    hold(unknown.is_none(), || {
        Violation::new("a sketch has a symbol that is not in its palette")
            .with_debug("symbol", &unknown)
    })
}
