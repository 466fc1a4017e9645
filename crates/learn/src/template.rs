//! Templates of solvers' specs, with placeholders `{name}` for values.

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Slot(String),
}

/// A text with placeholders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template(Vec<Part>);

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// The byte at which a brace has no partner.
    pub(crate) fn parse(text: &str) -> Result<Self, usize> {
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(open) = text[at..].find('{').map(|offset| at + offset) {
            let end = text[open..].find('}').map(|offset| open + offset).ok_or(open)?;
            parts.push(Part::Text(text[at..open].to_owned()));
            parts.push(Part::Slot(text[open + 1..end].to_owned()));
            at = end + 1;
        }
        parts.push(Part::Text(text[at..].to_owned()));
        Ok(Self(parts))
    }

    /// The names of the placeholders, in their order and with repetitions.
    pub(crate) fn slots(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Slot(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }

    /// The text with each placeholder replaced by its value; one without a value stays as it is.
    pub(crate) fn fill(&self, values: &[(&str, String)]) -> String {
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Text(part) => text += part,
                Part::Slot(name) => match values.iter().find(|(known, _)| known == name) {
                    Some((_, value)) => text += value,
                    None => text += &format!("{{{name}}}"),
                },
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled() {
        let template = Template::parse("a({x}, b={y}, c={x})").unwrap();
        assert_eq!(template.slots().collect::<Vec<_>>(), ["x", "y", "x"]);
        let values = [("x", "1".to_owned()), ("z", "3".to_owned())];
        assert_eq!(template.fill(&values), "a(1, b={y}, c=1)");
        assert_eq!(Template::parse("a({x}, {y"), Err(7));
        assert_eq!(Template::parse("µ").unwrap().fill(&[]), "µ");
    }
}
