"""Engines built with pybind11 or nanobind say which arguments they take: what they lack is
unsupported, and no failure."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest
from gradspec.adapters.framework.bound_signatures import missing_parameter, missing_type
from gradspec.adapters.framework.classify import PROGRAM, Classifier, missing_operator, pattern
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


def test_too_few_arguments_are_a_form_that_is_lacking_unless_an_error_is_expected() -> None:
    where = "1. (condition: Tensor, input: Tensor, other: Tensor) -> Tensor"
    short = TypeError(PYBIND.format(name="where", signatures=where, passed=TENSOR))
    classifier = Classifier([], [pattern("wrong-type", exception="TypeError")])
    assert str(classifier.lacking(short, frozenset())) == "1 arguments of where"
    assert classifier.kind(short) == "wrong-type"
    defaults = "1. (input: Tensor, dim: int = 0, *, keepdim: bool = False) -> Tensor"
    for signatures, passed in [(where, f"{TENSOR}, 1, 2"), (defaults, TENSOR), (f"{where}\n    2. (a)", "1"),
                               (where, "tensor(Tensor(shape=(2, 3)), tensor(1), 2")]:  # fmt: skip
        message = PYBIND.format(name="where", signatures=signatures, passed=passed)
        assert classifier.lacking(TypeError(message), frozenset()) is None


NUMBER = "1. (self: raxis._C.Tensor, value: int | float | bool) -> raxis._C.Tensor"
PERMUTE = "1. (input: raxis._C.Tensor, dims: list[int] | tuple[int, ...]) -> raxis._C.Tensor"


@pytest.mark.parametrize(
    ("text", "name", "signatures", "passed", "lacking"),
    [
        (PYBIND, "f", NUMBER, f"{TENSOR}, {TENSOR}", True),
        (PYBIND, "f", NUMBER, f"{TENSOR}, 3", False),
        (PYBIND, "f", NUMBER, f"{TENSOR}, None", False),
        (PYBIND, "f", f"{NUMBER}\n    2. (self: raxis._C.Tensor, other: raxis._C.Tensor) -> None",
         f"{TENSOR}, {TENSOR}", False),
        (PYBIND, "f", f"{NUMBER}\n    2. (self: raxis._C.Tensor, other: raxis._C.Tensor) -> None",
         f"{TENSOR}, (0, 2)", True),
        (PYBIND, "f", PERMUTE, f"{TENSOR}, (2, 0, 1)", False),
        (PYBIND, "f", "1. (input: Tensor, dim: Optional[int] = None) -> Tensor", f"{TENSOR}, (0, 2)", True),
        (PYBIND, "__init__", "1. raxis._C.Tensor(data: raxis._C.Tensor)", "[1.0, 2.0]", True),
        (PYBIND, "f", "1. (a: object) -> None", "[1.0, 2.0]", False),
        (PYBIND, "f", "1. (a) -> None", "[1.0, 2.0]", False),
        (PYBIND, "_own", NUMBER, f"{TENSOR}, {TENSOR}", False),
        (NANOBIND, "f", "1. f(a: array, /, dims: int) -> array", "mx.array, tuple", True),
        (NANOBIND, "f", "1. f(a: array, /, dims: int) -> array", "mx.array, int", False),
        (NANOBIND, "f", "1. f(a: array, /, alpha: float = 1.0, *, stream: Stream = None) -> array",
         "mx.array, kwargs = { alpha: complex }", True),
        (NANOBIND, "f", "1. f(a: array, /, alpha: float = 1.0) -> array", "mx.array, kwargs = { alpha: int }", False),
        (PYBIND, "f", "1. (input: Tensor, dim: int = 0) -> Tensor", f"{TENSOR}; kwargs: dim=(0, 2)", True),
        (PYBIND, "f", "1. (input: Tensor, dim: int = 0) -> Tensor", f"{TENSOR}; kwargs: dim=None", False),
    ],
)  # fmt: skip
def test_a_type_that_no_signature_names_is_lacking(
    text: str, name: str, signatures: str, passed: str, lacking: bool
) -> None:
    message = text.format(name=name, signatures=signatures, passed=passed)
    assert bool(missing_type(message, frozenset({"f"}))) is lacking
    assert (Classifier([], []).lacking(TypeError(message), frozenset({"f"})) is not None) is lacking
    of_a_refusal = Classifier([], [pattern("wrong-type", exception="TypeError")])
    assert of_a_refusal.kind(TypeError(message), frozenset({"f"})) == "wrong-type"


def called(function: Callable[..., Any], name: str, call: str = "called()") -> TypeError:
    """What Python raises of a call that the program makes."""
    program = FunctionType(
        compile(call, "program", "eval"), {"called": function, "__name__": PROGRAM}
    )
    function.__qualname__ = name
    with pytest.raises(TypeError) as caught:
        program()
    return caught.value.with_traceback(caught.value.__traceback__.tb_next)


def test_what_python_says_of_too_few_arguments() -> None:
    classifier = Classifier([], [])
    error = called(lambda condition, x, y: x, "where")
    assert str(classifier.lacking(error, frozenset())) == "fewer arguments of where"
    of_the_program = called(lambda x: x, "program.<locals>.f")
    assert classifier.lacking(of_the_program, frozenset()) is None


def test_what_python_says_of_too_many_arguments() -> None:
    """The function may have another name in the program."""
    classifier = Classifier([], [])
    error = called(lambda x: x, "Array.average", "called(1, 2)")
    assert str(classifier.lacking(error, frozenset({"mean"}))) == "an argument of average"
    of_the_program = called(lambda x: x, "program.<locals>.f", "called(1, 2)")
    assert classifier.lacking(of_the_program, frozenset()) is None


def test_what_pyo3_says_of_another_type() -> None:
    error = TypeError(
        "argument 'repeats': 'builtins.Tensor' object cannot be interpreted as an integer"
    )
    lacking = Classifier([], []).lacking(error, frozenset())
    assert str(lacking) == "the argument repeats of this type"


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
        (
            "unsupported operand type(s) for ** or pow(): 'float' and 'engine._C.Tensor'",
            "the operator **",
        ),
        (
            "unsupported operand type(s) for %: 'engine._C.Tensor' and 'engine._C.Tensor'",
            "the operator %",
        ),
        ("bad operand type for unary -: 'engine._C.Tensor'", "the operator -"),
        ("'<' not supported between instances of 'engine._C.Tensor' and 'int'", "the operator <"),
        ("'engine._C.Tensor' object is not subscriptable", "indexing"),
        ("list indices must be integers or slices, not engine._C.Tensor", "an index of a list"),
        ("unsupported operand type(s) for +: 'engine._C.Tensor' and 'str'", ""),
        ("unsupported operand type(s) for *: 'other.Tensors' and 'int'", ""),
    ],
)
def test_operators_of_a_type_with_a_dotted_name(message: str, lacking: str) -> None:
    assert missing_operator(TypeError(message), without_operators()) == lacking
