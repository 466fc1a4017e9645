//! Seeded worlds of heroes, and the puzzles of the paper.

use super::{
    formation::Formation,
    items::{Items, Number, Trait},
    read::Pool,
    synergy::STEPS,
};
use serde_json::{Value, json};
use unriddle_core::{Info, Options, Rng, Role, options, words};

/// Races by code; elves are the fourth.
const RACES: &str = "human dwarf orc elf halfling gnome troll goblin undead giant dryad dragonkin";

/// The nodes of the formation 4-4-2.
const NODES: [&str; 11] = ["GK", "RB", "RCB", "LCB", "LB", "RM", "RCM", "LCM", "LM", "RS", "LS"];
/// Its links: for each node but the last, the later nodes that it is linked with.
const LINKS: [&[usize]; 10] =
    [&[2, 3], &[2, 5], &[3, 6], &[4, 7], &[8], &[6, 9], &[7, 9], &[8, 10], &[10], &[10]];

/// Declaration of the generator.
pub const WORLD: Info = Info {
    reference: "Automated graph genetic algorithm based puzzle validation for faster game design, 2022, section V-C",
    parameters: World::PARAMETERS,
    ..Info::new(
        Role::Generator,
        "world",
        "a fantasy world of heroes, and a puzzle for ten or eleven of them",
    )
};

words! {
    /// The puzzle of a generated world.
    pub enum WorldPuzzle {
        /// The first type of the paper.
        Type1 = "type1",
        /// The second type of the paper.
        Type2 = "type2",
        /// The third type of the paper.
        Type3 = "type3",
        /// Varied requirements.
        Varied = "varied",
        /// Synergy by matrices.
        Matched = "matched",
        /// Requirements that contradict each other.
        Impossible = "impossible",
    }
}

options! {
    /// Options of the generator of worlds.
    #[derive(Copy, Eq)]
    pub struct World of WORLD {
        puzzle: WorldPuzzle = "type1", positional,
            "kind of the puzzle",
            "A type of the paper (`type1`, `type2`, `type3`), `varied` requirements, synergy by \
             matrices (`matched`), or requirements that contradict each other (`impossible`).";
        /// At least one for each node of the formation.
        heroes: usize = "10000" in 11..=1_000_000, "number of heroes";
        races: usize = "12" in 4..=12, "number of races";
        religions: usize = "40" in 1..=1000, "number of religions";
        nations: usize = "60" in 1..=1000, "number of nations";
        nodes: usize = "11" in 10..=11, "nodes of the formation 4-4-2: 10 without the goalkeeper";
    }
}

/// A generated world. Values of traits are the rarer the later they come. Levels are about normal
/// around 68. A price grows by a sixth with every level, the more unevenly the higher it is. Only
/// sums and products are used, so that the world is the same on every machine.
///
/// Sizes out of bounds are clamped.
#[must_use]
pub fn world(size: &World, rng: &mut Rng) -> Pool {
    let heroes = size.heroes.max(NODES.len());
    let names = |kind: &str, count: usize| -> Vec<String> {
        (1..=count.clamp(1, 1000)).map(|i| format!("{kind} {i}")).collect()
    };
    let mut column = |name: &str, values: Vec<String>| {
        // Weights 1/2, 1/3, 1/4 and so on: the start at 2 makes them less uneven.
        let weights: Vec<f64> = (0..values.len()).map(|i| 1.0 / (i as f64 + 2.0)).collect();
        let all: f64 = weights.iter().sum();
        let draw = |rng: &mut Rng| {
            let mut left = rng.unit() * all;
            let found = weights.iter().position(|weight| {
                left -= weight;
                left < 0.0
            });
            found.unwrap_or(weights.len() - 1) as u16
        };
        Trait { name: name.to_owned(), codes: (0..heroes).map(|_| draw(rng)).collect(), values }
    };
    let traits = vec![
        column("race", RACES.split(' ').take(size.races.clamp(4, 12)).map(String::from).collect()),
        column("religion", names("religion", size.religions)),
        column("nation", names("nation", size.nations)),
    ];
    let (mut levels, mut prices) = (Vec::with_capacity(heroes), Vec::with_capacity(heroes));
    for _ in 0..heroes {
        let level = (68.0 + 8.0 * normal(rng)).clamp(45.0, 98.0).round();
        levels.push(level as i64);
        prices.push(price(level, normal(rng)));
    }
    // The links and names are constants; a test checks that they are valid.
    let first = NODES.len() - size.nodes.clamp(10, NODES.len());
    let later =
        |(a, later): (usize, &&'static [usize])| later.iter().map(move |&b| (a - first, b - first));
    let links: Vec<(usize, usize)> = LINKS.iter().enumerate().skip(first).flat_map(later).collect();
    let names = NODES[first..].iter().map(|&name| name.to_owned()).collect();
    let formation = Formation::new(names, &links).ok();
    Pool {
        name: "fantasy".to_owned(),
        items: Items {
            names: Vec::new(),
            traits,
            numbers: vec![Number { name: "level".to_owned(), places: 0, values: levels }],
            prices,
            price_places: 0,
        },
        formation,
        steps: Some(STEPS.to_vec()),
        unpriced: Vec::new(),
    }
}

/// An approximately normal deviate: the sum of twelve uniform ones.
fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0
}

/// The price of an item of a level, with a noise of `noise` standard deviations.
fn price(level: f64, noise: f64) -> i64 {
    // e^0.15, and (1 + x / 64)^64 for e^x.
    let growth = |base: f64, times: f64| {
        let product = (0..times.abs() as u32).fold(1.0, |product, _| product * base);
        if times < 0.0 { 1.0 / product } else { product }
    };
    let spread = 0.15 + 0.01 * (level - 60.0).max(0.0);
    let of_level = growth(1.161_834_242_728_283, level - 70.0);
    let of_noise = growth(1.0 + spread * noise / 64.0, 64.0);
    (((130.0 + 220.0 * of_level * of_noise) / 50.0).round() * 50.0) as i64
}

/// The paper's three types of puzzles (section V-C).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Synergy 0.8 and mean level 84.
    One,
    /// Synergy 0.9, mean level 75, 8 religions, 6 hometowns, at most 2 heroes of a religion.
    Two,
    /// As the first, with 8 elves; the code of their race.
    Three(u16),
}

impl Kind {
    /// The type with a name: `type1`, `type2`, `type3` or `type3(elf=CODE)`. The code of the elves
    /// is 3 by default.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let elf = |text: &str| {
            let code = text.strip_prefix("(elf=")?.strip_suffix(')')?;
            code.trim().parse().ok()
        };
        match name.trim() {
            "type1" => Some(Self::One),
            "type2" => Some(Self::Two),
            "type3" => Some(Self::Three(3)),
            other => elf(other.strip_prefix("type3")?).map(Self::Three),
        }
    }

    /// The puzzle's file for some items: their first trait is used as race, the second as religion,
    /// the third as hometown, the first number as level. `None` if a trait or the number is
    /// missing.
    #[must_use]
    pub fn text(self, items: &Items) -> Option<String> {
        self.file(items).map(|file| file.to_string())
    }

    /// The object of [`text`](Self::text).
    pub(crate) fn file(self, items: &Items) -> Option<Value> {
        let level = &items.numbers.first()?.name;
        let trait_name = |i: usize| Some(items.traits.get(i)?.name.as_str());
        let synergy = |least: f64| json!({"at_least": least});
        let mean = |least: u32| json!({"average": level, "at_least": least});
        Some(match self {
            Self::One => json!({"synergy": synergy(0.8), "requirements": [mean(84)]}),
            Self::Two => json!({"synergy": synergy(0.9), "requirements": [
                mean(75),
                {"distinct": trait_name(1)?, "at_least": 8},
                {"distinct": trait_name(2)?, "at_least": 6},
                {"same": trait_name(1)?, "at_most": 2},
            ]}),
            Self::Three(elf) => {
                let elf = items.traits.first()?.values.get(usize::from(elf))?;
                let elves = json!({"count": {trait_name(0)?: elf}, "at_least": 8});
                json!({"synergy": synergy(0.8), "requirements": [mean(84), elves]})
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::party;

    #[test]
    fn worlds_are_sound_seeded_and_dear_at_the_top() {
        let pool = world(&World::default(), &mut Rng::new(1));
        assert_eq!(pool, world(&World::default(), &mut Rng::new(1)));
        assert_ne!(pool, world(&World::default(), &mut Rng::new(2)));
        assert!(pool.items.problems().is_empty());
        assert_eq!(pool.formation.as_ref().unwrap().links().len(), 17);
        assert_eq!(pool.items.traits[0].code("elf"), Some(3));
        let levels = &pool.items.numbers[0].values;
        let mean = |from: i64, to: i64| {
            let prices = levels.iter().zip(&pool.items.prices);
            let within: Vec<i64> =
                prices.filter(|(l, _)| (from..to).contains(*l)).map(|(_, &p)| p).collect();
            within.iter().sum::<i64>() as f64 / within.len() as f64
        };
        let (low, middle, high) = (mean(50, 60), mean(68, 72), mean(84, 90));
        assert!(low < middle && 3.0 * middle < high, "{low} {middle} {high}");
        let tiny = World { heroes: 0, races: 0, religions: 0, nations: 0, ..World::default() };
        assert_eq!(world(&tiny, &mut Rng::new(1)).items.len(), 11);
    }

    #[test]
    fn the_papers_puzzles_are_read_for_any_world() {
        let pool = world(&World::default(), &mut Rng::new(1));
        for (kind, requirements) in [(Kind::One, 2), (Kind::Two, 5), (Kind::Three(3), 3)] {
            let text = kind.text(&pool.items).unwrap();
            let party = party(pool.clone(), &text).unwrap();
            assert_eq!(party.requirements.len(), requirements);
            assert_eq!(
                party.requirements[1].at_least,
                Some(11 * if requirements == 5 { 75 } else { 84 })
            );
        }
        assert_eq!(Kind::Three(99).text(&pool.items), None);
    }

    #[test]
    fn ten_nodes_are_the_eleven_without_the_goalkeeper() {
        let eleven = world(&World::default(), &mut Rng::new(1));
        let ten = world(&World { nodes: 10, ..World::default() }, &mut Rng::new(1));
        assert_eq!(ten.items, eleven.items);
        let (ten, eleven) = (ten.formation.unwrap(), eleven.formation.unwrap());
        assert_eq!(ten.names(), &eleven.names()[1..]);
        let without: Vec<(u8, u8)> = (eleven.links().iter())
            .filter(|link| link.0 > 0)
            .map(|link| (link.0 - 1, link.1 - 1))
            .collect();
        assert_eq!(ten.links(), without);
        let kinds = [(Kind::One, 84), (Kind::Two, 75), (Kind::Three(3), 84)];
        for (kind, mean) in kinds {
            let pool = world(&World { nodes: 10, ..World::default() }, &mut Rng::new(1));
            let text = kind.text(&pool.items).unwrap();
            let party = party(pool, &text).unwrap();
            assert_eq!(party.requirements[1].at_least, Some(10 * mean));
        }
    }
}
