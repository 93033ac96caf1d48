//! The server from outside: every game by the API alone, what the description of the API promises, hostile requests, many
//! clients at once, and solves that nobody waits for any more.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kibitzer::games::GAMES;
use serde_json::{Value, json};

/// A running server, ended with the test.
struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(args: &[&str]) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    let mut child = command.args(["serve", "--port", "0"]).args(args).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("it says where it is");
    let port = line.split("localhost:").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    Server { child, port: port.unwrap_or_else(|| panic!("no port in `{line}`")) }
}

struct Response {
    status: u16,
    headers: String,
    body: Vec<u8>,
}

impl Response {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// The data of the events with this name.
    fn events(&self, name: &str) -> Vec<Value> {
        let text = String::from_utf8(self.body.clone()).expect("text");
        let data = |event: &str| event.lines().find_map(|line| line.strip_prefix("data: ")).map(str::to_owned);
        let events = text.split("\n\n").filter(|event| event.contains(&format!("event: {name}")));
        events.filter_map(data).map(|data| serde_json::from_str(&data).expect("JSON")).collect()
    }
}

impl Server {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("settable");
        stream
    }

    /// Sends bytes as they are and reads the answer to its end.
    fn raw(&self, request: &[u8]) -> Response {
        let mut stream = self.connect();
        // A refused body may find the door closed.
        let _ = stream.write_all(request);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        let split = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or_else(|| panic!("no answer to {:?}", start(request)));
        let headers = String::from_utf8_lossy(&all[..split]).to_lowercase();
        let status = headers.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Response { status, headers, body: all[split + 4..].to_vec() }
    }

    /// HTTP/1.0, so that the answer ends with the connection and is not cut into chunks.
    fn head(&self, line: &str, body: &[u8], more: &str) -> String {
        format!(
            "{line} HTTP/1.0\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{more}\r\n",
            self.port,
            body.len()
        )
    }

    fn get(&self, path: &str) -> Response {
        self.raw(self.head(&format!("GET {path}"), b"", "").as_bytes())
    }

    fn post(&self, path: &str, body: &Value) -> Response {
        let body = body.to_string().into_bytes();
        self.raw(&[self.head(&format!("POST {path}"), &body, "").as_bytes(), &body].concat())
    }

    /// Posts and leaves the answer to be read.
    fn begin(&self, path: &str, body: &Value) -> TcpStream {
        let body = body.to_string().into_bytes();
        let mut stream = self.connect();
        stream.write_all(&[self.head(&format!("POST {path}"), &body, "").as_bytes(), &body].concat()).expect("it listens");
        stream
    }

    fn solving(&self) -> u64 {
        self.get("/api/status").json()["solving"].as_u64().expect("a number")
    }

    /// Bytes in memory, where the system says so.
    fn memory(&self) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
    }
}

fn start(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(120)]).into_owned()
}

/// A board that no method finishes with soon.
fn hard() -> Value {
    let text = std::fs::read_to_string(common::root().join("instances/pegs/english-priced.txt")).expect("there");
    json!({"instance": text, "method": "bfs"})
}

#[test]
fn the_page_is_there_and_small() {
    let server = serve(&[]);
    let mut total = 0;
    for entry in std::fs::read_dir(common::root().join("web/page")).expect("there") {
        let path = entry.expect("readable").path();
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let response = server.get(&format!("/{name}"));
        assert_eq!((response.status, &response.body), (200, &bytes), "{name}: is the program older than the page?");
        total += bytes.len();
        if name == "openapi.json" {
            continue;
        }
        let text = String::from_utf8(bytes).expect("text");
        assert!(!text.replace("http://www.w3.org", "").contains("://"), "{name} asks another host");
        for entry in GAMES {
            assert!(!text.to_lowercase().contains(&format!("'{}'", entry.name)), "{name} names {}", entry.name);
        }
    }
    let page = server.get("/");
    assert!(page.headers.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{}", page.headers);
    assert!(page.headers.contains("x-content-type-options: nosniff") && page.headers.contains("text/html"), "{}", page.headers);
    assert!(String::from_utf8_lossy(&server.get("/palette.css").body).contains("--red-fill"));
    assert!(total < 300_000, "{total} bytes, and not even compressed");
}

/// Does a value have the form that a schema says? The error says where not.
fn fits(value: &Value, schema: &Value, all: &Value, at: &str) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        return fits(value, all.pointer(name.trim_start_matches('#')).expect("it is defined"), all, at);
    }
    if let Some(options) = schema["oneOf"].as_array() {
        let one = options.iter().any(|schema| fits(value, schema, all, at).is_ok());
        return if one { Ok(()) } else { Err(format!("{at}: fits none of {options:?}")) };
    }
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => value.is_null(),
    };
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is(kind)) {
        return Err(format!("{at}: {value} is not {kinds:?}"));
    }
    if schema["enum"].as_array().is_some_and(|values| !values.contains(value)) {
        return Err(format!("{at}: {value} is none of {}", schema["enum"]));
    }
    for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.is_object() && value.get(key).is_none() {
            return Err(format!("{at}: `{key}` is missing"));
        }
    }
    for (key, inner) in value.as_object().into_iter().flatten() {
        if let Some(schema) = schema["properties"].get(key) {
            fits(inner, schema, all, &format!("{at}.{key}"))?;
        }
    }
    for (number, inner) in value.as_array().into_iter().flatten().enumerate() {
        fits(inner, &schema["items"], all, &format!("{at}[{number}]"))?;
    }
    Ok(())
}

#[test]
fn the_description_of_the_api_is_true() {
    let server = serve(&[]);
    let api = server.get("/openapi.json").json();
    let source = std::fs::read_to_string(common::root().join("app/serve/api.rs")).expect("there");
    let mut routes: Vec<&str> = source.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let mut described: Vec<&str> = api["paths"].as_object().expect("paths").keys().map(String::as_str).collect();
    routes.sort_unstable();
    described.sort_unstable();
    assert_eq!(routes, described);
    for entry in GAMES {
        let sample = json!({"instance": entry.sample});
        let canvas = server.post(&format!("/api/{}/canvas", entry.name), &sample).json();
        let act = canvas["brushes"].as_array().into_iter().flatten().find(|brush| brush["clicks"] == 0);
        for (path, methods) in api["paths"].as_object().expect("paths") {
            for (method, about) in methods.as_object().expect("methods") {
                let filled = path.replace("{game}", entry.name);
                if filled.ends_with("/graph") && entry.players == 1 {
                    assert_eq!(server.post(&filled, &sample).status, 422, "{filled}");
                    continue;
                }
                let body = about["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str().unwrap_or_default();
                let asked = match body.rsplit('/').next() {
                    Some("Wish") => json!({"seed": 3}),
                    Some("Stroke") => match act {
                        Some(brush) => json!({"instance": entry.sample, "brush": brush["name"]}),
                        None => continue,
                    },
                    _ => sample.clone(),
                };
                let response = if method == "get" { server.get(&filled) } else { server.post(&filled, &asked) };
                assert_eq!(response.status, 200, "{filled}: {}", start(&response.body));
                let content = &about["responses"]["200"]["content"];
                let checked = match content["application/json"]["schema"].as_object() {
                    Some(schema) => fits(&response.json(), &json!(schema), &api, &filled),
                    None => {
                        let reports = response.events("report");
                        assert_eq!(reports.len(), 1, "{filled}: one report");
                        let progress = response.events("progress");
                        let schema = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
                        fits(&reports[0], &schema("Solved"), &api, &filled)
                            .and_then(|()| progress.iter().try_for_each(|event| fits(event, &schema("Progress"), &api, &filled)))
                    }
                };
                checked.unwrap_or_else(|error| panic!("{error}"));
                // What is promised for every request must be refused when it is broken, in the same words.
                if method == "post" {
                    let refused = server.post(&filled, &json!({"instance": 7, "seed": "x"}));
                    assert_eq!(refused.status, 400, "{filled}");
                    fits(&refused.json(), &json!({"$ref": "#/components/schemas/Error"}), &api, &filled).unwrap();
                }
            }
        }
    }
}

#[test]
fn every_game_is_played_to_the_end_by_the_api_alone() {
    let server = serve(&[]);
    for entry in GAMES.iter().filter(|entry| entry.players == 1) {
        let path = |what: &str| format!("/api/{}/{what}", entry.name);
        let about = server.get(&path("about")).json();
        let mut boards = vec![json!({"instance": about["sample"]})];
        boards.push(server.post(&path("generate"), &json!({"seed": 5})).json());
        for instance in about["instances"].as_array().expect("a list") {
            let board = json!({"instance": instance["text"], "options": instance["options"]});
            let position = server.post(&path("position"), &board);
            assert_eq!(position.status, 200, "{}: {}", instance["name"], start(&position.body));
        }
        for board in boards {
            let solved = server.post(&path("solve"), &board).events("report").remove(0);
            assert_eq!(solved["report"]["verdict"], "solved");
            let plan = solved["plan"].as_array().expect("a plan").clone();
            for made in 0..=plan.len() {
                let here = json!({"instance": board["instance"], "moves": plan[..made]});
                let position = server.post(&path("position"), &here).json();
                assert_eq!(position["goal"], json!(made == plan.len()), "{} after {made} moves", entry.name);
                assert_eq!(position["made"], json!(made));
                match plan.get(made) {
                    Some(next) => {
                        let legal = position["scene"]["moves"].as_array().expect("moves");
                        assert!(legal.iter().any(|gesture| gesture["text"] == *next), "{next} can be clicked");
                    }
                    None => assert_eq!(position["cost"], solved["report"]["cost"]),
                }
            }
        }
    }
}

#[test]
fn proofs_are_drawn_and_boards_are_edited() {
    let server = serve(&[]);
    let board = json!({"instance": "1000\n0000\n0000\n0000"});
    let solved = server.post("/api/moles/solve", &board).events("report").remove(0);
    assert_eq!(solved["report"]["verdict"], "unsolvable");
    assert_eq!(solved["remark"]["tints"].as_array().map(Vec::len), solved["report"]["why"]["holes"].as_array().map(Vec::len));
    for entry in GAMES {
        let path = |what: &str| format!("/api/{}/{what}", entry.name);
        let canvas = server.post(&path("canvas"), &json!({"instance": entry.sample})).json();
        let name = canvas["scene"]["shapes"].as_array().expect("shapes").iter().find_map(|shape| shape["name"].as_str());
        for brush in canvas["brushes"].as_array().expect("brushes") {
            let shapes: Vec<&str> = name.into_iter().cycle().take(brush["clicks"].as_u64().unwrap_or(0) as usize).collect();
            let stroke = json!({"instance": canvas["instance"], "brush": brush["name"], "shapes": shapes});
            let painted = server.post(&path("paint"), &stroke);
            assert!(matches!(painted.status, 200 | 422), "{} {brush}: {}", entry.name, start(&painted.body));
        }
    }
}

#[test]
fn hostile_requests_get_a_sentence_and_change_nothing() {
    let server = serve(&["--solves", "1"]);
    let port = server.port;
    let sample = json!({"instance": GAMES[0].sample}).to_string();
    let position = format!("POST /api/{}/position", GAMES[0].name);
    let with_body = |line: &str, body: &[u8], more: &str| [server.head(line, body, more).as_bytes(), body].concat();
    let with_host = |host: &str| format!("GET /api/games HTTP/1.0\r\n{host}\r\n").into_bytes();
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    let deep = [br#"{"instance":"a","moves":"#.to_vec(), deep, b"}".to_vec()].concat();
    let cases: Vec<(&str, u16, Vec<u8>)> = vec![
        ("a huge body", 413, with_body(&position, &vec![b' '; 400_000], "")),
        (
            "a body that is announced to be huge",
            413,
            server.head(&position, &[0; 0], "").replace("Length: 0", "Length: 99999999999").into_bytes(),
        ),
        ("deep JSON", 400, with_body(&position, &deep, "")),
        ("no JSON", 400, with_body(&position, b"{", "")),
        ("not even text", 400, with_body(&position, b"\xff\xfe\x00", "")),
        ("a wrong type", 400, with_body(&position, br#"{"instance":7}"#, "")),
        ("a stranger among the keys", 400, with_body(&position, br#"{"instance":"a","file":"/etc/passwd"}"#, "")),
        ("an option that is a list", 422, with_body(&position, br#"{"instance":"a","options":{"jump":[]}}"#, "")),
        ("a move that is a list", 422, with_body(&position, br#"{"instance":"ab.","moves":[[1]]}"#, "")),
        ("an unreadable board", 422, with_body(&position, br#"{"instance":"\u0000"}"#, "")),
        ("a huge board", 422, with_body("POST /api/moles/position", br#"{"instance":"size: 2000x2000; moles: all"}"#, "")),
        ("many shapes", 422, with_body("POST /api/chexers/position", br#"{"instance":"colour: red; radius: 98; pieces: (0,0)"}"#, "")),
        ("an unknown game", 404, with_body("POST /api/tennis/position", sample.as_bytes(), "")),
        ("an unknown question", 404, with_body("POST /api/pegs/delete", sample.as_bytes(), "").clone()),
        ("an unknown method", 422, with_body("POST /api/pegs/solve", br#"{"instance":"ab.","method":"magic"}"#, "")),
        ("no time at all", 422, with_body("POST /api/pegs/solve", br#"{"instance":"ab.","seconds":-1}"#, "")),
        ("a weight of nothing", 422, with_body("POST /api/pegs/solve", br#"{"instance":"ab.","weight":0}"#, "")),
        ("another verb", 405, with_body(&position.replace("POST", "DELETE"), b"", "")),
        ("a verb on the page", 405, with_body("PUT /index.html", b"x", "")),
        ("a path upwards", 404, with_body("GET /../Cargo.toml", b"", "")),
        ("a path upwards, disguised", 404, with_body("GET /%2e%2e/Cargo.toml", b"", "")),
        ("an absolute path", 404, with_body("GET //etc/passwd", b"", "")),
        ("a path within", 404, with_body("GET /..%2f..%2fetc/passwd", b"", "")),
        ("a form", 415, with_body(&position, sample.as_bytes(), "").replacen(b"application/json", b"text/plain      ")),
        ("a foreign host", 403, with_host("Host: evil.example\r\n")),
        ("a foreign host with our port", 403, with_host(&format!("Host: evil.example:{port}\r\n"))),
        ("no host", 400, with_host("")),
        ("a foreign page", 403, with_body(&position, sample.as_bytes(), "Origin: http://evil.example\r\n")),
        ("a page of another port", 403, with_body(&position, sample.as_bytes(), "Origin: http://localhost:1\r\n")),
        ("a page from nowhere", 403, with_body(&position, sample.as_bytes(), "Origin: null\r\n")),
        ("a page in disguise", 403, with_body(&position, sample.as_bytes(), &format!("Origin: https://localhost:{port}\r\n"))),
    ];
    for (what, status, request) in cases {
        let response = server.raw(&request);
        assert_eq!(response.status, status, "{what}: {}", start(&response.body));
        let error = response.json();
        assert!(error["error"].as_str().is_some_and(|text| text.len() > 10), "{what}: {error}");
        assert!(error["help"].as_str().is_some_and(|text| text.len() > 5), "{what}: {error}");
        assert!(response.headers.contains("nosniff"), "{what}: {}", response.headers);
    }
    let own = with_body(&position, sample.as_bytes(), &format!("Origin: http://localhost:{port}\r\n"));
    assert_eq!(server.raw(&own).status, 200);
    assert_eq!(server.solving(), 0, "a refused solve gives its place back");
}

/// Replaces the first occurrence.
trait Replace {
    fn replacen(self, from: &[u8], to: &[u8]) -> Vec<u8>;
}

impl Replace for Vec<u8> {
    fn replacen(mut self, from: &[u8], to: &[u8]) -> Vec<u8> {
        let at = self.windows(from.len()).position(|window| window == from).expect("it is there");
        self.splice(at..at + from.len(), to.iter().copied());
        self
    }
}

#[test]
fn a_solve_ends_when_nobody_reads_it_and_others_are_served_meanwhile() {
    let server = serve(&["--solves", "2", "--memory", "3G"]);
    let before = server.memory();
    let mut streams: Vec<TcpStream> = (0..2).map(|_| server.begin("/api/pegs/solve", &hard())).collect();
    // Both are at work.
    for stream in &mut streams {
        let mut seen = Vec::new();
        let mut buffer = [0; 4096];
        while !String::from_utf8_lossy(&seen).contains("event: progress") {
            let read = stream.read(&mut buffer).expect("events");
            assert!(read > 0, "the solve ended: {}", String::from_utf8_lossy(&seen));
            seen.extend_from_slice(&buffer[..read]);
        }
    }
    assert_eq!(server.solving(), 2);
    let refused = server.post("/api/pegs/solve", &hard());
    assert_eq!(refused.status, 429, "{}", start(&refused.body));

    // Fifty clients make moves at the same time.
    let failed = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for client in 0..50 {
            let (server, failed) = (&server, &failed);
            scope.spawn(move || {
                let entry = &GAMES[client % GAMES.len()];
                let path = format!("/api/{}/position", entry.name);
                let mut moves: Vec<Value> = Vec::new();
                for step in 0..8 {
                    let response = server.post(&path, &json!({"instance": entry.sample, "moves": moves}));
                    if response.status != 200 {
                        failed.fetch_add(1, Ordering::Relaxed);
                        return;
                    }
                    let legal = response.json()["legal"].as_array().expect("a list").clone();
                    match legal.get((client + step) % legal.len().max(1)) {
                        Some(mv) => moves.push(mv["text"].clone()),
                        None => break,
                    }
                }
            });
        }
    });
    assert_eq!(failed.into_inner(), 0, "requests failed");

    let grown = server.memory();
    drop(streams);
    let left = Instant::now();
    while server.solving() > 0 {
        assert!(left.elapsed() < Duration::from_secs(20), "the solves go on");
        std::thread::sleep(Duration::from_millis(20));
    }
    println!("both ended after {:?}", left.elapsed());
    if let (Some(before), Some(grown)) = (before, grown) {
        while server.memory().expect("as before") > before + (grown - before) / 2 + (32 << 20) {
            assert!(left.elapsed() < Duration::from_secs(20), "the memory is not given back");
            std::thread::sleep(Duration::from_millis(20));
        }
        println!("memory {before} before, {grown} then, back after {:?}", left.elapsed());
    }
}

#[test]
fn time_and_memory_have_limits() {
    let server = serve(&["--time", "0.3", "--memory", "40M", "--solves", "2"]);
    let short = server.post("/api/pegs/solve", &json!({"instance": hard()["instance"], "method": "idastar"})).events("report").remove(0);
    assert_eq!((&short["report"]["verdict"], &short["report"]["limit"]), (&json!("unknown"), &json!("time")));
    let server = serve(&["--memory", "40M", "--solves", "2"]);
    let small = server.post("/api/pegs/solve", &hard()).events("report").remove(0);
    assert_eq!((&small["report"]["verdict"], &small["report"]["limit"]), (&json!("unknown"), &json!("memory")));
}
