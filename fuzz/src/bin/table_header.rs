//! Headers of table files: no bytes panic, not even behind a right checksum.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unriddle_tables::file::parse_header;
use xxhash_rust::xxh3::xxh3_64;

/// Length of a header, and where its checksum stands.
const HEADER: usize = 4096;
const SUM: usize = HEADER - 8;

fuzz_target!(|bytes: &[u8]| {
    let _ = parse_header(bytes);
    // The same bytes as the beginning of a header whose checksum is right.
    let mut header = bytes.to_vec();
    header.resize(HEADER, 0);
    let sum = xxh3_64(&header[..SUM]);
    header[SUM..].copy_from_slice(&sum.to_le_bytes());
    if let Ok(read) = parse_header(&header) {
        assert!(read.key.len() < HEADER && header.starts_with(b"UNRIDDLE"));
    }
});
