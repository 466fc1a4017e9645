//! `models/README.md`: the networks that are part of the program, by their headers.

use super::{NOTE, finished, plain};
use crate::present::registry::Registry;
use std::fmt::Write as _;
use unriddle_neural::{Header, Model, architecture::Layers, packed};

/// Digits in groups of three: `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The layers in short: `625-512-16-32-1 and a linear part`.
fn layers(header: &Header) -> String {
    let architecture = &header.architecture;
    let mut out = architecture.inputs.to_string();
    for block in &architecture.blocks {
        let _ = match &block.layers {
            Layers::Dense(units) => write!(out, "-{units}"),
            Layers::Residual(units) => write!(out, "-{units:?}"),
            Layers::Conv(channels) => write!(out, "-3×3×{channels}"),
            Layers::ResidualConv(channels) => write!(out, "-3×3×{channels:?}"),
            Layers::Head(_) => Ok(()),
        };
    }
    let _ = write!(out, "-{}", architecture.outputs());
    if architecture.skip {
        out += " and a linear part";
    }
    if let Some(sharing) = &header.sharing {
        let _ = write!(out, ", weights shared by {} symmetries", sharing.views);
    }
    out
}

/// `models/README.md`. `recipe` gives the text of the committed recipe of a network by the
/// network's name.
///
/// # Panics
/// A network that is part of the program is unreadable.
#[must_use]
pub fn models(registry: &Registry, recipe: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = format!(
        "# Models\n\n{NOTE}\n\
         Networks that estimate the cost-to-go, trained by `unriddle train`.\n\
         They are part of the program under their names, as in `bwas(net(NAME))`; the preset `learned` searches with them.\n\
         The name `NAME` also denotes the file `models/NAME.safetensors` beside the program or in the working folder; any other file is given by its path.\n\
         Files with the suffix `.gz` are compressed by gzip (`gzip -9n`) and are read wherever their names without it are given.\n\
         The header of a file contains the recipe, its seed, the revision of the program, the number of examples and the time.\n\
         If an earlier recipe consists of several files, examples and time belong to the last training.\n\n\
         | name | puzzle | layers | weights | KiB | training | recipe | examples | time, on |\n|---|---|---|---|---|---|---|---|---|\n"
    );
    for family in registry.families() {
        for (name, bytes) in family.models() {
            let model = Model::parse(packed::built_in(bytes))
                .unwrap_or_else(|why| panic!("the network {name}: {why}"));
            let header = &model.header;
            let training = &header.training;
            let text: Option<toml::Table> = training.recipe.parse().ok();
            let of = |key: &str| text.as_ref().and_then(|text| text.get(key));
            let title = of("title").and_then(|title| title.as_str()).unwrap_or("?");
            let version = of("version").and_then(|version| version.as_integer());
            let file = format!("recipes/cpu/{name}.toml");
            let made = match recipe(name) {
                Some(today) if today == training.recipe => format!("`{file}`"),
                Some(_) => format!(
                    "an earlier one (version {}); the present one is `{file}`",
                    version.unwrap_or_default()
                ),
                None => "in the header".to_owned(),
            };
            let weights = header.architecture.tensors().into_iter();
            let weights: usize =
                weights.filter_map(|(name, _)| Some(model.tensors.get(&name)?.data.len())).sum();
            let _ = writeln!(
                out,
                "| `{name}` | {} {}, goal {} | {} | {} | {} | {} | {made} | {} | {} min, `{}` |",
                header.puzzle,
                header.size,
                header.goal,
                layers(header),
                grouped(weights as u64),
                bytes.len().div_ceil(1024),
                plain(title),
                grouped(training.examples),
                training.seconds.div_ceil(60),
                training.hardware,
            );
        }
    }
    finished(&out)
}
