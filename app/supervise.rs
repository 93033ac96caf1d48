//! The main thread. A command runs on a thread of its own; the main thread keeps its deadlines, watches how much memory the
//! program really holds, hears Ctrl-C, and if the work has not ended shortly after it was asked to, gives up in its place: so a
//! limit holds even where some code does not look at it, or waits for a pipe that nobody fills.
//!
//! Searches count what they hold and stop at their limit by themselves. The watch is for all that is not counted: boards while
//! they are read, drawings, states with parts on the heap, what the allocator keeps.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use kibitzer::limits::{Cancel, Limit};

use crate::failure::{Failure, INTERNAL};
use crate::output::{self, Taken};

/// How long work may go on after it was asked to stop.
pub const GRACE: Duration = Duration::from_millis(300);
/// Between two attempts to take over while a result is being written.
const RETRY: Duration = Duration::from_millis(20);
/// Between two looks at memory. In that time some 20 MB can be filled.
const LOOK: Duration = Duration::from_millis(10);
/// Memory that the program takes whatever it does, and what it may take beyond an eighth above its limit.
const SLACK: usize = 24 << 20;
/// Of the working thread. Searches that follow one path recurse as deep as it is long; memory is used only when touched.
const STACK: usize = 64 << 20;

static EVENTS: OnceLock<Sender<Event>> = OnceLock::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// Prints what can be said when work is given up, and says how the program ends.
pub type GiveUp = Box<dyn Fn(Limit) -> Result<u8, Failure> + Send>;

/// What happens if work does not end although it was asked to.
pub struct Late {
    pub give_up: GiveUp,
    /// How long it is waited for after its deadline. Ctrl-C and too much memory leave it [`GRACE`].
    pub grace: Duration,
}

enum Event {
    Begun(Piece),
    Ended(u64),
    Interrupted,
    Done(u8),
}

/// A piece of work under limits.
struct Piece {
    number: u64,
    cancel: Cancel,
    /// When it is to be asked to stop.
    deadline: Option<Instant>,
    /// When to give up in its place, once it was asked to stop.
    overdue: Option<Instant>,
    /// Bytes that the program may hold.
    memory: Memory,
    /// None for work that is waited for all the same.
    late: Option<Late>,
    bar: Option<ProgressBar>,
}

/// Bytes that the program may hold while a piece of work goes on.
#[derive(Clone, Copy)]
struct Memory {
    /// Beyond this, the work is asked to stop; what was freed before and is still held by the allocator does not count.
    most: usize,
    /// Beyond this, it is given up at once.
    far_too_much: usize,
}

impl Memory {
    fn new(limit: usize) -> Memory {
        let most = most_resident(limit);
        let held = resident().unwrap_or(0);
        Memory { most: most.max(held.saturating_add(SLACK)), far_too_much: most.saturating_add(limit / 16).saturating_add(SLACK) }
    }
}

/// Bytes that the program may hold in all if its work is limited to `limit`: an eighth more, and what it takes anyway.
pub fn most_resident(limit: usize) -> usize {
    limit.saturating_add(limit / 8).saturating_add(SLACK)
}

/// Bytes of memory that the program holds now, where the system tells.
pub fn resident() -> Option<usize> {
    /// Linux has pages of other sizes only where it was built so, and tells the size nowhere in a file.
    const PAGE: usize = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split(' ').nth(1)?.parse::<usize>().ok()? * PAGE)
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
    send(Event::Begun(Piece { number, cancel: cancel.clone(), deadline, overdue: None, memory: Memory::new(bytes), late, bar }));
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
    let (sender, events) = mpsc::channel();
    let done = EVENTS.get_or_init(|| sender).clone();
    let work = move || {
        // What a panic is about was printed by the hook.
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
            let look = self.pieces.first().map(|_| Instant::now() + LOOK);
            let wake = self.pieces.iter().filter_map(|piece| piece.overdue.or(piece.deadline)).chain(look).min();
            let event = match wake {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(wake) => self.events.recv_timeout(wake.saturating_duration_since(Instant::now())),
            };
            match event {
                Ok(Event::Begun(piece)) => self.pieces.push(piece),
                Ok(Event::Ended(number)) => self.pieces.retain(|piece| piece.number != number),
                Ok(Event::Interrupted) if self.pieces.is_empty() => leave(130),
                Ok(Event::Interrupted) => self.pieces.iter_mut().for_each(|piece| piece.stop(Limit::Time)),
                Ok(Event::Done(code)) => return code,
                // Nothing can be sent any more: the working thread ended without a word.
                Err(RecvTimeoutError::Disconnected) => return INTERNAL,
                Err(RecvTimeoutError::Timeout) => {
                    let held = resident().unwrap_or(0);
                    self.pieces.iter_mut().for_each(|piece| piece.weigh(held));
                    if let Some(code) = self.pieces.iter_mut().find_map(Piece::on_time) {
                        return code;
                    }
                }
            }
        }
    }
}

impl Piece {
    fn stop(&mut self, why: Limit) {
        self.cancel.stop(why);
        self.deadline = None;
        self.overdue = self.late.as_ref().map(|_| Instant::now() + GRACE);
    }

    /// Stops the work if the program holds too much.
    fn weigh(&mut self, held: usize) {
        if held > self.memory.most && self.cancel.check().is_ok() {
            self.stop(Limit::Memory);
        }
        if held > self.memory.far_too_much && self.overdue.is_some() {
            self.overdue = Some(Instant::now());
        }
    }

    /// Does what is to be done by now; a code ends the program.
    fn on_time(&mut self) -> Option<u8> {
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            self.stop(Limit::Time);
            self.overdue = self.late.as_ref().map(|late| now + late.grace);
        }
        let late = self.late.as_ref().filter(|_| self.overdue.is_some_and(|overdue| overdue <= now))?;
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
