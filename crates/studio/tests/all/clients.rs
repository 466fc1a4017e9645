//! Many clients at once.

use crate::client::{Running, settings};
use serde_json::json;
use std::{
    thread,
    time::{Duration, Instant},
};

const CLIENTS: usize = 50;

/// Peak of the resident memory of this process in bytes, if the system reports it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Loads, draws and solves an instance; returns the time of all of it.
fn client(server: &Running, number: usize) -> Duration {
    let begun = Instant::now();
    let disks = 3 + number % 4;
    let text = vec!["1"; disks].join(" ");
    let loaded = server.ask("load", &json!({"puzzle": "hanoi", "text": text})).json();
    let instance = &loaded["instances"][0]["instance"];
    let position = json!({"puzzle": "hanoi", "instance": instance, "line": ""});
    let position = server.ask("position", &position).json();
    assert_eq!(position["over"], false);
    let job = json!({"kind": "solve", "puzzle": "hanoi", "instance": instance,
        "solver": "astar(blind)"});
    let end = server.end_of(&server.begin(&job));
    let record = &end["record"];
    assert_eq!(record["status"], "optimal", "{end}");
    assert_eq!(record["value"], (1 << disks) - 1);
    let line = json!({"puzzle": "hanoi", "instance": instance, "line": record["solution"]});
    assert_eq!(server.ask("position", &line).json()["over"], true);
    begun.elapsed()
}

#[test]
fn fifty_clients_are_served_at_once() {
    let server = &Running::start(settings());
    let mut times: Vec<Duration> = thread::scope(|scope| {
        let clients = (0..CLIENTS).map(|number| scope.spawn(move || client(server, number)));
        let clients: Vec<_> = clients.collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    times.sort();
    let (median, p95) = (times[CLIENTS / 2], times[CLIENTS * 95 / 100]);
    eprintln!("{CLIENTS} clients: median {median:?}, p95 {p95:?}, last {:?}", times[CLIENTS - 1]);
    if let Some(peak) = peak() {
        eprintln!("peak of resident memory, clients included: {} MiB", peak >> 20);
        assert!(peak < 1 << 30, "{peak} bytes");
    }
}
