//! The page's files, embedded in the program: the server reads no file.

use axum::body::Body;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

use super::answer::HttpError;

static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../web/page");

/// A file of the page, for every path that is not part of the API.
pub async fn asset(method: Method, uri: Uri) -> Response {
    let read = method == Method::GET || method == Method::HEAD;
    if !read && !uri.path().starts_with("/api/") {
        return HttpError::new(StatusCode::METHOD_NOT_ALLOWED, "method not allowed", "use GET; `/openapi.json` describes the API")
            .into_response();
    }
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let kind = match name.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "js")) => "text/javascript",
        Some((_, "css")) => "text/css",
        Some((_, "svg")) => "image/svg+xml",
        Some((_, "json")) => "application/json",
        Some((_, "png")) => "image/png",
        Some((_, "webmanifest")) => "application/manifest+json",
        _ => "application/octet-stream",
    };
    // Names are looked up in a list made at build time, so no path can escape from it.
    match PAGE.get_file(name) {
        Some(found) => file(kind, Body::from(found.contents())),
        None => HttpError::new(StatusCode::NOT_FOUND, "path not found", "the page is at `/`, and `/openapi.json` describes the API")
            .into_response(),
    }
}

fn file(kind: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    // A newer program must not meet an older page.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
