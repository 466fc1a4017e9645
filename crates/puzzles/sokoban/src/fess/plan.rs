//! The order in which squares are filled: a path of the search backwards, read forwards.

use super::{
    bits,
    blocks::Blocks,
    macros::{Kind, Sweep},
    map::{FREE, Map, WALL},
};
use crate::level::{Id, NONE};

/// The arrival of one box at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The box's previous cell; [`NONE`] for any box that is still outside.
    pub(crate) from: Id,
    pub(crate) to: Id,
}

/// Steps that fill the goals, with the conditions of each step.
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// Number of words of a set.
    words: usize,
    /// Cells that must be filled after each number of steps; one set more than steps.
    needs: Vec<u64>,
    /// Cells whose boxes will be cut off from all cells of the plan, for each number of steps.
    zones: Vec<u64>,
    /// Cells that stay filled from each number of steps on.
    stays: Vec<u64>,
    /// For each number of steps and cell, the goals that a box reaches past the boxes that stay;
    /// empty if there are too many goals.
    reach: Vec<u128>,
    cells: usize,
    first: u32,
}

impl Plan {
    /// The plan that fills the goals in any order.
    pub(crate) fn none(map: &Map) -> Self {
        Self::new(map, &map.goal_bits, Vec::new(), false)
    }

    /// The plan that begins with boxes on these cells.
    pub(crate) fn new(map: &Map, first: &[u64], steps: Vec<Step>, assigns: bool) -> Self {
        let words = map.words;
        let mut needs = first.to_vec();
        let mut now = first.to_vec();
        for step in &steps {
            if step.from != NONE {
                bits::clear(&mut now, step.from);
            }
            bits::set(&mut now, step.to);
            needs.extend_from_slice(&now);
        }
        let mut plan = Self {
            zones: vec![0; needs.len()],
            words,
            needs,
            first: first.iter().map(|word| word.count_ones()).sum(),
            stays: vec![0; (steps.len() + 1) * words],
            reach: Vec::new(),
            cells: map.n,
            steps,
        };
        plan.make_zones(map, assigns);
        plan
    }

    fn make_zones(&mut self, map: &Map, assigns: bool) {
        let (mut blocks, mut sweep) = (Blocks::default(), Sweep::default());
        let count = self.steps.len();
        let mut raw: Vec<Vec<u64>> = Vec::new();
        for k in 0..count {
            let mut occupied = map.walls();
            let leaves = |cell| self.steps[k..].iter().any(|step| step.from == cell);
            let stays: Vec<Id> = bits::cells(self.needs(k)).filter(|&cell| !leaves(cell)).collect();
            for cell in stays {
                occupied[usize::from(cell)] = WALL;
                bits::set(&mut self.stays[k * self.words..(k + 1) * self.words], cell);
            }
            blocks.build(map, &occupied);
            if assigns && map.goals.len() <= 128 {
                let at = self.reach.len();
                self.reach.resize(at + map.n, 0);
                add_reach(map, &occupied, &blocks, &mut sweep, &mut self.reach[at..]);
            }
            let mut reached = vec![false; map.n];
            for step in &self.steps[k..] {
                for cell in [step.to, step.from] {
                    if cell == NONE || occupied[usize::from(cell)] != FREE {
                        continue;
                    }
                    reached[usize::from(cell)] = true;
                    sweep.run(map, &occupied, &blocks, Kind::Pull, cell, None, |_| true);
                    for found in &sweep.found {
                        reached[usize::from(found.to)] = true;
                    }
                }
            }
            let mut zone = vec![0; self.words];
            for c in 0..map.n {
                if !map.is_dead[c] && !reached[c] && occupied[c] == FREE {
                    bits::set(&mut zone, c as Id);
                }
            }
            raw.push(zone);
        }
        for k in 0..count {
            // The zone of the next change counts from the last one on, so that boxes leave in time.
            let next = raw[k..].iter().find(|zone| **zone != raw[k]);
            let zone = next.unwrap_or(&raw[k]);
            self.zones[k * self.words..(k + 1) * self.words].copy_from_slice(zone);
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let words = self.needs.len() + self.zones.len() + self.stays.len();
        (words * 8 + self.reach.len() * 16) as u64
    }

    pub(crate) fn needs(&self, k: usize) -> &[u64] {
        &self.needs[k * self.words..(k + 1) * self.words]
    }

    fn zone(&self, k: usize) -> &[u64] {
        &self.zones[k * self.words..(k + 1) * self.words]
    }

    /// Progress of the plan: cells of its beginning, then steps. A step does not count if the other
    /// boxes can no longer be assigned to the other goals past the boxes that stay from then on.
    pub(crate) fn packed(&self, boxes: &[u64]) -> u32 {
        for k in (1..=self.steps.len()).rev() {
            if bits::within(self.needs(k), boxes) && self.is_assignable(boxes, k) {
                return self.first + k as u32;
            }
        }
        bits::common(self.needs(0), boxes)
    }

    fn is_assignable(&self, boxes: &[u64], k: usize) -> bool {
        let at = k * self.cells;
        let Some(reach) = self.reach.get(at..at + self.cells) else {
            return true;
        };
        let stays = &self.stays[k * self.words..(k + 1) * self.words];
        is_assignable(reach, bits::cells(boxes).filter(|&cell| !bits::has(stays, cell)))
    }

    /// The next step of the plan.
    pub(crate) fn next(&self, packed: u32) -> Option<Step> {
        let k = packed.checked_sub(self.first)?;
        self.steps.get(k as usize).copied()
    }

    /// Number of boxes that will be cut off.
    pub(crate) fn cut_off(&self, boxes: &[u64], packed: u32) -> u32 {
        let k = packed.saturating_sub(self.first) as usize;
        let (zone, needs) = (self.zone(k), self.needs(k));
        let mut count = 0;
        for i in 0..self.words {
            count += (zone[i] & boxes[i] & !needs[i]).count_ones();
        }
        count
    }

    /// Whether a box on the cell will be cut off.
    pub(crate) fn is_in_zone(&self, cell: Id, packed: u32) -> bool {
        let k = packed.saturating_sub(self.first) as usize;
        bits::has(self.zone(k), cell) && !bits::has(self.needs(k), cell)
    }
}

/// Adds to each cell the goals that a box reaches from it past the occupied cells.
pub(super) fn add_reach(
    map: &Map,
    occupied: &[u8],
    blocks: &Blocks,
    sweep: &mut Sweep,
    reach: &mut [u128],
) {
    for (g, &goal) in map.goals.iter().enumerate() {
        if occupied[usize::from(goal)] != FREE {
            continue;
        }
        sweep.run(map, occupied, blocks, Kind::Pull, goal, None, |_| true);
        reach[usize::from(goal)] |= 1 << g;
        for found in &sweep.found {
            reach[usize::from(found.to)] |= 1 << g;
        }
    }
}

/// Whether boxes, at most 128, can be assigned to different goals. `reach` contains the goals that
/// a box reaches from each cell.
#[inline]
pub(super) fn is_assignable(reach: &[u128], boxes: impl Iterator<Item = Id>) -> bool {
    let mut partner = [u8::MAX; 128];
    let mut rest = [0; 128];
    for (count, cell) in boxes.enumerate() {
        rest[count] = reach[usize::from(cell)];
        if !augment(&rest, &mut partner, &mut 0, count) {
            return false;
        }
    }
    true
}

/// Finds a goal for box `i`; other boxes may change their goals (augmenting path).
fn augment(reach: &[u128; 128], partner: &mut [u8; 128], tried: &mut u128, i: usize) -> bool {
    let mut free = reach[i] & !*tried;
    while free != 0 {
        let g = free.trailing_zeros() as usize;
        *tried |= 1 << g;
        if partner[g] == u8::MAX || augment(reach, partner, tried, partner[g].into()) {
            partner[g] = i as u8;
            return true;
        }
        free = reach[i] & !*tried;
    }
    false
}
