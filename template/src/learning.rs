//! Network input of pancakes, for `train pancakes` and `net(FILE)`.

use super::{Pancakes, Stack};
use unriddle::prelude::*;

impl Backward for Pancakes {
    /// A flip takes itself back.
    fn predecessors(&self, stack: &Stack, visit: &mut dyn FnMut(Stack, u8)) {
        for flip in self.actions(stack) {
            visit(self.apply(stack, flip), flip);
        }
    }
    fn goal_states(&self) -> Vec<Stack> {
        vec![std::array::from_fn(|place| place as u8 + 1)]
    }
}

/// A flip is its own inverse. The inverse of a stack maps each size to its position, so `beam(...,
/// direction=bidirectional)` works on pancakes.
impl Reversible for Pancakes {
    fn inverse(&self, flip: u8) -> u8 {
        flip
    }
}

impl Invertible for Pancakes {
    fn inverted(&self, stack: &Stack) -> Stack {
        let mut inverse = *stack;
        for (place, &size) in (1..).zip(stack) {
            inverse[usize::from(size) - 1] = place;
        }
        inverse
    }
    fn space(&self) -> String {
        format!("pancakes {}", self.0.len())
    }
}

/// Input groups: one per position; the active index is the size at that position.
impl Features for Pancakes {
    fn feature_len(&self) -> usize {
        self.0.len() * self.0.len()
    }
    fn active(&self, stack: &Stack, sink: &mut dyn FnMut(u32)) {
        let count = self.0.len() as u32;
        for (place, &size) in (0..count).zip(stack) {
            sink(place * count + u32::from(size) - 1);
        }
    }
}

impl Learnable for Pancakes {
    fn purpose(&self) -> Purpose {
        Purpose {
            puzzle: "pancakes".to_owned(),
            size: self.0.len().to_string(),
            goal: "in order".to_owned(),
        }
    }
    fn groups(&self) -> usize {
        self.0.len()
    }
    fn begun_at(&self, stack: Stack) -> Self {
        Self(stack[..self.0.len()].to_vec())
    }
    fn action_count(&self) -> usize {
        self.0.len()
    }
    fn action_number(&self, flip: u8) -> usize {
        usize::from(flip) - 1
    }
    fn depths(&self) -> &'static [u64] {
        &[2, 4, 8, 16, 32]
    }
}
