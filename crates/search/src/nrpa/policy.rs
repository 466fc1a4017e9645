//! The policy: a logit for each code that an adaptation has met, all others 0.
//!
//! One open-addressing table finds a code's place for all levels. Beside the code stands
//! e^(logit/τ) of the policy in use, so that a play-out needs one look at one place for each legal
//! action and not a single exponential. The logits themselves lie in a flat vector, in the order in
//! which the codes came in. A level keeps its policy as a copy of that vector and goes back to it
//! by taking out all codes that came in later: the last in are the first out, so that no chain of
//! probes is ever broken.
//!
//! Codes that play-outs merely see do not enter the table: most are never seen again.
//!
//! The exponential is spelled out in operations that every machine rounds alike, because a record
//! that names a seed shall hold on all of them.

use crate::{
    lines::fit,
    memory::{Full, reserve, vec_bytes},
};

/// Mark of an empty slot.
const EMPTY: u32 = u32::MAX;
/// Slots of the smallest table.
const MIN_SLOTS: usize = 1 << 10;
/// Exponents are kept within ± this, so that neither factors nor sums of them overflow.
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
    /// Place of its weight; [`EMPTY`] if the slot holds nothing.
    id: u32,
    /// e^(logit/τ) of the policy in use.
    exp: f32,
}

/// What a policy holds of a code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    logit: f32,
    exp: f32,
}

/// An action that is legal in one or more states of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) code: u64,
    /// e^bias.
    pub(super) factor: f32,
}

/// A state of a line: where its choices end (they begin where those before end), and which entry
/// was chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) end: u32,
    pub(super) chosen: u32,
}

/// The policy in use.
#[derive(Debug)]
pub(super) struct Policy {
    /// A power of two of slots, at most half of them taken.
    slots: Vec<Slot>,
    shift: u32,
    weights: Vec<Weight>,
    /// The slot of each weight.
    places: Vec<u32>,
    /// Scratch of an adaptation: the weight of each entry; its probability before, times the
    /// state's sum, and how far its logit moves.
    ids: Vec<u32>,
    moves: Vec<(f32, f32)>,
    inverse_tau: f32,
}

impl Policy {
    pub(super) fn new(tau: f64) -> Self {
        Self {
            slots: Vec::new(),
            shift: 0,
            weights: Vec::new(),
            places: Vec::new(),
            ids: Vec::new(),
            moves: Vec::new(),
            inverse_tau: (1.0 / tau) as f32,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        vec_bytes(&self.slots)
            + vec_bytes(&self.weights)
            + vec_bytes(&self.places)
            + vec_bytes(&self.ids)
            + vec_bytes(&self.moves)
    }

    /// Codes that have a weight.
    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The slot where a code is, or would come in. There is a table with an empty slot.
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

    /// e^(logit/τ) of a code.
    #[inline(always)]
    pub(super) fn exp(&self, code: u64) -> f32 {
        // Empty slots hold that of a logit of 0.
        self.slots[self.slot(code)].exp
    }

    /// Makes a table, or one of twice as many slots, if one more code would fill more than a half.
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
        // In the order in which they came in, so that the last in are still the first out.
        for id in 0..self.places.len() {
            let slot = old[self.places[id] as usize];
            let place = self.slot(slot.code);
            self.slots[place] = slot;
            self.places[id] = place as u32;
        }
        Ok(())
    }

    /// Makes place for the weights of a line's entries and gives them weights. If there is no room,
    /// some may have come in, with logits of 0, which changes nothing.
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
                // Growth is rare: the sizes are asked for only then.
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

    /// Moves the policy towards a line whose entries were the last to be admitted, with no going
    /// back since: of each state the logit of the choice that was made rises by `alpha`, and all
    /// fall by `alpha` times their probability under the policy before. Choices are places of
    /// entries.
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
        // A code may have several entries: all move it before its exponential is taken.
        for (&id, &(_, by)) in self.ids.iter().zip(moves.iter()) {
            self.weights[id as usize].logit += by;
        }
        for (&id, (_, logit)) in self.ids.iter().zip(moves.iter_mut()) {
            *logit = self.weights[id as usize].logit;
        }
        // Apart from the rest, so that the compiler makes it several at a time.
        for (exp_after, logit) in moves.iter_mut() {
            *exp_after = exp(*logit * self.inverse_tau);
        }
        for (&id, &(exp_after, _)) in self.ids.iter().zip(moves.iter()) {
            self.weights[id as usize].exp = exp_after;
            self.slots[self.places[id as usize] as usize].exp = exp_after;
        }
    }

    /// Copies the policy; place was made for it.
    pub(super) fn save(&self, copy: &mut Vec<Weight>) {
        copy.clear();
        copy.extend_from_slice(&self.weights);
    }

    /// Goes back to a copy. Codes that came in since are taken out.
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
    fn an_adaptation_is_that_of_the_paper() {
        let mut policy = Policy::new(1.0);
        policy.make_place(u64::MAX).unwrap();
        // Code 7 is a choice of both states: its probability is that before in both.
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
    fn going_back_forgets_what_came_since() {
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
    fn there_is_no_growth_without_room() {
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
