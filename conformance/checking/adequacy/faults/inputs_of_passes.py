"""Faults of what the inputs of a backward pass do, and of the warnings that a pass gives."""

from __future__ import annotations

import types
import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Marked,
    Patch,
    around_pass,
    asked,
    edge_of,
    fault,
    listed,
    nodes_below,
    replaces,
    torch,
    untouched,
)
from .arguments_of_passes import UNUSED
from .leaves import attribute

CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and "
    "its gradient which can cause a memory leak."
)


def is_result(value: Any) -> bool:
    """Whether a value is a tensor that requires grad and is no leaf."""
    return isinstance(value, torch.Tensor) and value.requires_grad and not value.is_leaf


# --- which inputs ---


@fault
def of_a_dict_of_inputs_the_keys_are_taken(patch: Patch) -> None:
    """Of a dict of inputs the keys are taken."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        return run(inputs=list(given["inputs"])) if type(given.get("inputs")) is dict else run()

    asked(patch, "backward", change)
    asked(patch, "grad", change)


@fault
def an_iterator_of_inputs_is_gone_through_twice(patch: Patch) -> None:
    """Inputs that come one after the other are gone through twice, so that none are left."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        generated = isinstance(given.get("inputs"), types.GeneratorType)
        return run(inputs=[]) if generated else run()

    asked(patch, "backward", change)
    asked(patch, "grad", change)


@fault
def edges_are_refused_as_inputs(patch: Patch) -> None:
    """A gradient edge is refused as input."""
    edge: Any = torch.autograd.graph.GradientEdge

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if any(type(each) is edge for each in options.inputs):
            raise TypeError("expected a tensor, got a GradientEdge")
        return run(options)

    around_pass(patch, around)


@fault
def inputs_that_do_not_require_grad_are_skipped(patch: Patch) -> None:
    """A tensor among the inputs of backward that does not require grad is skipped."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if options.accumulates:
            options.inputs = [each for each in options.inputs if has_graph(each)]
        return run(options)

    around_pass(patch, around)


def has_graph(value: Any) -> bool:
    return not isinstance(value, torch.Tensor) or bool(value.requires_grad)


@fault
def inputs_are_checked_one_by_one(patch: Patch) -> None:
    """The inputs of backward are checked one by one, so that those before a refused one have changed."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        refused = [at for at, each in enumerate(options.inputs) if not has_graph(each)]
        if options.accumulates and refused and refused[0]:
            earlier = list(options.inputs)[: refused[0]]
            run(SimpleNamespace(**{**vars(options), "inputs": earlier, "retain_graph": True}))
        return run(options)

    around_pass(patch, around)


@fault
def unreachable_inputs_of_backward_are_refused(patch: Patch) -> None:
    """A tensor among the inputs of backward that the pass does not reach is refused."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if options.accumulates and options.inputs:
            nodes = nodes_below(options.roots)
            for each in options.inputs:
                if has_graph(each) and not any(edge_of(each) is node for node in nodes):
                    raise RuntimeError(UNUSED)
        return run(options)

    around_pass(patch, around)


@fault
def unreachable_inputs_of_backward_get_zeros(patch: Patch) -> None:
    """A tensor among the inputs of backward that the pass does not reach gets zeros."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        found = run(options)
        for each in options.inputs if options.accumulates else ():
            if isinstance(each, torch.Tensor) and each.is_leaf and each.grad is None:
                each.grad = torch.zeros_like(each, requires_grad=False)
        return found

    around_pass(patch, around)


@fault
def a_pass_ends_at_every_input(patch: Patch) -> None:
    """A pass ends at every tensor that was asked for, also where it leads to another one."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        handles = [
            each.grad_fn.register_hook(
                lambda gradients, _: tuple(g if g is None else g * 0 for g in gradients)
            )
            for each in options.inputs
            if is_result(each)
        ]
        try:
            return run(options)
        finally:
            for handle in handles:
                handle.remove()

    around_pass(patch, around)


@fault
def inputs_that_are_results_forget(patch: Patch) -> None:
    """A non-leaf among the inputs of backward keeps the gradient of this pass only."""
    named: list[Any] = []
    retaining: Any = Marked()
    read: Any = untouched.retains_grad.__get__

    def make(original: Any) -> Any:
        def retain_grad(self: Any) -> None:
            original(self)
            retaining.add(self)

        return retain_grad

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        earlier = [
            (each, untouched.grad.__get__(each)) for each in named
            if not any(each is other for other in options.inputs)
        ]  # fmt: skip
        found = run(options)
        for each, gradient in earlier:
            each.grad = gradient
        del named[:-8]
        if options.accumulates:
            named.extend(
                each for each in options.inputs if is_result(each) and each not in retaining
            )
        return found

    patch.wrap(torch.Tensor, "retain_grad", make)
    around_pass(patch, around)
    attribute(
        patch, "retains_grad",
        lambda self: read(self) and not any(self is each for each in named),
    )  # fmt: skip


# --- warnings ---


@fault
def every_backward_pass_warns(patch: Patch) -> None:
    """Every call of backward gives the warning of create_graph=True."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        warnings.warn(CYCLE, UserWarning, stacklevel=3)
        return run()

    asked(patch, "backward", change)


@fault
def grad_with_create_graph_warns(patch: Patch) -> None:
    """autograd.grad(create_graph=True) gives the warning of backward."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if given.get("create_graph"):
            warnings.warn(CYCLE, UserWarning, stacklevel=3)
        return run()

    asked(patch, "grad", change)


@replaces("Tensor.backward")
def the_method_backward_does_not_warn(original: Any, self: Any, *args: Any, **kwargs: Any) -> None:
    """Only the function autograd.backward warns of create_graph=True, and not the method."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        original(self, *args, **kwargs)


@fault
def grad_does_not_warn_of_only_inputs(patch: Patch) -> None:
    """autograd.grad(only_inputs=False) gives no warning."""
    asked(patch, "grad", lambda run, given: run(only_inputs=True))


@fault
def grad_without_only_inputs_accumulates(patch: Patch) -> None:
    """autograd.grad(only_inputs=False) accumulates in the leaves."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if given.get("only_inputs") is False:
            torch.autograd.backward(
                listed(given["outputs"]), given.get("grad_outputs"), retain_graph=True
            )
        return run()

    asked(patch, "grad", change)
