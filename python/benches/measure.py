"""Shared by the benches: alternating rounds, and rows of the table.

The machine may be shared, and interference only adds time. So rounds of the things that are compared alternate, and every ratio
is taken within one run, between the shortest rounds. The ratio of the medians is shown next to it.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Row:
    """A line of the table: a measured value and its limit."""

    promise: str
    value: float
    limit: float | None = None
    unit: str = "x"
    #: True if the limit is a minimum.
    at_least: bool = False
    note: str = ""

    @property
    def passed(self) -> bool | None:
        if self.limit is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def cells(self) -> list[str]:
        sign = ">=" if self.at_least else "<="
        limit = "" if self.limit is None else f"{sign} {self.limit:g} {self.unit}"
        verdict = {None: "", True: "pass", False: "FAIL"}[self.passed]
        return [self.promise, f"{self.value:.3g} {self.unit}", limit, verdict, self.note]


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [["measured", "value", "limit", "", "note"], *(row.cells() for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(5)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines)


def over(times: list[float], others: list[float]) -> tuple[float, float]:
    """The ratio of two lists of times: of the shortest rounds, and of the medians."""
    return min(times) / min(others), statistics.median(times) / statistics.median(others)


def take_turns(rounds: int, *things: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> list[list[float]]:
    """Runs the things in turn, `rounds` times. Returns the seconds that each took, without the time to free its result."""
    times: list[list[float]] = [[] for _ in things]
    for _ in range(rounds):
        for thing, seconds in zip(things, times):
            gc.collect()
            begun = clock()
            given = thing()
            seconds.append(clock() - begun)
            del given
    return times
