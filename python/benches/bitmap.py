"""Solves a moles board with 10,000 x 10,000 holes, from a NumPy array to an array of hits.

`report.stats.seconds` is the library's own time for solving the board and checking the answer by multiplication. It is compared with the
time of the whole call, without and with `report.hits`. The array has eight holes per byte, as returned by `numpy.packbits`, or is an
array of bool, which is eight times as large.
"""

from __future__ import annotations

import time

import kibitzer
import numpy
from measure import Row, over
from support import toggled

SIDE, ROUNDS = 10_000, 25


def measure() -> list[Row]:
    # A random board that has a solution.
    cells = toggled(numpy.random.default_rng(1).integers(0, 2, (SIDE, SIDE), dtype=numpy.uint8)).astype(numpy.bool_)
    packed = numpy.packbits(cells, axis=1)
    assert (numpy.packbits(kibitzer.solve("moles", cells).hits(), axis=1) == solve(packed).hits(packed=True)).all()
    rows = []
    for name, array, limit, back in [
        ("eight holes to a byte", packed, 1.2, 1.2),
        ("array of bool", cells, 3, None),
    ]:
        own, call, both = list[float](), list[float](), list[float]()
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            report = solve(array)
            call.append(time.perf_counter() - begun)
            report.hits(packed=array is packed)
            both.append(time.perf_counter() - begun)
            own.append(report.stats.seconds)
        for what, times, most in ((name, call, limit), (f"{name}, and back", both, back)):
            best, median = over(times, own)
            note = f"{min(times) * 1e3:.1f} ms, the library's own time {min(own) * 1e3:.1f} ms; by medians {median:.2f} x"
            rows.append(Row(f"moles, 10,000 x 10,000, {what}", best, most, note=note))
    return rows


def solve(array: numpy.ndarray) -> kibitzer.Report:
    return kibitzer.solve("moles", array, columns=SIDE if array.dtype == numpy.uint8 else None)
