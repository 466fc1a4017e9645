//! Guard of requests: only pages of this server are answered.
//!
//! A page of another site can make a browser send requests to this machine, and can point its own
//! name at it (DNS rebinding). The first kind of request has a foreign `Origin`, the second one a
//! foreign `Host`; both are refused. Requests that change something also need the token of the
//! page, which no other site can read.

use super::{failure::Failure, secret};
use axum::http::{HeaderMap, Method, Uri, header};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Header with the token.
const TOKEN: &str = "x-unriddle-token";

/// Names and token of a server.
pub(super) struct Guard {
    address: SocketAddr,
    token: String,
}

impl Guard {
    /// Guard of a server that listens at an address.
    pub(super) fn new(address: SocketAddr, token: String) -> Self {
        Self { address, token }
    }

    /// Token for the page.
    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Checks the sender and the token of a request.
    ///
    /// # Errors
    /// The request is foreign, or lacks the token that its method needs.
    pub(super) fn check(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), Failure> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        let named = uri.authority().is_none_or(|authority| Some(authority.as_str()) == host);
        let Some(host) = host.filter(|host| self.is_ours(host)) else {
            let mut here = self.address;
            if here.ip().is_unspecified() {
                here.set_ip(Ipv4Addr::LOCALHOST.into());
            }
            return Err(Failure::forbidden(format!(
                "the header Host does not name this server; open http://{here}/"
            )));
        };
        if !named || hosts.next().is_some() {
            return Err(Failure::forbidden("the request names two hosts"));
        }
        let origins = headers.get_all(header::ORIGIN).iter();
        let is_own = |origin: &axum::http::HeaderValue| {
            let page = origin.to_str().ok().and_then(|text| text.strip_prefix("http://"));
            page.is_some_and(|page| page.eq_ignore_ascii_case(host))
        };
        if !origins.into_iter().all(is_own) {
            return Err(Failure::forbidden(
                "the request comes from a page of another site; use the page of this server",
            ));
        }
        let is_begin = method == Method::POST && uri.path() == "/api/begin";
        if is_begin || method == Method::DELETE {
            let given = headers.get(TOKEN).map_or(&b""[..], |value| value.as_bytes());
            if !secret::is_same(&self.token, given) {
                return Err(Failure::forbidden(
                    "the header X-Unriddle-Token does not have the token of this server; \
                     reload the page",
                ));
            }
        }
        Ok(())
    }

    /// Whether a `Host` names this server: a loopback name or address, or the given address, with
    /// the port. A server on all addresses has many; a rebound name is never an address.
    fn is_ours(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let inner = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let address: Option<IpAddr> = match inner {
            Some(inner) => inner.parse().ok().filter(IpAddr::is_ipv6),
            None => name.parse().ok().filter(IpAddr::is_ipv4),
        };
        match address {
            Some(address) => {
                let bound = self.address.ip();
                address.is_loopback() || address == bound || bound.is_unspecified()
            }
            None => name.eq_ignore_ascii_case("localhost"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str) -> Guard {
        Guard::new(address.parse().unwrap(), "secret".to_owned())
    }

    #[test]
    fn hosts_of_this_server_are_known() {
        let own = guard("127.0.0.1:7878");
        for host in ["127.0.0.1:7878", "localhost:7878", "LOCALHOST:7878", "[::1]:7878"] {
            assert!(own.is_ours(host), "{host}");
        }
        for host in [
            "127.0.0.1",
            "127.0.0.1:80",
            "example.org:7878",
            "localhost.example.org:7878",
            "",
            "192.168.0.1:7878",
            "[::1]",
            "::1:7878",
            "[127.0.0.1]:7878",
            "localhost:7878:7878",
            "127.0.0.1:",
            "localhost:+7878x",
        ] {
            assert!(!own.is_ours(host), "{host}");
        }
        assert!(guard("0.0.0.0:7878").is_ours("192.168.0.1:7878"));
        assert!(!guard("0.0.0.0:7878").is_ours("example.org:7878"));
        assert!(guard("192.168.0.1:80").is_ours("192.168.0.1"));
        assert!(!guard("192.168.0.1:80").is_ours("192.168.0.2"));
    }
}
