//! A film: one HTML document that shows a plan, or a two-player game with best play, step by step.
//!
//! The document contains a drawing and a caption for every position; the script merely shows them one at a time. So the document
//! needs no network and no other data, and can be printed as a sequence of drawings. Its content security policy lists the hashes
//! of the script and the style (`web/film/policy.txt`, which `tests/program/film.rs` checks).

use std::collections::HashSet;
use std::fmt::Write;

use serde_json::Value;

use crate::catalog::{Choice, MoveError, MoveValue, Puzzle, SolveError};
use crate::html::{Document, escape};
use crate::limits::{Limit, Limits};
use crate::notation::shorten;
use crate::report::{Answer, count, grouped};
use crate::scene::{self, Scene};
use crate::viewer::bundle;

/// Maximum total number of shapes in all frames; that many take about 10 MB.
const MOST_SHAPES: usize = 100_000;

const SOLVED: &str = "solved";

/// A sequence of positions.
pub struct Film {
    pub title: String,
    /// A sentence that describes the film.
    pub about: String,
    /// The start, and one frame per move.
    pub frames: Vec<FilmFrame>,
}

pub struct FilmFrame {
    pub caption: String,
    pub scene: Scene,
    /// Names of the shapes clicked for the move that led to this frame.
    pub made: Vec<String>,
}

/// The reason why a film could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilmError {
    #[error(transparent)]
    Solve(#[from] SolveError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error("{} before the film was complete", .0.words())]
    Limit(Limit),
    #[error("there is no solution to show")]
    Unsolvable,
    #[error("a film of this board is too large: it has more than {MOST_SHAPES} shapes")]
    TooLarge,
}

impl From<Limit> for FilmError {
    fn from(limit: Limit) -> FilmError {
        FilmError::Limit(limit)
    }
}

impl Film {
    /// A film of a best plan, or of best play by both players.
    pub fn best(puzzle: &dyn Puzzle, choice: &Choice, limits: &Limits) -> Result<Film, FilmError> {
        if puzzle.duel().is_some() {
            // Rejects an unknown method.
            puzzle.method(choice).map_err(SolveError::from)?;
            let film = Film::of(puzzle, &perfect_play(puzzle, limits)?, limits)?;
            return Ok(Film { title: format!("{}: best play", film.title), ..film });
        }
        match puzzle.solve(choice, limits)?.answer {
            Answer::Solved { optimal, moves, .. } => {
                let moves: Vec<Value> = moves.into_iter().map(|mv| mv.json).collect();
                Film::record(puzzle, &moves, if optimal { "solved, and no plan costs less" } else { SOLVED }, limits)
            }
            Answer::Unknown { limit, .. } => Err(limit.into()),
            Answer::Unsolvable { .. } | Answer::Decided(_) => Err(FilmError::Unsolvable),
        }
    }

    /// A film of these moves, which are in the game's notation.
    pub fn of(puzzle: &dyn Puzzle, moves: &[Value], limits: &Limits) -> Result<Film, FilmError> {
        Film::record(puzzle, moves, SOLVED, limits)
    }

    /// `solved` describes the result when a one-player puzzle reaches its goal.
    fn record(puzzle: &dyn Puzzle, moves: &[Value], solved: &str, limits: &Limits) -> Result<Film, FilmError> {
        let mut here = puzzle.after(&[])?;
        let mut position = here.position(limits)?;
        if position.scene.shapes.len().saturating_mul(moves.len() + 1) > MOST_SHAPES {
            return Err(FilmError::TooLarge);
        }
        let mut frames = vec![FilmFrame { caption: "Start".to_owned(), scene: position.scene.clone(), made: Vec::new() }];
        let mut total = 0;
        for (at, mv) in moves.iter().enumerate() {
            limits.check()?;
            let next = here.after(std::slice::from_ref(mv)).map_err(|error| MoveError { number: at + 1, ..error })?;
            let cost = here.cost(std::slice::from_ref(mv))?;
            let text = match here.meant(mv) {
                Some(legal) => legal.text,
                None => shorten(&mv.as_str().map_or_else(|| mv.to_string(), str::to_owned)),
            };
            let made = position.scene.moves.iter().find(|gesture| gesture.text == text).map(|gesture| gesture.clicks.clone());
            total += cost;
            let number = format!("Move {} of {}", at + 1, moves.len());
            let caption = match here.duel() {
                Some(duel) => format!("{number}: Player {} plays {text}", duel.turn()),
                None => format!("{number}: {text} · cost so far {}", grouped(total)),
            };
            here = next;
            position = here.position(limits)?;
            frames.push(FilmFrame { caption, scene: position.scene.clone(), made: made.unwrap_or_default() });
        }
        let count = count(moves.len() as u64, "move");
        let about = match here.duel() {
            Some(_) if position.goal => format!("{count}: {}.", result(&*here, limits)?),
            Some(_) => format!("{count}; the game is not over."),
            None if position.goal => format!("{count}, cost {}: {solved}.", grouped(total)),
            None => format!("{count}, cost {}; not solved yet.", grouped(total)),
        };
        Ok(Film { title: puzzle.game().to_owned(), about, frames })
    }

    /// The film as an HTML document that needs no other files.
    pub fn html(&self) -> String {
        self.html_with(&[])
    }

    /// Like [`Film::html`], but uses external drawings: SVG elements in the order of the frames. Frames without a drawing are
    /// omitted. The drawings are not checked; the document's policy allows their attributes, but no scripts or styles.
    pub fn html_with(&self, drawings: &[String]) -> String {
        let mut body = String::new();
        let (title, about) = (escape(&self.title), escape(&self.about));
        let _ = write!(body, "<main>\n<h1>{title}</h1>\n<p>{about}</p>\n<ol class=\"frames\">\n");
        for (at, frame) in self.frames.iter().enumerate() {
            let drawing = drawings.get(at).cloned().unwrap_or_else(|| frame.scene.inline(&frame.made));
            let caption = escape(&frame.caption);
            let _ = writeln!(body, "<li class=\"frame\"><figure>\n{drawing}<figcaption>{caption}</figcaption></figure></li>");
        }
        body.push_str(
            "</ol>\n<p id=\"caption\" aria-live=\"polite\" hidden></p>\n<div id=\"controls\"></div>\n\
             <p class=\"quiet keys\">Keys: arrows step, Space plays and pauses, Home and End go to the first and last frame, + and - change the speed.</p>\n\
             </main>\n",
        );
        Document {
            title: &self.title,
            policy: include_str!("../web/film/policy.txt").trim(),
            style: &format!("\n{}{}", scene::inline_style(), include_str!("../web/film/film.css")),
            body: &body,
            script: &script(),
        }
        .html()
    }
}

/// The page's playback controls and the film code as one script.
fn script() -> String {
    let modules = [
        ("page/dom.js", include_str!("../web/page/dom.js")),
        ("page/search/transport.js", include_str!("../web/page/search/transport.js")),
        ("film/film.js", include_str!("../web/film/film.js")),
    ];
    format!("\n{}", bundle(&modules).expect("the modules follow the conventions"))
}

/// The moves of two players who both play perfectly, to the end or until a position repeats.
fn perfect_play(puzzle: &dyn Puzzle, limits: &Limits) -> Result<Vec<Value>, FilmError> {
    let mut here = puzzle.after(&[])?;
    let mut moves = Vec::new();
    let mut seen = HashSet::from([here.instance()]);
    while let Some(duel) = here.duel() {
        let labels = duel.labels(limits)?;
        let Some(best) = labels.get(MoveValue::best(&labels)) else { break };
        let mv = Value::String(best.text.clone());
        here = here.after(std::slice::from_ref(&mv))?;
        moves.push(mv);
        if !seen.insert(here.instance()) {
            break;
        }
    }
    Ok(moves)
}

/// The result of a game that is over.
fn result(over: &dyn Puzzle, limits: &Limits) -> Result<String, FilmError> {
    match over.solve(&Choice::default(), limits)?.answer {
        Answer::Decided(decided) => Ok(decided.winner.map_or_else(|| "a draw".to_owned(), |player| format!("Player {player} wins"))),
        Answer::Unknown { limit, .. } => Err(limit.into()),
        Answer::Solved { .. } | Answer::Unsolvable { .. } => Err(FilmError::Unsolvable),
    }
}
