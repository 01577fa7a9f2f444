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
from ..naming import copy_of, first_named, named, renamed_parameters, with_out_parameter
from ..tensor.state import INFERENCE
from ..tensor.tangents import tangent_of
from ..tensor.tensor import Tensor
from .op import Op
from .return_types import NamedResult, named_result

__all__ = [
    "FFT", "FUNCTIONS", "LINALG", "METHODS", "SPECIAL", "as_function", "as_method", "described", "expose",
    "expose_function", "expose_in_place", "front", "function", "method", "public",
]  # fmt: skip

FUNCTIONS: dict[str, Callable[..., Any]] = {}
METHODS: dict[str, Callable[..., Any]] = {}
LINALG: dict[str, Any] = {}
SPECIAL: dict[str, Any] = {}
FFT: dict[str, Any] = {}

F = TypeVar("F", bound=Callable[..., Any])


signature = functools.cache(inspect.signature)
"""Each is asked for several times while the functions are made."""

OTHER_NAMES = {"axis": "dim", "keepdims": "keepdim"}
"""NumPy's names of parameters, which are taken too."""


def usual_names(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments under the names that the functions here give them."""
    if "axis" not in kwargs and "keepdims" not in kwargs:
        return kwargs
    usual = {OTHER_NAMES.get(name, name): value for name, value in kwargs.items()}
    if len(usual) != len(kwargs):
        raise errors.wrong_type(
            "axis= is another name of dim=, and keepdims= of keepdim=; pass one of them"
        )
    return usual


def renaming(fn: F) -> F:
    """A function that also takes NumPy's names; itself where there is nothing to rename."""
    if "dim" not in signature(fn).parameters:
        return fn

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **usual_names(kwargs)) if kwargs else fn(*args)
        except TypeError as error:
            errors.mark_call(error)
            raise

    return cast(F, named(run, fn.__name__))


def tensors_in(values: Any) -> Iterator[Tensor]:
    """The tensors among values, and in the lists and tuples among them."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from tensors_in(value)


def first_tensor(fn: Callable[..., Any]) -> str:
    """The name of the first parameter, where that must be a tensor, else ""."""
    for name, parameter in signature(fn).parameters.items():
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
        return written_to(out, run.__name__, fn, *args, **kwargs)

    run.__signature__ = with_out_parameter(signature(fn))  # type: ignore[attr-defined]
    WITH_OUT.add(run)
    return run


def written_to(out: Any, what: str, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """``out``, which now holds what the function gives.

    Raises:
        TypeError: ``out`` is neither a tensor nor several.
        RuntimeError: see ``with_out``.
    """
    if not isinstance(out, (Tensor, tuple, list)):
        raise errors.wrong_type(
            f"{what}(): argument 'out' must be Tensor, not {type(out).__name__}"
        )
    if mode.grad and any(a.requires_grad for a in tensors_in((args, out))):
        unrecorded(what)
    if mode.level is not None and any(tangent_of(a) is not None for a in tensors_in((args, out))):
        raise errors.not_differentiable(
            f"{what}(): functions with out= don't support forward mode, but an argument has a "
            "tangent. Leave out= away.",
            NotImplementedError,
        )
    result = fn(*args, **kwargs)
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
            page = f"torch.{prefix.replace('_', '.')}{name}"
            table[name] = described(called(prefix + name, with_out(table[name])), page)


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
    if len(outs) != len(results):
        raise errors.wrong_type(
            f"{what}(): expected {len(results)} tensors in out=, got {len(outs)}"
        )
    for made, given in zip(results, outs, strict=True):
        if made.device != given.device:
            raise errors.several_devices(what, made.device, given.device)
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
    if out._vc is INFERENCE and not mode.inference:
        raise errors.inference_in_place()
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
    if out._vc is not INFERENCE:
        out._vc[0] += 1


def called(name: str, fn: F) -> F:
    """A function under the name that users call it by; bound methods keep their own."""
    return named(fn, name) if inspect.isfunction(fn) else fn


def described(fn: F, page: str, doc: str | None = None) -> F:
    """Give a function its docstring, which ends with the page of PyTorch that has the rule."""
    text = (fn.__doc__ if doc is None else doc) or ""
    if text and inspect.isfunction(fn):
        text = text.partition("\n\n    Source:")[0]
        fn.__doc__ = f"{text.rstrip()}\n\n    Source: {page}."
    return fn


def as_function(name: str, fn: F) -> F:
    """A function as ``torch.NAME`` shows it."""
    return described(called(name, fn), f"torch.{name}")


def as_method(name: str, fn: F) -> F:
    """A function as ``torch.Tensor.NAME`` shows it: the same, of ``self``."""
    made: Any = described(copy_of(fn, name), f"torch.Tensor.{name}")
    made.__signature__ = first_named(signature(fn), "self")
    return cast(F, made)


def public(*names: str) -> Callable[[F], F]:
    """Make a function callable as ``torch.NAME(x)`` and ``x.NAME()``."""

    def register(fn: F) -> F:
        bound = renaming(called(names[0], fn) if names else fn)
        for name in names or (fn.__name__,):
            FUNCTIONS[name] = as_function(name, with_out(fn))
            METHODS[name] = as_method(name, bound)
        return fn

    return register


def function(*names: str) -> Callable[[F], F]:
    """Make a function callable as ``torch.NAME(x)`` only."""

    def register(fn: F) -> F:
        bound = renaming(fn)
        for i, name in enumerate(names or (fn.__name__,)):
            FUNCTIONS[name] = as_function(name, copy_of(bound, name) if i else bound)
        return fn

    return register


def method(*names: str) -> Callable[[F], F]:
    """Make a function callable as ``x.NAME()`` only."""

    def register(fn: F) -> F:
        bound = renaming(fn)
        for name in names or (fn.__name__,):
            METHODS[name] = as_method(name, bound)
        return fn

    return register


def expose(
    *rows: tuple[Op, str],
    inplace: bool = True,
    numbers: bool = True,
    second: str = "other",
    **aliases: Op,
) -> None:
    """Make rows callable under their own names, and in place with an underscore.

    Args:
        rows: each with what it gives, for the docstrings.
        inplace: whether there are twins in place.
        numbers: whether the second operand may be a Python number.
        second: what users call the second operand.
        aliases: other names of these rows.
    """
    docs = {id(row): doc for row, doc in rows}
    for name, row in [*((row.row.name, row) for row, _ in rows), *aliases.items()]:
        k, doc = row.row.n_operands, docs[id(row)]
        apply = row.apply if numbers else of_tensors(name, row.apply)
        FUNCTIONS[name] = described(front(name, apply, k), f"torch.{name}", doc)
        METHODS[name] = described(method_front(name, apply, k), f"torch.Tensor.{name}", doc)
        made = [name]
        if inplace:
            twin = row.inplace if numbers else of_tensors(name + "_", row.inplace)
            expose_in_place(name + "_", twin, k, doc)
            made.append(name + "_")
        if second != "other":
            for each in made:
                renamed_parameters(FUNCTIONS[each], {"other": second})
                renamed_parameters(METHODS[each], {"other": second})


def expose_function(row: Op, doc: str) -> None:
    """Make a row callable as ``torch.NAME(x)`` only."""
    name = row.row.name
    made = plain_front(name, row.apply, row.row.n_operands)
    FUNCTIONS[name] = described(made, f"torch.{name}", doc)


def expose_in_place(name: str, twin: Callable[..., Any], k: int, doc: str) -> None:
    """Make a twin in place of ``k`` operands callable, as a function and as a method."""
    FUNCTIONS[name] = described(plain_front(name, twin, k), f"torch.{name}", f"{doc} In place.")
    page = f"torch.Tensor.{name}"
    METHODS[name] = described(method_front(name, twin, k), page, f"{doc} In place.")


def front(name: str, fn: Callable[..., Any], k: int) -> Callable[..., Any]:
    """The function of the module around a row of ``k`` operands, which takes ``out=``."""
    if k == 1:

        def one(input: Any, *, out: Any = None) -> Tensor:
            if out is None:
                return fn(input)  # type: ignore[no-any-return]
            return written_to(out, name, fn, input)  # type: ignore[no-any-return]

        run: Any = one
    else:

        def two(input: Any, other: Any, *, out: Any = None) -> Tensor:
            if out is None:
                return fn(input, other)  # type: ignore[no-any-return]
            return written_to(out, name, fn, input, other)  # type: ignore[no-any-return]

        run = two
    WITH_OUT.add(run)
    return named(run, name)  # type: ignore[no-any-return]


def plain_front(name: str, fn: Callable[..., Any], k: int) -> Callable[..., Any]:
    """The function of the module around a row of ``k`` operands, without ``out=``."""

    def one(input: Any) -> Tensor:
        return fn(input)  # type: ignore[no-any-return]

    def two(input: Any, other: Any) -> Tensor:
        return fn(input, other)  # type: ignore[no-any-return]

    return named(one if k == 1 else two, name)


def method_front(name: str, fn: Callable[..., Any], k: int) -> Callable[..., Any]:
    """The method of the tensor around a row of ``k`` operands."""

    def one(self: Any) -> Tensor:
        return fn(self)  # type: ignore[no-any-return]

    def two(self: Any, other: Any) -> Tensor:
        return fn(self, other)  # type: ignore[no-any-return]

    if k == 1 and OPEN_ENDED.isdisjoint(parameter_kinds(fn)):
        alone = copy_of(fn, name)  # a frame less than ``one``
        alone.__signature__ = signature(one)  # type: ignore[attr-defined]
        return alone
    return named(one if k == 1 else two, name)


OPEN_ENDED = frozenset((inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD))
"""Kinds of parameters that let any number of arguments pass."""


def parameter_kinds(fn: Callable[..., Any]) -> set[Any]:
    """The kinds of a function's parameters."""
    return {p.kind for p in signature(fn).parameters.values()}


def of_tensors(name: str, fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function of two operands that refuses a Python number as either."""

    def run(x: Any, y: Any) -> Any:
        for argument, value in (("input", x), ("other", y)):
            if isinstance(value, (int, float, complex)):
                raise errors.wrong_type(
                    f"{name}(): argument '{argument}' must be a Tensor, not {type(value).__name__}; wrap "
                    "the number in torch.tensor()"
                )
        return fn(x, y)

    return named(run, name)


def by_kind(number: Op, tensor: Op, at: int = 1) -> Any:
    """One operation under two node names: the row for calls in which operand ``at`` is a number,
    and that for calls in which it is a tensor."""

    def chosen(args: tuple[Any, ...]) -> Op:
        return tensor if isinstance(args[at], Tensor) else number

    def apply(*args: Any) -> Any:
        return chosen(args).apply(*args)

    def inplace(*args: Any) -> Any:
        return chosen(args).inplace(*args)

    name = number.row.name
    return SimpleNamespace(
        row=number.row, apply=named(apply, name), inplace=named(inplace, name + "_")
    )
