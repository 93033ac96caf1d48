//! Games in which positions can repeat, tested on dodgem: known counts, the contract, strategies and forged strategies, and everything
//! that needs no layers. On layered games, retrograde analysis agrees with induction.

use std::collections::HashMap;
use std::sync::Arc;

use kibitzer::catalog::{CertificateError, Choice, Duel, Entry, Puzzle, SolveError, TwoPlayer};
use kibitzer::drawing::Drawing;
use kibitzer::film::Film;
use kibitzer::gamegraph::opponent::Opponent;
use kibitzer::gamegraph::{induction, retrograde};
use kibitzer::games::Visitor;
use kibitzer::limits::{Limit, Limits};
use kibitzer::report::{Answer, Confirmed};
use kibitzer::rules::{Game, Problem, Rules, Score};
use kibitzer_contract::two_player;
use serde_json::{Value, json};

use crate::common::{amount, crc32, solve, stopped};
use crate::dodgem::{Cars, Dodgem};

static DODGEM: Entry = Entry::two_player::<Dodgem>();

#[test]
fn the_contract_holds_without_layers() {
    two_player::check::<Dodgem>(&DODGEM);
    two_player::laws_of_a_board(&Dodgem::new(4), "4 x 4");
}

/// The scores of all positions, and the number of moves to the end, by the definition: in round N, a position is won if a successor was
/// lost before, and lost if all successors were won before.
fn by_rounds(game: &Dodgem) -> HashMap<Cars, Option<(Score, u32)>> {
    let mut after: HashMap<Cars, Vec<Cars>> = HashMap::new();
    let mut waiting = vec![game.start()];
    while let Some(state) = waiting.pop() {
        after.entry(state).or_insert_with(|| {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let next: Vec<Cars> = moves.iter().map(|mv| game.apply(&state, mv)).collect();
            waiting.extend(&next);
            next
        });
    }
    let mut known: HashMap<Cars, Option<(Score, u32)>> =
        after.keys().map(|state| (*state, game.terminal(state).map(|score| (score, 0)))).collect();
    for round in 1.. {
        let score = |state: &Cars| known[state].map(|(score, _)| score);
        let decide = |(state, next): (&Cars, &Vec<Cars>)| {
            let won = next.iter().any(|next| score(next) == Some(Score::Loss));
            let lost = next.iter().all(|next| score(next) == Some(Score::Win));
            let decided = if won { Some(Score::Win) } else { lost.then_some(Score::Loss) };
            decided.filter(|_| known[state].is_none()).map(|score| (*state, Some((score, round))))
        };
        let decided: Vec<_> = after.iter().filter_map(decide).collect();
        if decided.is_empty() {
            break;
        }
        known.extend(decided);
    }
    known
}

/// The numbers of positions and of draws, after every position was compared with [`by_rounds`].
fn counts(size: u8) -> (usize, usize) {
    let game = Arc::new(Dodgem::new(size));
    let expected = by_rounds(&game);
    for fold in [false, true] {
        let found = retrograde::analyze(&game, &game.start(), fold, &Limits::none()).expect("no limit");
        assert!(fold || found.total() == expected.len() as u64);
        for (state, known) in &expected {
            let (score, length) = known.map_or((Score::Draw, None), |(score, length)| (score, Some(length)));
            assert_eq!((found.worth(state).score, found.length(state)), (score, length), "{state:?}");
            assert_eq!(found.worth(state).moves().map(u32::from), length);
        }
    }
    (expected.len(), expected.values().filter(|known| known.is_none()).count())
}

/// On 3 x 3 squares, the player to move wins. On 4 x 4 squares, the game is a draw.
#[test]
fn dodgem_has_its_known_counts() {
    assert_eq!(counts(2), (15, 0));
    assert_eq!(counts(3), (1963, 0));
    let report = solve(&TwoPlayer::new(Dodgem::new(3)), None);
    let Answer::Decided(decided) = &report.answer else { panic!("{report:?}") };
    assert_eq!((decided.winner, decided.length, decided.confirmed), (Some(1), Some(19), Some(Confirmed::Plain)));
}

#[test]
fn dodgem_is_a_draw_on_4_x_4_squares() {
    if amount(true, false) {
        // The short run does without the rounds, which take a minute.
        let game = Arc::new(Dodgem::new(4));
        let found = retrograde::analyze(&game, &game.start(), false, &Limits::none()).expect("no limit");
        let drawn = found.counts(&Limits::none()).expect("no limit").iter().map(|layer| layer.drawn).sum::<u64>();
        assert_eq!((found.total(), drawn), (393_900, 35_281));
        assert_eq!(found.worth(&game.start()).moves(), None);
        return;
    }
    assert_eq!(counts(4), (393_900, 35_281));
    let puzzle = TwoPlayer::new(Dodgem::new(4));
    let report = solve(&puzzle, "retrograde");
    let Answer::Decided(decided) = &report.answer else { panic!("{report:?}") };
    assert_eq!((decided.outcome(), decided.winner, decided.length, decided.endless), ("D", None, None, true));
    assert_eq!(report.json(0.0)["length"], Value::Null);
    assert!(report.verified);
}

fn open(text: &str) -> Box<dyn Puzzle> {
    DODGEM.parse(text, &Default::default()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A board of 4 x 4 squares with few positions that is drawn by repetition.
fn drawn() -> Box<dyn Puzzle> {
    let game = Arc::new(Dodgem::new(4));
    let found = retrograde::analyze(&game, &game.start(), false, &Limits::none()).expect("no limit");
    let few = found
        .positions()
        .filter(|(_, _, worth)| worth.moves().is_none())
        .min_by_key(|(_, (right, up, _), _)| (right.count_ones() + up.count_ones(), *right, *up));
    let (_, start, _) = few.expect("there are draws");
    Box::new(TwoPlayer::new(Dodgem { size: 4, start }))
}

fn duel(puzzle: &dyn Puzzle) -> &dyn Duel {
    puzzle.duel().expect("two players")
}

#[test]
fn a_draw_by_repetition_in_every_format() {
    let puzzle = drawn();
    let report = solve(&*puzzle, None);
    assert!(report.text(0.0).contains("# a D-position, a draw by repetition; "), "{}", report.text(0.0));
    let json = report.json(0.0);
    assert_eq!((&json["outcome"], json.get("length"), &json["verified"]), (&json!("D"), Some(&Value::Null), &json!(true)));
    let check = |json: &Value| puzzle.check(&DODGEM.claim(&json.to_string()).expect("JSON"), &Limits::none());
    assert!(check(&json).is_ok_and(|checked| checked.complete() && checked.text.contains("retrograde analysis")), "{json}");
    assert!(check(&json!({"outcome": "D", "length": 4})).is_err_and(|fault| fault.contains("`length`")));
    assert!(check(&json!({"outcome": "N"})).is_err() && check(&json!({"outcome": "D", "grundy": 0})).is_err());
    let graph = duel(&*puzzle).graph(true, 100_000, &Limits::none()).expect("few positions");
    let endless = graph.nodes.iter().filter(|node| node.score == Score::Draw && node.length.is_none()).count();
    assert!(endless > 0 && graph.json()["nodes"][0]["length"].is_null());
    assert!(!graph.graphml().is_empty() && !graph.dot().is_empty());
    let labels = duel(&*puzzle).labels(&Limits::none()).expect("no limit");
    assert!(labels.iter().any(|label| label.score == Score::Draw && label.length.is_none()));
    assert!(puzzle.explain(&Limits::none()).is_some_and(|remark| remark.text.starts_with("A D-position")));
    let space = puzzle.explore(&Limits::none());
    assert!(space.explored.limit.is_none() && space.explored.total().drawn > 0);
    // The film ends when a position repeats.
    assert!(Film::best(&*puzzle, &Choice::default(), &Limits::none()).is_ok_and(|film| film.frames.len() > 2));
    assert!(puzzle.primer(&Limits::none()).is_ok_and(|cards| !cards.is_empty()));
}

/// Methods that need layers are not offered, and refuse by naming the method that works.
#[test]
fn methods_that_need_layers_are_refused() {
    let puzzle = TwoPlayer::new(Dodgem::new(3));
    let offered: Vec<String> = puzzle.methods().into_iter().map(|method| method.name).collect();
    assert_eq!(offered, ["auto", "retrograde"]);
    for method in ["winner", "grundy", "induction"] {
        let Err(SolveError::Choice(fault)) = puzzle.solve(&Choice::method(method), &Limits::none()) else { panic!("{method} runs") };
        assert!(fault.to_string().contains(&format!("`{method}`")) && fault.help.contains("retrograde"), "{fault}");
    }
}

/// The perfect opponent makes progress toward the end, although many moves preserve the win.
#[test]
fn the_perfect_opponent_wins_in_the_number_of_moves_that_it_announces() {
    let mut here: Box<dyn Puzzle> = Box::new(TwoPlayer::new(Dodgem::new(3)));
    let mut left = 19;
    while let Some(reply) = duel(&*here).reply(Opponent::Perfect, 1, &Limits::none()).expect("no fault") {
        assert_eq!(reply.length.map(|length| length + 1), Some(left));
        here = here.after(&[reply.mv.json]).expect("legal");
        left -= 1;
    }
    assert_eq!(left, 0);
}

#[test]
fn limits_stop_the_analysis() {
    let game = Arc::new(Dodgem::new(3));
    let analyze = |limits: &Limits| retrograde::analyze(&game, &game.start(), false, limits).err();
    assert_eq!(analyze(&Limits::nodes(1962)), Some(Limit::Nodes));
    assert_eq!(analyze(&Limits::nodes(1963)), None);
    assert_eq!(analyze(&stopped()), Some(Limit::Time));
    let needed = retrograde::analyze(&game, &game.start(), false, &Limits::none()).expect("no limit").bytes;
    assert_eq!(analyze(&Limits { bytes: needed, ..Limits::none() }), None);
    assert_eq!(analyze(&Limits { bytes: needed - 1, ..Limits::none() }), Some(Limit::Memory));
    assert_eq!(analyze(&Limits { bytes: 1000, ..Limits::none() }), Some(Limit::Memory));
    // After each progress report, the analysis can be stopped.
    let large = Arc::new(Dodgem::new(4));
    for most in [1, 20, 400] {
        let reports = std::sync::atomic::AtomicU64::new(0);
        let limits = Limits::until(move |_| reports.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= most);
        assert_eq!(retrograde::analyze(&large, &large.start(), false, &limits).err(), Some(Limit::Time), "{most}");
    }
    let report = TwoPlayer::new(Dodgem::new(3)).solve(&Choice::default(), &Limits::nodes(100)).expect("no fault");
    assert!(matches!(report.answer, Answer::Unknown { limit: Limit::Nodes, .. }));
    assert!(duel(&TwoPlayer::new(Dodgem::new(3))).labels(&Limits::nodes(100)).is_err());
}

fn certificate(puzzle: &dyn Puzzle) -> String {
    let mut run = puzzle.begin(&Choice::default()).expect("a method");
    run.certificate(&Limits::none()).expect("two players").expect("the self-check holds").expect("no limit")
}

fn judge(puzzle: &dyn Puzzle, text: &str) -> Result<String, CertificateError> {
    duel(puzzle).check(text, &Limits::none())
}

/// The certificate with these lines instead of its own, and a matching header.
fn forged(text: &str, lines: &[String]) -> String {
    let header = text.lines().next().expect("a header");
    let mut header: Value = serde_json::from_str(header).expect("JSON");
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    header["positions"] = lines.iter().filter(|line| !line.starts_with("player ")).count().into();
    header["checksum"] = format!("{:08x}", crc32(body.as_bytes())).into();
    format!("{header}\n{body}")
}

#[test]
fn a_winning_strategy_shows_progress_and_forged_ones_are_refused() {
    for (puzzle, claim) in
        [(Box::new(TwoPlayer::new(Dodgem::new(3))) as Box<dyn Puzzle>, "player 1 wins"), (open("..^ / >.. / ... / ^"), "player 1 wins")]
    {
        let text = certificate(&*puzzle);
        assert!(text.starts_with("{\"strategy\":2,"), "{text}");
        assert!(judge(&*puzzle, &text).is_ok_and(|sentence| sentence.ends_with(claim)), "{text}");
        let lines: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
        let refused = |lines: &[String]| matches!(judge(&*puzzle, &forged(&text, lines)), Err(CertificateError::Wrong(_)));
        assert!(!refused(&lines));
        for at in 1..lines.len() {
            let (position, rest) = lines[at].split_once(" = ").expect("a move");
            let (name, length) = rest.split_once(" @ ").expect("a length");
            let length: u32 = length.parse().expect("a number");
            for wrong in [length + 1, length + 2, length.saturating_sub(1), length.saturating_sub(2), 0, u32::MAX] {
                let mut changed = lines.clone();
                changed[at] = format!("{position} = {name} @ {wrong}");
                assert!(wrong == length || refused(&changed), "{}", changed[at]);
            }
            let mut changed = lines.clone();
            changed[at] = format!("{position} = {name}");
            assert!(matches!(judge(&*puzzle, &forged(&text, &changed)), Err(CertificateError::Unreadable(_))));
            changed.remove(at);
            assert!(refused(&changed));
        }
        // Without lengths, play might never end, even though no line is wrong in itself.
        let plain: Vec<String> =
            lines.iter().map(|line| line.split_once(" @ ").map_or(line.clone(), |(line, _)| line.to_owned())).collect();
        let plain = forged(&text, &plain).replacen("\"strategy\":2", "\"strategy\":1", 1);
        assert!(matches!(judge(&*puzzle, &plain), Err(CertificateError::Wrong(fault)) if fault.contains("no length")));
    }
}

/// A strategy of legal moves that never loses and never ends proves no win, whatever lengths it lists.
#[test]
fn a_cyclic_strategy_proves_no_win() {
    let puzzle = drawn();
    let draw = certificate(&*puzzle);
    assert!(draw.starts_with("{\"strategy\":1,") && draw.contains("\"outcome\":\"D\"") && draw.contains("\nplayer 2\n"), "{draw}");
    assert!(judge(&*puzzle, &draw).is_ok_and(|sentence| sentence.ends_with("the game is a draw")));
    let first: Vec<String> = draw.lines().skip(1).take_while(|line| *line != "player 2").map(str::to_owned).collect();
    for length in [0, 1, 2, 3, 4, 100, u32::MAX] {
        let lines: Vec<String> =
            first.iter().map(|line| if line.contains(" = ") { format!("{line} @ {length}") } else { line.clone() }).collect();
        let won =
            forged(&draw, &lines).replacen("\"outcome\":\"D\"", "\"outcome\":\"N\"", 1).replacen("\"strategy\":1", "\"strategy\":2", 1);
        assert!(matches!(judge(&*puzzle, &won), Err(CertificateError::Wrong(_))), "{length}");
    }
    let won = forged(&draw, &first).replacen("\"outcome\":\"D\"", "\"outcome\":\"N\"", 1);
    assert!(matches!(judge(&*puzzle, &won), Err(CertificateError::Wrong(_))));
    // A draw needs the strategies of both players, and lists no lengths.
    assert!(matches!(judge(&*puzzle, &forged(&draw, &first)), Err(CertificateError::Unreadable(_))));
    let lines: Vec<String> = draw.lines().skip(1).map(str::to_owned).collect();
    let long: Vec<String> = lines.iter().map(|line| if line.contains(" = ") { format!("{line} @ 3") } else { line.clone() }).collect();
    let long = forged(&draw, &long).replacen("\"strategy\":1", "\"strategy\":2", 1);
    assert!(matches!(judge(&*puzzle, &long), Err(CertificateError::Wrong(fault)) if fault.contains("lengths")));
    for at in (0..lines.len()).filter(|at| lines[*at].contains(" = ")) {
        let mut fewer = lines.clone();
        fewer.remove(at);
        assert!(matches!(judge(&*puzzle, &forged(&draw, &fewer)), Err(CertificateError::Wrong(_))), "without line {at}");
    }
}

/// Compares retrograde analysis with induction.
struct Compare {
    boards: usize,
}

impl Visitor for Compare {
    fn one_player<P: Problem + Drawing>(&mut self) {}

    fn two_player<G: Game + Drawing>(&mut self) {
        for board in crate::common::boards::<G>(amount(300, 2000)) {
            let game: Arc<G> = Arc::new(board.read());
            let start = game.start();
            let few = Limits::nodes(amount(20_000, 1_000_000));
            let Ok(labeled) = induction::label(&*game, &start, true, &few) else { continue };
            let found = retrograde::analyze(&game, &start, true, &few).expect("as many positions");
            assert_eq!(found.total(), labeled.total(), "{} {}", G::INFO.name, board.name);
            for (_, state, worth) in labeled.positions() {
                let other = found.worth(&state);
                assert_eq!((other.score, other.length), (worth.score, worth.length), "{} {}: {state:?}", G::INFO.name, board.name);
            }
            let sum = |layers: Vec<kibitzer::search::explore::Layer>| {
                layers.iter().fold((0, 0, 0, 0, 0), |sum, layer| {
                    (sum.0 + layer.unfolded, sum.1 + layer.moves, sum.2 + layer.losing, sum.3 + layer.drawn, sum.4 + layer.dead_ends)
                })
            };
            assert_eq!(sum(found.counts(&Limits::none()).expect("no limit")), sum(labeled.counts(&Limits::none()).expect("no limit")));
            self.boards += 1;
        }
    }
}

#[test]
fn retrograde_analysis_agrees_with_induction_on_layered_games() {
    let mut compare = Compare { boards: 0 };
    crate::common::visit(&mut compare);
    assert!(compare.boards > amount(300, 2000) || std::env::var_os("GAME").is_some(), "{} boards", compare.boards);
}
