//! Refuses cross-origin requests and, on loopback, unknown host names (DNS rebinding), and adds the security headers to every
//! response.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Server;
use super::answer::HttpError;

const HEADERS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    // This is less than the time after which the server closes an idle connection, so that clients do not send requests on a connection
    // that is being closed.
    (HeaderName::from_static("keep-alive"), "timeout=10"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// The content security policy, without the sites that may show the page in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors";

/// The sites that may show the page in a frame.
pub struct Frames {
    policy: HeaderValue,
    /// True if no site may show the page in a frame. Only in that case is `X-Frame-Options` sent, because that header cannot name an
    /// origin.
    none: bool,
}

impl Frames {
    pub fn new(origins: &[Origin]) -> Frames {
        let origins: Vec<&str> = origins.iter().map(|origin| origin.0.as_str()).collect();
        let none = origins.is_empty();
        let ancestors = if none { "'none'".to_owned() } else { origins.join(" ") };
        let policy = HeaderValue::from_str(&format!("{POLICY} {ancestors}")).expect("an origin has no control characters");
        Frames { policy, none }
    }
}

/// `SCHEME://HOST` or `SCHEME://HOST:PORT`, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Origin, String> {
        let text = text.trim().to_ascii_lowercase();
        let form = "expected an origin such as https://course.example.org or http://localhost:8080";
        let Some((scheme @ ("http" | "https"), rest)) = text.split_once("://") else { return Err(form.to_owned()) };
        if let Some((authority, _)) = rest.split_once(['/', '?', '#']) {
            return Err(format!("an origin has no path; use {scheme}://{authority}"));
        }
        if rest.contains('*') {
            return Err("an origin has no wildcard; repeat the option for every site".to_owned());
        }
        let (host, port) = rest.split_once(':').map_or((rest, None), |(host, port)| (host, Some(port)));
        let label = |label: &str| {
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            !label.is_empty() && label.len() <= 63 && label.bytes().all(fits)
        };
        // A content security policy cannot name IPv6 addresses.
        if host.len() > 253 || !host.split('.').all(label) {
            return Err(format!("the host is neither a name nor an IPv4 address; {form}"));
        }
        let digits = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
        if port.is_some_and(|port| !digits(port)) {
            return Err("the port is not a number from 1 to 65535".to_owned());
        }
        Ok(Origin(text))
    }
}

pub async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut response = match check(&server, request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_SECURITY_POLICY, server.frames.policy.clone());
    if server.frames.none {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    response
}

/// Checks the headers. On loopback, only local host names are accepted, because any other name may come from a DNS rebinding attack.
fn check(server: &Server, headers: &HeaderMap) -> Result<(), HttpError> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text(header::HOST) else {
        return Err(HttpError::new(StatusCode::BAD_REQUEST, "missing `Host` header", "send one"));
    };
    if server.local && !is_local(host) {
        let help = "open the page at the address that `kibitzer serve` prints";
        return Err(HttpError::new(StatusCode::FORBIDDEN, "unknown host", help));
    }
    match text(header::ORIGIN) {
        Some(origin) if origin.strip_prefix("http://") != Some(host) => {
            Err(HttpError::new(StatusCode::FORBIDDEN, "cross-origin request refused", "open this server's page directly"))
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
    use super::{Origin, is_local};

    #[test]
    fn origins_have_no_path_and_no_wildcard() {
        for text in ["https://a.example", "http://localhost:8080", "http://127.0.0.1:1", "https://xn--bcher-kva.example:65535"] {
            assert_eq!(text.parse(), Ok(Origin(text.to_owned())));
        }
        assert_eq!("HTTPS://A.Example".parse(), Ok(Origin("https://a.example".to_owned())));
        let wrong = "* null a.example //a.example ftp://a.example https:// https://a.example/ https://a.example/x https://*.example \
                     https://a.example:0 https://a.example:65536 https://a.example: https://a.example:+1 https://u@a.example \
                     https://a..example http://[::1]:80 https://b\u{fc}cher.example file:/// https://a.example?x https://a.example#x";
        let spaced = ["", "https://a.example; script-src *", "https://a.example 'self'", "https://a.example\r\nx: y"];
        for text in wrong.split_whitespace().chain(spaced) {
            assert!(text.parse::<Origin>().is_err_and(|error| error.len() > 10), "{text}");
        }
    }

    #[test]
    fn only_loopback_names_are_local() {
        for host in ["localhost", "localhost:8017", "LOCALHOST:1", "127.0.0.1:80", "127.0.0.1", "[::1]:8017", "[::1]", "127.1.2.3:5"] {
            assert!(is_local(host), "{host}");
        }
        for host in ["evil.example", "evil.example:80", "localhost.evil.example", "10.0.0.1:80", "", ":", "127.0.0.1.evil", "localhost:x"] {
            assert!(!is_local(host), "{host}");
        }
    }
}
