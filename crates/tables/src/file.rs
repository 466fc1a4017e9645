//! The file format of tables.
//!
//! A file consists of a header of 4096 bytes (so that the payload is page-aligned) and the payload.
//! All numbers are little endian.
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | `UNRIDDLE` |
//! | 8..12 | format version |
//! | 12..16 | header length |
//! | 16..24 | number of entries |
//! | 24..32 | payload length in bytes |
//! | 32..40 | XXH3-64 of the payload |
//! | 40..44 | length of the key |
//! | 44..48 | version of the table's rules (since format version 2) |
//! | 48.. | the key: a description of the table (from 44 on in format version 1) |
//! | 4088..4096 | XXH3-64 of the bytes before |
//!
//! The checksum of the whole payload is verified whenever a file is opened: a wrong entry would
//! break proofs silently. The sum finds accidents, not intent: whoever can write the file can write
//! another sum as well.

pub use crate::error::{TableError, VERSION};

use crate::{
    memory::Bytes,
    table::{Table, Width},
};
use std::{
    fs::{File, Metadata},
    io::{self, Read, Write},
    path::Path,
};
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"UNRIDDLE";
const HEADER: usize = 4096;
/// Version of the table's rules, and first byte of the key in format version 1.
const RULES: usize = 44;
const KEY: usize = 48;
const SUM: usize = HEADER - 8;

/// Header of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Key: a description of the table.
    pub key: String,
    /// Version of the table's rules.
    pub version: u32,
    /// Number of entries.
    pub entries: u64,
    /// Payload length in bytes.
    pub payload: u64,
    sum: u64,
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Reads a header from the first bytes of a file.
///
/// # Errors
/// A foreign file, another version, a truncated or corrupted header.
pub fn parse_header(bytes: &[u8]) -> Result<Header, TableError> {
    if !bytes.starts_with(MAGIC) {
        return Err(TableError::Foreign);
    }
    let format = u32_at(bytes, 8).ok_or(TableError::Truncated)?;
    if !(1..=VERSION).contains(&format) {
        return Err(TableError::Version(format));
    }
    let has_rules = format >= 2;
    let first = if has_rules { KEY } else { RULES };
    let header = bytes.get(..HEADER).ok_or(TableError::Truncated)?;
    if u64_at(header, SUM) != Some(xxh3_64(&header[..SUM])) {
        return Err(TableError::Corrupted("header"));
    }
    // The checksum holds, so the fields are as written; the checks also stop hostile files.
    let read = || {
        let length = u32_at(header, 40)? as usize;
        let key = header.get(first..first.checked_add(length)?)?;
        Some(Header {
            key: String::from_utf8(key.to_vec()).ok()?,
            version: if has_rules { u32_at(header, RULES)? } else { 0 },
            entries: u64_at(header, 16)?,
            payload: u64_at(header, 24)?,
            sum: u64_at(header, 32)?,
        })
    };
    match (u32_at(header, 12), read()) {
        (Some(length), Some(read)) if length as usize == HEADER => Ok(read),
        _ => Err(TableError::Corrupted("header")),
    }
}

/// Reads only the header of a file.
///
/// # Errors
/// As [`parse_header`], or the file cannot be read.
pub fn read_header(path: &Path) -> Result<Header, TableError> {
    let mut bytes = Vec::with_capacity(HEADER);
    let file = open_regular(path)?;
    file.take(HEADER as u64).read_to_end(&mut bytes).map_err(TableError::io(path))?;
    parse_header(&bytes)
}

/// Opens a regular file. A fifo would make the program wait, and a device may have no end.
pub(crate) fn open_regular(path: &Path) -> Result<File, TableError> {
    let is_file = |meta: io::Result<Metadata>| match meta.map_err(TableError::io(path))?.is_file() {
        true => Ok(()),
        false => Err(TableError::NotAFile(path.to_owned())),
    };
    is_file(std::fs::metadata(path))?;
    let file = File::open(path).map_err(TableError::io(path))?;
    // The file may have been replaced meanwhile.
    is_file(file.metadata())?;
    Ok(file)
}

/// Maps a file and verifies its checksum.
///
/// # Errors
/// Any defect of the file, or another key than `key`.
pub fn open(path: &Path, key: &str, width: Width) -> Result<Table, TableError> {
    open_whole(path, key, width).map(|(table, _)| table)
}

/// Maps a file and verifies its checksum. Returns its header as well.
pub(crate) fn open_whole(
    path: &Path,
    key: &str,
    width: Width,
) -> Result<(Table, Header), TableError> {
    let file = open_regular(path)?;
    let length = file.metadata().map_err(TableError::io(path))?.len();
    if length < HEADER as u64 {
        let header = read_header(path);
        return Err(header.err().unwrap_or(TableError::Truncated));
    }
    whole(Bytes::of_file(&file, path, length)?, key, width)
}

/// Opens the bytes of a file and verifies their checksum. Returns the header as well.
pub(crate) fn open_bytes(
    bytes: Vec<u8>,
    key: &str,
    width: Width,
) -> Result<(Table, Header), TableError> {
    whole(Bytes::owned(bytes)?, key, width)
}

fn whole(bytes: Bytes, key: &str, width: Width) -> Result<(Table, Header), TableError> {
    let header = parse_header(&bytes)?;
    if header.key != key {
        let (found, wanted) = (header.key, key.to_owned());
        return Err(TableError::WrongKey { found, wanted });
    }
    let payload = usize::try_from(header.payload).map_err(|_| TableError::Truncated)?;
    if bytes.len() as u64 != header.payload.saturating_add(HEADER as u64) {
        return Err(TableError::Truncated);
    }
    bytes.will_be_read();
    if xxh3_64(&bytes[HEADER..]) != header.sum {
        return Err(TableError::Corrupted("entries"));
    }
    bytes.will_be_looked_up();
    Ok((Table::of(bytes, HEADER..HEADER + payload, header.entries, width)?, header))
}

/// Writes a table whose rules have version 0, as [`write_version`].
///
/// # Errors
/// An error of the operating system.
pub fn write(path: &Path, key: &str, entries: u64, payload: &[u8]) -> Result<(), TableError> {
    write_version(path, key, 0, entries, payload)
}

/// Writes a table to `path` through a temporary file beside it, which is synchronised and then
/// renamed. A kill or a full disk leaves the old file or no file, but never a broken one.
///
/// # Errors
/// An error of the operating system.
pub fn write_version(
    path: &Path,
    key: &str,
    version: u32,
    entries: u64,
    payload: &[u8],
) -> Result<(), TableError> {
    let header = header(key, version, entries, payload);
    let partial = path.with_extension(PARTIAL);
    let store = || {
        let mut file = File::create(&partial)?;
        file.write_all(&header)?;
        file.write_all(payload)?;
        file.sync_all()?;
        std::fs::rename(&partial, path)
    };
    store().map_err(|source| {
        let _ = std::fs::remove_file(&partial);
        TableError::Io { path: path.to_owned(), source }
    })
}

/// The header of a file, which the payload follows.
pub(crate) fn header(key: &str, version: u32, entries: u64, payload: &[u8]) -> Vec<u8> {
    let mut header = vec![0; HEADER];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    let key = &key.as_bytes()[..key.len().min(SUM - KEY)];
    put(0, MAGIC);
    put(8, &VERSION.to_le_bytes());
    put(12, &(HEADER as u32).to_le_bytes());
    put(16, &entries.to_le_bytes());
    put(24, &(payload.len() as u64).to_le_bytes());
    put(32, &xxh3_64(payload).to_le_bytes());
    put(40, &(key.len() as u32).to_le_bytes());
    put(RULES, &version.to_le_bytes());
    put(KEY, key);
    let sum = xxh3_64(&header[..SUM]);
    header[SUM..].copy_from_slice(&sum.to_le_bytes());
    header
}

/// Extension of files that are being written.
pub(crate) const PARTIAL: &str = "partial";
