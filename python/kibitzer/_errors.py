"""Exceptions.

Each has a sentence that names the fault, its place (line and column of the board's text), and a remedy. Exceptions of your own functions
are passed on unchanged; ``error.kibitzer_state`` is the state that the function was called with.
"""

from __future__ import annotations

import re
from typing import Any


def _in_python(sentence: str) -> str:
    """Replaces the flags of the program in a sentence by arguments.

    >>> _in_python("use `--method winner`, or `--option colors=K`")
    'use `method="winner"`, or `colors=K`'
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

    #: The fault, in a sentence.
    message: str
    #: The remedy.
    help: str
    #: The place in the board's text, counted from 1; None if there is none.
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
    """A limit was reached before there was a result. ``solve`` does not raise it: it returns a report whose verdict is ``"unknown"``."""


class InternalError(Error):
    """An answer did not pass its own check."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended the work; ``report`` has the results so far."""

    #: A report whose verdict is ``"unknown"``, with the bounds that are proved; for a comparison or a census the complete rows, for
    #: a trace its lines, for an exploration its complete layers.
    report: Any

    def __init__(self, report: Any) -> None:
        super().__init__("interrupted; `report` has the results so far")
        self.report = report
