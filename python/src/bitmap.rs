//! Boards of many cells, from arrays and back: no text and no list of moves in between.
//!
//! An array says where its memory is by `__array_interface__`, which NumPy and its relatives have; so nothing here needs
//! NumPy to be installed or built against.

use std::ops::Range;

use kibitzer::ask::{Kind, Refusal};
use kibitzer::notation::bitmap::{Bitmap, BitmapVerdict, Bitmaps, Judgement, mask_row};
use kibitzer::report::BitmapReport;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board::{find, options};
use crate::errors::{raise, refused};
use crate::supervise::{Effort, supervised};
use crate::value::to_python;

/// The memory of an array of bytes with two dimensions. It is there as long as the array is kept.
struct Memory {
    data: *mut u8,
    rows: usize,
    columns: usize,
    /// Bytes from a row to the next; within a row they follow each other.
    stride: isize,
    /// May it be read only?
    fixed: bool,
    /// Are its cells 0 or 1 by their type?
    truths: bool,
}

// SAFETY: a place in memory. Who writes into the array meanwhile from another thread gets some mixture of the old and the new
// board, as with any other use of the array.
unsafe impl Send for Memory {}
// SAFETY: the same.
unsafe impl Sync for Memory {}

impl Memory {
    fn of(array: &Bound<'_, PyAny>) -> PyResult<Memory> {
        let py = array.py();
        let interface = array.getattr(intern!(py, "__array_interface__"))?.cast_into::<PyDict>()?;
        let item = |name: &str| interface.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("the array has no {name}")));
        let (rows, columns): (usize, usize) =
            item("shape")?.extract().map_err(|_| PyValueError::new_err("a board is an array with two dimensions"))?;
        let kind: String = item("typestr")?.extract()?;
        if !["|b1", "|u1", "|i1"].contains(&kind.as_str()) {
            return Err(PyValueError::new_err(format!("an array of bool or uint8 is expected, not {kind}")));
        }
        let (data, fixed): (usize, bool) = item("data")?.extract()?;
        let stride = match interface.get_item("strides")? {
            Some(strides) if !strides.is_none() => {
                let (row, column): (isize, isize) = strides.extract()?;
                if column != 1 && columns > 1 {
                    return Err(PyValueError::new_err("the cells of a row must follow each other: use numpy.ascontiguousarray"));
                }
                row
            }
            _ => columns as isize,
        };
        Ok(Memory { data: data as *mut u8, rows, columns, stride, fixed, truths: kind == "|b1" })
    }

    fn row(&self, row: usize) -> &[u8] {
        assert!(row < self.rows, "a row of the array");
        // SAFETY: the array, which is kept, says that its rows are there.
        unsafe { std::slice::from_raw_parts(self.data.offset(row as isize * self.stride), self.columns) }
    }

    /// Gives every row to be written, on a few threads: touching new memory takes longer than what is written there.
    fn write(self, write: impl Fn(usize, &mut [u8]) + Sync) {
        assert!(!self.fixed && self.stride.unsigned_abs() >= self.columns, "an array that can be written, row by row");
        let memory = &self;
        let work = |rows: Range<usize>| {
            for row in rows {
                // SAFETY: the array, which is kept, says that its rows are there; they do not overlap, and each is written once.
                write(row, unsafe { std::slice::from_raw_parts_mut(memory.data.offset(row as isize * memory.stride), memory.columns) });
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(4));
        let each = self.rows.div_ceil(threads);
        std::thread::scope(|scope| {
            let work = &work;
            (1..threads).for_each(|at| _ = scope.spawn(move || work(memory.rows.min(at * each)..memory.rows.min((at + 1) * each))));
            work(0..each);
        });
    }
}

/// Bits 0 of 64 bytes, and all bytes together.
#[cfg(target_arch = "x86_64")]
#[inline]
fn gather(cells: &[u8; 64]) -> (u64, u64) {
    use std::arch::x86_64::{
        __m128i, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_slli_epi16, _mm_unpackhi_epi64,
    };
    let part = cells.as_ptr().cast::<__m128i>();
    // SAFETY: it reads four times 16 of the 64 bytes; these instructions belong to every processor of this kind.
    unsafe {
        let (first, second) = (_mm_loadu_si128(part), _mm_loadu_si128(part.add(1)));
        let (third, fourth) = (_mm_loadu_si128(part.add(2)), _mm_loadu_si128(part.add(3)));
        let low = _mm_movemask_epi8(_mm_slli_epi16::<7>(first)) | _mm_movemask_epi8(_mm_slli_epi16::<7>(second)) << 16;
        let high = _mm_movemask_epi8(_mm_slli_epi16::<7>(third)) | _mm_movemask_epi8(_mm_slli_epi16::<7>(fourth)) << 16;
        let all = _mm_or_si128(_mm_or_si128(first, second), _mm_or_si128(third, fourth));
        let all = _mm_cvtsi128_si64(_mm_or_si128(all, _mm_unpackhi_epi64(all, all))) as u64;
        (u64::from(low as u32) | u64::from(high as u32) << 32, all)
    }
}

/// Bits 0 of 64 bytes, and all bytes together.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn gather(cells: &[u8; 64]) -> (u64, u64) {
    cells.as_chunks::<8>().0.iter().enumerate().fold((0, 0), |(bits, all), (at, eight)| {
        let eight = u64::from_le_bytes(*eight);
        (bits | ((eight & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at), all | eight)
    })
}

/// Fills a row from bytes, a cell each. Says whether all are 0 or 1.
fn gather_row(row: &mut [u64], cells: &[u8]) -> bool {
    let (words, rest) = cells.as_chunks::<64>();
    let mut seen = 0;
    let mut word = |cells: &[u8; 64]| {
        let (bits, all) = gather(cells);
        seen |= all;
        bits
    };
    row.iter_mut().zip(words).for_each(|(out, cells)| *out = word(cells));
    if let ([.., last], [_, ..]) = (row, rest) {
        let mut cells = [0; 64];
        cells[..rest.len()].copy_from_slice(rest);
        *last = word(&cells);
    }
    seen & 0xfefe_fefe_fefe_fefe == 0
}

/// The bits of every byte in the other order. In this form it is done for several words at once, which `reverse_bits` is not.
#[inline(always)]
fn mirror(word: u64) -> u64 {
    let swap = |word: u64, by: u32, mask: u64| word >> by & mask | (word & mask) << by;
    swap(swap(swap(word, 4, 0x0f0f_0f0f_0f0f_0f0f), 2, 0x3333_3333_3333_3333), 1, 0x5555_5555_5555_5555)
}

/// Does something in the words of the processor at hand: what is called here is compiled twice.
macro_rules! widely {
    ($(#[$about:meta])* fn $name:ident($($argument:ident: $kind:ty),*) $body:block) => {
        $(#[$about])*
        fn $name($($argument: $kind),*) {
            #[inline(always)]
            fn body($($argument: $kind),*) $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn wide($($argument: $kind),*) {
                    body($($argument),*);
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the processor has these instructions.
                    return unsafe { wide($($argument),*) };
                }
            }
            body($($argument),*);
        }
    };
}

widely! {
    /// Fills a row from bytes of eight cells, as [`Bitmap::unpack_row`] does, for many rows.
    fn unpack_row(row: &mut [u64], columns: usize, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        let count = words.len();
        for (out, bytes) in row[..count].iter_mut().zip(words) {
            *out = mirror(u64::from_le_bytes(*bytes));
        }
        if let ([.., last], [_, ..]) = (&mut *row, rest) {
            let mut eight = [0; 8];
            eight[..rest.len()].copy_from_slice(rest);
            *last = mirror(u64::from_le_bytes(eight));
        }
        mask_row(row, columns);
    }
}

widely! {
    /// The inverse.
    fn pack_row(row: &[u64], bytes: &mut [u8]) {
        let (words, rest) = bytes.as_chunks_mut::<8>();
        for (out, word) in words.iter_mut().zip(row) {
            *out = mirror(*word).to_le_bytes();
        }
        if let ([.., last], [_, ..]) = (row, &mut *rest) {
            rest.copy_from_slice(&mirror(*last).to_le_bytes()[..rest.len()]);
        }
    }
}

/// The cells of eight bits, a byte each.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut at = 0;
        while at < 8 {
            spread[bits] |= (bits as u64 >> at & 1) << (8 * at);
            at += 1;
        }
        bits += 1;
    }
    spread
};

/// The cells of a word, a byte each.
#[inline]
fn scatter(word: u64, cells: &mut [u8; 64]) {
    let (eights, bits) = (cells.as_chunks_mut::<8>().0, word.to_le_bytes());
    for at in 0..8 {
        eights[at] = SPREAD[bits[at] as usize].to_le_bytes();
    }
}

/// The same, 32 cells at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn scatter_words(row: &[u64], cells: &mut [[u8; 64]]) {
    use std::arch::x86_64::*;
    // Each byte of a lane gets the byte of the word that has its bit, and then that bit.
    let place = _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
    let (bit, one) = (_mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64), _mm256_set1_epi8(1));
    for at in 0..row.len().min(cells.len()) {
        for (half, bits) in [row[at] as i32, (row[at] >> 32) as i32].into_iter().enumerate() {
            let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(bits), place);
            let set = _mm256_and_si256(_mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit), one);
            // SAFETY: it writes one half of the 64 cells.
            unsafe { _mm256_storeu_si256(cells[at].as_mut_ptr().cast::<__m256i>().add(half), set) };
        }
    }
}

/// Fills bytes from a row, a cell each.
fn scatter_row(row: &[u64], cells: &mut [u8]) {
    let (words, rest) = cells.as_chunks_mut::<64>();
    #[cfg(target_arch = "x86_64")]
    let wide = is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    let wide = false;
    if wide {
        // SAFETY: the processor has these instructions.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            scatter_words(row, words);
        }
    } else {
        words.iter_mut().zip(row).for_each(|(cells, &word)| scatter(word, cells));
    }
    if let ([.., last], [_, ..]) = (row, &mut *rest) {
        let mut cells = [0; 64];
        scatter(*last, &mut cells);
        rest.copy_from_slice(&cells[..rest.len()]);
    }
}

/// Large pieces of memory take a page fault for every 4 KiB, which can cost more than all the work: asks for large pages.
pub fn prefer_large_pages(memory: *const u64, bytes: usize) {
    #[cfg(target_os = "linux")]
    if bytes >= 4 << 20 {
        let (start, page) = (memory as usize, 1 << 12);
        let first = start.next_multiple_of(page);
        // SAFETY: advice about whole pages within a piece of memory that belongs to the caller; it changes no content.
        unsafe { libc::madvise(first as *mut libc::c_void, (start + bytes - first) & !(page - 1), libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (memory, bytes);
}

const NOT_BITS: &str = "cells of a board are 0 or 1; boards with more states are given as text";

/// A board in an array, which is not copied.
#[pyclass(frozen, module = "kibitzer._native")]
pub struct Image {
    array: Py<PyAny>,
    /// Cells of a row, if there are eight to a byte.
    packed: Option<usize>,
    rows: usize,
    columns: usize,
}

impl Image {
    /// Fills a row of a bitmap. Says whether all cells are 0 or 1.
    fn fill(&self, memory: &Memory, row: usize, out: &mut [u64]) -> bool {
        if self.packed.is_some() {
            unpack_row(out, self.columns, memory.row(row));
            return true;
        }
        gather_row(out, memory.row(row))
    }

    /// A bitmap without rows, but with memory for those of the board.
    fn room(&self) -> Result<Bitmap, &'static str> {
        let mut map = Bitmap::growing(self.columns);
        map.reserve_rows(self.rows).map_err(|_| "there is no memory for a copy of the board")?;
        prefer_large_pages(map.words().as_ptr(), self.rows * map.stride() * 8);
        Ok(map)
    }

    /// The board as a bitmap.
    fn map(&self, memory: &Memory) -> Result<Bitmap, &'static str> {
        if (memory.rows, memory.columns) != (self.rows, self.packed.map_or(self.columns, |columns| columns.div_ceil(8))) {
            return Err("the array has got another shape");
        }
        let mut map = self.room()?;
        // `&` and not `&&`: every row is needed.
        let plain = (0..self.rows).fold(true, |plain, row| plain & self.fill(memory, row, map.push_row()));
        if plain { Ok(map) } else { Err(NOT_BITS) }
    }
}

#[pymethods]
impl Image {
    /// An array of bool or of 0 and 1, a cell each; or, if `columns` is given, of eight cells to a byte as `numpy.packbits`
    /// makes them.
    #[new]
    fn new(array: &Bound<'_, PyAny>, columns: Option<usize>) -> PyResult<Image> {
        let memory = Memory::of(array)?;
        let width = columns.unwrap_or(memory.columns);
        if memory.rows == 0 || width == 0 {
            return Err(PyValueError::new_err("the board is empty"));
        }
        if columns.is_some() && memory.columns != width.div_ceil(8) {
            let message = format!("rows of {width} cells take {} bytes, not {}", width.div_ceil(8), memory.columns);
            return Err(PyValueError::new_err(message));
        }
        if columns.is_none() && !memory.truths && (0..memory.rows).any(|row| memory.row(row).iter().fold(0, |all, cell| all | cell) > 1) {
            return Err(PyValueError::new_err(NOT_BITS));
        }
        Ok(Image { array: array.clone().unbind(), packed: columns, rows: memory.rows, columns: width })
    }

    fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// The board as a text of rows.
    fn text(&self, py: Python<'_>, game: &str) -> PyResult<String> {
        let map = self.map(&Memory::of(self.array.bind(py))?).map_err(PyValueError::new_err)?;
        Ok((bitmaps(py, game)?.to_text)(&map))
    }

    /// Solves the board: the report, and a bitmap of the moves or of the proof. The answer is multiplied back.
    fn solve<'py>(&self, py: Python<'py>, game: &str, given: Vec<(String, String)>, effort: Effort) -> PyResult<(Bound<'py, PyAny>, Bits)> {
        let (entry, bitmaps) = (find(py, game)?, bitmaps(py, game)?);
        let options = options(py, &given, &entry.options.iter().collect::<Vec<_>>())?;
        let memory = Memory::of(self.array.bind(py))?;
        let done = supervised(py, &effort, None, |limits| {
            let begun = std::time::Instant::now();
            let mut map = self.map(&memory)?;
            // For the check. Eight cells to a byte are as quickly read once more.
            let mut board = None;
            if self.packed.is_none() {
                let copy = board.insert(self.room()?);
                (0..self.rows).for_each(|row| copy.push_row().copy_from_slice(map.row(row)));
            }
            let answer = (bitmaps.solve)(&mut map, &options, limits);
            let mut row = 0;
            let mut next = |out: &mut [u64]| {
                match &board {
                    Some(board) => out.copy_from_slice(board.row(row)),
                    None => unpack_row(out, self.columns, memory.row(row)),
                }
                row += 1;
                Ok(())
            };
            let judged = answer.is_ok().then(|| (bitmaps.check)(map.rows(), map.columns(), &mut next, &map, &options));
            Ok::<_, &str>((answer, map, begun.elapsed().as_secs_f64(), judged))
        })?;
        let (answer, map, seconds, judged) = done.whole()?.map_err(PyValueError::new_err)?;
        let answer = answer.map_err(|error| refused(py, error))?;
        let solved = matches!(answer.verdict, BitmapVerdict::Solved { .. });
        if judged != Some(Ok(if solved { Judgement::Clears } else { Judgement::Refutes })) {
            let help = "unless the array was changed meanwhile, this is a fault of kibitzer: please report it with the board";
            return Err(raise(py, &Refusal::new(Kind::Internal, "the answer did not pass its check", help)));
        }
        let report = BitmapReport { game: entry.name, method: bitmaps.method, answer, file: None };
        Ok((to_python(py, &report.json(seconds))?, Bits { map }))
    }
}

/// A bitmap of hits, or a board.
#[pyclass(frozen, module = "kibitzer._native")]
pub struct Bits {
    map: Bitmap,
}

fn bitmaps(py: Python<'_>, game: &str) -> PyResult<&'static Bitmaps> {
    find(py, game)?.bitmaps.as_ref().ok_or_else(|| {
        let refusal = Refusal::new(Kind::Board, format!("boards of {game} are not arrays of cells"), "give the board as text");
        raise(py, &refusal)
    })
}

#[pymethods]
impl Bits {
    /// A random board.
    #[staticmethod]
    fn generate(py: Python<'_>, game: &str, seed: u64, given: Vec<(String, String)>, effort: Effort) -> PyResult<Bits> {
        let (entry, bitmaps) = (find(py, game)?, bitmaps(py, game)?);
        let options = options(py, &given, &entry.generate_options.unwrap_or_default().iter().collect::<Vec<_>>())?;
        let done = supervised(py, &effort, None, |limits| (bitmaps.generate)(seed, &options, limits))?;
        Ok(Bits { map: done.whole()?.map_err(|error| refused(py, error))? })
    }

    fn shape(&self) -> (usize, usize) {
        (self.map.rows(), self.map.columns())
    }

    fn count(&self) -> u64 {
        self.map.count_ones()
    }

    /// Boards of more cells than this are better left as they are.
    #[staticmethod]
    fn most_as_text(py: Python<'_>, game: &str) -> PyResult<usize> {
        Ok(bitmaps(py, game)?.most_as_text)
    }

    /// Writes the cells into an array of as many rows: a byte of 0 or 1 for each, or eight to a byte, the leftmost in the
    /// highest bit.
    fn write(&self, py: Python<'_>, array: &Bound<'_, PyAny>, packed: bool) -> PyResult<()> {
        let memory = Memory::of(array)?;
        let bytes = if packed { self.map.columns().div_ceil(8) } else { self.map.columns() };
        if (memory.rows, memory.columns, memory.fixed) != (self.map.rows(), bytes, false) {
            return Err(PyValueError::new_err("the cells do not fit into this array"));
        }
        let write = if packed { pack_row } else { scatter_row };
        py.detach(|| memory.write(|row, out| write(self.map.row(row), out)));
        Ok(())
    }
}
