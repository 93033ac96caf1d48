"""Memory of the process before and after 10,000 solves of each kind, after a warm-up of 1,000.

The names of one's own classes and heuristics stay for the life of the process, each once. So 10,000 classes of different names
may keep some bytes each, and the same class asked 10,000 times none.
"""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Callable

import kibitzer
from measure import Row

TIMES, WARM_UP = 10_000, 1_000


class Walk(kibitzer.Problem[int, int]):
    """From 0 to a number by steps of 1 and 3."""

    goal = 10

    def start(self) -> int:
        return 0

    def moves(self, state: int) -> list[int]:
        return [1, 3]

    def apply(self, state: int, move: int) -> int:
        return state + move

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    @kibitzer.heuristic(consistent=True)
    def thirds(self, state: int) -> float | None:
        return None if state > self.goal else (self.goal - state) / 3


class Broken(Walk):
    """Raises an exception in the middle of the search."""

    def is_goal(self, state: int) -> bool:
        if state > 6:
            raise LookupError(state)
        return False


class Heap(kibitzer.Game[int, int]):
    """Who takes the last one of a heap wins."""

    def start(self) -> int:
        return 7

    def moves(self, state: int) -> list[int]:
        return [take for take in (1, 2, 3) if take <= state]

    def apply(self, state: int, move: int) -> int:
        return state - move


def broken() -> None:
    try:
        Broken().solve("bfs")
    except LookupError:
        return
    raise AssertionError("the exception comes back")


def resumed() -> None:
    search = Walk().search("bfs")
    search.run(nodes=2)
    search.look()
    search.run()


NUMBERS = itertools.count()


def new_class() -> None:
    assert type(f"Walk{next(NUMBERS)}", (Walk,), {})().solve("astar:thirds").cost == 4


def measure() -> list[Row]:
    puzzle, refused = kibitzer.Puzzle("tricolor"), "colors: RGX; edges: 0-1"

    def fails() -> None:
        try:
            kibitzer.Puzzle("tricolor", refused)
        except kibitzer.Error:
            return
        raise AssertionError("the board is refused")

    kinds: list[tuple[str, Callable[[], object], float]] = [
        ("a board, solved", lambda: puzzle.solve().to_dict(), 1),
        ("a board, read and solved", lambda: kibitzer.solve("moles", "01 11").moves, 1),
        ("a board that is refused", fails, 1),
        ("a problem of one's own", lambda: Walk().solve().moves, 1),
        ("the same, stopped and resumed", resumed, 1),
        ("the same, ended by an exception", broken, 1),
        ("a game of one's own", lambda: Heap().solve().best, 1),
        ("a new class every time", new_class, 3),
    ]
    rows = []
    for name, call, limit in kinds:
        repeat(call, WARM_UP)
        before = resident()
        repeat(call, TIMES)
        rows.append(Row(f"memory after {TIMES:,} times: {name}", (resident() - before) / 2**20, limit, "MiB"))
    return rows


def repeat(call: Callable[[], object], times: int) -> None:
    for _ in range(times):
        call()
    gc.collect()


def resident() -> int:
    """Bytes of memory that the process holds."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
