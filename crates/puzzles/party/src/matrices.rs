//! Reads synergy by matrices from a puzzle:
//!
//! ```json
//! {"synergy": {"at_least": 2.5, "whole": 4,
//!   "flows": [[0, 3, 1], [3, 0, 0], [1, 0, 0]],
//!   "affinity": {"race": {"elf": {"elf": 3, "orc": -2}}},
//!   "places": {"class": {"front": {"knight": 5}}}}}
//! ```
//!
//! `flows` is a row for every node; it replaces the formation's edges. Without it, each edge has a
//! flow of 1 from its first to its second node. An affinity that is given in one direction only
//! holds in both directions. Missing entries are 0, and sums are divided by `whole` (1 by default).

use super::{
    Formation, Matrices,
    errors::Errors,
    items::{Items, Trait},
    synergy::{Affinity, Flow, MOST_VALUES, MOST_WEIGHT, MOST_WHOLE, Places},
};
use serde_json::{Map, Value};

/// Keys of a synergy by matrices, besides its bounds.
const KEYS: [&str; 4] = ["whole", "flows", "affinity", "places"];

/// The keys of which one makes it a synergy by matrices.
const NEEDED: [&str; 2] = ["affinity", "places"];

/// Keys that only a link table has.
const TABLE_KEYS: [&str; 4] = ["traits", "thr", "score", "positions"];

/// Whether a synergy is by matrices. Keys that have no effect are reported.
pub(super) fn has_matrices(synergy: &Map<String, Value>, errors: &mut Errors) -> bool {
    let has = |key: &&&str| synergy.contains_key(**key);
    let by_matrices = NEEDED.iter().any(|key| has(&key));
    let (others, of) = if by_matrices {
        (&TABLE_KEYS[..], "a link table, which `affinity` and `places` replace")
    } else {
        (&KEYS[..2], "matrices, and neither `affinity` nor `places` is given")
    };
    for key in others.iter().filter(has) {
        errors.tell("synergy", format!("`{key}` belongs to {of}"));
    }
    by_matrices
}

/// The matrices, and the formation with links where something flows; `None` if something is wrong.
pub(super) fn matrices(
    synergy: &Map<String, Value>,
    items: &Items,
    formation: Formation,
    errors: &mut Errors,
) -> Option<(Formation, Matrices)> {
    let before = errors.count();
    let whole = match synergy.get("whole") {
        None => 1,
        Some(value) => within(value, 1, MOST_WHOLE).unwrap_or_else(|| {
            let why = format!("`whole` is {value}, expected a whole number from 1 to {MOST_WHOLE}");
            errors.tell("synergy", why);
            1
        }),
    };
    let (formation, flows) = match synergy.get("flows") {
        None => {
            let flows = vec![Flow { there: 1, back: 0 }; formation.links().len()];
            (formation, flows)
        }
        Some(value) => flows(value, &formation, errors)?,
    };
    let mut reader = Reader { items, formation: &formation, errors };
    let affinities = reader.affinities(synergy.get("affinity"));
    let places = reader.places(synergy.get("places"));
    (errors.count() == before).then(|| (formation, Matrices::new(flows, affinities, places, whole)))
}

fn within(value: &Value, least: i64, most: i64) -> Option<i64> {
    value.as_i64().filter(|n| (least..=most).contains(n))
}

fn weight(value: &Value) -> Option<i64> {
    within(value, -MOST_WEIGHT, MOST_WEIGHT)
}

/// The flows of a square matrix, and the formation with a link for each pair of nodes between which
/// something flows.
fn flows(
    value: &Value,
    formation: &Formation,
    errors: &mut Errors,
) -> Option<(Formation, Vec<Flow>)> {
    const PLACE: &str = "synergy.flows";
    let nodes = formation.nodes();
    let row = |row: &Value| -> Option<Vec<i64>> {
        let row = row.as_array().filter(|row| row.len() == nodes)?;
        row.iter().map(weight).collect()
    };
    let Some(list) = value.as_array().filter(|list| list.len() == nodes) else {
        return errors.refuse(PLACE, format!("expected {nodes} rows, one for each node"));
    };
    let mut rows = Vec::new();
    for (i, value) in list.iter().enumerate() {
        let why = match row(value) {
            None => format!("expected {nodes} whole numbers from −{MOST_WEIGHT} to {MOST_WEIGHT}"),
            Some(row) if row[i] != 0 => "something flows from the node to itself".to_owned(),
            Some(row) => {
                rows.push(row);
                continue;
            }
        };
        errors.tell(format!("{PLACE}[{i}]"), why);
    }
    if rows.len() < nodes {
        return None;
    }
    let (mut links, mut flows) = (Vec::new(), Vec::new());
    for (a, row) in rows.iter().enumerate() {
        for (b, other) in rows.iter().enumerate().skip(a + 1) {
            let flow = Flow { there: row[b], back: other[a] };
            if flow != (Flow { there: 0, back: 0 }) {
                links.push((a, b));
                flows.push(flow);
            }
        }
    }
    let formation = Formation::new(formation.names().to_vec(), &links);
    let formation = formation.map_err(|problems| errors.tell_all(PLACE, problems)).ok()?;
    Some((formation, flows))
}

/// Reads objects by trait and value.
struct Reader<'a> {
    items: &'a Items,
    formation: &'a Formation,
    errors: &'a mut Errors,
}

impl<'a> Reader<'a> {
    /// The entries of an object, which may be missing.
    fn entries<'v>(
        &mut self,
        value: Option<&'v Value>,
        place: &str,
        such_as: &str,
    ) -> Vec<(&'v String, &'v Value)> {
        match value {
            None => Vec::new(),
            Some(Value::Object(object)) => object.iter().collect(),
            Some(_) => {
                self.errors.tell(place, format!("expected an object such as {such_as}"));
                Vec::new()
            }
        }
    }

    /// The objects of traits.
    fn of_traits<'v>(
        &mut self,
        value: Option<&'v Value>,
        place: &str,
        such_as: &str,
    ) -> Vec<(usize, &'a Trait, &'v Value)> {
        let items = self.items;
        let mut found = Vec::new();
        for (name, value) in self.entries(value, place, such_as) {
            match items.find_trait(name) {
                Some(t) => found.push((t, &items.traits[t], value)),
                None => self.errors.tell(place, format!("there is no trait `{name}`")),
            }
        }
        found
    }

    /// Weights of values of a trait.
    fn weights(&mut self, of: &Trait, value: &Value, place: &str) -> Vec<(u16, i64)> {
        let mut found = Vec::new();
        for (name, value) in self.entries(Some(value), place, "{\"elf\": 3}") {
            let why = match (of.code(name), weight(value)) {
                (None, _) => format!("`{}` is never `{name}`", of.name),
                (_, None) => format!(
                    "`{name}` is {value}, expected a whole number from −{MOST_WEIGHT} to {MOST_WEIGHT}"
                ),
                (Some(code), Some(weight)) => {
                    found.push((code, weight));
                    continue;
                }
            };
            self.errors.tell(place, why);
        }
        found
    }

    fn affinities(&mut self, value: Option<&Value>) -> Vec<Affinity> {
        const SUCH_AS: &str = "{\"race\": {\"elf\": {\"elf\": 3, \"orc\": -2}}}";
        let mut affinities = Vec::new();
        for (t, of, value) in self.of_traits(value, "synergy.affinity", SUCH_AS) {
            let place = format!("synergy.affinity.{}", of.name);
            let values = of.values.len();
            if values > MOST_VALUES {
                let most = format!("at most {MOST_VALUES} can have affinities");
                self.errors.tell(place, format!("the trait has {values} values, {most}"));
                continue;
            }
            let mut told: Vec<Option<i64>> = vec![None; values * values];
            for (name, value) in self.entries(Some(value), &place, "{\"elf\": {\"orc\": -2}}") {
                let Some(from) = of.code(name) else {
                    self.errors.tell(place.as_str(), format!("`{}` is never `{name}`", of.name));
                    continue;
                };
                for (to, weight) in self.weights(of, value, &format!("{place}.{name}")) {
                    told[usize::from(from) * values + usize::from(to)] = Some(weight);
                }
            }
            let cell = |cell: usize| {
                let turned = cell % values * values + cell / values;
                told[cell].or(told[turned]).unwrap_or(0) as i32
            };
            let matrix = (0..values * values).map(cell).collect();
            affinities.push(Affinity { of: t, values, matrix });
        }
        affinities
    }

    fn places(&mut self, value: Option<&Value>) -> Vec<Places> {
        const SUCH_AS: &str = "{\"class\": {\"front\": {\"knight\": 5}}}";
        let formation = self.formation;
        let mut places = Vec::new();
        for (t, of, value) in self.of_traits(value, "synergy.places", SUCH_AS) {
            let place = format!("synergy.places.{}", of.name);
            let mut worth = vec![vec![0; of.values.len()]; formation.nodes()];
            for (name, value) in self.entries(Some(value), &place, "{\"front\": {\"knight\": 5}}") {
                let Some(node) = formation.names().iter().position(|known| known == name) else {
                    self.errors.tell(place.as_str(), format!("there is no node `{name}`"));
                    continue;
                };
                for (code, weight) in self.weights(of, value, &format!("{place}.{name}")) {
                    worth[node][usize::from(code)] = weight;
                }
            }
            places.push(Places { of: t, worth });
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use crate::{Party, Team, read::pool, rules::party};
    use unriddle_core::Rng;

    const POOL: &str = r#"{"nodes": ["a", "b", "c"], "edges": [[0, 1], [2, 1]], "traits": ["race", "class"],
        "values": [["elf", "orc", "man"], ["knight", "mage"]], "numbers": [],
        "heroes": [[0, 0, 1], [1, 1, 1], [0, 1, 1], [2, 0, 1]]}"#;

    fn read(synergy: &str) -> Result<Party, String> {
        let told = |errors: Vec<_>| errors.iter().map(ToString::to_string).collect::<Vec<_>>();
        let text = format!(r#"{{"synergy": {synergy}}}"#);
        party(pool(POOL).unwrap(), &text).map_err(|errors| told(errors).join("; "))
    }

    /// Computed by hand: flows by edges and by a matrix, affinities in one direction and in both,
    /// worths of nodes.
    #[test]
    fn synergy_is_the_sum_of_flows_times_affinities_and_of_node_worths() {
        let affinity = r#""affinity": {"race": {"elf": {"elf": 3, "orc": -2}, "orc": {"man": 5}, "man": {"orc": 1}}}"#;
        let places = r#""places": {"class": {"a": {"knight": 10}, "c": {"mage": 7, "knight": 1}}}"#;
        let of = |text: &str, items: &[u32]| {
            let party = read(text).unwrap();
            Team::new(&party, items).synergy() as f64 / party.synergy.whole() as f64
        };
        // elf → orc, and man → orc over the edge [2, 1].
        assert_eq!(of(&format!("{{{affinity}}}"), &[0, 1, 3]), -2.0 + 1.0);
        // man → orc and elf → orc, which is given one way only.
        assert_eq!(of(&format!("{{{affinity}}}"), &[3, 1, 2]), 1.0 - 2.0);
        // A knight on a, and one on c.
        assert_eq!(of(&format!("{{{places}}}"), &[0, 1, 3]), 10.0 + 1.0);
        assert_eq!(of(&format!("{{{places}}}"), &[3, 0, 2]), 10.0 + 7.0);
        let flows = r#""whole": 4, "flows": [[0, 2, 1], [3, 0, 0], [0, -1, 0]]"#;
        // a → b twice, b → a three times, a → c once, and c → b subtracted.
        let text = format!("{{{affinity}, {places}, {flows}}}");
        assert_eq!(of(&text, &[0, 1, 3]), f64::from(2 * -2 + 3 * -2 - 1 + 10 + 1) / 4.0);
        assert_eq!(of(&text, &[1, 3, 2]), f64::from(2 * 5 + 3 - 2 + 7) / 4.0);
        let party = read(&text).unwrap();
        assert_eq!(party.formation.links(), [(0, 1), (0, 2), (1, 2)]);
        let bounded = read(&format!(r#"{{{affinity}, "whole": 2, "at_least": -0.75}}"#)).unwrap();
        assert_eq!(bounded.requirements[0].at_least, Some(-3));
    }

    /// Random matrices against naive computations: incremental teams, ranges and steps.
    #[test]
    fn teams_are_as_if_they_were_made_anew() {
        let mut rng = Rng::new(1);
        for _ in 0..50 {
            let mut number = |most: u64| rng.below(2 * most + 1) as i64 - most as i64;
            let mut flows = vec![vec![0; 3]; 3];
            for (a, row) in flows.iter_mut().enumerate() {
                for (b, flow) in row.iter_mut().enumerate() {
                    *flow = if a == b { 0 } else { 6 * number(3) };
                }
            }
            let text = format!(
                r#"{{"flows": {flows:?}, "affinity": {{"race": {{"elf": {{"elf": {}, "orc": {}}}, "orc": {{"elf": {}}}}},
                    "class": {{"mage": {{"mage": {}}}}}}}, "places": {{"race": {{"b": {{"man": {}}}}}}}}}"#,
                number(9),
                number(9),
                number(9),
                number(9),
                4 * number(9)
            );
            let party = read(&text).unwrap();
            let (least, most) = party.synergy.range();
            let step = party.synergy.step();
            let mut team = Team::new(&party, &[0, 1, 2]);
            for _ in 0..100 {
                match rng.below(2) {
                    0 => team.replace(rng.below(3) as usize, rng.below(4) as u32),
                    _ => team.swap(rng.below(3) as usize, rng.below(3) as usize),
                }
                assert_eq!(team, Team::new(&party, team.items()));
                assert!((least..=most).contains(&team.synergy()));
                assert_eq!(team.synergy() % step, 0);
            }
        }
    }

    #[test]
    fn errors_name_the_key_and_the_reason() {
        for (synergy, why) in [
            (r#"{"flows": []}"#, "synergy: `flows` belongs to matrices"),
            (r#"{"whole": 2}"#, "synergy: `whole` belongs to matrices"),
            (r#"{"places": {}, "thr": [1], "score": [1, 2]}"#, "`thr` belongs to a link table"),
            (r#"{"places": {}, "whole": 0}"#, "`whole` is 0"),
            (r#"{"places": {}, "flows": [[0]]}"#, "synergy.flows: expected 3 rows"),
            (
                r#"{"places": {}, "flows": [[0, 1, 1], [0, 2, 1], [1, 10001, 0]]}"#,
                "synergy.flows[1]: something flows from the node to itself; synergy.flows[2]: expected 3 whole numbers",
            ),
            (r#"{"places": 3}"#, "synergy.places: expected an object"),
            (r#"{"places": {"age": {}}}"#, "synergy.places: there is no trait `age`"),
            (r#"{"places": {"race": {"z": {}}}}"#, "synergy.places.race: there is no node `z`"),
            (
                r#"{"places": {"race": {"a": {"z": 1}}}}"#,
                "synergy.places.race.a: `race` is never `z`",
            ),
            (r#"{"affinity": {"race": {"z": {}}}}"#, "synergy.affinity.race: `race` is never `z`"),
            (
                r#"{"affinity": {"race": {"elf": {"orc": 1.5}}}}"#,
                "synergy.affinity.race.elf: `orc` is 1.5, expected a whole number",
            ),
        ] {
            let told = read(synergy).unwrap_err();
            assert!(told.contains(why), "{told}");
        }
    }
}
