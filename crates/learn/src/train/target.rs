//! The target network, which estimates the states behind training targets.

use super::{
    failure::failed,
    recipe::{Renewal, Round},
};
use unriddle_catalog::{
    training_data::{End, PathEnds, States},
    work::WorkError,
};
use unriddle_neural::{Device, Int8, Model, Net, Ranges};

/// A network that targets are made with.
pub(super) struct Target {
    /// The model, for the checkpoint.
    pub model: Model,
    pub net: Net,
    /// Whether it was ever renewed. Before, it is the network that training began with.
    pub has_learned: bool,
    look_ahead: u32,
    /// Whether all estimates are 0.
    is_zero: bool,
    images: Vec<Vec<u32>>,
    round: Round,
}

impl Target {
    /// Makes a target network. It is computed in 8 bits if the recipe sets `in_bytes`, the model
    /// has ranges and no GPU is used; otherwise in single precision.
    pub(super) fn new(
        model: Model,
        has_learned: bool,
        renewal: &Renewal,
        images: Vec<Vec<u32>>,
        device: Device,
    ) -> Result<Self, WorkError> {
        let engine = match Ranges::of(&model) {
            Some(ranges) if renewal.in_bytes && device == Device::Cpu => {
                Int8::new(&model, &ranges).map(Into::into)
            }
            _ => device.engine(&model),
        };
        let images = if renewal.images { images } else { Vec::new() };
        let net = Net::new(engine.map_err(failed)?).with_images(images.clone());
        Ok(Self {
            model,
            net,
            has_learned,
            look_ahead: renewal.look_ahead,
            is_zero: renewal.from_zero && !has_learned,
            images,
            round: renewal.round,
        })
    }

    /// Whether a state's estimate is the least output of its legal actions.
    fn asks_actions(&self) -> bool {
        !self.net.engine().head().has_value()
    }

    /// The least outputs of rows over their legal actions.
    fn ask_actions(&self, active: &[u32], (legal, counts): &(Vec<u16>, Vec<u16>)) -> Vec<f32> {
        let engine = self.net.engine();
        let width = engine.head().outputs();
        let mut outputs = vec![0.0; width * counts.len()];
        let _ = engine.evaluate_all(active, &mut outputs, 1);
        let (mut rest, mut least) = (&legal[..], Vec::with_capacity(counts.len()));
        for (&count, outputs) in counts.iter().zip(outputs.chunks_exact(width)) {
            let (own, others) = rest.split_at(count.into());
            rest = others;
            let own = own.iter().map(|&action| outputs[usize::from(action)]);
            // A state without actions gets an infinite estimate and is part of no target.
            least.push(own.fold(f32::INFINITY, f32::min).max(0.0));
        }
        least
    }

    /// Estimates of rows of active indices, at least 0.
    fn ask(&self, active: &[u32], legal: &(Vec<u16>, Vec<u16>), count: usize) -> Vec<f32> {
        let mut estimates = vec![0.0; count];
        if self.is_zero || count == 0 {
            return estimates;
        }
        if self.asks_actions() {
            return self.ask_actions(active, legal);
        }
        let engine = self.net.engine();
        // Rows of the puzzle that the network was made for always fit.
        let _ = engine.evaluate(active, &mut estimates, 1);
        if !self.images.is_empty() {
            let mut other = vec![0.0; count];
            let mut image_of = active.to_vec();
            for image in &self.images {
                for (to, &from) in image_of.iter_mut().zip(active) {
                    *to = image[from as usize];
                }
                let _ = engine.evaluate(&image_of, &mut other, 1);
                for (sum, other) in estimates.iter_mut().zip(&other) {
                    *sum += other;
                }
            }
            let all = (self.images.len() + 1) as f32;
            estimates.iter_mut().for_each(|sum| *sum /= all);
        }
        estimates.iter_mut().for_each(|h| *h = h.max(0.0));
        estimates
    }

    /// The estimate after rounding; `is_odd` is the parity of the state's distance.
    fn rounded(&self, estimate: f32, is_odd: Option<bool>) -> f32 {
        match (self.round, is_odd) {
            (Round::No, _) | (Round::Parity, None) => estimate,
            (Round::Whole, _) => estimate.round(),
            (Round::Parity, Some(is_odd)) => {
                let odd = f32::from(u8::from(is_odd));
                (2.0 * ((estimate - odd) / 2.0).round() + odd).max(odd)
            }
        }
    }

    /// Estimates of states; 0 of goals.
    pub(super) fn estimates(&self, states: &dyn States) -> Vec<f32> {
        let (mut active, mut legal) = (Vec::new(), (Vec::new(), Vec::new()));
        for row in 0..states.len() {
            states.active(row, &mut active);
            if self.asks_actions() {
                states.legal(row, &mut legal);
            }
        }
        let mut estimates = self.ask(&active, &legal, states.len());
        for (row, estimate) in estimates.iter_mut().enumerate() {
            *estimate =
                if states.is_goal(row) { 0.0 } else { self.rounded(*estimate, states.is_odd(row)) };
        }
        estimates
    }

    /// J(s) = min over actions a of cost(a) + h(successor by a), or 0 if s is a goal (DeepCubeA,
    /// equation 1). If `look_ahead` exceeds 1, it is the min over all paths of `look_ahead`
    /// actions. It is infinite if no action is legal in s.
    pub(super) fn look_ahead(&self, states: &dyn States) -> Vec<f32> {
        let mut least = vec![f32::INFINITY; states.len()];
        for (end, left) in self.behind(states, self.look_ahead) {
            let least = &mut least[end.row as usize];
            *least = least.min(left);
        }
        least
    }

    /// For each state its actions, each with its cost plus the estimate of its successor.
    pub(super) fn through(&self, states: &dyn States) -> Vec<Vec<(u16, f32)>> {
        let mut through = vec![Vec::new(); states.len()];
        for (end, left) in self.behind(states, 1) {
            // A goal has no action to choose.
            if !states.is_goal(end.row as usize) {
                through[end.row as usize].push((end.action, left));
            }
        }
        through
    }

    /// The ends of all paths of some actions, each with its cost and the estimate of its end.
    fn behind(&self, states: &dyn States, actions: u32) -> impl Iterator<Item = (End, f32)> {
        let mut ends = PathEnds { wants_legal: self.asks_actions(), ..PathEnds::default() };
        for row in 0..states.len() {
            states.ends(row, actions, &mut ends);
        }
        let mut estimates = self.ask(&ends.active, &ends.legal, ends.open.len());
        if self.round != Round::No && !self.is_zero {
            for (row, estimate) in estimates.iter_mut().enumerate() {
                *estimate = self.rounded(*estimate, ends.odd.get(row).copied());
            }
        }
        let open = ends.open.into_iter().zip(estimates);
        let goals = ends.goals.into_iter().map(|end| (end, 0.0));
        open.chain(goals).map(|(end, left)| (end, end.cost + left))
    }
}
