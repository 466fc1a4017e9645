//! Policy: a logit for each code of an adaptation; all other logits are 0.
//!
//! One open-addressing table contains the codes of all levels. It stores e^(logit/τ) of the current
//! policy beside each code, so that a play-out needs one lookup for each legal action and no
//! exponential. The logits themselves are in a flat vector, in the order in which the codes were
//! added. A level saves its policy as a copy of that vector, and restores it by removing all codes
//! that were added later: the last added are removed first, so that no chain of probes is ever
//! broken.
//!
//! Codes that occur only in play-outs do not enter the table: most never occur again.
//!
//! The exponential consists of operations that every machine rounds alike, because the result of a
//! seed must not depend on the machine.

use crate::{
    lines::fit,
    memory::{Full, bytes, reserve},
};

/// Mark of an empty slot.
const EMPTY: u32 = u32::MAX;
/// Number of slots of the smallest table.
const MIN_SLOTS: usize = 1 << 10;
/// Exponents are limited to ± this value, so that neither factors nor sums of them overflow.
const LIMIT: f32 = 40.0;

/// eˣ within 3 parts in 10⁷, |x| limited to 40.
#[inline]
pub(super) fn exp(x: f32) -> f32 {
    let x = x.clamp(-LIMIT, LIMIT);
    let k = (x * std::f32::consts::LOG2_E + 12_582_912.0) - 12_582_912.0;
    // ln 2 in two parts, the first with so few bits that its multiples are exact.
    let r = x - k * 0.693_359_4 + k * 2.121_944_4e-4;
    let p = 1.0
        + r * (1.0
            + r * (0.5
                + r * (0.166_666_67
                    + r * (0.041_666_67 + r * (0.008_333_334 + r * 0.001_388_889)))));
    p * f32::from_bits(((k as i32 + 127) as u32) << 23)
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    code: u64,
    /// Index of its weight; [`EMPTY`] in an empty slot.
    id: u32,
    /// The value e^(logit/τ) of the current policy.
    exp: f32,
}

/// Weight of a code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    logit: f32,
    exp: f32,
}

/// Action that is legal in one or more states of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) code: u64,
    /// The factor e^bias.
    pub(super) factor: f32,
}

/// State of a line: the end of its choices (they begin at the end of the previous state's), and the
/// chosen entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) end: u32,
    pub(super) chosen: u32,
}

/// The current policy.
#[derive(Debug, Default)]
pub(super) struct Policy {
    /// Slots; their number is a power of two, and at most half of them are used.
    slots: Vec<Slot>,
    shift: u32,
    weights: Vec<Weight>,
    /// The slot of each weight.
    places: Vec<u32>,
    /// Scratch of an adaptation: for each entry its weight, its probability before times the
    /// state's sum, and the change of its logit.
    ids: Vec<u32>,
    moves: Vec<(f32, f32)>,
    inverse_tau: f32,
}

impl Policy {
    pub(super) fn new(tau: f64) -> Self {
        Self { inverse_tau: (1.0 / tau) as f32, ..Self::default() }
    }

    pub(super) fn bytes(&self) -> u64 {
        bytes!(self.slots, self.weights, self.places, self.ids, self.moves)
    }

    /// Number of codes that have a weight.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The slot of a code, or the slot where it would be added. The table has an empty slot.
    #[inline(always)]
    fn slot(&self, code: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mixed = (code ^ (code >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut i = (mixed >> self.shift) as usize & mask;
        while self.slots[i].id != EMPTY && self.slots[i].code != code {
            i = (i + 1) & mask;
        }
        i
    }

    /// The value e^(logit/τ) of a code.
    #[inline(always)]
    pub(super) fn exp(&self, code: u64) -> f32 {
        // Empty slots contain the value of a logit of 0.
        self.slots[self.slot(code)].exp
    }

    /// Creates a table, or doubles it, if one more code would fill more than a half.
    pub(super) fn make_place(&mut self, room: u64) -> Result<(), Full> {
        if self.slots.len() >= 2 * (self.weights.len() + 1) {
            return Ok(());
        }
        let count = (self.slots.len() * 2).max(MIN_SLOTS);
        let mut slots = Vec::new();
        reserve(&mut slots, count, room)?;
        let empty = Slot { code: 0, id: EMPTY, exp: 1.0 };
        slots.resize(count, empty);
        let old = std::mem::replace(&mut self.slots, slots);
        self.shift = 64 - count.trailing_zeros();
        // The codes are added in their old order, so that the last added are still removed first.
        for id in 0..self.places.len() {
            let slot = old[self.places[id] as usize];
            let place = self.slot(slot.code);
            self.slots[place] = slot;
            self.places[id] = place as u32;
        }
        Ok(())
    }

    /// Reserves memory for the weights of a line's entries and adds them. For lack of memory some
    /// may have been added, with logits of 0, which changes nothing.
    pub(super) fn admit(&mut self, entries: &[Entry], limit: u64) -> Result<(), Full> {
        let count = entries.len();
        self.ids.clear();
        let room = limit.saturating_sub(self.bytes());
        reserve(&mut self.ids, count, room)?;
        let room = limit.saturating_sub(self.bytes());
        fit(&mut self.moves, count, room)?;
        for entry in entries {
            let mut place = self.slot(entry.code);
            if self.slots[place].id == EMPTY {
                // Growth is rare: only then are the sizes computed.
                if self.slots.len() < 2 * (self.weights.len() + 1) {
                    self.make_place(limit.saturating_sub(self.bytes()))?;
                    place = self.slot(entry.code);
                }
                if self.weights.len() == self.weights.capacity()
                    || self.places.len() == self.places.capacity()
                {
                    let room = limit.saturating_sub(self.bytes());
                    reserve(&mut self.weights, 1, room)?;
                    let room = limit.saturating_sub(self.bytes());
                    reserve(&mut self.places, 1, room)?;
                }
                self.slots[place] =
                    Slot { code: entry.code, id: self.weights.len() as u32, exp: 1.0 };
                self.weights.push(Weight { logit: 0.0, exp: 1.0 });
                self.places.push(place as u32);
            }
            self.ids.push(self.slots[place].id);
        }
        Ok(())
    }

    /// Moves the policy towards a line whose entries were the last to be admitted, without a
    /// restore since. For each state the logit of the chosen action rises by `alpha`, and all
    /// logits fall by `alpha` times their probability under the policy before. Choices are indices
    /// of entries.
    pub(super) fn adapt(&mut self, steps: &[Step], choices: &[u32], entries: &[Entry], alpha: f32) {
        self.moves.clear();
        for (&id, entry) in self.ids.iter().zip(entries) {
            let exp = self.weights[id as usize].exp * entry.factor;
            self.moves.push((exp, 0.0));
        }
        let moves = &mut self.moves[..];
        let mut begin = 0;
        for step in steps {
            let end = step.end as usize;
            let of_step = &choices[begin..end];
            let total: f32 = of_step.iter().map(|&entry| moves[entry as usize].0).sum();
            let scale = alpha / total;
            for &entry in of_step {
                let (exp, by) = &mut moves[entry as usize];
                *by -= scale * *exp;
            }
            moves[step.chosen as usize].1 += alpha;
            begin = end;
        }
        // A code may have several entries: all change the logit before its exponential is computed.
        for (&id, &(_, by)) in self.ids.iter().zip(moves.iter()) {
            self.weights[id as usize].logit += by;
        }
        for (&id, (_, logit)) in self.ids.iter().zip(moves.iter_mut()) {
            *logit = self.weights[id as usize].logit;
        }
        // A separate loop, so that the compiler vectorises it.
        for (exp_after, logit) in moves.iter_mut() {
            *exp_after = exp(*logit * self.inverse_tau);
        }
        for (&id, &(exp_after, _)) in self.ids.iter().zip(moves.iter()) {
            self.weights[id as usize].exp = exp_after;
            self.slots[self.places[id as usize] as usize].exp = exp_after;
        }
    }

    /// Copies the policy; memory for it is reserved.
    pub(super) fn save(&self, copy: &mut Vec<Weight>) {
        copy.clear();
        copy.extend_from_slice(&self.weights);
    }

    /// Restores a copy. Codes that were added since are removed.
    pub(super) fn restore(&mut self, copy: &[Weight]) {
        for &place in &self.places[copy.len()..] {
            let slot = &mut self.slots[place as usize];
            slot.id = EMPTY;
            slot.exp = 1.0;
        }
        self.places.truncate(copy.len());
        self.weights.truncate(copy.len());
        self.weights.copy_from_slice(copy);
        for (&place, weight) in self.places.iter().zip(copy) {
            self.slots[place as usize].exp = weight.exp;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_close_and_limited() {
        for i in -4000..=4000 {
            let x = i as f32 / 100.0;
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 3e-7, "{x}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(1e9), exp(40.0));
        assert_eq!(exp(-1e9), exp(-40.0));
    }

    /// Steps, choices and entries of a line in which each state has entries of its own.
    fn line(codes: &[u64], per_step: usize) -> (Vec<Step>, Vec<u32>, Vec<Entry>) {
        let entries: Vec<_> = codes.iter().map(|&code| Entry { code, factor: 1.0 }).collect();
        let steps = (0..codes.len() / per_step)
            .map(|i| Step { end: ((i + 1) * per_step) as u32, chosen: (i * per_step) as u32 })
            .collect();
        (steps, (0..codes.len() as u32).collect(), entries)
    }

    #[test]
    fn an_adaptation_follows_the_paper() {
        let mut policy = Policy::new(1.0);
        policy.make_place(u64::MAX).unwrap();
        // Code 7 is a choice of both states: its probability is the one before in both.
        let (steps, choices, entries) = line(&[7, 8, 7, 9], 2);
        policy.admit(&entries, u64::MAX).unwrap();
        policy.adapt(&steps, &choices, &entries, 1.0);
        let logits: Vec<f32> = policy.weights.iter().map(|w| w.logit).collect();
        assert_eq!(logits, [1.0, -0.5, -0.5]);
        assert_eq!(policy.exp(7), exp(1.0));
        assert_eq!(policy.exp(9), exp(-0.5));
        assert_eq!(policy.exp(10), 1.0);
    }

    #[test]
    fn a_restore_removes_later_codes() {
        let mut policy = Policy::new(1.0);
        policy.make_place(u64::MAX).unwrap();
        let (steps, choices, entries) = line(&(0..600).map(|i| i << 40).collect::<Vec<_>>(), 3);
        policy.admit(&entries, u64::MAX).unwrap();
        policy.adapt(&steps, &choices, &entries, 1.0);
        let before: Vec<f32> = (0..2000).map(|i| policy.exp(i << 40)).collect();
        let mut copy = Vec::new();
        policy.save(&mut copy);
        for _ in 0..3 {
            let (steps, choices, entries) =
                line(&(300..2100).map(|i| i << 40).collect::<Vec<_>>(), 4);
            policy.admit(&entries, u64::MAX).unwrap();
            policy.adapt(&steps, &choices, &entries, 0.5);
            assert_eq!(policy.len(), 2100);
            assert!(policy.exp(2000 << 40) != 1.0);
            policy.restore(&copy);
            assert_eq!(policy.len(), 600);
            let after: Vec<f32> = (0..2000).map(|i| policy.exp(i << 40)).collect();
            assert_eq!(before, after);
        }
        policy.restore(&[]);
        assert!((0..2100).all(|i| policy.exp(i << 40) == 1.0));
    }

    #[test]
    fn a_growth_without_memory_is_rejected() {
        let mut policy = Policy::new(1.0);
        assert_eq!(policy.make_place(1000), Err(Full));
        policy.make_place(1 << 14).unwrap();
        let codes: Vec<u64> = (0..5000).collect();
        let (steps, choices, entries) = line(&codes, 1);
        let mut limit = policy.bytes();
        while policy.admit(&entries, limit).is_err() {
            assert!(policy.bytes() <= limit);
            assert!(codes.iter().all(|&code| policy.exp(code) == 1.0));
            limit += 1000;
        }
        policy.adapt(&steps, &choices, &entries, 1.0);
        assert!(codes.iter().all(|&code| policy.exp(code) == 1.0));
    }
}
