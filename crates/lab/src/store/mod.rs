//! The results database.
/// x
pub struct Store;
