//! What every position of a two-player game is worth: backward induction over the layers that a walk left on disk.
//!
//! From the last layer to the first, each worker goes through its own positions, asks the owners of the successors for their
//! labels, and joins the answers. That happens in *waves* of bounded size: questions, then answers. An owner answers from a
//! store in memory with one layer of its own buckets; so a worker must have room for the labels of one layer, but for no more.
//!
//! Finished layers of labels are named by manifests like those of states, so labeling, too, goes on where it was stopped.

use std::collections::BTreeMap;

use kibitzer::limits::{Limit, Limits};
use kibitzer::rules::Score;
use kibitzer::search::store::Store;
use kibitzer::space::{Batch, Space, Status, Successors};
use serde::{Deserialize, Serialize};

use super::block::Label;
use super::checkpoint::Filed;
use super::crew::{Crew, Parcel};
use super::table::{Meta, Table, Writer};
use super::{Halt, route};

/// What was counted of a layer when it was labeled, in boards without symmetry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub layer: u32,
    pub losing: u64,
    pub drawn: u64,
    pub over: u64,
}

impl Counts {
    pub fn plus(self, other: Counts) -> Counts {
        Counts {
            layer: other.layer,
            losing: self.losing.saturating_add(other.losing),
            drawn: self.drawn.saturating_add(other.drawn),
            over: self.over.saturating_add(other.over),
        }
    }
}

/// Positions of a wave.
const WAVE: usize = 32_768;
/// Positions that are expanded together.
const TOGETHER: usize = 128;
/// Questions in a parcel.
const ASKED: usize = 8192;
/// Bytes of a label on its way.
const LABEL: usize = 5;

/// The labels of a layer, as far as this worker has them.
struct Known {
    states: Store,
    labels: Vec<Label>,
}

/// A worker that labels.
pub struct Labeler<'a> {
    pub space: &'a dyn Space,
    pub limits: &'a Limits,
    /// Bytes that labels in memory may take.
    pub budget: usize,
    pub grundy: bool,
    /// Labels in memory, by layer.
    known: BTreeMap<u32, Known>,
    /// The files of all labeled layers with buckets of this worker.
    pub files: Vec<(u32, Table)>,
}

/// What is known of a position while its successors are asked for.
#[derive(Clone, Default)]
struct Open {
    over: Option<u8>,
    orbit: u64,
    /// The worst score that a successor's player can reach, and the length of play there.
    worst: Option<(u8, u16)>,
    /// Grundy values of successors: the first 64 as bits.
    small: u64,
    large: Vec<u16>,
}

impl Open {
    fn add(&mut self, label: Label) {
        let longer = label.score == 2;
        self.worst = Some(match self.worst {
            Some((score, length)) if score < label.score => (score, length),
            Some((score, length)) if score == label.score => {
                (score, if longer { length.max(label.length) } else { length.min(label.length) })
            }
            _ => (label.score, label.length),
        });
        match label.grundy {
            small @ 0..64 => self.small |= 1 << small,
            large => self.large.push(large),
        }
    }

    fn label(&mut self, grundy: bool) -> Label {
        if let Some(score) = self.over {
            return Label { score, ..Label::default() };
        }
        // Who cannot move loses.
        let Some((worst, length)) = self.worst else { return Label::default() };
        let mut value = self.small.trailing_ones() as u16;
        if value == 64 {
            self.large.sort_unstable();
            self.large.dedup();
            value += self.large.iter().zip(64..).take_while(|(have, want)| **have == *want).count() as u16;
        }
        Label { score: 2 - worst, grundy: if grundy { value } else { 0 }, length: length.saturating_add(1) }
    }
}

impl<'a> Labeler<'a> {
    pub fn new(space: &'a dyn Space, limits: &'a Limits, budget: usize, grundy: bool, files: Vec<(u32, Table)>) -> Self {
        Labeler { space, limits, budget, grundy, known: BTreeMap::new(), files }
    }

    /// Labels this worker's part of a layer whose successors are all labeled, together with all other workers.
    pub fn layer(&mut self, layer: u32, tables: &[Table], file: LabelFile, crew: &mut Crew) -> Result<(Option<Filed>, Counts), Halt> {
        let width = self.space.width();
        let mut cursors: Vec<_> = Vec::new();
        let mut count = 0;
        for bucket in file.buckets.clone().rev() {
            for (table, entry) in tables.iter().filter_map(|table| Some((table, table.entry(layer, bucket)?))) {
                cursors.push((bucket, table.cursor(entry)));
                count += entry.count;
            }
        }
        let waves = crew.reduce(&count)?.into_iter().max().unwrap_or(0).div_ceil(WAVE as u64);
        let created = if count > 0 { Writer::create(&file.path, &file.meta).map(Some) } else { Ok(None) };
        let mut writer = agree(crew, created)?;
        let mut counts = Counts { layer, ..Counts::default() };
        for _ in 0..waves {
            let mut wave = Wave { buckets: Vec::new(), states: Batch::new(width), open: Vec::new(), asked: BTreeMap::new(), parcels: 0 };
            if let Err(why) = self.ask(&mut wave, &mut cursors, crew) {
                crew.stop(why);
            }
            let mut questions = Vec::new();
            crew.finish(&mut |parcel| {
                questions.push(parcel);
                Ok(())
            })?;
            if let Err(why) = self.answer(questions, crew) {
                crew.stop(why);
            }
            crew.finish(&mut |parcel| wave.hear(&parcel))?;
            let written = writer.as_mut().map_or(Ok(()), |writer| wave.write(layer, self.grundy, writer, &mut counts));
            agree(crew, written)?;
        }
        let finished = match writer {
            Some(writer) => writer.finish(true).map(|seal| Some(Filed { layer, buckets: file.buckets.clone(), seal })),
            None => Ok(None),
        };
        let filed = agree(crew, finished)?;
        if filed.is_some() {
            self.files.push((layer, Table::open(&file.path)?));
        }
        let counts = crew.reduce(&counts)?.into_iter().reduce(Counts::plus).unwrap_or_default();
        Ok((filed, counts))
    }

    /// Expands the next positions and asks for the labels of what follows.
    fn ask(&mut self, wave: &mut Wave, cursors: &mut Vec<(usize, super::table::Cursor)>, crew: &mut Crew) -> Result<(), Halt> {
        let width = self.space.width();
        let (mut parents, mut next) = (Batch::new(width), Successors::new(width));
        let mut asking: BTreeMap<(usize, u32), Question> = BTreeMap::new();
        while wave.open.len() < WAVE && !crew.stops() {
            parents.clear();
            while parents.len() < TOGETHER.min(WAVE - wave.open.len()) {
                let Some((bucket, cursor)) = cursors.last_mut() else { break };
                if cursor.advance()? {
                    parents.push(|out| out.copy_from_slice(cursor.head()));
                    wave.states.push(|out| out.copy_from_slice(cursor.head()));
                    wave.buckets.push(*bucket as u8);
                } else {
                    cursors.pop();
                }
            }
            if parents.is_empty() {
                break;
            }
            self.limits.check()?;
            self.space.successors(&parents, &mut next, self.limits)?;
            let first = wave.open.len();
            let mut ends = Vec::with_capacity(parents.len());
            for parent in next.parents() {
                let over = match parent.status {
                    Status::Over(score) => Some(number(score)),
                    _ => None,
                };
                wave.open.push(Open { over, orbit: parent.orbit, ..Open::default() });
                ends.push(parent.end);
            }
            let mut of = 0;
            for (layer, range) in next.runs() {
                let layer = layer.ok_or_else(|| Halt::fault("this game has no layers", "only games that end can be labeled"))?;
                for at in range {
                    while ends[of] <= at {
                        of += 1;
                    }
                    let state = next.states().get(at);
                    let to = route::owner(route::bucket(state), crew.peers);
                    if to == crew.index {
                        let label = self.find(layer, state)?;
                        wave.open[first + of].add(label);
                        continue;
                    }
                    let question = asking.entry((to, layer)).or_insert_with(|| Question { states: Batch::new(width), of: Vec::new() });
                    question.states.push(|out| out.copy_from_slice(state));
                    question.of.push((first + of) as u32);
                    if question.of.len() == ASKED {
                        wave.send(to, layer, std::mem::replace(question, Question { states: Batch::new(width), of: Vec::new() }), crew);
                    }
                }
            }
        }
        for ((to, layer), question) in asking {
            if !question.of.is_empty() {
                wave.send(to, layer, question, crew);
            }
        }
        Ok(())
    }

    /// Answers what others asked.
    fn answer(&mut self, questions: Vec<Parcel>, crew: &mut Crew) -> Result<(), Halt> {
        let width = self.space.width();
        for question in questions {
            let layer = u32::from_le_bytes(question.bytes.0[..4].try_into().unwrap_or_default());
            let mut labels = Vec::with_capacity(question.count as usize * LABEL);
            for at in 0..question.count as usize {
                let label = self.find(layer, &question.bytes.0[4 + at * width..4 + (at + 1) * width])?;
                labels.push(label.score);
                labels.extend(label.grundy.to_le_bytes());
                labels.extend(label.length.to_le_bytes());
            }
            crew.send(question.from as usize, question.tag, question.count as usize, labels);
        }
        Ok(())
    }

    fn find(&mut self, layer: u32, state: &[u8]) -> Result<Label, Halt> {
        if !self.known.contains_key(&layer) {
            self.load(layer)?;
        }
        let known = &self.known[&layer];
        let id = known.states.find(state);
        let id =
            id.ok_or_else(|| Halt::fault("a position that follows from another is not in its layer", "please report it with the board"))?;
        Ok(known.labels[id as usize])
    }

    /// Loads the labels of a layer, in place of others if there is no room for both.
    fn load(&mut self, layer: u32) -> Result<(), Halt> {
        let tables: Vec<&Table> = self.files.iter().filter(|(of, _)| *of == layer).map(|(_, table)| table).collect();
        let count: u64 = tables.iter().flat_map(|table| table.entries.iter()).map(|entry| entry.count).sum();
        let mut known = Known { states: Store::new(self.space.width()), labels: Vec::new() };
        let needed = known.states.bytes_after(count as usize) + count as usize * size_of::<Label>();
        let held = |known: &BTreeMap<u32, Known>| -> usize {
            known.values().map(|known| known.states.bytes() + known.labels.len() * size_of::<Label>()).sum()
        };
        while held(&self.known) + needed > self.budget && self.known.pop_last().is_some() {}
        if needed > self.budget {
            return Err(Limit::Memory.into());
        }
        known.labels.reserve_exact(count as usize);
        let mut batch = Batch::new(self.space.width());
        for table in tables {
            for entry in table.entries.iter() {
                let mut cursor = table.cursor(entry);
                while cursor.advance()? {
                    batch.push(|out| out.copy_from_slice(cursor.head()));
                    known.labels.push(cursor.label());
                    if batch.len() == 1024 {
                        self.limits.check()?;
                        known.states.insert_all(&mut batch, |_, _, _| ());
                    }
                }
            }
        }
        known.states.insert_all(&mut batch, |_, _, _| ());
        self.known.insert(layer, known);
        Ok(())
    }
}

/// Where a worker's labels of a layer go.
pub struct LabelFile {
    pub path: std::path::PathBuf,
    pub meta: Meta,
    pub buckets: std::ops::Range<usize>,
}

/// Positions under way.
struct Wave {
    buckets: Vec<u8>,
    states: Batch,
    open: Vec<Open>,
    /// By the tag of the parcel: whose successors were asked for.
    asked: BTreeMap<u32, Vec<u32>>,
    parcels: u32,
}

struct Question {
    states: Batch,
    of: Vec<u32>,
}

impl Wave {
    fn send(&mut self, to: usize, layer: u32, question: Question, crew: &mut Crew) {
        let mut bytes = layer.to_le_bytes().to_vec();
        bytes.extend_from_slice(question.states.slice(0..question.states.len()));
        crew.send(to, self.parcels, question.of.len(), bytes);
        self.asked.insert(self.parcels, question.of);
        self.parcels += 1;
    }

    fn hear(&mut self, answer: &Parcel) -> Result<(), Halt> {
        let of = self.asked.get(&answer.tag).filter(|of| of.len() * LABEL == answer.bytes.0.len());
        let of = of.ok_or_else(|| Halt::fault("an answer came that nobody asked for", "please report it"))?;
        for (of, label) in of.iter().zip(answer.bytes.0.chunks_exact(LABEL)) {
            let short = |at: usize| u16::from_le_bytes([label[at], label[at + 1]]);
            self.open[*of as usize].add(Label { score: label[0], grundy: short(1), length: short(3) });
        }
        Ok(())
    }

    fn write(&mut self, layer: u32, grundy: bool, writer: &mut Writer, counts: &mut Counts) -> Result<(), Halt> {
        for (at, open) in self.open.iter_mut().enumerate() {
            let label = open.label(grundy);
            let count = match label.score {
                0 => Some(&mut counts.losing),
                1 => Some(&mut counts.drawn),
                _ => None,
            };
            count.into_iter().for_each(|count| *count = count.saturating_add(open.orbit));
            if open.over.is_some() {
                counts.over = counts.over.saturating_add(open.orbit);
            }
            writer.push_labeled(layer, usize::from(self.buckets[at]), self.states.get(at), label)?;
        }
        Ok(())
    }
}

fn number(score: Score) -> u8 {
    match score {
        Score::Loss => 0,
        Score::Draw => 1,
        Score::Win => 2,
    }
}

/// This worker's result, if everybody has one.
pub fn agree<T>(crew: &mut Crew, mine: Result<T, Halt>) -> Result<T, Halt> {
    let (mine, fault) = match mine {
        Ok(mine) => (Some(mine), Ok(())),
        Err(why) => (None, Err(why)),
    };
    crew.agree(fault)?;
    mine.ok_or_else(|| Halt::fault("a worker has lost what it had", "please report it"))
}
