//! The report of a solver's answer, as text and as JSON. Only this file and [`claim`], which reads answers back, know the JSON
//! of reports.

pub mod claim;
mod numbers;

use std::fmt::Write;

pub use claim::Claim;
pub use numbers::{bytes, count, duration, grouped};
use serde_json::{Map, Value, json};

use crate::limits::Limit;
use crate::notation::tools::{BitmapAnswer, ToolAnswer};
use crate::outcome::{Certificate, Stats, Why};
use crate::rules::{Cost, Score};
use crate::search::explore::{Explored, Layer};

/// What `stats` holds in JSON.
pub const STATS: [&str; 6] = ["expanded", "generated", "reopened", "stored", "peak_bytes", "seconds"];

/// An answer, checked and written in the game's own words.
#[derive(Clone, Debug)]
pub struct Report {
    pub game: &'static str,
    /// Which method found it, as `--method` takes it.
    pub method: String,
    pub answer: Answer,
    /// Where the proof comes from that a plan is of least cost or that there is none, if that is proved.
    pub proof: Option<Proof>,
    /// The plan was replayed, or the reason was checked.
    pub verified: bool,
    pub stats: Stats,
    /// What only this game reports.
    pub facts: Map<String, Value>,
    /// All plans, where that was asked for.
    pub all: Option<Vec<Vec<Written>>>,
}

#[derive(Clone, Debug)]
pub enum Answer {
    Solved { cost: Cost, optimal: bool, lower: Cost, moves: Vec<Written> },
    Unsolvable { why: Why },
    Decided(Decided),
    Unknown { limit: Limit, lower: Cost, upper: Option<Cost>, moves: Vec<Written> },
}

/// Where a proof comes from. A method that promises nothing may end with a plan that happens to be proved least, and one that
/// gave up may stand beside the game's own short proof: neither is the method's merit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The method proves what it promises.
    Method,
    /// The method promises no least cost, but the plan's cost meets a lower bound.
    Bound,
    /// The game's short proof that there is no plan, found without the method. If the method had worked before, this limit
    /// ended it.
    Certificate { gave_up: Option<Limit> },
}

impl Proof {
    /// As JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            Proof::Method => "method",
            Proof::Bound => "bound",
            Proof::Certificate { .. } => "certificate",
        }
    }
}

/// How a two-player game ends under best play.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// 1 or 2, or none in a draw: player 1 is the one to move at the start of the instance.
    pub winner: Option<u8>,
    /// What the player to move can reach.
    pub score: Score,
    /// None if only the winner was asked for, or if the game has no such values.
    pub grundy: Option<u16>,
    /// Moves to the end under best play, where that was found out.
    pub length: Option<u16>,
    /// The winning moves or, in a draw, the moves that keep it. None if every move loses.
    pub best: Vec<Written>,
    /// Are these known to be all of them?
    pub all_best: bool,
    /// How the answer was confirmed; none if there were too many positions for it.
    pub confirmed: Option<Confirmed>,
}

impl Decided {
    /// `N`, `P` or `D`.
    pub fn outcome(&self) -> &'static str {
        self.score.outcome()
    }

    /// Two comment lines.
    fn text(&self, game: &str) -> String {
        let result = claim::winner_sentence(self.winner);
        let confirmed = match self.confirmed {
            Some(Confirmed::Plain) => "independently confirmed",
            Some(Confirmed::Symmetry) => "confirmed up to the game's own symmetry",
            Some(Confirmed::Strategy) => "confirmed by a strategy that was played against every reply",
            None => "not confirmed, there are too many positions",
        };
        let grundy = self.grundy.map(|grundy| format!(", Grundy value {grundy}")).unwrap_or_default();
        let length = self.length.map(|length| format!(", {} under best play", count(length.into(), "move"))).unwrap_or_default();
        let (article, kind) = match self.score {
            Score::Win => ("an", "winning"),
            Score::Draw => ("a", "drawing"),
            Score::Loss => ("a", "winning"),
        };
        let moves = match (self.best.len(), self.all_best) {
            (0, _) if self.score == Score::Draw => "no move is left".to_owned(),
            (0, _) => "no move wins".to_owned(),
            (found, true) => count(found as u64, &format!("{kind} move")),
            (found, false) => format!("{} found before a limit was reached", count(found as u64, &format!("{kind} move"))),
        };
        format!("# {game}: {result}; {confirmed}\n# {article} {}-position{grundy}{length}; {moves}\n", self.outcome())
    }
}

/// How the answer to a two-player game was confirmed, besides sharing no code with the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmed {
    /// By the rules alone, board by board.
    Plain,
    /// With one board of each set that the game calls symmetric: a fault in that symmetry could go unnoticed.
    Symmetry,
    /// By a strategy that was played against every reply: who wins is confirmed, but not that there are no other best moves.
    Strategy,
}

impl Confirmed {
    /// As JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            Confirmed::Plain => "plain",
            Confirmed::Symmetry => "symmetry",
            Confirmed::Strategy => "strategy",
        }
    }
}

/// A move in both its forms.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    pub text: String,
    pub json: Value,
}

impl Report {
    /// A strategy was played against every reply, and nothing had confirmed the answer before.
    pub fn confirm_by_strategy(&mut self) {
        if let Answer::Decided(decided) = &mut self.answer {
            decided.confirmed.get_or_insert(Confirmed::Strategy);
            self.verified = true;
        }
    }

    /// The moves of the plan; none if there is no plan, or if two play.
    pub fn plan(&self) -> &[Written] {
        match &self.answer {
            Answer::Solved { moves, .. } | Answer::Unknown { moves, .. } => moves,
            Answer::Unsolvable { .. } | Answer::Decided(_) => &[],
        }
    }

    /// The report of work that a limit ended before anything was found out.
    pub fn unknown(game: &'static str, method: impl Into<String>, limit: Limit) -> Report {
        let answer = Answer::Unknown { limit, lower: 0, upper: None, moves: Vec::new() };
        Report { game, method: method.into(), answer, proof: None, verified: false, stats: Stats::default(), facts: Map::new(), all: None }
    }

    pub fn verdict(&self) -> &'static str {
        match self.answer {
            Answer::Solved { .. } | Answer::Decided(_) => "solved",
            Answer::Unsolvable { .. } => "unsolvable",
            Answer::Unknown { .. } => "unknown",
        }
    }

    /// The limit that ended the method, if one did: also where the game's short proof gave the answer.
    pub fn gave_up(&self) -> Option<Limit> {
        match (&self.answer, self.proof) {
            (Answer::Unknown { limit, .. }, _) => Some(*limit),
            (_, Some(Proof::Certificate { gave_up })) => gave_up,
            _ => None,
        }
    }

    /// The report as one JSON object. The library has no clock, so the caller says how long the method worked, without the
    /// check of its answer.
    pub fn json(&self, seconds: f64) -> Value {
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("game", json!(self.game));
        put("method", json!(self.method));
        put("verdict", json!(self.verdict()));
        put("verified", json!(self.verified));
        match &self.answer {
            Answer::Solved { cost, optimal, lower, moves } => {
                put("cost", json!(cost));
                put("optimal", json!(optimal));
                put("lower", json!(lower));
                put("moves", moves.iter().map(|mv| mv.json.clone()).collect());
            }
            Answer::Unsolvable { why: Why::Exhausted { states } } => {
                put("why", json!({"kind": "exhausted", "states": states}));
            }
            Answer::Unsolvable { why: Why::Certificate(certificate) } => {
                let mut why =
                    Map::from_iter([("kind".to_owned(), json!(certificate.kind)), ("claim".to_owned(), json!(certificate.claim))]);
                why.extend(certificate.data.clone());
                put("why", Value::Object(why));
            }
            Answer::Decided(decided) => {
                put("winner", json!(decided.winner));
                put("outcome", json!(decided.outcome()));
                put("grundy", json!(decided.grundy));
                put("best", decided.best.iter().map(|mv| mv.json.clone()).collect());
                put("all_best", json!(decided.all_best));
                if let Some(length) = decided.length {
                    put("length", json!(length));
                }
                if let Some(confirmed) = decided.confirmed {
                    put("confirmed", json!(confirmed.name()));
                }
            }
            Answer::Unknown { limit, lower, upper, moves } => {
                put("limit", json!(limit.name()));
                put("lower", json!(lower));
                put("upper", json!(upper));
                if upper.is_some() {
                    put("moves", moves.iter().map(|mv| mv.json.clone()).collect());
                }
            }
        }
        if let Some(proof) = self.proof {
            put("proved_by", json!(proof.name()));
        }
        if let (Answer::Unsolvable { .. }, Some(limit)) = (&self.answer, self.gave_up()) {
            put("limit", json!(limit.name()));
        }
        let Stats { expanded, generated, reopened, stored, peak_bytes } = self.stats;
        let stats = json!({
            "expanded": expanded, "generated": generated, "reopened": reopened, "stored": stored,
            "peak_bytes": peak_bytes, "seconds": seconds,
        });
        put("stats", stats);
        object.extend(self.facts.clone());
        if let Some(plans) = &self.all {
            object.insert("plans".to_owned(), plans.iter().map(|plan| plan.iter().map(|mv| mv.json.clone()).collect::<Value>()).collect());
        }
        Value::Object(object)
    }

    /// The report as fields of a table with these columns: what JSON has under the name, empty where it has nothing. Lists
    /// and objects stay JSON.
    pub fn fields(&self, seconds: f64, columns: &[&str]) -> Vec<String> {
        let json = self.json(seconds);
        let field = |name: &&str| match json.get(name).or_else(|| json["stats"].get(name)) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
        };
        columns.iter().map(field).collect()
    }

    /// The report as text: comments that begin with `#`, then one move per line.
    pub fn text(&self, seconds: f64) -> String {
        let mut text = String::new();
        let Stats { expanded, generated, peak_bytes, .. } = self.stats;
        let checked = |yes: &str, no: &str| if self.verified { yes.to_owned() } else { no.to_owned() };
        let mut moves: &[Written] = &[];
        let _ = match &self.answer {
            Answer::Solved { cost, optimal, lower, moves: found } => {
                moves = found;
                let worth = match (optimal, self.proof) {
                    (true, Some(Proof::Bound)) => "the least possible, by a lower bound".to_owned(),
                    (true, _) => "the least possible".to_owned(),
                    (false, _) => format!("not proved least; every plan costs at least {lower}"),
                };
                let moves = count(found.len() as u64, "move");
                writeln!(text, "# {}: solved, cost {cost} ({worth}), {moves}; replayed and correct", self.game)
            }
            Answer::Unsolvable { why: Why::Exhausted { states } } => {
                let checked = checked("; confirmed by a second search", "; too many to confirm by a second search");
                let states = count(*states, "state");
                writeln!(text, "# {}: there is no solution\n# why: everything reachable was examined, {states}{checked}", self.game)
            }
            Answer::Unsolvable { why: Why::Certificate(certificate) } => {
                let Certificate { kind, claim, .. } = certificate;
                writeln!(text, "# {}: there is no solution\n# why: {claim}; certificate `{kind}`, checked", self.game)
            }
            Answer::Decided(decided) => {
                moves = &decided.best;
                text.push_str(&decided.text(self.game));
                Ok(())
            }
            Answer::Unknown { limit, lower, upper, moves: found } => {
                moves = found;
                let limit = limit.words();
                let _ = writeln!(text, "# {}: not decided, the {limit} was reached", self.game);
                match upper {
                    None if *lower == 0 => Ok(()),
                    Some(upper) => writeln!(text, "# every plan costs at least {lower}; the best one found costs {upper}:"),
                    None => writeln!(text, "# every plan costs at least {lower}; none was found"),
                }
            }
        };
        if let (Answer::Unsolvable { .. }, Some(limit)) = (&self.answer, self.gave_up()) {
            let _ = writeln!(text, "# the proof is the game's own: {} gave up, the {} was reached", self.method, limit.words());
        }
        for (name, value) in &self.facts {
            let _ = writeln!(text, "# {name}: {value}");
        }
        let _ = writeln!(
            text,
            "# by {}: {} expanded, {} generated, {}, {}",
            self.method,
            count(expanded, "state"),
            grouped(generated),
            bytes(peak_bytes),
            duration(seconds)
        );
        for (number, plan) in self.all.iter().flatten().enumerate() {
            let plan: Vec<&str> = plan.iter().map(|mv| mv.text.as_str()).collect();
            let _ = writeln!(text, "# plan {} ({}): {}", number + 1, count(plan.len() as u64, "move"), plan.join(" "));
        }
        for mv in moves {
            let _ = writeln!(text, "{}", mv.text);
        }
        text
    }
}

/// The whole space of a board.
#[derive(Clone, Debug)]
pub struct Exploration {
    pub explored: Explored,
    /// States without symmetry, if that could be found out within the limits.
    pub unfolded: Option<u64>,
    /// What the layers are called.
    pub names: Vec<String>,
    /// Do the layers say how many boards are lost and drawn for the player to move?
    pub labeled: bool,
}

/// What was found out about a whole space, as one JSON object.
pub fn exploration_json(game: &str, space: &Exploration, seconds: f64) -> Value {
    let row = |(layer, name): (&Layer, &String)| {
        json!({
            "layer": name, "states": layer.states, "goals": layer.goals, "dead_ends": layer.dead_ends, "moves": layer.moves,
        })
    };
    let total = space.explored.total();
    let counted = |boards: u64| (space.labeled && boards < u64::MAX).then_some(boards);
    json!({
        "game": game,
        "complete": space.explored.limit.is_none(),
        "limit": space.explored.limit.map(Limit::name),
        "states": total.states,
        "without_symmetry": space.unfolded,
        "goals": total.goals,
        "dead_ends": total.dead_ends,
        "moves": total.moves,
        "losing": counted(total.losing),
        "drawn": counted(total.drawn),
        "layers": space.explored.layers.iter().zip(&space.names).map(row).collect::<Value>(),
        "stats": {"peak_bytes": space.explored.peak_bytes, "seconds": seconds},
    })
}

/// What a game's own tool found out, as one JSON object.
pub fn tool_json(answer: &ToolAnswer, seconds: f64) -> Value {
    let verdict = if answer.limit.is_some() { "unknown" } else { "solved" };
    let mut object = Map::from_iter([("verdict".to_owned(), json!(verdict)), ("verified".to_owned(), json!(answer.limit.is_none()))]);
    if let Some(limit) = answer.limit {
        object.insert("limit".to_owned(), json!(limit.name()));
    }
    object.extend(answer.json.clone());
    object.insert("stats".to_owned(), json!({"expanded": answer.steps, "seconds": seconds}));
    Value::Object(object)
}

/// The report of a board that is an image: its moves are an image, never a list. `file` is where that was written.
pub fn bitmap_json(game: &str, method: &str, answer: &BitmapAnswer, file: Option<&str>, seconds: f64) -> Value {
    let mut object = Map::from_iter([("game".to_owned(), json!(game)), ("method".to_owned(), json!(method))]);
    let more = match answer.cost {
        Some(cost) => json!({"verdict": "solved", "verified": true, "cost": cost, "optimal": answer.lower >= cost, "lower": answer.lower}),
        None => json!({"verdict": "unsolvable", "verified": true, "why": {"kind": "picture"}}),
    };
    let stats = json!({"expanded": 0, "generated": 0, "reopened": 0, "stored": 0, "peak_bytes": 0, "seconds": seconds});
    let rest = json!({"picture": file, "stats": stats});
    [more, rest].iter().filter_map(Value::as_object).for_each(|part| object.extend(part.clone()));
    object.extend(answer.facts.clone());
    Value::Object(object)
}

/// The same for people.
pub fn bitmap_text(game: &str, method: &str, answer: &BitmapAnswer, file: Option<&str>, seconds: f64) -> String {
    let mut text = match answer.cost {
        Some(cost) => {
            let worth = match answer.lower {
                lower if lower >= cost => "the least possible".to_owned(),
                lower => format!("not proved least; at least {} are needed", grouped(lower)),
            };
            format!("# {game}: solved, {} ({worth}); multiplied back and correct\n", count(cost, "move"))
        }
        None => format!("# {game}: there is no solution\n# why: a pattern that no move can change the parity of, checked\n"),
    };
    answer.facts.iter().for_each(|(name, value)| text.push_str(&format!("# {name}: {value}\n")));
    let shown = file.map_or("to see it, name a bitmap to write: -o answer.pbm".to_owned(), |file| format!("the bitmap is {file}"));
    format!("{text}# {shown}\n# by {method}: {}\n", duration(seconds))
}
