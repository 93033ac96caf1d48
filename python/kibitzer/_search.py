"""A solver that can be stepped, inspected, stopped, resumed and pickled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import Interrupted
from ._limits import ProgressLike, effort
from ._report import Report

if TYPE_CHECKING:
    from ._puzzle import Puzzle


def thousandths(weight: float) -> int:
    """Converts a weight to thousandths, which the native module expects."""
    if not 1.0 <= weight <= 1000.0:
        raise ValueError("`weight` must be a number from 1 to 1000")
    return round(weight * 1000)


class Search:
    """A search in progress: run it to a limit, inspect it, and resume it.

    In one-player games, stopping and resuming never changes the results or the counts. In two-player games, ``auto`` may return the
    winner without the Grundy value if a limit is reached first, and ``induction`` starts over.

    A search can be pickled between runs. The pickle contains the board, the method and the number of states expanded. The unpickled
    search repeats that work before it continues.

    >>> import pickle
    >>> from kibitzer import Puzzle
    >>> search = Puzzle("pegs").search("bfs")
    >>> search.run(nodes=2).verdict
    'unknown'
    >>> again = pickle.loads(pickle.dumps(search))
    >>> again.run().stats.expanded == search.run().stats.expanded
    True
    """

    def __init__(self, puzzle: Puzzle, method: str | None = None, weight: float = 2.0, order: str | None = None) -> None:
        #: The board.
        self.puzzle = puzzle
        self._weight = weight
        self._order = order
        self._run = puzzle._board().begin(method, thousandths(weight), order)
        self._free = method is None
        self._report: Report | None = None
        self._allowed = 0
        # Counts of expanded states at which the search was stopped. An unpickled search repeats these stops.
        self._stops: list[int] = []
        self._pending: list[int] = []

    @property
    def method(self) -> str:
        """The method's full name."""
        return self._run.method

    @property
    def report(self) -> Report | None:
        """The last report; None before the first run."""
        self._repeat()
        return self._report

    @property
    def done(self) -> bool:
        """True if there is an answer."""
        return self.report is not None and self.report.verdict != "unknown"

    @property
    def expanded(self) -> int:
        """The number of states expanded so far."""
        return self.report.stats.expanded if self.report is not None else 0

    def run(
        self,
        *,
        time: float | None = None,
        memory: int | str | None = None,
        nodes: int | None = None,
        progress: ProgressLike = None,
    ) -> Report:
        """Continues until there is an answer or a limit is reached. ``nodes`` counts from the start of the search."""
        self._repeat()
        return self._advance(effort(time, memory, nodes, progress))

    def step(self, count: int = 1) -> Report:
        """Expands ``count`` more states."""
        # A method that starts over reports no expanded states until it is done, so each step raises its limit.
        self._allowed = max(self.expanded, self._allowed) + count if not self._run.resumes() else self.expanded + count
        return self.run(nodes=self._allowed)

    def look(self) -> dict[str, Any] | None:
        """The open and closed states, the bounds and the last expanded state. None if the method does not show them."""
        self._repeat()
        return self._run.look()

    def _advance(self, limits: Any) -> Report:
        answer, interrupt = self._run.advance(limits)
        report = self._report = Report(self.puzzle, answer)
        if report.verdict == "unknown":
            stop = report.stats.expanded
            # One-player searches do not depend on where they were stopped.
            self._stops = [stop] if self.puzzle.players == 1 else [*self._stops, stop]
        if interrupt is not None:
            raise Interrupted(report) from interrupt
        return report

    def _repeat(self) -> None:
        pending, self._pending = self._pending, []
        for stop in pending:
            self._advance(effort(None, None, stop))

    def __reduce__(self) -> tuple[Any, ...]:
        method = None if self._free else self.method
        self._repeat()
        return Search._restored, (self.puzzle, method, self._weight, self._order, self._stops, self.done)

    @classmethod
    def _restored(
        cls, puzzle: Puzzle, method: str | None, weight: float, order: str | None, stops: list[int], done: bool
    ) -> Search:
        search = cls(puzzle, method, weight, order)
        search._pending = [*stops, *([2**63] if done else [])]
        return search

    def __repr__(self) -> str:
        return f"<Search {self.method} on {self.puzzle!r}, {'done' if self.done else 'not done'}>"
