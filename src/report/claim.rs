//! Reads answers that are to be checked, either from JSON or from plain text. The puzzle checks what they claim.

use serde_json::{Map, Value};

use crate::outcome::{AnswerField, Certificate, Why};
use crate::text::{Source, json, shorten};

/// Fields that claim nothing about the board: the game, the method and its counts, why the method ended, and how the answer was checked
/// by the program that found it. They are not compared with anything, except that `game` must match the board's game.
pub const NEUTRAL: &[AnswerField] = &[
    AnswerField { name: "game", about: "the game" },
    AnswerField { name: "method", about: "the method that found the answer" },
    AnswerField { name: "verified", about: "whether the program that found the answer also checked it" },
    AnswerField { name: "confirmed", about: "how the answer was checked" },
    AnswerField { name: "proved_by", about: "the source of the proof: the method, a lower bound, or the game's short proof" },
    AnswerField { name: "stats", about: "search statistics, such as the number of states expanded" },
    AnswerField { name: "seconds", about: "how long the method took" },
    AnswerField { name: "branching", about: "the effective branching factor b* of the method's search" },
    AnswerField { name: "removed", about: "number of nodes removed from the queue, as a course counts them" },
    AnswerField { name: "limit", about: "the limit that ended the search, the proof or the count of plans" },
];

/// The name of the field with the kind of answer.
pub const VERDICT: &str = "verdict";

/// The field with the independent parts of a position.
pub const PARTS: &str = "parts";

/// The value of the field [`PARTS`].
pub fn parts(parts: &[(String, u16)]) -> Value {
    parts.iter().map(|(position, grundy)| serde_json::json!({"position": position, "grundy": grundy})).collect()
}

/// Fields of one-player answers that claim something.
pub const ONE_PLAYER: &[AnswerField] = &[
    AnswerField { name: "verdict", about: "solved, unsolvable or unknown" },
    AnswerField { name: "moves", about: "a plan" },
    AnswerField { name: "cost", about: "the cost of the plan" },
    AnswerField { name: "optimal", about: "true: no plan costs less; false claims nothing" },
    AnswerField { name: "lower", about: "a lower bound on the cost of every plan" },
    AnswerField { name: "upper", about: "the cost of the best plan found" },
    AnswerField {
        name: "plans",
        about: "the number of least-cost plans in decimal digits; or a list of all plans, if the board asks for it",
    },
    AnswerField { name: "plan_list", about: "some or all of the least-cost plans" },
    AnswerField {
        name: "why",
        about: "why there is no plan: a certificate, or `exhausted` (with the number of `states` that the method counted)",
    },
];

/// Fields of two-player answers that claim something.
pub const TWO_PLAYER: &[AnswerField] = &[
    AnswerField { name: "verdict", about: "solved or unknown" },
    AnswerField { name: "outcome", about: "N if the player to move wins, P if that player loses, D for a draw" },
    AnswerField { name: "winner", about: "1, 2 or null" },
    AnswerField { name: "grundy", about: "the Grundy value, if the game has one" },
    AnswerField { name: "length", about: "number of moves to the end with best play; null in a draw by repetition" },
    AnswerField { name: PARTS, about: "the independent parts of the position, with their Grundy values" },
    AnswerField { name: "best", about: "the best moves" },
    AnswerField { name: "all_best", about: "whether these are all of the best moves" },
    AnswerField { name: "positions", about: "number of positions up to symmetry" },
    AnswerField { name: "boards", about: "number of positions, with symmetric ones counted separately" },
    AnswerField { name: "boards_over", about: "number of boards where the game is over" },
    AnswerField { name: "boards_P", about: "number of boards that the player to move loses" },
    AnswerField { name: "boards_D", about: "number of drawn boards" },
    AnswerField { name: "lower", about: "0 if a limit was reached, because there are no costs" },
    AnswerField { name: "upper", about: "null if a limit was reached" },
    AnswerField {
        name: "at_least",
        about: "if a limit was reached, an outcome (P, D or N) that the player to move surely reaches or exceeds",
    },
    AnswerField { name: "at_most", about: "if a limit was reached, an outcome (P, D or N) that the player to move surely does not exceed" },
];

/// An external answer to be checked. `said` contains the fields that claim something, by name.
#[derive(Clone, Debug)]
pub enum Claim {
    /// A plan: its moves as written, and the claims about it.
    Plan { moves: Vec<Value>, said: Map<String, Value> },
    /// There is no plan.
    Unsolvable { why: Why, said: Map<String, Value> },
    /// The result of a two-player game with best play.
    Decided(Map<String, Value>),
    /// A limit was reached. The answer may still claim bounds.
    Unknown(Map<String, Value>),
}

impl From<Why> for Claim {
    fn from(why: Why) -> Claim {
        Claim::Unsolvable { why, said: Map::new() }
    }
}

/// The sentence in reports that names the winner.
pub fn winner_sentence(winner: Option<u8>) -> String {
    match winner {
        Some(player) => format!("Player {player} has a winning strategy"),
        None => "the game is a draw with best play".to_owned(),
    }
}

/// The error for an answer that lacks the result of a two-player game.
pub fn needs_outcome(game: &str) -> String {
    let sentence = winner_sentence(Some(1));
    format!(
        "{game} has two players: an answer must say who wins, as JSON with `winner` (1, 2 or null) or `outcome` (N, P or D), or as text \
         with the sentence `{sentence}`"
    )
}

/// The output format of a course's own programs: the moves of the plan on one line, separated by commas, and its cost.
const COURSE: [&str; 4] = ["Number of removed nodes:", "Path cost:", "Solution:", "Generated nodes:"];

impl Claim {
    /// Reads an answer for a one-player game: a JSON report, or text as in [`Claim::read_for`]. On failure, returns a message for the
    /// user.
    pub fn read(text: &str, game: &str) -> Result<Claim, String> {
        Claim::read_for(text, game, 1)
    }

    /// Reads an answer as text. Lines that begin with `#` are comments. For one player, the text is a plan with one move per line, or
    /// output in a course's format (see [`COURSE`]). For two players, it is the sentence that names the winner, which may be a comment,
    /// followed by winning moves.
    fn read_text(text: &str, game: &str, players: u8) -> Result<Claim, String> {
        if text.trim().is_empty() {
            return Err("the answer is empty".to_owned());
        }
        if text.trim_start().starts_with(['[', '"']) {
            return Err("an answer must be a JSON object, or a plan with one move per line".to_owned());
        }
        let all = || text.lines().map(str::trim);
        let move_lines = || all().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let value = |text: &str| Value::String(text.to_owned());
        if players == 2 {
            let says = |winner: Option<u8>| all().any(|line| line.contains(&winner_sentence(winner)));
            let mut found = [Some(1), Some(2), None].into_iter().filter(|winner| says(*winner));
            let (Some(winner), None) = (found.next(), found.next()) else { return Err(needs_outcome(game)) };
            let best: Vec<Value> = move_lines().filter(|line| !line.contains(&winner_sentence(winner))).map(value).collect();
            let mut said = Map::from_iter([("winner".to_owned(), winner.into())]);
            if !best.is_empty() {
                said.extend([("best".to_owned(), Value::Array(best)), ("all_best".to_owned(), false.into())]);
            }
            return Ok(Claim::Decided(said));
        }
        let no_plan = |line: &str| line.starts_with('#') && (line.contains(": there is no solution") || line.contains(": not decided"));
        if all().any(|line| no_plan(line) || line.eq_ignore_ascii_case("no solution")) {
            return Err("only a plan can be checked as text; a proof must be JSON".to_owned());
        }
        let course = |at: usize| all().find_map(|line| line.strip_prefix(COURSE[at])).map(str::trim);
        let Some(plan) = course(2) else {
            return Ok(Claim::Plan { moves: move_lines().map(value).collect(), said: Map::new() });
        };
        if let Some(line) = move_lines().find(|line| COURSE.iter().all(|start| !line.starts_with(start))) {
            return Err(format!("`{}` cannot be combined with a line that begins with `{}`", shorten(line), COURSE[2]));
        }
        let not_whole = |cost: &str| format!("`{}` is followed by `{}`, not by a whole number", COURSE[1], shorten(cost));
        let cost = course(1).map(|cost| cost.parse::<u64>().map_err(|_| not_whole(cost)));
        let said = cost.transpose()?.map(|cost| ("cost".to_owned(), cost.into())).into_iter().collect();
        Ok(Claim::Plan { moves: plan.split(',').map(str::trim).filter(|text| !text.is_empty()).map(value).collect(), said })
    }

    /// Reads an answer for a game with this number of players.
    pub fn read_for(text: &str, game: &str, players: u8) -> Result<Claim, String> {
        if !text.trim_start().starts_with('{') {
            return Claim::read_text(text, game, players);
        }
        let value = json::read(&Source::new(text), |answer| answer.json()).map_err(|error| format!("in the answer, {error}"))?;
        if let Some(other) = value["game"].as_str().filter(|other| *other != game) {
            return Err(format!("the answer is for `{}`, not for {game}", shorten(other)));
        }
        let verdict = match &value["verdict"] {
            Value::Null => "solved",
            Value::String(verdict) => verdict.as_str(),
            other => return Err(format!("the answer's `verdict` is {}, not a string", shorten(&other.to_string()))),
        };
        let mut said = value.as_object().cloned().unwrap_or_default();
        said.retain(|name, _| name != "verdict" && NEUTRAL.iter().all(|field| field.name != name));
        let foreign: &[&str] = match verdict {
            "solved" => &["why"],
            "unsolvable" => &["moves", "cost", "optimal", "lower", "upper", "outcome", "winner", "best"],
            _ => &["why", "cost", "optimal", "plans", "plan_list", "outcome", "winner", "best", "grundy"],
        };
        if let Some(name) = foreign.iter().find(|name| said.contains_key(**name)) {
            return Err(format!("`{name}` cannot be combined with the verdict `{}`", shorten(verdict)));
        }
        let moves = |said: &mut Map<String, Value>| match said.remove("moves") {
            None => Ok(None),
            Some(Value::Array(moves)) => Ok(Some(moves)),
            Some(other) => Err(format!("the answer's `moves` is {}, not a list", shorten(&other.to_string()))),
        };
        match verdict {
            "solved" if said.contains_key("outcome") || said.contains_key("winner") => Ok(Claim::Decided(said)),
            "solved" | "unsolvable" if players == 2 => Err(needs_outcome(game)),
            "solved" => {
                let moves = moves(&mut said)?.ok_or("the answer has no `moves` list")?;
                Ok(Claim::Plan { moves, said })
            }
            "unsolvable" => {
                let why = said.remove("why");
                let mut why = why.as_ref().and_then(Value::as_object).ok_or("the verdict is `unsolvable`, but there is no `why`")?.clone();
                let kind = why.remove("kind");
                let kind = kind.as_ref().and_then(Value::as_str).ok_or("the answer's `why` has no `kind`")?.to_owned();
                if kind == "exhausted" {
                    let states =
                        why.remove("states").and_then(|states| states.as_u64()).ok_or("`exhausted` needs the number of `states`")?;
                    if let Some(name) = why.keys().next() {
                        return Err(format!("unknown field `{}` in `exhausted`", shorten(name)));
                    }
                    return Ok(Claim::Unsolvable { why: Why::Exhausted { states }, said });
                }
                let claim = match why.remove("claim") {
                    None => String::new(),
                    Some(Value::String(claim)) => claim,
                    Some(other) => return Err(format!("the certificate's `claim` is {}, not a string", shorten(&other.to_string()))),
                };
                Ok(Claim::Unsolvable { why: Why::Certificate(Certificate { kind, claim, data: why }), said })
            }
            "unknown" => Ok(match moves(&mut said)? {
                Some(moves) => {
                    // The answer has a plan but does not claim that it is optimal.
                    said.insert(VERDICT.to_owned(), Value::String(verdict.to_owned()));
                    Claim::Plan { moves, said }
                }
                None => Claim::Unknown(said),
            }),
            other => Err(format!("the answer's verdict is `{}`, but it must be `solved`, `unsolvable` or `unknown`", shorten(other))),
        }
    }

    /// Reads the reason why there is no plan, as in the field `why` of a report.
    pub fn of_why(why: &Value, game: &str) -> Result<Claim, String> {
        Claim::read(&serde_json::json!({"verdict": "unsolvable", "why": why}).to_string(), game)
    }

    /// The fields that claim something.
    pub fn said(&self) -> &Map<String, Value> {
        match self {
            Claim::Plan { said, .. } | Claim::Unsolvable { said, .. } | Claim::Decided(said) | Claim::Unknown(said) => said,
        }
    }
}
