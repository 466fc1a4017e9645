//! Sample instances of every puzzle: small ones for the matrix and those of committed texts.
//!
//! A puzzle that is in the registry and not here fails a test; so does a heuristic that is on no list.

/// What the tests need to know of a puzzle.
pub struct Sample {
    /// Its name.
    pub name: &'static str,
    /// Specs of all its variants.
    pub variants: &'static [&'static str],
    /// Kinds of tiny instances.
    pub tiny: &'static [Tiny],
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
pub struct Tiny {
    /// The generator.
    pub generator: &'static str,
    /// How many instances.
    pub count: u64,
    /// The heuristics: every declared one must be on the list of at least one kind.
    pub heuristics: &'static [&'static str],
}

/// All puzzles.
pub const SAMPLES: &[Sample] = &[Sample {
    name: "tiles",
    variants: &["tiles", "tiles(goal=blank-first)"],
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
        },
    ],
    branching: 4,
    unsolvable: &[
        "2 1 3 0",
        "2 1 0 3",
        "2 1 3  4 5 6  7 8 0",
        "1 2 3 4  5 6 7 8  9 10 11 12  13 15 14 0",
    ],
    refused: &[
        ("pdb(4-4)", "uniform(2)", "4-4"),
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
            &[
                "idastar(manhattan)",
                "idtt(linear-conflict, table=1M)",
                "astar(walking-distance)",
            ],
        ),
        (
            "uniform(5)",
            2,
            &[
                "beam(linear-conflict, width=200)",
                "greedy(linear-conflict)",
            ],
        ),
    ],
}];
