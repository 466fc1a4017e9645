//! Selects the smallest of many estimates by a histogram of their bits.

/// Bits of infinity: a proved dead end.
const DEAD: u32 = f32::INFINITY.to_bits();

/// Child that the next layer may contain. Candidates are ordered by estimate, then by the order of
/// generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    key: u32,
    pub(super) parent: u32,
    pub(super) child: u32,
}

impl Candidate {
    /// Estimate of the child.
    pub(super) fn estimate(self) -> f32 {
        f32::from_bits(self.key)
    }
}

/// Numbers of estimates by their upper 16 bits.
pub(super) struct Histogram {
    counts: Vec<u32>,
    /// Number of estimates of children that are not dead ends.
    pub(super) alive: usize,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: vec![0; 1 << 16], alive: 0 }
    }
}

impl Histogram {
    pub(super) fn bytes(&self) -> u64 {
        4 << 16
    }

    /// Counts estimates.
    pub(super) fn count(&mut self, keys: &[u32]) {
        self.counts.fill(0);
        for key in keys {
            self.counts[(key >> 16) as usize] += 1;
        }
        let dead = keys.iter().filter(|&&key| key >= DEAD).count();
        self.alive = keys.len() - dead;
    }

    /// The largest of the `count` smallest estimates, and the number of equal estimates among them.
    fn limit(&self, keys: &[u32], count: usize) -> (u32, usize) {
        let (mut upper, mut left) = (0, count);
        while upper < (1 << 16) - 1 && (self.counts[upper] as usize) < left {
            left -= self.counts[upper] as usize;
            upper += 1;
        }
        let mut lower = vec![0_u32; 1 << 16];
        for key in keys {
            if (key >> 16) as usize == upper {
                lower[(key & 0xffff) as usize] += 1;
            }
        }
        let mut low = 0;
        while low < (1 << 16) - 1 && (lower[low] as usize) < left {
            left -= lower[low] as usize;
            low += 1;
        }
        ((upper as u32) << 16 | low as u32, left)
    }

    /// Appends the `count` smallest estimates in their order, which must not exceed
    /// [`alive`](Self::alive). The estimates of parent `p` begin at `firsts[p]`.
    pub(super) fn least(
        &self,
        keys: &[u32],
        firsts: &[u32],
        count: usize,
        order: &mut Vec<Candidate>,
    ) {
        if count == 0 {
            return;
        }
        let (limit, mut ties) = self.limit(keys, count);
        let ends = firsts.iter().skip(1).copied().chain([keys.len() as u32]);
        for (parent, (&first, end)) in firsts.iter().zip(ends).enumerate() {
            for (child, &key) in keys[first as usize..end as usize].iter().enumerate() {
                if key < limit || key == limit && ties > 0 {
                    ties -= usize::from(key == limit);
                    let (parent, child) = (parent as u32, child as u32);
                    order.push(Candidate { key, parent, child });
                }
            }
        }
        order.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_core::Rng;

    #[test]
    fn the_selection_equals_a_sort() {
        let mut rng = Rng::new(1);
        for round in 0..50 {
            let parents = 1 + rng.below(40) as usize;
            let (mut keys, mut firsts) = (Vec::new(), Vec::new());
            let mut all = Vec::new();
            for parent in 0..parents as u32 {
                firsts.push(keys.len() as u32);
                for child in 0..rng.below(9) as u32 {
                    let key = match rng.below(5) {
                        0 => f32::INFINITY,
                        _ if round % 2 == 0 => rng.below(6) as f32,
                        _ => rng.unit() as f32 * 20.0,
                    };
                    let key = key.to_bits();
                    keys.push(key);
                    if key < DEAD {
                        all.push(Candidate { key, parent, child });
                    }
                }
            }
            all.sort_unstable();
            let mut histogram = Histogram::default();
            histogram.count(&keys);
            assert_eq!(histogram.alive, all.len());
            for count in [0, 1, all.len() / 3, all.len()] {
                let count = count.min(all.len());
                let mut order = Vec::new();
                histogram.least(&keys, &firsts, count, &mut order);
                assert_eq!(order, all[..count]);
            }
        }
    }
}
