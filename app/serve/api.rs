//! What can be asked about any game. `web/page/openapi.json` describes it, and `tests/serve.rs` holds the two together.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use kibitzer::catalog::{Entry, Puzzle};
use kibitzer::games;
use kibitzer::limits::Limits;
use kibitzer::notation::{OptionSpec, Options, shorten};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::answer::{Answer, Refusal, json_response};
use super::{Server, assets, guard, solving};

/// The largest request, in bytes.
const MOST_BODY: usize = 256 << 10;
/// The longest that a request may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);
/// The longest that reading and drawing a board may take.
const WORK_TIME: Duration = Duration::from_secs(15);
/// The largest board: bytes of a packed state, and shapes of its picture.
const MOST_STATE: usize = 640;
const MOST_SHAPES: usize = 12_000;
const MOST_MOVES: usize = 10_000;

pub fn router(server: Arc<Server>) -> Router {
    let wrong = || async { Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this cannot be asked in this way", "see `/openapi.json`") };
    Router::new()
        .route("/api/games", get(all_games))
        .route("/api/status", get(status))
        .route("/api/{game}/about", get(about))
        .route("/api/{game}/position", post(position))
        .route("/api/{game}/generate", post(generate))
        .route("/api/{game}/explain", post(explain))
        .route("/api/{game}/graph", post(graph))
        .route("/api/{game}/canvas", post(canvas))
        .route("/api/{game}/paint", post(paint))
        .route("/api/{game}/solve", post(solving::solve))
        .fallback(assets::asset)
        .method_not_allowed_fallback(wrong)
        .layer(middleware::from_fn_with_state(Arc::clone(&server), guard::guard))
        .with_state(server)
}

/// A board with the moves made on it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    pub instance: String,
    #[serde(default)]
    pub options: Map<String, Value>,
    #[serde(default)]
    pub moves: Vec<Value>,
}

/// A puzzle as it was given, and as it is after the moves.
type StartAndHere = (Box<dyn Puzzle>, Box<dyn Puzzle>);

impl Board {
    /// The puzzle as it was given, and as it is after the moves.
    pub fn read(&self, entry: &Entry) -> Result<StartAndHere, Refusal> {
        if self.moves.len() > MOST_MOVES {
            return Err(Refusal::board(format!("there are more than {MOST_MOVES} moves"), "begin with a later board"));
        }
        let start = entry.parse(&self.instance, &options(&self.options, entry.options)?)?;
        if start.state_bytes() > MOST_STATE {
            return Err(too_large());
        }
        let here = start.after(&self.moves)?;
        Ok((start, here))
    }
}

fn too_large() -> Refusal {
    Refusal::board("this board is too large for the page", "`kibitzer solve` takes larger ones")
}

fn options(given: &Map<String, Value>, known: &'static [OptionSpec]) -> Result<Options, Refusal> {
    let text = |(name, value): (&String, &Value)| match value {
        Value::String(value) => Ok(format!("{name}={value}")),
        Value::Number(value) => Ok(format!("{name}={value}")),
        _ => Err(Refusal::board(format!("option `{}` is neither text nor a number", shorten(name)), "write it as a string")),
    };
    let texts: Vec<String> = given.iter().map(text).collect::<Result<_, _>>()?;
    Ok(Options::parse(texts.iter().map(String::as_str), &known.iter().collect::<Vec<_>>())?)
}

pub fn find_game(name: &str) -> Result<&'static Entry, Refusal> {
    games::find(name).ok_or_else(|| {
        let names: Vec<&str> = games::GAMES.iter().map(|entry| entry.name).collect();
        let error = format!("there is no game `{}`", shorten(name));
        Refusal::new(StatusCode::NOT_FOUND, error, format!("the games are {}", names.join(", ")))
    })
}

/// The JSON of a request, of the expected form and of a sensible size.
pub async fn read_body<T: DeserializeOwned>(request: Request) -> Result<T, Refusal> {
    let is_json = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if is_json.is_none_or(|kind| !kind.starts_with("application/json")) {
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the request is not JSON", "send `Content-Type: application/json`"));
    }
    let too_long = || {
        let error = format!("the request is larger than {} kB, or broke off", MOST_BODY >> 10);
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error, "give a smaller board; `kibitzer solve` takes larger ones")
    };
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > MOST_BODY as u64) {
        return Err(too_long());
    }
    let bytes = match tokio::time::timeout(BODY_TIME, to_bytes(request.into_body(), MOST_BODY)).await {
        Ok(bytes) => bytes.map_err(|_| too_long())?,
        Err(_) => return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request does not come to its end", "send it at once")),
    };
    serde_json::from_slice(&bytes).map_err(|error| {
        let error = format!("the request cannot be understood: {error}");
        Refusal::new(StatusCode::BAD_REQUEST, error, "`/openapi.json` says what it must look like")
    })
}

/// Reads a request and answers it on a thread where that may take its time.
async fn ask<T>(server: &Server, game: &str, request: Request, work: fn(&'static Entry, T) -> Answer) -> Response
where
    T: DeserializeOwned + Send + 'static,
{
    let answer = async {
        let entry = find_game(game)?;
        let asked = read_body::<T>(request).await?;
        work_on(server, move || work(entry, asked)).await
    };
    respond(answer.await)
}

/// Works at a desk, of which there are a few. Work cannot be broken off: if it takes too long its desk stays taken until it is
/// done, but nobody has to wait for it.
async fn work_on(server: &Server, work: impl FnOnce() -> Answer + Send + 'static) -> Answer {
    let desk = Arc::clone(&server.desk);
    let done = async {
        let seat = desk.acquire_owned().await.map_err(|_| Refusal::internal())?;
        let work = move || {
            let _seat = seat;
            work()
        };
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Refusal::internal()))
    };
    let late = |_| Err(Refusal::board("this takes too long for the page", "take a smaller board, or use `kibitzer` on the command line"));
    tokio::time::timeout(WORK_TIME, done).await.unwrap_or_else(late)
}

fn respond(answer: Answer) -> Response {
    match answer {
        Ok(value) => json_response(StatusCode::OK, &value),
        Err(refusal) => refusal.into_response(),
    }
}

fn sample(entry: &Entry) -> Result<Box<dyn Puzzle>, Refusal> {
    entry.parse(entry.sample, &Options::default()).map_err(|_| Refusal::internal())
}

async fn all_games(State(server): State<Arc<Server>>) -> Response {
    let game = |entry: &Entry| -> Answer {
        let scene = sample(entry)?.position().scene;
        Ok(json!({"name": entry.name, "about": entry.about, "players": entry.players, "scene": scene}))
    };
    respond(work_on(&server, move || games::GAMES.iter().map(game).collect()).await)
}

async fn status(State(server): State<Arc<Server>>) -> Response {
    let solving = server.most_solves - server.solves.available_permits();
    let limits = json!({"seconds": server.seconds, "bytes": server.bytes, "solves": server.most_solves, "body": MOST_BODY});
    respond(Ok(json!({"version": env!("CARGO_PKG_VERSION"), "solving": solving, "limits": limits})))
}

async fn about(State(server): State<Arc<Server>>, Path(game): Path<String>) -> Response {
    let work = move || {
        let entry = find_game(&game)?;
        let options = |specs: &[OptionSpec]| -> Value {
            specs.iter().map(|spec| json!({"name": spec.name, "about": spec.about, "default": spec.default})).collect()
        };
        Ok(json!({
            "name": entry.name, "about": entry.about, "players": entry.players, "rules": entry.rules, "sample": entry.sample,
            "options": options(entry.options), "generate_options": options(entry.generate_options.unwrap_or_default()),
            "instances": assets::instances(entry.name),
        }))
    };
    respond(work_on(&server, work).await)
}

async fn position(State(server): State<Arc<Server>>, Path(game): Path<String>, request: Request) -> Response {
    let work = |entry: &'static Entry, board: Board| {
        let (start, here) = board.read(entry)?;
        let cost = start.cost(&board.moves)?;
        let position = here.position();
        if position.scene.shapes.len() > MOST_SHAPES {
            return Err(too_large());
        }
        let legal: Value = position.moves.iter().map(|legal| json!({"text": legal.text, "cost": legal.cost})).collect();
        let start = if board.moves.is_empty() { position.instance.clone() } else { start.position().instance };
        let methods: Value = here
            .methods()
            .into_iter()
            .map(|info| json!({"name": info.name, "about": info.about, "optimal": info.optimal, "course": info.course}))
            .collect();
        Ok(json!({
            "game": entry.name, "start": start, "instance": position.instance, "made": board.moves.len(), "cost": cost,
            "goal": position.goal, "scene": position.scene, "legal": legal, "methods": methods,
            "editable": here.editor().is_some_and(|editor| !editor.brushes().is_empty()), "turn": here.duel().map(|duel| duel.turn()),
        }))
    };
    ask(&server, &game, request, work).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    options: Map<String, Value>,
}

async fn generate(State(server): State<Arc<Server>>, Path(game): Path<String>, request: Request) -> Response {
    let work = |entry: &'static Entry, wish: Wish| {
        let instance = (entry.generate)(wish.seed, &options(&wish.options, entry.generate_options.unwrap_or_default())?, &Limits::none())?;
        if instance.len() > MOST_BODY / 2 {
            return Err(too_large());
        }
        Ok(json!({"instance": instance}))
    };
    ask(&server, &game, request, work).await
}

async fn explain(State(server): State<Arc<Server>>, Path(game): Path<String>, request: Request) -> Response {
    let work = |entry: &'static Entry, board: Board| {
        let (_, here) = board.read(entry)?;
        Ok(json!({"remark": here.explain(&Limits::none())}))
    };
    ask(&server, &game, request, work).await
}

/// Most positions of a graph that can still be looked at, and the work that finding them may take.
const MOST_POSITIONS: u64 = 600;

/// All positions of a two-player game that can be reached, in layers.
async fn graph(State(server): State<Arc<Server>>, Path(game): Path<String>, request: Request) -> Response {
    let work = |entry: &'static Entry, board: Board| {
        let (_, here) = board.read(entry)?;
        let duel = here.duel().ok_or_else(|| Refusal::board(format!("{} is for one player", entry.name), "ask for a two-player game"))?;
        let positions = duel.graph(true, MOST_POSITIONS, &Limits::none()).map_err(|_| {
            Refusal::board(format!("there are more than {MOST_POSITIONS} positions to draw"), "make some moves, or take a smaller board")
        })?;
        let instances: Vec<&str> = positions.nodes.iter().map(|node| node.instance.as_str()).collect();
        Ok(json!({"positions": instances.len(), "scene": positions.scene(), "instances": instances}))
    };
    ask(&server, &game, request, work).await
}

/// The board for editing.
fn edited(instance: &str, puzzle: &dyn Puzzle) -> Answer {
    let editor = puzzle.editor().ok_or_else(|| Refusal::board("this board cannot be edited", "write it as text"))?;
    let scene = editor.canvas();
    if scene.shapes.len() > MOST_SHAPES {
        return Err(too_large());
    }
    Ok(json!({"instance": instance, "scene": scene, "brushes": editor.brushes()}))
}

async fn canvas(State(server): State<Arc<Server>>, Path(game): Path<String>, request: Request) -> Response {
    let work = |entry: &'static Entry, board: Board| {
        let (_, here) = board.read(entry)?;
        edited(&here.position().instance, &*here)
    };
    ask(&server, &game, request, work).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stroke {
    instance: String,
    brush: String,
    #[serde(default)]
    shapes: Vec<String>,
}

async fn paint(State(server): State<Arc<Server>>, Path(game): Path<String>, request: Request) -> Response {
    let work = |entry: &'static Entry, stroke: Stroke| {
        let board = Board { instance: stroke.instance, options: Map::new(), moves: Vec::new() };
        let (start, _) = board.read(entry)?;
        let shapes: Vec<&str> = stroke.shapes.iter().map(String::as_str).collect();
        let text = start.editor().and_then(|editor| editor.paint(&stroke.brush, &shapes)).ok_or_else(|| {
            Refusal::board(format!("`{}` cannot be used there", shorten(&stroke.brush)), "the brushes are listed with the canvas")
        })?;
        let changed = Board { instance: text, options: Map::new(), moves: Vec::new() };
        let (puzzle, _) = changed.read(entry)?;
        edited(&changed.instance, &*puzzle)
    };
    ask(&server, &game, request, work).await
}
