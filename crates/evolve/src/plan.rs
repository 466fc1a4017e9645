//! The jobs of a generation of [`Coevolution`](crate::Coevolution): each pair of a genome and an
//! instance once.
//!
//! A solver is run on the instances that were dealt to it. If two of its sets share an instance, or
//! a set contains it twice, the solver is run once, and the result counts as often as the instance
//! was dealt. Solvers with equal genomes (an elite and its copies, children of two equal parents)
//! share their trials: the jobs refer to the first of these solvers.

use std::collections::HashMap;

/// A trial to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Job {
    /// Index of the solver in the plan.
    pub solver: usize,
    /// Index of the instance in the training set.
    pub instance: u32,
}

/// The jobs before [`Coevolution::tell`](crate::Coevolution::tell).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan<'a, G> {
    /// The solvers.
    pub solvers: &'a [G],
    /// The trials to run, in any order. Their results are returned in this order.
    pub jobs: &'a [Job],
}

/// Jobs, and which of them make up which solver's score.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    pub(crate) jobs: Vec<Job>,
    /// The jobs of each solver's deal, in the order of the deal, one solver after the other.
    trials: Vec<usize>,
    /// End of each solver's trials.
    ends: Vec<usize>,
}

impl Schedule {
    /// The schedule of solvers that were dealt these instances.
    pub(crate) fn new<G: PartialEq, D: IntoIterator<Item = u32>>(
        solvers: &[G],
        mut dealt: impl FnMut(usize) -> D,
    ) -> Self {
        let mut schedule = Self::default();
        let mut known = HashMap::new();
        for (i, solver) in solvers.iter().enumerate() {
            let first = solvers[..i].iter().position(|other| other == solver);
            for instance in dealt(i) {
                let job = Job { solver: first.unwrap_or(i), instance };
                let jobs = &mut schedule.jobs;
                let number = *known.entry(job).or_insert_with(|| {
                    jobs.push(job);
                    jobs.len() - 1
                });
                schedule.trials.push(number);
            }
            schedule.ends.push(schedule.trials.len());
        }
        schedule
    }

    /// The jobs of a solver's deal, in the order of the deal.
    pub(crate) fn of(&self, solver: usize) -> &[usize] {
        let start = if solver == 0 { 0 } else { self.ends[solver - 1] };
        &self.trials[start..self.ends[solver]]
    }

    /// Number of trials that were dealt. A shared trial counts once for each solver that shares it.
    pub(crate) fn trials(&self) -> usize {
        self.trials.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_run_once_and_counts_as_often_as_it_was_dealt() {
        let solvers = ["a", "b", "a"];
        let dealt = [vec![3, 1, 3], vec![3], vec![1, 7]];
        let schedule = Schedule::new(&solvers, |i| dealt[i].clone());
        let job = |solver, instance| Job { solver, instance };
        assert_eq!(schedule.jobs, [job(0, 3), job(0, 1), job(1, 3), job(0, 7)]);
        assert_eq!(schedule.of(0), [0, 1, 0]);
        assert_eq!(schedule.of(1), [2]);
        assert_eq!(schedule.of(2), [1, 3]);
        assert_eq!(schedule.trials(), 6);
    }
}
