"""What a call may spend, and who is told how far it has come."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, Union

__all__ = ["Effort", "Progress", "effort"]


class Progress(NamedTuple):
    """How far a piece of work has come."""

    #: States whose moves were generated.
    expanded: int
    #: States made by a move, duplicates included.
    generated: int
    #: States waiting to be expanded.
    open: int
    #: Bytes held now.
    bytes: int
    #: No plan costs less than this.
    lower: int
    #: The cost of the best plan found so far.
    upper: int | None
    #: Seconds since the work began.
    seconds: float


#: A function that gets a :class:`Progress` about ten times a second, a ``tqdm`` bar, or True for a bar of our own.
ProgressLike = Union[Callable[[Progress], object], bool, Any, None]

#: Seconds, bytes, states, and a function for numbers, as the native part takes them.
Effort = tuple[Union[float, None], Union[int, None], Union[int, None], Union[Callable[..., object], None]]

NONE: Effort = (None, None, None, None)

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def effort(time: float | None, memory: int | str | None, nodes: int | None, progress: ProgressLike = None) -> Effort:
    """The limits in the form that the native part takes."""
    if time is None and memory is None and nodes is None and not progress:
        return NONE
    return (time, _bytes(memory), nodes, _callback(progress))


def _bytes(memory: int | str | None) -> int | None:
    if memory is None or isinstance(memory, int):
        return memory
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?\s*", memory, re.IGNORECASE)
    if found is None:
        raise ValueError(f"`memory` cannot be {memory!r}: give a number of bytes, or a text such as '2G'")
    return int(float(found[1]) * _UNITS[found[2].upper()])


def _callback(progress: ProgressLike) -> Callable[..., object] | None:
    if progress is None or progress is False:
        return None
    if progress is True:
        progress = _bar()
    if hasattr(progress, "set_postfix") and hasattr(progress, "update"):
        bar: Any = progress

        def update(*numbers: Any) -> None:
            now = Progress(*numbers)
            bar.set_postfix(open=now.open, lower=now.lower, upper=now.upper, refresh=False)
            bar.update(now.expanded - bar.n)

        return update
    call: Any = progress
    return lambda *numbers: call(Progress(*numbers))


def _bar() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:

        def write(now: Progress) -> None:
            bounds = f"{now.lower} to {now.upper if now.upper is not None else '?'}"
            print(f"\r{now.expanded:,} states, {now.open:,} open, cost {bounds}, {now.seconds:.0f} s ", end="", file=sys.stderr)

        return write
    return tqdm(unit=" states", unit_scale=True)
