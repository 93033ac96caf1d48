//! One row per answer: the result of its check, and the least cost.

use kibitzer::catalog::Checked;
use kibitzer::outcome::Why;
use kibitzer::report::{self, Claim, Report, claim, count};
use kibitzer::rules::Cost;
use serde_json::{Value, json};

use crate::failure::{BAD_INPUT, Failure, SOLVED, SPACE_LIMIT, TIME_LIMIT, WRONG, limit_code};
use crate::{csv, output};

/// An answer and the result of its check.
pub struct Graded {
    pub name: String,
    /// `None` if the answer could not be read.
    pub claim: Option<Claim>,
    /// A failure if the answer could not be read, or a sentence if it is wrong.
    pub checked: Result<Result<Checked, String>, Failure>,
    /// The exit code if something could not be decided.
    pub code: u8,
}

impl Graded {
    fn says(&self, name: &str) -> Option<&Value> {
        self.claim.as_ref().and_then(|claim| claim.said().get(name))
    }

    /// True if the least cost would help to judge the answer.
    pub fn wants_least(&self) -> bool {
        let undecided = matches!(self.claim, Some(Claim::Unsolvable { .. }));
        matches!(&self.checked, Ok(Ok(checked)) if checked.cost.is_some() && checked.least.is_none() || undecided && !checked.complete())
    }
}

/// The known bounds on the costs of all plans.
pub struct Least {
    /// The least cost, if it is proved.
    cost: Option<Cost>,
    /// The method that proved the least cost, or `None` if the check itself proved it.
    method: Option<String>,
    /// The cost of the cheapest plan that was found and replayed.
    cheapest: Option<Cost>,
    /// The kind of the verified certificate that proves that there is no plan, if any.
    certificate: Option<String>,
    /// The exit code if the least cost is needed but not known.
    code: u8,
}

impl Least {
    /// Combines the results of the checks with a solver's report. The checks take precedence, because they share no code with any solver.
    pub fn new(graded: &[Graded], report: Option<&Report>, code: u8) -> Least {
        let right = || graded.iter().filter_map(|graded| graded.checked.as_ref().ok()?.as_ref().ok());
        let checked = right().find_map(|checked| checked.least);
        // The plans in the answers were also replayed, so their costs count.
        let cheapest = right().filter_map(|checked| checked.cost).chain(checked).min();
        let mut least = Least { cost: checked, method: None, cheapest, certificate: None, code };
        let Some(report) = report else { return least };
        match &report.answer {
            report::Answer::Solved { cost, optimal, .. } => {
                least.cheapest = cheapest.into_iter().chain([*cost]).min();
                if *optimal && checked.is_none() {
                    (least.cost, least.method) = (Some(*cost), Some(report.method.clone()));
                }
            }
            report::Answer::Unknown { limit, upper, .. } => {
                least.cheapest = cheapest.into_iter().chain(*upper).min();
                least.code = limit_code(*limit);
            }
            report::Answer::Unsolvable { why: Why::Certificate(certificate) } => least.certificate = Some(certificate.kind.clone()),
            report::Answer::Unsolvable { .. } | report::Answer::Decided(_) => {}
        }
        least
    }

    /// The value of the column `least_by`.
    fn by(&self) -> Option<&str> {
        self.cost.map(|_| self.method.as_deref().unwrap_or("check"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    Right,
    Wrong,
    Unreadable,
    Undecided,
}

impl Grade {
    const ALL: [(Grade, &str); 4] =
        [(Grade::Right, "right"), (Grade::Wrong, "wrong"), (Grade::Unreadable, "unreadable"), (Grade::Undecided, "undecided")];

    fn name(self) -> &'static str {
        Grade::ALL[self as usize].1
    }
}

pub struct Row {
    pub name: String,
    pub grade: Grade,
    /// The cost that the answer states.
    claimed: Option<Value>,
    /// The actual cost of the answer's plan.
    cost: Option<Cost>,
    least: Option<Cost>,
    least_by: Option<String>,
    pub text: String,
    pub undecided: Vec<String>,
    pub code: u8,
}

/// The columns of the table, which are also fields of the JSON.
const COLUMNS: [&str; 8] = ["answer", "result", "claimed", "cost", "least", "least_by", "text", "undecided"];

impl Row {
    /// Grades an answer. With `strict`, a plan that does not have the least cost is wrong.
    pub fn new(graded: &Graded, least: &Least, strict: bool) -> Result<Row, Failure> {
        let mut row = Row {
            name: graded.name.clone(),
            grade: Grade::Right,
            claimed: graded.says("cost").cloned(),
            cost: None,
            least: least.cost,
            least_by: least.by().map(str::to_owned),
            text: String::new(),
            undecided: Vec::new(),
            code: SOLVED,
        };
        match &graded.checked {
            Err(Failure { limit: Some(limit), message, .. }) => {
                row.judge(Grade::Undecided, limit_code(*limit), format!("not checked: {message}"));
            }
            Err(failure) => row.judge(Grade::Unreadable, BAD_INPUT, failure.message.clone()),
            Ok(Err(fault)) => row.judge(Grade::Wrong, WRONG, fault.clone()),
            Ok(Ok(checked)) => {
                (row.cost, row.undecided) = (checked.cost, checked.undecided.clone());
                row.judge(if checked.complete() { Grade::Right } else { Grade::Undecided }, graded.code, checked.text.clone());
                row.compare(graded, least, strict)?;
            }
        }
        if row.grade == Grade::Right {
            row.code = SOLVED;
        }
        Ok(row)
    }

    fn judge(&mut self, grade: Grade, code: u8, text: String) {
        (self.grade, self.code, self.text) = (grade, code, text);
        if grade == Grade::Wrong {
            self.undecided.clear();
        }
    }

    /// Compares the answer with the other plans. A cheaper plan refutes claims that the check left undecided.
    fn compare(&mut self, graded: &Graded, least: &Least, strict: bool) -> Result<(), Failure> {
        let by = least.method.as_deref().map(|method| format!(" (by {method})")).unwrap_or_default();
        if let Some(Claim::Unsolvable { .. }) = graded.claim
            && self.grade == Grade::Undecided
        {
            if let Some(cost) = least.cheapest {
                self.judge(Grade::Wrong, WRONG, format!("there is a plan of cost {cost}"));
            } else if let Some(kind) = &least.certificate {
                self.undecided.retain(|name| name != claim::VERDICT);
                let grade = if self.undecided.is_empty() { Grade::Right } else { Grade::Undecided };
                self.judge(grade, self.code, format!("the certificate `{kind}` is valid: there is no solution"));
            }
            return Ok(());
        }
        let Some(cost) = self.cost else { return Ok(()) };
        if let Some(proved) = least.cost.filter(|&proved| proved > cost) {
            let message = format!("{} has a plan of cost {cost}, but {proved} was proved to be the least cost{by}", self.name);
            return Err(Failure::internal(message));
        }
        let cheaper = least.cheapest.filter(|&cheapest| cheapest < cost);
        if let Some(cheaper) = cheaper {
            if self.undecided.iter().any(|name| name == "optimal") {
                self.judge(Grade::Wrong, WRONG, format!("`optimal` is wrong: the plan costs {cost}, but {cheaper} is possible"));
                return Ok(());
            }
            if let Some(lower) = graded.says("lower").and_then(Value::as_u64).filter(|&lower| lower > cheaper.into()) {
                let text = format!("`lower` claims that no plan costs less than {lower}, but {cheaper} is possible");
                self.judge(Grade::Wrong, WRONG, text);
                return Ok(());
            }
        }
        // If `optimal` was confirmed, the text already says that the cost is the least possible.
        let said = graded.says("optimal") == Some(&json!(true)) && !self.undecided.iter().any(|name| name == "optimal");
        match (least.cost, cheaper) {
            (Some(proved), _) if proved == cost && said => {}
            (Some(proved), _) if proved == cost => self.text.push_str(&format!("; no plan costs less{by}")),
            (Some(proved), _) => self.text.push_str(&format!("; {} above the least cost of {proved}{by}", cost - proved)),
            (None, Some(cheaper)) => self.text.push_str(&format!("; not the least cost: {cheaper} is possible")),
            (None, None) => self.text.push_str("; the least cost was not found within the limits"),
        }
        match (least.cost, cheaper) {
            _ if !strict => {}
            (_, Some(cheaper)) => {
                self.judge(Grade::Wrong, WRONG, format!("the plan is legal and costs {cost}, but {cheaper} is possible{by}"))
            }
            (Some(_), None) => {}
            (None, None) => {
                (self.grade, self.code) = (Grade::Undecided, least.code);
                self.undecided.push("least".to_owned());
            }
        }
        Ok(())
    }

    pub fn json(&self) -> Value {
        let decided = matches!(self.grade, Grade::Right | Grade::Wrong);
        json!({
            "answer": self.name, "result": self.grade.name(), "verified": self.grade == Grade::Right, "complete": decided,
            "claimed": self.claimed, "cost": self.cost, "least": self.least, "least_by": self.least_by,
            "text": self.text, "undecided": self.undecided,
        })
    }

    fn fields(&self) -> Vec<String> {
        let json = self.json();
        let field = |name: &str| match &json[name] {
            Value::Null => String::new(),
            Value::String(text) if name != "claimed" => text.clone(),
            Value::Array(_) => self.undecided.join(" "),
            value => value.to_string(),
        };
        COLUMNS.map(field).to_vec()
    }
}

/// The exit code of a table. Wrong answers take precedence over unreadable ones, and those over undecided ones.
pub fn exit_code(rows: &[Row]) -> u8 {
    [WRONG, BAD_INPUT, TIME_LIMIT, SPACE_LIMIT].into_iter().find(|code| rows.iter().any(|row| row.code == *code)).unwrap_or(SOLVED)
}

pub fn csv(rows: &[Row]) -> String {
    csv::row(COLUMNS) + &rows.iter().map(|row| csv::row(row.fields())).collect::<String>()
}

/// A human-readable table, without empty columns.
pub fn table(rows: &[Row]) -> String {
    let fields: Vec<Vec<String>> = rows.iter().map(Row::fields).collect();
    let shown: Vec<usize> = (0..COLUMNS.len()).filter(|&at| fields.iter().any(|row| !row[at].is_empty())).collect();
    let header: Vec<String> = shown.iter().map(|&at| COLUMNS[at].replace('_', " ")).collect();
    let rows = fields.iter().map(|row| shown.iter().map(|&at| row[at].clone()).collect());
    output::table(header.iter().map(String::as_str).collect(), |name| matches!(name, "claimed" | "cost" | "least"), rows)
}

/// The number of answers with each grade, on one line.
pub fn summary(rows: &[Row]) -> String {
    let of = |grade: Grade| rows.iter().filter(|row| row.grade == grade).count();
    let parts = Grade::ALL.iter().filter(|(grade, _)| of(*grade) > 0).map(|(grade, name)| format!("{} {name}", of(*grade)));
    format!("{}: {}", count(rows.len() as u64, "answer"), parts.collect::<Vec<_>>().join(", "))
}
