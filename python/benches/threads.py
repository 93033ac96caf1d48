"""Two Python threads that solve two boards on two cores, against one thread that solves one.

On a shared machine a second core may not be available, and then two threads always take twice as long. So every round first runs
a control, `zlib.crc32`, which also releases the interpreter, and only rounds in which the control got its second core count. They are chosen by the control alone. With fewer than five of them there is no verdict.

That the interpreter is released at all can be seen on one core: another thread counts while a board is solved, and gets about
half as far as in the same time on its own. It would get next to nowhere if the solver kept the interpreter.
"""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import kibitzer
from measure import Row, Times, take_turns

ROUNDS, NEEDED = 60, 5
#: A control that takes this many times as long on two threads had no second core.
CONTROL = 1.15


def measure() -> list[Row]:
    boards = [kibitzer.Puzzle("pegs", kibitzer.instances("pegs")["english"]) for _ in range(2)]
    data = bytes(200_000_000)

    def solve(puzzle: kibitzer.Puzzle) -> None:
        puzzle.solve("bfs", nodes=60_000)

    one, two, controls = Times(), Times(), []
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
            controls.append(control[1].best / control[0].best)
            if controls[-1] <= CONTROL:
                one.seconds += single.seconds
                two.seconds += double.seconds
    counted = len(one.seconds)
    note = f"{counted} of {ROUNDS} rounds had a second core; the control's ratio was {min(controls):.2f} to {max(controls):.2f}"
    rows = [Row("pace of another thread while a board is solved", counting(boards[0]), 0.25, at_least=True)]
    if counted < NEEDED:
        return [*rows, Row("two threads that solve, over one", float("nan"), None, note=f"NOT MEASURED: {note}")]
    best, median = two.over(one)
    return [*rows, Row("two threads that solve, over one", best, 1.2, note=f"by medians {median:.2f} x; {note}")]


def counting(puzzle: kibitzer.Puzzle) -> float:
    """How fast another thread counts while a board is solved, over how fast it does alone."""
    count, ended = 0, threading.Event()

    def tick() -> None:
        nonlocal count
        while not ended.is_set():
            count += 1

    def pace(work: Callable[[], object]) -> float:
        before, begun = count, time.perf_counter()
        work()
        return (count - before) / (time.perf_counter() - begun)

    other = threading.Thread(target=tick)
    other.start()
    run = puzzle._board().begin("bfs", 2000)
    alone, meanwhile = pace(lambda: time.sleep(0.2)), pace(lambda: run.advance((None, None, 600_000, None)))
    ended.set()
    other.join()
    return meanwhile / alone
