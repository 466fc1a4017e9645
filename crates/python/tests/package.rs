//! The Python package, tested by its own tests with the module of this build.
//!
//! `UNRIDDLE_PYTHON` names an interpreter that has numpy and pytest; `python3` is the default.

use std::{
    env, fs,
    io::{self, Write as _},
    path::Path,
    process::Command,
};

#[test]
fn python_tests_pass() {
    let python = env::var("UNRIDDLE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_packages = Command::new(&python).args(["-c", "import numpy, pytest"]).output();
    if !has_packages.is_ok_and(|done| done.status.success()) {
        let why = "no numpy and pytest (UNRIDDLE_PYTHON names another interpreter)";
        let _ = writeln!(io::stderr(), "skipped: the Python package: {python} has {why}");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let build = env::current_exe().unwrap();
    let module = build.parent().unwrap().join("lib_native.so");
    assert!(module.exists(), "{} is missing", module.display());
    let place = tempfile::tempdir().unwrap();
    let package = place.path().join("unriddle");
    fs::create_dir(&package).unwrap();
    for entry in fs::read_dir(root.join("python/unriddle")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, package.join(path.file_name().unwrap())).unwrap();
        }
    }
    fs::copy(module, package.join("_native.abi3.so")).unwrap();
    let done = Command::new(&python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .arg(root.join("tests"))
        .env("PYTHONPATH", place.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("UNRIDDLE_CACHE", "")
        .status()
        .unwrap();
    assert!(done.success());
}
