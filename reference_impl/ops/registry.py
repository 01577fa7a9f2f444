"""What users can call: functions of the module and methods of the tensor, by name."""

from __future__ import annotations

import functools
import inspect
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from .. import errors
from ..backend.base import astype, overlaps_itself, resized, same_place, surely_meet
from ..backend.dtypes import BY_NUMPY
from ..errors import in_place_dtype, internal_overlap, partial_overlap
from ..mode import mode
from ..tensor.tensor import Tensor
from .op import Op
from .return_types import NamedResult, named_result

__all__ = ["FUNCTIONS", "LINALG", "METHODS", "SPECIAL", "expose", "function", "method", "public"]

FUNCTIONS: dict[str, Callable[..., Any]] = {}
METHODS: dict[str, Callable[..., Any]] = {}
LINALG: dict[str, Any] = {}
SPECIAL: dict[str, Any] = {}

F = TypeVar("F", bound=Callable[..., Any])


OTHER_NAMES = {"axis": "dim", "keepdims": "keepdim"}
"""NumPy's names of parameters, which are taken too."""


def usual_names(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments under the names that the functions here give them."""
    if "axis" not in kwargs and "keepdims" not in kwargs:
        return kwargs
    for other, name in OTHER_NAMES.items():
        if other in kwargs and name in kwargs:
            raise errors.wrong_type(f"{other}= is another name of {name}=; pass one of them")
    return {OTHER_NAMES.get(name, name): value for name, value in kwargs.items()}


def renaming(fn: F) -> F:
    """A function that also takes NumPy's names; itself where there is nothing to rename."""
    if "dim" not in inspect.signature(fn).parameters:
        return fn

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **usual_names(kwargs)) if kwargs else fn(*args)
        except TypeError as error:
            errors.mark_call(error)
            raise

    return cast(F, run)


def tensors_in(values: Any) -> Iterator[Tensor]:
    """The tensors among values, and in the lists and tuples among them."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from tensors_in(value)


def first_tensor(fn: Callable[..., Any]) -> str:
    """The name of the first parameter, where that must be a tensor, else ""."""
    for name, parameter in inspect.signature(fn).parameters.items():
        return name if parameter.annotation in (Tensor, "Tensor") else ""
    return ""


def with_out(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function that also writes into ``out=`` (a tensor, or one for each result).

    Raises:
        RuntimeError: grad mode is on and an operand or ``out`` requires grad, or the dtype cannot
            hold the result.
    """

    first = first_tensor(fn)

    @functools.wraps(fn)
    def run(*args: Any, out: Any = None, **kwargs: Any) -> Any:
        if kwargs:
            kwargs = usual_names(kwargs)
        if first and args and not isinstance(args[0], Tensor):
            raise errors.wrong_type(
                f"{fn.__name__}(): argument '{first}' (position 1) must be Tensor, not "
                f"{type(args[0]).__name__}"
            )
        if out is None:
            try:
                return fn(*args, **kwargs)
            except TypeError as error:
                errors.mark_call(error)
                raise
        if not isinstance(out, (Tensor, tuple, list)):
            raise errors.wrong_type(
                f"{fn.__name__}(): argument 'out' must be Tensor, not {type(out).__name__}"
            )
        if mode.grad and any(a.requires_grad for a in tensors_in((args, out))):
            unrecorded(fn.__name__.removesuffix("_public"))
        result = fn(*args, **kwargs)
        what = run.__name__.removesuffix("_public")
        refuse_out(what, args, result, out)
        if isinstance(result, tuple):
            for given, made in zip(out, result, strict=True):
                put_out(what, made, given)
            kind: Any = tuple
            if isinstance(result, NamedResult):
                kind = named_result(f"{type(result).__name__}_out", *result.fields)
            return kind(out)
        put_out(what, result, cast(Tensor, out))
        return out

    WITH_OUT.add(run)
    return run


def unrecorded(what: str) -> None:
    """Refuse operands that require grad beside an ``out``, unless there is no derivative."""
    if what not in CONSTANT:
        raise errors.requires_grad(
            f"{what}(): functions with out= don't support automatic differentiation, but an "
            "argument requires grad. Leave out= away, or use no_grad()."
        )


WITH_OUT: weakref.WeakSet[Any] = weakref.WeakSet()
"""The functions that take ``out=``."""


def give_out(table: dict[str, Any], names: Iterable[str], prefix: str = "") -> None:
    """Let functions of a table take ``out=``; ``prefix`` begins the names that they call
    themselves."""
    for name in list(names):
        if not isinstance(table[name], type) and table[name] not in WITH_OUT:
            table[name] = called(prefix + name, with_out(table[name]))


PRODUCTS = ("mm", "bmm", "mv", "matmul", "dot", "vdot", "addmm", "addmv", "baddbmm", "addbmm")
PICKED = ("gather", "index_select", "take", "masked_select")
JOINED = ("cat", "concat", "concatenate", "stack")
CONSTANT = (
    "eq", "ne", "lt", "le", "gt", "ge", "logical_not", "logical_and", "logical_or", "logical_xor",
    "isfinite", "isinf", "isnan", "argmax", "argmin", "all", "any", "count_nonzero", "nonzero",
    "bucketize", "searchsorted", "signbit",
)  # fmt: skip
"""Functions without derivatives, whose operands may require grad beside an ``out``."""
EXACT = (
    *PRODUCTS, *PICKED, "max", "min", "sort", "topk", "kthvalue", "where", "clamp", "nonzero", "argmax", "argmin",
    "amax", "amin", "tril", "triu", "diag", "norm", "neg",
)  # fmt: skip
"""Functions whose ``out`` must be of the very dtype of the result."""
IN_ORDER = (*PRODUCTS, "cumsum", "cumprod", "sort")
"""Functions that ask nothing of the memory of ``out``."""


def refuse_out(what: str, args: Any, result: Any, out: Any) -> None:
    """Refuse an ``out`` of another dtype, or one whose memory is also that of an operand.

    Raises:
        TypeError: a tuple for one result, or the other way round.
        RuntimeError: the dtype or the memory does not fit.
    """
    if isinstance(result, tuple) != isinstance(out, (tuple, list)):
        raise errors.wrong_type(
            f"{what}(): out= must be given as the result is: a tensor, or several"
        )
    outs = tuple(out) if isinstance(out, (tuple, list)) else (out,)
    results = result if isinstance(result, tuple) else (result,)
    for made, given in zip(results, outs, strict=False):
        if what in EXACT and made.dtype is not given.dtype:
            raise errors.wrong_dtype(
                f"{what}(): expected out= of dtype {made.dtype}, got {given.dtype}; such a result "
                "is not cast"
            )
        if overlaps_itself(given._data):
            raise internal_overlap(what)
        if what in IN_ORDER:
            continue
        alone = what in PICKED or what in JOINED
        for x in tensors_in(args):
            a, b = x._data, given._data
            if surely_meet(a, b) and (
                alone or (a.shape == made._data.shape and not same_place(a, b))
            ):
                raise partial_overlap(what)


def put_out(what: str, result: Tensor, out: Tensor, cast: bool = False) -> None:
    """Write a result into the tensor that was given for it, which takes its shape; ``cast``: be its
    dtype what it may."""
    made, held = BY_NUMPY[result._data.dtype], BY_NUMPY[out._data.dtype]
    if made.category > held.category and not cast:
        raise in_place_dtype(what, held, made)
    if out._data.shape != result._data.shape:
        if out._data.size:
            warnings.warn(
                "the tensor given as out= was resized, and views of it are not; got shape "
                f"{list(out.shape)}, expected {list(result.shape)}. Give a tensor of that "
                "shape, or of no elements.",
                UserWarning,
                stacklevel=4,
            )
        out._data = resized(out._data, result._data.shape)
    out._data[...] = astype(result._data, out._data.dtype)
    out._vc[0] += 1


def called(name: str, fn: F) -> F:
    """A function under the name that users call it by; bound methods keep their own."""
    if inspect.isfunction(fn):
        fn.__name__ = fn.__qualname__ = name
    return fn


def public(*names: str) -> Callable[[F], F]:
    """Make a function callable as ``torch.NAME(x)`` and ``x.NAME()``."""

    def register(fn: F) -> F:
        bound = renaming(called(names[0], fn) if names else fn)
        for name in names or (fn.__name__,):
            FUNCTIONS[name] = called(name, with_out(fn))
            METHODS[name] = bound
        return fn

    return register


def function(*names: str) -> Callable[[F], F]:
    """Make a function callable as ``torch.NAME(x)`` only."""

    def register(fn: F) -> F:
        bound = renaming(fn)
        for name in names or (fn.__name__,):
            FUNCTIONS[name] = called(name, bound)
        return fn

    return register


def method(*names: str) -> Callable[[F], F]:
    """Make a function callable as ``x.NAME()`` only."""

    def register(fn: F) -> F:
        bound = renaming(fn)
        for name in names or (fn.__name__,):
            METHODS[name] = bound
        return fn

    return register


def expose(*rows: Op, inplace: bool = True, numbers: bool = True, **aliases: Op) -> None:
    """Make rows callable under their own names, and in place with an underscore.

    ``numbers``: whether the second operand may be a Python number.
    """
    for name, row in [*((r.row.name, r) for r in rows), *aliases.items()]:
        named = ("input", "other")[: row.row.n_operands]
        apply = by_name(name, row.apply if numbers else of_tensors(name, row.apply), named)
        FUNCTIONS[name] = with_out(apply)
        METHODS[name] = row.apply if len(named) == 1 else apply
        if inplace:
            twin = row.inplace if numbers else of_tensors(name + "_", row.inplace)
            METHODS[name + "_"] = by_name(name + "_", twin, named)
            FUNCTIONS[name + "_"] = METHODS[name + "_"]


def of_tensors(name: str, fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function of two operands that refuses a Python number as the second one."""

    def run(x: Any, y: Any) -> Any:
        if isinstance(y, (int, float, complex)):
            raise errors.wrong_type(
                f"{name}(): argument 'other' must be a Tensor, not {type(y).__name__}; wrap the "
                "number in torch.tensor()"
            )
        return fn(x, y)

    return run


def by_kind(number: Op, tensor: Op, at: int = 1) -> Any:
    """One operation under two node names: the row for calls in which operand ``at`` is a number,
    and that for calls in which it is a tensor."""

    def chosen(args: tuple[Any, ...]) -> Op:
        return tensor if isinstance(args[at], Tensor) else number

    return SimpleNamespace(
        row=number.row,
        apply=lambda *args: chosen(args).apply(*args),
        inplace=lambda *args: chosen(args).inplace(*args),
    )


def by_name(name: str, fn: Callable[..., Any], parameters: tuple[str, ...]) -> Callable[..., Any]:
    """A function of operands that can also be given by name.

    Raises:
        TypeError: too few or too many operands, or an unknown name.
    """

    def run(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            args = (*args, *(kwargs.pop(p) for p in parameters[len(args) :] if p in kwargs))
        if kwargs or len(args) != len(parameters):
            raise errors.wrong_type(
                f"{name}() takes {' and '.join(parameters)}, got {len(args)} operands"
                + (f" and unexpected {list(kwargs)}" if kwargs else "")
            )
        return fn(*args)

    run.__name__ = run.__qualname__ = name
    run.__doc__ = fn.__doc__
    return run
