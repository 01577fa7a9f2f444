"""Faults of what backward and autograd.grad are given, and of the form in which they answer."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

from ..breaking import (
    Patch,
    around_pass,
    asked,
    edge_of,
    fault,
    inside,
    listed,
    nodes_below,
    seeded,
    torch,
    untouched,
)

SCALAR = "grad can be implicitly created only for scalar outputs"
UNUSED = "One of the differentiated Tensors appears to not have been used in the graph."

# --- roots and seeds ---


@fault
def roots_of_one_element_need_a_seed(patch: Patch) -> None:
    """Only a root without dimensions may go without a gradient."""

    def change(roots: Sequence[Any], seeds: list[Any]) -> None:
        for root, seed in zip(roots, seeds, strict=False):
            if (
                seed is None
                and isinstance(root, torch.Tensor)
                and root.requires_grad
                and root.dim()
            ):
                raise RuntimeError(SCALAR)

    seeded(patch, change)


@fault
def edges_of_several_elements_need_no_seed(patch: Patch) -> None:
    """A gradient edge as root is seeded with ones, whatever its shape."""

    def change(roots: Sequence[Any], seeds: list[Any]) -> None:
        for at, root in enumerate(roots[: len(seeds)]):
            if seeds[at] is None and isinstance(root, torch.autograd.graph.GradientEdge):
                seeds[at] = inside.ones_at(root)

    seeded(patch, change)


@fault
def a_list_of_one_needs_a_list_of_seeds(patch: Patch) -> None:
    """autograd.backward([y], g) is refused."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if isinstance(given["tensors"], list) and isinstance(
            given.get("grad_tensors"), torch.Tensor
        ):
            raise TypeError("grad_tensors must be a sequence")
        return run()

    asked(patch, "backward", change)


@fault
def a_root_that_stands_twice_spoils_its_seed(patch: Patch) -> None:
    """The gradients that are given for a root that occurs twice are summed in the first of them."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        roots, seeds = options.roots, options.seeds
        for at, root in enumerate(roots):
            for earlier in range(at):
                if roots[earlier] is root and seeds[earlier] is not seeds[at]:
                    untouched.detach(seeds[earlier]).add_(untouched.detach(seeds[at]))
        return found

    around_pass(patch, around)


@fault
def parts_of_one_tensor_count_once(patch: Patch) -> None:
    """Of several outputs that one operation gave, autograd.grad counts the first only."""

    def around(run: Any, options: Any) -> Any:
        nodes = [edge_of(root) for root in options.roots]
        first = [at for at, node in enumerate(nodes) if nodes.index(node) == at]
        if not options.accumulates:
            options.roots = [options.roots[at] for at in first]
            options.seeds = [options.seeds[at] for at in first]
        return run(options)

    around_pass(patch, around)


# --- inputs ---


@fault
def no_inputs_mean_all(patch: Patch) -> None:
    """backward(inputs=[]) is a pass to every leaf."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        inputs = given.get("inputs")
        return run(inputs=None) if isinstance(inputs, list | tuple) and not inputs else run()

    asked(patch, "backward", change)


@fault
def inputs_of_backward_may_be_no_dict(patch: Patch) -> None:
    """backward(inputs=dict) is refused."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if isinstance(given.get("inputs"), dict):
            raise TypeError("inputs must be a sequence of tensors")
        return run()

    asked(patch, "backward", change)


@fault
def inputs_one_after_the_other_are_all(patch: Patch) -> None:
    """Inputs of backward that come from a generator count as none given."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        generated = isinstance(given.get("inputs"), types.GeneratorType)
        return run(inputs=None) if generated else run()

    asked(patch, "backward", change)


@fault
def inputs_given_twice_count_twice(patch: Patch) -> None:
    """backward(inputs=[x, x]) adds the gradient twice."""

    def around(run: Any, options: Any) -> Any:
        inputs = [each for each in options.inputs if isinstance(each, torch.Tensor)]
        places = {id(each): each for at, each in enumerate(inputs) if index(inputs, each) < at}
        twice = list(places.values()) if options.accumulates else []
        before = [
            None if (old := untouched.grad.__get__(each)) is None else old.clone() for each in twice
        ]
        found = run(options)
        for each, old in zip(twice, before, strict=True):
            values = untouched.detach(untouched.grad.__get__(each))
            values.copy_(2 * values - (0 if old is None else old))
        return found

    around_pass(patch, around)


def index(values: Sequence[Any], value: Any) -> int:
    """Where the very value stands first."""
    return next(at for at, each in enumerate(values) if each is value)


@fault
def a_root_is_no_input_of_itself(patch: Patch) -> None:
    """autograd.grad of a tensor with respect to itself calls it unused."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        same = [a for a in listed(given["outputs"]) for b in listed(given["inputs"]) if a is b]
        if same and not given.get("allow_unused"):
            raise RuntimeError(UNUSED)
        return run()

    asked(patch, "grad", change)


@fault
def inputs_cut_the_graph(patch: Patch) -> None:
    """Where one input of autograd.grad lies above another, the lower one gets only what does not
    pass through it."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        inputs = listed(given["inputs"]) if not given.get("is_grads_batched") else []
        ends = [edge_of(each) for each in inputs]
        above = [
            at for at, each in enumerate(inputs)
            if isinstance(each, torch.Tensor) and each.grad_fn is not None
            and any(node in ends for node in nodes_below([each])[1:])
        ]  # fmt: skip
        if not above:
            return run()
        whole = run(retain_graph=True)
        handles = [
            inputs[at].grad_fn.register_hook(
                lambda gradients, _: tuple(g if g is None else g * 0 for g in gradients)
            )
            for at in above
        ]
        cut = run()
        for handle in handles:
            handle.remove()
        return tuple(whole[at] if at in above else each for at, each in enumerate(cut))

    asked(patch, "grad", change)


@fault
def allow_unused_is_for_leaves_only(patch: Patch) -> None:
    """allow_unused=True does not cover results."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        found = run()
        for tensor, gradient in zip(listed(given["inputs"]), listed(found), strict=True):
            if gradient is None and isinstance(tensor, torch.Tensor) and not tensor.is_leaf:
                raise RuntimeError(UNUSED)
        return found

    asked(patch, "grad", change)


@fault
def unused_entries_of_a_dict_are_left_out(patch: Patch) -> None:
    """autograd.grad of a dict of inputs leaves out the keys of those that are unused."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        found = run()
        if not isinstance(found, dict):
            return found
        return {key: gradient for key, gradient in found.items() if gradient is not None}

    asked(patch, "grad", change)


@fault
def a_dict_of_inputs_comes_back_in_alphabetical_order(patch: Patch) -> None:
    """The gradients of a dict of inputs are matched to its sorted keys."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        found = run()
        return (
            dict(zip(sorted(found), found.values(), strict=True))
            if isinstance(found, dict)
            else found
        )

    asked(patch, "grad", change)


# --- options ---


@fault
def backward_takes_create_graph_before_retain_graph(patch: Patch) -> None:
    """The arguments of backward() by their places are gradient, create_graph, retain_graph."""

    def make(original: Any) -> Any:
        def backward(
            self: Any, gradient: Any = None, create_graph: bool = False,
            retain_graph: Any = None, inputs: Any = None,
        ) -> None:  # fmt: skip
            original(self, gradient, retain_graph, create_graph, inputs)

        return backward

    patch.wrap(torch.Tensor, "backward", make)


@fault
def grad_takes_create_graph_before_retain_graph(patch: Patch) -> None:
    """The arguments of autograd.grad() by their places have create_graph before retain_graph."""

    def make(original: Any) -> Any:
        def grad(
            outputs: Any, inputs: Any, grad_outputs: Any = None, create_graph: bool = False,
            retain_graph: Any = None, only_inputs: bool = True, allow_unused: Any = None,
            is_grads_batched: bool = False, materialize_grads: bool = False,
        ) -> Any:  # fmt: skip
            return original(
                outputs, inputs, grad_outputs, retain_graph, create_graph, only_inputs,
                allow_unused, is_grads_batched, materialize_grads,
            )  # fmt: skip

        return grad

    patch.wrap(torch.autograd, "grad", make)


@fault
def grad_with_create_graph_always_retains(patch: Patch) -> None:
    """autograd.grad(create_graph=True, retain_graph=False) retains the graph all the same."""

    def around(run: Any, options: Any) -> Any:
        if not options.accumulates and options.create_graph:
            options.retain_graph = True
        return run(options)

    around_pass(patch, around)


@fault
def retaining_is_forgotten_with_inputs(patch: Patch) -> None:
    """retain_graph=True has no effect in a backward pass that is given inputs."""

    def around(run: Any, options: Any) -> Any:
        if options.accumulates and options.inputs and not options.create_graph:
            options.retain_graph = False
        return run(options)

    around_pass(patch, around)


@fault
def batched_seeds_are_for_one_output(patch: Patch) -> None:
    """is_grads_batched is refused for several outputs."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        if given.get("is_grads_batched") and len(listed(given["outputs"])) > 1:
            raise RuntimeError("is_grads_batched supports one output")
        return run()

    asked(patch, "grad", change)


@fault
def batched_gradients_of_unused_inputs_are_zeros(patch: Patch) -> None:
    """With is_grads_batched an unused input gets zeros instead of None."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        found = run()
        if not given.get("is_grads_batched"):
            return found
        pairs = zip(found, listed(given["inputs"]), strict=True)
        return tuple(torch.zeros_like(tensor) if g is None else g for g, tensor in pairs)

    asked(patch, "grad", change)


def materialized(patch: Patch, zeros: Callable[[Any], Any], of_dicts: bool) -> None:
    """Let `zeros(input)` stand for the zeros of materialize_grads."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        wanted = given.get("materialize_grads") and given.get("allow_unused") is not False
        if not wanted or isinstance(given["inputs"], dict) is not of_dicts:
            return run()
        found = run(materialize_grads=False, allow_unused=True)
        if of_dicts:
            return {k: zeros(given["inputs"][k]) if g is None else g for k, g in found.items()}
        pairs = zip(found, listed(given["inputs"]), strict=True)
        return tuple(zeros(tensor) if g is None else g for g, tensor in pairs)

    asked(patch, "grad", change)


@fault
def materialized_zeros_are_float32(patch: Patch) -> None:
    """The zeros of materialize_grads are float32."""
    materialized(patch, lambda tensor: torch.zeros(tensor.shape), of_dicts=False)


@fault
def materialize_grads_forgets_dicts(patch: Patch) -> None:
    """materialize_grads=True gives None where the inputs are a dict."""
    materialized(patch, lambda tensor: None, of_dicts=True)
