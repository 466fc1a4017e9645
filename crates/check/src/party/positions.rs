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
        let factor =
            |(of, factors): &(usize, Vec<Vec<i64>>)| factors[node][pool.traits[*of].of[item]];
        self.factors.as_ref().map_or(1, factor)
    }

    /// The greatest factor of any item on a node.
    pub(super) fn most(&self, node: usize) -> i64 {
        let most = |(_, factors): &(usize, Vec<Vec<i64>>)| factors[node].iter().copied().max();
        self.factors.as_ref().map_or(1, |factors| most(factors).unwrap_or(0))
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
    let Some(positions) = puzzle.get("synergy").and_then(|s| s.get("positions")) else {
        return Ok(Positions { factors: None, whole: 1 });
    };
    positions.as_object().ok_or("expected an object")?;
    only_keys(positions, "trait,whole,other,factors")?;
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
    let of = positions.get("trait").and_then(Value::as_text).and_then(|name| pool.find_trait(name));
    let of = of.ok_or("there is no such `trait`")?;
    let nodes = positions.get("factors").and_then(Value::as_object);
    let nodes = nodes.ok_or("expected `factors`, an object")?;
    let values = &pool.traits[of].values;
    let mut factors = vec![vec![other; values.len()]; graph.nodes.len()];
    for (name, numbers) in nodes {
        let node = graph.nodes.iter().position(|known| known == name);
        let found = node.zip(numbers.as_object());
        let (node, numbers) =
            found.ok_or_else(|| format!("`{}` is no node with an object", shown(name)))?;
        for (value, factor) in numbers {
            let at = values.iter().position(|known| known == value);
            let at = at.ok_or_else(|| format!("no item has the value `{}`", shown(value)))?;
            factors[node][at] = number(factor)?;
        }
    }
    Ok(Positions { factors: Some((of, factors)), whole })
}
