//! Runs the program in a folder of its own, so that no test sees another's files or the user's.

use std::{
    ffi::OsStr,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};
use tempfile::TempDir;

/// An 8-puzzle that needs 31 moves, the most.
pub(crate) const HARDEST: &str = "8 6 7 2 5 4 3 0 1";
/// An 8-puzzle that needs one move, `L`.
pub(crate) const EASY: &str = "1 2 3 4 5 6 7 0 8";
/// An 8-puzzle without a solution.
pub(crate) const ODD: &str = "1 2 3 4 5 6 8 7 0";
/// A 15-puzzle of 80 moves, out of reach without tables.
pub(crate) const ENDLESS: &str = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1";
/// A 15-puzzle one move before its goal.
pub(crate) const EASY_15: &str = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15";

/// Beginnings of the messages of the programs.
const PROGRAMS: [&str; 3] = ["unriddle: ", "own_puzzle: ", "own_game: "];

/// A folder in which the program runs.
pub(crate) struct Place {
    folder: TempDir,
    program: PathBuf,
}

/// Result of a run of the program.
pub(crate) struct Ran {
    /// Exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let ran = Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("the output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("the messages are UTF-8"),
        };
        ran.assert_reported();
        ran
    }
}

impl Ran {
    /// Checks that every exit with another code than 0 has exactly one line of explanation.
    fn assert_reported(&self) {
        let is_told = |line: &&str| PROGRAMS.iter().any(|name| line.starts_with(name));
        let told = self.err.lines().filter(is_told).count();
        let expected = usize::from(self.code.is_some_and(|code| code != 0));
        assert_eq!(told, expected, "code {:?} with: {}", self.code, self.err);
    }

    /// The output of a run that must have ended well.
    pub(crate) fn good(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self.out
    }

    /// The message of a run that must have ended with a code: its single line without `unriddle: `,
    /// and the lines that show the column of a spec.
    pub(crate) fn bad(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        let mut names = PROGRAMS.iter();
        let message = names.find_map(|name| Some(&self.err[self.err.find(name)? + name.len()..]));
        message.expect("a message").trim_end().to_owned()
    }
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            program: env!("CARGO_BIN_EXE_unriddle").into(),
        }
    }

    /// The same for an example of this crate, which is built wherever all targets are.
    pub(crate) fn of_example(name: &str) -> Self {
        let program = example(name);
        Self { program, ..Self::new() }
    }

    /// The same with a copy of the program in its folder.
    pub(crate) fn with_program(self) -> Self {
        let program = self.path("unriddle");
        std::fs::copy(&self.program, &program).expect("a copy");
        Self { program, ..self }
    }

    /// The same with a link to the repository's models, which experiments name from its root.
    pub(crate) fn with_models(self) -> Self {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        std::os::unix::fs::symlink(models, self.path("models")).expect("a link");
        self
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into the folder.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect("the file is written");
    }

    /// Reads a file of the folder.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file is read")
    }

    /// The program with its arguments; its tables are in the folder's `cache`.
    pub(crate) fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        self.prepared(Command::new(&self.program), arguments)
    }

    /// The program with its arguments, which another program starts: `launcher` is that program and
    /// its own arguments.
    #[cfg(all(unix, feature = "mpi"))]
    pub(crate) fn launched(&self, launcher: &[&str], arguments: &[&str]) -> Command {
        let mut command = Command::new(launcher[0]);
        command.args(&launcher[1..]).arg(&self.program);
        self.prepared(command, arguments)
    }

    fn prepared<S: AsRef<OsStr>>(&self, mut command: Command, arguments: &[S]) -> Command {
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("HOME", self.folder.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env_remove("NO_COLOR")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Ran {
        self.command(arguments).output().expect("the program runs").into()
    }

    /// Runs the program with a text on standard input.
    pub(crate) fn feed(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child =
            self.command(arguments).stdin(Stdio::piped()).spawn().expect("the program runs");
        // The program may end before it has read everything.
        let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
        child.wait_with_output().expect("the program ends").into()
    }

    /// Starts the program.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().expect("the program runs")
    }

    /// The tables in a cache folder (below the folder), by name.
    pub(crate) fn tables(&self, cache: &str) -> Vec<PathBuf> {
        files(&self.path(cache), "table")
    }
}

/// The files of a folder with an extension, by name.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(listing) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = listing
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    files.sort();
    files
}

/// The committed files of results, CSV and compact.
pub(crate) fn results(root: &Path) -> Vec<PathBuf> {
    let folder = root.join("results");
    let mut files = [files(&folder, "csv"), files(&folder, "zst")].concat();
    files.sort();
    files
}

/// The value of a field in a line of JSON, as it is written there.
pub(crate) fn field(line: &str, name: &str) -> String {
    let record: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
    record.get(name).unwrap_or_else(|| panic!("no field {name}")).to_string()
}

/// The puzzles of the program, as messages list them.
pub(crate) fn puzzles() -> String {
    let names: Vec<&str> = unriddle::FAMILIES.iter().map(|f| f.info.name).collect();
    names.join(", ")
}

/// The program of an example of this crate.
pub(crate) fn example(name: &str) -> PathBuf {
    let examples = Path::new(env!("CARGO_BIN_EXE_unriddle")).with_file_name("examples");
    let program = examples.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    assert!(
        program.exists(),
        "{} is missing: `cargo test` without `--test` builds it, as does `cargo build --examples`",
        program.display()
    );
    program
}
