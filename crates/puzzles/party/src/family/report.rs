//! The options of the report on party puzzles.

use unriddle_catalog::{bind::Bound, validate::Batch};
use unriddle_core::{Info, Options, Role, options};

/// What `describe party-report` shows.
pub const REPORT: Info = Info {
    parameters: ReportConfig::PARAMETERS,
    ..Info::new(
        Role::Validation,
        "party-report",
        "what the report on a party puzzle adds: conflicts, near teams, what requirements and synergy cost, archives",
    )
};

options! {
    /// Keys of the report.
    pub struct ReportConfig of REPORT {
        regions: u64 = "2k",
            "parts of the space that a proof may look into, for the cheapest team and for each search of `front`";
        near: f64 = "5" in 0.0..=1000.0,
            "how much dearer than the cheapest a near team may be, in per cent";
        front: u64 = "0" in 0..=100_000,
            "searches for the front of price against synergy, each for one point at most; 0 for no front";
        archive: String = "",
            "a CSV file for an archive of teams of many kinds, the cheapest of each kind; of a single instance";
        features: String = "price:20, synergy:20",
            "what tells kinds of the archive apart: price, synergy, average NUMBER, distinct TRAIT, same TRAIT, each with or without a number of bins, as `price:20`";
        evaluations: u64 = "10k", "teams that are built or mended for the archive";
    }
}

impl ReportConfig {
    /// The keys of a batch.
    pub(super) fn of(batch: &Batch<'_>) -> Self {
        let own = batch.keys.own.as_ref();
        own.map_or_else(Self::default, |given: &Bound<'_>| Self::read(given))
    }
}
