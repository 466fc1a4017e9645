//! The declarations of the registry: sound, unique, described, and in step with the code behind
//! them.

use crate::common::{
    Known, golden, known,
    samples::{CHOSEN, samples},
};
use std::collections::BTreeSet;
use unriddle::{FAMILIES, registry};
use unriddle_catalog::{
    Role, Spec,
    bind::{bind, check_info, expand, find},
    registry::{GENERAL_HEURISTICS, GENERAL_PLAYOUTS, describe, expressions, searches},
    validate::VALIDATE,
};
use unriddle_core::{Domain, Given as _, Info, Parameter, options::Declared};

/// Every declaration once, with the puzzle that it belongs to.
fn owned() -> Vec<(&'static str, &'static Info)> {
    let general = searches().chain(GENERAL_HEURISTICS.iter().copied());
    let general = general.chain(GENERAL_PLAYOUTS.iter().copied());
    let general = general.chain([&VALIDATE]);
    let mut infos: Vec<_> = general.map(|info| ("any", info)).collect();
    for family in FAMILIES {
        let all = std::iter::once(family.info).chain(family.own()).chain(family.validation);
        infos.extend(all.map(|info| (family.info.name, info)));
    }
    infos
}

/// Every declaration once.
fn all() -> Vec<&'static Info> {
    owned().into_iter().map(|(_, info)| info).collect()
}

/// The defaults and the version of every declaration, as they are committed. The laboratory
/// identifies a run by the options that differ from the defaults and by the declarations' versions.
/// If only a default changed, other runs would be mistaken for the recorded ones.
#[test]
fn a_changed_default_raises_the_version() {
    let mut text = String::from("# puzzle, role, name, version: parameter=default; …\n");
    for (puzzle, info) in owned() {
        let default = |p: &Parameter| format!("{}={}", p.name, p.default.unwrap_or("(required)"));
        let defaults: Vec<String> = info.parameters.iter().map(default).collect();
        let (role, name, version) = (info.role.name(), info.name, info.version);
        let line = format!("{puzzle} {role} {name} {version}: {}", defaults.join("; "));
        text += &format!("{}\n", line.trim_end());
    }
    let committed = include_str!("../golden/defaults.txt");
    let split = |line: &str| -> Option<(String, u32, String)> {
        let (head, parameters) = line.split_once(':')?;
        let (name, version) = head.rsplit_once(' ')?;
        Some((name.to_owned(), version.parse().ok()?, parameters.trim().to_owned()))
    };
    for (name, version, parameters) in committed.lines().filter_map(split) {
        let now = text.lines().filter_map(split).find(|(known, ..)| *known == name);
        let Some((_, now, defaults)) = now else {
            continue;
        };
        assert!(now >= version, "{name}: its version may not fall from {version} to {now}");
        // The default of a new parameter keeps the previous behaviour.
        let kept = |parameter: &str| defaults.split("; ").any(|p| p == parameter);
        let changed: Vec<&str> =
            parameters.split("; ").filter(|p| !p.is_empty() && !kept(p)).collect();
        assert!(
            changed.is_empty() || now > version,
            "{name}: its defaults were {} and are now {defaults}, but its version is still {version}. Runs are known by the options that \
             differ from the defaults: raise `version` in the declaration, so that recorded runs do not pass for runs with the new default",
            changed.join(", ")
        );
    }
    golden("crates/unriddle/tests/golden/defaults.txt", &text);
}

#[test]
fn declarations_are_sound() {
    for info in all() {
        assert_eq!(check_info(info), Ok(()));
        let name = info.name;
        assert!(!info.summary.is_empty(), "{name} has no summary");
        for text in [info.summary, info.guarantee, info.requires] {
            assert!(!text.ends_with('.') && text == text.trim(), "{name}: {text:?}");
        }
        if matches!(info.role, Role::Search | Role::Heuristic) {
            assert!(!info.guarantee.is_empty(), "{name}: what does it promise?");
            assert!(!info.requires.is_empty(), "{name}: what does it need?");
        }
        for parameter in info.parameters {
            assert!(!parameter.summary.is_empty(), "{name}: {}", parameter.name);
            assert!(!parameter.summary.ends_with('.'), "{name}: {}", parameter.summary);
        }
    }
}

#[test]
fn roles_agree_with_the_lists() {
    assert!(searches().all(|info| info.role == Role::Search));
    let of_playouts = FAMILIES.iter().flat_map(|f| f.declared().playouts);
    let mut playouts = of_playouts.chain(GENERAL_PLAYOUTS.iter().copied());
    assert!(playouts.all(|info| info.role == Role::Playout));
    assert!(GENERAL_HEURISTICS.iter().all(|info| info.role == Role::Heuristic));
    for family in FAMILIES {
        assert_eq!(family.info.role, Role::Puzzle);
        let declared = family.declared();
        assert!(declared.heuristics.iter().all(|info| info.role == Role::Heuristic));
        assert!(family.generators().iter().all(|info| info.role == Role::Generator));
        assert!(!family.generators().is_empty() && !declared.presets.is_empty());
        assert!(!family.sizes().is_empty());
        assert_eq!(declared.presets[0].name, "default");
    }
}

/// An argument of a required parameter.
fn argument(parameter: &Parameter) -> String {
    match parameter.domain {
        Domain::Integer { min, .. } => min.to_string(),
        Domain::Real { min, .. } => min.to_string(),
        Domain::Choice(words) => words[0].to_owned(),
        Domain::Text => "text".to_owned(),
        Domain::Heuristic => "blind".to_owned(),
        Domain::Search => "bfs".to_owned(),
        Domain::Playout => "random".to_owned(),
    }
}

/// The spec with only the required arguments.
fn shortest(info: &Info) -> Spec {
    let required: Vec<String> =
        info.parameters.iter().filter(|p| p.default.is_none()).map(argument).collect();
    Spec::parse(&format!("{}({})", info.name, required.join(", "))).unwrap()
}

#[test]
fn defaults_bind_and_expand() {
    let mut general: Vec<_> = searches().collect();
    general.extend(GENERAL_HEURISTICS);
    general.extend(GENERAL_PLAYOUTS);
    for info in all() {
        let spec = shortest(info);
        let bound = bind(info, &spec).unwrap();
        for parameter in info.parameters {
            assert_eq!(bound.is_given(parameter.name), parameter.default.is_none(), "{spec}");
            // A parameter that is not positional is given by its name in an expansion.
            let full = bound.expanded().to_string();
            assert!(parameter.positional || full.contains(parameter.name), "{full}");
        }
        let full = bound.expanded();
        assert_eq!(bind(info, &full).unwrap().expanded(), full);
        if searches().any(|search| search == info) {
            let full = expand(&general, Role::Search, &spec).unwrap();
            assert_eq!(expand(&general, Role::Search, &full), Ok(full));
        }
    }
}

/// Every name is unique among the names that one spec can contain, and among puzzles and their
/// presets.
#[test]
fn names_are_unique() {
    let unique = |what: &str, names: Vec<&str>| {
        let set: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(set.len(), names.len(), "{what}: {names:?}");
    };
    let name = |info: &&Info| info.name;
    let puzzles = FAMILIES.iter().map(|family| family.info.name);
    unique("puzzles", puzzles.collect());
    for family in FAMILIES {
        let mut around = expressions(family);
        around.push(family.info);
        around.extend(family.generators());
        unique(family.info.name, around.iter().map(name).collect());
        unique("presets", family.declared().presets.iter().map(|preset| preset.name).collect());
    }
    let names = registry().names();
    assert_eq!(names.iter().copied().collect::<BTreeSet<_>>(), all().iter().map(name).collect());
    unique("names", names);
}

#[test]
fn every_name_is_described() {
    let registry = registry();
    for name in registry.names() {
        let found = registry.named(name);
        assert!(!found.is_empty(), "{name}");
        for (info, family) in found {
            let text = describe(info, family);
            assert!(text.starts_with(&format!("{name} (")), "{text}");
            let reference = [info.summary, info.guarantee, info.requires, info.reference];
            assert!(reference.iter().all(|part| text.contains(part)), "{text}");
            for parameter in info.parameters {
                assert!(
                    text.contains(parameter.name) && text.contains(parameter.summary),
                    "{text}"
                );
                assert!(parameter.default.is_none_or(|d| text.contains(&format!("default {d}"))));
            }
            if let Some(family) = family.filter(|family| family.info.name == name) {
                let declared = family.declared();
                assert!(declared.presets.iter().all(|preset| text.contains(preset.name)), "{text}");
                assert!(declared.heuristics.iter().all(|h| text.contains(h.name)), "{text}");
            }
        }
    }
    assert!(registry.named("no-such-name").is_empty());
}

/// The parser and the configurations have the same defaults and refuse the same values.
#[test]
fn defaults_and_bounds_agree_with_the_declaration() {
    for info in all() {
        let required: Vec<&str> = info
            .parameters
            .iter()
            .filter(|p| p.default.is_none())
            .map(|p| if p.domain == Domain::Search { "nrpa" } else { "blind" })
            .collect();
        let with = |more: String| {
            let more = Some(more).filter(|more| !more.is_empty());
            let args: Vec<String> =
                required.iter().map(|&arg| arg.to_owned()).chain(more).collect();
            let spec = Spec::parse(&format!("{}({})", info.name, args.join(", "))).unwrap();
            bind(info, &spec)
        };
        let (bound, declared) = (with(String::new()).unwrap(), Declared(info.parameters));
        for parameter in info.parameters.iter().filter(|p| p.default.is_some()) {
            let (name, what) = (parameter.name, format!("{}: {}", info.name, parameter.name));
            let (inside, beyond) = match parameter.domain {
                Domain::Integer { min, max } => {
                    assert_eq!(bound.integer(name), declared.integer(name), "{what}");
                    let [min, max] = [min, max].map(i128::from);
                    ([min, max].map(|x| x.to_string()), [min - 1, max + 1].map(|x| x.to_string()))
                }
                Domain::Real { min, max } => {
                    assert_eq!(bound.real(name), declared.real(name), "{what}");
                    let text = |x: f64| format!("{x:e}");
                    ([min, max].map(text), [min.next_down(), max.next_up()].map(text))
                }
                Domain::Choice(_) => {
                    assert_eq!(bound.choice(name), declared.choice(name), "{what}");
                    continue;
                }
                Domain::Text => {
                    assert_eq!(bound.text(name), declared.text(name), "{what}");
                    continue;
                }
                _ => continue,
            };
            for value in inside {
                assert!(with(format!("{name}={value}")).is_ok(), "{what}={value}");
            }
            for value in beyond {
                assert!(with(format!("{name}={value}")).is_err(), "{what}={value}");
            }
        }
    }
}

/// The heuristics inside an expression.
fn heuristics_of(known: &Known, spec: &Spec, role: Role) -> Vec<Spec> {
    let infos = expressions(known.family);
    let bound = bind(find(&infos, role, spec).unwrap(), spec).unwrap();
    let mut found = Vec::new();
    for parameter in bound.info().parameters {
        match parameter.domain {
            Domain::Heuristic => found.extend(bound.exprs(parameter.name).cloned()),
            Domain::Search => {
                let inner = bound.expr(parameter.name);
                found.extend(heuristics_of(known, inner, Role::Search));
            }
            _ => {}
        }
    }
    found
}

/// Every preset denotes, for instances of every size, a spec that expands and whose tables exist.
#[test]
fn presets_fit_every_size() {
    for sample in samples() {
        for known in sample.variants.iter().map(|&variant| known(variant)) {
            let infos = expressions(known.family);
            for size in known.family.sizes() {
                let instance = known.load(&known.generate(size.generator, 0));
                assert_eq!(instance.preset("no-such-preset"), None);
                for preset in known.family.declared().presets {
                    let what = format!("{} {} {}", known.spec, size.name, preset.name);
                    let spec = instance.preset(preset.name);
                    // Networks are there for some sizes only.
                    if spec.is_none() && preset.name == "learned" {
                        continue;
                    }
                    let spec = spec.expect(&what);
                    let full = expand(&infos, Role::Search, &spec).expect(&what);
                    assert_eq!(expand(&infos, Role::Search, &full).as_ref(), Ok(&full), "{what}");
                    for heuristic in heuristics_of(&known, &spec, Role::Search) {
                        if let Err(error) = known.puzzle.tables(&heuristic) {
                            panic!("{what}: {spec}: {error}");
                        }
                    }
                }
            }
        }
    }
}

/// Variants are spelled as they are printed, and every sample belongs to a puzzle.
#[test]
fn samples_name_puzzles_as_they_print() {
    for sample in CHOSEN.iter().chain(samples()) {
        for &variant in sample.variants {
            assert_eq!(known(variant).puzzle.spec(), variant);
        }
        assert_eq!(known(sample.plain).family.info.name, sample.name);
    }
}
