//! Labeling where memory is short: questions and answers are sorted on disk ([`super::super::sorter`]).
//!
//! A question is a layer, a bucket, a state, and the asking worker and place of the position. Sorted, questions are in the order
//! of the label files, and one pass over both answers them. An answer is the place of the position and a label. Sorted, answers
//! are in the order of the positions, and one more pass writes their labels.

use kibitzer::space::{Batch, Successors};

use super::super::block::{Label, is_narrow, word_of};
use super::super::communicator::Communicator;
use super::super::monitor::Monitor;
use super::super::sorter::{RunFiles, Sorted, Sorter};
use super::super::table::Cursor;
use super::super::{Halt, route};
use super::{LABEL, LabelFile, Labeler, LayerToLabel, Open, Out, Positions, TOGETHER, from_bytes, layered, missing, to_bytes};

/// Bytes of a layer and a bucket, which a question begins with.
const HEAD: usize = 5;
/// Bytes of the place of a position, with which an answer begins and a question ends; before it there is the worker that asks.
const PLACE: usize = 5;
/// Bytes of an answer.
const ANSWER: usize = PLACE + LABEL;
/// Maximum number of bytes in a parcel.
const PARCEL: usize = 32 << 10;

impl Labeler<'_> {
    pub(super) fn by_sorting(&mut self, of: &LayerToLabel, file: &LabelFile, comm: &mut Communicator, out: &mut Out) -> Result<(), Halt> {
        self.known.take();
        let questions = self.sorter(file, "questions", HEAD + self.space.width() + 1 + PLACE, self.budget / 2);
        let questions = self.ask_all(questions, Positions::new(of, &file.buckets), comm)?;
        let answers = self.sorter(file, "answers", ANSWER, self.budget / 4);
        let answers = self.answer_all(questions, answers, comm)?;
        comm.agree(self.join(Positions::new(of, &file.buckets), answers, out))
    }

    fn sorter(&self, file: &LabelFile, what: &str, width: usize, bytes: usize) -> Sorter {
        let folder = file.path.parent().map(std::path::Path::to_path_buf).unwrap_or_default();
        let name = format!("{what}-{:03}-{:03}", file.buckets.start, file.buckets.end);
        Sorter::new(RunFiles { folder, name, meta: file.meta.clone() }, width, bytes, Monitor::new(self.limits, self.shared))
    }

    /// Expands all positions, and sorts what all workers ask this one.
    fn ask_all(&self, mut questions: Sorter, mut positions: Positions, comm: &mut Communicator) -> Result<Sorted, Halt> {
        let mut post = Post::new(comm, self.budget);
        let asked = self.expand(&mut positions, &mut post, &mut questions, comm);
        let asked = asked.and_then(|()| post.send_all(&mut questions, comm));
        if let Err(why) = asked {
            comm.stop(why);
        }
        comm.finish(&mut |parcel| questions.push_all(&parcel.bytes))?;
        comm.agree(questions.finish())
    }

    fn expand(&self, positions: &mut Positions, post: &mut Post, questions: &mut Sorter, comm: &mut Communicator) -> Result<(), Halt> {
        let width = self.space.width();
        let (mut parents, mut next) = (Batch::new(width), Successors::new(width));
        let mut question = vec![0; HEAD + width + 1 + PLACE];
        question[HEAD + width] = comm.index as u8;
        let mut first = 0u64;
        while !comm.stops() {
            parents.clear();
            while parents.len() < TOGETHER
                && let Some((_, state)) = positions.next()?
            {
                parents.push(|out| out.copy_from_slice(state));
            }
            if parents.is_empty() {
                return Ok(());
            }
            self.space.successors(&parents, &mut next, self.limits)?;
            let mut of = 0;
            for (layer, range) in next.runs() {
                let layer = layered(layer)?;
                for at in range {
                    while next.parents()[of].end <= at {
                        of += 1;
                    }
                    let state = next.states().get(at);
                    let bucket = route::bucket(state);
                    question[..HEAD - 1].copy_from_slice(&layer.to_be_bytes());
                    question[HEAD - 1] = bucket as u8;
                    put_state(&mut question[HEAD..HEAD + width], state);
                    question[HEAD + width + 1..].copy_from_slice(&(first + of as u64).to_be_bytes()[8 - PLACE..]);
                    post.put(route::owner(bucket, comm.peers), &question, questions, comm)?;
                }
            }
            first += parents.len() as u64;
            comm.turn(&mut |parcel| questions.push_all(&parcel.bytes))?;
        }
        Ok(())
    }

    /// Answers all questions, and sorts the answers to those of this worker.
    fn answer_all(&self, mut questions: Sorted, mut answers: Sorter, comm: &mut Communicator) -> Result<Sorted, Halt> {
        let mut post = Post::new(comm, self.budget);
        let answered = self.look_up(&mut questions, &mut post, &mut answers, comm);
        let answered = answered.and_then(|()| post.send_all(&mut answers, comm));
        if let Err(why) = answered {
            comm.stop(why);
        }
        drop(questions);
        comm.finish(&mut |parcel| answers.push_all(&parcel.bytes))?;
        comm.agree(answers.finish())
    }

    /// Reads questions and labels side by side.
    fn look_up(&self, questions: &mut Sorted, post: &mut Post, answers: &mut Sorter, comm: &mut Communicator) -> Result<(), Halt> {
        let width = self.space.width();
        let mut labels = Labels { head: [0; HEAD], cursor: None, narrow: is_narrow(width) };
        let mut answer = [0; ANSWER];
        let mut sent = 0;
        while let Some(question) = questions.take()? {
            let (head, rest) = question.split_at(HEAD);
            if labels.cursor.is_none() || labels.head != head {
                labels.head.copy_from_slice(head);
                labels.cursor = self.labels_of(head)?;
            }
            let label = labels.find(&rest[..width])?;
            answer[..PLACE].copy_from_slice(&rest[width + 1..]);
            answer[PLACE..].copy_from_slice(&to_bytes(label));
            post.put(usize::from(rest[width]), &answer, answers, comm)?;
            sent += 1;
            if sent % TOGETHER == 0 {
                comm.turn(&mut |parcel| answers.push_all(&parcel.bytes))?;
                if comm.stops() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The labels of a bucket of a layer, from the first one on.
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

    /// Reads positions and answers side by side, and writes the labels.
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

/// The labels that questions are about.
struct Labels {
    /// Layer and bucket.
    head: [u8; HEAD],
    /// At the first label that was not passed.
    cursor: Option<Cursor>,
    narrow: bool,
}

impl Labels {
    /// The label of a state, as it is written in questions. States come in order.
    fn find(&mut self, state: &[u8]) -> Result<Label, Halt> {
        let cursor = self.cursor.as_mut().ok_or_else(missing)?;
        if self.narrow {
            let mut word = [0; 8];
            word[8 - state.len()..].copy_from_slice(state);
            let word = u64::from_be_bytes(word);
            while !cursor.is_over() && cursor.word < word {
                cursor.advance()?;
            }
            return if !cursor.is_over() && cursor.word == word { Ok(cursor.label()) } else { Err(missing()) };
        }
        while !cursor.is_over() && cursor.head() < state {
            cursor.advance()?;
        }
        if !cursor.is_over() && cursor.head() == state { Ok(cursor.label()) } else { Err(missing()) }
    }
}

/// Writes a state so that the order of bytes is that of the files.
fn put_state(out: &mut [u8], state: &[u8]) {
    if is_narrow(state.len()) {
        out.copy_from_slice(&word_of(state).to_be_bytes()[8 - state.len()..]);
    } else {
        out.copy_from_slice(state);
    }
}

/// Records on their way to each worker.
struct Post {
    bytes: Vec<Vec<u8>>,
    /// Bytes of a parcel.
    most: usize,
}

impl Post {
    fn new(comm: &Communicator, budget: usize) -> Post {
        Post { bytes: vec![Vec::new(); comm.peers], most: (budget / 16 / comm.peers).clamp(512, PARCEL) }
    }

    /// Sends a record, or keeps it if it is for this worker.
    #[inline]
    fn put(&mut self, to: usize, record: &[u8], mine: &mut Sorter, comm: &mut Communicator) -> Result<(), Halt> {
        if to == comm.index {
            return mine.push(record);
        }
        let bytes = self.bytes.get_mut(to).ok_or_else(missing)?;
        bytes.extend_from_slice(record);
        if bytes.len() >= self.most {
            let count = bytes.len() / record.len();
            comm.send(to, 0, count, std::mem::take(bytes));
            comm.turn(&mut |parcel| mine.push_all(&parcel.bytes))?;
        }
        Ok(())
    }

    fn send_all(&mut self, mine: &mut Sorter, comm: &mut Communicator) -> Result<(), Halt> {
        for to in 0..self.bytes.len() {
            if !self.bytes[to].is_empty() {
                comm.send(to, 0, 1, std::mem::take(&mut self.bytes[to]));
                comm.turn(&mut |parcel| mine.push_all(&parcel.bytes))?;
            }
        }
        Ok(())
    }
}
