//! Workers that send each other parcels, over the timely engine's channels between threads and processes.
//!
//! Work is divided into *phases* that all workers go through together. At the end of a phase, each worker notifies all others.
//! Parcels from one worker to another arrive in order, so a phase is over when all notices have arrived. Within a phase, a worker
//! sends in *rounds* of bounded size, and waits for workers that have not taken the parcels of its last few rounds, because the
//! engine's queues are unbounded.
//!
//! A worker that has to stop notifies all others during the phase. At the end of that phase, all workers stop for the same reason.
//!
//! A parcel contains thousands of states, so sending a state costs little more than copying it.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kibitzer::limits::Limits;
use serde::Serialize;
use serde::de::DeserializeOwned;
use timely_bytes::arc::Bytes;
use timely_communication::{Allocator, Bytesable, Pull, Push, initialize_from};

use super::Halt;
use super::net::{self, Cluster};

/// A message from one worker to another.
#[derive(Debug)]
pub struct Parcel {
    pub from: u32,
    /// The phase in which the parcel was sent, because a fast worker may be one phase ahead.
    phase: u32,
    /// The layer of the states in the parcel, or any other number whose meaning the sender and the receiver agree on.
    pub tag: u32,
    /// The number of states or other records.
    pub count: u32,
    pub bytes: Vec<u8>,
}

/// Size of the four numbers at the beginning of a parcel, in bytes.
const HEAD: usize = 16;

impl Bytesable for Parcel {
    fn from_bytes(bytes: Bytes) -> Parcel {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Parcel { from: number(0), phase: number(4), tag: number(8), count: number(12), bytes: bytes[HEAD..].to_vec() }
    }

    fn length_in_bytes(&self) -> usize {
        HEAD + self.bytes.len()
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let head = [self.from, self.phase, self.tag, self.count].map(u32::to_le_bytes);
        // The engine has already reserved the space.
        let _ = writer.write_all(head.as_flattened()).and_then(|()| writer.write_all(&self.bytes));
    }
}

pub type Take<'a> = &'a mut dyn FnMut(Parcel) -> Result<(), Halt>;

/// A tag of the communicator's own parcels: the sender is stopping.
const STOP: u32 = u32::MAX;
/// The sender has ended a phase.
const END: u32 = u32::MAX - 1;
/// The sender has filled a round.
const FILLED: u32 = u32::MAX - 2;
/// The sender has taken a round that the receiver filled.
const TAKEN: u32 = u32::MAX - 3;
/// The number of rounds by which a worker may be ahead of the slowest receiver.
pub const AHEAD: u32 = 3;
/// Maximum time to wait for a parcel before the limits are checked again.
const PARK: Duration = Duration::from_millis(10);

/// One worker's end of all channels.
pub struct Communicator {
    allocator: Allocator,
    pushers: Vec<Box<dyn Push<Parcel>>>,
    puller: Box<dyn Pull<Parcel>>,
    inbox: Vec<Parcel>,
    pub index: usize,
    pub peers: usize,
    phase: u32,
    /// The number of phases that each worker has ended.
    ended: Vec<u32>,
    /// The number of rounds in this phase.
    round: u32,
    /// The number of rounds in this phase that each worker has taken.
    taken: Vec<u32>,
    /// Bytes sent in this round.
    sent: usize,
    /// Size of a round, in bytes.
    most: usize,
    /// The reason for stopping, if this worker is stopping.
    halt: Option<Halt>,
    /// True if any worker stops.
    stopping: bool,
    pub messages: u64,
    pub bytes: u64,
}

impl Communicator {
    /// Joins the other workers. `most` is the size of a round in bytes.
    fn join(mut allocator: Allocator, most: usize) -> Communicator {
        let (pushers, puller) = allocator.allocate(0);
        let (index, peers) = (allocator.index(), allocator.peers());
        Communicator {
            allocator,
            pushers,
            puller,
            inbox: Vec::new(),
            index,
            peers,
            phase: 0,
            ended: vec![0; peers],
            round: 0,
            taken: vec![0; peers],
            sent: 0,
            most,
            halt: None,
            stopping: false,
            messages: 0,
            bytes: 0,
        }
    }

    /// Sends a parcel. [`Communicator::turn`] should be called soon after.
    pub fn send(&mut self, to: usize, tag: u32, count: usize, bytes: Vec<u8>) {
        self.sent += bytes.len() + size_of::<Parcel>();
        self.messages += 1;
        self.bytes += bytes.len() as u64;
        self.push(to, self.phase, tag, count as u32, bytes);
    }

    fn push(&mut self, to: usize, phase: u32, tag: u32, count: u32, bytes: Vec<u8>) {
        self.pushers[to].send(Parcel { from: self.index as u32, phase, tag, count, bytes });
    }

    /// Sends one of the communicator's own parcels to all other workers.
    fn push_all(&mut self, phase: u32, tag: u32, count: u32) {
        let index = self.index;
        (0..self.peers).filter(|to| *to != index).for_each(|to| self.push(to, phase, tag, count, Vec::new()));
    }

    /// Receives the parcels that have arrived. If no parcels have arrived and `wait` is set, waits briefly.
    fn receive(&mut self, wait: bool) {
        self.allocator.release();
        for last in [!wait, true] {
            let mut received = false;
            self.allocator.receive();
            self.allocator.events().borrow_mut().clear();
            while let Some(parcel) = self.puller.recv() {
                received = true;
                match parcel.tag {
                    END => self.ended[parcel.from as usize] = parcel.phase,
                    _ => self.inbox.push(parcel),
                }
            }
            if last || received {
                return;
            }
            self.allocator.await_events(Some(PARK));
        }
    }

    /// Takes the parcels that have arrived. If this round is full, waits until no receiver is far behind.
    pub fn turn(&mut self, take: Take) -> Result<(), Halt> {
        if self.peers == 1 && self.sent == 0 {
            return Ok(());
        }
        if self.sent >= self.most {
            self.sent = 0;
            self.round += 1;
            self.push_all(self.phase, FILLED, self.round);
        }
        self.receive(false);
        self.open(self.phase).into_iter().try_for_each(&mut *take)?;
        while self.is_ahead() && !self.stopping {
            self.receive(true);
            self.open(self.phase).into_iter().try_for_each(&mut *take)?;
        }
        Ok(())
    }

    fn is_ahead(&self) -> bool {
        let slowest = (0..self.peers).filter(|of| *of != self.index).map(|of| self.taken[of]).min();
        slowest.is_some_and(|slowest| slowest + AHEAD < self.round)
    }

    /// The parcels of a phase that have arrived, without the communicator's own.
    fn open(&mut self, phase: u32) -> Vec<Parcel> {
        let mut opened = Vec::new();
        for parcel in std::mem::take(&mut self.inbox) {
            let from = parcel.from as usize;
            match parcel.tag {
                _ if parcel.phase > phase => self.inbox.push(parcel),
                // The parcel belongs to a phase that is over.
                _ if parcel.phase < phase => {}
                STOP => self.stopping = true,
                FILLED => self.push(from, phase, TAKEN, parcel.count, Vec::new()),
                TAKEN => self.taken[from] = parcel.count,
                _ => opened.push(parcel),
            }
        }
        opened
    }

    /// Makes all workers stop at the end of this phase. If several workers give a reason, the one from the worker with the lowest index
    /// is used.
    pub fn stop(&mut self, why: Halt) {
        self.push_all(self.phase, STOP, 0);
        self.stopping = true;
        self.halt.get_or_insert(why);
    }

    /// True if any worker stops.
    pub fn stops(&self) -> bool {
        self.stopping
    }

    /// Ends the phase, and returns when everything sent in it has arrived. Fails on all workers if one of them stops or cannot
    /// process a parcel.
    pub fn finish(&mut self, take: Take) -> Result<(), Halt> {
        self.settle(take);
        self.agree(Ok(()))
    }

    /// Like [`Communicator::finish`], but stores any error for the next call, which must be to one of the functions below.
    pub fn settle(&mut self, take: Take) {
        let mut fault = None;
        self.complete(&mut |parcel| {
            if fault.is_none() {
                fault = take(parcel).err();
            }
        });
        self.halt = self.halt.take().or(fault);
    }

    /// Collects the bytes from each worker, in order. If any workers stop instead, the error is the reason of the one with the lowest
    /// index.
    fn gather(&mut self, mine: Result<Vec<u8>, Halt>) -> Result<Vec<Vec<u8>>, Halt> {
        let mine = self.halt.take().map_or(mine, Err);
        self.stopping = false;
        let stops = mine.is_err();
        let bytes = mine.unwrap_or_else(|why| serde_json::to_vec(&why).unwrap_or_default());
        (0..self.peers).for_each(|to| self.send(to, 0, usize::from(stops), bytes.clone()));
        let mut all: Vec<Option<Parcel>> = (0..self.peers).map(|_| None).collect();
        self.complete(&mut |parcel| {
            let from = parcel.from as usize;
            all[from] = Some(parcel);
        });
        let mut gathered = Vec::with_capacity(self.peers);
        for parcel in all {
            match parcel {
                Some(parcel) if parcel.count == 0 => gathered.push(parcel.bytes),
                Some(parcel) => return Err(serde_json::from_slice(&parcel.bytes).unwrap_or_else(|_| unreadable())),
                None => return Err(unreadable()),
            }
        }
        Ok(gathered)
    }

    /// Returns this worker's result if all workers succeeded; otherwise, the error of the failed worker with the lowest index.
    pub fn agree<T>(&mut self, mine: Result<T, Halt>) -> Result<T, Halt> {
        match mine {
            Ok(mine) => self.gather(Ok(Vec::new())).map(|_| mine),
            Err(why) => Err(self.gather(Err(why.clone())).err().unwrap_or(why)),
        }
    }

    /// Collects the values from all workers, in order.
    pub fn collect<T: Serialize + DeserializeOwned>(&mut self, mine: Result<T, Halt>) -> Result<Vec<T>, Halt> {
        let all = self.gather(mine.map(|mine| serde_json::to_vec(&mine).unwrap_or_default()))?;
        all.iter().map(|text| serde_json::from_slice(text).map_err(|_| unreadable())).collect()
    }

    /// Adds up the numbers of all workers.
    pub fn sum(&mut self, mine: u64) -> Result<u64, Halt> {
        Ok(self.collect(Ok(mine))?.iter().sum())
    }

    /// Returns the minimum of all workers' numbers, or `None` if no worker has a number.
    pub fn least(&mut self, mine: Option<u32>) -> Result<Option<u32>, Halt> {
        Ok(self.collect(Ok(mine))?.into_iter().flatten().min())
    }

    /// Returns true if `mine` is true for any worker.
    pub fn any(&mut self, mine: bool) -> Result<bool, Halt> {
        Ok(self.collect(Ok(mine))?.contains(&true))
    }

    fn complete(&mut self, take: &mut dyn FnMut(Parcel)) {
        let phase = self.phase;
        self.phase += 1;
        self.push_all(self.phase, END, 0);
        self.ended[self.index] = self.phase;
        self.receive(false);
        loop {
            let over = self.ended.iter().all(|ended| *ended > phase);
            self.open(phase).into_iter().for_each(&mut *take);
            if over {
                (self.sent, self.round) = (0, 0);
                self.taken.fill(0);
                return;
            }
            self.receive(true);
        }
    }
}

impl Drop for Communicator {
    /// Ends all phases, so that no worker waits for this one, and then waits until all other workers are also done.
    fn drop(&mut self) {
        self.push_all(u32::MAX, END, 0);
        self.ended[self.index] = u32::MAX;
        self.receive(false);
        while !std::thread::panicking() && self.ended.iter().any(|ended| *ended < u32::MAX) {
            self.receive(true);
            self.inbox.clear();
        }
    }
}

fn unreadable() -> Halt {
    Halt::fault("a worker sent unreadable data", "run the command again")
}

type Work = Box<dyn Fn(&mut Communicator) -> Result<(), Halt> + Send + Sync>;

/// Starts all workers of this process, connects them to those of the other processes, and returns this process's results.
pub fn run<T: Send + 'static>(
    setup: &Cluster,
    limits: &Limits,
    round: usize,
    work: impl Fn(&mut Communicator) -> Result<T, Halt> + Send + Sync + 'static,
) -> Result<Vec<T>, Halt> {
    let found: Arc<Mutex<Vec<Option<T>>>> = Arc::new(Mutex::new((0..setup.workers).map(|_| None).collect()));
    let (results, workers) = (Arc::clone(&found), setup.workers);
    start(
        setup,
        limits,
        round,
        Box::new(move |comm| {
            let result = work(comm)?;
            results.lock().unwrap_or_else(PoisonError::into_inner)[comm.index % workers] = Some(result);
            Ok(())
        }),
    )?;
    let found = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(found.into_iter().flatten().collect())
}

/// Like [`run`], but the workers return nothing, so that the engine's code is compiled only once.
fn start(setup: &Cluster, limits: &Limits, round: usize, work: Work) -> Result<(), Halt> {
    let connected = net::connect(setup, limits)?;
    let started = initialize_from(connected.builders, connected.others, move |allocator| work(&mut Communicator::join(allocator, round)));
    let workers = started.map_err(|error| Halt::fault(format!("the workers cannot start: {error}"), "use fewer workers"))?;
    // The panic hook has already printed the message.
    let broken = |_| Err(Halt::fault("a worker thread panicked", "this is a bug; please report it and include the command and the board"));
    let done = workers.join().into_iter().try_for_each(|result| result.unwrap_or_else(broken));
    connected.pulses.end();
    done
}
