//! Certificates: proofs for an independent checker that no team is cheaper than a price, or that
//! there is no team at all.
//!
//! A certificate is a tree of regions ([`relax`](super::relax)), each with its cut, down to regions
//! that are closed by the multipliers of a linear program's rows (by weak duality with whole
//! numbers, or by a refutation after Farkas), or because no counts are possible. A checker derives
//! the rows from the puzzle, so that it relies only on arithmetic. The tree is searched again for
//! the certificate, depth first, with the price as the cut-off: the way in which the search found
//! the cheapest team does not matter, and the certificate is as small as the proof (as for proofs
//! of mixed-integer programs: K. Cheung, A. Gleixner and D. Steffy 2017, "Verifying Integer
//! Programming Results", IPCO).
//!
//! The text is one JSON object: `least`, the price (null: no team at all), and `regions` in
//! preorder, each an array of its kind, the arguments of the kind, and rows with their multipliers
//! in parts of 2²⁰:
//!
//! | kind | arguments | meaning |
//! |---|---|---|
//! | `impossible` | | no team has such counts or sums |
//! | `closed` | rows | the multipliers close it |
//! | `kept` | | its parent's multipliers and reduced costs close it |
//! | `count` | trait, value, *k*, rows | the value occurs at most *k* times; more often |
//! | `sum` | number, *k*, rows | the sum is at most *k* units; more |
//! | `item` | item, rows | the item is in the team; it is not |
//! | `often` | trait, *k*, values, rows | no value occurs *k* times; then one part for each first
//! such value |
//! | `some` | trait, *k*, values, rows | as `often` without the first part, if a requirement
//! excludes it |
//! | `team` | items, rows | one part for each first omitted item; all of them are not a team |
//!
//! Rows are `["nodes", y]`, `["requirement", i, y]`, `["rating", i, "sum" | "least" | "most", y]`,
//! `["few", i, y]`, `["count", trait, value, y]`, `["different", trait, values, y]`, `["line", k,
//! y]`, `["shared", y]` and `["worth", prices, y]`. Requirements are numbered in the order of the
//! puzzle, after the requirement of synergy.

use super::{
    exact::Cut,
    placement::place,
    relax::{Finding, Proof, Region, Relaxation, Source},
};
use crate::{Party, notation};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use unriddle_catalog::instance::NoCertificate;
use unriddle_core::Rng;

/// Version of the certificates' form.
const VERSION: u32 = 1;

/// A region that is still to be examined.
struct Next {
    region: Region,
    items: Arc<[u32]>,
    /// The lower bound that is known before its relaxation is solved.
    bound: i64,
}

/// Proves that no team costs less than `least`, or, with `None`, that there is no team. `go_on`
/// is asked before every region, with the number of regions done.
///
/// # Errors
/// Why there is no proof.
pub fn certify(
    party: &Party,
    least: Option<i64>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<String, NoCertificate> {
    // For an unsolvable puzzle, prices are irrelevant.
    let free = least.is_none().then(|| {
        let mut free = party.clone();
        free.costs.fill(0);
        free
    });
    let party = free.as_ref().unwrap_or(party);
    let mut regions: Vec<Json> = Vec::new();
    if let Some(relaxation) = Relaxation::new(party).map(Relaxation::for_one) {
        // Far above all prices, and far from where sums overflow.
        let below = least.map_or(i64::MAX / 4, |least| relaxation.next_price(least));
        let mut rng = Rng::new(0);
        let (region, items) = relaxation.all();
        let mut open = vec![Next { region, items: items.into(), bound: i64::MIN }];
        while let Some(next) = open.pop() {
            if !go_on(regions.len() as u64) {
                return Err(NoCertificate::Stopped);
            }
            if next.bound >= below {
                regions.push(json!(["kept"]));
                continue;
            }
            let (finding, proof) = relaxation.find(&next.region, &next.items, below);
            let rows = rows(party, &proof);
            match finding {
                Finding::Impossible => regions.push(json!(["impossible"])),
                Finding::Refuted | Finding::Dear => regions.push(json!(["closed", rows])),
                Finding::Open(relaxed) => {
                    if let Some(taken) = relaxed.team(relaxation.nodes)
                        && let Some(team) = place(party, &taken, &mut rng)
                        && party.cost_of(&taken) < below
                    {
                        return Err(NoCertificate::False(notation::text(&team)));
                    }
                    let cut = Cut::of(&relaxation, &next.region, &relaxed);
                    regions.push(spelled(party, &cut, &rows));
                    let items: Arc<[u32]> = relaxed.items.iter().map(|&(item, _)| item).collect();
                    let parts = cut.parts(&next.region).into_iter().rev();
                    open.extend(parts.map(|(region, bound)| Next {
                        region,
                        items: Arc::clone(&items),
                        bound,
                    }));
                }
            }
        }
    }
    Ok(json!({"certificate": VERSION, "least": least, "regions": regions}).to_string())
}

/// The name of a trait, and of one of its values.
fn value_of(party: &Party, t: usize, value: u16) -> (&str, &str) {
    let of = &party.items.traits[t];
    (&of.name, &of.values[usize::from(value)])
}

fn values_of(party: &Party, t: usize, values: impl Iterator<Item = u16>) -> Vec<&str> {
    values.map(|value| value_of(party, t, value).1).collect()
}

fn spelled(party: &Party, cut: &Cut, rows: &Json) -> Json {
    match cut {
        &Cut::Count((t, value), most) => {
            let (name, value) = value_of(party, t, value);
            json!(["count", name, value, most, rows])
        }
        &Cut::Sum(n, most) => json!(["sum", party.items.numbers[n].name, most, rows]),
        Cut::Item(item) => json!(["item", item, rows]),
        Cut::Often { trait_of, often, values, or_none } => {
            let kind = if *or_none { "often" } else { "some" };
            let names = values_of(party, *trait_of, values.iter().map(|&(value, _)| value));
            let name = &party.items.traits[*trait_of].name;
            json!([kind, name, often, names, rows])
        }
        Cut::Team(items) => json!(["team", items, rows]),
    }
}

fn rows(party: &Party, proof: &Proof) -> Json {
    let row = |(source, y): &(Source, i64)| match source {
        Source::Nodes => json!(["nodes", y]),
        Source::Requirement(i) => json!(["requirement", i, y]),
        Source::RatingSum(i) => json!(["rating", i, "sum", y]),
        Source::RatingLeast(i) => json!(["rating", i, "least", y]),
        Source::RatingMost(i) => json!(["rating", i, "most", y]),
        Source::Few(i) => json!(["few", i, y]),
        &Source::Count((t, value)) => {
            let (name, value) = value_of(party, t, value);
            json!(["count", name, value, y])
        }
        Source::Different(t, values) => {
            let names = values_of(party, *t, values.iter().copied());
            json!(["different", party.items.traits[*t].name, names, y])
        }
        Source::Line(k) => json!(["line", k, y]),
        Source::Shared => json!(["shared", y]),
        // Prices that are all 0 are written as an empty list.
        Source::Worth(prices) if prices.iter().all(|&price| price == 0) => json!(["worth", [], y]),
        Source::Worth(prices) => json!(["worth", prices, y]),
    };
    proof.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Team;
    use crate::solvers::samples::{cheapest, random};

    /// True claims are certified; a false one is refuted by a cheaper team.
    #[test]
    fn only_true_claims_are_certified() {
        for seed in 0..100 {
            let party = random(seed);
            let best = cheapest(&party);
            assert!(certify(&party, best, &mut |_| true).is_ok(), "seed {seed}");
            let false_claim = match best {
                Some(best) => certify(&party, Some(best + 1), &mut |_| true),
                None => continue,
            };
            let Err(NoCertificate::False(items)) = false_claim else {
                panic!("seed {seed}");
            };
            let items = notation::parse(&party, &items).unwrap();
            let team = Team::new(&party, &items);
            assert!(team.is_feasible() && Some(team.cost()) == best);
            assert!(certify(&party, None, &mut |_| true).is_err());
            let stopped = certify(&party, best, &mut |_| false);
            assert_eq!(stopped, Err(NoCertificate::Stopped));
        }
    }
}
