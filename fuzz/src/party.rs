//! What the targets of party building share.

use unriddle_check as check;
use unriddle_party::{
    Team,
    document::{Document, document},
    notation::parse,
    read::{Location, ReadError},
};

/// A refusal has reasons and places.
pub fn sound(errors: &[ReadError]) {
    assert!(!errors.is_empty());
    for error in errors {
        assert!(!error.reason.is_empty());
        if let Location::Text(line, column) = error.place {
            assert!(line >= 1 && column >= 1);
        }
    }
}

/// Holds a document and a team against the verifier's reading of both.
///
/// The verifier is given the document as the reader hands it on, as everywhere: forms that only the
/// reader accepts (another name of the price, directions of an objective, texts for a missing price)
/// are gone; numbers are doubles to the reader, digits to the verifier.
pub fn hold(read: &Document, team: &str) {
    let text = read.text.as_str();
    assert_eq!(document(text, None).as_ref(), Ok(read));
    assert_eq!(check::is_goal("party", text), Ok(false));
    let (party, verdict) = (&read.party, check::verify("party", text, team));
    let items = match parse(party, team) {
        Ok(items) => items,
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1);
            assert!(verdict.is_err(), "{error}");
            return;
        }
    };
    let first = (0..party.items.len()).map(|item| item.to_string());
    let first: Vec<String> = first.filter(|item| parse(party, item).is_ok()).collect();
    assert_eq!(check::legal_actions("party", text), Ok(first));
    if items.len() < party.formation.nodes() {
        assert!(verdict.is_err());
        return;
    }
    let team = Team::new(party, &items);
    let fixed = party.fixed.iter().all(|(item, _)| items.contains(item));
    assert_eq!(verdict.is_ok(), fixed && team.is_feasible(), "{verdict:?}");
    if let Ok(verdict) = verdict {
        assert_eq!((verdict.value, verdict.length), (team.cost(), items.len() as u64));
    }
}
