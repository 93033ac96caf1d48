//! Sends every question about every game to the library. Answers and refusals have the form described in `openapi.json`, and this
//! description lists exactly the questions that exist.

use std::sync::{Arc, Mutex, OnceLock};

use kibitzer::ask::{self, Event, EventSink, Kind, QUESTIONS, Question, Refusal, Reply};
use kibitzer::catalog::Entry;
use kibitzer::games::GAMES;
use kibitzer::limits::{Limit, Limits};
use kibitzer::search;
use serde_json::{Value, json};

use crate::common::file;
use crate::schema::Schema;

fn openapi() -> &'static Value {
    static API: OnceLock<Value> = OnceLock::new();
    API.get_or_init(|| serde_json::from_str(&file("web/page/openapi.json")).expect("valid JSON"))
}

fn component(name: &str) -> Schema {
    Schema { api: openapi(), schema: json!({"$ref": format!("#/components/schemas/{name}")}) }
}

#[track_caller]
fn assert_fits(schema: &Schema, value: &Value, context: &str) {
    let errors = schema.errors(value);
    assert!(errors.is_empty(), "{context}: {}", errors.join("\n"));
}

fn operation<'a>(api: &'a Value, question: &Question) -> &'a Value {
    &api["paths"][question.path()][question.method().to_lowercase()]
}

fn ask(game: &str, question: &str, body: &Value) -> Reply {
    ask::ask(GAMES, Some(game), question, body, &Limits::none(), None)
}

#[track_caller]
fn refused(game: &str, question: &str, body: &Value) -> Refusal {
    ask(game, question, body).expect_err("refused")
}

/// Valid request bodies for a question about a game. A new question needs a match arm here.
fn bodies(question: &Question, entry: &Entry) -> Vec<Value> {
    let sample = json!({"instance": entry.sample});
    match question.name {
        "games" | "about" => vec![Value::Null],
        "generate" => vec![json!({}), json!({"seed": 3, "options": {}})],
        "level" => vec![json!({"level": "easy"}), json!({"level": "medium", "seed": 3}), json!({"daily": "2026-11-16"})],
        "graph" if entry.players == 1 => Vec::new(),
        "paint" => {
            let canvas = ask(entry.name, "canvas", &sample).expect("the sample has a canvas");
            let brushes = || canvas["brushes"].as_array().expect("a list").iter();
            let acts =
                brushes().filter(|brush| brush["clicks"] == 0).map(|brush| json!({"instance": entry.sample, "brush": brush["name"]}));
            let points = brushes().filter(|brush| brush["point"] == true);
            acts.chain(points.map(|brush| json!({"instance": entry.sample, "brush": brush["name"], "at": [50, 60.5]}))).collect()
        }
        "place" => {
            let position = ask(entry.name, "position", &sample).expect("the sample is drawn");
            let movable = position["scene"]["movable"].as_array().into_iter().flatten();
            movable.map(|name| json!({"instance": entry.sample, "options": {}, "moves": [], "name": name, "x": 50.5, "y": 60})).collect()
        }
        "solve" => {
            let with_plans = ["count".into(), json!(2)].map(|plans| json!({"instance": entry.sample, "plans": plans}));
            let mut bodies = vec![sample, json!({"instance": entry.sample, "options": {}, "moves": [], "weight": 1.5, "seconds": 60})];
            bodies.extend(with_plans.into_iter().filter(|_| entry.players == 1));
            bodies
        }
        "trace" => vec![
            json!({"instance": entry.sample}),
            json!({"instance": entry.sample, "nodes": 3, "states": true}),
            json!({"instance": entry.sample, "nodes": 3, "html": true}),
        ],
        "reply" if entry.players == 1 => Vec::new(),
        "reply" => {
            let opponents = [json!("perfect"), json!("random"), json!(2)];
            let with = |opponent| json!({"instance": entry.sample, "opponent": opponent, "seed": 3, "seconds": 60});
            std::iter::once(sample).chain(opponents.map(with)).collect()
        }
        "measure" => unsolvable(entry).into_iter().flat_map(|(instance, why)| measured(entry, &instance, &why)).collect(),
        "on_graph" if entry.graph_board.is_none() => Vec::new(),
        "on_graph" => vec![json!({"graph": "P5"}), json!({"graph": ">>graph6<<DQc"})],
        "film" => vec![sample, json!({"instance": entry.sample, "options": {}, "moves": [], "plan": []})],
        "position" | "primer" | "explain" | "graph" | "canvas" => vec![sample],
        other => panic!("no bodies for the question `{other}`"),
    }
}

/// The game's own boards without a solution, each with its certificate.
fn unsolvable(entry: &Entry) -> Vec<(Value, Value)> {
    let about = ask(entry.name, "about", &Value::Null).expect("answered");
    let boards = about["instances"].as_array().into_iter().flatten().filter(|instance| instance["answer"] == "unsolvable");
    let solved = |board: &Value| {
        let instance = json!({"instance": board["text"], "options": board["options"]});
        let why = ask(entry.name, "solve", &instance).expect("answered")["report"]["why"].clone();
        (instance, why)
    };
    boards.map(solved).filter(|(_, why)| why["kind"] != "exhausted").collect()
}

/// Questions about a proof for the start, asked before any move and after up to three moves.
fn measured(entry: &Entry, board: &Value, why: &Value) -> Vec<Value> {
    let mut moves = Vec::new();
    for _ in 0..3 {
        let position = ask(entry.name, "position", &json!({"instance": board["instance"], "options": board["options"], "moves": moves}));
        moves.extend(position.expect("legal moves")["legal"].as_array().into_iter().flatten().next().map(|mv| mv["text"].clone()));
    }
    [0, moves.len()]
        .map(|made| json!({"instance": board["instance"], "options": board["options"], "moves": moves[..made], "why": why, "proved": 0}))
        .to_vec()
}

#[test]
fn a_proof_is_followed_only_if_it_is_right_and_its_invariant_refuses_to_change() {
    let mut kinds = std::collections::BTreeSet::new();
    for entry in GAMES {
        for (board, why) in unsolvable(entry) {
            let context = format!("{} {why}", entry.name);
            for body in measured(entry, &board, &why) {
                let answer = ask(entry.name, "measure", &body).expect("answered");
                let measures = answer["measures"].as_array().expect("a list");
                assert_eq!(measures.len(), body["moves"].as_array().expect("a list").len() + 1, "{context}");
                if measures[0]["kind"] == "invariant" {
                    assert!(measures.iter().all(|measure| measure["value"] == measures[0]["value"]), "{context}: {answer}");
                    assert_ne!(measures[0]["value"], measures[0]["goal"], "{context}");
                }
                kinds.insert((
                    entry.name,
                    why["kind"].as_str().expect("a kind").to_owned(),
                    measures[0]["kind"].as_str().map(str::to_owned),
                ));
            }
            let body =
                |why: Value, proved: u64| json!({"instance": board["instance"], "options": board["options"], "why": why, "proved": proved});
            assert_eq!(refused(entry.name, "measure", &body(why.clone(), 1)).message, "`proved` is 1, but there are 0 moves");
            refused(entry.name, "measure", &body(json!({"kind": "nonsense"}), 0));
            refused(entry.name, "measure", &body(json!({"kind": "exhausted", "states": 3}), 0));
            // The sample can be solved, so no certificate is valid there.
            refused(entry.name, "measure", &json!({"instance": entry.sample, "why": why}));
        }
    }
    let has = |game: &str, kind: &str| kinds.iter().any(|(name, _, measured)| *name == game && measured.as_deref() == Some(kind));
    assert!(has("tricolor", "invariant") && has("moles", "invariant") && has("pegs", "invariant") && has("pegs", "potential"), "{kinds:?}");
}

#[test]
fn the_description_lists_exactly_the_questions() {
    let api = openapi();
    let mut described: Vec<(String, String)> = Vec::new();
    for (path, methods) in api["paths"].as_object().expect("paths") {
        described.extend(methods.as_object().expect("methods").keys().map(|method| (path.clone(), method.to_uppercase())));
    }
    let mut listed: Vec<(String, String)> = QUESTIONS.iter().map(|question| (question.path(), question.method().to_owned())).collect();
    // The server's own route.
    listed.push(("/api/status".to_owned(), "GET".to_owned()));
    described.sort();
    listed.sort();
    assert_eq!(described, listed);
    for question in QUESTIONS {
        let operation = operation(api, question);
        assert_eq!(operation["operationId"], question.name);
        assert_eq!(operation["summary"], question.about, "{}", question.name);
        assert_eq!(operation.get("requestBody").is_some(), question.body, "{}", question.name);
        assert_eq!(operation["responses"]["200"]["content"].get("text/event-stream").is_some(), question.streams, "{}", question.name);
    }
}

#[test]
fn every_question_is_answered_as_described_for_every_game_unless_it_is_canceled() {
    let api = openapi();
    for question in QUESTIONS {
        let operation = operation(api, question);
        let request = &operation["requestBody"]["content"]["application/json"]["schema"];
        let request = question.body.then(|| Schema { api, schema: request.clone() });
        let response = match question.streams {
            true => component(match question.name {
                "reply" => "Reply",
                "solve" => "Solved",
                "trace" => "Traced",
                other => panic!("no schema for the answer to `{other}`"),
            }),
            false => Schema { api, schema: operation["responses"]["200"]["content"]["application/json"]["schema"].clone() },
        };
        let mut asked = 0;
        for entry in GAMES {
            for body in bodies(question, entry) {
                let context = format!("{} {}", entry.name, question.name);
                if let Some(request) = &request {
                    assert_fits(request, &body, &context);
                }
                let answer = ask(entry.name, question.name, &body).unwrap_or_else(|refusal| panic!("{context}: {refusal}"));
                assert_fits(&response, &answer, &context);
                let canceled = Limits::none();
                canceled.cancel.stop(Limit::Memory);
                let refusal = ask::ask(GAMES, Some(entry.name), question.name, &body, &canceled, None).expect_err("canceled");
                assert_eq!(refusal.kind, Kind::Limit(Limit::Memory), "{context}");
                asked += 1;
            }
        }
        assert!(asked > 0, "`{}` was never asked", question.name);
    }
}

#[test]
fn instances_can_be_read_by_text_and_name_explained_and_edited() {
    let (position, explanation) = (component("Position"), component("Explanation"));
    for entry in GAMES {
        let about = ask(entry.name, "about", &Value::Null).expect("answered");
        let instances = about["instances"].as_array().expect("a list");
        assert!(!instances.is_empty(), "{} has no instances", entry.name);
        for instance in instances {
            let context = format!("{} {}", entry.name, instance["name"]);
            let board = json!({"instance": instance["text"], "options": instance["options"]});
            let answer = |question| ask(entry.name, question, &board).unwrap_or_else(|refusal| panic!("{context}: {refusal}"));
            let by_text = answer("position");
            assert_fits(&position, &by_text, &context);
            assert_fits(&explanation, &answer("explain"), &context);
            // In `edge`, the name of a graph family takes precedence over that of an instance.
            if entry.name != "edge" || ["p5-later", "p6-misere", "star"].contains(&instance["name"].as_str().expect("a name")) {
                let by_name = ask(entry.name, "position", &json!({"instance": instance["name"]})).expect("a name");
                assert_eq!(by_name["scene"], by_text["scene"], "{context}");
            }
        }
        let canvas = ask(entry.name, "canvas", &json!({"instance": entry.sample})).expect("answered");
        let name = canvas["scene"]["shapes"].as_array().expect("shapes").iter().find_map(|shape| shape["name"].as_str());
        for brush in canvas["brushes"].as_array().expect("brushes") {
            let shapes: Vec<&str> = name.into_iter().cycle().take(brush["clicks"].as_u64().expect("a number") as usize).collect();
            let stroke = json!({"instance": canvas["instance"], "brush": brush["name"], "shapes": shapes});
            if let Err(refusal) = ask(entry.name, "paint", &stroke) {
                assert_eq!(refusal.kind, Kind::Board, "{} {brush}: {refusal}", entry.name);
            }
        }
    }
}

#[test]
fn every_one_player_game_is_played_to_the_end() {
    for entry in GAMES.iter().filter(|entry| entry.players == 1) {
        let generated = ask(entry.name, "generate", &json!({"seed": 5})).expect("answered");
        for board in [json!({"instance": entry.sample}), generated] {
            let solved = ask(entry.name, "solve", &board).expect("answered");
            assert_eq!(solved["report"]["verdict"], "solved");
            let plan = solved["plan"].as_array().expect("a plan");
            for made in 0..=plan.len() {
                let here = json!({"instance": board["instance"], "moves": plan[..made]});
                let position = ask(entry.name, "position", &here).expect("answered");
                assert_eq!(position["goal"], json!(made == plan.len()), "{} after {made} moves", entry.name);
                assert_eq!(position["made"], json!(made));
                match plan.get(made) {
                    Some(next) => {
                        let legal = position["scene"]["moves"].as_array().expect("moves");
                        assert!(legal.iter().any(|gesture| gesture["text"] == *next), "{next} cannot be clicked");
                    }
                    None => assert_eq!(position["cost"], solved["report"]["cost"]),
                }
            }
        }
    }
}

#[test]
fn a_proof_is_drawn() {
    let solved = ask("moles", "solve", &json!({"instance": "1000\n0000\n0000\n0000"})).expect("answered");
    assert_eq!(solved["report"]["verdict"], "unsolvable");
    assert_eq!(solved["explanation"]["tints"].as_array().map(Vec::len), solved["report"]["why"]["holes"].as_array().map(Vec::len));
}

#[test]
fn refusals_have_the_right_kind() {
    let error = component("Error");
    let check = |refusal: &Refusal, kind: Kind, context: &str| {
        assert_eq!(refusal.kind, kind, "{context}: {refusal}");
        assert_fits(&error, &refusal.json(), context);
        assert!(refusal.message.len() > 10 && refusal.help.len() > 5, "{context}: {refusal:?}");
    };
    for entry in GAMES {
        for question in QUESTIONS.iter().filter(|question| question.body) {
            let context = format!("{} {}", entry.name, question.name);
            for body in [json!({"instance": 7, "seed": "x"}), json!({"file": "/etc/passwd"}), json!("text"), json!([1]), Value::Null] {
                check(&refused(entry.name, question.name, &body), Kind::Body, &context);
            }
        }
        check(&refused(entry.name, "position", &json!({"instance": "\u{0}"})), Kind::Board, entry.name);
        check(&refused(entry.name, "position", &json!({"instance": entry.sample, "moves": [[1]]})), Kind::Board, entry.name);
        check(&refused(entry.name, "position", &json!({"instance": entry.sample, "options": {"x": []}})), Kind::Board, entry.name);
        check(&refused(entry.name, "generate", &json!({"options": {"no-such-option": 1}})), Kind::Board, entry.name);
        check(&refused(entry.name, "paint", &json!({"instance": entry.sample, "brush": "none"})), Kind::Board, entry.name);
        for wrong in [json!({"method": "magic"}), json!({"weight": 0.99}), json!({"weight": 1001}), json!({"seconds": -1})] {
            let mut task = wrong.clone();
            task["instance"] = json!(entry.sample);
            check(&refused(entry.name, "solve", &task), Kind::Board, &format!("{} {wrong}", entry.name));
        }
        for wrong in [json!({"opponent": "weak"}), json!({"opponent": 0}), json!({"opponent": 1.5}), json!({"seconds": -1})] {
            let mut task = wrong.clone();
            task["instance"] = json!(entry.sample);
            check(&refused(entry.name, "reply", &task), Kind::Board, &format!("{} {wrong}", entry.name));
        }
        if entry.players == 1 {
            check(&refused(entry.name, "reply", &json!({"instance": entry.sample})), Kind::Board, entry.name);
            check(&refused(entry.name, "graph", &json!({"instance": entry.sample})), Kind::Board, entry.name);
        }
    }
    check(&refused("tennis", "position", &json!({"instance": ""})), Kind::Unknown, "unknown game");
    check(&refused("pegs", "delete", &Value::Null), Kind::Unknown, "unknown question");
    let without = ask::ask(GAMES, None, "position", &json!({"instance": ""}), &Limits::none(), None);
    check(&without.expect_err("needs a game"), Kind::Body, "no game");
    check(&refused("moles", "position", &json!({"instance": "size: 2000x2000; moles: all"})), Kind::TooLarge, "a large board");
    let many = json!({"instance": "color: red; radius: 98; pieces: (0,0)"});
    check(&refused("chexers", "position", &many), Kind::TooLarge, "many shapes");
    check(&refused("edge", "graph", &json!({"instance": "P12"})), Kind::TooLarge, "many positions");
    assert_eq!(refused("moles", "position", &json!({"instance": "01\n0x"})).place, Some((2, 2)));
    // The error for a mistyped name suggests the right one. If the same word is followed by a line break, it is read as a row of pegs.
    let refusal = refused("pegs", "position", &json!({"instance": "englsh"}));
    assert!(!cfg!(feature = "instances") || refusal.help.contains("`english`"), "{}", refusal.help);
    assert!(ask("pegs", "position", &json!({"instance": "englsh\n"})).is_ok());
}

#[test]
fn a_solve_stopped_by_a_limit_is_an_answer() {
    let text = file("instances/pegs/english.txt");
    let task = json!({"instance": text, "method": "bfs"});
    let answer = ask::ask(GAMES, Some("pegs"), "solve", &task, &Limits::nodes(2000), None).expect("unknown is an answer");
    assert_eq!((&answer["report"]["verdict"], &answer["report"]["limit"]), (&json!("unknown"), &json!("nodes")));
}

#[test]
fn a_stream_begins_with_an_event_and_reports_progress() {
    let schema = component("Progress");
    let text = file("instances/pegs/english.txt");
    let seen: Arc<Mutex<Vec<Event>>> = Arc::default();
    let emit: EventSink = Arc::new({
        let seen = Arc::clone(&seen);
        move |event| seen.lock().expect("unpoisoned").push(event.clone())
    });
    let solve = |task: &Value, limits: &Limits| ask::ask(GAMES, Some("pegs"), "solve", task, limits, Some(&emit));
    assert!(solve(&json!({"instance": text, "method": "magic"}), &Limits::none()).is_err());
    assert!(seen.lock().expect("unpoisoned").is_empty(), "a refused question sends no events");

    // The caller's own progress callback is still called, and may set the cancel flag.
    let limits = Limits::until(|progress| progress.expanded >= 5000);
    let mut answer = solve(&json!({"instance": text, "method": "bfs"}), &limits).expect("an answer");
    assert_eq!(answer["report"]["limit"], "time");
    let events = seen.lock().expect("unpoisoned").clone();
    let expanded = events.iter().map(|event| match event {
        Event::Progress(progress) => progress.expanded,
        Event::Lines(_) => panic!("only a trace has lines"),
    });
    let expanded: Vec<u64> = expanded.collect();
    assert!(expanded.len() > 2 && expanded[0] == 0 && expanded.is_sorted(), "{expanded:?}");
    for event in &events {
        assert_eq!(event.name(), "progress");
        assert_fits(&schema, &event.json(0.5), "progress");
    }
    ask::set_seconds(&mut answer, 2.5);
    assert_eq!(answer["report"]["stats"]["seconds"], 2.5);
}

#[test]
fn a_reply_agrees_with_a_solve_up_to_the_end_of_the_game() {
    for opponent in [json!("perfect"), json!("random"), json!(2)] {
        let mut moves: Vec<Value> = Vec::new();
        loop {
            let board = json!({"instance": "P5", "moves": moves});
            let solved = ask("edge", "solve", &json!({"instance": "P5", "moves": moves, "method": "induction"})).expect("solved");
            let reply = ask("edge", "reply", &json!({"instance": "P5", "moves": moves, "opponent": opponent, "seed": 5})).expect("a reply");
            if opponent == "perfect" || reply["move"].is_null() {
                for field in ["outcome", "winner", "length"] {
                    assert_eq!(reply[field], solved["report"][field], "{board} {field}");
                }
            }
            let best = solved["best"].as_array().expect("a list");
            assert!(opponent != "perfect" || best.is_empty() || best.contains(&reply["move"]), "{board}");
            if reply["move"].is_null() {
                break;
            }
            moves.push(reply["move"].clone());
        }
        assert!(moves.len() > 1, "{opponent}");
    }
}

#[test]
fn weights_are_rounded_not_truncated() {
    // In floating point, 1.001 * 1000 is slightly less than 1001.
    assert_eq!([1.0, 1.001, 1.0004, 2.9996, 1000.0].map(search::weight_from), [1000, 1001, 1000, 3000, 1_000_000].map(Some));
    assert_eq!([0.999, 1000.1, f64::NAN, -1.0, f64::INFINITY].map(search::weight_from), [None; 5]);
}

#[test]
fn a_trace_sends_every_line_as_an_event_or_all_with_the_answer() {
    let entry = &GAMES[0];
    let body = json!({"instance": entry.sample, "method": "bfs", "nodes": 500, "states": true});
    let whole = ask(entry.name, "trace", &body).expect("an answer");
    let lines = whole["lines"].as_array().expect("lines");
    assert_eq!(whole["report"]["stats"]["expanded"], lines.len());
    let sent: Arc<Mutex<Vec<Value>>> = Arc::default();
    let emit: EventSink = Arc::new({
        let (sent, schema) = (Arc::clone(&sent), component("Lines"));
        move |event| {
            if let Event::Lines(lines) = event {
                assert_fits(&schema, &event.json(0.0), "lines");
                sent.lock().expect("unpoisoned").extend(lines.iter().cloned());
            }
        }
    });
    let streamed = ask::ask(GAMES, Some(entry.name), "trace", &body, &Limits::none(), Some(&emit)).expect("an answer");
    assert!(streamed.get("lines").is_none());
    assert_eq!(*sent.lock().expect("unpoisoned"), *lines);
    assert_eq!(refused(entry.name, "trace", &json!({"instance": entry.sample, "nodes": 0})).kind, Kind::Board);
    // An HTML page contains the whole trace, so no lines are sent.
    sent.lock().expect("unpoisoned").clear();
    let body = json!({"instance": entry.sample, "method": "bfs", "html": true});
    let page = ask::ask(GAMES, Some(entry.name), "trace", &body, &Limits::none(), Some(&emit)).expect("an answer");
    assert!(page["html"].as_str().is_some_and(|html| html.starts_with("<!doctype html>")) && page.get("lines").is_none());
    assert!(sent.lock().expect("unpoisoned").is_empty());
}
