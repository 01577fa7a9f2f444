"""From tensors to a pass: roots with their gradients, and where gradients are wanted."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import full_on, zeros
from ..backend.dtypes import from_numpy
from ..graph.node import Node, new
from ..mode import mode
from ..tensor.leaf import accumulator
from ..tensor.tensor import Tensor, flagged, gradient_edge, move_retention, wrap
from . import backward_pass as engine
from .edges import GradientEdge

__all__ = ["backward", "gradients", "listed", "mapped", "tensor_backward"]


def listed(value: Any) -> list[Any]:
    """One item or a sequence, as a list.

    Raises:
        TypeError: neither.
    """
    if not isinstance(value, Iterable):
        raise errors.wrong_type(
            f"expected a Tensor or a sequence of Tensors, got {type(value).__name__}"
        )
    return [value] if isinstance(value, (Tensor, GradientEdge)) else list(value)


def mapped(inputs: Any) -> tuple[list[Any], list[Any] | None]:
    """Inputs as a list, with their keys where they came as a dict.

    Raises:
        TypeError: another kind of mapping.
    """
    if type(inputs) is dict:
        return list(inputs.values()), list(inputs)
    if hasattr(inputs, "keys"):
        raise errors.wrong_type(
            f"inputs must be a tensor, a sequence of tensors or a dict, got {type(inputs).__name__}"
        )
    return listed(inputs), None


def edge_of(x: Any) -> tuple[Any, int]:
    """Where the gradient of an input goes to.

    Raises:
        RuntimeError: it is neither a tensor that requires grad nor a GradientEdge.
    """
    if isinstance(x, GradientEdge):
        return x.node, x.output_nr
    if not isinstance(x, Tensor):
        raise errors.wrong_type(
            f"all inputs have to be Tensors or GradientEdges, but got {type(x).__name__}",
            RuntimeError,
        )
    if not x.requires_grad:
        raise errors.input_without_grad()
    if x.grad_fn is None and accumulator(x) is None:
        return new(Node), 0  # nothing leads to a view that was taken under no_grad
    return gradient_edge(x)


def roots_of(what: str, outputs: list[Any], grads: Any, create: bool) -> list[Any]:
    """(node, output number, gradient) of each root, checked.

    Raises:
        RuntimeError: a root has no history, or needs a gradient and got none or one of another
            shape.
        TypeError: a gradient or root is not a tensor.
    """
    given = (
        [None] * len(outputs)
        if grads is None
        else listed(grads)
        if not isinstance(grads, Tensor)
        else [grads]
    )
    if len(given) < len(outputs):
        raise errors.gradient_count(
            f"got {len(outputs)} tensors and {len(given)} gradients; give one gradient (or None) "
            "per tensor"
        )
    roots = []
    for k, (out, g) in enumerate(zip(outputs, given, strict=False)):
        if g is not None and not isinstance(g, Tensor):
            raise errors.wrong_type(
                f"backward(): each gradient must be a Tensor or None; got {type(g).__name__}"
            )
        if isinstance(out, GradientEdge):
            meta = out.meta or out.node.out_meta(out.output_nr)
            if g is None and meta is not None and np.prod(meta[0]) != 1:
                raise errors.not_scalar(what, meta[0])
            node, nr = out.node, out.output_nr
        elif isinstance(out, Tensor):
            if g is None and out.requires_grad and out._data.size != 1:
                raise errors.not_scalar(what, out._data.shape)
            if not out.requires_grad:
                raise errors.backward_without_graph(k)
            node, nr = gradient_edge(out)
            meta = (out._data.shape, out._data.dtype, out.device)
        else:
            raise errors.wrong_type(
                f"{what}(): expected a tensor or a GradientEdge, got {type(out).__name__}"
            )
        if g is None:
            if meta is None:
                raise errors.not_scalar(what, ())
            if meta[1].kind == "c":
                raise errors.not_real_scalar(what)
            seed = full_on(meta[2], meta[0], 1, meta[1])
            roots.append((node, nr, wrap(seed) if create else seed))
            continue
        roots.append((node, nr, checked_seed(g, meta, create)))
    return roots


def checked_seed(g: Tensor, meta: Any, create: bool) -> Any:
    """A gradient that the user gives for a root, in the root's dtype.

    Raises:
        RuntimeError: another shape, complex for real or the reverse, or another device; a gradient
            without dimensions is moved.
    """
    if meta is not None:
        shape, dtype, device = meta
        if g._data.shape != shape:
            raise errors.gradient_mismatch(
                f"Mismatch in shape: grad_output has a shape of {list(g.shape)} and output has a "
                f"shape of {list(shape)}. The gradient is not broadcast; give one of the output's "
                "shape."
            )
        if (g._data.dtype.kind == "c") != (dtype.kind == "c"):
            raise errors.gradient_mismatch(
                "Mismatch in dtype: a complex output needs a complex gradient, and a real "
                f"one a real; grad_output has {g.dtype}, output {from_numpy(dtype)}"
            )
        if g.device != device and not g._data.ndim:
            g = g.to(device)
        if g.device != device:
            raise errors.gradient_mismatch(
                f"Mismatch in device: grad_output is on {g.device} and output is on {device}. Move "
                "the gradient with .to()."
            )
        if g._data.dtype is not dtype:
            g = g.to(dtype=wrap(np.empty(0, dtype)).dtype)
    return g if create else g._data


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradients of ``tensors`` into the ``.grad`` of the leaves they depend on.

    Args:
        tensors: roots: one tensor or a sequence.
        grad_tensors: their gradients, None for roots with one element.
        retain_graph: keep saved tensors for another pass; as ``create_graph`` unless given.
        create_graph: record the computation, so that the gradients can be differentiated.
        grad_variables: deprecated name of ``grad_tensors``.
        inputs: accumulate into these tensors only.

    Raises:
        RuntimeError: a root without history, a missing or misshaped gradient, or a freed graph.
    """
    if mode.transforms or mode.mapped:
        raise errors.within_transform(
            "backward(): a function transform cannot follow .grad, into which backward() adds; use "
            "torch.func.grad or vjp, or autograd.grad, in the function"
        )
    if grad_variables is not None:
        warnings.warn(
            "'grad_variables' is deprecated. Use 'grad_tensors' instead.",
            FutureWarning,
            stacklevel=2,
        )
        if grad_tensors is not None:
            raise errors.wrong_value(
                "'grad_tensors' and 'grad_variables' (deprecated) arguments both passed. Use only "
                "'grad_tensors'.",
                RuntimeError,
            )
        grad_tensors = grad_variables
    keep = create_graph if retain_graph is None else retain_graph
    targets: list[Any] | None = None
    if inputs is not None:
        targets, _ = mapped(inputs)
        if not targets:
            raise errors.gradient_count(
                "'inputs' argument to backward() cannot be empty. Leave it out to accumulate into "
                "all leaves."
            )
    outputs = listed(tensors)
    roots = roots_of("backward", outputs, grad_tensors, create_graph or mode.level is not None)
    if create_graph:
        warnings.warn(
            "Using backward() with create_graph=True will create a reference cycle between the "
            "parameter and its gradient which can cause a memory leak. Use autograd.grad(), or set "
            ".grad to None afterwards.",
            UserWarning,
            stacklevel=3,
        )
    if targets is None:
        engine.run(roots, keep, create_graph, None, accumulate=True)
        return
    captures: dict[Any, Any] = {}
    for x in targets:
        captures[edge_of(x)] = None
        if isinstance(x, Tensor) and not x.is_leaf and not x.retains_grad:
            x.ensure_extra().retains = True
            move_retention(x, None)
    engine.run(roots, keep, create_graph, captures, accumulate=True)


def gradients(
    outs: list[Any],
    targets: list[Any],
    grad_outputs: Any,
    keep: bool,
    create_graph: bool,
    allow_unused: bool = True,
    materialize_grads: bool = False,
) -> list[Any]:
    """The gradients of ``outs`` with respect to ``targets``, as ``autograd.grad`` gives them.

    Raises:
        RuntimeError: as ``backward``; a target that does not require grad or was not used.
    """
    roots = roots_of("grad", outs, grad_outputs, create_graph or mode.level is not None)
    edges = [edge_of(x) for x in targets]
    captures: dict[Any, Any] = dict.fromkeys(edges)
    engine.run(roots, keep, create_graph, captures, accumulate=False)
    results: list[Any] = []
    made: dict[int, Tensor] = {}  # one gradient that went two ways is one object
    for k, (x, edge) in enumerate(zip(targets, edges, strict=True)):
        g = captures[edge]
        if g is None:
            if materialize_grads:
                if not isinstance(x, Tensor):
                    raise errors.wrong_type(
                        "materialize_grads cannot be used with a GradientEdge that was not used: "
                        "it has no shape. Pass its tensor.",
                        RuntimeError,
                    )
                zero = wrap(zeros(x._data.shape, x._data.dtype, x._data))
                results.append(flagged(zero) if create_graph else zero)
                continue
            if not allow_unused:
                raise errors.input_not_used(k)
            results.append(None)
            continue
        results.append(made.setdefault(id(g), engine.as_tensor(g)))
    return results


def tensor_backward(
    self: Tensor,
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add the gradients of this tensor into the ``.grad`` of the leaves it depends on; see
    ``backward``."""
    if gradient is not None and not isinstance(gradient, Tensor):
        raise errors.wrong_type(
            f"gradient can be either Tensor or None, but got {type(gradient).__name__}"
        )
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)
