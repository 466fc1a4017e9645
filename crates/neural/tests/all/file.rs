//! The file: written, read back, and refused when it is hostile.

use crate::common::{architecture, header, rows, small};
use unriddle_core::Rng;
use unriddle_neural::{
    Activation, Architecture, Block, Engine as _, Head, Int8, Model, ModelError, Network,
    Precision, Ranges, Tensor, content_hash,
};

fn tiny() -> Model {
    let architecture = Architecture {
        inputs: 6,
        groups: 2,
        grid: None,
        skip: true,
        blocks: vec![
            Block::dense(3, Activation::Elu).with_norm(),
            Block::residual(&[2, 3], Activation::Relu),
        ],
    };
    Model::random(header(architecture), 1).unwrap()
}

#[test]
fn models_come_back_as_they_were() {
    let mut rng = Rng::new(1);
    for seed in 0..20 {
        let model = Model::random(header(architecture(&mut rng)), seed).unwrap();
        let bytes = model.write(Precision::F32).unwrap();
        let blocks = &model.header.architecture.blocks;
        let is_new = model.header.architecture.head() != Head::Value
            || blocks.iter().any(|b| b.activation == Activation::Leaky);
        let text = String::from_utf8_lossy(&bytes);
        assert_eq!(text.contains("unriddle-network 2"), is_new);
        assert_eq!(text.contains("unriddle-network 1"), !is_new);
        assert_eq!(Model::parse(&bytes).unwrap(), model);
        assert_eq!(model.write(Precision::F32).unwrap(), bytes);
        let half = model.write(Precision::F16).unwrap();
        assert!(half.len() < bytes.len());
        let read = Model::parse(&half).unwrap();
        for (name, tensor) in &model.tensors {
            let pairs = tensor.data.iter().zip(&read.tensors[name].data);
            for (&x, &y) in pairs {
                assert!((x - y).abs() <= x.abs() * 4.9e-4 + 3e-8, "{name} {x} {y}");
            }
        }
        // Half precision is exact the second time.
        assert_eq!(read.write(Precision::F16).unwrap(), half);
    }
}

/// Bytes lose half a step of a unit's weights at most, and nothing the second time.
#[test]
fn weights_are_written_in_bytes() {
    let mut rng = Rng::new(1);
    for seed in 0..20 {
        let mut model = Model::random(header(architecture(&mut rng)), seed).unwrap();
        model.header.input = "other".to_owned();
        let name = "out.weight".to_owned();
        model.tensors.get_mut(&name).unwrap().data.fill(0.0);
        let bytes = model.write(Precision::Bytes).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains("unriddle-network 4"));
        assert!(bytes.len() < model.write(Precision::F16).unwrap().len());
        let read = Model::parse(&bytes).unwrap();
        assert_eq!(read.header, model.header);
        for (name, tensor) in &model.tensors {
            let read = &read.tensors[name].data;
            let [_, inputs] = tensor.shape[..] else {
                continue;
            };
            for (row, read) in tensor.data.chunks(inputs).zip(read.chunks(inputs)) {
                let step = row.iter().fold(0.0f32, |most, x| most.max(x.abs())) / 127.0;
                for (&x, &y) in row.iter().zip(read) {
                    assert!((x - y).abs() <= 0.501 * step, "{name} {x} {y}");
                }
            }
        }
        assert!(read.write(Precision::Bytes).unwrap() == bytes);
        // All other numbers are stored in half precision.
        let half = Model::parse(&model.write(Precision::F16).unwrap()).unwrap();
        let vectors = half.tensors.iter().filter(|(_, t)| t.shape.len() == 1);
        vectors.for_each(|(name, tensor)| assert_eq!(&read.tensors[name], tensor));
    }
}

/// Files of bytes are of the fourth version, and have steps of all units.
#[test]
fn steps_are_asked_for() {
    let mut model = small(Activation::Relu);
    model.header.input = "other".to_owned();
    let bytes = model.write(Precision::Bytes).unwrap();
    let with = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let mut bytes = bytes.clone();
        let at = bytes.windows(from.len()).position(|w| w == from.as_bytes());
        bytes[at.unwrap()..][..to.len()].copy_from_slice(to.as_bytes());
        Model::parse(&bytes).unwrap_err().to_string()
    };
    assert!(with("network 4", "network 3").contains("I8"));
    let why = with("out.weight.step", "out.weight.stop");
    assert!(why.contains("out.weight.step"), "{why}");
    assert!(with("network 4", "network 6").contains("network 5`"));
}

/// Only files of the third version and later contain the name of an input.
#[test]
fn an_input_is_kept() {
    let mut model = tiny();
    model.header.input = "stickers".to_owned();
    let bytes = model.write(Precision::F32).unwrap();
    assert!(String::from_utf8_lossy(&bytes).contains("unriddle-network 3"));
    let again = Model::parse(&bytes).unwrap();
    assert_eq!(again, model);
    let names = ["pieces", "stickers"];
    assert_eq!(again.header.input_among(&names).unwrap(), 1);
    assert_eq!(tiny().header.input_among(&names).unwrap(), 0);
    let refused = again.header.input_among(&["pieces"]).unwrap_err();
    assert!(refused.to_string().contains("the input `stickers`"), "{refused}");
}

#[test]
fn the_bytes_of_a_model_are_fixed() {
    let bytes = tiny().write(Precision::F32).unwrap();
    assert_eq!(content_hash(&bytes), content_hash(&bytes.clone()));
    assert_eq!(content_hash(&bytes).len(), 16);
    assert_eq!(content_hash(b""), "2d06800538d394c2");
    assert_eq!(bytes.len() % 4, 0);
    let text = String::from_utf8_lossy(&bytes[8..]);
    assert!(text.starts_with(r#"{"0.beta":{"data_offsets":[0,12],"dtype":"F32","shape":[3]}"#));
    assert!(text.contains(r#""format":"unriddle-network 1""#));
}

/// A flipped bit of a file with a checksum is noticed wherever it is.
#[test]
fn checksums_are_compared() {
    for precision in [Precision::F32, Precision::F16, Precision::Bytes] {
        let plain = tiny().write(precision).unwrap();
        let bytes = tiny().write_with_checksum(precision).unwrap();
        assert_eq!(Model::parse(&bytes).unwrap(), Model::parse(&plain).unwrap());
        assert_eq!(bytes, tiny().write_with_checksum(precision).unwrap());
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            // A letter of the text's name may change.
            let is_named = String::from_utf8_lossy(&flipped).contains(r#""checksum":""#);
            assert!(Model::parse(&flipped).is_err() || !is_named, "byte {at}");
        }
    }
    let mut bytes = tiny().write_with_checksum(Precision::F32).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    assert_eq!(Model::parse(&bytes).unwrap_err(), unriddle_neural::ModelError::Checksum);
}

/// A network of the first version is read and written to the same bytes, and its estimates in
/// bytes, which are the same on every CPU, are unchanged.
#[test]
fn files_of_the_first_version_are_unchanged() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/format-1.safetensors");
    let bytes = std::fs::read(path).unwrap();
    let model = Model::parse(&bytes).unwrap();
    assert_eq!(model.header.architecture.head(), Head::Value);
    assert!(model.write(Precision::F16).unwrap() == bytes);
    let active = rows(&model.header.architecture, 1000, &mut Rng::new(1));
    let network = Int8::new(&model, &Ranges::of(&model).unwrap()).unwrap();
    let mut out = vec![0.0; 1000];
    network.evaluate(&active, &mut out, 1).unwrap();
    let all: Vec<u8> = out.iter().flat_map(|x| x.to_le_bytes()).collect();
    assert_eq!(content_hash(&all), "9cea07d98735933b");
}

#[test]
fn half_precision_keeps_estimates_close() {
    let model = small(Activation::Relu);
    let active = rows(&model.header.architecture, 100, &mut Rng::new(2));
    let half = Model::parse(&model.write(Precision::F16).unwrap()).unwrap();
    let (mut x, mut y) = ([0.0; 100], [0.0; 100]);
    let evaluate = |m: &Model, out: &mut [f32]| {
        Network::new(m).unwrap().evaluate(&active, out, 1).unwrap();
    };
    evaluate(&model, &mut x);
    evaluate(&half, &mut y);
    assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 0.02));
}

#[test]
fn another_purpose_is_refused() {
    let model = tiny();
    model.expect("tiles", "4", "blank-last").unwrap();
    for (puzzle, size, goal) in
        [("cube", "4", "blank-last"), ("tiles", "5", "blank-last"), ("tiles", "4", "blank-first")]
    {
        let error = model.expect(puzzle, size, goal).unwrap_err();
        assert!(error.to_string().starts_with("the network is for the "), "{error}");
    }
}

/// The error of a model that was changed.
fn changed(change: impl FnOnce(&mut Model)) -> String {
    let mut model = tiny();
    change(&mut model);
    model.check().unwrap_err().to_string()
}

#[test]
fn tensors_of_another_architecture_are_rejected() {
    let of = |shape: &[usize], data: &[f32]| Tensor { shape: shape.to_vec(), data: data.to_vec() };
    let insert = |name: &str, tensor: Tensor| {
        changed(|m| {
            m.tensors.insert(name.into(), tensor);
        })
    };
    let cases = [
        (changed(|m| drop(m.tensors.remove("1.1.bias"))), "`1.1.bias` is missing"),
        (changed(|m| drop(m.tensors.remove("skip.weight"))), "is missing"),
        (insert("2.bias", of(&[1], &[0.0])), "`2.bias` does not belong"),
        (insert("0.bias", of(&[1, 3], &[0.0; 3])), "expected [3]"),
        (insert("0.bias", of(&[3], &[0.0; 4])), "holds 4 numbers"),
        (insert("0.bias", of(&[3], &[0.0, f32::NAN, 0.0])), "holds NaN at 1"),
        (insert("0.bias", of(&[3], &[0.0, 0.0, f32::INFINITY])), "holds inf at 2"),
        (insert("0.variance", of(&[3], &[1.0, -1.0, 1.0])), "holds -1 at 1"),
        (insert("0.range", of(&[1], &[1.0])), "`1.0.range` is missing"),
        (changed(|m| m.header.architecture.groups = 0), "groups is 0"),
    ];
    for (message, part) in cases {
        assert!(message.contains(part), "{message}");
    }
    let mut model = tiny();
    model.tensors.get_mut("0.bias").unwrap().data[1] = 1e6;
    assert!(model.write(Precision::F32).is_ok());
    let error = model.write(Precision::F16).unwrap_err();
    assert!(matches!(error, ModelError::Half { index: 1, .. }), "{error}");
}

/// The file with one text replaced by one of the same length or another.
fn with_head(change: impl FnOnce(String) -> String) -> Vec<u8> {
    let bytes = tiny().write(Precision::F32).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let head = String::from_utf8(bytes[8..8 + length].to_vec()).unwrap();
    let head = change(head);
    let mut changed = (head.len() as u64).to_le_bytes().to_vec();
    changed.extend(head.into_bytes());
    changed.extend(&bytes[8 + length..]);
    changed
}

#[test]
fn hostile_headers_are_refused_with_a_reason() {
    let replace = |from: &str, to: &str| {
        with_head(|head| {
            assert!(head.contains(from), "{from} {head}");
            head.replacen(from, to, 1)
        })
    };
    let cases = [
        (replace("unriddle-network 1", "unriddle-network 9"), "unknown format"),
        (replace("unriddle-network 1", "unriddle-network 3"), "no `input`"),
        (replace(r#""goal":"#, r#""gaol":"#), "no `goal`"),
        (replace(r#"__metadata__"#, r#"__methodata_"#), "network"),
        (replace(r#"\"inputs\":6"#, r#"\"inputs\":-6"#), "architecture"),
        (replace(r#"\"inputs\":6"#, r#"\"inputs\":7"#), "expected [3, 7]"),
        (replace(r#"\"inputs\":6"#, r#"\"inputs\":99999999"#), "inputs is 99999999"),
        (replace(r#"\"dense\":3"#, r#"\"dense\":4"#), "ends with 3 units, but 4"),
        (replace(r#"elu\""#, r#"tanh\""#), "unknown variant"),
        (replace(r#"\"elu\""#, r#"\"leaky\""#), "belong to the format"),
        (
            replace(
                r#"{\"residual\":[2,3],\"activation\":\"relu\",\"norm\":false,\"dropout\":0.0}"#,
                r#"{\"head\":{\"actions\":2}}"#,
            ),
            "belong to the format",
        ),
        (replace(r#"\"examples\":3"#, r#"\"examples\":true"#), "training"),
        (replace(r#""dtype":"F32""#, r#""dtype":"I32""#), "type I32"),
        (replace("[0,12]", "[0,11]"), "not a network file"),
        (replace("[12,24]", "[8,20]"), "not a network file"),
        (replace("[0,12]", "[12,0]"), "not a network file"),
        (replace(r#""shape":[3]"#, r#""shape":[4294967296,4294967296,3]"#), "not a network file"),
        (with_head(|head| head[..head.len() / 2].into()), "not a network file"),
        (with_head(|_| "[".repeat(100_000)), "not a network file"),
    ];
    for (bytes, part) in cases {
        let message = Model::parse(&bytes).unwrap_err().to_string();
        assert!(message.contains(part), "{part}: {message}");
    }
    for length in [0, 7, 1 << 20, 1 << 40, u64::MAX - 3, u64::MAX] {
        let mut bytes = tiny().write(Precision::F32).unwrap();
        bytes[..8].copy_from_slice(&length.to_le_bytes());
        assert!(Model::parse(&bytes).is_err(), "{length}");
    }
    let bytes = tiny().write(Precision::F32).unwrap();
    for end in 0..bytes.len() {
        assert!(Model::parse(&bytes[..end]).is_err(), "{end}");
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(Model::parse(&longer).is_err());
}

#[test]
fn mutated_files_never_panic() {
    let bytes = tiny().write(Precision::F32).unwrap();
    let mut rng = Rng::new(3);
    let mut survivors = 0;
    for _ in 0..20_000 {
        let mut bytes = bytes.clone();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len() as u64) as usize;
            match rng.below(5) {
                0 => bytes[at] = rng.below(256) as u8,
                1 => bytes[at] ^= 1 << rng.below(8),
                2 => drop(bytes.remove(at)),
                3 => bytes.insert(at, b"0123456789[]{}\",:-.e"[rng.below(20) as usize]),
                _ => {
                    let end = (at + 8).min(bytes.len());
                    let from = rng.below((bytes.len() - (end - at)) as u64) as usize;
                    bytes.copy_within(at..end, from);
                }
            }
        }
        if let Ok(model) = Model::parse(&bytes) {
            survivors += 1;
            if let Ok(network) = Network::new(&model) {
                let groups = network.groups();
                network.evaluate(&vec![0; groups], &mut [0.0], 1).unwrap();
            }
        }
    }
    assert!(survivors > 100, "{survivors}");
}
