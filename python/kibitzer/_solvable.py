"""The methods that puzzles and your own games share: solving, comparing, checking, counting."""

from __future__ import annotations

import json
import time as clock
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _native
from ._errors import Error, Interrupted
from ._limits import ProgressLike, effort
from ._report import Checked, Report
from ._results import Exploration, Plans, Trace
from ._search import Search, thousandths
from ._shown import Table

if TYPE_CHECKING:
    from ._puzzle import Puzzle

#: The forms of an answer that :meth:`Puzzle.check` accepts.
Answer = Union[Report, Mapping[str, Any], Sequence[Any], str]

#: Columns of a comparison that are report fields, by number of players.
_COMPARED = {
    1: ["method", "verdict", "cost", "optimal", "above", "proved_by", "limit", "branching"],
    2: ["method", "verdict", "winner", "outcome", "at_least", "at_most", "length", "grundy", "limit", "cutoffs", "table"],
}


def _takes_order(board: _native.Board, names: Sequence[str], order: str) -> bool:
    """True if any of the methods takes this order of moves."""
    for name in names:
        try:
            board.begin(name, thousandths(2.0), order)
        except Error:
            continue
        return True
    return False


class Solvable:
    """A puzzle, or your own game at its start."""

    def _asked(self) -> Puzzle:
        """The puzzle to work on."""
        raise NotImplementedError

    def methods(self) -> Table:
        """The methods that can solve this board, the recommended one first."""
        return Table(self._asked()._board().methods())

    def solve(
        self,
        method: str | None = None,
        *,
        time: float | None = None,
        memory: int | str | None = None,
        nodes: int | None = None,
        progress: ProgressLike = None,
        weight: float = 2.0,
        order: str | None = None,
    ) -> Report:
        """The least-cost plan or a proof that there is none; in two-player games, the winner and the best moves.

        ``method`` is a name such as ``bfs``, ``astar`` or ``astar:relaxed``; the default is the game's recommended method. The
        limits are seconds, bytes (or a string such as ``"2G"``) and expanded states. If one is reached, the verdict is
        ``unknown``, with the bounds proved so far. ``order`` is the order in which ``minimax``, ``alphabeta`` and similar methods for
        two players try moves: ``game``, ``none`` or ``history``. ``progress`` is a function that is called with a :class:`Progress`
        about ten times a second, a ``tqdm`` bar, or True for a built-in bar.

        Ctrl-C raises :class:`Interrupted`, a ``KeyboardInterrupt`` whose ``report`` has the results so far.

        >>> import kibitzer
        >>> kibitzer.Puzzle("tricolor").solve("bfs").optimal
        True
        >>> kibitzer.Puzzle("pegs").solve("bfs", nodes=1).verdict
        'unknown'
        """
        report, interrupt = self._asked()._answer(method, weight, order, effort(time, memory, nodes, progress))
        if interrupt is not None:
            raise Interrupted(report) from interrupt
        return report

    def search(self, method: str | None = None, *, weight: float = 2.0, order: str | None = None) -> Search:
        """A solver that can be stepped, inspected, stopped and resumed.

        >>> import kibitzer
        >>> search = kibitzer.Puzzle("tricolor").search("bfs")
        >>> search.step().verdict
        'unknown'
        >>> search.run().cost
        4
        """
        return Search(self._asked(), method, weight, order)

    def trace(
        self,
        method: str | None = None,
        *,
        states: bool = False,
        time: float | None = None,
        memory: int | str | None = None,
        nodes: int | None = None,
        progress: ProgressLike = None,
        weight: float = 2.0,
        order: str | None = None,
    ) -> Trace:
        """The search, step by step, with the board of every state if ``states`` is set."""
        puzzle = self._asked()
        board = puzzle._board()
        run = board.begin(method, thousandths(weight), order)
        lines, interrupt = run.trace(board.instance(), states, effort(time, memory, nodes, progress))
        trace = Trace(puzzle, lines)
        if interrupt is not None:
            raise Interrupted(trace) from interrupt
        return trace

    def compare(
        self,
        methods: str | Iterable[str] | None = None,
        *,
        time: float | None = None,
        memory: int | str | None = None,
        nodes: int | None = None,
        weight: float = 2.0,
        order: str | None = None,
    ) -> Table:
        """Compares methods, one row per method. ``optimal`` is true if the cost is proved to be the least, and ``above`` is the
        difference between the cost and the least cost, if that is known. ``branching`` is the effective branching factor b* (AIMA):
        with N states generated and a plan of d moves, N + 1 = 1 + b* + ... + b*^d. Other columns show how many states were
        expanded, generated, reopened and stored, and the memory and time used. In two-player games, ``at_least`` and ``at_most`` are
        the bounds on the outcome that a method proved before a limit stopped it, ``cutoffs`` is the number of positions whose last
        moves were pruned, and ``table`` is the number of positions in the transposition table.

        ``time`` limits the whole table: each method gets an equal share of the remaining time. The default is 60 seconds for the
        table, and at most 10 seconds for each method.
        """
        puzzle = self._asked()
        board = puzzle._board()
        if isinstance(methods, str):
            methods = [methods]
        names = list(methods) if methods is not None else [str(info["name"]) for info in board.methods() if not info["course"]]
        # Reject wrong names and limits before running any method.
        orders: dict[str, str | None] = dict.fromkeys(names, order)
        for name in names:
            try:
                board.begin(name, thousandths(weight), order)
            except Error:
                if order is None or methods is not None or not _takes_order(board, names, order):
                    raise
                orders[name] = None
        effort(time, memory, nodes)
        columns = _COMPARED[puzzle.players]
        table = Table(columns=[*columns, "expanded", "generated", "reopened", "stored", "peak_bytes", "seconds"])
        begun = clock.monotonic()
        for at, name in enumerate(names):
            share = max(_native.share(time, clock.monotonic() - begun, len(names) - at), 0.001)
            interrupt = None
            try:
                report = puzzle.solve(name, time=share, memory=memory, nodes=nodes, weight=weight, order=orders[name])
            except Interrupted as stopped:
                report, interrupt, table.limit = stopped.report, stopped, "time"
            fields = report.to_dict()
            table.append({**{column: fields.get(column) for column in columns}, **fields["stats"]})
            if interrupt is not None:
                raise Interrupted(table) from interrupt
        least = min((row["cost"] for row in table if row.get("optimal")), default=None)
        for row in table if least is not None else ():
            row["above"] = row["cost"] - least if row["cost"] is not None else None
        return table

    def check(self, answer: Answer, least: bool = False, *, states: int = 2_000_000, time: float | None = None) -> Checked:
        """Checks an answer from any source: a report, a dict, JSON text, or a list of moves.

        No solver code is used: a plan is replayed by the rules, a certificate is checked by its own checker, and claims
        about all plans are confirmed by a plain search over at most ``states`` states. With ``least``, a plan that costs more
        than the least cost is wrong.

        >>> import kibitzer
        >>> kibitzer.Puzzle("tricolor", "colors: RRR; edges: 0-1 1-2").check([1], least=True).right
        True
        >>> kibitzer.Puzzle("tricolor").check([0]).text
        'the plan does not end at a goal'
        """
        puzzle = self._asked()
        if not isinstance(answer, str):
            claimed = answer.to_dict() if isinstance(answer, Report) else answer
            fields = dict(claimed) if isinstance(claimed, Mapping) else {"moves": list(claimed)}
            answer = json.dumps(puzzle._claim(fields))
        checked = Checked(**puzzle._board().check(answer, effort(time, None, states)))
        if not least or not checked.right or checked.cost is None:
            return checked
        best = checked.least
        if best is None:
            report = puzzle.solve(nodes=states, time=time)
            best = report.cost if report.optimal else None
        if best is None:
            return Checked(None, f"{checked.text}; the least cost is not known", ["cost"], checked.cost, None)
        if best < checked.cost:
            return Checked(False, f"the plan costs {checked.cost}, but the least cost is {best}", [], checked.cost, best)
        return Checked(True, f"{checked.text}; no plan costs less", [], checked.cost, best)

    def plans(
        self,
        count: int | None = 0,
        *,
        method: str | None = None,
        time: float | None = None,
        memory: int | str | None = None,
        nodes: int | None = None,
        progress: ProgressLike = None,
    ) -> Plans:
        """The number of least-cost plans, with a list of up to ``count`` of them (None: all).

        A plan is a sequence of moves that ends at the first goal it reaches. Two plans are different if their moves are. ``method`` must
        prove the least cost; the default is the game's recommended method. If moves of cost 0 form a cycle, the number is infinite, which
        raises :class:`Error`. If a limit is reached, :class:`LimitError` is raised.

        >>> import kibitzer
        >>> plans = kibitzer.Puzzle("moles", "0100 1110 0001 1101").plans(count=2)
        >>> plans.total, list(plans)
        (6, [[6, 14, 16], [6, 16, 14]])
        """
        if count is not None and count < 0:
            raise ValueError("`count` must be at least 0, or None for all plans")
        puzzle = self._asked()
        most = min(count, 2**64 - 1) if count is not None else 2**64 - 1
        total, listed = puzzle._board().plans(method, most, effort(time, memory, nodes, progress))
        return Plans(int(total), [puzzle._plan(texts, fields) for texts, fields in listed])

    def explore(
        self, *, time: float | None = None, memory: int | str | None = None, nodes: int | None = None, progress: ProgressLike = None
    ) -> Exploration:
        """Counts all reachable positions, layer by layer."""
        fields, interrupt = self._asked()._board().explore(effort(time, memory, nodes, progress))
        if interrupt is not None:
            raise Interrupted(Exploration(fields)) from interrupt
        return Exploration(fields)
