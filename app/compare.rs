//! `kibitzer compare GAME [FILE]`: one row per method.

use comfy_table::{CellAlignment, Table, presets};
use kibitzer::catalog::Choice;
use kibitzer::report::{Answer, Report, bytes, duration, grouped};
use serde_json::Value;

use crate::effort::{self, Effort};
use crate::failure::{Failure, SOLVED, TIME_LIMIT};
use crate::input::Board;
use crate::output;
use crate::solve::weight;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  kibitzer compare chexers
  kibitzer compare chexers board.json --methods bfs,astar:null,astar:relaxed,astar:bad
  kibitzer compare chexers board.json --time 60 --json

The limits hold for each method; the time is 10 seconds unless set.")]
pub struct Args {
    #[command(flatten)]
    board: Board,
    /// The methods to compare, with commas between them [default: all that apply]
    #[arg(long, short, value_name = "METHOD,...", value_delimiter = ',')]
    methods: Vec<String>,
    /// How much more the estimate counts in weighted A*, from 1 to 1000
    #[arg(long, value_parser = weight, default_value = "2")]
    weight: u32,
    /// Compare a course's own algorithms, exactly as they are taught
    #[arg(long, conflicts_with = "methods")]
    course: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Limits for each method; the time is 10 seconds unless set
    #[command(flatten)]
    effort: Effort,
}

/// Seconds that a method gets unless something else is asked for.
const TIME: f64 = 10.0;

pub fn run(args: Args) -> Result<u8, Failure> {
    let (_, puzzle) = args.board.read()?;
    let asked = args.methods;
    let methods: Vec<String> = match asked.is_empty() {
        true => puzzle.methods().into_iter().filter(|info| info.course == args.course).map(|info| info.name).collect(),
        false => asked,
    };
    if methods.is_empty() {
        return Err(Failure::input(format!("{} has no course algorithms", puzzle.game()), "leave `--course` out"));
    }
    let choice = |method: &String| Choice { method: Some(method.clone()), weight: args.weight };
    // A wrong name is told before anything runs for long.
    for method in &methods {
        puzzle.method(&choice(method))?;
    }
    let mut rows: Vec<(Report, f64)> = Vec::new();
    let mut code = SOLVED;
    for method in &methods {
        let (report, seconds) = args.effort.spend(method, Some(TIME), |limits| puzzle.solve(&choice(method), limits));
        rows.push((report?, seconds));
        if effort::interrupted() {
            output::note("interrupted: the remaining methods were not run");
            code = TIME_LIMIT;
            break;
        }
    }
    if args.json {
        let rows: Value = rows.iter().map(|(report, seconds)| report.json(*seconds)).collect();
        output::write(&format!("{rows}\n"), None)?;
        return Ok(code);
    }
    output::write(&format!("{}\n", table(&rows)), None)?;
    Ok(code)
}

fn table(rows: &[(Report, f64)]) -> String {
    let least = rows.iter().find_map(|(report, _)| match report.answer {
        Answer::Solved { cost, optimal: true, .. } => Some(cost),
        _ => None,
    });
    let cheapest = rows.iter().filter_map(|(report, _)| match report.answer {
        Answer::Solved { cost, .. } => Some(cost),
        _ => None,
    });
    let cheapest = cheapest.min();
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(["method", "cost", "optimal?", "expanded", "generated", "memory", "time"]);
    for at in [1, 3, 4, 5, 6] {
        table.column_mut(at).expect("there are seven").set_cell_alignment(CellAlignment::Right);
    }
    let mut gave_up = false;
    for (report, seconds) in rows {
        let (cost, optimal) = match &report.answer {
            Answer::Solved { cost, optimal: true, .. } => (cost.to_string(), "yes, proved".to_owned()),
            Answer::Solved { cost, .. } => match (least, cheapest) {
                (Some(least), _) if *cost > least => (cost.to_string(), format!("no, {} too much", cost - least)),
                (Some(_), _) => (cost.to_string(), "not proved by it".to_owned()),
                (None, Some(cheapest)) if *cost > cheapest => (cost.to_string(), format!("no, at least {} too much", cost - cheapest)),
                _ => (cost.to_string(), "not proved".to_owned()),
            },
            Answer::Unsolvable { .. } => ("none".to_owned(), "no solution".to_owned()),
            Answer::Decided(decided) => match decided.winner {
                Some(player) => (format!("player {player}"), format!("wins; {}", decided.outcome())),
                None => ("nobody".to_owned(), format!("a draw; {}", decided.outcome())),
            },
            Answer::Unknown { limit, lower, upper, .. } => {
                gave_up = true;
                let cost = upper.map_or_else(|| format!("≥ {lower}"), |upper| format!("{lower} to {upper}"));
                (cost, format!("gave up: {}", limit.name()))
            }
        };
        let stats = report.stats;
        let counts = [grouped(stats.expanded), grouped(stats.generated), bytes(stats.peak_bytes), duration(*seconds)];
        table.add_row([report.method.clone(), cost, optimal].into_iter().chain(counts));
    }
    let mut text = table.to_string();
    if gave_up {
        text.push_str("\nA method that gave up has proved that no plan costs less than the first number.");
    }
    text
}
