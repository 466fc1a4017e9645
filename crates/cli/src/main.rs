//! The `unriddle` command.
fn main() {}
