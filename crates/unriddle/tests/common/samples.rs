//! Sample instances of every puzzle: small instances for the matrix, and instances of committed
//! texts.
//!
//! A puzzle without samples is tested with its declarations. A heuristic that is not on any list
//! fails a test.

use std::sync::LazyLock;
use unriddle_catalog::{Aim, Family, registry::GENERAL_HEURISTICS};

/// Sample of a puzzle for the tests.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Its name.
    pub name: &'static str,
    /// Specs of all variants that have tiny instances and golden transcripts.
    pub variants: &'static [&'static str],
    /// Spec of the standard variant, which the fingerprint uses.
    pub plain: &'static str,
    /// Solvers of this puzzle, and searches that it lists; each solves an instance or proves it
    /// unsolvable.
    pub specialists: &'static [&'static str],
    /// Kinds of tiny instances.
    pub tiny: &'static [Tiny],
    /// Whether the state space is too large to be exhausted: `greedy`, `beam` and `staged`, which
    /// promise no solution, may then never end.
    pub vast: bool,
    /// The most actions of a state.
    pub branching: u64,
    /// Instances that are proved unsolvable when they are loaded.
    pub unsolvable: &'static [&'static str],
    /// Heuristic expressions and a generator of instances that they do not fit, with a word of the
    /// refusal.
    pub refused: &'static [(&'static str, &'static str, &'static str)],
    /// Generators and solvers of the golden transcripts.
    pub golden: &'static [(&'static str, &'static str)],
    /// Generators, numbers of instances and solvers of the fingerprint.
    pub fingerprint: &'static [(&'static str, u64, &'static [&'static str])],
}

/// Tiny instances, on which even a blind search takes no time.
#[derive(Clone, Copy)]
pub struct Tiny {
    /// The generator.
    pub generator: &'static str,
    /// Number of instances.
    pub count: u64,
    /// The admissible heuristics: every declared heuristic must be on this list or the next of at
    /// least one kind.
    pub heuristics: &'static [&'static str],
    /// Heuristics that rank states and are no bounds.
    pub rankings: &'static [&'static str],
}

/// Samples that were chosen.
pub const CHOSEN: &[Sample] =
    &[TILES, FREECELL, SAMEGAME, MORPION, PARTY, QAP, LIGHTSOUT, CUBE, SOKOBAN, PERMUTATION];

/// The samples, one per puzzle, in the order of the list.
pub fn samples() -> &'static [Sample] {
    static ALL: LazyLock<Vec<Sample>> = LazyLock::new(|| {
        let of = |family: &&Family| {
            let name = family.info.name;
            let chosen = CHOSEN.iter().find(|sample| sample.name == name);
            chosen.copied().unwrap_or_else(|| declared(family))
        };
        unriddle::FAMILIES.iter().map(of).collect()
    });
    &ALL
}

/// The sample of a puzzle whose first generator makes tiny instances, whose heuristics are
/// admissible, and whose declarations need no arguments.
fn declared(family: &Family) -> Sample {
    let own = &family.declared().heuristics;
    let is_score = family.aim == Aim::Score;
    let combined = own.iter().map(|info| info.name).chain(["blind"]);
    let combined = format!("max({})", combined.collect::<Vec<_>>().join(", "));
    let names = |infos: &[&'static unriddle_core::Info]| -> Vec<&'static str> {
        infos.iter().map(|info| info.name).collect()
    };
    // General heuristics that the puzzle supports; networks need network inputs.
    let general = family.declared().general.into_iter();
    let general = general.filter(|info| GENERAL_HEURISTICS.contains(info) && info.name != "max");
    let general = general.map(|info| info.name);
    // An estimate of costs is not a bound of a score.
    let general = general.chain([&*combined.leak()]).filter(|_| !is_score);
    let heuristics: Vec<&'static str> = names(own).into_iter().chain(general).collect();
    let tiny = Tiny {
        generator: names(&family.generators())[0],
        count: 2,
        heuristics: heuristics.leak(),
        rankings: &[],
    };
    let name: &'static str = family.info.name;
    Sample {
        name,
        variants: vec![name].leak(),
        plain: name,
        specialists: names(&family.declared().solvers).leak(),
        tiny: vec![tiny].leak(),
        vast: false,
        branching: 1_000,
        unsolvable: &[],
        refused: &[],
        golden: &[],
        fingerprint: &[],
    }
}

const PARTY: Sample = Sample {
    name: "party",
    variants: &["party"],
    plain: "party",
    specialists: &[
        "team-exact(moves=5000)",
        "team-exact(attempts=0, moves=0)",
        "team-construct(attempts=300)",
        "team-construct(guided=no, sums=possible, teams=3, attempts=300)",
        "team-anneal(moves=5000, runs=3)",
        "team-anneal(bounds=no, moves=5000, runs=3)",
        "team-breed(islands=3, population=4, offspring=4, epoch=2, epochs=2)",
        "team-breed(islands=1, epochs=2, fresh=2, adaptive=yes, similarity=distance)",
        "layers(width=20)",
        "layers(width=20, tabu=on)",
        "nrpa(level=2, iterations=10, runs=1)",
        "nrpa(level=2, iterations=10, runs=1, bias=2, tabu=off)",
    ],
    tiny: &[
        Tiny { generator: "world(varied, heroes=150)", count: 5, heuristics: &[], rankings: &[] },
        Tiny { generator: "world(matched, heroes=30)", count: 8, heuristics: &[], rankings: &[] },
        Tiny {
            generator: "world(impossible, heroes=60)",
            count: 4,
            heuristics: &[],
            rankings: &[],
        },
    ],
    vast: false,
    branching: 10_000,
    unsolvable: &[],
    refused: &[],
    golden: &[("world(varied, heroes=20)", "team-exact")],
    fingerprint: &[(
        "world(type3)",
        2,
        &[
            "team-exact",
            "team-construct(teams=5)",
            "team-anneal(moves=20k, runs=2)",
            "team-breed(islands=2, population=5, offspring=5, epoch=2, epochs=2)",
            "layers(width=20)",
            "nrpa(level=2, iterations=10, runs=1, bias=2)",
        ],
    )],
};

const QAP: Sample = Sample {
    name: "qap",
    variants: &["qap"],
    plain: "qap",
    specialists: &["robust-tabu(iterations=2k, runs=2)"],
    tiny: &[Tiny { generator: "uniform(6)", count: 3, heuristics: &[], rankings: &[] }],
    vast: false,
    branching: 128,
    unsolvable: &[],
    refused: &[],
    golden: &[("uniform(5)", "robust-tabu(iterations=500, runs=1)")],
    fingerprint: &[("uniform(20)", 2, &["robust-tabu(iterations=5k, runs=1)"])],
};

const SAMEGAME: Sample = Sample {
    name: "samegame",
    variants: &["samegame", "samegame(score=contest)", "samegame(score=clickomania)"],
    plain: "samegame",
    specialists: &[
        "sg-best(width=20, tempers=2, evaluations=50, chains=3, adapts=1, iterations=3, again=20, round=3, cycles=2)",
    ],
    tiny: &[Tiny {
        generator: "uniform(width=4, height=4, colours=3)",
        count: 4,
        heuristics: &["one-group-each", "one-group-each-less-singles"],
        rankings: &[],
    }],
    vast: false,
    branching: 113,
    unsolvable: &[],
    refused: &[],
    golden: &[
        ("uniform(width=4, height=5, colours=3)", "astar(one-group-each-less-singles)"),
        ("uniform(width=6, height=6, colours=4)", "nrpa(level=2, iterations=10, runs=1)"),
    ],
    fingerprint: &[(
        "uniform",
        2,
        &[
            "nrpa(level=1, iterations=50, runs=1)",
            "spmcts(tabu_color, nodes=200)",
            "nmcs(level=0, games=50)",
            "dbs(budget=20, games=1)",
            "layers(width=20)",
            "lns(nrpa(level=1, iterations=20, runs=1), plays=20, rounds=5)",
        ],
    )],
};

const MORPION: Sample = Sample {
    name: "morpion",
    variants: &["morpion", "morpion(rule=5t)"],
    plain: "morpion",
    specialists: &[],
    tiny: &[Tiny {
        generator: "uniform(side=4, points=11)",
        count: 4,
        heuristics: &["room"],
        rankings: &[],
    }],
    vast: false,
    branching: 200,
    unsolvable: &[],
    refused: &[],
    golden: &[
        ("uniform(side=4, points=11)", "astar(room)"),
        ("cross", "nrpa(level=1, iterations=50, runs=1)"),
    ],
    fingerprint: &[(
        "cross",
        1,
        &[
            "nrpa(level=1, iterations=50, runs=1)",
            "spmcts(nodes=200)",
            "nmcs(level=0, games=50)",
            "dbs(budget=20, games=1)",
            "layers(width=20)",
        ],
    )],
};

const CUBE: Sample = Sample {
    name: "cube",
    variants: &["cube", "cube(metric=htm)"],
    plain: "cube",
    specialists: &["cube-fast", "cube-optimal(table=23M)"],
    tiny: &[Tiny {
        generator: "scramble(min=3, max=4)",
        count: 2,
        heuristics: &["blind", "pdb(4-4-4)", "max(pdb(4-4-4))"],
        rankings: &[],
    }],
    vast: true,
    branching: 18,
    // Tested in the puzzle's crate, since no search ends on them.
    unsolvable: &[],
    refused: &[],
    golden: &[
        ("scramble(min=3, max=4)", "idastar(pdb(4-4-4))"),
        ("scramble(min=9, max=9)", "cube-optimal(table=23M)"),
    ],
    fingerprint: &[
        (
            "scramble(min=5, max=5)",
            3,
            &[
                "astar(pdb(4-4-4))",
                "idastar(pdb(4-4-4))",
                "bwas(pdb(4-4-4))",
                "beam(pdb(4-4-4))",
                "beam(pdb(4-4-4), direction=bidirectional)",
                "beam(pdb(4-4-4), direction=bidirectional, goal_table=8k)",
            ],
        ),
        ("scramble(min=12, max=12)", 2, &["cube-optimal(table=23M)"]),
    ],
};

const PERMUTATION: Sample = Sample {
    name: "permutation",
    // Instances contain their puzzle, the 2×2×2 by default; other puzzles are tested in the crate.
    variants: &["permutation"],
    plain: "permutation",
    specialists: &[],
    tiny: &[Tiny {
        generator: "walk(3)",
        count: 2,
        heuristics: &[
            "blind",
            "misplaced",
            "adjacent",
            "pdb(bytes=50k)",
            "max(adjacent, pdb(bytes=50k))",
        ],
        rankings: &[],
    }],
    vast: true,
    branching: 9,
    // Tested in the puzzle's crate, since no search ends on them.
    unsolvable: &[],
    refused: &[],
    golden: &[
        ("walk(4)", "idastar(pdb(bytes=50k), prune=automaton)"),
        ("walk(3)", "astar(adjacent)"),
    ],
    fingerprint: &[(
        "random",
        3,
        &[
            "astar(pdb(bytes=50k))",
            "idastar(pdb(bytes=50k))",
            "idastar(pdb(bytes=50k), prune=automaton)",
            "bwas(pdb(bytes=50k))",
            "beam(pdb(bytes=50k))",
        ],
    )],
};

const SOKOBAN: Sample = Sample {
    name: "sokoban",
    variants: &["sokoban", "sokoban(measure=moves)"],
    plain: "sokoban",
    specialists: &["push-optimal", "move-optimal", "fess", "push-optimal(ties=moves)"],
    tiny: &[Tiny {
        generator: "room(2, rows=6, columns=6, positions=100)",
        count: 3,
        heuristics: &["blind", "assignment", "nearest", "misplaced", "max(assignment, misplaced)"],
        rankings: &["features(beside=1, stuck=1)"],
    }],
    // Iterative deepening without a heuristic would take hours on the shortest way that the tests
    // of limits ask for.
    vast: true,
    branching: 20,
    unsolvable: &["######|#@--.#|#---$#|######"],
    refused: &[],
    golden: &[
        ("room", "push-optimal"),
        ("room(2)", "astar(assignment)"),
        ("room(3)", "move-optimal"),
    ],
    fingerprint: &[(
        "room(3)",
        3,
        &[
            "push-optimal",
            "astar(assignment)",
            "idastar(assignment)",
            "bwas(assignment)",
            "beam(assignment)",
        ],
    )],
};

const LIGHTSOUT: Sample = Sample {
    name: "lightsout",
    variants: &["lightsout", "lightsout(torus=on)"],
    plain: "lightsout",
    specialists: &["lo-exact", "lo-exact(table=1, attempts=5)"],
    tiny: &[
        Tiny {
            generator: "random(3)",
            count: 3,
            heuristics: &["blind", "fifth", "perfect", "max(fifth, perfect)"],
            rankings: &[],
        },
        Tiny {
            generator: "presses(8, rows=3)",
            count: 2,
            heuristics: &["blind", "fifth", "perfect"],
            rankings: &[],
        },
    ],
    vast: false,
    branching: 12,
    unsolvable: &["1000/0000/0000/0000", "100/000"],
    refused: &[("perfect", "ones(13, 17)", "nullity")],
    golden: &[("random(3)", "astar(fifth)"), ("random(7)", "lo-exact"), ("ones(11)", "lo-exact")],
    fingerprint: &[
        ("random(3)", 3, &["astar(fifth)", "idastar(fifth)", "bwas(fifth)", "beam(fifth)"]),
        ("random(7)", 3, &["lo-exact", "astar(perfect)", "idastar(perfect)"]),
        ("ones(19)", 1, &["lo-exact"]),
        ("ones(30)", 1, &["lo-exact"]),
    ],
};

const FREECELL: Sample = Sample {
    name: "freecell",
    variants: &[
        "freecell(cells=0, columns=4, ranks=2)",
        "freecell(cells=0, columns=4, ranks=2, moves=single)",
    ],
    plain: "freecell",
    specialists: &[
        "fc-fast",
        "fc-fast(slices=0)",
        "fc-exhaust",
        "fc-short",
        "fc-optimal",
        "fc-optimal(measure=m0)",
    ],
    tiny: &[Tiny {
        generator: "uniform",
        count: 3,
        heuristics: &["blind", "cards-not-home", "cycles", "max(cards-not-home, cycles)"],
        rankings: &[
            "hsdh",
            "hsdh-paper",
            "number-well-placed",
            "free-cells",
            "difference-from-top",
            "lowest-home-card",
            "highest-home-card",
            "difference-home",
            "bottom-cards-sum",
            "mixture(hsdh-paper=0.5, difference-from-top=0.5)",
            "mixture(cards-not-home=1, combine=max, orientation=distance)",
            "weights(printed)",
        ],
    }],
    vast: false,
    branching: 24,
    unsolvable: &[],
    refused: &[("weights(nowhere.toml)", "uniform", "nowhere.toml")],
    golden: &[("uniform", "bfs"), ("uniform", "fc-fast"), ("uniform", "fc-optimal")],
    fingerprint: &[(
        "microsoft(min=100001, max=200000)",
        3,
        &["fc-fast", "fc-short(first=50, last=100, growth=2)", "staged(hsdh, open=list)"],
    )],
};

const TILES: Sample = Sample {
    name: "tiles",
    variants: &["tiles", "tiles(goal=blank-first)"],
    plain: "tiles",
    specialists: &[],
    tiny: &[
        Tiny {
            generator: "uniform(2)",
            count: 3,
            heuristics: &[
                "blind",
                "manhattan",
                "linear-conflict",
                "walking-distance",
                "pdb(1.2/3)",
                "pdb(1.2/3, mirror=no)",
                "max(manhattan, pdb(1.3/2))",
            ],
            rankings: &[],
        },
        Tiny {
            generator: "walk(3, min=10, max=60)",
            count: 4,
            heuristics: &[
                "blind",
                "manhattan",
                "linear-conflict",
                "walking-distance",
                "pdb(4-4)",
                "pdb(4-4, mirror=no)",
                "pdb(1/2/3/4/5.6/7.8, mirror=no)",
                "max(linear-conflict, pdb(4-4), walking-distance)",
            ],
            rankings: &[
                "net(../../models/tiles8.safetensors)",
                "net(../../models/tiles8.safetensors, precision=bytes, parity=on)",
            ],
        },
    ],
    vast: false,
    branching: 4,
    unsolvable: &[
        "2 1 3 0",
        "2 1 0 3",
        "2 1 3  4 5 6  7 8 0",
        "1 2 3 4  5 6 7 8  9 10 11 12  13 15 14 0",
    ],
    refused: &[
        ("pdb(4-4)", "uniform(2)", "4-4"),
        ("net(../../models/tiles8.safetensors)", "uniform(2)", "network"),
        ("pdb(1.2.3)", "uniform(3)", "missing"),
        ("walking-distance", "uniform(6)", "side"),
        ("max(manhattan, pdb(7-8))", "uniform(3)", "7-8"),
    ],
    golden: &[
        ("uniform(2)", "bfs"),
        ("uniform(3)", "idastar(manhattan)"),
        ("walk(4, min=10, max=40)", "astar(linear-conflict)"),
        ("uniform(5)", "beam(linear-conflict, width=50)"),
    ],
    fingerprint: &[
        (
            "uniform(3)",
            3,
            &[
                "idastar(manhattan)",
                "idastar(linear-conflict)",
                "idastar(walking-distance)",
                "idastar(pdb(4-4))",
                "idastar(max(linear-conflict, walking-distance))",
                "idtt(blind)",
                "idtt(manhattan)",
                "idtt(blind, table=1M)",
                "astar(blind)",
                "astar(manhattan)",
                "astar(pdb(4-4))",
                "astar(linear-conflict, w=1.5)",
                "greedy(manhattan)",
                "bwas(manhattan)",
                "bwas(linear-conflict, lambda=0.8, batch=20)",
                "bwas(linear-conflict, batch=20, stop=generated)",
                "beam(manhattan, width=20)",
                "beam(manhattan, width=100, order=f)",
                "bfs",
            ],
        ),
        (
            "uniform(4)",
            4,
            &[
                "idastar(walking-distance)",
                "idastar(pdb(5-5-5))",
                "idastar(pdb(5-5-5, mirror=no))",
                "astar(linear-conflict, w=2)",
                "greedy(linear-conflict)",
                "bwas(linear-conflict, lambda=0.6, batch=100)",
                "beam(linear-conflict, width=500)",
            ],
        ),
        (
            "walk(4, min=60, max=120)",
            3,
            &["idastar(manhattan)", "idtt(linear-conflict, table=1M)", "astar(walking-distance)"],
        ),
        ("uniform(5)", 2, &["beam(linear-conflict, width=200)", "greedy(linear-conflict)"]),
    ],
};
