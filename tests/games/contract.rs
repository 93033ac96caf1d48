//! The contract, tested on every game of the registry and on the template. A new game is tested before its author writes
//! a test: its laws on random walks, its declared facts against exact distances, every method against a plain search.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kibitzer::catalog::{Choice, Entry, LegalMove, Puzzle, Run};
use kibitzer::drawing::Drawing;
use kibitzer::games::{self, Visitor};
use kibitzer::limits::Limits;
use kibitzer::notation::{Options, ReadError, parse};
use kibitzer::outcome::{Stats, Why};
use kibitzer::random::Random;
use kibitzer::report::{Answer, Claim};
use kibitzer::rules::{Cost, DEAD, Game, Packing, Problem};
use kibitzer::scene::Form;
use kibitzer::search::{self, Optimal};
use kibitzer::verify;
use serde_json::Value;

/// Runs a check, which is generic in the problem and gets its row of the registry, on every one-player game.
macro_rules! every_game {
    ($check:ident) => {{
        struct Check;
        impl Visitor for Check {
            fn one_player<P: Problem + Drawing>(&mut self) {
                $check::<P>(crate::entry(P::INFO.name));
            }
        }
        crate::common::visit(&mut Check);
    }};
}

/// The laws that hold in every state of every game.
fn check_laws<P: Problem + Drawing>(_: &Entry) {
    for board in crate::common::boards::<P>(12) {
        let problem: P = board.read();
        let context = format!("{} {}", P::INFO.name, board.name);
        let mut moves = Vec::new();
        problem.moves(&problem.start(), &mut moves);
        // The laws are looked at move by move and, backwards, for each move of each move.
        if moves.len() > 100 {
            continue;
        }
        let none = Limits::none();
        let estimates: Vec<_> = P::HEURISTICS.iter().map(|h| (h.build)(&problem, &none).expect("no limit")).collect();
        let mut random = Random::new(1);
        for _ in 0..4 {
            let mut state = problem.start();
            for _ in 0..25 {
                let moves = laws_of_a_state(&problem, &state, &context);
                let canonical = problem.canonical(state.clone());
                for (heuristic, estimate) in P::HEURISTICS.iter().zip(&estimates) {
                    let values = (estimate.at(&problem, &state, &none), estimate.at(&problem, &canonical, &none));
                    assert_eq!(values.0, values.1, "{context}: symmetry changes {}", heuristic.name);
                }
                if moves.is_empty() {
                    break;
                }
                state = problem.apply(&state, &moves[random.below(moves.len())]);
            }
        }
    }
}

/// What leads to a state, where the problem can step backwards.
fn predecessors<P: Problem>(problem: &P, state: &P::State) -> Vec<(P::State, Cost)> {
    let mut all = Vec::new();
    if let Some(backward) = P::BACKWARD {
        let _ = (backward.step)(problem, state, &mut |before, cost| {
            all.push((before, cost));
            ControlFlow::Continue(())
        });
    }
    all
}

fn laws_of_a_state<P: Problem + Drawing>(problem: &P, state: &P::State, context: &str) -> Vec<P::Move> {
    let mut moves = Vec::new();
    problem.moves(state, &mut moves);
    assert!(moves.is_sorted_by(|a, b| a < b), "{context}: moves are sorted and different: {moves:?}");

    let mut bytes = vec![0xa5; problem.state_bytes()];
    problem.pack(state, &mut bytes);
    assert_eq!(&problem.unpack(&bytes), state, "{context}: unpack undoes pack");
    if bytes.len() <= 8 {
        assert_eq!(problem.pack_word(state).to_le_bytes()[..bytes.len()], bytes, "{context}: pack_word is pack");
    }

    let canonical = problem.canonical(state.clone());
    assert_eq!(problem.canonical(canonical.clone()), canonical, "{context}: canonical is idempotent");
    assert_eq!(problem.is_goal(state), problem.is_goal(&canonical), "{context}: symmetry keeps goals");
    assert_eq!(problem.is_dead(state), problem.is_dead(&canonical), "{context}: symmetry keeps dead ends");
    let futures = |state: &P::State| {
        let mut moves = Vec::new();
        problem.moves(state, &mut moves);
        let mut futures = BTreeMap::new();
        for mv in &moves {
            let mut bytes = vec![0; problem.state_bytes()];
            problem.pack(&problem.canonical(problem.apply(state, mv)), &mut bytes);
            *futures.entry((bytes, problem.cost(state, mv))).or_insert(0) += 1;
        }
        futures
    };
    assert_eq!(futures(state), futures(&canonical), "{context}: symmetry keeps what can follow, and its price");

    let mut successors = Vec::new();
    let _ = problem.expand(&canonical, &mut Vec::new(), |state, cost| {
        successors.push((state, cost));
        ControlFlow::Continue(())
    });
    let mut plain = Vec::new();
    problem.moves(&canonical, &mut plain);
    let plain: Vec<_> = plain.iter().map(|mv| (problem.canonical(problem.apply(&canonical, mv)), problem.cost(&canonical, mv))).collect();
    assert_eq!(successors, plain, "{context}: expand is moves, apply, canonical and cost");

    let can_step_back = P::BACKWARD.is_some_and(|backward| !(backward.goals)(problem).is_empty());
    for mv in &moves {
        let after = problem.apply(state, mv);
        assert!(problem.layer(state).is_none() || problem.layer(state) < problem.layer(&after), "{context}: layers grow");
        let cost = problem.cost(state, mv);
        assert!(problem.move_costs().contains(&cost), "{context}: {mv:?} costs {cost}");
        assert_eq!(problem.apply(state, mv), problem.apply(state, mv), "{context}: apply is a function");
        if can_step_back {
            let before = predecessors(problem, &after);
            assert!(before.contains(&(state.clone(), cost)), "{context}: {mv:?} can be stepped backwards");
        }
    }
    for state in [state, &canonical] {
        for (before, cost) in predecessors(problem, state) {
            let mut moves = Vec::new();
            problem.moves(&before, &mut moves);
            let leads_here = |mv: &P::Move| problem.apply(&before, mv) == *state && problem.cost(&before, mv) == cost;
            assert!(moves.iter().any(leads_here), "{context}: {before:?} was said to lead to {state:?}");
        }
    }
    if can_step_back {
        let mut moves = Vec::new();
        problem.moves(&canonical, &mut moves);
        for mv in &moves {
            let before = predecessors(problem, &problem.apply(&canonical, mv));
            assert!(before.contains(&(canonical.clone(), problem.cost(&canonical, mv))), "{context}: {mv:?} of {canonical:?}, backwards");
        }
    }

    let written = problem.write(state);
    let again = parse::<P>(&written, &Options::default()).unwrap_or_else(|error| panic!("{context}: {written}: {error}"));
    assert_eq!(&again.start(), state, "{context}: reading undoes writing");
    assert_eq!(again.write(&again.start()), written, "{context}: writing is stable");
    assert!(!problem.ascii(state).is_empty());
    moves
}

/// What the page relies on: moves by text, by JSON and by clicks.
#[test]
fn every_move_can_be_written_and_clicked() {
    every_game!(check_shown);
}

fn check_shown<P: Problem + Drawing>(entry: &Entry) {
    for board in crate::common::boards::<P>(8) {
        let (name, mut puzzle) = (&board.name, board.open(entry));
        let mut random = Random::new(2);
        for _ in 0..15 {
            let position = puzzle.position(&Limits::none()).expect("there is no limit");
            let svg = position.scene.svg(&Limits::none()).expect("there is no limit");
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !position.scene.title.is_empty());
            let inside = |x: f64, y: f64| (0.0..=position.scene.width).contains(&x) && (0.0..=position.scene.height).contains(&y);
            for shape in &position.scene.shapes {
                let fits = match &shape.form {
                    Form::Circle { x, y, .. } | Form::Rect { x, y, .. } | Form::Text { x, y, .. } => inside(*x, *y),
                    Form::Polygon { points } => points.iter().all(|&(x, y)| inside(x, y)),
                    Form::Line { from, to } => inside(from.0, from.1) && inside(to.0, to.1),
                };
                assert!(fits, "{name}: a shape is outside of the picture: {shape:?}");
            }
            let names: Vec<&str> = position.scene.shapes.iter().filter_map(|shape| shape.name.as_deref()).collect();
            let gestures = &position.scene.moves;
            assert_eq!(gestures.len(), position.moves.len());
            for (at, gesture) in gestures.iter().enumerate() {
                assert!(!gesture.clicks.is_empty() && gesture.clicks.iter().all(|click| names.contains(&click.as_str())));
                for (other, rival) in gestures.iter().enumerate() {
                    assert!(at == other || !rival.clicks.starts_with(&gesture.clicks), "{name}: {gesture:?} hides {rival:?}");
                }
            }
            for legal in &position.moves {
                for value in [Value::String(legal.text.clone()), legal.json.clone()] {
                    let meant = LegalMove::find(&position.moves, &value).map(|meant| &meant.json);
                    assert_eq!(meant, Some(&legal.json), "{name}: {value} means one move");
                }
                let loose = Value::String(format!("  {} ", legal.text.to_uppercase()));
                let meant = LegalMove::find(&position.moves, &loose);
                assert!(meant.is_none_or(|meant| meant.text.eq_ignore_ascii_case(&legal.text)), "{name}: {loose}");
            }
            assert!(puzzle.after(&[Value::String("no such move".into())]).is_err());
            if position.moves.is_empty() {
                break;
            }
            let mv = &position.moves[random.below(position.moves.len())];
            puzzle = puzzle.after(std::slice::from_ref(&mv.json)).expect("it is legal");
        }
    }
}

#[test]
fn laws() {
    every_game!(check_laws);
}

/// Readers answer every text with a board or with an error that has a place and a remedy; they never panic.
#[test]
fn no_text_upsets_a_reader() {
    every_game!(check_reader);
}

fn check_reader<P: Problem + Drawing>(_: &Entry) {
    let mut texts: Vec<String> = ["", " ", "\n", "\0", "#", ":", ";", "|", "{", "}", "[]", "{}", "null", "0", "a", ".", "é: ü", "\u{feff}"]
        .map(str::to_owned)
        .to_vec();
    texts.extend(crate::common::instances(P::INFO.name).into_iter().map(|instance| instance.text));
    texts.push(P::INFO.sample.to_owned());
    let mut random = Random::new(3);
    let signs: Vec<char> = "0129-.,:;|#aAzé{}[]()\"\n\t \0".chars().collect();
    let sound = texts.clone();
    for _ in 0..3000 {
        // Sound boards with a few characters changed, dropped or doubled.
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
        match parse::<P>(&text, &Options::default()) {
            Ok(board) => _ = board.ascii(&board.start()),
            Err(ReadError::Text(error)) => {
                let lines = text.split('\n').count();
                assert!((1..=lines).contains(&error.line) && error.column >= 1, "{text:?}: {error}");
                assert!(!error.message.is_empty() && !error.help.is_empty(), "{text:?}: {error}");
            }
            Err(error) => panic!("no option or limit was given for {text:?}: {error}"),
        }
    }
}

#[test]
fn the_registry_is_in_order() {
    struct Names(Vec<&'static str>);
    impl Visitor for Names {
        fn one_player<P: Problem + Drawing>(&mut self) {
            self.0.push(P::INFO.name);
            let facts = |consistent: bool, admissible: bool| !consistent || admissible;
            assert!(P::HEURISTICS.iter().all(|h| facts(h.consistent, h.admissible)), "consistent implies admissible");
            let own: Vec<&str> = P::SOLVERS.iter().map(|solver| solver.name).collect();
            assert!(own.iter().all(|name| search::find(name).is_none()), "{own:?} must not hide a search method");
        }

        fn two_player<G: Game + Drawing>(&mut self) {
            self.0.push(G::INFO.name);
        }
    }
    let mut names = Names(Vec::new());
    games::visit(&mut names);
    let listed: Vec<&str> = games::GAMES.iter().map(|entry: &Entry| entry.name).collect();
    assert_eq!(names.0[..listed.len()], listed);
    assert_eq!(names.0[listed.len()..], ["template", "template2"]);
    for name in listed {
        assert!(name.chars().all(|c| c.is_ascii_lowercase()), "{name} is one lowercase word");
        assert!(games::find(name).is_some());
        assert!(!crate::common::instances(name).is_empty(), "there are no boards in instances/{name}/; put some there");
    }
    let mut words: Vec<&str> = search::METHODS.iter().flat_map(|method| method.aliases.iter().copied().chain([method.name])).collect();
    words.sort_unstable();
    assert!(words.is_sorted_by(|a, b| a < b), "no word means two methods");
}

/// The whole space of a small board: states, moves between them, and the exact cost to go from each.
struct Space<P: Problem> {
    states: Vec<P::State>,
    steps: Vec<(usize, usize, Cost)>,
    exact: Vec<Cost>,
}

impl<P: Problem> Space<P> {
    /// None if there are more states than `most`.
    fn explore(problem: &P, most: usize) -> Option<Space<P>> {
        let mut number = HashMap::from([(problem.start(), 0)]);
        let mut states = vec![problem.start()];
        let mut steps = Vec::new();
        let mut at = 0;
        while at < states.len() {
            let mut moves = Vec::new();
            problem.moves(&states[at], &mut moves);
            for mv in &moves {
                let next = problem.apply(&states[at], mv);
                let to = *number.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    states.len() - 1
                });
                steps.push((at, to, problem.cost(&states[at], mv)));
            }
            if states.len() > most {
                return None;
            }
            at += 1;
        }
        let mut exact: Vec<Cost> = states.iter().map(|state| if problem.is_goal(state) { 0 } else { DEAD }).collect();
        // Bellman and Ford: slow and plain, and right for every price.
        loop {
            let mut changed = false;
            for &(from, to, cost) in steps.iter().rev() {
                let through = exact[to].saturating_add(cost);
                if through < exact[from] {
                    exact[from] = through;
                    changed = true;
                }
            }
            if !changed {
                return Some(Space { states, steps, exact });
            }
        }
    }
}

/// Declared facts against exact distances, on every board that is small enough.
#[test]
fn heuristics_are_what_they_say() {
    every_game!(check_facts);
}

fn check_facts<P: Problem + Drawing>(_: &Entry) {
    let mut tested = 0;
    for board in crate::common::boards::<P>(12) {
        let (name, problem) = (&board.name, board.read::<P>());
        let Some(space) = Space::explore(&problem, 60_000) else { continue };
        tested += 1;
        for (state, exact) in space.states.iter().zip(&space.exact) {
            assert!(!problem.is_dead(state) || *exact == DEAD, "{name}: a live state was called dead");
        }
        let none = Limits::none();
        for heuristic in P::HEURISTICS {
            let estimate = (heuristic.build)(&problem, &none).expect("no limit");
            let values: Vec<Cost> = space.states.iter().map(|state| estimate.at(&problem, state, &none).expect("no limit")).collect();
            let context = format!("{} {name}: {}", P::INFO.name, heuristic.name);
            for ((value, exact), state) in values.iter().zip(&space.exact).zip(&space.states) {
                assert!(!heuristic.admissible || value <= exact, "{context}: {value} > {exact} at {state:?}");
                assert!(!heuristic.consistent || *exact > 0 || *value == 0, "{context}: not 0 at a goal");
            }
            for &(from, to, cost) in &space.steps {
                let falls = values[from] > values[to].saturating_add(cost);
                assert!(!heuristic.consistent || !falls, "{context}: drops too fast from {:?}", space.states[from]);
            }
        }
    }
    assert!(
        tested >= 3,
        "{name}: only {tested} of its boards have at most 60,000 states, and 3 are needed to compare methods with a plain search; \
         add small boards to instances/{name}/, or let the GENERATOR make smaller ones by default",
        name = P::INFO.name
    );
}

/// Every method on every board against the plain search of `verify`, and every answer through `check`.
#[test]
fn methods_agree_and_answers_pass_the_check() {
    every_game!(check_methods);
}

fn check_methods<P: Problem + Drawing>(entry: &Entry) {
    let (mut solved, mut unsolvable) = (0, 0);
    let mut answered = std::collections::HashSet::new();
    let mut asked = std::collections::HashSet::new();
    for board in crate::common::boards::<P>(crate::common::amount(6, 20)) {
        let (name, problem, puzzle) = (&board.name, board.read::<P>(), board.open(entry));
        let least = verify::least_cost(&problem, &problem.start(), &Limits::nodes(crate::common::amount(10_000, 300_000)));
        match least {
            verify::Least::Unknown { .. } => continue,
            verify::Least::Cost(_) => solved += 1,
            verify::Least::None => unsolvable += 1,
        }
        for method in puzzle.methods() {
            let context = format!("{} {name}: {}", P::INFO.name, method.name);
            let report = puzzle.solve(&Choice::method(&method.name), &Limits::nodes(60_000)).expect(&context);
            asked.insert(method.name.clone());
            if report.verdict() != "unknown" {
                answered.insert(method.name.clone());
            }
            match (&report.answer, least) {
                (Answer::Solved { cost, optimal, lower, moves }, verify::Least::Cost(least)) => {
                    assert!(*cost >= least && *lower <= least && report.verified, "{context}");
                    assert_eq!(*optimal, lower >= cost, "{context}");
                    assert!(!optimal || *cost == least, "{context}: {cost} is not optimal");
                    assert!(!method.optimal || *optimal, "{context}: promised a least cost");
                    assert!(*cost == 0 || !moves.is_empty());
                }
                (Answer::Unsolvable { .. }, verify::Least::None) => assert!(report.verified, "{context}"),
                (Answer::Unknown { lower, upper, .. }, _) => {
                    assert!(report.stats.expanded <= 60_000, "{context}");
                    if let verify::Least::Cost(least) = least {
                        assert!(*lower <= least && upper.is_none_or(|upper| upper >= least), "{context}");
                    }
                    continue;
                }
                (answer, least) => panic!("{context}: {answer:?} against {least:?}"),
            }
            let json = report.json(0.0).to_string();
            let checked = puzzle.check(&Claim::read(&json, P::INFO.name).expect("our own JSON"), &Limits::nodes(300_000));
            assert!(checked.is_ok_and(|checked| checked.complete()), "{context}: {json}");
            if let Answer::Solved { moves, .. } = &report.answer {
                let claim = Claim::read(&report.text(0.0), P::INFO.name).expect("our own text");
                assert!(puzzle.check(&claim, &Limits::nodes(0)).is_ok(), "{context}: the text is a plan too");
                if !moves.is_empty() {
                    let cut = Claim::Plan { moves: moves[1..].iter().map(|mv| mv.json.clone()).collect(), said: Default::default() };
                    let shorter = puzzle.check(&cut, &Limits::nodes(0));
                    assert!(shorter.is_err() || report.answer_is_loose(), "{context}: a plan without its first move passes");
                }
            }
        }
    }
    assert_eq!(asked, answered, "every method answers at least once");
    assert!(solved > 0, "{}: {solved} solved, {unsolvable} unsolvable boards tested", P::INFO.name);
}

trait Loose {
    /// May the first move be superfluous?
    fn answer_is_loose(&self) -> bool;
}

impl Loose for kibitzer::report::Report {
    fn answer_is_loose(&self) -> bool {
        matches!(self.answer, Answer::Solved { optimal: false, .. })
    }
}

/// A search that is stopped at every state, or resumed with doubled limits, finds and counts the same as one that is not.
#[test]
fn stopping_and_resuming_changes_nothing() {
    every_game!(check_resuming);
}

fn check_resuming<P: Problem + Drawing>(entry: &Entry) {
    for board in crate::common::boards::<P>(3) {
        resuming_changes_nothing(&*board.open(entry), &format!("{} {}", P::INFO.name, board.name));
    }
}

fn resuming_changes_nothing(puzzle: &dyn Puzzle, board: &str) {
    let most = crate::common::amount(500, 3_000);
    for method in search::METHODS {
        let choice = Choice { weight: 1500, ..Choice::method(method.name) };
        let Ok(mut whole) = puzzle.begin(&choice) else { continue };
        let context = format!("{board}: {}", method.name);
        let begin = || puzzle.begin(&choice).expect("it has begun before");
        let answer = whole.advance(&Limits::nodes(most)).expect("no fault").answer;
        let mut stepped = begin();
        for nodes in 1..=most {
            stepped.work(&Limits::nodes(nodes));
            let look = stepped.look().expect("a search");
            if look.stats.expanded < nodes {
                break;
            }
            assert!(look.last.is_some(), "{context}: the last state can be seen");
            assert!(look.upper.is_none_or(|upper| upper >= look.lower), "{context}");
        }
        let mut doubled = begin();
        let mut nodes = 0;
        loop {
            doubled.work(&Limits::nodes(nodes));
            if doubled.look().expect("a search").stats.expanded < nodes || nodes == most {
                break;
            }
            nodes = most.min(2 * nodes.max(1));
        }
        for (mut run, how) in [(stepped, "stepped"), (doubled, "resumed")] {
            let report = run.advance(&Limits::nodes(most)).expect("no fault");
            assert_eq!(inside(&*run), inside(&*whole), "{context}: {how}");
            // A search that gives up is followed by a short proof, whose effort depends on the limit.
            if !is_proof(&answer) && !is_proof(&report.answer) {
                assert_eq!(format!("{:?}", report.answer), format!("{answer:?}"), "{context}: {how}");
            }
        }
        if !matches!(answer, Answer::Unknown { .. }) && !is_proof(&answer) {
            let again = whole.advance(&Limits::none()).expect("no fault").answer;
            assert_eq!(format!("{again:?}"), format!("{answer:?}"), "{context}: an answer stays");
        }
    }
}

/// What a search shows of itself, without the memory that it took.
fn inside(run: &dyn Run) -> impl PartialEq + std::fmt::Debug {
    let look = run.look().expect("a search");
    let Stats { expanded, generated, reopened, stored, .. } = look.stats;
    ((expanded, generated, reopened, stored), (look.open, look.closed, look.lower, look.upper, look.last))
}

fn is_proof(answer: &Answer) -> bool {
    matches!(answer, Answer::Unsolvable { why: Why::Certificate(_) })
}

/// Memory and stop limits end a search with a proved bound, never with a wrong answer.
#[test]
fn limits_give_unknown() {
    for entry in games::GAMES {
        limits_of(entry);
    }
}

fn limits_of(entry: &Entry) {
    let puzzle = entry.parse(entry.sample, &Options::default()).expect("right");
    // A game's own algebra may be done before anybody could ask it to stop.
    for method in puzzle.methods().into_iter().filter(|info| info.memory.is_some() || info.course) {
        let choice = Choice::method(&method.name);
        let calls = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&calls);
        let limits = Limits::until(move |progress| {
            counted.fetch_add(1, Ordering::Relaxed);
            assert!(progress.lower <= 10);
            true
        });
        let report = puzzle.solve(&choice, &limits).expect("no fault");
        assert!(matches!(report.answer, Answer::Unknown { limit: kibitzer::limits::Limit::Time, lower: 0..=10, .. }), "{}", method.name);
        assert_eq!((calls.load(Ordering::Relaxed), report.stats.expanded), (1, 0), "{}: asked before the first state", method.name);
        let report = puzzle.solve(&choice, &Limits { bytes: 10, ..Limits::none() }).expect("no fault");
        assert!(matches!(report.answer, Answer::Unknown { limit: kibitzer::limits::Limit::Memory, .. }), "{}", method.name);
    }
}

/// Facts about methods that hold whatever the game.
#[test]
fn method_facts_are_used() {
    for method in search::METHODS {
        assert!(!method.about.is_empty() && !method.optimal.about().is_empty() && !method.memory.about().is_empty());
        assert_eq!(method.guided, matches!(method.optimal, Optimal::Admissible | Optimal::Bounded) || method.name == "greedy");
        assert_eq!(search::find(&method.name.to_uppercase()).map(|found| found.name), Some(method.name));
    }
    assert_eq!(search::find("A*").map(|method| method.name), Some("astar"));
    assert!(search::find("magic").is_none());
}
