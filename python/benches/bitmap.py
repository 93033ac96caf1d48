"""A board of moles with 10,000 x 10,000 holes, from a NumPy array to an array of hits.

The library's own time is that for a copy of the board, solving it, and multiplying the answer back, from bitmap to bitmap.
Python's is that of `kibitzer.solve`, the same check included, and in rows of their own that of `report.hits`, too, from array to
array: from eight holes to a byte, as `numpy.packbits` makes them, and from an array of bool, which is eight times as large. Both
are processor seconds, of all threads: a process that waits for requests is interrupted less than one that is always busy.
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

        def from_packed() -> kibitzer.Report:
            return kibitzer.solve("moles", packed, columns=SIDE)

        def from_cells() -> kibitzer.Report:
            return kibitzer.solve("moles", cells)

        def packed_hits() -> numpy.ndarray:
            return from_packed().hits(packed=True)

        def cell_hits() -> numpy.ndarray:
            return from_cells().hits()

        assert (numpy.packbits(cell_hits(), axis=1) == packed_hits()).all()
        _, *taken = take_turns(ROUNDS, alone, from_packed, packed_hits, from_cells, cell_hits, clock=time.process_time)
    rows = []
    names = ("eight holes to a byte", "eight holes to a byte, and back", "array of bool", "array of bool, and back")
    for name, times, limit in zip(names, taken, (1.2, 1.2, 3, None)):
        best, median = times.over(library_times)
        note = f"{times.best * 1e3:.1f} ms, the library alone {library_times.best * 1e3:.1f} ms; by medians {median:.2f} x"
        rows.append(Row(f"moles, 10,000 x 10,000, {name}", best, limit, note=note))
    return rows
