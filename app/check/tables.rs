//! `kibitzer check TABLE`: recomputes rows of a table that `census` or `kernel` wrote.

use std::path::Path;

use kibitzer::catalog::Games;
use kibitzer::catalog::census::POSITIONS;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{OptionSpec, Options, ReadError, shorten};
use kibitzer::random::Random;
use kibitzer::report::{count, grouped};
use serde_json::json;

use crate::census::solving::{self, Solving, Totals};
use crate::effort::Watch;
use crate::failure::{Failure, SOLVED, TIME_LIMIT, WRONG};
use crate::table::{TableHead, TextTable};
use crate::{census, input, output, parallel};

/// True if a file starts with the header of a table.
pub fn is_table(path: &str) -> bool {
    use std::io::Read;
    let mut start = [0; 13];
    let read = Path::new(path).is_file().then(|| input::open(path).ok()?.read_exact(&mut start).ok()).flatten();
    read.is_some() && (start.starts_with(b"# kibitzer ") || start.starts_with(b"{\"kibitzer\":"))
}

pub fn run(games: Games, name: &str, sample: Option<u64>, seed: u64, json: bool, watch: &Watch) -> Result<u8, Failure> {
    let limits = &watch.limits;
    let text = input::read_all(input::open(name)?, name, limits)?;
    let damaged = |why: String| Failure::input(format!("{name}: {why}"), "recreate the table, or resume it with `census --resume`");
    let table = TextTable::read(&text).map_err(damaged)?;
    let same_version = table.head.version == env!("CARGO_PKG_VERSION");
    let (columns, recompute) = columns_and_rows(games, &table.head).map_err(damaged)?;
    if let Some(at) = columns.iter().zip(&table.head.columns).position(|(known, column)| known != column) {
        return Err(damaged(format!("column {} is `{}`, not `{}`", at + 1, shorten(&table.head.columns[at]), columns[at])));
    }
    if let Some(why) = table.missing() {
        return Err(damaged(why));
    }
    if solving::is_head(&table.head)
        && let Some(line) = &table.totals
    {
        let mut totals = Totals::default();
        table.rows.iter().for_each(|(_, fields)| totals.add(fields));
        let expected = totals.line(table.format);
        if *line != expected {
            return Err(damaged(format!("the totals are `{}`, but should be `{}`", line.trim_end(), expected.trim_end())));
        }
    }
    let mut chosen: Vec<usize> = (0..table.rows.len()).collect();
    if let Some(sample) = sample.map(|sample| usize::try_from(sample).unwrap_or(usize::MAX)) {
        let mut random = Random::new(seed);
        for at in 0..sample.min(chosen.len()) {
            let other = at + random.below(chosen.len() - at);
            chosen.swap(at, other);
        }
        chosen.truncate(sample);
        chosen.sort_unstable();
    }
    let (mut wrong, mut failed, mut done): (Option<String>, Option<Failure>, usize) = (None, None, 0);
    let find = |at: &usize| {
        let (line, fields) = &table.rows[*at];
        (*line, fields, recompute(fields, limits))
    };
    parallel::in_order(chosen.iter(), parallel::threads(), limits, find, |(line, fields, found)| match found {
        Ok(None) => {}
        Ok(Some(found)) => {
            done += 1;
            let compared = |name: &str| match name {
                solving::SECONDS => false,
                POSITIONS => same_version,
                name => same_version || !solving::COUNTS.contains(&name),
            };
            let differs = |&column: &usize| fields[column] != found[column] && compared(&table.head.columns[column]);
            if let (Some(column), None) = ((0..fields.len()).find(differs), &wrong) {
                let (said, is) = (shorten(&fields[column]), shorten(&found[column]));
                wrong = Some(format!("line {line}: `{}` is `{said}`, but should be `{is}`", table.head.columns[column]));
            }
        }
        Err(failure) => {
            let message = format!("{name}, line {line}: {}", failure.message);
            failed.get_or_insert(Failure { message, ..failure });
            limits.cancel.stop(Limit::Time);
        }
    });
    if let Some(failure) = failed {
        return Err(failure);
    }
    let undecided = done < chosen.len() && wrong.is_none();
    let (result, code) = match (&wrong, undecided) {
        (Some(_), _) => ("wrong", WRONG),
        (None, true) => ("undecided", TIME_LIMIT),
        (None, false) => ("right", SOLVED),
    };
    if json {
        let object = json!({
            "table": name, "made": table.head.made(), "rows": table.rows.len(), "checked": done, "complete": table.complete,
            "result": result, "text": wrong,
        });
        output::write(&format!("{object}\n"), None)?;
        return Ok(code);
    }
    if let Some(why) = wrong {
        let help = "recreate the table with this version, and compare the two tables";
        return Err(Failure { help: help.to_owned(), ..Failure::wrong(format!("{name}, {why}")) });
    }
    let of = if chosen.len() < table.rows.len() { format!(" of {}", grouped(table.rows.len() as u64)) } else { String::new() };
    let end = match table.complete {
        true => "the checksum matches",
        false => "the table is not complete and has no checksum",
    };
    let word = if undecided { "not decided" } else { "correct" };
    output::write(&format!("{word}: {}{of} recomputed, no differences; {end}\n", count(done as u64, "row")), None)?;
    Ok(code)
}

/// Recomputes the row with these fields. Returns `None` if a limit was reached.
type Recompute = Box<dyn Fn(&[String], &Limits) -> Result<Option<Vec<String>>, Failure> + Sync>;

/// The columns that a table with this header should have, and the function that recomputes its rows.
fn columns_and_rows(games: Games, head: &TableHead) -> Result<(Vec<&'static str>, Recompute), String> {
    let entry = games.find(&head.game).ok_or_else(|| format!("unknown game `{}`", shorten(&head.game)))?;
    let get = |name: &str| head.options.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let number = |fields: &[String]| fields[0].parse().map_err(|_| Failure::input("a row has no number", "recreate the table"));
    let nodes = || get("nodes").map_or(Ok(u64::MAX), str::parse).map_err(|_| "its node limit is not a number".to_owned());
    match (head.kind.as_str(), &entry.census, entry.kernel()) {
        ("census", ..) if solving::is_head(head) && entry.players == 1 => {
            let own = |name: &str| [solving::METHOD, "nodes", "line"].contains(&name);
            let texts: Vec<String> =
                head.options.iter().filter(|(name, _)| !own(name)).map(|(name, value)| format!("{name}={value}")).collect();
            let options = input::read_options(&texts, entry.options).map_err(|error| error.message)?;
            let method = get(solving::METHOD).filter(|method| !method.is_empty()).map(str::to_owned);
            let nodes = nodes()?;
            let rows = census::Rows::Solving(Solving { entry, method, options });
            let columns = rows.columns();
            let row = move |fields: &[String], limits: &Limits| rows.fields(number(fields)?, &fields[1], &limits.with_nodes(nodes));
            Ok((columns, Box::new(row)))
        }
        ("census", Some(survey), _) => {
            if head.edition != census::EDITION {
                return Err(format!("it has table format {}; this version writes format {}", head.edition, census::EDITION));
            }
            let known: Vec<&OptionSpec> = survey.options().collect();
            let given = known.iter().filter_map(|spec| Some((spec, get(spec.name).filter(|value| *value != spec.default)?)));
            let texts: Vec<String> = given.map(|(spec, value)| format!("{}={value}", spec.name)).collect();
            let options = Options::parse(texts.iter().map(String::as_str), &known).map_err(|error| error.message)?;
            let nodes = nodes()?;
            let rows = census::Rows::Survey(survey, options);
            let columns = rows.columns();
            let row = move |fields: &[String], limits: &Limits| rows.fields(number(fields)?, &fields[1], &limits.with_nodes(nodes));
            Ok((columns, Box::new(row)))
        }
        ("kernel", _, Some(kernel)) => {
            let texts: Vec<String> = head.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let options = input::read_options(&texts, entry.options).map_err(|error| error.message)?;
            let row = move |fields: &[String], limits: &Limits| {
                let size = number(fields)?;
                match (kernel.row)(size, &options, limits) {
                    Ok(fields) => Ok(Some(fields)),
                    Err(ReadError::Stopped(_)) => Ok(None),
                    Err(error) => Err(Failure::reading(&format!("size {size}"), &error)),
                }
            };
            Ok((kernel.columns.to_vec(), Box::new(row)))
        }
        _ => Err(format!("{} has no `{}` tables", head.game, shorten(&head.kind))),
    }
}
