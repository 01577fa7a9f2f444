"""Hooks on the backward pass of a module: it is walled off by two nodes that see its gradients."""

from __future__ import annotations

import warnings
from typing import Any

from .. import errors
from ..autograd.function import Function
from ..tensor.tensor import Tensor

__all__ = ["Boundary"]


class BackwardHookFunction(Function):
    """Passes tensors and gradients on as they are."""

    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> tuple[Tensor, ...]:
        passed = tuple(x.view_as(x) for x in tensors)
        constant = [t for x, t in zip(tensors, passed, strict=True) if not x.requires_grad]
        ctx.mark_non_differentiable(*constant)
        return passed

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple[Any, ...]:
        return grads


class Boundary:
    """One call of a module, from the gradients of its outputs to those of its inputs."""

    def __init__(self, module: Any, hooks: dict[int, Any], pre_hooks: dict[int, Any]) -> None:
        self.module = module
        self.hooks = list(hooks.values())
        self.pre_hooks = list(pre_hooks.values())
        self.grad_outputs: tuple[Any, ...] | None = None
        self.n_inputs = 0
        self.input_places: list[int] = []
        self.n_outputs = 0
        self.output_places: list[int] = []

    def entered(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, behind the wall through which their gradients leave."""
        self.n_inputs = len(args)
        passed, node, self.input_places = walled(args)
        if node is not None:
            node.register_hook(self.inputs_ready)
        else:
            self.input_places = []
        return passed

    def left(self, out: Any) -> Any:
        """The outputs, behind the wall through which their gradients come in. Only tensors and
        tuples of them have one."""
        if not isinstance(out, (Tensor, tuple)):
            warnings.warn(
                "backward hooks need a module whose output is a Tensor or a tuple of Tensors; they "
                f"are not called for one that gives a {type(out).__name__}",
                UserWarning,
                stacklevel=4,
            )
            self.hooks = []
            return out
        outs = out if isinstance(out, tuple) else (out,)
        self.n_outputs = len(outs)
        passed, node, self.output_places = walled(outs)
        if node is not None:
            node.register_prehook(self.outputs_ready)
        if not isinstance(out, tuple):
            return passed[0]
        return type(out)(*passed) if hasattr(out, "_fields") else passed

    def outputs_ready(self, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """The gradients of the outputs are there: the pre-hooks may replace them."""
        grads = spread(found, self.output_places, self.n_outputs)
        for hook in self.pre_hooks:
            result = hook(self.module, grads)
            if result is not None:
                grads = self.checked("pre hook", "grad_output", result, len(grads))
        if self.input_places:
            self.grad_outputs = grads
        elif self.hooks:
            warnings.warn(
                "a full backward hook is called when the gradients of the module's outputs "
                "are known, since none of its inputs requires grad; its grad_input is all "
                "None.",
                UserWarning,
                stacklevel=2,
            )
            for hook in self.hooks:
                result = hook(self.module, (None,) * self.n_inputs, grads)
                if result is not None and any(r is not None for r in result):
                    raise errors.hook(
                        "a backward hook cannot set the gradients of inputs that do not require "
                        f"grad; got {result}. Return None, or None for each."
                    )
        return tuple(grads[place] for place in self.output_places)

    def inputs_ready(self, grads: tuple[Any, ...], _: Any) -> tuple[Any, ...] | None:
        """The gradients of the inputs are there: the hooks may replace them, unless the pass came here
        by another way than through the outputs, as one over a recorded gradient may."""
        grad_outputs, self.grad_outputs = self.grad_outputs, None
        if grad_outputs is None:
            return None
        given = spread(grads, self.input_places, self.n_inputs)
        for hook in self.hooks:
            result = hook(self.module, given, grad_outputs)
            if result is not None:
                given = self.checked("hook", "grad_input", result, self.n_inputs)
        return tuple(given[place] for place in self.input_places)

    def checked(self, what: str, name: str, result: Any, expected: int) -> tuple[Any, ...]:
        """What a hook returned, as a tuple.

        Raises:
            RuntimeError: another number of gradients, or no tuple.
        """
        if not isinstance(result, (tuple, list)) or len(result) != expected:
            got = len(result) if isinstance(result, (tuple, list)) else type(result).__name__
            raise errors.hook(
                f"Backward {what} of {type(self.module).__name__} returned an invalid number of "
                f"{name}, got {got}, but expected a tuple of {expected}"
            )
        return tuple(result)


def spread(grads: tuple[Any, ...], places: list[int], count: int) -> tuple[Any, ...]:
    """Gradients at the places of the tensors they belong to, and None elsewhere."""
    at = dict(zip(places, grads, strict=True))
    return tuple(at.get(place) for place in range(count))


def walled(values: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any, list[int]]:
    """Values with their tensors passed through a wall, its node, and where the tensors stand."""
    places = [i for i, v in enumerate(values) if isinstance(v, Tensor)]
    if not any(values[i].requires_grad for i in places):
        return values, None, []
    passed = BackwardHookFunction.apply(*[values[i] for i in places])
    out = list(values)
    for i, x in zip(places, passed, strict=True):
        out[i] = x
    node = next(x.grad_fn for x in passed if x.grad_fn is not None)
    return tuple(out), node, places
