//! A census on the workers of many processes. Every process reads the same list. Lines are distributed round-robin, and the first
//! worker of the first process writes all rows, in the order of the lines.

use std::sync::{Arc, Mutex};

use kibitzer::report::{count, duration};

use super::{Args, CensusJob, Done, STOPPED, cannot_write, same_board};
use crate::cluster::CensusTask;
use crate::effort::Watch;
use crate::failure::{Failure, SOLVED, TIME_LIMIT};
use crate::lines::{self, ListLines, is_board};
use crate::parallel::lock;
use crate::{input, output};

pub fn run(args: &Args, job: CensusJob, watch: &Watch) -> Result<u8, Failure> {
    let Some(name) = args.file.as_deref().filter(|name| *name != "-") else {
        return Err(Failure::input("many workers cannot share standard input", "pass a file with the list of boards"));
    };
    let limits = args.cache.limits(&watch.limits)?;
    let (out, done) = match args.cluster.process.unwrap_or(0) {
        0 => job.open(args).map(|(out, done)| (Some(out), done))?,
        _ => (None, Done::new()),
    };
    let range = args.line.unwrap_or(lines::ALL);
    let last = done.last_key_value().map_or(0, |(&last, _)| last);
    let (mut lines, mut read): (Vec<(u64, String)>, u64) = (Vec::new(), 0);
    for (number, line) in (1..=range.most).zip(ListLines::new(input::open(name)?)) {
        let line = line.map_err(|error| input::cannot_read("the list of boards", &error))?;
        if number < range.least {
            continue;
        }
        read += 1;
        if number <= last {
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
    let agreed = vec![
        ("census".to_owned(), format!("{} as {:?}", job.head.made(), job.format)),
        ("list of boards".to_owned(), format!("{:08x}", list.finalize())),
    ];
    let before = lines.iter().take_while(|(number, _)| *number <= last).count();
    let all = lines.len();
    let row = move |at: usize| {
        let (number, line) = &lines[at];
        job.row(*number, line, &limits)
    };
    let out = Arc::new(Mutex::new(out));
    let place = Arc::clone(&out);
    let write = move |rows: &str| lock(&place).as_mut().map_or(Ok(()), |place| place.write(rows, rows.lines().count() as u64));
    let task = CensusTask { count: all, done: before, row: Box::new(row), write: Box::new(write) };
    let workers = match task.run(&args.cluster, agreed, &watch.limits) {
        Err(Failure { limit: Some(_), .. }) => {
            output::note(STOPPED);
            return Ok(TIME_LIMIT);
        }
        workers => workers?,
    };
    if let Some(place) = lock(&out).as_mut() {
        place.close(read).map_err(|error| cannot_write(&error))?;
        let rows = count((all - before) as u64, "board");
        output::note(&format!("{rows} in {} on {}", duration(watch.seconds()), count(workers as u64, "worker")));
        if let Some(totals) = &place.totals {
            output::note(&totals.sentence());
        }
    }
    Ok(SOLVED)
}
