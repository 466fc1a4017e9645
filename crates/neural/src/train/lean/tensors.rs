//! Conversion of a network to the tensors of a file or of a saved state, and back.

use super::kernels::STRIP;
use super::shared::{Shared, in_strips};
use super::{Dense, Lean, Numbers, SLICES, Slice, level_for};
use crate::architecture::Architecture;
use crate::framework::parameters::{Role, slots, transposed};
use crate::simd::Level;
use crate::tensor::{Tensor, Tensors};
use crate::train::any_trainer::{AVERAGE, MOMENTS};
use crate::train::options::Options;
use crate::train::parts::Parts;
use crate::views::Views;

const LINEAR: &str = "skip.weight";

impl Lean {
    /// As [`Trainer::resume`](crate::train::Trainer::resume). A state without moments and average
    /// gets a fresh optimiser.
    #[cfg(test)]
    pub(in crate::train) fn resume(
        architecture: &Architecture,
        steps: u64,
        state: &Tensors,
        options: Options,
    ) -> Result<Self, String> {
        Self::begin(architecture, steps, state, options, None, None)
    }

    /// The same with parts and with units that share their weights. The columns of parts are inputs
    /// of the architecture, but rows do not contain them. With shared weights the first layer of
    /// the state has a unit for each set.
    pub(in crate::train) fn begin(
        architecture: &Architecture,
        steps: u64,
        state: &Tensors,
        options: Options,
        parts: Option<&Parts>,
        views: Option<&Views>,
    ) -> Result<Self, String> {
        let read = |name: &str, shape: &[usize], turned: bool| {
            let count = shape.iter().product::<usize>();
            let find = |name: String, shape: &[usize]| match state.get(&name) {
                Some(t) if t.shape != shape || t.data.len() != count => {
                    Err(format!("{name}: shape {:?}, not {shape:?}", t.shape))
                }
                found => Ok(found.map(|t| t.data.clone())),
            };
            // Moments have the framework's layout: matrices transposed, the linear skip as a
            // column.
            let of_moment: Vec<usize> = match *shape {
                [rows, columns] => vec![columns, rows],
                [n] if name == LINEAR => vec![n, 1],
                _ => shape.to_vec(),
            };
            let turn = |data: Vec<f32>| match *shape {
                [rows, columns] if turned => transposed(&data, rows, columns),
                _ => data,
            };
            let value = find(name.to_owned(), shape)?.ok_or_else(|| format!("no {name}"))?;
            let value = turn(value);
            let [first, second] = MOMENTS.map(|prefix| {
                let found = find(format!("{prefix}{name}"), &of_moment);
                found.map(|data| data.unwrap_or_else(|| vec![0.0; count]))
            });
            let average = find(format!("{AVERAGE}{name}"), shape)?.map(turn);
            let average = options.average.map(|_| average.unwrap_or_else(|| value.clone()));
            Ok::<_, String>(Numbers {
                first: first?,
                second: second?,
                average: average.unwrap_or_default(),
                value,
            })
        };
        let of_layers = architecture.layers();
        let input = &of_layers[0];
        let (inputs, units) = (architecture.inputs, input.units);
        let matrix = |name: &str, units: usize, inputs: usize| {
            read(&format!("{name}.weight"), &[units, inputs], true)
        };
        let vector = |name: &str, units: usize| read(&format!("{name}.bias"), &[units], false);
        let mut layers = Vec::new();
        let mut before = input;
        for layer in &of_layers[1..] {
            layers.push(Dense {
                inputs: layer.inputs,
                units: layer.units,
                before: before.activation,
                weight: matrix(&layer.name, layer.units, layer.inputs)?,
                bias: vector(&layer.name, layer.units)?,
                levels: [level_for(layer.units), level_for(layer.inputs)],
            });
            before = layer;
        }
        let outputs = architecture.outputs();
        layers.push(Dense {
            inputs: before.units,
            units: outputs,
            before: before.activation,
            weight: matrix("out", outputs, before.units)?,
            bias: vector("out", outputs)?,
            levels: [level_for(outputs), level_for(before.units)],
        });
        let sets = views.map_or(units, |views| views.sets(units));
        let first = matrix(&input.name, sets, inputs)?.each(|n| to_strips(&n, inputs, sets));
        let strips = sets.next_multiple_of(STRIP);
        let first_bias = vector(&input.name, sets)?.each(|mut n| {
            n.resize(strips, 0.0);
            n
        });
        let linear = if architecture.skip { Some(read(LINEAR, &[inputs], false)?) } else { None };
        let own = parts.map_or(inputs, Parts::inputs);
        let mut lean = Self {
            architecture: architecture.clone(),
            options,
            steps,
            losses: Vec::new(),
            units,
            level: Level::best(),
            gradient: vec![0.0; first.value.len()],
            first,
            parts: parts.cloned(),
            folded: Vec::new(),
            shared: views.map(|views| Shared::new(views, units, own)),
            first_bias,
            layers,
            linear,
            slices: (0..SLICES).map(|_| Slice::default()).collect(),
        };
        lean.fold();
        Ok(lean)
    }

    /// All tensors in the form of a file, from the vector of numbers that `of` selects. Matrices
    /// are transposed to `[out, in]` with `as_in_file`. With shared weights the first layer has a
    /// unit for each set.
    pub(super) fn tensors(&self, of: fn(&Numbers) -> &Vec<f32>, as_in_file: bool) -> Tensors {
        let matrix = |data: &[f32], inputs: usize, units: usize| {
            if as_in_file {
                Tensor { shape: vec![units, inputs], data: transposed(data, inputs, units) }
            } else {
                Tensor { shape: vec![inputs, units], data: data.to_vec() }
            }
        };
        let vector = |data: &[f32]| Tensor { shape: vec![data.len()], data: data.to_vec() };
        let mut names = self.architecture.layers().into_iter().map(|layer| layer.name);
        let mut all = Tensors::new();
        let inputs = self.architecture.inputs;
        let units =
            (self.shared.as_ref()).map_or(self.units, |shared| shared.views.sets(self.units));
        let first = names.next().unwrap_or_default();
        let columns = from_strips(of(&self.first), inputs, units);
        all.insert(format!("{first}.weight"), matrix(&columns, inputs, units));
        all.insert(format!("{first}.bias"), vector(&of(&self.first_bias)[..units]));
        for (layer, name) in self.layers.iter().zip(names.chain(["out".to_owned()])) {
            let weight = matrix(of(&layer.weight), layer.inputs, layer.units);
            all.insert(format!("{name}.weight"), weight);
            all.insert(format!("{name}.bias"), vector(of(&layer.bias)));
        }
        if let Some(linear) = &self.linear {
            let mut tensor = vector(of(linear));
            if !as_in_file {
                tensor.shape.push(1);
            }
            all.insert(LINEAR.to_owned(), tensor);
        }
        debug_assert!(slots(&self.architecture).iter().all(|s| s.role != Role::Absent));
        all
    }
}

/// Converts `[inputs, units]` to strips of units, each `[inputs, STRIP]`. An empty matrix stays
/// empty.
fn to_strips(values: &[f32], inputs: usize, units: usize) -> Vec<f32> {
    if values.is_empty() {
        return Vec::new();
    }
    let mut strips = vec![0.0; inputs * units.next_multiple_of(STRIP)];
    for (k, strip) in strips.chunks_exact_mut(inputs * STRIP).enumerate() {
        let (from, to) = (k * STRIP, units.min((k + 1) * STRIP));
        for (line, row) in strip.chunks_exact_mut(STRIP).zip(values.chunks_exact(units)) {
            line[..to - from].copy_from_slice(&row[from..to]);
        }
    }
    strips
}

/// Converts strips of units to `[inputs, units]`.
fn from_strips(strips: &[f32], inputs: usize, units: usize) -> Vec<f32> {
    let at = |i: usize| strips[in_strips(inputs, i % units, i / units)];
    if strips.is_empty() { Vec::new() } else { (0..inputs * units).map(at).collect() }
}
