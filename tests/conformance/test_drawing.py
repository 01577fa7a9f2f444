"""The drawings of recorded graphs: what they show, and that no text breaks out of them."""

from __future__ import annotations

import itertools
import os
import re
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from folders import case_of
from gradspec.conformance.reporting import drawing
from gradspec.conformance.reporting.drawing import (
    Box,
    Edge,
    Graph,
    drawing_of,
    graph_of,
    kept,
    svg_of,
    wrong_names,
)  # fmt: skip
from gradspec.conformance.reporting.drawing.kept import Graphs, Kept
from gradspec.spec.load import load_spec
from gradspec.spec.model import Case
from gradspec.spec.reading.cache import Cache
from suite_kit import spec_of_programs

PROGRAMS = {
    "two inputs": """
a = tensor([2.0], requires_grad=True)
b = tensor([5.0], requires_grad=True)
y = a * b
y.backward()
assert a.grad == [5.0]
""",
    "a square": """
x = tensor([3.0], requires_grad=True)
(x * x).backward()
assert x.grad == [6.0]
""",
    "two passes": """
w = tensor([3.0], requires_grad=True)
(w * 2).backward()
(w * 2).backward()
assert w.grad == [4.0]
""",
    "nothing is recorded": """
x = tensor([3.0])
assert x * 2 == [6.0]
""",
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    folder = spec_of_programs(tmp_path_factory.mktemp("drawn"), PROGRAMS)
    return {case.name: case for case in load_spec(folder).cases}


def drawn(case: Case) -> Graph:
    graph = graph_of(case)
    assert graph is not None
    return graph


def test_leaves_operations_and_what_is_saved(cases: dict[str, Case]) -> None:
    graph = drawn(cases["two inputs"])
    boxes = {box.title: box for box in graph.boxes}
    assert set(boxes) == {"a", "b", "a * b"}
    product = boxes["a * b"]
    assert (product.node, product.names, sorted(product.saved)) == (
        "MulBackward0",
        ["y"],
        ["a", "b"],
    )
    assert product.arriving == ["[1.0]"]
    assert (boxes["a"].value, boxes["a"].grad) == ("[2.0]", "[5.0]")
    flowed = {graph.boxes[edge.target].title: edge.gradients for edge in graph.edges}
    assert flowed == {"a": ["[5.0]"], "b": ["[2.0]"]}


def test_what_is_used_twice_gets_a_sum(cases: dict[str, Case]) -> None:
    (edge,) = drawn(cases["a square"]).edges
    assert edge.gradients == ["[3.0] + [3.0]"]


def test_each_pass_has_its_own_graph_on_one_leaf(cases: dict[str, Case]) -> None:
    graph = drawn(cases["two passes"])
    assert [box.title for box in graph.boxes if box.leaf] == ["w"]
    assert len(graph.edges) == 2
    assert {edge.target for edge in graph.edges} == {
        graph.boxes.index(leaf) for leaf in graph.boxes if leaf.leaf
    }


def test_what_records_nothing_is_not_drawn(cases: dict[str, Case]) -> None:
    assert drawing_of(cases["nothing is recorded"]) == ""


def test_what_is_wrong_is_marked(cases: dict[str, Case]) -> None:
    case = cases["two passes"]
    (expectation,) = case.expectations
    wrong = wrong_names(case, expectation.line, "2.0")
    assert wrong == {"w": "2.0"}
    svg = ElementTree.fromstring(drawing_of(case, wrong))
    assert [box.get("class") for box in svg.iter("rect")].count("leaf wrong") == 1
    assert "found 2.0" in [text.text for text in svg.iter("text")]


def test_no_text_breaks_out_of_a_drawing() -> None:
    hostile = '</text></svg><script>"&\x1b\u202e'
    leaf = Box(hostile, names=[hostile], value=hostile, grad=hostile)
    boxes = [leaf, Box(hostile, hostile, saved=[hostile])]
    drawing = svg_of(Graph(boxes, [Edge(1, 0, [hostile])]), {hostile: hostile})
    svg = ElementTree.fromstring(drawing)
    assert {element.tag for element in svg.iter()} == {"svg", "rect", "text", "path"}
    assert "\u202e" not in drawing


def test_no_box_covers_the_gradient_of_a_long_edge() -> None:
    """The edge from the last operation to the leaf passes beside the boxes of a graph of its own."""
    boxes = [Box("w", value="[2.0]"), Box("w * 3.0", "Mul", ["y"]), Box("y * w", "Mul"),
             Box("x", value="[3.0]"), Box("x * x", "Mul"), Box("y * 7.0", "Mul")]  # fmt: skip
    ends = [(1, 0), (2, 1), (2, 0), (4, 3), (5, 4)]
    svg = ElementTree.fromstring(
        svg_of(Graph(boxes, [Edge(*pair, ["[6.0, 15.0]"]) for pair in ends]))
    )
    for text in svg.iter("text"):
        if not (text.get("class") or "").startswith("g"):
            continue
        x, y = (float(text.get(name) or 0) for name in "xy")
        wide = len(text.text or "") * 6
        begin, end = (x - wide, x) if text.get("class") == "g left" else (x, x + wide)
        for box in svg.iter("rect"):
            left, top, width, height = (
                float(box.get(name) or 0) for name in ("x", "y", "width", "height")
            )
            beside = end < left or begin > left + width or not top < y < top + height
            assert beside, (text.text, box.attrib)


@pytest.mark.parametrize("name", [
    "higher_order.create-graph-makes-differentiable/computing-with-the-gradient",
    "higher_order.through-an-update/one-step,-then-a-loss",
])  # fmt: skip
def test_no_gradient_covers_another(name: str) -> None:
    """Although the edges of many derivatives meet at one leaf."""
    graph = graph_of(next(case for case in load_spec().cases if case.id == name))
    assert graph
    svg = ElementTree.fromstring(svg_of(graph))
    drawn = [text for text in svg.iter("text") if (text.get("class") or "").startswith("g")]
    assert len(drawn) > 10
    for one, other in itertools.combinations(drawn, 2):
        spans = []
        for text in (one, other):
            x, wide = float(text.get("x") or 0), len(text.text or "") * 6
            spans.append((x - wide, x) if text.get("class") == "g left" else (x, x + wide))
        apart = abs(float(one.get("y") or 0) - float(other.get("y") or 0)) >= 11
        (begin, end), (start, stop) = spans
        assert apart or end <= start or stop <= begin, (one.text, other.text)


@pytest.mark.parametrize("sheet", ["report/templates/report.css", "book/templates/book.css"])
def test_no_rule_of_a_page_hides_a_part_of_a_drawing(sheet: str, cases: dict[str, Case]) -> None:
    """On a phone the cells of all engines but one are hidden, by a class of their own."""
    rules = Path(drawing.__file__).parents[1].joinpath(sheet).read_text("utf-8")
    hiding = " ".join(re.findall(r"([^{}]+)\{[^{}]*display: none", rules))
    hidden = set(re.findall(r"\.([\w-]+)", hiding))
    svg = ElementTree.fromstring(drawing_of(cases["two inputs"]))
    drawn = {name for element in svg.iter() for name in (element.get("class") or "").split()}
    assert {"graph", "leaf", "g", "left"} <= drawn
    assert hidden
    assert not hidden & drawn


def test_a_drawing_leaves_no_trace_in_the_engine(cases: dict[str, Case]) -> None:
    """The same case gives the same drawing again, after any other."""
    first = drawing_of(cases["two passes"])
    drawing_of(cases["a square"])
    assert drawing_of(cases["two passes"]) == first


def test_drawings_are_kept_until_their_programs_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = case_of(
        tmp_path / "spec", "x = tensor([2.0], requires_grad=True)\nassert x * 3.0 == [6.0]"
    )
    keeping, wanted = Kept(Cache(tmp_path)), ("sample", [case])
    drawn = keeping.drawings(wanted)
    assert "<svg" in drawn[case.id]
    monkeypatch.setattr(kept, "svg_of", lambda graph: "another")
    assert keeping.drawings(wanted) == drawn
    changed = replace(case, text=case.text + "# changed")
    assert keeping.drawings(("sample", [changed])) == {case.id: "another"}


def test_graphs_of_single_cases_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the next report, which then runs no program."""
    case = case_of(
        tmp_path / "spec", "x = tensor([2.0], requires_grad=True)\nassert x * 3.0 == [6.0]"
    )
    spec = load_spec(tmp_path / "spec")
    monkeypatch.setattr(kept, "MANY", 1)
    monkeypatch.setattr(kept, "ROOT", tmp_path)
    first = Graphs(spec)
    graph = first.of(case)
    assert graph
    assert first.of(case) is graph
    first.keep()
    monkeypatch.setattr(kept, "graph_of", lambda case: None)
    assert Graphs(spec).of(case) == graph
    assert Graphs(spec).of(replace(case, text=case.text + "# changed")) is None


def test_drawings_are_made_in_several_processes(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Which end in silence, whatever the command does when it is ended."""
    case = case_of(
        tmp_path / "spec", "x = tensor([2.0], requires_grad=True)\nassert x * 3.0 == [6.0]"
    )
    keeping, wanted = Kept(Cache(tmp_path / "kept")), [(f"c{n}", [case]) for n in range(5)]
    before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit("told to end"))
    try:
        keeping.draw_ahead(wanted)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert capfd.readouterr().err == ""
    if threading.active_count() == 1 and (os.cpu_count() or 1) > 1:
        assert len(list((tmp_path / "kept").iterdir())) == len(wanted)
    assert "<svg" in keeping.drawings(wanted[4])[case.id]
