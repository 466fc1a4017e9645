//! The options of the report on party puzzles.

use unriddle_catalog::{bind::Bound, validate::Batch};
use unriddle_core::{Info, Options, Role, options};

/// Declaration of the report's options.
pub const REPORT: Info = Info {
    parameters: ReportConfig::PARAMETERS,
    ..Info::new(
        Role::Validation,
        "party-report",
        "additional parts of the report on a party puzzle: conflicts, near teams, prices of requirements and of synergy, archives",
    )
};

options! {
    /// Keys of the report.
    pub struct ReportConfig of REPORT {
        regions: u64 = "2k",
            "regions that a proof may expand",
            "The limit applies to the proof of the cheapest team, and to each search of `front` \
             separately.";
        near: f64 = "5" in 0.0..=1000.0,
            "excess price of a near team (per cent of the cheapest)";
        front: u64 = "0" in 0..=100_000,
            "searches for the price-synergy front (0 = no front)",
            "Each search finds at most one point of the Pareto front of price against synergy.";
        archive: String = "",
            "CSV file for an archive of teams (empty = none)",
            "The archive contains the cheapest team of each kind, where kinds are cells of the \
             `features`. It is available for a single instance.";
        features: String = "price:20, synergy:20",
            "features that distinguish the kinds of the archive",
            "Features are separated by commas: `price`, `synergy`, `average NUMBER`, `distinct \
             TRAIT`, `same TRAIT`. Each may be followed by a number of bins, as in `price:20`.";
        evaluations: u64 = "10k", "teams that are built or repaired for the archive";
    }
}

impl ReportConfig {
    /// The keys of a batch.
    pub(super) fn of(batch: &Batch<'_>) -> Self {
        let own = batch.keys.own.as_ref();
        own.map_or_else(Self::default, |given: &Bound<'_>| Self::read(given))
    }
}
