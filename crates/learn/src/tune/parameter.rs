//! A parameter that is tuned: its bounds, and the texts of its values.

use unriddle_evolve::Dimension;

/// Significant digits of a real value in a spec. The rest would be noise, and the last bits of a
/// power differ between machines.
const DIGITS: usize = 6;

/// A parameter that is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its placeholder's name.
    pub name: String,
    /// The least value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// Whether values are whole numbers.
    pub integer: bool,
    /// Whether it is tuned by its decimal logarithm.
    pub log: bool,
    /// The value at which an evolution strategy begins; the middle of the bounds by default.
    pub start: Option<f64>,
}

impl Parameter {
    /// The dimension of the distribution: values, or their logarithms.
    pub(crate) fn dimension(&self) -> Dimension {
        match self.log {
            true => Dimension { low: self.min.log10(), high: self.max.log10(), integer: false },
            false => Dimension { low: self.min, high: self.max, integer: self.integer },
        }
    }

    /// The point at which an evolution strategy begins.
    pub(crate) fn begin(&self) -> f64 {
        let Dimension { low, high, .. } = self.dimension();
        match self.start {
            Some(start) if self.log => start.log10(),
            Some(start) => start,
            None => f64::midpoint(low, high),
        }
    }

    /// The text of the value at a point of the distribution, for a spec.
    pub(crate) fn text(&self, point: f64) -> String {
        let value = if self.log { 10f64.powf(point) } else { point };
        let value = if self.integer { value.round() } else { rounded(value) };
        shown(value.clamp(self.min, self.max))
    }

    /// The parameter's name in the columns of a log: `c`, or `log10(c)`.
    pub(crate) fn column(&self) -> String {
        if self.log { format!("log10({})", self.name) } else { self.name.clone() }
    }
}

/// The number with six significant digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value)
}

/// The shortest text of a number, with an exponent where it would be long.
pub(super) fn shown(value: f64) -> String {
    let size = value.abs();
    match size != 0.0 && !(1e-6..1e15).contains(&size) {
        true => format!("{value:e}"),
        // Not -0.
        false => format!("{}", value + 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_six_digits_and_stay_within_the_bounds() {
        let real = |min, max, log| Parameter {
            name: "x".to_owned(),
            min,
            max,
            integer: false,
            log,
            start: None,
        };
        assert_eq!(real(0.0, 10.0, false).text(5.964_321_987), "5.96432");
        assert_eq!(real(0.0, 10.0, false).text(-0.0), "0");
        assert_eq!(real(0.0, 2.0 / 3.0, false).text(0.666_666_66), "0.6666666666666666");
        assert_eq!(real(1e-5, 1.0, true).text(-4.0), "0.0001");
        assert_eq!(real(1e-9, 1.0, true).text(-8.0), "1e-8");
        let whole = Parameter { integer: true, ..real(1.0, 1000.0, true) };
        assert_eq!((whole.text(1.5), whole.text(3.0)), ("32".into(), "1000".into()));
        assert_eq!(whole.column(), "log10(x)");
        assert_eq!((whole.begin(), real(1.0, 4.0, false).begin()), (1.5, 2.5));
        assert_eq!(Parameter { start: Some(100.0), ..whole }.begin(), 2.0);
    }
}
