//! Positions in strategy certificates: the objects that are left, component by component. Heaps are written as their sizes. Shares no code
//! with the keys of the search.

use serde_json::{Map, Value, json};

use super::{Kayles, Kind, Objects, Rule, Take};

/// A heap or a component of a graph, as it is written, and where it begins.
struct Shown {
    text: String,
    first: usize,
    len: usize,
}

/// The position, such as `0:5 1:a,b,c`, and the names of moves: `0:5>2+1` leaves heaps of 2 and 1 of a heap of 5, `1:a-b` takes these
/// vertices.
pub fn outline(kayles: &Kayles, left: &Objects, moves: &[Take]) -> (String, Vec<String>) {
    let mut shown: Vec<Shown> = Vec::new();
    for (number, board) in kayles.boards.iter().enumerate() {
        let objects: Vec<usize> = (board.first..board.first + board.len).filter(|&object| left.has(object)).collect();
        match &board.kind {
            Kind::Heaps { .. } => {
                for heap in objects.chunk_by(|&pin, &next| next == pin + 1 && kayles.near[pin].has(next)) {
                    shown.push(Shown { text: format!("{number}:{}", heap.len()), first: heap[0], len: heap.len() });
                }
            }
            Kind::Graph { graph, .. } => {
                let names: Vec<String> = objects.iter().map(|&v| graph.name(v - board.first)).collect();
                if !names.is_empty() {
                    shown.push(Shown { text: format!("{number}:{}", names.join(",")), first: board.first, len: board.len });
                }
            }
        }
    }
    let name = |take: &Take| {
        let (first, last) = (usize::from(take.first), usize::from(take.last));
        let of = shown.iter().find(|shown| (shown.first..shown.first + shown.len).contains(&first));
        let (number, board) = (kayles.board_of[first], kayles.board(first));
        match (&board.kind, of) {
            (Kind::Heaps { .. }, Some(heap)) => {
                let (before, after) = (first - heap.first, heap.first + heap.len - 1 - last);
                format!("{}>{}+{}", heap.text, before.max(after), before.min(after))
            }
            (Kind::Graph { graph, rule: Rule::Arc, .. }, _) => {
                format!("{number}:{}-{}", graph.name(first - board.first), graph.name(last - board.first))
            }
            (Kind::Graph { graph, .. }, _) => format!("{number}:{}", graph.name(first - board.first)),
            (Kind::Heaps { .. }, None) => String::new(),
        }
    };
    let names = moves.iter().map(name).collect();
    let mut texts: Vec<String> = shown.into_iter().map(|shown| shown.text).collect();
    texts.sort_unstable();
    (if texts.is_empty() { "-".to_owned() } else { texts.join(" ") }, names)
}

/// The boards as plain data.
pub fn data(kayles: &Kayles, left: &Objects) -> Map<String, Value> {
    let boards = kayles.boards.iter().map(|board| {
        let taken: Vec<usize> = (0..board.len).filter(|object| !left.has(board.first + object)).collect();
        match &board.kind {
            Kind::Graph { graph, rule, .. } => json!({
                "rule": rule.name(), "names": (0..graph.len()).map(|v| graph.name(v)).collect::<Vec<_>>(),
                "edges": graph.edges().collect::<Vec<_>>(), "taken": taken,
            }),
            Kind::Heaps { sizes, octal, .. } => json!({"octal": octal.write(), "heaps": sizes, "taken": taken}),
        }
    });
    Map::from_iter([("boards".to_owned(), boards.collect())])
}
