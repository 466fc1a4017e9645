//! Unguessable names and their comparison.

/// Random name of 32 hexadecimal digits from the operating system's generator.
///
/// # Errors
/// The operating system has no random bytes.
pub(super) fn name() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether two secrets are equal. The time does not depend on the position of a difference.
pub(super) fn is_same(secret: &str, given: &[u8]) -> bool {
    let secret = secret.as_bytes();
    if secret.len() != given.len() {
        return false;
    }
    let difference = secret.iter().zip(given).fold(0, |all, (a, b)| all | (a ^ b));
    std::hint::black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_are_compared_whole() {
        let (one, other) = (name().unwrap(), name().unwrap());
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
        assert!(is_same(&one, one.as_bytes()));
        assert!(!is_same(&one, other.as_bytes()));
        assert!(!is_same(&one, &one.as_bytes()[..31]));
        assert!(!is_same(&one, b""));
    }
}
