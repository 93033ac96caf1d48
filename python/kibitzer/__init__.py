"""Kibitzer solves combinatorial puzzles and games exactly, with proofs.

>>> import kibitzer
>>> report = kibitzer.solve("pegs", kibitzer.instances("pegs")["course-2"])
>>> report.solved, report.optimal
(True, True)

:func:`games` lists the games. To write your own, see :class:`Problem` and :class:`Game`.
"""

from ._errors import Error, InternalError, Interrupted, LimitError
from ._results import Exploration, Explanation, Kernel, Plans, PositionGraph, Trace
from ._functions import about, census, edcn, games, generate, instances, kernel, solve
from ._limits import Progress
from ._native import VERSION as __version__
from ._problem import Game, LawError, Problem, heuristic
from ._puzzle import Puzzle
from ._report import Checked, Report, Stats
from ._search import Search
from ._shown import Document, Svg, Table

__all__ = [
    "Checked", "Document", "Error", "Explanation", "Exploration", "Game", "InternalError", "Interrupted", "Kernel", "LawError",
    "LimitError", "Plans", "PositionGraph", "Problem", "Progress", "Puzzle", "Report", "Search", "Stats", "Svg", "Table", "Trace",
    "__version__", "about", "census", "edcn", "games", "generate", "heuristic", "instances", "kernel", "solve",
]  # fmt: skip
