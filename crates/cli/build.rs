//! Passes the git revision of the source to the program, which records it with every run.

use std::{path::Path, process::Command};

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// The revision that a package was made from, which cargo writes into it.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = text.split_once("\"sha1\": \"")?;
    Some(rest.split('"').next()?.to_owned())
}

/// Passes the revision, and whether the sources differ from it.
fn pass(revision: &str, dirty: bool) {
    println!("cargo::rustc-env=UNRIDDLE_REVISION={revision}");
    println!("cargo::rustc-env=UNRIDDLE_DIRTY={}", if dirty { "yes" } else { "no" });
}

fn main() {
    // A repository around an unpacked package has revisions of something else.
    if Path::new("Cargo.toml.orig").exists() {
        println!("cargo::rerun-if-changed=Cargo.toml.orig");
        pass(&packaged().unwrap_or_else(|| "unknown".to_owned()), false);
        return;
    }
    // Only these paths change the program. Changed documents and results leave it clean.
    const SOURCES: [&str; 3] = ["../../crates", "../../Cargo.toml", "../../Cargo.lock"];
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    if let Some(folder) = git(&["rev-parse", "--absolute-git-dir"]) {
        // The log is written by every commit and checkout.
        for name in ["HEAD", "logs/HEAD"] {
            let path = Path::new(&folder).join(name);
            if path.exists() {
                println!("cargo::rerun-if-changed={}", path.display());
            }
        }
    }
    let revision = git(&["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    let status = git(&[&["status", "--porcelain", "--"], &SOURCES[..]].concat());
    let dirty = status.is_some_and(|status| !status.is_empty());
    pass(&revision, dirty);
}
