//! The terminal's screen: entered, filled, and restored however the program ends.

use crate::{exit::INPUT, text};
use crossterm::{
    cursor,
    event::{self, Event, KeyCode, KeyEventKind, KeyModifiers},
    execute, queue,
    style::Print,
    terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen},
};
use std::{
    io::{self, Write as _},
    time::Duration,
};

/// Time between two checks for a termination signal.
pub(super) const ATTENTION: Duration = Duration::from_millis(200);

/// Guard that restores the terminal when it is dropped.
pub(super) struct Screen;

impl Screen {
    pub(super) fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let screen = Self;
        end_without_terminal();
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

/// Time in which the program ends by itself when its terminal is gone.
#[cfg(unix)]
const FAREWELL: Duration = Duration::from_secs(1);

/// Ends the process if its terminal goes away while `crossterm` reads from it, which would then
/// read for ever.
#[cfg(unix)]
fn end_without_terminal() {
    use rustix::event::{PollFd, PollFlags, poll};
    std::thread::spawn(|| {
        loop {
            let stdin = io::stdin();
            let mut terminal = [PollFd::new(&stdin, PollFlags::empty())];
            match poll(&mut terminal, None) {
                Ok(_) if terminal[0].revents().intersects(gone()) => break,
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => return,
            }
        }
        std::thread::sleep(FAREWELL);
        std::process::exit(i32::from(INPUT));
    });
}

#[cfg(not(unix))]
fn end_without_terminal() {}

/// States of a terminal that is gone.
#[cfg(unix)]
fn gone() -> rustix::event::PollFlags {
    use rustix::event::PollFlags;
    PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL
}

/// Event of the terminal.
pub(super) enum TerminalEvent {
    /// A key.
    Key(KeyCode),
    /// Ctrl-C or Ctrl-D.
    Interrupt,
    /// A new size, for which everything is drawn again.
    Resized,
    /// No relevant event within the time.
    Nothing,
}

/// Waits until the terminal has input, a signal arrives, or `patience` is over. The events of
/// `crossterm` would be read for ever from a terminal that is gone.
///
/// # Errors
/// The terminal is gone, or fails.
#[cfg(unix)]
fn wait_for_input(patience: Duration) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    let mut terminal = [PollFd::new(&stdin, PollFlags::IN)];
    let patience = Timespec::try_from(patience).map_err(io::Error::other)?;
    match poll(&mut terminal, Some(&patience)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    if terminal[0].revents().intersects(gone()) {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it is gone"));
    }
    Ok(())
}

#[cfg(not(unix))]
fn wait_for_input(patience: Duration) -> io::Result<()> {
    event::poll(patience).map(drop)
}

/// Waits for the next event, at most for `patience`.
///
/// # Errors
/// The terminal is gone, or fails.
pub(super) fn wait(patience: Duration) -> io::Result<TerminalEvent> {
    // Events may be left of the input that was read last.
    wait_for_input(Duration::ZERO)?;
    if !event::poll(Duration::ZERO)? {
        wait_for_input(patience)?;
        if !event::poll(Duration::ZERO)? {
            return Ok(TerminalEvent::Nothing);
        }
    }
    Ok(match event::read()? {
        Event::Key(key) if key.kind != KeyEventKind::Release => {
            let control = key.modifiers.contains(KeyModifiers::CONTROL);
            match key.code {
                KeyCode::Char('c' | 'd') if control => TerminalEvent::Interrupt,
                code => TerminalEvent::Key(code),
            }
        }
        Event::Resize(..) => {
            execute!(io::stdout(), Clear(ClearType::All))?;
            TerminalEvent::Resized
        }
        _ => TerminalEvent::Nothing,
    })
}

/// Number of columns of a line: its characters without escape sequences of colours.
pub(super) fn width(line: &str) -> usize {
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

/// The lines of a screen of `columns` × `rows`: the drawing, and the lines `below` at the bottom.
pub(super) fn lines(drawing: &str, below: &[String], columns: usize, rows: usize) -> Vec<String> {
    let mut lines: Vec<String> = drawing.lines().map(str::to_owned).collect();
    let height = rows.saturating_sub(below.len());
    let wide = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    if wide > columns || lines.len() > height {
        let needs = (wide.max(1), lines.len() + below.len());
        lines = vec![format!("the drawing needs {} columns and {} rows", needs.0, needs.1)];
    }
    lines.truncate(height);
    lines.resize(height, String::new());
    lines.extend_from_slice(below);
    lines.truncate(rows);
    let fit = |line: String| {
        if width(&line) > columns { text::clip(&line, columns) } else { line }
    };
    lines.into_iter().map(fit).collect()
}

/// Fills the screen with the lines that `make` returns for its columns and rows.
///
/// # Errors
/// The terminal fails.
pub(super) fn fill(make: impl FnOnce(usize, usize) -> Vec<String>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (columns, rows) = terminal::size()?;
    // Replaces line by line, since clearing the whole screen first flickers.
    for (row, line) in make(columns.into(), rows.into()).iter().enumerate() {
        queue!(out, cursor::MoveTo(0, row as u16), Clear(ClearType::CurrentLine), Print(line))?;
    }
    out.flush()
}
