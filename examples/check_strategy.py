"""Checks a strategy written by `kibitzer solve edge P8 --certificate FILE` by playing it against every reply. Positions are written as in
src/games/edge/outline.rs: vertices with the colors of their neighbors, labels that are still possible, and the number of free moves."""
import json, sys, zlib
def need(holds, otherwise): holds or sys.exit(f"wrong: {otherwise}")
def pair(a, b): return (min(a, b), max(a, b))
def fitting(border, labels): return {c for c in colors if all(pair(c, b) in labels for b in border)}
def reduced(border, labels, free):  # the part that can still be played
    fit = {v: fitting(b, labels) for v, b in border.items() if fitting(b, labels)}
    takers = {v: {pair(b, c) for b in border[v] for c in fit[v]} for v in fit}
    for u, v in edges & {(u, v) for u in fit for v in fit}:
        takers[u, v] = labels & {pair(c, d) for c in fit[u] - border[v] for d in fit[v] - border[u]}
    alone = [v for v in fit if not near[v] & fit.keys() and not any(takers[v] & takers[t] for t in takers if t != v)]
    labels = set().union(*(takers[t] for t in takers if t not in alone))
    return outline({v: border[v] for v in fit if v not in alone}, labels, free + len(alone))
def outline(border, labels, free):
    """Returns the lexicographically least text over all numberings of the colors in the order of `look`, and the position with its colors
    numbered that way."""
    look = {c: (sum(1 << v for v in border if c in border[v]), (c, c) in labels, sum(c in p for p in labels)) for c in colors}
    look = {c: (look[c], sorted(look[d] for d in colors if pair(c, d) in labels)) for c in colors}
    def alike(c, d):
        swap = {c: d, d: c}
        swapped = {pair(swap.get(a, a), swap.get(b, b)) for a, b in labels}
        return swapped == labels and all((c in b) == (d in b) for b in border.values())
    def texts(left, name):
        if not left:
            b = {v: sorted(name[c] for c in border[v]) for v in border}
            pairs = sorted(pair(name[c], name[d]) for c, d in labels)
            words = [f"{v}:{','.join(map(str, b[v]))}" if b[v] else str(v) for v in b] + ["|"] + ["%d-%d" % p for p in pairs]
            yield " ".join(words + ["|", str(free)]), {v: set(b[v]) for v in b}, set(pairs), free
        tie = [c for c in left if look[c] == look[left[0]]]
        for c in (c for at, c in enumerate(tie) if not any(alike(c, d) for d in tie[:at])):
            yield from texts([d for d in left if d != c], {**name, c: len(name) + 1})
    return min(texts(sorted(colors, key=look.get), {}), key=lambda found: found[0])
def after(move, border, labels, free):
    if move == "free": return outline(border, labels, free - 1)
    v, c = map(int, move.split(":"))
    rest = {u: b | {c} if u in near[v] else b for u, b in border.items() if u != v and not (u in near[v] and c in b)}
    return reduced(rest, labels - {pair(b, c) for b in border[v]}, free)

sys.excepthook = lambda kind, error, _: print(f"wrong: this is not a strategy for edge ({kind.__name__}: {error})", file=sys.stderr)
first, body = open(sys.argv[1], newline="").read().split("\n", 1)
header, (player, *lines) = json.loads(first), body.splitlines()
board, wins_first, strategy = header["data"], header["outcome"] == "N", dict(line.split(" = ") for line in lines)
need((header["strategy"], header["game"]) == (1, "edge") and header["outcome"] in "NP", "not version 1 of a strategy for edge")
need(header["checksum"] == "%08x" % zlib.crc32(body.encode()) and player == f"player {2 - wins_first}", "the file was changed")
need(header["positions"] == len(strategy) == len(lines) and sorted(lines) == lines, "the number or order of positions is wrong")
colors, given, edges = range(1, board["colors"] + 1), board["position"], set(map(tuple, board["edges"]))
near = {v: {u for edge in edges if v in edge for u in edge if u != v} for v in range(board["vertices"])}
around = {v: [given[u] for u in near[v] if given[u]] for v in near if not given[v]}
labels = {pair(c, d) for c in colors for d in colors} - {pair(given[u], given[v]) for u, v in edges if given[u] and given[v]}
waiting, seen = [(wins_first, reduced({v: set(b) for v, b in around.items() if len(set(b)) == len(b)}, labels, 0))], set()
while waiting:
    own, (text, border, labels, free) = waiting.pop()
    if (own, text) not in seen:
        seen.add((own, text))
        moves = [f"{v}:{c}" for v in border for c in fitting(border[v], labels)] + ["free"] * (free > 0)
        need(moves or own == board["misere"], f"play can end at {text}, where the other player wins")
        need(not (own and moves) or strategy.get(text) in moves, f"the move given at {text} is missing or illegal")
        waiting += [(not own, after(move, border, labels, free)) for move in moves if not own or move == strategy[text]]
need(strategy.keys() <= {text for own, text in seen if own}, "a listed position cannot occur")
print(f"correct: {player} wins against every reply, in {len(seen)} positions, on {json.dumps(board)}")
