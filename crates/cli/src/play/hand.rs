//! A game played by hand.
//!
//! The player types an action, or chooses one with the arrow keys and plays it with Enter.
//! Backspace takes the last action back, `?` shows a hint, space plays a solution of the position
//! back, and Escape ends the game.

use super::{
    guide::{Guide, Way},
    playback,
    screen::{self, ATTENTION, TerminalEvent},
};
use crate::show;
use crossterm::event::KeyCode;
use std::{io, time::Duration};
use unriddle_catalog::{Aim, Cancel, Frame, Game, Style};

/// State of a game and of the player's input, independent of the terminal.
pub(super) struct Hand<'a> {
    game: Box<dyn Game + 'a>,
    aim: Aim,
    unit: &'static str,
    /// The beginning of an action.
    typed: String,
    /// The index of the action that Enter plays.
    chosen: usize,
    /// Message to the player.
    message: String,
}

/// Request of a key.
#[derive(Debug, PartialEq, Eq)]
enum Wish {
    Redraw,
    Nothing,
    Hint,
    Watch,
    Quit,
}

/// The line about the keys, as far as a number of columns allows.
fn keys(columns: usize) -> &'static str {
    const LINES: [&str; 3] = [
        "type an action, or ←→ and Enter   Backspace back   ? hint   space watch   Esc quit",
        "type or ←→ Enter  Backspace  ? hint  space watch  Esc quit",
        "? hint  Esc quit",
    ];
    let mut lines = LINES.into_iter();
    lines.find(|line| line.chars().count() <= columns).unwrap_or("Esc quit")
}

/// Time between two checks for a key while a position is being solved.
const PULSE: Duration = Duration::from_millis(50);

impl<'a> Hand<'a> {
    pub(super) fn new(game: Box<dyn Game + 'a>, aim: Aim, unit: &'static str) -> Self {
        Self { game, aim, unit, typed: String::new(), chosen: 0, message: String::new() }
    }

    fn apply(&mut self, index: usize) {
        self.game.apply(index);
        self.typed.clear();
        self.chosen = 0;
    }

    /// Adds a character to the typed action.
    fn letter(&mut self, letter: char) {
        self.typed.push(letter);
        let actions = self.game.actions();
        let same = |action: &String| action.eq_ignore_ascii_case(&self.typed);
        let exact = actions.iter().position(|action| *action == self.typed);
        let begins = |action: &&String| {
            let head = action.get(..self.typed.len());
            head.is_some_and(|head| head.eq_ignore_ascii_case(&self.typed))
        };
        let possible = actions.iter().filter(begins).count();
        match (possible, exact.or_else(|| actions.iter().position(same))) {
            (0, _) => {
                self.message = format!("`{}` is not an action of this position", self.typed);
                self.typed.clear();
            }
            (1, Some(index)) => self.apply(index),
            // The text is also the beginning of another action. Enter plays this one.
            (_, Some(index)) => self.chosen = index,
            (_, None) => {}
        }
    }

    fn key(&mut self, code: KeyCode) -> Wish {
        let count = self.game.actions().len();
        self.message.clear();
        match code {
            KeyCode::Esc => return Wish::Quit,
            KeyCode::Char('?') => return Wish::Hint,
            KeyCode::Char(' ') => return Wish::Watch,
            KeyCode::Char(letter) => self.letter(letter),
            KeyCode::Enter => self.apply(self.chosen),
            KeyCode::Backspace => {
                if self.typed.pop().is_none() && !self.game.undo() {
                    self.message = "this is the start".to_owned();
                }
                self.chosen = 0;
            }
            KeyCode::Right | KeyCode::Tab => self.chosen = (self.chosen + 1) % count.max(1),
            KeyCode::Left | KeyCode::BackTab => {
                self.chosen = (self.chosen + count.max(1) - 1) % count.max(1);
            }
            _ => return Wish::Nothing,
        }
        Wish::Redraw
    }

    /// The actions in a line of `columns` characters, which shows the chosen action in brackets.
    fn choices(&self, columns: usize) -> String {
        let mut actions = self.game.actions();
        if let Some(chosen) = actions.get_mut(self.chosen) {
            *chosen = format!("[{chosen}]");
        }
        // The first action from which the line reaches the chosen one.
        let width = |from: usize| -> usize {
            actions[from..=self.chosen].iter().map(|action| action.chars().count() + 1).sum()
        };
        let from = (0..self.chosen).find(|&from| width(from) <= columns + 1);
        actions[from.unwrap_or(self.chosen).min(actions.len())..].join(" ")
    }

    /// Description of the position: number of actions, value, and whether the game is over.
    fn state(&self) -> String {
        let count = self.game.played().len();
        let plural = if count == 1 { "" } else { "s" };
        let end = match (self.game.is_over(), self.aim) {
            (true, Aim::Score) => ": the game is over",
            (true, _) => ": solved",
            (false, _) if self.game.actions().is_empty() => ": a dead end",
            _ => "",
        };
        // A cost that equals the number of actions is not repeated.
        let value = match self.game.value() {
            value if self.aim != Aim::Score && value == count as i64 => String::new(),
            value => format!(", {value} {}", self.unit),
        };
        format!("{count} action{plural}{value}{end}")
    }

    /// The lines of a screen of a size.
    fn lines(&self, style: Style, columns: usize, rows: usize) -> Vec<String> {
        let Frame { drawing, action } = self.game.frame(style);
        let last = action.map_or(String::new(), |action| format!("   last: {action}"));
        let typed =
            if self.typed.is_empty() { self.message.clone() } else { format!("> {}", self.typed) };
        let below = [self.state() + &last, self.choices(columns), typed, keys(columns).to_owned()];
        screen::lines(&drawing, &below, columns, rows)
    }

    /// The index of the action that leads to a position.
    fn leading_to(&mut self, text: &str) -> Option<usize> {
        (0..self.game.actions().len()).find(|&index| {
            self.game.apply(index);
            let is_there = self.game.text() == text;
            self.game.undo();
            is_there
        })
    }

    /// Chooses the first action of a solution and shows it as a hint.
    fn hint(&mut self, way: &Way) {
        self.message = match way.as_deref() {
            Err(why) => why.to_owned(),
            Ok([]) => "nothing is left to do".to_owned(),
            Ok([first, ..]) => match self.leading_to(first) {
                None => "the solution cannot be followed from here".to_owned(),
                Some(index) => {
                    self.chosen = index;
                    let left = way.as_ref().map_or(0, Vec::len);
                    format!("hint: {} ({left} to go)", self.game.actions()[index])
                }
            },
        };
    }

    /// The frames along a solution. The position remains.
    fn frames(&mut self, way: &[String], style: Style) -> Vec<Frame> {
        let mut frames = vec![self.game.frame(style)];
        let before = self.game.played().len();
        for text in way {
            let Some(index) = self.leading_to(text) else {
                break;
            };
            self.game.apply(index);
            frames.push(self.game.frame(style));
        }
        while self.game.played().len() > before {
            self.game.undo();
        }
        frames
    }

    fn draw(&self) -> io::Result<()> {
        let style = show::text_style();
        screen::fill(|columns, rows| self.lines(style, columns, rows))
    }

    /// Solves the position. Escape gives up.
    fn ask(&mut self, guide: &Guide<'_>, cancel: &Cancel) -> io::Result<Way> {
        self.message = "solving; Esc gives up".to_owned();
        self.draw()?;
        guide.way(&self.game.text(), &mut || {
            let is_key = matches!(
                screen::wait(PULSE)?,
                TerminalEvent::Interrupt | TerminalEvent::Key(KeyCode::Esc)
            );
            Ok(is_key || cancel.is_cancelled())
        })
    }

    /// Plays until a key or a signal ends it.
    ///
    /// # Errors
    /// The terminal fails.
    pub(super) fn play(mut self, guide: &Guide<'_>, cancel: &Cancel) -> io::Result<()> {
        self.draw()?;
        while !cancel.is_cancelled() {
            let wish = match screen::wait(ATTENTION)? {
                TerminalEvent::Interrupt => return Ok(()),
                TerminalEvent::Key(code) => self.key(code),
                TerminalEvent::Resized => Wish::Redraw,
                TerminalEvent::Nothing => Wish::Nothing,
            };
            match wish {
                Wish::Quit => return Ok(()),
                Wish::Nothing => continue,
                Wish::Redraw => {}
                Wish::Hint => {
                    let way = self.ask(guide, cancel)?;
                    self.hint(&way);
                }
                Wish::Watch => match self.ask(guide, cancel)? {
                    Ok(way) => {
                        self.message.clear();
                        playback::watch(&self.frames(&way, show::text_style()), cancel)?;
                    }
                    Err(why) => self.message = why,
                },
            }
            self.draw()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_catalog::ParseError;

    /// Counting to three by one or by two: `a`, `b` and `bb`, of which the last two are the same.
    struct Count(Vec<String>, Vec<u32>);

    impl Game for Count {
        fn actions(&self) -> Vec<String> {
            match self.1[self.1.len() - 1] {
                0..=1 => ["a", "b", "bb"].map(String::from).to_vec(),
                2 => vec!["a".to_owned()],
                _ => Vec::new(),
            }
        }
        fn apply(&mut self, index: usize) -> bool {
            let Some(action) = self.actions().into_iter().nth(index) else {
                return false;
            };
            self.1.push(self.1[self.1.len() - 1] + if index == 0 { 1 } else { 2 });
            self.0.push(action);
            true
        }
        fn undo(&mut self) -> bool {
            if self.0.pop().is_some() {
                self.1.pop();
                return true;
            }
            false
        }
        fn played(&self) -> &[String] {
            &self.0
        }
        fn replay(&mut self, _: &str) -> Result<(), ParseError> {
            Ok(())
        }
        fn solution(&self) -> String {
            self.0.concat()
        }
        fn text(&self) -> String {
            self.1[self.1.len() - 1].to_string()
        }
        fn frame(&self, _: Style) -> Frame {
            Frame { drawing: self.text(), action: self.0.last().cloned() }
        }
        fn is_over(&self) -> bool {
            self.1[self.1.len() - 1] == 3
        }
        fn value(&self) -> i64 {
            self.0.len() as i64
        }
    }

    fn hand() -> Hand<'static> {
        Hand::new(Box::new(Count(Vec::new(), vec![0])), Aim::Cost, "moves")
    }

    fn typed(hand: &mut Hand<'_>, keys: &str) {
        for key in keys.chars() {
            hand.key(KeyCode::Char(key));
        }
    }

    #[test]
    fn actions_are_typed() {
        let mut hand = hand();
        typed(&mut hand, "A");
        assert_eq!(hand.game.solution(), "a", "in any case");
        typed(&mut hand, "x");
        assert_eq!(hand.message, "`x` is not an action of this position");
        // `b` may be the beginning of `bb`.
        typed(&mut hand, "b");
        assert_eq!((hand.game.solution(), &*hand.typed), ("a".to_owned(), "b"));
        hand.key(KeyCode::Enter);
        assert_eq!(hand.game.solution(), "ab");
        assert_eq!(hand.state(), "2 actions: solved");
        hand.key(KeyCode::Enter);
        assert_eq!(hand.game.solution(), "ab", "nothing is left to play");
        hand.key(KeyCode::Backspace);
        typed(&mut hand, "bb");
        assert_eq!(hand.game.solution(), "abb");
    }

    #[test]
    fn actions_are_chosen_and_taken_back() {
        let mut hand = hand();
        hand.key(KeyCode::Left);
        assert_eq!(hand.choices(80), "a b [bb]");
        assert_eq!(hand.choices(6), "b [bb]");
        assert_eq!(hand.choices(0), "[bb]");
        hand.key(KeyCode::Right);
        hand.key(KeyCode::Enter);
        assert_eq!(hand.game.solution(), "a");
        assert_eq!(hand.state(), "1 action");
        hand.key(KeyCode::Backspace);
        hand.key(KeyCode::Backspace);
        assert_eq!((hand.game.solution(), &*hand.message), (String::new(), "this is the start"));
        // A typed letter is taken back before an action.
        hand.key(KeyCode::Enter);
        typed(&mut hand, "b");
        hand.key(KeyCode::Backspace);
        assert_eq!((hand.game.solution(), &*hand.typed), ("a".to_owned(), ""));
        assert_eq!(hand.key(KeyCode::Esc), Wish::Quit);
        assert_eq!(hand.key(KeyCode::F(1)), Wish::Nothing);
    }

    #[test]
    fn hints_choose_an_action_and_frames_keep_the_position() {
        let mut hand = hand();
        let way = ["2", "3"].map(String::from).to_vec();
        hand.hint(&Ok(way.clone()));
        assert_eq!((hand.chosen, &*hand.message), (1, "hint: b (2 to go)"));
        let frames = hand.frames(&way, Style::Plain);
        let drawn: Vec<_> = frames.iter().map(|frame| &*frame.drawing).collect();
        assert_eq!(drawn, ["0", "2", "3"]);
        assert_eq!(hand.game.solution(), "");
        hand.hint(&Err("proved unsolvable".to_owned()));
        assert_eq!(hand.message, "proved unsolvable");
        hand.hint(&Ok(Vec::new()));
        assert_eq!(hand.message, "nothing is left to do");
        hand.hint(&Ok(vec!["7".to_owned()]));
        assert_eq!(hand.message, "the solution cannot be followed from here");
    }
}
