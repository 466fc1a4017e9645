//! Party building: a different item for every node of a graph, as cheaply as the requirements
//! allow.
//!
//! An instance is one JSON object: a pool of items, and under `puzzle` the requirements on a team.
//! This is the document that the program writes into records and certificates: tables of items
//! (CSV) are never read here. The pool has one of two layouts.
//!
//! In *rows*, an item is a list: the codes of its traits (below the trait's size), its numbers
//! (`level` if `numbers` are not named) and its price:
//!
//! ```json
//! {"traits": ["race", "nation"], "sizes": [12, 60], "numbers": ["level"],
//!  "heroes": [[3, 17, 84, 1200]]}
//! ```
//!
//! Names of codes may be given by `"values": [["human", "dwarf"]]` instead of `sizes`.
//!
//! In *objects*, an item has its properties by name. A key is a trait if any item has a text under
//! it or if it is in `traits`, and otherwise a number:
//!
//! ```json
//! {"items": [{"name": "Aria", "race": "elf", "level": 84, "price": 1200}]}
//! ```
//!
//! Prices may be decimals. All sums of prices are counted in whole parts: hundredths if the finest
//! price has two decimals, or the number of decimals that `decimals` beside the items gives. Names
//! of traits and numbers in the puzzle may differ from the names of the items in upper and lower
//! case, if only one of them fits. Several items may have the same name; the puzzle then refers to
//! them by their numbers.
//!
//! Beside the pool are the graph (`"nodes": ["GK", "RB"], "edges": [[0, "RB"]]`) and the steps of
//! synergy (`"synergy": {"thr": [0.3, 1, 1.6], "score": [3, 6, 9, 10]}`). Values of the puzzle
//! override the values of the pool.
//!
//! ```json
//! {"synergy": {"at_least": 0.9, "traits": ["race"]},
//!  "requirements": [
//!    {"average": "level", "at_least": 75},
//!    {"count": {"race": ["elf", "dwarf"]}, "exactly": 3}],
//!  "fixed": [{"item": "Aria", "node": "GK"}, 17], "excluded": [4], "owned": ["Borin"]}
//! ```
//!
//! A requirement is the `sum`, `average` or `rating` of a number or of the price (`price`, 0 for
//! owned items, unless a number has this name), the `count` of items with some
//! values of a trait, the number of its `distinct` values, or the number of items with its most
//! frequent value (`same`). All given bounds must be satisfied. Synergy compares the items at both
//! ends of every link. The mean of a node is the number of traits that its item shares with its
//! neighbours, divided by the number of neighbours (0 without links). A node has the points of the
//! highest step that its mean reaches. Synergy is the hundredth part of the sum of all points, at
//! most 1.
//!
//! Points may depend on an item's position, its value of one trait. `"positions": {"trait":
//! "position", "whole": 3, "other": 1.5, "factors": {"GK": {"keeper": 3, "back": 0.5}}}` of
//! `synergy` multiplies the points on a node by its factor and divides them by `whole`.
//!
//! Synergy is defined by matrices instead if there is `affinity` or `places`:
//!
//! ```json
//! {"synergy": {"at_least": 2.5, "whole": 10, "flows": [[0, 3], [1, 0]],
//!   "affinity": {"race": {"elf": {"elf": 3, "orc": -2}}}, "places": {"race": {"GK": {"elf": 4}}}}}
//! ```
//!
//! For every ordered pair of nodes and every trait, the flow is multiplied by the affinity of the
//! first node's value to the second one's. Rows of `flows` are the nodes where flow begins; the
//! diagonal is 0. The worths of values on their nodes (`places`) are added to the sum of these
//! products, and the total is divided by `whole` (1 by default). Synergy may be negative or above
//! one. If an affinity is given in one direction only, it is the same in the other; absent entries
//! are 0. Flows replace `edges` as links; without `flows` every edge has a flow of 1 from its first
//! to its second node. `traits`, `thr`, `score` and `positions` of the puzzle cannot be combined
//! with matrices, and `flows` and `whole` only with them.
//!
//! A solution is a sequence of item numbers, counted from 0, one for every node in the order of
//! `nodes`. Its value is the sum of the prices, where owned items cost nothing, or of an
//! `objective` of weights such as {"price": 1, "level": -20}, a whole number of the parts of prices
//! for every item. All arithmetic is in whole numbers.
//!
//! Reference: "Automated graph genetic algorithm based puzzle validation for faster game design",
//! 2022, section IV.

mod amount;
mod certificate;
mod decimal;
mod graph;
mod matrices;
mod pool;
mod positions;
mod rules;
mod text;

use crate::{
    Loaded, Position,
    json::{self, Value},
    loaded,
    spec::{self, Options},
    text::{is_number, words},
};
use rules::Rules;
use text::shown;

/// The message for a word that is not a move.
const NOTATION: &str = "a move is the number of the next node's item, counted from 0";

struct Party {
    /// The document of the instance.
    document: Value,
    rules: Rules,
    /// The items so far, in the order of the nodes.
    team: Vec<usize>,
}

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    let [] = spec::choose(options, "party has", [])?;
    loaded(json::read(instance).and_then(|document| {
        let rules = rules::read(&document)?;
        Ok(Party { document, rules, team: Vec::new() })
    }))
}

impl Party {
    /// The rule that forbids an item on the next node.
    fn refusal(&self, item: usize) -> Option<String> {
        let (rules, node) = (&self.rules, self.team.len());
        let items = rules.pool.prices.len();
        let name = |node: usize| format!("node `{}`", shown(&rules.graph.nodes[node]));
        if node >= rules.nodes() {
            return Some(format!("all {node} nodes are filled"));
        }
        if item >= items {
            return Some(format!("there is no such item, only 0 to {}", items - 1));
        }
        if rules.excluded[item] {
            return Some(format!("item {item} is excluded"));
        }
        if let Some(other) = self.team.iter().position(|&other| other == item) {
            return Some(format!("item {item} is on {} already", name(other)));
        }
        if let Some(fixed) = rules.fixed_on[node]
            && fixed != item
        {
            return Some(format!("item {fixed} is fixed on {}", name(node)));
        }
        if let Some(Some(wanted)) = rules.fixed.get(&item)
            && *wanted != node
        {
            let (wanted, node) = (name(*wanted), name(node));
            return Some(format!("item {item} is fixed on {wanted}, and this is {node}"));
        }
        None
    }
}

impl Position for Party {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        words(solution, is_number, NOTATION, |word| shown(word))
    }

    fn legal_actions(&self) -> Vec<String> {
        let items = 0..self.rules.pool.prices.len();
        let legal = items.filter(|&item| self.refusal(item).is_none());
        legal.map(|item| item.to_string()).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        if !is_number(action) {
            return Err(NOTATION.to_owned());
        }
        // A number too long to be parsed is not an item either.
        let item = action.parse().unwrap_or(usize::MAX);
        self.refusal(item).map_or(Ok(()), Err)?;
        self.team.push(item);
        Ok(())
    }

    fn missing(&self) -> Option<String> {
        let nodes = self.rules.nodes();
        if self.team.len() < nodes {
            return Some(format!("{} of {nodes} nodes are filled", self.team.len()));
        }
        if let Some(item) = self.rules.fixed.keys().find(|item| !self.team.contains(item)) {
            return Some(format!("item {item} is fixed, but not in the team"));
        }
        let violation = |requirement| self.rules.violation(requirement, &self.team);
        let violations: Vec<String> =
            self.rules.requirements.iter().filter_map(violation).collect();
        (!violations.is_empty()).then(|| violations.join("; "))
    }

    fn value(&self) -> i64 {
        self.team.iter().map(|&item| self.rules.costs[item]).sum()
    }

    /// The same puzzle with the items so far fixed on their nodes. A solution of it lists all nodes
    /// again.
    fn text(&self) -> String {
        let mut fixed = self.rules.fixed.clone();
        for (node, &item) in self.team.iter().enumerate() {
            fixed.insert(item, Some(node));
        }
        let entry = |(item, node): (usize, Option<usize>)| {
            let pairs = [("item", Some(item)), ("node", node)].into_iter();
            let pairs = pairs.filter_map(|(key, number)| {
                Some((key.to_owned(), Value::Number(number?.to_string())))
            });
            Value::Object(pairs.collect())
        };
        let list = fixed.into_iter().map(entry).collect();
        let mut puzzle = self.document.get("puzzle").cloned().unwrap_or(Value::Null);
        puzzle.set("fixed", Value::List(list));
        let mut document = self.document.clone();
        document.set("puzzle", puzzle);
        document.to_string()
    }

    fn certificate(&self, text: &str) -> Result<Option<i64>, String> {
        certificate::verify(&self.rules, &json::read(text)?)
    }

    fn rewind(&mut self) -> bool {
        self.team.clear();
        true
    }
}
