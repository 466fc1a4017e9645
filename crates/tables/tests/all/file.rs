//! The file format: broken files are rejected with the right reason, and files of earlier versions
//! can be read.

use proptest::prelude::*;
use std::{fs, path::PathBuf};
use tempfile::TempDir;
use unriddle_tables::{
    Build, TableError, Width, Work,
    file::{self, VERSION},
};
use unriddle_tiles::sliding::Pattern;
use xxhash_rust::xxh3::xxh3_64;

const HEADER: usize = 4096;
const KEY: &str = "some table";
const PAYLOAD: &[u8] = &[0x10, 0x32, 0x54, 0x76, 0x98];
const ENTRIES: u64 = 9;

/// A folder with a good file, and its bytes.
fn good() -> (TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("good.table");
    file::write_version(&path, KEY, 7, ENTRIES, PAYLOAD).expect("a writable folder");
    let bytes = fs::read(&path).expect("a readable file");
    (folder, path, bytes)
}

/// Opens these bytes as a file.
fn open(bytes: &[u8]) -> Result<unriddle_tables::Table, TableError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("some.table");
    fs::write(&path, bytes).expect("a writable folder");
    file::open(&path, KEY, Width::Nibble)
}

/// A file written by the description of the format: key, its stated length, entries, stated payload
/// length, payload. All checksums are right.
fn by_hand(key: &[u8], length: u32, entries: u64, stated: u64, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(b"UNRIDDLE");
    bytes.extend(2u32.to_le_bytes());
    bytes.extend(4096u32.to_le_bytes());
    bytes.extend(entries.to_le_bytes());
    bytes.extend(stated.to_le_bytes());
    bytes.extend(xxh3_64(payload).to_le_bytes());
    bytes.extend(length.to_le_bytes());
    bytes.extend(7u32.to_le_bytes());
    bytes.extend(key);
    bytes.resize(HEADER - 8, 0);
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes.extend(payload);
    bytes
}

#[test]
fn a_good_file_is_read() {
    let (_folder, path, bytes) = good();
    assert_eq!(bytes, by_hand(KEY.as_bytes(), 10, ENTRIES, 5, PAYLOAD));
    let table = file::open(&path, KEY, Width::Nibble).expect("a good file");
    assert_eq!((table.entries(), table.bytes(), table.packed()), (9, 5, PAYLOAD));
    let entries: Vec<u8> = (0..9).map(|i| table.get(i)).collect();
    assert_eq!(entries, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let resident = table.resident().expect("memory for five bytes");
    assert_eq!(resident.packed(), table.packed());
    let header = file::read_header(&path).expect("a good file");
    assert_eq!((header.key.as_str(), header.entries, header.payload), (KEY, 9, 5));
    assert_eq!(header.version, 7);
    for index in [0, 8, 9, u32::MAX] {
        // A prefetch never faults, wherever it points.
        table.prefetch(index);
    }
}

/// No unfinished file is left beside a written one.
#[test]
fn writing_leaves_only_the_file() {
    let (folder, ..) = good();
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn an_empty_table_is_a_table() {
    let table = open(&by_hand(KEY.as_bytes(), 10, 0, 0, &[])).expect("no entries");
    assert_eq!((table.entries(), table.bytes()), (0, 0));
    table.prefetch(0);
}

#[test]
fn another_table_is_named() {
    let (_folder, path, _) = good();
    match file::open(&path, "other", Width::Nibble).expect_err("another key") {
        TableError::WrongKey { found, wanted } => assert_eq!((&*found, &*wanted), (KEY, "other")),
        other => panic!("{other}"),
    }
}

#[test]
fn another_version_is_named() {
    for version in [0, 3, u32::MAX] {
        let (.., mut bytes) = good();
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        // Its checksum may be anything: a later version may have another header.
        assert!(matches!(open(&bytes), Err(TableError::Version(v)) if v == version));
    }
}

#[test]
fn foreign_files_are_refused() {
    for bytes in [&b""[..], b"U", b"UNRIDDL", b"unriddle", &[0; 5000], &[0xff; 4096]] {
        assert!(matches!(open(bytes), Err(TableError::Foreign)));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let missing = folder.path().join("missing.table");
    assert!(
        matches!(file::open(&missing, KEY, Width::Nibble), Err(TableError::Io { path, .. }) if path == missing)
    );
    assert!(file::open(folder.path(), KEY, Width::Nibble).is_err());
    assert!(file::read_header(folder.path()).is_err());
}

#[test]
fn every_truncation_is_noticed() {
    let (_folder, path, bytes) = good();
    // One file that is shortened byte by byte: creating thousands of files is slow on a busy disk.
    let shrinking = fs::File::options().write(true).open(&path).expect("a file");
    for length in (0..bytes.len()).rev() {
        shrinking.set_len(length as u64).expect("a shorter file");
        match file::open(&path, KEY, Width::Nibble) {
            Err(TableError::Foreign) => assert!(length < 8, "{length}"),
            Err(TableError::Truncated) => assert!(length >= 8, "{length}"),
            other => panic!("{length}: {other:?}"),
        }
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(open(&longer), Err(TableError::Truncated)));
}

/// Headers whose checksums are right but whose fields cannot be.
#[test]
fn hostile_fields_are_refused() {
    let key = KEY.as_bytes();
    assert!(open(&by_hand(key, 10, ENTRIES, 5, PAYLOAD)).is_ok());
    assert!(open(&by_hand(key, 10, 10, 5, PAYLOAD)).is_ok());
    for (entries, stated) in [
        (8, 5),
        (11, 5),
        (u64::MAX, 5),
        (9, 4),
        (9, 6),
        (9, u64::MAX),
        (9, u64::MAX - 4095),
        (u64::MAX, u64::MAX / 2),
    ] {
        let result = open(&by_hand(key, 10, entries, stated, PAYLOAD));
        assert!(matches!(result, Err(TableError::Truncated)), "{entries} {stated}");
    }
    for length in [4041, 4089, u32::MAX] {
        let result = open(&by_hand(key, length, ENTRIES, 5, PAYLOAD));
        assert!(matches!(result, Err(TableError::Corrupted("header"))), "{length}");
    }
    let no_text = open(&by_hand(&[0xff, 0xfe], 2, ENTRIES, 5, PAYLOAD));
    assert!(matches!(no_text, Err(TableError::Corrupted("header"))));
    assert!(matches!(
        open(&by_hand(key, 0, ENTRIES, 5, PAYLOAD)),
        Err(TableError::WrongKey { .. })
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_flipped_bit_is_noticed(at in prop_oneof![
        0usize..64, 0usize..HEADER + 5, HEADER - 8..HEADER + 5
    ], bit in 0u8..8) {
        let mut bytes = by_hand(KEY.as_bytes(), 10, ENTRIES, 5, PAYLOAD);
        bytes[at] ^= 1 << bit;
        let error = open(&bytes).expect_err("a flipped bit");
        let is_right = match at {
            0..8 => matches!(error, TableError::Foreign),
            // In version 1 the key begins at another index.
            8..12 => match error {
                TableError::Version(v) => v > VERSION || v == 0,
                TableError::Corrupted("header") => bytes[8] == 1,
                _ => false,
            },
            12..HEADER => matches!(error, TableError::Corrupted("header")),
            _ => matches!(error, TableError::Corrupted("entries")),
        };
        prop_assert!(is_right, "byte {}: {}", at, error);
    }

    #[test]
    fn parser_never_panics_on_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..6000)) {
        prop_assert!(open(&bytes).is_err());
        prop_assert!(file::parse_header(&bytes).is_err());
    }

    /// The header has a valid magic number and version.
    #[test]
    fn parser_never_panics_on_headers(rest in proptest::collection::vec(any::<u8>(), 0..4100)) {
        let mut bytes = b"UNRIDDLE\x02\0\0\0".to_vec();
        bytes.extend(rest);
        prop_assert!(open(&bytes).is_err());
        if bytes.len() >= HEADER {
            let sum = xxh3_64(&bytes[..HEADER - 8]);
            bytes[HEADER - 8..HEADER].copy_from_slice(&sum.to_le_bytes());
            prop_assert!(open(&bytes).is_err());
        }
    }
}

proptest! {
    // Every file is synchronised with the disk.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn written_tables_are_read_back(
        payload in proptest::collection::vec(any::<u8>(), 0..9000),
        odd: bool,
        key in "[ -~]{0,80}",
    ) {
        let entries = (2 * payload.len() as u64).saturating_sub(u64::from(odd));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("some.table");
        file::write(&path, &key, entries, &payload).expect("a writable folder");
        let table = file::open(&path, &key, Width::Nibble).expect("a good file");
        prop_assert_eq!((table.entries(), table.packed()), (entries, &payload[..]));
    }
}

/// Tables of all format versions, each committed when its version was made. They are readable for
/// ever.
#[test]
fn yesterdays_files_are_read() {
    let pattern = Pattern::new(3, &[0, 1, 3], 8).expect("a pattern");
    assert_eq!(pattern.key(), "sliding side=3 goals=0,1,3 blank=8");
    // A new build has the same bytes.
    let built = pattern.build(&Work::new(1, &|_| true)).expect("a small table");
    for (format, rules) in [(1, 0), (2, 3)] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join(format!("tests/data/version-{format}.table"));
        let table = file::open(&path, &pattern.key(), Width::Nibble).expect("a readable file");
        assert_eq!((table.entries(), table.bytes()), (504, 252));
        assert_eq!(table.packed(), built);
        assert_eq!(file::read_header(&path).expect("a readable file").version, rules);
        assert!(pattern.check(&table).is_ok());
    }
    assert_eq!(VERSION, 2, "a new version needs a file here");
}

/// A fifo, a device or a folder is refused before it is opened: a fifo would make the program wait.
#[cfg(unix)]
#[test]
fn only_regular_files_are_opened() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fifo = folder.path().join("fifo.table");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    let mut paths = vec![PathBuf::from("/dev/zero"), folder.path().to_owned()];
    paths.extend(made.is_ok_and(|status| status.success()).then_some(fifo));
    for path in paths {
        let error = file::open(&path, KEY, Width::Nibble).expect_err("no regular file");
        assert!(matches!(&error, TableError::NotAFile(named) if *named == path), "{error}");
        assert!(matches!(file::read_header(&path), Err(TableError::NotAFile(_))));
    }
}
