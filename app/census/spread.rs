//! A census on the workers of many processes. Every process reads the same list; lines are dealt out in turn, and the first worker
//! of the first process writes all rows, in the order of the lines.

use std::sync::{Arc, Mutex, PoisonError};

use kibitzer::catalog::Survey;
use kibitzer::notation::Options;
use kibitzer::report::{count, duration};

use super::{Args, CensusJob, Done, RowOutput, cannot_write, open, same_board};
use crate::cluster::CensusTask;
use crate::effort::Watch;
use crate::failure::{Failure, SOLVED, TIME_LIMIT};
use crate::lines::{self, ListLines, is_board};
use crate::table::{RowFormat, TableHead};
use crate::{input, output};

/// A line of the list and its number.
type Numbered = (u64, String);

pub fn run(
    args: &Args,
    survey: &'static Survey,
    options: Options,
    watch: &Watch,
    head: &TableHead,
    format: RowFormat,
) -> Result<u8, Failure> {
    let Some(name) = args.file.as_deref().filter(|name| *name != "-") else {
        return Err(Failure::input("many workers need the list of boards in a file", "give its name in place of standard input"));
    };
    let first = args.cluster.process.unwrap_or(0) == 0;
    let (mut out, mut done): (Option<RowOutput>, Done) = (None, Done::new());
    let range = args.line.unwrap_or(lines::ALL);
    if first {
        let (place, rows) = open(args.output.as_deref(), args.resume, Some(name), head.clone(), format)?;
        (out, done) = (Some(place), rows);
    }
    let (mut lines, mut read): (Vec<Numbered>, u64) = (Vec::new(), 0);
    for (number, line) in (1..).zip(ListLines::new(input::open(name)?)) {
        let line = line.map_err(|error| input::cannot_read("the list of boards", &error))?;
        if number > range.most {
            break;
        }
        if number < range.least {
            continue;
        }
        read += 1;
        if done.last_key_value().is_some_and(|(&last, _)| number <= last) {
            same_board(number, line.trim(), &done)?;
        }
        if is_board(line.trim()) {
            lines.push((number, line.trim().to_owned()));
        }
    }
    let list = lines.iter().fold(crc32fast::Hasher::new(), |mut sum, (number, line)| {
        sum.update(&number.to_le_bytes());
        sum.update(line.as_bytes());
        sum
    });
    let job = [("census", format!("{} as {format:?}", head.made())), ("list of boards", format!("{:08x}", list.finalize()))];
    let job = job.map(|(word, value)| (word.to_owned(), value)).to_vec();
    let skip = done.last_key_value().map_or(0, |(&last, _)| last);
    let before = lines.iter().take_while(|(number, _)| *number <= skip).count();
    let all = lines.len();
    let (limits, head) = (watch.limits.clone(), head.clone());
    let row = move |at: usize| {
        let (number, line) = &lines[at];
        let job = CensusJob { survey, options: &options, head: head.clone(), format };
        job.row(*number, line, &limits)
    };
    let out = Arc::new(Mutex::new(out));
    let place = Arc::clone(&out);
    let write = move |rows: &str| match place.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        Some(place) => place.write(rows, rows.lines().count() as u64),
        None => Ok(()),
    };
    let task = CensusTask { count: all, done: before, row: Box::new(row), write: Box::new(write) };
    let workers = match task.run(&args.cluster, job, &watch.limits) {
        Err(Failure { limit: Some(_), .. }) => {
            output::note("stopped before the end; with `-o FILE --resume` it goes on from there");
            return Ok(TIME_LIMIT);
        }
        workers => workers?,
    };
    if let Some(place) = out.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        place.close(read).map_err(|error| cannot_write(&error))?;
        let rows = count((all - before) as u64, "board");
        output::note(&format!("{rows} in {} on {}", duration(watch.seconds()), count(workers as u64, "worker")));
    }
    Ok(SOLVED)
}
