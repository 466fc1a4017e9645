//! The `unriddle` command.

fn main() -> std::process::ExitCode {
    unriddle_cli::Program::unriddle(unriddle::registry()).main()
}
