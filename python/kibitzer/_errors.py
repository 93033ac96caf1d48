"""What can go wrong, with the remedy.

An exception says what is wrong in one sentence, where (line and column of the board's text), and what to do about it.
Exceptions of your own functions come back as they are; ``error.kibitzer_state`` is then the state they were asked about.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["Error", "InternalError", "Interrupted", "LimitError"]


def _in_python(sentence: str) -> str:
    """What the program says about its flags, said of arguments.

    >>> _in_python("take `--method winner`, or `--option colors=K`")
    'take `method="winner"`, or `colors=K`'
    """
    sentence = re.sub(r"`--method ([^`]+)`", r'`method="\1"`', sentence)
    sentence = re.sub(r"`--option ([^`]+)`", r"`\1`", sentence)
    return re.sub(r"`--(\w+)`", r"`\1`", sentence)


class Error(ValueError):
    """A board, a move, an option or a method that cannot be used.

    >>> import kibitzer
    >>> try:
    ...     kibitzer.Puzzle("tricolor", "colors: RGX; edges: 0-1 1-2")
    ... except kibitzer.Error as error:
    ...     print(error.line, error.column)
    1 11
    """

    #: What is wrong.
    message: str
    #: What to do about it.
    help: str
    #: Where, in the board's text, counted from 1; None if that makes no sense.
    line: int | None
    column: int | None

    def __init__(self, message: str, help: str = "", line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.message = _in_python(message)
        self.help = _in_python(help)
        self.line = line
        self.column = column

    def __str__(self) -> str:
        return f"{self.message}\n  help: {self.help}" if self.help else self.message

    def __reduce__(self) -> tuple[type[Error], tuple[str, str, int | None, int | None]]:
        return type(self), (self.message, self.help, self.line, self.column)


class LimitError(Error):
    """A limit was reached before there was anything to show.

    Only where there is no report that could say so: ``solve`` gives one whose verdict is ``"unknown"``.
    """


class InternalError(Error):
    """An answer did not pass its own check."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a search; what is known by then is in ``report``."""

    #: What is known at that moment: a report whose verdict is ``"unknown"``, with the bounds that are proved; for a comparison
    #: or a census the rows that are there, for a trace its lines, for an exploration its whole layers.
    report: Any

    def __init__(self, report: Any) -> None:
        super().__init__("interrupted; `report` has what is known so far")
        self.report = report
