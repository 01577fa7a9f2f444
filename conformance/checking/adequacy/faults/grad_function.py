"""Faults of autograd.grad: seeds, inputs, unused inputs, what is returned."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, around_pass, fault, leaves_below, replaces, torch


@fault
def allow_unused_is_taken_for_granted(patch: Patch) -> None:
    """autograd.grad gives None for an unused input without being asked to."""

    def around(run: Any, options: Any) -> Any:
        if not options.accumulates:
            options.others["allow_unreachable"] = True
        return run(options)

    around_pass(patch, around)


@fault
def allow_unused_is_ignored(patch: Patch) -> None:
    """autograd.grad refuses an unused input even with allow_unused=True."""

    def around(run: Any, options: Any) -> Any:
        if not options.accumulates:
            options.others["allow_unreachable"] = False
        return run(options)

    around_pass(patch, around)


@fault
def unused_inputs_get_zeros(patch: Patch) -> None:
    """autograd.grad(allow_unused=True) gives zeros for an unused input instead of None."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates:
            return found
        return tuple(
            torch.zeros_like(tensor) if gradient is None else gradient
            for tensor, gradient in zip(options.inputs, found, strict=True)
        )

    around_pass(patch, around)


def changed_materialize(patch: Patch, change: Any) -> None:
    """Let materialize_grads=True give `change(gradient, zeros)`."""

    def make(original: Any) -> Any:
        def grad(outputs: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
            if not kwargs.pop("materialize_grads", False):
                return original(outputs, inputs, *args, **kwargs)
            kwargs["allow_unused"] = True
            found = original(outputs, inputs, *args, **kwargs)
            listed = (inputs,) if isinstance(inputs, torch.Tensor) else tuple(inputs)
            return tuple(change(*pair) for pair in zip(listed, found, strict=True))

        return grad

    patch.wrap(torch.autograd, "grad", make)


@fault
def materialize_grads_gives_none(patch: Patch) -> None:
    """materialize_grads=True gives None for an unused input."""
    changed_materialize(patch, lambda tensor, gradient: gradient)


@fault
def materialize_grads_gives_a_zero_without_shape(patch: Patch) -> None:
    """materialize_grads=True gives a scalar zero for an unused input."""
    changed_materialize(
        patch, lambda tensor, gradient: torch.tensor(0.0) if gradient is None else gradient
    )


@fault
def created_graph_is_detached(patch: Patch) -> None:
    """The result of autograd.grad(create_graph=True) is cut from the graph."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates or not options.create_graph:
            return found
        return tuple(None if g is None else g.detach() for g in found)

    around_pass(patch, around)


@fault
def backward_with_create_graph_leaves_a_detached_gradient(patch: Patch) -> None:
    """After backward(create_graph=True) the .grad cannot be differentiated."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates and options.create_graph:
            for leaf in leaves_below(options.roots):
                if leaf.grad is not None:
                    leaf.grad = leaf.grad.detach()
        return found

    around_pass(patch, around)


@fault
def every_pass_creates_a_graph(patch: Patch) -> None:
    """A plain backward pass records itself, so that .grad requires grad."""

    def around(run: Any, options: Any) -> Any:
        options.create_graph = True
        return run(options)

    around_pass(patch, around)


@replaces("autograd.grad")
def batched_grads_are_summed(
    original: Any, outputs: Any, inputs: Any, *args: Any, **kwargs: Any
) -> Any:
    """autograd.grad(is_grads_batched=True) sums over the batch."""
    found = original(outputs, inputs, *args, **kwargs)
    if not kwargs.get("is_grads_batched"):
        return found
    return tuple(None if g is None else g.sum(0) for g in found)


@replaces("autograd.grad")
def grad_of_one_input_is_no_tuple(
    original: Any, outputs: Any, inputs: Any, *args: Any, **kwargs: Any
) -> Any:
    """autograd.grad with one input returns the gradient itself instead of a tuple."""
    found = original(outputs, inputs, *args, **kwargs)
    return found[0] if isinstance(inputs, torch.Tensor) else found


@fault
def grad_returns_a_list(patch: Patch) -> None:
    """autograd.grad returns a list instead of a tuple."""
    patch.wrap(
        torch.autograd, "grad", lambda original: lambda *args, **kw: list(original(*args, **kw))
    )


@fault
def grad_is_in_order_of_the_graph(patch: Patch) -> None:
    """autograd.grad returns the gradients of several inputs in another order than asked."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        return found if options.accumulates else tuple(reversed(found))

    around_pass(patch, around)


@fault
def input_that_stands_twice_is_halved(patch: Patch) -> None:
    """An input that is named twice in autograd.grad gets its gradient once, then None."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates:
            return found
        seen: set[int] = set()
        result = []
        for tensor, gradient in zip(options.inputs, found, strict=True):
            result.append(None if id(tensor) in seen else gradient)
            seen.add(id(tensor))
        return tuple(result)

    around_pass(patch, around)
