//! What training a network asks of Lights Out.

use crate::{Lights, Press, family::INFO, is_on, symmetry};
use unriddle_core::{Features, Learnable, Linear, Purpose, Puzzle as _, Rng};

/// A group of two indices for each cell: off, on.
impl<const W: usize> Features for Lights<W> {
    fn feature_len(&self) -> usize {
        2 * self.shape.cells()
    }

    fn active(&self, state: &[u64; W], sink: &mut dyn FnMut(u32)) {
        for cell in 0..self.shape.cells() {
            sink(2 * cell as u32 + u32::from(is_on(state, cell)));
        }
    }

    fn delta(&self, state: &[u64; W], press: Press, sink: &mut dyn FnMut(u32, bool)) {
        for &cell in self.shape.toggled(press.0.into()) {
            let was_on = u32::from(is_on(state, cell.into()));
            sink(2 * u32::from(cell) + was_on, false);
            sink(2 * u32::from(cell) + 1 - was_on, true);
        }
    }
}

impl<const W: usize> Learnable for Lights<W> {
    /// A network is for one size, and for a board with edges or for a torus.
    fn purpose(&self) -> Purpose {
        let goal = if self.shape.is_torus() {
            "off on a torus"
        } else {
            "off"
        };
        Purpose {
            puzzle: INFO.name.to_owned(),
            size: format!("{}x{}", self.shape.rows(), self.shape.columns()),
            goal: goal.to_owned(),
        }
    }

    fn groups(&self) -> usize {
        self.shape.cells()
    }

    fn begun_at(&self, state: [u64; W]) -> Self {
        Self {
            shape: self.shape.clone(),
            start: state,
        }
    }

    fn action_count(&self) -> usize {
        self.shape.cells()
    }

    fn action_number(&self, press: Press) -> usize {
        press.0.into()
    }

    /// Quarter turns and mirror images, those that keep the number of rows.
    fn images(&self) -> Vec<Vec<u32>> {
        let indices = |image: Vec<usize>| {
            let cells = image.into_iter();
            cells
                .flat_map(|cell| [2 * cell as u32, 2 * cell as u32 + 1])
                .collect()
        };
        symmetry::images(&self.shape)
            .into_iter()
            .map(indices)
            .collect()
    }

    /// No board of 7×7 needs more than 49 presses; half as many are needed on average.
    fn depths(&self) -> &'static [u64] {
        &[5, 10, 15, 20, 30, 50]
    }

    /// A fifth of the lights, not rounded.
    fn linear(&self) -> Vec<Linear> {
        let weights = [0.0, 0.2].repeat(self.shape.cells());
        vec![Linear {
            name: "fifth",
            weights,
        }]
    }

    /// Presses a cell that was not pressed yet, each as likely as any other: presses commute, and two of the same cell would
    /// be none.
    fn canonical_step(
        &self,
        state: &[u64; W],
        done: &[Press],
        rng: &mut Rng,
    ) -> Option<([u64; W], Press)> {
        let mut pressed = done.to_vec();
        pressed.sort_unstable();
        let left = self
            .shape
            .cells()
            .checked_sub(pressed.len())
            .filter(|&left| left > 0)?;
        // At most 40,000. Cells from each pressed one on move up by one.
        let mut press = Press(rng.below(left as u64) as u16);
        for other in pressed {
            if other <= press {
                press.0 += 1;
            }
        }
        Some((self.apply(state, press), press))
    }
}
