"""``autograd.grad`` and ``autograd.backward``."""

from __future__ import annotations

import warnings
from typing import Any

from .. import errors
from ..backend.base import zeros
from ..engine.passes import backward, gradients, listed, mapped
from ..mode import mode
from ..ops import FUNCTIONS
from ..tensor.tensor import wrap

__all__ = ["backward", "grad"]


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """The gradients of ``outputs`` (their sum, weighted by ``grad_outputs``) with respect to
    ``inputs``.

    Returns:
        One tensor per input (None where unused and ``allow_unused``); a dict where inputs is one.

    Raises:
        RuntimeError: as ``backward``; an input that does not require grad or was not used.
        ValueError: ``materialize_grads`` with ``allow_unused=False``.
    """
    if materialize_grads and allow_unused is False:
        raise errors.wrong_value(
            "grad(): materialize_grads=True fills in zeros for unused inputs, so they "
            "must be allowed; got allow_unused=False"
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    if not only_inputs:
        warnings.warn(
            "grad(): only_inputs is deprecated: gradients are always those of the inputs alone.",
            FutureWarning,
            stacklevel=2,
        )
    keep = mode.entries_follow or (create_graph if retain_graph is None else retain_graph)
    targets, keys = mapped(inputs)
    outs = listed(outputs)
    if is_grads_batched:
        found = batched(outs, targets, grad_outputs, keep, create_graph, allow_unused)
        if materialize_grads:
            found = tuple(
                wrap(zeros(x._data.shape, x._data.dtype, x._data)) if g is None else g
                for x, g in zip(targets, found, strict=True)
            )
        return found if keys is None else dict(zip(keys, found, strict=True))
    if not targets:
        raise errors.gradient_count("grad requires non-empty inputs.")
    results = gradients(
        outs, targets, grad_outputs, keep, create_graph, allow_unused, materialize_grads
    )
    return tuple(results) if keys is None else dict(zip(keys, results, strict=True))


def batched(
    outs: Any, targets: Any, grad_outputs: Any, keep: bool, create: bool, allow_unused: bool
) -> Any:
    """``grad`` once per entry of dimension 0 of each grad_output, results stacked."""
    gs: list[Any] = [None] * len(outs) if grad_outputs is None else listed(grad_outputs)
    for out, g in zip(outs, gs, strict=False):
        if g is None:
            raise errors.not_scalar("grad", out.shape)
        if not g.ndim:
            raise errors.gradient_mismatch(
                "is_grads_batched=True needs a batch dimension in each gradient", IndexError
            )
        if g._data.shape[1:] != out._data.shape:
            raise errors.gradient_mismatch(
                "is_grads_batched=True needs the shape of the output after a first, batch "
                f"dimension in each gradient; got {list(g.shape)} for an output of shape "
                f"{list(out.shape)}"
            )
    n = gs[0]._data.shape[0]
    rows = [
        gradients(outs, targets, [g[i] for g in gs], keep or i + 1 < n, create, allow_unused)
        for i in range(n)
    ]
    return tuple(
        None if any(r[k] is None for r in rows) else FUNCTIONS["stack"]([r[k] for r in rows])
        for k in range(len(targets))
    )
