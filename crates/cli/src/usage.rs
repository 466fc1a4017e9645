//! Errors of the argument parser, in a line like every other message.

use crate::exit::{Failure, USAGE};
use clap::error::ErrorKind;
use std::io::Write as _;

/// Shows the requested help or version, or returns an error of one line.
pub(crate) fn answer(error: &clap::Error) -> Result<(), Failure> {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // `print` writes to standard output, in colours if that is a terminal.
            error.print().and_then(|()| std::io::stdout().flush()).map_err(Failure::output)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // The help is the useful part; it goes to standard error.
            let _ = error.print();
            Err(Failure::new(USAGE, "no command given"))
        }
        _ => Err(Failure::new(USAGE, line(&error.render().to_string()))),
    }
}

/// Joins the first paragraph of the parser's message and its suggestion into a line.
fn line(text: &str) -> String {
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut paragraphs = text.split("\n\n").map(joined);
    let first = paragraphs.next().unwrap_or_default();
    let mut line = first.strip_prefix("error: ").unwrap_or(&first).to_owned();
    if line == "unexpected argument '--output' found" {
        // The parser would suggest another option.
        return line + "; this command writes to standard output: add `> FILE` (see --help)";
    }
    for paragraph in paragraphs {
        if let Some(tip) = paragraph.strip_prefix("tip: ")
            && tip.contains("similar")
        {
            line += &format!("; {tip}");
        }
    }
    line + " (see --help)"
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn errors_become_one_line() {
        let text = "error: unexpected argument '--tim' found\n\n  tip: a similar argument exists: '--time'\n\n\
                    Usage: unriddle solve --time <TIME>\n\nFor more information, try '--help'.\n";
        assert_eq!(
            line(text),
            "unexpected argument '--tim' found; a similar argument exists: '--time' (see --help)"
        );
        let text =
            "error: the following required arguments were not provided:\n  <PUZZLE>\n\nUsage: x\n";
        assert_eq!(
            line(text),
            "the following required arguments were not provided: <PUZZLE> (see --help)"
        );
    }
}
