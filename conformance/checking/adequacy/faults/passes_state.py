"""Faults of what a backward pass does to the state around it: leaves, graphs, seeds, what is refused."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, around_pass, fault, inside, leaves_below, replaces, torch


@fault
def create_graph_accumulates_in_place(patch: Patch) -> None:
    """With create_graph=True the second pass adds into the old .grad tensor in place."""

    def around(run: Any, options: Any) -> Any:
        leaves = leaves_below(options.roots) if options.accumulates and options.create_graph else []
        held = [(leaf, leaf.grad) for leaf in leaves if leaf.grad is not None]
        found = run(options)
        for leaf, before in held:
            if leaf.grad is not before:
                with torch.no_grad():
                    before.copy_(leaf.grad)
                leaf.grad = before
        return found

    around_pass(patch, around)


@fault
def every_result_keeps_its_gradient(patch: Patch) -> None:
    """A pass stores the gradient of every intermediate result in its .grad."""

    def make(original: Any) -> Any:
        def operation(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if isinstance(result, torch.Tensor) and result.requires_grad and not result.is_leaf:
                result.retain_grad()
            return result

        return operation

    for name in (
        "__mul__",
        "__rmul__",
        "__add__",
        "__radd__",
        "__sub__",
        "exp",
        "sin",
        "mul",
        "add",
    ):
        patch.wrap(torch.Tensor, name, make)


@fault
def a_leaf_as_root_gets_nothing(patch: Patch) -> None:
    """backward() of a leaf leaves its .grad empty."""

    def around(run: Any, options: Any) -> Any:
        if options.accumulates and all(
            isinstance(t, torch.Tensor) and t.is_leaf and t.requires_grad for t in options.roots
        ):
            return ()
        return run(options)

    around_pass(patch, around)


@fault
def empty_leaves_get_no_gradient(patch: Patch) -> None:
    """A leaf without elements keeps .grad None after a pass."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates:
            for leaf in leaves_below(options.roots):
                if leaf.numel() == 0:
                    leaf.grad = None
        return found

    around_pass(patch, around)


@fault
def scalars_get_gradients_of_one_dimension(patch: Patch) -> None:
    """The gradient of a tensor without dimensions has shape (1,)."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates:
            return found
        return tuple(None if g is None else g.reshape(1) if g.dim() == 0 else g for g in found)

    around_pass(patch, around)


@fault
def unreached_leaves_get_zeros(patch: Patch) -> None:
    """backward() leaves zeros instead of None in leaves that the root does not depend on."""

    made: list[Any] = []

    def make_tensor(original: Any) -> Any:
        def tensor(*args: Any, **kwargs: Any) -> Any:
            import weakref

            result = original(*args, **kwargs)
            if result.requires_grad:
                made.append(weakref.ref(result))
                del made[:-8]
            return result

        return tensor

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates and not options.inputs:
            for reference in made:
                leaf = reference()
                if leaf is not None and leaf.is_leaf and leaf.requires_grad and leaf.grad is None:
                    leaf.grad = torch.zeros_like(leaf)
        return found

    patch.wrap(torch, "tensor", make_tensor)
    around_pass(patch, around)


@fault
def frozen_leaves_still_accumulate(patch: Patch) -> None:
    """A leaf that stopped requiring grad between forward and backward still gets a gradient."""

    def around(run: Any, options: Any) -> Any:
        frozen = [leaf for leaf in leaves_below(options.roots) if not leaf.requires_grad]
        for leaf in frozen:
            leaf.requires_grad_()
        found = run(options)
        for leaf in frozen:
            leaf.requires_grad_(False)
        return found

    around_pass(patch, around)


@fault
def failed_pass_frees_the_graph(patch: Patch) -> None:
    """A pass that is refused for its gradient's shape has freed the graph all the same."""

    def around(check: Any, roots: Any, seeds: Any) -> Any:
        try:
            return check(roots, seeds)
        except RuntimeError:
            for root in roots:
                if isinstance(root, torch.Tensor) and root.grad_fn is not None:
                    free(root)
            raise

    def free(root: Any) -> None:
        kept = [(leaf, leaf.grad) for leaf in leaves_below([root])]
        torch.Tensor.backward(root, torch.zeros_like(root))
        for leaf, gradient in kept:
            leaf.grad = gradient

    inside.around_seeds(patch, around)


@fault
def refused_pass_has_already_cleared(patch: Patch) -> None:
    """A pass through a freed graph has cleared the leaves' .grad before it is refused."""

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        except RuntimeError:
            for leaf in leaves_below(options.roots):
                leaf.grad = None
            raise

    around_pass(patch, around)


@fault
def gradients_are_averaged_over_roots(patch: Patch) -> None:
    """A pass from several roots divides by their number."""

    def around(run: Any, options: Any) -> Any:
        count = len(options.roots)
        if count > 1:
            options.seeds = [None if s is None else s / count for s in options.seeds]
        return run(options)

    around_pass(patch, around)


@fault
def grad_keeps_its_result_from_an_earlier_call(patch: Patch) -> None:
    """autograd.grad called twice with retain_graph adds the second result to the first."""
    held: dict[tuple[int, ...], Any] = {}

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates or not options.retain_graph or options.create_graph:
            return found
        key = (id(options.roots[0]), *map(id, options.inputs))
        earlier = held.get(key)
        if earlier is not None and earlier[0] is options.roots[0]:
            found = tuple(
                None if g is None else g + e for g, e in zip(found, earlier[1], strict=True)
            )
        held[key] = (options.roots[0], found)
        return found

    around_pass(patch, around)


@fault
def a_pass_under_no_grad_is_refused(patch: Patch) -> None:
    """backward() within no_grad is refused although the graph is there."""

    def around(run: Any, options: Any) -> Any:
        if not torch.is_grad_enabled():
            raise RuntimeError(
                "element 0 of tensors does not require grad and does not have a grad_fn"
            )
        return run(options)

    around_pass(patch, around)


@replaces("autograd.backward")
def integer_roots_are_accepted(original: Any, tensors: Any, *args: Any, **kwargs: Any) -> Any:
    """backward() of a tensor of integers is silently accepted."""
    if isinstance(tensors, torch.Tensor) and not tensors.is_floating_point():
        return None
    return original(tensors, *args, **kwargs)


@fault
def grad_inputs_are_cleared_by_backward(patch: Patch) -> None:
    """autograd.grad clears the .grad of its inputs before it starts."""

    def around(run: Any, options: Any) -> Any:
        if not options.accumulates:
            for tensor in options.inputs:
                if isinstance(tensor, torch.Tensor) and tensor.is_leaf:
                    tensor.grad = None
        return run(options)

    around_pass(patch, around)
