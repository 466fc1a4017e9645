//! Synergy by matrices, as in Koopmans and Beckmann: flows between nodes, affinities between values
//! of traits, and the worth of values on nodes (the key `places`).
//!
//! Tables are stored as sparsely as they are written. A short document can name many traits with
//! many values, and full tables of all of them would not fit into memory.
//!
//! Reference: "Assignment problems and the location of economic activities", 1957.

use super::{
    graph::{Graph, MOST},
    pool::Pool,
    text::shown,
};
use crate::json::Value;
use std::collections::{BTreeMap, HashMap};

/// The keys that select synergy by matrices.
const KINDS: [&str; 2] = ["affinity", "places"];

/// The keys that are allowed only with those.
const ADDED: [&str; 2] = ["whole", "flows"];

/// The keys of the other kind of synergy.
const OTHERS: [&str; 4] = ["traits", "thr", "score", "positions"];

/// Greatest absolute value of a flow, an affinity or a worth.
const MOST_ENTRY: i64 = 10_000;

/// Greatest `whole`.
const MOST_WHOLE: i64 = 1_000_000_000;

/// Greatest number of values of a trait with affinities.
const MOST_VALUES: usize = 1000;

/// Another value, the affinity to it, and the affinity back.
pub(super) type Partner = (usize, i64, i64);

/// The affinities of a trait: for each value its partners in ascending order.
struct Affinity(Vec<Vec<Partner>>);

/// The worth of a trait's values on nodes, by node and value; absent entries are 0.
type Places = BTreeMap<(usize, usize), i64>;

/// Synergy by matrices. Amounts are in parts, and a synergy of 1 has `full` parts: twice `whole`,
/// because each link counts at both its ends.
pub(super) struct Matrices {
    pub(super) full: i64,
    /// Flow from each node to each other node.
    flows: Vec<Vec<i64>>,
    affinities: BTreeMap<usize, Affinity>,
    places: BTreeMap<usize, Places>,
}

/// Affinities between the items of one team, computed once because a search of placements needs
/// them often.
pub(super) struct Affinities<'a> {
    matrices: &'a Matrices,
    /// For each item and another one, the affinity of the first to the second and back.
    between: BTreeMap<(usize, usize), (i128, i128)>,
}

impl Affinity {
    /// The affinity of a value to another, and back.
    fn between(&self, value: usize, other: usize) -> (i64, i64) {
        let partners = &self.0[value];
        let found = partners.binary_search_by_key(&other, |partner| partner.0);
        found.map_or((0, 0), |at| (partners[at].1, partners[at].2))
    }
}

impl Matrices {
    /// The traits that the matrices depend on.
    pub(super) fn traits(&self) -> Vec<usize> {
        let of = self.affinities.keys().chain(self.places.keys());
        let mut traits: Vec<usize> = of.copied().collect();
        traits.sort_unstable();
        traits.dedup();
        traits
    }

    /// The traits with affinities.
    pub(super) fn with_affinity(&self) -> impl Iterator<Item = usize> {
        self.affinities.keys().copied()
    }

    /// The values that a value of a trait has affinities with.
    pub(super) fn partners(&self, of: usize, value: usize) -> &[Partner] {
        self.affinities.get(&of).map_or(&[], |a| &a.0[value])
    }

    /// The flows of a link from the viewpoint of `node`: out of it and into it.
    pub(super) fn flows(&self, node: usize, other: usize) -> (i64, i64) {
        (self.flows[node][other], self.flows[other][node])
    }

    /// The affinity of an item to another and back, over all traits.
    fn between(&self, pool: &Pool, item: usize, other: usize) -> (i128, i128) {
        let (mut forth, mut back) = (0, 0);
        for (&t, affinity) in &self.affinities {
            let of = &pool.traits[t].of;
            let found = affinity.between(of[item], of[other]);
            forth += i128::from(found.0);
            back += i128::from(found.1);
        }
        (forth, back)
    }

    /// Worth of an item on a node by `places`.
    pub(super) fn place(&self, pool: &Pool, node: usize, item: usize) -> i128 {
        let of = |(&t, places): (&usize, &Places)| {
            let value = pool.traits[t].of[item];
            i128::from(places.get(&(node, value)).copied().unwrap_or(0))
        };
        self.places.iter().map(of).sum()
    }

    /// The synergy of a full team in parts: twice the sum over ordered pairs of nodes and over
    /// nodes.
    pub(super) fn points(&self, pool: &Pool, team: &[usize]) -> i128 {
        let mut sum = 0;
        for (node, &item) in team.iter().enumerate() {
            sum += self.place(pool, node, item);
            for (other, &its) in team.iter().enumerate() {
                let flow = self.flows[node][other];
                if flow != 0 {
                    sum += i128::from(flow) * self.between(pool, item, its).0;
                }
            }
        }
        2 * sum
    }
}

impl<'a> Affinities<'a> {
    pub(super) fn of(matrices: &'a Matrices, pool: &Pool, team: &[usize]) -> Self {
        let mut between = BTreeMap::new();
        for &item in team {
            for &other in team {
                between.insert((item, other), matrices.between(pool, item, other));
            }
        }
        Self { matrices, between }
    }

    pub(super) fn matrices(&self) -> &'a Matrices {
        self.matrices
    }

    /// Worth of a link between two nodes at the first node, for the items on both nodes.
    pub(super) fn link(&self, (node, item): (usize, usize), (other, its): (usize, usize)) -> i128 {
        let (out, into) = self.matrices.flows(node, other);
        let (forth, back) = self.between[&(item, its)];
        i128::from(out) * forth + i128::from(into) * back
    }
}

/// The matrices of a puzzle's synergy, if it is of this kind. Flows, if given, become the graph's
/// links.
pub(super) fn read(
    puzzle: &Value,
    pool: &Pool,
    graph: &mut Graph,
) -> Result<Option<Matrices>, String> {
    let Some(synergy) = puzzle.get("synergy") else {
        return Ok(None);
    };
    let first_of = |keys: &[&'static str]| {
        let mut keys = keys.iter().copied();
        keys.find(|key| synergy.get(key).is_some())
    };
    if first_of(&KINDS).is_none() {
        return match first_of(&ADDED) {
            None => Ok(None),
            Some(key) => Err(format!(
                "synergy: `{key}` goes with matrices, and there is neither `affinity` nor `places`"
            )),
        };
    }
    if let Some(key) = first_of(&OTHERS) {
        return Err(format!("synergy: `{key}` does not go with matrices"));
    }
    let wrong = |key: &'static str| move |why: String| format!("synergy.{key}: {why}");
    let whole = match synergy.get("whole") {
        None => 1,
        Some(value) => whole(value, 1..=MOST_WHOLE).map_err(wrong("whole"))?,
    };
    let flows = match synergy.get("flows") {
        None => read_edges(graph),
        Some(flows) => read_flows(flows, graph).map_err(wrong("flows"))?,
    };
    let (mut affinities, mut places) = (BTreeMap::new(), BTreeMap::new());
    if let Some(value) = synergy.get("affinity") {
        affinities = read_affinities(value, pool).map_err(wrong("affinity"))?;
    }
    if let Some(value) = synergy.get("places") {
        places = read_places(value, pool, graph).map_err(wrong("places"))?;
    }
    Ok(Some(Matrices { full: 2 * whole, flows, affinities, places }))
}

/// A whole number in a range. It is written without point and exponent, and 0 without a sign, so
/// that no reader converts it to a double.
fn whole(value: &Value, range: std::ops::RangeInclusive<i64>) -> Result<i64, String> {
    let read = match value {
        Value::Number(literal) if literal != "-0" => literal.parse().ok(),
        _ => None,
    };
    read.filter(|number| range.contains(number)).ok_or_else(|| {
        let (least, most) = range.into_inner();
        let value = shown(value);
        format!("{value} is no whole number from {least} to {most}")
    })
}

fn entry(value: &Value) -> Result<i64, String> {
    whole(value, -MOST_ENTRY..=MOST_ENTRY)
}

/// Gives every link a flow of 1 from its first to its second node.
fn read_edges(graph: &Graph) -> Vec<Vec<i64>> {
    let nodes = graph.nodes.len();
    let mut flows = vec![vec![0; nodes]; nodes];
    for &(from, to) in graph.links() {
        flows[from][to] = 1;
    }
    flows
}

fn read_flows(value: &Value, graph: &mut Graph) -> Result<Vec<Vec<i64>>, String> {
    let nodes = graph.nodes.len();
    let rows = match value {
        Value::List(rows) if rows.len() == nodes => rows,
        _ => return Err(format!("expected {nodes} rows, one for every node")),
    };
    let mut flows = Vec::new();
    for (from, row) in rows.iter().enumerate() {
        let row = match row {
            Value::List(row) if row.len() == nodes => row,
            _ => return Err(format!("row {from}: expected {nodes} numbers")),
        };
        let read: Result<Vec<i64>, String> = row.iter().map(entry).collect();
        flows.push(read.map_err(|why| format!("row {from}: {why}"))?);
    }
    let mut links = Vec::new();
    for (a, out) in flows.iter().enumerate() {
        if out[a] != 0 {
            return Err(format!("row {a}: node {a} has a flow to itself"));
        }
        // Each pair once, in the order of the rows.
        for (b, into) in flows.iter().enumerate().skip(a + 1) {
            if out[b] != 0 || into[a] != 0 {
                links.push((a, b));
            }
        }
    }
    if links.len() > MOST {
        return Err(format!("more than {MOST} links"));
    }
    graph.set_links(links);
    Ok(flows)
}

/// The keys and values of an object.
fn pairs(value: &Value) -> Result<&[(String, Value)], String> {
    match value {
        Value::Object(pairs) => Ok(pairs),
        _ => Err(format!("expected an object, found {}", shown(value))),
    }
}

/// A trait by its name, with the indices of its values by name.
fn find_trait<'a>(
    pool: &'a Pool,
    name: &String,
) -> Result<(usize, HashMap<&'a str, usize>), String> {
    let found = pool.find_trait(&Value::Text(name.clone()));
    let t = found.ok_or_else(|| format!("there is no trait `{}`", shown(name)))?;
    let values = pool.traits[t].values.iter().enumerate();
    Ok((t, values.map(|(i, value)| (value.as_str(), i)).collect()))
}

fn find_value(values: &HashMap<&str, usize>, name: &str) -> Result<usize, String> {
    let found = values.get(name).copied();
    found.ok_or_else(|| format!("no item has the value `{}`", shown(name)))
}

/// Affinities by trait, value and value. If only one of two directions is given, the other
/// direction is the same.
fn read_affinities(value: &Value, pool: &Pool) -> Result<BTreeMap<usize, Affinity>, String> {
    let mut affinities = BTreeMap::new();
    for (name, rows) in pairs(value)? {
        let (t, values) = find_trait(pool, name)?;
        let name = shown(name);
        if values.len() > MOST_VALUES {
            return Err(format!("`{name}` has more than {MOST_VALUES} values"));
        }
        let mut given = BTreeMap::new();
        for (value, row) in pairs(rows).map_err(|why| format!("`{name}`: {why}"))? {
            let from = find_value(&values, value).map_err(|why| format!("`{name}`: {why}"))?;
            let wrong = |why: String| format!("`{name}`, `{}`: {why}", shown(value));
            for (other, number) in pairs(row).map_err(wrong)? {
                let to = find_value(&values, other).map_err(wrong)?;
                given.insert((from, to), entry(number).map_err(wrong)?);
            }
        }
        let mut both = given.clone();
        for (&(from, to), &number) in &given {
            both.entry((to, from)).or_insert(number);
        }
        let mut partners = vec![Vec::new(); values.len()];
        for (&(from, to), &number) in &both {
            partners[from].push((to, number, both[&(to, from)]));
        }
        affinities.insert(t, Affinity(partners));
    }
    Ok(affinities)
}

/// Reads the worth of values on nodes by trait, node and value.
fn read_places(
    value: &Value,
    pool: &Pool,
    graph: &Graph,
) -> Result<BTreeMap<usize, Places>, String> {
    let mut places = BTreeMap::new();
    for (name, rows) in pairs(value)? {
        let (t, values) = find_trait(pool, name)?;
        let name = shown(name);
        let mut given = BTreeMap::new();
        for (at, row) in pairs(rows).map_err(|why| format!("`{name}`: {why}"))? {
            let wrong = |why: String| format!("`{name}`, `{}`: {why}", shown(at));
            let node = graph.nodes.iter().position(|known| known == at);
            let node = node.ok_or_else(|| format!("`{name}`: `{}` is no node", shown(at)))?;
            for (value, number) in pairs(row).map_err(wrong)? {
                let value = find_value(&values, value).map_err(wrong)?;
                given.insert((node, value), entry(number).map_err(wrong)?);
            }
        }
        places.insert(t, given);
    }
    Ok(places)
}
