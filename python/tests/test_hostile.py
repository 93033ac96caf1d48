"""Problems that break the contract: whatever their code does, the interpreter survives, and the exception says what is wrong."""

from __future__ import annotations

import random

import pytest

import kibitzer
from kibitzer import Problem, heuristic
from support import python

METHODS = ["bfs", "dfs", "iddfs", "ucs", "astar:guess", "greedy:guess", "wastar:guess", "idastar:guess", "rbfs:guess", "bidirectional"]


class Line(Problem):
    """From 0 to 12 by steps of 1 and 2, with everything that can be written."""

    length = 12

    def start(self):
        return 0

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
        """What is left"""
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
    """The line with a function that raises at two states, one of which every plan visits; where it has no state, at once."""
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
def test_exceptions_come_back_as_they_are(function, method):
    error = Boom("as it is")
    with pytest.raises(Boom) as caught:
        raising(function, error).solve(method)
    assert caught.value is error
    if function != "goals":
        assert error.kibitzer_state in (5, 6, 10, 11, 12)
        notes = getattr(error, "__notes__", [f"`{function}` {error.kibitzer_state}"])
        assert len(notes) == 1 and f"`{function}`" in notes[0] and str(error.kibitzer_state) in notes[0]
    # The traceback leads to the line that raised it.
    frames = [entry.name for entry in caught.traceback]
    assert "method" in frames


@pytest.mark.parametrize("kind", [SystemExit, GeneratorExit, StopIteration, MemoryError, RecursionError, AssertionError, kibitzer.Error])
def test_exceptions_of_any_kind(kind):
    error = kind("now")
    with pytest.raises(kind) as caught:
        raising("apply", error).solve()
    assert caught.value is error


def test_exceptions_that_take_no_attributes():
    class Closed(Exception):
        __slots__ = ()

        def add_note(self, note):
            raise TypeError("no notes")

        def __setattr__(self, name, value):
            raise TypeError("no attributes")

    error = Closed()
    with pytest.raises(Closed) as caught:
        raising("moves", error).solve()
    assert caught.value is error


def test_everything_asks_through_the_same_net():
    error = Boom()
    problem = raising("apply", error)
    for ask in (problem.explore, problem.trace, problem.compare, lambda: problem.check([1] * 12), problem.puzzle().film, problem.search().run):
        with pytest.raises(Boom) as caught:
            ask()
        assert caught.value is error


def test_a_search_with_an_exception_is_over():
    search = raising("apply", Boom("first")).search("bfs")
    with pytest.raises(Boom, match="first"):
        search.run()
    with pytest.raises(RuntimeError, match="begin a new one"):
        search.run()


class Key:
    """A state whose `==` and `hash` do what they like."""

    def __init__(self, number, equal=None, spread=None):
        self.number, self.equal, self.spread = number, equal, spread

    def __hash__(self):
        return self.spread(self) if self.spread else hash(self.number)

    def __eq__(self, other):
        return self.equal(self, other) if self.equal else self.number == other.number

    def __repr__(self):
        return f"Key({self.number})"


class Keys(Problem):
    """A line of such states, both ways."""

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
def test_comparing_raises(method):
    error = Boom("no comparing")

    def equal(one, other):
        raise error

    problem = Keys(equal=equal, spread=lambda key: 1, length=10**9)
    with pytest.raises(Boom) as caught:
        problem.solve(method, nodes=100_000)
    assert caught.value is error
    # It ends soon, not after all of the states.
    assert problem.asked < 5_000


def test_hashing_raises():
    error = Boom("no hash")

    def spread(key):
        if key.number == 5:
            raise error
        return key.number

    with pytest.raises(Boom) as caught:
        Keys(spread=spread).solve("bfs")
    assert caught.value is error


@pytest.mark.parametrize("answer", [1, "yes", [0], None, NotImplemented])
def test_comparing_gives_no_bool(answer):
    """As in Python's own dicts, what counts is the truth of the answer."""
    same = bool(answer) if answer is not NotImplemented else False
    problem = Keys(equal=lambda one, other: answer if one.number == other.number else False, length=9)
    if same:
        assert problem.solve("bfs").cost == 3
    else:
        # Nothing is ever met again, not even on the way of a plan.
        with pytest.raises(kibitzer.InternalError, match="contradicts itself|reached again"):
            problem.solve("bfs", nodes=2_000)


def test_comparing_gives_what_has_no_truth():
    class Vague:
        def __bool__(self):
            raise Boom("neither")

    with pytest.raises(Boom, match="neither"):
        Keys(equal=lambda one, other: Vague()).solve("bfs")


def changed(**functions):
    return type("Changed", (Line,), functions)()


WRONG = [
    ("moves", lambda self, state: 5, TypeError),
    ("moves", lambda self, state: None, TypeError),
    ("apply", lambda self, state, move: [state], TypeError),
    ("apply", lambda self, state, move: {}, TypeError),
    ("canonical", lambda self, state: [state], TypeError),
    ("cost", lambda self, state, move: -1, ValueError),
    ("cost", lambda self, state, move: 1.5, ValueError),
    ("cost", lambda self, state, move: "1", ValueError),
    ("cost", lambda self, state, move: None, ValueError),
    ("cost", lambda self, state, move: 1_000_001, ValueError),
    ("cost", lambda self, state, move: 2**70, ValueError),
]


@pytest.mark.parametrize("function, wrong, kind", WRONG)
@pytest.mark.parametrize("method", ["bfs", "dfs", "ucs", "astar:guess", "idastar:guess"])
def test_wrong_types(function, wrong, kind, method):
    with pytest.raises(kind) as caught:
        changed(**{function: wrong}).solve(method)
    assert caught.value.kibitzer_state == 0
    assert not isinstance(caught.value, kibitzer.InternalError)
    if kind is ValueError:
        assert f"`{function}`" in str(caught.value)


@pytest.mark.parametrize("value", [-1, -0.5, float("nan"), "3", [], 10**400, object()])
@pytest.mark.parametrize("method", ["astar:guess", "greedy:guess", "idastar:guess", "rbfs:guess"])
def test_wrong_estimates(value, method):
    test_wrong_types("guess", heuristic(admissible=True)(lambda self, state: value), ValueError, method)


@pytest.mark.parametrize("scale", [1.0, 2**31, 2**33, 1e12, 1e300])
@pytest.mark.parametrize("kind", [int, float])
def test_huge_estimates_are_no_proof(scale, kind):
    """Only None and infinity say that there is no way; a number, however large, does not."""
    problem = changed(guess=heuristic()(lambda self, state: kind(scale) * (12 - state)))
    for method in ("astar:guess", "greedy:guess", "wastar:guess", "idastar:guess", "rbfs:guess"):
        report = problem.solve(method, nodes=10_000)
        assert report.verdict == "solved" and report.cost == 12, method


@pytest.mark.parametrize("never", [None, float("inf")])
def test_estimates_that_see_no_way(never):
    problem = changed(guess=heuristic(consistent=True)(lambda self, state: never if state % 2 else 12 - state))
    assert problem.solve("astar:guess").moves == [2] * 6
    sees = heuristic(consistent=True)(lambda self, state: never)
    assert changed(guess=sees, is_goal=lambda self, state: False).solve("astar:guess").verdict == "unsolvable"
    # One that is wrong about it is found out.
    with pytest.raises(kibitzer.InternalError, match="there is a plan of cost 12"):
        changed(guess=sees).solve("astar:guess")


def test_numbers_of_numpy():
    numpy = pytest.importorskip("numpy")
    problem = changed(
        cost=lambda self, state, move: numpy.int64(move),
        is_goal=lambda self, state: numpy.bool_(state == 12),
        guess=heuristic(consistent=True)(lambda self, state: numpy.float64(12 - state)),
    )
    for method in METHODS:
        assert problem.solve(method).cost == 12, method
    assert problem.test() == 13


class Odd(Problem):
    """States and moves of every kind."""

    def __init__(self, states, moves):
        self.states, self.steps = states, moves

    def start(self):
        return self.states[0]

    def moves(self, state):
        return self.steps if state != self.states[-1] else []

    def apply(self, state, move):
        at = next(at for at, other in enumerate(self.states) if other == state and type(other) is type(state))
        return self.states[at + (move == self.steps[-1])]

    def is_goal(self, state):
        return state == self.states[-1]


@pytest.mark.parametrize(
    "states",
    [[None, (), frozenset(), "", b"", Ellipsis], [2**64, 2**64 + 1, -(2**200), 10**500], [1.5, "1.5", float("inf"), -1], ["\ud800", "a\0b", "\n", "🂡"], [(None,), ((),), type, len]],
)
@pytest.mark.parametrize("moves", [[None], [[], {}], [(), (None,), "x"], ["\ud800", "\n"], [0.5, 2**100], [b"", bytearray(b"x")]])
def test_states_and_moves_of_every_kind(states, moves):
    problem = Odd(states, moves)
    for method in ("bfs", "dfs", "ucs", "iddfs"):
        report = problem.solve(method)
        assert report.moves == [moves[-1]] * (len(states) - 1)
        assert repr(report) and str(report) and report.to_json()
    assert problem.check(problem.solve()).right
    assert "<svg" in problem.puzzle().svg() and problem.solve().film()
    assert problem.explore().states == len(states)


class Named:
    """A move that is written like others."""

    def __init__(self, number):
        self.number = number

    def __str__(self):
        return "step"


class Same(Problem):
    def __init__(self):
        self.steps = [Named(1), Named(2), Named(3)]

    def start(self):
        return ()

    def moves(self, state):
        return self.steps if len(state) < 4 else []

    def apply(self, state, move):
        return (*state, move.number)

    def is_goal(self, state):
        return state == (3, 1, 2)


@pytest.mark.parametrize("method", ["bfs", "dfs", "ucs", "iddfs"])
def test_moves_that_are_written_the_same(method):
    """Either the moves of the plan, or an error that says what is wrong; never other moves."""
    try:
        report = Same().solve(method)
        numbers = [move.number for move in report.moves]
    except kibitzer.Error as error:
        assert "step" in error.message
    else:
        assert numbers == [3, 1, 2]
        film = report.film()
        assert "(3, 1, 2)" in film and "(1, 1, 1)" not in film
    with pytest.raises(kibitzer.LawError, match="written the same"):
        Same().test()


def test_moves_that_are_changed():
    class Changing(Line):
        def moves(self, state):
            return [[step] for step in Line.moves(self, state)]

        def cost(self, state, move):
            return move[0]

        def apply(self, state, move):
            move.append("used")
            return state + move[0]

    try:
        report = Changing().solve("ucs")
    except kibitzer.InternalError as error:
        assert "test()" in error.help
    else:
        assert [move[0] for move in report.moves] and report.cost == 12


class Fickle(Line):
    """Says something else every time."""

    def __init__(self, seed, part):
        self.choose, self.part = random.Random(seed), part

    def moves(self, state):
        moves = Line.moves(self, state)
        return [move for move in moves if self.choose.random() < 0.8] if self.part == "moves" else moves

    def apply(self, state, move):
        return min(state + move + (self.choose.random() < 0.3 if self.part == "apply" else 0), 12)

    def is_goal(self, state):
        return state == 12 and (self.part != "is_goal" or self.choose.random() < 0.5)

    def cost(self, state, move):
        return self.choose.randrange(5) if self.part == "cost" else move

    def canonical(self, state):
        return self.choose.choice([state, min(state + 1, 12)]) if self.part == "canonical" else state

    @heuristic(consistent=True)
    def guess(self, state):
        return self.choose.randrange(12) if self.part == "guess" else 12 - state


@pytest.mark.parametrize("part", ["moves", "apply", "is_goal", "cost", "canonical", "guess"])
@pytest.mark.parametrize("method", METHODS)
def test_fickle_functions_are_reported(part, method, capfd):
    for seed in range(12):
        problem = Fickle(seed, part)
        try:
            report = problem.solve(method, nodes=5_000)
            # It may well go unnoticed, but a plan is a plan.
            assert report.verdict != "solved" or report.to_dict()["moves"] is not None
        except kibitzer.InternalError as error:
            assert "deterministic" in error.help
        except kibitzer.LawError as error:
            assert "not admissible" in str(error) and part in ("guess", "cost", "apply", "moves")
    # And nothing is said but by exceptions.
    assert "panicked" not in capfd.readouterr().err


class Cell:
    """A state that can be changed."""

    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return hash(self.value)

    def __eq__(self, other):
        return self.value == other.value


class Mutating(Problem):
    """The line of such states, whose `apply` changes the state that it is given."""

    def start(self):
        return Cell(0)

    def moves(self, state):
        return [1, 2] if state.value < 12 else []

    def apply(self, state, move):
        state.value += move
        return state

    def is_goal(self, state):
        return state.value == 12


@pytest.mark.parametrize("method", ["bfs", "dfs", "ucs", "iddfs"])
def test_a_state_that_is_changed(method):
    try:
        Mutating().solve(method, nodes=1_000)
    except (kibitzer.Error, ValueError):
        pass
    with pytest.raises(kibitzer.LawError, match="changes the state|another state"):
        Mutating().test()


def test_what_must_be_written():
    class Nothing(Problem):
        pass

    with pytest.raises(NotImplementedError, match="start"):
        Nothing().solve()
    for name in ("moves", "apply", "is_goal"):
        functions = {other: getattr(Line, other) for other in ("start", "moves", "apply", "is_goal") if other != name}
        with pytest.raises(NotImplementedError, match=f"`{name}`"):
            type("Partly", (Problem,), {**functions, "length": 3})().solve()
    half = type("Half", (Line,), {"before": Problem.before})()
    with pytest.raises(kibitzer.Error, match="both ends"):
        half.solve()


def test_unhashable_start():
    with pytest.raises(TypeError, match="unhashable"):
        changed(start=lambda self: [0]).solve()


def test_interrupts_in_user_code():
    """A KeyboardInterrupt in any function, as Ctrl-C raises it there, gives the report so far; the search can be resumed."""

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


def test_interrupts_that_do_not_end():
    def always(self, state):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        changed(moves=always).solve()


def test_problems_within_problems():
    class Outer(Line):
        def moves(self, state):
            assert Line().solve("bfs").cost == 12
            assert kibitzer.solve("tricolor").cost == 4
            return Line.moves(self, state)

        def is_goal(self, state):
            return state == 12 and kibitzer.Puzzle("moles", "01 11").solve().moves == [4]

    for method in METHODS:
        if "guess" in method or method in ("bfs", "ucs", "dfs"):
            assert Outer().solve(method).cost == 12


def test_the_same_search_within_itself():
    class Inside(Line):
        def moves(self, state):
            if state == 3:
                self.search_.run()
            return Line.moves(self, state)

    problem = Inside()
    problem.search_ = problem.search("bfs")
    with pytest.raises(RuntimeError, match="already"):
        problem.search_.run()


def test_many_heuristics():
    few = {f"h{at}": heuristic(admissible=True)(lambda self, state: 0) for at in range(7)}
    assert changed(**few).solve("astar:h6").cost == 12
    with pytest.raises(ValueError, match="at most 8"):
        changed(**few, more=heuristic()(lambda self, state: 0)).solve()


def test_no_reference_is_left():
    """After an exception, and after an answer, nothing is kept of a problem."""
    python(
        """
        import gc, weakref
        from test_hostile import Boom, Line, raising
        kept = []
        for problem in (Line(), raising("apply", Boom()), raising("is_goal", Boom())):
            kept.append(weakref.ref(problem))
            try:
                problem.solve()
            except Boom as error:
                assert error.kibitzer_state in (5, 6)
                error.__traceback__ = None
            del problem
        # The class `Raising` keeps the error, and that its state; not the problem.
        gc.collect()
        assert [reference() for reference in kept] == [None] * 3, kept
        """
    )


def test_layers_that_do_not_grow():
    """A walk that forgets layers would go round and round; it must not give a wrong count, either."""
    from test_problem import Jugs

    class Flat(Jugs):
        def layer(self, state):
            return 0

    expected = Jugs((3, 5), 4).explore().states
    try:
        found = Flat((3, 5), 4).explore(nodes=5_000)
    except ValueError as error:
        assert "layer" in str(error)
    else:
        assert found.complete and found.states == expected
