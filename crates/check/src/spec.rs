//! A tiny reader of puzzle specs: `name` or `name(key=value, key=value)`.

/// The `key=value` pairs of a spec, in order.
pub(crate) type Options = Vec<(String, String)>;

/// The name and the options of a spec. A value may be in quotation marks, in which a comma does not
/// separate options.
pub(crate) fn read(text: &str) -> Result<(String, Options), String> {
    let text = text.trim();
    let Some((name, rest)) = text.split_once('(') else {
        return if text.contains(|c: char| !is_name_char(c)) || text.is_empty() {
            Err("expected a name such as `tiles`".to_owned())
        } else {
            Ok((text.to_owned(), Vec::new()))
        };
    };
    let name = name.trim();
    if name.is_empty() || name.contains(|c: char| !is_name_char(c)) {
        return Err("expected a name before `(`".to_owned());
    }
    let Some(inside) = rest.strip_suffix(')') else {
        return Err("the closing `)` is missing, or something follows it".to_owned());
    };
    let mut options = Vec::new();
    for part in split_at_commas(inside)? {
        let Some((key, value)) = part.split_once('=') else {
            if inside.trim().is_empty() {
                break;
            }
            return Err(format!("expected name=value, found `{}`", part.trim()));
        };
        let (key, value) = (key.trim(), value.trim());
        if key.is_empty() || value.is_empty() {
            return Err(format!("expected name=value, found `{}`", part.trim()));
        }
        if options.iter().any(|(known, _)| known == key) {
            return Err(format!("`{key}` is given more than once"));
        }
        options.push((key.to_owned(), value.replace('"', "")));
    }
    Ok((name.to_owned(), options))
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

fn split_at_commas(text: &str) -> Result<Vec<String>, String> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' | ')' if !quoted => return Err(format!("`{c}` is not expected here")),
            _ => {}
        }
        match parts.last_mut() {
            Some(part) if c != ',' || quoted => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    if quoted {
        return Err("a quotation mark is never closed".to_owned());
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn names_and_options() {
        let plain = |text: &str| (text.to_owned(), Vec::new());
        let with = |text: &str, options: &[(&str, &str)]| {
            let own = |(k, v): &(&str, &str)| ((*k).to_owned(), (*v).to_owned());
            (text.to_owned(), options.iter().map(own).collect::<Vec<_>>())
        };
        assert_eq!(read(" tiles "), Ok(plain("tiles")));
        assert_eq!(read("lights-out()"), Ok(plain("lights-out")));
        assert_eq!(
            read("tiles( goal = blank-first )"),
            Ok(with("tiles", &[("goal", "blank-first")]))
        );
        assert_eq!(read("a(x=1, y=\"p, q\")"), Ok(with("a", &[("x", "1"), ("y", "p, q")])));
    }

    #[test]
    fn refusals() {
        for text in [
            "",
            "(",
            "a b",
            "(x=1)",
            "a(",
            "a(x=1",
            "a(x=1)b",
            "a(x)",
            "a(x=)",
            "a(=1)",
            "a(x=1,)",
            "a(x=1,x=2)",
            "a(x=b(c))",
            "a(x=\"1)",
            "tiles)",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
