//! The page's files and the boards to pick from, both part of the program: the server reads no file.

use axum::body::Body;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};
use kibitzer::scene;
use serde_json::{Map, Value, json};

use super::answer::Refusal;

static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/web/page");
static INSTANCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/instances");

/// A file of the page: what is asked for by any path that is not part of the API.
pub async fn asset(method: Method, uri: Uri) -> Response {
    let read = method == Method::GET || method == Method::HEAD;
    if !read && !uri.path().starts_with("/api/") {
        return Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "pages can only be read", "see `/openapi.json`").into_response();
    }
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    if name == "palette.css" {
        return file("text/css", Body::from(scene::palette()));
    }
    let kind = match name.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "js")) => "text/javascript",
        Some((_, "css")) => "text/css",
        Some((_, "svg")) => "image/svg+xml",
        Some((_, "json")) => "application/json",
        _ => "application/octet-stream",
    };
    // Names are looked up in a list that was made when the program was built: no path leads anywhere else.
    match PAGE.get_file(name) {
        Some(found) => file(kind, Body::from(found.contents())),
        None => {
            Refusal::new(StatusCode::NOT_FOUND, "there is nothing here", "the page is at `/`, and `/openapi.json` lists what can be asked")
                .into_response()
        }
    }
}

fn file(kind: &'static str, body: Body) -> Response {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    // A newer program must not meet an older page.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// Longer boards are for files.
const MOST_TEXT: usize = 20_000;

/// The boards of a game that come with the program: name, text, options, and what the header says about them.
pub fn instances(game: &str) -> Value {
    let files = INSTANCES.get_dir(game).into_iter().flat_map(Dir::files);
    let mut rows: Vec<Value> = files
        .filter_map(|file| {
            let (name, text) = (file.path().file_stem()?.to_str()?, file.contents_utf8()?);
            let said = |key: &str| text.lines().find_map(|line| line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": "));
            let options: Map<String, Value> = said("options")
                .into_iter()
                .flat_map(str::split_whitespace)
                .filter_map(|option| option.split_once('='))
                .map(|(name, value)| (name.to_owned(), json!(value)))
                .collect();
            (text.len() <= MOST_TEXT)
                .then(|| json!({"name": name, "text": text, "options": options, "source": said("source"), "answer": said("answer")}))
        })
        .collect();
    rows.sort_by_key(|row| row["name"].to_string());
    Value::Array(rows)
}
