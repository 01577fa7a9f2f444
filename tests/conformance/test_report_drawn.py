"""The report's script makes the same drawings as svg.py does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser, open_browser
from gradspec.conformance.reporting import report
from gradspec.conformance.reporting.drawing import (
    SIZES,
    Box,
    Edge,
    Graph,
    graph_of,
    plan_of,
    svg_of,
)
from gradspec.spec.load import load_spec
from gradspec.spec.model import Spec

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="needs a Chromium")
TEMPLATES = Path(report.__file__).with_name("templates")
NUMBER = re.compile(r"-?\d+")
STRANGE = Box("<b>&\"'", names=["é漢"], value="-1\\n", grad="x" * 40, arriving=["1.0", "2.0", "3.0"])


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with open_browser(tmp_path_factory.mktemp("page"), tmp_path_factory.mktemp("profile")) as found:
        yield found


def graphs_of(spec: Spec) -> list[Graph]:
    """Every graph of some chapters, and one with text that would break out of a drawing."""
    cases = [case for case in spec.cases if not case.generated][::40]
    strange = Graph([STRANGE, Box("f(x)", "Node<T>", ["y"], saved=["a & b"])], [Edge(1, 0, ["1", "<2>"])])
    return [strange, *(graph for case in cases if (graph := graph_of(case)))]


def test_the_script_draws_graphs_as_python_does(browser: Browser) -> None:
    source = (TEMPLATES / "drawing.js").read_text("utf-8").replace("{{ drawing_sizes | data }}", json.dumps(SIZES))
    graphs = graphs_of(load_spec())
    plans = json.dumps([plan_of(graph) for graph in graphs])
    drawn = browser.run(f"{source}\nreturn {plans}.map(plan => svgOf(...plan));")
    assert len(graphs) > 20
    for graph, found in zip(graphs, drawn, strict=True):
        wanted = svg_of(graph)
        assert NUMBER.sub("", found) == NUMBER.sub("", wanted)
        numbers = [list(map(int, NUMBER.findall(drawing))) for drawing in (found, wanted)]
        apart = [abs(one - other) for one, other in zip(*numbers, strict=True)]
        assert max(apart) <= 1, (found, wanted)  # they round a half differently
