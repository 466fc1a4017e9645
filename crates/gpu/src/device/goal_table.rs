//! The set of exact distances near the goal.

use super::{Gpu, GpuError, Set, each, words};
use cudarc::driver::{LaunchConfig, PushKernelArg};
use std::sync::PoisonError;

/// The share of the set's slots that are taken at most, in percent.
const LOAD: u64 = 60;

impl Gpu {
    /// Enters all states near the goal, as many layers as there is room for.
    pub(super) fn build_goal_table(&mut self, goal: &[u8]) -> Result<(), GpuError> {
        let (stream, sides, each_words) =
            (self.stream.clone(), 2 * self.places.actions, words(&self.places));
        let room = self.near.slots.len() as u64 * LOAD / 100;
        let mask = self.near.mask();
        let mut layer = stream.clone_htod(&self.words_of(goal))?;
        // The goal itself is entered by hand.
        let own = self.hash(goal, false).min(self.hash(goal, true));
        let slot = (own >> 5 & mask) as usize;
        stream.memcpy_htod(&[own & !31 | 1], &mut self.near.slots.slice_mut(slot..=slot))?;
        let (mut count, mut before, mut all) = (1_u64, 0_u64, 1_u64);
        let mut found = stream.alloc_zeros::<u32>(1)?;
        for distance in 1..=24_u32 {
            let left = room - all;
            // At least as many times more than in the layer before, unless the space comes to its end.
            let next = (count * count).checked_div(before);
            let next = next.unwrap_or(count * sides as u64);
            if next > left || count == 0 {
                break;
            }
            let most = left.min(count * sides as u64);
            stream.memset_zeros(&mut found)?;
            let out = stream.alloc_zeros::<u32>(most as usize * each_words)?;
            let (each_part, count_now) = ((1 << 24) / sides, count as usize);
            for from in (0..count_now).step_by(each_part) {
                let items = each_part.min(count_now - from) * sides;
                let (from, n, most) = (from as u32, items as u32, most as u32);
                call!(
                    self,
                    spread,
                    each(items),
                    &self.tables,
                    &layer,
                    &from,
                    &n,
                    &distance,
                    &self.near.slots,
                    &mask,
                    &out,
                    &most,
                    &found
                )?;
            }
            before = count;
            count = u64::from(stream.clone_dtoh(&found)?[0]);
            all += count;
            layer = out;
            if all >= room {
                // Entered in part: what stands there is right, and the next beam begins above it.
                break;
            }
            self.goal_table_depth = distance;
        }
        stream.synchronize()?;
        Ok(())
    }

    /// The distance of a state that is near the goal.
    pub(crate) fn goal_table_distance(&self, cells: &[u8]) -> Result<Option<u32>, GpuError> {
        self.probe(cells, None)
    }

    /// Asks for a state near the goal, and enters it into a set.
    pub(super) fn probe(&self, cells: &[u8], seen: Option<&Set>) -> Result<Option<u32>, GpuError> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let [state, answer] = &mut *asked;
        let mut both = self.words_of(cells);
        both.resize(2 * state.len(), 0);
        let both: Vec<u64> =
            both.chunks(2).map(|two| u64::from(two[0]) | u64::from(two[1]) << 32).collect();
        self.stream.memcpy_htod(&both, state)?;
        let (enters, set) = (u32::from(seen.is_some()), seen.unwrap_or(&self.near));
        let one = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 };
        let (mask, goal_table_mask) = (set.mask(), self.near.mask());
        call!(
            self,
            probe,
            one,
            &self.tables,
            &*state,
            &set.slots,
            &mask,
            &enters,
            &self.near.slots,
            &goal_table_mask,
            &*answer
        )?;
        let distance = self.stream.clone_dtoh(&*answer)?[0];
        Ok((distance as u32).checked_sub(1))
    }
}
