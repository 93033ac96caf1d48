"""Compares two Python threads that solve two boards on two cores with one thread that solves one board.

On a shared machine, a second core may not be available, and then two threads always take twice as long. So every round first runs a
control, `zlib.crc32`, which also releases the interpreter. Only rounds in which the control got a second core are counted. With fewer than
five of them, there is no verdict.
"""

from __future__ import annotations

import zlib
from concurrent.futures import ThreadPoolExecutor

import kibitzer
from measure import Row, over, take_turns

ROUNDS, NEEDED = 60, 5
#: If the control takes more than this many times as long on two threads, it had no second core.
CONTROL = 1.15


def measure() -> list[Row]:
    boards = [kibitzer.Puzzle("pegs", kibitzer.instances("pegs")["english"]) for _ in range(2)]
    data = bytes(200_000_000)

    def solve(puzzle: kibitzer.Puzzle) -> None:
        puzzle.solve("bfs", nodes=60_000)

    one, two, controls = list[float](), list[float](), list[float]()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(solve, boards))
        for _ in range(ROUNDS):
            *control, single, double = take_turns(
                1,
                lambda: list(pool.map(zlib.crc32, [data])),
                lambda: list(pool.map(zlib.crc32, [data, data])),
                lambda: list(pool.map(solve, boards[:1])),
                lambda: list(pool.map(solve, boards)),
            )
            controls.append(over(control[1], control[0])[0])
            if controls[-1] <= CONTROL:
                one += single
                two += double
    counted = len(one)
    note = f"{counted} of {ROUNDS} rounds had a second core; the control's ratio was {min(controls):.2f} to {max(controls):.2f}"
    name = "two threads that solve, over one"
    if counted < NEEDED:
        return [Row(name, float("nan"), None, note=f"NOT MEASURED: {note}")]
    best, median = over(two, one)
    return [Row(name, best, 1.2, note=f"by medians {median:.2f} x; {note}")]
