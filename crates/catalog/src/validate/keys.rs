//! Keys of `validate`: those of every puzzle, those that a puzzle declares, and the puzzle's own parameters.

use crate::{
    bind::{Bound, bind, nearest, shorten},
    family::Family,
    instance::{Aim, AnyPuzzle},
    spec::{Spec, SpecError},
};
use unriddle_core::{Info, Options, Role, options};

/// What `describe validate` shows: the keys of every puzzle.
pub const VALIDATE: Info = Info {
    parameters: ValidateConfig::PARAMETERS,
    ..Info::new(
        Role::Validation,
        "validate",
        "what designers are told of an instance, with keys that every puzzle has",
    )
};

options! {
    /// Keys of every puzzle.
    #[derive(Copy)]
    pub struct ValidateConfig of VALIDATE {
        states: u64 = "200k" in 0..=1 << 31,
            "most states that are looked at for dead ends and for the number of optimal solutions, each";
        games: u64 = "200" in 0..=1_000_000, "games of a score puzzle that are played at random";
    }
}

/// Keys with their values.
pub struct Keys {
    /// The keys of every puzzle.
    pub common: ValidateConfig,
    /// The keys that the puzzle declares.
    pub own: Option<Bound<'static>>,
    puzzle: Bound<'static>,
    family: &'static Family,
}

impl Keys {
    /// Reads keys with their texts. A key is looked for among those of every puzzle, those that the puzzle declares for its
    /// reports, and the parameters of the puzzle itself.
    ///
    /// # Errors
    /// An unknown key, with its nearest match and all that are known; a value that does not fit; a key that stands twice.
    pub fn read(family: &'static Family, given: &[(String, String)]) -> Result<Self, SpecError> {
        Self::of(family, &Spec::parse(family.info.name)?, given)
    }

    /// The same for a puzzle's spec with parameters.
    ///
    /// # Errors
    /// Those of [`read`](Self::read), and a spec that does not fit.
    pub fn of(
        family: &'static Family,
        puzzle: &Spec,
        given: &[(String, String)],
    ) -> Result<Self, SpecError> {
        let infos = [Some(&VALIDATE), family.validation, Some(family.info)];
        let mut texts = infos.map(|_| Vec::new());
        for (key, value) in given {
            let takes = |info: &Info| info.parameters.iter().any(|p| p.name == key);
            let Some(at) = infos.iter().position(|info| info.is_some_and(takes)) else {
                let known = infos.iter().flatten().flat_map(|info| info.parameters);
                let known: Vec<&str> = known.map(|parameter| parameter.name).collect();
                let near = nearest(key, &known);
                let near = near.map(|near| format!("; did you mean `{near}`?"));
                let source = Spec::parse(&format!("validate({})", argument(key, value)))?;
                let span = source.args().first().map_or(source.name_span(), |arg| arg.span);
                return Err(source.error(
                    span,
                    format!(
                        "{} has no key `{key}`{} (known: {})",
                        family.info.name,
                        near.unwrap_or_default(),
                        known.join(", ")
                    ),
                ));
            };
            texts[at].push(argument(key, value));
        }
        let [common, own, more] = texts;
        let spec = |name: &str, args: Vec<String>| match args.is_empty() {
            true => Spec::parse(name),
            false => Spec::parse(&format!("{name}({})", args.join(", "))),
        };
        let common = bind(&VALIDATE, &spec(VALIDATE.name, common)?)?;
        let own = family.validation.map(|info| bind(info, &spec(info.name, own)?)).transpose()?;
        let text = puzzle.to_string();
        let whole = match (text.strip_suffix(')'), more.is_empty()) {
            (_, true) => text,
            (Some(begun), false) => format!("{begun}, {})", more.join(", ")),
            (None, false) => format!("{text}({})", more.join(", ")),
        };
        Ok(Self {
            common: ValidateConfig::read(&common),
            own,
            puzzle: bind(family.info, &Spec::parse(&whole)?)?,
            family,
        })
    }

    /// A solver without what is as its declaration has it by default; one that is no spec stays as it is.
    pub(super) fn short(&self, solver: &str) -> String {
        let spec = Spec::parse(solver);
        let short = spec.and_then(|spec| shorten(&self.family.expressions(), Role::Search, &spec));
        short.map_or_else(|_| solver.to_owned(), |short| short.spec.to_string())
    }

    /// What values of the puzzle are.
    pub(super) fn aim(&self) -> Aim {
        self.family.aim
    }

    /// The puzzle with the parameters among the keys.
    #[must_use]
    pub fn puzzle(&self) -> Box<dyn AnyPuzzle> {
        (self.family.configure)(&self.puzzle)
    }
}

/// A key and its value as an argument of a spec: in quotes where it is no expression.
fn argument(key: &str, value: &str) -> String {
    let plain = format!("{key}={value}");
    match Spec::parse(&format!("x({plain})")) {
        Ok(spec) if spec.args().len() == 1 => plain,
        _ => {
            let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
            format!("{key}=\"{escaped}\"")
        }
    }
}
