//! Long work that people describe in TOML files: experiments, evolution, tuning, training.
//!
//! | module | contents |
//! |---|---|
//! | [`error`] | [`WorkError`]: an error with its file, line and column |
//! | [`journal`] | [`FileJournal`]: finished pieces of a search, in files that processes share |
//! | [`lock`](mod@lock) | [`lock()`]: a lock of a file or folder, for one process at a time |
//! | [`reader`] | [`Reader`](reader::Reader): a text, and errors at ranges of it |
//! | [`reading`] | [`Reading`]: the reading of a text that collects all of its errors |
//! | [`shard`] | [`Shard`]: a part of a work that several processes share |
//! | [`table`] | [`Table`]: the fields of a TOML table; the macro [`fields`](crate::fields) declares them |

pub mod error;
pub mod journal;
pub mod lock;
pub mod reader;
pub mod reading;
pub mod shard;
pub mod table;

pub use error::WorkError;
pub use journal::FileJournal;
pub use lock::lock;
pub use reading::Reading;
pub use shard::Shard;
pub use table::{Any, At, Each, Fields, Nested, Optional, Table, Unit, Words};
