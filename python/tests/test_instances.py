"""Tests that the package gives the same answers as the program, field by field, on every board that comes with the games."""

from __future__ import annotations

import csv
import io
import json

import networkx
import pytest

import kibitzer
from support import INSTANCES, program, timeless

FILES = sorted(path for path in INSTANCES.glob("*/*.*") if path.suffix != ".list")
#: Boards that take the program more than a few seconds, with the node limit for the program and the package.
HEAVY = {"pegs/english-priced": 20_000}
#: The node limit in tests that run all methods.
FEW = 1_500
#: A board on which some methods take seconds to stop at a limit, with the methods that stop quickly.
QUICK = {"pegs/source-2": ["astar:priced", "bfs", "dfs", "greedy:priced", "astar:lines", "wastar:priced"]}


def name(path):
    return f"{path.parent.name}/{path.stem}"


#: The boards that the short test run uses, which include boards of every game.
FIRST = ("source", "course-2", "pair", "five", "p5-later", "one", "lone", "small", "parity", "corner-5")


def boards(paths):
    return pytest.mark.parametrize("path", [pytest.param(path, marks=[pytest.mark.slow] * (path.stem not in FIRST)) for path in paths], ids=name)


every = boards(FILES)
first = boards(path for path in FILES if path.stem in FIRST)


def of(game):
    return boards(path for path in FILES if path.parent.name == game)


def puzzle(path):
    return kibitzer.Puzzle(path.parent.name, path)


def searches(path):
    """The methods that are compared with the program."""
    return QUICK.get(name(path)) or [method["name"] for method in puzzle(path).methods()]


def refused_alike(done, ask):
    """Returns True if the program reported an error, after checking that Python reports the same error."""
    if done.returncode == 2:
        with pytest.raises(kibitzer.Error) as caught:
            ask()
        assert f"error: {caught.value.message}" in done.stderr
    return done.returncode == 2


def test_there_are_boards():
    """The other tests here run once per board, so they would pass if there were none."""
    assert len(FILES) >= 70
    for game in kibitzer.games():
        listed = {path.stem: path.read_text(encoding="utf-8") for path in FILES if path.parent.name == game}
        assert kibitzer.instances(game) == listed, game


@pytest.mark.parametrize("game", kibitzer.games())
def test_boards_by_name(game):
    for board in kibitzer.about(game)["instances"]:
        # In edge, the name of a graph family takes precedence over the name of a board.
        if game == "edge" and board["name"] not in ("p5-later", "p6-misere", "star"):
            continue
        assert kibitzer.Puzzle(game, board["name"]).board == kibitzer.Puzzle(game, board["text"], **board["options"]).board


def test_an_unknown_name_is_rejected():
    with pytest.raises(kibitzer.Error, match="a row of pegs") as caught:
        kibitzer.Puzzle("pegs", "englsh")
    assert "`english`" in str(caught.value.help)
    for row in ["englsh\n", ["englsh"], b"englsh"]:
        assert kibitzer.Puzzle("pegs", row).board == "englsh\n"


@every
def test_solve(path):
    game, nodes = path.parent.name, HEAVY.get(name(path))
    expected = program.json("solve", game, path, "--json", *(["--nodes", nodes] if nodes else []))
    report = puzzle(path).solve(nodes=nodes)
    found = report.to_dict()
    assert timeless(found) == timeless(expected) and found["game"] == game
    assert list(found) == list(expected), "the fields are in the same order"
    assert found["stats"].keys() == expected["stats"].keys()
    assert json.loads(report.to_json()) == found
    # All fields are attributes.
    for field, value in found.items():
        if field not in ("stats", "best", "moves"):
            assert getattr(report, field) == value
    assert report.moves == expected.get("moves", []) and report.best == expected.get("best", [])
    # The printed text is the same, except for the time and the end of long plans.
    if nodes is None:
        lasting = [line for line in str(report).splitlines() if not line.startswith("# by ") and " more moves" not in line]
        printed = program.output("solve", game, path).splitlines()
        assert lasting == [line for line in printed if not line.startswith("# by ")][: len(lasting)]


@every
def test_every_method(path):
    board, methods = puzzle(path), searches(path)
    expected = program.json("compare", path.parent.name, path, "--json", "-m", ",".join(methods), "--nodes", FEW, "--time", 500)
    assert [row["method"] for row in expected] == methods
    for row in expected:
        assert timeless(board.solve(row["method"], nodes=FEW).to_dict()) == timeless(row)
    # The first three methods, as a table.
    least = min((row["cost"] for row in expected[:3] if row.get("optimal")), default=None)
    table = board.compare(methods[:3], nodes=FEW, time=500)
    for row, found in zip(expected[:3], table, strict=True):
        cost = row.get("cost")
        row = {**row, **row["stats"], "above": None if least is None or cost is None else cost - least}
        assert timeless(found) == timeless({column: row.get(column) for column in table.columns})


@every
def test_explore(path):
    expected = program.json("explore", path.parent.name, path, "--json", "--nodes", 3_000)
    found = puzzle(path).explore(nodes=3_000)
    assert timeless(found.to_dict()) == timeless(expected)
    assert [row["states"] for row in found.layers] == [row["states"] for row in expected["layers"]]
    for field in ("complete", "states", "goals", "dead_ends"):
        assert getattr(found, field) == expected[field]


@every
def test_check(path, tmp_path):
    """The program and the package agree on right and wrong answers."""
    if name(path) in HEAVY:
        return
    game, board = path.parent.name, puzzle(path)
    report = board.solve()
    answers = [report.to_dict()]
    if board.players == 1:
        moves = report.to_dict().get("moves", [])
        answers += [{"verdict": "solved", "moves": moves, "cost": (report.cost or 0) + 1}, {"moves": moves[:-1]}]
    else:
        answers += [{"winner": 3 - report.winner if report.winner else 1}, {"outcome": "N" if report.outcome == "P" else "P"}]
    file = tmp_path / "answer.json"
    for answer in answers:
        file.write_text(json.dumps(answer), encoding="utf-8")
        expected = program.json("check", game, path, file, "--json", "--states", 20_000)
        for found in (board.check(answer, states=20_000), board.check(json.dumps(answer), states=20_000)):
            right = {"right": True, "wrong": False}.get(expected["result"])
            assert found.right is right and bool(found) is (right is True), expected
            assert found.undecided == expected.get("undecided", [])
            # The program also looks for the least cost, so its text may be longer.
            assert expected["text"].startswith(found.text)
    assert board.check(report, states=20_000).right is not False


@first
def test_trace(path):
    board = puzzle(path)
    for number, method in enumerate(searches(path)):
        # Traces with and without the boards alternate.
        states = number % 2 == 0
        done = program.run("trace", path.parent.name, path, "-m", method, "--nodes", 200, *["--states"] * states)
        if refused_alike(done, lambda: board.trace(method, nodes=200, states=states)):
            continue
        trace = board.trace(method, nodes=200, states=states)
        expected = [json.loads(line) for line in done.stdout.splitlines()]
        assert timeless([json.loads(line) for line in trace.to_jsonl().splitlines()]) == timeless(expected), method
        assert list(trace) == expected[1:-1]
        assert trace.header == expected[0] and len(trace) == len(trace.rows()) == len(expected) - 2
        assert timeless(trace.report.to_dict()) == timeless(expected[-1]["report"])
        assert trace.moment == expected[-1]["moment"]


GENERATED = [
    *((game, given) for game in kibitzer.games() for given in [{"seed": 0}, {"seed": 2**63}, {"level": "easy", "seed": 7}, {"level": "hard", "seed": 7}, {"daily": "2026-11-16"}]),
    *(("pegs", {"seed": 5, "pegs": 5}), ("moles", {"seed": 5, "size": "3x7"}), ("tricolor", {"seed": 5, "vertices": 9})),
]  # fmt: skip


@pytest.mark.parametrize("game, given", GENERATED, ids=repr)
def test_generate(game, given):
    own = ("seed", "level", "daily")
    flags = [part for key, value in given.items() for part in ([f"--{key}", value] if key in own else ["-O", f"{key}={value}"])]
    expected = kibitzer.Puzzle(game, program.output("generate", game, *flags))
    made = kibitzer.generate(game, **given)
    assert made.board == expected.board and str(made) == str(expected) and made.moves() == expected.moves()


@of("moles")
def test_kernel(path):
    found = puzzle(path).kernel(5)
    assert found.to_dict() == program.json("kernel", "moles", path, "--json", "--most", 5)
    assert len(found) == min(found.nullity, 5)
    assert [pattern.board for pattern in found] == [item["instance"] for item in found.to_dict()["patterns"]]


@pytest.mark.parametrize("graph", ["P1", "P9", "C7", "K4", "K2,3", "S6", "W5", "Q3", "grid3x3", "ladder3", "petersen", "DQc", "a:b b:a,c c:b"])
def test_edcn(graph):
    found = kibitzer.edcn(graph)
    assert timeless(found) == timeless(program.json("edcn", graph, "--json"))
    # The coloring distinguishes all edges.
    drawn: networkx.Graph = kibitzer.Puzzle("edge", graph).to_networkx()
    colors = dict(zip(found["names"], found["coloring"]))
    labels = {tuple(sorted((colors[one], colors[other]))) for one, other in drawn.edges}
    assert len(labels) == drawn.number_of_edges() and max(colors.values(), default=1) <= found["edcn"]


LINES = "# some graphs\nP3\n\nC4\n  K4  \nDQc\nP6\nS4\nW4\n:Fa@x^\n"


@pytest.mark.parametrize("options", [{}, {"winner": True}, {"misere": True}, {"colors": 3}, {"nodes": 3}])
def test_census(options, tmp_path):
    file = tmp_path / "graphs.txt"
    file.write_text(LINES, encoding="utf-8")
    flags = [part for key, value in options.items() for part in ([f"--{key}"] if value is True else [f"--{key}", str(value)])]
    expected = list(csv.reader(io.StringIO(program.output("census", "edge", file, *flags))))
    for threads in (1, 2, 5):
        table = kibitzer.census("edge", file, threads=threads, **options)
        rows = [["" if row[column] is None else str(row[column]) for column in table.columns] for row in table]
        assert [table.columns, *rows] == expected
    assert list(kibitzer.census("edge", LINES.splitlines(), **options)) == list(table)


@of("edge")
@pytest.mark.parametrize("fold", [True, False])
def test_graph(path, fold):
    done = program.run("graph", "edge", path, "--format", "json", "--most", 3_000, *([] if fold else ["--unfolded"]))
    if not refused_alike(done, lambda: puzzle(path).graph(fold=fold, most=3_000)):
        graph = puzzle(path).graph(fold=fold, most=3_000)
        assert graph.to_dict() == json.loads(done.stdout)
        drawn = graph.to_networkx()
        assert drawn.number_of_nodes() == len(graph.nodes) and drawn.number_of_edges() == len(graph.moves)
