"""A board, and everything that can be asked about it."""

from __future__ import annotations

import json
import time as clock
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _boards, _native
from ._errors import Error, InternalError, Interrupted
from ._limits import NONE, Effort, ProgressLike, effort
from ._problem import Game, Problem
from ._findings import Exploration, Explanation, Kernel, PositionGraph, Trace
from ._report import Checked, Report
from ._search import Search, thousandths
from ._shown import Document, Svg, Table

if TYPE_CHECKING:
    import networkx

__all__ = ["Puzzle"]

#: How answers may be given to :meth:`Puzzle.check`.
Answer = Union[Report, Mapping[str, Any], Sequence[Any], str]

#: Seconds for a whole comparison unless a time is set, and then for any one method.
_TABLE_TIME = 60.0
_METHOD_TIME = 10.0


_MISSING = object()


class Puzzle:
    """A board of a game, with its options.

    ``game`` is the name of one of :func:`kibitzer.games`, or an object of your own subclass of :class:`Problem` or
    :class:`Game`. ``board`` is a text, the name of one of :func:`kibitzer.instances`, a path, an open file, a list of rows, an
    array, a dict, or a networkx graph, whatever fits the game; the game's sample if left out. With ``columns``, an array has
    eight cells to a byte, as ``numpy.packbits(axis=1)`` makes them, and rows of so many cells. Everything else is an option of
    the game, as ``kibitzer about GAME`` lists them.

    A puzzle does not change: :meth:`play` gives a new one.

    >>> puzzle = Puzzle("tricolor", "colors: GGBRR; edges: 0-1 0-2 1-2 1-3 1-4 2-3")
    >>> puzzle.solve().cost
    4
    >>> Puzzle("moles", [[1, 1], [1, 1]], wrap="none").solve().moves
    [1, 2, 3, 4]
    """

    def __init__(
        self, game: str | Problem[Any, Any] | Game[Any, Any], board: object = None, *, columns: int | None = None, **options: object
    ) -> None:
        self._bits: _native.Bits | None = None
        self._native: _native.Board | None = None
        self._own: Problem[Any, Any] | Game[Any, Any] | None = None
        self._played: list[Any] = []
        #: Warnings about a board that was accepted.
        self.notes: list[str] = []
        if not isinstance(game, str):
            if not isinstance(game, (Problem, Game)):
                raise TypeError(f"`game` is a name, or an object of a subclass of Problem or Game, not {game!r}")
            if board is not None or options:
                raise TypeError("a problem of your own takes its board and options itself")
            self._own = game
            self._state: Any = game._start()
            return
        self._given = _boards.option_texts(options)
        if columns is not None and not (_boards.is_array(board) and 0 < columns < 2**32):
            raise ValueError("`columns` is the number of cells in a row of a packed array, and comes with one")
        bits = _boards.to_bits(game, board, columns) if _boards.is_array(board) else None
        if bits is not None:
            self._name, self._text = game, bits.text(game)
            if self._text is None:
                self._bits = bits
                return
        else:
            self._text = _boards.to_text(game, board)
        self._native, self.notes = _native.Board.read(game, self._text, self._given, NONE)

    # What it is.

    @property
    def game(self) -> str:
        """The game's name."""
        if self._own is not None:
            return type(self._own).__name__
        return self._native.game if self._native is not None else self._name

    @property
    def players(self) -> int:
        """1 or 2."""
        if self._own is not None:
            return 2 if isinstance(self._own, Game) else 1
        return self._native.players if self._native is not None else 1

    @property
    def turn(self) -> int | None:
        """Who is to move in two-player games: 1 or 2."""
        return self._board().turn()

    @property
    def board(self) -> str:
        """The board as a text that can be read again."""
        return self._board().instance()

    @property
    def state(self) -> Any:
        """The position: for a problem of your own the state, else the board as text."""
        return self._state if self._own is not None else self.board

    @property
    def played(self) -> list[Any]:
        """The moves made by :meth:`play` so far."""
        return list(self._played)

    def _board(self) -> _native.Board:
        if self._native is not None:
            return self._native
        if self._bits is not None:
            rows, columns = self._bits.shape()
            raise Error(f"a board of {rows} x {columns} cells can only be solved", "give a smaller board for everything else")
        # A new one every time: what it keeps belongs to one piece of work.
        assert self._own is not None
        if isinstance(self._own, Game):
            board = _native.Board.duel(self._own._adapter(self._own._start()))
            return board.after(json.dumps(Puzzle(self._own)._written(self._played))) if self._played else board
        return _native.Board.problem(self._own._adapter(self._state))

    def _grid(self) -> tuple[int, int]:
        """Rows and columns of a board on which moves are numbers of cells."""
        if self.game == "moles":
            rows = [line for line in self.board.splitlines() if line and ":" not in line]
            settings = [line.split(":")[0] for line in self.board.splitlines() if ":" in line]
            if rows and len({len(row) for row in rows}) == 1 and set(settings) <= {"wrap", "states", "pattern"}:
                return len(rows), len(rows[0])
        raise Error("the moves of this board are not cells of a grid", "take `moves`, or `plan` for texts")

    # Playing.

    def moves(self) -> list[Any]:
        """The legal moves, in the form that the game writes in reports; for a problem of your own, the moves themselves.

        >>> Puzzle("tricolor", "colors: RG; edges: 0-1").moves()
        [0, 1]
        """
        if self._own is not None:
            return self._own._moves(self._state)
        return [move for _, move, _ in self._board().position(NONE)[0]]

    def is_goal(self) -> bool:
        """Is the game won, or over?"""
        if isinstance(self._own, Problem):
            return bool(self._own.is_goal(self._state))
        return self._board().position(NONE)[1]

    def play(self, *moves: Any) -> Puzzle:
        """The puzzle after these moves, each as :meth:`moves` lists it or as a text.

        >>> Puzzle("tricolor", "colors: RRR; edges: 0-1 1-2").play(1).is_goal()
        True
        """
        after = object.__new__(Puzzle)
        after.__dict__.update(self.__dict__)
        after._played = [*self._played, *moves]
        if self._own is not None:
            state = self._state
            after._played = list(self._played)
            for number, move in enumerate(moves, 1):
                legal = self._own._moves(state)
                found = [other for other in legal if other == move] or [other for other, text in _texts(legal) if text == move]
                if not found:
                    raise Error(f"move {number}, {move!r}, is not legal there", "`moves()` lists the legal moves")
                state = self._own.apply(state, found[0])
                after._played.append(found[0])
            after._state = state
        else:
            after._native = self._board().after(json.dumps(list(moves)))
        return after

    def cost(self, moves: Iterable[Any]) -> int:
        """What these moves cost together."""
        if isinstance(self._own, Problem):
            puzzle, total = self, 0
            for move in moves:
                after = puzzle.play(move)
                total += self._own.cost(puzzle._state, after._played[-1])
                puzzle = after
            return total
        return self._board().cost(json.dumps(list(moves)))

    def _own_moves(self, texts: list[str], fields: list[Any]) -> list[Any]:
        """The moves that a report writes, as objects of one's own problem."""
        if self._own is None:
            return fields
        state, found = self._state, []
        for text in texts:
            move = next((move for move, written in _texts(self._own._moves(state)) if written == text), _MISSING)
            if move is _MISSING:
                raise InternalError(f"`moves` does not list {text} again", "the game's functions must be deterministic: try `test()`")
            found.append(move)
            state = self._own.apply(state, move)
        return found

    def _own_choices(self, texts: list[str], fields: list[Any]) -> list[Any]:
        if self._own is None:
            return fields
        return [move for move, text in _texts(self._own._moves(self._state)) if text in texts]

    def _written(self, moves: Iterable[Any]) -> list[str]:
        """Moves of one's own problem as the native part reads them."""
        assert self._own is not None
        state, written = self._state, list[str]()
        for move in moves:
            legal = _texts(self._own._moves(state))
            same = next(((other, text) for other, text in legal if other == move), None)
            found = same or next(((other, text) for other, text in legal if text == move), None)
            # What is not legal is refused there, by its text.
            if found is None:
                return [*written, str(move)]
            written.append(found[1])
            state = self._own.apply(state, found[0])
        return written

    # Solving.

    def methods(self) -> Table:
        """The ways to solve this board, the recommended one first."""
        return Table(self._board().methods())

    def solve(
        self,
        method: str | None = None,
        *,
        time: float | None = None,
        memory: int | str | None = None,
        nodes: int | None = None,
        progress: ProgressLike = None,
        weight: float = 2.0,
    ) -> Report:
        """The least-cost plan or a proof that there is none; in two-player games, who wins and by which moves.

        ``method`` is a name such as ``bfs``, ``astar`` or ``astar:relaxed``; without one the game chooses the best. Limits:
        seconds, bytes (``"2G"``), states to expand. When one is reached, the verdict is ``unknown``, with what is proved so
        far. ``progress`` gets a :class:`Progress` about ten times a second: a function, a ``tqdm`` bar, or True.

        Ctrl-C raises :class:`Interrupted`, a ``KeyboardInterrupt`` with what is known in its ``report``.

        >>> Puzzle("tricolor").solve("bfs").optimal
        True
        >>> Puzzle("pegs").solve("bfs", nodes=1).verdict
        'unknown'
        """
        limits = effort(time, memory, nodes, progress)
        if self._bits is not None:
            if method not in (None, "chase"):
                raise Error(f"`{method}` cannot solve a board of this size", "leave `method` out")
            fields, bits = self._bits.solve(self._name, self._given, limits)
            return Report(self, fields=fields, bits=bits)
        answer, interrupt = self._board().begin(method, thousandths(weight)).advance(limits)
        report = Report(self, answer)
        if interrupt is not None:
            raise Interrupted(report) from interrupt
        self._test_estimates(report)
        return report

    def _test_estimates(self, report: Report) -> None:
        """A plan shows what its states really cost at most: an estimate of one's own that says more is not admissible."""
        if not isinstance(self._own, Problem) or not report.optimal or ":" not in report.method:
            return
        name = report.method.split(":", 1)[1]
        estimate = next((function for other, _, admissible, _, function in self._own._heuristics() if other == name and admissible), None)
        if estimate is None:
            return
        state, left = self._state, report.cost or 0
        for move in [*report.moves, None]:
            value = estimate(state)
            wrong = f"`{name}` is {value!r}, but a goal can be reached at a cost of {left}: it is not admissible"
            self._own._law(value is not None and value <= left, wrong, state)
            if move is not None:
                left -= self._own.cost(state, move)
                state = self._own.apply(state, move)

    def search(self, method: str | None = None, *, weight: float = 2.0) -> Search:
        """A solver that can be stepped, looked into, stopped and resumed.

        >>> search = Puzzle("tricolor").search("bfs")
        >>> search.step().verdict
        'unknown'
        >>> search.run().cost
        4
        """
        return Search(self, method, weight)

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
    ) -> Trace:
        """The search step by step; with the board of every state if ``states`` is set."""
        board = self._board()
        run = board.begin(method, thousandths(weight))
        lines, interrupt = run.trace(board.instance(), states, effort(time, memory, nodes, progress))
        trace = Trace(self, lines)
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
    ) -> Table:
        """One row per method: cost, whether the method proves that it is least (``optimal``), how much above the least cost it is
        if any method proves one (``above``), states expanded and generated, memory, time.

        ``time`` is for the whole table: each method gets an equal share of what is left. Unless set, the table gets 60
        seconds, and a method 10 of them at most.
        """
        infos = self._board().methods()
        if isinstance(methods, str):
            methods = [methods]
        names = list(methods) if methods is not None else [str(info["name"]) for info in infos if not info["course"]]
        # A wrong name is refused before anything runs for long.
        for name in names:
            self._board().begin(name, thousandths(weight))
        effort(time, memory, nodes)
        table = Table(columns=[*_compared(self.players), "expanded", "generated", "reopened", "stored", "peak_bytes", "seconds"])
        begun = clock.monotonic()
        for at, name in enumerate(names):
            left = max((time or _TABLE_TIME) - (clock.monotonic() - begun), 0.001)
            share = min(left / (len(names) - at), _METHOD_TIME if time is None else left)
            interrupt = None
            try:
                report = self.solve(name, time=share, memory=memory, nodes=nodes, weight=weight)
            except Interrupted as stopped:
                report, interrupt, table.limit = stopped.report, stopped, "time"
            fields = report.to_dict()
            table.append({**{column: fields.get(column) for column in _compared(self.players)}, **fields["stats"]})
            if interrupt is not None:
                raise Interrupted(table) from interrupt
        least = min((row["cost"] for row in table if row.get("optimal")), default=None)
        for row in table if least is not None else ():
            row["above"] = row["cost"] - least if row["cost"] is not None else None
        return table

    # Understanding.

    def check(self, answer: Answer, least: bool = False, *, states: int = 2_000_000, time: float | None = None) -> Checked:
        """Checks an answer from anywhere: a report, a dict, JSON text, or a list of moves.

        No solver's code is used: a plan is replayed by the rules, a certificate is checked by its own checker, and claims
        about all plans are confirmed by a plain search over at most ``states`` states. With ``least``, a plan that is not of
        least cost is wrong.

        >>> Puzzle("tricolor", "colors: RRR; edges: 0-1 1-2").check([1], least=True).right
        True
        >>> Puzzle("tricolor").check([0]).text
        'the plan does not end at a goal'
        """
        found = self._board().check(self._claim(answer), effort(time, None, states))
        checked = Checked(**found)
        if not least or not checked.right or checked.cost is None:
            return checked
        best = checked.least
        if best is None:
            report = self.solve(nodes=states, time=time)
            best = report.cost if report.optimal else None
        if best is None:
            return Checked(None, f"{checked.text}; the least cost is not known", ["cost"], checked.cost, None)
        if best < checked.cost:
            return Checked(False, f"the plan costs {checked.cost}, and {best} is enough", [], checked.cost, best)
        return Checked(True, f"{checked.text}; no plan costs less", [], checked.cost, best)

    def _claim(self, answer: Answer) -> str:
        if isinstance(answer, str):
            return answer
        if isinstance(answer, Report):
            fields = answer.to_dict()
        elif isinstance(answer, Mapping):
            fields = dict(answer)
        else:
            fields = {"moves": list(answer)}
        if self._own is not None:
            if "moves" in fields:
                fields["moves"] = self._written(fields["moves"])
            if "best" in fields:
                fields["best"] = [self._written([move])[0] for move in fields["best"]]
        return json.dumps(fields)

    def explore(self, *, time: float | None = None, memory: int | str | None = None, nodes: int | None = None, progress: ProgressLike = None) -> Exploration:
        """Walks through everything that can be reached, and counts it layer by layer."""
        fields, interrupt = self._board().explore(effort(time, memory, nodes, progress))
        if interrupt is not None:
            raise Interrupted(Exploration(fields)) from interrupt
        return Exploration(fields)

    def explain(self, *, time: float | None = 10.0) -> Explanation | None:
        """What there is to understand about the board: the idea behind its best estimate, or the algebra."""
        found = self._board().explain(effort(time, None, None))
        return Explanation(found[0], Svg(found[1])) if found is not None else None

    def labels(self, *, time: float | None = None) -> Table:
        """In two-player games: every legal move with what it leads to for the player who makes it."""
        names = ["move", "outcome", "grundy", "length"]
        return Table((dict(zip(names, row)) for row in self._board().labels(effort(time, None, None))), names)

    def graph(self, *, fold: bool = True, most: int = 200_000, time: float | None = None) -> PositionGraph:
        """All positions of a two-player game and the moves between them; with ``fold``, symmetric ones as one."""
        return PositionGraph(self._board().graph(fold, most, effort(time, None, most)))

    def kernel(self, most: int = 64, *, time: float | None = None) -> Kernel:
        """Sets of moves that change nothing, where the game is linear: how many, and up to ``most`` of them as boards."""
        found = self._board().kernel(most, effort(time, None, None))
        return Kernel(found, [Puzzle(self.game, item["instance"]) for item in found["patterns"]])

    def to_networkx(self) -> networkx.Graph[Any]:
        """The board's graph, with colors or moles as attributes of its vertices.

        >>> sorted(Puzzle("edge", "P3").to_networkx().edges)
        [('a', 'b'), ('b', 'c')]
        """
        return _boards.to_networkx(self.game, self.board)

    # Showing.

    def svg(self, *, time: float | None = None) -> Svg:
        """The board as a drawing."""
        if self._own is not None:
            drawn = self._own._svg(self._state)
            if drawn is not None:
                return Svg(drawn)
        return Svg(self._board().svg(effort(time, None, None)))

    def film(self, moves: Iterable[Any] | None = None, *, time: float | None = None) -> Document:
        """These moves, or a best plan, as an HTML document that shows them step by step."""
        return Document(self._film(moves, effort(time, None, None)))

    def _film(self, moves: Iterable[Any] | None, limits: Effort) -> str:
        if self._own is None:
            return self._board().film(None if moves is None else json.dumps(list(moves)), None, limits)
        if moves is None and isinstance(self._own, Problem):
            moves = self.solve().moves
        if moves is None:
            return self._board().film(None, None, limits)
        made, puzzle = list(moves), self
        drawings = [self._own._svg(self._state)]
        for move in made:
            puzzle = puzzle.play(move)
            drawings.append(self._own._svg(puzzle._state))
        whole = [drawing for drawing in drawings if drawing is not None]
        return self._board().film(json.dumps(self._written(made)), whole if len(whole) == len(drawings) else None, limits)

    def _repr_svg_(self) -> str | None:
        # A picture of a board as large as this would be of many megabytes.
        return None if self._bits is not None or self._own is None and len(self.board) > 20_000 else self.svg()

    def __str__(self) -> str:
        return self._board().ascii()

    def __repr__(self) -> str:
        if self._bits is not None:
            rows, columns = self._bits.shape()
            return f"<Puzzle {self.game}, {rows} x {columns}>"
        if self._own is not None:
            return f"<Puzzle {self.game}: {_shortened(self._state)}>"
        return f"Puzzle({self.game!r}, {_shortened(self.board)})"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._bits is not None:
            raise TypeError("a board that is a large array cannot be pickled: pickle the array")
        if self._own is not None:
            return Puzzle._restored, (self._own, None, [], self._played)
        return Puzzle._restored, (self.game, self._text, self._given, self._played)

    @classmethod
    def _restored(cls, game: Any, text: str | None, given: list[tuple[str, str]], played: list[Any]) -> Puzzle:
        options: dict[str, Any] = dict(given)
        puzzle = cls(game) if not isinstance(game, str) else cls(game, text, **options)
        return puzzle.play(*played) if played else puzzle


def _texts(moves: list[Any]) -> list[tuple[Any, str]]:
    """Moves with their texts, as the native part writes them: where some have the same, those after the first are numbered."""
    seen: dict[str, int] = {}
    found = []
    for move in moves:
        text = str(move)
        seen[text] = seen.get(text, 0) + 1
        found.append((move, text if seen[text] == 1 else f"{text} #{seen[text]}"))
    return found


def _shortened(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."


def _compared(players: int) -> list[str]:
    if players == 1:
        return ["method", "verdict", "cost", "optimal", "above", "proved_by", "limit"]
    return ["method", "verdict", "winner", "outcome", "grundy", "limit"]
