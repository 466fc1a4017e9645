//! `unriddle improve`: better solutions than the known ones.

use crate::{
    args::Improve,
    exit::{Failure, INPUT, UNSUPPORTED, note},
    inputs::{self, Choice, Entries},
    solve::solve_all,
    text,
};
use std::collections::HashMap;
use unriddle_catalog::{
    Aim, AnyPuzzle, Family, Info, Registry, Role,
    input::{self, Named},
    registry::expressions,
    units::show_count,
};

/// All instances with their solutions.
fn all(family: &Family, puzzle: &dyn AnyPuzzle, options: &Improve) -> Result<Vec<Named>, Failure> {
    let mut named = Vec::new();
    for path in &options.files {
        named.extend(inputs::with_solutions(family, puzzle, path)?);
    }
    if let Some(text) = &options.instance {
        named.push(Named {
            solution: options.solution.clone(),
            ..Named::new("1".to_owned(), inputs::one(family, puzzle, text)?)
        });
    }
    input::distinct(named.iter_mut().map(|named| &mut named.id));
    Ok(named)
}

pub(crate) fn run(registry: &Registry, options: &Improve) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    if family.aim == Aim::Assignment {
        let message = format!("{} has no search that improves solutions", family.info.name);
        return Err(Failure::new(UNSUPPORTED, message));
    }
    let choice = Choice::improving(&options.batch.solver, family)?;
    let named = all(family, &*puzzle, options)?;
    let begins_with_a_solution = |name: &str| {
        let is =
            |info: &&'static Info| info.role == Role::Search && info.name == name && info.known;
        expressions(family).iter().any(is)
    };
    for instance in &named {
        let spec = choice.spec(&*instance.instance)?;
        if !begins_with_a_solution(spec.name()) {
            let message = format!(
                "`{}` does not begin with a solution; `windows({spec})` shortens one, and `lns(nrpa)` plays the end of a game again",
                spec.name()
            );
            return Err(Failure::new(UNSUPPORTED, message));
        }
    }
    // The checker computes the values of the known solutions. The search itself rejects a wrong
    // solution of a file.
    let mut known = HashMap::new();
    for named in &named {
        let Some(solution) = &named.solution else {
            continue;
        };
        match registry.verify(&puzzle.spec(), &named.instance.text(), solution) {
            Ok((value, _)) => {
                known.insert(named.id.clone(), value);
            }
            Err(why) if options.solution.is_some() => {
                return Err(Failure::new(INPUT, format!("--solution: {why}")));
            }
            Err(why) => note(&format!("instance {}: its solution is wrong: {why}", named.id)),
        }
    }
    let (mut seen, mut before, mut after, mut better) = (0, 0, 0, 0);
    let entries = Entries::new(&*puzzle, named.into_iter().map(Ok).collect());
    let done =
        solve_all(registry, &*puzzle, entries, &choice, (&options.batch, false), &mut |record| {
            if let (Some(was), Some(is)) = (known.get(&record.id), record.value) {
                seen += 1;
                before += was;
                after += is;
                better += u64::from(*was != is);
            }
        });
    if seen > 0 {
        let worth = |value| text::count(value, puzzle.unit());
        note(&format!(
            "{} of {} improved: {} before, {} now",
            show_count(better),
            text::count(seen, "solutions"),
            worth(before),
            worth(after),
        ));
    }
    done
}
