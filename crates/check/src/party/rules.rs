//! A puzzle and its pool: everything that a team is checked against.

use super::{
    amount::{self, Amount, Requirement},
    decimal,
    graph::{self, Graph, Step},
    matrices::{self, Matrices},
    pool::{self, Pool},
    positions::{self, Positions},
    text::{only_keys, shown},
};
use crate::json::Value;
use std::collections::BTreeMap;

/// The keys of a puzzle.
const KEYS: &str = "$schema,name,nodes,edges,synergy,requirements,fixed,excluded,owned,objective";

pub(super) struct Rules {
    pub(super) pool: Pool,
    pub(super) graph: Graph,
    pub(super) steps: Vec<Step>,
    /// Factors of points on each node.
    pub(super) positions: Positions,
    /// Matrices that define synergy instead of steps, positions and shared traits. Also `None` if
    /// no synergy is required.
    pub(super) matrices: Option<Matrices>,
    /// The traits that synergy compares. Empty if no synergy is required, or if it is defined by
    /// matrices.
    pub(super) compared: Vec<usize>,
    pub(super) requirements: Vec<Requirement>,
    /// The items that must be in the team, and the nodes where some of them must be.
    pub(super) fixed: BTreeMap<usize, Option<usize>>,
    /// For each node, the item that is fixed there.
    pub(super) fixed_on: Vec<Option<usize>>,
    /// For each item, whether it is excluded.
    pub(super) excluded: Vec<bool>,
    /// Contribution of each item to the objective.
    pub(super) costs: Vec<i64>,
}

impl Rules {
    pub(super) fn nodes(&self) -> usize {
        self.graph.nodes.len()
    }

    /// Number of compared traits that two items have in common.
    pub(super) fn shared(&self, a: usize, b: usize) -> usize {
        let traits = self.compared.iter().map(|&t| &self.pool.traits[t].of);
        traits.filter(|of| of[a] == of[b]).count()
    }

    /// The greatest lower bound on synergy, in parts; `None` without a lower bound.
    pub(super) fn least_synergy(&self) -> Option<i64> {
        let is_synergy = |r: &&Requirement| matches!(r.amount, Amount::Synergy(_));
        self.requirements.iter().filter(is_synergy).filter_map(Requirement::least).max()
    }

    /// The traits of items on which synergy depends.
    pub(super) fn synergy_traits(&self) -> Vec<usize> {
        let mut traits = self.compared.clone();
        traits.extend(self.positions.of());
        if let Some(matrices) = &self.matrices {
            traits.extend(matrices.traits());
        }
        traits
    }

    /// The synergy of a full team in parts, of which `full` are a synergy of 1. Only synergy by
    /// matrices can exceed 1.
    pub(super) fn synergy(&self, team: &[usize], full: i64) -> i128 {
        match &self.matrices {
            Some(matrices) => matrices.points(&self.pool, team),
            None => self.points(team).min(full).into(),
        }
    }

    /// The message about a full team that violates a requirement; `None` if it satisfies all
    /// bounds.
    pub(super) fn violation(&self, requirement: &Requirement, team: &[usize]) -> Option<String> {
        let synergy = |full| self.synergy(team, full);
        requirement.violation(requirement.amount.measure(&self.pool, team, synergy))
    }

    /// The points of all nodes of a full team, in parts of which [`Positions::full`] are a hundred
    /// points.
    fn points(&self, team: &[usize]) -> i64 {
        let points = |(node, &item): (usize, &usize)| {
            let neighbours = self.graph.neighbours(node);
            let shared = neighbours.iter().map(|&other| self.shared(item, team[other]));
            let own = Graph::points(&self.steps, neighbours.len(), shared.sum::<usize>() as i64);
            own * self.positions.factor(&self.pool, node, item)
        };
        team.iter().enumerate().map(points).sum()
    }
}

pub(super) fn read(document: &Value) -> Result<Rules, String> {
    let pool = pool::read(document)?;
    let puzzle = document.get("puzzle").ok_or("there is no `puzzle` beside the items")?;
    puzzle.as_object().ok_or("puzzle: expected an object")?;
    only_keys(puzzle, KEYS).map_err(|why| format!("puzzle: {why}"))?;
    let (graph, steps) = (graph::read(document)?, graph::read_steps(document)?);
    read_puzzle(puzzle, pool, graph, steps).map_err(|why| format!("puzzle: {why}"))
}

/// The puzzle, with the graph and the steps that the pool suggests.
fn read_puzzle(
    puzzle: &Value,
    mut pool: Pool,
    graph: Option<Graph>,
    steps: Option<Vec<Step>>,
) -> Result<Rules, String> {
    let graph = graph::read(puzzle)?.or(graph);
    let mut graph = graph.ok_or("neither it nor the items have `nodes`")?;
    let (nodes, items) = (graph.nodes.len(), pool.prices.len());
    if items < nodes {
        return Err(format!("{items} items cannot fill {nodes} nodes"));
    }
    let matrices = matrices::read(puzzle, &pool, &mut graph)?;
    let mut compared = read_compared(puzzle, &pool)?;
    let positions = positions::read(puzzle, &pool, &graph);
    let positions = positions.map_err(|why| format!("synergy.positions: {why}"))?;
    let full = matrices.as_ref().map_or(positions.full(), |m| m.full);
    let synergy = amount::read_synergy(puzzle, full)?;
    if synergy.is_none() || matrices.is_some() {
        compared.clear();
    }
    let matrices = matrices.filter(|_| synergy.is_some());
    let mut requirements = Vec::from_iter(synergy);
    let owned = read_items(puzzle, "owned", &pool)?;
    if read_list(puzzle, "requirements")?.iter().any(amount::is_of_price) {
        pool.count_prices(&owned).map_err(|why| format!("requirements: {why}"))?;
    }
    for (i, value) in read_list(puzzle, "requirements")?.iter().enumerate() {
        let requirement = amount::read(value, &pool, nodes);
        requirements.push(requirement.map_err(|why| format!("requirements[{i}]: {why}"))?);
    }
    let steps = graph::read_steps(puzzle)?.or(steps);
    let excluded = read_items(puzzle, "excluded", &pool)?;
    let fixed = read_fixed(puzzle, &pool, &graph, &excluded)?;
    let mut fixed_on = vec![None; nodes];
    for (&item, &node) in &fixed {
        if let Some(node) = node {
            fixed_on[node] = Some(item);
        }
    }
    Ok(Rules {
        steps: steps.unwrap_or_else(graph::usual_steps),
        matrices,
        compared,
        positions,
        requirements,
        fixed,
        fixed_on,
        costs: read_costs(puzzle, &pool, &owned)?,
        excluded,
        graph,
        pool,
    })
}

/// The list of a key; empty if the key is missing.
fn read_list<'a>(puzzle: &'a Value, key: &str) -> Result<&'a [Value], String> {
    let list = puzzle.get(key).map_or(Some(&[][..]), Value::as_list);
    list.ok_or_else(|| format!("{key}: expected a list"))
}

/// The traits that synergy compares: all traits by default.
fn read_compared(puzzle: &Value, pool: &Pool) -> Result<Vec<usize>, String> {
    let Some(names) = puzzle.get("synergy").and_then(|s| s.get("traits")) else {
        return Ok((0..pool.traits.len()).collect());
    };
    let mut compared = Vec::new();
    for name in names.as_list().ok_or("synergy: expected a list of `traits`")? {
        let found = name.as_text().and_then(|name| pool.find_trait(name));
        let found = found.ok_or_else(|| format!("synergy: there is no trait {}", shown(name)))?;
        if compared.contains(&found) {
            return Err(format!("synergy: {} occurs twice", shown(name)));
        }
        compared.push(found);
    }
    Ok(compared)
}

fn read_item(value: &Value, pool: &Pool) -> Result<usize, String> {
    pool.find_item(value)
}

/// For each item, whether the list of a key contains it.
fn read_items(puzzle: &Value, key: &str, pool: &Pool) -> Result<Vec<bool>, String> {
    let mut flags = vec![false; pool.prices.len()];
    for (i, value) in read_list(puzzle, key)?.iter().enumerate() {
        flags[read_item(value, pool).map_err(|why| format!("{key}[{i}]: {why}"))?] = true;
    }
    Ok(flags)
}

/// Fixed items. An entry is an item, or an object with an `item` and optionally a `node`.
fn read_fixed(
    puzzle: &Value,
    pool: &Pool,
    graph: &Graph,
    excluded: &[bool],
) -> Result<BTreeMap<usize, Option<usize>>, String> {
    let mut fixed = BTreeMap::new();
    let mut taken = vec![false; graph.nodes.len()];
    let mut fix = |value: &Value| {
        only_keys(value, "item,node")?;
        let item = read_item(value.get("item").unwrap_or(value), pool)?;
        let node = value.get("node").map(|node| {
            graph.find(node).ok_or_else(|| format!("there is no node {}", shown(node)))
        });
        let node = node.transpose()?;
        if let Some(node) = node
            && std::mem::replace(&mut taken[node], true)
        {
            return Err(format!("an item is fixed on node {node} already"));
        }
        if excluded[item] {
            return Err(format!("item {item} is fixed and excluded"));
        }
        match fixed.insert(item, node) {
            None => Ok(()),
            Some(_) => Err(format!("item {item} is fixed twice")),
        }
    };
    for (i, value) in read_list(puzzle, "fixed")?.iter().enumerate() {
        fix(value).map_err(|why| format!("fixed[{i}]: {why}"))?;
    }
    Ok(fixed)
}

/// Contribution of each item to the objective: its price (0 if it is owned), or a weighted sum of
/// price and numbers, counted in parts of prices.
fn read_costs(puzzle: &Value, pool: &Pool, owned: &[bool]) -> Result<Vec<i64>, String> {
    let price = |item: usize| if owned[item] { 0 } else { pool.prices[item] };
    let Some(objective) = puzzle.get("objective") else {
        return Ok((0..owned.len()).map(price).collect());
    };
    let pairs = objective.as_object().ok_or("objective: expected an object of weights")?;
    if pairs.is_empty() {
        return Err("objective: there are no weights".to_owned());
    }
    let mut costs = Vec::new();
    for item in 0..owned.len() {
        let mut millionths = 0i128;
        for (name, weight) in pairs {
            let weight = decimal::read(weight).ok_or_else(|| {
                format!("objective: the weight of `{}` is not a number", shown(name))
            })?;
            let (unit, parts) = match pool.find_number(name) {
                _ if name == "price" => (pool.price_unit, price(item)),
                Some(n) => (pool.numbers[n].unit, pool.numbers[n].of[item]),
                None => {
                    let name = shown(name);
                    return Err(format!("objective: there is no numeric attribute `{name}`"));
                }
            };
            let thousandths = i128::from(1000 / unit) * i128::from(parts);
            millionths += i128::from(weight.thousandths) * thousandths;
        }
        let part = 1_000_000 / i128::from(pool.price_unit);
        let cost = millionths / part;
        if millionths % part != 0 || cost.abs() >= 1 << 48 {
            return Err(format!(
                "objective: the value of item {item} is not a whole number of the smallest parts of prices, \
                 between -2^48 and 2^48"
            ));
        }
        costs.push(cost as i64);
    }
    Ok(costs)
}
