//! Signs of levels, and the letters that programs write instead of them.
//!
//! A letter may have several meanings: `B` is a box in some programs and a box on a goal in others.
//! A level is read if only one of its readings is a level: with one player, with as many boxes as
//! goals, and with different meanings of different signs. The puzzle's parameter `signs` names the
//! meanings where this does not decide.

use crate::extra::Extra;
use unriddle_core::ParseError;

/// The signs of XSB: wall, box, goal, box on a goal, player, player on a goal, floor.
pub(crate) const PLAIN: &str = "#$.*@+ ";

/// Letters of the XSB standard and of other programs, with their possible meanings.
const LETTERS: [(&str, &str); 10] = [
    ("b", "$"),
    ("B", "*$"),
    ("p", "@"),
    ("P", "+@"),
    ("&", "@*"),
    ("xX", "*#"),
    ("oO", "$."),
    ("gGtT", "."),
    ("wW", "#"),
    ("mM", "@"),
];

/// Letters that XSB itself knows beside its signs.
const STANDARD: [(char, char); 4] = [('b', '$'), ('B', '*'), ('p', '@'), ('P', '+')];

/// The possible meanings of a letter; empty for signs that are unknown.
pub(crate) fn meanings(letter: char) -> &'static str {
    LETTERS.iter().find(|(letters, _)| letters.contains(letter)).map_or("", |(_, all)| all)
}

/// Meanings of signs that the puzzle's parameter `signs` gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signs(Vec<(char, char)>);

impl Signs {
    /// Reads pairs such as `B=$ X=*`, separated by blanks or commas.
    ///
    /// # Errors
    /// Any other text, a digit, a bar, a sign with two meanings.
    pub(crate) fn parse(text: &str) -> Result<Self, ParseError> {
        let mut signs = Self::default();
        for pair in text.split([' ', ',', ';']).filter(|pair| !pair.is_empty()) {
            let refused = |why: &str| {
                let message = format!(
                    "the parameter `signs` contains `{pair}`: {why}; expected pairs such as `B=$ X=* &=@`"
                );
                Err(ParseError::at(1, 1, message))
            };
            let mut chars = pair.chars();
            let (Some(sign), Some('='), Some(meaning), None) =
                (chars.next(), chars.next(), chars.next(), chars.next())
            else {
                return refused("not a sign, `=` and its meaning");
            };
            if sign.is_ascii_digit() || sign == '|' {
                return refused("digits are counts and bars end rows");
            }
            let meaning = if "-_".contains(meaning) { ' ' } else { meaning };
            if !PLAIN.contains(meaning) {
                return refused("the meaning is not one of `# $ . * @ + -`");
            }
            if signs.0.iter().any(|&(known, _)| known == sign) {
                return refused("the sign has two meanings");
            }
            signs.0.push((sign, meaning));
        }
        Ok(signs)
    }

    /// The meaning of a sign that has only one: of a sign of XSB, or by the parameter.
    #[inline]
    pub(crate) fn plain(&self, sign: char) -> Option<char> {
        if let Some(&(_, meaning)) = self.0.iter().find(|(known, _)| *known == sign) {
            return Some(meaning);
        }
        match sign {
            '#' | '$' | '.' | '*' | '@' | '+' | ' ' => Some(sign),
            '-' | '_' | '\t' => Some(' '),
            _ => None,
        }
    }

    /// Whether a sign may be in a level.
    pub(crate) fn knows(&self, sign: char) -> bool {
        self.plain(sign).is_some() || !meanings(sign).is_empty()
    }

    /// Whether a sign may be a wall.
    pub(crate) fn may_be_wall(&self, sign: char) -> bool {
        match self.plain(sign) {
            Some(meaning) => meaning == '#',
            None => meanings(sign).contains('#'),
        }
    }

    /// Whether a sign may be a box, a goal or a player.
    pub(crate) fn may_be_content(&self, sign: char) -> bool {
        let is_content = |meaning: char| "$.*@+".contains(meaning);
        match self.plain(sign) {
            Some(meaning) => is_content(meaning),
            None => meanings(sign).chars().any(is_content),
        }
    }

    /// Whether a sign may be the player.
    pub(crate) fn may_be_player(&self, sign: char) -> bool {
        match self.plain(sign) {
            Some(meaning) => "@+".contains(meaning),
            None => meanings(sign).contains(['@', '+']),
        }
    }

    /// The meanings of a level's letters, given all its signs.
    ///
    /// # Errors
    /// Letters that have no reading as a level, or several.
    pub(crate) fn letters(
        &self,
        signs: impl Iterator<Item = char> + Clone,
        extra: Extra,
    ) -> Result<Vec<(char, char)>, ParseError> {
        if signs.clone().all(|sign| self.plain(sign).is_some()) {
            return Ok(Vec::new());
        }
        let mut tally = Tally::default();
        let mut letters: Vec<(char, i64)> = Vec::new();
        for sign in signs {
            match self.plain(sign) {
                Some(meaning) => tally.add(meaning, 1),
                None => match letters.iter_mut().find(|(known, _)| *known == sign) {
                    Some((_, count)) => *count += 1,
                    None => letters.push((sign, 1)),
                },
            }
        }
        let mut readings = Vec::new();
        tally.readings(&letters, &mut Vec::new(), &mut readings);
        let even: Vec<_> = readings.iter().filter(|(_, tally)| tally.is_even()).collect();
        let uneven: Vec<_> = readings.iter().filter(|(_, tally)| tally.fits(extra)).collect();
        let chosen = if even.is_empty() { uneven } else { even };
        match &chosen[..] {
            [(reading, _)] => Ok(reading.clone()),
            // The usual message about a level of standard letters.
            [] if letters.iter().all(|(letter, _)| standard(*letter).is_some()) => {
                let usual = |&(letter, _): &(char, i64)| Some((letter, standard(letter)?));
                Ok(letters.iter().filter_map(usual).collect())
            }
            [] => {
                let all: Vec<String> =
                    letters.iter().map(|(letter, _)| format!("`{letter}`")).collect();
                let example: Vec<String> =
                    letters.iter().map(|&(letter, _)| first(letter)).collect();
                let message = format!(
                    "whatever {} may mean, this is no level with one player and as many boxes as goals; \
                     sokoban(signs=\"{}\") defines signs",
                    all.join(" and "),
                    example.join(" "),
                );
                Err(ParseError::at(1, 1, message))
            }
            [(one, _), (other, _), ..] => {
                let (one, other) = (written(one), written(other));
                let message = format!(
                    "the signs can be read as `{one}` or as `{other}`; sokoban(signs=\"{one}\") decides"
                );
                Err(ParseError::at(1, 1, message))
            }
        }
    }
}

/// The standard meaning of a letter.
fn standard(letter: char) -> Option<char> {
    STANDARD.iter().find(|(known, _)| *known == letter).map(|&(_, meaning)| meaning)
}

/// A letter with its first meaning.
fn first(letter: char) -> String {
    format!("{letter}={}", meanings(letter).chars().next().unwrap_or('$'))
}

/// Meanings as the parameter `signs` contains them.
fn written(reading: &[(char, char)]) -> String {
    let pairs = reading.iter().map(|(letter, meaning)| format!("{letter}={meaning}"));
    pairs.collect::<Vec<_>>().join(" ")
}

/// Meanings of letters, with the numbers of pieces.
type Reading = (Vec<(char, char)>, Tally);

/// Numbers of pieces, and the meanings that occur.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    players: i64,
    boxes: i64,
    goals: i64,
    /// A bit for each meaning in [`PLAIN`].
    used: u8,
}

impl Tally {
    fn add(&mut self, meaning: char, count: i64) {
        let of = |signs: &str| if signs.contains(meaning) { count } else { 0 };
        self.players += of("@+");
        self.boxes += of("$*");
        self.goals += of(".*+");
        self.used |= bit(meaning);
    }

    fn is_even(&self) -> bool {
        self.fits(Extra::None)
    }

    /// Whether a level may have these numbers; a level also has walls.
    fn fits(&self, extra: Extra) -> bool {
        let has_walls = self.used & bit('#') != 0;
        has_walls && self.players == 1 && self.boxes > 0 && extra.allows(self.boxes, self.goals)
    }

    /// Lists the readings of the letters whose meanings differ from each other and from the other
    /// signs.
    fn readings(
        self,
        letters: &[(char, i64)],
        chosen: &mut Vec<(char, char)>,
        all: &mut Vec<Reading>,
    ) {
        let Some((&(letter, count), rest)) = letters.split_first() else {
            all.push((chosen.clone(), self));
            return;
        };
        for meaning in meanings(letter).chars() {
            // Standard letters are read beside the signs of the same meaning.
            let is_free = self.used & bit(meaning) == 0 || standard(letter) == Some(meaning);
            if !is_free || self.players > 1 {
                continue;
            }
            let mut next = self;
            next.add(meaning, count);
            chosen.push((letter, meaning));
            next.readings(rest, chosen, all);
            chosen.pop();
        }
    }
}

fn bit(meaning: char) -> u8 {
    PLAIN.find(meaning).map_or(0, |at| 1 << at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(level: &str, extra: Extra, signs: &str) -> Result<String, String> {
        let signs = Signs::parse(signs).map_err(|error| error.message)?;
        let letters = signs.letters(level.chars(), extra).map_err(|error| error.message)?;
        Ok(written(&letters))
    }

    #[test]
    fn letters_are_read_where_they_are_sure() {
        for (level, expected) in [
            ("#& B .# X #", "&=@ B=$ X=*"),
            ("#p b .#", "p=@ b=$"),
            ("#P B .#", "P=@ B=$"),
            ("#P $ #", "P=+"),
            ("#@ B . $#", "B=*"),
            ("#P b . X#", "P=@ b=$ X=*"),
            ("#@ o O#", "o=$ O=."),
            ("X@ $.X", "X=#"),
            ("W@ o.W", "W=# o=$"),
            ("#m o .#", "m=@ o=$"),
        ] {
            let found = read(level, Extra::None, "");
            match level {
                // Two readings: the signs of box and goal may be exchanged.
                "#@ o O#" => assert!(found.unwrap_err().contains("`o=$ O=.` or as `o=. O=$`")),
                _ => assert_eq!(found.as_deref(), Ok(expected), "{level}"),
            }
        }
    }

    #[test]
    fn the_parameter_decides() {
        let found = read("#P B #", Extra::None, "").unwrap_err();
        assert!(found.contains("sokoban(signs=\"P=+ B=$\") decides"), "{found}");
        assert_eq!(read("#P B#", Extra::None, "P=+").as_deref(), Ok("B=$"));
        assert_eq!(read("#!?:#", Extra::None, "!=@,?=$ :=.").as_deref(), Ok(""));
        for (signs, why) in [
            ("B=$$", "not a sign"),
            ("1=$", "digits"),
            ("a=b", "not one of"),
            ("a=$ a=.", "two meanings"),
        ] {
            assert!(Signs::parse(signs).unwrap_err().message.contains(why), "{signs}");
        }
    }

    /// Without other letters, `b B p P` have their standard meanings wherever these make a level.
    #[test]
    fn standard_letters_are_read_as_before() {
        let mut compared = 0;
        for number in 0..6u32.pow(6) {
            let pieces: String =
                (0..6).map(|at| b"$.bBpP"[(number / 6u32.pow(at) % 6) as usize] as char).collect();
            let signs = format!("#{pieces}");
            let mut usual = Tally::default();
            signs.chars().for_each(|sign| usual.add(standard(sign).unwrap_or(sign), 1));
            if usual.is_even() {
                let letters = Signs::default().letters(signs.chars(), Extra::None).unwrap();
                assert!(
                    letters.iter().all(|&(letter, of)| standard(letter) == Some(of)),
                    "{signs}"
                );
                compared += 1;
            }
        }
        assert!(compared > 1000);
    }
}
