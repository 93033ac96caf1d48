"""Measures the time that a call adds to the library's own work on a small board, and the time to read a board. Uses the sample boards.

The library's own time for solving and checking is `report.stats.seconds` of the same call.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import kibitzer
from measure import Row

ROUNDS, CALLS = 15, 200


def measure() -> list[Row]:
    rows = []
    for game in ("tricolor", "moles", "chexers", "edge"):
        puzzle = kibitzer.Puzzle(game)
        text = puzzle.board
        note = f"the whole call {shortest(lambda: seconds(puzzle.solve)):.1f} us"
        rows.append(Row(f"{game}: overhead of solve()", shortest(lambda: overhead(puzzle)), 20, "us", note=note))
        rows.append(Row(f"{game}: Puzzle(), the whole call", shortest(lambda: seconds(lambda: kibitzer.Puzzle(game, text))), 20, "us"))
    puzzle = kibitzer.Puzzle("moles")
    timed = shortest(lambda: seconds(lambda: puzzle.solve(time=60)))
    return [*rows, Row("moles: solve(time=60), the whole call", timed, None, "us", note="a deadline needs a thread")]


def seconds(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def overhead(puzzle: kibitzer.Puzzle) -> float:
    begun = time.perf_counter()
    report = puzzle.solve()
    return time.perf_counter() - begun - report.stats.seconds


def shortest(measured: Callable[[], float]) -> float:
    """Microseconds per call: the minimum, over several rounds, of the median of a round."""
    return 1e6 * min(statistics.median(measured() for _ in range(CALLS)) for _ in range(ROUNDS))
