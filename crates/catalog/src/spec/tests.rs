use super::*;
use proptest::prelude::*;

fn parse(text: &str) -> Spec {
    Spec::parse(text).unwrap_or_else(|error| panic!("{error}\n{}", error.caret()))
}

fn refused(text: &str) -> (usize, String) {
    match Spec::parse(text) {
        Ok(spec) => panic!("`{text}` was read as {spec}"),
        Err(error) => (error.column(), error.message().to_owned()),
    }
}

#[test]
fn the_examples_of_the_design() {
    for text in [
        "idastar",
        "astar(manhattan)",
        "idastar(pdb(7-8))",
        "bwas(net(models/cube3.safetensors), lambda=0.6, batch=10000)",
        "beam(max(manhattan, pdb(5-5-5)), width=100k)",
        "tiles(goal=blank-first)",
        "staged(hsdh, depth=6)",
        "spmcts(playout=tabu_color, c=4.31, d=96.67, restarts=10)",
        "idastar(pdb(6-6-6-6))",
        "tiles(shape=9x5+3)",
    ] {
        assert_eq!(parse(text).to_string(), text);
    }
}

#[test]
fn kinds_of_values() {
    let spec = parse(" f( a , 7-8, 1.5k, \"two words\", \"manhattan\", g(), x = -1e-3 ) ");
    let kinds: Vec<&Value> = spec.args().iter().map(|arg| &arg.value).collect();
    assert!(matches!(kinds[0], Value::Expr(a) if a.name() == "a" && a.args().is_empty()));
    assert_eq!(kinds[1], &Value::Text("7-8".to_owned()));
    assert!(matches!(kinds[2], Value::Number(n) if n.integer() == Ok(1500)));
    assert_eq!(kinds[3], &Value::Text("two words".to_owned()));
    assert_eq!(kinds[4], &Value::Text("manhattan".to_owned()));
    assert!(matches!(kinds[5], Value::Expr(g) if g.args().is_empty()));
    assert!(matches!(kinds[6], Value::Number(n) if n.real() == Some(-1e-3)));
    assert_eq!(spec.args()[6].name.as_deref(), Some("x"));
    assert_eq!(spec.to_string(), "f(a, 7-8, 1.5k, \"two words\", \"manhattan\", g, x=-1e-3)");
}

#[test]
fn positions_are_bytes_of_the_text() {
    let text = "f(αβ/γ, w = 10k)";
    let spec = parse(text);
    let slice = |span: Span| &text[span.start..span.end];
    assert_eq!(slice(spec.name_span()), "f");
    assert_eq!(slice(spec.args()[0].value_span), "αβ/γ");
    assert_eq!((slice(spec.args()[1].span), slice(spec.args()[1].value_span)), ("w", "10k"));
}

#[test]
fn quotes_and_escapes() {
    let spec = parse(r#"f("a\"b\\c\n\t\r(,)=")"#);
    assert_eq!(spec.args()[0].value, Value::Text("a\"b\\c\n\t\r(,)=".to_owned()));
    assert_eq!(parse(&spec.to_string()), spec);
}

#[test]
fn refusals_have_a_position_and_a_reason() {
    for (text, column, message) in [
        ("", 1, "expected a name, found the end"),
        ("   ", 4, "expected a name, found the end"),
        ("7-8", 1, "expected a name, found `7-8`"),
        ("\"a\"", 1, "expected a name, found `\"`"),
        ("(a)", 1, "expected a name, found `(`"),
        ("f(a) b", 6, "expected the end, found `b`"),
        ("f)", 2, "expected the end, found `)`"),
        ("f(a b)", 5, "expected `,` or `)`, found `b`"),
        ("f(a", 2, "this `(` is never closed"),
        ("f(g(a)", 2, "this `(` is never closed"),
        ("f(", 3, "expected a value, found the end"),
        ("f(,a)", 3, "expected a value, found `,`"),
        ("f(a,)", 5, "expected a value, found `)`"),
        ("f(x=)", 5, "expected a value, found `)`"),
        ("f(=3)", 3, "expected a value, found `=`"),
        ("f(x==3)", 5, "expected a value, found `=`"),
        ("f(7-8=3)", 3, "expected the name of a parameter, found `7-8`"),
        ("f(name=3)", 3, "no parameter is called `name`"),
        ("f(args=3)", 3, "no parameter is called `args`"),
        ("f(x=1, a)", 8, "arguments without a name must come before those with one"),
        ("f(7-8(a))", 3, "`7-8` is no name and takes no arguments"),
        ("f(10k(a))", 3, "`10k` is no name and takes no arguments"),
        ("f(\"a)", 3, "this quotation mark is never closed"),
        ("f(\"a\\", 3, "this quotation mark is never closed"),
        (
            "f(αβ, \"a\\q\")",
            9,
            "`\\q` means nothing; write \\\\ for one \\ (known: \\\" \\\\ \\n \\r \\t)",
        ),
        ("f(\u{7})", 3, "expected a value, found `\\u{7}`"),
    ] {
        assert_eq!(refused(text), (column, message.to_owned()), "{text}");
    }
    let long = format!("f({})", "x".repeat(50));
    assert_eq!(Spec::parse(&long).map(|s| s.to_string()), Ok(long.clone()));
    let (_, message) = refused(&format!("f(a {})", "x".repeat(50)));
    assert!(message.ends_with("x…`"), "{message}");
}

#[test]
fn the_caret_is_under_the_position() {
    let caret = |text: &str| Spec::parse(text).map_err(|error| error.caret());
    assert_eq!(caret("f(αβ, )"), Err("f(αβ, )\n      ^".to_owned()));
    assert_eq!(caret("f(a,\n\tb c)"), Err(" b c)\n   ^".to_owned()));
    let error = Spec::parse("f(a,\n b c)").expect_err("two values");
    assert_eq!((error.line(), error.column()), (2, 4));
    assert_eq!(error.to_string(), "line 2, column 4: expected `,` or `)`, found `c`");
    assert_eq!(
        Spec::parse("f(").expect_err("open").to_string(),
        "column 3: expected a value, found the end"
    );
    // A long line is shown in part.
    let text = format!("f({}, =, {})", "a".repeat(200), "b".repeat(200));
    let shown = Spec::parse(&text).expect_err("no value").caret();
    let (line, caret) = shown.split_once('\n').expect("two lines");
    assert!(line.starts_with('…') && line.ends_with('…') && line.chars().count() < 80, "{shown}");
    assert_eq!(line.chars().nth(caret.len() - 1), Some('='), "{shown}");
}

#[test]
fn hostile_texts_are_refused_quickly() {
    let (_, message) = refused(&"f(".repeat(MAX_BYTES));
    assert!(message.contains("bytes long"), "{message}");
    let (column, message) = refused(&"f(".repeat(4000));
    assert_eq!((column, message.as_str()), (65, "expressions are nested more than 32 deep here"));
    let deepest = format!("{}a{}", "f(".repeat(MAX_DEPTH - 1), ")".repeat(MAX_DEPTH - 1));
    assert_eq!(parse(&deepest).to_string(), deepest);
    let nested = |depth: usize| {
        format!(
            "name = \"f\"\nh = {}{{ name = \"a\" }}{}",
            "{ name = \"f\", h = ".repeat(depth),
            " }".repeat(depth)
        )
    };
    assert!(Spec::from_toml(&nested(MAX_DEPTH - 2)).is_ok());
    for depth in [MAX_DEPTH - 1, 500, 2000] {
        let error = Spec::from_toml(&nested(depth)).expect_err("too deep");
        assert!(!error.message().is_empty());
    }
    assert!(Spec::from_toml(&"#".repeat(MAX_TOML_BYTES + 1)).is_err());
}

#[test]
fn toml_documents() {
    let spec = Spec::from_toml(
        "name = \"bwas\"\nlambda = 0.6\nbatch = 10_000\nh = { name = \"pdb\", partition = \"7-8\" }\nfast = true\n",
    );
    let spec = spec.unwrap_or_else(|error| panic!("{error}"));
    // A text keeps its kind: the declaration decides whether it is an expression.
    assert_eq!(spec.to_string(), "bwas(lambda=0.6, batch=10000, h=pdb(partition=7-8), fast=true)");
    let spec = Spec::from_toml(
        "name = \"max\"\nargs = [\"manhattan\", { name = \"pdb\", args = [\"7-8\"] }]\n",
    );
    assert_eq!(spec.map(|s| s.to_string()), Ok("max(\"manhattan\", pdb(7-8))".to_owned()));
    let spec = Spec::from_toml("name = \"max\"\nh = [\"a/b\", 3]\n[x]\nname = \"y\"\n");
    assert_eq!(spec.map(|s| s.to_string()), Ok("max(h=a/b, h=3, x=y)".to_owned()));
    let value: ::toml::Value =
        "solver = \"astar(manhattan)\"\ntable = { name = \"astar\", h = \"x\" }\nn = 3"
            .parse::<::toml::Table>()
            .expect("TOML")
            .into();
    assert_eq!(
        Spec::from_toml_value(&value["solver"]).map(|s| s.to_string()),
        Ok("astar(manhattan)".to_owned())
    );
    assert_eq!(
        Spec::from_toml_value(&value["table"]).map(|s| s.to_string()),
        Ok("astar(h=\"x\")".to_owned())
    );
    assert!(Spec::from_toml_value(&value["n"]).is_err());
}

#[test]
fn numbers_stay_numbers_in_toml_where_it_can_write_them() {
    let spec = parse("f(0, 0.6, -12, 1e-3, 0e0, -0.5E3, 10k, 007, +1, 12345678901234567890)");
    assert_eq!(
        spec.to_toml(),
        "name = \"f\"\nargs = [0, 0.6, -12, 1e-3, 0e0, -0.5E3, \"10k\", \"007\", \"+1\", \"12345678901234567890\"]\n"
    );
    let read = Spec::from_toml(&spec.to_toml());
    assert_eq!(
        read.map(|s| s.to_string()),
        Ok("f(0, 0.6, -12, 1e-3, 0e0, -0.5E3, \"10k\", \"007\", \"+1\", \"12345678901234567890\")"
            .to_owned())
    );
}

#[test]
fn toml_refusals_have_a_position_and_a_reason() {
    for (text, line, column, message) in [
        ("name = \"a\"\nx = ", 2, 5, "not TOML: "),
        ("x = 1", 1, 1, "the table has no `name`"),
        ("name = \"a\"\nh = { x = 1 }", 2, 5, "the table has no `name`"),
        ("name = 3", 1, 8, "expected a name, found integer"),
        ("name = \"7-8\"", 1, 8, "expected a name, found `7-8`"),
        ("name = \"a\"\nargs = 3", 2, 8, "`args` is the array of the arguments without a name"),
        ("name = \"a\"\n\"x y\" = 3", 2, 1, "expected the name of a parameter, found `x y`"),
        ("name = \"a\"\nx = [[1]]", 2, 6, "an array inside an array means nothing here"),
        ("name = \"a\"\nx = 1979-05-27", 2, 5, "a date means nothing here; put a text in quotes"),
        ("name = \"a\"\nx = nan", 2, 5, "`nan` is not accepted here; expected a decimal number"),
        ("name = \"a\"\nx = 0x10", 2, 5, "`0x10` is not accepted here; expected a decimal number"),
    ] {
        let error = Spec::from_toml(text).expect_err(text);
        assert!(error.message().starts_with(message), "{text}: {error}");
        assert_eq!((error.line(), error.column()), (line, column), "{text}: {error}");
    }
}

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z][a-zA-Z0-9_-]{0,8}"
        .prop_filter("reserved in TOML", |name| name != "name" && name != "args")
}

fn value() -> impl Strategy<Value = Value> {
    let number = "[+-]?[0-9]{1,6}(\\.[0-9]{1,6})?([eE][+-]?[0-9]{1,3})?[kMG]?";
    let leaf = prop_oneof![
        number.prop_map(|text| Value::from_plain(&text)),
        name().prop_map(|text| Value::from_plain(&text)),
        "[a-z0-9/.+-]{0,12}".prop_map(Value::Text),
        any::<String>().prop_map(Value::Text),
    ];
    leaf.prop_recursive(4, 24, 4, |value| spec_of(value).prop_map(Value::Expr))
}

/// Specs whose repeated names are adjacent, as a TOML array keeps them.
fn spec_of(value: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Spec> {
    let named =
        prop::collection::btree_map(name(), prop::collection::vec(value.clone(), 1..3), 0..3);
    (name(), prop::collection::vec(value, 0..4), named).prop_map(|(name, positional, named)| {
        let arg = |name: Option<String>, value| Arg {
            name,
            value,
            span: Span::default(),
            value_span: Span::default(),
        };
        let mut args: Vec<Arg> = positional.into_iter().map(|value| arg(None, value)).collect();
        for (name, values) in named {
            args.extend(values.into_iter().map(|value| arg(Some(name.clone()), value)));
        }
        Spec { name, name_span: Span::default(), args, source: "".into() }
    })
}

/// The spec with all numbers as texts: TOML cannot write every one of ours as a number.
fn without_numbers(spec: &Spec) -> Spec {
    let mut spec = spec.clone();
    for arg in &mut spec.args {
        arg.value = match &arg.value {
            Value::Expr(nested) => Value::Expr(without_numbers(nested)),
            Value::Number(number) => Value::Text(number.text().to_owned()),
            Value::Text(text) => Value::Text(text.clone()),
        };
    }
    spec
}

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        let _ = Spec::parse(&text).map_err(|e| (e.to_string(), e.caret()));
        let _ = Spec::from_toml(&text).map_err(|e| (e.to_string(), e.caret()));
    }

    #[test]
    fn near_misses_never_panic(text in "[a-z0-9(),=\"\\\\ ./kMα\n+-]{0,60}") {
        match Spec::parse(&text) {
            Ok(spec) => prop_assert_eq!(Spec::parse(&spec.to_string()), Ok(spec)),
            Err(error) => prop_assert!(!error.caret().is_empty()),
        }
    }

    #[test]
    fn canonical_text_reads_back(spec in spec_of(value().boxed())) {
        let text = spec.to_string();
        let read = Spec::parse(&text);
        prop_assert_eq!(read.as_ref(), Ok(&spec), "{}", text);
        prop_assert_eq!(read.map(|s| s.to_string()), Ok(text));
    }

    #[test]
    fn toml_reads_back(spec in spec_of(value().boxed())) {
        let text = spec.to_toml();
        let read = Spec::from_toml(&text).map(|read| without_numbers(&read));
        prop_assert_eq!(read, Ok(without_numbers(&spec)), "{}", text);
    }
}
