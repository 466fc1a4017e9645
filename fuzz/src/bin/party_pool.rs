//! Party building: a pool and a puzzle in texts of their own, `pool;puzzle`. No text panics; items
//! are the same whether the texts are read one after the other or as a document, and whether that
//! was written from the pool or given.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_fuzz::party::sound;
use unriddle_party::{
    Items,
    document::{PuzzleSource, document, written},
    read::{self, Pool},
    rules,
};

fuzz_target!(|text: &str| {
    let (text, puzzle) = text.rsplit_once(';').unwrap_or((text, "{}"));
    // The puzzle of a document names the price before the items are read.
    if puzzle.contains("price_column") {
        return;
    }
    let pool = match read::pool(text) {
        Ok(pool) => pool,
        Err(errors) => return sound(&errors),
    };
    assert!(pool.items.problems().is_empty());
    // A text that is nested as deep as can be read is too deep within another one.
    if puzzle.matches(['[', '{']).count() > 64 {
        return;
    }
    let whole =
        document(text, Some(&PuzzleSource::Text { file: String::new(), text: puzzle.to_owned() }));
    let party = rules::party(pool.clone(), puzzle);
    assert_eq!(party, whole.map(|whole| whole.party));
    // Names of items are not written.
    let bare = Pool { items: Items { names: Vec::new(), ..pool.items.clone() }, ..pool };
    assert_eq!(read::pool(&written(&bare, puzzle)).as_ref(), Ok(&bare));
    match rules::party(bare.clone(), puzzle) {
        Ok(party) => {
            let read = document(&written(&bare, puzzle), None);
            assert_eq!(read.map(|read| read.party), Ok(party));
        }
        Err(errors) => sound(&errors),
    }
});
