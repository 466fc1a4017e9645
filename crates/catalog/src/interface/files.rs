//! Access to the files that parameters of puzzles name.

use super::instance::AnyPuzzle;
use crate::{bind::Bound, spec::SpecError};
use std::{fmt, fs::File, io::Read as _};

/// Reader of a file of a name: its text, or the reason why it cannot be read.
type Read = fn(&str) -> Result<String, String>;

/// Access to files, which a program grants or withholds: a server must not open the files that a
/// request names.
///
/// ```
/// use unriddle_catalog::Files;
///
/// let files = Files::by(|name| Err(format!("`{name}` is not there")));
/// assert_eq!(files.read("cube.toml"), Err("`cube.toml` is not there".to_owned()));
/// assert!(Files::NONE.read("cube.toml").is_err());
/// ```
#[derive(Clone, Copy)]
pub struct Files(Option<Read>);

impl Files {
    /// No access.
    pub const NONE: Self = Self(None);

    /// Access to the files of this machine, up to a size of 16 MB.
    pub const DISK: Self = Self(Some(from_disk));

    /// Access by a reader.
    #[must_use]
    pub const fn by(read: Read) -> Self {
        Self(Some(read))
    }

    /// The text of a file.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn read(&self, name: &str) -> Result<String, String> {
        match self.0 {
            Some(read) => read(name),
            None => Err(format!("the file `{name}` is not opened: no files are read here")),
        }
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "files" } else { "no files" })
    }
}

/// Most bytes of a file.
const MOST_BYTES: u64 = 16 << 20;

fn from_disk(name: &str) -> Result<String, String> {
    let read = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(name)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error| format!("cannot read `{name}`: {error}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("`{name}` is larger than {} MB", MOST_BYTES >> 20));
    }
    String::from_utf8(bytes).map_err(|_| format!("`{name}` is no UTF-8 text"))
}

/// Maker of a puzzle of bound parameters, which reads the files that they name.
pub type Configure = fn(&Bound<'_>, Files) -> Result<Box<dyn AnyPuzzle>, SpecError>;
