"""Errors: the program's messages, their remedies, and the position in the board's text."""

from __future__ import annotations

import copy
import inspect
import pickle
import re

import numpy
import pytest

import kibitzer
from kibitzer import Error, Puzzle, census, generate
from support import INSTANCES, program
from test_game import Nim
from test_hostile import Line
from test_problem import Jugs

#: Invalid boards of each game, some with a fault that has a position in the text.
BAD_BOARDS = {
    "tricolor": ["colors: RGX\nedges: 0-1 1-2\n", "edges: 0-1\n", '{"colors": "RG", "edges": [[0, 1]', '{"colors": "RG", "edges": [[0, 9]]}'],
    "pegs": [".a.\n.b\n", "a!b\n...\n", "goal: at:9,9\na.b\n"],
    "edge": ["P0", "(0,", "graph: P3\nposition: 1,1\n"],
    "moles": ["012\n01\n", "01\n0x\n", "size: 0x3\n"],
    "chexers": ["{}", '{"colour": "red", "pieces": [[9, 0]]}', '{"colour": "red",\n "pieces": [[0, 0]],\n "blocks": [[0, 0]]}'],
}

BAD_OPTIONS = {
    "tricolor": [("nonsense", 1), ("cost", "nonsense")],
    "pegs": [("jump", "triple"), ("costs", [1, 2]), ("costs", "-1,0,0,0")],
    "edge": [("colors", 0), ("colors", 1000), ("colors", "x")],
    "moles": [("wrap", "sphere"), ("states", 1), ("graph", "P0")],
    "chexers": [("radius", -1), ("radius", 1.5)],
}


def flat(table):
    return [(game, value) for game, values in table.items() for value in values]


def in_python(remedy):
    """Rewrites a remedy from the command-line program for Python."""
    remedy = re.sub(r"--option (\w+)=", r"\1=", remedy)
    return re.sub(r"--method ([\w:]+)", r'method="\1"', remedy)


@pytest.mark.parametrize("game, text", flat(BAD_BOARDS))
def test_boards(game, text):
    sentence, remedy = program.error("solve", game, "-", text=text)
    with pytest.raises(Error) as caught:
        Puzzle(game, text)
    error = caught.value
    # If the fault has no line and column, the program's message names its input.
    assert error.message in sentence
    assert error.help == in_python(remedy) and str(error) == f"{error.message}\n  help: {error.help}"
    if error.line is not None:
        assert f"line {error.line}, column {error.column}" in error.message
        lines = text.split("\n")
        assert 1 <= error.line <= len(lines) and 1 <= error.column <= len(lines[error.line - 1]) + 1
    else:
        assert error.column is None and "line " not in error.message
    assert isinstance(error, ValueError) and type(error) is Error


@pytest.mark.parametrize("game, option", flat(BAD_OPTIONS))
def test_options(game, option):
    name, value = option
    text = ",".join(map(str, value)) if isinstance(value, list) else value
    sentence, remedy = program.error("solve", game, "-O", f"{name}={text}")
    with pytest.raises(Error) as caught:
        Puzzle(game, **{name: value})
    assert caught.value.message in sentence and caught.value.help == in_python(remedy)


@pytest.mark.parametrize("game", kibitzer.games())
@pytest.mark.parametrize("method", ["nonsense", "", "astar:nonsense", "bfs:relaxed", ":", "x" * 500])
def test_methods(game, method):
    sentence, remedy = program.error("solve", game, "--method", method)
    puzzle = Puzzle(game)
    for ask in (puzzle.solve, puzzle.search, puzzle.trace, lambda name: puzzle.compare([name])):
        with pytest.raises(Error) as caught:
            ask(method)
        assert caught.value.message == sentence and caught.value.help == in_python(remedy)


@pytest.mark.parametrize("game", ["nonsense", "", "Pegs", "pegs ", "x" * 300, "\0"])
def test_games(game):
    for ask in (Puzzle, kibitzer.solve, kibitzer.about, kibitzer.instances, generate, lambda game: census(game, ["P3"]), kibitzer.kernel):
        with pytest.raises(Error, match="unknown game") as caught:
            ask(game)
        assert "tricolor, pegs, edge, moles, chexers" in str(caught.value)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("move", [99, -1, "nonsense", None, [], {}, 1.5, "1 2", "", True])
@pytest.mark.parametrize("game", ["tricolor", "pegs", "chexers"])
def test_moves(game, move):
    puzzle = Puzzle(game)
    for ask in (lambda: puzzle.play(move), lambda: puzzle.cost([move]), lambda: puzzle.film([move])):
        with pytest.raises(Error) as caught:
            ask()
        assert caught.value.message and caught.value.help
    with pytest.raises(Error, match="2"):
        puzzle.play(puzzle.moves()[0], "nonsense")
    for strange in (object(), {1, 2}, b"0"):
        with pytest.raises((Error, TypeError)):
            puzzle.play(strange)


def test_moves_of_own_problems():
    puzzle = Jugs((3, 5), 4).puzzle()
    for move in (("fill", 9), "fill", None, []):
        for ask in (lambda: puzzle.play(move), lambda: puzzle.cost([move]), lambda: puzzle.film([move])):
            with pytest.raises(Error, match="not legal"):
                ask()
        assert puzzle.check([move]).right is False
    with pytest.raises(Error, match="move 2"):
        puzzle.play(("fill", 0), "nonsense")


BAD_LIMITS = {
    "time": [0, -1, float("nan"), "3", [], float("-inf")],
    "memory": [-1, "-1", "2 apples", "", "G", 1.5, [], "1e3", "nan"],
    "nodes": [-1, 1.5, "3", []],
}


@pytest.mark.parametrize("name, value", flat(BAD_LIMITS), ids=repr)
def test_invalid_limits(name, value):
    """Every call rejects an invalid limit before any work starts, and the error names the limit."""
    puzzle = Puzzle("pegs")
    asks = [puzzle.solve, puzzle.trace, puzzle.explore, puzzle.compare, Jugs((3, 5), 4).solve, lambda **limits: kibitzer.solve("pegs", **limits), puzzle.search().run]
    if name != "memory":
        asks.append(lambda **limits: census("edge", ["P3"], **limits))
    for ask in asks:
        with pytest.raises((ValueError, TypeError)) as caught:
            ask(**{name: value})
        assert f"`{name}`" in str(caught.value) or f"'{name}'" in str(caught.value), caught.value


UNREACHED = {
    "time": [float("inf"), 1e300, 10**400, numpy.float32(60)],
    "memory": [2**70, "99999999999T", "2G", "1.5g", " 512 MiB ", "100000K", numpy.int64(10**9)],
    "nodes": [2**70, 2**63, numpy.int64(10**9)],
}


@pytest.mark.parametrize("name, value", flat(UNREACHED), ids=repr)
def test_limits_that_are_never_reached(name, value):
    assert Puzzle("pegs").solve(**{name: value}).cost == Puzzle("pegs").search().run(**{name: value}).cost == 4


#: Calls that are rejected, with the type of the exception and, where it matters, part of its message.
REFUSED = [
    *((lambda game=game: Puzzle(game), TypeError, "game|Problem") for game in (5, None, b"pegs", ["pegs"], object(), kibitzer.Problem)),
    (lambda: Puzzle(Jugs((3, 5), 4), "a board"), TypeError, "own"),
    (lambda: Puzzle(Jugs((3, 5), 4), radius=3), TypeError, "own"),
    *((lambda progress=progress: kibitzer.solve("pegs", progress=progress), TypeError, "progress") for progress in (5, "bar", object())),
    *(
        (lambda answer=answer: Puzzle("tricolor").check(answer), (Error, TypeError), None)
        for answer in ("", "{", '{"moves": 5}', '{"nonsense": 1}', {"nonsense": 1}, {"game": "pegs", "moves": []}, 5, None, object())
    ),
    (lambda: generate("pegs", nonsense=1), Error, "nonsense"),
    (lambda: generate("pegs", level="easy", nonsense=1), Error, "nonsense"),
    (lambda: generate("pegs", level="easy", daily="2026-11-16"), Error, "level"),
    (lambda: generate("pegs", level="nonsense"), Error, "level"),
    (lambda: generate("pegs", daily="yesterday"), Error, None),
    *((lambda seed=seed: generate("pegs", seed=seed), ValueError, "seed") for seed in (-1, 2**64, 1.5, "x")),
    (lambda: census("pegs", ["abc"]), Error, "row of pegs"),
    (lambda: census("edge", ["P3"], nonsense=True), Error, "nonsense"),
    (lambda: census("edge", ["P3"], threads=-1), ValueError, "threads"),
    (lambda: census("edge", "P3"), TypeError, "list"),
    (lambda: Puzzle("pegs", INSTANCES / "nowhere.txt"), FileNotFoundError, None),
    (lambda: census("edge", INSTANCES / "nowhere.txt"), FileNotFoundError, None),
    (lambda: Puzzle("pegs", b"\xff\xfe\x00"), UnicodeDecodeError, None),
    (lambda: Puzzle("pegs").search("nonsense"), Error, "nonsense"),
    (lambda: Nim(1).search("bfs"), Error, None),
    *((lambda weight=weight: Puzzle("pegs").search("wastar", weight=weight), ValueError, "weight") for weight in (0.5, 1001, float("nan"), -1)),
    # These calls request features that a game does not have.
    *((lambda ask=ask: getattr(Puzzle("pegs"), ask)(), Error, None) for ask in ("graph", "labels", "kernel", "to_networkx")),
    (lambda: Puzzle("edge").kernel(), Error, None),
    (lambda: kibitzer.solve("pegs").proof_svg(), Error, None),
    (lambda: kibitzer.solve("pegs").hits(), Error, None),
    (lambda: kibitzer.solve("pegs").nonsense, AttributeError, "nonsense"),
    (lambda: kibitzer.solve("pegs")._nonsense, AttributeError, "_nonsense"),
]


@pytest.mark.parametrize("ask, kind, says", REFUSED)
def test_calls_that_are_rejected(ask, kind, says):
    with pytest.raises(kind, match=says) as caught:
        ask()
    assert caught.value.help if isinstance(caught.value, Error) else True


def test_a_plan_above_the_least_cost():
    puzzle = Puzzle("tricolor", INSTANCES / "tricolor" / "source.txt")
    longer = puzzle.check("0\n0\n0\n1\n2\n2\n")
    assert longer.right is True and longer.cost == 6
    assert puzzle.check([0, 0, 0, 1, 2, 2], least=True).right is False and puzzle.check([0, 1, 2, 2], least=True).right is True


def copies(thing):
    return pickle.loads(pickle.dumps(thing)), copy.copy(thing), copy.deepcopy(thing)


def test_errors_are_pickled_and_copied():
    with pytest.raises(Error) as caught:
        Puzzle("tricolor", "colors: RGX; edges: 0-1 1-2")
    error = caught.value
    assert (error.line, error.column) == (1, 11)
    for one in [error, kibitzer.LimitError("a", "b"), kibitzer.InternalError("a"), Error("only"), Error("a", "b", 3, 4)]:
        for again in copies(one):
            assert type(again) is type(one) and again.args == one.args and str(again) == str(one)
            assert (again.message, again.help, again.line, again.column) == (one.message, one.help, one.line, one.column)
    report = kibitzer.solve("pegs", nodes=2)
    again = pickle.loads(pickle.dumps(kibitzer.Interrupted(report)))
    assert isinstance(again, KeyboardInterrupt) and again.report.to_dict() == report.to_dict()


with_options = Puzzle("edge", "P6", misere=True, position=["-", "-", 1, "-", "-", "-"])


@pytest.mark.parametrize("puzzle", [*map(Puzzle, kibitzer.games()), with_options, Nim(3, 4, 5).puzzle(), Line().puzzle()], ids=repr)
def test_puzzles_and_reports_are_pickled_and_copied(puzzle):
    for one in (puzzle, puzzle.play(puzzle.moves()[0])):
        for again in copies(one):
            assert again.board == one.board and again.played == one.played and again.moves() == one.moves()
    report = puzzle.solve()
    for again in copies(report):
        assert again.to_dict() == report.to_dict() and str(again) == str(report) and repr(again) == repr(report)
        assert again.moves == report.moves and again.best == report.best and again.puzzle.board == report.puzzle.board
        assert again.stats == report.stats and again._repr_html_() == report._repr_html_()
        assert again.puzzle.solve().winner == report.winner


def test_census_names_the_line():
    with pytest.raises(Error) as caught:
        census("edge", ["P3", "", "K0", "C4"])
    assert caught.value.line == 3


def test_solve_accepts_all_arguments_of_the_method():
    short, long = inspect.signature(kibitzer.solve).parameters, inspect.signature(Puzzle.solve).parameters
    assert set(long) - {"self"} <= set(short)


def test_unusual_text():
    for text in ("\0", "\ud800", "🂡" * 50, "a" * 10_000, "\r\n\r\n", " " * 1_000, "#" * 1_000):
        for game in kibitzer.games():
            try:
                Puzzle(game, text)
            except (Error, UnicodeEncodeError) as error:
                assert len(str(error)) < 1_000


def test_byte_order_marks(tmp_path):
    """The program and the package accept the byte order mark with which some editors start a file."""
    text = "\ufeffcolors: RR\nedges: 0-1\n"
    file, graphs = tmp_path / "board.txt", tmp_path / "graphs.txt"
    file.write_text(text, encoding="utf-8")
    graphs.write_text("\ufeffP3\nC4\n", encoding="utf-8")
    for board in (file, text, file.read_bytes()):
        assert kibitzer.solve("tricolor", board).cost == 1
    assert [row["n"] for row in census("edge", graphs)] == [3, 4]
