"""What can be asked without a board at hand."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import _boards, _native
from ._limits import NONE, ProgressLike, effort
from ._puzzle import Puzzle
from ._report import Report, Table

__all__ = ["about", "census", "edcn", "games", "generate", "instances", "kernel", "solve"]


def games() -> list[str]:
    """The names of the games.

    >>> games()
    ['tricolor', 'pegs', 'edge', 'moles', 'chexers']
    """
    return [str(game["name"]) for game in _native.ask(None, "games", "{}", NONE)]


def about(game: str) -> dict[str, Any]:
    """Rules, options, input formats and boards of a game."""
    found: dict[str, Any] = _native.ask(game, "about", "{}", NONE)
    return found


def instances(game: str) -> dict[str, str]:
    """The boards that come with a game: their names and texts.

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
    columns: int | None = None,
    **options: object,
) -> Report:
    """Reads a board and solves it; see :class:`Puzzle` and :meth:`Puzzle.solve`.

    >>> solve("moles", "01 11").moves
    [4]
    """
    puzzle = Puzzle(game, board, columns=columns, **options)
    return puzzle.solve(method, time=time, memory=memory, nodes=nodes, progress=progress)


def generate(
    game: str,
    *,
    seed: int = 0,
    level: str | None = None,
    daily: str | None = None,
    time: float | None = None,
    **options: object,
) -> Puzzle:
    """A random board: with the options of ``kibitzer generate``, or of a level (easy, medium, hard, expert), or of a day
    (``"2026-11-16"``). The same seed gives the same board.

    >>> generate("pegs", seed=1).solve().solved
    True
    """
    if level is None and daily is None:
        text = _native.generate(game, seed, _boards.option_texts(options), effort(time, None, None))
        return Puzzle(game, text)
    asked = {"level": level, "seed": seed} if daily is None else {"daily": daily}
    made = _native.ask(game, "level", json.dumps(asked), effort(time, None, None))
    return Puzzle(game, str(made["instance"]))


def census(
    graphs: Iterable[object] | os.PathLike[str],
    game: str = "edge",
    *,
    threads: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    progress: ProgressLike = None,
    **options: object,
) -> Table:
    """A game decided on many boards, on all cores: a row for each.

    ``graphs`` is a file with one graph per line, or anything that gives graphs: graph6 and other texts, networkx graphs,
    lists of edges. Options are the flags of ``kibitzer census``, such as ``winner=True``.

    >>> [(row["graph"], row["winner"]) for row in census(["P3", "C4"])]
    [('P3', 1), ('C4', 2)]
    """
    if isinstance(graphs, os.PathLike):
        lines = Path(graphs).read_text(encoding="utf-8").splitlines()
    else:
        lines = [_line(graph) for graph in graphs]
    count = threads if threads is not None else os.cpu_count() or 1
    columns, rows, _ = _native.census_rows(game, lines, _boards.option_texts(options), count, effort(time, None, nodes, progress))
    names = ["line", "graph", *columns]
    return Table(({"line": at + 1, "graph": lines[at].strip(), **_numbers(columns, row)} for at, row in rows), names)


def _line(graph: object) -> str:
    text = _boards.graph_text(graph)
    return text if "\n" not in text else " ".join(text.split("\n"))


def _numbers(columns: list[str], row: list[str]) -> dict[str, Any]:
    """Fields as numbers where they are, None where they are empty."""

    def value(text: str) -> Any:
        if text == "":
            return None
        return int(text) if text.lstrip("-").isdigit() else text

    return {name: value(text) for name, text in zip(columns, row)}


def edcn(graph: object, *, time: float | None = None) -> dict[str, Any]:
    """The edge-distinguishing chromatic number of a graph, with a coloring that uses it.

    >>> edcn("P5")["edcn"]
    3
    """
    return _native.tool("edcn", _boards.graph_text(graph), effort(time, None, None))


def kernel(board: object = None, game: str = "moles", *, size: str | None = None, most: int = 64, **options: object) -> dict[str, Any]:
    """Sets of moves that change nothing: how many there are, and up to ``most`` of them as boards.

    >>> kernel(size="4x4")["count"]
    4
    """
    text = f"size: {size}" if size is not None else board
    given: dict[str, Any] = options
    return Puzzle(game, text, **given).kernel(most)
