//! Boards that are bitmaps: PBM files in and out, row by row, and what the commands do with them.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::Instant;

use kibitzer::catalog::{Checked, Entry};
use kibitzer::limits::{Cancel, Limits};
use kibitzer::notation::Options;
use kibitzer::notation::bitmap::{Bitmap, BitmapVerdict, Bitmaps, Judgement, PbmHeader, is_pbm, pbm_header};
use kibitzer::report::{BitmapReport, count};

use crate::failure::{Failure, SOLVED, UNSOLVABLE};
use crate::{input, output};

/// Most bytes of a header: comments may be in it.
const HEADER: usize = 64 << 10;
/// Bytes that are read or written at once.
const BUFFER: usize = 1 << 20;

/// Is this the name of a bitmap?
pub fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pbm"))
}

/// Is this a file, which can be read again, that holds a bitmap?
pub fn is_file(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    let mut start = [0; 3];
    path.is_file() && File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && is_pbm(&start)
}

/// The rows of a PBM file, one after the other.
pub struct Rows<R> {
    from: BufReader<R>,
    name: String,
    pub header: PbmHeader,
    given: usize,
    bytes: Vec<u8>,
    limits: Limits,
}

impl Rows<File> {
    pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<Rows<File>, Failure> {
        let path = path.as_ref();
        let file = input::open(path)?;
        let length = file.metadata().ok().filter(|meta| meta.is_file()).map(|meta| meta.len());
        let rows = Rows::new(file, &path.to_string_lossy(), limits)?;
        // A header that promises more than there is, is refused before anything is read.
        let PbmHeader { packed, rows: height, columns, length: header } = rows.header;
        let row = if packed { columns.div_ceil(8) } else { columns };
        let need = (height as u64).checked_mul(row as u64).and_then(|bytes| bytes.checked_add(header as u64));
        if let Some(length) = length
            && need.is_none_or(|need| need > length)
        {
            return Err(rows.wrong(format!("the file has {length} bytes, but a bitmap of {columns} x {height} cells needs more")));
        }
        Ok(rows)
    }
}

impl<R: Read> Rows<R> {
    pub fn new(from: R, name: &str, limits: &Limits) -> Result<Rows<R>, Failure> {
        let mut from = BufReader::with_capacity(BUFFER, from);
        let mut start = Vec::new();
        loop {
            let mut next = [0];
            let ended = from.read(&mut next).map_err(|error| input::cannot_read(name, &error))? == 0;
            if !ended {
                start.push(next[0]);
            }
            // The blank after the height ends the header: look only where one stands.
            if ended || next[0].is_ascii_whitespace() || start.len() == HEADER {
                match pbm_header(&start) {
                    Ok(header) => {
                        return Ok(Rows { from, name: name.to_owned(), header, given: 0, bytes: Vec::new(), limits: limits.clone() });
                    }
                    Err(message) if ended || start.len() == HEADER => {
                        return Err(Failure::input(format!("{name}: {message}"), PBM));
                    }
                    Err(_) => {}
                }
            }
        }
    }

    fn wrong(&self, message: String) -> Failure {
        Failure::input(format!("{}: {message}", self.name), "check where the file comes from: it is not a whole PBM bitmap")
    }

    /// Fills in the next row.
    pub fn next(&mut self, row: &mut [u64]) -> Result<(), Failure> {
        self.limits.check()?;
        let PbmHeader { packed, rows, columns, .. } = self.header;
        let ended = |given: usize| format!("the bitmap ends after {given} of {rows} rows");
        if packed {
            self.bytes.resize(columns.div_ceil(8), 0);
            let mut bytes = std::mem::take(&mut self.bytes);
            let read = self.from.read_exact(&mut bytes);
            self.bytes = bytes;
            read.map_err(|_| self.wrong(ended(self.given)))?;
            Bitmap::unpack_row(row, columns, &self.bytes);
        } else {
            row.fill(0);
            for column in 0..columns {
                if self.next_cell()?.ok_or_else(|| self.wrong(ended(self.given)))? {
                    row[column / 64] |= 1 << (column % 64);
                }
            }
        }
        self.given += 1;
        Ok(())
    }

    /// The next 0 or 1 of a bitmap that is text.
    fn next_cell(&mut self) -> Result<Option<bool>, Failure> {
        let mut comment = false;
        let mut byte = [0];
        loop {
            if self.from.read(&mut byte).map_err(|error| input::cannot_read(&self.name, &error))? == 0 {
                return Ok(None);
            }
            match byte[0] {
                b'\n' => comment = false,
                _ if comment => {}
                b'#' => comment = true,
                b'0' => return Ok(Some(false)),
                b'1' => return Ok(Some(true)),
                blank if blank.is_ascii_whitespace() => {}
                other => {
                    let found = if other.is_ascii_graphic() { char::from(other).to_string() } else { format!("byte {other}") };
                    return Err(self.wrong(format!("row {}: `{found}` is not a cell", self.given + 1)));
                }
            }
        }
    }

    /// The whole bitmap. Memory is taken as the rows come in, whatever the header says.
    pub fn all(mut self) -> Result<Bitmap, Failure> {
        let PbmHeader { packed, rows, columns, .. } = self.header;
        // A row must be there before there is room for it.
        let mut first = Vec::new();
        let row = if packed { columns.div_ceil(8) } else { columns };
        let count = (&mut self.from).take(row as u64).read_to_end(&mut first).map_err(|error| input::cannot_read(&self.name, &error))?;
        if count < row {
            return Err(self.wrong(format!("the bitmap ends within the first of {rows} rows")));
        }
        let mut whole = Rows {
            from: BufReader::with_capacity(BUFFER, first.as_slice().chain(self.from)),
            name: self.name,
            header: self.header,
            given: 0,
            bytes: Vec::new(),
            limits: self.limits,
        };
        let mut board = Bitmap::growing(columns);
        for _ in 0..rows {
            if board.reserve_rows(1).is_err() {
                return Err(Failure::input(
                    format!("{}: there is no memory for {rows} x {columns} cells", whole.name),
                    "give a smaller board",
                ));
            }
            whole.next(board.push_row())?;
        }
        let mut more = [0];
        loop {
            match whole.from.read(&mut more) {
                Ok(0) => return Ok(board),
                Ok(_) if more[0].is_ascii_whitespace() => {}
                _ => return Err(whole.wrong("there is more after the bitmap's last row".to_owned())),
            }
        }
    }
}

const PBM: &str = "a bitmap begins with `P1` or `P4`, its width and its height";

/// Writes a bitmap, packed.
pub fn write(board: &Bitmap, file: Option<&Path>) -> Result<(), Failure> {
    output::write_with(file, |out| {
        let mut out = BufWriter::with_capacity(BUFFER, out);
        write!(out, "P4\n{} {}\n", board.columns(), board.rows())?;
        let mut bytes = vec![0; board.columns().div_ceil(8)];
        for row in 0..board.rows() {
            Bitmap::pack_row(board.row(row), &mut bytes);
            out.write_all(&bytes)?;
        }
        out.flush()
    })
}

/// What the game can do with bitmaps, or that it cannot.
pub fn of(entry: &Entry) -> Result<&Bitmaps, Failure> {
    entry.bitmaps.as_ref().ok_or_else(|| {
        Failure::input(
            format!("{} has no boards that are bitmaps", entry.name),
            format!("`kibitzer about {}` shows how boards are written", entry.name),
        )
    })
}

/// A board to be solved as a bitmap, and where it can be read again.
#[derive(Clone)]
pub enum Source {
    /// From this file.
    File(String),
    /// From elsewhere: this is a copy.
    Memory(Bitmap),
}

impl Source {
    pub fn read(&self, limits: &Limits) -> Result<Bitmap, Failure> {
        match self {
            Source::File(path) => Rows::open(path, limits)?.all(),
            Source::Memory(board) => Ok(board.clone()),
        }
    }

    /// Judges a bitmap against the board, which is read again, row by row.
    fn judge(&self, bitmaps: &Bitmaps, answer: &Bitmap, options: &Options, limits: &Limits) -> Result<Result<Judgement, String>, Failure> {
        let judged = match self {
            Source::File(path) => {
                let mut rows = Rows::open(path, limits)?;
                let (height, columns) = (rows.header.rows, rows.header.columns);
                let mut next = |row: &mut [u64]| rows.next(row).map_err(|failure| failure.message);
                (bitmaps.check)(height, columns, &mut next, answer, options)
            }
            Source::Memory(board) => {
                let mut row = 0;
                let mut next = |to: &mut [u64]| {
                    limits.check().map_err(|limit| limit.words().to_owned())?;
                    to.copy_from_slice(board.row(row));
                    row += 1;
                    Ok(())
                };
                (bitmaps.check)(board.rows(), board.columns(), &mut next, answer, options)
            }
        };
        // A check that was stopped has no result.
        limits.check()?;
        Ok(judged)
    }
}

/// `solve` for a board that is a bitmap, or whose answer shall be one. A limit is a failure here.
pub fn solve(
    entry: &Entry,
    source: &Source,
    options: &Options,
    limits: &Limits,
    file: Option<&Path>,
) -> Result<(BitmapReport, f64), Failure> {
    let bitmaps = of(entry)?;
    let mut board = source.read(limits)?;
    let begun = Instant::now();
    let answer = (bitmaps.solve)(&mut board, options, limits).map_err(|error| Failure::reading("the board", &error))?;
    let seconds = begun.elapsed().as_secs_f64();
    let solved = matches!(answer.verdict, BitmapVerdict::Solved { .. });
    let judged = source.judge(bitmaps, &board, options, &unhurried(limits))?;
    if judged != Ok(if solved { Judgement::Clears } else { Judgement::Refutes }) {
        return Err(Failure::internal(format!("the answer did not pass its check: {judged:?}")));
    }
    if let Some(file) = file {
        write(&board, Some(file))?;
    }
    let file = file.map(|file| file.display().to_string());
    Ok((BitmapReport { game: entry.name, method: bitmaps.method, answer, file }, seconds))
}

/// Limits without a deadline: an answer that was found in time is checked in any case. The main thread gives up if that takes
/// too long.
fn unhurried(limits: &Limits) -> Limits {
    Limits { cancel: Cancel::default(), ..limits.clone() }
}

/// The exit code for a report.
pub fn exit_code(report: &BitmapReport) -> u8 {
    if matches!(report.answer.verdict, BitmapVerdict::Solved { .. }) { SOLVED } else { UNSOLVABLE }
}

/// `check` for an answer that is a bitmap.
pub fn check(
    entry: &Entry,
    source: &Source,
    answer: &Path,
    options: &Options,
    limits: &Limits,
) -> Result<Result<Checked, String>, Failure> {
    let bitmaps = of(entry)?;
    let answer = Rows::open(answer, limits)?.all()?;
    let checked = |text: String, cost| Ok(Checked { text, undecided: Vec::new(), cost, least: None });
    Ok(match source.judge(bitmaps, &answer, options, limits)? {
        Ok(Judgement::Clears) => {
            let moves = answer.count_ones();
            checked(format!("these {} lead to the goal", count(moves, "move")), u32::try_from(moves).ok())
        }
        Ok(Judgement::Refutes) => checked("the bitmap proves that there is no solution".to_owned(), None),
        Ok(Judgement::Nothing) => Err("the bitmap shows neither moves that lead to the goal nor a proof".to_owned()),
        Err(message) => Err(message),
    })
}
