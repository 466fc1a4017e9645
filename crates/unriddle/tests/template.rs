//! The template of a program outside of this workspace compiles as a crate of its own.

use std::{fs, path::Path, process::Command};

/// Checks a copy of the template with the versions of this workspace's lock file.
#[test]
fn template_compiles_outside_of_the_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().unwrap();
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("src")).unwrap();
    for entry in fs::read_dir(root.join("template/src")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, place.path().join("src").join(path.file_name().unwrap())).unwrap();
    }
    let manifest = fs::read_to_string(root.join("template/Cargo.toml")).unwrap();
    let crates = format!("path = \"{}/crates/", root.display());
    let manifest = manifest.replace("path = \"../crates/", &crates);
    fs::write(place.path().join("Cargo.toml"), manifest).unwrap();
    fs::copy(root.join("Cargo.lock"), place.path().join("Cargo.lock")).unwrap();
    let done = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--quiet", "--target-dir"])
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("template"))
        .current_dir(place.path())
        // The template's own profile would optimise libraries in C, which a check does not run.
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
