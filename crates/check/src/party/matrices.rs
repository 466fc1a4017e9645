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
use std::collections::{BTreeMap, BTreeSet, HashMap};

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

/// Affinities of a trait by value and value, or worths by node and value; absent entries are 0.
type Entries = BTreeMap<(usize, usize), i64>;

/// Synergy by matrices. Amounts are in parts, and a synergy of 1 has `full` parts: twice `whole`,
/// because each link counts at both its ends.
pub(super) struct Matrices {
    pub(super) full: i64,
    /// Flow from each node to each other node.
    flows: Vec<Vec<i64>>,
    affinities: BTreeMap<usize, Affinity>,
    /// The worths of values on nodes.
    places: BTreeMap<usize, Entries>,
}

/// Affinities between the items of one team, computed once because a search of placements needs
/// them often.
pub(super) struct Affinities<'a> {
    pub(super) matrices: &'a Matrices,
    /// For each item and another one, the affinity of the first to the second and back.
    between: BTreeMap<(usize, usize), (i128, i128)>,
}

impl Affinity {
    /// The affinities of a trait with this number of values. If only one of two directions is
    /// given, the other direction is the same.
    fn of(given: &Entries, values: usize) -> Self {
        let mut both = given.clone();
        for (&(from, to), &number) in given {
            both.entry((to, from)).or_insert(number);
        }
        let mut partners = vec![Vec::new(); values];
        for (&(from, to), &number) in &both {
            partners[from].push((to, number, both[&(to, from)]));
        }
        Self(partners)
    }

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
        let of: BTreeSet<usize> =
            self.affinities.keys().chain(self.places.keys()).copied().collect();
        Vec::from_iter(of)
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
        let of = |(&t, places): (&usize, &Entries)| {
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
        let pairs = team.iter().flat_map(|&item| team.iter().map(move |&other| (item, other)));
        let between = pairs.map(|(a, b)| ((a, b), matrices.between(pool, a, b))).collect();
        Self { matrices, between }
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
    match (first_of(&KINDS), first_of(&ADDED), first_of(&OTHERS)) {
        (None, None, _) => return Ok(None),
        (None, Some(key), _) => {
            return Err(format!(
                "synergy: `{key}` goes with matrices, and there is neither `affinity` nor `places`"
            ));
        }
        (Some(_), _, Some(key)) => {
            return Err(format!("synergy: `{key}` does not go with matrices"));
        }
        (Some(_), _, None) => {}
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
    let affinities = synergy
        .get("affinity")
        .map(|value| read_entries(value, pool, MOST_VALUES, find_value).map_err(wrong("affinity")));
    let affinities = affinities.transpose()?.unwrap_or_default();
    let affinities = affinities.into_iter().map(|(t, given)| {
        let values = pool.traits[t].values.len();
        (t, Affinity::of(&given, values))
    });
    let node = |_: &Values<'_>, name: &str| {
        let node = graph.nodes.iter().position(|known| known == name);
        node.ok_or_else(|| format!("`{}` is no node", shown(name)))
    };
    let places = synergy
        .get("places")
        .map(|value| read_entries(value, pool, usize::MAX, node).map_err(wrong("places")));
    let places = places.transpose()?.unwrap_or_default();
    Ok(Some(Matrices { full: 2 * whole, flows, affinities: affinities.collect(), places }))
}

/// A whole number in a range. It is written without point and exponent, and 0 without a sign, so
/// that no reader converts it to a double.
fn whole(value: &Value, range: std::ops::RangeInclusive<i64>) -> Result<i64, String> {
    let literal = value.as_literal().filter(|literal| *literal != "-0");
    let read = literal.and_then(|literal| literal.parse().ok());
    read.filter(|number| range.contains(number)).ok_or_else(|| {
        let (least, most) = range.into_inner();
        format!("{} is no whole number from {least} to {most}", shown(value))
    })
}

fn entry(value: &Value) -> Result<i64, String> {
    whole(value, -MOST_ENTRY..=MOST_ENTRY)
}

/// Gives every link a flow of 1 from its first to its second node.
fn read_edges(graph: &Graph) -> Vec<Vec<i64>> {
    let nodes = graph.nodes.len();
    let mut flows = vec![vec![0; nodes]; nodes];
    for &(from, to) in &graph.links {
        flows[from][to] = 1;
    }
    flows
}

fn read_flows(value: &Value, graph: &mut Graph) -> Result<Vec<Vec<i64>>, String> {
    let nodes = graph.nodes.len();
    let rows = value.as_list().filter(|rows| rows.len() == nodes);
    let rows = rows.ok_or_else(|| format!("expected {nodes} rows, one for every node"))?;
    let mut flows = Vec::new();
    for (from, row) in rows.iter().enumerate() {
        let row = row.as_list().filter(|row| row.len() == nodes);
        let row = row.ok_or_else(|| format!("row {from}: expected {nodes} numbers"))?;
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
    graph.links = links;
    Ok(flows)
}

/// The keys and values of an object.
fn pairs(value: &Value) -> Result<&[(String, Value)], String> {
    value.as_object().ok_or_else(|| format!("expected an object, found {}", shown(value)))
}

/// The indices of a trait's values by name.
type Values<'a> = HashMap<&'a str, usize>;

fn find_value(values: &Values<'_>, name: &str) -> Result<usize, String> {
    let found = values.get(name).copied();
    found.ok_or_else(|| format!("no item has the value `{}`", shown(name)))
}

/// Reads entries by trait (with at most `most_values` values), by a key whose index `find` returns,
/// and by value.
fn read_entries(
    value: &Value,
    pool: &Pool,
    most_values: usize,
    find: impl Fn(&Values<'_>, &str) -> Result<usize, String>,
) -> Result<BTreeMap<usize, Entries>, String> {
    let mut entries = BTreeMap::new();
    for (name, rows) in pairs(value)? {
        let (found, name) = (pool.find_trait(name), shown(name));
        let t = found.ok_or_else(|| format!("there is no trait `{name}`"))?;
        let values = (0..).zip(&pool.traits[t].values);
        let values: Values<'_> = values.map(|(i, value)| (value.as_str(), i)).collect();
        if values.len() > most_values {
            return Err(format!("`{name}` has more than {most_values} values"));
        }
        let wrong = |why: String| format!("`{name}`: {why}");
        let mut given = BTreeMap::new();
        for (key, row) in pairs(rows).map_err(wrong)? {
            let at = find(&values, key).map_err(wrong)?;
            let wrong = |why: String| format!("`{name}`, `{}`: {why}", shown(key));
            for (value, number) in pairs(row).map_err(wrong)? {
                let value = find_value(&values, value).map_err(wrong)?;
                given.insert((at, value), entry(number).map_err(wrong)?);
            }
        }
        entries.insert(t, given);
    }
    Ok(entries)
}
