//! The quadratic assignment problem, up to 256 facilities.
//!
//! An instance has the form of QAPLIB: the number n, then two matrices of n × n whole numbers, row
//! by row, all separated by blanks. A solution is a sequence of n numbers: the locations of the
//! first facility, the second facility, and so on, each counted from 1 and each occurring once. Its
//! cost is the sum of a(i, j) · b(p(i), p(j)) over all pairs of facilities i and j.
//!
//! A solution may also be the text of a solution file: n, the cost, and a permutation. If the cost
//! is the cost of the inverse permutation only, the file lists the facility on each location, and
//! the inverse is the solution. Commas separate numbers as blanks do.
//!
//! Reference: R. E. Burkard, S. E. Karisch, F. Rendl, "QAPLIB: a quadratic assignment problem
//! library" (Journal of Global Optimization 10, 1997).

use crate::{
    Loaded, Position, loaded,
    spec::{self, Options},
    text::{clip, is_number, number, words},
};

/// Most facilities.
const MOST: usize = 256;

/// Largest absolute value of a matrix.
const LARGEST: i64 = 1 << 24;

/// The message for a word that is not a move.
const NOTATION: &str = "a move is the next facility's location, counted from 1";

struct Qap {
    /// Flows between facilities, in rows.
    a: Vec<Vec<i64>>,
    /// Distances between locations, in rows.
    b: Vec<Vec<i64>>,
    /// The locations of the facilities so far, counted from 0.
    placed: Vec<usize>,
}

pub(crate) fn load(options: &Options, instance: &str) -> Loaded {
    let [] = spec::choose(options, "qap has", [])?;
    loaded(read(instance))
}

fn read(instance: &str) -> Result<Qap, String> {
    let mut words = instance.split_whitespace();
    let n = words.next().ok_or("expected the number of facilities, but there is nothing")?;
    let n = n.parse().ok().filter(|n| (1..=MOST).contains(n));
    let n = n.ok_or_else(|| format!("the number of facilities is not 1 to {MOST}"))?;
    let mut numbers = Vec::new();
    for (place, word) in (2..).zip(words) {
        match word.parse() {
            Ok(number) if (-LARGEST..=LARGEST).contains(&number) => numbers.push(number),
            _ => {
                return Err(format!(
                    "word {place} is `{}`, expected a whole number from -{LARGEST} to {LARGEST}",
                    clip(word)
                ));
            }
        }
    }
    let (wanted, found) = (2 * n * n, numbers.len());
    if found != wanted {
        return Err(format!(
            "two matrices of {n} x {n} are {wanted} numbers, but there are {found}"
        ));
    }
    let mut rows: Vec<Vec<i64>> = numbers.chunks(n).map(<[i64]>::to_vec).collect();
    let b = rows.split_off(n);
    Ok(Qap { a: rows, b, placed: Vec::new() })
}

impl Qap {
    fn n(&self) -> usize {
        self.a.len()
    }

    /// The cost among the placed facilities. It may reach 2^64, which exceeds a value.
    fn cost(&self) -> i128 {
        self.cost_of(&self.placed)
    }

    fn cost_of(&self, placed: &[usize]) -> i128 {
        let mut cost = 0;
        for (i, &at) in placed.iter().enumerate() {
            for (j, &other) in placed.iter().enumerate() {
                cost += i128::from(self.a[i][j]) * i128::from(self.b[at][other]);
            }
        }
        cost
    }
}

impl Position for Qap {
    fn split(&self, solution: &str) -> Result<Vec<String>, String> {
        let plain = solution.replace(',', " ");
        let texts: Vec<&str> = plain.split_whitespace().collect();
        if texts.len() != self.n() + 2 || number(texts[0]) != Some(self.n()) {
            return words(&plain, is_number, NOTATION, clip);
        }
        let claimed: i128 = texts[1]
            .parse()
            .map_err(|_| format!("word 2 is `{}`, expected the cost", clip(texts[1])))?;
        let listed = words(&texts[2..].join(" "), is_number, NOTATION, clip)?;
        let place = |facility: usize| {
            let at = listed.iter().position(|text| number(text) == Some(facility));
            at.map(|at| (at + 1).to_string())
        };
        // A list without one of the numbers has no inverse; its first wrong action is refused.
        let Some(inverse) = (1..=self.n()).map(place).collect::<Option<Vec<String>>>() else {
            return Ok(listed);
        };
        let costs = [&listed, &inverse].map(|locations| {
            let placed = locations.iter().filter_map(|location| location.parse::<usize>().ok());
            self.cost_of(&placed.map(|location| location - 1).collect::<Vec<usize>>())
        });
        match costs {
            [cost, _] if cost == claimed => Ok(listed),
            [_, cost] if cost == claimed => Ok(inverse),
            [cost, other] => Err(format!(
                "the file claims a cost of {claimed}, but its permutation costs {cost}, and the inverse one {other}"
            )),
        }
    }

    fn legal_actions(&self) -> Vec<String> {
        let free = (0..self.n()).filter(|location| !self.placed.contains(location));
        free.map(|location| (location + 1).to_string()).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), String> {
        if !is_number(action) {
            return Err(NOTATION.to_owned());
        }
        let n = self.n();
        if self.placed.len() == n {
            return Err(format!("all {n} facilities are placed"));
        }
        let location = match action.parse::<usize>() {
            Ok(number) if (1..=n).contains(&number) => number - 1,
            _ => return Err(format!("locations are 1 to {n}")),
        };
        if let Some(other) = self.placed.iter().position(|&other| other == location) {
            return Err(format!("facility {} is there already", other + 1));
        }
        self.placed.push(location);
        Ok(())
    }

    fn missing(&self) -> Option<String> {
        let (placed, n) = (self.placed.len(), self.n());
        if placed < n {
            return Some(format!("{placed} of {n} facilities are placed"));
        }
        let cost = self.cost();
        i64::try_from(cost).is_err().then(|| format!("the cost {cost} is beyond 64 bits"))
    }

    fn value(&self) -> i64 {
        let cost = self.cost();
        // `missing` reports a cost out of range; here it must only not wrap around.
        i64::try_from(cost).unwrap_or(if cost < 0 { i64::MIN } else { i64::MAX })
    }

    /// The whole instance: QAPLIB's form cannot express facilities that are placed already.
    fn text(&self) -> String {
        let mut lines = vec![self.n().to_string()];
        for row in self.a.iter().chain(&self.b) {
            let row: Vec<String> = row.iter().map(i64::to_string).collect();
            lines.push(row.join(" "));
        }
        lines.join("\n")
    }
}
