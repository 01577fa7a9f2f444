"""What the report's script makes from data: drawings as svg.py makes them, and text that was compressed."""

from __future__ import annotations

import base64
import bz2
import hashlib
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def texts() -> list[str]:
    """Texts that try each part of the format: runs, several blocks, few and many different bytes."""
    chance = random.Random(0)
    words = ["".join(chance.choices("abcdefgh é漢", k=chance.randint(1, 9))) for _ in range(300)]
    runs = "".join(letter * count for count in (3, 4, 5, 255, 258, 259, 260, 1000) for letter in "xyz")
    return ["a", runs, "z" * 2_000_000, "".join(map(chr, range(1, 0xD7FF))), "".join(chance.choices(words, k=400_000))]


@pytest.mark.parametrize("text", texts(), ids=["one", "runs", "long run", "all bytes", "blocks"])
def test_the_script_undoes_the_compression(text: str, browser: Browser) -> None:
    packed = base64.b64encode(bz2.compress(text.encode())).decode()
    script = f"""
      {(TEMPLATES / "bunzip.js").read_text("utf-8")}
      const letters = atob("{packed}");
      const bytes = Uint8Array.from({{length: letters.length}}, (_, at) => letters.charCodeAt(at));
      const text = await bunzip(bytes, {len(text.encode())})();
      const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      return [text.length, [...new Uint8Array(hash)]];
    """
    units = len(text.encode("utf-16-le")) // 2
    found: Any = browser.run(script)
    assert found == [units, list(hashlib.sha256(text.encode()).digest())]
