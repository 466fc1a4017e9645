//! The pool that a party is chosen from: items with traits, numbers and a price.

/// Largest number of items of a document.
pub(crate) const MOST_ITEMS: usize = 1_000_000;

/// Traits that fit into a packed word.
const LANES: usize = 4;

/// A discrete trait, such as a race: every item has one of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trait {
    /// Its name.
    pub name: String,
    /// The names of its values, by code.
    pub values: Vec<String>,
    /// The code of every item.
    pub codes: Vec<u16>,
}

impl Trait {
    /// The code of a value.
    #[must_use]
    pub fn code(&self, value: &str) -> Option<u16> {
        let at = self.values.iter().position(|name| name == value)?;
        u16::try_from(at).ok()
    }
}

/// A numeric trait, such as a level, as decimals with a fixed number of decimal places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its name.
    pub name: String,
    /// Number of decimal places: values are in units of 10^−`places`.
    pub places: u32,
    /// The value of every item.
    pub values: Vec<i64>,
}

/// Items, with a column for each of their properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Items {
    /// Names of the items; empty if items have only an index.
    pub names: Vec<String>,
    /// Discrete traits.
    pub traits: Vec<Trait>,
    /// Numeric ones.
    pub numbers: Vec<Number>,
    /// Prices, not negative.
    pub prices: Vec<i64>,
    /// Decimal places of prices: they are in units of 10^−`price_places`.
    pub price_places: u32,
}

/// Index of a name in a list: the exact name or, without an exact match, the only name that differs
/// only in upper and lower case.
fn find(names: &[&str], name: &str) -> Option<usize> {
    names.iter().position(|known| *known == name).or_else(|| {
        let folded = name.to_lowercase();
        let is_alike = |known: &&str| known.to_lowercase() == folded;
        let at = names.iter().position(is_alike)?;
        (!names[at + 1..].iter().any(is_alike)).then_some(at)
    })
}

/// A text without control characters, so that it stays on one line whatever a file had in it.
pub(super) fn plain(text: &str) -> String {
    let shown = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(shown).collect()
}

impl Items {
    /// Number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.prices.len()
    }

    /// Whether the pool is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.prices.is_empty()
    }

    /// Index of the discrete trait of a name or, without an exact match, of the only trait whose
    /// name differs only in upper and lower case.
    #[must_use]
    pub fn find_trait(&self, name: &str) -> Option<usize> {
        find(&self.trait_names(), name)
    }

    /// Index of the numeric trait of a name or, without an exact match, of the only trait whose
    /// name differs only in upper and lower case.
    #[must_use]
    pub fn find_number(&self, name: &str) -> Option<usize> {
        find(&self.number_names(), name)
    }

    /// Names of the discrete traits.
    pub(crate) fn trait_names(&self) -> Vec<&str> {
        self.traits.iter().map(|t| t.name.as_str()).collect()
    }

    /// Names of the numeric ones.
    pub(crate) fn number_names(&self) -> Vec<&str> {
        self.numbers.iter().map(|n| n.name.as_str()).collect()
    }

    /// The code of an item's value of the trait `t`.
    #[inline(always)]
    pub(crate) fn code(&self, t: usize, item: u32) -> u16 {
        self.traits[t].codes[item as usize]
    }

    /// An item's value of the number `n`.
    #[inline(always)]
    pub(crate) fn number(&self, n: usize, item: u32) -> i64 {
        self.numbers[n].values[item as usize]
    }

    /// The items of a name. Names of people repeat, so that there may be several.
    pub(crate) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = u32> + 'a {
        let names = self.names.iter().enumerate();
        names.filter(move |(_, known)| *known == name).map(|(item, _)| item as u32)
    }

    /// An item for people: its number, with its name in brackets if it has one.
    #[must_use]
    pub fn label(&self, item: u32) -> String {
        match self.names.get(item as usize) {
            Some(name) => format!("{item} ({})", plain(name)),
            None => item.to_string(),
        }
    }

    /// All mistakes of the items: columns of different lengths, codes without a value, negative
    /// prices.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut tell = |text: String| found.push(text);
        let columns = self.traits.iter().map(|t| (&t.name, t.codes.len()));
        let numbers = self.numbers.iter().map(|n| (&n.name, n.values.len()));
        for (name, len) in columns.chain(numbers) {
            if len != self.len() {
                tell(format!("`{name}`: {len} values for {} items", self.len()));
            }
        }
        for Trait { name, values, codes } in &self.traits {
            let values = values.len();
            for (item, code) in codes.iter().enumerate().filter(|(_, c)| usize::from(**c) >= values)
            {
                tell(format!("item {item}: `{name}` is {code}, but there are {values} values"));
            }
        }
        for (item, price) in self.prices.iter().enumerate().filter(|(_, price)| **price < 0) {
            tell(format!("item {item}: the price {price} is negative"));
        }
        found
    }

    /// Packs the values of `traits`, four to a word, so that shared values of two items are counted
    /// word by word.
    #[must_use]
    pub fn pack(&self, traits: &[usize]) -> Packed {
        let words = traits.len().div_ceil(LANES).max(1);
        let mut packed = vec![0; words * self.len()];
        for (at, &t) in traits.iter().enumerate() {
            for (item, &code) in self.traits[t].codes.iter().enumerate() {
                packed[item * words + at / LANES] |= u64::from(code) << (16 * (at % LANES));
            }
        }
        Packed { words, unused: (words * LANES - traits.len()) as u32, packed }
    }
}

/// Packed traits of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    words: usize,
    /// Number of lanes that are 0 in all items.
    unused: u32,
    packed: Vec<u64>,
}

impl Packed {
    /// Number of traits that two items share.
    #[inline(always)]
    #[must_use]
    pub fn shared(&self, a: u32, b: u32) -> u32 {
        const HIGH: u64 = 0x8000_8000_8000_8000;
        let word = |item: u32, i: usize| self.packed[item as usize * self.words + i];
        let mut same = 0;
        for i in 0..self.words {
            let other = word(a, i) ^ word(b, i);
            // The highest bit of every lane that is not 0, without a carry into the next one.
            let differs = (((other & !HIGH) + !HIGH) | other) & HIGH;
            same += (differs ^ HIGH).count_ones();
        }
        same - self.unused
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Rng;

    fn random(traits: usize, count: usize) -> Items {
        let mut rng = Rng::new(traits as u64);
        let column = |i: usize, rng: &mut Rng| Trait {
            name: format!("t{i}"),
            values: (0..u16::MAX as usize + 1).map(|v| v.to_string()).collect(),
            codes: (0..count)
                .map(|_| [0, 1, 0x7fff, 0x8000, 0xffff][rng.below(5) as usize])
                .collect(),
        };
        Items {
            names: Vec::new(),
            traits: (0..traits).map(|i| column(i, &mut rng)).collect(),
            numbers: Vec::new(),
            prices: vec![0; count],
            price_places: 0,
        }
    }

    #[test]
    fn packed_traits_are_compared_lane_by_lane() {
        for traits in 0..10 {
            let items = random(traits, 12);
            assert!(items.problems().is_empty());
            let all: Vec<usize> = (0..traits).collect();
            let packed = items.pack(&all);
            for a in 0..12 {
                for b in 0..12 {
                    let same = |t: &&Trait| t.codes[a] == t.codes[b];
                    let same = items.traits.iter().filter(same).count();
                    assert_eq!(packed.shared(a as u32, b as u32), same as u32);
                }
            }
        }
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        let items = Items {
            names: ["a", "b", "a"].map(String::from).to_vec(),
            traits: vec![Trait {
                name: "race".into(),
                values: vec!["elf".into()],
                codes: vec![0, 1],
            }],
            numbers: Vec::new(),
            prices: vec![1, -2, 3],
            price_places: 0,
        };
        let told = items.problems();
        assert_eq!(
            told,
            [
                "`race`: 2 values for 3 items",
                "item 1: `race` is 1, but there are 1 values",
                "item 1: the price -2 is negative",
            ]
        );
    }
}
