//! `unriddle play`: a solution played back in the terminal.
//!
//! Space pauses and goes on, the arrows left and right step, up and down change the speed, Home and End
//! jump, `q` or Escape ends. The terminal is restored however it ends.

use crate::{
    args::Play,
    exit::{Failure, INPUT, UNSOLVABLE, USAGE, code_of, refused},
    inputs::{self, Choice},
    show, signal, solve, text,
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
use unriddle_catalog::{Cancel, Frame, Registry};

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
            KeyCode::Down | KeyCode::Char('-' | 'j') => {
                self.speed = (self.speed / 2.0).max(SLOWEST);
            }
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

/// The columns that a line takes: its characters without the colours.
fn width(line: &str) -> usize {
    let mut colour = false;
    let visible = line.chars().filter(|&c| match (colour, c) {
        (false, '\u{1b}') => {
            colour = true;
            false
        }
        (true, c) => {
            colour = c != 'm';
            false
        }
        _ => true,
    });
    visible.count()
}

/// The lines of a screen of a size: the drawing, and at the bottom where the playback is.
fn screen(frames: &[Frame], player: &Player, columns: usize, rows: usize) -> Vec<String> {
    let frame = &frames[player.at];
    let state = if player.playing { "playing" } else { "paused" };
    let action = frame
        .action
        .as_deref()
        .map_or(String::new(), |action| format!(" ({action})"));
    let status = [
        format!(
            "{} of {}{action}, {state}, {} per second",
            player.at, player.last, player.speed
        ),
        "space play/pause   ←→ step   ↑↓ speed   Home End   q quit".to_owned(),
    ];
    let mut lines: Vec<String> = frame.drawing.lines().map(str::to_owned).collect();
    let room = rows.saturating_sub(status.len());
    let wide = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    if wide > columns || lines.len() > room {
        let needs = (wide.max(1), lines.len() + status.len());
        lines = vec![format!(
            "the drawing needs {} columns and {} rows",
            needs.0, needs.1
        )];
    }
    lines.truncate(room);
    lines.resize(room, String::new());
    lines.extend(status);
    lines.truncate(rows);
    let fit = |line: String| {
        if width(&line) > columns {
            text::clip(&line, columns)
        } else {
            line
        }
    };
    lines.into_iter().map(fit).collect()
}

fn draw(out: &mut impl Write, frames: &[Frame], player: &Player) -> io::Result<()> {
    let (columns, rows) = terminal::size()?;
    // Line by line instead of clearing everything first, which flickers.
    for (row, line) in screen(frames, player, columns.into(), rows.into())
        .iter()
        .enumerate()
    {
        queue!(
            out,
            cursor::MoveTo(0, row as u16),
            Clear(ClearType::CurrentLine),
            Print(line)
        )?;
    }
    out.flush()
}

/// How often a termination signal is looked for.
const ATTENTION: Duration = Duration::from_millis(200);

fn play(frames: &[Frame], cancel: &Cancel) -> io::Result<()> {
    let mut player = Player {
        at: 0,
        last: frames.len() - 1,
        playing: frames.len() > 1,
        speed: SPEED,
    };
    let _screen = Screen::enter()?;
    let mut out = io::stdout().lock();
    let pause = |player: &Player| Duration::from_secs_f64(1.0 / player.speed);
    let mut due = Instant::now() + pause(&player);
    draw(&mut out, frames, &player)?;
    while !cancel.is_cancelled() {
        let wait = match player.playing {
            true => due.saturating_duration_since(Instant::now()).min(ATTENTION),
            false => ATTENTION,
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
                        Answer::Redraw => due = Instant::now() + pause(&player),
                    }
                }
                Event::Resize(..) => queue!(out, Clear(ClearType::All))?,
                _ => continue,
            }
        } else if player.playing && Instant::now() >= due {
            player.tick();
            due += pause(&player);
        } else {
            continue;
        }
        draw(&mut out, frames, &player)?;
    }
    Ok(())
}

pub(crate) fn run(registry: &Registry, options: &Play) -> Result<(), Failure> {
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        let message =
            "play needs a terminal; `unriddle show --solution … --at …` draws without one";
        return Err(Failure::new(USAGE, message));
    }
    let (family, puzzle) = inputs::puzzle(registry, &options.puzzle)?;
    let choice = Choice::new(&options.solver, family)?;
    let instance = inputs::one(family, &*puzzle, &options.instance)?;
    let cancel = signal::cancel();
    let solution = match &options.solution {
        Some(solution) => solution.clone(),
        None => {
            let record = solve::single(
                registry,
                &puzzle.spec(),
                &*instance,
                &choice,
                &options.limits,
                &options.cache,
            )?;
            match (code_of(&record), record.solution.clone()) {
                (0, Some(solution)) => solution,
                (0, None) => {
                    let why = record
                        .reason
                        .map_or(String::new(), |reason| format!(": {reason}"));
                    return Err(Failure::new(UNSOLVABLE, format!("proved unsolvable{why}")));
                }
                (code, _) => return Err(Failure::new(code, text::lack(&record))),
            }
        }
    };
    let frames = instance
        .frames(&solution, show::text_style())
        .map_err(|error| refused("solution", &error))?;
    play(&frames, &cancel)
        .map_err(|error| Failure::new(INPUT, format!("the terminal fails: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames() -> Vec<Frame> {
        let drawing = "\u{1b}[32mab\u{1b}[0m\ncd\n".to_owned();
        vec![Frame {
            drawing,
            action: None,
        }]
    }

    #[test]
    fn a_screen_is_filled_exactly() {
        let player = Player {
            at: 0,
            last: 0,
            playing: false,
            speed: SPEED,
        };
        let lines = screen(&frames(), &player, 10, 6);
        assert_eq!(lines.len(), 6);
        assert_eq!((width(&lines[0]), &*lines[1], &*lines[2]), (2, "cd", ""));
        assert_eq!(lines[4], "0 of 0, p…");
        // Too low for the drawing, too low for anything.
        assert_eq!(
            screen(&frames(), &player, 80, 3)[0],
            "the drawing needs 2 columns and 4 rows"
        );
        assert_eq!(screen(&frames(), &player, 80, 1).len(), 1);
        assert!(screen(&frames(), &player, 0, 0).is_empty());
    }

    #[test]
    fn keys_step_pause_and_change_the_speed() {
        let mut player = Player {
            at: 0,
            last: 2,
            playing: true,
            speed: SPEED,
        };
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
