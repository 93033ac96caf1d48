//! Boards with many cells, stored with eight cells per byte, and never converted to text or to a list of moves.

use kibitzer::ask::Refusal;
use kibitzer::bits::bitmap::Bitmap;
use kibitzer::notation::tools::Bitmaps;
use kibitzer::report::bitmap_json;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::board::{find, options};
use crate::errors::{refused, tool_failed};
use crate::supervise::{Effort, supervised};
use crate::value::to_python;

/// A board, the hits that solve it, or the proof that it has no solution.
#[pyclass(frozen, module = "kibitzer._native")]
pub struct Bits {
    map: Bitmap,
}

fn bitmaps(py: Python<'_>, game: &str) -> PyResult<&'static Bitmaps> {
    let refusal = || Refusal::board(format!("{game} boards are not arrays of cells"), "pass the board as text");
    find(py, game)?.bitmaps().ok_or_else(|| refused(py, refusal()))
}

#[pymethods]
impl Bits {
    /// Reads rows of bytes with eight cells each, the leftmost in the highest bit, as `numpy.packbits` returns them.
    #[new]
    fn new(rows: usize, columns: usize, bytes: &[u8]) -> PyResult<Bits> {
        if rows == 0 || columns == 0 {
            return Err(PyValueError::new_err("the board is empty"));
        }
        if rows.checked_mul(columns.div_ceil(8)) != Some(bytes.len()) {
            let message = format!("a row of {columns} cells needs {} bytes, but {} were given", columns.div_ceil(8), bytes.len() / rows);
            return Err(PyValueError::new_err(message));
        }
        let map = Bitmap::unpack(rows, columns, bytes).ok_or_else(|| PyMemoryError::new_err("not enough memory for the board"))?;
        Ok(Bits { map })
    }

    /// The board as text, or `None` if the board has too many cells.
    fn text(&self, py: Python<'_>, game: &str) -> PyResult<Option<String>> {
        let bitmaps = bitmaps(py, game)?;
        Ok((self.map.cells() <= bitmaps.most_as_text).then(|| (bitmaps.to_text)(&self.map)))
    }

    fn shape(&self) -> (usize, usize) {
        (self.map.rows(), self.map.columns())
    }

    /// The rows as packed bytes.
    fn packed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let width = self.map.columns().div_ceil(8);
        PyByteArray::new_with(py, self.map.rows() * width, |out| {
            out.chunks_mut(width).zip(self.map.packed_rows()).for_each(|(out, row)| out.copy_from_slice(&row));
            Ok(())
        })
    }

    /// Solves the board. Returns the report, and the hits or the proof, which are verified by multiplication.
    fn solve<'py>(&self, py: Python<'py>, game: &str, given: Vec<(String, String)>, effort: Effort) -> PyResult<(Bound<'py, PyAny>, Bits)> {
        let (entry, bitmaps) = (find(py, game)?, bitmaps(py, game)?);
        let options = options(py, &given, &entry.options.iter().collect::<Vec<_>>())?;
        let done = supervised(py, &effort, None, |limits| bitmaps.answer(&self.map, &options, limits))?;
        let seconds = done.seconds;
        let answer = done.whole()?.map_err(|error| tool_failed(py, error))?;
        Ok((to_python(py, &bitmap_json(entry.name, bitmaps.method, &answer, None, seconds))?, Bits { map: answer.cells }))
    }
}
