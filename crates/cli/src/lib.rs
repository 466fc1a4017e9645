//! The command line of `unriddle` as a library: arguments in, text or JSON out. This crate knows no
//! puzzle: a program passes its puzzles to [`Program`].
//!
//! ```no_run
//! use unriddle_catalog::Registry;
//! use unriddle_cli::Program;
//!
//! fn main() -> std::process::ExitCode {
//!     // The families of the puzzles.
//!     let registry = Registry::new([]).expect("every puzzle has a name of its own");
//!     Program::new("my-puzzle", "0.1.0", registry).main()
//! }
//! ```
//!
//! Data is written to standard output, everything else to standard error. Every non-zero exit also
//! writes a line that begins with the name of the program to standard error. The module `exit` has
//! the codes.

#![forbid(unsafe_code)]

mod analyse;
mod args;
mod batch;
mod check;
mod convert;
mod estimate;
mod exit;
mod generate;
mod improve;
mod inputs;
mod journal;
mod lab;
mod learn;
mod list;
mod manual;
mod output;
mod play;
mod progress;
mod ranks;
mod resume;
mod review;
#[cfg(feature = "studio")]
mod serve;
mod show;
mod signal;
mod solve;
mod summary;
mod tables;
mod text;
mod usage;
mod validate;

use exit::Failure;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::OnceLock,
};
use unriddle_catalog::{Files, Registry};

/// Program with a command line: its puzzles, and its identity.
pub struct Program {
    registry: Registry,
    identity: Identity,
}

/// Identity of a program, for help, messages, and the files that the program writes.
#[derive(Clone, Copy, Debug)]
struct Identity {
    name: &'static str,
    version: &'static str,
    /// Revision of the source; `None` if the program does not give one.
    revision: Option<&'static str>,
    /// Whether the program was built from files that differ from the revision.
    is_modified: bool,
}

/// Identity of the running program.
static IDENTITY: OnceLock<Identity> = OnceLock::new();

/// Identity of the running program; of `unriddle` itself in tests.
fn identity() -> Identity {
    let (name, version) = ("unriddle", env!("CARGO_PKG_VERSION"));
    *IDENTITY.get_or_init(|| Identity { name, version, revision: None, is_modified: false })
}

impl Identity {
    /// Revision for files that the program writes.
    fn revision(self) -> String {
        let revision = self.revision.unwrap_or(self.version);
        if self.is_modified { format!("{revision} and changes") } else { revision.to_owned() }
    }

    /// Version, revision and features of the build.
    fn description(self) -> String {
        let features = [
            ("studio", cfg!(feature = "studio")),
            ("train", cfg!(feature = "train")),
            ("cuda", cfg!(feature = "cuda")),
            ("mpi", cfg!(feature = "mpi")),
        ];
        let features = features.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| *name);
        let features: Vec<_> = features.collect();
        let revision = self.revision.map(|_| format!("revision {}", self.revision()));
        let features = (!features.is_empty()).then(|| format!("with {}", features.join(", ")));
        let parts: Vec<_> = revision.into_iter().chain(features).collect();
        match parts.is_empty() {
            true => self.version.to_owned(),
            false => format!("{} ({})", self.version, parts.join("; ")),
        }
    }
}

impl Program {
    /// Program of a name and a version, with the puzzles of `registry`.
    ///
    /// Results of experiments are kept for the build of the program, which a hash of its executable
    /// identifies: after a change of the rules of a puzzle, experiments run again.
    #[must_use]
    pub fn new(name: &'static str, version: &'static str, registry: Registry) -> Self {
        let identity = Identity { name, version, revision: None, is_modified: false };
        Self { registry, identity }
    }

    /// The same with a revision of its source, such as a git hash. Results of experiments are then
    /// kept across builds, and a change that alters results raises the version of a declaration
    /// ([`Info`](unriddle_catalog::Info)).
    #[must_use]
    pub fn revision(mut self, revision: &'static str) -> Self {
        self.identity.revision = Some(revision);
        self
    }

    /// The program `unriddle` with its own revision.
    #[must_use]
    pub fn unriddle(registry: Registry) -> Self {
        let mut program = Self::new("unriddle", env!("CARGO_PKG_VERSION"), registry)
            .revision(env!("UNRIDDLE_REVISION"));
        program.identity.is_modified = env!("UNRIDDLE_DIRTY") == "yes";
        program
    }

    /// Executes the command that the program's arguments name.
    #[must_use]
    pub fn main(self) -> ExitCode {
        let Self { mut registry, identity } = self;
        IDENTITY.get_or_init(|| identity);
        registry = registry.with_program(identity.name);
        if let Some(folder) = models_folder() {
            registry = registry.with_models(folder);
        }
        let done = match args::parse() {
            Ok(arguments) => ranks::begin(arguments.verb.goes_on_ranks())
                .and_then(|()| run(registry, arguments.verb)),
            Err(error) => usage::answer(&error),
        };
        let failure = done.err();
        ranks::end(failure.as_ref());
        match failure {
            // Rank 0 has the exit code of the run.
            Some(failure) if ranks::is_first() => ExitCode::from(failure.code),
            _ => ExitCode::SUCCESS,
        }
    }
}

/// The folder `models` beside the program, or else in the working folder. It is leaked, because the
/// registry needs it until the program ends.
fn models_folder() -> Option<&'static Path> {
    let beside = std::env::current_exe().ok()?.parent()?.join("models");
    let folder = if beside.is_dir() { beside } else { PathBuf::from("models") };
    Some(Box::leak(folder.into_boxed_path()))
}

/// The registry with the build of a program that gives no revision.
fn with_build(registry: Registry) -> Result<Registry, Failure> {
    if identity().revision.is_some() {
        return Ok(registry);
    }
    let unreadable = |error: std::io::Error| {
        Failure::new(exit::INTERNAL, format!("cannot read the executable of this program: {error}"))
    };
    let executable = std::env::current_exe().map_err(unreadable)?;
    Ok(registry.with_build(unriddle_lab::build_of(&executable).map_err(unreadable)?))
}

#[cfg(feature = "studio")]
use serve::run as serve;

#[cfg(not(feature = "studio"))]
fn serve(_: &Registry, _: &args::Serve) -> Result<(), Failure> {
    let name = identity().name;
    let message = format!("{name} was built without its page; build it with `--features studio`");
    Err(Failure::new(exit::UNSUPPORTED, message))
}

fn run(registry: Registry, verb: args::Verb) -> Result<(), Failure> {
    use args::Verb;
    let registry = &match &verb {
        Verb::Lab(_) => with_build(registry)?.with_files(Files::DISK),
        // A server opens no file that a request names.
        Verb::Serve(_) => registry,
        _ => registry.with_files(Files::DISK),
    };
    match verb {
        Verb::Solve(options) => solve::run(registry, &options.0),
        Verb::Improve(options) => improve::run(registry, &options.0),
        Verb::Check(options) => check::run(registry, &options.0),
        Verb::Generate(options) => generate::run(registry, &options.0),
        Verb::Convert(options) => convert::run(registry, &options.0),
        Verb::Analyse(options) => analyse::run(registry, &options.0),
        Verb::Show(options) => show::run(registry, &options.0),
        Verb::Play(options) => play::run(registry, &options.0),
        Verb::Tables(options) => tables::run(registry, &options.0),
        Verb::List(options) => list::list(registry, options.0.kind),
        Verb::Describe(options) => list::describe(registry, &options.0.name),
        Verb::Evolve(options) => learn::evolve_weights(registry, &options.0),
        Verb::Tune(options) => learn::tune_parameters(registry, &options.0),
        Verb::Train(options) => learn::train_network(registry, &options.0),
        Verb::Validate(options) => validate::run(registry, &options.0),
        Verb::Review(options) => review::run(registry, &options.0),
        Verb::Serve(options) => serve(registry, &options.0),
        Verb::Estimate(options) => estimate::run(registry, &options.0),
        Verb::Lab(options) => lab::run(registry, &options.0),
        Verb::Completions(options) => manual::completions(registry, options.0.shell),
        Verb::Manual(options) => manual::page(options.0.folder.as_deref()),
        Verb::Version(_) => manual::version(),
    }
}
