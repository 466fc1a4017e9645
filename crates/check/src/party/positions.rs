//! The factor of an item's points by its position and its node.

use super::{
    decimal,
    graph::{FULL, Graph},
    pool::Pool,
    text::{only_keys, shown},
};
use crate::json::Value;

/// Greatest factor, in thousandths.
const MOST: i64 = 1_000_000;

/// Factors of points, in thousandths; `whole` thousandths are a factor of 1.
pub(super) struct Positions {
    /// The trait that is the position, and the factor for each node and each value of the trait.
    factors: Option<(usize, Vec<Vec<i64>>)>,
    whole: i64,
}

impl Positions {
    /// The factor of an item's points on a node.
    pub(super) fn factor(&self, pool: &Pool, node: usize, item: usize) -> i64 {
        match &self.factors {
            None => 1,
            Some((of, factors)) => factors[node][pool.traits[*of].of[item]],
        }
    }

    /// The greatest factor of any item on a node.
    pub(super) fn most(&self, node: usize) -> i64 {
        match &self.factors {
            None => 1,
            Some((_, factors)) => factors[node].iter().copied().max().unwrap_or(0),
        }
    }

    /// The trait that is the position.
    pub(super) fn of(&self) -> Option<usize> {
        self.factors.as_ref().map(|(of, _)| *of)
    }

    /// A hundred points, in the unit of multiplied points.
    pub(super) fn full(&self) -> i64 {
        FULL * self.whole
    }
}

/// The `positions` of a puzzle's synergy: an object with `trait`, `whole` (default 1), `other`
/// (default `whole`), and `factors` by nodes and values.
pub(super) fn read(puzzle: &Value, pool: &Pool, graph: &Graph) -> Result<Positions, String> {
    let positions = match puzzle.get("synergy").and_then(|s| s.get("positions")) {
        None => {
            return Ok(Positions { factors: None, whole: 1 });
        }
        Some(positions @ Value::Object(_)) => positions,
        Some(_) => return Err("expected an object".to_owned()),
    };
    only_keys(positions, &["trait", "whole", "other", "factors"])?;
    let number = |value: &Value| {
        let number = decimal::read(value).map(|decimal| decimal.thousandths);
        let number = number.filter(|thousandths| (0..=MOST).contains(thousandths));
        number.ok_or_else(|| format!("{} is not a number from 0 to 1000", shown(value)))
    };
    let whole = positions.get("whole").map_or(Ok(1000), number)?;
    let other = positions.get("other").map_or(Ok(whole), number)?;
    if whole == 0 {
        return Err("`whole` is 0".to_owned());
    }
    let of = positions.get("trait").and_then(|name| pool.find_trait(name));
    let of = of.ok_or("there is no such `trait`")?;
    let Some(Value::Object(nodes)) = positions.get("factors") else {
        return Err("expected `factors`, an object".to_owned());
    };
    let values = &pool.traits[of].values;
    let mut factors = vec![vec![other; values.len()]; graph.nodes.len()];
    for (name, numbers) in nodes {
        let node = graph.nodes.iter().position(|known| known == name);
        let (Some(node), Value::Object(numbers)) = (node, numbers) else {
            return Err(format!("`{}` is no node with an object", shown(name)));
        };
        for (value, factor) in numbers {
            let Some(at) = values.iter().position(|known| known == value) else {
                return Err(format!("no item has the value `{}`", shown(value)));
            };
            factors[node][at] = number(factor)?;
        }
    }
    Ok(Positions { factors: Some((of, factors)), whole })
}
