//! The program in a terminal: `play` with its keys, colours, bars, lines cut at the edge.

use crate::place::{EASY, HARDEST, Place};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::{Pid, Signal, kill_process},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};
use std::{
    fs::File,
    io::{Read as _, Write as _},
    process::{Child, Command, Stdio},
    time::Duration,
};

/// Other programs that tests start at the same time do not inherit the terminal.
const FLAGS: OpenptFlags = OpenptFlags::RDWR.union(OpenptFlags::NOCTTY).union(OpenptFlags::CLOEXEC);

/// A pseudo-terminal and everything that was written to it.
pub(crate) struct Terminal {
    master: File,
    /// Kept open, so that the output of a program can be read after its end.
    slave: File,
    shown: Vec<u8>,
}

impl Terminal {
    pub(crate) fn new(columns: u16, rows: u16) -> Self {
        let master = openpt(FLAGS).expect("a pseudo-terminal");
        grantpt(&master).expect("granted");
        unlockpt(&master).expect("unlocked");
        let name = ptsname(&master, Vec::new()).expect("a name").into_string().expect("text");
        let slave = File::options().read(true).write(true).open(name).expect("it opens");
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&slave, size).expect("a size");
        Self { master: File::from(master), slave, shown: Vec::new() }
    }

    fn end(&self) -> Stdio {
        Stdio::from(self.slave.try_clone().expect("a copy"))
    }

    /// Starts a program of which this is the terminal.
    pub(crate) fn start(&self, command: &mut Command) -> Child {
        command.stdin(self.end()).stdout(self.end()).stderr(self.end());
        command.spawn().expect("the program runs")
    }

    /// Starts the program with these arguments in a folder of its own.
    fn plays(columns: u16, rows: u16, arguments: &[&str]) -> (Place, Self, Child) {
        let place = Place::new();
        let terminal = Self::new(columns, rows);
        let child = terminal.start(&mut place.command(arguments));
        (place, terminal, child)
    }

    /// Waits until a program gives the terminal back and ends well.
    fn leaves(&mut self, mut child: Child) {
        self.wait_for(LEAVE);
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
    }

    /// Reads until a new text is shown, and discards the output before it.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let place = |shown: &[u8]| shown.windows(text.len()).position(|w| w == text.as_bytes());
        loop {
            if let Some(at) = place(&self.shown) {
                self.shown.drain(..at + text.len());
                return;
            }
            // A program that shows nothing for a minute never will.
            let more = self.read(Duration::from_secs(60));
            assert!(more, "{text} was never shown, but: {}", String::from_utf8_lossy(&self.shown));
        }
    }

    /// Reads output for at most a time. Returns whether there was any.
    fn read(&mut self, patience: Duration) -> bool {
        let patience = Timespec::try_from(patience).expect("a short time");
        match poll(&mut [PollFd::new(&self.master, PollFlags::IN)], Some(&patience)) {
            Ok(0) | Err(Errno::INTR) => return false,
            ready => ready.expect("the terminal is there"),
        };
        let mut buffer = [0; 4096];
        let read = self.master.read(&mut buffer).expect("the terminal is read");
        self.shown.extend(&buffer[..read]);
        true
    }

    pub(crate) fn type_keys(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).expect("the keys are typed");
    }

    /// All that a program shows until its end.
    fn all(&mut self, command: &mut Command) -> String {
        let mut child = self.start(command);
        // Read all the time: a terminal holds little, and a full one stops the program.
        while child.try_wait().expect("it is waited for").is_none() {
            self.read(Duration::from_millis(20));
        }
        while self.read(Duration::ZERO) {}
        String::from_utf8(std::mem::take(&mut self.shown)).expect("UTF-8")
    }
}

const LEAVE: &str = "\u{1b}[?1049l";

/// A terminal that is closed ends the game.
#[test]
fn play_ends_when_its_terminal_is_gone() {
    let (_place, mut terminal, mut child) = Terminal::plays(60, 24, &["play", "tiles", EASY]);
    // The line about the keys fits into 60 columns.
    terminal.wait_for("Esc quit");
    drop(terminal);
    assert_eq!(child.wait().expect("it ends").code(), Some(31));
}

#[test]
fn a_solution_is_played_by_keys() {
    let arguments = ["play", "tiles", HARDEST, "--solution", "RDLU"];
    let (_place, mut terminal, child) = Terminal::plays(80, 24, &arguments);
    terminal.wait_for("\u{1b}[?1049h");
    terminal.wait_for("0 of 4, playing, 4 per second");
    // It plays by itself to the end.
    terminal.wait_for("4 of 4 (U), paused, 4 per second");
    terminal.type_keys("\u{1b}[D");
    terminal.wait_for("3 of 4 (L), paused, 4 per second");
    terminal.type_keys("\u{1b}[C");
    terminal.wait_for("4 of 4 (U), paused, 4 per second");
    terminal.type_keys("\u{1b}[A");
    terminal.wait_for("4 of 4 (U), paused, 8 per second");
    terminal.type_keys("\u{1b}[B\u{1b}[B");
    terminal.wait_for("4 of 4 (U), paused, 2 per second");
    terminal.type_keys("\u{1b}[H");
    terminal.wait_for("0 of 4, paused, 2 per second");
    terminal.type_keys(" ");
    terminal.wait_for("0 of 4, playing, 2 per second");
    terminal.wait_for("1 of 4 (R), playing");
    terminal.type_keys(" ");
    terminal.wait_for("1 of 4 (R), paused");
    terminal.type_keys("q");
    terminal.leaves(child);
}

#[test]
fn an_instance_is_played_by_hand() {
    let (_place, mut terminal, child) = Terminal::plays(100, 24, &["play", "tiles", HARDEST]);
    terminal.wait_for("0 actions");
    terminal.wait_for("[L] D R");
    terminal.type_keys("d");
    terminal.wait_for("1 action   last: D");
    terminal.type_keys("x");
    terminal.wait_for("`x` is not an action of this position");
    terminal.type_keys("\u{7f}");
    terminal.wait_for("0 actions");
    terminal.type_keys("\u{1b}[C\r");
    terminal.wait_for("1 action   last: D");
    // The hint is the first action of a shortest solution: from the hardest board every action
    // begins one.
    terminal.type_keys("\u{7f}?");
    terminal.wait_for("hint: ");
    terminal.wait_for("(31 to go)");
    terminal.type_keys(" ");
    terminal.wait_for("0 of 31, playing");
    terminal.type_keys("q");
    terminal.wait_for("0 actions");
    terminal.type_keys("\u{1b}");
    terminal.leaves(child);
}

#[test]
fn one_of_several_instances_is_played() {
    let place = Place::new();
    place.write("boards", format!("easy: {EASY}\nhard: {HARDEST}\n"));
    let play = ["play", "tiles", "--file", "boards"];
    let mut terminal = Terminal::new(100, 24);
    let said = terminal.all(&mut place.command(&play));
    assert!(said.contains("2 instances: choose one with --id (easy, hard)"), "{said}");
    let said = terminal.all(&mut place.command(&[&play[..], &["--id", "x"]].concat()));
    assert!(said.contains("--id x: no instance has this name (known: easy, hard)"), "{said}");
    let child = terminal.start(&mut place.command(&[&play[..], &["--id", "hard"]].concat()));
    terminal.wait_for("0 actions");
    terminal.type_keys("\u{3}");
    terminal.leaves(child);
}

#[test]
fn freecell_is_played_by_hand() {
    let (_place, mut terminal, child) = Terminal::plays(100, 40, &["play", "freecell", "11982"]);
    terminal.wait_for("0 actions");
    terminal.type_keys("1a");
    terminal.wait_for("1 action   last: 1a");
    // This deal is the one of the first 32,000 that has no solution.
    terminal.type_keys("?");
    terminal.wait_for("solving; Esc gives up");
    terminal.wait_for("proved unsolvable from here");
    terminal.type_keys("\u{1b}");
    terminal.leaves(child);
}

#[test]
fn a_terminal_is_restored_by_every_end() {
    let arguments = ["play", "tiles", EASY, "--watch"];
    for end in ["\u{1b}", "\u{3}", "q"] {
        // Without a solution it is solved first.
        let (_place, mut terminal, child) = Terminal::plays(80, 24, &arguments);
        terminal.wait_for("0 of 1, playing");
        terminal.type_keys(end);
        terminal.leaves(child);
    }
    let (_place, mut terminal, mut child) = Terminal::plays(80, 24, &arguments);
    terminal.wait_for("0 of 1, playing");
    kill_process(Pid::from_child(&child), Signal::TERM).expect("the signal is sent");
    terminal.wait_for(LEAVE);
    child.wait().expect("it ends");
}

#[test]
fn a_small_terminal_shows_the_needed_size() {
    let arguments = ["play", "tiles", HARDEST, "--solution", "R"];
    let (_place, mut terminal, mut child) = Terminal::plays(60, 6, &arguments);
    terminal.wait_for("the drawing needs 9 columns and 7 rows");
    // It grows.
    let size = Winsize { ws_row: 7, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal.slave, size).expect("a size");
    kill_process(Pid::from_child(&child), Signal::WINCH).expect("the signal is sent");
    terminal.wait_for("\u{1b}[33m8");
    terminal.type_keys("q");
    terminal.wait_for(LEAVE);
    child.wait().expect("it ends");
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let place = Place::new();
    let arguments = ["show", "tiles", HARDEST];
    let mut terminal = Terminal::new(80, 24);
    assert!(terminal.all(&mut place.command(&arguments)).contains("\u{1b}[33m"));
    let plain = terminal.all(place.command(&arguments).env("NO_COLOR", "1"));
    assert!(!plain.contains('\u{1b}') && plain.contains("8 6 7"), "{plain}");
    assert!(!place.run(&arguments).good().contains('\u{1b}'));
}

#[test]
fn lines_of_a_batch_are_cut_at_the_edge_of_a_terminal_only() {
    let place = Place::new();
    let arguments = ["solve", "tiles", HARDEST, HARDEST, "--solver", "bfs", "--jobs", "1"];
    let mut terminal = Terminal::new(64, 24);
    let shown = terminal.all(&mut place.command(&arguments));
    let lines: Vec<&str> =
        shown.split(['\r', '\n']).filter(|line| line.contains("1: 31 moves")).collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| line.ends_with('…')), "{shown}");
    let piped = place.run(&arguments).good();
    assert!(piped.lines().all(|line| !line.contains('…') && line.len() > 64), "{piped}");
}

#[test]
fn bars_are_for_terminals_only() {
    let place = Place::new();
    let arguments = ["tables", "build", "tiles", "pdb(6-6-3)", "--rebuild"];
    let mut terminal = Terminal::new(80, 24);
    assert!(terminal.all(&mut place.command(&arguments)).contains("% of the table"));
    let ran = place.run(&arguments);
    assert!(ran.err.lines().all(|line| line.starts_with("building ")), "{}", ran.err);
    ran.good();
}
