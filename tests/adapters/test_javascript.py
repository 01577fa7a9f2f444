"""The harnesses of engines in JavaScript, as far as they run without the engines, which CI does not install."""

from __future__ import annotations

import shutil
from pathlib import Path

import gradspec.adapters
import pytest
from gradspec.adapters.framework.engine import EngineUnavailable
from gradspec.conformance.commands.new_adapter import SUPPORT
from gradspec.conformance.running.runner import Options, open_session

FOLDER = Path(gradspec.adapters.__file__).parent / "harness" / "javascript"
ENGINES = {"js_pytorch": "js-pytorch", "tfjs": "@tensorflow/tfjs", "jax_js": "@jax-js/jax"}
# js-pytorch as far as one case needs it, with a fault: a second pass replaces the gradient.
PACKAGE = """
class Tensor {
  constructor(data, flag = false) { this.data = data; this.shape = [data.length]; this.requires_grad = flag; }
  mul(n) { const y = new Tensor(this.data.map(x => x * n), true); y.of = [this, n]; return y; }
  backward() { console.log("passing"); const [x, n] = this.of; x.grad = x.data.map(() => n); }
}
exports.torch = {Tensor};
"""

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="node is not there")


def test_each_harness_is_listed_here() -> None:
    shared = {name.removesuffix(".mjs") for name in SUPPORT["javascript"]}
    assert {path.stem for path in FOLDER.glob("*.mjs")} == {*ENGINES, *shared}


@pytest.mark.parametrize("harness", ENGINES)
def test_a_package_that_is_not_there_is_named(harness: str, tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable) as told:
        open_session(Options(f"exec:node {FOLDER / harness}.mjs {tmp_path}"))
    assert f"cannot be loaded from {tmp_path}/node_modules" in str(told.value)
    assert f"run npm install {ENGINES[harness]} there" in str(told.value)


def test_the_package_is_the_one_in_the_folder(tmp_path: Path) -> None:
    """What it prints is no answer, and its faults are its own."""
    package = tmp_path / "node_modules" / "js-pytorch"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"version": "0.0.7", "main": "engine.js"}', "utf-8")
    (package / "engine.js").write_text(PACKAGE, "utf-8")
    session = open_session(Options(f"exec:node {FOLDER / 'js_pytorch.mjs'} {tmp_path}"))
    try:
        assert (session.identity.name, session.identity.version) == ("js-pytorch", "0.0.7")
        chosen = "accumulation.second-pass-adds/two-passes-add-up"
        (case,) = (case for case in session.cases() if case.id == chosen)
        found = session.run_case(case)
    finally:
        session.close()
    assert (found.verdict, found.kind) == ("fail", "wrong-value")
    assert "expected 4.0, found 2" in found.message
