//! The reader of an experiment: its text, its values, and the parts that were read so far.

use super::{Classes, Solver, Suite, values::Values};
use crate::{attribute::Attribute, reader, references::References};
use std::{cell::OnceCell, ops::Deref, path::Path};
use unriddle_catalog::{Family, Registry};

/// The text of an experiment.
pub(super) struct Reader<'a> {
    pub(super) reader: reader::Reader<'a>,
    pub(super) registry: &'a Registry,
    pub(super) values: Values,
    /// The published figures, once something names one.
    pub(super) references: OnceCell<References>,
}

impl<'a> Deref for Reader<'a> {
    type Target = reader::Reader<'a>;

    fn deref(&self) -> &reader::Reader<'a> {
        &self.reader
    }
}

/// The puzzle of a suite, as far as validation needs it.
pub(super) struct Known {
    pub(super) family: &'static Family,
    pub(super) unit: &'static str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(path: &'a Path, text: &'a str, registry: &'a Registry) -> Self {
        Self {
            reader: reader::Reader { path, text },
            registry,
            values: Values::default(),
            references: OnceCell::new(),
        }
    }
}

/// The attributes that the experiment declares.
pub(super) struct Measured<'a> {
    pub(super) attributes: &'a [Attribute],
    /// Whether values are scores.
    pub(super) scores: bool,
}

/// Parts of the experiment to which tables, plots and comparisons refer.
pub(super) struct Everything<'a> {
    pub(super) suites: &'a [Suite],
    pub(super) solvers: &'a [Solver],
    pub(super) classes: Option<&'a Classes>,
    pub(super) measured: &'a Measured<'a>,
}
