//! Labels positions when the labels of their successors fit in memory: questions and answers are sent in waves of bounded size.

use kibitzer::search::store::Store;
use kibitzer::space::Batch;

use super::super::block::Label;
use super::super::communicator::{Communicator, Parcel};
use super::super::monitor::Monitor;
use super::super::table::StateFile;
use super::super::{Halt, route};
use super::{Expanded, LABEL, LabelFile, Labeler, LayerToLabel, Open, Out, Positions, from_bytes, missing, to_bytes};

/// Maximum number of positions in a wave.
const MOST: usize = 32_768;
/// Size of a parcel, in bytes.
const PARCEL: usize = 64 << 10;
/// Size of a number, in bytes. A question consists of the number of its position, a layer and a state; an answer consists of that
/// number and a label.
const NUMBER: usize = size_of::<u32>();

/// This worker's labels of a layer.
pub(super) struct LabelsInMemory {
    states: Store,
    labels: Vec<Label>,
}

impl LabelsInMemory {
    fn bytes(&self) -> usize {
        self.states.bytes() + self.labels.capacity() * size_of::<Label>()
    }
}

/// Positions whose labels are being computed.
struct Wave {
    buckets: Vec<u8>,
    states: Batch,
    open: Vec<Open>,
    orbits: Vec<u64>,
    /// The number of questions.
    asked: usize,
}

impl Wave {
    fn new(width: usize) -> Wave {
        Wave { buckets: Vec::new(), states: Batch::new(width), open: Vec::new(), orbits: Vec::new(), asked: 0 }
    }

    /// Bytes in use, here and in transit.
    fn bytes(&self) -> usize {
        let width = self.states.width();
        self.open.len() * (width + size_of::<Open>() + size_of::<u64>() + 1) + 2 * self.asked * (3 * NUMBER + width + LABEL)
    }

    fn hear(&mut self, answers: &[u8]) -> Result<(), Halt> {
        for answer in answers.chunks_exact(NUMBER + LABEL) {
            let open = self.open.get_mut(number(answer) as usize);
            let open = open.ok_or_else(|| Halt::fault("an unexpected answer arrived", "this is a bug; please report it"))?;
            open.add(from_bytes(&answer[NUMBER..]));
        }
        Ok(())
    }

    fn write(&mut self, out: &mut Out) -> Result<(), Halt> {
        for (at, open) in self.open.iter_mut().enumerate() {
            out.put(usize::from(self.buckets[at]), self.states.get(at), open, || self.orbits[at])?;
        }
        Ok(())
    }
}

impl Labeler<'_> {
    pub(super) fn in_waves(&mut self, of: &LayerToLabel, file: &LabelFile, comm: &mut Communicator, out: &mut Out) -> Result<(), Halt> {
        // Neither this layer nor any earlier one needs labels beyond `reach`.
        self.known.retain(|layer, _| of.reach.is_none_or(|reach| *layer <= reach));
        let mut positions = Positions::new(of, &file.buckets);
        loop {
            let mut wave = Wave::new(self.space.width());
            if let Err(why) = self.ask(&mut wave, &mut positions, comm) {
                comm.stop(why);
            }
            let mut questions = Vec::new();
            comm.finish(&mut |parcel| {
                questions.push(parcel);
                Ok(())
            })?;
            if let Err(why) = self.answer(questions, comm) {
                comm.stop(why);
            }
            comm.finish(&mut |parcel| wave.hear(&parcel.bytes))?;
            out.monitor.holds(wave.bytes() + self.known.values().map(LabelsInMemory::bytes).sum::<usize>());
            let left = wave.write(out).map(|()| positions.left);
            if comm.collect(left)?.iter().all(|left| *left == 0) {
                return Ok(());
            }
        }
    }

    /// Expands the next positions and requests the labels of their successors.
    fn ask(&mut self, wave: &mut Wave, positions: &mut Positions, comm: &mut Communicator) -> Result<(), Halt> {
        let mut expanded = Expanded::new(self.space.width());
        let mut questions: Vec<Vec<u8>> = vec![Vec::new(); comm.peers];
        while wave.open.len() < MOST && wave.bytes() < self.budget / 4 && !comm.stops() {
            self.limits.check()?;
            if !self.expand(positions, &mut expanded)? {
                break;
            }
            wave.states.push_all(expanded.positions.len(), expanded.positions.slice(0..expanded.positions.len()));
            wave.buckets.append(&mut expanded.buckets);
            let first = wave.open.len();
            for parent in expanded.next.parents() {
                wave.open.push(Open::new(parent.status));
                wave.orbits.push(parent.orbit);
            }
            expanded.each(|of, layer, state| {
                let to = route::owner(route::bucket(state), comm.peers);
                if to == comm.index {
                    wave.open[first + of].add(self.find(layer, state)?);
                    return Ok(());
                }
                let bytes = &mut questions[to];
                bytes.extend(((first + of) as u32).to_le_bytes());
                bytes.extend(layer.to_le_bytes());
                bytes.extend_from_slice(state);
                wave.asked += 1;
                if bytes.len() >= PARCEL {
                    comm.send(to, 0, 1, std::mem::take(bytes));
                }
                Ok(())
            })?;
        }
        for (to, bytes) in questions.into_iter().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
            comm.send(to, 0, 1, bytes);
        }
        Ok(())
    }

    /// Answers the questions of other workers.
    fn answer(&mut self, questions: Vec<Parcel>, comm: &mut Communicator) -> Result<(), Halt> {
        let width = self.space.width();
        for parcel in questions {
            self.limits.check()?;
            let mut answers = Vec::new();
            for question in parcel.bytes.chunks_exact(2 * NUMBER + width) {
                let label = self.find(number(&question[NUMBER..]), &question[2 * NUMBER..])?;
                answers.extend_from_slice(&question[..NUMBER]);
                answers.extend(to_bytes(label));
            }
            comm.send(parcel.from as usize, 0, 1, answers);
        }
        Ok(())
    }

    fn find(&mut self, layer: u32, state: &[u8]) -> Result<Label, Halt> {
        if !self.known.contains_key(&layer) {
            let known = self.load(layer)?;
            self.known.insert(layer, known);
        }
        let known = &self.known[&layer];
        known.states.find(state).map(|id| known.labels[id as usize]).ok_or_else(missing)
    }

    fn load(&self, layer: u32) -> Result<LabelsInMemory, Halt> {
        let tables: Vec<&StateFile> = self.files.iter().filter(|(of, _)| *of == layer).map(|(_, table)| table).collect();
        let count: u64 = tables.iter().flat_map(|table| table.entries.iter()).map(|entry| entry.count).sum();
        let mut known = LabelsInMemory { states: Store::new(self.space.width()), labels: Vec::new() };
        known.labels.reserve_exact(count as usize);
        let monitor = Monitor::new(self.limits, self.shared);
        let mut batch = Batch::new(self.space.width());
        for table in tables {
            for entry in table.entries.iter() {
                let mut cursor = table.cursor(entry);
                while cursor.advance()? {
                    batch.push(|out| out.copy_from_slice(cursor.head()));
                    known.labels.push(cursor.label());
                    if batch.len() == 1024 {
                        monitor.steps(batch.len())?;
                        known.states.insert_all(&mut batch, |_, _, _| ());
                    }
                }
            }
        }
        known.states.insert_all(&mut batch, |_, _, _| ());
        Ok(known)
    }
}

/// The number at the beginning of `bytes`.
fn number(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
