"""What the report's script makes from data: drawings as svg.py makes them, and text that was compressed."""

from __future__ import annotations

import hashlib
import json
import random
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
from gradspec.conformance.reporting.report.html import packed
from gradspec.spec.load import load_spec
from gradspec.spec.model import Spec

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="needs a Chromium")
TEMPLATES = Path(report.__file__).with_name("templates")
NUMBER = re.compile(r"-?\d+")
STRANGE = Box(
    "<b>&\"'", names=["é漢"], value="-1\\n", grad="x" * 40, arriving=["1.0", "2.0", "3.0"]
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with open_browser(tmp_path_factory.mktemp("page"), tmp_path_factory.mktemp("profile")) as found:
        yield found


def graphs_of(spec: Spec) -> list[Graph]:
    """Every graph of some chapters, and one with text that would break out of a drawing."""
    cases = [case for case in spec.cases if not case.generated][::40]
    strange = Graph(
        [STRANGE, Box("f(x)", "Node<T>", ["y"], saved=["a & b"])], [Edge(1, 0, ["1", "<2>"])]
    )
    return [strange, *(graph for case in cases if (graph := graph_of(case)))]


def test_the_script_draws_graphs_as_python_does(browser: Browser) -> None:
    source = (
        (TEMPLATES / "drawing.js")
        .read_text("utf-8")
        .replace("{{ drawing_sizes | data }}", json.dumps(SIZES))
    )
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


def texts() -> dict[str, str]:
    """Texts that try each part of the format: letters, runs, near and far repeats, short and long ones."""
    chance = random.Random(0)
    words = ["".join(chance.choices("abcdefgh é漢", k=chance.randint(1, 9))) for _ in range(300)]
    far = "".join(map(chr, range(1, 0xD7FF)))
    repeats = [
        words[at] * (1 + at % 40) + far[at * 7 : at * 9]
        for at in chance.choices(range(300), k=2000)
    ]
    return {
        "one letter": "a",
        "runs": "".join(
            letter * count for count in (2, 9, 10, 17, 18, 273, 274, 1000) for letter in "xyz"
        ),
        "a long run": "z" * 2_000_000,
        "all letters, twice": far * 2,
        "words": "".join(chance.choices(words, k=400_000)),
        "repeats": "".join(repeats),
    }


@pytest.mark.parametrize("name", texts())
def test_the_script_undoes_the_compression(name: str, browser: Browser) -> None:
    text = texts()[name]
    pack = packed(text)
    script = f"""
      {(TEMPLATES / "unlzma.js").read_text("utf-8")}
      const bytes = Uint8Array.from(atob("{pack["text"]}"), letter => letter.charCodeAt(0));
      const hash = await crypto.subtle.digest("SHA-256", await unlzma(bytes, {pack["size"]}));
      return [...new Uint8Array(hash)];
    """
    assert browser.run(script) == list(hashlib.sha256(text.encode()).digest())
