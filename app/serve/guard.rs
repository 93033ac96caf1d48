//! Refuses cross-origin requests and, on loopback, unknown host names (DNS rebinding), and adds the security headers to every
//! response.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Server;
use super::answer::HttpError;

const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

pub async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut response = match check(&server, request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// On loopback only local names are accepted: any other name for this address may be a foreign page's DNS rebinding.
fn check(server: &Server, headers: &HeaderMap) -> Result<(), HttpError> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text(header::HOST) else {
        return Err(HttpError::new(StatusCode::BAD_REQUEST, "missing `Host` header", "send one"));
    };
    if server.local && !is_local(host) {
        let help = "open the page by the address that `kibitzer serve` prints";
        return Err(HttpError::new(StatusCode::FORBIDDEN, "unknown host", help));
    }
    match text(header::ORIGIN) {
        Some(origin) if origin.strip_prefix("http://") != Some(host) => {
            Err(HttpError::new(StatusCode::FORBIDDEN, "cross-origin request refused", "open the page of this server itself"))
        }
        _ => Ok(()),
    }
}

/// `localhost`, `127.0.0.1` or `[::1]`, with or without a port.
fn is_local(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || address.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_local;

    #[test]
    fn only_loopback_names_are_local() {
        for host in ["localhost", "localhost:8017", "LOCALHOST:1", "127.0.0.1:80", "127.0.0.1", "[::1]:8017", "[::1]", "127.1.2.3:5"] {
            assert!(is_local(host), "{host}");
        }
        for host in
            ["evil.example", "evil.example:8017", "localhost.evil.example", "10.0.0.1:8017", "", ":", "127.0.0.1.evil", "localhost:x"]
        {
            assert!(!is_local(host), "{host}");
        }
    }
}
