"""What a call costs beside the library's own work: solving a small board, and reading one.

Compared with the same work in the library alone, in another process: choosing a method, solving, and checking the answer of a
board that was read before; and reading the board. The sample boards of the games are used.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import kibitzer
from measure import Library, Row

ROUNDS, CALLS = 15, 200


def measure() -> list[Row]:
    rows = []
    with Library() as library:
        for game in ("tricolor", "moles", "chexers", "edge"):
            puzzle = kibitzer.Puzzle(game)
            text = puzzle.board
            solving, inside, reading, own_solving, own_reading = [], [], [], [], []
            for _ in range(ROUNDS):
                calls = CALLS if game != "edge" else CALLS // 10
                solving.append(median_of(puzzle.solve, calls))
                inside.append(statistics.median(puzzle.solve().stats.seconds for _ in range(calls)))
                reading.append(median_of(lambda: kibitzer.Puzzle(game, text), calls))
                read, solved = library.ask(f"call {game} {calls}")
                own_reading.append(read)
                own_solving.append(solved)
            solve, own, read = min(solving) * 1e6, min(own_solving) * 1e6, min(reading) * 1e6
            note = f"call {solve:.1f} us, the library alone {own:.1f} us; its own clock inside the call {min(inside) * 1e6:.1f} us"
            rows.append(Row(f"{game}: overhead of solve()", solve - own, 20, "us", note=note))
            note = f"call {read:.1f} us, the library alone {min(own_reading) * 1e6:.1f} us"
            rows.append(Row(f"{game}: overhead of Puzzle()", read - min(own_reading) * 1e6, 20, "us", note=note))
        puzzle = kibitzer.Puzzle("moles")
        timed = min(median_of(lambda: puzzle.solve(time=60), CALLS) for _ in range(ROUNDS)) * 1e6
        rows.append(Row("moles: solve(time=60), the whole call", timed, None, "us", note="a deadline is a thread"))
    return rows


def median_of(call: Callable[[], object], calls: int) -> float:
    """Seconds of one call: the median of many."""
    seconds = []
    for _ in range(calls):
        begun = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds)
