//! Check of a puzzle's declarations for networks.

use rustc_hash::{FxHashMap, FxHashSet};
use unriddle_core::{Learnable, Part};

/// Checks declarations on the `most` states that are nearest to the goals; the implementation of
/// [`TrainingData::check`](crate::training_data::TrainingData::check).
///
/// A symmetry maps the states at each number of steps from the goals onto themselves, as sets of
/// active indices. Where each instance has a space of its own, the symmetric state may belong to
/// another instance, and symmetries are only checked to be permutations.
pub(super) fn declarations<P: Learnable>(puzzle: &P, most: usize) -> Result<(), String> {
    let (inputs, groups) = (puzzle.feature_len(), puzzle.groups());
    if let Some([rows, columns]) = puzzle.grid()
        && (rows * columns != groups || !inputs.is_multiple_of(groups))
    {
        return Err(format!(
            "a grid of {rows} rows of {columns} cells for {inputs} inputs in {groups} groups"
        ));
    }
    let images = puzzle.images();
    for (number, image) in (1..).zip(&images) {
        is_permutation(image, inputs).map_err(|why| format!("symmetry {number} {why}"))?;
    }
    for linear in puzzle.linear() {
        if linear.weights.len() != inputs {
            let (name, found) = (linear.name, linear.weights.len());
            return Err(format!(
                "the linear part `{name}` has {found} weights for {inputs} inputs"
            ));
        }
    }
    let parts = puzzle.parts();
    if !parts.is_empty() && parts.len() != inputs {
        return Err(format!("parts of {} of {inputs} inputs", parts.len()));
    }
    for (number, image) in (1..).zip(&images) {
        follow(image, &parts).map_err(|why| format!("symmetry {number}: {why}"))?;
    }
    let mut seen = FxHashSet::default();
    let mut layer = puzzle.goal_states();
    layer.retain(|&state| seen.insert(state));
    let mut depth = 0;
    while !layer.is_empty() && seen.len() <= most {
        let rows: Result<Vec<Vec<u32>>, String> =
            layer.iter().map(|state| row(puzzle, state, (inputs, groups))).collect();
        let rows = rows?;
        let counts = rows.iter().map(|row| part_count(row, &parts));
        let counts: Vec<usize> = counts.collect::<Result<_, _>>()?;
        if counts.iter().any(|count| *count != counts[0]) {
            return Err("states have different numbers of parts".to_owned());
        }
        if P::ONE_SPACE {
            are_mapped(&rows, &images, depth)?;
        }
        if let Some(is_odd) = puzzle.parity() {
            let unit = |state: &P::State| {
                let mut actions = puzzle.actions(state);
                actions.all(|action| puzzle.action_cost(state, action) == 1)
            };
            let wrong = layer.iter().find(|state| is_odd(state) != (depth % 2 == 1));
            if let Some(wrong) = wrong.filter(|state| unit(state)) {
                let text = puzzle.state_text(wrong);
                return Err(format!("the parity of {text} differs from its distance, {depth}"));
            }
        }
        let mut next = Vec::new();
        for state in &layer {
            puzzle.predecessors(state, &mut |before, _| {
                if seen.insert(before) {
                    next.push(before);
                }
            });
        }
        layer = next;
        depth += 1;
    }
    Ok(())
}

/// The active indices of a state in ascending order. Checks that there is one per group, and that
/// its actions have different numbers.
fn row<P: Learnable>(
    puzzle: &P,
    state: &P::State,
    (inputs, groups): (usize, usize),
) -> Result<Vec<u32>, String> {
    let mut row = Vec::with_capacity(groups);
    puzzle.active(state, &mut |index| row.push(index));
    let told = |what: String| Err(format!("{}: {what}", puzzle.state_text(state)));
    if row.len() != groups {
        return told(format!("{} active indices, expected {groups}", row.len()));
    }
    if let Some(index) = row.iter().find(|&&index| index as usize >= inputs) {
        return told(format!("index {index} is active, but there are {inputs} inputs"));
    }
    row.sort_unstable();
    if let Some(pair) = row.windows(2).find(|pair| pair[0] == pair[1]) {
        return told(format!("index {} is active twice", pair[0]));
    }
    let mut numbers = FxHashMap::default();
    for action in puzzle.actions(state) {
        let number = puzzle.action_number(action);
        if number >= puzzle.action_count() {
            let count = puzzle.action_count();
            return told(format!("an action has the number {number}, but there are {count}"));
        }
        if numbers.insert(number, action).is_some_and(|other| other != action) {
            return told(format!("two actions have the number {number}"));
        }
    }
    Ok(row)
}

fn is_permutation(image: &[u32], inputs: usize) -> Result<(), String> {
    if image.len() != inputs {
        return Err(format!("has {} indices for {inputs} inputs", image.len()));
    }
    let mut is_there = vec![false; inputs];
    for &index in image {
        match is_there.get_mut(index as usize) {
            Some(there) if !*there => *there = true,
            Some(_) => return Err(format!("is not one-to-one: it contains {index} twice")),
            None => return Err(format!("has index {index}, but there are {inputs} inputs")),
        }
    }
    Ok(())
}

/// Number of parts of a state; the shares of each part must add up to 1.
fn part_count(row: &[u32], parts: &[Vec<Part>]) -> Result<usize, String> {
    let mut shares: FxHashMap<u32, f32> = FxHashMap::default();
    for part in row.iter().flat_map(|&i| parts.get(i as usize)).flatten() {
        *shares.entry(part.number).or_default() += part.share;
    }
    match shares.iter().find(|(_, share)| (*share - 1.0).abs() > 1e-5) {
        Some((number, share)) => Err(format!("the shares of part {number} are {share} together")),
        None => Ok(shares.len()),
    }
}

/// Checks that a symmetry maps the parts of each index to the parts of the symmetric index, in
/// their order.
fn follow(image: &[u32], parts: &[Vec<Part>]) -> Result<(), String> {
    let mut images: FxHashMap<u32, Part> = FxHashMap::default();
    for (index, own) in parts.iter().enumerate() {
        let others = &parts[image[index] as usize];
        let is_same = own.len() == others.len()
            && own.iter().zip(others).all(|(part, to)| {
                let known = images.entry(part.number).or_insert(*to);
                known.number == to.number && part.share == to.share
            });
        if !is_same {
            return Err(format!("the parts of index {index} do not follow it"));
        }
    }
    Ok(())
}

/// Checks that each symmetry maps each row to a row of the same layer.
fn are_mapped(rows: &[Vec<u32>], images: &[Vec<u32>], depth: u32) -> Result<(), String> {
    let all: FxHashSet<&[u32]> = rows.iter().map(Vec::as_slice).collect();
    for (number, image) in (1..).zip(images) {
        for row in rows {
            let mut mapped: Vec<u32> = row.iter().map(|&index| image[index as usize]).collect();
            mapped.sort_unstable();
            if !all.contains(mapped.as_slice()) {
                return Err(format!(
                    "mapping {number} is no symmetry: it maps a state {depth} steps from the goal to no state of this distance"
                ));
            }
        }
    }
    Ok(())
}
