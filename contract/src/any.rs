//! Checks for one-player and two-player games: every state obeys the laws, every move can be written and clicked, and the reader never
//! panics.

use std::collections::BTreeMap;

use kibitzer::catalog::{Checked, Choice, Entry, LegalMove};
use kibitzer::drawing::Drawing;
use kibitzer::limits::Limits;
use kibitzer::notation::{Options, ReadError, parse};
use kibitzer::random::Random;
use kibitzer::report::claim::{NEUTRAL, VERDICT};
use kibitzer::rules::{Cost, Packing};
use kibitzer::scene::Form;
use serde_json::{Value, json};

use crate::boards::{Board, instances};

pub fn moves_of<R: Drawing>(rules: &R, state: &R::State) -> Vec<R::Move> {
    let mut moves = Vec::new();
    rules.moves(state, &mut moves);
    moves
}

/// Checks the laws of `Rules` and `Notation` in one state and returns its moves.
pub fn laws_of_a_state<R: Drawing>(rules: &R, state: &R::State, cost: impl Fn(&R::State, &R::Move) -> Cost, context: &str) -> Vec<R::Move> {
    let moves = moves_of(rules, state);
    assert!(moves.is_sorted_by(|a, b| a < b), "{context}: moves are sorted and distinct: {moves:?}");

    let mut bytes = vec![0xa5; rules.state_bytes()];
    rules.pack(state, &mut bytes);
    assert_eq!(&rules.unpack(&bytes), state, "{context}: unpack undoes pack");
    if bytes.len() <= 8 {
        assert_eq!(rules.pack_word(state).to_le_bytes()[..bytes.len()], bytes, "{context}: pack_word agrees with pack");
    }

    let canonical = rules.canonical(state.clone());
    assert_eq!(rules.canonical(canonical.clone()), canonical, "{context}: canonical is idempotent");
    assert_eq!(rules.layer(&canonical), rules.layer(state), "{context}: symmetry preserves layers");
    assert!(rules.orbit(&canonical) >= 1, "{context}: an orbit has at least one state");
    let futures = |state: &R::State| {
        let mut futures = BTreeMap::new();
        for mv in moves_of(rules, state) {
            let mut bytes = vec![0; rules.state_bytes()];
            rules.pack(&rules.canonical(rules.apply(state, &mv)), &mut bytes);
            *futures.entry((bytes, cost(state, &mv))).or_insert(0) += 1;
        }
        futures
    };
    assert_eq!(futures(state), futures(&canonical), "{context}: symmetry preserves successors and their costs");
    for mv in &moves {
        let after = rules.apply(state, mv);
        assert_eq!(rules.apply(state, mv), after, "{context}: apply is deterministic");
        assert!(rules.layer(state).is_none() || rules.layer(state) < rules.layer(&after), "{context}: layers increase with every move");
    }

    let written = rules.write(state);
    let again = parse::<R>(&written, &Options::default()).unwrap_or_else(|error| panic!("{context}: {written}: {error}"));
    assert_eq!(&again.start(), state, "{context}: reading undoes writing");
    assert_eq!(again.write(&again.start()), written, "{context}: writing is stable");
    assert!(!rules.ascii(state).is_empty() && !rules.line(state).contains('\n'), "{context}: `ascii` is not empty, and `line` is one line");
    moves
}

/// Checks on random walks from these boards that every move can be made in three ways: from its text, from its JSON value, and by clicks.
pub fn shown(entry: &Entry, boards: &[Board]) {
    for board in boards {
        let (name, mut puzzle) = (format!("{} {}", entry.name, board.name), board.open(entry));
        let mut random = Random::new(2);
        for made in 0..30 {
            let position = puzzle.position(&Limits::none()).expect("no limit");
            assert!(puzzle.duel().is_none_or(|duel| duel.turn() == 1 + made % 2), "{name}: players take turns");
            let svg = position.scene.svg(&Limits::none()).expect("no limit");
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !position.scene.title.is_empty(), "{name}: incomplete SVG");
            let inside = |x: f64, y: f64| (0.0..=position.scene.width).contains(&x) && (0.0..=position.scene.height).contains(&y);
            for shape in &position.scene.shapes {
                let fits = match &shape.form {
                    Form::Circle { x, y, .. } | Form::Rect { x, y, .. } | Form::Text { x, y, .. } => inside(*x, *y),
                    Form::Polygon { points } => points.iter().all(|&(x, y)| inside(x, y)),
                    Form::Line { from, to } => inside(from.0, from.1) && inside(to.0, to.1),
                };
                assert!(fits, "{name}: a shape is outside the picture: {shape:?}");
            }
            let names: Vec<&str> = position.scene.shapes.iter().filter_map(|shape| shape.name.as_deref()).collect();
            let gestures = &position.scene.moves;
            assert_eq!(gestures.len(), position.moves.len(), "{name}: every move has its clicks");
            for (at, gesture) in gestures.iter().enumerate() {
                let there = !gesture.clicks.is_empty() && gesture.clicks.iter().all(|click| names.contains(&click.as_str()));
                assert!(there, "{name}: {gesture:?} clicks on a shape that is not drawn");
                for (other, rival) in gestures.iter().enumerate() {
                    assert!(at == other || !rival.clicks.starts_with(&gesture.clicks), "{name}: {gesture:?} is a prefix of {rival:?}");
                }
            }
            for legal in &position.moves {
                for value in [Value::String(legal.text.clone()), legal.json.clone()] {
                    let meant = LegalMove::find(&position.moves, &value).map(|meant| &meant.json);
                    assert_eq!(meant, Some(&legal.json), "{name}: {value} names exactly this move");
                }
                let loose = Value::String(format!("  {} ", legal.text.to_uppercase()));
                let meant = LegalMove::find(&position.moves, &loose);
                assert!(meant.is_none_or(|meant| meant.text.eq_ignore_ascii_case(&legal.text)), "{name}: {loose}");
            }
            assert!(puzzle.after(&[Value::String("no such move".into())]).is_err(), "{name}: a nonexistent move was accepted");
            let Some(mv) = position.moves.get(random.below(position.moves.len().max(1))) else { break };
            puzzle = puzzle.after(std::slice::from_ref(&mv.json)).expect("legal");
        }
    }
}

/// Checks that, for any text, a reader returns a board or an error with a position and a remedy, and never panics.
pub fn reader(entry: &Entry) {
    let mut texts: Vec<String> = ["", " ", "\n", "\0", "#", ":", ";", "|", "{", "}", "[]", "{}", "null", "0", "a", ".", "é: ü", "\u{feff}"]
        .into_iter()
        .chain(["0-1", "a:b", ":Fa@x^", "Bw", "{\"edges\":[[0,1]]}", "p edge 2 1\ne 1 2", entry.sample])
        .map(str::to_owned)
        .collect();
    texts.extend(instances(entry.name).into_iter().map(|instance| instance.text));
    let mut random = Random::new(3);
    let signs: Vec<char> = "0129-.,:;|#aAPKzé{}[]()\"\n\t \0~?_".chars().collect();
    let sound = texts.clone();
    for _ in 0..crate::amount(1000, 3000) {
        // The texts above with a few characters changed, deleted or inserted.
        let mut text: Vec<char> = sound[random.below(sound.len())].chars().collect();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len() + 1);
            match random.below(3) {
                0 if at < text.len() => _ = text.remove(at),
                1 if at < text.len() => text[at] = signs[random.below(signs.len())],
                _ => text.insert(at, signs[random.below(signs.len())]),
            }
        }
        texts.push(text.into_iter().collect());
    }
    for text in texts {
        match entry.parse(&text, &Options::default()) {
            Ok(board) => _ = board.ascii(),
            Err(ReadError::Text(error)) => {
                let lines = text.split('\n').count();
                assert!((1..=lines).contains(&error.line) && error.column >= 1, "{text:?}: {error}");
                assert!(!error.message.is_empty() && !error.help.is_empty(), "{text:?}: {error}");
            }
            Err(error) => panic!("{text:?}: the error is not about the text, although no option or limit was given: {error}"),
        }
    }
}

/// Checks the name and descriptions of a game.
pub fn declarations(entry: &Entry) {
    assert!(entry.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()), "the name {} is one lowercase word", entry.name);
    assert!(!entry.about.is_empty() && !entry.rules.is_empty(), "{} has a description and rules", entry.name);
}

/// Maximum number of states for checking an altered answer.
fn states() -> u64 {
    crate::amount(2_500, 10_000)
}

/// Checks the answers of all methods on these boards: every field is declared, and no altered answer is confirmed.
pub fn changes(entry: &Entry, boards: Vec<Board>) {
    let claims: Vec<&str> = entry.claims().map(|field| field.name).collect();
    let mut confirmed = 0;
    for board in boards.into_iter().take(crate::amount(2, 6)) {
        let puzzle = board.open(entry);
        let solve = |method: &str| puzzle.solve(&Choice::method(method), &Limits::nodes(states() / 5)).expect("no fault").json(0.0);
        let check = |answer: &Value| puzzle.check(&entry.claim(&answer.to_string())?, &Limits::nodes(states()));
        let answers: Vec<Value> = puzzle.methods().iter().map(|method| solve(&method.name)).collect();
        let least = answers.iter().filter_map(|answer| answer["cost"].as_u64()).min();
        for answer in &answers {
            let context = format!("{} {}: {answer}", entry.name, board.name);
            for name in answer.as_object().expect("an object").keys() {
                let listed = claims.contains(&name.as_str()) || NEUTRAL.iter().any(|field| field.name == name);
                assert!(listed, "{context}: `{name}` is not in any list of fields");
            }
            if answer["optimal"] == json!(false) && answer["cost"].as_u64() > least {
                let passes = check(&with(answer, "optimal", json!(true))).is_ok_and(|checked| checked.complete());
                assert!(!passes, "{context}: optimal");
            }
            confirmed += usize::from(changes_are_refused(answer, &check, &context));
        }
    }
    assert!(confirmed > 0, "{}: no answer was confirmed", entry.name);
}

/// An answer with one field changed to another value.
fn with(answer: &Value, name: &str, value: Value) -> Value {
    let mut changed = answer.clone();
    changed[name] = value;
    changed
}

/// Checks an answer unchanged, and with each field altered. If the unchanged answer is confirmed, each altered one must be refuted. Fields
/// that claim nothing may have any value. Returns whether the unchanged answer was confirmed.
pub fn changes_are_refused(answer: &Value, check: &dyn Fn(&Value) -> Result<Checked, String>, context: &str) -> bool {
    let complete = check(answer).unwrap_or_else(|fault| panic!("{context}: {fault}")).complete();
    let claims = |name: &str| NEUTRAL.iter().all(|field| field.name != name);
    for (name, value) in answer.as_object().expect("an object").iter().filter(|(name, _)| claims(name)) {
        let mut others = false_values(name, value, answer["cost"].as_u64());
        // Fewer moves are still some of the best moves.
        let fewer = |other: &Value| other.as_array().is_some_and(|moves| moves.len() + 1 == value.as_array().map_or(0, Vec::len));
        others.retain(|other| name != "best" || answer["all_best"] != json!(false) || !fewer(other));
        for other in others {
            match check(&with(answer, name, other.clone())) {
                Ok(checked) => assert!(!checked.complete() && !complete, "{context}: `{name}` as {other}: {checked:?}"),
                // In two-player games, the error names the field, or the move or winner that refutes it.
                Err(fault) => {
                    let refuted = [&*format!("`{name}`"), "also wins", "also draws", "`winner`"].iter().any(|word| fault.contains(word));
                    assert!(refuted || name == VERDICT || answer["outcome"].is_null(), "{context}: `{name}` as {other}: {fault}");
                }
            }
        }
    }
    let unknown = check(&with(answer, "surprise", json!(1)));
    assert!(unknown.is_err_and(|fault| fault.contains("`surprise`")), "{context}: an unknown field is refused");
    for (name, value) in [("method", json!("by hand")), ("verified", json!(false)), ("stats", json!({"seconds": 7})), ("seconds", json!(1))]
    {
        assert!(check(&with(answer, name, value)).is_ok_and(|checked| checked.complete() == complete), "{context}: {name}");
    }
    complete
}

/// Values that turn a correct field into an incorrect one on any board.
fn false_values(name: &str, value: &Value, cost: Option<u64>) -> Vec<Value> {
    let mut others = vec![json!("other"), json!([[7]]), json!({"x": 1}), json!(-1), json!(1.5)];
    match (name, value) {
        // The cost of the plan is below this bound, so the bound is false.
        ("lower", _) => others.extend(cost.map(|cost| json!(cost + 1))),
        ("outcome", _) => others.extend(["N", "P", "D"].map(|outcome| json!(outcome))),
        ("winner", _) => others.extend([json!(1), json!(2), json!(3), Value::Null]),
        (_, Value::Number(number)) => others.push(json!(number.as_u64().expect("a whole number") + 1)),
        (_, Value::Array(list)) if !list.is_empty() => {
            others.extend([json!(list[1..]), json!([list.as_slice(), &list[..1]].concat())]);
        }
        ("why", Value::Object(why)) => {
            others.extend([with(value, "kind", json!("other")), with(value, "surprise", json!(1))]);
            others.extend(why.contains_key("claim").then(|| with(value, "claim", json!("another claim"))));
        }
        _ => {}
    }
    others.retain(|other| other != value);
    others
}
