"""Vocabulary words for engines with NumPy's namespace: the same operations under other names.

Only names and argument names are translated. A word that the namespace lacks is left out, so that
a case that needs it is reported as unsupported; nothing is composed from other operations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from .classify import pattern
from .engine import Unsupported
from .numpy_calls import of_size_one, with_ranks

SAME_NAME = [
    "abs", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh",
    "cosh", "tanh", "sqrt", "square", "sign", "floor", "ceil", "trunc", "reciprocal", "sinc",
    "maximum", "minimum", "fmax", "fmin", "logaddexp", "logaddexp2", "remainder", "fmod",
    "where", "matmul", "dot", "outer", "kron", "isnan", "isinf", "isfinite",
    "angle", "deg2rad", "rad2deg", "ravel", "fliplr", "flipud", "atleast_1d", "atleast_2d", "atleast_3d",
    "moveaxis", "swapaxes", "hstack", "vstack", "dstack", "column_stack", "tile", "roll",
    "hsplit", "vsplit", "dsplit",
]  # fmt: skip
OTHER_NAME = {
    "neg": "negative", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh",
    "acosh": "arccosh", "atanh": "arctanh", "atan2": "arctan2", "add": "add", "sub": "subtract",
    "mul": "multiply", "div": "divide", "pow": "power", "mm": "matmul", "mv": "matmul",
    "absolute": "abs", "true_divide": "true_divide", "floor_divide": "floor_divide", "eq": "equal",
    "movedim": "moveaxis", "swapdims": "swapaxes", "permute": "transpose",
    "tensor_split": "array_split", "repeat_interleave": "repeat",
}  # fmt: skip
RANKS = {"dot": (1, 1), "mm": (2, 2), "mv": (2, 1)}
"""Of how many dimensions PyTorch's operands are, where NumPy's function takes others too."""
REDUCTIONS = {
    "sum": "sum", "mean": "mean", "prod": "prod", "amax": "max", "amin": "min", "argmax": "argmax",
    "argmin": "argmin", "all": "all", "any": "any", "count_nonzero": "count_nonzero",
    "nansum": "nansum", "nanmean": "nanmean",
}  # fmt: skip
OTHER_MEANING = ["view", "repeat", "sort", "put", "take", "partition", "nonzero"]
"""Methods of arrays that share a name with PyTorch's and little else."""
OTHER_FUNCTIONS = ["equal"]
"""The same for functions: NumPy's `equal` compares element by element."""
NO_METHODS = ["cat", "stack", "where", "einsum", "kron", "hstack", "vstack", "dstack",
              "column_stack", "atleast_1d", "atleast_2d", "atleast_3d"]  # fmt: skip
DTYPES = [
    "float16",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "complex64",
    "complex128",
]

NUMPY_PATTERNS = (
    pattern("wrong-index", exception="AxisError"),
    pattern("wrong-shape", "empty sequence|zero-size array|must be .*-d", "ValueError"),
    pattern(
        "wrong-shape", "same number of dimensions|does not have enough dimensions", "ValueError"
    ),
    pattern("wrong-shape", "axes don't match array|transpose with ndim < 2", "ValueError"),
    pattern("wrong-dtype", "numpy boolean (negative|subtract)", "TypeError"),
    pattern(
        "wrong-dtype",
        "^ufunc .* (not supported for the input types|did not contain a loop)",
        "TypeError",
    ),
    # without an error expected
    pattern("unsupported", "^ufunc .* not supported for the input types", "TypeError"),
    pattern("wrong-dtype", "integers to negative integer powers", "ValueError"),
    pattern(
        "wrong-type", "cannot delete array elements|either both or neither of x and y", "ValueError"
    ),
)
"""NumPy's errors that are of several types at once, or of one that says little."""


def reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction that takes `dim` and `keepdim` for NumPy's `axis` and `keepdims`."""

    def reduce(value: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if keepdim and not takes(function, "keepdims"):
            raise Unsupported("the keyword keepdim")
        kept = {"keepdims": True} if keepdim else {}
        return function(value, axis=tuple(dim) if isinstance(dim, list) else dim, **kept)

    return reduce


def takes(function: Callable[..., Any], keyword: str) -> bool:
    """Whether a function takes a keyword, as far as it says so."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return True
    return keyword in parameters or any(
        each.kind is each.VAR_KEYWORD for each in parameters.values()
    )


def deviation(function: Callable[..., Any]) -> Callable[..., Any]:
    """`std` or `var`, which take `correction` for NumPy's `ddof`, and one where none is named."""

    def reduce(
        value: Any,
        dim: Any = None,
        unbiased: bool | None = None,
        keepdim: bool = False,
        correction: int | None = None,
    ) -> Any:
        if isinstance(dim, bool):  # the second argument of another form
            dim, unbiased = None, dim
        if unbiased is not None and correction is not None:
            raise Unsupported("both unbiased and correction, of which NumPy has one")
        ddof = int(unbiased is not False) if correction is None else correction
        return function(value, axis=dim, ddof=ddof, keepdims=keepdim)

    return reduce


def of_all(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """`max` or `min` of all elements; over a dimension PyTorch's gives indices too."""

    def reduce(value: Any, *dim: Any, **keywords: Any) -> Any:
        if dim or keywords:
            raise Unsupported(f"{name} over a dimension, with indices")
        return function(value)

    return reduce


def with_numbers(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A method whose further arguments can only be numbers."""

    def call(value: Any, *numbers: Any, **keywords: Any) -> Any:
        given = (*numbers, *keywords.values())
        if not hasattr(value, "backward") or any(hasattr(item, "backward") for item in given):
            raise Unsupported(f"{name} with several tensors")
        return function(value, *numbers, **keywords)

    return call


def sized(function: Callable[..., Any]) -> Callable[..., Any]:
    """A factory that takes its shape as one tuple or as several integers."""

    def build(*size: Any, **keywords: Any) -> Any:
        if not size:
            return function(**keywords)  # which is for the engine to reject
        shape = size[0] if len(size) == 1 and isinstance(size[0], tuple | list) else size
        return function(tuple(shape), **keywords)

    return build


def numpy_words(namespace: Any) -> dict[str, Any]:
    """Functions by their vocabulary names, as far as `namespace` has them."""
    words: dict[str, Any] = {}
    for name in SAME_NAME:
        if hasattr(namespace, name):
            words[name] = getattr(namespace, name)
    for name, theirs in OTHER_NAME.items():
        if hasattr(namespace, theirs):
            words[name] = getattr(namespace, theirs)
    for name, theirs in REDUCTIONS.items():
        if hasattr(namespace, theirs):
            words[name] = reduction(getattr(namespace, theirs))
    words.update(
        {
            name: with_ranks(name, words[name], *ranks)
            for name, ranks in RANKS.items()
            if name in words
        }
    )
    for name in ("std", "var"):
        if hasattr(namespace, name):
            words[name] = deviation(getattr(namespace, name))
    for name in ("max", "min"):
        if hasattr(namespace, name):
            words[name] = of_all(name, getattr(namespace, name))
    words.update({name: other_meaning(name) for name in OTHER_FUNCTIONS})
    for name, build in _shape_words(namespace).items():
        if build is not None:
            words[name] = build
    return words


def _shape_words(namespace: Any) -> Mapping[str, Callable[..., Any] | None]:
    """Words whose arguments NumPy orders or names otherwise."""

    def having(name: str, function: Callable[..., Any]) -> Callable[..., Any] | None:
        return function if hasattr(namespace, name) else None

    def einsum(equation: Any, *parts: Any) -> Any:
        if any(isinstance(part, tuple | list) for part in parts):
            raise Unsupported("einsum of a list, in which NumPy sees subscripts")
        return namespace.einsum(equation, *parts)

    return {
        "einsum": having("einsum", einsum),
        "cat": having(
            "concatenate", lambda parts, dim=0: namespace.concatenate(tuple(parts), axis=dim)
        ),
        "stack": having("stack", lambda parts, dim=0: namespace.stack(tuple(parts), axis=dim)),
        "reshape": having("reshape", lambda value, shape: namespace.reshape(value, shape)),
        "transpose": having(
            "swapaxes", lambda value, first, second: namespace.swapaxes(value, first, second)
        ),
        "squeeze": having(
            "squeeze",
            lambda value, dim=None: namespace.squeeze(value, axis=of_size_one(value, dim)),
        ),
        "unsqueeze": having("expand_dims", lambda value, dim: namespace.expand_dims(value, dim)),
        "broadcast_to": having(
            "broadcast_to", lambda value, shape: namespace.broadcast_to(value, shape)
        ),
        "cumsum": having("cumsum", lambda value, dim: namespace.cumsum(value, axis=dim)),
        "cumprod": having("cumprod", lambda value, dim: namespace.cumprod(value, axis=dim)),
        "clamp": having("clip", lambda value, min=None, max=None: namespace.clip(value, min, max)),
        "flip": having("flip", lambda value, dims: namespace.flip(value, dims)),
        "tril": having("tril", lambda value, diagonal=0: namespace.tril(value, diagonal)),
        "rot90": having("rot90", lambda value, k=1, dims=(0, 1): namespace.rot90(value, k, dims)),
        "diag": having("diag", lambda value, diagonal=0: namespace.diag(value, diagonal)),
        "diagonal": having(
            "diagonal",
            lambda value, offset=0, dim1=0, dim2=1: namespace.diagonal(value, offset, dim1, dim2),
        ),
        "diff": having("diff", lambda value, n=1, dim=-1: namespace.diff(value, n, dim)),
        "triu": having("triu", lambda value, diagonal=0: namespace.triu(value, diagonal)),
    }


def _taking_loose_integers(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that takes one tuple, or several integers."""

    def call(value: Any, *numbers: Any) -> Any:
        if not numbers:
            raise Unsupported("neither a tuple nor integers")
        given = len(numbers) == 1 and isinstance(numbers[0], tuple | list)
        return function(value, numbers[0] if given else numbers)

    return call


def other_meaning(name: str) -> Callable[..., Any]:
    """In the place of a function or method that shares a name with PyTorch's, and does something else."""

    def refuse(*arguments: Any, **keywords: Any) -> Any:
        raise Unsupported(f"{name}: NumPy's function of that name does something else")

    return refuse


def numpy_methods(words: Mapping[str, Any]) -> dict[str, Callable[..., Any]]:
    """The same words as methods of a tensor, and the shape methods that take loose integers."""
    methods = {name: words[name] for name in words if name not in NO_METHODS}
    for name in ("reshape", "flip", "permute"):
        if name in words:
            methods[name] = _taking_loose_integers(words[name])
    methods.update({name: other_meaning(name) for name in OTHER_MEANING})
    methods["size"] = lambda value, dim=None: value.shape if dim is None else value.shape[dim]
    methods["dim"] = lambda value: value.ndim
    methods["item"] = lambda value: value.item()
    return methods
