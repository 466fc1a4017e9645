//! Verification of certificates, which prove that no team costs less than a price, or that there is
//! no team at all.
//!
//! A certificate is one JSON object: `least`, the price (null: no team at all), and `regions`, a
//! tree in preorder. Only teams are considered in which every item occurs together with all items
//! that dominate it. A region is a set of such teams, given by bounds on the number of items with a
//! value, bounds on sums, and the items that are in the team. The first region is the set of all of
//! them. Each entry of `regions` is an array: its kind, the arguments of the kind, and rows of a
//! linear program with their multipliers in parts of 2^20:
//!
//! | kind | arguments | parts of the region |
//! |---|---|---|
//! | `impossible` | | empty: no team has such counts or sums |
//! | `closed` | rows | empty: by weak duality no team is cheaper, or no team satisfies the rows |
//! | `kept` | | empty: the reduced costs of the parent region close it |
//! | `count` | trait, value, k, rows | the value occurs at most k times; more often |
//! | `sum` | number, k, rows | the number's sum is at most k of its parts; more |
//! | `item` | item, rows | teams with it; teams without it |
//! | `often` | trait, k, values, rows | no value occurs k times; then one part for each first such
//! value |
//! | `some` | trait, k, values, rows | as `often` without the first part, if a requirement excludes
//! it |
//! | `team` | items, rows | for each optional item: with the items before it, without the item |
//!
//! Nothing in a certificate is trusted. Rows are derived from the puzzle ([`rows`]), and
//! multipliers only weigh them; any multipliers are valid, and multipliers of the wrong sign count
//! as 0. An item is left out only if the multipliers prove that no cheaper team has it, or if a
//! team that has it can do without it ([`dominance`]). All arithmetic is in whole numbers.

mod dominance;
mod formation;
mod placement;
mod region;
mod rows;
mod worth;

use super::{rules::Rules, text::shown};
use crate::json::Value;
use region::Region;
use std::rc::Rc;

/// Data of the puzzle and the claim that all regions share.
struct Proof<'a> {
    rules: &'a Rules,
    nodes: i64,
    /// The greatest common divisor of the prices; at least 1.
    unit: i128,
    /// The highest price below the certificate's price; `None` if the claim is that there is no
    /// team at any price.
    below: Option<i128>,
    /// For each number of nodes, the most links among them.
    densest: Vec<i64>,
    /// The least number of traits shared over all links that the required synergy needs.
    least_shared: i64,
    /// Traits whose values are counted.
    counted: Vec<usize>,
    /// Traits that a requirement or synergy depends on.
    relevant: Vec<usize>,
}

/// A region that is still to be closed.
struct Open {
    region: Region,
    /// Lower bound from the parent's reduced costs, in parts.
    parts: Option<i128>,
}

impl From<Region> for Open {
    fn from(region: Region) -> Self {
        Self { region, parts: None }
    }
}

/// Reads a certificate and checks every step. Returns the price below which there is no team;
/// `None` if there is no team at all.
pub(super) fn verify(rules: &Rules, certificate: &Value) -> Result<Option<i64>, String> {
    if certificate.get("certificate").and_then(Value::as_index) != Some(1) {
        return Err("it is no certificate of version 1".to_owned());
    }
    let least = match certificate.get("least") {
        Some(Value::Null) => None,
        Some(Value::Number(number)) => {
            let least = number.parse::<i64>();
            Some(least.map_err(|_| format!("least: {} is no whole price", shown(number)))?)
        }
        _ => return Err("least: expected a price or null".to_owned()),
    };
    let list = certificate.get("regions").and_then(Value::as_list);
    let list = list.ok_or("regions: expected a list")?;
    let Some(least_shared) = formation::least_shared(rules) else {
        // No team reaches the required synergy, whichever items it has.
        return Ok(least);
    };
    let proof = Proof::new(rules, least, least_shared);
    let mut open = vec![Open::from(proof.all())];
    for (i, value) in list.iter().enumerate() {
        let next = open.pop().ok_or_else(|| "all regions are closed already".to_owned());
        let parts = next.and_then(|next| proof.follow(next, value));
        let parts = parts.map_err(|why| format!("regions[{i}]: {why}"))?;
        open.extend(parts.into_iter().rev());
    }
    match open.len() {
        0 => Ok(least),
        more => Err(format!("regions: {more} are left open")),
    }
}

impl<'a> Proof<'a> {
    fn new(rules: &'a Rules, least: Option<i64>, least_shared: i64) -> Self {
        let costs = rules.costs.iter().zip(&rules.excluded);
        let costs = costs.filter(|(_, excluded)| !**excluded).map(|(&cost, _)| i128::from(cost));
        let unit = costs.fold(0, divisor).abs().max(1);
        Self {
            rules,
            nodes: rules.nodes() as i64,
            unit,
            below: least.map(|least| (i128::from(least) - 1).div_euclid(unit) * unit),
            densest: formation::densest(rules),
            least_shared,
            counted: region::counted(rules),
            relevant: dominance::relevant(rules),
        }
    }

    /// Checks one step. Returns the regions that remain to be closed instead of this one.
    fn follow(&self, open: Open, step: &Value) -> Result<Vec<Open>, String> {
        let [Value::Text(kind), rest @ ..] = step.as_list().ok_or("expected a list")? else {
            return Err("expected the name of a kind".to_owned());
        };
        let kind = kind.as_str();
        if kind == "kept" && rest.is_empty() {
            return match open.parts {
                Some(parts) if self.is_dear(parts) => Ok(Vec::new()),
                _ => Err("the reduced costs do not close it".to_owned()),
            };
        }
        let region = open.region;
        let Some(derived) = self.derive(&region) else {
            // The region is closed without the certificate's help.
            return match kind {
                "impossible" | "closed" => Ok(Vec::new()),
                _ => Err("its counts cannot be, and it is cut all the same".to_owned()),
            };
        };
        if kind == "impossible" {
            return Err("its counts can be".to_owned());
        }
        let (rows, needs) = rest.split_last().ok_or("expected rows")?;
        let rows = self.read_rows(&derived, rows)?;
        if kind == "closed" && needs.is_empty() {
            return match self.closes(&region, &derived, &rows)? {
                true => Ok(Vec::new()),
                false => Err("the multipliers do not close it".to_owned()),
            };
        }
        let left = self.reduce(&region, &derived, &rows)?;
        let mut smaller = region;
        smaller.items = Rc::new(left.items.iter().map(|&(item, _)| item).collect());
        let plain = |regions: Vec<Region>| Ok(regions.into_iter().map(Open::from).collect());
        match (kind, needs) {
            ("count", [name, value, most]) => {
                let (value, most) = (self.value(name, value)?, whole(most)?);
                plain(vec![
                    smaller.with_count(value, (0, most)),
                    smaller.with_count(value, (most.saturating_add(1), i64::MAX)),
                ])
            }
            ("sum", [name, most]) => {
                let number = name.as_text().and_then(|name| self.rules.pool.find_number(name));
                let missing = || format!("there is no numeric attribute {}", shown(name));
                let (number, most) = (number.ok_or_else(missing)?, whole(most)?);
                plain(vec![
                    smaller.with_sum(number, (i64::MIN, most)),
                    smaller.with_sum(number, (most.saturating_add(1), i64::MAX)),
                ])
            }
            ("item", [item]) => {
                let item = self.item(item, &smaller)?;
                plain(vec![smaller.with_item(item), smaller.without_item(item)])
            }
            ("often" | "some", [name, often, Value::List(values)]) => {
                self.often(kind == "often", &smaller, &left, (name, often, values))
            }
            ("team", [Value::List(items)]) => {
                let mut team = Vec::new();
                for item in items {
                    let item = self.item(item, &smaller)?;
                    if team.contains(&item) {
                        return Err(format!("item {item} occurs twice"));
                    }
                    team.push(item);
                }
                plain(self.team(smaller, &team)?)
            }
            _ => Err(format!("`{}` is no kind with these needs", shown(kind))),
        }
    }

    /// The parts of a region by the first of `values` that occurs at least `often` times. With
    /// `or_none`, one more part comes first: no value occurs that often.
    fn often(
        &self,
        or_none: bool,
        region: &Region,
        left: &rows::Left,
        (name, often, values): (&Value, &Value, &[Value]),
    ) -> Result<Vec<Open>, String> {
        let (t, often) = (self.trait_of(name)?, whole(often)?);
        if often < 1 {
            return Err("expected a number above 0".to_owned());
        }
        if !or_none && !region::must_repeat(self.rules, t, often) {
            let name = shown(name);
            return Err(format!("no requirement has a value of {name} {often} times"));
        }
        let mut parts = Vec::new();
        if or_none {
            parts.push(Open::from(region.with_cap(t, often - 1)));
        }
        let its = &self.rules.pool.traits[t];
        let mut named = vec![false; its.values.len()];
        let mut others = region.clone();
        for value in values {
            let value = self.value(name, value)?;
            named[value.1] = true;
            let cap = region.caps.get(&t).copied().unwrap_or(i64::MAX);
            parts.push(Open {
                region: others.with_count(value, (often, cap)),
                parts: left.parts_with(&its.of, value.1, often),
            });
            others = others.with_count(value, (0, often - 1));
        }
        // Unnamed values must have too few remaining items.
        let mut times = vec![0i64; named.len()];
        region.items.iter().for_each(|&item| times[its.of[item]] += 1);
        match (0..named.len()).find(|&value| !named[value] && times[value] >= often) {
            None => Ok(parts),
            Some(value) => {
                let value = shown(&its.values[value]);
                Err(format!("`{value}` can occur {often} times as well"))
            }
        }
    }

    /// The parts of a region that lack an item of `team`. With all of these items the region must
    /// have no cheaper team.
    fn team(&self, mut region: Region, team: &[usize]) -> Result<Vec<Region>, String> {
        let has = |item: &usize| team.contains(item);
        if team.len() != self.rules.nodes() || !region.within.iter().all(has) {
            return Err("these are not a team of this region".to_owned());
        }
        let price: i128 = team.iter().map(|&item| i128::from(self.rules.costs[item])).sum();
        let is_cheaper = self.below.is_none_or(|below| price <= below);
        if is_cheaper && let Some(placed) = placement::place(self.rules, team) {
            return Err(format!("items {placed:?} are a cheaper team"));
        }
        let mut parts = Vec::new();
        for &item in team {
            if !region.within.contains(&item) {
                parts.push(region.without_item(item));
                region = region.with_item(item);
            }
        }
        Ok(parts)
    }

    fn trait_of(&self, name: &Value) -> Result<usize, String> {
        let found = name.as_text().and_then(|name| self.rules.pool.find_trait(name));
        let found = found.filter(|t| self.counted.contains(t));
        found.ok_or_else(|| format!("no trait {} is counted", shown(name)))
    }

    /// A counted trait and one of its values.
    fn value(&self, name: &Value, value: &Value) -> Result<(usize, usize), String> {
        let t = self.trait_of(name)?;
        let mut known = self.rules.pool.traits[t].values.iter();
        let found = known.position(|known| value.as_text() == Some(known));
        let found = found.ok_or_else(|| format!("{} is never {}", shown(name), shown(value)));
        Ok((t, found?))
    }

    /// An item that the region still has.
    fn item(&self, value: &Value, region: &Region) -> Result<usize, String> {
        let item = value.as_index().filter(|item| region.items.contains(item));
        item.ok_or_else(|| format!("the region has no item {}", shown(value)))
    }
}

fn whole(value: &Value) -> Result<i64, String> {
    let number = value.as_literal().and_then(|literal| literal.parse().ok());
    number.ok_or_else(|| format!("{} is no whole number", shown(value)))
}

/// The greatest common divisor.
fn divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { divisor(b, a % b) }
}
