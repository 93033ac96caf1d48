"""Measures the speed that the Python package promises: `python python/benches/run.py [NAME ...]`.

| name    | promise |
|---------|---------|
| call    | a call adds less than 20 microseconds to the library's own work |
| bitmap  | 10,000 x 10,000 moles: at most 1.2 times the library's own time from packed bits, 3 times from an array of bool |
| own     | a problem written in Python is searched at least 3 times as fast as by simpleai |
| threads | two threads that solve two boards on two cores take at most 1.2 times as long as one thread and one board |

Needs the package built in release mode (`maturin develop --release`) and `pip install -r python/benches/requirements.txt`. Measured
values are in `docs/python-speed.md`. Exits with 1 if a promise is broken. Each file starts with a description of what it compares.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

# NumPy's idle threads would spin on the core that is measured.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The textbook search and the definition of moles are in the tests.
sys.path.append(str(Path(__file__).parents[1] / "tests"))

from measure import Row, table

NAMES = ["call", "bitmap", "own", "threads"]


def main() -> int:
    names = sys.argv[1:] or NAMES
    if unknown := set(names) - set(NAMES):
        print(f"unknown: {', '.join(sorted(unknown))}; the names are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    rows: list[Row] = []
    for name in names:
        print(f"{name} ...", file=sys.stderr)
        rows += importlib.import_module(name).measure()
    print(table(rows))
    return 1 if any(row.passed is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
