"""Compares every method with textbook solvers, on problems written in Python."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from kibitzer import Problem, heuristic
from support import breadth_first, least_cost, levels, replayed
from test_hostile import Line, changed


class Jugs(Problem[Any, Any]):
    def __init__(self, sizes: tuple[int, ...], target: int) -> None:
        self.sizes, self.target = sizes, target

    def start(self):
        return (0,) * len(self.sizes)

    def moves(self, state):
        jugs = range(len(state))
        yield from (("fill", jug) for jug in jugs)
        yield from (("empty", jug) for jug in jugs)
        yield from (("pour", one, other) for one in jugs for other in jugs if one != other)

    def apply(self, state, move):
        jugs, jug = list(state), move[1]
        if move[0] == "fill":
            jugs[jug] = self.sizes[jug]
        elif move[0] == "empty":
            jugs[jug] = 0
        else:
            amount = min(jugs[jug], self.sizes[move[2]] - jugs[move[2]])
            jugs[jug], jugs[move[2]] = jugs[jug] - amount, jugs[move[2]] + amount
        return tuple(jugs)

    def is_goal(self, state):
        return self.target in state


class PricedJugs(Jugs):
    """Jugs in which filling a jug costs the amount of water, and other moves are free."""

    def cost(self, state, move):
        return self.sizes[move[1]] - state[move[1]] if move[0] == "fill" else 0


class Graph(Problem[Any, Any]):
    """A directed graph with prices, as a dict of (vertex, vertex): price."""

    start = 0

    def __init__(self, edges, goals, prices=True) -> None:
        self.edges, self.ends = edges if prices else dict.fromkeys(edges, 1), frozenset(goals)

    def moves(self, vertex):
        return [other for one, other in self.edges if one == vertex]

    def apply(self, vertex, other):
        return other

    def cost(self, vertex, other):
        return self.edges[vertex, other]

    def is_goal(self, vertex):
        return vertex in self.ends

    def goals(self):
        return self.ends

    def before(self, vertex):
        return [(one, price) for (one, other), price in self.edges.items() if other == vertex]

    @heuristic(admissible=True)
    def half(self, vertex):
        """Half of the true cost, from a search"""
        true = self.true(vertex)
        return None if true is None else true // 2

    @heuristic(consistent=True)
    def true(self, vertex):
        """The true cost"""
        return least_cost(self, vertex)

    @heuristic
    def wild(self, vertex):
        """Exceeds the true cost at almost all vertices"""
        true = self.true(vertex)
        return None if true is None else 2.5 * true + vertex


class Folded(Problem[Any, Any]):
    """Two counters, whose order does not matter."""

    start = (0, 0)

    def __init__(self, target, both=True) -> None:
        self.target, self.both = target, both

    def moves(self, state):
        return [(at, step) for at in (0, 1) for step in (1, 3) if state[at] + step <= 12]

    def apply(self, state, move):
        at, step = move
        return tuple(count + step * (place == at) for place, count in enumerate(state))

    def is_goal(self, state):
        return tuple(sorted(state)) == self.target

    def canonical(self, state):
        return tuple(sorted(state))

    def layer(self, state):
        return sum(state)

    @heuristic(consistent=True)
    def thirds(self, state):
        """The number of steps of size 3 still needed, not rounded"""
        return max(sum(self.target) - sum(state), 0) / 3

    def goals(self):
        return [self.target, self.target[::-1]] if self.both else [self.target]

    def before(self, state):
        return [tuple(n - step * (place == at) for place, n in enumerate(state)) for at in (0, 1) for step in (1, 3) if state[at] >= step]


def names(problem):
    return [method["name"] for method in problem.methods()]


def sound(problem, report, least):
    """Checks a report against the least cost, which is None if there is no plan."""
    if report.verdict == "unknown":
        assert report.limit == "nodes"
        assert report.method.split(":")[0] in ("iddfs", "idastar", "rbfs"), f"{report.method} stores states but did not finish"
        assert report.lower is not None and (least is None or report.lower <= least)
    elif least is None:
        assert report.verdict == "unsolvable" and report.moves == [], report.method
    else:
        assert report.verdict == "solved", report.method
        cost, end = replayed(problem, report.moves)
        assert problem.is_goal(end) and cost == report.cost >= least
        assert not report.optimal or cost == least, report.method


@pytest.mark.parametrize("problem", [Jugs((3, 5), 4), Jugs((2, 4), 3), Jugs((5, 7, 11), 6)])
def test_bfs_counts_like_the_textbook(problem):
    report = problem.solve("bfs")
    assert (report.cost, report.stats.expanded, report.stats.generated) == breadth_first(problem)


@pytest.mark.parametrize("problem", [Jugs((3, 5), 4), Jugs((2, 6, 9), 5)])
def test_explore_counts_layers(problem):
    found = problem.explore()
    expected = levels(problem)
    assert found.complete
    assert [row["states"] for row in found.layers] == [len(level) for level in expected]
    assert [row["goals"] for row in found.layers] == [sum(map(problem.is_goal, level)) for level in expected]
    assert found.states == sum(map(len, expected))


prices = st.one_of(st.integers(0, 9), st.sampled_from([0, 1_000_000]))
edges = st.dictionaries(st.tuples(st.integers(0, 7), st.integers(0, 7)), prices, min_size=1, max_size=24)


def agrees_with_dijkstra(problem, nodes=50_000):
    """Checks every method against the least cost. Methods that store no states may run forever if there is no plan."""
    least = least_cost(problem)
    for method in problem.methods():
        report = problem.solve(method["name"], nodes=nodes)
        sound(problem, report, least)
        assert report.stats.expanded <= nodes
        assert not report.solved or report.optimal or not method["optimal"], report.method


FOLDED = [Folded(target, both) for target in [(0, 0), (1, 5), (4, 4), (2, 11), (12, 12)] for both in (True, False)]


@pytest.mark.parametrize("problem", [Jugs((3, 5), 4), Jugs((2, 4), 3), PricedJugs((3, 5), 4), PricedJugs((2, 4), 3), *FOLDED])
def test_every_method_agrees_with_dijkstra(problem):
    agrees_with_dijkstra(problem)
    assert problem.check(problem.solve()).right


@settings(max_examples=250)
@given(edges, st.sets(st.integers(0, 7), max_size=3), st.booleans())
def test_random_graphs(edges, goals, prices):
    agrees_with_dijkstra(Graph(edges, goals, prices))


def test_layers_that_do_not_grow():
    """On these problems, a search that discarded earlier layers would run in circles or count wrongly."""
    flat = Jugs((3, 5), 4)
    flat.layer = lambda state: 0
    with pytest.raises(ValueError, match="layer"):
        flat.explore(nodes=5_000)


def test_symmetry_counts():
    explored = Folded((12, 12)).explore()
    # The number of states without merging symmetric ones is either exact or None.
    assert explored.states == 13 * 14 // 2 and explored.without_symmetry in (None, 13 * 13)


@pytest.mark.parametrize("method", ["bfs", "dfs", "ucs", "astar:guess", "idastar:guess", "rbfs:guess", "greedy:guess"])
def test_deep(method):
    problem = changed(length=5_000)
    report = problem.solve(method)
    assert report.cost == sum(report.moves) == 5_000
    assert problem.check(report).right


def test_attributes_of_the_object():
    """The start may be an attribute, and a function set on the object works like a method of the class."""
    assert changed(start=10).solve("bfs").moves == [2]
    problem = Line()
    problem.cost = lambda state, move: 7
    assert problem.solve("ucs").cost == 42


def test_memory_is_counted():
    wide = {"moves": lambda self, state: range(1, 60), "apply": lambda self, state, move: state * 61 + move, "is_goal": lambda self, state: False}
    problem = changed(**wide)
    for method in ("bfs", "ucs"):
        report = problem.solve(method, memory="8M", nodes=2_000_000)
        assert (report.verdict, report.limit) == ("unknown", "memory")
        # Each state takes more than 50 bytes, so more states would far exceed the limit.
        assert report.stats.stored < 600_000


def test_trace_and_compare_of_own_problems():
    problem = Folded((2, 5))
    for method in names(problem):
        trace = problem.trace(method, states=True, nodes=5_000)
        report = problem.solve(method, nodes=5_000)
        assert len(trace) == trace.report.stats.expanded == report.stats.expanded
        assert trace.report.verdict == report.verdict
        assert trace[0]["state"].strip() == "(0, 0)"
        assert [line["n"] for line in trace] == list(range(1, len(trace) + 1))
    table = problem.compare()
    assert [row["method"] for row in table] == names(problem)
    least = least_cost(problem)
    for row in table:
        assert row["cost"] == least or not row["optimal"]


class Tiles(Problem[Any, Any]):
    """Sliding tiles in rows of `columns`; 0 is the blank. The subclass chooses the patterns."""

    def __init__(self, start: tuple[int, ...], columns: int, groups: list[list[int]], by_tile: bool = False) -> None:
        self.start, self.columns, self.groups, self.by_tile = start, columns, groups, by_tile

    def moves(self, board):
        blank, width = board.index(0), self.columns
        return [at for at in range(len(board)) if abs(at // width - blank // width) + abs(at % width - blank % width) == 1]

    def apply(self, board, at):
        after = list(board)
        after[board.index(0)], after[at] = board[at], 0
        return tuple(after)

    def cost(self, board, at):
        return board[at] if self.by_tile else 1

    def is_goal(self, board):
        return board == (*range(1, len(board)), 0)


class Largest(Tiles):
    def project(self, board):
        return [tuple(tile if tile in (0, *group) else -1 for tile in board) for group in self.groups]


class Added(Tiles):
    additive = True

    def project(self, board):
        return tuple(tuple(map(board.index, group)) for group in self.groups)


class Single(Tiles):
    def project(self, board):
        return tuple(tile if tile < 4 else -1 for tile in board)


@pytest.mark.parametrize("kind", [Largest, Added, Single])
@pytest.mark.parametrize("by_tile", [False, True])
def test_a_projection_provides_an_admissible_heuristic(kind, by_tile):
    for start in [(4, 1, 2, 5, 3, 0), (5, 4, 3, 2, 1, 0), (0, 5, 4, 3, 2, 1)]:
        problem = kind(start, 3, [[1, 2, 3], [4, 5]], by_tile)
        problem.test(walks=3, states=500)
        plain, guided = problem.solve("ucs"), problem.solve("astar:pattern")
        assert (plain.verdict, plain.cost) == (guided.verdict, guided.cost)
        if plain.solved:
            assert guided.optimal and guided.stats.expanded < plain.stats.expanded
            assert problem.solve("idastar:pattern").cost == plain.cost
            # The estimate of the start is the first lower bound: compare it with a search of the patterns alone.
            parts = [least_pattern_cost(problem, at) for at in range(len(as_list(problem)))]
            search = problem.search("astar:pattern")
            search.run(nodes=0)
            assert search.look()["lower"] == (sum(parts) if kind is Added else max(parts))


def as_list(problem: Any, board: Any = None) -> list[Any]:
    found = problem.project(problem.start if board is None else board)
    return list(found) if isinstance(found, list) or problem.additive else [found]


def least_pattern_cost(problem: Any, at: int) -> int:
    """Computes the least cost of a path from the start's pattern to the goal's pattern. Moves that do not change the pattern are free, and
    the search may continue from any board with the same pattern."""
    boards, seen = [problem.start], {problem.start}
    for board in boards:
        for move in problem.moves(board):
            after = problem.apply(board, move)
            if after not in seen:
                seen.add(after)
                boards.append(after)
    costs: dict[Any, float] = {as_list(problem, board)[at]: float("inf") for board in boards}
    for board in boards:
        if problem.is_goal(board):
            costs[as_list(problem, board)[at]] = 0
    steps = set()
    for board in boards:
        for move in problem.moves(board):
            one, other = (as_list(problem, where)[at] for where in (board, problem.apply(board, move)))
            steps.add((one, other, problem.cost(board, move)))
    changed = True
    while changed:
        changed = False
        for one, other, price in steps:
            if costs[other] + price < costs[one]:
                costs[one], changed = costs[other] + price, True
    return int(costs[as_list(problem)[at]])


def test_wrong_projections_are_reported():
    class Both(Added):
        def project(self, board):
            return [board.index(0), board.index(1)]

    class Uneven(Added):
        def project(self, board):
            return [0] * (1 + board.index(0) % 2)

    class Unhashable(Tiles):
        def project(self, board):
            return [list(board)]

    start = (1, 2, 3, 4, 0, 5)
    for kind, error in [(Both, ValueError), (Uneven, ValueError), (Unhashable, TypeError)]:
        with pytest.raises(error):
            kind(start, 3, []).solve("astar:pattern")
        with pytest.raises((AssertionError, TypeError)):
            kind(start, 3, []).test(walks=2)

    class Named(Added):
        @heuristic(admissible=True)
        def pattern(self, board):
            return 0

    with pytest.raises(ValueError, match="pattern"):
        Named(start, 3, [[1]]).solve()


def test_building_a_pattern_database_respects_the_limits():
    problem = Added((8, 7, 6, 5, 4, 3, 2, 1, 0), 3, [[1, 2, 3, 4], [5, 6, 7, 8]])
    assert problem.solve("astar:pattern", memory=100_000).limit == "memory"
    assert problem.solve("astar:pattern", time=0.05).limit == "time"
