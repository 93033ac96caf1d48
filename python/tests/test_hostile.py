"""Tests problems that break the contract: whatever their code does, the interpreter survives, and the exception says what is wrong."""

from __future__ import annotations

import gc
import random
import weakref
from contextlib import suppress

import numpy
import pytest

import kibitzer
from kibitzer import Problem, heuristic

METHODS = ["bfs", "dfs", "iddfs", "ucs", "astar:guess", "greedy:guess", "wastar:guess", "idastar:guess", "rbfs:guess", "bidirectional"]


class Line(Problem):
    """A walk from 0 to 12 in steps of 1 or 2. The class defines every method that a search can call."""

    start, length = 0, 12

    def moves(self, state):
        return [step for step in (1, 2) if state + step <= self.length]

    def apply(self, state, step):
        return state + step

    def is_goal(self, state):
        return state == self.length

    def cost(self, state, step):
        return step

    def canonical(self, state):
        return state

    def layer(self, state):
        return state

    @heuristic(consistent=True)
    def guess(self, state):
        """The remaining distance"""
        return self.length - state

    def goals(self):
        return [self.length]

    def before(self, state):
        return [(state - step, step) for step in (1, 2) if state >= step]


def test_the_line_itself():
    assert set(METHODS) <= {method["name"] for method in Line().methods()}
    for method in METHODS:
        assert Line().solve(method).cost == 12
    assert Line().test() == 13


class Boom(Exception):
    pass


def raising(function, error):
    """Returns a line in which one function raises ``error`` at a few states, one of which is on every plan. A function that takes no state
    raises at once."""
    states = (10, 11, 12) if function == "before" else (5, 6)

    def method(self, *arguments):
        if not arguments or arguments[0] in states:
            raise error
        return getattr(Line, function)(self, *arguments)

    mark = getattr(getattr(Line, function), "_kibitzer_heuristic", None)
    if mark is not None:
        method._kibitzer_heuristic = mark
    return type("Raising", (Line,), {function: method})()


USES = [
    *[(function, method) for function in ("moves", "apply", "is_goal", "cost", "canonical") for method in METHODS if method != "bidirectional"],
    *[("guess", method) for method in METHODS if "guess" in method],
    ("goals", "bidirectional"),
    ("before", "bidirectional"),
]


@pytest.mark.parametrize("function, method", USES)
def test_exceptions_are_raised_unchanged(function, method):
    error = Boom("as it is")
    with pytest.raises(Boom) as caught:
        raising(function, error).solve(method)
    assert caught.value is error
    if function != "goals":
        assert error.kibitzer_state in (5, 6, 10, 11, 12)
        notes = getattr(error, "__notes__", [f"`{function}` {error.kibitzer_state}"])
        assert len(notes) == 1 and f"`{function}`" in notes[0] and str(error.kibitzer_state) in notes[0]
    # The traceback includes the function that raised it.
    frames = [entry.name for entry in caught.traceback]
    assert "method" in frames


class Closed(Exception):
    """An exception that accepts neither notes nor attributes."""

    def refuse(self, *arguments):
        raise TypeError("refused")

    add_note = __setattr__ = refuse


@pytest.mark.parametrize("kind", [SystemExit, GeneratorExit, StopIteration, MemoryError, RecursionError, AssertionError, kibitzer.Error, Closed])
def test_exceptions_of_any_kind(kind):
    error = kind("now")
    with pytest.raises(kind) as caught:
        raising("apply", error).solve()
    assert caught.value is error


def test_every_call_raises_exceptions_unchanged():
    error = Boom("first")
    problem = raising("apply", error)
    search = problem.search("bfs")
    for ask in (problem.explore, problem.trace, problem.compare, lambda: problem.check([1] * 12), problem.puzzle().film, search.run):
        with pytest.raises(Boom) as caught:
            ask()
        assert caught.value is error
    with pytest.raises(RuntimeError, match="start a new one"):
        search.run()


class Key:
    """A state with arbitrary `==` and `hash`."""

    def __init__(self, number, equal=None, spread=None):
        self.number, self.equal, self.spread = number, equal, spread

    def __hash__(self):
        return self.spread(self) if self.spread else hash(self.number)

    def __eq__(self, other):
        return self.equal(self, other) if self.equal else self.number == other.number

    def __repr__(self):
        return f"Key({self.number})"


class Keys(Problem):
    """A line of `Key` states, with moves in both directions."""

    def __init__(self, equal=None, spread=None, length=40):
        self.equal, self.spread, self.length, self.asked = equal, spread, length, 0

    def _key(self, number):
        return Key(number, self.equal, self.spread)

    def start(self):
        return self._key(0)

    def moves(self, state):
        self.asked += 1
        return [step for step in (1, -1, 3) if 0 <= state.number + step <= self.length]

    def apply(self, state, step):
        return self._key(state.number + step)

    def is_goal(self, state):
        return state.number == self.length


SPREADS = [lambda key: 7, lambda key: -2, lambda key: 2**61 - 2 - key.number, lambda key: -(2**60) + key.number, lambda key: key.number << 40]


@pytest.mark.parametrize("method", ["bfs", "dfs", "ucs"])
@pytest.mark.parametrize("spread", SPREADS)
def test_hashes(method, spread):
    report = Keys(spread=spread).solve(method)
    assert report.cost == 14 or method == "dfs"
    assert report.stats.stored <= 41


@pytest.mark.parametrize("method", ["bfs", "dfs", "ucs", "iddfs"])
@pytest.mark.parametrize("part", ["equal", "spread"])
def test_comparing_and_hashing_raise(part, method):
    error = Boom("no comparing")

    def raises(key, other=None):
        if other is not None or key.number == 5:
            raise error
        return key.number

    problem = Keys(**{part: raises})
    with pytest.raises(Boom) as caught:
        problem.solve(method, nodes=100_000)
    assert caught.value is error
    # The search ends soon, not after all states.
    assert problem.asked < 5_000


class Vague:
    """An object that is neither true nor false."""

    def __bool__(self):
        raise Boom("neither")


@pytest.mark.parametrize("answer", [1, "yes", [0], None, NotImplemented, Vague()])
def test_comparisons_that_do_not_return_bool(answer):
    """As in Python's dicts, only the truth value of the result matters."""
    problem = Keys(equal=lambda one, other: answer if one.number == other.number else False, length=9)
    if isinstance(answer, Vague):
        with pytest.raises(Boom, match="neither"):
            problem.solve("bfs")
    elif answer in (None, NotImplemented):
        # No stored state is ever found again, not even the states along a plan.
        with pytest.raises(kibitzer.InternalError, match="contradicts itself|reached again"):
            problem.solve("bfs", nodes=2_000)
    else:
        assert problem.solve("bfs").cost == 3


def changed(**functions):
    return type("Changed", (Line,), functions)()


def own(**functions):
    return type("Own", (Problem,), functions)()


#: Values that a function must not return.
WRONG = {
    "moves": [5, None],
    "apply": [[], {}],
    "canonical": [[]],
    "cost": [-1, 1.5, "1", None, 1_000_001, 2**70],
    "guess": [-1, -0.5, float("nan"), "3", [], 10**400, object()],
}


@pytest.mark.parametrize("function, value", [(function, value) for function, values in WRONG.items() for value in values])
@pytest.mark.parametrize("method", ["bfs", "dfs", "ucs", "astar:guess", "idastar:guess", "greedy:guess", "rbfs:guess"])
def test_wrong_types(function, value, method):
    wrong = lambda self, *arguments: value
    if function == "guess":
        method, wrong = method if "guess" in method else "astar:guess", heuristic(admissible=True)(wrong)
    kind = ValueError if function in ("cost", "guess") else TypeError
    with pytest.raises(kind) as caught:
        changed(**{function: wrong}).solve(method)
    assert caught.value.kibitzer_state == 0
    assert not isinstance(caught.value, kibitzer.InternalError)
    assert kind is TypeError or f"`{function}`" in str(caught.value)


@pytest.mark.parametrize("scale", [1.0, 2**31, 2**33, 1e12, 1e300])
@pytest.mark.parametrize("kind", [int, float])
def test_huge_estimates_are_not_proofs(scale, kind):
    """Only None and infinity mean that no goal can be reached. A finite number never does, however large it is."""
    problem = changed(guess=heuristic()(lambda self, state: kind(scale) * (12 - state)))
    for method in ("astar:guess", "greedy:guess", "wastar:guess", "idastar:guess", "rbfs:guess"):
        report = problem.solve(method, nodes=10_000)
        assert report.verdict == "solved" and report.cost == 12, method


@pytest.mark.parametrize("never", [None, float("inf")])
def test_estimates_that_see_no_plan(never):
    problem = changed(guess=heuristic(consistent=True)(lambda self, state: never if state % 2 else 12 - state))
    assert problem.solve("astar:guess").moves == [2] * 6
    sees = heuristic(consistent=True)(lambda self, state: never)
    assert changed(guess=sees, is_goal=lambda self, state: False).solve("astar:guess").verdict == "unsolvable"
    # A wrong claim that no goal can be reached is detected.
    with pytest.raises(kibitzer.InternalError, match="there is a plan of cost 12"):
        changed(guess=sees).solve("astar:guess")


def test_numpy_numbers():
    problem = changed(
        cost=lambda self, state, move: numpy.int64(move),
        is_goal=lambda self, state: numpy.bool_(state == 12),
        guess=heuristic(consistent=True)(lambda self, state: numpy.float64(12 - state)),
    )
    for method in METHODS:
        assert problem.solve(method).cost == 12, method
    assert problem.test() == 13


def odd(states, moves):
    """Returns a path through these states, along which only the last of the moves advances."""

    def apply(self, state, move):
        at = next(at for at, other in enumerate(states) if other == state and type(other) is type(state))
        return states[at + (move == moves[-1])]

    ends = lambda self, state: state == states[-1]
    return own(start=lambda self: states[0], moves=lambda self, state: [] if ends(self, state) else moves, apply=apply, is_goal=ends)


@pytest.mark.parametrize(
    "states",
    [[None, (), frozenset(), "", b"", Ellipsis], [2**64, 2**64 + 1, -(2**200), 10**500], [1.5, "1.5", float("inf"), -1], ["\ud800", "a\0b", "\n", "🂡"], [(None,), ((),), type, len]],
)
@pytest.mark.parametrize("moves", [[None], [[], {}], [(), (None,), "x"], ["\ud800", "\n"], [0.5, 2**100], [b"", bytearray(b"x")]])
def test_states_and_moves_of_every_kind(states, moves):
    problem = odd(states, moves)
    for method in ("bfs", "dfs", "ucs", "iddfs"):
        report = problem.solve(method)
        assert report.moves == [moves[-1]] * (len(states) - 1)
        assert repr(report) and str(report) and report.to_json()
    assert problem.check(problem.solve()).right
    assert "<svg" in problem.puzzle().svg() and problem.solve().film()
    assert problem.explore().states == len(states)


class Named(int):
    """A move that has the same text as every other move."""

    def __str__(self):
        return "step"


@pytest.mark.parametrize("method", ["bfs", "dfs", "ucs", "iddfs"])
def test_moves_with_the_same_text(method):
    """Plans and films contain the right moves, not others with the same text."""
    problem = own(
        start=(),
        moves=lambda self, state: [Named(1), Named(2), Named(3)] if len(state) < 4 else [],
        apply=lambda self, state, move: (*state, int(move)),
        is_goal=lambda self, state: state == (3, 1, 2),
    )
    report = problem.solve(method)
    film = report.film()
    assert report.moves == [3, 1, 2] and "(3, 1, 2)" in film and "(1, 1, 1)" not in film
    with pytest.raises(kibitzer.LawError, match="the same text"):
        problem.test()


def fickle(seed, part):
    """Returns a line in which one function returns random results."""
    choose = random.Random(seed)
    parts = {
        "moves": lambda self, state: [move for move in Line.moves(self, state) if choose.random() < 0.8],
        "apply": lambda self, state, move: min(state + move + (choose.random() < 0.3), 12),
        "is_goal": lambda self, state: state == 12 and choose.random() < 0.5,
        "cost": lambda self, state, move: choose.randrange(5),
        "canonical": lambda self, state: choose.choice([state, min(state + 1, 12)]),
        "guess": heuristic(consistent=True)(lambda self, state: choose.randrange(12)),
    }
    return changed(**{part: parts[part]})


@pytest.mark.parametrize("part", ["moves", "apply", "is_goal", "cost", "canonical", "guess"])
@pytest.mark.parametrize("method", METHODS)
def test_fickle_functions_are_reported(part, method, capfd):
    for seed in range(12):
        try:
            report = fickle(seed, part).solve(method, nodes=5_000)
            # The fault may not be detected, but a solved report has a plan.
            assert report.verdict != "solved" or report.to_dict()["moves"] is not None
        except kibitzer.InternalError as error:
            assert "deterministic" in error.help
        except kibitzer.LawError as error:
            assert "not admissible" in str(error) and part in ("guess", "cost", "apply", "moves")
    # Faults are reported only as exceptions, without a panic message on stderr.
    assert "panicked" not in capfd.readouterr().err


def test_apply_that_changes_the_state():
    def apply(self, state, step):
        state.number += step
        return state

    mutating = type("Mutating", (Keys,), {"apply": apply})
    for method in ("bfs", "dfs", "ucs", "iddfs"):
        with suppress(kibitzer.Error, ValueError):
            mutating().solve(method, nodes=1_000)
    with pytest.raises(kibitzer.LawError, match="changes the state|different state"):
        mutating().test()


def test_required_methods():
    parts = {name: getattr(Line, name) for name in ("start", "moves", "apply", "is_goal", "length")}
    for name in ("start", "moves", "apply", "is_goal"):
        with pytest.raises(NotImplementedError, match=f"`{name}`"):
            own(**{other: part for other, part in parts.items() if other != name}).solve()
    with pytest.raises(kibitzer.Error, match="bidirectional"):
        changed(before=Problem.before).solve()
    with pytest.raises(TypeError, match="unhashable"):
        changed(start=lambda self: [0]).solve()


def test_interrupts_in_user_code():
    """A KeyboardInterrupt in any function is raised as `Interrupted`, with the report so far, and the search can be resumed."""

    def once(function):
        def method(self, *arguments):
            if arguments and arguments[0] == 5 and not self.__dict__.get("done"):
                self.done = True
                raise KeyboardInterrupt
            return getattr(Line, function)(self, *arguments)

        return method

    def generator(self, state):
        if state == 5 and not self.__dict__.get("done"):
            self.done = True
            yield 1
            raise KeyboardInterrupt
        yield from Line.moves(self, state)

    whole = Line().solve("ucs")
    for function, method in [*((name, once(name)) for name in ("moves", "apply", "is_goal", "cost", "canonical")), ("moves", generator)]:
        problem = changed(**{function: method})
        search = problem.search("ucs")
        with pytest.raises(kibitzer.Interrupted) as caught:
            search.run()
        report = caught.value.report
        assert report.verdict == "unknown" and 0 <= report.lower <= 12
        assert search.run().cost == 12
        assert search.report.stats.expanded == whole.stats.expanded


def test_repeated_interrupts():
    with pytest.raises(KeyboardInterrupt):
        raising("moves", KeyboardInterrupt()).solve()


def test_problems_within_problems():
    def moves(self, state):
        assert Line().solve("bfs").cost == 12 and kibitzer.solve("tricolor").cost == 4
        return Line.moves(self, state)

    problem = changed(moves=moves, is_goal=lambda self, state: state == 12 and kibitzer.solve("moles", "01 11").moves == [4])
    for method in ("bfs", "ucs", "dfs", *(method for method in METHODS if "guess" in method)):
        assert problem.solve(method).cost == 12


def test_many_heuristics():
    few = {f"h{at}": heuristic(admissible=True)(lambda self, state: 0) for at in range(7)}
    assert changed(**few).solve("astar:h6").cost == 12
    with pytest.raises(ValueError, match="at most 8"):
        changed(**few, more=heuristic()(lambda self, state: 0)).solve()


def test_no_reference_is_left():
    """After an answer or an exception, no reference to the problem is left."""
    kept = []
    for problem in (Line(), raising("apply", Boom()), raising("is_goal", Boom())):
        kept.append(weakref.ref(problem))
        try:
            problem.solve()
        except Boom as error:
            error.__traceback__ = None
    # The class `Raising` has a reference to the error, which has a reference to its state, but not to the problem.
    del problem
    gc.collect()
    assert [reference() for reference in kept] == [None] * 3, kept
