//! Boards that are pictures: PBM files in and out, row by row, and what the commands do with them.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use kibitzer::catalog::Entry;
use kibitzer::notation::Options;
use kibitzer::notation::bitmap::{Bitmap, Judgement, PbmHead, PictureVerdict, Pictures, is_pbm, pbm_head};
use kibitzer::report::PictureReport;

use crate::effort::Effort;
use crate::failure::{Failure, SOLVED, UNSOLVABLE};
use crate::{input, output};

/// Most bytes of a head: remarks may be in it.
const HEAD: usize = 64 << 10;
/// Bytes that are read or written at once.
const BUFFER: usize = 1 << 20;

/// Is this the name of a picture?
pub fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pbm"))
}

/// Is this a file, which can be read again, that holds a picture?
pub fn is_file(path: &str) -> bool {
    let mut start = [0; 3];
    Path::new(path).is_file() && File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && is_pbm(&start)
}

/// The rows of a PBM file, one after the other.
pub struct Rows<R> {
    from: BufReader<R>,
    name: String,
    pub head: PbmHead,
    given: usize,
    bytes: Vec<u8>,
}

impl Rows<File> {
    pub fn open(path: &str) -> Result<Rows<File>, Failure> {
        let file = File::open(path).map_err(|error| input::cannot_read(path, &error))?;
        let length = file.metadata().ok().filter(|meta| meta.is_file()).map(|meta| meta.len());
        let rows = Rows::new(file, path)?;
        // A head that promises more than there is, is told before anything is read.
        let PbmHead { packed, rows: height, columns, length: head } = rows.head;
        let row = if packed { columns.div_ceil(8) } else { columns };
        let need = (height as u64).checked_mul(row as u64).and_then(|bytes| bytes.checked_add(head as u64));
        if let Some(length) = length
            && need.is_none_or(|need| need > length)
        {
            return Err(rows.wrong(format!("the file has {length} bytes, but a picture of {columns} x {height} cells needs more")));
        }
        Ok(rows)
    }
}

impl<R: Read> Rows<R> {
    pub fn new(from: R, name: &str) -> Result<Rows<R>, Failure> {
        let mut from = BufReader::with_capacity(BUFFER, from);
        let mut start = Vec::new();
        loop {
            let mut next = [0];
            let ended = from.read(&mut next).map_err(|error| input::cannot_read(name, &error))? == 0;
            if !ended {
                start.push(next[0]);
            }
            // The blank after the height ends the head: look only where one stands.
            if ended || next[0].is_ascii_whitespace() || start.len() == HEAD {
                match pbm_head(&start) {
                    Ok(head) => return Ok(Rows { from, name: name.to_owned(), head, given: 0, bytes: Vec::new() }),
                    Err(message) if ended || start.len() == HEAD => {
                        return Err(Failure::input(format!("{name}: {message}"), PBM));
                    }
                    Err(_) => {}
                }
            }
        }
    }

    fn wrong(&self, message: String) -> Failure {
        Failure::input(format!("{}: {message}", self.name), "check where the file comes from: it is not a whole PBM picture")
    }

    /// Fills in the next row.
    pub fn next(&mut self, row: &mut [u64]) -> Result<(), Failure> {
        let PbmHead { packed, rows, columns, .. } = self.head;
        let ended = |given: usize| format!("the picture ends after {given} of {rows} rows");
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

    /// The next 0 or 1 of a picture that is text.
    fn next_cell(&mut self) -> Result<Option<bool>, Failure> {
        let mut remark = false;
        let mut byte = [0];
        loop {
            if self.from.read(&mut byte).map_err(|error| input::cannot_read(&self.name, &error))? == 0 {
                return Ok(None);
            }
            match byte[0] {
                b'\n' => remark = false,
                _ if remark => {}
                b'#' => remark = true,
                b'0' => return Ok(Some(false)),
                b'1' => return Ok(Some(true)),
                blank if blank.is_ascii_whitespace() => {}
                other => {
                    let sign = if other.is_ascii_graphic() { char::from(other).to_string() } else { format!("byte {other}") };
                    return Err(self.wrong(format!("row {}: `{sign}` is not a cell", self.given + 1)));
                }
            }
        }
    }

    /// The whole picture. Memory is taken as the rows come in, whatever the head says.
    pub fn all(mut self) -> Result<Bitmap, Failure> {
        let PbmHead { packed, rows, columns, .. } = self.head;
        // A row must be there before there is room for it.
        let mut first = Vec::new();
        let row = if packed { columns.div_ceil(8) } else { columns };
        let count = (&mut self.from).take(row as u64).read_to_end(&mut first).map_err(|error| input::cannot_read(&self.name, &error))?;
        if count < row {
            return Err(self.wrong(format!("the picture ends within the first of {rows} rows")));
        }
        let mut whole = Rows {
            from: BufReader::with_capacity(BUFFER, first.as_slice().chain(self.from)),
            name: self.name,
            head: self.head,
            given: 0,
            bytes: Vec::new(),
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
                _ => return Err(whole.wrong("there is more after the picture's last row".to_owned())),
            }
        }
    }
}

const PBM: &str = "a picture begins with `P1` or `P4`, its width and its height";

/// Writes a picture, packed.
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

/// What the game can do with pictures, or that it cannot.
pub fn of(entry: &Entry) -> Result<&Pictures, Failure> {
    entry.pictures.as_ref().ok_or_else(|| {
        Failure::input(
            format!("{} has no boards that are pictures", entry.name),
            format!("`kibitzer about {}` shows how boards are written", entry.name),
        )
    })
}

/// A board to be solved as a picture, and where it can be read again.
pub enum Source {
    /// From this file.
    File(String),
    /// From elsewhere: this is a copy.
    Memory(Bitmap),
}

impl Source {
    pub fn read(&self) -> Result<Bitmap, Failure> {
        match self {
            Source::File(path) => Rows::open(path)?.all(),
            Source::Memory(board) => Ok(board.clone()),
        }
    }

    /// Judges a picture against the board, which is read again, row by row.
    fn judge(&self, pictures: &Pictures, answer: &Bitmap, options: &Options) -> Result<Result<Judgement, String>, Failure> {
        match self {
            Source::File(path) => {
                let mut rows = Rows::open(path)?;
                let (height, columns) = (rows.head.rows, rows.head.columns);
                let mut next = |row: &mut [u64]| rows.next(row).map_err(|failure| failure.message);
                Ok((pictures.check)(height, columns, &mut next, answer, options))
            }
            Source::Memory(board) => {
                let mut row = 0;
                let mut next = |to: &mut [u64]| {
                    to.copy_from_slice(board.row(row));
                    row += 1;
                    Ok(())
                };
                Ok((pictures.check)(board.rows(), board.columns(), &mut next, answer, options))
            }
        }
    }
}

/// `solve` for a board that is a picture, or whose answer shall be one.
pub fn solve(entry: &Entry, source: &Source, options: &Options, effort: &Effort, json: bool, file: Option<&Path>) -> Result<u8, Failure> {
    let pictures = of(entry)?;
    let mut board = source.read()?;
    let (answer, seconds) = effort.spend(entry.name, None, |limits| (pictures.solve)(&mut board, options, limits));
    let answer = answer?;
    let solved = matches!(answer.verdict, PictureVerdict::Solved { .. });
    let judged = source.judge(pictures, &board, options)?;
    if judged != Ok(if solved { Judgement::Clears } else { Judgement::Refutes }) {
        return Err(Failure::internal(format!("the answer did not pass its check: {judged:?}")));
    }
    if let Some(file) = file {
        write(&board, Some(file))?;
    }
    let file = file.map(|file| file.display().to_string());
    let report = PictureReport { game: entry.name, method: "chase", answer, file };
    let text = if json { format!("{}\n", report.json(seconds)) } else { report.text(seconds) };
    output::write(&text, None)?;
    Ok(if solved { SOLVED } else { UNSOLVABLE })
}

/// `check` for an answer that is a picture.
pub fn check(entry: &Entry, source: &Source, answer: &str, options: &Options) -> Result<Result<String, String>, Failure> {
    let pictures = of(entry)?;
    let answer = Rows::open(answer)?.all()?;
    Ok(match source.judge(pictures, &answer, options)? {
        Ok(Judgement::Clears) => Ok(format!("these {} moves lead to the goal", answer.count_ones())),
        Ok(Judgement::Refutes) => Ok("the picture proves that there is no solution".to_owned()),
        Ok(Judgement::Nothing) => Err("the picture shows neither moves that lead to the goal nor a proof".to_owned()),
        Err(message) => Err(message),
    })
}
