//! Teams in writing: the items' numbers in node order, separated by blanks.

use super::{Party, items::plain};
use unriddle_core::ParseError;
use unriddle_core::text::{placed, whole};

/// The text of a team, or of its first nodes.
#[must_use]
pub fn text(items: &[u32]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(" ")
}

/// A team, or its first nodes, for people: the item on each node, by number and name. `None` if
/// items have no names.
#[must_use]
pub fn named(party: &Party, items: &[u32]) -> Option<String> {
    let one =
        |(item, node): (&u32, &String)| format!("{}: {}", plain(node), party.items.label(*item));
    let pairs = items.iter().zip(party.formation.names()).map(one);
    (!party.items.names.is_empty()).then(|| pairs.collect::<Vec<String>>().join(", "))
}

/// Reads a team, or its first nodes. Requirements are not checked.
///
/// # Errors
/// The first word that is not an item which may be placed on its node, and why.
pub fn parse(party: &Party, text: &str) -> Result<Vec<u32>, ParseError> {
    let names = party.formation.names();
    let mut items: Vec<u32> = Vec::with_capacity(names.len());
    for ((line, column), word) in placed(text) {
        let node = items.len();
        let why = match whole(word).filter(|&item| item < party.items.len()) {
            _ if node == names.len() => format!("there are only {node} nodes"),
            None => {
                let last = party.items.len().saturating_sub(1);
                let found: String = word.chars().take(40).collect();
                format!("expected an item, 0 to {last}, found `{found}`")
            }
            Some(item) => match forbidden(party, &items, item as u32) {
                Some(why) => why,
                None => {
                    items.push(item as u32);
                    continue;
                }
            },
        };
        return Err(ParseError::at(line, column, why));
    }
    Ok(items)
}

/// Reason why an item may not be placed on the node after the items `before`.
fn forbidden(party: &Party, before: &[u32], item: u32) -> Option<String> {
    let node = before.len();
    let name = &party.formation.names()[node];
    if before.contains(&item) {
        return Some(format!("item {item} is in the team already"));
    }
    if !party.allowed[item as usize] {
        return Some(format!("item {item} is excluded"));
    }
    let here = party.fixed.iter().find(|(_, at)| *at == Some(node));
    if let Some((other, _)) = here.filter(|(other, _)| *other != item) {
        return Some(format!("item {other} is fixed on {name}"));
    }
    let pinned = party.fixed.iter().find(|(other, _)| *other == item);
    let elsewhere = pinned.and_then(|(_, at)| *at).filter(|&at| at != node);
    elsewhere.map(|at| {
        let other = &party.formation.names()[at];
        format!("item {item} is fixed on {other}, not on {name}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::document;

    #[test]
    fn teams_are_read_and_refused_with_a_reason() {
        let text = r#"{"nodes": ["a", "b", "c"], "edges": [], "items": [{"price": 1}, {"price": 2}, {"price": 3},
            {"price": 4}], "puzzle": {"fixed": [{"item": 1, "node": "b"}], "excluded": [3]}}"#;
        let party = document(text, None).unwrap().party;
        assert_eq!(parse(&party, " 0 1\n2"), Ok(vec![0, 1, 2]));
        assert_eq!(parse(&party, "2"), Ok(vec![2]));
        assert_eq!(super::text(&[0, 1, 2]), "0 1 2");
        assert_eq!(named(&party, &[0, 1]), None);
        let mut with_names = party.clone();
        with_names.items.names = ["Aria", "Bo\nrin", "Cyd", "Dov"].map(String::from).to_vec();
        let said = named(&with_names, &[0, 1, 2]).unwrap();
        assert_eq!(said, "a: 0 (Aria), b: 1 (Bo rin), c: 2 (Cyd)");
        let told = |text: &str| parse(&party, text).unwrap_err().to_string();
        assert_eq!(told("0 2"), "line 1, column 3: item 1 is fixed on b");
        assert_eq!(told("1"), "line 1, column 1: item 1 is fixed on b, not on a");
        assert_eq!(told("0 1 0"), "line 1, column 5: item 0 is in the team already");
        assert_eq!(told("0 1 3"), "line 1, column 5: item 3 is excluded");
        assert_eq!(told("+1"), "line 1, column 1: expected an item, 0 to 3, found `+1`");
        assert_eq!(told("0\nx"), "line 2, column 1: expected an item, 0 to 3, found `x`");
        assert_eq!(told("0 1 2 3"), "line 1, column 7: there are only 3 nodes");
    }
}
