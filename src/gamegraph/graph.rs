//! The graph of positions and moves of any game, written as DOT, GraphML or JSON, or drawn as a scene.
//!
//! Positions in the same layer are drawn in one row. N-, P- and D-positions differ in color and in shape. Winning moves are bold
//! and, in a D-position, so are drawing moves.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use crate::html::escape;
use crate::limits::{Limit, Limits};
use crate::rules::Score;
use crate::scene::{Form, Paint, Scene};
use crate::sort;

/// A position in the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionNode {
    /// The position as one short line.
    pub text: String,
    /// The position as the text of an instance, which can be parsed.
    pub instance: String,
    pub layer: u32,
    /// The best score of the player to move.
    pub score: Score,
    pub grundy: Option<u16>,
    /// The number of moves to the end with best play; `None` in a draw by repetition.
    pub length: Option<u16>,
    pub over: bool,
    /// The number of symmetric boards that the position represents.
    pub boards: u64,
}

/// A move from one position to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveArc {
    pub from: usize,
    pub to: usize,
    /// The move in the game's notation; the first one if several lead to symmetric positions.
    pub text: String,
    /// The number of moves that lead to the target.
    pub count: usize,
}

/// All positions and moves of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionGraph {
    pub title: String,
    pub nodes: Vec<PositionNode>,
    pub arcs: Vec<MoveArc>,
}

impl PositionGraph {
    /// True if a move leads to a position that the next player loses.
    pub fn wins(&self, arc: &MoveArc) -> bool {
        self.nodes[arc.to].score == Score::Loss
    }

    /// True if a move should be bold: it wins, or it draws and no move wins.
    fn is_best(&self, arc: &MoveArc) -> bool {
        let score = self.nodes[arc.to].score.reversed();
        score != Score::Loss && score == self.nodes[arc.from].score
    }

    /// Nodes by layer.
    fn layers(&self) -> BTreeMap<u32, Vec<usize>> {
        let mut layers: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        self.nodes.iter().enumerate().for_each(|(at, node)| layers.entry(node.layer).or_default().push(at));
        layers
    }

    /// The graph in DOT format, for Graphviz.
    pub fn dot(&self) -> String {
        let quote = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let mut text = format!("digraph {} {{\n", quote(&self.title));
        text.push_str("  rankdir=TB;\n  node [style=filled, fontname=\"sans-serif\"];\n  edge [color=\"#888888\", arrowsize=0.6];\n");
        for (_, row) in self.layers() {
            text.push_str("  { rank=same;\n");
            for at in row {
                let node = &self.nodes[at];
                let (shape, fill) = match node.score {
                    Score::Win => ("ellipse", "#9fd3b0"),
                    Score::Draw => ("hexagon", "#f2dd8f"),
                    Score::Loss => ("box", "#f3b6b3"),
                };
                let grundy = node.grundy.map(|grundy| format!(", grundy={grundy}")).unwrap_or_default();
                let double = if node.over { ", peripheries=2" } else { "" };
                let (outcome, label) = (node.score.outcome(), quote(&node.text));
                let _ = writeln!(text, "    {at} [label={label}, shape={shape}, fillcolor=\"{fill}\"{double}, outcome={outcome}{grundy}];");
            }
            text.push_str("  }\n");
        }
        for arc in &self.arcs {
            let bold = match self.is_best(arc) {
                true if self.wins(arc) => ", penwidth=2.5, color=\"#1b6a37\"",
                true => ", penwidth=2.5, color=\"#8a6d1b\"",
                false => "",
            };
            let _ = writeln!(text, "  {} -> {} [tooltip={}{bold}];", arc.from, arc.to, quote(&arc.text));
        }
        text.push_str("}\n");
        text
    }

    /// The graph in GraphML format, for yEd, Gephi, networkx and others.
    pub fn graphml(&self) -> String {
        let mut text =
            String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
        for (id, place, kind) in [
            ("board", "node", "string"),
            ("layer", "node", "int"),
            ("outcome", "node", "string"),
            ("grundy", "node", "int"),
            ("length", "node", "int"),
            ("terminal", "node", "boolean"),
            ("boards", "node", "long"),
            ("move", "edge", "string"),
            ("winning", "edge", "boolean"),
            ("count", "edge", "int"),
        ] {
            let _ = writeln!(text, "  <key id=\"{id}\" for=\"{place}\" attr.name=\"{id}\" attr.type=\"{kind}\"/>");
        }
        let _ = writeln!(text, "  <graph id=\"{}\" edgedefault=\"directed\">", escape(&self.title));
        let data = |key: &str, value: &dyn std::fmt::Display| format!("<data key=\"{key}\">{value}</data>");
        for (at, node) in self.nodes.iter().enumerate() {
            let grundy = node.grundy.map(|grundy| data("grundy", &grundy)).unwrap_or_default();
            let length = node.length.map(|length| data("length", &length)).unwrap_or_default();
            let _ = writeln!(
                text,
                "    <node id=\"n{at}\">{}{}{}{grundy}{length}{}{}</node>",
                data("board", &escape(&node.text)),
                data("layer", &node.layer),
                data("outcome", &node.score.outcome()),
                data("terminal", &node.over),
                data("boards", &node.boards)
            );
        }
        for arc in &self.arcs {
            let facts = [data("move", &escape(&arc.text)), data("winning", &self.wins(arc)), data("count", &arc.count)].concat();
            let _ = writeln!(text, "    <edge source=\"n{}\" target=\"n{}\">{facts}</edge>", arc.from, arc.to);
        }
        text.push_str("  </graph>\n</graphml>\n");
        text
    }

    pub fn json(&self) -> Value {
        let node = |(at, node): (usize, &PositionNode)| {
            json!({
                "id": at, "board": node.text, "layer": node.layer, "outcome": node.score.outcome(), "grundy": node.grundy,
                "length": node.length, "terminal": node.over, "boards": node.boards,
            })
        };
        let arc = |arc: &MoveArc| json!({"from": arc.from, "to": arc.to, "move": arc.text, "winning": self.wins(arc), "count": arc.count});
        let (nodes, moves): (Value, Value) = (self.nodes.iter().enumerate().map(node).collect(), self.arcs.iter().map(arc).collect());
        json!({"title": self.title, "nodes": nodes, "moves": moves})
    }

    /// A scene with one row per layer, from top to bottom. Within a row, a position is near the positions that lead to it, if there
    /// is space. Each node's name is its number.
    pub fn scene(&self, limits: &Limits) -> Result<Scene, Limit> {
        let layers = self.layers();
        let longest = self.nodes.iter().map(|node| node.text.chars().count()).max().unwrap_or(1) as f64;
        let (width, height, gap) = (longest * 6.2 + 16.0, 22.0, 10.0);
        let most = layers.values().map(Vec::len).max().unwrap_or(1) as f64;
        let total = (most * (width + gap) + gap).max(420.0);
        let row_height = 96.0;
        let mut place = vec![(0.0, 0.0); self.nodes.len()];
        let mut wanted: Vec<(f64, f64)> = vec![(0.0, 0.0); self.nodes.len()];
        for (depth, (layer, row)) in layers.iter().enumerate() {
            limits.check()?;
            let mut row = row.clone();
            let mean = |at: usize| if wanted[at].1 > 0.0 { wanted[at].0 / wanted[at].1 } else { total / 2.0 };
            sort::by(&mut row, |&a, &b| mean(a).total_cmp(&mean(b)).then(a.cmp(&b)));
            let left = (total - row.len() as f64 * (width + gap) + gap) / 2.0;
            for (column, &at) in row.iter().enumerate() {
                place[at] = (left + column as f64 * (width + gap) + width / 2.0, 50.0 + depth as f64 * row_height);
            }
            for arc in self.arcs.iter().filter(|arc| self.nodes[arc.from].layer == *layer) {
                wanted[arc.to] = (wanted[arc.to].0 + place[arc.from].0, wanted[arc.to].1 + 1.0);
            }
        }
        let bottom = 50.0 + layers.len() as f64 * row_height;
        let mut scene = Scene { title: self.title.clone(), width: total, height: bottom, ..Scene::default() };
        for bold in [false, true] {
            for arc in self.arcs.iter().filter(|arc| self.is_best(arc) == bold) {
                scene.check(limits)?;
                let ((x1, y1), (x2, y2)) = (place[arc.from], place[arc.to]);
                let paint = if bold { Paint::Strong } else { Paint::Faint };
                scene.add(Form::Line { from: (x1, y1 + height / 2.0), to: (x2, y2 - height / 2.0) }, paint);
            }
        }
        for (at, node) in self.nodes.iter().enumerate() {
            scene.check(limits)?;
            let (x, y) = place[at];
            let name = at.to_string();
            let (form, paint, outcome): (FormFn, Paint, &str) = match node.score {
                Score::Win => (pointed, Paint::Win, "the player to move wins"),
                Score::Draw => (slanted, Paint::Draw, "a draw"),
                Score::Loss => (square, Paint::Lose, "the player to move loses"),
            };
            scene.add_named(form(x, y, width, height), paint, name.clone());
            if node.over {
                scene.add_named(form(x, y, width - 5.0, height - 5.0), paint, name.clone());
            }
            scene.add_named(Form::Text { x, y, size: 10.0, text: node.text.clone() }, Paint::Ink, name.clone());
            scene.describe(&name, format!("{}, {outcome}", node.text));
        }
        let (drawn, kept) = if self.nodes.iter().any(|node| node.score == Score::Draw) {
            ("slanted: D, a draw; ", " and moves that preserve a draw")
        } else {
            ("", "")
        };
        let legend = format!(
            "pointed: N, the player to move wins; square: P, the player to move loses; {drawn}double: the game is over; \
             green: winning moves{kept}"
        );
        let size = ((total - 20.0) / (legend.len() as f64 * 0.57)).clamp(5.0, 12.0);
        scene.add(Form::Text { x: total / 2.0, y: 16.0, size, text: legend }, Paint::Ink);
        Ok(scene)
    }
}

/// Makes a shape of the given width and height around a center.
type FormFn = fn(f64, f64, f64, f64) -> Form;

fn square(x: f64, y: f64, width: f64, height: f64) -> Form {
    Form::Rect { x: x - width / 2.0, y: y - height / 2.0, width, height }
}

/// A box with slanted ends.
fn slanted(x: f64, y: f64, width: f64, height: f64) -> Form {
    let (w, h, cut) = (width / 2.0, height / 2.0, 9.0);
    Form::Polygon { points: vec![(x - w + cut, y - h), (x + w, y - h), (x + w - cut, y + h), (x - w, y + h)] }
}

/// A box with pointed ends.
fn pointed(x: f64, y: f64, width: f64, height: f64) -> Form {
    let (w, h, cut) = (width / 2.0, height / 2.0, 7.0);
    let points = vec![(x - w + cut, y - h), (x + w - cut, y - h), (x + w, y), (x + w - cut, y + h), (x - w + cut, y + h), (x - w, y)];
    Form::Polygon { points }
}
