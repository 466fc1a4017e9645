//! A tiny reader of puzzle specs: `name` or `name(key=value, key=value)`.

use crate::CheckError;

/// The `key=value` pairs of a spec, in order.
pub(crate) type Options = Vec<(String, String)>;

/// The name and the options of a spec. A value may be in quotation marks, in which a comma does not
/// separate options.
pub(crate) fn read(text: &str) -> Result<(String, Options), String> {
    let text = text.trim();
    let (name, rest) =
        text.split_once('(').map_or((text, None), |(n, rest)| (n.trim(), Some(rest)));
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
        return Err(match rest {
            None => "expected a name such as `tiles`".to_owned(),
            Some(_) => "expected a name before `(`".to_owned(),
        });
    }
    let Some(rest) = rest else {
        return Ok((name.to_owned(), Vec::new()));
    };
    let Some(inside) = rest.strip_suffix(')') else {
        return Err("the closing `)` is missing, or something follows it".to_owned());
    };
    let mut options = Vec::new();
    for part in split_at_commas(inside)? {
        let pair = part.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
        let Some((key, value)) = pair.filter(|(key, value)| !key.is_empty() && !value.is_empty())
        else {
            if inside.trim().is_empty() {
                break;
            }
            return Err(format!("expected name=value, found `{}`", part.trim()));
        };
        if options.iter().any(|(known, _)| known == key) {
            return Err(format!("`{key}` is given more than once"));
        }
        options.push((key.to_owned(), value.replace('"', "")));
    }
    Ok((name.to_owned(), options))
}

/// For each parameter of a puzzle, the index of the given word; 0 by default. A parameter is its
/// key, its words, and the beginning of the message about another word. The message about an
/// unknown key begins with `puzzle`.
pub(crate) fn choose<const N: usize>(
    options: &Options,
    puzzle: &str,
    parameters: [(&str, &[&str], &str); N],
) -> Result<[usize; N], CheckError> {
    let mut chosen = [0; N];
    for (key, value) in options {
        let Some(at) = parameters.iter().position(|(known, ..)| known == key) else {
            return Err(unknown(puzzle, key));
        };
        let (_, words, refusal) = parameters[at];
        let word = words.iter().position(|word| word == value);
        let wrong = || CheckError::Puzzle(format!("{refusal} `{value}`"));
        chosen[at] = word.ok_or_else(wrong)?;
    }
    Ok(chosen)
}

/// The error about a key that the puzzle does not have.
pub(crate) fn unknown(puzzle: &str, key: &str) -> CheckError {
    CheckError::Puzzle(format!("{puzzle} no parameter `{key}`"))
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
