//! The first layer: a sum of one column of weights per active index, never a dense product.
//!
//! Columns are stored one after the other, so that the sums of one state can be updated by adding
//! and subtracting a few of them (Nasu 2018, "efficiently updatable neural networks"). A batch is
//! summed strip by strip of units, so that the strip's part of all columns stays in the cache. The
//! sums of a row are updated from the sums of the row before if the two rows have much in common,
//! as the successors of one state do. Sums are exact even in single precision, so results do not
//! depend on this choice.

use crate::aligned::{Aligned, Plain};
use crate::error::RowError;
use crate::simd::{Level, versions};
use crate::updates::Plan;
use std::ops::Range;

/// Units of a strip: as many f32 as half the registers of AVX2 hold.
const STRIP: usize = 64;

/// Units of a strip of 16-bit numbers: two cache lines, so that a strip of some two hundred columns
/// stays in the first-level cache.
pub(crate) const SHORT: usize = 64;

/// Number type of the first layer. Operations wrap around on overflow, which occurs only for rows
/// that violate the rules of one-hot groups.
pub(crate) trait Number: Plain {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    /// The number in single precision.
    fn single(self) -> f32;
}

macro_rules! number {
    ($type:ty, $plus:expr, $minus:expr) => {
        impl Number for $type {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                $plus(self, other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                $minus(self, other)
            }
            #[inline(always)]
            fn single(self) -> f32 {
                self as f32
            }
        }
    };
}
number!(f32, |a, b| a + b, |a, b| a - b);
number!(i8, i8::wrapping_add, i8::wrapping_sub);
number!(i16, i16::wrapping_add, i16::wrapping_sub);
number!(i32, i32::wrapping_add, i32::wrapping_sub);

/// Sizes of the first layer.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Length of the one-hot input.
    pub(crate) inputs: usize,
    /// Active indices of each row.
    pub(crate) groups: usize,
    pub(crate) units: usize,
}

impl Shape {
    /// Checks that there are `groups` indices for each of `rows` rows, all within the input.
    pub(crate) fn check(self, active: &[u32], rows: usize) -> Result<(), RowError> {
        let Self { inputs, groups, .. } = self;
        let (found, expected) = (active.len(), rows.saturating_mul(groups));
        if found != expected {
            return Err(RowError::Length { found, expected });
        }
        match active.iter().position(|&i| i as usize >= inputs) {
            Some(place) => {
                Err(RowError::Index { row: place / groups, index: active[place], inputs })
            }
            None => Ok(()),
        }
    }
}

/// Linear skip of one row; 0 without weights.
pub(crate) fn linear<T: Number>(weights: &[T], active: &[u32]) -> T {
    if weights.is_empty() {
        return T::default();
    }
    active.iter().map(|&i| weights[i as usize]).fold(T::default(), T::plus)
}

/// Columns of the first layer, in strips of `W` units.
pub(crate) struct First<T, const W: usize = STRIP> {
    shape: Shape,
    /// All columns, strip after strip.
    columns: Aligned<T>,
    /// Start values of the sums, in whole strips.
    start: Vec<T>,
}

impl<T: Number, const W: usize> First<T, W> {
    /// Columns for `units` units. `weight` returns the weight of (unit, input).
    pub(crate) fn new(
        shape: Shape,
        weight: impl Fn(usize, usize) -> T,
        start: impl Fn(usize) -> T,
    ) -> Self {
        let Shape { inputs, units, .. } = shape;
        let mut columns = Aligned::zeros(inputs * units.next_multiple_of(W));
        for (place, to) in columns.iter_mut().enumerate() {
            let (strip, input) = (place / (inputs * W), place / W % inputs);
            let unit = strip * W + place % W;
            if unit < units {
                *to = weight(unit, input);
            }
        }
        let mut start: Vec<T> = (0..units).map(start).collect();
        start.resize(units.next_multiple_of(W), T::default());
        Self { shape, columns, start }
    }

    /// For each strip, its columns and the start of its sums.
    #[inline(always)]
    pub(crate) fn strips(&self) -> impl Iterator<Item = (&[[T; W]], &[T; W])> {
        let strips = self.columns.chunks_exact(self.shape.inputs * W);
        let columns = strips.map(|strip| strip.as_chunks::<W>().0);
        columns.zip(self.start.as_chunks::<W>().0)
    }

    /// Active indices of a row.
    pub(crate) fn groups(&self) -> usize {
        self.shape.groups
    }

    /// Memory held, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.columns.bytes() + size_of_val(&self.start[..])
    }

    /// Sums of checked rows, at a distance of `to_stride` numbers, which is at least the number of
    /// units in whole strips.
    pub(crate) fn sum(
        &self,
        level: Level,
        active: &[u32],
        changes: &mut Changes,
        to: &mut [T],
        to_stride: usize,
    ) {
        changes.find(active, self.shape.groups);
        sum(level, self, changes, to, to_stride);
    }
}

/// Differences between consecutive rows, by which their sums are computed.
#[derive(Default)]
pub(crate) struct Changes {
    /// For each row: whether its sums start from the sums of the row before, and the numbers of
    /// columns to subtract and to add.
    rows: Vec<(bool, usize, usize)>,
    /// Columns to subtract and to add, row by row.
    columns: Vec<u32>,
}

impl Changes {
    /// Fills the differences between each row and the row before.
    fn find(&mut self, active: &[u32], groups: usize) {
        self.rows.clear();
        self.columns.clear();
        let mut before: &[u32] = &[];
        for row in active.chunks_exact(groups) {
            let changed = before.iter().zip(row).filter(|(old, new)| old != new).count();
            let end = self.columns.len();
            if before.is_empty() || 2 * changed >= groups {
                self.rows.push((false, 0, groups));
                self.columns.extend_from_slice(row);
            } else {
                self.rows.push((true, changed, changed));
                // Every pair is written, and an equal pair is written over: there is no branch for
                // each pair.
                self.columns.resize(end + 2 * changed + 1, 0);
                let (gone, come) = self.columns[end..].split_at_mut(changed);
                let mut next = 0;
                for (&old, &new) in before.iter().zip(row) {
                    if let Some(gone) = gone.get_mut(next) {
                        *gone = old;
                    }
                    come[next] = new;
                    next += usize::from(old != new);
                }
                self.columns.truncate(end + 2 * changed);
            }
            before = row;
        }
    }

    /// Number of rows whose sums start from the sums of the row before.
    #[cfg(test)]
    pub(crate) fn updated(&self) -> usize {
        self.rows.iter().filter(|(goes_on, ..)| *goes_on).count()
    }
}

versions! {
    /// Sums of rows, at a distance of `to_stride` numbers. Whole strips are written.
    fn sum[T: Number, const W: usize](
        first: &First<T, W>,
        changes: &Changes,
        to: &mut [T],
        to_stride: usize,
    ) {
        for (strip, (columns, start)) in first.strips().enumerate() {
            let mut sums = [T::default(); W];
            let mut changed = &changes.columns[..];
            for (&(goes_on, less, more), row) in changes.rows.iter().zip(to.chunks_exact_mut(to_stride))
            {
                if !goes_on {
                    sums = *start;
                }
                let (removed, rest) = changed.split_at(less);
                let (added, rest) = rest.split_at(more);
                changed = rest;
                for &index in removed {
                    for (sum, &w) in sums.iter_mut().zip(&columns[index as usize]) {
                        *sum = sum.minus(w);
                    }
                }
                for &index in added {
                    for (sum, &w) in sums.iter_mut().zip(&columns[index as usize]) {
                        *sum = sum.plus(w);
                    }
                }
                row[strip * W..][..W].copy_from_slice(&sums);
            }
        }
    }
}

/// Buffers of [`updated`]: sums of parents, differences of columns, and sums of the rows of a run.
pub(crate) struct Strips<T, const W: usize> {
    pub(crate) parents: Vec<Strip<T, W>>,
    pub(crate) differences: Vec<Strip<T, W>>,
    rows: Vec<Strip<T, W>>,
}

/// Strip of numbers that begins on a cache line, so that no vector load straddles two.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Strip<T, const W: usize>(pub(crate) [T; W]);

impl<T, const W: usize> Default for Strips<T, W> {
    fn default() -> Self {
        Self { parents: Vec::new(), differences: Vec::new(), rows: Vec::new() }
    }
}

/// Consumer of the sums of rows.
pub(crate) trait SumSink<T, const W: usize> {
    /// Consumes a strip of rows that are consecutive in the plan's order. Implementations are
    /// inlined, so that they are compiled for the caller's instructions.
    fn take(&mut self, strip: usize, rows: Range<usize>, sums: &[Strip<T, W>]);
}

/// Computes the sums of rows that differ from parent rows by a few indices, and passes them to
/// `take`.
#[inline(always)]
pub(crate) fn updated<T: Number, const W: usize>(
    first: &First<T, W>,
    active: &[u32],
    plan: &Plan,
    Strips { parents, differences, rows: of_rows }: &mut Strips<T, W>,
    to: &mut impl SumSink<T, W>,
) {
    for (strip, (columns, start)) in first.strips().enumerate() {
        parents.clear();
        for row in active.chunks_exact(first.shape.groups) {
            let mut sums = *start;
            for &index in row {
                for (sum, &w) in sums.iter_mut().zip(&columns[index as usize]) {
                    *sum = sum.plus(w);
                }
            }
            parents.push(Strip(sums));
        }
        let (mut of_runs, mut rows, mut adds) = (&plan.differences[..], 0, &plan.adds[..]);
        for &(count, own) in &plan.runs {
            let (of_run, rest) = of_runs.split_at(own);
            of_runs = rest;
            differences.clear();
            for &(gone, come) in of_run {
                let mut difference = columns[come as usize];
                for (come, &gone) in difference.iter_mut().zip(&columns[gone as usize]) {
                    *come = come.minus(gone);
                }
                differences.push(Strip(difference));
            }
            of_rows.clear();
            for &(parent, changes) in &plan.rows[rows..rows + count] {
                let mut sums = parents[parent as usize].0;
                let (own, rest) = adds.split_at(changes as usize);
                adds = rest;
                for &add in own {
                    for (sum, &w) in sums.iter_mut().zip(&differences[add as usize].0) {
                        *sum = sum.plus(w);
                    }
                }
                // The sums pass through memory, so that they remain vectors whatever the consumer
                // does.
                of_rows.push(Strip(sums));
            }
            to.take(strip, rows..rows + count, of_rows);
            rows += count;
        }
    }
}

impl First<f32> {
    /// As [`new`](Self::new), with weights rounded to [steps](Steps), which makes all sums exact.
    /// `None` if sums may exceed the range of single precision.
    pub(crate) fn exact(
        shape: Shape,
        weight: impl Fn(usize, usize) -> f32,
        start: impl Fn(usize) -> f32,
    ) -> Option<Self> {
        let Shape { inputs, groups, units } = shape;
        let steps = |unit: usize| {
            let column = (0..inputs).map(|input| weight(unit, input));
            Steps::of(groups, start(unit), column)
        };
        let steps: Vec<Steps> = (0..units).map(steps).collect::<Option<_>>()?;
        Some(Self::new(
            shape,
            |unit, input| steps[unit].round(weight(unit, input)),
            |unit| steps[unit].round(start(unit)),
        ))
    }
}

/// Weights of a linear skip, rounded in the same way.
pub(crate) fn exact_skip(groups: usize, weights: &[f32]) -> Option<Vec<f32>> {
    let steps = Steps::of(groups, 0.0, weights.iter().copied())?;
    Some(weights.iter().map(|&w| steps.round(w)).collect())
}

/// The step size of a unit's weights in single precision. It is a power of two such that every sum
/// of one weight per group is a whole number of steps of at most 24 bits. Single precision
/// represents all of these exactly, so that sums have no rounding errors and do not depend on the
/// order. With 25 groups, 19 bits are left for the greatest weight, more than a file in half
/// precision has.
#[derive(Clone, Copy)]
struct Steps(f64);

impl Steps {
    /// Step for `groups` weights and a start value; `None` if a sum may exceed the range of single
    /// precision.
    fn of(groups: usize, start: f32, weights: impl Iterator<Item = f32>) -> Option<Self> {
        let greatest = weights.fold(0.0, |most: f32, w| most.max(w.abs()));
        let most = f64::from(start.abs()) + groups as f64 * f64::from(greatest);
        if most > f64::from(f32::MAX) {
            return None;
        }
        // Each summand may be rounded up by half a step.
        let steps = (1u32 << f32::MANTISSA_DIGITS) as f64 - groups as f64 - 1.0;
        // The smallest positive number of single precision is 2⁻¹⁴⁹.
        Some(Self((most / steps).log2().ceil().max(-149.0).exp2()))
    }

    fn round(self, weight: f32) -> f32 {
        ((f64::from(weight) / self.0).round() * self.0) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::Steps;
    use unriddle_core::Rng;

    #[test]
    fn sums_of_steps_are_exact() {
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let groups = 1 + rng.below(60) as usize;
            let size = (rng.below(200) as f32 - 100.0).exp2();
            let mut weight = || (rng.below(2001) as f32 / 1000.0 - 1.0).powi(3) * size;
            let start = weight();
            let weights: Vec<f32> = (0..2 * groups).map(|_| weight()).collect();
            let steps = Steps::of(groups, start, weights.iter().copied()).unwrap();
            let rounded: Vec<f32> = weights.iter().map(|&w| steps.round(w)).collect();
            for (a, b) in weights.iter().zip(&rounded) {
                assert!((f64::from(*a) - f64::from(*b)).abs() <= steps.0 / 2.0);
            }
            // Forward and backward in another order: nothing is lost.
            let first = rounded[..groups].iter().fold(steps.round(start), |s, w| s + w);
            let exact: f64 = rounded[..groups].iter().map(|&w| f64::from(w)).sum();
            assert_eq!(f64::from(first), exact + f64::from(steps.round(start)));
            let mut sum = first;
            for (a, b) in rounded[..groups].iter().zip(rounded[groups..].iter().rev()) {
                sum = sum - a + b;
            }
            for (a, b) in rounded[groups..].iter().zip(&rounded) {
                sum = sum - a + b;
            }
            assert_eq!(sum.to_bits(), first.to_bits());
        }
    }

    #[test]
    fn steps_of_extreme_weights() {
        let steps = |weight| Steps::of(25, 0.0, [weight].into_iter());
        assert!(steps(f32::MAX / 25.1).is_some_and(|s| s.round(f32::MAX / 25.1).is_finite()));
        assert!(steps(f32::MAX / 24.0).is_none());
        assert_eq!(steps(0.0).unwrap().round(0.0), 0.0);
        // The smallest positive number.
        assert_eq!(steps(1e-45).unwrap().round(1e-45), 1e-45);
    }

    /// Half precision keeps the relevant bits: 11 bits of weights down to a 256th of the greatest.
    #[test]
    fn half_precision_is_kept() {
        let steps = Steps::of(25, 0.0, [1.0].into_iter()).unwrap();
        for bits in 1024..2048u32 {
            let weight = bits as f32 / 2048.0 / 128.0;
            assert_eq!(steps.round(weight), weight);
        }
    }
}
