//! Workers that send each other parcels, on one timely dataflow: an input of each worker, an exchange by address, and an inbox.
//!
//! Work goes in *phases* that all workers go through alike. A phase is over when every parcel sent in it has arrived, which the
//! engine's progress tracking says. Within a phase a worker sends in *rounds* of bounded size, and waits when it is some rounds
//! ahead of the slowest: the engine's queues have no bound of their own, so this is what keeps them short.
//!
//! Whoever must stop tells all others within the phase; at its end all know, and all leave with the same reason. A parcel holds
//! thousands of states, so the engine's cost per state is that of copying it.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use kibitzer::limits::Limits;
use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use super::Halt;
use super::net::{self, Cluster};

/// Something from one worker for another.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Parcel {
    pub to: u32,
    pub from: u32,
    /// When it was sent: a fast worker may be in the next phase already.
    phase: u32,
    /// What it is: a layer, or whatever sender and receiver agree on.
    pub tag: u32,
    /// How many states, or whatever else, are in it.
    pub count: u32,
    pub bytes: Payload,
}

/// Bytes that are serialized in one piece.
#[derive(Clone, Debug, Default)]
pub struct Payload(pub Vec<u8>);

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Payload;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Payload, E> {
                Ok(Payload(bytes.to_vec()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Payload, E> {
                Ok(Payload(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}

/// The tags of parcels that the communicator itself sends.
const STOP: u32 = u32::MAX;
const REDUCE: u32 = u32::MAX - 1;
/// Rounds that a worker may be ahead of the slowest.
pub const AHEAD: u64 = 3;
/// Rounds of a phase.
const ROUNDS: u32 = 32;
/// How long to wait for a parcel before looking at the limits again.
const PARK: Duration = Duration::from_millis(10);

/// One worker's end.
pub struct Communicator<'w> {
    worker: &'w mut Worker,
    input: InputHandle<u64, timely::container::CapacityContainerBuilder<Vec<Parcel>>>,
    probe: ProbeHandle<u64>,
    inbox: Rc<RefCell<Vec<Parcel>>>,
    pub index: usize,
    pub peers: usize,
    /// The phase in the upper half, the round in the lower.
    time: u64,
    /// Bytes sent in this round, and how many that may be.
    sent: usize,
    round: usize,
    halts: Vec<(u32, Halt)>,
    pub messages: u64,
    pub bytes: u64,
}

impl<'w> Communicator<'w> {
    /// Joins the other workers. `round` is the size of a round in bytes.
    pub fn join(worker: &'w mut Worker, round: usize) -> Communicator<'w> {
        let inbox = Rc::new(RefCell::new(Vec::new()));
        let (index, peers) = (worker.index(), worker.peers());
        let arrived = Rc::clone(&inbox);
        let (input, probe) = worker.dataflow::<u64, _, _>(|scope| {
            let (input, parcels) = scope.new_input::<Vec<Parcel>>();
            let to = Exchange::new(|parcel: &Parcel| u64::from(parcel.to));
            let delivered = parcels.unary::<timely::container::CapacityContainerBuilder<Vec<()>>, _, _, _>(to, "deliver", |_, _| {
                move |input, _| {
                    input.for_each_time(|_, parcels| {
                        let mut inbox = arrived.borrow_mut();
                        parcels.for_each(|some| inbox.append(some));
                    });
                }
            });
            (input, delivered.probe().0)
        });
        Communicator { worker, input, probe, inbox, index, peers, time: 0, sent: 0, round, halts: Vec::new(), messages: 0, bytes: 0 }
    }

    /// Sends a parcel. Its sender should take a [`Communicator::turn`] soon.
    pub fn send(&mut self, to: usize, tag: u32, count: usize, bytes: Vec<u8>) {
        self.sent += bytes.len() + size_of::<Parcel>();
        self.messages += 1;
        self.bytes += bytes.len() as u64;
        let (to, from, phase, count) = (to as u32, self.index as u32, self.phase(), count as u32);
        self.input.send(Parcel { to, from, phase, tag, count, bytes: Payload(bytes) });
        self.input.flush();
    }

    fn phase(&self) -> u32 {
        (self.time >> ROUNDS) as u32
    }

    /// Takes what has arrived. If this round is full, waits until no worker is far behind.
    pub fn turn(&mut self, take: &mut dyn FnMut(Parcel) -> Result<(), Halt>) -> Result<(), Halt> {
        if self.peers == 1 {
            return Ok(());
        }
        if self.sent >= self.round {
            self.sent = 0;
            self.time += 1;
            self.input.advance_to(self.time);
        }
        self.worker.step();
        self.open(self.phase()).into_iter().try_for_each(&mut *take)?;
        // Before the first rounds of a phase there is the one before, which is over.
        let behind = self.time.saturating_sub(AHEAD).max(self.time >> ROUNDS << ROUNDS);
        while self.probe.less_than(&behind) && !self.stops() {
            self.worker.step_or_park(Some(PARK));
            self.open(self.phase()).into_iter().try_for_each(&mut *take)?;
        }
        Ok(())
    }

    /// What has arrived of this phase, without what the communicator itself sent.
    fn open(&mut self, phase: u32) -> Vec<Parcel> {
        let mut inbox = self.inbox.borrow_mut();
        if inbox.is_empty() {
            return Vec::new();
        }
        let (now, later): (Vec<Parcel>, Vec<Parcel>) = inbox.drain(..).partition(|parcel| parcel.phase == phase);
        *inbox = later;
        drop(inbox);
        let (stops, parcels): (Vec<Parcel>, Vec<Parcel>) = now.into_iter().partition(|parcel| parcel.tag == STOP);
        for stop in stops {
            let why = serde_json::from_slice(&stop.bytes.0).unwrap_or_else(|_| Halt::fault("a worker stopped", "run it again"));
            self.halts.push((stop.from, why));
        }
        parcels
    }

    /// Tells all workers, this one as well, to stop at the end of this phase. Of several reasons that of the first worker counts.
    pub fn stop(&mut self, why: Halt) {
        if let Ok(text) = serde_json::to_vec(&why) {
            for to in 0..self.peers {
                if to != self.index {
                    self.send(to, STOP, 0, text.clone());
                }
            }
        }
        self.halts.push((self.index as u32, why));
    }

    /// Did anybody ask to stop?
    pub fn stops(&self) -> bool {
        !self.halts.is_empty()
    }

    /// Ends the phase: returns when everything that was sent in it has arrived, and fails on all workers if anybody asked to
    /// stop or cannot take what arrives.
    pub fn finish(&mut self, take: &mut dyn FnMut(Parcel) -> Result<(), Halt>) -> Result<(), Halt> {
        self.settle(take);
        self.share(()).map(|_| ())
    }

    /// Ends the phase, when everything that was sent in it has arrived. [`Communicator::share`] must follow: it says whether all went well.
    pub fn settle(&mut self, take: &mut dyn FnMut(Parcel) -> Result<(), Halt>) {
        let mut fault = None;
        self.complete(&mut |parcel| {
            if fault.is_none() {
                fault = take(parcel).err();
            }
        });
        self.halts.extend(fault.map(|why| (self.index as u32, why)));
    }

    /// What each worker says, in their order, or why one of them stopped.
    pub fn share<T: Serialize + DeserializeOwned>(&mut self, mine: T) -> Result<Vec<T>, Halt> {
        // Stops sent within the phase are known to all by now, but not what went wrong at its very end.
        let halts: Vec<Halt> = self.halts.iter().filter(|(from, _)| *from == self.index as u32).map(|(_, why)| why.clone()).collect();
        let (halts, all): (Vec<Vec<Halt>>, Vec<T>) = self.reduce(&(halts, mine))?.into_iter().unzip();
        halts.into_iter().flatten().next().map_or(Ok(all), Err)
    }

    /// What each worker says, in their order.
    pub fn reduce<T: Serialize + DeserializeOwned>(&mut self, mine: &T) -> Result<Vec<T>, Halt> {
        let text = serde_json::to_vec(mine).unwrap_or_default();
        (0..self.peers).for_each(|to| self.send(to, REDUCE, 0, text.clone()));
        let mut all: Vec<(u32, Vec<u8>)> = Vec::new();
        self.complete(&mut |parcel| all.push((parcel.from, parcel.bytes.0)));
        all.sort_by_key(|(from, _)| *from);
        let read: Vec<T> = all.iter().filter_map(|(_, text)| serde_json::from_slice(text).ok()).collect();
        if read.len() == self.peers { Ok(read) } else { Err(Halt::fault("a worker sent what cannot be read", "run the command again")) }
    }

    /// What each worker has, in their order, or the first reason why one of them has nothing.
    pub fn agree<T: Serialize + DeserializeOwned>(&mut self, mine: Result<T, Halt>) -> Result<Vec<T>, Halt> {
        self.reduce(&mine)?.into_iter().collect()
    }

    fn complete(&mut self, take: &mut dyn FnMut(Parcel)) {
        let phase = self.phase();
        self.time = u64::from(phase + 1) << ROUNDS;
        self.sent = 0;
        self.input.advance_to(self.time);
        loop {
            let over = !self.probe.less_than(&self.time);
            self.open(phase).into_iter().for_each(&mut *take);
            if over {
                return;
            }
            self.worker.step_or_park(Some(PARK));
        }
    }
}

/// Starts all workers of this process, connects them to those of the others, and gives what each worker of this process found.
pub fn run<T: Send + 'static>(
    setup: &Cluster,
    limits: &Limits,
    round: usize,
    work: impl Fn(&mut Communicator) -> Result<T, Halt> + Send + Sync + 'static,
) -> Result<Vec<T>, Halt> {
    let connected = net::connect(setup, limits)?;
    let config = timely::WorkerConfig::default();
    let started = timely::execute::execute_from(connected.builders, connected.others, config, move |worker| {
        let mut comm = Communicator::join(worker, round);
        work(&mut comm)
    });
    let workers = started.map_err(|error| Halt::fault(format!("the workers cannot start: {error}"), "use fewer workers"))?;
    let found = workers.join().into_iter().map(|result| match result {
        Ok(result) => result,
        // What a panic is about was printed by the hook.
        Err(_) => Err(Halt::fault("a worker thread broke down", "please report it with the command and the board")),
    });
    let found = found.collect::<Result<Vec<T>, Halt>>();
    connected.pulses.end();
    found
}
