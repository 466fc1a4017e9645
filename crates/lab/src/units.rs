//! Conversion of published numbers to the units of attributes.

/// Factor that converts a number from the unit `theirs` to the unit `ours` of an attribute
/// (seconds, bytes, shares in [0, 1], or any other word). `None` if the units are incompatible.
pub(crate) fn factor(theirs: &str, ours: &str) -> Option<f64> {
    Some(match (ours, theirs) {
        ("%", "%" | "percent" | "per cent") => 0.01,
        ("s", "s" | "seconds") => 1.0,
        ("s", "µs") => 1e-6,
        ("s", "ms") => 1e-3,
        ("s", "min" | "minutes") => 60.0,
        ("s", "h" | "hours") => 3600.0,
        ("bytes", "bytes" | "B") => 1.0,
        ("bytes", "KB" | "kB") => 1e3,
        ("bytes", "MB") => 1e6,
        ("bytes", "GB") => 1e9,
        ("bytes", "KiB") => 1024.0,
        ("bytes", "MiB") => 1_048_576.0,
        ("bytes", "GiB") => 1_073_741_824.0,
        (ours, theirs) if ours == theirs => 1.0,
        _ => return None,
    })
}

/// As [`factor`], for a published figure whose unit may be another word for the counted things
/// (`nodes`, `points`). `None` if exactly one of the units is a time, a size or a share.
pub(crate) fn of_figure(theirs: &str, ours: &str) -> Option<f64> {
    let is_known = |unit| ["s", "bytes", "%"].iter().any(|ours| factor(unit, ours).is_some());
    let words = || (!is_known(theirs) && !is_known(ours)).then_some(1.0);
    factor(theirs, ours).or_else(words)
}

#[cfg(test)]
mod tests {
    use super::{factor, of_figure};

    #[test]
    fn compatible_units_have_a_factor() {
        assert_eq!(factor("ms", "s"), Some(1e-3));
        assert_eq!(factor("%", "%"), Some(0.01));
        assert_eq!(factor("states", "states"), Some(1.0));
        assert_eq!(factor("nodes", "states"), None);
        assert_eq!(of_figure("nodes", "states"), Some(1.0));
        assert_eq!(of_figure("%", "%"), Some(0.01));
        assert_eq!(of_figure("s", "states"), None);
        assert_eq!(of_figure("moves", "%"), None);
    }
}
