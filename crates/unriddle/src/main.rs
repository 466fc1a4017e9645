//! The `unriddle` command.

fn main() -> std::process::ExitCode {
    unriddle_cli::main(unriddle::registry())
}
