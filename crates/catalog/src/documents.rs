//! Generated documents.
