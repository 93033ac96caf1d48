"""The display in notebooks: SVG that is XML, HTML whose frames hold documents, and text of users that stays text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

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


class Reader(HTMLParser):
    """Elements, and whether they are closed."""

    VOID = {"meta", "link", "br", "img", "input", "hr", "path", "circle", "rect", "line", "polygon", "use", "ellipse", "polyline", "stop"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.frames, self.text = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "iframe":
            self.frames.append(dict(attributes))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        self.text.append(data)


def is_html(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == [], reader.open
    for frame in reader.frames:
        assert frame["sandbox"] == "allow-scripts", "the frame cannot reach the notebook"
        document = frame["srcdoc"]
        assert document.lower().startswith("<!doctype html>") and document.rstrip().endswith("</html>")
        # Nothing is fetched from anywhere.
        assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", document)
        assert "Content-Security-Policy" in document
    return reader


@pytest.mark.parametrize("game", kibitzer.games())
def test_everything_that_is_shown(game):
    for path in INSTANCES.glob(f"{game}/*"):
        is_svg(Puzzle(game, path)._repr_svg_())
    puzzle = Puzzle(game)
    report, trace = puzzle.solve(), puzzle.trace(nodes=50, states=True)
    shown = is_html(report._repr_html_())
    assert len(shown.frames) == 1 and shown.frames[0]["srcdoc"] == str(report.film())
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


def test_text_of_users_stays_text():
    problem = Evil()
    report = problem.solve("bfs")
    assert report.moves == ["&amp;", "]]>"]
    for shown in (problem.puzzle().svg(), problem.trace("bfs", states=True).to_svg()):
        root = is_svg(shown)
        assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert EVIL in "".join(is_svg(problem.puzzle().svg()).itertext())
    shown = is_html(report._repr_html_())
    assert "script" not in shown.tags
    # One script is the film's own; the text of the state is not a second one.
    assert "<script>alert('&')" not in shown.frames[0]["srcdoc"]
    trace, game = problem.trace("bfs", states=True), EvilGame(1, 2)
    for thing in (problem.compare(), problem.methods(), trace.rows(), game.labels(), trace, game.solve(), problem.explore(nodes=20)):
        assert "script" not in is_html(thing._repr_html_()).tags
    reader = is_html(kibitzer.Table([{EVIL: EVIL, "n": 1}, {EVIL: None, "n": 2.5}])._repr_html_())
    assert "script" not in reader.tags and EVIL in reader.text


def test_drawings_of_one_s_own():
    class Drawn(Jugs):
        def svg(self, state):
            return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><text x="1" y="9">{state[0]}</text></svg>'

    problem = Drawn((3, 5), 4)
    is_svg(problem.puzzle()._repr_svg_())
    is_svg(problem._repr_svg_())
    film = is_html(problem.solve()._repr_html_()).frames[0]["srcdoc"]
    assert film.count("<text") >= 7 or film.count("\\u003ctext") >= 7 or film.count("<text".replace("<", "\\x3c")) >= 7


def test_large_plans_are_shown_as_text():
    shown = changed(length=5_000).solve("bfs")._repr_html_()
    assert len(shown) < 200_000
    is_html(shown)


def test_tables_are_readable():
    table = kibitzer.Puzzle("tricolor").compare()
    lines = str(table).splitlines()
    assert len(lines) == len(table) + 1 and lines[0].split() == table.columns
    assert len(is_html(table._repr_html_()).tags) > len(table) * len(table.columns)
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
    assert "cost" not in repr(two), "there is no cost where two play"
    for own in (Jugs((3, 5), 4), Nim(1, 2)):
        assert type(own).__name__ in repr(own.solve()) and type(own).__name__ in repr(own.puzzle())
