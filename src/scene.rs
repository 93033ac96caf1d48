//! A board as plain shapes. The page draws scenes, and this file converts them to SVG. Neither knows the rules of any game.
//!
//! A shape may have a name. A move is made by clicking named shapes in order ([`Gesture`]), so the page uses the same
//! code for every game. A named shape may also have a label for screen readers: see [`Scene::describe`].

use std::fmt::Write;

use serde::Serialize;

use crate::html::escape;
use crate::limits::{Limit, Limits};

/// A drawing, in its own units, with the moves that can be clicked in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    /// The text alternative, as one sentence.
    pub title: String,
    pub width: f64,
    pub height: f64,
    /// The shapes from back to front.
    pub shapes: Vec<Shape>,
    pub moves: Vec<Gesture>,
    /// Names of shapes that can be moved by hand ([`crate::drawing::Arranging`]).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub movable: Vec<String>,
}

/// One shape in a scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shape {
    #[serde(flatten)]
    pub form: Form,
    pub paint: Paint,
    /// The name by which clicks refer to the shape. Several shapes may share a name and act as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A label for screen readers, which describes all shapes with this name. Only one of these shapes has the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The names of the two shapes that this shape joins. A line ends at these shapes. Any other form is between them, or beside the
    /// named shape if both names are equal. A front end that moves either of the two also moves this shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends: Option<Box<[String; 2]>>,
}

/// The geometry of a shape. Text is centered at its point.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "form", rename_all = "lowercase")]
pub enum Form {
    Circle { x: f64, y: f64, r: f64 },
    Rect { x: f64, y: f64, width: f64, height: f64 },
    Polygon { points: Vec<(f64, f64)> },
    Line { from: (f64, f64), to: (f64, f64) },
    Text { x: f64, y: f64, size: f64, text: String },
}

impl Form {
    /// The center point.
    pub fn middle(&self) -> (f64, f64) {
        match self {
            Form::Circle { x, y, .. } | Form::Text { x, y, .. } => (*x, *y),
            Form::Rect { x, y, width, height } => (x + width / 2.0, y + height / 2.0),
            Form::Line { from, to } => ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0),
            Form::Polygon { points } => {
                let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
                (x / points.len() as f64, y / points.len() as f64)
            }
        }
    }

    /// Moves the form to the right and down.
    pub fn shift(&mut self, dx: f64, dy: f64) {
        let by = |point: &mut (f64, f64)| *point = (point.0 + dx, point.1 + dy);
        match self {
            Form::Circle { x, y, .. } | Form::Rect { x, y, .. } | Form::Text { x, y, .. } => (*x, *y) = (*x + dx, *y + dy),
            Form::Polygon { points } => points.iter_mut().for_each(by),
            Form::Line { from, to } => [from, to].into_iter().for_each(by),
        }
    }

    /// The distance from the center to the nearest side or corner.
    pub fn reach(&self) -> f64 {
        match self {
            Form::Circle { r, .. } => *r,
            Form::Rect { width, height, .. } => width.min(*height) / 2.0,
            Form::Line { from, to } => (from.0 - to.0).hypot(from.1 - to.1) / 2.0,
            Form::Text { size, .. } => size / 2.0,
            Form::Polygon { points } => {
                let (x, y) = self.middle();
                points.iter().map(|point| (point.0 - x).hypot(point.1 - y)).fold(f64::MAX, f64::min)
            }
        }
    }

    /// Returns the form enlarged by `by` on every side.
    pub fn grown(&self, by: f64) -> Form {
        match self {
            Form::Circle { x, y, r } => Form::Circle { x: *x, y: *y, r: r + by },
            Form::Rect { x, y, width, height } => Form::Rect { x: x - by, y: y - by, width: width + 2.0 * by, height: height + 2.0 * by },
            Form::Polygon { points } => {
                let ((x, y), scale) = (self.middle(), 1.0 + by / self.reach().max(1.0));
                Form::Polygon { points: points.iter().map(|point| (x + (point.0 - x) * scale, y + (point.1 - y) * scale)).collect() }
            }
            Form::Line { .. } | Form::Text { .. } => self.clone(),
        }
    }
}

/// The meaning of a shape. The palette defines its colors for light and dark themes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Paint {
    /// An empty cell.
    Cell,
    /// A special cell, such as an exit.
    Mark,
    /// An obstacle.
    Block,
    /// A cell outside the board that an editor can add to it.
    Ghost,
    /// A cell that an explanation highlights.
    Glow,
    Red,
    Green,
    Blue,
    Black,
    /// Numbered colors, light enough for text on top; see [`Paint::color`].
    Color1,
    Color2,
    Color3,
    Color4,
    Color5,
    Color6,
    Color7,
    Color8,
    /// A position that the player to move wins with best play.
    Win,
    /// A position that is a draw with best play.
    Draw,
    /// A position that the player to move loses with best play.
    Lose,
    /// Shades of one color, from the first to the last in an order; see [`Paint::shade`].
    Shade1,
    Shade2,
    Shade3,
    Shade4,
    Shade5,
    Shade6,
    Shade7,
    Shade8,
    /// Lines that are more important than others.
    Strong,
    /// Lines that are less important than others.
    Faint,
    /// Lines and text.
    Ink,
}

impl Paint {
    /// The color with this number, from 1. Colors repeat after the eighth.
    pub fn color(number: usize) -> Paint {
        use Paint::*;
        [Color1, Color2, Color3, Color4, Color5, Color6, Color7, Color8][number.saturating_sub(1) % 8]
    }

    /// The shade of the item with this index among `count` items in order.
    pub fn shade(at: usize, count: usize) -> Paint {
        use Paint::*;
        [Shade1, Shade2, Shade3, Shade4, Shade5, Shade6, Shade7, Shade8][(8 * at / count.max(1)).min(7)]
    }

    /// The paint's row in the palette.
    fn row(self) -> &'static PaintRow {
        PAINTS.iter().find(|(paint, ..)| *paint == self).expect("every paint has a row")
    }

    /// Fill and stroke in the light theme, as `#rrggbb`.
    pub fn by_day(self) -> [&'static str; 2] {
        self.row().2
    }

    /// The line width, which is the same as in the style sheets below.
    pub fn stroke_width(self) -> f64 {
        match self {
            Paint::Strong => 2.0,
            Paint::Faint => 0.6,
            _ => 1.0,
        }
    }
}

/// A row of the palette: the paint, its class, and its fill and stroke in the light theme and in the dark theme.
type PaintRow = (Paint, &'static str, [&'static str; 2], [&'static str; 2]);

const PAINTS: &[PaintRow] = &[
    (Paint::Cell, "cell", ["#f1efe8", "#a9a596"], ["#2b2d33", "#62656f"]),
    (Paint::Mark, "mark", ["#fdf0c4", "#b8973a"], ["#4a4020", "#c2a24a"]),
    (Paint::Block, "block", ["#5c5f66", "#3c3e44"], ["#9b9ea6", "#c3c6cd"]),
    (Paint::Ghost, "ghost", ["#faf9f5", "#dcd9ce"], ["#1d1f24", "#3a3d44"]),
    (Paint::Glow, "glow", ["#f0a020", "#b06a00"], ["#ffb938", "#ffd685"]),
    (Paint::Red, "red", ["#d1342f", "#8f1d1a"], ["#e8605b", "#f6b0ad"]),
    (Paint::Green, "green", ["#2f9e55", "#1b6a37"], ["#4fc07a", "#b4ecc9"]),
    (Paint::Blue, "blue", ["#2f6fd1", "#1a4690"], ["#6b9df0", "#bcd4fb"]),
    (Paint::Black, "black", ["#2a2b2f", "#0c0c0e"], ["#0c0d10", "#8b8e97"]),
    (Paint::Color1, "color1", ["#f5a8a3", "#b2443d"], ["#8e3a35", "#e79a95"]),
    (Paint::Color2, "color2", ["#a5c8f4", "#3a6cae"], ["#2f5a94", "#98bdf0"]),
    (Paint::Color3, "color3", ["#f6de88", "#a8862a"], ["#7a6220", "#ead07a"]),
    (Paint::Color4, "color4", ["#a6d9b3", "#3c8a55"], ["#2f6f46", "#98d3a9"]),
    (Paint::Color5, "color5", ["#d5bdee", "#7b53a8"], ["#63458a", "#cbb0e8"]),
    (Paint::Color6, "color6", ["#f7c497", "#b06a25"], ["#85501f", "#f0b780"]),
    (Paint::Color7, "color7", ["#9edfde", "#2f8a89"], ["#2a6f6e", "#90d6d5"]),
    (Paint::Color8, "color8", ["#d9dade", "#72747c"], ["#5a5c63", "#c6c8ce"]),
    (Paint::Win, "win", ["#bfe3c9", "#2f7d4b"], ["#25583a", "#7cc797"]),
    (Paint::Lose, "lose", ["#f6c6c3", "#a8423c"], ["#6f302c", "#e39b96"]),
    (Paint::Draw, "draw", ["#f5e6ad", "#94762a"], ["#5f4f1c", "#dcc374"]),
    (Paint::Shade1, "shade1", ["#e3eefb", "#a9b9cc"], ["#22344c", "#4a6385"]),
    (Paint::Shade2, "shade2", ["#cde0f7", "#a9b9cc"], ["#273f5f", "#4a6385"]),
    (Paint::Shade3, "shade3", ["#b7d1f2", "#a9b9cc"], ["#2c4a72", "#4a6385"]),
    (Paint::Shade4, "shade4", ["#a1c2ec", "#8ba6c8"], ["#315586", "#5a78a0"]),
    (Paint::Shade5, "shade5", ["#8bb3e6", "#8ba6c8"], ["#366099", "#5a78a0"]),
    (Paint::Shade6, "shade6", ["#76a4df", "#6d8fba"], ["#3c6cad", "#6d8fba"]),
    (Paint::Shade7, "shade7", ["#6295d7", "#6d8fba"], ["#4278c0", "#6d8fba"]),
    (Paint::Shade8, "shade8", ["#4f86ce", "#4a70a8"], ["#4984d3", "#8ba6c8"]),
    (Paint::Strong, "strong", ["#2f7d4b", "#2f7d4b"], ["#7cc797", "#7cc797"]),
    (Paint::Faint, "faint", ["#b9b8b2", "#b9b8b2"], ["#55575e", "#55575e"]),
    (Paint::Ink, "ink", ["#3a3b40", "#3a3b40"], ["#d8d9dd", "#d8d9dd"]),
];

/// Text on black is light in both themes.
const ON_BLACK: &str = "+text{fill:#f1efe8}";

/// The palette as style sheet variables such as `--red-fill` and `--red-stroke`, for light and dark themes. A page sets its theme by
/// the attribute `data-theme` of its root element. Without this attribute, the page follows the theme of the reader's system.
pub fn palette() -> String {
    let rules = |night: bool| -> String {
        let rule = |(_, class, by_day, by_night): &PaintRow| {
            let [fill, stroke] = if night { by_night } else { by_day };
            format!("--{class}-fill:{fill};--{class}-stroke:{stroke};")
        };
        PAINTS.iter().map(rule).collect()
    };
    let (day, night) = (rules(false), rules(true));
    let classes: String =
        PAINTS.iter().map(|(_, class, ..)| format!(".p-{class}{{fill:var(--{class}-fill);stroke:var(--{class}-stroke)}}\n")).collect();
    format!(
        ":root{{{day}}}\n@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{night}}}}}\n:root[data-theme=dark]{{{night}}}\n{classes}.p-black{ON_BLACK}\n"
    )
}

/// The style sheet for a document with drawings by [`Scene::inline`].
pub fn inline_style() -> String {
    format!("{}svg text{{{TEXT_STYLE}}}\n.p-strong{{stroke-width:2}}.p-faint{{stroke-width:.6}}\n", palette())
}

/// The style of text in every drawing.
const TEXT_STYLE: &str = "font-family:system-ui,sans-serif;text-anchor:middle;stroke:none!important";

/// A statement about a board, and marks on the board.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Explanation {
    /// One or two sentences.
    pub text: String,
    /// Colors over named shapes.
    pub tints: Vec<Tint>,
    /// Shapes drawn over the board.
    pub shapes: Vec<Shape>,
    /// Short text beside legal moves.
    pub labels: Vec<MoveLabel>,
}

/// A color drawn over a named shape.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tint {
    pub name: String,
    pub paint: Paint,
    /// The opacity of the color, from 0 (an outline only) to 1.
    pub strength: f64,
    /// Short text in the middle of the shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Short text beside a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveLabel {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    pub text: String,
    /// The paint of the text, such as [`Paint::Win`] if the move wins.
    pub paint: Paint,
    /// True if the move is one of the best.
    pub good: bool,
}

impl Explanation {
    pub fn new(text: impl Into<String>) -> Explanation {
        Explanation { text: text.into(), ..Explanation::default() }
    }

    pub fn tint(&mut self, name: impl Into<String>, paint: Paint, strength: f64) {
        self.tints.push(Tint { name: name.into(), paint, strength, note: None });
    }

    pub fn tint_with(&mut self, name: impl Into<String>, paint: Paint, strength: f64, note: impl Into<String>) {
        self.tints.push(Tint { name: name.into(), paint, strength, note: Some(note.into()) });
    }

    pub fn add(&mut self, form: Form, paint: Paint) {
        self.shapes.push(Shape { form, paint, name: None, label: None, ends: None });
    }
}

/// A way to change a board in an editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Brush {
    /// The name of the brush, in one or two words.
    pub name: &'static str,
    /// The effect of the brush, in one line.
    pub about: &'static str,
    /// The number of named shapes to click: 0 if the brush acts at once, 1 to paint a cell, 2 to join cells.
    pub clicks: usize,
}

/// A move, and the names of the shapes to click for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gesture {
    /// The move in the game's notation.
    pub text: String,
    pub clicks: Vec<String>,
}

impl Scene {
    pub fn add(&mut self, form: Form, paint: Paint) {
        self.shapes.push(Shape { form, paint, name: None, label: None, ends: None });
    }

    pub fn add_named(&mut self, form: Form, paint: Paint, name: impl Into<String>) {
        self.shapes.push(Shape { form, paint, name: Some(name.into()), label: None, ends: None });
    }

    /// Adds a shape that joins two named shapes.
    pub fn add_between(&mut self, form: Form, paint: Paint, ends: [&str; 2]) {
        self.shapes.push(Shape { form, paint, name: None, label: None, ends: Some(Box::new(ends.map(str::to_owned))) });
    }

    /// Sets the label of the shapes with this name, for example to `hole 2, mole`. Call it after adding the shapes. For shapes without a
    /// label, screen readers read the name and the text.
    pub fn describe(&mut self, name: &str, label: impl Into<String>) {
        if let Some(shape) = self.shapes.iter_mut().rev().find(|shape| shape.name.as_deref() == Some(name)) {
            shape.label = Some(label.into());
        }
    }

    /// Returns the drawing with its shapes moved closer together. The sizes of the shapes and the `margin` around them do not change.
    pub fn tightened(mut self, margin: f64, factor: f64) -> Scene {
        let near = |at: f64| margin + (at - margin) * factor;
        for shape in &mut self.shapes {
            let (x, y) = shape.form.middle();
            let (dx, dy) = (near(x) - x, near(y) - y);
            match &mut shape.form {
                Form::Line { from, to } => [from, to].into_iter().for_each(|point| *point = (near(point.0), near(point.1))),
                form => form.shift(dx, dy),
            }
        }
        (self.width, self.height) = (near(self.width - margin) + margin, near(self.height - margin) + margin);
        self
    }

    /// The drawing without text. Labels are kept.
    pub fn without_texts(mut self) -> Scene {
        let is_text = |shape: &Shape| matches!(shape.form, Form::Text { .. });
        for text in self.shapes.extract_if(.., |shape| is_text(shape)).collect::<Vec<_>>() {
            if let (Some(name), Some(label)) = (text.name, text.label) {
                self.describe(&name, label);
            }
        }
        self
    }

    /// Checks the limits, including the memory used by the shapes. Cheap enough to call for every shape.
    pub fn check(&self, limits: &Limits) -> Result<(), Limit> {
        limits.check()?;
        limits.room(self.bytes())
    }

    /// The size of the shapes in bytes, without their text.
    pub fn bytes(&self) -> usize {
        self.shapes.capacity() * size_of::<Shape>()
    }

    /// Adds another drawing with its upper left corner at (x, y) and a title below it, and enlarges this drawing to contain it.
    pub fn place(&mut self, other: &Scene, x: f64, y: f64, title: &str, limits: &Limits) -> Result<(), Limit> {
        self.overlay(other, x, y, limits)?;
        let below = y + other.height;
        self.add(Form::Text { x: x + other.width / 2.0, y: below, size: 14.0, text: title.to_owned() }, Paint::Ink);
        self.width = self.width.max(x + other.width);
        self.height = self.height.max(below + 16.0);
        Ok(())
    }

    /// Adds another drawing with its upper left corner at (x, y).
    pub fn overlay(&mut self, other: &Scene, x: f64, y: f64, limits: &Limits) -> Result<(), Limit> {
        for shape in &other.shapes {
            self.check(limits)?;
            let mut shape = shape.clone();
            shape.form.shift(x, y);
            self.shapes.push(shape);
        }
        Ok(())
    }

    /// A standalone SVG that follows the reader's light or dark theme.
    pub fn svg(&self, limits: &Limits) -> Result<String, Limit> {
        limits.check()?;
        let mut svg = self.head();
        let _ = writeln!(svg, "<style>\ntext{{{TEXT_STYLE}}}");
        if self.shapes.iter().any(|shape| matches!(shape.paint, Paint::Strong | Paint::Faint)) {
            svg.push_str(".strong{stroke-width:2}.faint{stroke-width:.6}\n");
        }
        let used = |paint: &Paint| self.shapes.iter().any(|shape| shape.paint == *paint);
        let paints: Vec<_> = PAINTS.iter().filter(|(paint, ..)| used(paint)).collect();
        for night in [false, true] {
            let (open, close) = if night { ("@media (prefers-color-scheme:dark){\n", "}\n") } else { ("", "") };
            svg.push_str(open);
            for (_, class, by_day, by_night) in &paints {
                let [fill, stroke] = if night { by_night } else { by_day };
                let _ = writeln!(svg, ".{class}{{fill:{fill};stroke:{stroke}}}");
            }
            svg.push_str(close);
        }
        if used(&Paint::Black) {
            let _ = writeln!(svg, ".black{ON_BLACK}");
        }
        svg.push_str("</style>\n");
        self.write_shapes(&mut svg, "", &[], limits)?;
        Ok(svg)
    }

    /// The drawing as part of an HTML document whose style sheet is [`inline_style`]. Shapes with one of the names in `made` also
    /// have the class `made`. No limits are checked, so the caller must bound the size of the drawing.
    pub fn inline(&self, made: &[String]) -> String {
        let mut svg = self.head();
        self.write_shapes(&mut svg, "p-", made, &Limits::none()).expect("there is no limit");
        svg
    }

    fn head(&self) -> String {
        let (width, height) = (number(self.width), number(self.height));
        let title = escape(&self.title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{title}</title>\n"
        )
    }

    /// Writes everything after the head. Class names begin with `prefix`.
    fn write_shapes(&self, svg: &mut String, prefix: &str, made: &[String], limits: &Limits) -> Result<(), Limit> {
        // Consecutive shapes with the same name form a group with one title, which browsers show as a tooltip.
        for group in self.shapes.chunk_by(|a, b| a.name.is_some() && a.name == b.name) {
            limits.check()?;
            limits.room(svg.capacity())?;
            let label = group.iter().find_map(|shape| shape.label.as_deref());
            if let Some(label) = label {
                let _ = writeln!(svg, "<g><title>{}</title>", escape(label));
            }
            for shape in group {
                let marked = shape.name.as_ref().is_some_and(|name| made.contains(name));
                write_shape(svg, shape, &format!("{prefix}{}{}", shape.paint.row().1, if marked { " made" } else { "" }));
            }
            if label.is_some() {
                svg.push_str("</g>\n");
            }
        }
        svg.push_str("</svg>\n");
        Ok(())
    }
}

fn write_shape(svg: &mut String, shape: &Shape, class: &str) {
    let _ = match &shape.form {
        Form::Circle { x, y, r } => {
            writeln!(svg, "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", number(*x), number(*y), number(*r))
        }
        Form::Rect { x, y, width, height } => {
            let [x, y, width, height] = [x, y, width, height].map(|n| number(*n));
            writeln!(svg, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")
        }
        Form::Polygon { points } => {
            let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
            writeln!(svg, "<polygon class=\"{class}\" points=\"{}\"/>", points.join(" "))
        }
        Form::Line { from, to } => {
            let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
            writeln!(svg, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>")
        }
        Form::Text { x, y, size, text } => {
            let [x, y, size] = [x, y, size].map(|n| number(*n));
            writeln!(svg, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" dy=\".35em\" font-size=\"{size}\">{}</text>", escape(text))
        }
    };
}

/// Formats a number with at most two decimals and no trailing zeros, so that the bytes are the same on every machine.
fn number(n: f64) -> String {
    let text = format!("{n:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
