"""`test()` detects every kind of broken law, and finds no fault with lawful problems and games."""

from __future__ import annotations

import itertools

import pytest

from kibitzer import LawError, Problem, heuristic
from test_game import Nim, SortedNim
from test_hostile import Line, changed
from test_problem import Folded, Jugs, PricedJugs


@pytest.mark.parametrize("problem", [Line(), Folded((4, 4)), Jugs((3, 5), 4), PricedJugs((3, 5), 4)], ids=lambda p: type(p).__name__)
def test_lawful(problem):
    assert problem.test() >= 7
    assert problem.test(walks=1, steps=1) >= 1
    assert Nim(2, 3).test() == SortedNim(2, 3).test() == 12


class Bare(Problem):
    """The line of `test_hostile`, with only the required methods and prices."""

    start, moves, apply, is_goal, cost, length = Line.start, Line.moves, Line.apply, Line.is_goal, Line.cost, Line.length


BROKEN = {
    "inadmissible": ({"guess": heuristic(admissible=True)(lambda self, state: 13 - state if state < 12 else 0)}, "admissible"),
    "inadmissible near the goal": ({"guess": heuristic(admissible=True)(lambda self, state: 3 if state == 11 else 0)}, "admissible"),
    "dead although a goal can be reached": ({"guess": heuristic(admissible=True)(lambda self, state: None if state == 3 else 0)}, "admissible"),
    "not 0 at a goal": ({"guess": heuristic(admissible=True)(lambda self, state: 1)}, "goal"),
    "inconsistent": ({"guess": heuristic(consistent=True)(lambda self, state: 12 - state if state % 2 else 0)}, "consistent"),
    "negative": ({"guess": heuristic()(lambda self, state: -1)}, "below 0"),
    "moves differ": ({"moves": lambda self, state: [1, 2] if next(self.count) % 2 else [2, 1]}, "`moves`"),
    "apply differs": ({"apply": lambda self, state, move: state + next(self.count) % 3}, "`apply`"),
    "is_goal differs": ({"is_goal": lambda self, state: next(self.count) % 2}, "`is_goal`|`goals`"),
    "cost differs": ({"cost": lambda self, state, move: next(self.count) % 2}, "price|`cost`"),
    "a move listed twice": ({"moves": lambda self, state: [1, 1] if state < 12 else []}, "twice|same"),
    "price below 0": ({"cost": lambda self, state, move: -1}, "price"),
    "price too high": ({"cost": lambda self, state, move: 1_000_001}, "price"),
    "price with a fraction": ({"cost": lambda self, state, move: 0.5}, "price"),
    "canonical of canonical": ({"canonical": lambda self, state: (state + 1) % 13}, "`canonical`"),
    "canonical loses goals": ({"canonical": lambda self, state: min(state, 11)}, "`canonical`"),
    "canonical loses estimates": ({"canonical": lambda self, state: state - state % 2}, "`canonical`"),
    "canonical loses prices": (
        {"canonical": lambda self, state: 3 if state == 4 else state, "cost": lambda self, state, move: state},
        "`canonical`|price",
    ),
    "canonical loses successors": (
        {"canonical": lambda self, state: 5 if state == 1 else state, "cost": lambda self, state, move: 1},
        "`canonical`",
    ),
    "before omits states": ({"before": lambda self, state: []}, "`before`"),
    "before returns wrong prices": ({"before": lambda self, state: [(state - step, 1) for step in (1, 2) if state >= step]}, "`before`"),
    "before lists other states": ({"before": lambda self, state: [(state - step, step) for step in (1, 2, 3) if state >= step]}, "`before`"),
    "goals omits a goal": ({"goals": lambda self: []}, "`goals`"),
    "goals lists another state": ({"goals": lambda self: [12, 5]}, "`goals`"),
    "layer": ({"layer": lambda self, state: 3}, "`layer`"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken(name):
    functions, says = BROKEN[name]
    # Functions whose own laws would also be broken are left out.
    base = Bare if name in ("cost differs", "canonical loses prices", "canonical loses successors") else Line
    problem = type("Broken", (base,), {"count": itertools.count(), **functions})()
    with pytest.raises(LawError, match=says) as caught:
        problem.test()
    assert "the state is" in str(caught.value) or "`goals`" in str(caught.value)
    assert isinstance(caught.value, AssertionError)


BROKEN_GAMES = {
    "repeats": ({"apply": lambda self, heaps, move: heaps}, "repeats"),
    "terminal": ({"terminal": lambda self, heaps: "lost"}, "`terminal`"),
    "terminal differs": ({"terminal": lambda self, heaps: ("win", None)[next(self.count) % 2]}, "`terminal`"),
    "draws": ({"impartial": True, "terminal": lambda self, heaps: None if any(heaps) else "draw"}, "Grundy"),
    "layer": ({"layer": lambda self, heaps: 0}, "`layer`"),
    "canonical": ({"canonical": lambda self, heaps: heaps[::-1]}, "`canonical`"),
    "canonical loses the result": (
        {"canonical": lambda self, heaps: (0, 1) if heaps == (0, 0) else heaps, "terminal": lambda self, heaps: None if any(heaps) else "loss"},
        "`canonical`",
    ),
}


@pytest.mark.parametrize("name", BROKEN_GAMES)
def test_broken_games(name):
    functions, says = BROKEN_GAMES[name]
    with pytest.raises(LawError, match=says):
        type("Broken", (Nim,), {"count": itertools.count(), **functions})(2, 3).test()


def test_a_plan_that_refutes_its_estimate():
    """A plan with cost 12 shows that an estimate of 13 is not admissible, so the plan must not be reported as optimal."""
    with pytest.raises(LawError, match="not admissible"):
        changed(guess=heuristic(admissible=True)(lambda self, state: 0 if state == 12 else 13)).solve("astar")
    assert changed(guess=heuristic(admissible=True)(lambda self, state: 0 if state == 12 else 1)).solve("astar").optimal


def test_common_mistakes():
    with pytest.raises(ValueError, match="return"):
        changed(is_goal=lambda self, state: None).solve("bfs", nodes=100)
    # The decorator also works without parentheses.
    assert changed(plain=heuristic(lambda self, state: 0)).solve("astar:plain").cost == 12
