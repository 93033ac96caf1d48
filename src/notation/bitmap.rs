//! Boards as black-and-white bitmaps, a bit per cell: for boards of millions of cells, which no list of moves should hold.
//!
//! The bitmap formats are PBM's two: `P1`, a text of 0 and 1, and `P4`, eight cells to a byte. The library touches no file:
//! whoever reads one gives the bytes of the header and then of each row.

use serde_json::{Map, Value};

use super::{Input, Options, ReadError};
use crate::bits::{ones_in, transpose_block};
use crate::limits::Limits;

/// A bitmap. Cell `column` of a row is bit `column % 64` of word `column / 64`; bits after the last column are 0.
#[derive(Clone, PartialEq, Eq)]
pub struct Bitmap {
    rows: usize,
    columns: usize,
    stride: usize,
    words: Vec<u64>,
}

impl Bitmap {
    /// An empty bitmap of this size. `None` if there is no memory for it.
    pub fn new(rows: usize, columns: usize) -> Option<Bitmap> {
        let stride = columns.div_ceil(64);
        let count = rows.checked_mul(stride).filter(|&count| count <= isize::MAX as usize / 8)?;
        // Asked first: an allocation that fails in `vec!` ends the program.
        Vec::<u64>::new().try_reserve_exact(count).ok()?;
        Some(Bitmap { rows, columns, stride, words: vec![0; count] })
    }

    /// A bitmap without rows yet, to be filled by [`Bitmap::push_row`].
    pub fn growing(columns: usize) -> Bitmap {
        Bitmap { rows: 0, columns, stride: columns.div_ceil(64), words: Vec::new() }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Words in a row.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Makes room for so many rows at once, where the memory can be had.
    pub fn reserve_rows(&mut self, rows: usize) -> Result<(), std::collections::TryReserveError> {
        self.words.try_reserve_exact(rows.saturating_mul(self.stride))
    }

    /// Adds an empty row and gives it out to be filled.
    pub fn push_row(&mut self) -> &mut [u64] {
        self.rows += 1;
        let start = self.words.len();
        self.words.resize(start + self.stride, 0);
        &mut self.words[start..]
    }

    pub fn get(&self, row: usize, column: usize) -> bool {
        self.words[row * self.stride + column / 64] >> (column % 64) & 1 == 1
    }

    pub fn flip(&mut self, row: usize, column: usize) {
        self.words[row * self.stride + column / 64] ^= 1 << (column % 64);
    }

    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.stride..][..self.stride]
    }

    pub fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.words[row * self.stride..][..self.stride]
    }

    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// All rows, one after the other. Bits after the last column must stay 0.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    pub fn count_ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The cells that are set, row by row, counted from 0.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rows).flat_map(move |row| ones_in(self.row(row)).map(move |column| row * self.columns + column))
    }

    /// Rows as columns.
    pub fn transposed(&self) -> Bitmap {
        let mut turned = Bitmap::new(self.columns, self.rows).expect("there is memory for it");
        for top in (0..self.rows).step_by(64) {
            for at in 0..self.stride {
                let mut block = [0; 64];
                for (row, word) in block.iter_mut().enumerate().take(self.rows - top) {
                    *word = self.words[(top + row) * self.stride + at];
                }
                transpose_block(&mut block);
                for (row, word) in block.iter().enumerate().take(self.columns - at * 64) {
                    turned.words[(at * 64 + row) * turned.stride + top / 64] = *word;
                }
            }
        }
        turned
    }

    /// The last row first.
    pub fn reverse_rows(&mut self) {
        let (stride, rows) = (self.stride, self.rows);
        for row in 0..rows / 2 {
            let (front, back) = self.words.split_at_mut((rows - 1 - row) * stride);
            front[row * stride..][..stride].swap_with_slice(&mut back[..stride]);
        }
    }

    /// Fills a row from PBM's bytes, eight cells to a byte, the leftmost in the highest bit.
    pub fn unpack_row(row: &mut [u64], columns: usize, bytes: &[u8]) {
        for (word, bytes) in row.iter_mut().zip(bytes.chunks(8)) {
            let mut eight = [0; 8];
            eight[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_be_bytes(eight).reverse_bits();
        }
        mask_row(row, columns);
    }

    /// The inverse of [`Bitmap::unpack_row`].
    pub fn pack_row(row: &[u64], bytes: &mut [u8]) {
        for (word, bytes) in row.iter().zip(bytes.chunks_mut(8)) {
            bytes.copy_from_slice(&word.reverse_bits().to_be_bytes()[..bytes.len()]);
        }
    }
}

/// Clears the bits after the last column.
pub fn mask_row(row: &mut [u64], columns: usize) {
    if let (Some(last), rest @ 1..) = (row.last_mut(), columns % 64) {
        *last &= (1 << rest) - 1;
    }
}

/// What a game can do whose boards are such bitmaps.
pub struct Bitmaps {
    /// The method that solves them, as `--method` takes it.
    pub method: &'static str,
    /// Boards up to this many cells are better read as text, for all that the game can do with it.
    pub most_as_text: usize,
    pub to_text: fn(&Bitmap) -> String,
    /// The board of a text, where it can be a bitmap.
    pub from_text: fn(&Input<'_>) -> Result<Bitmap, ReadError>,
    /// Overwrites the board by a bitmap of the moves or of a proof that there is no solution.
    pub solve: fn(&mut Bitmap, &Options, &Limits) -> Result<BitmapAnswer, ReadError>,
    /// Judges such a bitmap. The board's rows come one after the other; the error is a sentence.
    pub check: Judge,
    /// A random board, by seed.
    pub generate: fn(u64, &Options, &Limits) -> Result<Bitmap, ReadError>,
}

/// Rows, columns, what fills in the next row of the board, the bitmap to be judged, and options.
pub type Judge = fn(usize, usize, &mut dyn FnMut(&mut [u64]) -> Result<(), String>, &Bitmap, &Options) -> Result<Judgement, String>;

/// What was found out about a board that is a bitmap.
pub struct BitmapAnswer {
    pub verdict: BitmapVerdict,
    /// What only this game reports.
    pub facts: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitmapVerdict {
    /// So many moves, and no fewer than `lower` would do.
    Solved {
        cost: u64,
        lower: u64,
    },
    Unsolvable,
}

/// What a bitmap that is given as an answer shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Moves that lead to the goal.
    Clears,
    /// A proof that there are none.
    Refutes,
    Nothing,
}

/// What the header of a PBM file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PbmHeader {
    /// `P4`: bytes; else `P1`: text.
    pub packed: bool,
    pub rows: usize,
    pub columns: usize,
    /// Bytes of the header; the bitmap starts there.
    pub length: usize,
}

/// Does a file that begins so claim to be a PBM bitmap?
pub fn is_pbm(start: &[u8]) -> bool {
    matches!(start, [b'P', b'1' | b'4', next, ..] if next.is_ascii_whitespace() || *next == b'#')
}

/// Reads the header of a PBM file from its first bytes. The error is a sentence; more bytes may be needed if `start` is short.
pub fn pbm_header(start: &[u8]) -> Result<PbmHeader, String> {
    if !is_pbm(start) {
        return Err("a PBM bitmap begins with `P1` or `P4`".to_owned());
    }
    let mut at = 2;
    let mut number = |name: &str| -> Result<usize, String> {
        let blank = |byte: u8| byte.is_ascii_whitespace();
        while start.get(at).is_some_and(|&byte| blank(byte) || byte == b'#') {
            if start[at] == b'#' {
                at += start[at..].iter().take_while(|&&byte| byte != b'\n').count();
            } else {
                at += 1;
            }
        }
        let digits = start[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = std::str::from_utf8(&start[at..at + digits]).expect("digits");
        at += digits;
        let number: usize = text.parse().map_err(|_| format!("the bitmap's {name} is missing or overflows"))?;
        // Three words per row and a place number must still be countable.
        if number == 0 || number as u64 > 1 << 40 {
            return Err(format!("the bitmap's {name} is {number}"));
        }
        Ok(number)
    };
    let (columns, rows) = (number("width")?, number("height")?);
    if !start.get(at).is_some_and(u8::is_ascii_whitespace) {
        return Err("a blank must follow the bitmap's height".to_owned());
    }
    Ok(PbmHeader { packed: start[1] == b'4', rows, columns, length: at + 1 })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::Random;

    fn random(rows: usize, columns: usize, seed: u64) -> Bitmap {
        let mut random = Random::new(seed);
        let mut map = Bitmap::new(rows, columns).unwrap();
        for row in 0..rows {
            (0..columns).filter(|_| random.below(2) == 1).collect::<Vec<_>>().into_iter().for_each(|column| map.flip(row, column));
        }
        map
    }

    proptest! {
        #[test]
        fn turning_reversing_and_packing_go_back(rows in 1..200_usize, columns in 1..200_usize, seed: u64) {
            let map = random(rows, columns, seed);
            let turned = map.transposed();
            prop_assert!((0..rows).all(|r| (0..columns).all(|c| map.get(r, c) == turned.get(c, r))));
            let mut reversed = map.clone();
            reversed.reverse_rows();
            prop_assert!((0..rows).all(|r| map.row(r) == reversed.row(rows - 1 - r)));
            let mut copy = Bitmap::growing(columns);
            let mut bytes = vec![0; columns.div_ceil(8)];
            for row in 0..rows {
                Bitmap::pack_row(map.row(row), &mut bytes);
                prop_assert!((0..columns).all(|c| map.get(row, c) == (bytes[c / 8] >> (7 - c % 8) & 1 == 1)));
                Bitmap::unpack_row(copy.push_row(), columns, &bytes);
            }
            prop_assert!(copy == map);
            let ones: Vec<usize> = (0..rows * columns).filter(|at| map.get(at / columns, at % columns)).collect();
            prop_assert_eq!(map.ones().collect::<Vec<_>>(), ones);
        }
    }

    #[test]
    fn headers() {
        let header = pbm_header(b"P4 # a comment\n # more\n 12\n7\n\x01\x02").unwrap();
        assert_eq!(header, PbmHeader { packed: true, rows: 7, columns: 12, length: 29 });
        for (text, expected) in [
            ("P5 1 1 ", "`P1` or `P4`"),
            ("P4 0 1 ", "width is 0"),
            ("P4 1 -1 ", "height is missing"),
            ("P1 99999999999999999999999 1 ", "overflows"),
            ("P4 99999999999999999 1 ", "width is 99999999999999999"),
            ("P4 1 1", "a blank must follow"),
            ("P4 1", "height is missing"),
        ] {
            let error = pbm_header(text.as_bytes()).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
