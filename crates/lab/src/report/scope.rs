//! Scope of a report: the instances of a suite that count.
//!
//! Means over all finished runs would change from one report to the next, and would compare solvers
//! on different instances. Therefore the scope of a suite is all of its instances, or else its
//! subset of first instances. Only if some solver has not finished the subset, the scope is all
//! finished runs.

use super::numbers::{count, count_of};

/// Instances of a suite that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// All instances.
    Full {
        /// Number of instances.
        of: usize,
    },
    /// First instances.
    Subset {
        /// Number of instances.
        first: usize,
        /// Size of the suite.
        of: usize,
    },
    /// Instances with a run.
    Partial {
        /// Number of instances.
        done: usize,
        /// Size of the suite.
        of: usize,
    },
}

impl Scope {
    /// Returns the scope of a suite with `instances` instances. `runs` has the instance of each
    /// requested run, and whether the run is done.
    pub(super) fn of(
        instances: usize,
        subset: usize,
        runs: impl Iterator<Item = (usize, bool)>,
    ) -> Self {
        let (mut all, mut first, mut done) = (true, true, vec![false; instances]);
        let mut any = false;
        for (instance, is_there) in runs {
            any = true;
            all &= is_there;
            first &= is_there || instance >= subset;
            if let Some(done) = done.get_mut(instance) {
                *done |= is_there;
            }
        }
        let done = done.iter().filter(|&&done| done).count();
        match () {
            () if any && all => Self::Full { of: instances },
            // A subset without any run would show nothing.
            () if any && first && done > 0 && (1..instances).contains(&subset) => {
                Self::Subset { first: subset, of: instances }
            }
            () => Self::Partial { done, of: instances },
        }
    }

    /// Whether the runs on an instance count.
    pub(super) fn has(self, instance: usize) -> bool {
        match self {
            Self::Full { .. } | Self::Partial { .. } => true,
            Self::Subset { first, .. } => instance < first,
        }
    }

    /// Describes the scope.
    pub(super) fn words(self) -> String {
        match (self, self.part()) {
            (Self::Full { of: 1 }, _) => "the only instance".to_owned(),
            (Self::Full { of }, _) => format!("all {}", count_of(of, "instances")),
            (Self::Subset { .. }, Some(part)) => format!("{part}, until the others are done"),
            (_, part) => part.unwrap_or_default(),
        }
    }

    /// Describes the part of the suite; `None` for all of it.
    pub(super) fn part(self) -> Option<String> {
        let all = |of| count_of(of, "instances");
        match self {
            Self::Full { .. } => None,
            Self::Subset { first, of } => {
                Some(format!("the first {} of {}", count(first), all(of)))
            }
            Self::Partial { done: 0, of } => Some(format!("no run yet on {}", all(of))),
            Self::Partial { done, of } if done == of => {
                Some(format!("all {} so far, not by every solver", all(of)))
            }
            Self::Partial { done, of } => Some(format!("{} of {} so far", count(done), all(of))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_is_all_or_the_subset_or_the_finished_instances() {
        let scope = |done: &[bool]| Scope::of(4, 2, done.iter().copied().enumerate());
        assert_eq!(scope(&[true; 4]), Scope::Full { of: 4 });
        let subset = scope(&[true, true, false, true]);
        assert_eq!(subset, Scope::Subset { first: 2, of: 4 });
        assert!(subset.has(1) && !subset.has(3));
        let partial = scope(&[true, false, true, true]);
        assert_eq!(partial, Scope::Partial { done: 3, of: 4 });
        assert!(partial.has(3));
        assert_eq!(partial.words(), "3 of 4 instances so far");
        assert_eq!(scope(&[]), Scope::Partial { done: 0, of: 4 });
    }
}
