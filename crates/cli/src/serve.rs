//! `unriddle serve`: the page and its server.

use crate::{
    args::Serve as Options,
    exit::{Failure, INPUT, INTERNAL, note},
    identity, inputs,
    output::print,
    signal,
    validate::drawn,
};
use std::{
    net::{IpAddr, Ipv4Addr},
    process::{Command, Stdio},
};
use unriddle_catalog::{Registry, tables::Cache};
use unriddle_studio::server::{Limits, Program, ServeError, Server, Settings};

pub(crate) fn run(registry: &Registry, options: &Options) -> Result<(), Failure> {
    let cancel = signal::cancel();
    let folder = inputs::cache_folder(&options.cache.folder);
    let cache = Cache::new(folder, inputs::cores(), inputs::policy(&options.cache));
    let jobs = options.jobs.map_or_else(inputs::cores, usize::from);
    let identity = identity();
    let settings = Settings {
        address: options.address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        port: options.port,
        results: options.results.clone(),
        lab: options.lab.clone(),
        runs: options.runs.clone(),
        program: Program {
            version: identity.version.to_owned(),
            revision: identity.revision.unwrap_or(identity.version).to_owned(),
            is_modified: identity.is_modified,
        },
        limits: Limits { draw: drawn, ..Limits::new(jobs) },
    };
    let server = Server::bind(registry.clone(), cache, settings)?;
    let address = server.address();
    if !address.ip().is_loopback() {
        note(&format!(
            "warning: everybody who reaches {address} can use this page and the time of this \
             computer; without --address only this computer can"
        ));
    }
    // A browser on this computer reaches a server on all addresses at the loopback address.
    let host = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(_) => IpAddr::V6(std::net::Ipv6Addr::LOCALHOST),
    };
    let page = format!("http://{}/", std::net::SocketAddr::new(host, address.port()));
    print(&format!("{page}\n"))?;
    if options.open {
        open(&page);
    }
    let stopped = server.run(&cancel);
    stopped.map_err(|error| Failure::new(INTERNAL, format!("the server stopped: {error}")))
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        match error {
            ServeError::Lab(error) => error.into(),
            ServeError::Address { .. } | ServeError::Runs(_) => Self::new(INPUT, error.to_string()),
            ServeError::System(_) => Self::new(INTERNAL, error.to_string()),
        }
    }
}

/// Opens a page in the browser. A system without one is no failure: the address was printed.
fn open(page: &str) {
    let (program, arguments): (_, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/c", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(page);
    let begun = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = begun {
        note(&format!(
            "the browser cannot be opened ({program}: {error}); open the address by hand"
        ));
    }
}
