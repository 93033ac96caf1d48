//! The main thread. A command runs on a thread of its own, and an [`Alarm`] keeps its deadline and its memory limit. The main
//! thread handles Ctrl-C, and ends the program if the work does not stop when asked to: so a limit holds even if some code does not
//! check it, or waits for a pipe without a writer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use kibitzer::limits::{Cancel, Limit};
use kibitzer_watch::{Alarm, INTERVAL, SLACK, most_resident, resident};

use crate::failure::{Failure, INTERNAL};
use crate::output::{self, Taken};

/// Time for work to end after it was asked to stop.
pub const GRACE: Duration = Duration::from_millis(300);
/// Between two attempts to take over while a result is being written.
const RETRY: Duration = Duration::from_millis(20);
/// Stack size of the worker thread. Searches that follow one path recurse as deep as it is long; memory is used only when touched.
const STACK: usize = 64 << 20;

static EVENTS: OnceLock<Sender<Event>> = OnceLock::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// Prints what can be said when work is given up, and says how the program ends.
pub type GiveUp = Box<dyn Fn(Limit) -> Result<u8, Failure> + Send>;

/// The end of work that does not stop when asked to.
pub struct Late {
    pub give_up: GiveUp,
    /// Time after the deadline before the work is given up. After Ctrl-C or for too much memory it is [`GRACE`].
    pub grace: Duration,
}

enum Event {
    Begun(Piece),
    Ended(u64),
    /// A piece of work was asked to stop.
    Stopped(u64, Limit),
    Interrupted,
    Done(u8),
}

/// A piece of work under limits.
struct Piece {
    number: u64,
    cancel: Cancel,
    /// The time to give up, once it was asked to stop.
    overdue: Option<Instant>,
    /// Resident bytes beyond which work that was asked to stop is given up at once.
    far_too_much: usize,
    /// None for work that is never given up.
    late: Option<Late>,
    bar: Option<ProgressBar>,
    _alarm: Option<Alarm>,
}

/// While this lives, the deadline, too much memory and Ctrl-C set the cancel flag.
pub struct Guard(u64);

impl Drop for Guard {
    fn drop(&mut self) {
        send(Event::Ended(self.0));
    }
}

/// Begins a piece of work.
pub fn guard(cancel: &Cancel, deadline: Option<Instant>, bytes: usize, late: Option<Late>, bar: Option<ProgressBar>) -> Guard {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    catch_interrupts();
    INTERRUPTED.store(false, Ordering::Relaxed);
    // A deadline that is over already must not depend on when the main thread wakes up.
    if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
        cancel.stop(Limit::Time);
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    // Memory that was freed before and is still held by the allocator does not count.
    let (most, held) = (most_resident(0, bytes), resident().unwrap_or(0));
    let flag = cancel.clone();
    let alarm = Alarm::new(deadline, Some(most.max(held.saturating_add(SLACK))), move |limit| {
        flag.stop(limit);
        send(Event::Stopped(number, limit));
    });
    let far_too_much = most.saturating_add(bytes / 16).saturating_add(SLACK);
    send(Event::Begun(Piece { number, cancel: cancel.clone(), overdue: None, far_too_much, late, bar, _alarm: alarm }));
    Guard(number)
}

/// Was Ctrl-C pressed since the last piece of work began?
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

fn send(event: Event) {
    // When the main thread has gone the program is at its end.
    if let Some(events) = EVENTS.get() {
        let _ = events.send(event);
    }
}

/// From now on the first Ctrl-C asks the work to stop; the second one, or one while there is none, ends the program.
fn catch_interrupts() {
    HANDLER.call_once(|| {
        let handler = || {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                leave(130);
            }
            send(Event::Interrupted);
        };
        // Without a handler Ctrl-C simply ends the program.
        let _ = ctrlc::set_handler(handler);
    });
}

/// Ends the program at once, without leaving a file half-written.
fn leave(code: i32) -> ! {
    output::clean_up();
    std::process::exit(code)
}

/// Runs a command and gives its exit code.
pub fn run(command: impl FnOnce() -> Result<u8, Failure> + Send + 'static) -> u8 {
    kibitzer_watch::return_freed_memory();
    let (sender, events) = mpsc::channel();
    let done = EVENTS.get_or_init(|| sender).clone();
    let work = move || {
        // The hook has printed the message of a panic.
        let code = catch_unwind(AssertUnwindSafe(|| finish(command()))).unwrap_or(INTERNAL);
        let _ = done.send(Event::Done(code));
    };
    match std::thread::Builder::new().name("work".to_owned()).stack_size(STACK).spawn(work) {
        Ok(_) => Main { events, pieces: Vec::new() }.wait(),
        Err(error) => finish(Err(Failure::internal(format!("no thread: {error}")))),
    }
}

/// Prints a failure, and gives the exit code.
fn finish(result: Result<u8, Failure>) -> u8 {
    result.unwrap_or_else(|failure| {
        output::hold(|| failure.print());
        failure.code
    })
}

struct Main {
    events: Receiver<Event>,
    pieces: Vec<Piece>,
}

impl Main {
    fn wait(mut self) -> u8 {
        loop {
            let event = match self.pieces.iter().filter_map(|piece| piece.overdue).min() {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(overdue) => self.events.recv_timeout(overdue.saturating_duration_since(Instant::now()).min(INTERVAL)),
            };
            match event {
                Ok(Event::Begun(piece)) => self.pieces.push(piece),
                Ok(Event::Ended(number)) => self.pieces.retain(|piece| piece.number != number),
                Ok(Event::Stopped(number, limit)) => {
                    let stopped = self.pieces.iter_mut().find(|piece| piece.number == number && piece.overdue.is_none());
                    stopped.into_iter().for_each(|piece| piece.leave_time(limit == Limit::Time));
                }
                Ok(Event::Interrupted) if self.pieces.is_empty() => leave(130),
                Ok(Event::Interrupted) => self.pieces.iter_mut().for_each(|piece| {
                    piece.cancel.stop(Limit::Time);
                    piece.leave_time(false);
                }),
                Ok(Event::Done(code)) => return code,
                // Nothing can be sent any more: the working thread ended without a word.
                Err(RecvTimeoutError::Disconnected) => return INTERNAL,
                Err(RecvTimeoutError::Timeout) => {
                    let held = resident().unwrap_or(0);
                    if let Some(code) = self.pieces.iter_mut().find_map(|piece| piece.give_up(held)) {
                        return code;
                    }
                }
            }
        }
    }
}

impl Piece {
    /// Leaves the work some time to stop, and more of it after a deadline.
    fn leave_time(&mut self, after_deadline: bool) {
        self.overdue = self.late.as_ref().map(|late| Instant::now() + if after_deadline { late.grace } else { GRACE });
    }

    /// Gives up work that is overdue or holds far too much, unless its result is being written. Returns the program's exit code.
    fn give_up(&mut self, held: usize) -> Option<u8> {
        let now = Instant::now();
        let due = self.overdue.is_some_and(|overdue| overdue <= now || held > self.far_too_much);
        let late = self.late.as_ref().filter(|_| due)?;
        match output::take_over() {
            Taken::Yes => {
                if let Some(bar) = &self.bar {
                    bar.finish_and_clear();
                }
                let limit = self.cancel.check().err().unwrap_or(Limit::Time);
                output::clean_up();
                Some(finish((late.give_up)(limit)))
            }
            Taken::Busy => {
                self.overdue = Some(now + RETRY);
                None
            }
            // The result is out: the work is at its end.
            Taken::Late => {
                self.overdue = None;
                None
            }
        }
    }
}
