"""Your own games, in Python.

Write a subclass of :class:`Problem` (one player) or :class:`Game` (two players) with a few methods. A state is any hashable
value, and a move is any value. All methods, limits, reports, traces and comparisons work with such a game, and :meth:`Problem.test` tests
the laws that searches rely on.
"""

from __future__ import annotations

import numbers
import random
from collections.abc import Callable, Hashable, Iterable, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast, overload

from ._errors import Error
from ._shown import shortened
from ._solvable import Solvable

if TYPE_CHECKING:
    from ._puzzle import Puzzle
    from ._results import PositionGraph
    from ._shown import Table

S = TypeVar("S", bound=Hashable)
M = TypeVar("M")
F = TypeVar("F", bound=Callable[..., Any])


class LawError(AssertionError):
    """Raised if a game breaks a law that searches rely on, such as that `apply` does not change its argument."""


@overload
def heuristic(function: F, /) -> F: ...
@overload
def heuristic(*, admissible: bool = False, consistent: bool = False) -> Callable[[F], F]: ...
def heuristic(function: Any = None, /, *, admissible: bool = False, consistent: bool = False) -> Any:
    """Marks a method of a problem as a heuristic, and declares its properties.

    An admissible heuristic never exceeds the true cost. A consistent heuristic is 0 at goals, and every move lowers it by at most the
    move's price; it is therefore also admissible. A* reports its plans as optimal only if the heuristic is declared admissible, and
    :meth:`Problem.test` looks for a state where the estimate exceeds the true cost.

    The heuristic has the name of the method, as in ``solve("astar:manhattan")``. The first line of the method's docstring describes it in
    lists. A heuristic may return None if no goal can be reached.
    """

    def mark(function: F) -> F:
        cast(Any, function)._kibitzer_heuristic = (admissible or consistent, consistent)
        return function

    return mark if function is None else mark(function)


class _Heuristic(NamedTuple):
    """A problem's heuristic, in the form that the native module expects."""

    name: str
    about: str
    admissible: bool
    consistent: bool
    estimate: Callable[[Any], float | None]


def _cheapest(ways: Iterable[tuple[S, int]]) -> dict[S, int]:
    """Returns each state with the least of its prices."""
    found: dict[S, int] = {}
    for state, price in ways:
        found[state] = min(price, found.get(state, price))
    return found


class _Played(Solvable, Generic[S, M]):
    """The common part of problems and games."""

    # Required in a subclass.

    def start(self) -> S:
        """The start state. A subclass may also define it as an attribute."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `start`")

    def moves(self, state: S) -> Iterable[M]:
        """Returns all legal moves, each once, always in the same order."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `moves`")

    def apply(self, state: S, move: M) -> S:
        """Returns the state after a move. This method must not change ``state``."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `apply`")

    # Optional in a subclass.

    def canonical(self, state: S) -> S:
        """Returns the state that represents all states equal to ``state`` up to symmetry. Searches store only these representatives.
        Answers are wrong if states with the same representative differ in goals, costs or later moves."""
        return state

    def layer(self, state: S) -> int:
        """Returns a number that strictly increases with every move. Override this method if the game has such a number."""
        raise NotImplementedError

    def svg(self, state: S) -> str | None:
        """Returns a drawing of a state, for notebooks and films. Set colors and sizes in SVG attributes, not in styles."""
        return None

    # Used by the rest of the package.

    def _start(self) -> S:
        start: Any = self.start
        return cast(S, start() if callable(start) else start)

    def _moves(self, state: S) -> list[M]:
        return list(self.moves(state))

    def _written(self, name: str) -> Any:
        """Returns the method with this name if a subclass overrides it, or None otherwise."""
        if name in vars(self):
            return getattr(self, name)
        inherited = [getattr(base, name, None) for base in (_Played, Problem, Game)]
        return None if getattr(type(self), name, None) in inherited else getattr(self, name)

    def _adapter(self, state: S) -> SimpleNamespace:
        """Returns the game in the form that the native module expects: its functions, and None in place of those that it does not
        define."""
        parts = {name: self._written(name) for name in ("canonical", "layer")}
        return SimpleNamespace(name=type(self).__name__, state=state, moves=self.moves, apply=self.apply, **parts, **self._parts())

    def _parts(self) -> dict[str, object]:
        """The attributes specific to this kind of object: a problem's or a game's."""
        raise NotImplementedError

    def puzzle(self) -> Puzzle:
        """The game as a :class:`Puzzle`, which can be played."""
        from ._puzzle import Puzzle

        return Puzzle(cast(Any, self))

    def _asked(self) -> Puzzle:
        return self.puzzle()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {shortened(self._start())}>"

    def _repr_svg_(self) -> str | None:
        return self.svg(self._start())

    # Laws.

    def _law(self, holds: bool, law: str, state: object) -> None:
        if not holds:
            raise LawError(f"{law}; the state is {state!r}")

    def _visit(self, state: S) -> list[M]:
        """Tests the laws at one state. Returns its moves."""
        moves = self._moves(state)
        self._law(self._moves(state) == moves, "`moves` returns different moves when called again", state)
        texts = [str(move) for move in moves]
        self._law(len(set(texts)) == len(texts), "`str` returns the same text for two moves", state)
        self._law(all(move not in moves[:at] for at, move in enumerate(moves)), "`moves` lists a move twice", state)
        before, shown = hash(state), repr(state)
        for move in moves:
            after = self.apply(state, move)
            again = self.apply(state, move)
            self._law(after == again, f"`apply` returns a different state for {move!r} when called again", state)
            self._law(hash(after) == hash(again), f"equal states have different hashes after {move!r}", state)
            if self._written("layer") is not None:
                self._law(self.layer(after) > self.layer(state), f"`layer` does not increase after {move!r}", state)
        self._law(hash(state) == before and repr(state) == shown, "`apply` or `moves` changes the state that it is given", state)
        folded = self.canonical(state)
        self._law(self.canonical(folded) == folded, "`canonical` of a canonical state is a different state", state)
        return moves

    def _walks(self, walks: int, steps: int, seed: int) -> Iterator[list[tuple[S, M | None]]]:
        """Makes random walks. A walk is a list of states, each with the move made in that state."""
        choose = random.Random(seed)
        for _ in range(walks):
            state, walk = self._start(), list[tuple[S, "M | None"]]()
            for _ in range(steps):
                moves = self._visit(state)
                if not moves or self._ended(state):
                    break
                move = choose.choice(moves)
                walk.append((state, move))
                state = self.apply(state, move)
            walk.append((state, None))
            yield walk

    def _ended(self, state: S) -> bool:
        return False


class Problem(_Played[S, M]):
    """A one-player problem: states, actions, transition, goal test and path cost.

    >>> import kibitzer
    >>> class Steps(kibitzer.Problem):
    ...     def __init__(self, goal):
    ...         self.start, self.goal = 0, goal
    ...     def moves(self, number):
    ...         return [step for step in (3, 5) if number + step <= 100]
    ...     def apply(self, number, step):
    ...         return number + step
    ...     def is_goal(self, number):
    ...         return number == self.goal
    >>> report = Steps(11).solve()
    >>> report.cost, report.optimal, sorted(report.moves)
    (3, True, [3, 3, 5])
    >>> Steps(7).solve().verdict
    'unsolvable'
    """

    def is_goal(self, state: S) -> bool:
        """Returns True if the state is a goal."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `is_goal`")

    def cost(self, state: S, move: M) -> int:
        """Returns the price of a move, a whole number from 0 to 1,000,000. The default is 1."""
        return 1

    def heuristic(self, state: S) -> float | None:
        """Returns an estimate of the cost to go. Mark this method with :func:`kibitzer.heuristic` to declare its properties. A problem may
        have several heuristics, in methods with other names."""
        raise NotImplementedError

    def goals(self) -> Iterable[S]:
        """Returns all goals. Bidirectional search needs this method and `before`."""
        raise NotImplementedError

    def before(self, state: S) -> Iterable[Any]:
        """Returns the states from which a move leads to ``state``. If the problem has `cost`, returns pairs of such a state and the move's
        price."""
        raise NotImplementedError

    #: True if every move with a price changes at most one of the patterns that `project` returns. If so, the costs of the patterns are
    #: added.
    additive: bool = False

    def project(self, state: S) -> Any:
        """Returns the pattern of a state: a hashable value that describes only some of the state's features. A problem with this method has
        the heuristic ``pattern``, a pattern database: a table of the least costs from all patterns to the patterns of goals. If the method
        returns a list, each item is a pattern, and the estimate is the largest of their costs or, with ``additive``, their sum. With
        ``additive``, a tuple also counts as a list of patterns.

        The table is built when the first search begins. Building it visits all states that can be reached from the start, so there must not
        be too many such states."""
        raise NotImplementedError

    def _heuristics(self) -> list[_Heuristic]:
        found: dict[str, tuple[bool, bool]] = {}
        for owner in reversed(type(self).__mro__):
            for name, value in vars(owner).items():
                facts = getattr(value, "_kibitzer_heuristic", None)
                if facts is not None:
                    found[name] = facts
        if self._written("heuristic") is not None:
            found.setdefault("heuristic", (False, False))
        about = {name: (getattr(self, name).__doc__ or "a heuristic written in Python").strip().splitlines()[0] for name in found}
        return [_Heuristic(name, about[name], *facts, getattr(self, name)) for name, facts in found.items()]

    def _parts(self) -> dict[str, object]:
        parts = {name: self._written(name) for name in ("cost", "goals", "before", "project")}
        if (parts["goals"] is None) != (parts["before"] is None):
            raise Error("bidirectional search needs both `goals` and `before`", "define both or neither")
        return {"is_goal": self.is_goal, "heuristics": self._heuristics(), "additive": self.additive, **parts}

    def test(self, *, walks: int = 20, steps: int = 40, seed: int = 0, states: int = 20_000) -> int:
        """Tests on random walks whether the problem obeys the laws that searches rely on. Returns the number of states tested. If a law
        is broken, raises a :class:`LawError` that names the state.

        The laws are:

        * Functions are deterministic and do not change their arguments.
        * Each move is listed once, and different moves have different strings. Prices are in range.
        * `canonical` preserves goals, prices and estimates.
        * `goals` lists all goals and nothing else.
        * `before` lists all predecessors and nothing else, with the right prices.
        * A heuristic that is declared admissible never exceeds the true cost, as found by a search of at most ``states`` states.
        * A heuristic that is declared consistent never drops by more than the price of a move.
        * `project` returns the same number of hashable patterns for every state. If the patterns are declared additive, every move whose price is not 0
          changes at most one of them.
        """
        heuristics = self._heuristics()
        goals = set(self.goals()) if self._written("goals") is not None else None
        for goal in goals or ():
            self._law(bool(self.is_goal(goal)), "`goals` lists a state that is not a goal", goal)
        seen: dict[S, None] = {}
        for walk in self._walks(walks, steps, seed):
            for state, move in walk:
                if state not in seen:
                    seen[state] = None
                    self._test_state(state, heuristics)
                if move is not None:
                    self._test_move(state, move, heuristics)
        # Heuristics are compared with true costs on some of these states and, to get near a goal, along a best plan.
        plan = self._path(states)
        if goals is not None:
            for state in [*seen, *plan]:
                self._law(state in goals or not self.is_goal(state), "`goals` does not list this goal", state)
        some = list(seen)[:: max(1, len(seen) // 25)]
        if any(heuristic.admissible for heuristic in heuristics):
            for state in [*plan, *some]:
                self._test_cost(state, heuristics, states)
        return len(seen)

    def _path(self, states: int) -> list[S]:
        """Returns the states of a best plan from the start, or only the start if no plan is found within the limit."""
        path = [self._start()]
        for move in self.solve("ucs", nodes=states).moves:
            path.append(self.apply(path[-1], move))
        return path

    def _test_state(self, state: S, heuristics: list[_Heuristic]) -> None:
        goal = bool(self.is_goal(state))
        self._law(bool(self.is_goal(state)) == goal, "`is_goal` returns a different result when called again", state)
        folded = self.canonical(state)
        self._law(bool(self.is_goal(folded)) == goal, "`canonical` does not preserve goals", state)
        if folded != state:
            here, there = (
                _cheapest((self.canonical(after), price) for after, price in self._ways(where).items()) for where in (state, folded)
            )
            self._law(set(here) == set(there), f"`canonical` returns {folded!r}, whose successors differ from those of this state", state)
            self._law(here == there, f"`canonical` returns {folded!r}, whose moves cost more or less than those of this state", state)
        for name, _, admissible, consistent, estimate in heuristics:
            value = estimate(state)
            self._law(value is None or value >= 0, f"`{name}` is {value!r}, which is below 0", state)
            self._law(estimate(folded) == value, f"`canonical` does not preserve `{name}`", state)
            if goal and (admissible or consistent):
                self._law(value == 0, f"`{name}` is {value!r} at a goal, but is declared admissible", state)

    def _test_move(self, state: S, move: M, heuristics: list[_Heuristic]) -> None:
        price: Any = self.cost(state, move)
        whole = isinstance(price, numbers.Integral) and 0 <= int(price) <= 1_000_000
        self._law(whole, f"the price of {move!r} is {price!r}, which is not a whole number from 0 to 1,000,000", state)
        self._law(self.cost(state, move) == price, f"`cost` returns a different price for {move!r} when called again", state)
        after = self.apply(state, move)
        if self._written("project") is not None:
            old, new = (self._patterns(self.canonical(one)) for one in (state, after))
            self._law(len(old) == len(new), f"`project` returns {len(old)} patterns here and {len(new)} after {move!r}", state)
            changed = sum(one != other for one, other in zip(old, new))
            alone = not self.additive or changed <= 1 or int(price) == 0
            self._law(alone, f"the patterns are declared additive, but {move!r} changes {changed} of them", state)
        for name, _, _, consistent, estimate in heuristics:
            if consistent:
                here, there = estimate(state), estimate(after)
                drop = f"`{name}` is declared consistent, but it is {here} here and {there} after {move!r}, which costs {price}"
                # None means that no goal can be reached from the state.
                low, high = (float("inf") if value is None else float(value) for value in (here, there))
                # The tolerance allows for rounding errors in fractional estimates.
                self._law(low <= int(price) + high + 1e-9, drop, state)
        if self._written("before") is not None:
            back = self._before(after)
            self._law(state in back, f"`before` does not list the state before {move!r}", state)
            for earlier, said in back.items():
                least = self._ways(earlier).get(after)
                self._law(least is not None, f"`before` lists {earlier!r}, from which no move leads here", after)
                self._law(said == least, f"`before` returns the price {said} for the move from {earlier!r}, which costs {least}", after)

    def _patterns(self, state: S) -> list[Any]:
        """Returns the patterns of a state, as the native module reads them."""
        found: Any = self.project(state)
        patterns = list(found) if isinstance(found, list) or (self.additive and isinstance(found, tuple)) else [found]
        self._law(self.project(state) == found, "`project` returns a different result when called again", state)
        for pattern in patterns:
            hash(pattern)
        return patterns

    def _ways(self, state: S) -> dict[S, int]:
        """Returns the successors of a state, each with the least price of a move to that successor."""
        return _cheapest((self.apply(state, move), self.cost(state, move)) for move in self.moves(state))

    def _before(self, state: S) -> dict[S, int]:
        """Returns the predecessors of a state, each with the least price that `before` returns for it."""
        priced = self._written("cost") is not None
        return _cheapest(item if priced else (item, 1) for item in self.before(state))

    def _test_cost(self, state: S, heuristics: list[_Heuristic], states: int) -> None:
        puzzle: Any = self.puzzle()
        puzzle._state = state
        report = puzzle.solve("ucs", nodes=states)
        for heuristic in heuristics if report.solved else ():
            if heuristic.admissible:
                self._test_estimate(heuristic, state, report.cost)

    def _test_plan(self, state: S, plan: list[M], cost: int, name: str) -> None:
        """Tests a heuristic along a plan. An admissible estimate never exceeds the cost of the rest of the plan."""
        for heuristic in self._heuristics():
            if heuristic.name == name and heuristic.admissible:
                self._test_estimate(heuristic, state, cost)
                for move in plan:
                    cost -= self.cost(state, move)
                    state = self.apply(state, move)
                    self._test_estimate(heuristic, state, cost)

    def _test_estimate(self, heuristic: _Heuristic, state: S, cost: int) -> None:
        value = heuristic.estimate(state)
        wrong = f"`{heuristic.name}` is {value!r}, but a goal can be reached at a cost of {cost}: it is not admissible"
        self._law(value is not None and value <= cost, wrong, state)


class Game(_Played[S, M]):
    """A two-player game of perfect information in which the players alternate.

    If positions can repeat, set `repeats`; play that never ends is a draw, and its `length` is None.

    Unless `terminal` is overridden, a player who cannot move loses, and positions have Grundy values.

    >>> import kibitzer
    >>> class Nim(kibitzer.Game):
    ...     def __init__(self, *heaps):
    ...         self.heaps = heaps
    ...     def start(self):
    ...         return self.heaps
    ...     def moves(self, heaps):
    ...         return [(i, take) for i, heap in enumerate(heaps) for take in range(1, heap + 1)]
    ...     def apply(self, heaps, move):
    ...         i, take = move
    ...         return heaps[:i] + (heaps[i] - take,) + heaps[i + 1:]
    >>> report = Nim(3, 4, 5).solve()
    >>> report.winner, report.grundy, report.best
    (1, 2, [(0, 2)])
    """

    #: True if positions have Grundy values: both players have the same moves in every position, and a player who cannot move loses.
    #: None means True unless `terminal` is overridden.
    impartial: bool | None = None

    #: True if positions can repeat. Then there are no Grundy values, and `layer` is not used.
    repeats: bool = False

    def terminal(self, state: S) -> str | None:
        """Returns the result for the player to move, ``"win"``, ``"draw"`` or ``"loss"``, if the game has ended, or None if it has not."""
        return None

    def _impartial(self) -> bool:
        own = not self.repeats and self._written("terminal") is None
        return own if self.impartial is None else self.impartial

    def _parts(self) -> dict[str, object]:
        return {"terminal": self._written("terminal"), "impartial": self._impartial(), "repeats": self.repeats}

    def _ended(self, state: S) -> bool:
        return self.terminal(state) is not None

    def graph(self, *, fold: bool = True, most: int = 200_000, time: float | None = None) -> PositionGraph:
        """See :meth:`Puzzle.graph`."""
        return self.puzzle().graph(fold=fold, most=most, time=time)

    def labels(self, *, time: float | None = None) -> Table:
        """See :meth:`Puzzle.labels`."""
        return self.puzzle().labels(time=time)

    def test(self, *, walks: int = 20, steps: int = 40, seed: int = 0) -> int:
        """Runs random walks to test whether the game obeys the laws that solvers rely on. Returns the number of states tested. If a law
        is broken, raises a :class:`LawError` that names the state."""
        seen: dict[S, None] = {}
        for walk in self._walks(walks, steps, seed):
            path = [state for state, _ in walk]
            for at, state in enumerate(path):
                self._law(self.repeats or state not in path[:at], "a position repeats: set `repeats = True` if this is intended", state)
                if state in seen:
                    continue
                seen[state] = None
                ended = self.terminal(state)
                self._law(ended in (None, "win", "draw", "loss"), f"`terminal` returns {ended!r}", state)
                self._law(self.terminal(state) == ended, "`terminal` returns a different result when called again", state)
                self._law(self.terminal(self.canonical(state)) == ended, "`canonical` does not preserve the result of `terminal`", state)
                if ended == "draw" and self._impartial():
                    self._law(False, "a game with draws has no Grundy values: set `impartial = False`", state)
        return len(seen)
