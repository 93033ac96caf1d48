"""The paper's program for the Edge-Distinguishing Game, transcribed with its slips corrected, to measure against.

    python3 benches/edge_source.py 5 3      P5 with 3 colors: a second
    python3 benches/edge_source.py 8 4      P8 with 4 colors: minutes

The algorithm is the paper's: all colorings, lists searched from end to end. Only the digraph is a dictionary of successors
instead of a networkx object, which is in its favor. Corrected: adjacency lists, indentation, one sign (-1) for "uncolored",
and the name of `playable` (the paper's `terminating_board` is true for boards that can be played on).
"""
import itertools
import sys
import time

n, edcn = int(sys.argv[1]), int(sys.argv[2])
adjacency = [[u for u in (v - 1, v + 1) if 0 <= u < n] for v in range(n)]
colors, moves = [-1] + list(range(1, edcn + 1)), list(range(1, edcn + 1))


def no_repeat_edges(edges):
    for side in edges:
        if side == [-1, -1] and edges.count(side) == len(edges):
            return True
        if edges.count(side) > 1:
            if -1 in side:
                continue
            if side[0] == side[-1] and edges.count(side) <= 2:
                continue
            return False
    return True


def is_safe(board):
    edges = []
    for vertex in board:
        for other in board[vertex][1]:
            edges.append([board[vertex][0], board[other][0]])
    return no_repeat_edges(edges)


def playable(board):
    for vertex in board:
        if board[vertex][0] == -1:
            for color in moves:
                board[vertex][0] = color
                safe = is_safe(board)
                board[vertex][0] = -1
                if safe:
                    return True
    return False


begun = time.time()
possible = []
for coloring in itertools.product(colors, repeat=n):
    possible.append({v: [coloring[v], adjacency[v]] for v in range(n)})
legal = [board for board in possible if is_safe(board)]
playable_list, unplayable_list = [], []
for board in legal:
    (playable_list if playable(board) else unplayable_list).append([board[v][0] for v in board])
boards = playable_list + unplayable_list
layers = [[] for _ in range(n + 1)]
position, after = {}, {}
for board in boards:
    layers[sum(color != -1 for color in board)].append(board)
    position[tuple(board)] = "" if board in playable_list else "p"
    after[tuple(board)] = []
for layer in layers:
    for board in layer:
        if position[tuple(board)] == "":
            for v in range(n):
                if board[v] == -1:
                    for move in moves:
                        state = list(board)
                        state[v] = move
                        if tuple(state) in position:
                            after[tuple(board)].append(tuple(state))
for layer in reversed(layers):
    for board in layer:
        if after[tuple(board)]:
            wins = any(position[state] == "p" for state in after[tuple(board)])
            position[tuple(board)] = "n" if wins else "p"
        else:
            position[tuple(board)] = "p"
labels = list(position.values())
print("Player", 1 if position[(-1,) * n] == "n" else 2, "has a winning strategy")
print(len(boards), "legal boards,", len(unplayable_list), "terminal,", labels.count("p"), "P;", round(time.time() - begun, 2), "s")
