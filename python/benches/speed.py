"""Measures the speed of the Python package: `python python/benches/speed.py`.

The program prints the time that a call adds to the library's own work, and compares Kibitzer with simpleai and with the breadth-first
search of the tests, which is about as fast as a Python loop can be. All three solve the same 8-puzzle class, written in Python.

Times are CPU seconds, since everything runs on one thread. The machine may be shared, and interference only adds time, so the rounds of
the compared calls alternate, and the shortest rounds are compared. A state is *expanded* when its moves are listed. Kibitzer and the
tests' search check for a goal when a state is generated, and expand the same number of states, which is asserted. simpleai checks when
a state is taken from the frontier, and expands more states. Each program's A* breaks ties differently.

The *floor* is a plain loop that makes the same number of calls to the functions of the class, and does nothing else. No search that calls
these functions can be faster.

This program needs the package built in release mode (`maturin develop --release`) and `pip install -r python/benches/requirements.txt`.
Measured values are in `docs/python-speed.md`.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import kibitzer
from simpleai.search import SearchProblem
from simpleai.search import astar as simpleai_astar
from simpleai.search import breadth_first as simpleai_breadth_first

# The textbook search is part of the tests.
sys.path.append(str(Path(__file__).parents[1] / "tests"))
from support import breadth_first

#: Rounds per comparison.
ROUNDS = 5

GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)
#: The neighbors of each place.
NEXT = [[to for to in (at - 3, at + 3, at - 1, at + 1) if 0 <= to < 9 and (abs(to - at) == 3 or to // 3 == at // 3)] for at in range(9)]
#: For each tile, the number of steps from each place to the tile's goal.
STEPS = [[abs(at // 3 - (tile - 1) // 3) + abs(at % 3 - (tile - 1) % 3) if tile else 0 for at in range(9)] for tile in range(9)]

#: A board that is 31 moves from the goal, the maximum.
HARD = (8, 6, 7, 2, 5, 4, 3, 0, 1)

State = tuple[int, ...]


class EightPuzzle(kibitzer.Problem[State, int]):
    """A move is the index of the tile that slides into the gap."""

    def __init__(self, tiles: State) -> None:
        self.tiles = tiles

    def start(self) -> State:
        return self.tiles

    def moves(self, state: State) -> list[int]:
        return NEXT[state.index(0)]

    def apply(self, state: State, move: int) -> State:
        tiles, gap = list(state), state.index(0)
        tiles[gap], tiles[move] = tiles[move], 0
        return tuple(tiles)

    def is_goal(self, state: State) -> bool:
        return state == GOAL

    @kibitzer.heuristic(consistent=True)
    def manhattan(self, state: State) -> int:
        """The total number of steps from the tiles to their goals."""
        return sum([STEPS[tile][at] for at, tile in enumerate(state)])


class ForSimpleai(SearchProblem):
    """The same problem, with its functions under the names that simpleai expects."""

    def __init__(self, puzzle: EightPuzzle) -> None:
        super().__init__(puzzle.start())
        self.expanded = 0
        self.puzzle, self.result, self.is_goal, self.heuristic = puzzle, puzzle.apply, puzzle.is_goal, puzzle.manhattan

    def actions(self, state: State) -> list[int]:
        self.expanded += 1
        return self.puzzle.moves(state)


def layers(start: State) -> Iterator[list[State]]:
    """Returns the states that can be reached from a board, grouped by the number of moves to reach them."""
    puzzle, layer, seen = EightPuzzle(start), [start], {start}
    while layer:
        yield layer
        following = dict.fromkeys(puzzle.apply(state, move) for state in layer for move in puzzle.moves(state))
        layer = [state for state in following if state not in seen]
        seen.update(layer)


def scrambled(moves: int) -> EightPuzzle:
    """Returns a board that is exactly ``moves`` moves from the goal."""
    return EightPuzzle(next(islice(layers(GOAL), moves, None))[-1])


def floor(puzzle: EightPuzzle, report: kibitzer.Report, method: str) -> Callable[[], None]:
    """Runs a loop that calls the same functions as a search, on the same number of states."""
    states = list(islice(chain.from_iterable(layers(puzzle.start())), report.stats.stored))
    expanded = states[: report.stats.expanded]
    moves, apply, is_goal, manhattan = puzzle.moves, puzzle.apply, puzzle.is_goal, puzzle.manhattan

    def loop() -> None:
        for state in expanded:
            for move in moves(state):
                apply(state, move)
        for state in states:
            is_goal(state)
        if method == "astar":
            for state in states:
                manhattan(state)

    return loop


def shortest(*things: Callable[[], object]) -> list[float]:
    """Calls the functions in turn, several times, and returns the shortest time of each in milliseconds."""
    times: list[list[float]] = [[] for _ in things]
    for _ in range(ROUNDS):
        for thing, taken in zip(things, times):
            gc.collect()
            begun = time.process_time()
            thing()
            taken.append(time.process_time() - begun)
    return [min(taken) * 1e3 for taken in times]


def compare(name: str, method: str, puzzle: EightPuzzle, other: Callable[[EightPuzzle], int]) -> None:
    """Compares Kibitzer with the floor and with another search of the same board, which returns the number of states expanded."""
    report, expanded = puzzle.solve(method), other(puzzle)
    if method == "bfs":
        assert report.stats.expanded == breadth_first(puzzle)[1] <= expanded
    ours, theirs, least = shortest(lambda: puzzle.solve(method), lambda: other(puzzle), floor(puzzle, report, method))
    print(
        f"| {method} and {name} | {ours:.1f} ms, {report.stats.expanded:,} expanded | {theirs:.1f} ms, {expanded:,} expanded "
        f"| {least:.1f} ms | {theirs / ours:.1f} | {theirs / least:.1f} |"
    )


def by_simpleai(search: Any, puzzle: EightPuzzle) -> int:
    problem = ForSimpleai(puzzle)
    search(problem, graph_search=True)
    return problem.expanded


def overhead(game: str) -> float:
    """Measures the shortest time, in microseconds, that a call of `solve` takes in addition to the time that the library reports."""
    puzzle = kibitzer.Puzzle(game)

    def once() -> float:
        begun = time.perf_counter()
        report = puzzle.solve()
        return time.perf_counter() - begun - report.stats.seconds

    return min(once() for _ in range(2000)) * 1e6


if __name__ == "__main__":
    for game in ("tricolor", "moles", "chexers"):
        print(f"{game}: a call adds {overhead(game):.1f} microseconds")
    print("\n| 8-puzzle | Kibitzer | the other | floor | ratio | largest possible ratio |\n|---|---|---|---|---|---|")
    compare("simpleai", "bfs", scrambled(12), lambda puzzle: by_simpleai(simpleai_breadth_first, puzzle))
    compare("simpleai", "astar", scrambled(22), lambda puzzle: by_simpleai(simpleai_astar, puzzle))
    compare("textbook code with sets", "bfs", EightPuzzle(HARD), lambda puzzle: breadth_first(puzzle)[1])
