//! Positions as lists of the disks of each peg, such as `[[4, 2, 1], [], [3]]`.

use crate::{Hanoi, MOST, State};
use unriddle_core::ParseError;

/// A sign of such a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Open,
    Close,
    Number(usize),
}

/// A sign with its line and column.
type Placed = (Sign, (usize, usize));

/// The signs of a text; commas and blanks separate.
fn signs(text: &str) -> Result<Vec<Placed>, ParseError> {
    let mut signs: Vec<Placed> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let mut inside = false;
        for (column, c) in line.chars().enumerate() {
            let place = (i + 1, column + 1);
            let goes_on = std::mem::replace(&mut inside, c.is_ascii_digit());
            match (c, signs.last_mut()) {
                ('[', _) => signs.push((Sign::Open, place)),
                (']', _) => signs.push((Sign::Close, place)),
                (',', _) => {}
                (c, last) if c.is_ascii_digit() => {
                    let digit = c as usize - '0' as usize;
                    match last {
                        Some((Sign::Number(number), _)) if goes_on => {
                            *number = number.saturating_mul(10).saturating_add(digit);
                        }
                        _ => signs.push((Sign::Number(digit), place)),
                    }
                }
                (c, _) if c.is_whitespace() => {}
                (c, _) => {
                    let why = format!("expected a list of lists of disks, found `{c}`");
                    return Err(ParseError::at(place.0, place.1, why));
                }
            }
        }
    }
    Ok(signs)
}

/// Reads a list of the disks of each peg, in any order.
pub(crate) fn parse(text: &str, pegs: u8) -> Result<Hanoi, ParseError> {
    let signs = signs(text)?;
    let last = signs.last().map_or((1, 1), |&(_, place)| place);
    let refused = |(line, column), why: String| Err(ParseError::at(line, column, why));
    let mut lists = 0;
    let mut depth = 0;
    let mut closed = false;
    // The peg of each disk, with the position of the disk in the text.
    let mut found: Vec<(usize, u8, (usize, usize))> = Vec::new();
    for &(sign, place) in &signs {
        match (sign, depth) {
            _ if closed => return refused(place, "expected nothing after the lists".to_owned()),
            (Sign::Open, 0) => depth = 1,
            (Sign::Open, 1) if lists < pegs => {
                lists += 1;
                depth = 2;
            }
            (Sign::Open, 1) => return refused(place, format!("expected {pegs} lists, one a peg")),
            (Sign::Close, 1) => (depth, closed) = (0, true),
            (Sign::Close, 2) => depth = 1,
            (Sign::Number(disk), 2) => {
                if !(1..=MOST).contains(&disk) {
                    return refused(place, format!("expected a disk of 1 to {MOST}, found {disk}"));
                }
                if found.iter().any(|&(other, ..)| other == disk) {
                    return refused(place, format!("disk {disk} is in the lists already"));
                }
                found.push((disk, lists - 1, place));
            }
            _ => {
                let why = "expected a list of the disks of each peg, such as [[2, 1], [], [3]]";
                return refused(place, why.to_owned());
            }
        }
    }
    if !closed {
        return refused(last, "expected `]`, the end of the lists".to_owned());
    }
    if lists != pegs {
        return refused(last, format!("expected {pegs} lists, one a peg, found {lists}"));
    }
    let disks = found.len();
    let mut start: State = [pegs - 1; MOST];
    for (disk, peg, place) in found {
        if disk > disks {
            let why = format!("disk {disk} of {disks} disks: expected the disks 1 to {disks}");
            return refused(place, why);
        }
        start[disk - 1] = peg;
    }
    Ok(Hanoi { disks, pegs, start })
}

/// The lists of a position, each from the largest disk on.
pub(crate) fn text(puzzle: &Hanoi, state: &State) -> String {
    let list = |peg: u8| {
        let disks = (0..puzzle.disks).rev().filter(|&disk| state[disk] == peg);
        let disks: Vec<String> = disks.map(|disk| (disk + 1).to_string()).collect();
        format!("[{}]", disks.join(", "))
    };
    let lists: Vec<String> = (0..puzzle.pegs).map(list).collect();
    format!("[{}]", lists.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_in_any_order() {
        let pegs = |text: &str, pegs: &str| {
            assert_eq!(parse(text, 3), Hanoi::parse(pegs, 3), "{text}");
        };
        pegs("[[4, 2, 1], [], [3]]", "1 1 3 1");
        pegs("[[1 2 4][][3]]", "1 1 3 1");
        pegs(" [ [],\n [12,11,10,9,8,7,6,5,4,3,2,1], [] ] ", &"2 ".repeat(12));
        pegs("[[],[],[]]", "");
    }

    #[test]
    fn errors_have_a_position() {
        let told = |text: &str| parse(text, 3).unwrap_err().to_string();
        assert_eq!(told("[[1], []]"), "line 1, column 9: expected 3 lists, one a peg, found 2");
        assert_eq!(told("[[], [], [], []]"), "line 1, column 14: expected 3 lists, one a peg");
        assert_eq!(
            told("[[3], [1], []]"),
            "line 1, column 3: disk 3 of 2 disks: expected the disks 1 to 2"
        );
        assert_eq!(told("[[1], [1], []]"), "line 1, column 8: disk 1 is in the lists already");
        assert_eq!(told("[[0], [], []]"), "line 1, column 3: expected a disk of 1 to 20, found 0");
        assert!(told("[[1], [], []").starts_with("line 1, column 12: expected `]`"));
        assert!(told("[[1], [], []] 2").starts_with("line 1, column 15: expected nothing"));
        assert!(told("[1, [], []]").starts_with("line 1, column 2: expected a list of the disks"));
        assert!(told("[[[1]], [], []]").starts_with("line 1, column 3: expected a list of"));
        assert!(told("[[x], [], []]").starts_with("line 1, column 3: expected a list of lists"));
    }
}
