//! The server of the page: HTTP on this machine.
//!
//! | module | contents |
//! |---|---|
//! | `settings` | settings and limits |
//! | `connections` | connections within limits of number and time |
//! | `routes`, `body`, `failure` | requests, their bodies, refused requests |
//! | `guard`, `secret` | refusal of foreign requests, unguessable names |
//! | `page` | files of the page |
//! | `queue`, `work`, `job`, `log` | jobs: waiting, running, their events |
//! | `events` | events as a stream that a browser resumes |
//! | `results`, `experiments`, `runs` | finished solves, the lab, training and tuning |
//!
//! One thread serves all connections. A job has a thread while it runs, and other requests that
//! take a while are answered by a small pool. The rules of a puzzle that panic end their job or
//! their request, and nothing else.

mod body;
mod connections;
mod events;
mod experiments;
mod failure;
mod guard;
mod job;
mod log;
#[cfg(test)]
mod openapi;
mod page;
mod queue;
mod results;
mod routes;
mod runs;
mod secret;
mod settings;
mod work;

pub use settings::{Limits, Program, Settings};

use crate::api::Api;
use body::Reader;
use experiments::Experiments;
use guard::Guard;
use queue::{Queue, STACK};
use results::Results;
use routes::{Site, router};
use runs::Runs;
use std::{
    fmt, io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    runtime::{Builder, Runtime},
    sync::{Semaphore, watch},
    time::sleep,
};
use unriddle_catalog::{Cancel, Registry, tables::Cache};
use unriddle_lab::LabError;

/// Time in which jobs end when the server stops.
const ENDS: Duration = Duration::from_millis(1500);

/// Time in which the last answers are sent when the server stops.
const GRACE: Duration = Duration::from_millis(400);

/// Interval in which the server looks for a raised flag.
const TICK: Duration = Duration::from_millis(50);

/// Reason why a server cannot begin.
#[derive(Debug)]
pub enum ServeError {
    /// The address cannot be used.
    Address {
        /// The address.
        address: SocketAddr,
        /// Error of the system.
        error: io::Error,
    },
    /// A database cannot be opened.
    Lab(LabError),
    /// A folder of runs cannot be read.
    Runs(String),
    /// The system lacks threads or random numbers.
    System(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address { address, error } if error.kind() == io::ErrorKind::AddrInUse => {
                let port = address.port();
                write!(f, "port {port} is in use, perhaps by another server; give another --port")
            }
            Self::Address { address, error } => write!(f, "cannot listen at {address}: {error}"),
            Self::Lab(error) => error.fmt(f),
            Self::Runs(error) => f.write_str(error),
            Self::System(error) => write!(f, "the server cannot begin: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Server that listens and does not answer yet.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    site: Arc<Site>,
}

impl Server {
    /// Listens at the address of the settings. Jobs take their tables from `cache`.
    ///
    /// # Errors
    /// The port is in use, or a file of the settings cannot be read.
    pub fn bind(registry: Registry, cache: Cache, settings: Settings) -> Result<Self, ServeError> {
        let Settings { address, port, results, lab, runs, program, limits } = settings;
        let results = Results::open(results.as_deref(), program).map_err(ServeError::Lab)?;
        let results = Arc::new(results);
        let experiments = Experiments::open(&lab).map_err(ServeError::Lab)?;
        let runs = Runs::open(&runs).map_err(ServeError::Runs)?;
        let token = secret::name().map_err(|error| ServeError::System(io::Error::other(error)))?;
        let address = SocketAddr::new(address, port);
        let failed = |error| ServeError::Address { address, error };
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        // Requests are short: a few more than cores keep the cores busy.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .thread_stack_size(STACK)
            .max_blocking_threads(cores + 2)
            .build()
            .map_err(ServeError::System)?;
        let site = Arc::new(Site {
            api: Api::new(registry),
            guard: Guard::new(address, token),
            queue: Arc::new(Queue::new(limits.clone(), cache, Arc::clone(&results))),
            bodies: Reader::new(limits.patience),
            limits,
            results,
            experiments,
            runs,
            answering: Semaphore::new(cores + 2),
        });
        Ok(Self { runtime, listener, address, site })
    }

    /// Address that the server listens at.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `cancel` is raised. Running jobs are then cancelled, and their
    /// listeners receive the end events.
    ///
    /// # Errors
    /// The system does not accept the listener.
    pub fn run(self, cancel: &Cancel) -> io::Result<()> {
        let Self { runtime, listener, site, .. } = self;
        let (stop, stopped) = watch::channel(false);
        let done = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let limits = &site.limits;
            let (most, patience) = (limits.connections, limits.patience);
            let router = router(Arc::clone(&site));
            let serving = connections::serve(listener, router, most, patience, GRACE, stopped);
            tokio::join!(serving, watch(&site.queue, cancel, &stop));
            Ok(())
        });
        // Threads that are busy end with the process.
        runtime.shutdown_background();
        done
    }
}

/// Cancels jobs that nobody listens to, until `cancel` is raised; then ends all jobs and stops the
/// connections.
async fn watch(queue: &Queue, cancel: &Cancel, stop: &watch::Sender<bool>) {
    while !cancel.is_cancelled() {
        sleep(TICK).await;
        queue.sweep();
    }
    queue.close();
    let closed = Instant::now();
    while !queue.has_ended() && closed.elapsed() < ENDS {
        sleep(TICK).await;
    }
    queue.abandon();
    stop.send_replace(true);
}
