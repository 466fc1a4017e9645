//! Files of networks, plain or compressed by gzip.
//!
//! Weights of half precision become about a tenth smaller. Every reader sees the plain bytes, to
//! which hashes and headers belong.

use flate2::read::GzDecoder;
use std::{
    ffi::OsString,
    fs::{File, Metadata},
    io::{Error, ErrorKind, Read as _, Result},
    path::Path,
    sync::{Mutex, PoisonError},
};

/// First bytes of a file of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Maximum length of a file in bytes, also of an unpacked one: a small file may claim to contain
/// any number.
const MAX_BYTES: u64 = 1 << 32;

/// Reads a regular file of at most [`MAX_BYTES`]. A fifo would make the program wait, and a device
/// may have no end.
fn read_regular(path: &Path) -> Result<Vec<u8>> {
    let check = |found: Metadata| match (found.is_file(), found.len()) {
        (false, _) => {
            let message = "not a regular file, which a network must be";
            Err(Error::new(ErrorKind::InvalidInput, message))
        }
        (true, length) if length > MAX_BYTES => {
            let message = format!("has {length} bytes; a network has at most {MAX_BYTES}");
            Err(Error::new(ErrorKind::FileTooLarge, message))
        }
        (true, length) => Ok(length as usize),
    };
    check(std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    // The file may have been replaced meanwhile, or may grow.
    let mut bytes = Vec::with_capacity(check(file.metadata()?)?);
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a network's file at `path`, or else the compressed file of that name with the suffix
/// `.gz`. A compressed file is unpacked.
///
/// # Errors
/// Neither file can be read, is a regular file, or can be unpacked. The error of `path` itself is
/// returned where both are missing.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut packed = OsString::from(path);
    packed.push(".gz");
    let bytes = read_regular(path).or_else(|why| match why.kind() {
        ErrorKind::NotFound => read_regular(packed.as_ref()).map_err(|_| why),
        _ => Err(why),
    })?;
    if bytes.starts_with(&GZIP) { unpack(&bytes) } else { Ok(bytes) }
}

/// Networks that the host of a module for browsers provided, by name.
static PROVIDED: Mutex<Vec<(String, &'static [u8])>> = Mutex::new(Vec::new());

/// Provides the bytes of a network's file, plain or compressed, to a program without files. They
/// are kept for ever.
pub fn provide(name: &str, bytes: Vec<u8>) {
    let mut all = PROVIDED.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|(other, _)| other != name);
    all.push((name.to_owned(), bytes.leak()));
}

/// The plain bytes of a network that was [provided](provide).
///
/// # Errors
/// No network of this name was provided, or its bytes are damaged.
pub fn provided(name: &str) -> Result<&'static [u8]> {
    let all = PROVIDED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(&(_, bytes)) = all.iter().find(|(other, _)| other == name) else {
        return Err(Error::new(ErrorKind::NotFound, "the network was not loaded"));
    };
    drop(all);
    if bytes.starts_with(&GZIP) {
        unpack(bytes)?;
    }
    Ok(built_in(bytes))
}

/// The plain bytes of a network that is part of the program. They are unpacked once.
///
/// # Panics
/// The bytes are damaged.
#[must_use]
pub fn built_in(bytes: &'static [u8]) -> &'static [u8] {
    static UNPACKED: Mutex<Vec<(&[u8], &[u8])>> = Mutex::new(Vec::new());
    if !bytes.starts_with(&GZIP) {
        return bytes;
    }
    let mut all = UNPACKED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, plain)) = all.iter().find(|(packed, _)| std::ptr::eq(*packed, bytes)) {
        return plain;
    }
    let plain = unpack(bytes).expect("networks of the program are whole: a test reads each");
    let plain: &[u8] = plain.leak();
    all.push((bytes, plain));
    plain
}

fn unpack(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    GzDecoder::new(bytes).take(MAX_BYTES + 1).read_to_end(&mut plain)?;
    if plain.len() as u64 > MAX_BYTES {
        let message = format!("unpacks to more than {MAX_BYTES} bytes, the maximum for a network");
        return Err(Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write as _;

    fn packed(plain: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn compressed_files_are_read_as_plain_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        assert_eq!(read(&path).unwrap_err().kind(), ErrorKind::NotFound);
        std::fs::write(folder.path().join("model.safetensors.gz"), packed(b"old")).unwrap();
        assert_eq!(read(&path).unwrap(), b"old");
        // The plain file comes first, and may itself be compressed.
        std::fs::write(&path, b"plain").unwrap();
        assert_eq!(read(&path).unwrap(), b"plain");
        std::fs::write(&path, packed(b"new")).unwrap();
        assert_eq!(read(&path).unwrap(), b"new");
        std::fs::write(&path, &packed(b"new")[..12]).unwrap();
        assert!(read(&path).is_err());
    }

    /// A device that never ends, a fifo that makes its reader wait, and a folder.
    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("model.safetensors");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status();
        let mut paths = vec![Path::new("/dev/zero"), folder.path()];
        paths.extend(made.is_ok_and(|status| status.success()).then_some(&*fifo));
        for path in paths {
            let why = read(path).unwrap_err();
            assert!(why.to_string().contains("not a regular file"), "{}: {why}", path.display());
        }
        // A file of many bytes that takes no space on the disk.
        let path = folder.path().join("long.safetensors");
        File::create(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("at most 4294967296"));
    }

    #[test]
    fn provided_networks_are_found_by_name() {
        assert_eq!(provided("mine").unwrap_err().kind(), ErrorKind::NotFound);
        provide("mine", packed(b"old"));
        provide("mine", packed(b"new"));
        assert_eq!(provided("mine").unwrap(), b"new");
        provide("broken", packed(b"broken")[..12].to_vec());
        assert!(provided("broken").is_err());
    }

    #[test]
    fn built_in_networks_are_unpacked_once() {
        let bytes: &'static [u8] = packed(b"weights").leak();
        assert_eq!(built_in(bytes), b"weights");
        assert!(std::ptr::eq(built_in(bytes), built_in(bytes)));
        assert_eq!(built_in(b"plain"), b"plain");
    }
}
