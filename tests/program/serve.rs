//! The server from outside: the page, a route for every question, hostile requests, many concurrent clients, and solves whose client
//! has disconnected. The answers themselves are tested in `tests/engine/ask.rs`.

use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use kibitzer::ask::{self, QUESTIONS};
use kibitzer::games::GAMES;
use kibitzer::limits::Limits;
use serde_json::{Value, json};

use crate::run;

/// A running server, stopped at the end of the test.
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
    started(args).0
}

/// Starts a server, and also returns the lines that the server prints after its address.
fn started(args: &[&str]) -> (Server, Lines<BufReader<ChildStdout>>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kibitzer"));
    let mut child = command.args(["serve", "--port", "0"]).args(args).stdout(Stdio::piped()).spawn().expect("starts");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let line = lines.next().expect("a line").expect("the address");
    let port = line.strip_prefix("Kibitzer is at http://localhost:").and_then(|rest| rest.split(' ').next()?.parse().ok());
    (Server { child, port: port.unwrap_or_else(|| panic!("no port in `{line}`")) }, lines)
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
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("settable");
        stream
    }

    /// Sends raw bytes and reads the whole response.
    fn raw(&self, request: &[u8]) -> Response {
        let mut stream = self.connect();
        // The server may close the connection before it has read a refused body.
        let _ = stream.write_all(request);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        let split = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or_else(|| panic!("no response to {:?}", start(request)));
        let headers = String::from_utf8_lossy(&all[..split]).to_lowercase();
        let status = headers.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Response { status, headers, body: all[split + 4..].to_vec() }
    }

    /// The header of a request. The request uses HTTP/1.0, so that the response ends with the connection and is not chunked.
    fn header(&self, line: &str, body: &[u8], more: &str) -> String {
        format!(
            "{line} HTTP/1.0\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{more}\r\n",
            self.port,
            body.len()
        )
    }

    fn get(&self, path: &str) -> Response {
        self.raw(self.header(&format!("GET {path}"), b"", "").as_bytes())
    }

    fn posted(&self, path: &str, body: &Value) -> Vec<u8> {
        let body = body.to_string();
        format!("{}{body}", self.header(&format!("POST {path}"), body.as_bytes(), "")).into_bytes()
    }

    fn post(&self, path: &str, body: &Value) -> Response {
        self.raw(&self.posted(path, body))
    }

    /// Sends a POST request and leaves the response unread.
    fn begin(&self, path: &str, body: &Value) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(&self.posted(path, body)).expect("listens");
        stream
    }

    fn solving(&self) -> u64 {
        self.get("/api/status").json()["solving"].as_u64().expect("a number")
    }

    /// Waits until no solve is running, which must happen soon after the last client has disconnected.
    fn wait_until_idle(&self) {
        let begun = Instant::now();
        while self.solving() > 0 {
            assert!(begun.elapsed() < Duration::from_secs(20), "solves continue");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Resident bytes, if the system reports them.
    fn memory(&self) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
    }
}

fn start(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(120)]).into_owned()
}

/// A board on which every method takes a long time.
fn hard() -> Value {
    json!({"instance": crate::common::file("instances/pegs/english-priced.txt"), "method": "bfs"})
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).expect("exists").map(|entry| entry.expect("readable").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// A server open to the network prints its network address and is reachable there.
#[test]
fn a_network_server_is_reachable_at_its_printed_address() {
    let (server, mut lines) = started(&["--address", "0.0.0.0"]);
    let second = lines.next().expect("a line").expect("text");
    assert_eq!(server.get("/").status, 200);
    let Some(address) = second.split("http://").nth(1) else {
        assert!(second.contains("no network"), "{second}");
        return;
    };
    let address: SocketAddr = address.parse().unwrap_or_else(|error| panic!("{error}: {second}"));
    assert!(!address.ip().is_loopback() && !address.ip().is_unspecified() && address.port() == server.port, "{second}");
    // Sends a request as a phone would: to that address, with that `Host`, and with the page's origin.
    let request = |line: &str, more: &str| {
        let mut stream = TcpStream::connect(address).expect("reachable");
        stream.write_all(format!("{line} HTTP/1.0\r\nHost: {address}\r\n{more}\r\n").as_bytes()).expect("listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        answer
    };
    assert!(request("GET /", "").contains("200 OK"));
    assert!(request("GET /api/games", &format!("Origin: http://{address}\r\n")).contains("200 OK"));
    assert!(request("GET /api/games", "Origin: http://evil.example\r\n").contains("403 Forbidden"));
}

#[test]
fn the_page_is_served_and_small() {
    let server = serve(&[]);
    let mut total = 0;
    let page = crate::common::root().join("web/page");
    for path in files(&page) {
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.strip_prefix(&page).expect("inside").to_string_lossy().into_owned();
        let response = server.get(&format!("/{name}"));
        assert_eq!((response.status, &response.body), (200, &bytes), "{name}: is the program older than the page?");
        total += bytes.len();
        if name == "openapi.json" || name.ends_with(".png") {
            continue;
        }
        let text = String::from_utf8(bytes).expect("text");
        assert!(!text.replace("http://www.w3.org", "").contains("://"), "{name} refers to another host");
        for entry in GAMES {
            assert!(!text.to_lowercase().contains(&format!("'{}'", entry.name)), "{name} names {}", entry.name);
        }
    }
    let page = server.get("/");
    assert!(page.headers.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{}", page.headers);
    assert!(page.headers.contains("x-content-type-options: nosniff") && page.headers.contains("text/html"), "{}", page.headers);
    assert!(String::from_utf8_lossy(&server.get("/palette.css").body).contains("--red-fill"));
    assert!(total < 600_000, "{total} bytes uncompressed");
}

#[test]
fn every_question_is_answered_over_http_as_by_the_library() {
    let server = serve(&[]);
    for entry in GAMES {
        for question in QUESTIONS {
            let path = question.path().replace("{game}", entry.name);
            let body = if question.name == "generate" { json!({"seed": 3}) } else { json!({"instance": entry.sample}) };
            let response = if question.body { server.post(&path, &body) } else { server.get(&path) };
            assert!(![404, 405].contains(&response.status), "{path} is served");
            let answer = ask::ask(GAMES, Some(entry.name), question.name, &body, &Limits::none(), None);
            match answer {
                Err(refusal) => assert_eq!(response.json(), refusal.json(), "{path}"),
                Ok(answer) if !question.streams => {
                    assert_eq!((response.status, String::from_utf8_lossy(&response.body)), (200, answer.to_string().into()), "{path}");
                }
                Ok(answer) => {
                    assert!(!response.events("progress").is_empty(), "{path}: no event reports that it was accepted");
                    let mut reports = response.events("report");
                    assert_eq!((reports.len(), response.events("failure").len()), (1, 0), "{path}: one report");
                    let has_seconds = reports[0]["report"]["stats"]["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0);
                    assert_eq!(has_seconds, answer.get("report").is_some(), "{path}");
                    ask::set_seconds(&mut reports[0], 0.0);
                    // The answer is parsed again, because reading may round the last digit of a number.
                    let mut answer: Value = serde_json::from_str(&answer.to_string()).expect("JSON");
                    // The lines of a trace are sent earlier, as events.
                    if let Some(lines) = answer.as_object_mut().and_then(|answer| answer.remove("lines")) {
                        let sent: Vec<Value> =
                            response.events("lines").iter().filter_map(|event| event["lines"].as_array().cloned()).flatten().collect();
                        assert_eq!(Value::Array(sent), lines, "{path}");
                    }
                    assert_eq!(reports[0], answer, "{path}");
                }
            }
            let wrong = if question.body { server.get(&path) } else { server.post(&path, &body) };
            assert_eq!((wrong.status, &wrong.json()["error"]), (405, &json!("method not allowed")), "{path}");
        }
    }
}

#[test]
fn hostile_requests_are_refused_with_an_error_and_its_remedy() {
    let server = serve(&["--solves", "1"]);
    let port = server.port;
    let sample = json!({"instance": GAMES[0].sample}).to_string();
    let position = format!("POST /api/{}/position", GAMES[0].name);
    let with_body = |line: &str, body: &[u8], more: &str| [server.header(line, body, more).as_bytes(), body].concat();
    let with_host = |host: &str| format!("GET /api/games HTTP/1.0\r\n{host}\r\n").into_bytes();
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    let deep = [br#"{"instance":"a","moves":"#.to_vec(), deep, b"}".to_vec()].concat();
    let plain = server.header(&position, sample.as_bytes(), "").replace("application/json", "text/plain");
    let announced = server.header(&position, b"", "").replace("Length: 0", "Length: 99999999999");
    let cases: Vec<(&str, u16, Vec<u8>)> = vec![
        ("a huge body", 413, with_body(&position, &vec![b' '; 400_000], "")),
        ("a huge `Content-Length`", 413, announced.into_bytes()),
        ("deep JSON", 400, with_body(&position, &deep, "")),
        ("incomplete JSON", 400, with_body(&position, b"{", "")),
        ("invalid UTF-8", 400, with_body(&position, b"\xff\xfe\x00", "")),
        ("a wrong type", 400, with_body(&position, br#"{"instance":7}"#, "")),
        ("an unknown key", 400, with_body(&position, br#"{"instance":"a","file":"/etc/passwd"}"#, "")),
        ("an option that is a list", 422, with_body(&position, br#"{"instance":"a","options":{"jump":[]}}"#, "")),
        ("a move that is a list", 422, with_body(&position, br#"{"instance":"ab.","moves":[[1]]}"#, "")),
        ("an unreadable board", 422, with_body(&position, br#"{"instance":"\u0000"}"#, "")),
        ("a huge board", 422, with_body("POST /api/moles/position", br#"{"instance":"size: 2000x2000; moles: all"}"#, "")),
        ("many shapes", 422, with_body("POST /api/chexers/position", br#"{"instance":"colour: red; radius: 98; pieces: (0,0)"}"#, "")),
        ("an unknown game", 404, with_body("POST /api/tennis/position", sample.as_bytes(), "")),
        ("an unknown question", 404, with_body("POST /api/pegs/delete", sample.as_bytes(), "")),
        ("an unknown method", 422, with_body("POST /api/pegs/solve", br#"{"instance":"ab.","method":"magic"}"#, "")),
        ("a negative time limit", 422, with_body("POST /api/pegs/solve", br#"{"instance":"ab.","seconds":-1}"#, "")),
        ("a weight of zero", 422, with_body("POST /api/pegs/solve", br#"{"instance":"ab.","weight":0}"#, "")),
        ("a wrong method", 405, with_body(&position.replace("POST", "DELETE"), b"", "")),
        ("a wrong method on the page", 405, with_body("PUT /index.html", b"x", "")),
        ("a path to a parent folder", 404, with_body("GET /../Cargo.toml", b"", "")),
        ("an encoded path to a parent folder", 404, with_body("GET /%2e%2e/Cargo.toml", b"", "")),
        ("an absolute path", 404, with_body("GET //etc/passwd", b"", "")),
        ("a path with encoded slashes", 404, with_body("GET /..%2f..%2fetc/passwd", b"", "")),
        ("a media type other than JSON", 415, [plain.as_bytes(), sample.as_bytes()].concat()),
        ("a foreign host", 403, with_host("Host: evil.example\r\n")),
        ("a foreign host with our port", 403, with_host(&format!("Host: evil.example:{port}\r\n"))),
        ("no host", 400, with_host("")),
        ("another origin", 403, with_body(&position, sample.as_bytes(), "Origin: http://evil.example\r\n")),
        ("another port", 403, with_body(&position, sample.as_bytes(), "Origin: http://localhost:1\r\n")),
        ("an opaque origin", 403, with_body(&position, sample.as_bytes(), "Origin: null\r\n")),
        ("another scheme", 403, with_body(&position, sample.as_bytes(), &format!("Origin: https://localhost:{port}\r\n"))),
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
    assert_eq!(server.solving(), 0, "a refused solve frees its slot");
}

#[test]
fn a_solve_ends_when_its_client_is_gone_and_others_are_served_meanwhile() {
    let server = serve(&["--solves", "2", "--memory", "3G"]);
    let before = server.memory();
    let mut streams: Vec<TcpStream> = (0..2).map(|_| server.begin("/api/pegs/solve", &hard())).collect();
    // Waits until both solves are running.
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
    server.wait_until_idle();
    if let (Some(before), Some(grown)) = (before, grown) {
        while server.memory().expect("as before") > before + (grown - before) / 2 + (32 << 20) {
            assert!(left.elapsed() < Duration::from_secs(60), "the memory is not released");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn time_and_memory_have_limits() {
    let server = serve(&["--time", "0.3", "--memory", "40M", "--solves", "2"]);
    let short = server.post("/api/pegs/solve", &json!({"instance": hard()["instance"], "method": "idastar"})).events("report").remove(0);
    assert_eq!((&short["report"]["verdict"], &short["report"]["limit"]), (&json!("unknown"), &json!("time")));
    let server = serve(&["--memory", "20M", "--solves", "2"]);
    let small = server.post("/api/pegs/solve", &hard()).events("report").remove(0);
    assert_eq!((&small["report"]["verdict"], &small["report"]["limit"]), (&json!("unknown"), &json!("memory")));
}

/// While clients ask long questions about monsters, and some disconnect at once, another client's short questions are answered. The
/// server is idle soon afterwards.
#[test]
fn long_questions_do_not_delay_short_ones() {
    let server = serve(&["--memory", "400M", "--time", "20"]);
    let mut open: Vec<TcpStream> = Vec::new();
    for (round, entry) in GAMES.iter().cycle().take(2 * GAMES.len()).enumerate() {
        for monster in entry.monsters {
            let instance = (monster.make)(&mut kibitzer::random::Random::new(1));
            if instance.len() > 100_000 {
                continue;
            }
            for question in ["explain", "position", "canvas", "solve"] {
                let stream = server.begin(&format!("/api/{}/{question}", entry.name), &json!({"instance": instance}));
                // In the second round, all clients stay connected.
                if round >= GAMES.len() {
                    open.push(stream);
                }
            }
        }
    }
    assert!(open.len() > 10, "only {} questions are open", open.len());
    let mut waits: Vec<f64> = Vec::new();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(crate::common::amount(1, 5)) {
        for entry in GAMES {
            let asked = Instant::now();
            let response = server.post(&format!("/api/{}/position", entry.name), &json!({"instance": entry.sample}));
            assert_eq!(response.status, 200, "{}: {}", entry.name, start(&response.body));
            waits.push(asked.elapsed().as_secs_f64());
        }
    }
    waits.sort_by(f64::total_cmp);
    let (middle, longest) = (waits[waits.len() / 2], waits[waits.len() - 1]);
    // No client waits for another's long question, which takes 20 s. The bounds are generous because the machine may be busy.
    assert!(middle < 5.0 && longest < 15.0, "{middle} s, {longest} s");
    if let Some(bytes) = server.memory() {
        assert!(bytes < 400_000_000 / 4 * 5 + (64 << 20), "{} MB", bytes / 1_000_000);
    }
    drop(open);
    server.wait_until_idle();
}

/// A connection that sends nothing, or half a request, is closed after 15 seconds.
#[test]
fn a_silent_connection_is_closed() {
    if crate::common::amount(true, false) {
        return;
    }
    let server = serve(&[]);
    let mut stream = server.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost").expect("listens");
    let begun = Instant::now();
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    assert!(begun.elapsed() < Duration::from_secs(40), "{:?}", begun.elapsed());
    assert_eq!(server.post("/api/chexers/position", &json!({"instance": GAMES[0].sample})).status / 100, 4, "the server still runs");
}

/// A client that accepts events receives `thinking` events while a long question is answered. Quick answers, and all answers to clients
/// that do not accept events, are JSON.
#[test]
fn a_long_explanation_sends_thinking_events() {
    let server = serve(&["--time", "1.3"]);
    let ask = |board: &str, accept: &str| {
        let body = json!({"instance": board}).to_string().into_bytes();
        let head = server.header("POST /api/edge/explain", &body, &format!("Accept: {accept}\r\n"));
        server.raw(&[head.as_bytes(), &body].concat())
    };
    let events = "application/json, text/event-stream";
    assert!(ask("P5", events).json()["explanation"].is_object());
    assert!(ask("P5", "*/*").json()["explanation"].is_object());
    let long = ask("Q6", events);
    assert!(long.status == 200 && !long.events("thinking").is_empty(), "{}: {}", long.status, start(&long.body));
    assert_eq!(long.events("report").len() + long.events("failure").len(), 1);
    let silent = ask("Q6", "*/*");
    assert!(silent.status == 422 || silent.json()["explanation"].is_object(), "{}", start(&silent.body));
}

/// The number of connections is capped. When some are closed, others are accepted again.
#[test]
fn connections_are_capped() {
    let server = serve(&[]);
    let idle: Vec<TcpStream> = (0..300).map(|_| server.connect()).collect();
    idle.iter().for_each(|stream| stream.set_nonblocking(true).expect("settable"));
    let is_closed = |stream: &&TcpStream| match (&mut &**stream).read(&mut [0]) {
        Ok(length) => length == 0,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    };
    let closed = || idle.iter().filter(is_closed).count();
    // Connections beyond the cap are closed at once.
    let begun = Instant::now();
    while closed() < 30 {
        assert!(begun.elapsed() < Duration::from_secs(20), "{} of 300 were closed", closed());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(closed() < 100, "{} of 300 were closed", closed());
    drop(idle);
    let begun = Instant::now();
    while std::panic::catch_unwind(|| server.get("/api/status").status).ok() != Some(200) {
        assert!(begun.elapsed() < Duration::from_secs(60), "no connection was accepted again");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Only the sites given by `--embed` may show the page in a frame; requests from the framed page are answered.
#[test]
fn only_named_sites_may_frame_the_page() {
    let server = serve(&[]);
    for path in ["/", "/api/games", "/missing"] {
        let headers = server.get(path).headers;
        assert!(headers.contains("frame-ancestors 'none'") && headers.contains("x-frame-options: deny"), "{path}: {headers}");
    }
    let server = serve(&["--embed", "https://Course.example.org", "--embed", "http://localhost:8080"]);
    let port = server.port;
    for path in ["/", "/api/games", "/missing"] {
        let headers = server.get(path).headers;
        assert!(headers.contains("frame-ancestors https://course.example.org http://localhost:8080\r\n"), "{path}: {headers}");
        assert!(headers.contains("default-src 'none'; script-src 'self'") && !headers.contains("x-frame-options"), "{path}: {headers}");
    }
    let ask = |origin: &str| {
        server.raw(format!("GET /api/games HTTP/1.0\r\nHost: localhost:{port}\r\nOrigin: {origin}\r\n\r\n").as_bytes()).status
    };
    assert_eq!(ask(&format!("http://localhost:{port}")), 200, "the framed page itself");
    for origin in ["https://course.example.org", "http://localhost:8080", "null"] {
        assert_eq!(ask(origin), 403, "{origin} may show the page, but not send requests");
    }
    for wrong in ["*", "course.example.org", "https://course.example.org/page", "https://*.example.org", "https://a.example; script-src *"]
    {
        run::fails(2, &["serve", "--port", "0", "--embed", wrong], "");
    }
}
