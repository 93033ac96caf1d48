"""Answers to "what is the cheapest way?" and "who wins?", and the result of checking one."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar, overload

from . import _limits, _native
from ._errors import Error
from ._shown import Document, Svg

if TYPE_CHECKING:
    import numpy

    from ._puzzle import Puzzle

T = TypeVar("T")


class Fields:
    """An answer: a dict, some of whose fields are attributes."""

    def __init__(self, fields: dict[str, Any] | None) -> None:
        self._stored = fields

    @property
    def _fields(self) -> dict[str, Any]:
        return self._stored or {}

    def to_dict(self) -> dict[str, Any]:
        """Everything, as the program prints it in JSON."""
        return dict(self._fields)


class Field(Generic[T]):
    """An attribute that is the field of the same name; None if the answer has no such field."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type[Fields], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, fields: None, owner: type[Fields]) -> Field[T]: ...
    @overload
    def __get__(self, fields: Fields, owner: type[Fields]) -> T: ...
    def __get__(self, fields: Fields | None, owner: type[Fields]) -> Any:
        return self if fields is None else fields._fields.get(self._name)

    def __set__(self, fields: Fields, value: object) -> NoReturn:
        raise AttributeError(f"`{self._name}` cannot be set")


@dataclass(frozen=True)
class Stats:
    """The work of a method. The counts are exact and the same on every machine."""

    #: States whose moves were generated.
    expanded: int
    #: States made by a move, duplicates included.
    generated: int
    #: States expanded again because a cheaper way to them was found.
    reopened: int
    #: Distinct states kept in memory.
    stored: int
    #: Maximum bytes held by the search's data structures.
    peak_bytes: int
    #: Seconds for solving and for checking the answer.
    seconds: float


class Report(Fields):
    """The answer to "what is the cheapest way to a goal?" or "who wins?", checked before you see it.

    Fields that only some games or answers have (``rank`` and ``nullity`` of moles, ``colors`` of edge) are also attributes;
    :meth:`to_dict` has them all, as ``kibitzer solve --json`` prints them.

    >>> import kibitzer
    >>> report = kibitzer.solve("edge", "P5")
    >>> report.winner, report.outcome, report.colors
    (1, 'N', 3)
    """

    #: The board that the answer is about.
    puzzle: Puzzle

    def __init__(
        self,
        puzzle: Puzzle,
        answer: _native.Answer | None = None,
        fields: dict[str, Any] | None = None,
        bits: _native.Bits | None = None,
    ) -> None:
        super().__init__(fields)
        self.puzzle = puzzle
        self._answer = answer
        self._bits = bits

    @property
    def _fields(self) -> dict[str, Any]:
        if self._stored is None:
            assert self._answer is not None
            self._stored = self._answer.json()
        return self._stored

    game = Field[str]("The game's name.")
    method = Field[str]("The method that found the answer, such as ``astar:relaxed``.")
    verified = Field[bool]("Was it replayed, or confirmed by a second method that shares no code with the first?")
    cost = Field["int | None"]("The cost of the plan; None if there is none.")
    optimal = Field["bool | None"]("Is it proved that no plan costs less?")
    lower = Field["int | None"]("No plan costs less than this.")
    upper = Field["int | None"]("The cost of the best plan that was found before a limit was reached.")
    limit = Field["str | None"]("The limit that ended the method: ``time``, ``memory`` or ``nodes``.")
    why = Field["dict[str, Any] | None"]("The reason that there is no plan: a certificate with its data, or ``exhausted``.")
    winner = Field["int | None"]("The winner under best play, 1 or 2; None in a draw, or in one-player games.")
    outcome = Field["str | None"]("``N`` if the player to move wins, ``P`` if not, ``D`` for a draw; None in one-player games.")
    grundy = Field["int | None"]("The Grundy value, where there is one.")

    @property
    def verdict(self) -> str:
        """``solved``, ``unsolvable``, or ``unknown`` where a limit was reached first."""
        return self._answer.verdict if self._answer is not None else str(self._fields["verdict"])

    @property
    def solved(self) -> bool:
        """Is there a plan, or a winner?"""
        return self.verdict == "solved"

    @cached_property
    def moves(self) -> list[Any]:
        """The moves of the plan, as :meth:`Puzzle.moves` lists them; empty if there is none."""
        return self.puzzle._plan(self._answer.plan() if self._answer else [], self._fields.get("moves", []))

    @cached_property
    def plan(self) -> list[str]:
        """The moves of the plan as texts, such as ``"x up"``.

        >>> import kibitzer
        >>> kibitzer.solve("pegs").plan
        ['x up', 'x right', 'c up']
        """
        return self._answer.plan() if self._answer is not None else [str(hole) for hole in self.moves]

    @cached_property
    def best(self) -> list[Any]:
        """In two-player games, the winning moves or, in a draw, those that keep it."""
        return self.puzzle._choices(self._answer.best() if self._answer else [], self._fields.get("best", []))

    @property
    def stats(self) -> Stats:
        """The work of the method."""
        return Stats(**self._fields["stats"])

    def __getattr__(self, name: str) -> Any:
        # Private names are also looked up while a report is unpickled, before it has fields.
        if name.startswith("_"):
            raise AttributeError(f"this report has no `{name}`")
        if name in self._fields:
            return self._fields[name]
        raise AttributeError(f"this report has no `{name}`; it has {', '.join(self._fields)}")

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self._fields})

    def to_json(self) -> str:
        """Like :meth:`to_dict`, but as JSON text, which ``kibitzer check`` reads."""
        return json.dumps(self._fields)

    def hits(self, packed: bool = False) -> numpy.ndarray[Any, Any]:
        """The plan of a whack-a-mole grid as an array of the board's shape: True where to hit, or, where moles have more than
        two states, how often. If a board given as a large array has no solution: the cells of the proof.

        With ``packed``, eight cells to a byte, as ``numpy.packbits(axis=1)`` makes them.
        """
        import numpy

        if self._bits is not None:
            rows, columns = self._bits.shape()
            cells: numpy.ndarray[Any, Any] = numpy.frombuffer(self._bits.packed(), numpy.uint8).reshape(rows, -1)
            return cells if packed else numpy.unpackbits(cells, axis=1, count=columns).view(numpy.bool_)
        if not self.solved:
            raise Error(f"there are no hits: the verdict is {self.verdict}", "look at `why` and `limit`")
        rows, columns = self.puzzle._grid()
        counts = numpy.bincount([hole - 1 for hole in self.moves], minlength=rows * columns).reshape(rows, columns)
        hits = counts.astype(numpy.bool_ if counts.max(initial=0) < 2 else numpy.uint8)
        return numpy.packbits(hits.astype(numpy.bool_), axis=1) if packed else hits

    def film(self) -> Document:
        """The plan, or perfect play, as an HTML document that shows it step by step and needs no network."""
        return self.puzzle.film(self.moves if self.puzzle.players == 1 else None)

    def proof_svg(self) -> Svg:
        """The proof that there is no plan, drawn on the board."""
        why = dict(self.why or {})
        if not why or why.get("kind") == "exhausted":
            raise Error("there is no certificate to draw", "look at `verdict` and `why`")
        kind, claim = str(why.pop("kind")), str(why.pop("claim", ""))
        return Svg(self.puzzle._board().show_proof(kind, claim, json.dumps(why), _limits.NONE)[1])

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        if self._answer is not None:
            lines = self._answer.text().splitlines()
            more = len(lines) - _SHOWN
            return "\n".join([*lines[:_SHOWN], f"... {more:,} more moves"] if more > 0 else lines)
        return f"{self.game}: {self.verdict}" + (f", cost {self.cost:,}" if self.cost is not None else "")

    def __repr__(self) -> str:
        parts = [self.game, self.verdict]
        if self.cost is not None:
            parts.append(f"cost {self.cost}" + (" (least)" if self.optimal else ""))
        if self.outcome is not None:
            parts.append(f"winner {self.winner}" if self.winner else "draw")
        if self.limit is not None:
            parts.append(f"{self.limit} limit" + (f", cost at least {self.lower}" if self.puzzle.players == 1 else ""))
        return f"<Report {', '.join(parts)}, by {self.method}>"

    def _repr_html_(self) -> str:
        if not self.solved or self._bits is not None or len(self.moves) > _SHOWN:
            return f"<pre>{html.escape(str(self))}</pre>"
        sentence = str(self).splitlines()[0].removeprefix("# ")
        return f"<p>{html.escape(sentence)}</p>{self.film()._repr_html_()}"

    def __getstate__(self) -> dict[str, Any]:
        if self._bits is not None:
            raise TypeError("a report about a large array cannot be pickled: keep report.to_dict() and report.hits()")
        computed = {name: getattr(self, name) for name in ("puzzle", "moves", "plan", "best", "_text")}
        return {"_stored": self.to_dict(), "_answer": None, "_bits": None, **computed}


#: Lines of a report that are printed, and moves that a notebook shows as a film.
_SHOWN = 200


@dataclass(frozen=True)
class Checked:
    """The result of checking an answer. It is true if everything that the answer claims was confirmed.

    >>> import kibitzer
    >>> puzzle = kibitzer.Puzzle("tricolor")
    >>> bool(puzzle.check(puzzle.solve()))
    True
    """

    #: True, False, or None where something could not be decided within the limits.
    right: bool | None
    #: The result in a sentence.
    text: str
    #: Fields of the answer that could not be decided.
    undecided: list[str]
    #: The cost of its plan, if it has one.
    cost: int | None
    #: The least cost of any plan, if it is known.
    least: int | None

    def __bool__(self) -> bool:
        return self.right is True
