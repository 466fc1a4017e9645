//! A solution in several measures.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{borrow::Cow, fmt, str::FromStr};

/// Numbers with names, in the order in which they were declared: `m0=81 m1=93`; in JSON an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured(Vec<(Cow<'static, str>, u64)>);

impl Measured {
    /// The numbers of a solution; `None` if `all` is empty.
    #[must_use]
    pub fn of(all: &[(&'static str, u64)]) -> Option<Self> {
        let named = all.iter().map(|&(name, n)| (Cow::Borrowed(name), n));
        (!all.is_empty()).then(|| Self(named.collect()))
    }

    /// The number of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<u64> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|&(_, number)| number)
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, number)) in self.0.iter().enumerate() {
            let blank = if at == 0 { "" } else { " " };
            write!(f, "{blank}{name}={number}")?;
        }
        Ok(())
    }
}

impl FromStr for Measured {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let one = |part: &str| {
            let (name, number) = part.split_once('=')?;
            let number = number.parse().ok()?;
            (!name.is_empty()).then(|| (Cow::Owned(name.to_owned()), number))
        };
        let all: Option<_> = text.split_whitespace().map(one).collect();
        all.map(Self)
            .ok_or_else(|| format!("expected measures such as m0=81 m1=93, found \"{text}\""))
    }
}

impl Serialize for Measured {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, number)| (name, number)))
    }
}

impl<'de> Deserialize<'de> for Measured {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> de::Visitor<'de> for InOrder {
            type Value = Measured;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of numbers")
            }
            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Measured, A::Error> {
                let mut all = Vec::new();
                while let Some((name, number)) = map.next_entry::<String, u64>()? {
                    all.push((Cow::Owned(name), number));
                }
                Ok(Measured(all))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
