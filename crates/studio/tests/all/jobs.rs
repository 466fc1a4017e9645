//! Jobs: events, resumption, cancellation, the queue, crashes, the end of the server.

use crate::client::{Running, endless, settings, short};
use serde_json::{Value, json};
use std::{
    thread::sleep,
    time::{Duration, Instant},
};

#[test]
fn a_solve_reports_its_events_in_order() {
    let server = Running::start(settings());
    let job = server.begin(&short());
    let events: Vec<(u64, Value)> = server.listen(&job, 0).collect();
    let ids: Vec<u64> = events.iter().map(|(id, _)| *id).collect();
    assert!(ids.is_sorted() && ids[0] == 1, "{ids:?}");
    assert!(events.iter().all(|(id, event)| event["id"] == *id));
    assert_eq!(events[0].1["kind"], "begun");
    assert_eq!(events[0].1["solver"], "astar(blind)");
    let (_, end) = events.last().unwrap();
    assert_eq!((&end["kind"], &end["cancelled"]), (&json!("ended"), &json!(false)));
    let record = &end["record"];
    assert_eq!((&record["status"], &record["value"]), (&json!("optimal"), &json!(15)));
    assert_eq!(record["checked"], true);
    // The events are kept, and the stream of a listener who has them all is empty.
    let last = *ids.last().unwrap();
    assert_eq!(server.listen(&job, 0).count(), ids.len());
    assert_eq!(server.listen(&job, last - 1).count(), 1);
    assert_eq!(server.listen(&job, last).status, 204);
    // A browser that connects again sends the number of its last event.
    assert_eq!(server.listen_again(&job, last - 1).count(), 1);
    assert_eq!(server.delete(&job).status, 200);
}

#[test]
fn a_listener_resumes_while_the_job_runs() {
    let server = Running::within(|limits| limits.beat = Duration::from_millis(30));
    let job = server.begin(&endless());
    let mut stream = server.listen(&job, 0);
    stream.until("stats");
    let (beat, _) = stream.until("beat");
    assert_eq!(beat, 0);
    let (seen, _) = stream.until("stats");
    drop(stream);
    let (next, _) = server.listen_again(&job, seen).find(|(id, _)| *id > 0).unwrap();
    assert!(next > seen, "{next} after {seen}");
    // DELETE ends it with the counters so far.
    assert_eq!(server.delete(&job).status, 200);
    let end = server.end_of(&job);
    assert_eq!(
        (&end["cancelled"], &end["record"]["stopped_by"]),
        (&json!(true), &json!("cancelled"))
    );
}

#[test]
fn jobs_without_listeners_are_cancelled() {
    let server = Running::within(|limits| limits.unheard = Duration::from_millis(500));
    let never = server.begin(&endless());
    let heard = server.begin(&endless());
    let mut stream = server.listen(&heard, 0);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(900) {
        let (_, event) = stream.next().unwrap();
        assert_ne!(event["kind"], "ended");
    }
    // Its end was sent although nobody listened.
    assert_eq!(server.end_of(&never)["cancelled"], true);
    let (seen, _) = stream.until("stats");
    drop(stream);
    sleep(Duration::from_millis(1500));
    let rest: Vec<_> = server.listen(&heard, seen).collect();
    let (_, end) = rest.last().unwrap();
    assert_eq!((&end["kind"], &end["cancelled"]), (&json!("ended"), &json!(true)));
}

#[test]
fn jobs_wait_and_a_full_queue_refuses() {
    let server = Running::within(|limits| (limits.jobs, limits.waiting) = (1, 2));
    let first = server.begin(&endless());
    let (second, third) = (server.begin(&endless()), server.begin(&short()));
    let message = server.try_begin(&short()).refusal(429);
    assert!(message.starts_with("1 jobs run and 2 wait"), "{message}");
    let note = |job: &str, after| server.listen(job, after).next().unwrap();
    let (id, event) = note(&third, 0);
    assert_eq!((id, &event["kind"]), (1, &json!("stats")));
    assert_eq!(event["note"], "waiting for 2 other jobs");
    assert_eq!(note(&second, 0).1["note"], "waiting for 1 other job");
    // A waiting job that is cancelled ends at once, and the others move up.
    assert_eq!(server.delete(&second).status, 200);
    assert_eq!(server.end_of(&second), json!({"kind": "ended", "id": 2, "cancelled": true}));
    assert_eq!(note(&third, 1).1["note"], "waiting for 1 other job");
    server.delete(&first);
    assert_eq!(server.end_of(&third)["record"]["status"], "optimal");
    assert_eq!(server.end_of(&first)["cancelled"], true);
}

#[test]
fn ended_jobs_are_forgotten() {
    let server = Running::within(|limits| limits.ended = 2);
    let jobs: Vec<String> = (0..4).map(|_| server.begin(&short())).collect();
    jobs.iter().for_each(|job| drop(server.listen(job, 0).last()));
    sleep(Duration::from_millis(300));
    let known = jobs.iter().filter(|job| server.listen(job, 0).status == 200).count();
    assert_eq!(known, 2);
    let server = Running::within(|limits| limits.kept = Duration::from_millis(1));
    let job = server.begin(&short());
    sleep(Duration::from_millis(1500));
    server.get(&format!("/api/jobs/{job}/events")).refusal(404);
}

#[test]
fn a_panic_ends_only_its_request_or_job() {
    let server = Running::start(settings());
    let message = server.ask("load", &json!({"puzzle": "countdown", "text": "crash"})).refusal(500);
    assert!(message.contains("(this text crashes)") && message.contains("continues"), "{message}");
    let job =
        |instance: &str| json!({"kind": "solve", "puzzle": "countdown", "instance": instance});
    server.try_begin(&job("crash")).refusal(500);
    let crashed = server.begin(&job("20"));
    let message = server.end_of(&crashed)["error"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("(thirteen is not played)"), "{message}");
    let good = server.begin(&job("5"));
    assert_eq!(server.end_of(&good)["record"]["value"], 5);
}

#[test]
fn limits_of_time_end_a_job() {
    let server = Running::within(|limits| limits.time = Duration::from_millis(300));
    // Without a time of its own, a job has the limit of the server.
    let job = server.begin(&endless());
    let events: Vec<Value> = server.listen(&job, 0).map(|(_, event)| event).collect();
    let note = |event: &Value| event["note"].as_str().is_some_and(|n| n.starts_with("stopped"));
    assert!(events.iter().any(note), "{events:?}");
    assert_eq!(events.last().unwrap()["record"]["stopped_by"], "cancelled");
    let mut job = endless();
    job["seconds"] = json!(0.2);
    assert_eq!(server.end_of(&server.begin(&job))["record"]["stopped_by"], "time");
    job["kind"] = json!("review");
    job["line"] = json!("1-2 2-1 ".repeat(20));
    job["seconds"] = json!(null);
    // Each position has its own time; the whole review has the limit of a job.
    let (job, begun) = (server.begin(&job), Instant::now());
    assert_eq!(server.end_of(&job)["cancelled"], true);
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[test]
fn limits_of_memory_end_a_job() {
    let server = Running::within(|limits| limits.memory = 1 << 20);
    let mut job = endless();
    job["solver"] = json!("astar(blind)");
    assert_eq!(server.end_of(&server.begin(&job))["record"]["stopped_by"], "memory");
    // A job cannot ask for more.
    job["memory"] = json!(1_u64 << 40);
    assert_eq!(server.end_of(&server.begin(&job))["record"]["stopped_by"], "memory");
}

#[test]
fn reviews_and_validations_are_jobs() {
    let server = Running::start(settings());
    let review = json!({"kind": "review", "puzzle": "hanoi", "instance": "1 1 1",
        "line": "1-3 1-2 3-2 1-3"});
    let job = server.begin(&review);
    let (_, event) = server.listen(&job, 0).filter(|(_, e)| e["kind"] == "review").last().unwrap();
    assert_eq!(event["done"], event["of"]);
    let validate = json!({"kind": "validate", "puzzle": "hanoi", "text": "1 1 1"});
    let job = server.begin(&validate);
    let (_, event) = server.listen(&job, 0).until("validated");
    assert!(event["html"].as_str().unwrap().contains('<'), "{event}");
    assert_eq!(server.end_of(&job)["error"], json!(null));
}

#[test]
fn a_server_that_stops_sends_the_ends_of_its_jobs() {
    let mut server = Running::within(|limits| limits.jobs = 1);
    let (running, waiting) = (server.begin(&endless()), server.begin(&short()));
    let (mut one, two) = (server.listen(&running, 0), server.listen(&waiting, 0));
    one.until("stats");
    let begun = Instant::now();
    server.stop();
    let (_, end) = one.last().unwrap();
    assert_eq!((&end["kind"], &end["cancelled"]), (&json!("ended"), &json!(true)));
    assert_eq!(end["record"]["status"], "stopped");
    assert_eq!(two.last().unwrap().1["cancelled"], true);
    server.end();
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}
