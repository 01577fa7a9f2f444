"""`gradspec new-adapter`: what it writes is sound, says what it found, and a harness works as it is."""

from __future__ import annotations

import ast
import importlib
import shutil
import sys
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gradspec.conformance.cli import main
from gradspec.conformance.commands.new_adapter import inventory_of, likely, probe, written
from gradspec.conformance.running.journal import read_journal
from gradspec.conformance.running.runner import Options, open_session
from gradspec.spec.load import load_spec
from suite_kit import run_python

RUNNERS = {"python": ("py", f"{sys.executable} -S"), "javascript": ("mjs", "node")}
ENGINE = """
import math as mathematics

class Variable:
    def __init__(self, values):
        self.values = values
        self.gradient = None
    def backprop(self): ...
    def retaingrad(self): ...
    def log(self): ...

def array(values): return Variable(values)
def power(x, y): ...
def Sqrt(x): ...
def log(x): ...
def plot(x): ...
"""


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(item) for item in arguments], catch_exceptions=False)


@pytest.mark.parametrize("kind", ["tape", "scalar", "functional", "process"])
def test_it_is_sound_python(kind: str, tmp_path: Path) -> None:
    found = call("new-adapter", 'My "best" engine\\', f"--kind={kind}", "--module=math")
    assert found.exit_code == 0, found.output
    path = tmp_path / f"my_best_engine_{'harness' if kind == 'process' else 'adapter'}.py"
    compile(path.read_text("utf-8"), path, "exec")
    again = call("new-adapter", 'My "best" engine\\', f"--kind={kind}")
    assert again.exit_code == 2
    assert "already exists" in again.output


@pytest.mark.parametrize("place", ["dangling", "loop", "file/x", "folder", "n" * 300])
def test_a_place_that_cannot_be_written_is_named(place: str, tmp_path: Path) -> None:
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("mine", "utf-8")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    found = call("new-adapter", "an-engine", "-o", place)
    assert found.exit_code == 2
    assert place in found.output
    assert found.output.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "file").read_text("utf-8") == "mine"


def test_a_full_disk_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    script = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))\n"
        "from gradspec.conformance.cli import main\n"
        "main(['new-adapter', 'eng', '--kind=process'])\n"
    )
    found = run_python("-B", "-c", script, cwd=tmp_path)
    assert found.returncode == 2, found.stderr
    assert "eng_harness.py cannot be written" in found.stderr
    assert list(tmp_path.iterdir()) == []


def test_names_that_are_near_are_proposed(tmp_path: Path) -> None:
    (tmp_path / "nearly.py").write_text(ENGINE, "utf-8")
    found = call("new-adapter", "nearly")
    assert found.exit_code == 0, found.output
    for pair in ("tensor (array)", "pow (power)", "sqrt (Sqrt)", "backward (backprop)",
                 "retain_grad (retaingrad)", "grad (gradient)"):  # fmt: skip
        assert pair in found.output
    assert "not in the vocabulary: plot\n" in found.output
    text = (tmp_path / "nearly_adapter.py").read_text("utf-8")
    for line in ('# "tensor": engine.array,', '# "backward": lambda x, *a, **k: x.backprop(*a, **k),',
                 '# "grad": lambda x: x.gradient,'):  # fmt: skip
        assert f"            {line}\n" in text
    compile(text.replace('# "', '"'), "nearly_adapter.py", "exec")  # taken up, they are sound too


def test_other_words_for_the_same_are_proposed(tmp_path: Path) -> None:
    code = """
    class Var:
        def __init__(self, data, trainable=False):
            self.data, self.trainable, self.gradient = data, trainable, None
        def differentiate(self): pass
        def total(self): pass

    def array(values): return Var(values)
    def exponential(x): return x
    def rectify(x): return x
    def total(x): return x
    def untracked(): pass
    """
    (tmp_path / "otherwise.py").write_text(textwrap.dedent(code), "utf-8")
    found = call("new-adapter", "otherwise", "--kind=tape")
    assert found.exit_code == 0, found.output
    for pair in (
        "exp (exponential)",
        "relu (rectify)",
        "no_grad (untracked)",
        "backward (differentiate)",
    ):
        assert pair in found.output
    assert found.output.count("sum (total)") == 1  # as a function and as a method
    assert "not found, but most programs need it: detach\n" in found.output
    assert "value.data.reshape(-1)" in (tmp_path / "otherwise_adapter.py").read_text("utf-8")


def test_what_is_there_under_its_own_name_is_not_proposed() -> None:
    spec = load_spec()
    found = probe(inventory_of(importlib.import_module("gradspec.reference_impl"), spec), spec)
    assert found.tensor == "Tensor"
    assert "tensor" in found.present
    assert not {"tensor", "sum", "exp"} & {word for word, _ in found.near["words"]}
    assert "backward" not in {word for word, _ in found.near["methods"]}


def test_a_module_that_cannot_be_imported_is_told(tmp_path: Path) -> None:
    (tmp_path / "crooked.py").write_text("import no_such_module_anywhere\n", "utf-8")
    told = call("new-adapter", "crooked").output
    assert "'crooked' cannot be imported here (ModuleNotFoundError: No module named" in told
    assert "isinstance(value, self.module.Tensor)" in (tmp_path / "crooked_adapter.py").read_text()


@pytest.mark.parametrize(("members", "name"), [("sum item shape grad", "Ten"), ("sum", "Tensor")])
def test_the_tensor_is_known_by_what_it_has(members: str, name: str, tmp_path: Path) -> None:
    text = "class Tape: ...\nclass Ten:\n" + "".join(
        f"    def {member}(self): ...\n" for member in members.split()
    )
    module = f"tens{len(members)}"
    (tmp_path / f"{module}.py").write_text(text, "utf-8")
    told = call("new-adapter", module, "-o", "own.py").output
    assert ("its tensor class seems to be Ten\n" in told) is (name == "Ten")
    assert f"isinstance(value, self.module.{name})" in (tmp_path / "own.py").read_text("utf-8")


def test_a_feature_is_never_broken_at_its_hyphen() -> None:
    names = [feature for width in range(3) for feature in ["x" * width, *load_spec().features]]
    features = ast.literal_eval(written(names).removeprefix("frozenset(").partition(")")[0])
    assert features == set(names)


def test_likely_is_not_far_fetched() -> None:
    assert likely(["exp", "matmul"], {"explain", "expand", "plot"}) == []
    assert likely(["matmul"], {"dot", "mathutil"}) == [("matmul", "dot")]
    assert likely(["requires_grad"], {"require_grad"}) == [("requires_grad", "require_grad")]
    assert (
        likely(["log1p", "add_", "atan2", "logaddexp"], {"log10", "add", "atan", "logaddexp2"})
        == []
    )
    assert likely(["max_unpool2d", "retains_grad"], {"max_pool2d", "_retains_grad"}) == []
    assert likely(["index_select"], {"indexSelect"}) == [("index_select", "indexSelect")]


OF_METHODS = """
print("loading")

class Tensor:
    def __init__(self, values): self.values = values
    @staticmethod
    def zeros(*shape): return Tensor([0.0])
    @classmethod
    def ones(cls, *shape): return cls([1.0])
    def exp(self): return self
    def tanh(self): return self
    def backward(self): ...

def sum(x): return x
"""


def test_methods_and_static_constructors_in_the_engines_own_interpreter(tmp_path: Path) -> None:
    (tmp_path / "of_methods.py").write_text(OF_METHODS, "utf-8")
    python = tmp_path / "python"  # one that has no gradspec
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n', "utf-8")
    python.chmod(0o755)
    found = call("new-adapter", "of-methods", f"--python={python}")
    assert found.exit_code == 0, found.output
    assert "as methods of its tensors: exp, tanh;" in found.output
    assert "as methods of the class Tensor: zeros, ones;" in found.output
    assert f"--python={python}" in found.output
    session = open_session(Options("of_methods_adapter.py:OfMethodsEngine"))
    engine = session.engine
    assert engine.resolve("exp")(engine.resolve("zeros")(1)).values == [0.0]
    assert engine.methods["sum"]
    session.close()


GRADIENTS_BY_FUNCTION = """
class Variable:
    def __init__(self, array):
        self.array = list(array)
        self.shape = (len(self.array),)
    def __mul__(self, other):
        return Variable([x * y for x, y in zip(self.array, other.array)])
    __add__ = __sub__ = __mul__

def sum(x, axis=None): return ("sum over", axis)
def conv2d(x, kernels): ...
def get_gradients(y): ...
"""


def test_an_engine_that_returns_gradients_has_no_tape_to_emulate(tmp_path: Path) -> None:
    (tmp_path / "by_function.py").write_text(GRADIENTS_BY_FUNCTION, "utf-8")
    found = call("new-adapter", "by-function")
    assert "if get_gradients returns the gradients, define `vjp`" in found.output
    assert "requires_grad)" in found.output
    assert "a tensor times a number raises AttributeError" in found.output
    text = (tmp_path / "by_function_adapter.py").read_text("utf-8")
    assert "found = engine.get_gradients(result)" in text
    assert "value.array.reshape" in text
    assert "Conv2d" not in text  # which would be a class
    engine = open_session(Options("by_function_adapter.py:ByFunctionEngine")).engine
    assert engine.methods["sum"](None, dim=1) == ("sum over", 1)
    assert "vjp" not in engine.words


def test_an_interpreter_that_does_not_run_is_named(tmp_path: Path) -> None:
    found = call("new-adapter", "an-engine", "--python=./nowhere")
    assert found.exit_code == 2
    assert "--python=./nowhere cannot be started" in found.output
    assert "'json' cannot" not in found.output
    told = call("new-adapter", "no_such_engine", f"--python={sys.executable}").output
    assert f"'no_such_engine' cannot be imported by {sys.executable} (ModuleNotFoundError" in told


@pytest.mark.parametrize("language", RUNNERS)
def test_a_harness_works_as_it_is_written(language: str, tmp_path: Path) -> None:
    """It keeps the protocol, runs arrays, arithmetic and a backward pass, and adds gradients up."""
    ending, runner = RUNNERS[language]
    if shutil.which(runner.split()[0]) is None:
        pytest.skip(f"{runner} is not there")
    made = call("new-adapter", "fresh", "--kind=process", f"--language={language}")
    assert made.exit_code == 0, made.output
    command = f"exec:{runner} fresh_harness.{ending}"
    checked = call("protocol", command)
    assert checked.exit_code == 0, checked.output
    assert "broken" not in checked.output
    call("run", f"--impl={command}", "-k", "accumulation.", "--journal=a.jsonl")
    verdicts = {v.case: v for v in read_journal(tmp_path / "a.jsonl").verdicts}
    assert verdicts["accumulation.second-pass-adds/two-passes-add-up"].verdict == "pass"
    assert sum(v.verdict == "pass" for v in verdicts.values()) >= 10
    assert not any(v.kind in ("unexpected-error", "malformed") for v in verdicts.values())
    assert not any(v.verdict in ("crash", "timeout") for v in verdicts.values())


LANGUAGE = {
    "accumulation.fan-out-sums/a-loop",
    "backward.nonscalar-without-gradient-refused/an-earlier-gradient-stays",  # by an ordinary error
    "custom_functions.errors-pass/in-the-backward",
    "custom_functions.saved-tensors-come-back/inputs-and-a-result",
    "custom_functions.values-in-between-may-be-saved/a-factor-that-the-forward-computes",
    "derivatives.control-flow-is-followed/a-loop-whose-length-varies[n=3]",
    "derivatives.indexing-puts-back/in-many-ways[every-second]",
    "derivatives.indexing-puts-back/in-many-ways[from-the-end]",
    "derivatives.several-results-add/of-different-shapes",
    "derivatives.unused-input-gets-zeros/beside-one-that-is-used",
    "grad_modes.decorator-forms/no_grad[mark=called]",
    "grad_modes.exception-restores/a-block-within-a-block",
}
"""Cases of what a harness has to know of the language: vjp, with, decorators, classes, indices, errors."""


@pytest.mark.parametrize("language", RUNNERS)
def test_a_harness_knows_the_language(language: str) -> None:
    ending, runner = RUNNERS[language]
    if shutil.which(runner.split()[0]) is None:
        pytest.skip(f"{runner} is not there")
    call("new-adapter", "fresh", "--kind=process", f"--language={language}")
    session = open_session(Options(f"exec:{runner} fresh_harness.{ending}"))
    try:
        found = {case.id: session.run_case(case) for case in session.cases() if case.id in LANGUAGE}
    finally:
        session.close()
    assert {case: verdict.verdict for case, verdict in found.items()} == dict.fromkeys(
        LANGUAGE, "pass"
    )


def test_the_files_beside_a_harness_are_not_overwritten(tmp_path: Path) -> None:
    again = ("new-adapter", "other", "--kind=process", "--language=javascript")
    call("new-adapter", "fresh", *again[2:])
    assert call(*again).exit_code == 0  # they are there, and the same
    beside = tmp_path / "gradspec_harness" / "values.mjs"
    beside.write_text("mine", "utf-8")
    told = call(*again, "-o", "third.mjs")
    assert told.exit_code == 2
    assert "already exists and differs" in told.output
    assert beside.read_text("utf-8") == "mine"
    assert not (tmp_path / "third.mjs").exists()


@pytest.mark.parametrize(("language", "broken"), [("python", "\n    None.x"), ("javascript", "\n  null.x;"),
                                                  ("python", "\n    len(1, 2)")])  # fmt: skip
def test_a_harness_tells_where_its_engine_raised(
    language: str, broken: str, tmp_path: Path
) -> None:
    """A fault of the engine is no lack, whatever it raises, and is told with its place."""
    ending, runner = RUNNERS[language]
    if shutil.which(runner.split()[0]) is None:
        pytest.skip(f"{runner} is not there")
    call("new-adapter", "fresh", "--kind=process", f"--language={language}")
    harness = tmp_path / f"fresh_harness.{ending}"
    head = "def total(x):" if language == "python" else "function total(x) {"
    before, found, after = harness.read_text("utf-8").partition(head)
    assert found
    harness.write_text(before + head + broken + after, "utf-8")
    case = "accumulation.second-pass-adds"
    call("run", f"--impl=exec:{runner} {harness.name}", "-k", case, "--journal=a.jsonl")
    kinds = {v.kind: v for v in read_journal(tmp_path / "a.jsonl").verdicts}
    line = before.count("\n") + 2
    assert kinds["unexpected-error"].where == f"fresh_harness.{ending}:{line}"


def test_a_functional_engine_need_not_have_every_name(tmp_path: Path) -> None:
    (tmp_path / "few.py").write_text("from numpy import array, float32, float64\n", "utf-8")
    call("new-adapter", "few", "--kind=functional")
    adapter = tmp_path / "few_adapter.py"
    text = adapter.read_text("utf-8").replace("self.module.numpy", "self.module")
    text = text.replace(
        "# features = FunctionalEngine.features - {",
        'features = FunctionalEngine.features - {"vjp", ',
    )
    adapter.write_text(text, "utf-8")
    found = call("run", f"--impl={adapter}:FewEngine", "-k", "/value", "--journal=a.jsonl")
    assert found.exit_code == 0, found.output
    messages = {verdict.message for verdict in read_journal(tmp_path / "a.jsonl").verdicts}
    assert {"exp", "atan2"} <= messages


@pytest.mark.parametrize("place", ["", "def tensor(*values): ", "def __getattr__(name): "])
def test_an_engine_that_exits_is_no_reason_to_write_nothing(place: str, tmp_path: Path) -> None:
    (tmp_path / "leaver.py").write_text(f"import sys\n{place}sys.exit(0)\n", "utf-8")
    found = call("new-adapter", "mine", "--module=leaver")
    assert found.exit_code == 0
    assert "mine_adapter.py written" in found.output
    assert "cannot be imported here (SystemExit: 0)" in found.output
