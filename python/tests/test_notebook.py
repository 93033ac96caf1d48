"""Tests the display in notebooks: SVG is valid XML, HTML frames contain documents, and text from users stays text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml

import pytest

import kibitzer
from kibitzer import Puzzle
from support import INSTANCES
from test_game import Nim
from test_hostile import changed
from test_problem import Jugs

SVG = "{http://www.w3.org/2000/svg}svg"
EVIL = "<script>alert('&')</script>\"'"


def is_svg(text):
    root = xml.fromstring(text)
    assert root.tag == SVG
    return root


def is_html(text):
    """Parses the HTML that a notebook shows, which must be well-formed XML."""
    root = xml.fromstring(f"<div>{text}</div>")
    for frame in root.iter("iframe"):
        assert frame.get("sandbox") == "allow-scripts", "the frame cannot access the notebook"
        document = frame.get("srcdoc")
        assert document.lower().startswith("<!doctype html>") and document.rstrip().endswith("</html>")
        # Nothing is loaded from the network.
        assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", document)
        assert "Content-Security-Policy" in document
    return root


def film_in(root):
    (frame,) = root.iter("iframe")
    return frame.get("srcdoc")


def without_scripts(root):
    return not any(element.tag.endswith("script") for element in root.iter())


@pytest.mark.parametrize("game", kibitzer.games())
def test_everything_that_notebooks_display(game):
    for path in INSTANCES.glob(f"{game}/*"):
        if path.suffix == ".list":
            continue
        is_svg(Puzzle(game, path)._repr_svg_())
    puzzle = Puzzle(game)
    report, trace = puzzle.solve(), puzzle.trace(nodes=50, states=True)
    # XML attributes have no line breaks.
    assert film_in(is_html(report._repr_html_())) == str(report.film()).replace("\n", " ")
    for thing in (puzzle.compare(nodes=100), puzzle.methods(), puzzle.explore(nodes=200), trace, puzzle.solve(nodes=0)):
        is_html(thing._repr_html_())
    is_svg(trace.to_svg())
    assert trace.to_html().lower().startswith("<!doctype html>")
    explained = puzzle.explain()
    if explained is not None:
        is_html(explained._repr_html_())
        is_svg(explained.svg)


def test_proofs_are_drawn():
    for path in (INSTANCES / "moles" / "corner-5.txt", INSTANCES / "tricolor" / "parity.txt", INSTANCES / "pegs" / "diamond.txt"):
        report = kibitzer.solve(path.parent.name, path)
        assert report.verdict == "unsolvable"
        is_html(report._repr_html_())
        if report.why["kind"] != "exhausted":
            is_svg(report.proof_svg())


class Evil(kibitzer.Problem):
    """States and moves that look like markup."""

    start = EVIL

    def moves(self, state):
        return [EVIL, "]]>", "&amp;"] if len(state) < 60 else []

    def apply(self, state, move):
        return state + move

    def is_goal(self, state):
        return state == EVIL + "&amp;" + "]]>"


class EvilGame(Nim):
    def moves(self, heaps):
        return [Move(move) for move in Nim.moves(self, heaps)]


class Move(tuple):
    def __str__(self):
        return f"{EVIL}{self[0]}{self[1]}"


def test_user_text_is_escaped():
    problem = Evil()
    report = problem.solve("bfs")
    assert report.moves == ["&amp;", "]]>"]
    for shown in (problem.puzzle().svg(), problem.trace("bfs", states=True).to_svg()):
        assert without_scripts(is_svg(shown))
    assert EVIL in "".join(is_svg(problem.puzzle().svg()).itertext())
    shown = is_html(report._repr_html_())
    assert without_scripts(shown)
    # The only script is the film's own; the text of a state does not become a script.
    assert "<script>alert('&')" not in film_in(shown)
    trace, game = problem.trace("bfs", states=True), EvilGame(1, 2)
    for thing in (problem.compare(), problem.methods(), trace.rows(), game.labels(), trace, game.solve(), problem.explore(nodes=20)):
        assert without_scripts(is_html(thing._repr_html_()))
    table = is_html(kibitzer.Table([{EVIL: EVIL, "n": 1}, {EVIL: None, "n": 2.5}])._repr_html_())
    assert without_scripts(table) and EVIL in table.itertext()


def test_custom_drawings():
    class Drawn(Jugs):
        def svg(self, state):
            return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><text x="1" y="9">{state[0]}</text></svg>'

    problem = Drawn((3, 5), 4)
    is_svg(problem.puzzle()._repr_svg_())
    is_svg(problem._repr_svg_())
    film = film_in(is_html(problem.solve()._repr_html_()))
    assert film.count("<text") >= 7 or film.count("\\u003ctext") >= 7 or film.count("<text".replace("<", "\\x3c")) >= 7


def test_large_plans_are_shown_as_text():
    shown = changed(length=5_000).solve("bfs")._repr_html_()
    assert len(shown) < 200_000
    is_html(shown)


def test_tables_are_readable():
    table = kibitzer.Puzzle("tricolor").compare()
    lines = str(table).splitlines()
    assert len(lines) == len(table) + 1 and lines[0].split() == table.columns
    assert len(list(is_html(table._repr_html_()).iter())) > len(table) * len(table.columns)
    long = kibitzer.Table({"n": number} for number in range(10_000))
    assert len(str(long)) < 20_000 and len(long._repr_html_()) < 50_000
    assert str(kibitzer.Table()) == "" and kibitzer.Table([], ["a", "b"]).columns == ["a", "b"]


def test_representations():
    for game in kibitzer.games():
        puzzle = Puzzle(game)
        for thing in (puzzle, puzzle.solve(), puzzle.search(), puzzle.trace(nodes=5), puzzle.explore(nodes=50), puzzle.solve(nodes=0)):
            assert game in repr(thing) or "Exploration" in repr(thing)
            assert "\n" not in repr(thing) and len(repr(thing)) < 400
    two = Puzzle("edge", "petersen").solve(nodes=1)
    assert "cost" not in repr(two), "two-player games have no cost"
    for own in (Jugs((3, 5), 4), Nim(1, 2)):
        assert type(own).__name__ in repr(own.solve()) and type(own).__name__ in repr(own.puzzle())
