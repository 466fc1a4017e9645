//! Interface of Lights Out to the training of networks.

use crate::{Lights, Press, Reach, flip, is_on, symmetry, variety::INFO};
use unriddle_core::{Features, Learnable, Linear, Purpose, Puzzle as _, Rng, Rows, rows};

impl<const W: usize> Lights<W> {
    /// Chases the lights down: row by row, each light that is on is turned off by pressing the cell
    /// below it. Bits from the second row on are the pressed cells; bits of the first row are the
    /// lights that remain on in the last row.
    ///
    /// Different states have different bits: the presses and the remaining lights determine the
    /// lights.
    fn chased(&self, state: &[u64; W]) -> [u64; W] {
        let (columns, cells) = (self.shape.columns, self.shape.cells());
        let (mut lights, mut chased) = (*state, [0; W]);
        for below in columns..cells {
            if is_on(&lights, below - columns) {
                flip(&mut chased, below);
                lights = self.apply(&lights, Press(below as u16));
            }
        }
        let last = cells - columns;
        for column in (0..columns).filter(|&column| is_on(&lights, last + column)) {
            flip(&mut chased, column);
        }
        chased
    }

    /// The bits of the network input. Other presses than the usual ones cannot be chased.
    fn bits(&self, state: &[u64; W]) -> [u64; W] {
        let is_usual = self.shape.reach == Some(Reach::Plus);
        if self.is_chased && is_usual { self.chased(state) } else { *state }
    }
}

/// Each bit has a group of two indices: off and on.
impl<const W: usize> Features for Lights<W> {
    fn feature_len(&self) -> usize {
        2 * self.shape.cells()
    }

    fn active(&self, state: &[u64; W], sink: &mut dyn FnMut(u32)) {
        let bits = self.bits(state);
        for cell in 0..self.shape.cells() {
            sink(2 * cell as u32 + u32::from(is_on(&bits, cell)));
        }
    }

    fn delta(&self, state: &[u64; W], press: Press, sink: &mut dyn FnMut(u32, bool)) {
        let before = self.bits(state);
        let after = self.bits(&self.apply(state, press));
        for cell in 0..self.shape.cells() {
            let (was_on, is_on) = (is_on(&before, cell), is_on(&after, cell));
            if was_on != is_on {
                sink(2 * cell as u32 + u32::from(was_on), false);
                sink(2 * cell as u32 + u32::from(is_on), true);
            }
        }
    }
}

/// A byte for each light, row by row: 1 if it is on.
impl<const W: usize> Rows for Lights<W> {
    fn state_of_row(&self, row: &[u8]) -> Result<[u64; W], String> {
        rows::in_range(row, 2)?;
        let mut state = [0; W];
        let lit = row.iter().enumerate().filter(|&(_, &byte)| byte == 1);
        lit.for_each(|(cell, _)| flip(&mut state, cell));
        Ok(state)
    }
}

impl<const W: usize> Learnable for Lights<W> {
    const INPUTS: &'static [&'static str] = &["lights", "chased"];

    fn seen_by(&self, input: usize) -> Self {
        Self { is_chased: input > 0, ..self.clone() }
    }

    fn input(&self) -> usize {
        self.is_chased.into()
    }

    /// A network applies to one size, to a board with edges or to a torus, and to one kind of
    /// press.
    fn purpose(&self) -> Purpose {
        let goal = if self.shape.torus { "off on a torus" } else { "off" };
        let goal = match self.shape.reach {
            Some(Reach::Plus) => goal.to_owned(),
            Some(reach) => format!("{goal} by press={}", reach.name()),
            // The buttons are a part of the instance.
            None => format!("off by {}", self.shape.text(&[])),
        };
        Purpose {
            puzzle: INFO.name.to_owned(),
            size: format!("{}x{}", self.shape.rows, self.shape.columns),
            goal,
        }
    }

    fn groups(&self) -> usize {
        self.shape.cells()
    }

    /// The grid of the lights; chased lights have no grid.
    fn grid(&self) -> Option<[usize; 2]> {
        let (columns, cells) = (self.shape.columns, self.shape.cells());
        (!self.is_chased).then_some([cells / columns, columns])
    }

    fn begun_at(&self, state: [u64; W]) -> Self {
        Self { start: state, ..self.clone() }
    }

    fn action_count(&self) -> usize {
        self.shape.buttons()
    }

    fn action_number(&self, press: Press) -> usize {
        press.0.into()
    }

    /// Rotations and reflections that keep the number of rows; for chased lights, only symmetries
    /// that keep each row.
    fn images(&self) -> Vec<Vec<u32>> {
        let indices = |image: Vec<usize>| {
            let cells = image.into_iter();
            cells.flat_map(|cell| [2 * cell as u32, 2 * cell as u32 + 1]).collect()
        };
        let columns = self.shape.columns;
        let keeps_rows = |image: &Vec<usize>| {
            let mut places = image.iter().enumerate();
            places.all(|(cell, to)| cell / columns == to / columns)
        };
        symmetry::images(&self.shape)
            .into_iter()
            .filter(|image| !self.is_chased || keeps_rows(image))
            .map(indices)
            .collect()
    }

    /// No board of 7×7 needs more than 49 presses; the mean is half of that.
    fn depths(&self) -> &'static [u64] {
        &[5, 10, 15, 20, 30, 50]
    }

    /// A fifth of the lit cells, without rounding.
    fn linear(&self) -> Vec<Linear> {
        if self.is_chased {
            return Vec::new();
        }
        let weights = [0.0, 1.0 / self.shape.most() as f32].repeat(self.shape.cells());
        vec![Linear { name: "fifth", weights }]
    }

    /// Presses a random cell that `done` does not contain, with equal probabilities: presses
    /// commute, and two presses of the same cell cancel out.
    fn canonical_step(
        &self,
        state: &[u64; W],
        done: &[Press],
        rng: &mut Rng,
    ) -> Option<([u64; W], Press)> {
        let mut pressed = done.to_vec();
        pressed.sort_unstable();
        let left = self.shape.buttons().checked_sub(pressed.len()).filter(|&left| left > 0)?;
        // At most 40,000. Each pressed cell shifts the cells from it on by one.
        let mut press = Press(rng.below(left as u64) as u16);
        for other in pressed {
            if other <= press {
                press.0 += 1;
            }
        }
        Some((self.apply(state, press), press))
    }
}
