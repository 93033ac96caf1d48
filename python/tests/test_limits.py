"""Limits, progress, Ctrl-C and threads. Nothing here measures speed: time bounds only detect work that hangs."""

from __future__ import annotations

# Some of these names are used only by code that runs in other processes.
import io
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest
import tqdm

import kibitzer
from kibitzer import Puzzle
from support import PATIENCE, interrupted, python
from test_game import Nim
from test_hostile import Key, Line
from test_problem import Jugs

#: A board that takes every method more than a few minutes.
HARD = """\
jump: single
costs: 1 2 3 4
goal: at 4,4
###ooo###
###ooo###
###ooo###
ooooooooo
oooo.oooo
ooooooooo
###ooo###
###ooo###
###ooo###
"""


def hard():
    return Puzzle("pegs", HARD)


class Endless(kibitzer.Problem):
    """An infinite state space (all binary words) with no goal."""

    start = 1

    def moves(self, state):
        return (0, 1)

    def apply(self, state, bit):
        return 2 * state + bit

    def is_goal(self, state):
        return False


@pytest.mark.parametrize("limits, name", [({"time": 0.3}, "time"), ({"memory": "2M"}, "memory"), ({"nodes": 500}, "nodes"), ({"nodes": 0}, "nodes"), ({"memory": 0}, "memory"), ({"time": 1e-9}, "time")])
@pytest.mark.parametrize("make", [hard, Endless], ids=["native", "python"])
@pytest.mark.parametrize("method", ["bfs", "ucs"])
def test_limits_are_named(make, method, limits, name):
    begun = time.monotonic()
    report = make().solve(method, **limits)
    assert time.monotonic() - begun < PATIENCE
    assert (report.verdict, report.limit) == ("unknown", name)
    assert not report.solved and report.cost is None and report.moves == [] and not report.optimal
    assert report.lower >= 0 and (report.upper is None or report.upper >= report.lower)
    if "nodes" in limits:
        assert report.stats.expanded <= limits["nodes"]
    assert name in repr(report) and str(report)


def test_every_call_respects_limits():
    found = hard().explore(nodes=100)
    assert not found.complete and found.states >= 1
    trace = hard().trace(nodes=100)
    assert len(trace) <= 100 and trace.report.limit == "nodes"
    assert Puzzle("edge", "petersen").solve(nodes=10).limit == "nodes"
    with pytest.raises(kibitzer.LimitError):
        Puzzle("edge", "grid4x4").graph(time=0.05, most=10**9)
    assert Puzzle("edge", "petersen").explore(nodes=5).complete is False


def test_a_census_that_is_cut_off():
    """A table that is cut off names the limit, so that it is not mistaken for a complete table."""
    table = kibitzer.census("edge", ["P3", "Q3", "grid3x4", "petersen", "ladder6", "P12"], time=0.2)
    assert table.limit == "time" or len(table) == 6
    whole = kibitzer.census("edge", ["P3", "C4"])
    assert len(whole) == 2 and whole.limit is None


def test_big_boards_under_limits():
    """The solver may finish before it notices the limit; otherwise, the report names the limit."""
    puzzle = Puzzle("moles", numpy.ones((3_000, 3_000), bool))
    for limits in ({"time": 1e-9}, {"memory": 1_000}, {"nodes": 1}):
        try:
            report = puzzle.solve(**limits)
        except kibitzer.LimitError as error:
            assert error.help
        else:
            assert report.solved or (report.verdict, report.limit) == ("unknown", next(iter(limits)))


# Progress.


@pytest.mark.parametrize("make", [hard, Endless], ids=["native", "python"])
def test_progress_grows(make):
    told = []
    report = make().solve("bfs", time=1.5, memory="3G", progress=told.append)
    assert report.verdict == "unknown"
    assert len(told) >= 2, "about ten times a second"
    for one, other in zip(told, told[1:]):
        assert isinstance(other, kibitzer.Progress)
        assert one.expanded <= other.expanded and one.generated <= other.generated and one.seconds < other.seconds
        assert one.lower <= other.lower and other.open >= 0 and other.bytes >= 0
    assert told[-1].expanded <= report.stats.expanded


@pytest.mark.parametrize("make", [hard, Endless], ids=["native", "python"])
@pytest.mark.parametrize("error", [RuntimeError("mine"), SystemExit(3), kibitzer.Error("mine"), MemoryError()], ids=repr)
def test_exceptions_in_the_callback(make, error):
    def progress(now):
        raise error

    for ask in (lambda **limits: make().solve("bfs", **limits), make().search("bfs").run, make().explore):
        with pytest.raises(type(error)) as caught:
            ask(time=60, memory="3G", progress=progress)
        assert caught.value is error


def test_bars(capfd):
    for total in (None, 0, 10**6):
        bar = tqdm.tqdm(total=total, file=io.StringIO())
        report = hard().solve("bfs", time=0.6, memory="3G", progress=bar)
        assert 0 < bar.n <= report.stats.expanded
        bar.close()
    hard().solve("bfs", time=0.6, memory="3G", progress=True)
    assert "states" in capfd.readouterr().err
    hard().solve("bfs", nodes=10, progress=False)


def test_a_bar_without_tqdm(capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    hard().solve("bfs", time=0.6, memory="3G", progress=True)
    assert "states" in capfd.readouterr().err


def test_work_within_the_callback():
    told = []

    def progress(now):
        told.append(kibitzer.solve("tricolor").cost)
        told.append(Jugs((3, 5), 4).solve().cost)
        told.append(len(kibitzer.census("edge", ["P3", "C4"])))

    report = hard().solve("bfs", time=0.8, memory="3G", progress=progress)
    assert told and told == [4, 6, 2] * (len(told) // 3)
    assert (report.verdict, report.limit) == ("unknown", "time")


# Ctrl-C.

WORK = {
    "solve": 'hard().solve("bfs", memory="8G")',
    "depth-first": 'hard().solve("idastar:priced")',
    "trace": 'hard().trace("bfs", memory="4G", nodes=3_000_000).report',
    "own problem": 'Endless().solve("bfs", memory="8G")',
    "own problem by depth": 'Endless().solve("iddfs")',
    "own problem of slow states": 'Slow().solve("ucs", memory="8G")',
    "own game": 'Nim(40, 40, 40, 40).solve("winner", memory="8G")',
    "two players": 'Puzzle("edge", "grid4x4").solve(memory="8G")',
    "explore": 'hard().explore(memory="8G")',
    "own explore": 'Endless().explore(memory="8G")',
    "census": 'kibitzer.census("edge", ["grid4x4", "petersen", "Q4", "P14"] * 5)',
    "graph": 'Puzzle("edge", "petersen").graph(most=10**9, fold=False)',
    "film": "hard().film()",
    "compare": 'hard().compare(["greedy:priced", "bfs", "ucs"], time=600, memory="8G")',
    "big boards": '[Puzzle("moles", numpy.ones((6000, 6000), bool)).solve() for _ in range(10_000)]',
    "edcn": 'kibitzer.edcn("grid9x9")',
    "laws": "Line().test(walks=10**6)",
}


class Slow(Endless):
    """States that are slow to compare."""

    start = Key(1, spread=lambda key: hash(str(key.number)))

    def apply(self, state, bit):
        return Key((2 * state.number + bit) % 10**9, spread=state.spread)


@pytest.mark.parametrize("name", WORK)
def test_ctrl_c_ends_the_work_and_keeps_the_results_so_far(name):
    out = interrupted(
        f"""
        from test_limits import *
        print("ready", flush=True)
        try:
            {WORK[name]}
            print("not interrupted")
        except KeyboardInterrupt as interrupt:
            known = getattr(interrupt, "report", None)
            report = getattr(known, "report", known)
            if isinstance(report, kibitzer.Report):
                assert report.verdict == "unknown", report
                assert report.puzzle.players == 2 or 0 <= report.lower <= (report.upper or report.lower)
            if isinstance(report, kibitzer.Table) and report.columns[0] == "method":
                assert report[0]["method"] == "greedy:priced"
            print("interrupted with", type(report).__name__)
        assert kibitzer.solve("tricolor").cost == 4
        assert Jugs((3, 5), 4).solve().cost == 6
        """
    )
    known = {"explore": "Exploration", "own explore": "Exploration", "census": "Table", "compare": "Table"}
    nothing = ("graph", "film", "big boards", "edcn", "laws")
    assert out == f"interrupted with {'NoneType' if name in nothing else known.get(name, 'Report')}\n"


@pytest.mark.parametrize("make", ["hard()", "Endless().puzzle()"])
def test_ctrl_c_and_resume(make):
    out = interrupted(
        f"""
        from test_limits import *
        search = {make}.search("bfs")
        print("ready", flush=True)
        try:
            search.run(memory="8G")
        except kibitzer.Interrupted as interrupt:
            assert interrupt.report is search.report
            count = search.expanded
            again = search.run(nodes=count + 1_000)
            assert again.stats.expanded == count + 1_000, (count, again.stats)
            assert again.stats.generated == {make}.solve("bfs", nodes=count + 1_000).stats.generated
            print("resumed")
        """
    )
    assert out.split() == ["resumed"]


def test_ctrl_c_with_a_custom_handler():
    """A handler that does not raise an exception does not end the work."""
    out = interrupted(
        """
        from test_limits import *
        told = []
        signal.signal(signal.SIGINT, lambda number, frame: told.append(number))
        print("ready", flush=True)
        report = hard().solve("bfs", memory="6G", time=2)
        assert told, "the signal arrived"
        print(report.limit, report.stats.seconds > 1.9)
        """
    )
    assert out.split() == ["time", "True"], "the search continued"


@pytest.mark.parametrize("make", ["hard()", "Endless().puzzle()"])
@pytest.mark.parametrize("name", ["SIGALRM", "SIGINT"])
def test_handlers_that_raise(make, name):
    """A program may implement timeouts with signals, as test runners do."""
    python(
        f"""
        from test_limits import *
        class Late(Exception): pass
        def handler(number, frame): raise Late
        signal.signal(signal.{name}, handler)
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.{name})).start()
        with pytest.raises(Late):
            {make}.solve("bfs", memory="8G", time=80)
        assert signal.getsignal(signal.{name}) is handler
        """
    )


def test_ctrl_c_while_a_thread_works():
    """Signals go to the main thread; work in another thread continues."""
    out = interrupted(
        """
        from test_limits import *
        found = []
        worker = threading.Thread(target=lambda: found.append(hard().solve("bfs", time=2, memory="6G")))
        worker.start()
        print("ready", flush=True)
        try:
            while not found:
                time.sleep(0.01)
            print("too late")
        except KeyboardInterrupt:
            print("main")
        while worker.is_alive():
            time.sleep(0.01)
        print(found[0].limit, found[0].stats.seconds > 1.9)
        """
    )
    assert out.split() == ["main", "time", "True"]


# Threads.


def test_other_threads_continue():
    """Other threads can run while a board is solved."""
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    worker = threading.Thread(target=count)
    worker.start()
    for work in (lambda: hard().solve("bfs", time=0.5, memory="4G"), lambda: hard().explore(time=0.5, memory="4G"), lambda: Endless().solve("bfs", time=0.5, memory="4G")):
        before = counted[0]
        work()
        assert counted[0] > before + 5
    stop.set()
    worker.join()


def test_many_threads():
    """Each search stores its own states."""
    shared = Jugs((5, 7, 11), 6)

    def work(game):
        jugs = Jugs((3, 5), 4).solve("bfs")
        return kibitzer.solve(game).cost, jugs.cost, len(jugs.moves), shared.solve("ucs").cost

    costs = {"tricolor": 4, "pegs": 4, "chexers": 10, "moles": 3}
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, [*costs] * 60, timeout=PATIENCE)) == [(cost, 6, 6, 2) for cost in costs.values()] * 60


@pytest.mark.parametrize("work", ['hard().solve("bfs", memory="3G")', 'hard().solve("bfs", memory="3G", progress=print)', 'hard().solve("bfs", memory="3G", time=60)', 'Endless().solve("bfs", memory="3G")'], ids=["native", "progress", "time", "own problem"])
def test_threads_at_exit(work):
    """A program may exit while a thread is still working."""
    done = python(
        f"""
        from test_limits import *
        threading.Thread(target=lambda: {work}, daemon=True).start()
        time.sleep(0.5)
        """
    )
    assert "FATAL" not in done.stderr
