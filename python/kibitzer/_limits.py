"""Limits of a call, and reports of its progress."""

from __future__ import annotations

import numbers
import re
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, Union


class Progress(NamedTuple):
    """The progress of a piece of work."""

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


#: A function that gets a :class:`Progress` about ten times a second, a ``tqdm`` bar, or True for a built-in bar.
ProgressLike = Union[Callable[[Progress], object], bool, Any, None]

#: Limits in the form that the native part takes: seconds, bytes, states, and a progress callback.
Effort = tuple[Union[float, None], Union[int, None], Union[int, None], Union[Callable[..., object], None]]

NONE: Effort = (None, None, None, None)

#: As on the command line: 2G is two billion bytes, 2GiB are 2 * 1024 ** 3.
_UNITS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def effort(time: float | None, memory: int | str | None, nodes: int | None, progress: ProgressLike = None) -> Effort:
    """The limits in the form that the native part takes."""
    # Not `not progress`: a bar without a total has no truth value.
    if time is None and memory is None and nodes is None and (progress is None or progress is False):
        return NONE
    return (_seconds(time), _bytes(memory), _whole("nodes", nodes, "a number of states"), _callback(progress))


def _seconds(time: Any) -> float | None:
    if time is None:
        return None
    if isinstance(time, bool) or not isinstance(time, numbers.Real):
        raise TypeError(f"`time` is a number of seconds, not {time!r}")
    # Larger numbers never end, and may not fit into a float.
    number: Any = time
    seconds = 1e18 if number >= 10**18 else float(number)
    if not seconds > 0:
        raise ValueError(f"`time` is a number of seconds above 0, not {time!r}")
    return seconds


def _whole(name: str, value: Any, what: str) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"`{name}` is {what}, not {value!r}")
    if value < 0:
        raise ValueError(f"`{name}` is {what}, not {value!r}")
    # Larger limits are never reached.
    return min(int(value), 2**64 - 1)


def _bytes(memory: Any) -> int | None:
    if not isinstance(memory, str):
        return _whole("memory", memory, "a number of bytes, or a text such as '2G'")
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*", memory, re.IGNORECASE)
    if found is None:
        raise ValueError(f"`memory` is a number of bytes, or a text such as '2G', not {memory!r}")
    return min(int(float(found[1]) * (1024 if found[3] else 1000) ** _UNITS[found[2].upper()]), 2**64 - 1)


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
    if not callable(progress):
        raise TypeError(f"`progress` is a function, a tqdm bar or True, not {progress!r}")
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
