"""Engines built with pybind11 or nanobind say which arguments they take: what they lack is
unsupported, and no failure."""

from __future__ import annotations

import pytest
from gradspec.adapters.framework.bound_signatures import missing_parameter
from gradspec.adapters.framework.classify import Classifier, missing_operator
from gradspec.adapters.framework.engine import Unsupported

PYBIND = """{name}(): incompatible function arguments. The following argument types are supported:
    {signatures}

Invoked with: {passed}"""
NANOBIND = """{name}(): incompatible function arguments. The following argument types are supported:
    {signatures}

Invoked with types: {passed}"""
ADD = "1. (self: raxis._C.Tensor, other: raxis._C.Tensor) -> raxis._C.Tensor"
TENSOR = "raxis([[ 0.5000, -1.5000],\n       [ 1.0000,  2.0000]], requires_grad=True)"


@pytest.mark.parametrize(
    ("text", "name", "signatures", "passed", "missing"),
    [
        (PYBIND, "add", ADD, f"{TENSOR}, {TENSOR}; kwargs: alpha=2.5", "the keyword alpha of add"),
        (PYBIND, "add", ADD, f"{TENSOR}, {TENSOR}, {TENSOR}", "3 arguments of add"),
        (PYBIND, "add", ADD, f"{TENSOR}, None", ""),
        (PYBIND, "add", ADD, f"{TENSOR}; kwargs: other=[1, 2]", ""),
        (PYBIND, "add", "1. (*args, **kwargs) -> None", "1, 2; kwargs: alpha=2", ""),
        (PYBIND, "add", f"{ADD}\n    2. (a: int, *, alpha: float = 1.0) -> None",
         f"{TENSOR}, 3; kwargs: alpha=2", ""),
        (PYBIND, "f", "1. (a: dict[str, int] = {'b': (1, 2)}) -> None", "'x, y', 3", "2 arguments of f"),
        (PYBIND, "f", "1. (a: int) -> None", "2; kwargs: unasked=3", ""),
        (NANOBIND, "sum", "1. sum(a: array, /, dims: list[int] | None = None) -> array",
         "mx.array, kwargs = { alpha: float }", "the keyword alpha of sum"),
        (NANOBIND, "sum", "1. sum(a: array, /) -> array", "mx.array, int", "2 arguments of sum"),
        (NANOBIND, "sum", "1. sum(a: array, /) -> array", "str", ""),
    ],
)  # fmt: skip
def test_what_no_signature_takes(
    text: str, name: str, signatures: str, passed: str, missing: str
) -> None:
    message = text.format(name=name, signatures=signatures, passed=passed)
    asked = frozenset({"alpha", "other"})
    assert missing_parameter(message, asked) == missing
    classifier = Classifier([], [])
    if missing:
        with pytest.raises(Unsupported, match=missing):
            classifier.kind(TypeError(message), asked)
    else:
        assert classifier.kind(TypeError(message), asked) == "broken"


def test_what_pytorch_itself_was_built_with() -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(TypeError) as caught:
        torch._C._set_graph_executor_optimize("x", alpha=3)
    asked = frozenset({"alpha"})
    told = "the keyword alpha of _set_graph_executor_optimize"
    assert missing_parameter(str(caught.value), asked) == told


def test_other_errors_are_left_alone() -> None:
    assert missing_parameter("f() missing 1 required positional argument: 'x'", frozenset()) == ""


def without_operators() -> type:
    """A type as compiled modules name theirs: its module is part of the name that Python prints."""
    made = type("Tensor", (), {"__add__": lambda self, other: self, "__slots__": ()})
    made.__module__ = "engine._C"
    return made


@pytest.mark.parametrize(
    ("message", "lacking"),
    [
        ("unsupported operand type(s) for ** or pow(): 'float' and 'engine._C.Tensor'", "the operator **"),
        ("unsupported operand type(s) for %: 'engine._C.Tensor' and 'engine._C.Tensor'", "the operator %"),
        ("bad operand type for unary -: 'engine._C.Tensor'", "the operator -"),
        ("'<' not supported between instances of 'engine._C.Tensor' and 'int'", "the operator <"),
        ("'engine._C.Tensor' object is not subscriptable", "indexing"),
        ("unsupported operand type(s) for +: 'engine._C.Tensor' and 'str'", ""),
        ("unsupported operand type(s) for *: 'other.Tensors' and 'int'", ""),
    ],
)
def test_operators_of_a_type_with_a_dotted_name(message: str, lacking: str) -> None:
    assert missing_operator(TypeError(message), without_operators()) == lacking
