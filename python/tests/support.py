"""Helpers for the tests: the program, other processes, and textbook solvers that share no code with the package."""

from __future__ import annotations

import heapq
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections import deque
from pathlib import Path
from typing import Any

import kibitzer

ROOT = Path(__file__).resolve().parents[2]
INSTANCES = ROOT / "instances"

#: Seconds after which work counts as hung: far more than any test needs, since the machine may be busy.
PATIENCE = 90.0


class Program:
    """The command-line program, at the path in the environment variable KIBITZER. `python/test` builds it."""

    def run(self, *arguments: object, text: str | None = None) -> subprocess.CompletedProcess[str]:
        command = [os.environ["KIBITZER"], *map(str, arguments)]
        return subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=False, timeout=600)

    def output(self, *arguments: object, text: str | None = None) -> str:
        """Returns the output of a run that must not end with an error."""
        done = self.run(*arguments, text=text)
        assert done.returncode in (0, 1, 10, 20, 21), done.stderr
        return done.stdout

    def json(self, *arguments: object, text: str | None = None) -> Any:
        return json.loads(self.output(*arguments, text=text))

    def error(self, *arguments: object, text: str | None = None) -> tuple[str, str]:
        """Returns the message after `error: ` and the remedy after `help: `."""
        done = self.run(*arguments, text=text)
        assert done.returncode == 2, f"no error: {done.stdout}"
        lines = done.stderr.splitlines()
        found = [[line.removeprefix(word) for line in lines if line.startswith(word)] for word in ("error: ", "help: ")]
        assert [len(each) for each in found] == [1, 1], done.stderr
        return found[0][0], found[1][0]


program = Program()


def timeless(value: Any) -> Any:
    """Returns an answer without the fields that differ from run to run."""
    if isinstance(value, dict):
        return {name: timeless(item) for name, item in value.items() if name not in ("seconds", "peak_bytes", "kibitzer", "version", "file")}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def python(code: str, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Runs code in a separate interpreter, which must exit with code 0."""
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=Path(__file__).parent, check=False, **options)
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


#: Code that makes Ctrl-C raise KeyboardInterrupt, which is needed because a shell may start the tests with SIGINT ignored, and a process
#: inherits that setting.
HEAR = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


def interrupted(code: str) -> str:
    """Runs code in a separate interpreter, and sends it Ctrl-C soon after it prints `ready`. Returns what it prints afterward."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", HEAR + textwrap.dedent(code)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parent,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n", process.stderr and process.stderr.read()
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired as hung:
        raise AssertionError("Ctrl-C did not end the work") from hung
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, f"{process.returncode}\n{out}\n{err}"
    return out


def least_cost(problem: kibitzer.Problem[Any, Any], start: Any = None) -> int | None:
    """The least cost by Dijkstra's algorithm, from the problem's start or another state."""
    start = problem._start() if start is None else start
    best = {start: 0}
    heap = [(0, 0, start)]
    count = 0
    while heap:
        cost, _, state = heapq.heappop(heap)
        if cost > best[state]:
            continue
        if problem.is_goal(state):
            return cost
        for move in problem.moves(state):
            after, total = problem.apply(state, move), cost + problem.cost(state, move)
            if total < best.get(after, total + 1):
                count += 1
                best[after] = total
                heapq.heappush(heap, (total, count, after))
    return None


def levels(problem: kibitzer.Problem[Any, Any]) -> list[list[Any]]:
    """Returns the reachable states, grouped by the number of moves to reach them."""
    found, seen = [], set()
    level = {problem._start()}
    while level:
        found.append(list(level))
        seen |= level
        level = {problem.apply(state, move) for state in level for move in problem.moves(state)} - seen
    return found


def breadth_first(problem: kibitzer.Problem[Any, Any]) -> tuple[int | None, int, int]:
    """Textbook breadth-first search, which tests for a goal when a state is generated, so the start must not be a goal. Returns the
    length of the plan, the number of states expanded and the number of states generated. The last count includes all children of the last
    expanded state."""
    queue, seen = deque([(problem._start(), 0)]), {problem._start()}
    expanded = generated = 0
    while queue:
        state, depth = queue.popleft()
        expanded += 1
        children = [problem.apply(state, move) for move in problem.moves(state)]
        generated += len(children)
        for after in children:
            if after in seen:
                continue
            if problem.is_goal(after):
                return depth + 1, expanded, generated
            seen.add(after)
            queue.append((after, depth + 1))
    return None, expanded, generated


def replayed(problem: kibitzer.Problem[Any, Any], moves: list[Any]) -> tuple[int, Any]:
    """Returns the cost and the last state of a plan, whose moves must be legal."""
    state, total = problem._start(), 0
    for move in moves:
        assert move in list(problem.moves(state))
        total += problem.cost(state, move)
        state = problem.apply(state, move)
    return total, state


def toggled(hits: Any) -> Any:
    """Returns the cells that these hits change, by the definition of a hit, which toggles its cell and the four cells next to it."""
    out = hits.copy()
    out[1:] ^= hits[:-1]
    out[:-1] ^= hits[1:]
    out[:, 1:] ^= hits[:, :-1]
    out[:, :-1] ^= hits[:, 1:]
    return out
