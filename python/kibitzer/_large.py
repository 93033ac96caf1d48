"""Boards with millions of cells, which never become a text: arrays go in, and arrays of hits come out."""

from __future__ import annotations

from typing import Any

from . import _native
from ._errors import Error
from ._limits import Effort
from ._puzzle import Puzzle
from ._report import Report


class LargePuzzle(Puzzle):
    """A board that can only be solved."""

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
        raise Error(f"a board of {rows} x {columns} cells can only be solved", "give a smaller board for everything else")

    def _answer(self, method: str | None, weight: float, limits: Effort) -> tuple[Report, BaseException | None]:
        if method not in (None, "chase"):
            raise Error(f"`{method}` cannot solve a board of this size", "leave `method` out")
        fields, bits = self._bits.solve(self._name, self._given, limits)
        return Report(self, fields=fields, bits=bits), None

    def _repr_svg_(self) -> str | None:
        return None

    def __repr__(self) -> str:
        rows, columns = self._bits.shape()
        return f"<Puzzle {self.game}, {rows} x {columns}>"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a board that is a large array cannot be pickled: pickle the array")
