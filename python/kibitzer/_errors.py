"""The exceptions that the package raises.

Each exception has a message that describes the fault, a remedy and, for a fault in a board's text, its line and column. Exceptions that
your own functions raise are passed on unchanged; ``error.kibitzer_state`` is the state that the function was called with.
"""

from __future__ import annotations

import re
from typing import Any


def _in_python(sentence: str) -> str:
    """Replaces command-line flags in a message with Python arguments.

    >>> _in_python("use `--method winner` or `--option colors=K`")
    'use `method="winner"` or `colors=K`'
    """
    sentence = re.sub(r"`--method ([^`]+)`", r'`method="\1"`', sentence)
    sentence = re.sub(r"`--option ([^`]+)`", r"`\1`", sentence)
    return re.sub(r"`--(\w+)`", r"`\1`", sentence)


class Error(ValueError):
    """An invalid or unsupported board, move, option or method.

    >>> import kibitzer
    >>> try:
    ...     kibitzer.Puzzle("tricolor", "colors: RGX; edges: 0-1 1-2")
    ... except kibitzer.Error as error:
    ...     print(error.line, error.column)
    1 11
    """

    #: A sentence that describes the fault.
    message: str
    #: The remedy.
    help: str
    #: The line in the board's text, counted from 1; None if the fault has no position.
    line: int | None
    #: The column in that line, counted from 1; None if the fault has no position.
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
    """Raised when a limit is reached before there is a result. ``solve`` does not raise it, but returns a report with the verdict
    ``"unknown"``."""


class InternalError(Error):
    """Raised when an answer fails its check, or when a game written in Python contradicts itself."""


class Interrupted(KeyboardInterrupt):
    """Raised after Ctrl-C; ``report`` has the results so far."""

    #: A report with the verdict ``"unknown"`` and the bounds proved so far. For a comparison or a census, the complete rows; for a
    #: trace, its lines; for an exploration, its complete layers.
    report: Any

    def __init__(self, report: Any) -> None:
        super().__init__("interrupted; `report` has the results so far")
        self.report = report
