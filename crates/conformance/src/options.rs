//! Declared options of searches, heuristics and puzzles.

use unriddle_core::{Domain, Options, options::Declared};

/// Checks declared options.
///
/// # Errors
/// The error names the first option that accepts a value beyond its
/// bounds, or rejects or changes a value at its bounds.
pub fn check_options<T: Options>() -> Result<(), String> {
    for (at, parameter) in T::PARAMETERS.iter().enumerate() {
        let refuses = |text: &str| {
            let mut parameters = T::PARAMETERS.to_vec();
            // Defaults live as long as the program, and so do their replacements in a test.
            parameters[at].default = Some(Box::leak(text.to_owned().into_boxed_str()));
            let refusal = T::read(&Declared(&parameters)).check().err();
            // A check of several options together does not name a single option.
            let start = format!("{} is ", parameter.name);
            refusal.is_some_and(|error| error.to_string().contains(&start))
        };
        let (inside, beyond): (Vec<String>, Vec<String>) = match parameter.domain {
            Domain::Integer { min, max } => {
                // No value exceeds the largest number of a type.
                let widths = [u8::MAX.into(), u16::MAX.into(), u32::MAX.into(), u64::MAX];
                let above =
                    Some(max + u64::from(max < u64::MAX)).filter(|_| !widths.contains(&max));
                let beyond = min.checked_sub(1).into_iter().chain(above);
                (
                    vec![min.to_string(), max.to_string()],
                    beyond.map(|value| value.to_string()).collect(),
                )
            }
            Domain::Real { min, max } => {
                let text = |value: f64| format!("{value:e}");
                (vec![text(min), text(max)], vec![text(min.next_down()), text(max.next_up())])
            }
            _ => continue,
        };
        for text in inside {
            if refuses(&text) {
                return Err(format!("{} = {text} is refused", parameter.name));
            }
        }
        for text in beyond {
            if !refuses(&text) {
                return Err(format!("{} = {text} is not refused", parameter.name));
            }
        }
    }
    Ok(())
}
