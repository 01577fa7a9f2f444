"""What an expression gives on an input, or how it refuses: the same as on PyTorch.

Compared are values, dtypes, shapes, strides, whether results are views or leaves, the names of their
nodes, what became of the input, its gradient, and the types of exceptions.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import gradspec.reference_impl as reference
import numpy as np
import pytest

from .expression_grid import EXPRESSIONS, INPUTS, split
from .expression_grid_accepted import ACCEPTED, UNDEFINED, Cells
from .kinds import lacks_kind
from .rounding import FACTOR, close, dtype_of, epsilon_of, largest, precision

torch = pytest.importorskip("torch")

TRACKED = ("number", "vector", "matrix", "no rows", "positive", "batch", "transposed", "stretched",
           "half", "complex", "complex square", "not finite")  # fmt: skip
"""The inputs that are also tried with requires_grad."""
CODE = functools.cache(lambda text: compile(text, "<grid>", "eval"))
WRITES = re.compile(r"_\(|out=x")
DRAWS = re.compile(r"rand|normal_|uniform_|exponential_|dropout")
Found = Any

SOLVES = re.compile(
    r"inverse|linalg.inv|pinv|solve|lstsq|det\(|cholesky|matrix_rank|eig|matrix_norm\(x, 2\)|matrix_power\(-1\)"
)
"""Expressions that solve or decompose: their error grows with the condition number of a matrix."""


class Numbers(NamedTuple):
    """Elements, the dtype in which they were computed, and by how many computations in a row."""

    elements: Any
    dtype: str
    passes: int = 1
    weight: float = 1.0
    """By what the numbers were multiplied before they were added up."""


def outcome(t: Any, expression: str, source: str, recorded: bool) -> Found:
    """What an expression gives on an engine, as plain values that ``same`` compares."""
    x = leaf = eval(CODE(source), {"t": t})
    writes = WRITES.search(expression) is not None
    if DRAWS.search(expression):
        t.manual_seed(0)
    try:
        if recorded:
            leaf.requires_grad_()
            x = leaf * 1 if writes else leaf
        result = eval(CODE(expression), {"t": t, "n": np, "x": x})
        found = described(t, result, x)
        if writes:
            found = [found, described(t, x, None), x._version]
        return [found, gradient(t, result, leaf)] if recorded else found
    except Exception as error:
        return type(error).__name__ + (" without a kind" if lacks_kind(error) else "")
    finally:
        t.set_grad_enabled(True)


def described(t: Any, result: Any, x: Any) -> Found:
    """A result as plain values."""
    if isinstance(result, t.Tensor):
        data = result.detach()
        view = x is not None and result._is_view() and data.numel() > 0 and not data.is_conj()
        view = view and (result._base is x or result._base is x._base)
        return [
            "tensor",
            str(data.dtype),
            tuple(data.shape),
            view and [s for s, n in zip(result.stride(), data.shape, strict=True) if n > 1],
            type(result.grad_fn).__name__,
            result.requires_grad,
            view,
            result is x,
            Numbers(values(t, data), dtype_of(data)),
        ]
    if isinstance(result, (tuple, list)):
        return [described(t, part, x) for part in result]
    if isinstance(result, (bool, int, float, complex, np.ndarray)):
        return result
    return str(result)


def values(t: Any, data: Any) -> Any:
    """A detached tensor as an array."""
    wide = t.complex128 if data.is_complex() else t.float64
    return data.to(wide, copy=True).resolve_conj().numpy()


def tensors_in(t: Any, result: Any) -> Iterator[Any]:
    """The tensors of a result that have a history."""
    if isinstance(result, t.Tensor):
        if result.requires_grad and result.grad_fn is not None:
            yield result
    elif isinstance(result, (tuple, list)):
        for part in result:
            yield from tensors_in(t, part)


def gradient(t: Any, result: Any, leaf: Any) -> Found:
    """The gradient of a weighted sum of all of a result."""
    outputs = list(tensors_in(t, result))
    if not outputs or any(type(o.grad_fn).__name__ == "NotImplemented" for o in outputs):
        return None  # (PyTorch can crash in a pass with inputs through a node without derivative)
    weights = [
        (t.arange(o.numel(), dtype=t.float64).reshape(o.shape) + 1).to(o.dtype) for o in outputs
    ]
    try:
        found = t.autograd.grad(outputs, leaf, weights, allow_unused=True)[0]
    except Exception as error:
        return type(error).__name__ + (" without a kind" if lacks_kind(error) else "")
    if found is None:
        return None
    weight = float(max(o.numel() for o in outputs))
    return [str(found.dtype), Numbers(values(t, found.detach()), dtype_of(found), 2, weight)]


def same(a: Found, b: Found, room: Room) -> bool:
    """Whether two outcomes are alike."""
    if isinstance(a, Numbers) and isinstance(b, Numbers):
        return room.holds(a, b)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(p, q, room) for p, q in zip(a, b, strict=True))
    if type(a) is not type(b):
        return False
    if isinstance(a, (float, complex, np.ndarray)):
        return room.holds(Numbers(a, str(np.asarray(a).dtype)), Numbers(b, ""))
    return bool(a == b)


class Room(NamedTuple):
    """The room that rounding gets in a cell of the grid.

    A number may be off by as many epsilons as in the suite, of its own dtype or the input's. What
    solves or decomposes loses as much again as the condition number of its matrix tells, and its
    gradient loses it twice.
    """

    epsilon: float
    scale: float
    condition: float
    expression: str

    def holds(self, expected: Numbers, found: Numbers) -> bool:
        """Whether the same numbers were found. Where a matrix is as good as singular for its
        dtype, no digit of the result means anything, and its shape alone is compared."""
        own = epsilon_of(expected.dtype)
        epsilon = precision(self.expression, max(self.epsilon, own)) if own else 0.0
        if self.condition**2 * max(self.epsilon, own) > 1:
            return bool(np.shape(expected.elements) == np.shape(found.elements))
        lost = expected.passes * self.condition**expected.passes
        scale = lost * self.scale * expected.weight
        return close(expected.elements, found.elements, epsilon, FACTOR * lost, scale)


def room_for(expression: str, source: str) -> Room:
    """The room for rounding of an expression on an input."""
    condition = condition_of(source) if SOLVES.search(expression) else 1.0
    return Room(*epsilon_and_scale(source), condition, expression)


@functools.cache
def torch_input(source: str) -> Any:
    """An input of the grid, only to be looked at."""
    return eval(CODE(source), {"t": torch})


@functools.cache
def epsilon_and_scale(source: str) -> tuple[float, float]:
    """The epsilon of an input, and the size of its largest element."""
    x = torch_input(source)
    return epsilon_of(x.dtype), largest(values(torch, x))


@functools.cache
def condition_of(source: str) -> float:
    """How much a matrix, the worst of a batch, magnifies relative errors: 1 where there is none."""
    array = values(torch, torch_input(source))
    if array.ndim < 2 or not array.size:
        return 1.0
    return float(np.nan_to_num(np.linalg.cond(array), nan=np.inf).max())


def cells(expression: str) -> Iterator[tuple[str, bool]]:
    """The inputs on which an expression is tried, and whether they require grad."""
    for name in EXPRESSIONS[expression]:
        if (expression, name) in undefined():
            continue
        yield name, False
        if name in TRACKED:
            yield name, True


def names_in(entry: Cells) -> list[str]:
    """The inputs that an entry names."""
    return [name.strip() for name in entry.inputs.split(",")]


@functools.cache
def undefined() -> set[tuple[str, str]]:
    """The expressions and inputs for which PyTorch gives nothing that could be compared."""
    return {
        (e, name)
        for entry in UNDEFINED
        for e in split(entry.expressions)
        for name in names_in(entry)
    }


@functools.cache
def accepted() -> dict[str, set[tuple[str, bool]]]:
    """For each expression the cells of the grid on which it may differ."""
    found: dict[str, set[tuple[str, bool]]] = {}
    for entry in ACCEPTED:
        for expression in split(entry.expressions):
            found.setdefault(expression, set()).update(
                (name, recorded)
                for name, recorded in cells(expression)
                if name in names_in(entry) and entry.recorded in (None, recorded)
            )
    return found


def differences(expression: str) -> dict[tuple[str, bool], tuple[Found, Found]]:
    """By cell of the grid: what PyTorch gives and what the reference gives, where that differs."""
    found = {}
    for name, recorded in cells(expression):
        source = INPUTS[name]
        theirs = outcome(torch, expression, source, recorded)
        ours = outcome(reference, expression, source, recorded)
        if not same(theirs, ours, room_for(expression, source)):
            found[name, recorded] = (theirs, ours)
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression(expression: str) -> None:
    found = differences(expression)
    expected = accepted().get(expression, set())
    unexpected = {key: pair for key, pair in found.items() if key not in expected}
    assert not unexpected, f"{expression}: PyTorch and the reference differ: {unexpected}"
    assert not expected - found.keys(), f"{expression}: accepted, and no longer different"


def test_every_exception_is_one_of_the_grid() -> None:
    for entry in (*ACCEPTED, *UNDEFINED):
        assert set(split(entry.expressions)) <= EXPRESSIONS.keys()
        assert set(names_in(entry)) <= INPUTS.keys()
