//! A trace as one HTML document, to open, mail or embed. The document contains the viewer of the page's Search tab, the lines of the
//! trace, and the boards of the first states. It needs no server and no network.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::{bundle, moment};
use crate::catalog::Entry;
use crate::gamegraph::order::Order;
use crate::html::Document;
use crate::limits::Limits;
use crate::notation::{Input, Options};
use crate::report::Report;
use crate::scene::{self, Scene};
use crate::trace::{Line, header};

/// Maximum number of different boards that are stored.
const MOST_BOARDS: usize = 2_000;
/// Maximum total number of shapes on these boards; they take a few megabytes.
const MOST_SHAPES: usize = 100_000;

/// The viewer's modules, each after those that it imports.
const MODULES: [(&str, &str); 18] = [
    ("dom.js", include_str!("../../web/page/dom.js")),
    ("board/scene.js", include_str!("../../web/page/board/scene.js")),
    ("board/painting.js", include_str!("../../web/page/board/painting.js")),
    ("search/colors.js", include_str!("../../web/page/search/colors.js")),
    ("search/frontier.js", include_str!("../../web/page/search/frontier.js")),
    ("search/tally.js", include_str!("../../web/page/search/tally.js")),
    ("search/trace.js", include_str!("../../web/page/search/trace.js")),
    ("search/visits.js", include_str!("../../web/page/search/visits.js")),
    ("search/layout.js", include_str!("../../web/page/search/layout.js")),
    ("search/words.js", include_str!("../../web/page/search/words.js")),
    ("search/tree.js", include_str!("../../web/page/search/tree.js")),
    ("search/bars.js", include_str!("../../web/page/search/bars.js")),
    ("search/list.js", include_str!("../../web/page/search/list.js")),
    ("search/transport.js", include_str!("../../web/page/search/transport.js")),
    ("search/viewer.js", include_str!("../../web/page/search/viewer.js")),
    ("search/stage.js", include_str!("../../web/page/search/stage.js")),
    ("search/feed.js", include_str!("../../web/page/search/feed.js")),
    ("search/alone.js", include_str!("../../web/page/search/alone.js")),
];

/// A content security policy that allows nothing from outside the document.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A document under construction.
pub struct Page {
    entry: &'static Entry,
    method: String,
    header: Value,
    /// JSON objects separated by commas.
    lines: String,
    boards: Boards,
    /// The places along the plan.
    places: Vec<String>,
}

impl Page {
    /// `start` is the board as an instance.
    pub fn new(entry: &'static Entry, method: &str, start: &str) -> Page {
        let header = header(entry.name, method, start);
        Page { entry, method: method.to_owned(), header, lines: String::new(), boards: Boards::default(), places: Vec::new() }
    }

    /// Sets the order of moves of a method that has this setting.
    pub fn set_order(&mut self, order: Option<Order>) {
        if let Some(order) = order {
            self.header["order"] = json!(order.name());
        }
    }

    /// Adds a line of the trace. If the line has a state, the state is drawn unless there are too many boards or a limit is reached.
    pub fn add(&mut self, mut line: Line, limits: &Limits) {
        let state = line.state.take();
        let mut object = line.json();
        // For a game that paints the search on its board, one board is enough.
        let state = state.filter(|_| !self.entry.paints || self.boards.scenes.is_empty());
        if let Some(board) = state.and_then(|state| self.boards.draw(self.entry, state, limits)) {
            object["board"] = json!(board);
        }
        let comma = if self.lines.is_empty() { "" } else { ",\n" };
        let _ = write!(self.lines, "{comma}{object}");
    }

    /// Sets the names of the places along the plan, for games that have places.
    pub fn set_places(&mut self, places: Vec<String>) {
        self.places = places;
    }

    pub fn html(&self, report: &Report, seconds: f64) -> String {
        let plan: Vec<&str> = report.plan().iter().map(|mv| mv.text.as_str()).collect();
        let ending = json!({"report": report.json(seconds), "plan": plan, "moment": moment(report), "places": self.places});
        let boards = json!({"shapes": self.boards.shapes, "scenes": self.boards.scenes, "all": self.boards.skipped == 0, "whole": self.entry.paints});
        let data = format!("{{\"header\":{},\"ending\":{ending},\"boards\":{boards},\"lines\":[\n{}\n]}}", self.header, self.lines);
        // In JSON, `<` occurs only in strings. If every `<` is escaped, no string can end the script element.
        let data = data.replace('<', "\\u003c");
        let script = bundle(&MODULES).expect("the modules follow the conventions");
        let (game, method) = (self.entry.name, &self.method);
        let (palette, style, own) =
            (scene::palette(), include_str!("../../web/page/style.css"), include_str!("../../web/page/search/search.css"));
        let body = format!(
            "<main id=\"main\" class=\"alone\"><noscript><p>This page needs JavaScript to show a search.</p></noscript></main>\n\
             <script type=\"application/json\" id=\"trace\">\n{data}\n</script>\n"
        );
        Document {
            title: &format!("{game}: {method}, step by step"),
            policy: POLICY,
            style: &format!("\n{palette}{style}{own}"),
            body: &body,
            script: &format!("\n{script}"),
        }
        .html()
    }
}

/// Drawings that share their shapes.
#[derive(Default)]
struct Boards {
    /// Each distinct shape once, as JSON.
    shapes: Vec<Value>,
    by_shape: HashMap<String, usize>,
    /// The title, the size and the shape indices of each drawing.
    scenes: Vec<Value>,
    by_state: HashMap<String, usize>,
    used: usize,
    skipped: usize,
}

impl Boards {
    /// Draws a state, unless it was already drawn, and returns the number of its drawing; `None` if the state is not drawn.
    fn draw(&mut self, entry: &Entry, state: String, limits: &Limits) -> Option<usize> {
        if let Some(&known) = self.by_state.get(&state) {
            return Some(known);
        }
        let enough = self.scenes.len() == MOST_BOARDS || self.used >= MOST_SHAPES;
        let drawn = if enough { None } else { scene_of(entry, &state, limits) };
        let Some(Scene { title, width, height, shapes, .. }) = drawn else {
            self.skipped += 1;
            return None;
        };
        self.used += shapes.len();
        let numbers: Vec<usize> = shapes.iter().map(|shape| self.number(json!(shape))).collect();
        self.scenes.push(json!({"title": title, "width": width, "height": height, "shapes": numbers}));
        self.by_state.insert(state, self.scenes.len() - 1);
        Some(self.scenes.len() - 1)
    }

    fn number(&mut self, shape: Value) -> usize {
        *self.by_shape.entry(shape.to_string()).or_insert_with(|| {
            self.shapes.push(shape);
            self.shapes.len() - 1
        })
    }
}

fn scene_of(entry: &Entry, state: &str, limits: &Limits) -> Option<Scene> {
    let options = Options::default();
    let puzzle = (entry.read)(&Input::new(state, &options, limits)).ok()?;
    Some(puzzle.position(limits).ok()?.scene)
}
