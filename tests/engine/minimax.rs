//! The minimax family: known counts, Knuth and Moore's formula, agreement with backward induction, stopping and resuming, limits, and
//! the laws of traces.

use std::collections::HashMap;
use std::sync::Arc;

use kibitzer::catalog::{Choice, Puzzle, TwoPlayer};
use kibitzer::gamegraph::dfpn::DepthFirstProof;
use kibitzer::gamegraph::order::{ORDERS, Order};
use kibitzer::gamegraph::tree::{self, Proved, Range, TreeSearch};
use kibitzer::gamegraph::{DuelKind, DuelMethod, METHODS};
use kibitzer::games::template2::TicTacToe;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Options, parse};
use kibitzer::random::Random;
use kibitzer::report::Claim;
use kibitzer::rules::{Game, Rules, Score};
use kibitzer::trace::{Fate, Judged, Window};
use kibitzer::verify;
use serde_json::{Value, json};

use crate::gamegraph::Nim;

/// The methods and orders that can be combined.
fn family() -> Vec<(&'static DuelMethod, Order)> {
    let methods = METHODS.iter().filter(|method| method.kind.searches_tree());
    methods
        .flat_map(|method| ORDERS.iter().map(move |(order, ..)| (method, *order)))
        .filter(|(method, order)| method.kind.takes(*order))
        .collect()
}

fn begin<G: Game>(game: &Arc<G>, kind: DuelKind, order: Order) -> Box<dyn TreeSearch<G> + Send> {
    tree::begin(kind, Arc::clone(game), game.start(), order).expect("a method of the family")
}

fn tictactoe(text: &str) -> TicTacToe {
    parse(text, &Options::default()).expect("a board")
}

/// A tree in which every position at the same depth has the same number of moves. The score of a leaf is a function of its path.
struct Uniform {
    width: u8,
    depth: usize,
    leaf: fn(&[u8]) -> Score,
}

impl kibitzer::rules::Pack<Uniform> for Vec<u8> {
    fn bytes(tree: &Uniform) -> usize {
        tree.depth + 1
    }

    fn pack(&self, _: &Uniform, out: &mut [u8]) {
        out[0] = self.len() as u8;
        out[1..=self.len()].copy_from_slice(self);
    }

    fn unpack(_: &Uniform, bytes: &[u8]) -> Self {
        bytes[1..=usize::from(bytes[0])].to_vec()
    }
}

impl Rules for Uniform {
    type State = Vec<u8>;
    type Move = u8;

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn moves(&self, path: &Vec<u8>, out: &mut Vec<u8>) {
        out.extend((0..self.width).filter(|_| path.len() < self.depth));
    }

    fn apply(&self, path: &Vec<u8>, mv: &u8) -> Vec<u8> {
        [path.as_slice(), &[*mv]].concat()
    }

    fn layer(&self, path: &Vec<u8>) -> Option<u32> {
        Some(path.len() as u32)
    }
}

impl Game for Uniform {
    fn terminal(&self, path: &Vec<u8>) -> Option<Score> {
        (path.len() == self.depth).then(|| (self.leaf)(path))
    }

    fn impartial(&self) -> bool {
        false
    }
}

/// Solves, and returns the answer, the number of visits, the number of children and the cutoffs.
fn run<G: Game>(game: &Arc<G>, kind: DuelKind, order: Order) -> (Proved<G::Move>, u64, u64, Option<u64>) {
    let mut search = begin(game, kind, order);
    let proved = search.solve(&Limits::none(), None).expect("no limit");
    let stats = search.stats();
    (proved, stats.expanded, stats.generated, stats.cutoffs)
}

/// 549,946 positions and 549,945 moves in the whole tree; alpha-beta search with an open window in reading order visits 18,297 of them.
#[test]
fn tictactoe_in_reading_order() {
    let game = Arc::new(tictactoe("... / ... / ..."));
    let (proved, expanded, generated, cutoffs) = run(&game, DuelKind::Minimax, Order::None);
    assert_eq!((proved.score, proved.length, proved.best.len(), proved.all_best), (Score::Draw, Some(9), 9, true));
    assert_eq!((expanded, generated, cutoffs), (549_946, 549_945, Some(0)));
    let (proved, expanded, ..) = run(&game, DuelKind::AlphaBeta, Order::None);
    assert_eq!((proved.score, proved.length, expanded), (Score::Draw, None, 18_297));
}

/// Knuth and Moore, *An analysis of alpha-beta pruning* (1975): the number of leaves if every order of moves is perfect.
#[test]
fn alphabeta_visits_the_minimal_tree() {
    for (width, depth) in [(2u8, 1), (2, 2), (3, 4), (4, 5), (5, 3), (2, 12), (6, 6)] {
        let game = Arc::new(Uniform { width, depth, leaf: |_| Score::Draw });
        let mut leaves = 0;
        let mut search = begin(&game, DuelKind::AlphaBeta, Order::None);
        let mut count = |visit: tree::Visit<'_, Uniform>| leaves += u64::from(visit.depth as usize == depth);
        search.solve(&Limits::none(), Some(&mut count)).expect("no limit");
        let power = |exponent: usize| u64::from(width).pow(exponent as u32);
        assert_eq!(leaves, power(depth.div_ceil(2)) + power(depth / 2) - 1, "width {width}, depth {depth}");
        let (_, expanded, ..) = run(&game, DuelKind::Minimax, Order::None);
        assert_eq!(expanded, (0..=depth).map(power).sum::<u64>());
    }
}

/// Compares an answer with plain backward induction.
fn agrees<G: Game>(game: &G, proved: &Proved<G::Move>, exact: bool, context: &str) {
    let induction = verify::induction(game, &game.start(), &Limits::none()).expect("small");
    let (worth, after) = (induction.worth().expect("reached"), induction.after().expect("reached"));
    assert_eq!(proved.score, worth.score, "{context}");
    assert!(proved.length.is_none_or(|length| length == worth.length), "{context}");
    let best = after.into_iter().filter(|(_, next)| worth.score != Score::Loss && next.score.reversed() == worth.score);
    let best: Vec<G::Move> = best.map(|(mv, _)| mv).collect();
    assert!(proved.best.iter().all(|mv| best.contains(mv)), "{context}: {:?} of {best:?}", proved.best);
    assert_eq!(proved.best.is_empty(), best.is_empty(), "{context}");
    assert!(!proved.all_best || proved.best == best, "{context}");
    assert!(proved.all_best || !exact, "{context}");
}

fn agree<G: Game>(game: G, context: &str) {
    let game = Arc::new(game);
    for (method, order) in family() {
        let (proved, ..) = run(&game, method.kind, order);
        agrees(&*game, &proved, method.kind.finds_all_best(), &format!("{context} {} {}", method.name, order.name()));
    }
    for most in [1, 2, 10] {
        let mut search = DepthFirstProof::with_table(Arc::clone(&game), game.start(), Order::Game, most);
        let proved = search.solve(&Limits::none(), None).expect("no limit");
        agrees(&*game, &proved, false, &format!("{context}: a table of {most}"));
        assert!(search.stats().table.is_some_and(|len| len <= 2 * most));
    }
}

#[test]
fn all_methods_agree_with_induction() {
    for heaps in [vec![], vec![0], vec![3], vec![1, 2, 3], vec![2, 2, 1], vec![1, 1, 1, 1], vec![2, 3]] {
        let context = format!("{heaps:?}");
        agree(Nim::new(heaps), &context);
    }
    // Random scores, with and without draws.
    let leaves: [fn(&[u8]) -> Score; 4] = [
        |path| [Score::Loss, Score::Draw, Score::Win][hash(path, 1) % 3],
        |path| [Score::Loss, Score::Win][hash(path, 2) % 2],
        |path| [Score::Loss, Score::Draw, Score::Draw, Score::Win][hash(path, 3) % 4],
        |path| [Score::Loss, Score::Draw][hash(path, 4) % 2],
    ];
    for (at, leaf) in leaves.into_iter().enumerate() {
        for (width, depth) in [(1, 3), (2, 1), (2, 5), (3, 4), (4, 3), (2, 8), (3, 5)] {
            agree(Uniform { width, depth, leaf }, &format!("leaves {at}, width {width}, depth {depth}"));
        }
    }
    for text in ["XO. / X.. / O..", "X.O / .X. / ..O", "XXO / OOX / X..", "XOX / XOO / OXX", "XXX / OO. / ...", "X.. / ... / ..O"] {
        agree(tictactoe(text), text);
    }
}

/// A number that depends on every move of a path.
fn hash(path: &[u8], seed: u64) -> usize {
    let seed = path.iter().fold(seed, |seed, &mv| seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(u64::from(mv) + 1));
    Random::new(seed).below(1 << 20)
}

/// A search that is stopped after every few visits gives the same answer and counts as one that is never stopped.
#[test]
fn a_stopped_search_resumes() {
    let leaf: fn(&[u8]) -> Score = |path| [Score::Loss, Score::Draw, Score::Win][hash(path, 9) % 3];
    let game = Arc::new(Uniform { width: 3, depth: 5, leaf });
    for (method, order) in family() {
        let mut whole = begin(&game, method.kind, order);
        let proved = whole.solve(&Limits::none(), None).expect("no limit");
        for step in [1, 2, 7] {
            let mut stepped = begin(&game, method.kind, order);
            let mut nodes = 0;
            let mut range = Range::ALL;
            let found = loop {
                match stepped.solve(&Limits::nodes(nodes), None) {
                    Ok(found) => break found,
                    Err(limit) => assert_eq!((limit, stepped.stats().expanded), (Limit::Nodes, nodes), "{}", method.name),
                }
                // Bounds only become tighter, and never contradict the answer.
                let Range { at_least, at_most } = stepped.range();
                assert!(at_least >= range.at_least && at_most <= range.at_most, "{}", method.name);
                assert!((at_least..=at_most).contains(&proved.score), "{}", method.name);
                range = stepped.range();
                nodes += step;
            };
            assert_eq!(found, proved, "{} {step}", method.name);
            let counts = |search: &dyn TreeSearch<Uniform>| {
                let stats = search.stats();
                (stats.expanded, stats.generated, stats.stored, stats.cutoffs, stats.table)
            };
            assert_eq!(counts(&*stepped), counts(&*whole), "{} {step}", method.name);
        }
    }
}

#[test]
fn limits_stop_every_method() {
    let game = Arc::new(Uniform { width: 4, depth: 9, leaf: |_| Score::Draw });
    for (method, order) in family() {
        let fails = |limits: Limits| begin(&game, method.kind, order).solve(&limits, None).err();
        assert_eq!(fails(Limits::until(|_| true)), Some(Limit::Time), "{}", method.name);
        assert_eq!(fails(Limits { bytes: 100, ..Limits::none() }), Some(Limit::Memory), "{}", method.name);
    }
}

/// A deep game does not overflow the stack of the thread, and its positions in progress count as memory.
#[test]
fn deep_games_are_searched() {
    let game = Arc::new(Countdown(50_000));
    for (method, order) in family() {
        let proved = begin(&game, method.kind, order).solve(&Limits::none(), None).expect("no limit");
        assert_eq!(proved.score, Score::Loss, "{}", method.name);
        let few = Limits { bytes: 1 << 20, ..Limits::none() };
        assert_eq!(begin(&game, method.kind, order).solve(&few, None), Err(Limit::Memory), "{}", method.name);
    }
}

/// The only move counts down by one.
struct Countdown(u32);

impl Rules for Countdown {
    type State = u32;
    type Move = u8;

    fn start(&self) -> u32 {
        self.0
    }

    fn moves(&self, left: &u32, out: &mut Vec<u8>) {
        out.extend((*left > 0).then_some(1));
    }

    fn apply(&self, left: &u32, _: &u8) -> u32 {
        left - 1
    }

    fn layer(&self, left: &u32) -> Option<u32> {
        Some(self.0 - left)
    }
}

impl Game for Countdown {}

/// The lines of a trace by the number of their visit.
fn trace(puzzle: &dyn Puzzle, method: &str, order: Order) -> (Vec<kibitzer::trace::Line>, kibitzer::report::Report) {
    let mut lines = Vec::new();
    let choice = Choice { order: Some(order), ..Choice::method(method) };
    let report = puzzle.begin(&choice).expect("a method").trace(true, &Limits::none(), &mut |line| lines.push(line)).expect("no fault");
    (lines, report)
}

/// In the alpha-beta family, a position's value is that of its best visited move, and moves are pruned exactly after a cutoff.
#[test]
fn values_in_a_trace_follow_from_the_moves() {
    let puzzle = TwoPlayer::new(tictactoe("X.. / .O. / ..."));
    for (method, order) in family() {
        let (lines, report) = trace(&puzzle, method.name, order);
        assert_eq!(lines.len() as u64, report.stats.expanded, "{}", method.name);
        assert_eq!(lines.iter().map(|line| line.children.len() as u64).sum::<u64>(), report.stats.generated, "{}", method.name);
        let mut values = HashMap::new();
        let (mut cutoffs, mut pruned) = (0, 0);
        for line in &lines {
            let context = format!("{} line {}", method.name, line.n);
            let Some(Judged::Value { window, value: Some(value), cutoff }) = line.judged else {
                assert!(matches!(line.judged, Some(Judged::Proof { numbers: Some(_), .. })), "{context}");
                continue;
            };
            values.insert(line.id, value);
            let tried = line.children.iter().filter_map(|child| child.id.map(|id| values[&id].reversed()));
            let known = line.children.iter().filter(|child| child.fate == Fate::Known).count();
            if !line.children.is_empty() && known == 0 {
                assert_eq!(tried.max(), Some(value), "{context}");
            }
            let here = line.children.iter().filter(|child| child.fate == Fate::Pruned).count();
            assert_eq!(here > 0, cutoff, "{context}");
            if let Some(Window { alpha, beta }) = window {
                assert!(!cutoff || beta.is_some_and(|beta| value >= beta), "{context}");
                let inside = alpha.is_none_or(|alpha| value > alpha) && beta.is_none_or(|beta| value < beta);
                assert!(!inside || line.value.is_some_and(|exact| exact.score == value), "{context}");
            }
            cutoffs += u64::from(cutoff);
            pruned += here;
        }
        assert_eq!(report.stats.cutoffs.unwrap_or(0), cutoffs, "{}", method.name);
        assert_eq!(pruned > 0, method.name.starts_with("alphabeta") || method.name == "scout", "{}", method.name);
    }
}

/// The order of moves changes how many positions alpha-beta search visits, but not what it finds.
#[test]
fn the_order_of_moves_is_a_setting() {
    let puzzle = TwoPlayer::new(tictactoe("... / ... / ..."));
    let expanded = |order| trace(&puzzle, "alphabeta", order).1.stats.expanded;
    let (none, history) = (expanded(Order::None), expanded(Order::History));
    assert!(none == 18_297 && history < none, "{none} {history}");
    for (method, order) in [("winner", Order::None), ("minimax", Order::History), ("pns", Order::History), ("auto", Order::Game)] {
        let error = puzzle.begin(&Choice { order: Some(order), ..Choice::method(method) }).err().expect("refused");
        assert!(error.to_string().contains("order") && error.to_string().contains(method), "{error}");
    }
}

/// A report without an answer contains the bounds that were proved, and `check` compares them with backward induction.
#[test]
fn bounds_are_reported_and_checked() {
    let puzzle = TwoPlayer::new(tictactoe("... / ... / ..."));
    for (method, bound, value, wrong) in [("dfpn", "at_most", "D", "P"), ("pns", "at_most", "D", "P"), ("alphabeta", "at_least", "D", "N")]
    {
        let mut run = puzzle.begin(&Choice::method(method)).expect("a method");
        let mut report = run.advance(&Limits::nodes(10)).expect("no fault");
        let mut nodes = 10;
        while report.verdict() == "unknown" && !report.facts.contains_key(bound) {
            nodes += 10;
            report = run.advance(&Limits::nodes(nodes)).expect("no fault");
        }
        assert_eq!(report.verdict(), "unknown", "{method}");
        let mut answer = report.json(0.0);
        assert_eq!(answer[bound], value, "{method}");
        let check = |answer: &Value| puzzle.check(&Claim::read_for(&answer.to_string(), "template2", 2)?, &Limits::nodes(10_000));
        assert!(check(&answer).is_ok_and(|checked| checked.text.contains("the bounds are right")), "{method}");
        answer[bound] = json!(wrong);
        assert_eq!(check(&answer), Err(format!("`{bound}` is {wrong}, but the outcome is D")));
        answer[bound] = json!("win");
        assert!(check(&answer).is_err_and(|fault| fault.contains("must be N, P or D")));
    }
}
