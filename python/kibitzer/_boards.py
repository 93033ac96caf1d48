"""Converts boards and graphs from text, files, lists, arrays and networkx graphs, and back."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import Error

if TYPE_CHECKING:
    import networkx

#: Matches text that looks like a file name and is not a board in any game.
_FILE_NAME = re.compile(r"\A[^\n{}\[\]]+\.(txt|json|pbm|g6|s6|gml|graphml|dot|col|edgelist|adjlist|md|csv)\Z")

#: Matches vertex names that tricolor can read.
_NAME = re.compile(r"[\w.']+")

#: Color names in graphs, with tricolor's letters for them.
_COLORS = {"red": "R", "green": "G", "black": "B", "r": "R", "g": "G", "b": "B"}


def is_graph(value: object) -> bool:
    """True for networkx graphs and objects that look like one."""
    return all(hasattr(value, name) for name in ("nodes", "edges", "adj", "is_directed"))


def is_array(value: object) -> bool:
    """True for NumPy arrays and similar objects."""
    return hasattr(value, "__array_interface__") and hasattr(value, "shape")


#: Maximum number of cells in an array that is converted to text cell by cell.
_SMALL = 10_000


def to_bits(game: str, board: Any, columns: int | None) -> _native.Bits | None:
    """Reads a large array of 0 and 1, or a packed array with ``columns`` cells per row. Returns None for other arrays."""
    if columns is None and (len(board.shape) != 2 or board.shape[0] * board.shape[1] <= _SMALL or game in GRAPH_BOARDS):
        return None
    import numpy

    array: Any = numpy.asarray(board)
    if columns is not None:
        if array.ndim != 2 or array.dtype.itemsize != 1 or array.dtype.kind not in "biu":
            raise ValueError("a packed board must be a two-dimensional array of uint8")
        return _native.Bits(array.shape[0], columns, array.tobytes())
    if array.dtype.kind not in "biuf" or array.dtype.kind != "b" and not ((array == 0) | (array == 1)).all():
        return None
    rows, cells = array.shape
    return _native.Bits(rows, cells, numpy.packbits(array.astype(bool, copy=False), axis=1).tobytes())


def graph_text(graph: object) -> str:
    """Converts a graph to text that every game on graphs can read.

    >>> graph_text([(0, 1), (1, 2)])
    '{"vertices":["0","1","2"],"edges":[["0","1"],["1","2"]]}'
    """
    if isinstance(graph, str):
        return graph
    if isinstance(graph, os.PathLike):
        return Path(graph).read_text(encoding="utf-8-sig").strip()
    if is_graph(graph):
        any_graph: Any = graph
        if any_graph.is_directed():
            raise Error("the graph is directed", "pass graph.to_undirected()")
        # Parallel edges count once. Edges of a multigraph are triples that also contain a key.
        pairs = {frozenset((u, v)): (u, v) for u, v in (edge[:2] for edge in any_graph.edges)}
        return _vertices_and_edges(list(any_graph.nodes), list(pairs.values()))
    if is_array(graph):
        return _matrix(graph)
    if isinstance(graph, Mapping):
        neighbors: Mapping[Any, Iterable[Any]] = graph
        pairs = {frozenset((u, v)): (u, v) for u, others in neighbors.items() for v in others}
        return _vertices_and_edges(list(neighbors), list(pairs.values()))
    if isinstance(graph, Sequence):
        rows: list[Any] = list(graph)
        if rows and all(isinstance(row, tuple) and len(row) == 2 for row in rows):
            vertices = sorted({end for row in rows for end in row}, key=lambda end: (isinstance(end, str), end))
            return _vertices_and_edges(vertices, rows)
        return "\n".join(" ".join(str(int(cell)) for cell in row) for row in rows)
    raise TypeError(f"cannot read a graph from {type(graph).__name__}; pass a string, a list of edges or a networkx graph")


def _vertices_and_edges(vertices: list[Any], edges: list[tuple[Any, Any]]) -> str:
    named = {"vertices": [_name(vertex) for vertex in vertices], "edges": [[_name(u), _name(v)] for u, v in edges]}
    return json.dumps(named, separators=(",", ":"))


def _name(vertex: Any) -> str:
    """Returns the name of a vertex as it is written in text. A vertex of a networkx grid, such as (0, 1), is named 0_1."""
    return "_".join(str(part) for part in vertex) if isinstance(vertex, tuple) else str(vertex)


def _matrix(array: Any) -> str:
    if len(array.shape) != 2 or array.shape[0] != array.shape[1]:
        raise Error(f"the matrix of a graph must be square, not {array.shape}", "use the same vertices for rows and columns")
    rows = array.tolist()
    for at, row in enumerate(rows):
        wrong = next((cell for cell in row if cell not in (0, 1)), None)
        if wrong is not None:
            raise Error(f"the matrix of a graph has {wrong!r} in row {at}", "its entries must be 0 or 1; pass (matrix != 0)")
        if row[at]:
            raise Error(f"a loop: vertex {at} is adjacent to itself", "set the diagonal to 0")
    return "\n".join(" ".join(str(int(cell)) for cell in row) for row in rows)


def option_texts(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """Converts the values of options to strings: True becomes yes, and lists are joined with commas."""
    return [(name, _option(name, value)) for name, value in options.items() if value is not None]


def _option(name: str, value: object) -> str:
    if name == "graph":
        return graph_text(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        items: Sequence[object] = value
        return ",".join(str(item) for item in items)
    return str(value)


def to_text(game: str, board: object) -> str | None:
    """Returns a board as text, or the name of a board that comes with the game. Returns None for the game's sample board.

    >>> to_text("moles", [[0, 1], [1, 0]])
    '01\\n10'
    """
    if board is None:
        return None
    if isinstance(board, os.PathLike):
        return _lines(Path(board).read_text(encoding="utf-8-sig"))
    if hasattr(board, "read"):
        reader: Any = board
        board = reader.read()
        board = _lines(board) if isinstance(board, str) else board
    if isinstance(board, (bytes, bytearray)):
        return _lines(board.decode("utf-8-sig"))
    if isinstance(board, str):
        if _FILE_NAME.search(board) or len(board) < 256 and "\n" not in board and "." in board.strip(".") and os.path.isfile(board):
            raise Error(f"{board!r} looks like a file name", "pass a path: pathlib.Path(...)")
        # Some editors write a byte order mark.
        return board.removeprefix("\ufeff")
    if is_graph(board):
        return _graph_board(game, board)
    on_graph = game in GRAPH_BOARDS
    if isinstance(board, Mapping):
        # The dict is a graph as lists of neighbors, or a board in its JSON form.
        return graph_text(board) if on_graph and not all(isinstance(key, str) for key in board) else json.dumps(board)
    if is_array(board):
        array: Any = board
        if on_graph:
            return graph_text(array)
        if len(array.shape) != 2:
            raise Error(f"a board must have 2 dimensions, not {len(array.shape)}", "pass a two-dimensional array")
        return "\n".join("".join(_digit(cell) for cell in row) for row in array.tolist())
    if isinstance(board, Sequence):
        rows: list[Any] = list(board)
        if all(isinstance(row, str) for row in rows):
            return _lines("\n".join(rows))
        if on_graph:
            return graph_text(rows)
        return "\n".join(row if isinstance(row, str) else "".join(_digit(cell) for cell in row) for row in rows)
    if hasattr(board, "to_numpy"):
        raise TypeError(f"cannot read a board from {type(board).__name__}; pass .to_numpy()")
    raise TypeError(f"cannot read a board from {type(board).__name__}")


def _lines(text: str) -> str:
    """Adds a newline to the text of a board with a single row, so that the row is not mistaken for the name of a board."""
    return text if "\n" in text else text + "\n"


#: Games whose boards may consist of only a graph.
GRAPH_BOARDS = frozenset({"edge"})


def _digit(cell: object) -> str:
    """Converts a cell of a grid to text: a string stays unchanged, and a number below 36 becomes one character."""
    if isinstance(cell, str):
        return cell
    if hasattr(cell, "item"):
        # `item` converts a NumPy number to a Python number.
        number_like: Any = cell
        cell = number_like.item()
    number = int(cell) if isinstance(cell, int) or isinstance(cell, float) and cell.is_integer() else -1
    if number != cell or not 0 <= number < 36:
        raise Error(f"a cell cannot be {cell!r}", "cells must be whole numbers from 0 to 35, or characters")
    return "0123456789abcdefghijklmnopqrstuvwxyz"[number]


def _graph_board(game: str, graph: Any) -> str:
    text = graph_text(graph)
    if game == "tricolor":
        place = {node: at for at, node in enumerate(graph.nodes)}
        colors = ""
        for node, color in graph.nodes(data="color"):
            known = _COLORS.get(str(color).lower())
            if known is None:
                raise Error(f"vertex {node!r} has the color {color!r}", "set its attribute `color` to red, green or black")
            colors += known
        names = [_name(node) for node in graph.nodes]
        # The names of the nodes are kept if tricolor can read them; otherwise, vertices are numbered in node order.
        if len({*names}) == len(names) and all(_NAME.fullmatch(name) for name in names):
            return json.dumps({"colors": colors, "graph": json.loads(text)})
        edges = [[place[u], place[v]] for u, v in (edge[:2] for edge in graph.edges)]
        return json.dumps({"colors": colors, "edges": edges})
    if game == "edge":
        entries = ["-" if color is None else str(color) for _, color in graph.nodes(data="color")]
        if set(entries) <= {"-"}:
            return text
        return f"graph: {_neighbors(graph)}\nposition: {','.join(entries)}\n"
    if game == "moles":
        cells = "".join(str(int(mole or 0)) for _, mole in graph.nodes(data="mole"))
        return f"graph: {_neighbors(graph)}\nboard: {cells}\n"
    raise Error(f"{game} boards have no graph", "pass the board as text")


def _neighbors(graph: Any) -> str:
    for node in graph.nodes:
        if not _name(node) or set(_name(node)) & set(" ,:;#\n\t"):
            help = "rename the vertices, for example with networkx.convert_node_labels_to_integers(graph)"
            raise Error(f"the vertex name {_name(node)!r} is empty or contains a space or a special character", help)
    return " ".join(f"{_name(node)}:{','.join(_name(other) for other in graph.adj[node])}" for node in graph.nodes)


def to_networkx(game: str, instance: str) -> networkx.Graph[Any]:
    """Returns the graph of a board as a networkx graph, with colors or moles as vertex attributes."""
    import networkx as nx

    lines = dict(line.split(":", 1) for line in instance.splitlines() if ":" in line)
    text = lines.get("graph", lines.get("edges", "")).strip()
    colors = lines.get("colors", "").strip() if game == "tricolor" else ""
    if not text and not colors:
        raise Error(f"this {game} board has no graph", "edge and tricolor boards have graphs, as do moles boards with the option `graph`")
    names, edges = _native.read_graph(text) if text else ([], [])
    # In tricolor, vertices are numbers unless the graph names them.
    named = game != "tricolor" or "graph" in lines
    nodes: list[Any] = [*names] if named else [*range(len(colors))]
    ends: list[Any] = nodes if named else [int(name) for name in names]
    graph: networkx.Graph[Any] = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from((ends[u], ends[v]) for u, v in edges)
    values: list[Any] = []
    if game == "tricolor":
        values = [{"R": "red", "G": "green", "B": "black"}[color] for color in colors]
    elif game == "edge":
        values = [int(entry) if entry.strip().isdigit() else None for entry in lines.get("position", "").split(",")]
    elif game == "moles":
        values = [int(cell, 36) for cell in lines.get("board", "").strip()]
    for node, value in zip(nodes, values):
        if value is not None:
            graph.nodes[node]["mole" if game == "moles" else "color"] = value
    return graph
