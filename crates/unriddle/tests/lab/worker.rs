//! What a worker process does with the runs that it is given.

use std::{
    io::{Cursor, Write},
    sync::{Arc, Mutex},
};
use unriddle::lab::{
    Row,
    experiment::Limits,
    row::{Failure, Status},
    runner::worker::serve,
};

/// What a worker writes.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Runs jobs one after the other.
fn rows(jobs: Vec<Row>) -> Vec<Row> {
    let job = |row| {
        serde_json::json!({"row": row, "limits": Limits::default(), "peer": null}).to_string()
    };
    let input: Vec<String> = jobs.into_iter().map(job).collect();
    let output = Output::default();
    let input = Cursor::new(input.join("\n"));
    serve(unriddle::registry(), input, output.clone(), None, 1, || ());
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    let message = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let done = text
        .lines()
        .filter_map(|line| message(line).get("Done").cloned());
    done.map(|row| serde_json::from_value(row).unwrap())
        .collect()
}

/// A network that takes another's place between the plan and the run does not pass for it.
#[test]
fn a_network_that_was_replaced_is_refused() {
    let solver = "greedy(net(tiles8))";
    let job = |networks: &str| Row {
        puzzle: "tiles".into(),
        instance: "1 2 3 4 5 6 7 0 8".into(),
        solver: solver.into(),
        peer_version: networks.into(),
        ..Row::default()
    };
    let models = unriddle::catalog::tiles::FAMILY.models;
    let planned = unriddle::catalog::networks_of(models, solver).unwrap();
    let [done, refused] = &rows(vec![job(&planned), job("tiles8 0123456789abcdef")])[..] else {
        panic!("two rows");
    };
    assert_eq!(done.status, Status::Solved);
    assert_eq!(refused.failure, Some(Failure::Refused));
    assert_eq!((refused.status, refused.value), (Status::Failed, None));
    assert!(
        refused
            .reason
            .as_ref()
            .unwrap()
            .contains("0123456789abcdef")
    );
}
