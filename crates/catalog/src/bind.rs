//! Binding: a [`Spec`] compared with a declaration ([`Info`]).
//!
//! [`find`] looks a spec's name up among declarations, [`bind`] reads its arguments as declared,
//! [`expand`] does both for a whole nested spec and fills in every default, [`shorten`] leaves
//! every default out. Every mistake in a text is a [`SpecError`] with the position in the text; a
//! mistake in a declaration is found by [`check_info`] in a test.
//!
//! Invariants: arguments by position fill the positional parameters in the order of their
//! declaration, a variadic parameter accepts all remaining arguments; the expansion of a spec binds
//! to the same values, and expands to itself.

use crate::spec::{
    Arg, MAX_DEPTH, NotInteger, Number, RESERVED, Span, Spec, SpecError, Value, embedded, is_name,
};
use std::collections::BTreeMap;
use unriddle_core::{Domain, Given, Info, Parameter, Role};

mod message;

use message::{described, has_bad_suffix, surplus, unknown, unknown_parameter, wrong_role};
pub use message::{domain_text, nearest};

/// A bound value.
#[derive(Clone, Debug, PartialEq)]
enum Setting {
    Integer(u64),
    Real(f64),
    Choice(&'static str),
    Text(String),
    Expr(Spec),
}

/// Version of the names of renamed parameters and words in a rebuilt spec.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Present names, for people and records.
    Present,
    /// First names, for keys: a renamed option keeps the keys of recorded runs.
    Recorded,
}

impl Names {
    fn of(self, parameter: &Parameter) -> &'static str {
        match self {
            Self::Present => parameter.name,
            Self::Recorded => parameter.recorded_name(),
        }
    }
}

/// A bound value and where it was given; `None` for a default.
#[derive(Clone, Debug)]
struct Item {
    setting: Setting,
    place: Option<Span>,
}

/// A spec whose arguments have been read as declared: every parameter has its value.
///
/// The getters panic if the declaration has no parameter of the name and kind: that is a mistake of
/// the program, which any use of the declaration reveals, never a mistake of the input.
#[derive(Clone, Debug)]
pub struct Bound<'i> {
    info: &'i Info,
    spec: Spec,
    /// The items of each parameter, in the order of declaration; never empty.
    items: Vec<Vec<Item>>,
}

/// Reads the arguments of a spec as `info` declares them. The spec's own name is not compared.
///
/// # Errors
/// Unknown, repeated, missing or surplus arguments, and values outside a parameter's domain.
pub fn bind<'i>(info: &'i Info, spec: &Spec) -> Result<Bound<'i>, SpecError> {
    let mut items: Vec<Vec<Item>> = vec![Vec::new(); info.parameters.len()];
    let mut positional =
        info.parameters.iter().enumerate().filter(|(_, p)| p.positional).peekable();
    for arg in &spec.args {
        let (index, parameter) = match &arg.name {
            Some(name) => info
                .parameters
                .iter()
                .enumerate()
                .find(|(_, p)| p.is_named(name))
                .ok_or_else(|| unknown_parameter(info, spec, arg, name))?,
            None => match positional.peek().copied() {
                Some((index, parameter)) => {
                    if !parameter.variadic {
                        positional.next();
                    }
                    (index, parameter)
                }
                None => return Err(surplus(info, spec, arg)),
            },
        };
        if !items[index].is_empty() && !parameter.variadic {
            return Err(
                spec.error(arg.span, format!("`{}` is given more than once", parameter.name))
            );
        }
        let setting = read(parameter, spec, arg)?;
        items[index].push(Item { setting, place: Some(arg.value_span) });
    }
    for (parameter, items) in info.parameters.iter().zip(&mut items) {
        if items.is_empty() {
            let Some(default) = parameter.default else {
                let message = format!(
                    "`{}` needs `{}`: {} ({})",
                    info.name,
                    parameter.name,
                    domain_text(&parameter.domain),
                    parameter.summary
                );
                return Err(spec.error(spec.name_span, message));
            };
            let setting = read_default(parameter, default).map_err(|why| {
                spec.error(
                    spec.name_span,
                    format!("the default of `{}` is wrong: {why}", parameter.name),
                )
            })?;
            items.push(Item { setting, place: None });
        }
    }
    Ok(Bound { info, spec: spec.clone(), items })
}

impl<'i> Bound<'i> {
    /// The declaration.
    #[must_use]
    pub fn info(&self) -> &'i Info {
        self.info
    }

    /// The spec as it was given.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    fn items(&self, name: &str) -> &[Item] {
        let index = self.info.parameters.iter().position(|p| p.name == name);
        index.map_or_else(
            || panic!("`{}` declares no parameter `{name}`", self.info.name),
            |index| &self.items[index],
        )
    }

    fn first(&self, name: &str) -> &Setting {
        &self.items(name)[0].setting
    }

    fn mismatch(&self, name: &str, kind: &str) -> ! {
        panic!("`{}` does not declare `{name}` as {kind}", self.info.name)
    }

    /// The value of an integer parameter.
    #[must_use]
    pub fn integer(&self, name: &str) -> u64 {
        match self.first(name) {
            Setting::Integer(value) => *value,
            _ => self.mismatch(name, "an integer"),
        }
    }

    /// The value of a real parameter.
    #[must_use]
    pub fn real(&self, name: &str) -> f64 {
        match self.first(name) {
            Setting::Real(value) => *value,
            _ => self.mismatch(name, "a real"),
        }
    }

    /// The word that was chosen.
    #[must_use]
    pub fn choice(&self, name: &str) -> &'static str {
        match self.first(name) {
            Setting::Choice(word) => word,
            _ => self.mismatch(name, "a choice"),
        }
    }

    /// The value of a text parameter.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        match self.first(name) {
            Setting::Text(text) => text,
            _ => self.mismatch(name, "a text"),
        }
    }

    /// The value of a heuristic or search parameter.
    #[must_use]
    pub fn expr(&self, name: &str) -> &Spec {
        match self.first(name) {
            Setting::Expr(spec) => spec,
            _ => self.mismatch(name, "an expression"),
        }
    }

    /// All values of a variadic heuristic or search parameter: one at least.
    pub fn exprs(&self, name: &str) -> impl Iterator<Item = &Spec> {
        self.items(name).iter().map(move |item| match &item.setting {
            Setting::Expr(spec) => spec,
            _ => self.mismatch(name, "an expression"),
        })
    }

    /// Whether the parameter was given, as opposed to left at its default.
    #[must_use]
    pub fn is_given(&self, name: &str) -> bool {
        self.items(name)[0].place.is_some()
    }

    /// An error at the value of a parameter, for mistakes that only the puzzle or the search can
    /// detect.
    #[must_use]
    pub fn error(&self, name: &str, message: impl Into<String>) -> SpecError {
        let place = self.items(name)[0].place.unwrap_or(self.spec.name_span);
        self.spec.error(place, message)
    }

    /// An error about the entire spec.
    #[must_use]
    pub fn refused(&self, message: impl Into<String>) -> SpecError {
        self.spec.error(self.spec.name_span, message)
    }

    /// The spec without the parameters that are at their defaults; the others are given by name.
    #[must_use]
    pub fn shortened(&self) -> Spec {
        let mut spec = self.expanded();
        let by_position = |wanted: bool| {
            let all = self.info.parameters.iter().zip(&self.items);
            all.filter(move |(parameter, _)| parameter.positional == wanted)
        };
        // The expansion has its arguments in this order.
        let all = by_position(true).chain(by_position(false));
        let items =
            all.flat_map(|(parameter, items)| items.iter().map(move |item| (parameter, item)));
        let args = std::mem::take(&mut spec.args);
        for (mut arg, (parameter, item)) in args.into_iter().zip(items) {
            let default = parameter.default.map(|text| read_default(parameter, text));
            if item.place.is_some() && default != Some(Ok(item.setting.clone())) {
                arg.name = Some(parameter.name.to_owned());
                spec.args.push(arg);
            }
        }
        // Parsed again, so that its spans refer to its own text.
        Spec::parse(&spec.to_string()).unwrap_or(spec)
    }

    /// The spec with all defaults filled in and every value in its shortest form. Nested
    /// expressions are unchanged; [`expand`] fills in their defaults as well.
    #[must_use]
    pub fn expanded(&self) -> Spec {
        self.rebuilt(&[], Names::Present, |_, spec| Ok(spec.clone()))
            .unwrap_or_else(|_| self.spec.clone())
    }

    /// The expansion without the parameters whose indices are in `left_out`, and with every nested
    /// expression passed through `nested`.
    fn rebuilt(
        &self,
        left_out: &[usize],
        names: Names,
        mut nested: impl FnMut(Role, &Spec) -> Result<Spec, SpecError>,
    ) -> Result<Spec, SpecError> {
        let parameters = self.info.parameters;
        // Parameters behind an omitted one can only be given by name.
        let mut positional = left_out.iter().filter(|&&at| parameters[at].positional);
        let gap = positional.next().copied().unwrap_or(parameters.len());
        let mut args = Vec::new();
        for by_position in [true, false] {
            for (at, (parameter, items)) in parameters.iter().zip(&self.items).enumerate() {
                let is_first = parameter.positional && at < gap;
                if is_first != by_position || left_out.contains(&at) {
                    continue;
                }
                for item in items {
                    let value = match &item.setting {
                        Setting::Integer(value) => Value::from_plain(&value.to_string()),
                        Setting::Real(value) => Value::from_plain(&real_text(*value)),
                        Setting::Choice(word) if names == Names::Recorded => {
                            Value::from_plain(parameter.recorded_word(word))
                        }
                        Setting::Choice(word) => Value::from_plain(word),
                        Setting::Text(text) => Value::from_plain(text),
                        Setting::Expr(spec) => {
                            let role = expression_role(&parameter.domain);
                            Value::Expr(nested(role.unwrap_or(self.info.role), spec)?)
                        }
                    };
                    args.push(Arg {
                        name: (!by_position).then(|| names.of(parameter).to_owned()),
                        value,
                        span: Span::default(),
                        value_span: Span::default(),
                    });
                }
            }
        }
        let name = self.info.name.to_owned();
        let spec = Spec { source: name.as_str().into(), name, name_span: Span::default(), args };
        // Parsed again, so that its spans refer to its own text.
        Ok(Spec::parse(&spec.to_string()).unwrap_or(spec))
    }
}

impl Given for Bound<'_> {
    fn integer(&self, name: &str) -> u64 {
        self.integer(name)
    }
    fn real(&self, name: &str) -> f64 {
        self.real(name)
    }
    fn choice(&self, name: &str) -> &'static str {
        self.choice(name)
    }
    fn text(&self, name: &str) -> &str {
        self.text(name)
    }
}

/// Looks the name of a spec up among the declarations of a role.
///
/// # Errors
/// An unknown name, with the nearest match and the list; a name of another role.
pub fn find<'i>(infos: &[&'i Info], role: Role, spec: &Spec) -> Result<&'i Info, SpecError> {
    position(infos, role, spec).map(|at| infos[at])
}

/// The index of the declaration that [`find`] finds.
///
/// # Errors
/// Errors of [`find`].
pub fn position(infos: &[&Info], role: Role, spec: &Spec) -> Result<usize, SpecError> {
    let name = spec.name();
    let of_role = |info: &&Info| info.role == role && info.name == name;
    if let Some(at) = infos.iter().position(of_role) {
        return Ok(at);
    }
    let message = match infos.iter().find(|info| info.name == name) {
        Some(other) => wrong_role(infos, role, other, spec),
        None => {
            let names: Vec<&str> =
                infos.iter().filter(|i| i.role == role).map(|i| i.name).collect();
            unknown(role.name(), name, &names)
        }
    };
    Err(spec.error(spec.name_span, message))
}

/// Finds and binds a spec and all specs inside it; the result is the whole expression with all
/// defaults filled in.
///
/// # Errors
/// Errors of [`find`] and [`bind`], for any part of the spec.
pub fn expand(infos: &[&Info], role: Role, spec: &Spec) -> Result<Spec, SpecError> {
    expand_within(infos, role, spec, 1)
}

fn expand_within(
    infos: &[&Info],
    role: Role,
    spec: &Spec,
    depth: usize,
) -> Result<Spec, SpecError> {
    if depth > MAX_DEPTH {
        // Strings inside strings, or a default that contains itself.
        let message = format!("expressions are nested more than {MAX_DEPTH} deep here");
        return Err(spec.error(spec.name_span, message));
    }
    let bound = bind(find(infos, role, spec)?, spec)?;
    bound.rebuilt(&[], Names::Present, |role, nested| expand_within(infos, role, nested, depth + 1))
}

/// A spec without arguments that are at their defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Short {
    /// The spec with only the arguments that differ from the defaults, in it and in all nested
    /// specs, under the first names of renamed options. Its expansion is the expansion of the
    /// original spec.
    pub spec: Spec,
    /// The versions of all declarations that the spec or a default names, by role and name.
    pub versions: BTreeMap<(&'static str, &'static str), u32>,
}

/// Leaves out all arguments that are at their defaults, in a spec and in all nested specs.
///
/// # Errors
/// Errors of [`expand`].
pub fn shorten(infos: &[&Info], role: Role, spec: &Spec) -> Result<Short, SpecError> {
    let full = expand(infos, role, spec)?;
    let mut versions = BTreeMap::new();
    let spec = shorten_within(infos, role, &full, &mut versions)?;
    Ok(Short { spec, versions })
}

/// Shortens an expansion.
fn shorten_within(
    infos: &[&Info],
    role: Role,
    full: &Spec,
    versions: &mut BTreeMap<(&'static str, &'static str), u32>,
) -> Result<Spec, SpecError> {
    let info = find(infos, role, full)?;
    versions.insert((role.name(), info.name), info.version);
    let bound = bind(info, full)?;
    let mut left_out = Vec::new();
    for (at, (parameter, items)) in info.parameters.iter().zip(&bound.items).enumerate() {
        let default = parameter.default.map(|text| read_default(parameter, text));
        let (Some(Ok(mut default)), [item]) = (default, items.as_slice()) else {
            continue;
        };
        let role = expression_role(&parameter.domain);
        if let (Setting::Expr(spec), Some(role)) = (&mut default, role) {
            *spec = expand(infos, role, spec)?;
        }
        if default == item.setting {
            left_out.push(at);
            if let (Setting::Expr(spec), Some(role)) = (&default, role) {
                shorten_within(infos, role, spec, versions)?;
            }
        }
    }
    bound.rebuilt(&left_out, Names::Recorded, |role, nested| {
        shorten_within(infos, role, nested, versions)
    })
}

/// Checks a declaration; for tests over all declarations.
///
/// # Errors
/// Names that cannot be written, repeated or reserved names, a variadic parameter that is not the
/// last positional one, defaults outside their domain.
pub fn check_info(info: &Info) -> Result<(), String> {
    let fail = |what: String| Err(format!("declaration of `{}`: {what}", info.name));
    if !is_name(info.name) {
        return fail("its name cannot be written".to_owned());
    }
    let mut variadic = None;
    for (i, parameter) in info.parameters.iter().enumerate() {
        let name = parameter.name;
        if !is_name(name) || RESERVED.contains(&name) {
            return fail(format!("`{name}` cannot be the name of a parameter"));
        }
        if info.parameters[..i].iter().any(|p| p.name == name) {
            return fail(format!("two parameters are called `{name}`"));
        }
        if parameter.positional {
            if let Some(variadic) = variadic {
                return fail(format!(
                    "`{name}` can never be given by position after the variadic `{variadic}`"
                ));
            }
            if parameter.variadic {
                variadic = Some(name);
            }
        } else if parameter.variadic {
            return fail(format!("`{name}` is variadic and not positional"));
        }
        if let Domain::Choice(words) = parameter.domain
            && let Some(word) = words.iter().find(|word| word.trim() != **word || word.is_empty())
        {
            return fail(format!("`{word}` cannot be a choice of `{name}`"));
        }
        if let Some(Err(why)) = parameter.default.map(|default| read_default(parameter, default)) {
            return fail(format!("the default of `{name}`: {why}"));
        }
    }
    Ok(())
}

fn expression_role(domain: &Domain) -> Option<Role> {
    match domain {
        Domain::Heuristic => Some(Role::Heuristic),
        Domain::Search => Some(Role::Search),
        Domain::Playout => Some(Role::Playout),
        Domain::Integer { .. } | Domain::Real { .. } | Domain::Choice(_) | Domain::Text => None,
    }
}

/// Reads a default, which is declared as it would be written; the quotes of a text may be left out.
fn read_default(parameter: &Parameter, default: &str) -> Result<Setting, String> {
    if parameter.domain == Domain::Text && !default.starts_with('"') {
        return Ok(Setting::Text(default.to_owned()));
    }
    let wrapped =
        Spec::parse(&format!("default({default})")).map_err(|e| e.message().to_owned())?;
    match wrapped.args.as_slice() {
        [arg] if arg.name.is_none() => {
            read(parameter, &wrapped, arg).map_err(|e| e.message().to_owned())
        }
        _ => Err(format!("`{default}` is not one value")),
    }
}

/// Reads an argument as its parameter declares it.
fn read(parameter: &Parameter, spec: &Spec, arg: &Arg) -> Result<Setting, SpecError> {
    let fail = |message: String| spec.error(arg.value_span, message);
    let wanted = || {
        let wanted = domain_text(&parameter.domain);
        let hint = match (&parameter.domain, &arg.value) {
            (Domain::Text, Value::Expr(_)) => " (put a text with parentheses in quotes)",
            (Domain::Integer { .. } | Domain::Real { .. }, Value::Text(text))
                if has_bad_suffix(text) =>
            {
                " (the suffixes are k, M and G)"
            }
            _ => "",
        };
        fail(format!(
            "`{}` expects {wanted}, found {}{hint}",
            parameter.name,
            described(&arg.value)
        ))
    };
    let plain = plain_text(&arg.value);
    match parameter.domain {
        Domain::Integer { min, max } => {
            let number = plain.and_then(Number::read).ok_or_else(wanted)?;
            match number.integer() {
                Ok(value) if (min..=max).contains(&value) => Ok(Setting::Integer(value)),
                Ok(_) | Err(NotInteger::Negative | NotInteger::Fraction | NotInteger::TooLarge) => {
                    Err(wanted())
                }
            }
        }
        Domain::Real { min, max } => {
            let number = plain.and_then(Number::read).ok_or_else(wanted)?;
            match number.real() {
                // Written so that a bound that is NaN refuses everything.
                Some(value) if value >= min && value <= max => Ok(Setting::Real(value)),
                _ => Err(wanted()),
            }
        }
        Domain::Choice(words) => {
            let word = plain.ok_or_else(wanted)?;
            let present = parameter.present_word(word);
            match words.iter().find(|known| **known == present) {
                Some(known) => Ok(Setting::Choice(known)),
                None => Err(fail(unknown(&format!("value of `{}`", parameter.name), word, words))),
            }
        }
        Domain::Text => plain.map(|text| Setting::Text(text.to_owned())).ok_or_else(wanted),
        Domain::Heuristic | Domain::Search | Domain::Playout => match &arg.value {
            Value::Expr(spec) => Ok(Setting::Expr(spec.clone())),
            Value::Text(text) if is_quoted(spec, arg) => {
                embedded(text, spec, arg.value_span).map(Setting::Expr)
            }
            Value::Text(_) | Value::Number(_) => Err(wanted()),
        },
    }
}

/// Whether a text was given in quotes, in an expression or in TOML.
fn is_quoted(spec: &Spec, arg: &Arg) -> bool {
    spec.source
        .get(arg.value_span.start..arg.value_span.end)
        .is_none_or(|raw| raw.starts_with(['"', '\'']))
}

/// The characters of a value that is one word, one number or one text.
fn plain_text(value: &Value) -> Option<&str> {
    match value {
        Value::Expr(spec) => spec.args.is_empty().then_some(spec.name.as_str()),
        Value::Number(number) => Some(number.text()),
        Value::Text(text) => Some(text),
    }
}

/// The shortest text that reads back as the same number.
fn real_text(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-5..1e15).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

#[cfg(test)]
mod tests;
