//! The server of the page, from its first line to Ctrl-C.

use crate::place::{ENDLESS, Place, Ran};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    time::{Duration, Instant},
};

/// Sends a request; the answer is read by the caller.
fn send(address: &str, head: &str, headers: &str, body: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let length = body.len();
    let request = format!(
        "{head} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\
         {headers}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("the request is sent");
    BufReader::new(stream)
}

fn text(mut answer: BufReader<TcpStream>) -> String {
    let mut text = String::new();
    answer.read_to_string(&mut text).expect("a text");
    text
}

/// The text between two others.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}")).1;
    rest.split_once(after).expect("an end").0
}

#[test]
fn interrupted_server_ends_its_jobs() {
    let place = Place::new();
    let mut child = place.start(&["serve", "--port", "0", "--results", "solved.db"]);
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    let address = between(&line, "http://", "/\n").to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{line}");

    let page = text(send(&address, "GET /", "", ""));
    let token = between(&page, "<meta name=\"unriddle-token\" content=\"", "\"");
    let job = format!(
        r#"{{"job": {{"kind": "solve", "puzzle": "tiles", "instance": "{ENDLESS}",
            "solver": "idastar(manhattan)"}}}}"#
    );
    let token = format!("X-Unriddle-Token: {token}\r\n");
    let begun = text(send(&address, "POST /api/begin", &token, &job));
    let id = between(&begun, "{\"job\":\"", "\"");
    let mut events = send(&address, &format!("GET /api/jobs/{id}/events"), "", "");
    let mut event = String::new();
    while !event.contains("\"stats\"") {
        event.clear();
        assert!(events.read_line(&mut event).expect("an event") > 0, "the stream has ended");
    }

    // The port is taken.
    let port = address.rsplit(':').next().expect("a port");
    let message = place.run(&["serve", "--port", port]).bad(31);
    assert_eq!(
        message,
        format!("port {port} is in use, perhaps by another server; give another --port")
    );

    let interrupted = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).expect("the signal is sent");
    let rest = text(events);
    assert!(rest.contains("\"kind\":\"ended\"") && rest.contains("\"cancelled\":true"), "{rest}");
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    assert!(interrupted.elapsed() < Duration::from_secs(3), "{:?}", interrupted.elapsed());
    assert_eq!(ran.err, "");
    ran.good();
    // Its result is among the experiments.
    let listed = place.run(&["lab", "list", "--database", "solved.db"]).good();
    assert!(listed.contains("studio"), "{listed}");
}

#[test]
fn missing_files_are_reported_before_the_server_begins() {
    let place = Place::new();
    let message = place.run(&["serve", "--port", "0", "--lab", "nothing.db"]).bad(31);
    assert!(message.starts_with("nothing.db: there is no results database"), "{message}");
    let message = place.run(&["serve", "--port", "0", "--runs", "nothing"]).bad(31);
    assert!(message.starts_with("nothing: a folder of runs cannot be read"), "{message}");
    place.run(&["serve", "--address", "nowhere"]).bad(2);
}
