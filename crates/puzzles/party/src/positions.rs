//! Reads the factors by which an item's points count on each node, from a puzzle's synergy:
//!
//! ```json
//! {"positions": {"trait": "position", "whole": 3, "other": 1.5,
//!   "factors": {"GK": {"keeper": 3, "back": 0.5}}}}
//! ```
//!
//! An item's points on a node are multiplied by the factor of its value of the trait, and divided
//! by `whole` (1 by default). A node and a value without a factor have `other`, by default `whole`.

use super::{Formation, decimal::Decimal, errors::Errors, items::Items, synergy::Positions};
use serde_json::{Map, Value};

/// The key of the positions, with the synergy's.
const PLACE: &str = "synergy.positions";

/// Greatest factor, in thousandths.
const MOST: i128 = 1_000_000;

/// The positions of a synergy; `None` if it has none, or if they are wrong.
pub(super) fn positions(
    synergy: &Map<String, Value>,
    items: &Items,
    formation: &Formation,
    errors: &mut Errors,
) -> Option<Positions> {
    let Some(object) = synergy.get("positions")?.as_object() else {
        return errors.refuse(PLACE, "expected an object with a `trait` and `factors`");
    };
    errors.check_keys(object, "trait, whole, other, factors", PLACE);
    let thousandths = |value: &Value| {
        let (whole, part) = Decimal::of(value)?.times(1000);
        // A number with more than three decimal places is refused.
        let factor = (0..=MOST).contains(&(whole / part)).then_some(whole / part)?;
        u32::try_from(factor).ok()
    };
    let mut factor = |key: &str, default: u32| {
        let Some(value) = object.get(key) else {
            return default;
        };
        let why = || format!("`{key}` is {value}, expected a number from 0 to 1000");
        thousandths(value).or_else(|| errors.refuse(PLACE, why())).unwrap_or(default)
    };
    let whole = factor("whole", 1000);
    let other = factor("other", whole);
    if whole == 0 {
        errors.tell(PLACE, "`whole` is 0, expected more");
    }
    let name = object.get("trait").and_then(Value::as_str);
    let Some(of) = name.and_then(|name| items.find_trait(name)) else {
        return errors.refuse(PLACE, "expected `trait`, the name of one");
    };
    let position = &items.traits[of];
    let mut factors = vec![vec![other; position.values.len()]; formation.nodes()];
    let Some(nodes) = object.get("factors").and_then(Value::as_object) else {
        return errors.refuse(PLACE, "expected `factors`, an object of nodes");
    };
    for (name, values) in nodes {
        let node = formation.names().iter().position(|known| known == name);
        let (Some(node), Some(values)) = (node, values.as_object()) else {
            errors.tell(PLACE, format!("`{name}` is no node with an object of values"));
            continue;
        };
        for (value, number) in values {
            let why = match (position.code(value), thousandths(number)) {
                (None, _) => format!("`{}` is never `{value}`", position.name),
                (_, None) => {
                    format!("`{value}` on `{name}` is {number}, expected a number from 0 to 1000")
                }
                (Some(code), Some(factor)) => {
                    factors[node][usize::from(code)] = factor;
                    continue;
                }
            };
            errors.tell(PLACE, why);
        }
    }
    (whole > 0).then_some(Positions { of, factors, whole })
}

#[cfg(test)]
mod tests {
    use crate::{Team, read::pool, rules::party};

    const POOL: &str = r#"{"nodes": ["GK", "RB"], "edges": [[0, 1]], "traits": ["position", "club"], "values":
        [["keeper", "back"], ["x", "y"]], "numbers": [], "heroes": [[0, 0, 1], [1, 0, 1], [0, 1, 1]]}"#;

    fn read(positions: &str) -> Result<crate::Party, String> {
        let text = format!(
            r#"{{"synergy": {{"at_least": 0.1, "traits": ["club"], "positions": {positions}}}}}"#
        );
        let told = |errors: Vec<_>| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
        party(pool(POOL).unwrap(), &text).map_err(|errors| told(errors).join("; "))
    }

    #[test]
    fn points_are_multiplied_by_factors() {
        let party = read(
            r#"{"trait": "position", "whole": 3, "other": 1.5, "factors": {"GK": {"keeper": 3, "back": 0.5}}}"#,
        )
        .unwrap();
        let synergy = |items: &[u32]| {
            let team = Team::new(&party, items);
            1000.0 * team.synergy() as f64 / party.synergy.whole() as f64
        };
        // Nine points for a shared club, three for none; all of them for the keeper, half for
        // whoever is back.
        assert_eq!(synergy(&[0, 1]), 90.0 + 45.0);
        assert_eq!(synergy(&[1, 0]), 15.0 + 45.0);
        assert_eq!(synergy(&[2, 1]), 30.0 + 15.0);
        assert_eq!(party.requirements[0].at_least, Some(party.synergy.whole() / 10));
    }

    #[test]
    fn errors_name_the_key_and_the_reason() {
        for (positions, why) in [
            ("3", "expected an object"),
            (r#"{"trait": "age", "factors": {}}"#, "expected `trait`"),
            (r#"{"trait": "club"}"#, "expected `factors`"),
            (r#"{"trait": "club", "factors": {}, "whole": 0}"#, "`whole` is 0"),
            (r#"{"trait": "club", "factors": {}, "whole": -1}"#, "`whole` is -1"),
            (r#"{"trait": "club", "factors": {}, "others": 1}"#, "`others` is unknown"),
            (r#"{"trait": "club", "factors": {"LB": {}}}"#, "`LB` is no node"),
            (r#"{"trait": "club", "factors": {"GK": {"z": 1}}}"#, "is never `z`"),
            (r#"{"trait": "club", "factors": {"GK": {"x": 1001}}}"#, "from 0 to 1000"),
        ] {
            let told = read(positions).unwrap_err();
            assert!(told.starts_with("synergy.positions: ") && told.contains(why), "{told}");
        }
    }
}
