//! The objective of a team, which is minimised: its price, or a weighted sum of price and numbers,
//! such as `"objective": {"price": 1, "level": -20}`. It is counted in the unit of prices.

use super::{decimal::Decimal, errors::Errors, items::Items};
use serde_json::{Map, Value};

/// Costs are between −`MOST` and `MOST`, so that no sum over a team overflows.
const MOST: i128 = 1 << 48;

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
        errors.tell("objective", "expected weights, such as {\"price\": 1, \"level\": -20}");
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
        for broken in [r#"{"objective": {}}"#, r#"{"objective": 3}"#] {
            assert!(told(broken).contains("expected weights"), "{broken}");
        }
    }
}
