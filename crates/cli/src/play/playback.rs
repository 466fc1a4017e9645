//! Playback of a solution.
//!
//! Space pauses and resumes, the left and right arrows step, up and down change the speed, Home and
//! End jump, and `q` or Escape ends.

use super::screen::{self, ATTENTION, TerminalEvent};
use crossterm::event::KeyCode;
use std::{
    io,
    time::{Duration, Instant},
};
use unriddle_catalog::{Cancel, Frame};

/// Moves per second at the start; the arrows double and halve them.
const SPEED: f64 = 4.0;
const SLOWEST: f64 = 0.25;
const FASTEST: f64 = 64.0;

/// State of the playback, independent of the terminal.
struct Player {
    at: usize,
    last: usize,
    playing: bool,
    speed: f64,
}

/// Request of a key.
enum Answer {
    Redraw,
    Nothing,
    Quit,
}

impl Player {
    fn key(&mut self, code: KeyCode) -> Answer {
        match code {
            KeyCode::Char('q') | KeyCode::Esc => return Answer::Quit,
            KeyCode::Char(' ') => {
                // At the end, space begins again.
                if self.at == self.last && !self.playing {
                    self.at = 0;
                }
                self.playing = !self.playing;
            }
            KeyCode::Right | KeyCode::Char('l') => {
                self.playing = false;
                self.at = (self.at + 1).min(self.last);
            }
            KeyCode::Left | KeyCode::Char('h') => {
                self.playing = false;
                self.at = self.at.saturating_sub(1);
            }
            KeyCode::Up | KeyCode::Char('+' | 'k') => self.speed = (self.speed * 2.0).min(FASTEST),
            KeyCode::Down | KeyCode::Char('-' | 'j') => {
                self.speed = (self.speed / 2.0).max(SLOWEST);
            }
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.last,
            _ => return Answer::Nothing,
        }
        Answer::Redraw
    }

    /// Advances by a move. Playing stops at the end.
    fn tick(&mut self) {
        self.at = (self.at + 1).min(self.last);
        self.playing &= self.at < self.last;
    }
}

/// The lines of a screen of `columns` × `rows`: the drawing, and the state of the playback below.
fn lines(frames: &[Frame], player: &Player, columns: usize, rows: usize) -> Vec<String> {
    let frame = &frames[player.at];
    let state = if player.playing { "playing" } else { "paused" };
    let action = frame.action.as_deref().map_or(String::new(), |action| format!(" ({action})"));
    let below = [
        format!("{} of {}{action}, {state}, {} per second", player.at, player.last, player.speed),
        "space play/pause   ←→ step   ↑↓ speed   Home End   q quit".to_owned(),
    ];
    screen::lines(&frame.drawing, &below, columns, rows)
}

/// Plays at least one frame back until a key or a signal ends the playback.
///
/// # Errors
/// The terminal fails.
pub(super) fn watch(frames: &[Frame], cancel: &Cancel) -> io::Result<()> {
    let mut player =
        Player { at: 0, last: frames.len() - 1, playing: frames.len() > 1, speed: SPEED };
    let pause = |player: &Player| Duration::from_secs_f64(1.0 / player.speed);
    let mut due = Instant::now() + pause(&player);
    let draw = |player: &Player| screen::fill(|columns, rows| lines(frames, player, columns, rows));
    draw(&player)?;
    while !cancel.is_cancelled() {
        let patience = if player.playing {
            due.saturating_duration_since(Instant::now()).min(ATTENTION)
        } else {
            ATTENTION
        };
        match screen::wait(patience)? {
            TerminalEvent::Interrupt => return Ok(()),
            TerminalEvent::Key(code) => match player.key(code) {
                Answer::Quit => return Ok(()),
                Answer::Nothing => continue,
                Answer::Redraw => due = Instant::now() + pause(&player),
            },
            TerminalEvent::Resized => {}
            TerminalEvent::Nothing if player.playing && Instant::now() >= due => {
                player.tick();
                due += pause(&player);
            }
            TerminalEvent::Nothing => continue,
        }
        draw(&player)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{super::screen::width, *};

    fn frames() -> Vec<Frame> {
        let drawing = "\u{1b}[32mab\u{1b}[0m\ncd\n".to_owned();
        vec![Frame { drawing, action: None }]
    }

    #[test]
    fn a_screen_is_filled_exactly() {
        let player = Player { at: 0, last: 0, playing: false, speed: SPEED };
        let lines = lines(&frames(), &player, 10, 6);
        assert_eq!(lines.len(), 6);
        assert_eq!((width(&lines[0]), &*lines[1], &*lines[2]), (2, "cd", ""));
        assert_eq!(lines[4], "0 of 0, p…");
        // The screen has too few rows for the drawing, and for the lines below it.
        assert_eq!(
            super::lines(&frames(), &player, 80, 3)[0],
            "the drawing needs 2 columns and 4 rows"
        );
        assert_eq!(super::lines(&frames(), &player, 80, 1).len(), 1);
        assert!(super::lines(&frames(), &player, 0, 0).is_empty());
    }

    #[test]
    fn keys_step_pause_and_change_the_speed() {
        let mut player = Player { at: 0, last: 2, playing: true, speed: SPEED };
        player.tick();
        assert_eq!((player.at, player.playing), (1, true));
        player.tick();
        assert_eq!((player.at, player.playing), (2, false));
        player.key(KeyCode::Left);
        assert_eq!(player.at, 1);
        player.key(KeyCode::End);
        player.key(KeyCode::Right);
        assert_eq!(player.at, 2);
        player.key(KeyCode::Char(' '));
        assert_eq!((player.at, player.playing), (0, true));
        player.key(KeyCode::Up);
        assert!((player.speed - 2.0 * SPEED).abs() < 1e-9);
        assert!(matches!(player.key(KeyCode::Char('q')), Answer::Quit));
        assert!(matches!(player.key(KeyCode::Char('x')), Answer::Nothing));
    }
}
