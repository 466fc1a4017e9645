//! Files that store only the weights of sets of units.

use crate::common::{header, rows};
use unriddle_core::Rng;
use unriddle_neural::{
    Activation, Architecture, Block, Engine as _, Model, ModelError, Network, Precision, Tensor,
    Views,
};

const INPUTS: usize = 20;

/// Three symmetries of a row of five things of four kinds: reversed order, permuted kinds, and
/// both.
fn images() -> Vec<Vec<u32>> {
    let map = |backwards: bool, turned: bool| {
        let to = |index: u32| {
            let (place, kind) = (index / 4, index % 4);
            let place = if backwards { 4 - place } else { place };
            4 * place + if turned { 3 - kind } else { kind }
        };
        (0..INPUTS as u32).map(to).collect()
    };
    vec![map(true, false), map(false, true), map(true, true)]
}

fn architecture(units: usize) -> Architecture {
    Architecture {
        inputs: INPUTS,
        groups: 5,
        grid: None,
        skip: true,
        blocks: vec![Block::dense(units, Activation::Relu), Block::dense(3, Activation::Leaky)],
    }
}

/// Network of random weights, which the units of a set share under the symmetries.
fn shared(units: usize) -> Model {
    let mut model = Model::random(header(architecture(units)), 1).unwrap();
    let images = images();
    let Tensor { data, .. } = model.tensors.get_mut("0.weight").unwrap();
    for unit in (0..units).filter(|unit| unit % 4 > 0) {
        for index in 0..INPUTS {
            let to = images[unit % 4 - 1][index] as usize;
            data[unit * INPUTS + index] = data[unit / 4 * 4 * INPUTS + to];
        }
    }
    let Tensor { data, .. } = model.tensors.get_mut("0.bias").unwrap();
    for unit in 0..units {
        data[unit] = data[unit / 4 * 4];
    }
    model
}

/// With whole sets, and with a last set of two units: the file is smaller, and the network is the
/// same in all precisions.
#[test]
fn a_file_holds_shared_weights_once() {
    let views = Views::new(images(), INPUTS).unwrap();
    for (units, sets) in [(8, 2), (10, 3), (3, 1)] {
        let model = shared(units);
        let small = model.with_sets(&views).unwrap();
        assert_eq!(small.tensors["0.weight"].shape, [sets, INPUTS]);
        assert_eq!(small.tensors["0.bias"].shape, [sets]);
        for precision in [Precision::F32, Precision::F16, Precision::Bytes] {
            let bytes = small.write(precision).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            assert!(text.contains("unriddle-network 5"));
            let read = Model::parse(&bytes).unwrap();
            assert_eq!(read.header, small.header);
            assert_eq!(read.write(precision).unwrap(), bytes);
            // The same as a file of all units in this precision.
            let whole = Model::parse(&model.write(precision).unwrap()).unwrap();
            assert_eq!(read.with_units(images).unwrap(), whole);
        }
        let rows = rows(&model.header.architecture, 10, &mut Rng::new(2));
        let estimates = |model: &Model| {
            let mut out = [0.0; 10];
            let network = Network::new(model).unwrap();
            network.evaluate(&rows, &mut out, 1).unwrap();
            out
        };
        let back = small.with_units(images).unwrap();
        assert_eq!(estimates(&back), estimates(&model));
    }
}

/// Networks without shared weights do not ask for symmetries.
#[test]
fn networks_without_shared_weights_are_unchanged() {
    let model = Model::random(header(architecture(8)), 1).unwrap();
    let same = (model.clone()).with_units(|| panic!("no images are needed"));
    assert_eq!(same, Ok(model));
}

#[test]
fn invalid_views_are_rejected() {
    let views = Views::new(images(), INPUTS).unwrap();
    let model = shared(8);
    let small = model.with_sets(&views).unwrap();
    let refused = |found: Result<Model, ModelError>| found.unwrap_err().to_string();

    let why = Network::new(&small).err().unwrap().to_string();
    assert!(why.contains("expand them by the symmetries"), "{why}");

    // Fewer symmetries, other ones, the same in another order, and symmetries of another input.
    let mut turned = images();
    turned.reverse();
    let shorter = images().into_iter().map(|map| map[..16].to_vec()).collect();
    for other in [images()[..2].to_vec(), Vec::new(), turned, shorter] {
        let found = other.len() + 1;
        let why = refused(small.clone().with_units(|| other));
        let message = format!("under 4 symmetries, which are not the {found} of");
        assert!(why.contains(&message), "{why}");
    }

    let own = Model::random(header(architecture(8)), 1).unwrap();
    let why = refused(own.with_sets(&views));
    assert!(why.contains("layer `0` do not share their weights"), "{why}");

    let mut many = small.clone();
    many.header.sharing.as_mut().unwrap().views = 2;
    let why = many.check().unwrap_err().to_string();
    assert!(why.contains("has shape [2], expected [4]"), "{why}");
    for views in [0, 1, usize::MAX] {
        many.header.sharing.as_mut().unwrap().views = views;
        let why = many.check().unwrap_err().to_string();
        assert!(why.contains(&format!("among {views} views")), "{why}");
    }

    let mut normed = architecture(8);
    normed.blocks[0].norm = true;
    let mut model = Model::random(header(normed), 1).unwrap();
    model.header.sharing = small.header.sharing;
    let why = model.check().unwrap_err().to_string();
    assert!(why.contains("without normalisation"), "{why}");
}

#[test]
fn mutated_files_never_panic() {
    let views = Views::new(images(), INPUTS).unwrap();
    let small = shared(8).with_sets(&views).unwrap();
    let bytes = small.write(Precision::F32).unwrap();
    let (mut rng, mut survivors) = (Rng::new(3), 0);
    for _ in 0..20_000 {
        let mut bytes = bytes.clone();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(bytes.len() as u64) as usize;
            bytes[at] = b"0123456789[]{}\",:-.e"[rng.below(20) as usize];
        }
        let model = Model::parse(&bytes).and_then(|model| model.with_units(images));
        if let Ok(model) = model {
            survivors += 1;
            if let Ok(network) = Network::new(&model) {
                let groups = network.groups();
                network.evaluate(&vec![0; groups], &mut [0.0], 1).unwrap();
            }
        }
    }
    assert!(survivors > 100, "{survivors}");
}
