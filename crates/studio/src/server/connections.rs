//! Connections: accepts them within a limit, and ends them when the server stops.

use axum::Router;
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use std::{sync::Arc, time::Duration};
use tokio::{
    net::TcpListener,
    select,
    sync::{Semaphore, watch},
    task::JoinSet,
    time::{sleep, timeout},
};

/// Bytes and number of the headers of a request.
const HEAD: usize = 1 << 16;
const HEADERS: usize = 64;

/// Answers the requests of all connections until `stop` becomes true, then waits for answers under
/// way, at most for `grace`.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    most: usize,
    patience: Duration,
    grace: Duration,
    mut stop: watch::Receiver<bool>,
) {
    let free = Arc::new(Semaphore::new(most));
    let mut open = JoinSet::new();
    loop {
        while open.try_join_next().is_some() {}
        let accepted = select! {
            accepted = accept(&listener, &free) => accepted,
            _ = stop.wait_for(|&stop| stop) => break,
        };
        let Some((stream, permit)) = accepted else { continue };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
            hyper::service::Service::call(&service, request)
        });
        let mut stop = stop.clone();
        open.spawn(async move {
            let _permit = permit;
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(patience)
                .max_headers(HEADERS)
                .max_buf_size(HEAD)
                .serve_connection(TokioIo::new(stream), service);
            let mut connection = std::pin::pin!(connection);
            // An error of a connection is the end of the connection.
            select! {
                _ = connection.as_mut() => return,
                _ = stop.wait_for(|&stop| stop) => connection.as_mut().graceful_shutdown(),
            }
            let _ = connection.await;
        });
    }
    drop(listener);
    let _ = timeout(grace, async { while open.join_next().await.is_some() {} }).await;
}

/// The next connection, once fewer than the most are open. `None` after an error that passes, such
/// as too many open files.
async fn accept(
    listener: &TcpListener,
    free: &Arc<Semaphore>,
) -> Option<(tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let permit = Arc::clone(free).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => Some((stream, permit)),
        Err(_) => {
            sleep(Duration::from_millis(50)).await;
            None
        }
    }
}
