//! Length of the slices into which a run divides its search.

use std::time::Duration;

/// Target CPU time of a slice of a run: the delay until the run notices the clock and the cancel
/// flag.
pub(crate) const SLICE: Duration = Duration::from_millis(5);

/// Ratio of wall time to CPU time from which on a slice mostly waits: for a CPU of a loaded
/// machine, or for a device.
const LOADED: u32 = 3;

/// Target CPU time of a slice that mostly waits, as a multiple of [`SLICE`]. A search on several
/// threads waits for all of them: a shorter slice waits as long and does less.
const PATIENCE: u32 = 4;

/// Target wall time of a slice that mostly waits, as a multiple of [`SLICE`].
const WAIT: u32 = 24;

/// Number of expansions of the next slice. It adapts to about [`SLICE`] of CPU time, or to a few
/// times as much on a loaded machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice(pub(crate) u64);

impl Slice {
    /// Slices start with one expansion: some searches need longer than a slice for it.
    pub(crate) const FIRST: Self = Self(1);

    /// The next slice after a slice that took `cpu` of the calling thread's CPU time and `wall` of
    /// wall time.
    pub(crate) fn after(self, cpu: Duration, wall: Duration) -> Self {
        let took = if wall > cpu * LOADED { (cpu / PATIENCE).max(wall / WAIT) } else { cpu };
        Self(match took {
            // Far from the target: each slice asks the clocks, which is slow for short searches.
            took if took * 16 < SLICE => self.0.saturating_mul(8),
            took if took * 2 < SLICE => self.0.saturating_mul(2),
            took if took > SLICE * 2 => {
                let share = SLICE.as_secs_f64() / took.as_secs_f64();
                ((self.0 as f64 * share) as u64).max(1)
            }
            _ => self.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn slices_adapt_to_the_time_of_an_expansion() {
        for each in [Duration::from_nanos(50), Duration::from_micros(3), MS, 4 * MS] {
            let mut slice = Slice::FIRST;
            for _ in 0..40 {
                let took = each * slice.0 as u32;
                slice = slice.after(took, took);
            }
            let took = each * slice.0 as u32;
            assert!(took <= 2 * SLICE && (2 * took >= SLICE), "{each:?}: {took:?}");
        }
        assert_eq!(Slice::FIRST.after(80 * MS, 80 * MS), Slice::FIRST);
    }

    /// The wait for a CPU does not depend on the length of a slice.
    #[test]
    fn slices_stay_long_on_a_loaded_machine() {
        let (each, wait) = (Duration::from_micros(50), 20 * MS);
        let mut slice = Slice::FIRST;
        for _ in 0..40 {
            let took = each * slice.0 as u32;
            slice = slice.after(took, took + wait);
        }
        let took = each * slice.0 as u32;
        assert!(took * 2 >= SLICE && took <= 2 * PATIENCE * SLICE, "{slice:?}");
    }

    /// A search that waits for a device has slices of a limited wall time.
    #[test]
    fn slices_without_cpu_time_are_limited() {
        let each = Duration::from_micros(100);
        let mut slice = Slice::FIRST;
        for _ in 0..40 {
            slice = slice.after(Duration::ZERO, each * slice.0 as u32);
        }
        assert!(each * slice.0 as u32 <= 2 * WAIT * SLICE, "{slice:?}");
    }
}
