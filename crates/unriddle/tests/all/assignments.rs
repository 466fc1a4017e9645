//! Puzzles without a path: every solver of every one on tiny instances.
//!
//! The oracles are in this file: for teams the exact search without any heuristic, for quadratic
//! assignment all permutations. The tests compare sealed records: the independent checker has
//! replayed every solution.

use crate::common::{
    cache, known, limited, record, record_of, request,
    samples::{Sample, samples as all_samples},
    timeless,
};
use std::collections::BTreeSet;
use unriddle_catalog::{Aim, Budget, Instance, Request, Spec, Status, Style, solve, tables::Cache};

fn samples() -> impl Iterator<Item = &'static Sample> {
    all_samples().iter().filter(|sample| known(sample.variants[0]).family.aim == Aim::Assignment)
}

/// The optimum, computed independently; `None` if there is no solution.
fn optimum(sample: &Sample, instance: &dyn Instance, cache: &Cache) -> Option<i64> {
    match sample.name {
        "qap" => {
            let text = instance.text();
            let n: usize = text.split_whitespace().next().unwrap().parse().unwrap();
            let mut places: Vec<usize> = (1..=n).collect();
            let mut best = i64::MAX;
            permutations(&mut places, 0, &mut |places| {
                let places: Vec<String> = places.iter().map(ToString::to_string).collect();
                let (value, _) =
                    unriddle::registry().verify("qap", &text, &places.join(" ")).unwrap();
                best = best.min(value);
            });
            Some(best)
        }
        _ => {
            let bare = "team-exact(attempts=0, moves=0)";
            let found = record(sample.variants[0], instance, bare, cache).unwrap();
            assert!(matches!(found.status, Status::Optimal | Status::Unsolvable), "{found:?}");
            found.value
        }
    }
}

fn permutations(places: &mut Vec<usize>, from: usize, visit: &mut dyn FnMut(&[usize])) {
    if from == places.len() {
        return visit(places);
    }
    for i in from..places.len() {
        places.swap(from, i);
        permutations(places, from + 1, visit);
        places.swap(from, i);
    }
}

#[test]
fn nothing_is_left_out() {
    for sample in samples() {
        let name = |spec: &&str| Spec::parse(spec).unwrap().name().to_owned();
        let tested: BTreeSet<String> = sample.specialists.iter().map(name).collect();
        let family = known(sample.variants[0]).family;
        let declared = family.declared();
        let listed = declared.solvers.iter().chain(&declared.searches);
        assert_eq!(tested, listed.map(|info| info.name.to_owned()).collect());
    }
    assert!(samples().count() > 1);
}

#[test]
fn no_solver_claims_more_than_there_is() {
    let cache = cache();
    for sample in samples() {
        let (mut best, mut none) = (0, 0);
        for &variant in sample.variants {
            let known = known(variant);
            for tiny in sample.tiny {
                for index in 0..tiny.count {
                    let instance = known.load(&known.generate(tiny.generator, index));
                    let optimum = optimum(sample, &*instance, &cache);
                    none += usize::from(optimum.is_none());
                    for solver in sample.specialists {
                        let what = format!("{variant} {} {index} {solver}", tiny.generator);
                        let found = record(variant, &*instance, solver, &cache).unwrap();
                        let Some(optimum) = optimum else {
                            let ended =
                                matches!(found.status, Status::Unsolvable | Status::Exhausted);
                            assert!(ended && found.value.is_none(), "{what}: {found:?}");
                            continue;
                        };
                        assert!(found.lower_bound.is_none_or(|bound| bound <= optimum), "{what}");
                        let Some(value) = found.value else {
                            assert_eq!(found.status, Status::Exhausted, "{what}");
                            continue;
                        };
                        assert_eq!(found.checked, Some(true), "{what}: {found:?}");
                        assert!(value >= optimum, "{what}");
                        best += usize::from(value == optimum);
                        if solver.contains("exact") {
                            assert_eq!((found.status, value), (Status::Optimal, optimum), "{what}");
                        } else {
                            assert_eq!(found.status, Status::Solved, "{what}");
                        }
                    }
                }
            }
        }
        assert!(best > 0);
        assert!(none > 0 || sample.name == "qap");
    }
}

/// The seed decides everything, the number of threads nothing.
#[test]
fn seeds_decide_and_threads_change_nothing() {
    let cache = cache();
    for sample in samples() {
        let known = known(sample.plain);
        let instance = known.load(&known.generate(sample.tiny[0].generator, 1));
        for solver in sample.specialists {
            let run =
                |threads, seed| {
                    let found = record_of(known.spec, &*instance, solver, &cache, |request| {
                        Request { threads, seed, ..request }
                    })
                    .unwrap();
                    timeless(&found)
                };
            assert_eq!(run(1, 7), run(3, 7), "{solver}");
        }
    }
}

/// A limit is named, even if it is used up at once, and the best solution so far is kept.
#[test]
fn limits_are_named() {
    let cache = cache();
    for sample in samples() {
        let known = known(sample.plain);
        let instance = known.load(&known.generate(sample.tiny[0].generator, 0));
        for solver in sample.specialists {
            let (_, one) = limited(known.spec, &*instance, solver, &cache);
            assert_eq!(one.expanded, Some(1), "{solver}");
            assert_ne!(one.checked, Some(false), "{solver}");
        }
    }
}

/// Solutions are drawn, and wrong ones are refused by the puzzle as by the checker.
#[test]
fn solutions_are_drawn_and_wrong_ones_refused() {
    let cache = cache();
    for sample in samples() {
        let known = known(sample.plain);
        for index in 0..3 {
            let instance = known.load(&known.generate(sample.tiny[0].generator, index));
            let found = record(known.spec, &*instance, sample.specialists[0], &cache).unwrap();
            let Some(solution) = found.solution else {
                continue;
            };
            for style in [Style::Plain, Style::Colour, Style::Svg] {
                let frames = instance.frames(&solution, style).unwrap();
                assert!(frames.len() > 1 && frames.iter().all(|f| !f.drawing.is_empty()));
                let svg = frames.iter().all(|f| f.drawing.trim_start().starts_with("<svg"));
                assert_eq!(svg, style == Style::Svg);
            }
            let mut words: Vec<&str> = solution.split_whitespace().collect();
            words[0] = words[1];
            for wrong in [words.join(" "), format!("{solution} 1"), "x".to_owned()] {
                assert!(instance.frames(&wrong, Style::Plain).is_err(), "{wrong}");
                let verdict = unriddle::registry().verify(known.spec, &instance.text(), &wrong);
                assert!(verdict.is_err(), "{wrong}");
            }
        }
    }
}

/// `validate` and `solve` report the same.
#[test]
fn validations_agree_with_solvers() {
    use unriddle_catalog::{
        input::Named,
        validate::{self, Batch, Keys, Verdict, validate},
    };
    let cache = cache();
    let known = known("party");
    let registry = unriddle::registry();
    let family = registry.family("party").unwrap();
    let keys = [("regions", "1k"), ("near", "10")];
    let keys = keys.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let keys = Keys::read(family, &keys).unwrap();
    let puzzle = keys.puzzle(registry.files()).unwrap();
    for generator in ["world(varied, heroes=150)", "world(impossible, heroes=60)"] {
        for index in 0..4 {
            let instance = known.load(&known.generate(generator, index));
            let solved = record("party", &*instance, "team-exact", &cache).unwrap();
            let named = [Named::new("x".to_owned(), instance)];
            let batch = Batch::new(&*puzzle, &keys, &named);
            let solver = Spec::parse("team-exact").unwrap();
            let request = Request { seed: 1, ..Request::new(&solver, &cache) };
            let mut told = Vec::new();
            let tell = &mut |part: &str| told.push(part.to_owned());
            let found = validate(&registry, &batch, 0, &request, tell).unwrap();
            assert!(!told.is_empty());
            assert_eq!(found.value, solved.value);
            let data = |name: &str| {
                let mut sections = found.sections.iter();
                sections.find(|section| section.name == name).map(|section| &section.data)
            };
            match found.verdict {
                Verdict::Solvable => {
                    assert!(found.optimal && found.checked == Some(true));
                    let near = data("near").unwrap();
                    assert!(near["teams"].as_u64().unwrap() > 0);
                    assert!(near["used"][0]["share"].as_f64().unwrap() <= 1.0);
                    for change in data("changes").unwrap().as_array().unwrap() {
                        let difference = change["difference"].as_i64().unwrap_or(0);
                        // A tighter requirement is never cheaper, a looser one never costlier.
                        assert!(match change["tighter"].as_bool().unwrap() {
                            true => difference >= 0,
                            false => difference <= 0,
                        });
                    }
                }
                Verdict::Unsolvable => {
                    let conflict = data("conflict").unwrap();
                    assert_eq!(conflict["minimal"], true);
                    assert!(!conflict["conditions"].as_array().unwrap().is_empty());
                }
                Verdict::Unknown | Verdict::Refused | Verdict::Failed => {
                    panic!("{generator} {index}")
                }
            }
            let text = validate::text(&found);
            let head = format!("x: {}", found.headline());
            assert!(text.starts_with(&head), "{text}");
            let page = validate::html(&[found.clone(), found.clone()], &|_| None);
            assert_eq!(page.matches("<section").count(), 2);
        }
    }
}

/// HiGHS comes to the same price where it is built in; elsewhere the refusal names the feature.
#[test]
fn highs_agrees_or_is_refused() {
    let cache = cache();
    let known = known("party");
    for index in 0..2 {
        let instance = known.load(&known.generate("world(impossible, heroes=60)", index));
        let found = record("party", &*instance, "team-exact(lp=highs)", &cache);
        match found {
            Ok(found) if cfg!(feature = "highs") => {
                let own = record("party", &*instance, "team-exact", &cache).unwrap();
                assert_eq!((found.status, found.value), (own.status, own.value));
            }
            Err(error) if !cfg!(feature = "highs") => {
                assert!(error.to_string().contains("feature `highs`"), "{error}");
            }
            found => panic!("{found:?}"),
        }
    }
}

/// The checker verifies certificates of branch and bound step by step and refuses changed ones.
#[test]
fn certificates_prove_true_claims_only() {
    let [cut, none, wrong] = certificates(&[
        ("world(varied, heroes=40)", 8),
        ("world(impossible, heroes=60)", 6),
        ("world(matched, heroes=40)", 6),
    ]);
    assert!(cut > 5 && none > 3 && wrong > 5, "{cut} {none} {wrong}");
}

/// A separate test, so that it runs in parallel with the test of the small worlds.
#[test]
fn certificates_of_large_worlds_prove_true_claims_only() {
    let [cut, none, wrong] = certificates(&[
        ("world(matched, heroes=300)", 4),
        ("world(type1, heroes=300)", 2),
        ("world(type2, heroes=300)", 2),
        ("world(type3, heroes=300)", 2),
    ]);
    assert!(cut > 2 && none > 1 && wrong > 3, "{cut} {none} {wrong}");
}

/// Certifies instances of generators, verifies the certificates and checks that changed ones are
/// refused. Returns the numbers of truncated certificates, of certificates of unsolvability, and of
/// claims too strong to certify.
fn certificates(generators: &[(&str, u64)]) -> [u32; 3] {
    use unriddle_catalog::{
        NoCertificate,
        record::{Claim, certify, verify_certificate},
    };
    let cache = cache();
    let known = known("party");
    let (mut cut, mut none, mut wrong) = (0, 0, 0);
    for &(generator, count) in generators {
        for index in 0..count {
            let what = format!("{generator} {index}");
            let mut text = known.generate(generator, index);
            if index % 2 == 1 {
                // A weighted sum in place of the price.
                let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
                document["puzzle"]["objective"] = serde_json::json!({"price": 0.5, "level": -12});
                // Where one race counts for less.
                let node = document["nodes"][1].as_str().unwrap().to_owned();
                let factors = serde_json::json!({node: {"elf": 0.5, "dwarf": 0.25}});
                let positions = serde_json::json!({"trait": "race", "factors": factors});
                let synergy = &mut document["puzzle"]["synergy"];
                if synergy.get("affinity").is_none() {
                    synergy["positions"] = positions;
                }
                text = document.to_string();
            }
            let instance = known.load(&text);
            let text = instance.text();
            let spec = Spec::parse("team-exact").unwrap();
            let limited = Request {
                budget: Budget { expansions: Some(300), ..Budget::default() },
                ..request(&spec, &cache)
            };
            let mut found =
                solve(&unriddle::registry(), "1", "party", &*instance, &limited, &mut ()).unwrap();
            let certifies = instance.extensions().certifies.unwrap();
            let claim = found.claim().unwrap();
            certify(&mut found, &*instance, &mut |_| true).unwrap();
            assert_eq!(found.certified, Some(true), "{what}: {:?}", found.reason);
            let certificate = found.certificate.unwrap();
            let verify = |certificate: &str| verify_certificate("party", &text, certificate, claim);
            let least = match claim {
                Claim::AtLeast(least) => Some(least),
                _ => None,
            };
            let stopped = certifies.certificate(least, &mut |_| false);
            let regions = certificate.matches("[\"").count();
            assert!(regions == 0 || stopped == Err(NoCertificate::Stopped));
            // A claim that goes further is another one.
            match least {
                None => none += 1,
                Some(least) => {
                    assert!(
                        verify_certificate("party", &text, &certificate, Claim::Unsolvable)
                            .is_err()
                    );
                    let more = certificate.replace(
                        &format!("\"least\":{least}"),
                        &format!("\"least\":{}", least + 1000),
                    );
                    assert_ne!(more, certificate);
                    assert!(verify(&more).is_err(), "{what}");
                }
            }
            if found.status == Status::Optimal && regions < 1000 {
                let told = certifies.certificate(least.map(|least| least + 1), &mut |_| true);
                assert!(matches!(told, Err(NoCertificate::False(_))), "{what}");
                wrong += 1;
            }
            // Nor does it go with less.
            let mut document: serde_json::Value = serde_json::from_str(&certificate).unwrap();
            let list = document["regions"].as_array_mut().unwrap();
            if list.len() > 2 {
                cut += 1;
                let last = list.pop().unwrap();
                assert!(verify(&document.to_string()).is_err(), "{what}");
                let list = document["regions"].as_array_mut().unwrap();
                list.extend([last.clone(), last]);
                assert!(verify(&document.to_string()).is_err(), "{what}");
                // Without its multipliers no region is closed, except by counts.
                document["regions"].as_array_mut().unwrap().pop();
                for region in document["regions"].as_array_mut().unwrap() {
                    let words = region.as_array_mut().unwrap();
                    if words.len() > 1 {
                        *words.last_mut().unwrap() = serde_json::json!([]);
                    }
                }
                let verdict = verify(&document.to_string());
                assert!(verdict.is_err() || !certificate.contains("closed"), "{what}");
            }
        }
    }
    [cut, none, wrong]
}

/// Malicious certificates are refused with the position of the error.
#[test]
fn hostile_certificates_are_refused() {
    use unriddle_catalog::record::{Claim, verify_certificate};
    let known = known("party");
    let instance = known.load(&known.generate("world(varied, heroes=40)", 0));
    let text = instance.text();
    let huge = i64::MIN;
    for (regions, why) in [
        ("[]", "1 are left open"),
        ("7", "expected a list"),
        ("[7]", "regions[0]: expected a list"),
        ("[[]]", "expected the name of a kind"),
        (r#"[["closed"]]"#, "expected rows"),
        (r#"[["closed", []]]"#, "do not close it"),
        (r#"[["kept"]]"#, "do not close it"),
        (r#"[["impossible"]]"#, "its counts can be"),
        (r#"[["closed", [["nodes"]]]]"#, "is no row"),
        (r#"[["closed", [["line", 99, 1]]]]"#, "row `line`"),
        (r#"[["item", 99999, []]]"#, "has no item 99999"),
        (r#"[["team", [1, 1], []]]"#, "occurs twice"),
        (r#"[["count", "race", "no", 1, []]]"#, "is never"),
        (r#"[["often", "race", 1, [], []]]"#, "can occur 1 times as well"),
        (r#"[["some", "race", 90, [], []]]"#, "no requirement"),
        (r#"[["sum", "age", 1, []]]"#, "there is no numeric attribute"),
        (&format!(r#"[["closed", [["nodes", {huge}], ["shared", {huge}]]]]"#), "close it"),
        (&format!(r#"[["count", "race", "elf", {huge}, []], ["closed", []]]"#), "1 are left open"),
    ] {
        let certificate =
            format!(r#"{{"certificate": 1, "least": 999999999, "regions": {regions}}}"#);
        let verdict = verify_certificate("party", &text, &certificate, Claim::AtLeast(1));
        let told = verdict.expect_err(&certificate);
        assert!(told.contains(why), "{certificate}: {told}");
    }
    for certificate in
        ["", "{}", "[]", r#"{"certificate": 2}"#, r#"{"certificate": 1, "least": 0.5}"#]
    {
        assert!(verify_certificate("party", &text, certificate, Claim::Unsolvable).is_err());
    }
    let tiles = verify_certificate("tiles", "1 2 3 0", "{}", Claim::Unsolvable).unwrap_err();
    assert!(tiles.contains("no certificates"), "{tiles}");
}
