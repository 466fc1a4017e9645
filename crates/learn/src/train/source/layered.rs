//! Examples from all layers of beams: states that the network's searches keep, whose targets are
//! consistent within a beam.
//!
//! A target depends on the network that led the beam, so that no later run can make it again. A
//! checkpoint therefore contains the examples.

use super::{
    super::{recipe::LayerSource, target::Target},
    Batch, ExampleSource, SourceContext,
    own::{SETTLED, WAVE},
};
use unriddle_catalog::{
    parallel::{Share, in_order_on},
    training_data::{Layers, Narrow},
    work::WorkError,
};
use unriddle_core::Rng;

/// Examples of beams.
pub(super) struct Layered<'a> {
    declared: &'a LayerSource,
    context: &'a SourceContext<'a>,
    /// Number of the source.
    number: u64,
    seed: u64,
    /// Number of active indices of an example.
    groups: usize,
    /// Active indices of the examples, one example after the other.
    active: Vec<u16>,
    targets: Vec<f32>,
    /// The example that the next one replaces when as many are kept as may be.
    oldest: usize,
    /// Number of rounds whose beams are done. A checkpoint may contain the beams of the round that
    /// follows it.
    waves: u64,
}

impl<'a> Layered<'a> {
    pub(super) fn new(
        declared: &'a LayerSource,
        context: &'a SourceContext<'a>,
        number: u64,
        seed: u64,
    ) -> Self {
        let groups = context.training_data.groups();
        let (active, targets) = (Vec::new(), Vec::new());
        Self { declared, context, number, seed, groups, active, targets, oldest: 0, waves: 0 }
    }

    /// The examples of a beam.
    fn beam(&self, number: u64, target: &Target) -> Batch {
        let LayerSource { walks, width, least_width, depth, samples, strays, .. } = self.declared;
        let mut rng = Rng::stream(self.seed, number);
        let end = walks.end(self.context.training_data, &mut rng);
        let mut batch = Batch::default();
        if end.is_empty() {
            return batch;
        }
        let (least, most) = (*least_width as f64, *width as f64);
        let width = (least * (most / least).powf(rng.unit())).round() as usize;
        let beam = Narrow { width, depth: *depth };
        let layers = Layers { beam, samples: *samples, strays: *strays };
        let mut states = end.fresh();
        end.backed_up_layers(0, &target.net, layers, &mut rng, &mut *states, &mut batch.targets);
        for row in 0..states.len() {
            states.active(row, &mut batch.active);
        }
        batch
    }

    fn add_example(&mut self, active: impl Iterator<Item = u16>, target: f32) {
        if self.targets.len() < self.declared.kept {
            self.active.extend(active);
            self.targets.push(target);
            return;
        }
        let to = &mut self.active[self.oldest * self.groups..][..self.groups];
        to.iter_mut().zip(active).for_each(|(to, index)| *to = index);
        self.targets[self.oldest] = target;
        self.oldest = (self.oldest + 1) % self.declared.kept;
    }

    /// Name of the file of a checkpoint.
    fn file(&self, checkpoint: &str) -> String {
        format!("{checkpoint}.source-{}", self.number + 1)
    }

    /// The examples of a file; `None` if its length is wrong.
    fn read(&mut self, bytes: &[u8]) -> Option<()> {
        let (waves, rest) = bytes.split_first_chunk()?;
        let (numbers, rest) = rest.split_at_checked(8)?;
        let mut numbers = numbers.as_chunks().0.iter().map(|&bits| u32::from_le_bytes(bits));
        let (oldest, count) = (numbers.next()? as usize, numbers.next()? as usize);
        let (targets, active) = rest.split_at_checked(4 * count)?;
        if active.len() != 2 * count * self.groups || oldest > count {
            return None;
        }
        self.targets = targets.as_chunks().0.iter().map(|&bits| f32::from_le_bytes(bits)).collect();
        self.active = active.as_chunks().0.iter().map(|&bits| u16::from_le_bytes(bits)).collect();
        self.oldest = oldest;
        self.waves = u64::from_le_bytes(*waves);
        Some(())
    }
}

impl ExampleSource for Layered<'_> {
    fn readiness(&self) -> f64 {
        (self.targets.len() as f64 / SETTLED.min(self.declared.kept as f64)).min(1.0)
    }

    fn add(&self, number: u64, rows: usize, _: Option<&Target>, batch: &mut Batch) {
        let mut rng = Rng::stream(!self.seed, number);
        for _ in 0..rows {
            let row = rng.below(self.targets.len() as u64) as usize;
            let active = &self.active[row * self.groups..][..self.groups];
            batch.active.extend(active.iter().map(|&index| u32::from(index)));
            batch.targets.push(self.targets[row]);
        }
    }

    fn begin(&mut self, rounds: u64, checkpoint: &str) -> Result<(), WorkError> {
        if rounds == 0 {
            return Ok(());
        }
        let (name, folder) = (self.file(checkpoint), self.context.folder);
        let bytes = folder.read_bytes(&name)?.unwrap_or_default();
        self.read(&bytes).ok_or_else(|| folder.failed(&name, &"does not hold whole examples"))
    }

    fn save(&self, checkpoint: &str) -> Result<(), WorkError> {
        let mut bytes = Vec::with_capacity(16 + 4 * self.targets.len() + 2 * self.active.len());
        bytes.extend(self.waves.to_le_bytes());
        for number in [self.oldest, self.targets.len()] {
            bytes.extend((number as u32).to_le_bytes());
        }
        bytes.extend(self.targets.iter().flat_map(|target| target.to_le_bytes()));
        bytes.extend(self.active.iter().flat_map(|index| index.to_le_bytes()));
        self.context.folder.write_bytes(&self.file(checkpoint), &bytes)
    }

    /// Searches from the ends of some walks; from none before there is a target network.
    fn advance(&mut self, round: u64, target: Option<&Target>) -> Result<Option<()>, WorkError> {
        if round < self.waves {
            return Ok(Some(()));
        }
        self.waves = round + 1;
        let Some(target) = target.filter(|target| target.has_learned) else {
            return Ok(Some(()));
        };
        let found = in_order_on(
            self.context.ranks,
            Share { count: self.declared.beams as usize, jobs: self.context.jobs, is_shared: true },
            self.context.cancel,
            &|number| Ok(Some(self.beam(round * WAVE + number as u64, target))),
            &mut |_, _| Ok::<_, WorkError>(()),
            &WorkError::Worker,
        )?;
        let Some(found) = found else {
            return Ok(None);
        };
        for Batch { active, targets, .. } in found {
            for (row, target) in active.chunks_exact(self.groups).zip(targets) {
                self.add_example(row.iter().map(|&index| index as u16), target);
            }
        }
        Ok(Some(()))
    }
}
