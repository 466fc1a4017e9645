//! Reading of the keys of `validate`: the keys of every puzzle, the keys that a puzzle declares,
//! and the puzzle's own parameters.

use crate::{
    bind::{bind, nearest},
    interface::{
        findings::{VALIDATE, ValidateConfig},
        instance::batch::Keys,
    },
    present::family::Family,
    spec::{Spec, SpecError},
};
use unriddle_core::{Info, Options as _};

impl Keys {
    /// Reads keys with their texts. A key is looked up among the keys of every puzzle, the keys
    /// that the puzzle declares for its reports, and the parameters of the puzzle itself.
    ///
    /// # Errors
    /// An unknown key, with its nearest match and the list of keys; a value that does not fit; a
    /// repeated key.
    pub fn read(family: &'static Family, given: &[(String, String)]) -> Result<Self, SpecError> {
        Self::of(family, &Spec::parse(family.info.name)?, given)
    }

    /// The same for a puzzle's spec with parameters.
    ///
    /// # Errors
    /// Errors of [`read`](Self::read), and a spec that does not fit.
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
            aim: family.aim,
            expressions: family.expressions(),
            puzzle: bind(family.info, &Spec::parse(&whole)?)?,
            configure: family.configure,
        })
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
