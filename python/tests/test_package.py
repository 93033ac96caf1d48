"""Tests the package as a whole: its dependencies, types and documentation, and that it leaks no memory."""

from __future__ import annotations

import inspect
import re
import sys
from functools import cached_property
from pathlib import Path

import pandas
import polars
import pytest

import kibitzer
from support import ROOT, python

PACKAGE = Path(kibitzer.__file__).parent


def test_version():
    cargo = (ROOT / "python" / "Cargo.toml").read_text(encoding="utf-8")
    assert kibitzer.__version__ == re.search(r'^version = "(.*)"', cargo, re.MULTILINE)[1]


def test_the_type_stub():
    """The type stub lists everything in the native module, and nothing else."""
    from kibitzer import _native

    assert (PACKAGE / "py.typed").is_file()
    text = (PACKAGE / "_native.pyi").read_text(encoding="utf-8")
    typed = set(re.findall(r"^(?:def|class) (\w+)", text, re.MULTILINE)) | set(re.findall(r"^([A-Z]+):", text, re.MULTILINE))
    assert {name for name in vars(_native) if not name.startswith("__")} == typed
    for name in re.findall(r"^class (\w+)", text, re.MULTILINE):
        block = re.search(rf"^class {name}:\n((?:    .*\n|\n)+)", text, re.MULTILINE)[1]
        methods = set(re.findall(r"def (\w+)", block)) - {"__init__"}
        known = {method for method in vars(getattr(_native, name)) if not method.startswith("__") or method in ("__len__",)}
        assert methods == known, name


def test_all_is_complete():
    public = {name for name, value in vars(kibitzer).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert public | {"__version__"} == set(kibitzer.__all__)
    assert kibitzer.__all__ == sorted(kibitzer.__all__)
    namespace: dict[str, object] = {}
    exec("from kibitzer import *", namespace)
    assert set(kibitzer.__all__) <= set(namespace)


def documented():
    for name in kibitzer.__all__:
        value = getattr(kibitzer, name)
        if inspect.isclass(value):
            yield name, value
            for inner, member in vars(value).items():
                if not inner.startswith("_") and (callable(member) or isinstance(member, (property, cached_property, classmethod))):
                    yield f"{name}.{inner}", member
        elif callable(value):
            yield name, value


@pytest.mark.parametrize("name, value", list(documented()), ids=lambda value: value if isinstance(value, str) else "")
def test_docstrings(name, value):
    text = inspect.getdoc(value)
    assert text and (text[0].isupper() or text[0] in "`12"), name
    paragraph = text.split("\n\n")[0]
    assert paragraph.rstrip().endswith((".", "?")), name


WITHOUT = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"numpy", "networkx", "pandas", "polars", "tqdm", "matplotlib", "IPython"}:
            raise ModuleNotFoundError(f"no module named {name!r}", name=name)
sys.meta_path.insert(0, Blocked())
"""


def test_optional_packages_are_not_required():
    done = python(
        WITHOUT
        + """
import pickle, kibitzer
for game in kibitzer.games():
    puzzle = kibitzer.Puzzle(game)
    report = puzzle.solve(progress=True)
    assert report.verdict == "solved" and str(report) and report.to_json() and report._repr_html_() and puzzle._repr_svg_()
    assert puzzle.check(report).right
    assert str(puzzle.compare(nodes=50)) and puzzle.explore(nodes=10_000).states and puzzle.trace(nodes=20).rows() is not None
    assert pickle.loads(pickle.dumps(report)).to_dict() == report.to_dict()
    kibitzer.generate(game, seed=1)
assert kibitzer.Puzzle("moles", [[0, 1], [1, 1]]).solve().moves == [4]
assert kibitzer.edcn([(0, 1), (1, 2)])["edcn"] == 2
assert str(kibitzer.census("edge", ["P3"]))
assert kibitzer.kernel("moles", size="4x4").nullity == 4
# If a function needs a package that is not installed, its error names the package.
for ask, name in [(kibitzer.Puzzle("edge").to_networkx, "networkx"), (kibitzer.census("edge", ["P3"]).to_pandas, "pandas"), (kibitzer.census("edge", ["P3"]).to_polars, "polars"), (kibitzer.solve("moles").hits, "numpy")]:
    try:
        ask()
        raise SystemExit(f"{name} is not blocked")
    except ImportError as error:
        assert name in str(error)
assert not {"numpy", "networkx", "pandas", "polars", "tqdm"} & set(sys.modules)
"""
    )
    assert "Traceback" not in done.stderr


def test_import_is_light():
    python("import sys, kibitzer; heavy = {'numpy', 'networkx', 'pandas', 'polars', 'tqdm', 'asyncio', 'multiprocessing'} & set(sys.modules); assert not heavy, heavy")


def test_tables():
    puzzle = kibitzer.Puzzle("tricolor")
    for table in (puzzle.compare(), puzzle.methods(), kibitzer.census("edge", ["P3", "C4"]), puzzle.trace("bfs").rows(), puzzle.explore().layers, kibitzer.Puzzle("edge").labels(), kibitzer.census("edge", [])):
        frame, other = table.to_pandas(), table.to_polars()
        assert list(frame.columns) == list(other.columns) == table.columns
        assert len(frame) == len(other) == len(table)
        assert pandas.DataFrame(table).shape[0] == polars.DataFrame(list(table)).height == len(table)
        for row, line in zip(table, frame.to_dict("records")):
            for name, value in row.items():
                assert line[name] == value or (value is None and pandas.isna(line[name])) or isinstance(value, (list, dict))
        assert str(table) and table._repr_html_()
        assert isinstance(table[:1], list)


def test_the_readme_runs(tmp_path, monkeypatch):
    """Runs all code blocks in order, in one namespace."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "python" / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks and ">>>" not in text
    namespace: dict[str, object] = {"__name__": "readme"}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"README block {number}", "exec"), namespace)


#: Statements, and the number of times each is executed.
LEAK = {
    "puzzle.solve().moves": 10_000,
    'kibitzer.solve("moles", "01 11").to_dict()': 10_000,
    'Jugs((2, 3), 1).solve("bfs").moves': 10_000,
    "Nim(1, 2).solve().best": 10_000,
    'with suppress(kibitzer.Error): kibitzer.Puzzle("tricolor", "nonsense")': 5_000,
    'with suppress(Boom): raising("apply", Boom()).solve("bfs")': 300,
    'puzzle.solve("bfs", time=60, progress=lambda now: None)': 1_000,
    'search = puzzle.search("bfs"); search.step(); search.look(); search.run()': 3_000,
    'puzzle.trace("bfs").rows()': 300,
    'type("Named", (Line,), {})().solve("astar:guess")': 600,
}


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("work, rounds", LEAK.items())
def test_nothing_leaks(work, rounds):
    """Memory does not grow from the first half of the calls to the second."""
    python(
        f"""
        import gc, os
        from contextlib import suppress
        import kibitzer
        from test_problem import Jugs
        from test_game import Nim
        from test_hostile import Boom, Line, raising

        puzzle, rounds = kibitzer.Puzzle("tricolor"), {rounds}

        def repeat(times):
            for _ in range(times):
                {work}
            gc.collect()

        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

        repeat(rounds // 2)
        before, objects = resident(), len(gc.get_objects())
        repeat(rounds // 2)
        grown, more = resident() - before, len(gc.get_objects()) - objects
        # A leak of 100 bytes per call would be 50 * rounds bytes; allocator noise is a few pages.
        assert grown < max(1_500_000, 60 * rounds), (grown, rounds)
        # The garbage collector frees the classes that are created in each round.
        assert more < 200, more
        """
    )
