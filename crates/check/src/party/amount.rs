//! Amounts of a team, and the bounds that they must satisfy.

use super::{
    decimal,
    pool::{Pool, spelling},
    text::{only_keys, shown},
};
use crate::json::Value;
use std::collections::BTreeSet;

/// Bound on the digits of a bound on prices.
const MOST_BUDGET: i64 = 1 << 44;

/// The keys of a requirement that name its amount.
const KINDS: [&str; 6] = ["sum", "average", "rating", "count", "distinct", "same"];

pub(super) enum Amount {
    /// The sum of a number over the team.
    Sum(usize),
    /// The mean of a number over the team.
    Average(usize),
    /// The card game's rating of the team, by a number.
    Rating(usize),
    /// Number of items with one of some values of a trait; a flag for each value.
    Count(usize, Vec<bool>),
    /// Number of different values of a trait.
    Distinct(usize),
    /// Number of items with the most frequent value of a trait.
    Same(usize),
    /// Synergy, in parts; the field is the number of parts of a synergy of 1.
    Synergy(i64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    AtLeast,
    AtMost,
    Exactly,
}

/// The keys of bounds.
const SENSES: [(&str, Sense); 3] =
    [("at_least", Sense::AtLeast), ("at_most", Sense::AtMost), ("exactly", Sense::Exactly)];

/// The keys of a puzzle's synergy.
const SYNERGY_KEYS: &str =
    "at_least,at_most,exactly,traits,thr,score,positions,whole,flows,affinity,places";

struct Bound {
    sense: Sense,
    thousandths: i128,
}

pub(super) struct Requirement {
    /// The amount in words.
    name: String,
    pub(super) amount: Amount,
    /// The number of parts of an amount of 1. Amounts are whole numbers of parts.
    parts: i128,
    bounds: Vec<Bound>,
}

impl Requirement {
    /// The least and the greatest amount that satisfy all bounds, in parts.
    pub(super) fn range(&self) -> (Option<i128>, Option<i128>) {
        range(&self.bounds, self.parts)
    }

    /// The least amount in parts; `None` if there is no lower bound, or if it does not fit into an
    /// `i64`.
    pub(super) fn least(&self) -> Option<i64> {
        self.range().0.and_then(|least| least.try_into().ok())
    }

    /// The greatest amount in parts; `None` as in [`least`](Self::least).
    pub(super) fn most(&self) -> Option<i64> {
        self.range().1.and_then(|most| most.try_into().ok())
    }

    /// The message about the first bound that `amount` violates, in parts; `None` if it satisfies
    /// all bounds.
    pub(super) fn violation(&self, amount: i128) -> Option<String> {
        self.bounds.iter().find_map(|bound| {
            let bound_parts = bound.thousandths * self.parts;
            let (is_broken, least_or_most, verb) = match bound.sense {
                Sense::AtLeast => (1000 * amount < bound_parts, "at least", "required"),
                Sense::AtMost => (1000 * amount > bound_parts, "at most", "allowed"),
                Sense::Exactly => (1000 * amount != bound_parts, "exactly", "required"),
            };
            let found = decimal::text(amount, self.parts);
            let bound = decimal::text(bound.thousandths, 1000);
            let name = &self.name;
            is_broken.then(|| format!("{name} is {found}, {least_or_most} {bound} is {verb}"))
        })
    }
}

impl Amount {
    /// The number of parts of an amount of 1. Amounts are whole numbers of parts.
    fn parts(&self, pool: &Pool, nodes: usize) -> i128 {
        match self {
            Self::Sum(n) | Self::Rating(n) => i128::from(pool.numbers[*n].unit),
            Self::Average(n) => i128::from(pool.numbers[*n].unit) * nodes as i128,
            Self::Count(..) | Self::Distinct(_) | Self::Same(_) => 1,
            Self::Synergy(full) => i128::from(*full),
        }
    }

    /// The amount of a full team in parts. `synergy` returns the team's synergy in parts, given the
    /// parts of a synergy of 1.
    pub(super) fn measure(
        &self,
        pool: &Pool,
        team: &[usize],
        synergy: impl FnOnce(i64) -> i128,
    ) -> i128 {
        let values = |t: usize| team.iter().map(move |&item| pool.traits[t].of[item]);
        let number = |n: usize, item: usize| i128::from(pool.numbers[n].of[item]);
        // How many items of the team have this value.
        let times = |t: usize, value: usize| values(t).filter(|&other| other == value).count();
        match self {
            Self::Sum(n) | Self::Average(n) => team.iter().map(|&item| number(*n, item)).sum(),
            Self::Rating(n) => {
                let numbers: Vec<i128> = team.iter().map(|&item| number(*n, item)).collect();
                rating(&numbers)
            }
            Self::Count(t, wanted) => values(*t).filter(|&value| wanted[value]).count() as i128,
            Self::Distinct(t) => values(*t).collect::<BTreeSet<_>>().len() as i128,
            Self::Same(t) => {
                let most = values(*t).map(|value| times(*t, value)).max();
                most.unwrap_or(0) as i128
            }
            Self::Synergy(full) => synergy(*full),
        }
    }
}

/// The card game's rating of a squad. Every number above the mean adds its excess over the mean to
/// the sum of all numbers. The total is rounded to a whole number (a half up), divided by the count
/// of the numbers, and rounded down.
fn rating(numbers: &[i128]) -> i128 {
    let n = numbers.len() as i128;
    if n == 0 {
        return 0;
    }
    let sum: i128 = numbers.iter().sum();
    // Everything is multiplied by n, so that the mean becomes the sum.
    let excess = numbers.iter().map(|number| (n * number - sum).max(0));
    let total = n * sum + excess.sum::<i128>();
    let rounded = total.div_euclid(n) + i128::from(2 * total.rem_euclid(n) >= n);
    rounded.div_euclid(n)
}

/// The requirement of the puzzle's `synergy`, if it has bounds.
pub(super) fn read_synergy(puzzle: &Value, full: i64) -> Result<Option<Requirement>, String> {
    let Some(synergy) = puzzle.get("synergy") else {
        return Ok(None);
    };
    synergy.as_object().ok_or("synergy: expected an object such as {\"at_least\": 0.8}")?;
    let bounds = only_keys(synergy, SYNERGY_KEYS)
        .and_then(|()| read_bounds(synergy, full.into(), decimal::MOST_DIGITS));
    let bounds = bounds.map_err(|why| format!("synergy: {why}"))?;
    Ok((!bounds.is_empty()).then(|| Requirement {
        name: "synergy".to_owned(),
        amount: Amount::Synergy(full),
        parts: full.into(),
        bounds,
    }))
}

/// Whether a requirement refers to `price`, in any case of letters.
pub(super) fn is_of_price(value: &Value) -> bool {
    let of = ["sum", "average", "rating"].iter().filter_map(|kind| value.get(kind)?.as_text());
    of.map(str::to_lowercase).any(|name| name == "price")
}

/// A requirement of the list, such as `{"average": "level", "at_least": 84}`.
pub(super) fn read(value: &Value, pool: &Pool, nodes: usize) -> Result<Requirement, String> {
    let mut amounts = Vec::new();
    for (key, of) in value.as_object().ok_or("expected an object")? {
        if KINDS.contains(&key.as_str()) {
            amounts.push((key.as_str(), of));
        } else if SENSES.iter().all(|(known, _)| known != key) {
            return Err(format!("`{}` is unknown", shown(key)));
        }
    }
    let &[(kind, of)] = amounts.as_slice() else {
        return Err(format!("expected one of {}", KINDS.join(", ")));
    };
    let (name, amount) = read_amount(kind, of, pool)?;
    let parts = amount.parts(pool, nodes);
    let most = if is_of_price(value) { MOST_BUDGET } else { decimal::MOST_DIGITS };
    let bounds = read_bounds(value, parts, most)?;
    if bounds.is_empty() {
        return Err("expected a bound: at_least, at_most or exactly".to_owned());
    }
    Ok(Requirement { name, amount, parts, bounds })
}

fn read_amount(kind: &str, of: &Value, pool: &Pool) -> Result<(String, Amount), String> {
    if kind == "count" {
        return read_count(of, pool);
    }
    let is_numeric = matches!(kind, "sum" | "average" | "rating");
    let find = |name| if is_numeric { pool.find_number(name) } else { pool.find_trait(name) };
    let Some((which, name)) = of.as_text().and_then(|name| find(name).zip(Some(name))) else {
        let wanted = if is_numeric { "numeric attribute" } else { "trait" };
        return Err(format!("there is no {wanted} {}", shown(of)));
    };
    let amount = match kind {
        "sum" => Amount::Sum(which),
        "average" => Amount::Average(which),
        "rating" => Amount::Rating(which),
        "distinct" => Amount::Distinct(which),
        _ => Amount::Same(which),
    };
    Ok((format!("{kind} of {}", shown(name)), amount))
}

/// The counted trait and values: `{"race": "elf"}` or `{"race": ["elf", "dwarf"]}`.
fn read_count(of: &Value, pool: &Pool) -> Result<(String, Amount), String> {
    let Some([(key, wanted)]) = of.as_object() else {
        return Err(format!("expected a trait and its values, found {}", shown(of)));
    };
    let (found, key) = (pool.find_trait(key), shown(key));
    let which = found.ok_or_else(|| format!("there is no trait `{key}`"))?;
    let known = &pool.traits[which].values;
    let mut flags = vec![false; known.len()];
    let mut names = Vec::new();
    for value in wanted.as_list().unwrap_or(std::slice::from_ref(wanted)) {
        let spelled = spelling(value);
        let at = known.iter().position(|known| *known == spelled);
        flags[at.ok_or_else(|| format!("`{key}` is never {}", shown(value)))?] = true;
        names.push(spelled);
    }
    let name = format!("count of {key} {}", shown(names.join(" or ")));
    Ok((name.trim_end().to_owned(), Amount::Count(which, flags)))
}

/// Reads the bounds of an amount with `parts` parts of 1. They must leave at least one whole number
/// of parts. Bounds have less than `most` digits.
fn read_bounds(object: &Value, parts: i128, most: i64) -> Result<Vec<Bound>, String> {
    let mut bounds = Vec::new();
    for (key, sense) in SENSES {
        let Some(value) = object.get(key) else {
            continue;
        };
        let decimal = decimal::read_below(value, most).ok_or_else(|| {
            let (value, power) = (shown(value), most.ilog2());
            format!(
                "`{key}` is {value}, expected a number below 2^{power} of at most three decimals"
            )
        })?;
        bounds.push(Bound { sense, thousandths: decimal.thousandths.into() });
    }
    match range(&bounds, parts) {
        (Some(least), Some(most)) if least > most => {
            Err("no amount keeps all of these bounds".to_owned())
        }
        _ => Ok(bounds),
    }
}

/// The least and the most whole number of parts within bounds.
fn range(bounds: &[Bound], parts: i128) -> (Option<i128>, Option<i128>) {
    let (mut least, mut most) = (None, None);
    for bound in bounds {
        let exact = bound.thousandths * parts;
        if bound.sense != Sense::AtMost {
            // Rounded up.
            least = least.max(Some(-(-exact).div_euclid(1000)));
        }
        if bound.sense != Sense::AtLeast {
            let rounded = exact.div_euclid(1000);
            most = Some(rounded.min(most.unwrap_or(rounded)));
        }
    }
    (least, most)
}

#[cfg(test)]
mod tests {
    use super::rating;

    #[test]
    fn ratings_by_hand() {
        assert_eq!(rating(&[]), 0);
        assert_eq!(rating(&[75]), 75);
        // Sum 240, and 10 above the mean of 80: 250 / 3.
        assert_eq!(rating(&[80, 90, 70]), 83);
        // Sum 3, mean 1.5, half a point above it: 3.5 is rounded to 4, and 4 / 2 = 2.
        assert_eq!(rating(&[1, 2]), 2);
        // Sum 880 + 11 and 10 above the mean of 81: 901 / 11 = 81.9; one more makes it 902.9, so
        // 82.
        assert_eq!(rating(&[91, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80]), 81);
        assert_eq!(rating(&[92, 80, 80, 80, 80, 80, 80, 80, 80, 80, 80]), 82);
        // Sum -4, mean -4/3, 1/3 above it twice: -4 + 2/3 is rounded to -3, and -3 / 3 = -1.
        assert_eq!(rating(&[-1, -1, -2]), -1);
    }
}
