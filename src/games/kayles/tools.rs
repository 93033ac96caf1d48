//! The census of Kayles on graphs, the command `period`, and examples for the program's help.

use serde_json::{Map, Value, json};

use super::{Kayles, Kind, MOST, Octal, Period, Rule};
use crate::limits::Limit;
use crate::notation::tools::{Census, CensusLine, Command, Example, Tool, ToolAnswer, ToolError};
use crate::notation::{Input, OptionSpec, ReadError, Source};

/// Maximum number of values that `period` computes: about a minute for codes with few digits.
const MOST_VALUES: usize = 200_000;
/// Number of values after which a period is looked for the first time. Then it is looked for whenever the number has doubled.
const FIRST: usize = 64;
const HELP: &str = "write the code of an octal game, as in `octal: 0.77`";

pub const TOOLS: &[Tool] = &[Tool::Command(Command {
    name: "period",
    about: "Find the period of the Grundy values of an octal game",
    help: "Computes the Grundy values of heaps of 0, 1, 2, ... pins under an octal game and looks for a period. By a theorem of Guy and \
           Smith, a period p that holds from n on holds forever if it holds below 2n + p + t, where t is the number of digits of the \
           code. Prints the length of the part before the period, the period, and the range that was compared.",
    argument: ("CODE", "The code of an octal game, such as `octal: 0.77` or `0.77`, a file, or `-` for standard input"),
    examples: &[
        Example { command: "period", arguments: "'octal: 0.77'", about: "Kayles" },
        Example { command: "period", arguments: "'octal: 0.137' --json", about: "Dawson's Chess" },
    ],
    run: period,
})];

fn period(input: &Input<'_>) -> Result<ToolAnswer, ToolError> {
    let source = Source::without_comments(input.text);
    let text = source.text().trim();
    let octal = match text.contains(':') {
        false => {
            Octal::read(text).map_err(|message| source.error(source.text().len() - source.text().trim_start().len(), message, HELP))?
        }
        true => {
            let fields = source.fields(&["octal"], HELP)?;
            let field = fields.first().ok_or_else(|| source.error(0, "there is no code", HELP))?;
            Octal::read(field.value).map_err(|message| field.error(message, HELP))?
        }
    };
    let code = octal.write();
    let (mut values, mut count) = (Vec::new(), FIRST.max(2 * octal.most()));
    let found = loop {
        let most = usize::try_from(input.limits.nodes).unwrap_or(usize::MAX).min(MOST_VALUES);
        if let Err(limit) = octal.extend(&mut values, count.min(most), input.limits) {
            break Err(limit);
        }
        match octal.period(&values) {
            Some(period) => break Ok(period),
            None if count >= most => break Err(Limit::Nodes),
            None => count *= 2,
        }
    };
    let steps = values.len() as u64;
    match found {
        Err(limit) => {
            let json = Map::from_iter([("octal".to_owned(), json!(code)), ("values".to_owned(), json!(values.len()))]);
            let text = format!("# undecided, {}: {code} has no period that {} values would prove\n", limit.words(), values.len());
            Ok(ToolAnswer { text, json, steps, limit: Some(limit) })
        }
        Ok(Period { from, period, checked }) => {
            confirm(&octal, &values, from, period, checked).map_err(ToolError::SelfCheck)?;
            let shown: Vec<String> = values[from..from + period].iter().map(u16::to_string).collect();
            let text = format!(
                "period {period} from {from}\n\
                 # {code}: a heap of n + {period} pins has the value of a heap of n pins, for all n from {from} on\n\
                 # compared for n from {from} to {}, which proves it for all n (Guy and Smith)\n# the values from {from} on: {}\n",
                checked - 1,
                shown.join(" ")
            );
            let Value::Object(json) = json!({
                "octal": code, "preperiod": from, "period": period, "checked": [from, checked - 1], "values": values[..from + period],
            }) else {
                unreachable!("an object is written above")
            };
            Ok(ToolAnswer { text, json, steps, limit: None })
        }
    }
}

/// Compares the range again, and recomputes the values in it from all moves.
fn confirm(octal: &Octal, values: &[u16], from: usize, period: usize, checked: usize) -> Result<(), String> {
    if let Some(n) = (from..checked).find(|&n| values[n] != values[n + period]) {
        return Err(format!("the values of {n} and {} differ", n + period));
    }
    for n in 0..=from + period {
        let mut reached = Vec::new();
        for take in 1..=octal.most().min(n) {
            let splits = (0..=n - take).filter(|&before| octal.allows(take, before, n - take - before));
            reached.extend(splits.map(|before| values[before] ^ values[n - take - before]));
        }
        if reached.contains(&values[n]) || !(0..values[n]).all(|less| reached.contains(&less)) {
            return Err(format!("the value of a heap of {n} pins is not {}", values[n]));
        }
    }
    Ok(())
}

pub const CENSUS: Census<Kayles> = Census {
    lines: "one graph per line, in graph6 or any other one-line format",
    before: &[("n", "vertices"), ("m", "edges")],
    after: &[],
    options: &[OptionSpec { name: "rule", about: "what a move takes: arc or node", default: "arc" }],
    read: read_line,
    rest: |_, _| Vec::new(),
};

fn read_line(input: &Input<'_>) -> Result<Option<CensusLine<Kayles>>, ReadError> {
    let rule = Rule::option(input.options)?.unwrap_or(Rule::Arc);
    let mut board = None;
    let line = CensusLine::of_graph(input, |graph| Some(board.insert(graph).len()))?;
    let (Some(CensusLine { fields, .. }), Some(graph)) = (line, board) else { return Ok(None) };
    if graph.len() > MOST {
        let message = format!("the game is played on at most {MOST} vertices, but this graph has {}", graph.len());
        return Err(Source::new(input.text).error(0, message, "remove this line").into());
    }
    let kayles = Kayles::new(vec![Kind::Graph { graph, name: None, rule }], input.limits)?;
    Ok(Some(CensusLine { fields, board: Some(kayles) }))
}

pub const EXAMPLES: &[Example] = &[
    Example { command: "solve", arguments: "grid3x4", about: "Cram on a 3 x 4 board" },
    Example { command: "solve", arguments: "'heaps: 3 4 5'", about: "Nim: who wins, and how" },
    Example { command: "solve", arguments: "'octal: 0.77; heaps: 70'", about: "a row of 70 pins in Kayles" },
    Example { command: "solve", arguments: "'graph: P9; rule: node + heaps: 2'", about: "a sum: its parts and their Grundy values" },
    Example { command: "census", arguments: "graphs.g6 --rule node -o census.csv", about: "" },
    Example { command: "play", arguments: "'octal: 0.77; heaps: 9'", about: "" },
];
