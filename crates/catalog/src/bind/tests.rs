use super::*;
use proptest::prelude::*;

const MANHATTAN: Info = info("manhattan", Role::Heuristic, &[]);
const PDB: Info = info(
    "pdb",
    Role::Heuristic,
    &[
        Parameter::positional("partition", Domain::Text, "7-8", "tiles per group"),
        Parameter::named(
            "mirror",
            Domain::Choice(&["yes", "no"]),
            "no",
            "also look up the reflection",
        ),
    ],
);
const MAX: Info = info(
    "max",
    Role::Heuristic,
    &[Parameter::variadic("h", Domain::Heuristic, "the estimates to take the largest of")],
);
const ASTAR: Info =
    info("astar", Role::Search, &[Parameter::required("h", Domain::Heuristic, "the estimate")]);
const IDASTAR: Info = info(
    "idastar",
    Role::Search,
    &[Parameter::positional("h", Domain::Heuristic, "pdb", "the estimate")],
);
const BWAS: Info = info(
    "bwas",
    Role::Search,
    &[
        Parameter::required("h", Domain::Heuristic, "the estimate"),
        Parameter::named(
            "lambda",
            Domain::Real { min: 0.0, max: 1.0 },
            "0.6",
            "weight of the path cost",
        ),
        Parameter::named(
            "batch",
            Domain::Integer { min: 1, max: 100_000_000 },
            "10k",
            "states per batch",
        ),
        Parameter::named("file", Domain::Text, "", "where to log"),
    ],
);
const RESTART: Info = info(
    "restart",
    Role::Search,
    &[Parameter::named("inner", Domain::Search, "idastar(max(manhattan, pdb))", "what to restart")],
);
const TWO: Info = info(
    "two",
    Role::Heuristic,
    &[
        Parameter::positional("a", Domain::Text, "1", ""),
        Parameter::positional("b", Domain::Text, "2", ""),
    ],
);
const TILES: Info = info(
    "tiles",
    Role::Puzzle,
    &[Parameter::named(
        "goal",
        Domain::Choice(&["blank-last", "blank-first"]),
        "blank-last",
        "where the blank goes",
    )],
);
const ALL: &[&Info] = &[&MANHATTAN, &PDB, &MAX, &ASTAR, &IDASTAR, &BWAS, &RESTART, &TILES];

const fn info(name: &'static str, role: Role, parameters: &'static [Parameter]) -> Info {
    Info { parameters, ..Info::new(role, name, "") }
}

fn parse(text: &str) -> Spec {
    Spec::parse(text).unwrap_or_else(|error| panic!("{error}\n{}", error.caret()))
}

fn bound<'i>(info: &'i Info, text: &str) -> Bound<'i> {
    bind(info, &parse(text)).unwrap_or_else(|error| panic!("{error}\n{}", error.caret()))
}

fn refused(info: &Info, text: &str) -> (usize, String) {
    match bind(info, &parse(text)) {
        Ok(bound) => panic!("`{text}` was bound as {}", bound.expanded()),
        Err(error) => (error.column(), error.message().to_owned()),
    }
}

fn expanded(role: Role, text: &str) -> String {
    match expand(ALL, role, &parse(text)) {
        Ok(spec) => spec.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn declarations_are_sound() {
    for info in ALL {
        assert_eq!(check_info(info), Ok(()));
    }
}

#[test]
fn typed_getters() {
    let b = bound(&BWAS, "bwas(pdb(7-8), lambda=5e-1, batch=1.5M)");
    assert_eq!((b.real("lambda"), b.integer("batch"), b.text("file")), (0.5, 1_500_000, ""));
    assert_eq!(b.expr("h").to_string(), "pdb(7-8)");
    assert_eq!((b.is_given("batch"), b.is_given("file")), (true, false));
    assert_eq!((b.info().name, b.spec().name()), ("bwas", "bwas"));
    let error = b.error("batch", "more than the memory holds");
    assert_eq!((error.column(), error.message()), (35, "more than the memory holds"));
    assert_eq!(b.error("file", "x").column(), 1);
    assert_eq!(bound(&TILES, "tiles(goal=blank-first)").choice("goal"), "blank-first");
    assert_eq!(bound(&PDB, "pdb(15)").text("partition"), "15");
    assert_eq!(bound(&PDB, "pdb(left)").text("partition"), "left");
    assert_eq!(bound(&PDB, "pdb(partition=\"a b\")").text("partition"), "a b");
    let several: Vec<String> =
        bound(&MAX, "max(manhattan, pdb(a), pdb(b))").exprs("h").map(ToString::to_string).collect();
    assert_eq!(several, ["manhattan", "pdb(a)", "pdb(b)"]);
    assert_eq!(bound(&MAX, "max(h=manhattan, h=pdb)").exprs("h").count(), 2);
}

#[test]
#[should_panic(expected = "`bwas` declares no parameter `nothing`")]
fn a_wrong_name_in_the_program_is_loud() {
    let _ = bound(&BWAS, "bwas(manhattan)").integer("nothing");
}

#[test]
fn expansion_fills_in_every_default() {
    for (role, text, full) in [
        (Role::Search, "bwas(manhattan)", "bwas(manhattan, lambda=0.6, batch=10000, file=\"\")"),
        (
            Role::Search,
            "bwas(h=pdb, batch=1k)",
            "bwas(pdb(7-8, mirror=no), lambda=0.6, batch=1000, file=\"\")",
        ),
        (Role::Search, "idastar", "idastar(pdb(7-8, mirror=no))"),
        (Role::Search, "restart", "restart(inner=idastar(max(manhattan, pdb(7-8, mirror=no))))"),
        (Role::Search, "astar(\"pdb(9-6)\")", "astar(pdb(9-6, mirror=no))"),
        (Role::Puzzle, "tiles", "tiles(goal=blank-last)"),
    ] {
        assert_eq!(expanded(role, text), full, "{text}");
        assert_eq!(expanded(role, full), full, "the expansion expands to itself");
    }
    assert_eq!(
        bound(&BWAS, "bwas(h=pdb)").expanded().to_string(),
        "bwas(pdb, lambda=0.6, batch=10000, file=\"\")"
    );
}

#[test]
fn shortening_leaves_out_every_default() {
    for (role, text, short, versions) in [
        (
            Role::Search,
            "bwas(manhattan, lambda=6e-1, batch=10k)",
            "bwas(manhattan)",
            "bwas manhattan",
        ),
        (
            Role::Search,
            "bwas(h=pdb(7-8, mirror=yes), file=\"x y\")",
            "bwas(pdb(mirror=yes), file=\"x y\")",
            "bwas pdb",
        ),
        (Role::Search, "idastar(pdb(mirror=no))", "idastar", "idastar pdb"),
        (
            Role::Search,
            "restart(inner=idastar(max(manhattan, pdb(7-8))))",
            "restart",
            "idastar manhattan max pdb restart",
        ),
        (
            Role::Search,
            "restart(inner=idastar(max(pdb, pdb(9-6))))",
            "restart(inner=idastar(max(pdb, pdb(9-6))))",
            "idastar max pdb restart",
        ),
        (Role::Puzzle, "tiles(goal=blank-last)", "tiles", "tiles"),
    ] {
        let found = shorten(ALL, role, &parse(text)).unwrap();
        assert_eq!(found.spec.to_string(), short, "{text}");
        let mut names: Vec<&str> = found.versions.keys().map(|&(_, name)| name).collect();
        names.sort_unstable();
        assert_eq!(names.join(" "), versions, "{text}");
        assert_eq!(expanded(role, short), expanded(role, text));
        assert_eq!(shorten(ALL, role, &found.spec), Ok(found));
    }
    let short = |text| shorten(&[&TWO], Role::Heuristic, &parse(text)).unwrap();
    assert_eq!(short("two(1, 5)").spec.to_string(), "two(b=5)");
    assert_eq!(short("two(5, 2)").spec.to_string(), "two(5)");
}

#[test]
fn toml_binds_to_the_same_values() {
    let toml = Spec::from_toml(
        "name = \"bwas\"\nlambda = 1\nbatch = \"10k\"\nh = { name = \"max\", h = [\"manhattan\", \"pdb(5-5-5, mirror=yes)\", { name = \"pdb\", partition = \"7-8\" }] }",
    );
    let toml = toml.unwrap_or_else(|error| panic!("{error}"));
    let full = expand(ALL, Role::Search, &toml)
        .unwrap_or_else(|error| panic!("{error}\n{}", error.caret()));
    let text = "bwas(max(manhattan, pdb(5-5-5, mirror=yes), pdb(7-8)), lambda=1)";
    assert_eq!(full.to_string(), expanded(Role::Search, text));
    // A mistake inside a string is shown at its position.
    let toml = Spec::from_toml("name = \"astar\"\nh = \"pdb(7-8, miror=yes)\"")
        .unwrap_or_else(|error| panic!("{error}"));
    let error = expand(ALL, Role::Search, &toml).expect_err("misspelt");
    assert_eq!((error.line(), error.column()), (2, 15), "{error}");
    let toml = Spec::from_toml("name = \"astar\"\nh = \"pdb(\\\"\"")
        .unwrap_or_else(|error| panic!("{error}"));
    let error = expand(ALL, Role::Search, &toml).expect_err("open quotation mark");
    assert_eq!((error.line(), error.column()), (2, 5), "{error}");
    assert_eq!(
        error.message(),
        "in this text, at its column 5: this quotation mark is never closed"
    );
}

#[test]
fn refusals_have_a_position_and_a_reason() {
    for (info, text, column, message) in [
        (
            &BWAS,
            "bwas(manhattan, lamda=0.5)",
            17,
            "unknown parameter of `bwas`: `lamda`; did you mean `lambda`? (known: h, lambda, batch, file)",
        ),
        (
            &BWAS,
            "bwas(manhattan, zzz=0.5)",
            17,
            "unknown parameter of `bwas`: `zzz` (known: h, lambda, batch, file)",
        ),
        (&MANHATTAN, "manhattan(x=1)", 11, "`manhattan` takes no parameters"),
        (&MANHATTAN, "manhattan(1)", 11, "`manhattan` takes no parameters, found `1`"),
        (&BWAS, "bwas(a, h=b)", 9, "`h` is given more than once"),
        (&BWAS, "bwas(a, batch=1, batch=1)", 18, "`batch` is given more than once"),
        (
            &BWAS,
            "bwas(a, b)",
            9,
            "`bwas` takes no more than 1 without a name (h), found `b`; others are given by name: lambda, batch, file",
        ),
        (
            &ASTAR,
            "astar(a, b(c))",
            10,
            "`astar` takes no more than 1 without a name (h), found the expression `b(c)`",
        ),
        (
            &TILES,
            "tiles(blank-first)",
            7,
            "`tiles` takes its parameters by name only (name=value), found `blank-first`; it knows goal",
        ),
        (&BWAS, "bwas(lambda=1)", 1, "`bwas` needs `h`: a heuristic (the estimate)"),
        (&MAX, "max", 1, "`max` needs `h`: a heuristic (the estimates to take the largest of)"),
        (
            &BWAS,
            "bwas(a, batch=0)",
            15,
            "`batch` expects an integer from 1 to 100000000, found `0`",
        ),
        (
            &BWAS,
            "bwas(a, batch=1G)",
            15,
            "`batch` expects an integer from 1 to 100000000, found `1G`",
        ),
        (
            &BWAS,
            "bwas(a, batch=-3)",
            15,
            "`batch` expects an integer from 1 to 100000000, found `-3`",
        ),
        (
            &BWAS,
            "bwas(a, batch=1.5)",
            15,
            "`batch` expects an integer from 1 to 100000000, found `1.5`",
        ),
        (
            &BWAS,
            "bwas(a, batch=many)",
            15,
            "`batch` expects an integer from 1 to 100000000, found `many`",
        ),
        (
            &BWAS,
            "bwas(a, batch=10K)",
            15,
            "`batch` expects an integer from 1 to 100000000, found `10K` (the suffixes are k, M and G)",
        ),
        (&BWAS, "bwas(a, lambda=1.01)", 16, "`lambda` expects a number from 0 to 1, found `1.01`"),
        (
            &BWAS,
            "bwas(a, lambda=f(x))",
            16,
            "`lambda` expects a number from 0 to 1, found the expression `f(x)`",
        ),
        (
            &BWAS,
            "bwas(a, file=f(x))",
            14,
            "`file` expects a text, found the expression `f(x)` (put a text with parentheses in quotes)",
        ),
        (
            &TILES,
            "tiles(goal=blank-frist)",
            12,
            "unknown value of `goal`: `blank-frist`; did you mean `blank-first`? (known: blank-last, blank-first)",
        ),
        (&ASTAR, "astar(7-8)", 7, "`h` expects a heuristic, found `7-8`"),
        (&ASTAR, "astar(3)", 7, "`h` expects a heuristic, found `3`"),
        (&ASTAR, "astar(\"7-8\")", 8, "expected a name, found `7-8`"),
    ] {
        assert_eq!(refused(info, text), (column, message.to_owned()), "{text}");
    }
}

#[test]
fn names_are_looked_up_by_role() {
    for (role, text, message) in [
        (
            Role::Search,
            "idaster",
            "column 1: unknown search: `idaster`; did you mean `idastar`? (known: astar, idastar, bwas, restart)",
        ),
        (
            Role::Search,
            "xyzzy",
            "column 1: unknown search: `xyzzy` (known: astar, idastar, bwas, restart)",
        ),
        (
            Role::Search,
            "manhattan",
            "column 1: `manhattan` is a heuristic, not a search; write for example idastar(manhattan)",
        ),
        (
            Role::Search,
            "pdb(7-8)",
            "column 1: `pdb` is a heuristic, not a search; write for example idastar(pdb(7-8))",
        ),
        (
            Role::Search,
            "astar(max(manhattan, idastar))",
            "column 22: `idastar` is a search, not a heuristic; the heuristics are manhattan, pdb, max",
        ),
        (Role::Puzzle, "astar", "column 1: `astar` is a search, not a puzzle"),
        (
            Role::Search,
            "astar(manhatan)",
            "column 7: unknown heuristic: `manhatan`; did you mean `manhattan`? (known: manhattan, pdb, max)",
        ),
    ] {
        assert_eq!(expanded(role, text), message, "{text}");
    }
    let spec = parse("astar");
    let error =
        find(&[&MANHATTAN], Role::Search, &parse("manhattan")).expect_err("no search at all");
    assert_eq!(error.message(), "`manhattan` is a heuristic, not a search");
    let error = find(&[], Role::Search, &spec).expect_err("nothing at all");
    assert_eq!(error.message(), "unknown search: `astar` (known: none)");
}

#[test]
fn nearest_matches() {
    let known = ["manhattan", "misplaced", "pdb", "linear-conflict", "c"];
    for (word, near) in [
        ("manhatan", Some("manhattan")),
        ("Manhattan", Some("manhattan")),
        ("PDB", Some("pdb")),
        ("pbd", Some("pdb")),
        ("linear", Some("linear-conflict")),
        ("d", None),
        ("euclid", None),
        ("", None),
    ] {
        assert_eq!(nearest(word, &known), near, "{word}");
    }
    assert_eq!(nearest(&"m".repeat(1000), &known), None);
}

#[test]
fn bad_declarations_are_found() {
    const LOOP: Info =
        info("loop", Role::Search, &[Parameter::named("inner", Domain::Search, "loop", "itself")]);
    let error = expand(&[&LOOP], Role::Search, &parse("loop")).expect_err("contains itself");
    assert!(error.message().contains("nested"), "{error}");
    const BAD: &[(Info, &str)] = &[
        (info("a b", Role::Search, &[]), "its name cannot be written"),
        (
            info("a", Role::Search, &[Parameter::required("name", Domain::Text, "")]),
            "`name` cannot be the name",
        ),
        (
            info(
                "a",
                Role::Search,
                &[
                    Parameter::required("x", Domain::Text, ""),
                    Parameter::required("x", Domain::Text, ""),
                ],
            ),
            "two parameters are called `x`",
        ),
        (
            info(
                "a",
                Role::Search,
                &[
                    Parameter::variadic("h", Domain::Heuristic, ""),
                    Parameter::required("x", Domain::Text, ""),
                ],
            ),
            "`x` can never be given by position after the variadic `h`",
        ),
        (
            info(
                "a",
                Role::Search,
                &[Parameter::named("n", Domain::Integer { min: 1, max: 2 }, "3", "")],
            ),
            "the default of `n`: `n` expects an integer from 1 to 2, found `3`",
        ),
        (
            info("a", Role::Search, &[Parameter::named("h", Domain::Heuristic, "a, b", "")]),
            "the default of `h`",
        ),
        (
            info("a", Role::Search, &[Parameter::named("w", Domain::Choice(&[" a"]), " a", "")]),
            "` a` cannot be a choice",
        ),
    ];
    for (bad, message) in BAD {
        let why = check_info(bad).expect_err("a bad declaration");
        assert!(why.contains(message), "{why}");
    }
}

#[test]
fn domains_for_people() {
    for (domain, text) in [
        (Domain::Integer { min: 1, max: u64::MAX }, "an integer of at least 1"),
        (Domain::Real { min: 0.0, max: f64::INFINITY }, "a number of at least 0"),
        (Domain::Real { min: f64::NEG_INFINITY, max: 0.5 }, "a number of at most 0.5"),
        (Domain::Real { min: f64::NEG_INFINITY, max: f64::INFINITY }, "a number"),
        (Domain::Choice(&["a", "b"]), "one of a, b"),
        (Domain::Search, "a search"),
    ] {
        assert_eq!(domain_text(&domain), text);
    }
}

proptest! {
    #[test]
    fn binding_never_panics(text in "[a-z]{1,3}\\(((a|b|[0-9.kM-]{1,8}|\"[a-z(),]{0,8}\"),){0,2}((lambda|batch|file|h|x)=[a-z0-9.-]{1,6}(\\([a-z]\\))?,){0,3}a=1\\)") {
        if let Ok(spec) = Spec::parse(&text) {
            for info in ALL {
                if let Ok(bound) = bind(info, &spec) {
                    let full = bound.expanded();
                    let again = bind(info, &full).map(|b| b.expanded());
                    prop_assert_eq!(again, Ok(full));
                }
            }
        }
    }

    #[test]
    fn values_survive_expansion(
        lambda in 0.0..=1.0f64,
        batch in 1..=100_000_000u64,
        file in any::<String>(),
    ) {
        let text = Value::Text(file.clone()).to_string();
        let spec = Spec::parse(&format!("bwas(manhattan, lambda={lambda:e}, batch={batch}, file={text})"));
        let spec = spec.map_err(|e| TestCaseError::fail(e.to_string()))?;
        let first = bind(&BWAS, &spec).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let full = first.expanded();
        let second = bind(&BWAS, &full).map_err(|e| TestCaseError::fail(e.to_string()))?;
        for b in [&first, &second] {
            prop_assert_eq!((b.real("lambda"), b.integer("batch"), b.text("file")), (lambda, batch, file.as_str()));
        }
        prop_assert_eq!(second.expanded(), full);
    }
}
