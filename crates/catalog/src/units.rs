//! Durations, sizes, counts and ranges as people write them, on the command line and in
//! experiments.

use std::time::Duration;

/// A number and the text behind it.
fn number(text: &str) -> Result<(f64, &str), String> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let value: f64 =
        digits.parse().map_err(|_| format!("\"{text}\" does not begin with a number"))?;
    Ok((value, unit.trim()))
}

/// A duration: `500ms`, `30s`, `5m`, `2h`, `1d`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (value, unit) = number(text)?;
    let seconds = match unit {
        "ms" => value / 1e3,
        "" | "s" => value,
        "m" | "min" => value * 60.0,
        "h" => value * 3600.0,
        "d" => value * 86400.0,
        _ => return Err(format!("unknown unit \"{unit}\"; known: ms, s, m, h, d")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("\"{text}\" is too long a time"))
}

/// A size in bytes: `512M`, `4G` (powers of 1024); a bare number is bytes.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (value, unit) = number(text)?;
    let factor = match unit.trim_end_matches("iB").trim_end_matches('B') {
        "" => 1u64,
        "k" | "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(format!("unknown unit \"{unit}\"; known: K, M, G, T")),
    };
    whole(value * factor as f64, text)
}

/// A count: `10k`, `5M`, `1G` (powers of 1000), `1e9`.
pub fn count(text: &str) -> Result<u64, String> {
    if let Some((mantissa, exponent)) = text.split_once(['e', 'E']) {
        let value: f64 = format!("{mantissa}e{exponent}")
            .parse()
            .map_err(|_| format!("\"{text}\" is not a number"))?;
        return whole(value, text);
    }
    let (value, unit) = number(text)?;
    let factor = match unit {
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => return Err(format!("unknown unit \"{unit}\"; known: k, M, G")),
    };
    whole(value * factor, text)
}

fn whole(value: f64, text: &str) -> Result<u64, String> {
    if value < 0.0 || value >= u64::MAX as f64 || value.fract() != 0.0 {
        return Err(format!("\"{text}\" is not a whole number in range"));
    }
    Ok(value as u64)
}

/// A range with both ends: `1..32000`, or one number.
pub fn range(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last) = (count(first)?, count(last.trim_start_matches('='))?);
    match first <= last {
        true => Ok((first, last)),
        false => Err(format!("the range {text} ends before it begins")),
    }
}

/// A text in one line for a terminal: line breaks and other control characters, which might be
/// commands to the terminal, are escaped.
pub fn printable(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign.is_control() {
            true => line.extend(sign.escape_default()),
            false => line.push(sign),
        }
    }
    line
}

/// A size for people.
pub fn show_bytes(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if value < 1024.0 {
            let digits = usize::from(unit != "B" && value < 100.0);
            return format!("{value:.digits$} {unit}");
        }
        value /= 1024.0;
    }
    format!("{value:.1} TiB")
}

/// A count for people, with commas.
pub fn show_count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A time in seconds for people.
pub fn show_seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 120.0 => format!("{s:.2} s"),
        s => format!("{:.1} min", s / 60.0),
    }
}

/// Number of decimals for four significant digits (three below one).
#[must_use]
pub fn decimals(value: f64) -> i32 {
    match value.abs() {
        v if v.fract() == 0.0 || v >= 1000.0 => 0,
        v if v >= 1.0 => 3 - v.log10().floor() as i32,
        v => 2 - v.log10().floor() as i32,
    }
}

/// A number for people: three or four significant digits, thousands separated.
#[must_use]
pub fn show_number(value: f64) -> String {
    match value {
        v if v.is_nan() => "—".to_owned(),
        v if v.is_infinite() => if v > 0.0 { "∞" } else { "−∞" }.to_owned(),
        v if v != 0.0 && (v.abs() < 1e-4 || v.abs() >= 1e15) => {
            format!("{v:.2e}").replace('-', "−")
        }
        v => show_decimals(v, decimals(v).clamp(0, 6) as usize),
    }
}

/// A number with `digits` decimals, thousands separated.
#[must_use]
pub fn show_decimals(value: f64, digits: usize) -> String {
    if !value.is_finite() || value.abs() >= 1e15 {
        return show_number(value);
    }
    let text = format!("{:.digits$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let is_zero = text.bytes().all(|b| matches!(b, b'0' | b'.'));
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), show_count);
    format!("{sign}{whole}{rest}")
}

/// A number of things, `many` being their plural: `1 move`, `1 push`, `1,024 moves`.
///
/// ```
/// use unriddle_catalog::units::count_of;
///
/// let all = [count_of(1, "pushes"), count_of(1, "moves"), count_of(2_000, "pushes")];
/// assert_eq!(all, ["1 push", "1 move", "2,000 pushes"]);
/// ```
#[must_use]
pub fn count_of(number: u64, many: &str) -> String {
    let hisses = ["shes", "sses", "ches", "xes"];
    let ending = if hisses.iter().any(|end| many.ends_with(end)) { "es" } else { "s" };
    match number {
        1 => format!("1 {}", many.strip_suffix(ending).unwrap_or(many)),
        _ => format!("{} {many}", show_count(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_and_shown() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!((bytes("4G"), bytes("1.5KiB")), (Ok(4 << 30), Ok(1536)));
        assert_eq!((count("10k"), count("1e6"), count("7")), (Ok(10_000), Ok(1_000_000), Ok(7)));
        assert_eq!((range("3..7"), range("5")), (Ok((3, 7)), Ok((5, 5))));
        for bad in ["", "x", "-1", "3 parsecs", "1.5"] {
            assert!(count(bad).is_err(), "{bad}");
        }
        assert!(range("7..3").is_err() && duration("1e400s").is_err() && bytes("4X").is_err());
        assert_eq!(show_count(1_234_567), "1,234,567");
        assert_eq!(show_bytes(288 << 20), "288 MiB");
    }
}
