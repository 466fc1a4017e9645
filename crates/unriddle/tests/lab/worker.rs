//! Worker process: the results of the runs that it is given.

use std::{
    io::{Cursor, Write},
    sync::{Arc, Mutex},
};
use unriddle::lab::{
    Row,
    experiment::Limits,
    row::{Failure, Status},
    runner::worker::{Settings, serve},
};

/// Output of a worker.
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
        serde_json::json!({"row": row, "limits": Limits::default(), "is_on_gpu": false, "peer": null}).to_string()
    };
    let input: Vec<String> = jobs.into_iter().map(job).collect();
    let output = Output::default();
    let input = Cursor::new(input.join("\n"));
    let settings = Settings { tables: None, threads: 1, scratch: std::env::temp_dir() };
    serve(unriddle::registry(), settings, input, output.clone(), || ());
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    let message = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let done = text.lines().filter_map(|line| message(line).get("Done").cloned());
    done.map(|row| serde_json::from_value(row).unwrap()).collect()
}

/// Figures of different measures are not comparable: a row names the measure of its value.
#[test]
fn rows_name_the_measure_of_their_values() {
    let job = |measure: &str| Row {
        puzzle: "freecell(cells=1, columns=4, ranks=3)".into(),
        instance: "3D 2D AH\n2C 3H AC\nAS 3C AD\n2H 2S 3S".into(),
        solver: format!("fc-optimal(measure={measure})"),
        ..Row::default()
    };
    let [sequences, cards] = &rows(vec![job("m0"), job("m1")])[..] else {
        panic!("two rows");
    };
    for (row, measure) in [(sequences, "m0"), (cards, "m1")] {
        assert_eq!(row.status, Status::Optimal);
        assert_eq!(row.measure.as_deref(), Some(measure));
        let measures = row.measures.as_ref().unwrap();
        assert_eq!(measures.get(measure).map(|n| n as i64), row.value);
    }
    let of = |row: &Row, name| row.measures.as_ref().and_then(|all| all.get(name));
    assert!(of(sequences, "m0") <= of(cards, "m0"));
    assert!(of(cards, "m1") <= of(sequences, "m1"));
}

/// A network that replaces another one between the plan and the run is detected.
#[test]
fn a_network_that_was_replaced_is_refused() {
    let solver = "greedy(net(tiles8))";
    let job = |networks: &str| Row {
        puzzle: "tiles".into(),
        instance: "1 2 3 4 5 6 7 0 8".into(),
        solver: solver.into(),
        networks: Some(networks.into()),
        ..Row::default()
    };
    let registry = unriddle::registry();
    let models = registry.family("tiles").unwrap().models();
    let planned = unriddle::catalog::networks_of(models, None, solver).unwrap();
    let [done, refused] = &rows(vec![job(&planned), job("tiles8 0123456789abcdef")])[..] else {
        panic!("two rows");
    };
    assert_eq!(done.status, Status::Solved);
    assert_eq!(refused.failure, Some(Failure::Refused));
    assert_eq!((refused.status, refused.value), (Status::Failed, None));
    assert!(refused.reason.as_ref().unwrap().contains("0123456789abcdef"));
}
