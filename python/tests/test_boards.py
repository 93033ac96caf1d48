"""Boards in every supported form, and conversions back."""

from __future__ import annotations

import io
import json
import string

import networkx as nx
import numpy
import pytest
from hypothesis import given, settings, strategies as st

import kibitzer
from kibitzer import Puzzle
from support import INSTANCES, toggled

PEGS = "....\n.dc.\n.ba.\n....\n"
SOURCE = INSTANCES / "tricolor" / "source.txt"


def test_forms_of_a_board(tmp_path):
    expected = Puzzle("pegs", PEGS).board
    file = tmp_path / "board.txt"
    file.write_text(PEGS, encoding="utf-8")
    cells = [list(row) for row in PEGS.split()]
    texts = [PEGS, PEGS.encode(), file, io.StringIO(PEGS), io.BytesIO(PEGS.encode())]
    with file.open(encoding="utf-8") as text, file.open("rb") as raw:
        for form in [*texts, PEGS.split("\n")[:-1], tuple(PEGS.split()), cells, numpy.array(cells), text, raw]:
            assert Puzzle("pegs", form).board == expected, form
    assert kibitzer.solve("pegs", file).cost == 4


def test_dicts():
    board = {"colour": "red", "pieces": [[0, 0], [0, 1], [-2, 1]], "blocks": [[-1, 0], [-1, 1], [1, 1], [3, -1]]}
    assert kibitzer.solve("chexers", board).cost == 10
    assert kibitzer.solve("chexers", json.dumps(board)).cost == 10
    assert kibitzer.solve("tricolor", {"colors": "GGBRR", "edges": [[0, 1], [0, 2], [1, 2], [1, 3], [1, 4], [2, 3]]}).cost == 4


def test_options():
    assert Puzzle("tricolor", SOURCE, cost="color").solve().cost == 5
    assert Puzzle("moles", "111 111 111", wrap="torus").solve().nullity == 4
    assert Puzzle("edge", "P6", misere=True).solve().winner != Puzzle("edge", "P6").solve().winner
    assert Puzzle("edge", "P6", misere=False).solve().winner == Puzzle("edge", "P6", misere=None).solve().winner
    # Lists are joined with commas.
    assert Puzzle("edge", "P5", position=["-", 2, 1, "-", "-"]).board == Puzzle("edge", "P5", position="-,2,1,-,-").board
    assert Puzzle("edge", graph=nx.path_graph(5)).solve().winner == 1


@given(st.lists(st.text("01", min_size=4, max_size=4), min_size=1, max_size=6))
def test_moles_text_and_back(rows):
    one = Puzzle("moles", "\n".join(rows))
    again = Puzzle("moles", one.board)
    assert again.board == one.board and Puzzle("moles", rows).board == one.board
    array = numpy.array([[int(cell) for cell in row] for row in rows])
    for kind in (bool, numpy.uint8, numpy.int8, numpy.int64, object, numpy.float64):
        assert Puzzle("moles", array.astype(kind)).board == one.board
    assert Puzzle("moles", array.tolist()).board == one.board


@st.composite
def graphs(draw):
    """A graph with named vertices, and a color number for each vertex."""
    nodes = draw(st.lists(st.text(string.ascii_letters + string.digits + "_", min_size=1, max_size=4), min_size=1, max_size=7, unique=True))
    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    pairs = [(u, v) for at, u in enumerate(nodes) for v in nodes[:at]]
    graph.add_edges_from(draw(st.lists(st.sampled_from(pairs), max_size=10)) if pairs else [])
    return graph, {node: draw(st.integers(0, 2)) for node in nodes}


def edge_sets(graph):
    return {frozenset(edge) for edge in graph.edges}


@given(graphs())
def test_tricolor_networkx_and_back(drawn):
    graph, colors = drawn
    nx.set_node_attributes(graph, {node: ["red", "green", "black"][color] for node, color in colors.items()}, "color")
    puzzle = Puzzle("tricolor", graph)
    again = puzzle.to_networkx()
    # Names are kept, unless they only number the nodes, in which case they become numbers from 0.
    nodes = list(graph)
    counted = any([int(name) if name.isdigit() else None for name in nodes] == [*range(first, first + len(nodes))] for first in (0, 1))
    expected = nx.relabel_nodes(graph, {node: at for at, node in enumerate(nodes)}) if counted else graph
    assert dict(again.nodes(data="color")) == dict(expected.nodes(data="color")) and edge_sets(again) == edge_sets(expected)
    assert Puzzle("tricolor", again).board == puzzle.board


@given(graphs())
def test_edge_networkx_and_back(drawn):
    graph, _ = drawn
    puzzle, last = Puzzle("edge", graph), list(graph)[-1]
    again = puzzle.to_networkx()
    assert list(again) == list(graph) and edge_sets(again) == edge_sets(graph)
    assert Puzzle("edge", again).board == puzzle.board
    # Color one vertex, by name.
    graph.nodes[last]["color"] = 1
    colored = Puzzle("edge", graph, colors=6)
    assert dict(colored.to_networkx().nodes(data="color")) == {node: 1 if node == last else None for node in graph}


@given(graphs())
def test_moles_networkx_and_back(drawn):
    graph, colors = drawn
    moles = {node: color % 2 for node, color in colors.items()}
    nx.set_node_attributes(graph, moles, "mole")
    puzzle = Puzzle("moles", graph)
    again = puzzle.to_networkx()
    assert dict(again.nodes(data="mole")) == moles and edge_sets(again) == edge_sets(graph)
    # Replay the answer by the definition of a hit.
    report = puzzle.solve()
    if report.solved:
        for hole in report.moves:
            node = hole if hole in moles else list(graph)[int(hole) - 1]
            for other in (node, *graph[node]):
                moles[other] ^= 1
        assert not any(moles.values())


def test_graphs_in_every_form():
    cycle = nx.cycle_graph(5)
    matrix = nx.to_numpy_array(cycle, dtype=int)
    forms = [
        "C5", cycle, nx.MultiGraph(cycle), matrix, matrix.astype(bool), matrix.astype(float), list(cycle.edges), sorted(cycle.edges)[::-1],
        nx.to_graph6_bytes(cycle, header=False).decode().strip(), nx.to_dict_of_lists(cycle), matrix.tolist(),
    ]  # fmt: skip
    for form in forms:
        assert kibitzer.edcn(form)["edcn"] == 3, form
        assert kibitzer.edcn(form)["edges"] == 5, form
        assert Puzzle("edge", graph=form).solve().winner == 1
        assert Puzzle("edge", form).solve().winner == 1, form
    rows = kibitzer.census("edge", forms)
    assert [(row["n"], row["m"], row["winner"]) for row in rows] == [(5, 5, 1)] * len(forms)
    multi = nx.MultiGraph([(0, 1), (0, 1), (1, 0)])
    assert kibitzer.edcn(multi)["edges"] == 1


def colored(graph, color="red"):
    nx.set_node_attributes(graph, color, "color")
    return graph


#: Graphs that a game rejects, with part of the message; None if the message comes from the Rust library.
REFUSED = [
    *((game, nx.DiGraph([(0, 1)]), "directed") for game in ("edge", "tricolor", "moles", "pegs")),
    *((game, colored(nx.Graph([(0, 0), (0, 1)])), None) for game in ("edge", "tricolor", "moles")),
    # In tricolor, vertices with the same name are numbered.
    *((game, nx.Graph([(0, "0")]), None) for game in ("edge", "moles")),
    ("tricolor", nx.path_graph(3), "color"),
    ("tricolor", colored(nx.path_graph(3), "blue"), "blue"),
    ("pegs", nx.path_graph(3), "no graph"),
]


@pytest.mark.parametrize("game, graph, says", REFUSED)
def test_graphs_that_are_rejected(game, graph, says):
    with pytest.raises(kibitzer.Error, match=says) as caught:
        Puzzle(game, graph)
    assert caught.value.help


@pytest.mark.parametrize("colors", [False, True])
@pytest.mark.parametrize("graph", [nx.grid_graph((2, 2)), nx.Graph([("a b", "c,d")]), nx.Graph([("a:b", "é")]), nx.Graph([(1.5, -2)])], ids=["tuples", "spaces", "colons", "numbers"])
@pytest.mark.parametrize("game", ["edge", "moles"])
def test_names_are_kept_or_rejected(graph, game, colors):
    """Vertex names are kept, or rejected with an error that mentions one of them, but never mixed up."""
    graph = graph.copy()
    if colors:
        graph.nodes[next(iter(graph))]["color" if game == "edge" else "mole"] = 1
    try:
        again = Puzzle(game, graph).to_networkx()
    except kibitzer.Error as error:
        assert any(str(node) in error.message for node in graph), error
        assert error.help
    else:
        # Vertices of a grid, such as (0, 1), are named 0_1.
        name = lambda node: "_".join(map(str, node)) if isinstance(node, tuple) else str(node)
        assert edge_sets(again) == {frozenset(map(name, edge)) for edge in graph.edges}


@pytest.mark.parametrize(
    "board",
    [5, object(), {1, 2}, iter("01"), [[0.5, 1], [1, 1]], [[0, float("nan")]], [[-1, 0]], [[36]], [[0, 1], [1]], [[]], [], [[None]],
     numpy.array(1), numpy.zeros((0, 5), bool), numpy.zeros((5, 0), bool), numpy.array([["2024-01-01"]], "datetime64[D]")],
)  # fmt: skip
def test_values_that_are_not_boards(board):
    """The message is about the board, not about the package's internals."""
    with pytest.raises((kibitzer.Error, TypeError)) as caught:
        Puzzle("moles", board)
    if type(caught.value) is TypeError:
        assert "board" in str(caught.value) or "cell" in str(caught.value), caught.value


# Large boards. Boards with more than 2**22 cells are never converted to text.


def random_hits(rows, columns, seed=0):
    return numpy.random.default_rng(seed).integers(0, 2, (rows, columns)).astype(bool)


def multiplied_back(board, report):
    """Checks the hits that clear a board, or the proof that it cannot be cleared."""
    cells = report.hits()
    assert cells.shape == board.shape and cells.dtype == bool
    assert (numpy.unpackbits(report.hits(packed=True), axis=1, count=board.shape[1]) == cells).all()
    if report.solved:
        assert (toggled(cells) == board).all() and report.cost == cells.sum()
    else:
        # Every hit toggles an even number of these cells, and an odd number of them are moles.
        assert not toggled(cells).any() and (cells & board).sum() % 2 == 1
    return cells


@pytest.mark.parametrize("rows, columns", [(101, 101), (1, 20_000), (20_000, 1), (37, 300), (129, 127), (200, 64), (64, 200), (333, 65), (2_050, 2_051), (70_001, 63), (63, 70_001), pytest.param(5, 900_001, marks=pytest.mark.slow)])
def test_large_boards_multiplied_back(rows, columns):
    board = toggled(random_hits(rows, columns))
    puzzle = Puzzle("moles", board)
    report = puzzle.solve()
    assert report.solved and report.verdict == "solved" and report.stats.seconds >= 0
    hits = multiplied_back(board, report)
    packed = Puzzle("moles", numpy.packbits(board, axis=1), columns=columns).solve()
    assert (packed.hits() == hits).all()
    assert {**packed.to_dict(), "stats": 0} == {**report.to_dict(), "stats": 0}
    # The largest boards have no text and no list of moves, but all have a repr.
    assert "moles" in repr(puzzle) and "moles" in repr(report) and report._repr_html_()


def test_large_board_without_solution():
    # If 5 divides n + 1, some patterns change nothing, and a board that is not orthogonal to all of them cannot be cleared.
    boards = [random_hits(2_049, 2_049, seed) for seed in range(4)]
    reports = [Puzzle("moles", board).solve() for board in boards]
    for board, report in zip(boards, reports):
        multiplied_back(board, report)
    assert "unsolvable" in {report.verdict for report in reports}


@settings(max_examples=40)
@given(st.integers(1, 40), st.integers(1, 140), st.integers(0, 2**31))
def test_packed_equals_bool(rows, columns, seed):
    board = toggled(random_hits(rows, columns, seed))
    packed = numpy.packbits(board, axis=1)
    one, other = Puzzle("moles", board), Puzzle("moles", packed, columns=columns)
    first, second = one.solve(nodes=100_000), other.solve(nodes=100_000)
    assert one.board == other.board
    assert first.moves == second.moves and first.solved
    assert (toggled(first.hits()) == board).all() if first.verdict == "solved" else True
    # Bits beyond the last column are ignored.
    if columns % 8:
        noisy = packed.copy()
        noisy[:, -1] |= (1 << (8 - columns % 8)) - 1
        assert Puzzle("moles", noisy, columns=columns).board == one.board


@pytest.mark.parametrize("size", [(6, 9), (110, 131), pytest.param((2_050, 2_051), marks=pytest.mark.slow)], ids=["small", "medium", "large"])
def test_memory_layouts(size):
    base = toggled(random_hits(*size))
    inside = numpy.ones((3 * size[0] + 4, 2 * size[1] + 6), bool)
    inside[2:-2:3, 3:-3:2] = base
    frozen = base.copy()
    frozen.setflags(write=False)
    forms = {
        "strided": inside[2:-2:3, 3:-3:2], "mirrored": numpy.ascontiguousarray(base[::-1, ::-1])[::-1, ::-1], "fortran": numpy.asfortranarray(base),
        "read-only": frozen, "int64": base.astype(numpy.int64), "view": base.view(numpy.uint8),
    }  # fmt: skip
    expected = Puzzle("moles", base).solve().hits()
    for form, array in forms.items():
        assert (array.astype(bool) == base).all()
        assert (Puzzle("moles", array).solve().hits() == expected).all(), form


def test_the_board_is_copied():
    board = toggled(random_hits(110, 110))
    puzzle, before = Puzzle("moles", board), board.copy()
    expected = puzzle.solve().hits()
    assert (board == before).all()
    board[:] = False
    assert (puzzle.solve().hits() == expected).all()


@pytest.mark.parametrize("size", [(5, 5), (110, 110), (2_050, 2_051)], ids=["small", "medium", "large"])
def test_arrays_that_are_rejected(size):
    good = numpy.zeros(size, numpy.uint8)
    three = numpy.zeros((*size, 2), bool)
    deep = good.copy()
    deep[2, 2] = 40
    negative = good.astype(numpy.int8)
    negative[0, 0] = -1
    half = good.astype(float)
    half[1, 1] = 0.5
    for array in (three, deep, negative, half, good.astype(complex), good[0]):
        with pytest.raises((ValueError, TypeError)):
            Puzzle("moles", array)
    for columns in (size[1] * 8 + 1, size[1] * 8 - 8, 0, -3, 10**30):
        with pytest.raises(ValueError):
            Puzzle("moles", good, columns=columns)
    with pytest.raises((ValueError, TypeError)):
        Puzzle("moles", "01 11", columns=2)
    with pytest.raises(kibitzer.Error):
        Puzzle("pegs", numpy.zeros((110, 110), numpy.uint8), columns=880)


def test_large_boards_can_only_be_solved():
    puzzle = Puzzle("moles", toggled(random_hits(2_050, 2_051)))
    for ask in (puzzle.moves, puzzle.explore, puzzle.search, puzzle.svg, lambda: puzzle.board, lambda: puzzle.play(1), lambda: str(puzzle), lambda: puzzle.solve("bfs")):
        with pytest.raises(kibitzer.Error) as caught:
            ask()
        assert caught.value.help
    assert puzzle._repr_svg_() is None and "2050 x 2051" in repr(puzzle).replace(",", "")


def test_puzzles_do_not_change():
    puzzle = Puzzle("tricolor", SOURCE)
    board = puzzle.board
    puzzle.play(1).play(2, 3)
    puzzle.solve()
    assert puzzle.board == board and puzzle.played == []
    assert puzzle.play(1, 2, 3).board == puzzle.play(1).play("2").play(3).board
    assert puzzle.play().board == board
    assert puzzle.cost([0, 1, 2, 2]) == 4 and puzzle.play(0, 1, 2, 2).is_goal()
