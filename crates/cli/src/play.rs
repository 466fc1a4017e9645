//! `unriddle play`: a solution played back in the terminal.
//!
//! Space pauses and goes on, the arrows left and right step, up and down change the speed, Home and End
//! jump, `q` or Escape ends. The terminal is restored however it ends.

use crate::{
    args::Play,
    exit::{Failure, USAGE, code_of, refused},
    inputs::{self, Choice},
    show, solve,
};
use crossterm::{
    cursor,
    event::{self, Event, KeyCode, KeyEventKind, KeyModifiers},
    execute, queue,
    style::Print,
    terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen},
};
use std::{
    io::{self, IsTerminal as _, Write},
    time::{Duration, Instant},
};
use unriddle_catalog::{Frame, registry};

/// Moves per second at the start; the arrows double and halve them.
const SPEED: f64 = 4.0;
const SLOWEST: f64 = 0.25;
const FASTEST: f64 = 64.0;

/// The state of the playback, apart from any terminal.
struct Player {
    at: usize,
    last: usize,
    playing: bool,
    speed: f64,
}

/// What a key asks for.
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
            KeyCode::Down | KeyCode::Char('-' | 'j') => self.speed = (self.speed / 2.0).max(SLOWEST),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.last,
            _ => return Answer::Nothing,
        }
        Answer::Redraw
    }

    /// One move further; playing stops at the end.
    fn tick(&mut self) {
        self.at = (self.at + 1).min(self.last);
        self.playing &= self.at < self.last;
    }
}

/// Restores the terminal when it goes.
struct Screen;

impl Screen {
    fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let screen = Self;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), cursor::Show, LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

fn draw(out: &mut impl Write, frames: &[Frame], player: &Player) -> io::Result<()> {
    let (columns, rows) = terminal::size()?;
    queue!(out, cursor::MoveTo(0, 0), Clear(ClearType::All))?;
    let frame = &frames[player.at];
    let lines: Vec<&str> = frame.drawing.lines().collect();
    for (row, line) in lines.iter().take(usize::from(rows).saturating_sub(3)).enumerate() {
        queue!(out, cursor::MoveTo(0, row as u16), Print(line))?;
    }
    let state = if player.playing { "playing" } else { "paused" };
    let action = frame.action.as_deref().map_or(String::new(), |action| format!(", last move {action}"));
    let status = format!(
        "move {} of {}{action}; {state}, {} per second",
        player.at, player.last, player.speed
    );
    let help = "space play/pause   ←→ step   ↑↓ speed   Home End   q quit";
    for (i, line) in [status.as_str(), help].into_iter().enumerate() {
        let row = rows.saturating_sub(2) + i as u16;
        let text: String = line.chars().take(usize::from(columns)).collect();
        queue!(out, cursor::MoveTo(0, row), Print(text))?;
    }
    out.flush()
}

fn play(frames: &[Frame]) -> io::Result<()> {
    let mut player = Player { at: 0, last: frames.len() - 1, playing: frames.len() > 1, speed: SPEED };
    let _screen = Screen::enter()?;
    let mut out = io::stdout().lock();
    let mut due = Instant::now() + Duration::from_secs_f64(1.0 / player.speed);
    draw(&mut out, frames, &player)?;
    loop {
        let wait = match player.playing {
            true => due.saturating_duration_since(Instant::now()),
            false => Duration::from_secs(3600),
        };
        if event::poll(wait)? {
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    let interrupt = key.modifiers.contains(KeyModifiers::CONTROL)
                        && matches!(key.code, KeyCode::Char('c' | 'd'));
                    match player.key(key.code) {
                        _ if interrupt => return Ok(()),
                        Answer::Quit => return Ok(()),
                        Answer::Nothing => continue,
                        Answer::Redraw => {
                            due = Instant::now() + Duration::from_secs_f64(1.0 / player.speed);
                        }
                    }
                }
                Event::Resize(..) => {}
                _ => continue,
            }
        } else if player.playing {
            player.tick();
            due += Duration::from_secs_f64(1.0 / player.speed);
        }
        draw(&mut out, frames, &player)?;
    }
}

pub(crate) fn run(options: &Play) -> Result<(), Failure> {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        let message = "play needs a terminal; `unriddle show --solution … --at …` draws without one";
        return Err(Failure::new(USAGE, message));
    }
    let (family, puzzle) = registry::puzzle(&options.puzzle)?;
    let choice = Choice::new(&options.solver, family)?;
    let instance = inputs::one(&*puzzle, &options.instance)?;
    let solution = match &options.solution {
        Some(solution) => solution.clone(),
        None => {
            let record = solve::single(
                &puzzle.spec(),
                &*instance,
                &choice,
                &options.limits,
                &options.cache,
            )?;
            match (code_of(&record), record.solution) {
                (0, Some(solution)) => solution,
                (code, _) => {
                    let why = record.reason.unwrap_or_else(|| "no solution was found".to_owned());
                    let code = if code == 0 { crate::exit::UNSOLVABLE } else { code };
                    return Err(Failure::new(code, why));
                }
            }
        }
    };
    let frames = instance
        .frames(&solution, show::text_style())
        .map_err(|error| refused("solution", &error))?;
    play(&frames).map_err(|error| Failure::output(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

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
