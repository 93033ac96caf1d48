"""Errors: the program's own sentences, their remedies, and the place in the board's text."""

from __future__ import annotations

import copy
import pickle
import re

import numpy
import pytest

import kibitzer
from kibitzer import Error, Puzzle
from support import INSTANCES
from test_game import Nim
from test_hostile import Line
from test_problem import Jugs

BAD_BOARDS = [
    ("tricolor", "colors: RGX\nedges: 0-1 1-2\n"),
    ("tricolor", "edges: 0-1\n"),
    ("tricolor", "{\"colors\": \"RG\", \"edges\": [[0, 1]"),
    ("tricolor", '{"colors": "RG", "edges": [[0, 9]]}'),
    ("pegs", ".a.\n.b\n"),
    ("pegs", "a!b\n...\n"),
    ("edge", "K99999"),
    ("edge", "graph: P3\nposition: 9,9,9\n"),
    ("moles", "012\n01\n"),
    ("moles", "size: 0x3\n"),
    ("chexers", "{}"),
    ("chexers", '{"colour": "red",\n "pieces": [[0, 0]],\n "blocks": [[0, 0]]}'),
]


def in_python(remedy):
    """A remedy of the command line, in the words of Python."""
    remedy = re.sub(r"--option (\w+)=", r"\1=", remedy)
    return re.sub(r"--method ([\w:]+)", r'method="\1"', remedy)


@pytest.mark.parametrize("game, text", BAD_BOARDS)
def test_boards(game, text, program):
    sentence, remedy = program.error("solve", game, "-", text=text)
    with pytest.raises(Error) as caught:
        Puzzle(game, text)
    error = caught.value
    # The program names its input where the place is not known by line and column.
    assert error.message in sentence
    assert error.help == in_python(remedy) and str(error) == f"{error.message}\n  help: {error.help}"
    if error.line is not None:
        assert f"line {error.line}, column {error.column}" in error.message
        lines = text.split("\n")
        assert 1 <= error.line <= len(lines) and 1 <= error.column <= len(lines[error.line - 1]) + 1
    else:
        assert error.column is None and "line " not in error.message
    assert isinstance(error, ValueError) and type(error) is Error


@pytest.mark.parametrize(
    "game, options",
    [("tricolor", {"nonsense": 1}), ("tricolor", {"cost": "nonsense"}), ("pegs", {"jump": "triple"}), ("pegs", {"costs": [1, 2]}), ("pegs", {"costs": "-1,0,0,0"}), ("edge", {"colors": 0}),
     ("edge", {"colors": 1000}), ("edge", {"colors": "x"}), ("moles", {"wrap": "sphere"}), ("moles", {"states": 1}), ("moles", {"graph": "P0"}), ("chexers", {"radius": -1}), ("chexers", {"radius": 1.5})],
)  # fmt: skip
def test_options(game, options, program):
    name, value = next(iter(options.items()))
    text = ",".join(map(str, value)) if isinstance(value, list) else value
    sentence, remedy = program.error("solve", game, "-O", f"{name}={text}")
    with pytest.raises(Error) as caught:
        Puzzle(game, **options)
    assert caught.value.message in sentence and caught.value.help == in_python(remedy)


@pytest.mark.parametrize("game", kibitzer.games())
@pytest.mark.parametrize("method", ["nonsense", "", "astar:nonsense", "bfs:relaxed", ":", "x" * 500])
def test_methods(game, method, program):
    sentence, remedy = program.error("solve", game, "--method", method)
    puzzle = Puzzle(game)
    for ask in (puzzle.solve, puzzle.search, puzzle.trace, lambda name: puzzle.compare([name])):
        with pytest.raises(Error) as caught:
            ask(method)
        assert caught.value.message == sentence and caught.value.help == in_python(remedy)


@pytest.mark.parametrize("game", ["nonsense", "", "Pegs", "pegs ", "x" * 300, "\0"])
def test_games(game):
    for ask in (lambda: Puzzle(game), lambda: kibitzer.solve(game), lambda: kibitzer.about(game), lambda: kibitzer.instances(game), lambda: kibitzer.generate(game), lambda: kibitzer.census(game, ["P3"]), lambda: kibitzer.kernel(game)):
        with pytest.raises(Error, match="no game") as caught:
            ask()
        assert "tricolor, pegs, edge, moles, chexers" in str(caught.value)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("game", [5, None, b"pegs", ["pegs"], object(), kibitzer.Problem])
def test_games_of_a_wrong_type(game):
    with pytest.raises(TypeError) as caught:
        Puzzle(game)
    assert "game" in str(caught.value) or "Problem" in str(caught.value)


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
    for board in ({"board": "a board"}, {"radius": 3}):
        with pytest.raises(TypeError):
            Puzzle(Jugs((3, 5), 4), **board)


LIMITS = [
    ("time", 0), ("time", -1), ("time", float("nan")), ("time", "3"), ("time", []), ("time", float("-inf")),
    ("memory", -1), ("memory", "-1"), ("memory", "2 apples"), ("memory", ""), ("memory", "G"), ("memory", 1.5), ("memory", []), ("memory", "1e3"), ("memory", "nan"),
    ("nodes", -1), ("nodes", 1.5), ("nodes", "3"), ("nodes", []),
]  # fmt: skip


@pytest.mark.parametrize("name, value", LIMITS, ids=lambda value: repr(value))
def test_limits_that_cannot_be(name, value):
    """Each is refused by name, wherever it is given, before anything runs."""
    puzzle = Puzzle("pegs")
    asks = [puzzle.solve, puzzle.trace, puzzle.explore, puzzle.compare, Jugs((3, 5), 4).solve, lambda **limits: kibitzer.solve("pegs", **limits), puzzle.search().run]
    if name != "memory":
        asks.append(lambda **limits: kibitzer.census("edge", ["P3"], **limits))
    for ask in asks:
        with pytest.raises((ValueError, TypeError)) as caught:
            ask(**{name: value})
        assert f"`{name}`" in str(caught.value) or f"'{name}'" in str(caught.value), caught.value


UNREACHED = [
    {"time": float("inf")}, {"time": 1e300}, {"time": 10**400}, {"time": numpy.float32(60)}, {"memory": 2**70}, {"memory": "99999999999T"}, {"memory": "2G"},
    {"memory": "1.5g"}, {"memory": " 512 MiB "}, {"memory": "100000K"}, {"memory": numpy.int64(10**9)}, {"nodes": 2**70}, {"nodes": 2**63}, {"nodes": numpy.int64(10**9)},
]  # fmt: skip


@pytest.mark.parametrize("limits", UNREACHED, ids=repr)
def test_limits_that_are_never_reached(limits):
    assert Puzzle("pegs").solve(**limits).cost == Puzzle("pegs").search().run(**limits).cost == 4


@pytest.mark.parametrize("progress", [5, "bar", object()])
def test_progress_that_cannot_be(progress):
    with pytest.raises(TypeError):
        kibitzer.solve("pegs", progress=progress)


@pytest.mark.parametrize("answer", ["", "{", '{"moves": 5}', '{"nonsense": 1}', {"nonsense": 1}, {"game": "pegs", "moves": []}, 5, None, object()], ids=repr)
def test_answers_that_cannot_be_read(answer):
    with pytest.raises((Error, TypeError)):
        Puzzle("tricolor").check(answer)


def test_answers_that_are_wrong():
    puzzle = Puzzle("tricolor", INSTANCES / "tricolor" / "source.txt")
    assert puzzle.check([0, 1, 2, 2]).right is True
    assert puzzle.check([0, 1, 2]).right is False
    assert puzzle.check([0, 99]).right is False
    long = puzzle.check([0, 0, 0, 1, 2, 2])
    assert long.right is True and long.cost == 6
    assert puzzle.check([0, 0, 0, 1, 2, 2], least=True).right is False
    assert puzzle.check([0, 1, 2, 2], least=True).right is True
    assert puzzle.check({"moves": [0, 1, 2, 2], "cost": 5}).right is False
    assert puzzle.check({"moves": [0], "cost": "x"}).right is False
    assert puzzle.check("nonsense").right is False
    assert puzzle.check("0\n1\n2\n2\n").right is True


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


@pytest.mark.parametrize("puzzle", [*map(Puzzle, kibitzer.games()), Nim(3, 4, 5).puzzle(), Line().puzzle()], ids=lambda puzzle: puzzle.game)
def test_puzzles_and_reports_are_pickled_and_copied(puzzle):
    for one in (puzzle, puzzle.play(puzzle.moves()[0])):
        for again in copies(one):
            assert again.board == one.board and again.played == one.played and again.moves() == one.moves()
    report = puzzle.solve()
    for again in copies(report):
        assert again.to_dict() == report.to_dict() and str(again) == str(report) and repr(again) == repr(report)
        assert again.moves == report.moves and again.best == report.best and again.puzzle.board == report.puzzle.board
        assert again.stats == report.stats and again._repr_html_() == report._repr_html_()


def test_options_are_pickled():
    option = Puzzle("edge", "P6", misere=True, position=["-", "-", 1, "-", "-", "-"])
    assert pickle.loads(pickle.dumps(option)).solve().winner == option.solve().winner


def test_generated_boards():
    with pytest.raises(Error):
        kibitzer.generate("pegs", nonsense=1)
    with pytest.raises((Error, TypeError)):
        kibitzer.generate("pegs", level="easy", nonsense=1)
    with pytest.raises(Error, match="level"):
        kibitzer.generate("pegs", level="nonsense")
    with pytest.raises(Error):
        kibitzer.generate("pegs", daily="yesterday")
    for seed in (-1, 2**64, 1.5, "x"):
        with pytest.raises((Error, TypeError, ValueError)) as caught:
            kibitzer.generate("pegs", seed=seed)
        assert "seed" in str(caught.value)


def test_census_names_the_line():
    with pytest.raises(Error) as caught:
        kibitzer.census("edge", ["P3", "", "K0", "C4"])
    assert caught.value.line == 3
    with pytest.raises(Error, match="census"):
        kibitzer.census("pegs", ["abc"])
    with pytest.raises(Error):
        kibitzer.census("edge", ["P3"], nonsense=True)
    with pytest.raises((Error, ValueError, TypeError)):
        kibitzer.census("edge", ["P3"], threads=-1)
    with pytest.raises(TypeError, match="list"):
        kibitzer.census("edge", "P3")


def test_the_short_form_takes_everything():
    import inspect

    short, long = inspect.signature(kibitzer.solve).parameters, inspect.signature(Puzzle.solve).parameters
    assert set(long) - {"self"} <= set(short)


def test_what_a_game_does_not_have():
    for ask in (lambda: Puzzle("pegs").graph(), lambda: Puzzle("pegs").kernel(), lambda: Puzzle("pegs").to_networkx(), lambda: kibitzer.solve("pegs").proof_svg(), lambda: Puzzle("edge").kernel()):
        with pytest.raises(Error) as caught:
            ask()
        assert caught.value.help
    with pytest.raises(AttributeError, match="nonsense"):
        kibitzer.solve("pegs").nonsense  # noqa: B018
    assert not hasattr(kibitzer.solve("pegs"), "_nonsense")


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        Puzzle("pegs", tmp_path / "nowhere.txt")
    with pytest.raises(FileNotFoundError):
        kibitzer.census("edge", tmp_path / "nowhere.txt")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises((Error, UnicodeDecodeError)):
        Puzzle("pegs", binary)


def test_texts_of_every_kind():
    for text in ("\0", "\ud800", "🂡" * 50, "a" * 10_000, "\r\n\r\n", " " * 1_000, "#" * 1_000):
        for game in kibitzer.games():
            try:
                Puzzle(game, text)
            except (Error, UnicodeEncodeError) as error:
                assert len(str(error)) < 1_000


def test_byte_order_marks(tmp_path):
    """Some editors begin a file with one; the program does not mind either."""
    text = "\ufeffcolors: RR\nedges: 0-1\n"
    file = tmp_path / "board.txt"
    file.write_text(text, encoding="utf-8")
    graphs = tmp_path / "graphs.txt"
    graphs.write_text("\ufeffP3\nC4\n", encoding="utf-8")
    assert kibitzer.solve("tricolor", file).cost == kibitzer.solve("tricolor", text).cost == 1
    with file.open("rb") as raw:
        assert kibitzer.solve("tricolor", raw).cost == 1
    assert [row["n"] for row in kibitzer.census("edge", graphs)] == [3, 4]
