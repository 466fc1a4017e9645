//! Making the report on an instance.

use super::answer::{Effort, SCHEMA, Validation};
use crate::{
    interface::{
        findings::{Answer, Findings, Verdict},
        instance::{
            Instance,
            batch::{Batch, Named},
        },
        section::Section,
        structure::{Inquiry, Structure},
        values::{Aim, Report, Request, SolveError, Status, Style},
    },
    present::{
        record::{self, Record},
        registry::Registry,
    },
};
use unriddle_core::clock::{Instant, ThreadTime};

/// States that the analysis of an instance without an answer may enumerate, however short its
/// search was.
const LEAST_STATES: u64 = 10_000;

/// Reason for unsolvability where all states are known.
const NO_GOAL: &str = "no state that can be reached is a goal";

/// Makes the report on the instance of an index. The limits of `request` apply to the reference
/// solver; its cancel flag ends everything early. `report` is called with the name of each step.
///
/// # Errors
/// A reference solver that does not fit the instance, a table that cannot be had, a broken search.
pub fn validate(
    registry: &Registry,
    batch: &Batch<'_>,
    index: usize,
    request: &Request<'_>,
    report: &mut dyn FnMut(&str),
) -> Result<Validation, SolveError> {
    let (cpu, wall) = (ThreadTime::now(), Instant::now());
    let Named { id, instance, .. } = &batch.named[index];
    let puzzle = batch.puzzle.spec();
    let found = match instance.extensions().validates {
        Some(validates) => validates.findings(batch, id, request, report)?,
        None => Findings::default(),
    };
    let record = match found.answer {
        Some(answer) => {
            let aim = batch.keys.aim;
            answered(registry, id, &puzzle, &**instance, request, aim, &answer)
        }
        None => {
            report(request.solver.name());
            let record = record::solve(registry, id, &puzzle, &**instance, request, &mut ());
            AnsweredRecord::of(record?)
        }
    };
    let mut validation = record.validation(batch, index, request.seed, found.sections);
    let accepted = validation.solution.as_deref().filter(|_| validation.checked == Some(true));
    if let (Some(validates), Some(solution)) = (instance.extensions().validates, accepted) {
        let more = validates.solved(solution);
        validation.sections.extend(more);
    }
    validation.attachments = found.attachments;
    validation.refusals = found.refused;
    report("structure");
    // The analysis of an instance without an answer takes no more effort than its search.
    let found = validation.effort.filter(|_| validation.verdict == Verdict::Unknown);
    let effort = found.map_or(u64::MAX, |effort| effort.generated.max(LEAST_STATES));
    let optimum = validation.value.filter(|_| validation.optimal);
    let inquiry = Inquiry {
        request,
        solution: validation.solution.as_deref().filter(|_| validation.checked == Some(true)),
        optimum,
        states: batch.keys.common.states.min(effort),
        plays: batch.keys.common.games,
    };
    validation.structure = instance.structure(&inquiry);
    validation.learn();
    validation.refute();
    validation.drawn(&**instance, batch.named.len());
    validation.cpu_s = cpu.elapsed().as_secs_f64();
    validation.wall_s = wall.elapsed().as_secs_f64();
    Ok(validation)
}

/// A sealed record, with the facts that it does not contain.
struct AnsweredRecord {
    record: Record,
    verdict: Verdict,
    reasons: Vec<String>,
    effort: Option<Effort>,
}

impl AnsweredRecord {
    fn of(record: Record) -> Self {
        let verdict = match record.status {
            Status::Unsolvable => Verdict::Unsolvable,
            _ if record.solution.is_some() => Verdict::Solvable,
            _ => Verdict::Unknown,
        };
        let mut reasons: Vec<String> = record.reason.clone().into_iter().collect();
        if verdict == Verdict::Unsolvable && reasons.is_empty() {
            reasons.push(NO_GOAL.to_owned());
        }
        if let (Verdict::Unknown, Some(limit)) = (verdict, &record.stopped_by) {
            reasons.push(match limit.as_str() {
                "cancelled" => "the reference solver was cancelled".to_owned(),
                "expansions" | "generated" => {
                    format!("the reference solver's limit of states ({limit}) was reached")
                }
                _ => format!("the reference solver's limit of {limit} was reached"),
            });
        }
        if record.status == Status::Exhausted && record.reason.is_none() {
            reasons.push(format!("`{}` has nothing left to try", record.solver));
        }
        let effort = record.expanded.zip(record.generated);
        let effort = effort.map(|(expanded, generated)| Effort {
            expanded,
            generated,
            cpu_s: record.cpu_s.unwrap_or(0.0),
        });
        Self { record, verdict, reasons, effort }
    }

    fn validation(
        self,
        batch: &Batch<'_>,
        index: usize,
        seed: u64,
        sections: Vec<Section>,
    ) -> Validation {
        let record = self.record;
        let bound = record.lower_bound.or(record.upper_bound);
        let gap = record.value.zip(bound).map(|(value, bound)| share(value, bound));
        let is_refused = record.checked == Some(false);
        Validation {
            reasons: if is_refused { Vec::new() } else { self.reasons },
            solver: batch.keys.short(&record.solver),
            solution: record.solution,
            length: record.length,
            value: record.value,
            lower_bound: record.lower_bound,
            upper_bound: record.upper_bound,
            gap,
            optimal: record.status == Status::Optimal,
            checked: record.checked,
            checked_by: record.checked_by,
            refused: record.reason.filter(|_| is_refused),
            effort: self.effort,
            like: (batch.likes[index].clone()).filter(|_| batch.duplicates[index].is_none()),
            duplicate_of: batch.duplicates[index].clone(),
            sections,
            ..Validation::without_answer(batch, &record.id, self.verdict, "", seed)
        }
    }
}

/// The difference of a value and a bound, as a share of the bound.
fn share(value: i64, bound: i64) -> f64 {
    value.abs_diff(bound) as f64 / bound.unsigned_abs().max(1) as f64
}

/// The record of a puzzle's own answer, sealed as any other.
fn answered(
    registry: &Registry,
    id: &str,
    puzzle: &str,
    instance: &dyn Instance,
    request: &Request<'_>,
    aim: Aim,
    answer: &Answer,
) -> AnsweredRecord {
    let report = report_of(answer, instance, aim);
    let (text, solver) = (instance.text(), &answer.solver);
    let record = Record::seal(registry, id, puzzle, &text, solver, request.seed, &report);
    AnsweredRecord {
        verdict: answer.verdict,
        reasons: answer.reasons.clone(),
        effort: None,
        ..AnsweredRecord::of(record)
    }
}

impl Validation {
    /// Takes over the optimum that the enumerated states prove.
    fn learn(&mut self) {
        let Some(Structure { optimum: Some(optimum), .. }) = self.structure else {
            return;
        };
        let bound = match self.aim {
            Aim::Score => &mut self.upper_bound,
            Aim::Cost | Aim::Assignment => &mut self.lower_bound,
        };
        *bound = Some(optimum);
        self.gap = self.value.map(|value| share(value, optimum));
        self.optimal = self.checked == Some(true) && self.value == Some(optimum);
        if self.verdict == Verdict::Unknown {
            // Only the enumeration found a goal.
            self.verdict = Verdict::Solvable;
        }
    }

    /// Takes over that no state is a goal, where all states are enumerated.
    fn refute(&mut self) {
        let space = self.structure.as_ref().and_then(|structure| structure.space);
        let is_without_goal = space.is_some_and(|space| space.ends == 0);
        if self.verdict == Verdict::Unknown && self.aim == Aim::Cost && is_without_goal {
            self.verdict = Verdict::Unsolvable;
            self.reasons = vec![NO_GOAL.to_owned()];
        }
    }

    /// The report on an instance that was not searched, or whose search has no result.
    #[must_use]
    pub fn without_answer(
        batch: &Batch<'_>,
        id: &str,
        verdict: Verdict,
        reason: &str,
        seed: u64,
    ) -> Self {
        Self {
            id: id.to_owned(),
            puzzle: batch.puzzle.spec(),
            verdict,
            reasons: vec![reason.to_owned()],
            solver: String::new(),
            solution: None,
            length: None,
            value: None,
            unit: batch.puzzle.unit(),
            lower_bound: None,
            upper_bound: None,
            gap: None,
            optimal: false,
            checked: None,
            checked_by: None,
            refused: None,
            effort: None,
            structure: None,
            like: None,
            duplicate_of: None,
            sections: Vec::new(),
            seed,
            cpu_s: 0.0,
            wall_s: 0.0,
            schema: SCHEMA,
            aim: batch.keys.aim,
            drawing: None,
            table: None,
            attachments: Vec::new(),
            refusals: 0,
        }
    }

    /// Draws the initial state, or the solution of an assignment puzzle.
    fn drawn(&mut self, instance: &dyn Instance, batch: usize) {
        let placed = self.solution.as_deref().filter(|_| self.aim == Aim::Assignment);
        let draw = |style| {
            let (mut drawing, mut is_first) = (None, true);
            let done = instance.along(placed.unwrap_or_default(), &mut |scene| {
                // The last state of a solution is drawn; without a solution there is only the
                // initial state.
                if is_first || placed.is_some() {
                    drawing = Some(scene(style).drawing);
                }
                is_first = false;
            });
            drawing.filter(|_| done.is_ok())
        };
        if self.aim != Aim::Assignment || placed.is_some() {
            self.drawing = draw(Style::Svg);
            // The drawings of a batch's initial states would hide the reports.
            let shown = placed.is_some() || batch == 1;
            self.table = shown.then(|| draw(Style::Plain)).flatten();
        }
    }
}

/// The answer of a puzzle as the report of a solve.
fn report_of(answer: &Answer, instance: &dyn Instance, aim: Aim) -> Report {
    let solution = answer.solution.as_deref();
    // A solution that the puzzle itself refuses has no length; the checker reports why.
    let length = solution.and_then(|solution| instance.replay(solution).ok());
    let status = match (answer.verdict, answer.value, answer.bound) {
        (Verdict::Solvable, value, bound) if value == bound => Status::Optimal,
        (Verdict::Solvable, ..) => Status::Solved,
        (Verdict::Unsolvable, ..) => Status::Unsolvable,
        (Verdict::Unknown | Verdict::Refused | Verdict::Failed, ..) => Status::Stopped,
    };
    Report {
        status,
        value: answer.value,
        length: length.map(|(_, length)| length as usize),
        solution: answer.solution.clone(),
        bound: answer.bound.filter(|_| aim != Aim::Score),
        upper_bound: answer.bound.filter(|_| aim == Aim::Score),
        reason: None,
        stats: None,
        ..Report::unsolvable("")
    }
}
