//! Boards of many cells, from arrays and back: no text and no list of moves in between.
//!
//! An array says where its memory is by `__array_interface__`, which NumPy and its relatives have; so nothing here needs
//! NumPy to be installed or built against.

use kibitzer::ask::{Kind, Refusal};
use kibitzer::notation::bitmap::{Bitmap, BitmapVerdict, Bitmaps, Judgement, mask_row};
use kibitzer::report::BitmapReport;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::board::{find, options};
use crate::errors::{raise, refused};
use crate::supervise::{Effort, supervised};
use crate::value::to_python;

/// The memory of an array of bytes with two dimensions.
struct Memory<'py> {
    data: *const u8,
    rows: usize,
    columns: usize,
    /// Bytes from a row to the next; within a row they follow each other.
    stride: isize,
    /// Keeps the memory.
    _array: Bound<'py, PyAny>,
}

impl<'py> Memory<'py> {
    fn of(array: &Bound<'py, PyAny>) -> PyResult<Memory<'py>> {
        let py = array.py();
        let interface = array.getattr(intern!(py, "__array_interface__"))?.cast_into::<PyDict>()?;
        let item = |name: &str| interface.get_item(name)?.ok_or_else(|| PyValueError::new_err(format!("the array has no {name}")));
        let (rows, columns): (usize, usize) =
            item("shape")?.extract().map_err(|_| PyValueError::new_err("a board is an array with two dimensions"))?;
        let kind: String = item("typestr")?.extract()?;
        if !["|b1", "|u1", "|i1"].contains(&kind.as_str()) {
            return Err(PyValueError::new_err(format!("an array of bool or uint8 is expected, not {kind}")));
        }
        let (data, _): (usize, bool) = item("data")?.extract()?;
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
        Ok(Memory { data: data as *const u8, rows, columns, stride, _array: array.clone() })
    }

    fn row(&self, row: usize) -> &[u8] {
        // SAFETY: the array, which is kept, says that its rows are there. Who writes into it meanwhile from another thread
        // gets some mixture of the old and the new board, as with any other use of the array.
        unsafe { std::slice::from_raw_parts(self.data.offset(row as isize * self.stride), self.columns) }
    }
}

/// Bits 0 of eight bytes of 0 and 1 become one byte.
fn gather(bytes: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Fills a row from bytes, a cell each. Says whether all are 0 or 1.
fn gather_row(row: &mut [u64], cells: &[u8]) -> bool {
    let mut all = 0;
    for (word, cells) in row.iter_mut().zip(cells.chunks(64)) {
        let (mut bits, eights) = (0, cells.as_chunks::<8>());
        for (at, eight) in eights.0.iter().enumerate() {
            all |= u64::from_le_bytes(*eight);
            bits |= gather(eight) << (8 * at);
        }
        for (at, &cell) in eights.1.iter().enumerate() {
            all |= u64::from(cell);
            bits |= u64::from(cell & 1) << (8 * eights.0.len() + at);
        }
        *word = bits;
    }
    all & 0xfefe_fefe_fefe_fefe == 0
}

/// Fills bytes from a row, a cell each.
fn scatter_row(row: &[u64], cells: &mut [u8]) {
    for (word, cells) in row.iter().zip(cells.chunks_mut(64)) {
        for (at, eight) in cells.chunks_mut(8).enumerate() {
            let spread = (word >> (8 * at) & 0xff).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
            // Each byte has one bit: all that are not 0 become 1.
            let ones = (spread.wrapping_add(0x7f7f_7f7f_7f7f_7f7f) | spread) >> 7 & 0x0101_0101_0101_0101;
            eight.copy_from_slice(&ones.to_le_bytes()[..eight.len()]);
        }
    }
}

/// A bitmap: a board, or hits.
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
    /// From an array of bool or of 0 and 1, a cell each; or, if `columns` is given, of eight cells to a byte as
    /// `numpy.packbits` makes them.
    #[staticmethod]
    fn from_array(array: &Bound<'_, PyAny>, columns: Option<usize>) -> PyResult<Bits> {
        let memory = Memory::of(array)?;
        let width = columns.unwrap_or(memory.columns);
        if memory.rows == 0 || width == 0 {
            return Err(PyValueError::new_err("the board is empty"));
        }
        if columns.is_some() && memory.columns != width.div_ceil(8) {
            let message = format!("rows of {width} cells take {} bytes, not {}", width.div_ceil(8), memory.columns);
            return Err(PyValueError::new_err(message));
        }
        let no_room = || pyo3::exceptions::PyMemoryError::new_err("there is no memory for a copy of the board");
        let mut map = Bitmap::new(memory.rows, width).ok_or_else(no_room)?;
        let mut plain = true;
        for row in 0..memory.rows {
            match columns {
                Some(_) => Bitmap::unpack_row(map.row_mut(row), width, memory.row(row)),
                None => {
                    plain &= gather_row(map.row_mut(row), memory.row(row));
                    mask_row(map.row_mut(row), width);
                }
            }
        }
        if !plain {
            return Err(PyValueError::new_err("cells of a board are 0 or 1; boards with more states are given as text"));
        }
        Ok(Bits { map })
    }

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

    /// The board as a text of rows.
    fn text(&self, py: Python<'_>, game: &str) -> PyResult<String> {
        Ok((bitmaps(py, game)?.to_text)(&self.map))
    }

    /// Boards of more cells than this are better left as they are.
    #[staticmethod]
    fn most_as_text(py: Python<'_>, game: &str) -> PyResult<usize> {
        Ok(bitmaps(py, game)?.most_as_text)
    }

    /// Eight cells to a byte, the leftmost in the highest bit, rows one after the other.
    fn packed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.map.columns().div_ceil(8);
        PyBytes::new_with(py, bytes * self.map.rows(), |out| {
            out.chunks_mut(bytes).enumerate().for_each(|(row, out)| Bitmap::pack_row(self.map.row(row), out));
            Ok(())
        })
    }

    /// A byte of 0 or 1 for each cell, rows one after the other.
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, self.map.cells(), |out| {
            out.chunks_mut(self.map.columns()).enumerate().for_each(|(row, out)| scatter_row(self.map.row(row), out));
            Ok(())
        })
    }

    /// Solves the board: the report, and a bitmap of the moves or of the proof. The answer is multiplied back.
    fn solve<'py>(&self, py: Python<'py>, game: &str, given: Vec<(String, String)>, effort: Effort) -> PyResult<(Bound<'py, PyAny>, Bits)> {
        let (entry, bitmaps) = (find(py, game)?, bitmaps(py, game)?);
        let options = options(py, &given, &entry.options.iter().collect::<Vec<_>>())?;
        let done = supervised(py, &effort, None, |limits| {
            let begun = std::time::Instant::now();
            let mut map = self.map.clone();
            let answer = (bitmaps.solve)(&mut map, &options, limits)?;
            let seconds = begun.elapsed().as_secs_f64();
            let mut row = 0;
            let mut next = |out: &mut [u64]| {
                out.copy_from_slice(self.map.row(row));
                row += 1;
                Ok(())
            };
            let judged = (bitmaps.check)(map.rows(), map.columns(), &mut next, &map, &options);
            Ok((answer, map, seconds, judged))
        })?;
        let (answer, map, seconds, judged) = done.whole()?.map_err(|error: kibitzer::notation::ReadError| refused(py, error))?;
        let solved = matches!(answer.verdict, BitmapVerdict::Solved { .. });
        if judged != Ok(if solved { Judgement::Clears } else { Judgement::Refutes }) {
            let help = "this is a fault of kibitzer: please report it with the board";
            return Err(raise(py, &Refusal::new(Kind::Internal, "the answer did not pass its check", help)));
        }
        let report = BitmapReport { game: entry.name, method: bitmaps.method, answer, file: None };
        Ok((to_python(py, &report.json(seconds))?, Bits { map }))
    }
}
