"""Compares two-player games written in Python with a plain negamax and with theorems."""

from __future__ import annotations

import functools
import operator
from contextlib import suppress
from functools import lru_cache

import pytest
from hypothesis import given, settings, strategies as st

import kibitzer
from kibitzer import Game


class Nim(Game):
    def __init__(self, *heaps):
        self.heaps = heaps

    def start(self):
        return self.heaps

    def moves(self, heaps):
        return [(heap, take) for heap, count in enumerate(heaps) for take in range(1, count + 1)]

    def apply(self, heaps, move):
        heap, take = move
        return (*heaps[:heap], heaps[heap] - take, *heaps[heap + 1 :])


class SortedNim(Nim):
    def canonical(self, heaps):
        return tuple(sorted(heaps))

    def layer(self, heaps):
        return -sum(heaps) + 10**6


def changed(kind, *arguments, **functions):
    """Returns an instance of a class in which some functions are replaced."""
    return type("Changed", (kind,), functions)(*arguments)


def counting(start, moves, apply):
    """Returns a game whose positions are numbers."""
    return changed(Game, start=lambda self: start, moves=lambda self, state: moves(state), apply=lambda self, state, move: apply(state, move))


def subtraction(count, takes):
    return counting(count, lambda left: [take for take in takes if take <= left], operator.sub)


def negamax(game):
    """Computes the outcome for the player to move (1, 0 or -1) from the definition."""

    @lru_cache(maxsize=None)
    def value(state):
        ended = game.terminal(state)
        if ended is not None:
            return {"win": 1, "draw": 0, "loss": -1}[ended]
        return max((-value(game.apply(state, move)) for move in game.moves(state)), default=-1)

    return value


def grundy(game):
    @lru_cache(maxsize=None)
    def value(state):
        reached = {value(game.apply(state, move)) for move in game.moves(state)}
        return next(number for number in range(len(reached) + 1) if number not in reached)

    return value


def agrees(game, report, state=None):
    state, value = game.start() if state is None else state, negamax(game)
    here, turn = value(state), report.puzzle.turn
    assert report.verdict == "solved"
    assert report.outcome == {1: "N", 0: "D", -1: "P"}[here]
    assert report.winner == {1: turn, 0: None, -1: 3 - turn}[here]
    lost = here < 0 or game.terminal(state) is not None
    best = [] if lost else [move for move in game.moves(state) if -value(game.apply(state, move)) == here]
    if report.all_best:
        assert report.best == best
    else:
        assert set(map(str, report.best)) <= set(map(str, best)) and (report.best or not best)


#: Methods that search the game tree, which may be much larger than the number of positions.
TREE = {"minimax", "alphabeta", "alphabeta-table", "scout", "pns", "dfpn"}


def answer(game, method):
    """The report; None if a method that searches the tree needs too many visits."""
    report = game.solve(method, nodes=1000 if method in TREE else None)
    assert report.solved or method in TREE
    return report if report.solved else None


def test_the_order_of_moves_and_comparison():
    game = Nim(2, 2, 1)
    rows = {row["method"]: row for row in game.compare(order="none")}
    assert TREE < set(rows) and all(rows[method]["winner"] == 1 for method in rows)
    assert rows["minimax"]["length"] == rows["induction"]["length"] and rows["minimax"]["cutoffs"] == 0
    assert rows["alphabeta"]["expanded"] < rows["minimax"]["expanded"]
    assert rows["dfpn"]["table"] and rows["winner"]["table"] is None
    report = game.solve("alphabeta", order="history")
    assert report.outcome == "N" and report.stats.cutoffs and report.stats.table is None
    stopped = game.solve("minimax", nodes=5)
    assert stopped.verdict == "unknown" and stopped.at_most is None
    assert game.search("scout", order="none").run().outcome == "N"
    for method, order in (("winner", "none"), ("pns", "history"), ("minimax", "best"), (None, "game")):
        with pytest.raises(kibitzer.Error, match="order"):
            game.solve(method, order=order)
    with pytest.raises(kibitzer.Error, match="order"):
        game.compare(["alphabeta", "winner"], order="none")


@pytest.mark.parametrize("kind", [Nim, SortedNim])
@pytest.mark.parametrize("heaps", [(), (0,), (1,), (3, 4, 5), (1, 2, 3), (2, 2, 5, 5), (7, 1, 6), (1, 1, 1, 1, 2), (15, 9)])
def test_nim_is_xor(kind, heaps):
    game = kind(*heaps)
    xor = functools.reduce(operator.xor, heaps, 0)
    for method in (row["name"] for row in game.methods()):
        report = answer(game, method)
        if report is None:
            continue
        assert report.winner == (1 if xor else 2), method
        assert report.grundy in (xor, None) and (report.grundy == xor or method in {"winner", "retrograde"} or method in TREE)
        agrees(game, report)
        assert game.check(report).right
        assert not game.check({"winner": 2 if xor else 1})


def test_play_and_labels():
    puzzle = Nim(1, 2).puzzle()
    assert puzzle.moves() == [(0, 1), (1, 1), (1, 2)] and puzzle.players == 2 and puzzle.turn == 1
    after = puzzle.play((1, 1))
    assert (after.turn, after.state, after.played) == (2, (1, 1), [(1, 1)])
    assert after.solve().winner == 1 and puzzle.solve().winner == 1
    assert after.play((0, 1), (1, 1)).is_goal()
    assert [(row["outcome"], row["grundy"]) for row in puzzle.labels()] == [("loss", 2), ("win", 0), ("loss", 1)]
    with pytest.raises(kibitzer.Error, match="not legal"):
        puzzle.play((0, 2))


def reachable(game, canonical):
    """Finds all reachable positions from the definition. There are no moves after the end of the game."""
    queue = [canonical(game.start())]
    for state in queue:
        moves = game.moves(state) if game.terminal(state) is None else []
        queue += {canonical(game.apply(state, move)) for move in moves} - set(queue)
    return queue


@pytest.mark.parametrize("game", [Nim(2, 3), SortedNim(2, 3), subtraction(9, (1, 3, 4))], ids=["nim", "sorted", "subtraction"])
@pytest.mark.parametrize("fold", [True, False])
def test_graph(game, fold):
    graph = game.graph(fold=fold).to_networkx()
    canonical = game.canonical if fold else lambda state: state
    queue = reachable(game, canonical)
    states, value = {str(state): state for state in queue}, grundy(game)
    assert {data["board"] for _, data in graph.nodes(data=True)} == set(states)
    for _, data in graph.nodes(data=True):
        number = value(states[data["board"]])
        assert data["grundy"] == number and data["outcome"] == ("N" if number else "P")
    assert game.explore().states == len({game.canonical(state) for state in queue})


acyclic = st.integers(1, 9).flatmap(
    lambda size: st.tuples(
        st.just(size),
        st.lists(st.tuples(st.integers(0, size), st.integers(1, 4)), max_size=25),
        st.dictionaries(st.integers(0, size), st.sampled_from(["win", "draw", "loss"]), max_size=4),
    )
)


class Random(Game):
    """Any acyclic graph, with terminal positions of any kind."""

    def __init__(self, size, arcs, ends, layered):
        self.arcs = {tail: sorted({step for other, step in arcs if other == tail and tail + step <= size}) for tail, _ in arcs}
        self.ends = ends
        self.impartial = not ends
        if layered:
            self.layer = lambda state: state

    def start(self):
        return 0

    def moves(self, state):
        return self.arcs.get(state, [])

    def apply(self, state, step):
        return state + step

    def terminal(self, state):
        return self.ends.get(state)


@settings(max_examples=120)
@given(acyclic, st.booleans())
def test_random_games(drawn, layered):
    game = Random(*drawn, layered)
    for method in (row["name"] for row in game.methods()):
        report = answer(game, method)
        if report is None:
            continue
        agrees(game, report)
        if report.grundy is not None:
            assert not game.ends and report.grundy == grundy(game)(0)
    report = game.solve()
    assert game.check(report).right and not game.check({"outcome": "N" if report.outcome != "N" else "P"})
    assert game.explore().states == len(reachable(game, lambda state: state))
    value, over = negamax(game), game.terminal(0) is not None
    outcomes = [{1: "loss", 0: "draw", -1: "win"}[value(step)] for step in ([] if over else game.moves(0))]
    assert [row["outcome"] for row in game.labels()] == outcomes


@pytest.mark.parametrize("ask", [None, "graph", "labels", "explore", "induction", "winner", "grundy"])
def test_positions_that_repeat(ask, capfd):
    game = counting(0, lambda state: [1, 2], lambda state, step: (state + step) % 7)
    with pytest.raises(kibitzer.Error, match="repeats") as caught:
        if ask in ("graph", "labels", "explore"):
            getattr(game, ask)()
        else:
            # The limits matter only if the search runs in circles.
            game.solve(ask, time=20, memory="1G")
    assert caught.value.help and not isinstance(caught.value, kibitzer.LimitError)
    assert "panicked" not in capfd.readouterr().err


def test_games_in_which_positions_can_repeat():
    # From 0, a move to 2 loses to the move to 3, where the game is over, and a move to 1 repeats.
    game = counting(0, lambda state: {0: [1, 2], 1: [0], 2: [3], 3: []}[state], lambda state, step: step)
    game.repeats = True
    report = game.solve()
    assert (report.outcome, report.winner, report.length, report.best, report.verified) == ("D", None, None, [1], True)
    assert game.check(report).right and not game.check({"outcome": "D", "length": 3})
    assert [(row["outcome"], row["length"]) for row in game.labels()] == [("draw", None), ("loss", 1)]
    assert game.explore().states == 4 and len(game.graph().nodes) == 4 and game.test() > 2
    with pytest.raises(kibitzer.Error, match="retrograde|repeat"):
        game.solve("winner")


def test_a_position_that_repeats_late():
    late = changed(
        Nim, 2, 2,
        moves=lambda self, heaps: [*Nim.moves(self, heaps), *["again"] * (heaps == (1, 1))],
        apply=lambda self, heaps, move: (2, 1) if move == "again" else Nim.apply(self, heaps, move),
    )  # fmt: skip
    with pytest.raises(kibitzer.Error, match="repeats"):
        late.solve("grundy", time=20)


WITHOUT_END = [
    *(("solve", limits) for limits in ({"time": 1}, {"method": "induction", "time": 1}, {"method": "induction", "nodes": 100}, {"method": "induction", "memory": "20M"})),
    *((ask, {"time": 1}) for ask in ("explore", "graph", "labels")),
    ("graph", {"most": 100}),
]  # fmt: skip


@pytest.mark.parametrize("ask, limits", WITHOUT_END, ids=repr)
def test_limits_on_endless_games(ask, limits):
    game = counting(0, lambda state: [1, 2], operator.add)
    with suppress(kibitzer.Error):
        found = getattr(game, ask)(**limits)
        assert getattr(found, "complete", False) is False and getattr(found, "verdict", "unknown") == "unknown"


def test_exceptions_are_raised_unchanged():
    for name in ("moves", "apply", "terminal", "canonical", "layer"):
        error = LookupError(name)

        def raising(self, *arguments, error=error):
            raise error

        game = changed(SortedNim, 1, 2, **{name: raising})
        for method in ("auto", "winner", "grundy", "induction"):
            # Only some methods use layers, and a game with `terminal` has no Grundy values.
            if (name == "layer" and method != "induction") or (name == "terminal" and method == "grundy"):
                continue
            with pytest.raises(LookupError) as caught:
                game.solve(method)
            assert caught.value is error and error.kibitzer_state == (1, 2)


def test_invalid_results_of_terminal():
    with pytest.raises(ValueError, match="terminal.*lost"):
        changed(Nim, 1, terminal=lambda self, heaps: "lost").solve()
    with pytest.raises(kibitzer.Error, match="impartial"):
        changed(Nim, 1, 2, impartial=True, terminal=lambda self, heaps: None if any(heaps) else "draw").solve()


def test_deep_games():
    game = subtraction(4_000, (1, 2))
    for method in ("auto", "winner", "grundy", "induction"):
        assert game.solve(method).winner == 1
