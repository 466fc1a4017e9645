//! Notation of numbers: thousands separators, three or four significant digits, suitable units.

use super::values::Measure;
use unriddle_catalog::units::{decimals, show_bytes, show_count, show_seconds};
pub(crate) use unriddle_catalog::units::{show_decimals as fixed, show_number as plain};

impl Measure {
    /// Returns the unit that suits a value: its divisor and its name with a leading space.
    pub(super) fn scale(self, value: f64) -> (f64, &'static str) {
        let size = value.abs();
        match self {
            Self::Plain => (1.0, ""),
            Self::Percent => (0.01, " %"),
            Self::Seconds => match size {
                0.0 => (1.0, " s"),
                s if s < 0.001 => (1e-6, " µs"),
                s if s < 1.0 => (1e-3, " ms"),
                s if s < 120.0 => (1.0, " s"),
                _ => (60.0, " min"),
            },
            Self::Bytes => {
                let units = [" B", " KiB", " MiB", " GiB", " TiB"];
                let power = (0..4).find(|p| size < 1024f64.powi(p + 1)).unwrap_or(4);
                (1024f64.powi(power), units[power as usize])
            }
        }
    }
}

/// Writes a value.
pub(crate) fn show(value: f64, measure: Measure) -> String {
    match measure {
        Measure::Plain => plain(value),
        Measure::Percent => format!("{} %", fixed(value * 100.0, 1)),
        Measure::Seconds if value > 0.0 => show_seconds(value),
        Measure::Bytes if value >= 0.0 => show_bytes(value as u64),
        _ => {
            let (divisor, unit) = measure.scale(value);
            plain(value / divisor) + unit
        }
    }
}

/// Writes a value and the half-width of its interval in the same unit: `12.3 ± 0.4`.
pub(super) fn show_with(value: f64, half: f64, measure: Measure) -> String {
    let (divisor, unit) = measure.scale(value);
    let (value, half) = (value / divisor, half / divisor);
    let digits = if half > 0.0 {
        let exponent = half.log10().floor();
        let leading = half / 10f64.powf(exponent);
        // A leading digit 1 gets a second digit.
        (-exponent) as i32 + i32::from(leading < 2.0)
    } else {
        decimals(value)
    };
    let digits = digits.clamp(0, 6) as usize;
    format!("{} ± {}{unit}", fixed(value, digits), fixed(half, digits))
}

/// Writes the ends of an interval: `10–15`.
pub(super) fn show_range(low: f64, high: f64, measure: Measure) -> String {
    let largest = if high.is_finite() { high } else { low };
    let (divisor, unit) = measure.scale(largest);
    format!("{}–{}{unit}", plain(low / divisor), plain(high / divisor))
}

/// Writes a value and the ends of its interval, of any sign, in one unit: `−0.5 (−3.0 to 2.0)`. The
/// half-width of the interval has two digits; an interval without a width is left out.
pub(super) fn show_between(value: f64, low: f64, high: f64, measure: Measure) -> String {
    let largest = [low, high].into_iter().fold(value.abs(), |a, b| a.max(b.abs()));
    let (divisor, unit) = measure.scale(largest);
    let [value, low, high] = [value, low, high].map(|x| x / divisor);
    let half = (high - low) / 2.0;
    if half <= 1e-9 * value.abs() {
        return format!("{}{unit}", plain(value));
    }
    // Digits after the second digit of the half-width mean nothing.
    let last = 1.0 - half.log10().floor();
    let [value, low, high] = [value, low, high].map(|x| match last {
        last if !last.is_finite() => plain(x),
        last if last < 0.0 => fixed((x * 10f64.powf(last)).round() / 10f64.powf(last), 0),
        last => fixed(x, last.min(6.0) as usize),
    });
    format!("{value} ({low} to {high}){unit}")
}

/// Writes a count.
pub(crate) fn count(number: usize) -> String {
    show_count(number as u64)
}

/// Writes a number of things, given their plural `many`: `1 instance`, `1,600 instances`.
pub(crate) fn count_of(number: usize, many: &str) -> String {
    unriddle_catalog::units::count_of(number as u64, many)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_few_digits() {
        let cases = [
            (0.0, "0"),
            (53.0, "53"),
            (52.914, "52.91"),
            (2.34567, "2.346"),
            (0.012_345, "0.0123"),
            (-0.5, "−0.500"),
            (1_234_567.8, "1,234,568"),
            (999.96, "1,000.0"),
            (1.5e-6, "1.50e−6"),
            (f64::INFINITY, "∞"),
            (f64::NAN, "—"),
            (2e300, "2.00e300"),
        ];
        for (value, text) in cases {
            assert_eq!(plain(value), text);
        }
        assert_eq!(show(0.97, Measure::Percent), "97.0 %");
        assert_eq!(show(0.0123, Measure::Seconds), "12.3 ms");
        assert_eq!(show(0.0, Measure::Seconds), "0 s");
        assert_eq!(show(-2.0, Measure::Seconds), "−2 s");
        assert_eq!(show(3e9, Measure::Bytes), "2.8 GiB");
        assert_eq!(count_of(1, "instances"), "1 instance");
    }

    #[test]
    fn intervals_share_digits_and_unit() {
        assert_eq!(show_with(12.345, 0.4, Measure::Plain), "12.3 ± 0.4");
        assert_eq!(show_with(12.345, 0.123, Measure::Plain), "12.35 ± 0.12");
        assert_eq!(show_with(4791.3, 312.0, Measure::Plain), "4,791 ± 312");
        assert_eq!(show_with(0.5, 0.012, Measure::Seconds), "500 ± 12 ms");
        assert_eq!(show_with(7.0, 0.0, Measure::Plain), "7 ± 0");
        let between = show_between(-116.2, -120.6, -111.8, Measure::Seconds);
        assert_eq!(between, "−1.937 (−2.010 to −1.863) min");
        let between = show_between(0.5, 0.25, 0.75, Measure::Percent);
        assert_eq!(between, "50 (25 to 75) %");
        let between = show_between(5_338_663.0, 5_288_128.0, 5_389_199.0, Measure::Plain);
        assert_eq!(between, "5,339,000 (5,288,000 to 5,389,000)");
        let between = show_between(0.998_133, 5.55e-17, 1.0, Measure::Percent);
        assert_eq!(between, "100 (0 to 100) %");
        let between = show_between(7.481, 7.481, 7.481, Measure::Plain);
        assert_eq!(between, "7.481");
        assert_eq!(show_range(10.0, 15.5, Measure::Plain), "10–15.50");
        assert_eq!(show_range(1.0, f64::INFINITY, Measure::Seconds), "1–∞ s");
    }
}
