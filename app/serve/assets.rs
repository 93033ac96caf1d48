//! The page's files, which are embedded in the program. The server reads no files.

use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

use super::answer::HttpError;

static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../web/page");

/// Serves a file of the page, for every path that is not part of the API.
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
    // The browser must not use an older page with a newer program.
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
    // Names are looked up in a list built at compile time, so no request can reach any other file.
    match PAGE.get_file(name) {
        Some(found) => (headers, found.contents()).into_response(),
        None => HttpError::new(StatusCode::NOT_FOUND, "path not found", "the page is at `/`, and `/openapi.json` describes the API")
            .into_response(),
    }
}
