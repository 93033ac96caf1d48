//! Labels positions when memory is short: questions and answers are sorted on disk ([`super::super::sorter`]).
//!
//! A question consists of a layer, a bucket, a state, the asking worker, and the number of the position. Sorted questions are in the
//! order of the label files, so one pass over questions and labels finds all answers. An answer consists of the number of the position
//! and a label. Sorted answers are in the order of the positions, so one more pass writes the labels.

use super::super::block::{Label, is_narrow};
use super::super::communicator::Communicator;
use super::super::monitor::Monitor;
use super::super::sorter::{RunFiles, Sorted, Sorter};
use super::super::table::Cursor;
use super::super::{Halt, route};
use super::{Expanded, LABEL, LabelFile, Labeler, LayerToLabel, Open, Out, Positions, TOGETHER, from_bytes, missing, to_bytes};

/// Size of the layer and bucket at the beginning of a question, in bytes.
const HEAD: usize = 5;
/// Size of a position's number, in bytes. An answer begins with it. A question ends with the asking worker and this number.
const PLACE: usize = 5;
/// Size of an answer, in bytes.
const ANSWER: usize = PLACE + LABEL;
/// Maximum number of bytes in a parcel.
const PARCEL: usize = 32 << 10;

impl Labeler<'_> {
    pub(super) fn by_sorting(&mut self, of: &LayerToLabel, file: &LabelFile, comm: &mut Communicator, out: &mut Out) -> Result<(), Halt> {
        self.known.clear();
        let post = self.post(file, "questions", HEAD + self.space.width() + 1 + PLACE, self.budget / 2, comm);
        let questions = post.exchange(comm, |post, comm| self.send_questions(Positions::new(of, &file.buckets), post, comm))?;
        let post = self.post(file, "answers", ANSWER, self.budget / 4, comm);
        let answers = post.exchange(comm, |post, comm| self.send_answers(questions, post, comm))?;
        comm.agree(self.join(Positions::new(of, &file.buckets), answers, out))
    }

    fn post(&self, file: &LabelFile, what: &str, width: usize, bytes: usize, comm: &Communicator) -> Post {
        let folder = file.path.parent().map(std::path::Path::to_path_buf).unwrap_or_default();
        let name = format!("{what}-{:03}-{:03}", file.buckets.start, file.buckets.end);
        let files = RunFiles { folder, name, meta: file.meta.clone() };
        let mine = Sorter::new(files, width, bytes, Monitor::new(self.limits, self.shared));
        Post { mine, bytes: vec![Vec::new(); comm.peers], most: (self.budget / 16 / comm.peers).clamp(512, PARCEL) }
    }

    /// Expands all positions, and sends a question about each successor to its owner.
    fn send_questions(&self, mut positions: Positions, post: &mut Post, comm: &mut Communicator) -> Result<(), Halt> {
        let width = self.space.width();
        let mut expanded = Expanded::new(width);
        let mut question = vec![0; HEAD + width + 1 + PLACE];
        question[HEAD + width] = comm.index as u8;
        let mut first = 0u64;
        while !comm.stops() && self.expand(&mut positions, &mut expanded)? {
            expanded.each(|of, layer, state| {
                let bucket = route::bucket(state);
                question[..HEAD - 1].copy_from_slice(&layer.to_be_bytes());
                question[HEAD - 1] = bucket as u8;
                copy_state(&mut question[HEAD..HEAD + width], state);
                question[HEAD + width + 1..].copy_from_slice(&(first + of as u64).to_be_bytes()[8 - PLACE..]);
                post.put(route::owner(bucket, comm.peers), &question, comm)
            })?;
            first += expanded.positions.len() as u64;
            post.turn(comm)?;
        }
        Ok(())
    }

    /// Reads questions and labels in lockstep, and sends the answers to the workers that asked.
    fn send_answers(&self, mut questions: Sorted, post: &mut Post, comm: &mut Communicator) -> Result<(), Halt> {
        let width = self.space.width();
        // The labels of the layer and bucket of the current question.
        let (mut of, mut labels) = ([0; HEAD], None);
        let (mut state, mut answer) = (vec![0; width], [0; ANSWER]);
        let mut sent = 0;
        while let Some(question) = questions.take()? {
            let (head, rest) = question.split_at(HEAD);
            if labels.is_none() || of != head {
                of.copy_from_slice(head);
                labels = self.labels_of(head)?;
            }
            copy_state(&mut state, &rest[..width]);
            let cursor: &mut Cursor = labels.as_mut().ok_or_else(missing)?;
            if !cursor.seek(&state)? {
                return Err(missing());
            }
            answer[..PLACE].copy_from_slice(&rest[width + 1..]);
            answer[PLACE..].copy_from_slice(&to_bytes(cursor.label()));
            post.put(usize::from(rest[width]), &answer, comm)?;
            sent += 1;
            if sent % TOGETHER == 0 {
                post.turn(comm)?;
                if comm.stops() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// A cursor at the first label of a bucket in a layer.
    fn labels_of(&self, head: &[u8]) -> Result<Option<Cursor>, Halt> {
        let layer = u32::from_be_bytes(head[..HEAD - 1].try_into().unwrap_or_default());
        let bucket = usize::from(head[HEAD - 1]);
        let files = self.files.iter().filter(|(of, _)| *of == layer);
        let mut cursor = files.filter_map(|(_, table)| Some(table.cursor(table.entry(layer, bucket)?))).next();
        if let Some(cursor) = &mut cursor {
            cursor.advance()?;
        }
        Ok(cursor)
    }

    /// Reads positions and answers in lockstep, and writes the labels.
    fn join(&self, mut positions: Positions, mut answers: Sorted, out: &mut Out) -> Result<(), Halt> {
        let read = |record: &[u8]| {
            let mut place = [0; 8];
            place[8 - PLACE..].copy_from_slice(&record[..PLACE]);
            (u64::from_be_bytes(place), from_bytes(&record[PLACE..]))
        };
        let mut answer: Option<(u64, Label)> = answers.take()?.map(read);
        let mut at = 0;
        while let Some((bucket, state)) = positions.next()? {
            let mut open = match answer {
                Some((place, _)) if place == at => Open::default(),
                _ => Open::new(self.space.status(state)),
            };
            while let Some((_, label)) = answer.filter(|(place, _)| *place == at) {
                open.add(label);
                answer = answers.take()?.map(read);
            }
            out.put(bucket, state, &mut open, || self.space.orbit(state))?;
            at += 1;
        }
        Ok(())
    }
}

/// Copies a state from a file to a question, or back. In questions, the bytes of narrow states are reversed, so that byte order is the
/// order of the files.
fn copy_state(out: &mut [u8], state: &[u8]) {
    out.copy_from_slice(state);
    if is_narrow(state.len()) {
        out.reverse();
    }
}

/// Records that workers send each other.
struct Post {
    /// The records for this worker.
    mine: Sorter,
    /// The records to be sent to each worker.
    bytes: Vec<Vec<u8>>,
    /// Maximum number of bytes in a parcel.
    most: usize,
}

impl Post {
    /// Runs `work`, which sends records to all workers. Returns the records for this worker, in order.
    fn exchange(
        mut self,
        comm: &mut Communicator,
        work: impl FnOnce(&mut Post, &mut Communicator) -> Result<(), Halt>,
    ) -> Result<Sorted, Halt> {
        if let Err(why) = work(&mut self, comm).and_then(|()| self.send_all(comm)) {
            comm.stop(why);
        }
        comm.finish(&mut |parcel| self.mine.push_all(&parcel.bytes))?;
        comm.agree(self.mine.finish())
    }

    /// Sends a record, or keeps it if it is for this worker.
    #[inline]
    fn put(&mut self, to: usize, record: &[u8], comm: &mut Communicator) -> Result<(), Halt> {
        if to == comm.index {
            return self.mine.push(record);
        }
        let bytes = self.bytes.get_mut(to).ok_or_else(missing)?;
        bytes.extend_from_slice(record);
        if bytes.len() >= self.most {
            comm.send(to, 0, bytes.len() / record.len(), std::mem::take(bytes));
            self.turn(comm)?;
        }
        Ok(())
    }

    /// Receives the records that have arrived.
    fn turn(&mut self, comm: &mut Communicator) -> Result<(), Halt> {
        comm.turn(&mut |parcel| self.mine.push_all(&parcel.bytes))
    }

    fn send_all(&mut self, comm: &mut Communicator) -> Result<(), Halt> {
        for to in 0..self.bytes.len() {
            if !self.bytes[to].is_empty() {
                comm.send(to, 0, 1, std::mem::take(&mut self.bytes[to]));
                self.turn(comm)?;
            }
        }
        Ok(())
    }
}
