//! Networks as heuristics: quality of solutions, and refusals.

use crate::common::{cache, known, record, record_of};
use std::{
    path::Path,
    sync::{Arc, Mutex},
};
use unriddle_catalog::{Budget, Request, Status};
use unriddle_neural::{Activation, Architecture, Block, Head, Header, Model, Precision, packed};

const MODEL: &str = "../../models/tiles8.safetensors";

/// The committed network of the 8-puzzle finds nearly shortest solutions with few states; one whose
/// weights are shuffled does not.
#[test]
fn a_network_of_another_puzzle_is_refused() {
    let cache = cache();
    let known = known("tiles");
    let folder = tempfile::tempdir().unwrap();
    let shuffled = shuffled(MODEL, folder.path());
    let total = |file: &str, rest: &str| {
        let (mut moves, mut optimal, mut expanded) = (0, 0, 0);
        for index in 0..10 {
            let instance = known.load(&known.generate("uniform(3)", index));
            let best = record(known.spec, &*instance, "idastar(manhattan)", &cache).unwrap();
            let solver = format!("astar(net(\"{file}\"{rest}))");
            let found = record(known.spec, &*instance, &solver, &cache).unwrap();
            assert_eq!(found.status, Status::Solved, "{solver}");
            assert_eq!(found.lower_bound, None);
            moves += found.value.unwrap();
            optimal += best.value.unwrap();
            expanded += found.expanded.unwrap();
        }
        (moves - optimal, expanded)
    };
    for rest in ["", ", parity=on", ", precision=bytes"] {
        let (excess, expanded) = total(MODEL, rest);
        assert!(excess <= 15 && expanded < 10 * 200, "{rest}: {excess} {expanded}");
    }
    let (_, expanded) = total(&shuffled, "");
    assert!(expanded > 10 * 1000, "{expanded}");
}

/// The maximum of a network and of tables equals the larger estimate, and a search that estimates
/// one state at a time refuses it.
#[test]
fn a_network_goes_with_tables() {
    let cache = cache();
    let known = known("tiles");
    let parts = ["net(tiles8, less=3)", "pdb(4-4)", "manhattan"];
    let all = format!("max({})", parts.join(", "));
    let mut greatest = [0; 3];
    for index in 0..30 {
        let instance = known.load(&known.generate("uniform(3)", index));
        let estimate = |h: &str| {
            let solver = format!("beam({h}, width=100)");
            let found = record(known.spec, &*instance, &solver, &cache).unwrap();
            assert!(found.value.is_some(), "{solver}");
            found.initial_h.unwrap()
        };
        let of_parts = parts.map(estimate);
        let largest = of_parts.into_iter().fold(0.0, f64::max);
        assert!((estimate(&all) - largest).abs() < 1e-9);
        // In a tie each part is the greatest.
        for (count, of_part) in greatest.iter_mut().zip(of_parts) {
            *count += u32::from(of_part >= largest);
        }
    }
    assert!(greatest[0] > 0 && greatest[1] > 0, "{greatest:?}");
    let instance = known.load(&known.generate("uniform(3)", 0));
    let solver = format!("idastar({all})");
    let refused = record(known.spec, &*instance, &solver, &cache).unwrap_err();
    let refused = refused.to_string();
    assert!(refused.contains("many states at a time"), "{refused}");
}

/// Estimates in bytes agree with single precision on random instances: no activation exceeds the
/// range of bytes.
#[test]
fn bytes_agree_with_single_precision_on_random_instances() {
    let cache = cache();
    let known = known("tiles");
    for (model, generator) in [
        ("tiles8", "uniform(3)"),
        ("tiles15", "uniform(4)"),
        ("tiles24", "uniform(5)"),
        ("tiles24-blocks", "uniform(5)"),
        ("tiles35-blocks", "uniform(6)"),
        ("tiles48-long", "uniform(7)"),
    ] {
        for index in 0..10 {
            let instance = known.load(&known.generate(generator, index));
            let said = ["single", "bytes"].map(|numbers| {
                let solver = format!("beam(net({model}, numbers={numbers}), width=1)");
                let found = record_of(known.spec, &*instance, &solver, &cache, |request| Request {
                    budget: Budget { expansions: Some(1), ..Budget::default() },
                    ..request
                });
                found.unwrap().initial_h.unwrap()
            });
            let difference = (said[1] - said[0]).abs() / said[0].max(1.0);
            assert!(difference < 0.03, "{model}: {said:?}");
        }
    }
}

/// A copy of a model with the weights of each tensor in another order.
fn shuffled(model: &str, folder: &Path) -> String {
    let path = folder.join("shuffled.safetensors");
    let mut bytes = packed::read(model.as_ref()).unwrap();
    // The first eight bytes are the header's length; tensors follow it, at offsets from its end.
    let (length, rest) = bytes.split_first_chunk_mut::<8>().unwrap();
    let (header, values) = rest.split_at_mut(u64::from_le_bytes(*length) as usize);
    let header: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(header).unwrap();
    let mut rng = unriddle_catalog::Rng::new(1);
    for (_, tensor) in header.iter().filter(|(name, _)| name.ends_with("weight")) {
        let [from, to] = [0, 1].map(|end| tensor["data_offsets"][end].as_u64().unwrap() as usize);
        let values = &mut values[from..to];
        match tensor["dtype"].as_str().unwrap() {
            "I8" => rng.shuffle(values),
            "F16" | "BF16" => rng.shuffle(values.as_chunks_mut::<2>().0),
            "F32" => rng.shuffle(values.as_chunks_mut::<4>().0),
            other => panic!("{model}: numbers of type {other}"),
        }
    }
    std::fs::write(&path, &bytes).unwrap();
    path.display().to_string()
}

/// Narrow beams bring walks home in no more moves than they have, and best-first search solves
/// rooms, but not by weights that are shuffled.
#[test]
fn the_weights_matter() {
    let cache = cache();
    let boards = [(4, "15"), (4, "15-narrow"), (5, "24"), (6, "35"), (7, "48")];
    let boards = boards.map(|(side, tiles)| {
        let walk = format!("walk({side}, min=60, max=60)");
        let search = ("beam", "width=30, max_depth=60");
        ("tiles", walk, format!("tiles{tiles}"), search)
    });
    let scramble = "scramble(min=12, max=12)".to_owned();
    let search = ("beam", "width=300, max_depth=12, direction=bidirectional");
    let cube = ("cube", scramble, "cube-shared".to_owned(), search);
    let (rooms, search) = ("room".to_owned(), ("bwas", "lambda=0.8, batch=1"));
    let rooms = ("sokoban(measure=moves)", rooms, "sokoban".to_owned(), search);
    for (puzzle, walk, name, (search, options)) in boards.into_iter().chain([cube, rooms]) {
        let known = known(puzzle);
        let model = format!("../../models/{name}.safetensors");
        let folder = tempfile::tempdir().unwrap();
        let shuffled = shuffled(&model, folder.path());
        let [home, lost] = [model, shuffled].map(|model| {
            let solved = (0..6).filter(|&index| {
                let instance = known.load(&known.generate(&walk, index));
                // Convolutions are computed only in single precision.
                let numbers = if name == "sokoban" { "single" } else { "bytes" };
                let solver = format!("{search}(net(\"{model}\", numbers={numbers}), {options})");
                let found = record_of(known.spec, &*instance, &solver, &cache, |request| Request {
                    budget: Budget { expansions: Some(4000), ..Budget::default() },
                    ..request
                });
                found.unwrap().status == Status::Solved
            });
            solved.count()
        });
        assert!(home >= 5 && lost <= 1, "{name}: {home} {lost}");
    }
}

/// The preset `learned` uses a general search, which knows no solver of a puzzle (the test of the
/// crates' edges), and a network. The only table that is built or opened meanwhile is the goal
/// table that the solver names.
#[test]
fn learned_presets_call_no_exact_solver() {
    let tables = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&tables);
    let cache = cache().with_observer(Box::new(move |key, _| {
        told.lock().unwrap().push(key.to_owned());
        true
    }));
    for (puzzle, generator) in [
        ("tiles", "walk(3, min=20, max=20)"),
        ("tiles", "walk(4, min=30, max=30)"),
        ("lightsout", "presses(7)"),
        ("cube(size=2)", "scramble(min=8, max=8)"),
        ("cube(size=2, metric=htm)", "scramble(min=6, max=6)"),
        ("cube", "scramble(min=8, max=8)"),
        ("cube(metric=htm)", "scramble(min=6, max=6)"),
        ("sokoban(measure=moves)", "room"),
    ] {
        let known = known(puzzle);
        let instance = known.load(&known.generate(generator, 3));
        let solver = instance.preset("learned").unwrap().to_string();
        let calls: Vec<&str> = solver.split('(').rev().skip(1).collect();
        let calls = calls.into_iter().map(|before| {
            let is_name = |c: char| c.is_alphanumeric() || c == '-';
            before.rsplit(|c: char| !is_name(c)).next().unwrap_or_default()
        });
        for call in calls {
            assert!(["beam", "bwas", "greedy", "net"].contains(&call), "{solver}");
        }
        // The table of a few turns is built in a moment.
        let solver = solver.replace("goal_table=64M", "goal_table=100k");
        let found = record(known.spec, &*instance, &solver, &cache).unwrap();
        assert_eq!(found.status, Status::Solved, "{solver}");
        assert!(found.networks.is_some(), "{solver}");
        let tables = std::mem::take(&mut *tables.lock().unwrap());
        let is_near = |key: &String| key.starts_with("distances near the goal");
        assert!(tables.iter().all(is_near), "{solver}: {tables:?}");
        assert_eq!(tables.is_empty(), !solver.contains("goal_table="), "{solver}");
    }
}

/// A goal table of a few bytes has the size of a table of the states one action from the goal.
#[test]
fn few_bytes_near_the_goal_are_enough() {
    let (cache, known) = (cache(), known("cube(size=2)"));
    let instance = known.load(&known.generate("scramble(min=5, max=5)", 1));
    for near in ["1", "20", "100"] {
        for ends in ["start", "both"] {
            let solver = format!("beam(net(cube2), width=100, ends={ends}, goal_table={near})");
            let found = record(known.spec, &*instance, &solver, &cache).unwrap();
            assert_eq!(found.status, Status::Solved, "{solver}");
        }
    }
}

/// The preset solves boards that it never saw by as few moves as can be, or nearly so, and calls no
/// table.
#[test]
fn learned_presets_are_nearly_optimal() {
    let cache = cache();
    let known = known("tiles");
    // Records name the network and the hash of its file.
    let names = ["tiles8", "tiles15"].map(|model| {
        let bytes = packed::read(format!("../../models/{model}.safetensors").as_ref()).unwrap();
        format!("{model} {}", unriddle_neural::content_hash(&bytes))
    });
    for (name, generator, count, most) in
        [(&names[0], "uniform(3)", 20, 0), (&names[1], "uniform(4)", 4, 2)]
    {
        let mut excess = 0;
        for index in 0..count {
            let instance = known.load(&known.generate(generator, 100 + index));
            let best = record(known.spec, &*instance, "idastar(pdb(6-6-3))", &cache)
                .or_else(|_| record(known.spec, &*instance, "idastar(manhattan)", &cache));
            let solver = instance.preset("learned").unwrap().to_string();
            let found = record(known.spec, &*instance, &solver, &cache).unwrap();
            assert_eq!(found.checked, Some(true));
            assert_eq!(found.networks.as_deref(), Some(name.as_str()));
            excess += found.value.unwrap() - best.unwrap().value.unwrap();
        }
        assert!(excess <= most, "{generator}: {excess}");
    }
}

#[test]
fn invalid_networks_are_refused() {
    let cache = cache();
    let known = known("tiles");
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.safetensors");
    let bytes = std::fs::read(MODEL).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() - 1]).unwrap();
    let cut = cut.display().to_string();
    for (file, generator, why) in [
        (MODEL, "uniform(4)", "for the size `3`, not `4`"),
        ("nowhere", "uniform(3)", "nowhere: "),
        ("../../Cargo.toml", "uniform(3)", "Cargo.toml: "),
        (cut.as_str(), "uniform(3)", "cut.safetensors: "),
    ] {
        let instance = known.load(&known.generate(generator, 0));
        for search in ["astar", "greedy", "bwas", "beam"] {
            let solver = format!("{search}(net(\"{file}\"))");
            let told = record(known.spec, &*instance, &solver, &cache);
            let told = told.unwrap_err().to_string();
            assert!(told.contains(why), "{solver}: {told}");
        }
    }
}

/// The network of Lights Out, which sees chased lights, leads greedy search to the goal; with its
/// weights shuffled it does not. An input that the puzzle does not have is refused.
#[test]
fn an_input_has_a_name() {
    let cache = cache();
    let known = known("lightsout");
    let model = "../../models/lightsout7.safetensors";
    let folder = tempfile::tempdir().unwrap();
    let solved = |file: &str| {
        let solved = (0..10).filter(|&index| {
            let instance = known.load(&known.generate("random(7)", index));
            let solver = format!("beam(net(\"{file}\"), width=1, max_depth=40)");
            let found = record(known.spec, &*instance, &solver, &cache).unwrap();
            found.status == Status::Solved
        });
        solved.count()
    };
    assert!(solved(model) >= 8);
    assert_eq!(solved(&shuffled(model, folder.path())), 0);
    let mut model = Model::parse(&packed::read(model.as_ref()).unwrap()).unwrap();
    model.header.input = "stickers".to_owned();
    let path = folder.path().join("stickers.safetensors");
    std::fs::write(&path, model.write(Precision::F16).unwrap()).unwrap();
    let instance = known.load(&known.generate("random(7)", 0));
    let solver = format!("greedy(net(\"{}\"))", path.display());
    let told = record(known.spec, &*instance, &solver, &cache).unwrap_err();
    let why = "the network uses the input `stickers`, which the puzzle does not have";
    assert!(told.to_string().contains(why), "{told}");
}

/// File of a network with action outputs and random weights.
fn of_actions(head: Head, folder: &Path) -> String {
    let model = Model::parse(&std::fs::read(MODEL).unwrap()).unwrap();
    let of = model.header.architecture.clone();
    let states = if head == Head::Pair { 2 } else { 1 };
    let architecture = Architecture {
        inputs: states * of.inputs,
        groups: states * of.groups,
        grid: None,
        skip: false,
        blocks: vec![Block::dense(16, Activation::Leaky), Block::head(head)],
    };
    let header = Header { architecture, ..model.header };
    let random = Model::random(header, 1).unwrap();
    let path = folder.join(format!("{}-{}.safetensors", head.outputs(), head.actions()));
    std::fs::write(&path, random.write(Precision::F32).unwrap()).unwrap();
    path.display().to_string()
}

/// Each kind of network works with the searches that its outputs suffice for; other searches are
/// refused with the name of a suitable one.
#[test]
fn networks_of_actions_choose_actions() {
    let cache = cache();
    let known = known("tiles");
    let instance = known.load(&known.generate("walk(3, min=20, max=20)", 0));
    let folder = tempfile::tempdir().unwrap();
    let (actions, both) = (Head::Actions(4), Head::ValueAndActions(4));
    for (head, search, rest, refused) in [
        (actions, "beam", "width=5000, choose=actions", ""),
        (actions, "beam", "width=5000, choose=actions, order=f", ""),
        (actions, "bwas", "batch=10, choose=actions", ""),
        (actions, "bwas", "batch=10", ""),
        (both, "bwas", "batch=10, choose=actions", ""),
        (both, "beam", "width=5000", ""),
        (Head::Policy(4), "beam", "width=5000, choose=actions", ""),
        (Head::Policy(4), "beam", "width=5000", "choose=actions"),
        (Head::Policy(4), "bwas", "choose=actions", "estimates no costs"),
        (Head::Policy(4), "levin", "batch=10", ""),
        (actions, "levin", "batch=1", "outputs of a policy"),
        (Head::Value, "levin", "batch=1", "outputs of actions"),
        (Head::Pair, "greedy", "compare=pairs", ""),
        (Head::Pair, "greedy", "compare=estimates", "compare=pairs"),
        (Head::Pair, "beam", "choose=actions", "compare=pairs"),
        (Head::Value, "greedy", "compare=pairs", "compares no states"),
        (Head::Value, "beam", "choose=actions", "actions"),
        (Head::Value, "bwas", "choose=actions", "actions"),
    ] {
        let file = match head {
            Head::Value => MODEL.to_owned(),
            head => of_actions(head, folder.path()),
        };
        let solver = format!("{search}(net(\"{file}\"), {rest})");
        let found = record(known.spec, &*instance, &solver, &cache);
        if refused.is_empty() {
            let found = found.unwrap_or_else(|why| panic!("{solver}: {why}"));
            assert_eq!(found.checked, Some(true), "{solver}");
        } else {
            let told = found.unwrap_err().to_string();
            assert!(told.contains(refused), "{solver}: {told}");
        }
    }
}
