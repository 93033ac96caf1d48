//! Boards and answers that are PBM bitmaps.

use std::io::{BufWriter, Read, Write};
use std::path::Path;

use kibitzer::bits::bitmap::{Bitmap, is_pbm, read_pbm};
use kibitzer::catalog::{Checked, Entry};
use kibitzer::limits::Limits;
use kibitzer::notation::Options;
use kibitzer::notation::tools::Bitmaps;
use kibitzer::report::count;

use crate::failure::Failure;
use crate::{input, output};

pub fn is_named(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pbm"))
}

/// True if the file contains a bitmap.
pub fn is_file(path: &Path) -> bool {
    let mut start = [0; 3];
    path.is_file() && std::fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && is_pbm(&start)
}

pub fn read(bytes: &[u8], name: &str) -> Result<Bitmap, Failure> {
    let help = "a PBM bitmap consists of `P1` or `P4`, its width and height, and all its cells";
    read_pbm(bytes).map_err(|(at, message)| Failure::input(format!("{name}: byte {}: {message}", at + 1), help))
}

pub fn write(image: &Bitmap, file: Option<&Path>) -> Result<u8, Failure> {
    output::write_with(file, |out| {
        let mut out = BufWriter::with_capacity(1 << 20, out);
        write!(out, "P4\n{} {}\n", image.columns(), image.rows())?;
        image.packed_rows().try_for_each(|row| out.write_all(&row))?;
        out.flush()
    })
}

/// Returns a game's bitmap functions, or an error if the game has none.
pub fn of(entry: &Entry) -> Result<&'static Bitmaps, Failure> {
    let help = || format!("`kibitzer about {}` shows how boards are written", entry.name);
    entry.bitmaps().ok_or_else(|| Failure::input(format!("{} boards cannot be bitmaps", entry.name), help()))
}

pub fn check(entry: &Entry, board: &Bitmap, answer: &Path, options: &Options, limits: &Limits) -> Result<Result<Checked, String>, Failure> {
    let name = answer.to_string_lossy();
    let answer = read(&input::read_bytes(input::open(answer)?, &name, u64::MAX, limits)?, &name)?;
    let moves = answer.count_ones();
    Ok((of(entry)?.check)(board, &answer, options).map(|clears| {
        let (text, cost) = match clears {
            true => (format!("the goal is reached in {}", count(moves, "move")), u32::try_from(moves).ok()),
            false => ("the bitmap proves that there is no solution".to_owned(), None),
        };
        Checked { text, undecided: Vec::new(), cost, least: None }
    }))
}
