"""Functions that do not need a :class:`Puzzle`."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import _boards, _native
from ._errors import Error, Interrupted
from ._results import Kernel
from ._limits import NONE, ProgressLike, effort
from ._puzzle import Puzzle
from ._report import Report
from ._shown import Table


def games() -> list[str]:
    """Returns the names of the games.

    >>> games()
    ['tricolor', 'pegs', 'edge', 'moles', 'chexers', 'tiles', 'maze', 'connect', 'kayles']
    """
    return [str(game["name"]) for game in _native.ask(None, "games", "{}", NONE)]


def about(game: str) -> dict[str, Any]:
    """Returns the rules, options, input formats and boards of a game."""
    found: dict[str, Any] = _native.ask(game, "about", "{}", NONE)
    return found


def instances(game: str) -> dict[str, str]:
    """Returns the boards that come with a game, as a dict from names to text.

    >>> Puzzle("pegs", instances("pegs")["english"]).game
    'pegs'
    """
    return {str(board["name"]): str(board["text"]) for board in about(game)["instances"]}


def solve(
    game: str,
    board: object = None,
    *,
    method: str | None = None,
    time: float | None = None,
    memory: int | str | None = None,
    nodes: int | None = None,
    progress: ProgressLike = None,
    weight: float = 2.0,
    order: str | None = None,
    columns: int | None = None,
    **options: object,
) -> Report:
    """Reads a board and solves it; see :class:`Puzzle` and :meth:`Puzzle.solve`.

    >>> solve("moles", "01 11").moves
    [4]
    >>> solve("pegs", "english").cost
    31
    """
    puzzle = Puzzle(game, board, columns=columns, **options)
    return puzzle.solve(method, time=time, memory=memory, nodes=nodes, progress=progress, weight=weight, order=order)


def generate(
    game: str,
    *,
    seed: int = 0,
    level: str | None = None,
    daily: str | datetime.date | None = None,
    time: float | None = None,
    **options: object,
) -> Puzzle:
    """Generates a random board.

    ``level`` is easy, medium, hard or expert. ``daily`` is a date such as ``"2026-11-16"``, for the daily board. Without ``level`` and
    ``daily``, the options are those of ``kibitzer generate --option``. The same seed always gives the same board.

    >>> generate("pegs", seed=1).solve().solved
    True
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise ValueError(f"`seed` must be a whole number from 0 to 2**64 - 1, not {seed!r}")
    if level is None and daily is None:
        text = _native.generate(game, seed, _boards.option_texts(options), effort(time, None, None))
        return Puzzle(game, text)
    if options:
        raise Error(f"`{next(iter(options))}` cannot be combined with `level` or `daily`", "leave out `level` and `daily`, or the options")
    if level is not None and daily is not None:
        raise Error("`level` and `daily` cannot be combined", "leave out one of them")
    asked = {"level": level, "seed": seed} if daily is None else {"daily": str(daily)}
    made = _native.ask(game, "level", json.dumps(asked), effort(time, None, None))
    return Puzzle(game, str(made["instance"]))


def census(
    game: str,
    graphs: Iterable[object] | os.PathLike[str],
    *,
    method: str | None = None,
    threads: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    progress: ProgressLike = None,
    **options: object,
) -> Table:
    """Solves a game on many graphs or boards, on all cores. Returns one row per board, with columns that depend on the game.

    ``graphs`` is the path of a file with one graph or board per line, or an iterable of them: strings in graph6 or another format,
    networkx graphs, or lists of edges. With ``winner=True``, only the winner is found, not the Grundy value, which is faster on large
    graphs. If a limit is reached, the table has only the completed rows, and its attribute ``limit`` names the limit.

    In one-player games, every board is solved by ``method``, and its row has the verdict, the cost, whether that cost is proved to be the
    least, and the counts of the search. If a game has no census table of its own, the default is its best method. With a method, ``nodes``
    limits the search for each board.

    >>> census("edge", ["P3", "C4"]).select("graph", "winner", "grundy")
    graph  winner  grundy
    P3          1       1
    C4          2       0
    >>> census("tiles", ["1 2 3|4 5 6|0 7 8", "1 2 3|4 0 6|7 5 8"], method="astar:manhattan").select("board", "cost", "expanded")
    board              cost  expanded
    1 2 3|4 5 6|0 7 8     2         2
    1 2 3|4 0 6|7 5 8     2         2
    """
    if isinstance(graphs, str) or _boards.is_graph(graphs):
        raise TypeError("`graphs` must be a list of graphs or a path; pass [text] for one graph, pathlib.Path(text) for a file")
    if isinstance(graphs, os.PathLike):
        lines = Path(graphs).read_text(encoding="utf-8-sig").splitlines()
    else:
        lines = [_line(graph) for graph in graphs]
    count = threads if threads is not None else os.cpu_count() or 1
    if not 1 <= count <= 1024:
        raise ValueError(f"`threads` must be a number from 1 to 1024, not {threads!r}")
    limits = effort(time, None, nodes, progress)
    columns, rows, limit, interrupt = _native.census_rows(game, lines, method, _boards.option_texts(options), count, limits)
    solved = "verdict" in columns
    names = ["line", "board" if solved else "graph", *columns]
    read = _result if solved else _value
    table = Table(({"line": at + 1, names[1]: lines[at].strip(), **dict(zip(columns, map(read, row)))} for at, row in rows), names)
    table.limit = limit
    if limit is None and nodes is not None and any(row.get("outcome", "") is None or row.get("verdict") == "unknown" for row in table):
        table.limit = "nodes"
    if interrupt is not None:
        raise Interrupted(table) from interrupt
    return table


def _line(graph: object) -> str:
    """Converts a graph to one line of text: strings stay unchanged, all other graphs become graph6."""
    if isinstance(graph, str):
        return graph
    return _native.graph6(_boards.graph_text(graph))


def _value(text: str) -> int | str | None:
    """Converts a field of a row to an int if possible, or to None if it is empty."""
    return int(text) if text.lstrip("-").isdigit() else text or None


def _result(text: str) -> Any:
    """Converts a field of the results of a method, in which numbers and truth values are written as in JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text or None


def edcn(graph: object, *, time: float | None = None) -> dict[str, Any]:
    """Returns the edge-distinguishing chromatic number of a graph, and a coloring with that number of colors.

    >>> edcn("P5")["edcn"]
    3
    """
    return _native.tool("edcn", _boards.graph_text(graph), effort(time, None, None))


def kernel(game: str, board: object = None, *, size: str | None = None, most: int = 64, **options: object) -> Kernel:
    """Computes a basis of the space of move sets that change nothing: its size, and up to ``most`` of its members as boards.

    ``size``, such as ``"9x9"``, means an empty board of that size.

    >>> [kernel("moles", size=f"{n}x{n}").nullity for n in range(1, 12)]
    [0, 0, 0, 4, 2, 0, 0, 0, 8, 0, 6]
    """
    given: dict[str, Any] = options
    return Puzzle(game, f"size: {size}" if size is not None else board, **given).kernel(most)
