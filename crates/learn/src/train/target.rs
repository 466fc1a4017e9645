//! The target network: what estimates the states that targets follow from.

use super::{recipe::Renewal, run::failed};
use unriddle_catalog::{
    lessons::{Ends, States},
    work::WorkError,
};
use unriddle_neural::{Device, Engine, Int8, Model, Net, Ranges};

/// A network that targets are made with.
pub(super) struct Target {
    /// What a checkpoint keeps of it.
    pub model: Model,
    pub net: Net,
    /// Whether it was ever renewed. Before, it is the network that training began with.
    pub has_learned: bool,
    look_ahead: u32,
    /// Whether it says 0 of every state.
    is_zero: bool,
    images: Vec<Vec<u32>>,
}

impl Target {
    /// A target network, computed in bytes if the recipe says so, the model has ranges and no graphics card is used;
    /// otherwise in single precision.
    pub(super) fn new(
        model: Model,
        has_learned: bool,
        renewal: &Renewal,
        images: Vec<Vec<u32>>,
        device: Device,
    ) -> Result<Self, WorkError> {
        let engine = match Ranges::of(&model) {
            Some(ranges) if renewal.in_bytes && device == Device::Cpu => {
                Int8::new(&model, &ranges).map(Engine::Int8)
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
        })
    }

    /// Estimates of rows of active indices, at least 0.
    fn ask(&self, active: &[u32], count: usize) -> Vec<f32> {
        let mut estimates = vec![0.0; count];
        if self.is_zero || count == 0 {
            return estimates;
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

    /// Estimates of states; 0 of goals.
    pub(super) fn estimates(&self, states: &dyn States) -> Vec<f32> {
        let mut active = Vec::new();
        for row in 0..states.len() {
            states.active(row, &mut active);
        }
        let mut estimates = self.ask(&active, states.len());
        for (row, estimate) in estimates.iter_mut().enumerate() {
            if states.is_goal(row) {
                *estimate = 0.0;
            }
        }
        estimates
    }

    /// J(s) = min over actions of the cost of the action and the network's estimate of what it leads to; 0 of a goal
    /// (DeepCubeA, equation 1). With more than one action it is the min over all paths of `look_ahead` actions.
    /// Infinite of a state from which no action leads on.
    pub(super) fn look_ahead(&self, states: &dyn States) -> Vec<f32> {
        let mut ends = Ends::default();
        for row in 0..states.len() {
            states.ends(row, self.look_ahead, &mut ends);
        }
        let mut least = vec![f32::INFINITY; states.len()];
        let estimates = self.ask(&ends.active, ends.open.len());
        let open = ends.open.iter().zip(estimates);
        let goals = ends.goals.iter().map(|end| (end, 0.0));
        for (end, left) in open.chain(goals) {
            let least = &mut least[end.row as usize];
            *least = least.min(end.cost + left);
        }
        least
    }
}
