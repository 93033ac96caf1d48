"""Drawings, documents and tables that notebooks display. Drawings and documents are strings: their SVG or HTML source."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

if TYPE_CHECKING:
    import pandas
    import polars


class _Shown(str):
    """A ``str`` that notebooks render as a picture or a page."""

    __slots__ = ()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the source to a file."""
        Path(path).write_text(self, encoding="utf-8")

    # Notebooks store the repr along with the picture, so the repr is short.
    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {len(self):,} characters>"


class Svg(_Shown):
    """A drawing, as SVG source."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


class Document(_Shown):
    """A self-contained HTML document, such as a film or a trace. Notebooks show it in a frame."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return self._framed(640)

    def _framed(self, height: int) -> str:
        # The frame is sandboxed: its scripts run, but cannot access the notebook.
        style = f"width:100%;height:{height}px;border:0;background:#fff"
        return f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(self)}" style="{style}"></iframe>'


def shortened(value: object) -> str:
    """Returns a value's repr, cut to at most 100 characters."""
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."


#: Maximum number of rows that are printed or shown in a notebook.
_SHOWN = 60


class Table(list[dict[str, Any]]):
    """A table: a list of dicts, one per row, so it can be passed directly to ``pandas.DataFrame`` and ``polars.DataFrame``.

    >>> table = Table([{"n": 1, "square": 1}, {"n": 2, "square": 4}])
    >>> table.select("square")
    square
         1
         4
    >>> table[0]["n"]
    1
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]] = (), columns: Sequence[str] | None = None) -> None:
        super().__init__(dict(row) for row in rows)
        #: Column names, in order.
        self.columns: list[str] = list(columns) if columns is not None else list(self[0]) if self else []
        #: The limit that ended the work early: ``time``, ``memory`` or ``nodes``; None if the table is complete.
        self.limit: str | None = None

    @property
    def complete(self) -> bool:
        """True if no row is missing."""
        return self.limit is None

    def select(self, *columns: str) -> Table:
        """Returns the table with only these columns, in this order."""
        unknown = [name for name in columns if name not in self.columns]
        if unknown:
            raise KeyError(f"unknown column {unknown[0]!r}; the columns are {', '.join(self.columns)}")
        return Table(({name: row.get(name) for name in columns} for row in self), columns)

    def drop(self, *columns: str) -> Table:
        """Returns the table without these columns."""
        return self.select(*(name for name in self.columns if name not in columns))

    @overload
    def __getitem__(self, at: SupportsIndex) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, at: slice) -> Table: ...
    def __getitem__(self, at: SupportsIndex | slice) -> dict[str, Any] | Table:
        if isinstance(at, slice):
            return Table(super().__getitem__(at), self.columns)
        return super().__getitem__(at)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the table as a ``pandas.DataFrame``."""
        import pandas

        return pandas.DataFrame(list(self), columns=self.columns)

    def to_polars(self) -> polars.DataFrame:
        """Returns the table as a ``polars.DataFrame``."""
        import polars

        if not self:
            return polars.DataFrame(schema=self.columns)
        return polars.DataFrame(list(self), infer_schema_length=None)

    def _cells(self) -> list[list[str]]:
        return [[_cell(row.get(name)) for name in self.columns] for row in self[:_SHOWN]]

    def _right(self) -> list[bool]:
        """Returns a flag for each column: True if the column is right-aligned because it contains only numbers, bools or None."""
        return [all(not isinstance(row.get(name), (str, list, dict)) for row in self) for name in self.columns]

    def _rest(self) -> str:
        more = [f"... {len(self) - _SHOWN:,} more rows"] if len(self) > _SHOWN else []
        return "; ".join([*more, *([f"not complete: {self.limit} limit"] if self.limit else [])])

    def __str__(self) -> str:
        rows, right = [self.columns, *self._cells()], self._right()
        widths = [max(len(row[at]) for row in rows) for at in range(len(self.columns))]
        lines = ["  ".join(cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right)).rstrip() for row in rows]
        return "\n".join([*lines, *filter(None, [self._rest()])])

    def __repr__(self) -> str:
        return str(self) if self or self.limit else "Table([])"

    def _repr_html_(self) -> str:
        sides = ["right" if right else "left" for right in self._right()]
        line = [f'<{{tag}} style="text-align:{side}">{{cell}}</{{tag}}>' for side in sides]

        def row(tag: str, cells: list[str]) -> str:
            return "<tr>" + "".join(form.format(tag=tag, cell=html.escape(cell)) for form, cell in zip(line, cells)) + "</tr>"

        body = "".join(row("td", cells) for cells in self._cells())
        table = f"<table><thead>{row('th', self.columns)}</thead><tbody>{body}</tbody></table>"
        return table + (f"<p>{self._rest()}</p>" if self._rest() else "")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
