"""An engine whose tensor is called otherwise, behind an adapter of its own: what it lacks is no fault,
an error is told with its place in the adapter, and what a case leaves behind is noticed."""

from __future__ import annotations

import re
import types
from pathlib import Path

import pytest
from gradspec.adapters.framework.classify import Classifier
from gradspec.adapters.framework.engine import EngineUnavailable
from gradspec.adapters.framework.python_engine import PythonEngine
from gradspec.conformance.judging.verdict import Verdict
from suite_kit import gradspec, spec_of_programs, verdicts_on

ENGINE = '''
"""A tape for numbers. Its blocks without recording leave recording off when they end by an error."""
import contextlib

recording = True


@contextlib.contextmanager
def pause():
    global recording
    recording = False
    yield
    recording = True


class Num:
    def __init__(self, value, track=False, parents=()):
        self.value, self.track, self.slope, self.parents = value, track, None, parents

    def __mul__(self, other):
        factor = other.value if isinstance(other, Num) else other
        kept = recording and self.track
        return Num(self.value * factor, kept, ((self, factor),) if kept else ())

    def backward(self):
        for parent, factor in self.parents:
            parent.slope = Num(factor)
'''
ADAPTER = """
from gradspec.adapters.framework.python_engine import PythonEngine


class OwnEngine(PythonEngine):
    name = "own"
    module_name = "own"
    mediated = True
    features = frozenset({"arrays", "requires-grad", "grad-attribute", "backward", "no-grad"})

    def __init__(self, device="cpu", kinds=()):
        super().__init__(device, kinds)
        own = self.module
        self.words = {
            "tensor": lambda value, requires_grad=False: own.Num(value, requires_grad),
            "no_grad": own.pause,
        }
        self.attributes = {"requires_grad": lambda x: x.track, "grad": lambda x: x.slope}

    def is_tensor(self, value):
        return isinstance(value, self.module.Num)

    def describe_tensor(self, value):
        return self.tensor_plain("float32", (), [value.value])
"""
RESET = """
    def reset(self):
        self.module.recording = True
"""
BACKWARD = """
x = tensor(3.0, requires_grad=True)
(x * 2.0).backward()
assert x.grad == 2.0
"""
STOPS = """
with raises("user"):
    with no_grad():
        stop()
y = tensor(3.0) * 2.0
assert y == 6.0
"""


def hold(folder: Path, adapter: str, *, isolate: bool = False, **programs: str) -> list[Verdict]:
    """The verdicts on some programs, in their order."""
    spec = spec_of_programs(folder / "spec", programs)
    (folder / "own.py").write_text(ENGINE, "utf-8")
    (folder / "own_adapter.py").write_text(adapter, "utf-8")
    impl = f"{folder}/own_adapter.py:OwnEngine"
    return list(verdicts_on(impl, spec, isolate=isolate).values())


@pytest.fixture(autouse=True)
def afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.delitem(sys.modules, "own", raising=False)
    monkeypatch.setattr(sys, "path", list(sys.path))


SEQUENCE = {"first": BACKWARD, "second": STOPS, "third": BACKWARD, "fourth": BACKWARD}


@pytest.mark.parametrize("isolate", [False, True])
def test_what_a_case_leaves_behind_is_blamed_on_it(isolate: bool, tmp_path: Path) -> None:
    """The run continues in a new process, so that later cases do not fail for it."""
    found = hold(tmp_path, ADAPTER, isolate=isolate, **SEQUENCE)
    assert [verdict.verdict for verdict in found] == ["pass"] * 4
    assert [verdict.spoils for verdict in found] == ["", "tiny.all/first", "", ""]
    assert Verdict.from_json(found[1].to_json()).spoils == "tiny.all/first"
    assert "spoils" not in found[0].to_json()


def test_an_adapter_that_resets_its_engine_leaves_nothing(tmp_path: Path) -> None:
    found = hold(tmp_path, ADAPTER + RESET, **SEQUENCE)
    assert [(verdict.verdict, verdict.spoils) for verdict in found] == [("pass", "")] * 4


def test_a_run_says_who_left_something_behind(tmp_path: Path) -> None:
    hold(tmp_path, ADAPTER, **SEQUENCE)
    told = gradspec("run", "--impl=own_adapter.py:OwnEngine", "--spec=spec", cwd=tmp_path).stdout
    assert "after tiny.all/second the engine failed tiny.all/first, which had passed before" in told
    assert told.count("the engine failed") == 1


def test_what_is_tried_at_the_end_costs_no_score(tmp_path: Path) -> None:
    """Features that are not declared are tried last of all: an engine may not survive that."""
    dies = """
    def run(self, program, timeout=None):
        import os
        return os._exit(3) if "hooks" in program.features else super().run(program, timeout)
"""
    hook = "x = tensor(3.0)\nx.register_hook(lambda g: None)\nassert x == 3.0"
    hold(tmp_path, ADAPTER + dies, first=BACKWARD, hook=hook)
    found = gradspec("run", "--impl=own_adapter.py:OwnEngine", "--spec=spec", cwd=tmp_path)
    assert found.returncode == 3
    assert "MUST, documented or implied:         1 / 1 / 2   (1 unsupported)" in found.stdout


def test_a_crash_of_the_whole_process_shows_where(tmp_path: Path) -> None:
    crashes = ENGINE.replace(
        "kept = recording", "__import__('ctypes').string_at(0)\n        kept = recording"
    )
    hold(tmp_path, ADAPTER, first=BACKWARD)
    (tmp_path / "own.py").write_text(crashes, "utf-8")
    found = gradspec("run", "--impl=own_adapter.py:OwnEngine", "--spec=spec", cwd=tmp_path)
    assert found.returncode < 0
    line = crashes[: crashes.index("string_at")].count("\n") + 1
    assert re.search(rf'own\.py", line {line} in __mul__', found.stderr)
    assert "tiny.yaml" in found.stderr


def test_operators_that_are_not_there_are_no_fault(tmp_path: Path) -> None:
    found = hold(
        tmp_path,
        ADAPTER,
        order="assert (tensor(3.0) > 2.0) == True",
        minus="assert tensor(3.0) - 2.0 == 1.0",
        alike="assert (tensor(3.0) == tensor(3.0)).item()",
        times="assert tensor(3.0) * 'text' == 1.0",
    )
    assert [verdict.verdict for verdict in found] == [*["unsupported"] * 3, "fail"]
    told = ["the operator >", "the operator -", "the operator =="]
    assert [verdict.message for verdict in found][:3] == told


def test_dtypes_may_be_texts(tmp_path: Path) -> None:
    adapter = ADAPTER
    for old, new in (
        ('"arrays",', '"arrays", "dtypes",'),
        ('"no_grad": own.pause,', '"no_grad": own.pause, "float32": "single",'),
        ('"grad": lambda x: x.slope}', '"grad": lambda x: x.slope, "dtype": lambda x: "single"}'),
    ):
        assert old in adapter
        adapter = adapter.replace(old, new)
    [found] = hold(tmp_path, adapter, dtype="assert tensor(3.0).dtype == float32")
    assert found.verdict == "pass", found.message


@pytest.mark.parametrize("isolate", [False, True])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ADAPTER.replace("own.pause", "own.paws"),
         "could not be opened: AttributeError: module 'own' has no attribute 'paws' (at own_adapter.py:16)"),
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module' (at own_adapter.py:1)"),
        ("def (:\n", "cannot be loaded: SyntaxError: invalid syntax (own_adapter.py, line 1)"),
    ],
)  # fmt: skip
def test_an_adapter_that_cannot_be_opened_is_told_with_its_place(
    isolate: bool, text: str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(EngineUnavailable, match=re.escape(told)):
        hold(tmp_path, text, isolate=isolate, first=BACKWARD)


@pytest.mark.parametrize(
    ("more", "verdict"), [("", "unsupported"), ("complex64 = 'complex64'", "fail")]
)
def test_an_engine_without_complex_numbers_lacks_them(
    more: str, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = ENGINE.replace(
        "        self.value, self.track",
        "        value = float(value)\n        self.value, self.track",
    )
    monkeypatch.setitem(globals(), "ENGINE", f"{real}\n{more}\n")
    wide = ADAPTER.replace('"arrays",', '"arrays", "complex",')
    (found,) = hold(tmp_path, wide, it="assert tensor(3.0 + 2.0j) == 3.0 + 2.0j")
    assert found.verdict == verdict
    assert "complex" in found.message
    assert (found.message == "complex numbers") is (not more)


def test_an_error_in_the_adapter_is_told_with_its_place(tmp_path: Path) -> None:
    faulty = ADAPTER.replace('"float32", ()', "value.kind, ()")
    (found,) = hold(tmp_path, faulty, first=BACKWARD)
    line = faulty[: faulty.index("value.kind")].count("\n") + 1
    assert found.where == f"own_adapter.py:{line}"
    assert "has no attribute 'kind'" in found.message


def test_an_error_of_a_funnel_is_located_where_it_was_called() -> None:
    """A funnel is a module through which an engine raises the errors of all its kernels."""
    funnel, kernels = types.ModuleType("own.funnel"), types.ModuleType("own.kernels")
    exec(
        compile("def fail():\n    raise ValueError('no')\n", "own/funnel.py", "exec"), vars(funnel)
    )
    vars(kernels)["fail"] = vars(funnel)["fail"]
    exec(compile("def add():\n    fail()\n", "own/kernels.py", "exec"), vars(kernels))
    for funnels, place in [((), "own/funnel.py:2"), (("own.funnel",), "own/kernels.py:2")]:
        engine = PythonEngine.__new__(PythonEngine)
        engine.module = types.ModuleType("own")
        engine.classifier = Classifier((), ())
        vars(engine)["funnels"] = frozenset(funnels)
        with pytest.raises(ValueError, match="no") as caught:
            vars(kernels)["add"]()
        assert engine.end_of(caught.value, frozenset(), "program").where == place
