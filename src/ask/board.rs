//! Boards with the moves made on them, and questions about the resulting positions.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Asked, Kind, Refusal, Reply, instances};
use crate::catalog::{Entry, GraphError, MethodInfo, MoveError, Puzzle};
use crate::graph::formats;
use crate::limits::Limits;
use crate::notation::{OptionSpec, Options, shorten};
use crate::outcome::Why;
use crate::report::Claim;
use crate::scene::Scene;
use crate::search::{Memory, Optimal};

/// Maximum number of bytes per packed state.
const MOST_STATE: usize = 640;
/// Maximum number of shapes in a drawing.
const MOST_SHAPES: usize = 12_000;
/// Maximum number of moves made on a board.
const MOST_MOVES: usize = 10_000;
/// Maximum number of positions in a position graph. Drawings of larger graphs are not legible.
const MOST_POSITIONS: u64 = 600;

/// A board with the moves made on it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardRequest {
    pub instance: String,
    #[serde(default)]
    pub options: Map<String, Value>,
    #[serde(default)]
    pub moves: Vec<Value>,
}

/// A puzzle before and after the moves.
pub struct Replayed {
    pub start: Box<dyn Puzzle>,
    pub here: Box<dyn Puzzle>,
}

impl BoardRequest {
    /// A board given by its text alone, without options or moves.
    pub fn plain(instance: String) -> BoardRequest {
        BoardRequest { instance, options: Map::new(), moves: Vec::new() }
    }

    pub fn read(&self, entry: &Entry, limits: &Limits) -> Result<Replayed, Refusal> {
        few(&self.moves)?;
        let options = options(&self.options, entry.options)?;
        let (start, _) = instances::read(entry, &self.instance, &options, limits)?;
        limits.check()?;
        if start.state_bytes() > MOST_STATE {
            return Err(Refusal::too_large());
        }
        let here = start.after(&self.moves)?;
        limits.check()?;
        Ok(Replayed { start, here })
    }
}

fn few(moves: &[Value]) -> Result<(), Refusal> {
    match moves.len() {
        0..=MOST_MOVES => Ok(()),
        _ => Err(Refusal::board(format!("there are more than {MOST_MOVES} moves"), "start from a later position")),
    }
}

/// Reads options from a JSON object whose values are strings or numbers.
pub fn options(given: &Map<String, Value>, known: &'static [OptionSpec]) -> Result<Options, Refusal> {
    let text = |(name, value): (&String, &Value)| match value {
        Value::String(value) => Ok(format!("{name}={value}")),
        Value::Number(value) => Ok(format!("{name}={value}")),
        _ => Err(Refusal::board(format!("the option `{}` is neither a string nor a number", shorten(name)), "write it as a string")),
    };
    let texts: Vec<String> = given.iter().map(text).collect::<Result<_, _>>()?;
    Ok(Options::parse(texts.iter().map(String::as_str), &known.iter().collect::<Vec<_>>())?)
}

/// Returns the scene, or refuses it if it is too large for a page to show.
pub fn drawable(scene: Scene) -> Result<Scene, Refusal> {
    if scene.shapes.len() > MOST_SHAPES { Err(Refusal::too_large()) } else { Ok(scene) }
}

pub fn position(entry: &'static Entry, asked: &Asked) -> Reply {
    shown(entry, &asked.read()?, asked.limits)
}

/// A board after the moves made on it, with everything that a page shows.
pub fn shown(entry: &'static Entry, board: &BoardRequest, limits: &Limits) -> Reply {
    let Replayed { start, here } = board.read(entry, limits)?;
    let cost = start.cost(&board.moves)?;
    let position = here.position(limits)?;
    let scene = drawable(position.scene)?;
    let legal: Value = position.moves.iter().map(|legal| json!({"text": legal.text, "cost": legal.cost})).collect();
    let start = if board.moves.is_empty() { position.instance.clone() } else { start.instance() };
    let method = |info: MethodInfo| {
        let (promise, memory) = (info.promise.map(Optimal::about), info.memory.map(Memory::about));
        json!({
            "name": info.name, "about": info.about, "optimal": info.optimal, "promise": promise, "memory": memory, "course": info.course,
            "orders": info.orders,
        })
    };
    let methods: Value = here.methods().into_iter().map(method).collect();
    Ok(json!({
        "game": entry.name, "start": start, "instance": position.instance, "made": board.moves.len(), "cost": cost,
        "goal": position.goal, "scene": scene, "legal": legal, "methods": methods,
        "editable": here.editor().is_some(), "turn": here.duel().map(|duel| duel.turn()),
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GraphRequest {
    graph: String,
}

/// The board for a given graph, so that a page can step through a list of graphs.
pub fn on_graph(entry: &'static Entry, asked: &Asked) -> Reply {
    let GraphRequest { graph } = asked.read()?;
    let Some(make) = entry.graph_board else {
        return Err(Refusal::board(format!("{} boards have no graph", entry.name), "give the board as text"));
    };
    let line = formats::line_of_graph(&graph)
        .ok_or_else(|| Refusal::board(format!("`{}` is not a one-line graph", shorten(&graph)), formats::HELP))?;
    Ok(json!({"instance": make(line)}))
}

pub fn explain(entry: &'static Entry, asked: &Asked) -> Reply {
    let Replayed { here, .. } = asked.read::<BoardRequest>()?.read(entry, asked.limits)?;
    Ok(json!({"explanation": here.explain(asked.limits)}))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MeasureRequest {
    instance: String,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(default)]
    moves: Vec<Value>,
    /// A certificate, as in the field `why` of a report.
    why: Value,
    /// The number of moves made before the position that the certificate covers.
    #[serde(default)]
    proved: usize,
}

/// Computes a proof's invariant or potential at every position from the one that the proof covers through the last move.
pub fn measure(entry: &'static Entry, asked: &Asked) -> Reply {
    let MeasureRequest { instance, options, mut moves, why, proved } = asked.read()?;
    few(&moves)?;
    let wrong = |fault: String| Refusal::board(fault, "pass the field `why` of a report on this position");
    let claim = Claim::of_why(&why, entry.name).map_err(wrong)?;
    let Claim::Unsolvable { why: Why::Certificate(certificate), .. } = &claim else {
        return Err(wrong("`why` is not a certificate".to_owned()));
    };
    if proved > moves.len() {
        return Err(Refusal::board(format!("`proved` is {proved}, but there are {} moves", moves.len()), "pass all moves"));
    }
    let tried = moves.split_off(proved);
    let mut here = BoardRequest { instance, options, moves }.read(entry, asked.limits)?.here;
    let checked = here.check(&claim, asked.limits).map_err(wrong)?;
    if !checked.undecided.is_empty() {
        asked.limits.check()?;
        return Err(wrong(checked.text));
    }
    let mut measures = vec![here.measure(certificate)];
    for (at, mv) in tried.iter().enumerate() {
        asked.limits.check()?;
        here = here.after(std::slice::from_ref(mv)).map_err(|error| MoveError { number: proved + at + 1, ..error })?;
        measures.push(here.measure(certificate));
    }
    Ok(json!({"measures": measures, "explanation": here.show_proof(certificate)}))
}

/// All reachable positions of a two-player game, in layers.
pub fn graph(entry: &'static Entry, asked: &Asked) -> Reply {
    let Replayed { here, .. } = asked.read::<BoardRequest>()?.read(entry, asked.limits)?;
    let duel = here.duel().ok_or_else(|| Refusal::board(format!("{} is a one-player game", entry.name), "use a two-player game"))?;
    let positions = duel.graph(true, MOST_POSITIONS, asked.limits).map_err(|error| match error {
        GraphError::Limit(limit) => limit.into(),
        GraphError::TooLarge => {
            let message = format!("there are more than {MOST_POSITIONS} positions to draw");
            Refusal::new(Kind::TooLarge, message, "make some moves, or use a smaller board")
        }
    })?;
    let instances: Vec<&str> = positions.nodes.iter().map(|node| node.instance.as_str()).collect();
    Ok(json!({"positions": instances.len(), "scene": positions.scene(asked.limits)?, "instances": instances}))
}
