//! The objective of a team, which is minimised: its price, or a weighted sum of price and numbers,
//! such as `"objective": {"price": 1, "level": -20}`. It is counted in the unit of prices.
//!
//! `"objective": {"most": "level"}` asks for the most of a number, and `{"most": {"level": 2,
//! "speed": 1}}` for the most of a weighted sum; `least` asks for the least. The most of a sum is
//! the least of its negative, so that values are negative: -152 for a level of 152.

use super::{
    COINS, POINTS,
    decimal::Decimal,
    errors::Errors,
    items::{Items, plain},
};
use serde_json::{Map, Value};

/// Costs are between −`MOST` and `MOST`, so that no sum over a team overflows.
const MOST: i128 = 1 << 48;

/// Directions of an objective, with the sign of their weights.
const DIRECTIONS: [(&str, bool); 2] = [("most", true), ("least", false)];

/// Replaces the direction of a puzzle's objective by weights.
pub(super) fn weigh(file: &mut Map<String, Value>, errors: &mut Errors) -> Option<()> {
    let weights = match file.get("objective") {
        Some(Value::String(name)) => {
            let why = format!(
                "expected a direction: {{\"most\": \"{0}\"}} or {{\"least\": \"{0}\"}}",
                plain(name)
            );
            return errors.refuse("objective", why);
        }
        Some(Value::Object(objective)) => {
            let directed = DIRECTIONS.iter().find_map(|&(key, is_most)| {
                let of = objective.get(key).filter(|of| of.is_string() || of.is_object())?;
                Some((key, of, is_most))
            });
            let Some((key, of, is_most)) = directed else { return Some(()) };
            if objective.len() > 1 {
                let why =
                    format!("expected only `{key}`, with all numbers in it and their weights");
                return errors.refuse("objective", why);
            }
            let of = match of {
                Value::String(name) => Map::from_iter([(name.clone(), Value::from(1))]),
                Value::Object(of) => of.clone(),
                _ => Map::new(),
            };
            let signed = |(name, weight)| (name, if is_most { negative(weight) } else { weight });
            of.into_iter().map(signed).collect::<Map<String, Value>>()
        }
        _ => return Some(()),
    };
    file.insert("objective".to_owned(), Value::Object(weights));
    Some(())
}

/// The negative of a weight. A weight that is not a number is left to the reader.
fn negative(weight: Value) -> Value {
    let Value::Number(number) = &weight else { return weight };
    let text = number.to_string();
    let turned = match text.strip_prefix('-') {
        Some(positive) => positive.to_owned(),
        None if Decimal::of(&weight).is_some_and(|weight| weight.digits == 0) => text,
        None => format!("-{text}"),
    };
    serde_json::from_str(&turned).map_or(weight, Value::Number)
}

/// Unit of the objective of a puzzle: of prices, unless the file gives weights without the price.
pub(super) fn unit(file: &Map<String, Value>) -> &'static str {
    let has_price = |weights: &Map<String, Value>| {
        let price = weights.get("price").and_then(Decimal::of);
        price.is_some_and(|weight| weight.digits != 0)
    };
    match file.get("objective").and_then(Value::as_object) {
        Some(weights) if !has_price(weights) => POINTS,
        _ => COINS,
    }
}

/// Contribution of each item to the objective of a puzzle: its price, unless the file gives
/// weights. The price of an item of `owned` is 0.
pub(super) fn costs(
    file: &Map<String, Value>,
    items: &Items,
    owned: &[u32],
    errors: &mut Errors,
) -> Vec<i64> {
    let mut prices = items.prices.clone();
    for &item in owned {
        prices[item as usize] = 0;
    }
    let Some(objective) = file.get("objective") else {
        return prices;
    };
    let Some(weights) = objective.as_object().filter(|weights| !weights.is_empty()) else {
        let why =
            "expected weights, such as {\"price\": 1, \"level\": -20}, or {\"most\": \"level\"}";
        errors.tell("objective", why);
        return prices;
    };
    // In millionths: weights, numbers and prices have at most three decimal places each.
    let mut sums = vec![0i128; items.len()];
    for (name, weight) in weights {
        let Some(weight) = Decimal::of(weight) else {
            errors.tell("objective", format!("`{name}` is {weight}, expected a number"));
            continue;
        };
        let (values, places) = match items.find_number(name) {
            _ if name == "price" => (&prices, items.price_places),
            Some(n) => (&items.numbers[n].values, items.numbers[n].places),
            None => {
                errors.tell("objective", format!("there is no numeric attribute `{name}`"));
                continue;
            }
        };
        let (digits, parts) = weight.times(1_000_000);
        let weight = digits / parts / 10i128.pow(places);
        for (sum, &value) in sums.iter_mut().zip(values) {
            *sum += weight * i128::from(value);
        }
    }
    let unit = 1_000_000 / 10i128.pow(items.price_places);
    let is_whole = |sum: &i128| sum % unit == 0 && (sum / unit).abs() < MOST;
    if let Some(item) = sums.iter().position(|sum| !is_whole(sum)) {
        let expected = match items.price_places {
            0 => "a whole number between -2^48 and 2^48".to_owned(),
            1 => "at most 1 decimal, as prices have, and digits below 2^48".to_owned(),
            places => format!("at most {places} decimals, as prices have, and digits below 2^48"),
        };
        let value = sums[item] as f64 / 1e6;
        errors.tell("objective", format!("item {item} has the value {value}, expected {expected}"));
        return prices;
    }
    sums.iter().map(|sum| (sum / unit) as i64).collect()
}

#[cfg(test)]
mod tests {
    use crate::{read, read::pool, rules::party};

    const POOL: &str = r#"{"nodes": ["a"], "numbers": ["level", "speed"], "traits": [], "sizes": [],
        "heroes": [[84, 1.5, 1200], [70, 3, 7]]}"#;

    #[test]
    fn costs_are_weighted_sums() {
        let costs = |puzzle: &str| {
            let read = party(pool(POOL).unwrap(), puzzle);
            let told = |errors: Vec<_>| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
            read.map(|party| party.costs).map_err(told)
        };
        assert_eq!(costs("{}"), Ok(vec![1200, 7]));
        assert_eq!(costs(r#"{"owned": [0]}"#), Ok(vec![0, 7]));
        let weighted = costs(r#"{"objective": {"price": 1, "level": -20, "speed": 0.5e1}}"#);
        assert!(weighted.is_err(), "7.5 is not whole: {weighted:?}");
        let weighted =
            costs(r#"{"objective": {"price": 0.5, "level": -20, "speed": 4}, "owned": [1]}"#);
        assert_eq!(weighted, Ok(vec![600 - 1680 + 6, -1400 + 12]));
        let told = |puzzle: &str| costs(puzzle).unwrap_err().join("; ");
        assert_eq!(
            told(r#"{"objective": {"age": 1, "level": "x"}}"#),
            "objective: there is no numeric attribute `age`; objective: `level` is \"x\", expected a number"
        );
        assert_eq!(
            told(r#"{"objective": {"price": 0.5}}"#),
            "objective: item 1 has the value 3.5, expected a whole number between -2^48 and 2^48"
        );
        let pool = POOL.replace("1200", "12.5");
        let cents = |puzzle: &str| party(read::pool(&pool).unwrap(), puzzle);
        assert_eq!(cents("{}").unwrap().costs, [125, 70]);
        let weighted = cents(r#"{"objective": {"price": 2, "speed": 0.2}}"#).unwrap();
        assert_eq!(weighted.costs, [253, 146]);
        let errors = cents(r#"{"objective": {"price": 0.5}}"#).unwrap_err();
        assert_eq!(
            errors[0].to_string(),
            "objective: item 0 has the value 6.25, expected at most 1 decimal, as prices have, and \
             digits below 2^48"
        );
        assert_eq!(costs(r#"{"objective": {"most": "level"}}"#), Ok(vec![-84, -70]));
        assert_eq!(costs(r#"{"objective": {"least": {"Level": 2}}}"#), Ok(vec![168, 140]));
        let most = r#"{"objective": {"most": {"level": 1, "speed": 2, "price": -1}}}"#;
        assert_eq!(costs(most), Ok(vec![-84 - 3 + 1200, -70 - 6 + 7]));
        assert_eq!(
            told(r#"{"objective": "level"}"#),
            "objective: expected a direction: {\"most\": \"level\"} or {\"least\": \"level\"}"
        );
        assert_eq!(
            told(r#"{"objective": {"most": "level", "price": 1}}"#),
            "objective: expected only `most`, with all numbers in it and their weights"
        );
        assert_eq!(
            told(r#"{"objective": {"most": "age"}}"#),
            "objective: there is no numeric attribute `age`"
        );
        for broken in [r#"{"objective": {}}"#, r#"{"objective": 3}"#] {
            assert!(told(broken).contains("expected weights"), "{broken}");
        }
    }
}
