//! A server in a thread of the test, and a client.

use serde_json::{Value, json};
use std::{
    collections::HashMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, TcpStream},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use unriddle_catalog::{
    Cancel, Registry,
    tables::{Cache, cache::Policy},
};
use unriddle_studio::server::{Limits, Program, Server, Settings};

/// A solve that does not end by itself.
pub(crate) fn endless() -> Value {
    json!({"kind": "solve", "puzzle": "hanoi", "instance": "1 1 1 1 1 1 1 1 1 1 1 1",
        "solver": "idastar(blind)"})
}

/// A solve that takes milliseconds.
pub(crate) fn short() -> Value {
    json!({"kind": "solve", "puzzle": "hanoi", "instance": "1 1 1 1", "solver": "astar(blind)"})
}

/// Server that stops when it is dropped.
pub(crate) struct Running {
    pub(crate) port: u16,
    pub(crate) token: String,
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
}

/// Settings of a server on a free port.
pub(crate) fn settings() -> Settings {
    Settings {
        address: Ipv4Addr::LOCALHOST.into(),
        port: 0,
        results: None,
        lab: Vec::new(),
        runs: Vec::new(),
        program: Program { version: "1".to_owned(), revision: "r".to_owned(), is_modified: false },
        limits: Limits { memory: 256 << 20, ..Limits::new(2) },
    }
}

impl Running {
    pub(crate) fn start(settings: Settings) -> Self {
        let families = [&unriddle_hanoi::FAMILY, &crate::brittle::FAMILY];
        let registry = Registry::new(families).unwrap();
        let cache = Cache::new(None, 1, Policy::Reuse);
        let server = Server::bind(registry, cache, settings).unwrap();
        let (port, cancel) = (server.address().port(), Cancel::default());
        let flag = cancel.clone();
        let thread = Some(thread::spawn(move || server.run(&flag).unwrap()));
        let mut running = Self { port, token: String::new(), cancel, thread };
        let page = running.get("/").text();
        let place = page.split("<meta name=\"unriddle-token\" content=\"").nth(1).unwrap();
        running.token = place.split('"').next().unwrap().to_owned();
        running
    }

    /// Server with changed limits.
    pub(crate) fn within(change: impl FnOnce(&mut Limits)) -> Self {
        let mut settings = settings();
        change(&mut settings.limits);
        Self::start(settings)
    }

    /// Begins to stop, as after Ctrl-C.
    pub(crate) fn stop(&self) {
        self.cancel.cancel();
    }

    /// Stops and waits for the end.
    pub(crate) fn end(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    /// Sends bytes on a new connection.
    pub(crate) fn raw(&self, bytes: &[u8]) -> BufReader<TcpStream> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // A server that refuses a request may close before it has read all of it.
        let _ = (&stream).write_all(bytes);
        BufReader::new(stream)
    }

    /// Sends a request with headers besides `Host`.
    pub(crate) fn send(&self, head: &str, headers: &[&str], body: &[u8]) -> Answer {
        Answer::read(&mut self.open(head, headers, body))
    }

    fn open(&self, head: &str, headers: &[&str], body: &[u8]) -> BufReader<TcpStream> {
        let mut text = format!("{head} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", self.port);
        headers.iter().for_each(|header| text += &format!("{header}\r\n"));
        if !body.is_empty() {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        text += "Connection: close\r\n\r\n";
        let mut bytes = text.into_bytes();
        bytes.extend_from_slice(body);
        self.raw(&bytes)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path}"), &[], b"")
    }

    /// Answer to a pure request.
    pub(crate) fn ask(&self, verb: &str, fields: &Value) -> Answer {
        self.send(&format!("POST /api/{verb}"), &[], fields.to_string().as_bytes())
    }

    fn with_token(&self) -> String {
        format!("X-Unriddle-Token: {}", self.token)
    }

    pub(crate) fn try_begin(&self, job: &Value) -> Answer {
        let body = json!({ "job": job }).to_string();
        self.send("POST /api/begin", &[&self.with_token()], body.as_bytes())
    }

    /// Begins a job.
    pub(crate) fn begin(&self, job: &Value) -> String {
        let answer = self.try_begin(job);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["job"].as_str().unwrap().to_owned()
    }

    pub(crate) fn delete(&self, job: &str) -> Answer {
        self.send(&format!("DELETE /api/jobs/{job}"), &[&self.with_token()], b"")
    }

    /// Listens to a job from the event after `after`.
    pub(crate) fn listen(&self, job: &str, after: u64) -> Stream {
        let head = format!("GET /api/jobs/{job}/events?after={after}");
        Stream::of(self.open(&head, &[], b""))
    }

    pub(crate) fn listen_again(&self, job: &str, last: u64) -> Stream {
        let head = format!("GET /api/jobs/{job}/events?after=0");
        Stream::of(self.open(&head, &[&format!("Last-Event-ID: {last}")], b""))
    }

    /// The end event of a job.
    pub(crate) fn end_of(&self, job: &str) -> Value {
        self.listen(job, 0).last().unwrap().1
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Answer of a server.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// Status and headers of an answer.
fn head(from: &mut BufReader<TcpStream>) -> Option<(u16, HashMap<String, String>)> {
    let mut line = String::new();
    from.read_line(&mut line).ok().filter(|&bytes| bytes > 0)?;
    let status = line.split(' ').nth(1)?.parse().ok()?;
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        match line.trim_end().split_once(": ") {
            None => return Some((status, headers)),
            Some((name, value)) => headers.insert(name.to_lowercase(), value.to_owned()),
        };
    }
}

/// The next piece of a body in pieces; empty at its end.
fn piece(from: &mut BufReader<TcpStream>) -> Vec<u8> {
    let mut line = String::new();
    if from.read_line(&mut line).unwrap() == 0 {
        return Vec::new();
    }
    let length = usize::from_str_radix(line.trim(), 16).unwrap();
    let mut piece = vec![0; length + 2];
    from.read_exact(&mut piece).unwrap();
    piece.truncate(length);
    piece
}

impl Answer {
    pub(crate) fn read(from: &mut BufReader<TcpStream>) -> Self {
        let Some((status, headers)) = head(from) else {
            return Self { status: 0, headers: HashMap::new(), body: Vec::new() };
        };
        let mut body = Vec::new();
        if headers.get("transfer-encoding").is_some_and(|kind| kind == "chunked") {
            loop {
                let piece = piece(from);
                if piece.is_empty() {
                    break;
                }
                body.extend(piece);
            }
        } else if let Some(length) = headers.get("content-length") {
            body = vec![0; length.parse().unwrap()];
            from.read_exact(&mut body).unwrap();
        }
        Self { status, headers, body }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    /// Message of an error with this status.
    pub(crate) fn refusal(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()["error"]["message"].as_str().unwrap().to_owned()
    }
}

/// Events of a job with their numbers, 0 for signs of life. It ends with the connection.
pub(crate) struct Stream {
    from: BufReader<TcpStream>,
    text: String,
    pub(crate) status: u16,
    has_ended: bool,
}

impl Stream {
    fn of(mut from: BufReader<TcpStream>) -> Self {
        let (status, headers) = head(&mut from).unwrap();
        if status == 200 {
            assert_eq!(headers["content-type"], "text/event-stream");
            assert_eq!(headers["cache-control"], "no-store");
        }
        Self { from, text: String::new(), status, has_ended: status != 200 }
    }

    /// The next event of a kind.
    pub(crate) fn until(&mut self, kind: &str) -> (u64, Value) {
        let begun = Instant::now();
        loop {
            let event = self.next().unwrap_or_else(|| panic!("the stream ended before {kind}"));
            if event.1["kind"] == kind {
                return event;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "no event {kind}");
        }
    }
}

impl Iterator for Stream {
    type Item = (u64, Value);

    fn next(&mut self) -> Option<(u64, Value)> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                let Some(data) = field("data: ") else { continue };
                let id = field("id: ").map_or(0, |id| id.parse().unwrap());
                return Some((id, serde_json::from_str(data).unwrap()));
            }
            if self.has_ended {
                return None;
            }
            let piece = piece(&mut self.from);
            self.has_ended = piece.is_empty();
            self.text += std::str::from_utf8(&piece).unwrap();
        }
    }
}
