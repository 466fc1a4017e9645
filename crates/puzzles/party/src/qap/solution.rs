//! Solutions in writing: a permutation, or the text of a QAPLIB solution file (`.sln`).

use super::Qap;
use unriddle_core::ParseError;
use unriddle_core::text::whole;

/// Direction of the permutation in a solution file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The location of each facility.
    Locations,
    /// The facility on each location, which is the inverse permutation.
    Facilities,
}

/// A solution that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The location of each facility, from 0.
    pub at: Vec<u16>,
    /// The value that the text claims; `None` without a value.
    pub claimed: Option<i64>,
    /// Direction of the text's permutation.
    pub direction: Direction,
}

/// The inverse of a permutation.
fn inverse(at: &[u16]) -> Vec<u16> {
    let mut other = vec![0; at.len()];
    for (facility, &location) in at.iter().enumerate() {
        other[usize::from(location)] = facility as u16;
    }
    other
}

impl Qap {
    /// Reads a solution: the location of every facility, counted from 1, or the text of a solution
    /// file: the size, the value, and a permutation. If the value of a file does not fit its
    /// permutation but the inverse one, the file lists the facility on each location.
    ///
    /// Words are separated by blanks or commas.
    ///
    /// # Errors
    /// The position of the first word that is not a location, or is an occupied location; too few
    /// words, or too many; a value that fits neither direction.
    pub fn read_solution(&self, text: &str) -> Result<Written, ParseError> {
        let n = self.len();
        let plain = text.replace(',', " ");
        let words: Vec<((usize, usize), &str)> =
            unriddle_core::text::placed(&plain).take(n + 3).collect();
        let head = match words[..] {
            [(_, size), (place, value), ..] if words.len() == n + 2 && whole(size) == Some(n) => {
                let value = value.parse::<i64>().map_err(|_| {
                    let found: String = value.chars().take(40).collect();
                    let why = format!("expected the value of the solution, found `{found}`");
                    ParseError::at(place.0, place.1, why)
                })?;
                Some((place, value))
            }
            _ => None,
        };
        let at = self.permutation(if head.is_some() { &words[2..] } else { &words })?;
        let Some((place, value)) = head else {
            return Ok(Written { at, claimed: None, direction: Direction::Locations });
        };
        let other = inverse(&at);
        let (cost, turned) = (self.cost(&at), self.cost(&other));
        let claimed = Some(value);
        if cost == value {
            Ok(Written { at, claimed, direction: Direction::Locations })
        } else if turned == value {
            Ok(Written { at: other, claimed, direction: Direction::Facilities })
        } else {
            let why = format!(
                "the value is {value}, but the permutation costs {cost} as locations of the facilities \
                 and {turned} as facilities on the locations: expected a solution of this instance"
            );
            Err(ParseError::at(place.0, place.1, why))
        }
    }

    /// Reads an assignment: the location of every facility, counted from 1, or a solution file.
    ///
    /// # Errors
    /// The errors of [`read_solution`](Self::read_solution).
    pub fn parse_solution(&self, text: &str) -> Result<Vec<u16>, ParseError> {
        Ok(self.read_solution(text)?.at)
    }

    fn permutation(&self, words: &[((usize, usize), &str)]) -> Result<Vec<u16>, ParseError> {
        let n = self.len();
        let mut at: Vec<u16> = Vec::with_capacity(n);
        let mut taken = vec![false; n];
        for &((line, column), word) in words {
            let found: String = word.chars().take(40).collect();
            let location = whole(word).filter(|location| (1..=n).contains(location));
            let why = match location {
                _ if at.len() == n => format!("expected the end of {n} locations, found `{found}`"),
                None => format!("expected a location, 1 to {n}, found `{found}`"),
                Some(location) if taken[location - 1] => format!("location {word} is taken"),
                Some(location) => {
                    taken[location - 1] = true;
                    at.push((location - 1) as u16);
                    continue;
                }
            };
            return Err(ParseError::at(line, column, why));
        }
        if at.len() < n {
            let message = format!("{} locations, expected {n}", at.len());
            return Err(ParseError::at(1, 1, message));
        }
        Ok(at)
    }

    /// The text of an assignment.
    #[must_use]
    pub fn solution_text(&self, at: &[u16]) -> String {
        let at: Vec<String> = at.iter().map(|at| (at + 1).to_string()).collect();
        at.join(" ")
    }

    /// The text of a solution file: the size and the value, then the location of each facility.
    ///
    /// ```
    /// use unriddle_party::qap::Qap;
    ///
    /// let qap = Qap::parse("2\n0 3\n1 0\n0 5\n7 0\n")?;
    /// assert_eq!(qap.solution_file(&[1, 0]), "2 26\n2 1\n");
    /// assert_eq!(qap.parse_solution("2 26\n2 1\n")?, [1, 0]);
    /// # Ok::<(), unriddle_core::ParseError>(())
    /// ```
    #[must_use]
    pub fn solution_file(&self, at: &[u16]) -> String {
        format!("{} {}\n{}\n", self.len(), self.cost(at), self.solution_text(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Rng;

    const THREE: &str = "3\n0 1 2\n1 0 3\n2 3 0\n\n0 2 1\n2 0 3\n1 3 0\n";

    #[test]
    fn solution_files_have_either_direction() {
        let qap = Qap::parse(THREE).unwrap();
        let read = |text: &str| qap.read_solution(text).unwrap();
        let expected =
            |at: [u16; 3], claimed, direction| Written { at: at.to_vec(), claimed, direction };
        assert_eq!(read("3 20\n2 3 1\n"), expected([1, 2, 0], Some(20), Direction::Locations));
        assert_eq!(read("2,3,1"), expected([1, 2, 0], None, Direction::Locations));
        // The inverse of a permutation of another value.
        assert_eq!(read("3 20\n3 1 2"), expected([1, 2, 0], Some(20), Direction::Facilities));
        let told = |text: &str| qap.read_solution(text).unwrap_err().to_string();
        assert!(told("3 21\n2 3 1").starts_with("line 1, column 3: the value is 21, but"));
        assert!(told("3 x\n2 3 1").starts_with("line 1, column 3: expected the value"));
        assert_eq!(told("3 20\n2 0 1"), "line 2, column 3: expected a location, 1 to 3, found `0`");
        assert_eq!(told("4 20\n2 3 1"), "line 1, column 1: expected a location, 1 to 3, found `4`");
    }

    #[test]
    fn written_files_are_read_back() {
        for seed in 0..1_000 {
            let mut rng = Rng::new(seed);
            let n = 1 + rng.below(8) as usize;
            let qap = Qap::uniform(n, &mut rng);
            let mut at: Vec<u16> = (0..n as u16).collect();
            rng.shuffle(&mut at);
            assert_eq!(qap.read_solution(&qap.solution_file(&at)).unwrap().at, at);
            let other = inverse(&at);
            let file = format!("{n} {}\n{}", qap.cost(&at), qap.solution_text(&other));
            let read = qap.read_solution(&file).unwrap();
            assert_eq!(qap.cost(&read.at), qap.cost(&at));
        }
    }
}
