"""Results other than reports: explorations, explanations, traces, position graphs, kernels."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from . import _native
from ._errors import Error
from ._report import Field, Fields, Report
from ._shown import Document, Svg, Table

if TYPE_CHECKING:
    import networkx

    from ._puzzle import Puzzle


class Exploration(Fields):
    """Counts of the positions that can be reached from a board."""

    complete = Field[bool]("True if all positions were counted. If not, each listed layer is still complete.")
    states = Field[int]("The number of positions, up to symmetry.")
    without_symmetry = Field["int | None"]("The number of positions, with symmetric ones counted separately; None if a limit was reached.")
    goals = Field[int]("The number of positions in which the game is won.")
    dead_ends = Field[int]("The number of positions that have no moves and are not goals.")

    @property
    def layers(self) -> Table:
        """One row per layer."""
        return Table(self._fields["layers"], ["layer", "states", "goals", "dead_ends", "moves"])

    def __repr__(self) -> str:
        return f"<Exploration {self.states:,} states in {len(self.layers)} layers{'' if self.complete else ', not complete'}>"

    def __str__(self) -> str:
        return str(self.layers)

    def _repr_html_(self) -> str:
        return self.layers._repr_html_()


class Plans(Sequence[list[Any]]):
    """The least-cost plans of a board: their number, and a list of some or all of them."""

    #: The number of least-cost plans. There may be more than are listed.
    total: int

    def __init__(self, total: int, listed: list[list[Any]]) -> None:
        self.total, self._listed = total, listed

    @overload
    def __getitem__(self, at: int) -> list[Any]: ...
    @overload
    def __getitem__(self, at: slice) -> list[list[Any]]: ...
    def __getitem__(self, at: int | slice) -> list[Any] | list[list[Any]]:
        return self._listed[at]

    def __len__(self) -> int:
        return len(self._listed)

    def __repr__(self) -> str:
        return f"<Plans {self.total:,} of least cost, {len(self):,} listed>"


@dataclass(frozen=True)
class Explanation:
    """An explanation of a board's best heuristic, or of the linear algebra behind the board."""

    #: The explanation, in one or two sentences.
    text: str
    #: The board with the explanation drawn on it.
    svg: Svg

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.text)}</p>{self.svg}"


class Trace(Sequence[dict[str, Any]]):
    """A search step by step: one line per expanded state, in order.

    A line is a dict with the fields that ``kibitzer trace`` writes: ``n``, ``id``, ``parent``, ``move``, ``depth``, ``g``, ``h``, ``f``,
    ``open``, and ``children``, each with its ``fate`` (new, better, known or dead).

    >>> import kibitzer
    >>> trace = kibitzer.Puzzle("tricolor").trace("bfs")
    >>> len(trace) == trace.report.stats.expanded
    True
    """

    def __init__(self, puzzle: Puzzle, lines: _native.Lines) -> None:
        self._lines = lines
        #: The result of the search.
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
            raise IndexError("the trace has no such line")
        return self._lines.line(index)

    @property
    def header(self) -> dict[str, Any]:
        """The game, the method and the board."""
        return dict(self._lines.header())

    @property
    def moment(self) -> str:
        """A sentence that explains why the search ended."""
        return self._lines.moment()

    def rows(self) -> Table:
        """One row per expanded state, with the number of its children."""
        names = ["n", "id", "parent", "move", "depth", "g", "h", "f", "outcome", "grundy", "open", "lower", "upper", "bound", "state"]
        rows = [{**{name: line.get(name) for name in names}, "children": len(line["children"])} for line in self]
        used = [name for name in names if any(row[name] is not None for row in rows)]
        return Table(({name: row[name] for name in [*used, "children"]} for row in rows), [*used, "children"])

    def to_jsonl(self) -> str:
        """Returns the trace as text in the form that ``kibitzer trace`` writes."""
        return self._lines.jsonl()

    def to_svg(self, most: int = 200) -> Svg:
        """Draws the search tree of the first ``most`` expanded states, with the order of expansion and f = g + h."""
        return Svg(self._lines.svg(most))

    def to_html(self) -> Document:
        """Returns a self-contained page to step through the search, with the boards if the trace was made with ``states=True``."""
        page = self._lines.html()
        if page is None:
            raise Error("`to_html` works only for built-in games", "use `to_svg` to draw the search tree")
        return Document(page)

    def __repr__(self) -> str:
        return f"<Trace of {len(self):,} states, {self.report!r}>"

    def _repr_html_(self) -> str:
        page = self._lines.html() if len(self) <= 20_000 else None
        if page is not None:
            return Document(page)._framed(720)
        return self.to_svg() + f"<p>{html.escape(self.moment)}</p>"


class PositionGraph(Fields):
    """All positions of a two-player game and the moves between them, each with its value."""

    @property
    def nodes(self) -> Table:
        """One row per position."""
        return Table(self._fields["nodes"])

    @property
    def moves(self) -> Table:
        """One row per move."""
        return Table(self._fields["moves"])

    def to_networkx(self) -> networkx.MultiDiGraph[Any]:
        """Returns the graph as a ``networkx.MultiDiGraph``, with the values of positions and moves as attributes."""
        import networkx as nx

        graph: networkx.MultiDiGraph[Any] = nx.MultiDiGraph()
        for node in self.nodes:
            graph.add_node(node.pop("id"), **node)
        for move in self.moves:
            graph.add_edge(move.pop("from"), move.pop("to"), **move)
        return graph

    def __repr__(self) -> str:
        return f"<PositionGraph of {len(self.nodes):,} positions and {len(self.moves):,} moves>"


class Kernel(Fields, Sequence["Puzzle"]):
    """A basis of the space of move sets that change nothing. Each member is shown as a board.

    >>> import kibitzer
    >>> kernel = kibitzer.kernel("moles", size="4x4")
    >>> kernel.nullity
    4
    >>> print(kernel[0].board)
    1000
    1100
    1010
    0111
    <BLANKLINE>
    """

    def __init__(self, fields: dict[str, Any], puzzles: list[Puzzle]) -> None:
        super().__init__(fields)
        self._puzzles = puzzles

    @property
    def nullity(self) -> int:
        """The size of the basis: a solvable board has ``2 ** nullity`` solutions. At most ``most`` members of the basis are listed."""
        return int(self._fields["count"])

    @property
    def about(self) -> str:
        """A sentence that explains the move sets."""
        return f"{self._fields['about']}; {self._fields['total']}"

    @overload
    def __getitem__(self, at: int) -> Puzzle: ...
    @overload
    def __getitem__(self, at: slice) -> list[Puzzle]: ...
    def __getitem__(self, at: int | slice) -> Puzzle | list[Puzzle]:
        return self._puzzles[at]

    def __len__(self) -> int:
        return len(self._puzzles)

    def __repr__(self) -> str:
        return f"<Kernel of {self._fields['game']}, nullity {self.nullity}>"

    def _repr_html_(self) -> str:
        items = zip(self._puzzles[:12], self._fields["patterns"])
        figures = "".join(
            f'<figure style="display:inline-block;margin:12px">{puzzle.svg()}<figcaption>{html.escape(item["title"])}</figcaption></figure>'
            for puzzle, item in items
        )
        return f"<p>{html.escape(self.about)}</p>{figures}"
