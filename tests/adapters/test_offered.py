"""Errors that only say what an engine lacks: an operation, or the gradient of one."""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
from gradspec.adapters.framework.boundary import resolve_in
from gradspec.adapters.framework.classify import Classifier, Pattern, pattern
from gradspec.adapters.framework.engine import End, MissingGradient, Observations, Unsupported
from gradspec.adapters.framework.python_engine import PythonEngine
from gradspec.conformance.judging.judge import judge

CASE: Any = types.SimpleNamespace(
    id="a.b/c", behavior=types.SimpleNamespace(scored_as_must=True), expectations=()
)
NO_KERNEL = (
    "Could not run 'aten::{}' with arguments from the 'card' backend. This could be because ... "
    "AutogradOther: registered at ..."
)


@pytest.mark.parametrize(
    ("error", "what", "kind"),
    [
        (NotImplementedError(NO_KERNEL.format("sin")), "aten::sin on card", ""),
        (NotImplementedError(NO_KERNEL.format("sin_backward")), "aten::sin_backward on card", "missing-gradient"),
        (NotImplementedError("The operator 'aten::kron' is not currently implemented for the MPS device."),
         "aten::kron on MPS", ""),
        (NotImplementedError("VJP of flip wrt argnums (0,) not defined"),
         "VJP of flip wrt argnums (0,) not defined", "missing-gradient"),
        (NotImplementedError("mygrad.linalg.norm does not support matrix norms"),
         "mygrad.linalg.norm does not support matrix norms", ""),
        (NotImplementedError("Trying to use forward AD with cdist_backward that does not support it"),
         "forward mode of cdist_backward", ""),
        (NotImplementedError(), "NotImplementedError", ""),
        (RuntimeError("There is no grad op for flip"), "There is no grad op for flip", "missing-gradient"),
        (ValueError("The kernel `roll` is not registered"), "The kernel `roll` is not registered", ""),
        (RuntimeError("the derivative for 'convolution_backward' is not implemented"),
         "the derivative of convolution_backward", "missing-gradient"),
        (RuntimeError("could not find kernel for op neg with keys ['CUDA']"),
         "could not find kernel for op neg with keys ['CUDA']", ""),
        (TypeError("sgn: unsupported dtype"), "sgn: unsupported dtype", ""),
        (TypeError("Unsupported element type"), "Unsupported element type", ""),
        (TypeError("'NoneType' object does not support the context manager protocol"), "a context manager", ""),
        (TypeError("unbound method Tensor.square() needs an argument"), "arguments of Tensor.square by name", ""),
        (TypeError("squeeze() received an invalid combination of arguments - got (Tensor, tuple), but expected"),
         "squeeze of these arguments", ""),
        (TypeError("no_grad_() takes no arguments"), "an argument of no_grad_", ""),
        (TypeError("'engine.base.Node' object is not callable"), "calling a Node", ""),
        (RuntimeError('"cdist" not implemented for \'Half\''), '"cdist" not implemented for \'Half\'', ""),
        (ValueError("[linalg::qr] Arrays must have type float32 or float64. Received complex64."),
         "[linalg::qr] Arrays must have type float32 or float64. Received complex64.", ""),
        (TypeError("Non-CUDA GPU placed Tensor does not have 'paddle.float16' op registered."),
         "Non-CUDA GPU placed Tensor does not have 'paddle.float16' op registered.", ""),
        (TypeError("The data type of input must be one of ['float32', 'float64'], but got paddle.bfloat16"),
         "The data type of input must be one of ['float32', 'float64'], but got paddle.bfloat16", ""),
        (ValueError("The input tensor's dtype must be float32 or float64, but got complex128"),
         "The input tensor's dtype must be float32 or float64, but got complex128", ""),
        (TypeError("The type of 'value'  must be int or float, but received <class 'paddle.Tensor'>."),
         "The type of 'value'  must be int or float, but received <class 'paddle.Tensor'>.", ""),
        (TypeError("Cannot convert 1.5 to EagerTensor of dtype int64"),
         "Cannot convert 1.5 to EagerTensor of dtype int64", ""),
        (ValueError("Value for attr 'T' of half is not in the list of allowed values: float, double"),
         "Value for attr 'T' of half is not in the list of allowed values: float, double", ""),
    ],
)  # fmt: skip
def test_what_an_error_says_is_lacking(error: Exception, what: str, kind: str) -> None:
    found = Classifier((), ()).lacking(error, frozenset())
    assert found is not None
    assert (found.what, found.kind) == (what, kind)


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("shapes differ"),
        ValueError("the kernel has 3 dimensions"),
        TypeError("no"),
        TypeError("'int' object is not callable"),
    ],
)
def test_other_errors_say_nothing_of_the_kind(error: Exception) -> None:
    assert Classifier((), ()).lacking(error, frozenset()) is None


def repeat(x: Any, repeats: int) -> Any:
    return x * repeats


def decorated(*arguments: Any, **keywords: Any) -> Any:
    return repeat(*arguments, **keywords)


@pytest.mark.parametrize(
    ("program", "what"),
    [
        ("call(1)", "fewer arguments of repeat"),
        ("(1, 2).values", "values of several results"),
        ("inner()", None),
    ],
)
def test_forms_that_are_lacking(program: str, what: str | None) -> None:
    """A function that a decorator wraps, and results without names; but not what the engine calls itself."""
    named = {"__name__": "gradspec_program", "call": decorated, "inner": lambda: decorated(1)}
    with pytest.raises((TypeError, AttributeError)) as raised:
        exec(program, named)
    found = Classifier((), ()).lacking(raised.value, frozenset({"values"}))
    assert (found and found.what) == what


def test_an_adapter_says_which_errors_mean_it() -> None:
    own = [
        pattern("unsupported", "ask the vendor", "RuntimeError"),
        pattern("missing-gradient", "not trainable"),
    ]
    classifier = Classifier(own, ())
    for error, kind in (
        (RuntimeError("ask the vendor"), Unsupported),
        (RuntimeError("roll is not trainable"), MissingGradient),
    ):
        assert type(classifier.lacking(error, frozenset())) is kind
        with pytest.raises(kind):  # also where a program expects an error
            classifier.kind(error)
    assert classifier.lacking(ValueError("ask the vendor"), frozenset()) is None


def test_an_older_version_lacks_keywords_and_hooks_of_functions() -> None:
    """Even if every TypeError of the engine has a kind where a program expects an error."""
    classifier = Classifier([pattern("wrong-type", "", "TypeError")], ())
    keyword = TypeError("mse_loss() got an unexpected keyword argument 'weight'")
    found = classifier.lacking(keyword, frozenset({"weight"}))
    assert found is not None
    assert found.what == "the keyword weight"
    assert classifier.lacking(keyword, frozenset({"reduction"})) is None
    refused = ValueError("Unexpected keyword arguments: use_reentrant")
    found = classifier.lacking(refused, frozenset({"use_reentrant"}))
    assert found is not None
    assert found.what == "the keyword use_reentrant"
    for takes in ("1 positional argument but 2", "from 1 to 2 positional arguments but 3"):
        forward = TypeError(f"program.<locals>.Cube.forward() takes {takes} were given")
        found = classifier.lacking(forward, frozenset())
        assert found is not None
        assert found.what == "setup_context of a custom function"


def test_modules_that_a_package_does_not_import_are_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "lazily_built"
    (package / "tools").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "tools" / "__init__.py").write_text("")
    (package / "tools" / "broken.py").write_text("raise OSError('no compiler')")
    (package / "tools" / "checkpoint.py").write_text("def checkpoint(f, x):\n    return f(x)\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("lazily_built")
    found = resolve_in(module, {"lazily_built"}, "tools.checkpoint.checkpoint")
    assert found(abs, -2) == 2
    for missing in ("tools.broken.build", "tools.absent.build", "tools.checkpoint.restore"):
        with pytest.raises(Unsupported, match=missing):
            resolve_in(module, {"lazily_built"}, missing)


class Engine(PythonEngine):
    """An engine with one operation, whose backward pass lacks a kernel."""

    name = "small"

    def load_module(self) -> Any:
        source = (
            "def flip(): raise NotImplementedError('flip')\n"
            "def apply(function): return function()\n"
            "def backward(function=flip): return function()\n"
        )
        module = types.ModuleType("small_engine")
        exec(source, module.__dict__)
        return module


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (lambda engine: engine.apply(engine.flip), ""),
        (lambda engine: engine.backward(), "missing-gradient"),
    ],
)
def test_what_is_lacking_in_a_backward_pass_is_a_gradient(
    body: Callable[[Any], Any], kind: str
) -> None:
    engine = Engine()
    with pytest.raises(NotImplementedError) as raised:
        body(engine.module)
    end = engine.end_of(raised.value, frozenset(), "")
    assert (end.how, end.kind, end.message) == ("unsupported", kind, "flip")


def test_the_verdict_says_that_a_gradient_is_missing() -> None:
    for kind, shown in (("missing-gradient", "missing-gradient"), ("user", "")):
        verdict = judge(CASE, Observations([], End("unsupported", kind, message="flip")), {})
        assert (verdict.verdict, verdict.kind) == ("unsupported", shown)


def test_an_index_error_that_is_a_value_error_too_is_one_of_an_index() -> None:
    general = [
        Pattern("wrong-value", exception="ValueError"),
        Pattern("wrong-index", "axis", "IndexError"),
    ]
    with pytest.raises(ValueError, match="axis") as found:
        numpy.zeros(2).sum(axis=5)
    assert Classifier((), general).kind(found.value) == "wrong-index"


def test_what_assigns_items_and_deletes_none_rejects_it_by_type() -> None:
    assert Classifier([], []).kind(AttributeError("__delitem__")) == "wrong-type"
