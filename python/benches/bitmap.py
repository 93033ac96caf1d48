"""A board of moles with 10,000 x 10,000 holes, from a NumPy array to an array of hits.

The library's own time is that for a copy of the board, solving it, and multiplying the answer back, from bitmap to bitmap.
Python's is that of `kibitzer.solve` and `report.hits`, from array to array, the same check included: from eight holes to a
byte, as `numpy.packbits` makes them, and from an array of bool, which is eight times as large both ways. Both are processor
seconds, of all threads: a process that waits for requests is interrupted less than one that is always busy.
"""

from __future__ import annotations

import os
import tempfile
import time

import kibitzer
import numpy
from measure import Library, Row, Times, take_turns

SIDE, ROUNDS = 10_000, 25


def board() -> numpy.ndarray:
    """A random board that has a solution: random hits, made."""
    hits = numpy.random.default_rng(1).integers(0, 2, (SIDE, SIDE), dtype=numpy.uint8)
    moles = hits.copy()
    moles[1:] ^= hits[:-1]
    moles[:-1] ^= hits[1:]
    moles[:, 1:] ^= hits[:, :-1]
    moles[:, :-1] ^= hits[:, 1:]
    return moles.astype(numpy.bool_)


def measure() -> list[Row]:
    cells = board()
    packed = numpy.packbits(cells, axis=1)
    with Library() as library, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "board.pbm")
        with open(path, "wb") as file:
            file.write(f"P4\n{SIDE} {SIDE}\n".encode() + packed.tobytes())
        library.ask(f"read {path}")
        library_times = Times()

        def alone() -> None:
            library_times.seconds.append(sum(library.ask("moles")))

        def from_packed() -> numpy.ndarray:
            return kibitzer.solve("moles", packed, columns=SIDE).hits(packed=True)

        def from_cells() -> numpy.ndarray:
            return kibitzer.solve("moles", cells).hits()

        assert (numpy.packbits(from_cells(), axis=1) == from_packed()).all()
        _, packed_times, cell_times = take_turns(ROUNDS, alone, from_packed, from_cells, clock=time.process_time)
    rows = []
    for name, times, limit in (("eight holes to a byte", packed_times, 1.2), ("array of bool", cell_times, 3)):
        best, median = times.over(library_times)
        note = f"{times.best * 1e3:.1f} ms, the library alone {library_times.best * 1e3:.1f} ms; by medians {median:.2f} x"
        rows.append(Row(f"moles, 10,000 x 10,000, {name}", best, limit, note=note))
    return rows
