//! Says whether training was tested: its own tests stand beside its code, behind the feature.

#[cfg(not(feature = "train"))]
#[test]
fn training_is_tested_with_its_feature() {
    use std::io::Write as _;
    // Past the capture of the runner: whoever reads the output is to see it.
    let _ = writeln!(
        std::io::stderr(),
        "skipped: tests of training, which need `cargo test --workspace --features train`"
    );
}
