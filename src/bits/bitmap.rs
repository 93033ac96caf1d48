//! A rectangle of bits, read from PBM images and converted to and from rows of bytes as in `numpy.packbits`. Matrices over GF(2) are
//! also stored as bitmaps.

use super::{bit, low_mask, ones_in, transpose_block};

/// A bitmap. Cell `column` of a row is bit `column % 64` of word `column / 64`; bits after the last column are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bitmap {
    rows: usize,
    columns: usize,
    width: usize,
    stride: usize,
    words: Vec<u64>,
}

impl Bitmap {
    /// A bitmap of this size with all cells 0, or `None` if there is not enough memory.
    pub fn new(rows: usize, columns: usize) -> Option<Bitmap> {
        let stride = columns.div_ceil(64);
        let count = rows.checked_mul(stride).filter(|&count| count <= isize::MAX as usize / 8)?;
        // Tries the allocation first, because `vec!` aborts if an allocation fails.
        Vec::<u64>::new().try_reserve_exact(count).ok()?;
        Some(Bitmap::with_stride(rows, columns, stride))
    }

    /// A bitmap with all cells 0, whose rows are padded with zeros to `stride` words.
    pub fn with_stride(rows: usize, columns: usize, stride: usize) -> Bitmap {
        Bitmap { rows, columns, width: columns.div_ceil(64), stride, words: vec![0; rows * stride] }
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

    /// Number of words per row, without padding.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of words from the start of one row to the start of the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    pub fn get(&self, row: usize, column: usize) -> bool {
        assert!(column < self.columns, "column {column} is out of range for {} columns", self.columns);
        bit(self.row(row), column)
    }

    pub fn flip(&mut self, row: usize, column: usize) {
        assert!(column < self.columns, "column {column} is out of range for {} columns", self.columns);
        self.row_mut(row)[column / 64] ^= 1 << (column % 64);
    }

    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.stride..][..self.width]
    }

    /// Mutable access to a row. Bits after the last column must stay 0.
    pub fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.words[row * self.stride..][..self.width]
    }

    /// All rows in order, including their padding.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Mutable access to all rows. Bits after the last column must stay 0.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    pub fn count_ones(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The numbers of the cells that are set. Cells are numbered row by row, from 0.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rows).flat_map(move |row| ones_in(self.row(row)).map(move |column| row * self.columns + column))
    }

    pub fn transposed(&self) -> Bitmap {
        let mut turned = Bitmap::new(self.columns, self.rows).expect("there is enough memory");
        (0..self.rows).step_by(64).for_each(|top| self.turn_strip(top, &mut turned));
        turned
    }

    /// Copies the 64 rows starting at `top` to the columns of `turned` with the same numbers.
    pub fn turn_strip(&self, top: usize, turned: &mut Bitmap) {
        for at in 0..self.width {
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

    pub fn reverse_rows(&mut self) {
        let (stride, rows) = (self.stride, self.rows);
        for row in 0..rows / 2 {
            let (front, back) = self.words.split_at_mut((rows - 1 - row) * stride);
            front[row * stride..][..stride].swap_with_slice(&mut back[..stride]);
        }
    }

    /// Builds a bitmap from rows of bytes, with eight cells per byte and the leftmost cell in the highest bit. Bits after the last
    /// column are ignored. `None` if there is not enough memory.
    pub fn unpack(rows: usize, columns: usize, bytes: &[u8]) -> Option<Bitmap> {
        let mut map = Bitmap::new(rows, columns)?;
        for (row, bytes) in map.words.chunks_mut(map.stride).zip(bytes.chunks(columns.div_ceil(8))) {
            let (words, rest) = bytes.as_chunks::<8>();
            row.iter_mut().zip(words).for_each(|(word, eight)| *word = mirror(u64::from_le_bytes(*eight)));
            if let ([.., last], [_, ..]) = (&mut *row, rest) {
                let mut eight = [0; 8];
                eight[..rest.len()].copy_from_slice(rest);
                *last = mirror(u64::from_le_bytes(eight));
            }
            mask_row(row, columns);
        }
        Some(map)
    }

    /// The rows as bytes, in the format of [`Bitmap::unpack`].
    pub fn packed_rows(&self) -> impl Iterator<Item = Vec<u8>> + '_ {
        self.words.chunks(self.stride).map(|row| {
            let mut bytes = Vec::with_capacity(8 * row.len());
            row.iter().for_each(|&word| bytes.extend_from_slice(&mirror(word).to_le_bytes()));
            bytes.truncate(self.columns.div_ceil(8));
            bytes
        })
    }
}

/// Reverses the bits of every byte. Unlike `reverse_bits`, this is compiled to vector instructions.
#[inline(always)]
fn mirror(word: u64) -> u64 {
    let swap = |word: u64, by: u32, mask: u64| word >> by & mask | (word & mask) << by;
    swap(swap(swap(word, 4, 0x0f0f_0f0f_0f0f_0f0f), 2, 0x3333_3333_3333_3333), 1, 0x5555_5555_5555_5555)
}

/// Clears the bits after the last column.
pub fn mask_row(row: &mut [u64], columns: usize) {
    if let (Some(last), rest @ 1..) = (row.last_mut(), columns % 64) {
        *last &= low_mask(rest);
    }
}

/// True if a file that begins with these bytes has the header of a PBM image.
pub fn is_pbm(start: &[u8]) -> bool {
    matches!(start, [b'P', b'1' | b'4', next, ..] if next.is_ascii_whitespace() || *next == b'#')
}

/// Reads a PBM image: either `P1`, one digit (0 or 1) per cell, or `P4`, eight cells per byte. The error is a byte position and a
/// message. The header is not trusted: memory is allocated only for cells that are in the file.
pub fn read_pbm(bytes: &[u8]) -> Result<Bitmap, (usize, String)> {
    let mut at = 2;
    let mut number = |name: &str| {
        while let Some(&byte) = bytes.get(at).filter(|byte| byte.is_ascii_whitespace() || **byte == b'#') {
            at += if byte == b'#' { bytes[at..].iter().take_while(|byte| **byte != b'\n').count() } else { 1 };
        }
        let start = at;
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = String::from_utf8_lossy(&bytes[start..at]);
        match text.parse::<usize>() {
            Ok(0) => Err((start, format!("the bitmap's {name} is 0"))),
            Ok(number) => Ok(number),
            Err(_) => Err((start, format!("the bitmap's {name} is missing or too large"))),
        }
    };
    let (columns, rows) = (number("width")?, number("height")?);
    let body = match bytes.get(at) {
        Some(blank) if blank.is_ascii_whitespace() => &bytes[at + 1..],
        _ => return Err((at, "whitespace must follow the bitmap's height".to_owned())),
    };
    let start = at + 1;
    let packed = bytes[1] == b'4';
    let width = if packed { columns.div_ceil(8) } else { columns };
    let Some(need) = rows.checked_mul(width).filter(|&need| need <= body.len()) else {
        return Err((bytes.len(), format!("the bitmap ends after {} of {rows} rows", body.len() / width)));
    };
    let no_room = || (0, format!("there is not enough memory for {rows} x {columns} cells"));
    if packed {
        return match body[need..].iter().position(|byte| !byte.is_ascii_whitespace()) {
            Some(more) => Err((start + need + more, "the file continues after the bitmap's last row".to_owned())),
            None => Bitmap::unpack(rows, columns, body).ok_or_else(no_room),
        };
    }
    let mut map = Bitmap::new(rows, columns).ok_or_else(no_room)?;
    let (mut seen, mut comment) = (0, false);
    for (at, &byte) in body.iter().enumerate() {
        match byte {
            b'\n' => comment = false,
            _ if comment => {}
            b'#' => comment = true,
            b'0' | b'1' if seen == need => return Err((start + at, "the file continues after the bitmap's last row".to_owned())),
            b'0' | b'1' => {
                if byte == b'1' {
                    map.flip(seen / columns, seen % columns);
                }
                seen += 1;
            }
            blank if blank.is_ascii_whitespace() => {}
            other => return Err((start + at, format!("`{}` is not a cell", other.escape_ascii()))),
        }
    }
    if seen < need { Err((bytes.len(), format!("the bitmap ends after {seen} of {need} cells"))) } else { Ok(map) }
}
