"""Every error of the reference carries its kind, an id of spec/errors.yaml."""

from __future__ import annotations

import ast
import inspect
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path

import gradspec.reference_impl as t
import pytest
from gradspec.adapters.framework.torch_like import TorchLikeEngine
from gradspec.adapters.reference_engine import KindReader, ReferenceEngine
from gradspec.adapters.torch_engine import TorchEngine
from gradspec.reference_impl import errors
from gradspec.spec.load import load_spec

from .kinds import ENGINE

KINDS = {kind.name: kind for kind in vars(errors).values() if isinstance(kind, errors.Kind)}
PLAIN = {
    "AttributeError",  # an attribute that is missing, as Python has it
    "NotImplementedError",  # something that the reference lacks, or that a subclass gives
    "_Enough",  # ends a recomputation, and never reaches the user
}
"""What may be raised without a kind."""
OWN = {
    "backend/libraries.py": {"TypeError"},  # an assertion about arrays, which users never pass
    "func/entries.py": {
        "self.raised.pop",  # what another thread raised, with its kind
        "Abandoned",  # ends a thread, and never reaches the user
    },
    "mode.py": {"raised[0]"},  # what another thread raised, with its kind
    "graph/row.py": {"TypeError"},  # a row that is written down wrong
    "ops/fill.py": {"TypeError"},  # caught two lines below
}
"""What else a file may raise, since no user meets it."""
MAKERS = {
    "no_values",
    "mismatch",
    "uneven",
    "not_numeric",
    "unfit",
    "node.unusable",
    "gone_its_own_way",
}
"""Functions outside errors.py that make an error and give it a kind."""


def test_kinds_are_those_of_the_specification() -> None:
    named = {kind.name for kind in load_spec().kinds.values() if kind.sort == "refusal"}
    assert set(KINDS) == named - {"user"}  # which programs raise themselves


def raised() -> Iterator[tuple[str, int, str]]:
    """(file, line, what) of each raise statement of the engine."""
    for path in sorted(Path(ENGINE).rglob("*.py")):
        file = path.relative_to(ENGINE).as_posix()
        if file.startswith("backend/strict"):  # raises what CuPy would
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and node.exc is not None:
                made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
                yield file, node.lineno, ast.unparse(made)


def carries_kind(what: str) -> bool:
    """Whether what a raise statement names gives its error a kind."""
    return (
        what.startswith(("errors.", "(errors."))
        or what in MAKERS
        or inspect.isfunction(getattr(errors, what, None))
    )


def test_nothing_is_raised_without_a_kind() -> None:
    bare = [
        f"{file}:{line}: {what}"
        for file, line, what in raised()
        if not carries_kind(what) and what not in PLAIN | OWN.get(file, set())
    ]
    assert bare == []


def test_an_error_is_of_the_type_that_pytorch_raises() -> None:
    error = errors.wrong_index("no such row", RuntimeError)
    assert type(error) is RuntimeError
    assert error.args == ("no such row",)
    assert vars(error) == {"kind": "wrong-index"}
    assert vars(pickle.loads(pickle.dumps(error))) == {"kind": "wrong-index"}
    assert type(errors.wrong_index("no such row")) is IndexError


@pytest.mark.parametrize("write", ["base", "view"])
def test_a_view_made_under_no_grad_is_not_called_one_of_several(write: str) -> None:
    base = t.ones(2)
    with t.no_grad():
        view = base.view(2)
    w = t.ones(2, requires_grad=True)
    if write == "base":
        base.mul_(w)
        caught = error_of(lambda: view.grad_fn, RuntimeError)
    else:
        caught = error_of(lambda: view.mul_(w), RuntimeError)
    assert "It was made under no_grad(), so" in str(caught)
    assert "multiple views" not in str(caught)


CALLS = {
    "x.sum(foo=1)": "wrong-type",
    "x.logsumexp()": "wrong-type",
    "x.renorm(0)": "wrong-type",
    "x.scatter()": "wrong-type",
    "t.add(x, beta=2)": "wrong-type",
    "t.nn.functional.l1_loss(x)": "wrong-type",
    "x.sum('a')": "wrong-type",
    "x.sum(0.5)": "wrong-type",
    "x.view('a')": "wrong-type",
    "x.expand('a')": "wrong-type",
    "x.chunk('a')": "wrong-type",
    "x.topk('a')": "wrong-type",
    "x[0.5:]": "wrong-type",
    "format(x, '.2f')": "wrong-type",
    "x.shape[3]": "wrong-index",
    "x.shape + [1]": "wrong-type",
    "x[t.tensor([4])]": "wrong-index",
    "x[t.tensor([True])]": "wrong-index",
    "x.index_put_((t.tensor([True]),), t.tensor(1.0))": "wrong-index",
    "t.autograd.backward(3.0)": "wrong-type",
    "t.autograd.grad(3.0, x)": "wrong-type",
    "t.nn.Parameter([1.0])": "wrong-type",
    "t.optim.SGD([{'lr': 1.0}])": "wrong-value",
    "t.optim.SGD([x], lr='a')": "wrong-type",
    "t.nn.ModuleList(3)": "wrong-type",
    "t.tensor(1.0).size(0)": "wrong-index",
    "t.trapezoid(t.tensor(1.0))": "wrong-index",
    "t.ones(0, 2).nanmedian(0)": "wrong-shape",
    "t.tensor([[1.0], [2.0, 3.0]])": "wrong-value",
    "t.tensor(['a'])": "wrong-type",
}


FAILURES = {
    "x + m": "device-mismatch",
    "m.tolist()": "no-values",
    "m.sum().item()": "no-values",
    "bool(m.sum())": "no-values",
    "m.nonzero()": "no-values",
    "m.cpu()": "no-values",
    "t.device('cpu:')": "wrong-value",
    "t.zeros(1, device='nonsense')": "wrong-value",
    "t.autograd.gradcheck(Wrong.apply, w)": "gradcheck",
    "t.autograd.forward_ad.exit_dual_level()": "invalid-state",
    "Early()": "invalid-state",
}
"""Calls on which the reference and PyTorch agree, but for their wordings."""
SETUP = """
x = t.ones(3)
m = t.ones(3, device="meta")
w = t.ones(3, dtype=t.float64, requires_grad=True)

class Wrong(t.autograd.Function):
    forward = staticmethod(lambda ctx, x: x * 2)
    backward = staticmethod(lambda ctx, g: g * 3)

class Early(t.nn.Module):
    def __init__(self):
        self.weight = t.nn.Parameter(t.ones(3))
"""


@pytest.mark.parametrize("adapter", [ReferenceEngine, TorchEngine])
@pytest.mark.parametrize(("call", "kind"), FAILURES.items())
def test_the_same_kind_from_the_reference_and_pytorch(
    call: str, kind: str, adapter: type[TorchLikeEngine]
) -> None:
    engine = adapter()
    namespace = {"t": engine.module}
    exec(SETUP, namespace)
    with pytest.raises((RuntimeError, AttributeError)) as caught:
        eval(call, namespace)
    assert engine.classifier.kind(caught.value) == kind


@pytest.mark.parametrize(("call", "kind"), CALLS.items())
def test_what_numpy_or_python_would_raise_within(call: str, kind: str) -> None:
    """Caught where it is known what was wrong."""
    x = t.tensor([1.0, 2.0, 3.0])
    with pytest.raises((TypeError, ValueError, IndexError, LookupError, AttributeError)) as caught:
        eval(call, {"t": t, "x": x})
    assert vars(caught.value).get("kind") == kind


def test_an_error_from_within_a_call_is_not_that_of_the_call() -> None:
    def within() -> None:
        raise TypeError("not of the call")

    error = error_of(within)
    errors.mark_call(error)
    assert vars(error) == {}
    error = error_of(lambda missing: None)
    errors.mark_call(error)
    assert vars(error) == {"kind": "wrong-type"}


def error_of(function: Callable[..., object], type: type[Exception] = TypeError) -> Exception:
    """What a call without arguments raises."""
    try:
        function()
    except type as error:
        return error
    raise AssertionError("nothing was raised")


def engine_error(error: Exception) -> str:
    """The kind that the adapter reads from an error that the engine raises."""
    namespace = {"__name__": "gradspec.reference_impl.somewhere", "error": error}
    exec("def fail():\n    raise error", namespace)
    with pytest.raises(type(error)) as caught:
        namespace["fail"]()  # type: ignore[operator]
    return KindReader().kind(caught.value)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (RuntimeError("a leaf Variable that requires grad is used in an in-place operation"), "refused"),
        (ValueError("shape"), "refused"),
        (TypeError("argument must be Tensor"), "broken"),
        (IndexError("index out of range"), "broken"),
        (errors.graph_freed("anything"), "graph-freed"),
        (errors.wrong_dtype("anything", NotImplementedError), "wrong-dtype"),
    ],
)  # fmt: skip
def test_the_adapter_reads_the_kind_and_guesses_nothing(error: Exception, kind: str) -> None:
    assert engine_error(error) == kind


def test_the_adapter_has_no_patterns() -> None:
    classifier = ReferenceEngine().classifier
    assert (classifier.own, classifier.general) == ((), ())
