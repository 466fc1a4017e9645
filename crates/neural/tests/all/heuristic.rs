//! A network as a batch heuristic of a toy: a row of numbers of which neighbours are swapped.

use crate::common::header;
use std::sync::Arc;
use unriddle_core::{BatchHeuristic, Features, Guarantee, Puzzle, Rng, Row};
use unriddle_neural::{Activation, Architecture, Block, Engine, Int8, Model, Net, Network};

const N: usize = 5;

struct Swaps;

#[derive(Clone, Copy)]
struct Places(usize);

impl Iterator for Places {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}

impl Puzzle for Swaps {
    type State = [u8; N];
    type Action = usize;
    type Actions = Places;

    fn initial_state(&self) -> [u8; N] {
        [4, 3, 2, 1, 0]
    }
    fn actions(&self, _: &[u8; N]) -> Places {
        Places(N - 1)
    }
    fn apply(&self, state: &[u8; N], place: usize) -> [u8; N] {
        let mut child = *state;
        child.swap(place, place + 1);
        child
    }
}

impl Features for Swaps {
    fn feature_len(&self) -> usize {
        N * N
    }
    fn active(&self, state: &[u8; N], sink: &mut dyn FnMut(u32)) {
        let index = |(place, &x): (usize, &u8)| (place * N + usize::from(x)) as u32;
        state.iter().enumerate().map(index).for_each(sink);
    }
}

fn model(inputs: usize, bias: f32) -> Model {
    let architecture = Architecture {
        inputs,
        groups: N,
        grid: None,
        skip: false,
        blocks: [40, 20].map(|n| Block::dense(n, Activation::Elu)).into(),
    };
    let mut model = Model::random(header(architecture), 1).unwrap();
    model.tensors.get_mut("out.bias").unwrap().data[0] = bias;
    model
}

fn states(count: usize) -> Vec<[u8; N]> {
    let mut rng = Rng::new(1);
    let shuffled = (0..count).map(|_| {
        let mut state = [0, 1, 2, 3, 4];
        rng.shuffle(&mut state);
        state
    });
    shuffled.collect()
}

fn evaluate(net: &Net, states: &[[u8; N]]) -> Vec<f32> {
    let rows = states.iter().map(|state| Row { puzzle: &Swaps, state });
    let rows: Vec<Row<'_, Swaps>> = rows.collect();
    let mut out = vec![f32::NAN; rows.len()];
    BatchHeuristic::<Swaps>::evaluate(net, &rows, &mut out);
    out
}

#[test]
fn a_network_estimates_batches_of_states() {
    let model = model(N * N, 5.0);
    let states = states(700);
    let mut active = Vec::new();
    for state in &states {
        Swaps.active(state, &mut |index| active.push(index));
    }
    let ranges = Int8::calibrate(&model, &active).unwrap();
    let engines: [Arc<dyn Engine>; 2] =
        [Network::new(&model).unwrap().into(), Int8::new(&model, &ranges).unwrap().into()];
    for engine in engines {
        let mut expected = vec![0.0; 700];
        engine.evaluate(&active, &mut expected, 1).unwrap();
        expected.iter_mut().for_each(|h| *h = h.max(0.0));
        let bytes = engine.bytes() as u64;
        let net = Net::new(engine).with_threads(2);
        net.fits(&Swaps).unwrap();
        assert_eq!(evaluate(&net, &states), expected);
        assert_eq!(evaluate(&net, &states[..3]), expected[..3]);
        assert!(evaluate(&net, &[]).is_empty());
        let net: &dyn BatchHeuristic<Swaps> = &net;
        assert_eq!(net.guarantee(), Guarantee::None);
        assert!(net.bytes() == bytes && bytes > 25 * 40);
        assert!(net.preferred_batch() > 1);
    }
}

/// The mean of a state and its mirror image: the same for both of them.
#[test]
fn mirror_images_are_estimated_alike() {
    let engine = || Network::new(&model(N * N, 5.0)).unwrap();
    // Here values 0 and 4 change their names, and so do 1 and 3.
    let turned = |value: u32| N as u32 - 1 - value;
    let mirror = (0..(N * N) as u32).map(|i| i / N as u32 * N as u32 + turned(i % N as u32));
    let states = states(100);
    let images: Vec<[u8; N]> =
        states.iter().map(|state| state.map(|value| turned(value.into()) as u8)).collect();
    let [own, mirrored] = [&states, &images].map(|s| evaluate(&Net::new(engine()), s));
    let net = Net::new(engine()).with_images(vec![mirror.collect()]);
    let both = evaluate(&net, &states);
    assert_eq!(both, evaluate(&net, &images));
    assert_ne!(own, mirrored);
    for ((own, mirrored), both) in own.into_iter().zip(mirrored).zip(both) {
        assert!(own > 0.0 && mirrored > 0.0);
        assert_eq!(both, 0.5 * (own + mirrored));
    }
}

#[test]
fn estimates_are_limited_to_costs() {
    for (bias, expected) in [(-1e30, 0.0), (1e30, 1e6)] {
        let net = Net::new(Network::new(&model(N * N, bias)).unwrap());
        assert_eq!(evaluate(&net, &states(3)), [expected; 3]);
    }
    // A network of another puzzle does not fit, and estimates 0 rather than failing.
    let net = Net::new(Network::new(&model(20, 5.0)).unwrap());
    assert!(net.fits(&Swaps).is_err());
    assert_eq!(evaluate(&net, &states(30)), [0.0; 30]);
}
