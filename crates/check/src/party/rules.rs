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
const KEYS: [&str; 10] = [
    "$schema",
    "name",
    "nodes",
    "edges",
    "synergy",
    "requirements",
    "fixed",
    "excluded",
    "owned",
    "objective",
];

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
        let mut points = 0;
        for (node, &item) in team.iter().enumerate() {
            let neighbours = self.graph.neighbours(node);
            let shared = neighbours.iter().map(|&other| self.shared(item, team[other]));
            let shared = shared.sum::<usize>() as i64;
            let own = Graph::points(&self.steps, neighbours.len(), shared);
            points += own * self.positions.factor(&self.pool, node, item);
        }
        points
    }
}

pub(super) fn read(document: &Value) -> Result<Rules, String> {
    let pool = pool::read(document)?;
    let puzzle = match document.get("puzzle") {
        None => return Err("there is no `puzzle` beside the items".to_owned()),
        Some(puzzle) => puzzle,
    };
    if !matches!(puzzle, Value::Object(_)) {
        return Err("puzzle: expected an object".to_owned());
    }
    only_keys(puzzle, &KEYS).map_err(|why| format!("puzzle: {why}"))?;
    let (graph, steps) = (graph::read(document)?, graph::read_steps(document)?);
    read_puzzle(puzzle, pool, graph, steps).map_err(|why| format!("puzzle: {why}"))
}

/// The puzzle, with the graph and the steps that the pool suggests.
fn read_puzzle(
    puzzle: &Value,
    pool: Pool,
    graph: Option<Graph>,
    steps: Option<Vec<Step>>,
) -> Result<Rules, String> {
    let Some(mut graph) = graph::read(puzzle)?.or(graph) else {
        return Err("neither it nor the items have `nodes`".to_owned());
    };
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
        costs: read_costs(puzzle, &pool)?,
        excluded,
        graph,
        pool,
    })
}

/// The list of a key; empty if the key is missing.
fn read_list<'a>(puzzle: &'a Value, key: &str) -> Result<&'a [Value], String> {
    match puzzle.get(key) {
        None => Ok(&[]),
        Some(Value::List(list)) => Ok(list),
        Some(_) => Err(format!("{key}: expected a list")),
    }
}

/// The traits that synergy compares: all traits by default.
fn read_compared(puzzle: &Value, pool: &Pool) -> Result<Vec<usize>, String> {
    let names = match puzzle.get("synergy").and_then(|s| s.get("traits")) {
        None => return Ok((0..pool.traits.len()).collect()),
        Some(Value::List(names)) => names,
        Some(_) => return Err("synergy: expected a list of `traits`".to_owned()),
    };
    let mut compared = Vec::new();
    for name in names {
        match pool.find_trait(name) {
            None => return Err(format!("synergy: there is no trait {}", shown(name))),
            Some(t) if compared.contains(&t) => {
                return Err(format!("synergy: {} occurs twice", shown(name)));
            }
            Some(t) => compared.push(t),
        }
    }
    Ok(compared)
}

fn read_item(value: &Value, pool: &Pool) -> Result<usize, String> {
    let found = pool.find_item(value);
    found.ok_or_else(|| format!("there is no item {}", shown(value)))
}

/// For each item, whether the list of a key contains it.
fn read_items(puzzle: &Value, key: &str, pool: &Pool) -> Result<Vec<bool>, String> {
    let mut flags = vec![false; pool.prices.len()];
    for (i, value) in read_list(puzzle, key)?.iter().enumerate() {
        let item = read_item(value, pool).map_err(|why| format!("{key}[{i}]: {why}"))?;
        flags[item] = true;
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
    for (i, value) in read_list(puzzle, "fixed")?.iter().enumerate() {
        let wrong = |why: String| Err(format!("fixed[{i}]: {why}"));
        if let Err(why) = only_keys(value, &["item", "node"]) {
            return wrong(why);
        }
        let item = match read_item(value.get("item").unwrap_or(value), pool) {
            Ok(item) => item,
            Err(why) => return wrong(why),
        };
        let mut at = None;
        if let Some(node) = value.get("node") {
            at = graph.find(node);
            match at {
                None => return wrong(format!("there is no node {}", shown(node))),
                Some(node) if taken[node] => {
                    return wrong(format!("an item is fixed on node {node} already"));
                }
                Some(node) => taken[node] = true,
            }
        }
        if excluded[item] {
            return wrong(format!("item {item} is fixed and excluded"));
        }
        if fixed.insert(item, at).is_some() {
            return wrong(format!("item {item} is fixed twice"));
        }
    }
    Ok(fixed)
}

/// Contribution of each item to the objective: its price (0 if it is owned), or a weighted sum of
/// price and numbers, counted in parts of prices.
fn read_costs(puzzle: &Value, pool: &Pool) -> Result<Vec<i64>, String> {
    let owned = read_items(puzzle, "owned", pool)?;
    let price = |item: usize| if owned[item] { 0 } else { pool.prices[item] };
    let mut costs = Vec::new();
    let Some(objective) = puzzle.get("objective") else {
        costs.extend((0..owned.len()).map(price));
        return Ok(costs);
    };
    let Value::Object(pairs) = objective else {
        return Err("objective: expected an object of weights".to_owned());
    };
    if pairs.is_empty() {
        return Err("objective: there are no weights".to_owned());
    }
    for item in 0..owned.len() {
        let mut millionths = 0i128;
        for (name, weight) in pairs {
            let Some(weight) = decimal::read(weight) else {
                let name = shown(name);
                return Err(format!("objective: the weight of `{name}` is not a number"));
            };
            let thousandths = match pool.find_number(&Value::Text(name.clone())) {
                _ if name == "price" => {
                    i128::from(1000 / pool.price_unit) * i128::from(price(item))
                }
                Some(n) => {
                    let number = &pool.numbers[n];
                    i128::from(1000 / number.unit) * i128::from(number.of[item])
                }
                None => {
                    return Err(format!(
                        "objective: there is no numeric attribute `{}`",
                        shown(name)
                    ));
                }
            };
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
