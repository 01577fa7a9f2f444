"""Faults of the forms in which backward and autograd.grad are called, and of what backward returns."""

from __future__ import annotations

import warnings
from typing import Any

from ..breaking import Patch, asked, fault, listed, replaces, torch, untouched


@fault
def no_roots_are_refused(patch: Patch) -> None:
    """autograd.backward refuses an empty list of roots."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if isinstance(given["tensors"], list | tuple) and not len(given["tensors"]):
            raise RuntimeError("there is nothing to differentiate")
        return run()

    asked(patch, "backward", change)


@fault
def a_bare_edge_is_refused_as_root(patch: Patch) -> None:
    """A gradient edge in the place of a list of roots is taken for the list of its parts."""
    edge: Any = torch.autograd.graph.GradientEdge

    def change_of(name: str) -> Any:
        def change(run: Any, given: dict[str, Any]) -> Any:
            if type(given[name]) is edge:
                raise TypeError("expected a tensor or a GradientEdge, got a node")
            return run()

        return change

    asked(patch, "backward", change_of("tensors"))
    asked(patch, "grad", change_of("outputs"))


@replaces("autograd.graph.get_gradient_edge")
def edges_of_tensors_outside_the_graph_are_given(original: Any, tensor: Any) -> Any:
    """The gradient edge of a tensor that does not require grad can be taken."""
    if tensor.requires_grad:
        return original(tensor)
    return original(untouched.detach(tensor).clone().requires_grad_())


@fault
def the_old_name_of_grad_tensors_is_ignored(patch: Patch) -> None:
    """grad_variables is accepted, with its warning, and ignored."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if given.get("grad_variables") is None or given.get("grad_tensors") is not None:
            return run()
        warnings.warn("'grad_variables' is deprecated.", FutureWarning, stacklevel=2)
        return run(grad_variables=None)

    asked(patch, "backward", change)


@fault
def both_names_of_grad_tensors_are_accepted(patch: Patch) -> None:
    """Where both grad_tensors and grad_variables are given, the old name is dropped."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        both = given.get("grad_variables") is not None and given.get("grad_tensors") is not None
        return run(grad_variables=None) if both else run()

    asked(patch, "backward", change)


@fault
def a_bare_tensor_is_a_list_of_rows(patch: Patch) -> None:
    """A bare tensor that autograd.backward is given in the place of a list is taken for the list of its rows."""
    methods: list[bool] = []

    def make_method(original: Any) -> Any:
        def backward(self: Any, *args: Any, **kwargs: Any) -> Any:
            methods.append(True)
            try:
                return original(self, *args, **kwargs)
            finally:
                methods.pop()

        return backward

    def make(original: Any) -> Any:
        def backward(*given: Any, **named: Any) -> Any:
            if methods:
                return original(*given, **named)
            rows = [list(each) if isinstance(each, torch.Tensor) else each for each in given]
            return original(*rows, **{
                name: list(each) if isinstance(each, torch.Tensor) else each
                for name, each in named.items()
            })  # fmt: skip

        return backward

    patch.wrap(torch.Tensor, "backward", make_method)
    patch.wrap(torch.autograd, "backward", make)


@replaces("Tensor.backward")
def the_method_backward_returns_its_tensor(
    original: Any, self: Any, *args: Any, **kwargs: Any
) -> Any:
    """The method backward returns the tensor."""
    original(self, *args, **kwargs)
    return self


@fault
def the_function_backward_returns_the_seeds(patch: Patch) -> None:
    """autograd.backward returns the gradients of the roots."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        run()
        roots = listed(given["tensors"])
        return [torch.ones_like(root) for root in roots if isinstance(root, torch.Tensor)]

    asked(patch, "backward", change)


@fault
def the_method_takes_inputs_before_create_graph(patch: Patch) -> None:
    """The arguments of the method backward by their places have inputs before create_graph."""

    def make(original: Any) -> Any:
        def backward(
            self: Any, gradient: Any = None, retain_graph: Any = None, inputs: Any = None,
            create_graph: bool = False,
        ) -> None:  # fmt: skip
            original(self, gradient, retain_graph, create_graph, inputs or None)

        return backward

    patch.wrap(torch.Tensor, "backward", make)


def ignoring_others(patch: Patch, owner: Any, name: str, known: str) -> None:
    """Let a function ignore the named arguments that it does not know."""

    def make(original: Any) -> Any:
        def function(*args: Any, **kwargs: Any) -> Any:
            return original(*args, **{k: v for k, v in kwargs.items() if k in known.split()})

        return function

    patch.wrap(owner, name, make)


@fault
def the_method_ignores_unknown_names(patch: Patch) -> None:
    """The method backward ignores arguments that it does not know."""
    known = "gradient retain_graph create_graph inputs"
    ignoring_others(patch, torch.Tensor, "backward", known)


@fault
def grad_ignores_unknown_names(patch: Patch) -> None:
    """autograd.grad ignores arguments that it does not know."""
    known = (
        "outputs inputs grad_outputs retain_graph create_graph only_inputs allow_unused "
        "is_grads_batched materialize_grads"
    )
    ignoring_others(patch, torch.autograd, "grad", known)
