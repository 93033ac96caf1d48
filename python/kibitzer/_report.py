"""Answers: reports, tables, traces, spaces."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from . import _limits, _native

if TYPE_CHECKING:
    import networkx
    import numpy
    import pandas
    import polars

    from ._puzzle import Puzzle

__all__ = ["Checked", "Exploration", "Explanation", "PositionGraph", "Report", "Stats", "Table", "Trace"]


def framed(document: str, height: int = 460) -> str:
    """An HTML document within a notebook, shut off from it."""
    return (
        f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(document)}" '
        f'style="width:100%;height:{height}px;border:0;background:#fff"></iframe>'
    )


@dataclass(frozen=True)
class Stats:
    """What a method took. The counts are exact and the same on every machine."""

    #: States whose moves were generated.
    expanded: int
    #: States made by a move, duplicates included.
    generated: int
    #: States expanded again because a cheaper way to them was found.
    reopened: int
    #: Distinct states kept in memory.
    stored: int
    #: The most bytes that the search's structures held.
    peak_bytes: int
    #: The method's own time and that of the check of its answer.
    seconds: float


class Report:
    """The answer to "what is the cheapest way to a goal?" or "who wins?", checked before you see it.

    Fields that only some games or answers have (``rank`` and ``nullity`` of moles, ``colors`` of edge) are attributes, too;
    :meth:`to_dict` has them all, as ``kibitzer solve --json`` prints them.

    >>> import kibitzer
    >>> report = kibitzer.solve("edge", "P5")
    >>> report.winner, report.outcome, report.colors
    (1, 'N', 3)
    """

    __slots__ = ("_answer", "_bits", "_fields", "_moves", "puzzle")

    #: The board that the answer is about.
    puzzle: Puzzle

    def __init__(
        self,
        puzzle: Puzzle,
        answer: _native.Answer | None = None,
        fields: dict[str, Any] | None = None,
        bits: _native.Bits | None = None,
    ) -> None:
        self.puzzle = puzzle
        self._answer = answer
        self._fields = fields
        self._bits = bits
        self._moves: list[Any] | None = None

    @property
    def _json(self) -> dict[str, Any]:
        if self._fields is None:
            assert self._answer is not None
            self._fields = self._answer.json()
        return self._fields

    @property
    def game(self) -> str:
        """The game's name."""
        return str(self._json["game"])

    @property
    def method(self) -> str:
        """The method that found the answer, such as ``astar:relaxed``."""
        return str(self._json["method"])

    @property
    def verdict(self) -> str:
        """``solved``, ``unsolvable``, or ``unknown`` where a limit was reached first."""
        return self._answer.verdict if self._answer is not None else str(self._json["verdict"])

    @property
    def solved(self) -> bool:
        """Is there a plan, or a winner?"""
        return self.verdict == "solved"

    @property
    def verified(self) -> bool:
        """Was it replayed, or confirmed by a second method that shares no code with the first?"""
        return bool(self._json["verified"])

    @property
    def cost(self) -> int | None:
        """What the plan costs; None if there is none."""
        return self._json.get("cost")

    @property
    def optimal(self) -> bool | None:
        """Is it proved that no plan costs less?"""
        return self._json.get("optimal")

    @property
    def lower(self) -> int | None:
        """No plan costs less than this."""
        return self._json.get("lower")

    @property
    def upper(self) -> int | None:
        """The cost of the best plan that was found before a limit was reached."""
        return self._json.get("upper")

    @property
    def limit(self) -> str | None:
        """The limit that ended the method: ``time``, ``memory`` or ``nodes``."""
        return self._json.get("limit")

    @property
    def why(self) -> dict[str, Any] | None:
        """Why there is no plan: a certificate with its data, or ``exhausted``."""
        return self._json.get("why")

    @property
    def winner(self) -> int | None:
        """Who wins under best play, 1 or 2; None in a draw, or where one plays."""
        return self._json.get("winner")

    @property
    def outcome(self) -> str | None:
        """``N`` if the player to move wins, ``P`` if not, ``D`` for a draw; None where one plays."""
        return self._json.get("outcome")

    @property
    def grundy(self) -> int | None:
        """The Grundy value, where there is one."""
        return self._json.get("grundy")

    @property
    def moves(self) -> list[Any]:
        """The moves of the plan, as :meth:`Puzzle.moves` lists them; empty if there is none."""
        if self._moves is None:
            self._moves = self.puzzle._own_moves(self._answer.plan() if self._answer else [], self._json.get("moves", []))
        return self._moves

    @property
    def best(self) -> list[Any]:
        """Where two play, the winning moves or, in a draw, those that keep it."""
        return self.puzzle._own_choices(self._answer.best() if self._answer else [], self._json.get("best", []))

    @property
    def stats(self) -> Stats:
        """What the method took."""
        return Stats(**self._json["stats"])

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._json:
            return self._json[name]
        raise AttributeError(f"this report has no `{name}`; it has {', '.join(self._json)}")

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self._json})

    def to_dict(self) -> dict[str, Any]:
        """Everything, as ``kibitzer solve --json`` prints it."""
        return dict(self._json)

    def to_json(self) -> str:
        """The same as a text, which ``kibitzer check`` reads."""
        return json.dumps(self._json)

    def hits(self, packed: bool = False) -> numpy.ndarray[Any, Any]:
        """For boards given as large arrays: the moves, or the cells of the proof, as an array of bool, or of eight cells to a
        byte as ``numpy.packbits`` makes them."""
        import numpy

        if self._bits is None:
            raise AttributeError("the moves of this board are in `moves`: only large boards given as arrays have `hits`")
        rows, columns = self._bits.shape()
        if packed:
            return numpy.frombuffer(self._bits.packed(), numpy.uint8).reshape(rows, -1)
        return numpy.frombuffer(self._bits.cells(), numpy.bool_).reshape(rows, columns)

    def film(self) -> str:
        """The plan, or perfect play, as an HTML document that shows it step by step and needs no network."""
        return self.puzzle.film(self.moves if self.puzzle.players == 1 else None)

    def proof_svg(self) -> str:
        """Why there is no plan, drawn on the board."""
        why = dict(self.why or {})
        if not why or why.get("kind") == "exhausted":
            raise AttributeError("there is no certificate that could be drawn")
        kind, claim = str(why.pop("kind")), str(why.pop("claim", ""))
        return self.puzzle._board().show_proof(kind, claim, json.dumps(why), _limits.NONE)[1]

    def __str__(self) -> str:
        if self._answer is not None:
            return self._answer.text().rstrip("\n")
        return f"{self.game}: {self.verdict}" + (f", cost {self.cost:,}" if self.cost is not None else "")

    def __repr__(self) -> str:
        parts = [self.game, self.verdict]
        if self.cost is not None:
            parts.append(f"cost {self.cost}" + (" (least)" if self.optimal else ""))
        if self.outcome is not None:
            parts.append(f"winner {self.winner}" if self.winner else "draw")
        if self.limit is not None:
            parts.append(f"{self.limit} limit, cost at least {self.lower}")
        return f"<Report {', '.join(parts)}, by {self.method}>"

    def _repr_html_(self) -> str:
        if self.solved and self._bits is None:
            try:
                return framed(self.film())
            except Exception:  # noqa: BLE001: a board that is too large for a film still has its text
                pass
        return f"<pre>{html.escape(str(self))}</pre>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._bits is not None:
            raise TypeError("a report about a large array cannot be pickled: keep report.to_dict() and report.hits()")
        return Report._restored, (self.puzzle, self.to_dict(), str(self), self.moves)

    @classmethod
    def _restored(cls, puzzle: Puzzle, fields: dict[str, Any], text: str, moves: list[Any]) -> Report:
        report = cls(puzzle, fields=fields)
        report._moves = moves
        return report


class Table(list[dict[str, Any]]):
    """Rows of a table: a list of dicts, so ``pandas.DataFrame(table)`` and ``polars.DataFrame(table)`` just work."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = (), columns: Sequence[str] | None = None) -> None:
        super().__init__(dict(row) for row in rows)
        #: Names of the columns, in order.
        self.columns: list[str] = list(columns) if columns is not None else list(self[0]) if self else []

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a ``pandas.DataFrame``."""
        import pandas

        return pandas.DataFrame(list(self), columns=self.columns)

    def to_polars(self) -> polars.DataFrame:
        """The table as a ``polars.DataFrame``."""
        import polars

        return polars.DataFrame(list(self), infer_schema_length=None)

    def _cells(self) -> list[list[str]]:
        def cell(value: Any) -> str:
            if value is None:
                return ""
            if isinstance(value, bool):
                return "yes" if value else "no"
            if isinstance(value, float):
                return f"{value:.3g}"
            return f"{value:,}" if isinstance(value, int) else str(value)

        return [[cell(row.get(name)) for name in self.columns] for row in self]

    def __str__(self) -> str:
        rows = [self.columns, *self._cells()]
        widths = [max(len(row[at]) for row in rows) for at in range(len(self.columns))]
        right = [all(not isinstance(row.get(name), str) for row in self) for name in self.columns]
        lines = ["  ".join(cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right)).rstrip() for row in rows]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in self._cells())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


@dataclass(frozen=True)
class Checked:
    """What came of checking an answer. It is true if everything that the answer claims was confirmed.

    >>> import kibitzer
    >>> puzzle = kibitzer.Puzzle("tricolor")
    >>> bool(puzzle.check(puzzle.solve()))
    True
    """

    #: True, False, or None where something could not be decided within the limits.
    right: bool | None
    #: What holds, or what is wrong, in a sentence.
    text: str
    #: Fields of the answer that could not be decided.
    undecided: list[str]
    #: What its plan costs, if it has one.
    cost: int | None
    #: The least cost of any plan, if that was found out.
    least: int | None

    def __bool__(self) -> bool:
        return self.right is True


class Exploration:
    """Everything that can be reached from a board, counted."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    @property
    def complete(self) -> bool:
        """Was everything counted? If not, the layers that are there are whole."""
        return bool(self._fields["complete"])

    @property
    def states(self) -> int:
        """Positions, up to symmetry."""
        return int(self._fields["states"])

    @property
    def without_symmetry(self) -> int | None:
        """Positions without symmetry, if that could be found out within the limits."""
        count: int | None = self._fields["without_symmetry"]
        return count

    @property
    def goals(self) -> int:
        """Positions in which the game is won."""
        return int(self._fields["goals"])

    @property
    def dead_ends(self) -> int:
        """Positions without a move that are no goals."""
        return int(self._fields["dead_ends"])

    @property
    def layers(self) -> Table:
        """A row for every layer."""
        return Table(self._fields["layers"], ["layer", "states", "goals", "dead_ends", "moves"])

    def to_dict(self) -> dict[str, Any]:
        """Everything, as ``kibitzer explore --json`` prints it."""
        return dict(self._fields)

    def __repr__(self) -> str:
        return f"<Exploration {self.states:,} states in {len(self.layers)} layers{'' if self.complete else ', not complete'}>"

    def __str__(self) -> str:
        return str(self.layers)

    def _repr_html_(self) -> str:
        return self.layers._repr_html_()


@dataclass(frozen=True)
class Explanation:
    """What there is to understand about a board."""

    #: One or two sentences.
    text: str
    #: The board with it drawn in.
    svg: str

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.text)}</p>{self.svg}"


class Trace(Sequence[dict[str, Any]]):
    """A search step by step: a line for every state that was expanded, in order.

    A line is a dict as ``kibitzer trace`` writes it: ``n``, ``id``, ``parent``, ``move``, ``depth``, ``g``, ``h``, ``f``,
    ``open``, and ``children``, each with its ``fate`` (new, better, known or dead).

    >>> import kibitzer
    >>> trace = kibitzer.Puzzle("tricolor").trace("bfs")
    >>> len(trace) == trace.report.stats.expanded
    True
    """

    def __init__(self, puzzle: Puzzle, lines: _native.Lines) -> None:
        self._lines = lines
        #: What the search found.
        self.report: Report = Report(puzzle, lines.answer)

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, at: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(at, slice):
            return [self._lines.line(index) for index in range(*at.indices(len(self)))]
        index = at + len(self) if at < 0 else at
        if not 0 <= index < len(self):
            raise IndexError("there is no such line in the trace")
        return self._lines.line(index)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self._lines.line(at) for at in range(len(self)))

    @property
    def header(self) -> dict[str, Any]:
        """What is traced."""
        return dict(self._lines.header())

    @property
    def moment(self) -> str:
        """Why the search ended where it did, in a sentence."""
        return self._lines.moment()

    def rows(self) -> Table:
        """A row for every expanded state, without its children."""
        names = ["n", "id", "parent", "move", "depth", "g", "h", "f", "outcome", "grundy", "open", "lower", "upper", "bound", "state"]
        rows = [{**{name: line.get(name) for name in names}, "children": len(line["children"])} for line in self]
        used = [name for name in names if any(row[name] is not None for row in rows)]
        return Table(({name: row[name] for name in [*used, "children"]} for row in rows), [*used, "children"])

    def to_jsonl(self) -> str:
        """The trace as ``kibitzer trace`` writes it."""
        return self._lines.jsonl()

    def to_svg(self, most: int = 200) -> str:
        """The search tree of the first states, with the order of expansion and f = g + h."""
        return self._lines.svg(most)

    def to_html(self) -> str:
        """A page to step through, in one file; with the boards if the trace was made with ``states=True``."""
        page = self._lines.html()
        if page is None:
            raise AttributeError("pages are made for the games that come with kibitzer; `to_svg` draws the tree")
        return page

    def __repr__(self) -> str:
        return f"<Trace of {len(self):,} states, {self.report!r}>"

    def _repr_html_(self) -> str:
        page = self._lines.html() if len(self) <= 20_000 else None
        if page is not None:
            return framed(page, 640)
        return self.to_svg() + f"<p>{html.escape(self.moment)}</p>"


class PositionGraph:
    """All positions of a two-player game and the moves between them, each with its value."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    @property
    def nodes(self) -> Table:
        """A row for every position."""
        return Table(self._fields["nodes"])

    @property
    def arcs(self) -> Table:
        """A row for every move."""
        return Table(self._fields["arcs"] if "arcs" in self._fields else self._fields["edges"])

    def to_dict(self) -> dict[str, Any]:
        """Everything, as ``kibitzer graph --format json`` prints it."""
        return dict(self._fields)

    def to_networkx(self) -> networkx.MultiDiGraph[Any]:
        """The same as a networkx graph; positions and moves have their values as attributes."""
        import networkx as nx

        graph: networkx.MultiDiGraph[Any] = nx.MultiDiGraph()
        for at, node in enumerate(self.nodes):
            graph.add_node(node.get("id", at), **{name: value for name, value in node.items() if name != "id"})
        for arc in self.arcs:
            ends = {"from", "to", "source", "target"}
            tail, head = arc.get("from", arc.get("source")), arc.get("to", arc.get("target"))
            graph.add_edge(tail, head, **{name: value for name, value in arc.items() if name not in ends})
        return graph

    def __repr__(self) -> str:
        return f"<PositionGraph of {len(self.nodes):,} positions and {len(self.arcs):,} moves>"
