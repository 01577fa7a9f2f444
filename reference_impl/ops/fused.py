"""Operations that are made of others, and yet recorded as one node with a name of its own.

``fused("addmv", fn)`` gives a function with the parameters of ``fn``. Forward, ``fn`` runs
unrecorded; backward, it runs again on what was saved, and gradients are taken through that. So what
such an operation saves are its tensors, and it can be differentiated as often as they can.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_array
from ..engine.passes import gradients
from ..mode import mode
from ..tensor.tensor import Tensor, wrap
from .op import op

__all__ = ["fused"]


def fused(
    name: str,
    fn: Callable[..., Any],
    node: str | None = None,
    n_out: int = 1,
    flags: int = 0,
    keeps_out: bool = False,
) -> Any:
    """A function as ``fn``, whose calls are one node each.

    Tensors may be given by position or by name; everything else is passed on as it is. With
    ``keeps_out`` the result is saved too, as PyTorch does where its rule needs it.
    """

    def kernel(arrays: Any, call: Call) -> Any:
        with mode.changed(grad=False, aside=False, level=None):
            out = call.run(fn, [wrap(a) for a in arrays])
        return tuple(o._data for o in out) if isinstance(out, tuple) else out._data

    def through(gs: dict[int, Any], xs: Any, call: Call) -> Any:
        tensors = isinstance(xs[0], Tensor)  # they may only have tangents, and nothing be recorded
        create = tensors and mode.grad
        with mode.changed(grad=True):
            operands = [again(x, tensors) for x in xs]
            outs = call.run(fn, operands)
        outs = outs if isinstance(outs, tuple) else (outs,)
        wanted = [x for x in operands if x.requires_grad]
        given = [
            (outs[k], g if tensors else wrap(as_array(g))) for k, g in gs.items() if g is not None
        ]
        grads = iter(
            gradients([o for o, _ in given], wanted, [g for _, g in given], create, create)
        )
        found = [next(grads) if x.requires_grad else None for x in operands]
        return [g if g is None or tensors else g._data for g in found]

    def single(g: Any, xs: Any, call: Call) -> Any:
        return through({0: g}, xs, call)

    def single_with_out(g: Any, xs: Any, out: Any, call: Call) -> Any:
        return through({0: g}, xs, call)

    if n_out == 1:
        rule = single_with_out if keeps_out else single
        row = op(f"{name}(*xs, /, call)", kernel, flags, node=node, xs=rule)
    else:
        row = op(f"{name}(*xs, /, call)", kernel, flags, node=node, n_out=n_out, xs=through)

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Any:
        call = Call(args, kwargs)
        return row.apply(call.tensors, call)

    run.row = row  # type: ignore[attr-defined]
    return run


class Call:
    """The arguments of a call, its tensors taken out."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.tensors = [v for v in (*args, *kwargs.values()) if isinstance(v, Tensor)]
        self.args = [HOLE if isinstance(v, Tensor) else v for v in args]
        self.kwargs = {k: HOLE if isinstance(v, Tensor) else v for k, v in kwargs.items()}

    def run(self, fn: Callable[..., Any], tensors: list[Tensor]) -> Any:
        """The function, called with other tensors in the places of those taken out."""
        rest = iter(tensors)
        args = [next(rest) if v is HOLE else v for v in self.args]
        kwargs = {k: next(rest) if v is HOLE else v for k, v in self.kwargs.items()}
        try:
            return fn(*args, **kwargs)
        except TypeError as error:
            errors.mark_call(error)
            raise


HOLE = object()


def again(x: Any, is_tensor: bool) -> Tensor:
    """A saved operand to compute with anew: an alias, so that an operand which another one depends
    on counts at its own place alone."""
    if is_tensor:
        alias: Tensor = x.view_as(x) if x.requires_grad else x
        return alias
    t = wrap(x)
    t._req = np.issubdtype(x.dtype, np.inexact)
    return t
