//! Labels positions that can repeat, by retrograde analysis in rounds.
//!
//! Each worker holds its own positions in memory, with the moves that lead to them: first, every worker sends each of its moves to the
//! owner of the position after it. In each round, the owners of the positions decided in the round before notify the owners of the
//! positions before these. A position is won as soon as one successor is lost, and lost as soon as all successors are won. So the number of the
//! round is the length of best play. Positions that no round decides are draws; further rounds find those from which both players together
//! can reach a drawn end. The labels do not depend on the number of workers or on the order of messages.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use kibitzer::limits::{Limit, Limits};
use kibitzer::outcome::Worth;
use kibitzer::search::explore;
use kibitzer::search::store::{Id, Store};
use kibitzer::space::{Batch, Space};

use super::super::block::Label;
use super::super::checkpoint::LayerFile;
use super::super::communicator::{Communicator, Parcel};
use super::super::expand::SharedProgress;
use super::super::monitor::Monitor;
use super::super::table::{Meta, StateFile, Writer};
use super::super::{Halt, route};
use super::{Expanded, LayerToLabel, Open, Positions, TOGETHER, missing};

/// Size of a parcel, in bytes.
const PARCEL: usize = 64 << 10;
/// Size of the id of a position in a message, in bytes.
const ID: usize = size_of::<Id>();
/// The value of an undecided position. Other values are four times the length plus the score.
const OPEN: u32 = u32::MAX;

/// A worker that labels its positions together with all other workers.
pub struct Rounds<'a> {
    pub space: &'a dyn Space,
    pub limits: &'a Limits,
    pub shared: &'a Arc<SharedProgress>,
    /// Maximum bytes that this worker may hold.
    pub budget: usize,
    pub buckets: Range<usize>,
}

/// A move to one of this worker's positions: the position, the worker that owns the position before the move, and that position's id there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    to: Id,
    worker: u32,
    from: Id,
}

/// This worker's positions of all layers, in the order of their files.
struct Held {
    states: Store,
    /// The ids of each layer.
    layers: Vec<(u32, Range<usize>)>,
}

/// The decisions about this worker's positions so far.
struct Decisions {
    values: Vec<u32>,
    /// Number of moves from each position to a position that is not known to be won by the next player.
    left: Vec<u32>,
    /// Positions decided in the current round.
    fresh: Vec<Id>,
}

impl Decisions {
    fn decide(&mut self, id: Id, score: u8, length: u32) {
        self.values[id as usize] = length << 2 | u32::from(score);
        self.fresh.push(id);
    }

    /// Records that a move from a position leads to one with this score, which was decided in the round before.
    fn hear(&mut self, id: Id, score: u8, round: u32) -> Result<(), Halt> {
        if *self.values.get(id as usize).ok_or_else(missing)? != OPEN {
            return Ok(());
        }
        if score == 2 {
            let left = &mut self.left[id as usize];
            *left = left.checked_sub(1).ok_or_else(missing)?;
            if *left > 0 {
                return Ok(());
            }
        }
        self.decide(id, 2 - score, round);
        Ok(())
    }
}

/// The label for a value.
fn label(value: u32) -> Label {
    match value {
        OPEN => Label { score: 1, grundy: 0, length: Worth::ENDLESS },
        // The greatest length is reserved for draws that never end.
        _ => Label { score: (value & 3) as u8, grundy: 0, length: (value >> 2).min(u32::from(Worth::ENDLESS) - 1) as u16 },
    }
}

impl Rounds<'_> {
    /// Labels all positions and writes the labels of this worker's positions to one file per layer. Returns these files, and the counts of
    /// each layer over all workers.
    pub fn label(
        &self,
        layers: &[u32],
        tables: &[(u32, StateFile)],
        folder: &Path,
        meta: &Meta,
        comm: &mut Communicator,
    ) -> Result<(Vec<LayerFile>, Vec<explore::Layer>), Halt> {
        let monitor = Monitor::new(self.limits, self.shared);
        let held = comm.agree(self.load(layers, tables, &monitor))?;
        let (arrivals, mut decisions) = self.link(&held, &monitor, comm)?;
        self.decide(&arrivals, &mut decisions, &monitor, comm)?;
        drop(arrivals);
        let written = comm.agree(self.write(&held, &decisions.values, folder, meta, &monitor))?;
        let (files, counts): (Vec<Option<LayerFile>>, Vec<explore::Layer>) = written.into_iter().unzip();
        let of_all = comm.collect(Ok(counts))?;
        let sum = |at: usize| of_all.iter().map(|counts| counts[at]).fold(explore::Layer::default(), |sum, part| sum.plus(&part));
        Ok((files.into_iter().flatten().collect(), (0..layers.len()).map(sum).collect()))
    }

    /// Fails if the worker would hold more bytes than it may.
    fn room(&self, bytes: usize, monitor: &Monitor) -> Result<(), Halt> {
        if bytes > self.budget {
            return Err(Limit::Memory.into());
        }
        monitor.holds(bytes);
        Ok(())
    }

    /// Reads this worker's positions.
    fn load(&self, layers: &[u32], tables: &[(u32, StateFile)], monitor: &Monitor) -> Result<Held, Halt> {
        let mut held = Held { states: Store::new(self.space.width()), layers: Vec::new() };
        let mut batch = Batch::new(self.space.width());
        for &layer in layers {
            let tables: Vec<(u32, StateFile)> = tables.iter().filter(|(of, _)| *of == layer).cloned().collect();
            let mut positions = Positions::new(&LayerToLabel { layer, reach: None, tables: &tables }, &self.buckets);
            let first = held.states.len();
            while let Some((_, state)) = positions.next()? {
                batch.push(|out| out.copy_from_slice(state));
                if batch.len() == 1024 {
                    monitor.steps(batch.len())?;
                    self.room(held.states.bytes_after(batch.len()), monitor)?;
                    held.states.insert_all(&mut batch, |_, _, _| ());
                }
            }
            held.states.insert_all(&mut batch, |_, _, _| ());
            held.layers.push((layer, first..held.states.len()));
        }
        Ok(held)
    }

    /// Sends all moves to the owners of the positions after them. Returns the moves to this worker's positions, sorted, and the ends of the
    /// game.
    fn link(&self, held: &Held, monitor: &Monitor, comm: &mut Communicator) -> Result<(Vec<Arrival>, Decisions), Halt> {
        let count = held.states.len();
        // Later, two lists of decided positions are added.
        let fixed = held.states.bytes() + count * (size_of::<u32>() * 2 + 2 * size_of::<Id>());
        let mut decisions = Decisions { values: Vec::new(), left: Vec::new(), fresh: Vec::new() };
        let mut arrivals: Vec<Arrival> = Vec::new();
        let width = self.space.width();
        let mut hear = |parcel: Parcel| {
            for message in parcel.bytes.chunks_exact(ID + width) {
                let to = held.states.find(&message[ID..]).ok_or_else(missing)?;
                if arrivals.len() == arrivals.capacity() {
                    let more = arrivals.capacity().max(1024);
                    self.room(fixed + (2 * arrivals.capacity() + more) * size_of::<Arrival>(), monitor)?;
                    arrivals.reserve_exact(more);
                }
                arrivals.push(Arrival { to, worker: parcel.from, from: id_of(message) });
            }
            Ok(())
        };
        let sent = self.room(fixed, monitor).and_then(|()| self.send_moves(held, &mut decisions, monitor, comm, &mut hear));
        if let Err(why) = sent {
            comm.stop(why);
        }
        comm.finish(&mut hear)?;
        arrivals.sort_unstable();
        Ok((arrivals, decisions))
    }

    /// Sends each move of this worker's positions, and records the number of moves and the ends of the game.
    fn send_moves(
        &self,
        held: &Held,
        decisions: &mut Decisions,
        monitor: &Monitor,
        comm: &mut Communicator,
        hear: &mut dyn FnMut(Parcel) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let count = held.states.len();
        decisions.values = vec![OPEN; count];
        decisions.left = vec![0; count];
        let mut expanded = Expanded::new(self.space.width());
        let mut outgoing = Outgoing::new(comm);
        let mut next = 0;
        while next < count && !comm.stops() {
            expanded.positions.clear();
            let first = next;
            next = count.min(first + TOGETHER);
            (first..next).for_each(|id| expanded.positions.push(|out| out.copy_from_slice(held.states.get(id as Id))));
            self.space.successors(&expanded.positions, &mut expanded.next, self.limits)?;
            let mut begin = 0;
            for (id, parent) in (first as Id..).zip(expanded.next.parents()) {
                let moves = begin..parent.end;
                begin = parent.end;
                decisions.left[id as usize] = moves.len() as u32;
                let end = Open::new(parent.status).over;
                // A player who cannot move loses.
                if let Some(score) = end.or(moves.is_empty().then_some(0)) {
                    decisions.decide(id, score, 0);
                }
                for state in moves.map(|at| expanded.next.states().get(at)) {
                    let to = route::owner(route::bucket(state), comm.peers);
                    outgoing.add(to, &[&id.to_le_bytes(), state], comm, hear)?;
                }
            }
            self.shared.expanded.fetch_add((next - first) as u64, Ordering::Relaxed);
            monitor.steps(next - first + begin)?;
        }
        outgoing.flush(comm, hear)
    }

    /// Decides all positions, round by round.
    fn decide(&self, arrivals: &[Arrival], decisions: &mut Decisions, monitor: &Monitor, comm: &mut Communicator) -> Result<(), Halt> {
        let ends = std::mem::take(&mut decisions.fresh);
        // First the wins and losses. Then the draws, which no win or loss depends on.
        for drawn in [false, true] {
            let is_drawn = |id: &Id| decisions.values[*id as usize] & 3 == 1;
            let mut decided: Vec<Id> = ends.iter().filter(|id| is_drawn(id) == drawn).copied().collect();
            let mut round = 0;
            while comm.sum(decided.len() as u64)? > 0 {
                round += 1;
                if let Err(why) = self.notify(&decided, arrivals, decisions, round, monitor, comm) {
                    comm.stop(why);
                }
                comm.finish(&mut |parcel| hear(decisions, &parcel, round))?;
                decided = std::mem::take(&mut decisions.fresh);
            }
        }
        Ok(())
    }

    /// Notifies the owners of the positions before these, which were decided in the round before.
    fn notify(
        &self,
        decided: &[Id],
        arrivals: &[Arrival],
        decisions: &mut Decisions,
        round: u32,
        monitor: &Monitor,
        comm: &mut Communicator,
    ) -> Result<(), Halt> {
        let mut outgoing = Outgoing::new(comm);
        for &id in decided {
            let score = (decisions.values[id as usize] & 3) as u8;
            let from = arrivals.partition_point(|arrival| arrival.to < id);
            for arrival in arrivals[from..].iter().take_while(|arrival| arrival.to == id) {
                monitor.step()?;
                if comm.stops() {
                    return Ok(());
                }
                let message = [&arrival.from.to_le_bytes()[..], &[score]];
                outgoing.add(arrival.worker as usize, &message, comm, &mut |parcel| hear(decisions, &parcel, round))?;
            }
        }
        outgoing.flush(comm, &mut |parcel| hear(decisions, &parcel, round))
    }

    /// Writes the labels, and returns the file and the counts of each layer. A layer without positions of this worker has no file.
    fn write(
        &self,
        held: &Held,
        values: &[u32],
        folder: &Path,
        meta: &Meta,
        monitor: &Monitor,
    ) -> Result<Vec<(Option<LayerFile>, explore::Layer)>, Halt> {
        let mut written = Vec::new();
        for (layer, ids) in &held.layers {
            let (layer, buckets) = (*layer, self.buckets.clone());
            let mut counts = explore::Layer { layer, ..explore::Layer::default() };
            if ids.is_empty() {
                written.push((None, counts));
                continue;
            }
            let name = format!("label-{layer:06}-{:03}-{:03}.kib", buckets.start, buckets.end);
            let mut writer = Writer::create(&folder.join(name), meta)?;
            for id in ids.clone() {
                let (state, value) = (held.states.get(id as Id), values[id]);
                let label = label(value);
                let over = value >> 2 == 0;
                if label.score < 2 || over {
                    let boards = self.space.orbit(state);
                    let add = |count: &mut u64, is: bool| *count = count.saturating_add(if is { boards } else { 0 });
                    add(&mut counts.losing, label.score == 0);
                    add(&mut counts.drawn, label.score == 1);
                    add(&mut counts.dead_ends, over);
                }
                monitor.step()?;
                writer.push_labeled(layer, route::bucket(state), state, label)?;
            }
            written.push((Some(LayerFile { layer, buckets, seal: writer.finish(true)? }), counts));
        }
        Ok(written)
    }
}

/// Takes the notices of another worker.
fn hear(decisions: &mut Decisions, parcel: &Parcel, round: u32) -> Result<(), Halt> {
    parcel.bytes.chunks_exact(ID + 1).try_for_each(|message| decisions.hear(id_of(message), message[ID], round))
}

/// The id at the beginning of a message.
fn id_of(message: &[u8]) -> Id {
    message.first_chunk().map_or(0, |bytes| Id::from_le_bytes(*bytes))
}

/// Messages that are not yet sent, for each worker.
struct Outgoing(Vec<Vec<u8>>);

impl Outgoing {
    fn new(comm: &Communicator) -> Outgoing {
        Outgoing(vec![Vec::new(); comm.peers])
    }

    /// Adds a message to a worker, which may be this one. Takes messages that have arrived if that sends a parcel.
    fn add(
        &mut self,
        to: usize,
        message: &[&[u8]],
        comm: &mut Communicator,
        take: &mut dyn FnMut(Parcel) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        message.iter().for_each(|part| self.0[to].extend_from_slice(part));
        if self.0[to].len() < PARCEL {
            return Ok(());
        }
        comm.send(to, 0, 1, std::mem::take(&mut self.0[to]));
        comm.turn(take)
    }

    /// Sends the remaining messages.
    fn flush(&mut self, comm: &mut Communicator, take: &mut dyn FnMut(Parcel) -> Result<(), Halt>) -> Result<(), Halt> {
        for (to, bytes) in self.0.iter_mut().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
            comm.send(to, 0, 1, std::mem::take(bytes));
            comm.turn(take)?;
        }
        Ok(())
    }
}
