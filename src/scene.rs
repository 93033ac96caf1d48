//! A board as plain shapes. Pages draw scenes, and this file turns them into SVG; neither knows any rule.
//!
//! A shape may have a name. A move is made by clicking named shapes in order ([`Gesture`]), so every game can be played
//! by the same few lines of page.

use std::fmt::Write;

use serde::Serialize;

/// A drawing, in its own units, with the moves that can be clicked in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scene {
    /// What is to be seen, in one sentence: the picture's text alternative.
    pub title: String,
    pub width: f64,
    pub height: f64,
    /// From back to front.
    pub shapes: Vec<Shape>,
    pub moves: Vec<Gesture>,
}

/// One thing in a scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shape {
    #[serde(flatten)]
    pub form: Form,
    pub paint: Paint,
    /// What it is called in clicks. Several shapes may share a name and act as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "form", rename_all = "lowercase")]
pub enum Form {
    Circle {
        x: f64,
        y: f64,
        r: f64,
    },
    Rect {
        x: f64,
        y: f64,
        width: f64,
        height: f64,
    },
    Polygon {
        points: Vec<(f64, f64)>,
    },
    Line {
        from: (f64, f64),
        to: (f64, f64),
    },
    /// Centerd at the point.
    Text {
        x: f64,
        y: f64,
        size: f64,
        text: String,
    },
}

/// What a shape means; the palette decides how that looks by day and by night.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Paint {
    /// An empty place.
    Cell,
    /// A place where something special can happen, such as an exit.
    Mark,
    /// Something in the way.
    Block,
    /// A place that is not part of the board, but can be made so.
    Ghost,
    /// What a remark talks about.
    Glow,
    Red,
    Green,
    Blue,
    Black,
    /// Colors by number, light enough for text on them; see [`Paint::color`].
    Color1,
    Color2,
    Color3,
    Color4,
    Color5,
    Color6,
    Color7,
    Color8,
    /// A position that the player to move wins, or loses.
    Win,
    Lose,
    /// A position that is a draw.
    Draw,
    /// Lines that matter more or less than others.
    Strong,
    Faint,
    /// Lines and text.
    Ink,
}

impl Paint {
    /// The color with this number, from 1; after the eighth they come again.
    pub fn color(number: usize) -> Paint {
        use Paint::*;
        [Color1, Color2, Color3, Color4, Color5, Color6, Color7, Color8][number.saturating_sub(1) % 8]
    }
}

const PAINTS: &[(Paint, &str, [&str; 2], [&str; 2])] = &[
    // (paint, class, day: fill and stroke, night: fill and stroke)
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
    (Paint::Strong, "strong", ["#2f7d4b", "#2f7d4b"], ["#7cc797", "#7cc797"]),
    (Paint::Faint, "faint", ["#b9b8b2", "#b9b8b2"], ["#55575e", "#55575e"]),
    (Paint::Ink, "ink", ["#3a3b40", "#3a3b40"], ["#d8d9dd", "#d8d9dd"]),
];

/// The palette as style sheet variables such as `--red-fill` and `--red-stroke`, by day and by night. A page's theme is the
/// attribute `data-theme` of its root; without one it follows the reader's system.
pub fn palette() -> String {
    let rules = |night: bool| -> String {
        let rule = |(_, class, by_day, by_night): &(Paint, &str, [&str; 2], [&str; 2])| {
            let [fill, stroke] = if night { by_night } else { by_day };
            format!("--{class}-fill:{fill};--{class}-stroke:{stroke};")
        };
        PAINTS.iter().map(rule).collect()
    };
    let (day, night) = (rules(false), rules(true));
    let classes: String =
        PAINTS.iter().map(|(_, class, ..)| format!(".p-{class}{{fill:var(--{class}-fill);stroke:var(--{class}-stroke)}}\n")).collect();
    format!(
        ":root{{{day}}}\n@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{night}}}}}\n:root[data-theme=dark]{{{night}}}\n{classes}"
    )
}

/// Something said about a board, and where to look.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Remark {
    /// One or two sentences.
    pub text: String,
    /// Named shapes to be tinted.
    pub tints: Vec<Tint>,
    /// Shapes to be drawn over the board.
    pub shapes: Vec<Shape>,
    /// Legal moves, as they are written, with something to say about each.
    pub labels: Vec<Label>,
}

/// A color laid over a named shape.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tint {
    pub name: String,
    pub paint: Paint,
    /// From 0 (an outline only) to 1.
    pub strength: f64,
    /// A short text in the middle of the shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What there is to say about a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    /// The move as the game writes it.
    #[serde(rename = "move")]
    pub mv: String,
    pub text: String,
    /// Is it a move to recommend?
    pub good: bool,
}

impl Remark {
    pub fn new(text: impl Into<String>) -> Remark {
        Remark { text: text.into(), ..Remark::default() }
    }

    pub fn tint(&mut self, name: impl Into<String>, paint: Paint, strength: f64) {
        self.tints.push(Tint { name: name.into(), paint, strength, note: None });
    }

    pub fn tint_with(&mut self, name: impl Into<String>, paint: Paint, strength: f64, note: impl Into<String>) {
        self.tints.push(Tint { name: name.into(), paint, strength, note: Some(note.into()) });
    }

    pub fn add(&mut self, form: Form, paint: Paint) {
        self.shapes.push(Shape { form, paint, name: None });
    }
}

/// A way to change a board in an editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Brush {
    /// One or two words.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Named shapes to click for it: none if it acts at once, one to paint a place, two to join places.
    pub clicks: usize,
}

/// A move, and the names to click for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gesture {
    /// The move as the game writes it.
    pub text: String,
    pub clicks: Vec<String>,
}

impl Scene {
    pub fn add(&mut self, form: Form, paint: Paint) {
        self.shapes.push(Shape { form, paint, name: None });
    }

    pub fn add_named(&mut self, form: Form, paint: Paint, name: impl Into<String>) {
        self.shapes.push(Shape { form, paint, name: Some(name.into()) });
    }

    /// Puts another drawing into this one, with its left upper corner at (x, y) and a title below, and grows to hold it.
    pub fn place(&mut self, other: &Scene, x: f64, y: f64, title: &str) {
        self.overlay(other, x, y);
        let below = y + other.height;
        self.add(Form::Text { x: x + other.width / 2.0, y: below, size: 14.0, text: title.to_owned() }, Paint::Ink);
        self.width = self.width.max(x + other.width);
        self.height = self.height.max(below + 16.0);
    }

    /// Draws another drawing over this one, with its left upper corner at (x, y).
    pub fn overlay(&mut self, other: &Scene, x: f64, y: f64) {
        for shape in &other.shapes {
            let mut shape = shape.clone();
            match &mut shape.form {
                Form::Circle { x: at, y: down, .. } | Form::Rect { x: at, y: down, .. } | Form::Text { x: at, y: down, .. } => {
                    (*at, *down) = (*at + x, *down + y);
                }
                Form::Polygon { points } => points.iter_mut().for_each(|point| *point = (point.0 + x, point.1 + y)),
                Form::Line { from, to } => [from, to].into_iter().for_each(|point| *point = (point.0 + x, point.1 + y)),
            }
            self.shapes.push(shape);
        }
    }

    /// A standalone SVG that follows the reader's light or dark theme.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        let (width, height) = (number(self.width), number(self.height));
        let _ = writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">"
        );
        let _ = writeln!(svg, "<title>{}</title>\n<style>", escape(&self.title));
        svg.push_str("text{font-family:system-ui,sans-serif;text-anchor:middle;stroke:none!important}\n");
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
        svg.push_str("</style>\n");
        for shape in &self.shapes {
            let (_, class, ..) = PAINTS.iter().find(|(paint, ..)| *paint == shape.paint).expect("every paint has a row");
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
        svg.push_str("</svg>\n");
        svg
    }
}

/// At most two decimals, no trailing zeros: the same bytes on every machine.
fn number(n: f64) -> String {
    let text = format!("{n:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_text_is_escaped() {
        assert_eq!([number(1.0), number(2.505), number(-0.001), number(10.0)], ["1", "2.5", "0", "10"]);
        let mut scene = Scene { title: "a < b & \"c\"".into(), width: 10.0, height: 5.5, ..Scene::default() };
        scene.add(Form::Text { x: 1.0, y: 2.0, size: 3.0, text: "<script>".into() }, Paint::Ink);
        let svg = scene.svg();
        assert!(svg.contains("viewBox=\"0 0 10 5.5\""));
        assert!(svg.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"));
        assert!(!svg.contains("<script>"));
    }
}
