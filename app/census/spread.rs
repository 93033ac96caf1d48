//! A census on the workers of many processes. Every process reads the same list; lines are dealt out in turn, and the first worker
//! of the first process writes all rows, in the order of the lines.

use std::sync::{Arc, Mutex};

use kibitzer::catalog::Survey;
use kibitzer::notation::Options;
use kibitzer::report::{count, duration};

use super::{Args, CensusJob, Done, RowOutput, open, same_board};
use crate::cluster::setup;
use crate::effort::Watch;
use crate::failure::{Failure, SOLVED, TIME_LIMIT};
use crate::lines::{self, ListLines, is_board};
use crate::table::{RowFormat, TableHead};
use crate::{input, output};
use kibitzer_cluster::Halt;
use kibitzer_cluster::communicator::{self, Communicator};

/// ListLines for each worker between two times that rows are collected: enough to even out hard boards and easy ones.
const EACH: usize = 32;
/// Bytes of rows that are on their way.
const ROUND: usize = 1 << 20;

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
    let setup = setup(&args.cluster, job.map(|(word, value)| (word.to_owned(), value)).to_vec(), &watch.limits)?;
    let (lines, written) = (Arc::new(lines), Arc::new(Mutex::new(0u64)));
    let rows = Arc::clone(&written);
    let (limits, place) = (watch.limits.clone(), Arc::new(Mutex::new(out)));
    let (head, last) = (head.clone(), Arc::clone(&place));
    let skip = done.last_key_value().map_or(0, |(&last, _)| last);
    let worked = communicator::run(&setup, &watch.limits, ROUND, move |comm| {
        // Only the first process knows what is there already.
        let skip = comm.reduce(&if comm.index == 0 { skip } else { 0 })?.into_iter().max().unwrap_or(0);
        let job = CensusJob { survey, options: &options, head: head.clone(), format };
        let left: Vec<&Numbered> = lines.iter().filter(|(number, _)| *number > skip).collect();
        for some in left.chunks(EACH * comm.peers) {
            let mine = some.iter().skip(comm.index).step_by(comm.peers);
            let found = mine.map(|(number, line)| match job.row(*number, line, &limits) {
                Ok(Some(row)) => Ok((*number, row)),
                Ok(None) => Err(limits.check().err().map_or_else(|| Halt::fault("a board has no row", "please report it"), Halt::from)),
                Err(failure) => Err(Halt::fault(failure.message, failure.help)),
            });
            let found = found.collect::<Result<Vec<(u64, String)>, Halt>>();
            let gathered = gather(comm, found)?;
            let mut wrote = Ok(());
            if comm.index == 0 {
                let mut place = place.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                if let Some(place) = place.as_mut() {
                    *rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner) += gathered.len() as u64;
                    let count = gathered.len() as u64;
                    let text: String = gathered.into_iter().map(|(_, row)| row).collect();
                    wrote = place.write(&text, count);
                }
            }
            let wrote =
                wrote.map_err(|error| Halt::scarce(format!("cannot write the census: {error}"), "check the place and the space left"));
            comm.agree(wrote)?;
        }
        Ok(())
    });
    match worked {
        Err(halt) if halt.limit().is_some() => {
            output::note("stopped before the end; with `-o FILE --resume` it goes on from there");
            return Ok(TIME_LIMIT);
        }
        worked => worked?,
    };
    if let Some(place) = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner).as_mut() {
        place.close(read).map_err(|error| super::cannot_write(&error))?;
    }
    if first {
        let rows = *written.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let workers = count((setup.workers * setup.processes()) as u64, "worker");
        output::note(&format!("{} in {} on {workers}", count(rows, "board"), duration(watch.seconds())));
    }
    Ok(SOLVED)
}

/// Sends rows to the first worker, in the order of their lines; all others get none.
fn gather(comm: &mut Communicator, mine: Result<Vec<(u64, String)>, Halt>) -> Result<Vec<(u64, String)>, Halt> {
    let mine = kibitzer_cluster::label::agree(comm, mine)?;
    if let Ok(text) = serde_json::to_vec(&mine) {
        comm.send(0, 0, mine.len(), text);
    }
    let mut all: Vec<(u64, String)> = Vec::new();
    comm.finish(&mut |parcel| {
        let rows: Vec<(u64, String)> =
            serde_json::from_slice(&parcel.bytes.0).map_err(|_| Halt::fault("rows cannot be read", "please report it"))?;
        all.extend(rows);
        Ok(())
    })?;
    all.sort();
    Ok(all)
}
