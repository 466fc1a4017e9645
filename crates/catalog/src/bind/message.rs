//! Messages about a spec that does not fit a declaration.

use crate::spec::{Arg, Number, Spec, SpecError, Value};
use unriddle_core::{Domain, Info, Role};

/// Accepted values of a parameter, for people: `an integer from 1 to 100`.
#[must_use]
pub fn domain_text(domain: &Domain) -> String {
    match *domain {
        Domain::Integer { min, max: u64::MAX } => format!("an integer of at least {min}"),
        Domain::Integer { min, max } => format!("an integer from {min} to {}", size(max)),
        Domain::Real { min, max } => match (min.is_finite(), max.is_finite()) {
            (true, true) => format!("a number from {min} to {max}"),
            (true, false) => format!("a number of at least {min}"),
            (false, true) => format!("a number of at most {max}"),
            (false, false) => "a number".to_owned(),
        },
        Domain::Choice(words) => format!("one of {}", list(words)),
        Domain::Text => "a text".to_owned(),
        Domain::Heuristic => "a heuristic".to_owned(),
        Domain::Search => "a search".to_owned(),
        Domain::Playout => "a way to play out".to_owned(),
    }
}

/// Text of a number; a large power of two, or a power of two minus one, is written as a power.
fn size(number: u64) -> String {
    match number.checked_add(1) {
        _ if number < 1 << 20 => number.to_string(),
        _ if number.is_power_of_two() => format!("2^{}", number.ilog2()),
        Some(next) if next.is_power_of_two() => format!("2^{} − 1", next.ilog2()),
        _ => number.to_string(),
    }
}

pub(super) fn has_bad_suffix(text: &str) -> bool {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.len() < text.len() && Number::read(digits).is_some()
}

pub(super) fn described(value: &Value) -> String {
    match value {
        Value::Expr(spec) if !spec.args.is_empty() => {
            format!("the expression `{}`", clipped(&spec.to_string()))
        }
        Value::Expr(spec) => format!("`{}`", clipped(&spec.name)),
        Value::Number(number) => format!("`{}`", clipped(number.text())),
        Value::Text(text) => format!("`{}`", clipped(text)),
    }
}

/// A text short enough for a message, on one line.
fn clipped(text: &str) -> String {
    let mut short: String =
        text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}

fn list(words: &[&str]) -> String {
    words.join(", ")
}

pub(super) fn unknown_parameter(info: &Info, spec: &Spec, arg: &Arg, name: &str) -> SpecError {
    let names: Vec<&str> = info.parameters.iter().map(|p| p.name).collect();
    let message = if names.is_empty() {
        format!("`{}` takes no parameters", info.name)
    } else {
        unknown(&format!("parameter of `{}`", info.name), name, &names)
    };
    spec.error(arg.span, message)
}

pub(super) fn surplus(info: &Info, spec: &Spec, arg: &Arg) -> SpecError {
    let names = |positional: bool| -> Vec<&str> {
        info.parameters.iter().filter(|p| p.positional == positional).map(|p| p.name).collect()
    };
    let (free, named) = (names(true), names(false));
    let found = described(&arg.value);
    let message = match (free.as_slice(), named.as_slice()) {
        ([], []) => format!("`{}` takes no parameters, found {found}", info.name),
        ([], named) => format!(
            "`{}` takes its parameters by name only (name=value), found {found}; it knows {}",
            info.name,
            list(named)
        ),
        (free, named) => {
            let others = if named.is_empty() {
                String::new()
            } else {
                format!("; others are given by name: {}", list(named))
            };
            format!(
                "`{}` takes no more than {} without a name ({}), found {found}{others}",
                info.name,
                free.len(),
                list(free)
            )
        }
    };
    spec.error(arg.span, message)
}

pub(super) fn wrong_role(infos: &[&Info], wanted: Role, found: &Info, spec: &Spec) -> String {
    let is_not = format!("`{}` is a {}, not a {}", found.name, found.role.name(), wanted.name());
    match (wanted, found.role) {
        (Role::Search, Role::Heuristic) => {
            let takes_heuristic = |info: &&&Info| {
                info.role == Role::Search
                    && info
                        .parameters
                        .iter()
                        .find(|p| p.positional)
                        .is_some_and(|p| p.domain == Domain::Heuristic)
            };
            let example = infos
                .iter()
                .filter(takes_heuristic)
                .map(|info| info.name)
                // IDA* runs on every goal puzzle, so it is the example where it is known.
                .max_by_key(|name| *name == "idastar");
            match example {
                Some(search) => {
                    format!("{is_not}; write for example {search}({})", clipped(&spec.to_string()))
                }
                None => is_not,
            }
        }
        (Role::Heuristic, Role::Search) => {
            let names: Vec<&str> =
                infos.iter().filter(|i| i.role == Role::Heuristic).map(|i| i.name).collect();
            match names.as_slice() {
                [] => is_not,
                names => format!("{is_not}; the heuristics are {}", list(names)),
            }
        }
        _ => is_not,
    }
}

/// `unknown WHAT ...`, with the nearest match and the list.
pub(super) fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    let near =
        nearest(word, known).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let all = if known.is_empty() { "none".to_owned() } else { list(known) };
    format!("unknown {what}: `{}`{near} (known: {all})", clipped(word))
}

/// The known word that was probably meant, if one is close enough.
#[must_use]
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let length = word.chars().count();
    if length > 64 {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let distance = |known: &str| strsim::osa_distance(&word, &known.to_ascii_lowercase());
    let (best, near) =
        known.iter().map(|known| (distance(known), *known)).min_by_key(|(d, _)| *d)?;
    if best <= (length / 3).max(1) && best < length {
        return Some(near);
    }
    // A beginning that leaves no choice.
    let mut starting = known.iter().filter(|known| length >= 2 && known.starts_with(&word));
    starting.next().copied().filter(|_| starting.next().is_none())
}
