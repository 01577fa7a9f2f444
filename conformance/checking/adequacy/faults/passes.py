"""Faults of the backward pass: accumulation, seeds, roots, inputs, what is kept and what is freed."""

from __future__ import annotations

from typing import Any

from ..breaking import (
    Patch,
    around_pass,
    fault,
    inside,
    leaves_below,
    miscompute,
    nodes_below,
    replaces,
    torch,
)


@fault
def backward_overwrites(patch: Patch) -> None:
    """A second pass overwrites the gradient instead of adding to it."""

    def around(run: Any, options: Any) -> Any:
        if options.accumulates:
            for leaf in leaves_below(options.roots):
                leaf.grad = None
        return run(options)

    around_pass(patch, around)


@fault
def second_pass_makes_a_new_gradient(patch: Patch) -> None:
    """A second pass puts a new tensor in the place of the gradient instead of adding into it."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates:
            for leaf in leaves_below(options.roots):
                if leaf.grad is not None:
                    leaf.grad = leaf.grad.clone()
        return found

    around_pass(patch, around)


@fault
def square_counts_one_factor(patch: Patch) -> None:
    """An operand that occurs twice in one product gets only one of its two contributions."""

    def change(gradients: Any, cotangents: Any, call: Any) -> Any:
        if len(call.args) == 2 and call.args[0] is call.args[1]:
            return gradients[0], torch.zeros_like(gradients[0])
        return gradients

    miscompute(patch, "mul", change)


@replaces("autograd.grad")
def grad_accumulates(original: Any, outputs: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
    """The gradient function also adds what it found to .grad of the inputs."""
    found = original(outputs, inputs, *args, **kwargs)
    listed = (inputs,) if isinstance(inputs, torch.Tensor) else tuple(inputs)
    for tensor, gradient in zip(listed, found, strict=False):
        if isinstance(tensor, torch.Tensor) and tensor.is_leaf and gradient is not None:
            held = tensor.grad
            if gradient.shape == tensor.shape:
                tensor.grad = gradient.detach() if held is None else held + gradient
    return found


@replaces("autograd.backward")
def backward_of_a_vector_is_seeded_with_ones(
    original: Any, tensors: Any, grad_tensors: Any = None, *args: Any, **kwargs: Any
) -> Any:
    """backward() without a gradient is accepted for a tensor of several elements."""
    if isinstance(tensors, torch.Tensor) and grad_tensors is None:
        grad_tensors = torch.ones_like(tensors)
    return original(tensors, grad_tensors, *args, **kwargs)


@fault
def gradient_argument_is_not_multiplied(patch: Patch) -> None:
    """backward(gradient) starts from ones, whatever the gradient."""

    def around(run: Any, options: Any) -> Any:
        if options.accumulates:
            options.seeds = [None if s is None else torch.ones_like(s) for s in options.seeds]
        return run(options)

    around_pass(patch, around)


@fault
def grad_outputs_is_not_multiplied(patch: Patch) -> None:
    """autograd.grad starts from ones, whatever grad_outputs."""

    def around(run: Any, options: Any) -> Any:
        if not options.accumulates:
            options.seeds = [None if s is None else torch.ones_like(s) for s in options.seeds]
        return run(options)

    around_pass(patch, around)


@fault
def seed_of_another_shape_is_expanded(patch: Patch) -> None:
    """A gradient whose shape broadcasts to the root's is accepted."""

    def around(check: Any, roots: Any, seeds: Any) -> Any:
        expanded = [
            seed.expand(root.shape)
            if isinstance(seed, torch.Tensor)
            and seed.numel() == 1
            and isinstance(root, torch.Tensor)
            else seed
            for root, seed in zip(roots, seeds, strict=False)
        ]
        return check(roots, expanded)

    inside.around_seeds(patch, around)


@fault
def second_backward_is_allowed(patch: Patch) -> None:
    """The graph is never freed, so a second backward pass is accepted."""

    def around(run: Any, options: Any) -> Any:
        options.retain_graph = True
        return run(options)

    around_pass(patch, around)


@fault
def retain_graph_is_ignored_by_backward(patch: Patch) -> None:
    """backward(retain_graph=True) frees the graph all the same."""

    def around(run: Any, options: Any) -> Any:
        if options.accumulates and not options.create_graph:
            options.retain_graph = False
        return run(options)

    around_pass(patch, around)


@fault
def retain_graph_is_ignored_by_grad(patch: Patch) -> None:
    """autograd.grad(retain_graph=True) frees the graph all the same."""

    def around(run: Any, options: Any) -> Any:
        if not options.accumulates and not options.create_graph:
            options.retain_graph = False
        return run(options)

    around_pass(patch, around)


@replaces("autograd.grad")
def create_graph_does_not_retain(
    original: Any,
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: Any = None,
    **kw: Any,
) -> Any:
    """With create_graph=True the graph is freed unless retain_graph=True is given too."""
    return original(outputs, inputs, grad_outputs, bool(retain_graph), **kw)


@fault
def retain_graph_false_is_overruled_by_create_graph(patch: Patch) -> None:
    """With create_graph=True an explicit retain_graph=False keeps the graph all the same."""

    def around(run: Any, options: Any) -> Any:
        options.retain_graph = options.retain_graph or options.create_graph
        return run(options)

    around_pass(patch, around)


@fault
def inputs_of_backward_is_ignored(patch: Patch) -> None:
    """backward(inputs=...) accumulates into every leaf."""

    def around(run: Any, options: Any) -> Any:
        if options.accumulates:
            options.inputs = ()
        return run(options)

    around_pass(patch, around)


@fault
def non_leaf_inputs_of_backward_get_nothing(patch: Patch) -> None:
    """backward(inputs=[non-leaf]) leaves the .grad of a non-leaf empty."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates:
            for tensor in options.inputs:
                if isinstance(tensor, torch.Tensor) and not tensor.is_leaf:
                    tensor.grad = None
        return found

    around_pass(patch, around)


@fault
def leaves_are_not_accumulated_when_a_non_leaf_is_an_input(patch: Patch) -> None:
    """A pass whose inputs name a leaf and a non-leaf stops at the non-leaf for both."""

    def around(run: Any, options: Any) -> Any:
        if options.accumulates:
            results = [t for t in options.inputs if isinstance(t, torch.Tensor) and not t.is_leaf]
            options.inputs = results or options.inputs
        return run(options)

    around_pass(patch, around)


@replaces("autograd.backward")
def backward_without_a_graph_does_nothing(
    original: Any, tensors: Any, *args: Any, **kwargs: Any
) -> Any:
    """backward() of a tensor that does not require grad is silently accepted."""
    if isinstance(tensors, torch.Tensor) and not tensors.requires_grad:
        return None
    return original(tensors, *args, **kwargs)


@fault
def grad_of_what_requires_none_is_none(patch: Patch) -> None:
    """autograd.grad with respect to a tensor that does not require grad gives None."""

    def around(run: Any, options: Any) -> Any:
        if options.accumulates:
            return run(options)
        wanted = [t for t in options.inputs if not isinstance(t, torch.Tensor) or t.requires_grad]
        if len(wanted) == len(options.inputs) or not wanted:
            return run(options) if wanted else (None,) * len(options.inputs)
        asked = list(options.inputs)
        options.inputs = wanted
        found = iter(run(options))
        return tuple(
            next(found) if not isinstance(t, torch.Tensor) or t.requires_grad else None
            for t in asked
        )

    around_pass(patch, around)


@fault
def only_the_first_root_counts(patch: Patch) -> None:
    """A pass from several roots starts from the first only."""

    def around(run: Any, options: Any) -> Any:
        options.roots, options.seeds = options.roots[:1], options.seeds[:1]
        if not options.accumulates:
            options.others["allow_unreachable"] = True
        return run(options)

    around_pass(patch, around)


@fault
def a_root_that_stands_twice_counts_once(patch: Patch) -> None:
    """A root that is named twice is seeded once."""

    def around(run: Any, options: Any) -> Any:
        kept: dict[int, tuple[Any, Any]] = {}
        for root, seed in zip(options.roots, options.seeds, strict=True):
            kept.setdefault(id(root), (root, seed))
        options.roots = [root for root, _ in kept.values()]
        options.seeds = [seed for _, seed in kept.values()]
        return run(options)

    around_pass(patch, around)


@replaces("Tensor.backward")
def backward_returns_the_gradients(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """backward() returns the gradients of the leaves instead of None."""
    leaves = leaves_below([self])
    original(self, *args, **kwargs)
    return [leaf.grad for leaf in leaves]


@fault
def the_seed_becomes_the_gradient(patch: Patch) -> None:
    """backward(gradient) of a leaf stores the caller's own tensor in .grad."""

    def around(run: Any, options: Any) -> Any:
        fresh = [
            isinstance(root, torch.Tensor) and root.is_leaf and root.grad is None
            for root in options.roots
        ]
        found = run(options)
        if options.accumulates and not options.create_graph:
            for root, seed, was_fresh in zip(options.roots, options.seeds, fresh, strict=True):
                if was_fresh and root.grad is not None:
                    root.grad = seed
        return found

    around_pass(patch, around)


@fault
def the_seed_is_used_up(patch: Patch) -> None:
    """The pass accumulates in the caller's gradient argument and so changes it."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        with torch.no_grad():
            for seed in options.seeds:
                if (
                    isinstance(seed, torch.Tensor)
                    and seed.is_floating_point()
                    and not seed.requires_grad
                ):
                    if all(stride != 0 for stride in seed.stride()):
                        seed.mul_(2.0)
        return found

    around_pass(patch, around)


@fault
def equal_gradients_are_one_tensor(patch: Patch) -> None:
    """Two leaves that get the same gradient get the same tensor."""

    def around(run: Any, options: Any) -> Any:
        leaves = leaves_below(options.roots) if options.accumulates else []
        fresh = [leaf for leaf in leaves if leaf.grad is None]
        found = run(options)
        kept: list[Any] = []
        for leaf in fresh:
            if leaf.grad is None:
                continue
            for other in kept:
                if other.grad.dtype == leaf.grad.dtype and torch.equal(other.grad, leaf.grad):
                    leaf.grad = other.grad
            kept.append(leaf)
        return found

    around_pass(patch, around)


@fault
def gradients_pass_through_float32(patch: Patch) -> None:
    """The seed of a pass is rounded to float32, whatever the dtype."""

    def around(run: Any, options: Any) -> Any:
        options.seeds = [
            seed.float().double() if seed is not None and seed.dtype == torch.float64 else seed
            for seed in options.seeds
        ]
        return run(options)

    around_pass(patch, around)


@fault
def deep_graphs_overflow_the_stack(patch: Patch) -> None:
    """The pass is recursive, so a chain of some thousand operations is too deep."""

    def around(run: Any, options: Any) -> Any:
        if len(nodes_below(options.roots, 2001)) > 2000:
            raise RecursionError("maximum recursion depth exceeded")
        return run(options)

    around_pass(patch, around)


@fault
def deep_chains_of_functions_overflow_the_stack(patch: Patch) -> None:
    """The backward of a custom function calls that of the next, so that a long row of them is too deep."""

    def around(run: Any, options: Any) -> Any:
        nodes = nodes_below(options.roots)
        if sum(isinstance(node, inside.function_node) for node in nodes) > 1000:
            raise RecursionError("maximum recursion depth exceeded")
        return run(options)

    around_pass(patch, around)


@fault
def shared_nodes_are_visited_once_a_path(patch: Patch) -> None:
    """The pass walks every path instead of every node, so that doubling chains never end."""
    import time

    def around(run: Any, options: Any) -> Any:
        paths: dict[int, int] = {}
        nodes = nodes_below(options.roots)
        for node in nodes:
            paths.setdefault(id(node), 1)
        for node in nodes:
            for following, _ in node.next_functions:
                if following is not None:
                    paths[id(following)] = paths.get(id(following), 0) + paths[id(node)]
        if sum(paths.values()) > 10**6:
            time.sleep(30)
        return run(options)

    around_pass(patch, around)
