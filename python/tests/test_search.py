"""Tests that stepping, inspecting, stopping, pickling and resuming a search does not change its results or counts."""

from __future__ import annotations

import itertools
import pickle
import threading

import pytest

from kibitzer import Error, LimitError, Puzzle
from support import INSTANCES, timeless
from test_game import Nim
from test_problem import Folded, Jugs, PricedJugs

BOARDS = ["tricolor/source.txt", "tricolor/seven-color.txt", "tricolor/parity.txt", "pegs/course-2.txt", "pegs/source.txt", "moles/source.txt", "chexers/lone.json", "edge/p5.txt"]

PUZZLES = {
    **{board: Puzzle(board.split("/")[0], INSTANCES / board) for board in BOARDS},
    "jugs": Jugs((3, 5), 4).puzzle(),
    "jugs-none": Jugs((2, 4), 3).puzzle(),
    "jugs-priced": PricedJugs((3, 5), 4).puzzle(),
    "folded": Folded((2, 5)).puzzle(),
    "nim": Nim(2, 3).puzzle(),
}
EVERY = [(name, method["name"]) for name, puzzle in PUZZLES.items() for method in puzzle.methods() if not method["course"]]
MOST = 400


def settled(report):
    """Returns a report without the fields that differ from run to run."""
    return timeless(report.to_dict())


def agrees(found, whole):
    """Compares two reports. In two-player games, a limit may leave the Grundy value and some best moves open, but nothing else."""
    one, other = settled(found), settled(whole)
    if whole.puzzle.players == 1 or whole.verdict == "unknown":
        assert one == other
        return
    loose = ("stats", "grundy", "best", "all_best", "confirmed")
    assert {key: value for key, value in one.items() if key not in loose} == {key: value for key, value in other.items() if key not in loose}
    assert one.get("grundy") == other.get("grundy") or (one.get("grundy") is None and found.method == "auto")
    assert set(map(str, found.best)) <= set(map(str, whole.best)) and (found.best or not whole.best)
    assert not found.all_best or found.best == whole.best


@pytest.mark.parametrize("name, method", EVERY)
def test_step_by_step(name, method):
    puzzle = PUZZLES[name]
    whole = puzzle.solve(method, nodes=MOST)
    search = puzzle.search(method)
    assert search.method == whole.method and not search.done and search.expanded == 0 and search.report is None
    for _ in range(MOST):
        last = search.expanded
        report = search.step()
        assert report is search.report
        assert last <= report.stats.expanded == search.expanded <= last + 1 or puzzle.players == 2
        if search.done:
            # Once the search is done, its report no longer changes.
            assert settled(search.run()) == settled(search.step(5)) == settled(report)
            break
        assert report.limit == "nodes"
    agrees(search.report, whole)


@pytest.mark.parametrize("name, method", EVERY)
def test_stopped_inspected_and_pickled(name, method):
    puzzle = PUZZLES[name]
    search = pickle.loads(pickle.dumps(puzzle.search(method)))
    assert not search.done and search.report is None and search.expanded == 0
    for nodes in (1, 2, 5, 20, 50, MOST):
        report = search.run(nodes=nodes)
        seen = search.look()
        if seen is not None:
            assert seen["expanded"] == report.stats.expanded and seen["generated"] == report.stats.generated
            assert seen["open"] >= 0 and seen["closed"] >= 0
            assert seen["open"] + seen["closed"] == seen["stored"] or (name, method) != ("tricolor/source.txt", "bfs")
            if report.verdict == "unknown" and report.lower is not None:
                assert seen["lower"] == report.lower and seen["upper"] == report.upper
            assert search.look() == seen, "`look` changes nothing"
        again = pickle.loads(pickle.dumps(search))
        assert (again.method, again.expanded, again.done) == (search.method, search.expanded, search.done)
        assert settled(again.report) == settled(report) and ("not done" in repr(again)) != search.done
        search = pickle.loads(pickle.dumps(again))
    agrees(search.report, puzzle.solve(method, nodes=MOST))


def test_weights():
    for weight in (1.0, 1.5, 3.0, 1000.0):
        search = PUZZLES["pegs/source.txt"].search("wastar", weight=weight)
        again = pickle.loads(pickle.dumps(search))
        assert search.run().cost <= 4 * weight and settled(again.run()) == settled(search.report)


def test_memory_limits_can_be_lifted():
    search = Puzzle("pegs", INSTANCES / "pegs" / "european.txt").search("bfs")
    first = search.run(memory="1M")
    assert (first.verdict, first.limit) == ("unknown", "memory")
    second = search.run(memory="8M")
    assert second.limit == "memory" and second.stats.expanded > first.stats.expanded
    third = search.run(nodes=second.stats.expanded + 100)
    assert third.limit == "nodes" and third.stats.expanded == second.stats.expanded + 100


def test_two_threads_and_one_search():
    search = Puzzle("pegs", INSTANCES / "pegs" / "english-priced.txt").search("bfs")
    begun, told = threading.Event(), []
    limits = {"time": 60, "nodes": 300_000, "memory": "2G", "progress": lambda now: begun.set()}
    worker = threading.Thread(target=lambda: told.append(search.run(**limits)))
    worker.start()
    assert begun.wait(60)
    for ask in (search.run, search.step, search.look):
        if not worker.is_alive():
            break
        with pytest.raises(RuntimeError, match="already"):
            ask()
    worker.join()
    assert told[0].verdict == "unknown"
    # Afterward, the search can be resumed.
    assert search.run(nodes=told[0].stats.expanded + 10).stats.expanded == told[0].stats.expanded + 10


@pytest.mark.parametrize("count", [-1, -100, 0])
def test_steps_of_zero_or_less(count):
    search = Puzzle("tricolor").search("bfs")
    search.step(3)
    try:
        assert search.step(count).stats.expanded == 3
    except ValueError as error:
        assert "count" in str(error) or "nodes" in str(error)
    assert search.expanded == 3


def test_plans():
    plans = Puzzle("moles", INSTANCES / "moles/source.txt").plans(count=None)
    assert plans.total == len(plans) == 6
    assert sorted(plans) == [list(plan) for plan in itertools.permutations([6, 14, 16])]
    jugs = Jugs((3, 5), 4)
    plans = jugs.plans(count=None)
    assert plans.total == len(plans) >= 1
    for plan in plans:
        puzzle = jugs.puzzle().play(*plan)
        assert puzzle.is_goal() and jugs.puzzle().cost(plan) == jugs.solve().cost
    assert len(jugs.plans()) == 0 and len(jugs.plans(1)) == 1
    assert Puzzle("moles", INSTANCES / "moles/corner-5.txt").plans().total == 0
    with pytest.raises(LimitError):
        Puzzle("pegs", INSTANCES / "pegs/english.txt").plans(nodes=20_000)
    with pytest.raises(Error, match="two players"):
        Puzzle("edge", "P5").plans()
    with pytest.raises(Error, match="did not prove"):
        Puzzle("chexers").plans(method="greedy")
