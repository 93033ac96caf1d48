//! The file format for states. A file contains compressed states, sorted by layer and bucket. Finished layers, sorted runs, and the
//! tables that other programs read all have this format. `docs/table-format.md` specifies it.
//!
//! A file consists of a header (magic number, format version, description as JSON, checksum), [blocks](super::block), an index of segments,
//! and a trailer with the offset of the index and its checksum. A file is written from start to end, so a file without a trailer is
//! unfinished.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Halt;
use super::block::{self, BlockHead, Encoder, HEAD, Label};
use super::route::{self, BUCKETS};

const MAGIC: &[u8; 8] = b"KIBTABLE";
/// The format version.
pub const FORMAT: u32 = 1;
/// Size of an index entry, in bytes.
const ENTRY: usize = 32;
/// Size of the trailer, in bytes.
const TRAILER: usize = 28;
/// Number of bytes read or written at a time.
pub const PIECE: usize = 64 << 10;
/// Maximum length of the description in a header, in bytes.
const LONGEST: u32 = 1 << 30;

/// The description of a file: its board, options and state format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// The version of the program that wrote the file.
    pub kibitzer: String,
    pub game: String,
    /// The board in the game's notation.
    pub instance: String,
    /// The options that the board was read with, as `name=value`.
    pub options: Vec<String>,
    /// True if symmetric states are merged.
    pub symmetry: bool,
    /// Size of a state, in bytes.
    pub width: usize,
    pub buckets: usize,
    /// True if every state has a label.
    pub labels: bool,
    /// True if positions have Grundy values.
    pub grundy: bool,
    /// The layers and their counts; empty in files that are not tables for other programs.
    pub layers: Vec<serde_json::Value>,
}

impl Meta {
    /// The description of a file with states of `width` bytes. This description says that symmetric states are merged, that there are no
    /// labels, and that the board was read without options.
    pub fn new(game: &str, instance: String, width: usize) -> Meta {
        Meta {
            kibitzer: env!("CARGO_PKG_VERSION").to_owned(),
            game: game.to_owned(),
            instance,
            options: Vec::new(),
            symmetry: true,
            width,
            buckets: BUCKETS,
            labels: false,
            grundy: false,
            layers: Vec::new(),
        }
    }

    /// Returns the first difference that makes the states of another file unusable here, if there is one.
    pub fn difference(&self, other: &Meta) -> Option<String> {
        let fields = [
            ("game", &self.game, &other.game),
            ("board", &self.instance, &other.instance),
            ("set of options", &self.options.join(" "), &other.options.join(" ")),
            ("symmetry", &self.symmetry.to_string(), &other.symmetry.to_string()),
            ("width of states", &self.width.to_string(), &other.width.to_string()),
            ("number of buckets", &self.buckets.to_string(), &other.buckets.to_string()),
        ];
        let (name, here, there) = fields.into_iter().find(|(_, here, there)| here != there)?;
        Some(format!("it has a different {name}: `{}`, not `{}`", kibitzer::notation::shorten(there), kibitzer::notation::shorten(here)))
    }
}

/// A part of a file: the states of one bucket of one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    pub layer: u32,
    pub bucket: u32,
    pub offset: u64,
    pub bytes: u64,
    pub count: u64,
}

/// The identity of a finished file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    pub name: String,
    pub bytes: u64,
    /// The checksum of the index, which lists all segments.
    pub crc: u32,
}

pub fn cannot_write(path: &Path, error: &std::io::Error) -> Halt {
    let message = format!("cannot write {}: {error}", path.display());
    Halt::scarce(message, "free some disk space or check the permissions; then rerun the command to resume after the last finished layer")
}

pub fn cannot_read(path: &Path, error: &std::io::Error) -> Halt {
    Halt::fault(format!("cannot read {}: {error}", path.display()), "check the folder and the permissions")
}

fn damaged(path: &Path, what: &str) -> Halt {
    Halt::fault(format!("{} is damaged: {what}", path.display()), "restore the file from a copy, or start over in an empty folder")
}

/// Writes a file from start to end.
pub struct Writer {
    path: PathBuf,
    file: BufWriter<File>,
    offset: u64,
    encoder: Encoder,
    buffer: Vec<u8>,
    entries: Vec<Segment>,
}

impl Writer {
    pub fn create(path: &Path, meta: &Meta) -> Result<Writer, Halt> {
        let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
        let text = serde_json::to_vec(meta).map_err(|error| Halt::fault(error.to_string(), "this is a bug; please report it"))?;
        let mut head = MAGIC.to_vec();
        head.extend(FORMAT.to_le_bytes());
        head.extend((text.len() as u32).to_le_bytes());
        head.extend(text);
        head.extend(crc32fast::hash(&head).to_le_bytes());
        let mut writer = Writer {
            path: path.to_owned(),
            file: BufWriter::with_capacity(PIECE, file),
            offset: 0,
            encoder: Encoder::new(meta.width),
            buffer: Vec::new(),
            entries: Vec::new(),
        };
        writer.write(&head)?;
        Ok(writer)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Halt> {
        self.file.write_all(bytes).map_err(|error| cannot_write(&self.path, &error))?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    /// Adds a state. Calls must be in ascending order of layer, bucket and state.
    pub fn push(&mut self, layer: u32, bucket: usize, state: &[u8]) -> Result<(), Halt> {
        self.begin(layer, bucket)?;
        self.encoder.push(state);
        if self.encoder.len() == block::STATES { self.flush() } else { Ok(()) }
    }

    /// Like [`Writer::push`], but also adds the label of the state.
    pub fn push_labeled(&mut self, layer: u32, bucket: usize, state: &[u8], label: Label) -> Result<(), Halt> {
        self.begin(layer, bucket)?;
        self.encoder.push_label(label);
        self.push(layer, bucket, state)
    }

    /// Adds whole blocks from other files.
    pub fn copy(&mut self, layer: u32, bucket: usize, count: u64, blocks: &[u8]) -> Result<(), Halt> {
        self.begin(layer, bucket)?;
        self.write(blocks)?;
        if let Some(entry) = self.entries.last_mut() {
            entry.bytes += blocks.len() as u64;
            entry.count += count;
        }
        Ok(())
    }

    fn begin(&mut self, layer: u32, bucket: usize) -> Result<(), Halt> {
        if self.entries.last().is_some_and(|entry| (entry.layer, entry.bucket) == (layer, bucket as u32)) {
            return Ok(());
        }
        self.flush()?;
        self.entries.push(Segment { layer, bucket: bucket as u32, offset: self.offset, bytes: 0, count: 0 });
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Halt> {
        if self.encoder.is_empty() {
            return Ok(());
        }
        let count = self.encoder.len() as u64;
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        self.encoder.finish(&mut buffer);
        self.write(&buffer)?;
        if let Some(entry) = self.entries.last_mut() {
            entry.bytes += buffer.len() as u64;
            entry.count += count;
        }
        self.buffer = buffer;
        Ok(())
    }

    /// Finishes the file. With `sync`, the file is on disk when this returns.
    pub fn finish(mut self, sync: bool) -> Result<Seal, Halt> {
        self.flush()?;
        let mut index = Vec::with_capacity(self.entries.len() * ENTRY + TRAILER);
        for entry in &self.entries {
            index.extend(entry.layer.to_le_bytes());
            index.extend(entry.bucket.to_le_bytes());
            [entry.offset, entry.bytes, entry.count].iter().for_each(|number| index.extend(number.to_le_bytes()));
        }
        let place = self.offset;
        index.extend(place.to_le_bytes());
        index.extend((self.entries.len() as u64).to_le_bytes());
        let crc = crc32fast::hash(&index);
        index.extend(crc.to_le_bytes());
        index.extend(MAGIC);
        self.write(&index)?;
        let path = &self.path;
        self.file.flush().map_err(|error| cannot_write(path, &error))?;
        if sync {
            self.file.get_ref().sync_all().map_err(|error| cannot_write(path, &error))?;
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Seal { name, bytes: self.offset, crc })
    }
}

/// A finished file.
#[derive(Clone, Debug)]
pub struct StateFile {
    pub path: Arc<Path>,
    pub meta: Arc<Meta>,
    /// All segments, sorted by layer and bucket.
    pub entries: Arc<[Segment]>,
    pub seal: Seal,
}

impl StateFile {
    /// Reads and checks the header and the index.
    pub fn open(path: &Path) -> Result<StateFile, Halt> {
        let wrong = |what: &str| damaged(path, what);
        let failed = |error: std::io::Error| cannot_read(path, &error);
        let mut file = File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        let mut start = [0; 16];
        if file.read_exact(&mut start).is_err() || &start[..8] != MAGIC {
            return Err(Halt::fault(
                format!("{} is not a table of positions", path.display()),
                "use a file that `label` or `explore` wrote",
            ));
        }
        let number = |at: usize| u32::from_le_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]]);
        let (format, length) = (number(8), number(12));
        if format != FORMAT {
            let message = format!("{} has format {format}; this program reads format {FORMAT}", path.display());
            return Err(Halt::fault(message, "use the version of kibitzer that wrote it, or a newer one"));
        }
        if length > LONGEST || u64::from(length) + 20 + TRAILER as u64 > size {
            return Err(wrong("it is too short"));
        }
        let mut text = vec![0; length as usize + 4];
        file.read_exact(&mut text).map_err(failed)?;
        let crc = text.split_off(length as usize);
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&start);
        hasher.update(&text);
        if hasher.finalize().to_le_bytes() != *crc {
            return Err(wrong("the checksum of its header is wrong"));
        }
        let meta: Meta = serde_json::from_slice(&text).map_err(|_| wrong("its header cannot be read"))?;
        let mut trailer = [0; TRAILER];
        file.seek(SeekFrom::End(-(TRAILER as i64))).and_then(|_| file.read_exact(&mut trailer)).map_err(failed)?;
        if &trailer[20..] != MAGIC {
            return Err(wrong("its end is missing"));
        }
        let long = |at: usize| u64::from_le_bytes(trailer[at..at + 8].try_into().unwrap_or_default());
        let (place, count) = (long(0), long(8));
        if count.checked_mul(ENTRY as u64).and_then(|bytes| bytes.checked_add(place)?.checked_add(TRAILER as u64)) != Some(size) {
            return Err(wrong("its index has the wrong size"));
        }
        let mut index = vec![0; count as usize * ENTRY];
        file.seek(SeekFrom::Start(place)).and_then(|_| file.read_exact(&mut index)).map_err(failed)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&index);
        hasher.update(&trailer[..16]);
        let crc = hasher.finalize();
        if crc.to_le_bytes() != trailer[16..20] {
            return Err(wrong("the checksum of its index is wrong"));
        }
        let entry = |bytes: &[u8]| {
            let short = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap_or_default());
            let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or_default());
            Segment { layer: short(0), bucket: short(4), offset: long(8), bytes: long(16), count: long(24) }
        };
        let entries: Arc<[Segment]> = index.chunks_exact(ENTRY).map(entry).collect();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(StateFile { path: path.into(), meta: Arc::new(meta), entries, seal: Seal { name, bytes: size, crc } })
    }

    /// The segment of a bucket in a layer, if it has states.
    pub fn entry(&self, layer: u32, bucket: usize) -> Option<&Segment> {
        let at = self.entries.binary_search_by_key(&(layer, bucket as u32), |entry| (entry.layer, entry.bucket)).ok()?;
        Some(&self.entries[at])
    }

    /// The label of a state, or `None` if the state is not in the table.
    pub fn find(&self, layer: u32, state: &[u8]) -> Result<Option<Label>, Halt> {
        let Some(entry) = self.entry(layer, route::bucket(state)) else { return Ok(None) };
        let mut cursor = self.cursor(entry);
        cursor.advance()?;
        Ok(cursor.seek(state)?.then(|| cursor.label()))
    }

    /// A cursor at the start of a segment.
    pub fn cursor(&self, entry: &Segment) -> Cursor {
        Cursor {
            path: Arc::clone(&self.path),
            width: self.meta.width,
            narrow: block::is_narrow(self.meta.width),
            labeled: self.meta.labels,
            offset: entry.offset,
            end: entry.offset + entry.bytes,
            left: entry.count,
            size: PIECE,
            piece: Vec::new(),
            used: 0,
            begun: 0,
            states: Vec::new(),
            labels: Vec::new(),
            count: 0,
            at: 0,
            word: 0,
        }
    }
}

/// Iterates over the states of a segment, without keeping a file open, because there may be thousands of cursors.
pub struct Cursor {
    path: Arc<Path>,
    width: usize,
    narrow: bool,
    labeled: bool,
    /// Start of the bytes not yet read.
    offset: u64,
    /// End of the segment.
    end: u64,
    /// Number of states not yet decoded.
    left: u64,
    /// Number of bytes to read at a time.
    size: usize,
    piece: Vec<u8>,
    used: usize,
    /// The start of the current block.
    begun: usize,
    states: Vec<u8>,
    labels: Vec<Label>,
    count: usize,
    at: usize,
    /// The current state as a number, if it is narrow.
    pub word: u64,
}

impl Cursor {
    /// Sets the number of bytes to read at a time.
    pub fn reading(self, bytes: usize) -> Cursor {
        Cursor { size: bytes, ..self }
    }

    /// Moves to the first or next state. Returns false at the end.
    #[inline]
    pub fn advance(&mut self) -> Result<bool, Halt> {
        self.at += 1;
        if self.at >= self.count && !self.refill()? {
            return Ok(false);
        }
        if self.narrow {
            self.word = block::word_of(self.head());
        }
        Ok(true)
    }

    /// Moves to the first state that is not less than `state`. Returns true if it equals `state`.
    #[inline]
    pub fn seek(&mut self, state: &[u8]) -> Result<bool, Halt> {
        while !self.is_over() {
            let order = if self.narrow { self.word.cmp(&block::word_of(state)) } else { self.head().cmp(state) };
            match order {
                Ordering::Less => self.advance()?,
                _ => return Ok(order == Ordering::Equal),
            };
        }
        Ok(false)
    }

    /// True if the cursor is past the last state.
    pub fn is_over(&self) -> bool {
        self.at >= self.count
    }

    /// The current state.
    #[inline]
    pub fn head(&self) -> &[u8] {
        &self.states[self.at * self.width..(self.at + 1) * self.width]
    }

    /// The label of the current state, if the table has labels.
    pub fn label(&self) -> Label {
        self.labels.get(self.at).copied().unwrap_or_default()
    }

    /// The states of the block from the current one to the last, and their number. [`Cursor::skip`] moves past them.
    pub fn block(&self) -> (usize, &[u8]) {
        (self.count - self.at, &self.states[self.at * self.width..self.count * self.width])
    }

    /// Skips `count` states of the block; [`Cursor::advance`] must be called next.
    pub fn skip(&mut self, count: usize) {
        self.at += count - 1;
    }

    /// The number of states in the next block, and the bytes of the block in the file. The checksum has been verified.
    pub fn next_block(&mut self) -> Result<Option<(usize, Vec<u8>)>, Halt> {
        Ok(if self.refill()? { Some((self.count, self.piece[self.begun..self.used].to_vec())) } else { None })
    }

    /// Decodes the next block.
    fn refill(&mut self) -> Result<bool, Halt> {
        (self.at, self.count) = (0, 0);
        self.states.clear();
        self.labels.clear();
        if self.left == 0 {
            return if self.offset == self.end && self.used == self.piece.len() { Ok(false) } else { Err(self.wrong()) };
        }
        if self.piece.len() - self.used < HEAD {
            self.read(HEAD)?;
        }
        let head = BlockHead::read(&self.piece[self.used..], self.width).ok_or_else(|| self.wrong())?;
        if self.piece.len() - self.used < head.bytes() {
            self.read(head.bytes())?;
        }
        let block = &self.piece[self.used..self.used + head.bytes()];
        let labels = self.labeled.then_some(&mut self.labels);
        if head.decode(block, self.width, &mut self.states, labels).is_none() || head.count as u64 > self.left {
            return Err(self.wrong());
        }
        self.begun = self.used;
        self.used += head.bytes();
        self.left -= head.count as u64;
        self.count = head.count;
        Ok(true)
    }

    /// Reads until at least `least` bytes are buffered.
    fn read(&mut self, least: usize) -> Result<(), Halt> {
        self.piece.drain(..self.used);
        self.used = 0;
        let have = self.piece.len();
        let more = (self.end - self.offset).min(self.size.max(least) as u64) as usize;
        if have + more < least {
            return Err(self.wrong());
        }
        self.piece.resize(have + more, 0);
        let file = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.offset))?;
            file.read_exact(&mut self.piece[have..])
        });
        file.map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => damaged(&self.path, "its end is missing"),
            _ => cannot_read(&self.path, &error),
        })?;
        self.offset += more as u64;
        Ok(())
    }

    fn wrong(&self) -> Halt {
        damaged(&self.path, &format!("the checksum of a block before byte {} is wrong", self.offset))
    }
}
