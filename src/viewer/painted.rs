//! A search painted on the board: the places of expanded states in shades by order, the places of open states, and the plan as a band.

use std::collections::HashMap;

use super::moment;
use crate::limits::{Limit, Limits};
use crate::report::{Report, count};
use crate::scene::{Form, Paint, Scene, Shape};
use crate::trace::{ChildLine, Fate, Line, Numbers};

/// Height of the lines of text below the board.
const FOOT: f64 = 62.0;

/// What last happened at a place in the search.
#[derive(Default)]
struct Mark {
    /// The index of the place's last expansion among the lines shown, from 0; `None` if the state there is open.
    expanded: Option<usize>,
    numbers: Option<Numbers>,
}

/// Paints a traced search, or its last round if there are several. `scene` shows the start, and `plan` lists the places along the plan.
pub fn draw(mut scene: Scene, lines: &[Line], plan: &[String], report: &Report, limits: &Limits) -> Result<Scene, Limit> {
    let begin = match lines.last().and_then(|line| line.bound) {
        Some(_) => lines.iter().rposition(|line| line.parent.is_none()).unwrap_or(0),
        None => 0,
    };
    let lines = &lines[begin..];
    let mut marks: HashMap<&str, Mark> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        for ChildLine { place, fate, numbers, .. } in &line.children {
            if let (Some(place), Fate::New | Fate::Better) = (place, fate) {
                marks.insert(place, Mark { expanded: None, numbers: *numbers });
            }
        }
        if let Some(place) = &line.place {
            marks.insert(place, Mark { expanded: Some(at), numbers: line.numbers });
        }
    }
    let mut shapes: Vec<Shape> = Vec::with_capacity(2 * scene.shapes.len());
    let mut middles: HashMap<String, ((f64, f64), f64)> = HashMap::new();
    for mut shape in std::mem::take(&mut scene.shapes) {
        limits.check()?;
        let mark = shape.name.as_deref().and_then(|name| marks.get(name));
        if let (Some(label), Some(mark)) = (&mut shape.label, mark) {
            label.push_str(&words(mark));
        }
        let name = shape.name.clone().filter(|name| !middles.contains_key(name));
        let paint = mark.map(|mark| mark.expanded.map_or(Paint::Color3, |at| Paint::shade(at, lines.len())));
        let form = shape.form.clone();
        shapes.push(shape);
        // The paint is drawn above the background of a place, but below its piece and its text.
        if let Some(name) = name {
            middles.insert(name.clone(), (form.middle(), form.reach()));
            if let Some(paint) = paint {
                shapes.push(Shape { form, paint, name: Some(name), label: None, ends: None });
            }
        }
    }
    // Labels on roads stay above the plan.
    let (texts, shapes) = shapes.into_iter().partition(|shape| shape.name.is_none() && matches!(shape.form, Form::Text { .. }));
    scene.shapes = shapes;
    for pair in plan.windows(2) {
        if let (Some(&(from, reach)), Some(&(to, _))) = (middles.get(&pair[0]), middles.get(&pair[1])) {
            scene.add(band(from, to, (0.22 * reach).max(1.5)), Paint::Glow);
        }
    }
    scene.shapes.extend(texts);
    let title = format!("{} by {}: {} expanded", report.game, report.method, count(lines.len() as u64, "state"));
    let legend = "Blue: expanded (darker means later). Yellow: open. Orange: the plan.".to_owned();
    let moment = moment(report);
    // Widen the drawing of a narrow board to make room for the text.
    let widest = title.len().max(legend.len()).max(moment.len()) as f64 * 6.2 + 20.0;
    let width = scene.width.max(widest.min(720.0));
    let aside = (width - scene.width) / 2.0;
    scene.shapes.iter_mut().for_each(|shape| shape.form.shift(aside, 0.0));
    for (row, (text, size)) in [(title.clone(), 14.0), (legend, 11.0), (moment, 11.0)].into_iter().enumerate() {
        scene.add(Form::Text { x: width / 2.0, y: scene.height + 14.0 + 18.0 * row as f64, size, text }, Paint::Ink);
    }
    scene.title = format!("{}. {title}", scene.title);
    (scene.width, scene.height) = (width, scene.height + FOOT);
    Ok(scene)
}

/// The text of the tooltip for a place.
fn words(mark: &Mark) -> String {
    let order = mark.expanded.map_or(", open".to_owned(), |at| format!(", expanded at step {}", at + 1));
    let sum = mark.numbers.map(|numbers| match (numbers.h, numbers.f()) {
        (Some(h), Some(f)) => format!(", g {} + h {h} = f {f}", numbers.g),
        _ => format!(", g {}", numbers.g),
    });
    order + &sum.unwrap_or_default()
}

/// A line from point to point, `half` wide on each side, with pointed ends that join neighboring bands.
fn band(from: (f64, f64), to: (f64, f64), half: f64) -> Form {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(f64::MIN_POSITIVE);
    let (dx, dy) = (half * dx / length, half * dy / length);
    let corner = |(x, y): (f64, f64), along: f64, aside: f64| (x + along * dx - aside * dy, y + along * dy + aside * dx);
    let points = vec![
        corner(from, -1.0, 0.0),
        corner(from, 0.0, 1.0),
        corner(to, 0.0, 1.0),
        corner(to, 1.0, 0.0),
        corner(to, 0.0, -1.0),
        corner(from, 0.0, -1.0),
    ];
    Form::Polygon { points }
}
