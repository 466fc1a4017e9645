//! Dependencies keep the rules of `deny.toml`: licences, banned crates, sources.

use cargo_metadata::{CargoOpt, MetadataCommand, Package};
use serde::Deserialize;
use std::path::Path;

/// The part of `deny.toml` that needs no list of advisories.
#[derive(Deserialize)]
struct Rules {
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Banned>,
}

#[derive(Deserialize)]
struct Banned {
    #[serde(rename = "crate")]
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

/// Whether a licence expression is satisfied by the allowed licences. Old manifests write `/` for
/// `OR`.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let plain = expression.replace(['(', ')'], " ").replace('/', " OR ").replace(" or ", " OR ");
    let is_one = |licence: &str| {
        // An exception only permits more.
        let licence = licence.split(" WITH ").next().unwrap_or_default().trim();
        allowed.iter().any(|known| known == licence)
    };
    plain.split(" AND ").all(|term| term.split(" OR ").any(is_one))
}

#[test]
fn dependencies_keep_the_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rules = std::fs::read_to_string(root.join("deny.toml")).unwrap();
    let rules: Rules = toml::from_str(&rules).unwrap();
    // Dependencies of other platforms need not be downloaded.
    let host = format!("--filter-platform={}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut command = MetadataCommand::new();
    command.manifest_path(root.join("Cargo.toml"));
    command.features(CargoOpt::SomeFeatures(vec!["unriddle/train".to_owned()]));
    let options = ["--locked", "--offline"].map(str::to_owned);
    if cfg!(target_os = "linux") {
        command.other_options(options.into_iter().chain([host]).collect::<Vec<_>>());
    } else {
        command.other_options(options.to_vec());
    }
    let metadata = command.exec().unwrap();
    let foreign: Vec<&Package> = metadata.packages.iter().filter(|p| p.source.is_some()).collect();
    assert!(foreign.len() > 50, "only {} dependencies are seen", foreign.len());
    for package in foreign {
        let name = &package.name;
        let licence = package.license.as_deref().unwrap_or("none");
        assert!(is_allowed(licence, &rules.licenses.allow), "{name}: the licence {licence}");
        assert!(rules.bans.deny.iter().all(|banned| banned.name != **name), "{name} is banned");
        let source = package.source.as_ref().unwrap().repr.trim_start_matches("registry+");
        assert!(
            rules.sources.allow_registry.iter().any(|known| known == source),
            "{name}: {source}"
        );
    }
}

#[test]
fn licence_expressions_are_understood() {
    let allowed = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
    for good in ["MIT", "MIT/Apache-2.0", "(MIT OR Apache-2.0) AND Unicode-3.0", "GPL-3.0 or MIT"] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0 WITH LLVM-exception", "none"] {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}
