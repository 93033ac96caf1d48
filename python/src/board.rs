//! Boards of the library's games and of games written in Python.

use std::sync::Arc;

use kibitzer::ask::{Kind, Refusal, instances};
use kibitzer::catalog::{Choice, Entry, GraphError, OnePlayer, Puzzle, TwoPlayer};
use kibitzer::film::Film;
use kibitzer::gamegraph::order::Order;
use kibitzer::games;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::tools::Exhibits;
use kibitzer::notation::{Input, OptionSpec, Options};
use kibitzer::outcome::{Certificate, Score};
use kibitzer::report::{Claim, LeastPlans, Written, claim, exploration_json, grouped};
use kibitzer::scene::{Explanation, Form, Paint};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::duel::CustomGame;
use crate::errors::refused;
use crate::problem::Custom;
use crate::run::Run;
use crate::session::Session;
use crate::supervise::{Effort, supervised};
use crate::value::to_python;

/// Parses options.
pub fn options(py: Python<'_>, given: &[(String, String)], known: &[&OptionSpec]) -> PyResult<Options> {
    let texts: Vec<String> = given.iter().map(|(name, value)| format!("{name}={value}")).collect();
    Options::parse(texts.iter().map(String::as_str), known).map_err(|error| refused(py, error))
}

pub fn find(py: Python<'_>, game: &str) -> PyResult<&'static Entry> {
    games::find(game).ok_or_else(|| {
        let names: Vec<&str> = games::GAMES.iter().map(|entry| entry.name).collect();
        let message = format!("unknown game `{}`", kibitzer::notation::shorten(game));
        refused(py, Refusal::new(Kind::Unknown, message, format!("the games are {}", names.join(", "))))
    })
}

/// Parses JSON text from the Python side.
pub fn parse(py: Python<'_>, text: &str) -> PyResult<Value> {
    serde_json::from_str(text).map_err(|error| refused(py, Refusal::body(format!("invalid JSON: {error}"))))
}

/// Parses a list of moves from JSON text.
fn moves_of(py: Python<'_>, text: &str) -> PyResult<Vec<Value>> {
    match parse(py, text)? {
        Value::Array(moves) => Ok(moves),
        _ => Err(refused(py, Refusal::body("moves must be a list"))),
    }
}

/// A legal move: its text, its JSON form, its cost.
type LegalMove<'py> = (String, Bound<'py, PyAny>, u32);
/// A plan: its moves as texts, and as JSON values.
type PlanOf<'py> = (Vec<String>, Bound<'py, PyAny>);
/// A move in a two-player game: its text, its outcome for the player who makes it, and the Grundy value and the length of play after it.
type Label = (String, &'static str, Option<u16>, Option<u16>);

/// Maximum number of positions to visit when a method needs to know whether positions repeat in a game written in Python without `layer`.
/// Methods that search the game tree are not offered for larger games.
const LAYERED: u64 = 100_000;

#[pyclass(frozen, module = "kibitzer._native")]
pub struct Board {
    pub puzzle: Box<dyn Puzzle>,
    /// Only for games written in Python.
    pub session: Option<Arc<Session>>,
}

impl Board {
    /// Runs work under the limits. Returns an exception if a limit is reached before there is a result.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        effort: &Effort,
        work: impl FnOnce(&dyn Puzzle, &Limits) -> Result<T, Refusal> + Send,
    ) -> PyResult<T> {
        let done = supervised(py, effort, self.session.as_ref(), |limits| work(&*self.puzzle, limits))?;
        done.whole()?.map_err(|refusal| refused(py, refusal))
    }

    /// Runs short work without limits on time and memory. It may call a game written in Python.
    fn quick<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&dyn Puzzle) -> T + Send) -> PyResult<T> {
        match &self.session {
            None => Ok(work(&*self.puzzle)),
            Some(_) => supervised(py, &Effort::states(LAYERED), self.session.as_ref(), |_| work(&*self.puzzle))?.whole(),
        }
    }
}

#[pymethods]
impl Board {
    /// Reads a board. Also returns warnings about it.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        game: &str,
        text: Option<&str>,
        given: Vec<(String, String)>,
        effort: Effort,
    ) -> PyResult<(Board, Vec<String>)> {
        let entry = find(py, game)?;
        let options = options(py, &given, &entry.options.iter().collect::<Vec<_>>())?;
        // With option `graph`, the board may be omitted.
        let text = text.unwrap_or(if options.get("graph").is_some() { "" } else { entry.sample });
        let done = supervised(py, &effort, None, |limits| instances::read(entry, text, &options, limits))?;
        let (puzzle, notes) = done.whole()?.map_err(|error| refused(py, error))?;
        Ok((Board { puzzle, session: None }, notes))
    }

    /// A one-player problem written in Python.
    #[staticmethod]
    fn problem(adapter: &Bound<'_, PyAny>) -> PyResult<Board> {
        let problem = Custom::from_adapter(adapter)?;
        let session = Some(Arc::clone(&problem.session));
        Ok(Board { puzzle: Box::new(OnePlayer::new(problem)), session })
    }

    /// A two-player game written in Python.
    #[staticmethod]
    fn duel(adapter: &Bound<'_, PyAny>) -> PyResult<Board> {
        let game = CustomGame::from_adapter(adapter)?;
        let session = Some(Arc::clone(&game.session));
        Ok(Board { puzzle: Box::new(TwoPlayer::new(game)), session })
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.puzzle.game()
    }

    #[getter]
    fn players(&self) -> u8 {
        if self.puzzle.duel().is_some() { 2 } else { 1 }
    }

    fn instance(&self) -> String {
        self.puzzle.instance()
    }

    fn ascii(&self) -> String {
        self.puzzle.ascii()
    }

    /// The player to move, 1 or 2; `None` in one-player games.
    fn turn(&self) -> Option<u8> {
        self.puzzle.duel().map(|duel| duel.turn())
    }

    /// The legal moves, and whether the position is a goal.
    fn position<'py>(&self, py: Python<'py>, effort: Effort) -> PyResult<(Vec<LegalMove<'py>>, bool)> {
        let position = self.work(py, &effort, |puzzle, limits| Ok(puzzle.position(limits)?))?;
        let moves = position.moves.iter().map(|mv| Ok((mv.text.clone(), to_python(py, &mv.json)?, mv.cost)));
        Ok((moves.collect::<PyResult<_>>()?, position.goal))
    }

    fn after(&self, py: Python<'_>, moves: &str) -> PyResult<Board> {
        let moves = moves_of(py, moves)?;
        let puzzle = self.quick(py, |puzzle| puzzle.after(&moves))?.map_err(|error| refused(py, error))?;
        Ok(Board { puzzle, session: self.session.clone() })
    }

    fn cost(&self, py: Python<'_>, moves: &str) -> PyResult<u64> {
        let moves = moves_of(py, moves)?;
        self.quick(py, |puzzle| puzzle.cost(&moves))?.map_err(|error| refused(py, error))
    }

    fn methods<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = |info: &kibitzer::catalog::MethodInfo| {
            json!({
                "name": info.name, "about": info.about, "optimal": info.optimal, "course": info.course,
                "promise": info.promise.map(|promise| promise.about()), "memory": info.memory.map(|memory| memory.about()),
            })
        };
        to_python(py, &self.quick(py, |puzzle| puzzle.methods())?.iter().map(info).collect())
    }

    fn begin(&self, py: Python<'_>, method: Option<String>, weight: u32, order: Option<&str>) -> PyResult<Run> {
        let unknown = || refused(py, Refusal::new(Kind::Body, "`order` must be game, none or history", "omit it for the default, game"));
        let order = order.map(|name| Order::find(name).ok_or_else(unknown)).transpose()?;
        let choice = Choice { method, weight, order };
        let name = self.quick(py, |puzzle| puzzle.method(&choice))?.map_err(|error| refused(py, error))?;
        let run = self.quick(py, |puzzle| puzzle.begin(&choice))?.map_err(|error| refused(py, error))?;
        Ok(Run::new(run, name, self.puzzle.game(), self.session.clone()))
    }

    /// Checks an answer. Returns the fields of `Checked`.
    fn check<'py>(&self, py: Python<'py>, answer: &str, effort: Effort) -> PyResult<Bound<'py, PyAny>> {
        let claim = match games::find(self.puzzle.game()).filter(|_| self.session.is_none()) {
            Some(entry) => entry.claim(answer),
            None => Claim::read_for(answer, self.puzzle.game(), self.players()).and_then(|claim| {
                let known = if self.players() == 1 { claim::ONE_PLAYER } else { claim::TWO_PLAYER };
                match claim.said().keys().find(|name| known.iter().all(|field| field.name != name.as_str())) {
                    Some(name) => Err(format!("unknown field `{name}` in the answer")),
                    None => Ok(claim),
                }
            }),
        };
        let help = "an answer must be a report, a dict like `report.to_dict()`, or a list of moves";
        let claim = claim.map_err(|message| refused(py, Refusal::new(Kind::Body, message, help)))?;
        let checked = self.work(py, &effort, |puzzle, limits| Ok(puzzle.check(&claim, limits)))?;
        let value = match checked {
            Err(fault) => json!({"right": false, "text": fault, "undecided": [], "cost": null, "least": null}),
            Ok(checked) => json!({
                "right": if checked.complete() { Value::Bool(true) } else { Value::Null }, "text": checked.text,
                "undecided": checked.undecided, "cost": checked.cost, "least": checked.least,
            }),
        };
        to_python(py, &value)
    }

    /// Counts the least-cost plans, and lists up to `most` of them, each as texts and as JSON values.
    fn plans<'py>(&self, py: Python<'py>, method: Option<String>, most: u64, effort: Effort) -> PyResult<(String, Vec<PlanOf<'py>>)> {
        let plans = self.work(py, &effort, |puzzle, limits| {
            let mut report = puzzle.solve(&Choice { method, ..Choice::default() }, limits)?;
            if let Some(limit) = report.gave_up().filter(|_| report.verdict() == "unknown") {
                return Err(limit.into());
            }
            puzzle.count_plans(&mut report, Some(most), limits)?;
            let LeastPlans { count, list, limit } = report.plans.take().ok_or_else(Refusal::internal)?;
            match (count, limit) {
                (Some(count), None) => Ok((count, list.unwrap_or_default())),
                (_, limit) => Err(limit.map_or_else(Refusal::internal, Refusal::from)),
            }
        })?;
        let convert = |plan: &Vec<Written>| {
            let fields: Value = plan.iter().map(|mv| mv.json.clone()).collect();
            Ok((plan.iter().map(|mv| mv.text.clone()).collect(), to_python(py, &fields)?))
        };
        Ok((plans.0, plans.1.iter().map(convert).collect::<PyResult<_>>()?))
    }

    /// Counts all reachable positions. Also returns the exception if Ctrl-C ended the work.
    fn explore<'py>(&self, py: Python<'py>, effort: Effort) -> PyResult<(Bound<'py, PyAny>, Option<PyErr>)> {
        let done = supervised(py, &effort, self.session.as_ref(), |limits| self.puzzle.explore(limits))?;
        let fields = to_python(py, &exploration_json(self.puzzle.game(), &done.value, done.seconds))?;
        Ok((fields, done.interrupt))
    }

    /// The explanation of the board: its text, and the board with the explanation drawn on it.
    fn explain(&self, py: Python<'_>, effort: Effort) -> PyResult<Option<(String, String)>> {
        self.work(py, &effort, |puzzle, limits| {
            let explanation = puzzle.explain(limits);
            limits.check()?;
            let Some(explanation) = explanation else { return Ok(None) };
            Ok(Some(explained(puzzle, &explanation, limits)?))
        })
    }

    /// The proof that there is no solution: its text, and the board with the proof drawn on it.
    fn show_proof(&self, py: Python<'_>, kind: String, claim: String, data: &str, effort: Effort) -> PyResult<(String, String)> {
        let certificate = Certificate { kind, claim, data: parse(py, data)?.as_object().cloned().unwrap_or_default() };
        self.work(py, &effort, |puzzle, limits| Ok(explained(puzzle, &puzzle.show_proof(&certificate), limits)?))
    }

    fn svg(&self, py: Python<'_>, effort: Effort) -> PyResult<String> {
        self.work(py, &effort, |puzzle, limits| Ok(puzzle.position(limits)?.scene.svg(limits)?))
    }

    /// A film of these moves, or of a best plan, as an HTML document. The caller may pass its own drawings, one per position.
    fn film(&self, py: Python<'_>, moves: Option<&str>, drawings: Option<Vec<String>>, effort: Effort) -> PyResult<String> {
        let moves = moves.map(|moves| moves_of(py, moves)).transpose()?;
        self.work(py, &effort, |puzzle, limits| {
            let film = match &moves {
                Some(moves) => Film::of(puzzle, moves, limits),
                None => Film::best(puzzle, &Choice::default(), limits),
            };
            let film = film.map_err(Refusal::from)?;
            Ok(drawings.map_or_else(|| film.html(), |drawings| film.html_with(&drawings)))
        })
    }

    /// All positions of a two-player game and the moves between them.
    fn graph<'py>(&self, py: Python<'py>, fold: bool, most: u64, effort: Effort) -> PyResult<Bound<'py, PyAny>> {
        let graph = self.work(py, &effort, |puzzle, limits| {
            let Some(duel) = puzzle.duel() else {
                let message = format!("{} is not a two-player game", puzzle.game());
                return Err(Refusal::board(message, "`explore()` counts its positions"));
            };
            duel.graph(fold, most, limits).map_err(|error| match error {
                GraphError::TooLarge => {
                    let help = "start from a later position, or raise `most`";
                    Refusal::board(format!("there are more than {} positions", grouped(most)), help)
                }
                GraphError::Limit(limit) => limit.into(),
            })
        })?;
        to_python(py, &graph.json())
    }

    /// Every legal move in a two-player game, with its outcome.
    fn labels(&self, py: Python<'_>, effort: Effort) -> PyResult<Vec<Label>> {
        let labels = self.work(py, &effort, |puzzle, limits| match puzzle.duel() {
            Some(duel) => Ok(duel.labels(limits)?),
            None => Err(Refusal::board(format!("{} is not a two-player game", puzzle.game()), "`moves()` lists its moves")),
        })?;
        let outcome = |score| match score {
            Score::Win => "win",
            Score::Draw => "draw",
            Score::Loss => "loss",
        };
        Ok(labels.into_iter().map(|label| (label.text, outcome(label.score), label.grundy, label.length)).collect())
    }

    /// A basis of the space of move sets that change nothing.
    fn kernel<'py>(&self, py: Python<'py>, most: usize, effort: Effort) -> PyResult<Bound<'py, PyAny>> {
        let shown = self.work(py, &effort, |puzzle, limits| match games::find(puzzle.game()).and_then(Entry::kernel) {
            Some(kernel) => Ok((kernel.show)(&Input::new(&puzzle.instance(), &Options::default(), limits), most)?),
            None => {
                let message = format!("in {}, no set of moves leaves every board unchanged", puzzle.game());
                let others: Vec<&str> = games::GAMES.iter().filter(|entry| entry.kernel().is_some()).map(|entry| entry.name).collect();
                Err(Refusal::board(message, format!("games with such sets: {}", others.join(", "))))
            }
        })?;
        let Exhibits { about, count, total, items } = shown;
        let items: Value = items.iter().map(|item| json!({"title": item.title, "instance": item.instance})).collect();
        to_python(py, &json!({"game": self.puzzle.game(), "about": about, "count": count, "total": total, "patterns": items}))
    }
}

/// Minimum strength of a tint that is drawn. A tint replaces the color of its shape, so weak tints would only hide the board's colors.
const VISIBLE: f64 = 0.25;

/// Minimum distance between a note and other text. Text that is closer is removed, because the two would be illegible.
const COVERED: f64 = 14.0;

/// The text of an explanation, and the board with the explanation drawn on it.
fn explained(puzzle: &dyn Puzzle, explanation: &Explanation, limits: &Limits) -> Result<(String, String), Limit> {
    let mut scene = puzzle.position(limits)?.scene;
    let mut notes = Vec::new();
    for tint in explanation.tints.iter().filter(|tint| tint.strength >= VISIBLE) {
        if let Some(shape) = scene.shapes.iter_mut().find(|shape| shape.name.as_ref() == Some(&tint.name)) {
            shape.paint = tint.paint;
            let (x, y) = shape.form.middle();
            notes.extend(tint.note.as_ref().map(|note| Form::Text { x, y, size: 11.0, text: note.clone() }));
        }
    }
    // A note replaces text in the same place, such as a coordinate.
    let covered = |(x, y): (f64, f64)| notes.iter().map(Form::middle).any(|(other, below)| (x - other).hypot(y - below) < COVERED);
    scene.shapes.retain(|shape| !matches!(shape.form, Form::Text { .. }) || !covered(shape.form.middle()));
    scene.shapes.extend(explanation.shapes.iter().cloned());
    notes.into_iter().for_each(|note| scene.add(note, Paint::Ink));
    Ok((explanation.text.clone(), scene.svg(limits)?))
}
