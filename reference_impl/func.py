"""``torch.func``: functions from functions, made of recorded backward passes.

Each transform runs its function on inputs of its own and hands the results back without that
history, unless something outside is being differentiated too; so transforms nest. ``vmap`` runs
its function once for each entry of the batch.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .autograd.functional import pulled_back, pushed_forward
from .autograd.grad_mode import enable_grad
from .mode import mode
from .node import AccumulateGrad
from .ops import FUNCTIONS
from .tensor import Tensor, wrap

__all__ = [
    "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize",
    "stack_module_state", "vjp", "vmap",
]  # fmt: skip

Function = Callable[..., Any]


# -- nested containers -----------------------------------------------------------------------------


def leaves_of(tree: Any) -> list[Any]:
    """The values in nested tuples, lists and dicts, in order."""
    if isinstance(tree, (tuple, list)):
        return [leaf for part in tree for leaf in leaves_of(part)]
    if isinstance(tree, dict):
        return [leaf for part in tree.values() for leaf in leaves_of(part)]
    return [tree]


def mapped(fn: Callable[[Any], Any], tree: Any) -> Any:
    """The same containers with ``fn`` of each value."""
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*[mapped(fn, part) for part in tree])
    if isinstance(tree, (tuple, list)):
        return type(tree)(mapped(fn, part) for part in tree)
    if isinstance(tree, dict):
        return type(tree)((k, mapped(fn, part)) for k, part in tree.items())
    return fn(tree)


def refilled(tree: Any, values: Iterable[Any]) -> Any:
    """The same containers with other values."""
    rest = iter(values)
    return mapped(lambda _: next(rest), tree)


# -- entering and leaving --------------------------------------------------------------------------


class Scope:
    """The inputs that one transform made, and whether its results keep their history."""

    def __init__(self) -> None:
        self.own: set[int] = set()
        self.held: list[Tensor] = []
        self.recorded = mode.grad

    def entered(self, tree: Any) -> Any:
        """Inputs to differentiate by: connected to the caller's where those require grad.

        Raises:
            RuntimeError: a value is not a tensor of floating or complex dtype.
        """
        return mapped(self.entered_one, tree)

    def entered_one(self, x: Any) -> Tensor:
        """One input."""
        if not isinstance(x, Tensor):
            raise RuntimeError(
                f"expected the inputs to differentiate by to be Tensors, got {type(x).__name__}"
            )
        if x.requires_grad:
            return x.view_as(x)
        fresh = x.detach().requires_grad_()
        self.own.add(id(fresh))
        self.held.append(fresh)
        return fresh

    def left(self, tree: Any) -> Any:
        """Results without the history that is this transform's alone."""
        return mapped(self.left_one, tree)

    def left_one(self, x: Any) -> Any:
        """One result."""
        if not isinstance(x, Tensor) or not x.requires_grad:
            return x
        return x if self.recorded and self.reaches_out(x) else x.detach()

    def reaches_out(self, x: Tensor) -> bool:
        """Whether a result depends on a leaf that is not this transform's."""
        if x.grad_fn is None:
            return id(x) not in self.own
        seen = {x.grad_fn}
        stack: list[Any] = [x.grad_fn]
        while stack:
            node = stack.pop()
            if isinstance(node, AccumulateGrad) and id(node.variable) not in self.own:
                return True
            for n in node.nexts:
                if n is not None and n not in seen:
                    seen.add(n)
                    stack.append(n)
        return False


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
        raise RuntimeError(f"{name}: with has_aux=True the function must return (output, aux)")
    for leaf in leaves_of(out[1]):
        if not isinstance(leaf, Tensor):
            raise RuntimeError(f"{name}: expected aux of tensors, got {type(leaf).__name__}")
    return out


def slopes(out: Any, xs: list[Tensor], cotangents: Any = None) -> list[Tensor]:
    """Recorded gradients of the outputs that have a history, zeros where nothing flows."""
    grads = pulled_back(tuple(out), tuple(xs), cotangents, create_graph=True)
    return [
        FUNCTIONS["zeros_like"](x.detach()) if g is None else g
        for x, g in zip(xs, grads, strict=True)
    ]


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
        scope = Scope()
        with enable_grad():
            xs = scope.entered(chosen(args, argnums))
            out, aux = with_aux(func(*replaced(args, argnums, xs), **kwargs), has_aux, "grad")
            if not isinstance(out, Tensor):
                raise RuntimeError(
                    f"Expected the function given to grad to return a tensor, got {type(out).__name__}"
                )
            if out.ndim:
                raise RuntimeError(
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
    with enable_grad():
        xs = scope.entered(primals)
        out, aux = with_aux(func(*xs), has_aux, "vjp")

    def pull(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        outs, given = leaves_of(out), leaves_of(cotangents)
        if len(outs) != len(given):
            raise RuntimeError(
                f"Expected cotangents in the structure of the outputs: {len(outs)} tensors, got "
                f"{len(given)}"
            )
        with enable_grad():
            found = refilled(xs, slopes(outs, leaves_of(xs), given))
        return scope.left(found)

    value = scope.left(out)
    return (value, pull, scope.left(aux)) if has_aux else (value, pull)


def jvp(
    func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> Any:
    """``func(*primals)`` and the derivative of its outputs along ``tangents``.

    Raises:
        RuntimeError: primals and tangents differ in number.
    """
    scope = Scope()
    with enable_grad():
        xs = scope.entered(tuple(primals))
        out, aux = with_aux(func(*xs), has_aux, "jvp")
        inputs, along = leaves_of(xs), leaves_of(tangents)
        if len(inputs) != len(along):
            raise RuntimeError(
                f"Expected as many tangents as primals, got {len(along)} and {len(inputs)}"
            )
        outs = leaves_of(out)
        tangents_out = refilled(out, pushed(outs, inputs, along))
    value = scope.left(out), scope.left(tangents_out)
    return (*value, scope.left(aux)) if has_aux else value


def linearize(func: Function, *primals: Any) -> tuple[Any, Function]:
    """``func(*primals)``, and the function that takes tangents of its inputs to those of its
    outputs."""

    def push(*tangents: Any) -> Any:
        return jvp(func, primals, tangents)[1]

    return func(*primals), push


def pushed(outs: list[Tensor], xs: list[Tensor], along: list[Tensor]) -> list[Tensor]:
    """The outputs' derivatives along tangents of the inputs."""
    found = pushed_forward(tuple(outs), tuple(xs), tuple(along), True, "jvp", False)
    return [
        FUNCTIONS["zeros_like"](o.detach()) if t is None else t
        for o, t in zip(outs, found, strict=True)
    ]


def jacobians(
    func: Function, argnums: int | tuple[int, ...], has_aux: bool, name: str, blocks: Function
) -> Function:
    """A function that gives ``blocks(output, inputs)`` for each output."""

    @functools.wraps(func)
    def run(*args: Any, **kwargs: Any) -> Any:
        scope = Scope()
        with enable_grad():
            xs = scope.entered(chosen(args, argnums))
            out, aux = with_aux(func(*replaced(args, argnums, xs), **kwargs), has_aux, name)
            found = mapped(lambda o: refilled(xs, blocks(o, leaves_of(xs))), out)
        result = scope.left(found)
        return (result, scope.left(aux)) if has_aux else result

    return run


def unit(x: Tensor, i: int) -> Tensor:
    """Zeros of the shape of ``x`` with a one at element ``i``."""
    e = np.zeros(x.numel(), x._data.dtype)
    e[i] = 1
    return wrap(e.reshape(x._data.shape))


def rows(out: Tensor, xs: list[Tensor]) -> list[Tensor]:
    """One output's Jacobian by each input, row by row."""
    found = [slopes([out], xs, [unit(out, i)]) for i in range(out.numel())]
    return [
        FUNCTIONS["stack"]([row[k] for row in found]).reshape(tuple(out.shape) + tuple(x.shape))
        for k, x in enumerate(xs)
    ]


def columns(out: Tensor, xs: list[Tensor]) -> list[Tensor]:
    """One output's Jacobian by each input, column by column."""
    results = []
    for x in xs:
        found = [pushed([out], [x], [unit(x, i)])[0] for i in range(x.numel())]
        results.append(FUNCTIONS["stack"](found, -1).reshape(tuple(out.shape) + tuple(x.shape)))
    return results


def jacrev(
    func: Function, argnums: int | tuple[int, ...] = 0, *, has_aux: bool = False,
    chunk_size: int | None = None,
) -> Function:  # fmt: skip
    """A function that gives the Jacobian of ``func``, of shape (output's shape, input's shape)."""
    return jacobians(func, argnums, has_aux, "jacrev", rows)


def jacfwd(
    func: Function, argnums: int | tuple[int, ...] = 0, has_aux: bool = False, *,
    randomness: str = "error",
) -> Function:  # fmt: skip
    """As ``jacrev``, computed column by column."""
    return jacobians(func, argnums, has_aux, "jacfwd", columns)


def hessian(func: Function, argnums: int | tuple[int, ...] = 0) -> Function:
    """A function that gives the Hessian of ``func``."""
    return jacfwd(jacrev(func, argnums), argnums)


# -- batches ---------------------------------------------------------------------------------------


def spread(dims: Any, tree: Any) -> Any:
    """``in_dims`` for every value: a number or None stands for all below it."""
    if dims is None or isinstance(dims, int):
        return mapped(lambda _: dims, tree)
    if isinstance(tree, dict):
        return {k: spread(dims[k], part) for k, part in tree.items()}
    return type(tree)(spread(d, part) for d, part in zip(dims, tree, strict=True))


def vmap(
    func: Function, in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *,
    chunk_size: int | None = None,
) -> Function:  # fmt: skip
    """A function that maps ``func`` over dimension ``in_dims`` of its arguments (None: the same for
    all) and stacks what it returns along ``out_dims``. It is called once for each entry.

    Raises:
        ValueError: when called, where no argument is mapped over, sizes differ, or the function
            returns something that is not a tensor.
    """

    @functools.wraps(func)
    def run(*args: Any, **kwargs: Any) -> Any:
        if isinstance(in_dims, (tuple, list)) and len(in_dims) != len(args):
            raise ValueError(
                f"vmap(in_dims={in_dims}): expected one for each of the {len(args)} arguments"
            )
        places = leaves_of_dims(
            spread(tuple(in_dims) if isinstance(in_dims, list) else in_dims, args)
        )
        values = leaves_of(args)
        sizes = {
            x.shape[d] for x, d in zip(values, places, strict=True)
            if d is not None and isinstance(x, Tensor)
        }  # fmt: skip
        if len(sizes) != 1:
            raise ValueError(
                "vmap: the mapped dimension must have one size in all arguments; got sizes "
                f"{sorted(sizes)}"
                if sizes
                else "vmap: at least one argument must be mapped over"
            )
        (size,) = sizes
        slices = [
            x.unbind(d) if d is not None and isinstance(x, Tensor) else [x] * size
            for x, d in zip(values, places, strict=True)
        ]
        results = [func(*refilled(args, [s[i] for s in slices]), **kwargs) for i in range(size)]
        return stacked(results, out_dims)

    return run


def leaves_of_dims(tree: Any) -> list[Any]:
    """As ``leaves_of``, for dimensions."""
    return leaves_of(tree)


def stacked(results: list[Any], out_dims: Any) -> Any:
    """The results of all entries, put together value by value.

    Raises:
        ValueError: a result is not a tensor.
    """
    first = results[0]
    dims = leaves_of(spread(out_dims, first))
    values = [leaves_of(r) for r in results]
    for v in values[0]:
        if not isinstance(v, Tensor):
            raise ValueError(f"vmap: the function must only return Tensors, got {type(v).__name__}")
    return refilled(
        first,
        [
            column[0] if d is None else FUNCTIONS["stack"](list(column), d)
            for column, d in zip(zip(*values, strict=True), dims, strict=True)
        ],
    )


# -- modules ---------------------------------------------------------------------------------------


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
        ValueError: two of the dicts have the same name.
        RuntimeError: as told under ``strict``.
    """
    given: dict[str, Any] = {}
    many = isinstance(parameter_and_buffer_dicts, (tuple, list))
    for part in parameter_and_buffer_dicts if many else [parameter_and_buffer_dicts]:
        twice = set(given) & set(part)
        if twice:
            raise ValueError(f"{sorted(twice)} appeared in multiple dictionaries")
        given.update(part)
    entries = {
        (f"{prefix}.{key}" if prefix else key): (table, key)
        for prefix, m in module.named_modules(remove_duplicate=False)
        for table in (m._parameters, m._buffers)
        for key, value in table.items()
        if value is not None
    }
    if strict and set(entries) != set(given):
        raise RuntimeError(
            f"missing {sorted(set(entries) - set(given))}, unexpected "
            f"{sorted(set(given) - set(entries))}"
        )
    held = {name: table[key] for name, (table, key) in entries.items()}
    by_tensor = {id(held[name]): value for name, value in given.items() if name in held}
    inputs = args if isinstance(args, tuple) else () if args is None else (args,)
    try:
        for name, (table, key) in entries.items():
            other = given.get(name, by_tensor.get(id(held[name])) if tie_weights else None)
            if other is not None:
                table[key] = other
        return module(*inputs, **(kwargs or {}))
    finally:
        for name, (table, key) in entries.items():
            table[key] = held[name]


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters of several modules of one kind, by name, stacked along a new first dimension,
    and their buffers likewise.

    Raises:
        RuntimeError: no module.
    """
    if not models:
        raise RuntimeError(
            "[stack_module_state] there is nothing to stack; got no models, expected one or more"
        )

    def joined(of: list[dict[str, Any]], leaves: bool) -> dict[str, Any]:
        result = {}
        for name in of[0]:
            stack = FUNCTIONS["stack"]([entries[name].detach() for entries in of])
            result[name] = stack.requires_grad_(leaves and of[0][name].requires_grad)
        return result

    return (
        joined([dict(m.named_parameters()) for m in models], True),
        joined([dict(m.named_buffers()) for m in models], False),
    )
