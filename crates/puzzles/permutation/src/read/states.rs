//! Labels, states and cycles of a file.

use super::{Fault, excerpt, fault};
use crate::definition::{Array, Definition, MOST_LABELS, MOST_POSITIONS};
use std::collections::HashMap;

/// Text and the byte at which it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) at: usize,
    pub(super) text: String,
}

/// Parts of a text between separators, with `at` as the byte of the beginning of the text.
pub(super) fn split(text: &str, at: usize, is_separator: impl Fn(char) -> bool) -> Vec<Word> {
    let mut words = Vec::new();
    let mut from = 0;
    for (to, sign) in text.char_indices().chain([(text.len(), '\n')]) {
        if to == text.len() || is_separator(sign) {
            words.push(Word { at: at + from, text: text[from..to].to_owned() });
            from = to + sign.len_utf8();
        }
    }
    words
}

/// Labels between blanks or `;`, or a single word with a label in each character.
pub(super) fn labels(text: &str, at: usize) -> Vec<Word> {
    let mut words = split(text, at, |sign| sign.is_whitespace() || sign == ';');
    words.retain(|word| !word.text.is_empty());
    match &words[..] {
        [word] => {
            let label =
                |(byte, sign): (usize, char)| Word { at: word.at + byte, text: sign.into() };
            word.text.char_indices().map(label).collect()
        }
        _ => words,
    }
}

/// Rejects a number of positions that is too small or too large.
pub(super) fn check_positions(at: usize, positions: usize) -> Result<(), Fault> {
    match (1..=MOST_POSITIONS).contains(&positions) {
        true => Ok(()),
        false => fault(at, format!("expected 1 to {MOST_POSITIONS} positions, found {positions}")),
    }
}

/// Sets the labels and the goal of a definition; `at` is the byte of the state.
pub(super) fn set_goal(
    definition: &mut Definition,
    at: usize,
    words: &[Word],
) -> Result<(), Fault> {
    check_positions(at, words.len())?;
    let mut known: HashMap<&str, u8> = HashMap::new();
    definition.labels.clear();
    definition.goal.clear();
    for Word { at, text } in words {
        let next = definition.labels.len();
        if let Some(&label) = known.get(&**text) {
            definition.goal.push(label);
            continue;
        }
        if text.is_empty() || text.contains(|sign: char| sign.is_whitespace() || sign == ';') {
            let text = excerpt(text);
            return fault(*at, format!("expected a label without blanks and `;`, found `{text}`"));
        }
        let Some(label) = u8::try_from(next).ok().filter(|_| next < MOST_LABELS) else {
            return fault(*at, format!("expected at most {MOST_LABELS} different labels"));
        };
        known.insert(text, label);
        definition.labels.push(text.clone());
        definition.goal.push(label);
    }
    Ok(())
}

/// Labels of a goal whose positions are all different: the numbers from `first`.
pub(super) fn all_different(at: usize, positions: usize, first: usize) -> Result<Vec<Word>, Fault> {
    check_positions(at, positions)?;
    if positions > MOST_LABELS {
        return fault(
            at,
            format!(
                "expected at most {MOST_LABELS} different labels, found {positions} positions that are all different"
            ),
        );
    }
    Ok((first..first + positions).map(|label| Word { at, text: label.to_string() }).collect())
}

/// A state with the labels of the goal; `at` is the byte of the state.
pub(super) fn state(definition: &Definition, at: usize, words: &[Word]) -> Result<Vec<u8>, Fault> {
    let positions = definition.goal.len();
    if words.len() != positions {
        return fault(at, format!("expected {positions} labels, found {}", words.len()));
    }
    let label = |word: &Word| match definition.label(&word.text) {
        Some(label) => Ok(label),
        None => {
            let text = excerpt(&word.text);
            fault(word.at, format!("expected a label of the goal, found `{text}`"))
        }
    };
    let state: Vec<u8> = words.iter().map(label).collect::<Result<_, _>>()?;
    let count = |state: &[u8], label: usize| {
        state.iter().filter(|&&other| usize::from(other) == label).count()
    };
    let mut missing = 0;
    for (label, text) in definition.labels.iter().enumerate() {
        let (found, expected) = (count(&state, label), count(&definition.goal, label));
        missing += expected.saturating_sub(found);
        if missing > definition.wildcards {
            return fault(
                at,
                format!(
                    "expected the label `{text}` {expected} times as in the goal, found it {found} times"
                ),
            );
        }
    }
    Ok(state)
}

/// Cycles of a permutation, such as `(0 1 2)(3,4)`, of numbers from `first`. A cycle `(a b c)`
/// brings the label at `b` to `a`, the label at `c` to `b` and the label at `a` to `c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cycles {
    cycles: Vec<Vec<usize>>,
}

impl Cycles {
    /// Reads cycles; `at` is the byte of the beginning of `text`.
    pub(super) fn read(text: &str, at: usize, first: usize) -> Result<Self, Fault> {
        let mut cycles = Vec::new();
        let mut used = std::collections::HashSet::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let open = at + text.len() - rest.len();
            let Some(end) = rest.find(')').filter(|_| rest.starts_with('(')) else {
                let found = excerpt(rest);
                return fault(open, format!("expected cycles such as (1,2,3), found `{found}`"));
            };
            let is_separator = |sign: char| sign.is_whitespace() || sign == ',';
            let mut cycle = Vec::new();
            for Word { at, text } in split(&rest[1..end], open + 1, is_separator) {
                if text.is_empty() {
                    continue;
                }
                let number = number(&text, first, first + MOST_POSITIONS - 1);
                let Some(number) = number.map(|number| number - first) else {
                    let most = first + MOST_POSITIONS - 1;
                    let text = excerpt(&text);
                    return fault(
                        at,
                        format!("expected a position from {first} to {most}, found `{text}`"),
                    );
                };
                if !used.insert(number) {
                    return fault(at, format!("no permutation: position {text} occurs twice"));
                }
                cycle.push(number);
            }
            cycles.push(cycle);
            rest = rest[end + 1..].trim_start();
        }
        Ok(Self { cycles })
    }

    /// The number of positions up to the last position that moves.
    pub(super) fn end(&self) -> usize {
        self.cycles.iter().flatten().max().map_or(0, |last| last + 1)
    }

    /// The permutation of `positions` positions, at least [`end`](Self::end).
    pub(super) fn array(&self, positions: usize) -> Array {
        let mut array: Array = (0..positions.max(self.end())).map(|at| at as u16).collect();
        for cycle in &self.cycles {
            for (to, &from) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                array[*to] = from as u16;
            }
        }
        array
    }
}

/// The whole number from `least` to `most` that a word of digits represents.
pub(super) fn number(word: &str, least: usize, most: usize) -> Option<usize> {
    unriddle_core::text::whole(word).filter(|number| (least..=most).contains(number))
}
