//! Roots of Levin tree searches that share one open list, and the time at which each state is
//! reached.
//!
//! A Levin tree search from a root visits a state after at most n / π states, for the n states of
//! the path from the root and its probability π. Several searches that proceed at the same rate
//! share the work: the search from a root that is itself visited at time t visits a state at time
//! t + n / π, and the earliest time over all roots of a path counts. A state that needs n / π
//! states from the start thus needs about the sum of its parts, if the path has roots.
//!
//! Times are as large as 1 / π, and so are kept as logarithms.

use unriddle_core::{Cost, Puzzle};

/// Estimate of the cost-to-go of a state; `None` for a proved dead end. A state with a smaller
/// estimate than all roots before it on its path is a root.
pub type Clue<'a, P> = &'a (dyn Fn(&<P as Puzzle>::State) -> Option<Cost> + Send + Sync);

/// Units in which −ln π and logarithms of times are counted.
pub(crate) const UNIT: f64 = 65_536.0;

/// State on a path from which a Levin tree search begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    /// Logarithm of the time at which it is visited.
    time: f64,
    /// −ln of the probability of the path to it, in units.
    g: Cost,
    /// Number of actions on the path to it.
    depth: u16,
}

impl Root {
    pub(crate) fn new(g: Cost, depth: u16) -> Self {
        Self { time: f64::NEG_INFINITY, g, depth }
    }

    /// Sets the times of the roots of a path. The first one is the start, visited at time 0.
    pub(crate) fn begin(roots: &mut [Self]) {
        for at in 1..roots.len() {
            let Self { g, depth, .. } = roots[at];
            roots[at].time = Self::earliest(&roots[..at], g, depth);
        }
    }

    /// Logarithm of the time at which a state is visited to which an action leads from the last
    /// state of the path, of this depth; `g` includes the action.
    pub(crate) fn time(roots: &[Self], g: Cost, depth: u16) -> f64 {
        Self::earliest(roots, g, depth.saturating_add(1))
    }

    fn earliest(roots: &[Self], g: Cost, depth: u16) -> f64 {
        let times = roots.iter().map(|root| {
            // A root's path may have become longer since, and more probable.
            let nodes = f64::from(depth.saturating_sub(root.depth)) + 1.0;
            sum(root.time, f64::from(g.saturating_sub(root.g)) + nodes.ln() * UNIT)
        });
        times.fold(f64::INFINITY, f64::min)
    }
}

/// Logarithm of the sum of two numbers, from their logarithms; the second one is finite.
fn sum(one: f64, other: f64) -> f64 {
    let (small, large) = if one < other { (one, other) } else { (other, one) };
    large + ((small - large) / UNIT).exp().ln_1p() * UNIT
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two roots, the second after ten actions of probability 1/2 each.
    fn halves() -> [Root; 2] {
        let bits = |bits: f64| (bits * std::f64::consts::LN_2 * UNIT) as Cost;
        let mut roots = [Root::new(0, 0), Root::new(bits(10.0), 10)];
        Root::begin(&mut roots);
        roots
    }

    #[test]
    fn times_of_two_searches_are_added() {
        let roots = halves();
        // Ten actions further on: 21 · 2²⁰ states from the start, 11 · 2¹⁰ + 11 · 2¹⁰ by the root.
        let g = 2 * roots[1].g;
        let of = |roots: &[Root]| (Root::time(roots, g, 19) / UNIT).exp();
        let [alone, both] = [of(&roots[..1]), of(&roots)];
        assert!((alone / f64::from(21 << 20) - 1.0).abs() < 1e-3, "{alone}");
        assert!((both / f64::from(22 << 10) - 1.0).abs() < 1e-3, "{both}");
    }

    #[test]
    fn a_root_that_became_deeper_is_counted_as_near() {
        let time = Root::time(&halves(), 0, 3);
        assert!(time.is_finite() && time >= 0.0, "{time}");
    }
}
