//! Random models for tests and benchmarks: He initialisation (He, Zhang, Ren and Sun 2015), with
//! normalisations that differ from the identity, so that tests detect errors in folding them.

use crate::error::ModelError;
use crate::model::{Header, Model};
use crate::tensor::{Tensor, Tensors};
use unriddle_core::Rng;

/// A standard normal number by the polar method (Marsaglia and Bray 1964).
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let square = x * x + y * y;
        if square < 1.0 && square > 0.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

impl Model {
    /// Model with random weights, which depend only on the seed.
    ///
    /// # Errors
    /// An invalid architecture.
    pub fn random(header: Header, seed: u64) -> Result<Self, ModelError> {
        let architecture = &header.architecture;
        architecture.check()?;
        let mut rng = Rng::new(seed);
        let mut tensors = Tensors::new();
        for (i, (name, shape)) in architecture.tensors().into_iter().enumerate() {
            // Only as many inputs of the first layer are 1 as there are groups.
            let fan_in = match (i, &shape[..]) {
                (0, _) => architecture.groups,
                (_, &[_, inputs]) => inputs,
                _ => architecture.groups,
            };
            let deviation = (2.0 / fan_in as f64).sqrt();
            let part = name.rsplit('.').next().unwrap_or_default();
            let mut number = || match part {
                "weight" => deviation * normal(&mut rng),
                "gamma" | "variance" => 0.75 + 0.5 * rng.unit(),
                _ => 0.1 * normal(&mut rng),
            };
            let count = shape.iter().product();
            let data = (0..count).map(|_| number() as f32).collect();
            tensors.insert(name, Tensor { shape, data });
        }
        Ok(Self { header, tensors })
    }
}
