//! Seeded puzzles for a pool: varied puzzles, puzzles with synergy by matrices, and puzzles without
//! a team.

use super::{Team, items::Items, read, rules};
use serde_json::{Map, Value, json};
use unriddle_core::Rng;

/// A puzzle with one to four requirements of any kind, most of which some team satisfies. `None` if
/// the items do not have two traits and a number.
#[must_use]
pub fn varied(items: &Items, rng: &mut Rng) -> Option<String> {
    let pool = Pool::of(items)?;
    let mut kinds = pool.kinds(rng);
    let kept: Vec<Value> = (0..1 + rng.below(4))
        .map(|_| kinds.swap_remove(rng.below(kinds.len() as u64) as usize))
        .collect();
    let synergy = 50 + 5 * rng.below(8);
    Some(pool.file(synergy, &kept))
}

/// A varied puzzle with two or three more requirements that contradict each other. `None` as for
/// varied puzzles, or if no level is out of reach.
#[must_use]
pub fn impossible(items: &Items, nodes: usize, rng: &mut Rng) -> Option<String> {
    let pool = Pool::of(items)?;
    let mut kinds = pool.kinds(rng);
    let (first, second) = (pool.value(0, rng), pool.value(0, rng));
    let half = nodes / 2 + 1;
    let contradiction = match rng.below(4) {
        // More items than nodes.
        0 if first != second => {
            vec![pool.count(0, &first, "at_least", half), pool.count(0, &second, "at_least", half)]
        }
        // Many equal values, and many different ones.
        1 => vec![
            json!({"same": pool.traits[0], "at_least": half}),
            json!({"distinct": pool.traits[0], "at_least": nodes - half + 2}),
        ],
        // A mean above the mean of the best items.
        2 => vec![json!({"average": pool.number, "at_least": pool.mean_of_best(nodes) + 1})],
        // Counts that cannot add up to all nodes.
        _ => vec![
            pool.count(0, &first, "at_most", 1),
            json!({"count": pool.others(0, &first), "at_most": nodes - 2}),
        ],
    };
    let mut kept = vec![kinds.swap_remove(rng.below(kinds.len() as u64) as usize)];
    kept.extend(contradiction);
    Some(pool.file(50, &kept))
}

/// Number of random teams; the best of them sets the synergy that a puzzle with matrices asks for.
const TEAMS: usize = 300;

/// A mean level and a synergy by matrices: affinities of the first trait's values, worths of some
/// nodes, and flows in every other puzzle. The required synergy is the greatest synergy of some
/// random teams. `None` as for varied puzzles, or without a formation.
#[must_use]
pub fn matched(pool: &read::Pool, rng: &mut Rng) -> Option<String> {
    let of = Pool::of(&pool.items)?;
    let formation = pool.formation.as_ref()?;
    let values = &pool.items.traits[0].values;
    let mut draw = |from: i64, to: i64| from + rng.below((to - from + 1) as u64) as i64;
    let any = |draw: &mut dyn FnMut(i64, i64) -> i64| {
        values[draw(0, values.len() as i64 - 1) as usize].clone()
    };
    let mut affinity = Map::new();
    for value in values {
        let row = json!({any(&mut draw): draw(-3, 4), value: draw(0, 3)});
        affinity.insert(value.clone(), row);
    }
    let mut places = Map::new();
    for name in formation.names() {
        if draw(0, 2) == 0 {
            places.insert(name.clone(), json!({any(&mut draw): draw(1, 6)}));
        }
    }
    let mut synergy = json!({"whole": 10, "affinity": {of.traits[0]: affinity}, "places": {of.traits[0]: places}});
    if draw(0, 1) == 0 {
        let mut flows = vec![vec![0; formation.nodes()]; formation.nodes()];
        for &(a, b) in formation.links() {
            flows[usize::from(a)][usize::from(b)] = draw(0, 3);
            flows[usize::from(b)][usize::from(a)] = draw(0, 1);
        }
        synergy["flows"] = json!(flows);
    }
    let mean = json!({"average": of.number, "at_least": draw(60, 80)});
    let text = |synergy: &Value| json!({"synergy": synergy, "requirements": [mean]}).to_string();
    let party = rules::party(pool.clone(), &text(&synergy)).ok()?;
    let mut most = i64::MIN;
    for _ in 0..TEAMS {
        let item = || rng.below(party.items.len() as u64) as u32;
        let team: Vec<u32> = std::iter::repeat_with(item).take(formation.nodes()).collect();
        most = most.max(Team::new(&party, &team).synergy());
    }
    let tenths = (10 * most).div_euclid(party.synergy.whole());
    synergy["at_least"] = json!(tenths as f64 / 10.0);
    Some(text(&synergy))
}

/// The traits and the number that requirements are made of.
struct Pool<'a> {
    items: &'a Items,
    traits: Vec<&'a str>,
    number: &'a str,
}

impl<'a> Pool<'a> {
    fn of(items: &'a Items) -> Option<Self> {
        let traits = items.trait_names();
        let number = items.numbers.first()?.name.as_str();
        (traits.len() >= 2 && !items.is_empty()).then_some(Self { items, traits, number })
    }

    /// Requirements that many teams keep.
    fn kinds(&self, rng: &mut Rng) -> Vec<Value> {
        let mut draw = |from: u64, to: u64| from + rng.below(to - from + 1);
        let [first, second] = [self.traits[0], self.traits[1]];
        let third = self.traits.get(2).unwrap_or(&second);
        let mut kinds = vec![
            json!({"average": self.number, "at_least": draw(60, 82)}),
            json!({"rating": self.number, "at_least": draw(60, 80)}),
            json!({"distinct": second, "at_least": draw(2, 6)}),
            json!({"distinct": third, "at_least": draw(2, 6)}),
            json!({"same": second, "at_most": draw(2, 5)}),
            json!({"same": first, "at_least": draw(3, 6)}),
        ];
        let least = draw(2, 6) as usize;
        let value = self.value(0, rng);
        kinds.push(self.count(0, &value, "at_least", least));
        kinds
    }

    /// A value of a trait, the more likely the more items have it.
    fn value(&self, t: usize, rng: &mut Rng) -> String {
        let found = &self.items.traits[t];
        let item = rng.below(self.items.len() as u64) as usize;
        found.values[usize::from(found.codes[item])].clone()
    }

    fn count(&self, t: usize, value: &str, bound: &str, count: usize) -> Value {
        json!({"count": {self.traits[t]: value}, bound: count})
    }

    /// All values of a trait but one.
    fn others(&self, t: usize, value: &str) -> Value {
        let values = self.items.traits[t].values.iter();
        let others: Vec<&String> = values.filter(|other| *other != value).collect();
        json!({self.traits[t]: others})
    }

    /// The mean of the highest numbers, rounded up, in whole units.
    fn mean_of_best(&self, nodes: usize) -> i64 {
        let number = &self.items.numbers[0];
        let mut values = number.values.clone();
        values.sort_unstable_by(|a, b| b.cmp(a));
        let best: i64 = values.iter().take(nodes).sum();
        let units = nodes.max(1) as i64 * 10i64.pow(number.places);
        -(-best).div_euclid(units)
    }

    fn file(&self, synergy: u64, requirements: &[Value]) -> String {
        let synergy = json!({"at_least": synergy as f64 / 100.0});
        json!({"synergy": synergy, "requirements": requirements}).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        generate::{World, world},
        rules::party,
    };

    #[test]
    fn puzzles_are_read_for_any_world() {
        let pool = world(&World::default(), &mut Rng::new(1));
        for seed in 0..200 {
            let rng = &mut Rng::new(seed);
            for text in [varied(&pool.items, rng), impossible(&pool.items, 11, rng)] {
                let text = text.unwrap();
                let read = party(pool.clone(), &text);
                let requirements = read.unwrap_or_else(|e| panic!("{text}: {e:?}")).requirements;
                assert!((2..=5).contains(&requirements.len()), "{text}");
            }
        }
        for seed in 0..20 {
            let text = matched(&pool, &mut Rng::new(seed)).unwrap();
            let read = party(pool.clone(), &text).unwrap();
            assert!(
                matches!(read.synergy, crate::Synergy::Matrices(_)) && read.requirements.len() == 2
            );
        }
        let bare = Items { traits: Vec::new(), ..pool.items };
        assert_eq!(varied(&bare, &mut Rng::new(1)), None);
    }
}
