"""Search as courses hand it out in Python: a class for the problem, a class for the nodes, and a loop over a frontier.

Written twice. `breadth_first` and `astar` are in the usual form, in which a child is looked for in the frontier by comparing it
with every node there. `breadth_first_hashed` and `astar_hashed` are the same with sets and dicts in that place: about the best
that a loop in Python can do.

Counts: a state is *expanded* when its moves are listed. Breadth-first search tests for a goal when a state is made, as `bfs`
of Kibitzer does; with `late`, when it is taken from the frontier, as simpleai does.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable
from typing import Any


class Node:
    """A state, and how it was reached."""

    def __init__(self, state: Any, parent: Node | None = None, action: Any = None, path_cost: int = 0) -> None:
        self.state = state
        self.parent = parent
        self.action = action
        self.path_cost = path_cost
        self.depth = parent.depth + 1 if parent else 0

    def expand(self, problem: Any) -> list[Node]:
        return [self.child_node(problem, action) for action in problem.moves(self.state)]

    def child_node(self, problem: Any, action: Any) -> Node:
        state = problem.apply(self.state, action)
        return Node(state, self, action, self.path_cost + problem.cost(self.state, action))

    def __lt__(self, other: Node) -> bool:
        return bool(self.state < other.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)


#: The goal's node, or None, and how many states were expanded.
Found = tuple[Node | None, int]


def breadth_first(problem: Any) -> Found:
    node = Node(problem.start())
    if problem.is_goal(node.state):
        return node, 0
    frontier, explored, expanded = deque([node]), set(), 0
    while frontier:
        node = frontier.popleft()
        explored.add(node.state)
        expanded += 1
        for child in node.expand(problem):
            if child.state not in explored and child not in frontier:
                if problem.is_goal(child.state):
                    return child, expanded
                frontier.append(child)
    return None, expanded


def breadth_first_hashed(problem: Any, late: bool = False) -> Found:
    node = Node(problem.start())
    if problem.is_goal(node.state):
        return node, 0
    frontier, reached, expanded = deque([node]), {node.state}, 0
    while frontier:
        node = frontier.popleft()
        if late and problem.is_goal(node.state):
            return node, expanded
        expanded += 1
        for child in node.expand(problem):
            if child.state not in reached:
                if not late and problem.is_goal(child.state):
                    return child, expanded
                reached.add(child.state)
                frontier.append(child)
    return None, expanded


class PriorityQueue:
    """Nodes by f, the least first."""

    def __init__(self, f: Callable[[Node], int]) -> None:
        self.f = f
        self.heap: list[tuple[int, Node]] = []

    def append(self, node: Node) -> None:
        heapq.heappush(self.heap, (self.f(node), node))

    def pop(self) -> Node:
        return heapq.heappop(self.heap)[1]

    def __len__(self) -> int:
        return len(self.heap)

    def __contains__(self, node: Node) -> bool:
        return any(other == node for _, other in self.heap)

    def __getitem__(self, node: Node) -> int:
        return next(value for value, other in self.heap if other == node)

    def __delitem__(self, node: Node) -> None:
        del self.heap[[other == node for _, other in self.heap].index(True)]
        heapq.heapify(self.heap)


def memoized(problem: Any, estimate: Callable[[Any], int]) -> Callable[[Node], int]:
    """f = g + h, with h of every state computed once."""
    known: dict[Any, int] = {}

    def f(node: Node) -> int:
        if node.state not in known:
            known[node.state] = estimate(node.state)
        return node.path_cost + known[node.state]

    return f


def astar(problem: Any, estimate: Callable[[Any], int]) -> Found:
    f = memoized(problem, estimate)
    frontier, explored, expanded = PriorityQueue(f), set(), 0
    frontier.append(Node(problem.start()))
    while frontier:
        node = frontier.pop()
        if problem.is_goal(node.state):
            return node, expanded
        explored.add(node.state)
        expanded += 1
        for child in node.expand(problem):
            if child.state not in explored and child not in frontier:
                frontier.append(child)
            elif child in frontier and f(child) < frontier[child]:
                del frontier[child]
                frontier.append(child)
    return None, expanded


def astar_hashed(problem: Any, estimate: Callable[[Any], int]) -> Found:
    """Nodes to which a better way was found stay in the queue, and are skipped there."""
    f, order = memoized(problem, estimate), itertools.count()
    node = Node(problem.start())
    frontier, best, expanded = [(f(node), next(order), node)], {node.state: node}, 0
    while frontier:
        node = heapq.heappop(frontier)[2]
        if best[node.state] is not node:
            continue
        if problem.is_goal(node.state):
            return node, expanded
        expanded += 1
        for child in node.expand(problem):
            other = best.get(child.state)
            if other is None or child.path_cost < other.path_cost:
                best[child.state] = child
                heapq.heappush(frontier, (f(child), next(order), child))
    return None, expanded
