//! Small random puzzles, and the paper's, for tests.

use crate::{Party, Team, generate, rules};
use unriddle_core::Rng;

/// A puzzle of four nodes and fourteen items, with some requirements of all kinds; the synergy of
/// every third is by matrices.
pub(super) fn random(seed: u64) -> Party {
    let mut rng = Rng::new(seed);
    let size = generate::World {
        heroes: 14,
        races: 4,
        religions: 5,
        nations: 5,
        ..generate::World::default()
    };
    let pool = generate::world(&size, &mut rng);
    let mut draw = |from: u64, to: u64| from + rng.below(to - from + 1);
    let mut kinds = vec![
        format!(r#"{{"average": "level", "at_least": {}}}"#, draw(62, 74)),
        format!(r#"{{"distinct": "nation", "at_least": {}}}"#, draw(1, 4)),
        format!(r#"{{"same": "religion", "at_most": {}}}"#, draw(1, 3)),
        format!(r#"{{"distinct": "religion", "at_most": {}}}"#, draw(1, 3)),
        format!(r#"{{"same": "race", "at_least": {}}}"#, draw(1, 4)),
        format!(r#"{{"rating": "level", "at_least": {}}}"#, draw(62, 74)),
        format!(r#"{{"count": {{"race": ["elf", "dwarf"]}}, "exactly": {}}}"#, draw(0, 3)),
    ];
    kinds.retain(|_| draw(0, 2) == 0);
    let fixed = match draw(0, 3) {
        0 => r#"{"item": 3, "node": "b"}"#,
        _ => "",
    };
    let synergy = match seed % 3 {
        0 => matrices(&mut draw),
        _ => format!(r#""at_least": 0.{}"#, draw(15, 38)),
    };
    let text = format!(
        r#"{{"nodes": ["a", "b", "c", "d"], "edges": [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]],
            "synergy": {{{synergy}}}, "requirements": [{}], "fixed": [{fixed}], "excluded": [5]}}"#,
        kinds.join(", ")
    );
    rules::party(pool, &text).unwrap()
}

/// The key of the worths of values on nodes.
const PLACES: &str = "\"places\"";

/// A synergy by matrices that uses all of their features.
fn matrices(draw: &mut impl FnMut(u64, u64) -> u64) -> String {
    let flows = match draw(0, 1) {
        0 => String::new(),
        _ => format!(
            r#""flows": [[0, 2, -1, {a}], [{b}, 0, 1, 0], [0, 1, 0, 1], [1, 0, {b}, 0]], "#,
            a = draw(0, 2),
            b = draw(0, 2),
        ),
    };
    format!(
        r#"{flows}"whole": 3, "at_least": {}.5, "affinity": {{
            "race": {{"human": {{"human": {}, "elf": -2}}, "elf": {{"dwarf": {}, "elf": 1}}}},
            "nation": {{"nation 1": {{"nation 3": {}, "nation 2": 2}}, "nation 2": {{"nation 2": {}}}}}}},
            {PLACES}: {{"religion": {{"a": {{"religion 3": 3}}, "c": {{"religion 1": {}, "religion 2": -2}}}}}}"#,
        draw(0, 4),
        draw(0, 4),
        draw(1, 4),
        draw(1, 4),
        draw(0, 4),
        draw(1, 4),
    )
}

/// The paper's three types on a generated world.
pub(super) fn paper(seed: u64) -> [Party; 3] {
    use generate::Kind::{One, Three, Two};
    let pool = generate::world(&generate::World::default(), &mut Rng::new(seed));
    [One, Two, Three(3)].map(|kind| {
        let text = kind.text(&pool.items).unwrap();
        rules::party(pool.clone(), &text).unwrap()
    })
}

/// Calls `visit` with all teams of a puzzle of four nodes, whatever is required of them.
pub(super) fn teams(party: &Party, mut visit: impl FnMut(&Team<'_>)) {
    let n = party.items.len() as u32;
    for a in 0..n {
        for b in 0..n {
            for c in 0..n {
                for d in 0..n {
                    let items = [a, b, c, d];
                    let twice = (0..4).any(|i| items[..i].contains(&items[i]));
                    let fixed = party.fixed.iter().all(|&(item, node)| match node {
                        Some(node) => items[node] == item,
                        None => items.contains(&item),
                    });
                    if !twice && fixed && items.iter().all(|&i| party.allowed[i as usize]) {
                        visit(&Team::new(party, &items));
                    }
                }
            }
        }
    }
}

/// The cheapest team by trying all of them; four nodes.
pub(super) fn cheapest(party: &Party) -> Option<i64> {
    let mut best = None;
    teams(party, |team| {
        if best.is_none_or(|best| team.cost() < best) && team.is_feasible() {
            best = Some(team.cost());
        }
    });
    best
}
