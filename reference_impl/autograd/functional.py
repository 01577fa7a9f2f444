"""``torch.autograd.functional``: Jacobians, Hessians and their products with vectors.

All of it is made of backward passes. J v, for which reverse mode has no direct form, is the
derivative along v of u -> J^T u, which is linear in u.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from .. import errors
from ..backend.base import zeros
from ..mode import mode
from ..ops import FUNCTIONS
from ..tensor.tensor import Tensor, flagged, wrap
from .forward_ad import dual_level, make_dual, unpack_dual
from .passes import grad

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]

Tensors = tuple[Tensor, ...]


# -- arguments and results -------------------------------------------------------------------------


def as_tuple(value: Any, what: str, name: str) -> tuple[bool, Tensors]:
    """Whether a tuple was given, and the tensors as one.

    Raises:
        TypeError: neither a tensor nor a tuple of tensors.
    """
    given = isinstance(value, tuple)
    values = tuple(value) if given else (value,)
    for k, x in enumerate(values):
        if not isinstance(x, Tensor):
            where = f" but entry {k} is a {type(x).__name__}" if given else ""
            raise errors.wrong_type(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors, got "
                f"{type(value).__name__}{where}"
            )
    return given, values


def entered(xs: Tensors, create_graph: bool, requires_grad: bool = True) -> Tensors:
    """Inputs for the user's function: their own place in the graph, connected to the caller's under
    ``create_graph``.

    Raises:
        RuntimeError: within a function transform, which would take the results for constants.
    """
    if mode.transforms or mode.mapped:
        raise errors.within_transform(
            "torch.autograd.functional cannot be used inside of a function being transformed; use "
            "the transforms of torch.func there, such as vjp and jacrev."
        )
    return tuple(
        x.view_as(x)
        if create_graph and x.requires_grad
        else flagged(x.clone() if x.is_inference() else x.detach(), requires_grad)
        for x in xs
    )


def recording() -> AbstractContextManager[None]:
    """A block that records whatever the caller's modes are, inference mode included."""
    return mode.changed(grad=True, inference=False)


def left(value: Any, create_graph: bool) -> Any:
    """Results for the caller: without history unless it was asked for."""
    if isinstance(value, tuple):
        return tuple(left(v, create_graph) for v in value)
    return value if create_graph else value.detach()


def unpacked(values: tuple[Any, ...], was_tuple: bool) -> Any:
    """As the caller gave it: a tuple or the only entry."""
    return values if was_tuple else values[0]


def checked_vector(v: Any, others: Tensors, was_tuple: bool, name: str) -> Tensors:
    """The vector of a product, of the shapes of what it is multiplied with.

    Raises:
        RuntimeError: another number of entries, or an entry of another shape.
    """
    _, vs = as_tuple(v, "v", name)
    if len(vs) != len(others):
        wanted = f"{len(others)} tensors" if was_tuple else "a single tensor"
        raise errors.gradient_count(
            f"{name}(): v has invalid length: expected {wanted}, got {len(vs)}"
        )
    for k, (x, other) in enumerate(zip(vs, others, strict=True)):
        if x.shape != other.shape:
            raise errors.gradient_mismatch(
                f"{name}(): entry {k} of v has invalid size: expected {other.shape}, got {x.shape}"
            )
    return vs


def ones_for(others: Tensors, what: str, name: str) -> Tensors:
    """The vector where none was given: one, for a single element.

    Raises:
        RuntimeError: more than one element.
    """
    if len(others) != 1 or others[0].numel() != 1:
        raise errors.needs_gradient(
            f"{name}(): v can be left out only where {what} is one Tensor of one element; "
            f"got shapes {[list(x.shape) for x in others]}"
        )
    return (FUNCTIONS["ones_like"](others[0].detach()),)


def pulled_back(
    outputs: Tensors, inputs: Tensors, gradients: Any = None, *, create_graph: bool
) -> tuple[Any, ...]:
    """The gradients of those outputs that have a history; None for an input that none reaches."""
    given = [None] * len(outputs) if gradients is None else list(gradients)
    pairs = [(o, g) for o, g in zip(outputs, given, strict=True) if o.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    return grad(  # type: ignore[no-any-return]
        [o for o, _ in pairs],
        inputs,
        [g for _, g in pairs],
        create_graph=create_graph,
        retain_graph=True,
        allow_unused=True,
    )


def filled(
    grads: Sequence[Any], like: Tensors, what: str, name: str, strict: bool, create_graph: bool
) -> Tensors:
    """Zeros where nothing flowed.

    Raises:
        RuntimeError: under ``strict``, where something does not depend on an input.
    """
    for k, g in enumerate(grads):
        if strict and (g is None or (create_graph and not g.requires_grad)):
            raise errors.unused_input(
                f"{name}(): {what} of the function does not depend on input {k}, which "
                "strict=True does not allow"
            )
    return tuple(
        FUNCTIONS["zeros_like"](x.detach()) if g is None else g
        for g, x in zip(grads, like, strict=True)
    )


def demand_history(xs: Sequence[Any], what: str, name: str, strict: bool) -> None:
    """Under ``strict``, refuse what does not depend on the inputs.

    Raises:
        RuntimeError: an entry has no history.
    """
    for k, x in enumerate(xs):
        if strict and (x is None or not x.requires_grad):
            raise errors.unused_input(
                f"{name}(): {what} {k} of the function does not depend on the inputs, which "
                "strict=True does not allow"
            )


def single(outputs: Tensors, was_tuple: bool, name: str) -> None:
    """Refuse a function that does not give one number.

    Raises:
        RuntimeError: several outputs, or more than one element.
    """
    if was_tuple or outputs[0].numel() != 1:
        raise errors.wrong_shape(
            f"{name}(): the function must return a single Tensor with a single element, got "
            + (f"{len(outputs)} outputs" if was_tuple else f"shape {list(outputs[0].shape)}")
        )


# -- products --------------------------------------------------------------------------------------


def vjp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """``func(*inputs)`` and v^T J, shaped as the inputs.

    Raises:
        RuntimeError: ``v`` does not fit the outputs; under ``strict``, something is independent.
    """
    with recording():
        tuple_in, given = as_tuple(inputs, "inputs", "vjp")
        xs = entered(given, create_graph)
        tuple_out, outs = as_tuple(func(*xs), "outputs of the user-provided function", "vjp")
        demand_history(outs, "output", "vjp", strict)
        if v is None:
            vs = ones_for(outs, "what the function returns", "vjp")
        else:
            vs = entered(checked_vector(v, outs, tuple_out, "vjp"), create_graph, False)
    grads = pulled_back(outs, xs, vs, create_graph=create_graph)
    grads = filled(grads, xs, "the output", "vjp", strict, create_graph)
    return unpacked(left(outs, create_graph), tuple_out), unpacked(
        left(grads, create_graph), tuple_in
    )


def pushed_forward(
    outs: Tensors,
    xs: Tensors,
    vs: Tensors,
    create_graph: bool,
    name: str,
    strict: bool,
    us: Tensors | None = None,
) -> tuple[Any, ...]:
    """J v, by differentiating J^T u along v; u is made here where it is not given. Where it is, this
    stands for forward mode, and a custom function counts by its jvp."""
    with mode.changed(transposing=us is not None):
        us = us or tuple(flagged(FUNCTIONS["zeros_like"](o)) for o in outs)
        pulled = pulled_back(outs, xs, us, create_graph=True)
    demand_history(pulled, "the gradient by input", name, strict)
    pairs = [(p, v) for p, v in zip(pulled, vs, strict=True) if p is not None]
    if not pairs:
        return (None,) * len(outs)
    return pulled_back(
        tuple(p for p, _ in pairs), us, [v for _, v in pairs], create_graph=create_graph
    )


def jvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """``func(*inputs)`` and J v, shaped as the outputs.

    Raises:
        RuntimeError: ``v`` does not fit the inputs; under ``strict``, something is independent.
    """
    with recording():
        tuple_in, given = as_tuple(inputs, "inputs", "jvp")
        xs = entered(given, create_graph)
        if v is None:
            vs = ones_for(xs, "the input", "jvp")
        else:
            vs = entered(checked_vector(v, xs, tuple_in, "jvp"), create_graph, False)
        tuple_out, outs = as_tuple(func(*xs), "outputs of the user-provided function", "jvp")
        demand_history(outs, "output", "jvp", strict)
        products = pushed_forward(outs, xs, vs, create_graph, "jvp", strict)
        products = filled(products, outs, "the output", "jvp", strict, create_graph)
    return unpacked(left(outs, create_graph), tuple_out), unpacked(
        left(products, create_graph), tuple_out
    )


def second_order(
    func: Callable[..., Any], inputs: Any, v: Any, create_graph: bool, strict: bool, name: str
) -> tuple[Any, Any]:
    """``func(*inputs)`` and the product of its Hessian with ``v``, from the left or the right."""
    with recording():
        tuple_in, given = as_tuple(inputs, "inputs", name)
        xs = entered(given, create_graph)
        if v is None:
            vs = ones_for(xs, "the input", name)
        else:
            vs = entered(checked_vector(v, xs, tuple_in, name), create_graph, False)
        tuple_out, outs = as_tuple(func(*xs), "outputs of the user-provided function", name)
        demand_history(outs, "output", name, strict)
        single(outs, tuple_out, name)
        slopes = pulled_back(outs, xs, create_graph=True)
        demand_history(slopes, "the gradient by input", name, strict)
        slopes = filled(slopes, xs, "the output", name, False, False)
        if name == "vhp":
            products = pulled_back(slopes, xs, vs, create_graph=create_graph)
        else:
            products = pushed_forward(slopes, xs, vs, create_graph, name, strict)
        products = filled(products, xs, "the Jacobian", name, strict, create_graph)
    return unpacked(left(outs, create_graph), tuple_out), unpacked(
        left(products, create_graph), tuple_in
    )


def vhp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """``func(*inputs)``, one number, and v^T H, shaped as the inputs.

    Raises:
        RuntimeError: the function gives no single number, or ``v`` does not fit.
    """
    return second_order(func, inputs, v, create_graph, strict, "vhp")


def hvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """``func(*inputs)``, one number, and H v, shaped as the inputs.

    Raises:
        RuntimeError: the function gives no single number, or ``v`` does not fit.
    """
    return second_order(func, inputs, v, create_graph, strict, "hvp")


# -- whole matrices --------------------------------------------------------------------------------


def rows_of(out: Tensor, xs: Tensors, create_graph: bool, strict: bool) -> tuple[Tensor, ...]:
    """One output's Jacobian by each input, of shape (output's shape, input's shape)."""
    columns: list[list[Tensor]] = [[] for _ in xs]
    for element in out.reshape(-1):
        grads = pulled_back((element,), xs, create_graph=create_graph)
        grads = filled(grads, xs, "an output", "jacobian", strict, create_graph)
        for column, g in zip(columns, grads, strict=True):
            column.append(g)
    return tuple(
        (FUNCTIONS["stack"](column) if column else wrap(zeros((0, *x.shape), x._data.dtype, x._data)))
        .view(tuple(out.shape) + tuple(x.shape))
        for column, x in zip(columns, xs, strict=True)
    )  # fmt: skip


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of ``func`` at ``inputs``, of shape (output's shape, input's shape).

    Returns:
        A tensor; a tuple over inputs where they are a tuple; a tuple over outputs of these where
        the function gives a tuple.

    Args:
        func: takes the inputs, gives a tensor or a tuple of tensors.
        inputs: a tensor or a tuple of tensors.
        create_graph: record the computation.
        strict: refuse outputs that are independent of an input, instead of giving zeros.
        vectorize: accepted; rows are computed one by one.
        strategy: "reverse-mode", row by row, or "forward-mode", column by column.

    Raises:
        RuntimeError: as told under ``strict``, which does not go with ``vectorize``.
        NotImplementedError: forward mode without ``vectorize``, or under ``strict``.
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise errors.wrong_value(
            "Expected strategy to be either 'forward-mode' or 'reverse-mode', got "
            + repr(strategy),
            AssertionError,
        )
    if strategy == "forward-mode":
        if strict:
            raise errors.wrong_value(
                "jacobian(): strict=True and strategy='forward-mode' do not go together",
                RuntimeError,
            )
        if not vectorize:
            raise errors.wrong_value(
                "jacobian(): strategy='forward-mode' needs vectorize=True", NotImplementedError
            )
        with mode.changed(inference=False):
            return by_columns(func, inputs, create_graph)
    if strict and vectorize:
        raise errors.wrong_value(
            "jacobian(): strict=True and vectorize=True do not go together", RuntimeError
        )
    with recording():
        tuple_in, given = as_tuple(inputs, "inputs", "jacobian")
        xs = entered(given, create_graph)
        tuple_out, outs = as_tuple(func(*xs), "outputs of the user-provided function", "jacobian")
        demand_history(outs, "output", "jacobian", strict)
        blocks = tuple(unpacked(rows_of(out, xs, create_graph, strict), tuple_in) for out in outs)
    return unpacked(left(blocks, create_graph), tuple_out)


def unit(x: Tensor, i: int) -> Tensor:
    """Zeros of the shape of ``x`` with a one at element ``i``."""
    e = zeros(x.numel(), x._data.dtype, x._data)
    e[i] = 1
    return wrap(e.reshape(x._data.shape))


def by_columns(func: Callable[..., Any], inputs: Any, create_graph: bool) -> Any:
    """The Jacobian in forward mode, one column per element of the inputs."""
    tuple_in, given = as_tuple(inputs, "inputs", "jacobian")
    plain = func(*(x.detach() for x in given))
    tuple_out, outs = as_tuple(plain, "outputs of the user-provided function", "jacobian")
    blocks: list[list[Tensor]] = []
    for k, x in enumerate(given):
        columns: list[list[Tensor]] = [[] for _ in outs]
        for i in range(x.numel()):
            with dual_level():
                dual = make_dual(x, unit(x, i))
                out = func(*(dual if j == k else y for j, y in enumerate(given)))
                for column, o in zip(columns, out if tuple_out else (out,), strict=True):
                    primal, tangent = unpack_dual(o)
                    column.append(
                        FUNCTIONS["zeros_like"](primal.detach()) if tangent is None else tangent
                    )
        blocks.append(
            [
                FUNCTIONS["stack"](column, -1).reshape(o.shape + x.shape)
                if column
                else wrap(zeros((*o.shape, *x.shape), o._data.dtype, o._data))
                for column, o in zip(columns, outs, strict=True)
            ]
        )
    by_output = tuple(unpacked(row, tuple_in) for row in zip(*blocks, strict=True))
    return unpacked(left(by_output, create_graph), tuple_out)


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of ``func``, which gives one number, at ``inputs``.

    Returns:
        A tensor of shape (input's shape twice), or a tuple of tuples where inputs are a tuple.

    Raises:
        RuntimeError: the function gives no single number; under ``strict``, something is
            independent of the inputs.
    """
    tuple_in, _ = as_tuple(inputs, "inputs", "hessian")

    def number(*xs: Tensor) -> Tensor:
        tuple_out, outs = as_tuple(func(*xs), "outputs of the user-provided function", "hessian")
        demand_history(outs, "output", "hessian", strict)
        single(outs, tuple_out, "hessian")
        return outs[0].squeeze()

    def slopes(*xs: Tensor) -> Any:
        if outer_jacobian_strategy == "forward-mode":
            xs = tuple(x if x.requires_grad else flagged(x) for x in xs)
        found = jacobian(number, xs, create_graph=True)
        demand_history(found, "the gradient by input", "hessian", strict)
        return unpacked(found, tuple_in)

    return jacobian(
        slopes, inputs, create_graph=create_graph, strict=strict, vectorize=vectorize,
        strategy=outer_jacobian_strategy,
    )  # fmt: skip
