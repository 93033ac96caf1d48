//! Compares peg solitaire in which moves are counted with a second implementation on sets of squares, and with published numbers.

use std::collections::{BTreeSet, HashSet};

use kibitzer::catalog::Choice;
use kibitzer::games::pegs::Pegs;
use kibitzer::limits::Limits;
use kibitzer::notation::{Notation, Options, parse};
use kibitzer::rules::{Problem, Rules};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{amount, file, least, open, refused};

const MOVES: [&str; 3] = ["jump=single", "costs=unit", "count=moves"];

type Square = (i32, i32);
type Pegset = BTreeSet<Square>;

/// A board as its squares with holes and its squares with pegs.
struct Plain {
    holes: BTreeSet<Square>,
    start: Pegset,
}

impl Plain {
    fn new(rows: &[Vec<u8>]) -> Plain {
        let of = |wanted: fn(u8) -> bool| {
            let row = |(r, row): (usize, &Vec<u8>)| {
                let fits = row.iter().enumerate().filter(|&(_, &square)| wanted(square)).map(|(c, _)| (r as i32, c as i32));
                fits.collect::<Vec<Square>>()
            };
            rows.iter().enumerate().flat_map(row).collect()
        };
        Plain { holes: of(|square| square != b'#'), start: of(|square| square == b'o') }
    }

    /// The pegs after each chain of jumps by the peg on one square, with the landing squares.
    fn chains(&self, pegs: &Pegset, from: Square, via: &[Square], out: &mut Vec<(Vec<Square>, Pegset)>) {
        for (dr, dc) in [(-1, 0), (0, 1), (1, 0), (0, -1)] {
            let (over, to) = ((from.0 + dr, from.1 + dc), (from.0 + 2 * dr, from.1 + 2 * dc));
            if pegs.contains(&over) && self.holes.contains(&to) && !pegs.contains(&to) {
                let mut after = pegs.clone();
                after.remove(&from);
                after.remove(&over);
                after.insert(to);
                let via = [via, &[to]].concat();
                out.push((via.clone(), after.clone()));
                self.chains(&after, to, &via, out);
            }
        }
    }

    /// The number of positions at each distance from the start, in moves, and the least number of moves to a single peg.
    fn levels(&self) -> (Vec<u64>, Option<u32>) {
        let (mut seen, mut level) = (HashSet::from([self.start.clone()]), vec![self.start.clone()]);
        let (mut sizes, mut solved) = (Vec::new(), None);
        while !level.is_empty() {
            if solved.is_none() && level.iter().any(|pegs| pegs.len() == 1) {
                solved = Some(sizes.len() as u32);
            }
            sizes.push(level.len() as u64);
            let mut next = Vec::new();
            for pegs in &level {
                for &from in pegs {
                    let mut chains = Vec::new();
                    self.chains(pegs, from, &[], &mut chains);
                    next.extend(chains.into_iter().map(|(_, after)| after).filter(|after| seen.insert(after.clone())));
                }
            }
            level = next;
        }
        (sizes, solved)
    }
}

fn random_board() -> impl Strategy<Value = Vec<Vec<u8>>> {
    (1usize..=5, 1usize..=5).prop_flat_map(|(rows, columns)| {
        let square = prop_oneof![5 => Just(b'o'), 6 => Just(b'.'), 1 => Just(b'#')];
        prop::collection::vec(prop::collection::vec(square, columns), rows)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: amount(60, 600), ..ProptestConfig::default() })]

    #[test]
    fn moves_levels_and_least_costs_agree_with_a_second_implementation(board in random_board()) {
        let text: String = board.iter().map(|row| String::from_utf8_lossy(row).into_owned() + "\n").collect();
        prop_assume!(text.contains(['o', '.']) && !text.starts_with("# "));
        let (plain, puzzle) = (Plain::new(&board), open("pegs", &text, &MOVES));
        let (levels, solved) = plain.levels();
        for method in ["bfs", "astar:corners", "ucs", "dfs"] {
            let found = puzzle.solve(&Choice::method(method), &Limits::none()).expect("no fault");
            let cost = found.json(0.0)["cost"].as_u64().map(|cost| cost as u32);
            prop_assert_eq!(cost.is_some(), solved.is_some(), "{}", method);
            prop_assert!(method == "dfs" || cost == solved, "{}: {:?} {:?}", method, cost, solved);
        }
        let space = kibitzer::search::explore::explore(&*puzzle.space(false), &Limits::none());
        prop_assert_eq!(space.layers.iter().map(|layer| layer.states).collect::<Vec<_>>(), levels);
        // The legal moves, by their landing squares.
        let mut expected = BTreeSet::new();
        for &from in &plain.start {
            let mut chains = Vec::new();
            plain.chains(&plain.start, from, &[], &mut chains);
            expected.extend(chains.into_iter().map(|(via, _)| (from, via)));
        }
        let position = puzzle.position(&Limits::none()).expect("no limit");
        let square = |value: &Value| (value[0].as_i64().expect("a row") as i32, value[1].as_i64().expect("a column") as i32);
        let via = |mv: &Value| mv["via"].as_array().expect("a list").iter().map(square).collect::<Vec<_>>();
        let listed: BTreeSet<_> = position.moves.iter().map(|mv| (square(&mv.json["from"]), via(&mv.json))).collect();
        prop_assert_eq!(listed.len(), position.moves.len());
        prop_assert_eq!(listed, expected);
        prop_assert!(position.moves.iter().all(|mv| mv.cost == 1 && via(&mv.json).last() == Some(&square(&mv.json["to"]))));
    }
}

#[test]
fn a_move_is_written_with_all_its_jumps() {
    let puzzle = open("pegs", "ab.\n##b\n##.\n", &MOVES);
    let position = puzzle.position(&Limits::none()).expect("no limit");
    let texts: Vec<&str> = position.moves.iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(texts, ["a right", "a right down"]);
    let chain = json!({"peg": "a", "from": [0, 0], "to": [2, 2], "direction": "right down", "via": [[0, 2], [2, 2]]});
    assert_eq!(position.moves[1].json, chain);
    let clicks: Vec<_> = position.scene.moves.iter().map(|gesture| gesture.clicks.join(" ")).collect();
    assert_eq!(clicks, ["0,0 0,2 0,2", "0,0 0,2 2,2 2,2"]);
    for mv in [json!("a right down"), json!("a@0,0 right down"), chain] {
        let after = puzzle.after(&[mv]).expect("legal");
        assert!(after.position(&Limits::none()).expect("no limit").goal);
    }
    assert_eq!(least(&*puzzle, None), Some(1));
    assert_eq!(least(&*open("pegs", "ab.\n##b\n##.\n", &MOVES[..2]), None), Some(2));
    // If two pegs have the same letter and the same jumps, their moves also name their squares.
    let alike = open("pegs", "ab.\n...\nac.\n", &MOVES).position(&Limits::none()).expect("no limit").moves;
    assert_eq!(alike.iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>(), ["a@0,0 right", "a@2,0 right"]);
}

#[test]
fn the_option_needs_single_jumps_at_unit_costs_and_a_small_board() {
    refused("pegs", "ab.\n", &["count=moves"], "single jumps at unit costs");
    refused("pegs", "jump: single\ncount: moves\nab.\n", &[], "line 2, column 1");
    refused("pegs", "ab.\n", &["count=all"], "option `count` cannot be `all`");
    refused("pegs", &"oo.ooooo\n".repeat(7), &MOVES, "at most 49");
    refused("pegs", "count: jumps\nab.\n", &MOVES, "the board says `jumps`");
    let puzzle = open("pegs", &file("instances/pegs/english.txt"), &["count=moves"]);
    for method in ["meet", "course:BFS", "layered", "astar:lines"] {
        assert!(puzzle.method(&Choice::method(method)).is_err(), "{method}");
    }
    let written = puzzle.instance();
    let again = parse::<Pegs>(&written, &Options::default()).expect("readable");
    assert_eq!((again.move_costs(), again.layer(&again.start())), (1..=1, None));
    assert_eq!(again.write(&again.start()), written);
}

/// The numbers of positions of the English board at each distance from the start, in moves and up to symmetry, agree with the published
/// ones. The central game can be solved in 18 moves.
#[test]
fn levels_of_the_english_board() {
    const PUBLISHED: [u64; 11] = [1, 1, 2, 9, 47, 263, 1_452, 7_772, 38_150, 164_297, 585_567];
    let puzzle = open("pegs", &file("instances/pegs/english.txt"), &["count=moves"]);
    let levels = amount(9, PUBLISHED.len());
    let nodes = PUBLISHED[..levels].iter().sum();
    let found = puzzle.explore(&Limits::nodes(nodes));
    let sizes: Vec<u64> = found.explored.layers.iter().map(|layer| layer.states).collect();
    assert_eq!(sizes[..levels], PUBLISHED[..levels]);
    assert_eq!(found.names[2], "2 moves");
}
