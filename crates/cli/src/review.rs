//! `unriddle review`: the losing action of a line of play, and the loss of each action.

use crate::{
    args::{ReportFormat, Review as Options},
    batch::{in_turn, unless_panic},
    exit::{CANCELLED, EXHAUSTED, Failure, INPUT, INTERNAL, UNSOLVABLE, note},
    inputs::{self, Choice},
    output::Reports,
    progress::{self, Display},
    signal,
    solve::{budget, request},
    text::count,
};
use std::time::Duration;
use unriddle_catalog::{
    AnyPuzzle, Family, Record, Registry,
    input::Named,
    review::{Line, Review, Verdict, html, text},
    solve,
};

/// Wall time of the solver per position if no limit is given.
const TIME: Duration = Duration::from_secs(2);

/// The instances with their lines.
fn lines(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    options: &Options,
) -> Result<Vec<Named>, Failure> {
    if let (Some(instance), Some(line)) = (&options.instance, &options.line) {
        let instance = inputs::one(family, puzzle, instance)?;
        return Ok(vec![Named {
            solution: Some(line.clone()),
            ..Named::new("1".to_owned(), instance)
        }]);
    }
    let mut named = Vec::new();
    for path in &options.file {
        named.extend(inputs::with_solutions(family, puzzle, path)?);
    }
    let all = named.len();
    named.retain(|named| named.solution.is_some());
    if named.len() < all {
        let left = count((all - named.len()) as i64, "instances");
        note(&format!("left out without a solution: {left}"));
    }
    Ok(named)
}

pub(crate) fn run(registry: &Registry, options: &Options) -> Result<(), Failure> {
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let choice = Choice::new(&options.solver, family)?;
    let named = lines(family, &*puzzle, options)?;
    let (cancel, display) = (signal::cancel(), Display::new());
    let cache = progress::cache(&options.cache, inputs::cores(), &display, &cancel, None);
    let mut budget = budget(&options.limits, &cancel);
    if budget.expansions.is_none() && budget.generated.is_none() {
        budget.time = budget.time.or(Some(TIME));
    }
    let mut writer = Reports::new(options.output.as_deref(), options.format, text, html)?;
    let (mut lost, mut unknown) = (0, 0);
    let mut review = |named: &Named| -> Result<(), Failure> {
        let Named { id, instance, solution } = named;
        let played = solution.as_deref().unwrap_or_default();
        let line = Line::read(family, &*puzzle, &**instance, played);
        let line = line.map_err(|error| Failure::new(INPUT, format!("{id}: its line: {error}")))?;
        let bar = display.batch("positions", line.len(), 0);
        let spec = puzzle.spec();
        let answer = |at: usize| -> Result<Option<Option<Record>>, Failure> {
            let Some(position) = line.instance(at) else { return Ok(Some(None)) };
            if cancel.is_cancelled() {
                return Ok(None);
            }
            let solver = choice.spec(position)?;
            let request = request(registry, &solver, budget.clone(), &options.limits, &cache);
            let solved = unless_panic(|| solve(registry, id, &spec, position, &request, &mut ()));
            let solved = solved.map_err(|why| Failure::new(INTERNAL, why))?;
            solved.map(|record| Some(Some(record))).map_err(Failure::solve)
        };
        let jobs = options.jobs.map_or_else(inputs::cores, usize::from).clamp(1, line.len());
        let mut records = Vec::with_capacity(line.len());
        in_turn(line.len(), jobs, &cancel, &bar, &answer, &mut |record| {
            records.push(record);
            Ok(())
        })?;
        let mut found = Review::new(id, &line, &records);
        if options.format == ReportFormat::Html {
            found = found.drawn(&line);
        }
        lost += usize::from(found.losing.is_some());
        unknown += usize::from(found.count(Verdict::Unknown) > 0);
        display.aside(|| writer.write(found))
    };
    let done = named.iter().try_for_each(|named| match cancel.is_cancelled() {
        true => Ok(()),
        false => review(named),
    });
    let finished = writer.finish();
    display.clear();
    done.and(finished)?;
    let what = |number: usize| count(number as i64, "lines");
    if cancel.is_cancelled() {
        return Err(Failure::new(CANCELLED, "cancelled; unsolved positions are unknown"));
    }
    match (lost, unknown) {
        (0, 0) => Ok(()),
        (0, _) => {
            let message = format!("{} with unknown positions; give more time", what(unknown));
            Err(Failure::new(EXHAUSTED, message))
        }
        _ => Err(Failure::new(UNSOLVABLE, format!("{} with a losing action", what(lost)))),
    }
}
