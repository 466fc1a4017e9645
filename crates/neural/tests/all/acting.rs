//! Networks of actions on a toy: a row of numbers of which neighbours are swapped.

use crate::common::header;
use std::sync::Arc;
use unriddle_core::{BatchHeuristic, Features, Numbers, Puzzle, Rng, Row};
use unriddle_neural::{
    Acting, Activation, Architecture, Block, Engine, Head, Int8, Model, Net, Network, RowError,
};

const N: usize = 5;

/// A swap is legal where it sorts: the last state has none.
struct Swaps;

impl Puzzle for Swaps {
    type State = [u8; N];
    type Action = u8;
    type Actions = Numbers;

    fn initial_state(&self) -> [u8; N] {
        [4, 3, 2, 1, 0]
    }
    fn actions(&self, _: &[u8; N]) -> Numbers {
        Numbers::new(0, N as u8 - 2)
    }
    fn apply(&self, state: &[u8; N], place: u8) -> [u8; N] {
        let mut child = *state;
        child.swap(usize::from(place), usize::from(place) + 1);
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

fn legal(_: &Swaps, state: &[u8; N], sink: &mut dyn FnMut(u32)) {
    for place in (0..N - 1).filter(|&place| state[place] > state[place + 1]) {
        sink(place as u32);
    }
}

fn engines(head: Head) -> [Arc<dyn Engine>; 2] {
    let architecture = Architecture {
        inputs: N * N,
        groups: N,
        grid: None,
        skip: head.is_cost(),
        blocks: [40, 20].map(|n| Block::dense(n, Activation::Leaky)).into(),
    };
    let mut model = Model::random(header(architecture.with_head(head)), 1).unwrap();
    // Costs, so that few are cut off at 0.
    let bias = &mut model.tensors.get_mut("out.bias").unwrap().data;
    bias.iter_mut().for_each(|bias| *bias += 5.0);
    let mut active = Vec::new();
    for state in states(50) {
        Swaps.active(&state, &mut |index| active.push(index));
    }
    let ranges = Int8::calibrate(&model, &active).unwrap();
    [Network::new(&model).unwrap().into(), Int8::new(&model, &ranges).unwrap().into()]
}

fn states(count: usize) -> Vec<[u8; N]> {
    let mut rng = Rng::new(1);
    let shuffled = (0..count).map(|_| {
        let mut state = [0, 1, 2, 3, 4];
        rng.shuffle(&mut state);
        state
    });
    shuffled.chain([[0, 1, 2, 3, 4]]).collect()
}

fn rows(states: &[[u8; N]]) -> Vec<Row<'_, Swaps>> {
    let row = |state| Row { puzzle: &Swaps, state };
    states.iter().map(row).collect()
}

#[test]
fn states_are_estimated_by_their_best_legal_action() {
    let states = states(300);
    let rows = rows(&states);
    for head in [Head::Actions(4), Head::ValueAndActions(4)] {
        for engine in engines(head) {
            let mut outputs = vec![0.0; 301 * head.outputs()];
            let mut active = Vec::new();
            for state in &states {
                Swaps.active(state, &mut |index| active.push(index));
            }
            engine.evaluate_all(&active, &mut outputs, 1).unwrap();
            let acting = Acting::new(Net::new(engine).with_threads(2), legal);
            acting.fits(&Swaps).unwrap();
            let mut values = vec![0.0; 301 * 4];
            acting.action_values(&rows, &mut values).unwrap();
            let mut estimates = vec![f32::NAN; 301];
            acting.evaluate(&rows, &mut estimates);
            for (row, outputs) in outputs.chunks(head.outputs()).enumerate() {
                let outputs: Vec<f32> = outputs.iter().map(|x| x.max(0.0)).collect();
                let split = head.outputs() - 4;
                assert_eq!(values[4 * row..][..4], outputs[split..]);
                let mut best = 1e6f32;
                legal(&Swaps, &states[row], &mut |action| {
                    best = best.min(outputs[split + action as usize]);
                });
                // A value output is the estimate of the state itself.
                let expected = if split == 1 { outputs[0] } else { best };
                assert_eq!(estimates[row], expected);
            }
            // The sorted state has no legal action.
            assert_eq!(estimates[300] == 1e6, head == Head::Actions(4));
        }
    }
}

#[test]
fn networks_without_actions_are_rejected() {
    let states = states(3);
    let rows = rows(&states);
    let mut out = [7.0; 4];
    for (head, action) in [
        (Head::Value, RowError::NoActions(Head::Value)),
        (Head::Actions(2), RowError::Action { action: 2, actions: 2 }),
    ] {
        for engine in engines(head) {
            let acting = Acting::new(Net::new(engine), legal);
            assert_eq!(acting.fits(&Swaps), Err(action));
            assert!(acting.action_values(&rows, &mut out[..3]).is_err());
        }
    }
    for engine in engines(Head::Actions(4)) {
        let acting = Acting::new(Net::new(engine), legal);
        assert!(acting.action_values(&rows, &mut out).is_err());
        assert_eq!(out, [7.0; 4]);
        // Without the legal actions there is no estimate.
        assert!(acting.net().fits(&Swaps).is_err());
        acting.net().evaluate(&rows, &mut out);
        assert_eq!(out, [0.0; 4]);
        out = [7.0; 4];
    }
    // Logits are given as they are.
    for engine in engines(Head::Policy(4)) {
        let mut logits = vec![0.0; 16];
        let acting = Acting::new(Net::new(engine).with_less(100.0), legal);
        acting.action_values(&rows, &mut logits).unwrap();
        assert!(logits.iter().any(|&logit| logit > 0.0));
        let mut estimates = [1.0; 4];
        acting.evaluate(&rows, &mut estimates);
        assert_eq!(estimates, [0.0; 4]);
    }
}

/// In a state and its mirror image, an action and its mirrored action have the same value.
#[test]
fn mirrored_actions_have_equal_values() {
    // The row is turned around, and the values with it, so that swaps still sort.
    let turn = |state: &[u8; N]| {
        let mut turned = state.map(|value| N as u8 - 1 - value);
        turned.reverse();
        turned
    };
    let all = (N * N) as u32;
    let inputs: Vec<u32> = (0..all).map(|i| all - 1 - i).collect();
    let actions: Vec<u32> = (0..4).rev().collect();
    let states = states(100);
    let images: Vec<[u8; N]> = states.iter().map(turn).collect();
    for head in [Head::Actions(4), Head::ValueAndActions(4)] {
        for engine in engines(head) {
            let acting = Acting::new(Net::new(engine), legal);
            let own = |acting: &Acting<_>, states: &[[u8; N]]| {
                let (mut out, mut h) = (vec![0.0; 404], vec![0.0; 101]);
                acting.action_values(&rows(states), &mut out).unwrap();
                acting.evaluate(&rows(states), &mut h);
                (out, h)
            };
            let [(one, _), (other, _)] = [&states, &images].map(|s| own(&acting, s));
            let acting = acting.with_mirror(inputs.clone(), actions.clone());
            let (both, estimates) = own(&acting, &states);
            let (mirrored, again) = own(&acting, &images);
            assert_eq!(estimates, again);
            for row in 0..101 {
                for action in 0..4 {
                    let there = 4 * row + 3 - action;
                    assert_eq!(both[4 * row + action], mirrored[there]);
                    let (a, b) = (one[4 * row + action], other[there]);
                    if a > 0.0 && b > 0.0 {
                        assert_eq!(both[4 * row + action], 0.5 * (a + b));
                    }
                }
            }
        }
    }
}
