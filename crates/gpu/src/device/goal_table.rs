//! The goal table: a hash set of states with exact distances near the goal.

use super::{DeviceHashSet, Gpu, GpuError, each, launch, words};
use cudarc::driver::PushKernelArg;
use std::sync::PoisonError;

/// Greatest share of used slots, in percent.
const LOAD: u64 = 60;

impl Gpu {
    /// Enters the states near the goal, layer by layer, until the next layer exceeds the table.
    pub(super) fn build_goal_table(&mut self, goal: &[u8]) -> Result<(), GpuError> {
        let (stream, sides, each_words) =
            (self.stream.clone(), 2 * self.tables.actions, words(&self.tables));
        let capacity = self.goal_table.slots.len() as u64 * LOAD / 100;
        let mask = self.goal_table.mask();
        let mut layer = stream.clone_htod(&self.words_of(goal))?;
        // The kernel enters only children, so the goal is entered here.
        let own = self.hash(goal, false).min(self.hash(goal, true));
        let slot = (own >> 5 & mask) as usize;
        stream.memcpy_htod(&[own & !31 | 1], &mut self.goal_table.slots.slice_mut(slot..=slot))?;
        let (mut count, mut before, mut all) = (1_u64, 0_u64, 1_u64);
        let mut found = stream.alloc_zeros::<u32>(1)?;
        for distance in 1..=24_u32 {
            let left = capacity - all;
            // Layers grow at least by the factor of the layer before, unless the state space is
            // exhausted.
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
                    &self.device_tables,
                    &layer,
                    &from,
                    &n,
                    &distance,
                    &self.goal_table.slots,
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
            if all >= capacity {
                // The layer is incomplete. Its entries are right, but do not raise the depth.
                break;
            }
            self.goal_table_depth = distance;
        }
        stream.synchronize()?;
        Ok(())
    }

    /// Distance of a state, if it is in the goal table.
    pub(crate) fn goal_table_distance(&self, cells: &[u8]) -> Result<Option<u32>, GpuError> {
        self.probe(cells, None)
    }

    /// Distance of a state, if it is in the goal table. Also enters the state into the set `seen`.
    pub(super) fn probe(
        &self,
        cells: &[u8],
        seen: Option<&DeviceHashSet>,
    ) -> Result<Option<u32>, GpuError> {
        let mut query = self.query.lock().unwrap_or_else(PoisonError::into_inner);
        let [state, answer] = &mut *query;
        let mut both = self.words_of(cells);
        both.resize(2 * state.len(), 0);
        let both: Vec<u64> =
            both.chunks(2).map(|two| u64::from(two[0]) | u64::from(two[1]) << 32).collect();
        self.stream.memcpy_htod(&both, state)?;
        let (enters, set) = (u32::from(seen.is_some()), seen.unwrap_or(&self.goal_table));
        let (mask, goal_table_mask) = (set.mask(), self.goal_table.mask());
        call!(
            self,
            probe,
            launch(1, 1),
            &self.device_tables,
            &*state,
            &set.slots,
            &mask,
            &enters,
            &self.goal_table.slots,
            &goal_table_mask,
            &*answer
        )?;
        let distance = self.stream.clone_dtoh(&*answer)?[0];
        Ok((distance as u32).checked_sub(1))
    }
}
