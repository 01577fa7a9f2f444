"""The formulas of operations: mathematics in NumPy's and SciPy's names, evaluated by us.

A formula is one expression over the operands' names, `g` (the gradient of the result) and `out`
(the result), with the functions listed here. It is independent of every engine, ours included:
engines are tested against its value.
"""

from __future__ import annotations

import ast
import contextlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import Any

import numpy as np

from . import fourier, matrices, resampling, windows
from .bounded import METER, guarded, guards, shape_fault

Array = Any
LONGEST = 4000
"""Longer text is not parsed as a formula."""

_NUMPY = """
abs sign sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan arctan2 sinh cosh
tanh arcsinh arccosh arctanh sinc square reciprocal floor ceil rint trunc fmod remainder hypot
copysign logaddexp logaddexp2 maximum minimum fmax fmin where clip isnan isfinite nan_to_num deg2rad
rad2deg power floor_divide nextafter heaviside real imag conj angle
sum mean prod var std amax amin max min median nanmedian nansum nanmean quantile nanquantile cumsum
cumprod sort argsort argmax argmin diff trapezoid trace cov corrcoef count_nonzero
reshape ravel transpose swapaxes moveaxis expand_dims squeeze broadcast_to flip roll rot90 tile
repeat tril triu diag diagonal eye identity zeros ones full zeros_like ones_like full_like arange
concatenate stack hstack vstack dstack column_stack split array_split meshgrid take take_along_axis
delete insert append
matmul dot outer kron einsum tensordot inner cross array shape ndim size
"""
_LINEAR_ALGEBRA = "norm inv det slogdet solve eigh qr cholesky pinv matrix_power"
_SPECIAL = """
erf erfc erfinv erfcx gammaln gammainc gammaincc digamma polygamma multigammaln i0 i0e i1 i1e ndtr log_ndtr ndtri entr
xlogy xlog1py expit logit logsumexp softmax log_softmax
"""
_CONSTANTS = {"pi": np.pi, "e": np.e, "inf": np.inf, "nan": np.nan, "newaxis": None}
_ATTRIBUTES = frozenset({"shape", "T", "size", "ndim"})
_BUILTINS: dict[str, Any] = {"range": range, "tuple": tuple, "len": len, "slice": slice}
_NODES = (
    ast.Expression, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.keyword, ast.Name, ast.Load,
    ast.Constant, ast.Tuple, ast.List, ast.Subscript, ast.Slice, ast.Attribute, ast.operator,
    ast.unaryop, ast.cmpop, ast.Starred,
)  # fmt: skip


def add_at(shape: Sequence[int], index: Any, values: Array) -> Array:
    """Zeros of a shape with the values added at an index; where it repeats, they add up."""
    out = np.zeros(tuple(shape), np.result_type(values))
    np.add.at(out, index, values)
    return out


def put_at(x: Array, index: Any, values: Array) -> Array:
    """A copy of `x` with the values put at an index."""
    out = np.array(x, dtype=np.result_type(x, values))
    out[index] = values
    return out


def along(index: Array, axis: int) -> tuple[Array, ...]:
    """The index that `take_along_axis` takes by, for `add_at` and `put_at`."""
    grid = list(np.ogrid[tuple(slice(n) for n in np.shape(index))])
    grid[axis] = index
    return tuple(grid)


def spread(g: Array, axis: int | tuple[int, ...], shape: Sequence[int]) -> Array:
    """A reduction's gradient stretched back to `shape` over the dimensions that were left out."""
    return np.broadcast_to(np.expand_dims(g, axis), tuple(shape))


def centred(x: Array, axis: int | tuple[int, ...] | None = None) -> Array:
    """The elements less their mean over all, or over dimensions."""
    return x - np.mean(x, axis=axis, keepdims=True)


def unit(x: Array, axis: int) -> Array:
    """The vectors along a dimension, each divided by its length."""
    return x / np.sqrt(np.sum(x * x, axis=axis, keepdims=True))


def through_unit(g: Array, x: Array, axis: int) -> Array:
    """The gradient of `unit(x, axis)`: what is left across each vector, over its length."""
    u = unit(x, axis)
    across = g - u * np.sum(g * u, axis=axis, keepdims=True)
    return across / np.sqrt(np.sum(x * x, axis=axis, keepdims=True))


def products_of_others(x: Array, axis: int | tuple[int, ...]) -> Array:
    """For each element the product of all others along dimensions, with no division."""
    axes = (axis,) if isinstance(axis, int) else axis
    out = np.ones_like(x)
    for index in np.ndindex(*np.shape(x)):
        line = tuple(slice(None) if i in axes else n for i, n in enumerate(index))
        others = np.array(x[line])
        others[tuple(index[i] for i in axes)] = 1
        out[index] = np.prod(others)
    return out


def through_running_products(g: Array, x: Array, axis: int) -> Array:
    """The gradient of `cumprod(x, axis)`, one product after another, with no division."""
    out = np.zeros(np.shape(x), np.result_type(g, x))
    for end in range(np.shape(x)[axis]):
        line = (slice(None),) * axis + (slice(end + 1),)
        one = np.take(g, [end], axis=axis)
        out[line] += one * products_of_others(x[line], axis)
    return out


@lru_cache(maxsize=1)
def functions() -> dict[str, Any]:
    """Every function and constant that a formula may name."""
    import scipy.special

    from . import nn_formulas

    return {
        **{name: getattr(np, name) for name in _NUMPY.split()},
        **{name: getattr(np.linalg, name) for name in _LINEAR_ALGEBRA.split()},
        **{name: getattr(scipy.special, name) for name in _SPECIAL.split()},
        **_CONSTANTS,
        **_BUILTINS,
        **{each.__name__: each for each in (*matrices.FUNCTIONS, *fourier.FUNCTIONS)},
        "add_at": add_at,
        "put_at": put_at,
        "along": along,
        "spread": spread,
        "centred": centred,
        "unit": unit,
        "through_unit": through_unit,
        "products_of_others": products_of_others,
        "through_running_products": through_running_products,
        "maximum_so_far": np.maximum.accumulate,
        "minimum_so_far": np.minimum.accumulate,
        **nn_formulas.FUNCTIONS,
        **windows.functions(),
        **resampling.functions(),
    }


def fault_of(text: str, names: frozenset[str]) -> str:
    """Why `text` is not a formula over `names`, or the empty string if it is."""
    if len(text) > LONGEST:
        return f"it has {len(text)} characters"
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return (
            f"it is not an expression: {error.args[0] if error.args else 'it is nested too deeply'}"
        )
    if fault := shape_fault(tree, text):
        return fault
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            return f"a formula has no {type(node).__name__.lower()}"
        if isinstance(node, ast.Attribute) and node.attr not in _ATTRIBUTES:
            return (
                f"a formula has no attribute {node.attr!r}, only {', '.join(sorted(_ATTRIBUTES))}"
            )
        if isinstance(node, ast.Name) and node.id not in names and node.id not in functions():
            known = ", ".join(sorted(names))
            return f"{node.id!r} is neither an operand ({known}) nor a function of formulas.py"
    return ""


@dataclass
class _Plan:
    """A formula ready to be evaluated: with every operation checked, and unchecked."""

    checked: CodeType
    plain: CodeType
    costs: dict[Any, float] = field(default_factory=dict)
    """Its cost for operands of certain shapes and dtypes, if it depends on nothing else."""


@lru_cache(maxsize=4096)
def _plan(text: str) -> _Plan:
    tree = ast.parse(text.strip(), mode="eval")
    plain = compile(tree, "<formula>", "eval")
    return _Plan(compile(guarded(tree), "<formula>", "eval"), plain)


@lru_cache(maxsize=1)
def _namespace() -> dict[str, Any]:
    return {"__builtins__": {}, **functions(), **guards(functions())}


class _Quiet(contextlib.ContextDecorator):
    """Keeps NumPy from warning, in a block or a function. Entering it again within costs nothing, so what
    evaluates many formulas is quiet as a whole."""

    def __init__(self) -> None:
        self.depth = 0
        self.silenced = contextlib.ExitStack()

    def __enter__(self) -> None:
        if not self.depth:
            self.silenced.enter_context(np.errstate(all="ignore"))
            self.silenced.enter_context(warnings.catch_warnings(action="ignore"))
        self.depth += 1

    def __exit__(self, *error: object) -> None:
        self.depth -= 1
        if not self.depth:
            self.silenced.close()


QUIET = _Quiet()


def _kind(value: Array) -> Any:
    """What a formula's cost may depend on beside an operand's shape."""
    return value.dtype if isinstance(value, np.ndarray) else np.result_type(value)


def evaluate(text: str, values: Mapping[str, Array]) -> Array:
    """The value of a formula for these operands, as an array.

    Raises whatever NumPy raises, and `TooMuch` if it would take too much memory or time. The
    formula must have passed `fault_of`. The cost is not checked again for operands of the same
    shapes and dtypes, unless it depends on a value.
    """
    plan, given = _plan(text), dict(values)
    key = tuple([(name, np.shape(value), _kind(value)) for name, value in values.items()])
    with QUIET:
        if key in plan.costs:
            METER.charge(plan.costs[key])
            return np.asarray(eval(plan.plain, _namespace(), given))
        METER.by_value, before = False, METER.left
        found = np.asarray(eval(plan.checked, _namespace(), given))
        if not METER.by_value:
            plan.costs[key] = before - METER.left
        return found


def summed_to(gradient: Array, shape: tuple[int, ...]) -> Array:
    """A gradient summed over the dimensions in which an operand of `shape` was stretched."""
    if gradient.shape == shape:
        return gradient
    missing = gradient.ndim - len(shape)
    if missing < 0:
        return np.broadcast_to(gradient, shape)
    axes = tuple(range(missing)) + tuple(
        missing + i
        for i, (n, m) in enumerate(zip(gradient.shape[missing:], shape, strict=True))
        if m == 1 and n != 1
    )
    return gradient.sum(axis=axes).reshape(shape)


STEP = 2.0**-7
COEFFICIENTS = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
"""Central differences of the eighth order: f' is the sum of c (f(x + kh) - f(x - kh)) / h."""


def slope(function: Callable[[float], Array], step: float = STEP) -> Array:
    """The derivative of a function of one number at 0, by central differences of order eight."""
    return sum(c * (function(k * step) - function(-k * step)) for k, c in COEFFICIENTS) / step
