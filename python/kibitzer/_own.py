"""Puzzles of games written in Python. Their moves are Python objects, which the native module identifies by their text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from . import _native
from ._errors import Error, InternalError
from ._limits import Effort
from ._problem import Game, Problem
from ._puzzle import Puzzle
from ._report import Report
from ._shown import Svg, shortened


class OwnPuzzle(Puzzle):
    """A position of a game written in Python."""

    _own: Problem[Any, Any] | Game[Any, Any]
    _state: Any

    @classmethod
    def _of(cls, game: object) -> OwnPuzzle:
        if not isinstance(game, (Problem, Game)):
            raise TypeError(f"`game` must be a name or an instance of a subclass of Problem or Game, not {game!r}")
        puzzle = object.__new__(cls)
        puzzle._own, puzzle._state, puzzle._played, puzzle.notes = game, game._start(), [], []
        return puzzle

    @property
    def game(self) -> str:
        return type(self._own).__name__

    @property
    def players(self) -> int:
        return 2 if isinstance(self._own, Game) else 1

    @property
    def state(self) -> Any:
        return self._state

    def _board(self) -> _native.Board:
        # A new board every time, because a board stores the states of one search.
        if isinstance(self._own, Problem):
            return _native.Board.problem(self._own._adapter(self._state))
        board = _native.Board.duel(self._own._adapter(self._own._start()))
        return board.after(json.dumps(OwnPuzzle._of(self._own)._written(self._played))) if self._played else board

    def moves(self) -> list[Any]:
        return self._own._moves(self._state)

    def is_goal(self) -> bool:
        return bool(self._own.is_goal(self._state)) if isinstance(self._own, Problem) else super().is_goal()

    def play(self, *moves: Any) -> OwnPuzzle:
        after = self._copy()
        after._played = list(self._played)
        for number, move in enumerate(moves, 1):
            found = self._find(after._state, move)
            if found is None:
                raise Error(f"move {number}, {move!r}, is not legal", "`moves()` lists the legal moves")
            after._state = self._own.apply(after._state, found[0])
            after._played.append(found[0])
        return after

    def cost(self, moves: Iterable[Any]) -> int:
        if not isinstance(self._own, Problem):
            return super().cost(moves)
        puzzle, total = self, 0
        for move in moves:
            after = puzzle.play(move)
            total += self._own.cost(puzzle._state, after._played[-1])
            puzzle = after
        return total

    def _find(self, state: Any, move: Any) -> tuple[Any, str] | None:
        """The legal move that equals ``move``, or whose text equals it, together with its text."""
        legal = _texts(self._own._moves(state))
        same = next((pair for pair in legal if pair[0] == move), None)
        return same or next((pair for pair in legal if pair[1] == move), None)

    def _written(self, moves: Iterable[Any]) -> list[str]:
        """The moves as strings, as the native module expects them."""
        state, written = self._state, list[str]()
        for move in moves:
            found = self._find(state, move)
            # The native module rejects the illegal move.
            if found is None:
                return [*written, str(move)]
            written.append(found[1])
            state = self._own.apply(state, found[0])
        return written

    def _plan(self, texts: list[str], fields: list[Any]) -> list[Any]:
        state, found = self._state, []
        for text in texts:
            pair = next((pair for pair in _texts(self._own._moves(state)) if pair[1] == text), None)
            if pair is None:
                raise InternalError(f"`moves` no longer lists {text}", "the game's functions must be deterministic; try `test()`")
            found.append(pair[0])
            state = self._own.apply(state, pair[0])
        return found

    def _choices(self, texts: list[str], fields: list[Any]) -> list[Any]:
        return [move for move, text in _texts(self.moves()) if text in texts]

    def _claim(self, fields: dict[str, Any]) -> dict[str, Any]:
        if "moves" in fields:
            fields["moves"] = self._written(fields["moves"])
        if "best" in fields:
            fields["best"] = [self._written([move])[0] for move in fields["best"]]
        return fields

    def _answer(
        self, method: str | None, weight: float, order: str | None, limits: Effort
    ) -> tuple[Report, BaseException | None]:
        report, interrupt = super()._answer(method, weight, order, limits)
        if interrupt is None and isinstance(self._own, Problem) and report.optimal and ":" in report.method:
            name = report.method.split(":", 1)[1]
            self._own._test_plan(self._state, report.moves, report.cost or 0, name)
        return report, interrupt

    def svg(self, *, time: float | None = None) -> Svg:
        drawn = self._own.svg(self._state)
        return Svg(drawn) if drawn is not None else super().svg(time=time)

    def _film(self, moves: Iterable[Any] | None, limits: Effort) -> str:
        if moves is None and isinstance(self._own, Problem):
            moves = self.solve().moves
        if moves is None:
            return super()._film(None, limits)
        made, puzzle, states = list(moves), self, [self._state]
        for move in made:
            puzzle = puzzle.play(move)
            states.append(puzzle._state)
        drawings = [drawing for drawing in map(self._own.svg, states) if drawing is not None]
        return self._board().film(json.dumps(self._written(made)), drawings if len(drawings) == len(states) else None, limits)

    def _repr_svg_(self) -> str | None:
        return self.svg()

    def __repr__(self) -> str:
        return f"<Puzzle {self.game}: {shortened(self._state)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Puzzle._restored, (self._own, None, [], self._played)


def _texts(moves: list[Any]) -> list[tuple[Any, str]]:
    """Moves with their text. If several moves have the same text, those after the first are numbered, as in the native module."""
    seen: dict[str, int] = {}
    found = []
    for move in moves:
        text = str(move)
        seen[text] = seen.get(text, 0) + 1
        found.append((move, text if seen[text] == 1 else f"{text} #{seen[text]}"))
    return found
