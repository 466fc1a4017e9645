//! Axis of a plot: linear, logarithmic or of names, with ticks at round numbers.

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;

/// Ticks at most on a linear axis.
const TICKS: f64 = 8.0;

/// Format of the numbers at an axis.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The unit that suits a value: what to divide by, and its name with the space before it.
    pub scale: fn(f64) -> (f64, &'static str),
    /// The text of a number without its unit.
    pub text: fn(f64) -> String,
}

impl Format {
    /// Format of numbers without a unit, which the caption of the axis names.
    #[must_use]
    pub const fn plain(text: fn(f64) -> String) -> Self {
        Self { scale: |_| (1.0, ""), text }
    }
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    low: f64,
    high: f64,
    is_log: bool,
    format: Format,
    /// Names at 0, 1, 2, … instead of numbers.
    pub(crate) names: Vec<String>,
}

impl Axis {
    /// An axis over `values`. On a logarithmic axis, values that are not positive are drawn at its
    /// low end.
    pub fn over(
        values: impl Iterator<Item = f64>,
        is_log: bool,
        format: Format,
        from_zero: bool,
    ) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut has_none = false;
        for value in values.filter(|v| v.is_finite()) {
            if is_log && value <= 0.0 {
                has_none = true;
                continue;
            }
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = if is_log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        if is_log {
            let room = if has_none { 4.0 } else { 1.25 };
            (low, high) = (low / room, high * 1.25);
            if low <= 0.0 || !high.is_finite() {
                (low, high) = (f64::MIN_POSITIVE * 1e10, 1e300);
            }
        } else {
            if from_zero {
                (low, high) = (low.min(0.0), high.max(0.0));
            }
            let room = match (high - low) * 0.04 {
                0.0 => high.abs().max(1.0) * 0.1,
                room => room,
            };
            let low_end = if from_zero && low == 0.0 { 0.0 } else { low - room };
            (low, high) = (low_end, high + room);
        }
        Self { low, high, is_log, format, names: Vec::new() }
    }

    /// An axis from 0 to 1, for shares.
    #[must_use]
    pub fn share(format: Format) -> Self {
        Self { low: 0.0, high: 1.02, is_log: false, format, names: Vec::new() }
    }

    /// An axis of names, at 0, 1, 2 and so on.
    #[must_use]
    pub fn of_names(names: Vec<String>) -> Self {
        Self {
            low: -0.6,
            high: names.len() as f64 - 0.4,
            is_log: false,
            format: Format::plain(|_| String::new()),
            names,
        }
    }

    /// Both ends.
    #[must_use]
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Relative position of a value: 0 at the low end, 1 at the high end.
    fn position(&self, value: f64) -> f64 {
        let position = if !self.is_log {
            (value - self.low) / (self.high - self.low)
        } else if value <= 0.0 {
            0.0
        } else {
            (value / self.low).ln() / (self.high / self.low).ln()
        };
        if position.is_nan() { 0.0 } else { position.clamp(0.0, 1.0) }
    }

    /// Values of the labelled ticks.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        if !self.names.is_empty() {
            return (0..self.names.len()).map(|i| i as f64).collect();
        }
        if self.is_log { self.log_ticks() } else { self.linear_ticks() }
    }

    fn linear_ticks(&self) -> Vec<f64> {
        let (divisor, _) = (self.format.scale)(self.high);
        let (low, high) = (self.low / divisor, self.high / divisor);
        let step = round_step((high - low) / TICKS);
        let first = (low / step).ceil();
        (0..2 * TICKS as usize)
            .map(|i| (first + i as f64) * step)
            .take_while(|&v| v <= high)
            .map(|v| v * divisor)
            .collect()
    }

    fn log_ticks(&self) -> Vec<f64> {
        let (low, high) = (self.low.log10(), self.high.log10());
        let decades = high - low;
        let factors: &[f64] = match decades {
            d if d < 1.5 => &[1.0, 2.0, 3.0, 5.0, 7.0],
            d if d < 3.0 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let step = (decades / TICKS).ceil().max(1.0) as usize;
        let powers = (low.floor() as i32..=high.ceil() as i32).step_by(step);
        let all = powers.flat_map(|p| factors.iter().map(move |f| f * 10f64.powi(p)));
        all.filter(|v| (self.low..=self.high).contains(v)).collect()
    }

    /// The label of a tick.
    pub(crate) fn label(&self, value: f64) -> String {
        if !self.names.is_empty() {
            let name = self.names.get(value.round().max(0.0) as usize);
            return name.cloned().unwrap_or_default();
        }
        // All labels of a linear axis have the same unit.
        let sample = if self.is_log { value } else { self.high };
        let (divisor, unit) = (self.format.scale)(sample);
        let number = value / divisor;
        // Rounding errors of multiplication are no digits.
        let number = format!("{number:.6e}").parse().unwrap_or(number);
        let text = match number {
            v if v != 0.0 && v.abs() >= 1e6 => {
                let exponent = v.abs().log10().floor();
                let mantissa = v / 10f64.powf(exponent);
                format!("{}e{exponent}", short((self.format.text)(mantissa)))
            }
            v => short((self.format.text)(v)),
        };
        text + unit
    }
}

/// The text of a number without superfluous zeros.
fn short(text: String) -> String {
    if text.contains('.') && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// The least of 1, 2, 5, 10, … that is no smaller.
#[must_use]
pub fn round_step(step: f64) -> f64 {
    if !step.is_finite() || step <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let (from, to) = (f64::from(limit.0), f64::from(limit.1));
        (from + self.position(*value) * (to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Grid lines between the labels would add no information.
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks() }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Format = Format::plain(|x| format!("{x}"));

    fn labels(values: &[f64], is_log: bool, format: Format) -> Vec<String> {
        let axis = Axis::over(values.iter().copied(), is_log, format, false);
        axis.ticks().into_iter().map(|v| axis.label(v)).collect()
    }

    #[test]
    fn ticks_are_round() {
        let plain = labels(&[0.0, 10.0], false, PLAIN);
        assert_eq!(plain, ["0", "2", "4", "6", "8", "10"]);
        let zeros = Format::plain(|x| format!("{x:.2}"));
        assert_eq!(labels(&[1.0, 3.0], false, zeros), ["1", "1.5", "2", "2.5", "3"]);
        let counts = labels(&[1e4, 2e9], true, PLAIN);
        assert_eq!(counts, ["10000", "100000", "1e6", "1e7", "1e8", "1e9"]);
        // All ticks of a linear axis have the unit of its end, and each tick of a logarithmic axis
        // has its own unit.
        let units = Format { scale: |x| if x < 1.0 { (1e-3, " m") } else { (1.0, " u") }, ..PLAIN };
        assert_eq!(labels(&[0.0, 4.0], false, units), ["0 u", "1 u", "2 u", "3 u", "4 u"]);
        assert_eq!(labels(&[0.01, 100.0], true, units), ["10 m", "100 m", "1 u", "10 u", "100 u"]);
    }

    #[test]
    fn invalid_values_have_a_position() {
        for values in [&[][..], &[0.0], &[f64::NAN, -1.0], &[1e308, 1e-308]] {
            for is_log in [false, true] {
                let axis = Axis::over(values.iter().copied(), is_log, PLAIN, true);
                assert!(axis.low < axis.high, "{values:?}");
                for value in [0.0, -1.0, 1e308, f64::INFINITY, f64::NAN] {
                    assert!((0..=100).contains(&axis.map(&value, (0, 100))));
                }
                assert!(axis.ticks().len() < 30);
            }
        }
    }
}
