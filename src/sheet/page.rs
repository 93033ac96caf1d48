//! A sheet as an HTML document for printing.

use std::fmt::Write;

use super::{Exercise, Sheet};
use crate::html::{Document, escape};
use crate::scene;

/// Minimum and maximum number of blank lines for a reader's answer.
const LINES: (usize, usize) = (4, 10);
/// No scripts, no network.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

impl Sheet {
    /// The sheet as a document, with or without answers. The document needs no other files and has no scripts.
    pub fn html(&self, answers: bool) -> String {
        let title = self.title(answers);
        let mut body = format!("<main>\n<h1>{}</h1>\n", escape(&title));
        if answers {
            let _ = writeln!(body, "<p class=\"quiet\">Every answer was checked. {}.</p>", escape(&self.origin()));
        } else {
            body.push_str("<p class=\"name\"><span>Name</span><span>Date</span></p>\n");
            for part in self.rules() {
                // Omit backquotes, which mark code in a terminal.
                let _ = writeln!(body, "<p>{}</p>", escape(&part.replace('`', "")));
            }
            let _ = writeln!(body, "<p><strong>{}</strong></p>", escape(self.task()));
        }
        let longest = self.exercises.iter().map(|exercise| exercise.moves().len()).max().unwrap_or(0);
        let lines = "<div class=\"line\"></div>".repeat(longest.clamp(LINES.0, LINES.1));
        for (at, exercise) in self.exercises.iter().enumerate() {
            let (board, command) = (exercise.position.scene.inline(&[]), escape(&self.command(exercise)));
            let beside = if answers { self.answer(exercise) } else { lines.clone() };
            let _ = writeln!(
                body,
                "<section>\n<h2>{}</h2>\n<div class=\"board\">\n{board}</div>\n<div class=\"beside\">\n{beside}</div>\n\
                 <p class=\"quiet\"><code>{command}</code></p>\n</section>",
                at + 1
            );
        }
        body.push_str("</main>\n");
        let style = format!("\n{}{}", scene::inline_style(), include_str!("../../web/sheet.css"));
        Document { title: &title, policy: POLICY, style: &style, body: &body, script: "" }.html()
    }

    fn answer(&self, exercise: &Exercise) -> String {
        let list = if self.request.entry.players == 1 { "ol" } else { "ul" };
        let mut text = format!("<p>{}</p>\n<{list}>\n", escape(&exercise.answer()));
        for mv in exercise.moves() {
            let _ = writeln!(text, "<li><code>{}</code></li>", escape(&mv.text));
        }
        let _ = writeln!(text, "</{list}>\n<p class=\"quiet\">{}</p>", escape(&exercise.counted()));
        text
    }
}
