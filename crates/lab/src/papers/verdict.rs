//! Comparison of a published figure with ours: same, better, worse, and by how much.

use crate::{
    attribute::Better,
    report::{
        numbers,
        values::{Found, Measure},
    },
};

/// Number of ours as a verdict needs it.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// The number, with the text of the page: its unit and number of instances.
    pub(super) found: Found,
    pub(super) better: Better,
    /// Reason why the number cannot be compared with the published figure.
    pub(super) incomparable: Option<String>,
}

/// Result of the comparison of our figure with a published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Word {
    Same,
    Better,
    Worse,
    /// They differ and neither is better.
    Differs,
    /// Our figure is only a bound, which does not decide.
    Open,
    /// The two figures measure different quantities.
    Incomparable,
}

impl Word {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Differs => "differs",
            Self::Open => "open",
            Self::Incomparable => "not comparable",
        }
    }
}

/// Word of a verdict with the text of the page.
pub(super) struct Verdict {
    pub(super) word: Word,
    pub(super) text: String,
}

/// Compares a published figure, in the unit of ours, with ours.
pub(super) fn of(published: f64, Side { found, better, incomparable }: &Side) -> Verdict {
    if let Some(why) = incomparable {
        let text = format!("not comparable: {why}");
        return Verdict { word: Word::Incomparable, text };
    }
    let (low, high) = found.interval.unwrap_or((found.value, found.value));
    // Rounding errors in the ends of intervals must not decide.
    let slack = 1e-9 * published.abs().max(1e-3);
    let is_inside = low - slack <= published && published <= high + slack;
    let word = match (better, published < low) {
        _ if is_inside && found.is_bound => Word::Open,
        _ if is_inside => Word::Same,
        (Better::Neutral, _) => Word::Differs,
        (Better::Higher, true) | (Better::Lower, false) => Word::Better,
        (Better::Higher, false) | (Better::Lower, true) => Word::Worse,
    };
    let far = by_how_much(published, found);
    let text = match word {
        Word::Open => "open: ours is a bound".to_owned(),
        Word::Same if found.interval.is_none() => "same".to_owned(),
        Word::Same => format!("same within the interval ({far})"),
        word => format!("{} by {far}", word.name()),
    };
    Verdict { word, text }
}

/// Writes a number with at least two significant digits.
fn brief(value: f64) -> String {
    let digits = match value.abs() {
        size if !(5e-4..10.0).contains(&size) => 0,
        size if size >= 1.0 => 1,
        size if size >= 0.1 => 2,
        _ => 3,
    };
    numbers::fixed(value, digits)
}

/// Writes the difference, with the interval of ours where there is one: shares in percentage
/// points, other figures in per cent of the published one.
fn by_how_much(published: f64, ours: &Found) -> String {
    let (unit, part): (_, &dyn Fn(f64) -> f64) = match (ours.measure, published) {
        (Measure::Percent, _) => (" points", &|value| 100.0 * (value - published)),
        (_, 0.0) => ("", &|value| value - published),
        _ => (" %", &|value| 100.0 * (value / published - 1.0)),
    };
    let sign = |value: f64| if value > 0.0 { format!("+{}", brief(value)) } else { brief(value) };
    let value = format!("{}{unit}", sign(part(ours.value)));
    let Some((low, high)) = ours.interval else {
        return format!("{value}, no interval");
    };
    // A negative published figure swaps the ends.
    let (a, b) = (part(low), part(high));
    let end = |v: f64| if v.is_finite() { sign(v) } else { numbers::plain(v) };
    format!("{value}; 95 %: {} to {}", end(a.min(b)), end(a.max(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(value: f64, interval: Option<(f64, f64)>, better: Better) -> Side {
        let (text, is_bound, measure) = (String::new(), false, Measure::Plain);
        let found = Found { text, value, interval, is_bound, measure };
        Side { found, better, incomparable: None }
    }

    #[test]
    fn figure_within_the_interval_is_the_same() {
        let cases = [
            (100.0, side(110.0, Some((95.0, 125.0)), Better::Higher), Word::Same),
            (100.0, side(110.0, Some((105.0, 115.0)), Better::Higher), Word::Better),
            (100.0, side(110.0, Some((105.0, 115.0)), Better::Lower), Word::Worse),
            (100.0, side(90.0, Some((85.0, 95.0)), Better::Lower), Word::Better),
            (100.0, side(90.0, Some((85.0, 95.0)), Better::Neutral), Word::Differs),
            (100.0, side(100.0, None, Better::Lower), Word::Same),
            (100.0, side(101.0, None, Better::Lower), Word::Worse),
            (1.0, side(1.0, Some((0.8, 1.0 - 1e-16)), Better::Higher), Word::Same),
        ];
        for (published, ours, word) in cases {
            assert_eq!(of(published, &ours).word, word, "{published} {ours:?}");
        }
    }

    #[test]
    fn bound_decides_only_on_its_side() {
        let mut ours = side(120.0, Some((120.0, f64::INFINITY)), Better::Lower);
        ours.found.is_bound = true;
        assert_eq!(of(100.0, &ours).word, Word::Worse);
        assert_eq!(of(500.0, &ours).word, Word::Open);
    }

    #[test]
    fn differences_have_their_sign_and_interval() {
        let ours = side(110.0, Some((105.0, 115.0)), Better::Higher);
        assert_eq!(of(100.0, &ours).text, "better by +10 %; 95 %: +5.0 to +15");
        let mut share = side(0.959, Some((0.945, 0.970)), Better::Higher);
        share.found.measure = Measure::Percent;
        let text = of(0.96, &share).text;
        assert_eq!(text, "same within the interval (−0.10 points; 95 %: −1.5 to +1.0)");
        let exact = side(83_074.0, None, Better::Higher);
        assert_eq!(of(84_414.0, &exact).text, "worse by −1.6 %, no interval");
        let mut other = side(1.0, None, Better::Higher);
        other.incomparable = Some("another machine".to_owned());
        assert_eq!(of(2.0, &other).text, "not comparable: another machine");
    }
}
