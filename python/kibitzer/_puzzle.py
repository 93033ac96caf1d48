"""A board and all operations on it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _boards, _native
from ._errors import Error
from ._limits import NONE, Effort, effort
from ._report import Report
from ._results import Explanation, Kernel, PositionGraph
from ._search import thousandths
from ._shown import Document, Svg, Table, shortened
from ._solvable import Solvable

if TYPE_CHECKING:
    import networkx

    from typing_extensions import Self

    from ._problem import Game, Problem


class Puzzle(Solvable):
    """A board of a game, with its options.

    ``game`` is a name from :func:`kibitzer.games`, or an instance of your own subclass of :class:`Problem` or :class:`Game`.
    ``board`` is text, a name from :func:`kibitzer.instances`, a path, an open file, a list of rows, an array, a dict, or a
    networkx graph, depending on the game. The default is the game's sample board. With ``columns``, ``board`` is an array with
    eight cells per byte, as returned by ``numpy.packbits(axis=1)``, and ``columns`` cells per row. All other arguments are
    options of the game, which ``kibitzer about GAME`` lists.

    A puzzle is immutable: :meth:`play` returns a new one.

    >>> puzzle = Puzzle("tricolor", "colors: GGBRR; edges: 0-1 0-2 1-2 1-3 1-4 2-3")
    >>> puzzle.solve().cost
    4
    >>> Puzzle("moles", [[1, 1], [1, 1]], wrap="none").solve().moves
    [1, 2, 3, 4]
    """

    #: Warnings about the board.
    notes: list[str]
    _read: _native.Board
    _text: str | None
    _given: list[tuple[str, str]]
    _played: list[Any]

    def __new__(
        cls, game: str | Problem[Any, Any] | Game[Any, Any], board: object = None, *, columns: int | None = None, **options: object
    ) -> Puzzle:
        if not isinstance(game, str):
            from ._own import OwnPuzzle

            if board is not None or options:
                raise TypeError("your own game takes no `board` or options; pass them to its class")
            return OwnPuzzle._of(game)
        given = _boards.option_texts(options)
        if columns is not None and not (_boards.is_array(board) and 0 < columns < 2**32):
            raise ValueError("`columns` is only for packed arrays, and must be a number of cells from 1 to 2**32 - 1")
        bits = _boards.to_bits(game, board, columns) if _boards.is_array(board) else None
        text = bits.text(game) if bits is not None else _boards.to_text(game, board)
        if bits is not None and text is None:
            return LargePuzzle._of(game, bits, given)
        puzzle = object.__new__(cls)
        puzzle._read, puzzle.notes = _native.Board.read(game, text, given, NONE)
        puzzle._text, puzzle._given, puzzle._played = text, given, []
        return puzzle

    @property
    def game(self) -> str:
        """The game's name."""
        return self._read.game

    @property
    def players(self) -> int:
        """The number of players: 1 or 2."""
        return self._read.players

    @property
    def turn(self) -> int | None:
        """The player to move in a two-player game: 1 or 2."""
        return self._board().turn()

    @property
    def board(self) -> str:
        """The board as text that :class:`Puzzle` can read."""
        return self._board().instance()

    @property
    def state(self) -> Any:
        """The current state: a state object if the game is written in Python, otherwise the board as text."""
        return self.board

    @property
    def played(self) -> list[Any]:
        """The moves made by :meth:`play` so far."""
        return list(self._played)

    def _asked(self) -> Puzzle:
        return self

    def _board(self) -> _native.Board:
        return self._read

    def _grid(self) -> tuple[int, int]:
        """The number of rows and the number of columns, for a board whose moves are cell numbers."""
        if self.game == "moles":
            rows = [line for line in self.board.splitlines() if line and ":" not in line]
            settings = [line.split(":")[0] for line in self.board.splitlines() if ":" in line]
            if rows and len({len(row) for row in rows}) == 1 and set(settings) <= {"wrap", "states", "pattern"}:
                return len(rows), len(rows[0])
        raise Error("the moves of this board are not cells of a grid", "use `moves`, or `plan` for strings")

    def moves(self) -> list[Any]:
        """The legal moves, in the same form as in reports; in your own game, the move objects.

        >>> Puzzle("tricolor", "colors: RG; edges: 0-1").moves()
        [0, 1]
        """
        return [move for _, move, _ in self._board().position(NONE)[0]]

    def is_goal(self) -> bool:
        """True if the puzzle is solved, or if a two-player game is over."""
        return self._board().position(NONE)[1]

    def play(self, *moves: Any) -> Puzzle:
        """The puzzle after these moves, each as listed by :meth:`moves` or as a string.

        >>> Puzzle("tricolor", "colors: RRR; edges: 0-1 1-2").play(1).is_goal()
        True
        """
        after = self._copy()
        after._played = [*self._played, *moves]
        after._read = self._board().after(json.dumps(list(moves)))
        return after

    def _copy(self) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def cost(self, moves: Iterable[Any]) -> int:
        """The total cost of these moves."""
        return self._board().cost(json.dumps(list(moves)))

    # Moves of a game written in Python are Python objects. The native module identifies them by their text.

    def _plan(self, texts: list[str], fields: list[Any]) -> list[Any]:
        """The moves of a plan, given both as strings and as JSON values."""
        return fields

    def _choices(self, texts: list[str], fields: list[Any]) -> list[Any]:
        """The best moves, given both as strings and as JSON values."""
        return fields

    def _claim(self, fields: dict[str, Any]) -> dict[str, Any]:
        """An answer in the form that the native module expects."""
        return fields

    def _answer(
        self, method: str | None, weight: float, order: str | None, limits: Effort
    ) -> tuple[Report, BaseException | None]:
        """Solves the board. Also returns the exception if Ctrl-C ended the work."""
        answer, interrupt = self._board().begin(method, thousandths(weight), order).advance(limits)
        return Report(self, answer), interrupt

    def explain(self, *, time: float | None = 10.0) -> Explanation | None:
        """Explains the board's best heuristic, or the linear algebra behind the board. None if the game has no explanation."""
        found = self._board().explain(effort(time, None, None))
        return Explanation(found[0], Svg(found[1])) if found is not None else None

    def labels(self, *, time: float | None = None) -> Table:
        """Every legal move of a two-player game, with its outcome for the player who makes it."""
        names = ["move", "outcome", "grundy", "length"]
        return Table((dict(zip(names, row)) for row in self._board().labels(effort(time, None, None))), names)

    def graph(self, *, fold: bool = True, most: int = 200_000, time: float | None = None) -> PositionGraph:
        """All positions of a two-player game and the moves between them. With ``fold``, symmetric positions are merged."""
        return PositionGraph(self._board().graph(fold, most, effort(time, None, most)))

    def kernel(self, most: int = 64, *, time: float | None = None) -> Kernel:
        """A basis of the space of move sets that change nothing, if the game is linear: its size, and up to ``most`` of its members as
        boards."""
        found = self._board().kernel(most, effort(time, None, None))
        return Kernel(found, [Puzzle(self.game, item["instance"]) for item in found["patterns"]])

    def to_networkx(self) -> networkx.Graph[Any]:
        """The board's graph, with colors or moles as vertex attributes.

        >>> sorted(Puzzle("edge", "P3").to_networkx().edges)
        [('a', 'b'), ('b', 'c')]
        """
        return _boards.to_networkx(self.game, self.board)

    def svg(self, *, time: float | None = None) -> Svg:
        """A drawing of the board."""
        return Svg(self._board().svg(effort(time, None, None)))

    def film(self, moves: Iterable[Any] | None = None, *, time: float | None = None) -> Document:
        """A film of these moves, or of a best plan: an HTML document to step through."""
        return Document(self._film(moves, effort(time, None, None)))

    def _film(self, moves: Iterable[Any] | None, limits: Effort) -> str:
        return self._board().film(None if moves is None else json.dumps(list(moves)), None, limits)

    def _repr_svg_(self) -> str | None:
        # A picture of a larger board would take many megabytes.
        return self.svg() if len(self.board) <= 20_000 else None

    def __str__(self) -> str:
        return self._board().ascii()

    def __repr__(self) -> str:
        return f"Puzzle({self.game!r}, {shortened(self.board)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Puzzle._restored, (self.game, self._text, self._given, self._played)

    @classmethod
    def _restored(cls, game: Any, text: str | None, given: list[tuple[str, str]], played: list[Any]) -> Puzzle:
        options: dict[str, Any] = dict(given)
        puzzle = cls(game, text, **options)
        return puzzle.play(*played) if played else puzzle


class LargePuzzle(Puzzle):
    """A board with millions of cells. It comes from an array, is never converted to text, and supports only :meth:`solve`."""

    _bits: _native.Bits
    _name: str

    @classmethod
    def _of(cls, game: str, bits: _native.Bits, given: list[tuple[str, str]]) -> LargePuzzle:
        puzzle = object.__new__(cls)
        puzzle._name, puzzle._bits, puzzle._given, puzzle._played, puzzle.notes = game, bits, given, [], []
        return puzzle

    @property
    def game(self) -> str:
        return self._name

    @property
    def players(self) -> int:
        return 1

    def _board(self) -> _native.Board:
        rows, columns = self._bits.shape()
        raise Error(f"a board of {rows} x {columns} cells supports only `solve`", "use a smaller board for everything else")

    def _answer(
        self, method: str | None, weight: float, order: str | None, limits: Effort
    ) -> tuple[Report, BaseException | None]:
        if method not in (None, "chase"):
            raise Error(f"`{method}` cannot solve a board of this size", "leave out `method`")
        fields, bits = self._bits.solve(self._name, self._given, limits)
        return Report(self, fields=fields, bits=bits), None

    def _repr_svg_(self) -> str | None:
        return None

    def __repr__(self) -> str:
        rows, columns = self._bits.shape()
        return f"<Puzzle {self.game}, {rows} x {columns}>"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a board that is a large array cannot be pickled; pickle the array")
