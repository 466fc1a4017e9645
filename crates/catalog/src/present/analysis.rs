//! Patterns of actions in solutions, and symmetry of the solutions of symmetric instances
//! (Agostinelli et al. 2019, Methods, "Conjugate patterns and symmetric states").
//!
//! ```
//! use unriddle_catalog::{Registry, analysis::{Pattern, Solved, analyse}};
//!
//! let registry = Registry::new([&unriddle_hanoi::FAMILY])?;
//! let solved = Solved::new("hanoi(pegs=3)", "1 1", "1-2 1-3 2-3");
//! let group = &analyse(&registry, &[solved])?[0];
//! assert_eq!((group.solutions, group.triples), (1, 1));
//! assert_eq!(group.share(Pattern::Conjugate), Some(0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod figure;

pub use figure::figure;

use super::registry::{Registry, expressions};
pub use crate::interface::pattern::Pattern;
use crate::{bind::shorten, interface::instance::Instance, spec::Spec};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::HashMap;
use unriddle_core::Role;

/// A solved instance, as records and results of experiments have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(expecting = "a record with `puzzle`, `instance` and `solution`")]
pub struct Solved {
    /// The suite of an experiment; empty of other records.
    #[serde(default)]
    pub suite: String,
    /// The solver.
    #[serde(default)]
    pub solver: String,
    /// The name of the instance.
    #[serde(default)]
    pub id: String,
    /// Spec of the puzzle.
    pub puzzle: String,
    /// Text of the instance.
    pub instance: String,
    /// The solution in the puzzle's notation; `None` or empty for an instance without a solution.
    pub solution: Option<String>,
}

impl Solved {
    /// A solved instance without names.
    #[must_use]
    pub fn new(puzzle: &str, instance: &str, solution: &str) -> Self {
        Self {
            puzzle: puzzle.to_owned(),
            instance: instance.to_owned(),
            solution: Some(solution.to_owned()),
            ..Self::default()
        }
    }

    /// Its name in messages.
    fn title(&self) -> String {
        let names = [&*self.suite, &*self.id];
        let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
        match names.is_empty() {
            true => "a record".to_owned(),
            false => names.join(", "),
        }
    }
}

/// The solutions of one solver on one suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Group {
    /// The suite; empty of records that belong to none.
    pub suite: String,
    /// The solver.
    pub solver: String,
    /// Number of solutions.
    pub solutions: u64,
    /// Their actions.
    pub actions: u64,
    /// Triples of actions in a row.
    pub triples: u64,
    /// Number of triples of each pattern, by the pattern's word.
    #[serde(serialize_with = "as_map")]
    pub patterns: Vec<(&'static str, u64)>,
    /// Half of the width of the 95 % interval of each pattern's share, by the pattern's word. The
    /// share is the ratio of two sums over solutions (W. G. Cochran, "Sampling techniques", 1977,
    /// equation 2.46). Empty with one solution.
    #[serde(serialize_with = "as_map")]
    pub half_widths: Vec<(&'static str, f64)>,
    /// Pairs of solved instances that are mirror images of each other, where the first of both
    /// belongs to the group.
    pub pairs: u64,
    /// Pairs whose solutions are mirror images of each other, action by action.
    pub symmetric: u64,
    /// Other pairs whose solutions are equally long.
    pub equally_long: u64,
}

fn as_map<T: Copy + Serialize, S: Serializer>(
    counts: &[(&'static str, T)],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(counts.iter().copied())
}

impl Group {
    /// The share of a pattern among all triples; `None` where there is no triple.
    #[must_use]
    pub fn share(&self, pattern: Pattern) -> Option<f64> {
        let count = self.patterns.iter().find(|(name, _)| *name == pattern.name());
        (self.triples > 0).then(|| count.map_or(0, |c| c.1) as f64 / self.triples as f64)
    }

    /// Computes the widths of the intervals from the patterns of each solution.
    fn measure(&mut self, solutions: &[&[Pattern]]) {
        let n = solutions.len() as f64;
        if solutions.len() < 2 || self.triples == 0 {
            return;
        }
        self.half_widths = Pattern::ALL[1..]
            .iter()
            .map(|&pattern| {
                let share = self.share(pattern).unwrap_or_default();
                let deviation = |triples: &&[Pattern]| {
                    let count = triples.iter().filter(|&&found| found == pattern).count();
                    (count as f64 - share * triples.len() as f64).powi(2)
                };
                let squares: f64 = solutions.iter().map(deviation).sum();
                let error = (n / (n - 1.0) * squares).sqrt() / self.triples as f64;
                (pattern.name(), NORMAL * error)
            })
            .collect();
    }
}

/// The 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.959_964;

/// A solved instance that was read.
struct SolvedInstance {
    /// The solver without options that are at their defaults, so that records from before an option
    /// existed belong to the same solver.
    solver: String,
    instance: Box<dyn Instance>,
    patterns: Vec<Pattern>,
    length: u64,
}

fn read(registry: &Registry, solved: &Solved) -> Result<Option<SolvedInstance>, String> {
    let Some(solution) = solved.solution.as_deref().filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let place = |why: &dyn std::fmt::Display| format!("{}: {why}", solved.title());
    let (family, puzzle) = registry.puzzle(&solved.puzzle).map_err(|e| place(&e))?;
    let instance = puzzle.load(&solved.instance).map_err(|e| place(&e))?;
    let (_, length) = instance.replay(solution).map_err(|e| place(&e))?;
    let patterns = instance.patterns(solution).map_err(|e| place(&e))?;
    let spec = Spec::parse(&solved.solver).ok();
    let short = spec.and_then(|spec| shorten(&expressions(family), Role::Search, &spec).ok());
    Ok(Some(SolvedInstance {
        solver: short.map_or_else(|| solved.solver.clone(), |short| short.spec.to_string()),
        instance,
        patterns,
        length,
    }))
}

/// By row: the row of the mirror image that was solved by the same solver, if it is another one.
fn partners(rows: &[Solved], read: &[Option<SolvedInstance>]) -> Vec<Option<usize>> {
    let mut by_text = HashMap::new();
    for (i, (row, read)) in rows.iter().zip(read).enumerate() {
        if let Some(read) = read {
            let key = (&*read.solver, &*row.puzzle, read.instance.text());
            by_text.entry(key).or_insert(i);
        }
    }
    let partner = |(i, (row, read)): (usize, (&Solved, &Option<SolvedInstance>))| {
        let read = read.as_ref()?;
        let image = read.instance.mirrored()?;
        let found = by_text.get(&(&*read.solver, &*row.puzzle, image.text()));
        found.copied().filter(|&other| other != i)
    };
    rows.iter().zip(read).enumerate().map(partner).collect()
}

/// Counts the patterns of solutions, and compares the solutions of instances that are mirror images
/// of each other. Instances without a solution are left out.
///
/// # Errors
/// An unreadable record, or an invalid solution: the record's name, and why.
pub fn analyse(registry: &Registry, rows: &[Solved]) -> Result<Vec<Group>, String> {
    let all: Result<Vec<_>, _> = rows.iter().map(|row| read(registry, row)).collect();
    let all = all?;
    let partners = partners(rows, &all);
    let mut groups: Vec<Group> = Vec::new();
    let mut solutions: Vec<Vec<&[Pattern]>> = Vec::new();
    for (i, (row, read)) in rows.iter().zip(&all).enumerate() {
        let Some(read) = read else { continue };
        let known = groups
            .iter()
            .position(|group| (&group.suite, &group.solver) == (&row.suite, &read.solver));
        let at = known.unwrap_or_else(|| {
            groups.push(Group {
                suite: row.suite.clone(),
                solver: read.solver.clone(),
                patterns: Pattern::ALL[1..].iter().map(|p| (p.name(), 0)).collect(),
                ..Group::default()
            });
            solutions.push(Vec::new());
            groups.len() - 1
        });
        let group = &mut groups[at];
        solutions[at].push(&read.patterns);
        group.solutions += 1;
        group.actions += read.length;
        group.triples += read.patterns.len() as u64;
        for pattern in &read.patterns {
            let counted = group.patterns.iter_mut().find(|(name, _)| *name == pattern.name());
            counted.into_iter().for_each(|(_, count)| *count += 1);
        }
        // Each pair counts once, with the first of both.
        let Some(partner) = partners[i].filter(|&partner| partner > i) else {
            continue;
        };
        let (Some(other), Some(text), Some(theirs)) =
            (&all[partner], &row.solution, &rows[partner].solution)
        else {
            continue;
        };
        group.pairs += 1;
        let image = read.instance.mirrored_solution(text);
        let image = image.map_err(|why| format!("{}: {why}", row.title()))?;
        if image.as_ref() == Some(theirs) {
            group.symmetric += 1;
        } else if read.length == other.length {
            group.equally_long += 1;
        }
    }
    groups.iter_mut().zip(&solutions).for_each(|(group, solutions)| group.measure(solutions));
    Ok(groups)
}

/// The first record of a name whose mirror image was solved as well, and the record of the mirror
/// image.
#[must_use]
pub fn pair<'a>(registry: &Registry, rows: &'a [Solved], id: &str) -> Option<[&'a Solved; 2]> {
    let all: Vec<_> = rows.iter().map(|row| read(registry, row).ok().flatten()).collect();
    let partners = partners(rows, &all);
    let both = |i: usize| Some([&rows[i], &rows[partners[i]?]]);
    (0..rows.len()).filter(|&i| rows[i].id == id).find_map(both)
}
