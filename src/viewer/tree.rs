//! The tree of a search as a drawing, with one row per depth and children below their parents. Each node shows its place in the
//! order of expansion, and its cost so far plus its estimate. The plan is marked.

use std::collections::HashMap;

use crate::graph::layout::tree_columns;
use crate::report::{Answer, Report, count};
use crate::scene::{Form, Paint, Scene};
use crate::trace::{Fate, INFINITE, Judged, Line, Numbers, Window};

const WIDTH: f64 = 58.0;
const HEIGHT: f64 = 84.0;
const RADIUS: f64 = 17.0;
const MARGIN: f64 = 24.0;
/// Maximum number of waiting states below one parent that are drawn individually.
const ALONE: usize = 2;
/// Height of the lines of text above the tree.
const HEAD: f64 = 46.0;

#[derive(Default)]
struct Node {
    /// The number of its first expansion, from 1.
    order: Option<u64>,
    depth: u32,
    mv: String,
    /// The text below the number.
    label: String,
    paint: Option<Paint>,
    goal: bool,
    children: Vec<usize>,
    planned: bool,
    /// True if the node is drawn as part of a group, not by itself.
    gathered: bool,
}

/// Draws the lines of a trace, or of its last round if there are several. `report` contains the search's answer.
pub fn draw(lines: &[Line], report: &Report) -> Scene {
    // A round begins at the root.
    let begin = match lines.last().and_then(|line| line.bound) {
        Some(_) => lines.iter().rposition(|line| line.parent.is_none()).unwrap_or(0),
        None => 0,
    };
    let shown = &lines[begin..];
    let mut tree = Tree::default();
    // Best-first searches write a state before its children; depth-first searches for two players write it after them.
    let root_first = shown.first().is_some_and(|line| line.parent.is_none()) && shown.iter().any(|line| line.parent.is_some());
    if root_first || shown.iter().all(|line| line.numbers.is_some()) {
        shown.iter().for_each(|line| tree.expand(line));
    } else {
        tree.decide(shown);
    }
    tree.mark(report);
    tree.gather();
    let rounds = lines[..begin].iter().filter(|line| line.parent.is_none()).count();
    tree.scene(report, shown, rounds)
}

/// The text for cost so far plus estimate.
fn sum(numbers: &Numbers) -> String {
    match (numbers.h, numbers.f()) {
        (Some(h), Some(f)) => format!("{}+{h}={f}", numbers.g),
        _ => format!("g {}", numbers.g),
    }
}

/// The text for a bound on a value, or for proof and disproof numbers.
fn label(judged: Judged) -> String {
    match judged {
        Judged::Value { window: Some(Window { alpha, .. }), value: Some(value), .. } => {
            let sign = if Some(value) <= alpha { '≤' } else { '≥' };
            format!("{sign} {}", value.outcome())
        }
        Judged::Proof { numbers: Some(numbers), .. } => {
            let text = |number: u32| if number == INFINITE { "∞".to_owned() } else { number.to_string() };
            format!("{}, {}", text(numbers.proof), text(numbers.disproof))
        }
        Judged::Value { .. } | Judged::Proof { .. } => String::new(),
    }
}

#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    /// Maps the search's node numbers to nodes of the drawing.
    places: HashMap<u64, usize>,
    roots: Vec<usize>,
}

impl Tree {
    /// The node of a state. A new one is a root.
    fn place(&mut self, id: u64, depth: u32) -> usize {
        if let Some(&at) = self.places.get(&id) {
            return at;
        }
        let at = self.add(Node { depth, ..Node::default() });
        self.places.insert(id, at);
        self.roots.push(at);
        at
    }

    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a one-player line: its state and its new children.
    fn expand(&mut self, line: &Line) {
        let at = self.place(line.id, line.depth);
        let node = &mut self.nodes[at];
        node.order.get_or_insert(line.n);
        node.paint = Some(Paint::Color2);
        if let Some(numbers) = &line.numbers {
            node.label = sum(numbers);
        } else if let Some(judged) = line.judged {
            node.label = label(judged);
        }
        for child in &line.children {
            let known = child.id.and_then(|id| self.places.get(&id).copied());
            if child.fate != Fate::Better && (child.fate != Fate::New || known.is_some()) {
                continue;
            }
            let label = child.numbers.as_ref().map(sum).unwrap_or_default();
            let below = match known {
                // The path is cheaper, so the node moves below its new parent.
                Some(below) => {
                    self.nodes.iter_mut().for_each(|node| node.children.retain(|&child| child != below));
                    below
                }
                None => self.add(Node::default()),
            };
            if let Some(id) = child.id {
                self.places.insert(id, below);
            }
            let node = &mut self.nodes[below];
            (node.depth, node.mv, node.label, node.goal) = (line.depth + 1, child.mv.clone(), label, child.goal);
            if below != at {
                self.nodes[at].children.push(below);
            }
        }
        // A state that became cheaper moves with its subtree.
        self.sink(at);
    }

    /// Sets the depth of all nodes below a node.
    fn sink(&mut self, from: usize) {
        let mut left = vec![from];
        while let Some(at) = left.pop() {
            let (depth, children) = (self.nodes[at].depth, self.nodes[at].children.clone());
            for child in children {
                if self.nodes[child].depth != depth + 1 {
                    self.nodes[child].depth = depth + 1;
                    left.push(child);
                }
            }
        }
    }

    /// Adds two-player lines. Each position is placed below the one from which it was first searched.
    fn decide(&mut self, lines: &[Line]) {
        // Backward induction records no parents, so a position is placed below the first one that leads to it.
        let mut first: HashMap<u64, u64> = HashMap::new();
        for line in lines.iter().rev() {
            for child in line.children.iter().filter_map(|child| child.id) {
                first.entry(child).or_insert(line.id);
            }
            let parent = line.parent.or_else(|| first.get(&line.id).copied());
            let at = match parent.and_then(|parent| self.places.get(&parent).copied()) {
                Some(parent) if !self.places.contains_key(&line.id) => {
                    let at = self.add(Node::default());
                    self.places.insert(line.id, at);
                    self.nodes[parent].children.insert(0, at);
                    at
                }
                _ => self.place(line.id, line.depth),
            };
            let node = &mut self.nodes[at];
            (node.depth, node.order) = (line.depth, Some(line.n));
            node.mv = line.mv.clone().unwrap_or_default();
            node.label = line.judged.map(label).unwrap_or_default();
            if let Some(worth) = line.value {
                let outcome = worth.score.outcome();
                node.label = worth.grundy.map_or_else(|| outcome.to_owned(), |grundy| format!("{outcome} {grundy}"));
                node.paint = Some(match outcome {
                    "N" => Paint::Win,
                    "P" => Paint::Lose,
                    _ => Paint::Draw,
                });
            }
        }
    }

    /// Marks the plan, if it is a path in the tree.
    fn mark(&mut self, report: &Report) {
        let (Answer::Solved { moves, .. } | Answer::Unknown { moves, .. }) = &report.answer else { return };
        let Some(&root) = self.roots.first() else { return };
        let mut path = vec![root];
        for mv in moves {
            let here = *path.last().expect("the path contains the root");
            match self.nodes[here].children.iter().find(|&&child| self.nodes[child].mv == mv.text) {
                Some(&child) => path.push(child),
                None => return,
            }
        }
        path.into_iter().for_each(|at| self.nodes[at].planned = true);
    }

    /// Replaces many waiting states below one parent with one node that shows their number, to keep the drawing narrow.
    fn gather(&mut self) {
        for at in 0..self.nodes.len() {
            let (kept, waiting): (Vec<usize>, Vec<usize>) = self.nodes[at].children.iter().partition(|&&child| {
                let child = &self.nodes[child];
                child.order.is_some() || child.goal || child.planned
            });
            if waiting.len() <= ALONE {
                continue;
            }
            let label = format!("+{}", waiting.len());
            let mv = format!("{} moves", waiting.len());
            let last = self.add(Node { depth: self.nodes[at].depth + 1, label, mv, ..Node::default() });
            self.nodes[at].children = kept;
            self.nodes[at].children.push(last);
            waiting.into_iter().for_each(|child| self.nodes[child].gathered = true);
        }
    }

    fn scene(&self, report: &Report, lines: &[Line], rounds: usize) -> Scene {
        let children: Vec<Vec<usize>> = self.nodes.iter().map(|node| node.children.clone()).collect();
        let columns = tree_columns(&self.roots, &children);
        let right = (columns.iter().copied().fold(-1.0, f64::max) + 1.0) * WIDTH;
        let deepest = self.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
        let moment = super::moment(report);
        let round = match lines.last().and_then(|line| line.bound).filter(|_| rounds > 0) {
            Some(bound) => format!(", round {} with bound {bound}", rounds + 1),
            None => String::new(),
        };
        let (what, done) = if lines.iter().any(|line| line.value.is_some()) { ("position", "decided") } else { ("state", "expanded") };
        let title = format!("{} by {}: {} {done}{round}", report.game, report.method, count(lines.len() as u64, what));
        let widest = title.len().max(moment.len()) as f64 * 7.0 + 2.0 * MARGIN;
        let width = (right + 2.0 * MARGIN).max(widest.min(900.0));
        let height = HEAD + f64::from(deepest + 1) * HEIGHT + MARGIN;
        let mut scene = Scene { title: format!("{title}. {moment}"), width, height, ..Scene::default() };
        let text = |x: f64, y: f64, size: f64, text: String| Form::Text { x, y, size, text };
        scene.add(text(width / 2.0, 16.0, 14.0, title), Paint::Ink);
        scene.add(text(width / 2.0, 36.0, 12.0, moment), Paint::Ink);
        let place = |at: usize| {
            let y = HEAD + RADIUS + 10.0 + f64::from(self.nodes[at].depth) * HEIGHT;
            (MARGIN + columns[at] * WIDTH + WIDTH / 2.0, y)
        };
        for (at, node) in self.nodes.iter().enumerate() {
            for &child in &node.children {
                let strong = node.planned && self.nodes[child].planned;
                let (from, to) = (place(at), place(child));
                scene.add(Form::Line { from, to }, if strong { Paint::Strong } else { Paint::Faint });
            }
        }
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, node)| !node.gathered) {
            let (x, y) = place(at);
            let paint = match node.paint {
                _ if node.goal => Paint::Green,
                _ if node.planned => Paint::Win,
                Some(paint) => paint,
                None => Paint::Cell,
            };
            let name = format!("{at}");
            scene.add_named(Form::Circle { x, y, r: RADIUS }, paint, &*name);
            if let Some(order) = node.order {
                scene.add_named(text(x, y, 12.0, order.to_string()), Paint::Ink, &*name);
            }
            scene.add_named(text(x, y + RADIUS + 9.0, 11.0, node.label.clone()), Paint::Ink, &*name);
            let order = node.order.map_or_else(|| "waiting".to_owned(), |order| format!("expansion number {order}"));
            let mv = if node.mv.is_empty() { "start".to_owned() } else { format!("after {}", node.mv) };
            scene.describe(&name, format!("{mv}, {}, {order}{}", node.label, if node.goal { ", a goal" } else { "" }));
        }
        scene
    }
}
