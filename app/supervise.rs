//! Deadlines, memory limits and Ctrl-C. Each piece of work has an [`Alarm`], whose thread asks the work to stop at a limit. If the work
//! does not stop, that thread prints the result and ends the program. Limits therefore hold even for code that does not check them, or that
//! blocks on a pipe without a writer.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use kibitzer::limits::{Cancel, Limit};
use kibitzer_watch::{Alarm, INTERVAL, SLACK, most_resident, resident};

use crate::failure::{Failure, INTERNAL};
use crate::output::{self, Taken};
use crate::parallel::lock;

/// Time allowed for work to end after it is asked to stop.
pub const GRACE: Duration = Duration::from_millis(300);
/// Stack size of the worker thread. Depth-first searches recurse once per move of a path. Stack pages use memory only when touched.
const STACK: usize = 64 << 20;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// The pieces of work in progress, by number.
static PIECES: Mutex<BTreeMap<u64, Arc<Piece>>> = Mutex::new(BTreeMap::new());

/// Prints the result of work that did not stop in time, and returns the exit code.
pub type GiveUp = Box<dyn Fn(Limit) -> Result<u8, Failure> + Send + Sync>;

/// Describes how to handle work that does not stop when asked.
pub struct Late {
    pub give_up: GiveUp,
    /// Time between the deadline and giving up. After Ctrl-C, or if too much memory is used, [`GRACE`] applies instead.
    pub grace: Duration,
}

/// A piece of work under limits.
struct Piece {
    number: u64,
    cancel: Cancel,
    /// If more bytes than this are resident, the program stops waiting for work that was asked to stop.
    far_too_much: usize,
    /// `None` if the program waits for the work however long it takes.
    late: Option<Late>,
    bar: Option<ProgressBar>,
}

/// While this value exists, the deadline, the memory limit and Ctrl-C set the cancel flag.
pub struct Guard {
    number: u64,
    _alarm: Option<Alarm>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        lock(&PIECES).remove(&self.number);
    }
}

pub fn guard(cancel: &Cancel, deadline: Option<Instant>, bytes: usize, late: Option<Late>, bar: Option<ProgressBar>) -> Guard {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    catch_interrupts();
    INTERRUPTED.store(false, Ordering::Relaxed);
    // If the deadline has already passed, stop now, without waiting for the alarm's thread to wake up.
    if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
        cancel.stop(Limit::Time);
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    // Memory that earlier work freed, but that the allocator still holds, does not count toward the limit.
    let (most, held) = (most_resident(0, bytes), resident().unwrap_or(0));
    let far_too_much = most.saturating_add(bytes / 16).saturating_add(SLACK);
    let piece = Arc::new(Piece { number, cancel: cancel.clone(), far_too_much, late, bar });
    lock(&PIECES).insert(number, Arc::clone(&piece));
    let alarm = Alarm::new(deadline, Some(most.max(held.saturating_add(SLACK))), move |limit| piece.stop(limit, limit == Limit::Time));
    Guard { number, _alarm: alarm }
}

/// True if Ctrl-C was pressed after the latest piece of work began.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Installs the Ctrl-C handler. The first Ctrl-C asks the work to stop; a second Ctrl-C, or one pressed while nothing runs, ends the
/// program.
fn catch_interrupts() {
    static ONCE: Once = Once::new();
    let handler = || {
        let pieces: Vec<Arc<Piece>> = lock(&PIECES).values().cloned().collect();
        if INTERRUPTED.swap(true, Ordering::Relaxed) || pieces.is_empty() {
            leave(130);
        }
        for piece in pieces {
            std::thread::spawn(move || piece.stop(Limit::Interrupt, false));
        }
    };
    // If no handler can be installed, Ctrl-C simply ends the program.
    ONCE.call_once(|| _ = ctrlc::set_handler(handler));
}

/// Ends the program at once, without leaving a half-written file.
fn leave(code: i32) -> ! {
    output::clean_up();
    std::process::exit(code)
}

/// Runs a command on the worker thread and returns its exit code.
pub fn run(command: impl FnOnce() -> Result<u8, Failure> + Send + 'static) -> u8 {
    kibitzer_watch::return_freed_memory();
    let work = move || {
        // The panic hook has already printed the message.
        let code = catch_unwind(AssertUnwindSafe(|| finish(command()))).unwrap_or(INTERNAL);
        // If another thread has taken over the output, that thread also ends the program.
        output::wait_for_turn();
        code
    };
    match std::thread::Builder::new().name("work".to_owned()).stack_size(STACK).spawn(work) {
        Ok(thread) => thread.join().unwrap_or(INTERNAL),
        Err(error) => finish(Err(Failure::internal(format!("cannot start a thread: {error}")))),
    }
}

/// Prints a failure, and returns the exit code.
fn finish(result: Result<u8, Failure>) -> u8 {
    result.unwrap_or_else(|failure| {
        output::hold(|| failure.print());
        failure.code
    })
}

impl Piece {
    /// Asks the work to stop. If the work has not ended after the grace period, or holds far too much memory, prints its result and ends
    /// the program.
    fn stop(&self, limit: Limit, after_deadline: bool) {
        self.cancel.stop(limit);
        let Some(late) = &self.late else { return };
        let overdue = Instant::now() + if after_deadline { late.grace } else { GRACE };
        while lock(&PIECES).contains_key(&self.number) {
            let now = Instant::now();
            if now >= overdue || resident().is_some_and(|held| held > self.far_too_much) {
                match output::take_over() {
                    Taken::Yes => self.give_up(late),
                    Taken::Busy => {}
                    Taken::Late => return,
                }
            }
            std::thread::sleep(overdue.saturating_duration_since(now).clamp(Duration::from_millis(1), INTERVAL));
        }
    }

    /// Prints the result, and ends the program.
    fn give_up(&self, late: &Late) -> ! {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        output::clean_up();
        let limit = self.cancel.check().err().unwrap_or(Limit::Time);
        leave(i32::from(finish((late.give_up)(limit))))
    }
}
