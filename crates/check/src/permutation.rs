//! Permutation puzzles: moves that permute the labels of positions.
//!
//! An instance is one line of sections separated by `;`, in any order. A section is a keyword and
//! words separated by blanks. Positions are counted from 0.
//!
//! - `positions 6`: the number of positions.
//! - `moves l=(0,1,2) r=(2,3)(4,5) s=() m=~l`: names of moves with cycles. After a move with the
//!   cycle (a,b,c) position a has the earlier label of position b, position b the label of c, and
//!   position c the label of a. No position occurs twice in a move. `()` changes nothing. `~l` is
//!   the inverse of the move `l`, which is written before it.
//! - `goal A A B B C C` and `start ABABCC`: the label of each position, as a word each, or all in
//!   one word if each is one character.
//! - `wildcards 2`: a state is solved if it differs from the goal at two positions at most. Without
//!   this section it must equal the goal.
//! - `illegal 3=A 4=B`: a move is against the rules if position 3 has label A after it, or position
//!   4 has label B.
//! - `name` and `net`: ignored, with all their words.
//!
//! `positions`, `moves`, `goal` and `start` are required, and no section occurs twice.
//!
//! A solution is a sequence of names of moves separated by blanks. A word that is no name may be
//! several names separated by dots. Each move costs 1.

use crate::{
    Loaded, Position, loaded,
    spec::{self, Options},
    text::{clip, count, number, words},
};
use std::ops::RangeInclusive;

/// Most positions.
const POSITIONS: usize = 512;

/// Most moves.
const MOVES: usize = 256;

/// The keywords of sections.
const KEYWORDS: [&str; 8] =
    ["name", "positions", "moves", "goal", "start", "wildcards", "illegal", "net"];

/// The message for a word of a solution that is not a move.
const NOTATION: &str = "expected the name of a move, or names separated by dots";

type Cycles = Vec<Vec<usize>>;

struct Puzzle {
    /// The sections of the instance, with single blanks.
    sections: Vec<String>,
    /// Names of moves with their cycles.
    moves: Vec<(String, Cycles)>,
    goal: Vec<String>,
    wildcards: usize,
    /// Positions with labels that no move may bring there.
    illegal: Vec<(usize, String)>,
    /// Whether the labels of the start are one word.
    is_one_word: bool,
    start: Vec<String>,
    /// The label of each position.
    labels: Vec<String>,
    played: i64,
}

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    let [] = spec::choose(options, "permutation has", [])?;
    loaded(read(instance))
}

/// The words of each section. The first one is the keyword.
fn sections(instance: &str) -> Result<Vec<Vec<&str>>, String> {
    let mut sections: Vec<Vec<&str>> = Vec::new();
    for section in instance.split(';').map(|text| text.split_whitespace().collect::<Vec<&str>>()) {
        let Some(keyword) = section.first() else {
            continue;
        };
        if !KEYWORDS.contains(keyword) {
            let known = KEYWORDS.join(", ");
            return Err(format!("unknown section `{}`; sections are {known}", clip(keyword)));
        }
        if sections.iter().any(|other| other[0] == *keyword) {
            return Err(format!("there are two sections `{keyword}`"));
        }
        sections.push(section);
    }
    Ok(sections)
}

fn read(instance: &str) -> Result<Puzzle, String> {
    let sections = sections(instance)?;
    let find = |keyword: &str| {
        let section = sections.iter().find(|section| section[0] == keyword);
        section.map(|section| &section[1..])
    };
    let required = |keyword: &str| {
        find(keyword).ok_or_else(|| format!("there is no section `{keyword}`, which is required"))
    };
    let positions = read_number("positions", required("positions")?, 1..=POSITIONS)?;
    let wildcards = match find("wildcards") {
        None => 0,
        Some(words) => read_number("wildcards", words, 0..=positions)?,
    };
    let start = read_labels("start", required("start")?, positions)?;
    Ok(Puzzle {
        moves: read_moves(required("moves")?, positions)?,
        goal: read_labels("goal", required("goal")?, positions)?,
        wildcards,
        illegal: read_illegal(find("illegal").unwrap_or_default(), positions)?,
        is_one_word: required("start")?.len() == 1,
        sections: sections.iter().map(|section| section.join(" ")).collect(),
        labels: start.clone(),
        start,
        played: 0,
    })
}

fn read_number(
    section: &str,
    words: &[&str],
    range: RangeInclusive<usize>,
) -> Result<usize, String> {
    let number = match words {
        [word] => number(word).filter(|number| range.contains(number)),
        _ => None,
    };
    let (least, most) = range.into_inner();
    number.ok_or_else(|| format!("`{section}` is not one number from {least} to {most}"))
}

fn read_illegal(words: &[&str], positions: usize) -> Result<Vec<(usize, String)>, String> {
    let pair = |word: &&str| {
        let pair = word.split_once('=').filter(|(_, label)| !label.is_empty());
        let pair = pair.and_then(|(at, label)| Some((number(at)?, label.to_owned())));
        pair.filter(|&(at, _)| at < positions).ok_or_else(|| {
            let (word, last) = (clip(word), positions - 1);
            format!(
                "`illegal` has the word `{word}`; expected POSITION=LABEL, position 0 to {last}"
            )
        })
    };
    words.iter().map(pair).collect()
}

fn read_labels(section: &str, words: &[&str], positions: usize) -> Result<Vec<String>, String> {
    let labels: Vec<String> = match words {
        [word] if positions > 1 => word.chars().map(String::from).collect(),
        _ => words.iter().map(|&word| word.to_owned()).collect(),
    };
    if labels.len() != positions {
        let found = count(labels.len(), "label", "labels");
        return Err(format!("`{section}` has {found}, expected {positions}"));
    }
    Ok(labels)
}

fn read_moves(words: &[&str], positions: usize) -> Result<Vec<(String, Cycles)>, String> {
    if !(1..=MOVES).contains(&words.len()) {
        return Err(format!("there are {} moves, expected 1 to {MOVES}", words.len()));
    }
    let mut moves: Vec<(String, Cycles)> = Vec::new();
    for word in words {
        let pair = word.split_once('=').filter(|(name, _)| !name.is_empty());
        let Some((name, text)) = pair else {
            return Err(format!("`moves` has the word `{}`; expected NAME=CYCLES", clip(word)));
        };
        if moves.iter().any(|(known, _)| known == name) {
            return Err(format!("two moves are called `{}`", clip(name)));
        }
        let cycles = match text.strip_prefix('~') {
            None => read_cycles(text, positions),
            Some(other) => match moves.iter().find(|(known, _)| known == other) {
                None => Err(format!("no move before it is called `{}`", clip(other))),
                Some((_, cycles)) => Ok(inverse(cycles)),
            },
        };
        let cycles = cycles.map_err(|why| format!("move `{}`: {why}", clip(name)))?;
        moves.push((name.to_owned(), cycles));
    }
    Ok(moves)
}

fn read_cycles(text: &str, positions: usize) -> Result<Cycles, String> {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let inside = inside
        .ok_or_else(|| format!("`{}` is not in parentheses, as in (0,1)(2,3)", clip(text)))?;
    let mut cycles: Cycles = Vec::new();
    for part in inside.split(")(") {
        cycles.push(Vec::new());
        for word in part.split(',').filter(|_| !part.is_empty()) {
            let at = number(word).filter(|&at: &usize| at < positions);
            let at = at.ok_or_else(|| {
                format!("`{}` is no position from 0 to {}", clip(word), positions - 1)
            })?;
            if cycles.concat().contains(&at) {
                return Err(format!("position {at} occurs twice"));
            }
            cycles.last_mut().into_iter().for_each(|cycle| cycle.push(at));
        }
    }
    Ok(cycles)
}

fn inverse(cycles: &Cycles) -> Cycles {
    cycles.iter().map(|cycle| cycle.iter().rev().copied().collect()).collect()
}

/// Permutes labels. Each exchange brings the label of the next position of the cycle, and takes
/// the first label along to the last position.
fn permute(labels: &mut [String], cycles: &Cycles) {
    for cycle in cycles {
        for pair in cycle.windows(2) {
            labels.swap(pair[0], pair[1]);
        }
    }
}

impl Puzzle {
    fn cycles(&self, name: &str) -> Option<&Cycles> {
        self.moves.iter().find(|(known, _)| known == name).map(|(_, cycles)| cycles)
    }

    /// The names in a word of a solution.
    fn names(&self, word: &str) -> Option<Vec<String>> {
        if self.cycles(word).is_some() {
            return Some(vec![word.to_owned()]);
        }
        let name = |part: &str| self.cycles(part).map(|_| part.to_owned());
        word.split('.').map(name).collect()
    }

    /// The rule that labels after a move break.
    fn broken(&self, labels: &[String]) -> Option<String> {
        let (at, label) = self.illegal.iter().find(|(at, label)| labels[*at] == *label)?;
        Some(format!("position {at} must not have the label `{}`", clip(label)))
    }

    /// The instance with other labels at the start.
    fn written(&self, labels: &[String]) -> String {
        let fits = self.is_one_word && labels.iter().all(|label| label.chars().count() == 1);
        let labels = labels.join(if fits { "" } else { " " });
        let section = |section: &String| match section.starts_with("start ") {
            true => format!("start {labels}"),
            false => section.clone(),
        };
        self.sections.iter().map(section).collect::<Vec<String>>().join("; ")
    }
}

impl Position for Puzzle {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        let words = words(solution, |word| self.names(word).is_some(), NOTATION, clip)?;
        Ok(words.iter().filter_map(|word| self.names(word)).flatten().collect())
    }

    fn legal_actions(&self) -> Vec<String> {
        let is_legal = |cycles: &Cycles| {
            let mut labels = self.labels.clone();
            permute(&mut labels, cycles);
            self.broken(&labels).is_none()
        };
        let legal = self.moves.iter().filter(|(_, cycles)| is_legal(cycles));
        legal.map(|(name, _)| name.clone()).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        let cycles = self.cycles(action).ok_or("there is no move of this name")?.clone();
        permute(&mut self.labels, &cycles);
        if let Some(why) = self.broken(&self.labels) {
            permute(&mut self.labels, &inverse(&cycles));
            return Err(why);
        }
        self.played += 1;
        Ok(())
    }

    fn missing(&self) -> Option<String> {
        let other = self.labels.iter().zip(&self.goal).filter(|(label, goal)| label != goal);
        let (other, most) = (other.count(), self.wildcards);
        (other > most).then(|| {
            let differ = count(other, "position differs", "positions differ");
            match most {
                0 => format!("{differ} from the goal"),
                _ => format!("{differ} from the goal, but at most {most} may"),
            }
        })
    }

    fn value(&self) -> i64 {
        self.played
    }

    fn text(&self) -> String {
        self.written(&self.labels)
    }

    fn goal(&self) -> Option<String> {
        (self.wildcards == 0).then(|| self.written(&self.goal))
    }

    fn rewind(&mut self) -> bool {
        self.labels.clone_from(&self.start);
        self.played = 0;
        true
    }
}
