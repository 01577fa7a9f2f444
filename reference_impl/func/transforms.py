"""``torch.func``: functions from functions, made of recorded backward passes.

Each transform runs its function on inputs of its own and hands the results back without that
history, unless something outside is being differentiated too; so transforms nest.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import count
from typing import Any

from .. import errors
from ..autograd.functional import pulled_back, pushed_forward, unit
from ..mode import mode
from ..ops import FUNCTIONS
from ..ops.core import clone as _clone
from ..tensor.leaf import AccumulateGrad, accumulator
from ..tensor.tensor import Tensor, flagged
from .arguments import (
    check_argnums,
    check_chunk_size,
    check_inputs,
    check_outputs,
    check_randomness,
    check_same_structure,
    check_tangents,
    check_ties,
)
from .batches import drawing_within, vmap
from .captured import captured_by
from .nested import leaves_of, mapped, refilled

__all__ = [
    "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp",
    "linearize", "stack_module_state", "vjp", "vmap",
]  # fmt: skip

Function = Callable[..., Any]


# -- entering and leaving --------------------------------------------------------------------------


next_leaf = count().__next__
ENDED = -1
"""In the place of the number of a leaf whose transform has run its function."""


def numbered(x: Tensor) -> Tensor:
    """A leaf made by a transform, with a number by which scopes tell what is theirs."""
    x.ensure_extra().transform = next_leaf()
    return x


class Scope:
    """The inputs that one transform made, and whether its results keep their history. Leaves that
    were made since it began are its own, or belong to transforms within it."""

    def __init__(self) -> None:
        self.first, self.last = next_leaf(), math.inf
        self.leaves: list[Tensor] = []
        self.recorded = mode.grad

    def entered(self, tree: Any) -> Any:
        """Inputs to differentiate by: connected to the caller's where those require grad.

        Raises:
            RuntimeError: a tensor that is not of floating or complex dtype.
            ValueError: a value that is not a tensor.
        """
        check_inputs(leaves_of(tree))
        return mapped(self.entered_one, tree)

    def entered_one(self, x: Tensor) -> Tensor:
        """One input. One whose history leads to no leaf is a leaf of this transform all the same, so
        that a transform within it can tell that it comes from outside."""
        if x.requires_grad and self.reaches_out(x):
            return x.view_as(x)
        leaf = numbered(flagged(x.clone() if x.is_inference() else x.detach()))
        self.leaves.append(leaf)
        return leaf

    def ended(self) -> None:
        """The function has run. What is made from now on belongs to those who call what is returned, and
        to them the leaves made here are constants."""
        self.last = next_leaf()
        for leaf in self.leaves:
            leaf.ensure_extra().transform = ENDED
        self.leaves.clear()

    def left(self, tree: Any) -> Any:
        """Results without the history that is this transform's alone."""
        return mapped(self.left_one, tree)

    def pulled(self, compute: Callable[[], Any]) -> Any:
        """Results that are computed later, in the mode of that time."""
        self.recorded = mode.grad
        with recording():
            found = compute()
        return self.left(found)

    def left_one(self, x: Tensor) -> Tensor:
        """One result."""
        return x if self.recorded and self.reaches_out(x) else x.detach()

    def made(self, leaf: Tensor) -> bool:
        """Whether a leaf came to be while this transform ran its function."""
        number = None if leaf._extra is None else leaf._extra.transform
        return number is not None and (number == ENDED or self.first < number < self.last)

    def reaches_out(self, x: Tensor) -> bool:
        """Whether a result depends on a leaf that is not this transform's."""
        if x.grad_fn is None:
            return not self.made(x)
        seen = {x.grad_fn}
        stack: list[Any] = [x.grad_fn]
        while stack:
            node = stack.pop()
            if isinstance(node, AccumulateGrad) and not self.made(node.variable):
                return True
            for n in node._nexts:
                if n is not None and n not in seen:
                    seen.add(n)
                    stack.append(n)
        return False


@contextlib.contextmanager
def transforming(func: Function) -> Iterator[None]:
    """Within the block, a transform runs its function; the tensors that it captures stay as they
    are."""
    with recording(captured={**mode.captured, **captured_by(func)}):
        yield


def pushing(xs: Any) -> AbstractContextManager[None]:
    """A block in which a function runs whose inputs ``xs`` have tangents."""
    nodes = {x.grad_fn or accumulator(x) for x in leaves_of(xs)}
    return mode.changed(pushing=mode.pushing | nodes)


def recording(**modes: Any) -> AbstractContextManager[None]:
    """A block that is part of a transform: it records whatever the caller's modes."""
    return mode.changed(
        grad=True, aside=False, inference=False, transforms=mode.transforms + 1, **modes
    )


def chosen(args: tuple[Any, ...], argnums: int | tuple[int, ...]) -> Any:
    """The arguments to differentiate by: one, or a tuple."""
    return args[argnums] if isinstance(argnums, int) else tuple(args[i] for i in argnums)


def replaced(args: tuple[Any, ...], argnums: int | tuple[int, ...], values: Any) -> tuple[Any, ...]:
    """The arguments with the chosen ones replaced."""
    new = list(args)
    if isinstance(argnums, int):
        new[argnums] = values
    else:
        for i, v in zip(argnums, values, strict=True):
            new[i] = v
    return tuple(new)


def with_aux(out: Any, has_aux: bool, name: str) -> tuple[Any, Any]:
    """The output and what else the function returned.

    Raises:
        RuntimeError: ``has_aux`` and not a pair.
    """
    if not has_aux:
        return out, None
    if not isinstance(out, tuple) or len(out) != 2:
        raise errors.wrong_value(
            f"{name}: with has_aux=True the function must return (output, aux)", RuntimeError
        )
    for leaf in leaves_of(out[1]):
        if not isinstance(leaf, Tensor):
            raise errors.wrong_type(
                f"{name}: expected aux of tensors, got {type(leaf).__name__}", RuntimeError
            )
    return out


def slopes(out: Any, xs: list[Tensor], cotangents: Any = None) -> list[Tensor]:
    """Recorded gradients of the outputs that have a history, zeros where nothing flows."""
    grads = pulled_back(tuple(out), tuple(xs), cotangents, create_graph=True)
    return [FUNCTIONS["zeros_like"](x) if g is None else g for x, g in zip(xs, grads, strict=True)]


# -- transforms ------------------------------------------------------------------------------------


def grad_and_value(
    func: Function, argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Function:
    """A function that gives the gradient of ``func``, which gives one number, and its value.

    Raises:
        RuntimeError: when called, where ``func`` does not give a tensor without dimensions.
    """

    @functools.wraps(func)
    def run(*args: Any, **kwargs: Any) -> Any:
        check_argnums(argnums, len(args))
        scope = Scope()
        with transforming(func):
            xs = scope.entered(chosen(args, argnums))
            out, aux = with_aux(func(*replaced(args, argnums, xs), **kwargs), has_aux, "grad")
            if not isinstance(out, Tensor):
                raise errors.wrong_type(
                    f"Expected the function given to grad to return a tensor, got {type(out).__name__}",
                    RuntimeError,
                )
            if out.ndim:
                raise errors.wrong_shape(
                    "Expected the function given to grad to return a scalar tensor, got a tensor "
                    f"with {out.ndim} dims"
                )
            found = refilled(xs, slopes([out], leaves_of(xs)))
        found, value = scope.left(found), scope.left(out)
        return (found, (value, scope.left(aux))) if has_aux else (found, value)

    return run


def grad(func: Function, argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Function:
    """A function that gives the gradient of ``func`` by the arguments ``argnums``; with
    ``has_aux`` a pair of that and of what ``func`` returns besides.

    Raises:
        RuntimeError: when called, where ``func`` does not give a tensor without dimensions.
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def run(*args: Any, **kwargs: Any) -> Any:
        found, value = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return run


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """``func(*primals)``, and the function that takes cotangents of its outputs to a tuple of those
    of its inputs."""
    scope = Scope()
    with transforming(func):
        xs = scope.entered(primals)
        out, aux = with_aux(func(*xs), has_aux, "vjp")
        check_outputs("vjp", leaves_of(out))
    scope.ended()

    def pull(cotangents: Any) -> Any:
        check_same_structure("vjp: cotangents", cotangents, out, "outputs")
        outs, given = leaves_of(out), leaves_of(cotangents)
        return scope.pulled(lambda: refilled(xs, slopes(outs, leaves_of(xs), given)))

    value = scope.left(out)
    return (value, pull, scope.left(aux)) if has_aux else (value, pull)


def jvp(
    func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> Any:
    """``func(*primals)`` and the derivative of its outputs along ``tangents``.

    Raises:
        RuntimeError: primals and tangents are not tuples of tensors alike; the function gives
            something else than tensors; under ``strict``, an output is independent of the primals.
        ValueError: a primal that is not of floating or complex dtype.
    """
    along = leaves_of(tangents)
    check_tangents("jvp", primals, tangents, leaves_of(primals), along)
    scope = Scope()
    with transforming(func):
        xs = scope.entered(primals)
        with pushing(xs):
            returned = func(*mapped(changeable, xs))
        out, aux = with_aux(returned, has_aux, "jvp")
        inputs, outs = leaves_of(xs), leaves_of(out)
        check_outputs("jvp", outs, differentiable=False)
        if strict and not all(o.requires_grad for o in outs):
            raise errors.unused_input(
                "jvp: an output is independent of the primals, which strict=True does not allow"
            )
        tangents_out = refilled(out, pushed(outs, inputs, along))
    value = scope.left(out), scope.left(tangents_out)
    return (*value, scope.left(aux)) if has_aux else value


def changeable(x: Tensor) -> Tensor:
    """An input as its function gets it, which may change it in place: the same memory, and no leaf."""
    if x.grad_fn is not None:
        return x
    inner = _clone.apply(x)
    inner._data, inner._vc = x._data, x._vc
    return inner


def pushed(outs: list[Tensor], xs: list[Tensor], along: list[Tensor]) -> list[Tensor]:
    """The outputs' derivatives along tangents of the inputs."""
    real = tuple(o for o in outs if o.requires_grad)
    us = tuple(numbered(flagged(FUNCTIONS["zeros_like"](o))) for o in real)
    pushed_on = iter(pushed_forward(real, tuple(xs), tuple(along), True, "jvp", False, us))
    found = [next(pushed_on) if o.requires_grad else None for o in outs]
    return [
        FUNCTIONS["zeros_like"](o.detach()) if t is None else t
        for o, t in zip(outs, found, strict=True)
    ]


def linearize(func: Function, *primals: Any) -> tuple[Any, Function]:
    """``func(*primals)``, and the function that takes tangents of the primals to those of the
    outputs. It may be called again, and does not call ``func``."""
    scope = Scope()
    with transforming(func):
        xs = scope.entered(primals)
        with pushing(xs):
            out = func(*xs)
        check_outputs("linearize", leaves_of(out), differentiable=False)
    scope.ended()

    def push(*tangents: Any) -> Any:
        along = leaves_of(tangents)
        check_tangents("linearize", primals, tangents, leaves_of(primals), along)
        with recording():
            found = refilled(out, pushed(leaves_of(out), leaves_of(xs), along))
        return scope.left(found)

    return scope.left(out), push


def jacobians(
    func: Function, argnums: int | tuple[int, ...], has_aux: bool, name: str, blocks: Function,
    randomness: str | None = None,
) -> Function:  # fmt: skip
    """A function that gives ``blocks(output, inputs)`` for each output; ``func`` draws random numbers as
    told, or as it would alone. To draw different ones for each direction, it is called for each."""

    @functools.wraps(func)
    def run(*args: Any) -> Any:
        check_argnums(argnums, len(args))
        scope = Scope()
        with transforming(func):
            xs = scope.entered(chosen(args, argnums))
            modes = {} if randomness is None else drawing_within(randomness)

            def called() -> tuple[Any, Any]:
                with mode.changed(**modes), pushing(xs if name == "jacfwd" else ()):
                    returned = func(*replaced(args, argnums, xs))
                return with_aux(returned, has_aux, name)

            out, aux = called()
            inputs, outs = leaves_of(xs), leaves_of(out)
            check_outputs(name, outs, differentiable=name == "jacrev")
            if randomness == "different":
                directions = range(sum(x.numel() for x in inputs))
                draws = [leaves_of(called()[0]) for _ in directions]
                each = [columns(o, inputs, [d[k] for d in draws]) for k, o in enumerate(outs)]
            else:
                each = [blocks(o, inputs) for o in outs]
            found = refilled(out, [refilled(xs, block) for block in each])
        result = scope.left(found)
        return (result, scope.left(aux)) if has_aux else result

    return run


def rows(out: Tensor, xs: list[Tensor]) -> list[Tensor]:
    """One output's Jacobian by each input, row by row.

    Raises:
        RuntimeError: the output is complex, so that a real input's gradient would lose its imaginary part.
    """
    if out.is_complex():
        raise errors.wrong_dtype(
            f"jacrev: all outputs must be real, got {out.dtype}; take the real and the imaginary part apart"
        )
    found = [slopes([out], xs, [unit(out, i)]) for i in range(out.numel())]
    return [put_together([row[k] for row in found], 0, out, x) for k, x in enumerate(xs)]


def columns(out: Tensor, xs: list[Tensor], draws: Iterable[Tensor] = ()) -> list[Tensor]:
    """One output's Jacobian by each input, column by column; `draws` is the output of a call for each, if
    there were several."""
    results = []
    drawn = iter(draws)
    for x in xs:
        found = [pushed([next(drawn, out)], [x], [unit(x, i)])[0] for i in range(x.numel())]
        results.append(put_together(found, -1, out, x))
    return results


def put_together(slices: list[Tensor], dim: int, out: Tensor, x: Tensor) -> Tensor:
    """A Jacobian from its rows or columns, of which there may be none."""
    shape = tuple(out.shape) + tuple(x.shape)
    if not slices:
        empty: Tensor = FUNCTIONS["zeros"](shape, dtype=out.dtype)
        return empty
    whole: Tensor = FUNCTIONS["stack"](slices, dim).reshape(shape)
    return whole


def jacrev(
    func: Function, argnums: int | tuple[int, ...] = 0, *, has_aux: bool = False,
    chunk_size: int | None = None,
) -> Function:  # fmt: skip
    """A function that gives the Jacobian of ``func``, of shape (output's shape, input's shape).

    Raises:
        ValueError: ``chunk_size`` is zero or less.
    """
    check_chunk_size("jacrev", chunk_size)
    return jacobians(func, argnums, has_aux, "jacrev", rows)


def jacfwd(
    func: Function, argnums: int | tuple[int, ...] = 0, has_aux: bool = False, *,
    randomness: str = "error",
) -> Function:  # fmt: skip
    """As ``jacrev``, computed column by column; ``randomness`` is as for ``vmap``."""
    check_randomness(randomness)
    return jacobians(func, argnums, has_aux, "jacfwd", columns, randomness)


def hessian(func: Function, argnums: int | tuple[int, ...] = 0) -> Function:
    """A function that gives the Hessian of ``func``."""
    return jacfwd(jacrev(func, argnums), argnums)


# -- modules ---------------------------------------------------------------------------------------


def stack_module_state(models: Any) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The parameters and the buffers of modules of one class, each stacked under its name.

    Args:
        models: a sequence of modules. The stacked parameters are leaves of their own.

    Raises:
        RuntimeError: no modules, or modules that differ in class, in training mode or in which
            parameters require grad.
    """
    if not len(models):
        raise errors.wrong_value("stack_module_state(): expected at least one module", RuntimeError)
    for what, of in (("class", type), ("training mode", lambda model: model.training)):
        if len({of(model) for model in models}) > 1:
            raise errors.wrong_value(
                f"stack_module_state(): expected all modules to have the same {what}", RuntimeError
            )
    every = [dict(model.named_parameters()) for model in models]
    buffers = [dict(model.named_buffers()) for model in models]
    return (
        {name: _stacked(name, [each[name] for each in every]) for name in every[0]},
        {name: _stacked(name, [each[name] for each in buffers]) for name in buffers[0]},
    )


def _stacked(name: str, tensors: list[Tensor]) -> Tensor:
    """Tensors as one leaf, which requires grad if they do."""
    required = {tensor.requires_grad for tensor in tensors}
    if len(required) > 1:
        raise errors.wrong_value(
            f"stack_module_state(): expected {name} of each module to have the same requires_grad",
            RuntimeError,
        )
    with mode.changed(grad=False):
        result = FUNCTIONS["stack"](tensors).detach()
    return flagged(result) if required.pop() else result


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with other tensors in the place of its parameters and buffers, by name.

    Args:
        module: the module; it is left as it was.
        parameter_and_buffer_dicts: a dict, or several.
        args: a tuple of arguments, or the only one.
        kwargs: keyword arguments.
        tie_weights: what is one tensor under several names is replaced under all of them.
        strict: refuse names that are missing or left over.

    Raises:
        ValueError: no dict, or two that have the same name, or two values for tied parameters.
        TypeError: a value that is no tensor.
        RuntimeError: as told under ``strict``.
    """
    given: dict[str, Any] = {}
    many = isinstance(parameter_and_buffer_dicts, (tuple, list))
    parts: list[Any] = list(parameter_and_buffer_dicts) if many else [parameter_and_buffer_dicts]
    for part in parts:
        if not isinstance(part, dict):
            raise errors.wrong_value(
                "functional_call(): expected a dict of tensors, or a list or tuple of dicts, got "
                f"{type(part).__name__}"
            )
        twice = set(given) & set(part)
        if twice:
            raise errors.wrong_value(f"{sorted(twice)} appeared in multiple dictionaries")
        given.update(part)
    for name, value in given.items():
        if value is not None and not isinstance(value, Tensor):
            raise errors.wrong_type(
                f"functional_call(): {name!r} must be a Tensor or None, got {type(value).__name__}"
            )
    entries = {
        (f"{prefix}.{key}" if prefix else key): (table, key)
        for prefix, m in module.named_modules(remove_duplicate=False)
        for table in (m._parameters, m._buffers)
        for key, value in table.items()
        if value is not None
    }
    held = {name: table[key] for name, (table, key) in entries.items()}
    new = {name: value for name, value in given.items() if name in held}
    if tie_weights:
        check_ties(given, held)
        tied = {id(held[name]): value for name, value in new.items()}
        new = {name: tied[id(x)] for name, x in held.items() if id(x) in tied}
    if strict and not set(held) == set(new) >= set(given):
        raise errors.wrong_value(
            f"missing {sorted(set(held) - set(new))}, unexpected {sorted(set(given) - set(held))}",
            RuntimeError,
        )
    inputs = args if isinstance(args, tuple) else () if args is None else (args,)
    try:
        for name, value in new.items():
            table, key = entries[name]
            table[key] = value
        return module(*inputs, **(kwargs or {}))
    finally:
        for part in parts:
            for name in part.keys() & entries.keys():
                table, key = entries[name]
                part[name] = table[key]  # what the module assigned while it ran
        for name, (table, key) in entries.items():
            table[key] = held[name]
